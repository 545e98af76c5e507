use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use async_trait::async_trait;
use host::Clock;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use model::{EmbeddingModel, ModelError};
use protocol::{
    ConversationId, FactId, MemoryItem, MemoryKind, MessageId, Role, ScorePart, User, UserId, VectorEntry,
    VectorEntryList,
};
use store::{Followed, MemoryChange, NewEntry, SaidMessage, Store, StoreError, StoredFact};
use tokio::sync::Mutex as Turnstile;

use crate::facts::{self, Known};
use crate::files::{Shelf, Stamp};
use crate::folders::OwnFolders;
use crate::library::{Asked, Hit, Key, Library, Shelved};
use crate::recall::{Parts, Question, Ranked};
use crate::vectors::encode;

/// Messages that are read from the store at once.
const PAGE: u32 = 2_000;
/// Texts that are embedded before the results are kept: a second or so of work.
const BATCH: usize = 64;
/// What recall ranks by default; how much of it is told is for the prompt to say.
pub const MOST: usize = 20;

/// A fact that just answers is worth as much as a message that does; one that surely answers comes first.
const FACT_SCORE: f32 = 0.6;
const FACT_SCALE: f32 = 1.4;
const IMPORTANCE: f32 = 0.1;
/// A fact that fills no slot has to share so much of what is asked.
const SHARED: f32 = 0.5;
/// More facts would only crowd each other.
const MOST_FACTS: usize = 8;

/// Whoever knows which embedding model there is.
#[async_trait]
pub trait EmbeddingSource: Send + Sync {
    /// The model in use, if one is ready. It must not wait for a download.
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>>;
}

/// Without a model, words and dates must do.
pub struct NoEmbeddings;

#[async_trait]
impl EmbeddingSource for NoEmbeddings {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        None
    }
}

/// Why something could not be remembered or recalled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Files(#[from] tools::ToolError),
    #[error("{0}")]
    Invalid(String),
}

pub type Result<T> = std::result::Result<T, MemoryError>;

/// What a [`Memory`] is made of.
pub struct MemoryParts {
    pub store: Arc<Store>,
    pub clock: Arc<dyn Clock>,
    pub embeddings: Arc<dyn EmbeddingSource>,
    pub folders: OwnFolders,
    pub names: NamesOf,
}

/// What somebody and she are called: what each said is found under their name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    pub user: String,
    pub companion: String,
}

pub type NamesOf = Box<dyn Fn(&User) -> Names + Send + Sync>;

/// All that she remembers, of everybody. Cheap to clone.
#[derive(Clone)]
pub struct Memory {
    inner: Arc<Inner>,
}

struct Inner {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    embeddings: Arc<dyn EmbeddingSource>,
    shelf: Arc<Shelf>,
    folders: OwnFolders,
    names: NamesOf,
    people: Mutex<HashMap<UserId, Arc<Person>>>,
}

/// One person's library, and where it is in following the changes.
struct Person {
    user: User,
    names: Names,
    folder: Arc<Path>,
    library: RwLock<Library>,
    following: Turnstile<Following>,
}

#[derive(Default)]
struct Following {
    /// Nothing was read yet.
    seq: Option<i64>,
    stamps: Vec<Stamp>,
    embedder: Option<Embedder>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Embedder {
    id: i64,
    name: String,
    dimensions: usize,
}

/// Vectors, and who made them.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    pub model: String,
    pub vectors: Vec<Vec<f32>>,
}

/// What is asked of the memory.
#[derive(Debug, Clone, Default)]
pub struct Recall {
    pub text: String,
    /// Messages that the model reads anyhow.
    pub known: HashSet<MessageId>,
    /// At most so many; [`MOST`] where nothing is said.
    pub most: Option<usize>,
    /// Whether private facts may be told: never to a model on another machine.
    pub may_be_private: bool,
}

/// What was remembered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recalled {
    /// Best first. None, where nothing came near enough.
    pub items: Vec<MemoryItem>,
    /// There were items, but none that answers the question.
    pub refused: bool,
    /// How sure it is that the question can be answered: higher is surer.
    pub answerable: f32,
}

