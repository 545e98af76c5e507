//! Selects the few tools that a request calls for, for a small model.
//!
//! They are shown in the context of the message and not at the beginning of the prompt. The beginning thus stays the
//! same for all requests, and a greeting is shown no tools.
//!
//! If the wording of a request calls for a tool, an embedded model must begin its answer with a call: those with up to
//! 1.5 billion parameters rarely write a readable call by themselves. They are shown the required arguments and at most
//! one more, since they fill in everything that they see. The result is the answer if it is short and the program's
//! own, because such a model changes what it repeats. A tool that is switched off can be called too and says how to
//! switch it on, where the model would invent an answer.

use std::collections::BTreeSet;

use model::{ModelInfo, ToolChoice, ToolSpec};
use protocol::{ModelKind, Origin, User};
use serde_json::{Map, Value, json};
use tools::ToolDefinition;

use super::text::TokenCounter;
use super::tool_matching;
use super::tool_offer;
use crate::tool_access::ToolAccess;
use crate::tool_search;
use crate::tool_set::ToolSet;

const HOW: &str = "Tools that you can use for this. To use one, answer with its call alone, filled in:";
const ELSE: &str = "Where no tool helps, answer in words.";
const SKILL: &str = "skill";
const TIME: &str = "time";
/// The text in the arguments of example calls.
const PLACEHOLDER: &str = "...";
/// The number of optional parameters that are shown.
const MOST_OPTIONAL: usize = 1;
/// The most characters of a text that a small model fills in.
const LONGEST_TEXT: usize = 1_000;

/// The tools that are shown with one message.
#[derive(Default)]
pub struct RequestTools {
    pub text: String,
    /// The origins of the descriptions that come from MCP servers.
    pub origins: Vec<Origin>,
    /// The tools that may be called.
    pub specs: Vec<ToolSpec>,
    /// True if the message calls for one of the tools, so that the answer should begin with a call.
    pub is_called_for: bool,
}

impl RequestTools {
    /// Returns the tool choice for the request. A call is required only for an embedded model, where this program
    /// writes the grammar; a server would need the tools in the request.
    pub fn choice(&self, model: &ModelInfo) -> ToolChoice {
        let must = self.is_called_for && model.kind == ModelKind::Embedded;
        if must { ToolChoice::Required } else { ToolChoice::Auto }
    }
}

/// Returns the tools that a message calls for, or those of the previous answer that it continues. `None` if there are
/// none.
pub fn choose(
    (tool_set, tools): (&ToolSet, &ToolAccess),
    user: &User,
    (message, before): (&str, &[&str]),
    most: usize,
    room: u32,
    count: TokenCounter<'_>,
) -> Option<RequestTools> {
    if most == 0 {
        return None;
    }
    let permitted = tool_set.permitted(tools, user);
    let specs: Vec<&ToolDefinition> = permitted.iter().map(|tool| tool.spec()).collect();
    let all = tool_set.all(tools);
    let mut chosen = tool_matching::for_tools(message, &specs, most);
    let explains = tool_matching::asks_to_explain(message);
    if chosen.is_empty() && !explains {
        // A tool that is switched off is shown as well: the call is refused, so the model learns that instead of
        // inventing an answer.
        let ours = all.iter().map(|tool| tool.spec()).filter(|spec| spec.described_by().is_none());
        chosen = tool_matching::for_tools(message, &ours.collect::<Vec<_>>(), 1);
    }
    let skills = skills(tools, message);
    if !skills.is_empty()
        && let Some(skill) = specs.iter().find(|spec| spec.name == SKILL)
        && !chosen.iter().any(|spec| spec.name == SKILL)
    {
        chosen.insert(0, skill);
    }
    let asks_for_tools = tool_matching::names_tools(message);
    let mut is_called_for = !chosen.is_empty() && !explains && skills.is_empty() && !asks_for_tools;
    if chosen.is_empty() && !asks_for_tools {
        chosen = again(&specs, message, before);
        is_called_for = !chosen.is_empty();
        if chosen.is_empty() {
            chosen = most_useful(tool_set, &specs, message);
        }
        chosen.truncate(most);
        if chosen.is_empty() {
            return None;
        }
    }
    let shown = |spec: &&ToolDefinition| {
        let brief = brief(spec);
        (line(spec, &brief, &skills), spec.described_by(), brief)
    };
    let mut lines: Vec<(String, Option<Origin>, ToolSpec)> = chosen.iter().map(shown).collect();
    if asks_for_tools {
        let query = Map::from_iter([("query".to_owned(), json!(PLACEHOLDER))]);
        let line = format!("{} Finds further tools.", call(tool_search::FIND, &query));
        let [find, _] = tool_search::specs();
        lines.push((line, None, find));
    }
    while !lines.is_empty() {
        let told: Vec<&str> = lines.iter().map(|(line, ..)| line.as_str()).collect();
        let text = format!("{HOW}\n{}\n{ELSE}", told.join("\n"));
        if count(&text) <= room {
            let origins: BTreeSet<Origin> =
                lines.iter().filter_map(|(_, origin, _)| origin.clone()).collect();
            let specs = lines.into_iter().map(|(.., spec)| spec).collect();
            return Some(RequestTools { text, origins: origins.into_iter().collect(), specs, is_called_for });
        }
        lines.pop();
    }
    None
}

