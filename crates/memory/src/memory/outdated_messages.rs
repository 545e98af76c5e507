//! Messages that repeat what no longer holds. A fact refers to one message only; others may have said the same before
//! or after it.

use std::collections::HashSet;
use std::sync::Arc;

use facts::{FactSlot, Finding, KnownNames, Polarity};
use jiff::Timestamp;
use jiff::civil::Date;
use protocol::{FactStatus, MemoryItem, MemoryKind, UserId};
use store::StoredFact;
use text::terms;

use super::{Memory, Result};
use crate::user_memory::UserMemory;

/// A message with more than this many words in addition to those of a fact says more than the fact.
const LITTLE_ELSE: usize = 3;
/// The words by which the companion refers to the user.
const USER: [&str; 5] = ["you", "your", "yours", "youre", "user"];

/// A fact that no longer holds or may no longer hold.
pub(super) struct OutdatedFact {
    fact: StoredFact,
    slot: Option<FactSlot>,
    /// The note on what has become of it.
    pub note: String,
    /// Messages after this time were written with knowledge of the change.
    until: Timestamp,
    /// True if messages that say nothing else are left out too.
    is_certain: bool,
}

/// An item prepared for the comparison with past facts.
struct ItemText<'a> {
    item: &'a MemoryItem,
    has: HashSet<String>,
    at: Timestamp,
}

impl<'a> ItemText<'a> {
    fn new(item: &'a MemoryItem) -> Self {
        Self { item, has: terms(&item.text).into_iter().collect(), at: at(item) }
    }

    /// Returns true if it is the message that first stated the fact, or contains the words of its value.
    fn may_state(&self, fact: &StoredFact, words: &[String]) -> bool {
        let has_words = !words.is_empty() && words.iter().all(|word| self.has.contains(word));
        let is_said = matches!(self.item.kind, MemoryKind::Message | MemoryKind::Summary);
        is_said && (has_words || self.is_source_of(fact))
    }

    fn is_source_of(&self, fact: &StoredFact) -> bool {
        is_source(self.item, fact)
    }
}

impl OutdatedFact {
    /// Returns, for each item, the past facts that it may state. Facts that hold again are not included.
    pub fn near(
        memory: &UserMemory,
        items: &[MemoryItem],
        today: Date,
        may_be_private: bool,
    ) -> Vec<Vec<Arc<Self>>> {
        let is_past = |fact: &&StoredFact| {
            !matches!(fact.said.status, FactStatus::Merged | FactStatus::Faded)
                && (is_doubtful(fact) || memory.is_outdated(fact, today))
        };
        let mut near = vec![Vec::new(); items.len()];
        if items.is_empty() {
            return near;
        }
        let said: Vec<ItemText<'_>> = items.iter().map(ItemText::new).collect();
        for fact in memory.facts.values().filter(is_past) {
            let words = terms(if fact.said.value.is_empty() { &fact.said.content } else { &fact.said.value });
            // This cheap check comes first: most items state no past fact, and most past facts are stated by none.
            let places: Vec<usize> = (0..said.len()).filter(|&at| said[at].may_state(fact, &words)).collect();
            if places.is_empty() {
                continue;
            }
            let outdated = Arc::new(Self::new(fact, memory, may_be_private));
            let holds_again = memory.facts.values().any(|other| {
                other.said.status == FactStatus::Current
                    && outdated.is_stated_by(other)
                    && !is_doubtful(other)
                    && !memory.is_outdated(other, today)
            });
            for at in places.into_iter().filter(|_| !holds_again) {
                if said[at].at <= outdated.until || said[at].is_source_of(fact) {
                    near[at].push(Arc::clone(&outdated));
                }
            }
        }
        near
    }

    fn new(fact: &StoredFact, memory: &UserMemory, may_be_private: bool) -> Self {
        let slot = fact.said.slot.as_deref().and_then(|slot| slot.parse::<FactSlot>().ok());
        let newer = fact.superseded_by.and_then(|id| memory.facts.get(&id));
        let (note, until) = match (&fact.doubt, fact.said.status) {
            (Some(doubt), FactStatus::Current) => ("this may have changed since".to_owned(), doubt.at),
            (_, FactStatus::Superseded) => {
                let told = newer.filter(|newer| may_be_private || !newer.said.private);
                let told =
                    told.map(|now| format!("not so any more: {}", now.said.content.trim_end_matches('.')));
                let until = newer.map(|newer| newer.created_at).or(fact.said.valid_to);
                (told.unwrap_or_else(|| "not so any more".to_owned()), until.unwrap_or(Timestamp::MAX))
            }
            _ => {
                let ends = [fact.said.valid_to, fact.said.expires_at].into_iter().flatten();
                // It ended at some time on that day.
                let until = ends.min().and_then(|end| end.checked_add(jiff::Span::new().hours(24)).ok());
                ("not so any more".to_owned(), until.unwrap_or(Timestamp::MAX))
            }
        };
        Self { fact: fact.clone(), slot, note, until, is_certain: !is_doubtful(fact) }
    }

