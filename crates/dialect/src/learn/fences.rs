//! Learns the names of the code fences in which a model writes calls.

use serde_json::json;

use super::probe::{LONGEST_PROMPT, Probe, QUESTION, TemplateInput, tools};
use crate::known_fences;

/// The length limit of a fence name, in bytes.
const LONGEST_NAME: usize = 20;

/// Returns the fences in which the template shows calls, or else those known for such models.
pub fn learn(probe: &Probe<'_>, has_calls: bool) -> Vec<String> {
    let question = vec![json!({"role": "user", "content": QUESTION})];
    let talk = TemplateInput {
        messages: question,
        tools: tools(),
        add_generation_prompt: true,
        enable_thinking: None,
    };
    let Some(prompt) = (probe.render)(&talk).filter(|prompt| prompt.len() <= LONGEST_PROMPT) else {
        return Vec::new();
    };
    let shown = shown(&prompt);
    if shown.is_empty() { known_fences::of_prompt(&prompt, has_calls) } else { shown }
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
            let render = move |_: &TemplateInput| Some(prompt.to_owned());
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
}
