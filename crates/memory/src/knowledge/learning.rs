//! From what is said to facts.

use jiff::civil::Date;
use protocol::{FactCategory, FactId, FactStatus};
use store::{FactStep, NewFact, SaidMessage, StoredFact};

use super::{LONGEST, USUAL_IMPORTANCE};
use crate::facts::{self, Finding, Known, Outcome};
use crate::memory::{Memory, Result};
use crate::recall::terms;

/// What somebody else than the patterns found in a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposed {
    pub category: FactCategory,
    pub subject: String,
    pub content: String,
    pub quote: String,
    pub confidence: f32,
    /// It rests on words of others, and waits for a yes.
    pub is_doubtful: bool,
}

impl Memory {
    /// Looks for facts in what a user said, and keeps them. Doing it again changes nothing.
    pub async fn reflect(&self, message: &SaidMessage) -> Result<Vec<FactId>> {
        let known = self.known(message.user).await?;
        if known.iter().any(|(fact, _)| fact.said.message == Some(message.id)) {
            return Ok(self.store().settle_facts(message.user, Vec::new(), vec![message.id]).await?);
        }
        let names = self.names_of(message.user, &known).await?;
        let said_on = self.day(message.at);
        let mut beliefs: Vec<Known> = known.iter().map(|(_, known)| known.clone()).collect();
        let mut steps = Vec::new();
        for finding in facts::extract(&message.content, said_on, &names) {
            let settled = self.settled(&mut beliefs, &finding, said_on, message);
            steps.extend(if message.is_foreign { doubted(settled, message) } else { settled });
        }
        let learned = self.store().settle_facts(message.user, steps, vec![message.id]).await?;
        Ok(learned)
    }

    /// Looks for facts in messages that nobody looked at yet. Returns how many there were.
    pub async fn reflect_unread(&self, most: u32) -> Result<usize> {
        let unread = self.store().unread(most).await?;
        for message in &unread {
            self.reflect(message).await?;
        }
        Ok(unread.len())
    }

    /// What a model found in a message, beside what the patterns did. Nothing is replaced or ended on its word alone.
    pub async fn propose(&self, message: &SaidMessage, proposed: Vec<Proposed>) -> Result<Vec<FactId>> {
        let known = self.known(message.user).await?;
        let mut steps: Vec<FactStep> = Vec::new();
        for one in proposed {
            let quoted = message.content.contains(one.quote.trim()) && !one.quote.trim().is_empty();
            let same = |content: &str| facts::same(content, &one.content);
            let words = terms(&one.content);
            // What the patterns read in this very message, in other words.
            let is_read = |fact: &StoredFact| {
                let value = terms(&fact.said.value);
                fact.said.message == Some(message.id)
                    && fact.said.subject == one.subject
                    && !value.is_empty()
                    && value.iter().all(|word| words.contains(word))
            };
            let is_known = known.iter().any(|(fact, _)| {
                same(&fact.said.content) || fact.said.quote.as_deref() == Some(&one.quote) || is_read(fact)
            });
            let is_new =
                !steps.iter().any(|step| matches!(step, FactStep::Learn { new, .. } if same(&new.content)));
            if !quoted || is_known || !is_new || one.content.len() > LONGEST {
                continue;
            }
            let status = if one.is_doubtful { FactStatus::Unconfirmed } else { FactStatus::Current };
            let new = NewFact {
                category: one.category,
                status,
                subject: one.subject,
                slot: None,
                value: String::new(),
                content: one.content,
                quote: Some(one.quote),
                confidence: one.confidence,
                importance: USUAL_IMPORTANCE,
                valid_from: None,
                valid_to: None,
                expires_at: facts::expiry(one.category, None, self.day(message.at))
                    .and_then(|day| self.at(day)),
                private: false,
                lasting: false,
                conversation: Some(message.conversation),
                message: Some(message.id),
                imported_from: None,
                origins: if one.is_doubtful { message.origins.clone() } else { Vec::new() },
            };
            steps.push(FactStep::Learn { id: self.store().fact_id(), new, replaces: Vec::new() });
        }
        Ok(self.store().settle_facts(message.user, steps, Vec::new()).await?)
    }

    /// What becomes of a finding. What is known is brought along, for the next one.
    fn settled(
        &self,
        beliefs: &mut Vec<Known>,
        finding: &Finding,
        said_on: Date,
        message: &SaidMessage,
    ) -> Vec<FactStep> {
        let learn = |this: &Self,
                     beliefs: &mut Vec<Known>,
                     replaces: Vec<FactId>,
                     from: Option<Date>,
                     until: Option<Date>| {
            let id = this.store().fact_id();
            let status = if until.is_some() { FactStatus::Expired } else { FactStatus::Current };
            let valid_from = finding.valid_from.or(from);
            let valid_to = until.or(finding.valid_to);
            let expires =
                finding.expires.or_else(|| facts::expiry(finding.category, finding.slot.as_ref(), said_on));
            beliefs.push(Known {
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
                valid_from: valid_from.and_then(|day| this.at(day)),
                valid_to: valid_to.and_then(|day| this.at(day)),
                expires_at: expires.and_then(|day| this.at(day)),
                private: false,
                lasting: false,
                conversation: Some(message.conversation),
                message: Some(message.id),
                imported_from: None,
                origins: Vec::new(),
            };
            FactStep::Learn { id, new, replaces }
        };
        match facts::settle(beliefs, finding, said_on) {
            Outcome::Ignore => Vec::new(),
            Outcome::New => vec![learn(self, beliefs, Vec::new(), None, None)],
            Outcome::Earlier { until } => vec![learn(self, beliefs, Vec::new(), None, Some(until))],
            Outcome::Repeat(id) => {
                let confidence = beliefs.iter_mut().find(|fact| fact.id == id).map(|fact| {
                    fact.confidence = facts::repeated(fact.confidence);
                    fact.confidence
                });
                confidence.map(|confidence| FactStep::Repeat { id, confidence }).into_iter().collect()
            }
            Outcome::Supersede { old, on } => {
                for fact in beliefs.iter_mut().filter(|fact| old.contains(&fact.id)) {
                    fact.status = FactStatus::Superseded;
                    fact.valid_to = fact.valid_to.or(Some(on));
                }
                vec![learn(self, beliefs, old, Some(on), None)]
            }
            Outcome::End { old, on } => {
                for fact in beliefs.iter_mut().filter(|fact| old.contains(&fact.id)) {
                    fact.status = FactStatus::Expired;
                    fact.valid_to = Some(on);
                }
                let at = self.at(on).unwrap_or(message.at);
                old.into_iter().map(|id| FactStep::End { id, at }).collect()
            }
        }
    }
}

/// What was said elsewhere, perhaps in play, changes nothing that is known: new things wait for a yes.
fn doubted(steps: Vec<FactStep>, message: &SaidMessage) -> Vec<FactStep> {
    let doubted = steps.into_iter().filter_map(|step| match step {
        FactStep::Learn { id, new, .. } if new.status == FactStatus::Current => {
            let new = NewFact { status: FactStatus::Unconfirmed, origins: message.origins.clone(), ..new };
            Some(FactStep::Learn { id, new, replaces: Vec::new() })
        }
        _ => None,
    });
    doubted.collect()
}
