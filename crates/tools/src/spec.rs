use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use protocol::{Origin, Permission, Risk};
use serde_json::{Map, Value};

/// What a tool does to the world, beside answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It reads what is the user's own.
    ReadsPrivate,
    /// What it brings was written by somebody else.
    BringsUntrusted,
    /// Something of the call leaves the machine.
    SendsOut,
    Changes,
    /// It changes the folder that she works in, and nothing else.
    ChangesWorkspace,
    /// All that comes of it is on the screen: she need not go on when it is there.
    Shows,
    /// It works with the files or the desktop of the machine, which are its owner's and nobody else's.
    OwnersMachine,
}

/// The groups that the settings switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Always there.
    Basic,
    Animation,
    Memory,
    /// Memory tools that only read: they stay when memory is read-only.
    MemoryReading,
    State,
    WebSearch,
    VectorSearch,
    Bash,
    /// What she writes herself, and the tools by which she does.
    McpServers,
    /// What other programs bring. A person let each of them in by name, so no setting switches them.
    Connected,
}

impl Group {
    /// The setting that switches it.
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

/// What is known of a tool before it runs.
#[derive(Clone)]
pub struct Spec {
    pub name: String,
    /// For the model: what it is for, in a sentence.
    pub description: String,
    /// JSON schema of the arguments.
    pub parameters: Value,
    pub risk: Risk,
    pub effects: Vec<Effect>,
    pub group: Group,
    /// What it works on, where its group does not say: calls that touch the same things, one of which changes
    /// them, are made in order.
    pub area: Option<Cow<'static, str>>,
    /// Words and phrases of a request that calls for it.
    pub asked_by: Vec<String>,
    /// Tags that mean this tool: `WEB_SEARCH`.
    pub tags: Vec<String>,
    /// The argument that is an address: one that the user wrote, or a search found, tells nobody anything new.
    pub address: Option<&'static str>,
    pub time_limit: Duration,
    /// How many characters of its answer the model gets to read.
    pub output_limit: usize,
    /// The server that brings it, where it is not our own.
    pub server: Option<String>,
    /// Why it is blocked until the user permits it, where that is so by itself.
    pub caution: Option<String>,
    pub(crate) validator: Arc<Validator>,
}

impl std::fmt::Debug for Spec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spec").field("name", &self.name).field("risk", &self.risk).finish_non_exhaustive()
    }
}

impl Spec {
    /// A safe tool that neither reads, sends nor changes anything. Fails where the schema is none.
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

    /// What it works on, if others do so too.
    pub fn area(&self) -> Option<&str> {
        self.area.as_deref().or(self.group.setting())
    }

    pub fn has(&self, effect: Effect) -> bool {
        self.effects.contains(&effect)
    }

    /// Whether something is different afterwards.
    pub fn changes(&self) -> bool {
        self.has(Effect::Changes) || self.has(Effect::ChangesWorkspace)
    }

    /// Whose words its name, its description and its arguments are, where they are neither ours nor hers: what she writes
    /// herself a person reads before it is used.
    pub fn described_by(&self) -> Option<Origin> {
        let server = self.server.as_ref().filter(|_| self.group == Group::Connected)?;
        Some(Origin::Tools(server.clone()))
    }

    /// What is permitted where the user has said nothing.
    pub fn default_permission(&self) -> Permission {
        match self.risk {
            Risk::Safe => Permission::Allow,
            Risk::Risky => Permission::Confirm,
            Risk::Dangerous => Permission::Block,
        }
    }

    /// Whether the arguments fit; if not, how to mend them, in words for the model.
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

    /// The arguments in short: `query: string, count?: integer`.
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

/// So many faults are enough to mend a call.
const MOST_FAULTS: usize = 4;
/// A fault repeats what is wrong, which may be a whole book.
const LONGEST_FAULT: usize = 240;
/// What is stored inside of something else must still be readable there.
const DEEPEST: usize = 64;

fn shortened(fault: &str) -> String {
    match fault.char_indices().nth(LONGEST_FAULT) {
        Some((end, _)) => format!("{}…", &fault[..end]),
        None => fault.to_owned(),
    }
}

/// Whether a value is nested so deeply that it could not be read back.
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

    fn search() -> Spec {
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
        Spec::new("web_search", "Searches the web.", parameters).unwrap()
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
        let free = Spec::new("free", "", json!({"type": "object"})).unwrap();
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
            assert_eq!(Spec { risk, ..search() }.default_permission(), permission);
        }
    }

    #[test]
    fn a_schema_that_is_none_is_refused() {
        assert!(Spec::new("x", "", json!({"type": "nonsense"})).is_err());
    }
}
