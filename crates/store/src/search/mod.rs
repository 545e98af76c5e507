//! Full-text search over messages and titles.
//!
//! Results are ordered by time, not by rank: a common word occurs in half a million messages, and ranking them all
//! would take seconds, while the newest are found at once.

mod query;
mod snippet;
mod words;

use protocol::{ConversationId, MessageId, SearchHit, SearchResults, UserId};
use rusqlite::{Connection, params};

use self::query::{Query, WordMatch};
use self::snippet::{Snippet, snippet};
pub(crate) use self::words::index_text;
use crate::error::{Result, StoreError};
use crate::store::Store;
use crate::stored::{RowExt, count};

/// The maximum number of titles that precede the messages on the first page.
const TITLES: u32 = 5;

impl Store {
    /// Finds titles (a few, on the first page), then messages with all the words, then messages in which the last word
    /// is only a prefix; each newest first.
    pub async fn search(
        &self,
        user: UserId,
        text: &str,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<SearchResults> {
        let mut position = Cursor::parse(cursor)?;
        let first_page = cursor.is_none();
        let Some(query) = Query::parse(user, text) else {
            return Ok(SearchResults { hits: Vec::new(), next: None });
        };
        let limit = limit.max(1) as usize;
        self.read(move |connection| {
            let mut hits = if first_page { titles(connection, &query)? } else { Vec::new() };
            hits.truncate(limit);
            loop {
                // One more than is shown tells whether there is another page.
                let wanted = limit - hits.len();
                let mut found = messages(connection, user, &query, position, wanted + 1)?;
                if found.len() > wanted {
                    found.truncate(wanted);
                    let before = found.last().map_or(position.before, |(seq, _)| *seq);
                    hits.extend(found.into_iter().map(|(_, hit)| hit));
                    return Ok(SearchResults { hits, next: Some(Cursor { before, ..position }.cursor()) });
                }
                hits.extend(found.into_iter().map(|(_, hit)| hit));
                if position.word_match == WordMatch::Prefix || !query.is_open() {
                    return Ok(SearchResults { hits, next: None });
                }
                position = Cursor { word_match: WordMatch::Prefix, before: i64::MAX };
            }
        })
        .await
    }
}

/// The start of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cursor {
    word_match: WordMatch,
    before: i64,
}

impl Cursor {
    const START: Self = Self { word_match: WordMatch::Whole, before: i64::MAX };

    fn parse(cursor: Option<&str>) -> Result<Self> {
        let Some(cursor) = cursor else { return Ok(Self::START) };
        let parts = cursor.split_once('.').and_then(|(word_match, before)| {
            let word_match = match word_match {
                "w" => WordMatch::Whole,
                "b" => WordMatch::Prefix,
                _ => return None,
            };
            Some(Self { word_match, before: before.parse().ok()? })
        });
        parts.ok_or_else(|| {
            StoreError::Invalid("this is not a cursor of a search. Start again without one".into())
        })
    }

    fn cursor(self) -> String {
        let word_match = if self.word_match == WordMatch::Whole { "w" } else { "b" };
        format!("{word_match}.{}", self.before)
    }
}

fn messages(
    connection: &Connection,
    user: UserId,
    query: &Query,
    position: Cursor,
    limit: usize,
) -> Result<Vec<(i64, SearchHit)>> {
    // `CROSS JOIN` keeps the index in the outer loop: it yields the newest first, and stops at the limit.
    let sql = "SELECT m.id, m.seq, m.conversation, m.role, m.created_at, m.content, c.title
               FROM message_search s CROSS JOIN messages m ON m.seq = s.rowid
               CROSS JOIN conversations c ON c.id = m.conversation
               WHERE s.message_search MATCH ?1 AND s.rowid < ?2 AND m.user = ?3 AND c.deleted_at IS NULL
               ORDER BY s.rowid DESC LIMIT ?4";
    let mut statement = connection.prepare_cached(sql)?;
    let values = params![query.expression(position.word_match), position.before, user.get(), count(limit)];
    let rows = statement.query_map(values, |row| {
        let Snippet { text, marks } = snippet(row.get_ref("content")?.as_str()?, &query.phrases);
        let hit = SearchHit {
            chat: ConversationId::new(row.get("conversation")?),
            title: row.get("title")?,
            message: Some(MessageId::new(row.get("id")?)),
            role: Some(row.keyword("role")?),
            created_at: row.time("created_at")?,
            snippet: text,
            marks,
        };
        Ok((row.get("seq")?, hit))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn titles(connection: &Connection, query: &Query) -> Result<Vec<SearchHit>> {
    let sql =
        "SELECT c.id, c.title, c.updated_at FROM title_search s CROSS JOIN conversations c ON c.id = s.rowid
               WHERE s.title_search MATCH ?1 AND c.deleted_at IS NULL ORDER BY s.rowid DESC LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![query.expression(WordMatch::Either), TITLES], |row| {
        let title: String = row.get("title")?;
        let Snippet { text, marks } = snippet(&title, &query.phrases);
        Ok(SearchHit {
            chat: ConversationId::new(row.get("id")?),
            title,
            message: None,
            role: None,
            created_at: row.time("updated_at")?,
            snippet: text,
            marks,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
