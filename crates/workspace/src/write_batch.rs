//! Writes changes to disk: either all of them or none. The journal has the previous contents until the changes are final.

use std::collections::BTreeMap;

use host::RootDir;
use thiserror::Error;

use crate::change::PendingChange;
use crate::crash_points::crash_point;
use crate::disk::{read_from_disk, write_file};
use crate::journal::{JournalEntry, WriteJournal};
use crate::path::WorkspacePath;

/// The files that were changed by others since they were read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{} changed since it was read. Nothing was written", names(.0))]
pub struct Stale(pub Vec<WorkspacePath>);

#[derive(Debug, Error)]
pub enum WriteBatchError {
    #[error(transparent)]
    Stale(#[from] Stale),
    #[error("{0}. Nothing was changed")]
    Failed(String),
    /// Writing failed, and some files could not be restored.
    #[error("{error}, and {} files could not be restored: {}", left.len(), names(left))]
    NotRestored { error: String, left: Vec<WorkspacePath> },
}

pub(crate) fn names(paths: &[WorkspacePath]) -> String {
    paths.iter().map(WorkspacePath::as_str).collect::<Vec<_>>().join(", ")
}

/// A set of changes that are written together.
pub(crate) struct WriteBatch<'a> {
    pub root: &'a RootDir,
    pub changes: &'a BTreeMap<WorkspacePath, PendingChange>,
    /// The folders that the changes may leave empty, parents first. Those are removed afterwards.
    pub emptied: &'a [String],
    /// Identifies the record that decides whether the changes are final, if the journal alone does not.
    pub mark: Option<&'a str>,
}

/// Changes that are written but not yet final.
pub(crate) struct WrittenBatch {
    entry: JournalEntry,
}

impl WriteBatch<'_> {
    /// Writes all changes, or restores the files if one of them cannot be written.
    pub fn write(&self, journal: &WriteJournal) -> Result<WrittenBatch, WriteBatchError> {
        let stale: Vec<WorkspacePath> = self
            .changes
            .iter()
            .filter(|(path, change)| self.is_stale(path, change))
            .map(|(path, _)| path.clone())
            .collect();
        if !stale.is_empty() {
            return Err(Stale(stale).into());
        }
        let entry = journal
            .begin(self.root, self.changes, self.mark)
            .map_err(|error| WriteBatchError::Failed(error.to_string()))?;
        crash_point("recorded");
        for (path, change) in self.changes {
            let Err(error) = self.write_change(path, change) else {
                crash_point("file written");
                continue;
            };
            let mut left = entry.roll_back(self.root);
            if matches!(error, WriteBatchError::Stale(_)) {
                // This file was not written.
                left.retain(|other| other != path);
            }
            return Err(if left.is_empty() {
                error
            } else {
                WriteBatchError::NotRestored { error: error.to_string(), left }
            });
        }
        for folder in self.emptied.iter().rev() {
            // An empty folder that remains is harmless.
            let _ = self.root.remove_if_empty(folder);
        }
        crash_point("all written");
        Ok(WrittenBatch { entry })
    }

    fn write_change(&self, path: &WorkspacePath, change: &PendingChange) -> Result<(), WriteBatchError> {
        // The user may have saved the file while the others were written.
        if self.is_stale(path, change) {
            return Err(Stale(vec![path.clone()]).into());
        }
        let PendingChange { before, after, before_mode, after_mode } = change;
        // The mode is set only for new files and if the change includes it.
        let mode = after_mode.filter(|_| before.is_none() || before_mode != after_mode);
        write_file(self.root, path, after.as_deref(), mode)
            .map_err(|error| WriteBatchError::Failed(error.to_string()))
    }

    fn is_stale(&self, path: &WorkspacePath, change: &PendingChange) -> bool {
        let now = read_from_disk(self.root, path).map(|found| found.map(|found| found.bytes));
        now.ok().as_ref() != Some(&change.before)
    }
}

impl WrittenBatch {
    /// Returns the created folders, parents first.
    pub fn folders(&self) -> &[String] {
        self.entry.folders()
    }

    /// Makes the changes final.
    pub fn commit(self) {
        self.entry.remove();
    }

    /// Rolls the changes back, except for files changed by others since. Returns those.
    pub fn roll_back(self, root: &RootDir) -> Vec<WorkspacePath> {
        self.entry.roll_back(root)
    }
}
