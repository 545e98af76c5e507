//! What holds no longer, and the messages that told of it.

use std::collections::HashSet;

use facts::words::words;
use jiff::civil::Date;
use protocol::{FactStatus, MessageId};
use store::StoredFact;

use super::Library;

impl Library {
    /// Messages that told of what holds no longer, and of nothing that does: they would bring it back.
    pub(super) fn stale(&self, today: Date) -> HashSet<MessageId> {
        self.told_of_nothing_else(|fact| self.is_over(fact, today) || is_corrected(fact))
    }

    /// Messages that told of such facts and of no others.
    pub(super) fn told_of_nothing_else(&self, is_such: impl Fn(&StoredFact) -> bool) -> HashSet<MessageId> {
        let (mut others, mut such) = (HashSet::new(), HashSet::new());
        // What became one with another holds there.
        for fact in self.facts.values().filter(|fact| fact.said.status != FactStatus::Merged) {
            let those = if is_such(fact) { &mut such } else { &mut others };
            those.extend(fact.said.message);
        }
        such.difference(&others).copied().collect()
    }

    /// Whether a fact held when it was told, and does not today.
    pub fn is_over(&self, fact: &StoredFact, today: Date) -> bool {
        let said = &fact.said;
        let ends = [said.valid_to, said.expires_at].into_iter().flatten().map(|at| self.day(at));
        let end = ends.min();
        // *I used to live in Rome* is as true as ever.
        let was_past = end.is_some_and(|end| end < self.day(fact.created_at));
        match said.status {
            FactStatus::Current | FactStatus::Unconfirmed => !was_past && end.is_some_and(|end| end <= today),
            FactStatus::Expired => !was_past,
            FactStatus::Superseded | FactStatus::Faded | FactStatus::Merged => true,
        }
    }
}

/// Whether somebody put a fact right by hand, so that the words it was told in say what never was so. That is known from
/// what happened to it: its value alone may be in other words than theirs, *dog* for *puppy*.
pub(super) fn is_corrected(fact: &StoredFact) -> bool {
    let has = |text: &str, value: &str| {
        let (text, value): (Vec<String>, Vec<String>) = (words(text).collect(), words(value).collect());
        !value.is_empty() && text.windows(value.len()).any(|window| window == value)
    };
    let said = &fact.said;
    let quote = said.quote.as_deref().unwrap_or_default();
    // What only became more exact is as true as before, and so is what the words told, too.
    let is_wrong = |before: &String| has(quote, before) && !has(&said.content, before);
    !has(quote, &said.value) && fact.put_right.iter().any(is_wrong)
}
