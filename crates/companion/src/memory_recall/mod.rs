//! Memories for a prompt: those that fit the message, as text for the model and as items for the user interface.

mod wording;

use std::collections::HashSet;
use std::sync::Arc;

use memory::{MemoryError, RecallRequest, RecallResult, Recipient};
use model::ChatModel;
use protocol::{Event, FactId, MemoryItem, MemoryKind, Origin, UserId};
use store::Turn;

use self::wording::{RecallExtent, RecallRoom, SURE_ANSWER, about_replaced};
use crate::model_size::{ModelSize, is_tiny};
use crate::prompt::memory_block::marked_lines;
use crate::prompt::{Branch, TokenBudget};
use crate::services::Services;
use crate::tiny_model;
use crate::turn_log::TurnLog;

/// The token budget of memories in a prompt for small models; [`LARGEST_BUDGET`] applies to others.
const SMALL_BUDGET: u32 = 160;
const LARGEST_BUDGET: u32 = 900;
/// The divisor that gives the share of memories in a prompt.
const SHARE: u32 = 12;
/// The number of letters per token that surely fit, where no model counts tokens.
const LETTERS: u32 = 3;
/// An upper limit of letters per token for any text; longer texts need not be counted.
const MOST_LETTERS: u32 = 16;
/// Words of messages about the user.
const OWN: [&str; 6] = ["i", "my", "mine", "we", "our", "again"];
/// Words of questions about the past.
const BACK: [&str; 20] = [
    "remember",
    "remind",
    "recall",
    "told",
    "said",
    "found",
    "showed",
    "mentioned",
    "talked",
    "discussed",
    "earlier",
    "before",
    "ago",
    "again",
    "yesterday",
    "last",
    "previous",
    "was",
    "were",
    "did",
];

/// The memories recalled for a message, as text for the model and as items for the user interface.
#[derive(Default)]
pub(crate) struct RecalledContext {
    pub told: Option<String>,
    pub items: Vec<MemoryItem>,
    /// The facts that the model is told have replaced others.
    pub replaced: Vec<FactId>,
}

/// Converts tokens to letters, with `each` letters per token.
fn letters(tokens: u32, each: u32) -> usize {
    usize::try_from(tokens.saturating_mul(each)).unwrap_or(usize::MAX)
}

/// Recalls memories for prompts.
pub(crate) struct MemoryRecall {
    services: Arc<Services>,
}

impl MemoryRecall {
    pub fn new(services: Arc<Services>) -> Self {
        Self { services }
    }

    /// Returns what a model with enough room would recall, for the user or for a program.
    pub async fn for_display(
        &self,
        user: UserId,
        recall: RecallRequest,
    ) -> Result<RecallResult, MemoryError> {
        self.services
            .memory
            .recall(user, RecallRequest { room_for_everything: letters(LARGEST_BUDGET, LETTERS), ..recall })
            .await
    }

    /// Recalls the memories that fit the message. A message that was already sent keeps its context unchanged.
    pub async fn for_turn(
        &self,
        turn: &Turn,
        branch: &Branch,
        log: &TurnLog,
        model: &dyn ChatModel,
    ) -> RecalledContext {
        let Some(message) = branch.unsent_question().filter(|_| !store::is_incognito(turn.conversation))
        else {
            return RecalledContext::default();
        };
        let known = branch.path.iter().map(|message| message.id).collect::<HashSet<_>>();
        let recipient = if model.info().is_here { Recipient::Person } else { Recipient::Other };
        let recall = RecallRequest { in_context: known, ..RecallRequest::new(message, recipient.clone()) };
        let budget = self.token_budget(model);
        let count = |text: &str| model.count_tokens(text).tokens;
        // A very small model would only repeat the memories.
        if is_tiny(model) {
            return RecalledContext::default();
        }
        let untold = self.services.memory.untold_replacements(turn.user, recipient).await.unwrap_or_default();
        let (replaced, ids) = about_replaced(&untold, budget / 2, &count);
        let left = budget - replaced.as_deref().map_or(0, count).min(budget);
        let present = present_lines(branch);
        let mut recalled = self.recall(recall, log, model, left, &present).await.unwrap_or_default();
        recalled.replaced = ids;
        let told = replaced.into_iter().chain(recalled.told).collect::<Vec<_>>().join("\n\n");
        recalled.told = (!told.is_empty()).then_some(told);
        if !recalled.items.is_empty()
            && let Err(error) = self.services.store.keep_memory(turn.id, recalled.items.clone()).await
        {
            tracing::warn!("what was recalled for turn {} was not kept: {error}", turn.id);
        }
        recalled
    }

