//! Lists, shows and saves files of a workspace for the user.

use std::sync::Arc;

use edits::TextFile;
use protocol::{CodeFile, CodeFileList, CodeFileView, CodeSymbol, SaveFileRequest};
use sha2::{Digest as _, Sha256};
use symbols::Language;

use super::{Bench, DeskError};
use crate::landing::on_disk;
use crate::overlay::{Overlay, OverlayError};
use crate::path::WorkspacePath;
use crate::session::EditError;

/// The maximum number of listed files.
const MOST_FILES: usize = 20_000;
const MOST_SYMBOLS: usize = 2_000;

impl Bench {
    pub async fn files(self: &Arc<Self>) -> Result<CodeFileList, DeskError> {
        self.away(|bench| {
            let whole = crate::Workspace::open(bench.workspace().path(), &[])?;
            let files = whole.files();
            let more = files.len() > MOST_FILES;
            let listed = files.into_iter().take(MOST_FILES).map(|file| CodeFile {
                included: bench.workspace().includes(&file.path),
                path: file.path.to_string(),
                bytes: u32::try_from(file.bytes).unwrap_or(u32::MAX),
            });
            Ok(CodeFileList { files: listed.collect(), more })
        })
        .await
    }

    pub async fn file(self: &Arc<Self>, path: &str) -> Result<CodeFileView, DeskError> {
        let path = WorkspacePath::parse(path).map_err(EditError::from)?;
        self.away(move |bench| view(bench, &path)).await
    }

    /// Writes a file that the user edited, if it is unchanged since it was opened.
    pub async fn save(self: &Arc<Self>, request: SaveFileRequest) -> Result<CodeFileView, DeskError> {
        let path = WorkspacePath::parse(&request.path).map_err(EditError::from)?;
        bench_allows(self, &path)?;
        let saved = self.away(move |bench| {
            let root = bench.workspace().root();
            let before = on_disk(root, &path).map_err(EditError::from)?.map(|found| found.bytes);
            if before.as_deref().map(hash) != request.hash {
                return Err(DeskError::Changed(path));
            }
            let text = |error| EditError::Text { path: path.clone(), error };
            let bytes = match &before {
                Some(bytes) => TextFile::read(bytes).map_err(text)?.write(&request.content).map_err(text)?,
                None => request.content.into_bytes(),
            };
            let mut overlay = Overlay::new(Arc::clone(root));
            overlay.write(&path, bytes).map_err(EditError::from)?;
            overlay.land(&bench.journal()).map_err(|_| DeskError::Changed(path.clone()))?;
            view(bench, &path)
        });
        saved.await
    }

    /// Runs blocking file work on a separate thread.
    pub(super) async fn away<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, DeskError> + Send + 'static,
    ) -> Result<T, DeskError> {
        let bench = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&bench)).await.map_err(|_| DeskError::Interrupted)?
    }
}

fn bench_allows(bench: &Bench, path: &WorkspacePath) -> Result<(), DeskError> {
    Ok(bench.workspace().is_edit_allowed(path)?)
}

fn view(bench: &Bench, path: &WorkspacePath) -> Result<CodeFileView, DeskError> {
    let bytes = on_disk(bench.workspace().root(), path).map_err(EditError::from)?.map(|found| found.bytes);
    let bytes = bytes.ok_or_else(|| EditError::from(OverlayError::Missing(path.clone())))?;
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
        editable: text.is_some() && bench.workspace().includes(path),
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
