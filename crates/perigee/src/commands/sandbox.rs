//! `perigee sandbox`: the isolation available on this machine, and a way to try it.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use ::sandbox::{Policy, Sandbox, SandboxError, SandboxLevel, SandboxedProgram};
use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};
use config::Folders;
use host::{AllowedHosts, OutputChunk};
use serde_json::json;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};

use super::print_json;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee sandbox probe
  perigee sandbox run --work project -- cargo test
  perigee sandbox run --profile tool -- python3 -c 'print(1)'
  perigee sandbox run --allow-host example.org -- curl https://example.org")]
pub struct SandboxCommandOptions {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show how well this machine can isolate programs.
    Probe {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Run a program in the sandbox and return its exit code.
    Run(Run),
}

#[derive(Debug, Args)]
struct Run {
    /// The sandbox profile: a tool written by Luna, or a shell command.
    #[arg(long, value_enum, default_value = "shell")]
    profile: Profile,
    /// The folder that the program may write. By default an empty one for a tool, and the current one for a command.
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// A host that the program may reach: example.org, *.example.org, 192.168.1.20:8080, or * for every public host.
    /// May be repeated. By default none.
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,
    /// Limit the isolation to this level, to see its effect.
    #[arg(long, value_enum, hide = true)]
    level: Option<HighestLevel>,
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Profile {
    Tool,
    Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum HighestLevel {
    Partial,
    None,
}

/// The time limit: the user ends the program.
pub(super) const NO_TIME_LIMIT: Duration = Duration::from_hours(24 * 365);
/// The output limit in bytes.
const MAX_OUTPUT_BYTES: usize = 32 << 20;
/// The exit code that a shell reports for a killed program.
const KILLED: u8 = 137;

pub async fn run(folders: &Folders, options: SandboxCommandOptions) -> anyhow::Result<ExitCode> {
    match options.action {
        Action::Probe { json } => probe(json).await,
        Action::Run(options) => start(folders, options).await,
    }
}

async fn probe(as_json: bool) -> anyhow::Result<ExitCode> {
    let sandbox = Sandbox::probe().await;
    if as_json {
        return print_json(&json!({ "level": sandbox.level(), "missing": sandbox.missing() }));
    }
    println!("{}", sandbox.level());
    for missing in sandbox.missing() {
        println!("  {missing}");
    }
    Ok(ExitCode::SUCCESS)
}

async fn start(folders: &Folders, options: Run) -> anyhow::Result<ExitCode> {
    let sandbox = Sandbox::probe().await;
    let sandbox = match options.level {
        Some(HighestLevel::Partial) => sandbox.at_most(SandboxLevel::Partial),
        Some(HighestLevel::None) => sandbox.at_most(SandboxLevel::None),
        None => sandbox,
    };
    let scratch = tempfile::tempdir().context("no folder for it could be made")?;
    let work = match (&options.work, options.profile) {
        (Some(work), _) => work.clone(),
        (None, Profile::Tool) => scratch.path().to_owned(),
        (None, Profile::Shell) => std::env::current_dir()?,
    };
    let policy = match options.profile {
        Profile::Tool => Policy::tool(&work, &work)?,
        Profile::Shell => Policy::shell(&work)?,
    };
    let within = |inner: &Path, outer: &Path| {
        let [inner, outer] =
            [inner, outer].map(|path| path.canonicalize().unwrap_or_else(|_| path.to_owned()));
        inner.starts_with(outer)
    };
    anyhow::ensure!(
        !within(&work, &folders.home),
        "{} is in the data folder, which no command may open. Name another with --work",
        work.display()
    );
    let mut policy = policy.hide(&folders.home);
    if !options.allow_host.is_empty() {
        policy = policy.allow_hosts(AllowedHosts::parse(&options.allow_host)?);
    }
    let program = sandbox.start(&policy, options.command, |program| {
        program.with_shared_stdin().time_limit(NO_TIME_LIMIT).output_limit(MAX_OUTPUT_BYTES)
    })?;
    tokio::select! {
        code = forward_output(program, terminal::OutputStream) => code,
        code = terminal::interrupted() => Ok(ExitCode::from(code)),
    }
}

/// Forwards the program's standard output, prints its error output, and returns its exit code.
pub(super) async fn forward_output(
    mut program: SandboxedProgram,
    mut stdout: impl AsyncWrite + Unpin,
) -> anyhow::Result<ExitCode> {
    let forwarded = async {
        while let Some(chunk) = program.next().await? {
            match chunk {
                OutputChunk::Stdout(bytes) => {
                    stdout.write_all(&bytes).await?;
                    stdout.flush().await?;
                }
                OutputChunk::Stderr(bytes) => io::stderr().write_all(&bytes)?,
            }
        }
        anyhow::Ok(program.finish().await?)
    };
    let status = match forwarded.await {
        Ok(status) => status,
        // The sandbox killed the program.
        Err(error) if error.is::<SandboxError>() => {
            eprintln!("perigee: {error}");
            return Ok(ExitCode::from(KILLED));
        }
        Err(error) => return Err(error),
    };
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    Ok(ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
