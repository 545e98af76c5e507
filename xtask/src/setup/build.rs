//! Runs cargo with one live line instead of three hundred: progress, slow units and the remaining time.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::TaskResult;
use crate::process::{self, OutputEvent};
use crate::repo::{BuildProfile, Repo};
use crate::setup::estimate::{BuildProgress, BuildStart, Estimate};
use crate::terminal::{Terminal, TerminalAudience, in_words, without_colour};

const JOB: &str = "build";

/// The minimum duration of a build that is reported.
const WORTH_TELLING: Duration = Duration::from_secs(3);

/// The argument of every cargo call that selects the whole workspace.
pub const WHOLE_WORKSPACE: &str = "--workspace";

/// Builds the program, with the same features of shared dependencies as the whole workspace. Otherwise the tests would
/// compile these dependencies a second time, including llama.cpp; `tidy` checks that.
pub fn program(repo: &Repo, terminal: &Terminal) -> TaskResult {
    watched(process::cargo(&repo.root).args(["build", "--package", "perigee"]), repo, terminal)
}

/// Builds the programs that tests run.
pub fn tested_programs(repo: &Repo, terminal: &Terminal) -> TaskResult {
    let mut cargo = process::cargo(&repo.root);
    watched(cargo.args(["build", "--package", "perigee", "--package", "conformance"]), repo, terminal)
}

/// Runs a cargo command that compiles. Warnings and errors are shown as they occur.
pub fn watched(cargo: &mut Command, repo: &Repo, terminal: &Terminal) -> TaskResult {
    cargo.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "400");
    if terminal.audience() == TerminalAudience::Person {
        cargo.env("CARGO_TERM_COLOR", "always");
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let start = if llama_is_built(repo) { BuildStart::Warm } else { BuildStart::Cold };
    let mut estimate = Estimate::new(cores, start);
    let started = Instant::now();
    let status = process::watch(cargo, |seen| {
        match seen {
            OutputEvent::Progress(line) => {
                if let Some(progress) = BuildProgress::parse(&without_colour(&line)) {
                    estimate.observe(started.elapsed(), progress);
                }
            }
            OutputEvent::Line(line) if is_routine(&without_colour(&line)) => {}
            OutputEvent::Line(line) => terminal.say(line),
            OutputEvent::Quiet => {}
        }
        if let Some(line) = estimate.describe(started.elapsed()) {
            terminal.show(JOB, &line);
        }
    });
    terminal.clear(JOB);
    process::succeed(cargo, status?)?;
    if started.elapsed() > WORTH_TELLING {
        terminal.say(format!("{} took {}", process::in_words(cargo), in_words(started.elapsed())));
    }
    Ok(())
}

/// Returns true for cargo's status line of a crate, which the live line summarizes.
fn is_routine(line: &str) -> bool {
    const ROUTINE: [&str; 9] = [
        "Compiling ",
        "Checking ",
        "Fresh ",
        "Finished ",
        "Downloading ",
        "Downloaded ",
        "Updating ",
        "Locking ",
        "Executable ",
    ];
    line.starts_with(' ') && ROUTINE.iter().any(|word| line.trim_start().starts_with(word))
}

/// Returns true if the build script of llama.cpp has run: cargo keeps its output only after success.
fn llama_is_built(repo: &Repo) -> bool {
    let scripts = repo.program("build", BuildProfile::Dev);
    let scripts = fs::read_dir(scripts).into_iter().flatten().flatten();
    scripts
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("llama-cpp-sys-2-"))
        .any(|entry| entry.path().join("output").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cargo_s_routine_lines_are_left_out() {
        for (line, routine) in [
            ("   Compiling serde v1.0.0", true),
            ("    Finished `dev` profile [optimized + debuginfo] target(s) in 18m 12s", true),
            ("  Executable unittests src/lib.rs (target/debug/deps/host-1)", true),
            ("    Blocking waiting for file lock on build directory", false),
            ("Compiling a list of what is wrong", false),
            ("warning: unused variable", false),
            ("error[E0308]: mismatched types", false),
            ("  --> crates/host/src/lib.rs:1:1", false),
        ] {
            assert_eq!(is_routine(line), routine, "{line}");
        }
    }
}
