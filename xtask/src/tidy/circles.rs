//! Rules against circles: files of a crate that depend on each other.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::Findings;
use super::tree::SourceTree;
use crate::rust::modules::Crate;
use crate::rust::resolve::{Uses, uses};

/// The largest circle of files that passes.
const MOST_FILES: usize = 5;

/// The crates in which no circle may span two of the modules that the root declares.
const WITHOUT_CIRCLES_OF_MODULES: [&str; 1] = ["crates/companion"];

/// Nodes that all depend on each other, with the names that they use of each other.
#[derive(Debug, PartialEq, Eq)]
struct Circle {
    folder: String,
    of: MemberKind,
    members: Vec<String>,
    uses_inside: Uses,
}

/// The parts of a circle: files, or the modules that the root of a crate declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemberKind {
    Files,
    Modules,
}

/// Returns the circles that are not allowed.
pub fn knots(tree: &SourceTree) -> Findings {
    let circles = all(tree).into_iter().filter(|circle| !circle.is_allowed());
    circles.map(|circle| circle.describe()).collect()
}

/// Describes all circles of files, and the circles of modules in crates that must not have any.
pub fn describe(tree: &SourceTree) -> String {
    let circles = all(tree);
    let text: String = circles.iter().map(|circle| circle.describe() + "\n").collect();
    let largest = circles.iter().map(|circle| circle.members.len()).max().unwrap_or_default();
    let not_allowed = knots(tree).len();
    format!("{text}{} circles, the largest of {largest}; {not_allowed} not allowed", circles.len())
}

/// Returns the circles in all crates.
fn all(tree: &SourceTree) -> Vec<Circle> {
    let mut all = Vec::new();
    for (folder, uses) in crates(tree) {
        all.extend(circles(&folder, MemberKind::Files, &uses));
        if WITHOUT_CIRCLES_OF_MODULES.contains(&folder.as_str()) {
            all.extend(circles(&folder, MemberKind::Modules, &between_modules(&uses)));
        }
    }
    all
}

impl Circle {
    fn is_allowed(&self) -> bool {
        self.of == MemberKind::Files && self.members.len() <= MOST_FILES
    }

    fn describe(&self) -> String {
        let of = match self.of {
            MemberKind::Files => "files",
            MemberKind::Modules => "modules",
        };
        let line = |((from, to), names): (&(String, String), &BTreeSet<String>)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("\n    {from} > {to}: {}", names.join(", "))
        };
        let uses_inside: String = self.uses_inside.iter().map(line).collect();
        format!("{}: a circle of {} {of}{uses_inside}", self.folder, self.members.len())
    }
}

/// Returns the uses in each crate, by its folder. The files are relative to the crate's `src`.
fn crates(tree: &SourceTree) -> Vec<(String, Uses)> {
    let source = |path: &str| tree.file(path).map(|file| file.text.as_str());
    let mut crates = Vec::new();
    for (folder, root) in roots(tree) {
        let read = Crate::read(&root, &source);
        let start = format!("{folder}/src/");
        let short = |path: String| path.strip_prefix(&start).map(str::to_owned).unwrap_or(path);
        let uses = uses(&read).into_iter().map(|((from, to), names)| ((short(from), short(to)), names));
        crates.push((folder, uses.collect()));
    }
    crates
}

/// Returns the folder and the root file of each crate; a package with a library and a program counts twice.
pub fn roots(tree: &SourceTree) -> impl Iterator<Item = (String, String)> + '_ {
    let roots = tree.files.iter().filter_map(|file| {
        let folder =
            file.path.strip_suffix("/src/lib.rs").or_else(|| file.path.strip_suffix("/src/main.rs"))?;
        Some((folder.to_owned(), file.path.clone()))
    });
    roots.filter(|(folder, _)| tree.exists(&format!("{folder}/Cargo.toml")))
}

/// Combines the uses of the files in each module that the root declares.
fn between_modules(uses: &Uses) -> Uses {
    let module = |file: &str| match file.split_once('/') {
        Some((module, _)) => module.to_owned(),
        None => file.trim_end_matches(".rs").to_owned(),
    };
    let mut joined = Uses::new();
    for ((from, to), names) in uses {
        let (from, to) = (module(from), module(to));
        if from != to {
            joined.entry((from, to)).or_default().extend(names.iter().cloned());
        }
    }
    joined
}

/// Returns the circles, the largest first.
fn circles(folder: &str, of: MemberKind, uses: &Uses) -> Vec<Circle> {
    let mut ahead: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in uses.keys() {
        ahead.entry(from).or_default().push(to);
        ahead.entry(to).or_default();
    }
    let mut search = Search { ahead: &ahead, numbers: BTreeMap::new(), open: Vec::new(), found: Vec::new() };
    for node in ahead.keys() {
        search.visit(node);
    }
    let mut circles: Vec<Circle> = search
        .found
        .into_iter()
        .map(|mut members| {
            members.sort_unstable();
            let inside = |name: &str| members.contains(&name);
            let uses_inside = uses.iter().filter(|((from, to), _)| inside(from) && inside(to));
            let uses_inside = uses_inside.map(|(ends, names)| (ends.clone(), names.clone())).collect();
            let members = members.iter().map(ToString::to_string).collect();
            Circle { folder: folder.to_owned(), of, members, uses_inside }
        })
        .collect();
    circles.sort_by_key(|circle| (std::cmp::Reverse(circle.members.len()), circle.members.clone()));
    circles
}

/// Tarjan's search for the strongly connected components of a graph.
struct Search<'a> {
    ahead: &'a BTreeMap<&'a str, Vec<&'a str>>,
    /// The number of each node by the order of the visits, and the lowest number that it leads to.
    numbers: BTreeMap<&'a str, (usize, usize)>,
    open: Vec<&'a str>,
    found: Vec<Vec<&'a str>>,
}

impl<'a> Search<'a> {
    /// Visits a node and the nodes that it leads to. Returns the lowest number among the open ones.
    fn visit(&mut self, node: &'a str) -> usize {
        if let Some((_, lowest)) = self.numbers.get(node) {
            return *lowest;
        }
        let number = self.numbers.len();
        self.numbers.insert(node, (number, number));
        self.open.push(node);
        let mut lowest = number;
        for next in self.ahead.get(node).into_iter().flatten() {
            let is_new = !self.numbers.contains_key(next);
            if is_new || self.open.contains(next) {
                lowest = lowest.min(self.visit(next));
            }
        }
        self.numbers.insert(node, (number, lowest));
        if lowest == number {
            let start = self.open.iter().position(|open| *open == node).unwrap_or_default();
            let part = self.open.split_off(start);
            if part.len() > 1 {
                self.found.push(part);
            }
        }
        lowest
    }
}

#[cfg(test)]
#[path = "circles_tests.rs"]
mod tests;