    /// Answers from memory in place of a very small model, which would only repeat what it reads: with the one fact
    /// that surely answers, or with the statement that nothing is known about the user's question.
    pub async fn answer_from_memory(&self, turn: &Turn, branch: &Branch, log: &TurnLog) -> Option<String> {
        let message = branch.unsent_question().filter(|_| !store::is_incognito(turn.conversation))?;
        if let Some(greeting) = tiny_model::introduced(message) {
            return Some(greeting);
        }
        if !message.contains('?') {
            return None;
        }
        let recall = RecallRequest::new(message, Recipient::Person);
        let recalled = tokio::select! {
            recalled = self.services.memory.recall(log.user, recall) => recalled.ok()?,
            () = log.cancelled().cancelled() => return None,
        };
        let Some(item) = tiny_model::fact(&recalled.items).filter(|item| item.score >= SURE_ANSWER) else {
            return tiny_model::asks_of_oneself(message)
                .then(|| tiny_model::quoted(message, &recalled.items));
        };
        let items = vec![item.clone()];
        log.push(Event::Memory { items: items.clone() });
        if let Err(error) = self.services.store.keep_memory(turn.id, items).await {
            tracing::warn!("what was recalled for turn {} was not kept: {error}", turn.id);
        }
        Some(tiny_model::told(&item.who, &item.text))
    }

    /// Recalls memories for another program, which stores its conversation itself. Private facts are left out.
    pub async fn for_program(&self, message: &str, log: &TurnLog, model: &dyn ChatModel) -> RecalledContext {
        let recall = RecallRequest::new(message, Recipient::Other);
        let budget = self.token_budget(model);
        self.recall(recall, log, model, budget, &HashSet::new()).await.unwrap_or_default()
    }

    /// Recalls memories within a budget. `None` if the message says nothing to search for, or if the turn was
    /// cancelled.
    async fn recall(
        &self,
        recall: RecallRequest,
        log: &TurnLog,
        model: &dyn ChatModel,
        budget: u32,
        present_lines: &HashSet<&str>,
    ) -> Option<RecalledContext> {
        let message = recall.text.clone();
        if !says_something(&message) {
            return None;
        }
        let count = |text: &str| model.count_tokens(text).tokens;
        let zone = self.services.clock.time_zone();
        let asks = message.contains('?');
        let room = RecallRoom { tokens: budget, zone: &zone, count: &count, asks, present_lines };
        let recall = RecallRequest { room_for_everything: letters(budget, MOST_LETTERS), ..recall };
        let fits = |items: &[MemoryItem]| room.holds(items);
        let recalled = tokio::select! {
            recalled = self.services.memory.recall_for_prompt(log.user, recall, &fits) => recalled,
            () = log.cancelled().cancelled() => return None,
        };
        let recalled = recalled.inspect_err(|error| {
            tracing::warn!("nothing could be recalled for turn {}: {error}", log.id);
        });
        let recalled = pick(&message, recalled.ok()?, &room);
        if !recalled.items.is_empty() {
            log.push(Event::Memory { items: recalled.items.clone() });
            // Facts with a score of 0 were only included with the others, so they do not count as used.
            let facts =
                recalled.items.iter().filter(|item| item.kind == MemoryKind::Fact && item.score > 0.0);
            let facts: Vec<FactId> = facts.filter_map(|item| item.id.parse().ok()).collect();
            if let Err(error) = self.services.memory.record_use(log.user, facts).await {
                tracing::warn!("the use of facts was not counted: {error}");
            }
        }
        Some(recalled)
    }

