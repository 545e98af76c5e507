//! Combines the file, the environment and the flags into settings. This is pure and never fails.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use protocol::{ConfigProblem, FieldKind};
use serde_json::Value;

use crate::document::{Document, Position, SettingEntry, SettingNode};
use crate::settings::disagreement;
use crate::suggest::suggestion;
use crate::table::{Field, field, fields};
use crate::{Config, alias};

/// The source of a setting's value. Later variants override earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettingSource {
    Default,
    File,
    Environment,
    Flag,
}

impl SettingSource {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File => "file",
            Self::Environment => "environment",
            Self::Flag => "flag",
        }
    }
}

/// Environment variables as a value, so that tests can supply their own.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

/// Shows the names only, since many values are secrets.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Environment {
    /// Returns the variables of this process. Names and values that are not Unicode are left out.
    pub fn of_process() -> Self {
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }

    /// Returns a variable; an empty one counts as not set.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(variables: I) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// Settings given on the command line.
#[derive(Clone, Default)]
pub struct Flags(Vec<(&'static str, Value)>);

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|(key, _)| key)).finish()
    }
}

impl Flags {
    /// Adds a setting. `key` is dotted, as in `server.port`.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.0.push((key, value.into()));
        self
    }
}

/// The limit on reported problems: a file may be wrong in thousands of places, and no user reads that many.
const MOST_PROBLEMS: usize = 40;

/// The settings in force with their sources and problems.
#[derive(Clone, Default)]
pub(crate) struct LoadedSettings {
    pub(crate) config: Config,
    sources: BTreeMap<&'static str, SettingSource>,
    pub(crate) problems: Vec<ConfigProblem>,
    /// Settings that appear in the file, valid or not.
    pub(crate) in_file: Vec<(&'static Field, Position)>,
}

impl LoadedSettings {
    pub(crate) fn source(&self, key: &str) -> SettingSource {
        self.sources.get(key).copied().unwrap_or(SettingSource::Default)
    }

    fn is_full(&self) -> bool {
        self.problems.len() >= MOST_PROBLEMS
    }

    fn problem(&mut self, message: String, at: Option<Position>) {
        self.problems.push(ConfigProblem {
            message,
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            fatal: false,
        });
    }

