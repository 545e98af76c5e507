//! Helpers that query a model and collect its response.

use std::time::Duration;

use futures_util::StreamExt;
use model::{
    ChatModel, ChatStream, Delta, Http, ModelError, ModelMessage, ModelRequest, ModelRole, OpenAi, Retry,
    ServerOptions, ToolCallDelta,
};
use protocol::StopReason;
use testkit::ScriptedModel;

/// Everything that one response contained.
#[derive(Debug, Default)]
pub struct ReceivedReply {
    pub text: String,
    pub reasoning: String,
    pub calls: Vec<ToolCallDelta>,
    pub usage: Option<(u32, u32, u32)>,
    pub stop: Option<StopReason>,
    pub error: Option<ModelError>,
}

impl ReceivedReply {
    pub fn error(&self) -> &ModelError {
        self.error.as_ref().unwrap_or_else(|| panic!("no error: {self:?}"))
    }
}

/// Reads a stream to its end and checks that it ends correctly.
pub async fn gather(mut stream: ChatStream) -> ReceivedReply {
    let mut received = ReceivedReply::default();
    while let Some(delta) = stream.next().await {
        assert!(
            received.stop.is_none() && received.error.is_none(),
            "something came after the end: {delta:?}"
        );
        match delta {
            Ok(Delta::Text(piece)) => received.text.push_str(&piece),
            Ok(Delta::Reasoning(piece)) => received.reasoning.push_str(&piece),
            Ok(Delta::ToolCall(piece)) => received.calls.push(piece),
            Ok(Delta::Usage { prompt, cached, completion }) => {
                assert!(received.usage.replace((prompt, cached, completion)).is_none(), "usage came twice");
            }
            Ok(Delta::Stop(reason)) => received.stop = Some(reason),
            Ok(Delta::Progress { .. }) => {}
            Err(error) => received.error = Some(error),
        }
    }
    assert!(
        received.stop.is_some() != received.error.is_some(),
        "a stream ends with a stop or an error: {received:?}"
    );
    assert!(received.stop.is_none() || received.usage.is_some(), "usage comes before the stop: {received:?}");
    received
}

pub async fn ask(model: &dyn ChatModel, request: ModelRequest) -> ReceivedReply {
    match model.chat(request).await {
        Ok(stream) => gather(stream).await,
        Err(error) => ReceivedReply { error: Some(error), ..ReceivedReply::default() },
    }
}

pub fn say(text: &str) -> ModelRequest {
    ModelRequest { messages: vec![ModelMessage::text(ModelRole::User, text)], ..ModelRequest::default() }
}

/// Options with the shortest possible delays, to keep the tests fast.
pub fn options(base_url: &str) -> ServerOptions {
    let mut options = ServerOptions::new(base_url, &config::Llm::default());
    options.retry = Retry { attempts: 3, first_wait: Duration::from_millis(1), ..Retry::default() };
    options
}

pub async fn openai(server: &ScriptedModel) -> OpenAi {
    OpenAi::connect(&Http::default(), &options(&server.url())).await.unwrap()
}