    /// Returns the token budget of memories in a prompt.
    fn token_budget(&self, model: &dyn ChatModel) -> u32 {
        if ModelSize::of(model.info().parameters).is_small() {
            SMALL_BUDGET
        } else {
            let budget = TokenBudget::new(&model.info(), self.services.settings().sampling.max_tokens);
            (budget.prompt / SHARE).min(LARGEST_BUDGET)
        }
    }

    /// Marks replacements as told once there is an answer.
    pub async fn mark_told(&self, turn: &Turn, replaced: Vec<FactId>) {
        if replaced.is_empty() {
            return;
        }
        if let Err(error) = self.services.memory.mark_told(turn.user, replaced).await {
            tracing::warn!("what was replaced may be told again: {error}");
        }
    }
}

/// Returns the lines of memories that a branch was already sent with.
fn present_lines(branch: &Branch) -> HashSet<&str> {
    let contexts = branch.path.iter().filter_map(|message| message.context.as_deref());
    contexts.flat_map(marked_lines).filter(|(_, is_memory)| *is_memory).map(|(line, _)| line).collect()
}

/// Selects the recalled items for the model.
fn pick(message: &str, recalled: RecallResult, room: &RecallRoom<'_>) -> RecalledContext {
    let RecallResult { mut items, refused, whole, .. } = recalled;
    if !looks_back(message) {
        items.retain(|item| !is_hearsay(item));
    }
    // Luna's own messages that share no word with the question are irrelevant.
    items.retain(|item| {
        let own = item.kind == MemoryKind::Message && !item.who.is_empty();
        !own || item.parts.iter().any(|part| part.name == "words")
    });
    let extent = if whole { RecallExtent::Whole } else { RecallExtent::Best };
    let (told, items) = room.write(items, extent, refused);
    RecalledContext { told, items, replaced: Vec::new() }
}

/// Returns true if a message contains something to search for; *go on* and *thanks* do not.
fn says_something(message: &str) -> bool {
    message.contains('?') || text::terms(message).len() > 1
}

/// Returns true for messages that were written with untrusted content in the prompt, such as yesterday's weather or a
/// web page. Recalling them would taint the conversation with content that was only relevant then.
fn is_hearsay(item: &MemoryItem) -> bool {
    // The mere offer of an MCP server's tools does not make an answer untrusted.
    let is_told = |origin: &Origin| !matches!(origin, Origin::Tools(_));
    matches!(item.kind, MemoryKind::Message | MemoryKind::Summary) && item.origins.iter().any(is_told)
}

/// Returns true if a request may refer to an earlier message: it asks about the past or is about the user.
pub fn may_refer_to_earlier(message: &str) -> bool {
    let is_own = |word: &str| OWN.contains(&word.to_lowercase().as_str());
    looks_back(message) || message.split(|letter: char| !letter.is_alphabetic()).any(is_own)
}

/// Returns true if a message asks about the past, so that untrusted content is recalled as well.
fn looks_back(message: &str) -> bool {
    message
        .split(|letter: char| !letter.is_alphabetic())
        .any(|word| BACK.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_words_remind_of_nothing() {
        for message in ["go", "go on", "Thanks!", "ok", "please"] {
            assert!(!says_something(message), "{message}");
        }
        for message in ["Max?", "I walked the dog", "who?"] {
            assert!(says_something(message), "{message}");
        }
    }

    #[test]
    fn a_request_may_refer_to_what_was_said_where_it_is_about_the_person_or_the_past() {
        for message in ["What's the weather where I live?", "Write my list into a file", "Play it again"] {
            assert!(may_refer_to_earlier(message), "{message}");
        }
        for message in ["What time is it in Tokyo?", "Read the file notes.txt for me.", "Play some jazz."] {
            assert!(!may_refer_to_earlier(message), "{message}");
        }
    }

    #[test]
    fn words_of_others_come_back_when_they_are_asked_for() {
        let mut page = wording::tests::item(MemoryKind::Message, "It will rain", "");
        assert!(!is_hearsay(&page));
        page.origins = vec![Origin::Search("https://weather.example/".into())];
        assert!(is_hearsay(&page));
        assert!(!looks_back("Will it rain tomorrow?"));
        assert!(looks_back("What did the weather page say yesterday?"));
    }
}
