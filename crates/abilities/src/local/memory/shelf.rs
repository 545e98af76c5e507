use std::path::Path;
use std::sync::Arc;

use host::{Clock, RootDir};
use tools::{Invocation, Output, ToolError};

use super::FOLDER;
use super::history::History;
use super::name::{MemoryName, existing};
use crate::blocking::{FolderLocks, failed, in_background};

/// The memory files of every user, each in a folder of their own.
pub struct Shelf {
    clock: Arc<dyn Clock>,
    locks: FolderLocks,
}

/// More is no memory but a book.
const LARGEST: usize = 256 * 1024;
const MOST_FILES: usize = 2_000;

impl Shelf {
    pub fn new(clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self { clock, locks: FolderLocks::default() })
    }

    /// Does it in this user's folder, with nobody else in it.
    pub async fn open<T: Send + 'static>(
        self: &Arc<Self>,
        invocation: &Invocation,
        work: impl FnOnce(&Memories<'_>) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let (all, folder) = (Arc::clone(self), Arc::clone(&invocation.folder));
        in_background(move || {
            all.locks.with(&folder, || {
                let folder = opened(&folder)?;
                work(&Memories { folder: &folder, clock: &*all.clock })
            })
        })
        .await
    }
}

fn opened(folder: &Path) -> Result<RootDir, ToolError> {
    let folder = RootDir::open(folder).map_err(failed)?;
    folder.create_dirs(FOLDER).map_err(failed)?;
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

    /// Where the name stands for nothing, the answer says what there is.
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

    pub fn create(&self, written: &str, content: &str) -> Result<Output, ToolError> {
        let name = MemoryName::read(written)?;
        if let Some(there) = name.existing(self.folder)? {
            return Err(ToolError::Impossible(format!(
                "There is a memory {} already. Use memory_edit to replace it, or memory_patch to change a part.",
                there.as_str()
            )));
        }
        if self.folder.metadata(name.path()).map_err(failed)?.is_some() {
            return Err(ToolError::Impossible(format!("{} is there and is no file.", name.as_str())));
        }
        if self.names()?.len() >= MOST_FILES {
            return Err(ToolError::Impossible(format!(
                "There are {MOST_FILES} memories, which is as many as can be. Delete or join some first."
            )));
        }
        self.put(&name, content, "Create")
    }

    pub fn edit(&self, written: &str, content: &str) -> Result<Output, ToolError> {
        let name = self.find(written)?;
        self.put(&name, content, "Edit")
    }

    /// Replaces the one place that is meant.
    pub fn patch(&self, written: &str, old: &str, new: &str) -> Result<Output, ToolError> {
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
            1 => self.put(&name, &text.replacen(old, new, 1), "Patch"),
            _ => Err(ToolError::Impossible(format!(
                "old_string is in {} more than once. Give more of the text around it, so that it is there once.",
                name.as_str()
            ))),
        }
    }

    pub fn delete(&self, written: &str) -> Result<Output, ToolError> {
        let name = self.find(written)?;
        self.keep_as_found(&name)?;
        self.folder.remove(name.path()).map_err(failed)?;
        Ok(Output::text(match self.record(&name, None, "Delete") {
            Ok(()) => format!(
                "{} is deleted. It can be brought back from the history of the memories.",
                name.as_str()
            ),
            Err(trouble) => format!(
                "{} is deleted, but the history of the memories could not be kept: {trouble}.",
                name.as_str()
            ),
        }))
    }

    fn put(&self, name: &MemoryName, content: &str, verb: &str) -> Result<Output, ToolError> {
        if content.len() > LARGEST {
            return Err(ToolError::Impossible(format!(
                "A memory holds at most {} KB. Divide it into several.",
                LARGEST / 1024
            )));
        }
        self.keep_as_found(name)?;
        self.folder.write(name.path(), content.as_bytes()).map_err(failed)?;
        Ok(Output::text(match self.record(name, Some(content.as_bytes()), verb) {
            Ok(()) => format!("{} is saved.", name.as_str()),
            Err(trouble) => {
                format!(
                    "{} is saved, but the history of the memories could not be kept: {trouble}.",
                    name.as_str()
                )
            }
        }))
    }

    /// What somebody wrote by hand goes into the history before it is changed. Where it cannot, it is not changed.
    fn keep_as_found(&self, name: &MemoryName) -> Result<(), ToolError> {
        let kept = match self.folder.read(name.path(), 4 * LARGEST as u64) {
            Ok(bytes) => self.record(name, Some(&bytes), "Keep"),
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

    fn record(&self, name: &MemoryName, content: Option<&[u8]>, verb: &str) -> Result<(), String> {
        let history = History::new(self.folder, self.clock.now(), self.clock.time_zone());
        let message = format!("{verb} {}", name.as_str());
        history.record(name.as_str(), content, &message).map_err(|error| {
            tracing::warn!(memory = name.as_str(), %error, "the history of a memory was not kept");
            error.to_string()
        })
    }
}

/// Where it stands, places that overlap included.
fn places(text: &str, wanted: &str) -> impl Iterator<Item = usize> {
    let step = wanted.chars().next().map_or(1, char::len_utf8);
    let next = move |from: usize| Some(from + text.get(from..)?.find(wanted)?);
    std::iter::successors(next(0), move |found| next(found + step))
}
