//! Determines whether a passage of a message is the user's own statement.

use super::extract::is_unreal;
use super::names::KnownNames;
use super::own_words;
use super::sentence::{self, Seriousness};
use super::whole_sentence::is_hearsay;

/// Returns true if a quote from a message is the user's own statement: not a question, a supposition or a joke, and not
/// someone else's words.
pub fn is_meant(message: &str, quote: &str, names: &KnownNames) -> bool {
    let quote = quote.trim();
    let Some(start) = message.find(quote).filter(|_| !quote.is_empty()) else { return false };
    let own = own_words::own_words(message, names);
    if own.get(start..start + quote.len()) != Some(quote) {
        return false;
    }
    let sentences = sentence::sentences(&own);
    if sentences.iter().any(|sentence| sentence::seriousness(sentence) == Seriousness::Nothing) {
        return false;
    }
    let touched = sentences
        .iter()
        .filter(|sentence| sentence.range.start < start + quote.len() && start < sentence.range.end);
    touched.into_iter().all(|sentence| {
        let words: Vec<&str> = sentence.tokens.iter().map(|token| token.low.as_str()).collect();
        !sentence.is_question
            && matches!(sentence::seriousness(sentence), Seriousness::Yes | Seriousness::Laughing)
            && !sentence::is_elsewhere(&sentence.tokens)
            && !is_unreal(&words)
            && !is_hearsay(&sentence.tokens)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_somebody_tells_of_themselves_is_meant() {
        let message = "I bake bread on Sundays. If I had studied, would I be a doctor? My colleague wrote \"I live in \
                       Lisbon\" on her card. My friend said I am rich.";
        for (quote, meant) in [
            ("I bake bread on Sundays", true),
            ("would I be a doctor", false),
            ("I live in Lisbon", false),
            ("I am rich", false),
            ("I am a pilot", false),
            ("", false),
        ] {
            assert_eq!(is_meant(message, quote, &KnownNames::default()), meant, "{quote}");
        }
    }
}
