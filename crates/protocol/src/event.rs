//! Events of a turn.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{
    CodeMeta, Command, Confirmation, ContextPart, ConversationId, ErrorCode, MemoryItem, MessageId, PlanStep,
    ProposalFile, ProposalId, RelevantFile, ToolStatus, TurnId, VerifyError, VerifyStage,
};

/// An event of a turn. `metadata` comes first; `done` or `error` comes last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// The message is stored and the turn has started. `messageId` is the message that will hold the reply.
    #[serde(rename_all = "camelCase")]
    Metadata {
        conversation_id: ConversationId,
        model: String,
        turn_id: TurnId,
        /// The id of the user's message. Absent when a reply is regenerated, because there is no new message then.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        user_message_id: Option<MessageId>,
        message_id: MessageId,
    },
    /// The progress of work before the first token, such as reading a long prompt.
    #[serde(rename_all = "camelCase")]
    Progress {
        stage: String,
        done: u32,
        total: u32,
        /// The estimated remaining time, in seconds; absent if unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        seconds_left: Option<u32>,
    },
    /// The memories recalled for this message, best first.
    Memory {
        items: Vec<MemoryItem>,
    },
    /// A piece of the reply, as Markdown.
    Token {
        content: String,
    },
    /// A piece of the model's reasoning, which clients show collapsed.
    Reasoning {
        content: String,
    },
    /// A tool call, sent each time its status changes. A call to a tool that an API client offers is `requested` and
    /// left to the client.
    Tool {
        id: String,
        name: String,
        #[ts(type = "unknown")]
        args: Value,
        status: ToolStatus,
        /// The result as the model receives it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "unknown")]
        result: Option<Value>,
        /// The time that the tool ran, in milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ms: Option<u32>,
        /// The position of the call in the reply's text, in UTF-16 code units as in [`Act`](crate::Act). The text
        /// before it is complete when the call is made.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        at: Option<u32>,
    },
    /// The output of a running tool since the last event of this kind. It is only for display; what counts is the
    /// tool's result.
    ToolOutput {
        id: String,
        text: String,
    },
    /// Something to show on the screen. `id` is that of the tool call that it came from.
    Command {
        id: String,
        #[serde(flatten)]
        command: Command,
    },
    /// A request for the user's confirmation, which is answered with `POST /api/chat/confirm/{id}`. It is settled when
    /// the tool call with the same id leaves `waiting`.
    Confirmation(Confirmation),
    /// The steps of a long request, sent each time a step advances.
    Plan {
        steps: Vec<PlanStep>,
    },
    /// The context of a request about code: the files found to be relevant, and the tokens that each part takes.
    Context {
        files: Vec<RelevantFile>,
        parts: Vec<ContextPart>,
    },
    /// The proposed changes, sent each time they change. The diffs are in `GET /api/code/proposals/{id}`.
    Proposal {
        id: ProposalId,
        files: Vec<ProposalFile>,
    },
    /// A stage of building and testing. `ok` is absent while output arrives; the last event of a stage has it, with the
    /// whole output.
    Verify {
        stage: VerifyStage,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ok: Option<bool>,
        output: String,
        errors: Vec<VerifyError>,
    },
    /// The result of a request about code.
    Meta(CodeMeta),
    Usage(Usage),
    #[serde(rename_all = "camelCase")]
    Done {
        conversation_id: ConversationId,
        message_id: MessageId,
        stop_reason: StopReason,
    },
    /// The turn failed. The user's message and the reply so far are kept.
    Error {
        message: String,
        code: ErrorCode,
    },
}

impl Event {
    /// Returns the value of `type` on the wire.
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

    /// Returns true if no event comes after this one.
    pub fn is_last(&self) -> bool {
        matches!(self, Event::Done { .. } | Event::Error { .. })
    }
}

/// The reason why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum StopReason {
    /// The model finished.
    End,
    /// The token limit was reached.
    Length,
    /// The model calls a tool that the client runs.
    ToolCalls,
    /// The user stopped the reply.
    Stopped,
    /// The connection to the model broke, or the program ended. The reply so far is kept.
    Cut,
}

/// The tokens and times of a turn. Times are in milliseconds; `firstTokenMs` and `totalMs` are counted from the arrival
/// of the message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub prompt_tokens: u32,
    /// The number of prompt tokens that did not have to be evaluated again.
    pub cached_tokens: u32,
    pub completion_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub first_token_ms: Option<u32>,
    /// The duration of the reasoning before the first text of the reply; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reasoning_ms: Option<u32>,
    pub total_ms: u32,
}

/// A position in the event stream of a turn, written as `turnId:seq`. It is the value of `Last-Event-ID`.
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
