//! Recall: the memories that match a message.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use facts::Known;
use jiff::civil::Date;
use protocol::{ConversationId, MemoryItem, MemoryKind, MessageId, Role, ScorePart, UserId};
use store::{SaidMessage, SavedEntry, StoredFact};
use tokio::sync::oneshot;

use super::retelling::Past;
use super::{Fits, MOST, Memory, Person, Reading, Recall, Recalled, Result, on_the_side, read};
use crate::library::{Asked, Hit, Key, Library, Searched, Shelved, Whole};
use crate::reader::Reader;
use crate::recall::{Parts, is_mere_question};
use crate::secrets::Secrets;
use crate::version::Version;

/// A fact that only just answers scores like a message that does; a fact that certainly answers ranks first.
const FACT_SCORE: f32 = 0.6;
const FACT_SCALE: f32 = 1.4;
const IMPORTANCE: f32 = 0.1;
/// The minimum share of the question that a fact without a slot has to match.
const SHARED: f32 = 0.5;
/// Items that share a larger part of their words than this count as duplicates.
const ECHO: (usize, usize) = (4, 5);
/// The number of items, and the fraction of all, that may have no vector before progress is reported: the newest
/// messages never have one yet.
const UNREAD: usize = 16;
const FEW_UNREAD: usize = 20;
/// The maximum number of facts; more would crowd each other out.
const MOST_FACTS: usize = 8;

impl Memory {
    /// Returns the memories that match a message, best first.
    pub async fn recall(&self, user: UserId, recall: Recall) -> Result<Recalled> {
        self.recall_within(user, recall, &|_| true).await
    }

    /// Like [`Memory::recall`] for a prompt: `fits` decides whether everything that the user said has room in it.
    pub async fn recall_within(&self, user: UserId, recall: Recall, fits: Fits<'_>) -> Result<Recalled> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        let question = read(&person.library).read(&recall.text);
        let (today, limit) = (self.today(), recall.most);
        let most = limit.unwrap_or(MOST);
        let (in_sight, reader) = (recall.known.clone(), recall.reader.clone());
        let asked_terms = text::terms(&recall.text);
        let reading = self.reading(&person).await;
        let (embedded, vector) = oneshot::channel();
        let (searched, asked, this) = (Arc::clone(&person), question.clone(), self.clone());
        let searching = on_the_side(move || {
            // The words are looked up while the vector is made, and the library is not locked meanwhile, since a server
            // that makes vectors may be slow.
            let (heard, mut facts) = {
                let library = read(&searched.library);
                (library.hear(asked, &recall.reader), this.hear_facts(&library, &recall))
            };
            let vector: Option<Vec<f32>> = vector.blocking_recv().ok().flatten();
            let library = read(&searched.library);
            let heard = library.still(heard, &recall.reader);
            if facts.version != library.version {
                facts = this.hear_facts(&library, &recall);
            }
            let mut searched = library.search(&Asked {
                heard: &heard,
                vector: vector.as_deref(),
                today,
                known: &recall.known,
                most,
                room: recall.room,
                is_reading: reading.is_some(),
            });
            let whole = searched.whole.take();
            let whole = whole.and_then(|whole| facts.whole(&library, whole, &recall.known, today));
            let secrets = if recall.may_be_private() { Secrets::default() } else { library.secrets() };
            (facts.best(&library, vector.as_deref()), searched, whole, secrets)
        });
        let embedding = async {
            // The send fails if the search has already ended; then the vector is not needed.
            let _ = embedded.send(self.embed_question(&person, &question).await);
        };
        let ((), (facts, searched, whole, secrets)) = tokio::join!(embedding, searching);
        let Searched { hits, is_refused, sureness, .. } = searched;
        let (doubted, facts): (Vec<Answer>, Vec<Answer>) =
            facts.into_iter().partition(|answer| answer.is_in_doubt);
        let (doubts, facts) = self.doubts(user, doubted, facts, &in_sight, &secrets).await?;
        let in_doubt = sources(&doubts);
        let facts: Vec<MemoryItem> =
            facts.into_iter().map(|answer| self.fact_item(answer.fact, answer.score)).collect();
        let certain: Vec<MemoryItem> = doubts.into_iter().chain(facts).collect();
        let hits: Vec<Hit> = hits.into_iter().filter(|hit| !hit.is_one_of(&in_doubt)).collect();
        let sifting = Sifting { person: &person, today, reader: &reader, secrets: &secrets };
        let recalled =
            Recalled { items: Vec::new(), refused: false, whole: false, reading, answerable: sureness };
        if let Some((mut whole, beside)) = whole {
            whole.hits.retain(|hit| !hit.is_one_of(&in_doubt));
            let others = hits.iter().filter(|hit| !hit.is_told()).cloned().collect();
            let mut items = self.sifted(&sifting, whole.hits, Echoes::Told).await?;
            items.extend(self.sifted(&sifting, others, Echoes::LeftOut).await?);
            let is_new = |fact: &StoredFact| !certain.iter().any(|item| item.id == fact.id.to_string());
            items.extend(beside.into_iter().filter(is_new).map(|fact| self.fact_item(fact, 0.0)));
            items.extend(certain.iter().cloned());
            let items = sorted_whole(items, &certain, &asked_terms);
            if !items.is_empty() && limit.is_none_or(|limit| items.len() <= limit) && fits(&items) {
                // Items that are returned only because everything is claim to answer nothing.
                let refused = is_refused && certain.is_empty();
                return Ok(Recalled { items, refused, whole: true, ..recalled });
            }
        }
        let mut items = self.sifted(&sifting, hits, Echoes::LeftOut).await?;
        items.retain(|item| !says_no_more(item, &certain, &asked_terms));
        items.extend(certain);
        items.sort_by(|one, other| other.score.total_cmp(&one.score));
        items.truncate(most);
        let refused = is_refused && items.is_empty();
        Ok(Recalled { items, refused, ..recalled })
    }

