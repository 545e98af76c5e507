//! Lists, shows and saves files of a workspace for the user.

use std::sync::Arc;

use edits::TextFile;
use protocol::{CodeFile, CodeFileList, CodeFileView, CodeSymbol, SaveFileRequest};
use sha2::{Digest as _, Sha256};
use symbols::Language;

use super::{WorkspaceSession, WorkspaceSessionError};
use crate::change::OverlayError;
use crate::disk::read_from_disk;
use crate::edit_session::EditSessionError;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;

/// The maximum number of listed files.
const MOST_FILES: usize = 20_000;
const MOST_SYMBOLS: usize = 2_000;

impl WorkspaceSession {
    pub async fn files(self: &Arc<Self>) -> Result<CodeFileList, WorkspaceSessionError> {
        self.in_background(|session| {
            let whole = crate::Workspace::open(session.workspace().path(), &[])?;
            let files = whole.files();
            let more = files.len() > MOST_FILES;
            let listed = files.into_iter().take(MOST_FILES).map(|file| CodeFile {
                included: session.workspace().includes(&file.path),
                path: file.path.to_string(),
                bytes: u32::try_from(file.bytes).unwrap_or(u32::MAX),
            });
            Ok(CodeFileList { files: listed.collect(), more })
        })
        .await
    }

    pub async fn file(self: &Arc<Self>, path: &str) -> Result<CodeFileView, WorkspaceSessionError> {
        let path = WorkspacePath::parse(path).map_err(EditSessionError::from)?;
        self.in_background(move |session| view(session, &path)).await
    }

    /// Writes a file that the user edited, if it is unchanged since it was opened.
    pub async fn save(
        self: &Arc<Self>,
        request: SaveFileRequest,
    ) -> Result<CodeFileView, WorkspaceSessionError> {
        let path = WorkspacePath::parse(&request.path).map_err(EditSessionError::from)?;
        self.workspace().is_edit_allowed(&path)?;
        let saved = self.in_background(move |session| {
            let root = session.workspace().root();
            let before =
                read_from_disk(root, &path).map_err(EditSessionError::from)?.map(|found| found.bytes);
            if before.as_deref().map(hash) != request.hash {
                return Err(WorkspaceSessionError::Changed(path));
            }
            let text = |error| EditSessionError::Text { path: path.clone(), error };
            let bytes = match &before {
                Some(bytes) => TextFile::read(bytes).map_err(text)?.write(&request.content).map_err(text)?,
                None => request.content.into_bytes(),
            };
            let mut overlay = Overlay::new(Arc::clone(root));
            overlay.write(&path, bytes).map_err(EditSessionError::from)?;
            overlay
                .write_to_disk(&session.journal())
                .map_err(|_| WorkspaceSessionError::Changed(path.clone()))?;
            view(session, &path)
        });
        saved.await
    }

    /// Runs blocking file work on a separate thread.
    pub(super) async fn in_background<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, WorkspaceSessionError> + Send + 'static,
    ) -> Result<T, WorkspaceSessionError> {
        let session = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&session))
            .await
            .map_err(|_| WorkspaceSessionError::Interrupted)?
    }
}

fn view(session: &WorkspaceSession, path: &WorkspacePath) -> Result<CodeFileView, WorkspaceSessionError> {
    let bytes = read_from_disk(session.workspace().root(), path)
        .map_err(EditSessionError::from)?
        .map(|found| found.bytes);
    let bytes = bytes.ok_or_else(|| EditSessionError::from(OverlayError::Missing(path.clone())))?;
    let text = TextFile::read(&bytes).ok().map(|file| file.text);
    let content = text.clone().unwrap_or_default();
    let language = Language::of(path.as_str(), content.lines().next().unwrap_or_default());
    let symbols = symbols::outline(language, &content).definitions.into_iter().take(MOST_SYMBOLS);
    Ok(CodeFileView {
        path: path.to_string(),
        language: language.name().to_owned(),
        hash: hash(&bytes),
        bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        binary: text.is_none(),
        editable: text.is_some() && session.workspace().includes(path),
        symbols: symbols
            .map(|definition| CodeSymbol {
                name: definition.name.into(),
                kind: definition.kind.name().to_owned(),
                line: definition.lines.0,
                end_line: definition.lines.1,
                container: definition.container.map(Into::into),
            })
            .collect(),
        content,
    })
}

fn hash(bytes: &[u8]) -> String {
    host::hex(&Sha256::digest(bytes))
}
