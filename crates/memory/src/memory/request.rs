//! A request for memories, and its result.

use std::collections::HashSet;

use protocol::{MemoryItem, MessageId};

use crate::access::Recipient;

/// The default number of items that recall returns; how many of them are used is up to the prompt.
pub const DEFAULT_RECALL_LIMIT: usize = 20;

/// A recall request.
#[derive(Debug, Clone)]
pub struct RecallRequest {
    pub text: String,
    /// Messages that are in the model's context already.
    pub in_context: HashSet<MessageId>,
    /// The maximum number of items; [`DEFAULT_RECALL_LIMIT`] if absent.
    pub limit: Option<usize>,
    /// The recipient of the result.
    pub recipient: Recipient,
    /// The number of characters up to which everything that the user said is returned for any question: nothing is left
    /// out because it does not seem relevant.
    pub room_for_everything: usize,
}

impl RecallRequest {
    pub fn new(text: impl Into<String>, recipient: Recipient) -> Self {
        Self { text: text.into(), in_context: HashSet::new(), limit: None, recipient, room_for_everything: 0 }
    }

    pub(crate) fn may_be_private(&self) -> bool {
        self.recipient.is_person()
    }
}

/// Returns true if these items fit into the prompt when everything is returned.
pub type FitsPrompt<'a> = &'a (dyn Fn(&[MemoryItem]) -> bool + Sync);

/// The progress of embedding new items, such as imported conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmbeddingProgress {
    pub done: usize,
    pub of: usize,
}

/// The result of a recall.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecallResult {
    /// The items, best first. Empty if nothing was close enough, unless everything is returned.
    pub items: Vec<MemoryItem>,
    /// True if nothing is close enough to answer the question.
    pub refused: bool,
    /// True if the items include everything that the user said and the recipient may see, relevant or not.
    pub whole: bool,
    /// The progress of embedding, if many items still have no vector. Until then they are found by their words.
    pub embedding_progress: Option<EmbeddingProgress>,
    /// The confidence that the question can be answered; higher is more certain.
    pub answerable: f32,
}
