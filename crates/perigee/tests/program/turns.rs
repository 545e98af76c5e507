//! Stop, regenerate, edit, branches, and the order of turns.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Gate, ScriptedReply};

use crate::support::{Client, Event, Setup, Stage, kinds, text};

/// Returns the role and the content of each message sent to the model.
fn sent(request: &Value) -> Vec<(String, String)> {
    let messages = request["messages"].as_array().unwrap();
    let text = |message: &Value, key: &str| message[key].as_str().unwrap_or_default().to_owned();
    messages.iter().map(|message| (text(message, "role"), text(message, "content"))).collect()
}

async fn regenerate(client: &Client, conversation: &str, message: &Value) -> Vec<Event> {
    let request = client.request(Method::POST, &format!("/api/chats/{conversation}/regenerate"));
    client.open(request.json(&json!({ "messageId": message }))).await.rest().await
}

#[tokio::test]
async fn stop_keeps_what_had_come() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::chunks(["One ", "two "]).wait(&gate).then("three")).reply("Four.");
    let owner = stage.owner();
    let mut stream = owner.say(json!({ "message": "Count" })).await;
    let mut events = stream.take(3).await;
    assert_eq!(text(&events), "One two ");
    let turn = events[0].field("turnId").to_owned();
    assert_eq!(owner.stop(&turn).await.json(), json!({ "stopped": true }));
    events.extend(stream.rest().await);
    assert_eq!(kinds(&events), ["metadata", "token", "usage", "done"]);
    assert_eq!(events.last().unwrap().data["stopReason"], "stopped");
    stage.model.hung_up(1).await;
    assert_eq!(owner.stop(&turn).await.json(), json!({ "stopped": false }));

    let conversation = events[0].field("conversationId");
    let messages = owner.messages(conversation).await;
    assert_eq!((&messages[1]["content"], &messages[1]["status"]), (&json!("One two "), &json!("partial")));
    assert_eq!(messages[1]["stopReason"], "stopped");

    // The conversation continues with the partial answer.
    owner.ask("Go on").await;
    assert_eq!(sent(&stage.model.last_chat())[2], ("assistant".into(), "One two ".into()));
}

#[tokio::test]
async fn an_answer_without_a_word_is_told_as_one() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    for (reply, expected) in [
        (ScriptedReply::empty(), "before the first word"),
        (ScriptedReply::text(" \n\n"), "before the first word"),
        (ScriptedReply::empty().reasoning("Let me see."), "before the first word"),
    ] {
        stage.model.reply(reply);
        let events = owner.ask("Who are you?").await;
        let last = events.last().unwrap();
        assert_eq!((last.field("type"), last.field("code")), ("error", "modelFailed"), "{events:?}");
        assert!(last.field("message").contains(expected), "{events:?}");
        assert!(last.field("message").contains("is kept"), "{events:?}");
    }
    // The same in the terminal and for programs.
    stage.model.reply(ScriptedReply::empty());
    let said = stage.run(&["chat", "Who are you?"]).await;
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("before the first word"), "{said:?}");
    stage.model.reply(ScriptedReply::empty());
    let answer = owner.post("/api/chat", json!({ "message": "Who are you?" })).await;
    assert_eq!(answer.refusal(), (502, "modelFailed".into()));
    stage.model.reply(ScriptedReply::empty());
    let body = json!({ "model": "luna", "messages": [{ "role": "user", "content": "Who are you?" }] });
    let answer = owner.post("/v1/chat/completions", body).await;
    assert!(answer.status >= 500 && answer.text().contains("before the first word"), "{}", answer.text());

    // The turn can be retried, and the error message is not part of the conversation.
    stage.model.reply("I am Luna.");
    let events = owner.ask("Once more: who are you?").await;
    assert_eq!(text(&events), "I am Luna.");
    assert!(!stage.model.last_chat().to_string().contains("first word"));
}

#[tokio::test]
async fn stop_before_the_first_word_ends_the_turn() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::hangs()).reply(ScriptedReply::empty().wait(&gate)).reply("Here.");
    let owner = stage.owner();
    for asked in 1..=2 {
        let mut stream = owner.say(json!({ "message": "Hello?" })).await;
        let metadata = stream.until("metadata").await[0].clone();
        stage.model.asked(asked).await;
        owner.stop(metadata.field("turnId")).await.json();
        let events = stream.rest().await;
        assert_eq!(kinds(&events), ["usage", "done"]);
        assert_eq!(events.last().unwrap().data["stopReason"], "stopped");
        stage.model.hung_up(asked).await;
    }
    assert_eq!(text(&owner.ask("Are you there?").await), "Here.");
}

