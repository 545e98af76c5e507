//! Handles requests that a server sends to the client: elicitation, sampling, roots and logging.

// Sampling and roots are deprecated in the protocol, but current servers use them.
#![expect(deprecated)]

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ElicitationAction, ErrorData, Implementation, ListRootsResult,
    LoggingMessageNotificationParam, ProtocolVersion, Role, Root, SamplingMessage,
    SamplingMessageContentBlock,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use serde_json::{Map, Value};
use tokio::sync::Notify;
use tools::UserQuestion;

use crate::calls::Calls;
use crate::journal::Journal;

/// The protocol revision offered to servers.
pub const REVISION: ProtocolVersion = ProtocolVersion::V_2025_11_25;
/// The most tokens that a server may request from the model.
const MOST_TOKENS: u32 = 2_000;
const LONGEST_QUESTION: usize = 4_000;
/// The longest prompt for sampling: the user sees it in full, and a longer one is refused.
const LONGEST_PROMPT: usize = 20_000;

/// Answers sampling requests with the user's model.
#[async_trait]
pub trait Answering: Send + Sync {
    /// Returns the reply and the name of the model.
    async fn answer(
        &self,
        instructions: String,
        said: Vec<(Speaker, String)>,
        max_tokens: u32,
    ) -> Option<(String, String)>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    User,
    Assistant,
}

/// The client-side handler of one server connection.
#[derive(Clone)]
pub struct Handler {
    pub server: String,
    pub calls: Arc<Calls>,
    pub journal: Arc<Journal>,
    /// Notified when the server's offer has changed.
    pub changed: Arc<Notify>,
    pub model: Arc<dyn Answering>,
    /// The root folder announced to the server.
    pub root: Option<PathBuf>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let capabilities =
            ClientCapabilities::builder().enable_roots().enable_sampling().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("perigee", env!("CARGO_PKG_VERSION")))
            .with_protocol_version(REVISION)
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        let roots =
            self.root.iter().filter_map(|root| Some(Root::new(reqwest::Url::from_file_path(root).ok()?)));
        Ok(ListRootsResult::new(roots.collect()))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let (text, form) = match request {
            ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
                let form = serde_json::to_value(requested_schema).unwrap_or(Value::Null);
                (message, Some(form))
            }
            ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
                (format!("{message}\n\nIt wants you to open {url} and come back here."), None)
            }
            _ => return Ok(ElicitResult::new(ElicitationAction::Decline)),
        };
        let Some(call) = self.calls.asker() else { return Ok(ElicitResult::new(ElicitationAction::Cancel)) };
        let asked = form.clone();
        let question = UserQuestion {
            text: shortened(&text),
            why: format!(
                "The server {} asks for this. Tell it nothing that is not meant for it.",
                self.server
            ),
            form,
        };
        Ok(match call.ask(question).await {
            None => ElicitResult::new(ElicitationAction::Decline),
            Some(filled) => match asked {
                Some(form) => accepted(filled, &form),
                None => ElicitResult::new(ElicitationAction::Accept),
            },
        })
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let no = |why: &'static str| ErrorData::invalid_request(why, None);
        let said: Vec<(Speaker, String)> = request.messages.iter().map(read).collect();
        let instructions = request.system_prompt.unwrap_or_default();
        let call = self.calls.asker().ok_or_else(|| no("nobody is here to be asked"))?;
        let text = prompt(&instructions, &said);
        if text.chars().nth(LONGEST_PROMPT).is_some() {
            return Err(no("this is more than a person would read before saying yes"));
        }
        let question = UserQuestion {
            text: format!("The server {} wants to use your model, for this:\n\n{text}", self.server),
            why: format!("It uses your model, and the server {} reads the answer.", self.server),
            form: None,
        };
        if call.ask(question).await.is_none() {
            return Err(no("the user said no"));
        }
        let (words, model) = self
            .model
            .answer(instructions, said, request.max_tokens.min(MOST_TOKENS))
            .await
            .ok_or_else(|| no("no model answers"))?;
        Ok(CreateMessageResult::new(SamplingMessage::assistant_text(words), model)
            .with_stop_reason(CreateMessageResult::STOP_REASON_END_TURN))
    }

    async fn on_logging_message(
        &self,
        told: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let text = match told.data.as_str() {
            Some(text) => shortened(text),
            None => shortened(&told.data.to_string()),
        };
        self.journal.add(format!("{text}\n").as_bytes());
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }
}

/// Formats the full sampling prompt for the user.
fn prompt(instructions: &str, said: &[(Speaker, String)]) -> String {
    let instructions = (!instructions.is_empty()).then(|| format!("Instructions: {instructions}"));
    let only = said.len() == 1 && instructions.is_none();
    let said = said.iter().map(|(speaker, text)| match speaker {
        Speaker::User if only => text.clone(),
        Speaker::User => format!("Asked: {text}"),
        Speaker::Assistant => format!("Answered: {text}"),
    });
    instructions.into_iter().chain(said).collect::<Vec<_>>().join("\n\n")
}

/// Accepts the answer only if it matches the form. The dialog reports mismatches to the user earlier, so a mismatch
/// here cancels the request.
fn accepted(filled: Map<String, Value>, form: &Value) -> ElicitResult {
    match tools::filled_in(form, filled) {
        Ok(filled) => ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(filled)),
        Err(_) => ElicitResult::new(ElicitationAction::Cancel),
    }
}

fn read(message: &SamplingMessage) -> (Speaker, String) {
    let speaker = if message.role == Role::Assistant { Speaker::Assistant } else { Speaker::User };
    let texts = message.content.iter().map(|part| match part {
        SamplingMessageContentBlock::Text(text) => text.text.clone(),
        _ => "[something that is not text]".to_owned(),
    });
    (speaker, texts.collect::<Vec<_>>().join("\n"))
}

/// Cuts a text to a length that a user would read.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUESTION) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn all_that_a_model_would_be_given_is_shown() {
        let said = [(Speaker::User, "What is it?".to_owned()), (Speaker::Assistant, "A moon.".to_owned())];
        let shown = prompt("Be brief.", &said);
        assert_eq!(shown, "Instructions: Be brief.\n\nAsked: What is it?\n\nAnswered: A moon.");
        assert_eq!(prompt("", &said[..1]), "What is it?");
    }

    #[test]
    fn a_yes_with_something_else_than_the_form_asks_for_is_none() {
        let form = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 2},
                "age": {"type": "integer", "minimum": 0},
                "colour": {"type": "string", "enum": ["red", "blue"]},
            },
            "required": ["name"],
        });
        for (filled, action) in [
            (json!({"name": "Ada", "age": 36, "colour": "red"}), ElicitationAction::Accept),
            (json!({}), ElicitationAction::Cancel),
            (json!({"name": 3}), ElicitationAction::Cancel),
            (json!({"name": "A"}), ElicitationAction::Cancel),
            (json!({"name": "Ada", "age": -1}), ElicitationAction::Cancel),
            (json!({"name": "Ada", "colour": "green"}), ElicitationAction::Cancel),
            (json!({"name": "Ada", "password": "x"}), ElicitationAction::Cancel),
        ] {
            let answer = accepted(filled.as_object().cloned().unwrap(), &form);
            assert_eq!(answer.action, action, "{filled}");
        }
    }
}
