use std::sync::Arc;
use std::time::Instant;

use dialect::{CallArguments, NativeCalls, ReplyParser, ReplyPart, ReplyVocabulary};
use futures_util::StreamExt;
use model::{ChatModel, Delta, ModelError, ModelRequest};
use protocol::{Event, StopReason, Usage};
use store::RoundCall;

use crate::error::CompanionError;
use crate::model_text::without_reasoning;
use crate::requested_call::RequestedCall;
use crate::turn_log::TurnLog;

/// The number of calls in a reply that are accepted; the model is malfunctioning if there are more.
const MOST_CALLS: usize = 64;

/// The reply of a turn over all its rounds, collected while it is streamed.
#[derive(Debug, Default)]
pub struct TurnReply {
    pub content: String,
    pub reasoning: String,
    pub stop: Option<StopReason>,
    pub usage: Usage,
    /// The error that ended it early, if any.
    pub error: Option<CompanionError>,
    pub first_token: Option<Instant>,
    reasoning_since: Option<Instant>,
    /// The length of the content in UTF-16 units.
    units: u32,
    /// True if the content ends with the text of an earlier round.
    joins_round: bool,
}

/// One round of a reply, as the model wrote it.
#[derive(Debug, Default)]
pub struct ModelReply {
    /// The text, including calls within it and without reasoning.
    pub text: String,
    /// The calls that came separately from the text.
    pub native_calls: Vec<RoundCall>,
    /// All calls, from the text and separate ones.
    pub calls: Vec<RequestedCall>,
}

/// Lets a model answer, and writes each part of the answer to the turn's log as it arrives.
pub async fn stream(
    model: &dyn ChatModel,
    request: ModelRequest,
    vocabulary: Arc<ReplyVocabulary>,
    log: &TurnLog,
    reply: &mut TurnReply,
) -> ModelReply {
    let mut model_reply = ModelReply::default();
    reply.begin_round();
    let cancel = request.cancel.clone();
    let mut deltas = tokio::select! {
        started = model.chat(request) => match started {
            Ok(deltas) => deltas,
            Err(error) => {
                reply.error = Some(error.into());
                return model_reply;
            }
        },
        () = cancel.cancelled() => {
            reply.stop = Some(StopReason::Stopped);
            return model_reply;
        }
    };
    let mut progress = PromptProgress::new(model.info().reading_pace);
    let mut parser = ReplyParser::new(vocabulary);
    let mut native = NativeCalls::default();
    while let Some(delta) = deltas.next().await {
        match delta {
            Ok(Delta::Progress { done, total }) => {
                let seconds_left = progress.seconds_left(done, total);
                log.push(Event::Progress { stage: "reading".into(), done, total, seconds_left });
            }
            Ok(Delta::Text(text)) => {
                model_reply.text.push_str(&text);
                reply.add(parser.push(&text), &mut model_reply, log);
            }
            Ok(Delta::Reasoning(text)) => reply.add(vec![ReplyPart::Reasoning(text)], &mut model_reply, log),
            Ok(Delta::ToolCall(piece)) => {
                reply.first_token.get_or_insert_with(Instant::now);
                native.push(piece.index, piece.id.as_deref(), piece.name.as_deref(), &piece.arguments);
            }
            Ok(Delta::Usage { prompt, cached, completion }) => reply.count(prompt, cached, completion),
            Ok(Delta::Stop(reason)) => reply.stop = Some(reason),
            Err(error) => reply.error = Some(error.into()),
        }
    }
    reply.add(parser.finish(), &mut model_reply, log);
    reply.end_reasoning();
    model_reply.text = without_reasoning(&model_reply.text, model.syntax().as_deref());
    for (place, call) in native.finish().into_iter().take(MOST_CALLS).enumerate() {
        let id = if call.id.is_empty() { format!("call_{place}") } else { call.id };
        model_reply.native_calls.push(RoundCall {
            id: id.clone(),
            name: call.name.clone(),
            arguments: call.raw,
        });
        let arguments = call.arguments.map(CallArguments::Named);
        model_reply.calls.push(RequestedCall { id: Some(id), name: call.name, arguments, at: reply.units });
    }
    if reply.stop.is_none() && reply.error.is_none() {
        let text = "The model stopped in the middle of its answer. Ask for it again.";
        reply.error = Some(ModelError::Cut(text.into()).into());
    }
    model_reply
}

