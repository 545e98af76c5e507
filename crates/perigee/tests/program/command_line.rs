//! The command line, with and without a running server.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::{Gate, ScriptedReply, TempHome, perigee_command};

use crate::support::{BIN, Output, Setup, Stage, soon, text};

/// Parses the lines of `--json`.
fn lines(output: Output) -> Vec<Value> {
    output
        .ok()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}")))
        .collect()
}

#[tokio::test]
async fn one_message_is_answered_by_the_server_that_runs() {
    let stage = Stage::start().await;
    stage.model.replies(["Good *evening*.", "Again.", "From a pipe.", "In JSON.", "There."]);
    let owner = stage.owner();
    assert_eq!(
        stage.run(&["chat", "Good", "evening"]).await.ok(),
        "Good *evening*.\n",
        "for a pipe, as it is"
    );
    let list = owner.get("/api/chats").await.json();
    let first = list["chats"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(owner.messages(&first).await[0]["content"], "Good evening");

    stage.run(&["chat", "--new", "Another"]).await.ok();
    let list = owner.get("/api/chats").await.json();
    assert_eq!(list["chats"].as_array().unwrap().len(), 2);
    assert_eq!(
        stage.run_with_input(&["chat", "-"], "a message\nof two lines\n").await.ok(),
        "From a pipe.\n"
    );
    let second = list["current"].as_str().unwrap();
    assert_eq!(
        owner.messages(second).await[2]["content"],
        "a message\nof two lines",
        "the open conversation goes on"
    );

    let events = lines(stage.run(&["chat", "--json", "--conversation", &first, "Hello"]).await);
    let kinds: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&"metadata"), Some(&"done")));
    assert_eq!(events[0]["conversationId"], json!(first));
    let told: String = events
        .iter()
        .filter(|event| event["type"] == "token")
        .map(|event| event["content"].as_str().unwrap())
        .collect();
    assert_eq!(told, "In JSON.");
}

#[tokio::test]
async fn without_a_server_a_command_is_its_own() {
    let mut stage = Stage::start().await;
    stage.model.replies(["First.", "Second."]);
    stage.owner().ask("Hello").await;
    stage.stop().await;
    assert_eq!(stage.run(&["chat", "And again"]).await.ok(), "Second.\n");
    assert!(!stage.home.join("run.json").exists(), "it leaves no door behind");
    let listed = stage.run(&["models", "list", "--json"]).await.json();
    assert!(listed["catalogue"].is_array());
    // Concurrent commands share a server, and none fails.
    let all = ["users", "processes", "models", "token"]
        .map(|command| stage.run(std::slice::from_ref(Box::leak(Box::new(command)))));
    for output in futures_util::future::join_all(all).await {
        output.ok();
    }
    stage.start_server().await;
    let messages = stage.owner().get("/api/chats").await.json();
    assert_eq!(messages["chats"][0]["messageCount"], 4);
}

