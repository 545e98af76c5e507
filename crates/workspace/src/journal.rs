//! The journal of file changes: the previous contents are stored until all changes of a proposal are written, so a
//! crash in between can be rolled back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use host::{EntryKind, RootDir, RootError, atomic_write_private, lock_file, private_dir};
use serde::{Deserialize, Serialize};

use crate::change::{OverlayError, PendingChange};
use crate::crash_points::crash_point;
use crate::disk::{read_from_disk, write_file};
use crate::path::WorkspacePath;

/// The list of the files of an entry. Its presence makes the entry valid.
const MANIFEST: &str = "list.json";
/// The contents of all files in one file, because syncing one file takes no longer than syncing one of a hundred.
const CONTENTS: &str = "bytes";
/// The lock file of a journal entry in use; a locked entry is not rolled back.
const ENTRY_LOCK: &str = "held";
/// The lock file held while changes are written or rolled back, one proposal at a time.
const WRITE_LOCK: &str = "lock";

/// The journal directory.
#[derive(Debug, Clone)]
pub struct WriteJournal {
    folder: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct EntryManifest {
    root: PathBuf,
    mark: Option<String>,
    files: Vec<JournaledFile>,
    /// The folders that did not exist, parents first.
    folders: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct JournaledFile {
    path: WorkspacePath,
    /// The byte range of the previous content, or `None` if the file did not exist.
    before: Option<Range<usize>>,
    after: Option<Range<usize>>,
    before_mode: Option<u32>,
    after_mode: Option<u32>,
}

/// The result of rolling back an interrupted write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveredWrite {
    pub root: PathBuf,
    /// All files of the entry.
    pub files: Vec<WorkspacePath>,
    /// The files that were changed by others since and are left as they are.
    pub left: Vec<WorkspacePath>,
}

impl WriteJournal {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Waits for the write lock, which excludes other writers in this and other processes. It is held while the
    /// returned file is open.
    pub(crate) fn lock(&self) -> io::Result<File> {
        private_dir(&self.folder).map_err(io::Error::other)?;
        let file = lock_file(self.folder.join(WRITE_LOCK)).map_err(io::Error::other)?;
        file.lock()?;
        Ok(file)
    }

    /// Records the planned changes. They are synced to disk when this returns.
    pub(crate) fn begin(
        &self,
        root: &RootDir,
        changes: &BTreeMap<WorkspacePath, PendingChange>,
        mark: Option<&str>,
    ) -> io::Result<JournalEntry> {
        let folder = self.folder.join(host::hex(&host::random_bytes::<8>()));
        private_dir(&folder).map_err(io::Error::other)?;
        let entry = record(&folder, root, changes, mark);
        if entry.is_err() {
            delete(&folder);
        }
        entry
    }

    /// Rolls back interrupted writes. Entries with a mark are left to the caller that set it.
    pub fn recover(&self) -> Vec<RecoveredWrite> {
        if !self.folder.exists() {
            return Vec::new();
        }
        let Ok(_lock) = self.lock() else { return Vec::new() };
        let unmarked = self.unfinished().into_iter().filter(|entry| entry.mark().is_none());
        unmarked.filter_map(JournalEntry::recover).collect()
    }

