//! The whole product with the real starter model: the real binary, API and tokens. Nothing here depends on speed.

// Test helpers fail by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{PerigeeProcess, SseParser, TempHome};

const BIN: &str = env!("CARGO_BIN_EXE_perigee");

fn starter() -> String {
    model_file("smollm2-135m-instruct.gguf")
}

fn model_file(name: &str) -> String {
    let folder = std::env::var_os("PERIGEE_TEST_MODELS")
        .map(PathBuf::from)
        .or_else(|| host::cache_dir().map(|cache| cache.join("models")))
        .expect("a cache folder");
    let path = folder.join(name);
    assert!(path.exists(), "{} is missing: run `cargo xtask test`, which fetches it", path.display());
    path.to_str().expect("a path that is text").to_owned()
}

struct Luna {
    process: PerigeeProcess,
    http: reqwest::Client,
}

#[derive(Debug, Default)]
struct Answer {
    text: String,
    pieces: usize,
    conversation: String,
    usage: Value,
    last: Value,
}

impl Luna {
    async fn start(home: &TempHome) -> Self {
        model::install_crypto();
        let process =
            PerigeeProcess::start_with(BIN, home.path(), &[], &[("PERIGEE_STARTER", &starter())]).await;
        Self { process, http: reqwest::Client::builder().no_proxy().build().unwrap() }
    }

    async fn say(&self, message: &str, conversation: Option<&str>) -> Answer {
        let body = json!({"message": message, "conversationId": conversation});
        let request = self.http.post(self.process.url("/api/chat/stream")).bearer_auth(self.process.token());
        let mut response = request.json(&body).send().await.unwrap();
        assert_eq!(response.status(), 200, "{}", self.process.log());
        let (mut parser, mut answer) = (SseParser::default(), Answer::default());
        while let Some(bytes) = response.chunk().await.unwrap() {
            for event in parser.push(&bytes) {
                let event = event.json();
                match event["type"].as_str().unwrap() {
                    "metadata" => answer.conversation = event["conversationId"].as_str().unwrap().to_owned(),
                    "token" => {
                        answer.text.push_str(event["content"].as_str().unwrap());
                        answer.pieces += 1;
                    }
                    "usage" => answer.usage = event.clone(),
                    _ => {}
                }
                answer.last = event;
            }
        }
        answer
    }
}

fn settings(home: &TempHome) {
    home.write("config.toml", "[llm]\nnum_predict = 24\ntemperature = 0.0\n");
}

#[tokio::test]
async fn she_answers_from_the_model_in_the_program_and_keeps_what_it_read() {
    let home = TempHome::new();
    settings(&home);
    let luna = Luna::start(&home).await;
    let first = luna.say("What is the capital of France?", None).await;
    assert_eq!(first.last["type"], "done", "{first:?}\n{}", luna.process.log());
    assert!(first.pieces > 3 && first.text.len() > 10, "streamed in pieces: {first:?}");
    let prompt = first.usage["promptTokens"].as_u64().unwrap();

    let second = luna.say("Tell me more about it.", Some(&first.conversation)).await;
    let evaluated =
        second.usage["promptTokens"].as_u64().unwrap() - second.usage["cachedTokens"].as_u64().unwrap();
    assert!(evaluated < prompt / 2, "the second turn evaluates only what is new: {second:?}");
    assert!(luna.process.stop().await.success());

    let luna = Luna::start(&home).await;
    let third = luna.say("And then?", Some(&first.conversation)).await;
    assert_eq!(third.last["type"], "done", "{third:?}");
    let evaluated =
        third.usage["promptTokens"].as_u64().unwrap() - third.usage["cachedTokens"].as_u64().unwrap();
    assert!(evaluated < prompt / 2, "so does the first turn after a restart: {third:?}");
    luna.process.stop().await;
}

#[tokio::test]
async fn the_terminal_talks_to_the_same_model_without_a_server() {
    let home = TempHome::new();
    settings(&home);
    let starter = starter();
    let mut command = testkit::perigee_command(BIN.as_ref(), home.path(), ["chat", "Say hello."]);
    let running = command.env("PERIGEE_STARTER", &starter).output();
    let output = tokio::time::timeout(Duration::from_mins(2), running).await.expect("in time").unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.trim().len() > 3, "{said}");
}

/// Returns the first memory recalled for a question, and whether it was found by meaning.
async fn recalled(luna: &Luna, question: &str) -> (String, bool) {
    let request = luna.http.get(luna.process.url("/api/memory/recall")).query(&[("q", question)]);
    let reply: Value = request.bearer_auth(luna.process.token()).send().await.unwrap().json().await.unwrap();
    let first = &reply["items"][0];
    let parts = first["parts"].as_array().cloned().unwrap_or_default();
    let by_meaning = parts.iter().any(|part| part["name"] == "meaning");
    (first["text"].as_str().unwrap_or_default().to_owned(), by_meaning)
}

#[tokio::test]
async fn a_newcomer_is_remembered_by_meaning_from_the_first_message() {
    let home = TempHome::new();
    settings(&home);
    model::install_crypto();
    let files = [
        ("PERIGEE_STARTER", starter()),
        ("PERIGEE_STARTER_FOR_MEANING", model_file("all-minilm-l6-v2.onnx")),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, file)| (*name, file.as_str())).collect();
    let process = PerigeeProcess::start_with(BIN, home.path(), &[], &files).await;
    let luna = Luna { process, http: reqwest::Client::builder().no_proxy().build().unwrap() };
    luna.say("The vet says that our puppy may come home tomorrow.", None).await;
    // The vector is computed after the answer, once the embedding model is loaded.
    let mut found = (String::new(), false);
    for _ in 0..120 {
        found = recalled(&luna, "Is the little dog still at the clinic?").await;
        if found.1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    assert!(found.0.contains("puppy") && found.1, "{found:?}\n{}", luna.process.log());
    assert!(luna.process.stop().await.success());
    let examined = testkit::perigee_command(BIN.as_ref(), home.path(), ["doctor", "--json"]).output().await;
    let report: Value = serde_json::from_slice(&examined.unwrap().stdout).unwrap();
    let meaning = report["checks"].as_array().unwrap().iter().find(|check| check["id"] == "meaning").unwrap();
    assert_eq!(meaning["level"], "ok", "{meaning}");
}