#[tokio::test]
async fn exit_codes_tell_programs_how_it_went() {
    let mut stage = Setup::new().await.llm("retries = 0").start().await;
    let unknown = format!("{:013}", 9);
    let cases: [(&[&str], i32, &str); 8] = [
        (&["chat", "--nonsense"], 2, "--nonsense"),
        (&["nonsense"], 2, "nonsense"),
        (&["chat", "--conversation", &unknown, "Hello"], 1, "no such conversation"),
        (&["chat", "--conversation", "x", "Hello"], 2, "id"),
        (&["chat", "-"], 1, "empty"),
        (&["token", "revoke", &unknown], 1, "no such token"),
        (&["processes", "run", "nothing"], 1, "housekeeping"),
        (&["import", "not-there.json"], 1, "not-there.json"),
    ];
    for (args, code, says) in cases {
        let output = stage.run(args).await;
        assert_eq!(output.code, Some(code), "{args:?}: {output:?}");
        assert!(output.stderr.contains(says) && output.stdout.is_empty(), "{args:?}: {output:?}");
        assert!(
            !output.stderr.contains("panicked") && !output.stderr.contains("Error("),
            "{args:?}: {output:?}"
        );
    }
    stage.model.reply(ScriptedReply::status(500, r#"{"error":{"message":"out of memory"}}"#));
    let failed = stage.run(&["chat", "Hello"]).await;
    assert_eq!((failed.code, failed.stdout.as_str()), (Some(1), ""));
    assert!(failed.stderr.contains("out of memory"), "{failed:?}");
    assert_eq!(stage.run(&["health"]).await.code, Some(0));
    stage.stop().await;
    let down = stage.run(&["health", "--json"]).await;
    assert_eq!((down.code, down.stdout.contains("down")), (Some(1), true), "{down:?}");
}

#[tokio::test]
async fn control_c_stops_the_reply_and_keeps_it() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.reply(ScriptedReply::chunks(["One "]).wait(&gate));
    let mut command = perigee_command(Path::new(BIN), stage.home.path(), ["chat", "Count"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    soon("it waits", gate.reached()).await;
    // The first token must be sent before the interrupt.
    let owner = stage.owner();
    let list = owner.get("/api/chats").await.json();
    let conversation = list["chats"][0]["id"].as_str().unwrap().to_owned();
    let turn = owner.view(&conversation).await["live"]["turnId"].as_str().unwrap().to_owned();
    owner.resume(&turn, None).await.until("token").await;
    testkit::interrupt(child.id().unwrap());
    let output = soon("it ends", child.wait_with_output()).await.unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let answer = &owner.messages(&conversation).await[1];
    assert_eq!((&answer["status"], &answer["stopReason"]), (&json!("partial"), &json!("stopped")));
    assert_eq!(answer["content"], "One ");
}

#[tokio::test]
async fn listings_are_json_for_programs() {
    let stage = Stage::start().await;
    stage.owner().ask("Hello").await;
    let processes = stage.run(&["processes", "--json"]).await.json();
    let ids: Vec<_> =
        processes.as_array().unwrap().iter().map(|process| process["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["housekeeping", "memory_maintenance", "prewarming"]);
    assert_eq!(processes, stage.owner().get("/api/processes").await.json());
    assert!(processes[0]["nextRun"].is_string() && processes[0]["schedule"] == "every hour", "{processes}");

    let models = stage.run(&["models", "list", "--json"]).await.json();
    assert_eq!(
        (&models["current"]["state"], &models["current"]["name"]),
        (&json!("ready"), &json!("scripted"))
    );
    let users = stage.run(&["users", "--json"]).await.json();
    assert_eq!(users[0]["owner"], true);
    assert_eq!(stage.run(&["health", "--json"]).await.json()["status"], "ok");
    let config = stage.run(&["config", "--json"]).await.json();
    assert!(config["sections"].is_array());

    let ran = stage.run(&["processes", "run", "housekeeping"]).await.ok();
    assert!(ran.contains("cleared away"), "{ran}");
    stage.run(&["processes", "pause", "prewarming"]).await.ok();
    assert_eq!(stage.owner().get("/api/processes").await.json()[2]["state"], "paused");
}

#[tokio::test]
async fn tokens_can_be_made_and_withdrawn() {
    let stage = Stage::start().await;
    assert_eq!(stage.run(&["token"]).await.ok().trim(), stage.server().token());
    let secret = stage.run(&["token", "new", "phone", "--scope", "chat"]).await.ok().trim().to_owned();
    let phone = stage.with_token(&secret);
    assert_eq!((phone.get("/api/chats").await.status, phone.get("/api/config").await.status), (200, 403));
    let listed = stage.run(&["token", "list", "--json"]).await.json();
    assert_eq!(listed[0]["name"], "phone");
    stage.run(&["token", "revoke", listed[0]["id"].as_str().unwrap()]).await.ok();
    assert_eq!(phone.get("/api/chats").await.status, 401);

    stage.run(&["users", "add", "Ben"]).await.ok();
    let bens = stage.run(&["token", "new", "laptop", "--user", "Ben", "--scope", "all"]).await.ok();
    let status = stage.with_token(bens.trim()).get("/api/auth/status").await.json();
    assert_eq!((&status["user"]["name"], &status["user"]["owner"]), (&json!("Ben"), &json!(false)));
}

#[tokio::test]
async fn settings_can_be_changed_from_the_command_line() {
    let stage = Stage::start().await;
    assert_eq!(stage.run(&["config", "get", "llm.num_predict"]).await.ok().trim(), "1024");
    stage.run(&["config", "set", "llm.num_predict", "77"]).await.ok();
    stage.owner().ask("Hello").await;
    assert_eq!(stage.model.last_chat()["max_tokens"], 77);
    let refused = stage.run(&["config", "set", "llm.num_predict", "0"]).await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    stage.run(&["config", "unset", "llm.num_predict"]).await.ok();
    assert_eq!(stage.run(&["config", "get", "llm.num_predict"]).await.ok().trim(), "1024");
    let secret = stage.run_with_input(&["config", "set", "llm.api_key", "-"], "sk-hidden-9\n").await;
    assert!(!format!("{secret:?}").contains("sk-hidden-9"), "{secret:?}");
    stage.owner().ask("Hello").await;
    assert_eq!(stage.model.chats().last().unwrap().header("authorization"), Some("Bearer sk-hidden-9"));
}

/// Returns the check of `doctor --json` whose text contains these words.
fn check<'a>(report: &'a Value, words: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap_or_else(|| panic!("no checks in {report}"));
    checks
        .iter()
        .find(|check| check.to_string().contains(words))
        .unwrap_or_else(|| panic!("no {words} in {report}"))
}

#[tokio::test]
async fn the_doctor_names_what_is_wrong_and_how_to_mend_it() {
    let stage = Stage::start().await;
    stage.owner().ask("Hello").await;
    let well = stage.run(&["doctor", "--json"]).await;
    let report: Value =
        serde_json::from_str(&well.stdout).unwrap_or_else(|error| panic!("{error} in {well:?}"));
    assert_eq!(well.code, Some(0), "{report}");
    check(&report, "scripted");

    let ill = Setup::new()
        .await
        .start_with("[heartbeat]\nenabled = true\n[auth]\nenabled = false\n[llm]\nnum_predct = 5\n")
        .await;
    let output = ill.run(&["doctor", "--json"]).await;
    let report: Value =
        serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error} in {output:?}"));
    for words in ["heartbeat.enabled", "auth.enabled", "num_predct", "model"] {
        check(&report, words);
    }
    ill.home.write("config.toml", "[llm\n");
    let output = ill.run(&["doctor"]).await;
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(format!("{output:?}").contains("line 1"), "{output:?}");
}

#[tokio::test]
async fn the_doctor_says_plainly_that_there_is_no_recall_by_meaning() {
    let stage = Stage::start().await;
    let meaning = async || {
        let output = stage.run(&["doctor", "--json"]).await;
        let report: Value =
            serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error} in {output:?}"));
        assert_eq!(output.code, Some(0), "nothing is broken: {report}");
        let checks = report["checks"].as_array().unwrap();
        checks.iter().find(|check| check["id"] == "meaning").unwrap().clone()
    };
    let missing = meaning().await;
    assert_eq!(missing["level"], "warn", "{missing}");
    assert!(missing["message"].as_str().unwrap().contains("not recalled by meaning"), "{missing}");
    assert!(missing["mend"].as_str().unwrap().contains("perigee models pull "), "{missing}");
    // Existing files are not necessarily a working model.
    for file in ["wordllama-256.safetensors", "wordllama-256.tokenizer.json"] {
        stage.home.write(format!("models/{file}"), "not what it should be");
    }
    let damaged = meaning().await;
    assert_eq!(damaged["level"], "warn", "{damaged}");
    assert!(damaged["mend"].as_str().unwrap().contains("is damaged"), "{damaged}");
    stage.owner().patch("/api/config", json!({ "builtin_tools.vector_search.source": "off" })).await;
    assert_eq!(meaning().await["level"], "ok", "it was wished so");
}

#[tokio::test]
async fn help_and_completions_need_nothing() {
    let home = TempHome::new();
    let run = async |args: &[&str]| {
        let output = soon("it ends", perigee_command(Path::new(BIN), &home.join("none"), args).output())
            .await
            .unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&["completions", shell]).await;
        assert!(script.contains("perigee") && script.contains("doctor"), "{shell}");
    }
    for command in [
        "serve",
        "open",
        "chat",
        "models",
        "processes",
        "token",
        "users",
        "health",
        "doctor",
        "config",
        "backup",
        "restore",
        "export",
        "import",
        "completions",
    ] {
        let help = run(&[command, "--help"]).await;
        assert!(help.contains("Example"), "{command}: {help}");
    }
    assert!(run(&["--version"]).await.starts_with("perigee "));
    assert!(!home.join("none").exists(), "looking at the help makes no data folder");
}

#[tokio::test]
async fn what_a_model_says_cannot_take_over_the_terminal() {
    let stage = Stage::start().await;
    stage.model.reply(ScriptedReply::chunks(["a\u{1b}]0;owned\u{7}b\u{1b}[2Jc\u{9b}31md"])).reply("x");
    let owner = stage.owner();
    let shown = stage.run(&["chat", "Hello"]).await.ok();
    assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{shown:?}");
    assert_eq!(text(&owner.ask("And?").await), "x");
}
