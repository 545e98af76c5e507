//! Misbehaving model servers: a clear error each time, the message kept, and the server alive.

use serde_json::{Value, json};
use testkit::{Gate, ScriptedReply};

use crate::support::{Setup, kinds, soon, text};

struct Fault {
    name: &'static str,
    reply: ScriptedReply,
    code: &'static str,
    /// Text that the error must contain.
    says: &'static str,
    /// The part of the answer that is kept; empty if the turn failed.
    kept: &'static str,
}

fn faults() -> Vec<Fault> {
    let fault = |name, reply, code, says, kept| Fault { name, reply, code, says, kept };
    vec![
        fault("a web page", ScriptedReply::html(), "modelUnreachable", "sent a web page", ""),
        fault(
            "hangs",
            ScriptedReply::hangs(),
            "modelUnreachable",
            "has not begun to answer within 1 seconds",
            "",
        ),
        fault(
            "begins and hangs",
            ScriptedReply::chunks(["Hello "]).then_silence(),
            "modelUnreachable",
            "sent nothing for 1 seconds",
            "Hello ",
        ),
        fault(
            "drops mid-word",
            ScriptedReply::chunks(["Hello wor"]).cut(),
            "modelUnreachable",
            "broke in the middle",
            "Hello wor",
        ),
        fault(
            "ends mid-word",
            ScriptedReply::chunks(["Hello wor"]).truncated(),
            "modelUnreachable",
            "broke in the middle",
            "Hello wor",
        ),
        fault("drops before a word", ScriptedReply::empty().cut(), "modelUnreachable", "does not answer", ""),
        fault(
            "500",
            ScriptedReply::status(500, r#"{"error":{"message":"out of memory"}}"#),
            "modelFailed",
            "out of memory",
            "",
        ),
        fault("500 without words", ScriptedReply::status(500, ""), "modelFailed", "failed", ""),
        fault("503", ScriptedReply::status(503, "{}"), "modelUnreachable", "not ready", ""),
        fault("404", ScriptedReply::status(404, "{}"), "modelFailed", "no model named", ""),
        fault("401", ScriptedReply::status(401, "{}"), "modelFailed", "llm.api_key", ""),
        fault("429", ScriptedReply::status(429, "{}"), "modelFailed", "no more requests", ""),
        fault(
            "nonsense",
            ScriptedReply::empty().raw("data: {nonsense\n\n"),
            "modelUnreachable",
            "not a model's answer",
            "",
        ),
        fault(
            "nonsense in the middle",
            ScriptedReply::chunks(["Hello "]).raw("data: {nonsense\n\n"),
            "modelUnreachable",
            "became unreadable",
            "Hello ",
        ),
        fault(
            "not even text",
            ScriptedReply::empty().raw(b"\xff\xfe\x00\x01".repeat(64)).truncated(),
            "modelUnreachable",
            "sent an empty answer",
            "",
        ),
        fault(
            "an error in the stream",
            ScriptedReply::chunks(["Hello "]).raw("data: {\"error\":{\"message\":\"slot lost\"}}\n\n"),
            "modelFailed",
            "slot lost",
            "Hello ",
        ),
    ]
}

#[tokio::test]
async fn whatever_the_model_server_does_the_message_is_kept() {
    let settings = "retries = 0\ntimeout_seconds = 1\nfirst_token_timeout_seconds = 1";
    let stage = Setup::new().await.llm(settings).start().await;
    let owner = stage.owner();
    for Fault { name, reply, code, says, kept } in faults() {
        owner.post("/api/chats/new", json!({})).await.json();
        stage.model.reply(reply).reply("Better.");
        let events = owner.ask("Is anybody there?").await;
        let last = events.last().unwrap();
        assert_eq!((last.kind(), last.field("code")), ("error", code), "{name}: {events:?}");
        assert!(last.field("message").contains(says), "{name}: {}", last.field("message"));
        assert!(last.field("message").contains("127.0.0.1"), "{name}: it says whose fault it is");
        let tells = if kept.is_empty() { "Your message is kept" } else { "The answer so far is kept" };
        assert!(last.field("message").contains(tells), "{name}: {}", last.field("message"));
        assert_eq!(text(&events), kept, "{name}");

        let conversation = events[0].field("conversationId").to_owned();
        let messages = owner.messages(&conversation).await;
        assert_eq!(
            (&messages[0]["content"], &messages[0]["status"]),
            (&json!("Is anybody there?"), &json!("complete")),
            "{name}"
        );
        let answer = &messages[1];
        assert_eq!(answer["content"], json!(kept), "{name}");
        assert_eq!((&answer["errorCode"], &answer["error"]), (&json!(code), &last.data["message"]), "{name}");
        let (status, stop) =
            if kept.is_empty() { ("failed", Value::Null) } else { ("partial", json!("cut")) };
        assert_eq!((&answer["status"], &answer["stopReason"]), (&json!(status), &stop), "{name}");

        // The next message is answered, with a prompt that every template accepts: user and assistant alternate.
        assert_eq!(text(&owner.ask("And now?").await), "Better.", "{name}");
        let prompt = stage.model.last_chat();
        let roles: Vec<_> =
            prompt["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
        let expected: &[&str] =
            if kept.is_empty() { &["system", "user"] } else { &["system", "user", "assistant", "user"] };
        assert_eq!(roles, expected, "{name}");
        assert!(prompt.to_string().contains("Is anybody there?"), "{name}");
    }
    assert!(stage.is_alive().await);
}

#[tokio::test]
async fn a_model_that_never_ends_can_be_stopped_and_ends_by_itself() {
    let stage = Setup::new().await.llm("num_predict = 1000000").start().await;
    stage
        .model
        .reply(ScriptedReply::empty().endless("on and on "))
        .reply(ScriptedReply::empty().endless("and on "));
    let owner = stage.owner();
    let mut stream = owner.say(json!({ "message": "Talk" })).await;
    let metadata = stream.take(50).await[0].clone();
    assert_eq!(owner.stop(metadata.field("turnId")).await.json()["stopped"], true);
    let rest = stream.rest().await;
    assert_eq!(rest.last().unwrap().data["stopReason"], "stopped");
    stage.model.hung_up(1).await;

    owner.patch("/api/config", json!({ "llm.num_predict": 64 })).await.json();
    owner.post("/api/chats/new", json!({})).await.json();
    let events = owner.ask("Talk again").await;
    assert_eq!(events.last().unwrap().data["stopReason"], "length", "far more than was asked for is enough");
    assert!(text(&events).len() < 20_000);
    assert!(stage.is_alive().await);
}

#[tokio::test]
async fn a_server_that_is_gone_is_named_and_can_come_back() {
    let mut stage = Setup::new().await.llm("retries = 0").start().await;
    let owner = stage.owner();
    assert_eq!(kinds(&owner.ask("Hello").await).last(), Some(&"done"));
    let url = stage.model.url();
    stage.model.stop().await;
    let events = owner.ask("Still there?").await;
    let last = events.last().unwrap();
    assert_eq!((last.kind(), last.field("code")), ("error", "modelUnreachable"));
    assert!(
        last.field("message").contains(&url) && last.field("message").contains("Settings"),
        "{}",
        last.data
    );

    // Another model server takes its place.
    stage.model = testkit::ScriptedModel::start().await;
    stage.model.reply("Yes.");
    let base_url = format!("{}/v1", stage.model.url());
    owner.patch("/api/config", json!({ "llm.base_url": base_url })).await.json();
    assert_eq!(text(&owner.ask("And now?").await), "Yes.");
}

#[tokio::test]
async fn a_server_that_is_down_at_the_start_is_used_once_it_is_up() {
    // The port is free again when it stops, but no other process can bind it meanwhile.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    let setup = Setup::new().await;
    let settings =
        format!("[llm]\nbase_url = \"http://{address}/v1\"\nretries = 0\n[chat]\ntitle = \"words\"\n");
    let stage = setup.start_with(&settings).await;
    let owner = stage.owner();
    let events = owner.ask("Hello?").await;
    assert_eq!(events.last().unwrap().data["code"], "modelUnreachable", "{events:?}");

    let listener = socket.listen(16).unwrap();
    let upstream = stage.model.url().strip_prefix("http://").unwrap().to_owned();
    let relay = tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            let upstream = upstream.clone();
            tokio::spawn(async move {
                let mut far = tokio::net::TcpStream::connect(upstream).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
            });
        }
    });
    stage.model.reply("Here I am.");
    assert_eq!(text(&owner.ask("Now?").await), "Here I am.");
    relay.abort();
}

