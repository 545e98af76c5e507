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

use crate::gate::Ruling;
use crate::output::ToolOutput;
use crate::spec::{Effect, Group, ToolDefinition};
use crate::user_channel::UserChannel;

/// A tool that the companion can call. It runs only after the gate has allowed it.
#[async_trait]
pub trait Tool: Send + Sync {
    fn spec(&self) -> &ToolDefinition;

    /// Returns the effects of a call with these arguments, which may exceed those of the tool in general.
    fn effects(&self, _arguments: &Map<String, Value>) -> Vec<Effect> {
        self.spec().effects.clone()
    }

    /// Returns the verdict of the user's rules on a call with these arguments.
    fn ruling(&self, _arguments: &Map<String, Value>) -> Ruling {
        Ruling::None
    }

    /// Describes exactly what a call would do, for the confirmation. Fails if the call cannot succeed: then there is
    /// nothing to confirm.
    async fn preview(&self, _invocation: &Invocation) -> Result<Option<CallPreview>, ToolError> {
        Ok(None)
    }

    /// Stores the rule offered by `preview`, so that similar calls need no confirmation.
    fn allow_similar(&self, _arguments: &Map<String, Value>) -> Result<(), ToolError> {
        Err(ToolError::Impossible("There is no rule for this.".to_owned()))
    }

    /// Runs the tool. The arguments match the schema.
    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError>;
}

/// A single run of a tool, with its user, conversation and cancellation.
#[derive(Debug, Clone)]
pub struct Invocation {
    pub arguments: Map<String, Value>,
    pub user: UserId,
    /// The folder with this user's own data: memories, `state.json`.
    pub folder: Arc<Path>,
    pub conversation: ConversationId,
    /// The origins of untrusted content in the prompt: anything that the tool writes down may derive from it.
    pub origins: Vec<Origin>,
    pub cancel: CancellationToken,
    /// The channel to the user for whom the tool runs.
    pub user_channel: Arc<dyn UserChannel>,
}

/// A preview of a call, shown in the confirmation.
#[derive(Debug, Clone, PartialEq)]
pub struct CallPreview {
    pub text: String,
    /// The schema of a form for the user: a flat object, whose values replace the arguments of the same name.
    pub form: Option<Value>,
    /// The rule for similar calls that the user may allow together with this one: [`Tool::allow_similar`].
    pub rule: Option<String>,
}

impl From<String> for CallPreview {
    fn from(text: String) -> Self {
        Self { text, form: None, rule: None }
    }
}

/// The reason why a tool did not succeed, worded for the model, which tells the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// A requirement is missing: a key, a network, a program.
    #[error("{0}")]
    Unavailable(String),
    /// The call is impossible with these arguments.
    #[error("{0}")]
    Impossible(String),
    #[error("{0}")]
    Failed(String),
    #[error("it was stopped")]
    Stopped,
    #[error("it took longer than {0} seconds and was ended")]
    TookTooLong(u64),
}

/// The most characters of an error message: a sentence or two.
const LONGEST_ERROR: usize = 2_000;

impl ToolError {
    fn capped(self, limit: usize) -> Self {
        let cap = |text: String| ToolOutput::text(text).capped(limit).text;
        match self {
            Self::Unavailable(text) => Self::Unavailable(cap(text)),
            Self::Impossible(text) => Self::Impossible(cap(text)),
            Self::Failed(text) => Self::Failed(cap(text)),
            Self::Stopped | Self::TookTooLong(_) => self,
        }
    }

    /// Returns true if the message may quote untrusted content. All other variants contain only the program's own text.
    pub fn may_quote(&self) -> bool {
        matches!(self, Self::Impossible(_) | Self::Failed(_))
    }
}

