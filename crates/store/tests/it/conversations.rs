use std::time::Duration;

use host::Clock as _;
use protocol::ChatPatch;
use store::{ListQuery, MessageTarget, NewConversation, ObjectKind, StoreError};

use crate::support::{TestStore, answered, missing, said, tokens};

async fn titles(test: &TestStore, query: ListQuery) -> Vec<String> {
    let list = test.store.list(test.owner, ListQuery { limit: 50, ..query }).await.unwrap();
    list.chats.into_iter().map(|chat| chat.title).collect()
}

async fn titled(test: &TestStore, title: &str, folder: Option<&str>) -> protocol::ConversationId {
    test.tick();
    let new = NewConversation { title: Some(title.into()), folder: folder.map(Into::into), incognito: false };
    test.store.create_conversation(test.owner, new).await.unwrap().id
}

#[tokio::test]
async fn the_list_shows_pinned_ones_first_and_then_the_latest() {
    let test = TestStore::new().await;
    let first = titled(&test, "first", None).await;
    let second = titled(&test, "second", Some("Work")).await;
    titled(&test, "third", Some(" Work ")).await;
    assert_eq!(titles(&test, ListQuery::default()).await, ["third", "second", "first"]);

    test.begin(said(MessageTarget::Conversation(second), "news")).await;
    let pin = ChatPatch { pinned: Some(true), ..ChatPatch::default() };
    test.store.patch_conversation(test.owner, first, pin).await.unwrap();
    assert_eq!(titles(&test, ListQuery::default()).await, ["first", "second", "third"]);

    let work = ListQuery { folder: Some("Work".into()), ..ListQuery::default() };
    assert_eq!(titles(&test, work).await, ["second", "third"]);
    let folders = test.store.list(test.owner, ListQuery::default()).await.unwrap().folders;
    assert_eq!(folders.iter().map(|f| (f.name.as_str(), f.chats)).collect::<Vec<_>>(), [("Work", 2)]);
}

