//! What holds no longer, and the messages that told of it.

use std::collections::HashSet;

use facts::{Kind, Slot};
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

/// Whether a name was put right by hand, so that the words it was told in name another.
pub(super) fn is_corrected(fact: &StoredFact) -> bool {
    let said = &fact.said;
    let slot = said.slot.as_deref().and_then(|slot| slot.parse::<Slot>().ok());
    // These are told by a name as it is written.
    let named = slot.is_some_and(|slot| {
        matches!(slot.kind, Kind::Home | Kind::Employer | Kind::Pet | Kind::Relative | Kind::Name)
    });
    let quote = said.quote.as_deref().unwrap_or_default().to_lowercase();
    named && !quote.is_empty() && !quote.contains(&said.value.to_lowercase())
}
