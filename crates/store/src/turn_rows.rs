//! Lookups of the message and of the user of a turn.

use protocol::{MessageId, TurnId, UserId};
use rusqlite::Connection;

use crate::error::{ObjectKind, OrNotFound, Result};

/// Returns the reply message of a turn.
pub(crate) fn message_of(connection: &Connection, turn: TurnId) -> Result<MessageId> {
    let mut statement = connection.prepare_cached("SELECT message FROM turns WHERE id = ?1")?;
    statement.query_row([turn.get()], |row| row.get(0).map(MessageId::new)).or_not_found(ObjectKind::Turn)
}

/// Returns the user of a turn.
pub(crate) fn user_of(connection: &Connection, turn: TurnId) -> Result<UserId> {
    let mut statement = connection.prepare_cached("SELECT user FROM turns WHERE id = ?1")?;
    statement.query_row([turn.get()], |row| row.get(0).map(UserId::new)).or_not_found(ObjectKind::Turn)
}
