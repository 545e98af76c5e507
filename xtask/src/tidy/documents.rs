//! Rules that check the documents against the repository.

use super::findings::Findings;
use super::tree::{File, SourceTree};
use crate::args::XtaskCommand;

const ARCHITECTURE: &str = "ARCHITECTURE.md";
const CONTRIBUTING: &str = "CONTRIBUTING.md";
const INVARIANTS: &str = "crates/INVARIANTS.md";

/// The folders with which a path from the root begins.
const TOP_FOLDERS: [&str; 6] = ["bench/", "crates/", "docs/", "skills/", "web/", "xtask/"];

/// Checks that every numbered invariant names an existing test that guards it: `| I7 | text | `crate::path::test_name`
/// |`, and that the architecture mentions each number.
pub fn unguarded_invariants(tree: &SourceTree) -> Findings {
    let Some(file) = tree.file(INVARIANTS) else { return vec![format!("{INVARIANTS} is missing")] };
    let mut findings = Findings::new();
    let mut count = 0;
    for (line, row) in file.lines() {
        let cells: Vec<&str> = row.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [first, .., last] = cells.as_slice() else { continue };
        let Some(number) = invariant_number(first) else { continue };
        count += 1;
        if number != count {
            findings.push(format!("{INVARIANTS}:{line}: I{number} should be I{count}"));
        }
        let guards: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        if guards.is_empty() {
            findings.push(format!("{INVARIANTS}:{line}: I{number} names no test"));
        }
        let missing = guards.into_iter().filter(|guard| !guard_exists(guard, tree));
        findings.extend(missing.map(|guard| format!("{INVARIANTS}:{line}: there is no test {guard}")));
    }
    if count == 0 {
        findings.push(format!("{INVARIANTS}: no invariant is numbered"));
    }
    findings.extend(unmentioned_invariants(count, tree));
    findings
}

/// Checks that the architecture mentions the invariants from 1 to `count`, and no others.
fn unmentioned_invariants(count: usize, tree: &SourceTree) -> Findings {
    let map = tree.file(ARCHITECTURE).map(|file| file.text.as_str()).unwrap_or_default();
    let words = map.split(|c: char| !c.is_alphanumeric());
    let mut mentioned: Vec<usize> = words.filter_map(invariant_number).collect();
    mentioned.sort_unstable();
    mentioned.dedup();
    let missing = (1..=count).filter(|number| !mentioned.contains(number));
    let missing = missing.map(|number| format!("{ARCHITECTURE}: I{number} is not mentioned"));
    let unknown = mentioned.iter().filter(|number| !(1..=count).contains(*number));
    let unknown = unknown.map(|number| format!("{ARCHITECTURE}: there is no I{number}"));
    missing.chain(unknown).collect()
}

/// Returns the number of an invariant: 7 for `I7`.
fn invariant_number(word: &str) -> Option<usize> {
    word.strip_prefix('I').and_then(|number| number.parse().ok())
}

/// Returns true if the test exists: `crate::path::test_name`, or the path of a test file in another language.
fn guard_exists(guard: &str, tree: &SourceTree) -> bool {
    let Some((start, name)) =
        guard.split_once("::").and_then(|(start, _)| Some((start, guard.rsplit_once("::")?.1)))
    else {
        return tree.exists(guard);
    };
    let folders = [format!("crates/{start}/"), format!("{start}/")];
    let in_crate =
        |file: &&File| file.kind() == "rs" && folders.iter().any(|folder| file.path.starts_with(folder));
    let signature = format!("fn {name}(");
    tree.files.iter().filter(in_crate).any(|file| file.text.contains(&signature))
}

/// Checks that every `cargo xtask NAME` and `perigee NAME` shown as code exists.
pub fn unknown_commands(tree: &SourceTree) -> Findings {
    let mut findings = Findings::new();
    for file in documents(tree) {
        for (line, code) in code_in(file) {
            let words: Vec<&str> = code.split_whitespace().collect();
            for (at, pair) in words.windows(2).enumerate() {
                let [program, command] = pair else { continue };
                let is_xtask = *program == "xtask" && at > 0 && words.get(at - 1) == Some(&"cargo");
                let is_ours = *program == "perigee" && at == 0;
                let is_command =
                    command.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !command.starts_with('-');
                let known = (is_xtask && XtaskCommand::NAMES.contains(command))
                    || (is_ours && has_command(tree, command));
                if (is_xtask || is_ours) && is_command && !known {
                    findings.push(format!("{}:{line}: there is no `{program} {command}`", file.path));
                }
            }
        }
    }
    findings
}