impl Memory {
    pub fn new(parts: MemoryParts) -> Self {
        let MemoryParts { store, clock, embeddings, folders, names } = parts;
        let shelf = Shelf::new(Arc::clone(&clock), Arc::clone(&store));
        let people = Mutex::default();
        Self { inner: Arc::new(Inner { store, clock, embeddings, shelf, folders, names, people }) }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.inner.store
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    pub(crate) fn zone(&self) -> TimeZone {
        self.inner.clock.time_zone()
    }

    pub(crate) fn day(&self, at: Timestamp) -> Date {
        at.to_zoned(self.zone()).date()
    }

    pub(crate) fn today(&self) -> Date {
        self.day(self.now())
    }

    /// What she is called by this user.
    pub(crate) async fn companion_for(&self, user: UserId) -> Result<String> {
        Ok(self.person(user).await?.names.companion.clone())
    }

    pub(crate) async fn folder_of(&self, user: UserId) -> Result<Arc<Path>> {
        Ok(Arc::clone(&self.person(user).await?.folder))
    }

    pub fn shelf(&self) -> &Arc<Shelf> {
        &self.inner.shelf
    }

    /// What fits a message, best first.
    pub async fn recall(&self, user: UserId, recall: Recall) -> Result<Recalled> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        let question = read(&person.library).read(&recall.text);
        let vector = self.embed_question(&person, &question).await;
        let today = self.today();
        let most = recall.most.unwrap_or(MOST);
        let (searched, this) = (Arc::clone(&person), self.clone());
        let (facts, hits, ranked) = on_the_side(move || {
            let library = read(&searched.library);
            let facts = this.facts_for(&library, &recall, vector.as_deref());
            let (hits, ranked) = library.search(&Asked {
                question: &question,
                vector: vector.as_deref(),
                today,
                known: &recall.known,
                most,
            });
            (facts, hits, ranked)
        })
        .await;
        let answerable = sureness(&ranked);
        let refused = ranked.is_refused();
        let mut items: Vec<MemoryItem> = Vec::with_capacity(facts.len() + hits.len());
        for hit in hits.into_iter().filter(|_| !refused) {
            // The fact says the same in fewer words.
            let told = |(fact, _): &(StoredFact, f32)| matches!(hit.shelved, Shelved::Message { id, .. } if fact.said.message == Some(id));
            if !facts.iter().any(told) {
                items.extend(self.item(&person, hit).await?);
            }
        }
        let is_empty = items.is_empty() && facts.is_empty();
        items.extend(facts.into_iter().map(|(fact, score)| fact_item(fact, score)));
        items.sort_by(|one, other| other.score.total_cmp(&one.score));
        items.truncate(most);
        Ok(Recalled { items, refused: refused && is_empty, answerable })
    }

    /// The facts that answer a question, best first, on the scale of everything else.
    fn facts_for(
        &self,
        library: &Library,
        recall: &Recall,
        vector: Option<&[f32]>,
    ) -> Vec<(StoredFact, f32)> {
        let all: Vec<&StoredFact> =
            library.facts.values().filter(|fact| recall.may_be_private || !fact.said.private).collect();
        let known: Vec<Known> = all.iter().map(|fact| self.believed(fact)).collect();
        let near = |place: usize| vector.map_or(0.0, |vector| library.near_fact(known[place].id, vector));
        let mut ranked = facts::rank(&recall.text, &known, self.today(), near);
        // What fills no slot is found by its words and by what it means.
        let asked = crate::recall::terms(&recall.text);
        for (place, fact) in known.iter().enumerate().filter(|(_, fact)| fact.slot.is_none()) {
            let has = crate::recall::terms(&fact.content);
            let shared = asked.iter().filter(|term| has.contains(term)).count();
            #[allow(clippy::cast_precision_loss, reason = "a few words")]
            let share = (shared as f32 / asked.len().max(1) as f32).max(near(place));
            let counts = fact.holds_on(self.today()) && fact.confidence >= facts::PRUNE_BELOW;
            if counts && share >= SHARED && !ranked.iter().any(|(known, _)| *known == place) {
                ranked.push((place, share * facts::FLOOR * 2.0));
            }
        }
        let ranked = ranked.into_iter();
        let scaled = ranked.map(|(place, score)| {
            let fact = all[place];
            (fact.clone(), FACT_SCORE + FACT_SCALE * score + IMPORTANCE * fact.said.importance)
        });
        scaled.take(MOST_FACTS).collect()
    }

    /// Saves an entry of the vector store.
    pub async fn save_entry(&self, user: UserId, new: NewEntry) -> Result<VectorEntry> {
        Ok(self.inner.store.save_entry(user, new).await?)
    }

    pub async fn delete_entry(&self, user: UserId, name: &str) -> Result<VectorEntry> {
        Ok(self.inner.store.delete_entry(user, name).await?)
    }

    pub async fn entry_list(&self, user: UserId, limit: u32, offset: u32) -> Result<VectorEntryList> {
        Ok(self.inner.store.entry_list(user, limit, offset).await?)
    }

