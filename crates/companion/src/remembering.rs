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

/// What memories may have of a prompt, in tokens.
const SMALL_BUDGET: u32 = 160;
const LARGEST_BUDGET: u32 = 900;
/// One in so many of the prompt's tokens.
const SHARE: u32 = 12;
/// As many letters surely fit, where no model counts them,
const LETTERS: u32 = 3;
/// and where one does, more are not worth the counting: no text has so many to a token.
const MOST_LETTERS: u32 = 16;
/// A fact with such a score surely answers, and what comes only so near beside it would distract.
const SURE_ANSWER: f32 = 1.2;
/// Words of somebody who speaks of themselves.
const OWN: [&str; 6] = ["i", "my", "mine", "we", "our", "again"];
/// Words of somebody who asks about what was.
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
/// In place of an answer that was given with something private in sight.
const LEFT_OUT: &str = "[An answer that rests on something private is left out here.]";

/// What was recalled for a message: for the model, and for the screen.
#[derive(Default)]
pub(crate) struct Remembered {
    pub told: Option<String>,
    pub items: Vec<MemoryItem>,
    /// What is told as having taken the place of something else.
    pub news: Vec<FactId>,
}

/// So many tokens in letters.
fn letters(tokens: u32, each: u32) -> usize {
    usize::try_from(tokens.saturating_mul(each)).unwrap_or(usize::MAX)
}

impl Companion {
    /// What would be recalled by a model with room for it, for a person or a program that asks.
    pub async fn recall_for_show(&self, user: UserId, recall: Recall) -> Result<Recalled, MemoryError> {
        self.memory().recall(user, Recall { room: letters(LARGEST_BUDGET, LETTERS), ..recall }).await
    }
}

impl Inner {
    /// Recalls what fits the message, unless it was sent before: what a model read once stays as it was.
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
        // It would only repeat what it is told.
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

    /// What is said in the place of a model that would only repeat what it reads: the one fact that surely answers, or that
    /// nothing is known of what somebody asks about themselves.
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

    /// The same for another program, which keeps its conversation itself. What is private is not for it.
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

    /// Nothing, where there is nothing to look for or nobody waits for it any more.
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
            // What only came along with the rest was of no use yet.
            let facts =
                remembered.items.iter().filter(|item| item.kind == MemoryKind::Fact && item.score > 0.0);
            let facts: Vec<FactId> = facts.filter_map(|item| item.id.parse().ok()).collect();
            if let Err(error) = self.memory.used(log.user, facts).await {
                tracing::warn!("the use of facts was not counted: {error}");
            }
        }
        Some(remembered)
    }

    /// What memories may have of a prompt.
    fn memory_budget(&self, model: &dyn ChatModel) -> u32 {
        if Scale::of(model.info().parameters).is_small() {
            SMALL_BUDGET
        } else {
            (self.budget(model).prompt / SHARE).min(LARGEST_BUDGET)
        }
    }

    /// The answer is there: what was news is none any more.
    pub(crate) async fn has_told(&self, turn: &Turn, news: Vec<FactId>) {
        if news.is_empty() {
            return;
        }
        if let Err(error) = self.memory.told(turn.user, news).await {
            tracing::warn!("what was replaced may be told again: {error}");
        }
    }

    /// Takes private memories out of what was sent before: the model that read them may have been another one.
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
            // She may have said it in any words, and a tool may have told it once more.
            if secrets.stood_before(message.id) {
                LEFT_OUT.clone_into(&mut message.content);
                message.rounds.clear();
                message.reasoning = None;
            }
        }
        Ok(())
    }
}

/// A context without the memories in it that tell something private.
fn without_secrets(context: &str, secrets: &Secrets) -> String {
    let lines = marked(context).filter(|(line, is_memory)| !(*is_memory && secrets.are_in(line)));
    lines.map(|(line, _)| line).collect::<Vec<_>>().join("\n")
}

/// The memories that a branch was sent with already.
fn standing(branch: &Branch) -> HashSet<&str> {
    let contexts = branch.path.iter().filter_map(|message| message.context.as_deref());
    contexts.flat_map(marked).filter(|(_, is_memory)| *is_memory).map(|(line, _)| line).collect()
}

/// The lines of a context, and whether each tells a memory.
fn marked(context: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut is_block = false;
    context.lines().map(move |line| {
        let begins = line.starts_with(REMEMBERED) || line.starts_with(REPLACED);
        is_block = begins || is_block && line.starts_with("- ");
        (line, is_block && !begins)
    })
}

/// What of it the model is told.
fn pick(message: &str, recalled: Recalled, room: &Room<'_>) -> Remembered {
    let Recalled { mut items, refused, whole, .. } = recalled;
    if !looks_back(message) {
        items.retain(|item| !is_hearsay(item));
    }
    // What she said herself, and shares no word with what is asked, is only talk.
    items.retain(|item| {
        let own = item.kind == MemoryKind::Message && !item.who.is_empty();
        !own || item.parts.iter().any(|part| part.name == "words")
    });
    let extent = if whole { Extent::Whole } else { Extent::Best };
    let (told, items) = room.tell(items, extent, refused);
    Remembered { told, items, news: Vec::new() }
}

/// Whether there is anything to look for: *go on* and *thanks* remind nobody of anything.
fn says_something(message: &str) -> bool {
    message.contains('?') || facts::words::terms(message).len() > 1
}

/// What was said with words of others in sight: yesterday's weather, a page that was read. Telling it again would make
/// every act of this conversation suspect, for something that was true then.
fn is_hearsay(item: &MemoryItem) -> bool {
    // That a server's tools were on offer makes nothing of hers hearsay.
    let is_told = |origin: &Origin| !matches!(origin, Origin::Tools(_));
    matches!(item.kind, MemoryKind::Message | MemoryKind::Summary) && item.origins.iter().any(is_told)
}

/// Whether a request can mean something that was said before: it looks back, or is about the person who asks.
pub fn may_refer_to_earlier(message: &str) -> bool {
    let is_own = |word: &str| OWN.contains(&word.to_lowercase().as_str());
    looks_back(message) || message.split(|letter: char| !letter.is_alphabetic()).any(is_own)
}

/// Whether somebody asks about what was, so that such words are wanted.
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
