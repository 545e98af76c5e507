//! Names of the code fences in which some models write calls, although their templates do not say so.

/// Models that write calls into fences although their templates do not say so.
struct FencingModel {
    /// A text in their prompts that identifies them.
    marker: &'static str,
    /// A part of their names, for models whose template is on another machine.
    name: &'static str,
    /// True if the entry applies only to templates without call syntax.
    is_silent: bool,
    fences: &'static [&'static str],
}

const FENCING_MODELS: [FencingModel; 2] = [
    FencingModel {
        marker: "<start_of_turn>",
        name: "gemma",
        is_silent: true,
        fences: &["tool_code", "tool_call", "json"],
    },
    // The template doubles braces by mistake. Models trained on it are unreliable with any other syntax.
    FencingModel {
        marker: "{{\"name\"",
        name: "qwen2.5-coder",
        is_silent: false,
        fences: &["json", "tool_call"],
    },
];

/// Returns the fences known for the model of a prompt.
pub fn of_prompt(prompt: &str, has_calls: bool) -> Vec<String> {
    fences(has_calls, |model| prompt.contains(model.marker))
}

/// Returns the fences known for a model by its name, for models without an available template.
pub fn of_name(name: &str, has_calls: bool) -> Vec<String> {
    let name = name.to_lowercase();
    fences(has_calls, |model| name.contains(model.name))
}

fn fences(has_calls: bool, is_one: impl Fn(&FencingModel) -> bool) -> Vec<String> {
    let found = FENCING_MODELS.iter().find(|model| is_one(model) && !(model.is_silent && has_calls));
    found.into_iter().flat_map(|model| model.fences).map(|name| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
