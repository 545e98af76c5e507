//! The facts that answer a question, and what takes the place of those that are in doubt.

use std::collections::HashSet;

use facts::KnownFact;
use jiff::civil::Date;
use protocol::{MemoryItem, MemoryKind, MessageId, ScorePart, UserId};
use store::StoredFact;

use super::items::message_item;
use super::{Memory, RecallRequest, Result};
use crate::secrets::Secrets;
use crate::user_memory::{EverythingSaid, ItemKey, UserMemory};
use crate::version::StateVersion;

/// A fact that only just answers scores like a message that does; a fact that certainly answers ranks first.
const FACT_SCORE: f32 = 0.6;
const FACT_SCALE: f32 = 1.4;
const IMPORTANCE: f32 = 0.1;
/// The minimum share of the question that a fact without a slot has to match.
const MIN_SHARED: f32 = 0.5;
/// The maximum number of facts; more would crowd each other out.
const MOST_FACTS: usize = 8;

/// A fact that answers a question.
pub(super) struct FactAnswer {
    pub fact: StoredFact,
    /// The score, on the same scale as all other items.
    pub score: f32,
    /// True if it would be stated as current and may no longer hold.
    pub is_in_doubt: bool,
}

/// A question compared with the facts, before its vector is available.
pub(super) struct PreparedFacts {
    compared: facts::FactComparison,
    /// Facts without a slot are found by their words and by meaning: for each, the share of the question's words that
    /// it has.
    without_slot: Vec<(usize, f32)>,
    pub version: StateVersion,
}

impl PreparedFacts {
    /// Returns everything that the user said in messages, together with the facts that none of them states, such as
    /// those added by hand. `None` if there is not enough room or there is nothing. Facts from untrusted content do not
    /// count as said by the user.
    pub fn everything_said(
        &self,
        memory: &UserMemory,
        mut everything: EverythingSaid,
        in_context: &HashSet<MessageId>,
        today: Date,
    ) -> Option<(EverythingSaid, Vec<StoredFact>)> {
        let holds = |fact: &&KnownFact| {
            fact.holds_on(today) && fact.confidence >= facts::MIN_CONFIDENCE && !fact.is_doubted
        };
        let holding = self.compared.facts.iter().filter(holds).filter_map(|fact| memory.facts.get(&fact.id));
        let is_told = |id: MessageId| in_context.contains(&id) || everything.contains(ItemKey::message(id));
        let beside =
            holding.filter(|fact| fact.said.origins.is_empty() && !fact.said.message.is_some_and(is_told));
        let beside: Vec<StoredFact> = beside.cloned().collect();
        let has_room = beside.iter().all(|fact| everything.takes(&fact.said.content));
        let is_any = !(everything.hits.is_empty() && beside.is_empty());
        (has_room && is_any).then_some((everything, beside))
    }

    /// Returns the facts that answer, best first.
    pub fn best(&self, memory: &UserMemory, vector: Option<&[f32]>) -> Vec<FactAnswer> {
        let known = &self.compared.facts;
        let comparison = vector.and_then(|vector| memory.compare_facts(vector));
        let near = |position: usize| {
            let id = known[position].id.get().cast_unsigned();
            comparison.as_ref().and_then(|comparison| comparison.cosine(id)).unwrap_or_default()
        };
        let mut ranked = self.compared.rank(near);
        for &(position, share) in &self.without_slot {
            let share = share.max(near(position));
            let score = share * facts::MIN_ANSWER_SCORE * 2.0;
            match ranked.iter_mut().find(|(known, _)| *known == position) {
                Some((_, known)) => *known = known.max(score),
                None if share >= MIN_SHARED => ranked.push((position, score)),
                None => {}
            }
        }
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        let scaled = ranked.into_iter().filter_map(|(position, score)| {
            let fact = memory.facts.get(&known[position].id)?;
            Some(FactAnswer {
                fact: fact.clone(),
                score: FACT_SCORE + FACT_SCALE * score + IMPORTANCE * fact.said.importance,
                is_in_doubt: self.compared.is_in_doubt(position),
            })
        });
        scaled.take(MOST_FACTS).collect()
    }
}

