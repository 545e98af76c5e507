use crate::Arguments;
use crate::json::{Extent, Reach};
use crate::reading::ARGUMENTS;

/// A part of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Said to the user, as Markdown.
    Text(String),
    /// Thought, and shown folded. It never acts.
    Reasoning(String),
    /// Something to be done, if the gate allows it.
    Call(Call),
    /// Meant as a call and not readable as one: explained to the model, and shown where it may be something else.
    Flawed { text: String, why: String },
}

impl Piece {
    /// The part of an unreadable call that a person sees. JSON by itself may be what was asked for, unless it breaks off
    /// in the arguments of a call; marks, tags and the doubled braces of a template are nobody's words.
    pub fn shown_of_flawed(text: &str) -> &str {
        let start = text.trim_start();
        let value = start.strip_prefix('[').map_or(start, str::trim_start);
        let is_json = value.strip_prefix('{').is_some_and(|rest| !rest.trim_start().starts_with('{'));
        if is_json && !is_cut_call(value) || is_function(start) { text } else { "" }
    }
}

/// A call as the reply has it. Whether the arguments fit is for the tool's schema to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// As the vocabulary has it: `web_search`, or `WEB_SEARCH` for a tag.
    pub name: String,
    pub arguments: Arguments,
}

/// A name and its opening bracket. A name before something else is how some models begin a call.
fn is_function(text: &str) -> bool {
    let name =
        text.find(|next: char| !next.is_alphanumeric() && !matches!(next, '_' | '-' | '.' | ':' | '$'));
    name.is_some_and(|end| end > 0 && text[end..].starts_with('('))
}

/// Whether this is a JSON call that breaks off behind its arguments.
fn is_cut_call(json: &str) -> bool {
    let mut extent = Extent::default();
    let is_open = json.chars().all(|next| extent.feed(next) == Reach::Inside);
    is_open && ARGUMENTS.iter().any(|key| json.contains(&format!("\"{key}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_functions_are_shown_and_marks_are_not() {
        for shown in ["{\"name\" 1}", "[ {\"name\" 1}]", "{\"name\": \"calculator\"", "get_time(x", "_go("] {
            assert_eq!(Piece::shown_of_flawed(shown), shown);
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
            assert_eq!(Piece::shown_of_flawed(hidden), "", "{hidden}");
        }
    }
}
