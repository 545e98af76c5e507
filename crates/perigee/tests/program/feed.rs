//! `/ws`: the events sent to every client.

use serde_json::{Value, json};
use testkit::{Gate, ScriptedReply};

use crate::support::{Setup, Socket, Stage, text};

#[tokio::test]
async fn a_window_hears_what_another_one_does() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let mut one = Socket::open(&owner, "").await;
    let two = Socket::open(&owner, "").await;
    assert_ne!(one.hello["clientId"], two.hello["clientId"]);
    assert!(one.hello["version"].is_string() && one.hello["seq"].is_u64(), "{}", one.hello);

    let made = owner.post("/api/chats/new", json!({ "title": "Sea" })).await.json();
    let id = made["id"].as_str().unwrap();
    let path = format!("/api/chats/{id}");
    owner.patch(&path, json!({ "pinned": true })).await.json();
    owner.delete(&path).await.json();
    owner.post(&format!("{path}/restore"), json!({})).await.json();
    owner.post("/api/chats/load", json!({ "id": id })).await.json();
    owner.post("/api/chat/clear", json!({})).await.json();
    owner.patch("/api/config", json!({ "companion.user_name": "Ada" })).await.json();
    let expected = [
        ("chat_changed", "/chat/title", json!("Sea")),
        ("chat_opened", "/id", json!(id)),
        ("chat_changed", "/chat/pinned", json!(true)),
        ("chat_deleted", "/id", json!(id)),
        ("chat_changed", "/chat/id", json!(id)),
        ("chat_opened", "/id", json!(id)),
        ("chat_opened", "/id", Value::Null),
        ("config_changed", "/action", json!("config_changed")),
    ];
    let mut last = one.hello["seq"].as_u64().unwrap();
    for (action, pointer, value) in expected {
        // Model events may arrive at any time.
        let mut push = one.next().await;
        while push["action"] == "model" {
            last = push["seq"].as_u64().unwrap();
            push = one.next().await;
        }
        assert_eq!((&push["action"], push.pointer(pointer)), (&json!(action), Some(&value)), "{push}");
        let seq = push["seq"].as_u64().unwrap();
        assert!(seq > last, "{push} after {last}");
        last = seq;
    }
}

#[tokio::test]
async fn a_turn_that_began_elsewhere_can_be_watched() {
    let stage = Setup::new().await.titled().start().await;
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::chunks(["One "]).wait(&gate).then("two"));
    let owner = stage.owner();
    let mut window = Socket::open(&owner, "").await;
    let elsewhere = owner.say(json!({ "message": "Count" })).await;
    let started = window.until("turn_started").await;
    let watched = owner.resume(started["turnId"].as_str().unwrap(), None).await;
    gate.open();
    let events = watched.rest().await;
    assert_eq!(text(&events), "One two");
    assert_eq!(started["conversationId"], events[0].data["conversationId"]);
    assert_eq!(started["messageId"], events[0].data["messageId"]);
    let ended = window.until("turn_ended").await;
    assert_eq!(ended["turnId"], started["turnId"]);
    let listed = window.until("chat_changed").await;
    assert_eq!(listed["chat"]["title"], "Count", "it got its title");
    assert_eq!(elsewhere.rest().await, events);
}

#[tokio::test]
async fn a_window_that_was_away_gets_what_it_missed_or_is_told_to_begin_anew() {
    let mut stage = Stage::start().await;
    let owner = stage.owner();
    let mut window = Socket::open(&owner, "").await;
    let made = owner.post("/api/chats/new", json!({})).await.json();
    let path = format!("/api/chats/{}", made["id"].as_str().unwrap());
    window.until("chat_changed").await;
    let seen = window.until("chat_opened").await["seq"].as_u64().unwrap();
    drop(window);
    for title in ["a", "b", "c"] {
        owner.patch(&path, json!({ "title": title })).await.json();
    }
    let mut window = Socket::open(&owner, &format!("?lastSeq={seen}")).await;
    for (place, title) in ["a", "b", "c"].into_iter().enumerate() {
        let push = window.next().await;
        assert_eq!(push["chat"]["title"], json!(title));
        assert_eq!(push["seq"].as_u64().unwrap(), seen + 1 + place as u64);
    }
    owner.patch(&path, json!({ "title": "d" })).await.json();
    assert_eq!(window.next().await["chat"]["title"], "d", "and then what comes");

    // More events than are kept for a resume.
    for number in 0..520 {
        owner.patch(&path, json!({ "title": format!("{number}") })).await.json();
    }
    for behind in [seen, 0] {
        let mut window = Socket::open(&owner, &format!("?lastSeq={behind}")).await;
        assert_eq!(window.next().await["action"], "resync", "{behind}");
        owner.patch(&path, json!({ "title": "after" })).await.json();
        assert_eq!(window.next().await["chat"]["title"], "after");
    }
    for ahead in [9_007_199_254_740_000, u64::MAX - 1, u64::MAX] {
        let mut window = Socket::open(&owner, &format!("?lastSeq={ahead}")).await;
        assert_eq!(window.next().await["action"], "resync", "{ahead}");
    }

    // Sequence numbers of an earlier run are meaningless after a restart.
    let newest = Socket::open(&owner, "").await.hello["seq"].as_u64().unwrap();
    stage.stop().await;
    stage.start_server().await;
    for earlier in [newest, 1] {
        let mut window = Socket::open(&stage.owner(), &format!("?lastSeq={earlier}")).await;
        assert_eq!(window.next().await["action"], "resync", "{earlier} of the earlier run");
    }
    assert_eq!(Socket::refused(&stage.owner(), "?lastSeq=abc", &[]).await, 400);
}

