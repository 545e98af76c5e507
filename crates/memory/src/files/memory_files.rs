//! The memory files of all users, with the origins of their content.

use std::path::Path;
use std::sync::Arc;

use host::{Clock, RootDir};
use jiff::Timestamp;
use protocol::{MemoryFile, MemoryFileList, MemoryFileView, Origin, UserId};
use store::Store;
use tools::blocking::{FolderLocks, failed, in_background};
use tools::{Invocation, ToolError, ToolOutput};

use super::forgetting::ForgottenFiles;
use super::history::FileRevision;
use super::name::{FOLDER, MemoryName};
use super::user_files::{MemoryFileStamp, UserMemoryFiles};
use crate::redaction::Redaction;

/// The memory files of all users, each in the user's own folder.
pub struct MemoryFiles {
    clock: Arc<dyn Clock>,
    /// Holds the origins of each file.
    store: Arc<Store>,
    locks: FolderLocks,
}

/// The text of a memory file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileText {
    pub name: String,
    pub at: Timestamp,
    pub text: String,
    /// Origins of the content, apart from the user and the companion.
    pub origins: Vec<Origin>,
}

/// A file with its history.
#[derive(Debug, Clone)]
pub(crate) struct FileWithHistory {
    pub file: MemoryFile,
    /// `None` if the file was deleted.
    pub content: Option<String>,
    /// The changes, newest first.
    pub history: Vec<FileRevision>,
}

impl From<FileWithHistory> for MemoryFileView {
    fn from(FileWithHistory { file, content, history }: FileWithHistory) -> Self {
        let history = history.into_iter().map(|change| change.shown).collect();
        Self { file, content: content.unwrap_or_default(), history }
    }
}

#[allow(clippy::redundant_closure_for_method_calls, reason = "the method by itself is not general enough")]
impl MemoryFiles {
    pub fn new(clock: Arc<dyn Clock>, store: Arc<Store>) -> Arc<Self> {
        Arc::new(Self { clock, store, locks: FolderLocks::default() })
    }

    /// Runs `work` on the memory files in this folder while the folder is locked.
    pub async fn open<T: Send + 'static>(
        self: &Arc<Self>,
        folder: &Arc<Path>,
        work: impl FnOnce(&UserMemoryFiles<'_>) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let (all, folder) = (Arc::clone(self), Arc::clone(folder));
        in_background(move || {
            all.locks.with(&folder, || {
                let folder = opened(&folder)?;
                work(&UserMemoryFiles::new(&folder, &*all.clock))
            })
        })
        .await
    }

