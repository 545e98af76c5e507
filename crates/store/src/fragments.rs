use protocol::{Fragment, MessageId, TurnId, UserId, Why};
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use crate::error::{ObjectKind, OrNotFound, Result};
use crate::store::Store;
use crate::stored::{Keyword, RowExt};

impl Store {
    /// Answers *Why did you say that?*: returns what the model read for this turn and what it cost.
    pub async fn why(&self, user: UserId, turn: TurnId) -> Result<Why> {
        self.home(turn.get())
            .read(move |connection| {
                let sql = "SELECT t.message, t.model, t.usage, t.timings FROM turns t
                       JOIN conversations c ON c.id = t.conversation
                       WHERE t.id = ?1 AND t.user = ?2 AND c.deleted_at IS NULL";
                let mut statement = connection.prepare_cached(sql)?;
                let found = statement.query_row(params![turn.get(), user.get()], |row| {
                    Ok(Why {
                        turn_id: turn,
                        message_id: MessageId::new(row.get("message")?),
                        model: row.get("model")?,
                        fragments: Vec::new(),
                        usage: row.json("usage")?,
                        timings: row.json("timings")?,
                    })
                });
                let why = found.or_not_found(ObjectKind::Turn)?;
                Ok(Why { fragments: of_turn(connection, turn)?, ..why })
            })
            .await
    }
}

fn of_turn(connection: &Connection, turn: TurnId) -> Result<Vec<Fragment>> {
    let sql = "SELECT tf.kind, tf.source, f.text, tf.tokens FROM turn_fragments tf
               JOIN fragments f ON f.id = tf.fragment WHERE tf.turn = ?1 ORDER BY tf.ord";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([turn.get()], |row| {
        Ok(Fragment {
            kind: row.keyword("kind")?,
            source: row.get("source")?,
            text: row.get("text")?,
            tokens: row.get("tokens")?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn set_of_turn(connection: &Connection, turn: TurnId, fragments: &[Fragment]) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO turn_fragments (turn, ord, kind, source, fragment, tokens)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    for (ord, Fragment { kind, source, text, tokens }) in (0_u32..).zip(fragments) {
        let fragment = keep(connection, text)?;
        let values = params![turn.get(), ord, kind.keyword(), source, fragment, tokens];
        connection.prepare_cached(sql)?.execute(values)?;
    }
    Ok(())
}

/// Returns the row that holds this text, creating it if necessary.
pub(crate) fn keep(connection: &Connection, text: &str) -> Result<i64> {
    let hash: [u8; 32] = Sha256::digest(text).into();
    let insert = "INSERT INTO fragments (hash, text) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING";
    connection.prepare_cached(insert)?.execute(params![hash, text])?;
    let sql = "SELECT id FROM fragments WHERE hash = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([hash], |row| row.get(0))?)
}

/// Returns the fragments that the turns of these messages (a JSON array of ids) and the epochs of a conversation refer
/// to.
pub(crate) fn of_messages(
    connection: &Connection,
    messages: &str,
    conversation: Option<i64>,
) -> Result<Vec<i64>> {
    let sql = "SELECT tf.fragment FROM turn_fragments tf JOIN turns t ON t.id = tf.turn
                 WHERE t.message IN (SELECT value FROM json_each(?1))
               UNION SELECT system FROM epochs WHERE conversation = ?2
               UNION SELECT summary FROM epochs WHERE conversation = ?2 AND summary IS NOT NULL";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![messages, conversation], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Deletes those of the fragments that are no longer referred to.
pub(crate) fn drop_unused(connection: &Connection, pieces: &[i64]) -> Result<()> {
    let sql = "DELETE FROM fragments WHERE id = ?1
               AND NOT EXISTS (SELECT 1 FROM turn_fragments WHERE fragment = ?1)
               AND NOT EXISTS (SELECT 1 FROM epochs WHERE system = ?1)
               AND NOT EXISTS (SELECT 1 FROM epochs WHERE summary = ?1)";
    let mut statement = connection.prepare_cached(sql)?;
    for piece in pieces {
        statement.execute([piece])?;
    }
    Ok(())
}
