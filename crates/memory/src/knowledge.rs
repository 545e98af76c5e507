//! Facts on top of the store: learned from messages, kept in order, shown and corrected.

#[cfg(test)]
mod doubt_tests;
#[cfg(test)]
mod embedder_tests;
mod extraction;
#[cfg(test)]
mod extraction_tests;
mod fact_editing;
#[cfg(test)]
mod fact_editing_tests;
mod fact_maintenance;
mod fact_text;
mod fact_views;
#[cfg(test)]
mod knowledge_tests;
mod learning;
mod program_notes;
#[cfg(test)]
mod programs_tests;
#[cfg(test)]
mod young_tests;

use facts::{FactSlot, KnownFact, KnownNames};
use jiff::Timestamp;
use jiff::civil::Date;
use protocol::{Fact, FactDoubt, FactSource, FactStatus, Origin, UserId};
use store::StoredFact;

pub use self::extraction::MessageFindings;
pub use self::fact_maintenance::{FactMaintenance, ReplacedFact};
pub(crate) use self::fact_text::checked_content;
pub use self::fact_views::{FactQuery, StatusFilter};
pub use self::learning::ProposedFact;
use crate::memory::{Memory, MemoryError, Result};

const DEFAULT_IMPORTANCE: f32 = 0.5;

impl Memory {
    /// Returns all facts of a user, each with its current confidence.
    pub(crate) async fn known_facts(&self, user: UserId) -> Result<Vec<(StoredFact, KnownFact)>> {
        let facts = self.store().facts(user).await?;
        Ok(facts
            .into_iter()
            .map(|fact| (self.as_known(&fact), fact))
            .map(|(known, fact)| (fact, known))
            .collect())
    }

    /// Returns the current beliefs from the facts in memory, which do not include how often each was used.
    pub(crate) async fn beliefs(&self, user: UserId) -> Result<Vec<KnownFact>> {
        self.each_fact(user, |fact| self.as_known(fact)).await
    }

    pub(crate) async fn known_names<'a>(
        &self,
        user: UserId,
        known: impl Iterator<Item = &'a KnownFact>,
    ) -> Result<KnownNames> {
        let mut names = KnownNames::new(&self.companion_for(user).await?);
        for fact in known {
            names.record_fact(&fact.subject, fact.slot.as_ref(), &fact.value);
            if let Some(slot) = fact.slot.as_ref().filter(|_| fact.holds_on(self.today())) {
                names.set_current(&fact.subject, slot, &fact.value);
            }
        }
        Ok(names)
    }

    /// Returns a fact with its current confidence.
    pub(crate) fn as_known(&self, fact: &StoredFact) -> KnownFact {
        let said = &fact.said;
        let slot = said.slot.as_deref().and_then(|slot| slot.parse::<FactSlot>().ok());
        let half_life = half_life(fact, slot.as_ref());
        KnownFact {
            id: fact.id,
            subject: said.subject.clone(),
            value: said.value.clone(),
            content: said.content.clone(),
            confidence: facts::fade(said.confidence, self.days_since(fact.updated_at), half_life),
            status: said.status,
            learned: self.day(fact.created_at),
            valid_from: said.valid_from.map(|at| self.day(at)),
            valid_to: said.valid_to.map(|at| self.day(at)),
            expires: said.expires_at.map(|at| self.first_day_after(at)),
            is_doubted: fact.doubted_by.is_some(),
            slot,
        }
    }

    fn wire_fact(&self, fact: &StoredFact, known: &KnownFact) -> Fact {
        let said = fact.said.clone();
        let counts = matches!(said.status, FactStatus::Current | FactStatus::Unconfirmed);
        let status = if counts && !known.lasts_on(self.today()) { FactStatus::Expired } else { said.status };
        let source = match (said.conversation, said.message, said.imported_from) {
            (Some(conversation_id), Some(message_id), _) => FactSource::Conversation {
                conversation_id,
                message_id,
                title: fact.title.clone().unwrap_or_default(),
            },
            (_, _, Some(name)) => FactSource::Import { name },
            _ => match said.origins.first() {
                Some(Origin::Mcp(name)) => FactSource::Program { name: name.clone() },
                _ => FactSource::Person,
            },
        };
        let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
        Fact {
            id: fact.id,
            category: said.category,
            subject: said.subject,
            content: said.content,
            quote: said.quote,
            source,
            confidence: known.confidence,
            half_life_days: half_life(fact, known.slot.as_ref()),
            importance: said.importance,
            created_at: fact.created_at.to_string(),
            updated_at: fact.updated_at.to_string(),
            last_used_at: time(fact.last_used_at),
            use_count: fact.use_count,
            valid_from: time(said.valid_from),
            valid_to: time(said.valid_to),
            expires_at: time(said.expires_at),
            private: said.private,
            status,
            superseded_by: fact.superseded_by,
            doubt: fact.doubt.as_ref().filter(|_| said.status == FactStatus::Current).map(|doubt| {
                FactDoubt {
                    conversation_id: doubt.conversation,
                    message_id: doubt.message,
                    at: doubt.at.to_string(),
                    words: doubt.words.clone(),
                }
            }),
            origins: said.origins,
        }
    }

    /// Returns the first day on which something that ends at `at` no longer holds. What ends later today still holds
    /// today.
    fn first_day_after(&self, at: Timestamp) -> Date {
        let day = self.day(at);
        let lasts = at > self.now() && self.start_of_day(day) != Some(at);
        if lasts { day.tomorrow().unwrap_or(day) } else { day }
    }

    fn days_since(&self, at: Timestamp) -> u32 {
        let hours = self.now().duration_since(at).as_hours();
        u32::try_from(hours / 24).unwrap_or(0)
    }

    /// Returns the start of a day in the user's time zone.
    fn start_of_day(&self, day: Date) -> Option<Timestamp> {
        day.to_zoned(self.zone()).ok().map(|zoned| zoned.timestamp())
    }

    /// Parses a day or a timestamp. Empty text means never.
    fn parse_time(&self, text: Option<&str>) -> Result<Option<Timestamp>> {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
        let day =
            text.parse::<Date>().ok().filter(|_| !text.contains('T')).and_then(|day| self.start_of_day(day));
        let moment = day.or_else(|| text.parse().ok());
        moment
            .map(Some)
            .ok_or_else(|| MemoryError::Invalid(format!("“{text}” is not a date. Write it like 2026-05-01")))
    }
}

fn half_life(fact: &StoredFact, slot: Option<&FactSlot>) -> Option<u32> {
    if fact.said.lasting { None } else { facts::half_life_days(fact.said.category, slot) }
}
