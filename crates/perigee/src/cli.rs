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
    /// Open the browser, signed in, at the server that runs.
    Open(open::Options),
    /// Talk in the terminal: one message, or a conversation.
    Chat(chat::Options),
    /// Have code written in a folder, and look at each change before it lands.
    Code(code::Options),
    /// Serve an editor that speaks the Agent Client Protocol, over standard input and output.
    #[command(after_help = "Zed, in settings.json:
  \"agent_servers\": { \"Perigee\": { \"command\": \"perigee\", \"args\": [\"acp\"] } }")]
    Acp,
    /// Show, bring and choose models.
    Models(models::Options),
    /// Show the background work, pause it or run it.
    Processes(processes::Options),
    /// Show what she can do, and say what she may.
    Tools(tools::Options),
    /// Show what she knows how to do well.
    Skills(skills::Options),
    /// Print the API token, or make and withdraw lesser ones.
    Token(token::Options),
    /// Show the people who use this Perigee, or add one.
    Users(users::Options),
    /// Say whether the server answers.
    Health(health::Options),
    /// Check everything, and say how to fix what is wrong.
    Doctor(doctor::Options),
    /// Show what she knows, correct it, or have it forgotten.
    Memory(memory::Options),
    /// Show and change settings.
    Config(config::Options),
    /// Put everything that cannot be made again into one file.
    Backup(backup::Options),
    /// Go back to a backup.
    Restore(restore::Options),
    /// Write the conversations to files that anybody can read.
    Export(export::Options),
    /// Take in conversations of an export.
    Import(import::Options),
    /// Run servers that speak the Model Context Protocol.
    Mcp(mcp::Options),
    /// Say how a model's reply is read: its words, its thoughts and its calls.
    Dialect(dialect::Options),
    /// Say what is felt in lines of text.
    Persona(persona::Options),
    /// Run a program behind the walls that her own tools and shell commands have.
    Sandbox(sandbox::Options),
    /// Print a script that completes commands in your shell.
    Completions(completions::Options),
}
