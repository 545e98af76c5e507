//! How well the files that matter are found: for each commit of a repository, the state before it is indexed, its subject
//! is the request, and what it changed is the answer. Beside it, on the same files: counting the request's words as
//! `grep` would, and BM25 alone.
//!
//! What is known of the past is what came before each commit. `cargo run --release -p workspace --example relevance -- REPOSITORY`
#![allow(clippy::print_stdout, reason = "this program's purpose is to print a table")]
#![allow(clippy::disallowed_methods, reason = "it makes a folder of its own")]

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use git2::{Commit, Delta, Repository, Sort, Tree};
use store::{CodeIndex, WordWeights};
use workspace::index::Index;
use workspace::relevance::{Hints, Request, find_relevant_files};
use workspace::{History, Workspace, WorkspacePath};

const SOURCES: [&str; 10] = ["rs", "ts", "tsx", "js", "mjs", "py", "css", "sql", "sh", "go"];
const MOST_TOUCHED: usize = 8;
const MOST_COMMITS: usize = 1_000;
/// Files that come back for each request.
const ASKED: usize = 10;
const EMPTY: [&str; 40] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "for", "from", "has", "have", "her", "in",
    "into", "is", "it", "its", "no", "not", "of", "on", "one", "or", "out", "she", "so", "that", "the",
    "their", "them", "there", "they", "to", "what", "which", "who", "with",
];

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A commit as a question.
struct Case<'a> {
    commit: Commit<'a>,
    subject: String,
    changed: Vec<String>,
}

fn main() -> Outcome<()> {
    let repository = std::env::args().nth(1).ok_or("name a repository")?;
    let git = Repository::open(&repository)?;
    let cases = cases(&git)?;
    let mut bed = Bed::new(&git)?;
    let names = ["grep", "BM25", "found, no history", "found"];
    let mut tallies: BTreeMap<(usize, &str), Tally> = BTreeMap::new();
    let mut took = Duration::ZERO;
    for (number, case) in cases.iter().enumerate() {
        let before = case.commit.parent(0)?;
        bed.check_out(&before.tree()?)?;
        let history = History::read_at(Path::new(&repository), &before.id().to_string(), MOST_COMMITS)?;
        let hints = Hints { history: Some(&history), ..Hints::default() };
        let request = Request { text: &case.subject, ..Request::default() };
        bed.index.graph()?;
        let start = Instant::now();
        let found = find_relevant_files(&bed.index, request, &hints, ASKED)?;
        took += start.elapsed();
        let alone = find_relevant_files(&bed.index, request, &Hints::default(), ASKED)?;
        let paths = |found: Vec<workspace::relevance::Relevant>| {
            found.into_iter().map(|file| String::from(file.path)).collect::<Vec<_>>()
        };
        if std::env::var_os("SHOW").is_some() {
            println!("\n{} {:?}", case.subject, case.changed);
            for file in &found {
                let reasons: Vec<String> = file.reasons.iter().map(ToString::to_string).collect();
                println!("  {:.2} {}: {}", file.score, file.path, reasons.join("; "));
            }
        }
        let answers = [bed.grep(&case.subject), bed.bm25(&case.subject)?, paths(alone), paths(found)];
        let half = usize::from(number * 2 >= cases.len());
        for (name, answer) in names.iter().zip(&answers) {
            tallies.entry((half, name)).or_default().add(answer, &case.changed);
        }
    }
    println!("{} commits, {:.1?} a request", cases.len(), took / u32::try_from(cases.len().max(1))?);
    for (half, title) in ["earlier half", "later half"].iter().enumerate() {
        println!("\n{title:<20} recall@5  recall@10  hit@5   MRR   | with tests: recall@5");
        for name in names {
            println!("{name:<20} {}", tallies.entry((half, name)).or_default());
        }
    }
    Ok(())
}

/// Commits that touch a few source files, of which some were there before; the oldest first.
fn cases(git: &Repository) -> Outcome<Vec<Case<'_>>> {
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

/// A folder that holds one state of the repository after the other, and its index.
struct Bed<'a> {
    git: &'a Repository,
    folder: tempfile::TempDir,
    index: Index,
    tree: Option<Tree<'a>>,
    texts: BTreeMap<String, String>,
}

impl<'a> Bed<'a> {
    fn new(git: &'a Repository) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let root = folder.path().join("tree");
        fs::create_dir(&root)?;
        let index =
            Index::open(Workspace::open(&root, &[])?, CodeIndex::open(&folder.path().join("index.db"))?)?;
        Ok(Self { git, folder, index, tree: None, texts: BTreeMap::new() })
    }

    fn check_out(&mut self, tree: &Tree<'_>) -> Outcome<()> {
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

    /// Files with most of the words, and of those with as many, the ones that have them most often.
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

    fn bm25(&self, subject: &str) -> Outcome<Vec<String>> {
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
    wider: f64,
    hits: f64,
    rank: f64,
    with_tests: f64,
}

impl Tally {
    fn add(&mut self, answer: &[String], changed: &[String]) {
        let all: HashSet<&String> = changed.iter().collect();
        let without: HashSet<&String> = changed.iter().filter(|path| !is_test(path)).collect();
        let wanted = if without.is_empty() { &all } else { &without };
        let recall = |wanted: &HashSet<&String>, most: usize| {
            let hits = answer.iter().take(most).filter(|path| wanted.contains(path)).count();
            number(hits) / number(wanted.len().min(most))
        };
        self.cases += 1.0;
        self.recall += recall(wanted, 5);
        self.wider += recall(wanted, 10);
        self.with_tests += recall(&all, 5);
        self.hits += f64::from(u8::from(recall(wanted, 5) > 0.0));
        let first = answer.iter().position(|path| wanted.contains(path));
        self.rank += first.map_or(0.0, |first| 1.0 / number(first + 1));
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let of = |sum: f64| 100.0 * sum / self.cases.max(1.0);
        let (recall, wider, hits) = (of(self.recall), of(self.wider), of(self.hits));
        let (rank, all) = (self.rank / self.cases.max(1.0), of(self.with_tests));
        write!(out, "{recall:>7.1} {wider:>10.1} {hits:>8.1} {rank:>7.3}  | {all:>20.1}")
    }
}
