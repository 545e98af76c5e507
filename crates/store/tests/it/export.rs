use protocol::{ChatPatch, MessageStatus};
use serde_json::{Value, json};
use store::{ExportedConversation, MessageTarget, NewAttachment, NewTurn, StoreError};

use crate::support::{TestStore, answered, meddle, said};

async fn rich(test: &TestStore) -> ExportedConversation {
    let first = test.say(MessageTarget::Fresh, "one", "eins").await;
    let attachments = vec![NewAttachment { name: "a.bin".into(), mime: "x/y".into(), data: vec![0, 255, 7] }];
    let second = test.begin(NewTurn { attachments, ..said(MessageTarget::Current, "two\0🌙") }).await;
    test.store.freeze_context(test.owner, second.user_message.unwrap(), "noon", Vec::new()).await.unwrap();
    let edit = NewTurn { edit_of: first.user_message, ..said(MessageTarget::Current, "ONE") };
    let edited = test.begin(edit).await;
    test.store.finish_turn(edited.id, answered("EINS")).await.unwrap();
    test.store.switch_branch(test.owner, first.conversation, first.message).await.unwrap();
    let patch = ChatPatch {
        title: Some("Counting".into()),
        pinned: Some(true),
        folder: Some("School".into()),
        tags: Some(vec!["numbers".into()]),
    };
    test.store.patch_conversation(test.owner, first.conversation, patch).await.unwrap();
    test.store.export_conversation(test.owner, first.conversation).await.unwrap()
}

fn through_json(exported: &ExportedConversation) -> ExportedConversation {
    serde_json::from_str(&serde_json::to_string(exported).unwrap()).unwrap()
}

/// Converts an unfinished reply to the form it has after an import.
fn settled(mut exported: ExportedConversation) -> ExportedConversation {
    for message in &mut exported.messages {
        if message.status == MessageStatus::Streaming {
            message.status = MessageStatus::Partial;
            message.stop_reason = Some(protocol::StopReason::Cut);
        }
    }
    exported
}

#[tokio::test]
async fn what_is_exported_comes_back_the_same_in_another_home() {
    let (here, there) = (TestStore::new().await, TestStore::new().await);
    let exported = rich(&here).await;
    assert_eq!(exported.messages.len(), 6);
    assert_eq!(here.store.conversation_ids(here.owner).await.unwrap(), [exported.id]);

    there.clock.advance(std::time::Duration::from_hours(1));
    let imported = there.store.import(there.owner, vec![through_json(&exported)]).await.unwrap();
    assert_eq!((imported.conversations, imported.messages), (vec![exported.id], 6));
    let again = there.store.export_conversation(there.owner, exported.id).await.unwrap();
    assert_eq!(again, settled(exported));
    assert_eq!(there.found("eins").await.len(), 2);
    there.assert_sound().await;
}

#[tokio::test]
async fn imported_twice_it_is_there_twice_and_both_are_whole() {
    let test = TestStore::new().await;
    let exported = rich(&test).await;
    let imported = test.store.import(test.owner, vec![exported.clone(), exported.clone()]).await.unwrap();
    assert_eq!(imported.conversations.len(), 2);
    for id in imported.conversations {
        assert_ne!(id, exported.id);
        let copy = test.store.export_conversation(test.owner, id).await.unwrap();
        let words = |conversation: &ExportedConversation| -> Vec<String> {
            conversation.messages.iter().map(|message| message.content.clone()).collect()
        };
        assert_eq!(words(&copy), words(&exported));
        let view = test.store.open_conversation(test.owner, id, None, 10).await.unwrap();
        let shown: Vec<&str> = view.messages.iter().map(|message| message.content.as_str()).collect();
        assert_eq!(shown, ["one", "eins", "two\0🌙", ""]);
    }
    test.assert_sound().await;
}

#[tokio::test]
async fn ids_of_another_persons_conversation_do_not_reach_it() {
    let test = TestStore::new().await;
    let exported = rich(&test).await;
    let guest = test.store.create_user("guest").await.unwrap().id;
    let imported = test.store.import(guest, vec![exported.clone()]).await.unwrap();
    assert_ne!(imported.conversations[0], exported.id);
    assert_eq!(test.store.export_conversation(test.owner, exported.id).await.unwrap(), exported);
    test.assert_sound().await;
}

/// Generates enough conversations that they are stored in several parts.
fn many() -> Vec<ExportedConversation> {
    let text = "a longer text about the sea and the moon ".repeat(100);
    let change = |number: usize| {
        let text = text.clone();
        move |c: &mut Value| {
            c["title"] = json!(format!("Number {number}"));
            c["messages"][0]["content"] = json!(text);
        }
    };
    (0..1500).map(|number| serde_json::from_value(conversation(change(number))).unwrap()).collect()
}

