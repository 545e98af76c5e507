//! Tests with real outputs: each file in `fixtures/` was produced by a small failing project. If the program was not
//! available, the first line of the file says so.

use std::time::Instant;

use super::*;
use crate::diagnostic::Significance;
use crate::parse::output_lines::EXCERPT_LINES;
use crate::project_files::ProjectFiles;
use crate::{FailureReport, find_cause};

const ROOT: &str = "/home/ada/project";

fn output(name: &str) -> String {
    let folder = std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("src/fixtures");
    std::fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap()
}

fn fixtures() -> Vec<String> {
    let folder = std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("src/fixtures");
    let names =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.map(|name| name.trim_end_matches(".txt").to_owned()).collect();
    names.sort_unstable();
    names
}

fn read(name: &str, toolchain: Toolchain) -> (Vec<Diagnostic>, FailureReport) {
    let output = output(name);
    let found = diagnostics(toolchain, &output, &PathResolver::new(ROOT));
    let report = find_cause(&found, &output);
    (found, report)
}

/// Returns the lines of `expected.txt`: the output, its toolchain, the number of causes in it, and the headline.
fn expected() -> Vec<(&'static str, Toolchain, usize, &'static str)> {
    let lines = include_str!("expected.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut cells = line.splitn(2, char::is_whitespace);
        let name = cells.next().unwrap();
        let (toolchain, rest) = cells.next().unwrap().trim_start().split_once(' ').unwrap();
        let (count, headline) = rest.trim_start().split_once("  ").unwrap();
        let toolchain = ALL.into_iter().find(|one| format!("{one:?}") == toolchain).unwrap();
        (name, toolchain, count.parse().unwrap(), headline)
    };
    lines.map(row).collect()
}

#[test]
fn the_first_real_error_is_found() {
    for (name, toolchain, count, headline) in expected() {
        let (found, report) = read(name, toolchain);
        let causes = found.iter().filter(|problem| {
            problem.severity == Severity::Error && problem.significance != Significance::Consequence
        });
        assert_eq!(causes.count(), count, "{name}: {found:#?}");
        assert_eq!(report.headline, headline, "{name}");
        let lines = report.excerpt.lines().count();
        assert!((1..=15).contains(&lines), "{name} shows {lines} lines");
        assert!(!report.excerpt.contains(ROOT) || name.starts_with("cargo"), "{name}: {}", report.excerpt);
        assert!(!report.excerpt.contains('\u{1b}'), "{name}");
    }
}

