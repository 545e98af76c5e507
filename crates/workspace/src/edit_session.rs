//! The state of one run in a workspace: its access, its changes, and the record of its edits.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edits::{Closest, Edit, EditRefusal, Receipt, Strategy, TextError, TextFile};
use thiserror::Error;

use crate::change::OverlayError;
use crate::overlay::Overlay;
use crate::patching::{PatchedFile, PatchingError, apply_patch};
use crate::path::{PathError, WorkspacePath};
use crate::workspace::{Workspace, WorkspaceError};

/// The number of refusals in a row after which the model is told to write the whole file instead.
const ENOUGH_REFUSALS: u32 = 2;

/// Permission to change files in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditAccess {
    /// Nothing can be changed, not even in the overlay.
    Read,
    Change,
}

/// The format in which a change was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EditFormat {
    /// A quoted text and its replacement.
    Quote,
    /// The new parts, with markers for the unchanged ones.
    Elided,
    Patch,
    /// The whole file.
    Whole,
}

impl EditFormat {
    pub const ALL: [Self; 4] = [Self::Quote, Self::Elided, Self::Patch, Self::Whole];

    pub fn name(self) -> &'static str {
        match self {
            Self::Quote => "quote",
            Self::Elided => "elided",
            Self::Patch => "patch",
            Self::Whole => "whole",
        }
    }
}

/// A recorded edit.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedEdit {
    pub tool: &'static str,
    pub path: Option<WorkspacePath>,
    pub ok: bool,
    pub receipts: Vec<Receipt>,
}

impl RecordedEdit {
    pub fn strategy(&self) -> Option<Strategy> {
        // The least certain strategy counts.
        self.receipts
            .iter()
            .map(|receipt| receipt.strategy)
            .max_by(|one, other| other.confidence().total_cmp(&one.confidence()))
    }
}

#[derive(Debug, Default)]
struct Record {
    edits: Vec<RecordedEdit>,
    refused: HashMap<WorkspacePath, u32>,
    formats: BTreeMap<EditFormat, FormatTries>,
}

/// The number of tries in a format, and how many of them were refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FormatTries {
    pub made: u32,
    pub refused: u32,
}

/// The changes of one run, above the files of a workspace, with a record of its edits.
#[derive(Debug)]
pub struct EditSession {
    workspace: Workspace,
    overlay: Mutex<Overlay>,
    access: EditAccess,
    record: Mutex<Record>,
}

