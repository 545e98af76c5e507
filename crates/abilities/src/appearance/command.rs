use protocol::Command;
use serde_json::Value;
use tools::ToolOutput;

/// Returns a command for the client, with a text for the model.
pub fn command(action: &str, payload: Value, text: String) -> ToolOutput {
    let command = Command { action: action.to_owned(), payload };
    ToolOutput { text, command: Some(command), ..ToolOutput::default() }
}
