//! Applies one edit to a text, strategy by strategy.

use std::ops::Range;

use super::common_blanks::without_common_blanks;
use super::receipt::{AppliedEdit, Receipt, digest};
use super::search_windows::search_windows;
use super::strategy::{STRATEGIES, Strategy, says_enough};
use crate::align::{self, Alignment};
use crate::canonical::{CanonicalText, Ignoring};
use crate::closest::{closest, standing};
use crate::diff::DiffStep;
use crate::lines::{ending_near, line_start, usual_ending};
use crate::matching::{MOST_MATCHES, Quote, QuoteMatch, QuoteSearch};
use crate::refusal::{EditRefusal, RefusalReason};
use crate::rewrite::EditDiff;

/// The maximum size of a text that can be edited.
const MOST_BYTES: usize = 1 << 30;

/// One edit and the text to which it is applied.
pub struct EditAttempt<'a> {
    /// The text without its byte order mark.
    pub content: &'a str,
    pub mark: &'a str,
    /// The text with its byte order mark.
    pub whole: &'a str,
    pub replace_all: bool,
    /// The line diff of the edit, if it is known.
    pub steps: Option<&'a [DiffStep]>,
}

pub type EditOutcome = Result<AppliedEdit, EditRefusal>;

/// The matches of a strategy and the result of the edit.
pub struct StrategyResult {
    pub regions: Vec<Range<usize>>,
    pub done: EditOutcome,
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

impl EditAttempt<'_> {
    /// Tries the strategies in order, until one of them finds the old text.
    pub fn try_strategies(&self, old: &str, new: &str) -> EditOutcome {
        if self.content.len() > MOST_BYTES {
            return Err(RefusalReason::TooLarge.into());
        }
        // With ASCII only, this strategy is the same as the previous one.
        let is_plain = self.content.is_ascii() && old.is_ascii();
        let mut strategies =
            STRATEGIES.into_iter().filter(|(strategy, _)| !is_plain || *strategy != Strategy::Unicode);
        let bare = self.bare_quote(old, new);
        while let Some((strategy, ignoring)) = strategies.next() {
            if strategy == Strategy::Whitespace
                && let Some(applied) = bare.as_ref().and_then(|quote| self.apply_bare(quote, new))
            {
                return Ok(applied);
            }
            let Some(found) = self.try_strategy(strategy, ignoring, old, new) else { continue };
            let is_torn = matches!(found.done, Err(EditRefusal { why: RefusalReason::Torn, .. }));
            if (is_torn || self.would_take_a_line_end(&found.regions, old, new))
                && let Some(applied) = bare.as_ref().and_then(|quote| self.apply_bare(quote, new))
            {
                return Ok(applied);
            }
            if strategy == Strategy::Exact || self.replace_all || !self.is_part_of_lines(&found.regions) {
                return found.done;
            }
            // A match within a line counts only if no later strategy finds another match.
            let others =
                strategies.filter_map(|(strategy, ignoring)| self.try_strategy(strategy, ignoring, old, new));
            let is_elsewhere = |region: &Range<usize>| !found.regions.iter().any(|own| overlap(own, region));
            let mut others = others.flat_map(|other| other.regions).filter(is_elsewhere);
            return match others.next() {
                Some(other) => Err(self.ambiguous(&[found.regions[0].clone(), other])),
                None => found.done,
            };
        }
        let (short_old, short_new) =
            if self.steps.is_some() { (old, new) } else { without_common_blanks(old, new) };
        if let Some(done) = self.align(short_old, short_new) {
            return done;
        }
        if let Some(found) = self.try_strategy(Strategy::CaseInsensitive, Ignoring::Case, old, new) {
            return found.done;
        }
        Err(self.not_found(old))
    }

    /// Returns the edit as a line diff.
    fn change<'b>(&self, old: &'b Quote<'b>, new: &'b Quote<'b>) -> EditDiff<'b> {
        match self.steps {
            Some(steps) => EditDiff { old, new, steps: steps.to_vec() },
            None => EditDiff::new(old, new),
        }
    }

