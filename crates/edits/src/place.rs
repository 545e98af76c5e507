//! Where a quote stands in a text, by what one rung of the ladder looks at.

mod by_signs;

use std::ops::Range;

use memchr::memmem::Finder;

use crate::canon::{Canon, Ignoring, of_word};
use crate::indent::{Shift, Shifts};
use crate::lines::{indent_of, line_start};

/// More places than this are not told apart.
pub const MOST: usize = 100;
/// So many lines are laid beside the quote's in places that turn out to be none.
const PATIENCE: usize = 100_000;

/// How long a place may be that takes in blanks which nobody quoted. Each sign may have a line of its own.
pub fn largest(quoted: &str) -> usize {
    let signs = quoted.chars().filter(|&letter| !letter.is_whitespace() && !of_word(letter)).count();
    4 * quoted.len() + 200 + 48 * signs
}

/// The words that somebody quotes, by lines.
#[derive(Debug)]
pub struct Quote<'a> {
    pub text: &'a str,
    pub lines: Vec<&'a str>,
    /// Where each line begins.
    pub starts: Vec<usize>,
}

impl<'a> Quote<'a> {
    pub fn new(text: &'a str) -> Self {
        let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Self { text, lines: text.split('\n').collect(), starts: std::iter::once(0).chain(starts).collect() }
    }
}

/// One place in a text, and how it goes with the lines of the quote.
#[derive(Debug)]
pub struct Place<'a> {
    pub region: Range<usize>,
    /// Where each line of the quote is; one that is not in the text has none.
    pub lines: Vec<Option<Range<usize>>>,
    pub shifts: Shifts<'a>,
    pub ignoring: Ignoring,
    /// The way from places in the quote to places in the text. None where each line has its own.
    pub way: Option<Way<'a>>,
}

/// From a quote to the text, sign by sign.
#[derive(Debug, Clone, Copy)]
pub struct Way<'a> {
    pub there: &'a Canon<'a>,
    pub quoted: &'a Canon<'a>,
    /// Where the quote begins, in bytes of what is looked at.
    pub at: usize,
}

impl Way<'_> {
    /// Where a part of the quote stands in the text. None where it is nothing there.
    pub fn found(&self, part: Range<usize>) -> Option<Range<usize>> {
        let (first, end) = (self.quoted.first_from(part.start), self.quoted.first_from(part.end));
        (first < end).then(|| self.there.start(self.at + first)..self.there.end(self.at + end - 1))
    }

    /// Whether the text can be cut where the quote can.
    pub fn is_seam_at(&self, offset: usize) -> bool {
        self.is_seam(self.quoted.first_from(offset))
    }

    fn is_seam(&self, byte: usize) -> bool {
        byte == 0
            || self.at + byte >= self.there.text.len()
            || !self.there.is_one_sign(self.at + byte - 1, self.at + byte)
    }
}

/// A search on one rung.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    pub content: &'a str,
    pub there: &'a Canon<'a>,
    pub quote: &'a Quote<'a>,
    pub quoted: &'a Canon<'a>,
    pub ignoring: Ignoring,
}

/// There are too many places that look right at first.
#[derive(Debug)]
pub struct GaveUp;

impl<'a> Search<'a> {
    /// Adds every place, or those that do not overlap.
    pub fn places(&self, apart: bool, places: &mut Vec<Place<'a>>) -> Result<(), GaveUp> {
        let needle = &*self.quoted.text;
        if needle.is_empty() {
            return Ok(());
        }
        let finder = Finder::new(needle);
        let (mut from, mut tried) = (0, 0);
        while let Some(found) = finder.find(&self.there.text.as_bytes()[from..]) {
            let at = from + found;
            from = at + 1;
            match self.place(at) {
                Some(place) => {
                    places.push(place);
                    if apart {
                        from = at + needle.len();
                    } else if places.len() > MOST {
                        break;
                    }
                }
                None => tried += self.quote.lines.len(),
            }
            if tried > PATIENCE {
                return Err(GaveUp);
            }
        }
        Ok(())
    }