    /// Converts hits to items, without mere questions, and with a note if what they state no longer holds.
    async fn sifted(&self, sifting: &Sifting<'_>, hits: Vec<Hit>, echoes: Echoes) -> Result<Vec<MemoryItem>> {
        let Sifting { person, today, reader, secrets } = *sifting;
        let (own, may_be_private) = (own_entries(&hits, reader), reader.is_person());
        let mut found = self.found(person, hits).await?;
        found.retain(|item| !(is_own(item) && is_mere_question(&item.text)));
        let items = match echoes {
            Echoes::Told => found,
            Echoes::LeftOut => without_echoes(found),
        };
        let library = Arc::clone(person);
        let (items, near) = on_the_side(move || {
            let near = Past::near(&read(&library.library), &items, today, may_be_private);
            (items, near)
        })
        .await;
        let mut items = self.without_past(person.user.id, items, near).await?;
        for item in &mut items {
            item.title = item.title.take().filter(|title| !secrets.are_in(title));
        }
        // Text from another source, such as a note on what has changed, can reveal a secret just as well.
        items.retain(|item| {
            let added = own.get(&item.id).and_then(|own| item.text.strip_prefix(own.as_str()));
            let told = added.filter(|_| item.kind == MemoryKind::Entry);
            !secrets.are_in(&told.map_or_else(|| format!("{} {}", item.who, item.text), str::to_owned))
        });
        Ok(items)
    }

    /// Returns the progress of embedding if many items still have no vector.
    async fn reading(&self, person: &Arc<Person>) -> Option<Reading> {
        let is_here = person.following.lock().await.embedder.as_ref()?.is_here;
        let counting = Arc::clone(person);
        let (unread, of) = on_the_side(move || {
            let library = read(&counting.library);
            (library.unread(is_here), library.len())
        })
        .await;
        let is_much = unread > UNREAD && unread > of / FEW_UNREAD;
        is_much.then_some(Reading { done: of - unread.min(of), of })
    }

