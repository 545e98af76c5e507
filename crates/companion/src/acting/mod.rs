//! Tool execution: each call is checked, passes the permission check, waits for a confirmation where needed, runs, and
//! is reported.

mod asking;
mod line;
mod telling;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use dialect::Arguments;
use futures_util::future::join_all;
use memory::{MemoryError, Secrets};
use protocol::{AuditDecision, ConversationId, Event, MessageId, Origin, ToolStatus, User};
use serde_json::{Map, Value};
use store::{StoreError, Told};
use tokio_util::sync::CancellationToken;
use tools::{Effect, Group, Invocation, Output, Taint, Tool, ToolError};

use self::line::Line;
use self::telling::Ending;
use crate::companion::Inner;
use crate::finding;
use crate::forget_tool;
use crate::kit::Kit;
use crate::offer::Offer;
use crate::turns::TurnLog;

/// The number of times that the same call may be made in one turn.
const MOST_REPEATS: u32 = 3;
/// The number of calls of one reply that are carried out.
const MOST_CALLS: usize = 16;
const REPEATED: &str = "This very call was made three times. Use what it told you, or do something else.";
/// The longest result, in characters, that the user can read at a glance.
const MOST_READABLE: usize = 600;
const PASSING: &str = "This conversation is incognito: nothing of it is written down.";
const MISUNDERSTOOD: &str =
    "I tried, but did not get it right. Say it in other words, or choose a larger model under Models.";
const TOO_MANY: &str = "make at most 16 calls at once";
/// The number of origins of an answer that are stored by name.
const MOST_ORIGINS: usize = 200;

/// A tool call that a reply requested.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The id of the call, if it came as a separate tool call and not within the text.
    pub call: Option<String>,
    pub name: String,
    /// The arguments as written in the reply, or what is wrong with them.
    pub arguments: Result<Arguments, String>,
    /// The position of the call in the shown text, in UTF-16 units.
    pub at: u32,
}

impl Wanted {
    /// Creates a call of which not even the name can be parsed.
    pub fn unreadable(why: String, at: u32) -> Self {
        Self { call: None, name: "unreadable".to_owned(), arguments: Err(why), at }
    }
}

/// The outcome of a call.
#[derive(Debug, Clone)]
pub struct Done {
    pub told: Told,
    status: ToolStatus,
    /// True if the call succeeded and its whole result is on the screen.
    pub shown: bool,
    had_wrong_arguments: bool,
    origins: Vec<Origin>,
    follows: Option<String>,
}

impl Done {
    /// Returns true if the call was refused because it had been made too often.
    pub fn is_repeated(&self) -> bool {
        self.told.text == REPEATED
    }

    /// Returns true if the call had no effect: it was refused or it failed.
    pub fn is_failed(&self) -> bool {
        self.is_refused() || self.status == ToolStatus::Failed
    }

    /// Returns true if the arguments were wrong, so that another attempt may succeed.
    pub fn can_be_mended(&self) -> bool {
        self.had_wrong_arguments
    }

    /// Returns true if the user or the permission check refused the call.
    pub fn is_refused(&self) -> bool {
        matches!(self.status, ToolStatus::Denied | ToolStatus::Blocked)
    }

    /// Returns true if the user can read the result as it stands: it is short and holds no untrusted content.
    pub fn is_readable(&self) -> bool {
        self.is_refused() || self.origins.is_empty() && self.told.text.chars().count() <= MOST_READABLE
    }

    fn not_made(wanted: Wanted, text: String) -> Self {
        Self {
            told: Told { call: wanted.call, name: wanted.name, text },
            status: ToolStatus::Blocked,
            shown: false,
            had_wrong_arguments: false,
            origins: Vec::new(),
            follows: None,
        }
    }

