use super::*;

const GOOD: &str = "[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n\n[dependencies]\n";

#[test]
fn a_crate_opens_with_its_purpose() {
    let tree = SourceTree::of(&[
        ("Cargo.toml", "[workspace]"),
        ("crates/a/Cargo.toml", GOOD),
        ("crates/a/src/lib.rs", "//! What it does.\n"),
        ("crates/a/src/other.rs", "pub fn other() {}\n"),
        ("crates/b/Cargo.toml", GOOD),
        ("crates/b/src/main.rs", "fn main() {}\n"),
    ]);
    assert_eq!(
        without_opening(&tree),
        ["crates/b/src/main.rs: opens without `//!` saying what the crate does"]
    );
}

#[test]
fn a_crate_takes_the_workspace_s_lints() {
    for (manifest, fine) in [
        (GOOD, true),
        ("[package]\nname = \"a\"\n", false),
        ("[package]\n[lints]\n[dependencies]\nworkspace = true\n", false),
        ("[workspace]\n", true),
    ] {
        assert_eq!(
            without_lints(&SourceTree::of(&[("crates/a/Cargo.toml", manifest)])).is_empty(),
            fine,
            "{manifest}"
        );
    }
}

#[test]
fn dependencies_point_down() {
    for (name, on, is_for_tests, fine) in [
        ("server", "companion", false, true),
        ("companion", "server", false, false),
        ("companion", "server", true, false),
        ("store", "model", false, false),
        ("config", "host", false, true),
        ("host", "config", false, false),
        ("server", "testkit", true, true),
        ("server", "testkit", false, false),
        ("testkit", "protocol", false, true),
        ("perigee", "engine", false, true),
        ("server", "engine", false, false),
        ("engine", "model", false, true),
        ("bench", "perigee", false, true),
        ("xtask", "protocol", false, false),
    ] {
        assert_eq!(objection(name, on, is_for_tests).is_none(), fine, "{name} on {on}");
    }
}

#[test]
fn cargo_s_account_is_read() {
    let metadata = r#"{"packages": [
        {"name": "protocol", "source": null, "dependencies": [
            {"name": "serde", "kind": null, "path": null},
            {"name": "server", "kind": null, "path": "/x/server"}
        ]},
        {"name": "attic", "source": null, "dependencies": []},
        {"name": "serde", "source": "registry", "dependencies": []}
    ]}"#;
    assert_eq!(
        against_the_layers(&JsonValue::parse(metadata).unwrap()),
        [
            "protocol depends on server: dependencies point down the layers",
            "attic: has no layer; add it to the table in xtask and to ARCHITECTURE.md",
        ]
    );
}

#[test]
fn no_door_reads_memories_past_the_memory() {
    for (path, text, fine) in [
        ("crates/server/src/routes/a.rs", "app.store.facts(user).await", false),
        ("crates/server/src/routes/a.rs", "app\n    .store\n    .entry(user, id)", false),
        ("crates/server/src/routes/a.rs", "app.store.save_entry(user, new)", false),
        ("crates/server/src/routes/a.rs", "app.companion\n    .memory()\n    .memory_files()", false),
        ("crates/server/src/routes/a.rs", "app.companion.memory().facts(user, reader)", true),
        ("crates/server/src/routes/a.rs", "memory.save_entry(user, &author, new)", true),
        ("crates/server/src/routes/a.rs", "app.store.summary(user, id)", true),
        ("crates/memory/src/a.rs", "self.store.facts(user)", true),
    ] {
        let tree = SourceTree::of(&[(path, text)]);
        assert_eq!(memories_past_the_memory(&tree).is_empty(), fine, "{path}: {text}");
    }
}
