use std::time::Duration;

use host::Clock as _;
use protocol::{ErrorCode, Event, MessageStatus, StopReason, TurnId, TurnStatus, Usage};
use store::{FinishedTurn, MessageTarget, ObjectKind, StoreError, StoredEvents};

use crate::support::{TestStore, answered, meddle, missing, said, tokens};

#[tokio::test]
async fn a_log_is_read_from_any_place() {
    let test = TestStore::new().await;
    let turn = test.begin(said(MessageTarget::Fresh, "Hello")).await;
    for row in [tokens(0, &["a"]), tokens(1, &["b", "c", "d"]), tokens(4, &["e", "f"])] {
        test.store.append_turn_events(turn.id, row).await.unwrap();
    }
    let read = |after| test.store.turn_events(test.owner, turn.id, after);
    assert_eq!(read(None).await.unwrap().len(), 3);
    assert_eq!(read(Some(0)).await.unwrap(), [tokens(1, &["b", "c", "d"]), tokens(4, &["e", "f"])]);
    assert_eq!(read(Some(2)).await.unwrap()[0].first_seq, 1, "a row that holds later events comes whole");
    assert_eq!(read(Some(5)).await.unwrap(), []);

    test.store.append_turn_events(turn.id, tokens(4, &["e", "f"])).await.unwrap();
    assert_eq!(read(None).await.unwrap().len(), 3, "the same row twice is one");
    assert_eq!(
        test.store.append_turn_events(TurnId::new(4), tokens(0, &["x"])).await,
        missing(ObjectKind::Turn)
    );
    let backwards = StoredEvents { first_seq: 9, last_seq: 8, events: vec![] };
    assert!(matches!(test.store.append_turn_events(turn.id, backwards).await, Err(StoreError::Invalid(_))));
}

#[tokio::test]
async fn a_turn_that_was_cut_by_a_crash_keeps_what_had_come() {
    let test = TestStore::new().await;
    let turn = test.begin(said(MessageTarget::Fresh, "Tell me a story")).await;
    let thinking = StoredEvents {
        first_seq: 0,
        last_seq: 0,
        events: vec![Event::Reasoning { content: "A story, then.".into() }],
    };
    test.store.append_turn_events(turn.id, thinking).await.unwrap();
    test.store.append_turn_events(turn.id, tokens(1, &["Once", " upon"])).await.unwrap();
    test.store.append_turn_events(turn.id, tokens(3, &[" a ti"])).await.unwrap();
    let silent = test.begin(said(MessageTarget::Current, "Go on")).await;

    let test = test.reopen().await;
    let recovered = test.store.recover().await.unwrap();
    assert_eq!(recovered.iter().map(|turn| turn.turn_id).collect::<Vec<_>>(), [turn.id, silent.id]);
    assert!(recovered.iter().all(|turn| turn.status == TurnStatus::Ended));
    let view = test.open(&turn).await;
    assert_eq!(view.live, None);
    let cut = &view.messages[1];
    assert_eq!((cut.content.as_str(), cut.reasoning.as_deref()), ("Once upon a ti", Some("A story, then.")));
    assert_eq!((cut.status, cut.stop_reason), (MessageStatus::Partial, Some(StopReason::Cut)));
    assert_eq!((view.messages[3].status, view.messages[3].content.as_str()), (MessageStatus::Partial, ""));
    assert_eq!(test.found("upon").await.len(), 1);

    let rest = test.store.turn_events(test.owner, turn.id, Some(3)).await.unwrap();
    assert_eq!(rest.len(), 1, "whoever resumes learns that it ended");
    assert!(matches!(rest[0].events[..], [Event::Done { stop_reason: StopReason::Cut, .. }]));
    assert_eq!(rest[0].first_seq, 4);
    assert_eq!(test.store.recover().await.unwrap(), [], "once is enough");
    test.assert_sound().await;
}

type MakeEvent = Box<dyn Fn(&store::Turn) -> Event>;

