mod telling;

use std::collections::HashSet;

use memory::{MemoryError, Reader, Recall, Recalled, Secrets};
use model::ChatModel;
use protocol::{Event, FactId, MemoryItem, MemoryKind, Origin, UserId};
use store::Turn;

use crate::assembly::{self, Branch};
use crate::brief;
use crate::companion::{Companion, Inner};
use crate::scale::Scale;
use crate::turns::TurnLog;
use telling::{Extent, REMEMBERED, REPLACED, Room, news};

/// The token budget of memories in a prompt for small models; [`LARGEST_BUDGET`] applies to others.
const SMALL_BUDGET: u32 = 160;
const LARGEST_BUDGET: u32 = 900;
/// The divisor that gives the share of memories in a prompt.
const SHARE: u32 = 12;
/// The number of letters per token that surely fit, where no model counts tokens.
const LETTERS: u32 = 3;
/// An upper limit of letters per token for any text; longer texts need not be counted.
const MOST_LETTERS: u32 = 16;
/// The score from which a fact is taken to answer the question; weaker matches beside it would distract.
const SURE_ANSWER: f32 = 1.2;
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
/// The replacement for an answer whose prompt contained private facts.
const LEFT_OUT: &str = "[An answer that rests on something private is left out here.]";

/// The memories recalled for a message, as text for the model and as items for the user interface.
#[derive(Default)]
pub(crate) struct Remembered {
    pub told: Option<String>,
    pub items: Vec<MemoryItem>,
    /// The facts that the model is told have replaced others.
    pub news: Vec<FactId>,
}

/// Converts tokens to letters, with `each` letters per token.
fn letters(tokens: u32, each: u32) -> usize {
    usize::try_from(tokens.saturating_mul(each)).unwrap_or(usize::MAX)
}

impl Companion {
    /// Returns what a model with enough room would recall, for the user or for a program.
    pub async fn recall_for_show(&self, user: UserId, recall: Recall) -> Result<Recalled, MemoryError> {
        self.memory().recall(user, Recall { room: letters(LARGEST_BUDGET, LETTERS), ..recall }).await
    }
}

impl Inner {
    /// Recalls the memories that fit the message. A message that was already sent keeps its context unchanged.
    pub(crate) async fn remember(
        &self,
        turn: &Turn,
        branch: &Branch,
        log: &TurnLog,
        model: &dyn ChatModel,
    ) -> Remembered {
        let Some(message) = branch.unsent().filter(|_| !store::is_passing(turn.conversation)) else {
            return Remembered::default();
        };
        let known = branch.path.iter().map(|message| message.id).collect::<HashSet<_>>();
        let reader = if model.info().is_here { Reader::Person } else { Reader::Other };
        let recall = Recall { known, ..Recall::new(message, reader.clone()) };
        let budget = self.memory_budget(model);
        let count = |text: &str| model.count_tokens(text).tokens;
        // A very small model would only repeat the memories.
        if assembly::is_brief(model) {
            return Remembered::default();
        }
        let untold = self.memory.untold(turn.user, reader).await.unwrap_or_default();
        let (news, ids) = news(&untold, budget / 2, &count);
        let left = budget - news.as_deref().map_or(0, count).min(budget);
        let standing = standing(branch);
        let mut remembered = self.recall(recall, log, model, left, &standing).await.unwrap_or_default();
        remembered.news = ids;
        let told = news.into_iter().chain(remembered.told).collect::<Vec<_>>().join("\n\n");
        remembered.told = (!told.is_empty()).then_some(told);
        if !remembered.items.is_empty()
            && let Err(error) = self.store.keep_memory(turn.id, remembered.items.clone()).await
        {
            tracing::warn!("what was recalled for turn {} was not kept: {error}", turn.id);
        }
        remembered
    }

    /// Answers from memory in place of a very small model, which would only repeat what it reads: with the one fact
    /// that surely answers, or with the statement that nothing is known about the user's question.
    pub(crate) async fn answer_from_memory(
        &self,
        turn: &Turn,
        branch: &Branch,
        log: &TurnLog,
    ) -> Option<String> {
        let message = branch.unsent().filter(|_| !store::is_passing(turn.conversation))?;
        if let Some(greeting) = brief::introduced(message) {
            return Some(greeting);
        }
        if !message.contains('?') {
            return None;
        }
        let recall = Recall::new(message, Reader::Person);
        let recalled = tokio::select! {
            recalled = self.memory.recall(log.user, recall) => recalled.ok()?,
            () = log.cancelled().cancelled() => return None,
        };
        let Some(item) = brief::fact(&recalled.items).filter(|item| item.score >= SURE_ANSWER) else {
            return brief::asks_of_oneself(message).then(|| brief::quoted(message, &recalled.items));
        };
        let items = vec![item.clone()];
        log.push(Event::Memory { items: items.clone() });
        if let Err(error) = self.store.keep_memory(turn.id, items).await {
            tracing::warn!("what was recalled for turn {} was not kept: {error}", turn.id);
        }
        Some(brief::told(&item.who, &item.text))
    }

    /// Recalls memories for another program, which stores its conversation itself. Private facts are left out.
    pub(crate) async fn remember_for_program(
        &self,
        message: &str,
        log: &TurnLog,
        model: &dyn ChatModel,
    ) -> Remembered {
        let recall = Recall::new(message, Reader::Other);
        let budget = self.memory_budget(model);
        self.recall(recall, log, model, budget, &HashSet::new()).await.unwrap_or_default()
    }

