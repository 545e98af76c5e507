//! Conversations in the terminal: one message and its answer, or a session with its own commands.

mod actions;
mod attachment;
mod editor;
mod form;
mod history;
mod interactive;
mod one_shot;
mod questions;
mod session;
mod show;
mod slash;
mod turn;
mod view;

pub use editor::{Editor, Input};
pub use interactive::{Beginning, run as talk};
pub use one_shot::{Followed, follow};
pub use questions::Answering;
pub use show::help;
pub use slash::{Entry, entry};
pub use turn::Turn;
pub use view::Manner;
