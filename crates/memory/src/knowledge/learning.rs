//! Learns facts from messages.
//!
//! After an answer is complete, patterns look for facts in what the user wrote. Each finding is compared with the known
//! facts: it is new, a repetition, a replacement, or an end. A message that was not read, because the program ended
//! before, is read later by the maintenance. There, a larger model may propose what the patterns cannot read, with the
//! words that each fact rests on; on its word alone nothing is replaced or ended.

use facts::{Finding, KnownFact, ReconcileOutcome};
use jiff::civil::Date;
use protocol::{FactCategory, FactId, FactStatus};
use store::{FactUpdate, NewFact, RecallableMessage, StoredFact};
use text::terms;

use super::DEFAULT_IMPORTANCE;
use super::extraction::MessageFindings;
use super::fact_text::{LONGEST_FACT, slot_and_value};
use crate::memory::{Memory, Result};

/// A fact that a model, rather than the patterns, found in a message.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposedFact {
    pub category: FactCategory,
    pub subject: String,
    pub content: String,
    pub quote: String,
    pub confidence: f32,
    /// True if it is based on untrusted content and waits for the user's confirmation.
    pub is_doubtful: bool,
}

/// Facts that replaced something at least this many days ago are not reported: they come from an imported file.
const NEWS_DAYS: u32 = 1;

impl Memory {
    /// Extracts and stores the facts in a user's message. Doing it again changes nothing.
    pub async fn learn_from(&self, message: &RecallableMessage) -> Result<Vec<FactId>> {
        let _lock = self.lock_facts(message.user).await?;
        let message = self.reread(message).await?.filter(|message| !message.is_read);
        let Some(message) = message else { return Ok(Vec::new()) };
        let known = self.known_facts(message.user).await?;
        let names = self.known_names(message.user, known.iter().map(|(_, known)| known)).await?;
        let mut beliefs: Vec<KnownFact> = known.into_iter().map(|(_, known)| known).collect();
        let mut steps = Vec::new();
        let MessageFindings { stated, guessed } =
            self.extract_findings(&message.content, self.day(message.at), &names).await;
        if !message.is_foreign {
            let said_on = self.day(message.at);
            let mut doubted = facts::facts_in_doubt(&message.content, said_on, &names, &beliefs, &stated);
            doubted.extend(contradicted(&beliefs, &guessed, said_on));
            doubted.sort_unstable();
            doubted.dedup();
            steps.extend(doubted.into_iter().map(|id| FactUpdate::Doubt { id, by: message.id }));
        }
        for finding in stated {
            if message.is_foreign && beliefs.iter().any(|fact| fact.awaits(&finding)) {
                continue;
            }
            let settled = self.steps_for(&mut beliefs, &finding, &message);
            steps.extend(if message.is_foreign { as_unconfirmed(settled, &message) } else { settled });
        }
        let replacing = replacing(&steps);
        let learned = self.store().apply_fact_updates(message.user, steps, vec![message.id]).await?;
        if !replacing.is_empty() && self.days_since(message.at) >= NEWS_DAYS {
            self.store().mark_facts_mentioned(message.user, replacing).await?;
        }
        Ok(learned)
    }

    /// Returns the current version of a message that was read earlier: parts of it may have been forgotten since.
    async fn reread(&self, message: &RecallableMessage) -> Result<Option<RecallableMessage>> {
        Ok(self.store().said(message.user, [message.id]).await?.remove(&message.id))
    }

    /// Extracts facts from messages that have not been examined yet, and returns those messages.
    pub async fn learn_from_unread(&self, most: u32) -> Result<Vec<RecallableMessage>> {
        let unread = self.store().unread(most).await?;
        for message in &unread {
            self.learn_from(message).await?;
        }
        Ok(unread)
    }

    /// Stores what a model found in a message in addition to the patterns. Nothing is replaced or ended on its word
    /// alone.
    pub async fn propose(
        &self,
        message: &RecallableMessage,
        proposed: Vec<ProposedFact>,
    ) -> Result<Vec<FactId>> {
        let _lock = self.lock_facts(message.user).await?;
        let Some(message) = self.reread(message).await? else { return Ok(Vec::new()) };
        let known = self.known_facts(message.user).await?;
        let names = self.known_names(message.user, known.iter().map(|(_, known)| known)).await?;
        let mut steps: Vec<FactUpdate> = Vec::new();
        for one in proposed {
            let quoted = facts::is_meant(&message.content, &one.quote, &names);
            let is_new = !steps.iter().any(|step| match step {
                FactUpdate::Learn { new, .. } | FactUpdate::Confirm { new, .. } => {
                    facts::same(&new.content, &one.content)
                }
                _ => false,
            });
            let read = facts::read_note(&one.content, &one.subject, self.day(message.at), &names);
            // However clear the model's wording is, it is not the user's.
            let read = read.map(|finding| Finding { confidence: 0.0, ..finding });
            if quoted
                && is_new
                && one.content.len() <= LONGEST_FACT
                && !self.is_known_or_contradicted(&known, &one, read.as_ref(), &message)
            {
                steps.push(self.proposed_step(&known, one, read.as_ref(), &message));
            }
        }
        Ok(self.store().apply_fact_updates(message.user, steps, Vec::new()).await?)
    }

