use host::Secret;

/// The storage of the owner's token: a file, or a key in the settings.
pub trait OwnerTokenStorage: Send + Sync {
    /// Creates and saves a new token.
    fn rotate(&self) -> Result<Secret, RotateError>;

    /// Returns the new token if the settings have changed it since the last call, by another key or by removing the
    /// key.
    fn changed(&self) -> Option<Secret>;
}

/// The reason why the token was not replaced. The old one stays valid.
#[derive(Debug, thiserror::Error)]
pub enum RotateError {
    #[error(
        "the token is set by auth.api_key, so it cannot be replaced here. Change that setting, or remove it to \
         use a random token again"
    )]
    Configured,
    /// Another failure, as a message for the user.
    #[error("{0}")]
    Failed(String),
}
