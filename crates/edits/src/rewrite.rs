//! Rewrites a match so that only the difference between the old and the new text changes.

mod gaps;
mod partners;
mod refine;
mod tokens;

use std::ops::Range;

use crate::canonical::{Ignoring, is_word_char};
use crate::diff::{DiffStep, diff};
use crate::lines::{ending_near, indent_of, line_start};
use crate::matching::{Quote, QuoteMatch};
use crate::refusal::RefusalReason;
use gaps::UnclearBlanks;
use partners::partners;

impl From<UnclearBlanks> for RefusalReason {
    fn from(_: UnclearBlanks) -> Self {
        Self::Unclear
    }
}

/// The maximum number of line pairs that are compared. A larger change is treated as a single replacement.
const MOST_PAIRS: usize = 1_000_000;

/// An edit as a line diff.
pub struct EditDiff<'a> {
    pub old: &'a Quote<'a>,
    pub new: &'a Quote<'a>,
    pub steps: Vec<DiffStep>,
}

impl<'a> EditDiff<'a> {
    pub fn new(old: &'a Quote<'a>, new: &'a Quote<'a>) -> Self {
        let same = |(one, other): &(&&str, &&str)| one == other;
        let head = old.lines.iter().zip(&new.lines).take_while(same).count();
        let rest = (&old.lines[head..], &new.lines[head..]);
        let tail = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(same).count();
        let (gone, come) = (rest.0.len() - tail, rest.1.len() - tail);
        if gone * come <= MOST_PAIRS {
            return Self { old, new, steps: diff(&old.lines, &new.lines) };
        }
        let (old_end, new_end) = (head + gone, head + come);
        let steps = vec![
            DiffStep::kept(0..head, 0..head),
            DiffStep::changed(head..old_end, head..new_end),
            DiffStep::kept(old_end..old.lines.len(), new_end..new.lines.len()),
        ];
        Self { old, new, steps }
    }

    /// Writes the new text of a match. Fails if the position of an insertion or deletion was not quoted, or if the
    /// whitespace of the result is unclear.
    pub fn write(
        &self,
        content: &str,
        place: &QuoteMatch<'_>,
        out: &mut String,
    ) -> Result<(), RefusalReason> {
        let before = out.len();
        Writer { content, place, change: self, out, before, written: place.region.start }.write()
    }
}

struct Writer<'a> {
    content: &'a str,
    place: &'a QuoteMatch<'a>,
    change: &'a EditDiff<'a>,
    out: &'a mut String,
    /// The length of the output before this match.
    before: usize,
    /// The position up to which the text has been written or left out.
    written: usize,
}

