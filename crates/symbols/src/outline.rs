//! The outline of a text: its definitions and references.

use memchr::memchr_iter;
use serde::{Deserialize, Serialize};

use crate::{Language, parse, plain};

/// The maximum length in bytes for a grammar; longer texts are probably generated and are read by line.
const MOST_BYTES: usize = 1 << 20;
/// The average line length in bytes above which a text counts as minified.
const MINIFIED_LINES: usize = 400;
const MINIFIED_BYTES: usize = 16 << 10;
/// The number of bytes in which a zero byte marks a file as binary.
const SAMPLE: usize = 8 << 10;
/// The maximum numbers kept per text; the first ones are kept.
pub(crate) const MOST_DEFINITIONS: usize = 5_000;
pub(crate) const MOST_REFERENCES: usize = 3_000;

/// The definitions and references of a text. Definitions are sorted by line, outer before inner; references by name,
/// each name once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    pub definitions: Vec<Definition>,
    pub references: Vec<Reference>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    pub name: Box<str>,
    pub kind: Kind,
    /// The first and last line, counted from one, without the attributes and comments before it.
    pub lines: (u32, u32),
    /// The beginning of the definition up to its body, in one line of at most 200 characters, plus the name if it
    /// follows the body.
    pub signature: Box<str>,
    /// The name of the definition that contains or owns this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<Box<str>>,
}

/// A name that a text uses: called, a type, imported, or spelled like a type or a constant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    pub name: Box<str>,
    /// The line of the first use.
    pub line: u32,
    /// The number of uses, saturating.
    pub count: u16,
    /// True if all uses follow a dot, as those of methods do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub member: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Function,
    Method,
    Class,
    Struct,
    Enum,
    Trait,
    Interface,
    Type,
    Constant,
    Variable,
    Module,
    Macro,
    /// A block of methods for a type that is defined elsewhere, such as Rust's `impl`.
    Implementation,
    Test,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Trait => "trait",
            Self::Interface => "interface",
            Self::Type => "type",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Module => "module",
            Self::Macro => "macro",
            Self::Implementation => "implementation",
            Self::Test => "test",
        }
    }

    /// Returns true if a function inside a definition of this kind is a method.
    pub(crate) fn has_methods(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Struct | Self::Enum | Self::Trait | Self::Interface | Self::Implementation
        )
    }

    /// Returns true if definitions inside this kind are not visible outside.
    pub(crate) fn hides_its_inside(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Test)
    }
}

/// Parses a text. Never fails: a text that its grammar cannot parse is read by line, and binary or minified text has an
/// empty outline.
pub fn outline(language: Language, text: &str) -> Outline {
    if is_no_source(text) {
        return Outline::default();
    }
    let by_grammar = if text.len() <= MOST_BYTES { parse::read(language, text) } else { None };
    by_grammar.unwrap_or_else(|| plain::read(text))
}

fn is_no_source(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes[..bytes.len().min(SAMPLE)].contains(&0) {
        return true;
    }
    bytes.len() > MINIFIED_BYTES && bytes.len() / (1 + memchr_iter(b'\n', bytes).count()) > MINIFIED_LINES
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
