//! Code requests at the terminal: the request, the proposed changes, and a decision about each hunk.

mod piece;
mod review;
mod session;
mod slash;
mod work;

pub use session::run as talk;
pub use work::{Asking, Work};
