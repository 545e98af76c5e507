use std::collections::BTreeMap;

use super::stage::words;
use super::*;

/// An in-memory file tree.
struct Tree(BTreeMap<String, String>);

impl Tree {
    fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }
}

impl ProjectFiles for Tree {
    fn text(&self, path: &str) -> Option<String> {
        self.0.get(path).cloned()
    }

    fn has(&self, path: &str) -> bool {
        self.0.contains_key(path) || self.0.keys().any(|key| key.starts_with(&format!("{path}/")))
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let inner = self.0.keys().filter_map(|key| key.strip_prefix(&start));
        let mut names: Vec<String> =
            inner.filter_map(|rest| rest.split('/').next()).map(str::to_owned).collect();
        names.dedup();
        names
    }
}

fn planned(files: &[(&str, &str)], changed: &[&str], scope: TestScope) -> Vec<String> {
    let stages = plan(&Tree::of(files), &ConfiguredCommands::default(), changed, scope);
    let line = |stage: &PlannedStage| {
        let folder = if stage.folder.is_empty() { String::new() } else { format!(" @{}", stage.folder) };
        format!("{}: {}{folder}", stage.kind.as_str(), stage.command)
    };
    stages.iter().map(line).collect()
}

const LIB: &str = "[package]\nname = \"one\"\nversion = \"0.1.0\"\n";
const WORKSPACE: &str = "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\n  \"crates/apart\",\n]\n";

