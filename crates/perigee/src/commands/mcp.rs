//! `perigee mcp`: servers that speak the Model Context Protocol.

use std::path::PathBuf;
use std::process::ExitCode;

use ::mcp::{Python, StandIn};
use ::sandbox::Sandbox;
use anyhow::Context as _;
use clap::{Args, Subcommand};
use config::Folders;

use super::interrupted;
use super::sandbox::{FOR_EVER, passed_on};

#[derive(Debug, Args)]
#[command(after_help = "Example:
  perigee mcp run dice.py     # in the settings of any MCP client: command \"perigee\", args [\"mcp\", \"run\", \"dice.py\"]")]
pub struct Options {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Run a server that is one Python file, in the sandbox. It speaks on standard input and output.
    #[command(
        long_about = "Run a server that is one Python file in the style of FastMCP, in the sandbox. It speaks on \
        standard input and output. It needs Python and nothing else, reads its own folder, writes its storage alone, and \
        reaches nobody."
    )]
    Run {
        /// The server.
        file: PathBuf,
        /// The folder that it may write, which it finds in MCP_SANDBOX_DIR. Without it, one that vanishes.
        #[arg(long, value_name = "DIR")]
        storage: Option<PathBuf>,
    },
}

pub async fn run(folders: &Folders, options: Options) -> anyhow::Result<ExitCode> {
    let What::Run { file, storage } = options.command;
    let file = file.canonicalize().with_context(|| format!("{} cannot be read", file.display()))?;
    let (sandbox, python) = tokio::join!(Sandbox::probe(), Python::find());
    let stand_in = StandIn::lay_out(&folders.cache)?;
    let scratch = tempfile::tempdir().context("no folder for it could be made")?;
    let storage = storage.unwrap_or_else(|| scratch.path().to_owned());
    let (policy, command) = python?.held(&stand_in, &file, &storage)?;
    let policy = policy.hide(&folders.home);
    let cell = sandbox.start(&policy, command, |program| {
        program.sharing_input().time_limit(FOR_EVER).output_limit(usize::MAX)
    })?;
    tokio::select! {
        code = passed_on(cell) => code,
        code = interrupted() => Ok(ExitCode::from(code)),
    }
}
