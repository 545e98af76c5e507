//! Definitions and references in source texts, and a map of a whole repository made from them.
//!
//! Pure: texts in, values out; no files, no clock, no threads. [`outline`] parses one text with the grammar of its
//! [`Language`] into an [`Outline`], which is small enough to keep ten thousand of them, and to store. [`map::Graph`]
//! joins the outlines of many files by the names that one uses and another defines, ranks the files around the user's
//! focus, and draws the most important definitions within a token budget.
//!
//! Every text gets a result: the work per text is limited, and texts that no grammar can parse are read by line. Names
//! are not resolved as a compiler would. Read [`Outline`] first.

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

/// The outline version. It grows when the same text gives another outline; outlines stored under another version are
/// rebuilt.
pub const VERSION: u32 = 1;
