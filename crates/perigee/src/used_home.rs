//! Whether the database that a home had is still there. SQLite makes a new one of an empty file without a word, and
//! removes the log beside it, which may be all that is left of the old one.

use std::path::{Path, PathBuf};

use config::Paths;
use store::{FileState, Store, StoreError};

/// What a home has only once a server has run in it.
const TRACES: [&str; 5] = ["token", "run.json", "chat_history", "users", "audit.log"];

/// What became of a database that was there before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// An empty file.
    Emptied,
    CutShort {
        bytes: u64,
        of: u64,
    },
    /// Only its log is there.
    Gone,
}

/// What is lost, if anything is. A home that has no database yet, and one that never was used, has lost nothing.
pub fn loss(paths: &Paths) -> Result<Option<Loss>, StoreError> {
    let has_log = has_bytes(&beside(&paths.database, "-wal"));
    Ok(match Store::file_state(&paths.database)? {
        FileState::Whole => None,
        FileState::CutShort { bytes, of } => Some(Loss::CutShort { bytes, of }),
        FileState::Empty => (has_log || was_used(paths)).then_some(Loss::Emptied),
        // Whoever takes the database away wants another; with its log in place, it went by itself.
        FileState::Missing => has_log.then_some(Loss::Gone),
    })
}

/// Stops a start that would make a new database where one was lost.
pub fn check(paths: &Paths) -> anyhow::Result<()> {
    match loss(paths)? {
        Some(loss) => anyhow::bail!("{} Nothing was changed. {}", loss.told(paths), ways_out(paths)),
        None => Ok(()),
    }
}

/// Whether there is no database, and there was one.
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

/// What a person can do.
pub fn ways_out(paths: &Paths) -> String {
    let back = ways_back(paths);
    format!(
        "{back} Or begin with an empty memory: perigee restore --anew. What is here now is kept either way."
    )
}

/// How to get to what was there before.
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