    /// Returns the entries that no process holds.
    pub(crate) fn unfinished(&self) -> Vec<JournalEntry> {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let folders = folders.map(|entry| entry.path()).filter(|path| path.is_dir());
        let mut found = Vec::new();
        for folder in folders {
            let Ok(Some(lock)) = lock_entry(&folder) else { continue };
            let manifest = fs::read(folder.join(MANIFEST)).ok();
            let manifest: Option<EntryManifest> =
                manifest.and_then(|text| serde_json::from_slice(&text).ok());
            match manifest {
                Some(manifest) => found.push(JournalEntry { folder, manifest, _lock: lock }),
                // The process died before anything was changed.
                None => delete(&folder),
            }
        }
        found
    }
}

fn record(
    folder: &Path,
    root: &RootDir,
    changes: &BTreeMap<WorkspacePath, PendingChange>,
    mark: Option<&str>,
) -> io::Result<JournalEntry> {
    let lock = lock_entry(folder)?.ok_or(io::ErrorKind::ResourceBusy)?;
    let (mut bytes, mut files) = (Vec::new(), Vec::with_capacity(changes.len()));
    let mut append = |side: &Option<Vec<u8>>| {
        let side = side.as_ref()?;
        let start = bytes.len();
        bytes.extend_from_slice(side);
        Some(start..bytes.len())
    };
    for (path, PendingChange { before, after, before_mode, after_mode }) in changes {
        files.push(JournaledFile {
            path: path.clone(),
            before: append(before),
            after: append(after),
            before_mode: *before_mode,
            after_mode: *after_mode,
        });
    }
    atomic_write_private(folder.join(CONTENTS), &bytes).map_err(io::Error::other)?;
    let (root_path, mark) = (root.path().to_owned(), mark.map(str::to_owned));
    let manifest = EntryManifest { root: root_path, mark, files, folders: missing_folders(root, changes)? };
    let text = serde_json::to_vec(&manifest).map_err(io::Error::other)?;
    // Written last, because its presence makes the entry valid.
    atomic_write_private(folder.join(MANIFEST), &text).map_err(io::Error::other)?;
    Ok(JournalEntry { folder: folder.to_owned(), manifest, _lock: lock })
}

/// Returns the folders that have to be created first.
fn missing_folders(
    root: &RootDir,
    changes: &BTreeMap<WorkspacePath, PendingChange>,
) -> io::Result<Vec<String>> {
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
fn lock_entry(folder: &Path) -> io::Result<Option<File>> {
    let file = lock_file(folder.join(ENTRY_LOCK)).map_err(io::Error::other)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

/// Removes a file or folder of the journal. On failure, the next recovery retries.
fn delete(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    let _ = RootDir::open(folder).map(|folder| folder.remove(name));
}

/// A journal entry of changes being written.
#[derive(Debug)]
pub(crate) struct JournalEntry {
    folder: PathBuf,
    manifest: EntryManifest,
    _lock: File,
}

impl JournalEntry {
    pub fn mark(&self) -> Option<&str> {
        self.manifest.mark.as_deref()
    }

    pub fn folders(&self) -> &[String] {
        &self.manifest.folders
    }

    /// Rolls back what a dead process left behind. Returns `None` if the workspace cannot be opened.
    pub fn recover(self) -> Option<RecoveredWrite> {
        let root = RootDir::open(&self.manifest.root).ok()?;
        self.remove_temporary_files(&root);
        let files = self.manifest.files.iter().map(|file| file.path.clone()).collect();
        let left = self.roll_back(&root);
        Some(RecoveredWrite { root: root.path().to_owned(), files, left })
    }

    /// Restores every file, except those that match neither their old nor their new content: they were changed by
    /// others and are returned. Files that cannot be restored are returned as well, and the entry is kept for another
    /// attempt.
    pub fn roll_back(self, root: &RootDir) -> Vec<WorkspacePath> {
        let Ok(bytes) = fs::read(self.folder.join(CONTENTS)) else {
            return self.manifest.files.into_iter().map(|file| file.path).collect();
        };
        let (mut left, mut failed) = (Vec::new(), false);
        for file in self.manifest.files.iter().rev() {
            match file.roll_back(root, &bytes) {
                Ok(true) => {}
                Ok(false) => left.push(file.path.clone()),
                Err(_) => {
                    failed = true;
                    left.push(file.path.clone());
                }
            }
            crash_point("file restored");
        }
        for folder in self.manifest.folders.iter().rev() {
            let _ = root.remove_if_empty(folder);
        }
        if !failed {
            self.remove();
        }
        left
    }

    /// Keeps the changes of a dead process, which were completely written.
    pub fn keep_changes(self) {
        if let Ok(root) = RootDir::open(&self.manifest.root) {
            self.remove_temporary_files(&root);
        }
        self.remove();
    }

    /// Removes temporary files left by the dead process.
    fn remove_temporary_files(&self, root: &RootDir) {
        let folders: BTreeSet<&str> =
            self.manifest.files.iter().map(|file| file.path.folder().unwrap_or_default()).collect();
        for folder in folders {
            for (name, info) in root.list(folder).unwrap_or_default() {
                if info.kind == EntryKind::File && host::is_temporary(&name) {
                    let _ = root.remove(Path::new(folder).join(name));
                }
            }
        }
    }

    /// Removes the entry, so nothing is rolled back any more.
    pub fn remove(self) {
        // The list goes first, because it makes the entry valid; the rest is harmless without it.
        delete(&self.folder.join(MANIFEST));
        crash_point("entry removed");
        delete(&self.folder);
    }
}

/// Returns true if a file or folder of another kind is in the way.
fn is_in_the_way(error: &RootError) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory};
    matches!(error, RootError::File(error) if matches!(error.kind(), NotADirectory | IsADirectory))
}

impl JournaledFile {
    /// Restores the file. Returns false if it was changed by others.
    fn roll_back(&self, root: &RootDir, bytes: &[u8]) -> Result<bool, RootError> {
        let Self { path, before, after, before_mode, after_mode } = self;
        let content =
            |range: &Option<Range<usize>>| range.clone().map(|range| bytes.get(range).unwrap_or_default());
        let (before, after) = (content(before), content(after));
        let now = match read_from_disk(root, path) {
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
        let has_old_mode =
            before_mode == after_mode || now.as_ref().and_then(|found| found.mode) == *before_mode;
        if now_bytes == before && has_old_mode {
            return Ok(true);
        }
        // Deleted and created files and those with a changed mode get their old mode; others keep the current one.
        let mode = before_mode.filter(|_| after.is_none() || before_mode != after_mode);
        write_file(root, path, before, mode).map(|()| true)
    }
}
