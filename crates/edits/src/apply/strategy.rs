//! The strategies by which a quoted text is found in a file.

use serde::Serialize;

use crate::canonical::Ignoring;

/// The number of punctuation characters that count as one letter.
const PUNCTUATION_PER_LETTER: usize = 3;

/// The strategies that compare characters, in order. Line alignment and case-insensitive matching follow after them.
pub const STRATEGIES: [(Strategy, Ignoring); 5] = [
    (Strategy::Exact, Ignoring::Endings),
    (Strategy::TrailingSpace, Ignoring::Trailing),
    (Strategy::Indentation, Ignoring::Indents),
    (Strategy::Unicode, Ignoring::Typography),
    (Strategy::Whitespace, Ignoring::Blanks),
];

/// The strategy by which the text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    Exact,
    TrailingSpace,
    Indentation,
    Unicode,
    Whitespace,
    Alignment,
    CaseInsensitive,
    /// No search: the whole text was given.
    Whole,
}

impl Strategy {
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::TrailingSpace => "trailing_space",
            Self::Indentation => "indentation",
            Self::Unicode => "unicode",
            Self::Whitespace => "whitespace",
            Self::Alignment => "alignment",
            Self::CaseInsensitive => "case_insensitive",
            Self::Whole => "whole",
        }
    }

    /// Returns the confidence that the right text was found, from 0 to 1.
    pub fn confidence(self) -> f32 {
        match self {
            Self::Exact | Self::Whole => 1.0,
            Self::TrailingSpace => 0.98,
            Self::Indentation => 0.95,
            Self::Unicode => 0.93,
            Self::Whitespace => 0.85,
            Self::Alignment => 0.75,
            Self::CaseInsensitive => 0.6,
        }
    }
}

/// Returns true if a quote has enough letters and digits for what a strategy ignores. If whitespace is ignored, several
/// punctuation characters count as one letter.
pub fn says_enough(ignoring: Ignoring, quote: &str) -> bool {
    let needed = match ignoring {
        Ignoring::Endings | Ignoring::Trailing | Ignoring::Indents => 1,
        Ignoring::Typography => 3,
        Ignoring::Blanks => 4,
        Ignoring::Case => 6,
    };
    let (mut letters, mut signs) = (0, 0);
    quote.chars().any(|letter| {
        letters += usize::from(letter.is_alphanumeric());
        signs += usize::from(ignoring == Ignoring::Blanks && letter.is_ascii_punctuation());
        letters > 0 && letters + signs / PUNCTUATION_PER_LETTER >= needed
    })
}
