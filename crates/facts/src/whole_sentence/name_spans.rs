//! Finds the names in a sentence, with and without capitals.

use text::terms;

use super::name_mention::{NameKind, NameMention};
use crate::lexicon;
use crate::lexicon::is_function_word;
use crate::name_text::capital;
use crate::names::KnownNames;
use crate::sentence::is_laugh;
use crate::slot::SlotKind;
use crate::token::WordToken;
use crate::verbs;

/// Returns the names in a sentence: capitalised words, known values, and well-known cities and companies.
pub fn spans(text: &str, tokens: &[WordToken], names: &KnownNames, is_small: bool) -> Vec<NameMention> {
    let laughs = tokens.iter().any(|token| is_laugh(&token.low));
    let mut found: Vec<NameMention> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let length = span(tokens, at, names, is_small);
        if length == 0 {
            at += 1;
            continue;
        }
        let range = at..at + length;
        let written = text
            .get(tokens[at].range.start..tokens[at + length - 1].range.end)
            .unwrap_or_default()
            .trim_end_matches("'s")
            .to_owned();
        let written = if written.chars().next().is_some_and(char::is_lowercase) {
            written.split(' ').map(capital).collect::<Vec<_>>().join(" ")
        } else {
            written
        };
        let kind = kind_of(&written, &tokens[range.clone()], names);
        // *In Salem, Oregon*: the second name only locates the first.
        if kind == NameKind::Unknown && is_region(tokens, &range) {
            at += length;
            continue;
        }
        // *I'm moving to Mars lol*
        if laughs && kind == NameKind::Unknown && !lexicon::is_given_name(&tokens[at].low) {
            at += length;
            continue;
        }
        found.push(NameMention { text: written, range, kind, is_left: false, what: "", is_close: false });
        at += length;
    }
    found
}

/// Returns true if a name follows the name of a place, set off by commas.
fn is_region(tokens: &[WordToken], range: &std::ops::Range<usize>) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    if lexicon::is_given_name(word(range.start)) {
        return false;
    }
    let Some(comma) = range.start.checked_sub(1).filter(|at| word(*at) == ",") else { return false };
    let place = (0..comma).rev().take_while(|at| tokens[*at].is_capital).last();
    place.is_some_and(|at| at > 0 && matches!(word(at - 1), "in" | "near" | "from" | "outside"))
        && tokens
            .get(range.end)
            .is_none_or(|next| next.is_mark() || matches!(next.low.as_str(), "and" | "but"))
}

fn span(tokens: &[WordToken], at: usize, names: &KnownNames, is_small: bool) -> usize {
    let joined = |length: usize| {
        tokens
            .get(at..at + length)
            .map(|span| span.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" "))
    };
    for length in [3, 2] {
        if joined(length)
            .is_some_and(|low| names.is_value(&low) || lexicon::is_city(&low) || lexicon::is_company(&low))
        {
            return length;
        }
    }
    let token = &tokens[at];
    let low = token.low.as_str();
    let everyday = is_function_word(low)
        || verbs::lemma(low).is_some()
        || low == "i"
        || crate::calendar::month(low).is_some()
        || lexicon::is_weekday(low)
        || lexicon::is_nationality(low)
        || lexicon::relation(low).is_some()
        || token.is_mark()
        || token.is_number();
    let known = names.is_value(low) || lexicon::is_city(low) || lexicon::is_company(low);
    // A given name needs no capital in a message without capitals.
    if is_small && lexicon::is_given_name(low) && !everyday && !lexicon::is_city(low) {
        return 1;
    }
    if (is_small || at == 0) && !everyday && !lexicon::is_interjection(low) && is_placed(tokens, at, names) {
        return 1;
    }
    let before = at.checked_sub(1).map_or("", |at| tokens[at].low.as_str());
    if token.is_capital {
        // The first word of a sentence is capitalised anyway.
        let opens = token.at == 0 || matches!(before, "." | "!" | "?" | "…");
        let apart = token.at == 0
            && at == 0
            && tokens.get(1).is_some_and(|next| next.low == ",")
            && !tokens.get(2).is_some_and(|next| {
                matches!(next.low.as_str(), "my" | "our" | "a" | "an" | "one" | "pleased" | "nice" | "lovely")
            });
        let alone = tokens.get(at + 1).is_none_or(|next| next.is_mark() || next.low == "now");
        let later = opens && at > 0 && !lexicon::is_given_name(low) && !alone;
        // *Poor Tom* refers to Tom.
        let pities = opens
            && matches!(low, "poor" | "dear" | "lucky")
            && tokens.get(at + 1).is_some_and(|next| lexicon::is_given_name(&next.low));
        let plain = everyday
            || pities
            || apart
            || later
            || terms(low).is_empty()
            || opens && lexicon::is_opening(low);
        if !known && plain {
            return 0;
        }
        let joins = |next: &&WordToken| {
            next.is_capital && !is_function_word(&next.low) && next.low != "i" && !next.is_mark()
        };
        let more = tokens[at + 1..].iter().take(2).take_while(joins).count();
        return 1 + if names.is_value(low) || lexicon::is_city(low) { 0 } else { more };
    }
    // Names in lower case are recognised if they are unambiguous or in a position where only a name fits.
    let sure = known && !everyday && lexicon::family(low).is_none() && !lexicon::is_ambiguous(low);
    let placed = known && is_small && words!("in to from at for joined left by with").contains(before);
    usize::from(sure && is_small || placed)
}

