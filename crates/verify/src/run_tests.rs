use std::sync::Mutex;

use super::*;
use crate::{ConfiguredCommands, Severity, TestScope, plan};

/// Ends each command with a given result and prints given pieces.
struct Script(Vec<(&'static str, Vec<&'static str>, Result<CommandExit, &'static str>)>);

#[async_trait]
impl CommandRunner for Script {
    async fn run(&self, _: &str, command: &str, out: &mut OutputSink<'_>) -> Result<CommandExit, String> {
        let (_, pieces, end) = self.0.iter().find(|(known, ..)| *known == command).expect(command);
        for piece in pieces {
            out(piece);
        }
        end.map_err(str::to_owned)
    }
}

const fn ended(code: i32) -> CommandExit {
    CommandExit { code: Some(code), timed_out: false }
}

fn stage(kind: StageKind, toolchain: Toolchain, command: &str) -> PlannedStage {
    PlannedStage { kind, command: command.to_owned(), folder: String::new(), toolchain }
}

fn run(stages: &[PlannedStage], script: &Script) -> (VerifyResult, Vec<VerifyProgress>) {
    let told = Mutex::new(Vec::new());
    let tell = |one: VerifyProgress| told.lock().unwrap().push(one);
    let paths = PathResolver::new("/home/ada/project");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let verdict = runtime.block_on(run_stages(stages, &paths, script, &tell));
    (verdict, told.into_inner().unwrap())
}

#[test]
fn stages_run_until_one_fails() {
    let stages = [
        stage(StageKind::Build, Toolchain::Make, "make"),
        stage(StageKind::Test, Toolchain::Make, "make test"),
        stage(StageKind::Run, Toolchain::Other, "./app"),
    ];
    let script = Script(vec![
        ("make", vec!["compi", "ling\nall is w", "ell"], Ok(ended(0))),
        ("make test", vec!["\u{1b}[31mt.c:3:1: error: no\u{1b}[0m\n"], Ok(ended(2))),
    ]);
    let (verdict, told) = run(&stages, &script);
    assert_eq!(verdict.outcome, StageOutcome::Failed);
    assert_eq!((verdict.passed.as_slice(), verdict.stage.as_ref()), (&stages[..1], Some(&stages[1])));
    assert_eq!(verdict.report.unwrap().headline, "t.c:3:1: no");
    let lines: Vec<&str> = told
        .iter()
        .filter_map(|told| if let VerifyProgress::Output(line) = told { Some(line.as_str()) } else { None })
        .collect();
    assert_eq!(lines, ["compiling", "all is well", "t.c:3:1: error: no"]);
    assert!(matches!(&told[0], VerifyProgress::StageStarted(stage) if *stage == stages[0]));
    assert!(
        matches!(&told[3], VerifyProgress::StageEnded { outcome: StageOutcome::Passed, diagnostics, .. } if diagnostics.is_empty())
    );
    let Some(VerifyProgress::StageEnded { outcome: StageOutcome::Failed, diagnostics, .. }) = told.last()
    else {
        panic!("{told:?}")
    };
    assert_eq!((diagnostics.len(), diagnostics[0].severity), (1, Severity::Error));
}

#[test]
fn how_a_command_ends_decides_and_not_what_it_says() {
    let python = stage(StageKind::Test, Toolchain::Python, "python3 -m pytest -q");
    let other = stage(StageKind::Test, Toolchain::Other, "FOO=1 frob --now");
    let missing = |program: &str| StageOutcome::Missing { program: program.to_owned() };
    let none = include_str!("fixtures/pytest_none.txt");
    let no_pytest = include_str!("fixtures/pytest_missing.txt");
    let no_runner = include_str!("fixtures/npm_missing.txt");
    for (stage, output, end, expected) in [
        (&other, "error: all is lost\nFAILED", Ok(ended(0)), StageOutcome::Passed),
        (&other, "ok. 3 passed; 0 failed", Ok(ended(1)), StageOutcome::Failed),
        (&other, "", Ok(CommandExit { code: None, timed_out: false }), StageOutcome::Failed),
        (&other, "ok", Ok(CommandExit { code: None, timed_out: true }), StageOutcome::TimedOut),
        (&other, "ok", Ok(CommandExit { code: Some(0), timed_out: true }), StageOutcome::TimedOut),
        (&other, no_runner, Ok(ended(127)), missing("nowhere-runner")),
        (&other, "bash: line 1: frob: command not found\n", Ok(ended(127)), missing("frob")),
        (&other, "", Ok(ended(127)), missing("frob")),
        (&python, no_pytest, Ok(ended(1)), missing("pytest")),
        (
            &python,
            "Traceback\n/usr/bin/python3: No module named pytest\n",
            Ok(ended(1)),
            StageOutcome::Failed,
        ),
        (&other, no_pytest, Ok(ended(1)), StageOutcome::Failed),
        (&python, none, Ok(ended(5)), StageOutcome::Nothing),
        (&other, none, Ok(ended(5)), StageOutcome::Failed),
        (&other, "", Err("no sandbox"), StageOutcome::NotRun { why: "no sandbox".to_owned() }),
    ] {
        let command: &'static str =
            if *stage == python { "python3 -m pytest -q" } else { "FOO=1 frob --now" };
        let output: &'static str = output;
        let script = Script(vec![(command, vec![output], end)]);
        let (verdict, told) = run(std::slice::from_ref(stage), &script);
        assert_eq!(verdict.outcome, expected, "{output}");
        assert!(
            matches!(told.last(), Some(VerifyProgress::StageEnded { outcome, .. }) if *outcome == expected),
            "{told:?}"
        );
        let is_over = matches!(expected, StageOutcome::Passed | StageOutcome::Nothing);
        assert_eq!(verdict.report.is_none(), is_over, "{output}");
    }
}

#[test]
fn nothing_to_verify_is_no_pass() {
    let (verdict, told) = run(&[], &Script(Vec::new()));
    assert_eq!((verdict.outcome, told.len()), (StageOutcome::Nothing, 0));
    // A passed build counts even if there are no tests.
    let stages =
        [stage(StageKind::Build, Toolchain::Python, "a"), stage(StageKind::Test, Toolchain::Python, "b")];
    let script = Script(vec![("a", vec![], Ok(ended(0))), ("b", vec![], Ok(ended(5)))]);
    let (verdict, _) = run(&stages, &script);
    assert_eq!((verdict.outcome, verdict.passed.len()), (StageOutcome::Passed, 1));
}

#[test]
fn endless_output_is_told_and_kept_in_part() {
    let piece: &'static str = "0123456789 words and words and words\n".repeat(3_000).leak();
    let mut pieces = vec!["a.c:1:1: error: first\n"];
    pieces.extend(std::iter::repeat_n(piece, 60));
    pieces.push("b.c:1:1: error: last\n");
    let script = Script(vec![("make", pieces, Ok(ended(2)))]);
    let (verdict, told) = run(&[stage(StageKind::Build, Toolchain::Make, "make")], &script);
    let files: Vec<_> = verdict.diagnostics.iter().filter_map(|problem| problem.file.as_deref()).collect();
    assert_eq!(files, ["a.c", "b.c"]);
    let bytes: usize =
        told.iter().map(|told| if let VerifyProgress::Output(line) = told { line.len() } else { 0 }).sum();
    assert!(bytes < MOST_STREAMED + 1_000, "{bytes}");
    assert!(
        told.iter().any(|told| matches!(told, VerifyProgress::Output(line) if line.starts_with("[more")))
    );
    // A line that never ends.
    let line: &'static str = "äx".repeat(100_000).leak();
    let script = Script(vec![("make", vec![line; 40], Ok(ended(2)))]);
    let (verdict, told) = run(&[stage(StageKind::Build, Toolchain::Make, "make")], &script);
    assert_eq!((verdict.outcome, told.len()), (StageOutcome::Failed, 3));
}

/// Runs commands in a folder on this machine.
struct Shell(std::path::PathBuf);

#[async_trait]
impl CommandRunner for Shell {
    async fn run(
        &self,
        folder: &str,
        command: &str,
        out: &mut OutputSink<'_>,
    ) -> Result<CommandExit, String> {
        let mut shell = std::process::Command::new("sh");
        // A separate target folder, since the one of these tests may be locked.
        shell
            .args(["-c", command])
            .current_dir(self.0.join(folder))
            .env("CARGO_TARGET_DIR", self.0.join("made"));
        let output = shell.output().map_err(|error| error.to_string())?;
        out(&String::from_utf8_lossy(&output.stdout));
        out(&String::from_utf8_lossy(&output.stderr));
        Ok(CommandExit { code: output.status.code(), timed_out: false })
    }
}

fn is_send<T: Send>(value: T) -> T {
    value
}

/// The whole process with a real compiler: broken, partly fixed, fixed.
#[test]
fn a_real_crate_is_broken_until_it_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let write = |path: &str, text: &str| std::fs::write(root.join(path), text).unwrap();
    std::fs::create_dir(root.join("src")).unwrap();
    write("Cargo.toml", "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    let files = host::RootDir::open(&root).unwrap();
    let stages = plan(&files, &ConfiguredCommands::default(), &[], TestScope::All);
    let paths = PathResolver::new(root.to_str().unwrap()).files(&files);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let run = |source: &str| {
        write("src/lib.rs", source);
        runtime.block_on(is_send(run_stages(&stages, &paths, &Shell(root.clone()), &|_| {})))
    };
    let test = "#[test]\nfn adds() {\n    assert_eq!(add(2, 3), 5);\n}\n";
    let verdict = run(&format!("pub fn add(a: u8, b: u8) -> u8 {{\n    a + c\n}}\n{test}"));
    assert_eq!((&verdict.outcome, verdict.passed.len()), (&StageOutcome::Failed, 0), "{verdict:?}");
    let headline = verdict.report.unwrap().headline;
    assert!(headline.starts_with("src/lib.rs:2:9: E0425: cannot find value `c`"), "{headline}");
    let verdict = run(&format!("pub fn add(a: u8, b: u8) -> u8 {{\n    b - a\n}}\n{test}"));
    assert_eq!((&verdict.outcome, verdict.passed.len()), (&StageOutcome::Failed, 1), "{verdict:?}");
    let headline = verdict.report.unwrap().headline;
    assert!(
        headline.starts_with("adds failed at src/lib.rs:6:5: assertion `left == right` failed"),
        "{headline}"
    );
    let verdict = run(&format!("pub fn add(a: u8, b: u8) -> u8 {{\n    a + b\n}}\n{test}"));
    assert_eq!((verdict.outcome, verdict.passed.len()), (StageOutcome::Passed, 2));
    let gone = [stage(StageKind::Test, Toolchain::Other, "perigee-has-no-such-program --now")];
    let verdict = runtime.block_on(run_stages(&gone, &paths, &Shell(root.clone()), &|_| {}));
    assert_eq!(verdict.outcome, StageOutcome::Missing { program: "perigee-has-no-such-program".to_owned() });
}