/// Returns true if a message calls for one of the companion's own tools.
pub fn calls_for_one(tool_set: &ToolSet, tools: &ToolAccess, message: &str) -> bool {
    let all = tool_set.all(tools);
    let ours = all.iter().map(|tool| tool.spec()).filter(|spec| spec.described_by().is_none());
    // The local time stands in the prompt of a model without tools.
    let ours = ours.filter(|spec| spec.name != TIME || message.contains(" in "));
    !tool_matching::asks_to_explain(message)
        && !tool_matching::for_tools(message, &ours.collect::<Vec<_>>(), 1).is_empty()
}

/// Returns the tools of the previous answer, if a message continues it.
fn again<'a>(specs: &[&'a ToolDefinition], message: &str, before: &[&str]) -> Vec<&'a ToolDefinition> {
    let is_meant =
        |spec: &&&ToolDefinition| tool_matching::goes_on(message) && before.contains(&spec.name.as_str());
    specs.iter().filter(is_meant).copied().collect()
}

/// Returns the most useful tools for a message in a language for which the tools have no phrases.
fn most_useful<'a>(
    tool_set: &ToolSet,
    specs: &[&'a ToolDefinition],
    message: &str,
) -> Vec<&'a ToolDefinition> {
    if !tool_matching::asks_elsewhere(message) {
        return Vec::new();
    }
    let is_useful = |spec: &&&ToolDefinition| spec.name != SKILL && tool_set.is_among_first(&spec.name);
    let mut useful: Vec<&ToolDefinition> = specs.iter().filter(is_useful).copied().collect();
    useful.sort_by_key(|spec| tool_set.rank(&spec.name));
    useful
}

/// Returns the skills that a message names, or all of them if it asks for skills.
fn skills(tools: &ToolAccess, message: &str) -> Vec<String> {
    let names = tools.skills().usable();
    if tool_matching::names_skills(message) {
        return names;
    }
    names.into_iter().filter(|name| tool_matching::names(message, name)).collect()
}

fn line(spec: &ToolDefinition, brief: &ToolSpec, skills: &[String]) -> String {
    let about = if spec.name == SKILL && !skills.is_empty() {
        format!("{} There are: {}.", spec.description, skills.join(", "))
    } else {
        spec.description.clone()
    };
    format!("{} {about}", example(brief))
}

/// Reduces a tool to its required parameters and at most one optional one, because a small model fills in every
/// parameter that it sees. The optional one is plain text without a default.
fn brief(spec: &ToolDefinition) -> ToolSpec {
    let mut brief = tool_offer::whole(spec);
    let (required, parameters) = (required(&spec.parameters), &mut brief.parameters);
    if let Some(properties) = parameters.get_mut("properties").and_then(Value::as_object_mut) {
        let mut further = 0;
        properties.retain(|name, property| {
            let is_plain =
                is_text(property) && property.get("enum").is_none() && property.get("default").is_none();
            let is_further = is_plain && further < MOST_OPTIONAL;
            let is_required = required.contains(name);
            further += usize::from(is_further && !is_required);
            is_required || is_further
        });
        for property in properties.values_mut().filter(|property| is_text(property)) {
            // Nested lists and objects are beyond a small model, and so is an end to a long text.
            property["type"] = json!("string");
            if property.get("maxLength").is_none() && property.get("enum").is_none() {
                property["maxLength"] = json!(LONGEST_TEXT);
            }
        }
        parameters["additionalProperties"] = json!(false);
        parameters["required"] = json!(required);
    }
    brief
}

