use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use protocol::{Origin, Permission, Risk};
use serde_json::{Map, Value};

/// An effect of a tool apart from its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It reads the user's private data.
    ReadsPrivate,
    /// Its output comes from third parties.
    BringsUntrusted,
    /// Data of the call leaves the machine.
    SendsOut,
    Changes,
    /// It changes the workspace folder and nothing else.
    ChangesWorkspace,
    /// Its result is on the screen: the companion need not continue after it.
    Shows,
    /// It works with files or the desktop of the machine, which only the owner may use.
    OwnersMachine,
}

/// The groups that settings switch on and off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Always on.
    Basic,
    Animation,
    Memory,
    /// Memory tools that only read; they remain when memory is read-only.
    MemoryReading,
    State,
    WebSearch,
    VectorSearch,
    Bash,
    /// MCP servers that the companion writes, and the tools for writing them.
    McpServers,
    /// Tools of external MCP servers. The user has allowed each server by name, so no setting switches them.
    Connected,
}

impl Group {
    /// Returns the setting that switches the group.
    pub fn setting(self) -> Option<&'static str> {
        match self {
            Group::Basic | Group::Connected => None,
            Group::Animation => Some("animation"),
            Group::Memory | Group::MemoryReading => Some("memory"),
            Group::State => Some("state"),
            Group::WebSearch => Some("web_search"),
            Group::VectorSearch => Some("vector_search"),
            Group::Bash => Some("bash"),
            Group::McpServers => Some("mcp_servers"),
        }
    }
}

/// The description of a tool, known before it runs.
#[derive(Clone)]
pub struct ToolDefinition {
    pub name: String,
    /// The purpose of the tool, in a sentence for the model.
    pub description: String,
    /// The JSON schema of the arguments.
    pub parameters: Value,
    pub risk: Risk,
    pub effects: Vec<Effect>,
    pub group: Group,
    /// The resource that the tool works on, if it is not that of its group. Calls on the same resource run in order if
    /// one of them changes it.
    pub area: Option<Cow<'static, str>>,
    /// Words and phrases in a request that suggest the tool.
    pub asked_by: Vec<String>,
    /// Tags that call this tool, such as `WEB_SEARCH`.
    pub tags: Vec<String>,
    /// The argument that is an address. Visiting one that the user wrote or a search found discloses nothing new.
    pub address: Option<&'static str>,
    pub time_limit: Duration,
    /// The most characters of the output that the model receives.
    pub output_limit: usize,
    /// The MCP server that provides the tool; `None` for a built-in tool.
    pub server: Option<String>,
    /// The reason why the tool is blocked until the user permits it, if it is.
    pub caution: Option<String>,
    pub(crate) validator: Arc<Validator>,
}

impl std::fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spec").field("name", &self.name).field("risk", &self.risk).finish_non_exhaustive()
    }
}

