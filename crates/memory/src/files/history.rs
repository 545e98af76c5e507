//! The history of the memory files, kept by git.

use std::path::{Path, PathBuf};

use git2::{ErrorCode, IndexEntry, IndexTime, Oid, Repository, RepositoryInitOptions, Signature, Time};
use host::{EntryKind, RootDir};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use protocol::MemoryFileChange;
use sha2::{Digest, Sha256};

use super::name::FOLDER;
use super::repository_swap::complete_swap;

/// The history of the memories folder: a git repository of its own.
///
/// Commits are built from the bytes at hand and never from the working tree, so that nothing else gets into them and no
/// configured filter or hook runs.
pub struct FileHistory<'a> {
    folder: &'a RootDir,
    now: Timestamp,
    zone: TimeZone,
}

/// One change of a file.
#[derive(Debug, Clone)]
pub(crate) struct FileRevision {
    pub shown: MemoryFileChange,
    /// True if the file did not exist before this change.
    pub is_first: bool,
    /// The mark of the program that wrote the whole file; `None` if no program did or it is not known.
    author: Option<String>,
}

impl FileRevision {
    pub fn is_by(&self, program: &str) -> bool {
        self.author.as_deref() == Some(mark_of(program).as_str())
    }
}

/// Reasons why a change could not be recorded in the history.
#[derive(Debug, thiserror::Error)]
pub enum FileHistoryError {
    #[error("memories/.git is not a repository of its own")]
    NotOurs,
    #[error("{0}")]
    Disk(#[from] host::RootError),
    #[error("{}", .0.message())]
    Git(#[from] git2::Error),
    #[error("{0}")]
    Move(std::io::Error),
}

/// The maximum number of changes that are read. Git itself can show older ones.
const MOST_CHANGES: usize = 2_000;
const AUTHOR: &str = "Perigee";
const EMAIL: &str = "perigee@localhost";
const PLAIN_FILE: u32 = 0o100_644;
/// The prefix of the line in a commit message that holds the mark of the program that wrote the file.
const WRITTEN_BY: &str = "Written-by: ";

impl<'a> FileHistory<'a> {
    pub fn new(folder: &'a RootDir, now: Timestamp, zone: TimeZone) -> Self {
        Self { folder, now, zone }
    }

    /// Records the content of a file, and the program that wrote it, if one did; `None` as content records its
    /// deletion. Does nothing if the last commit has the same content.
    pub fn record(
        &self,
        name: &str,
        content: Option<&[u8]>,
        verb: &str,
        program: Option<&str>,
    ) -> Result<(), FileHistoryError> {
        let repository = self.repository()?;
        let parent = match repository.head() {
            Ok(head) => Some(head.peel_to_commit()?),
            Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => None,
            Err(error) => return Err(error.into()),
        };
        let tree = parent.as_ref().map(git2::Commit::tree).transpose()?;
        let mut entries = repository.treebuilder(tree.as_ref())?;
        match content {
            Some(bytes) => {
                entries.insert(name, repository.blob(bytes)?, PLAIN_FILE.cast_signed())?;
            }
            None if entries.get(name)?.is_some() => entries.remove(name)?,
            None => {}
        }
        let changed = entries.write()?;
        let before = tree.as_ref().map_or_else(|| empty_tree(&repository), |tree| Ok(tree.id()))?;
        if changed == before {
            return Ok(());
        }
        let signature = self.signature()?;
        let tree = repository.find_tree(changed)?;
        let parents: Vec<_> = parent.iter().collect();
        let by = program.map(|program| format!("\n\n{WRITTEN_BY}{}", mark_of(program))).unwrap_or_default();
        let message = format!("{verb} {name}{by}");
        repository.commit(Some("HEAD"), &signature, &signature, &message, &tree, &parents)?;
        if let Err(error) = mark_as_known(&repository, name, content) {
            tracing::debug!(%error, "the index of the memories was not brought up to date");
        }
        Ok(())
    }

    /// Returns the repository, if there is one.
    pub fn existing(&self) -> Result<Option<Repository>, FileHistoryError> {
        complete_swap(&self.folder_path()).map_err(FileHistoryError::Move)?;
        if self.folder.metadata(format!("{FOLDER}/.git"))?.is_none() {
            return Ok(None);
        }
        self.repository().map(Some)
    }

    pub fn folder_path(&self) -> PathBuf {
        self.folder.path().join(FOLDER)
    }

    /// Returns the changes of a file, newest first.
    pub fn of(&self, name: &str) -> Result<Vec<FileRevision>, FileHistoryError> {
        let mut changes = Vec::new();
        let Some(repository) = self.existing()? else { return Ok(changes) };
        let mut walk = repository.revwalk()?;
        match walk.push_head() {
            Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => {
                return Ok(changes);
            }
            pushed => pushed?,
        }
        for id in walk.take(MOST_CHANGES) {
            let commit = repository.find_commit(id?)?;
            let blob = |commit: &git2::Commit<'_>| -> Result<Option<Oid>, git2::Error> {
                Ok(commit.tree()?.get_name(name).map(|entry| entry.id()))
            };
            let after = blob(&commit)?;
            let before = commit.parents().next().map(|parent| blob(&parent)).transpose()?.flatten();
            if after == before {
                continue;
            }
            let content = match after {
                Some(id) => {
                    let blob = repository.find_blob(id)?;
                    Some(String::from_utf8_lossy(blob.content()).into_owned())
                }
                None => None,
            };
            let (what, rest) = label_of(commit.message().unwrap_or_default());
            let author = rest.lines().find_map(|line| line.strip_prefix(WRITTEN_BY)).map(str::to_owned);
            let shown = MemoryFileChange {
                id: commit.id().to_string(),
                at: Timestamp::from_second(commit.time().seconds()).unwrap_or(self.now).to_string(),
                what: what.to_owned(),
                content,
            };
            changes.push(FileRevision { shown, is_first: before.is_none(), author });
        }
        Ok(changes)
    }

    fn repository(&self) -> Result<Repository, FileHistoryError> {
        complete_swap(&self.folder_path()).map_err(FileHistoryError::Move)?;
        let found = self.folder.metadata(format!("{FOLDER}/.git"))?;
        // A file or a link in its place may lead to an unrelated repository.
        if found.is_some_and(|found| found.kind != EntryKind::Folder) {
            return Err(FileHistoryError::NotOurs);
        }
        let folder = self.folder.path().join(FOLDER);
        let repository = match Repository::open(folder.join(".git")) {
            Ok(repository) => repository,
            // Also covers a repository that a power failure left incomplete.
            Err(error) if error.code() == ErrorCode::NotFound => Self::make(&folder)?,
            Err(error) => return Err(error.into()),
        };
        if repository.is_worktree() || repository.commondir() != repository.path() {
            return Err(FileHistoryError::NotOurs);
        }
        Ok(repository)
    }

    fn make(folder: &Path) -> Result<Repository, FileHistoryError> {
        Ok(Repository::init_opts(folder, Self::plainly().mkdir(false))?)
    }

    /// Creates a repository that will replace an existing one.
    pub fn make_aside(git: &Path) -> Result<Repository, FileHistoryError> {
        let repository = Repository::init_opts(git, Self::plainly().bare(true).mkdir(true))?;
        repository.config()?.set_bool("core.bare", false)?;
        Ok(repository)
    }

    /// Returns init options without the user's git template, which may install hooks.
    fn plainly() -> RepositoryInitOptions {
        let mut options = RepositoryInitOptions::new();
        options.external_template(false).mkpath(false).initial_head("main");
        options
    }

    fn signature(&self) -> Result<Signature<'static>, FileHistoryError> {
        let offset = self.zone.to_offset(self.now).seconds() / 60;
        Ok(Signature::new(AUTHOR, EMAIL, &Time::new(self.now.as_second(), offset))?)
    }
}

