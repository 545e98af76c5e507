//! Finds the part of a text that comes closest to a quote that was not found, as help for the next attempt.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;

use serde::Serialize;

use crate::canonical::LineFilter;
use crate::diff::diff;
use crate::lines::line_number;

/// The maximum number of lines shown.
const MOST_LINES: usize = 40;
const MOST_DIFFERENCE: usize = 60;
/// The minimum likeness of two lines that are considered similar.
const ALIKE: f32 = 0.35;
/// The maximum number of occurrences of a line that is used.
const COMMON: usize = 200;

/// A part of the text and its difference from the quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Closest {
    pub first_line: usize,
    pub last_line: usize,
    /// The lines with their numbers.
    pub text: String,
    /// The differing lines: `-` marks those of the quote, `+` those of the text.
    pub difference: String,
}

pub fn closest(content: &str, quote: &str) -> Option<Closest> {
    let there: Vec<&str> = content.lines().collect();
    let quoted: Vec<&str> = quote.lines().collect();
    let first = by_same_lines(&there, &quoted).or_else(|| by_likeness(&there, &quoted))?;
    let last = (first + quoted.len().clamp(1, MOST_LINES)).min(there.len());
    Some(shown(&there, first..last, &quoted))
}

/// Shows the region that was found but could not be edited.
pub fn standing(content: &str, region: Range<usize>, quote: &str) -> Closest {
    let there: Vec<&str> = content.lines().collect();
    let first = line_number(content, region.start) - 1;
    let last = line_number(content, region.end.max(region.start + 1) - 1);
    shown(&there, first..last.min(first + MOST_LINES).min(there.len()), &quote.lines().collect::<Vec<&str>>())
}

fn shown(there: &[&str], lines: Range<usize>, quoted: &[&str]) -> Closest {
    let Range { start: first, end: last } = lines;
    let region = &there[first.min(last)..last];
    let mut text = String::new();
    for (number, line) in (first + 1..).zip(region) {
        let _ = writeln!(text, "{number:>5} | {line}");
    }
    let quoted = &quoted[..quoted.len().min(MOST_LINES)];
    let changes = diff(quoted, region).into_iter().filter(|step| !step.is_kept).flat_map(|step| {
        let removed = quoted[step.old].iter().map(|line| format!("- {line}"));
        removed.chain(region[step.new].iter().map(|line| format!("+ {line}"))).collect::<Vec<_>>()
    });
    let difference: Vec<String> = changes.take(MOST_DIFFERENCE).collect();
    Closest { first_line: first + 1, last_line: last, text, difference: difference.join("\n") }
}

/// Returns the first line of the part that shares most lines with the quote.
fn by_same_lines(there: &[&str], quoted: &[&str]) -> Option<usize> {
    let wanted: HashSet<&str> =
        quoted.iter().map(|line| line.trim()).filter(|line| has_letters(line)).collect();
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    let filter = LineFilter::of(&wanted);
    for (number, line) in there.iter().enumerate() {
        if filter.may_have(line) && wanted.contains(line.trim()) {
            places.entry(line.trim()).or_default().push(number);
        }
    }
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (number, line) in quoted.iter().enumerate() {
        let found = places.get(line.trim()).filter(|found| found.len() <= COMMON);
        for place in found.into_iter().flatten() {
            *votes.entry(place.saturating_sub(number)).or_default() += 1;
        }
    }
    let near = |start: usize| {
        let around = start.saturating_sub(1)..=start + 1;
        around.filter_map(|place| votes.get(&place)).sum::<usize>()
    };
    let best = votes.keys().copied().max_by_key(|&start| (near(start), votes[&start], usize::MAX - start));
    best.filter(|&start| start < there.len())
}

/// Returns the first line of the part around the line that is most like the longest line of the quote.
fn by_likeness(there: &[&str], quoted: &[&str]) -> Option<usize> {
    let letters = |line: &str| line.chars().filter(|letter| letter.is_alphanumeric()).count();
    let (number, telling) = quoted.iter().enumerate().max_by_key(|(_, line)| letters(line))?;
    let mut likeness = Likeness::of(telling);
    let mut best = (0, 0.0);
    for (place, line) in there.iter().enumerate() {
        let score = likeness.to(line);
        if score > best.1 {
            best = (place, score);
        }
    }
    let (place, score) = best;
    (score >= ALIKE).then(|| place.saturating_sub(number))
}

/// Returns the similarity of two lines, from 0 to 1.
pub fn likeness(one: &str, other: &str) -> f32 {
    Likeness::of(one).to(other)
}

/// The character pairs of a line, for comparison with many other lines.
struct Likeness {
    /// For each pair, the last comparison in which it was seen. The highest bit marks pairs of the line itself.
    seen: Box<[u32; KINDS]>,
    count: usize,
    round: u32,
}

/// The number of distinct pair hashes.
const KINDS: usize = 1 << 12;

impl Likeness {
    const OWN: u32 = 1 << 31;

    fn of(line: &str) -> Self {
        let mut own = Self { seen: Box::new([0; KINDS]), count: 0, round: 0 };
        for_pairs(line, |kind| {
            own.count += usize::from(own.seen[kind] == 0);
            own.seen[kind] = Self::OWN;
        });
        own
    }

    #[allow(clippy::cast_precision_loss, reason = "a few letters")]
    fn to(&mut self, line: &str) -> f32 {
        self.round += 1;
        let (mut shared, mut count) = (0, 0);
        for_pairs(line, |kind| {
            let own = self.seen[kind] & Self::OWN;
            if self.seen[kind] != own | self.round {
                self.seen[kind] = own | self.round;
                count += 1;
                shared += usize::from(own != 0);
            }
        });
        2.0 * shared as f32 / (self.count + count).max(1) as f32
    }
}

/// Calls `each` with the hash of each pair of adjacent non-whitespace characters, ignoring ASCII case.
fn for_pairs(line: &str, mut each: impl FnMut(usize)) {
    const MOST: usize = 400;
    let mut last = None;
    let mut add = |letter: usize| {
        if let Some(last) = last.replace(letter) {
            each((usize::wrapping_mul(last, 37) ^ letter) % KINDS);
        }
    };
    if line.is_ascii() {
        let letters = line.bytes().filter(|letter| !letter.is_ascii_whitespace()).take(MOST);
        letters.for_each(|letter| add(usize::from(letter.to_ascii_lowercase())));
    } else {
        let letters = line.chars().filter(|letter| !letter.is_whitespace()).take(MOST);
        letters.for_each(|letter| add(u32::from(letter.to_ascii_lowercase()) as usize));
    }
}

fn has_letters(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}
