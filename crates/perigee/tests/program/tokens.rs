//! Token strength, and limits on guessing.

use serde_json::json;
use testkit::{TempHome, perigee_command};
use tokio::task::JoinSet;

use crate::lan::switched_on;
use crate::support::{BIN, Means, Stage, soon};

#[tokio::test]
async fn a_token_that_others_could_guess_is_refused_wherever_it_was_written() {
    let home = TempHome::new();
    home.write("token", "1234567\n");
    for args in [&["serve", "--port", "0", "--json"][..], &["token"]] {
        let mut command = perigee_command(std::path::Path::new(BIN), home.path(), args);
        let output = soon("its end", command.kill_on_drop(true).output()).await.unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{args:?}: {told}");
        assert!(told.contains("too short") && told.contains("8 characters"), "{args:?}: {told}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    home.write("token", "12345678\n");
    let mut command = perigee_command(std::path::Path::new(BIN), home.path(), ["token"]);
    let output = soon("its end", command.output()).await.unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "12345678");
}

#[tokio::test]
async fn whoever_tries_many_tokens_keeps_nobody_else_out() {
    let stage = Stage::start().await;
    let (owner, lesser) = (stage.owner(), stage.lesser(&["chat"]).await);
    assert_eq!(owner.get("/api/config").await.status, 200);
    assert_eq!(lesser.get("/api/chats").await.status, 200);
    let tries = (0..90).map(|number| {
        let liar = stage.with_token(&format!("guess number {number}"));
        tokio::spawn(async move { liar.get("/api/chats").await.status })
    });
    let tries: Vec<_> = tries.collect();
    assert_eq!(owner.get("/api/config").await.status, 200);
    assert_eq!(lesser.get("/api/chats").await.status, 200);
    let mut statuses = Vec::new();
    for tried in tries {
        statuses.push(tried.await.unwrap());
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    assert!(statuses.iter().all(|status| [401, 429].contains(status)), "{statuses:?}");
    // A token in the sign-in form counts as an attempt too.
    let answer = stage.stranger().post("/api/auth/login", json!({"token": "guess number 5"})).await;
    assert_eq!(answer.status, 401);
}

#[tokio::test]
async fn whoever_tries_many_tokens_keeps_waiting_nobody_who_comes_from_elsewhere() {
    let stage = Stage::start().await;
    let evil = switched_on(&stage).await;
    // These tokens are unused so far, as after a restart.
    let (here, there) = (stage.lesser(&["chat"]).await, stage.lesser(&["chat"]).await);
    let Means::Token(token) = there.means() else { panic!("{there:?}") };
    let there = evil.with_token(token).at([127, 0, 0, 2]);
    // As many as the connections allowed for one address, and more than may wait.
    let mut tries = JoinSet::new();
    for number in 0..60 {
        let liar = evil.with_token(&format!("guess number {number}"));
        tries.spawn(async move { liar.get("/api/chats").await.status });
    }
    while soon("too many", tries.join_next()).await.unwrap().unwrap() != 429 {}
    for (name, client) in [("this machine", &here), ("another one", &there)] {
        let answer = client.get("/api/chats").await;
        assert_eq!(answer.status, 200, "{name}: {}", answer.text());
        while tries.try_join_next().is_some() {}
        assert!(!tries.is_empty(), "{name} has waited behind all of them");
    }
    // From the attacking address, an unknown token has to wait like the next guess.
    let again = evil.with_token("yet another").get("/api/chats").await.status;
    assert!([401, 429].contains(&again), "{again}");
}
