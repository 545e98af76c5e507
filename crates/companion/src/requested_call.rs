use dialect::CallArguments;
use serde_json::{Map, Value};

/// A tool call that a reply requested.
#[derive(Debug, Clone)]
pub struct RequestedCall {
    /// The id, if the call came separately and not within the text.
    pub id: Option<String>,
    pub name: String,
    /// The arguments as written in the reply, or what is wrong with them.
    pub arguments: Result<CallArguments, String>,
    /// The position of the call in the shown text, in UTF-16 units.
    pub at: u32,
}

impl RequestedCall {
    /// Creates a call that no model wrote.
    pub fn new(tool: impl Into<String>, arguments: Map<String, Value>) -> Self {
        Self { id: None, name: tool.into(), arguments: Ok(CallArguments::Named(arguments)), at: 0 }
    }

    /// Creates a call of which not even the name can be parsed.
    pub fn unreadable(why: String, at: u32) -> Self {
        Self { id: None, name: "unreadable".to_owned(), arguments: Err(why), at }
    }
}
