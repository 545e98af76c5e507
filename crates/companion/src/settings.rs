use std::time::Duration;

use config::{Config, TitleStyle, ToolStyle};
use model::Sampling;
use protocol::ApplyMode;

/// The settings of a code turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeSettings {
    pub apply: ApplyMode,
    /// True if changes are built and tested.
    pub verify: bool,
    /// The number of repair attempts after a failure.
    pub repairs: u32,
    /// The greatest number of rounds of a run.
    pub rounds: u32,
}

/// The settings of a turn, as configured when it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The name of the companion; `user_name` may be empty.
    pub name: String,
    pub user_name: String,
    pub sampling: Sampling,
    pub title: TitleStyle,
    /// The share of the prompt's budget from which older messages are summarised; `summarise_to` is the share that
    /// remains.
    pub summarise_at: f32,
    pub summarise_to: f32,
    pub tools: ToolStyle,
    /// The greatest number of rounds of an answer.
    pub rounds: u32,
    /// True if long requests are planned first.
    pub plan: bool,
    /// True if the model also searches messages for facts.
    pub learn_by_model: bool,
    /// The time that a confirmation request waits for an answer.
    pub confirm_within: Duration,
    /// True if the avatar's expression follows the text.
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
