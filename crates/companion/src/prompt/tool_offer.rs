//! Presents tools to a model: in the request if the model supports that, otherwise as text in the prompt.

use std::collections::BTreeSet;
use std::sync::Arc;

use dialect::{ReplySyntax, ReplyVocabulary};
use model::{ChatModel, ToolSpec};
use protocol::{Origin, User};
use serde_json::{Map, Value};
use tools::{Effect, Group, ToolDefinition};

use super::text::TokenCounter;
use super::tool_format::ToolFormat;
use crate::tool_access::ToolAccess;
use crate::tool_search;
use crate::tool_set::ToolSet;

const SYNTAX: &str = "You can act. To use a tool, write a line like this and wait for what it tells you:\n\
    [TOOL_CALL:{\"tool\":\"NAME\",\"args\":{…}}]\n\
    Use a tool only when it helps. Tools:";

/// The level of detail of a tool's parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaDetail {
    Full,
    /// Names and types alone, for small models, which have little room and repeat other text.
    Slim,
}

/// The tools that are offered to one model for one user.
#[derive(Default)]
pub struct ToolOffer {
    pub format: ToolFormat,
    /// The tools in the request.
    pub specs: Vec<ToolSpec>,
    /// The text about tools in the prompt.
    pub hint: Option<String>,
    /// The origins of the descriptions that come from MCP servers.
    pub origins: Vec<Origin>,
}

impl ToolOffer {
    /// Returns true if any tools are offered.
    pub fn is_any(&self) -> bool {
        !self.specs.is_empty() || self.hint.is_some()
    }

    /// Offers the permitted tools that fit into `room` tokens. The others can be found with a search tool.
    pub fn new(
        (tool_set, tools): (&ToolSet, &ToolAccess),
        user: &User,
        format: ToolFormat,
        form: SchemaDetail,
        room: u32,
        count: TokenCounter<'_>,
    ) -> Self {
        // A small model gets no list of skills and would only guess their names.
        let wanted = |spec: &&ToolDefinition| form == SchemaDetail::Full || !spec.name.starts_with("skill");
        let permitted = tool_set.permitted(tools, user);
        let rank = |spec: &ToolDefinition| tool_set.rank(&spec.name);
        let specs: Vec<&ToolDefinition> = permitted.iter().map(|tool| tool.spec()).filter(wanted).collect();
        let cost = |spec: &ToolSpec| tokens(spec, count);
        let native = |spec: &ToolDefinition| native(spec, form);
        let tags = tags(&specs).filter(|tags| count(tags) <= room / 2 && form == SchemaDetail::Full);
        let room = room.saturating_sub(tags.as_deref().map_or(0, count));
        match format {
            ToolFormat::Native | ToolFormat::Template => {
                let finding = tool_search::specs().map(|spec| formed(spec, form));
                let all = choose(&specs, rank, room, |spec| cost(&native(spec)));
                let (chosen, finding) = if all.len() == specs.len() {
                    (all, None)
                } else {
                    let left = room.saturating_sub(finding.iter().map(cost).sum());
                    (choose(&specs, rank, left, |spec| cost(&native(spec))), Some(finding))
                };
                let origins = origins_of(&chosen);
                let offered = chosen.into_iter().map(native).chain(finding.into_iter().flatten()).collect();
                Self { format, specs: offered, hint: tags, origins }
            }
            ToolFormat::Text => {
                let find = format!("- {}(query: string): finds further tools.", tool_search::FIND);
                let room = room.saturating_sub(count(SYNTAX) + count(&find));
                let chosen = choose(&specs, rank, room, |spec| count(&line(spec)) + 1);
                let origins = origins_of(&chosen);
                let mut lines: Vec<String> = chosen.iter().map(|spec| line(spec)).collect();
                if chosen.len() < specs.len() {
                    lines.push(find);
                }
                let hint = (!lines.is_empty()).then(|| {
                    let tools = format!("{SYNTAX}\n{}", lines.join("\n"));
                    tags.map_or(tools.clone(), |tags| format!("{tools}\n{tags}"))
                });
                Self { format, specs: Vec::new(), hint, origins }
            }
        }
    }
}

/// Returns the names that are parsed as calls, including those of tools that are off or blocked. A tag thus never
/// appears as text, and the model is told that the call is refused. The same holds for calls of tools that are gone or
/// not confirmed yet.
pub fn vocabulary(tool_set: &ToolSet, tools: &ToolAccess, model: &dyn ChatModel) -> Arc<ReplyVocabulary> {
    let all = tool_set.all(tools);
    let specs: Vec<&ToolDefinition> = all.iter().map(|tool| tool.spec()).collect();
    let names = specs.iter().map(|spec| spec.name.clone());
    let names = names.chain([tool_search::FIND.to_owned(), tool_search::USE.to_owned()]);
    let tags = specs.iter().flat_map(|spec| spec.tags.iter().cloned());
    let mut vocabulary = ReplyVocabulary::new(names, tags).with_unknown_tools();
    for spec in specs {
        vocabulary = vocabulary.with_parameters(&spec.name, parameters(&spec.parameters));
    }
    let learned = model.syntax().map_or_else(ReplySyntax::default, Arc::unwrap_or_clone);
    Arc::new(vocabulary.with_syntax(&learned.for_model(&model.info().name)))
}

/// Returns the names of a tool's parameters.
pub fn parameters(schema: &Value) -> impl Iterator<Item = String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(|properties| properties.keys().cloned())
}

