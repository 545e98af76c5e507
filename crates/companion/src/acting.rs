//! From calls to acts: each is checked, passes the gate, waits for a yes where it must, runs, and is told.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dialect::Arguments;
use futures_util::future::join_all;
use protocol::{
    Act, AuditDecision, AuditEntry, Confirmation, Event, MessageId, Origin, Permission, Push, Remember, Risk,
    ToolStatus, User, WaitingConfirmation,
};
use serde_json::{Map, Value};
use store::{StoreError, Told};
use tokio_util::sync::CancellationToken;
use tools::{Decision, Effect, Invocation, Output, Spec, Taint, Tool, decide};

use crate::companion::Inner;
use crate::confirmations::Answer;
use crate::finding;
use crate::turns::TurnLog;

/// The same call is made so often and no more.
const MOST_REPEATS: u32 = 3;
/// So many calls of one reply are looked at.
const MOST_CALLS: usize = 16;
/// The sources of an answer that are remembered by name.
const MOST_ORIGINS: usize = 200;

/// A call that a reply made.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The call's own id, where it came beside the words.
    pub call: Option<String>,
    pub name: String,
    /// As the reply has them, or what is wrong with them.
    pub arguments: Result<Arguments, String>,
    /// Where it stands in the text that is shown, in UTF-16 units.
    pub at: u32,
}

/// What came of a call.
#[derive(Debug, Clone)]
pub struct Done {
    pub told: Told,
    status: ToolStatus,
    /// It went well, and all of it is on the screen.
    pub shown: bool,
    origins: Vec<Origin>,
    follows: Option<String>,
}

impl Done {
    /// What is said to the user where no model says it.
    pub fn in_words(&self) -> String {
        match self.status {
            ToolStatus::Denied => "All right, I did not do it.".to_owned(),
            _ => self.told.text.clone(),
        }
    }
}

/// Acts for one turn.
pub struct Acting<'a> {
    inner: &'a Inner,
    log: &'a TurnLog,
    user: User,
    folder: Arc<Path>,
    /// Whether the turn is one of a conversation that is kept.
    kept: bool,
    pub taint: Taint,
    /// The user's own words.
    words: Vec<String>,
    made: Mutex<HashMap<String, u32>>,
    /// The skill that is followed.
    following: Option<String>,
}

/// A call with all that is needed to do it.
struct Ready<'a> {
    id: String,
    at: u32,
    tool: &'a Arc<dyn Tool>,
    arguments: Map<String, Value>,
}

/// Why something is not done.
struct Refusal {
    status: ToolStatus,
    decision: AuditDecision,
    text: String,
    why: Option<String>,
}

impl<'a> Acting<'a> {
    pub async fn new(
        inner: &'a Inner,
        log: &'a TurnLog,
        kept: bool,
        taint: Taint,
        words: Vec<String>,
    ) -> Result<Self, StoreError> {
        let user = inner.store.user(log.user).await?;
        let folder = inner.hands.folder_of(&user);
        let (made, following) = (Mutex::default(), None);
        Ok(Self { inner, log, user, folder, kept, taint, words, made, following })
    }

    pub fn user(&self) -> &User {
        &self.user
    }

    /// Does what a reply wants: what is independent at once, what depends on others after them.
    pub async fn perform(&mut self, wanted: Vec<Wanted>) -> Vec<Done> {
        let left_out = wanted.len().saturating_sub(MOST_CALLS);
        let wanted: Vec<Wanted> = wanted.into_iter().take(MOST_CALLS).map(finding::unwrapped).collect();
        let finished: Vec<CancellationToken> = wanted.iter().map(|_| CancellationToken::new()).collect();
        let this = &*self;
        let acts = wanted.iter().enumerate().map(|(place, call)| {
            let earlier: Vec<_> = (0..place).filter(|&before| this.depend(&wanted[before], call)).collect();
            let finished = &finished;
            async move {
                for before in earlier {
                    finished[before].cancelled().await;
                }
                let done = this.act(call).await;
                finished[place].cancel();
                done
            }
        });
        let mut done = join_all(acts).await;
        for one in &done {
            for origin in &one.origins {
                self.taint.add(origin.clone());
            }
            if let Some(skill) = &one.follows {
                self.following = Some(skill.clone());
            }
        }
        if left_out > 0
            && let Some(last) = done.last_mut()
        {
            let note =
                format!("\n[{left_out} further calls were not made: make at most {MOST_CALLS} at once]");
            last.told.text.push_str(&note);
        }
        done
    }

