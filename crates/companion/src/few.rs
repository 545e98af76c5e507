//! The few tools that a request calls for, shown to a small model with this one request.
//!
//! They stand in the message's own context and not at the beginning of the prompt: that stays the same whatever is
//! asked, and a greeting has no tools in sight.

use std::collections::BTreeSet;

use model::ToolSpec;
use protocol::{Origin, User};
use serde_json::{Map, Value, json};
use tools::Spec;

use crate::asked;
use crate::finding;
use crate::hands::Hands;
use crate::kit::Kit;
use crate::offer;
use crate::prompt::Count;

const HOW: &str = "Tools that you can use for this. To use one, answer with its call alone, filled in:";
const ELSE: &str = "Where no tool helps, answer in words.";
const SKILL: &str = "skill";
/// An example needs no long words.
const PLACEHOLDER: &str = "...";
/// Where nothing has to be filled in, so much can be.
const MOST_OPTIONAL: usize = 3;

/// What is said of tools with one message.
#[derive(Default)]
pub struct ShownTools {
    pub text: String,
    /// Whose words that is, where it is neither ours nor hers.
    pub origins: Vec<Origin>,
    /// Those that may be called.
    pub specs: Vec<ToolSpec>,
}

/// What is said of the tools that a message calls for, or those that it goes on with of the answer before. Nothing, where
/// there are none.
pub fn tools(
    (kit, hands): (&Kit, &Hands),
    user: &User,
    (message, before): (&str, &[&str]),
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
        chosen = unnamed(kit, &specs, message, before);
        chosen.truncate(most);
        if chosen.is_empty() {
            return None;
        }
    }
    let shown = |spec: &&Spec| (line(spec, &skills), spec.described_by(), offer::whole(spec));
    let mut lines: Vec<(String, Option<Origin>, ToolSpec)> = chosen.iter().map(shown).collect();
    if asks_for_tools {
        let query = Map::from_iter([("query".to_owned(), json!(PLACEHOLDER))]);
        let line = format!("{} Finds further tools.", call(finding::FIND, &query));
        let [find, _] = finding::specs();
        lines.push((line, None, find));
    }
    while !lines.is_empty() {
        let told: Vec<&str> = lines.iter().map(|(line, ..)| line.as_str()).collect();
        let text = format!("{HOW}\n{}\n{ELSE}", told.join("\n"));
        if count(&text) <= room {
            let origins: BTreeSet<Origin> =
                lines.iter().filter_map(|(_, origin, _)| origin.clone()).collect();
            let specs = lines.into_iter().map(|(.., spec)| spec).collect();
            return Some(ShownTools { text, origins: origins.into_iter().collect(), specs });
        }
        lines.pop();
    }
    None
}

/// The tools that a message may call for without a word of theirs: those to go on with, and the most useful ones where it
/// asks in another language. Skills are shown where they are asked for.
fn unnamed<'a>(kit: &Kit, specs: &[&'a Spec], message: &str, before: &[&str]) -> Vec<&'a Spec> {
    let of = |is_meant: &dyn Fn(&Spec) -> bool| -> Vec<&'a Spec> {
        specs.iter().copied().filter(|spec| is_meant(spec)).collect()
    };
    if asked::goes_on(message) {
        let again = of(&|spec| before.contains(&spec.name.as_str()));
        if !again.is_empty() {
            return again;
        }
    }
    if !asked::asks_elsewhere(message) {
        return Vec::new();
    }
    let mut useful = of(&|spec| spec.name != SKILL && kit.is_among_first(&spec.name));
    useful.sort_by_key(|spec| kit.rank(&spec.name));
    useful
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_word_names_is_what_was_used_before_or_what_is_most_useful() {
        let spec = |name: &str| Spec::new(name, "", json!({"type": "object"})).unwrap();
        let specs = ["door_lock", "skill", "time", "weather", "web_search", "calculate"].map(spec);
        let specs: Vec<&Spec> = specs.iter().collect();
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
            let found = unnamed(&Kit::default(), &specs, message, used);
            let found: Vec<&str> = found.iter().map(|spec| spec.name.as_str()).collect();
            assert_eq!(found, expected, "{message} after {used:?}");
        }
    }
}
