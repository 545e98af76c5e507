use protocol::{Act, Command, Origin, PlanStep, StepStatus, ToolStatus, UserId};
use serde_json::{Value, json};
use store::{FinishedTurn, MessageTarget, ObjectKind, Round, RoundCall, RoundResult, Turn};

use crate::support::{TestStore, answered, missing, said};

fn act(id: &str, at: u32) -> Act {
    Act {
        id: id.into(),
        name: "map".into(),
        args: json!({"lat": 1.5}),
        status: ToolStatus::Done,
        result: Some(json!("shown")),
        ms: Some(12),
        command: Some(Command { action: "map".into(), payload: json!({"lat": 1.5, "lon": null}) }),
        at,
        pinned: false,
    }
}

fn round(said: &str) -> Round {
    Round {
        said: said.into(),
        calls: vec![RoundCall { id: "c1".into(), name: "map".into(), arguments: "{}".into() }],
        told: vec![RoundResult { call: Some("c1".into()), name: "map".into(), text: "shown".into() }],
    }
}

fn web() -> Vec<Origin> {
    vec![Origin::Web("https://a.example/".into())]
}

async fn acted(test: &TestStore) -> Turn {
    let turn = test.begin(said(MessageTarget::Fresh, "where?")).await;
    test.store.store_tool_call(turn.id, act("a2", 9)).await.unwrap();
    test.store.store_tool_call(turn.id, act("a1", 4)).await.unwrap();
    test.store.append_round(turn.id, round("[MAP:{}]"), web()).await.unwrap();
    let steps = vec![PlanStep { title: "look".into(), status: StepStatus::Done }];
    test.store.keep_plan(turn.id, steps).await.unwrap();
    turn
}

#[tokio::test]
async fn rounds_acts_and_origins_are_kept_even_where_the_turn_is_cut() {
    let test = TestStore::new().await;
    let turn = acted(&test).await;
    let test = test.reopen().await;
    test.store.recover().await.unwrap();
    let answer = test.open(&turn).await.messages.pop().unwrap();
    assert_eq!(answer.acts, [act("a1", 4), act("a2", 9)]);
    assert_eq!(answer.plan.len(), 1);
    let path = test.store.path(test.owner, turn.conversation, turn.message, None).await.unwrap();
    assert_eq!(path[1].rounds, [round("[MAP:{}]")]);
    assert_eq!(path[1].origins, web());
    assert!(path[0].rounds.is_empty() && path[0].origins.is_empty());
}

#[tokio::test]
async fn the_last_round_comes_with_the_end() {
    let test = TestStore::new().await;
    let turn = acted(&test).await;
    let last = Round { said: "There.".into(), ..Round::default() };
    let end = FinishedTurn { last_round: Some(last.clone()), ..answered("There.") };
    test.store.finish_turn(turn.id, end).await.unwrap();
    let path = test.store.path(test.owner, turn.conversation, turn.message, None).await.unwrap();
    assert_eq!(path[1].rounds, [round("[MAP:{}]"), last]);
    assert_eq!(path[1].origins, web(), "an end takes nothing back");
}

#[tokio::test]
async fn acts_are_pinned_by_their_owner_alone() {
    let test = TestStore::new().await;
    let turn = acted(&test).await;
    let pin = async |user, message, id: &str, pinned| {
        test.store.pin(user, turn.conversation, message, id, pinned).await
    };
    let question = turn.user_message.unwrap();
    let other = test.store.create_user("Ada").await.unwrap().id;
    assert_eq!(pin(other, turn.message, "a1", true).await, missing(ObjectKind::Conversation));
    assert_eq!(pin(test.owner, question, "a1", true).await, missing(ObjectKind::Act));
    assert_eq!(pin(test.owner, turn.message, "a9", true).await, missing(ObjectKind::Act));
    pin(test.owner, turn.message, "a1", true).await.unwrap();
    let pinned = test.open(&turn).await.pinned;
    assert_eq!(pinned.iter().map(|pin| pin.act.id.as_str()).collect::<Vec<_>>(), ["a1"]);
    assert_eq!(test.store.act(test.owner, "a1").await.unwrap(), Act { pinned: true, ..act("a1", 4) });
    assert_eq!(test.store.act(other, "a1").await, missing(ObjectKind::Act));
    pin(test.owner, turn.message, "a1", false).await.unwrap();
    assert!(test.open(&turn).await.pinned.is_empty());
    test.store.delete_conversation(test.owner, turn.conversation).await.unwrap();
    assert_eq!(test.store.act(test.owner, "a1").await, missing(ObjectKind::Act));
}

#[tokio::test]
async fn what_she_did_goes_through_an_export() {
    let (here, there) = (TestStore::new().await, TestStore::new().await);
    let turn = acted(&here).await;
    here.store.finish_turn(turn.id, answered("There.")).await.unwrap();
    let exported = here.store.export_conversation(here.owner, turn.conversation).await.unwrap();
    there.clock.advance(std::time::Duration::from_hours(1));
    // Imported twice, although ids of tool calls are unique across the database.
    for _ in 0..2 {
        let imported = there.store.import(there.owner, vec![exported.clone()]).await.unwrap();
        let again = there.store.export_conversation(there.owner, imported.conversations[0]).await.unwrap();
        let (came, went) = (&again.messages[1], &exported.messages[1]);
        assert_eq!((&came.rounds, &came.origins, &came.plan), (&went.rounds, &went.origins, &went.plan));
        let without_ids = |acts: &[Act]| {
            acts.iter().map(|act| Act { id: String::new(), ..act.clone() }).collect::<Vec<_>>()
        };
        assert_eq!(without_ids(&came.acts), without_ids(&went.acts));
    }
}

#[tokio::test]
async fn a_grant_is_for_these_very_arguments_and_can_be_revoked() {
    let test = TestStore::new().await;
    let args = |value: Value| value.as_object().unwrap().clone();
    let (given, turned) =
        (args(json!({"a": 1, "b": {"c": 2, "d": 3}})), args(json!({"b": {"d": 3, "c": 2}, "a": 1})));
    test.store.grant(test.owner, "open", &given).await.unwrap();
    test.store.grant(test.owner, "open", &turned).await.unwrap();
    let grants = test.store.grants(test.owner).await.unwrap();
    assert_eq!(grants.len(), 1, "the order of arguments means nothing");
    let granted =
        async |user: UserId, tool: &str, args| test.store.is_granted(user, tool, &args).await.unwrap();
    assert!(granted(test.owner, "open", turned.clone()).await);
    assert!(!granted(test.owner, "open", args(json!({"a": 1}))).await);
    assert!(!granted(test.owner, "notify", given.clone()).await);
    let other = test.store.create_user("Ada").await.unwrap().id;
    assert!(!granted(other, "open", given.clone()).await);
    assert_eq!(test.store.revoke(other, grants[0].id).await, missing(ObjectKind::Grant));
    test.store.revoke(test.owner, grants[0].id).await.unwrap();
    assert!(!granted(test.owner, "open", given).await);
}
