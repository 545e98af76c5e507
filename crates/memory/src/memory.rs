mod arranging;
mod embedding;
mod filing;
mod following;
mod recalling;
mod retelling;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use async_trait::async_trait;
use host::Clock;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use model::EmbeddingModel;
use protocol::{MemoryItem, MemoryKind, MessageId, User, UserId, VectorEntry, VectorEntryList};
use store::{NewEntry, Store, StoreError, StoredFact, Thing};
use tokio::sync::{Mutex as Turnstile, OwnedMutexGuard};

use crate::files::{Shelf, Stamp};
use crate::folders::OwnFolders;
use crate::library::Library;
use crate::reader::{Author, Reader, Sight};
use crate::secrets::Secrets;

/// The default number of items that recall returns; how many of them are used is up to the prompt.
pub const MOST: usize = 20;
/// The maximum size of an entry in bytes: more than a page can show.
const LONGEST_ENTRY: usize = 100_000;

/// A source of the embedding model in use.
#[async_trait]
pub trait EmbeddingSource: Send + Sync {
    /// Returns the model in use, if one is ready. Must not wait for a download.
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>>;
}

/// A source without a model: recall relies on words and dates alone.
pub struct NoEmbeddings;

#[async_trait]
impl EmbeddingSource for NoEmbeddings {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        None
    }
}

/// Errors of remembering and recalling.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Files(#[from] tools::ToolError),
    #[error("{0}")]
    Invalid(String),
    /// The action is reserved for the user; programs may not perform it.
    #[error("{0}")]
    NotYours(String),
}

pub type Result<T> = std::result::Result<T, MemoryError>;

/// The components of a [`Memory`].
pub struct MemoryParts {
    pub store: Arc<Store>,
    pub clock: Arc<dyn Clock>,
    pub embeddings: Arc<dyn EmbeddingSource>,
    pub folders: OwnFolders,
    pub names: NamesOf,
}

/// The names of the user and the companion, under which their messages are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    pub user: String,
    pub companion: String,
}

pub type NamesOf = Box<dyn Fn(&User) -> Names + Send + Sync>;

/// The memory of all users. Cheap to clone.
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

/// One user's library, and its position in following the changes of the store.
struct Person {
    user: User,
    names: Names,
    folder: Arc<Path>,
    library: RwLock<Library>,
    following: Turnstile<Following>,
    changing: Arc<Turnstile<()>>,
}

/// A lock on what is known about a user: while it is held, no other task changes that.
#[must_use = "others wait for as long as it is there"]
pub struct Hold {
    _turn: OwnedMutexGuard<()>,
}

#[derive(Default)]
struct Following {
    /// `None` until the store has been read.
    seq: Option<i64>,
    stamps: Vec<Stamp>,
    embedder: Option<Embedder>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Embedder {
    id: i64,
    name: String,
    dimensions: usize,
    /// True if the model runs on this machine, so that no text leaves it.
    is_here: bool,
}

/// Vectors and the name of the model that made them.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    pub model: String,
    pub vectors: Vec<Vec<f32>>,
}

/// A recall request.
#[derive(Debug, Clone)]
pub struct Recall {
    pub text: String,
    /// Messages that are in the model's context already.
    pub known: HashSet<MessageId>,
    /// The maximum number of items; [`MOST`] if absent.
    pub most: Option<usize>,
    /// The reader of the result.
    pub reader: Reader,
    /// The number of characters up to which everything that the user said is returned for any question: nothing is left
    /// out because it does not seem relevant.
    pub room: usize,
}

impl Recall {
    pub fn new(text: impl Into<String>, reader: Reader) -> Self {
        Self { text: text.into(), known: HashSet::new(), most: None, reader, room: 0 }
    }

    pub(crate) fn may_be_private(&self) -> bool {
        self.reader.is_person()
    }
}

/// Returns true if these items fit into the prompt when everything is returned.
pub type Fits<'a> = &'a (dyn Fn(&[MemoryItem]) -> bool + Sync);

/// The progress of embedding new items, such as imported conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    pub done: usize,
    pub of: usize,
}

