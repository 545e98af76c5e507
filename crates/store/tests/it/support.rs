use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use host::ManualClock;
use protocol::{ChatView, Event, MessageStatus, StopReason, Timings, Usage, UserId};
use rusqlite::functions::FunctionFlags;
use store::{
    BeginTurnResult, FinishedTurn, MessageTarget, NewTurn, ObjectKind, Store, StoreError, StoredEvents, Turn,
};

/// A folder that is deleted when the test ends.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("perigee-store-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A database in a folder of its own, with a clock that the test controls.
pub struct TestStore {
    pub store: Store,
    pub owner: UserId,
    pub clock: Arc<ManualClock>,
    pub folder: Folder,
}

impl TestStore {
    pub async fn new() -> Self {
        let folder = Folder::new();
        let clock = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
        let store = Store::open(&folder.file("perigee.db"), clock.clone()).unwrap();
        let owner = store.owner().await.unwrap().id;
        Self { store, owner, clock, folder }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.file("perigee.db")
    }

    pub fn tick(&self) {
        self.clock.advance(Duration::from_secs(1));
    }

    /// Closes the database and opens it again, as a restart of the program would.
    pub async fn reopen(self) -> Self {
        let path = self.path();
        let Self { store, owner, clock, folder } = self;
        store.close().await;
        let store = Store::open(&path, clock.clone()).unwrap();
        Self { store, owner, clock, folder }
    }

    pub async fn begin(&self, new: NewTurn) -> Turn {
        self.tick();
        match self.store.begin_turn(self.owner, new).await.unwrap() {
            BeginTurnResult::New(turn) => turn,
            BeginTurnResult::Existing(turn) => panic!("{turn:?} was there already"),
        }
    }

    /// Sends a message and stores its reply.
    pub async fn say(&self, target: MessageTarget, question: &str, answer: &str) -> Turn {
        let turn = self.begin(said(target, question)).await;
        self.tick();
        self.store.finish_turn(turn.id, answered(answer)).await.unwrap();
        turn
    }

    pub async fn open(&self, turn: &Turn) -> ChatView {
        self.store.open_conversation(self.owner, turn.conversation, None, 100).await.unwrap()
    }

    /// Returns the messages of the active branch, oldest first.
    pub async fn shown(&self, turn: &Turn) -> Vec<String> {
        self.open(turn).await.messages.into_iter().map(|message| message.content).collect()
    }

    pub async fn found(&self, query: &str) -> Vec<String> {
        let results = self.store.search(self.owner, query, None, 50).await.unwrap();
        results.hits.into_iter().map(|hit| hit.snippet).collect()
    }

    pub async fn assert_sound(&self) {
        assert_eq!(self.store.check().await.unwrap().problems, Vec::<String>::new());
    }
}

pub fn said(target: MessageTarget, content: &str) -> NewTurn {
    NewTurn { target, content: content.into(), model: "tiny".into(), ..NewTurn::default() }
}

pub fn answered(content: &str) -> FinishedTurn {
    FinishedTurn {
        content: content.into(),
        reasoning: None,
        status: MessageStatus::Complete,
        stop_reason: Some(StopReason::End),
        error: None,
        error_code: None,
        model: "tiny".into(),
        usage: Usage::default(),
        timings: Timings::default(),
        fragments: Vec::new(),
        last_round: None,
        last_events: None,
    }
}

pub fn tokens(first_seq: u32, pieces: &[&str]) -> StoredEvents {
    let events: Vec<_> = pieces.iter().map(|piece| Event::Token { content: (*piece).into() }).collect();
    StoredEvents { first_seq, last_seq: first_seq + u32::try_from(events.len()).unwrap() - 1, events }
}

pub fn missing<T>(thing: ObjectKind) -> Result<T, StoreError> {
    Err(StoreError::NotFound(thing))
}

/// Runs SQL on a separate connection, bypassing the store.
pub fn meddle(path: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let plain = |context: &rusqlite::functions::Context<'_>| context.get::<String>(0);
    connection.create_scalar_function("index_text", 1, FunctionFlags::default(), plain).unwrap();
    connection.execute_batch(sql).unwrap();
}