impl ToolDefinition {
    /// Creates the specification of a safe tool without effects. Fails if the schema is invalid.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: Value,
    ) -> Result<Self, String> {
        let validator = jsonschema::validator_for(&parameters).map_err(|error| error.to_string())?;
        Ok(Self {
            name: name.into(),
            description: description.into(),
            parameters,
            risk: Risk::Safe,
            effects: Vec::new(),
            group: Group::Basic,
            area: None,
            asked_by: Vec::new(),
            tags: Vec::new(),
            address: None,
            time_limit: Duration::from_secs(30),
            output_limit: 8_000,
            server: None,
            caution: None,
            validator: Arc::new(validator),
        })
    }

    /// Returns the resource that the tool works on, if it can be shared with other tools.
    pub fn area(&self) -> Option<&str> {
        self.area.as_deref().or(self.group.setting())
    }

    pub fn has(&self, effect: Effect) -> bool {
        self.effects.contains(&effect)
    }

    /// Returns true if the tool changes anything.
    pub fn changes(&self) -> bool {
        self.has(Effect::Changes) || self.has(Effect::ChangesWorkspace)
    }

    /// Returns the origin of the tool's name, description and schema if they come from an external server. Those of
    /// servers written by the companion are reviewed by a user before use.
    pub fn described_by(&self) -> Option<Origin> {
        let server = self.server.as_ref().filter(|_| self.group == Group::Connected)?;
        Some(Origin::Tools(server.clone()))
    }

    /// Returns the permission of a tool for which the user has set none.
    pub fn default_permission(&self) -> Permission {
        match self.risk {
            Risk::Safe => Permission::Allow,
            Risk::Risky => Permission::Confirm,
            Risk::Dangerous => Permission::Block,
        }
    }

    /// Checks the arguments against the schema. The error tells the model how to correct them.
    pub fn check(&self, arguments: &Map<String, Value>) -> Result<(), String> {
        let arguments = Value::Object(arguments.clone());
        if is_too_deep(&arguments) {
            return Err(format!("The arguments of {} are nested too deeply. Make them flatter.", self.name));
        }
        let faults: Vec<String> = self
            .validator
            .iter_errors(&arguments)
            .take(MOST_FAULTS)
            .map(|fault| {
                let path = fault.instance_path().to_string();
                let path = path.trim_start_matches('/');
                match fault.kind() {
                    ValidationErrorKind::FalseSchema => format!("There is no argument {path}"),
                    _ if path.is_empty() => shortened(&fault.to_string()),
                    _ => shortened(&format!("{path}: {fault}")),
                }
            })
            .collect();
        if faults.is_empty() {
            return Ok(());
        }
        Err(format!(
            "The arguments of {} do not fit. {}. They look like this: {}",
            self.name,
            faults.join(". "),
            self.outline()
        ))
    }

    /// Returns a short outline of the arguments: `query: string, count?: integer`.
    pub fn outline(&self) -> String {
        let required: Vec<&str> = match &self.parameters["required"] {
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let Value::Object(properties) = &self.parameters["properties"] else { return "no arguments".into() };
        let parts = properties.iter().map(|(name, schema)| {
            let optional = if required.contains(&name.as_str()) { "" } else { "?" };
            format!("{name}{optional}: {}", kind(schema))
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// The most validation errors reported: enough to correct a call.
const MOST_FAULTS: usize = 4;
/// The most characters of an error message, which repeats the wrong value, however long.
const LONGEST_FAULT: usize = 240;
/// The deepest nesting of a value, so that it can still be parsed when stored inside another document.
const DEEPEST: usize = 64;

fn shortened(fault: &str) -> String {
    match fault.char_indices().nth(LONGEST_FAULT) {
        Some((end, _)) => format!("{}…", &fault[..end]),
        None => fault.to_owned(),
    }
}

/// Returns true if a value is nested too deeply to be parsed again.
pub fn is_too_deep(value: &Value) -> bool {
    is_deeper(value, DEEPEST)
}

fn is_deeper(value: &Value, depth: usize) -> bool {
    let inner = |mut values: Box<dyn Iterator<Item = &Value> + '_>| {
        depth == 0 || values.any(|value| is_deeper(value, depth - 1))
    };
    match value {
        Value::Array(values) => inner(Box::new(values.iter())),
        Value::Object(fields) => inner(Box::new(fields.values())),
        _ => false,
    }
}

fn kind(schema: &Value) -> String {
    if let Value::Array(values) = &schema["enum"] {
        let values: Vec<String> = values
            .iter()
            .map(|value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned))
            .collect();
        return values.join("|");
    }
    match &schema["type"] {
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => {
            let kinds: Vec<&str> =
                kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect();
            kinds.join("|")
        }
        _ => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn search() -> ToolDefinition {
        let parameters = json!({
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "count": {"type": ["integer", "null"], "minimum": 1, "maximum": 20},
                "kind": {"enum": ["web", "news"]},
            },
            "required": ["query"],
            "additionalProperties": false,
        });
        ToolDefinition::new("web_search", "Searches the web.", parameters).unwrap()
    }

    #[test]
    fn arguments_are_checked_and_the_answer_says_how_to_mend_them() {
        let cases: [(Value, &[&str]); 6] = [
            (json!({"query": "moon"}), &[]),
            (json!({"query": "moon", "count": 3, "kind": "news"}), &[]),
            (json!({}), &["query", "required"]),
            (json!({"query": 3}), &["query: ", "string"]),
            (json!({"query": "moon", "count": 90}), &["count: ", "20"]),
            (json!({"query": "moon", "colour": "red"}), &["colour"]),
        ];
        for (arguments, says) in cases {
            let checked = search().check(arguments.as_object().unwrap());
            match checked {
                Ok(()) => assert!(says.is_empty(), "{arguments}"),
                Err(text) => {
                    assert!(
                        !says.is_empty() && says.iter().all(|word| text.contains(word)),
                        "{arguments}: {text}"
                    );
                    assert!(text.ends_with("query: string, count?: integer, kind?: web|news"), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_fault_is_told_in_short_and_what_is_too_deep_is_refused() {
        let long = json!({"query": "moon", "count": "x".repeat(200_000)});
        let told = search().check(long.as_object().unwrap()).unwrap_err();
        assert!(told.len() < 1_000 && told.contains("count"), "{}", told.len());
        let nested = |depth: usize| (0..depth).fold(json!("moon"), |inner, _| json!([inner]));
        let free = ToolDefinition::new("free", "", json!({"type": "object"})).unwrap();
        for (depth, fits) in [(1, true), (60, true), (64, false), (100, false)] {
            let arguments = Map::from_iter([("query".to_owned(), nested(depth))]);
            assert_eq!(free.check(&arguments).is_ok(), fits, "{depth}");
        }
    }

    #[test]
    fn the_default_follows_the_risk() {
        for (risk, permission) in [
            (Risk::Safe, Permission::Allow),
            (Risk::Risky, Permission::Confirm),
            (Risk::Dangerous, Permission::Block),
        ] {
            assert_eq!(ToolDefinition { risk, ..search() }.default_permission(), permission);
        }
    }

    #[test]
    fn a_schema_that_is_none_is_refused() {
        assert!(ToolDefinition::new("x", "", json!({"type": "nonsense"})).is_err());
    }
}
