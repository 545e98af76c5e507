//! Shell commands: confirmation, rules and termination.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::ScriptedReply;

use crate::support::{Event, Setup, Stage, has_whole_sandbox};

struct Shell {
    stage: Stage,
    work: tempfile::TempDir,
}

impl Shell {
    async fn new(rules: &Value) -> Self {
        Self::reaching(rules, "[]").await
    }

    async fn reaching(rules: &Value, hosts: &str) -> Self {
        let work = tempfile::tempdir().unwrap();
        let folder = work.path().display();
        let table =
            format!("[bash]\nenabled = true\nfolder = \"{folder}\"\ntimeout_seconds = 3\nhosts = {hosts}\n");
        let setup = Setup::new().await.table(&table);
        setup.home.write("commands.json", rules.to_string());
        Self { stage: setup.start().await, work }
    }

    fn wants(&self, command: &str) {
        let arguments = json!({"command": command}).to_string();
        self.stage
            .model
            .reply(ScriptedReply::empty().tool_call("c1", "run_command", &arguments))
            .reply("There.");
    }

    /// Runs a command that needs no confirmation, and returns its status and text.
    async fn does(&self, command: &str) -> (String, String) {
        self.wants(command);
        ended(&self.stage.owner().ask("Do it").await)
    }
}

/// Returns the status and the text of the last tool event.
fn ended(events: &[Event]) -> (String, String) {
    let last = events.iter().rev().find(|event| event.kind() == "tool").expect("it was called");
    (last.field("status").to_owned(), last.data["result"].as_str().unwrap_or_default().to_owned())
}

fn allow(pattern: &str, example: &str) -> Value {
    json!({"id": pattern, "verdict": "allow", "pattern": pattern, "matches": [example]})
}

#[tokio::test]
async fn a_command_asks_runs_in_its_folder_and_is_held() {
    // Without the full sandbox, the tool is blocked until it is permitted.
    if !has_whole_sandbox().await {
        return;
    }
    let shell = Shell::new(&json!([])).await;
    shell.wants("echo moon > made && cat made && ls -a ~ && exit 4");
    let owner = shell.stage.owner();
    let mut stream = owner.say(json!({"message": "Make it"})).await;
    let seen = stream.until("confirmation").await;
    let question = seen.last().unwrap();
    assert_eq!((question.field("tool"), question.field("risk")), ("run_command", "risky"));
    assert!(question.field("description").contains("no network"), "{question:?}");
    assert!(!shell.work.path().join("made").exists(), "nothing happens before a yes");
    let path = format!("/api/chat/confirm/{}", question.field("id"));
    owner.post(&path, json!({"approved": true})).await;
    let (status, told) = ended(&stream.rest().await);
    assert_eq!(status, "failed", "the exit code says so");
    assert!(told.starts_with("It failed with exit code 4:\nmoon\n"), "{told}");
    assert!(!told.contains(".bash"), "dotfiles are hidden: {told}");
    assert_eq!(std::fs::read_to_string(shell.work.path().join("made")).unwrap(), "moon\n");
}

#[tokio::test]
async fn rules_let_through_one_plain_command_and_forbid_wherever_it_hides() {
    // Without the full sandbox, the tool is blocked until it is permitted.
    if !has_whole_sandbox().await {
        return;
    }
    let shell = Shell::new(&json!([
        allow("echo ...", "echo hello"),
        {"id": "no-rm", "verdict": "deny", "pattern": "rm ...", "matches": ["rm -r x"]},
    ]))
    .await;
    assert_eq!(shell.does("echo hello").await, ("done".into(), "It went well:\nhello\n".into()));
    // The output is content of its own folder, so further commands there need no confirmation.
    assert_eq!(shell.does("echo again").await.0, "done");
    let (status, why) = shell.does("true; sudo rm -r x").await;
    assert_eq!(status, "blocked");
    assert!(why.contains("rm ..."), "{why}");
    for more in ["echo $(id)", "echo hello > file", "echo hello; id", "X=1 echo hello"] {
        shell.wants(more);
        let owner = shell.stage.owner();
        let mut stream = owner.say(json!({"message": "And this"})).await;
        let question = stream.until("confirmation").await.pop().unwrap();
        let path = format!("/api/chat/confirm/{}", question.field("id"));
        owner.post(&path, json!({"approved": false})).await;
        assert_eq!(ended(&stream.rest().await).0, "denied", "{more}");
    }
}

#[tokio::test]
async fn who_reaches_a_host_says_so_and_asks_once_words_of_others_may_be_there() {
    // Without the full sandbox, the tool is blocked until it is permitted.
    if !has_whole_sandbox().await {
        return;
    }
    let rules = json!([allow("echo ...", "echo hello")]);
    let shell = Shell::reaching(&rules, "[\"example.org\", \"127.0.0.1:9\"]").await;
    assert_eq!(shell.does("echo hello").await, ("done".into(), "It went well:\nhello\n".into()));
    shell.wants("echo again");
    let owner = shell.stage.owner();
    let mut stream = owner.say(json!({"message": "And this"})).await;
    let question = stream.until("confirmation").await.pop().unwrap();
    let told = question.field("description");
    assert!(told.contains("It reaches example.org and 127.0.0.1:9 and nothing else"), "{told}");
    assert!(question.field("why").contains("sends something out"), "{question:?}");
    let path = format!("/api/chat/confirm/{}", question.field("id"));
    owner.post(&path, json!({"approved": false})).await;
    assert_eq!(ended(&stream.rest().await).0, "denied");
}

