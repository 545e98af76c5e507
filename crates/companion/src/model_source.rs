use std::sync::Arc;

use async_trait::async_trait;
use model::{CacheKey, ChatModel, ModelError};
use protocol::{ConversationId, ModelState};

/// A source of the active chat model.
#[async_trait]
pub trait ModelSource: Send + Sync {
    /// Returns the active model. Waits while it is being loaded.
    async fn current(&self) -> Result<Arc<dyn ChatModel>, ModelError>;

    /// Returns the model's name, or an empty string if there is no model.
    fn name(&self) -> String;

    /// Drops the caches that any model keeps of a conversation, in memory and on disk.
    async fn forget(&self, key: &CacheKey);
}

#[async_trait]
impl ModelSource for model::Roster {
    async fn current(&self) -> Result<Arc<dyn ChatModel>, ModelError> {
        self.current().await
    }

    fn name(&self) -> String {
        match self.state() {
            ModelState::None { .. } => String::new(),
            ModelState::Loading { name }
            | ModelState::Ready { name, .. }
            | ModelState::Failed { name, .. } => name,
        }
    }

    async fn forget(&self, key: &CacheKey) {
        self.forget(key).await;
    }
}

/// Returns the key of a model's cache for a conversation.
pub(crate) fn cache_key(conversation: ConversationId) -> CacheKey {
    CacheKey::new(conversation.to_string())
}

/// Returns the key of a cache that may be written to disk; `None` for an incognito conversation.
pub(crate) fn lasting_key(conversation: ConversationId) -> Option<CacheKey> {
    (!store::is_incognito(conversation)).then(|| cache_key(conversation))
}
