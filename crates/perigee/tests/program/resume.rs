//! Turns outlive the connection: their user can resume the stream, and other users get nothing.

use serde_json::{Value, json};
use testkit::{Gate, ScriptedReply};

use crate::support::{Client, NOBODY, Stage, kinds, text};

#[tokio::test]
async fn a_cut_connection_loses_nothing() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    for seen in [1, 2, 4, 6] {
        let gate = Gate::closed();
        stage
            .model
            .reply(ScriptedReply::chunks(["1 ", "2 ", "3 ", "4 ", "5 "]).wait(&gate).then("6 ").then("7"));
        let mut stream = owner.say(json!({ "message": "Count" })).await;
        let mut events = stream.take(seen).await;
        drop(stream);
        let turn = events[0].field("turnId").to_owned();
        let last = events.last().unwrap().id.clone();
        assert_eq!(last, format!("{turn}:{seen}"));
        let back = owner.resume(&turn, Some(&last)).await;
        gate.open();
        events.extend(back.rest().await);
        assert_eq!(text(&events), "1 2 3 4 5 6 7", "after {seen}");
        for (place, event) in events.iter().enumerate() {
            assert_eq!(event.id, format!("{turn}:{}", place + 1));
        }
        assert_eq!(kinds(&events), ["metadata", "token", "usage", "done"]);
    }
}

#[tokio::test]
async fn a_turn_that_has_ended_can_be_told_again_also_after_a_restart() {
    let mut stage = Stage::start().await;
    stage
        .model
        .reply(ScriptedReply::chunks(["<think>Hm.</think>", "One ", "two ", "three"]))
        .reply(ScriptedReply::status(500, "{}"));
    let owner = stage.owner();
    let good = owner.ask("Count").await;
    let bad = owner.ask("Again").await;
    assert_eq!(kinds(&bad), ["metadata", "usage", "error"]);
    for restarted in [false, true] {
        if restarted {
            stage.stop().await;
            stage.start_server().await;
        }
        let owner = stage.owner();
        for events in [&good, &bad] {
            let turn = events[0].field("turnId");
            for seen in 0..=events.len() {
                let last = seen.checked_sub(1).map(|place| events[place].id.as_str());
                let rest = owner.resume(turn, last).await.rest().await;
                assert_eq!(rest, events[seen..], "restarted: {restarted}, after {seen}");
            }
            let by_number = owner.get(&format!("/api/chat/turns/{turn}?after=2")).await;
            assert_eq!(by_number.text().matches("data: ").count(), events.len() - 2);
            // An event id of another turn, or an invalid one, is ignored.
            for odd in [format!("{NOBODY}:2"), "2".into(), "x:y".into(), String::new(), format!("{turn}:-1")]
            {
                assert_eq!(owner.resume(turn, Some(&odd)).await.rest().await, **events, "{odd}");
            }
        }
        assert_eq!(owner.stop(good[0].field("turnId")).await.json(), json!({ "stopped": false }));
    }
}

#[tokio::test]
async fn many_can_watch_one_turn() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::chunks(["One "]).wait(&gate).then("two"));
    let owner = stage.owner();
    let mut first = owner.say(json!({ "message": "Count" })).await;
    let turn = first.until("token").await[0].field("turnId").to_owned();
    let mut watchers = Vec::new();
    for _ in 0..8 {
        watchers.push(owner.resume(&turn, None).await);
    }
    // The conversation reports the running turn.
    let events = owner.resume(&turn, None).await.take(1).await;
    let view = owner.view(events[0].field("conversationId")).await;
    assert_eq!(view["live"]["turnId"], json!(turn));
    assert_eq!(view["messages"][1]["status"], "streaming");
    gate.open();
    first.rest().await;
    for watcher in watchers {
        assert_eq!(text(&watcher.rest().await), "One two");
    }
    assert_eq!(owner.view(events[0].field("conversationId")).await["live"], Value::Null);
}

/// Everything of a user that has an id.
struct Belongings {
    conversation: String,
    deleted: String,
    question: String,
    answer: String,
    turn: String,
    live_turn: String,
    attachment: String,
}

