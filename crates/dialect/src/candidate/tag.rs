//! Tags: `[WEB_SEARCH:query]`, `[MAP:{"lat": 40.7, "lon": -74.0}]`, and `[TOOL_CALL:{…}]`.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::limits::MOST_SPACE;
use super::verdict::Verdict;
use crate::arguments::CallArguments;
use crate::interpretation::Interpretation;
use crate::json::{JsonExtent, JsonProgress};
use crate::repair;
use crate::vocabulary::ReplyVocabulary;

/// A tag whose name has been read.
#[derive(Debug)]
pub struct BracketTag {
    /// The name. `None` for `TOOL_CALL`, which has the name in its body.
    name: Option<Arc<str>>,
    /// The start of the body.
    start: usize,
    body: Body,
}

impl BracketTag {
    pub fn new(name: Option<Arc<str>>, start: usize) -> Self {
        Self { name, start, body: Body::Start }
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        match self.body.feed(next) {
            BodyProgress::Inside => match (&self.name, &self.body) {
                (None, Body::Plain { .. } | Body::Quoted { .. }) => Verdict::No,
                (None, Body::Start) if text.len() - self.start > MOST_SPACE => Verdict::No,
                _ => Verdict::Undecided,
            },
            BodyProgress::Closed => {
                let body = text[self.start..text.len() - next.len_utf8()].trim();
                Verdict::Read(match &self.name {
                    Some(name) => read(name, body),
                    None if body.is_empty() => Interpretation::Text,
                    None => Interpretation::of_json(body, vocabulary),
                })
            }
            BodyProgress::TooDeep => Verdict::Text,
        }
    }
}

/// Finds the closing bracket. The body may contain brackets, quotes and line breaks.
#[derive(Debug)]
enum Body {
    /// Whitespace before the body.
    Start,
    Json(JsonExtent),
    Quoted {
        escaped: bool,
    },
    /// After a value, where only the closing bracket should follow.
    AfterValue,
    Plain {
        depth: usize,
        escaped: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyProgress {
    Inside,
    Closed,
    TooDeep,
}

impl Body {
    fn feed(&mut self, next: char) -> BodyProgress {
        match self {
            Self::Start | Self::AfterValue if next.is_whitespace() => {}
            Self::Start if matches!(next, '{' | '[') => *self = Self::Json(JsonExtent::opened_by(next)),
            Self::Start if next == '"' => *self = Self::Quoted { escaped: false },
            // A surplus brace is repaired when the body is read.
            Self::AfterValue if next == '}' => {}
            Self::Start | Self::AfterValue => return self.plain(0, next),
            Self::Json(extent) => match extent.feed(next) {
                JsonProgress::Closed => *self = Self::AfterValue,
                JsonProgress::Beyond if next == ']' => return BodyProgress::Closed,
                JsonProgress::Inside | JsonProgress::Beyond => {}
                JsonProgress::TooDeep => return BodyProgress::TooDeep,
            },
            Self::Quoted { escaped } => match next {
                _ if *escaped => *escaped = false,
                '\\' => *escaped = true,
                '"' => *self = Self::AfterValue,
                _ => {}
            },
            Self::Plain { escaped, .. } if *escaped => *escaped = false,
            Self::Plain { depth, .. } => {
                let depth = *depth;
                return self.plain(depth, next);
            }
        }
        BodyProgress::Inside
    }

    fn plain(&mut self, depth: usize, next: char) -> BodyProgress {
        let depth = match next {
            '[' => depth + 1,
            ']' if depth == 0 => return BodyProgress::Closed,
            ']' => depth - 1,
            _ => depth,
        };
        *self = Self::Plain { depth, escaped: next == '\\' };
        BodyProgress::Inside
    }
}

/// Reads the body of a tag. A body that begins like an object must be one. Any other body is taken literally: a
/// backslash in it escapes only a bracket that would end the tag.
fn read(name: &str, body: &str) -> Interpretation {
    if body.starts_with('{') {
        return match repair::read(body) {
            Ok(Value::Object(named)) => Interpretation::call(name, CallArguments::Named(named)),
            Ok(_) => Interpretation::Text,
            Err(error) => {
                Interpretation::Flawed(format!("the body of [{name}:…] is not valid JSON: {error}"))
            }
        };
    }
    let value = if body.starts_with(['"', '[']) { repair::read(body).ok() } else { None };
    Interpretation::call(
        name,
        match value {
            Some(Value::String(quoted)) => CallArguments::Text(quoted),
            Some(Value::Array(values)) => CallArguments::Positional(values, Map::new()),
            _ => CallArguments::Text(body.to_owned()),
        },
    )
}
