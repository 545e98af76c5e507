//! The outline of a text: its definitions and references.

use serde::{Deserialize, Serialize};

/// The maximum numbers kept per text; the first ones are kept.
pub const MOST_DEFINITIONS: usize = 5_000;
pub const MOST_REFERENCES: usize = 3_000;

/// The definitions and references of a text. Definitions are sorted by line, outer before inner; references by name,
/// each name once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceOutline {
    pub definitions: Vec<Definition>,
    pub references: Vec<Reference>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    pub name: Box<str>,
    pub kind: SymbolKind,
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
pub enum SymbolKind {
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

impl SymbolKind {
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
