use config::{Config, TitleStyle};
use model::Sampling;

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
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::from(&Config::default())
    }
}