    /// Writes on behalf of a tool and records the origins of the content. A file that is only partly changed also keeps
    /// its earlier origins.
    pub async fn write(
        self: &Arc<Self>,
        invocation: &Invocation,
        keeps: bool,
        work: impl FnOnce(&UserMemoryFiles<'_>) -> Result<(MemoryName, ToolOutput), ToolError> + Send + 'static,
    ) -> Result<ToolOutput, ToolError> {
        let (name, output) = self.open(&invocation.folder, work).await?;
        let mut origins = invocation.origins.clone();
        if keeps {
            let earlier = self.origins(invocation.user, name.as_str()).await?;
            origins.extend(earlier);
        }
        origins.sort();
        origins.dedup();
        self.store.set_file_origins(invocation.user, name.as_str(), origins).await.map_err(failed)?;
        Ok(output)
    }

    /// Returns the origins of a file's content, apart from the user and the companion.
    pub async fn origins(&self, user: UserId, name: &str) -> Result<Vec<Origin>, ToolError> {
        let all = self.store.file_origins(user).await.map_err(failed)?;
        Ok(all.into_iter().find(|(own, _)| own == name).map(|(_, origins)| origins).unwrap_or_default())
    }

    /// Returns the stamps of the files, from which changes are detected.
    pub async fn stamps(self: &Arc<Self>, folder: &Arc<Path>) -> Result<Vec<MemoryFileStamp>, ToolError> {
        if !has_files(folder) {
            return Ok(Vec::new());
        }
        self.open(folder, |files| files.stamps()).await
    }

    /// Returns the texts of all files.
    pub async fn texts(
        self: &Arc<Self>,
        user: UserId,
        folder: &Arc<Path>,
    ) -> Result<Vec<FileText>, ToolError> {
        if !has_files(folder) {
            return Ok(Vec::new());
        }
        let known = self.store.file_origins(user).await.map_err(failed)?;
        self.open(folder, move |files| {
            let mut texts = Vec::new();
            for (name, at, _) in files.stamps()? {
                let origins = known.iter().find(|(own, _)| *own == name);
                let origins = origins.map(|(_, origins)| origins.clone()).unwrap_or_default();
                // A file that is not text is skipped.
                if let Ok(text) = files.find(&name).and_then(|found| files.read(&found)) {
                    texts.push(FileText { name, at, text, origins });
                }
            }
            Ok(texts)
        })
        .await
    }

    pub async fn list(
        self: &Arc<Self>,
        user: UserId,
        folder: &Arc<Path>,
    ) -> Result<MemoryFileList, ToolError> {
        let known = self.store.file_origins(user).await.map_err(failed)?;
        let stamps = self.stamps(folder).await?;
        let file = |(name, at, bytes): MemoryFileStamp| {
            let origins = known.iter().find(|(own, _)| *own == name);
            MemoryFile {
                origins: origins.map(|(_, origins)| origins.clone()).unwrap_or_default(),
                bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
                changed_at: at.to_string(),
                name,
            }
        };
        Ok(MemoryFileList { files: stamps.into_iter().map(file).collect() })
    }

    /// Returns a file with its history. A deleted file has only its history.
    pub async fn view(
        self: &Arc<Self>,
        user: UserId,
        folder: &Arc<Path>,
        written: &str,
    ) -> Result<FileWithHistory, ToolError> {
        let name = MemoryName::read(written)?;
        if !has_files(folder) {
            return Err(no_memory(&name));
        }
        let viewed = self.open(folder, move |files| {
            let found = name.existing(files.folder)?;
            let (is_there, name) = (found.is_some(), found.unwrap_or(name));
            let history = files.history(&name)?;
            if !is_there && history.is_empty() {
                return Err(no_memory(&name));
            }
            let stamp = files.stamps()?.into_iter().find(|(own, ..)| own == name.as_str());
            let (at, bytes) = stamp.map_or((files.clock.now(), 0), |(_, at, bytes)| (at, bytes));
            let content = is_there.then(|| files.read(&name)).transpose()?;
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            let (name, origins) = (name.as_str().to_owned(), Vec::new());
            let file = MemoryFile { name, bytes, changed_at: at.to_string(), origins };
            Ok(FileWithHistory { file, content, history })
        });
        let FileWithHistory { file, content, history } = viewed.await?;
        let file = MemoryFile { origins: self.origins(user, &file.name).await?, ..file };
        Ok(FileWithHistory { file, content, history })
    }

    /// Returns the name of the existing file that is meant, whichever way it was written, since origins are stored
    /// under that name.
    pub async fn name_of(
        self: &Arc<Self>,
        folder: &Arc<Path>,
        written: &str,
    ) -> Result<MemoryName, ToolError> {
        let name = MemoryName::read(written)?;
        self.open(folder, move |files| Ok(name.existing(files.folder)?.unwrap_or(name))).await
    }

    /// Writes a text into a file, creating it if necessary, and records its origins. `program` is the program that
    /// wrote the whole file, if one did.
    pub async fn put(
        self: &Arc<Self>,
        user: UserId,
        folder: &Arc<Path>,
        (written, content): (&str, String),
        program: Option<String>,
        origins: Vec<Origin>,
    ) -> Result<(), ToolError> {
        let name = self.name_of(folder, written).await?;
        // Origins are set before the file is written and cleared after it: an interruption never leaves untrusted
        // content unmarked.
        let is_clean = origins.is_empty();
        if !is_clean {
            self.store.set_file_origins(user, name.as_str(), origins).await.map_err(failed)?;
        }
        let own = name.clone();
        self.open(folder, move |files| files.put_by(program.as_deref(), &own, &content, "Edit")).await?;
        if is_clean {
            self.store.set_file_origins(user, name.as_str(), Vec::new()).await.map_err(failed)?;
        }
        Ok(())
    }

    /// Removes words from the current files, or reports what would be removed. A renamed file keeps its origins.
    pub async fn forget(
        self: &Arc<Self>,
        user: UserId,
        folder: &Arc<Path>,
        redaction: Redaction,
        change: bool,
    ) -> Result<ForgottenFiles, ToolError> {
        let redaction = Arc::new(redaction);
        let look = Arc::clone(&redaction);
        let planned = self.open(folder, move |files| files.forget(&*look, false)).await?;
        if !change {
            return Ok(planned);
        }
        // As in `put`: origins are set before the files are written.
        self.copy_origins(user, &planned.renamed).await?;
        let forgotten = self.open(folder, move |files| files.forget(&*redaction, true)).await?;
        self.copy_origins(user, &forgotten.renamed).await?;
        for (old, _) in &forgotten.renamed {
            self.store.set_file_origins(user, old, Vec::new()).await.map_err(failed)?;
        }
        Ok(forgotten)
    }

    async fn copy_origins(&self, user: UserId, renamed: &[(String, String)]) -> Result<(), ToolError> {
        for (old, new) in renamed {
            let origins = self.origins(user, old).await?;
            self.store.set_file_origins(user, new, origins).await.map_err(failed)?;
        }
        Ok(())
    }

    /// Restores the content that a file had after a given change in its history.
    pub async fn restore(
        self: &Arc<Self>,
        folder: &Arc<Path>,
        written: &str,
        change: String,
    ) -> Result<(), ToolError> {
        let name = MemoryName::read(written)?;
        self.open(folder, move |files| {
            let name = name.existing(files.folder)?.unwrap_or(name);
            let history = files.history(&name)?;
            let found = history.into_iter().map(|one| one.shown).find(|one| one.id == change);
            let missing = || ToolError::Impossible("There is no such change in its history.".to_owned());
            match found.ok_or_else(missing)?.content {
                Some(content) => files.put(&name, &content, "Restore").map(drop),
                None => files.delete(name.as_str()).map(drop),
            }
        })
        .await
    }
}

/// Returns true if the folder has memory files. A user who has written nothing may have no folder, and reading creates
/// none.
fn has_files(folder: &Path) -> bool {
    folder.join(FOLDER).is_dir()
}

pub(super) fn no_memory(name: &MemoryName) -> ToolError {
    ToolError::Impossible(format!("There is no memory {}.", name.as_str()))
}

/// Opens the folder, creating it if necessary. If it cannot be used, its path goes only to the log, since the requester
/// may not be the owner of the machine.
fn opened(folder: &Path) -> Result<RootDir, ToolError> {
    let unusable = |error: &dyn std::fmt::Display| {
        tracing::warn!(%error, "the memory files cannot be reached");
        failed("the folder of the memory files cannot be used")
    };
    if !folder.exists() {
        host::private_dir(folder).map_err(|error| unusable(&error))?;
    }
    let folder = RootDir::open(folder).map_err(|error| unusable(&error))?;
    folder.create_dirs(FOLDER).map_err(|error| unusable(&error))?;
    Ok(folder)
}
