//! What is private, by its words: whatever says as much is for this machine alone.

use std::collections::HashSet;

use facts::Slot;
use facts::words::terms;
use protocol::MessageId;
use store::StoredFact;

/// The private facts of somebody, as they would be recognised in other words of theirs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// The messages that they came from.
    pub(crate) sources: HashSet<MessageId>,
    /// Words that tell one of them where they stand together.
    pub(crate) telling: Vec<Vec<String>>,
}

impl Secrets {
    pub(crate) fn of<'a>(facts: impl Iterator<Item = &'a StoredFact>) -> Self {
        let mut secrets = Self::default();
        for fact in facts.filter(|fact| fact.said.private) {
            secrets.sources.extend(fact.said.message);
            let quote = fact.said.quote.as_deref().map(terms);
            let all = [Some(terms(&fact.said.content)), quote, named(fact)];
            secrets.telling.extend(all.into_iter().flatten().filter(|words| !words.is_empty()));
        }
        secrets
    }

    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.telling.is_empty()
    }

    /// Whether a text tells one of them.
    pub fn are_in(&self, text: &str) -> bool {
        let has: HashSet<String> = terms(text).into_iter().collect();
        self.telling.iter().any(|words| words.iter().all(|word| has.contains(word)))
    }
}

/// What is of which kind: *dog* and *Max*. One of them alone tells nothing.
fn named(fact: &StoredFact) -> Option<Vec<String>> {
    let slot: Slot = fact.said.slot.as_deref()?.parse().ok()?;
    let (of, value) = (terms(&slot.of), terms(&fact.said.value));
    (!of.is_empty() && !value.is_empty() && of != value).then(|| [of, value].concat())
}
