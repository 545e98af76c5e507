//! Finds the parts of a text that may contain a quote, so that only these are compared character by character.

use std::ops::Range;

use memchr::memmem::Finder;

use crate::canonical::{Ignoring, KeyboardForm, is_word_char, keyboard_form};
use crate::lines::line_start;
use crate::matching::{Quote, largest};

/// The maximum number of occurrences of a line or word that is used for the search.
const RARE: usize = 32;
/// The maximum number of words to try.
const TRIED: usize = 4;

/// Returns the parts of a text, as whole lines, that can contain a match of the quote.
pub fn search_windows(content: &str, ignoring: Ignoring, quote: &Quote<'_>) -> Vec<Range<usize>> {
    let everywhere = 0..content.len();
    let found = match ignoring {
        Ignoring::Endings | Ignoring::Case => return vec![everywhere],
        Ignoring::Trailing | Ignoring::Indents => by_line(content, quote),
        Ignoring::Typography | Ignoring::Blanks => by_word(content, quote),
    };
    let Some((line, places)) = found else { return vec![everywhere] };
    let mut windows: Vec<Range<usize>> = Vec::with_capacity(places.len());
    let reach = largest(quote.text);
    for place in places {
        let window = match ignoring {
            Ignoring::Blanks => whole_lines(content, place, reach),
            _ => lines_around(content, place, line, quote.lines.len() - 1 - line),
        };
        match windows.last_mut() {
            Some(last) if window.start <= last.end => last.end = last.end.max(window.end),
            _ => windows.push(window),
        }
    }
    windows
}

/// Searches for the longest line of the quote. Returns its index and its positions, or `None` if it occurs too often.
fn by_line(content: &str, quote: &Quote<'_>) -> Option<(usize, Vec<usize>)> {
    let lines = quote.lines.iter().map(|line| line.trim()).enumerate();
    let (number, longest) = lines.max_by_key(|(_, line)| line.len()).filter(|(_, line)| !line.is_empty())?;
    Some((number, places(content, longest)?))
}

/// Like [`by_line`], with one of the longest words.
fn by_word(content: &str, quote: &Quote<'_>) -> Option<(usize, Vec<usize>)> {
    if has_hidden_signs(content) {
        return None;
    }
    let as_it_is = |letter: char| {
        is_word_char(letter) && letter != 'x' && matches!(keyboard_form(letter), KeyboardForm::One(_))
    };
    let words = quote.lines.iter().enumerate().flat_map(|(number, line)| {
        line.split(move |letter: char| !as_it_is(letter)).map(move |word| (number, word))
    });
    // The text may have `fi` and `fl` as ligatures.
    let mut words: Vec<(usize, &str)> =
        words.filter(|(_, word)| !word.is_empty() && !word.contains("fi") && !word.contains("fl")).collect();
    words.sort_by_key(|(_, word)| (usize::MAX - word.len(), *word));
    words.dedup_by_key(|(_, word)| *word);
    words.into_iter().take(TRIED).find_map(|(number, word)| Some((number, places(content, word)?)))
}

/// Returns true if the text has invisible characters, which may split words.
fn has_hidden_signs(content: &str) -> bool {
    memchr::memchr3_iter(0xc2, 0xe2, 0xef, content.as_bytes())
        .filter_map(|at| content[at..].chars().next())
        .any(|letter| keyboard_form(letter).chars().next().is_none())
}

fn places(content: &str, words: &str) -> Option<Vec<usize>> {
    let finder = Finder::new(words);
    let places: Vec<usize> = finder.find_iter(content.as_bytes()).take(RARE + 1).collect();
    (places.len() <= RARE).then_some(places)
}

/// Returns the range from `before` lines above the line at a position to `after` lines below it.
fn lines_around(content: &str, place: usize, before: usize, after: usize) -> Range<usize> {
    let bytes = content.as_bytes();
    let start = memchr::memrchr_iter(b'\n', &bytes[..place]).nth(before).map_or(0, |at| at + 1);
    let end =
        memchr::memchr_iter(b'\n', &bytes[place..]).nth(after).map_or(content.len(), |at| place + at + 1);
    start..end
}

/// Returns the whole lines that include `reach` bytes on each side of a position.
fn whole_lines(content: &str, place: usize, reach: usize) -> Range<usize> {
    let start = line_start(content, place.saturating_sub(reach));
    let from = (place + reach).min(content.len());
    let end = memchr::memchr(b'\n', &content.as_bytes()[from..]).map_or(content.len(), |at| from + at + 1);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_sought_only_where_its_words_are() {
        let lines: Vec<String> = (0..1_000).map(|number| format!("  value_{number} = common();\n")).collect();
        let content = lines.concat();
        let all = 0..content.len();
        let around = |first: usize, last: usize| {
            let start = |line: usize| lines[..line].iter().map(String::len).sum::<usize>();
            start(first)..start(last + 1)
        };
        for (ignoring, quote, expected) in [
            (Ignoring::Trailing, "value_500 = common();", vec![around(500, 500)]),
            (Ignoring::Indents, "\nvalue_500 = common();\n\n", vec![around(499, 502)]),
            (Ignoring::Indents, "value_5000 = common();", vec![]),
            (Ignoring::Indents, "common();", vec![all.clone()]),
            (Ignoring::Indents, " \n ", vec![all.clone()]),
            (Ignoring::Typography, "value_500 =\ncommon();", vec![around(500, 501)]),
            (Ignoring::Blanks, "value_5000=common()", vec![]),
            (Ignoring::Blanks, "= ( )", vec![all.clone()]),
            (Ignoring::Case, "value_500", vec![all.clone()]),
        ] {
            assert_eq!(
                search_windows(&content, ignoring, &Quote::new(quote)),
                expected,
                "{ignoring:?}: {quote:?}"
            );
        }
        let blanks = search_windows(&content, Ignoring::Blanks, &Quote::new("value_500=common()"));
        assert!(blanks.len() == 1 && blanks[0].contains(&around(500, 500).start) && blanks[0].len() < 1_000);
        let hidden = format!("{content}val\u{200b}ue");
        let all = 0..hidden.len();
        assert_eq!(search_windows(&hidden, Ignoring::Blanks, &Quote::new("value_500")), vec![all]);
    }
}
