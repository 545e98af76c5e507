use protocol::{
    AttachmentId, ConversationId, ErrorCode, MessageId, MessageStatus, Role, StopReason, Timings, TurnId,
    TurnStatus, Usage,
};
use store::{
    BeginTurnResult, FinishedTurn, MessageTarget, NewAttachment, NewTurn, ObjectKind, RemovedItems,
    StoreError,
};

use crate::code::Word;
use crate::support::{TestStore, answered, missing, said};

#[tokio::test]
async fn a_first_message_makes_a_conversation_and_the_next_one_follows_it() {
    let test = TestStore::new().await;
    let first = test.say(MessageTarget::Current, "Hello", "Hi there").await;
    let second = test.say(MessageTarget::Current, "How are you?", "Well").await;
    assert_eq!(first.conversation, second.conversation);
    assert_eq!(test.store.current(test.owner).await.unwrap(), Some(first.conversation));

    let view = test.open(&first).await;
    assert_eq!(view.chat.message_count, 4);
    assert_eq!(view.chat.preview, "Well");
    assert_eq!(view.before, None);
    assert_eq!(view.live, None);
    let roles: Vec<Role> = view.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User, Role::Assistant]);
    for pair in view.messages.windows(2) {
        assert_eq!(pair[1].parent, Some(pair[0].id));
    }
    assert_eq!(view.messages[1].turn_id, Some(first.id));
    assert_eq!(view.messages[0].created_at, "2025-06-01T12:00:01Z");
    test.assert_sound().await;
}

#[tokio::test]
async fn while_the_answer_streams_it_is_there_empty_and_the_turn_can_be_resumed() {
    let test = TestStore::new().await;
    let turn = test.begin(said(MessageTarget::Fresh, "Hello")).await;
    let view = test.open(&turn).await;
    assert_eq!(view.messages[1].status, MessageStatus::Streaming);
    assert_eq!(view.messages[1].content, "");
    assert_eq!(view.chat.preview, "Hello");
    let live = view.live.unwrap();
    assert_eq!((live.turn_id, live.message_id, live.status), (turn.id, turn.message, TurnStatus::Running));
}

#[tokio::test]
async fn the_same_client_message_id_is_the_same_turn() {
    let test = TestStore::new().await;
    let new = NewTurn { client_message_id: Some("abc".into()), ..said(MessageTarget::Fresh, "Hello") };
    let turn = test.begin(new.clone()).await;
    assert_eq!(
        test.store.begin_turn(test.owner, new.clone()).await.unwrap(),
        BeginTurnResult::Existing(turn.clone())
    );
    assert_eq!(test.open(&turn).await.chat.message_count, 2);

    let guest = test.store.create_user("guest").await.unwrap().id;
    assert!(
        matches!(test.store.begin_turn(guest, new).await.unwrap(), BeginTurnResult::New(_)),
        "another person's is another"
    );
}

#[tokio::test]
async fn the_end_of_a_turn_is_stored_as_it_was() {
    let test = TestStore::new().await;
    let turn = test.begin(said(MessageTarget::Fresh, "Hello")).await;
    let usage = Usage {
        prompt_tokens: 10,
        cached_tokens: 4,
        completion_tokens: 3,
        first_token_ms: Some(7),
        reasoning_ms: Some(2),
        total_ms: 9,
    };
    let finished = FinishedTurn {
        reasoning: Some("hm".into()),
        status: MessageStatus::Failed,
        stop_reason: Some(StopReason::Cut),
        error: Some("the model went away".into()),
        error_code: Some(ErrorCode::ModelUnreachable),
        model: "other".into(),
        usage,
        timings: Timings { decode_ms: 5, ..Timings::default() },
        ..answered("Half an ans")
    };
    assert_eq!(test.open(&turn).await.messages[1].usage, None, "nothing is spent until the end");
    test.store.finish_turn(turn.id, finished.clone()).await.unwrap();

    let [question, answer] = test.open(&turn).await.messages.try_into().unwrap();
    assert_eq!((question.usage, answer.usage), (None, Some(usage)));
    assert_eq!(answer.content, "Half an ans");
    assert_eq!(answer.reasoning.as_deref(), Some("hm"));
    assert_eq!(answer.status, MessageStatus::Failed);
    assert_eq!(answer.stop_reason, Some(StopReason::Cut));
    assert_eq!(answer.error_code, Some(ErrorCode::ModelUnreachable));
    assert_eq!(answer.model.as_deref(), Some("other"));
    let stored = test.store.turn(test.owner, turn.id).await.unwrap();
    assert_eq!((stored.usage, stored.timings.decode_ms, stored.model.as_str()), (usage, 5, "other"));
    assert_eq!(stored.info().status, TurnStatus::Ended);

    assert!(
        matches!(test.store.finish_turn(turn.id, finished).await, Err(StoreError::Conflict(_))),
        "only once"
    );
    assert_eq!(test.store.finish_turn(TurnId::new(5), answered("x")).await, missing(ObjectKind::Turn));
}

