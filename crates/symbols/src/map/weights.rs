//! The importance of a definition by its kind, visibility and path.

use crate::{Definition, Language, SymbolKind};

/// Folders of tests, examples and benchmarks.
const BESIDE: [&str; 13] = [
    "__mocks__",
    "__tests__",
    "bench",
    "benches",
    "benchmarks",
    "e2e",
    "example",
    "examples",
    "fixtures",
    "spec",
    "test",
    "testdata",
    "tests",
];

/// Returns the weight of a kind of definition.
pub fn of_kind(kind: SymbolKind) -> f32 {
    match kind {
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Enum
        | SymbolKind::Trait
        | SymbolKind::Interface => 1.0,
        SymbolKind::Function | SymbolKind::Type | SymbolKind::Macro => 0.9,
        SymbolKind::Method => 0.6,
        SymbolKind::Constant => 0.5,
        SymbolKind::Variable => 0.3,
        SymbolKind::Module => 0.2,
        SymbolKind::Test => 0.05,
        // A block is shown together with its methods.
        SymbolKind::Implementation => 0.0,
    }
}

/// Returns the weight of a definition's visibility, judged by its spelling. `outer` is the kind of its container.
pub fn of_visibility(language: Language, one: &Definition, outer: Option<SymbolKind>) -> f32 {
    let begins = |words: &[&str]| words.iter().any(|word| one.signature.starts_with(word));
    let is_seen = match language {
        // A method of a trait is as visible as the trait; for an implementation, the trait already provides the name.
        Language::Rust => {
            begins(&["pub"]) || outer == Some(SymbolKind::Trait) || one.kind == SymbolKind::Macro
        }
        Language::TypeScript | Language::Tsx | Language::JavaScript if outer.is_none() => {
            begins(&["export", "module.", "declare"]) || one.signature.contains(".prototype.")
        }
        Language::TypeScript | Language::Tsx | Language::Java => !begins(&["private"]),
        Language::Go => one.name.starts_with(char::is_uppercase),
        Language::C | Language::Cpp if outer.is_none() => !begins(&["static "]),
        _ => true,
    };
    let is_marked = one.name.starts_with(['_', '#']);
    match (is_seen, is_marked) {
        (true, false) => 1.0,
        (true, true) => 0.3,
        // The name may be exported further down.
        (false, _) if language.family() == Language::TypeScript => 0.3,
        (false, _) => 0.1,
    }
}

/// Returns the weight of a name after a dot as a use of a non-method, which depends on whether the language accesses
/// modules with a dot.
pub fn of_member(language: Language) -> f32 {
    match language {
        Language::Python | Language::Go => 1.0,
        Language::JavaScript | Language::TypeScript | Language::Tsx => 0.3,
        _ => 0.1,
    }
}

/// Returns the weight of a file's definitions by its path.
pub fn of_path(path: &str) -> f32 {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let is_test = stem.starts_with("test_") || stem.ends_with("_test") || stem.ends_with("_tests");
    let is_beside = is_test
        || name.contains(".test.")
        || name.contains(".spec.")
        || folders.split('/').any(|folder| BESIDE.contains(&folder));
    if is_beside { 0.2 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_cannot_see_counts_little() {
        let cases = [
            (Language::Rust, "open", "pub fn open()", None, 1.0),
            (Language::Rust, "open", "pub(crate) fn open()", None, 1.0),
            (Language::Rust, "open", "fn open()", None, 0.1),
            (Language::Rust, "open", "fn open()", Some(SymbolKind::Trait), 1.0),
            (Language::Rust, "open", "fn open()", Some(SymbolKind::Implementation), 0.1),
            (Language::TypeScript, "open", "export const open = () =>", None, 1.0),
            (Language::TypeScript, "open", "const open = () =>", None, 0.3),
            (Language::TypeScript, "open", "async open()", Some(SymbolKind::Class), 1.0),
            (Language::TypeScript, "open", "private open()", Some(SymbolKind::Class), 0.3),
            (Language::JavaScript, "#open", "#open()", Some(SymbolKind::Class), 0.3),
            (Language::Go, "Open", "func Open()", None, 1.0),
            (Language::Go, "open", "func open()", None, 0.1),
            (Language::Java, "open", "private void open()", Some(SymbolKind::Class), 0.1),
            (Language::C, "open", "static int open(void)", None, 0.1),
            (Language::Cpp, "open", "static int open()", Some(SymbolKind::Class), 1.0),
            (Language::Python, "_open", "def _open()", None, 0.3),
            (Language::Python, "open", "def open()", None, 1.0),
        ];
        for (language, name, signature, outer, expected) in cases {
            let one = Definition {
                name: name.into(),
                kind: SymbolKind::Function,
                lines: (1, 1),
                signature: signature.into(),
                container: None,
            };
            assert!(
                (of_visibility(language, &one, outer) - expected).abs() < 1e-6,
                "{language:?}: {signature}"
            );
        }
    }

    #[test]
    fn what_lies_beside_the_program_counts_less() {
        for (path, is_beside) in [
            ("src/store.rs", false),
            ("crates/testkit/src/lib.rs", false),
            ("src/contest.py", false),
            ("latest/attest.go", false),
            ("src/store_tests.rs", true),
            ("store_test.go", true),
            ("test_store.py", true),
            ("web/src/App.test.tsx", true),
            ("crates/store/tests/it/main.rs", true),
            ("examples/speed.rs", true),
        ] {
            assert_eq!(of_path(path) < 1.0, is_beside, "{path}");
        }
    }
}
