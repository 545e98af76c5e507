//! The short tasks: running, benchmarking and generating files.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::args;
use crate::failure::{ErrorContext, Failure, TaskResult};
use crate::process;
use crate::repo::{BuildProfile, Repo};
use crate::setup::system::{self, Need};
use crate::setup::{self, Requirements, starter};
use crate::terminal::Terminal;
use crate::tidy;

/// The tests that write a generated file if `PERIGEE_CODEGEN=write` is set, and compare it otherwise.
pub const GENERATORS: [(&str, &str); 2] = [("protocol", "typescript"), ("config", "example")];

/// Implements `cargo xtask run`.
pub fn run(serve: &[String], repo: &Repo, terminal: &Terminal) -> TaskResult {
    let wanted = Requirements { browser: false, model: true, checker: false };
    setup::system_packages(wanted, repo, terminal)?;
    let fetched = setup::beside_download(repo, terminal, || {
        setup::web_app(repo, terminal)?;
        setup::program(repo, terminal)
    })?;
    tell_missing_model(fetched, terminal);
    let mut perigee = serve_command(serve, repo);
    if wants_page(serve) {
        perigee.arg("--open");
    }
    // The server replaces this process, so that it receives Ctrl-C and sets the exit status.
    Err(perigee.stdin(Stdio::inherit()).exec()).named("perigee")
}

/// Returns true if a page should be opened: unless the arguments already decide that, or request output in the
/// terminal.
fn wants_page(serve: &[String]) -> bool {
    !serve.iter().any(|argument| matches!(argument.as_str(), "--open" | "--json" | "--help" | "-h"))
}

/// Reports a failed download of the starter models.
pub fn tell_missing_model(fetched: TaskResult, terminal: &Terminal) {
    if let Err(failure) = fetched {
        terminal.say(format!("{failure}\nPerigee starts without it; a model can be chosen on the page."));
    }
}

/// Creates the command `perigee serve`, which offers the starter models to an empty data folder.
pub fn serve_command(serve: &[String], repo: &Repo) -> Command {
    let here = env::current_dir().unwrap_or_else(|_| repo.root.clone());
    let mut perigee = process::command(repo.program("perigee", BuildProfile::Dev), &here);
    perigee.arg("serve").args(serve);
    let starters = [
        ("PERIGEE_STARTER", starter::path(repo)),
        ("PERIGEE_STARTER_FOR_MEANING", starter::path_for_meaning(repo)),
    ];
    perigee.envs(starters.into_iter().filter_map(|(name, path)| Some((name, path?))));
    perigee
}

/// Implements `cargo xtask codegen`.
pub fn codegen(repo: &Repo, terminal: &Terminal) -> TaskResult {
    setup::system_packages(Requirements::BUILD, repo, terminal)?;
    tidy::write_index(&repo.root)?;
    let mut cargo = process::cargo(&repo.root);
    cargo.args(["test", "--quiet", setup::WHOLE_WORKSPACE]).env("PERIGEE_CODEGEN", "write");
    let mut count = 0;
    for (package, target) in GENERATORS {
        if repo.root.join(format!("crates/{package}/tests/{target}.rs")).is_file() {
            cargo.args(["--test", target]);
            count += 1;
        } else {
            terminal.say(format!("{package} has no test target `{target}` that generates files"));
        }
    }
    if count == 0 { Ok(()) } else { setup::watched(&mut cargo, repo, terminal) }
}

/// Implements `cargo xtask bench` and `soak` with the release build of `bench/`.
pub fn bench(arguments: Vec<String>, repo: &Repo, terminal: &Terminal) -> TaskResult {
    if !repo.root.join("bench/Cargo.toml").is_file() {
        return Err(Failure::new("there are no benchmarks: bench/Cargo.toml is missing"));
    }
    let named: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let runs = |part: &str| named.is_empty() || named.iter().any(|name| *name == part);
    setup::system_packages(
        Requirements { browser: runs("browser"), model: true, checker: false },
        repo,
        terminal,
    )?;
    if runs("code")
        && let Err(failure) = system::provide(&[Need::Ripgrep], terminal)
    {
        terminal.say(failure.to_string());
    }
    let mut cargo = process::cargo(&repo.root);
    cargo.args(["build", "--release", "--package", "bench", "--package", "perigee"]);
    setup::beside_download(repo, terminal, || {
        setup::web_app(repo, terminal)?;
        setup::watched(&mut cargo, repo, terminal)
    })??;
    let arguments = args::with_absolute_data(arguments, &env::current_dir()?);
    let mut bench = process::command(repo.program("bench", BuildProfile::Release), &repo.root);
    bench.args(arguments).env("PERIGEE_BIN", repo.program("perigee", BuildProfile::Release));
    bench.env("PERIGEE_TEST_MODELS", repo.models());
    Err(bench.exec()).named("bench")
}
