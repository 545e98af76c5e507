use std::time::Duration;

use config::{Config, TitleStyle, ToolStyle};
use model::Sampling;
use protocol::ApplyMode;

/// What a turn about code takes from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeSettings {
    pub apply: ApplyMode,
    /// Whether what she changes is built and tested.
    pub verify: bool,
    /// How often she may mend what fails.
    pub repairs: u32,
    /// How often she may use tools before she has to end.
    pub rounds: u32,
}

/// What a turn takes from the configuration, as it is in force when the turn begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Her name, and the user's; the latter may be empty.
    pub name: String,
    pub user_name: String,
    pub sampling: Sampling,
    pub title: TitleStyle,
    /// The share of the prompt's budget at which older messages are summarised, and the share that is left.
    pub summarise_at: f32,
    pub summarise_to: f32,
    pub tools: ToolStyle,
    /// How often she may use tools before she has to answer.
    pub rounds: u32,
    /// Whether long requests are planned first.
    pub plan: bool,
    /// Whether the model looks for facts, too.
    pub learn_by_model: bool,
    /// How long a question for a yes or a no stands.
    pub confirm_within: Duration,
    /// Whether her face follows her words.
    pub emotion: bool,
    pub code: CodeSettings,
}

impl From<&Config> for Settings {
    fn from(config: &Config) -> Self {
        Self {
            name: config.companion.name.clone(),
            user_name: config.companion.user_name.clone().unwrap_or_default(),
            sampling: Sampling::from(&config.llm),
            title: config.chat.title,
            summarise_at: config.chat.summarise_at,
            summarise_to: config.chat.summarise_to,
            tools: config.llm.tools,
            rounds: config.chat.rounds,
            plan: config.chat.plan,
            learn_by_model: config.chat.learn_by_model,
            confirm_within: Duration::from_secs(config.chat.confirm_seconds.into()),
            emotion: config.emotion.enabled,
            code: CodeSettings {
                apply: if config.code.apply == config::Apply::Auto {
                    ApplyMode::Auto
                } else {
                    ApplyMode::Ask
                },
                verify: config.code.verify,
                repairs: config.code.repairs,
                rounds: config.code.rounds,
            },
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::from(&Config::default())
    }
}
