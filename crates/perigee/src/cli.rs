use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::commands::{
    backup, chat, code, completions, config, dialect, doctor, export, health, import, mcp, memory, models,
    open, persona, processes, restore, sandbox, serve, serve_editor, skills, token, tools, users,
    with_server,
};
use crate::connect::with_client;
use crate::lazy_model::ModelLoading;

/// A companion that lives on your own machine.
#[derive(Debug, Parser)]
#[command(name = "perigee", version, about, propagate_version = true)]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "Examples:
  perigee serve --open         start, and open the browser
  perigee chat                 talk in the terminal
  perigee chat \"Good evening\"  send one message
  perigee doctor               check that everything works

Every command uses the running server, or starts one for as long as it is
needed.")]
pub struct Cli {
    /// The data folder (or PERIGEE_HOME).
    #[arg(long, global = true, value_name = "DIR")]
    pub home: Option<PathBuf>,

    #[command(subcommand)]
    pub command: CliCommand,
}

#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Start the server and answer in the browser.
    Serve(serve::ServeCommandOptions),
    /// Open the running server in the browser, signed in.
    Open(open::OpenCommandOptions),
    /// Talk in the terminal: one message, or a conversation.
    Chat(chat::ChatCommandOptions),
    /// Let Luna change the code of a folder, and review each change before it is written.
    Code(code::CodeCommandOptions),
    /// Serve an editor over standard input and output with the Agent Client Protocol.
    #[command(after_help = "Zed, in settings.json:
  \"agent_servers\": { \"Perigee\": { \"command\": \"perigee\", \"args\": [\"acp\"] } }")]
    Acp,
    /// Show, download and choose models.
    Models(models::ModelsCommandOptions),
    /// Show background processes, pause them or run them.
    Processes(processes::ProcessesCommandOptions),
    /// Show Luna's tools and set their permissions.
    Tools(tools::ToolsCommandOptions),
    /// Show Luna's skills.
    Skills(skills::SkillsCommandOptions),
    /// Print the API token, or create and revoke limited tokens.
    Token(token::TokenCommandOptions),
    /// Show the users of this Perigee, or add one.
    Users(users::UsersCommandOptions),
    /// Check whether the server responds.
    Health(health::HealthCommandOptions),
    /// Check the installation, and explain how to fix problems.
    Doctor(doctor::DoctorCommandOptions),
    /// Show, correct or delete Luna's memories.
    Memory(memory::MemoryCommandOptions),
    /// Show and change settings.
    Config(config::ConfigCommandOptions),
    /// Write all data that cannot be recreated to one file.
    Backup(backup::BackupCommandOptions),
    /// Restore a backup.
    Restore(restore::RestoreCommandOptions),
    /// Export the conversations to files.
    Export(export::ExportCommandOptions),
    /// Import conversations from an export.
    Import(import::ImportCommandOptions),
    /// Run servers that speak the Model Context Protocol.
    Mcp(mcp::McpCommandOptions),
    /// Show how a model's reply is parsed: its text, its thoughts and its tool calls.
    Dialect(dialect::DialectCommandOptions),
    /// Show the emotions detected in lines of text.
    Persona(persona::PersonaCommandOptions),
    /// Run a program in the sandbox of Luna's tools and shell commands.
    Sandbox(sandbox::SandboxCommandOptions),
    /// Print a script that completes commands in the shell.
    Completions(completions::CompletionsCommandOptions),
}

impl Cli {
    /// Runs the command.
    pub async fn run(self) -> anyhow::Result<ExitCode> {
        // These commands need no data folder.
        match &self.command {
            CliCommand::Completions(options) => return Ok(completions::run(options, &mut Self::command())),
            CliCommand::Dialect(options) => return dialect::run(options),
            _ => {}
        }
        let folders = crate::app::folders(self.home.as_deref())?;
        match self.command {
            CliCommand::Mcp(options) => mcp::run(&folders, options).await,
            CliCommand::Persona(options) => persona::run(&folders, options).await,
            CliCommand::Sandbox(options) => sandbox::run(&folders, options).await,
            CliCommand::Serve(options) => serve::run(folders, options).await,
            CliCommand::Open(options) => open::run(&folders, options).await,
            CliCommand::Acp => serve_editor(&folders).await,
            CliCommand::Code(options) => code::run(&folders, options).await,
            CliCommand::Chat(options) => chat::run(&folders, options).await,
            CliCommand::Models(options) => {
                with_client(&folders, ModelLoading::WhenNeeded, async |client| {
                    models::run(client, options).await
                })
                .await
            }
            CliCommand::Processes(options) => {
                with_server(&folders, async |client| processes::run(client, options).await).await
            }
            CliCommand::Tools(options) => {
                with_server(&folders, async |client| tools::run(client, options).await).await
            }
            CliCommand::Skills(options) => {
                with_server(&folders, async |client| skills::run(client, options).await).await
            }
            CliCommand::Token(options) => token::run(&folders, options).await,
            CliCommand::Users(options) => {
                with_server(&folders, async |client| users::run(client, options).await).await
            }
            CliCommand::Health(options) => health::run(&folders, options).await,
            CliCommand::Doctor(options) => doctor::run(&folders, options).await,
            CliCommand::Memory(options) => {
                with_server(&folders, async |client| memory::run(client, options).await).await
            }
            CliCommand::Config(options) => {
                with_server(&folders, async |client| config::run(client, options).await).await
            }
            CliCommand::Backup(options) => {
                with_server(&folders, async |client| backup::run(client, options).await).await
            }
            CliCommand::Restore(options) => restore::run(&folders, options).await,
            CliCommand::Export(options) => {
                with_server(&folders, async |client| export::run(client, options).await).await
            }
            CliCommand::Import(options) => {
                with_server(&folders, async |client| import::run(client, options).await).await
            }
            CliCommand::Completions(options) => Ok(completions::run(&options, &mut Self::command())),
            CliCommand::Dialect(options) => dialect::run(&options),
        }
    }
}
