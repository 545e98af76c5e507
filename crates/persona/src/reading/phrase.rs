//! Phrases as small patterns over the words of a sentence.
//!
//! A word matches itself, `a|b` one of several words, `?a|b` one of them or nothing, `~` up to three words of degree
//! (“so”, “a bit”), and `*` up to three words that are no negations. `^` requires the start of a clause, `$` the end of
//! the sentence, and `!a|b` that none of these comes next.

use std::ops::Range;

use super::user_words::MessageWord;

const GAP: usize = 3;

pub const DEGREES: &str = "a bit little tiny so too very really much more even just quite pretty fairly \
     rather somewhat kind sort of super extremely totally completely absolutely incredibly awfully \
     terribly truly honestly way far as such still again also always often all that \
     this some an fucking damn freaking lot now please";

/// Words that may stand between a subject and a state.
const STATES: &str = "feeling getting being";

pub const NEGATIONS: &str = "not no never without hardly barely stop quit nobody nothing neither less";

/// Returns true if the space-separated list contains the word.
pub fn is_one_of(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// A parsed phrase.
pub struct PhrasePattern(Vec<Part>);

enum Part {
    Opens,
    Ends,
    Degrees,
    Gap,
    One(Vec<&'static str>),
    Optional(Vec<&'static str>),
    Not(Vec<&'static str>),
}

impl PhrasePattern {
    pub fn of(text: &'static str) -> Self {
        let either = |all: &'static str| all.split('|').collect();
        let part = |part: &'static str| match part {
            "^" => Part::Opens,
            "$" => Part::Ends,
            "~" => Part::Degrees,
            "*" => Part::Gap,
            _ => match (part.strip_prefix('?'), part.strip_prefix('!')) {
                (Some(all), _) => Part::Optional(either(all)),
                (_, Some(all)) => Part::Not(either(all)),
                _ => Part::One(either(part)),
            },
        };
        Self(text.split_whitespace().map(part).collect())
    }

    /// Returns the first match.
    pub fn find(&self, words: &[MessageWord]) -> Option<Range<usize>> {
        (0..words.len()).find_map(|start| Some(start..ends(&self.0, words, start)?))
    }
}

/// Returns the end of a match that begins at `at`.
fn ends(parts: &[Part], words: &[MessageWord], at: usize) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(at) };
    let next = words.get(at);
    let is_next = |all: &[&str]| next.is_some_and(|word| all.contains(&word.text.as_str()));
    let here = |fits: bool| fits.then(|| ends(rest, words, at)).flatten();
    let after = |fits: bool| fits.then(|| ends(rest, words, at + 1)).flatten();
    match part {
        Part::Opens => here(next.is_some_and(|word| word.opens)),
        Part::Ends => here(next.is_none()),
        Part::Degrees => gap(rest, words, at, |word| is_one_of(DEGREES, word) || is_one_of(STATES, word)),
        Part::Gap => gap(rest, words, at, |word| !is_one_of(NEGATIONS, word)),
        Part::One(all) => after(is_next(all)),
        Part::Optional(all) => after(is_next(all)).or_else(|| here(true)),
        Part::Not(all) => here(!is_next(all)),
    }
}

/// Returns true if one of the `reach` words before `start`, in the same clause, negates it.
pub fn is_negated(words: &[MessageWord], start: usize, reach: usize) -> bool {
    let opens = |at: usize| words.get(at).is_some_and(|word: &MessageWord| word.opens);
    let mut at = start;
    for _ in 0..reach {
        if at == 0 || opens(at) {
            return false;
        }
        at -= 1;
        // As in “do not forget to”.
        if words[at].text == "forget" {
            return false;
        }
        if is_one_of(NEGATIONS, &words[at].text) {
            return true;
        }
    }
    false
}

fn gap(rest: &[Part], words: &[MessageWord], at: usize, may_skip: impl Fn(&str) -> bool) -> Option<usize> {
    let skippable = words[at..].iter().take(GAP).take_while(|word| may_skip(&word.text)).count();
    (0..=skippable).find_map(|skipped| ends(rest, words, at + skipped))
}

#[cfg(test)]
#[path = "phrase_tests.rs"]
mod tests;
