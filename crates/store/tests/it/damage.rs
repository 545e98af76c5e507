use std::sync::Arc;

use host::{ManualClock, SystemClock};
use protocol::{FactCategory, FactStatus};
use store::{FactUpdate, FileState, MessageTarget, NewFact, Store, StoreError};

use crate::support::{Folder, TestStore, meddle, said};

fn open(path: &std::path::Path) -> Result<Store, StoreError> {
    Store::open(path, Arc::new(SystemClock))
}

#[tokio::test]
async fn a_newer_database_is_refused_and_left_alone() {
    let test = TestStore::new().await;
    test.say(MessageTarget::Fresh, "hello", "hi").await;
    let path = test.path();
    let TestStore { store, folder, .. } = test;
    store.close().await;
    meddle(&path, "PRAGMA user_version = 99");
    let before = std::fs::read(&path).unwrap();
    let error = open(&path).err().unwrap();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }));
    assert!(error.to_string().contains("Update Perigee"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    drop(folder);
}

#[tokio::test]
async fn what_is_not_our_database_gives_a_clear_error() {
    let folder = Folder::new();
    let path = folder.file("other.db");
    meddle(&path, "CREATE TABLE bookmarks (url TEXT)");
    assert_eq!(open(&path).err(), Some(StoreError::Foreign));

    let path = folder.file("text.db");
    std::fs::write(&path, "This is not a database. ".repeat(100)).unwrap();
    let error = open(&path).err().unwrap();
    assert!(matches!(error, StoreError::Damaged(_)), "{error:?}");
    assert!(error.to_string().contains("perigee restore"), "{error}");

    let error = open(&folder.file("no/such/folder/x.db")).err().unwrap();
    assert!(matches!(error, StoreError::Unreachable(_)), "{error:?}");
    assert!(Store::check_file(&folder.file("absent.db")).is_err());
}

#[tokio::test]
async fn flipped_bytes_are_errors_and_never_a_panic() {
    let test = TestStore::new().await;
    for number in 0..60 {
        test.say(MessageTarget::Fresh, &format!("question {number} {}", "pad ".repeat(200)), "answer").await;
    }
    let path = test.path();
    let TestStore { store, folder, owner, .. } = test;
    store.close().await;
    let good = std::fs::read(&path).unwrap();
    let mut noticed = 0;
    for round in 0..40 {
        let mut bytes = good.clone();
        // Whole blocks are damaged, spread over the file, including the header.
        let start = round * (bytes.len() / 40);
        for byte in bytes.iter_mut().skip(start).take(1500) {
            *byte ^= 0x5a;
        }
        let broken = folder.file(&format!("broken{round}.db"));
        std::fs::write(&broken, &bytes).unwrap();
        let Ok(store) = open(&broken) else {
            noticed += 1;
            continue;
        };
        let _ = store.recover().await;
        let _ = store.search(owner, "question", None, 50).await;
        let _ = store.list(owner, store::ListQuery { limit: 50, ..Default::default() }).await;
        for id in store.conversation_ids(owner).await.unwrap_or_default() {
            let _ = store.open_conversation(owner, id, None, 50).await;
        }
        let _ = store.begin_turn(owner, said(MessageTarget::Fresh, "into the ruins")).await;
        let sound = store.check().await.is_ok_and(|report| report.is_sound());
        noticed += u32::from(!sound);
        store.close().await;
    }
    // The rest hit free space, or changed letters of a message into other letters, which cannot be detected.
    assert!(noticed >= 20, "{noticed} of 40");
}

#[tokio::test]
async fn facts_that_lead_nowhere_are_noticed() {
    let test = TestStore::new().await;
    let turn = test.say(MessageTarget::Fresh, "I live in Rome.", "I see.").await;
    let (message, path) = (turn.user_message.unwrap(), test.path());
    let new =
        NewFact { conversation: Some(turn.conversation), message: Some(message), ..fact("Lives in Rome.") };
    let (id, gone) = (test.store.fact_id(), test.store.fact_id());
    let step = FactUpdate::Learn { id, new, replaces: Vec::new() };
    test.store.apply_fact_updates(test.owner, vec![step], Vec::new()).await.unwrap();
    assert!(test.store.check().await.unwrap().is_sound());
    meddle(&path, &format!("UPDATE facts SET message = {}", gone.get()));
    assert_eq!(test.store.check().await.unwrap().problems, ["facts whose message is missing: 1"]);
    // A fact outlives its conversation.
    meddle(&path, "UPDATE conversations SET deleted_at = 1");
    assert!(test.store.check().await.unwrap().is_sound());
    meddle(&path, &format!("PRAGMA foreign_keys = OFF; UPDATE facts SET superseded_by = {}", gone.get()));
    let problems = test.store.check().await.unwrap().problems;
    assert_eq!(problems, ["a row of facts refers to a missing row of facts"]);
}

#[tokio::test]
async fn no_fact_ends_before_it_began() {
    let test = TestStore::new().await;
    let day = |text: &str| Some(text.parse().unwrap());
    let old = NewFact { valid_from: day("2025-05-01T00:00:00Z"), ..fact("Lives in Rome.") };
    let new = NewFact { valid_from: day("2025-03-01T00:00:00Z"), ..fact("Lives in Lyon.") };
    let (first, second) = (test.store.fact_id(), test.store.fact_id());
    let steps = vec![
        FactUpdate::Learn { id: first, new: old.clone(), replaces: Vec::new() },
        FactUpdate::Learn { id: second, new, replaces: vec![first] },
        FactUpdate::End { id: second, at: "2025-01-01T00:00:00Z".parse().unwrap() },
    ];
    test.store.apply_fact_updates(test.owner, steps, Vec::new()).await.unwrap();
    for known in test.store.facts(test.owner).await.unwrap() {
        assert_eq!(known.said.valid_to, known.said.valid_from, "{known:?}");
    }
}

fn fact(content: &str) -> NewFact {
    NewFact {
        category: FactCategory::Personal,
        status: FactStatus::Current,
        subject: String::new(),
        slot: None,
        value: String::new(),
        content: content.into(),
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
    }
}

#[tokio::test]
async fn a_file_cut_short_is_noticed() {
    let test = TestStore::new().await;
    for _ in 0..20 {
        test.say(MessageTarget::Fresh, &"words ".repeat(500), "answer").await;
    }
    let path = test.path();
    let TestStore { store, folder, .. } = test;
    store.close().await;
    let good = std::fs::read(&path).unwrap();
    let cut = folder.file("cut.db");
    std::fs::write(&cut, &good[..good.len() / 2]).unwrap();
    let sound = Store::check_file(&cut).is_ok_and(|report| report.is_sound());
    assert!(!sound);
}

#[tokio::test]
async fn a_program_that_dies_without_a_word_loses_nothing_it_acknowledged() {
    let folder = Folder::new();
    let path = folder.file("perigee.db");
    let clock = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
    let store = Store::open(&path, clock.clone()).unwrap();
    let owner = store.owner().await.unwrap().id;
    for number in 0..10 {
        store.begin_turn(owner, said(MessageTarget::Current, &format!("message {number}"))).await.unwrap();
    }
    // The state after a kill: the file and its log as they are, not closed.
    let copy = folder.file("after.db");
    std::fs::copy(&path, &copy).unwrap();
    std::fs::copy(folder.file("perigee.db-wal"), folder.file("after.db-wal")).unwrap();
    let after = Store::open(&copy, clock).unwrap();
    assert_eq!(after.recover().await.unwrap().len(), 10);
    let id = after.conversation_ids(owner).await.unwrap()[0];
    let view = after.open_conversation(owner, id, None, 100).await.unwrap();
    assert_eq!(view.messages.len(), 20);
    assert!(after.check().await.unwrap().is_sound());
}

#[tokio::test]
async fn a_backup_is_one_sound_file_of_one_moment_while_others_write() {
    let test = TestStore::new().await;
    for number in 0..50 {
        test.say(MessageTarget::Fresh, &format!("message {number} {}", "pad ".repeat(500)), "answer").await;
    }
    let copy = test.folder.file("backup.db");
    let writing = async {
        for _ in 0..50 {
            test.say(MessageTarget::Fresh, "meanwhile", "yes").await;
        }
    };
    let (copied, ()) = tokio::join!(test.store.backup_to(&copy), writing);
    copied.unwrap();
    assert!(!test.folder.file("backup.db-wal").exists());
    assert_eq!(Store::check_file(&copy).unwrap().problems, Vec::<String>::new());
    let restored = open(&copy).unwrap();
    assert!(restored.conversation_ids(test.owner).await.unwrap().len() >= 50);

    assert!(
        matches!(test.store.backup_to(&copy).await, Err(StoreError::Conflict(_))),
        "nothing is overwritten"
    );
    assert!(test.store.backup_to(&test.folder.file("no/such/x.db")).await.is_err());
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_of_the_account_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let test = TestStore::new().await;
    test.say(MessageTarget::Fresh, "hello", "hi").await;
    let copy = test.folder.file("backup.db");
    test.store.backup_to(&copy).await.unwrap();
    for file in [test.path(), test.folder.file("perigee.db-wal"), copy] {
        assert_eq!(
            std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600,
            "{}",
            file.display()
        );
    }
}

#[tokio::test]
async fn a_check_names_what_is_wrong() {
    let cases = [
        ("DELETE FROM conversations", "refers to a missing row"),
        ("CREATE TRIGGER evil AFTER INSERT ON messages BEGIN DELETE FROM users; END", "trigger evil"),
        ("DROP INDEX messages_children", "messages_children is missing"),
        ("UPDATE conversations SET leaf = 5", "show a message"),
        ("UPDATE messages SET user = 5", "different owner"),
        ("DROP TRIGGER message_added; DROP TRIGGER message_changed", "message_added is missing"),
        ("DELETE FROM message_search_docsize", "search"),
    ];
    for (sql, complaint) in cases {
        let test = TestStore::new().await;
        test.say(MessageTarget::Fresh, "hello", "hi").await;
        test.assert_sound().await;
        let path = test.path();
        let TestStore { store, folder, .. } = test;
        store.close().await;
        meddle(&path, &format!("PRAGMA foreign_keys = OFF; {sql}"));
        let problems = Store::check_file(&path).unwrap().problems.join("\n");
        assert!(problems.contains(complaint), "{sql}: {problems}");
        drop(folder);
    }
}

#[tokio::test]
async fn a_file_that_was_cut_is_told_before_anything_is_written() {
    let test = TestStore::new().await;
    for number in 0..20 {
        test.say(MessageTarget::Fresh, &format!("question {number} {}", "pad ".repeat(200)), "answer").await;
    }
    let path = test.path();
    let TestStore { store, folder, .. } = test;
    // While it is in use, pages that are only in the log count.
    assert_eq!(Store::file_state(&path).unwrap(), FileState::Whole);
    store.close().await;
    assert_eq!(Store::file_state(&path).unwrap(), FileState::Whole);
    let good = std::fs::read(&path).unwrap();
    let cut = folder.file("cut.db");
    for left in [1, 15, 16, 99, 100, 511, 4096, good.len() / 2, good.len() - 4096, good.len() - 1] {
        std::fs::write(&cut, &good[..left]).unwrap();
        let state = Store::file_state(&cut).unwrap();
        assert!(
            matches!(state, FileState::CutShort { bytes, .. } if bytes == left as u64),
            "{left}: {state:?}"
        );
        assert!(matches!(open(&cut).err(), Some(StoreError::Damaged(_))), "{left}");
        assert_eq!(std::fs::read(&cut).unwrap(), good[..left], "{left}");
    }
    std::fs::write(&cut, "").unwrap();
    assert_eq!(Store::file_state(&cut).unwrap(), FileState::Empty);
    assert_eq!(Store::file_state(&folder.file("none.db")).unwrap(), FileState::Missing);
    // SQLite itself has to judge a file with another header.
    std::fs::write(&cut, "This is not a database. ".repeat(100)).unwrap();
    assert_eq!(Store::file_state(&cut).unwrap(), FileState::Whole);
    // A file may be longer than necessary.
    std::fs::write(&cut, [good.as_slice(), &[0; 5000]].concat()).unwrap();
    assert_eq!(Store::file_state(&cut).unwrap(), FileState::Whole);
}