#[tokio::test]
async fn without_any_model_she_starts_answers_what_needs_none_and_says_what_to_do() {
    let stage = Setup::new().await.start_with("").await;
    let owner = stage.owner();
    let time = owner.ask("What time is it?").await;
    assert_eq!(kinds(&time).last(), Some(&"done"));
    assert!(text(&time).starts_with("It is "), "{}", text(&time));
    assert!(text(&owner.ask("what is 6 * 7?").await).contains("42"));

    let events = owner.ask("Who are you?").await;
    let last = events.last().unwrap();
    assert_eq!((last.kind(), last.field("code")), ("error", "noModel"));
    let words = last.field("message");
    assert!(words.contains("perigee models") || words.contains("Settings"), "it says what to do: {words}");
    let messages = owner.messages(events[0].field("conversationId")).await;
    assert_eq!(messages[messages.len() - 2]["content"], "Who are you?");

    let models = owner.get("/api/models").await.json();
    assert_eq!(models["current"]["state"], "none");
    assert!(!models["catalogue"].as_array().unwrap().is_empty());
    let refused = owner
        .post(
            "/v1/chat/completions",
            json!({ "model": "luna", "messages": [{ "role": "user", "content": "Hi" }] }),
        )
        .await;
    assert_eq!(refused.status, 503);
    assert!(refused.text().contains("\"error\""), "{}", refused.text());
    for path in ["/api/chats", "/api/config", "/api/processes", "/metrics", "/v1/models"] {
        assert_eq!(owner.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_cut_model_file_is_told_as_that() {
    let setup = Setup::new().await;
    setup.home.write("models/half.gguf", b"GGUF\x03\0\0\0 and then nothing");
    let stage = setup.start_with("[llm]\nprovider = \"embedded\"\nmodel = \"half.gguf\"\n").await;
    let owner = stage.owner();
    let events = soon("an error", owner.ask("Hello")).await;
    let last = events.last().unwrap();
    assert_eq!(last.kind(), "error", "{events:?}");
    assert!(last.field("message").contains("half"), "it names the file: {}", last.field("message"));
    assert!(stage.is_alive().await);
    assert!(text(&owner.ask("What time is it?").await).starts_with("It is "));
}

#[tokio::test]
async fn a_client_that_does_not_read_hurts_nobody() {
    let stage = Setup::new().await.llm("num_predict = 1000000").start().await;
    let gate = Gate::closed();
    let piece = "word ".repeat(800);
    stage.model.reply(ScriptedReply::chunks(vec![piece; 3000]).wait(&gate).then("end"));
    let owner = stage.owner();
    let mut slow = owner.say(json!({ "message": "Much" })).await;
    let turn = slow.until("metadata").await[0].field("turnId").to_owned();
    // From here on `slow` reads nothing, while twelve megabytes are streamed.
    let mut other = owner.resume(&turn, None).await;
    other.take(3000).await;
    owner.post("/api/chats/new", json!({})).await.json();
    stage.model.reply("Quick.");
    assert_eq!(text(&owner.ask("And you?").await), "Quick.");
    gate.open();
    assert_eq!(other.rest().await.last().unwrap().kind(), "done");
    // When it reads again, it receives everything.
    let late = slow.rest().await;
    assert!(text(&late).ends_with("end"));
    assert_eq!(late.last().unwrap().kind(), "done");
}