#[tokio::test]
async fn two_messages_to_one_conversation_are_answered_in_order() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage
        .model
        .reply(ScriptedReply::chunks(["The first "]).wait(&gate).then("answer."))
        .reply("The second answer.");
    let owner = stage.owner();
    let mut first = owner.say(json!({ "message": "First" })).await;
    let conversation = first.until("token").await[0].data["conversationId"].clone();
    // The second message is acknowledged, and thus stored, while the first is still being answered.
    let mut second = owner.say(json!({ "message": "Second", "conversationId": conversation })).await;
    second.until("metadata").await;
    assert_eq!(stage.model.chats().len(), 1, "the second has to wait");
    gate.open();
    assert_eq!(first.rest().await.last().unwrap().kind(), "done");
    assert_eq!(text(&second.rest().await), "The second answer.");

    let prompt = sent(&stage.model.last_chat());
    let roles: Vec<&str> = prompt.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert!(prompt[1].1.ends_with("First"));
    assert_eq!(prompt[2].1, "The first answer.", "the second question was asked with the first answer");
    assert!(prompt[3].1.ends_with("Second"));
}

#[tokio::test]
async fn a_message_that_waits_can_be_taken_back() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage
        .model
        .reply(ScriptedReply::chunks(["The first "]).wait(&gate).then("answer."))
        .reply("The third answer.");
    let owner = stage.owner();
    let mut first = owner.say(json!({ "message": "First" })).await;
    let conversation = first.until("token").await[0].data["conversationId"].clone();
    let mut second = owner.say(json!({ "message": "Second", "conversationId": conversation })).await;
    let turn = second.until("metadata").await[0].field("turnId").to_owned();
    let third = owner.say(json!({ "message": "Third", "conversationId": conversation })).await;
    owner.stop(&turn).await.json();
    let ended = second.rest().await;
    assert_eq!(ended.last().unwrap().data["stopReason"], "stopped", "it ends at once, not after the first");
    assert_eq!(stage.model.chats().len(), 1, "the third still waits for the first");
    gate.open();
    assert_eq!(text(&third.rest().await), "The third answer.");
    let prompt = sent(&stage.model.last_chat());
    assert_eq!(prompt[2].1, "The first answer.");
    assert!(prompt[3].1.contains("Second") && prompt[3].1.ends_with("Third"), "{prompt:?}");
    drop(first);
}

#[tokio::test]
async fn conversations_do_not_wait_for_each_other() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.when(
        |request| request.json().to_string().contains("slow"),
        ScriptedReply::chunks(["Wait"]).wait(&gate),
    );
    stage.model.otherwise("Quick.");
    let owner = stage.owner();
    let mut slow = owner.say(json!({ "message": "slow" })).await;
    slow.until("token").await;
    owner.post("/api/chats/new", json!({})).await.json();
    assert_eq!(text(&owner.ask("other").await), "Quick.");
    gate.open();
    slow.rest().await;
}

#[tokio::test]
async fn a_message_sent_twice_over_a_bad_line_is_one_turn() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::chunks(["Once "]).wait(&gate).then("only."));
    let owner = stage.owner();
    let body = json!({ "message": "Hello", "clientMessageId": "7c1e" });
    let mut first = owner.say(body.clone()).await;
    let mut events = first.until("token").await;
    let second = owner.say(body.clone()).await;
    gate.open();
    events.extend(first.rest().await);
    assert_eq!(second.rest().await, events, "while it runs");
    assert_eq!(owner.say(body.clone()).await.rest().await, events, "after it ended");
    assert_eq!(owner.messages(events[0].field("conversationId")).await.len(), 2);
    assert_eq!(stage.model.chats().len(), 1);
    // The same client message id of another user is independent.
    let ben = stage.person("Ben").await;
    let bens = ben.say(body).await.rest().await;
    assert_ne!(bens[0].field("turnId"), events[0].field("turnId"));
}

#[tokio::test]
async fn messages_sent_at_once_to_nowhere_meet_in_one_conversation() {
    let stage = Stage::start().await;
    stage.model.otherwise("Yes.");
    let owner = stage.owner();
    let asked = (0..6).map(|number| {
        let owner = owner.clone();
        async move { owner.ask(&format!("Message {number}")).await }
    });
    let turns = futures_util::future::join_all(asked).await;
    let conversation = turns[0][0].field("conversationId");
    assert!(turns.iter().all(|events| events[0].field("conversationId") == conversation));
    assert_eq!(owner.messages(conversation).await.len(), 12);
}

