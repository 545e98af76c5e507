//! The memory of all users: what each part of the crate does for one user, on top of the store.

mod embedding;
mod entries;
mod fact_answers;
mod items;
mod memory_files;
mod outdated_messages;
mod recalling;
mod request;
mod sync;
mod vector_regions;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use host::Clock;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use protocol::{User, UserId};
use store::{Store, StoreError, StoredFact};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

pub use self::request::{DEFAULT_RECALL_LIMIT, EmbeddingProgress, FitsPrompt, RecallRequest, RecallResult};
use crate::access::{PrivacyFilter, Recipient};
use crate::embedding_source::EmbeddingSource;
use crate::files::{MemoryFileStamp, MemoryFiles};
use crate::folders::UserFolders;
use crate::secrets::Secrets;
use crate::speaker_names::{SpeakerNames, SpeakerNamesOf};
use crate::user_memory::UserMemory;

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
    pub folders: UserFolders,
    pub names: SpeakerNamesOf,
}

/// The memory of all users. Cheap to clone.
#[derive(Clone)]
pub struct Memory {
    inner: Arc<Inner>,
}

struct Inner {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    embeddings: Arc<dyn EmbeddingSource>,
    files: Arc<MemoryFiles>,
    folders: UserFolders,
    names: SpeakerNamesOf,
    users: Mutex<HashMap<UserId, Arc<UserState>>>,
}

/// One user's memory, and its position in following the changes of the store.
struct UserState {
    user: User,
    names: SpeakerNames,
    folder: Arc<Path>,
    memory: RwLock<UserMemory>,
    sync: AsyncMutex<SyncState>,
    facts_lock: Arc<AsyncMutex<()>>,
}

/// A lock on what is known about a user: while it is held, no other task changes that.
#[must_use = "others wait for as long as it is there"]
pub struct FactsLock {
    _turn: OwnedMutexGuard<()>,
}

#[derive(Default)]
struct SyncState {
    /// `None` until the store has been read.
    seq: Option<i64>,
    stamps: Vec<MemoryFileStamp>,
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

impl Memory {
    pub fn new(parts: MemoryParts) -> Self {
        let MemoryParts { store, clock, embeddings, folders, names } = parts;
        let files = MemoryFiles::new(Arc::clone(&clock), Arc::clone(&store));
        let users = Mutex::default();
        Self { inner: Arc::new(Inner { store, clock, embeddings, files, folders, names, users }) }
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
        Ok(self.user_state(user).await?.names.companion.clone())
    }

    pub(crate) async fn folder_of(&self, user: UserId) -> Result<Arc<Path>> {
        Ok(Arc::clone(&self.user_state(user).await?.folder))
    }

    /// Returns the memory files, for use within this crate only: they do not check who reads.
    pub(crate) fn memory_files(&self) -> &Arc<MemoryFiles> {
        &self.inner.files
    }

    /// Applies `of` to each fact in memory.
    pub(crate) async fn each_fact<T>(&self, user: UserId, of: impl Fn(&StoredFact) -> T) -> Result<Vec<T>> {
        let state = self.user_state(user).await?;
        self.catch_up(&state).await?;
        let memory = read(&state.memory);
        Ok(memory.facts.values().map(of).collect())
    }

    /// Returns what a recipient may see of a user's data.
    pub(crate) async fn privacy_filter(&self, user: UserId, recipient: &Recipient) -> Result<PrivacyFilter> {
        Ok(match recipient {
            Recipient::Person => PrivacyFilter::unrestricted(),
            Recipient::Program(_) | Recipient::Other => {
                PrivacyFilter::hiding(self.secrets(user).await?, recipient)
            }
        })
    }

    async fn user_state(&self, user: UserId) -> Result<Arc<UserState>> {
        if let Some(state) = lock(&self.inner.users).get(&user) {
            return Ok(Arc::clone(state));
        }
        let user = self.inner.store.user(user).await?;
        let names = (self.inner.names)(&user);
        let memory = UserMemory::new(&names, self.inner.clock.time_zone());
        let state = UserState {
            folder: self.inner.folders.of(&user),
            memory: RwLock::new(memory),
            sync: AsyncMutex::default(),
            facts_lock: Arc::default(),
            names,
            user,
        };
        let mut users = lock(&self.inner.users);
        Ok(Arc::clone(users.entry(state.user.id).or_insert(Arc::new(state))))
    }

    /// Returns the secrets of a user: what only the user and a model on this machine may read.
    pub async fn secrets(&self, user: UserId) -> Result<Secrets> {
        let state = self.user_state(user).await?;
        self.catch_up(&state).await?;
        Ok(read(&state.memory).secrets())
    }

    /// Waits until no other task changes what is known about a user. Functions that learn, correct or tidy acquire the
    /// lock themselves, and deadlock if their caller has it already.
    pub async fn lock_facts(&self, user: UserId) -> Result<FactsLock> {
        let facts_lock = Arc::clone(&self.user_state(user).await?.facts_lock);
        Ok(FactsLock { _turn: facts_lock.lock_owned().await })
    }

    /// Loads a user's memory and the embedding model before the first question: with a large memory this takes seconds, and
    /// the first message would otherwise be answered by words alone.
    pub async fn warm_up(&self, user: UserId) -> Result<()> {
        let state = self.user_state(user).await?;
        self.catch_up(&state).await?;
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
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime is shutting down, so no task needs the result.
        Err(_) => std::future::pending().await,
    }
}

fn read(memory: &RwLock<UserMemory>) -> std::sync::RwLockReadGuard<'_, UserMemory> {
    memory.read().unwrap_or_else(PoisonError::into_inner)
}

fn write(memory: &RwLock<UserMemory>) -> std::sync::RwLockWriteGuard<'_, UserMemory> {
    memory.write().unwrap_or_else(PoisonError::into_inner)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
