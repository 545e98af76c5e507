//! What was on the disk before something lands, until all of it has: a program that ends in the midst finds it again.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use host::{RootDir, atomic_write_private, private_dir};
use serde::{Deserialize, Serialize};

use crate::overlay::{Change, on_disk, put};
use crate::path::WorkspacePath;

const LIST: &str = "list.json";
/// Held by whoever is at it: what is held is not given up.
const HELD: &str = "held";

/// The folder of journals.
#[derive(Debug, Clone)]
pub struct Journal {
    folder: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct List {
    root: PathBuf,
    files: Vec<Noted>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Noted {
    path: WorkspacePath,
    /// The name under which its bytes lie here; nothing where there was no such file.
    before: Option<String>,
    after: Option<String>,
}

/// What was found of a program that ended while something landed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    pub root: PathBuf,
    /// What was put back, in all.
    pub files: Vec<WorkspacePath>,
    /// What somebody has changed since, and is left alone.
    pub left: Vec<WorkspacePath>,
}

impl Journal {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Notes what is about to change. It is on the disk when this returns.
    pub(crate) fn begin(&self, root: &Path, changes: &BTreeMap<WorkspacePath, Change>) -> io::Result<Entry> {
        let folder = self.folder.join(host::hex(&host::random_bytes::<8>()));
        private_dir(&folder).map_err(io::Error::other)?;
        let held = hold(&folder)?.ok_or(io::ErrorKind::ResourceBusy)?;
        let keep = |name: String, bytes: &Option<Vec<u8>>| -> io::Result<Option<String>> {
            let Some(bytes) = bytes else { return Ok(None) };
            atomic_write_private(folder.join(&name), bytes).map_err(io::Error::other)?;
            Ok(Some(name))
        };
        let mut files = Vec::with_capacity(changes.len());
        for (number, (path, change)) in changes.iter().enumerate() {
            let before = keep(format!("{number}.before"), &change.before)?;
            let after = keep(format!("{number}.after"), &change.after)?;
            files.push(Noted { path: path.clone(), before, after });
        }
        let list = List { root: root.to_owned(), files };
        let text = serde_json::to_vec(&list).map_err(io::Error::other)?;
        // The last, since it is what counts.
        atomic_write_private(folder.join(LIST), &text).map_err(io::Error::other)?;
        Ok(Entry { folder, list, _held: held })
    }

    /// Puts back what a program left half done.
    pub fn recover(&self) -> Vec<Recovered> {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut found = Vec::new();
        for folder in folders.map(|entry| entry.path()) {
            let Ok(Some(held)) = hold(&folder) else { continue };
            let list = fs::read(folder.join(LIST)).ok();
            let list: Option<List> = list.and_then(|text| serde_json::from_slice(&text).ok());
            let Some(list) = list else {
                // It ended before anything was changed.
                remove(&folder);
                continue;
            };
            let entry = Entry { folder, list, _held: held };
            let Ok(root) = RootDir::open(&entry.list.root) else { continue };
            let files: Vec<WorkspacePath> = entry.list.files.iter().map(|noted| noted.path.clone()).collect();
            let left = entry.put_back(&root);
            found.push(Recovered { root: root.path().to_owned(), files, left });
        }
        found
    }
}

/// Holds a journal for as long as the file is open. Nothing where somebody else does.
fn hold(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(HELD);
    if !path.exists() {
        atomic_write_private(&path, b"").map_err(io::Error::other)?;
    }
    let file = File::open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

/// Takes away something of a journal. What stays is found the next time.
fn remove(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    let _ = RootDir::open(folder).map(|folder| folder.remove(name));
}

/// Something that is landing.
#[derive(Debug)]
pub(crate) struct Entry {
    folder: PathBuf,
    list: List,
    _held: File,
}

impl Entry {
    /// Puts every file back as it was, but for those that are neither as they were nor as they should become: they are
    /// somebody else's, and named.
    pub fn put_back(self, root: &RootDir) -> Vec<WorkspacePath> {
        let mut left = Vec::new();
        for Noted { path, before, after } in &self.list.files {
            let kept = |name: &Option<String>| match name {
                Some(name) => fs::read(self.folder.join(name)).map(Some),
                None => Ok(None),
            };
            let (Ok(before), Ok(after), Ok(now)) = (kept(before), kept(after), on_disk(root, path)) else {
                left.push(path.clone());
                continue;
            };
            let is_ours = now == after || now == before;
            if now != before && (!is_ours || put(root, path, before.as_deref()).is_err()) {
                left.push(path.clone());
            }
        }
        self.end();
        left
    }

    /// All of it is done: nothing is to be put back any more.
    pub fn end(self) {
        // First what counts: the rest may be left without harm.
        remove(&self.folder.join(LIST));
        remove(&self.folder);
    }
}
