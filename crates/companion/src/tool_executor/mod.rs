//! Tool execution: the only way from a call to its effect, whether the call comes from a reply, the fast path, a button
//! or an API client.
//!
//! 1. The call is checked. The tool is looked up by name or tag, and one whose group is switched off is not found. An
//!    active skill may exclude it. The arguments are converted to the types of the schema; if they do not fit, the
//!    model is told what is wrong. A call that is repeated too often in a turn is refused.
//! 2. The gate decides ([`tools::decide`]) by the user's permission, the stored grants for exactly these arguments, the
//!    user's rules, and the taint of the prompt. If it asks, the turn waits for the user. A yes can be stored as a
//!    permission or a grant, but not while there is taint. The permission is checked once more after the answer.
//! 3. The tool runs within its time limit, its output is cut, and a panic fails this call alone. Calls of one reply run
//!    in parallel, unless they touch the same area and one of them changes it.
//! 4. The outcome is stored with the message and written into the audit log, and only then sent.
//!
//! The origins of a result are stored with the message in the transaction of its round, and pass into the summary that
//! replaces it. So the taint of a prompt covers the whole branch, also after a restart.

mod call_outcome;
mod checked_call;
mod outcome;
mod permission;
mod user_channel;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use futures_util::future::join_all;
use memory::{MemoryError, Secrets};
use protocol::{AuditDecision, ConversationId, MessageId, Origin, ToolStatus, User};
use serde_json::Value;
use store::StoreError;
use tokio_util::sync::CancellationToken;
use tools::{Effect, Group, Taint, Tool, ToolError, ToolOutput};

pub use self::call_outcome::CallOutcome;
use self::call_outcome::{CallEnd, INCOGNITO, REPEATED};
use self::checked_call::{CallRefusal, CheckedCall};
use crate::forgetting;
use crate::requested_call::RequestedCall;
use crate::services::Services;
use crate::tool_search;
use crate::tool_set::ToolSet;
use crate::turn_log::TurnLog;

/// The number of times that the same call may be made in one turn.
const MOST_REPEATS: u32 = 3;
/// The number of calls of one reply that are executed.
const MOST_CALLS: usize = 16;
const TOO_MANY: &str = "make at most 16 calls at once";
/// The number of origins of an answer that are stored by name.
const MOST_ORIGINS: usize = 200;

/// Executes the tool calls of one turn.
pub struct ToolExecutor<'a> {
    services: &'a Arc<Services>,
    log: &'a Arc<TurnLog>,
    user: User,
    folder: Arc<Path>,
    /// True if the turn belongs to a conversation that is stored.
    is_stored: bool,
    /// The conversation named in the audit log.
    audited: Option<ConversationId>,
    /// The origins of untrusted content in the prompt.
    pub taint: Taint,
    /// The messages that the user wrote.
    user_messages: Vec<String>,
    calls_made: Mutex<HashMap<String, u32>>,
    active_skills: Option<ActiveSkills>,
    /// Private facts that are removed from the results of memory tools, if set.
    private_facts: Option<Secrets>,
    tool_set: Arc<ToolSet>,
}

/// The skills that are active in this answer, and the tools that all of them allow.
struct ActiveSkills {
    names: String,
    tools: Vec<String>,
}

impl<'a> ToolExecutor<'a> {
    /// Creates the executor of a turn with all tools of its user. `is_stored` is false for turns outside of stored
    /// conversations.
    pub async fn new(
        services: &'a Arc<Services>,
        log: &'a Arc<TurnLog>,
        is_stored: bool,
        taint: Taint,
        user_messages: Vec<String>,
    ) -> Result<Self, StoreError> {
        let user = services.store.user(log.user).await?;
        let folder = services.tools.folder_of(&user);
        if let Err(error) = host::private_dir(&folder) {
            tracing::warn!("the folder of {} cannot be created: {error}", user.name);
        }
        Ok(Self {
            services,
            log,
            user,
            folder,
            is_stored,
            audited: is_stored.then_some(log.conversation),
            taint,
            user_messages,
            calls_made: Mutex::default(),
            active_skills: None,
            private_facts: None,
            tool_set: Arc::default(),
        })
    }

    /// Removes private facts from the results of memory tools from here on.
    pub async fn hide_private_facts(&mut self) -> Result<(), MemoryError> {
        self.private_facts = Some(self.services.memory.secrets(self.user.id).await?);
        Ok(())
    }

    /// Sets the conversation for the audit log. A button is shown in a conversation, but its action is not part of it.
    #[must_use]
    pub fn audited_in(self, conversation: Option<ConversationId>) -> Self {
        Self { audited: conversation, ..self }
    }

    /// Replaces the full set of tools.
    #[must_use]
    pub fn with_tools(self, tool_set: Arc<ToolSet>) -> Self {
        Self { tool_set, ..self }
    }

