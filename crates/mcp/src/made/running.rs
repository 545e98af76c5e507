//! Runs approved generated servers.

use std::sync::Arc;
use std::time::Duration;

use host::AllowedHosts;
use sandbox::Sandbox;

use super::shelf::{Entry, ShelfError, digest};
use super::workshop::{Inner, NOT_APPROVED, WorkshopError};
use crate::journal::Journal;
use crate::keeper::{Keeper, Kept};
use crate::launch::Launch;
use crate::offered::Offered;
use crate::review::Review;

const PATIENCE: Duration = Duration::from_secs(20);
const IDLE: Duration = Duration::from_mins(10);

impl Inner {
    /// Supervises an approved server: runs it at once or starts it on demand.
    pub(super) async fn keep_running(
        self: &Arc<Self>,
        name: &str,
        entry: &Entry,
        sum: &str,
        tools: Vec<Offered>,
        hosts: &[String],
    ) -> Result<(Arc<Keeper>, Arc<Review>), WorkshopError> {
        let ground = self.ground().await?;
        let (file, storage) = (self.shelf.source_path(name), self.shelf.storage(name));
        host::private_dir(&storage).map_err(ShelfError::from)?;
        let (mut policy, command) = ground.held(&file, &storage).map_err(WorkshopError::Off)?;
        if !hosts.is_empty() {
            policy = policy.allow_hosts(read_hosts(&ground.sandbox, hosts)?);
        }
        let review = Arc::new(Review::new(Some(tools)));
        let kept = Kept {
            name: name.to_owned(),
            launch: Launch::Held { sandbox: Arc::clone(&ground.sandbox), policy, command },
            sign_in: None,
            journal: Arc::new(Journal::kept_in(self.shelf.log(name))),
            model: Arc::clone(&self.parts.model),
            root: None,
            patience: PATIENCE,
            idle: (!entry.auto_start).then_some(IDLE),
            check: {
                let (files, name, sum) = (self.shelf.clone(), name.to_owned(), sum.to_owned());
                Some(Box::new(move || {
                    let now = files.entry(&name).and_then(|entry| Ok(digest(&files.source(&name)?, &entry)));
                    match now {
                        Ok(now) if now == sum => Ok(()),
                        Ok(_) => Err(NOT_APPROVED.to_owned()),
                        Err(error) => Err(error.to_string()),
                    }
                }))
            },
            review: {
                let review = Arc::clone(&review);
                Box::new(move |inventory| {
                    review.see(inventory.tools);
                    let (usable, approved) = (review.usable(), review.approved().unwrap_or_default());
                    // A tool that appears later has not been approved.
                    if usable == approved && review.asks().is_none() {
                        Ok(())
                    } else {
                        Err("it offers other tools than those you approved".to_owned())
                    }
                })
            },
            changed: {
                let inner = Arc::downgrade(self);
                Box::new(move || {
                    if let Some(inner) = inner.upgrade() {
                        (inner.parts.changed)();
                    }
                })
            },
        };
        Ok((Keeper::new(kept, entry.auto_start && (self.parts.is_on)()), review))
    }
}

/// Parses the hosts that the user named, if the sandbox supports network access.
pub(super) fn read_hosts(sandbox: &Sandbox, hosts: &[String]) -> Result<AllowedHosts, WorkshopError> {
    if !sandbox.can_limit_hosts() {
        let missing = sandbox.missing().join("; ");
        return Err(WorkshopError::Off(format!("It cannot have a network on this machine: {missing}.")));
    }
    AllowedHosts::parse(hosts).map_err(|error| WorkshopError::Draft(format!("Among the hosts, {error}.")))
}
