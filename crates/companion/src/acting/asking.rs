//! The gate, and the question to the user where it needs one.

use protocol::{
    AuditDecision, Confirmation, Event, Origin, Permission, Push, Remember, ToolStatus, WaitingConfirmation,
};
use serde_json::Value;
use tools::{Decision, Known, decide};

use super::{Acting, Ready, Refusal};
use crate::confirmations::Answer;

/// What is heard after a question.
enum Heard {
    Answer(Answer),
    Nothing,
    Stop,
}

impl Acting<'_> {
    /// The gate. What it lets through may run, after a yes where one is needed.
    pub(super) async fn pass_gate(
        &self,
        ready: &Ready<'_>,
    ) -> Result<(AuditDecision, Option<String>), Refusal> {
        let (spec, permissions) = (ready.tool.spec(), self.inner.hands.permissions_of(&self.user));
        let store = &self.inner.store;
        let granted =
            store.is_granted(self.user.id, &spec.name, &ready.arguments).await.unwrap_or_else(|error| {
                tracing::warn!("grants cannot be read, so the user is asked: {error}");
                false
            });
        let (known, effects) = (self.known(), ready.tool.effects(&ready.arguments));
        let ruling = ready.tool.ruling(&ready.arguments);
        let act = tools::Act {
            spec,
            effects: &effects,
            arguments: &ready.arguments,
            permission: permissions.holding(spec),
            granted,
            ruling: &ruling,
            taint: &self.taint,
            known: &known,
        };
        let blocked = |why: String| Refusal {
            status: ToolStatus::Blocked,
            decision: AuditDecision::Blocked,
            text: why.clone(),
            why: Some(why),
        };
        match decide(&act) {
            Decision::Allow => Ok((AuditDecision::Allowed, None)),
            Decision::Refuse(why) => Err(blocked(why)),
            Decision::Ask { why, tainted } => {
                self.ask(ready, why.clone(), tainted).await?;
                // It may have been blocked or switched off while the question stood.
                if self.tool(&spec.name).is_none() {
                    return Err(blocked(format!("{} is switched off.", spec.name)));
                }
                let act = tools::Act { permission: permissions.holding(spec), ..act };
                match decide(&act) {
                    Decision::Refuse(why) => Err(blocked(why)),
                    Decision::Allow | Decision::Ask { .. } => Ok((AuditDecision::Approved, Some(why))),
                }
            }
        }
    }

    /// Asks the user. No answer is a no.
    async fn ask(&self, ready: &Ready<'_>, why: String, tainted: bool) -> Result<(), Refusal> {
        let (inner, log, spec) = (self.inner, self.log, ready.tool.spec());
        let foretold = ready.tool.foretell(&self.invocation(ready)).await.map_err(|error| Refusal {
            status: ToolStatus::Failed,
            decision: AuditDecision::Refused,
            text: error.to_string(),
            why: None,
        })?;
        let until = inner.clock.now() + inner.settings().confirm_within;
        let confirmation = Confirmation {
            id: ready.id.clone(),
            tool: spec.name.clone(),
            description: foretold.unwrap_or_else(|| spec.description.clone()),
            args: Value::Object(ready.arguments.clone()),
            risk: spec.risk,
            why: why.clone(),
            tainted,
            until: until.to_string(),
        };
        let waiting = WaitingConfirmation {
            conversation_id: log.conversation,
            message_id: log.message,
            confirmation: confirmation.clone(),
        };
        let answer = inner.questions.ask(self.user.id, waiting.clone());
        log.push(ready.event(ToolStatus::Waiting));
        log.push(Event::Confirmation(confirmation));
        inner.feed.tell(self.user.id, Push::ConfirmationAsked { waiting });
        let answer = tokio::select! {
            answer = answer => answer.map_or(Heard::Nothing, Heard::Answer),
            () = inner.clock.sleep_until(until) => Heard::Nothing,
            () = log.cancelled().cancelled() => Heard::Stop,
        };
        inner.questions.withdraw(&ready.id);
        inner.feed.tell(self.user.id, Push::ConfirmationSettled { id: ready.id.clone() });
        let no = |decision, text: &str| {
            Err(Refusal {
                status: ToolStatus::Denied,
                decision,
                text: text.to_owned(),
                why: Some(why.clone()),
            })
        };
        match answer {
            Heard::Answer(Answer::Yes(remember)) => {
                // What others' words may have brought about is allowed once, and no more.
                if let Some(remember) = remember.filter(|_| !tainted) {
                    self.remember(ready, remember).await;
                }
                Ok(())
            }
            Heard::Answer(Answer::No) => {
                no(AuditDecision::Denied, "The user said no to this. Do not try it again; go on without it.")
            }
            Heard::Nothing => no(
                AuditDecision::TimedOut,
                "The user did not answer in time, so it was not done. Go on without it.",
            ),
            Heard::Stop => no(AuditDecision::Stopped, "It was stopped."),
        }
    }

    async fn remember(&self, ready: &Ready<'_>, remember: Remember) {
        let name = &ready.tool.spec().name;
        let kept = match remember {
            Remember::Tool => {
                let (said, tool) = (self.inner.hands.permissions_of(&self.user), name.clone());
                let kept = tokio::task::spawn_blocking(move || said.set(&tool, Some(Permission::Allow)));
                kept.await
                    .map_err(|error| error.to_string())
                    .and_then(|kept| kept.map_err(|error| error.to_string()))
            }
            // The arguments are words of the conversation.
            Remember::Arguments if self.is_passing() => return,
            Remember::Arguments => {
                let grant = self.inner.store.grant(self.user.id, name, &ready.arguments);
                grant.await.map_err(|error| error.to_string())
            }
        };
        match kept {
            Ok(()) => self.inner.feed.tell(self.user.id, Push::PermissionsChanged),
            Err(error) => tracing::warn!("the permission for {name} was not kept: {error}"),
        }
    }

    /// What was visited does not count: where a visit leads is for the page to choose.
    fn known(&self) -> Known {
        let found = self.taint.origins().iter().filter_map(|origin| match origin {
            Origin::Search(address) => Some(address.clone()),
            Origin::Web(_) | Origin::File(_) | Origin::Mcp(_) | Origin::Picture(_) | Origin::Workspace(_) => {
                None
            }
        });
        Known { words: self.words.clone(), found: found.collect() }
    }
}
