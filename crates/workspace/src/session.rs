//! The state of one run in a workspace: its access, its changes, and the record of its edits.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edits::{Closest, Edit, Receipt, Refusal, Strategy, TextError, TextFile};
use thiserror::Error;

use crate::overlay::{Overlay, OverlayError};
use crate::patching::{PatchedFile, PatchingError, patch};
use crate::path::{PathError, WorkspacePath};
use crate::root::{Workspace, WorkspaceError};

/// The number of refusals in a row after which the model is told to write the whole file instead.
const ENOUGH_REFUSALS: u32 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing can be changed, not even in the overlay.
    Read,
    Change,
}

/// The format in which a change was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// A quoted text and its replacement.
    Quote,
    /// The new parts, with markers for the unchanged ones.
    Elided,
    Patch,
    /// The whole file.
    Whole,
}

impl Format {
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
pub struct Action {
    pub tool: &'static str,
    pub path: Option<WorkspacePath>,
    pub ok: bool,
    pub receipts: Vec<Receipt>,
}

impl Action {
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
    actions: Vec<Action>,
    refused: HashMap<WorkspacePath, u32>,
    formats: BTreeMap<Format, Tries>,
}

/// The number of tries in a format, and how many of them were refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tries {
    pub made: u32,
    pub refused: u32,
}

#[derive(Debug)]
pub struct Session {
    workspace: Workspace,
    overlay: Mutex<Overlay>,
    access: Access,
    record: Mutex<Record>,
}

