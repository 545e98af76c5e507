use std::sync::Arc;

use async_trait::async_trait;
use companion::ModelSource;
use config::LiveConfig;
use model::{CacheKey, ChatModel, ModelError, Roster};
use tokio_util::sync::CancellationToken;

/// When the model is loaded into this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loading {
    /// For a server, and for whoever is about to say something.
    AtOnce,
    /// With the first turn. A command that lists users need not read gigabytes.
    WhenNeeded,
}

/// Whether somebody has asked for the model.
#[derive(Debug, Clone, Default)]
pub struct Demand(CancellationToken);

impl Demand {
    pub fn new(loading: Loading) -> Self {
        let demand = Self::default();
        if loading == Loading::AtOnce {
            demand.ask();
        }
        demand
    }

    pub fn ask(&self) {
        self.0.cancel();
    }

    pub async fn asked(&self) {
        self.0.cancelled().await;
    }
}

/// The roster's model, which is loaded once a turn asks for it.
pub struct OnDemand {
    pub roster: Roster,
    pub config: Arc<LiveConfig>,
    pub demand: Demand,
}

#[async_trait]
impl ModelSource for OnDemand {
    async fn current(&self) -> Result<Arc<dyn ChatModel>, ModelError> {
        self.demand.ask();
        // A turn that begins after a change is answered by the model that was chosen then.
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
