//! A form at the terminal, filled in field by field after the user has agreed.

use serde_json::{Map, Value, json};

/// A form that the user is filling in.
pub struct FormInput {
    fields: Vec<Field>,
    values: Map<String, Value>,
    typed: String,
}

struct Field {
    name: String,
    schema: Value,
    required: bool,
}

/// The effect of a key.
#[derive(Debug, PartialEq, Eq)]
pub enum KeyEffect {
    /// A character was typed or deleted.
    Typed,
    /// The field is complete.
    NextField,
    /// The input does not fit the field, for this reason.
    Invalid(String),
}

impl FormInput {
    /// Reads the fields, in order, from the schema of a flat object.
    pub fn new(form: &Value) -> Self {
        let required: Vec<&str> =
            form["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let fields = form["properties"].as_object().into_iter().flatten().rev().map(|(name, schema)| Field {
            name: name.clone(),
            schema: schema.clone(),
            required: required.contains(&name.as_str()),
        });
        Self { fields: fields.collect(), values: Map::new(), typed: String::new() }
    }

    /// Returns the default values, for use without an interactive user.
    pub fn defaults(form: &Value) -> Map<String, Value> {
        let fields = form["properties"].as_object().into_iter().flatten();
        fields.filter_map(|(name, schema)| Some((name.clone(), schema.get("default")?.clone()))).collect()
    }

    /// Returns the prompt for the next field, or `None` if all are filled in.
    pub fn prompt(&self) -> Option<String> {
        let Field { name, schema, required } = self.fields.last()?;
        let title = schema["title"].as_str().unwrap_or(name);
        let about = schema["description"].as_str().map(|about| format!(" ({about})")).unwrap_or_default();
        let choices: Vec<&str> =
            schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let choices =
            if choices.is_empty() { String::new() } else { format!(" One of {}.", choices.join(", ")) };
        let default = match &schema["default"] {
            Value::Null if *required => String::new(),
            Value::Null => " Press Enter to leave it out.".to_owned(),
            Value::String(text) if text.is_empty() => " Press Enter to leave it empty.".to_owned(),
            Value::String(text) => format!(" Press Enter for {text}."),
            other => format!(" Press Enter for {other}."),
        };
        Some(format!("{title}{about}:{choices}{default}"))
    }

    pub fn typed(&self) -> &str {
        &self.typed
    }

    pub fn press(&mut self, key: char) -> KeyEffect {
        match key {
            '\n' | '\r' => self.enter(),
            '\u{7f}' | '\u{8}' => {
                self.typed.pop();
                KeyEffect::Typed
            }
            key if key.is_control() => KeyEffect::Typed,
            key => {
                self.typed.push(key);
                KeyEffect::Typed
            }
        }
    }

    pub fn values(self) -> Map<String, Value> {
        self.values
    }

    fn enter(&mut self) -> KeyEffect {
        let Some(field) = self.fields.last() else { return KeyEffect::NextField };
        let typed = std::mem::take(&mut self.typed);
        let value = match checked_value(typed.trim(), field) {
            Ok(value) => value,
            Err(why) => return KeyEffect::Invalid(why),
        };
        if let (Some(field), Some(value)) = (self.fields.pop(), value) {
            self.values.insert(field.name, value);
        }
        KeyEffect::NextField
    }
}

/// Parses the text as the value of a field.
fn checked_value(text: &str, field: &Field) -> Result<Option<Value>, String> {
    let value = parse_value(text, field)?;
    if let Some(value) = &value {
        let form = json!({"type": "object", "properties": {field.name.clone(): field.schema}});
        tools::filled_in(&form, Map::from_iter([(field.name.clone(), value.clone())]))?;
    }
    Ok(value)
}

fn parse_value(text: &str, field: &Field) -> Result<Option<Value>, String> {
    let schema = &field.schema;
    if text.is_empty() {
        return match &schema["default"] {
            Value::Null if field.required => Err("This field is required.".to_owned()),
            Value::Null => Ok(None),
            default => Ok(Some(default.clone())),
        };
    }
    let wrong = |what: &str| Err(format!("This should be {what}."));
    match schema["type"].as_str() {
        Some("boolean") => match text.to_lowercase().as_str() {
            "y" | "yes" | "true" => Ok(Some(true.into())),
            "n" | "no" | "false" => Ok(Some(false.into())),
            _ => wrong("yes or no"),
        },
        Some("integer") => {
            text.parse::<i64>().map_or_else(|_| wrong("a whole number"), |number| Ok(Some(number.into())))
        }
        Some("number") => {
            text.parse::<f64>().map_or_else(|_| wrong("a number"), |number| Ok(Some(number.into())))
        }
        _ => {
            let choices = schema["enum"].as_array();
            if choices.is_some_and(|choices| !choices.contains(&Value::from(text))) {
                return wrong("one of the choices");
            }
            Ok(Some(text.into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn type_in(input: &mut FormInput, text: &str) -> KeyEffect {
        text.chars().for_each(|key| drop(input.press(key)));
        input.press('\n')
    }

    #[test]
    fn fields_are_asked_for_in_their_order_and_read_as_what_they_are() {
        let form = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "title": "Your name"},
                "age": {"type": "integer", "maximum": 120},
                "sure": {"type": "boolean", "default": true},
                "colour": {"enum": ["red", "blue"]},
                "note": {"type": "string"},
            },
            "required": ["name", "age", "colour"],
        });
        let mut input = FormInput::new(&form);
        assert_eq!(input.prompt().unwrap(), "Your name:");
        assert_eq!(type_in(&mut input, ""), KeyEffect::Invalid("This field is required.".into()));
        assert_eq!(type_in(&mut input, "Adx\u{7f}a"), KeyEffect::NextField);
        assert_eq!(type_in(&mut input, "old"), KeyEffect::Invalid("This should be a whole number.".into()));
        assert!(matches!(type_in(&mut input, "500"), KeyEffect::Invalid(why) if why.contains("120")));
        assert_eq!(type_in(&mut input, "36"), KeyEffect::NextField);
        assert_eq!(input.prompt().unwrap(), "sure: Press Enter for true.");
        assert_eq!(type_in(&mut input, ""), KeyEffect::NextField);
        assert_eq!(
            type_in(&mut input, "green"),
            KeyEffect::Invalid("This should be one of the choices.".into())
        );
        assert_eq!(type_in(&mut input, "blue"), KeyEffect::NextField);
        assert_eq!(type_in(&mut input, ""), KeyEffect::NextField);
        assert_eq!(input.prompt(), None);
        let filled = json!({"name": "Ada", "age": 36, "sure": true, "colour": "blue"});
        assert_eq!(Value::Object(input.values()), filled);
        assert_eq!(Value::Object(FormInput::defaults(&form)), json!({"sure": true}));
    }
}
