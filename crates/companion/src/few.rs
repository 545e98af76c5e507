//! The few tools that a request calls for, shown to a small model with this one request.
//!
//! They stand in the message's own context and not at the beginning of the prompt: that stays the same whatever is
//! asked, and a greeting has no tools in sight.

use std::collections::BTreeSet;

use protocol::{Origin, User};
use serde_json::{Map, Value, json};
use tools::Spec;

use crate::asked;
use crate::finding;
use crate::hands::Hands;
use crate::kit::Kit;
use crate::prompt::Count;

const HOW: &str = "Tools that you can use for this. To use one, answer with its call alone, filled in:";
const ELSE: &str = "Where no tool helps, answer in words.";
const SKILL: &str = "skill";
/// An example needs no long words.
const PLACEHOLDER: &str = "...";
/// Where nothing has to be filled in, so much can be.
const MOST_OPTIONAL: usize = 3;

/// What is said of tools with one message.
pub struct ShownTools {
    pub text: String,
    /// Whose words that is, where it is neither ours nor hers.
    pub origins: Vec<Origin>,
}

/// What is said of the tools that a message calls for. Nothing, where it calls for none.
pub fn tools(
    (kit, hands): (&Kit, &Hands),
    user: &User,
    message: &str,
    most: usize,
    room: u32,
    count: Count<'_>,
) -> Option<ShownTools> {
    if most == 0 {
        return None;
    }
    let permitted = kit.permitted(hands, user);
    let specs: Vec<&Spec> = permitted.iter().map(|tool| tool.spec()).collect();
    let mut chosen = asked::for_tools(message, &specs, most);
    let skills = skills(hands, message);
    if !skills.is_empty()
        && let Some(skill) = specs.iter().find(|spec| spec.name == SKILL)
        && !chosen.iter().any(|spec| spec.name == SKILL)
    {
        chosen.insert(0, skill);
    }
    let asks_for_tools = asked::names_tools(message);
    if chosen.is_empty() && !asks_for_tools {
        return None;
    }
    let mut lines: Vec<(String, Option<Origin>)> =
        chosen.iter().map(|spec| (line(spec, &skills), spec.described_by())).collect();
    if asks_for_tools {
        let query = Map::from_iter([("query".to_owned(), json!(PLACEHOLDER))]);
        lines.push((format!("{} Finds further tools.", call(finding::FIND, &query)), None));
    }
    while !lines.is_empty() {
        let told: Vec<&str> = lines.iter().map(|(line, _)| line.as_str()).collect();
        let text = format!("{HOW}\n{}\n{ELSE}", told.join("\n"));
        if count(&text) <= room {
            let origins: BTreeSet<Origin> = lines.into_iter().filter_map(|(_, origin)| origin).collect();
            return Some(ShownTools { text, origins: origins.into_iter().collect() });
        }
        lines.pop();
    }
    None
}

/// The skills that a message names: all of them, where it asks for skills.
fn skills(hands: &Hands, message: &str) -> Vec<String> {
    let names = hands.skills().usable();
    if asked::names_skills(message) {
        return names;
    }
    names.into_iter().filter(|name| asked::names(message, name)).collect()
}

fn line(spec: &Spec, skills: &[String]) -> String {
    let about = if spec.name == SKILL && !skills.is_empty() {
        format!("{} There are: {}.", spec.description, skills.join(", "))
    } else {
        spec.description.clone()
    };
    format!("{} {about}", example(spec))
}

/// A call as the model should write it, with what it has to fill in. It imitates all that it sees, signatures too, so it
/// is shown nothing that it should not write.
fn example(spec: &Spec) -> String {
    let properties = spec.parameters["properties"].as_object();
    let required: Vec<&str> =
        spec.parameters["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let kind = |name: &str| properties.and_then(|properties| properties.get(name)?["type"].as_str());
    let is_text = |name: &&str| !matches!(kind(name), Some("integer" | "number" | "boolean"));
    let all = properties.into_iter().flatten().map(|(name, _)| name.as_str());
    let names: Vec<&str> =
        if required.is_empty() { all.filter(is_text).take(MOST_OPTIONAL).collect() } else { required };
    let value = |name: &str| match kind(name) {
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        _ => json!(PLACEHOLDER),
    };
    let arguments: Map<String, Value> =
        names.into_iter().map(|name| (name.to_owned(), value(name))).collect();
    call(&spec.name, &arguments)
}

/// In the way in which most models were taught to call.
fn call(name: &str, arguments: &Map<String, Value>) -> String {
    let call = json!({"name": name, "arguments": arguments});
    format!("<tool_call>{call}</tool_call>")
}
