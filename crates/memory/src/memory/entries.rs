//! Entries of the vector store, saved and found by users and programs.

use std::sync::Arc;

use protocol::{MemoryItem, MemoryKind, UserId, VectorEntry, VectorEntryList};
use store::{NewEntry, ObjectKind, StoreError};

use super::embedding::PATIENCE;
use super::{Memory, MemoryError, Result, read, run_blocking};
use crate::access::{Author, Recipient};

/// The maximum size of an entry in bytes: more than a page can show.
const LONGEST_ENTRY: usize = 100_000;

impl Memory {
    /// Saves an entry of the vector store with its author. A program replaces only its own entry, whether or not other
    /// authors' entries are hidden from it: the answer is the same.
    pub async fn save_entry(&self, user: UserId, author: &Author, mut new: NewEntry) -> Result<VectorEntry> {
        if new.content.len() > LONGEST_ENTRY {
            let words = format!("an entry has at most {LONGEST_ENTRY} bytes: write a memory file");
            return Err(MemoryError::Invalid(words));
        }
        new.origins.extend(author.origin());
        new.author = author.program();
        Ok(self.inner.store.save_entry(user, new).await?)
    }

    pub async fn entry(&self, user: UserId, recipient: Recipient, name: &str) -> Result<VectorEntry> {
        let saved = self.inner.store.entry(user, name).await?;
        if self.privacy_filter(user, &recipient).await?.allows_entry(&saved) {
            Ok(saved.entry)
        } else {
            Err(StoreError::NotFound(ObjectKind::Entry).into())
        }
    }

    pub async fn delete_entry(&self, user: UserId, author: &Author, name: &str) -> Result<VectorEntry> {
        self.entry(user, author.recipient(), name).await?;
        Ok(self.inner.store.delete_entry(user, author.program(), name).await?)
    }

    pub async fn entry_list(
        &self,
        user: UserId,
        recipient: Recipient,
        limit: u32,
        offset: u32,
    ) -> Result<VectorEntryList> {
        if recipient.is_person() {
            return Ok(self.inner.store.entry_list(user, limit, offset).await?);
        }
        // Pages and totals count only visible entries, so that gaps reveal nothing.
        let privacy = self.privacy_filter(user, &recipient).await?;
        let all = self.inner.store.entries(user).await?.into_iter();
        let seen: Vec<VectorEntry> =
            all.filter(|saved| privacy.allows_entry(saved)).map(|saved| saved.entry).collect();
        let total = u32::try_from(seen.len()).unwrap_or(u32::MAX);
        let entries = seen.into_iter().skip(offset as usize).take(limit as usize).collect();
        Ok(VectorEntryList { entries, total })
    }

    /// Returns the closest entries, best first. Entries that have nothing in common with the text are left out.
    pub async fn search_entries(
        &self,
        user: UserId,
        recipient: Recipient,
        text: &str,
        most: usize,
    ) -> Result<Vec<MemoryItem>> {
        let state = self.user_state(user).await?;
        // Recently saved entries are embedded first, so that they are found by meaning too; if there are many, the rest
        // is found only by words.
        let begun = std::time::Instant::now();
        while begun.elapsed() < PATIENCE
            && self.embed_batch_of(user, |kind| kind == MemoryKind::Entry).await? > 0
        {}
        let question = read(&state.memory).parse_question(text);
        let vector = self.embed_question(&state, &question).await;
        let today = self.today();
        let searched = Arc::clone(&state);
        let hits = run_blocking(move || {
            let memory = read(&searched.memory);
            memory.search_entries(question, vector.as_deref(), today, most, &recipient)
        });
        self.found(&state, hits.await).await
    }
}
