use std::process::ExitCode;

use clap::Args;
use config::Folders;
use terminal::{Screen, StatusLine};

use crate::commands::{print_json, unless_interrupted};
use crate::doctor::{CheckDepth, CheckLevel, examine};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee doctor          check everything; exit code 1 if something has to be fixed
  perigee doctor --deep   also load the model and let it answer
  perigee doctor --json   {\"checks\":[{\"id\",\"level\",\"message\",\"mend\"}]}")]
pub struct DoctorCommandOptions {
    /// Load the model and let it generate a few tokens.
    #[arg(long)]
    deep: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub async fn run(folders: &Folders, options: DoctorCommandOptions) -> anyhow::Result<ExitCode> {
    let depth = if options.deep { CheckDepth::Deep } else { CheckDepth::Usual };
    unless_interrupted(async {
        let mut status = StatusLine::on_stderr();
        status.show("Checking …");
        let report = examine(folders, depth).await;
        status.clear();
        if options.json {
            print_json(&report)?;
        } else {
            terminal::print(&report.render(Screen::stdout()));
        }
        Ok(if report.worst() == CheckLevel::Fail { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    })
    .await
}

/// Runs the usual checks from within a conversation.
pub async fn show(folders: &Folders) -> anyhow::Result<()> {
    terminal::print(&examine(folders, CheckDepth::Usual).await.render(Screen::stdout()));
    Ok(())
}
