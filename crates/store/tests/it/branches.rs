use store::{NewTurn, StoreError, Target, Thing};

use crate::support::{Bed, answered, missing, said};

#[tokio::test]
async fn an_edited_message_becomes_a_branch_and_one_can_walk_back() {
    let bed = Bed::new().await;
    let root = bed.say(Target::Fresh, "one", "eins").await;
    let old = bed.say(Target::Conversation(root.conversation), "two", "zwei").await;
    let edit =
        NewTurn { edit_of: old.user_message, ..said(Target::Conversation(root.conversation), "three") };
    let edited = bed.begin(edit).await;
    bed.store.finish_turn(edited.id, answered("drei")).await.unwrap();
    assert_eq!(bed.shown(&root).await, ["one", "eins", "three", "drei"]);

    let view = bed.open(&root).await;
    let both = vec![old.user_message.unwrap(), edited.user_message.unwrap()];
    assert_eq!(view.messages[2].siblings, both);
    assert_eq!(view.messages[3].siblings, [edited.message]);

    let back = bed.store.switch_branch(bed.owner, root.conversation, both[0]).await.unwrap();
    assert_eq!(back, old.message);
    assert_eq!(bed.shown(&root).await, ["one", "eins", "two", "zwei"]);
    let next = bed.say(Target::Conversation(root.conversation), "four", "vier").await;
    assert_eq!(bed.shown(&next).await, ["one", "eins", "two", "zwei", "four", "vier"]);
    bed.assert_sound().await;
}

#[tokio::test]
async fn the_first_message_can_be_edited_too() {
    let bed = Bed::new().await;
    let first = bed.say(Target::Fresh, "one", "eins").await;
    let edit = NewTurn { edit_of: first.user_message, ..said(Target::Current, "two") };
    let second = bed.begin(edit).await;
    assert_eq!(second.conversation, first.conversation);
    let view = bed.open(&first).await;
    assert_eq!(view.messages[0].content, "two");
    assert_eq!(view.messages[0].siblings, [first.user_message.unwrap(), second.user_message.unwrap()]);
    assert_eq!(view.messages[0].parent, None);
}

#[tokio::test]
async fn another_answer_stands_beside_the_first() {
    let bed = Bed::new().await;
    let first = bed.say(Target::Fresh, "one", "eins").await;
    let again = bed.store.begin_regeneration(bed.owner, first.message, "large").await.unwrap();
    assert_eq!(again.user_message, first.user_message);
    bed.store.finish_turn(again.id, answered("uno")).await.unwrap();
    let view = bed.open(&first).await;
    assert_eq!(view.messages[1].content, "uno");
    assert_eq!(view.messages[1].siblings, [first.message, again.message]);
    assert_eq!(view.chat.message_count, 3);

    let third = bed.store.begin_regeneration(bed.owner, first.user_message.unwrap(), "large").await.unwrap();
    assert_eq!(
        bed.open(&third).await.messages[1].siblings.len(),
        3,
        "asked from the question, it is the same"
    );
}

#[tokio::test]
async fn a_branch_opens_at_its_newest_end() {
    let bed = Bed::new().await;
    let root = bed.say(Target::Fresh, "root", "r").await;
    let here = Target::Conversation(root.conversation);
    let older = bed.say(here, "older", "o").await;
    let edit = NewTurn { edit_of: older.user_message, ..said(here, "newer") };
    let newer = bed.begin(edit).await;
    bed.store.finish_turn(newer.id, answered("n")).await.unwrap();
    bed.store.switch_branch(bed.owner, root.conversation, older.message).await.unwrap();
    let last = bed.say(here, "last", "l").await;
    bed.store.switch_branch(bed.owner, root.conversation, newer.message).await.unwrap();

    let leaf = bed.store.switch_branch(bed.owner, root.conversation, root.message).await.unwrap();
    assert_eq!(leaf, last.message, "where the conversation was left off, not the younger fork");
}

#[tokio::test]
async fn answers_cannot_be_edited_and_foreign_messages_cannot_be_reached() {
    let bed = Bed::new().await;
    let one = bed.say(Target::Fresh, "one", "eins").await;
    let two = bed.say(Target::Fresh, "two", "zwei").await;
    let edit = NewTurn { edit_of: Some(one.message), ..said(Target::Conversation(one.conversation), "x") };
    assert!(matches!(bed.store.begin_turn(bed.owner, edit).await, Err(StoreError::Conflict(_))));
    let edit = NewTurn { edit_of: one.user_message, ..said(Target::Conversation(two.conversation), "x") };
    assert_eq!(bed.store.begin_turn(bed.owner, edit).await, missing(Thing::Message));
    let switched = bed.store.switch_branch(bed.owner, two.conversation, one.message).await;
    assert_eq!(switched, missing(Thing::Message));
}

#[tokio::test]
async fn pages_of_a_long_conversation_join_without_gap_or_overlap() {
    let bed = Bed::new().await;
    let mut turn = bed.say(Target::Fresh, "q0", "a0").await;
    for number in 1..25 {
        turn = bed.say(Target::Current, &format!("q{number}"), &format!("a{number}")).await;
    }
    let mut seen = Vec::new();
    let mut before = None;
    loop {
        let view = bed.store.open_conversation(bed.owner, turn.conversation, before, 7).await.unwrap();
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
    let bed = Bed::new().await;
    let mut turn = bed.begin(said(Target::Fresh, "deep 0")).await;
    for number in 1..2500 {
        turn = bed.begin(said(Target::Current, &format!("deep {number}"))).await;
    }
    let (owner, conversation) = (bed.owner, turn.conversation);
    assert_eq!(bed.open(&turn).await.messages.len(), 100);
    assert_eq!(bed.store.path(owner, conversation, turn.message, None).await.unwrap().len(), 5000);
    let first = bed.store.path(owner, conversation, turn.message, None).await.unwrap()[0].id;
    assert_eq!(bed.store.switch_branch(owner, conversation, first).await.unwrap(), turn.message);
    assert_eq!(bed.store.recover().await.unwrap().len(), 2500);
    assert_eq!(bed.store.export_conversation(owner, conversation).await.unwrap().messages.len(), 5000);
    bed.assert_sound().await;

    bed.store.delete_conversation(owner, conversation).await.unwrap();
    assert_eq!(bed.store.purge_deleted_before(jiff::Timestamp::MAX).await.unwrap(), 1);
    assert_eq!(bed.found("deep").await, Vec::<String>::new());
    bed.assert_sound().await;
}
