//! The search for items: its input, its result, and how the two are connected.

use std::collections::HashSet;

use jiff::civil::Date;
use protocol::{ConversationId, MessageId};

use super::item::{ItemKey, RecallItem, summary_key};
use super::{OTHER_THREADS, UserMemory};
use crate::access::Recipient;
use crate::recall::{
    IndexSearch, ItemPosition, ParsedQuestion, PreparedQuestion, ScoreParts, ScoreWeights, ScoredItem,
};

/// The minimum similarity of an item that shares no word with the question.
const NEAR_ENOUGH: f32 = 0.3;
/// The characters that a line takes in addition to its text: its day and its speaker.
pub(super) const LINE: usize = 40;

/// A search hit with the parts of its score.
#[derive(Debug, Clone)]
pub(crate) struct RecallHit {
    pub item: RecallItem,
    pub parts: ScoreParts,
    pub score: f32,
}

/// A question with everything that the answer depends on.
pub(crate) struct SearchInput<'a> {
    pub prepared: &'a PreparedQuestion,
    pub vector: Option<&'a [f32]>,
    pub today: Date,
    /// Messages that are in the model's context already.
    pub in_context: &'a HashSet<MessageId>,
    pub limit: usize,
    /// The number of characters up to which everything that the user said is returned.
    pub room: usize,
    /// True if many items still have no vector.
    pub is_embedding: bool,
}

/// The result of a search.
pub(crate) struct SearchOutput {
    /// Hits that are close enough, best first.
    pub hits: Vec<RecallHit>,
    /// True if nothing is close enough to answer.
    pub is_refused: bool,
    /// Everything that the user said, relevant or not, if it is little enough.
    pub everything_said: Option<EverythingSaid>,
    pub confidence: f32,
}

/// Everything that the user said, and the number of characters still available.
#[derive(Debug)]
pub(crate) struct EverythingSaid {
    /// The hits, best first.
    pub hits: Vec<RecallHit>,
    pub room: usize,
}

impl EverythingSaid {
    /// Reserves the room for a text, if there is enough.
    pub fn takes(&mut self, text: &str) -> bool {
        let left = self.room.checked_sub(text.chars().count() + LINE);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    pub fn contains(&self, key: ItemKey) -> bool {
        self.hits.iter().any(|hit| hit.item.key() == key)
    }
}

impl UserMemory {
    pub fn search(&self, input: &SearchInput<'_>) -> SearchOutput {
        let left_out = self.left_out(input);
        let leaves_out = |position: ItemPosition| left_out[position as usize];
        let statements = self.statement_positions(input);
        let search = IndexSearch {
            prepared: input.prepared,
            vector: input.vector,
            today: input.today,
            weights: ScoreWeights::default(),
            is_embedding: input.is_embedding,
            leaves_out: &leaves_out,
        };
        let limit = if statements.is_some() { usize::MAX } else { input.limit };
        let mut all = self.index.search(&search, limit);
        let (is_refused, confidence) = (all.is_refused(), all.confidence());
        let everything_said = statements
            .map(|statements| self.everything_said(statements, &all.found, input.prepared.is_about_past()));
        all.found.truncate(input.limit);
        let near = if is_refused { Vec::new() } else { all.without_distant().found };
        SearchOutput { hits: self.hits(&near), is_refused, everything_said, confidence }
    }

    pub(super) fn hits<'a>(&self, found: impl IntoIterator<Item = &'a ScoredItem>) -> Vec<RecallHit> {
        let hit = |found: &ScoredItem| {
            let item = self.item(found.position)?.clone();
            Some(RecallHit { item, parts: found.parts, score: found.score })
        };
        found.into_iter().filter_map(hit).collect()
    }

    /// Returns, by position, the items that must not be found: it is looked up for every item of every question.
    fn left_out(&self, input: &SearchInput<'_>) -> Vec<bool> {
        let SearchInput { in_context, today, .. } = *input;
        let outdated = self.outdated_messages(today);
        let messages = in_context.iter().chain(&outdated).map(|&id| ItemKey::message(id));
        let mut left_out = vec![false; self.items.len()];
        for position in messages.flat_map(|key| self.positions_of(key)) {
            left_out[position as usize] = true;
            // A summary of messages that are in the model's context already adds nothing.
            let Some(RecallItem::Message { conversation, .. }) = self.item(position) else { continue };
            for position in self.positions_of(summary_key(*conversation)) {
                if matches!(self.item(position), Some(RecallItem::Summary { up_to, .. }) if in_context.contains(up_to))
                {
                    left_out[position as usize] = true;
                }
            }
        }
        left_out
    }

    /// Returns the entries of the vector store that match a question, best first.
    pub fn search_entries(
        &self,
        question: ParsedQuestion,
        vector: Option<&[f32]>,
        today: Date,
        limit: usize,
        recipient: &Recipient,
    ) -> Vec<RecallHit> {
        let hidden = self.hidden(recipient);
        let leaves_out = |position: ItemPosition| {
            let is_entry = matches!(self.item(position), Some(RecallItem::Entry(_)));
            !is_entry || hidden.get(position as usize).is_some_and(|&hidden| hidden)
        };
        let prepared = self.prepare(question, recipient);
        let search = IndexSearch {
            prepared: &prepared,
            vector,
            today,
            weights: ScoreWeights::default(),
            is_embedding: false,
            leaves_out: &leaves_out,
        };
        let near = self.index.search(&search, limit).found.into_iter();
        let near = near.filter(|found| found.parts.words > 0.0 || found.parts.meaning >= NEAR_ENOUGH);
        self.hits(&near.collect::<Vec<_>>())
    }

    /// Returns the conversations that match a question, best first.
    pub fn conversations(
        &self,
        question: ParsedQuestion,
        vector: Option<&[f32]>,
        today: Date,
    ) -> Vec<ConversationId> {
        let prepared = self.prepare(question, &Recipient::Person);
        let search = IndexSearch {
            prepared: &prepared,
            vector,
            today,
            weights: ScoreWeights::default(),
            is_embedding: false,
            leaves_out: &|_| false,
        };
        let threads = self.index.threads(&search).into_iter();
        let own = threads.filter(|(thread, _)| thread & OTHER_THREADS == 0);
        own.map(|(thread, _)| ConversationId::new(thread.cast_signed())).collect()
    }
}
