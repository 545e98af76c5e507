use protocol::{Event, MessageId, Origin, PlanStep, TurnId, UserId};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::store::Store;
use crate::stored::{RowExt, to_json};
use crate::turn_rows;
use crate::writer::Durability;

/// One round of a reply as the prompt repeats it: the model's output and the tool results.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Round {
    /// The model's full output, including what is not shown.
    pub said: String,
    /// The tool calls that were returned separately from the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<RoundCall>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<RoundResult>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoundCall {
    pub id: String,
    pub name: String,
    /// JSON, as the model wrote it.
    pub arguments: String,
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoundResult {
    /// The id of the call that this answers; absent if the call was part of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    pub name: String,
    pub text: String,
}

impl Store {
    /// Stores a round of a running turn, and the origins of the content so far.
    pub async fn append_round(&self, turn: TurnId, round: Round, origins: Vec<Origin>) -> Result<()> {
        self.home(turn.get())
            .write(Durability::Log, move |connection| {
                let message = turn_rows::message_of(connection, turn)?;
                insert(connection, message, &round)?;
                let sql = "UPDATE messages SET origins = ?2 WHERE id = ?1";
                connection.prepare_cached(sql)?.execute(params![message.get(), list(&origins)?])?;
                Ok(())
            })
            .await
    }

    /// Returns the steps of the latest planned reply to a message, if there is one.
    pub async fn plan_for(&self, user: UserId, question: MessageId) -> Result<Vec<PlanStep>> {
        self.home(question.get())
            .read(move |connection| {
                let sql = "SELECT plan FROM messages
                       WHERE user = ?1 AND parent = ?2 AND plan IS NOT NULL ORDER BY id DESC LIMIT 1";
                let mut statement = connection.prepare_cached(sql)?;
                let plan = statement
                    .query_row(params![user.get(), question.get()], |row| row.json_or_default("plan"))
                    .optional()?;
                Ok(plan.unwrap_or_default())
            })
            .await
    }

    pub async fn keep_plan(&self, turn: TurnId, steps: Vec<PlanStep>) -> Result<()> {
        self.home(turn.get())
            .write(Durability::Log, move |connection| {
                let message = turn_rows::message_of(connection, turn)?;
                let sql = "UPDATE messages SET plan = ?2 WHERE id = ?1";
                connection.prepare_cached(sql)?.execute(params![message.get(), list(&steps)?])?;
                Ok(())
            })
            .await
    }

    /// Stores the events of code work that accompany the text.
    pub async fn keep_work(&self, turn: TurnId, told: Vec<Event>) -> Result<()> {
        self.home(turn.get())
            .write(Durability::Log, move |connection| {
                let sql =
                    "UPDATE messages SET work = ?2 WHERE id = (SELECT message FROM turns WHERE id = ?1)";
                connection.prepare_cached(sql)?.execute(params![turn.get(), list(&told)?])?;
                Ok(())
            })
            .await
    }
}

/// Serializes a list for a column; `None` if it is empty.
pub(crate) fn list<T: Serialize>(items: &[T]) -> Result<Option<String>> {
    if items.is_empty() { Ok(None) } else { to_json(items).map(Some) }
}

pub(crate) fn insert(connection: &Connection, message: MessageId, round: &Round) -> Result<()> {
    let sql = "INSERT INTO rounds (message, ord, said, calls, told)
               VALUES (?1, (SELECT ifnull(max(ord), 0) + 1 FROM rounds WHERE message = ?1), ?2, ?3, ?4)";
    connection.prepare_cached(sql)?.execute(params![
        message.get(),
        round.said,
        to_json(&round.calls)?,
        to_json(&round.told)?
    ])?;
    Ok(())
}

pub(crate) fn of_message(connection: &Connection, message: MessageId) -> Result<Vec<Round>> {
    let sql = "SELECT said, calls, told FROM rounds WHERE message = ?1 ORDER BY ord";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([message.get()], |row| {
        Ok(Round { said: row.get("said")?, calls: row.json("calls")?, told: row.json("told")? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
