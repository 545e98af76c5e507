use std::path::Path;
use std::sync::Arc;

use host::{Clock, RootDir};
use jiff::Timestamp;
use protocol::{MemoryFile, MemoryFileList, MemoryFileView, Origin, UserId};
use store::Store;
use tools::{Invocation, Output, ToolError};

use super::FOLDER;
use super::forgetting::ForgottenFiles;
use super::history::{Change, History};
use super::name::{MemoryName, existing};
use crate::redaction::Redaction;
use tools::blocking::{FolderLocks, failed, in_background};

/// The memory files of all users, each in the user's own folder.
pub struct Shelf {
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
pub(crate) struct Viewed {
    pub file: MemoryFile,
    /// `None` if the file was deleted.
    pub content: Option<String>,
    /// The changes, newest first.
    pub history: Vec<Change>,
}

impl From<Viewed> for MemoryFileView {
    fn from(Viewed { file, content, history }: Viewed) -> Self {
        let history = history.into_iter().map(|change| change.shown).collect();
        Self { file, content: content.unwrap_or_default(), history }
    }
}

/// Name, modification time and length: if they are unchanged, so is the file.
pub type Stamp = (String, Timestamp, u64);

/// The maximum size of a memory file, in bytes.
const LARGEST: usize = 256 * 1024;
const MOST_FILES: usize = 2_000;

#[allow(clippy::redundant_closure_for_method_calls, reason = "the method by itself is not general enough")]
impl Shelf {
    pub fn new(clock: Arc<dyn Clock>, store: Arc<Store>) -> Arc<Self> {
        Arc::new(Self { clock, store, locks: FolderLocks::default() })
    }