    fn place(&self, at: usize) -> Option<Place<'a>> {
        let end = at + self.quoted.text.len();
        let is_cut =
            |byte: usize| byte > 0 && byte < self.there.text.len() && self.there.is_one_sign(byte - 1, byte);
        if is_cut(at) || is_cut(end) {
            return None;
        }
        let (first, last) = (self.there.start(at), self.there.end(end - 1));
        if self.ignoring == Ignoring::Endings {
            let (lines, shifts) = (Vec::new(), Shifts::Alike(Shift::None));
            return Some(Place { region: first..last, lines, shifts, ignoring: self.ignoring, way: None });
        }
        let begin = self.begin(first)?;
        if !self.is_whole(first, last) {
            return None;
        }
        let region = begin..self.last(last);
        let (region, lines) = match self.ignoring {
            Ignoring::Blanks => self.lines_by_signs(at, region),
            _ => (region.clone(), self.lines_by_ends(at, region.start, region.end)),
        };
        let way = Some(Way { there: self.there, quoted: self.quoted, at });
        let place = Place { region, lines, shifts: Shifts::Alike(Shift::None), ignoring: self.ignoring, way };
        let place = self.moved_in(place, first)?;
        (!self.is_far_larger(&place.region)).then_some(place)
    }

    /// The same place with all its lines, for what was found exactly.
    pub fn by_lines(&self, place: &Place<'a>) -> Place<'a> {
        let region = place.region.clone();
        let at = self.there.first_from(region.start);
        let lines = self.lines_by_ends(at, region.start, region.end);
        let way = Some(Way { there: self.there, quoted: self.quoted, at });
        Place { region, lines, shifts: Shifts::Alike(Shift::None), ignoring: self.ignoring, way }
    }

    /// Where the region begins: with its line, where nothing but blanks are before it.
    fn begin(&self, first: usize) -> Option<usize> {
        if self.ignoring == Ignoring::Trailing {
            return Some(first);
        }
        let line = line_start(self.content, first);
        if self.content[line..first].trim().is_empty() {
            return Some(line);
        }
        // The quote begins with its line, and this does not.
        (!self.quote.text.starts_with([' ', '\t', '\n'])).then_some(first)
    }

    /// Where it ends: behind the blanks that nobody looks at.
    fn last(&self, last: usize) -> usize {
        if self.content[..last].ends_with('\n') {
            return last;
        }
        let end = memchr::memchr(b'\n', &self.content.as_bytes()[last..])
            .map_or(self.content.len(), |at| last + at);
        let rest = &self.content[last..end];
        let rest = rest.strip_suffix('\r').unwrap_or(rest);
        if rest.trim().is_empty() { last + rest.len() } else { last }
    }

    /// Whether no word is cut in two.
    fn is_whole(&self, first: usize, last: usize) -> bool {
        let is_cut = |at: usize| {
            let after = self.content[at..].chars().next();
            let before = self.content[..at].chars().next_back().is_some_and(of_word);
            after.is_some_and(belongs_to_the_one_before) || before && after.is_some_and(of_word)
        };
        !is_cut(first) && !is_cut(last)
    }

    fn lines_by_ends(&self, at: usize, begin: usize, last: usize) -> Vec<Option<Range<usize>>> {
        let mut lines = Vec::with_capacity(self.quote.lines.len());
        let mut start = begin;
        for end in memchr::memchr_iter(b'\n', self.quoted.text.as_bytes()) {
            lines.push(Some(start..self.there.start(at + end)));
            start = self.there.end(at + end);
        }
        lines.push(Some(start..last.max(start)));
        lines
    }

    /// The place with what leads from the quote's indents to its own. None where that differs from line to line and must
    /// not.
    fn moved_in(&self, mut place: Place<'a>, first: usize) -> Option<Place<'a>> {
        if self.ignoring == Ignoring::Trailing {
            return Some(place);
        }
        let pair = |(quoted, there): (&&'a str, &Option<Range<usize>>)| {
            let there = there.clone()?;
            let begins = line_start(self.content, there.start) == there.start;
            (begins && !quoted.trim().is_empty())
                .then(|| (indent_of(quoted), indent_of(&self.content[there])))
        };
        let pairs: Vec<Option<(&str, &str)>> = self.quote.lines.iter().zip(&place.lines).map(pair).collect();
        let known: Vec<(&str, &str)> = pairs.iter().flatten().copied().collect();
        let is_cut = pairs[0].is_some() && Shift::is_first_cut(&known);
        if is_cut {
            place.region.start = first;
            if let Some(range) = &mut place.lines[0] {
                range.start = first;
            }
        } else if self.ignoring == Ignoring::Blanks {
            place.shifts = Shifts::nearest(&pairs);
        } else {
            place.shifts = Shifts::Alike(Shift::between(&known)?);
        }
        if self.ignoring == Ignoring::Blanks {
            let is_moved_alike = matches!(place.shifts, Shifts::Alike(_)) && (!is_cut || known.len() == 1);
            if !(is_moved_alike && self.is_line_by_line(&place)) && self.could_be_elsewhere(&place) {
                return None;
            }
        }
        Some(place)
    }

    /// Whether it takes in far more than was quoted: blank lines, or blanks within others. How far lines are moved in does
    /// not count.
    fn is_far_larger(&self, region: &Range<usize>) -> bool {
        if self.ignoring != Ignoring::Blanks {
            return false;
        }
        let (mut blank, mut length) = (0, 0);
        for line in self.content[region.clone()].lines() {
            let body = line.trim();
            blank += usize::from(body.is_empty());
            length += body.len() + 1;
        }
        blank > 2 * self.quote.lines.len() + 2 || length > largest(self.quote.text)
    }
}

/// Accents, and what joins two signs to one.
fn belongs_to_the_one_before(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{200d}' | '\u{1f3fb}'..='\u{1f3ff}')
}
