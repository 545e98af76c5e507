use std::path::{Path, PathBuf};

use anyhow::Context as _;
use config::Config;
use host::{RunInfo, Secret};
use server::TokenKeeper;

/// The owner's token in its file, which only the owner can read.
pub struct TokenFile {
    home: PathBuf,
    /// The configuration names the token, so there is nothing to replace here.
    fixed: bool,
}

impl TokenFile {
    pub fn new(home: &Path, config: &Config) -> Self {
        Self { home: home.to_owned(), fixed: !config.auth.api_key.is_empty() }
    }

    /// The token, if there is one yet.
    pub fn read(&self, config: &Config) -> Option<Secret> {
        if self.fixed {
            return Some(config.auth.api_key.clone());
        }
        let text = std::fs::read_to_string(self.path()).ok()?;
        Some(text.trim()).filter(|token| !token.is_empty()).map(Secret::new)
    }

    /// The token; the first time, a random one.
    pub fn read_or_make(&self, config: &Config) -> anyhow::Result<Secret> {
        self.read(config).map_or_else(|| self.make(), Ok)
    }

    fn path(&self) -> PathBuf {
        self.home.join("token")
    }

    fn make(&self) -> anyhow::Result<Secret> {
        let token = Secret::random();
        host::atomic_write_private(self.path(), format!("{}\n", token.expose()).as_bytes())
            .context("the token could not be written")?;
        Ok(token)
    }

    /// The other commands find the token beside the address.
    fn tell_commands(&self, token: &Secret) -> anyhow::Result<()> {
        if let Some(info) = RunInfo::running(&self.home) {
            let info = RunInfo { token: token.clone(), ..info };
            host::atomic_write_private(self.home.join("run.json"), &serde_json::to_vec_pretty(&info)?)?;
        }
        Ok(())
    }
}

impl TokenKeeper for TokenFile {
    fn rotate(&self) -> Result<Secret, String> {
        if self.fixed {
            return Err("the token is set by auth.api_key in the configuration: change it there".into());
        }
        let rotated = self.make().and_then(|token| self.tell_commands(&token).map(|()| token));
        rotated.map_err(|error| format!("{error:#}"))
    }
}