#[tokio::test]
async fn pages_of_the_list_join_without_gap_or_overlap() {
    let test = TestStore::new().await;
    let mut expected = Vec::new();
    for number in 0..23 {
        // Several with the same timestamp, so that time alone does not determine the order.
        if number % 4 == 0 {
            test.tick();
        }
        let new = NewConversation { title: Some(format!("chat {number}")), folder: None, incognito: false };
        let chat = test.store.create_conversation(test.owner, new).await.unwrap();
        if number % 5 == 0 {
            let pin = ChatPatch { pinned: Some(true), ..ChatPatch::default() };
            test.store.patch_conversation(test.owner, chat.id, pin).await.unwrap();
        }
        expected.push((number % 5 == 0, chat.id));
    }
    expected.sort();
    expected.reverse();
    let mut seen = Vec::new();
    let mut query = ListQuery { limit: 4, ..ListQuery::default() };
    loop {
        let list = test.store.list(test.owner, query.clone()).await.unwrap();
        assert!(list.chats.len() <= 4);
        seen.extend(list.chats.iter().map(|chat| (chat.pinned, chat.id)));
        query.cursor = list.next;
        if query.cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn a_made_up_cursor_is_refused() {
    let test = TestStore::new().await;
    for cursor in ["", "1", "1.2", "1.2.3.4", "a.b.c", "1.2.99999999999999999999"] {
        let query = ListQuery { cursor: Some(cursor.into()), limit: 10, ..ListQuery::default() };
        assert!(matches!(test.store.list(test.owner, query).await, Err(StoreError::Invalid(_))), "{cursor}");
        let searched = test.store.search(test.owner, "x", Some(cursor), 10).await;
        assert!(matches!(searched, Err(StoreError::Invalid(_))), "{cursor}");
    }
}

#[tokio::test]
async fn a_patch_changes_what_it_names_and_nothing_else() {
    let test = TestStore::new().await;
    let id = titled(&test, "before", Some("Home")).await;
    let tags = Some(vec![" b ".into(), "a".into(), String::new(), "b".into()]);
    let patch = ChatPatch { title: Some(" after ".into()), tags, ..ChatPatch::default() };
    let chat = test.store.patch_conversation(test.owner, id, patch).await.unwrap();
    assert_eq!((chat.title.as_str(), chat.folder.as_deref(), chat.pinned), ("after", Some("Home"), false));
    assert_eq!(chat.tags, ["a", "b"]);
    assert_eq!(chat.updated_at, chat.created_at, "a new name does not move it in the list");
    let tagged = ListQuery { tag: Some("b".into()), ..ListQuery::default() };
    assert_eq!(titles(&test, tagged).await, ["after"]);

    let patch = ChatPatch { folder: Some(String::new()), tags: Some(vec![]), ..ChatPatch::default() };
    let chat = test.store.patch_conversation(test.owner, id, patch).await.unwrap();
    assert_eq!((chat.folder, chat.tags, chat.title.as_str()), (None, vec![], "after"));
}

#[tokio::test]
async fn a_title_that_a_person_chose_is_never_overwritten() {
    let test = TestStore::new().await;
    let turn = test.say(MessageTarget::Fresh, "Hello", "Hi").await;
    let (owner, id) = (test.owner, turn.conversation);
    let named = |title| test.store.set_auto_title(owner, id, title);
    assert_eq!(named("A greeting").await.unwrap().unwrap().title, "A greeting");
    assert_eq!(named("Greetings").await.unwrap().unwrap().title, "Greetings");

    let rename = |title: &str| ChatPatch { title: Some(title.into()), ..ChatPatch::default() };
    test.store.patch_conversation(owner, id, rename("Mine")).await.unwrap();
    assert_eq!(named("Theirs").await.unwrap(), None);
    assert_eq!(test.store.summary(owner, id).await.unwrap().title, "Mine");

    test.store.patch_conversation(owner, id, rename(" ")).await.unwrap();
    assert_eq!(named("Theirs").await.unwrap().unwrap().title, "Theirs", "an empty name asks for another");
}

#[tokio::test]
async fn a_deleted_conversation_is_out_of_sight_until_it_is_restored() {
    let test = TestStore::new().await;
    let turn = test.say(MessageTarget::Fresh, "needle", "found").await;
    let (owner, id) = (test.owner, turn.conversation);
    test.store.delete_conversation(owner, id).await.unwrap();
    assert_eq!(test.store.summary(owner, id).await, missing(ObjectKind::Conversation));
    assert_eq!(test.store.delete_conversation(owner, id).await, missing(ObjectKind::Conversation));
    assert_eq!(test.store.why(owner, turn.id).await, missing(ObjectKind::Turn));
    assert_eq!(titles(&test, ListQuery::default()).await, Vec::<String>::new());
    assert_eq!(test.found("needle").await, Vec::<String>::new());
    assert_eq!(test.store.current(owner).await.unwrap(), None);
    let other = test.say(MessageTarget::Current, "next", "one").await;
    assert_ne!(other.conversation, id);

    test.store.restore_conversation(owner, id).await.unwrap();
    assert_eq!(test.found("needle").await, ["needle"]);
    assert_eq!(test.shown(&turn).await, ["needle", "found"]);
    assert_eq!(test.store.restore_conversation(owner, id).await, missing(ObjectKind::Conversation));
}

#[tokio::test]
async fn what_is_purged_is_gone_from_the_file() {
    let test = TestStore::new().await;
    let turn = test.say(MessageTarget::Fresh, "my secret is xylophone", "noted: xylophone").await;
    let kept = test.say(MessageTarget::Fresh, "something else", "yes").await;
    let rename = ChatPatch { title: Some("xylophone".into()), ..ChatPatch::default() };
    test.store.patch_conversation(test.owner, turn.conversation, rename).await.unwrap();
    test.store.delete_conversation(test.owner, turn.conversation).await.unwrap();
    let day = Duration::from_hours(24);
    assert_eq!(
        test.store.purge_deleted_before(test.clock.now() - day).await.unwrap(),
        0,
        "there is a time to repent"
    );
    test.clock.advance(2 * day);
    assert_eq!(test.store.purge_deleted_before(test.clock.now() - day).await.unwrap(), 1);
    let restored = test.store.restore_conversation(test.owner, turn.conversation).await;
    assert_eq!(restored, missing(ObjectKind::Conversation));
    assert_eq!(test.shown(&kept).await, ["something else", "yes"]);
    test.assert_sound().await;
    let bytes = std::fs::read(test.path()).unwrap();
    assert!(!bytes.windows(8).any(|window| window == b"ylophone"));
}

#[tokio::test]
async fn a_conversation_deleted_in_the_middle_of_an_answer_can_still_come_back_whole() {
    let test = TestStore::new().await;
    let turn = test.begin(said(MessageTarget::Fresh, "question")).await;
    test.store.delete_conversation(test.owner, turn.conversation).await.unwrap();
    test.store.append_turn_events(turn.id, tokens(0, &["ans"])).await.unwrap();
    test.store.finish_turn(turn.id, answered("answer")).await.unwrap();
    test.store.restore_conversation(test.owner, turn.conversation).await.unwrap();
    assert_eq!(test.shown(&turn).await, ["question", "answer"]);

    let lost = test.begin(said(MessageTarget::Fresh, "lost")).await;
    test.store.delete_conversation(test.owner, lost.conversation).await.unwrap();
    test.store.purge_deleted_before(jiff::Timestamp::MAX).await.unwrap();
    assert_eq!(test.store.append_turn_events(lost.id, tokens(0, &["x"])).await, missing(ObjectKind::Turn));
    assert_eq!(test.store.finish_turn(lost.id, answered("x")).await, missing(ObjectKind::Turn));
    test.assert_sound().await;
}

#[tokio::test]
async fn a_large_conversation_is_purged_in_pieces_that_let_others_in() {
    let test = TestStore::new().await;
    let size = store::sample::SampleSize { conversations: 3, messages_each: 450 };
    store::sample::fill(&test.store, test.owner, size).await.unwrap();
    let ids = test.store.conversation_ids(test.owner).await.unwrap();
    for id in &ids[..2] {
        test.store.delete_conversation(test.owner, *id).await.unwrap();
    }
    let (purged, turn) = tokio::join!(
        test.store.purge_deleted_before(jiff::Timestamp::MAX),
        test.begin(said(MessageTarget::Fresh, "meanwhile")),
    );
    assert_eq!(purged.unwrap(), 2);
    assert_eq!(test.store.conversation_ids(test.owner).await.unwrap(), [ids[2], turn.conversation]);
    assert_eq!(test.store.summary(test.owner, ids[2]).await.unwrap().message_count, 450);
    test.assert_sound().await;
}

#[tokio::test]
async fn the_current_conversation_is_the_one_opened_last() {
    let test = TestStore::new().await;
    let one = titled(&test, "one", None).await;
    let two = titled(&test, "two", None).await;
    assert_eq!(test.store.current(test.owner).await.unwrap(), Some(two));
    test.store.set_current(test.owner, Some(one)).await.unwrap();
    assert_eq!(test.begin(said(MessageTarget::Current, "hi")).await.conversation, one);
    test.store.set_current(test.owner, None).await.unwrap();
    let fresh = test.begin(said(MessageTarget::Current, "hi")).await.conversation;
    assert!(fresh != one && fresh != two);
    let list = test.store.list(test.owner, ListQuery { limit: 1, ..ListQuery::default() }).await.unwrap();
    assert_eq!(list.current, Some(fresh));
}
