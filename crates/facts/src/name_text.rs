//! Names as they are written: capitalised words in sequence.

use super::token::WordToken;
use super::verbs;

/// Returns true for capitalised words at the beginning that are not names.
pub(super) fn is_no_name(word: &str) -> bool {
    words!(
        "what where who when how why which work life today yesterday tomorrow everything nothing something \
        here that this dinner lunch breakfast traffic school home then now also another weather christmas \
        summer winter news god google because and but so if as at in on for from to with by of monday \
        tuesday wednesday thursday friday saturday sunday more not no yes please thanks half all most many \
        both"
    )
    .contains(word)
        || verbs::lemma(word).is_some()
}

/// Returns the number of leading tokens that form a name: consecutive capitalised words.
pub fn name_length(tokens: &[WordToken]) -> usize {
    tokens
        .iter()
        .take(3)
        .take_while(|token| {
            token.is_capital
                && token.low != "i"
                && !token.is_number()
                && !matches!(token.low.as_str(), "my" | "our" | "the")
        })
        .count()
}

/// Joins tokens into a name, each word capitalised and separated by single spaces.
pub fn text_of(tokens: &[WordToken]) -> String {
    let names: Vec<String> = tokens.iter().map(|token| capital(&token.low)).collect();
    names.join(" ")
}

/// Returns a word with its first letter capitalised.
pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}
