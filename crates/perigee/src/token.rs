use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use config::{Config, LiveConfig, SHORTEST_TOKEN};
use host::{RunInfo, Secret};
use server::{OwnerTokenStorage, RotateError};

/// The file with the owner's token, readable only by the owner. A key in the settings takes precedence.
pub struct TokenFile {
    home: PathBuf,
}

impl TokenFile {
    pub fn new(home: &Path) -> Self {
        Self { home: home.to_owned() }
    }

    /// Returns the token if there is one. A token written by hand that could be guessed is refused.
    pub fn read(&self, config: &Config) -> anyhow::Result<Option<Secret>> {
        if !config.auth.api_key.is_empty() {
            return Ok(Some(config.auth.api_key.clone()));
        }
        let path = self.path();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("{} cannot be read", path.display())),
        };
        let token = text.trim();
        if token.is_empty() {
            return Ok(None);
        }
        anyhow::ensure!(
            token.chars().count() >= SHORTEST_TOKEN,
            "the token in {} is too short: it needs at least {SHORTEST_TOKEN} characters, so that nobody can guess it. \
             Write a longer one, or remove the file to get a random one",
            path.display()
        );
        Ok(Some(Secret::new(token)))
    }

    /// Returns the token, and creates a random one the first time.
    pub fn read_or_create(&self, config: &Config) -> anyhow::Result<Secret> {
        self.read(config)?.map_or_else(|| self.create(), Ok)
    }

    fn path(&self) -> PathBuf {
        self.home.join("token")
    }

    fn create(&self) -> anyhow::Result<Secret> {
        let token = Secret::random();
        host::atomic_write_private(self.path(), format!("{}\n", token.expose()).as_bytes())
            .context("the token could not be written")?;
        Ok(token)
    }

    /// Other commands read the token from the run file, beside the address.
    fn update_run_file(&self, token: &Secret) -> anyhow::Result<()> {
        if let Some(info) = RunInfo::running(&self.home) {
            let info = RunInfo { token: token.clone(), ..info };
            host::atomic_write_private(self.home.join("run.json"), &serde_json::to_vec_pretty(&info)?)?;
        }
        Ok(())
    }
}

/// Tracks the effective token while the settings change.
pub struct LiveToken {
    file: TokenFile,
    config: Arc<LiveConfig>,
    /// The effective key of the settings; empty if the token file applies.
    key: Mutex<Secret>,
}

impl LiveToken {
    /// Starts from the settings with which the token was read.
    pub fn new(file: TokenFile, config: Arc<LiveConfig>, settings: &Config) -> Self {
        Self { file, config, key: Mutex::new(settings.auth.api_key.clone()) }
    }
}

impl OwnerTokenStorage for LiveToken {
    fn rotate(&self) -> Result<Secret, RotateError> {
        self.config.reload_if_changed();
        if !self.config.current().auth.api_key.is_empty() {
            return Err(RotateError::Configured);
        }
        let rotated = self.file.create().and_then(|token| self.file.update_run_file(&token).map(|()| token));
        rotated.map_err(|error| RotateError::Failed(format!("{error:#}")))
    }

    fn changed(&self) -> Option<Secret> {
        self.config.reload_if_changed();
        let settings = self.config.current();
        let mut key = self.key.lock().unwrap_or_else(PoisonError::into_inner);
        if *key == settings.auth.api_key {
            return None;
        }
        let token = match self.file.read_or_create(&settings) {
            Ok(token) => token,
            Err(error) => {
                tracing::error!("auth.api_key was removed, but the old key stays valid: {error:#}");
                return None;
            }
        };
        if let Err(error) = self.file.update_run_file(&token) {
            tracing::warn!("auth.api_key has changed, but the other commands could not be told: {error:#}");
        }
        tracing::info!("auth.api_key has changed: connections that used the old token are closed");
        key.clone_from(&settings.auth.api_key);
        Some(token)
    }
}
