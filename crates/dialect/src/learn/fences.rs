//! Learns the names of the code fences in which a model writes calls.

use serde_json::json;

use super::{LONGEST_PROMPT, Probe, QUESTION, Talk, tools};

/// The length limit of a fence name, in bytes.
const LONGEST_NAME: usize = 20;

/// A family of models that write calls into fences although their templates do not say so.
struct KnownModel {
    /// A text that identifies their prompts with tools.
    mark: &'static str,
    /// A part of their names, for models whose template is on another machine.
    name: &'static str,
    /// True if the entry applies only to templates without call syntax.
    is_silent: bool,
    fences: &'static [&'static str],
}

const KNOWN_MODELS: [KnownModel; 2] = [
    KnownModel {
        mark: "<start_of_turn>",
        name: "gemma",
        is_silent: true,
        fences: &["tool_code", "tool_call", "json"],
    },
    // The template doubles braces by mistake. Models trained on it are unreliable with any other syntax.
    KnownModel {
        mark: "{{\"name\"",
        name: "qwen2.5-coder",
        is_silent: false,
        fences: &["json", "tool_call"],
    },
];

/// Returns the fences in which the template shows calls, or else those known for such models.
pub fn learn(probe: &Probe<'_>, has_calls: bool) -> Vec<String> {
    let question = vec![json!({"role": "user", "content": QUESTION})];
    let talk = Talk { messages: question, tools: tools(), asks: true, thinks: None };
    let Some(prompt) = (probe.render)(&talk).filter(|prompt| prompt.len() <= LONGEST_PROMPT) else {
        return Vec::new();
    };
    let shown = shown(&prompt);
    if shown.is_empty() { known_fences(has_calls, |model| prompt.contains(model.mark)) } else { shown }
}

/// Returns the fences known for a model by its name, for models without an available template.
pub fn of_name(name: &str, has_calls: bool) -> Vec<String> {
    let name = name.to_lowercase();
    known_fences(has_calls, |model| name.contains(model.name))
}

fn known_fences(has_calls: bool, is_one: impl Fn(&KnownModel) -> bool) -> Vec<String> {
    let found = KNOWN_MODELS.iter().find(|model| is_one(model) && !(model.is_silent && has_calls));
    found.into_iter().flat_map(|model| model.fences).map(|name| (*name).to_owned()).collect()
}

fn shown(prompt: &str) -> Vec<String> {
    let mut fences: Vec<String> = Vec::new();
    for part in prompt.split("```").skip(1).step_by(2) {
        let Some((name, body)) = part.split_once('\n') else { continue };
        let name = name.trim();
        let shows = ["\"name\"", "\"tool_name\""].iter().any(|key| body.contains(key))
            && ["\"arguments\"", "\"parameters\""].iter().any(|key| body.contains(key))
            && !body.contains("zqdefined");
        if shows && !name.is_empty() && name.len() < LONGEST_NAME && !fences.iter().any(|known| known == name)
        {
            fences.push(name.to_owned());
        }
    }
    fences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_shown_by_a_template_or_known_of_its_model() {
        let prompt = |prompt: &'static str| {
            let render = move |_: &Talk| Some(prompt.to_owned());
            [false, true].map(|has_calls| learn(&Probe { render: &render }, has_calls))
        };
        let gemma = ["tool_code", "tool_call", "json"];
        let coder = ["json", "tool_call"];
        let cases: [(&str, &[&str], &[&str]); 7] = [
            ("<start_of_turn>user", &gemma, &[]),
            ("like this:\n{{\"name\": <name>}}", &coder, &coder),
            ("```action\n{\"name\": \"x\", \"arguments\": {}}\n```", &["action"], &["action"]),
            ("<start_of_turn>```json\n[{\"tool_name\": x, \"parameters\": y}]```", &["json"], &["json"]),
            ("```json\n{\"name\": \"zqdefined\", \"parameters\": {}}\n```", &[], &[]),
            ("```\n{\"name\": \"x\", \"arguments\": {}}\n```", &[], &[]),
            ("<|im_start|>", &[], &[]),
        ];
        for (text, silent, telling) in cases {
            assert_eq!(prompt(text), [silent.to_vec(), telling.to_vec()], "{text}");
        }
        assert!(learn(&Probe { render: &|_| None }, false).is_empty());
    }

    #[test]
    fn fences_are_known_by_the_name_of_a_model_elsewhere() {
        let cases: [(&str, bool, &[&str]); 6] = [
            ("gemma3:4b", false, &["tool_code", "tool_call", "json"]),
            ("google/Gemma-3-12b-it", false, &["tool_code", "tool_call", "json"]),
            ("function-gemma", true, &[]),
            ("Qwen2.5-Coder-1.5B", true, &["json", "tool_call"]),
            ("qwen3:1.7b", false, &[]),
            ("", false, &[]),
        ];
        for (name, has_calls, expected) in cases {
            assert_eq!(of_name(name, has_calls), expected, "{name}");
        }
    }
}
