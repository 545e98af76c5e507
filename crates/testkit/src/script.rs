use std::time::Duration;

use crate::Gate;

/// One scripted answer: pieces in order, and how it ends. A plain text is an answer that goes well.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) head: Head,
    pub(crate) steps: Vec<Step>,
    pub(crate) ending: Ending,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) after_the_end: Vec<u8>,
    /// Sends the body in pieces of so many bytes, wherever that cuts it.
    pub(crate) piece: Option<usize>,
}

#[derive(Debug, Clone)]
pub(crate) enum Head {
    /// A stream or one JSON document, as the request asks.
    AsAsked,
    /// One JSON document, although a stream was asked for.
    Document,
    Status {
        code: u16,
        retry_after: Option<String>,
        body: String,
    },
    /// Not even the headers come.
    Silence,
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
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
pub(crate) enum Ending {
    /// With its reason, as the OpenAI format names it, and the end marker.
    Finished(&'static str),
    /// The reason comes, the end marker does not.
    NoMarker,
    /// The connection ends in good order, but in the middle of the answer.
    Truncated,
    Cut,
    Silence,
}

impl Reply {
    /// Sent word by word.
    pub fn text(text: impl AsRef<str>) -> Self {
        Self::chunks(text.as_ref().split_inclusive(' '))
    }

    pub fn chunks(pieces: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            head: Head::AsAsked,
            steps: pieces.into_iter().map(|piece| Step::Text(piece.into())).collect(),
            ending: Ending::Finished("stop"),
            content_type: None,
            after_the_end: Vec::new(),
            piece: None,
        }
    }

    pub fn empty() -> Self {
        Self::chunks(<[String; 0]>::default())
    }

    pub fn status(code: u16, body: impl Into<String>) -> Self {
        let head = Head::Status { code, retry_after: None, body: body.into() };
        Self { head, ..Self::empty() }
    }

    /// A web page where a model was expected.
    pub fn html() -> Self {
        let page = "<!DOCTYPE html><html><head><title>Router</title></head><body>Please log in</body></html>";
        Self::status(200, page).content_type("text/html; charset=utf-8")
    }

    /// Takes the request and never says anything.
    pub fn hangs() -> Self {
        Self { head: Head::Silence, ..Self::empty() }
    }

    #[must_use]
    pub fn retry_after(mut self, value: &str) -> Self {
        if let Head::Status { retry_after, .. } = &mut self.head {
            *retry_after = Some(value.to_owned());
        }
        self
    }

    #[must_use]
    pub fn then(self, piece: impl Into<String>) -> Self {
        self.step(Step::Text(piece.into()))
    }

    #[must_use]
    pub fn reasoning(self, piece: impl Into<String>) -> Self {
        self.step(Step::Reasoning(piece.into()))
    }

    /// A whole tool call in one piece.
    #[must_use]
    pub fn tool_call(self, id: &str, name: &str, arguments: &str) -> Self {
        let taken = self.steps.iter().filter_map(|step| match step {
            Step::ToolCall { index, .. } => Some(index + 1),
            _ => None,
        });
        let index = taken.max().unwrap_or(0);
        self.tool_call_piece(index, Some(id), Some(name), arguments)
    }

    /// Part of a tool call, with or without what the first part should carry.
    #[must_use]
    pub fn tool_call_piece(
        mut self,
        index: u32,
        id: Option<&str>,
        name: Option<&str>,
        arguments: &str,
    ) -> Self {
        self.ending = Ending::Finished("tool_calls");
        self.step(Step::ToolCall {
            index,
            id: id.map(ToOwned::to_owned),
            name: name.map(ToOwned::to_owned),
            arguments: arguments.to_owned(),
        })
    }

    #[must_use]
    pub fn usage(self, prompt: u32, cached: u32, completion: u32) -> Self {
        self.step(Step::Usage { prompt, cached, completion })
    }

    /// Bytes put on the wire as they are: a broken line, a comment, half a character.
    #[must_use]
    pub fn raw(self, bytes: impl Into<Vec<u8>>) -> Self {
        self.step(Step::Raw(bytes.into()))
    }

    /// Waits here until the gate opens.
    #[must_use]
    pub fn wait(self, gate: &Gate) -> Self {
        self.step(Step::Wait(gate.clone()))
    }

    /// Lets this much time pass here: for load that should look like a model's, never for order in a test.
    #[must_use]
    pub fn pause(self, time: Duration) -> Self {
        self.step(Step::Pause(time))
    }

    /// This piece again and again, without an end.
    #[must_use]
    pub fn endless(self, piece: impl Into<String>) -> Self {
        self.step(Step::Endless(piece.into()))
    }

    /// `stop`, `length`, `tool_calls`, `content_filter`.
    #[must_use]
    pub fn finish(mut self, reason: &'static str) -> Self {
        self.ending = Ending::Finished(reason);
        self
    }

    /// No `[DONE]`, no `"done": true`.
    #[must_use]
    pub fn without_end_marker(mut self) -> Self {
        self.ending = Ending::NoMarker;
        self
    }

    /// Ends in the middle as if that were the end.
    #[must_use]
    pub fn truncated(mut self) -> Self {
        self.ending = Ending::Truncated;
        self
    }

    /// The connection breaks after what is scripted.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.ending = Ending::Cut;
        self
    }

    /// The connection stays open, and nothing more comes.
    #[must_use]
    pub fn then_silence(mut self) -> Self {
        self.ending = Ending::Silence;
        self
    }

    /// One JSON document, although a stream was asked for.
    #[must_use]
    pub fn as_document(mut self) -> Self {
        self.head = Head::Document;
        self
    }

    #[must_use]
    pub fn content_type(mut self, content_type: &'static str) -> Self {
        self.content_type = Some(content_type);
        self
    }

    /// Text that follows the end marker, which nobody should read.
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

    fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}