/// Counts the rows of a table on a separate connection.
fn rows(test: &TestStore, table: &str) -> i64 {
    let connection = rusqlite::Connection::open(test.path()).unwrap();
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn others_write_while_a_large_import_is_stored_and_see_nothing_of_it_before_its_end() {
    let test = TestStore::new().await;
    let (store, owner) = (test.store.clone(), test.owner);
    let importing = tokio::spawn(async move { store.import(owner, many()).await });
    while rows(&test, "conversations") == 0 {
        tokio::task::yield_now().await;
    }
    let turn = test.say(MessageTarget::Fresh, "Meanwhile", "Yes.").await;
    assert!(!importing.is_finished(), "nobody waits for all of it");
    assert_eq!(test.store.conversation_ids(test.owner).await.unwrap(), [turn.conversation]);
    assert_eq!(test.found("moon").await, Vec::<String>::new());
    let imported = importing.await.unwrap().unwrap();
    assert_eq!((imported.conversations.len(), imported.messages), (1500, 3000));
    assert_eq!(test.store.conversation_ids(test.owner).await.unwrap().len(), 1501);
    assert_eq!(test.found("moon").await.len(), 50);
    test.assert_sound().await;
}

#[tokio::test]
async fn an_import_that_fails_halfway_leaves_nothing() {
    let test = TestStore::new().await;
    test.say(MessageTarget::Fresh, "Before", "Yes.").await;
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON conversations WHEN new.title = 'Number 1400'
                  BEGIN SELECT RAISE(ABORT, 'not this one'); END";
    meddle(&test.path(), refuse);
    let error = test.store.import(test.owner, many()).await.unwrap_err();
    assert!(error.to_string().contains("not this one"), "{error}");
    assert_eq!((rows(&test, "conversations"), rows(&test, "messages")), (1, 2));
    meddle(&test.path(), "DROP TRIGGER refuse");
    test.assert_sound().await;
}

fn conversation(change: impl FnOnce(&mut Value)) -> Value {
    let message = |id: &str, parent: Value, role: &str| {
        json!({"id": id, "parent": parent, "role": role, "content": "text",
               "createdAt": "2025-01-01T00:00:00Z", "status": "complete"})
    };
    let mut value = json!({
        "format": 1, "id": "0000000000001", "title": "Hostile",
        "createdAt": "2025-01-01T00:00:00Z", "updatedAt": "2025-01-01T00:00:00Z",
        "messages": [
            message("0000000000002", Value::Null, "user"),
            message("0000000000003", json!("0000000000002"), "assistant"),
        ],
    });
    change(&mut value);
    value
}

type Change = fn(&mut Value);

#[tokio::test]
async fn a_hostile_import_is_refused_whole() {
    let test = TestStore::new().await;
    let cases: [(&str, Change); 8] = [
        ("newer", |c| c["format"] = json!(2)),
        ("not a time", |c| c["createdAt"] = json!("yesterday")),
        ("not a time", |c| c["messages"][1]["createdAt"] = json!("")),
        ("twice", |c| c["messages"][1]["id"] = json!("0000000000002")),
        ("missing", |c| c["messages"][1]["parent"] = json!("0000000000009")),
        ("circle", |c| c["messages"][0]["parent"] = json!("0000000000003")),
        ("branch is missing", |c| c["leaf"] = json!("0000000000009")),
        ("not valid Base64", |c| {
            c["messages"][0]["attachments"] = json!([{"name": "a", "mime": "b", "data": "!!!"}]);
        }),
    ];
    for (complaint, change) in cases {
        let good = serde_json::from_value(conversation(|_| ())).unwrap();
        let bad = serde_json::from_value(conversation(change)).unwrap();
        let error = test.store.import(test.owner, vec![good, bad]).await.unwrap_err();
        assert!(matches!(error, StoreError::Invalid(_)) && error.to_string().contains(complaint), "{error}");
        assert_eq!(test.store.conversation_ids(test.owner).await.unwrap(), [], "{complaint}");
    }
    let own_parent: ExportedConversation =
        serde_json::from_value(conversation(|c| c["messages"][0]["parent"] = json!("0000000000002")))
            .unwrap();
    assert!(test.store.import(test.owner, vec![own_parent]).await.is_err());
}

#[tokio::test]
async fn ids_from_nowhere_are_replaced() {
    let test = TestStore::new().await;
    let changes: [fn(&mut Value); 4] = [
        |c| c["messages"][1]["id"] = json!("7zzzzzzzzzzzz"),
        |c| c["id"] = json!("7zzzzzzzzzzzz"),
        |c| c["messages"][0]["id"] = json!("0000000000000"),
        // The child is older than its parent.
        |c| {
            c["messages"][0]["id"] = json!("0000000000008");
            c["messages"][1]["parent"] = json!("0000000000008");
        },
    ];
    for change in changes {
        let mut value = conversation(change);
        let first = value["messages"][0]["id"].clone();
        value["messages"][1]["parent"] = first;
        let given: ExportedConversation = serde_json::from_value(value).unwrap();
        let imported = test.store.import(test.owner, vec![given]).await.unwrap();
        let view =
            test.store.open_conversation(test.owner, imported.conversations[0], None, 10).await.unwrap();
        assert_eq!(view.messages.len(), 2);
        assert!(view.messages[0].id < view.messages[1].id && view.messages[0].id.get() > 0);
        let turn =
            test.say(MessageTarget::Conversation(imported.conversations[0]), "and on", "it goes").await;
        assert_eq!(test.shown(&turn).await.len(), 4);
    }
    test.assert_sound().await;
}
