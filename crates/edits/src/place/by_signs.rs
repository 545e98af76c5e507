//! The lines of a quote in a text that was found without its blanks: they may begin and end anywhere.

use std::ops::Range;

use super::{Place, Search};
use crate::canon::key;
use crate::indent::Shifts;
use crate::lines::{indent_of, line_start};

type Lines = Vec<Option<Range<usize>>>;

impl Search<'_> {
    /// Where each line is, in a region from the first sign's line to the last sign. Blank lines around them belong to it
    /// as far as they are there.
    pub(super) fn lines_by_signs(&self, at: usize, mut region: Range<usize>) -> (Range<usize>, Lines) {
        let mut lines: Lines = Vec::with_capacity(self.quote.lines.len());
        let (mut offset, mut before) = (0, region.start);
        // Blank lines are found once it is known what follows them.
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

    /// The blank lines of a gap, where there are as many as were quoted: otherwise nobody knows which is which.
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

    /// Those above a line, which may begin at the end of one that is not blank; all of them or none.
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

    /// Those below a line, the last of which may be the beginning of one that is not blank; all of them or none.
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

    /// Whether each line of the quote is one of the text, and the next is the next.
    pub(super) fn is_line_by_line(&self, place: &Place<'_>) -> bool {
        place.lines.windows(2).all(|pair| match pair {
            [Some(one), Some(next)] => self.content[one.end..next.start].matches('\n').count() == 1,
            _ => false,
        })
    }

    /// Whether lines that do not stand as they were quoted could be others: because only one of them says anything, or
    /// because the line above or below says the same as the first or the last.
    pub(super) fn could_be_elsewhere(&self, place: &Place<'_>) -> bool {
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
        // The same words are meant only where they are moved in as well as those that were found.
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

    /// Where the line that begins there ends, without its ending.
    fn text_end(&self, start: usize) -> usize {
        let rest = &self.content.as_bytes()[start..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        start + end - usize::from(rest[..end].ends_with(b"\r") && end < rest.len())
    }
}
