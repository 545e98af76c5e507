//! Applies edits with a ladder of matching strategies: first exact, then increasingly lenient. Each strategy must find
//! a single match.

mod empty;
mod windows;

use std::fmt::Write as _;
use std::ops::Range;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use similar::DiffOp;

use crate::align::{self, Alignment};
use crate::canon::{Canon, Ignoring};
use crate::closest::{closest, standing};
use crate::lines::{ending_near, line_number, line_start, usual_ending, with_unix_endings};
use crate::place::{MOST, Place, Quote, Search};
use crate::refusal::{Refusal, Why};
use crate::rewrite::Change;
use empty::without_common_blanks;
use windows::windows;

/// A part of a text and its replacement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edit {
    pub old: String,
    pub new: String,
    /// Replaces all occurrences instead of requiring exactly one.
    pub replace_all: bool,
}

/// The strategy by which the text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    Exact,
    TrailingSpace,
    Indentation,
    Unicode,
    Whitespace,
    Alignment,
    CaseInsensitive,
    /// No search: the whole text was given.
    Whole,
}

impl Strategy {
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::TrailingSpace => "trailing_space",
            Self::Indentation => "indentation",
            Self::Unicode => "unicode",
            Self::Whitespace => "whitespace",
            Self::Alignment => "alignment",
            Self::CaseInsensitive => "case_insensitive",
            Self::Whole => "whole",
        }
    }

    /// Returns the confidence that the right text was found, from 0 to 1.
    pub fn confidence(self) -> f32 {
        match self {
            Self::Exact | Self::Whole => 1.0,
            Self::TrailingSpace => 0.98,
            Self::Indentation => 0.95,
            Self::Unicode => 0.93,
            Self::Whitespace => 0.85,
            Self::Alignment => 0.75,
            Self::CaseInsensitive => 0.6,
        }
    }
}

/// A record of an applied edit, for review and undo.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Receipt {
    pub strategy: Strategy,
    pub confidence: f32,
    /// The first and last line of each match before the change, counted from one.
    pub lines: Vec<(usize, usize)>,
    /// The SHA-256 digest of the text before the change; `after` is that after the change.
    pub before: String,
    pub after: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub content: String,
    pub receipt: Receipt,
}

/// The byte order mark that a file may begin with.
const MARK: char = '\u{feff}';
/// The number of punctuation characters that count as one letter.
const SIGNS_OF_A_LETTER: usize = 3;
/// The maximum size of a text that can be edited.
const MOST_BYTES: usize = 1 << 30;

/// The strategies that compare characters, in order. Line alignment and case-insensitive matching follow after them.
const RUNGS: [(Strategy, Ignoring); 5] = [
    (Strategy::Exact, Ignoring::Endings),
    (Strategy::TrailingSpace, Ignoring::Trailing),
    (Strategy::Indentation, Ignoring::Indents),
    (Strategy::Unicode, Ignoring::Typography),
    (Strategy::Whitespace, Ignoring::Blanks),
];

/// Applies all edits or none. The error contains the index of the refused edit.
pub fn apply_all(content: &str, edits: &[Edit]) -> Result<(String, Vec<Receipt>), (usize, Refusal)> {
    let mut content = content.to_owned();
    let mut receipts = Vec::with_capacity(edits.len());
    for (number, edit) in edits.iter().enumerate() {
        let applied = apply(&content, edit).map_err(|refusal| (number, refusal))?;
        content = applied.content;
        receipts.push(applied.receipt);
    }
    Ok((content, receipts))
}

pub fn apply(content: &str, edit: &Edit) -> Result<Applied, Refusal> {
    apply_by(content, edit, None)
}

/// Like [`apply`], with a known line diff. Every line of the old text must then be matched.
pub fn apply_by(content: &str, edit: &Edit, steps: Option<&[DiffOp]>) -> Result<Applied, Refusal> {
    let (old, new) = (with_unix_endings(&edit.old), with_unix_endings(&edit.new));
    let has_mark = content.starts_with(MARK);
    // The byte order mark is not part of the text and is kept.
    let bare = |text: String| match text.strip_prefix(MARK) {
        Some(rest) if has_mark => rest.to_owned(),
        _ => text,
    };
    let (old, new) = (bare(old), bare(new));
    if old == new {
        return Err(Why::NoChange.into());
    }
    let mark = if has_mark { MARK.len_utf8() } else { 0 };
    let (mark, bare) = content.split_at(mark);
    let ladder = Ladder { content: bare, mark, whole: content, replace_all: edit.replace_all, steps };
    if old.is_empty() {
        let text = edit.new.strip_prefix(MARK).filter(|_| has_mark).unwrap_or(&edit.new);
        let whole = || whole(content, format!("{mark}{text}"));
        return if ladder.content.is_empty() { Ok(whole()) } else { Err(Why::NothingQuoted.into()) };
    }
    ladder.climb(&old, &new)
}

