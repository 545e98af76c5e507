use host::Secret;

/// Where the owner's token comes from: a file, or a key in the settings.
pub trait TokenKeeper: Send + Sync {
    /// Makes another token and writes it down.
    fn rotate(&self) -> Result<Secret, RotateError>;

    /// The token that is good from here on, where the settings name another key than when this was last asked,
    /// or none any more.
    fn changed(&self) -> Option<Secret>;
}

/// Why there is no other token. The old one stays good.
#[derive(Debug, thiserror::Error)]
pub enum RotateError {
    #[error(
        "the token is the key of auth.api_key, so there is none to replace. Change that setting, or remove it to \
         have a random token again"
    )]
    Configured,
    /// In words for a person.
    #[error("{0}")]
    Failed(String),
}
