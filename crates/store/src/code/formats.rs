use rusqlite::params;
use serde::Serialize;

use crate::error::Result;
use crate::store::Store;
use crate::writer::Durability;

/// Beyond this number of attempts, the counts are halved, since the model's server, its template or the parser may have
/// improved.
const MOST_TRIES: u32 = 200;

/// The success record of a model with one edit format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FormatRecord {
    pub format: String,
    pub tries: u32,
    pub failures: u32,
}

impl FormatRecord {
    /// Returns the estimated probability that the next attempt fails, from 0 to 1. Without any attempts it is 0.5.
    pub fn risk(&self) -> f64 {
        (f64::from(self.failures) + 1.0) / (f64::from(self.tries) + 2.0)
    }
}

impl Store {
    /// Records the result of a model's attempt with an edit format.
    pub async fn note_code_format(&self, model: &str, format: &str, failed: bool) -> Result<()> {
        let (model, format, context) = (model.to_owned(), format.to_owned(), self.context());
        self.write(Durability::Log, move |connection| {
            let sql = "INSERT INTO code_formats (model, format, tries, failures, changed_at) VALUES (?1, ?2, 1, ?3, ?4)
                       ON CONFLICT DO UPDATE SET tries = tries + 1, failures = failures + ?3, changed_at = ?4";
            connection.prepare_cached(sql)?.execute(params![model, format, failed, context.now])?;
            let sql = "UPDATE code_formats SET tries = tries / 2, failures = failures / 2
                       WHERE model = ?1 AND format = ?2 AND tries > ?3";
            connection.prepare_cached(sql)?.execute(params![model, format, MOST_TRIES])?;
            Ok(())
        })
        .await
    }

    /// Returns the edit formats that a model has tried, the most reliable first.
    pub async fn code_formats(&self, model: &str) -> Result<Vec<FormatRecord>> {
        let model = model.to_owned();
        let mut records: Vec<FormatRecord> = self
            .read(move |connection| {
                let sql = "SELECT format, tries, failures FROM code_formats WHERE model = ?1 ORDER BY format";
                let mut statement = connection.prepare_cached(sql)?;
                let rows = statement.query_map([model], |row| {
                    Ok(FormatRecord {
                        format: row.get("format")?,
                        tries: row.get("tries")?,
                        failures: row.get("failures")?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await?;
        records.sort_by(|one, other| one.risk().total_cmp(&other.risk()));
        Ok(records)
    }
}
