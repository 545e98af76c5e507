//! The quality of the search for relevant files: for each commit of this repository, the state before it is indexed,
//! its subject is the request, and the changed files are the answer. The peers on the same files are a count of the
//! request's words, as with `grep`, and BM25 alone. The history consists of the commits before each one.
//!
//! The same follows for releases of public packages, if `python3 bench/releases.py --to bench/.releases` has fetched
//! them: each release is a commit there, with its changelog as the subject.

#![allow(clippy::disallowed_methods, reason = "it makes a folder of its own")]

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use git2::{Commit, Delta, Repository, Sort, Tree};
use store::{CodeIndex, WordWeights};
use workspace::index::WorkspaceIndex;
use workspace::relevance::{RankedFile, RelevanceRequest, RelevanceSources, find_relevant_files};
use workspace::{GitHistory, Workspace, WorkspacePath};

use crate::report::BenchReport;

const SOURCES: [&str; 10] = ["rs", "ts", "tsx", "js", "mjs", "py", "css", "sql", "sh", "go"];
/// The folder with the releases of packages, one repository each.
const PACKAGES: &str = "bench/.releases";
const MOST_TOUCHED: usize = 8;
const MOST_COMMITS: usize = 1_000;
/// The number of files that are returned for each request; [`COUNTED`] is the number that counts.
const ASKED: usize = 10;
const COUNTED: usize = 5;
const EMPTY: [&str; 40] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "for", "from", "has", "have", "her", "in",
    "into", "is", "it", "its", "no", "not", "of", "on", "one", "or", "out", "she", "so", "that", "the",
    "their", "them", "there", "they", "to", "what", "which", "who", "with",
];

const RIVALS: [(&str, &str); 4] =
    [("grep", "grep"), ("bm25", "BM25"), ("without_history", "ours, without history"), ("found", "ours")];

/// A commit as a request.
struct Case<'a> {
    commit: Commit<'a>,
    subject: String,
    changed: Vec<String>,
}

pub fn run(repository: &Path) -> anyhow::Result<BenchReport> {
    let mut report = BenchReport::new(
        "relevance",
        format!(
            "Commits that touch one to {MOST_TOUCHED} source files: the subject is the request, the files that were changed and \
             were there before are the answer (without tests, where others were changed too). Of these, how many are among the \
             first five; and how often at least one is. First those of this repository; then releases of public packages, of \
             which the request is what the changelog says (`bench/releases.py`)."
        ),
    );
    Measured::of(&[repository.to_owned()])?.tell(&mut report, "", "this repository");
    let packages = packages();
    if packages.is_empty() {
        report.detail("packages", format!("not here: python3 bench/releases.py --to {PACKAGES}").into());
    } else {
        Measured::of(&packages)?.tell(&mut report, "packages_", &format!("{} packages", packages.len()));
    }
    Ok(report)
}

fn packages() -> Vec<PathBuf> {
    let entries = fs::read_dir(PACKAGES).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut packages: Vec<PathBuf> = entries.filter(|path| path.join(".git").exists()).collect();
    packages.sort();
    packages
}

/// The results of each method over several repositories.
#[derive(Default)]
struct Measured {
    tallies: [Tally; RIVALS.len()],
    cases: usize,
    took: Duration,
}

impl Measured {
    fn of(repositories: &[PathBuf]) -> anyhow::Result<Self> {
        let mut measured = Self::default();
        for repository in repositories {
            measured.add(&Repository::open(repository)?)?;
        }
        Ok(measured)
    }

    fn add(&mut self, git: &Repository) -> anyhow::Result<()> {
        let mut repository = CheckedOutRepository::new(git)?;
        for case in cases(git)? {
            let before = case.commit.parent(0)?;
            repository.check_out(&before.tree()?)?;
            let history = GitHistory::read_at(git.path(), &before.id().to_string(), MOST_COMMITS)?;
            let hints = RelevanceSources { history: Some(&history), ..RelevanceSources::default() };
            let request = RelevanceRequest { text: &case.subject, ..RelevanceRequest::default() };
            repository.index.graph()?;
            let start = Instant::now();
            let found = find_relevant_files(&repository.index, request, &hints, ASKED)?;
            self.took += start.elapsed();
            let alone = find_relevant_files(&repository.index, request, &RelevanceSources::default(), ASKED)?;
            let paths =
                |found: Vec<RankedFile>| found.into_iter().map(|file| String::from(file.path)).collect();
            let answers =
                [repository.grep(&case.subject), repository.bm25(&case.subject)?, paths(alone), paths(found)];
            for (tally, answer) in self.tallies.iter_mut().zip(&answers) {
                tally.add(answer, &case.changed);
            }
            self.cases += 1;
        }
        Ok(())
    }

    fn tell(&self, report: &mut BenchReport, prefix: &str, of: &str) {
        for ((key, name), tally) in RIVALS.iter().zip(&self.tallies) {
            let (recall, hit) = (tally.of(tally.recall), tally.of(tally.hits));
            let what = format!("{of}, {} changes, {name}", self.cases);
            report.row(format!("{prefix}{key}_recall5"), format!("{what}: recall@5"), recall, "%", None);
            report.row(format!("{prefix}{key}_hit5"), format!("{what}: hit@5"), hit, "%", None);
        }
        let each = self.took.as_secs_f64() * 1000.0 / number(self.cases.max(1));
        report.row(format!("{prefix}each_ms"), format!("{of}: time for one request"), each, "ms", None);
    }
}

