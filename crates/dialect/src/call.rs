use crate::Arguments;

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
    /// What a person sees of a call that cannot be read. JSON by itself may be what was asked for; marks, tags and the
    /// doubled braces of a template are nobody's words.
    pub fn shown_of_flawed(text: &str) -> &str {
        let start = text.trim_start();
        let value = start.strip_prefix('[').map_or(start, str::trim_start);
        let is_json = value.strip_prefix('{').is_some_and(|rest| !rest.trim_start().starts_with('{'));
        let is_function = start.starts_with(|first: char| first.is_alphanumeric() || first == '_');
        if is_json || is_function { text } else { "" }
    }
}

/// A call as the reply has it. Whether the arguments fit is for the tool's schema to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// As the vocabulary has it: `web_search`, or `WEB_SEARCH` for a tag.
    pub name: String,
    pub arguments: Arguments,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_functions_are_shown_and_marks_are_not() {
        for shown in ["{\"name\" 1}", "[ {\"name\" 1}]", "get_time(x", "_go("] {
            assert_eq!(Piece::shown_of_flawed(shown), shown);
        }
        for hidden in
            ["{{\"name\"", "[{{\"name\"", "{ {", "<tool_call>{", "[MAP:{", "[TOOL_CALLS][{", "```json\n{"]
        {
            assert_eq!(Piece::shown_of_flawed(hidden), "", "{hidden}");
        }
    }
}
