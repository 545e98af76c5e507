//! The ladder: exactly first, ever more leniently after that, and on each rung one place or none.

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

/// Some words of a text, and those that shall stand in their place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edit {
    pub old: String,
    pub new: String,
    /// Wherever they stand, rather than in the one place where they do.
    pub replace_all: bool,
}

/// How the words were found.
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
    /// Nothing had to be found: the whole text was given.
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

    /// How sure it is that this is what was meant.
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

/// What was done, so that it can be looked up and undone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Receipt {
    pub strategy: Strategy,
    pub confidence: f32,
    /// The first and the last line of each place, before the change.
    pub lines: Vec<(usize, usize)>,
    /// The text's digest before and after.
    pub before: String,
    pub after: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub content: String,
    pub receipt: Receipt,
}

/// What a file may begin with to say how it is written.
const MARK: char = '\u{feff}';
/// So many signs tell as much as a letter.
const SIGNS_OF_A_LETTER: usize = 3;
/// Larger texts are not edited.
const MOST_BYTES: usize = 1 << 30;

/// The rungs that compare signs, in their order. Alignment by lines stands before the last.
const RUNGS: [(Strategy, Ignoring); 5] = [
    (Strategy::Exact, Ignoring::Endings),
    (Strategy::TrailingSpace, Ignoring::Trailing),
    (Strategy::Indentation, Ignoring::Indents),
    (Strategy::Unicode, Ignoring::Typography),
    (Strategy::Whitespace, Ignoring::Blanks),
];

/// Does all of it, or nothing. The number is that of the edit that was refused.
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

/// The same where it is known which lines stay, go and come. Then every line of the old text has to be there.
pub fn apply_by(content: &str, edit: &Edit, steps: Option<&[DiffOp]>) -> Result<Applied, Refusal> {
    let (old, new) = (with_unix_endings(&edit.old), with_unix_endings(&edit.new));
    let has_mark = content.starts_with(MARK);
    // The mark at the beginning of a file is no part of its words, and stays.
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

/// A text in place of another.
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
    /// The text without its mark, which is…
    content: &'a str,
    mark: &'a str,
    /// …and with it.
    whole: &'a str,
    replace_all: bool,
    /// What becomes of each line, where that is known.
    steps: Option<&'a [DiffOp]>,
}

type Done = Result<Applied, Refusal>;

/// What a rung found, and what came of it.
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
        // The same as the rung before it, where there is nothing but what a keyboard has.
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
            // Parts of lines are meant only where no others are found that are whole.
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

    /// What is asked for, line by line.
    fn change<'b>(&self, old: &'b Quote<'b>, new: &'b Quote<'b>) -> Change<'b> {
        match self.steps {
            Some(steps) => Change { old, new, steps: steps.to_vec() },
            None => Change::new(old, new),
        }
    }

    /// Whether every line of the old text is there as a line, where that has to be: an empty one by an empty one.
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
        // By a part of its indent one line cannot say how others are moved in, nor, where it is not quoted exactly, which
        // line it is.
        let needs_indent = ignoring == Ignoring::Trailing || !lenient && new.contains('\n');
        if needs_indent && places.iter().any(|place| self.has_part_of_indent(place, old)) {
            return None;
        }
        let new = Quote::new(new);
        let change = (lenient || self.content.contains('\r')).then(|| self.change(&quote, &new));
        // What stands in many places often stands there in the same words.
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

    /// Whether two regions are the same in all that a change of them looks at.
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

    /// Whether one of them begins or ends in the midst of a line.
    fn is_part_of_lines(&self, regions: &[Range<usize>]) -> bool {
        regions.iter().any(|region| {
            let before = &self.content[line_start(self.content, region.start)..region.start];
            let rest = &self.content[region.end..];
            let is_end = self.content[..region.end].ends_with('\n')
                || rest.lines().next().is_none_or(|rest| rest.trim().is_empty());
            !before.trim().is_empty() || !is_end
        })
    }

    /// Whether a single line was quoted with a part of its indent.
    fn has_part_of_indent(&self, place: &Place<'_>, old: &str) -> bool {
        let start = place.region.start;
        let before = &self.content[line_start(self.content, start)..start];
        let is_part = !before.is_empty() && before.trim().is_empty() && old.starts_with([' ', '\t']);
        is_part && !old.contains('\n') && says_enough(Ignoring::Indents, old)
    }

    fn align(&self, old: &str, new: &str) -> Option<Done> {
        // Alike is not the same: nobody meant all places that are.
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

    /// The text with all places written anew.
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

    /// What was found as it was quoted is replaced as it was asked, and its lines end as they did.
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

    /// The first and the last line of each region.
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

/// Whether it has the letters and digits that it takes to be forgiven so much. Where blanks are, many signs count as some of
/// them.
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