#[tokio::test]
async fn attachments_come_back_byte_for_byte() {
    let test = TestStore::new().await;
    let data: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let attachments = vec![
        NewAttachment { name: "bild ü.png".into(), mime: "image/png".into(), data: data.clone() },
        NewAttachment { name: "empty.txt".into(), mime: "text/plain".into(), data: Vec::new() },
    ];
    let turn = test.begin(NewTurn { attachments, ..said(MessageTarget::Fresh, "Look") }).await;
    let infos = test.open(&turn).await.messages[0].attachments.clone();
    assert_eq!(infos.iter().map(|info| info.bytes).collect::<Vec<_>>(), [300_000, 0]);
    let picture = test.store.attachment(test.owner, infos[0].id).await.unwrap();
    assert_eq!((picture.info.name.as_str(), picture.data == data), ("bild ü.png", true));
    assert_eq!(
        test.store.attachment(test.owner, AttachmentId::new(9)).await,
        missing(ObjectKind::Attachment)
    );
}

#[tokio::test]
async fn a_word_is_forgotten_in_the_files_of_messages_until_now() {
    let test = TestStore::new().await;
    let file = |name: &str, data: &[u8]| NewAttachment {
        name: name.into(),
        mime: "text/plain".into(),
        data: data.to_vec(),
    };
    let plain = b"is Zorblax";
    let wide: Vec<u8> =
        [254, 255].into_iter().chain("is Zorblax".encode_utf16().flat_map(u16::to_be_bytes)).collect();
    let picture = b"\x89\xffZorblax";
    let attachments = vec![file("plain", plain), file("wide", &wide), file("picture", picture)];
    let turn = test.begin(NewTurn { attachments, ..said(MessageTarget::Fresh, "Look") }).await;
    test.store.finish_turn(turn.id, answered("I see.")).await.unwrap();
    let begun = test.store.begin_forgetting(test.owner, String::new()).await.unwrap();
    let attachments = vec![file("later", plain)];
    let later = test.begin(NewTurn { attachments, ..said(MessageTarget::Fresh, "Look again") }).await;
    test.store.forget(test.owner, RemovedItems::default(), Word("Zorblax"), begun).await.unwrap();
    test.store.end_forgetting(begun).await.unwrap();
    let mut left = Vec::new();
    for turn in [turn, later] {
        for info in test.open(&turn).await.messages[0].attachments.clone() {
            let data = test.store.attachment(test.owner, info.id).await.unwrap().data;
            assert_eq!(usize::try_from(info.bytes).unwrap(), data.len());
            left.push((info.name, data));
        }
    }
    let expected: [(&str, &[u8]); 4] =
        [("plain", b"is [gone]"), ("wide", b"is [gone]"), ("picture", picture), ("later", plain)];
    assert_eq!(left, expected.map(|(name, data)| (name.to_owned(), data.to_vec())));
}

#[tokio::test]
async fn words_of_every_kind_survive() {
    let test = TestStore::new().await;
    let texts = [
        "",
        "a\0b",
        "👩‍💻🌙",
        "שלום \u{202e}abc",
        "e\u{301}",
        "\u{feff}\u{fffd}\u{10ffff}",
        "'; DROP TABLE messages; --",
    ];
    for text in texts {
        let turn = test.say(MessageTarget::Fresh, text, text).await;
        assert_eq!(test.shown(&turn).await, [text, text]);
    }
    let long = "märchen ".repeat(130_000);
    let turn = test.say(MessageTarget::Fresh, &long, "short").await;
    assert_eq!(test.shown(&turn).await[0], long);
    assert_eq!(test.found("märchen").await.len(), 1);
    test.assert_sound().await;
}

