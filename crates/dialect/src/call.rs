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
    /// Meant as a call and not readable as one: shown as text, and explained to the model.
    Flawed { text: String, why: String },
}

/// A call as the reply has it. Whether the arguments fit is for the tool's schema to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// As the vocabulary has it: `web_search`, or `WEB_SEARCH` for a tag.
    pub name: String,
    pub arguments: Arguments,
}
