//! Limits and repairs of what is shown on the screen.

use protocol::Command;
use serde_json::{Map, Value};
use tools::{ToolError, ToolOutput};

/// The largest payload, in bytes.
pub const LARGEST_PAYLOAD: usize = 256 * 1024;
/// The deepest nesting of a payload; deeper ones would make a stored conversation unreadable.
const DEEPEST_PAYLOAD: usize = 64;
const LONGEST_TITLE: usize = 200;

/// Returns a command with this payload, and a line for the model.
pub fn shown(action: &str, payload: Map<String, Value>, says: String) -> Result<ToolOutput, ToolError> {
    let payload = Value::Object(payload);
    if is_deeper_than(DEEPEST_PAYLOAD, &payload) {
        return Err(ToolError::Impossible(format!(
            "This is nested too deeply for the screen: at most {DEEPEST_PAYLOAD} levels fit. Make it flatter."
        )));
    }
    let length = payload.to_string().len();
    if length > LARGEST_PAYLOAD {
        return Err(ToolError::Impossible(format!(
            "This is too large for the screen: {} KB, and {} KB fit. Show less of it.",
            length.div_ceil(1024),
            LARGEST_PAYLOAD / 1024
        )));
    }
    let command = Command { action: action.to_owned(), payload };
    Ok(ToolOutput { text: says, command: Some(command), ..ToolOutput::default() })
}

fn is_deeper_than(levels: usize, value: &Value) -> bool {
    let mut inner: Box<dyn Iterator<Item = &Value>> = match value {
        Value::Array(values) => Box::new(values.iter()),
        Value::Object(fields) => Box::new(fields.values()),
        _ => return false,
    };
    levels == 0 || inner.any(|value| is_deeper_than(levels - 1, value))
}

/// Reduces the title to one line of limited length. A title that is neither text nor a number is removed.
pub fn repair_title(payload: &mut Map<String, Value>) {
    let Some(title) = payload.get("title") else { return };
    let title = match title {
        Value::String(title) => title.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    match title.char_indices().nth(LONGEST_TITLE) {
        _ if title.is_empty() => drop(payload.shift_remove("title")),
        Some((end, _)) => drop(payload.insert("title".into(), format!("{}…", &title[..end]).into())),
        None => drop(payload.insert("title".into(), title.into())),
    }
}
