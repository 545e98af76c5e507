use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use host::{Clock, IdSource};
use rusqlite::Connection;

use crate::connection::open_writer;
use crate::error::{Result, StoreError};
use crate::readers::Readers;
use crate::schema;
use crate::writer::{Durability, Writer};

/// The database. Cheap to clone; all clones share the connections.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    ids: Arc<Ids>,
    writer: Writer,
    readers: Arc<Readers>,
}

/// Ids that rise across restarts too, also when the clock was set back in between.
pub(crate) struct Ids {
    source: IdSource,
    last: AtomicI64,
}

impl Ids {
    pub(crate) fn next(&self) -> i64 {
        self.after(0)
    }

    /// An id greater than `floor`, which another process may have made by a clock that is ahead.
    pub(crate) fn after(&self, floor: i64) -> i64 {
        let fresh = self.source.next().max(floor.saturating_add(1));
        let after = |last: i64| fresh.max(last.saturating_add(1));
        match self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(after(last))) {
            Ok(last) | Err(last) => after(last),
        }
    }
}

/// What a write needs besides its connection.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) ids: Arc<Ids>,
    /// Milliseconds.
    pub(crate) now: i64,
}

impl Store {
    /// Opens the database, makes it where there is none, and brings it to the format of this program. Blocks.
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self> {
        make_private(path)?;
        let mut connection = open_writer(path)?;
        // Before anything is written: a database that is not ours to change stays as it is.
        schema::version(&connection)?;
        let mode: String =
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
        if !mode.eq_ignore_ascii_case("wal") {
            tracing::warn!(mode, "this file system allows no write-ahead log: reads will wait for writes");
        }
        schema::migrate(&mut connection)?;
        let ids =
            Ids { source: IdSource::new(clock.clone()), last: AtomicI64::new(greatest_id(&connection)?) };
        crate::accounts::make_owner(&connection, &ids, clock.now().as_millisecond())?;
        Ok(Self {
            shared: Arc::new(Shared {
                path: path.to_owned(),
                clock,
                ids: Arc::new(ids),
                writer: Writer::start(connection)?,
                readers: Arc::new(Readers::new(path.to_owned())),
            }),
        })
    }

    /// Waits for the writes under way and closes the file. Other clones, if there are any, go on.
    pub async fn close(self) {
        if let Some(shared) = Arc::into_inner(self.shared) {
            let closing = tokio::task::spawn_blocking(move || {
                drop(shared.readers);
                shared.writer.finish();
            });
            let _ = closing.await;
        }
    }

    pub(crate) fn file(&self) -> &Path {
        &self.shared.path
    }

    pub(crate) fn writer(&self) -> &Writer {
        &self.shared.writer
    }

    pub(crate) fn desk(&self) -> Desk {
        Desk { ids: self.shared.ids.clone(), now: self.shared.clock.now().as_millisecond() }
    }

    pub(crate) async fn write<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.shared.writer.write(durability, work).await
    }

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.shared.readers.read(work).await
    }
}

/// Makes an empty file that only its owner can read, where there is none. SQLite would leave that to the machine's
/// defaults.
#[allow(
    clippy::disallowed_methods,
    reason = "an atomic write would replace a file that another program has just made"
)]
pub(crate) fn make_private(path: &Path) -> Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(StoreError::Unreachable(error.to_string()))
        }
        _ => Ok(()),
    }
}

fn greatest_id(connection: &Connection) -> Result<i64> {
    let mut greatest = 0;
    for table in ["users", "tokens", "sessions", "conversations", "messages", "attachments", "turns"] {
        let sql = format!("SELECT ifnull(max(id), 0) FROM {table}");
        greatest = greatest.max(connection.query_row(&sql, [], |row| row.get(0))?);
    }
    Ok(greatest)
}
