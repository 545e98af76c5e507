use std::sync::Arc;

use companion::TurnLog;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt, stream};
use model::{ChatStream, Delta};
use protocol::{ErrorCode, Event, StopReason, ToolStatus};
use serde_json::{Value, json};

use crate::error::Refusal;

/// A piece of a response to an OpenAI client, from a turn or from the bare model.
pub enum ResponsePiece {
    Text(String),
    Reasoning(String),
    Tool { index: u32, id: Option<String>, name: Option<String>, arguments: String },
    Usage { prompt: u32, cached: u32, completion: u32 },
    Stop(StopReason),
    Error(ErrorCode, String),
}

pub type ResponsePieces = BoxStream<'static, ResponsePiece>;

/// Streams a turn of the companion. If the client disconnects, the turn is stopped, because no other client watches it.
pub fn of_turn(log: &Arc<TurnLog>) -> ResponsePieces {
    let guard = StopOnDrop(Arc::clone(log));
    let mut tools = 0;
    let pieces = log.follow(0).filter_map(move |(_, event)| {
        let _held = &guard;
        let piece = match event {
            Event::Token { content } => Some(ResponsePiece::Text(content)),
            Event::Reasoning { content } => Some(ResponsePiece::Reasoning(content)),
            Event::Tool { id, name, args, status: ToolStatus::Requested, .. } => {
                let index = tools;
                tools += 1;
                let arguments = match args {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                Some(ResponsePiece::Tool { index, id: Some(id), name: Some(name), arguments })
            }
            Event::Usage(usage) => Some(ResponsePiece::Usage {
                prompt: usage.prompt_tokens,
                cached: usage.cached_tokens,
                completion: usage.completion_tokens,
            }),
            Event::Done { stop_reason, .. } => Some(ResponsePiece::Stop(stop_reason)),
            Event::Error { message, code } => Some(ResponsePiece::Error(code, message)),
            Event::Metadata { .. }
            | Event::Progress { .. }
            | Event::Tool { .. }
            | Event::ToolOutput { .. }
            | Event::Command { .. }
            | Event::Confirmation(_)
            | Event::Memory { .. }
            | Event::Plan { .. }
            | Event::Context { .. }
            | Event::Proposal { .. }
            | Event::Verify { .. }
            | Event::Meta(_) => None,
        };
        std::future::ready(piece)
    });
    pieces.boxed()
}

struct StopOnDrop(Arc<TurnLog>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Streams a response of the bare model.
pub fn of_model(deltas: ChatStream) -> ResponsePieces {
    let pieces = deltas.filter_map(|delta| {
        let piece = match delta {
            Ok(Delta::Text(text)) => Some(ResponsePiece::Text(text)),
            Ok(Delta::Reasoning(text)) => Some(ResponsePiece::Reasoning(text)),
            Ok(Delta::ToolCall(call)) => Some(ResponsePiece::Tool {
                index: call.index,
                id: call.id,
                name: call.name,
                arguments: call.arguments,
            }),
            Ok(Delta::Usage { prompt, cached, completion }) => {
                Some(ResponsePiece::Usage { prompt, cached, completion })
            }
            Ok(Delta::Stop(reason)) => Some(ResponsePiece::Stop(reason)),
            Ok(Delta::Progress { .. }) => None,
            Err(error) => Some(ResponsePiece::Error(error.code(), error.to_string())),
        };
        std::future::ready(piece)
    });
    pieces.boxed()
}

/// The fields that every object of a response repeats.
#[derive(Clone)]
pub struct CompletionHeader {
    pub id: String,
    pub created: i64,
    pub model: String,
}

impl CompletionHeader {
    fn chunk(&self, delta: &Value, finish: Option<&str>) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}],
        })
    }
}

fn finish_reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::End | StopReason::Stopped => "stop",
        StopReason::Length | StopReason::Cut => "length",
        StopReason::ToolCalls => "tool_calls",
    }
}

fn usage(prompt: u32, cached: u32, completion: u32) -> Value {
    json!({
        "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt.saturating_add(completion),
        "prompt_tokens_details": {"cached_tokens": cached},
    })
}