/// The result of a recall.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recalled {
    /// The items, best first. Empty if nothing was close enough, unless everything is returned.
    pub items: Vec<MemoryItem>,
    /// True if nothing is close enough to answer the question.
    pub refused: bool,
    /// True if the items include everything that the user said and the reader may see, relevant or not.
    pub whole: bool,
    /// The progress of embedding, if many items still have no vector. Until then they are found by their words.
    pub reading: Option<Reading>,
    /// The confidence that the question can be answered; higher is more certain.
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

    /// Returns the companion's name for this user.
    pub(crate) async fn companion_for(&self, user: UserId) -> Result<String> {
        Ok(self.person(user).await?.names.companion.clone())
    }

    pub(crate) async fn folder_of(&self, user: UserId) -> Result<Arc<Path>> {
        Ok(Arc::clone(&self.person(user).await?.folder))
    }

    /// Returns the memory files, for use within this crate only: the shelf does not check who reads.
    pub(crate) fn shelf(&self) -> &Arc<Shelf> {
        &self.inner.shelf
    }

    /// Applies `of` to each fact in memory.
    pub(crate) async fn each_fact<T>(&self, user: UserId, of: impl Fn(&StoredFact) -> T) -> Result<Vec<T>> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        let library = read(&person.library);
        Ok(library.facts.values().map(of).collect())
    }

    /// Saves an entry of the vector store with its author. A program replaces only its own entry, whether or not other
    /// authors' entries are hidden from it: the answer is the same.
    pub async fn save_entry(&self, user: UserId, author: &Author, mut new: NewEntry) -> Result<VectorEntry> {
        if new.content.len() > LONGEST_ENTRY {
            let words = format!("an entry has at most {LONGEST_ENTRY} bytes: write a memory file");
            return Err(MemoryError::Invalid(words));
        }
        new.origins.extend(author.origin());
        new.author = author.program();
        Ok(self.inner.store.save_entry(user, new).await?)
    }

    pub async fn entry(&self, user: UserId, reader: Reader, name: &str) -> Result<VectorEntry> {
        let saved = self.inner.store.entry(user, name).await?;
        if self.sight(user, &reader).await?.shows_entry(&saved) {
            Ok(saved.entry)
        } else {
            Err(StoreError::NotFound(Thing::Entry).into())
        }
    }

    pub async fn delete_entry(&self, user: UserId, author: &Author, name: &str) -> Result<VectorEntry> {
        self.entry(user, author.reader(), name).await?;
        Ok(self.inner.store.delete_entry(user, author.program(), name).await?)
    }

    pub async fn entry_list(
        &self,
        user: UserId,
        reader: Reader,
        limit: u32,
        offset: u32,
    ) -> Result<VectorEntryList> {
        if reader.is_person() {
            return Ok(self.inner.store.entry_list(user, limit, offset).await?);
        }
        // Pages and totals count only visible entries, so that gaps reveal nothing.
        let sight = self.sight(user, &reader).await?;
        let all = self.inner.store.entries(user).await?.into_iter();
        let seen: Vec<VectorEntry> =
            all.filter(|saved| sight.shows_entry(saved)).map(|saved| saved.entry).collect();
        let total = u32::try_from(seen.len()).unwrap_or(u32::MAX);
        let entries = seen.into_iter().skip(offset as usize).take(limit as usize).collect();
        Ok(VectorEntryList { entries, total })
    }

    /// Returns what a reader may see of a user's data.
    pub(crate) async fn sight(&self, user: UserId, reader: &Reader) -> Result<Sight> {
        Ok(match reader {
            Reader::Person => Sight::of_all(),
            Reader::Program(_) | Reader::Other => Sight::without(self.secrets(user).await?, reader),
        })
    }

    /// Returns the closest entries, best first. Entries that have nothing in common with the text are left out.
    pub async fn search_entries(
        &self,
        user: UserId,
        reader: Reader,
        text: &str,
        most: usize,
    ) -> Result<Vec<MemoryItem>> {
        let person = self.person(user).await?;
        // Recently saved entries are embedded first, so that they are found by meaning too; if there are many, the rest
        // is found only by words.
        let begun = std::time::Instant::now();
        while begun.elapsed() < embedding::PATIENCE
            && self.embed_some_of(user, |kind| kind == MemoryKind::Entry).await? > 0
        {}
        let question = read(&person.library).read(text);
        let vector = self.embed_question(&person, &question).await;
        let today = self.today();
        let searched = Arc::clone(&person);
        let hits = on_the_side(move || {
            let library = read(&searched.library);
            library.search_entries(question, vector.as_deref(), today, most, &reader)
        });
        self.found(&person, hits.await).await
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
            changing: Arc::default(),
            names,
            user,
        };
        let mut people = lock(&self.inner.people);
        Ok(Arc::clone(people.entry(person.user.id).or_insert(Arc::new(person))))
    }

    /// Returns the secrets of a user: what only the user and a model on this machine may read.
    pub async fn secrets(&self, user: UserId) -> Result<Secrets> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        Ok(read(&person.library).secrets())
    }

    /// Waits until no other task changes what is known about a user. Functions that learn, correct or tidy acquire the
    /// hold themselves, and deadlock if their caller has it already.
    pub async fn hold(&self, user: UserId) -> Result<Hold> {
        let changing = Arc::clone(&self.person(user).await?.changing);
        Ok(Hold { _turn: changing.lock_owned().await })
    }

    /// Loads the library and the embedding model before the first question: with a large memory this takes seconds, and
    /// the first message would otherwise be answered by words alone.
    pub async fn wake(&self, user: UserId) -> Result<()> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        if let Some(model) = self.embedding_model().await.filter(|model| model.is_here()) {
            model
                .embed(&["hello".to_owned()])
                .await
                .map_err(|error| MemoryError::Invalid(error.to_string()))?;
        }
        Ok(())
    }
}

/// Runs milliseconds of computation on a blocking thread.
async fn on_the_side<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime is shutting down, so no task needs the result.
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
