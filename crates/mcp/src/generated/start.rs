//! Runs approved generated servers.

use std::sync::Arc;
use std::time::Duration;

use super::error::{GeneratedServerError, NOT_APPROVED};
use super::generated_servers::GeneratedServersState;
use super::server_files::{ManifestEntry, ServerFilesError, source_digest};
use crate::offer_review::OfferReview;
use crate::offered_tool::OfferedTool;
use crate::server_launch::ServerLaunch;
use crate::server_log::ServerLog;
use crate::supervisor::{ServerSupervisor, SupervisorConfig};

const START_TIMEOUT: Duration = Duration::from_secs(20);
const IDLE: Duration = Duration::from_mins(10);

impl GeneratedServersState {
    /// Supervises an approved server: runs it at once or starts it on demand.
    pub(super) async fn supervise(
        self: &Arc<Self>,
        name: &str,
        entry: &ManifestEntry,
        approved_digest: &str,
        tools: Vec<OfferedTool>,
        hosts: &[String],
    ) -> Result<(Arc<ServerSupervisor>, Arc<OfferReview>), GeneratedServerError> {
        let environment = self.environment().await?;
        let (file, storage) = (self.files.source_path(name), self.files.storage(name));
        host::private_dir(&storage).map_err(ServerFilesError::from)?;
        let (mut policy, command) =
            environment.sandboxed_command(&file, &storage).map_err(GeneratedServerError::Off)?;
        if !hosts.is_empty() {
            policy = policy.allow_hosts(environment.parse_hosts(hosts)?);
        }
        let review = Arc::new(OfferReview::new(Some(tools)));
        let config = SupervisorConfig {
            name: name.to_owned(),
            launch: ServerLaunch::Sandboxed { sandbox: Arc::clone(&environment.sandbox), policy, command },
            sign_in: None,
            log: Arc::new(ServerLog::with_file(self.files.log(name))),
            model: Arc::clone(&self.parts.model),
            root: None,
            start_timeout: START_TIMEOUT,
            idle: (!entry.auto_start).then_some(IDLE),
            check: {
                let (files, name, approved) =
                    (self.files.clone(), name.to_owned(), approved_digest.to_owned());
                Some(Box::new(move || {
                    let now =
                        files.entry(&name).and_then(|entry| Ok(source_digest(&files.source(&name)?, &entry)));
                    match now {
                        Ok(now) if now == approved => Ok(()),
                        Ok(_) => Err(NOT_APPROVED.to_owned()),
                        Err(error) => Err(error.to_string()),
                    }
                }))
            },
            review: {
                let review = Arc::clone(&review);
                Box::new(move |offer| {
                    review.set_offer(offer.tools);
                    let (usable, approved) = (review.usable(), review.approved().unwrap_or_default());
                    // A tool that appears later has not been approved.
                    if usable == approved && review.digest_to_approve().is_none() {
                        Ok(())
                    } else {
                        Err("it offers other tools than those you approved".to_owned())
                    }
                })
            },
            changed: {
                let shared = Arc::downgrade(self);
                Box::new(move || {
                    if let Some(shared) = shared.upgrade() {
                        (shared.parts.changed)();
                    }
                })
            },
        };
        Ok((ServerSupervisor::new(config, entry.auto_start && (self.parts.is_on)()), review))
    }
}
