//! The git history of the workspace: which files were changed together, how recently, and with which words in the
//! commit messages.
//!
//! Only the workspace's own repository, `.git` in its root, is read; a repository elsewhere may belong to someone else.
//! Access is read-only, and no git program is run.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use git2::{Delta, DiffFindOptions, DiffOptions, Oid, Repository, Sort};
use host::EntryKind;
use thiserror::Error;

use crate::index::words;
use crate::path::WorkspacePath;
use crate::workspace::Workspace;

/// The maximum number of files of a commit; a larger commit says nothing about any single file.
const MOST_TOUCHED: usize = 60;
/// The number of words read of a commit message.
const MOST_WORDS: usize = 60;
/// The maximum number of changed files for which renames are detected by content.
const MOST_MOVED: usize = 400;
/// The maximum number of files compared with the last commit.
const MOST_DIFFERENT: usize = 200;
/// The weight of a commit relative to the next newer one.
const RECENCY: f64 = 0.985;
/// The minimum weight of an old commit.
const LEAST_RECENCY: f64 = 0.05;

/// The last commits of a workspace.
#[derive(Debug, Default)]
pub struct GitHistory {
    head: String,
    /// The commits, newest first.
    commits: Vec<Commit>,
    by_path: HashMap<WorkspacePath, Vec<usize>>,
    by_term: HashMap<String, Vec<usize>>,
}

#[derive(Debug)]
struct Commit {
    terms: usize,
    /// The touched files under their current names.
    paths: Vec<WorkspacePath>,
}

#[derive(Debug, Error)]
#[error("the history of the workspace cannot be read: {}", .0.message())]
pub struct GitHistoryError(#[from] git2::Error);

impl GitHistory {
    /// Reads the last `most` commits. Returns `None` if the workspace has no repository of its own.
    pub fn read(workspace: &Workspace, most: usize) -> Result<Option<Self>, GitHistoryError> {
        if !has_repository(workspace) {
            return Ok(None);
        }
        let repository = Repository::open(workspace.path().join(".git"))?;
        let head = match repository.head() {
            Ok(head) => head.peel_to_commit()?.id(),
            // The repository has no commits yet.
            Err(_) => return Ok(None),
        };
        Self::of(&repository, head, most).map(Some)
    }

    /// Reads up to `most` commits from the given commit back, of any repository.
    pub fn read_at(repository: &Path, commit: &str, most: usize) -> Result<Self, GitHistoryError> {
        Self::of(&Repository::open(repository)?, Oid::from_str(commit)?, most)
    }

    /// Returns true if there has been no commit since this history was read.
    pub fn is_current(&self, workspace: &Workspace) -> bool {
        let head = Repository::open(workspace.path().join(".git"))
            .and_then(|repository| Ok(repository.head()?.peel_to_commit()?.id().to_string()));
        has_repository(workspace) && head.is_ok_and(|head| head == self.head)
    }

    fn of(repository: &Repository, head: Oid, most: usize) -> Result<Self, GitHistoryError> {
        let mut walk = repository.revwalk()?;
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME)?;
        walk.push(head)?;
        let mut history = Self { head: head.to_string(), ..Self::default() };
        // Maps the former name of a file to its current one.
        let mut names: HashMap<WorkspacePath, WorkspacePath> = HashMap::new();
        for id in walk.take(most) {
            let commit = repository.find_commit(id?)?;
            // A merge repeats the changes of other commits, and the root commit adds every file.
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

    /// Returns the files of commits whose messages contain these terms, each with a score and the number of
    /// well-matching commits.
    pub(crate) fn matching_commits(&self, terms: &[(&str, f64)]) -> HashMap<&WorkspacePath, (f64, usize)> {
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
            let share = score * score / length / number(commit.paths.len()).sqrt() * recency(at);
            for path in &commit.paths {
                let (sum, count) = files.entry(path).or_default();
                *sum += share;
                *count += usize::from(score * 2.0 >= best);
            }
        }
        files
    }

    /// Returns the files that were changed together with a file, each with the number of common commits and the
    /// strength of the coupling.
    pub(crate) fn changed_with(&self, path: &WorkspacePath) -> Vec<(&WorkspacePath, usize, f64)> {
        let Some(numbers) = self.by_path.get(path) else { return Vec::new() };
        let mut others: HashMap<&WorkspacePath, (usize, f64)> = HashMap::new();
        let mut whole = 0.0;
        for &at in numbers {
            let commit = &self.commits[at];
            // Two files in a commit of two belong together; two in a commit of forty may do so by chance.
            let weight = recency(at) / number(commit.paths.len()).sqrt();
            whole += recency(at);
            for other in commit.paths.iter().filter(|other| *other != path) {
                let (count, sum) = others.entry(other).or_default();
                *count += 1;
                *sum += weight;
            }
        }
        others.into_iter().map(|(other, (count, sum))| (other, count, sum / (whole + 1.0))).collect()
    }

    /// Returns the amount of change to a file, with recent commits weighted most.
    pub(crate) fn change_frequency(&self, path: &WorkspacePath) -> f64 {
        let commits = self.by_path.get(path).into_iter().flatten();
        commits.map(|&at| recency(at)).sum()
    }

    /// Returns the number of commits that changed a file.
    pub(crate) fn commit_count(&self, path: &WorkspacePath) -> usize {
        self.by_path.get(path).map_or(0, Vec::len)
    }
}

fn recency(at: usize) -> f64 {
    RECENCY.powi(i32::try_from(at).unwrap_or(i32::MAX)).max(LEAST_RECENCY)
}

#[expect(clippy::cast_precision_loss, reason = "counts of commits and words")]
fn number(count: usize) -> f64 {
    count as f64
}

/// A file with its committed content.
pub type Committed = (WorkspacePath, Option<Vec<u8>>);

/// Returns the files that differ from the last commit, up to a fixed number.
pub fn changed_since_commit(workspace: &Workspace) -> Result<Vec<Committed>, GitHistoryError> {
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

/// Returns true if `.git` is a plain folder with plain files in the places that git reads first. Links may lead to
/// repositories of others, and opening a named pipe would block forever.
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

/// Returns the files that a commit touched, under their current names.
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
