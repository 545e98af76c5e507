//! Applies the edits and patches that a model writes, exactly where they were intended or not at all.
//!
//! A model gives a part of the text and its replacement ([`Edit`]), often quoted with small errors. [`apply`] tries an
//! exact match first and then increasingly lenient strategies. Each must find a single match, otherwise nothing is
//! changed. Whatever a strategy ignores, only the difference between the old and the new text is applied. An
//! [`EditRefusal`] gives the reason why nothing was changed and shows the closest part of the text. [`apply_elided`]
//! takes an update with markers for the unchanged parts, and [`patch`] reads patches.
//!
//! The crate is pure: texts in, texts out. It reads and writes no file, and knows neither models nor workspaces; only
//! [`TextFile`] knows how the text of a file is encoded. Start with [`Edit`].

mod align;
mod apply;
mod canonical;
mod closest;
mod diff;
mod elided;
mod indent;
mod lines;
mod matching;
pub mod patch;
mod refusal;
mod rewrite;
mod text_file;

pub use apply::{AppliedEdit, Edit, Receipt, Strategy, apply, apply_all, digest};
pub use closest::Closest;
pub use elided::apply_elided;
pub use refusal::{EditRefusal, RefusalReason};
pub use text_file::{Encoding, TextError, TextFile};
