use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use config::Llm;
use engine::{Engine, EngineOptions};
use model::{CacheKey, ChatModel, EngineLoader, ModelError};

use crate::lazy_model::LoadSignal;

const MEGABYTE: u64 = 1024 * 1024;
/// The default size of the cache for idle conversations: a share of the machine's memory, up to a maximum.
const CACHE_SHARE: u64 = 8;
const LARGEST_CACHE: u64 = 1024 * MEGABYTE;
const SMALLEST_CACHE: u64 = 64 * MEGABYTE;

/// Loads model files into this process.
pub struct EmbeddedEngineLoader {
    pub state_cache: PathBuf,
    pub signal: LoadSignal,
}

#[async_trait]
impl EngineLoader for EmbeddedEngineLoader {
    async fn load(&self, path: &Path, llm: &Llm) -> Result<Arc<dyn ChatModel>, ModelError> {
        self.signal.wait().await;
        let options = EngineOptions {
            context: llm.num_ctx,
            threads: llm.threads,
            parallel: llm.parallel,
            cache_bytes: cache_bytes(llm.cache_mb),
            disk_cache: self.state_cache.clone(),
            disk_cache_bytes: u64::from(llm.disk_cache_mb) * MEGABYTE,
        };
        let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let path = path.to_owned();
        let loading = tokio::task::spawn_blocking(move || Engine::load(&path, &name, &options));
        let engine = loading
            .await
            .map_err(|error| ModelError::Failed(format!("loading was interrupted: {error}")))??;
        Ok(Arc::new(engine))
    }

    async fn forget(&self, key: &CacheKey) {
        let (folder, key) = (self.state_cache.clone(), key.clone());
        let forgetting = tokio::task::spawn_blocking(move || engine::forget(&folder, &key.0));
        if let Err(error) = forgetting.await {
            tracing::warn!("the saved model state of a conversation was not removed: {error}");
        }
    }
}

fn cache_bytes(configured_mb: u32) -> usize {
    let bytes = match configured_mb {
        0 => (host::machine().memory_total.unwrap_or(0) / CACHE_SHARE).clamp(SMALLEST_CACHE, LARGEST_CACHE),
        megabytes => u64::from(megabytes) * MEGABYTE,
    };
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
