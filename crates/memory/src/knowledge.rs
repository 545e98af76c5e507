//! Facts over the store: learned from what is said, kept in order, shown and corrected.

use jiff::Timestamp;
use jiff::civil::Date;
use protocol::{
    CategoryCount, Fact, FactCategory, FactChange, FactChangeKind, FactHistory, FactId, FactList, FactPatch,
    FactSource, FactStatus, MergeFactsRequest, NewFactRequest, Timeline, TimelineEntry, UserId,
};
use store::{FactStep, NewFact, SaidMessage, StoredFact, StoredFactChange};

use crate::facts::{self, Finding, Known, Names, Outcome, Slot};
use crate::memory::{Memory, MemoryError, Result};
use crate::recall::terms;

/// What a person writes down is sure.
const BY_HAND: f32 = 0.95;
const USUAL_IMPORTANCE: f32 = 0.5;
const LONGEST: usize = 2_000;
const PAGE: usize = 100;
const MOST: usize = 500;

/// Which facts to show.
#[derive(Debug, Clone, Default)]
pub struct FactQuery {
    pub words: Option<String>,
    pub category: Option<FactCategory>,
    /// Those that count, where nothing is said.
    pub status: Option<StatusFilter>,
    pub cursor: Option<String>,
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusFilter {
    Current,
    Unconfirmed,
    /// Replaced, expired, faded or merged.
    Past,
    All,
}

/// What was done to keep the facts in order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tidied {
    pub expired: usize,
    pub faded: usize,
    pub merged: usize,
    pub promoted: usize,
}

