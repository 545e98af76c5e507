use std::sync::Arc;

use host::SystemClock;
use store::{BeginTurnResult, MessageTarget, NewTurn, Store, StoreError};

use crate::support::{Folder, TestStore, answered, said};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_writers_lose_nothing() {
    let test = Arc::new(TestStore::new().await);
    let tasks: Vec<_> = (0..40)
        .map(|number| {
            let test = test.clone();
            tokio::spawn(async move {
                for round in 0..10 {
                    let content = format!("writer{number} round{round}");
                    let BeginTurnResult::New(turn) = test
                        .store
                        .begin_turn(test.owner, said(MessageTarget::Fresh, &content))
                        .await
                        .unwrap()
                    else {
                        panic!("{content} was there")
                    };
                    test.store.finish_turn(turn.id, answered(&content)).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(test.store.conversation_ids(test.owner).await.unwrap().len(), 400);
    assert_eq!(test.found("round7 ").await.len(), 50);
    test.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_message_sent_twice_at_once_is_one_turn() {
    let test = Arc::new(TestStore::new().await);
    let new = NewTurn { client_message_id: Some("same".into()), ..said(MessageTarget::Current, "Hello") };
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let (test, new) = (test.clone(), new.clone());
            tokio::spawn(async move { test.store.begin_turn(test.owner, new).await.unwrap() })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        made += u32::from(matches!(task.await.unwrap(), BeginTurnResult::New(_)));
    }
    assert_eq!(made, 1);
    assert_eq!(test.store.conversation_ids(test.owner).await.unwrap().len(), 1);
}

#[tokio::test]
async fn one_failure_in_a_crowd_is_its_own() {
    let test = TestStore::new().await;
    let nowhere = MessageTarget::Conversation(protocol::ConversationId::new(99));
    let (one, bad, two) = tokio::join!(
        test.store.begin_turn(test.owner, said(MessageTarget::Fresh, "one")),
        test.store.begin_turn(test.owner, said(nowhere, "bad")),
        test.store.begin_turn(test.owner, said(MessageTarget::Fresh, "two")),
    );
    assert!(one.is_ok() && two.is_ok());
    assert!(matches!(bad, Err(StoreError::NotFound(_))));
    assert_eq!(test.store.conversation_ids(test.owner).await.unwrap().len(), 2);
    assert_eq!(test.found("bad").await, Vec::<String>::new());
}

/// Two programs on one file are not supported, but must not lose data.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_programs_on_one_file_take_turns() {
    let folder = Folder::new();
    let path = folder.file("perigee.db");
    let stores = [0, 1].map(|_| Store::open(&path, Arc::new(SystemClock)).unwrap());
    let owner = stores[0].owner().await.unwrap().id;
    assert_eq!(stores[1].owner().await.unwrap().id, owner);
    let first = stores[0].begin_turn(owner, said(MessageTarget::Fresh, "start")).await.unwrap();
    let (BeginTurnResult::New(first) | BeginTurnResult::Existing(first)) = first;
    let tasks: Vec<_> = stores
        .iter()
        .map(|store| {
            let store = store.clone();
            tokio::spawn(async move {
                for _ in 0..50 {
                    let new = said(MessageTarget::Conversation(first.conversation), "again");
                    store.begin_turn(owner, new).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let summary = stores[0].summary(owner, first.conversation).await.unwrap();
    assert_eq!(summary.message_count, 202);
    let leaf = stores[1].open_conversation(owner, first.conversation, None, 1).await.unwrap().messages[0].id;
    assert_eq!(stores[1].path(owner, first.conversation, leaf, None).await.unwrap().len(), 202);
    assert!(stores[0].check().await.unwrap().is_sound());
}

#[tokio::test]
async fn a_caller_who_goes_away_leaves_the_store_working() {
    let test = TestStore::new().await;
    for number in 0..20 {
        let begun = test.store.begin_turn(test.owner, said(MessageTarget::Fresh, &format!("gone {number}")));
        let read = test.store.search(test.owner, "gone", None, 10);
        // Polled once, then dropped.
        let _ = tokio::time::timeout(std::time::Duration::ZERO, async { tokio::join!(begun, read) }).await;
    }
    let turn = test.say(MessageTarget::Fresh, "still", "here").await;
    assert_eq!(test.shown(&turn).await, ["still", "here"]);
    test.assert_sound().await;
}

#[tokio::test]
async fn closing_waits_for_what_is_under_way() {
    let test = TestStore::new().await;
    let turn = test.begin(said(MessageTarget::Fresh, "question")).await;
    let storing = test.store.finish_turn(turn.id, answered("answer"));
    // Submitted, but not awaited.
    let _ = tokio::time::timeout(std::time::Duration::ZERO, storing).await;
    let test = test.reopen().await;
    assert_eq!(test.found("answer").await, ["answer"]);
}

#[tokio::test]
async fn programs_that_start_at_once_make_one_database() {
    let folder = Folder::new();
    let path = folder.file("perigee.db");
    let opened: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> =
            (0..4).map(|_| scope.spawn(|| Store::open(&path, Arc::new(SystemClock)))).collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    let mut owners = Vec::new();
    for store in opened {
        match store {
            Ok(store) => owners.push(store.owner().await.unwrap().id),
            Err(error) => assert_eq!(error, StoreError::Busy),
        }
    }
    owners.dedup();
    assert_eq!(owners.len(), 1);
    assert!(Store::check_file(&path).unwrap().is_sound());
}