    /// Returns true if a model's finding is already known or contradicts something more certain.
    fn is_known_or_contradicted(
        &self,
        known: &[(StoredFact, KnownFact)],
        one: &ProposedFact,
        read: Option<&Finding>,
        message: &RecallableMessage,
    ) -> bool {
        let words = terms(&one.content);
        // The patterns read the same in this message, in other words.
        let is_read = |fact: &StoredFact| {
            let value = terms(&fact.said.value);
            fact.said.message == Some(message.id)
                && fact.said.subject == one.subject
                && !value.is_empty()
                && value.iter().all(|word| words.contains(word))
        };
        let is_known = known.iter().any(|(fact, _)| {
            let counts = one.is_doubtful || fact.said.status != FactStatus::Unconfirmed;
            let same = facts::same(&fact.said.content, &one.content);
            counts && (same || fact.said.quote.as_deref() == Some(&one.quote) || is_read(fact))
        });
        let beliefs: Vec<KnownFact> = known.iter().map(|(_, known)| known.clone()).collect();
        let settled = read.map(|finding| facts::reconcile(&beliefs, finding, self.day(message.at)));
        let fills = slot_and_value(read).0.is_some();
        let says_no_more = matches!(
            settled,
            Some(ReconcileOutcome::Repeat(_) | ReconcileOutcome::Ignore | ReconcileOutcome::Earlier { .. })
        );
        is_known || fills && says_no_more
    }

    fn proposed_step(
        &self,
        known: &[(StoredFact, KnownFact)],
        one: ProposedFact,
        read: Option<&Finding>,
        message: &RecallableMessage,
    ) -> FactUpdate {
        let awaited = known.iter().find(|(fact, known)| {
            let same = fact.said.subject == one.subject && facts::same(&fact.said.content, &one.content);
            fact.said.status == FactStatus::Unconfirmed
                && (same || read.is_some_and(|finding| known.awaits(finding)))
        });
        let awaited = awaited.filter(|_| !one.is_doubtful).map(|(fact, _)| fact.id);
        let (slot, value) = slot_and_value(read);
        let said_on = self.day(message.at);
        let kind = slot.as_ref().and(read).and_then(|finding| finding.slot.as_ref());
        let new = NewFact {
            category: one.category,
            status: if one.is_doubtful { FactStatus::Unconfirmed } else { FactStatus::Current },
            subject: read.map_or(one.subject, |finding| finding.subject.clone()),
            expires_at: facts::expiry(one.category, kind, said_on).and_then(|day| self.start_of_day(day)),
            slot,
            value,
            private: facts::is_secret(&one.content) || facts::is_secret(&one.quote),
            content: one.content,
            quote: Some(one.quote),
            confidence: one.confidence,
            importance: DEFAULT_IMPORTANCE,
            valid_from: None,
            valid_to: None,
            lasting: false,
            conversation: Some(message.conversation),
            message: Some(message.id),
            imported_from: None,
            origins: if one.is_doubtful { message.origins.clone() } else { Vec::new() },
        };
        let replaces = Vec::new();
        match awaited {
            Some(id) => FactUpdate::Confirm { id, new, replaces },
            None => FactUpdate::Learn { id: self.store().fact_id(), new, replaces },
        }
    }

    /// Decides the steps for a finding. `beliefs` is updated for the next one.
    fn steps_for(
        &self,
        beliefs: &mut Vec<KnownFact>,
        finding: &Finding,
        message: &RecallableMessage,
    ) -> Vec<FactUpdate> {
        match facts::reconcile(beliefs, finding, self.day(message.at)) {
            ReconcileOutcome::Ignore => Vec::new(),
            ReconcileOutcome::New => {
                vec![self.learn_step(beliefs, finding, message, Vec::new(), (None, None))]
            }
            ReconcileOutcome::Earlier { until } => {
                vec![self.learn_step(beliefs, finding, message, Vec::new(), (None, Some(until)))]
            }
            ReconcileOutcome::Repeat(id) => {
                let confidence = beliefs.iter_mut().find(|fact| fact.id == id).map(|fact| {
                    fact.confidence = facts::confidence_after_repetition(fact.confidence);
                    fact.confidence
                });
                confidence.map(|confidence| FactUpdate::Repeat { id, confidence }).into_iter().collect()
            }
            ReconcileOutcome::Supersede { old, on } => {
                for fact in beliefs.iter_mut().filter(|fact| old.contains(&fact.id)) {
                    fact.status = FactStatus::Superseded;
                    fact.valid_to = fact.valid_to.or(Some(on));
                }
                vec![self.learn_step(beliefs, finding, message, old, (Some(on), None))]
            }
            ReconcileOutcome::End { old, on } => {
                for fact in beliefs.iter_mut().filter(|fact| old.contains(&fact.id)) {
                    fact.status = FactStatus::Expired;
                    fact.valid_to = Some(on);
                }
                let at = self.start_of_day(on).unwrap_or(message.at);
                old.into_iter().map(|id| FactUpdate::End { id, at }).collect()
            }
        }
    }

