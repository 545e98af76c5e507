use std::ops::Range;

use super::query::Phrase;
use super::words::words;

/// The length of a snippet in bytes, and of the part before the first match.
const LENGTH: usize = 240;
const LEAD: usize = 60;
/// The maximum number of matches that are considered for the best position.
const CONSIDERED: usize = 64;

/// A part of a text around the matches. `marks` count UTF-16 units.
pub(super) struct Snippet {
    pub(super) text: String,
    pub(super) marks: Vec<(u32, u32)>,
}

struct Match {
    phrase: usize,
    range: Range<usize>,
}

/// Returns the part of the text in which most of the phrases occur together.
pub(super) fn snippet(text: &str, phrases: &[Phrase]) -> Snippet {
    let matches = find(text, phrases);
    let best = matches.iter().enumerate().max_by_key(|&(index, first)| {
        let mut seen: Vec<usize> = matches[index..]
            .iter()
            .take_while(|other| other.range.end <= first.range.start + LENGTH - LEAD)
            .map(|other| other.phrase)
            .collect();
        seen.sort_unstable();
        seen.dedup();
        // The earliest of equals: `max_by_key` would take the last.
        (seen.len(), std::cmp::Reverse(index))
    });
    let focus = best.map_or(0, |(_, first)| first.range.start);
    let window = window(text, focus);
    let inside = matches
        .into_iter()
        .map(|found| found.range)
        .filter(|range| range.start >= window.start && range.end <= window.end);
    render(text, &window, inside)
}

/// Returns the matches of the phrases in the text, in order and without overlap.
fn find(text: &str, phrases: &[Phrase]) -> Vec<Match> {
    let longest = phrases.iter().map(|phrase| phrase.words.len()).max().unwrap_or(0);
    let mut stream = words(text);
    let mut ahead: Vec<Range<usize>> = Vec::new();
    let mut matches: Vec<Match> = Vec::new();
    for at in 0.. {
        while ahead.len() < at + longest {
            match stream.next() {
                Some(word) => ahead.push(word),
                None => break,
            }
        }
        if at >= ahead.len() || matches.len() >= CONSIDERED {
            break;
        }
        let free = matches.last().is_none_or(|last| last.range.end <= ahead[at].start);
        let here = || phrases.iter().position(|phrase| phrase.stands_at(text, &ahead[at..]));
        if let Some(phrase) = free.then(here).flatten() {
            let last = at + phrases[phrase].words.len() - 1;
            matches.push(Match { phrase, range: ahead[at].start..ahead[last].end });
        }
    }
    matches
}

/// Returns the range of bytes to show, without cutting a word if possible.
fn window(text: &str, focus: usize) -> Range<usize> {
    let mut start = floor(text, focus.saturating_sub(LEAD));
    if start > 0
        && let Some(space) = text[start..focus].find(char::is_whitespace)
    {
        start += space;
    }
    let mut end = floor(text, start + LENGTH);
    if end < text.len()
        && let Some(space) = text[start..end].rfind(char::is_whitespace)
        && start + space > focus + LEAD
    {
        end = start + space;
    }
    let shown = &text[start..end];
    let trimmed = shown.trim_start();
    start += shown.len() - trimmed.len();
    start..start + trimmed.trim_end().len()
}

fn floor(text: &str, index: usize) -> usize {
    text.floor_char_boundary(index.min(text.len()))
}

fn render(text: &str, window: &Range<usize>, matches: impl Iterator<Item = Range<usize>>) -> Snippet {
    let mut shown = String::with_capacity(window.len() + 8);
    if window.start > 0 {
        shown.push('…');
    }
    let mut units: usize = shown.encode_utf16().count();
    let mut marks = Vec::new();
    let mut at = window.start;
    let mut copy = |from: usize, to: usize, units: &mut usize| {
        // A control character would break the single line, so each becomes one space, which keeps the marks valid.
        shown.extend(text[from..to].chars().map(|c| if c.is_control() { ' ' } else { c }));
        *units += text[from..to].encode_utf16().count();
    };
    for found in matches {
        copy(at, found.start, &mut units);
        let from = units;
        copy(found.start, found.end, &mut units);
        marks.push((crate::stored::count(from), crate::stored::count(units)));
        at = found.end;
    }
    copy(at, window.end, &mut units);
    if window.end < text.trim_end().len() {
        shown.push('…');
    }
    Snippet { text: shown, marks }
}

#[cfg(test)]
#[path = "snippet_tests.rs"]
mod tests;
