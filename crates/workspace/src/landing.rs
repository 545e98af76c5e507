//! The way of changes to the disk: all of them, or none.

use std::collections::BTreeMap;

use host::{EntryKind, RootDir, RootError};
use thiserror::Error;

use crate::journal::{Entry, Journal};
use crate::overlay::{Change, MOST_BYTES, OverlayError};
use crate::path::WorkspacePath;
use crate::steps::step;

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

pub(crate) fn names(paths: &[WorkspacePath]) -> String {
    paths.iter().map(WorkspacePath::as_str).collect::<Vec<_>>().join(", ")
}

/// A file as the disk has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub bytes: Vec<u8>,
    pub mode: Option<u32>,
}

/// A file as the disk has it; a link is none, since writing would take its place.
pub(crate) fn on_disk(root: &RootDir, path: &WorkspacePath) -> Result<Option<Found>, OverlayError> {
    let Some(info) = root.metadata(path)? else { return Ok(None) };
    match info.kind {
        EntryKind::File => Ok(Some(Found { bytes: bytes(root, path)?, mode: info.mode })),
        EntryKind::Link => Err(OverlayError::Link(path.clone())),
        EntryKind::Folder | EntryKind::Other => Err(OverlayError::NotAFile(path.clone())),
    }
}

/// What is in a file, unless it is too long for anybody to edit.
pub(crate) fn bytes(root: &RootDir, path: &WorkspacePath) -> Result<Vec<u8>, OverlayError> {
    root.read(path, MOST_BYTES).map_err(|error| match error {
        RootError::TooLarge { .. } => OverlayError::Huge(path.clone()),
        other => other.into(),
    })
}

/// Gives a file these bytes on the disk, or takes it away. Without a mode it keeps what it has.
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

/// Changes that shall land.
pub(crate) struct Landing<'a> {
    pub root: &'a RootDir,
    pub changes: &'a BTreeMap<WorkspacePath, Change>,
    /// Folders that go afterwards where nothing is in them any more; those above come first.
    pub leave: &'a [String],
    /// By whom it is known whether this counts, where the journal alone does not say it.
    pub mark: Option<&'a str>,
}

/// All of it is on the disk, and nothing says yet that it is to stay.
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
                // It was not touched.
                left.retain(|other| other != path);
            }
            return Err(if left.is_empty() {
                error
            } else {
                LandError::Torn { error: error.to_string(), left }
            });
        }
        for folder in self.leave.iter().rev() {
            // One that stays harms nobody.
            let _ = self.root.remove_if_empty(folder);
        }
        step("landed");
        Ok(Landed { entry })
    }

    fn put(&self, path: &WorkspacePath, change: &Change) -> Result<(), LandError> {
        // Somebody may have saved it while the others were written.
        if self.is_stale(path, change) {
            return Err(Stale(vec![path.clone()]).into());
        }
        let Change { before, after, before_mode, after_mode } = change;
        // Who may run a file is changed only where that is meant.
        let mode = after_mode.filter(|_| before.is_none() || before_mode != after_mode);
        put(self.root, path, after.as_deref(), mode).map_err(|error| LandError::Failed(error.to_string()))
    }

    fn is_stale(&self, path: &WorkspacePath, change: &Change) -> bool {
        let now = on_disk(self.root, path).map(|found| found.map(|found| found.bytes));
        now.ok().as_ref() != Some(&change.before)
    }
}

impl Landed {
    /// Folders that were made for it; those above come first.
    pub fn folders(&self) -> &[String] {
        self.entry.folders()
    }

    /// It stays.
    pub fn keep(self) {
        self.entry.end();
    }

    /// It is put back, but for what somebody has changed since.
    pub fn put_back(self, root: &RootDir) -> Vec<WorkspacePath> {
        self.entry.put_back(root)
    }
}
