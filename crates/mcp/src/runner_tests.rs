use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines};

use super::*;

/// A runner and a client, with the transport between them.
struct Talk {
    runner: (Lines<BufReader<DuplexStream>>, DuplexStream),
    client: (Lines<BufReader<DuplexStream>>, DuplexStream),
    connected: tokio::task::JoinHandle<Result<(), String>>,
}

impl Talk {
    fn begin() -> Self {
        let pipe = || tokio::io::duplex(1 << 20);
        let ((to_runner, from_transport), (from_runner, output)) = (pipe(), pipe());
        let ((to_client, answers), (from_client, requests)) = (pipe(), pipe());
        let connected = tokio::spawn(connect_runner(output, to_runner, (requests, to_client)));
        Self {
            runner: (BufReader::new(from_transport).lines(), from_runner),
            client: (BufReader::new(answers).lines(), from_client),
            connected,
        }
    }

    async fn with_tools() -> Self {
        let mut talk = Self::begin();
        let sides =
            json!({"type": "object", "properties": {"sides": {"type": "integer"}}, "required": ["sides"]});
        let roll = json!({"name": "roll", "description": "Rolls.", "parameters": sides});
        talk.runs(json!({"serves": "tools", "name": "dice", "instructions": "Roll.", "tools": [roll]})).await;
        talk
    }

    /// Has the runner write a line.
    async fn runs(&mut self, line: Value) {
        self.writes(&line.to_string()).await;
    }

    async fn writes(&mut self, line: &str) {
        self.runner.1.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// Returns the next line that the runner reads.
    async fn hears(&mut self) -> Value {
        serde_json::from_str(&soon(self.runner.0.next_line()).await.unwrap().unwrap()).unwrap()
    }

    async fn asks(&mut self, line: &str) {
        self.client.1.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn request(&mut self, id: u64, method: &str, params: Value) {
        self.asks(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()).await;
    }

    /// Returns the next message that the client reads.
    async fn answer(&mut self) -> Value {
        serde_json::from_str(&soon(self.client.0.next_line()).await.unwrap().unwrap()).unwrap()
    }

    /// Shows that both sides are still served.
    async fn is_alive(&mut self) {
        self.request(99, "ping", json!({})).await;
        let ping = loop {
            let heard = self.hears().await;
            if heard["ping"].is_number() {
                break heard;
            }
        };
        self.runs(json!({"pong": ping["ping"]})).await;
        while self.answer().await["id"] != 99 {}
    }
}

async fn soon<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), work).await.expect("it does not take long")
}

#[tokio::test]
async fn a_client_meets_a_server_like_any_other() {
    let mut talk = Talk::with_tools().await;
    for (asked, answered) in [
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2024-11-05"),
        ("1999-01-01", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let client = json!({"name": "tests", "version": "1"});
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": client});
        talk.request(1, "initialize", params).await;
        let about = talk.answer().await["result"].clone();
        assert_eq!(about["protocolVersion"], answered);
        assert_eq!((&about["serverInfo"]["name"], &about["instructions"]), (&json!("dice"), &json!("Roll.")));
        assert_eq!(about["capabilities"], json!({"tools": {}}));
    }
    talk.request(2, "tools/list", json!({})).await;
    let tools = talk.answer().await["result"]["tools"].clone();
    assert_eq!(
        (&tools[0]["name"], &tools[0]["inputSchema"]["required"]),
        (&json!("roll"), &json!(["sides"]))
    );
    talk.request(3, "resources/list", json!({})).await;
    assert_eq!(talk.answer().await["error"]["code"], -32601);
}

#[tokio::test]
async fn a_call_goes_to_the_runner_and_its_answer_to_the_client() {
    let mut talk = Talk::with_tools().await;
    let calls = [
        (json!({"content": ["6"]}), json!(["6"]), false),
        (json!({"content": []}), json!([]), false),
        (json!({"content": ["a", "ü"]}), json!(["a", "ü"]), false),
        (json!({"error": "no"}), json!(["no"]), true),
    ];
    for (number, (said, texts, failed)) in (1..).zip(calls) {
        talk.request(10 * number, "tools/call", json!({"name": "roll", "arguments": {"sides": 6}})).await;
        assert_eq!(talk.hears().await, json!({"id": number, "tool": "roll", "arguments": {"sides": 6}}));
        let mut line = said;
        line["id"] = number.into();
        talk.runs(line).await;
        let answer = talk.answer().await;
        let found: Vec<_> =
            answer["result"]["content"].as_array().unwrap().iter().map(|block| &block["text"]).collect();
        assert_eq!((json!(found), answer["result"]["isError"] == true), (texts, failed), "{answer}");
        assert_eq!(answer["id"], 10 * number);
    }
}

#[tokio::test]
async fn arguments_are_checked_before_the_runner_hears_of_them() {
    let mut talk = Talk::with_tools().await;
    for (params, words) in [
        (json!({"name": "roll", "arguments": {"sides": "six"}}), "sides"),
        (json!({"name": "roll"}), "sides"),
        (json!({"name": "throw", "arguments": {}}), "Unknown tool: throw"),
    ] {
        talk.request(1, "tools/call", params).await;
        let result = talk.answer().await["result"].clone();
        assert!(
            result["isError"] == true && result["content"][0]["text"].as_str().unwrap().contains(words),
            "{result}"
        );
    }
    talk.is_alive().await;
}

#[tokio::test]
async fn progress_is_told_to_those_who_want_it_and_a_cancelled_call_has_no_answer() {
    let mut talk = Talk::with_tools().await;
    let wanted = json!({"name": "roll", "arguments": {"sides": 6}, "_meta": {"progressToken": "t"}});
    talk.request(1, "tools/call", wanted.clone()).await;
    talk.hears().await;
    talk.runs(json!({"id": 1, "progress": 1, "total": 2, "message": "on"})).await;
    let told = talk.answer().await;
    let params = json!({"progressToken": "t", "progress": 1.0, "total": 2.0, "message": "on"});
    assert_eq!((&told["method"], &told["params"]), (&json!("notifications/progress"), &params));
    talk.asks(r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}"#).await;
    assert_eq!(talk.hears().await, json!({"cancel": 1}));
    talk.runs(json!({"id": 1, "content": ["late"]})).await;
    talk.request(2, "tools/call", json!({"name": "roll", "arguments": {"sides": 6}})).await;
    talk.hears().await;
    talk.runs(json!({"id": 2, "progress": 1})).await;
    talk.runs(json!({"id": 2, "content": ["6"]})).await;
    assert_eq!(talk.answer().await["id"], 2, "nothing came before it");
}

#[tokio::test]
async fn what_functions_write_into_the_channel_answers_no_call() {
    let mut talk = Talk::with_tools().await;
    talk.request(1, "tools/call", json!({"name": "roll", "arguments": {"sides": 6}})).await;
    talk.hears().await;
    let too_long = "x".repeat(LONGEST_MESSAGE + 1);
    for line in [
        "",
        "hello",
        "{",
        "null",
        "[]",
        "7",
        "{}",
        r#"{"id": 1}"#,
        r#"{"id": 7, "content": ["x"]}"#,
        r#"{"id": "1", "content": ["x"]}"#,
        r#"{"id": 1, "content": "x"}"#,
        r#"{"id": 1, "content": [1]}"#,
        r#"{"id": -1, "error": "x"}"#,
        r#"{"id": 7, "progress": 1}"#,
        r#"{"id": 1, "progress": "x"}"#,
        r#"{"pong": 9}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "result": {"content": []}}"#,
        r#"{"serves": "mcp"}"#,
        &too_long,
    ] {
        talk.writes(line).await;
    }
    talk.runs(json!({"id": 1, "content": ["6"]})).await;
    let answer = talk.answer().await;
    assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(1), &json!("6")));
    talk.runs(json!({"id": 1, "content": ["again"]})).await;
    talk.is_alive().await;
}

