//! Facts that no longer hold, and the messages that stated them.
//!
//! That a fact was corrected by hand is known from its history and not from its words, since these may differ from the
//! words of the message. Only then is the message left out.

use std::collections::HashSet;

use jiff::civil::Date;
use protocol::{FactStatus, MessageId};
use store::StoredFact;
use text::words;

use super::UserMemory;

impl UserMemory {
    /// Returns messages that stated only facts that no longer hold: recalling them would bring those back.
    pub(super) fn outdated_messages(&self, today: Date) -> HashSet<MessageId> {
        self.messages_only_about(|fact| self.is_outdated(fact, today) || is_corrected(fact))
    }

    /// Returns messages that stated such facts and no others.
    pub(super) fn messages_only_about(&self, is_such: impl Fn(&StoredFact) -> bool) -> HashSet<MessageId> {
        let (mut others, mut such) = (HashSet::new(), HashSet::new());
        // A merged fact is represented by the one it was merged into.
        for fact in self.facts.values().filter(|fact| fact.said.status != FactStatus::Merged) {
            let those = if is_such(fact) { &mut such } else { &mut others };
            those.extend(fact.said.message);
        }
        such.difference(&others).copied().collect()
    }

    /// Returns true if a fact held when it was stated and does not hold today.
    pub fn is_outdated(&self, fact: &StoredFact, today: Date) -> bool {
        let said = &fact.said;
        let last_messages = [said.valid_to, said.expires_at].into_iter().flatten().map(|at| self.day(at));
        let end = last_messages.min();
        // *I used to live in Rome* is still true.
        let was_past = end.is_some_and(|end| end < self.day(fact.created_at));
        match said.status {
            FactStatus::Current | FactStatus::Unconfirmed => !was_past && end.is_some_and(|end| end <= today),
            FactStatus::Expired => !was_past,
            FactStatus::Superseded | FactStatus::Faded | FactStatus::Merged => true,
        }
    }
}

/// Returns true if the user corrected a fact by hand, so that the original message states something that was never
/// true. This is determined from the fact's change history, since its value may be worded differently from the message:
/// *dog* for *puppy*.
pub(super) fn is_corrected(fact: &StoredFact) -> bool {
    let has = |text: &str, value: &str| {
        let (text, value): (Vec<String>, Vec<String>) = (words(text).collect(), words(value).collect());
        !value.is_empty() && text.windows(value.len()).any(|window| window == value)
    };
    let said = &fact.said;
    let quote = said.quote.as_deref().unwrap_or_default();
    // A correction that only made it more precise leaves the message as true as before.
    let is_wrong = |before: &String| has(quote, before) && !has(&said.content, before);
    !has(quote, &said.value) && fact.put_right.iter().any(is_wrong)
}
