//! Detection of a lost database. SQLite silently creates a new database in an empty file and deletes the write-ahead
//! log beside it, which may be all that is left of the old one.

use std::path::{Path, PathBuf};

use config::Paths;
use store::{FileState, Store, StoreError};

/// Files that exist only once a server has used the data folder.
const USED_FILES: [&str; 5] = ["token", "run.json", "chat_history", "users", "audit.log"];

/// The kind of damage to an earlier database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseLoss {
    /// The file is empty.
    Emptied,
    CutShort {
        bytes: u64,
        of: u64,
    },
    /// Only the write-ahead log is left.
    Gone,
}

/// Returns what was lost, if anything. A data folder without a database, or never used, has lost nothing.
pub fn find_loss(paths: &Paths) -> Result<Option<DatabaseLoss>, StoreError> {
    let has_log = has_bytes(&with_suffix(&paths.database, "-wal"));
    Ok(match Store::file_state(&paths.database)? {
        FileState::Whole => None,
        FileState::CutShort { bytes, of } => Some(DatabaseLoss::CutShort { bytes, of }),
        FileState::Empty => (has_log || was_used(paths)).then_some(DatabaseLoss::Emptied),
        // A missing database was removed on purpose, unless its log is still there.
        FileState::Missing => has_log.then_some(DatabaseLoss::Gone),
    })
}

/// Prevents a start that would replace a lost database by a new one.
pub fn check_not_lost(paths: &Paths) -> anyhow::Result<()> {
    match find_loss(paths)? {
        Some(loss) => {
            anyhow::bail!("{} Nothing was changed. {}", loss.describe(paths), recovery_options(paths))
        }
        None => Ok(()),
    }
}

/// Returns true if the data folder was used before but has no database.
pub fn starts_empty(paths: &Paths) -> bool {
    !paths.database.exists() && was_used(paths)
}

impl DatabaseLoss {
    pub fn describe(&self, paths: &Paths) -> String {
        let file = paths.database.display();
        match self {
            Self::Emptied => format!("The database {file} is empty, though this folder was in use before."),
            Self::CutShort { bytes, of } => {
                format!("The database {file} is cut short: only {bytes} of {of} bytes are there.")
            }
            Self::Gone => format!("The database {file} is gone, and only the log beside it is left."),
        }
    }
}

/// Describes the options of the user.
pub fn recovery_options(paths: &Paths) -> String {
    let back = restore_hint(paths);
    format!(
        "{back} Or start with an empty memory: perigee restore --anew. The files that are here are kept either way."
    )
}

/// Describes how to restore the earlier data.
pub fn restore_hint(paths: &Paths) -> String {
    let newest = newest_backup(&paths.backups);
    let backup = newest.map_or_else(String::new, |file| format!(" (the newest here: {})", file.display()));
    format!("Restore a backup: perigee restore FILE{backup}.")
}

fn was_used(paths: &Paths) -> bool {
    let has_backups = std::fs::read_dir(&paths.backups).is_ok_and(|mut entries| entries.next().is_some());
    has_backups || has_bytes(&paths.audit_log) || USED_FILES.iter().any(|name| paths.home.join(name).exists())
}

fn newest_backup(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let backups = entries.filter_map(|entry| {
        let is_backup = entry.file_name().to_string_lossy().ends_with(".tar.gz");
        let modified = entry.metadata().ok().filter(|found| is_backup && found.is_file())?.modified().ok()?;
        Some((modified, entry.path()))
    });
    backups.max().map(|(_, path)| path)
}

fn has_bytes(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.len() > 0)
}

fn with_suffix(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