#[tokio::test]
async fn a_log_that_has_its_end_tells_how_the_turn_ended() {
    let done = |stop_reason| {
        move |turn: &store::Turn| Event::Done {
            conversation_id: turn.conversation,
            message_id: turn.message,
            stop_reason,
        }
    };
    let failed = |_: &store::Turn| Event::Error { message: "no".into(), code: ErrorCode::ModelFailed };
    let cases: [(MakeEvent, MessageStatus, Option<StopReason>); 3] = [
        (Box::new(done(StopReason::End)), MessageStatus::Complete, Some(StopReason::End)),
        (Box::new(done(StopReason::Stopped)), MessageStatus::Partial, Some(StopReason::Stopped)),
        (Box::new(failed), MessageStatus::Failed, None),
    ];
    for (event, status, stop_reason) in cases {
        let test = TestStore::new().await;
        let turn = test.begin(said(MessageTarget::Fresh, "Hello")).await;
        let usage = Usage { completion_tokens: 2, ..Usage::default() };
        let events = vec![Event::Token { content: "Hi".into() }, Event::Usage(usage), event(&turn)];
        let row = StoredEvents { first_seq: 0, last_seq: 2, events };
        test.store.append_turn_events(turn.id, row).await.unwrap();
        test.store.recover().await.unwrap();
        let answer = test.open(&turn).await.messages.remove(1);
        assert_eq!((answer.content.as_str(), answer.status, answer.stop_reason), ("Hi", status, stop_reason));
        assert_eq!(test.store.turn(test.owner, turn.id).await.unwrap().usage, usage);
        assert_eq!(
            test.store.turn_events(test.owner, turn.id, Some(2)).await.unwrap(),
            [],
            "there is one end"
        );
    }
}

#[tokio::test]
async fn events_that_cannot_be_read_do_not_stop_the_start() {
    let test = TestStore::new().await;
    let turn = test.begin(said(MessageTarget::Fresh, "Hello")).await;
    test.store.append_turn_events(turn.id, tokens(0, &["lost"])).await.unwrap();
    test.store.append_turn_events(turn.id, tokens(1, &["kept"])).await.unwrap();
    meddle(&test.path(), "UPDATE turn_events SET events = '[{\"type\":\"telepathy\"}]' WHERE first_seq = 0");
    test.store.recover().await.unwrap();
    assert_eq!(test.shown(&turn).await, ["Hello", "kept"]);
}

#[tokio::test]
async fn the_last_events_are_stored_with_the_answer() {
    let test = TestStore::new().await;
    let turn = test.begin(said(MessageTarget::Fresh, "Hello")).await;
    let finished = FinishedTurn { last_events: Some(tokens(0, &["Hi"])), ..answered("Hi") };
    test.store.finish_turn(turn.id, finished).await.unwrap();
    assert_eq!(test.store.turn_events(test.owner, turn.id, None).await.unwrap(), [tokens(0, &["Hi"])]);
}

#[tokio::test]
async fn logs_go_a_while_after_the_end_and_answers_stay() {
    let test = TestStore::new().await;
    let mut turns = Vec::new();
    for number in 0..120 {
        let turn = test.begin(said(MessageTarget::Current, &format!("q{number}"))).await;
        test.store.append_turn_events(turn.id, tokens(0, &["a"])).await.unwrap();
        test.store.finish_turn(turn.id, answered("a")).await.unwrap();
        turns.push(turn);
    }
    let running = test.begin(said(MessageTarget::Current, "still")).await;
    test.store.append_turn_events(running.id, tokens(0, &["a"])).await.unwrap();
    test.clock.advance(Duration::from_hours(24));
    assert_eq!(test.store.purge_events_before(test.clock.now()).await.unwrap(), 120);
    assert_eq!(test.store.turn_events(test.owner, turns[0].id, None).await.unwrap(), []);
    assert_eq!(test.store.turn_events(test.owner, running.id, None).await.unwrap().len(), 1);
    assert_eq!(test.open(&running).await.chat.message_count, 242);
    assert_eq!(test.store.purge_events_before(test.clock.now()).await.unwrap(), 0);
}