/// Further problems in these outputs, after the first one.
#[test]
fn what_comes_after_is_found_too() {
    for (name, toolchain, expected) in [
        ("gxx_template", Toolchain::Make, "src/main.cpp:7: no match for ‘operator<’"),
        ("compileall", Toolchain::Python, "shop/worse.py:1: IndentationError: unexpected indent"),
        (
            "pytest_long",
            Toolchain::Python,
            "tests/test_prices.py:7: AssertionError: two and three\nassert -1 == 5",
        ),
        ("pytest_line", Toolchain::Python, "shop/prices.py:15: NameError: name 'json' is not defined"),
        ("python_chained", Toolchain::Python, "app.py:8: RuntimeError: no total"),
        ("unittest_fails", Toolchain::Python, "tests/test_prices.py:14: AssertionError: Lists differ"),
        (
            "cargo_test",
            Toolchain::Cargo,
            "src/lib.rs:26: something\nnote: panic did not contain expected string",
        ),
        ("cargo_test", Toolchain::Cargo, "-: Error: \"no such thing\""),
        ("cargo_test", Toolchain::Cargo, "src/lib.rs:36: note: test did not panic as expected"),
        ("cargo_errors", Toolchain::Cargo, "src/lib.rs:3: unused variable: `unused`"),
        ("vitest", Toolchain::Node, "src/sum.js:5: TypeError: Cannot read"),
        ("jest", Toolchain::Node, "lib/sum.cjs:2: TypeError: Cannot read"),
        ("mocha", Toolchain::Node, "lib/sum.cjs:2: TypeError: Cannot read"),
        ("node_test", Toolchain::Node, "lib/sum.cjs:2: Cannot read properties"),
        ("gradle_kotlin", Toolchain::Gradle, "src/main/kotlin/shop/Shop.kt:7: Type mismatch"),
        ("gradle_test", Toolchain::Gradle, "src/main/java/shop/Prices.java:8: java.lang.IndexOutOfBounds"),
        ("java_trace", Toolchain::Other, "src/main/java/shop/Prices.java:4: java.lang.ArrayIndexOutOfBounds"),
        ("javac", Toolchain::Other, "src/main/java/shop/Prices.java:9: cannot find symbol"),
        ("javac_syntax", Toolchain::Other, "src/main/java/shop/Prices.java:11: ';' expected"),
        ("maven_test", Toolchain::Maven, "src/test/java/shop/PricesTest.java:12: org.opentest4j"),
        ("maven_offline", Toolchain::Maven, "-: Plugin org.apache.maven.plugins"),
        ("gradle_offline", Toolchain::Gradle, "-: No cached version of com.google.guava"),
        ("go_syntax", Toolchain::Go, "main.go:5: syntax error: unexpected EOF"),
        ("go_test", Toolchain::Go, "prices_test.go:13: nothing"),
        ("go_testify", Toolchain::Go, "prices_test.go:10: Not equal:\nexpected: 5\nactual  : -1"),
        ("go_offline", Toolchain::Go, "main.go:3: cannot find module providing package"),
    ] {
        let (found, _) = read(name, toolchain);
        let told: Vec<String> = found
            .iter()
            .map(|problem| match (&problem.file, problem.line) {
                (Some(file), Some(line)) => format!("{file}:{line}: {}", problem.message),
                _ => format!("-: {}", problem.message),
            })
            .collect();
        assert!(told.iter().any(|told| told.starts_with(expected)), "{name}: {told:#?}");
    }
}

/// A script may run any program, so the toolchain of an output is not always known.
#[test]
fn what_is_read_does_not_hang_on_the_toolchain() {
    for (name, toolchain, ..) in expected().iter().filter(|(name, ..)| !name.starts_with("maven")) {
        let (known, unknown) = (read(name, *toolchain).0, read(name, Toolchain::Other).0);
        let places = |found: &[Diagnostic]| {
            found.iter().map(|one| (one.file.clone(), one.line, one.message.clone())).collect::<Vec<_>>()
        };
        assert_eq!(places(&known), places(&unknown), "{name}");
    }
}

struct Shop;

impl ProjectFiles for Shop {
    fn text(&self, path: &str) -> Option<String> {
        (path == "go/go.mod").then(|| "module example.com/shop\n\ngo 1.21\n".to_owned())
    }

    fn has(&self, path: &str) -> bool {
        ["go/prices/prices_test.go", "app/src/test/java/shop/PricesTest.java"].contains(&path)
    }