/// Returns true if a word is in a position where only the name of an animal or a person fits, so that it needs no
/// capital.
fn is_placed(tokens: &[WordToken], at: usize, names: &KnownNames) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let back = |back: usize| at.checked_sub(back).map_or("", word);
    let low = word(at);
    let plain = low.len() > 2
        && low.chars().all(char::is_alphabetic)
        && !terms(low).is_empty()
        && lexicon::animal(low).is_none()
        && !lexicon::is_occupation(&[low])
        && !lexicon::is_diet(low)
        && !words!("name what who now still home good today too again everyone years months weeks days ages")
            .contains(low);
    if !plain {
        return false;
    }
    let any = |list: &[&str]| tokens.iter().any(|token| list.contains(&token.low.as_str()));
    let animal = tokens.iter().any(|token| lexicon::animal(&token.low).is_some());
    let naming = any(&["name", "named", "call", "called", "renamed", "rename", "renaming", "christened"]);
    let next = word(at + 1);
    let ends = next.is_empty() || tokens.get(at + 1).is_some_and(WordToken::is_mark);
    let goes_on = ends || words!("now these instead not and because as from").contains(next);
    match (back(2), back(1)) {
        ("my" | "our", kind) | (_, kind)
            if lexicon::animal(kind).is_some() && !matches!(low, "food" | "person") =>
        {
            goes_on || verbs::lemma(next).is_some()
        }
        (_, "called" | "named" | "dating" | "seeing" | "christened" | "half" | "feed" | "dubbed") => true,
        ("the", "name") | ("call" | "calls", "me") | ("goes" | "go", "by") | ("love", "with") => true,
        ("is" | "'s", "now") => (animal || naming) && ends,
        (_, "=") => animal && ends,
        (_, ":") => animal && naming && ends,
        (
            "listens" | "answers" | "responds" | "talking" | "speaking" | "renamed" | "name" | "reacts",
            "to",
        ) => true,
        (kind, ",") if lexicon::animal(kind).is_some() && next == "," => true,
        ("relationship", "with") | ("married" | "engaged", "to") => true,
        ("out", "with") => any(&["going", "go"]) && ends || any(&["going"]),
        (whose, "is" | "'s")
            if matches!(whose, "it" | "that" | "she" | "he" | "name" | "this" | "'s")
                || lexicon::animal(whose).is_some()
                || names.pet(whose).is_some() =>
        {
            // *My fish is depressed* describes a condition.
            let is_how = lexicon::animal(whose).is_some()
                && !naming
                && (low.ends_with("ed") || low.ends_with("ing") || low.ends_with("ful"))
                && !lexicon::is_given_name(low);
            (animal || naming) && goes_on && !is_how && !lexicon::describes_likeable(low)
        }
        (_, "but" | "become" | "became") => animal && ends,
        (_, "to") => animal && naming && ends,
        (_, ",") => animal && ends && word(at + 1).is_empty() && at > 2,
        _ if next == ","
            && matches!(word(at + 2), "my" | "our" | "a" | "an")
            && (at + 3..at + 5)
                .any(|at| lexicon::relation(word(at)).is_some() || lexicon::animal(word(at)).is_some()) =>
        {
            true
        }
        _ => {
            let starts = at == 0 || matches!(back(1), ":" | "?" | "," | "." | "!");
            starts
                && (next == "the" && lexicon::animal(word(at + 2)).is_some()
                    || next == "is" && (word(at + 2) == "what" && animal || word(at + 3) == "name")
                    || next == "and"
                        && word(at + 2) == "i"
                        && any(&["couple", "dating", "together", "married", "engaged"]))
        }
    }
}

fn kind_of(text: &str, tokens: &[WordToken], names: &KnownNames) -> NameKind {
    let low = text.to_lowercase();
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    if names.person(text).is_some() {
        NameKind::Person
    } else if names.pet(text).is_some() {
        NameKind::Pet
    } else if names.is_company(&low) {
        NameKind::Company
    } else if names.is_place(&low) || lexicon::is_city(&low) {
        NameKind::Place
    } else if lexicon::is_company(&low)
        && !(lexicon::is_vehicle(&words)
            && names
                .current_value("", SlotKind::Thing, "car")
                .is_some_and(|car| car.eq_ignore_ascii_case(text)))
    {
        NameKind::Company
    } else if lexicon::is_vehicle(&words) {
        NameKind::Vehicle
    } else {
        NameKind::Unknown
    }
}
