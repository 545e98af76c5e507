use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands::{
    backup, chat, code, completions, config, dialect, doctor, export, health, import, mcp, memory, models,
    open, persona, processes, restore, sandbox, serve, skills, token, tools, users,
};

/// A companion that lives on your own machine.
#[derive(Debug, Parser)]
#[command(name = "perigee", version, about, propagate_version = true)]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "Examples:
  perigee serve --open         start, and open the browser
  perigee chat                 talk in the terminal
  perigee chat \"Good evening\"  say one thing
  perigee doctor               look whether all is well

Every command speaks to the server that runs, or starts one for as long as
it needs it.")]
pub struct Cli {
    /// The data folder (or PERIGEE_HOME).
    #[arg(long, global = true, value_name = "DIR")]
    pub home: Option<PathBuf>,

    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start the server and answer in the browser.
    Serve(serve::Options),
    /// Open the running server in the browser, signed in.
    Open(open::Options),
    /// Talk in the terminal: one message, or a conversation.
    Chat(chat::Options),
    /// Let Luna change the code of a folder, and review each change before it is written.
    Code(code::Options),
    /// Serve an editor over standard input and output with the Agent Client Protocol.
    #[command(after_help = "Zed, in settings.json:
  \"agent_servers\": { \"Perigee\": { \"command\": \"perigee\", \"args\": [\"acp\"] } }")]
    Acp,
    /// Show, download and choose models.
    Models(models::Options),
    /// Show background processes, pause them or run them.
    Processes(processes::Options),
    /// Show Luna's tools and set their permissions.
    Tools(tools::Options),
    /// Show Luna's skills.
    Skills(skills::Options),
    /// Print the API token, or create and revoke limited tokens.
    Token(token::Options),
    /// Show the users of this Perigee, or add one.
    Users(users::Options),
    /// Check whether the server responds.
    Health(health::Options),
    /// Check the installation, and explain how to fix problems.
    Doctor(doctor::Options),
    /// Show, correct or delete Luna's memories.
    Memory(memory::Options),
    /// Show and change settings.
    Config(config::Options),
    /// Write all data that cannot be recreated to one file.
    Backup(backup::Options),
    /// Restore a backup.
    Restore(restore::Options),
    /// Export the conversations to files.
    Export(export::Options),
    /// Import conversations from an export.
    Import(import::Options),
    /// Run servers that speak the Model Context Protocol.
    Mcp(mcp::Options),
    /// Show how a model's reply is parsed: its text, its thoughts and its tool calls.
    Dialect(dialect::Options),
    /// Show the emotions detected in lines of text.
    Persona(persona::Options),
    /// Run a program in the sandbox of Luna's tools and shell commands.
    Sandbox(sandbox::Options),
    /// Print a script that completes commands in the shell.
    Completions(completions::Options),
}