#[derive(Debug, Error)]
pub enum EditError {
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error(transparent)]
    Overlay(#[from] OverlayError),
    #[error("{path}: {error}")]
    Text { path: WorkspacePath, error: TextError },
    #[error("{}", refused(path, *number, refusal, *again))]
    Refused { path: WorkspacePath, number: Option<usize>, refusal: Box<Refusal>, again: bool },
    #[error("{path} is as that already: nothing to change")]
    NoChange { path: WorkspacePath },
    #[error(transparent)]
    Patch(#[from] PatchingError),
}

/// Explains why an edit was refused and which lines to quote instead.
fn refused(path: &WorkspacePath, number: Option<usize>, refusal: &Refusal, again: bool) -> String {
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

impl Session {
    pub fn new(workspace: Workspace, access: Access) -> Self {
        let overlay = Mutex::new(Overlay::new(Arc::clone(workspace.root())));
        Self { workspace, overlay, access, record: Mutex::default() }
    }

    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    pub fn access(&self) -> Access {
        self.access
    }

    /// Returns a copy of the changes so far.
    pub fn overlay(&self) -> Overlay {
        self.held().clone()
    }

    /// Replaces the changes, for example with the result of a command.
    pub fn replace_overlay(&self, overlay: Overlay) {
        *self.held() = overlay;
    }

    fn held(&self) -> MutexGuard<'_, Overlay> {
        self.overlay.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn actions(&self) -> Vec<Action> {
        self.record().actions.clone()
    }

    /// Returns the tries and refusals of each format.
    pub fn tries(&self) -> BTreeMap<Format, Tries> {
        self.record().formats.clone()
    }

    pub fn note(&self, action: Action) {
        self.record().actions.push(action);
    }

    /// Checks that a file may be changed and returns its path.
    pub fn editable(&self, path: &str) -> Result<WorkspacePath, EditError> {
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
    pub fn readable(&self, path: &str) -> Result<WorkspacePath, EditError> {
        let path = WorkspacePath::parse(path)?;
        if self.workspace.is_ignored(&path) {
            return Err(WorkspaceError::Ignored(path).into());
        }
        Ok(path)
    }

    /// Replaces quoted texts in a file: applies all edits, or none.
    pub fn edit(&self, path: &str, edits: &[Edit]) -> Result<(WorkspacePath, Vec<Receipt>), EditError> {
        let path = self.editable(path)?;
        let receipts = self.rewrite(&path, Format::Quote, |text| {
            edits::apply_all(text, edits)
                .map_err(|(number, refusal)| ((edits.len() > 1).then_some(number), refusal))
        })?;
        Ok((path, receipts))
    }

    /// Writes an update in which lines such as `… existing code …` stand for unchanged parts.
    pub fn fill(&self, path: &str, update: &str) -> Result<(WorkspacePath, Vec<Receipt>), EditError> {
        let path = self.editable(path)?;
        let receipts = self.rewrite(&path, Format::Elided, |text| {
            edits::fill(text, update)
                .map(|applied| (applied.content, vec![applied.receipt]))
                .map_err(|refusal| (None, refusal))
        })?;
        Ok((path, receipts))
    }

    fn rewrite(
        &self,
        path: &WorkspacePath,
        format: Format,
        change: impl FnOnce(&str) -> Result<(String, Vec<Receipt>), (Option<usize>, Refusal)>,
    ) -> Result<Vec<Receipt>, EditError> {
        let mut overlay = self.held();
        let bytes = overlay.read(path)?.ok_or_else(|| OverlayError::Missing(path.clone()))?;
        let unreadable = |error| EditError::Text { path: path.clone(), error };
        let file = TextFile::read(&bytes).map_err(unreadable)?;
        match change(&file.text) {
            Ok((text, receipts)) => {
                overlay.write(path, file.write(&text).map_err(unreadable)?)?;
                self.count(path, format, true);
                Ok(receipts)
            }
            Err((number, refusal)) => {
                let again = self.count(path, format, false) >= ENOUGH_REFUSALS;
                Err(EditError::Refused { path: path.clone(), number, refusal: Box::new(refusal), again })
            }
        }
    }

    /// Records the outcome of an edit and returns the number of consecutive refusals for this file.
    fn count(&self, path: &WorkspacePath, format: Format, done: bool) -> u32 {
        let mut record = self.record();
        let tries = record.formats.entry(format).or_default();
        tries.made += 1;
        tries.refused += u32::from(!done);
        let refused = record.refused.entry(path.clone()).or_default();
        *refused = if done { 0 } else { *refused + 1 };
        *refused
    }

    /// Writes a whole file and returns true if it is new. An existing file keeps its encoding and line endings.
    pub fn write(&self, path: &str, text: &str) -> Result<(WorkspacePath, bool), EditError> {
        let path = self.editable(path)?;
        let mut overlay = self.held();
        let before = overlay.read(&path)?;
        let bytes = match &before {
            None => text.as_bytes().to_vec(),
            Some(bytes) => {
                in_its_way(bytes, text).map_err(|error| EditError::Text { path: path.clone(), error })?
            }
        };
        if before.as_ref() == Some(&bytes) {
            return Err(EditError::NoChange { path });
        }
        overlay.write(&path, bytes)?;
        self.count(&path, Format::Whole, true);
        Ok((path, before.is_none()))
    }

    pub fn create(&self, path: &str, text: &str) -> Result<WorkspacePath, EditError> {
        let path = self.editable(path)?;
        self.held().create(&path, text.as_bytes().to_vec())?;
        Ok(path)
    }

    pub fn delete(&self, path: &str) -> Result<WorkspacePath, EditError> {
        let path = self.editable(path)?;
        self.held().delete(&path)?;
        Ok(path)
    }

    pub fn rename(&self, from: &str, to: &str) -> Result<(WorkspacePath, WorkspacePath), EditError> {
        let (from, to) = (self.editable(from)?, self.editable(to)?);
        self.held().rename(&from, &to)?;
        Ok((from, to))
    }

    /// Applies a patch completely or not at all.
    pub fn patch(&self, text: &str) -> Result<Vec<PatchedFile>, EditError> {
        let mut held = self.held();
        let mut overlay = held.clone();
        let patched = patch(&mut overlay, text, |path| self.check(path));
        let patched = match patched {
            Ok(patched) => patched,
            Err(PatchingError::Workspace(error)) => return Err(error.into()),
            Err(PatchingError::Refused { path, hunk, refusal }) => {
                let again = self.count(&path, Format::Patch, false) >= ENOUGH_REFUSALS;
                return Err(EditError::Refused { path, number: Some(hunk - 1), refusal, again });
            }
            Err(other) => return Err(other.into()),
        };
        for file in &patched {
            self.count(&file.path, Format::Patch, true);
        }
        *held = overlay;
        Ok(patched)
    }
}

/// Encodes a text like the existing file: with its encoding, byte order mark and line endings.
fn in_its_way(bytes: &[u8], text: &str) -> Result<Vec<u8>, TextError> {
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
#[path = "session_tests.rs"]
mod tests;
