//! A fact that a sentence states, before it is checked.

use crate::rules::FactDraft;

/// A draft, and whether the sentence presents it as a present change.
pub struct SentenceDraft {
    pub draft: FactDraft,
    pub is_change: bool,
}

impl SentenceDraft {
    pub fn new(draft: FactDraft) -> Self {
        Self { draft, is_change: false }
    }

    pub fn changed(draft: FactDraft) -> Self {
        Self { draft: draft.changed().begins(), is_change: true }
    }
}
