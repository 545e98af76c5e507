//! What the history of the workspace tells: which files were changed together, how of late, and in which words somebody
//! spoke of it.
//!
//! Only a repository of its own is read, `.git` in the root: one that lies elsewhere is somebody else's. It is read and
//! nothing else; no program of git runs.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use git2::{Delta, DiffFindOptions, DiffOptions, Oid, Repository, Sort};
use host::EntryKind;
use thiserror::Error;

use crate::index::words;
use crate::path::WorkspacePath;
use crate::root::Workspace;

/// A commit that touches more tells nothing of any of them.
const MOST_TOUCHED: usize = 60;
/// So much of a message is read.
const MOST_WORDS: usize = 60;
/// Moved files are told by their content only where there are few.
const MOST_MOVED: usize = 400;
/// So many files that differ are looked at.
const MOST_DIFFERENT: usize = 200;
/// How much less each commit counts than the one that came after it.
const FADING: f64 = 0.985;
/// What is long ago still counts as much.
const LEAST: f64 = 0.05;

/// The last commits of a workspace.
#[derive(Debug, Default)]
pub struct History {
    head: String,
    /// The latest first.
    commits: Vec<Commit>,
    by_path: HashMap<WorkspacePath, Vec<usize>>,
    by_term: HashMap<String, Vec<usize>>,
}

#[derive(Debug)]
struct Commit {
    terms: usize,
    /// As they are called today.
    paths: Vec<WorkspacePath>,
}

#[derive(Debug, Error)]
#[error("the history of the workspace cannot be read: {}", .0.message())]
pub struct HistoryError(#[from] git2::Error);

impl History {
    /// The last `most` commits; nothing where there is no repository of the workspace's own.
    pub fn read(workspace: &Workspace, most: usize) -> Result<Option<Self>, HistoryError> {
        if !has_repository(workspace) {
            return Ok(None);
        }
        let repository = Repository::open(workspace.path().join(".git"))?;
        let head = match repository.head() {
            Ok(head) => head.peel_to_commit()?.id(),
            // Nothing was ever committed.
            Err(_) => return Ok(None),
        };
        Self::of(&repository, head, most).map(Some)
    }

    /// The last commits before some point, of a repository anywhere.
    pub fn read_at(repository: &Path, commit: &str, most: usize) -> Result<Self, HistoryError> {
        Self::of(&Repository::open(repository)?, Oid::from_str(commit)?, most)
    }

    /// Whether nothing was committed since this was read.
    pub fn is_current(&self, workspace: &Workspace) -> bool {
        let head = Repository::open(workspace.path().join(".git"))
            .and_then(|repository| Ok(repository.head()?.peel_to_commit()?.id().to_string()));
        has_repository(workspace) && head.is_ok_and(|head| head == self.head)
    }

    fn of(repository: &Repository, head: Oid, most: usize) -> Result<Self, HistoryError> {
        let mut walk = repository.revwalk()?;
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME)?;
        walk.push(head)?;
        let mut history = Self { head: head.to_string(), ..Self::default() };
        // What a file was called then, and is called today.
        let mut names: HashMap<WorkspacePath, WorkspacePath> = HashMap::new();
        for id in walk.take(most) {
            let commit = repository.find_commit(id?)?;
            // A merge repeats what others did; the first of all has everything.
            if commit.parent_count() != 1 {
                continue;
            }
            let paths = touched(repository, &commit, &mut names)?;
            if !paths.is_empty() && paths.len() <= MOST_TOUCHED {
                history.add(&String::from_utf8_lossy(commit.message_bytes()), paths);
            }
        }
        Ok(history)
    }

    fn add(&mut self, message: &str, paths: Vec<WorkspacePath>) {
        let at = self.commits.len();
        let terms: HashSet<String> = words::names(message)
            .take(MOST_WORDS)
            .flat_map(words::terms)
            .map(|term| words::stem(&term))
            .collect();
        for path in &paths {
            self.by_path.entry(path.clone()).or_default().push(at);
        }
        self.commits.push(Commit { terms: terms.len(), paths });
        for term in terms {
            self.by_term.entry(term).or_default().push(at);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.commits.is_empty()
    }

    /// Files of commits that were spoken of in these words: how well they fit, and how many of them fit well.
    pub(crate) fn spoken_of(&self, terms: &[(&str, f64)]) -> HashMap<&WorkspacePath, (f64, usize)> {
        let mut commits: HashMap<usize, f64> = HashMap::new();
        for (term, weight) in terms {
            let Some(with) = self.by_term.get(*term) else { continue };
            let rarity = (1.0 + number(self.commits.len()) / number(with.len())).ln();
            for &commit in with {
                *commits.entry(commit).or_default() += weight * rarity;
            }
        }
        let best = commits.values().copied().fold(0.0, f64::max);
        let mut files: HashMap<&WorkspacePath, (f64, usize)> = HashMap::new();
        for (at, score) in commits {
            let commit = &self.commits[at];
            let length = 1.0 + number(commit.terms) / 12.0;
            let share = score * score / length / number(commit.paths.len()).sqrt() * fading(at);
            for path in &commit.paths {
                let (sum, count) = files.entry(path).or_default();
                *sum += share;
                *count += usize::from(score * 2.0 >= best);
            }
        }
        files
    }

    /// Files that were changed together with one, each with how often; with how much they hang together.
    pub(crate) fn changed_with(&self, path: &WorkspacePath) -> Vec<(&WorkspacePath, usize, f64)> {
        let Some(numbers) = self.by_path.get(path) else { return Vec::new() };
        let mut others: HashMap<&WorkspacePath, (usize, f64)> = HashMap::new();
        let mut whole = 0.0;
        for &at in numbers {
            let commit = &self.commits[at];
            // Two of two belong together, two of forty by chance.
            let weight = fading(at) / number(commit.paths.len()).sqrt();
            whole += fading(at);
            for other in commit.paths.iter().filter(|other| *other != path) {
                let (count, sum) = others.entry(other).or_default();
                *count += 1;
                *sum += weight;
            }
        }
        others.into_iter().map(|(other, (count, sum))| (other, count, sum / (whole + 1.0))).collect()
    }

    /// How much was done to a file, of late above all.
    pub(crate) fn liveliness(&self, path: &WorkspacePath) -> f64 {
        let commits = self.by_path.get(path).into_iter().flatten();
        commits.map(|&at| fading(at)).sum()
    }

    /// How many commits changed a file.
    pub(crate) fn changes(&self, path: &WorkspacePath) -> usize {
        self.by_path.get(path).map_or(0, Vec::len)
    }
}

fn fading(at: usize) -> f64 {
    FADING.powi(i32::try_from(at).unwrap_or(i32::MAX)).max(LEAST)
}

#[expect(clippy::cast_precision_loss, reason = "counts of commits and words")]
fn number(count: usize) -> f64 {
    count as f64
}

/// A file, with what is committed of it.
pub type Committed = (WorkspacePath, Option<Vec<u8>>);

/// The files that differ from the last commit.
pub fn changed(workspace: &Workspace) -> Result<Vec<Committed>, HistoryError> {
    if !has_repository(workspace) {
        return Ok(Vec::new());
    }
    let repository = Repository::open(workspace.path().join(".git"))?;
    let tree = repository.head().ok().map(|head| head.peel_to_tree()).transpose()?;
    let mut options = DiffOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).ignore_submodules(true);
    let diff = repository.diff_tree_to_workdir_with_index(tree.as_ref(), Some(&mut options))?;
    let mut changed = Vec::new();
    for delta in diff.deltas().take(MOST_DIFFERENT) {
        let path = delta.new_file().path().or(delta.old_file().path()).and_then(Path::to_str);
        let Some(Ok(path)) = path.map(WorkspacePath::parse) else { continue };
        let committed = repository.find_blob(delta.old_file().id()).ok().map(|blob| blob.content().to_vec());
        changed.push((path, committed));
    }
    Ok(changed)
}

