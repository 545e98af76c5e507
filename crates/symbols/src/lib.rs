//! What a source text defines and what it names, and the map of a whole repository that is made of that.
//!
//! Pure: texts in, values out; no files, no clock, no threads. [`outline`] reads one text with a grammar of its
//! [`Language`] and gives its [`Outline`], which is small enough to keep ten thousand of them, and to store.
//! [`map::Graph`] joins the outlines of many files by the names that one uses and another defines, ranks them around
//! what somebody works on, and draws what matters most within so many tokens.
//!
//! Whatever the text is, the answer comes: the work for one text is counted and ends at a limit, and what no grammar
//! reads is read by its lines. Nothing here resolves a name as a compiler would. Read [`Outline`] first.

mod bounded;
mod enclosing;
mod grammar;
mod language;
pub mod map;
mod names;
mod outline;
mod parse;
mod plain;
mod signature;

pub use enclosing::enclosing;
pub use language::Language;
pub use outline::{Definition, Kind, Outline, Reference, outline};

/// Grows whenever the same text gives another outline: what was stored under another number is made anew.
pub const VERSION: u32 = 1;
