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

use crate::server_calls::{ServerCalls, shortened};
use crate::server_log::ServerLog;

/// The protocol revision offered to servers.
pub const REVISION: ProtocolVersion = ProtocolVersion::V_2025_11_25;
/// The most tokens that a server may request from the model.
const MOST_TOKENS: u32 = 2_000;
/// The longest prompt for sampling: the user sees it in full, and a longer one is refused.
const LONGEST_PROMPT: usize = 20_000;

/// Answers sampling requests with the user's model.
#[async_trait]
pub trait SamplingModel: Send + Sync {
    /// Returns the reply and the name of the model.
    async fn answer(
        &self,
        instructions: String,
        conversation: Vec<(SamplingRole, String)>,
        max_tokens: u32,
    ) -> Option<(String, String)>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SamplingRole {
    User,
    Assistant,
}

/// The client-side handler of one server connection.
#[derive(Clone)]
pub struct ServerRequestHandler {
    pub server: String,
    pub calls: Arc<ServerCalls>,
    pub log: Arc<ServerLog>,
    /// Notified when the server's offer has changed.
    pub changed: Arc<Notify>,
    pub model: Arc<dyn SamplingModel>,
    /// The root folder announced to the server.
    pub root: Option<PathBuf>,
}

impl ClientHandler for ServerRequestHandler {
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
        let Some(call) = self.calls.caller() else { return Ok(ElicitResult::new(ElicitationAction::Cancel)) };
        let form_schema = form.clone();
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
            Some(answer) => match form_schema {
                Some(form) => checked_answer(answer, &form),
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
        let conversation: Vec<(SamplingRole, String)> = request.messages.iter().map(role_and_text).collect();
        let instructions = request.system_prompt.unwrap_or_default();
        let call = self.calls.caller().ok_or_else(|| no("no user is here to ask"))?;
        let text = shown_prompt(&instructions, &conversation);
        if text.chars().nth(LONGEST_PROMPT).is_some() {
            return Err(no("this is more than a user would read before saying yes"));
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
            .answer(instructions, conversation, request.max_tokens.min(MOST_TOKENS))
            .await
            .ok_or_else(|| no("no model answers"))?;
        Ok(CreateMessageResult::new(SamplingMessage::assistant_text(words), model)
            .with_stop_reason(CreateMessageResult::STOP_REASON_END_TURN))
    }

    async fn on_logging_message(
        &self,
        notification: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let text = match notification.data.as_str() {
            Some(text) => shortened(text),
            None => shortened(&notification.data.to_string()),
        };
        self.log.add(format!("{text}\n").as_bytes());
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
fn shown_prompt(instructions: &str, conversation: &[(SamplingRole, String)]) -> String {
    let instructions = (!instructions.is_empty()).then(|| format!("Instructions: {instructions}"));
    let is_single = conversation.len() == 1 && instructions.is_none();
    let conversation = conversation.iter().map(|(role, text)| match role {
        SamplingRole::User if is_single => text.clone(),
        SamplingRole::User => format!("Asked: {text}"),
        SamplingRole::Assistant => format!("Answered: {text}"),
    });
    instructions.into_iter().chain(conversation).collect::<Vec<_>>().join("\n\n")
}

/// Accepts the answer only if it matches the form. The dialog reports mismatches to the user earlier, so a mismatch
/// here cancels the request.
fn checked_answer(answer: Map<String, Value>, form: &Value) -> ElicitResult {
    match tools::filled_in(form, answer) {
        Ok(answer) => ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(answer)),
        Err(_) => ElicitResult::new(ElicitationAction::Cancel),
    }
}

fn role_and_text(message: &SamplingMessage) -> (SamplingRole, String) {
    let role = if message.role == Role::Assistant { SamplingRole::Assistant } else { SamplingRole::User };
    let texts = message.content.iter().map(|part| match part {
        SamplingMessageContentBlock::Text(text) => text.text.clone(),
        _ => "[something that is not text]".to_owned(),
    });
    (role, texts.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn all_that_a_model_would_be_given_is_shown() {
        let conversation =
            [(SamplingRole::User, "What is it?".to_owned()), (SamplingRole::Assistant, "A moon.".to_owned())];
        let shown = shown_prompt("Be brief.", &conversation);
        assert_eq!(shown, "Instructions: Be brief.\n\nAsked: What is it?\n\nAnswered: A moon.");
        assert_eq!(shown_prompt("", &conversation[..1]), "What is it?");
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
        for (answer, action) in [
            (json!({"name": "Ada", "age": 36, "colour": "red"}), ElicitationAction::Accept),
            (json!({}), ElicitationAction::Cancel),
            (json!({"name": 3}), ElicitationAction::Cancel),
            (json!({"name": "A"}), ElicitationAction::Cancel),
            (json!({"name": "Ada", "age": -1}), ElicitationAction::Cancel),
            (json!({"name": "Ada", "colour": "green"}), ElicitationAction::Cancel),
            (json!({"name": "Ada", "password": "x"}), ElicitationAction::Cancel),
        ] {
            let checked = checked_answer(answer.as_object().cloned().unwrap(), &form);
            assert_eq!(checked.action, action, "{answer}");
        }
    }
}