/// Replaces a whole text by another.
pub fn whole(before: &str, after: String) -> Applied {
    let strategy = Strategy::Whole;
    let lines = vec![(1, line_number(before, before.len()))];
    let receipt = Receipt {
        strategy,
        confidence: strategy.confidence(),
        lines,
        before: digest(before),
        after: digest(&after),
    };
    Applied { content: after, receipt }
}

pub fn digest(text: &str) -> String {
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

struct Ladder<'a> {
    /// The text without its byte order mark.
    content: &'a str,
    mark: &'a str,
    /// The text with its byte order mark.
    whole: &'a str,
    replace_all: bool,
    /// The line diff of the edit, if it is known.
    steps: Option<&'a [DiffOp]>,
}

type Done = Result<Applied, Refusal>;

/// The matches of a strategy and the result of the edit.
struct Found {
    regions: Vec<Range<usize>>,
    done: Done,
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

impl Ladder<'_> {
    fn climb(&self, old: &str, new: &str) -> Done {
        if self.content.len() > MOST_BYTES {
            return Err(Why::TooLarge.into());
        }
        // With ASCII only, this strategy is the same as the previous one.
        let is_plain = self.content.is_ascii() && old.is_ascii();
        let mut rungs = RUNGS.into_iter().filter(|(strategy, _)| !is_plain || *strategy != Strategy::Unicode);
        let bare = self.without_blanks_of_its_own(old, new);
        while let Some((strategy, ignoring)) = rungs.next() {
            if strategy == Strategy::Whitespace
                && let Some(applied) = bare.as_ref().and_then(|bare| self.bare(bare, new))
            {
                return Ok(applied);
            }
            let Some(found) = self.rung(strategy, ignoring, old, new) else { continue };
            let is_torn = matches!(found.done, Err(Refusal { why: Why::Torn, .. }));
            if (is_torn || self.would_take_a_line_end(&found.regions, old, new))
                && let Some(applied) = bare.as_ref().and_then(|bare| self.bare(bare, new))
            {
                return Ok(applied);
            }
            if strategy == Strategy::Exact || self.replace_all || !self.is_part_of_lines(&found.regions) {
                return found.done;
            }
            // A match within a line counts only if no later strategy finds another match.
            let others = rungs.filter_map(|(strategy, ignoring)| self.rung(strategy, ignoring, old, new));
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
        if let Some(found) = self.rung(Strategy::CaseInsensitive, Ignoring::Case, old, new) {
            return found.done;
        }
        Err(self.not_found(old))
    }

    /// Returns the edit as a line diff.
    fn change<'b>(&self, old: &'b Quote<'b>, new: &'b Quote<'b>) -> Change<'b> {
        match self.steps {
            Some(steps) => Change { old, new, steps: steps.to_vec() },
            None => Change::new(old, new),
        }
    }

    /// Returns true if the match consists of whole lines and contains every line of the old text, with blank lines
    /// matching only blank lines. Always true without a known diff.
    fn has_all_lines(&self, old: &Quote<'_>, place: &Place<'_>) -> bool {
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

    fn rung(&self, strategy: Strategy, ignoring: Ignoring, old: &str, new: &str) -> Option<Found> {
        let lenient = strategy != Strategy::Exact;
        if lenient && !says_enough(ignoring, old) {
            return None;
        }
        let quote = Quote::new(old);
        let quoted = Canon::new(old, ignoring, false);
        let there: Vec<Canon<'_>> = if lenient {
            let windows = windows(self.content, ignoring, &quote).into_iter();
            windows.map(|window| Canon::within(self.content, window, ignoring, true)).collect()
        } else {
            vec![Canon::new(self.content, ignoring, false)]
        };
        let search =
            |there| Search { content: self.content, there, quote: &quote, quoted: &quoted, ignoring };
        let mut places = Vec::new();
        if there.iter().any(|there| search(there).places(self.replace_all, &mut places).is_err()) {
            return Some(Found { regions: Vec::new(), done: Err(self.not_found(old)) });
        }
        places.retain(|place| self.has_all_lines(&quote, place));
        if places.is_empty() {
            return None;
        }
        let regions: Vec<Range<usize>> = places.iter().map(|place| place.region.clone()).collect();
        if places.len() > 1 && !self.replace_all {
            return Some(Found { done: Err(self.ambiguous(&regions)), regions });
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
        Some(Found { regions, done })
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
    fn is_part_of_lines(&self, regions: &[Range<usize>]) -> bool {
        regions.iter().any(|region| {
            let before = &self.content[line_start(self.content, region.start)..region.start];
            let rest = &self.content[region.end..];
            let is_end = self.content[..region.end].ends_with('\n')
                || rest.lines().next().is_none_or(|rest| rest.trim().is_empty());
            !before.trim().is_empty() || !is_end
        })
    }

    /// Returns true if a single line was quoted with only part of its indent.
    fn has_part_of_indent(&self, place: &Place<'_>, old: &str) -> bool {
        let start = place.region.start;
        let before = &self.content[line_start(self.content, start)..start];
        let is_part = !before.is_empty() && before.trim().is_empty() && old.starts_with([' ', '\t']);
        is_part && !old.contains('\n') && says_enough(Ignoring::Indents, old)
    }

    fn align(&self, old: &str, new: &str) -> Option<Done> {
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
        Some(done).filter(|done| !matches!(done, Err(Refusal { why: Why::Torn, .. })))
    }

    /// Returns the text with all regions rewritten.
    fn written(
        &self,
        strategy: Strategy,
        old: &str,
        regions: &[Range<usize>],
        mut write: impl FnMut(usize, &mut String) -> Result<(), Why>,
    ) -> Done {
        let mut content = String::with_capacity(self.content.len() + self.content.len() / 8 + 1024);
        content.push_str(self.mark);
        let mut from = 0;
        for (number, region) in regions.iter().enumerate() {
            content.push_str(&self.content[from..region.start]);
            write(number, &mut content)
                .map_err(|why| Refusal { why, closest: Some(standing(self.content, region.clone(), old)) })?;
            from = region.end;
        }
        content.push_str(&self.content[from..]);
        if content[self.mark.len()..] == *self.content {
            return Err(Why::NoChange.into());
        }
        let receipt = Receipt {
            strategy,
            confidence: strategy.confidence(),
            lines: self.lines(regions),
            before: digest(self.whole),
            after: digest(&content),
        };
        Ok(Applied { content, receipt })
    }

    /// Replaces an exact match by the new text, with the line endings of the match.
    fn write_exactly(
        &self,
        search: &Search<'_>,
        place: &Place<'_>,
        change: &Change<'_>,
        out: &mut String,
    ) -> Result<(), Why> {
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

    fn not_found(&self, old: &str) -> Refusal {
        Refusal { why: Why::NotFound, closest: closest(self.content, old) }
    }

    fn ambiguous(&self, regions: &[Range<usize>]) -> Refusal {
        const NAMED: usize = 8;
        let named = self.lines(&regions[..regions.len().min(NAMED)]);
        let lines: Vec<String> = named.iter().map(|(first, _)| first.to_string()).collect();
        let count = if regions.len() > MOST {
            format!("more than {MOST} places")
        } else {
            format!("{} places", regions.len())
        };
        let more = if regions.len() > NAMED { " and others" } else { "" };
        Why::Ambiguous { places: format!("{count} (lines {}{more})", lines.join(", ")) }.into()
    }
}

/// Returns true if a quote has enough letters and digits for what a strategy ignores. If whitespace is ignored, several
/// punctuation characters count as one letter.
fn says_enough(ignoring: Ignoring, quote: &str) -> bool {
    let needed = match ignoring {
        Ignoring::Endings | Ignoring::Trailing | Ignoring::Indents => 1,
        Ignoring::Typography => 3,
        Ignoring::Blanks => 4,
        Ignoring::Case => 6,
    };
    let (mut letters, mut signs) = (0, 0);
    quote.chars().any(|letter| {
        letters += usize::from(letter.is_alphanumeric());
        signs += usize::from(ignoring == Ignoring::Blanks && letter.is_ascii_punctuation());
        letters > 0 && letters + signs / SIGNS_OF_A_LETTER >= needed
    })
}

#[cfg(test)]
#[path = "ladder_tests.rs"]
mod tests;
