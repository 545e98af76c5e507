//! The commands of the program that a conversation in the terminal offers too.

use async_trait::async_trait;
use chat::{ProgramCommand, ProgramCommands};
use client::Client;
use config::Folders;
use protocol::{ModelsReport, PullRequest};
use terminal::Screen;

use crate::commands::{config as settings, doctor, models, open, processes};

pub struct CommandsInChat<'a> {
    pub folders: &'a Folders,
}

#[async_trait(?Send)]
impl ProgramCommands for CommandsInChat<'_> {
    async fn run(&self, client: &Client, command: ProgramCommand) -> anyhow::Result<()> {
        match command {
            ProgramCommand::Models => models::show(&models::report(client).await?, Screen::stdout()),
            ProgramCommand::UseModel { name } => {
                models::use_model(client, &name).await?;
            }
            ProgramCommand::PullModel { name } => {
                models::pull(client, &PullRequest { name, source: None, then_use: false }).await?;
            }
            ProgramCommand::Processes => processes::show(client).await?,
            ProgramCommand::Config { key, value } => {
                settings::show_or_change(client, key.as_deref(), value.as_deref()).await?;
            }
            ProgramCommand::Doctor => doctor::show(self.folders).await?,
            ProgramCommand::Open => open::in_background(self.folders).await?,
        }
        Ok(())
    }

    fn better_model(&self, report: &ModelsReport) -> Option<String> {
        models::better_model(report)
    }
}
