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

/// What recall ranks by default; how much of it is told is for the prompt to say.
pub const MOST: usize = 20;
/// More than a page can show.
const LONGEST_ENTRY: usize = 100_000;

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
    /// It is the person's to do, and not a program's.
    #[error("{0}")]
    NotYours(String),
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
    changing: Arc<Turnstile<()>>,
}

/// While somebody has it, nobody else changes what is known of a user.
#[must_use = "others wait for as long as it is there"]
pub struct Hold {
    _turn: OwnedMutexGuard<()>,
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
    /// Texts do not leave the machine for it.
    is_here: bool,
}

/// Vectors, and who made them.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    pub model: String,
    pub vectors: Vec<Vec<f32>>,
}

/// What is asked of the memory.
#[derive(Debug, Clone)]
pub struct Recall {
    pub text: String,
    /// Messages that the model reads anyhow.
    pub known: HashSet<MessageId>,
    /// At most so many; [`MOST`] where nothing is said.
    pub most: Option<usize>,
    /// Whom it is told to.
    pub reader: Reader,
    /// Where all that the user told has at most so many letters, it is read whole, whatever is asked: nothing of it is
    /// kept back because it does not seem to answer.
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

/// Whether so many items have room where they are to be read whole.
pub type Fits<'a> = &'a (dyn Fn(&[MemoryItem]) -> bool + Sync);

/// How far the vectors are of what came in, such as conversations of another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    pub done: usize,
    pub of: usize,
}

/// What was remembered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recalled {
    /// Best first. None, where nothing came near enough, unless it is read whole.
    pub items: Vec<MemoryItem>,
    /// Nothing of what there is comes near enough to answer the question.
    pub refused: bool,
    /// All that the user told and the reader may read is among the items, whether or not it answers.
    pub whole: bool,
    /// Where much is yet to be read in, how far that is. Until then it is found by its words.
    pub reading: Option<Reading>,
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

    /// For this crate alone: it asks nobody who reads.
    pub(crate) fn shelf(&self) -> &Arc<Shelf> {
        &self.inner.shelf
    }

    /// Something of each fact that is in memory.
    pub(crate) async fn each_fact<T>(&self, user: UserId, of: impl Fn(&StoredFact) -> T) -> Result<Vec<T>> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        let library = read(&person.library);
        Ok(library.facts.values().map(of).collect())
    }

    /// Saves an entry of the vector store, in whoever's words. A program takes the place of its own alone, be the others
    /// hidden from it or not: the answer is the same.
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
        // Pages and numbers count what can be seen, so that nothing is learned from gaps.
        let sight = self.sight(user, &reader).await?;
        let all = self.inner.store.entries(user).await?.into_iter();
        let seen: Vec<VectorEntry> =
            all.filter(|saved| sight.shows_entry(saved)).map(|saved| saved.entry).collect();
        let total = u32::try_from(seen.len()).unwrap_or(u32::MAX);
        let entries = seen.into_iter().skip(offset as usize).take(limit as usize).collect();
        Ok(VectorEntryList { entries, total })
    }

    /// What a reader may see of a user.
    pub(crate) async fn sight(&self, user: UserId, reader: &Reader) -> Result<Sight> {
        Ok(match reader {
            Reader::Person => Sight::of_all(),
            Reader::Program(_) | Reader::Other => Sight::without(self.secrets(user).await?, reader),
        })
    }

    /// The entries that come nearest, best first. Those that have nothing of it are left out.
    pub async fn search_entries(
        &self,
        user: UserId,
        reader: Reader,
        text: &str,
        most: usize,
    ) -> Result<Vec<MemoryItem>> {
        let person = self.person(user).await?;
        // What was saved a moment ago is found by its meaning too; after many, the rest only by its words.
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

    /// What nobody but a model on this machine may read of a user.
    pub async fn secrets(&self, user: UserId) -> Result<Secrets> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        Ok(read(&person.library).secrets())
    }

    /// Waits until nobody else changes what is known of a user. Whatever learns, corrects or tidies takes it itself,
    /// and waits for ever where its caller has it.
    pub async fn hold(&self, user: UserId) -> Result<Hold> {
        let changing = Arc::clone(&self.person(user).await?.changing);
        Ok(Hold { _turn: changing.lock_owned().await })
    }

    /// Reads what can be recalled before anybody asks, and loads the model for it: after a long life that takes seconds,
    /// and who speaks first would be answered by words alone.
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
