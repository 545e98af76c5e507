//! One user's memory files, and the changes that tools and people make to them.

use host::{Clock, RootDir};
use jiff::Timestamp;
use tools::blocking::failed;
use tools::{ToolError, ToolOutput};

use super::history::{FileHistory, FileRevision};
use super::name::{FOLDER, MemoryName, existing};

/// Name, modification time and length: if they are unchanged, so is the file.
pub type MemoryFileStamp = (String, Timestamp, u64);

/// The maximum size of a memory file, in bytes.
const LARGEST: usize = 256 * 1024;
const MOST_FILES: usize = 2_000;

/// One user's memory files.
pub struct UserMemoryFiles<'a> {
    pub(super) folder: &'a RootDir,
    pub(super) clock: &'a dyn Clock,
}

impl<'a> UserMemoryFiles<'a> {
    pub fn new(folder: &'a RootDir, clock: &'a dyn Clock) -> Self {
        Self { folder, clock }
    }

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

    pub fn stamps(&self) -> Result<Vec<MemoryFileStamp>, ToolError> {
        let entries = self.folder.list(FOLDER).map_err(failed)?;
        let names = self.names()?;
        let known = |name: &str| names.iter().any(|known| known.as_str() == name);
        let stamps = entries.into_iter().filter_map(|(name, info)| {
            Some((name.into_string().ok().filter(|name| known(name))?, info.modified, info.len))
        });
        let mut stamps: Vec<MemoryFileStamp> = stamps.collect();
        stamps.sort();
        Ok(stamps)
    }

    /// Returns the changes of a file, newest first.
    pub fn history(&self, name: &MemoryName) -> Result<Vec<FileRevision>, ToolError> {
        self.file_history().of(name.as_str()).map_err(failed)
    }

    pub fn create(&self, written: &str, content: &str) -> Result<(MemoryName, ToolOutput), ToolError> {
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

    pub fn edit(&self, written: &str, content: &str) -> Result<(MemoryName, ToolOutput), ToolError> {
        let name = self.find(written)?;
        let output = self.put(&name, content, "Edit")?;
        Ok((name, output))
    }

    /// Replaces the one occurrence of `old`.
    pub fn patch(&self, written: &str, old: &str, new: &str) -> Result<(MemoryName, ToolOutput), ToolError> {
        if old.is_empty() {
            return Err(ToolError::Impossible(
                "old_string is empty. Give the text that is to be replaced.".into(),
            ));
        }
        let name = self.find(written)?;
        let text = self.read(&name)?;
        match occurrences(&text, old).take(2).count() {
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

    pub fn delete(&self, written: &str) -> Result<(MemoryName, ToolOutput), ToolError> {
        let name = self.find(written)?;
        self.record_manual_edit(&name)?;
        self.folder.remove(name.path()).map_err(failed)?;
        let output = ToolOutput::text(match self.record(&name, None, "Delete", None) {
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

    pub(super) fn file_history(&self) -> FileHistory<'_> {
        FileHistory::new(self.folder, self.clock.now(), self.clock.time_zone())
    }

    pub(super) fn put(&self, name: &MemoryName, content: &str, verb: &str) -> Result<ToolOutput, ToolError> {
        self.put_by(None, name, content, verb)
    }

    /// Writes the whole file; `program` is its author, if a program wrote it.
    pub(super) fn put_by(
        &self,
        program: Option<&str>,
        name: &MemoryName,
        content: &str,
        verb: &str,
    ) -> Result<ToolOutput, ToolError> {
        if content.len() > LARGEST {
            return Err(ToolError::Impossible(format!(
                "A memory holds at most {} KB. Divide it into several.",
                LARGEST / 1024
            )));
        }
        self.record_manual_edit(name)?;
        self.folder.write(name.path(), content.as_bytes()).map_err(failed)?;
        Ok(ToolOutput::text(match self.record(name, Some(content.as_bytes()), verb, program) {
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
    fn record_manual_edit(&self, name: &MemoryName) -> Result<(), ToolError> {
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
        let history = self.file_history();
        history.record(name.as_str(), content, verb, program).map_err(|error| {
            tracing::warn!(memory = name.as_str(), %error, "the history of a memory was not kept");
            error.to_string()
        })
    }
}

/// Yields the positions of `wanted` in the text, overlapping ones included.
fn occurrences(text: &str, wanted: &str) -> impl Iterator<Item = usize> {
    let step = wanted.chars().next().map_or(1, char::len_utf8);
    let next = move |from: usize| Some(from + text.get(from..)?.find(wanted)?);
    std::iter::successors(next(0), move |found| next(found + step))
}
