//! Finds files by the names that they define and by words.

use rusqlite::params;

use super::{CodeIndex, Result, count};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSymbol {
    pub path: String,
    pub name: String,
    pub kind: String,
    pub line: u32,
}

/// The weights of a word, by the field it occurs in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordWeights {
    pub path: f64,
    pub names: f64,
    pub prose: f64,
    pub body: f64,
}

/// The maximum number of search words: more make a search slower and hardly better.
const MOST_TERMS: usize = 64;

impl CodeIndex {
    /// Returns the definitions of a name: exact matches first, then other naming styles.
    pub fn find_symbol(&self, key: &str, name: &str, limit: usize) -> Result<Vec<IndexSymbol>> {
        self.read(|connection| {
            let sql =
                "SELECT path, name, symbols.kind, line FROM symbols JOIN files ON id = file WHERE key = ?1
                       ORDER BY name <> ?2, path, line LIMIT ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map(params![key, name, count(limit)], |row| {
                Ok(IndexSymbol { path: row.get(0)?, name: row.get(1)?, kind: row.get(2)?, line: row.get(3)? })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the files that contain any of these words, best first, each with a score; higher is better.
    pub fn search(&self, terms: &[String], weights: WordWeights, limit: usize) -> Result<Vec<(String, f64)>> {
        let quoted = terms.iter().take(MOST_TERMS).map(|term| quote(term)).collect::<Vec<_>>();
        if quoted.is_empty() {
            return Ok(Vec::new());
        }
        self.read(|connection| {
            let sql = "SELECT path, score FROM
                       (SELECT rowid AS id, bm25(words, ?2, ?3, ?4, ?5) AS score FROM words WHERE words MATCH ?1)
                       JOIN files USING (id) ORDER BY score, path LIMIT ?6";
            let mut statement = connection.prepare_cached(sql)?;
            let WordWeights { path, names, prose, body } = weights;
            let values = params![quoted.join(" OR "), path, names, prose, body, count(limit)];
            // In SQLite, a lower `bm25` value is better.
            let rows = statement.query_map(values, |row| Ok((row.get(0)?, -row.get::<_, f64>(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the words of a list that a file contains.
    pub fn terms_in(&self, path: &str, terms: &[String]) -> Result<Vec<String>> {
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM words WHERE words MATCH ?2 \
                       AND rowid = (SELECT id FROM files WHERE path = ?1))";
            let mut statement = connection.prepare_cached(sql)?;
            let mut found = Vec::new();
            for term in terms.iter().take(MOST_TERMS) {
                if statement.query_row(params![path, quote(term)], |row| row.get(0))? {
                    found.push(term.clone());
                }
            }
            Ok(found)
        })
    }
}

/// Quotes a term, so that special characters in it have no meaning.
fn quote(term: &str) -> String {
    format!("\"{}\"", term.replace('\0', " ").replace('"', "\"\""))
}
