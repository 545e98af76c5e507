use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, StreamExt};
use protocol::StopReason;
use reqwest::Response;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::http::lines::{LineError, ResponseLines};
use crate::http::{Endpoint, ServerErrors, Timeouts, looks_like_a_page};
use crate::text::{request_weight, weight};
use crate::{
    ChatStream, ContentPart, Delta, MessageContent, ModelError, ModelRequest, StopFilter, TokenEstimator,
    ToolCallDelta,
};

/// The wait for the usage report and the end marker, which follow the last text at once or not at all.
const USAGE_TIMEOUT: Duration = Duration::from_secs(2);

/// The message format of one kind of server.
pub(crate) trait WireFormat: Send + 'static {
    const FRAMING: Framing;

    /// Parses one message of the stream, or the whole response if the server does not stream.
    fn parse(&mut self, message: &Value, parsed: &mut ParsedResponse) -> StreamProgress;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// `text/event-stream`, ended by `[DONE]`.
    Events,
    /// One JSON document per line.
    Lines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamProgress {
    GoOn,
    /// The rest of the stream is not needed.
    Ended,
    /// The server's content filter blocked the rest.
    Filtered,
    /// The message contains nothing known for this kind of server.
    Unknown,
}

/// The parsed content of the messages so far.
#[derive(Debug, Default)]
pub(crate) struct ParsedResponse {
    parts: VecDeque<ResponsePart>,
    pub(crate) usage: Option<TokenUsage>,
    pub(crate) stop: Option<StopReason>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenUsage {
    pub(crate) prompt: u32,
    pub(crate) cached: u32,
    pub(crate) completion: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResponsePart {
    Text(String),
    Reasoning(String),
    ToolCall(ToolCallDelta),
    /// Progress of the prompt evaluation, in tokens.
    Progress {
        done: u32,
        total: u32,
    },
}

impl ParsedResponse {
    pub(crate) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.parts.push_back(ResponsePart::Text(text.to_owned()));
        }
    }

    pub(crate) fn reasoning(&mut self, text: &str) {
        if !text.is_empty() {
            self.parts.push_back(ResponsePart::Reasoning(text.to_owned()));
        }
    }

    pub(crate) fn tool_call(&mut self, piece: ToolCallDelta) {
        self.parts.push_back(ResponsePart::ToolCall(piece));
    }

    pub(crate) fn progress(&mut self, done: u32, total: u32) {
        self.parts.push_back(ResponsePart::Progress { done, total });
    }

    #[cfg(test)]
    pub(crate) fn take(&mut self) -> Vec<ResponsePart> {
        self.parts.drain(..).collect()
    }
}

/// Returns a stream that ends at once, for a request that was cancelled before it began.
pub(crate) fn stopped() -> ChatStream {
    stream::iter([Ok(Delta::Stop(StopReason::Stopped))]).boxed()
}

/// Reads a server's response: splits it into messages, enforces the limits, and always ends the stream properly.
pub(crate) struct ResponseReader<W> {
    wire: W,
    /// Dropped at the end of the response, which closes the connection.
    lines: Option<ResponseLines>,
    /// The data lines of an event that is still incomplete.
    event: Option<String>,
    /// The lines of a response that came as one document, although a stream was requested.
    document: Option<String>,
    parsed: ParsedResponse,
    out: VecDeque<Result<Delta, ModelError>>,
    stops: StopFilter,
    cancel: CancellationToken,
    timeouts: Timeouts,
    /// The time of the request, or of the last progress report for the prompt.
    waiting_since: Instant,
    /// True once any part of the response has arrived.
    came: bool,
    /// The number of bytes still accepted before the response counts as endless.
    room: usize,
    errors: ServerErrors,
    estimator: Arc<TokenEstimator>,
    prompt: f32,
    /// False if the prompt contains images, because servers count their tokens too differently to learn from.
    may_learn: bool,
    completion: f32,
}

impl<W: WireFormat> ResponseReader<W> {
    pub(crate) fn read(
        wire: W,
        response: Response,
        endpoint: &Endpoint,
        request: &ModelRequest,
        begun: Instant,
    ) -> ChatStream {
        let reader = Self {
            wire,
            lines: Some(ResponseLines::of(response)),
            event: None,
            document: None,
            parsed: ParsedResponse::default(),
            out: VecDeque::new(),
            stops: StopFilter::new(&request.sampling.stop),
            cancel: request.cancel.clone(),
            timeouts: endpoint.timeouts,
            waiting_since: begun,
            came: false,
            // Far more bytes than any tokenizer puts into a token: only a server that ignores the limit gets there.
            room: 4096 + (request.sampling.max_tokens as usize).saturating_mul(32),
            errors: endpoint.errors.clone(),
            estimator: Arc::clone(&endpoint.estimator),
            prompt: request_weight(request),
            may_learn: !request.messages.iter().any(|message| has_images(&message.content)),
            completion: 0.0,
        };
        stream::unfold(reader, async |mut reader| reader.next().await.map(|delta| (delta, reader))).boxed()
    }

