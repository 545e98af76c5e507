//! The target of a request to forget.

use memory::{Needles, Redaction};
use protocol::OfferedWords;
use serde::{Deserialize, Serialize};
use store::{RemovedItems, StoredFact};

use crate::error::CompanionError;

/// The complete input of a sweep. It is stored until the sweep is finished.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct ForgetTarget {
    pub whole: RemovedItems,
    pub needles: Needles,
    /// Words of the facts that also occur in other contexts; the user decides about them.
    #[serde(skip)]
    pub offered: Vec<OfferedWords>,
}

impl ForgetTarget {
    pub fn redaction(&self) -> Result<Redaction, CompanionError> {
        Redaction::new(&self.needles).ok_or_else(|| {
            CompanionError::Refused("There is too little to look for. Name the words to forget.".to_owned())
        })
    }

    pub fn has(&self, fact: &StoredFact) -> bool {
        self.whole.facts.contains(&fact.id)
    }

    pub fn offer(&mut self, words: OfferedWords) {
        let is_chosen = self.needles.words.iter().any(|chosen| trimmed(chosen) == words.words);
        if !is_chosen && !self.offered.contains(&words) {
            self.offered.push(words);
        }
    }
}

pub fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || ".,;:!?\"'“”".contains(letter))
}
