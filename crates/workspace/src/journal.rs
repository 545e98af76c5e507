//! The journal of file changes: the previous contents are stored until all changes of a proposal are written, so a
//! crash in between can be rolled back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use host::{EntryKind, RootDir, RootError, atomic_write_private, lock_file, private_dir};
use serde::{Deserialize, Serialize};

use crate::landing::{on_disk, put};
use crate::overlay::{Change, OverlayError};
use crate::path::WorkspacePath;
use crate::steps::step;

const LIST: &str = "list.json";
/// The contents of all files in one file, because syncing one file takes no longer than syncing one of a hundred.
const BYTES: &str = "bytes";
/// The lock file of a journal entry in use; a locked entry is not rolled back.
const HELD: &str = "held";
/// The lock file held while changes are written or rolled back, one proposal at a time.
const LOCK: &str = "lock";

/// The journal directory.
#[derive(Debug, Clone)]
pub struct Journal {
    folder: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct List {
    root: PathBuf,
    mark: Option<String>,
    files: Vec<Noted>,
    /// The folders that did not exist, parents first.
    folders: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Noted {
    path: WorkspacePath,
    /// The byte range of the previous content, or `None` if the file did not exist.
    before: Option<Range<usize>>,
    after: Option<Range<usize>>,
    before_mode: Option<u32>,
    after_mode: Option<u32>,
}

/// The result of rolling back an interrupted write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    pub root: PathBuf,
    /// All files of the entry.
    pub files: Vec<WorkspacePath>,
    /// The files that were changed by others since and are left as they are.
    pub left: Vec<WorkspacePath>,
}

impl Journal {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Waits for the write lock, which excludes other writers in this and other processes. It is held while the
    /// returned file is open.
    pub(crate) fn alone(&self) -> io::Result<File> {
        private_dir(&self.folder).map_err(io::Error::other)?;
        let file = lock_file(self.folder.join(LOCK)).map_err(io::Error::other)?;
        file.lock()?;
        Ok(file)
    }

    /// Records the planned changes. They are synced to disk when this returns.
    pub(crate) fn begin(
        &self,
        root: &RootDir,
        changes: &BTreeMap<WorkspacePath, Change>,
        mark: Option<&str>,
    ) -> io::Result<Entry> {
        let folder = self.folder.join(host::hex(&host::random_bytes::<8>()));
        private_dir(&folder).map_err(io::Error::other)?;
        let begun = note(&folder, root, changes, mark);
        if begun.is_err() {
            remove(&folder);
        }
        begun
    }

    /// Rolls back interrupted writes. Entries with a mark are left to the caller that set it.
    pub fn recover(&self) -> Vec<Recovered> {
        if !self.folder.exists() {
            return Vec::new();
        }
        let Ok(_alone) = self.alone() else { return Vec::new() };
        let unmarked = self.unfinished().into_iter().filter(|entry| entry.mark().is_none());
        unmarked.filter_map(Entry::recover).collect()
    }

