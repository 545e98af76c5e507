//! Locates a quote in a text, as one matching strategy compares them.

mod without_blanks;

use std::ops::Range;

use memchr::memmem::Finder;

use crate::canonical::{CanonicalText, Ignoring, is_word_char};
use crate::indent::{Shift, Shifts};
use crate::lines::{indent_of, line_start};

/// The maximum number of matches that are collected.
pub const MOST_MATCHES: usize = 100;
/// The maximum number of quoted lines compared in candidates that turn out not to match.
const MOST_COMPARED: usize = 100_000;

/// Returns the maximum size of a match that may include unquoted whitespace. Each punctuation character may be on its
/// own line.
pub fn largest(quoted: &str) -> usize {
    let signs = quoted.chars().filter(|&letter| !letter.is_whitespace() && !is_word_char(letter)).count();
    4 * quoted.len() + 200 + 48 * signs
}

/// The quoted text, split into lines.
#[derive(Debug)]
pub struct Quote<'a> {
    pub text: &'a str,
    pub lines: Vec<&'a str>,
    /// The start of each line.
    pub starts: Vec<usize>,
}

impl<'a> Quote<'a> {
    pub fn new(text: &'a str) -> Self {
        let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Self { text, lines: text.split('\n').collect(), starts: std::iter::once(0).chain(starts).collect() }
    }
}

/// A match in the text and its relation to the lines of the quote.
#[derive(Debug)]
pub struct QuoteMatch<'a> {
    pub region: Range<usize>,
    /// The range of each line of the quote. `None` if the line is not in the text.
    pub lines: Vec<Option<Range<usize>>>,
    pub shifts: Shifts<'a>,
    pub ignoring: Ignoring,
    /// The mapping from positions in the quote to positions in the text. `None` if only whole lines are mapped.
    pub way: Option<QuoteMapping<'a>>,
}

/// A mapping from a quote to the text, character by character.
#[derive(Debug, Clone, Copy)]
pub struct QuoteMapping<'a> {
    pub there: &'a CanonicalText<'a>,
    pub quoted: &'a CanonicalText<'a>,
    /// The position of the quote in the canonical text, in bytes.
    pub at: usize,
}

impl QuoteMapping<'_> {
    /// Returns the range of the text that a part of the quote maps to. `None` if it maps to nothing.
    pub fn found(&self, part: Range<usize>) -> Option<Range<usize>> {
        let (first, end) = (self.quoted.first_from(part.start), self.quoted.first_from(part.end));
        (first < end).then(|| self.there.start(self.at + first)..self.there.end(self.at + end - 1))
    }

    /// Returns true if a position in the quote maps to a position where the text can be cut.
    pub fn is_seam_at(&self, offset: usize) -> bool {
        self.is_seam(self.quoted.first_from(offset))
    }

    fn is_seam(&self, byte: usize) -> bool {
        byte == 0
            || self.at + byte >= self.there.text.len()
            || !self.there.is_one_sign(self.at + byte - 1, self.at + byte)
    }
}

/// A search with one strategy.
#[derive(Clone, Copy)]
pub struct QuoteSearch<'a> {
    pub content: &'a str,
    pub there: &'a CanonicalText<'a>,
    pub quote: &'a Quote<'a>,
    pub quoted: &'a CanonicalText<'a>,
    pub ignoring: Ignoring,
}

/// The error for too many candidates that do not match.
#[derive(Debug)]
pub struct TooManyCandidates;

impl<'a> QuoteSearch<'a> {
    /// Adds all matches, or only non-overlapping ones if `apart` is set.
    pub fn places(&self, apart: bool, places: &mut Vec<QuoteMatch<'a>>) -> Result<(), TooManyCandidates> {
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
                    } else if places.len() > MOST_MATCHES {
                        break;
                    }
                }
                None => tried += self.quote.lines.len(),
            }
            if tried > MOST_COMPARED {
                return Err(TooManyCandidates);
            }
        }
        Ok(())
    }

    fn place(&self, at: usize) -> Option<QuoteMatch<'a>> {
        let end = at + self.quoted.text.len();
        let splits_character =
            |byte: usize| byte > 0 && byte < self.there.text.len() && self.there.is_one_sign(byte - 1, byte);
        if splits_character(at) || splits_character(end) {
            return None;
        }
        let (first, last) = (self.there.start(at), self.there.end(end - 1));
        if self.ignoring == Ignoring::Endings {
            let (lines, shifts) = (Vec::new(), Shifts::Alike(Shift::None));
            return Some(QuoteMatch {
                region: first..last,
                lines,
                shifts,
                ignoring: self.ignoring,
                way: None,
            });
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
        let way = Some(QuoteMapping { there: self.there, quoted: self.quoted, at });
        let place =
            QuoteMatch { region, lines, shifts: Shifts::Alike(Shift::None), ignoring: self.ignoring, way };
        let place = self.with_shifts(place, first)?;
        (!self.is_far_larger(&place.region)).then_some(place)
    }

    /// Returns an exact match with the ranges of its lines.
    pub fn by_lines(&self, place: &QuoteMatch<'a>) -> QuoteMatch<'a> {
        let region = place.region.clone();
        let at = self.there.first_from(region.start);
        let lines = self.lines_by_ends(at, region.start, region.end);
        let way = Some(QuoteMapping { there: self.there, quoted: self.quoted, at });
        QuoteMatch { region, lines, shifts: Shifts::Alike(Shift::None), ignoring: self.ignoring, way }
    }

    /// Returns the start of the region. It includes the indent if the match begins a line.
    fn begin(&self, first: usize) -> Option<usize> {
        if self.ignoring == Ignoring::Trailing {
            return Some(first);
        }
        let line = line_start(self.content, first);
        if self.content[line..first].trim().is_empty() {
            return Some(line);
        }
        // The quote begins with whitespace or a new line, but this match is within a line.
        (!self.quote.text.starts_with([' ', '\t', '\n'])).then_some(first)
    }

    /// Returns the end of the region, after whitespace at the end of the line.
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

    /// Returns true if the match splits no word or combined character.
    fn is_whole(&self, first: usize, last: usize) -> bool {
        let splits_character = |at: usize| {
            let after = self.content[at..].chars().next();
            let before = self.content[..at].chars().next_back().is_some_and(is_word_char);
            after.is_some_and(belongs_to_the_one_before) || before && after.is_some_and(is_word_char)
        };
        !splits_character(first) && !splits_character(last)
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

    /// Returns the match with its indentation shift. `None` if the shift differs between lines and the strategy does
    /// not allow that.
    fn with_shifts(&self, mut place: QuoteMatch<'a>, first: usize) -> Option<QuoteMatch<'a>> {
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
        let splits_character = pairs[0].is_some() && Shift::is_first_cut(&known);
        if splits_character {
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
            let is_moved_alike =
                matches!(place.shifts, Shifts::Alike(_)) && (!splits_character || known.len() == 1);
            if !(is_moved_alike && self.is_line_by_line(&place)) && self.could_be_elsewhere(&place) {
                return None;
            }
        }
        Some(place)
    }

    /// Returns true if the region includes far more than the quote, in blank lines or other whitespace. Indentation
    /// does not count.
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

/// Returns true for accents and other characters that combine with the previous one.
fn belongs_to_the_one_before(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{200d}' | '\u{1f3fb}'..='\u{1f3ff}')
}