/// Returns the end of a fact's validity, as far as it is known.
fn end_note(fact: &KnownFact) -> String {
    let end = [fact.valid_to, fact.expires].into_iter().flatten().min();
    match end.filter(|_| !fact.is_vague_past()) {
        Some(end) => format!("until {}", end.strftime("%-d %B %Y")),
        None => "in the past".to_owned(),
    }
}

impl Memory {
    /// Replaces each doubtful fact by the message that put it in doubt. If that message is gone, the fact counts as
    /// before.
    pub(super) async fn replace_doubtful(
        &self,
        user: UserId,
        doubted: Vec<FactAnswer>,
        mut facts: Vec<FactAnswer>,
        in_context: &HashSet<MessageId>,
        secrets: &Secrets,
    ) -> Result<(Vec<MemoryItem>, Vec<FactAnswer>)> {
        let by = doubted.iter().filter_map(|answer| answer.fact.doubted_by).collect();
        let said = self.inner.store.shown(user, by).await?;
        let mut items: Vec<MemoryItem> = Vec::new();
        for answer in doubted {
            let Some(message) = answer.fact.doubted_by.and_then(|id| said.get(&id)) else {
                facts.push(answer);
                continue;
            };
            let is_secret = secrets.sources.contains(&message.id) || secrets.are_in(&message.content);
            let is_there = items.iter().any(|item| item.message_id == Some(message.id));
            if !is_secret && !is_there && !in_context.contains(&message.id) {
                items.push(message_item(message.clone(), answer.score, String::new()));
            }
        }
        Ok((items, facts))
    }

    /// Compares a question with the facts: everything that can be done before its vector is available.
    pub(super) fn prepare_facts(&self, memory: &UserMemory, recall: &RecallRequest) -> PreparedFacts {
        let privacy = memory.privacy_filter(&recall.recipient);
        let known = memory.facts.values().filter(|fact| privacy.allows(fact));
        let known: Vec<KnownFact> = known.map(|fact| self.as_known(fact)).collect();
        let asked = text::terms(&recall.text);
        let today = self.today();
        let without_slot = known.iter().enumerate().filter(|(_, fact)| {
            fact.slot.is_none() && fact.holds_on(today) && fact.confidence >= facts::MIN_CONFIDENCE
        });
        let without_slot = without_slot.map(|(position, fact)| {
            let has = text::terms(&fact.content);
            let shared = asked.iter().filter(|term| has.contains(term)).count();
            #[allow(clippy::cast_precision_loss, reason = "a few words")]
            let share = shared as f32 / asked.len().max(1) as f32;
            (position, share)
        });
        PreparedFacts {
            without_slot: without_slot.collect(),
            compared: facts::FactComparison::new(&recall.text, known, today),
            version: memory.version,
        }
    }

    pub(super) fn fact_item(&self, fact: StoredFact, score: f32) -> MemoryItem {
        let known = self.as_known(&fact);
        let StoredFact { id, said, updated_at, title, .. } = fact;
        let part = |name: &str, value: f32| ScorePart { name: name.to_owned(), value };
        let importance = IMPORTANCE * said.importance;
        let over = (!known.holds_on(self.today())).then(|| end_note(&known));
        MemoryItem {
            kind: MemoryKind::Fact,
            id: id.to_string(),
            text: over.map_or(said.content.clone(), |over| format!("{} ({over})", said.content)),
            who: said.subject,
            at: Some(updated_at.to_string()),
            score,
            parts: vec![part("fact", score - importance), part("importance", importance)],
            conversation_id: said.conversation,
            message_id: said.message,
            title,
            origins: said.origins,
        }
    }
}
