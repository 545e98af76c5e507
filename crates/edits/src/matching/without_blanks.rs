//! Locates the lines of a quote in a text that was matched without whitespace. The lines may begin and end anywhere.

use std::ops::Range;

use super::{QuoteMatch, QuoteSearch};
use crate::canonical::key;
use crate::indent::Shifts;
use crate::lines::{indent_of, line_start};

type Lines = Vec<Option<Range<usize>>>;

impl QuoteSearch<'_> {
    /// Returns the region and the range of each line in it. The initial region goes from the line of the first
    /// character to the last character; it is extended by the quoted blank lines around it, as far as the text has
    /// them.
    pub(super) fn lines_by_signs(&self, at: usize, mut region: Range<usize>) -> (Range<usize>, Lines) {
        let mut lines: Lines = Vec::with_capacity(self.quote.lines.len());
        let (mut offset, mut before) = (0, region.start);
        // Blank lines are located once the line after them is known.
        let (mut blank, mut is_first) = (0, true);
        for line in &self.quote.lines {
            let first = self.quoted.first_from(offset + line.len() - line.trim_start().len());
            let next = self.quoted.first_from(offset + line.trim_end().len());
            offset += line.len() + 1;
            if line.trim().is_empty() || first >= next {
                blank += 1;
                lines.push(None);
                continue;
            }
            let sign = self.there.start(at + first);
            let start = line_start(self.content, sign);
            let has_own_line = start >= before && self.content[start..sign].trim().is_empty();
            let found = lines.len() - blank;
            let start = if is_first {
                before
            } else if has_own_line {
                start
            } else {
                sign
            };
            if is_first {
                self.blank_above(start, &mut lines);
                region.start = lines.first().cloned().flatten().map_or(start, |line| line.start);
            } else {
                self.blank_between(before..start, &mut lines[found..]);
            }
            (blank, is_first) = (0, false);
            before = if next == self.quoted.text.len() { region.end } else { self.there.end(at + next - 1) };
            lines.push(Some(start..before));
        }
        let found = lines.len() - blank;
        self.blank_below(before, &mut lines[found..]);
        region.end = lines.last().cloned().flatten().map_or(region.end, |line| line.end);
        (region, lines)
    }

    /// Locates the blank lines of a gap if it has as many as were quoted. Otherwise they cannot be matched.
    fn blank_between(&self, gap: Range<usize>, found: &mut [Option<Range<usize>>]) {
        let ends = memchr::memchr_iter(b'\n', &self.content.as_bytes()[gap.clone()]).map(|at| gap.start + at);
        let ends: Vec<usize> = ends.collect();
        if ends.len() != found.len() + 1 {
            return;
        }
        for (line, ends) in found.iter_mut().zip(ends.windows(2)) {
            *line = Some(ends[0] + 1..self.text_end(ends[0] + 1));
        }
    }

    /// Locates all the blank lines above a line, or none. The first may be the end of a line that is not blank.
    fn blank_above(&self, start: usize, found: &mut [Option<Range<usize>>]) {
        let mut lines = Vec::with_capacity(found.len());
        let mut start = start;
        for number in (0..found.len()).rev() {
            if !self.content[..start].ends_with('\n') {
                return;
            }
            let above = line_start(self.content, start - 1);
            let end = self.text_end(above);
            let is_blank = self.content[above..end].trim().is_empty();
            match number {
                _ if is_blank => lines.push(above..end),
                0 => lines.push(end..end),
                _ => return,
            }
            start = above;
        }
        for (line, range) in found.iter_mut().rev().zip(lines) {
            *line = Some(range);
        }
    }

    /// Locates all the blank lines below a line, or none. The last may be the beginning of a line that is not blank.
    fn blank_below(&self, end: usize, found: &mut [Option<Range<usize>>]) {
        let mut lines = Vec::with_capacity(found.len());
        let mut end = end;
        for number in 1..=found.len() {
            let rest = &self.content[end..];
            let ending = match () {
                () if rest.starts_with('\n') => 1,
                () if rest.starts_with("\r\n") => 2,
                () if rest.is_empty() && number == found.len() => 0,
                () => return,
            };
            let start = end + ending;
            end = if number == found.len() { start } else { self.text_end(start) };
            if !self.content[start..end].trim().is_empty() {
                return;
            }
            lines.push(start..end);
        }
        for (line, range) in found.iter_mut().zip(lines) {
            *line = Some(range);
        }
    }

    /// Returns true if each line of the quote is a line of the text, without lines between them.
    pub(super) fn is_line_by_line(&self, place: &QuoteMatch<'_>) -> bool {
        place.lines.windows(2).all(|pair| match pair {
            [Some(one), Some(next)] => self.content[one.end..next.start].matches('\n').count() == 1,
            _ => false,
        })
    }

    /// Returns true if an inexact match may be meant for other lines: because fewer than two lines have letters or
    /// digits, or because the line above or below equals the first or the last.
    pub(super) fn could_be_elsewhere(&self, place: &QuoteMatch<'_>) -> bool {
        let says_something = |line: &&&str| line.contains(char::is_alphanumeric);
        if self.quote.lines.iter().filter(says_something).count() < 2 {
            return true;
        }
        let known = || self.quote.lines.iter().zip(&place.lines).filter(|(line, _)| !line.trim().is_empty());
        let (Some((first, Some(above))), Some((last, Some(below)))) = (known().next(), known().next_back())
        else {
            return false;
        };
        let beside_first = self.content[..above.start].lines().rev().find(|line| !line.trim().is_empty());
        let beside_last = self.content[below.end..].lines().skip(1).find(|line| !line.trim().is_empty());
        // An equal neighbouring line is an alternative only if its indent fits as well as that of the match.
        let is_as_good = |beside: Option<&str>, quoted: &str, found: &Range<usize>| {
            let fits = |there: &str| {
                let indent = indent_of(quoted);
                match &place.shifts {
                    Shifts::Alike(shift) => shift.apply(indent) == indent_of(there),
                    Shifts::Each(_) => indent == indent_of(there),
                }
            };
            beside.is_some_and(|beside| {
                key(beside) == key(quoted) && (fits(beside) || !fits(&self.content[found.clone()]))
            })
        };
        is_as_good(beside_first, first, above) || is_as_good(beside_last, last, below)
    }

    /// Returns the end of the line that begins at a position, without its ending.
    fn text_end(&self, start: usize) -> usize {
        let rest = &self.content.as_bytes()[start..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        start + end - usize::from(rest[..end].ends_with(b"\r") && end < rest.len())
    }
}