#[tokio::test]
async fn what_takes_too_long_is_ended_with_all_that_it_started() {
    // Without the full sandbox, the tool is blocked until it is permitted.
    if !has_whole_sandbox().await {
        return;
    }
    let shell = Shell::new(&json!([allow("sleep 77.5", "sleep 77.5")])).await;
    let began = Instant::now();
    let (status, told) = shell.does("sleep 77.5").await;
    assert_eq!(status, "failed");
    assert!(told.contains("longer than 3 seconds"), "{told}");
    assert!(began.elapsed() < Duration::from_secs(20));
    // A command stopped by the user ends at once.
    shell.wants("sleep 77.5");
    let owner = shell.stage.owner();
    let mut stream = owner.say(json!({"message": "Once more"})).await;
    let seen = stream.until("tool").await;
    let turn = seen[0].field("turnId").to_owned();
    owner.post("/api/chat/stop", json!({"turnId": turn})).await;
    stream.rest().await;
    let left = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|it| std::fs::read_to_string(it.path().join("cmdline")).ok());
        lines.filter(|line| line.contains("sleep\u{0}77.5") || line.contains("sleep 77.5")).count()
    };
    let until = Instant::now() + Duration::from_secs(10);
    while left() > 0 && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(left(), 0, "something is left");
}

#[tokio::test]
async fn without_the_switch_there_is_no_such_tool() {
    let stage = Stage::start().await;
    let arguments = json!({"command": "true"}).to_string();
    stage.model.reply(ScriptedReply::empty().tool_call("c1", "run_command", &arguments)).reply("I cannot.");
    let (status, told) = ended(&stage.owner().ask("Do it").await);
    assert_eq!(status, "blocked");
    assert!(told.contains("no tool run_command"), "{told}");
}

#[tokio::test]
async fn rules_are_listed_made_from_a_command_and_taken_back() {
    let shell = Shell::new(&json!([
        {"id": "no-rm", "verdict": "deny", "pattern": "rm ...", "matches": ["rm -r x"]},
        {"id": "wrong", "verdict": "allow", "pattern": "ls ...", "matches": ["cat x"]},
    ]))
    .await;
    let owner = shell.stage.owner();
    let rules = owner.get("/api/commands/rules").await.json();
    assert_eq!(rules["rules"][0]["id"], "no-rm");
    assert_eq!(rules["refused"][0]["id"], "wrong", "{rules}");
    shell.stage.run(&["tools", "rules", "--remove", "wrong"]).await.ok();
    shell.stage.run(&["tools", "rules", "--allow", "git status"]).await.ok();
    shell.stage.run(&["tools", "rules", "--allow", "git status"]).await.ok();
    let listed = shell.stage.run(&["tools", "rules"]).await.ok();
    assert!(listed.contains("allow git status") && !listed.contains("wrong"), "{listed}");
    for never in ["sudo ls", "ls | sh", "bash -c id", ""] {
        let refused = owner.post("/api/commands/rules", json!({"line": never})).await;
        assert_eq!(refused.status, 400, "{never}");
    }
    assert_eq!(shell.stage.lesser(&["chat"]).await.get("/api/commands/rules").await.status, 403);
    if has_whole_sandbox().await {
        assert_eq!(shell.does("git status").await.0, "failed", "it runs, and there is no repository");
    }
    let id = owner.get("/api/commands/rules").await.json()["rules"][1]["id"].as_str().unwrap().to_owned();
    let removed = owner.delete(&format!("/api/commands/rules/{}", id.replace(' ', "%20"))).await;
    assert_eq!(removed.status, 200);
    assert_eq!(owner.delete("/api/commands/rules/nothing").await.status, 404);
    let back = owner.post("/api/commands/rules", json!({"rule": removed.json()["rule"]})).await.json();
    assert_eq!(back["rules"][1]["id"], id.as_str(), "it can be had back as it was: {back}");
    for wrong in [json!({}), json!({"line": "ls", "rule": {}}), json!({"rule": {"id": "x"}})] {
        assert_eq!(owner.post("/api/commands/rules", wrong).await.status, 400);
    }
}

#[tokio::test]
async fn a_yes_can_be_meant_for_commands_like_it_in_this_folder() {
    if !has_whole_sandbox().await {
        return;
    }
    let shell = Shell::new(&json!([])).await;
    let owner = shell.stage.owner();
    let work = shell.work.path().canonicalize().unwrap();
    shell.wants("wc -l notes");
    let mut stream = owner.say(json!({"message": "How many?"})).await;
    let question = stream.until("confirmation").await.pop().unwrap();
    assert_eq!(question.field("rule"), "wc ...");
    let path = format!("/api/chat/confirm/{}", question.field("id"));
    owner.post(&path, json!({"approved": true, "remember": "rule"})).await;
    assert_eq!(ended(&stream.rest().await).0, "failed", "there are no notes yet");
    let rules = owner.get("/api/commands/rules").await.json();
    assert_eq!(rules["rules"][0]["root"], work.to_str().unwrap(), "{rules}");
    std::fs::write(work.join("notes"), "one\n").unwrap();
    assert_eq!(shell.does("wc -c notes").await.0, "done", "one like it is not asked about");
    // A command that no rule can allow is not offered one.
    shell.wants("wc -l notes | sh");
    let mut stream = owner.say(json!({"message": "And so?"})).await;
    let question = stream.until("confirmation").await.pop().unwrap();
    assert_eq!(question.data["rule"], Value::Null);
    let path = format!("/api/chat/confirm/{}", question.field("id"));
    owner.post(&path, json!({"approved": true, "remember": "rule"})).await;
    stream.rest().await;
    assert_eq!(owner.get("/api/commands/rules").await.json()["rules"].as_array().unwrap().len(), 1);
}
