use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use host::{FileError, atomic_write_private};
use protocol::{ConfigPatch, ConfigProblem, ConfigReport};
use serde_json::{Map, Value};
use thiserror::Error;
use tokio::sync::watch;

use crate::document::{ParseError, parse};
use crate::edit::{Change, edit};
use crate::file::{ConfigFile, FallbackSource};
use crate::kind::{McpServer, Setting};
use crate::load::{Environment, Flags, LoadedSettings, SettingSource, load};
use crate::paths::{Folders, Paths, expanded};
use crate::settings::disagreement;
use crate::suggest::suggestion;
use crate::table::{Field, field};
use crate::{Config, alias};

/// The settings of the running program: read from the file, reloaded after changes, and written back.
///
/// It always holds usable settings. A broken file is reported, and the last good settings stay in force: those in
/// memory or, at startup, the copy kept beside the file.
pub struct LiveConfig {
    folders: Folders,
    environment: Environment,
    flags: Flags,
    state: Mutex<State>,
    current: watch::Sender<Arc<Config>>,
}

struct State {
    file: ConfigFile,
    loaded: LoadedSettings,
}

impl State {
    fn note_second_file(&mut self) {
        const SECOND: &str =
            "Both config.toml and config.json exist. config.toml is used; config.json is ignored.";
        self.loaded.problems.retain(|problem| problem.message != SECOND);
        if self.file.shadows_json {
            let problem = ConfigProblem { message: SECOND.into(), line: None, column: None, fatal: false };
            self.loaded.problems.push(problem);
        }
    }
}

/// A setting in the file that no part of the program reads yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedSetting {
    pub key: &'static str,
    pub line: u32,
}

