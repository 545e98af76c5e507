use std::time::Duration;

use host::Clock as _;
use protocol::ChatPatch;
use store::{ListQuery, NewConversation, StoreError, Target, Thing};

use crate::support::{Bed, answered, missing, said, tokens};

async fn titles(bed: &Bed, query: ListQuery) -> Vec<String> {
    let list = bed.store.list(bed.owner, ListQuery { limit: 50, ..query }).await.unwrap();
    list.chats.into_iter().map(|chat| chat.title).collect()
}

async fn titled(bed: &Bed, title: &str, folder: Option<&str>) -> protocol::ConversationId {
    bed.tick();
    let new = NewConversation { title: Some(title.into()), folder: folder.map(Into::into), incognito: false };
    bed.store.create_conversation(bed.owner, new).await.unwrap().id
}

#[tokio::test]
async fn the_list_shows_pinned_ones_first_and_then_the_latest() {
    let bed = Bed::new().await;
    let first = titled(&bed, "first", None).await;
    let second = titled(&bed, "second", Some("Work")).await;
    titled(&bed, "third", Some(" Work ")).await;
    assert_eq!(titles(&bed, ListQuery::default()).await, ["third", "second", "first"]);

    bed.begin(said(Target::Conversation(second), "news")).await;
    let pin = ChatPatch { pinned: Some(true), ..ChatPatch::default() };
    bed.store.patch_conversation(bed.owner, first, pin).await.unwrap();
    assert_eq!(titles(&bed, ListQuery::default()).await, ["first", "second", "third"]);

    let work = ListQuery { folder: Some("Work".into()), ..ListQuery::default() };
    assert_eq!(titles(&bed, work).await, ["second", "third"]);
    let folders = bed.store.list(bed.owner, ListQuery::default()).await.unwrap().folders;
    assert_eq!(folders.iter().map(|f| (f.name.as_str(), f.chats)).collect::<Vec<_>>(), [("Work", 2)]);
}

