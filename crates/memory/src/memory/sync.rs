//! Keeps the state in memory in step with the store.
//!
//! Triggers of the database record which rows changed, without their words. Each request reads these records first, so
//! that nothing that was edited, has expired, or was deleted comes back.

use std::collections::HashSet;
use std::sync::Arc;

use model::EmbeddingModel;
use protocol::{ConversationId, FactId, MemoryKind, MessageId};
use store::{MemoryChange, MemoryChanges, RecallableMessage, StoreError};
use vectors::Regions;

use super::embedding::in_time;
use super::{Embedder, Memory, Result, SyncState, UserState, read, run_blocking, write};
use crate::user_memory::{ItemKey, UserMemory};

/// The number of messages that are read from the store per page.
const PAGE: u32 = 2_000;

impl Memory {
    /// Brings the state in memory up to date with the store.
    pub(super) async fn catch_up(&self, state: &Arc<UserState>) -> Result<()> {
        let mut sync = state.sync.lock().await;
        let store = &self.inner.store;
        match sync.seq {
            None => {
                let seq = store.memory_seq().await?;
                self.read_all(state).await?;
                sync.seq = Some(seq);
                sync.embedder = None;
                sync.stamps.clear();
            }
            Some(seq) => match store.memory_changes(state.user.id, seq).await? {
                MemoryChanges::Lost { seq } => {
                    self.read_all(state).await?;
                    sync.seq = Some(seq);
                    sync.embedder = None;
                    sync.stamps.clear();
                }
                MemoryChanges::Changes { changes, seq } => {
                    self.apply(state, changes).await?;
                    sync.seq = Some(seq);
                }
            },
        }
        let stamps = self.inner.files.stamps(&state.folder).await?;
        if stamps != sync.stamps {
            let texts = self.inner.files.texts(state.user.id, &state.folder).await?;
            write(&state.memory).set_files(&texts);
            sync.stamps = stamps;
        }
        let this = self.clone();
        let current = async move { this.inner.embeddings.current().await };
        if let Some(model) = in_time(current).await.flatten() {
            self.use_embedding_model(state, &mut sync, model.as_ref()).await?;
        }
        Ok(())
    }

    /// Reads everything from the store again.
    async fn read_all(&self, state: &Arc<UserState>) -> Result<()> {
        let (store, user) = (&self.inner.store, state.user.id);
        let mut memory = UserMemory::new(&state.names, self.inner.clock.time_zone());
        let mut last = MessageId::new(0);
        loop {
            let page = store.said_after(user, last, PAGE).await?;
            let Some(newest) = page.last() else { break };
            last = newest.id;
            memory = run_blocking(move || {
                for message in &page {
                    memory.add_message(message);
                }
                memory
            })
            .await;
        }
        for summary in store.summaries(user, None).await? {
            memory.add_summary(summary);
        }
        for saved in store.entries(user).await? {
            memory.add_entry(saved);
        }
        for fact in store.facts(user).await? {
            memory.set_fact(fact);
        }
        *write(&state.memory) = memory;
        Ok(())
    }

    async fn apply(&self, state: &Arc<UserState>, changes: Vec<MemoryChange>) -> Result<()> {
        let (store, user) = (&self.inner.store, state.user.id);
        let mut seen = HashSet::new();
        for change in changes.into_iter().filter(|change| seen.insert(*change)) {
            match change {
                MemoryChange::Message(id) => match store.said(user, [id]).await?.remove(&id) {
                    Some(message) => self.place(state, message).await?,
                    None => write(&state.memory).remove(ItemKey::message(id)),
                },
                MemoryChange::Conversation(id) => self.read_conversation(state, id, None).await?,
                MemoryChange::Summary(id) => {
                    let found = store.summaries(user, Some(id)).await?;
                    let mut memory = write(&state.memory);
                    memory.drop_summary(id);
                    for summary in found {
                        memory.add_summary(summary);
                    }
                }
                MemoryChange::Entry(row) => {
                    let found = store.entry_in_row(user, row).await?;
                    let mut memory = write(&state.memory);
                    memory.remove(ItemKey { kind: MemoryKind::Entry, item: row });
                    if let Some(saved) = found {
                        memory.add_entry(saved);
                    }
                }
                MemoryChange::Fact(id) => {
                    let id = FactId::new(id);
                    match store.fact(user, id).await {
                        Ok(fact) => write(&state.memory).set_fact(fact),
                        Err(StoreError::NotFound(_)) => write(&state.memory).drop_fact(id),
                        Err(error) => return Err(error.into()),
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a message to its conversation. One in the middle of a conversation moves those around it.
    async fn place(&self, state: &Arc<UserState>, message: RecallableMessage) -> Result<()> {
        let is_next = read(&state.memory).is_next(&message);
        if is_next {
            write(&state.memory).add_message(&message);
            return Ok(());
        }
        self.read_conversation(state, message.conversation, Some(message.id)).await
    }

    /// Messages keep their vectors, except the one that has changed.
    async fn read_conversation(
        &self,
        state: &Arc<UserState>,
        id: ConversationId,
        changed: Option<MessageId>,
    ) -> Result<()> {
        let messages = self.inner.store.said_in(state.user.id, id).await?;
        let summaries = self.inner.store.summaries(state.user.id, Some(id)).await?;
        let mut memory = write(&state.memory);
        let same = messages.iter().map(|message| message.id).filter(|&id| Some(id) != changed);
        let vectors: Vec<(ItemKey, Vec<u8>)> =
            same.map(ItemKey::message).filter_map(|key| Some((key, memory.vector(key)?))).collect();
        memory.drop_conversation(id);
        for message in &messages {
            memory.add_message(message);
        }
        for (key, vector) in &vectors {
            memory.set_vector(*key, vector);
        }
        for summary in summaries {
            memory.add_summary(summary);
        }
        Ok(())
    }

    /// Loads the vectors of the model in use if it is not the one used before.
    pub(super) async fn use_embedding_model(
        &self,
        state: &Arc<UserState>,
        sync: &mut SyncState,
        model: &dyn EmbeddingModel,
    ) -> Result<()> {
        let (name, dimensions) = (model.name(), model.dimensions());
        let same = |known: &Embedder| known.name == name && known.dimensions == dimensions;
        if sync.embedder.as_ref().is_some_and(same) {
            return Ok(());
        }
        let id = self.inner.store.embedder(&name, dimensions).await?;
        let kept = self.inner.store.vectors(state.user.id, id).await?;
        let regions = self.inner.store.regions(state.user.id, id).await?;
        let owner = Arc::clone(state);
        run_blocking(move || {
            let regions = regions.and_then(|bytes| Regions::from_bytes(&bytes, dimensions));
            write(&owner.memory).load_vectors(dimensions, regions, &kept);
        })
        .await;
        sync.embedder = Some(Embedder { id, name, dimensions, is_here: model.is_here() });
        Ok(())
    }
}
