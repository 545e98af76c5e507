//! Finds the definition around a line.

use crate::{Language, SymbolKind, outline, signature};

/// Returns the first and last line of the smallest definition around a line, including the attributes and comments
/// directly before it. Lines count from one. `None` outside of all definitions.
pub fn enclosing(language: Language, text: &str, line: u32) -> Option<(u32, u32)> {
    let outline = outline(language, text);
    let starts = line_starts(text);
    let ranges =
        outline.definitions.iter().filter(|one| one.kind != SymbolKind::Variable).filter_map(|one| {
            let (first, last) = one.lines;
            let start = *starts.get(usize::try_from(first).ok()?.checked_sub(1)?)?;
            // Leading lines only matter if the definition begins after the line.
            let leading = if line < first { signature::leading(language, text, start).count() } else { 0 };
            let begin = first.saturating_sub(u32::try_from(leading).ok()?);
            (begin <= line && line <= last).then_some((first, last, start))
        });
    let (first, last, start) = ranges.min_by_key(|(first, last, _)| last - first)?;
    let leading = signature::leading(language, text, start).count();
    Some((first.saturating_sub(u32::try_from(leading).ok()?), last))
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

#[cfg(test)]
#[path = "enclosing_tests.rs"]
mod tests;
