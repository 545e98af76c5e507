//! Code requests at the terminal: the request, the proposed changes, and a decision about each hunk.

mod commands;
mod hunk;
mod interactive;
mod review;
mod session;

pub use interactive::talk;
pub use session::{CodeOptions, CodeSession};
