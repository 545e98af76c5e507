//! Runs the tests of each tier.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{ErrorContext, Failure, TaskResult};
use crate::json::JsonValue;
use crate::process::{self, OutputEvent};
use crate::repo::{BuildProfile, Repo};
use crate::setup::{self, system};
use crate::terminal::{Terminal, TerminalAudience, without_colour};
use crate::tiers::summary::{Results, TestCounts, TestRunner};
use crate::tiers::tier::Tier;

/// The test targets with tiers of their own.
const PROGRAM: &str = "program";
const REAL: &str = "real";
/// The filter for tests with a real model: the `real` targets, and modules named `real` that need access to private
/// items of a crate.
const REAL_TESTS: &str = "(binary(real) or test(/::real::/))";

pub fn run(tier: Tier, filter: Option<&str>, repo: &Repo, terminal: &Terminal) -> TaskResult<Results> {
    let (runner, mut command) = match tier {
        Tier::Pure | Tier::Program | Tier::Real => cargo(tier, filter, repo)?,
        Tier::Web => (TestRunner::Vitest, vitest(filter, repo)),
        Tier::Interop => (TestRunner::Node, interop(filter, repo)?),
        Tier::Browser => (TestRunner::Node, browser(filter, repo)?),
    };
    if terminal.audience() == TerminalAudience::Person {
        command.env("CARGO_TERM_COLOR", "always").env("FORCE_COLOR", "1");
    }
    let mut results = Results::default();
    let status = process::watch(&mut command, |seen| {
        if let OutputEvent::Line(line) = seen {
            let plain = without_colour(&line);
            results.tally += runner.read(&plain).unwrap_or_default();
            if let Some(test) = runner.failed_test(&plain) {
                results.name_failure(test);
            }
            let passed = runner.passed_test(&plain);
            // One line for each of two thousand tests would hide the others.
            if passed.is_none() || runner != TestRunner::Nextest {
                terminal.say(line);
            }
            if let Some((test, time)) = passed {
                results.add_time(test, time);
            }
        }
    })?;
    if !status.success() && results.tally.failed == 0 {
        terminal.say(format!("{} failed ({status})", process::in_words(&command)));
        results.tally += TestCounts::ONE_FAILED;
    }
    Ok(results)
}

fn cargo(tier: Tier, filter: Option<&str>, repo: &Repo) -> TaskResult<(TestRunner, Command)> {
    let mut command = process::cargo(&repo.root);
    if tier == Tier::Real {
        command.env("PERIGEE_TEST_MODELS", repo.models());
    }
    if tier == Tier::Program {
        command.env("PERIGEE_SCHEMATHESIS", setup::schemathesis::folder(repo));
    }
    if process::output(process::cargo(&repo.root).args(["nextest", "--version"])).is_ok() {
        command
            .args(nextest_arguments(tier, filter))
            .arg("--config-file")
            .arg(repo.root.join("xtask/nextest.toml"));
        return Ok((TestRunner::Nextest, command));
    }
    let metadata =
        process::output(process::cargo(&repo.root).args(["metadata", "--no-deps", "--format-version=1"]))?;
    let targets = test_targets(&JsonValue::parse(&metadata)?);
    command.args(cargo_test_arguments(tier, filter, &targets));
    Ok((TestRunner::CargoTest, command))
}

fn nextest_arguments(tier: Tier, filter: Option<&str>) -> Vec<String> {
    let (targets, threads) = match tier {
        Tier::Real => (REAL_TESTS.to_owned(), Some("1")),
        Tier::Program => (format!("binary({PROGRAM})"), None),
        _ => (format!("not ({REAL_TESTS} or binary({PROGRAM}))"), None),
    };
    let mut line = vec!["nextest", "run", setup::WHOLE_WORKSPACE, "--no-fail-fast", "--status-level=pass"];
    line.extend(["--cargo-quiet", "--no-tests=pass"]);
    let mut line: Vec<String> = line.into_iter().map(str::to_owned).collect();
    line.extend(threads.map(|threads| format!("--test-threads={threads}")));
    line.extend(["--filterset".to_owned(), targets]);
    line.extend(filter.map(str::to_owned));
    line
}

fn cargo_test_arguments(tier: Tier, filter: Option<&str>, targets: &[String]) -> Vec<String> {
    let own_tier = |target: &str| match target {
        PROGRAM => Tier::Program,
        REAL => Tier::Real,
        _ => Tier::Pure,
    };
    let mut line = vec!["test", setup::WHOLE_WORKSPACE, "--no-fail-fast", "--quiet"];
    if tier == Tier::Pure {
        line.extend(["--lib", "--bins"]);
    }
    for target in targets.iter().filter(|target| own_tier(target) == tier) {
        line.extend(["--test", target]);
    }
    line.push("--");
    line.extend(filter);
    if tier == Tier::Real {
        line.push("--test-threads=1");
    }
    line.into_iter().map(str::to_owned).collect()
}

