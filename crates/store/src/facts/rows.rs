//! Conversion between facts and database rows.

use jiff::Timestamp;
use protocol::{ConversationId, FactChangeKind, FactId, MessageId, UserId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::stored_fact::{Doubt, NewFact, StoredFact, StoredFactChange};
use crate::error::{ObjectKind, OrNotFound, Result};
use crate::rounds::list;
use crate::store::WriteContext;
use crate::stored::{Keyword, RowExt, timestamp, to_json};

pub(super) const SELECT: &str =
    "SELECT f.*, c.title, d.id AS doubt, d.conversation AS doubt_conversation, d.created_at AS doubt_at,
    d.content AS doubt_words, d.origins AS doubt_origins,
    (SELECT json_group_array(e.before ->> '$.value') FROM fact_changes e
        WHERE e.fact = f.id AND e.kind = 'edited' AND json_valid(e.before) AND e.before ->> '$.value' <> '') AS put_right FROM facts f
    LEFT JOIN conversations c ON c.id = f.conversation AND c.deleted_at IS NULL
    LEFT JOIN messages d ON d.id = f.doubted_by
        AND EXISTS (SELECT 1 FROM conversations g WHERE g.id = d.conversation AND g.deleted_at IS NULL)";
pub(super) const CHANGES: &str =
    "SELECT c.id, c.fact, c.at, c.kind, c.before, c.other, o.content AS other_content
    FROM fact_changes c LEFT JOIN facts o ON o.id = c.other";

pub(super) fn find(connection: &Connection, user: UserId, id: FactId) -> Result<StoredFact> {
    let sql = format!("{SELECT} WHERE f.id = ?1 AND f.user = ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_row(params![id.get(), user.get()], read_fact).or_not_found(ObjectKind::Fact)
}

pub(super) fn insert(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    id: FactId,
    new: &NewFact,
    untold: bool,
) -> Result<()> {
    crate::accounts::user_exists(connection, user)?;
    let sql = "INSERT INTO facts (id, user, category, status, confidence, importance, created_at, updated_at, content)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, '')";
    let learned = learned_at(connection, context, new)?;
    let values = params![
        id.get(),
        user.get(),
        new.category.keyword(),
        new.status.keyword(),
        new.confidence,
        new.importance,
        learned
    ];
    connection.prepare_cached(sql)?.execute(values)?;
    let now = timestamp(context.now);
    update(
        connection,
        &StoredFact {
            id,
            said: new.clone(),
            created_at: timestamp(learned),
            updated_at: now,
            last_used_at: None,
            use_count: 0,
            said_count: 1,
            untold,
            superseded_by: None,
            doubted_by: None,
            title: None,
            doubt: None,
            put_right: Vec::new(),
        },
    )
}

/// Returns the time since when a fact is known. That is the time of its message, even if it is examined later: the
/// conversation may be imported, or the message may have waited.
fn learned_at(connection: &Connection, context: &WriteContext, new: &NewFact) -> Result<i64> {
    let Some(message) = new.message else { return Ok(context.now) };
    let sql = "SELECT created_at FROM messages WHERE id = ?1";
    let said: Option<i64> =
        connection.prepare_cached(sql)?.query_row([message.get()], |row| row.get(0)).optional()?;
    Ok(said.unwrap_or(context.now).min(context.now))
}

pub(super) fn update(connection: &Connection, fact: &StoredFact) -> Result<()> {
    let sql = "UPDATE facts SET category = ?2, status = ?3, slot = ?4, confidence = ?5, importance = ?6,
                   updated_at = ?7, last_used_at = ?8, use_count = ?9, said_count = ?10, valid_from = ?11,
                   valid_to = ?12, expires_at = ?13, private = ?14, lasting = ?15, untold = ?16, superseded_by = ?17,
                   conversation = ?18, message = ?19, imported_from = ?20, origins = ?21, subject = ?22, value = ?23,
                   content = ?24, quote = ?25, doubted_by = ?26
               WHERE id = ?1";
    let StoredFact { said, .. } = fact;
    let millis = |at: Option<Timestamp>| at.map(Timestamp::as_millisecond);
    // An end before the beginning is moved to the beginning, so that the fact held at no time.
    let valid_to = said.valid_to.map(|to| said.valid_from.map_or(to, |from| to.max(from)));
    connection.prepare_cached(sql)?.execute(params![
        fact.id.get(),
        said.category.keyword(),
        said.status.keyword(),
        said.slot,
        said.confidence.clamp(0.0, 1.0),
        said.importance.clamp(0.0, 1.0),
        fact.updated_at.as_millisecond(),
        millis(fact.last_used_at),
        fact.use_count,
        fact.said_count,
        millis(said.valid_from),
        millis(valid_to),
        millis(said.expires_at),
        said.private,
        said.lasting,
        fact.untold,
        fact.superseded_by.map(FactId::get),
        said.conversation.map(ConversationId::get),
        said.message.map(MessageId::get),
        said.imported_from,
        list(&said.origins)?,
        said.subject,
        said.value,
        said.content,
        said.quote,
        fact.doubted_by.map(MessageId::get),
    ])?;
    Ok(())
}

pub(super) fn note(
    connection: &Connection,
    context: &WriteContext,
    fact: FactId,
    kind: FactChangeKind,
    before: Option<&StoredFact>,
    other: Option<FactId>,
) -> Result<()> {
    let before = before.map(to_json).transpose()?;
    let sql = "INSERT INTO fact_changes (id, fact, at, kind, before, other) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let values =
        params![context.ids.next(), fact.get(), context.now, kind.keyword(), before, other.map(FactId::get)];
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(())
}

pub(crate) fn read_fact(row: &Row<'_>) -> rusqlite::Result<StoredFact> {
    let time = |column: &str| row.get::<_, Option<i64>>(column).map(|at| at.map(timestamp));
    Ok(StoredFact {
        id: FactId::new(row.get("id")?),
        said: NewFact {
            category: row.keyword("category")?,
            status: row.keyword("status")?,
            subject: row.get("subject")?,
            slot: row.get("slot")?,
            value: row.get("value")?,
            content: row.get("content")?,
            quote: row.get("quote")?,
            confidence: row.get("confidence")?,
            importance: row.get("importance")?,
            valid_from: time("valid_from")?,
            valid_to: time("valid_to")?,
            expires_at: time("expires_at")?,
            private: row.get("private")?,
            lasting: row.get("lasting")?,
            conversation: row.get::<_, Option<i64>>("conversation")?.map(ConversationId::new),
            message: row.get::<_, Option<i64>>("message")?.map(MessageId::new),
            imported_from: row.get("imported_from")?,
            origins: row.json_or_default("origins")?,
        },
        created_at: timestamp(row.get("created_at")?),
        updated_at: timestamp(row.get("updated_at")?),
        last_used_at: time("last_used_at")?,
        use_count: row.get("use_count")?,
        said_count: row.get("said_count")?,
        untold: row.get("untold")?,
        superseded_by: row.get::<_, Option<i64>>("superseded_by")?.map(FactId::new),
        doubted_by: row.get::<_, Option<i64>>("doubted_by")?.map(MessageId::new),
        title: row.get("title")?,
        doubt: read_doubt(row)?,
        put_right: row.json_or_default("put_right")?,
    })
}

fn read_doubt(row: &Row<'_>) -> rusqlite::Result<Option<Doubt>> {
    let Some(message) = row.get::<_, Option<i64>>("doubt")? else { return Ok(None) };
    Ok(Some(Doubt {
        message: MessageId::new(message),
        conversation: ConversationId::new(row.get("doubt_conversation")?),
        at: timestamp(row.get("doubt_at")?),
        words: row.get("doubt_words")?,
        origins: row.json_or_default("doubt_origins")?,
    }))
}

pub(super) fn read_change(row: &Row<'_>) -> rusqlite::Result<StoredFactChange> {
    Ok(StoredFactChange {
        fact: FactId::new(row.get("fact")?),
        at: timestamp(row.get("at")?),
        kind: row.keyword("kind")?,
        before: row.json_or_default::<Option<StoredFact>>("before")?,
        other: row.get::<_, Option<i64>>("other")?.map(FactId::new),
        other_content: row.get("other_content")?,
    })
}