    /// Runs `work` on the memory files in this folder while the folder is locked.
    pub async fn open<T: Send + 'static>(
        self: &Arc<Self>,
        folder: &Arc<Path>,
        work: impl FnOnce(&Memories<'_>) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let (all, folder) = (Arc::clone(self), Arc::clone(folder));
        in_background(move || {
            all.locks.with(&folder, || {
                let folder = opened(&folder)?;
                work(&Memories { folder: &folder, clock: &*all.clock })
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
        work: impl FnOnce(&Memories<'_>) -> Result<(MemoryName, Output), ToolError> + Send + 'static,
    ) -> Result<Output, ToolError> {
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
    pub async fn stamps(self: &Arc<Self>, folder: &Arc<Path>) -> Result<Vec<Stamp>, ToolError> {
        if !has_files(folder) {
            return Ok(Vec::new());
        }
        self.open(folder, |memories| memories.stamps()).await
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
        self.open(folder, move |memories| {
            let mut texts = Vec::new();
            for (name, at, _) in memories.stamps()? {
                let origins = known.iter().find(|(own, _)| *own == name);
                let origins = origins.map(|(_, origins)| origins.clone()).unwrap_or_default();
                // A file that is not text is skipped.
                if let Ok(text) = memories.find(&name).and_then(|found| memories.read(&found)) {
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
        let file = |(name, at, bytes): Stamp| {
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
    ) -> Result<Viewed, ToolError> {
        let name = MemoryName::read(written)?;
        if !has_files(folder) {
            return Err(no_memory(&name));
        }
        let viewed = self.open(folder, move |memories| {
            let found = name.existing(memories.folder)?;
            let (is_there, name) = (found.is_some(), found.unwrap_or(name));
            let history = memories.history(&name)?;
            if !is_there && history.is_empty() {
                return Err(no_memory(&name));
            }
            let stamp = memories.stamps()?.into_iter().find(|(own, ..)| own == name.as_str());
            let (at, bytes) = stamp.map_or((memories.clock.now(), 0), |(_, at, bytes)| (at, bytes));
            let content = is_there.then(|| memories.read(&name)).transpose()?;
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            let (name, origins) = (name.as_str().to_owned(), Vec::new());
            let file = MemoryFile { name, bytes, changed_at: at.to_string(), origins };
            Ok(Viewed { file, content, history })
        });
        let Viewed { file, content, history } = viewed.await?;
        let file = MemoryFile { origins: self.origins(user, &file.name).await?, ..file };
        Ok(Viewed { file, content, history })
    }

    /// Returns the name of the existing file that is meant, whichever way it was written, since origins are stored
    /// under that name.
    pub async fn name_of(
        self: &Arc<Self>,
        folder: &Arc<Path>,
        written: &str,
    ) -> Result<MemoryName, ToolError> {
        let name = MemoryName::read(written)?;
        self.open(folder, move |memories| Ok(name.existing(memories.folder)?.unwrap_or(name))).await
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
        self.open(folder, move |memories| memories.put_by(program.as_deref(), &own, &content, "Edit"))
            .await?;
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
        let planned = self.open(folder, move |memories| memories.forget(&*look, false)).await?;
        if !change {
            return Ok(planned);
        }
        // As in `put`: origins are set before the files are written.
        self.carry_origins(user, &planned.renamed).await?;
        let forgotten = self.open(folder, move |memories| memories.forget(&*redaction, true)).await?;
        self.carry_origins(user, &forgotten.renamed).await?;
        for (old, _) in &forgotten.renamed {
            self.store.set_file_origins(user, old, Vec::new()).await.map_err(failed)?;
        }
        Ok(forgotten)
    }

    async fn carry_origins(&self, user: UserId, renamed: &[(String, String)]) -> Result<(), ToolError> {
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
        self.open(folder, move |memories| {
            let name = name.existing(memories.folder)?.unwrap_or(name);
            let history = memories.history(&name)?;
            let found = history.into_iter().map(|one| one.shown).find(|one| one.id == change);
            let missing = || ToolError::Impossible("There is no such change in its history.".to_owned());
            match found.ok_or_else(missing)?.content {
                Some(content) => memories.put(&name, &content, "Restore").map(drop),
                None => memories.delete(name.as_str()).map(drop),
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

/// One user's memory files.
pub struct Memories<'a> {
    folder: &'a RootDir,
    clock: &'a dyn Clock,
}

impl Memories<'_> {
    pub fn names(&self) -> Result<Vec<MemoryName>, ToolError> {
        existing(self.folder)
    }

    /// Finds a file by name. If there is none, the error lists the existing files.
    pub fn find(&self, written: &str) -> Result<MemoryName, ToolError> {
        let name = MemoryName::read(written)?;
        name.existing(self.folder)?.ok_or_else(|| {
            let hint = "memory_list shows those there are; memory_create makes one";
            ToolError::Impossible(format!("There is no memory {}. {hint}.", name.as_str()))
        })
    }

    pub fn read(&self, name: &MemoryName) -> Result<String, ToolError> {
        let bytes = self.folder.read(name.path(), 4 * LARGEST as u64).map_err(failed)?;
        String::from_utf8(bytes).map_err(|_| {
            ToolError::Impossible(format!("{} is not text, so I leave it alone.", name.as_str()))
        })
    }

    pub fn stamps(&self) -> Result<Vec<Stamp>, ToolError> {
        let entries = self.folder.list(FOLDER).map_err(failed)?;
        let names = self.names()?;
        let known = |name: &str| names.iter().any(|known| known.as_str() == name);
        let stamps = entries.into_iter().filter_map(|(name, info)| {
            Some((name.into_string().ok().filter(|name| known(name))?, info.modified, info.len))
        });
        let mut stamps: Vec<Stamp> = stamps.collect();
        stamps.sort();
        Ok(stamps)
    }

    /// Returns the changes of a file, newest first.
    pub fn history(&self, name: &MemoryName) -> Result<Vec<Change>, ToolError> {
        self.past().of(name.as_str()).map_err(failed)
    }

    pub fn create(&self, written: &str, content: &str) -> Result<(MemoryName, Output), ToolError> {
        let name = MemoryName::read(written)?;
        if let Some(there) = name.existing(self.folder)? {
            return Err(ToolError::Impossible(format!(
                "There is a memory {} already. Use memory_edit to replace it, or memory_patch to change a part.",
                there.as_str()
            )));
        }
        if self.folder.metadata(name.path()).map_err(failed)?.is_some() {
            return Err(ToolError::Impossible(format!("{} is there and is not a file.", name.as_str())));
        }
        if self.names()?.len() >= MOST_FILES {
            return Err(ToolError::Impossible(format!(
                "There are {MOST_FILES} memories, which is as many as can be. Delete or join some first."
            )));
        }
        let output = self.put(&name, content, "Create")?;
        Ok((name, output))
    }

    pub fn edit(&self, written: &str, content: &str) -> Result<(MemoryName, Output), ToolError> {
        let name = self.find(written)?;
        let output = self.put(&name, content, "Edit")?;
        Ok((name, output))
    }

    /// Replaces the one occurrence of `old`.
    pub fn patch(&self, written: &str, old: &str, new: &str) -> Result<(MemoryName, Output), ToolError> {
        if old.is_empty() {
            return Err(ToolError::Impossible(
                "old_string is empty. Give the text that is to be replaced.".into(),
            ));
        }
        let name = self.find(written)?;
        let text = self.read(&name)?;
        match places(&text, old).take(2).count() {
            0 => Err(ToolError::Impossible(format!(
                "old_string is not in {}. Read it with memory_read and give the text exactly.",
                name.as_str()
            ))),
            1 if old == new => Err(ToolError::Impossible("old_string and new_string are the same.".into())),
            1 => {
                let output = self.put(&name, &text.replacen(old, new, 1), "Patch")?;
                Ok((name, output))
            }
            _ => Err(ToolError::Impossible(format!(
                "old_string is in {} more than once. Give more of the text around it, so that it is there once.",
                name.as_str()
            ))),
        }
    }

    pub fn delete(&self, written: &str) -> Result<(MemoryName, Output), ToolError> {
        let name = self.find(written)?;
        self.keep_as_found(&name)?;
        self.folder.remove(name.path()).map_err(failed)?;
        let output = Output::text(match self.record(&name, None, "Delete", None) {
            Ok(()) => format!(
                "{} is deleted. It can be brought back from the history of the memories.",
                name.as_str()
            ),
            Err(trouble) => format!(
                "{} is deleted, but the history of the memories could not be kept: {trouble}.",
                name.as_str()
            ),
        });
        Ok((name, output))
    }

    pub(super) fn past(&self) -> History<'_> {
        History::new(self.folder, self.clock.now(), self.clock.time_zone())
    }

    pub(super) fn put(&self, name: &MemoryName, content: &str, verb: &str) -> Result<Output, ToolError> {
        self.put_by(None, name, content, verb)
    }

    /// Writes the whole file; `program` is its author, if a program wrote it.
    fn put_by(
        &self,
        program: Option<&str>,
        name: &MemoryName,
        content: &str,
        verb: &str,
    ) -> Result<Output, ToolError> {
        if content.len() > LARGEST {
            return Err(ToolError::Impossible(format!(
                "A memory holds at most {} KB. Divide it into several.",
                LARGEST / 1024
            )));
        }
        self.keep_as_found(name)?;
        self.folder.write(name.path(), content.as_bytes()).map_err(failed)?;
        Ok(Output::text(match self.record(name, Some(content.as_bytes()), verb, program) {
            Ok(()) => format!("{} is saved.", name.as_str()),
            Err(trouble) => {
                format!(
                    "{} is saved, but the history of the memories could not be kept: {trouble}.",
                    name.as_str()
                )
            }
        }))
    }

    /// Records a manual edit in the history before the file is changed. If that fails, the file is not changed.
    fn keep_as_found(&self, name: &MemoryName) -> Result<(), ToolError> {
        let kept = match self.folder.read(name.path(), 4 * LARGEST as u64) {
            Ok(bytes) => self.record(name, Some(&bytes), "Keep", None),
            Err(error) if error.is_not_found() => Ok(()),
            Err(error) => Err(error.to_string()),
        };
        kept.map_err(|trouble| {
            ToolError::Failed(format!(
                "{} stays as it is: what it says could not be kept in the history of the memories, and would be \
                 lost ({trouble}). The folder memories/.git needs a look.",
                name.as_str()
            ))
        })
    }

    fn record(
        &self,
        name: &MemoryName,
        content: Option<&[u8]>,
        verb: &str,
        program: Option<&str>,
    ) -> Result<(), String> {
        let history = self.past();
        history.record(name.as_str(), content, verb, program).map_err(|error| {
            tracing::warn!(memory = name.as_str(), %error, "the history of a memory was not kept");
            error.to_string()
        })
    }
}

/// Yields the positions of `wanted` in the text, overlapping ones included.
fn places(text: &str, wanted: &str) -> impl Iterator<Item = usize> {
    let step = wanted.chars().next().map_or(1, char::len_utf8);
    let next = move |from: usize| Some(from + text.get(from..)?.find(wanted)?);
    std::iter::successors(next(0), move |found| next(found + step))
}
