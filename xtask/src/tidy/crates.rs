//! Rules for the crates of this workspace: their documentation, their lints, and their dependencies on each other.

use super::findings::Findings;
use super::tree::SourceTree;
use crate::json::JsonValue;

/// The layers of crates. Each crate may depend on crates of lower layers only. ARCHITECTURE.md shows this table as a
/// picture.
const LAYERS: [&[&str]; 9] = [
    &["protocol", "text", "vectors"],
    &["host", "body", "persona", "dialect", "facts", "commands", "edits", "symbols", "terminal"],
    &["config", "template", "verify"],
    &["model", "store", "sandbox", "avatar"],
    &["tools", "engine", "embedding", "client"],
    &["abilities", "backup", "memory", "mcp", "workspace", "voice", "acp", "chat"],
    &["companion"],
    &["server"],
    &["perigee"],
];

/// The crates outside of the program. No crate of the program depends on them except for tests.
const OUTSIDE_THE_PROGRAM: [&str; 4] = ["testkit", "conformance", "bench", "xtask"];

/// The crates that may depend on the engine. Compiling llama.cpp is expensive, so only the program itself and the
/// benchmarks need it.
const ENGINE_USERS: [&str; 2] = ["perigee", "bench"];

pub fn without_opening(tree: &SourceTree) -> Findings {
    let folders: Vec<&str> = manifests(tree).map(|(folder, _)| folder).collect();
    let is_root = |path: &str| {
        folders
            .iter()
            .any(|folder| ["lib.rs", "main.rs"].iter().any(|name| path == format!("{folder}/src/{name}")))
    };
    let roots = tree.files.iter().filter(|file| is_root(&file.path));
    let silent = roots.filter(|file| !file.text.starts_with("//!"));
    silent.map(|file| format!("{}: opens without `//!` saying what the crate does", file.path)).collect()
}

pub fn without_lints(tree: &SourceTree) -> Findings {
    let has_lints = |text: &str| {
        let mut lines = text.lines().map(str::trim).skip_while(|line| *line != "[lints]").skip(1);
        lines.by_ref().take_while(|line| !line.starts_with('[')).any(|line| line == "workspace = true")
    };
    let bare = manifests(tree).filter(|(_, text)| !has_lints(text));
    bare.map(|(folder, _)| format!("{folder}/Cargo.toml: `[lints] workspace = true` is missing")).collect()
}

/// Calls that read or change memories without the memory crate, which knows the requesting user. Routes must use the
/// memory crate instead, for its files as well.
const MEMORIES: [&str; 12] = [
    "store.facts(",
    "store.fact(",
    "store.fact_changes(",
    "store.entries(",
    "store.entry(",
    "store.entry_in_row(",
    "store.entry_list(",
    "store.save_entry(",
    "store.delete_entry(",
    "store.file_origins(",
    "store.value_origins(",
    "memory().memory_files(",
];

/// Finds routes that read memories directly from the store, which would expose them to any client.
pub fn memories_past_the_memory(tree: &SourceTree) -> Findings {
    let routes = tree.files.iter().filter(|file| file.path.starts_with("crates/server/src/"));
    let mut findings = Findings::new();
    for file in routes {
        // A call may be on the line after its receiver.
        let text: String = file.text.split_whitespace().collect();
        for reads in MEMORIES.iter().filter(|reads| text.contains(**reads)) {
            findings.push(format!(
                "{}: `{reads}…)` bypasses the memory crate, which knows who may read",
                file.path
            ));
        }
    }
    findings
}

/// Returns the manifests of the crates by folder, without that of the workspace.
fn manifests(tree: &SourceTree) -> impl Iterator<Item = (&str, &str)> {
    let found =
        tree.files.iter().filter(|file| file.name() == "Cargo.toml" && file.text.contains("[package]"));
    found.map(|file| (file.folder(), file.text.as_str()))
}

pub fn against_the_layers(metadata: &JsonValue) -> Findings {
    let packages = metadata.get("packages").list();
    // A package without a source is a member of this workspace.
    let members = packages.iter().filter(|package| package.get("source").text().is_none());
    let mut findings = Findings::new();
    for member in members {
        let Some(name) = member.get("name").text() else { continue };
        if layer(name).is_none() && !OUTSIDE_THE_PROGRAM.contains(&name) {
            findings
                .push(format!("{name}: has no layer; add it to the table in xtask and to ARCHITECTURE.md"));
            continue;
        }
        let local = member
            .get("dependencies")
            .list()
            .iter()
            .filter(|dependency| dependency.get("path").text().is_some());
        for dependency in local {
            let is_for_tests = dependency.get("kind").text() == Some("dev");
            let on = dependency.get("name").text().unwrap_or_default();
            if let Some(reason) = objection(name, on, is_for_tests) {
                findings.push(format!("{name} depends on {on}: {reason}"));
            }
        }
    }
    findings
}

/// Returns true for a crate of the program.
pub fn is_of_the_program(name: &str) -> bool {
    layer(name).is_some()
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|names| names.contains(&name))
}

fn objection(name: &str, on: &str, is_for_tests: bool) -> Option<&'static str> {
    match (layer(name), layer(on)) {
        _ if name == "xtask" => Some("xtask depends on no other crate, so that it compiles in seconds"),
        _ if on == "engine" && !ENGINE_USERS.contains(&name) => Some("only the program links llama.cpp"),
        (None, _) => None,
        (Some(_), None) if is_for_tests && on == "testkit" => None,
        (Some(_), None) => Some("it is not part of the program"),
        (Some(upper), Some(lower)) if lower < upper => None,
        (Some(_), Some(_)) => Some("dependencies point down the layers"),
    }
}

#[cfg(test)]
#[path = "crates_tests.rs"]
mod tests;