#[tokio::test]
async fn another_persons_ids_are_unknown() {
    let test = TestStore::new().await;
    let attachments = vec![NewAttachment { name: "a".into(), mime: "b".into(), data: vec![1] }];
    let turn = test.begin(NewTurn { attachments, ..said(MessageTarget::Fresh, "Private thoughts") }).await;
    test.store.finish_turn(turn.id, answered("Kept private")).await.unwrap();
    let (conversation, question) = (turn.conversation, turn.user_message.unwrap());
    let attachment = test.open(&turn).await.messages[0].attachments[0].id;

    let guest = test.store.create_user("guest").await.unwrap().id;
    let store = &test.store;
    let gone = ObjectKind::Conversation;
    assert_eq!(store.open_conversation(guest, conversation, None, 10).await, missing(gone));
    assert_eq!(store.summary(guest, conversation).await, missing(gone));
    assert_eq!(store.set_current(guest, Some(conversation)).await, missing(gone));
    assert_eq!(store.delete_conversation(guest, conversation).await, missing(gone));
    assert_eq!(store.restore_conversation(guest, conversation).await, missing(gone));
    assert_eq!(
        store.patch_conversation(guest, conversation, protocol::ChatPatch::default()).await,
        missing(gone)
    );
    assert_eq!(store.set_auto_title(guest, conversation, "Mine").await, Ok(None));
    assert_eq!(store.path(guest, conversation, turn.message, None).await, missing(gone));
    assert_eq!(store.epoch(guest, conversation, turn.message).await, missing(gone));
    assert_eq!(store.switch_branch(guest, conversation, question).await, missing(gone));
    assert_eq!(store.message(guest, conversation, question).await, missing(gone));
    assert_eq!(store.export_conversation(guest, conversation).await, missing(gone));
    assert_eq!(
        store.begin_turn(guest, said(MessageTarget::Conversation(conversation), "Hi")).await,
        missing(gone)
    );
    let edit = NewTurn { edit_of: Some(question), ..said(MessageTarget::Current, "Hi") };
    assert_eq!(store.begin_turn(guest, edit).await, missing(ObjectKind::Message));
    assert_eq!(store.begin_regeneration(guest, turn.message, "m").await, missing(ObjectKind::Message));
    assert_eq!(store.freeze_context(guest, question, "x", Vec::new()).await, missing(ObjectKind::Message));
    assert_eq!(store.turn(guest, turn.id).await, missing(ObjectKind::Turn));
    assert_eq!(store.turn_events(guest, turn.id, None).await, missing(ObjectKind::Turn));
    assert_eq!(store.why(guest, turn.id).await, missing(ObjectKind::Turn));
    assert_eq!(store.attachment(guest, attachment).await, missing(ObjectKind::Attachment));
    assert_eq!(store.search(guest, "private", None, 10).await.unwrap().hits, []);
    assert_eq!(store.conversation_ids(guest).await.unwrap(), []);
    assert_eq!(store.list(guest, store::ListQuery::default()).await.unwrap().chats, []);

    assert_eq!(test.shown(&turn).await, ["Private thoughts", "Kept private"], "and nothing changed");
    assert_eq!(store.message(test.owner, conversation, question).await.unwrap().content, "Private thoughts");
}

#[tokio::test]
async fn ids_that_never_were_are_unknown() {
    let test = TestStore::new().await;
    let turn = test.say(MessageTarget::Fresh, "Hello", "Hi").await;
    for id in [0, 1, -1, i64::MAX, i64::MIN] {
        let conversation = ConversationId::new(id);
        let opened = test.store.open_conversation(test.owner, conversation, None, 10).await;
        assert_eq!(opened, missing(ObjectKind::Conversation));
        let before = Some(MessageId::new(id));
        let opened = test.store.open_conversation(test.owner, turn.conversation, before, 10).await;
        assert_eq!(opened, missing(ObjectKind::Message));
        let begun =
            test.store.begin_turn(test.owner, said(MessageTarget::Conversation(conversation), "x")).await;
        assert_eq!(begun, missing(ObjectKind::Conversation));
    }
}

#[tokio::test]
async fn a_clock_set_back_between_two_starts_does_no_harm() {
    let test = TestStore::new().await;
    let first = test.say(MessageTarget::Current, "one", "eins").await;
    test.clock.set("2024-02-01T00:00:00Z");
    let test = test.reopen().await;
    let second = test.say(MessageTarget::Current, "two", "zwei").await;
    assert!(second.message > first.message);
    assert_eq!(test.shown(&second).await, ["one", "eins", "two", "zwei"]);
    test.assert_sound().await;
}
