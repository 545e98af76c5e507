//! The outline of a text: what it defines, and what it names.

use memchr::memchr_iter;
use serde::{Deserialize, Serialize};

use crate::{Language, parse, plain};

/// Above this a text was made by a program, and is read by its lines.
const MOST_BYTES: usize = 1 << 20;
/// Lines that are so long on average were not written by anybody.
const MINIFIED_LINES: usize = 400;
const MINIFIED_BYTES: usize = 16 << 10;
/// A text has no such byte; what has one in its beginning is something else.
const SAMPLE: usize = 8 << 10;
/// So much of one text is kept, the first that come.
pub(crate) const MOST_DEFINITIONS: usize = 5_000;
pub(crate) const MOST_REFERENCES: usize = 3_000;

/// What a text defines and names. Definitions stand in the order of their lines, those outside before those inside;
/// references in the order of their names, each name once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    pub definitions: Vec<Definition>,
    pub references: Vec<Reference>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    pub name: Box<str>,
    pub kind: Kind,
    /// The first and the last line, counted from one. Attributes and comments before it are not part of it.
    pub lines: (u32, u32),
    /// How it begins, up to its body, in one line of at most 200 characters.
    pub signature: Box<str>,
    /// The name of what it stands in, or belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<Box<str>>,
}

/// A name that a text uses: called, a type, imported, or spelled like a type or a constant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    pub name: Box<str>,
    /// Where it stands first.
    pub line: u32,
    /// How often it is used, as far as that can be counted.
    pub count: u16,
    /// Whether it is only ever used after a dot, as methods are.
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
    /// A block of methods for a type that is defined elsewhere, as `impl` in Rust.
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

    /// A function that stands in one of these is a method.
    pub(crate) fn has_methods(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Struct | Self::Enum | Self::Trait | Self::Interface | Self::Implementation
        )
    }

    /// What stands in one of these is seen by nobody else.
    pub(crate) fn hides_its_inside(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Test)
    }
}

/// Reads a text. Never fails: what cannot be read as its language is read by its lines, and what is no text, or was
/// made smaller by a program, has an empty outline.
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
