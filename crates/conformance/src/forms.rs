//! Schemas of the forms that the client's user is asked to fill in.

use serde_json::{Value, json};

pub fn plain() -> Value {
    let text = |about: &str| json!({"type": "string", "description": about});
    json!({
        "type": "object",
        "properties": {"username": text("User's response"), "email": text("User's email address")},
        "required": ["username", "email"],
    })
}

/// A form with one field of each simple type, all with defaults.
pub fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": true},
        },
    })
}

/// A form with every kind of choice: single and multiple, with and without titles, and the legacy enum.
pub fn choices() -> Value {
    let titled = |names: [&str; 3]| {
        let named = |(at, title): (usize, &str)| json!({"const": format!("value{}", at + 1), "title": title});
        Value::Array(names.into_iter().enumerate().map(named).collect())
    };
    let options = json!(["option1", "option2", "option3"]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": options},
            "titledSingle": {"type": "string", "oneOf": titled(["First Option", "Second Option", "Third Option"])},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
            "titledMulti": {
                "type": "array",
                "items": {"anyOf": titled(["First Choice", "Second Choice", "Third Choice"])},
            },
        },
    })
}
