//! Memories in the words of a prompt, as many as there is room for.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memory::Replaced;
use protocol::{FactId, MemoryItem, MemoryKind, MessageId};

use super::SURE_ANSWER;
use crate::prompt::{Count, fit};

/// One memory is a few sentences; the message itself can be opened.
const LONGEST_ITEM: u32 = 96;
/// Beside a fact that surely answers, what comes only so near would distract.
const FAR_BEHIND: f32 = 0.4;
/// What every block of memories begins with, however the rest of its heading is worded.
pub const REMEMBERED: &str = "What you remember that may matter here";
const HEADING: &str = "What you remember that may matter here, of the user where nobody is named (leave it aside where \
    it does not):";
pub const REPLACED: &str = "You have learned something that takes the place of what you knew. Say in half a sentence that \
    you have noted it:";
/// Below all that was ever told: it comes whatever is asked.
const WHOLE: &str = "What stands here and above is all that you know from the user. If it does not answer, say that you \
    do not know.";
const NOTHING: &str =
    "Nothing that you remember answers this. If it is about the user's life, say that you do not know.";

/// How much of what the user told is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it, word for word.
    Whole,
    /// What comes nearest, each cut to a few sentences.
    Best,
}

/// The room that memories have in one prompt, as its model counts.
pub struct Room<'a> {
    pub tokens: u32,
    pub zone: &'a TimeZone,
    pub count: Count<'a>,
    /// Whether something is asked, so that it may have to be said that nothing else is known.
    pub asks: bool,
    /// Lines of memories that the prompt has from earlier messages.
    pub standing: &'a HashSet<&'a str>,
}

impl Room<'_> {
    /// Whether all that the user told has room, beside the facts that surely answer.
    pub fn holds(&self, items: &[MemoryItem]) -> bool {
        let said = said(items);
        let mut left = self.left(Extent::Whole);
        let mut belonging = items.iter().filter(|item| belongs(item, &said));
        belonging.all(|item| self.takes(&mut left, &self.line(item, Extent::Whole), Extent::Whole))
    }

    /// What there is room for: the words for the model, in the order in which things happened, and the memories that
    /// stand before it, best first. What the prompt has already is not told again where all is told.
    pub fn tell(
        &self,
        mut items: Vec<MemoryItem>,
        extent: Extent,
        refused: bool,
    ) -> (Option<String>, Vec<MemoryItem>) {
        let said = said(&items);
        let is_needed = |item: &MemoryItem| extent == Extent::Whole && belongs(item, &said);
        leave_out_distant(&mut items, is_needed);
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&place| !is_needed(&items[place]));
        let mut left = self.left(extent);
        let mut lines: BTreeMap<usize, String> = BTreeMap::new();
        for place in order {
            let item = &items[place];
            let line = self.line(item, if is_needed(item) { Extent::Whole } else { Extent::Best });
            if !self.takes(&mut left, &line, extent) {
                break;
            }
            lines.insert(place, line);
        }
        let is_unanswered = refused && self.asks;
        if lines.is_empty() {
            return (is_unanswered.then(|| NOTHING.to_owned()), Vec::new());
        }
        let is_new = |line: &str| extent == Extent::Best || !self.standing.contains(line);
        let mut new: Vec<usize> = lines.iter().filter(|(_, line)| is_new(line)).map(|(&at, _)| at).collect();
        new.sort_by_key(|&place| when(&items[place]));
        let heading = (!new.is_empty()).then_some(HEADING);
        let ending = (is_unanswered && extent == Extent::Whole).then_some(WHOLE);
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

    /// The tokens that are left for memories beside what is said around them.
    fn left(&self, extent: Extent) -> u32 {
        let ending = if self.asks && extent == Extent::Whole { (self.count)(WHOLE) + 1 } else { 0 };
        self.tokens.saturating_sub((self.count)(HEADING) + ending)
    }

    /// Takes the room for a line, if there is as much.
    fn takes(&self, left: &mut u32, line: &str, extent: Extent) -> bool {
        if extent == Extent::Whole && self.standing.contains(line) {
            return true;
        }
        match left.checked_sub((self.count)(line) + 1) {
            Some(rest) => *left = rest,
            None => return false,
        }
        true
    }

    fn line(&self, item: &MemoryItem, extent: Extent) -> String {
        let text = item.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match extent {
            Extent::Whole => text,
            Extent::Best => fit(&text, LONGEST_ITEM, self.count),
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

/// The messages of the user among memories.
fn said(items: &[MemoryItem]) -> HashSet<MessageId> {
    let said = items.iter().filter(|item| item.kind == MemoryKind::Message && item.who.is_empty());
    said.filter_map(|item| item.message_id).collect()
}

/// Whether something belongs to what is read whole: what the user told in these messages, and what only a fact tells. One
/// that surely answers goes before either.
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

/// When something was said. Of what was said in one moment, the later has the higher id.
fn when(item: &MemoryItem) -> (Option<Timestamp>, Option<MessageId>) {
    (item.at.as_deref().and_then(|at| at.parse().ok()), item.message_id)
}

fn leave_out_distant(items: &mut Vec<MemoryItem>, is_needed: impl Fn(&MemoryItem) -> bool) {
    let is_answer = |item: &&MemoryItem| item.kind == MemoryKind::Fact && item.score >= SURE_ANSWER;
    if let Some(best) = items.first().filter(is_answer).map(|item| item.score) {
        items.retain(|item| item.score >= best * FAR_BEHIND || is_needed(item));
    }
}

/// A fact with the name of whom it is about, where its words leave that open. Nobody is named for the user.
fn about(who: &str, fact: &str) -> String {
    if fact.to_lowercase().contains(&who.to_lowercase()) { fact.to_owned() } else { format!("{who}: {fact}") }
}

/// What took the place of something else, as much of it as there is room for.
pub fn news(replaced: &[Replaced], budget: u32, count: Count<'_>) -> (Option<String>, Vec<FactId>) {
    let mut left = budget.saturating_sub(count(REPLACED));
    let (mut text, mut ids) = (REPLACED.to_owned(), Vec::new());
    for Replaced { id, who, now, before } in replaced {
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
#[path = "telling_tests.rs"]
pub(super) mod tests;