/// The speed at which the prompt of an answer is processed.
struct PromptProgress {
    /// The model's known speed, in tokens per second.
    pace: Option<u32>,
    /// The time of the first progress report, and its number of tokens.
    since: Option<(Instant, u32)>,
}

impl PromptProgress {
    fn new(pace: Option<u32>) -> Self {
        Self { pace, since: None }
    }

    /// Estimates the remaining seconds from the measured speed, or from the known one before there is a measurement.
    fn seconds_left(&mut self, done: u32, total: u32) -> Option<u32> {
        let (began, at_first) = *self.since.get_or_insert_with(|| (Instant::now(), done));
        let rest = f64::from(total.saturating_sub(done));
        let read = done.saturating_sub(at_first);
        let seconds = if read > 0 {
            rest * began.elapsed().as_secs_f64() / f64::from(read)
        } else {
            rest / f64::from(self.pace?.max(1))
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
        Some(seconds.ceil() as u32)
    }
}

impl TurnReply {
    /// Creates a complete reply that no model wrote.
    pub fn complete(text: &str, log: &TurnLog) -> Self {
        let mut reply = Self::default();
        reply.say(text, log);
        reply.stop = Some(StopReason::End);
        reply
    }

    pub fn stopped() -> Self {
        Self { stop: Some(StopReason::Stopped), ..Self::default() }
    }

    pub fn failed(error: impl Into<CompanionError>) -> Self {
        Self { error: Some(error.into()), ..Self::default() }
    }

    /// Adds a text that no model wrote.
    pub fn say(&mut self, text: &str, log: &TurnLog) {
        self.add(vec![ReplyPart::Text(text.to_owned())], &mut ModelReply::default(), log);
    }

    pub fn begin_round(&mut self) {
        (self.stop, self.joins_round) = (None, !self.content.is_empty());
    }

    fn add(&mut self, pieces: Vec<ReplyPart>, model_reply: &mut ModelReply, log: &TurnLog) {
        for piece in pieces {
            self.first_token.get_or_insert_with(Instant::now);
            match piece {
                ReplyPart::Text(text) => self.add_text(text, log),
                ReplyPart::Reasoning(content) => {
                    if !content.is_empty() {
                        self.reasoning.push_str(&content);
                        self.reasoning_since.get_or_insert_with(Instant::now);
                        log.push(Event::Reasoning { content });
                    }
                }
                ReplyPart::Call(call) => {
                    let (name, arguments) = (call.name, Ok(call.arguments));
                    model_reply.calls.push(RequestedCall { id: None, name, arguments, at: self.units });
                }
                // The call goes on as unreadable, so that the model learns what is wrong with it.
                ReplyPart::Flawed { text, why } => {
                    self.add_text(ReplyPart::shown_of_flawed(&text).to_owned(), log);
                    model_reply.calls.push(RequestedCall::unreadable(why, self.units));
                }
            }
        }
    }

    fn add_text(&mut self, text: String, log: &TurnLog) {
        // Models often begin with white space, which is removed. The text of a further round begins a new paragraph.
        let begins = self.content.is_empty() || self.joins_round;
        let mut content = if begins { text.trim_start().to_owned() } else { text };
        if content.is_empty() {
            return;
        }
        if std::mem::take(&mut self.joins_round) {
            let end = self.content.len() - self.content.trim_end_matches('\n').len();
            content.insert_str(0, &"\n\n"[end.min(2)..]);
        }
        self.end_reasoning();
        self.content.push_str(&content);
        self.units =
            self.units.saturating_add(u32::try_from(content.encode_utf16().count()).unwrap_or(u32::MAX));
        log.push(Event::Token { content });
    }

    fn count(&mut self, prompt: u32, cached: u32, completion: u32) {
        self.usage.prompt_tokens += prompt;
        self.usage.cached_tokens += cached;
        self.usage.completion_tokens += completion;
    }

    /// Records the duration of the reasoning, at the first text of the answer or at its end.
    fn end_reasoning(&mut self) {
        if self.usage.reasoning_ms.is_none() {
            let spent = self.reasoning_since.map(|since| since.elapsed().as_millis());
            self.usage.reasoning_ms = spent.map(|spent| u32::try_from(spent).unwrap_or(u32::MAX));
        }
    }
}