/// A tool with typed arguments, from which its schema, documentation and parsing are derived.
#[async_trait]
pub trait Ability: Send + Sync + 'static {
    type Arguments: JsonSchema + DeserializeOwned + Send;
    const NAME: &'static str;
    /// The purpose of the tool, in a sentence for the model.
    const ABOUT: &'static str;
    const RISK: Risk = Risk::Safe;
    const EFFECTS: &'static [Effect] = &[];
    const GROUP: Group = Group::Basic;
    /// The resource that the tool works on, if it is not that of its group.
    const AREA: Option<&'static str> = None;
    /// Words and phrases in a request that suggest the tool: a small model is shown the tool for such requests only.
    const ASKED_BY: &'static [&'static str] = &[];
    const TAGS: &'static [&'static str] = &[];
    const ADDRESS: Option<&'static str> = None;
    const TIME_LIMIT: Duration = Duration::from_secs(30);
    /// The most characters of the output that the model receives.
    const OUTPUT_LIMIT: usize = 8_000;

    /// Returns the description, which may depend on the machine.
    fn about(&self) -> String {
        Self::ABOUT.to_owned()
    }

    /// Returns the reason why the tool is blocked until the user permits it, if it is.
    fn caution(&self) -> Option<String> {
        None
    }

    /// Returns the risk, which may depend on the machine.
    fn risk(&self) -> Risk {
        Self::RISK
    }

    /// Returns the effects, which may depend on the settings.
    fn effects(&self) -> Vec<Effect> {
        Self::EFFECTS.to_vec()
    }

    /// Returns the verdict of the user's rules on a call with these arguments.
    fn ruling(&self, _arguments: &Self::Arguments) -> Ruling {
        Ruling::None
    }

    /// Describes exactly what a call would do, for the confirmation.
    async fn preview(
        &self,
        _arguments: Self::Arguments,
        _invocation: &Invocation,
    ) -> Result<Option<CallPreview>, ToolError> {
        Ok(None)
    }

    /// Stores the rule offered by `preview`, so that similar calls need no confirmation.
    fn allow_similar(&self, _arguments: &Self::Arguments) -> Result<(), ToolError> {
        Err(ToolError::Impossible("There is no rule for this.".to_owned()))
    }

    async fn run(&self, arguments: Self::Arguments, invocation: &Invocation)
    -> Result<ToolOutput, ToolError>;
}

/// Runs a tool that the gate has allowed, until its time limit or cancellation, and cuts its output to size. A panic
/// counts as a failure of this call only.
pub async fn run(tool: &dyn Tool, invocation: Invocation) -> Result<ToolOutput, ToolError> {
    let ToolDefinition { time_limit, output_limit, .. } = tool.spec();
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

/// The tool that [`tool`] makes of an ability.
struct AbilityTool<A> {
    ability: A,
    spec: ToolDefinition,
    arguments: PhantomData<fn(A)>,
}

/// Turns an ability into a tool. Fails if its arguments give no valid schema.
pub fn tool<A: Ability>(ability: A) -> Result<impl Tool, String> {
    let mut schema = schemars::schema_for!(A::Arguments).to_value();
    if let Value::Object(schema) = &mut schema {
        // The model has no use for these keys.
        schema.shift_remove("$schema");
        schema.shift_remove("title");
        schema.entry("additionalProperties").or_insert(Value::Bool(false));
    }
    let spec = ToolDefinition {
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
        ..ToolDefinition::new(A::NAME, ability.about(), schema)?
    };
    Ok(AbilityTool { ability, spec, arguments: PhantomData })
}

#[async_trait]
impl<A: Ability> Tool for AbilityTool<A> {
    fn spec(&self) -> &ToolDefinition {
        &self.spec
    }

    fn effects(&self, _arguments: &Map<String, Value>) -> Vec<Effect> {
        self.ability.effects()
    }

    fn ruling(&self, arguments: &Map<String, Value>) -> Ruling {
        typed(arguments).map_or(Ruling::None, |arguments| self.ability.ruling(&arguments))
    }

    async fn preview(&self, invocation: &Invocation) -> Result<Option<CallPreview>, ToolError> {
        self.ability.preview(typed(&invocation.arguments)?, invocation).await
    }

    fn allow_similar(&self, arguments: &Map<String, Value>) -> Result<(), ToolError> {
        self.ability.allow_similar(&typed(arguments)?)
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
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
