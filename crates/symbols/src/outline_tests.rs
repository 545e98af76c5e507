use super::*;
use crate::outline::{Definition, Reference};

#[path = "outline_tests/hostile.rs"]
mod hostile;
#[path = "outline_tests/scripts.rs"]
mod scripts;
#[path = "outline_tests/systems.rs"]
mod systems;

/// Checks an outline. Definitions are written as `first-last kind container.name | signature`; references as `name`,
/// first line, `x`, count, with a dot before those that are only members.
fn check(language: Language, source: &str, definitions: &[&str], references: &str) {
    let outline = outline(language, source);
    let shown = outline.definitions.iter().map(|one| {
        let container = one.container.as_deref().map(|name| format!("{name}.")).unwrap_or_default();
        let (first, last) = one.lines;
        format!("{first}-{last} {} {container}{} | {}", one.kind.name(), one.name, one.signature)
    });
    let shown: Vec<String> = shown.collect();
    assert_eq!(shown, definitions, "{language:?}");
    let named = outline.references.iter().map(|one| {
        let dot = if one.member { "." } else { "" };
        format!("{dot}{} {}x{}", one.name, one.line, one.count)
    });
    assert_eq!(named.collect::<Vec<String>>().join(", "), references, "{language:?}");
}

#[test]
fn empty_texts_have_empty_outlines() {
    for language in hostile::LANGUAGES {
        for text in ["", "\n", "\u{feff}", " \t\r\n\r\n", "\0", "\0\0fn main() {}"] {
            assert_eq!(outline(language, text), SourceOutline::default(), "{language:?}: {text:?}");
        }
    }
}

#[test]
fn lines_count_the_same_whatever_ends_them() {
    let text = "\u{feff}// ä\n\nfn first() {}\n\nfn second(\n    a: u32,\n) {\n}\n";
    let lines = |text: &str| -> Vec<(u32, u32)> {
        outline(Language::Rust, text).definitions.iter().map(|one| one.lines).collect()
    };
    assert_eq!(lines(text), [(3, 3), (5, 8)]);
    assert_eq!(lines(&text.replace('\n', "\r\n")), [(3, 3), (5, 8)]);
    assert_eq!(lines(text.trim_end()), [(3, 3), (5, 8)]);
}

#[test]
fn a_broken_text_gives_what_is_whole() {
    let cases = [
        (Language::Rust, "fn whole() {}\n\nfn broken( {\n", "whole"),
        (Language::Python, "def whole():\n    pass\n\ndef broken(:\n", "whole"),
        (Language::TypeScript, "export function whole() {}\nclass {{{\n", "whole"),
        (Language::Go, "package a\nfunc whole() {}\nfunc (\n", "whole"),
        (Language::Java, "class Whole { void m() {} }\nclass {\n", "Whole"),
        (Language::Cpp, "int whole() { return 1; }\nclass Broken {\n", "whole"),
    ];
    for (language, text, expected) in cases {
        let outline = outline(language, text);
        assert!(outline.definitions.iter().any(|one| &*one.name == expected), "{language:?}: {outline:?}");
    }
}

#[test]
fn outlines_are_stored_and_read_again() {
    let text = "pub struct Shop;\nimpl Shop {\n    fn open(&self) { self.door.unlock(Key::new()) }\n}\n";
    let before = outline(Language::Rust, text);
    let stored = serde_json::to_string(&before).unwrap();
    assert_eq!(serde_json::from_str::<SourceOutline>(&stored).unwrap(), before);
    assert!(stored.contains(r#""kind":"implementation""#), "{stored}");
    assert!(stored.contains(r#"{"name":"unlock","line":3,"count":1,"member":true}"#), "{stored}");
}

#[test]
fn types_are_small() {
    assert!(size_of::<Definition>() <= 64, "{}", size_of::<Definition>());
    assert!(size_of::<Reference>() <= 24, "{}", size_of::<Reference>());
}