    fn put(
        &mut self,
        field: &'static Field,
        value: &Value,
        source: SettingSource,
        name: &str,
        at: Option<Position>,
    ) {
        match (field.put)(&mut self.config, value) {
            Ok(()) => {
                self.sources.insert(field.key, source);
            }
            Err(reason) => {
                let instead = match self.source(field.key) {
                    SettingSource::Default => "The default is used".to_owned(),
                    other => format!("The value from the {} is used", other.as_str()),
                };
                self.problem(format!("`{name}` {reason}. {instead}."), at);
            }
        }
    }
}

/// Combines all sources: flags over environment over file over defaults.
pub(crate) fn load(file: &Document, environment: &Environment, flags: &Flags) -> LoadedSettings {
    let mut loaded = LoadedSettings::default();
    read_table(&mut loaded, file, &file.entries, "");
    for field in fields() {
        let name = field.variable();
        if let Some(text) = environment.get(&name) {
            loaded.put(field, &from_text(field.kind, text), SettingSource::Environment, &name, None);
        }
    }
    for name in environment.0.keys().filter(|name| name.starts_with("PERIGEE_") && name.contains("__")) {
        if !fields().any(|field| field.variable() == *name) {
            let key = name["PERIGEE_".len()..].replace("__", ".").to_lowercase();
            let hint =
                suggestion(&key).and_then(field).map(|field| format!(" Did you mean {}?", field.variable()));
            loaded.problem(
                format!("{name} is set, but there is no such setting.{}", hint.unwrap_or_default()),
                None,
            );
        }
    }
    for (key, value) in &flags.0 {
        if let Some(field) = field(key) {
            loaded.put(field, value, SettingSource::Flag, key, None);
        }
    }
    check_together(&mut loaded);
    loaded
}

fn read_table(loaded: &mut LoadedSettings, file: &Document, entries: &[SettingEntry], prefix: &str) {
    let mut seen = HashSet::new();
    for entry in entries {
        let key = if prefix.is_empty() { entry.key.clone() } else { format!("{prefix}.{}", entry.key) };
        let at = || file.position(entry.at);
        if !seen.insert(&entry.key) {
            if loaded.is_full() {
                continue;
            }
            let message = format!("`{}` is in the file twice. The first one is used.", shortened(&key));
            loaded.problem(message, Some(at()));
        } else if let Some(field) = field(&key) {
            loaded.in_file.push((field, at()));
            match &entry.node {
                SettingNode::Leaf { value: Value::Null, .. } => {}
                SettingNode::Leaf { value, at } => {
                    loaded.put(field, value, SettingSource::File, &key, Some(file.position(*at)));
                }
                SettingNode::Table(_) => {
                    loaded.put(field, &entry.node.to_value(), SettingSource::File, &key, Some(at()));
                }
            }
        } else if let Some((field, value)) = alias::resolve(&key, &entry.node) {
            loaded.in_file.push((field, at()));
            // The setting's own name wins, wherever it appears in the file.
            if !alias::own_name_given(entries, field) {
                loaded.put(field, &value, SettingSource::File, &key, Some(at()));
            }
        } else if fields().any(|field| field.key.strip_prefix(&key).is_some_and(|rest| rest.starts_with('.')))
        {
            match &entry.node {
                SettingNode::Table(inner) => read_table(loaded, file, inner, &key),
                SettingNode::Leaf { value: Value::Null, .. } => {}
                SettingNode::Leaf { at, .. } => {
                    loaded.problem(
                        format!("`{key}` should be a table. It is ignored."),
                        Some(file.position(*at)),
                    );
                }
            }
        } else if !loaded.is_full() {
            let hint = suggestion(&key).map(|meant| format!(" Did you mean `{meant}`?"));
            let message = format!("`{}` is not a setting.{}", shortened(&key), hint.unwrap_or_default());
            loaded.problem(message, Some(at()));
        }
    }
}

fn shortened(key: &str) -> String {
    let mut short: String = key.chars().take(80).collect();
    if short.len() < key.len() {
        short.push('…');
    }
    short
}

/// Parses an environment variable, which is always text, into a value of the setting's kind.
fn from_text(kind: FieldKind, text: &str) -> Value {
    let as_text = || Value::from(text);
    match kind {
        FieldKind::Switch => match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Value::Bool(true),
            "false" | "0" | "no" | "off" => Value::Bool(false),
            _ => as_text(),
        },
        FieldKind::Number => {
            serde_json::from_str::<Value>(text).ok().filter(Value::is_number).unwrap_or_else(as_text)
        }
        FieldKind::List if text.trim_start().starts_with('[') => {
            serde_json::from_str(text).unwrap_or_else(|_| as_text())
        }
        FieldKind::List => text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect(),
        FieldKind::Table => serde_json::from_str(text).unwrap_or_else(|_| as_text()),
        FieldKind::Text | FieldKind::Secret | FieldKind::Choice => as_text(),
    }
}

/// Runs the checks that need all settings in place.
fn check_together(loaded: &mut LoadedSettings) {
    if let Some((keys, reason)) = disagreement(&loaded.config) {
        for key in keys {
            if let Some(field) = field(key) {
                (field.reset)(&mut loaded.config);
                loaded.sources.remove(key);
            }
        }
        loaded.problem(format!("{reason}. The defaults are used."), None);
    }
    if !loaded.config.auth.enabled {
        loaded.config.auth.enabled = true;
        let at = loaded.in_file.iter().find(|(field, _)| field.key == "auth.enabled").map(|(_, at)| *at);
        loaded.problem(
            "`auth.enabled = false` is not honoured: any web page could reach an open server. \
             `perigee open` signs your browser in, so you need not type the token."
                .into(),
            at,
        );
    }
    if loaded.config.auth.api_key.expose() == "your-secret-key" {
        loaded.problem(
            "`auth.api_key` is the one from the documentation, which everybody knows. Choose another.".into(),
            None,
        );
    }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