/// Whether `.git` is a plain folder with plain files where git looks first. Links lead to what is somebody else's, and
/// whoever opens a pipe waits for ever.
fn has_repository(workspace: &Workspace) -> bool {
    let is = |path: &str, kind: EntryKind| matches!(workspace.root().metadata(path), Ok(Some(info)) if info.kind == kind);
    let is_none = |path: &str| matches!(workspace.root().metadata(path), Ok(None));
    let is_file_or_none = |path: &str| is(path, EntryKind::File) || is_none(path);
    is(".git", EntryKind::Folder)
        && is(".git/HEAD", EntryKind::File)
        && is(".git/objects", EntryKind::Folder)
        && is(".git/refs", EntryKind::Folder)
        && is_file_or_none(".git/config")
        && is_file_or_none(".git/packed-refs")
        && is_file_or_none(".git/shallow")
        && is_none(".git/commondir")
}

/// The files that a commit touched, as they are called today.
fn touched(
    repository: &Repository,
    commit: &git2::Commit<'_>,
    names: &mut HashMap<WorkspacePath, WorkspacePath>,
) -> Result<Vec<WorkspacePath>, git2::Error> {
    let (before, after) = (commit.parent(0)?.tree()?, commit.tree()?);
    let mut options = DiffOptions::new();
    options.skip_binary_check(true);
    let mut diff = repository.diff_tree_to_tree(Some(&before), Some(&after), Some(&mut options))?;
    let has = |kind| diff.deltas().any(|delta| delta.status() == kind);
    if has(Delta::Added) && has(Delta::Deleted) && diff.deltas().len() <= MOST_MOVED {
        diff.find_similar(Some(DiffFindOptions::new().renames(true).rename_limit(MOST_MOVED)))?;
    }
    let name = |path: Option<&Path>| WorkspacePath::parse(path?.to_str()?).ok();
    let mut paths = Vec::new();
    for delta in diff.deltas() {
        let Some(new) = name(delta.new_file().path()) else { continue };
        let today = names.get(&new).cloned().unwrap_or(new);
        if delta.status() == Delta::Renamed
            && let Some(old) = name(delta.old_file().path())
        {
            names.insert(old, today.clone());
        }
        paths.push(today);
    }
    Ok(paths)
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
