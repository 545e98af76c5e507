//! Restores what chat messages omit: capital letters of names, and *is*.

use super::lexicon;
use super::names::KnownNames;
use super::sentence::MessageSentence;
use super::token::WordToken;
use super::verbs;

/// Returns true for words that describe an animal's condition and are not its name.
fn is_condition(word: &str) -> bool {
    words!(
        "fine ok okay better sick old gone dead asleep home here happy well big back ill hungry tired safe \
        calm healthy lost free blind deaf alive quiet good huge clean outside inside three pregnant"
    )
    .contains(word)
}

/// Inserts the *is* that a colon stands for: `Favourite colour: teal`.
pub(super) fn with_is(sentence: &MessageSentence) -> MessageSentence {
    let mut tokens = sentence.tokens.clone();
    let favourite = tokens.iter().position(|token| token.low == "favourite").unwrap_or(tokens.len());
    let told = (favourite..tokens.len().min(favourite + 5)).find(|at| {
        tokens[*at].low == ":"
            && tokens.get(at + 1).is_some_and(|next| next.low.starts_with(char::is_alphanumeric))
    });
    if let Some(colon) = told.and_then(|at| tokens.get_mut(at)) {
        "is".clone_into(&mut colon.low);
        // `my favourite film: it's Alien`
        if let Some(at) = tokens
            .windows(3)
            .position(|window| window[0].low == "is" && window[1].low == "it" && window[2].low == "is")
        {
            tokens.drain(at + 1..at + 3);
        }
    }
    MessageSentence { tokens, range: sentence.range.clone(), is_question: sentence.is_question }
}

/// Marks names as capitalised. In messages without capitals, names are recognised by their position and by known
/// values.
pub(super) fn capitalise(tokens: &mut [WordToken], names: &KnownNames, is_small: bool) {
    let relation = tokens.iter().any(|token| lexicon::relation(&token.low).is_some());
    let work = tokens.iter().any(|token| {
        matches!(token.low.as_str(), "job" | "work" | "working" | "employed" | "started" | "hired" | "notice")
    });
    let renames = tokens.iter().any(|token| token.low == "renamed");
    let low: Vec<String> = tokens.iter().map(|token| token.low.clone()).collect();
    let word = |at: usize| low.get(at).map_or("", String::as_str);
    // Known names of two words need no further evidence.
    for at in 1..tokens.len() {
        if names.is_value(&format!("{} {}", low[at - 1], low[at])) {
            tokens[at - 1].is_capital = true;
            tokens[at].is_capital = true;
        }
    }
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).map_or("", |at| tokens[at].low.as_str());
        let token = &tokens[at];
        let plain = token.low.len() > 2
            && token.low.chars().all(char::is_alphabetic)
            && verbs::lemma(&token.low).is_none()
            && !lexicon::is_function_word(&token.low)
            && lexicon::family(&token.low).is_none()
            && !lexicon::is_diet(&token.low);
        let stands = match before {
            "joined" | "join" | "joining" | "quit" | "dating" | "called" | "named" | "renamed" => {
                !words!("him her them it my our the this off because two forces smoking alcohol")
                    .contains(token.low.as_str())
            }
            "to" if at > 1 => {
                matches!(
                    word(at - 2),
                    "married" | "engaged" | "transferred" | "moved" | "relocated" | "moving" | "relocating"
                )
            }
            "in" if at > 1 && matches!(word(at - 2), "flat" | "place" | "house" | "home" | "apartment") => {
                true
            }
            "in" => {
                relation
                    && !words!("bed love law town hospital school general touch trouble charge fact")
                        .contains(token.low.as_str())
            }
            "at" => work,
            "met" => true,
            "is" if at > 1
                && (lexicon::animal(word(at - 2)).is_some() || word(at - 2) == "it" && renames) =>
            {
                word(at + 1) == "now" && !is_condition(&token.low)
            }
            "is" => at == 2 && word(0) == "home",
            _ if at > 1 && lexicon::relation(before).is_some() && matches!(word(at - 2), "my" | "our") => {
                let inflected = ["s", "ed", "ing", "ly", "time"].iter().any(|end| token.low.ends_with(end));
                (lexicon::is_given_name(&token.low) || !inflected)
                    && !words!(
                        "group today again yesterday tomorrow too party time circle situation tongue law"
                    )
                    .contains(token.low.as_str())
            }
            "," => {
                at > 1
                    && lexicon::animal(word(at - 2)).is_some()
                    && !tokens[at + 1..].iter().any(|token| token.low.chars().all(char::is_alphabetic))
            }
            // `left berlin for lyon`, where Berlin is a known value.
            "for" => {
                let gone = |at: usize| {
                    matches!(
                        word(at),
                        "left" | "quit" | "swapped" | "traded" | "exchanged" | "ditched" | "leaving"
                    )
                };
                at > 2
                    && (names.is_value(word(at - 2)) && gone(at - 3)
                        || tokens[at - 2].is_capital && at > 3 && gone(at - 4))
            }
            "left" | "swapped" | "traded" | "exchanged" | "ditched" | "leaving" => names.is_value(&token.low),
            _ => false,
        };
        let presents = word(at + 1) == "is"
            && matches!(word(at + 2), "my" | "our")
            && (lexicon::animal(word(at + 3)).is_some() || lexicon::relation(word(at + 3)).is_some());
        let stands = stands
            || presents && !words!("this that she he what who where there here").contains(token.low.as_str());
        let known = names.is_proper(&token.low);
        let plain = plain
            || names.is_value(&token.low)
                && matches!(before, "left" | "swapped" | "traded" | "exchanged" | "ditched");
        if known || (is_small && plain && stands) {
            tokens[at].is_capital = true;
        }
    }
}