    /// The entries that come nearest, best first. Those that have nothing of it are left out.
    pub async fn search_entries(&self, user: UserId, text: &str, most: usize) -> Result<Vec<MemoryItem>> {
        let person = self.person(user).await?;
        // What was saved a moment ago is found by its meaning too.
        while self.embed_some(user).await? > 0 {}
        let question = read(&person.library).read(text);
        let vector = self.embed_question(&person, &question).await;
        let today = self.today();
        let searched = Arc::clone(&person);
        let hits = on_the_side(move || {
            read(&searched.library).search_entries(&question, vector.as_deref(), today, most)
        });
        let mut items = Vec::new();
        for hit in hits.await {
            items.extend(self.item(&person, hit).await?);
        }
        Ok(items)
    }

    /// The conversations that fit a question, best first.
    pub async fn conversations_about(&self, user: UserId, text: &str) -> Result<Vec<ConversationId>> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        let question = read(&person.library).read(text);
        let vector = self.embed_question(&person, &question).await;
        let today = self.today();
        let found =
            on_the_side(move || read(&person.library).conversations(&question, vector.as_deref(), today));
        Ok(found.await)
    }

    /// What was found, as it is shown. Nothing where it is gone meanwhile.
    async fn item(&self, person: &Person, hit: Hit) -> Result<Option<MemoryItem>> {
        let user = person.user.id;
        let Hit { shelved, parts, score } = hit;
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
        Ok(Some(match shelved {
            Shelved::Message { id, .. } => {
                let Some(said) = self.inner.store.said(user, id).await? else { return Ok(None) };
                let SaidMessage { conversation, role, at, content, origins, title, .. } = said;
                MemoryItem {
                    id: id.to_string(),
                    text: content,
                    who: if role == Role::User { String::new() } else { person.names.companion.clone() },
                    at: Some(at.to_string()),
                    conversation_id: Some(conversation),
                    message_id: Some(id),
                    title: Some(title),
                    origins,
                    ..empty
                }
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
            Shelved::Entry { entry, .. } => MemoryItem {
                id: entry.id,
                text: entry.content,
                at: Some(entry.updated_at),
                origins: entry.origins,
                ..empty
            },
        }))
    }

    async fn person(&self, user: UserId) -> Result<Arc<Person>> {
        if let Some(person) = lock(&self.inner.people).get(&user) {
            return Ok(Arc::clone(person));
        }
        let user = self.inner.store.user(user).await?;
        let names = (self.inner.names)(&user);
        let library = Library::new(&names, self.inner.clock.time_zone());
        let person = Person {
            folder: self.inner.folders.of(&user),
            library: RwLock::new(library),
            following: Turnstile::default(),
            names,
            user,
        };
        let mut people = lock(&self.inner.people);
        Ok(Arc::clone(people.entry(person.user.id).or_insert(Arc::new(person))))
    }

    /// Brings what is in memory to where the store is.
    async fn catch_up(&self, person: &Arc<Person>) -> Result<()> {
        let mut following = person.following.lock().await;
        let store = &self.inner.store;
        match following.seq {
            None => {
                let seq = store.memory_seq().await?;
                self.read_all(person).await?;
                following.seq = Some(seq);
                following.embedder = None;
                following.stamps.clear();
            }
            Some(seq) => match store.memory_changes(seq).await? {
                Followed::Lost { seq } => {
                    self.read_all(person).await?;
                    following.seq = Some(seq);
                    following.embedder = None;
                    following.stamps.clear();
                }
                Followed::Changes { changes, seq } => {
                    self.apply(person, changes).await?;
                    following.seq = Some(seq);
                }
            },
        }
        let stamps = self.inner.shelf.stamps(&person.folder).await?;
        if stamps != following.stamps {
            let texts = self.inner.shelf.texts(person.user.id, &person.folder).await?;
            write(&person.library).set_files(&texts);
            following.stamps = stamps;
        }
        if let Some(model) = self.inner.embeddings.current().await {
            self.take_embedder(person, &mut following, model.as_ref()).await?;
        }
        Ok(())
    }

    /// Reads everything anew.
    async fn read_all(&self, person: &Arc<Person>) -> Result<()> {
        let (store, user) = (&self.inner.store, person.user.id);
        let mut library = Library::new(&person.names, self.inner.clock.time_zone());
        let mut last = MessageId::new(0);
        loop {
            let page = store.said_after(user, last, PAGE).await?;
            let Some(newest) = page.last() else { break };
            last = newest.id;
            library = on_the_side(move || {
                for message in &page {
                    library.add_message(message);
                }
                library
            })
            .await;
        }
        for summary in store.summaries(user, None).await? {
            library.add_summary(summary);
        }
        for (row, entry) in store.entries(user).await? {
            library.add_entry(row, entry);
        }
        for fact in store.facts(user).await? {
            library.set_fact(fact);
        }
        *write(&person.library) = library;
        Ok(())
    }

    async fn apply(&self, person: &Arc<Person>, changes: Vec<MemoryChange>) -> Result<()> {
        let (store, user) = (&self.inner.store, person.user.id);
        let mut seen = HashSet::new();
        for change in changes.into_iter().filter(|change| seen.insert(*change)) {
            match change {
                MemoryChange::Message(id) => match store.said(user, id).await? {
                    Some(message) => self.place(person, message).await?,
                    None => write(&person.library).remove(Key::message(id)),
                },
                MemoryChange::Conversation(id) => self.read_conversation(person, id, None).await?,
                MemoryChange::Summary(id) => {
                    let found = store.summaries(user, Some(id)).await?;
                    let mut library = write(&person.library);
                    library.drop_summary(id);
                    for summary in found {
                        library.add_summary(summary);
                    }
                }
                MemoryChange::Entry(row) => {
                    let entries = store.entries(user).await?;
                    let found = entries.into_iter().find(|(own, _)| *own == row);
                    let mut library = write(&person.library);
                    library.remove(Key { kind: MemoryKind::Entry, item: row });
                    if let Some((row, entry)) = found {
                        library.add_entry(row, entry);
                    }
                }
                MemoryChange::Fact(id) => {
                    let id = FactId::new(id);
                    match store.fact(user, id).await {
                        Ok(fact) => write(&person.library).set_fact(fact),
                        Err(StoreError::NotFound(_)) => write(&person.library).drop_fact(id),
                        Err(error) => return Err(error.into()),
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts a message where it belongs. What stands in the middle of a conversation moves those around it.
    async fn place(&self, person: &Arc<Person>, message: SaidMessage) -> Result<()> {
        let is_next = read(&person.library).is_next(&message);
        if is_next {
            write(&person.library).add_message(&message);
            return Ok(());
        }
        self.read_conversation(person, message.conversation, Some(message.id)).await
    }

    /// Vectors stay with their messages, but for the one that has changed.
    async fn read_conversation(
        &self,
        person: &Arc<Person>,
        id: ConversationId,
        changed: Option<MessageId>,
    ) -> Result<()> {
        let messages = self.inner.store.said_in(person.user.id, id).await?;
        let summaries = self.inner.store.summaries(person.user.id, Some(id)).await?;
        let mut library = write(&person.library);
        let same = messages.iter().map(|message| message.id).filter(|&id| Some(id) != changed);
        let vectors: Vec<(Key, Vec<u8>)> =
            same.map(Key::message).filter_map(|key| Some((key, library.vector(key)?))).collect();
        library.drop_conversation(id);
        for message in &messages {
            library.add_message(message);
        }
        for (key, vector) in &vectors {
            library.set_vector(*key, vector);
        }
        for summary in summaries {
            library.add_summary(summary);
        }
        Ok(())
    }

    /// Takes over the vectors of the model in use, when it is another than before.
    async fn take_embedder(
        &self,
        person: &Arc<Person>,
        following: &mut Following,
        model: &dyn EmbeddingModel,
    ) -> Result<()> {
        let (name, dimensions) = (model.name(), model.dimensions());
        let same = |known: &Embedder| known.name == name && known.dimensions == dimensions;
        if following.embedder.as_ref().is_some_and(same) {
            return Ok(());
        }
        let id = self.inner.store.embedder(&name, dimensions).await?;
        let vectors: Vec<(Key, Vec<u8>)> = self
            .inner
            .store
            .vectors(id, |all: &mut Vec<(Key, Vec<u8>)>, kind, item, bytes| {
                all.push((Key { kind, item }, bytes.to_vec()));
            })
            .await?;
        let owner = Arc::clone(person);
        on_the_side(move || {
            let mut library = write(&owner.library);
            library.start_vectors(dimensions);
            for (key, vector) in &vectors {
                library.set_vector(*key, vector);
            }
        })
        .await;
        following.embedder = Some(Embedder { id, name, dimensions });
        Ok(())
    }

    async fn embed_question(&self, person: &Person, question: &Question) -> Option<Vec<f32>> {
        let known = person.following.lock().await.embedder.clone()?;
        let model = self.inner.embeddings.current().await?;
        if model.name() != known.name {
            return None;
        }
        let vectors = model.embed(std::slice::from_ref(&question.said)).await;
        match vectors {
            Ok(vectors) => vectors.into_iter().next(),
            Err(error) => {
                tracing::warn!("the question could not be embedded: {error}");
                None
            }
        }
    }

    /// Embeds what has no vector yet, a batch of it. Returns how many were embedded: none means that all are.
    pub async fn embed_some(&self, user: UserId) -> Result<usize> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        let (embedder, seq) = {
            let following = person.following.lock().await;
            match (&following.embedder, following.seq) {
                (Some(embedder), Some(seq)) => (embedder.clone(), seq),
                _ => return Ok(0),
            }
        };
        let Some(model) = self.inner.embeddings.current().await.filter(|model| model.name() == embedder.name)
        else {
            return Ok(0);
        };
        let bare = read(&person.library).without_vectors(BATCH);
        let (mut keys, mut texts) = (Vec::new(), Vec::new());
        for (key, text) in bare {
            let text = match text {
                Some(text) => text,
                None => match self.inner.store.said(user, MessageId::new(key.item)).await? {
                    Some(said) => said.content,
                    None => continue,
                },
            };
            texts.push(read(&person.library).embeddable(&text));
            keys.push(key);
        }
        if keys.is_empty() {
            return Ok(0);
        }
        let vectors = model.embed(&texts).await.map_err(|error| MemoryError::Invalid(error.to_string()))?;
        let mut packed: Vec<(Key, Vec<u8>)> = Vec::with_capacity(keys.len());
        for (key, vector) in keys.into_iter().zip(vectors) {
            let code = encode(&vector).map_err(|error| MemoryError::Invalid(error.to_string()))?;
            packed.push((key, code));
        }
        let rows = packed.iter().map(|(key, code)| (key.kind, key.item, code.clone())).collect();
        self.inner.store.keep_vectors(embedder.id, seq, rows).await?;
        let count = packed.len();
        on_the_side(move || {
            let mut library = write(&person.library);
            for (key, vector) in &packed {
                library.set_vector(*key, vector);
            }
        })
        .await;
        Ok(count)
    }

    /// The vectors of texts, by the model in use. Nothing where there is none.
    pub async fn embed(&self, texts: &[String]) -> Option<std::result::Result<Embedded, ModelError>> {
        let model = self.inner.embeddings.current().await?;
        Some(model.embed(texts).await.map(|vectors| Embedded { model: model.name(), vectors }))
    }

    /// Removes the vectors of what stands in nobody's files any more: they are known by their words, and nothing in the
    /// database tells when those go.
    pub async fn drop_stray_vectors(&self) -> Result<()> {
        let mut standing = Vec::new();
        for user in self.inner.store.users().await? {
            let person = self.person(user.id).await?;
            self.catch_up(&person).await?;
            standing.extend(read(&person.library).file_items());
        }
        self.inner.store.drop_file_vectors_but(standing).await?;
        Ok(())
    }

    /// The name of the embedding model in use.
    pub async fn embedder(&self) -> Option<String> {
        Some(self.inner.embeddings.current().await?.name())
    }

    /// How many things of this user's can be recalled, facts aside.
    pub async fn count(&self, user: UserId) -> Result<usize> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        let count = read(&person.library).len();
        Ok(count)
    }
}

fn fact_item(fact: StoredFact, score: f32) -> MemoryItem {
    let StoredFact { id, said, updated_at, title, .. } = fact;
    let part = |name: &str, value: f32| ScorePart { name: name.to_owned(), value };
    let importance = IMPORTANCE * said.importance;
    MemoryItem {
        kind: MemoryKind::Fact,
        id: id.to_string(),
        text: said.content,
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

/// One number for how surely a question can be answered: what holds it back most.
fn sureness(ranked: &Ranked) -> f32 {
    ranked.own_words.map_or(ranked.content, |own| own.min(ranked.content))
}

fn score_parts(parts: &Parts) -> Vec<ScorePart> {
    let named = [
        ("words", parts.words),
        ("meaning", parts.meaning),
        ("person", parts.person),
        ("day", parts.day),
        ("telling", parts.telling),
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

/// Does what takes milliseconds of computing beside the others.
async fn on_the_side<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The program ends: nobody waits for it.
        Err(_) => std::future::pending().await,
    }
}

fn read(library: &RwLock<Library>) -> std::sync::RwLockReadGuard<'_, Library> {
    library.read().unwrap_or_else(PoisonError::into_inner)
}

fn write(library: &RwLock<Library>) -> std::sync::RwLockWriteGuard<'_, Library> {
    library.write().unwrap_or_else(PoisonError::into_inner)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