#[tokio::test]
async fn each_hears_of_their_own_alone() {
    let stage = Stage::start().await;
    let (owner, ben) = (stage.owner(), stage.person("Ben").await);
    let (mut hers, mut his) = (Socket::open(&owner, "").await, Socket::open(&ben, "").await);
    owner.ask("My secret").await;
    let his_chat = ben.post("/api/chats/new", json!({ "title": "His" })).await.json();
    owner.patch("/api/config", json!({ "companion.user_name": "Ada" })).await.json();
    let mut heard = Vec::new();
    loop {
        let push = his.next().await;
        if push["action"] == "config_changed" {
            break;
        }
        heard.push(push);
    }
    heard.retain(|push| push["action"] != "model");
    let actions: Vec<_> = heard.iter().map(|push| push["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["chat_changed", "chat_opened"], "{heard:?}");
    assert_eq!(heard[0]["chat"]["id"], his_chat["id"]);
    // A resume gives Ben only his own events, not the owner's.
    let from_the_start = hers.hello["seq"].as_u64().unwrap();
    let mut again = Socket::open(&ben, &format!("?lastSeq={from_the_start}")).await;
    loop {
        let push = again.next().await;
        assert!(!push.to_string().contains("secret") && push["action"] != "turn_started", "{push}");
        if push["action"] == "config_changed" {
            break;
        }
    }
    hers.until("turn_started").await;
    hers.until("config_changed").await;
}

#[tokio::test]
async fn a_window_that_sleeps_does_not_hold_up_the_others() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let asleep: Vec<Socket> = futures_util::future::join_all((0..4).map(|_| Socket::open(&owner, ""))).await;
    let mut awake = Socket::open(&owner, "").await;
    let made = owner.post("/api/chats/new", json!({})).await.json();
    let path = format!("/api/chats/{}", made["id"].as_str().unwrap());
    // Longer than a socket buffer can hold for clients that do not read.
    let long = "Sea and moon. ".repeat(20_000);
    for number in 0..20 {
        owner.patch(&path, json!({ "title": format!("{number} {long}") })).await.json();
    }
    for number in 0..20 {
        loop {
            let push = awake.until("chat_changed").await;
            if push["chat"]["title"].as_str().unwrap().starts_with(&format!("{number} ")) {
                break;
            }
        }
    }
    assert!(stage.is_alive().await);
    drop(asleep);
}

#[tokio::test]
async fn what_a_window_says_does_no_harm() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let stage = Stage::start().await;
    let head = format!(
        "GET /ws HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        stage.host(),
        stage.server().token()
    );
    let frames: [Vec<u8>; 4] = [
        // An unmasked frame, which a client must not send; a length of 2^62; an unknown opcode; invalid UTF-8.
        vec![0x81, 0x02, b'h', b'i'],
        vec![0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4],
        vec![0x8b, 0x80, 1, 2, 3, 4],
        vec![0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe],
    ];
    for frame in frames {
        let mut socket = tokio::net::TcpStream::connect(stage.host()).await.unwrap();
        socket.write_all(head.as_bytes()).await.unwrap();
        socket.write_all(&frame).await.unwrap();
        let mut received = Vec::new();
        crate::support::soon("it closes", socket.read_to_end(&mut received)).await.ok();
    }
    assert!(stage.is_alive().await);
}
