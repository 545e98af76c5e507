//! Detection of a lost database. SQLite silently creates a new database in an empty file and deletes the write-ahead
//! log beside it, which may be all that is left of the old one.

use std::path::{Path, PathBuf};

use config::Paths;
use store::{FileState, Store, StoreError};

/// Files that exist only once a server has used the data folder.
const TRACES: [&str; 5] = ["token", "run.json", "chat_history", "users", "audit.log"];

/// The kind of damage to an earlier database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
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
pub fn loss(paths: &Paths) -> Result<Option<Loss>, StoreError> {
    let has_log = has_bytes(&beside(&paths.database, "-wal"));
    Ok(match Store::file_state(&paths.database)? {
        FileState::Whole => None,
        FileState::CutShort { bytes, of } => Some(Loss::CutShort { bytes, of }),
        FileState::Empty => (has_log || was_used(paths)).then_some(Loss::Emptied),
        // A missing database was removed on purpose, unless its log is still there.
        FileState::Missing => has_log.then_some(Loss::Gone),
    })
}

/// Prevents a start that would replace a lost database by a new one.
pub fn check(paths: &Paths) -> anyhow::Result<()> {
    match loss(paths)? {
        Some(loss) => anyhow::bail!("{} Nothing was changed. {}", loss.told(paths), ways_out(paths)),
        None => Ok(()),
    }
}

/// Returns true if the data folder was used before but has no database.
pub fn begins_anew(paths: &Paths) -> bool {
    !paths.database.exists() && was_used(paths)
}

impl Loss {
    pub fn told(&self, paths: &Paths) -> String {
        let file = paths.database.display();
        match self {
            Self::Emptied => format!("The database {file} is empty, though this folder was in use before."),
            Self::CutShort { bytes, of } => {
                format!("The database {file} is cut short: {bytes} of {of} bytes are there.")
            }
            Self::Gone => format!("The database {file} is gone, and only the log beside it is left."),
        }
    }
}

/// Describes the options of the user.
pub fn ways_out(paths: &Paths) -> String {
    let back = ways_back(paths);
    format!(
        "{back} Or begin with an empty memory: perigee restore --anew. What is here now is kept either way."
    )
}

/// Describes how to restore the earlier data.
pub fn ways_back(paths: &Paths) -> String {
    let newest = newest_backup(&paths.backups);
    let backup = newest.map_or_else(String::new, |file| format!(" (the newest here: {})", file.display()));
    format!("Go back to a backup: perigee restore FILE{backup}.")
}

fn was_used(paths: &Paths) -> bool {
    let has_backups = std::fs::read_dir(&paths.backups).is_ok_and(|mut entries| entries.next().is_some());
    has_backups || has_bytes(&paths.audit_log) || TRACES.iter().any(|name| paths.home.join(name).exists())
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

fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
