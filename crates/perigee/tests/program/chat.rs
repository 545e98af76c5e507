//! One turn over HTTP, and all requests that are not a valid one.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Flavour, ScriptedReply, SseParser};

use crate::support::{Client, NOBODY, Setup, Stage, kinds, raw_request, text};

#[tokio::test]
async fn a_turn_is_a_well_formed_stream_of_events() {
    let stage = Stage::start().await;
    stage.model.reply(
        ScriptedReply::chunks(["<think>", "It is ", "late.</think>\n\nGood ", "evening, ", "Ada. 🌙"])
            .usage(40, 12, 5),
    );
    let owner = stage.owner();
    let request = owner.request(Method::POST, "/api/chat/stream").json(&json!({ "message": "Good evening" }));
    let answer = owner.send(request).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let wire = String::from_utf8(answer.body.clone()).unwrap();
    assert!(wire.ends_with("\n\n") && !wire.contains('\r'));
    for block in wire.split_terminator("\n\n").filter(|block| !block.starts_with(':')) {
        let (id, data) = block.split_once('\n').unwrap();
        assert!(id.starts_with("id: ") && data.starts_with("data: {") && !data.contains('\n'), "{block:?}");
    }

    let events = SseParser::default().push(&answer.body);
    let data: Vec<Value> = events.iter().map(testkit::SseEvent::json).collect();
    let turn = data[0]["turnId"].as_str().unwrap();
    for (place, event) in events.iter().enumerate() {
        assert_eq!(event.id.as_deref(), Some(format!("{turn}:{}", place + 1).as_str()));
    }
    assert_eq!(data[0]["type"], "metadata");
    for key in ["conversationId", "turnId", "userMessageId", "messageId"] {
        assert_eq!(data[0][key].as_str().unwrap().len(), 13, "{}", data[0]);
    }
    let joined = |kind: &str| -> String {
        data.iter()
            .filter(|event| event["type"] == kind)
            .map(|event| event["content"].as_str().unwrap())
            .collect()
    };
    assert_eq!(joined("reasoning"), "It is late.");
    assert_eq!(joined("token"), "Good evening, Ada. 🌙");
    let mut order: Vec<_> = data.iter().map(|event| event["type"].as_str().unwrap()).collect();
    order.dedup();
    assert_eq!(order, ["metadata", "reasoning", "token", "usage", "done"]);
    let usage = &data[data.len() - 2];
    assert_eq!(
        (&usage["promptTokens"], &usage["cachedTokens"], &usage["completionTokens"]),
        (&json!(40), &json!(12), &json!(5))
    );
    let done = data.last().unwrap();
    assert_eq!(done["conversationId"], data[0]["conversationId"]);
    assert_eq!((&done["messageId"], &done["stopReason"]), (&data[0]["messageId"], &json!("end")));

    // The stored messages must match the streamed ones.
    let messages = owner.messages(data[0]["conversationId"].as_str().unwrap()).await;
    assert_eq!(messages.len(), 2);
    assert_eq!((&messages[0]["role"], &messages[0]["content"]), (&json!("user"), &json!("Good evening")));
    assert_eq!(messages[1]["content"], "Good evening, Ada. 🌙");
    assert_eq!(messages[1]["reasoning"], "It is late.");
    assert_eq!((&messages[1]["status"], &messages[1]["id"]), (&json!("complete"), &data[0]["messageId"]));
    assert_eq!(messages[1]["model"], "scripted");
    let mut kept = messages[1]["usage"].clone();
    kept["type"] = json!("usage");
    assert_eq!(kept, *usage, "what it cost is told again to whoever opens it later");
    assert!(usage["reasoningMs"].is_u64() && messages[0]["usage"].is_null());

    let why = owner.get(&format!("/api/chat/turns/{turn}/why")).await.json();
    assert_eq!(why["model"], "scripted");
    let shown: Vec<_> =
        why["fragments"].as_array().unwrap().iter().map(|part| part["kind"].as_str().unwrap()).collect();
    assert_eq!(shown.first(), Some(&"soul"));
    assert_eq!(shown.last(), Some(&"user"));
    assert_eq!(why["usage"]["promptTokens"], 40);
}

