//! Rules for names: each public type has a name of its own, and retired names do not come back.

use std::collections::{BTreeMap, BTreeSet};

use super::circles::roots;
use super::findings::Findings;
use super::tree::SourceTree;
use crate::rust::modules::Crate;

/// The public names that may be used more than once, each with the reason.
const SHARED: [(&str, &str); 5] = [
    ("Arguments", "the arguments of one tool, in the module of that tool"),
    ("OpenFolder", "one for each operating system"),
    ("ReadOutcome", "one for each operating system"),
    ("Result", "the usual alias for a crate's own error"),
    ("Root", "one for each operating system"),
];

/// Type names that must not be used, because newcomers did not understand them.
const RETIRED: [&str; 22] = [
    "Acting",
    "Bed",
    "Beginning",
    "Bench",
    "Contact",
    "Course",
    "Desk",
    "Errand",
    "Frame",
    "Guest",
    "Hands",
    "Hostess",
    "House",
    "Keeper",
    "Manner",
    "Pile",
    "Said",
    "Shelf",
    "StandIn",
    "Ways",
    "Works",
    "Workshop",
];

/// Names of files and folders that must not be used, without their extension.
const RETIRED_FILES: [&str; 17] = [
    "acting", "bearing", "bed", "desk", "door", "doors", "errand", "guest", "hands", "hostess", "house",
    "keeper", "pile", "shelf", "stand_in", "tending", "workshop",
];

/// The places of each public type name: `path:line keyword`.
type Places = BTreeMap<String, BTreeSet<String>>;

/// Returns the public names that are used more than once without a reason.
pub fn twice(tree: &SourceTree) -> Findings {
    without_reason(&public_types(tree), &SHARED)
}

/// Returns the names that are used more than once and are not on the list of shared names, and the entries of that list
/// that are no longer needed.
fn without_reason(places: &Places, shared: &[(&str, &str)]) -> Findings {
    let has_reason = |name: &str| shared.iter().any(|(known, _)| *known == name);
    let repeated = places.iter().filter(|(name, places)| places.len() > 1 && !has_reason(name));
    let mut findings: Findings = repeated.map(|(name, places)| list(name, places)).collect();
    let is_alone = |name: &str| places.get(name).is_none_or(|places| places.len() < 2);
    let alone = shared.iter().filter(|(name, _)| is_alone(name));
    findings
        .extend(alone.map(|(name, _)| format!("{name} is used only once; remove it from the list in xtask")));
    findings
}

/// Describes all public names that are used more than once.
pub fn describe(tree: &SourceTree) -> String {
    describe_with(tree, &SHARED)
}

fn describe_with(tree: &SourceTree, shared: &[(&str, &str)]) -> String {
    let places = public_types(tree);
    let without_reason = without_reason(&places, shared).len();
    let mut repeated: Vec<_> = places.into_iter().filter(|(_, places)| places.len() > 1).collect();
    repeated.sort_by_key(|(name, places)| (std::cmp::Reverse(places.len()), name.clone()));
    let mut lines: Vec<String> = repeated.iter().map(|(name, places)| list(name, places)).collect();
    lines.extend(shared.iter().map(|(name, reason)| format!("allowed: {name}: {reason}")));
    lines.extend(retired(tree).iter().map(|name| format!("retired: {name}")));
    let count = repeated.len();
    lines.push(format!(
        "{count} names of public types are used more than once, {without_reason} without a reason"
    ));
    lines.join("\n")
}

fn list(name: &str, places: &BTreeSet<String>) -> String {
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    format!("{name}: {} times\n    {}", places.len(), places.join("\n    "))
}

fn public_types(tree: &SourceTree) -> Places {
    types(tree, |public| public)
}

fn types(tree: &SourceTree, wanted: impl Fn(bool) -> bool) -> Places {
    let source = |path: &str| tree.file(path).map(|file| file.text.as_str());
    let mut places = Places::new();
    for (_, root) in roots(tree) {
        let modules = Crate::read(&root, &source).modules;
        // The benchmarks include the data of tests, which is not their code.
        for module in modules.iter().filter(|module| !module.file.contains("/tests/")) {
            let types = module.definitions.iter().filter(|found| found.is_type() && wanted(found.public));
            for found in types {
                let place = format!("{}:{} {}", module.file, found.line, found.keyword);
                places.entry(found.name.to_owned()).or_default().insert(place);
            }
        }
    }
    places
}

/// Returns the types and files with retired names.
pub fn retired(tree: &SourceTree) -> Findings {
    let types = types(tree, |_| true);
    let types = RETIRED.iter().filter_map(|name| Some(list(name, types.get(*name)?)));
    let files = tree.files.iter().filter(|file| {
        let mut parts = file.path.trim_end_matches(".rs").split('/');
        file.kind() == "rs" && parts.any(|part| RETIRED_FILES.contains(&part))
    });
    types.chain(files.map(|file| format!("{}: name the file after what is in it", file.path))).collect()
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