    fn list(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn who_can_look_finds_the_folder() {
    for (name, toolchain, folder, file) in [
        ("go_test", Toolchain::Go, "go", "go/prices/prices_test.go"),
        ("go_testify", Toolchain::Go, "go", "go/prices/prices_test.go"),
        ("gradle_test", Toolchain::Gradle, "app", "app/src/test/java/shop/PricesTest.java"),
        ("tsc", Toolchain::Node, "web", "web/src/price.ts"),
    ] {
        let paths = PathResolver::new(ROOT).folder(folder).files(&Shop);
        let found = diagnostics(toolchain, &output(name), &paths);
        assert_eq!(found[0].file.as_deref(), Some(file), "{name}");
    }
}

/// Formats with one line per problem.
#[test]
fn single_lines_are_read() {
    for (line, expected) in [
        ("thread 'main' panicked at 'no', src/old.rs:3:4", "src/old.rs:3:4 no"),
        ("    thread 'x::y' panicked at src/a.rs:3:4:\n    no", "src/a.rs:3:4 no"),
        ("src/a.c:3: undefined reference to `f'", "src/a.c:3 undefined reference to `f'"),
        ("src/a.cpp:3:4: runtime error: signed integer overflow", "src/a.cpp:3:4 signed integer overflow"),
        (
            "==7==ERROR: AddressSanitizer: SEGV on address 0x0\n    #0 0x1 in main /home/ada/project/a.c:4:3",
            "a.c:4:3 AddressSanitizer: SEGV",
        ),
        ("CMake Error: The source directory does not exist.", "- The source directory does not exist."),
        ("vet: ./a.go:3:4: no", "a.go:3:4 no"),
        (
            "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [x]:\nmain.main()\n\t/home/ada/project/a.go:9 +0x1",
            "a.go:9 fatal error: all goroutines are asleep - deadlock!",
        ),
        (
            "---- a stdout ----\nthread 'other' panicked at src/b.rs:1:1:\nmeant\n\n\
             thread 'a' panicked at src/a.rs:2:2:\nnot meant\n\nfailures:",
            "src/a.rs:2:2 not meant",
        ),
        ("run.sh: 3: frob: not found", "run.sh:3 frob: not found"),
        ("a.ts(1,2): warning TS6133: unused", "a.ts:1:2 unused"),
        ("a.ts:1:2 - error TS2304: no f(x): y", "a.ts:1:2 no f(x): y"),
        ("FAILED tests/test_a.py::test_b[x] - AssertionError: no", "- AssertionError: no"),
        ("C:/x/a.c:3:1: error: no", "- no"),
        ("/usr/include/a.h:3:1: error: no", "- no"),
    ] {
        let found = diagnostics(Toolchain::Other, line, &PathResolver::new(ROOT));
        let [found] = found.as_slice() else { panic!("{line}: {found:?}") };
        let place = match (&found.file, found.line, found.column) {
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}"),
            (Some(file), Some(line), None) => format!("{file}:{line}"),
            _ => "-".to_owned(),
        };
        assert_eq!(format!("{place} {}", found.message), expected, "{line}");
    }
}

#[test]
fn what_is_no_problem_is_none() {
    for text in [
        "",
        "\n\n\n",
        "running 3 tests\ntest a ... ok\n\ntest result: ok. 3 passed; 0 failed",
        "tests/test_a.py ...                 [100%]\n3 passed in 0.01s",
        "--- PASS: TestAdd (0.00s)\nok  \texample.com/shop\t0.003s",
        "10:30:12 started\nhttp://localhost:8080/x listening\n12:01 done",
        "warning: `sums` (lib) generated 1 warning",
        "tests/test_a.py:3: DeprecationWarning: old",
        "0 errors, 0 warnings",
        "PASS test/a.test.js\n  ● Console\n\n    console.log\n      hello\n\nTest Suites: 1 passed, 1 total",
        "note: see README.md:3: it says more",
    ] {
        assert_eq!(diagnostics(Toolchain::Other, text, &PathResolver::new(ROOT)), [], "{text}");
    }
}

#[test]
fn warnings_never_hide_the_error() {
    let warnings =
        (1..500).map(|line| format!("a.c:{line}:1: warning: w{line} [-Wx]\n")).collect::<Vec<_>>().concat();
    let text = format!("{warnings}a.c:900:1: error: no\n");
    let found = diagnostics(Toolchain::Make, &text, &PathResolver::new(ROOT));
    assert_eq!(found.len(), MOST_WARNINGS + 1);
    assert_eq!(find_cause(&found, &text).headline, "a.c:900:1: no");
}

/// A reproducible pseudo-random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }
}

const ALL: [Toolchain; 9] = [
    Toolchain::Cargo,
    Toolchain::Node,
    Toolchain::Python,
    Toolchain::Go,
    Toolchain::Make,
    Toolchain::CMake,
    Toolchain::Gradle,
    Toolchain::Maven,
    Toolchain::Other,
];

