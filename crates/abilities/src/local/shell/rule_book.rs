use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use commands::Rules;
use serde_json::Value;

/// The user's rules about commands, as they stand in their file at this moment.
pub struct RuleBook {
    path: PathBuf,
    read: Mutex<Option<Read>>,
}

struct Read {
    changed: SystemTime,
    rules: Result<Arc<Rules>, String>,
}

impl RuleBook {
    pub fn new(path: PathBuf) -> Self {
        Self { path, read: Mutex::new(None) }
    }

    /// The rules; where they cannot be read, why, in words for the one who is asked instead.
    pub fn current(&self) -> Result<Arc<Rules>, String> {
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

    fn read(&self) -> Result<Arc<Rules>, String> {
        let text = fs::read_to_string(&self.path).map_err(|error| self.trouble(&error.to_string()))?;
        let values: Vec<Value> =
            serde_json::from_str(&text).map_err(|error| self.trouble(&error.to_string()))?;
        let rules = Rules::read(&values);
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
        format!(
            "Your rules about commands in {} cannot be read, so every command asks: {why}.",
            self.path.display()
        )
    }
}
