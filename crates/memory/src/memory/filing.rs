//! Memory files as people and programs see and write them.

use ::tools::blocking::failed;
use ::tools::{ToolError, ValueOrigins};
use async_trait::async_trait;
use protocol::{MemoryFileChange, MemoryFileList, MemoryFileView, Origin, UserId};

use super::{Memory, MemoryError, Result};
use crate::files::{ForgottenFiles, HistoryChanges, Memories, missing};
use crate::reader::{Author, Reader};
use crate::redaction::Redaction;

impl Memory {
    pub async fn files(&self, user: UserId, reader: Reader) -> Result<MemoryFileList> {
        let folder = self.folder_of(user).await?;
        let mut list = self.shelf().list(user, &folder).await?;
        let sight = self.sight(user, reader).await?;
        list.files.retain(|file| sight.shows(&file.name));
        Ok(list)
    }

    /// A file with its history. Lines that tell something private are for the person alone.
    pub async fn file(&self, user: UserId, reader: Reader, name: &str) -> Result<MemoryFileView> {
        let sight = self.sight(user, reader).await?;
        if !sight.shows(name) {
            return Err(MemoryError::Files(missing(name)));
        }
        let folder = self.folder_of(user).await?;
        let MemoryFileView { file, content, history } = self.shelf().view(user, &folder, name).await?;
        let history = history.into_iter().filter(|change| sight.shows(&change.what));
        let history = history.map(|change| MemoryFileChange {
            content: change.content.map(|text| sight.lines(text)),
            ..change
        });
        Ok(MemoryFileView { content: sight.lines(content), history: history.collect(), file })
    }

    /// Writes a file in whoever's words. A person answers for all that is in it then; a program is named with the rest.
    pub async fn write_file(&self, user: UserId, author: &Author, name: &str, content: String) -> Result<()> {
        let folder = self.folder_of(user).await?;
        let origins = match author.origin() {
            None => Vec::new(),
            Some(origin) => {
                self.may_write(user, author.reader(), name).await?;
                let own = self.shelf().name_of(&folder, name).await?;
                let mut origins = self.shelf().origins(user, own.as_str()).await?;
                origins.push(origin);
                origins.sort();
                origins.dedup();
                origins
            }
        };
        Ok(self.shelf().put(user, &folder, name, content, origins).await?)
    }

    /// Deletes a file; its history stays.
    pub async fn delete_file(&self, user: UserId, reader: Reader, name: &str) -> Result<()> {
        self.may_write(user, reader, name).await?;
        let (folder, name) = (self.folder_of(user).await?, name.to_owned());
        Ok(self.shelf().open(&folder, move |memories| memories.delete(&name).map(drop)).await?)
    }

    /// Brings back what a file said after a change of its history.
    pub async fn restore_file(&self, user: UserId, name: &str, change: String) -> Result<()> {
        let folder = self.folder_of(user).await?;
        Ok(self.shelf().restore(&folder, name, change).await?)
    }

    /// Takes words out of the files as they are, or tells what would be taken out. It is the person who forgets.
    pub async fn forget_in_files(
        &self,
        user: UserId,
        redaction: Redaction,
        change: bool,
    ) -> Result<ForgottenFiles> {
        let folder = self.folder_of(user).await?;
        Ok(self.shelf().open(&folder, move |memories| memories.forget(&redaction, change)).await?)
    }

    /// Takes what was forgotten out of the history of the files, too. Other changes wait for their own time.
    pub async fn purge_file_history(
        &self,
        user: UserId,
        changes: HistoryChanges,
        waiting: Vec<HistoryChanges>,
    ) -> Result<()> {
        let folder = self.folder_of(user).await?;
        let purge = move |memories: &Memories<'_>| memories.purge_history(&changes, &waiting);
        Ok(self.shelf().open(&folder, purge).await?)
    }

    /// What cannot be seen whole cannot be written over: its private lines would be gone.
    async fn may_write(&self, user: UserId, reader: Reader, name: &str) -> Result<()> {
        if reader.is_person() {
            return Ok(());
        }
        let (sight, folder) = (self.sight(user, reader).await?, self.folder_of(user).await?);
        let content = match self.shelf().view(user, &folder, name).await {
            Ok(view) => view.content,
            // It is not there yet, or its name is none, which writing says.
            Err(_) => String::new(),
        };
        if sight.shows(name) && content.lines().all(|line| sight.shows(line)) {
            return Ok(());
        }
        let theirs = "this file holds something private, so it is for the person to change";
        Err(MemoryError::NotYours(theirs.into()))
    }
}

/// Whose words are in kept values is kept with whose words are in everything else.
#[async_trait]
impl ValueOrigins for Memory {
    async fn all(&self, user: UserId) -> std::result::Result<Vec<(String, Vec<Origin>)>, ToolError> {
        self.store().value_origins(user).await.map_err(failed)
    }

    async fn set(
        &self,
        user: UserId,
        name: &str,
        origins: Vec<Origin>,
    ) -> std::result::Result<(), ToolError> {
        self.store().set_value_origins(user, name, origins).await.map_err(failed)
    }
}
