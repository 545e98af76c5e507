//! The outcomes of edits.

use edits::{Edit, apply};

use crate::report::{BenchReport, Goal};

/// The outcomes of a set of edits.
#[derive(Debug, Default, Clone, Copy)]
pub struct EditCounts {
    right: usize,
    refused: usize,
    wrong: usize,
}

impl EditCounts {
    /// Counts an outcome compared with the intended result.
    pub fn take(&mut self, done: Option<&str>, meant: &str) {
        match done {
            None => self.refused += 1,
            Some(text) if text == meant => self.right += 1,
            Some(_) => self.wrong += 1,
        }
    }

    fn all(self) -> usize {
        self.right + self.refused + self.wrong
    }

    #[allow(clippy::cast_precision_loss, reason = "counts")]
    pub fn report(self, report: &mut BenchReport, key: &str, what: &str, most_refused: f64) {
        let all = self.all();
        report.row(
            format!("{key}_wrong"),
            format!("{what}: wrong, of {all}"),
            self.wrong as f64,
            "",
            Some(Goal::AtMost(0.0)),
        );
        let share = 100.0 * self.refused as f64 / all.max(1) as f64;
        report.row(
            format!("{key}_refused"),
            format!("{what}: refused"),
            share,
            "%",
            Some(Goal::AtMost(most_refused)),
        );
    }
}

/// Applies an edit. Returns `None` if it is refused.
pub fn edited(content: &str, old: &str, new: &str) -> Option<String> {
    let edit = Edit { old: old.to_owned(), new: new.to_owned(), replace_all: false };
    apply(content, &edit).ok().map(|applied| applied.content)
}
