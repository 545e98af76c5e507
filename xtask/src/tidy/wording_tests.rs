use super::*;

fn one(text: &str) -> SourceTree {
    SourceTree::of(&[("crates/a/src/lib.rs", text)])
}

#[test]
fn documentation_begins_with_a_noun_or_a_verb() {
    for (text, found) in [
        ("/// What a turn does.\nfn f() {}", true),
        ("//! Whether it may.\n", true),
        ("    /// How many there are.\n    many: u8,", true),
        ("/// The turn.\n///\n/// What it does is below.\nfn f() {}", false),
        ("/// Returns what is left.\nfn f() {}", false),
        ("/// Whatsoever.\nfn f() {}", false),
        ("// What follows is long.\nfn f() {}", false),
        ("const TEXT: &str = \"/// What\";", false),
        (
            "/// What is searched.\n#[derive(Debug, JsonSchema)]\nstruct A {\n/// What to look for.\na: u8 }",
            false,
        ),
        ("#[derive(JsonSchema)]\nstruct A;\n/// What follows it.\nstruct B;", true),
    ] {
        assert_eq!(!clauses(&one(text)).is_empty(), found, "{text}");
    }
    assert_eq!(
        clauses(&one("fn f() {}\n\n/// Who asks.\nstruct A;")),
        ["crates/a/src/lib.rs:3: documentation begins with `Who`"]
    );
}

#[test]
fn the_companion_is_no_she_in_comments() {
    for (text, found) in [
        ("// She answers.", true),
        ("/// Tells her.", true),
        ("/* one\n her */", true),
        ("// Reads `her name` and \"she said\".", false),
        ("const TEXT: &str = \"She answers.\";", false),
        ("// The shell, there, a sheet.", false),
        ("// *She called.* A name follows: *her name is Ann*", false),
        ("//   * She is a point of a list.", true),
    ] {
        assert_eq!(!pronouns(&one(text)).is_empty(), found, "{text}");
    }
    for (path, found) in [
        ("ARCHITECTURE.md", true),
        ("crates/README.md", true),
        ("docs/memory.md", false),
        ("README.md", false),
        ("crates/companion/src/soul/identity.md", false),
    ] {
        assert_eq!(!pronouns(&SourceTree::of(&[(path, "Her memory.")])).is_empty(), found, "{path}");
    }
}