/// The requests that take an id, filled in with these.
fn doors(of: &Belongings) -> Vec<(&'static str, String, Value)> {
    let Belongings { conversation, deleted, question, answer, turn, live_turn, attachment } = of;
    let mut doors = vec![
        ("POST", "/api/chat/stream".into(), json!({ "message": "a", "conversationId": conversation })),
        ("POST", "/api/chat/stream".into(), json!({ "message": "a", "editOf": question })),
        ("POST", "/api/chat".into(), json!({ "message": "a", "conversationId": conversation })),
        ("POST", "/api/chats/load".into(), json!({ "id": conversation })),
        ("GET", format!("/api/chats/{conversation}"), Value::Null),
        ("GET", format!("/api/chats/{conversation}?before={answer}"), Value::Null),
        ("PATCH", format!("/api/chats/{conversation}"), json!({ "title": "mine" })),
        ("DELETE", format!("/api/chats/{conversation}"), Value::Null),
        ("POST", format!("/api/chats/{deleted}/restore"), json!({})),
        ("POST", format!("/api/chats/{conversation}/branch"), json!({ "messageId": question })),
        ("POST", format!("/api/chats/{conversation}/regenerate"), json!({ "messageId": answer })),
        ("GET", format!("/api/chats/{conversation}/export"), Value::Null),
        ("GET", format!("/api/chats/{conversation}/export?format=json"), Value::Null),
        ("GET", format!("/api/attachments/{attachment}"), Value::Null),
    ];
    for turn in [turn, live_turn] {
        doors.push(("GET", format!("/api/chat/turns/{turn}"), Value::Null));
        doors.push(("GET", format!("/api/chat/turns/{turn}/why"), Value::Null));
        doors.push(("POST", "/api/chat/stop".into(), json!({ "turnId": turn })));
    }
    doors
}

async fn try_door(client: &Client, (method, path, body): &(&'static str, String, Value)) -> (u16, String) {
    let mut request = client.request(method.parse().unwrap(), path);
    if !body.is_null() {
        request = request.json(body);
    }
    let answer = client.send(request).await;
    (answer.status, answer.text())
}

#[tokio::test]
async fn another_persons_ids_are_not_found() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.replies(["One.", "Two."]).reply(ScriptedReply::chunks(["Three"]).wait(&gate));
    let owner = stage.owner();
    let ben = stage.person("Ben").await;
    let deleted = owner.ask("To be deleted").await[0].field("conversationId").to_owned();
    owner.delete(&format!("/api/chats/{deleted}")).await;
    let attachment = json!({ "name": "a.txt", "mime": "text/plain", "data": "YQ==" });
    let first = owner.say(json!({ "message": "My secret", "attachments": [attachment] })).await.rest().await;
    let conversation = first[0].field("conversationId").to_owned();
    let messages = owner.messages(&conversation).await;
    let mut live = owner.say(json!({ "message": "Go on", "conversationId": conversation })).await;
    let live_turn = live.until("token").await[0].field("turnId").to_owned();
    let hers = Belongings {
        conversation: conversation.clone(),
        deleted,
        question: messages[0]["id"].as_str().unwrap().into(),
        answer: messages[1]["id"].as_str().unwrap().into(),
        turn: first[0].field("turnId").into(),
        live_turn,
        attachment: messages[0]["attachments"][0]["id"].as_str().unwrap().into(),
    };
    let id = || NOBODY.to_owned();
    let nobodys = Belongings {
        conversation: id(),
        deleted: id(),
        question: id(),
        answer: id(),
        turn: id(),
        live_turn: id(),
        attachment: id(),
    };
    let before = owner.get("/api/export").await.text();
    for (theirs, missing) in doors(&hers).iter().zip(doors(&nobodys)) {
        let refused = try_door(&ben, theirs).await;
        assert_eq!(refused.0, 404, "{theirs:?}: {}", refused.1);
        assert_eq!(refused, try_door(&ben, &missing).await, "{theirs:?} tells that there is something");
    }
    // A user's own conversation must not give access to another user's messages.
    let own = ben.post("/api/chats/new", json!({})).await.json();
    let own = own["id"].as_str().unwrap();
    for (path, body) in [
        (format!("/api/chats/{own}/branch"), json!({ "messageId": hers.question })),
        (format!("/api/chats/{own}/regenerate"), json!({ "messageId": hers.answer })),
        ("/api/chat".into(), json!({ "message": "a", "conversationId": own, "editOf": hers.question })),
    ] {
        assert_eq!(ben.post(&path, body.clone()).await.refusal(), (404, "notFound".into()), "{path} {body}");
    }
    assert_eq!(ben.get("/api/chats/search?q=secret").await.json()["hits"], json!([]));
    assert_eq!(ben.get("/api/chats").await.json()["chats"].as_array().unwrap().len(), 1);
    for path in ["/api/config", "/api/tokens", "/api/users", "/api/export", "/api/sessions"] {
        assert_eq!(ben.get(path).await.refusal(), (403, "forbidden".into()), "{path}");
    }
    assert_eq!(owner.get("/api/export").await.text(), before);
    gate.open();
    assert_eq!(live.rest().await.last().unwrap().data["stopReason"], "end", "nobody stopped it");
}