#[derive(Debug, Error)]
pub enum EditSessionError {
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error(transparent)]
    Overlay(#[from] OverlayError),
    #[error("{path}: {error}")]
    Text { path: WorkspacePath, error: TextError },
    #[error("{}", refused(path, *number, refusal, *again))]
    Refused { path: WorkspacePath, number: Option<usize>, refusal: Box<EditRefusal>, again: bool },
    #[error("{path} is as that already: nothing to change")]
    NoChange { path: WorkspacePath },
    #[error(transparent)]
    Patch(#[from] PatchingError),
}

/// Explains why an edit was refused and which lines to quote instead.
fn refused(path: &WorkspacePath, number: Option<usize>, refusal: &EditRefusal, again: bool) -> String {
    let which = number.map_or_else(String::new, |number| format!(" (edit {})", number + 1));
    let mut text = format!("{path}{which}: {}. The file is unchanged.", refusal.why);
    if let Some(closest) = &refusal.closest {
        let Closest { first_line, last_line, text: lines, difference } = closest;
        // Writing to a string cannot fail.
        let _ = write!(text, "\nThe closest lines are {first_line} to {last_line}:\n{lines}");
        if !difference.is_empty() {
            let _ = writeln!(text, "Your quote (-) beside the file (+):\n{difference}");
        }
    }
    if again {
        text.push_str(
            "\nQuoting this file has failed twice. Read it with read_file, and give the whole of it with write_file.",
        );
    }
    text
}

impl EditSession {
    pub fn new(workspace: Workspace, access: EditAccess) -> Self {
        let overlay = Mutex::new(Overlay::new(Arc::clone(workspace.root())));
        Self { workspace, overlay, access, record: Mutex::default() }
    }

    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    pub fn access(&self) -> EditAccess {
        self.access
    }

    /// Returns a copy of the changes so far.
    pub fn overlay(&self) -> Overlay {
        self.lock_overlay().clone()
    }

    /// Replaces the changes, for example with the result of a command.
    pub fn replace_overlay(&self, overlay: Overlay) {
        *self.lock_overlay() = overlay;
    }

    fn lock_overlay(&self) -> MutexGuard<'_, Overlay> {
        self.overlay.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the recorded edits, in order.
    pub fn recorded_edits(&self) -> Vec<RecordedEdit> {
        self.lock_record().edits.clone()
    }

    /// Returns the tries and refusals of each format.
    pub fn format_tries(&self) -> BTreeMap<EditFormat, FormatTries> {
        self.lock_record().formats.clone()
    }

    /// Adds an edit to the record.
    pub fn record_edit(&self, edit: RecordedEdit) {
        self.lock_record().edits.push(edit);
    }

    /// Checks that a file may be changed and returns its path.
    pub fn editable(&self, path: &str) -> Result<WorkspacePath, EditSessionError> {
        let path = WorkspacePath::parse(path)?;
        self.check(&path)?;
        Ok(path)
    }

    /// Returns an error if the file may not be changed.
    fn check(&self, path: &WorkspacePath) -> Result<(), WorkspaceError> {
        if self.workspace.is_ignored(path) {
            return Err(WorkspaceError::Ignored(path.clone()));
        }
        self.workspace.is_edit_allowed(path)
    }

    /// Checks that a file may be read and returns its path.
    pub fn readable(&self, path: &str) -> Result<WorkspacePath, EditSessionError> {
        let path = WorkspacePath::parse(path)?;
        if self.workspace.is_ignored(&path) {
            return Err(WorkspaceError::Ignored(path).into());
        }
        Ok(path)
    }

    /// Replaces quoted texts in a file: applies all edits, or none.
    pub fn edit(
        &self,
        path: &str,
        edits: &[Edit],
    ) -> Result<(WorkspacePath, Vec<Receipt>), EditSessionError> {
        let path = self.editable(path)?;
        let receipts = self.rewrite(&path, EditFormat::Quote, |text| {
            edits::apply_all(text, edits)
                .map_err(|(number, refusal)| ((edits.len() > 1).then_some(number), refusal))
        })?;
        Ok((path, receipts))
    }

    /// Writes an update in which lines such as `… existing code …` stand for unchanged parts.
    pub fn edit_elided(
        &self,
        path: &str,
        update: &str,
    ) -> Result<(WorkspacePath, Vec<Receipt>), EditSessionError> {
        let path = self.editable(path)?;
        let receipts = self.rewrite(&path, EditFormat::Elided, |text| {
            edits::apply_elided(text, update)
                .map(|applied| (applied.content, vec![applied.receipt]))
                .map_err(|refusal| (None, refusal))
        })?;
        Ok((path, receipts))
    }

    fn rewrite(
        &self,
        path: &WorkspacePath,
        format: EditFormat,
        change: impl FnOnce(&str) -> Result<(String, Vec<Receipt>), (Option<usize>, EditRefusal)>,
    ) -> Result<Vec<Receipt>, EditSessionError> {
        let mut overlay = self.lock_overlay();
        let bytes = overlay.read(path)?.ok_or_else(|| OverlayError::Missing(path.clone()))?;
        let unreadable = |error| EditSessionError::Text { path: path.clone(), error };
        let file = TextFile::read(&bytes).map_err(unreadable)?;
        match change(&file.text) {
            Ok((text, receipts)) => {
                overlay.write(path, file.write(&text).map_err(unreadable)?)?;
                self.count(path, format, true);
                Ok(receipts)
            }
            Err((number, refusal)) => {
                let again = self.count(path, format, false) >= ENOUGH_REFUSALS;
                Err(EditSessionError::Refused {
                    path: path.clone(),
                    number,
                    refusal: Box::new(refusal),
                    again,
                })
            }
        }
    }

    /// Records the outcome of an edit and returns the number of consecutive refusals for this file.
    fn count(&self, path: &WorkspacePath, format: EditFormat, done: bool) -> u32 {
        let mut record = self.lock_record();
        let tries = record.formats.entry(format).or_default();
        tries.made += 1;
        tries.refused += u32::from(!done);
        let refused = record.refused.entry(path.clone()).or_default();
        *refused = if done { 0 } else { *refused + 1 };
        *refused
    }

    /// Writes a whole file and returns true if it is new. An existing file keeps its encoding and line endings.
    pub fn write(&self, path: &str, text: &str) -> Result<(WorkspacePath, bool), EditSessionError> {
        let path = self.editable(path)?;
        let mut overlay = self.lock_overlay();
        let before = overlay.read(&path)?;
        let bytes = match &before {
            None => text.as_bytes().to_vec(),
            Some(bytes) => encode_like(bytes, text)
                .map_err(|error| EditSessionError::Text { path: path.clone(), error })?,
        };
        if before.as_ref() == Some(&bytes) {
            return Err(EditSessionError::NoChange { path });
        }
        overlay.write(&path, bytes)?;
        self.count(&path, EditFormat::Whole, true);
        Ok((path, before.is_none()))
    }

    pub fn create(&self, path: &str, text: &str) -> Result<WorkspacePath, EditSessionError> {
        let path = self.editable(path)?;
        self.lock_overlay().create(&path, text.as_bytes().to_vec())?;
        Ok(path)
    }

    pub fn delete(&self, path: &str) -> Result<WorkspacePath, EditSessionError> {
        let path = self.editable(path)?;
        self.lock_overlay().delete(&path)?;
        Ok(path)
    }

    pub fn rename(&self, from: &str, to: &str) -> Result<(WorkspacePath, WorkspacePath), EditSessionError> {
        let (from, to) = (self.editable(from)?, self.editable(to)?);
        self.lock_overlay().rename(&from, &to)?;
        Ok((from, to))
    }

    /// Applies a patch completely or not at all.
    pub fn apply_patch(&self, text: &str) -> Result<Vec<PatchedFile>, EditSessionError> {
        let mut current = self.lock_overlay();
        let mut overlay = current.clone();
        let patched = apply_patch(&mut overlay, text, |path| self.check(path));
        let patched = match patched {
            Ok(patched) => patched,
            Err(PatchingError::Workspace(error)) => return Err(error.into()),
            Err(PatchingError::Refused { path, hunk, refusal }) => {
                let again = self.count(&path, EditFormat::Patch, false) >= ENOUGH_REFUSALS;
                return Err(EditSessionError::Refused { path, number: Some(hunk - 1), refusal, again });
            }
            Err(other) => return Err(other.into()),
        };
        for file in &patched {
            self.count(&file.path, EditFormat::Patch, true);
        }
        *current = overlay;
        Ok(patched)
    }
}

/// Encodes a text like the existing file: with its encoding, byte order mark and line endings.
fn encode_like(bytes: &[u8], text: &str) -> Result<Vec<u8>, TextError> {
    // A binary file has no text encoding to keep.
    let Ok(file) = TextFile::read(bytes) else { return Ok(text.as_bytes().to_vec()) };
    let endings = file.text.matches('\n').count();
    let is_windows = endings > 0 && file.text.matches("\r\n").count() * 2 > endings;
    if is_windows && !text.contains("\r\n") {
        file.write(&text.replace('\n', "\r\n"))
    } else {
        file.write(text)
    }
}

#[cfg(test)]
#[path = "edit_session_tests.rs"]
mod tests;
