use store::{MessageTarget, NewTurn, ObjectKind, StoreError};

use crate::support::{TestStore, answered, missing, said};

#[tokio::test]
async fn an_edited_message_becomes_a_branch_and_one_can_walk_back() {
    let test = TestStore::new().await;
    let root = test.say(MessageTarget::Fresh, "one", "eins").await;
    let old = test.say(MessageTarget::Conversation(root.conversation), "two", "zwei").await;
    let edit = NewTurn {
        edit_of: old.user_message,
        ..said(MessageTarget::Conversation(root.conversation), "three")
    };
    let edited = test.begin(edit).await;
    test.store.finish_turn(edited.id, answered("drei")).await.unwrap();
    assert_eq!(test.shown(&root).await, ["one", "eins", "three", "drei"]);

    let view = test.open(&root).await;
    let both = vec![old.user_message.unwrap(), edited.user_message.unwrap()];
    assert_eq!(view.messages[2].siblings, both);
    assert_eq!(view.messages[3].siblings, [edited.message]);

    let back = test.store.switch_branch(test.owner, root.conversation, both[0]).await.unwrap();
    assert_eq!(back, old.message);
    assert_eq!(test.shown(&root).await, ["one", "eins", "two", "zwei"]);
    let next = test.say(MessageTarget::Conversation(root.conversation), "four", "vier").await;
    assert_eq!(test.shown(&next).await, ["one", "eins", "two", "zwei", "four", "vier"]);
    test.assert_sound().await;
}

#[tokio::test]
async fn the_first_message_can_be_edited_too() {
    let test = TestStore::new().await;
    let first = test.say(MessageTarget::Fresh, "one", "eins").await;
    let edit = NewTurn { edit_of: first.user_message, ..said(MessageTarget::Current, "two") };
    let second = test.begin(edit).await;
    assert_eq!(second.conversation, first.conversation);
    let view = test.open(&first).await;
    assert_eq!(view.messages[0].content, "two");
    assert_eq!(view.messages[0].siblings, [first.user_message.unwrap(), second.user_message.unwrap()]);
    assert_eq!(view.messages[0].parent, None);
}

#[tokio::test]
async fn another_answer_stands_beside_the_first() {
    let test = TestStore::new().await;
    let first = test.say(MessageTarget::Fresh, "one", "eins").await;
    let again = test.store.begin_regeneration(test.owner, first.message, "large").await.unwrap();
    assert_eq!(again.user_message, first.user_message);
    test.store.finish_turn(again.id, answered("uno")).await.unwrap();
    let view = test.open(&first).await;
    assert_eq!(view.messages[1].content, "uno");
    assert_eq!(view.messages[1].siblings, [first.message, again.message]);
    assert_eq!(view.chat.message_count, 3);

    let third =
        test.store.begin_regeneration(test.owner, first.user_message.unwrap(), "large").await.unwrap();
    assert_eq!(
        test.open(&third).await.messages[1].siblings.len(),
        3,
        "asked from the question, it is the same"
    );
}

#[tokio::test]
async fn a_branch_opens_at_its_newest_end() {
    let test = TestStore::new().await;
    let root = test.say(MessageTarget::Fresh, "root", "r").await;
    let here = MessageTarget::Conversation(root.conversation);
    let older = test.say(here, "older", "o").await;
    let edit = NewTurn { edit_of: older.user_message, ..said(here, "newer") };
    let newer = test.begin(edit).await;
    test.store.finish_turn(newer.id, answered("n")).await.unwrap();
    test.store.switch_branch(test.owner, root.conversation, older.message).await.unwrap();
    let last = test.say(here, "last", "l").await;
    test.store.switch_branch(test.owner, root.conversation, newer.message).await.unwrap();

    let leaf = test.store.switch_branch(test.owner, root.conversation, root.message).await.unwrap();
    assert_eq!(leaf, last.message, "where the conversation was left off, not the younger fork");
}

#[tokio::test]
async fn answers_cannot_be_edited_and_foreign_messages_cannot_be_reached() {
    let test = TestStore::new().await;
    let one = test.say(MessageTarget::Fresh, "one", "eins").await;
    let two = test.say(MessageTarget::Fresh, "two", "zwei").await;
    let edit =
        NewTurn { edit_of: Some(one.message), ..said(MessageTarget::Conversation(one.conversation), "x") };
    assert!(matches!(test.store.begin_turn(test.owner, edit).await, Err(StoreError::Conflict(_))));
    let edit =
        NewTurn { edit_of: one.user_message, ..said(MessageTarget::Conversation(two.conversation), "x") };
    assert_eq!(test.store.begin_turn(test.owner, edit).await, missing(ObjectKind::Message));
    let switched = test.store.switch_branch(test.owner, two.conversation, one.message).await;
    assert_eq!(switched, missing(ObjectKind::Message));
}

#[tokio::test]
async fn pages_of_a_long_conversation_join_without_gap_or_overlap() {
    let test = TestStore::new().await;
    let mut turn = test.say(MessageTarget::Fresh, "q0", "a0").await;
    for number in 1..25 {
        turn = test.say(MessageTarget::Current, &format!("q{number}"), &format!("a{number}")).await;
    }
    let mut seen = Vec::new();
    let mut before = None;
    loop {
        let view = test.store.open_conversation(test.owner, turn.conversation, before, 7).await.unwrap();
        let mut page: Vec<String> = view.messages.iter().map(|message| message.content.clone()).collect();
        page.append(&mut seen);
        seen = page;
        before = view.before;
        if before.is_none() {
            break;
        }
    }
    let expected: Vec<String> =
        (0..25).flat_map(|number| [format!("q{number}"), format!("a{number}")]).collect();
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn five_thousand_levels_deep_everything_works() {
    let test = TestStore::new().await;
    let mut turn = test.begin(said(MessageTarget::Fresh, "deep 0")).await;
    for number in 1..2500 {
        turn = test.begin(said(MessageTarget::Current, &format!("deep {number}"))).await;
    }
    let (owner, conversation) = (test.owner, turn.conversation);
    assert_eq!(test.open(&turn).await.messages.len(), 100);
    assert_eq!(test.store.path(owner, conversation, turn.message, None).await.unwrap().len(), 5000);
    let first = test.store.path(owner, conversation, turn.message, None).await.unwrap()[0].id;
    assert_eq!(test.store.switch_branch(owner, conversation, first).await.unwrap(), turn.message);
    assert_eq!(test.store.recover().await.unwrap().len(), 2500);
    assert_eq!(test.store.export_conversation(owner, conversation).await.unwrap().messages.len(), 5000);
    test.assert_sound().await;

    test.store.delete_conversation(owner, conversation).await.unwrap();
    assert_eq!(test.store.purge_deleted_before(jiff::Timestamp::MAX).await.unwrap(), 1);
    assert_eq!(test.found("deep").await, Vec::<String>::new());
    test.assert_sound().await;
}
