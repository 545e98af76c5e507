//! The permission check for tool calls, and the confirmation request to the user where one is needed.

use std::sync::Arc;

use protocol::{
    AuditDecision, Confirmation, Event, Origin, Permission, Push, Remember, ToolStatus, UserId,
    WaitingConfirmation,
};
use serde_json::Value;
use tools::{CallPreview, GateDecision, KnownAddresses, Ruling, decide};

use super::ToolExecutor;
use super::checked_call::{CallRefusal, CheckedCall};
use crate::confirmations::ConfirmationAnswer;
use crate::services::Services;
use crate::turn_log::TurnLog;

/// The outcome of a confirmation request.
pub(super) enum ConfirmationOutcome {
    Answered(ConfirmationAnswer),
    TimedOut,
    Stopped,
}

impl ToolExecutor<'_> {
    /// Decides whether a call may run, and asks the user where a confirmation is needed. Form values that the user
    /// filled in with the confirmation are merged into the arguments.
    pub(super) async fn pass_gate(
        &self,
        checked: &mut CheckedCall,
    ) -> Result<(AuditDecision, Option<String>), CallRefusal> {
        let tool = Arc::clone(&checked.tool);
        let (spec, permissions) = (tool.spec(), self.services.tools.permissions_of(&self.user));
        let why = match self.decide(checked).await {
            GateDecision::Allow => return Ok((AuditDecision::Allowed, None)),
            GateDecision::Refuse(why) => return Err(blocked(why)),
            GateDecision::Ask { why, tainted } => {
                self.ask(checked, why.clone(), tainted).await?;
                why
            }
        };
        // The tool may have been blocked, switched off or replaced while the confirmation was pending.
        match self.tool(&spec.name) {
            None => return Err(blocked(format!("{} is switched off.", spec.name))),
            Some(now) if !Arc::ptr_eq(&now, &checked.tool) => {
                return Err(blocked(format!("{} has changed since you were asked.", spec.name)));
            }
            Some(_) if permissions.holding(spec) == Permission::Block => {
                return Err(blocked(format!("{} is blocked in the permissions.", spec.name)));
            }
            Some(_) => {}
        }
        match checked.tool.ruling(&checked.arguments) {
            Ruling::Refuse(why) => Err(blocked(why)),
            Ruling::None | Ruling::Allow | Ruling::Ask(_) => Ok((AuditDecision::Approved, Some(why))),
        }
    }

    async fn decide(&self, checked: &CheckedCall) -> GateDecision {
        let spec = checked.tool.spec();
        let store = &self.services.store;
        let granted =
            store.is_granted(self.user.id, &spec.name, &checked.arguments).await.unwrap_or_else(|error| {
                tracing::warn!("grants cannot be read, so the user is asked: {error}");
                false
            });
        decide(&tools::PendingCall {
            spec,
            effects: &checked.tool.effects(&checked.arguments),
            arguments: &checked.arguments,
            permission: self.services.tools.permissions_of(&self.user).holding(spec),
            granted,
            ruling: &checked.tool.ruling(&checked.arguments),
            taint: &self.taint,
            known: &self.known_texts(),
        })
    }

    /// Asks the user for confirmation. No answer counts as a no.
    async fn ask(&self, checked: &mut CheckedCall, why: String, tainted: bool) -> Result<(), CallRefusal> {
        // Where a ruling demands a confirmation, stored grants do not apply either.
        let every_time = tainted || matches!(checked.tool.ruling(&checked.arguments), Ruling::Ask(_));
        let foretold =
            checked.tool.preview(&self.invocation(checked)).await.map_err(|error| CallRefusal {
                status: ToolStatus::Failed,
                decision: AuditDecision::Refused,
                text: error.to_string(),
                why: None,
            })?;
        let spec = checked.tool.spec();
        let CallPreview { text, form, rule } = foretold.unwrap_or_else(|| spec.description.clone().into());
        let confirmation = Confirmation {
            id: checked.id.clone(),
            tool: spec.name.clone(),
            description: text,
            args: Value::Object(checked.arguments.clone()),
            risk: spec.risk,
            why: why.clone(),
            tainted,
            every_time,
            until: String::new(),
            form,
            // A call that must be confirmed every time is confirmed whatever the rules say, so no rule is offered.
            rule: rule.filter(|_| !every_time),
        };
        let has_rule = confirmation.rule.is_some();
        let fields = confirmation.form.as_ref().and_then(|form| form["properties"].as_object().cloned());
        self.log.push(checked.event(ToolStatus::Waiting));
        let no = |decision, text: &str| {
            Err(CallRefusal {
                status: ToolStatus::Denied,
                decision,
                text: text.to_owned(),
                why: Some(why.clone()),
            })
        };
        match request_confirmation(self.services, self.log, self.user.id, confirmation).await {
            ConfirmationOutcome::Answered(ConfirmationAnswer::Yes { remember, filled }) => {
                if let Some(fields) = fields {
                    // Fields that are not in the form were not shown to the user, so the confirmation does not cover
                    // them.
                    checked
                        .arguments
                        .extend(filled.into_iter().filter(|(name, _)| fields.contains_key(name)));
                    checked.tool.spec().check(&checked.arguments).map_err(|text| CallRefusal {
                        status: ToolStatus::Failed,
                        decision: AuditDecision::Refused,
                        text,
                        why: Some("What was filled in does not fit.".to_owned()),
                    })?;
                }
                // A call that untrusted content may have caused, or that must be confirmed every time, is allowed only
                // this once.
                let is_offered = |remember: &Remember| has_rule || *remember != Remember::Rule;
                if let Some(remember) = remember.filter(is_offered).filter(|_| !every_time) {
                    self.remember(checked, remember).await;
                }
                Ok(())
            }
            ConfirmationOutcome::Answered(ConfirmationAnswer::No) => {
                no(AuditDecision::Denied, "The user said no to this. Do not try it again; go on without it.")
            }
            ConfirmationOutcome::TimedOut => no(
                AuditDecision::TimedOut,
                "The user did not answer in time, so it was not done. Go on without it.",
            ),
            ConfirmationOutcome::Stopped => no(AuditDecision::Stopped, "It was stopped."),
        }
    }

    async fn remember(&self, checked: &CheckedCall, remember: Remember) {
        let name = &checked.tool.spec().name;
        let kept = match remember {
            Remember::Tool => {
                let (said, tool) = (self.services.tools.permissions_of(&self.user), name.clone());
                let kept = tokio::task::spawn_blocking(move || said.set(&tool, Some(Permission::Allow)));
                kept.await
                    .map_err(|error| error.to_string())
                    .and_then(|kept| kept.map_err(|error| error.to_string()))
            }
            Remember::Rule => {
                let (tool, arguments) = (Arc::clone(&checked.tool), checked.arguments.clone());
                let kept = tokio::task::spawn_blocking(move || tool.allow_similar(&arguments));
                kept.await
                    .map_err(|error| error.to_string())
                    .and_then(|kept| kept.map_err(|error| error.to_string()))
            }
            // The arguments are part of the conversation, and nothing of an incognito conversation may be stored.
            Remember::Arguments if self.is_incognito() => return,
            Remember::Arguments => {
                let grant = self.services.store.grant(self.user.id, name, &checked.arguments);
                grant.await.map_err(|error| error.to_string())
            }
        };
        match kept {
            Ok(()) => self.services.feed.tell(self.user.id, Push::PermissionsChanged),
            Err(error) => tracing::warn!("the permission for {name} was not kept: {error}"),
        }
    }

    /// Returns the texts and addresses that the taint check treats as known. Addresses of visited pages do not count: a
    /// page chooses its links itself.
    fn known_texts(&self) -> KnownAddresses {
        let found = self.taint.origins().iter().filter_map(|origin| match origin {
            Origin::Search(address) => Some(address.clone()),
            Origin::Web(_)
            | Origin::File(_)
            | Origin::Mcp(_)
            | Origin::Tools(_)
            | Origin::Picture(_)
            | Origin::Workspace(_) => None,
        });
        KnownAddresses { words: self.user_messages.clone(), found: found.collect() }
    }
}

