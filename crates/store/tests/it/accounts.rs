use std::time::Duration;

use host::Clock as _;
use protocol::{Scope, TokenId, UserId};
use serde_json::json;
use store::{SecretHash, StoreError, Thing};

use crate::support::{Bed, missing};

#[tokio::test]
async fn the_first_start_makes_one_owner_and_later_ones_none() {
    let bed = Bed::new().await;
    let bed = bed.reopen().await;
    let users = bed.store.users().await.unwrap();
    assert_eq!(users.len(), 1);
    assert!(users[0].owner);
    assert_eq!(bed.store.user(bed.owner).await.unwrap(), users[0]);
}

#[tokio::test]
async fn names_are_taken_once_whatever_their_case() {
    let bed = Bed::new().await;
    let guest = bed.store.create_user(" Ada ").await.unwrap();
    assert_eq!((guest.name.as_str(), guest.owner), ("Ada", false));
    assert!(matches!(bed.store.create_user("ADA").await, Err(StoreError::Conflict(_))));
    assert!(matches!(bed.store.create_user("  ").await, Err(StoreError::Invalid(_))));
    assert_eq!(bed.store.user(UserId::new(1)).await, missing(Thing::User));
}

#[tokio::test]
async fn a_token_is_found_by_its_hash_and_remembers_its_last_use() {
    let bed = Bed::new().await;
    let hash = SecretHash::of("secret");
    let made =
        bed.store.create_token(bed.owner, "phone", hash, vec![Scope::Chat, Scope::Voice]).await.unwrap();
    assert_eq!(made.last_used_at, None);

    let found = bed.store.token(hash).await.unwrap().unwrap();
    assert_eq!((found.id, found.scopes.clone(), found.user), (made.id, made.scopes, bed.owner));
    assert_eq!(bed.store.token(SecretHash::of("Secret")).await.unwrap(), None);

    let used = || async {
        bed.store.checkpoint().await.unwrap();
        bed.store.tokens(bed.owner).await.unwrap()[0].last_used_at.clone()
    };
    let first = used().await;
    assert_eq!(first.as_deref(), Some("2025-06-01T12:00:00Z"));
    bed.clock.advance(Duration::from_secs(5));
    bed.store.token(hash).await.unwrap();
    assert_eq!(used().await, first, "a minute is exact enough");
    bed.clock.advance(Duration::from_mins(2));
    bed.store.token(hash).await.unwrap();
    assert_eq!(used().await.as_deref(), Some("2025-06-01T12:02:05Z"));
}

#[tokio::test]
async fn a_deleted_token_or_session_is_gone_and_only_its_owner_deletes_it() {
    let bed = Bed::new().await;
    let guest = bed.store.create_user("guest").await.unwrap().id;
    let hash = SecretHash::of("t");
    let token = bed.store.create_token(bed.owner, "laptop", hash, vec![Scope::All]).await.unwrap();
    assert_eq!(bed.store.delete_token(guest, token.id).await, missing(Thing::Token));
    assert_eq!(bed.store.tokens(guest).await.unwrap(), []);
    bed.store.delete_token(bed.owner, token.id).await.unwrap();
    assert_eq!(bed.store.token(hash).await.unwrap(), None);
    assert_eq!(bed.store.delete_token(bed.owner, token.id).await, missing(Thing::Token));

    let session = bed.store.create_session(bed.owner, hash, "Firefox").await.unwrap();
    assert_eq!(bed.store.delete_session(guest, session.id).await, missing(Thing::Session));
    assert_eq!(bed.store.session(hash).await.unwrap().unwrap().id, session.id);
    bed.store.delete_session(bed.owner, session.id).await.unwrap();
    assert_eq!(bed.store.session(hash).await.unwrap(), None);
    assert_eq!(bed.store.delete_session(bed.owner, TokenId::new(7)).await, missing(Thing::Session));
}

#[tokio::test]
async fn browsers_that_stay_away_are_signed_out() {
    let bed = Bed::new().await;
    let (old, fresh) = (SecretHash::of("old"), SecretHash::of("fresh"));
    bed.store.create_session(bed.owner, old, "Old").await.unwrap();
    bed.clock.advance(Duration::from_hours(1));
    bed.store.create_session(bed.owner, fresh, "Fresh").await.unwrap();
    assert_eq!(bed.store.purge_sessions_before(bed.clock.now()).await.unwrap(), 1);
    assert_eq!(bed.store.session(old).await.unwrap(), None);
    let left = bed.store.sessions(bed.owner).await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].agent, "Fresh");
}

#[tokio::test]
async fn no_secret_is_in_the_file() {
    let bed = Bed::new().await;
    let secret = "a-very-recognisable-secret";
    bed.store.create_token(bed.owner, "t", SecretHash::of(secret), vec![Scope::All]).await.unwrap();
    bed.store.checkpoint().await.unwrap();
    let bytes = std::fs::read(bed.path()).unwrap();
    assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
}

#[tokio::test]
async fn settings_are_each_persons_own() {
    let bed = Bed::new().await;
    let guest = bed.store.create_user("guest").await.unwrap().id;
    bed.store.set_setting(bed.owner, "theme", Some(json!({"dark": true}))).await.unwrap();
    bed.store.set_setting(bed.owner, "theme", Some(json!({"dark": false}))).await.unwrap();
    bed.store.set_setting(bed.owner, "size", Some(json!(14))).await.unwrap();
    assert_eq!(bed.store.setting(bed.owner, "theme").await.unwrap(), Some(json!({"dark": false})));
    assert_eq!(bed.store.setting(guest, "theme").await.unwrap(), None);
    bed.store.set_setting(bed.owner, "size", None).await.unwrap();
    assert_eq!(bed.store.settings(bed.owner).await.unwrap().len(), 1);
    let nobody = UserId::new(3);
    assert_eq!(bed.store.set_setting(nobody, "theme", Some(json!(1))).await, missing(Thing::User));
}
