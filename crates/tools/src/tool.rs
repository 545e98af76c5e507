use std::borrow::Cow;
use std::marker::PhantomData;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt;
use protocol::{ConversationId, Origin, Risk, UserId};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::contact::Contact;
use crate::gate::Ruling;
use crate::output::Output;
use crate::spec::{Effect, Group, Spec};

/// Something that she can do. It runs only after the gate has let it.
#[async_trait]
pub trait Tool: Send + Sync {
    fn spec(&self) -> &Spec;

    /// What a call with these arguments does, where that is more than the tool does in general.
    fn effects(&self, _arguments: &Map<String, Value>) -> Vec<Effect> {
        self.spec().effects.clone()
    }

    /// What rules of the user's say of a call with these arguments.
    fn ruling(&self, _arguments: &Map<String, Value>) -> Ruling {
        Ruling::None
    }

    /// What exactly it would do, for the one who is asked. Fails where nobody need be asked, since it cannot be done.
    async fn foretell(&self, _invocation: &Invocation) -> Result<Option<Foretold>, ToolError> {
        Ok(None)
    }

    /// Writes down that calls like this one need no question any more, where it foretold a rule.
    fn permit_like(&self, _arguments: &Map<String, Value>) -> Result<(), ToolError> {
        Err(ToolError::Impossible("There is no rule for this.".to_owned()))
    }

    /// Does it. The arguments fit the schema.
    async fn run(&self, invocation: Invocation) -> Result<Output, ToolError>;
}

/// One run of a tool: for whom, where, and until when.
#[derive(Debug, Clone)]
pub struct Invocation {
    pub arguments: Map<String, Value>,
    pub user: UserId,
    /// What is this user's own lies here: memories, `state.json`.
    pub folder: Arc<Path>,
    pub conversation: ConversationId,
    /// Whose words are in the prompt, beside the user's and hers: what it writes down may be theirs.
    pub origins: Vec<Origin>,
    pub cancel: CancellationToken,
    /// The way to the person for whom it runs.
    pub contact: Arc<dyn Contact>,
}

/// What a call would do, for the one who is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Foretold {
    pub text: String,
    /// The schema of what they may fill in: a flat object, whose values take the place of arguments of the same name.
    pub form: Option<Value>,
    /// Others like it, which they may allow with it: [`Tool::permit_like`].
    pub rule: Option<String>,
}

impl From<String> for Foretold {
    fn from(text: String) -> Self {
        Self { text, form: None, rule: None }
    }
}

/// Why a tool did not do it, in words for the model, who tells the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// Something that it needs is missing: a key, a network, a program.
    #[error("{0}")]
    Unavailable(String),
    /// It cannot be done with these arguments.
    #[error("{0}")]
    Impossible(String),
    #[error("{0}")]
    Failed(String),
    #[error("it was stopped")]
    Stopped,
    #[error("it took longer than {0} seconds and was ended")]
    TookTooLong(u64),
}

/// Why something failed is a sentence or two.
const LONGEST_ERROR: usize = 2_000;

impl ToolError {
    fn capped(self, limit: usize) -> Self {
        let cap = |text: String| Output::text(text).capped(limit).text;
        match self {
            Self::Unavailable(text) => Self::Unavailable(cap(text)),
            Self::Impossible(text) => Self::Impossible(cap(text)),
            Self::Failed(text) => Self::Failed(cap(text)),
            Self::Stopped | Self::TookTooLong(_) => self,
        }
    }

    /// Whether it may repeat what somebody else wrote. The others are words of ours alone.
    pub fn may_quote(&self) -> bool {
        matches!(self, Self::Impossible(_) | Self::Failed(_))
    }
}

