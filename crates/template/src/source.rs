//! Rewrites syntax of Python's Jinja that minijinja lacks.

use crate::list;

/// Methods that modify a list in place.
const LIST_METHODS: [&str; 4] = [".append(", ".pop(", ".extend(", ".insert("];

/// Returns the source without training marks and, if it modifies lists in place, with lists that allow it.
pub fn preprocess(source: &str) -> String {
    let plain = without_statements(source, &["generation", "endgeneration"]);
    if LIST_METHODS.iter().any(|method| plain.contains(method)) { with_mutable_lists(&plain) } else { plain }
}

/// Removes statements such as `{% generation %}`, which marks the tokens that a model is trained on.
fn without_statements(source: &str, names: &[&str]) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = rest.find("{%") {
        let Some(length) = rest[start..].find("%}") else { break };
        let end = start + length + 2;
        let inner = &rest[start + 2..end - 2];
        let word = inner.trim_matches(['-', '+']).trim();
        if names.contains(&word) {
            // A comment keeps the statement's white space control.
            let (left, right) = (inner.starts_with('-'), inner.ends_with('-'));
            kept.push_str(&rest[..start]);
            kept.push_str(match (left, right) {
                (true, true) => "{#--#}",
                (true, false) => "{#- #}",
                (false, true) => "{# -#}",
                (false, false) => "{# #}",
            });
        } else {
            kept.push_str(&rest[..end]);
        }
        rest = &rest[end..];
    }
    kept.push_str(rest);
    kept
}

/// Replaces each empty list literal in an expression with a call of the function that creates a list.
fn with_mutable_lists(source: &str) -> String {
    let mut written = String::with_capacity(source.len() + 64);
    let mut inside = None;
    let mut quote = None;
    let mut escaped = false;
    let mut at = 0;
    while let Some(next) = source[at..].chars().next() {
        let rest = &source[at..];
        match (inside, quote) {
            (None, _) if rest.starts_with("{#") => {
                let end = rest.find("#}").map_or(rest.len(), |end| end + 2);
                written.push_str(&rest[..end]);
                at += end;
                continue;
            }
            (None, _) if rest.starts_with("{%") => inside = Some("%}"),
            (None, _) if rest.starts_with("{{") => inside = Some("}}"),
            (Some(_), Some(open)) => {
                if !escaped && next == open {
                    quote = None;
                }
                escaped = next == '\\' && !escaped;
            }
            (Some(end), None) if rest.starts_with(end) => inside = None,
            (Some(_), None) if matches!(next, '"' | '\'') => quote = Some(next),
            (Some(_), None) if rest.starts_with("[]") => {
                let before = written.trim_end().chars().next_back();
                if !before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '_' | ')' | ']'))
                {
                    written.push_str(list::NAME);
                    written.push_str("()");
                    at += 2;
                    continue;
                }
            }
            _ => {}
        }
        written.push(next);
        at += next.len_utf8();
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_for_training_go_and_lists_can_be_changed() {
        let cases = [
            ("a{% generation %}b{%- endgeneration -%}c", "a{# #}b{#--#}c"),
            ("{% set x = [] %}{{ '[]' }}[]{{ x[0] }}", "{% set x = [] %}{{ '[]' }}[]{{ x[0] }}"),
            (
                "{% set x = [] %}{{ '[]' }}[]{% set _ = x.append(1) %}",
                "{% set x = changeable_list() %}{{ '[]' }}[]{% set _ = x.append(1) %}",
            ),
            (
                "{% set n = namespace(ids=[]) %}{{ n.ids.pop(0) }}",
                "{% set n = namespace(ids=changeable_list()) %}{{ n.ids.pop(0) }}",
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(preprocess(source), expected);
        }
    }
}