impl Writer<'_> {
    fn write(mut self) -> Result<(), RefusalReason> {
        for DiffStep { old, new, is_kept } in self.change.steps.iter().cloned() {
            match (old.is_empty(), new.is_empty()) {
                _ if is_kept => old.for_each(|line| self.keep(line)),
                (false, true) => self.remove(old).ok_or(RefusalReason::Torn)?,
                (true, _) => self.insert(old, new).ok_or(RefusalReason::Torn)?,
                (false, false) => self.replace(old, new)?,
            }
        }
        self.pass(self.place.region.end);
        // The last line of the quote has an ending, but that of the text has none.
        let is_open = self.place.region.end == self.content.len() && !self.content.ends_with('\n');
        if is_open && self.change.old.text.ends_with('\n') && self.out[self.before..].ends_with('\n') {
            self.out.pop();
            self.out.truncate(self.out.strip_suffix('\r').map_or(self.out.len(), str::len));
        }
        if self.place.ignoring != Ignoring::Endings && self.joins_words() {
            return Err(RefusalReason::Unclear);
        }
        Ok(())
    }

    /// Returns true if a word at an edge of the new text touches a word outside the match.
    fn joins_words(&self) -> bool {
        let Range { start, end } = self.place.region;
        let (before, after) = (self.content[..start].chars().next_back(), self.content[end..].chars().next());
        let written = &self.out[self.before..];
        let first = written.chars().next().or(after);
        let last = written.chars().next_back().or(before);
        let are_words = |one: Option<char>, other: Option<char>| {
            one.is_some_and(is_word_char) && other.is_some_and(is_word_char)
        };
        are_words(before, first) || are_words(last, after)
    }

    /// Copies the text unchanged up to a position.
    fn pass(&mut self, to: usize) {
        self.out.push_str(self.content.get(self.written..to).unwrap_or_default());
        self.written = self.written.max(to);
    }

    /// Copies an unchanged line in the form that the text has.
    fn keep(&mut self, line: usize) {
        if let Some(range) = &self.place.lines[line] {
            self.pass(range.end);
        }
    }

    /// Removes lines with their endings.
    fn remove(&mut self, lines: Range<usize>) -> Option<()> {
        // Blank lines that the text does not have need no removal.
        let Some(range) = self.known(&lines)? else { return Some(()) };
        let before = self.content.get(self.written..range.start)?;
        if !before.trim().is_empty() {
            return None;
        }
        let is_first = range.start == self.place.region.start;
        let begins = line_start(self.content, range.start) == range.start;
        match self.start_from(lines.end) {
            Some(_) if is_first && !begins => return None,
            Some(_) if !begins => self.written = range.end,
            Some(next) => {
                self.pass(range.start);
                let rest = self.content.get(range.end..next)?;
                if let Some(at) = rest.find('\n') {
                    self.written = range.end + at + 1;
                } else {
                    self.out.push_str(indent_of(&self.content[range]));
                    self.written = next;
                }
            }
            // No later line of the quote decides which ending is removed.
            None if is_first || !self.ends_line() => return None,
            None => {
                // The ending of the last line is outside the match, so the previous ending is removed instead.
                let kept = before.rfind('\n').map_or("", |at| &before[..at]);
                self.out.push_str(kept.strip_suffix('\r').unwrap_or(kept));
                self.written = range.end;
            }
        }
        Some(())
    }

    /// Inserts lines next to a line that the text has.
    fn insert(&mut self, lines: Range<usize>, new: Range<usize>) -> Option<()> {
        let known = |line: usize| self.place.lines.get(line).cloned().flatten();
        let (before, after) = (lines.start.checked_sub(1).and_then(known), known(lines.end));
        let texts: Vec<String> = new.map(|line| self.beside(&lines, self.change.new.lines[line])).collect();
        let ending = ending_near(self.content, self.written).text();
        let Some(next) = self.start_from(lines.end) else {
            if before.is_none() || !self.ends_line() {
                return None;
            }
            for text in texts {
                self.out.push_str(ending);
                self.out.push_str(&text);
            }
            return Some(());
        };
        let to = match (before, after) {
            (Some(before), None) => {
                let gap = self.content.get(before.end..next)?;
                before.end + gap.find('\n').map_or(gap.len(), |at| at + 1)
            }
            (Some(before), Some(after)) => {
                let gap = self.content.get(before.end..after.start)?;
                gap.trim().is_empty().then_some(after.start)?
            }
            (None, Some(after)) => after.start,
            (None, None) => return None,
        };
        if line_start(self.content, to) == to {
            self.pass(to);
        } else if lines.start == 0 {
            return None;
        } else {
            self.out.push_str(ending);
            self.written = to;
        }
        for text in texts {
            self.out.push_str(&text);
            self.out.push_str(ending);
        }
        Some(())
    }

    fn replace(&mut self, lines: Range<usize>, new: Range<usize>) -> Result<(), RefusalReason> {
        let Some(range) = self.known(&lines).ok_or(RefusalReason::Torn)? else {
            return self.insert(lines, new).ok_or(RefusalReason::Torn);
        };
        // If the quote includes the ending of the line above it or of its own last line, the replacement must not join
        // two lines.
        let is_blank = |line: Option<&&str>| line.is_some_and(|line| line.trim().is_empty());
        let old = &self.change.old.lines;
        let joins_above = lines.start == 0 && is_blank(old.first()) && !self.begins_line();
        if joins_above || lines.end == old.len() && is_blank(old.last()) && !self.ends_line() {
            return Err(RefusalReason::Torn);
        }
        self.pass(range.start);
        let partners = partners(&old[lines.clone()], &self.change.new.lines[new.clone()]);
        let ranges: Option<Vec<Range<usize>>> = self.place.lines[lines.clone()].iter().cloned().collect();
        let ranges = ranges.filter(|ranges| ranges.len() == new.len());
        let ending = ending_near(self.content, range.start).text();
        for (number, (text, partner)) in self.change.new.lines[new].iter().zip(partners).enumerate() {
            // With equal line counts, replace line by line, so that each keeps its ending.
            match &ranges {
                Some(ranges) => self.pass(ranges[number].start),
                None if number > 0 => self.out.push_str(ending),
                None => {}
            }
            self.change_line(lines.start + partner.line, partner.is_same, text)?;
            if let Some(ranges) = &ranges {
                self.written = ranges[number].end;
            }
        }
        self.written = range.end;
        Ok(())
    }

    /// Writes a new line in place of an old one. If it is a version of the old line, their common parts are kept as in
    /// the text.
    fn change_line(&mut self, line: usize, is_same: bool, new: &str) -> Result<(), UnclearBlanks> {
        let is_first = self.out.len() == self.before;
        let begins = if is_first { self.begins_line() } else { self.out.ends_with('\n') };
        if is_same && self.refine(line, new, begins)? {
            return Ok(());
        }
        match begins {
            true => self.out.push_str(&self.moved(line, new)),
            // Text that begins within a line has no indent of its own.
            false if is_first => self.out.push_str(new),
            false => self.out.push_str(new.trim_start_matches([' ', '\t'])),
        }
        Ok(())
    }

    /// Returns a new line with the indentation shift of an old line.
    fn moved(&self, line: usize, new: &str) -> String {
        let indent = indent_of(new);
        let body = &new[indent.len()..];
        if body.is_empty() {
            new.to_owned()
        } else {
            format!("{}{body}", self.place.shifts.at(line).apply(indent))
        }
    }

    /// Returns an inserted line with the shift of an adjacent line: the one after it, unless only the one before it has
    /// the same quoted indent.
    fn beside(&self, lines: &Range<usize>, new: &str) -> String {
        let has_indent = |line: usize| {
            let old = self.change.old.lines.get(line).filter(|old| !old.trim().is_empty());
            old.is_some_and(|old| indent_of(old) == indent_of(new)) && self.place.lines[line].is_some()
        };
        let last = self.place.lines.len() - 1;
        let (after, before) = (lines.end.min(last), lines.start.saturating_sub(1));
        self.moved(if !has_indent(after) && has_indent(before) { before } else { after }, new)
    }

    /// Returns the range from the first to the last of these lines. The outer `None` means that unquoted text or a
    /// blank line is between them, the inner that the text has none of them.
    #[allow(clippy::option_option, reason = "not there is not the same as torn apart")]
    fn known(&self, lines: &Range<usize>) -> Option<Option<Range<usize>>> {
        let all = &self.place.lines;
        let has_lost = all[lines.clone()].iter().any(Option::is_none);
        // Blank lines beyond the edges of the quote were not searched for.
        if has_lost && (lines.start == 0 || lines.end == all.len()) {
            return None;
        }
        // Missing lines may be next to the surrounding ones, so those are checked too.
        let (before, after) =
            (all[..lines.start].iter().flatten().next_back(), all[lines.end..].iter().flatten().next());
        let around = |beside| Some(beside).filter(|_| has_lost).flatten();
        let own = all[lines.clone()].iter().flatten();
        let known: Vec<&Range<usize>> = around(before).into_iter().chain(own).chain(around(after)).collect();
        for pair in known.windows(2) {
            let gap = self.content.get(pair[0].end..pair[1].start)?;
            if !gap.trim().is_empty() || gap.matches('\n').count() > 1 {
                return None;
            }
        }
        let mut own = all[lines.clone()].iter().flatten();
        Some(own.next().map(|first| first.start..own.next_back().unwrap_or(first).end))
    }

    /// Returns the start of the first matched line at or after this one.
    fn start_from(&self, line: usize) -> Option<usize> {
        self.place.lines.get(line..)?.iter().flatten().next().map(|range| range.start)
    }

    fn begins_line(&self) -> bool {
        line_start(self.content, self.place.region.start) == self.place.region.start
    }

    fn ends_line(&self) -> bool {
        let rest = &self.content[self.place.region.end..];
        rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n")
    }
}