    /// Returns the reply to the user for turns in which no model formulates one.
    pub fn in_words(&self) -> String {
        match self.status {
            ToolStatus::Denied => "All right, I did not do it.".to_owned(),
            ToolStatus::Blocked if self.told.text == PASSING => PASSING.to_owned(),
            ToolStatus::Blocked => "I may not do that. Look at Tools to permit it.".to_owned(),
            _ if self.had_wrong_arguments => MISUNDERSTOOD.to_owned(),
            _ => self.told.text.clone(),
        }
    }
}

/// Executes the tool calls of one turn.
pub struct Acting<'a> {
    inner: &'a Arc<Inner>,
    log: &'a Arc<TurnLog>,
    user: User,
    folder: Arc<Path>,
    /// True if the turn belongs to a conversation that is stored.
    kept: bool,
    /// The conversation named in the audit log.
    about: Option<ConversationId>,
    pub taint: Taint,
    /// The messages that the user wrote.
    words: Vec<String>,
    made: Mutex<HashMap<String, u32>>,
    following: Option<Following>,
    /// Private facts that are removed from the results of memory tools, if set.
    secrets: Option<Secrets>,
    kit: Arc<Kit>,
}

/// The skills that are active in this answer, and the tools that all of them allow.
struct Following {
    skills: String,
    tools: Vec<String>,
}

/// A checked call that is ready to run.
struct Ready {
    id: String,
    at: u32,
    tool: Arc<dyn Tool>,
    arguments: Map<String, Value>,
}

impl Ready {
    fn event(&self, status: ToolStatus) -> Event {
        Event::Tool {
            id: self.id.clone(),
            name: self.tool.spec().name.clone(),
            args: Value::Object(self.arguments.clone()),
            status,
            result: None,
            ms: None,
            at: Some(self.at),
        }
    }
}

/// The reason why a call does not run.
struct Refusal {
    status: ToolStatus,
    decision: AuditDecision,
    text: String,
    why: Option<String>,
}

impl<'a> Acting<'a> {
    pub async fn new(
        inner: &'a Arc<Inner>,
        log: &'a Arc<TurnLog>,
        kept: bool,
        taint: Taint,
        words: Vec<String>,
    ) -> Result<Self, StoreError> {
        let user = inner.store.user(log.user).await?;
        let folder = inner.hands.folder_of(&user);
        if let Err(error) = host::private_dir(&folder) {
            tracing::warn!("the folder of {} cannot be made: {error}", user.name);
        }
        let (made, following, secrets) = (Mutex::default(), None, None);
        let about = kept.then_some(log.conversation);
        let kit = Arc::default();
        Ok(Self { inner, log, user, folder, kept, about, taint, words, made, following, secrets, kit })
    }

    /// Removes private facts from the results of memory tools from here on.
    pub async fn keep_secrets(&mut self) -> Result<(), MemoryError> {
        self.secrets = Some(self.inner.memory.secrets(self.user.id).await?);
        Ok(())
    }

    /// Sets the conversation for the audit log. A button is shown in a conversation, but its action is not part of it.
    #[must_use]
    pub fn about(self, conversation: Option<ConversationId>) -> Self {
        Self { about: conversation, ..self }
    }

    /// Adds the origins of the offered tools' descriptions to the taint.
    pub fn offers(&mut self, offer: &Offer) {
        for origin in &offer.origins {
            self.taint.add(origin.clone());
        }
    }

    /// Replaces the full set of tools with `kit`.
    #[must_use]
    pub fn with_kit(self, kit: Arc<Kit>) -> Self {
        Self { kit, ..self }
    }

    pub fn kit(&self) -> &Arc<Kit> {
        &self.kit
    }

    pub fn user(&self) -> &User {
        &self.user
    }

