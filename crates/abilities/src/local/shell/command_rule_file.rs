use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use commands::{RuleError, RuleVerdict, ShellRule, ShellRules};
use protocol::{CommandRule, CommandRules, RefusedRule};
use serde_json::{Value, json};
use tools::Ruling;

/// The user's rules for commands, always in the current state of their file.
pub struct CommandRuleFile {
    path: PathBuf,
    read: Mutex<Option<Read>>,
}

struct Read {
    changed: SystemTime,
    rules: Result<Arc<ShellRules>, String>,
}

#[derive(Debug, thiserror::Error)]
pub enum CommandRuleError {
    #[error("{0}")]
    Broken(String),
    #[error("the rule cannot be used: {0}")]
    Rule(#[from] RuleError),
    #[error(
        "no rule can allow this: a rule covers one plain command, and none that runs other programs or needs a \
         question each time"
    )]
    NoRule,
    #[error("there is no such rule")]
    Unknown,
    #[error(transparent)]
    File(#[from] host::FileError),
}

impl CommandRuleFile {
    pub fn new(path: PathBuf) -> Self {
        Self { path, read: Mutex::new(None) }
    }

    /// Returns the rules or, if they cannot be read, the reason, worded for the user who is then asked instead.
    pub fn current(&self) -> Result<Arc<ShellRules>, String> {
        let changed = match fs::metadata(&self.path).and_then(|file| file.modified()) {
            Ok(changed) => changed,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Arc::default()),
            Err(error) => return Err(self.trouble(&error.to_string())),
        };
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = read.as_ref().filter(|read| read.changed == changed) {
            return read.rules.clone();
        }
        let rules = self.read();
        *read = Some(Read { changed, rules: rules.clone() });
        rules
    }

    /// Returns the verdict of the rules on a command line in a folder.
    pub fn ruling(&self, line: &str, folder: &Path) -> Ruling {
        let rules = match self.current() {
            Ok(rules) => rules,
            Err(why) => return Ruling::Ask(why),
        };
        let decision = commands::decide(&rules, line, &folder.to_string_lossy(), false);
        match decision.verdict {
            RuleVerdict::Deny => Ruling::Refuse(decision.why),
            RuleVerdict::Allow => Ruling::Allow,
            RuleVerdict::Ask if decision.rule.is_some() => Ruling::Ask(decision.why),
            RuleVerdict::Ask => Ruling::None,
        }
    }

    /// Returns the content of the file for the settings page.
    pub fn view(&self) -> CommandRules {
        let rules = match self.current() {
            Ok(rules) => rules,
            Err(trouble) => return CommandRules { trouble: Some(trouble), ..CommandRules::default() },
        };
        let wire = |rule: &ShellRule| CommandRule {
            id: rule.id.clone(),
            verdict: match rule.verdict {
                RuleVerdict::Allow => "allow",
                RuleVerdict::Ask => "ask",
                RuleVerdict::Deny => "deny",
            }
            .to_owned(),
            pattern: rule.pattern.to_string(),
            root: rule.root.clone(),
            matches: rule.matches.clone(),
            note: rule.note.clone(),
        };
        let refused = rules.refused().iter();
        CommandRules {
            rules: rules.all().iter().map(wire).collect(),
            refused: refused
                .map(|refused| RefusedRule { id: refused.id.clone(), why: refused.why.to_string() })
                .collect(),
            trouble: None,
        }
    }

    /// Adds the narrowest useful rule that lets commands like this one run without confirmation, everywhere or below
    /// one folder.
    pub fn allow(&self, line: &str, root: Option<&str>) -> Result<(), CommandRuleError> {
        let mut rule = commands::suggest(line).ok_or(CommandRuleError::NoRule)?;
        if let Some(root) = root {
            rule.id = format!("{} in {root}", rule.id);
            rule.root = Some(root.to_owned());
        }
        let known = self.current().map_err(CommandRuleError::Broken)?;
        if known.all().iter().any(|other| other.id == rule.id) {
            return Ok(());
        }
        self.add(&rule)
    }

    /// Restores a rule returned by [`Self::remove`].
    pub fn put_back(&self, rule: Value) -> Result<(), CommandRuleError> {
        let rule = serde_json::from_value(rule).map_err(|error| RuleError::Unreadable(error.to_string()))?;
        self.add(&rule)
    }

    fn add(&self, rule: &ShellRule) -> Result<(), CommandRuleError> {
        let current = self.current().map_err(CommandRuleError::Broken)?;
        let mut rules = ShellRules::clone(&current);
        rules.add(rule.clone())?;
        let mut values = self.values().map_err(CommandRuleError::Broken)?;
        values.push(json!(rule));
        self.write(&values)
    }

    /// Removes a rule from the file, including one that could not be used, and returns it unchanged.
    pub fn remove(&self, id: &str) -> Result<Value, CommandRuleError> {
        let mut values = self.values().map_err(CommandRuleError::Broken)?;
        let place = values.iter().position(|value| value["id"] == id).ok_or(CommandRuleError::Unknown)?;
        let removed = values.remove(place);
        self.write(&values)?;
        Ok(removed)
    }

    fn write(&self, values: &[Value]) -> Result<(), CommandRuleError> {
        let text = serde_json::to_string_pretty(values).unwrap_or_default();
        host::atomic_write_private(&self.path, format!("{text}\n").as_bytes())?;
        // Two changes within one tick of the clock have the same modification time.
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    fn values(&self) -> Result<Vec<Value>, String> {
        match fs::read_to_string(&self.path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| self.trouble(&error.to_string())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.trouble(&error.to_string())),
        }
    }

    fn read(&self) -> Result<Arc<ShellRules>, String> {
        let rules = ShellRules::read(&self.values()?);
        for refused in rules.refused() {
            tracing::warn!(
                "the rule \"{}\" in {} cannot be used: {}",
                refused.id,
                self.path.display(),
                refused.why
            );
        }
        Ok(Arc::new(rules))
    }

    fn trouble(&self, why: &str) -> String {
        format!("Your command rules in {} cannot be read, so every command asks: {why}.", self.path.display())
    }
}
