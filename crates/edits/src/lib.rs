//! Applies changes to a text exactly where they were intended, or not at all.
//!
//! The crate is pure: texts in, texts out. A model gives a part of the text and its replacement ([`Edit`]), often
//! quoted with small errors. [`apply`] tries an exact match first and then increasingly lenient strategies. Each must
//! find a single match, otherwise nothing is changed. Whatever a strategy ignores, only the difference between the old
//! and the new text is applied. A [`Refusal`] gives the reason nothing was changed and shows the closest part of the
//! text.

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
