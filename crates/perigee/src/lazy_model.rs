use std::sync::Arc;

use async_trait::async_trait;
use companion::ModelSource;
use config::LiveConfig;
use model::{CacheKey, ChatModel, ModelError, Roster};
use tokio_util::sync::CancellationToken;

/// The time at which the model is loaded into this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelLoading {
    /// At once: for a server, and for commands that send a message.
    AtOnce,
    /// With the first turn: a command that lists users need not read gigabytes.
    WhenNeeded,
}

/// The signal to load the model into this process.
#[derive(Debug, Clone, Default)]
pub struct LoadSignal(CancellationToken);

impl LoadSignal {
    pub fn new(loading: ModelLoading) -> Self {
        let signal = Self::default();
        if loading == ModelLoading::AtOnce {
            signal.send();
        }
        signal
    }

    pub fn send(&self) {
        self.0.cancel();
    }

    pub async fn wait(&self) {
        self.0.cancelled().await;
    }
}

/// The roster's model, loaded when a turn first needs it.
pub struct LazyModelSource {
    pub roster: Roster,
    pub config: Arc<LiveConfig>,
    pub signal: LoadSignal,
}

#[async_trait]
impl ModelSource for LazyModelSource {
    async fn current(&self) -> Result<Arc<dyn ChatModel>, ModelError> {
        self.signal.send();
        // A turn must use the model of the latest settings.
        self.config.reload_if_changed();
        self.roster.configure(&self.config.current().llm);
        ModelSource::current(&self.roster).await
    }

    fn name(&self) -> String {
        ModelSource::name(&self.roster)
    }

    async fn forget(&self, key: &CacheKey) {
        ModelSource::forget(&self.roster, key).await;
    }
}