/// Formats a response as lines of server-sent events, ended by `[DONE]`.
pub fn lines(
    head: CompletionHeader,
    pieces: ResponsePieces,
    with_usage: bool,
) -> impl Stream<Item = String> + Send + 'static {
    let opening = head.chunk(&json!({"role": "assistant", "content": ""}), None);
    let (mut tools, mut spent) = (false, usage(0, 0, 0));
    let body = pieces.flat_map(move |piece| {
        let values = match piece {
            ResponsePiece::Text(text) => vec![head.chunk(&json!({"content": text}), None)],
            ResponsePiece::Reasoning(text) => vec![head.chunk(&json!({"reasoning_content": text}), None)],
            ResponsePiece::Tool { index, id, name, arguments } => {
                tools = true;
                vec![head.chunk(&json!({"tool_calls": [tool_call(index, id, name, &arguments)]}), None)]
            }
            ResponsePiece::Usage { prompt, cached, completion } => {
                spent = usage(prompt, cached, completion);
                Vec::new()
            }
            ResponsePiece::Stop(reason) => {
                let reason = if tools { "tool_calls" } else { finish_reason(reason) };
                // The usage comes last, in an object of its own.
                let cost = with_usage.then(|| {
                    json!({
                        "id": head.id, "object": "chat.completion.chunk", "created": head.created,
                        "model": head.model, "choices": [], "usage": spent.take(),
                    })
                });
                std::iter::once(head.chunk(&json!({}), Some(reason))).chain(cost).collect()
            }
            ResponsePiece::Error(code, message) => vec![Refusal::new(code, message).openai_json()],
        };
        stream::iter(values)
    });
    let data =
        stream::once(std::future::ready(opening)).chain(body).map(|value| format!("data: {value}\n\n"));
    data.chain(stream::once(std::future::ready("data: [DONE]\n\n".to_owned())))
}

fn tool_call(index: u32, id: Option<String>, name: Option<String>, arguments: &str) -> Value {
    let mut call = json!({"index": index, "function": {"arguments": arguments}});
    if let Some(id) = id {
        call["id"] = id.into();
        call["type"] = "function".into();
    }
    if let Some(name) = name {
        call["function"]["name"] = name.into();
    }
    call
}

/// Collects a response into one object.
pub async fn gathered(
    head: CompletionHeader,
    mut pieces: ResponsePieces,
) -> Result<Value, (ErrorCode, String)> {
    let (mut text, mut reasoning) = (String::new(), String::new());
    let mut calls: Vec<Value> = Vec::new();
    let (mut spent, mut reason) = (usage(0, 0, 0), "stop");
    while let Some(piece) = pieces.next().await {
        match piece {
            ResponsePiece::Text(more) => text.push_str(&more),
            ResponsePiece::Reasoning(more) => reasoning.push_str(&more),
            ResponsePiece::Tool { index, id, name, arguments } => {
                let place = index as usize;
                if let Some(call) = calls.get_mut(place) {
                    let joined =
                        call["function"]["arguments"].as_str().unwrap_or_default().to_owned() + &arguments;
                    call["function"]["arguments"] = joined.into();
                } else {
                    let mut call = tool_call(index, id, name, &arguments);
                    call.as_object_mut().map(|fields| fields.remove("index"));
                    calls.push(call);
                }
            }
            ResponsePiece::Usage { prompt, cached, completion } => spent = usage(prompt, cached, completion),
            ResponsePiece::Stop(stop) => reason = finish_reason(stop),
            ResponsePiece::Error(code, message) => return Err((code, message)),
        }
    }
    let mut message = json!({"role": "assistant", "content": text, "refusal": null});
    if !reasoning.is_empty() {
        message["reasoning_content"] = reasoning.into();
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
        reason = "tool_calls";
        if text.is_empty() {
            message["content"] = Value::Null;
        }
    }
    Ok(json!({
        "id": head.id, "object": "chat.completion", "created": head.created, "model": head.model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": reason}],
        "usage": spent,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> CompletionHeader {
        CompletionHeader { id: "x".into(), created: 0, model: "luna".into() }
    }

    fn of(pieces: Vec<ResponsePiece>) -> ResponsePieces {
        stream::iter(pieces).boxed()
    }

    #[tokio::test]
    async fn a_cost_beyond_all_bounds_is_still_told() {
        let pieces = || {
            let usage = ResponsePiece::Usage { prompt: u32::MAX, cached: 0, completion: 5 };
            of(vec![usage, ResponsePiece::Stop(StopReason::End)])
        };
        let whole = gathered(head(), pieces()).await.unwrap();
        assert_eq!(whole["usage"]["total_tokens"], u32::MAX);
        let lines: Vec<String> = lines(head(), pieces(), true).collect().await;
        assert!(lines[2].contains(&format!("\"total_tokens\":{}", u32::MAX)), "{lines:?}");
    }

    #[tokio::test]
    async fn whoever_asks_for_the_cost_is_told_it_also_where_nobody_counted() {
        for (with_usage, expected) in [(true, 1), (false, 0)] {
            let pieces = of(vec![ResponsePiece::Text("Hi".into()), ResponsePiece::Stop(StopReason::End)]);
            let lines: Vec<String> = lines(head(), pieces, with_usage).collect().await;
            assert_eq!(lines.iter().filter(|line| line.contains("\"usage\"")).count(), expected, "{lines:?}");
        }
    }
}
