//! Keeps the state in memory in step with the store.

use std::collections::HashSet;
use std::sync::Arc;

use model::EmbeddingModel;
use protocol::{ConversationId, FactId, MemoryKind, MessageId};
use store::{Followed, MemoryChange, SaidMessage, StoreError};
use vectors::Regions;

use super::embedding::in_time;
use super::{Embedder, Following, Memory, Person, Result, on_the_side, read, write};
use crate::library::{Key, Library};

/// The number of messages that are read from the store per page.
const PAGE: u32 = 2_000;

impl Memory {
    /// Brings the state in memory up to date with the store.
    pub(super) async fn catch_up(&self, person: &Arc<Person>) -> Result<()> {
        let mut following = person.following.lock().await;
        let store = &self.inner.store;
        match following.seq {
            None => {
                let seq = store.memory_seq().await?;
                self.read_all(person).await?;
                following.seq = Some(seq);
                following.embedder = None;
                following.stamps.clear();
            }
            Some(seq) => match store.memory_changes(person.user.id, seq).await? {
                Followed::Lost { seq } => {
                    self.read_all(person).await?;
                    following.seq = Some(seq);
                    following.embedder = None;
                    following.stamps.clear();
                }
                Followed::Changes { changes, seq } => {
                    self.apply(person, changes).await?;
                    following.seq = Some(seq);
                }
            },
        }
        let stamps = self.inner.shelf.stamps(&person.folder).await?;
        if stamps != following.stamps {
            let texts = self.inner.shelf.texts(person.user.id, &person.folder).await?;
            write(&person.library).set_files(&texts);
            following.stamps = stamps;
        }
        let this = self.clone();
        let current = async move { this.inner.embeddings.current().await };
        if let Some(model) = in_time(current).await.flatten() {
            self.take_embedder(person, &mut following, model.as_ref()).await?;
        }
        Ok(())
    }

    /// Reads everything from the store again.
    async fn read_all(&self, person: &Arc<Person>) -> Result<()> {
        let (store, user) = (&self.inner.store, person.user.id);
        let mut library = Library::new(&person.names, self.inner.clock.time_zone());
        let mut last = MessageId::new(0);
        loop {
            let page = store.said_after(user, last, PAGE).await?;
            let Some(newest) = page.last() else { break };
            last = newest.id;
            library = on_the_side(move || {
                for message in &page {
                    library.add_message(message);
                }
                library
            })
            .await;
        }
        for summary in store.summaries(user, None).await? {
            library.add_summary(summary);
        }
        for saved in store.entries(user).await? {
            library.add_entry(saved);
        }
        for fact in store.facts(user).await? {
            library.set_fact(fact);
        }
        *write(&person.library) = library;
        Ok(())
    }

    async fn apply(&self, person: &Arc<Person>, changes: Vec<MemoryChange>) -> Result<()> {
        let (store, user) = (&self.inner.store, person.user.id);
        let mut seen = HashSet::new();
        for change in changes.into_iter().filter(|change| seen.insert(*change)) {
            match change {
                MemoryChange::Message(id) => match store.said(user, [id]).await?.remove(&id) {
                    Some(message) => self.place(person, message).await?,
                    None => write(&person.library).remove(Key::message(id)),
                },
                MemoryChange::Conversation(id) => self.read_conversation(person, id, None).await?,
                MemoryChange::Summary(id) => {
                    let found = store.summaries(user, Some(id)).await?;
                    let mut library = write(&person.library);
                    library.drop_summary(id);
                    for summary in found {
                        library.add_summary(summary);
                    }
                }
                MemoryChange::Entry(row) => {
                    let found = store.entry_in_row(user, row).await?;
                    let mut library = write(&person.library);
                    library.remove(Key { kind: MemoryKind::Entry, item: row });
                    if let Some(saved) = found {
                        library.add_entry(saved);
                    }
                }
                MemoryChange::Fact(id) => {
                    let id = FactId::new(id);
                    match store.fact(user, id).await {
                        Ok(fact) => write(&person.library).set_fact(fact),
                        Err(StoreError::NotFound(_)) => write(&person.library).drop_fact(id),
                        Err(error) => return Err(error.into()),
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a message to its conversation. One in the middle of a conversation moves those around it.
    async fn place(&self, person: &Arc<Person>, message: SaidMessage) -> Result<()> {
        let is_next = read(&person.library).is_next(&message);
        if is_next {
            write(&person.library).add_message(&message);
            return Ok(());
        }
        self.read_conversation(person, message.conversation, Some(message.id)).await
    }

    /// Messages keep their vectors, except the one that has changed.
    async fn read_conversation(
        &self,
        person: &Arc<Person>,
        id: ConversationId,
        changed: Option<MessageId>,
    ) -> Result<()> {
        let messages = self.inner.store.said_in(person.user.id, id).await?;
        let summaries = self.inner.store.summaries(person.user.id, Some(id)).await?;
        let mut library = write(&person.library);
        let same = messages.iter().map(|message| message.id).filter(|&id| Some(id) != changed);
        let vectors: Vec<(Key, Vec<u8>)> =
            same.map(Key::message).filter_map(|key| Some((key, library.vector(key)?))).collect();
        library.drop_conversation(id);
        for message in &messages {
            library.add_message(message);
        }
        for (key, vector) in &vectors {
            library.set_vector(*key, vector);
        }
        for summary in summaries {
            library.add_summary(summary);
        }
        Ok(())
    }

    /// Loads the vectors of the model in use if it is not the one used before.
    pub(super) async fn take_embedder(
        &self,
        person: &Arc<Person>,
        following: &mut Following,
        model: &dyn EmbeddingModel,
    ) -> Result<()> {
        let (name, dimensions) = (model.name(), model.dimensions());
        let same = |known: &Embedder| known.name == name && known.dimensions == dimensions;
        if following.embedder.as_ref().is_some_and(same) {
            return Ok(());
        }
        let id = self.inner.store.embedder(&name, dimensions).await?;
        let kept = self.inner.store.vectors(person.user.id, id).await?;
        let regions = self.inner.store.regions(person.user.id, id).await?;
        let owner = Arc::clone(person);
        on_the_side(move || {
            let regions = regions.and_then(|bytes| Regions::from_bytes(&bytes, dimensions));
            write(&owner.library).load_vectors(dimensions, regions, &kept);
        })
        .await;
        following.embedder = Some(Embedder { id, name, dimensions, is_here: model.is_here() });
        Ok(())
    }
}
