//! Quotes of a line with different whitespace, and changes of one of its words.

use std::ops::Range;

use super::languages::Source;
use super::random::Random;

/// The maximum number of lines on each side of the quoted one.
const AROUND: usize = 12;
/// The approximate number of lines tried in each text.
const TRIED: usize = 60;

/// A way in which the whitespace of a quote differs from the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spacing {
    Wider,
    Tighter,
    Moved,
}

pub const SPACINGS: [Spacing; 3] = [Spacing::Wider, Spacing::Tighter, Spacing::Moved];

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

pub fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, letter) in text.char_indices().filter(|(_, letter)| is_letter(*letter)) {
        match words.last_mut() {
            Some(last) if last.end == at => last.end += letter.len_utf8(),
            _ => words.push(at..at + letter.len_utf8()),
        }
    }
    words
}

/// Returns the ranges of all words and of all other single characters, without whitespace.
pub fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut tokens = words(text);
    let signs = text.char_indices().filter(|(_, letter)| !is_letter(*letter) && !letter.is_whitespace());
    tokens.extend(signs.map(|(at, letter)| at..at + letter.len_utf8()));
    tokens.sort_by_key(|token| token.start);
    tokens
}

/// Returns the gaps before each token and after the last.
pub fn gaps(text: &str) -> Vec<&str> {
    let tokens = tokens(text);
    let starts = std::iter::once(0).chain(tokens.iter().map(|token| token.end));
    let ends = tokens.iter().map(|token| token.start).chain([text.len()]);
    starts.zip(ends).map(|(from, to)| &text[from..to]).collect()
}

/// Returns the same tokens in the same order with different whitespace. Separate words stay separate.
pub fn respaced(random: &mut Random, spacing: Spacing, line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let body = &line[indent..];
    let mut text = line[..indent].to_owned();
    let mut before: Option<char> = None;
    for (token, gap) in tokens(body).into_iter().zip(gaps(body)) {
        let (token, first) = (&body[token.clone()], body[token].chars().next());
        let is_needed = before.is_some_and(is_letter) && first.is_some_and(is_letter);
        let wide = ["  ", "   ", "\t", "    "];
        let gap = match spacing {
            _ if before.is_none() => gap.to_owned(),
            Spacing::Wider if gap.is_empty() => String::new(),
            Spacing::Wider => random.pick(&wide).to_owned(),
            Spacing::Tighter if is_needed => " ".to_owned(),
            Spacing::Tighter => String::new(),
            Spacing::Moved if is_needed => random.pick(&[" ", "  "]).to_owned(),
            Spacing::Moved => random.pick(&["", "", " ", gap]).to_owned(),
        };
        text.push_str(&gap);
        text.push_str(token);
        before = token.chars().next_back();
    }
    text
}

/// Returns the text without whitespace.
pub fn said(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A line of a text with the lines around it, from which it differs.
pub struct Spot<'a> {
    pub lines: Vec<&'a str>,
    pub at: usize,
}

impl<'a> Spot<'a> {
    pub fn some(random: &mut Random, source: &'a Source) -> Vec<Self> {
        let lines: Vec<&str> = source.text.lines().collect();
        let step = lines.len().div_ceil(TRIED).max(1);
        let first = random.below(step);
        let spots = (first..lines.len()).step_by(step).map(|at| {
            let from = at.saturating_sub(AROUND);
            Spot { lines: lines[from..(at + AROUND).min(lines.len())].to_vec(), at: at - from }
        });
        spots.filter(Spot::can_be_told).collect()
    }

    fn can_be_told(&self) -> bool {
        let own = said(self.line());
        let letters = own.chars().filter(|letter| letter.is_alphanumeric()).count();
        letters >= 4
            && own.len() < 300
            && self.lines.iter().filter(|line| said(line).contains(&own)).count() == 1
    }

    pub fn line(&self) -> &'a str {
        self.lines[self.at]
    }

    pub fn text(&self, ending: &str) -> String {
        self.with(self.line(), ending)
    }

    /// Returns the text with this line replaced.
    pub fn with(&self, line: &str, ending: &str) -> String {
        let mut lines = self.lines.clone();
        lines[self.at] = line;
        lines.iter().flat_map(|line| [*line, ending]).collect()
    }
}

/// Returns the line with one of its words replaced.
pub fn with_word(line: &str, number: usize, word: &str) -> String {
    let place = words(line)[number].clone();
    format!("{}{word}{}", &line[..place.start], &line[place.end..])
}
