//! The services of the companion for other agents, at `/mcp`.

use async_trait::async_trait;
use companion::{ApiRequest, Companion};
use futures_util::StreamExt as _;
use mcp::{AgentTool, CallEvent, CallEventSender, McpHandler};
use memory::{Author, RecallRequest, Recipient};
use model::{ModelMessage, ModelRole};
use protocol::{Event, MemoryItem, NewFactRequest, Push, Scope};
use tokio_util::sync::CancellationToken;

use crate::auth::Caller;

/// Luna, as exposed to other agents: private memories are withheld, and the agents' messages are not treated as the
/// user's instructions.
pub struct Luna {
    pub companion: Companion,
}

#[async_trait]
impl McpHandler for Luna {
    type McpClient = Caller;

    fn may(&self, client: &Caller, tool: AgentTool) -> bool {
        client.may(match tool {
            AgentTool::Recall => Scope::MemoryRead,
            AgentTool::Remember => Scope::MemoryWrite,
            AgentTool::Ask => Scope::Chat,
        })
    }

    async fn recall(&self, client: &Caller, query: &str, count: usize) -> Result<String, String> {
        // An agent uses a token of the user, but still counts as another reader.
        let recall = RecallRequest { limit: Some(count), ..RecallRequest::new(query, Recipient::Other) };
        let recalled = self
            .companion
            .recall_for_display(client.user, recall)
            .await
            .map_err(|error| error.to_string())?;
        let line = |item: MemoryItem| {
            let when = item
                .at
                .map(|at| format!(" ({})", at.chars().take(10).collect::<String>()))
                .unwrap_or_default();
            format!("- {}{when}", item.text.replace('\n', " "))
        };
        let lines: Vec<String> = recalled.items.into_iter().map(line).collect();
        Ok(if lines.is_empty() { "Nothing is remembered about that.".to_owned() } else { lines.join("\n") })
    }

    async fn remember(&self, client: &Caller, content: &str, program: &str) -> Result<String, String> {
        let note = NewFactRequest { content: content.to_owned(), ..NewFactRequest::default() };
        let author = Author::Program(program.to_owned());
        let noted = self.companion.memory().add_fact(client.user, &author, note).await;
        noted.map_err(|error| error.to_string())?;
        self.companion.feed().tell(client.user, Push::MemoryChanged);
        Ok("It is written down, and waits for the person to say that it is so.".to_owned())
    }

    async fn ask(
        &self,
        client: &Caller,
        message: &str,
        program: &str,
        call_events: CallEventSender,
        cancel: CancellationToken,
    ) -> Result<String, String> {
        let request = ApiRequest {
            messages: vec![ModelMessage::text(ModelRole::User, message)],
            agent: Some(program.to_owned()),
            ..ApiRequest::default()
        };
        let log = self.companion.answer_api(client.user, request).map_err(|error| error.to_string())?;
        let mut events = Box::pin(log.follow(0));
        let mut answer = String::new();
        loop {
            let event = tokio::select! {
                event = events.next() => event,
                () = cancel.cancelled() => None,
                () = client.withdrawn.cancelled() => None,
            };
            match event {
                Some((_, Event::Token { content })) => answer.push_str(&content),
                Some((_, Event::Confirmation(_))) => drop(call_events.send(CallEvent::WaitsForConfirmation)),
                Some((_, Event::Error { message, .. })) => return Err(message),
                Some((_, event)) if event.is_last() => return Ok(answer),
                Some(_) => {}
                None => {
                    log.stop();
                    return Err("It was stopped.".to_owned());
                }
            }
        }
    }
}
