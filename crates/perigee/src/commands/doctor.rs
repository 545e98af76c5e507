use std::process::ExitCode;

use clap::Args;
use config::Folders;

use crate::commands::{print_json, unless_interrupted};
use crate::doctor::{Depth, Level, examine};
use crate::terminal::{self, Screen, StatusLine};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee doctor          check everything; exit code 1 when something has to be fixed
  perigee doctor --deep   load the model, and have it say a word
  perigee doctor --json   {\"checks\":[{\"id\",\"level\",\"message\",\"mend\"}]}")]
pub struct Options {
    /// Load the model and let it generate a few tokens.
    #[arg(long)]
    deep: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub async fn run(folders: &Folders, options: Options) -> anyhow::Result<ExitCode> {
    let depth = if options.deep { Depth::Deep } else { Depth::Usual };
    unless_interrupted(async {
        let mut status = StatusLine::new();
        status.show("Looking …");
        let report = examine(folders, depth).await;
        status.clear();
        if options.json {
            print_json(&report)?;
        } else {
            terminal::print(&report.show(Screen::stdout()));
        }
        Ok(if report.worst() == Level::Fail { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    })
    .await
}

/// Runs the usual checks from within a conversation.
pub async fn show(folders: &Folders) -> anyhow::Result<()> {
    terminal::print(&examine(folders, Depth::Usual).await.show(Screen::stdout()));
    Ok(())
}