    /// Returns the entries that no process holds.
    pub(crate) fn unfinished(&self) -> Vec<Entry> {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let folders = folders.map(|entry| entry.path()).filter(|path| path.is_dir());
        let mut found = Vec::new();
        for folder in folders {
            let Ok(Some(held)) = hold(&folder) else { continue };
            let list = fs::read(folder.join(LIST)).ok();
            let list: Option<List> = list.and_then(|text| serde_json::from_slice(&text).ok());
            match list {
                Some(list) => found.push(Entry { folder, list, _held: held }),
                // The process died before anything was changed.
                None => remove(&folder),
            }
        }
        found
    }
}

fn note(
    folder: &Path,
    root: &RootDir,
    changes: &BTreeMap<WorkspacePath, Change>,
    mark: Option<&str>,
) -> io::Result<Entry> {
    let held = hold(folder)?.ok_or(io::ErrorKind::ResourceBusy)?;
    let (mut bytes, mut files) = (Vec::new(), Vec::with_capacity(changes.len()));
    let mut keep = |side: &Option<Vec<u8>>| {
        let side = side.as_ref()?;
        let start = bytes.len();
        bytes.extend_from_slice(side);
        Some(start..bytes.len())
    };
    for (path, Change { before, after, before_mode, after_mode }) in changes {
        files.push(Noted {
            path: path.clone(),
            before: keep(before),
            after: keep(after),
            before_mode: *before_mode,
            after_mode: *after_mode,
        });
    }
    atomic_write_private(folder.join(BYTES), &bytes).map_err(io::Error::other)?;
    let (root_path, mark) = (root.path().to_owned(), mark.map(str::to_owned));
    let list = List { root: root_path, mark, files, folders: missing_folders(root, changes)? };
    let text = serde_json::to_vec(&list).map_err(io::Error::other)?;
    // Written last, because its presence makes the entry valid.
    atomic_write_private(folder.join(LIST), &text).map_err(io::Error::other)?;
    Ok(Entry { folder: folder.to_owned(), list, _held: held })
}

/// Returns the folders that have to be created first.
fn missing_folders(root: &RootDir, changes: &BTreeMap<WorkspacePath, Change>) -> io::Result<Vec<String>> {
    let mut missing = BTreeSet::new();
    for (path, _) in changes.iter().filter(|(_, change)| change.after.is_some()) {
        let mut folder = path.folder();
        while let Some(at) = folder.filter(|at| !missing.contains(*at)) {
            if root.metadata(at).map_err(io::Error::other)?.is_some() {
                break;
            }
            missing.insert(at.to_owned());
            folder = at.rsplit_once('/').map(|(above, _)| above);
        }
    }
    Ok(missing.into_iter().collect())
}

/// Locks a journal entry for as long as the file is open. Returns `None` if it is locked elsewhere.
fn hold(folder: &Path) -> io::Result<Option<File>> {
    let file = lock_file(folder.join(HELD)).map_err(io::Error::other)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

/// Removes a file or folder of the journal. On failure, the next recovery retries.
fn remove(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    let _ = RootDir::open(folder).map(|folder| folder.remove(name));
}

/// A journal entry of changes being written.
#[derive(Debug)]
pub(crate) struct Entry {
    folder: PathBuf,
    list: List,
    _held: File,
}

impl Entry {
    pub fn mark(&self) -> Option<&str> {
        self.list.mark.as_deref()
    }

    pub fn folders(&self) -> &[String] {
        &self.list.folders
    }

    /// Rolls back what a dead process left behind. Returns `None` if the workspace cannot be opened.
    pub fn recover(self) -> Option<Recovered> {
        let root = RootDir::open(&self.list.root).ok()?;
        self.sweep(&root);
        let files = self.list.files.iter().map(|noted| noted.path.clone()).collect();
        let left = self.put_back(&root);
        Some(Recovered { root: root.path().to_owned(), files, left })
    }

    /// Restores every file, except those that match neither their old nor their new content: they were changed by
    /// others and are returned. Files that cannot be restored are returned as well, and the entry is kept for another
    /// attempt.
    pub fn put_back(self, root: &RootDir) -> Vec<WorkspacePath> {
        let Ok(bytes) = fs::read(self.folder.join(BYTES)) else {
            return self.list.files.into_iter().map(|noted| noted.path).collect();
        };
        let (mut left, mut failed) = (Vec::new(), false);
        for noted in self.list.files.iter().rev() {
            match noted.put_back(root, &bytes) {
                Ok(true) => {}
                Ok(false) => left.push(noted.path.clone()),
                Err(_) => {
                    failed = true;
                    left.push(noted.path.clone());
                }
            }
            step("put back");
        }
        for folder in self.list.folders.iter().rev() {
            let _ = root.remove_if_empty(folder);
        }
        if !failed {
            self.end();
        }
        left
    }

    /// Keeps the changes of a dead process, which were completely written.
    pub fn keep(self) {
        if let Ok(root) = RootDir::open(&self.list.root) {
            self.sweep(&root);
        }
        self.end();
    }

    /// Removes temporary files left by the dead process.
    fn sweep(&self, root: &RootDir) {
        let folders: BTreeSet<&str> =
            self.list.files.iter().map(|noted| noted.path.folder().unwrap_or_default()).collect();
        for folder in folders {
            for (name, info) in root.list(folder).unwrap_or_default() {
                if info.kind == EntryKind::File && host::is_temporary(&name) {
                    let _ = root.remove(Path::new(folder).join(name));
                }
            }
        }
    }

    /// Removes the entry, so nothing is rolled back any more.
    pub fn end(self) {
        // The list goes first, because it makes the entry valid; the rest is harmless without it.
        remove(&self.folder.join(LIST));
        step("ended");
        remove(&self.folder);
    }
}

/// Returns true if a file or folder of another kind is in the way.
fn is_in_the_way(error: &RootError) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory};
    matches!(error, RootError::File(error) if matches!(error.kind(), NotADirectory | IsADirectory))
}

impl Noted {
    /// Restores the file. Returns false if it was changed by others.
    fn put_back(&self, root: &RootDir, bytes: &[u8]) -> Result<bool, RootError> {
        let Self { path, before, after, before_mode, after_mode } = self;
        let kept =
            |range: &Option<Range<usize>>| range.clone().map(|range| bytes.get(range).unwrap_or_default());
        let (before, after) = (kept(before), kept(after));
        let now = match on_disk(root, path) {
            Ok(now) => now,
            // After an I/O error, the file may still be unchanged.
            Err(OverlayError::Root(error @ RootError::File(_))) if !is_in_the_way(&error) => {
                return Err(error);
            }
            Err(_) => return Ok(false),
        };
        let now_bytes = now.as_ref().map(|found| found.bytes.as_slice());
        if now_bytes != before && now_bytes != after {
            return Ok(false);
        }
        let is_of_old_mode =
            before_mode == after_mode || now.as_ref().and_then(|found| found.mode) == *before_mode;
        if now_bytes == before && is_of_old_mode {
            return Ok(true);
        }
        // Deleted and created files and those with a changed mode get their old mode; others keep the current one.
        let mode = before_mode.filter(|_| after.is_none() || before_mode != after_mode);
        put(root, path, before, mode).map(|()| true)
    }
}
