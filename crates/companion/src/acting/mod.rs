//! From calls to acts: each is checked, passes the gate, waits for a yes where it must, runs, and is told.

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
use tools::{Effect, Group, Invocation, Output, Taint, Tool};

use self::line::Line;
use self::telling::Ending;
use crate::companion::Inner;
use crate::finding;
use crate::forget_tool;
use crate::kit::Kit;
use crate::offer::Offer;
use crate::turns::TurnLog;

/// The same call is made so often and no more.
const MOST_REPEATS: u32 = 3;
/// So many calls of one reply are looked at.
const MOST_CALLS: usize = 16;
const REPEATED: &str = "This very call was made three times. Use what it told you, or do something else.";
/// So many characters are read at a glance.
const MOST_READABLE: usize = 600;
const PASSING: &str = "This conversation is incognito: nothing of it is written down.";
const TOO_MANY: &str = "make at most 16 calls at once";
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

impl Wanted {
    /// A call of which not even the name can be made out.
    pub fn unreadable(why: String, at: u32) -> Self {
        Self { call: None, name: "unreadable".to_owned(), arguments: Err(why), at }
    }
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
    /// It was made too often already.
    pub fn is_repeated(&self) -> bool {
        self.told.text == REPEATED
    }

    /// Nothing came of it.
    pub fn is_failed(&self) -> bool {
        self.is_refused() || self.can_be_mended()
    }

    /// It was tried, and something is wrong that another try may mend.
    pub fn can_be_mended(&self) -> bool {
        self.status == ToolStatus::Failed
    }

    /// Somebody or something said no.
    pub fn is_refused(&self) -> bool {
        matches!(self.status, ToolStatus::Denied | ToolStatus::Blocked)
    }

    /// Whether a person can read what comes of it as it stands: few words, and none that others wrote.
    pub fn is_readable(&self) -> bool {
        self.is_refused() || self.origins.is_empty() && self.told.text.chars().count() <= MOST_READABLE
    }

    fn not_made(wanted: Wanted, text: String) -> Self {
        Self {
            told: Told { call: wanted.call, name: wanted.name, text },
            status: ToolStatus::Blocked,
            shown: false,
            origins: Vec::new(),
            follows: None,
        }
    }

    /// What is said to the user where no model says it.
    pub fn in_words(&self) -> String {
        match self.status {
            ToolStatus::Denied => "All right, I did not do it.".to_owned(),
            ToolStatus::Blocked if self.told.text == PASSING => PASSING.to_owned(),
            ToolStatus::Blocked => "I may not do that. Look at Tools to permit it.".to_owned(),
            _ => self.told.text.clone(),
        }
    }
}

/// Acts for one turn.
pub struct Acting<'a> {
    inner: &'a Arc<Inner>,
    log: &'a Arc<TurnLog>,
    user: User,
    folder: Arc<Path>,
    /// Whether the turn is one of a conversation that is kept.
    kept: bool,
    /// The conversation that the audit log names.
    about: Option<ConversationId>,
    pub taint: Taint,
    /// The user's own words.
    words: Vec<String>,
    made: Mutex<HashMap<String, u32>>,
    following: Option<Following>,
    /// What whoever reads the results must not be told.
    secrets: Option<Secrets>,
    kit: Arc<Kit>,
}

/// The skills that are followed in this answer, and the tools that all of them use.
struct Following {
    skills: String,
    tools: Vec<String>,
}

/// A call with all that is needed to do it.
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

/// Why something is not done.
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

    /// From here on, what is private is left out of what memory tools tell.
    pub async fn keep_secrets(&mut self) -> Result<(), MemoryError> {
        self.secrets = Some(self.inner.memory.secrets(self.user.id).await?);
        Ok(())
    }

    /// A button stands in a conversation, though what it does is no part of it.
    #[must_use]
    pub fn about(self, conversation: Option<ConversationId>) -> Self {
        Self { about: conversation, ..self }
    }

    /// Takes note of whose words the model reads with the tools that it is offered.
    pub fn offers(&mut self, offer: &Offer) {
        for origin in &offer.origins {
            self.taint.add(origin.clone());
        }
    }

    /// With other tools than all that she has.
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

    /// Does what a reply wants: what is independent at once, what depends on others after them.
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
        // A call that came beside the words waits for an answer, whatever it is.
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

    /// From here on only what the skill uses may run. A second skill narrows it further: reading one never opens what
    /// another has shut.
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

    /// Whose words are in the answer, to be kept with it.
    pub fn origins(&self) -> Vec<Origin> {
        self.taint.origins().iter().rev().take(MOST_ORIGINS).rev().cloned().collect()
    }

    /// Two calls that touch the same things, one of which changes them, are made in order.
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

    /// The tool and its arguments, or why there are none.
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
            // Those of servers are known by their names: one that waits brings none.
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

    /// Counts a call, and refuses one that leads nowhere.
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

    /// What to do where a tool is not there.
    fn others(&self) -> String {
        if !self.kit.is_fixed() {
            return "Go on without it.".to_owned();
        }
        let tools = self.kit.permitted(&self.inner.hands, &self.user);
        let names: Vec<&str> = tools.iter().map(|tool| tool.spec().name.as_str()).collect();
        format!("There are {}.", names.join(", "))
    }

    /// Whether nothing of this conversation may be left.
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

    /// Whether all that would come of a call is on the screen.
    pub fn shows(&self, wanted: &Wanted) -> bool {
        self.tool(&wanted.name).is_some_and(|tool| tool.spec().has(Effect::Shows))
    }

    fn tool(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.kit.find(&self.inner.hands, &self.user, name)
    }

    async fn run(&self, ready: Ready, wanted: &Wanted, decision: AuditDecision, why: Option<String>) -> Done {
        self.log.push(ready.event(ToolStatus::Running));
        let began = Instant::now();
        let (status, output) = match tools::run(ready.tool.as_ref(), self.invocation(&ready)).await {
            Ok(output) if output.failed => (ToolStatus::Failed, output),
            Ok(output) => (ToolStatus::Done, output),
            Err(error) => {
                // A server that answers with nonsense may have chosen the words that say so.
                let origins = if error.may_quote() { elsewhere(&ready) } else { None };
                let output = Output::text(error.to_string());
                (ToolStatus::Failed, Output { origins: origins.into_iter().collect(), ..output })
            }
        };
        let ms = Some(u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX));
        let ending = Ending { ms, decision, why, ..Ending::ran(&ready, status, output) };
        self.end(ready.id, wanted, ending).await
    }
}

/// Whom a tool asks that brings words from elsewhere.
fn elsewhere(ready: &Ready) -> Option<Origin> {
    let spec = ready.tool.spec();
    if let Some(server) = &spec.server {
        return Some(Origin::Mcp(server.clone()));
    }
    let asks = spec.has(Effect::BringsUntrusted) && spec.has(Effect::SendsOut);
    let address = spec.address.and_then(|name| ready.arguments.get(name)?.as_str());
    asks.then(|| Origin::Web(address.unwrap_or(&spec.name).to_owned()))
}
