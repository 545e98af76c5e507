//! Changes above the files of the workspace that are not written to disk until they are applied.

use std::collections::BTreeMap;
use std::sync::Arc;

use host::RootDir;

use crate::change::{MOST_BYTES, OverlayError, PendingChange};
use crate::disk::{read_bytes, read_from_disk};
use crate::journal::WriteJournal;
use crate::path::WorkspacePath;
use crate::write_batch::{WriteBatch, WriteBatchError};

/// The files of a workspace with changes above them. Nothing is written before [`Overlay::write_to_disk`].
#[derive(Debug, Clone)]
pub struct Overlay {
    root: Arc<RootDir>,
    changes: BTreeMap<WorkspacePath, PendingChange>,
}

impl Overlay {
    pub fn new(root: Arc<RootDir>) -> Self {
        Self { root, changes: BTreeMap::new() }
    }

    pub fn root(&self) -> &Arc<RootDir> {
        &self.root
    }

    pub fn changes(&self) -> &BTreeMap<WorkspacePath, PendingChange> {
        &self.changes
    }

    /// Returns the content of a file with all changes, or `None` if it does not exist.
    pub fn read(&self, path: &WorkspacePath) -> Result<Option<Vec<u8>>, OverlayError> {
        match self.changes.get(path) {
            Some(change) => Ok(change.after.clone()),
            None => match read_from_disk(&self.root, path) {
                // Reading the target of a link is harmless.
                Err(OverlayError::Link(_)) => Ok(Some(read_bytes(&self.root, path)?)),
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
            None => read_from_disk(&self.root, from)?.and_then(|found| found.mode),
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

    fn change(
        &mut self,
        path: &WorkspacePath,
        edit: impl FnOnce(&mut PendingChange),
    ) -> Result<(), OverlayError> {
        let mut change = match self.changes.remove(path) {
            Some(change) => change,
            None => {
                read_from_disk(&self.root, path)?.map_or_else(PendingChange::default, |found| PendingChange {
                    before: Some(found.bytes.clone()),
                    after: Some(found.bytes),
                    before_mode: found.mode,
                    after_mode: found.mode,
                })
            }
        };
        edit(&mut change);
        // A change back to the original state is dropped.
        if !change.is_empty() {
            self.changes.insert(path.clone(), change);
        }
        Ok(())
    }

    /// Writes all changes to disk, or none of them. After a crash in between, the journal rolls them back.
    pub fn write_to_disk(&self, journal: &WriteJournal) -> Result<(), WriteBatchError> {
        let _lock = journal.lock().map_err(|error| WriteBatchError::Failed(error.to_string()))?;
        let batch = WriteBatch { root: &self.root, changes: &self.changes, emptied: &[], mark: None };
        batch.write(journal)?.commit();
        Ok(())
    }
}

#[cfg(test)]
#[path = "overlay_tests.rs"]
mod tests;
