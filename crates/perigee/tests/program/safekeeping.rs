//! Backup and restore; export and import.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};
use testkit::{Gate, ScriptedReply};

use crate::support::{Setup, Stage};

/// Returns the data that a backup must preserve: conversations, settings, soul and token.
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

    // The backup is made in the middle of an answer.
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::chunks(["One "]).wait(&gate));
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

    // Changes everything after the backup.
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

/// The database and its write-ahead log, byte for byte.
fn database(stage: &Stage) -> Vec<Option<Vec<u8>>> {
    let names = ["perigee.db", "perigee.db-wal"];
    names.map(|name| std::fs::read(stage.home.join(name)).ok()).into()
}

#[tokio::test]
async fn a_database_that_was_lost_is_told_and_nothing_is_made_in_its_place() {
    let mut stage = Stage::start().await;
    stage.model.otherwise("An answer.");
    stage.owner().ask("Keep this").await;
    std::fs::create_dir_all(stage.home.join("backups")).unwrap();
    let backup = stage.home.join("backups/good.tar.gz");
    stage.run(&["backup", backup.to_str().unwrap()]).await.ok();
    let before = everything(&stage).await;
    stage.stop().await;
    let whole = std::fs::read(stage.home.join("perigee.db")).unwrap();
    let length = whole.len();
    let cases: [(&str, Option<usize>, &[u8]); 7] = [
        ("empty", Some(0), b""),
        ("is empty", Some(0), b"a log that is all that is left"),
        ("is gone", None, b"a log that is all that is left"),
        ("cut short", Some(60), b""),
        ("cut short", Some(4096), b""),
        ("cut short", Some(length / 2), b""),
        ("cut short", Some(length - 100), b""),
    ];
    for (words, left, log) in cases {
        let _ = std::fs::remove_file(stage.home.join("perigee.db"));
        if let Some(left) = left {
            stage.home.write("perigee.db", &whole[..left]);
        }
        let _ = std::fs::remove_file(stage.home.join("perigee.db-wal"));
        if !log.is_empty() {
            stage.home.write("perigee.db-wal", log);
        }
        let found = database(&stage);
        let started = stage.run(&["serve", "--port", "0"]).await;
        let told = started.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(started.code, Some(1), "{words}: {started:?}");
        for part in [words, "Nothing was changed", "perigee restore", "good.tar.gz", "--anew"] {
            assert!(told.contains(part), "{words} {left:?}: no {part} in {told}");
        }
        let examined = stage.run(&["doctor", "--json"]).await.stdout;
        let report: Value =
            serde_json::from_str(&examined).unwrap_or_else(|error| panic!("{error}: {examined}"));
        let check =
            report["checks"].as_array().unwrap().iter().find(|check| check["id"] == "database").unwrap();
        assert_eq!(check["level"], "fail", "{words}: {check}");
        assert!(check["message"].as_str().unwrap().contains(words), "{check}");
        assert_eq!(database(&stage), found, "{words}: nothing was written");
    }
    // The user can start with an empty database and still undo that later.
    stage.home.write("perigee.db", &whole[..length / 2]);
    let _ = std::fs::remove_file(stage.home.join("perigee.db-wal"));
    assert_eq!(stage.run(&["restore", "--anew"]).await.code, Some(2), "nobody said yes");
    stage.run(&["restore", "--anew", "--yes"]).await.ok();
    stage.start_server().await;
    assert_eq!(stage.owner().get("/api/chats").await.json()["chats"], json!([]));
    assert_eq!(stage.home.read("token"), before["token"].as_str().unwrap(), "the rest is as it was");
    stage.stop().await;
    stage.run(&["restore", "--undo"]).await.ok();
    assert_eq!(std::fs::read(stage.home.join("perigee.db")).unwrap(), whole[..length / 2]);
    stage.run(&["restore", backup.to_str().unwrap(), "--yes"]).await.ok();
    stage.start_server().await;
    assert_eq!(
        everything(&stage).await["conversations"]["conversations"],
        before["conversations"]["conversations"]
    );
}

#[tokio::test]
async fn an_empty_database_in_a_new_folder_is_a_start_that_was_cut_off() {
    let setup = Setup::new().await;
    setup.home.write("perigee.db", "");
    let stage = setup.start().await;
    stage.model.otherwise("An answer.");
    stage.owner().ask("Hello").await;
    assert_eq!(stage.owner().get("/api/chats").await.json()["chats"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_only_the_log_holds_after_a_crash_is_no_loss() {
    let mut stage = Stage::start().await;
    stage.model.otherwise("An answer.");
    for number in 0..40 {
        stage.owner().ask(&format!("Message {number} {}", "pad ".repeat(300))).await;
    }
    stage.kill().await;
    let log = std::fs::metadata(stage.home.join("perigee.db-wal")).map_or(0, |found| found.len());
    assert!(log > 0, "a crash leaves the log");
    stage.start_server().await;
    let chats = stage.owner().get("/api/chats").await.json();
    assert_eq!(chats["chats"][0]["messageCount"], 80, "{chats}");
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
