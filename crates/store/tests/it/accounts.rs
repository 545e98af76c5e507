use std::time::Duration;

use host::Clock as _;
use protocol::{Scope, TokenId, UserId};
use store::{ObjectKind, SecretHash, StoreError};

use crate::support::{TestStore, meddle, missing};

#[tokio::test]
async fn the_first_start_makes_one_owner_and_later_ones_none() {
    let test = TestStore::new().await;
    let test = test.reopen().await;
    let users = test.store.users().await.unwrap();
    assert_eq!(users.len(), 1);
    assert!(users[0].owner);
    assert_eq!(test.store.user(test.owner).await.unwrap(), users[0]);
}

#[tokio::test]
async fn names_are_taken_once_whatever_their_case() {
    let test = TestStore::new().await;
    let guest = test.store.create_user(" Ada ").await.unwrap();
    assert_eq!((guest.name.as_str(), guest.owner), ("Ada", false));
    assert!(matches!(test.store.create_user("ADA").await, Err(StoreError::Conflict(_))));
    assert!(matches!(test.store.create_user("  ").await, Err(StoreError::Invalid(_))));
    assert_eq!(test.store.user(UserId::new(1)).await, missing(ObjectKind::User));
}

#[tokio::test]
async fn a_token_is_found_by_its_hash_and_remembers_its_last_use() {
    let test = TestStore::new().await;
    let hash = SecretHash::of("secret");
    let made =
        test.store.create_token(test.owner, "phone", hash, vec![Scope::Chat, Scope::Voice]).await.unwrap();
    assert_eq!(made.last_used_at, None);

    let found = test.store.token(hash).await.unwrap().unwrap();
    assert_eq!((found.id, found.scopes.clone(), found.user), (made.id, made.scopes, test.owner));
    assert_eq!(test.store.token(SecretHash::of("Secret")).await.unwrap(), None);

    let used = || async {
        test.store.checkpoint().await.unwrap();
        test.store.tokens(test.owner).await.unwrap()[0].last_used_at.clone()
    };
    let first = used().await;
    assert_eq!(first.as_deref(), Some("2025-06-01T12:00:00Z"));
    test.clock.advance(Duration::from_secs(5));
    test.store.token(hash).await.unwrap();
    assert_eq!(used().await, first, "a minute is exact enough");
    test.clock.advance(Duration::from_mins(2));
    test.store.token(hash).await.unwrap();
    assert_eq!(used().await.as_deref(), Some("2025-06-01T12:02:05Z"));
}

#[tokio::test]
async fn a_deleted_token_or_session_is_gone_and_only_its_owner_deletes_it() {
    let test = TestStore::new().await;
    let guest = test.store.create_user("guest").await.unwrap().id;
    let hash = SecretHash::of("t");
    let token = test.store.create_token(test.owner, "laptop", hash, vec![Scope::All]).await.unwrap();
    assert_eq!(test.store.delete_token(guest, token.id).await, missing(ObjectKind::Token));
    assert_eq!(test.store.tokens(guest).await.unwrap(), []);
    test.store.delete_token(test.owner, token.id).await.unwrap();
    assert_eq!(test.store.token(hash).await.unwrap(), None);
    assert_eq!(test.store.delete_token(test.owner, token.id).await, missing(ObjectKind::Token));

    let session = test.store.create_session(test.owner, hash, "Firefox", None).await.unwrap();
    assert_eq!(test.store.delete_session(guest, session.id).await, missing(ObjectKind::Session));
    assert_eq!(test.store.session(hash).await.unwrap().unwrap().id, session.id);
    test.store.delete_session(test.owner, session.id).await.unwrap();
    assert_eq!(test.store.session(hash).await.unwrap(), None);
    assert_eq!(test.store.delete_session(test.owner, TokenId::new(7)).await, missing(ObjectKind::Session));
}