#[tokio::test]
async fn pages_of_the_list_join_without_gap_or_overlap() {
    let bed = Bed::new().await;
    let mut expected = Vec::new();
    for number in 0..23 {
        // Several with the same timestamp, so that time alone does not determine the order.
        if number % 4 == 0 {
            bed.tick();
        }
        let new = NewConversation { title: Some(format!("chat {number}")), folder: None, incognito: false };
        let chat = bed.store.create_conversation(bed.owner, new).await.unwrap();
        if number % 5 == 0 {
            let pin = ChatPatch { pinned: Some(true), ..ChatPatch::default() };
            bed.store.patch_conversation(bed.owner, chat.id, pin).await.unwrap();
        }
        expected.push((number % 5 == 0, chat.id));
    }
    expected.sort();
    expected.reverse();
    let mut seen = Vec::new();
    let mut query = ListQuery { limit: 4, ..ListQuery::default() };
    loop {
        let list = bed.store.list(bed.owner, query.clone()).await.unwrap();
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
    let bed = Bed::new().await;
    for cursor in ["", "1", "1.2", "1.2.3.4", "a.b.c", "1.2.99999999999999999999"] {
        let query = ListQuery { cursor: Some(cursor.into()), limit: 10, ..ListQuery::default() };
        assert!(matches!(bed.store.list(bed.owner, query).await, Err(StoreError::Invalid(_))), "{cursor}");
        let searched = bed.store.search(bed.owner, "x", Some(cursor), 10).await;
        assert!(matches!(searched, Err(StoreError::Invalid(_))), "{cursor}");
    }
}

#[tokio::test]
async fn a_patch_changes_what_it_names_and_nothing_else() {
    let bed = Bed::new().await;
    let id = titled(&bed, "before", Some("Home")).await;
    let tags = Some(vec![" b ".into(), "a".into(), String::new(), "b".into()]);
    let patch = ChatPatch { title: Some(" after ".into()), tags, ..ChatPatch::default() };
    let chat = bed.store.patch_conversation(bed.owner, id, patch).await.unwrap();
    assert_eq!((chat.title.as_str(), chat.folder.as_deref(), chat.pinned), ("after", Some("Home"), false));
    assert_eq!(chat.tags, ["a", "b"]);
    assert_eq!(chat.updated_at, chat.created_at, "a new name does not move it in the list");
    let tagged = ListQuery { tag: Some("b".into()), ..ListQuery::default() };
    assert_eq!(titles(&bed, tagged).await, ["after"]);

    let patch = ChatPatch { folder: Some(String::new()), tags: Some(vec![]), ..ChatPatch::default() };
    let chat = bed.store.patch_conversation(bed.owner, id, patch).await.unwrap();
    assert_eq!((chat.folder, chat.tags, chat.title.as_str()), (None, vec![], "after"));
}

#[tokio::test]
async fn a_title_that_a_person_chose_is_never_overwritten() {
    let bed = Bed::new().await;
    let turn = bed.say(Target::Fresh, "Hello", "Hi").await;
    let (owner, id) = (bed.owner, turn.conversation);
    let named = |title| bed.store.set_auto_title(owner, id, title);
    assert_eq!(named("A greeting").await.unwrap().unwrap().title, "A greeting");
    assert_eq!(named("Greetings").await.unwrap().unwrap().title, "Greetings");

    let rename = |title: &str| ChatPatch { title: Some(title.into()), ..ChatPatch::default() };
    bed.store.patch_conversation(owner, id, rename("Mine")).await.unwrap();
    assert_eq!(named("Theirs").await.unwrap(), None);
    assert_eq!(bed.store.summary(owner, id).await.unwrap().title, "Mine");

    bed.store.patch_conversation(owner, id, rename(" ")).await.unwrap();
    assert_eq!(named("Theirs").await.unwrap().unwrap().title, "Theirs", "an empty name asks for another");
}

#[tokio::test]
async fn a_deleted_conversation_is_out_of_sight_until_it_is_restored() {
    let bed = Bed::new().await;
    let turn = bed.say(Target::Fresh, "needle", "found").await;
    let (owner, id) = (bed.owner, turn.conversation);
    bed.store.delete_conversation(owner, id).await.unwrap();
    assert_eq!(bed.store.summary(owner, id).await, missing(Thing::Conversation));
    assert_eq!(bed.store.delete_conversation(owner, id).await, missing(Thing::Conversation));
    assert_eq!(bed.store.why(owner, turn.id).await, missing(Thing::Turn));
    assert_eq!(titles(&bed, ListQuery::default()).await, Vec::<String>::new());
    assert_eq!(bed.found("needle").await, Vec::<String>::new());
    assert_eq!(bed.store.current(owner).await.unwrap(), None);
    let other = bed.say(Target::Current, "next", "one").await;
    assert_ne!(other.conversation, id);

    bed.store.restore_conversation(owner, id).await.unwrap();
    assert_eq!(bed.found("needle").await, ["needle"]);
    assert_eq!(bed.shown(&turn).await, ["needle", "found"]);
    assert_eq!(bed.store.restore_conversation(owner, id).await, missing(Thing::Conversation));
}

#[tokio::test]
async fn what_is_purged_is_gone_from_the_file() {
    let bed = Bed::new().await;
    let turn = bed.say(Target::Fresh, "my secret is xylophone", "noted: xylophone").await;
    let kept = bed.say(Target::Fresh, "something else", "yes").await;
    let rename = ChatPatch { title: Some("xylophone".into()), ..ChatPatch::default() };
    bed.store.patch_conversation(bed.owner, turn.conversation, rename).await.unwrap();
    bed.store.delete_conversation(bed.owner, turn.conversation).await.unwrap();
    let day = Duration::from_hours(24);
    assert_eq!(
        bed.store.purge_deleted_before(bed.clock.now() - day).await.unwrap(),
        0,
        "there is a time to repent"
    );
    bed.clock.advance(2 * day);
    assert_eq!(bed.store.purge_deleted_before(bed.clock.now() - day).await.unwrap(), 1);
    let restored = bed.store.restore_conversation(bed.owner, turn.conversation).await;
    assert_eq!(restored, missing(Thing::Conversation));
    assert_eq!(bed.shown(&kept).await, ["something else", "yes"]);
    bed.assert_sound().await;
    let bytes = std::fs::read(bed.path()).unwrap();
    assert!(!bytes.windows(8).any(|window| window == b"ylophone"));
}

#[tokio::test]
async fn a_conversation_deleted_in_the_middle_of_an_answer_can_still_come_back_whole() {
    let bed = Bed::new().await;
    let turn = bed.begin(said(Target::Fresh, "question")).await;
    bed.store.delete_conversation(bed.owner, turn.conversation).await.unwrap();
    bed.store.append_turn_events(turn.id, tokens(0, &["ans"])).await.unwrap();
    bed.store.finish_turn(turn.id, answered("answer")).await.unwrap();
    bed.store.restore_conversation(bed.owner, turn.conversation).await.unwrap();
    assert_eq!(bed.shown(&turn).await, ["question", "answer"]);

    let lost = bed.begin(said(Target::Fresh, "lost")).await;
    bed.store.delete_conversation(bed.owner, lost.conversation).await.unwrap();
    bed.store.purge_deleted_before(jiff::Timestamp::MAX).await.unwrap();
    assert_eq!(bed.store.append_turn_events(lost.id, tokens(0, &["x"])).await, missing(Thing::Turn));
    assert_eq!(bed.store.finish_turn(lost.id, answered("x")).await, missing(Thing::Turn));
    bed.assert_sound().await;
}

#[tokio::test]
async fn a_large_conversation_is_purged_in_pieces_that_let_others_in() {
    let bed = Bed::new().await;
    let size = store::sample::Size { conversations: 3, messages_each: 450 };
    store::sample::fill(&bed.store, bed.owner, size).await.unwrap();
    let ids = bed.store.conversation_ids(bed.owner).await.unwrap();
    for id in &ids[..2] {
        bed.store.delete_conversation(bed.owner, *id).await.unwrap();
    }
    let (purged, turn) = tokio::join!(
        bed.store.purge_deleted_before(jiff::Timestamp::MAX),
        bed.begin(said(Target::Fresh, "meanwhile")),
    );
    assert_eq!(purged.unwrap(), 2);
    assert_eq!(bed.store.conversation_ids(bed.owner).await.unwrap(), [ids[2], turn.conversation]);
    assert_eq!(bed.store.summary(bed.owner, ids[2]).await.unwrap().message_count, 450);
    bed.assert_sound().await;
}

#[tokio::test]
async fn the_current_conversation_is_the_one_opened_last() {
    let bed = Bed::new().await;
    let one = titled(&bed, "one", None).await;
    let two = titled(&bed, "two", None).await;
    assert_eq!(bed.store.current(bed.owner).await.unwrap(), Some(two));
    bed.store.set_current(bed.owner, Some(one)).await.unwrap();
    assert_eq!(bed.begin(said(Target::Current, "hi")).await.conversation, one);
    bed.store.set_current(bed.owner, None).await.unwrap();
    let fresh = bed.begin(said(Target::Current, "hi")).await.conversation;
    assert!(fresh != one && fresh != two);
    let list = bed.store.list(bed.owner, ListQuery { limit: 1, ..ListQuery::default() }).await.unwrap();
    assert_eq!(list.current, Some(fresh));
}
