//! Recognizes answers that were given to programs.

use std::collections::HashMap;

use protocol::{Origin, UserId};
use rusqlite::{OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};

use crate::error::Result;
use crate::store::Store;
use crate::stored::{RowExt, to_json};
use crate::writer::Durability;

/// The number of days that an answer is recognized.
pub const KNOWN_FOR_DAYS: i64 = 30;
/// The maximum number of answers per user; the newest are kept.
const MOST: i64 = 10_000;
const DAY_MS: i64 = 24 * 3_600_000;

/// A hash of an answer's words, regardless of white space; the text itself is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnswerHash([u8; 32]);

impl AnswerHash {
    pub fn of(words: &str) -> Self {
        let mut hash = Sha256::new();
        for word in words.split_whitespace() {
            hash.update(word);
            hash.update(b" ");
        }
        Self(hash.finalize().into())
    }
}

impl Store {
    /// Records that this text was given as an answer, and the origins of the content in context. An answer that was
    /// once given without untrusted content in context stays free of origins, whoever causes it to be given again.
    pub async fn keep_answer(&self, user: UserId, answer: AnswerHash, origins: Vec<Origin>) -> Result<()> {
        let now = self.context().now;
        self.write(Durability::Person, move |connection| {
            let sql = "SELECT origins FROM given_answers WHERE user = ?1 AND hash = ?2";
            let known: Option<Vec<Origin>> = connection
                .prepare_cached(sql)?
                .query_row(params![user.get(), answer.0], |row| row.json("origins"))
                .optional()?;
            let origins = match known {
                Some(known) if known.is_empty() || origins.is_empty() => Vec::new(),
                Some(known) => {
                    let more = origins.into_iter().filter(|origin| !known.contains(origin));
                    let more: Vec<Origin> = more.collect();
                    known.into_iter().chain(more).collect()
                }
                None => origins,
            };
            let sql = "INSERT OR REPLACE INTO given_answers (user, hash, origins, given_at) VALUES (?1, ?2, ?3, ?4)";
            connection.prepare_cached(sql)?.execute(params![
                user.get(),
                answer.0,
                to_json(&origins)?,
                now
            ])?;
            let sql = "DELETE FROM given_answers WHERE given_at < ?1";
            connection.prepare_cached(sql)?.execute([now - KNOWN_FOR_DAYS * DAY_MS])?;
            let sql = "DELETE FROM given_answers WHERE user = ?1 AND given_at <= (
                           SELECT given_at FROM given_answers WHERE user = ?1
                           ORDER BY given_at DESC LIMIT 1 OFFSET ?2)";
            connection.prepare_cached(sql)?.execute([user.get(), MOST])?;
            Ok(())
        })
        .await
    }

    /// Returns those of these texts that were given as answers, each with the origins recorded for it.
    pub async fn given_answers(
        &self,
        user: UserId,
        answers: Vec<AnswerHash>,
    ) -> Result<HashMap<AnswerHash, Vec<Origin>>> {
        let oldest = self.context().now - KNOWN_FOR_DAYS * DAY_MS;
        self.read(move |connection| {
            let sql = "SELECT origins FROM given_answers WHERE user = ?1 AND hash = ?2 AND given_at >= ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let mut known = HashMap::new();
            for answer in answers {
                let found = statement
                    .query_row(params![user.get(), answer.0, oldest], |row| row.json("origins"))
                    .optional()?;
                known.extend(found.map(|origins| (answer, origins)));
            }
            Ok(known)
        })
        .await
    }
}
