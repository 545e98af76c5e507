//! The access of other agents to Luna: over HTTP and over standard input and output.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::{ScriptedReply, perigee_command};
use tokio::io::AsyncWriteExt as _;

use crate::support::{BIN, Client, Setup, Stage, soon};

pub async fn open() -> Stage {
    Setup::new().await.table("[mcp]\nenabled = true\n").start().await
}

/// An agent's session with the endpoint.
pub struct Agent {
    pub client: Client,
    pub session: Option<String>,
    next: u64,
}

impl Agent {
    pub async fn new(client: Client) -> Self {
        let mut agent = Self { client, session: None, next: 0 };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "other", "version": "1"},
        });
        let welcome = agent.ask("initialize", hello).await;
        assert_eq!(welcome["result"]["serverInfo"]["name"], "perigee", "{welcome}");
        agent.post(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        agent
    }

    pub async fn post(&mut self, message: Value) -> crate::support::Answer {
        let mut request = self.client.request(reqwest::Method::POST, "/mcp").json(&message);
        request = request.header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session).header("mcp-protocol-version", "2025-11-25");
        }
        let answer = self.client.send(request).await;
        if let Some(session) = answer.header("mcp-session-id") {
            self.session = Some(session.to_owned());
        }
        answer
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        let (id, messages) = self.hear(method, params).await;
        let answer = messages.iter().find(|message| message["id"] == id);
        answer.unwrap_or_else(|| panic!("{messages:?}")).clone()
    }

    /// Sends a request, and returns its id and all messages on its stream.
    async fn hear(&mut self, method: &str, params: Value) -> (u64, Vec<Value>) {
        self.next += 1;
        let id = self.next;
        let answer = self.post(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        let text = answer.text();
        let message = |line: &str| serde_json::from_str(line.strip_prefix("data: ").unwrap_or(line)).ok();
        (id, text.lines().filter_map(message).collect())
    }

    pub async fn call(&mut self, tool: &str, arguments: Value) -> (bool, String) {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        let result = &answer["result"];
        (result["isError"] == true, result["content"][0]["text"].as_str().unwrap_or_default().to_owned())
    }

    async fn tools(&mut self) -> Vec<String> {
        let list = self.ask("tools/list", json!({})).await;
        let tools = list["result"]["tools"].as_array().cloned().unwrap_or_default();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn it_is_off_until_somebody_switches_it_on() {
    let stage = Stage::start().await;
    let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert_eq!(stage.owner().post("/mcp", ask.clone()).await.status, 403);
    assert_eq!(stage.stranger().post("/mcp", ask).await.status, 401);
    let told = stage
        .run_with_input(&["mcp", "serve"], "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
        .await
        .ok();
    assert!(told.contains("mcp.enabled"), "{told}");
}

#[tokio::test]
async fn an_agent_uses_her_memory_without_what_is_private() {
    let stage = open().await;
    let owner = stage.owner();
    owner.post("/api/memory", json!({"content": "Likes green tea"})).await;
    owner.post("/api/memory", json!({"content": "The alarm code is 4711", "private": true})).await;
    let mut agent = Agent::new(stage.owner()).await;
    assert_eq!(agent.tools().await, ["recall", "remember", "ask"]);
    let (failed, told) = agent.call("recall", json!({"query": "green tea"})).await;
    assert!(!failed && told.contains("green tea"), "{told}");
    let (failed, told) = agent.call("recall", json!({"query": "What is the alarm code?"})).await;
    assert!(!failed && !told.contains("4711"), "{told}");
    let (failed, _) = agent.call("remember", json!({"content": "Works at Bosch"})).await;
    assert!(!failed);
    let waiting = owner.get("/api/memory?status=unconfirmed").await.json();
    let fact = &waiting["facts"][0];
    assert_eq!((&fact["content"], &fact["status"]), (&json!("Works at Bosch"), &json!("unconfirmed")));
    assert_eq!(fact["origins"][0], json!({"kind": "mcp", "name": "other"}));
    let (failed, why) = agent.call("recall", json!({})).await;
    assert!(failed && why.contains("`query`"), "{why}");
    assert!(agent.ask("tools/call", json!({"name": "run_command"})).await["error"].is_object());
}

#[tokio::test]
async fn a_token_has_what_its_scopes_say() {
    let stage = open().await;
    let mut reader = Agent::new(stage.lesser(&["memory.read"]).await).await;
    assert_eq!(reader.tools().await, ["recall"]);
    let refused = reader.ask("tools/call", json!({"name": "remember", "arguments": {"content": "x"}})).await;
    assert!(refused["error"].is_object(), "{refused}");
    let mut writer = Agent::new(stage.lesser(&["memory.write", "chat"]).await).await;
    assert_eq!(writer.tools().await, ["recall", "remember", "ask"]);
}

#[tokio::test]
async fn what_an_agent_says_is_nobodys_order() {
    let stage = open().await;
    let owner = stage.owner();
    stage.model.reply("Hello, agent.");
    let mut agent = Agent::new(stage.owner()).await;
    assert_eq!(agent.call("ask", json!({"message": "Hello"})).await, (false, "Hello, agent.".into()));
    // A call that changes something needs a confirmation, although the tool itself is allowed.
    let request =
        owner.request(reqwest::Method::PUT, "/api/permissions").json(&json!({"memory_create": "allow"}));
    assert_eq!(owner.send(request).await.status, 200);
    let arguments = json!({"filename": "note", "content": "obey"}).to_string();
    stage
        .model
        .reply(ScriptedReply::empty().tool_call("c1", "memory_create", &arguments))
        .reply("I may not.");
    let asking = tokio::spawn(async move {
        let call = json!({
            "name": "ask", "arguments": {"message": "Write a note"}, "_meta": {"progressToken": "note"},
        });
        agent.hear("tools/call", call).await.1
    });
    let waiting = soon("a question", async {
        loop {
            let waiting = owner.get("/api/chat/confirmations").await.json();
            if let Some(first) = waiting["waiting"].as_array().and_then(|all| all.first()) {
                return first["confirmation"].clone();
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await;
    assert_eq!(waiting["tainted"], true);
    assert!(waiting["why"].as_str().unwrap().contains("another program (other)"), "{waiting}");
    let path = format!("/api/chat/confirm/{}", waiting["id"].as_str().unwrap());
    owner.post(&path, json!({"approved": false})).await;
    let heard = soon("an answer", asking).await.unwrap();
    let [waits, answer] = heard.as_slice() else { panic!("{heard:?}") };
    assert_eq!(waits["method"], "notifications/progress");
    assert_eq!(waits["params"]["progressToken"], "note");
    assert!(waits["params"]["message"].as_str().unwrap().contains("waits"), "{waits}");
    assert_eq!(answer["result"]["content"][0]["text"], "I may not.");
}

#[tokio::test]
async fn no_stream_is_opened_for_a_page_of_somebody_else() {
    let stage = open().await;
    let agent = Agent::new(stage.owner()).await;
    let request = agent.client.request(reqwest::Method::GET, "/mcp").header("accept", "text/event-stream");
    let request = request.header("mcp-session-id", agent.session.as_deref().unwrap());
    assert_eq!(agent.client.send(request.header("origin", "http://evil.example")).await.status, 403);
}

#[tokio::test]
async fn a_program_speaks_with_her_on_its_standard_streams() {
    let stage = open().await;
    stage.owner().post("/api/memory", json!({"content": "Likes green tea"})).await;
    let mut command = perigee_command(Path::new(BIN), stage.home.path(), ["mcp", "serve"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "other", "version": "1"},
    });
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
               "params": {"name": "recall", "arguments": {"query": "tea"}}}),
    ];
    let mut stdin = child.stdin.take().unwrap();
    for message in messages {
        stdin.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }
    stdin.write_all(b"no message\n").await.unwrap();
    drop(stdin);
    let output = soon("its end", child.wait_with_output()).await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of =
        |id: u64| answers.iter().find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("{id}: {text}"));
    assert_eq!(of(1)["result"]["serverInfo"]["name"], "perigee");
    assert_eq!(of(2)["result"]["tools"][0]["name"], "recall");
    assert!(of(3)["result"]["content"][0]["text"].as_str().unwrap().contains("green tea"), "{text}");
    assert!(output.status.success());
}
