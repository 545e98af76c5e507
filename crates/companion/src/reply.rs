use std::collections::BTreeMap;
use std::time::Instant;

use dialect::{Parser, Piece};
use futures_util::StreamExt;
use model::{ChatModel, ChatRequest, Delta, ModelError};
use protocol::{Event, StopReason, ToolStatus, Usage};
use serde_json::Value;

use crate::error::CompanionError;
use crate::turns::TurnLog;

/// What a model said, gathered while it was passed on.
#[derive(Debug, Default)]
pub struct Reply {
    pub content: String,
    pub reasoning: String,
    pub stop: Option<StopReason>,
    pub usage: Usage,
    /// Why it ended early, where it did.
    pub error: Option<CompanionError>,
    pub first_token: Option<Instant>,
    pub reasoning_since: Option<Instant>,
}

/// Lets a model answer, and passes each part of the answer on to the turn's log as it comes.
pub async fn stream(model: &dyn ChatModel, request: ChatRequest, log: &TurnLog) -> Reply {
    let mut reply = Reply::default();
    let cancel = request.cancel.clone();
    let mut deltas = tokio::select! {
        started = model.chat(request) => match started {
            Ok(deltas) => deltas,
            Err(error) => return Reply { error: Some(error.into()), ..reply },
        },
        () = cancel.cancelled() => return Reply { stop: Some(StopReason::Stopped), ..reply },
    };
    let mut parser = Parser::default();
    let mut calls: BTreeMap<u32, Call> = BTreeMap::new();
    while let Some(delta) = deltas.next().await {
        match delta {
            Ok(Delta::Progress { done, total }) => {
                log.push(Event::Progress { stage: "reading".into(), done, total });
            }
            Ok(Delta::Text(text)) => reply.pass_on(parser.push(&text), log),
            Ok(Delta::Reasoning(text)) => reply.pass_on(vec![Piece::Reasoning(text)], log),
            Ok(Delta::ToolCall(piece)) => {
                let call = calls.entry(piece.index).or_default();
                call.id = piece.id.or(call.id.take());
                call.name = piece.name.or(call.name.take());
                call.arguments.push_str(&piece.arguments);
            }
            Ok(Delta::Usage { prompt, cached, completion }) => {
                reply.usage.prompt_tokens = prompt;
                reply.usage.cached_tokens = cached;
                reply.usage.completion_tokens = completion;
            }
            Ok(Delta::Stop(reason)) => reply.stop = Some(reason),
            Err(error) => reply.error = Some(error.into()),
        }
    }
    reply.pass_on(parser.finish(), log);
    reply.end_reasoning();
    for (index, call) in calls {
        log.push(call.event(index));
    }
    if reply.stop.is_none() && reply.error.is_none() {
        let text = "The model stopped in the middle of its answer. Ask for it again.";
        reply.error = Some(ModelError::Cut(text.into()).into());
    }
    reply
}

/// The words of an answer that nobody watches, without what was thought. None where the model fails.
pub async fn words(model: &dyn ChatModel, request: ChatRequest) -> Option<String> {
    let mut deltas = model.chat(request).await.ok()?;
    let (mut parser, mut pieces) = (Parser::default(), Vec::new());
    while let Some(delta) = deltas.next().await {
        if let Delta::Text(text) = delta.ok()? {
            pieces.extend(parser.push(&text));
        }
    }
    pieces.extend(parser.finish());
    let said =
        pieces.into_iter().filter_map(|piece| if let Piece::Text(text) = piece { Some(text) } else { None });
    Some(said.collect())
}

impl Reply {
    fn pass_on(&mut self, pieces: Vec<Piece>, log: &TurnLog) {
        for piece in pieces {
            self.first_token.get_or_insert_with(Instant::now);
            let (kept, event) = match piece {
                Piece::Text(text) | Piece::Flawed { text, .. } => {
                    // An answer does not begin with white space; models often do.
                    let text = if self.content.is_empty() { text.trim_start().to_owned() } else { text };
                    (&mut self.content, Event::Token { content: text })
                }
                Piece::Reasoning(text) => (&mut self.reasoning, Event::Reasoning { content: text }),
                // The parser was given no names.
                Piece::Call(_) => continue,
            };
            let (Event::Token { content } | Event::Reasoning { content }) = &event else { continue };
            if content.is_empty() {
                continue;
            }
            kept.push_str(content);
            if matches!(event, Event::Token { .. }) {
                self.end_reasoning();
            } else {
                self.reasoning_since.get_or_insert_with(Instant::now);
            }
            log.push(event);
        }
    }

    /// The thinking ends with the first word of the answer, or with the answer.
    fn end_reasoning(&mut self) {
        if self.usage.reasoning_ms.is_none() {
            let spent = self.reasoning_since.map(|since| since.elapsed().as_millis());
            self.usage.reasoning_ms = spent.map(|spent| u32::try_from(spent).unwrap_or(u32::MAX));
        }
    }
}

/// A tool call that arrives in pieces.
#[derive(Default)]
struct Call {
    id: Option<String>,
    name: Option<String>,
    arguments: String,
}

impl Call {
    fn event(self, index: u32) -> Event {
        Event::Tool {
            id: self.id.unwrap_or_else(|| format!("call_{index}")),
            name: self.name.unwrap_or_default(),
            args: serde_json::from_str(&self.arguments).unwrap_or(Value::String(self.arguments)),
            status: ToolStatus::Requested,
            result: None,
        }
    }
}
