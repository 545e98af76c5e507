//! The input and the result of a search for words to forget.

use std::collections::{BTreeMap, BTreeSet};

use protocol::{ConversationId, FactId, MessageId, UserId};
use serde::{Deserialize, Serialize};

/// The parameters of a search for words to forget.
pub(crate) struct Sweep<'a> {
    pub user: UserId,
    pub whole: &'a RemovedItems,
    pub redact: &'a dyn Redact,
    /// The id of the forgetting for which they are removed; `None` if they are only searched for.
    pub change: Option<i64>,
}

impl Sweep<'_> {
    /// Returns true if a message was sent after the forgetting began.
    pub(crate) fn is_later(&self, message: Option<MessageId>) -> bool {
        self.change.zip(message).is_some_and(|(begun, message)| message.get() > begun)
    }
}

/// Removes words from a text.
pub trait Redact: Send + Sync {
    /// Returns the text without the words, or `None` if it contains none of them.
    fn redact(&self, text: &str) -> Option<String>;

    /// Returns the mark that replaces them.
    fn mark(&self) -> &'static str;
}

/// Facts and messages that are removed entirely, whatever they contain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedItems {
    pub facts: Vec<FactId>,
    /// The messages, with their files and tool calls.
    pub messages: Vec<MessageId>,
}

/// The words that were removed from the database, counted by place, with the context of the first occurrence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redacted {
    pub places: BTreeMap<&'static str, (u32, String)>,
    /// Conversations that were changed.
    pub conversations: Vec<ConversationId>,
    /// The time in milliseconds when the oldest occurrence was written, as far as known: earlier backups do not contain
    /// it.
    pub since: Option<i64>,
    /// The rows that were counted: a fact or a message may contain the words in several columns and is counted once.
    counted: BTreeSet<(&'static str, i64)>,
}

impl Redacted {
    /// Counts an item that is removed entirely.
    pub(crate) fn count(&mut self, place: &'static str, text: &str) {
        self.count_change(place, text, "");
    }

    /// Returns true if an item is counted for the first time.
    pub(crate) fn is_first(&mut self, place: &'static str, id: Option<i64>) -> bool {
        id.is_none_or(|id| self.counted.insert((place, id)))
    }

    /// Counts an item that is changed. The words are at the first difference between the texts.
    pub(crate) fn count_change(&mut self, place: &'static str, text: &str, after: &str) {
        let entry = self.places.entry(place).or_insert_with(|| (0, around(text, after)));
        entry.0 += 1;
    }

    pub(crate) fn touch(&mut self, conversation: ConversationId) {
        if !self.conversations.contains(&conversation) {
            self.conversations.push(conversation);
        }
    }
}

/// The length of an example, and of the part before the words, in characters.
const EXAMPLE: usize = 120;
const BEFORE: usize = 40;

/// Returns the context of the first difference between two texts.
fn around(text: &str, after: &str) -> String {
    let same = text.chars().zip(after.chars()).take_while(|(one, other)| one == other).count();
    let shown = |from: usize| text.chars().skip(from).take(EXAMPLE).collect::<String>();
    match same.checked_sub(BEFORE) {
        None | Some(0) => shown(0),
        Some(from) => {
            let shown = shown(from);
            // The example does not begin in the middle of a word.
            format!("…{}", shown.split_once(' ').map_or(shown.as_str(), |(_, rest)| rest))
        }
    }
}
