//! Runs a program with this crate alone: `cargo run -p sandbox --example run -- [--allow-host HOST]… [--over LAYER]
//! tool|shell FOLDER PROGRAM [ARGUMENT…]`. With a layer, a folder that contains `upper` and `work`, FOLDER itself stays
//! unchanged.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use host::{AllowedHosts, OutputChunk};
use sandbox::{Policy, Sandbox, SandboxError, launch_if_asked};

type Failure = Box<dyn std::error::Error>;

/// The exit status that shells report for a program that was killed.
const KILLED: u8 = 137;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Failure> {
    launch_if_asked();
    let mut arguments = std::env::args_os().skip(1).peekable();
    let mut hosts = Vec::new();
    while arguments.next_if(|argument| argument == "--allow-host").is_some() {
        let host = arguments.next().and_then(|host| host.into_string().ok());
        hosts.push(host.ok_or("which host?")?);
    }
    let layer = match arguments.next_if(|argument| argument == "--over") {
        Some(_) => Some(PathBuf::from(arguments.next().ok_or("over which layer?")?)),
        None => None,
    };
    let profile = arguments.next().ok_or("tool or shell?")?;
    let folder = PathBuf::from(arguments.next().ok_or("in which folder?")?);
    let policy = if profile == "tool" { Policy::tool(&folder, &folder)? } else { Policy::shell(&folder)? };
    let policy = match layer {
        Some(layer) => policy.with_overlay(&layer.join("upper"), &layer.join("work"))?,
        None => policy,
    };
    let policy = if hosts.is_empty() { policy } else { policy.allow_hosts(AllowedHosts::parse(&hosts)?) };
    match run(&policy, arguments.collect()).await {
        Err(error) if error.is::<SandboxError>() => {
            writeln!(std::io::stderr(), "{error}")?;
            Ok(ExitCode::from(KILLED))
        }
        ended => ended,
    }
}

async fn run(policy: &Policy, command: Vec<OsString>) -> Result<ExitCode, Failure> {
    let sandbox = Sandbox::probe().await;
    let mut program = sandbox
        .start(policy, command, |command| command.with_shared_stdin().time_limit(Duration::from_hours(1)))?;
    while let Some(chunk) = program.next().await? {
        match chunk {
            OutputChunk::Stdout(bytes) => std::io::stdout().write_all(&bytes)?,
            OutputChunk::Stderr(bytes) => std::io::stderr().write_all(&bytes)?,
        }
    }
    let code = program.finish().await?.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
