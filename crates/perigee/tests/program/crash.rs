//! Kills, restarts, double starts and damaged files.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};
use testkit::{Gate, ScriptedReply, TempHome};

use crate::support::{BIN, Event, Setup, Socket, Stage, eventually, kinds, text};

/// Returns true if a file of the database contains this text, which then survives a kill.
fn is_on_disk(home: &TempHome, words: &str) -> bool {
    let holds = |name: &str| {
        let content = std::fs::read(home.join(name)).unwrap_or_default();
        content.windows(words.len()).any(|window| window == words.as_bytes())
    };
    holds("perigee.db-wal") || holds("perigee.db")
}

async fn answer_of(stage: &Stage, metadata: &Event) -> Value {
    let messages = stage.owner().messages(metadata.field("conversationId")).await;
    messages.into_iter().find(|message| message["id"] == metadata.data["messageId"]).expect("the answer")
}

#[tokio::test]
async fn kill_nine_in_mid_stream_keeps_what_was_acknowledged() {
    let mut stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::chunks(["One ", "two ", "threehundredandtwelve "]).wait(&gate));
    let mut stream = stage.owner().say(json!({ "message": "Count for me" })).await;
    let seen = stream.take(4).await;
    assert_eq!(text(&seen), "One two threehundredandtwelve ");
    // Text is written to the disk shortly after it is sent to the reader.
    eventually("the words are stored", || is_on_disk(&stage.home, "threehundredandtwelve")).await;
    stage.kill().await;
    assert!(stream.rest().await.is_empty());

    stage.start_server().await;
    let owner = stage.owner();
    let messages = owner.messages(seen[0].field("conversationId")).await;
    assert_eq!(
        (&messages[0]["content"], &messages[0]["status"]),
        (&json!("Count for me"), &json!("complete"))
    );
    assert_eq!(messages[1]["content"], "One two threehundredandtwelve ");
    assert_eq!((&messages[1]["status"], &messages[1]["stopReason"]), (&json!("partial"), &json!("cut")));

    let turn = seen[0].field("turnId");
    let whole = owner.resume(turn, None).await.rest().await;
    assert_eq!(whole[..4], seen[..], "the same events under the same numbers");
    assert_eq!(whole.last().unwrap().data["stopReason"], "cut");
    for known in 0..4 {
        let rest = owner.resume(turn, Some(&seen[known].id)).await.rest().await;
        assert_eq!(rest, whole[known + 1..], "from {known} on");
    }
    stage.model.reply("Four.");
    assert_eq!(text(&owner.ask("Go on").await), "Four.");
    let prompt = stage.model.last_chat();
    assert_eq!(
        prompt["messages"][2]["content"], "One two threehundredandtwelve ",
        "she knows what she had said"
    );
}

#[tokio::test]
async fn kill_nine_at_any_moment_leaves_whole_turns_with_an_end() {
    let mut stage = Stage::start().await;
    let mut told: Vec<(Event, String, String)> = Vec::new();
    for round in 0..5 {
        let gate = Gate::closed();
        stage.model.reply(ScriptedReply::chunks((0..40).map(|n| format!("w{n} "))).wait(&gate));
        let message = format!("Round {round}");
        let mut stream = stage.owner().say(json!({ "message": message })).await;
        let mut seen = stream.take(1).await;
        // The kill comes at a different point after the acknowledgement each time, including before any text is stored.
        seen.extend(stream.take(round * 9).await);
        // Another turn is queued behind it, acknowledged but not started.
        let queued = format!("Behind round {round}");
        let waiting = stage.owner().say(json!({ "message": queued })).await.take(1).await;
        stage.kill().await;
        stage.start_server().await;
        told.push((seen[0].clone(), message, seen.last().unwrap().id.clone()));
        told.push((waiting[0].clone(), queued, waiting[0].id.clone()));
        drop(gate);
    }
    let owner = stage.owner();
    let messages = owner.messages(told[0].0.field("conversationId")).await;
    assert_eq!(messages.len(), told.len() * 2, "nothing twice, nothing missing");
    for (place, (metadata, message, last_seen)) in told.iter().enumerate() {
        assert_eq!(messages[place * 2]["content"], json!(message));
        let answer = answer_of(&stage, metadata).await;
        assert_eq!(
            (&answer["status"], &answer["stopReason"]),
            (&json!("partial"), &json!("cut")),
            "{message}"
        );
        let whole = owner.resume(metadata.field("turnId"), None).await.rest().await;
        assert_eq!(whole[0], *metadata, "{message}");
        assert_eq!(text(&whole), answer["content"].as_str().unwrap(), "{message}");
        assert_eq!(whole.last().unwrap().data["stopReason"], "cut", "{message}");
        // A reader that has received more than was stored must still learn how the turn ended.
        let rest = owner.resume(metadata.field("turnId"), Some(last_seen)).await.rest().await;
        assert_eq!(
            rest.last().map(|event| &event.data["stopReason"]),
            Some(&json!("cut")),
            "{message} after {last_seen}"
        );
        let number = |id: &str| id.rsplit(':').next().and_then(|seq| seq.parse::<u32>().ok()).unwrap();
        let mut before = number(last_seen);
        for event in &rest {
            assert!(number(&event.id) > before, "{message}: {} is new to whoever saw {before}", event.id);
            before = number(&event.id);
        }
    }
}