#[tokio::test]
async fn nonsense_of_a_client_costs_its_own_message() {
    let mut talk = Talk::with_tools().await;
    let deep = "[".repeat(200_000);
    let too_long = "y".repeat(LONGEST_MESSAGE + 1);
    for line in [
        "hello",
        "{",
        "\u{0}\u{1}",
        "Content-Length: 42",
        &deep,
        "",
        "   \t ",
        "null",
        "5",
        "[]",
        "{}",
        r#"{"id": 1, "method": "ping"}"#,
        r#"{"jsonrpc": "1.0", "id": 1, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": 1}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "method": 5}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "method": "no/such"}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": []}}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "roll", "arguments": []}}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 5}}"#,
        r#"{"jsonrpc": "2.0", "method": "no/such"}"#,
        r#"{"jsonrpc": "2.0", "method": "notifications/cancelled"}"#,
        r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}"#,
        r#"{"jsonrpc": "2.0", "id": 7, "result": {}}"#,
        r#"{"jsonrpc": "2.0", "id": 7, "error": "x"}"#,
        &too_long,
    ] {
        talk.asks(line).await;
        talk.is_alive().await;
    }
}

#[tokio::test]
async fn it_ends_with_the_runner_and_waits_for_it_after_the_client() {
    let Talk { runner: (mut heard, mut said), client: (mut answers, mut asked), connected } =
        Talk::with_tools().await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "roll", "arguments": {"sides": 6}}});
    asked.write_all(format!("{call}\n").as_bytes()).await.unwrap();
    soon(heard.next_line()).await.unwrap().unwrap();
    drop(asked);
    assert_eq!(soon(heard.next_line()).await.unwrap(), None, "the runner's input is closed");
    said.write_all(b"{\"id\": 1, \"content\": [\"6\"]}\n").await.unwrap();
    assert!(
        soon(answers.next_line()).await.unwrap().unwrap().contains("\"6\""),
        "what was nearly done is answered"
    );
    drop(said);
    assert_eq!(soon(connected).await.unwrap(), Ok(()));
}

#[tokio::test]
async fn a_runner_that_serves_nothing_says_why_and_one_that_hands_over_is_left_alone() {
    for (line, why) in [
        (r#"{"serves": "nothing", "why": "it uses pydantic"}"#, "it uses pydantic"),
        ("hello", "makes no sense"),
        (r#"{"serves": "dinner"}"#, "makes no sense"),
    ] {
        let mut talk = Talk::begin();
        talk.writes(line).await;
        assert!(soon(talk.connected).await.unwrap().unwrap_err().contains(why), "{line}");
    }
    let talk = Talk::begin();
    drop(talk.runner);
    assert!(soon(talk.connected).await.unwrap().is_err());
    let mut talk = Talk::begin();
    talk.runner.1.write_all(b"{\"serves\": \"mcp\"}\n{\"first\": 1}\n").await.unwrap();
    assert_eq!(talk.answer().await, json!({"first": 1}));
    talk.asks("anything").await;
    assert_eq!(soon(talk.runner.0.next_line()).await.unwrap().unwrap(), "anything");
    drop(talk.runner.1);
    assert_eq!(soon(talk.connected).await.unwrap(), Ok(()));
}
