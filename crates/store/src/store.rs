use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use host::{Clock, IdSource};
use protocol::{ConversationId, UserId};
use rusqlite::{Connection, params};

use crate::connection::open_writer;
use crate::error::{Result, StoreError};
use crate::file_state::FileState;
use crate::readers::ReaderPool;
use crate::schema;
use crate::writer::{Durability, Writer};

/// The database. It is cheap to clone; all clones share the connections.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    ids: Arc<Ids>,
    writer: Writer,
    readers: Arc<ReaderPool>,
    /// The incognito conversations: a database of the same format that is never written to disk.
    incognito: OnceLock<Store>,
}

/// A source of ids that increase across restarts, even if the clock was set back in between.
pub(crate) struct Ids {
    source: IdSource,
    last: AtomicI64,
    /// Set in every id to identify the database that a row is in.
    mark: i64,
}

impl Ids {
    pub(crate) fn next(&self) -> i64 {
        self.after(0)
    }

    /// Returns an id greater than `floor`, which another process with a fast clock may have issued.
    pub(crate) fn after(&self, floor: i64) -> i64 {
        let fresh = (self.source.next() | self.mark).max(floor.saturating_add(1));
        let after = |last: i64| fresh.max(last.saturating_add(1));
        match self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(after(last))) {
            Ok(last) | Err(last) => after(last),
        }
    }
}

/// The owner's name until it is changed.
const OWNER: &str = "owner";
/// The highest bit of an id, which timestamps do not reach before 2058.
const INCOGNITO: i64 = 1 << 62;

/// Returns true if a conversation is incognito, that is, kept in memory only.
pub fn is_incognito(conversation: ConversationId) -> bool {
    conversation.get() & INCOGNITO != 0
}

/// The context of a write, apart from its connection.
#[derive(Clone)]
pub(crate) struct WriteContext {
    pub(crate) ids: Arc<Ids>,
    /// The current time in milliseconds.
    pub(crate) now: i64,
}

impl Store {
    /// Opens the database, creating it if necessary, and migrates it to the format of this program. Blocks.
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self> {
        if let FileState::CutShort { bytes, of } = FileState::of(path)? {
            return Err(StoreError::Damaged(format!(
                "it is cut short: only {bytes} of {of} bytes are there"
            )));
        }
        make_private(path)?;
        Self::open_as(path, clock, 0)
    }

    /// Examines the length of a file without changing anything. Blocks.
    pub fn file_state(path: &Path) -> Result<FileState> {
        FileState::of(path)
    }

    fn open_as(path: &Path, clock: Arc<dyn Clock>, mark: i64) -> Result<Self> {
        let mut connection = open_writer(path)?;
        // Checked before anything is written: a database that belongs to another program or a newer version is not
        // changed.
        schema::version(&connection)?;
        let mode: String =
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
        if mark == 0 && !mode.eq_ignore_ascii_case("wal") {
            tracing::warn!(
                mode,
                "this file system does not support a write-ahead log: reads will wait for writes"
            );
        }
        schema::migrate(&mut connection)?;
        let last = AtomicI64::new(greatest_id(&connection)?);
        let ids = Ids { source: IdSource::new(clock.clone()), last, mark };
        if mark == 0 {
            make_owner(&connection, &ids, clock.now().as_millisecond())?;
        }
        Ok(Self {
            shared: Arc::new(Shared {
                path: path.to_owned(),
                clock,
                ids: Arc::new(ids),
                writer: Writer::start(connection)?,
                readers: Arc::new(ReaderPool::new(path.to_owned())),
                incognito: OnceLock::new(),
            }),
        })
    }

    /// Waits for pending writes and closes the file. If there are other clones, they continue to work.
    pub async fn close(self) {
        if let Some(shared) = Arc::into_inner(self.shared) {
            let closing = tokio::task::spawn_blocking(move || {
                drop(shared.readers);
                shared.writer.finish();
            });
            let _ = closing.await;
        }
    }

    /// Returns the database that holds the object with this id.
    pub(crate) fn home(&self, id: i64) -> &Store {
        match self.shared.incognito.get() {
            Some(incognito) if id & INCOGNITO != 0 => incognito,
            _ => self,
        }
    }

    pub(crate) fn opened_incognito(&self) -> Option<&Store> {
        self.shared.incognito.get()
    }

    /// Returns the database of incognito conversations, after adding a row for this user.
    pub(crate) async fn incognito(&self, user: UserId) -> Result<&Store> {
        let known = self.user(user).await?;
        let incognito = if let Some(incognito) = self.shared.incognito.get() {
            incognito
        } else {
            let name = format!("file:/perigee-{}?vfs=memdb", self.shared.ids.next());
            let opened = Self::open_as(Path::new(&name), self.shared.clock.clone(), INCOGNITO)?;
            self.shared.incognito.get_or_init(|| opened)
        };
        let now = self.context().now;
        incognito
            .write(Durability::Log, move |connection| {
                let sql = "INSERT OR IGNORE INTO users (id, name, owner, created_at) VALUES (?1, ?2, ?3, ?4)";
                connection.execute(sql, params![known.id.get(), known.name, known.owner, now])?;
                Ok(())
            })
            .await?;
        Ok(incognito)
    }

    /// Returns the path of the database.
    pub fn file(&self) -> &Path {
        &self.shared.path
    }

    pub(crate) fn writer(&self) -> &Writer {
        &self.shared.writer
    }

    pub(crate) fn context(&self) -> WriteContext {
        WriteContext { ids: self.shared.ids.clone(), now: self.shared.clock.now().as_millisecond() }
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

/// Creates an empty file that only its owner can read, if there is none. SQLite would use the system's default
/// permissions.
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
    let tables = [
        "users",
        "tokens",
        "sessions",
        "conversations",
        "messages",
        "attachments",
        "turns",
        "facts",
        "fact_changes",
        "vector_entries",
        "personality_moves",
        "personality_undo",
        "code_roots",
        "code_proposals",
        "code_notes",
        "code_checkpoints",
    ];
    for table in tables {
        let sql = format!("SELECT ifnull(max(id), 0) FROM {table}");
        greatest = greatest.max(connection.query_row(&sql, [], |row| row.get(0))?);
    }
    Ok(greatest)
}

/// Creates the owner, the one user who exists from the start.
fn make_owner(connection: &Connection, ids: &Ids, now: i64) -> Result<()> {
    let sql = "INSERT INTO users (id, name, owner, created_at)
               SELECT ?1, ?2, 1, ?3 WHERE NOT EXISTS (SELECT 1 FROM users WHERE owner = 1)";
    connection.execute(sql, params![ids.next(), OWNER, now])?;
    Ok(())
}