    pub fn tool_set(&self) -> &Arc<ToolSet> {
        &self.tool_set
    }

    pub fn user(&self) -> &User {
        &self.user
    }

    /// Adds the origins of untrusted content that has entered the prompt.
    pub fn add_origins(&mut self, origins: impl IntoIterator<Item = Origin>) {
        for origin in origins {
            self.taint.add(origin);
        }
    }

    /// Executes the calls of a reply: independent calls in parallel, dependent calls after those they depend on.
    pub async fn execute(&mut self, calls: Vec<RequestedCall>) -> Vec<CallOutcome> {
        let mut calls: Vec<RequestedCall> = calls.into_iter().map(tool_search::unwrapped).collect();
        let left_out = calls.split_off(calls.len().min(MOST_CALLS));
        let finished: Vec<CancellationToken> = calls.iter().map(|_| CancellationToken::new()).collect();
        let this = &*self;
        let running = calls.iter().enumerate().map(|(number, call)| {
            let earlier: Vec<_> =
                (0..number).filter(|&before| this.must_run_in_order(&calls[before], call)).collect();
            let finished = &finished;
            async move {
                for before in earlier {
                    finished[before].cancelled().await;
                }
                let outcome = this.execute_one(call).await;
                finished[number].cancel();
                outcome
            }
        });
        let mut outcomes = join_all(running).await;
        for outcome in &outcomes {
            self.add_origins(outcome.origins.iter().cloned());
            if let Some(skill) = &outcome.skill {
                self.activate_skill(skill);
            }
        }
        // A separate tool call has an id and must get an answer, even if it is not made.
        let (separate, in_text): (Vec<_>, Vec<_>) = left_out.into_iter().partition(|call| call.id.is_some());
        if !in_text.is_empty()
            && let Some(last) = outcomes.last_mut()
        {
            let note = format!("\n[{} further calls were not made: {TOO_MANY}]", in_text.len());
            last.told.text.push_str(&note);
        }
        let not_made =
            separate.into_iter().map(|call| CallOutcome::not_made(call, format!("Not made: {TOO_MANY}.")));
        outcomes.extend(not_made);
        outcomes
    }

    /// Restricts the turn to the tools that the skill allows. A further skill narrows the set: reading a skill never
    /// allows a tool that an earlier one excluded.
    fn activate_skill(&mut self, skill: &str) {
        let Some(tools) = self.services.tools.skills().allowed_tools(skill) else { return };
        self.active_skills = Some(match self.active_skills.take() {
            None => ActiveSkills { names: skill.to_owned(), tools },
            Some(ActiveSkills { names, tools: earlier }) => ActiveSkills {
                names: format!("{names} and {skill}"),
                tools: earlier.into_iter().filter(|tool| tools.contains(tool)).collect(),
            },
        });
    }

    /// Returns the origins of the content in the answer, newest last, to be stored with it.
    pub fn origins(&self) -> Vec<Origin> {
        self.taint.origins().iter().rev().take(MOST_ORIGINS).rev().cloned().collect()
    }

    /// Returns true if the calls must run in order: both touch the same area, and at least one of them changes it.
    fn must_run_in_order(&self, earlier: &RequestedCall, later: &RequestedCall) -> bool {
        let (Some(earlier), Some(later)) = (self.tool(&earlier.name), self.tool(&later.name)) else {
            return false;
        };
        let (earlier, later) = (earlier.spec(), later.spec());
        earlier.area().is_some() && earlier.area() == later.area() && (earlier.changes() || later.changes())
    }

    async fn execute_one(&self, call: &RequestedCall) -> CallOutcome {
        let id = MessageId::new(self.services.ids.next()).to_string();
        if call.name == tool_search::FIND {
            return self.find(id, call).await;
        }
        let mut checked = match self.check(id.clone(), call) {
            Ok(checked) => checked,
            Err(refusal) => return self.refuse(id, call, refusal).await,
        };
        let (decision, why) = match self.pass_gate(&mut checked).await {
            Ok(passed) => passed,
            Err(refusal) => return self.refuse(id, call, refusal).await,
        };
        let began = Instant::now();
        let outcome = self.run(checked, call, decision, why).await;
        let took = began.elapsed().as_millis();
        tracing::debug!("[tool] {} {:?} in {took} ms", call.name, outcome.status);
        outcome
    }

