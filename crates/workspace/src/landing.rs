//! Writes changes to disk: either all of them or none.

use std::collections::BTreeMap;

use host::{EntryKind, RootDir, RootError};
use thiserror::Error;

use crate::journal::{Entry, Journal};
use crate::overlay::{Change, MOST_BYTES, OverlayError};
use crate::path::WorkspacePath;
use crate::steps::step;

/// The files that were changed by others since they were read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{} changed since it was read. Nothing was written", names(.0))]
pub struct Stale(pub Vec<WorkspacePath>);

#[derive(Debug, Error)]
pub enum LandError {
    #[error(transparent)]
    Stale(#[from] Stale),
    #[error("{0}. Nothing is changed")]
    Failed(String),
    /// Writing failed, and some files could not be restored.
    #[error("{error}, and {} could not be put back as they were: {}", left.len(), names(left))]
    Torn { error: String, left: Vec<WorkspacePath> },
}

pub(crate) fn names(paths: &[WorkspacePath]) -> String {
    paths.iter().map(WorkspacePath::as_str).collect::<Vec<_>>().join(", ")
}

/// A file on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub bytes: Vec<u8>,
    pub mode: Option<u32>,
}

/// Reads a file from disk. A link is not accepted, because writing would replace it.
pub(crate) fn on_disk(root: &RootDir, path: &WorkspacePath) -> Result<Option<Found>, OverlayError> {
    let Some(info) = root.metadata(path)? else { return Ok(None) };
    match info.kind {
        EntryKind::File => Ok(Some(Found { bytes: bytes(root, path)?, mode: info.mode })),
        EntryKind::Link => Err(OverlayError::Link(path.clone())),
        EntryKind::Folder | EntryKind::Other => Err(OverlayError::NotAFile(path.clone())),
    }
}

/// Returns the content of a file unless it is too large to be edited.
pub(crate) fn bytes(root: &RootDir, path: &WorkspacePath) -> Result<Vec<u8>, OverlayError> {
    root.read(path, MOST_BYTES).map_err(|error| match error {
        RootError::TooLarge { .. } => OverlayError::Huge(path.clone()),
        other => other.into(),
    })
}

/// Writes a file, or deletes it if there are no bytes. Without a mode the file keeps its own.
pub(crate) fn put(
    root: &RootDir,
    path: &WorkspacePath,
    bytes: Option<&[u8]>,
    mode: Option<u32>,
) -> Result<(), RootError> {
    let Some(bytes) = bytes else { return root.remove(path) };
    if let Some(folder) = path.folder() {
        root.create_dirs(folder)?;
    }
    match mode {
        Some(mode) => root.write_as(path, bytes, mode),
        None => root.write(path, bytes),
    }
}

/// A set of changes to write.
pub(crate) struct Landing<'a> {
    pub root: &'a RootDir,
    pub changes: &'a BTreeMap<WorkspacePath, Change>,
    /// The folders to remove afterwards if they are empty, parents first.
    pub leave: &'a [String],
    /// Identifies the record that decides whether the changes are final, if the journal alone does not.
    pub mark: Option<&'a str>,
}

/// Changes that are written but not yet final.
pub(crate) struct Landed {
    entry: Entry,
}

impl Landing<'_> {
    pub fn land(&self, journal: &Journal) -> Result<Landed, LandError> {
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
            .map_err(|error| LandError::Failed(error.to_string()))?;
        step("noted");
        for (path, change) in self.changes {
            let Err(error) = self.put(path, change) else {
                step("put");
                continue;
            };
            let mut left = entry.put_back(self.root);
            if matches!(error, LandError::Stale(_)) {
                // This file was not written.
                left.retain(|other| other != path);
            }
            return Err(if left.is_empty() {
                error
            } else {
                LandError::Torn { error: error.to_string(), left }
            });
        }
        for folder in self.leave.iter().rev() {
            // An empty folder that remains is harmless.
            let _ = self.root.remove_if_empty(folder);
        }
        step("landed");
        Ok(Landed { entry })
    }

    fn put(&self, path: &WorkspacePath, change: &Change) -> Result<(), LandError> {
        // The user may have saved the file while the others were written.
        if self.is_stale(path, change) {
            return Err(Stale(vec![path.clone()]).into());
        }
        let Change { before, after, before_mode, after_mode } = change;
        // The mode is set only for new files and if the change includes it.
        let mode = after_mode.filter(|_| before.is_none() || before_mode != after_mode);
        put(self.root, path, after.as_deref(), mode).map_err(|error| LandError::Failed(error.to_string()))
    }

    fn is_stale(&self, path: &WorkspacePath, change: &Change) -> bool {
        let now = on_disk(self.root, path).map(|found| found.map(|found| found.bytes));
        now.ok().as_ref() != Some(&change.before)
    }
}

impl Landed {
    /// Returns the created folders, parents first.
    pub fn folders(&self) -> &[String] {
        self.entry.folders()
    }

    /// Makes the changes final.
    pub fn keep(self) {
        self.entry.end();
    }

    /// Rolls the changes back, except for files changed by others since. Returns those.
    pub fn put_back(self, root: &RootDir) -> Vec<WorkspacePath> {
        self.entry.put_back(root)
    }
}
