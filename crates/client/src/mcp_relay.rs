//! A relay between lines of JSON-RPC, as on standard input and output, and an MCP endpoint of the server.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use tokio::sync::mpsc::Receiver;

use crate::client::Client;
use crate::sse::EventParser;

const SESSION: &str = "mcp-session-id";
const REVISION: &str = "mcp-protocol-version";
/// The longest message in bytes; longer ones are ignored.
const LONGEST_MESSAGE: usize = 1024 * 1024;

/// An MCP session that is being relayed.
struct Relay<'a, P> {
    client: &'a Client,
    path: &'a str,
    print: P,
    state: Mutex<State>,
}

/// The session id and protocol revision, once the session has begun.
#[derive(Default)]
struct State {
    session: Option<String>,
    revision: Option<String>,
}

impl Client {
    /// Forwards the message of each line and prints each response as one line, until the input ends.
    pub async fn relay_mcp(&self, path: &str, mut lines: Receiver<String>, print: impl Fn(&str)) {
        let relay = Relay { client: self, path, print, state: Mutex::default() };
        let mut running = FuturesUnordered::new();
        loop {
            let line = tokio::select! {
                line = lines.recv() => line,
                Some(()) = running.next(), if !running.is_empty() => continue,
            };
            let Some(line) = line else { break };
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            if line.len() > LONGEST_MESSAGE {
                continue;
            }
            let starts_session = message["method"] == "initialize";
            let forwarding = relay.forward(message);
            if starts_session {
                // The next messages need the session that this one starts.
                forwarding.await;
            } else {
                running.push(forwarding);
            }
        }
        while running.next().await.is_some() {}
        let session = relay.state().session.take();
        if let Some(session) = session {
            let _ = self.send(Method::DELETE, path, |request| request.header(SESSION, &session)).await;
        }
    }
}

impl<P: Fn(&str)> Relay<'_, P> {
    /// Forwards a message. A request that fails is answered with an error.
    async fn forward(&self, message: Value) {
        let id = message.get("id").cloned();
        let is_request = message.get("method").is_some();
        if let Err(error) = self.exchange(&message).await
            && let Some(id) = id.filter(|_| is_request)
        {
            let error = json!({"code": -32000, "message": error.to_string()});
            (self.print)(&json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string());
        }
    }

    async fn exchange(&self, message: &Value) -> anyhow::Result<()> {
        let response = self
            .client
            .send(Method::POST, self.path, |request| {
                let state = self.state();
                let mut request =
                    request.header("accept", "application/json, text/event-stream").json(message);
                for (name, value) in [(SESSION, &state.session), (REVISION, &state.revision)] {
                    if let Some(value) = value {
                        request = request.header(name, value);
                    }
                }
                request
            })
            .await?;
        if let Some(session) = header(&response, SESSION) {
            self.state().session = Some(session);
        }
        let is_stream =
            header(&response, "content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
        if is_stream {
            return self.print_stream(response).await;
        }
        let body = response.bytes().await.context("the connection to the server broke")?;
        if !body.is_empty() {
            self.print_message(&String::from_utf8_lossy(&body));
        }
        Ok(())
    }

    async fn print_stream(&self, mut response: Response) -> anyhow::Result<()> {
        let mut parser = EventParser::default();
        while let Some(bytes) = response.chunk().await.context("the connection to the server broke")? {
            parser.push(&bytes);
            while let Some((_, data)) = parser.next() {
                if !data.trim().is_empty() {
                    self.print_message(&data);
                }
            }
        }
        Ok(())
    }

    /// Prints a message as one line. The first response determines the protocol revision.
    fn print_message(&self, text: &str) {
        let Ok(message) = serde_json::from_str::<Value>(text) else { return };
        if let Some(revision) = message["result"]["protocolVersion"].as_str() {
            self.state().revision = Some(revision.to_owned());
        }
        (self.print)(&message.to_string());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn header(response: &Response, name: &str) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}
