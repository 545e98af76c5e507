use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use protocol::Permission;

use crate::spec::Spec;

/// Larger files are refused: neither a user nor this program writes one this big.
const LARGEST: u64 = 1 << 20;

/// The tool permissions set by the user: `permissions.json`, which holds only what differs from the defaults. It can be
/// edited while the program runs.
#[derive(Debug)]
pub struct Permissions {
    path: PathBuf,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    seen: Seen,
    said: BTreeMap<String, Permission>,
    /// True if `said` was read from a valid file.
    was_read: bool,
    /// The error in the file, while the last valid content stays in force.
    trouble: Option<String>,
}

/// File metadata for detecting changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Seen {
    #[default]
    NothingYet,
    NoFile,
    File {
        modified: Option<SystemTime>,
        length: u64,
    },
    /// The file's metadata cannot be read; it may exist.
    Hidden(String),
}

impl Seen {
    fn at(path: &Path) -> Self {
        match std::fs::metadata(path) {
            Ok(found) => Self::File { modified: found.modified().ok(), length: found.len() },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::NoFile,
            Err(error) => Self::Hidden(error.to_string()),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PermissionsError {
    #[error("{0} Nothing was changed. Fix the file first")]
    Broken(String),
    #[error(transparent)]
    Write(#[from] host::FileError),
}

impl Permissions {
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), known: Mutex::default() }
    }

    /// Returns the permission set for a tool, if any.
    pub fn of(&self, tool: &str) -> Option<Permission> {
        self.refreshed().said.get(tool).copied()
    }

    /// Returns the permission in force for a tool: the one that is set, or the default. If the file has not been valid
    /// so far, every tool that would run needs confirmation, so that a missing comma cannot unblock a tool.
    pub fn holding(&self, spec: &Spec) -> Permission {
        let known = self.refreshed();
        let permission = known.said.get(&spec.name).copied().unwrap_or_else(|| spec.default_permission());
        match permission {
            Permission::Allow if known.trouble.is_some() && !known.was_read => Permission::Confirm,
            holds => holds,
        }
    }

    /// Returns all permissions that are set, by tool.
    pub fn all(&self) -> BTreeMap<String, Permission> {
        self.refreshed().said.clone()
    }

    /// Returns the error in the file, if there is one.
    pub fn trouble(&self) -> Option<String> {
        self.refreshed().trouble.clone()
    }

    /// Sets or, with `None`, clears the permission of a tool, and writes the file.
    pub fn set(&self, tool: &str, permission: Option<Permission>) -> Result<(), PermissionsError> {
        let mut known = self.refreshed();
        if let Some(trouble) = &known.trouble {
            return Err(PermissionsError::Broken(trouble.clone()));
        }
        let mut said = known.said.clone();
        match permission {
            Some(permission) => drop(said.insert(tool.to_owned(), permission)),
            None => drop(said.remove(tool)),
        }
        let mut text = serde_json::to_string_pretty(&said).unwrap_or_default();
        text.push('\n');
        if let Some(folder) = self.path.parent() {
            host::private_dir(folder)?;
        }
        host::atomic_write_private(&self.path, text.as_bytes())?;
        known.said = said;
        known.seen = Seen::at(&self.path);
        Ok(())
    }

    fn refreshed(&self) -> MutexGuard<'_, Known> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = Seen::at(&self.path);
        if known.seen != seen {
            match read(&self.path, &seen) {
                Ok(said) => {
                    known.was_read |= matches!(seen, Seen::File { .. });
                    (known.said, known.trouble) = (said, None);
                }
                Err(trouble) => {
                    tracing::warn!("{trouble}");
                    known.trouble = Some(trouble);
                }
            }
            known.seen = seen;
        }
        known
    }
}

fn read(path: &Path, seen: &Seen) -> Result<BTreeMap<String, Permission>, String> {
    let shown = path.display();
    match seen {
        Seen::NothingYet | Seen::NoFile => return Ok(BTreeMap::new()),
        Seen::Hidden(error) => return Err(format!("{shown} cannot be looked at: {error}.")),
        Seen::File { length, .. } if *length > LARGEST => {
            return Err(format!("{shown} is larger than a megabyte."));
        }
        Seen::File { .. } => {}
    }
    let text = std::fs::read_to_string(path).map_err(|error| format!("{shown} cannot be read: {error}."))?;
    if text.trim().is_empty() {
        return Ok(BTreeMap::new());
    }
    serde_json::from_str(&text).map_err(|error| {
        format!("{shown} cannot be understood: {error}. It looks like {{\"web_fetch\": \"allow\"}}, with allow, confirm or block.")
    })
}

#[cfg(test)]
#[path = "permissions_tests.rs"]
mod tests;
