//! Formats memories for a prompt, as many as fit.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memory::ReplacedFact;
use protocol::{FactId, MemoryItem, MemoryKind, MessageId};

use crate::prompt::memory_block::REPLACED;
use crate::prompt::text::{TokenCounter, fit};

/// The score from which a fact is taken to answer the question; weaker matches beside it would distract.
pub const SURE_ANSWER: f32 = 1.2;
/// The greatest length of one memory in tokens, a few sentences. The full message can be opened separately.
const LONGEST_ITEM: u32 = 96;
/// The share of the best score below which memories are left out beside a fact that surely answers.
const FAR_BEHIND: f32 = 0.4;
const HEADING: &str = "What you remember that may matter here, of the user where nobody is named (leave it aside where \
    it does not):";
/// The end of a block that contains everything the user ever told, which is included for every question.
const WHOLE: &str = "What stands here and above is all that you know from the user. If it does not answer, say that you \
    do not know.";
const NOTHING: &str =
    "Nothing that you remember answers this. If it is about the user's life, say that you do not know.";

/// The amount of the user's messages in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecallExtent {
    /// All of them, verbatim.
    Whole,
    /// The best matches, each cut to a few sentences.
    Best,
}

/// The room for memories in one prompt, counted by its model.
pub struct RecallRoom<'a> {
    pub tokens: u32,
    pub zone: &'a TimeZone,
    pub count: TokenCounter<'a>,
    /// True if the message is a question, so that the prompt may have to state that nothing else is known.
    pub asks: bool,
    /// Lines of memories that are in the prompt with earlier messages.
    pub present_lines: &'a HashSet<&'a str>,
}

impl RecallRoom<'_> {
    /// Returns true if everything that the user told fits, together with the facts that surely answer.
    pub fn holds(&self, items: &[MemoryItem]) -> bool {
        let said = user_messages(items);
        let mut left = self.tokens_left(RecallExtent::Whole);
        let mut belonging = items.iter().filter(|item| belongs(item, &said));
        belonging
            .all(|item| self.reserve(&mut left, &self.line(item, RecallExtent::Whole), RecallExtent::Whole))
    }

    /// Returns the text for the model in chronological order, and the memories in it, best first. With
    /// [`RecallExtent::Whole`], lines that the prompt already has are not repeated.
    pub fn write(
        &self,
        mut items: Vec<MemoryItem>,
        extent: RecallExtent,
        refused: bool,
    ) -> (Option<String>, Vec<MemoryItem>) {
        let said = user_messages(&items);
        let is_needed = |item: &MemoryItem| extent == RecallExtent::Whole && belongs(item, &said);
        leave_out_distant(&mut items, is_needed);
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&place| !is_needed(&items[place]));
        let mut left = self.tokens_left(extent);
        let mut lines: BTreeMap<usize, String> = BTreeMap::new();
        for place in order {
            let item = &items[place];
            let line =
                self.line(item, if is_needed(item) { RecallExtent::Whole } else { RecallExtent::Best });
            if !self.reserve(&mut left, &line, extent) {
                break;
            }
            lines.insert(place, line);
        }
        let is_unanswered = refused && self.asks;
        if lines.is_empty() {
            return (is_unanswered.then(|| NOTHING.to_owned()), Vec::new());
        }
        let is_new = |line: &str| extent == RecallExtent::Best || !self.present_lines.contains(line);
        let mut new: Vec<usize> = lines.iter().filter(|(_, line)| is_new(line)).map(|(&at, _)| at).collect();
        new.sort_by_key(|&place| time_key(&items[place]));
        let heading = (!new.is_empty()).then_some(HEADING);
        let ending = (is_unanswered && extent == RecallExtent::Whole).then_some(WHOLE);
        let new = new.iter().map(|place| lines[place].as_str());
        let told: Vec<&str> = heading.into_iter().chain(new).chain(ending).collect();
        let told = (!told.is_empty()).then(|| told.join("\n"));
        let mut place = 0;
        items.retain(|_| {
            place += 1;
            lines.contains_key(&(place - 1))
        });
        (told, items)
    }

    /// Returns the tokens left for memories besides the heading and the ending.
    fn tokens_left(&self, extent: RecallExtent) -> u32 {
        let ending = if self.asks && extent == RecallExtent::Whole { (self.count)(WHOLE) + 1 } else { 0 };
        self.tokens.saturating_sub((self.count)(HEADING) + ending)
    }

    /// Reserves the room for a line. Returns false if it does not fit.
    fn reserve(&self, left: &mut u32, line: &str, extent: RecallExtent) -> bool {
        if extent == RecallExtent::Whole && self.present_lines.contains(line) {
            return true;
        }
        match left.checked_sub((self.count)(line) + 1) {
            Some(rest) => *left = rest,
            None => return false,
        }
        true
    }

    fn line(&self, item: &MemoryItem, extent: RecallExtent) -> String {
        let text = item.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match extent {
            RecallExtent::Whole => text,
            RecallExtent::Best => fit(&text, LONGEST_ITEM, self.count),
        };
        let day = item.at.as_deref().and_then(|at| at.parse::<Timestamp>().ok());
        let day = day.map(|at| at.to_zoned(self.zone.clone()).strftime("%-d %B %Y").to_string());
        let day = day.unwrap_or_default();
        match item.kind {
            MemoryKind::Fact => format!("- {}", about(&item.who, &text)),
            MemoryKind::Message if item.who.is_empty() => format!("- On {day} the user said: {text}"),
            MemoryKind::Message => format!("- On {day} you said: {text}"),
            MemoryKind::Summary => {
                format!("- From the conversation “{}”: {text}", item.title.as_deref().unwrap_or_default())
            }
            MemoryKind::File => format!("- From your memory file {}: {text}", item.id),
            MemoryKind::Entry => format!("- Saved as {}: {text}", item.id),
        }
    }
}