    /// Replaces each doubtful fact by the message that put it in doubt. If that message is gone, the fact counts as
    /// before.
    async fn doubts(
        &self,
        user: UserId,
        doubted: Vec<Answer>,
        mut facts: Vec<Answer>,
        in_sight: &HashSet<MessageId>,
        secrets: &Secrets,
    ) -> Result<(Vec<MemoryItem>, Vec<Answer>)> {
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
            if !is_secret && !is_there && !in_sight.contains(&message.id) {
                items.push(message_item(message.clone(), answer.score, String::new()));
            }
        }
        Ok((items, facts))
    }

    /// Compares a question with the facts: everything that can be done before its vector is available.
    fn hear_facts(&self, library: &Library, recall: &Recall) -> HeardFacts {
        let sight = library.sight(&recall.reader);
        let known = library.facts.values().filter(|fact| sight.has(fact));
        let known: Vec<Known> = known.map(|fact| self.believed(fact)).collect();
        let asked = text::terms(&recall.text);
        let today = self.today();
        let loose = known.iter().enumerate().filter(|(_, fact)| {
            fact.slot.is_none() && fact.holds_on(today) && fact.confidence >= facts::PRUNE_BELOW
        });
        let loose = loose.map(|(place, fact)| {
            let has = text::terms(&fact.content);
            let shared = asked.iter().filter(|term| has.contains(term)).count();
            #[allow(clippy::cast_precision_loss, reason = "a few words")]
            let share = shared as f32 / asked.len().max(1) as f32;
            (place, share)
        });
        HeardFacts {
            loose: loose.collect(),
            compared: facts::Compared::new(&recall.text, known, today),
            version: library.version,
        }
    }

    fn fact_item(&self, fact: StoredFact, score: f32) -> MemoryItem {
        let known = self.believed(&fact);
        let StoredFact { id, said, updated_at, title, .. } = fact;
        let part = |name: &str, value: f32| ScorePart { name: name.to_owned(), value };
        let importance = IMPORTANCE * said.importance;
        let over = (!known.holds_on(self.today())).then(|| ended(&known));
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

    /// Returns the conversations that match a question, best first.
    pub async fn conversations_about(&self, user: UserId, text: &str) -> Result<Vec<ConversationId>> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        let question = read(&person.library).read(text);
        let vector = self.embed_question(&person, &question).await;
        let today = self.today();
        let found =
            on_the_side(move || read(&person.library).conversations(question, vector.as_deref(), today));
        Ok(found.await)
    }

    /// Converts hits to items, without those that have been deleted meanwhile.
    pub(super) async fn found(&self, person: &Person, hits: Vec<Hit>) -> Result<Vec<MemoryItem>> {
        let user = person.user.id;
        let messages = hits.iter().filter_map(|hit| match hit.shelved {
            Shelved::Message { id, .. } => Some(id),
            _ => None,
        });
        let mut said = self.inner.store.shown(user, messages.collect()).await?;
        let mut items = Vec::with_capacity(hits.len());
        for Hit { shelved, parts, score } in hits {
            let empty = MemoryItem {
                kind: shelved.key().kind,
                id: String::new(),
                text: String::new(),
                who: String::new(),
                at: None,
                score,
                parts: score_parts(&parts),
                conversation_id: None,
                message_id: None,
                title: None,
                origins: Vec::new(),
            };
            items.push(match shelved {
                Shelved::Message { id, .. } => {
                    let Some(said) = said.remove(&id) else { continue };
                    let is_users = said.role == Role::User;
                    let who = if is_users { String::new() } else { person.names.companion.clone() };
                    MemoryItem { parts: empty.parts, ..message_item(said, score, who) }
                }
                Shelved::Summary { conversation, up_to, at, text, origins } => MemoryItem {
                    id: conversation.to_string(),
                    text,
                    at: Some(at.to_string()),
                    conversation_id: Some(conversation),
                    message_id: Some(up_to),
                    title: self.inner.store.summary(user, conversation).await.ok().map(|chat| chat.title),
                    origins,
                    ..empty
                },
                Shelved::File { name, at, text, origins, .. } => {
                    MemoryItem { id: name, text, at: Some(at.to_string()), origins, ..empty }
                }
                Shelved::Entry(SavedEntry { entry, .. }) => MemoryItem {
                    id: entry.id,
                    text: entry.content,
                    at: Some(entry.updated_at),
                    origins: entry.origins,
                    ..empty
                },
            });
        }
        Ok(items)
    }
}

