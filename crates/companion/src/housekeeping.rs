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
/// Raw events of a turn are kept this long after it ended.
const EVENTS: Duration = DAY;
/// A deleted conversation can be brought back for this long.
const DELETED: Duration = DAY.saturating_mul(30);
/// A browser that was not used for this long has to sign in again.
const SESSIONS: Duration = DAY.saturating_mul(90);

/// Clears away what is past its time, and keeps the database in shape.
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

/// The model that answers, if it is ready at this moment.
type ReadyModel = Box<dyn Fn() -> Option<Arc<dyn ChatModel>> + Send + Sync>;

/// Keeps the fixed beginning of every prompt evaluated, so that the first word of an answer comes at once,
/// also after a start and after the soul was edited.
pub struct Prewarming {
    companion: Companion,
    ready: ReadyModel,
    done: Mutex<Option<(String, String)>>,
}

impl Prewarming {
    /// `ready` must not make a model load: nobody waits for one yet.
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
