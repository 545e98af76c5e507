use jiff::Timestamp;
use protocol::{
    CodeNoteKind, Dimension, ErrorCode, FactCategory, FactChangeKind, FactStatus, FileDecision, FragmentKind,
    MemoryKind, MessageStatus, ProposalStatus, Role, StopReason, ToolStatus,
};
use rusqlite::Row;
use rusqlite::types::Type;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Result, StoreError};

/// A wire enum stored as a keyword, so that the file can be read without this program.
pub(crate) trait Keyword: Sized + Copy + 'static {
    const KEYWORDS: &'static [(Self, &'static str)];

    fn keyword(self) -> &'static str;

    fn from_keyword(word: &str) -> Option<Self> {
        Self::KEYWORDS.iter().find(|(_, text)| *text == word).map(|&(value, _)| value)
    }
}

macro_rules! keywords {
    ($type:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl Keyword for $type {
            const KEYWORDS: &'static [(Self, &'static str)] = &[$(($type::$variant, $word)),*];

            fn keyword(self) -> &'static str {
                match self { $($type::$variant => $word),* }
            }
        }
    };
}

keywords!(Role { User = "user", Assistant = "assistant" });
keywords!(MessageStatus { Streaming = "streaming", Complete = "complete", Partial = "partial", Failed = "failed" });
keywords!(StopReason {
    End = "end",
    Length = "length",
    ToolCalls = "tool_calls",
    Stopped = "stopped",
    Cut = "cut",
});
keywords!(ErrorCode {
    BadRequest = "bad_request",
    Unauthorized = "unauthorized",
    Forbidden = "forbidden",
    NotFound = "not_found",
    MethodNotAllowed = "method_not_allowed",
    Conflict = "conflict",
    TooLarge = "too_large",
    UnsupportedMediaType = "unsupported_media_type",
    TooManyRequests = "too_many_requests",
    NoModel = "no_model",
    ModelUnreachable = "model_unreachable",
    ModelFailed = "model_failed",
    ServiceUnreachable = "service_unreachable",
    ContextFull = "context_full",
    ShuttingDown = "shutting_down",
    Internal = "internal",
});
keywords!(FragmentKind {
    Soul = "soul",
    Tools = "tools",
    Skills = "skills",
    Date = "date",
    Tone = "tone",
    Summary = "summary",
    History = "history",
    Context = "context",
    User = "user",
    Assistant = "assistant",
    Results = "results",
});
keywords!(ToolStatus {
    Requested = "requested",
    Waiting = "waiting",
    Running = "running",
    Done = "done",
    Failed = "failed",
    Denied = "denied",
    Blocked = "blocked",
});
keywords!(FactCategory {
    Personal = "personal",
    Preference = "preference",
    Relationship = "relationship",
    Event = "event",
    Goal = "goal",
    Health = "health",
    Context = "context",
    Behaviour = "behaviour",
});
keywords!(FactStatus {
    Current = "current",
    Unconfirmed = "unconfirmed",
    Superseded = "superseded",
    Expired = "expired",
    Faded = "faded",
    Merged = "merged",
});
keywords!(FactChangeKind {
    Learned = "learned",
    Repeated = "repeated",
    Edited = "edited",
    Confirmed = "confirmed",
    Superseded = "superseded",
    Replaced = "replaced",
    Merged = "merged",
    Expired = "expired",
    Doubted = "doubted",
    Faded = "faded",
    Promoted = "promoted",
    Undone = "undone",
});
keywords!(ProposalStatus { Open = "open", Applied = "applied", Rejected = "rejected", Undone = "undone" });
keywords!(FileDecision { Open = "open", All = "all", Some = "some", None = "none" });
keywords!(CodeNoteKind { Change = "change", Failure = "failure" });
keywords!(MemoryKind {
    Fact = "fact",
    Message = "message",
    Summary = "summary",
    File = "file",
    Entry = "entry",
});
keywords!(Dimension {
    Mood = "mood",
    Energy = "energy",
    Formality = "formality",
    Humor = "humor",
    SupportNeed = "support_need",
    Verbosity = "verbosity",
    Depth = "depth",
    QuestionFrequency = "question_frequency",
});

/// Reads columns that hold keywords, JSON, times and counts.
pub(crate) trait RowExt {
    fn keyword<T: Keyword>(&self, column: &str) -> rusqlite::Result<T>;
    fn optional_keyword<T: Keyword>(&self, column: &str) -> rusqlite::Result<Option<T>>;
    fn json<T: DeserializeOwned>(&self, column: &str) -> rusqlite::Result<T>;
    /// Parses the JSON in a column; a NULL column yields the default.
    fn json_or_default<T: DeserializeOwned + Default>(&self, column: &str) -> rusqlite::Result<T>;
    fn time(&self, column: &str) -> rusqlite::Result<String>;
}

impl RowExt for Row<'_> {
    fn keyword<T: Keyword>(&self, column: &str) -> rusqlite::Result<T> {
        self.optional_keyword(column)?.ok_or_else(|| unreadable(format!("{column} is empty")))
    }

    fn optional_keyword<T: Keyword>(&self, column: &str) -> rusqlite::Result<Option<T>> {
        let value = self.get_ref(column)?;
        let Some(word) = value.as_str_or_null()? else { return Ok(None) };
        T::from_keyword(word).map(Some).ok_or_else(|| unreadable(format!("{column} is `{word}`")))
    }

    fn json<T: DeserializeOwned>(&self, column: &str) -> rusqlite::Result<T> {
        serde_json::from_str(self.get_ref(column)?.as_str()?)
            .map_err(|error| unreadable(format!("{column}: {error}")))
    }

    fn json_or_default<T: DeserializeOwned + Default>(&self, column: &str) -> rusqlite::Result<T> {
        match self.get_ref(column)?.as_str_or_null()? {
            Some(_) => self.json(column),
            None => Ok(T::default()),
        }
    }

    fn time(&self, column: &str) -> rusqlite::Result<String> {
        Ok(rfc3339(self.get(column)?))
    }
}

fn unreadable(what: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, what.into())
}

pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| StoreError::Internal(error.to_string()))
}

/// Formats a stored time as the wire does.
pub(crate) fn rfc3339(milliseconds: i64) -> String {
    timestamp(milliseconds).to_string()
}

/// Compares two times for a list that begins with the newest. They cannot be compared as text: `.4` is less than `.45`,
/// but `.4Z` is not.
pub(crate) fn newest_first(one: &str, other: &str) -> std::cmp::Ordering {
    let moment = |text: &str| text.parse::<Timestamp>().ok();
    moment(other).cmp(&moment(one))
}

pub(crate) fn timestamp(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Converts a count for the wire. No count comes near the limit.
pub(crate) fn count(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
