//! The parts of a reply.

use crate::arguments::CallArguments;
use crate::call_keys::ARGUMENT_KEYS;
use crate::json::{JsonExtent, JsonProgress};

/// A part of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplyPart {
    /// Markdown text for the user.
    Text(String),
    /// A thought, shown collapsed. It never causes a call.
    Reasoning(String),
    /// A tool call, subject to permission.
    Call(ParsedCall),
    /// A call that cannot be read. The model is told the reason; the text is shown if it may be something else.
    Flawed { text: String, why: String },
}

impl ReplyPart {
    /// Returns the part of an unreadable call to show to the user. JSON alone may be the requested answer, unless it
    /// breaks off within the arguments of a call. Markers, tags and the doubled braces of a template are not shown.
    pub fn shown_of_flawed(text: &str) -> &str {
        let start = text.trim_start();
        let value = start.strip_prefix('[').map_or(start, str::trim_start);
        let is_json = value.strip_prefix('{').is_some_and(|rest| !rest.trim_start().starts_with('{'));
        if is_json && !is_cut_call(value) || is_function(start) { text } else { "" }
    }
}

/// A call as written in the reply. The schema of the tool decides if the arguments are valid.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedCall {
    /// The name as in the vocabulary: `web_search`, or `WEB_SEARCH` for a tag.
    pub name: String,
    pub arguments: CallArguments,
}

/// Returns true for a name and an opening parenthesis. A name followed by anything else is how some models begin a
/// call.
fn is_function(text: &str) -> bool {
    let name =
        text.find(|next: char| !next.is_alphanumeric() && !matches!(next, '_' | '-' | '.' | ':' | '$'));
    name.is_some_and(|end| end > 0 && text[end..].starts_with('('))
}

/// Returns true for an incomplete JSON call that contains a key for its arguments.
fn is_cut_call(json: &str) -> bool {
    let mut extent = JsonExtent::default();
    let is_open = json.chars().all(|next| extent.feed(next) == JsonProgress::Inside);
    is_open && ARGUMENT_KEYS.iter().any(|key| json.contains(&format!("\"{key}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_functions_are_shown_and_marks_are_not() {
        for shown in ["{\"name\" 1}", "[ {\"name\" 1}]", "{\"name\": \"calculator\"", "get_time(x", "_go("] {
            assert_eq!(ReplyPart::shown_of_flawed(shown), shown);
        }
        let hidden = [
            "{{\"name\"",
            "[{{\"name\"",
            "{ {",
            "<tool_call>{",
            "[MAP:{",
            "[TOOL_CALLS][{",
            "```json\n{",
            "{\"name\": \"get_time\", \"parameters\": {\"zone\": \"Par",
            "get_time\n{\"zo",
            "Action: ```json\n[",
        ];
        for hidden in hidden {
            assert_eq!(ReplyPart::shown_of_flawed(hidden), "", "{hidden}");
        }
    }
}
