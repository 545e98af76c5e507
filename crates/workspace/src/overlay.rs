//! Changes that lie over the files of the workspace until somebody says that they shall land.

use std::collections::BTreeMap;
use std::sync::Arc;

use host::{EntryKind, RootDir, RootError};
use thiserror::Error;

use crate::journal::Journal;
use crate::path::WorkspacePath;

/// A longer file is nothing that anybody edits by hand.
pub const MOST_BYTES: u64 = 16 << 20;

/// What a file was, and what it shall be; nothing stands for a file that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
pub struct Overlay {
    root: Arc<RootDir>,
    changes: BTreeMap<WorkspacePath, Change>,
}

#[derive(Debug, Error)]
pub enum OverlayError {
    #[error("there is no file {0}")]
    Missing(WorkspacePath),
    #[error("{0} is there already")]
    Taken(WorkspacePath),
    #[error("{0} is no file")]
    NotAFile(WorkspacePath),
    #[error(transparent)]
    Root(#[from] RootError),
}

/// Files that somebody else has changed since they were read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{} changed since it was read. Nothing was written", names(.0))]
pub struct Stale(pub Vec<WorkspacePath>);

#[derive(Debug, Error)]
pub enum LandError {
    #[error(transparent)]
    Stale(#[from] Stale),
    #[error("{0}. Nothing is changed")]
    Failed(String),
    /// Something else has come between.
    #[error("{error}, and {} could not be put back as they were: {}", left.len(), names(left))]
    Torn { error: String, left: Vec<WorkspacePath> },
}

fn names(paths: &[WorkspacePath]) -> String {
    paths.iter().map(WorkspacePath::as_str).collect::<Vec<_>>().join(", ")
}

impl Overlay {
    pub fn new(root: Arc<RootDir>) -> Self {
        Self { root, changes: BTreeMap::new() }
    }

    pub fn changes(&self) -> &BTreeMap<WorkspacePath, Change> {
        &self.changes
    }

    /// A file as it is with all changes; nothing where there is none.
    pub fn read(&self, path: &WorkspacePath) -> Result<Option<Vec<u8>>, OverlayError> {
        match self.changes.get(path) {
            Some(change) => Ok(change.after.clone()),
            None => on_disk(&self.root, path),
        }
    }

    /// Gives a file these bytes, whether it is there or not.
    pub fn write(&mut self, path: &WorkspacePath, bytes: Vec<u8>) -> Result<(), OverlayError> {
        self.change(path, Some(bytes))
    }

    pub fn create(&mut self, path: &WorkspacePath, bytes: Vec<u8>) -> Result<(), OverlayError> {
        if self.read(path)?.is_some() {
            return Err(OverlayError::Taken(path.clone()));
        }
        self.change(path, Some(bytes))
    }

    pub fn delete(&mut self, path: &WorkspacePath) -> Result<(), OverlayError> {
        if self.read(path)?.is_none() {
            return Err(OverlayError::Missing(path.clone()));
        }
        self.change(path, None)
    }

    pub fn rename(&mut self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), OverlayError> {
        let bytes = self.read(from)?.ok_or_else(|| OverlayError::Missing(from.clone()))?;
        self.create(to, bytes)?;
        self.change(from, None)
    }

    fn change(&mut self, path: &WorkspacePath, after: Option<Vec<u8>>) -> Result<(), OverlayError> {
        let before = match self.changes.remove(path) {
            Some(change) => change.before,
            None => on_disk(&self.root, path)?,
        };
        // What is again as it was is no change.
        if before != after {
            self.changes.insert(path.clone(), Change { before, after });
        }
        Ok(())
    }

    /// Writes all changes to the disk, or none of them. Where the program ends in the midst, the journal puts them back.
    pub fn land(&self, journal: &Journal) -> Result<(), LandError> {
        let stale: Vec<WorkspacePath> = self
            .changes
            .iter()
            .filter(|(path, change)| on_disk(&self.root, path).ok().as_ref() != Some(&change.before))
            .map(|(path, _)| path.clone())
            .collect();
        if !stale.is_empty() {
            return Err(Stale(stale).into());
        }
        let entry = journal
            .begin(self.root.path(), &self.changes)
            .map_err(|error| LandError::Failed(error.to_string()))?;
        for (path, change) in &self.changes {
            if let Err(error) = put(&self.root, path, change.after.as_deref()) {
                let left = entry.put_back(&self.root);
                let error = error.to_string();
                return Err(if left.is_empty() {
                    LandError::Failed(error)
                } else {
                    LandError::Torn { error, left }
                });
            }
        }
        entry.end();
        Ok(())
    }
}

/// A file as the disk has it.
pub fn on_disk(root: &RootDir, path: &WorkspacePath) -> Result<Option<Vec<u8>>, OverlayError> {
    match root.metadata(path)? {
        None => Ok(None),
        Some(info) if info.kind == EntryKind::Folder => Err(OverlayError::NotAFile(path.clone())),
        Some(_) => Ok(Some(root.read(path, MOST_BYTES)?)),
    }
}

/// Gives a file these bytes on the disk, or takes it away.
pub fn put(root: &RootDir, path: &WorkspacePath, bytes: Option<&[u8]>) -> Result<(), RootError> {
    match bytes {
        Some(bytes) => {
            if let Some(folder) = path.folder() {
                root.create_dirs(folder)?;
            }
            root.write(path, bytes)
        }
        None => root.remove(path),
    }
}

#[cfg(test)]
#[path = "overlay_tests.rs"]
mod tests;
