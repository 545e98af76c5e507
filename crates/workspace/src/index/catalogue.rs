//! All indexed files by number and by the words of their paths.

use std::collections::HashMap;

use store::IndexFileKind;

use super::indexed_file::IndexedFile;
use super::words;
use crate::path::WorkspacePath;

/// The weight of a word in a file's own name; `IN_FOLDER` is that of a word in the names of its folders.
const IN_NAME: f64 = 1.0;
const IN_FOLDER: f64 = 0.6;
/// Extensions of data files, which a query rarely means unless it names them.
const DATA: [&str; 16] = [
    "lock", "json", "jsonl", "csv", "tsv", "svg", "xml", "snap", "txt", "map", "log", "html", "pem", "sum",
    "yaml", "yml",
];

const TEST_FOLDERS: [&str; 10] =
    ["test", "tests", "__tests__", "spec", "specs", "fixture", "fixtures", "testdata", "e2e", "snapshots"];

pub(crate) struct FileCatalogue {
    pub files: Vec<CataloguedFile>,
    numbers: HashMap<WorkspacePath, usize>,
    /// Maps each stem to the files that have it in their path, with its weight there.
    terms: HashMap<String, Vec<(usize, f64)>>,
}

pub(crate) struct CataloguedFile {
    pub path: WorkspacePath,
    role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Source,
    Test,
    Prose,
    Data,
    /// A file that is indexed by name only.
    Opaque,
}

impl CataloguedFile {
    /// Returns the weight of a match in this file, by its role. Tests count in full if the query is about tests.
    pub fn weight(&self, are_tests_meant: bool) -> f64 {
        match self.role {
            Role::Source => 1.0,
            Role::Test if are_tests_meant => 1.0,
            Role::Test => 0.65,
            Role::Prose => 0.5,
            Role::Data => 0.3,
            Role::Opaque => 0.1,
        }
    }
}

impl FileCatalogue {
    pub fn new(files: &[IndexedFile]) -> Self {
        let listing = |file: &IndexedFile| CataloguedFile { path: file.path.clone(), role: role(file) };
        let mut catalogue = Self {
            files: files.iter().map(listing).collect(),
            numbers: HashMap::new(),
            terms: HashMap::new(),
        };
        for (number, file) in catalogue.files.iter().enumerate() {
            catalogue.numbers.insert(file.path.clone(), number);
            let mut counts: HashMap<String, f64> = HashMap::new();
            let name = file.path.name();
            for (part, count) in [(file.path.folder().unwrap_or_default(), IN_FOLDER), (name, IN_NAME)] {
                for term in words::names(part).flat_map(words::terms) {
                    counts.insert(words::stem(&term), count);
                }
            }
            for (term, count) in counts {
                catalogue.terms.entry(term).or_default().push((number, count));
            }
        }
        catalogue
    }

    pub fn number(&self, path: &WorkspacePath) -> Option<usize> {
        self.numbers.get(path).copied()
    }

    pub fn number_of(&self, path: &str) -> Option<usize> {
        self.number(&WorkspacePath::parse(path).ok()?)
    }

    /// Returns the files with this word in their path, each with a score that is higher for rarer words.
    pub fn with_term(&self, stem: &str) -> impl Iterator<Item = (usize, f64)> {
        let with = self.terms.get(stem).map(Vec::as_slice).unwrap_or_default();
        let rarity = (1.0 + number(self.files.len()) / (1.0 + number(with.len()))).ln();
        with.iter().map(move |(file, count)| (*file, count * rarity))
    }

    /// Returns the files whose path equals `path` or ends with it.
    pub fn named(&self, path: &str) -> Vec<usize> {
        let is_named = |file: &CataloguedFile| {
            let before = file.path.as_str().strip_suffix(path);
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        self.files.iter().enumerate().filter(|(_, file)| is_named(file)).map(|(number, _)| number).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of files")]
fn number(count: usize) -> f64 {
    count as f64
}

fn role(file: &IndexedFile) -> Role {
    let path = file.path.as_str();
    if file.kind != IndexFileKind::Text {
        return Role::Opaque;
    }
    if is_test(path) {
        return Role::Test;
    }
    let ending = file.path.name().rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        _ if file.language.is_some() => Role::Source,
        "md" | "rst" | "adoc" => Role::Prose,
        _ if DATA.contains(&ending) => Role::Data,
        _ => Role::Source,
    }
}

/// Returns true if the path follows a naming convention for tests.
fn is_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_folder = |folder: &str| TEST_FOLDERS.contains(&folder);
    let stem = name.split('.').next().unwrap_or(name);
    folders.split('/').any(is_folder)
        || stem == "tests"
        || stem.starts_with("test_")
        || ["_test", "_tests", "_spec", "Test", "Tests"].iter().any(|ending| stem.ends_with(ending))
        || name.contains(".test.")
        || name.contains(".spec.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_how_they_are_called() {
        for (path, language, kind, expected) in [
            ("src/login.rs", Some("Rust"), IndexFileKind::Text, Role::Source),
            ("src/login_tests.rs", Some("Rust"), IndexFileKind::Text, Role::Test),
            ("web/src/login.test.tsx", Some("TSX"), IndexFileKind::Text, Role::Test),
            ("tests/it/main.rs", Some("Rust"), IndexFileKind::Text, Role::Test),
            ("pkg/login_test.go", Some("Go"), IndexFileKind::Text, Role::Test),
            ("test_login.py", Some("Python"), IndexFileKind::Text, Role::Test),
            ("src/LoginTest.java", Some("Java"), IndexFileKind::Text, Role::Test),
            ("src/latest.rs", Some("Rust"), IndexFileKind::Text, Role::Source),
            ("src/contest/testimony.rs", Some("Rust"), IndexFileKind::Text, Role::Source),
            ("docs/guide.md", None, IndexFileKind::Text, Role::Prose),
            ("Cargo.lock", None, IndexFileKind::Text, Role::Data),
            ("Makefile", None, IndexFileKind::Text, Role::Source),
            ("logo.png", None, IndexFileKind::Binary, Role::Opaque),
        ] {
            let path = WorkspacePath::parse(path).unwrap();
            let language = language.map(str::to_owned);
            let file = IndexedFile { path, kind, bytes: 1, language, lines: 1 };
            assert_eq!(role(&file), expected, "{}", file.path);
        }
    }
}
