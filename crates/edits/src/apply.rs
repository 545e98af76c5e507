//! Applies edits with several matching strategies: first exact, then increasingly lenient. Each strategy must find a
//! single match.

mod attempt;
mod blank_lines;
mod common_blanks;
mod receipt;
mod search_windows;
mod strategy;

pub use self::receipt::{AppliedEdit, Receipt, digest, whole};
pub use self::strategy::Strategy;
use crate::diff::DiffStep;
use crate::lines::with_unix_endings;
use crate::refusal::{EditRefusal, RefusalReason};
use attempt::EditAttempt;

/// A part of a text and its replacement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edit {
    pub old: String,
    pub new: String,
    /// Replaces all occurrences instead of requiring exactly one.
    pub replace_all: bool,
}

/// The byte order mark that a file may begin with.
const MARK: char = '\u{feff}';
/// Applies all edits or none. The error contains the index of the refused edit.
pub fn apply_all(content: &str, edits: &[Edit]) -> Result<(String, Vec<Receipt>), (usize, EditRefusal)> {
    let mut content = content.to_owned();
    let mut receipts = Vec::with_capacity(edits.len());
    for (number, edit) in edits.iter().enumerate() {
        let applied = apply(&content, edit).map_err(|refusal| (number, refusal))?;
        content = applied.content;
        receipts.push(applied.receipt);
    }
    Ok((content, receipts))
}

pub fn apply(content: &str, edit: &Edit) -> Result<AppliedEdit, EditRefusal> {
    apply_by(content, edit, None)
}

/// Like [`apply`], with a known line diff. Every line of the old text must then be matched.
pub fn apply_by(content: &str, edit: &Edit, steps: Option<&[DiffStep]>) -> Result<AppliedEdit, EditRefusal> {
    let (old, new) = (with_unix_endings(&edit.old), with_unix_endings(&edit.new));
    let has_bom = content.starts_with(MARK);
    // The byte order mark is not part of the text and is kept.
    let bare = |text: String| match text.strip_prefix(MARK) {
        Some(rest) if has_bom => rest.to_owned(),
        _ => text,
    };
    let (old, new) = (bare(old), bare(new));
    if old == new {
        return Err(RefusalReason::NoChange.into());
    }
    let mark = if has_bom { MARK.len_utf8() } else { 0 };
    let (mark, bare) = content.split_at(mark);
    let attempt = EditAttempt { content: bare, mark, whole: content, replace_all: edit.replace_all, steps };
    if old.is_empty() {
        let text = edit.new.strip_prefix(MARK).filter(|_| has_bom).unwrap_or(&edit.new);
        let whole = || whole(content, format!("{mark}{text}"));
        return if attempt.content.is_empty() {
            Ok(whole())
        } else {
            Err(RefusalReason::NothingQuoted.into())
        };
    }
    attempt.try_strategies(&old, &new)
}

#[cfg(test)]
#[path = "apply_tests.rs"]
mod tests;
