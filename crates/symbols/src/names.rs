//! Selects the names worth keeping and weighs how specific a name is.

/// The minimum length in characters; shorter names are mostly loop variables.
const LEAST_CHARS: usize = 3;
pub const MOST_BYTES: usize = 100;

/// Names that occur in every file of their language.
const EVERYWHERE: [&str; 7] = ["Self", "self", "super", "this", "Some", "None", "Err"];

/// Names that occur in most programs, in lower case.
const COMMON: [&str; 62] = [
    "add", "append", "apply", "args", "build", "call", "check", "clear", "clone", "close", "config",
    "contains", "create", "data", "default", "delete", "error", "find", "format", "from", "get", "handle",
    "has", "index", "init", "insert", "into", "items", "iter", "keys", "len", "list", "load", "main", "map",
    "name", "new", "next", "object", "open", "option", "parse", "pop", "print", "props", "push", "range",
    "read", "remove", "result", "run", "send", "set", "size", "start", "stop", "string", "test", "text",
    "update", "value", "write",
];

/// Returns true if a word can be a reference.
pub fn is_worth_keeping(name: &str) -> bool {
    name.len() <= MOST_BYTES
        && name.chars().nth(LEAST_CHARS - 1).is_some()
        && name.chars().any(char::is_alphabetic)
        && !EVERYWHERE.contains(&name)
}

/// Returns true if a word is spelled like a type or a constant and so is not a local name.
pub fn is_spelled_large(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(char::is_uppercase)
}

/// Returns true if a word consists of several and so does not occur in prose: `snake_case`, `camelCase`, `TwoWords`.
pub fn is_compound(name: &str) -> bool {
    let inner = name.trim_matches('_');
    let snake = inner.contains('_') && inner.contains(|c: char| c.is_alphabetic());
    let mut before = None;
    let hump = inner.chars().any(|c| {
        let is_hump = c.is_uppercase() && before.is_some_and(char::is_lowercase);
        before = Some(c);
        is_hump
    });
    snake || hump
}

/// Returns the weight of a name, which is higher the more specific it is.
pub fn weight(name: &str) -> f64 {
    let private = if name.starts_with('_') || name.starts_with('#') { 0.1 } else { 1.0 };
    let own = if COMMON.contains(&name.to_ascii_lowercase().as_str()) {
        0.1
    } else if is_compound(name) && name.len() >= 8 {
        4.0
    } else if is_compound(name) || is_spelled_large(name) {
        2.0
    } else if name.len() < 6 {
        0.5
    } else {
        1.0
    };
    private * own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_empty_words_are_not_worth_keeping() {
        let long = "x".repeat(MOST_BYTES + 1);
        for (name, expected) in [
            ("", false),
            ("ab", false),
            ("abc", true),
            ("äöü", true),
            ("___", false),
            ("Self", false),
            (long.as_str(), false),
            (&long[1..], true),
        ] {
            assert_eq!(is_worth_keeping(name), expected, "{name:?}");
        }
    }

    #[test]
    fn words_made_of_several_are_told_from_plain_ones() {
        for (name, expected) in [
            ("snake_case", true),
            ("camelCase", true),
            ("TwoWords", true),
            ("MAX_SIZE", true),
            ("_private", false),
            ("__init__", false),
            ("HTTP", false),
            ("Word", false),
            ("word", false),
        ] {
            assert_eq!(is_compound(name), expected, "{name}");
        }
    }

    #[test]
    fn a_name_weighs_the_more_the_more_it_tells() {
        let order = ["_get", "new", "tick", "widget", "Widget", "apply_patch_to"];
        let weights: Vec<f64> = order.iter().map(|name| weight(name)).collect();
        assert!(weights.is_sorted_by(|less, more| less < more), "{weights:?}");
    }
}
