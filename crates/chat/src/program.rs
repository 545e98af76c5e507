use async_trait::async_trait;
use client::Client;
use protocol::ModelsReport;

/// A command of the program that a conversation offers too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramCommand {
    Models,
    UseModel { name: String },
    PullModel { name: String },
    Processes,
    Config { key: Option<String>, value: Option<String> },
    Doctor,
    Open,
}

/// The commands of the program, as far as a conversation needs them.
#[async_trait(?Send)]
pub trait ProgramCommands {
    async fn run(&self, client: &Client, command: ProgramCommand) -> anyhow::Result<()>;

    /// Returns how to get a better model, if the current one is only for trying.
    fn better_model(&self, report: &ModelsReport) -> Option<String>;
}