#[tokio::test]
async fn another_answer_stands_beside_the_first() {
    let stage = Stage::start().await;
    stage.model.replies(["First answer.", "Second answer.", "After the second.", "After the first."]);
    let owner = stage.owner();
    let first = owner.ask("Question").await;
    let conversation = first[0].field("conversationId").to_owned();
    let answer = first[0].data["messageId"].clone();
    let anew = regenerate(&owner, &conversation, &answer).await;
    assert_eq!(text(&anew), "Second answer.");
    assert_ne!(anew[0].data["messageId"], answer);
    let prompts = stage.model.chats();
    assert_eq!(
        prompts[0].json()["messages"],
        prompts[1].json()["messages"],
        "the same question, word for word"
    );

    let messages = owner.messages(&conversation).await;
    assert_eq!(messages[1]["content"], "Second answer.");
    assert_eq!(messages[1]["siblings"], json!([answer, anew[0].data["messageId"]]));
    owner.ask("And then?").await;
    assert_eq!(sent(&stage.model.last_chat())[2].1, "Second answer.");

    // Switches back to the first branch and continues there.
    let path = format!("/api/chats/{conversation}/branch");
    let view = owner.post(&path, json!({ "messageId": answer })).await.json();
    let shown: Vec<&str> =
        view["messages"].as_array().unwrap().iter().map(|m| m["content"].as_str().unwrap()).collect();
    assert_eq!(shown, ["Question", "First answer."]);
    owner.ask("And then?").await;
    assert_eq!(sent(&stage.model.last_chat())[2].1, "First answer.");
    assert_eq!(sent(&stage.model.last_chat()).len(), 4, "the other branch is not in this prompt");

    // A message of another conversation cannot be used here.
    owner.post("/api/chats/new", json!({})).await.json();
    let elsewhere = owner.ask("Elsewhere").await;
    let path = format!("/api/chats/{conversation}/regenerate");
    let refused = owner.post(&path, json!({ "messageId": elsewhere[0].field("messageId") })).await;
    assert_eq!(refused.refusal(), (404, "notFound".into()));
    assert_eq!(owner.messages(elsewhere[0].field("conversationId")).await.len(), 2);
}

#[tokio::test]
async fn an_edited_message_begins_a_branch_that_can_be_left() {
    let stage = Stage::start().await;
    stage.model.replies(["About cats.", "More cats.", "About dogs."]);
    let owner = stage.owner();
    let first = owner.ask("Tell me about cats").await;
    let conversation = first[0].field("conversationId").to_owned();
    let question = first[0].data["userMessageId"].clone();
    owner.ask("More").await;
    let edited = owner.say(json!({ "message": "Tell me about dogs", "editOf": question })).await.rest().await;
    assert_eq!(edited[0].field("conversationId"), conversation);
    let prompt = sent(&stage.model.last_chat());
    assert_eq!(prompt.len(), 2, "nothing of the old branch: {prompt:?}");
    assert!(prompt[1].1.ends_with("Tell me about dogs"));

    let contents = |view: &Value| -> Vec<String> {
        view["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["content"].as_str().unwrap().to_owned())
            .collect()
    };
    let view = owner.view(&conversation).await;
    assert_eq!(contents(&view), ["Tell me about dogs", "About dogs."]);
    assert_eq!(view["messages"][0]["siblings"], json!([question, edited[0].data["userMessageId"]]));
    let path = format!("/api/chats/{conversation}/branch");
    let back = owner.post(&path, json!({ "messageId": question })).await.json();
    assert_eq!(
        contents(&back),
        ["Tell me about cats", "About cats.", "More", "More cats."],
        "down to its newest leaf"
    );
    assert_eq!(contents(&owner.view(&conversation).await), contents(&back), "it stays so");

    let answer = first[0].data["messageId"].clone();
    let refused = owner.post("/api/chat", json!({ "message": "x", "editOf": answer })).await;
    assert_eq!(refused.refusal(), (409, "conflict".into()), "her words are hers");
}

#[tokio::test]
async fn a_message_without_an_address_goes_to_the_open_conversation() {
    let mut stage = Setup::new().await.start().await;
    stage.model.otherwise("Yes.");
    let owner = stage.owner();
    let of = |events: &[Event]| events[0].field("conversationId").to_owned();
    let first = of(&owner.ask("One").await);
    assert_eq!(of(&owner.ask("Two").await), first);
    let second = owner.post("/api/chats/new", json!({ "title": "Mine" })).await.json();
    assert_eq!(second["id"], json!(of(&owner.ask("Three").await)));
    let loaded = owner.post("/api/chats/load", json!({ "id": first })).await.json();
    assert_eq!(loaded["messages"].as_array().unwrap().len(), 4);
    let whole = owner.post("/api/chat", json!({ "message": "Four" })).await.json();
    assert_eq!(whole["conversationId"], json!(first));
    assert_eq!(owner.get("/api/chats").await.json()["current"], json!(first));

    // Viewing another conversation does not open it; nor does sending a message to it by id.
    owner.view(second["id"].as_str().unwrap()).await;
    owner.ask_in(&second["id"], "Five").await;
    assert_eq!(of(&owner.ask("Six").await), first);

    stage.stop().await;
    stage.start_server().await;
    let owner = stage.owner();
    assert_eq!(of(&owner.ask("Seven").await), first, "also after a restart");
    owner.post("/api/chat/clear", json!({})).await.json();
    assert_eq!(owner.get("/api/chats").await.json()["current"], Value::Null);
    let third = of(&owner.ask("Eight").await);
    assert!(third != first && json!(third) != second["id"]);

    // A deleted conversation receives no more messages.
    owner.delete(&format!("/api/chats/{third}")).await;
    assert_ne!(of(&owner.ask("Nine").await), third);
    let refused = owner.post("/api/chat", json!({ "message": "a", "conversationId": third })).await;
    assert_eq!(refused.refusal(), (404, "notFound".into()));
}

#[tokio::test]
async fn many_conversations_at_once_lose_nothing() {
    let stage = Stage::start().await;
    let words: Vec<String> = (0..60).map(|number| format!("w{number} ")).collect();
    stage.model.otherwise(ScriptedReply::chunks(words.clone()));
    let owner = stage.owner();
    let turns = (0..30).map(|_| {
        let owner = owner.clone();
        async move {
            let chat = owner.post("/api/chats/new", json!({})).await.json();
            owner.ask_in(&chat["id"], "Count").await
        }
    });
    for events in futures_util::future::join_all(turns).await {
        assert_eq!(text(&events), words.concat());
        assert_eq!(kinds(&events), ["metadata", "token", "usage", "done"]);
    }
}

#[tokio::test]
async fn another_answer_waits_for_the_one_that_is_being_given() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage
        .model
        .reply("First.")
        .reply(ScriptedReply::chunks(["Second "]).wait(&gate).then("answer."))
        .reply("Third.");
    let owner = stage.owner();
    let first = owner.ask("One").await;
    let conversation = first[0].field("conversationId").to_owned();
    let mut second = owner.say(json!({ "message": "Two" })).await;
    second.until("token").await;
    let request = owner.request(Method::POST, &format!("/api/chats/{conversation}/regenerate"));
    let mut anew = owner.open(request.json(&json!({ "messageId": first[0].field("messageId") }))).await;
    anew.until("metadata").await;
    assert_eq!(stage.model.chats().len(), 2);
    gate.open();
    assert_eq!(text(&anew.rest().await), "Third.");
    assert_eq!(second.rest().await.last().unwrap().data["stopReason"], "end");
}