#[tokio::test]
async fn a_stop_does_not_wait_for_work_that_nobody_waits_for() {
    let mut stage = Setup::new().await.named_by_the_model().start().await;
    stage.model.reply("It is far away.").reply(ScriptedReply::hangs());
    let events = stage.owner().ask("Tell me about the moon").await;
    assert_eq!(events.last().unwrap().kind(), "done");
    stage.model.asked(2).await;
    assert_eq!(stage.stop().await, Some(0), "the title that never comes holds nobody up");
    stage.start_server().await;
    let conversation = events[0].field("conversationId");
    assert_eq!(stage.owner().view(conversation).await["chat"]["title"], "Tell me about the moon");
}

#[tokio::test]
async fn an_orderly_stop_tells_readers_and_keeps_what_had_come() {
    let mut stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::chunks(["One ", "two "]).wait(&gate));
    let owner = stage.owner();
    let mut socket = Socket::open(&owner, "").await;
    let mut stream = owner.say(json!({ "message": "Count" })).await;
    let mut events = stream.take(3).await;
    let mut waiting = owner.say(json!({ "message": "And then?" })).await;
    let queued = waiting.until("metadata").await[0].clone();
    let (code, rest) = tokio::join!(stage.stop(), stream.rest());
    assert_eq!(code, Some(0));
    events.extend(rest);
    assert_eq!(kinds(&events), ["metadata", "token", "usage", "done"]);
    assert_eq!(events.last().unwrap().data["stopReason"], "cut");
    assert_eq!(waiting.rest().await.last().unwrap().data["stopReason"], "cut");
    socket.close_code().await;
    assert!(!stage.home.join("run.json").exists());

    stage.start_server().await;
    for metadata in [&events[0], &queued] {
        let answer = answer_of(&stage, metadata).await;
        assert_eq!((&answer["status"], &answer["stopReason"]), (&json!("partial"), &json!("cut")));
    }
    assert_eq!(answer_of(&stage, &events[0]).await["content"], "One two ");
    let told = stage.owner().resume(events[0].field("turnId"), None).await.rest().await;
    assert_eq!(told, events);
}

#[tokio::test]
async fn a_reader_that_is_behind_gets_the_rest_before_the_server_is_gone() {
    let mut stage = Setup::new().await.llm("num_predict = 1000000").start().await;
    let gate = Gate::closed();
    // More text than the socket buffers can hold.
    stage.model.reply(ScriptedReply::chunks(vec!["word ".repeat(1600); 2000]).wait(&gate));
    let owner = stage.owner();
    let mut behind = owner.say(json!({ "message": "Much" })).await;
    let turn = behind.until("metadata").await[0].field("turnId").to_owned();
    owner.resume(&turn, None).await.take(2000).await;
    let mut window = Socket::open(&owner, "").await;
    let reading = async {
        // The reader only resumes after the server has announced its shutdown.
        window.close_code().await;
        behind.rest().await
    };
    let (code, rest) = tokio::join!(stage.stop(), reading);
    assert_eq!(code, Some(0));
    assert_eq!(text(&rest).len(), 8000 * 2000);
    assert_eq!(rest.last().unwrap().data["stopReason"], "cut");
}

#[tokio::test]
async fn a_second_server_on_the_same_folder_is_refused() {
    let stage = Stage::start().await;
    let refused = stage.run(&["serve", "--port", "0"]).await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("in use by another Perigee"), "{}", refused.stderr);
    assert!(refused.stderr.contains(&stage.server().pid().to_string()), "it says which: {}", refused.stderr);
    assert!(stage.is_alive().await);
    assert!(stage.home.join("run.json").exists(), "the first one's door is still marked");
    assert_eq!(kinds(&stage.owner().ask("Still you?").await).last(), Some(&"done"));
}