/// Something that took the place of something else, and was not spoken of yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    pub id: FactId,
    pub now: String,
    pub before: String,
}

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

    /// Looks for facts in messages that nobody looked at yet. Returns how many there were.
    pub async fn reflect_unread(&self, most: u32) -> Result<usize> {
        let unread = self.store().unread(most).await?;
        for message in &unread {
            self.reflect(message).await?;
        }
        Ok(unread.len())
    }

    /// Keeps a user's facts in order: what is past its day expires, what nobody speaks of fades, what says the same is
    /// merged, and what was sure for long is kept.
    pub async fn tidy(&self, user: UserId) -> Result<Tidied> {
        let today = self.today();
        let known = self.known(user).await?;
        let mut tidied = Tidied::default();
        let mut steps = Vec::new();
        let mut kept: Vec<&StoredFact> = Vec::new();
        for (fact, known) in &known {
            if !matches!(fact.said.status, FactStatus::Current | FactStatus::Unconfirmed) {
                continue;
            }
            let change = |status, kind| {
                let said = NewFact { status, ..fact.said.clone() };
                FactStep::Change { fact: StoredFact { said, ..fact.clone() }, kind }
            };
            if !known.holds_on(today) {
                tidied.expired += 1;
                steps.push(change(FactStatus::Expired, FactChangeKind::Expired));
                continue;
            }
            if known.confidence < facts::PRUNE_BELOW {
                tidied.faded += 1;
                steps.push(change(FactStatus::Faded, FactChangeKind::Faded));
                continue;
            }
            let same = |other: &&&StoredFact| {
                other.said.subject == fact.said.subject
                    && other.said.slot == fact.said.slot
                    && facts::same(&other.said.content, &fact.said.content)
            };
            if let Some(&into) = kept.iter().find(same) {
                tidied.merged += 1;
                let said = NewFact { confidence: facts::repeated(into.said.confidence), ..into.said.clone() };
                let into = StoredFact { said, said_count: into.said_count + fact.said_count, ..into.clone() };
                steps.push(FactStep::Merge { into, others: vec![fact.id] });
                continue;
            }
            let days = self.days_since(fact.created_at);
            if !fact.said.lasting && facts::is_promoted(fact.said.confidence, fact.said_count, days) {
                tidied.promoted += 1;
                let said = NewFact { lasting: true, ..fact.said.clone() };
                steps.push(FactStep::Change {
                    fact: StoredFact { said, ..fact.clone() },
                    kind: FactChangeKind::Promoted,
                });
            }
            kept.push(fact);
        }
        // Each by itself: a fact may be merged into more than once.
        for step in steps {
            self.store().settle_facts(user, vec![step], Vec::new()).await?;
        }
        Ok(tidied)
    }

    /// What took the place of something else and was not spoken of yet.
    pub async fn untold(&self, user: UserId) -> Result<Vec<Replaced>> {
        let known = self.known(user).await?;
        let mut replaced = Vec::new();
        for (fact, _) in
            known.iter().filter(|(fact, _)| fact.untold && fact.said.status == FactStatus::Current)
        {
            let before = known.iter().rfind(|(old, _)| old.superseded_by == Some(fact.id));
            if let Some((before, _)) = before {
                replaced.push(Replaced {
                    id: fact.id,
                    now: fact.said.content.clone(),
                    before: before.said.content.clone(),
                });
            }
        }
        Ok(replaced)
    }

    pub async fn told(&self, user: UserId, ids: Vec<FactId>) -> Result<()> {
        Ok(self.store().told_facts(user, ids).await?)
    }

    /// Counts that facts were recalled.
    pub async fn used(&self, user: UserId, ids: Vec<FactId>) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        Ok(self.store().use_facts(user, ids).await?)
    }

    pub async fn facts(&self, user: UserId, query: FactQuery) -> Result<FactList> {
        let known = self.known(user).await?;
        let facts: Vec<Fact> = known.iter().map(|(fact, known)| self.shown(fact, known)).collect();
        let current = |fact: &&Fact| fact.status == FactStatus::Current;
        let mut categories: Vec<CategoryCount> = Vec::new();
        for fact in facts.iter().filter(current) {
            match categories.iter_mut().find(|count| count.category == fact.category) {
                Some(count) => count.facts += 1,
                None => categories.push(CategoryCount { category: fact.category, facts: 1 }),
            }
        }
        categories.sort_by_key(|count| count.category);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let unconfirmed = count(facts.iter().filter(|fact| fact.status == FactStatus::Unconfirmed).count());
        let wanted = |fact: &Fact| {
            let status = match query.status.unwrap_or(StatusFilter::Current) {
                StatusFilter::Current => fact.status == FactStatus::Current,
                StatusFilter::Unconfirmed => fact.status == FactStatus::Unconfirmed,
                StatusFilter::Past => !matches!(fact.status, FactStatus::Current | FactStatus::Unconfirmed),
                StatusFilter::All => true,
            };
            status && query.category.is_none_or(|category| category == fact.category)
        };
        let mut chosen: Vec<Fact> = facts.into_iter().filter(wanted).collect();
        chosen.reverse();
        if let Some(words) = query.words.as_deref().map(str::trim).filter(|words| !words.is_empty()) {
            chosen = matching(chosen, words);
        }
        let total = count(chosen.len());
        let from = query.cursor.as_deref().and_then(|cursor| cursor.parse::<usize>().ok()).unwrap_or(0);
        let limit = query.limit.unwrap_or(PAGE).clamp(1, MOST);
        let next = (chosen.len() > from + limit).then(|| (from + limit).to_string());
        let facts = chosen.into_iter().skip(from).take(limit).collect();
        Ok(FactList { facts, next, categories, unconfirmed, total })
    }

    pub async fn fact(&self, user: UserId, id: FactId) -> Result<Fact> {
        let fact = self.store().fact(user, id).await?;
        Ok(self.shown(&fact, &self.believed(&fact)))
    }

    /// Writes down what a person says. It is sure, and does not fade.
    pub async fn add_fact(&self, user: UserId, request: NewFactRequest) -> Result<Fact> {
        self.add_fact_from(user, request, None).await
    }

    /// Writes down what a person says is so, by hand or in a file. Where its words can be read, it takes the place of
    /// what it contradicts.
    pub(crate) async fn add_fact_from(
        &self,
        user: UserId,
        request: NewFactRequest,
        imported_from: Option<String>,
    ) -> Result<Fact> {
        let content = checked(&request.content)?;
        let known = self.known(user).await?;
        let today = self.today();
        let subject = request.subject.unwrap_or_default().trim().to_owned();
        let mut found = facts::extract(&content, today, &self.names_of(user, &known).await?);
        // One reading of all of it is a reading; of several, none is.
        let read = if found.len() == 1 && subject.is_empty() { found.pop() } else { None };
        let beliefs: Vec<Known> = known.into_iter().map(|(_, known)| known).collect();
        let replaces = match read.as_ref().map(|finding| facts::settle(&beliefs, finding, today)) {
            Some(Outcome::Supersede { old, .. }) => old,
            _ => Vec::new(),
        };
        let category = request.category.or_else(|| read.as_ref().map(|finding| finding.category));
        let new = NewFact {
            category: category.unwrap_or(FactCategory::Personal),
            status: FactStatus::Current,
            subject: read.as_ref().map_or(subject, |finding| finding.subject.clone()),
            slot: read.as_ref().and_then(|finding| Some(finding.slot.as_ref()?.to_string())),
            value: read.map(|finding| finding.value).unwrap_or_default(),
            content,
            quote: None,
            confidence: BY_HAND,
            importance: request.importance.unwrap_or(USUAL_IMPORTANCE),
            valid_from: self.moment(request.valid_from.as_deref())?,
            valid_to: None,
            expires_at: self.moment(request.expires_at.as_deref())?,
            private: request.private,
            lasting: true,
            conversation: None,
            message: None,
            imported_from,
            origins: Vec::new(),
        };
        let id = self.store().fact_id();
        self.store().settle_facts(user, vec![FactStep::Learn { id, new, replaces }], Vec::new()).await?;
        self.fact(user, id).await
    }

    pub async fn patch_fact(&self, user: UserId, id: FactId, patch: FactPatch) -> Result<Fact> {
        let before = self.store().fact(user, id).await?;
        let mut fact = before.clone();
        let mut kind = FactChangeKind::Edited;
        if let Some(content) = &patch.content {
            fact.said.content = checked(content)?;
            fact.said.confidence = fact.said.confidence.max(BY_HAND);
            if fact.said.content != before.said.content {
                // Its slot was read from other words.
                fact.said.slot = None;
                fact.said.value = String::new();
            }
        }
        fact.said.category = patch.category.unwrap_or(fact.said.category);
        fact.said.importance = patch.importance.unwrap_or(fact.said.importance);
        fact.said.private = patch.private.unwrap_or(fact.said.private);
        if let Some(expires) = &patch.expires_at {
            fact.said.expires_at = self.moment(Some(expires))?;
        }
        if let Some(confirmed) = patch.confirmed {
            kind = if confirmed { FactChangeKind::Confirmed } else { FactChangeKind::Faded };
            fact.said.status = if confirmed { FactStatus::Current } else { FactStatus::Faded };
            if confirmed {
                fact.said.confidence = fact.said.confidence.max(BY_HAND);
                fact.superseded_by = None;
                fact.said.valid_to = None;
            }
        }
        if fact != before {
            fact.updated_at = self.now();
            let step = FactStep::Change { fact, kind };
            self.store().settle_facts(user, vec![step], Vec::new()).await?;
        }
        self.fact(user, id).await
    }

    pub async fn merge_facts(&self, user: UserId, request: MergeFactsRequest) -> Result<Fact> {
        let [first, others @ ..] = request.ids.as_slice() else {
            return Err(MemoryError::Invalid("name the facts that are to become one".into()));
        };
        if others.is_empty() || others.contains(first) {
            return Err(MemoryError::Invalid("two different facts at least are needed to merge".into()));
        }
        let mut into = self.store().fact(user, *first).await?;
        for &other in others {
            let other = self.store().fact(user, other).await?;
            into.said.confidence = into.said.confidence.max(other.said.confidence);
            into.said.importance = into.said.importance.max(other.said.importance);
            into.said_count = into.said_count.saturating_add(other.said_count);
        }
        if let Some(content) = &request.content {
            into.said.content = checked(content)?;
        }
        into.updated_at = self.now();
        let step = FactStep::Merge { into, others: others.to_vec() };
        self.store().settle_facts(user, vec![step], Vec::new()).await?;
        self.fact(user, *first).await
    }

    pub async fn fact_history(&self, user: UserId, id: FactId) -> Result<FactHistory> {
        let changes = self.store().fact_changes(user, id).await?;
        let can_undo =
            changes.last().is_some_and(|last| last.before.is_some() || last.kind == FactChangeKind::Replaced);
        let mut told = Vec::new();
        for change in changes {
            let StoredFactChange { at, kind, before, other, other_content, .. } = change;
            told.push(FactChange {
                at: at.to_string(),
                kind,
                before: before.map(|fact| fact.said.content),
                other,
                other_content,
            });
        }
        Ok(FactHistory { changes: told, can_undo })
    }

    pub async fn undo_fact(&self, user: UserId, id: FactId) -> Result<Fact> {
        self.store().undo_fact(user, id).await?;
        self.fact(user, id).await
    }

    /// What was learned, replaced and let go, by days, newest first.
    pub async fn timeline(&self, user: UserId, before: Option<&str>) -> Result<Timeline> {
        let before = before.and_then(|cursor| cursor.parse().ok());
        let changes =
            self.store().latest_fact_changes(user, before, u32::try_from(PAGE).unwrap_or(u32::MAX)).await?;
        let next =
            (changes.len() == PAGE).then(|| changes.last().map(|(number, _)| number.to_string())).flatten();
        let mut days: Vec<protocol::MemoryDay> = Vec::new();
        for (_, change) in changes {
            let fact = self.fact(user, change.fact).await?;
            let entry = TimelineEntry {
                at: change.at.to_string(),
                kind: change.kind,
                before: change
                    .before
                    .map(|before| before.said.content)
                    .filter(|before| *before != fact.content),
                fact,
            };
            let day = self.day(change.at).to_string();
            match days.last_mut().filter(|last| last.day == day) {
                Some(last) => last.entries.push(entry),
                None => days.push(protocol::MemoryDay { day, entries: vec![entry] }),
            }
        }
        Ok(Timeline { days, next })
    }

    /// All facts of a user, each with how much it is believed today.
    pub(crate) async fn known(&self, user: UserId) -> Result<Vec<(StoredFact, Known)>> {
        let facts = self.store().facts(user).await?;
        Ok(facts
            .into_iter()
            .map(|fact| (self.believed(&fact), fact))
            .map(|(known, fact)| (fact, known))
            .collect())
    }

    async fn names_of(&self, user: UserId, known: &[(StoredFact, Known)]) -> Result<Names> {
        let mut names = Names::new(&self.companion_for(user).await?);
        for (_, fact) in known {
            names.learn(&fact.subject, fact.slot.as_ref(), &fact.value);
            if let Some(slot) = fact.slot.as_ref().filter(|_| fact.holds_on(self.today())) {
                names.hold(&fact.subject, slot, &fact.value);
            }
        }
        Ok(names)
    }

    /// A fact as it is believed today.
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
            expires: said.expires_at.map(|at| self.day(at)),
            slot,
        }
    }

    fn shown(&self, fact: &StoredFact, known: &Known) -> Fact {
        let said = fact.said.clone();
        let counts = matches!(said.status, FactStatus::Current | FactStatus::Unconfirmed);
        let status = if counts && !known.holds_on(self.today()) { FactStatus::Expired } else { said.status };
        let source = match (said.conversation, said.message, said.imported_from) {
            (Some(conversation_id), Some(message_id), _) => FactSource::Conversation {
                conversation_id,
                message_id,
                title: fact.title.clone().unwrap_or_default(),
            },
            (_, _, Some(name)) => FactSource::Import { name },
            _ => FactSource::Person,
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
            origins: said.origins,
        }
    }

    fn days_since(&self, at: Timestamp) -> u32 {
        let hours = self.now().duration_since(at).as_hours();
        u32::try_from(hours / 24).unwrap_or(0)
    }

    /// The beginning of a day, where the user is.
    fn at(&self, day: Date) -> Option<Timestamp> {
        day.to_zoned(self.zone()).ok().map(|zoned| zoned.timestamp())
    }

    /// A day or a moment, as people and programs write them. Empty is never.
    fn moment(&self, text: Option<&str>) -> Result<Option<Timestamp>> {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
        let day = text.parse::<Date>().ok().filter(|_| !text.contains('T')).and_then(|day| self.at(day));
        let moment = day.or_else(|| text.parse().ok());
        moment
            .map(Some)
            .ok_or_else(|| MemoryError::Invalid(format!("“{text}” is no day. Write it as 2026-05-01")))
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

fn half_life(fact: &StoredFact, slot: Option<&Slot>) -> Option<u32> {
    if fact.said.lasting { None } else { facts::half_life_days(fact.said.category, slot) }
}

pub(crate) fn checked(content: &str) -> Result<String> {
    let content = content.split_whitespace().collect::<Vec<_>>().join(" ");
    if content.is_empty() {
        return Err(MemoryError::Invalid("a fact needs words".into()));
    }
    if content.len() > LONGEST {
        return Err(MemoryError::Invalid(format!(
            "a fact has at most {LONGEST} characters: write a memory file"
        )));
    }
    Ok(content)
}

/// Facts that have all the words, or else those that have most of them, best first.
fn matching(facts: Vec<Fact>, words: &str) -> Vec<Fact> {
    let wanted = terms(words);
    let small = words.to_lowercase();
    let mut scored: Vec<(usize, Fact)> = facts
        .into_iter()
        .filter_map(|fact| {
            let text =
                format!("{} {} {}", fact.subject, fact.content, fact.quote.as_deref().unwrap_or_default());
            let has = terms(&text);
            let hits = wanted.iter().filter(|term| has.contains(term)).count();
            let whole = usize::from(text.to_lowercase().contains(&small)) * (wanted.len() + 1);
            Some((hits + whole, fact)).filter(|(score, _)| *score > 0)
        })
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, fact)| fact).collect()
}