/// Returns true if the command exists. The command line is an enum whose variants are the commands.
fn has_command(tree: &SourceTree, command: &str) -> bool {
    let variant: String = command.split('-').map(capitalised).collect();
    let is_variant = |line: &str| {
        let rest = line.trim_start().strip_prefix(&variant);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['(', ',', ' ', '{']))
    };
    let sources = tree.files.iter().filter(|file| file.path.starts_with("crates/perigee/src/"));
    sources.into_iter().any(|file| file.text.lines().any(is_variant))
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// Checks that links to files of the repository have existing targets.
pub fn broken_links(tree: &SourceTree) -> Findings {
    let mut findings = Findings::new();
    for file in documents(tree) {
        for (line, text) in prose_in(file) {
            let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
            for target in targets.filter(|target| !is_elsewhere(target)) {
                let path = target.split('#').next().unwrap_or_default();
                if !resolve(file.folder(), path).is_some_and(|path| path.is_empty() || tree.exists(&path)) {
                    findings.push(format!("{}:{line}: {target} leads nowhere", file.path));
                }
            }
        }
    }
    findings
}

/// Checks that the paths exist that the documents for developers show as code, such as `crates/store/src/lib.rs` or
/// `store/src/lib.rs`. Patterns such as `*.md` and placeholders such as `NAME` are not checked.
pub fn missing_paths(tree: &SourceTree) -> Findings {
    let mut findings = Findings::new();
    let is_placeholder = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_uppercase());
    for file in [ARCHITECTURE, CONTRIBUTING].into_iter().filter_map(|path| tree.file(path)) {
        for (line, code) in code_in(file) {
            let path = code.trim_end_matches('/');
            let is_path = (TOP_FOLDERS.iter().any(|folder| code.starts_with(folder))
                || code.contains("/src/"))
                && !code.contains([' ', '*'])
                && !code.split('/').any(is_placeholder);
            if is_path && !tree.exists(path) && !tree.exists(&format!("crates/{path}")) {
                findings.push(format!("{}:{line}: there is no {code}", file.path));
            }
        }
    }
    findings
}

fn is_elsewhere(target: &str) -> bool {
    target.starts_with('#') || target.contains("://") || target.starts_with("mailto:")
}

/// Returns the target of a link relative to the root, or `None` if it leaves the repository.
fn resolve(folder: &str, target: &str) -> Option<String> {
    let start = if target.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(target.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

fn documents(tree: &SourceTree) -> impl Iterator<Item = &File> {
    tree.files.iter().filter(|file| file.kind() == "md")
}

/// Returns the lines, each with true if it is in a fenced block. The fences themselves are left out.
fn lines_and_fences(file: &File) -> impl Iterator<Item = (usize, &str, bool)> {
    let mut fenced = false;
    file.lines().filter_map(move |(number, line)| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        (!is_fence).then_some((number, line, fenced))
    })
}

fn prose_in(file: &File) -> impl Iterator<Item = (usize, &str)> {
    lines_and_fences(file).filter(|(.., fenced)| !fenced).map(|(number, line, _)| (number, line))
}

/// Returns the code in a document: fenced lines without their prompt or comment, and text between backticks.
fn code_in(file: &File) -> impl Iterator<Item = (usize, &str)> {
    lines_and_fences(file).flat_map(|(number, line, fenced)| {
        let pieces: Vec<&str> = if fenced {
            vec![line.split(" #").next().unwrap_or_default().trim_start().trim_start_matches("$ ")]
        } else {
            line.split('`').skip(1).step_by(2).collect()
        };
        pieces.into_iter().map(move |piece| (number, piece))
    })
}

#[cfg(test)]
#[path = "documents_tests.rs"]
mod tests;
