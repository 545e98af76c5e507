//! A full disk: requests fail as server errors, stored data is kept, and everything works again once there is space.
//!
//! Mounting a small file system needs privileges. Instead, the file size limit of the running program is lowered, so
//! that each of its writes fails with an error, as on a full disk.

use reqwest::Method;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use serde_json::{Value, json};
use testkit::{Gate, ScriptedReply, TempHome};

use crate::support::{Answer, Client, Setup, Stage, kinds, text};

const VRM: &[u8] = b"glTF\x02\0\0\0 a body";

/// Sets the file size limit of the running program in bytes; `None` restores the original one.
fn leave_room(stage: &Stage, bytes: Option<u64>) {
    let pid = i32::try_from(stage.server().pid()).ok().and_then(Pid::from_raw).unwrap();
    let ours = getrlimit(Resource::Fsize);
    let limit = Rlimit { current: bytes.or(ours.current), maximum: ours.maximum };
    prlimit(Some(pid), Resource::Fsize, limit).unwrap();
}

/// Requests that cover every way of storing data: database, files, versioned files, settings and external files.
fn requests(stage: &Stage, elsewhere: &TempHome) -> Vec<(Method, &'static str, Value)> {
    vec![
        (Method::POST, "/api/chats/new", json!({"title": "Mine"})),
        (Method::POST, "/api/chat", json!({"message": "Are you there?"})),
        (Method::POST, "/api/memory", json!({"content": "Likes green tea"})),
        (Method::PUT, "/api/memory/files/house", json!({"content": "The garden is large."})),
        (Method::POST, "/api/vector", json!({"id": "tea", "content": "Green tea is good"})),
        (Method::PATCH, "/api/config", json!({"companion.user_name": "Ada"})),
        (Method::PUT, "/api/permissions", json!({"memory_create": "confirm"})),
        (Method::POST, "/api/users", json!({"name": "Bob"})),
        (Method::POST, "/api/tokens", json!({"name": "script", "scopes": ["chat"]})),
        (Method::POST, "/api/backup", json!({"path": elsewhere.join("copy.tar.gz")})),
        (Method::POST, "/api/auth/login", json!({"token": stage.server().token()})),
    ]
}

async fn send(owner: &Client, method: &Method, path: &str, body: &Value) -> Answer {
    owner.send(owner.request(method.clone(), path).json(body)).await
}

async fn dressed(owner: &Client) -> Answer {
    owner.send(owner.request(Method::PUT, "/api/assets/models/alice.vrm").body(VRM)).await
}

#[tokio::test]
async fn what_finds_no_room_on_the_disk_is_nobodys_fault_who_asks_and_is_kept_once_there_is_some() {
    let stage = Setup::new().await.without_a_signal_for_no_room().start().await;
    let (owner, elsewhere) = (stage.owner(), TempHome::new());
    owner.post("/api/memory", json!({"content": "Lives in Lyon"})).await.json();
    let kept = async |path: &str| owner.get(path).await.json();
    let everything = async || {
        let config = kept("/api/config").await;
        let facts = kept("/api/memory").await["total"].clone();
        let (files, entries) = (kept("/api/memory/files").await, kept("/api/vector").await);
        (config, facts, files, entries, kept("/api/users").await, kept("/api/permissions").await)
    };
    let before = everything().await;

    leave_room(&stage, Some(0));
    for (method, path, body) in requests(&stage, &elsewhere) {
        let answer = send(&owner, &method, path, &body).await;
        let (status, code) = answer.refusal();
        assert!(status >= 500 && code == "internal", "{method} {path}: {status} {}", answer.text());
    }
    assert!(dressed(&owner).await.status >= 500);
    assert!(everything().await == before, "what is read is as it was");
    assert!(stage.is_alive().await);

    leave_room(&stage, None);
    assert!(everything().await == before, "nothing of it was kept by half");
    for (method, path, body) in requests(&stage, &elsewhere) {
        let answer = send(&owner, &method, path, &body).await;
        assert!((200..300).contains(&answer.status), "{method} {path}: {} {}", answer.status, answer.text());
    }
    assert_eq!(dressed(&owner).await.status, 204);
    assert_eq!(kept("/api/memory").await["total"], 2);
}

#[tokio::test]
async fn an_answer_that_finds_no_room_on_the_disk_says_so_and_the_message_is_kept() {
    let stage = Setup::new().await.without_a_signal_for_no_room().start().await;
    let owner = stage.owner();
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::text("I began ").wait(&gate).then("and I ended."));
    let mut turn = owner.say(json!({"message": "Talk"})).await;
    let conversation = turn.until("token").await[0].field("conversationId").to_owned();
    leave_room(&stage, Some(0));
    gate.open();
    let last = turn.rest().await.pop().unwrap();
    assert_eq!((last.kind(), last.field("code")), ("error", "internal"), "{last:?}");
    let told = last.field("message");
    assert!(told.contains("Your message is kept") && told.contains("Make room on the disk"), "{told}");

    leave_room(&stage, None);
    assert_eq!(owner.messages(&conversation).await[0]["content"], "Talk");
    stage.model.reply("Now it is kept.");
    let events = owner.ask("Once more").await;
    assert_eq!((kinds(&events).last(), text(&events).as_str()), (Some(&"done"), "Now it is kept."));
}
