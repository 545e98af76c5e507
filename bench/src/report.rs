use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::statistics::{median, percentile};

/// The results of one benchmark.
pub struct BenchReport {
    pub name: &'static str,
    /// The method of measurement in a sentence or two.
    pub method: String,
    rows: Vec<Row>,
    /// Further data for the JSON output.
    details: Map<String, Value>,
}

struct Row {
    what: String,
    key: String,
    value: f64,
    unit: &'static str,
    goal: Option<Goal>,
}

#[derive(Clone, Copy)]
pub enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

impl Goal {
    fn is_met(self, value: f64) -> bool {
        match self {
            Goal::AtMost(limit) => value <= limit,
            Goal::AtLeast(limit) => value >= limit,
        }
    }
}

impl BenchReport {
    pub fn new(name: &'static str, method: impl Into<String>) -> Self {
        Self { name, method: method.into(), rows: Vec::new(), details: Map::new() }
    }

    pub fn row(
        &mut self,
        key: impl Into<String>,
        what: impl Into<String>,
        value: f64,
        unit: &'static str,
        goal: Option<Goal>,
    ) {
        self.rows.push(Row { what: what.into(), key: key.into(), value, unit, goal });
    }

    /// Adds two rows of the same times in milliseconds: the median and the 95th percentile.
    pub fn times(&mut self, key: &str, what: &str, values: &[f64]) {
        self.row(format!("{key}_ms"), format!("{what}, median"), median(values), "ms", None);
        let tail = percentile(values, 95.0);
        self.row(format!("{key}_p95_ms"), format!("{what}, p95"), tail, "ms", None);
    }

    pub fn detail(&mut self, key: &str, value: Value) {
        self.details.insert(key.to_owned(), value);
    }

    /// Returns all rows by key, and the details.
    pub fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| (row.key.clone(), json!(row.value)));
        let named = std::iter::once(("benchmark".to_owned(), json!(self.name)));
        Value::Object(named.chain(rows).chain(self.details.clone()).collect())
    }

    pub fn markdown(&self) -> String {
        let (name, method) = (self.name, wrapped(&self.method));
        let mut text = format!("## {name}\n\n{method}\n\n`cargo xtask bench {name}`\n\n");
        text.push_str("| what | measured | goal | |\n|---|---|---|---|\n");
        for row in &self.rows {
            let (goal, verdict) = match row.goal {
                None => (String::new(), ""),
                Some(goal) => {
                    let sign = match goal {
                        Goal::AtMost(limit) => format!("≤ {}", number(limit)),
                        Goal::AtLeast(limit) => format!("≥ {}", number(limit)),
                    };
                    (
                        format!("{sign} {}", row.unit),
                        if goal.is_met(row.value) { "met" } else { "**missed**" },
                    )
                }
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "| {} | {} {} | {} | {verdict} |",
                row.what,
                number(row.value),
                row.unit,
                goal.trim()
            );
        }
        text
    }

    /// Replaces the previous report of this name in `bench/RESULTS.md`.
    pub fn keep(&self) -> anyhow::Result<()> {
        let path = Path::new("bench/RESULTS.md");
        let old = std::fs::read_to_string(path).unwrap_or_default();
        host::atomic_write(path, replaced(&old, self.name, &self.markdown()).as_bytes())?;
        Ok(())
    }
}

/// Wraps a text to the line width of the other documents.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 118;
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// Returns the document with the section of this name replaced, or added at the end.
fn replaced(document: &str, name: &str, section: &str) -> String {
    let heading = format!("## {name}\n");
    let Some(start) = document.find(&heading) else {
        return format!("{}\n\n{section}", document.trim_end()).trim_start().to_owned();
    };
    let rest = &document[start + heading.len()..];
    let end = rest.find("\n## ").map_or(document.len(), |next| start + heading.len() + next + 1);
    let after = &document[end..];
    let gap = if after.is_empty() { "" } else { "\n" };
    format!("{}{section}{gap}{after}", &document[..start])
}

fn number(value: f64) -> String {
    match value.abs() {
        large if large >= 100.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        small if small >= 1.0 => format!("{value:.2}"),
        nothing if nothing < f64::EPSILON => "0".to_owned(),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_and_the_others_stay() {
        let document = "# Results\n\n## a\n\nold\n\n## b\n\nkept\n";
        let changed = replaced(document, "a", "## a\n\nnew\n");
        assert_eq!(changed, "# Results\n\n## a\n\nnew\n\n## b\n\nkept\n");
        assert_eq!(
            replaced(document, "c", "## c\n\nx\n"),
            "# Results\n\n## a\n\nold\n\n## b\n\nkept\n\n## c\n\nx\n"
        );
        assert_eq!(replaced(&changed, "a", "## a\n\nnew\n"), changed, "twice is once");
    }

    #[test]
    fn a_missed_goal_is_called_missed() {
        let mut report = BenchReport::new("x", "how");
        report.row("a", "first", 1.2, "×", Some(Goal::AtMost(1.1)));
        report.row("b", "second", 0.97, "×", Some(Goal::AtLeast(0.95)));
        let text = report.markdown();
        assert!(text.contains("| first | 1.20 × | ≤ 1.10 × | **missed** |"), "{text}");
        assert!(text.contains("| second | 0.970 × | ≥ 0.950 × | met |"), "{text}");
    }
}
