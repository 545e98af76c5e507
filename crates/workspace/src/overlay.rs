//! Changes above the files of the workspace that are not written to disk until they are applied.

use std::collections::BTreeMap;
use std::sync::Arc;

use host::{RootDir, RootError};
use thiserror::Error;

use crate::journal::Journal;
use crate::landing::{LandError, Landing, bytes, on_disk};
use crate::path::WorkspacePath;

/// The maximum size of an editable file in bytes.
pub const MOST_BYTES: u64 = 16 << 20;

/// The old and new content of a file; `None` means that the file does not exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
    /// The permissions as the nine Unix mode bits. `None` if the file does not exist, gets the default mode of new
    /// files, or the system has no modes.
    pub before_mode: Option<u32>,
    pub after_mode: Option<u32>,
}

impl Change {
    /// Returns true if nothing changes.
    pub fn is_none(&self) -> bool {
        self.before == self.after && self.before_mode == self.after_mode
    }
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
    #[error("{0} is not a file")]
    NotAFile(WorkspacePath),
    #[error("{0} is a link. Name the file that it leads to")]
    Link(WorkspacePath),
    #[error("{0} would have more than 16 MB. Write less into it")]
    TooLarge(WorkspacePath),
    #[error("{0} has more than 16 MB, so it is left alone")]
    Huge(WorkspacePath),
    #[error(transparent)]
    Root(#[from] RootError),
}

impl Overlay {
    pub fn new(root: Arc<RootDir>) -> Self {
        Self { root, changes: BTreeMap::new() }
    }

    pub fn root(&self) -> &Arc<RootDir> {
        &self.root
    }

    pub fn changes(&self) -> &BTreeMap<WorkspacePath, Change> {
        &self.changes
    }

    /// Returns the content of a file with all changes, or `None` if it does not exist.
    pub fn read(&self, path: &WorkspacePath) -> Result<Option<Vec<u8>>, OverlayError> {
        match self.changes.get(path) {
            Some(change) => Ok(change.after.clone()),
            None => match on_disk(&self.root, path) {
                // Reading the target of a link is harmless.
                Err(OverlayError::Link(_)) => Ok(Some(bytes(&self.root, path)?)),
                found => Ok(found?.map(|found| found.bytes)),
            },
        }
    }

    /// Sets the content of a file, whether it exists or not.
    pub fn write(&mut self, path: &WorkspacePath, bytes: Vec<u8>) -> Result<(), OverlayError> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(OverlayError::TooLarge(path.clone()));
        }
        self.change(path, |change| {
            change.after_mode = change.after_mode.or(change.before_mode);
            change.after = Some(bytes);
        })
    }

    pub fn create(&mut self, path: &WorkspacePath, bytes: Vec<u8>) -> Result<(), OverlayError> {
        if self.read(path)?.is_some() {
            return Err(OverlayError::Taken(path.clone()));
        }
        self.write(path, bytes)
    }

    pub fn delete(&mut self, path: &WorkspacePath) -> Result<(), OverlayError> {
        if self.read(path)?.is_none() {
            return Err(OverlayError::Missing(path.clone()));
        }
        self.change(path, |change| (change.after, change.after_mode) = (None, None))
    }

    pub fn rename(&mut self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), OverlayError> {
        let bytes = self.read(from)?.ok_or_else(|| OverlayError::Missing(from.clone()))?;
        let mode = match self.changes.get(from) {
            Some(change) => change.after_mode,
            None => on_disk(&self.root, from)?.and_then(|found| found.mode),
        };
        self.create(to, bytes)?;
        self.change(to, |change| change.after_mode = mode)?;
        self.delete(from)
    }

    /// Sets or clears the executable bits of a file.
    pub fn set_executable(&mut self, path: &WorkspacePath, executable: bool) -> Result<(), OverlayError> {
        if self.read(path)?.is_none() {
            return Err(OverlayError::Missing(path.clone()));
        }
        self.change(path, |change| {
            let mode = change.after_mode.unwrap_or(0o644);
            // Those who may read the file may run it.
            change.after_mode = Some(if executable { mode | (mode & 0o444) >> 2 } else { mode & !0o111 });
        })
    }

    fn change(&mut self, path: &WorkspacePath, how: impl FnOnce(&mut Change)) -> Result<(), OverlayError> {
        let mut change = match self.changes.remove(path) {
            Some(change) => change,
            None => on_disk(&self.root, path)?.map_or_else(Change::default, |found| Change {
                before: Some(found.bytes.clone()),
                after: Some(found.bytes),
                before_mode: found.mode,
                after_mode: found.mode,
            }),
        };
        how(&mut change);
        // A change back to the original state is dropped.
        if !change.is_none() {
            self.changes.insert(path.clone(), change);
        }
        Ok(())
    }

    /// Writes all changes to disk, or none of them. After a crash in between, the journal rolls them back.
    pub fn land(&self, journal: &Journal) -> Result<(), LandError> {
        let _alone = journal.alone().map_err(|error| LandError::Failed(error.to_string()))?;
        let landing = Landing { root: &self.root, changes: &self.changes, leave: &[], mark: None };
        landing.land(journal)?.keep();
        Ok(())
    }
}

#[cfg(test)]
#[path = "overlay_tests.rs"]
mod tests;