#[tokio::test]
async fn what_a_killed_server_left_behind_does_not_stop_the_next() {
    let mut stage = Stage::start().await;
    stage.owner().ask("Hello").await;
    stage.kill().await;
    assert!(stage.home.join("run.json").exists() && stage.home.join("home.lock").exists());
    // A half-written file and the run file of a server that no longer exists.
    stage.home.write(".perigee.db.tmp-1", "half");
    stage.start_server().await;
    assert_eq!(stage.owner().get("/api/chats").await.json()["chats"].as_array().unwrap().len(), 1);
}

/// Starts a server that must refuse to start, and returns its output.
async fn refusal(home: &Path) -> String {
    let mut command = testkit::perigee_command(Path::new(BIN), home, ["serve", "--port", "0"]);
    let output = crate::support::soon("it gives up", command.output()).await.unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains("panicked") && !said.contains("Error {"), "{said}");
    said
}

#[tokio::test]
async fn a_database_that_cannot_be_used_is_left_as_it_is() {
    let mut stage = Stage::start().await;
    stage.owner().ask("Hello").await;
    stage.stop().await;
    let path = stage.home.join("perigee.db");
    let good = std::fs::read(&path).unwrap();

    // Bytes 60 to 63 of the header contain the format version.
    let mut newer = good.clone();
    newer[60..64].copy_from_slice(&900_u32.to_be_bytes());
    let mut foreign = good.clone();
    foreign[68..72].copy_from_slice(&7_u32.to_be_bytes());
    let mut damaged = good.clone();
    damaged[..16].copy_from_slice(b"not a database!!");
    let cases = [
        (newer, "written by a newer Perigee"),
        (foreign, "not one of Perigee's"),
        (damaged, "is damaged"),
        (good[..good.len() / 3].to_vec(), "is cut short"),
    ];
    for (content, says) in cases {
        std::fs::write(&path, &content).unwrap();
        let said = refusal(stage.home.path()).await;
        assert!(said.contains(says), "{says}: {said}");
        assert_eq!(std::fs::read(&path).unwrap(), content, "{says}: it is as it was");
    }
    std::fs::write(&path, &good).unwrap();
    stage.start_server().await;
    assert_eq!(stage.owner().get("/api/chats").await.json()["chats"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_named() {
    let parent = TempHome::new();
    let home = parent.write("a-file", "not a folder");
    let said = refusal(&home).await;
    assert!(said.contains("a-file"), "{said}");
    let missing = parent.join("not/yet/there");
    let server = testkit::PerigeeProcess::start(BIN, &missing).await;
    assert_eq!(std::fs::metadata(&missing).unwrap().permissions().mode() & 0o777, 0o700);
    server.stop().await;
}

#[tokio::test]
async fn a_torn_settings_file_is_reported_and_the_last_good_one_used() {
    let mut stage = Setup::new().await.table("[companion]\nname = \"Nova\"").start().await;
    let owner = stage.owner();
    let good = stage.home.read("config.toml");
    let torn = format!("{good}\n[log]\nlevel = \"inf");
    let line = torn.lines().count();
    for restarted in [false, true] {
        if restarted {
            stage.kill().await;
        }
        stage.home.write("config.toml", &torn);
        if restarted {
            stage.start_server().await;
        }
        let owner = stage.owner();
        let report = owner.get("/api/config").await.json();
        let problem = &report["problems"][0];
        assert_eq!(
            (&problem["fatal"], &problem["line"]),
            (&json!(true), &json!(line)),
            "restarted: {restarted}, {problem}"
        );
        assert!(problem["column"].as_u64().unwrap() > 1, "{problem}");
        assert!(problem["message"].as_str().unwrap().contains("config.toml"), "{problem}");
        stage.model.reply("Yes.");
        assert_eq!(text(&owner.ask("Are you there?").await), "Yes.", "the model is still known");
        let sent = stage.model.last_chat();
        assert!(sent["messages"][0]["content"].as_str().unwrap().contains("Nova"), "so is her name");

        // A settings file that is being edited must not be overwritten.
        let refused = owner.patch("/api/config", json!({ "companion.name": "Luna" })).await;
        assert_eq!(refused.refusal(), (400, "badRequest".into()));
        assert_eq!(stage.home.read("config.toml"), torn);
    }
    stage.home.write("config.toml", good);
    assert_eq!(stage.owner().get("/api/config").await.json()["problems"], json!([]));
    drop(owner);
}
