use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use host::Clock;
use jiff::Timestamp;
use model::{ChatModel, ChatRequest, Priority};
use store::Store;
use workspace::Desk;

use crate::companion::Companion;
use crate::processes::Process;

const DAY: Duration = Duration::from_hours(24);
/// The time for which the events of a turn are kept after its end.
const EVENTS: Duration = DAY;
/// The time for which a deleted conversation can be restored.
const DELETED: Duration = DAY.saturating_mul(30);
/// The time without use after which a browser has to sign in again.
const SESSIONS: Duration = DAY.saturating_mul(90);

/// Deletes expired data and optimises the database.
pub struct Housekeeping {
    pub store: Arc<Store>,
    pub clock: Arc<dyn Clock>,
    pub desk: Option<Desk>,
}

#[async_trait]
impl Process for Housekeeping {
    fn id(&self) -> &'static str {
        "housekeeping"
    }

    fn name(&self) -> &'static str {
        "Housekeeping"
    }

    fn about(&self) -> &'static str {
        "Clears away old turn logs, conversations deleted a month ago, forgotten sign-ins and what was proposed in code \
         long ago, and tidies the database."
    }

    fn every(&self) -> Duration {
        Duration::from_hours(1)
    }

    async fn run(&self) -> Result<String, String> {
        let before = |age: Duration| self.clock.now().saturating_sub(age).unwrap_or(Timestamp::MIN);
        let words = |error: store::StoreError| error.to_string();
        let events = self.store.purge_events_before(before(EVENTS)).await.map_err(words)?;
        let deleted = self.store.purge_deleted_before(before(DELETED)).await.map_err(words)?;
        let sessions = self.store.purge_sessions_before(before(SESSIONS)).await.map_err(words)?;
        let proposals = match &self.desk {
            Some(desk) => desk.prune(self.clock.now()).await.map_err(|error| error.to_string())?,
            None => 0,
        };
        self.store.optimize().await.map_err(words)?;
        Ok(format!(
            "{events} turn logs, {deleted} deleted conversations, {sessions} sign-ins and the files of {proposals} old \
             proposals cleared away"
        ))
    }
}

/// Returns the active model if it is ready at this moment.
type ReadyModel = Box<dyn Fn() -> Option<Arc<dyn ChatModel>> + Send + Sync>;

/// Keeps the fixed beginning of every prompt in the model's cache, so that answers begin at once, even after a start
/// and after an edit of the soul.
pub struct Prewarming {
    companion: Companion,
    ready: ReadyModel,
    done: Mutex<Option<(String, String)>>,
}

impl Prewarming {
    /// Creates the process. `ready` must not load a model, because no request needs one yet.
    pub fn new(
        companion: Companion,
        ready: impl Fn() -> Option<Arc<dyn ChatModel>> + Send + Sync + 'static,
    ) -> Self {
        Self { companion, ready: Box::new(ready), done: Mutex::new(None) }
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
        let inner = self.companion.inner();
        let Some(model) = (self.ready)() else { return Ok("no model is ready".into()) };
        let owner = inner.store.owner().await.map_err(|error| error.to_string())?;
        let beginning = inner.beginning(&owner, model.as_ref()).await;
        let tools: Vec<&str> = beginning.offer.specs.iter().map(|spec| spec.name.as_str()).collect();
        let key = (format!("{} {}", model.info().name, tools.join(" ")), beginning.system.text.clone());
        if self.done.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(&key) {
            return Ok("nothing has changed".into());
        }
        let messages = beginning.system.messages();
        let request = ChatRequest {
            opening: messages.len(),
            messages,
            tools: beginning.offer.specs,
            priority: Priority::Background,
            ..ChatRequest::default()
        };
        model.prewarm(request).await.map_err(|error| error.to_string())?;
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = Some(key);
        Ok("the soul files were read".into())
    }
}

#[cfg(test)]
#[path = "housekeeping_tests.rs"]
mod tests;
