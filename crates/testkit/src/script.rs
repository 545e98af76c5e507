use std::time::Duration;

use crate::Gate;

/// A scripted answer: its pieces in order, and its ending. A plain text is an answer that ends normally.
#[derive(Debug, Clone)]
pub struct ScriptedReply {
    pub(crate) head: ReplyHead,
    pub(crate) steps: Vec<ReplyStep>,
    pub(crate) ending: ReplyEnding,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) after_the_end: Vec<u8>,
    /// Splits the body into pieces of this many bytes, at arbitrary positions.
    pub(crate) piece: Option<usize>,
}

#[derive(Debug, Clone)]
pub(crate) enum ReplyHead {
    /// A stream or one JSON document, as requested.
    AsAsked,
    /// One JSON document, even if a stream was requested.
    Document,
    Status {
        code: u16,
        retry_after: Option<String>,
        body: String,
    },
    /// Sends nothing, not even headers.
    Silence,
}

#[derive(Debug, Clone)]
pub(crate) enum ReplyStep {
    Text(String),
    Reasoning(String),
    ToolCall { index: u32, id: Option<String>, name: Option<String>, arguments: String },
    Usage { prompt: u32, cached: u32, completion: u32 },
    Raw(Vec<u8>),
    Wait(Gate),
    Pause(Duration),
    Endless(String),
}

#[derive(Debug, Clone)]
pub(crate) enum ReplyEnding {
    /// Ends with this finish reason, in OpenAI's terms, and the end marker.
    Finished(&'static str),
    /// Sends the finish reason without the end marker.
    NoMarker,
    /// Closes the connection cleanly in the middle of the answer.
    Truncated,
    Cut,
    Silence,
}

impl ScriptedReply {
    /// A text, sent word by word.
    pub fn text(text: impl AsRef<str>) -> Self {
        Self::chunks(text.as_ref().split_inclusive(' '))
    }

    pub fn chunks(pieces: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            head: ReplyHead::AsAsked,
            steps: pieces.into_iter().map(|piece| ReplyStep::Text(piece.into())).collect(),
            ending: ReplyEnding::Finished("stop"),
            content_type: None,
            after_the_end: Vec::new(),
            piece: None,
        }
    }

    pub fn empty() -> Self {
        Self::chunks(<[String; 0]>::default())
    }

    pub fn status(code: u16, body: impl Into<String>) -> Self {
        let head = ReplyHead::Status { code, retry_after: None, body: body.into() };
        Self { head, ..Self::empty() }
    }

    /// A web page instead of a model's answer.
    pub fn html() -> Self {
        let page = "<!DOCTYPE html><html><head><title>Router</title></head><body>Please log in</body></html>";
        Self::status(200, page).content_type("text/html; charset=utf-8")
    }

    /// Accepts the request and never responds.
    pub fn hangs() -> Self {
        Self { head: ReplyHead::Silence, ..Self::empty() }
    }

    #[must_use]
    pub fn retry_after(mut self, value: &str) -> Self {
        if let ReplyHead::Status { retry_after, .. } = &mut self.head {
            *retry_after = Some(value.to_owned());
        }
        self
    }

    #[must_use]
    pub fn then(self, piece: impl Into<String>) -> Self {
        self.step(ReplyStep::Text(piece.into()))
    }

    #[must_use]
    pub fn reasoning(self, piece: impl Into<String>) -> Self {
        self.step(ReplyStep::Reasoning(piece.into()))
    }

    /// Adds a tool call in one piece.
    #[must_use]
    pub fn tool_call(self, id: &str, name: &str, arguments: &str) -> Self {
        let taken = self.steps.iter().filter_map(|step| match step {
            ReplyStep::ToolCall { index, .. } => Some(index + 1),
            _ => None,
        });
        let index = taken.max().unwrap_or(0);
        self.tool_call_piece(index, Some(id), Some(name), arguments)
    }

    /// Adds a part of a tool call; only the first part usually has the id and the name.
    #[must_use]
    pub fn tool_call_piece(
        mut self,
        index: u32,
        id: Option<&str>,
        name: Option<&str>,
        arguments: &str,
    ) -> Self {
        self.ending = ReplyEnding::Finished("tool_calls");
        self.step(ReplyStep::ToolCall {
            index,
            id: id.map(ToOwned::to_owned),
            name: name.map(ToOwned::to_owned),
            arguments: arguments.to_owned(),
        })
    }

    #[must_use]
    pub fn usage(self, prompt: u32, cached: u32, completion: u32) -> Self {
        self.step(ReplyStep::Usage { prompt, cached, completion })
    }

    /// Adds raw bytes: a broken line, a comment, half a character.
    #[must_use]
    pub fn raw(self, bytes: impl Into<Vec<u8>>) -> Self {
        self.step(ReplyStep::Raw(bytes.into()))
    }

    /// Pauses here until the gate opens.
    #[must_use]
    pub fn wait(self, gate: &Gate) -> Self {
        self.step(ReplyStep::Wait(gate.clone()))
    }

    /// Waits for this time: to simulate a model's load, never to order events in a test.
    #[must_use]
    pub fn pause(self, time: Duration) -> Self {
        self.step(ReplyStep::Pause(time))
    }

    /// Repeats this piece without end.
    #[must_use]
    pub fn endless(self, piece: impl Into<String>) -> Self {
        self.step(ReplyStep::Endless(piece.into()))
    }

    /// Sets the finish reason: `stop`, `length`, `tool_calls` or `content_filter`.
    #[must_use]
    pub fn finish(mut self, reason: &'static str) -> Self {
        self.ending = ReplyEnding::Finished(reason);
        self
    }

    /// Omits the end marker: no `[DONE]` and no `"done": true`.
    #[must_use]
    pub fn without_end_marker(mut self) -> Self {
        self.ending = ReplyEnding::NoMarker;
        self
    }

    /// Closes the connection cleanly in the middle of the answer.
    #[must_use]
    pub fn truncated(mut self) -> Self {
        self.ending = ReplyEnding::Truncated;
        self
    }

    /// Breaks the connection after the scripted pieces.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.ending = ReplyEnding::Cut;
        self
    }

    /// Keeps the connection open and sends nothing more.
    #[must_use]
    pub fn then_silence(mut self) -> Self {
        self.ending = ReplyEnding::Silence;
        self
    }

    /// One JSON document, even if a stream was requested.
    #[must_use]
    pub fn as_document(mut self) -> Self {
        self.head = ReplyHead::Document;
        self
    }

    #[must_use]
    pub fn content_type(mut self, content_type: &'static str) -> Self {
        self.content_type = Some(content_type);
        self
    }

    /// Adds text after the end marker, which clients must ignore.
    #[must_use]
    pub fn after_the_end(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.after_the_end = bytes.into();
        self
    }

    #[must_use]
    pub fn in_pieces_of(mut self, bytes: usize) -> Self {
        self.piece = Some(bytes);
        self
    }

    fn step(mut self, step: ReplyStep) -> Self {
        self.steps.push(step);
        self
    }
}

impl From<&str> for ScriptedReply {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ScriptedReply {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}