/// Returns the distinct names of the integration tests.
fn test_targets(metadata: &JsonValue) -> Vec<String> {
    let targets = metadata.get("packages").list().iter().flat_map(|package| package.get("targets").list());
    let tests =
        targets.filter(|target| target.get("kind").list().iter().any(|kind| kind.text() == Some("test")));
    let mut names: Vec<String> =
        tests.filter_map(|target| target.get("name").text()).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

fn vitest(filter: Option<&str>, repo: &Repo) -> Command {
    let mut vitest = process::command(repo.web().join("node_modules/.bin/vitest"), &repo.web());
    vitest.args(["run", "--passWithNoTests"]);
    if let Some(filter) = filter {
        vitest.args(["--testNamePattern", &literal(filter)]);
    }
    vitest
}

fn interop(filter: Option<&str>, repo: &Repo) -> TaskResult<Command> {
    let mut node = process::command("node", &repo.web());
    node.arg("--test");
    node_arguments(&mut node, "interop", filter, repo)?;
    Ok(node)
}

fn browser(filter: Option<&str>, repo: &Repo) -> TaskResult<Command> {
    let chromium =
        system::browser().ok_or_else(|| Failure::new("no Chromium was found; set CHROMIUM to its path"))?;
    let mut node = process::command("node", &repo.web());
    node.arg("e2e/run.mjs").env("CHROMIUM", chromium);
    node_arguments(&mut node, "e2e", filter, repo)?;
    Ok(node)
}

/// Adds the test files of a folder in `web` and what they need.
fn node_arguments(node: &mut Command, folder: &str, filter: Option<&str>, repo: &Repo) -> TaskResult {
    // Each file runs its own program, and one of the browser's pages; more at once would only slow each other down.
    node.args(["--test-reporter=spec", "--test-concurrency=2", "--test-timeout=600000"]);
    if let Some(filter) = filter {
        node.arg(format!("--test-name-pattern={}", literal(filter)));
    }
    node.args(test_files(&repo.web().join(folder))?);
    node.env("PERIGEE_BIN", repo.program("perigee", BuildProfile::Dev));
    node.env("PERIGEE_TEST_MODELS", repo.models());
    Ok(())
}

/// Escapes a text for use as a regular expression.
fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for character in text.chars() {
        if r"\^$.|?*+()[]{}/".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

fn test_files(folder: &Path) -> TaskResult<Vec<PathBuf>> {
    let entries: Result<Vec<_>, _> = fs::read_dir(folder).named(folder.display())?.collect();
    let paths = entries?.into_iter().map(|entry| entry.path());
    let mut tests: Vec<PathBuf> =
        paths.filter(|path| path.to_string_lossy().ends_with(".test.mjs")).collect();
    tests.sort();
    if tests.is_empty() {
        return Err(Failure::new(format!("no *.test.mjs in {}", folder.display())));
    }
    Ok(tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_finds_a_name_as_it_stands() {
        assert_eq!(literal("page (small)? a.b"), r"page \(small\)\? a\.b");
    }

    #[test]
    fn nextest_gets_each_tier_s_targets() {
        let line = |tier, filter| nextest_arguments(tier, filter).join(" ");
        let pure = line(Tier::Pure, None);
        assert!(
            pure.ends_with("--filterset not ((binary(real) or test(/::real::/)) or binary(program))"),
            "{pure}"
        );
        let real = line(Tier::Real, Some("prefix"));
        assert!(
            real.ends_with("--test-threads=1 --filterset (binary(real) or test(/::real::/)) prefix"),
            "{real}"
        );
    }

    #[test]
    fn cargo_test_gets_each_tier_s_targets() {
        let targets = ["program", "it", "real", "typescript"].map(str::to_owned);
        for (tier, line) in [
            (
                Tier::Pure,
                "test --workspace --no-fail-fast --quiet --lib --bins --test it --test typescript --",
            ),
            (Tier::Program, "test --workspace --no-fail-fast --quiet --test program --"),
            (Tier::Real, "test --workspace --no-fail-fast --quiet --test real -- --test-threads=1"),
        ] {
            assert_eq!(cargo_test_arguments(tier, None, &targets).join(" "), line);
        }
        assert!(
            cargo_test_arguments(Tier::Pure, Some("sse"), &targets).ends_with(&["--".into(), "sse".into()])
        );
    }

    #[test]
    fn targets_come_from_cargo_s_own_account() {
        let metadata = r#"{"packages": [
            {"targets": [{"kind": ["lib"], "name": "store"}, {"kind": ["test"], "name": "it"}]},
            {"targets": [{"kind": ["test"], "name": "it"}, {"kind": ["test"], "name": "program"}]}
        ]}"#;
        assert_eq!(test_targets(&JsonValue::parse(metadata).unwrap()), ["it", "program"]);
    }
}
