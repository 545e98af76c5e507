use std::io;
use std::path::{Path, PathBuf};

use host::{FileError, RootDir, RootError, atomic_write_private, private_dir};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::BackupError;
use super::disk::{is_there, remove_if_empty};

const SET: &str = "before-restore-";
const JOURNAL: &str = "restore.json";
const LARGEST: u64 = 1 << 20;

/// The planned moves, written down before the first one, so that they can be reverted after a power failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RestoreJournal {
    /// A number that increases with each set, even if the clock was set back.
    pub(super) number: u64,
    pub(super) created: Timestamp,
    pub(super) state: MoveState,
    /// The folder with the new content.
    pub(super) incoming: PathBuf,
    pub(super) moves: Vec<Move>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MoveState {
    Moving,
    Done,
}

/// A place and its path. The path is recorded because the settings that define it may themselves be replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Move {
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// True if the place has old content, which moves into the set.
    pub(super) had: bool,
    /// True if the place gets new content.
    pub(super) gets: bool,
}

/// A folder with the data that one restore replaced.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) folder: PathBuf,
    pub(super) journal: RestoreJournal,
}

impl Set {
    /// Creates an empty set and writes its journal.
    pub(super) fn begin(
        backups: &Path,
        incoming: &Path,
        moves: Vec<Move>,
        now: Timestamp,
    ) -> Result<Self, BackupError> {
        let known = Sets::find(backups)?.readable;
        let number = known.iter().map(|set| set.journal.number).max().unwrap_or(0) + 1;
        let time = now.strftime("%Y-%m-%dT%H-%M-%SZ").to_string();
        let names = std::iter::once(time.clone()).chain((2..).map(|count| format!("{time}-{count}")));
        let folder = names.map(|name| backups.join(format!("{SET}{name}"))).find(|folder| !is_there(folder));
        let folder = folder.unwrap_or_else(|| backups.join(SET));
        private_dir(&folder)?;
        let journal = RestoreJournal {
            number,
            created: now,
            state: MoveState::Moving,
            incoming: incoming.to_path_buf(),
            moves,
        };
        let set = Self { folder, journal };
        if let Err(error) = set.write() {
            remove_if_empty(&set.folder);
            return Err(error.into());
        }
        Ok(set)
    }

    pub(super) fn write(&self) -> Result<(), FileError> {
        let path = self.journal_file();
        let text = serde_json::to_vec_pretty(&self.journal)
            .map_err(|error| FileError::new("write", &path, io::Error::from(error)))?;
        atomic_write_private(path, &text)
    }

    pub(super) fn journal_file(&self) -> PathBuf {
        self.folder.join(JOURNAL)
    }

    /// Returns the path of a place's old content within this set.
    pub(super) fn holds(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// All sets, unordered. A folder without a journal is not a set: either nothing was moved yet, or it has been emptied.
pub(super) struct Sets {
    pub(super) readable: Vec<Set>,
    /// Folders with an invalid journal, and the reason.
    pub(super) unreadable: Vec<(PathBuf, String)>,
}

impl Sets {
    pub(super) fn find(backups: &Path) -> Result<Self, FileError> {
        let mut sets = Self { readable: Vec::new(), unreadable: Vec::new() };
        let root = match RootDir::open(backups) {
            Ok(root) => root,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(sets),
            Err(error) => return Err(error),
        };
        let listed = |error| FileError::new("list", backups, io::Error::other::<RootError>(error));
        for (name, _) in root.list("").map_err(listed)? {
            if !name.to_string_lossy().starts_with(SET) {
                continue;
            }
            let folder = backups.join(&name);
            let journal = match root.read(Path::new(&name).join(JOURNAL), LARGEST) {
                Ok(text) => serde_json::from_slice(&text).map_err(|error| error.to_string()),
                Err(error) if error.is_not_found() => continue,
                Err(error) => Err(error.to_string()),
            };
            match journal {
                Ok(journal) => sets.readable.push(Set { folder, journal }),
                Err(why) => sets.unreadable.push((folder, why)),
            }
        }
        Ok(sets)
    }
}