/// Returns the content of the entries that the reading program saved, by id.
fn own_entries(hits: &[Hit], reader: &Reader) -> HashMap<String, String> {
    let own = hits.iter().filter_map(|hit| match &hit.shelved {
        Shelved::Entry(SavedEntry { entry, author: Some(author), .. })
            if reader.program() == Some(author.as_str()) =>
        {
            Some((entry.id.clone(), entry.content.clone()))
        }
        _ => None,
    });
    own.collect()
}

fn message_item(said: SaidMessage, score: f32, who: String) -> MemoryItem {
    let SaidMessage { id, conversation, role, at, content, origins, title, is_foreign, .. } = said;
    // Origins of other content that was sent along with the user's own text do not apply to the text alone.
    let origins = if role == Role::User && !is_foreign { Vec::new() } else { origins };
    MemoryItem {
        kind: MemoryKind::Message,
        id: id.to_string(),
        text: content,
        who,
        at: Some(at.to_string()),
        score,
        parts: vec![ScorePart { name: "fact".to_owned(), value: score }],
        conversation_id: Some(conversation),
        message_id: Some(id),
        title: Some(title),
        origins,
    }
}

/// Returns the messages that items come from.
fn sources(items: &[MemoryItem]) -> HashSet<MessageId> {
    items.iter().filter_map(|item| item.message_id).collect()
}

/// Sorts the items, best first. A message follows after all others if a fact among them says the same in fewer words.
fn sorted_whole(items: Vec<MemoryItem>, facts: &[MemoryItem], asked: &[String]) -> Vec<MemoryItem> {
    let (mut told, mut items): (Vec<MemoryItem>, Vec<MemoryItem>) =
        items.into_iter().partition(|item| says_no_more(item, facts, asked));
    for part in [&mut items, &mut told] {
        part.sort_by(|one, other| other.score.total_cmp(&one.score));
    }
    items.extend(told);
    items
}

/// Returns true if a message says no more about the question than the facts that were extracted from it. *We got a
/// puppy called Biscuit* says more than *Has a dog* if the question is what it is called.
fn says_no_more(item: &MemoryItem, facts: &[MemoryItem], asked: &[String]) -> bool {
    let is_of = |fact: &&MemoryItem| fact.kind == MemoryKind::Fact && fact.message_id == item.message_id;
    let mut read = facts.iter().filter(is_of).peekable();
    if !is_own(item) || read.peek().is_none() {
        return false;
    }
    let told: HashSet<String> =
        read.flat_map(|fact| text::terms(&format!("{} {}", fact.who, fact.text))).collect();
    let says = text::terms(&item.text);
    asked.iter().all(|term| !says.contains(term) || told.contains(term))
}

/// Returns true if it is a message by the user.
fn is_own(item: &MemoryItem) -> bool {
    item.kind == MemoryKind::Message && item.who.is_empty()
}

/// The context for sifting hits.
struct Sifting<'a> {
    person: &'a Arc<Person>,
    today: Date,
    reader: &'a Reader,
    secrets: &'a Secrets,
}

/// The treatment of items that say the same as another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Echoes {
    LeftOut,
    /// Each is kept, since each has its own day.
    Told,
}

impl Hit {
    fn is_one_of(&self, messages: &HashSet<MessageId>) -> bool {
        matches!(&self.shelved, Shelved::Message { id, .. } if messages.contains(id))
    }

    /// Returns true if it is a message in which the user stated something.
    fn is_told(&self) -> bool {
        matches!(self.shelved, Shelved::Message { told: Some(_), .. })
    }
}

/// A fact that answers a question.
struct Answer {
    fact: StoredFact,
    /// The score, on the same scale as all other items.
    score: f32,
    /// True if it would be stated as current and may no longer hold.
    is_in_doubt: bool,
}

/// A question compared with the facts, before its vector is available.
struct HeardFacts {
    compared: facts::Compared,
    /// Facts without a slot are found by their words and by meaning: for each, the share of the question's words that
    /// it has.
    loose: Vec<(usize, f32)>,
    version: Version,
}