#[tokio::test]
async fn a_withdrawn_token_signs_out_the_browsers_that_it_let_in() {
    let test = TestStore::new().await;
    let guest = test.store.create_user("guest").await.unwrap().id;
    let mut tokens = Vec::new();
    for name in ["phone", "laptop"] {
        let made =
            test.store.create_token(guest, name, SecretHash::of(name), vec![Scope::All]).await.unwrap();
        tokens.push(made.id);
    }
    let sign_in = |secret: &str, token| {
        let hash = SecretHash::of(secret);
        let store = test.store.clone();
        async move { store.create_session(guest, hash, "Firefox", token).await }
    };
    let (one, two) =
        (sign_in("a", Some(tokens[0])).await.unwrap(), sign_in("b", Some(tokens[0])).await.unwrap());
    let (other, by_code) = (sign_in("c", Some(tokens[1])).await.unwrap(), sign_in("d", None).await.unwrap());

    assert_eq!(test.store.delete_token(test.owner, tokens[0]).await, missing(ObjectKind::Token));
    assert_eq!(test.store.sessions(guest).await.unwrap().len(), 4, "it was not theirs to withdraw");
    assert_eq!(test.store.delete_token(guest, tokens[0]).await.unwrap(), [one.id, two.id]);
    let left: Vec<_> = test.store.sessions(guest).await.unwrap().iter().map(|session| session.id).collect();
    assert_eq!(left, [other.id, by_code.id]);
    assert_eq!(test.store.session(SecretHash::of("a")).await.unwrap(), None);
    assert_eq!(
        sign_in("late", Some(tokens[0])).await.map(drop),
        missing(ObjectKind::Token),
        "whoever was about to sign in with it cannot any more"
    );
    test.assert_sound().await;
}

#[tokio::test]
async fn a_database_of_the_first_format_keeps_the_owners_browsers() {
    let test = TestStore::new().await;
    let guest = test.store.create_user("guest").await.unwrap().id;
    let (owners, guests) = (SecretHash::of("owner"), SecretHash::of("guest"));
    test.store.create_session(test.owner, owners, "Firefox", None).await.unwrap();
    test.store.create_session(guest, guests, "Firefox", None).await.unwrap();
    let path = test.path();
    let TestStore { store, clock, folder, .. } = test;
    store.close().await;
    meddle(
        &path,
        "DROP INDEX sessions_token; ALTER TABLE sessions DROP COLUMN token; CREATE TABLE settings (key TEXT);
         DROP TABLE rounds; DROP TABLE acts; DROP TABLE grants; ALTER TABLE messages DROP COLUMN origins;
         ALTER TABLE messages DROP COLUMN plan; ALTER TABLE messages DROP COLUMN work; ALTER TABLE epochs DROP COLUMN origins;
         DROP TABLE fact_changes; DROP TABLE facts; DROP TABLE vector_entries; DROP TABLE vectors; DROP TABLE regions;
         DROP TABLE embedders;
         DROP TRIGGER memory_message_added; DROP TRIGGER memory_message_changed; DROP TRIGGER memory_message_removed;
         DROP TRIGGER memory_conversation_hidden; DROP TRIGGER memory_summary_added;
         DROP TRIGGER memory_summary_removed; DROP TABLE memory_changes; DROP INDEX messages_unread;
         ALTER TABLE messages DROP COLUMN reflected; ALTER TABLE messages DROP COLUMN memory; DROP TABLE memory_files;
         DROP TABLE personalities; DROP TABLE personality_moves; DROP TABLE personality_undo;
         DROP TABLE file_history_chores; DROP TABLE forgetting; DROP TABLE backups; DROP TABLE mcp_approvals;
         DROP TRIGGER code_conversation_gone; DROP TABLE code_proposal_files; DROP TABLE code_proposals;
         DROP TABLE code_notes; DROP TABLE code_checkpoints; DROP TABLE code_roots; DROP TABLE code_formats;
         DROP TABLE given_answers; DROP TABLE kept_values;
         PRAGMA user_version = 1",
    );

    let store = store::Store::open(&path, clock).unwrap();
    assert!(store.session(owners).await.unwrap().is_some());
    assert_eq!(store.session(guests).await.unwrap(), None, "nobody knows which token let them in");
    assert_eq!(store.check().await.unwrap().problems, Vec::<String>::new());
    drop(folder);
}

#[tokio::test]
async fn browsers_that_stay_away_are_signed_out() {
    let test = TestStore::new().await;
    let (old, fresh) = (SecretHash::of("old"), SecretHash::of("fresh"));
    test.store.create_session(test.owner, old, "Old", None).await.unwrap();
    test.clock.advance(Duration::from_hours(1));
    test.store.create_session(test.owner, fresh, "Fresh", None).await.unwrap();
    assert_eq!(test.store.purge_sessions_before(test.clock.now()).await.unwrap(), 1);
    assert_eq!(test.store.session(old).await.unwrap(), None);
    let left = test.store.sessions(test.owner).await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].agent, "Fresh");
}

#[tokio::test]
async fn no_secret_is_in_the_file() {
    let test = TestStore::new().await;
    let secret = "a-very-recognisable-secret";
    test.store.create_token(test.owner, "t", SecretHash::of(secret), vec![Scope::All]).await.unwrap();
    test.store.checkpoint().await.unwrap();
    let bytes = std::fs::read(test.path()).unwrap();
    assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
}