/// Returns the commits that touch a few source files, some of which existed before; the oldest first.
fn cases(git: &Repository) -> anyhow::Result<Vec<Case<'_>>> {
    let mut walk = git.revwalk()?;
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
    walk.push_head()?;
    let mut cases = Vec::new();
    for id in walk {
        let commit = git.find_commit(id?)?;
        if commit.parent_count() != 1 {
            continue;
        }
        let diff = git.diff_tree_to_tree(Some(&commit.parent(0)?.tree()?), Some(&commit.tree()?), None)?;
        let mut touched = 0;
        let mut changed = Vec::new();
        for delta in diff.deltas() {
            let Some(path) = delta.old_file().path().and_then(Path::to_str) else { continue };
            if SOURCES.contains(&path.rsplit('.').next().unwrap_or_default()) {
                touched += 1;
                changed.extend((delta.status() != Delta::Added).then(|| path.to_owned()));
            }
        }
        if (1..=MOST_TOUCHED).contains(&touched) && !changed.is_empty() {
            let subject = String::from_utf8_lossy(commit.summary_bytes().unwrap_or_default()).into_owned();
            cases.push(Case { commit, subject, changed });
        }
    }
    Ok(cases)
}

/// A folder that takes on the repository's states one after the other, and its index.
struct CheckedOutRepository<'a> {
    git: &'a Repository,
    folder: tempfile::TempDir,
    index: WorkspaceIndex,
    tree: Option<Tree<'a>>,
    texts: BTreeMap<String, String>,
}

impl<'a> CheckedOutRepository<'a> {
    fn new(git: &'a Repository) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let root = folder.path().join("tree");
        fs::create_dir(&root)?;
        let index = WorkspaceIndex::open(
            Workspace::open(&root, &[])?,
            CodeIndex::open(&folder.path().join("index.db"))?,
        )?;
        Ok(Self { git, folder, index, tree: None, texts: BTreeMap::new() })
    }

    fn check_out(&mut self, tree: &Tree<'_>) -> anyhow::Result<()> {
        let diff = self.git.diff_tree_to_tree(self.tree.as_ref(), Some(tree), None)?;
        let root = self.folder.path().join("tree");
        let mut paths = Vec::new();
        for delta in diff.deltas() {
            let Some(path) = delta.new_file().path().and_then(Path::to_str) else { continue };
            let file = root.join(path);
            if delta.status() == Delta::Deleted {
                fs::remove_file(&file)?;
                self.texts.remove(path);
            } else if let Ok(blob) = self.git.find_blob(delta.new_file().id()) {
                fs::create_dir_all(file.parent().unwrap_or(&root))?;
                fs::write(&file, blob.content())?;
                if let Ok(text) = std::str::from_utf8(blob.content()) {
                    self.texts.insert(path.to_owned(), text.to_lowercase());
                }
            }
            paths.extend(WorkspacePath::parse(path));
        }
        self.index.update(&paths)?;
        self.tree = Some(self.git.find_tree(tree.id())?);
        Ok(())
    }

    /// Returns the files with the most distinct words of the request; of equal ones, those with the most occurrences
    /// first.
    fn grep(&self, subject: &str) -> Vec<String> {
        let words = words(subject);
        let mut counts: Vec<(usize, usize, &String)> = Vec::new();
        for (path, text) in &self.texts {
            let hits: Vec<usize> = words.iter().map(|word| text.matches(word.as_str()).count()).collect();
            counts.push((hits.iter().filter(|hits| **hits > 0).count(), hits.iter().sum(), path));
        }
        counts
            .sort_unstable_by(|one, other| (other.0, other.1).cmp(&(one.0, one.1)).then(one.2.cmp(other.2)));
        counts.into_iter().take(ASKED).map(|(_, _, path)| path.clone()).collect()
    }

    fn bm25(&self, subject: &str) -> anyhow::Result<Vec<String>> {
        let alike = WordWeights { path: 1.0, names: 1.0, prose: 1.0, body: 1.0 };
        let found = self.index.code().search(&words(subject), alike, ASKED)?;
        Ok(found.into_iter().map(|(path, _)| path).collect())
    }
}

fn words(subject: &str) -> Vec<String> {
    let words = subject.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.len() > 1 && !EMPTY.contains(&word.as_str())).collect()
}

fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.contains("/tests/") || name.contains("_tests.") || name.contains(".test.") || name == "tests.rs"
}

#[expect(clippy::cast_precision_loss, reason = "counts of files")]
fn number(count: usize) -> f64 {
    count as f64
}

#[derive(Default)]
struct Tally {
    cases: f64,
    recall: f64,
    hits: f64,
}

impl Tally {
    fn add(&mut self, answer: &[String], changed: &[String]) {
        let all: HashSet<&String> = changed.iter().collect();
        let without: HashSet<&String> = changed.iter().filter(|path| !is_test(path)).collect();
        let wanted = if without.is_empty() { &all } else { &without };
        let found = answer.iter().take(COUNTED).filter(|path| wanted.contains(path)).count();
        self.cases += 1.0;
        self.recall += number(found) / number(wanted.len().min(COUNTED));
        self.hits += f64::from(u8::from(found > 0));
    }

    /// Returns the average in percent.
    fn of(&self, sum: f64) -> f64 {
        100.0 * sum / self.cases.max(1.0)
    }
}
