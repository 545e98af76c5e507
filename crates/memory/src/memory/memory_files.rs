//! Memory files as users and programs view and write them.

use ::tools::blocking::failed;
use ::tools::{ToolError, ValueOrigins};
use async_trait::async_trait;
use protocol::{MemoryFile, MemoryFileChange, MemoryFileList, MemoryFileView, Origin, UserId};

use super::{Memory, MemoryError, Result};
use crate::access::{Author, PrivacyFilter, Recipient};
use crate::files::{
    FileText, FileWithHistory, ForgottenFiles, HistoryChanges, ProgramLines, UserMemoryFiles, missing,
};
use crate::redaction::Redaction;

impl Memory {
    pub async fn files(&self, user: UserId, recipient: Recipient) -> Result<MemoryFileList> {
        let folder = self.folder_of(user).await?;
        let mut list = self.memory_files().list(user, &folder).await?;
        if recipient.is_person() {
            return Ok(list);
        }
        // The size counts only what is visible, so that it reveals nothing either.
        let privacy = self.privacy_filter(user, &recipient).await?;
        let texts = self.texts_for(user, &privacy).await?;
        list.files.retain_mut(|file| {
            let seen = texts.iter().find(|text| text.name == file.name);
            file.bytes = seen.map_or(0, |text| u32::try_from(text.text.len()).unwrap_or(u32::MAX));
            seen.is_some()
        });
        Ok(list)
    }

    /// Returns a file with its history. For recipients other than the user, hidden parts are treated as nonexistent.
    pub async fn file(&self, user: UserId, recipient: Recipient, name: &str) -> Result<MemoryFileView> {
        let folder = self.folder_of(user).await?;
        let viewed = self.memory_files().view(user, &folder, name).await?;
        if recipient.is_person() {
            return Ok(viewed.into());
        }
        let privacy = self.privacy_filter(user, &recipient).await?;
        seen(viewed, &privacy).ok_or_else(|| MemoryError::Files(missing(name)))
    }

    /// Returns the texts of the files, limited to what the recipient may see.
    pub(crate) async fn texts_for(&self, user: UserId, privacy: &PrivacyFilter) -> Result<Vec<FileText>> {
        let folder = self.folder_of(user).await?;
        let mut texts = Vec::new();
        for file in self.memory_files().texts(user, &folder).await? {
            if privacy.allows_text(&file.name) && privacy.allows_lines(&file.text, &ProgramLines::default()) {
                texts.push(file);
                continue;
            }
            // The file may have been deleted meanwhile or be hidden from this recipient.
            let viewed = self.memory_files().view(user, &folder, &file.name).await.ok();
            if let Some(view) = viewed.and_then(|viewed| seen(viewed, privacy)) {
                texts.push(FileText { text: view.content, ..file });
            }
        }
        Ok(texts)
    }

    /// Writes a file with its author. If the user writes it, the user vouches for all of its content; a program is
    /// added to the origins.
    pub async fn write_file(&self, user: UserId, author: &Author, name: &str, content: String) -> Result<()> {
        let folder = self.folder_of(user).await?;
        let origins = match author.origin() {
            None => Vec::new(),
            Some(origin) => {
                self.may_write(user, author.recipient(), name).await?;
                let own = self.memory_files().name_of(&folder, name).await?;
                let mut origins = self.memory_files().origins(user, own.as_str()).await?;
                origins.push(origin);
                origins.sort();
                origins.dedup();
                origins
            }
        };
        Ok(self.memory_files().put(user, &folder, (name, content), author.program(), origins).await?)
    }

    /// Deletes a file; its history remains.
    pub async fn delete_file(&self, user: UserId, recipient: Recipient, name: &str) -> Result<()> {
        self.may_write(user, recipient, name).await?;
        let (folder, name) = (self.folder_of(user).await?, name.to_owned());
        Ok(self.memory_files().open(&folder, move |files| files.delete(&name).map(drop)).await?)
    }

    /// Restores the content that a file had after a given change in its history.
    pub async fn restore_file(&self, user: UserId, name: &str, change: String) -> Result<()> {
        let folder = self.folder_of(user).await?;
        Ok(self.memory_files().restore(&folder, name, change).await?)
    }

    /// Removes words from the current files, or reports what would be removed. Only the user can forget.
    pub async fn forget_in_files(
        &self,
        user: UserId,
        redaction: Redaction,
        change: bool,
    ) -> Result<ForgottenFiles> {
        let folder = self.folder_of(user).await?;
        Ok(self.memory_files().forget(user, &folder, redaction, change).await?)
    }

    /// Removes the forgotten words from the history of the files too. The replacements of `waiting` changes are kept
    /// until their own grace period is over.
    pub async fn purge_file_history(
        &self,
        user: UserId,
        changes: HistoryChanges,
        waiting: Vec<HistoryChanges>,
    ) -> Result<()> {
        let folder = self.folder_of(user).await?;
        let purge = move |files: &UserMemoryFiles<'_>| files.purge_history(&changes, &waiting);
        Ok(self.memory_files().open(&folder, purge).await?)
    }

    /// Checks that a program sees the whole file before it overwrites it: hidden private lines would be lost.
    async fn may_write(&self, user: UserId, recipient: Recipient, name: &str) -> Result<()> {
        if recipient.is_person() {
            return Ok(());
        }
        let (privacy, folder) = (self.privacy_filter(user, &recipient).await?, self.folder_of(user).await?);
        // A file that does not exist yet loses nothing, and an invalid name is reported by the write.
        let Ok(viewed) = self.memory_files().view(user, &folder, name).await else {
            return Ok(());
        };
        let Some(content) = viewed.content.clone() else {
            return Ok(());
        };
        if seen(viewed, &privacy).is_some_and(|seen| seen.content == content) {
            return Ok(());
        }
        let theirs = "this file contains something private, so only the user can change it";
        Err(MemoryError::NotYours(theirs.into()))
    }
}

/// Returns what recipients other than the user may see of a file: no line that states something private, unless the
/// reading program wrote it, and nothing of a file whose name does.
fn seen(
    FileWithHistory { file, content, history }: FileWithHistory,
    privacy: &PrivacyFilter,
) -> Option<MemoryFileView> {
    // If the start of the history is not known, the lines of a program cannot be told apart from others.
    let is_known = history.last().is_some_and(|oldest| oldest.is_first);
    if privacy.is_program_among(&file.origins) && !is_known {
        return None;
    }
    let mut own = ProgramLines::default();
    let mut shown = Vec::new();
    for change in history.into_iter().rev() {
        let is_own = privacy.program().is_some_and(|program| change.is_by(program));
        let MemoryFileChange { content, what, id, at } = change.shown;
        own.apply(content.as_deref(), is_own);
        if own.name || privacy.allows_text(&what) {
            let content = content.map(|text| privacy.allowed_lines(text, &own));
            shown.push(MemoryFileChange { id, at, what, content });
        }
    }
    shown.reverse();
    // The file may have been edited by hand since.
    own.apply(content.as_deref(), false);
    let is_there = content.is_some();
    let is_named = own.name || privacy.allows_text(&file.name);
    let content = privacy.allowed_lines(content.unwrap_or_default(), &own);
    let bytes = u32::try_from(content.len()).unwrap_or(u32::MAX);
    let is_seen = is_named && (is_there || !shown.is_empty());
    is_seen.then_some(MemoryFileView { file: MemoryFile { bytes, ..file }, content, history: shown })
}

/// Stores the origins of saved values together with all other origins.
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
