use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{
    CodeMeta, Command, Confirmation, ContextPart, ConversationId, ErrorCode, MemoryItem, MessageId, PlanStep,
    ProposalFile, ProposalId, RelevantFile, TurnId, VerifyError, VerifyStage,
};

/// What a turn emits. `Metadata` comes first; `Done` or `Error` comes last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// The message is stored and the turn runs. `messageId` will hold the answer.
    #[serde(rename_all = "camelCase")]
    Metadata {
        conversation_id: ConversationId,
        model: String,
        turn_id: TurnId,
        /// Absent when an answer is made anew: there is no new user message then.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        user_message_id: Option<MessageId>,
        message_id: MessageId,
    },
    /// What she is doing before the first word, when it takes a while.
    #[serde(rename_all = "camelCase")]
    Progress {
        stage: String,
        done: u32,
        total: u32,
        /// How long the rest will take, where that can be told.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        seconds_left: Option<u32>,
    },
    /// What she remembered for this message, best first.
    Memory {
        items: Vec<MemoryItem>,
    },
    /// A piece of the answer, as Markdown.
    Token {
        content: String,
    },
    /// A piece of the model's thinking, shown folded.
    Reasoning {
        content: String,
    },
    /// A tool call, each time its status changes. An API client's own tools are `requested` and left to the client.
    Tool {
        id: String,
        name: String,
        #[ts(type = "unknown")]
        args: Value,
        status: ToolStatus,
        /// What the model was told.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "unknown")]
        result: Option<Value>,
        /// How long it ran.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ms: Option<u32>,
        /// Where in the text it was called, as in [`Act`](crate::Act): she finishes what she says first.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        at: Option<u32>,
    },
    /// What a tool that runs has printed since the last of these. What counts is its result; this is to watch.
    ToolOutput {
        id: String,
        text: String,
    },
    /// Something to open on the screen. `id` is the tool call that it came from.
    Command {
        id: String,
        #[serde(flatten)]
        command: Command,
    },
    /// She may not do this without a yes: `POST /api/chat/confirm/{id}`. It is settled when the tool call of the
    /// same id leaves `waiting`.
    Confirmation(Confirmation),
    /// What a long request is done in, each time a step goes on.
    Plan {
        steps: Vec<PlanStep>,
    },
    /// What a request about code is answered with: the files that were found to matter, and what each part costs.
    Context {
        files: Vec<RelevantFile>,
        parts: Vec<ContextPart>,
    },
    /// What she would change, each time it is other than before. The differences are in `GET /api/code/proposals`.
    Proposal {
        id: ProposalId,
        files: Vec<ProposalFile>,
    },
    /// Building and testing: `ok` is absent while it prints.
    Verify {
        stage: VerifyStage,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ok: Option<bool>,
        output: String,
        errors: Vec<VerifyError>,
    },
    /// How a request about code ended.
    Meta(CodeMeta),
    Usage(Usage),
    #[serde(rename_all = "camelCase")]
    Done {
        conversation_id: ConversationId,
        message_id: MessageId,
        stop_reason: StopReason,
    },
    /// The turn failed. What the user wrote is kept; so is what had come of the answer.
    Error {
        message: String,
        code: ErrorCode,
    },
}

impl Event {
    /// The value of `type` on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Event::Metadata { .. } => "metadata",
            Event::Progress { .. } => "progress",
            Event::Memory { .. } => "memory",
            Event::Token { .. } => "token",
            Event::Reasoning { .. } => "reasoning",
            Event::Tool { .. } => "tool",
            Event::ToolOutput { .. } => "toolOutput",
            Event::Command { .. } => "command",
            Event::Confirmation(_) => "confirmation",
            Event::Plan { .. } => "plan",
            Event::Context { .. } => "context",
            Event::Proposal { .. } => "proposal",
            Event::Verify { .. } => "verify",
            Event::Meta(_) => "meta",
            Event::Usage(_) => "usage",
            Event::Done { .. } => "done",
            Event::Error { .. } => "error",
        }
    }

    /// Whether nothing comes after this event.
    pub fn is_last(&self) -> bool {
        matches!(self, Event::Done { .. } | Event::Error { .. })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ToolStatus {
    /// Handed to the API client that offered the tool.
    Requested,
    /// The user is asked.
    Waiting,
    Running,
    Done,
    Failed,
    /// The user said no, or nothing in time.
    Denied,
    /// The permissions, or a skill, do not let it.
    Blocked,
}

/// Why the answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum StopReason {
    /// The model was finished.
    End,
    /// The token limit was reached.
    Length,
    /// The model calls a tool that the client runs.
    ToolCalls,
    /// The user pressed stop.
    Stopped,
    /// The connection to the model broke or the program ended; what had come is kept.
    Cut,
}

/// Tokens and times of a turn. Times are in milliseconds from the moment the message arrived.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub prompt_tokens: u32,
    /// How many of the prompt's tokens did not have to be evaluated again.
    pub cached_tokens: u32,
    pub completion_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub first_token_ms: Option<u32>,
    /// How long she thought before the first word of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reasoning_ms: Option<u32>,
    pub total_ms: u32,
}

/// `turnId:seq`: where a client is in a turn's stream, and what `Last-Event-ID` carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventId {
    pub turn: TurnId,
    pub seq: u32,
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.turn, self.seq)
    }
}

impl FromStr for EventId {
    type Err = crate::IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (turn, seq) = text.split_once(':').ok_or(crate::IdError)?;
        Ok(Self { turn: turn.parse()?, seq: seq.parse().map_err(|_| crate::IdError)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_carries_its_name_as_type() {
        let events = [
            Event::Token { content: "Hi".into() },
            Event::Usage(Usage::default()),
            Event::Error { message: "no".into(), code: ErrorCode::Internal },
        ];
        for event in events {
            let json = serde_json::to_value(&event).unwrap();
            assert_eq!(json["type"], event.name());
            assert_eq!(serde_json::from_value::<Event>(json).unwrap(), event);
        }
    }

    #[test]
    fn keys_are_camel_case() {
        let event = Event::Done {
            conversation_id: ConversationId::new(1),
            message_id: MessageId::new(2),
            stop_reason: StopReason::ToolCalls,
        };
        let json = serde_json::to_value(&event).unwrap();
        assert_eq!(json["conversationId"], "0000000000001");
        assert_eq!(json["stopReason"], "toolCalls");
    }

    #[test]
    fn an_event_id_survives_its_text() {
        let id = EventId { turn: TurnId::new(77), seq: 12 };
        assert_eq!(id.to_string().parse(), Ok(id));
        assert!("12".parse::<EventId>().is_err());
    }
}
