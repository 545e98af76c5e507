use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use model::{ChatModel, ModelRequest, Priority};

use super::supervisor::Process;
use crate::prompt::PromptBuilder;
use crate::services::Services;

/// Returns the active model if it is ready at this moment.
type ReadyModel = Box<dyn Fn() -> Option<Arc<dyn ChatModel>> + Send + Sync>;

/// Keeps the fixed beginning of every prompt in the model's cache, so that answers begin at once, even after a start
/// and after an edit of the soul.
pub struct Prewarming {
    services: Arc<Services>,
    prompts: Arc<PromptBuilder>,
    ready: ReadyModel,
    done: Mutex<Option<(String, String)>>,
}

impl Prewarming {
    /// Creates the process. `ready` must not load a model, because no request needs one yet.
    pub(crate) fn new(
        services: Arc<Services>,
        prompts: Arc<PromptBuilder>,
        ready: impl Fn() -> Option<Arc<dyn ChatModel>> + Send + Sync + 'static,
    ) -> Self {
        Self { services, prompts, ready: Box::new(ready), done: Mutex::new(None) }
    }
}

#[async_trait]
impl Process for Prewarming {
    fn id(&self) -> &'static str {
        "prewarming"
    }

    fn name(&self) -> &'static str {
        "Prewarming"
    }

    fn about(&self) -> &'static str {
        "Has the model read her soul files ahead of time, and again when they change."
    }

    fn every(&self) -> Duration {
        Duration::from_secs(10)
    }

    async fn run(&self) -> Result<String, String> {
        let Some(model) = (self.ready)() else { return Ok("no model is ready".into()) };
        let owner = self.services.store.owner().await.map_err(|error| error.to_string())?;
        let prefix = self.prompts.prefix(&owner, model.as_ref()).await;
        let tools: Vec<&str> = prefix.offer.specs.iter().map(|spec| spec.name.as_str()).collect();
        let key = (format!("{} {}", model.info().name, tools.join(" ")), prefix.system.text.clone());
        if self.done.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(&key) {
            return Ok("nothing has changed".into());
        }
        let messages = prefix.system.messages();
        let request = ModelRequest {
            opening: messages.len(),
            messages,
            tools: prefix.offer.specs,
            priority: Priority::Background,
            ..ModelRequest::default()
        };
        model.prewarm(request).await.map_err(|error| error.to_string())?;
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = Some(key);
        Ok("the soul files were read".into())
    }
}

#[cfg(test)]
#[path = "prewarming_tests.rs"]
mod tests;
