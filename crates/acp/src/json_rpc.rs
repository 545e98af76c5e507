//! JSON-RPC with the editor, one message per line.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use agent_client_protocol_schema::v1::{Error, JsonRpcMessage, Notification, Request, RequestId, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

/// A message from the editor.
#[derive(Debug)]
pub enum EditorMessage {
    Request { id: RequestId, method: String, params: Value },
    Notification { method: String, params: Value },
}

/// Pending requests to the editor, by id.
type Waiting = HashMap<i64, oneshot::Sender<Result<Value, Error>>>;

/// The connection to the editor.
#[derive(Clone)]
pub struct EditorConnection {
    lines: mpsc::UnboundedSender<String>,
    waiting: Arc<Mutex<Waiting>>,
    next: Arc<AtomicI64>,
}

impl EditorConnection {
    pub fn new(lines: mpsc::UnboundedSender<String>) -> Self {
        Self { lines, waiting: Arc::default(), next: Arc::default() }
    }

    /// Parses a line from the editor. A response goes to the task that waits for it, and `None` is returned.
    pub fn read(&self, line: &str) -> Option<EditorMessage> {
        let mut message = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(message)) => message,
            other => {
                let error = if other.is_ok() { Error::invalid_request() } else { Error::parse_error() };
                self.answer::<Value>(RequestId::Null, Err(error));
                return None;
            }
        };
        let id = message.remove("id").and_then(|id| serde_json::from_value::<RequestId>(id).ok());
        let Some(Value::String(method)) = message.remove("method") else {
            let result = match message.remove("error") {
                Some(error) => Err(serde_json::from_value(error).unwrap_or_else(|_| Error::internal_error())),
                None => Ok(message.remove("result").unwrap_or_default()),
            };
            if let Some(RequestId::Number(id)) = id
                && let Some(asked) = self.waiting().remove(&id)
            {
                asked.send(result).ok();
            }
            return None;
        };
        let params = message.remove("params").unwrap_or_default();
        Some(match id {
            Some(id) => EditorMessage::Request { id, method, params },
            None => EditorMessage::Notification { method, params },
        })
    }

    pub fn answer<T: Serialize>(&self, id: RequestId, result: Result<T, Error>) {
        self.send(&JsonRpcMessage::wrap(Response::new(id, result)));
    }

    pub fn notify(&self, method: &str, params: impl Serialize) {
        self.send(&JsonRpcMessage::wrap(Notification { method: method.into(), params: Some(params) }));
    }

    /// Sends a request to the editor and returns its result, or an error if it refuses or has disconnected.
    pub async fn ask<T: DeserializeOwned>(&self, method: &str, params: impl Serialize) -> Result<T, Error> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answered) = oneshot::channel();
        self.waiting().insert(id, sender);
        self.send(&JsonRpcMessage::wrap(Request {
            id: id.into(),
            method: method.into(),
            params: Some(params),
        }));
        let answer = answered.await.unwrap_or_else(|_| Err(Error::request_cancelled()))?;
        serde_json::from_value(answer).map_err(|_| Error::invalid_params())
    }

    /// Fails all pending requests, as no more responses will arrive.
    pub fn disconnect(&self) {
        self.waiting().clear();
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, message: &impl Serialize) {
        if let Ok(line) = serde_json::to_string(message) {
            self.lines.send(line).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn editor() -> (EditorConnection, mpsc::UnboundedReceiver<String>) {
        let (lines, sent) = mpsc::unbounded_channel();
        (EditorConnection::new(lines), sent)
    }

    #[tokio::test]
    async fn a_question_is_answered_by_its_number() {
        let (editor, mut sent) = editor();
        let asking = editor.clone();
        let asked = tokio::spawn(async move { asking.ask::<Value>("x/y", json!({"a": 1})).await });
        let line: Value = serde_json::from_str(&sent.recv().await.unwrap()).unwrap();
        assert_eq!(line, json!({"jsonrpc": "2.0", "id": 0, "method": "x/y", "params": {"a": 1}}));
        assert!(editor.read(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#).is_none(), "nobody asked that");
        assert!(editor.read(r#"{"jsonrpc":"2.0","id":0,"result":{"b":2}}"#).is_none());
        assert_eq!(asked.await.unwrap().unwrap(), json!({"b": 2}));
    }

    #[tokio::test]
    async fn an_editor_that_is_gone_answers_nothing_for_ever() {
        let (editor, _sent) = editor();
        let asking = editor.clone();
        let asked = tokio::spawn(async move { asking.ask::<Value>("x/y", json!({})).await });
        while editor.waiting().is_empty() {
            tokio::task::yield_now().await;
        }
        editor.disconnect();
        assert!(asked.await.unwrap().is_err());
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let (editor, mut sent) = editor();
        for (line, code) in [("", "-32700"), ("nonsense", "-32700"), ("[]", "-32600"), ("\"x\"", "-32600")] {
            assert!(editor.read(line).is_none(), "{line}");
            assert!(sent.try_recv().unwrap().contains(code), "{line}");
        }
        assert!(matches!(
            editor.read(r#"{"jsonrpc":"2.0","id":"a","method":"m"}"#),
            Some(EditorMessage::Request { method, .. }) if method == "m"
        ));
        assert!(matches!(
            editor.read(r#"{"jsonrpc":"2.0","method":"n","params":[1]}"#),
            Some(EditorMessage::Notification { method, .. }) if method == "n"
        ));
    }
}
