//! MCP servers of the settings: approval, their tools, and protection against hostile ones.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::ScriptedReply;

use crate::support::{Client, Event, Setup, Stage, soon};

/// An absolute path: tests run in the package folder, but the processes they start do not.
static SERVER: LazyLock<String> =
    LazyLock::new(|| std::path::absolute("../testkit/mcp/server.py").unwrap().to_str().unwrap().to_owned());

/// Starts a stage with servers in its settings, each given by name and mode.
async fn with_servers(servers: &[(&str, &str)]) -> (Stage, tempfile::TempDir) {
    with_servers_on(Setup::new().await, servers).await
}

pub async fn with_servers_on(mut setup: Setup, servers: &[(&str, &str)]) -> (Stage, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    for (name, mode) in servers {
        let about = folder.path().join(name);
        std::fs::write(&about, "Greets somebody.").unwrap();
        let args = json!([*SERVER, mode, about]);
        setup = setup.table(&format!("[mcpServers.{name}]\ncommand = \"python3\"\nargs = {args}\n"));
    }
    (setup.start().await, folder)
}

async fn server(owner: &Client, name: &str) -> Value {
    let list = owner.get("/api/mcp/servers").await.json();
    let found = list["servers"].as_array().unwrap().iter().find(|server| server["name"] == name);
    found.cloned().unwrap_or(Value::Null)
}