/// A tool whose arguments are a type: its schema, its documentation and its reading all follow from that.
#[async_trait]
pub trait Ability: Send + Sync + 'static {
    type Arguments: JsonSchema + DeserializeOwned + Send;
    const NAME: &'static str;
    /// For the model: what it is for, in a sentence.
    const ABOUT: &'static str;
    const RISK: Risk = Risk::Safe;
    const EFFECTS: &'static [Effect] = &[];
    const GROUP: Group = Group::Basic;
    /// What it works on, where its group does not say.
    const AREA: Option<&'static str> = None;
    /// Words and phrases of a request that calls for it: a small model is shown the tool for such a request alone.
    const ASKED_BY: &'static [&'static str] = &[];
    const TAGS: &'static [&'static str] = &[];
    const ADDRESS: Option<&'static str> = None;
    const TIME_LIMIT: Duration = Duration::from_secs(30);
    /// How many characters of its answer the model gets to read.
    const OUTPUT_LIMIT: usize = 8_000;

    /// Where what it does depends on the machine that it runs on.
    fn about(&self) -> String {
        Self::ABOUT.to_owned()
    }

    /// Why it is blocked until the user permits it, where it is.
    fn caution(&self) -> Option<String> {
        None
    }

    /// How much harm it can do, where that depends on the machine.
    fn risk(&self) -> Risk {
        Self::RISK
    }

    /// What it does to the world, where that depends on the settings.
    fn effects(&self) -> Vec<Effect> {
        Self::EFFECTS.to_vec()
    }

    /// What rules of the user's say of a call with these arguments.
    fn ruling(&self, _arguments: &Self::Arguments) -> Ruling {
        Ruling::None
    }

    /// What exactly it would do, for the one who is asked.
    async fn foretell(
        &self,
        _arguments: Self::Arguments,
        _invocation: &Invocation,
    ) -> Result<Option<Foretold>, ToolError> {
        Ok(None)
    }

    /// Writes down that calls like this one need no question any more, where it foretold a rule.
    fn permit_like(&self, _arguments: &Self::Arguments) -> Result<(), ToolError> {
        Err(ToolError::Impossible("There is no rule for this.".to_owned()))
    }

    async fn run(&self, arguments: Self::Arguments, invocation: &Invocation) -> Result<Output, ToolError>;
}

/// Runs a tool that the gate has let through: within its time, until it is stopped, its answer cut to size. One
/// that panics has failed, and nothing else has.
pub async fn run(tool: &dyn Tool, invocation: Invocation) -> Result<Output, ToolError> {
    let Spec { time_limit, output_limit, .. } = tool.spec();
    let cancel = invocation.cancel.clone();
    let run = AssertUnwindSafe(tool.run(invocation)).catch_unwind();
    tokio::select! {
        done = tokio::time::timeout(*time_limit, run) => match done {
            Ok(Ok(output)) => output
                .map(|output| output.capped(*output_limit))
                .map_err(|error| error.capped(LONGEST_ERROR)),
            Ok(Err(_)) => Err(ToolError::Failed("it broke down: this is a fault of the program".to_owned())),
            Err(_) => Err(ToolError::TookTooLong(time_limit.as_secs().max(1))),
        },
        () = cancel.cancelled() => Err(ToolError::Stopped),
    }
}

struct Typed<A> {
    ability: A,
    spec: Spec,
    arguments: PhantomData<fn(A)>,
}

/// The tool that an ability is. Fails where its arguments make no schema.
pub fn tool<A: Ability>(ability: A) -> Result<impl Tool, String> {
    let mut schema = schemars::schema_for!(A::Arguments).to_value();
    if let Value::Object(schema) = &mut schema {
        // The model has no use for them.
        schema.shift_remove("$schema");
        schema.shift_remove("title");
        schema.entry("additionalProperties").or_insert(Value::Bool(false));
    }
    let spec = Spec {
        risk: ability.risk(),
        effects: A::EFFECTS.to_vec(),
        group: A::GROUP,
        area: A::AREA.map(Cow::Borrowed),
        asked_by: A::ASKED_BY.iter().map(|words| (*words).to_owned()).collect(),
        tags: A::TAGS.iter().map(|tag| (*tag).to_owned()).collect(),
        address: A::ADDRESS,
        time_limit: A::TIME_LIMIT,
        output_limit: A::OUTPUT_LIMIT,
        caution: ability.caution(),
        ..Spec::new(A::NAME, ability.about(), schema)?
    };
    Ok(Typed { ability, spec, arguments: PhantomData })
}

#[async_trait]
impl<A: Ability> Tool for Typed<A> {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn effects(&self, _arguments: &Map<String, Value>) -> Vec<Effect> {
        self.ability.effects()
    }

    fn ruling(&self, arguments: &Map<String, Value>) -> Ruling {
        typed(arguments).map_or(Ruling::None, |arguments| self.ability.ruling(&arguments))
    }

    async fn foretell(&self, invocation: &Invocation) -> Result<Option<Foretold>, ToolError> {
        self.ability.foretell(typed(&invocation.arguments)?, invocation).await
    }

    fn permit_like(&self, arguments: &Map<String, Value>) -> Result<(), ToolError> {
        self.ability.permit_like(&typed(arguments)?)
    }

    async fn run(&self, invocation: Invocation) -> Result<Output, ToolError> {
        self.ability.run(typed(&invocation.arguments)?, &invocation).await
    }
}

fn typed<T: DeserializeOwned>(arguments: &Map<String, Value>) -> Result<T, ToolError> {
    serde_json::from_value(Value::Object(arguments.clone()))
        .map_err(|error| ToolError::Impossible(error.to_string()))
}

#[cfg(test)]
#[path = "tool_tests.rs"]
mod tests;