    /// Whose words are in the answer, to be kept with it.
    pub fn origins(&self) -> Vec<Origin> {
        self.taint.origins().iter().rev().take(MOST_ORIGINS).rev().cloned().collect()
    }

    /// Two calls that touch the same things, one of which changes them, are made in order.
    fn depend(&self, earlier: &Wanted, later: &Wanted) -> bool {
        let spec = |call: &Wanted| self.inner.hands.find(&call.name).map(|tool| tool.spec());
        let (Some(earlier), Some(later)) = (spec(earlier), spec(later)) else { return false };
        earlier.area().is_some()
            && earlier.area() == later.area()
            && (earlier.has(Effect::Changes) || later.has(Effect::Changes))
    }

    async fn act(&self, wanted: &Wanted) -> Done {
        let id = MessageId::new(self.inner.ids.next()).to_string();
        if wanted.name == finding::FIND {
            return self.find(id, wanted).await;
        }
        let ready = match self.check(id.clone(), wanted) {
            Ok(ready) => ready,
            Err(refusal) => return self.refuse(&id, wanted, refusal).await,
        };
        let (decision, why) = match self.pass_gate(&ready).await {
            Ok(passed) => passed,
            Err(refusal) => return self.refuse(&id, wanted, refusal).await,
        };
        self.run(ready, wanted, decision, why).await
    }

