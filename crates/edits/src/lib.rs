//! Changes to a text that land where they were meant, or not at all.
//!
//! Pure: texts in, texts out. A model says which words to replace by which ([`Edit`]), and mostly quotes them nearly
//! right. The ladder ([`apply`]) looks for them exactly first and ever more leniently after that; on each rung there must
//! be one place, or none is taken. Whatever was forgiven while looking, only what differs between the old words and
//! the new ones changes in the text. A [`Refusal`] says why nothing was done, and shows what comes closest.

mod align;
mod canon;
mod closest;
mod elided;
mod file;
mod indent;
mod ladder;
mod lines;
pub mod patch;
mod place;
mod refusal;
mod rewrite;

pub use closest::Closest;
pub use elided::fill;
pub use file::{Encoding, TextError, TextFile};
pub use ladder::{Applied, Edit, Receipt, Strategy, apply, apply_all, digest};
pub use refusal::{Refusal, Why};
