//! Wordings as small patterns over the words of a sentence.
//!
//! Words stand for themselves, `a|b` for one of them, `?a|b` for one of them or nothing, `~` for up to three words of
//! degree (“so”, “a bit”), `*` for up to three words that do not negate. `^` asks that a clause begins here, `$` that
//! the sentence ends, `!a|b` that none of these comes next.

use std::ops::Range;

use super::own_words::Word;

const GAP: usize = 3;

pub const DEGREES: &str = "a bit little tiny so too very really much more even just quite pretty fairly \
     rather somewhat kind sort of super extremely totally completely absolutely incredibly awfully \
     terribly truly honestly way far as such still again also always often  all that \
     this fucking damn freaking lot now please";

/// Between somebody and how they are.
const STATES: &str = "feeling getting being";

pub const NEGATIONS: &str = "not no never without hardly barely stop quit nobody nothing neither less";

/// Whether a list with spaces between has the word.
pub fn is_one_of(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// Where the pattern first fits.
pub fn find(pattern: &str, words: &[Word]) -> Option<Range<usize>> {
    let parts: Vec<&str> = pattern.split_whitespace().collect();
    (0..words.len()).find_map(|start| Some(start..ends(&parts, words, start)?))
}

/// Where a match that begins at `at` ends.
fn ends(parts: &[&str], words: &[Word], at: usize) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(at) };
    let next = words.get(at);
    let is_next = |all: &str| next.is_some_and(|word| all.split('|').any(|one| one == word.text));
    match *part {
        "^" => next.filter(|word| word.opens).and_then(|_| ends(rest, words, at)),
        "$" => next.is_none().then(|| ends(rest, words, at)).flatten(),
        "~" => gap(rest, words, at, |word| is_one_of(DEGREES, word) || is_one_of(STATES, word)),
        "*" => gap(rest, words, at, |word| !is_one_of(NEGATIONS, word)),
        part => {
            if let Some(all) = part.strip_prefix('?') {
                is_next(all).then(|| ends(rest, words, at + 1)).flatten().or_else(|| ends(rest, words, at))
            } else if let Some(all) = part.strip_prefix('!') {
                (!is_next(all)).then(|| ends(rest, words, at)).flatten()
            } else {
                is_next(part).then(|| ends(rest, words, at + 1)).flatten()
            }
        }
    }
}

/// Whether what begins at `start` is taken back by one of the `reach` words before it, in the same clause.
pub fn is_negated(words: &[Word], start: usize, reach: usize) -> bool {
    let opens = |at: usize| words.get(at).is_some_and(|word: &Word| word.opens);
    let mut at = start;
    for _ in 0..reach {
        if at == 0 || opens(at) {
            return false;
        }
        at -= 1;
        if is_one_of(NEGATIONS, &words[at].text) {
            return true;
        }
    }
    false
}

fn gap(rest: &[&str], words: &[Word], at: usize, may_skip: impl Fn(&str) -> bool) -> Option<usize> {
    let skippable = words[at..].iter().take(GAP).take_while(|word| may_skip(&word.text)).count();
    (0..=skippable).find_map(|skipped| ends(rest, words, at + skipped))
}

#[cfg(test)]
#[path = "phrase_tests.rs"]
mod tests;