#[test]
fn a_project_is_known_by_its_files() {
    for (files, expected) in [
        (&[("Cargo.toml", LIB)][..], &["build: cargo build --offline", "test: cargo test --offline"][..]),
        (
            &[("Cargo.toml", WORKSPACE)],
            &["build: cargo build --offline --workspace", "test: cargo test --offline --workspace"],
        ),
        (
            &[(
                "package.json",
                r#"{"scripts": {"build": "vite build", "test": "vitest run", "typecheck": "tsc"}}"#,
            )],
            &["build: npm run typecheck", "build: npm run build", "test: npm test"],
        ),
        (&[("package.json", r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#)], &[]),
        (
            &[("package.json", "{}"), ("tsconfig.json", "{}"), ("pnpm-lock.yaml", "")],
            &["build: pnpm exec tsc --noEmit"],
        ),
        (
            &[
                ("package.json", r#"{"scripts": {"build": "tsc -b && vite build"}}"#),
                ("tsconfig.json", "{}"),
                ("yarn.lock", ""),
            ],
            &["build: yarn run build"],
        ),
        (
            &[("package.json", r#"{"scripts": {"test": "jest --watch", "test:ci": "jest"}}"#)],
            &["test: npm run test:ci"],
        ),
        (
            &[("package.json", r#"{"scripts": {"test": "react-scripts test"}}"#)],
            &["test: npm run test -- --watchAll=false"],
        ),
        (&[("package.json", "not json")], &[]),
        (&[("go.mod", "module x")], &["build: go build ./...", "test: go test ./..."]),
        (
            &[("Makefile", "CC := gcc\n.PHONY: all\nall: a.o\ntest:\n\t./a\n")],
            &["build: make all", "test: make test"],
        ),
        (&[("Makefile", "prog: a.c\n\tcc a.c\ncheck: prog\n")], &["build: make", "test: make check"]),
        (&[("Makefile", "deploy:\n\trm -rf /\nX = a:b\n%.o: %.c\n")], &[]),
        (&[("makefile", "help:\n\techo\n")], &[]),
        (
            &[("CMakeLists.txt", "project(x)\nenable_testing()"), (".gitignore", "/build/\n")],
            &[
                "build: cmake -S . -B build",
                "build: cmake --build build",
                "test: ctest --test-dir build --output-on-failure",
            ],
        ),
        (
            &[("CMakeLists.txt", "project(x)")],
            &[
                "build: mkdir -p .cmake-verify && echo '*' > .cmake-verify/.gitignore && cmake -S . -B .cmake-verify",
                "build: cmake --build .cmake-verify",
            ],
        ),
        (
            &[("build.gradle.kts", ""), ("gradlew", "")],
            &[
                "build: sh ./gradlew --offline --console=plain assemble",
                "test: sh ./gradlew --offline --console=plain test",
            ],
        ),
        (&[("pom.xml", "")], &["build: mvn -o -q -B test-compile", "test: mvn -o -q -B test"]),
        (&[], &[]),
        (&[("README.md", "# Words")], &[]),
    ] {
        assert_eq!(planned(files, &[], TestScope::All), expected, "{files:?}");
    }
}

#[test]
fn python_is_tested_by_what_its_tests_are_written_for() {
    let compiled = r"build: python3 -m compileall -q -x '(^|/)(\.[^/]+|venv|env|node_modules|site-packages|build|dist|fixtures|testdata|templates)/' .";
    for (files, test) in [
        (&[("pyproject.toml", "[tool.pytest.ini_options]")][..], Some("test: python3 -m pytest -q")),
        (&[("setup.cfg", "[tool:pytest]")], Some("test: python3 -m pytest -q")),
        (&[("a.py", ""), ("test_a.py", "def test_a():\n    pass\n")], Some("test: python3 -m pytest -q")),
        (&[("a.py", ""), ("tests/conftest.py", "")], Some("test: python3 -m pytest -q")),
        (&[("test_a.py", "import unittest\n")], Some("test: python3 -m unittest discover")),
        (
            &[("a.py", ""), ("tests/test_a.py", "import unittest\n")],
            Some("test: python3 -m unittest discover -s tests"),
        ),
        (
            &[("tests/__init__.py", ""), ("tests/test_a.py", "import unittest\n")],
            Some("test: python3 -m unittest discover -s tests -t ."),
        ),
        (&[("a.py", "")], None),
        (&[("requirements.txt", "flask\n")], None),
    ] {
        let mut expected = vec![compiled];
        expected.extend(test);
        assert_eq!(planned(files, &[], TestScope::All), expected, "{files:?}");
    }
    let own = planned(&[("pyproject.toml", "pytest"), (".venv/bin/python", "")], &[], TestScope::All);
    assert_eq!(own[1], "test: .venv/bin/python -m pytest -q");
    let locked = planned(&[("pyproject.toml", "pytest"), ("uv.lock", "")], &[], TestScope::All);
    assert_eq!(locked[1], "test: uv run --offline python -m pytest -q");
}

const TREE: [(&str, &str); 26] = [
    ("README.md", ""),
    ("Cargo.toml", WORKSPACE),
    ("crates/one/Cargo.toml", LIB),
    ("crates/one/src/lib.rs", ""),
    ("crates/two/Cargo.toml", "[package]\nname = 'two'\n"),
    ("crates/apart/Cargo.toml", "[package]\nname = \"apart\"\n"),
    ("web/package.json", r#"{"scripts": {"build": "vite build", "test": "vitest run"}}"#),
    ("web/package-lock.json", ""),
    ("web/src/a.ts", ""),
    ("web/packages/plain/package.json", "{}"),
    ("tool/pyproject.toml", "pytest"),
    ("tool/shop/prices.py", ""),
    ("tool/shop/other.py", ""),
    ("tool/tests/test_prices.py", ""),
    ("service/go.mod", "module x"),
    ("service/main.go", ""),
    ("service/prices/prices.go", ""),
    ("jvm/settings.gradle", ""),
    ("jvm/gradlew", ""),
    ("jvm/app/core/build.gradle", ""),
    ("jvm/build.gradle", ""),
    ("java/pom.xml", "<modules><module>core</module></modules>"),
    ("java/core/pom.xml", ""),
    ("native/CMakeLists.txt", "project(x)"),
    ("native/src/CMakeLists.txt", "add_library(y)"),
    ("native/.gitignore", "build*/"),
];

#[test]
fn what_changed_decides_what_is_run() {
    for (changed, scope, expected) in [
        (
            &["crates/one/src/lib.rs"][..],
            TestScope::All,
            &["build: cargo build --offline --workspace", "test: cargo test --offline --workspace"][..],
        ),
        (
            &["crates/one/src/lib.rs"],
            TestScope::Changed,
            &["build: cargo build --offline --workspace", "test: cargo test --offline -p one"],
        ),
        (
            &["crates/one/src/lib.rs", "crates/two/src/new.rs", "crates/one/src/b.rs"],
            TestScope::Changed,
            &["build: cargo build --offline --workspace", "test: cargo test --offline -p one -p two"],
        ),
        (
            &["crates/one/a.rs", "Cargo.lock"],
            TestScope::Changed,
            &["build: cargo build --offline --workspace", "test: cargo test --offline --workspace"],
        ),
        (
            &["crates/apart/src/lib.rs"],
            TestScope::All,
            &["build: cargo build --offline @crates/apart", "test: cargo test --offline @crates/apart"],
        ),
        (
            &["README.md"],
            TestScope::All,
            &["build: cargo build --offline --workspace", "test: cargo test --offline --workspace"],
        ),
        (&["web/src/a.ts"], TestScope::All, &["build: npm run build @web", "test: npm test @web"]),
        (
            &["web/src/a.ts", "web/src/it's.ts"],
            TestScope::Changed,
            &[
                "build: npm run build @web",
                r"test: npx --no-install vitest related --run src/a.ts 'src/it'\''s.ts' @web",
            ],
        ),
        (&["web/src/a.css"], TestScope::Changed, &["build: npm run build @web", "test: npm test @web"]),
        (&["web/packages/plain/x.js"], TestScope::All, &["build: npm run build @web", "test: npm test @web"]),
        (
            &["tool/shop/prices.py"],
            TestScope::Changed,
            &[
                "build: python3 -m compileall -q shop/prices.py @tool",
                "test: python3 -m pytest -q tests/test_prices.py @tool",
            ],
        ),
        (
            &["tool/shop/other.py"],
            TestScope::Changed,
            &["build: python3 -m compileall -q shop/other.py @tool", "test: python3 -m pytest -q @tool"],
        ),
        (
            &["service/prices/prices.go"],
            TestScope::Changed,
            &["build: go build ./... @service", "test: go test ./prices @service"],
        ),
        (
            &["service/main.go", "service/gone/x.go"],
            TestScope::Changed,
            &["build: go build ./... @service", "test: go test ./... @service"],
        ),
        (
            &["jvm/app/core/src/A.java"],
            TestScope::Changed,
            &[
                "build: sh ./gradlew --offline --console=plain assemble @jvm",
                "test: sh ./gradlew --offline --console=plain :app:core:test @jvm",
            ],
        ),
        (
            &["java/core/src/A.java"],
            TestScope::Changed,
            &["build: mvn -o -q -B test-compile @java", "test: mvn -o -q -B -pl core -am test @java"],
        ),
        (
            &["native/src/a.c"],
            TestScope::All,
            &["build: cmake -S . -B build @native", "build: cmake --build build @native"],
        ),
        (
            &["web/src/a.ts", "crates/two/src/lib.rs"],
            TestScope::Changed,
            &[
                "build: npm run build @web",
                "build: cargo build --offline --workspace",
                "test: npx --no-install vitest related --run src/a.ts @web",
                "test: cargo test --offline -p two",
            ],
        ),
    ] {
        assert_eq!(planned(&TREE, changed, scope), expected, "{changed:?}");
    }
}

#[test]
fn a_tree_without_a_project_at_its_root_is_searched() {
    let files = [
        ("server/go.mod", "module x"),
        ("web/package.json", r#"{"scripts": {"test": "jest"}}"#),
        ("node_modules/a/package.json", "{}"),
    ];
    assert_eq!(
        planned(&files, &[], TestScope::All),
        ["build: go build ./... @server", "test: go test ./... @server", "test: npm test @web"]
    );
    let script = [("README.md", ""), ("scripts/a.py", "")];
    assert_eq!(
        planned(&script, &["scripts/a.py"], TestScope::Changed),
        ["build: python3 -m compileall -q scripts/a.py"]
    );
    assert_eq!(planned(&script, &["README.md"], TestScope::Changed), [""; 0]);
    let deeper = [("services/a/go.mod", ""), ("docs/x.md", "")];
    assert_eq!(planned(&deeper, &[], TestScope::All)[0], "build: go build ./... @services/a");
}

#[test]
fn what_the_user_wants_wins() {
    let tree = Tree::of(&[("Cargo.toml", LIB)]);
    let some = |text: &str| Some(text.to_owned());
    let commands = |configured: &ConfiguredCommands| {
        let stages = plan(&tree, configured, &[], TestScope::All);
        stages.into_iter().map(|stage| (stage.kind, stage.command, stage.toolchain)).collect::<Vec<_>>()
    };
    let own = ConfiguredCommands { build: some("make -j2"), test: some(" "), run: some("./app --check") };
    assert_eq!(
        commands(&own),
        [
            (StageKind::Build, "make -j2".to_owned(), Toolchain::Make),
            (StageKind::Run, "./app --check".to_owned(), Toolchain::Other)
        ]
    );
    let half =
        ConfiguredCommands { test: some("RUST_LOG=x cargo nextest run"), ..ConfiguredCommands::default() };
    assert_eq!(
        commands(&half),
        [
            (StageKind::Build, "cargo build --offline".to_owned(), Toolchain::Cargo),
            (StageKind::Test, "RUST_LOG=x cargo nextest run".to_owned(), Toolchain::Cargo)
        ]
    );
    let none = ConfiguredCommands { build: some(""), test: some(""), run: some("") };
    assert_eq!(commands(&none), []);
}

#[test]
fn a_configured_command_is_known_by_its_program() {
    for (command, toolchain) in [
        ("cargo test", Toolchain::Cargo),
        ("/usr/bin/python3.12 -m pytest", Toolchain::Python),
        ("A=1 B=2 npx vitest", Toolchain::Node),
        ("bash ./gradlew test", Toolchain::Gradle),
        ("bash test.sh", Toolchain::Other),
        ("./mvnw test", Toolchain::Maven),
        ("", Toolchain::Other),
        ("A=1", Toolchain::Other),
    ] {
        assert_eq!(Toolchain::of(command), toolchain, "{command}");
    }
}

#[test]
fn names_are_no_options_and_no_commands() {
    for (path, expected) in [
        ("a b.py", "'a b.py'"),
        ("-rf.py", "./-rf.py"),
        ("$(touch x).py", "'$(touch x).py'"),
        ("it's.py", r"'it'\''s.py'"),
        ("ä.py", "ä.py"),
        ("a;b", "'a;b'"),
        ("", "''"),
    ] {
        assert_eq!(words([path]), expected);
    }
}
