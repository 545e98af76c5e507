//! Splits a line into words and punctuation, with the gaps between them.

use std::ops::Range;

use crate::canonical::is_word_char;
use crate::diff::diff;

/// The maximum number of token pairs that are compared.
const MOST_PAIRS: usize = 1_000_000;

/// Returns the tokens of a text in order. A word is a run of letters, digits and underscores, and a run of dots is one
/// token. A character without width belongs to the token before it, or else to the one after it.
pub fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let mut before = ' ';
    // True while the last token has only characters without width.
    let mut is_bare = false;
    for (at, letter) in text.char_indices() {
        let goes_on =
            is_bare || is_word_char(before) && is_word_char(letter) || before == '.' && letter == '.';
        let is_attached = is_without_width(letter) && !before.is_whitespace();
        if letter.is_whitespace() {
            before = letter;
        } else if let Some(last) = tokens.last_mut().filter(|last| last.end == at && (goes_on || is_attached))
        {
            last.end = at + letter.len_utf8();
            is_bare &= is_attached;
            // An accent or a soft hyphen does not end a word.
            before = if is_attached { before } else { letter };
        } else {
            tokens.push(at..at + letter.len_utf8());
            is_bare = is_without_width(letter);
            before = letter;
        }
    }
    tokens
}

fn is_without_width(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{1f3fb}'..='\u{1f3ff}'
    )
}

/// A text as tokens, and the gaps before each of them and after the last.
#[derive(Debug, Default)]
pub struct TokenizedLine<'a> {
    pub tokens: Vec<&'a str>,
    pub gaps: Vec<&'a str>,
}

impl<'a> TokenizedLine<'a> {
    pub fn of(text: &'a str) -> Self {
        Self::by(text, &tokens(text), 0..text.len()).unwrap_or_default()
    }

    /// Splits a part of a text at the given token positions. `None` if they are out of order or outside the part.
    pub fn by(text: &'a str, places: &[Range<usize>], part: Range<usize>) -> Option<Self> {
        let mut from = part.start;
        let (mut tokens, mut gaps) = (Vec::with_capacity(places.len()), Vec::with_capacity(places.len() + 1));
        for place in places {
            gaps.push(text.get(from..place.start)?);
            tokens.push(text.get(place.clone())?);
            from = place.end;
        }
        gaps.push(text.get(from..part.end)?);
        Some(Self { tokens, gaps })
    }

    /// Returns, for each gap, true if it is inside closed quotes.
    pub fn literals(&self) -> Vec<bool> {
        let mut within = vec![false; self.gaps.len()];
        let mut open: Option<(usize, &str)> = None;
        for (at, &token) in self.tokens.iter().enumerate() {
            let is_escaped = at > 0 && self.tokens[at - 1] == "\\" && self.gaps[at].is_empty();
            let is_quote = matches!(token, "\"" | "'" | "`" | "\u{201c}" | "\u{201d}") && !is_escaped;
            match open {
                _ if !is_quote => {}
                Some((from, quote)) if is_pair(quote, token) => {
                    within[from + 1..=at].fill(true);
                    open = None;
                }
                Some(_) => {}
                // An apostrophe follows a letter.
                None if token == "'"
                    && at > 0
                    && self.gaps[at].is_empty()
                    && is_word(self.tokens[at - 1]) => {}
                None => open = Some((at, token)),
            }
        }
        within
    }
}

fn is_pair(opening: &str, closing: &str) -> bool {
    let is_double = |quote: &str| matches!(quote, "\"" | "\u{201c}" | "\u{201d}");
    opening == closing || is_double(opening) && is_double(closing)
}

pub fn is_word(token: &str) -> bool {
    token.trim_start_matches(is_without_width).starts_with(is_word_char)
}

/// Returns the unchanged tokens in order, as pairs of old and new indices.
pub fn pairs(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let same = |(one, other): &(&&str, &&str)| one == other;
    let head = old.iter().zip(new).take_while(same).count();
    let (gone, come) = (&old[head..], &new[head..]);
    let tail = gone.iter().rev().zip(come.iter().rev()).take_while(same).count();
    let (gone, come) = (&gone[..gone.len() - tail], &come[..come.len() - tail]);
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    if gone.len().saturating_mul(come.len()) <= MOST_PAIRS {
        for step in diff(gone, come).into_iter().filter(|step| step.is_kept) {
            pairs.extend(step.old.zip(step.new).map(|(old, new)| (head + old, head + new)));
        }
    }
    pairs.extend((0..tail).rev().map(|back| (old.len() - 1 - back, new.len() - 1 - back)));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_apart() {
        for (text, expected) in [
            ("", &[][..]),
            ("  ", &[]),
            ("if [ -f x ]; then", &["if", "[", "-", "f", "x", "]", ";", "then"]),
            ("a_b.c...d", &["a_b", ".", "c", "...", "d"]),
            (
                "one \u{200d}two \u{200d}\u{fe0f}! \u{200d}",
                &["one", "\u{200d}two", "\u{200d}\u{fe0f}!", "\u{200d}"],
            ),
            ("cafe\u{301}s zero\u{200b}width", &["cafe\u{301}s", "zero\u{200b}width"]),
            ("\u{65e5}\u{672c} \u{2026}!", &["\u{65e5}\u{672c}", "\u{2026}", "!"]),
        ] {
            assert_eq!(TokenizedLine::of(text).tokens, expected, "{text:?}");
        }
    }

    #[test]
    fn gaps_in_literals_are_known() {
        for (text, expected) in [
            ("a b", ""),
            ("x = \"a  b\" + c", "aba"),
            ("don't stop, it's 'so it' is", "so"),
            ("\"a \\\" b\" c", "a\\\""),
            ("\"open", ""),
        ] {
            let spelling = TokenizedLine::of(text);
            let within = spelling.literals();
            assert_eq!(within.len(), spelling.tokens.len() + 1);
            if expected.is_empty() {
                assert!(within.iter().all(|within| !within), "{text:?}");
            } else {
                assert!(within.iter().any(|within| *within), "{text:?}");
            }
        }
    }

    #[test]
    fn what_stays_is_found() {
        let pairs_of =
            |old: &str, new: &str| pairs(&TokenizedLine::of(old).tokens, &TokenizedLine::of(new).tokens);
        assert_eq!(pairs_of("a, b", "a, b"), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(pairs_of("f(a, b)", "f(a, x, b)"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 6), (5, 7)]);
        assert_eq!(pairs_of("a b c", "c b a").len(), 1);
    }
}