    /// Executes the calls of a reply: independent calls in parallel, dependent calls after those they depend on.
    pub async fn perform(&mut self, wanted: Vec<Wanted>) -> Vec<Done> {
        let mut wanted: Vec<Wanted> = wanted.into_iter().map(finding::unwrapped).collect();
        let left_out = wanted.split_off(wanted.len().min(MOST_CALLS));
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
                self.follow(skill);
            }
        }
        // A separate tool call has an id and must get an answer, even if it is not made.
        let (beside, among): (Vec<_>, Vec<_>) = left_out.into_iter().partition(|call| call.call.is_some());
        if !among.is_empty()
            && let Some(last) = done.last_mut()
        {
            let note = format!("\n[{} further calls were not made: {TOO_MANY}]", among.len());
            last.told.text.push_str(&note);
        }
        done.extend(beside.into_iter().map(|call| Done::not_made(call, format!("Not made: {TOO_MANY}."))));
        done
    }

    /// Restricts the turn to the tools that the skill allows. A further skill narrows the set: reading a skill never
    /// allows a tool that an earlier one excluded.
    fn follow(&mut self, skill: &str) {
        let Some(tools) = self.inner.hands.skills().allowed_tools(skill) else { return };
        self.following = Some(match self.following.take() {
            None => Following { skills: skill.to_owned(), tools },
            Some(Following { skills, tools: earlier }) => Following {
                skills: format!("{skills} and {skill}"),
                tools: earlier.into_iter().filter(|tool| tools.contains(tool)).collect(),
            },
        });
    }

    /// Returns the origins of the content in the answer, newest last, to be stored with it.
    pub fn origins(&self) -> Vec<Origin> {
        self.taint.origins().iter().rev().take(MOST_ORIGINS).rev().cloned().collect()
    }

    /// Returns true if the calls must run in order: both touch the same area, and at least one of them changes it.
    fn depend(&self, earlier: &Wanted, later: &Wanted) -> bool {
        let (Some(earlier), Some(later)) = (self.tool(&earlier.name), self.tool(&later.name)) else {
            return false;
        };
        let (earlier, later) = (earlier.spec(), later.spec());
        earlier.area().is_some() && earlier.area() == later.area() && (earlier.changes() || later.changes())
    }

    async fn act(&self, wanted: &Wanted) -> Done {
        let id = MessageId::new(self.inner.ids.next()).to_string();
        if wanted.name == finding::FIND {
            return self.find(id, wanted).await;
        }
        let mut ready = match self.check(id.clone(), wanted) {
            Ok(ready) => ready,
            Err(refusal) => return self.refuse(id, wanted, refusal).await,
        };
        let (decision, why) = match self.pass_gate(&mut ready).await {
            Ok(passed) => passed,
            Err(refusal) => return self.refuse(id, wanted, refusal).await,
        };
        let began = Instant::now();
        let done = self.run(ready, wanted, decision, why).await;
        let took = began.elapsed().as_millis();
        tracing::debug!("[tool] {} {:?} in {took} ms", wanted.name, done.status);
        done
    }

    /// Returns the tool with its checked arguments, or a refusal.
    fn check(&self, id: String, wanted: &Wanted) -> Result<Ready, Refusal> {
        let unavailable = |text: String| Refusal {
            status: ToolStatus::Blocked,
            decision: AuditDecision::Blocked,
            why: Some(text.clone()),
            text,
        };
        let mend = |text: String| Refusal {
            status: ToolStatus::Failed,
            decision: AuditDecision::Refused,
            why: Some("The arguments did not fit.".into()),
            text,
        };
        let arguments = wanted.arguments.clone().map_err(mend)?;
        let Some(tool) = self.tool(&wanted.name) else {
            // Tools of MCP servers are recognised by the `__` in their names. They are missing while the server has
            // failed or waits for the user's confirmation.
            let hint = if wanted.name.contains("__") {
                " If its server has failed or waits for the user's yes, the page of servers says so and leads on."
            } else {
                ""
            };
            self.count(&wanted.name)?;
            return Err(unavailable(format!(
                "There is no tool {} here.{hint} {}",
                wanted.name,
                self.others()
            )));
        };
        let spec = tool.spec();
        if let Some(Following { skills, tools }) = &self.following
            && !tools.contains(&spec.name)
        {
            return Err(unavailable(format!(
                "The skill {skills}, which is followed, does not use {}.",
                spec.name
            )));
        }
        let writes = matches!(spec.group, Group::Memory | Group::State | Group::VectorSearch);
        if self.is_passing() && writes && spec.has(Effect::Changes) && spec.name != forget_tool::NAME {
            return Err(unavailable(PASSING.to_owned()));
        }
        let arguments = arguments.fit(&spec.parameters);
        let mut key = Value::Object(arguments.clone());
        key.sort_all_objects();
        self.count(&format!("{} {key}", spec.name))?;
        spec.check(&arguments).map_err(mend)?;
        Ok(Ready { id, at: wanted.at, tool, arguments })
    }

    /// Counts a call, and refuses it after too many repetitions.
    fn count(&self, call: &str) -> Result<(), Refusal> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let times = made.entry(call.to_owned()).or_default();
        *times += 1;
        if *times <= MOST_REPEATS {
            return Ok(());
        }
        Err(Refusal {
            status: ToolStatus::Blocked,
            decision: AuditDecision::Blocked,
            text: REPEATED.into(),
            why: Some("The same call was made three times.".into()),
        })
    }

    /// Returns the advice to the model for a tool that does not exist.
    fn others(&self) -> String {
        if !self.kit.is_fixed() {
            return "Go on without it.".to_owned();
        }
        let tools = self.kit.permitted(&self.inner.hands, &self.user);
        let names: Vec<&str> = tools.iter().map(|tool| tool.spec().name.as_str()).collect();
        format!("There are {}.", names.join(", "))
    }

    /// Returns true if the conversation is incognito and must leave no traces.
    fn is_passing(&self) -> bool {
        store::is_passing(self.log.conversation)
    }

    fn invocation(&self, ready: &Ready) -> Invocation {
        Invocation {
            arguments: ready.arguments.clone(),
            user: self.user.id,
            folder: Arc::clone(&self.folder),
            conversation: self.log.conversation,
            origins: self.taint.origins().to_vec(),
            cancel: self.log.cancelled().clone(),
            contact: Arc::new(Line::new(self, ready)),
        }
    }

    /// Returns true if the whole result of the call would be on the screen.
    pub fn shows(&self, wanted: &Wanted) -> bool {
        self.tool(&wanted.name).is_some_and(|tool| tool.spec().has(Effect::Shows))
    }

    fn tool(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.kit.find(&self.inner.hands, &self.user, name)
    }

    async fn run(&self, ready: Ready, wanted: &Wanted, decision: AuditDecision, why: Option<String>) -> Done {
        self.log.push(ready.event(ToolStatus::Running));
        let began = Instant::now();
        let mut had_wrong_arguments = false;
        let (status, output) = match tools::run(ready.tool.as_ref(), self.invocation(&ready)).await {
            Ok(output) if output.failed => (ToolStatus::Failed, output),
            Ok(output) => (ToolStatus::Done, output),
            Err(error) => {
                had_wrong_arguments = matches!(error, ToolError::Impossible(_));
                // A server that answers with invalid data may have chosen the words of the error message.
                let origins = if error.may_quote() { elsewhere(&ready) } else { None };
                let output = Output::text(error.to_string());
                (ToolStatus::Failed, Output { origins: origins.into_iter().collect(), ..output })
            }
        };
        let ms = Some(u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX));
        let ending = Ending { had_wrong_arguments, ms, decision, why, ..Ending::ran(&ready, status, output) };
        self.end(ready.id, wanted, ending).await
    }
}

/// Returns the server or address that the tool contacts, if the tool brings untrusted content.
fn elsewhere(ready: &Ready) -> Option<Origin> {
    let spec = ready.tool.spec();
    if let Some(server) = &spec.server {
        return Some(Origin::Mcp(server.clone()));
    }
    let asks = spec.has(Effect::BringsUntrusted) && spec.has(Effect::SendsOut);
    let address = spec.address.and_then(|name| ready.arguments.get(name)?.as_str());
    asks.then(|| Origin::Web(address.unwrap_or(&spec.name).to_owned()))
}