    async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        loop {
            if let Some(delta) = self.out.pop_front() {
                return Some(delta);
            }
            let lines = self.lines.as_mut()?;
            let until = match (self.parsed.stop, self.came) {
                (Some(_), _) => Instant::now() + USAGE_TIMEOUT,
                (None, true) => Instant::now() + self.timeouts.between_tokens,
                (None, false) => self.waiting_since + self.timeouts.first_token,
            };
            tokio::select! {
                biased;
                () = self.cancel.cancelled() => self.end(StopReason::Stopped),
                line = timeout_at(until, lines.next()) => match line {
                    Ok(Ok(Some(line))) => self.line(&line),
                    Ok(Ok(None)) => self.body_ended(),
                    Ok(Err(error)) => self.broke(error),
                    Err(_) => self.timed_out(),
                },
            }
        }
    }

    fn line(&mut self, line: &str) {
        if let Some(document) = &mut self.document {
            document.push_str(line);
            document.push('\n');
            return;
        }
        if !self.came && looks_like_a_page(line) {
            return self.fail(self.errors.web_page());
        }
        if W::FRAMING == Framing::Lines {
            if !line.trim().is_empty() {
                self.message(line);
            }
            return;
        }
        if line.is_empty() {
            if let Some(data) = self.event.take() {
                self.message(&data);
            }
        } else if let Some(data) = line.strip_prefix("data:") {
            let data = data.strip_prefix(' ').unwrap_or(data);
            match &mut self.event {
                Some(event) => {
                    event.push('\n');
                    event.push_str(data);
                }
                None => self.event = Some(data.to_owned()),
            }
        } else if !self.came && line.trim_start().starts_with('{') {
            self.document = Some(format!("{line}\n"));
        }
    }

    fn message(&mut self, text: &str) {
        if W::FRAMING == Framing::Events && text.trim() == "[DONE]" {
            let reason = self.parsed.stop.unwrap_or(StopReason::End);
            return self.end(reason);
        }
        let Ok(message) = serde_json::from_str::<Value>(text) else {
            return self.fail(self.errors.garbled(self.came));
        };
        if message.get("error").is_some_and(|error| !error.is_null()) {
            return self.fail(self.errors.said(&message));
        }
        let flow = self.wire.parse(&message, &mut self.parsed);
        self.emit();
        match flow {
            _ if self.lines.is_none() => {}
            StreamProgress::GoOn => {}
            StreamProgress::Ended => self.end(self.parsed.stop.unwrap_or(StopReason::End)),
            StreamProgress::Filtered => self.fail(self.errors.filtered()),
            // Servers insert messages of their own into a stream; as the first message it means another protocol.
            StreamProgress::Unknown if self.came => {}
            StreamProgress::Unknown => self.fail(self.errors.garbled(false)),
        }
    }

    /// Emits the parsed content, up to a stop string or the limit.
    fn emit(&mut self) {
        while let Some(part) = self.parsed.parts.pop_front() {
            let bytes = match &part {
                ResponsePart::Text(text) | ResponsePart::Reasoning(text) => text,
                ResponsePart::ToolCall(piece) => &piece.arguments,
                ResponsePart::Progress { done, total } => {
                    self.waiting_since = Instant::now();
                    self.out.push_back(Ok(Delta::Progress { done: *done, total: *total }));
                    continue;
                }
            };
            self.came = true;
            self.completion += weight(bytes);
            let Some(room) = self.room.checked_sub(bytes.len()) else {
                return self.end(StopReason::Length);
            };
            self.room = room;
            match part {
                ResponsePart::Text(text) => {
                    let passed = self.stops.push(&text);
                    self.say(passed.text);
                    if passed.stopped {
                        return self.end(StopReason::End);
                    }
                }
                ResponsePart::Reasoning(text) => {
                    self.release();
                    self.out.push_back(Ok(Delta::Reasoning(text)));
                }
                ResponsePart::ToolCall(piece) => {
                    self.release();
                    self.out.push_back(Ok(Delta::ToolCall(piece)));
                }
                ResponsePart::Progress { .. } => {}
            }
        }
    }

    fn say(&mut self, text: String) {
        if !text.is_empty() {
            self.out.push_back(Ok(Delta::Text(text)));
        }
    }

    /// Emits the text that the stop filter held back, because a stop string cannot span reasoning or a tool call.
    fn release(&mut self) {
        let held = self.stops.finish();
        self.say(held);
    }

    fn body_ended(&mut self) {
        if let Some(document) = self.document.take() {
            self.message(&document);
        } else if let Some(data) = self.event.take() {
            self.message(&data);
        }
        if self.lines.is_none() {
            return;
        }
        match self.parsed.stop {
            Some(reason) => self.end(reason),
            None if self.came => self.fail(self.errors.cut()),
            None => self.fail(self.errors.empty()),
        }
    }

    fn broke(&mut self, error: LineError) {
        match (self.parsed.stop, error) {
            (Some(reason), _) => self.end(reason),
            (None, LineError::TooLong) => self.fail(self.errors.garbled(self.came)),
            (None, LineError::Broken) if self.came => self.fail(self.errors.cut()),
            (None, LineError::Broken) => self.fail(self.errors.silent()),
        }
    }

    fn timed_out(&mut self) {
        match self.parsed.stop {
            Some(reason) => self.end(reason),
            None if self.came => {
                self.fail(self.errors.went_silent(self.timeouts.between_tokens.as_secs()));
            }
            None => self.fail(self.errors.slow_to_begin(self.timeouts.first_token.as_secs())),
        }
    }

    fn end(&mut self, reason: StopReason) {
        self.lines = None;
        self.release();
        let usage = self.parsed.usage.unwrap_or_else(|| TokenUsage {
            prompt: self.estimator.tokens(self.prompt),
            cached: 0,
            completion: self.estimator.tokens(self.completion),
        });
        if self.may_learn && self.parsed.usage.is_some() {
            self.estimator.learn(self.prompt, usage.prompt);
        }
        let TokenUsage { prompt, cached, completion } = usage;
        self.out.push_back(Ok(Delta::Usage { prompt, cached, completion }));
        self.out.push_back(Ok(Delta::Stop(reason)));
    }

    fn fail(&mut self, error: ModelError) {
        self.lines = None;
        self.release();
        self.out.push_back(Err(error));
    }
}

fn has_images(content: &MessageContent) -> bool {
    matches!(content, MessageContent::Parts(parts) if parts.iter().any(|part| matches!(part, ContentPart::Image { .. })))
}