    /// Recalls memories within a budget. `None` if the message says nothing to search for, or if the turn was
    /// cancelled.
    async fn recall(
        &self,
        recall: Recall,
        log: &TurnLog,
        model: &dyn ChatModel,
        budget: u32,
        standing: &HashSet<&str>,
    ) -> Option<Remembered> {
        let message = recall.text.clone();
        if !says_something(&message) {
            return None;
        }
        let count = |text: &str| model.count_tokens(text).tokens;
        let zone = self.clock.time_zone();
        let asks = message.contains('?');
        let room = Room { tokens: budget, zone: &zone, count: &count, asks, standing };
        let recall = Recall { room: letters(budget, MOST_LETTERS), ..recall };
        let fits = |items: &[MemoryItem]| room.holds(items);
        let recalled = tokio::select! {
            recalled = self.memory.recall_within(log.user, recall, &fits) => recalled,
            () = log.cancelled().cancelled() => return None,
        };
        let recalled = recalled.inspect_err(|error| {
            tracing::warn!("nothing could be recalled for turn {}: {error}", log.id);
        });
        let remembered = pick(&message, recalled.ok()?, &room);
        if !remembered.items.is_empty() {
            log.push(Event::Memory { items: remembered.items.clone() });
            // Facts with a score of 0 were only included with the others, so they do not count as used.
            let facts =
                remembered.items.iter().filter(|item| item.kind == MemoryKind::Fact && item.score > 0.0);
            let facts: Vec<FactId> = facts.filter_map(|item| item.id.parse().ok()).collect();
            if let Err(error) = self.memory.used(log.user, facts).await {
                tracing::warn!("the use of facts was not counted: {error}");
            }
        }
        Some(remembered)
    }

    /// Returns the token budget of memories in a prompt.
    fn memory_budget(&self, model: &dyn ChatModel) -> u32 {
        if Scale::of(model.info().parameters).is_small() {
            SMALL_BUDGET
        } else {
            (self.budget(model).prompt / SHARE).min(LARGEST_BUDGET)
        }
    }

    /// Marks replacements as told once there is an answer.
    pub(crate) async fn has_told(&self, turn: &Turn, news: Vec<FactId>) {
        if news.is_empty() {
            return;
        }
        if let Err(error) = self.memory.told(turn.user, news).await {
            tracing::warn!("what was replaced may be told again: {error}");
        }
    }

    /// Removes private facts from earlier messages before they are sent to a remote model; the model that read them may
    /// have been a local one.
    pub(crate) async fn keep_secrets(
        &self,
        user: UserId,
        branch: &mut Branch,
        model: &dyn ChatModel,
    ) -> Result<(), MemoryError> {
        if model.info().is_here {
            return Ok(());
        }
        let secrets = self.memory.secrets(user).await?;
        for message in &mut branch.path {
            if let Some(context) = &mut message.context {
                *context = without_secrets(context, &secrets);
            }
            // The answer may state a private fact in any words, and a tool may have repeated it, so all of it is
            // removed.
            if secrets.stood_before(message.id) {
                LEFT_OUT.clone_into(&mut message.content);
                message.rounds.clear();
                message.reasoning = None;
            }
        }
        Ok(())
    }
}

/// Removes the memories with private facts from a context.
fn without_secrets(context: &str, secrets: &Secrets) -> String {
    let lines = marked(context).filter(|(line, is_memory)| !(*is_memory && secrets.are_in(line)));
    lines.map(|(line, _)| line).collect::<Vec<_>>().join("\n")
}

/// Returns the lines of memories that a branch was already sent with.
fn standing(branch: &Branch) -> HashSet<&str> {
    let contexts = branch.path.iter().filter_map(|message| message.context.as_deref());
    contexts.flat_map(marked).filter(|(_, is_memory)| *is_memory).map(|(line, _)| line).collect()
}

/// Returns the lines of a context, each with a flag that is true for a memory.
fn marked(context: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut is_block = false;
    context.lines().map(move |line| {
        let begins = line.starts_with(REMEMBERED) || line.starts_with(REPLACED);
        is_block = begins || is_block && line.starts_with("- ");
        (line, is_block && !begins)
    })
}

/// Selects the recalled items for the model.
fn pick(message: &str, recalled: Recalled, room: &Room<'_>) -> Remembered {
    let Recalled { mut items, refused, whole, .. } = recalled;
    if !looks_back(message) {
        items.retain(|item| !is_hearsay(item));
    }
    // Luna's own messages that share no word with the question are irrelevant.
    items.retain(|item| {
        let own = item.kind == MemoryKind::Message && !item.who.is_empty();
        !own || item.parts.iter().any(|part| part.name == "words")
    });
    let extent = if whole { Extent::Whole } else { Extent::Best };
    let (told, items) = room.tell(items, extent, refused);
    Remembered { told, items, news: Vec::new() }
}

/// Returns true if a message contains something to search for; *go on* and *thanks* do not.
fn says_something(message: &str) -> bool {
    message.contains('?') || facts::words::terms(message).len() > 1
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
        let mut page = telling::tests::item(MemoryKind::Message, "It will rain", "");
        assert!(!is_hearsay(&page));
        page.origins = vec![Origin::Search("https://weather.example/".into())];
        assert!(is_hearsay(&page));
        assert!(!looks_back("Will it rain tomorrow?"));
        assert!(looks_back("What did the weather page say yesterday?"));
    }
}