/// Returns the ids of the user's messages among the memories.
fn user_messages(items: &[MemoryItem]) -> HashSet<MessageId> {
    let said = items.iter().filter(|item| item.kind == MemoryKind::Message && item.who.is_empty());
    said.filter_map(|item| item.message_id).collect()
}

/// Returns true if an item is part of the whole: a message of the user, a fact that no message among them tells, or a
/// fact that surely answers.
fn belongs(item: &MemoryItem, said: &HashSet<MessageId>) -> bool {
    let is_own = item.origins.is_empty();
    match item.kind {
        MemoryKind::Message => is_own && item.who.is_empty(),
        MemoryKind::Fact => {
            let is_said = item.message_id.is_some_and(|id| said.contains(&id));
            item.score >= SURE_ANSWER || is_own && !is_said
        }
        MemoryKind::Summary | MemoryKind::File | MemoryKind::Entry => false,
    }
}

/// Returns the sort key by time. Of messages at the same time, the later has the higher id.
fn time_key(item: &MemoryItem) -> (Option<Timestamp>, Option<MessageId>) {
    (item.at.as_deref().and_then(|at| at.parse().ok()), item.message_id)
}

fn leave_out_distant(items: &mut Vec<MemoryItem>, is_needed: impl Fn(&MemoryItem) -> bool) {
    let is_answer = |item: &&MemoryItem| item.kind == MemoryKind::Fact && item.score >= SURE_ANSWER;
    if let Some(best) = items.first().filter(is_answer).map(|item| item.score) {
        items.retain(|item| item.score >= best * FAR_BEHIND || is_needed(item));
    }
}

/// Adds the name of the person to a fact that does not mention it. The user's name is empty and is not added.
fn about(who: &str, fact: &str) -> String {
    if fact.to_lowercase().contains(&who.to_lowercase()) { fact.to_owned() } else { format!("{who}: {fact}") }
}

/// Returns the text about replaced facts, as many as fit, and their ids.
pub fn about_replaced(
    replaced: &[ReplacedFact],
    budget: u32,
    count: TokenCounter<'_>,
) -> (Option<String>, Vec<FactId>) {
    let mut left = budget.saturating_sub(count(REPLACED));
    let (mut text, mut ids) = (REPLACED.to_owned(), Vec::new());
    for ReplacedFact { id, who, now, before } in replaced {
        let line = match now {
            Some(now) => format!("- {} (before: {before})", about(who, now)),
            None => format!("- No longer so: {}", about(who, before)),
        };
        let line = fit(&line, LONGEST_ITEM, count);
        let tokens = count(&line) + 1;
        if tokens <= left {
            left -= tokens;
            text = format!("{text}\n{line}");
            ids.push(*id);
        }
    }
    ((!ids.is_empty()).then_some(text), ids)
}

#[cfg(test)]
#[path = "wording_tests.rs"]
pub(super) mod tests;