    /// The tool and its arguments, or why there are none.
    fn check(&self, id: String, wanted: &Wanted) -> Result<Ready<'_>, Refusal> {
        let unavailable = |text: String| Refusal {
            status: ToolStatus::Blocked,
            decision: AuditDecision::Blocked,
            why: Some(text.clone()),
            text,
        };
        let Some(tool) = self.inner.hands.find(&wanted.name) else {
            return Err(unavailable(format!("There is no tool {} here. Go on without it.", wanted.name)));
        };
        let spec = tool.spec();
        if let Some(skill) = &self.following
            && self
                .inner
                .hands
                .skills()
                .allowed_tools(skill)
                .is_some_and(|allowed| !allowed.contains(&spec.name))
        {
            return Err(unavailable(format!(
                "The skill {skill}, which is followed, does not use {}.",
                spec.name
            )));
        }
        let mend = |text: String| Refusal {
            status: ToolStatus::Failed,
            decision: AuditDecision::Refused,
            why: Some("The arguments did not fit.".into()),
            text,
        };
        let arguments = wanted.arguments.clone().map_err(mend)?.fit(&spec.parameters);
        spec.check(&arguments).map_err(mend)?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let mut key = Value::Object(arguments.clone());
        key.sort_all_objects();
        let times = made.entry(format!("{} {key}", spec.name)).or_default();
        *times += 1;
        if *times > MOST_REPEATS {
            return Err(Refusal {
                status: ToolStatus::Blocked,
                decision: AuditDecision::Blocked,
                text: "This very call was made three times. Use what it told you, or do something else."
                    .into(),
                why: Some("The same call was made three times.".into()),
            });
        }
        Ok(Ready { id, at: wanted.at, tool, arguments })
    }

    /// The gate. What it lets through may run, after a yes where one is needed.
    async fn pass_gate(&self, ready: &Ready<'_>) -> Result<(AuditDecision, Option<String>), Refusal> {
        let (spec, permissions) = (ready.tool.spec(), self.inner.hands.permissions_of(&self.user));
        let store = &self.inner.store;
        let granted =
            store.is_granted(self.user.id, &spec.name, &ready.arguments).await.unwrap_or_else(|error| {
                tracing::warn!("grants cannot be read, so the user is asked: {error}");
                false
            });
        let known = self.known();
        let act = tools::Act {
            spec,
            arguments: &ready.arguments,
            permission: permissions.of(&spec.name),
            granted,
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
            Decision::Ask(why) => {
                let tainted = tools::asks_because_of_taint(&act);
                self.ask(ready, why.clone(), tainted).await?;
                // It may have been blocked while the question stood.
                let act = tools::Act { permission: permissions.of(&spec.name), ..act };
                match decide(&act) {
                    Decision::Refuse(why) => Err(blocked(why)),
                    Decision::Allow | Decision::Ask(_) => Ok((AuditDecision::Approved, Some(why))),
                }
            }
        }
    }

    /// Asks the user. No answer is a no.
    async fn ask(&self, ready: &Ready<'_>, why: String, tainted: bool) -> Result<(), Refusal> {
        let (inner, log, spec) = (self.inner, self.log, ready.tool.spec());
        let until = inner.clock.now() + inner.settings().confirm_within;
        let confirmation = Confirmation {
            id: ready.id.clone(),
            tool: spec.name.clone(),
            description: spec.description.clone(),
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
        log.push(self.event(ready, ToolStatus::Waiting, None, None));
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
            Heard::Stop => no(AuditDecision::Denied, "It was stopped."),
        }
    }

    async fn remember(&self, ready: &Ready<'_>, remember: Remember) {
        let name = &ready.tool.spec().name;
        let kept = match remember {
            Remember::Tool => self
                .inner
                .hands
                .permissions_of(&self.user)
                .set(name, Some(Permission::Allow))
                .map_err(|error| error.to_string()),
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

    async fn run(
        &self,
        ready: Ready<'_>,
        wanted: &Wanted,
        decision: AuditDecision,
        why: Option<String>,
    ) -> Done {
        self.log.push(self.event(&ready, ToolStatus::Running, None, None));
        let invocation = Invocation {
            arguments: ready.arguments.clone(),
            user: self.user.id,
            folder: Arc::clone(&self.folder),
            conversation: self.log.conversation,
            cancel: self.log.cancelled().clone(),
        };
        let began = Instant::now();
        let ran = tools::run(ready.tool.as_ref(), invocation).await;
        let took = began.elapsed();
        let (status, output) = match ran {
            Ok(output) => (ToolStatus::Done, output),
            Err(error) => (ToolStatus::Failed, Output::text(error.to_string())),
        };
        self.tell(&ready, wanted, status, output, took, decision, why).await
    }

    /// Keeps what was done, and tells it.
    #[allow(clippy::too_many_arguments, reason = "all of it is told at once")]
    async fn tell(
        &self,
        ready: &Ready<'_>,
        wanted: &Wanted,
        status: ToolStatus,
        output: Output,
        took: Duration,
        decision: AuditDecision,
        why: Option<String>,
    ) -> Done {
        let spec = ready.tool.spec();
        let ms = u32::try_from(took.as_millis()).unwrap_or(u32::MAX);
        let args = Value::Object(ready.arguments.clone());
        self.audit(spec, args.clone(), &output.text, decision, why).await;
        let act = Act {
            id: ready.id.clone(),
            name: spec.name.clone(),
            args,
            status,
            result: Some(Value::String(output.text.clone())),
            ms: Some(ms),
            command: output.command.clone(),
            at: ready.at,
            pinned: false,
        };
        self.keep(act).await;
        if let Some(command) = output.command {
            self.log.push(Event::Command { id: ready.id.clone(), command });
        }
        self.log.push(self.event(ready, status, Some(output.text.clone()), Some(ms)));
        Done {
            told: Told { call: wanted.call.clone(), name: spec.name.clone(), text: output.text },
            status,
            shown: status == ToolStatus::Done && spec.has(Effect::Shows),
            origins: output.origins,
            follows: output.follows,
        }
    }

    async fn refuse(&self, id: &str, wanted: &Wanted, refusal: Refusal) -> Done {
        let Refusal { status, decision, text, why } = refusal;
        let known = self.inner.hands.find(&wanted.name).map(|tool| tool.spec());
        let name = known.map_or(&wanted.name, |spec| &spec.name).clone();
        let args = match &wanted.arguments {
            Ok(Arguments::Named(named)) => Value::Object(named.clone()),
            Ok(Arguments::InOrder(values, named)) => {
                Value::Array(values.iter().cloned().chain([Value::Object(named.clone())]).collect())
            }
            Ok(Arguments::Text(text)) => Value::String(text.clone()),
            Err(_) => Value::Null,
        };
        let risk = known.map_or(Risk::Dangerous, |spec| spec.risk);
        self.note(name.clone(), args.clone(), text.clone(), risk, decision, why).await;
        let result = Some(Value::String(text.clone()));
        let act = Act {
            id: id.to_owned(),
            name: name.clone(),
            args: args.clone(),
            status,
            result: result.clone(),
            ms: None,
            command: None,
            at: wanted.at,
            pinned: false,
        };
        self.keep(act).await;
        self.log.push(Event::Tool { id: id.to_owned(), name: name.clone(), args, status, result, ms: None });
        let told = Told { call: wanted.call.clone(), name, text };
        Done { told, status, shown: false, origins: Vec::new(), follows: None }
    }

    /// Looks for tools that were not named in the prompt. It acts on nothing, so there is nothing to ask about.
    async fn find(&self, id: String, wanted: &Wanted) -> Done {
        let text = finding::answer(&self.inner.hands, &self.user, wanted);
        let args = finding::arguments(wanted);
        let name = wanted.name.clone();
        let result = Some(Value::String(text.clone()));
        let (status, at) = (ToolStatus::Done, wanted.at);
        self.keep(Act {
            id: id.clone(),
            name: name.clone(),
            args: args.clone(),
            status,
            result: result.clone(),
            ms: Some(0),
            command: None,
            at,
            pinned: false,
        })
        .await;
        self.log.push(Event::Tool { id, name: name.clone(), args, status, result, ms: Some(0) });
        let told = Told { call: wanted.call.clone(), name, text };
        Done { told, status, shown: false, origins: Vec::new(), follows: None }
    }

    async fn keep(&self, act: Act) {
        if self.kept
            && let Err(error) = self.inner.store.keep_act(self.log.id, act).await
        {
            tracing::warn!("an act of turn {} was not kept: {error}", self.log.id);
        }
    }

    async fn audit(
        &self,
        spec: &Spec,
        args: Value,
        result: &str,
        decision: AuditDecision,
        why: Option<String>,
    ) {
        self.note(spec.name.clone(), args, result.to_owned(), spec.risk, decision, why).await;
    }

    async fn note(
        &self,
        tool: String,
        args: Value,
        result: String,
        risk: Risk,
        decision: AuditDecision,
        why: Option<String>,
    ) {
        let entry = AuditEntry {
            at: self.inner.clock.now().to_string(),
            user: self.user.id,
            conversation_id: self.kept.then_some(self.log.conversation),
            tool,
            args,
            result,
            risk,
            decision,
            why,
        };
        let hands = Arc::clone(&self.inner.hands);
        let noted = tokio::task::spawn_blocking(move || hands.audit().note(entry)).await;
        if let Ok(Err(error)) = noted {
            tracing::error!("the audit log cannot be written: {error}");
        }
    }

    /// The addresses that tell nobody anything: those in the user's words, and those that were visited or found.
    fn known(&self) -> Vec<String> {
        let visited = self.taint.origins().iter().filter_map(|origin| match origin {
            Origin::Web(address) => Some(address.clone()),
            Origin::File(_) | Origin::Mcp(_) | Origin::Picture(_) => None,
        });
        self.words.iter().cloned().chain(visited).collect()
    }

    fn event(&self, ready: &Ready<'_>, status: ToolStatus, result: Option<String>, ms: Option<u32>) -> Event {
        Event::Tool {
            id: ready.id.clone(),
            name: ready.tool.spec().name.clone(),
            args: Value::Object(ready.arguments.clone()),
            status,
            result: result.map(Value::String),
            ms,
        }
    }
}

enum Heard {
    Answer(Answer),
    Nothing,
    Stop,
}