#[tokio::test]
async fn a_conversation_deleted_in_mid_answer_stops_it_and_keeps_what_came() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::chunks(["One "]).wait(&gate).then("two."));
    let owner = stage.owner();
    let mut stream = owner.say(json!({ "message": "Count" })).await;
    let conversation = stream.until("token").await[0].field("conversationId").to_owned();
    let waiting = owner.say(json!({ "message": "And then?", "conversationId": conversation })).await;
    owner.delete(&format!("/api/chats/{conversation}")).await.json();
    for stream in [stream, waiting] {
        assert_eq!(stream.rest().await.last().unwrap().data["stopReason"], "stopped");
    }
    stage.model.hung_up(1).await;
    assert_eq!(stage.model.chats().len(), 1, "nothing more is asked for it");
    owner.post(&format!("/api/chats/{conversation}/restore"), json!({})).await.json();
    let messages = owner.messages(&conversation).await;
    assert_eq!(messages[1]["content"], "One ", "what came is there if it is wanted");
    assert_eq!(messages[2]["content"], "And then?");
}

#[tokio::test]
async fn a_client_that_hangs_up_at_once_finds_its_message_answered() {
    let stage = Stage::start().await;
    stage.model.otherwise("An answer.");
    let owner = stage.owner();
    for round in 0..40 {
        let say =
            owner.say(json!({ "message": format!("Round {round}"), "clientMessageId": format!("m{round}") }));
        // From shortly before the message arrives until after its answer has begun.
        tokio::time::timeout(Duration::from_micros(150 * round), say).await.ok();
    }
    let view = owner.get("/api/chats").await.json();
    let conversation =
        view["chats"][0]["id"].as_str().expect("the messages met in one conversation").to_owned();
    owner.ask("The last").await;
    let view = owner.view(&conversation).await;
    assert_eq!(view["live"], Value::Null, "nothing is left half begun");
    let messages = view["messages"].as_array().unwrap();
    for (question, answer) in messages.iter().step_by(2).zip(messages.iter().skip(1).step_by(2)) {
        assert_eq!(answer["status"], "complete", "{question}");
        assert_eq!(answer["content"], "An answer.", "{question}");
    }
}
