//! Definitions and references in source texts, and a map of a whole repository made from them.
//!
//! [`outline`] parses one text with the grammar of its [`Language`] into a [`SourceOutline`], which is small enough to
//! keep ten thousand of them, and to store. [`map::Graph`] joins the outlines of many files by the names that one uses
//! and another defines, ranks the files around the user's focus, and draws the most important definitions within a token
//! budget. Every text gets a result: the work per text is limited, and texts that no grammar can parse are read by line.
//!
//! The crate is pure: texts in, values out; no files, no clock, no threads. It does not resolve names as a compiler
//! would. Start with [`SourceOutline`].

mod bounded;
mod by_grammar;
mod by_line;
mod enclosing;
mod extract;
mod grammar;
mod language;
pub mod map;
mod names;
mod outline;
mod references;
mod signature;

pub use enclosing::enclosing;
pub use extract::outline;
pub use language::Language;
pub use outline::{Definition, Reference, SourceOutline, SymbolKind};

/// The outline version. It grows when the same text gives another outline; outlines stored under another version are
/// rebuilt.
pub const VERSION: u32 = 1;
