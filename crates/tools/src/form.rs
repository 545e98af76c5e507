//! Checks a form that the user filled in against its schema.

use jsonschema::error::{ValidationError, ValidationErrorKind};
use serde_json::{Map, Value};

/// Returns the values with defaults for the fields left out, or an error message for the user if they do not match the
/// schema.
pub fn filled_in(form: &Value, mut filled: Map<String, Value>) -> Result<Map<String, Value>, String> {
    let empty = Map::new();
    let fields = form["properties"].as_object().unwrap_or(&empty);
    if let Some(unknown) = filled.keys().find(|name| !fields.contains_key(*name)) {
        return Err(format!("The form has no field {unknown}."));
    }
    for (name, field) in fields {
        if let Some(default) = field.get("default").filter(|_| !filled.contains_key(name)) {
            filled.insert(name.clone(), default.clone());
        }
    }
    let mut options = jsonschema::options();
    options = options.should_validate_formats(true);
    let validator = options.build(form).map_err(|error| format!("The form cannot be read: {error}."))?;
    let whole = Value::Object(filled.clone());
    match validator.iter_errors(&whole).next() {
        None => Ok(filled),
        Some(fault) => Err(describe(&fault, fields)),
    }
}

fn describe(fault: &ValidationError<'_>, fields: &Map<String, Value>) -> String {
    let path = fault.instance_path().to_string();
    let name = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let field = fields.get(name);
    let title = field.and_then(|field| field["title"].as_str()).unwrap_or(name);
    match fault.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let title = fields.get(name).and_then(|field| field["title"].as_str()).unwrap_or(name);
            format!("{title} is needed.")
        }
        // A regular expression means nothing to the user, so the field's description is shown instead.
        ValidationErrorKind::Pattern { .. } => match field.and_then(|field| field["description"].as_str()) {
            Some(about) => format!("{title} does not match: {about}"),
            None => format!("{title} has another format."),
        },
        _ if title.is_empty() => format!("{fault}."),
        _ => format!("{title}: {fault}."),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_fit_is_told_in_words() {
        let form = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "title": "Your name", "minLength": 2},
                "age": {"type": "integer", "minimum": 0, "maximum": 120},
                "mail": {"type": "string", "format": "email"},
                "colour": {"type": "string", "enum": ["red", "blue"], "default": "red"},
                "hosts": {"type": "string", "description": "Names with commas.", "pattern": "^[^/]*$"},
            },
            "required": ["name"],
        });
        for (filled, word) in [
            (json!({"name": "Ada", "age": 36, "mail": "ada@example.org", "hosts": "a.example"}), None),
            (json!({}), Some("Your name is needed.")),
            (json!({"name": "A"}), Some("Your name: ")),
            (json!({"name": "Ada", "age": 500}), Some("120")),
            (json!({"name": "Ada", "age": "36"}), Some("age: ")),
            (json!({"name": "Ada", "mail": "nomail"}), Some("mail: ")),
            (json!({"name": "Ada", "colour": "green"}), Some("colour: ")),
            (json!({"name": "Ada", "password": "x"}), Some("The form has no field password.")),
            (json!({"name": "Ada", "hosts": "http://bad/"}), Some("Names with commas.")),
        ] {
            let Value::Object(filled) = filled else { panic!() };
            match (filled_in(&form, filled.clone()), word) {
                (Ok(whole), None) => assert_eq!(whole["colour"], "red", "what was left as it stood"),
                (Err(why), Some(word)) => assert!(why.contains(word), "{why}"),
                (found, _) => panic!("{filled:?}: {found:?}"),
            }
        }
    }
}