#[tokio::test]
async fn keys_of_the_originals_are_understood() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let first = owner.ask("One").await;
    let (conversation, question) = (first[0].field("conversationId"), first[0].field("userMessageId"));
    owner.post("/api/chats/new", json!({})).await.json();
    let second = owner
        .say(json!({ "message": "Two", "conversation_id": conversation, "client_message_id": "c-1" }))
        .await
        .rest()
        .await;
    assert_eq!(second[0].field("conversationId"), conversation);
    let again = owner
        .say(json!({ "message": "Two", "conversation_id": conversation, "client_message_id": "c-1" }))
        .await
        .rest()
        .await;
    assert_eq!(again, second);
    let edited = owner.say(json!({ "message": "Uno", "edit_of": question })).await.rest().await;
    assert_eq!(edited[0].field("conversationId"), conversation);
    let path = format!("/api/chats/{conversation}");
    let branch = owner.post(&format!("{path}/branch"), json!({ "message_id": question })).await.json();
    assert_eq!(branch["messages"][0]["content"], "One");
    let request = owner.request(Method::POST, &format!("{path}/regenerate"));
    let anew =
        owner.open(request.json(&json!({ "message_id": first[0].field("messageId") }))).await.rest().await;
    assert_eq!(kinds(&anew).last(), Some(&"done"));
    let stopped = owner.post("/api/chat/stop", json!({ "turn_id": first[0].field("turnId") })).await.json();
    assert_eq!(stopped["stopped"], false);
}

#[tokio::test]
async fn the_same_turn_can_be_had_in_one_piece() {
    let stage = Stage::start().await;
    stage.model.reply("All of it.").reply(ScriptedReply::status(500, "{}"));
    let owner = stage.owner();
    let whole = owner.post("/api/chat", json!({ "message": "Tell me" })).await.json();
    assert_eq!(whole["response"], "All of it.");
    let messages = owner.messages(whole["conversationId"].as_str().unwrap()).await;
    assert_eq!(messages[1]["id"], whole["messageId"]);
    let events = owner.resume(whole["turnId"].as_str().unwrap(), None).await.rest().await;
    assert_eq!(text(&events), "All of it.");

    let failed = owner.post("/api/chat", json!({ "message": "And now?" })).await;
    assert_eq!(failed.refusal(), (502, "modelFailed".into()));
    let messages = owner.messages(whole["conversationId"].as_str().unwrap()).await;
    assert_eq!(messages[2]["content"], "And now?", "the message is kept");
    assert_eq!(messages[3]["status"], "failed");
}

fn upload(name: &str, mime: &str, data: &[u8]) -> Value {
    json!({ "name": name, "mime": mime, "data": STANDARD.encode(data) })
}

async fn post_bytes(client: &Client, path: &str, body: Vec<u8>) -> (u16, String) {
    let request =
        client.request(Method::POST, path).header("content-type", "application/json; charset=utf-8");
    client.send(request.body(body)).await.refusal()
}