    fn is_stated_by(&self, fact: &StoredFact) -> bool {
        let (outdated, said) = (&self.fact.said, &fact.said);
        facts::same_person(&outdated.subject, &said.subject)
            && outdated.slot == said.slot
            && match &self.slot {
                Some(slot) => facts::same_value(slot.kind, &outdated.value, &said.value),
                None => facts::same(&outdated.content, &said.content),
            }
    }

    /// Returns true if this finding, which the patterns read in a message, states the past fact.
    fn is(&self, finding: &Finding) -> bool {
        let said = &self.fact.said;
        finding.polarity == Polarity::Holds
            && !finding.is_past()
            && facts::same_person(&said.subject, &finding.subject)
            && match (&self.slot, &finding.slot) {
                (Some(slot), Some(other)) => {
                    slot == other && facts::same_value(slot.kind, &said.value, &finding.value)
                }
                (None, None) => facts::same(&said.content, &finding.content),
                _ => false,
            }
    }

    fn is_quoted_in(&self, text: &str) -> bool {
        self.fact.said.quote.as_deref().is_some_and(|quote| occurs_in_order(quote, text))
    }

    /// Returns true if a message by the companion, or a summary, states the fact.
    fn is_stated_in(&self, text: &str, has: &HashSet<String>) -> bool {
        let said = &self.fact.said;
        let telling = terms(&format!("{} {}", said.subject, said.content));
        let of_whom = !said.subject.is_empty() || text::words(text).any(|word| USER.contains(&word.as_str()));
        of_whom && telling.iter().all(|word| has.contains(word))
    }
}

impl Memory {
    /// Drops items that state only what no longer holds, and adds to the others a note on what has become of it.
    pub(super) async fn without_outdated(
        &self,
        user: UserId,
        items: Vec<MemoryItem>,
        near: Vec<Vec<Arc<OutdatedFact>>>,
    ) -> Result<Vec<MemoryItem>> {
        let mut names: Option<KnownNames> = None;
        let mut kept = Vec::with_capacity(items.len());
        for (mut item, mut near) in items.into_iter().zip(near) {
            if near.is_empty() {
                kept.push(item);
                continue;
            }
            let has: HashSet<String> = terms(&item.text).into_iter().collect();
            let mut says_more = item.kind == MemoryKind::Summary;
            if item.kind == MemoryKind::Message && item.who.is_empty() {
                let names = match &mut names {
                    Some(names) => names,
                    none => none.insert(self.known_names(user, self.beliefs(user).await?.iter()).await?),
                };
                let found = facts::extract(&item.text, self.day(at(&item)), names);
                near.retain(|outdated| {
                    is_source(&item, &outdated.fact)
                        || outdated.is_quoted_in(&item.text)
                        || found.iter().any(|finding| outdated.is(finding))
                });
                says_more = found.iter().any(|finding| !near.iter().any(|outdated| outdated.is(finding)));
            } else {
                near.retain(|outdated| outdated.is_stated_in(&item.text, &has));
            }
            if let Some(outdated) = near.first() {
                let said = terms(&outdated.fact.said.content).len() + LITTLE_ELSE;
                if !says_more && outdated.is_certain && has.len() <= said {
                    continue;
                }
                item.text = format!("{} ({})", item.text, outdated.note);
            }
            kept.push(item);
        }
        Ok(kept)
    }
}

/// Returns the time of an item. An unknown time counts as the latest possible.
fn at(item: &MemoryItem) -> Timestamp {
    item.at.as_deref().and_then(|at| at.parse().ok()).unwrap_or(Timestamp::MAX)
}

fn is_source(item: &MemoryItem, fact: &StoredFact) -> bool {
    item.kind == MemoryKind::Message && item.message_id.is_some() && item.message_id == fact.said.message
}

fn is_doubtful(fact: &StoredFact) -> bool {
    fact.said.status == FactStatus::Current && fact.doubt.is_some()
}

/// Returns true if the words of the quote occur in the text in the same order, regardless of spelling variants such as
/// case.
fn occurs_in_order(quote: &str, text: &str) -> bool {
    let quote: Vec<String> = text::words(quote).collect();
    let text: Vec<String> = text::words(text).collect();
    quote.len() > 1 && text.windows(quote.len()).any(|words| words == quote)
}
