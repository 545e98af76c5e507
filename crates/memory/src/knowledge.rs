//! Facts on top of the store: learned from messages, kept in order, shown and corrected.

mod desk;
#[cfg(test)]
mod desk_tests;
#[cfg(test)]
mod doubt_tests;
#[cfg(test)]
mod embedder_tests;
#[cfg(test)]
mod knowledge_tests;
mod learning;
mod meaning;
#[cfg(test)]
mod meaning_tests;
mod notes;
mod order;
#[cfg(test)]
mod programs_tests;
#[cfg(test)]
mod young_tests;

use facts::{Known, Names, Slot};
use jiff::Timestamp;
use jiff::civil::Date;
use protocol::{Fact, FactDoubt, FactSource, FactStatus, Origin, UserId};
use store::StoredFact;

pub(crate) use self::desk::checked;
pub use self::desk::{FactQuery, StatusFilter};
pub use self::learning::Proposed;
pub use self::meaning::Findings;
pub use self::order::{Replaced, Tidied};
use crate::memory::{Memory, MemoryError, Result};

const USUAL_IMPORTANCE: f32 = 0.5;
const LONGEST: usize = 2_000;

impl Memory {
    /// Returns all facts of a user, each with its current confidence.
    pub(crate) async fn known(&self, user: UserId) -> Result<Vec<(StoredFact, Known)>> {
        let facts = self.store().facts(user).await?;
        Ok(facts
            .into_iter()
            .map(|fact| (self.believed(&fact), fact))
            .map(|(known, fact)| (fact, known))
            .collect())
    }

    /// Returns the current beliefs from the facts in memory, which do not include how often each was used.
    pub(crate) async fn beliefs(&self, user: UserId) -> Result<Vec<Known>> {
        self.each_fact(user, |fact| self.believed(fact)).await
    }

    pub(crate) async fn names_of<'a>(
        &self,
        user: UserId,
        known: impl Iterator<Item = &'a Known>,
    ) -> Result<Names> {
        let mut names = Names::new(&self.companion_for(user).await?);
        for fact in known {
            names.learn(&fact.subject, fact.slot.as_ref(), &fact.value);
            if let Some(slot) = fact.slot.as_ref().filter(|_| fact.holds_on(self.today())) {
                names.hold(&fact.subject, slot, &fact.value);
            }
        }
        Ok(names)
    }

    /// Returns a fact with its current confidence.
    pub(crate) fn believed(&self, fact: &StoredFact) -> Known {
        let said = &fact.said;
        let slot = said.slot.as_deref().and_then(|slot| slot.parse::<Slot>().ok());
        let half_life = half_life(fact, slot.as_ref());
        Known {
            id: fact.id,
            subject: said.subject.clone(),
            value: said.value.clone(),
            content: said.content.clone(),
            confidence: facts::fade(said.confidence, self.days_since(fact.updated_at), half_life),
            status: said.status,
            learned: self.day(fact.created_at),
            valid_from: said.valid_from.map(|at| self.day(at)),
            valid_to: said.valid_to.map(|at| self.day(at)),
            expires: said.expires_at.map(|at| self.first_day_without(at)),
            is_doubted: fact.doubted_by.is_some(),
            slot,
        }
    }

    fn shown(&self, fact: &StoredFact, known: &Known) -> Fact {
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
    fn first_day_without(&self, at: Timestamp) -> Date {
        let day = self.day(at);
        let lasts = at > self.now() && self.at(day) != Some(at);
        if lasts { day.tomorrow().unwrap_or(day) } else { day }
    }

    fn days_since(&self, at: Timestamp) -> u32 {
        let hours = self.now().duration_since(at).as_hours();
        u32::try_from(hours / 24).unwrap_or(0)
    }

    /// Returns the start of a day in the user's time zone.
    fn at(&self, day: Date) -> Option<Timestamp> {
        day.to_zoned(self.zone()).ok().map(|zoned| zoned.timestamp())
    }

    /// Parses a day or a timestamp. Empty text means never.
    fn moment(&self, text: Option<&str>) -> Result<Option<Timestamp>> {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
        let day = text.parse::<Date>().ok().filter(|_| !text.contains('T')).and_then(|day| self.at(day));
        let moment = day.or_else(|| text.parse().ok());
        moment
            .map(Some)
            .ok_or_else(|| MemoryError::Invalid(format!("“{text}” is not a day. Write it as 2026-05-01")))
    }
}

fn half_life(fact: &StoredFact, slot: Option<&Slot>) -> Option<u32> {
    if fact.said.lasting { None } else { facts::half_life_days(fact.said.category, slot) }
}
