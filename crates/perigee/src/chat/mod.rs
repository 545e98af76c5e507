//! Conversations in the terminal: one message and its answer, or a session with commands of its own.

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

pub use interactive::{Beginning, run as talk};
pub use one_shot::run as say_once;
pub use questions::Answering;
pub use view::Manner;