/// The reason why a change was refused. If so, nothing was written.
#[derive(Debug, Error)]
pub enum SetError {
    #[error("there is no setting `{key}`.{}", meant.map(|meant| format!(" Did you mean `{meant}`?")).unwrap_or_default())]
    Unknown { key: String, meant: Option<&'static str> },
    #[error("`{key}` {reason}. Nothing was changed")]
    Invalid { key: String, reason: String },
    #[error("`{key}` is set by {by}, which overrides the file. Change it there. Nothing was changed")]
    Decided { key: &'static str, by: String },
    #[error("`{0}` is a table, which cannot be changed here. Change it in the file")]
    OnlyInFile(&'static str),
    #[error("{} cannot be changed while it is broken: {reason}. Fix it first", path.display())]
    Broken { path: PathBuf, reason: String },
    #[error(transparent)]
    File(#[from] FileError),
}

impl LiveConfig {
    /// Reads the settings. This never fails; problems are listed in the report.
    pub fn open(folders: Folders, environment: Environment, flags: Flags) -> Self {
        let file = ConfigFile::read(&folders.home);
        let loaded = match file.parsed() {
            Ok(document) => {
                file.keep_as_good(&folders.home);
                load(&document, &environment, &flags)
            }
            Err(broken) => {
                let (document, kept) = file.last_good(&folders.home);
                let mut loaded = load(&document, &environment, &flags);
                loaded.problems.retain(|problem| problem.line.is_none());
                loaded.problems.insert(0, file.problem(&broken, kept));
                loaded
            }
        };
        let current = watch::Sender::new(Arc::new(loaded.config.clone()));
        let mut state = State { file, loaded };
        state.note_second_file();
        Self { folders, environment, flags, state: Mutex::new(state), current }
    }

    pub fn current(&self) -> Arc<Config> {
        self.current.borrow().clone()
    }

    /// Subscribes to changes to the settings.
    pub fn subscribe(&self) -> watch::Receiver<Arc<Config>> {
        self.current.subscribe()
    }

    pub fn folders(&self) -> &Folders {
        &self.folders
    }

    /// Expands `~` in a path to the user's home folder.
    pub fn expanded(&self, path: &str) -> PathBuf {
        expanded(Path::new(path), self.folders.user.as_deref())
    }

    pub fn paths(&self) -> Paths {
        Paths::new(&self.folders, &self.current())
    }

    pub fn report(&self) -> ConfigReport {
        let state = self.state();
        crate::report::report(state.file.path.display().to_string(), &state.loaded)
    }

    pub fn problems(&self) -> Vec<ConfigProblem> {
        self.state().loaded.problems.clone()
    }

    /// Returns the settings that the file gives although nothing reads them yet.
    pub fn idle_keys(&self) -> Vec<UnusedSetting> {
        let state = self.state();
        let idle = state.loaded.in_file.iter().filter(|(field, _)| !field.effective);
        idle.map(|(field, at)| UnusedSetting { key: field.key, line: at.line }).collect()
    }

    /// Returns the source that decided a setting.
    pub fn source(&self, key: &str) -> SettingSource {
        self.state().loaded.source(key)
    }

    /// Reads the file again if it has changed on disk. Returns true if it had.
    pub fn reload_if_changed(&self) -> bool {
        let mut state = self.state();
        let file = ConfigFile::read(&self.folders.home);
        if file == state.file {
            return false;
        }
        state.file = file;
        match state.file.parsed() {
            Ok(document) => {
                state.file.keep_as_good(&self.folders.home);
                state.loaded = load(&document, &self.environment, &self.flags);
            }
            Err(broken) => {
                let problem = state.file.problem(&broken, FallbackSource::Settings);
                // Line numbers of the earlier file would mislead.
                state.loaded.problems.retain(|problem| problem.line.is_none() && !problem.fatal);
                state.loaded.problems.insert(0, problem);
            }
        }
        state.note_second_file();
        self.publish(&state.loaded.config);
        true
    }

    /// Writes changed settings into the file: all of them or, if one is refused, none.
    pub fn set(&self, patch: &ConfigPatch) -> Result<(), SetError> {
        let mut state = self.state();
        let file = ConfigFile::read(&self.folders.home);
        let broken = |reason: String| SetError::Broken { path: file.path.clone(), reason };
        let document = file.parsed().map_err(|error| broken(at(&error)))?;
        let before = load(&document, &self.environment, &self.flags);

        let mut changes = Vec::new();
        for (key, value) in &patch.0 {
            let field = checked(key, value, &before)?;
            // The alternative names are removed, so that the file does not give the setting twice.
            let spellings = alias::spellings(field.key).map(|name| Change { path: vec![name], value: None });
            changes.extend(spellings);
            let value = Some(value.clone()).filter(|value| !value.is_null());
            changes.push(Change { path: field.path().map(str::to_owned).collect(), value });
        }
        let wanted = patched(&before.config, patch)?;
        if let Some((keys, reason)) = disagreement(&wanted) {
            let key = keys.iter().find(|key| patch.0.contains_key(**key)).unwrap_or(&keys[0]);
            return Err(SetError::Invalid {
                key: (*key).to_owned(),
                reason: format!("conflicts with another setting: {reason}"),
            });
        }

        self.write(&mut state, file, &changes, |after| Ok(patched(after, patch)? == *after))
    }

    /// Adds a server to `mcpServers`, replacing one of the same name, or removes it.
    pub fn set_mcp_server(&self, name: &str, server: Option<&Map<String, Value>>) -> Result<(), SetError> {
        let mut state = self.state();
        let file = ConfigFile::read(&self.folders.home);
        let path = ["mcpServers".to_owned(), name.to_owned()];
        let mut changes = vec![Change { path: path.to_vec(), value: None }];
        let mut wanted = BTreeMap::new();
        if let Some(server) = server {
            let table = Value::Object(Map::from_iter([(name.to_owned(), Value::Object(server.clone()))]));
            let key = || "mcpServers".to_owned();
            wanted = Setting::read(&table).map_err(|reason| SetError::Invalid { key: key(), reason })?;
            leaves(&mut changes, &path, server);
        }
        let wanted: Option<McpServer> = wanted.remove(name);
        self.write(&mut state, file, &changes, |after| Ok(after.mcp_servers.get(name) == wanted.as_ref()))
    }

    /// Writes changes into the file, unless reading the edited text does not give the expected settings.
    fn write(
        &self,
        state: &mut State,
        file: ConfigFile,
        changes: &[Change],
        is_expected: impl FnOnce(&Config) -> Result<bool, SetError>,
    ) -> Result<(), SetError> {
        let broken = |reason: String| SetError::Broken { path: file.path.clone(), reason };
        let text =
            String::from_utf8_lossy(file.content.as_deref().unwrap_or(FIRST_LINE.as_bytes())).into_owned();
        let edited = edit(file.format, &text, changes).map_err(|error| broken(error.to_string()))?;
        let after = parse(file.format, edited.as_bytes()).map_err(|error| broken(at(&error)))?;
        let loaded = load(&after, &self.environment, &self.flags);
        if !is_expected(&loaded.config)? {
            return Err(broken("its structure leaves no place for this change".into()));
        }
        atomic_write_private(&file.path, edited.as_bytes())?;
        state.file = file.with_content(edited.into_bytes());
        state.file.keep_as_good(&self.folders.home);
        state.loaded = loaded;
        state.note_second_file();
        self.publish(&state.loaded.config);
        Ok(())
    }

    fn publish(&self, config: &Config) {
        self.current.send_if_modified(|current| {
            let changed = **current != *config;
            if changed {
                *current = Arc::new(config.clone());
            }
            changed
        });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The guarded value is only replaced as a whole, so it is consistent even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Omits the settings, which may contain secrets anywhere.
impl fmt::Debug for LiveConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveConfig").field("home", &self.folders.home).finish_non_exhaustive()
    }
}

fn patched(config: &Config, patch: &ConfigPatch) -> Result<Config, SetError> {
    let mut config = config.clone();
    for (key, value) in &patch.0 {
        if let Some(field) = field(key) {
            (field.reset)(&mut config);
            if !value.is_null() {
                (field.put)(&mut config, value)
                    .map_err(|reason| SetError::Invalid { key: key.clone(), reason })?;
            }
        }
    }
    Ok(config)
}

fn checked(key: &str, value: &Value, before: &LoadedSettings) -> Result<&'static Field, SetError> {
    let field =
        field(key).ok_or_else(|| SetError::Unknown { key: key.to_owned(), meant: suggestion(key) })?;
    if field.kind == protocol::FieldKind::Table {
        return Err(SetError::OnlyInFile(field.key));
    }
    let by = match before.source(field.key) {
        SettingSource::Environment => format!("the environment variable {}", field.variable()),
        SettingSource::Flag => "a command-line flag".to_owned(),
        SettingSource::File | SettingSource::Default => {
            if field.key == "auth.enabled" && *value == Value::Bool(false) {
                let reason = "cannot be switched off: any web page could reach an open server".into();
                return Err(SetError::Invalid { key: key.to_owned(), reason });
            }
            return Ok(field);
        }
    };
    Err(SetError::Decided { key: field.key, by })
}

/// Adds a change for each leaf value of a table.
fn leaves(changes: &mut Vec<Change>, path: &[String], table: &Map<String, Value>) {
    for (name, value) in table {
        let path: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
        match value {
            Value::Object(inner) => leaves(changes, &path, inner),
            value => changes.push(Change { path, value: Some(value.clone()) }),
        }
    }
}

/// The first line of a settings file that a change creates.
const FIRST_LINE: &str = "# Perigee's settings. config.example.toml describes every one of them.\n";

fn at(broken: &ParseError) -> String {
    format!("at line {}, column {}: {}", broken.at.line, broken.at.column, broken.reason)
}

#[cfg(test)]
#[path = "live_tests.rs"]
mod tests;
