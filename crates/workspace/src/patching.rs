//! Applies a patch to several files, completely or not at all.

use edits::patch::{FileChange, PatchError, apply_deletion, apply_hunks, parse_for};
use edits::{EditRefusal, Receipt, TextError, TextFile};
use serde::Serialize;
use thiserror::Error;

use crate::change::OverlayError;
use crate::overlay::Overlay;
use crate::path::{PathError, WorkspacePath};
use crate::workspace::WorkspaceError;

#[derive(Debug, Error)]
pub enum PatchingError {
    #[error(transparent)]
    Patch(#[from] PatchError),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error(transparent)]
    Overlay(#[from] OverlayError),
    #[error("{path}: {error}")]
    Text { path: WorkspacePath, error: TextError },
    #[error("{path}, hunk {hunk}: {refusal}")]
    Refused { path: WorkspacePath, hunk: usize, refusal: Box<EditRefusal> },
}

/// The result for one file of a patch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PatchedFile {
    pub path: WorkspacePath,
    pub to: Option<WorkspacePath>,
    pub receipts: Vec<Receipt>,
}

/// Applies a patch to the files of an overlay. A file that does not pass `check` is not read either. On an error, the
/// overlay has to be discarded.
pub fn apply_patch(
    overlay: &mut Overlay,
    text: &str,
    check: impl Fn(&WorkspacePath) -> Result<(), WorkspaceError>,
) -> Result<Vec<PatchedFile>, PatchingError> {
    let checked = |path: &str| -> Result<WorkspacePath, PatchingError> {
        let path = WorkspacePath::parse(path)?;
        check(&path)?;
        Ok(path)
    };
    let mut patched = Vec::new();
    let changes = {
        let content = |path: &str| Some(read(overlay, &checked(path).ok()?).ok()?.text);
        parse_for(text, &content)?
    };
    for change in changes {
        let path = checked(change.path())?;
        let refused = |(hunk, refusal): (usize, EditRefusal)| PatchingError::Refused {
            path: path.clone(),
            hunk: hunk + 1,
            refusal: Box::new(refusal),
        };
        let patched_file = |receipts, to| PatchedFile { path: path.clone(), to, receipts };
        patched.push(match change {
            FileChange::Add { content, .. } => {
                overlay.create(&path, content.into_bytes())?;
                patched_file(Vec::new(), None)
            }
            FileChange::Delete { hunks, .. } => {
                // If the deletion has hunks, the file must have the content that they show.
                if !hunks.is_empty() {
                    let file = read(overlay, &path)?;
                    apply_deletion(&file.text, &hunks).map_err(refused)?;
                }
                overlay.delete(&path)?;
                patched_file(Vec::new(), None)
            }
            FileChange::Update { to, hunks, .. } => {
                let to = to.map(|to| checked(&to)).transpose()?;
                let file = read(overlay, &path)?;
                let (text, receipts) = apply_hunks(&file.text, &hunks).map_err(refused)?;
                let unwritable = |error| PatchingError::Text { path: path.clone(), error };
                overlay.write(&path, file.write(&text).map_err(unwritable)?)?;
                if let Some(to) = &to {
                    overlay.rename(&path, to)?;
                }
                patched_file(receipts, to)
            }
        });
    }
    Ok(patched)
}

fn read(overlay: &Overlay, path: &WorkspacePath) -> Result<TextFile, PatchingError> {
    let bytes = overlay.read(path)?.ok_or_else(|| OverlayError::Missing(path.clone()))?;
    TextFile::read(&bytes).map_err(|error| PatchingError::Text { path: path.clone(), error })
}
