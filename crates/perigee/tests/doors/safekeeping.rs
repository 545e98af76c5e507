//! Backups, and going back to them; exports, and taking them in.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};
use testkit::{Gate, Reply};

use crate::support::{Setup, Stage};

/// What a person would miss: conversations, settings, soul and token.
async fn everything(stage: &Stage) -> Value {
    json!({
        "conversations": stage.owner().get("/api/export").await.json(),
        "config": stage.home.read("config.toml"),
        "soul": stage.home.read("soul/identity.md"),
        "token": stage.home.read("token"),
        "users": stage.owner().get("/api/users").await.json(),
    })
}

#[tokio::test]
async fn a_backup_brings_everything_back_and_can_be_undone() {
    let mut stage = Setup::new().await.table("[companion]\nname = \"Nova\" # my name for her").start().await;
    stage.model.otherwise("An answer.");
    let owner = stage.owner();
    let attachment = json!({ "name": "moon.png", "mime": "image/png", "data": "iVBORw==" });
    owner.say(json!({ "message": "Keep this", "attachments": [attachment] })).await.rest().await;
    stage.home.write("soul/identity.md", "I am Nova.");
    let good = everything(&stage).await;

    // Taken while she is in the middle of a word.
    let gate = Gate::closed();
    stage.model.reply(Reply::chunks(["One "]).wait(&gate));
    let mut stream = owner.say(json!({ "message": "Talk" })).await;
    stream.until("token").await;
    let file =
        stage.home.join("../").canonicalize().unwrap().join(format!("backup-{}.tar.gz", std::process::id()));
    let path = file.to_str().unwrap();
    let made = stage.run(&["backup", path, "--json"]).await.json();
    assert!(made["files"].as_u64().unwrap() > 3, "{made}");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "it holds secrets");
    let again = stage.run(&["backup", path]).await;
    assert_eq!(again.code, Some(1), "nothing is written over: {again:?}");
    gate.open();
    stream.rest().await;

    // Then everything changes.
    owner.ask("Written after the backup").await;
    owner.patch("/api/config", json!({ "companion.name": "Luna" })).await.json();
    stage.home.write("soul/identity.md", "I am somebody else.");
    let later = everything(&stage).await;

    let refused = stage.run(&["restore", path, "--yes"]).await;
    assert_eq!(refused.code, Some(1), "not under a running server: {refused:?}");
    stage.stop().await;
    let asked = stage.run(&["restore", path]).await;
    assert_eq!(asked.code, Some(2), "nobody said yes: {asked:?}");
    stage.run(&["restore", path, "--yes"]).await.ok();
    stage.start_server().await;
    let restored = everything(&stage).await;
    for part in ["config", "soul", "token", "users"] {
        assert_eq!(restored[part], good[part], "{part}");
    }
    let conversation = |all: &Value| all["conversations"]["conversations"][0].clone();
    let (back, before) = (conversation(&restored), conversation(&good));
    assert_eq!(back["messages"][0], before["messages"][0], "with its picture");
    let last = back["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["status"], &last["stopReason"]),
        (&json!("partial"), &json!("cut")),
        "what was being said is marked"
    );
    assert!(!restored.to_string().contains("Written after the backup"));

    stage.stop().await;
    stage.run(&["restore", "--undo"]).await.ok();
    stage.start_server().await;
    assert_eq!(everything(&stage).await, later, "as if nothing had been");
    std::fs::remove_file(&file).unwrap();
}

#[tokio::test]
async fn a_damaged_backup_replaces_nothing() {
    let mut stage = Stage::start().await;
    stage.owner().ask("Keep this").await;
    let good = stage.home.join("good.tar.gz");
    stage.run(&["backup", good.to_str().unwrap()]).await.ok();
    let before = everything(&stage).await;
    stage.stop().await;
    let whole = std::fs::read(&good).unwrap();
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x55;
    let cases: [(&str, Vec<u8>); 4] = [
        ("cut.tar.gz", whole[..whole.len() / 2].to_vec()),
        ("flipped.tar.gz", flipped),
        ("empty.tar.gz", Vec::new()),
        ("other.tar.gz", b"something else altogether".to_vec()),
    ];
    for (name, content) in cases {
        let path = stage.home.write(name, content);
        let output = stage.run(&["restore", path.to_str().unwrap(), "--yes"]).await;
        assert_eq!(output.code, Some(1), "{name}: {output:?}");
        assert!(!output.stderr.is_empty() && !output.stderr.contains("panicked"), "{name}: {output:?}");
    }
    let missing = stage.run(&["restore", "/nowhere/at/all.tar.gz", "--yes"]).await;
    assert_eq!(missing.code, Some(1), "{missing:?}");
    stage.start_server().await;
    assert_eq!(everything(&stage).await, before);
}

#[tokio::test]
async fn conversations_travel_as_files() {
    let stage = Stage::start().await;
    stage.model.otherwise("An answer.");
    stage.owner().ask("About the sea").await;
    stage.owner().post("/api/chats/new", json!({ "title": "../../evil" })).await.json();
    stage.owner().ask("About the moon").await;
    let (json_file, folder) = (stage.home.join("out.json"), stage.home.join("talks"));
    stage.run(&["export", json_file.to_str().unwrap()]).await.ok();
    assert_eq!(std::fs::metadata(&json_file).unwrap().permissions().mode() & 0o777, 0o600);
    let document: Value = serde_json::from_str(&stage.home.read("out.json")).unwrap();
    assert_eq!(document, stage.owner().get("/api/export").await.json());
    assert_eq!(stage.run(&["export", "-"]).await.json(), document);
    let again = stage.run(&["export", json_file.to_str().unwrap()]).await;
    assert_eq!(again.code, Some(1), "nothing is written over: {again:?}");

    stage.run(&["export", "--format", "md", folder.to_str().unwrap()]).await.ok();
    let names = stage.home.list("talks");
    assert_eq!(names.len(), 2);
    assert!(stage.home.read(format!("talks/{}", names[0])).starts_with("# "));

    let other = Stage::start().await;
    other.run(&["import", json_file.to_str().unwrap()]).await.ok();
    assert_eq!(other.owner().get("/api/export").await.json(), document);
    let broken = other.home.write("broken.json", &std::fs::read(&json_file).unwrap()[..200]);
    let refused = other.run(&["import", broken.to_str().unwrap()]).await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert_eq!(other.owner().get("/api/export").await.json(), document);
}
