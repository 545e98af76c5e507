//! Thousands of half-open connections, from other machines and from programs without a token. Regular requests must be
//! served meanwhile.

use std::io::Write as _;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use testkit::{Gate, ScriptedReply};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::lan::switched_on;
use crate::support::{Setup, Stage, Wire, soon, text, wire};

const CROWD: usize = 2000;
/// A usual limit on open files, below the number of connections.
const FILES: usize = 1024;
/// Shorter than the server's timeouts, so that a request within this time was not served merely because other
/// connections timed out.
const AT_ONCE: Duration = Duration::from_secs(15);

/// Opens connections that send this and no more, over TLS if an authority is given: as many as this process may open.
async fn crowd(host: &str, authority: Option<&[u8]>, says: &str) -> Vec<Box<dyn Wire>> {
    let most = open_files().saturating_sub(200).min(CROWD);
    if most < CROWD {
        // Written past the test harness, which hides the output of passing tests: this run has tested less than it
        // claims.
        let told = format!(
            "{most} half-open connections instead of {CROWD}: this system lets a process have no more files\n"
        );
        let _ = std::io::stderr().write_all(told.as_bytes());
    }
    let mut crowd = Vec::new();
    for _ in 0..most {
        let mut socket = wire(host, authority).await;
        // The server may close some connections while others are opened.
        let _ = socket.write_all(says.as_bytes()).await;
        let _ = socket.flush().await;
        crowd.push(socket);
    }
    crowd
}

/// Raises the limit on open files to the maximum and returns it.
fn open_files() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    getrlimit(Resource::Nofile).current.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX))
}

async fn is_answered_at_once(stage: &Stage, name: &str) {
    stage.model.reply("Here I am.");
    let owner = stage.owner();
    let begun = Instant::now();
    let chat = owner.post("/api/chats/new", json!({})).await.json();
    let events = owner.ask_in(&chat["id"], "Are you there?").await;
    assert_eq!(text(&events), "Here I am.", "{name}");
    assert!(begun.elapsed() < AT_ONCE, "{name}: {:?}", begun.elapsed());
}

fn half_a_head(host: &str) -> String {
    format!("GET /api/health HTTP/1.1\r\nHost: {host}\r\nX-Half:")
}

fn half_a_body(host: &str) -> String {
    format!(
        "POST /api/auth/login HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: 100\r\n\r\n{{\"token\":"
    )
}

fn half_open(stage: &Stage) -> Vec<(&'static str, String)> {
    let host = stage.host();
    let token = stage.server().token();
    vec![
        ("nothing", String::new()),
        ("half a head", half_a_head(host)),
        ("half a body", half_a_body(host)),
        ("between requests", format!("GET /api/health HTTP/1.1\r\nHost: {host}\r\n\r\n")),
        (
            "a socket that never answers",
            format!(
                "GET /ws HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: upgrade\r\n\
                 Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                 Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            ),
        ),
    ]
}

#[tokio::test]
async fn thousands_of_half_open_connections_keep_nobody_out() {
    let stage = Setup::new().await.open_files(FILES).start().await;
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::text("I began before ").wait(&gate).then("all of that."));
    let mut turn = stage.owner().say(json!({ "message": "Talk" })).await;
    turn.until("token").await;
    for (name, says) in half_open(&stage) {
        let crowd = crowd(stage.host(), None, &says).await;
        is_answered_at_once(&stage, name).await;
        drop(crowd);
    }
    gate.open();
    assert_eq!(turn.rest().await.last().map(|event| event.kind().to_owned()).as_deref(), Some("done"));
}

#[tokio::test]
async fn a_machine_of_the_network_keeps_neither_this_one_nor_others_out() {
    let stage = Setup::new().await.open_files(FILES).start().await;
    let phone = switched_on(&stage).await;
    let host = phone.address().strip_prefix("https://").unwrap();
    let shaken = phone.authority();
    for (name, authority, says) in [
        ("nothing", None, String::new()),
        ("half a handshake", None, "\x16\x03\x01\x02\0\x01\0\x01\0\x03\x03".to_owned()),
        ("nothing after the handshake", shaken, String::new()),
        ("half a head", shaken, half_a_head(host)),
        ("half a body", shaken, half_a_body(host)),
    ] {
        let mut crowd = crowd(host, authority, &says).await;
        is_answered_at_once(&stage, name).await;
        let begun = Instant::now();
        assert_eq!(phone.get("/api/health").await.status, 200, "{name}");
        assert!(begun.elapsed() < AT_ONCE, "{name}: {:?}", begun.elapsed());
        // The first connections must have been closed in favour of later ones.
        let mut cut = [0];
        assert!(matches!(soon("the end", crowd[0].read(&mut cut)).await, Ok(0) | Err(_)), "{name}");
    }
}