/// Waits until a server meets the condition.
async fn until(owner: &Client, name: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    soon(name, async {
        loop {
            let now = server(owner, name).await;
            if is_so(&now) {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    })
    .await
}

async fn is_in_state(owner: &Client, name: &str, state: &str) -> Value {
    until(owner, name, |server| server["state"] == state).await
}

async fn approve(owner: &Client, name: &str) {
    let asks = until(owner, name, |server| server["asks"].is_string()).await["asks"].clone();
    let answer = owner.post(&format!("/api/mcp/servers/{name}/approve"), json!({"seen": asks})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

pub async fn let_in(owner: &Client, name: &str) {
    approve(owner, name).await;
    is_in_state(owner, name, "ready").await;
}

/// Has the model make one call, which the user approves. Returns its last event.
async fn call(stage: &Stage, tool: &str, arguments: Value) -> Event {
    stage.model.reply(ScriptedReply::empty().tool_call("c1", tool, &arguments.to_string())).reply("There.");
    let owner = stage.owner();
    let mut stream = owner.say(json!({"message": "Do it"})).await;
    let question = stream.until("confirmation").await.pop().unwrap();
    owner.post(&format!("/api/chat/confirm/{}", question.field("id")), json!({"approved": true})).await;
    last_call(&stream.rest().await)
}

fn last_call(events: &[Event]) -> Event {
    events.iter().rev().find(|event| event.kind() == "tool").expect("it was called").clone()
}

fn told(event: &Event) -> (&str, &str) {
    (event.field("status"), event.field("result"))
}

/// Returns the server processes of a stage that still run.
fn running(folder: &Path) -> Vec<PathBuf> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let ours = processes.filter(|process| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&*folder.to_string_lossy())
    });
    ours.map(|process| process.path()).collect()
}

/// Waits, as a killed process may take a moment to exit.
async fn nobody_is_left(folder: &Path) {
    soon("nothing is left of them", async {
        while !running(folder).is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_server_is_asked_about_once_and_then_comes_by_itself() {
    let (mut stage, folder) = with_servers(&[("notes", "good")]).await;
    let owner = stage.owner();
    let asking = is_in_state(&owner, "notes", "asking").await;
    assert!(asking["reach"].as_str().unwrap().starts_with("python3 "), "{asking}");
    assert!(running(folder.path()).is_empty(), "nothing is started before a yes");
    let wrong = owner.post("/api/mcp/servers/notes/approve", json!({"seen": "something else"})).await;
    assert_eq!(wrong.status, 409);
    let_in(&owner, "notes").await;
    assert_eq!(told(&call(&stage, "notes__greet", json!({"name": "Ada"})).await), ("done", "Hello, Ada!"));
    assert_eq!(told(&call(&stage, "notes__fail", json!({})).await), ("failed", "It went wrong."));
    let read = call(&stage, "notes__read_resource", json!({"uri": "note://1"})).await;
    assert_eq!(told(&read), ("done", "the note says moon"));
    let prompt = call(&stage, "notes__get_prompt", json!({"name": "hello"})).await;
    assert_eq!(told(&prompt), ("done", "Say hello nicely."));
    stage.stop().await;
    assert!(running(folder.path()).is_empty(), "it ends with Perigee");
    stage.start_server().await;
    is_in_state(&stage.owner(), "notes", "ready").await;
}

#[tokio::test]
async fn only_the_owner_lets_servers_in() {
    let (stage, _folder) = with_servers(&[("notes", "good")]).await;
    let lesser = stage.lesser(&["chat", "memory.read"]).await;
    let person = stage.person("Bob").await;
    for client in [lesser, person] {
        assert_eq!(client.get("/api/mcp/servers").await.status, 403);
        let asked = client.post("/api/mcp/servers/notes/approve", json!({"seen": "x"})).await;
        assert_eq!(asked.status, 403);
        let added = json!({"name": "evil", "server": {"command": "sh"}});
        assert_eq!(client.post("/api/mcp/servers", added).await.status, 403);
    }
}

#[tokio::test]
async fn what_a_server_says_of_its_tools_cannot_change_behind_your_back() {
    let (mut stage, folder) = with_servers(&[("notes", "good")]).await;
    let owner = stage.owner();
    let_in(&owner, "notes").await;
    assert_eq!(call(&stage, "notes__change", json!({})).await.field("status"), "done");
    let changed = until(&owner, "notes", |server| server["asks"].is_string()).await;
    let tool = &changed["tools"][0];
    assert_eq!((&tool["standing"], &tool["was"]), (&json!("changed"), &json!("Greets somebody.")));
    let refused = |stage: &Stage| {
        let arguments = json!({"name": "Ada"}).to_string();
        stage.model.reply(ScriptedReply::empty().tool_call("c1", "notes__greet", &arguments)).reply("There.");
    };
    refused(&stage);
    let event = last_call(&owner.ask("Greet").await);
    assert_eq!(event.field("status"), "blocked", "{event:?}");
    // A restart does not approve it either.
    stage.stop().await;
    stage.start_server().await;
    let owner = stage.owner();
    until(&owner, "notes", |server| server["asks"].is_string()).await;
    refused(&stage);
    assert_eq!(last_call(&owner.ask("Greet").await).field("status"), "blocked");
    approve(&owner, "notes").await;
    assert_eq!(told(&call(&stage, "notes__greet", json!({"name": "Ada"})).await).1, "Hello, Ada!");
    // A new command line needs a new approval.
    let text = stage.home.read("config.toml").replace("good", "crowd");
    stage.home.write("config.toml", &text);
    is_in_state(&owner, "notes", "asking").await;
    nobody_is_left(folder.path()).await;
}

#[tokio::test]
async fn a_server_tells_its_progress_and_asks_back() {
    let (stage, _folder) = with_servers(&[("notes", "good")]).await;
    let owner = stage.owner();
    let_in(&owner, "notes").await;
    stage.model.reply(ScriptedReply::empty().tool_call("c1", "notes__count", "{}")).reply("There.");
    let mut stream = owner.say(json!({"message": "Count"})).await;
    let question = stream.until("confirmation").await.pop().unwrap();
    owner.post(&format!("/api/chat/confirm/{}", question.field("id")), json!({"approved": true})).await;
    let events = stream.rest().await;
    let shown: String =
        events.iter().filter(|event| event.kind() == "toolOutput").map(|event| event.field("text")).collect();
    assert_eq!(shown, "33 % step 1\n67 % step 2\n100 % step 3\n");
    for (answer, says) in [
        (json!({"approved": true, "filled": {"colour": "blue"}}), "accept: blue"),
        (json!({"approved": false}), "decline: None"),
    ] {
        stage.model.reply(ScriptedReply::empty().tool_call("c1", "notes__ask", "{}")).reply("There.");
        let mut stream = owner.say(json!({"message": "Ask me"})).await;
        let first = stream.until("confirmation").await.pop().unwrap();
        owner.post(&format!("/api/chat/confirm/{}", first.field("id")), json!({"approved": true})).await;
        let second = stream.until("confirmation").await.pop().unwrap();
        assert!(second.field("description").contains("Which colour?"), "{second:?}");
        assert_eq!(second.data["form"]["properties"]["colour"]["title"], "Colour");
        owner.post(&format!("/api/chat/confirm/{}", second.field("id")), answer).await;
        assert_eq!(told(&last_call(&stream.rest().await)), ("done", says));
    }
    stage
        .model
        .reply(ScriptedReply::empty().tool_call("c1", "notes__think", "{}"))
        .reply("Moon")
        .reply("There.");
    let mut stream = owner.say(json!({"message": "Think"})).await;
    for _ in 0..2 {
        let question = stream.until("confirmation").await.pop().unwrap();
        owner.post(&format!("/api/chat/confirm/{}", question.field("id")), json!({"approved": true})).await;
    }
    assert_eq!(told(&last_call(&stream.rest().await)), ("done", "Moon"));
}

#[tokio::test]
async fn a_server_that_misbehaves_costs_one_call_and_nothing_else() {
    let modes =
        [("gone", "exit"), ("loop", "crash"), ("crowd", "crowd"), ("loud", "noise"), ("good", "good")];
    let (mut stage, folder) = with_servers(&modes).await;
    let owner = stage.owner();
    for (name, _) in modes {
        approve(&owner, name).await;
    }
    is_in_state(&owner, "good", "ready").await;
    let gone = until(&owner, "gone", |server| server["trouble"].is_string()).await;
    assert!(gone["trouble"].as_str().unwrap().contains("exit code 1"), "{gone}");
    assert!(gone["trouble"].as_str().unwrap().contains("something is missing here"), "{gone}");
    until(&owner, "loop", |server| server["trouble"].is_string()).await;
    let crowd = is_in_state(&owner, "crowd", "ready").await;
    assert_eq!(crowd["tools"].as_array().unwrap().len(), 200);
    assert!(crowd["leftOut"][0].as_str().unwrap().contains("more than 200"), "{crowd}");
    until(&owner, "loud", |server| server["trouble"].is_string()).await;
    let forged = call(&stage, "good__forge", json!({})).await;
    assert_eq!(told(&forged), ("done", "true"), "what is forged is dropped");
    let died = call(&stage, "good__die", json!({})).await;
    assert_eq!(died.field("status"), "failed");
    assert!(died.field("result").contains("exit code 3"), "{died:?}");
    is_in_state(&owner, "good", "ready").await;
    let log = owner.get("/api/mcp/servers/good/logs").await.text();
    assert!(log.contains("I leave now"), "{log}");
    let flooded = call(&stage, "good__flood", json!({})).await;
    assert!(flooded.field("result").contains("without end"), "{flooded:?}");
    is_in_state(&owner, "good", "ready").await;
    assert_eq!(told(&call(&stage, "good__greet", json!({"name": "Ada"})).await).1, "Hello, Ada!");
    stage.stop().await;
    nobody_is_left(folder.path()).await;
}

#[tokio::test]
async fn a_server_that_hangs_holds_up_nobody() {
    let (stage, _folder) = with_servers(&[("quiet", "silent"), ("good", "good")]).await;
    let owner = stage.owner();
    approve(&owner, "quiet").await;
    let_in(&owner, "good").await;
    let began = Instant::now();
    stage.model.reply("Hello.");
    owner.ask("Hello").await;
    assert!(began.elapsed() < Duration::from_secs(5), "a turn does not wait for a server");
    assert_eq!(server(&owner, "quiet").await["state"], "starting");
    // A hanging call ends when the user stops it, and the server is notified.
    stage.model.reply(ScriptedReply::empty().tool_call("c1", "good__sleep", "{}")).reply("There.");
    let mut stream = owner.say(json!({"message": "Sleep"})).await;
    let seen = stream.until("confirmation").await;
    let (turn, question) = (seen[0].field("turnId").to_owned(), seen.last().unwrap().field("id").to_owned());
    owner.post(&format!("/api/chat/confirm/{question}"), json!({"approved": true})).await;
    stream.until("tool").await;
    owner.stop(&turn).await;
    stream.rest().await;
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn servers_are_added_and_taken_away_by_the_owner_and_by_the_command_line() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    stage.run(&["mcp", "add", "notes", "--env", "KEY=x", "--", "python3", &SERVER, "good"]).await.ok();
    is_in_state(&owner, "notes", "ready").await;
    assert!(stage.home.read("config.toml").contains("KEY"));
    let listed = stage.run(&["mcp", "list"]).await.ok();
    assert!(listed.contains("notes") && listed.contains("ready") && listed.contains("Sandbox"), "{listed}");
    let again = owner.post("/api/mcp/servers", json!({"name": "notes", "server": {"command": "sh"}})).await;
    assert_eq!(again.status, 409);
    let wrong = owner.post("/api/mcp/servers", json!({"name": "other", "server": {"args": []}})).await;
    assert_eq!(wrong.status, 400, "{}", wrong.text());
    stage.run(&["mcp", "stop", "notes"]).await.ok();
    is_in_state(&owner, "notes", "resting").await;
    let tools = owner.get("/api/tools").await.text();
    assert!(!tools.contains("notes__greet"), "its tools go with it");
    stage.run(&["mcp", "start", "notes"]).await.ok();
    is_in_state(&owner, "notes", "ready").await;
    stage.run(&["mcp", "remove", "notes"]).await.ok();
    assert!(server(&owner, "notes").await.is_null());
    // A new server under the same name needs its own approval.
    let text = format!("{}\n[mcpServers.notes]\ncommand = \"python3\"\n", stage.home.read("config.toml"));
    stage.home.write("config.toml", &text);
    is_in_state(&owner, "notes", "asking").await;
    let asked = stage.run(&["mcp", "approve", "notes"]).await;
    assert_eq!(asked.code, Some(1), "nobody is there to say yes: {asked:?}");
    assert!(asked.stdout.contains("would start"), "{asked:?}");
}