/// Returns the required parameters and the main one, even if the tool accepts calls without it.
fn required(parameters: &Value) -> Vec<String> {
    let names = parameters["required"].as_array().into_iter().flatten();
    let mut names: Vec<String> = names.filter_map(Value::as_str).map(ToOwned::to_owned).collect();
    if let Some(main) = parameters["x-pipe"][0].as_str()
        && !names.iter().any(|name| name == main)
    {
        names.push(main.to_owned());
    }
    names
}

fn is_text(property: &Value) -> bool {
    match &property["type"] {
        Value::String(kind) => kind == "string",
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "string"),
        _ => false,
    }
}

/// Returns an example call with all parameters. A small model imitates everything it sees, including signatures, so it
/// is shown nothing that it should not write.
fn example(spec: &ToolSpec) -> String {
    let properties = spec.parameters["properties"].as_object();
    let value = |property: &Value| match property["type"].as_str() {
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        _ => json!(PLACEHOLDER),
    };
    let arguments = properties.into_iter().flatten().map(|(name, property)| (name.clone(), value(property)));
    call(&spec.name, &arguments.collect())
}

/// Formats a call in the syntax that most models were trained on.
fn call(name: &str, arguments: &Map<String, Value>) -> String {
    let call = json!({"name": name, "arguments": arguments});
    format!("<tool_call>{call}</tool_call>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_is_about_has_to_be_filled_in_and_little_else() {
        let text = json!({"type": "string"});
        let parameters = json!({
            "type": "object",
            "properties": {
                "kind": {"type": "string"},
                "title": text,
                "level": {"type": "integer"},
                "data": {"type": ["array", "string"]},
            },
            "x-pipe": ["data", "title"],
        });
        let brief = brief(&ToolDefinition::new("chart", "", parameters).unwrap());
        let properties: Vec<&String> = brief.parameters["properties"].as_object().unwrap().keys().collect();
        assert_eq!(properties, ["kind", "data"]);
        assert_eq!(brief.parameters["required"], json!(["data"]));
        let data = &brief.parameters["properties"]["data"];
        assert_eq!((&data["type"], &data["maxLength"]), (&json!("string"), &json!(LONGEST_TEXT)));
    }

    #[test]
    fn what_no_word_names_is_what_was_used_before_or_what_is_most_useful() {
        let spec = |name: &str| ToolDefinition::new(name, "", json!({"type": "object"})).unwrap();
        let specs = ["door_lock", "skill", "time", "weather", "web_search", "calculate"].map(spec);
        let specs: Vec<&ToolDefinition> = specs.iter().collect();
        let useful = &["calculate", "time", "web_search", "weather"][..];
        for (message, used, expected) in [
            ("And tomorrow?", &["weather"][..], &["weather"][..]),
            ("what about Porto?", &["weather", "time"], &["time", "weather"]),
            ("und morgen?", &["weather"], &["weather"]),
            ("And tomorrow?", &[], &[]),
            ("And tomorrow?", &["gone"], &[]),
            ("Thanks!", &["weather"], &[]),
            ("Danke!", &["weather"], &[]),
            ("Goodbye", &["weather"], &[]),
            ("Who wrote Faust?", &["weather"], &[]),
            ("Wer hat gestern das Spiel gewonnen?", &[], useful),
            ("Wer hat gestern das Spiel gewonnen?", &["weather"], useful),
            ("Hallo", &[], &[]),
            ("Guten Abend", &["weather"], &[]),
            ("Wie geht es dir?", &["weather"], &[]),
            ("Meine Schwester wohnt in Porto.", &["weather"], &[]),
        ] {
            let mut found = again(&specs, message, used);
            if found.is_empty() {
                found = most_useful(&ToolSet::default(), &specs, message);
            }
            let found: Vec<&str> = found.iter().map(|spec| spec.name.as_str()).collect();
            assert_eq!(found, expected, "{message} after {used:?}");
        }
    }
}
