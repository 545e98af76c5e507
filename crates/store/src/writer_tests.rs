use std::path::PathBuf;
use std::sync::Arc;

use host::ManualClock;
use protocol::{FactCategory, FactId, FactStatus, UserId};

use super::*;
use crate::{FactUpdate, MessageTarget, NewFact, NewTurn, Store};

/// A database that is deleted when the test ends.
struct TestStore {
    store: Store,
    owner: UserId,
    folder: PathBuf,
}

impl TestStore {
    async fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("perigee-writer-{}-{name}", std::process::id()));
        host::private_dir(&folder).unwrap();
        let clock = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
        let store = Store::open(&folder.join("perigee.db"), clock).unwrap();
        let owner = store.owner().await.unwrap().id;
        Self { store, owner, folder }
    }

    async fn say(&self, content: &str) -> Result<()> {
        let new = NewTurn { target: MessageTarget::Fresh, content: content.into(), ..NewTurn::default() };
        self.store.begin_turn(self.owner, new).await.map(|_| ())
    }

    async fn found(&self, query: &str) -> usize {
        self.store.search(self.owner, query, None, 50).await.unwrap().hits.len()
    }

    /// Limits the database to this many additional pages, like a nearly full disk.
    async fn leave_room(&self, pages: i64) {
        let limiting = self.store.writer().alone(move |connection| {
            let used: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            connection.pragma_update_and_check(None, "max_page_count", used + pages, |_| Ok(()))?;
            Ok(())
        });
        limiting.await.unwrap();
    }
}

impl Drop for TestStore {
    #[allow(clippy::disallowed_methods, reason = "the folder was made by this test")]
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[tokio::test]
async fn a_full_disk_is_told_and_when_there_is_room_it_goes_on() {
    let test = TestStore::new("full").await;
    test.say("before").await.unwrap();
    test.leave_room(40).await;
    let huge = "full ".repeat(400_000);
    let error = test.say(&huge).await.unwrap_err();
    assert_eq!(error, StoreError::DiskFull);
    assert!(error.to_string().contains("Free some space"), "{error}");

    let (small, large, last) = tokio::join!(test.say("small"), test.say(&huge), test.say("last"));
    assert_eq!(large, Err(StoreError::DiskFull));
    assert_eq!(
        test.found("small").await,
        usize::from(small.is_ok()),
        "acknowledged or gone, nothing between"
    );
    assert_eq!(test.found("last").await, usize::from(last.is_ok()));
    test.say("after").await.unwrap();

    test.leave_room(100_000).await;
    test.say(&huge).await.unwrap();
    for word in ["before", "after", "full"] {
        assert_eq!(test.found(word).await, 1, "{word}");
    }
    assert!(test.store.check().await.unwrap().is_sound());
}

#[tokio::test]
async fn a_panic_undoes_its_own_write_and_no_other() {
    let test = TestStore::new("panic").await;
    let broken = test.store.write(Durability::Log, |connection| -> Result<()> {
        connection
            .execute("INSERT INTO users (id, name, owner, created_at) VALUES (7, 'ghost', 0, 0)", [])?;
        panic!("as a test")
    });
    let (before, broken, after) = tokio::join!(test.say("before"), broken, test.say("after"));
    assert!(matches!(broken, Err(StoreError::Internal(_))));
    before.unwrap();
    after.unwrap();
    assert_eq!(test.store.users().await.unwrap().len(), 1);
    let alone = test.store.writer().alone(|connection| -> Result<()> {
        connection.execute_batch("BEGIN; DELETE FROM users")?;
        panic!("as a test")
    });
    assert!(alone.await.is_err());
    assert_eq!(test.store.users().await.unwrap().len(), 1);
    test.say("still here").await.unwrap();
}

#[tokio::test]
async fn what_fails_alone_leaves_nothing_behind() {
    let test = TestStore::new("fails").await;
    let failing = test.store.write(Durability::Person, |connection| -> Result<()> {
        connection
            .execute("INSERT INTO users (id, name, owner, created_at) VALUES (7, 'ghost', 0, 0)", [])?;
        Err(StoreError::Conflict("changed my mind"))
    });
    assert_eq!(failing.await, Err(StoreError::Conflict("changed my mind")));
    assert_eq!(test.store.users().await.unwrap().len(), 1);
}

#[tokio::test]
async fn on_a_full_disk_a_fact_is_learned_whole_or_not_at_all() {
    let test = TestStore::new("fact").await;
    let fact = |content: &str| NewFact {
        category: FactCategory::Personal,
        status: FactStatus::Current,
        subject: String::new(),
        slot: None,
        value: String::new(),
        content: content.to_owned(),
        quote: None,
        confidence: 0.9,
        importance: 0.5,
        valid_from: None,
        valid_to: None,
        expires_at: None,
        private: false,
        lasting: false,
        conversation: None,
        message: None,
        imported_from: None,
        origins: Vec::new(),
    };
    let learn = |content: &str, replaces: Vec<FactId>| {
        let id = test.store.fact_id();
        let step = FactUpdate::Learn { id, new: fact(content), replaces };
        let learned = test.store.apply_fact_updates(test.owner, vec![step], Vec::new());
        async move { learned.await.map(|_| id) }
    };
    let first = learn("Lives in Berlin", Vec::new()).await.unwrap();
    test.leave_room(20).await;
    let huge = "Lives in Lyon ".repeat(20_000);
    assert_eq!(learn(&huge, vec![first]).await, Err(StoreError::DiskFull));
    let known = test.store.facts(test.owner).await.unwrap();
    assert_eq!(known.len(), 1);
    assert_eq!(known[0].said.status, FactStatus::Current, "what it would have replaced still holds");
    test.leave_room(100_000).await;
    learn(&huge, vec![first]).await.unwrap();
    let known = test.store.facts(test.owner).await.unwrap();
    assert_eq!(known[0].said.status, FactStatus::Superseded);
    assert!(test.store.check().await.unwrap().is_sound());
}