fn blocked(why: String) -> CallRefusal {
    CallRefusal {
        status: ToolStatus::Blocked,
        decision: AuditDecision::Blocked,
        text: why.clone(),
        why: Some(why),
    }
}

/// Sends a confirmation request to a user and waits for the answer. Fills in the deadline.
pub(super) async fn request_confirmation(
    services: &Services,
    log: &TurnLog,
    user: UserId,
    asked: Confirmation,
) -> ConfirmationOutcome {
    let until = services.clock.now() + services.settings().confirm_within;
    let confirmation = Confirmation { until: until.to_string(), ..asked };
    let id = confirmation.id.clone();
    let waiting = WaitingConfirmation {
        conversation_id: log.conversation,
        message_id: log.message,
        confirmation: confirmation.clone(),
    };
    let answer = services.confirmations.ask(user, waiting.clone());
    let _pending = PendingGuard { services, user, id };
    log.push(Event::Confirmation(confirmation));
    services.feed.tell(user, Push::ConfirmationAsked { waiting });
    tokio::select! {
        answer = answer => answer.map_or(ConfirmationOutcome::TimedOut, ConfirmationOutcome::Answered),
        () = services.clock.sleep_until(until) => ConfirmationOutcome::TimedOut,
        () = log.cancelled().cancelled() => ConfirmationOutcome::Stopped,
    }
}

/// A pending confirmation. Dropping it withdraws the request, also when the task that asked is gone.
struct PendingGuard<'a> {
    services: &'a Services,
    user: UserId,
    id: String,
}

impl Drop for PendingGuard<'_> {
    fn drop(&mut self) {
        self.services.confirmations.withdraw(&self.id);
        self.services.feed.tell(self.user, Push::ConfirmationSettled { id: self.id.clone() });
    }
}
