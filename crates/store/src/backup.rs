use std::path::Path;

use host::RootDir;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use crate::connection::open_reader;
use crate::error::{Result, StoreError};
use crate::store::{Store, make_private};

/// The number of pages per step, equal to one megabyte.
const STEP: i32 = 256;

impl Store {
    /// Copies the database in its current state into one file, while reads and writes continue. If that fails, no file
    /// is left.
    pub async fn backup_to(&self, path: &Path) -> Result<()> {
        let from = self.file().to_owned();
        let to = path.to_owned();
        let copying = tokio::task::spawn_blocking(move || {
            if to.exists() {
                return Err(StoreError::Conflict("there is already a file with that name. Choose another"));
            }
            let copied = make_private(&to).and_then(|()| copy(&from, &to));
            if copied.is_err() {
                remove(&to);
            }
            copied
        });
        copying.await.unwrap_or_else(|error| Err(StoreError::Internal(error.to_string())))
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let source = open_reader(from)?;
    // The open read transaction holds one snapshot. Without it, every write in between would restart the copy. Writers
    // do not wait for it.
    source.execute_batch("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1")?;
    let mut target = Connection::open(to)?;
    {
        let backup = Backup::new(&source, &mut target)?;
        loop {
            match backup.step(STEP)? {
                StepResult::Done => break,
                StepResult::More => {}
                _ => return Err(StoreError::Busy),
            }
        }
    }
    // The backup is a single file, without a write-ahead log beside it.
    target.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
    Ok(())
}

fn remove(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    let removed = RootDir::open(folder).map_err(|error| error.to_string());
    if let Err(error) = removed.and_then(|folder| folder.remove(name).map_err(|error| error.to_string())) {
        tracing::warn!(error, "could not remove an unfinished backup");
    }
}
