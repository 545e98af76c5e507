//! The crate alone: `cargo run -p sandbox --example run -- tool|shell FOLDER PROGRAM [ARGUMENT…]`.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use host::Chunk;
use sandbox::{Policy, Sandbox, launch_if_asked};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    launch_if_asked();
    let mut arguments = std::env::args_os().skip(1);
    let profile = arguments.next().ok_or("tool or shell?")?;
    let folder = PathBuf::from(arguments.next().ok_or("in which folder?")?);
    let command: Vec<OsString> = arguments.collect();
    let policy = if profile == "tool" { Policy::tool(&folder, &folder)? } else { Policy::shell(&folder)? };
    let sandbox = Sandbox::probe().await;
    let mut cell = sandbox
        .start(&policy, command, |program| program.sharing_input().time_limit(Duration::from_hours(1)))?;
    while let Some(chunk) = cell.next().await? {
        match chunk {
            Chunk::Stdout(bytes) => std::io::stdout().write_all(&bytes)?,
            Chunk::Stderr(bytes) => std::io::stderr().write_all(&bytes)?,
        }
    }
    let status = cell.finish().await?;
    std::process::exit(status.code().unwrap_or(1));
}
