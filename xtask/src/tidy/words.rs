//! Rules for the text of files: their length, and forbidden words.

use super::findings::Findings;
use super::tree::{File, SourceTree};

const MOST_LINES: usize = 800;
const MANY_LINES: usize = 500;

/// The extensions of files whose length is limited. Data, lock files and generated files are exempt.
const SOURCES: [&str; 11] = ["rs", "ts", "tsx", "mjs", "js", "css", "html", "py", "sh", "toml", "sql"];

/// The folder that contains the forbidden words because it searches for them.
const RULES_FOLDER: &str = "xtask/src/tidy/";

const UNFINISHED: [&str; 5] = ["TODO", "FIXME", "XXX", "todo!", "unimplemented!"];

const HOSTS: [&str; 8] = [
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "index.crates.io",
    "static.crates.io",
    "pypi.org",
    "pythonhosted.org",
    "deb.debian.org",
    "security.debian.org",
];

pub fn too_long(tree: &SourceTree) -> Findings {
    sizes(tree, MOST_LINES..usize::MAX)
        .map(|(file, lines)| format!("{file}: {lines} lines; split it"))
        .collect()
}

/// Returns the files that are close to the maximum length.
pub fn growing(tree: &SourceTree) -> Findings {
    sizes(tree, MANY_LINES..MOST_LINES).map(|(file, lines)| format!("{file}: {lines} lines")).collect()
}

/// Returns the files with more lines than the start of the range and at most as many as its end.
fn sizes(tree: &SourceTree, range: std::ops::Range<usize>) -> impl Iterator<Item = (&str, usize)> {
    let written =
        tree.files.iter().filter(|file| SOURCES.contains(&file.kind()) && !file.name().contains(".gen."));
    let sized = written.map(|file| (file.path.as_str(), file.lines().count()));
    sized.filter(move |(_, lines)| *lines > range.start && *lines <= range.end)
}

pub fn unfinished(tree: &SourceTree) -> Findings {
    find(tree, |_, line| UNFINISHED.into_iter().find(|word| has_word(line, word)).map(str::to_owned))
}

pub fn machine_paths(tree: &SourceTree) -> Findings {
    find(tree, |_, line| machine_path(line).map(|path| format!("a path of one machine: {path}")))
}

pub fn registry_hosts(tree: &SourceTree) -> Findings {
    find(tree, |_, line| {
        HOSTS.into_iter().find(|host| line.contains(host)).map(|host| format!("names {host}"))
    })
}

pub fn tests_left_out(tree: &SourceTree) -> Findings {
    find(tree, |file, line| {
        let line = line.trim_start();
        match file.kind() {
            "rs" if line.starts_with("#[ignore") => Some("a test that never runs".to_owned()),
            "ts" | "tsx" | "mjs" | "js" if line.contains(".only(") => {
                Some("a test that hides the others".to_owned())
            }
            _ => None,
        }
    })
}

fn find(tree: &SourceTree, what: impl Fn(&File, &str) -> Option<String>) -> Findings {
    let looked_at = tree.files.iter().filter(|file| !file.path.starts_with(RULES_FOLDER));
    let found = looked_at.flat_map(|file| {
        let found = file.lines().filter_map(|(number, line)| Some((number, what(file, line)?)));
        found.map(|(number, what)| format!("{}:{number}: {what}", file.path))
    });
    found.collect()
}

/// Returns true if the line contains the word by itself, not as part of another one.
fn has_word(line: &str, word: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(inside) && (word.ends_with('!') || !after.is_some_and(inside))
    })
}

/// The user names allowed in the home folders of examples and tests.
const EXAMPLE_USERS: [&str; 2] = ["ada", "you"];

/// Finds an absolute path to a home folder or the machine's work folder.
fn machine_path(line: &str) -> Option<&str> {
    let begins = |at: usize| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || "._-~}>*/".contains(c))
    };
    let ends = |c: char| !(c.is_ascii_alphanumeric() || "._-/".contains(c));
    ["/work/", "/root/", "/home/"].iter().find_map(|start| {
        line.match_indices(start).filter(|(at, _)| begins(*at)).find_map(|(at, _)| {
            let rest = line.get(at..)?;
            let path = rest.split(ends).next()?;
            let owner = path.strip_prefix("/home/").map(|rest| rest.split_once('/').map(|(owner, _)| owner));
            let is_example =
                owner.is_some_and(|owner| owner.is_none_or(|owner| EXAMPLE_USERS.contains(&owner)));
            (!is_example).then_some(path)
        })
    })
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
