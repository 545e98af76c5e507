//! A relay between standard input and output and an MCP endpoint of the server.

use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::Client;
use super::sse::Lines;
use crate::terminal;

const SESSION: &str = "mcp-session-id";
const REVISION: &str = "mcp-protocol-version";
/// The longest message in bytes; longer ones are ignored.
const LONGEST: usize = 1024 * 1024;

/// The session id and protocol revision of an MCP session, once it has begun.
#[derive(Default)]
struct Conversation {
    session: Option<String>,
    revision: Option<String>,
}

impl Client {
    /// Forwards each line's message and prints the responses, until the input ends.
    pub async fn relay(&self, path: &str) -> anyhow::Result<ExitCode> {
        let conversation = Mutex::new(Conversation::default());
        let mut lines = terminal::input_lines();
        let mut running = FuturesUnordered::new();
        loop {
            let line = tokio::select! {
                line = lines.recv() => line,
                Some(()) = running.next(), if !running.is_empty() => continue,
            };
            let Some(line) = line else { break };
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            if line.len() > LONGEST {
                continue;
            }
            let begins = message["method"] == "initialize";
            let passing = self.pass(path, message, &conversation);
            if begins {
                // The next messages need the session that this one starts.
                passing.await;
            } else {
                running.push(passing);
            }
        }
        while running.next().await.is_some() {}
        let session = lock(&conversation).session.take();
        if let Some(session) = session {
            let _ = self.send(Method::DELETE, path, |request| request.header(SESSION, &session)).await;
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn pass(&self, path: &str, message: Value, conversation: &Mutex<Conversation>) {
        let id = message.get("id").cloned();
        let is_request = message.get("method").is_some();
        if let Err(error) = self.answered(path, &message, conversation).await
            && let Some(id) = id.filter(|_| is_request)
        {
            let error = json!({"code": -32000, "message": error.to_string()});
            print(&json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string());
        }
    }

    async fn answered(
        &self,
        path: &str,
        message: &Value,
        conversation: &Mutex<Conversation>,
    ) -> anyhow::Result<()> {
        let response = self
            .send(Method::POST, path, |request| {
                let known = lock(conversation);
                let mut request =
                    request.header("accept", "application/json, text/event-stream").json(message);
                for (name, value) in [(SESSION, &known.session), (REVISION, &known.revision)] {
                    if let Some(value) = value {
                        request = request.header(name, value);
                    }
                }
                request
            })
            .await?;
        if let Some(session) = header(&response, SESSION) {
            lock(conversation).session = Some(session);
        }
        let streamed =
            header(&response, "content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
        if streamed {
            return stream(response, conversation).await;
        }
        let body = response.bytes().await.context("the connection to the server broke")?;
        if !body.is_empty() {
            tell(&String::from_utf8_lossy(&body), conversation);
        }
        Ok(())
    }
}

async fn stream(mut response: Response, conversation: &Mutex<Conversation>) -> anyhow::Result<()> {
    let mut lines = Lines::default();
    while let Some(bytes) = response.chunk().await.context("the connection to the server broke")? {
        lines.push(&bytes);
        while let Some((_, data)) = lines.next() {
            if !data.trim().is_empty() {
                tell(&data, conversation);
            }
        }
    }
    Ok(())
}

/// Prints a message as one line. The first response determines the protocol revision.
fn tell(text: &str, conversation: &Mutex<Conversation>) {
    let Ok(message) = serde_json::from_str::<Value>(text) else { return };
    if let Some(revision) = message["result"]["protocolVersion"].as_str() {
        lock(conversation).revision = Some(revision.to_owned());
    }
    print(&message.to_string());
}

fn print(line: &str) {
    terminal::print(&format!("{line}\n"));
}

fn header(response: &Response, name: &str) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}

fn lock(conversation: &Mutex<Conversation>) -> std::sync::MutexGuard<'_, Conversation> {
    conversation.lock().unwrap_or_else(PoisonError::into_inner)
}