impl HeardFacts {
    /// Returns everything that the user said in messages, together with the facts that none of them states, such as
    /// those added by hand. `None` if there is not enough room or there is nothing. Facts from untrusted content do not
    /// count as said by the user.
    fn whole(
        &self,
        library: &Library,
        mut whole: Whole,
        in_sight: &HashSet<MessageId>,
        today: Date,
    ) -> Option<(Whole, Vec<StoredFact>)> {
        let holds =
            |fact: &&Known| fact.holds_on(today) && fact.confidence >= facts::PRUNE_BELOW && !fact.is_doubted;
        let holding = self.compared.facts.iter().filter(holds).filter_map(|fact| library.facts.get(&fact.id));
        let is_told = |id: MessageId| in_sight.contains(&id) || whole.has(Key::message(id));
        let beside =
            holding.filter(|fact| fact.said.origins.is_empty() && !fact.said.message.is_some_and(is_told));
        let beside: Vec<StoredFact> = beside.cloned().collect();
        let has_room = beside.iter().all(|fact| whole.takes(&fact.said.content));
        let is_any = !(whole.hits.is_empty() && beside.is_empty());
        (has_room && is_any).then_some((whole, beside))
    }

    /// Returns the facts that answer, best first.
    fn best(&self, library: &Library, vector: Option<&[f32]>) -> Vec<Answer> {
        let known = &self.compared.facts;
        let comparison = vector.and_then(|vector| library.compare_facts(vector));
        let near = |place: usize| {
            let id = known[place].id.get().cast_unsigned();
            comparison.as_ref().and_then(|comparison| comparison.cosine(id)).unwrap_or_default()
        };
        let mut ranked = self.compared.rank(near);
        for &(place, share) in &self.loose {
            let share = share.max(near(place));
            let score = share * facts::FLOOR * 2.0;
            match ranked.iter_mut().find(|(known, _)| *known == place) {
                Some((_, known)) => *known = known.max(score),
                None if share >= SHARED => ranked.push((place, score)),
                None => {}
            }
        }
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        let scaled = ranked.into_iter().filter_map(|(place, score)| {
            let fact = library.facts.get(&known[place].id)?;
            Some(Answer {
                fact: fact.clone(),
                score: FACT_SCORE + FACT_SCALE * score + IMPORTANCE * fact.said.importance,
                is_in_doubt: self.compared.is_in_doubt(place),
            })
        });
        scaled.take(MOST_FACTS).collect()
    }
}

/// Returns the end of a fact's validity, as far as it is known.
fn ended(fact: &Known) -> String {
    let end = [fact.valid_to, fact.expires].into_iter().flatten().min();
    match end.filter(|_| !fact.is_vague_past()) {
        Some(end) => format!("until {}", end.strftime("%-d %B %Y")),
        None => "in the past".to_owned(),
    }
}

/// Keeps the best of items that say the same: repetitions would leave no room for the rest.
fn without_echoes(items: Vec<MemoryItem>) -> Vec<MemoryItem> {
    let mut kept: Vec<(HashSet<String>, MemoryItem)> = Vec::with_capacity(items.len());
    for item in items {
        let words: HashSet<String> = text::terms(&item.text).into_iter().collect();
        let says_the_same = |(other, known): &(HashSet<String>, MemoryItem)| {
            let shared = words.intersection(other).count();
            let all = words.len() + other.len() - shared;
            known.who == item.who && (known.text == item.text || shared * ECHO.1 > all * ECHO.0)
        };
        if !kept.iter().any(says_the_same) {
            kept.push((words, item));
        }
    }
    kept.into_iter().map(|(_, item)| item).collect()
}

fn score_parts(parts: &Parts) -> Vec<ScorePart> {
    let named = [
        ("words", parts.words),
        ("meaning", parts.meaning),
        ("person", parts.person),
        ("day", parts.day),
        ("telling", parts.telling),
        ("time", parts.time),
        ("recency", parts.recency),
    ];
    let mut list: Vec<ScorePart> = named
        .into_iter()
        .filter(|(_, value)| value.abs() >= 0.005)
        .map(|(name, value)| ScorePart { name: name.to_owned(), value })
        .collect();
    list.sort_by(|one, other| other.value.total_cmp(&one.value));
    list
}