/// Returns the vocabulary for an API client's own tools.
pub fn vocabulary_of_client(tools: &[ToolSpec], syntax: Option<&ReplySyntax>) -> Arc<ReplyVocabulary> {
    let names = tools.iter().map(|tool| tool.name.clone());
    let mut vocabulary = ReplyVocabulary::new(names, Vec::<String>::new());
    for tool in tools {
        vocabulary = vocabulary.with_parameters(&tool.name, parameters(&tool.parameters));
    }
    Arc::new(match syntax {
        Some(syntax) => vocabulary.with_syntax(syntax),
        None => vocabulary,
    })
}

/// Chooses the tools that fit by rank, and sorts them by name.
fn choose<'a>(
    specs: &[&'a ToolDefinition],
    rank: impl Fn(&ToolDefinition) -> usize,
    room: u32,
    cost: impl Fn(&ToolDefinition) -> u32,
) -> Vec<&'a ToolDefinition> {
    let mut ordered: Vec<&ToolDefinition> = specs.to_vec();
    ordered.sort_by_key(|spec| rank(spec));
    let mut used = 0_u32;
    let mut fits = |spec: &&ToolDefinition| {
        let cost = cost(spec);
        let fits = used.saturating_add(cost) <= room;
        used += if fits { cost } else { 0 };
        fits
    };
    let mut chosen: Vec<&ToolDefinition> = ordered.into_iter().filter(|spec| fits(spec)).collect();
    chosen.sort_by(|one, other| one.name.cmp(&other.name));
    chosen
}

/// Returns the origins of the tools' descriptions.
fn origins_of(specs: &[&ToolDefinition]) -> Vec<Origin> {
    let origins: BTreeSet<Origin> = specs.iter().filter_map(|spec| spec.described_by()).collect();
    origins.into_iter().collect()
}

/// Returns the size of a tool in a request, in tokens.
pub fn tokens(spec: &ToolSpec, count: TokenCounter<'_>) -> u32 {
    /// The tokens that a template adds around a tool.
    const AROUND: u32 = 20;
    count(&spec.parameters.to_string()) + count(&spec.description) + AROUND
}

/// Returns a tool with its full schema.
pub fn whole(spec: &ToolDefinition) -> ToolSpec {
    native(spec, SchemaDetail::Full)
}

fn native(spec: &ToolDefinition, form: SchemaDetail) -> ToolSpec {
    let (name, description) = (spec.name.clone(), spec.description.clone());
    formed(ToolSpec { name, description, parameters: spec.parameters.clone() }, form)
}

fn formed(spec: ToolSpec, form: SchemaDetail) -> ToolSpec {
    match form {
        SchemaDetail::Full => ToolSpec { parameters: without_own(&spec.parameters), ..spec },
        SchemaDetail::Slim => ToolSpec { parameters: slim(&spec.parameters), ..spec },
    }
}

/// Removes the `x-` fields from a schema, which only this program's call parser uses.
fn without_own(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !name.starts_with("x-"));
            Value::Object(kept.map(|(name, field)| (name.clone(), without_own(field))).collect())
        }
        Value::Array(values) => values.iter().map(without_own).collect(),
        other => other.clone(),
    }
}

/// Reduces a schema to what is needed to write a call.
fn slim(schema: &Value) -> Value {
    let mut kept = Map::new();
    match &schema["type"] {
        Value::Array(kinds) => {
            let kind = kinds.iter().find(|kind| *kind != "null").cloned();
            kept.extend(kind.map(|kind| ("type".to_owned(), kind)));
        }
        Value::Null => {}
        kind => drop(kept.insert("type".to_owned(), kind.clone())),
    }
    if let Value::Object(properties) = &schema["properties"] {
        let slimmed = properties.iter().map(|(name, property)| (name.clone(), slim(property)));
        kept.insert("properties".to_owned(), Value::Object(slimmed.collect()));
    } else if schema["type"] == "object" {
        kept.insert("properties".to_owned(), Value::Object(Map::new()));
    }
    for name in ["required", "enum"] {
        kept.extend(schema.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    if let Some(items) = schema.get("items") {
        kept.insert("items".to_owned(), slim(items));
    }
    Value::Object(kept)
}

fn line(spec: &ToolDefinition) -> String {
    format!("- {}({}): {}", spec.name, spec.outline(), spec.description)
}

/// Returns the hint about content that can be shown within an answer. Tags for the avatar are recognised but not
/// described: it follows the text without them, and they would take up room.
fn tags(specs: &[&ToolDefinition]) -> Option<String> {
    let shows = specs.iter().filter(|spec| spec.has(Effect::Shows) && spec.group != Group::Animation);
    let tags: Vec<String> =
        shows.filter_map(|spec| Some(format!("[{}:{{{}}}]", spec.tags.first()?, spec.outline()))).collect();
    (!tags.is_empty()).then(|| format!("In an answer you may show things: {}", tags.join(" ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_slim_schema_has_names_and_types_and_no_more() {
        let full = json!({
            "type": "object",
            "properties": {
                "zone": {"type": ["string", "null"], "description": "A city."},
                "kind": {"enum": ["web", "news"], "default": "web"},
                "marks": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}},
            },
            "required": ["kind"],
            "additionalProperties": false,
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "zone": {"type": "string"},
                "kind": {"enum": ["web", "news"]},
                "marks": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
            },
            "required": ["kind"],
        });
        assert_eq!(slim(&full), expected);
        let none = json!({"type": "object", "additionalProperties": false});
        assert_eq!(slim(&none), json!({"type": "object", "properties": {}}));
    }
}
