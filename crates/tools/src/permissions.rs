use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use protocol::Permission;

use crate::spec::ToolDefinition;

/// Larger files are refused: neither a user nor this program writes one this big.
const LARGEST: u64 = 1 << 20;

/// The tool permissions set by the user: `permissions.json`, which holds only what differs from the defaults. It can be
/// edited while the program runs.
#[derive(Debug)]
pub struct Permissions {
    path: PathBuf,
    loaded: Mutex<LoadedFile>,
}

#[derive(Debug, Default)]
struct LoadedFile {
    version: FileVersion,
    by_tool: BTreeMap<String, Permission>,
    /// True if `by_tool` was read from a valid file.
    was_read: bool,
    /// The error in the file, while the last valid content stays in force.
    trouble: Option<String>,
}

/// The version of the file, by its metadata.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum FileVersion {
    #[default]
    NotRead,
    NoFile,
    File {
        modified: Option<SystemTime>,
        length: u64,
    },
    /// The file's metadata cannot be read; it may exist.
    Unknown(String),
}

impl FileVersion {
    fn at(path: &Path) -> Self {
        match std::fs::metadata(path) {
            Ok(found) => Self::File { modified: found.modified().ok(), length: found.len() },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::NoFile,
            Err(error) => Self::Unknown(error.to_string()),
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
        Self { path: path.into(), loaded: Mutex::default() }
    }

    /// Returns the permission set for a tool, if any.
    pub fn of(&self, tool: &str) -> Option<Permission> {
        self.refreshed().by_tool.get(tool).copied()
    }

    /// Returns the permission in force for a tool: the one that is set, or the default. If the file has not been valid
    /// so far, every tool that would run needs confirmation, so that a missing comma cannot unblock a tool.
    pub fn holding(&self, spec: &ToolDefinition) -> Permission {
        let loaded_file = self.refreshed();
        let permission =
            loaded_file.by_tool.get(&spec.name).copied().unwrap_or_else(|| spec.default_permission());
        match permission {
            Permission::Allow if loaded_file.trouble.is_some() && !loaded_file.was_read => {
                Permission::Confirm
            }
            holds => holds,
        }
    }

    /// Returns all permissions that are set, by tool.
    pub fn all(&self) -> BTreeMap<String, Permission> {
        self.refreshed().by_tool.clone()
    }

    /// Returns the error in the file, if there is one.
    pub fn trouble(&self) -> Option<String> {
        self.refreshed().trouble.clone()
    }

    /// Sets or, with `None`, clears the permission of a tool, and writes the file.
    pub fn set(&self, tool: &str, permission: Option<Permission>) -> Result<(), PermissionsError> {
        let mut loaded_file = self.refreshed();
        if let Some(trouble) = &loaded_file.trouble {
            return Err(PermissionsError::Broken(trouble.clone()));
        }
        let mut by_tool = loaded_file.by_tool.clone();
        match permission {
            Some(permission) => drop(by_tool.insert(tool.to_owned(), permission)),
            None => drop(by_tool.remove(tool)),
        }
        let mut text = serde_json::to_string_pretty(&by_tool).unwrap_or_default();
        text.push('\n');
        if let Some(folder) = self.path.parent() {
            host::private_dir(folder)?;
        }
        host::atomic_write_private(&self.path, text.as_bytes())?;
        loaded_file.by_tool = by_tool;
        loaded_file.version = FileVersion::at(&self.path);
        Ok(())
    }

    fn refreshed(&self) -> MutexGuard<'_, LoadedFile> {
        let mut loaded_file = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = FileVersion::at(&self.path);
        if loaded_file.version != seen {
            match read(&self.path, &seen) {
                Ok(by_tool) => {
                    loaded_file.was_read |= matches!(seen, FileVersion::File { .. });
                    (loaded_file.by_tool, loaded_file.trouble) = (by_tool, None);
                }
                Err(trouble) => {
                    tracing::warn!("{trouble}");
                    loaded_file.trouble = Some(trouble);
                }
            }
            loaded_file.version = seen;
        }
        loaded_file
    }
}

fn read(path: &Path, seen: &FileVersion) -> Result<BTreeMap<String, Permission>, String> {
    let shown = path.display();
    match seen {
        FileVersion::NotRead | FileVersion::NoFile => return Ok(BTreeMap::new()),
        FileVersion::Unknown(error) => return Err(format!("{shown} cannot be accessed: {error}.")),
        FileVersion::File { length, .. } if *length > LARGEST => {
            return Err(format!("{shown} is larger than a megabyte."));
        }
        FileVersion::File { .. } => {}
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