    /// Returns true if the match consists of whole lines and contains every line of the old text, with blank lines
    /// matching only blank lines. Always true without a known diff.
    fn has_all_lines(&self, old: &Quote<'_>, place: &QuoteMatch<'_>) -> bool {
        let Range { start, end } = place.region;
        let is_blank = |text: &str| text.trim().is_empty();
        let are_whole = || {
            is_blank(&self.content[line_start(self.content, start)..start])
                && self.content[end..].lines().next().is_none_or(is_blank)
        };
        let are_there = || {
            place.lines.iter().zip(&old.lines).all(|(found, line)| match found {
                Some(found) => !is_blank(line) || is_blank(&self.content[found.clone()]),
                None => align::is_elision(line),
            })
        };
        self.steps.is_none() || are_whole() && are_there()
    }

    /// Applies the edit with one strategy. Returns `None` if it finds no match.
    pub fn try_strategy(
        &self,
        strategy: Strategy,
        ignoring: Ignoring,
        old: &str,
        new: &str,
    ) -> Option<StrategyResult> {
        let lenient = strategy != Strategy::Exact;
        if lenient && !says_enough(ignoring, old) {
            return None;
        }
        let quote = Quote::new(old);
        let quoted = CanonicalText::new(old, ignoring, false);
        let there: Vec<CanonicalText<'_>> = if lenient {
            let windows = search_windows(self.content, ignoring, &quote).into_iter();
            windows.map(|window| CanonicalText::within(self.content, window, ignoring, true)).collect()
        } else {
            vec![CanonicalText::new(self.content, ignoring, false)]
        };
        let search =
            |there| QuoteSearch { content: self.content, there, quote: &quote, quoted: &quoted, ignoring };
        let mut places = Vec::new();
        if there.iter().any(|there| search(there).places(self.replace_all, &mut places).is_err()) {
            return Some(StrategyResult { regions: Vec::new(), done: Err(self.not_found(old)) });
        }
        places.retain(|place| self.has_all_lines(&quote, place));
        if places.is_empty() {
            return None;
        }
        let regions: Vec<Range<usize>> = places.iter().map(|place| place.region.clone()).collect();
        if places.len() > 1 && !self.replace_all {
            return Some(StrategyResult { done: Err(self.ambiguous(&regions)), regions });
        }
        // A single line quoted with part of its indent does not show how further lines are indented. If it is not
        // quoted exactly either, it may be another line.
        let needs_indent = ignoring == Ignoring::Trailing || !lenient && new.contains('\n');
        if needs_indent && places.iter().any(|place| self.has_part_of_indent(place, old)) {
            return None;
        }
        let new = Quote::new(new);
        let change = (lenient || self.content.contains('\r')).then(|| self.change(&quote, &new));
        // Several matches often have the same text, so the last result is reused.
        let mut last: Option<(Range<usize>, Range<usize>)> = None;
        let done = self.written(strategy, old, &regions, |number, out| match (&change, &places[number]) {
            (Some(change), place) if lenient => {
                let same = last.take().filter(|(region, _)| self.are_alike(region, &place.region));
                let before = out.len();
                match same {
                    Some((_, text)) => out.extend_from_within(text),
                    None => change.write(self.content, place, out)?,
                }
                last = Some((place.region.clone(), before..out.len()));
                Ok(())
            }
            (Some(change), place) => self.write_exactly(&search(&there[0]), place, change, out),
            (None, _) => {
                out.push_str(new.text);
                Ok(())
            }
        });
        Some(StrategyResult { regions, done })
    }

    /// Returns true if two regions and their surroundings are equal as far as they affect a change.
    fn are_alike(&self, one: &Range<usize>, other: &Range<usize>) -> bool {
        let begins = |region: &Range<usize>| line_start(self.content, region.start) == region.start;
        let rest = |region: &Range<usize>| {
            let rest = &self.content[region.end..];
            let ends_line = rest.starts_with('\n') || rest.starts_with("\r\n");
            (rest.is_empty(), ends_line, ending_near(self.content, region.end))
        };
        self.content[one.clone()] == self.content[other.clone()]
            && begins(one) == begins(other)
            && rest(one) == rest(other)
    }

    /// Returns true if one of the regions begins or ends within a line.
    pub fn is_part_of_lines(&self, regions: &[Range<usize>]) -> bool {
        regions.iter().any(|region| {
            let before = &self.content[line_start(self.content, region.start)..region.start];
            let rest = &self.content[region.end..];
            let is_end = self.content[..region.end].ends_with('\n')
                || rest.lines().next().is_none_or(|rest| rest.trim().is_empty());
            !before.trim().is_empty() || !is_end
        })
    }

    /// Returns true if a single line was quoted with only part of its indent.
    fn has_part_of_indent(&self, place: &QuoteMatch<'_>, old: &str) -> bool {
        let start = place.region.start;
        let before = &self.content[line_start(self.content, start)..start];
        let is_part = !before.is_empty() && before.trim().is_empty() && old.starts_with([' ', '\t']);
        is_part && !old.contains('\n') && says_enough(Ignoring::Indents, old)
    }

    fn align(&self, old: &str, new: &str) -> Option<EditOutcome> {
        // An approximate match is too weak for a request to replace all occurrences.
        if self.replace_all {
            return None;
        }
        let (old, new) = (Quote::new(old), Quote::new(new));
        let change = self.change(&old, &new);
        let place = match align::align(self.content, &change)? {
            Alignment::One(place) if !self.has_all_lines(&old, &place) => return None,
            Alignment::One(place) => place,
            Alignment::Several(regions) => return Some(Err(self.ambiguous(&regions))),
        };
        let write = |_, out: &mut String| change.write(self.content, &place, out);
        let done = self.written(Strategy::Alignment, old.text, std::slice::from_ref(&place.region), write);
        Some(done).filter(|done| !matches!(done, Err(EditRefusal { why: RefusalReason::Torn, .. })))
    }

    /// Returns the text with all regions rewritten.
    fn written(
        &self,
        strategy: Strategy,
        old: &str,
        regions: &[Range<usize>],
        mut write: impl FnMut(usize, &mut String) -> Result<(), RefusalReason>,
    ) -> EditOutcome {
        let mut content = String::with_capacity(self.content.len() + self.content.len() / 8 + 1024);
        content.push_str(self.mark);
        let mut from = 0;
        for (number, region) in regions.iter().enumerate() {
            content.push_str(&self.content[from..region.start]);
            write(number, &mut content).map_err(|why| EditRefusal {
                why,
                closest: Some(standing(self.content, region.clone(), old)),
            })?;
            from = region.end;
        }
        content.push_str(&self.content[from..]);
        if content[self.mark.len()..] == *self.content {
            return Err(RefusalReason::NoChange.into());
        }
        let receipt = Receipt {
            strategy,
            confidence: strategy.confidence(),
            lines: self.lines(regions),
            before: digest(self.whole),
            after: digest(&content),
        };
        Ok(AppliedEdit { content, receipt })
    }

    /// Replaces an exact match by the new text, with the line endings of the match.
    fn write_exactly(
        &self,
        search: &QuoteSearch<'_>,
        place: &QuoteMatch<'_>,
        change: &EditDiff<'_>,
        out: &mut String,
    ) -> Result<(), RefusalReason> {
        let there = &self.content[place.region.clone()];
        let windows = there.matches("\r\n").count();
        let all = there.matches('\n').count();
        if windows > 0 && windows < all {
            return change.write(self.content, &search.by_lines(place), out);
        }
        let ending = if all > 0 { usual_ending(there) } else { ending_near(self.content, place.region.end) };
        out.push_str(&change.new.text.replace('\n', ending.text()));
        Ok(())
    }

    /// Returns the first and last line of each region.
    fn lines(&self, regions: &[Range<usize>]) -> Vec<(usize, usize)> {
        let bytes = self.content.as_bytes();
        let (mut line, mut from) = (1, 0);
        let mut number = |offset: usize| {
            line += memchr::memchr_iter(b'\n', &bytes[from..offset.max(from)]).count();
            from = from.max(offset);
            line
        };
        let lines = regions.iter().map(|region| {
            let last = region.end.max(region.start + 1) - 1;
            (number(region.start), number(last))
        });
        lines.collect()
    }

    fn not_found(&self, old: &str) -> EditRefusal {
        EditRefusal { why: RefusalReason::NotFound, closest: closest(self.content, old) }
    }

    fn ambiguous(&self, regions: &[Range<usize>]) -> EditRefusal {
        const NAMED: usize = 8;
        let named = self.lines(&regions[..regions.len().min(NAMED)]);
        let lines: Vec<String> = named.iter().map(|(first, _)| first.to_string()).collect();
        let count = if regions.len() > MOST_MATCHES {
            format!("more than {MOST_MATCHES} places")
        } else {
            format!("{} places", regions.len())
        };
        let more = if regions.len() > NAMED { " and others" } else { "" };
        RefusalReason::Ambiguous { places: format!("{count} (lines {}{more})", lines.join(", ")) }.into()
    }
}
