//! Conversations in the terminal: one message and its answer, a session with its own commands, or work on code with a
//! review of each change.
//!
//! Everything goes through the HTTP API ([`client`]): the server decides what is answered, allowed and written. What
//! only the program can do, such as checking the installation, is handed in as [`ProgramCommands`].
//!
//! Start with [`talk`], or with [`code::talk`] for work on code. [`show_turn`] shows a single answer.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod actions;
mod attachments;
pub mod code;
mod command_help;
mod commands;
mod confirmations;
mod form;
mod formatting;
mod input_history;
mod interactive;
mod line_editor;
mod program;
mod reply_view;
mod session;
mod show_turn;

pub use confirmations::ConfirmationPolicy;
pub use interactive::{StartingChat, talk};
pub use program::{ProgramCommand, ProgramCommands};
pub use reply_view::OutputFormat;
pub use show_turn::{ShownTurn, show_turn};