/// Splits a commit message into its label and the rest.
pub(super) fn label_of(message: &str) -> (&str, &str) {
    message.trim().split_once('\n').unwrap_or((message.trim(), ""))
}

/// Returns the hash of a program's name, since the name may contain characters that a line of a commit message may not.
fn mark_of(program: &str) -> String {
    host::hex(&Sha256::digest(program))
}

/// Updates the index as well, so that `git status` reports no changes.
fn mark_as_known(repository: &Repository, name: &str, content: Option<&[u8]>) -> Result<(), git2::Error> {
    let mut index = repository.index()?;
    match content {
        Some(bytes) => index.add_frombuffer(&index_entry(name), bytes)?,
        None if index.get_path(Path::new(name), 0).is_some() => index.remove(Path::new(name), 0)?,
        None => return Ok(()),
    }
    index.write()
}

fn empty_tree(repository: &Repository) -> Result<Oid, git2::Error> {
    repository.treebuilder(None)?.write()
}

fn index_entry(name: &str) -> IndexEntry {
    IndexEntry {
        ctime: IndexTime::new(0, 0),
        mtime: IndexTime::new(0, 0),
        dev: 0,
        ino: 0,
        mode: PLAIN_FILE,
        uid: 0,
        gid: 0,
        file_size: 0,
        id: Oid::ZERO_SHA1,
        flags: 0,
        flags_extended: 0,
        path: name.into(),
    }
}