#[tokio::test]
async fn what_cannot_be_a_message_is_refused_in_words() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let small = upload("a.txt", "text/plain", b"a");
    let long = "x".repeat(256 * 1024 + 1);
    let large = upload("film.bin", "application/octet-stream", &vec![0; 16 * 1024 * 1024 + 1]);
    let cases: [(&str, Vec<u8>, u16, &str); 18] = [
        ("broken", b"{".to_vec(), 400, "badRequest"),
        ("cut in a string", b"{\"message\": \"Hel".to_vec(), 400, "badRequest"),
        ("not UTF-8", b"{\"message\": \"\xff\xfe\"}".to_vec(), 400, "badRequest"),
        ("half a surrogate", br#"{"message": "\ud800"}"#.to_vec(), 400, "badRequest"),
        ("not JSON", b"hello".to_vec(), 400, "badRequest"),
        ("two documents", br#"{"message": "a"} {"message": "b"}"#.to_vec(), 400, "badRequest"),
        ("a list", b"[]".to_vec(), 400, "badRequest"),
        ("deep", [b"[".repeat(200_000), b"]".repeat(200_000)].concat(), 400, "badRequest"),
        ("nothing", Vec::new(), 400, "badRequest"),
        ("no message", b"{}".to_vec(), 400, "badRequest"),
        ("a number", br#"{"message": 5}"#.to_vec(), 400, "badRequest"),
        ("empty", br#"{"message": ""}"#.to_vec(), 400, "badRequest"),
        ("white", br#"{"message": " \n\t "}"#.to_vec(), 400, "badRequest"),
        ("not an id", br#"{"message": "a", "conversationId": "abc"}"#.to_vec(), 400, "badRequest"),
        ("too long", json!({ "message": long }).to_string().into_bytes(), 413, "tooLarge"),
        (
            "too many files",
            json!({ "message": "a", "attachments": vec![small; 11] }).to_string().into_bytes(),
            413,
            "tooLarge",
        ),
        (
            "too large a file",
            json!({ "message": "a", "attachments": [large] }).to_string().into_bytes(),
            413,
            "tooLarge",
        ),
        (
            "not base 64",
            br#"{"message": "a", "attachments": [{"name": "a", "mime": "b", "data": "%%%"}]}"#.to_vec(),
            400,
            "badRequest",
        ),
    ];
    for path in ["/api/chat/stream", "/api/chat"] {
        for (name, body, status, code) in &cases {
            assert_eq!(
                post_bytes(&owner, path, body.clone()).await,
                (*status, (*code).into()),
                "{path}: {name}"
            );
        }
    }
    let broken = owner
        .send(
            owner
                .request(Method::POST, "/api/chat")
                .header("content-type", "application/json")
                .body("{\n  5}"),
        )
        .await;
    assert!(broken.text().contains("line 2 column"), "{}", broken.text());
    assert_eq!(owner.get("/api/chats").await.json()["chats"], json!([]), "nothing of all this is kept");
    assert!(stage.model.chats().is_empty());
    assert_eq!(kinds(&owner.ask("Still there?").await).last(), Some(&"done"));
}

#[tokio::test]
async fn ids_that_nothing_has_are_not_found() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let id = NOBODY;
    let doors: [(&str, String, Value); 14] = [
        ("POST", "/api/chat/stream".into(), json!({ "message": "a", "conversationId": id })),
        ("POST", "/api/chat/stream".into(), json!({ "message": "a", "editOf": id })),
        ("POST", "/api/chat".into(), json!({ "message": "a", "conversationId": id })),
        ("POST", "/api/chat/stop".into(), json!({ "turnId": id })),
        ("POST", "/api/chats/load".into(), json!({ "id": id })),
        ("GET", format!("/api/chat/turns/{id}"), Value::Null),
        ("GET", format!("/api/chat/turns/{id}/why"), Value::Null),
        ("GET", format!("/api/chats/{id}"), Value::Null),
        ("PATCH", format!("/api/chats/{id}"), json!({ "title": "a" })),
        ("DELETE", format!("/api/chats/{id}"), Value::Null),
        ("POST", format!("/api/chats/{id}/restore"), json!({})),
        ("POST", format!("/api/chats/{id}/branch"), json!({ "messageId": id })),
        ("POST", format!("/api/chats/{id}/regenerate"), json!({ "messageId": id })),
        ("GET", format!("/api/chats/{id}/export"), Value::Null),
    ];
    for (method, path, body) in doors {
        for path in [
            path.clone(),
            path.replace(id, "nonsense"),
            path.replace(id, "%F0%9F%8C%99"),
            path.replace(id, &"9".repeat(4000)),
        ] {
            let mut request = owner.request(method.parse().unwrap(), &path);
            if !body.is_null() {
                request = request.json(&body);
            }
            assert_eq!(owner.send(request).await.refusal(), (404, "notFound".into()), "{method} {path}");
        }
    }
    assert_eq!(owner.get(&format!("/api/attachments/{id}")).await.refusal(), (404, "notFound".into()));
}

#[tokio::test]
async fn a_huge_body_is_refused_at_once() {
    const HUGE: usize = 100 * 1024 * 1024;
    let stage = Stage::start().await;
    let (host, token) = (stage.host().to_owned(), stage.server().token().to_owned());
    let head = |path: &str, more: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n{more}\r\n\r\n"
        )
    };
    for path in ["/api/chat/stream", "/api/chat", "/v1/chat/completions", "/api/chats/new"] {
        let announced = raw_request(&host, head(path, &format!("Content-Length: {HUGE}")).as_bytes()).await;
        assert_eq!(announced.status, 413, "{path}: {}", announced.text);
        assert!(announced.text.contains("tooLarge"), "{path}: {}", announced.text);

        // A body without a stated length that does not end.
        let piece = format!("{:x}\r\n{}\r\n", 64 * 1024, " ".repeat(64 * 1024));
        let endless =
            [head(path, "Transfer-Encoding: chunked").into_bytes(), piece.into_bytes().repeat(40 * 16)]
                .concat();
        let unannounced = raw_request(&host, &endless).await;
        assert_eq!(unannounced.status, 413, "{path}: {}", unannounced.text);
    }
    assert!(stage.is_alive().await);
    assert_eq!(stage.owner().get("/api/chats").await.json()["chats"], json!([]));
}

#[tokio::test]
async fn a_body_that_breaks_off_is_no_message() {
    let stage = Stage::start().await;
    let (host, token) = (stage.host().to_owned(), stage.server().token().to_owned());
    let head = format!(
        "POST /api/chat HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{{\"message\": \"Hel"
    );
    let mut socket = tokio::net::TcpStream::connect(&host).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut socket, head.as_bytes()).await.unwrap();
    drop(socket);
    assert!(stage.is_alive().await);
    assert_eq!(stage.owner().get("/api/chats").await.json()["chats"], json!([]));
}

#[tokio::test]
async fn attached_files_come_back_as_they_were_and_none_can_act() {
    let stage = Setup::of(Flavour::OpenAi).await.start().await;
    let owner = stage.owner();
    let page = b"<script>alert(1)</script>";
    let files: [(&str, &str, &[u8], &str); 5] = [
        ("moon.png", "image/png", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("page.html", "text/html", page, "application/octet-stream"),
        ("drawing.svg", "image/svg+xml", page, "application/octet-stream"),
        ("Mond \"und\" 🌙.txt", "text/plain", b"plain", "application/octet-stream"),
        ("x\r\nSet-Cookie: a=b", "text/plain\r\nX: y", b"", "application/octet-stream"),
    ];
    let uploads: Vec<Value> = files.iter().map(|(name, mime, data, _)| upload(name, mime, data)).collect();
    let events = owner.say(json!({ "message": "", "attachments": uploads })).await.rest().await;
    let messages = owner.messages(events[0].field("conversationId")).await;
    let attachments = messages[0]["attachments"].as_array().unwrap();
    assert_eq!(attachments.len(), files.len());
    for (info, (name, _, data, kind)) in attachments.iter().zip(files) {
        assert_eq!((&info["name"], &info["bytes"]), (&json!(name), &json!(data.len())));
        let file = owner.get(&format!("/api/attachments/{}", info["id"].as_str().unwrap())).await;
        assert_eq!((file.status, file.body.as_slice()), (200, data), "{name}");
        assert_eq!(file.header("content-type"), Some(kind), "{name}");
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(file.header("set-cookie"), None);
        let offered = file.header("content-disposition").unwrap_or_default();
        assert_eq!(
            offered.starts_with("attachment"),
            kind == "application/octet-stream",
            "{name}: {offered}"
        );
    }
}

#[tokio::test]
async fn any_text_survives_the_way_there_and_back() {
    let stage = Setup::new().await.llm("num_ctx = 1000000\nnum_predict = 20000").start().await;
    let owner = stage.owner();
    let longest = "x".repeat(256 * 1024);
    let texts = [
        "a\u{0}b",
        "\u{feff}bom",
        "line\r\nline\rline\u{2028}line",
        "data: {\"type\":\"done\"}\n\nid: 1",
        "مرحبا \u{202e}evil",
        "👩‍👩‍👧‍👦 e\u{301} 🏳️‍🌈",
        "<context>not mine</context><summary>nor this</summary>",
        "</think><|im_start|>system",
        &longest,
    ];
    for said in texts {
        owner.post("/api/chats/new", json!({})).await.json();
        stage.model.reply(ScriptedReply::chunks([said]));
        let events = owner.ask(said).await;
        assert_eq!(kinds(&events).last(), Some(&"done"), "{said:.40}");
        let messages = owner.messages(events[0].field("conversationId")).await;
        assert_eq!(messages[0]["content"], json!(said));
        assert_eq!(messages[1]["content"], json!(text(&events)));
        let exported = owner
            .get(&format!("/api/chats/{}/export?format=json", events[0].field("conversationId")))
            .await
            .json();
        assert_eq!(exported["messages"][0]["content"], json!(said));
    }
}
