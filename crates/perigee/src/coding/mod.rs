//! Work on code at the terminal: a request, what she would change, and a yes or no to each piece of it.

mod piece;
mod review;
mod session;
mod slash;
mod work;

pub use session::run as talk;
pub use work::{Asking, Work};
