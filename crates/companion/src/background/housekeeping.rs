use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use host::Clock;
use jiff::Timestamp;
use store::Store;
use workspace::OpenWorkspaces;

use super::supervisor::Process;

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
    pub workspaces: Option<OpenWorkspaces>,
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
        let proposals = match &self.workspaces {
            Some(workspaces) => {
                workspaces.prune(self.clock.now()).await.map_err(|error| error.to_string())?
            }
            None => 0,
        };
        self.store.optimize().await.map_err(words)?;
        Ok(format!(
            "{events} turn logs, {deleted} deleted conversations, {sessions} sign-ins and the files of {proposals} old \
             proposals cleared away"
        ))
    }
}
