//! The sets of wordings in which a year can be told and asked about.

use super::brief::{brief_questions, brief_tellings};
use super::diverse::{diverse_questions, diverse_tellings};
use super::formal::{formal_questions, formal_tellings};
use super::further::{further_questions, further_tellings};
use super::letters::{letters_questions, letters_tellings};
use super::mixed::{mixed_questions, mixed_tellings};
use super::more::{more_questions, more_tellings};
use super::other::{other_questions, other_tellings};
use super::questions::{Ask, questions};
use super::spoken::{spoken_questions, spoken_tellings};
use super::tellings::{Told, tellings};

/// Which wordings are used. Each set was measured before the patterns were widened by it, so that none is unseen now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wordings {
    Usual,
    Other,
    Spoken,
    Letters,
    Formal,
    Mixed,
    Diverse,
    Brief,
}

impl Wordings {
    pub const ALL: &[Self] = &[
        Self::Usual,
        Self::Other,
        Self::Spoken,
        Self::Letters,
        Self::Formal,
        Self::Mixed,
        Self::Diverse,
        Self::Brief,
    ];

    pub fn tellings(self, told: Told) -> Vec<&'static [&'static str]> {
        match self {
            Self::Usual => vec![tellings(told), more_tellings(told), further_tellings(told)],
            Self::Other => vec![other_tellings(told)],
            Self::Spoken => vec![spoken_tellings(told)],
            Self::Letters => vec![letters_tellings(told)],
            Self::Formal => vec![formal_tellings(told)],
            Self::Mixed => vec![mixed_tellings(told)],
            Self::Diverse => vec![diverse_tellings(told)],
            Self::Brief => brief_tellings(told),
        }
    }

    pub fn questions(self, ask: Ask) -> Vec<&'static [&'static str]> {
        match self {
            Self::Usual => vec![questions(ask), more_questions(ask), further_questions(ask)],
            Self::Other => vec![other_questions(ask)],
            Self::Spoken => vec![spoken_questions(ask)],
            Self::Letters => vec![letters_questions(ask)],
            Self::Formal => vec![formal_questions(ask)],
            Self::Mixed => vec![mixed_questions(ask)],
            Self::Diverse => vec![diverse_questions(ask)],
            Self::Brief => brief_questions(ask),
        }
    }
}