    /// Returns the tool with its checked arguments, or a refusal.
    fn check(&self, id: String, call: &RequestedCall) -> Result<CheckedCall, CallRefusal> {
        let unavailable = |text: String| CallRefusal {
            status: ToolStatus::Blocked,
            decision: AuditDecision::Blocked,
            why: Some(text.clone()),
            text,
        };
        let wrong_arguments = |text: String| CallRefusal {
            status: ToolStatus::Failed,
            decision: AuditDecision::Refused,
            why: Some("The arguments did not fit.".into()),
            text,
        };
        let arguments = call.arguments.clone().map_err(wrong_arguments)?;
        let Some(tool) = self.tool(&call.name) else {
            // Tools of MCP servers are recognised by the `__` in their names. They are missing while the server has
            // failed or waits for the user's confirmation.
            let hint = if call.name.contains("__") {
                " If its server has failed or waits for the user's yes, the page of servers says so and leads on."
            } else {
                ""
            };
            self.count(&call.name)?;
            let advice = self.advice_without_tool();
            return Err(unavailable(format!("There is no tool {} here.{hint} {advice}", call.name)));
        };
        let spec = tool.spec();
        if let Some(ActiveSkills { names, tools }) = &self.active_skills
            && !tools.contains(&spec.name)
        {
            return Err(unavailable(format!(
                "The skill {names}, which is followed, does not use {}.",
                spec.name
            )));
        }
        let stores = matches!(spec.group, Group::Memory | Group::State | Group::VectorSearch);
        if self.is_incognito() && stores && spec.has(Effect::Changes) && spec.name != forgetting::TOOL {
            return Err(unavailable(INCOGNITO.to_owned()));
        }
        let arguments = arguments.fit(&spec.parameters);
        let mut key = Value::Object(arguments.clone());
        key.sort_all_objects();
        self.count(&format!("{} {key}", spec.name))?;
        spec.check(&arguments).map_err(wrong_arguments)?;
        Ok(CheckedCall { id, at: call.at, tool, arguments })
    }

    /// Counts a call, and refuses it after too many repetitions.
    fn count(&self, call: &str) -> Result<(), CallRefusal> {
        let mut made = self.calls_made.lock().unwrap_or_else(PoisonError::into_inner);
        let times = made.entry(call.to_owned()).or_default();
        *times += 1;
        if *times <= MOST_REPEATS {
            return Ok(());
        }
        Err(CallRefusal {
            status: ToolStatus::Blocked,
            decision: AuditDecision::Blocked,
            text: REPEATED.into(),
            why: Some("The same call was made three times.".into()),
        })
    }

    /// Returns the advice to the model for a tool that does not exist.
    fn advice_without_tool(&self) -> String {
        if !self.tool_set.is_fixed() {
            return "Go on without it.".to_owned();
        }
        let tools = self.tool_set.permitted(&self.services.tools, &self.user);
        let names: Vec<&str> = tools.iter().map(|tool| tool.spec().name.as_str()).collect();
        format!("There are {}.", names.join(", "))
    }

    /// Returns true if the conversation must leave no traces.
    fn is_incognito(&self) -> bool {
        store::is_incognito(self.log.conversation)
    }

    /// Returns true if the whole result of the call would be on the screen.
    pub fn only_shows(&self, call: &RequestedCall) -> bool {
        self.tool(&call.name).is_some_and(|tool| tool.spec().has(Effect::Shows))
    }

    fn tool(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.tool_set.find(&self.services.tools, &self.user, name)
    }

    async fn run(
        &self,
        checked: CheckedCall,
        call: &RequestedCall,
        decision: AuditDecision,
        why: Option<String>,
    ) -> CallOutcome {
        self.log.push(checked.event(ToolStatus::Running));
        let began = Instant::now();
        let mut had_wrong_arguments = false;
        let (status, output) = match tools::run(checked.tool.as_ref(), self.invocation(&checked)).await {
            Ok(output) if output.failed => (ToolStatus::Failed, output),
            Ok(output) => (ToolStatus::Done, output),
            Err(error) => {
                had_wrong_arguments = matches!(error, ToolError::Impossible(_));
                // A server that answers with invalid data may have chosen the words of the error message.
                let origins = if error.may_quote() { contacted(&checked) } else { None };
                let output = ToolOutput::text(error.to_string());
                (ToolStatus::Failed, ToolOutput { origins: origins.into_iter().collect(), ..output })
            }
        };
        let ms = Some(u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX));
        let end = CallEnd {
            had_wrong_arguments,
            ms,
            decision,
            why,
            ..CallEnd::after_run(&checked, status, output)
        };
        self.end(checked.id, call, end).await
    }
}

/// Returns the server or address that the tool contacts, if the tool brings untrusted content.
fn contacted(checked: &CheckedCall) -> Option<Origin> {
    let spec = checked.tool.spec();
    if let Some(server) = &spec.server {
        return Some(Origin::Mcp(server.clone()));
    }
    let brings_others_words = spec.has(Effect::BringsUntrusted) && spec.has(Effect::SendsOut);
    let address = spec.address.and_then(|name| checked.arguments.get(name)?.as_str());
    brings_others_words.then(|| Origin::Web(address.unwrap_or(&spec.name).to_owned()))
}