    /// Creates a fact from a finding, with the days from and until which it held. The user's own words confirm an
    /// unconfirmed fact that matches.
    fn learn_step(
        &self,
        beliefs: &mut Vec<KnownFact>,
        finding: &Finding,
        message: &RecallableMessage,
        replaces: Vec<FactId>,
        (from, until): (Option<Date>, Option<Date>),
    ) -> FactUpdate {
        let said_on = self.day(message.at);
        let awaited = beliefs.iter().position(|fact| until.is_none() && fact.awaits(finding));
        let awaited = awaited.map(|place| beliefs.remove(place).id);
        let status = if until.is_some() { FactStatus::Expired } else { FactStatus::Current };
        let valid_from = finding.valid_from.or(from);
        let valid_to = until.or(finding.valid_to);
        let expires =
            finding.expires.or_else(|| facts::expiry(finding.category, finding.slot.as_ref(), said_on));
        let id = awaited.unwrap_or_else(|| self.store().fact_id());
        beliefs.push(KnownFact {
            id,
            subject: finding.subject.clone(),
            slot: finding.slot.clone(),
            value: finding.value.clone(),
            content: finding.content.clone(),
            confidence: finding.confidence,
            status,
            learned: said_on,
            valid_from,
            valid_to,
            expires,
            is_doubted: false,
        });
        let new = NewFact {
            category: finding.category,
            status,
            subject: finding.subject.clone(),
            slot: finding.slot.as_ref().map(ToString::to_string),
            value: finding.value.clone(),
            content: finding.content.clone(),
            quote: Some(finding.quote.clone()),
            confidence: finding.confidence,
            importance: finding.importance,
            valid_from: valid_from.and_then(|day| self.start_of_day(day)),
            valid_to: valid_to.and_then(|day| self.start_of_day(day)),
            expires_at: expires.and_then(|day| self.start_of_day(day)),
            private: facts::is_secret(&finding.content) || facts::is_secret(&finding.quote),
            lasting: false,
            conversation: Some(message.conversation),
            message: Some(message.id),
            imported_from: None,
            origins: Vec::new(),
        };
        match awaited {
            Some(id) => FactUpdate::Confirm { id, new, replaces },
            None => FactUpdate::Learn { id, new, replaces },
        }
    }
}

/// Returns the facts that would no longer hold if the guesses were right.
fn contradicted(beliefs: &[KnownFact], guessed: &[Finding], said_on: Date) -> Vec<FactId> {
    let settled = guessed.iter().map(|finding| facts::reconcile(beliefs, finding, said_on));
    let contradicted = settled.flat_map(|outcome| match outcome {
        ReconcileOutcome::Supersede { old, .. } | ReconcileOutcome::End { old, .. } => old,
        _ => Vec::new(),
    });
    contradicted.collect()
}

/// Returns the facts that are replaced or ended.
fn replacing(steps: &[FactUpdate]) -> Vec<FactId> {
    let replacing = steps.iter().filter_map(|step| match step {
        FactUpdate::Learn { id, replaces, .. } | FactUpdate::Confirm { id, replaces, .. } => {
            (!replaces.is_empty()).then_some(*id)
        }
        FactUpdate::End { id, .. } => Some(*id),
        _ => None,
    });
    replacing.collect()
}

/// Limits what was said elsewhere, perhaps in role-play: it changes no known fact, and new facts wait for confirmation.
fn as_unconfirmed(steps: Vec<FactUpdate>, message: &RecallableMessage) -> Vec<FactUpdate> {
    let doubted = steps.into_iter().filter_map(|step| match step {
        FactUpdate::Learn { id, new, .. } if new.status == FactStatus::Current => {
            let new = NewFact { status: FactStatus::Unconfirmed, origins: message.origins.clone(), ..new };
            Some(FactUpdate::Learn { id, new, replaces: Vec::new() })
        }
        _ => None,
    });
    doubted.collect()
}