/// Outputs that are cut off, mixed, and interspersed with difficult input.
#[test]
fn damaged_output_breaks_nothing() {
    let texts: Vec<String> = fixtures().iter().map(|name| output(name)).collect();
    let pieces = [
        "\u{1b}[",
        "\r",
        "\u{0}",
        "ä",
        "…",
        ":",
        "::",
        "(",
        ")",
        "'",
        "\"",
        "[",
        "]",
        "99999999999",
        "\n\n",
        "E   ",
        "_",
        "--> ",
        "\t",
        "❯ ",
        "⎯",
    ];
    let mut random = Random(7);
    for round in 0..3_000 {
        let mut text = String::new();
        for _ in 0..=random.below(3) {
            let source: Vec<char> = texts[random.below(texts.len())].chars().collect();
            let from = random.below(source.len());
            let to = from + random.below(1_500.min(source.len() - from + 1));
            text.extend(&source[from..to.min(source.len())]);
            text.push_str(pieces[random.below(pieces.len())]);
        }
        for _ in 0..random.below(12) {
            let at = random.below(text.len());
            if text.is_char_boundary(at) {
                text.insert_str(at, pieces[random.below(pieces.len())]);
            }
        }
        let paths = PathResolver::new(ROOT).folder(["", "web", "a/b"][random.below(3)]);
        let found = diagnostics(ALL[random.below(ALL.len())], &text, &paths);
        let report = find_cause(&found, &text);
        for problem in &found {
            let file = problem.file.as_deref().unwrap_or("x");
            assert!(
                !file.starts_with('/') && !file.split('/').any(|name| name == ".."),
                "round {round}: {file}"
            );
            assert!(
                problem.message.len() <= LONGEST_MESSAGE + 3 && problem.lines.len() <= EXCERPT_LINES,
                "round {round}"
            );
        }
        assert!(report.excerpt.lines().count() <= 15 && report.headline.len() < 250, "round {round}");
    }
}

/// Inputs that would take forever if a parser read lines repeatedly.
#[test]
fn hostile_output_is_read_in_time() {
    let lines = [
        "Traceback (most recent call last):",
        "---- a stdout ----",
        "____________________________ a ____________________________",
        "  ● a",
        " FAIL  a > b",
        "--- FAIL: A (0.00s)",
        "panic: x",
        "not ok 1 - a\n---",
        "  1) a\nb:\nTypeError: x",
        "error: a",
        "CMake Error at a:1:",
        "thread 'a' panicked at src/a.rs:1:1:",
        "TypeError: x",
        "java.lang.A: x",
        "a.c:1:1: error: x",
        "make[1]: Entering directory 'x'",
        "* What went wrong:",
        "File \"a\", line 1",
        "a.js:1",
        "==1==ERROR: x",
    ];
    let began = Instant::now();
    for line in lines {
        let text = format!("{line}\n").repeat(60_000 / line.len());
        for toolchain in [Toolchain::Other, Toolchain::Node] {
            assert!(diagnostics(toolchain, &text, &PathResolver::new(ROOT)).len() <= MOST_ERRORS, "{line}");
        }
    }
    for text in [
        ":1".repeat(500_000),
        "a:".repeat(500_000),
        "(".repeat(1_000_000),
        "\u{1b}[".repeat(500_000),
        "\r".repeat(1_000_000),
        "/tmp/ 1:1 ".repeat(100_000),
    ] {
        let found = diagnostics(Toolchain::Other, &text, &PathResolver::new(ROOT));
        assert!(find_cause(&found, &text).excerpt.len() < 5_000);
    }
    // A quadratic parser takes minutes; a busy machine takes seconds.
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn every_output_is_looked_at() {
    let elsewhere = ["pytest_missing", "pytest_none"];
    let (this, table) = (include_str!("parse_tests.rs"), include_str!("expected.txt"));
    for name in fixtures() {
        let is_named = this.contains(&format!("\"{name}\""))
            || table.contains(&format!(
                "
{name} "
            ));
        assert!(is_named || elsewhere.contains(&name.as_str()), "{name} is read by no test");
    }
}
