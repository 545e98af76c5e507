//! Reads the phrase after *my*: a person, an animal or a thing.

use crate::lexicon;
use crate::mentions::{ClauseSubject, Mentions};
use crate::name_text::{capital, is_no_name, name_length, text_of};
use crate::names::{KnownName, KnownNames};
use crate::token::WordToken;
use crate::verbs::{self, VerbForm};

/// Reads the phrase after *my* as a person, a pet or a thing.
pub(super) fn phrase(
    tokens: &[WordToken],
    start: usize,
    owner: String,
    names: &KnownNames,
    mentions: &mut Mentions,
) -> Option<(ClauseSubject, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let which = tokens.get(start..)?.iter().take_while(|token| lexicon::is_which(&token.low)).count();
    let mut at = start + which;
    let by = lexicon::is_by_birth(word(at)) && lexicon::relation(word(at + 1)).is_some();
    let by = if by { format!("{} ", word(at)) } else { String::new() };
    at += usize::from(!by.is_empty());
    let is_best = word(at) == "best" && word(at + 1) == "friend";
    let relation = if is_best { Some("best friend") } else { lexicon::relation(word(at)) };
    let relation = relation
        .filter(|_| !matches!(word(at + 1), "tongue" | "land" | "board" | "ship" | "hood" | "figure"));
    let is_ex = word(at) == "ex" && lexicon::relation(word(at + 1)).is_some();
    if let Some(relation) = relation {
        at += 1 + usize::from(is_best || is_ex);
        let what = if is_ex { format!("ex-{}", word(at - 1)) } else { format!("{by}{relation}") };
        let what = if owner.is_empty() || owner == "the" { what } else { format!("{owner}'s {what}") };
        let (name, length) = name_after(tokens, at);
        at += length;
        let label = match name {
            Some(name) => {
                let named = KnownName::new(&what, &name);
                if owner.is_empty() {
                    mentions.met.push((named.clone(), false));
                }
                named.label()
            }
            // *My other sister* is not the one whose name is known.
            None if tokens[start..start + which]
                .iter()
                .any(|token| words!("other second third another new").contains(token.low.as_str())) =>
            {
                what
            }
            None => met_relative(mentions, &what).or_else(|| names.relative(&what)).unwrap_or(what),
        };
        if word(at) == "'s" {
            let is_verb = tokens.get(at + 1).is_some_and(|token| token.is_capital) && at + 2 >= tokens.len();
            if is_verb {
                return Some((ClauseSubject::Person(label), at));
            }
            return phrase(tokens, at + 1, label, names, mentions);
        }
        return Some((ClauseSubject::Person(label), at));
    }
    let (kind, words) = match word(at) {
        "guinea" if word(at + 1).starts_with("pig") => (Some("guinea pig"), 2),
        other => (lexicon::animal(other), 1),
    };
    if let Some(kind) = kind.filter(|_| owner.is_empty()) {
        at += words;
        // `the cat I have`
        if matches!(word(at), "i" | "we")
            && matches!(word(at + 1), "have" | "own" | "got" | "keep" | "adopted")
        {
            at += 2;
        }
        // `the cat formerly known as Mia`
        let known_as = matches!(
            (word(at), word(at + 1)),
            ("formerly" | "previously" | "once", "known" | "called" | "named")
        );
        let skip = if known_as { 2 + usize::from(word(at + 2) == "as") } else { 0 };
        let (name, length) = name_after(tokens, at + skip);
        at += length + if length > 0 { skip } else { 0 };
        let pet = match name {
            Some(name) => {
                let pet = KnownName::new(kind, &name);
                mentions.met.push((pet.clone(), true));
                pet
            }
            None => mentions
                .pet
                .clone()
                .filter(|pet| pet.what == kind)
                .or_else(|| names.pet_of_kind(kind).cloned())
                .unwrap_or_else(|| KnownName::new(kind, "")),
        };
        if word(at) == "'s" {
            // `the dog's Max now`
            let is_verb = tokens.get(at + 1).is_some_and(|token| token.is_capital) && at + 2 >= tokens.len();
            if is_verb {
                return Some((ClauseSubject::Pet(pet), at));
            }
            let mut kind_token = tokens[start].clone();
            kind.clone_into(&mut kind_token.low);
            let (subject, used) = thing(tokens, at + 1, owner)?;
            let ClauseSubject::Thing { owner, mut words } = subject else { return Some((subject, used)) };
            words.insert(0, kind_token);
            return Some((ClauseSubject::Thing { owner, words }, used));
        }
        return Some((ClauseSubject::Pet(pet), at));
    }
    thing(tokens, start, owner)
}

pub(super) fn met_relative(mentions: &Mentions, what: &str) -> Option<String> {
    mentions
        .met
        .iter()
        .rev()
        .find(|(named, is_pet)| !is_pet && named.what == what)
        .map(|(named, _)| named.label())
}

/// Returns the name directly after a relation: `my sister Anna`, `my sister, Anna,`.
pub fn name_after(tokens: &[WordToken], at: usize) -> (Option<String>, usize) {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let comma = usize::from(word(at) == ",");
    let rest = tokens.get(at + comma..).unwrap_or(&[]);
    let length = name_length(rest);
    if length > 0 && !is_no_name(&rest[0].low) {
        let closed = word(at + comma + length) == ",";
        if comma == 0 || closed || at + comma + length == tokens.len() {
            return (Some(text_of(&rest[..length])), comma + length + usize::from(comma == 1 && closed));
        }
        return (None, 0);
    }
    // In lower case, only a given name directly before its verb counts.
    let plain = rest
        .first()
        .is_some_and(|token| lexicon::is_given_name(&token.low) && verbs::lemma(&token.low).is_none());
    // *My kid will do any chore*
    let helps = rest.first().is_some_and(|token| token.low == "will")
        && verbs::lemma(word(at + 1)).is_some_and(|(_, form)| form == VerbForm::Base);
    let plain = plain && !helps;
    let acts = matches!(word(at + 1), "is" | "was" | "has" | "'s" | "will")
        || verbs::lemma(word(at + 1)).is_some_and(|(_, form)| form != VerbForm::Gerund);
    if comma == 0 && plain && acts {
        return (Some(capital(&rest[0].low)), 1);
    }
    (None, 0)
}

/// Reads a thing: the words up to its verb.
pub(super) fn thing(tokens: &[WordToken], start: usize, owner: String) -> Option<(ClauseSubject, usize)> {
    let mut words: Vec<WordToken> = Vec::new();
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        let is_verb = words!("is was are were has have had will would can does did used not am do")
            .contains(token.low.as_str())
            || (!words.is_empty()
                && verbs::lemma(&token.low).is_some_and(|(_, form)| {
                    matches!(form, VerbForm::Third | VerbForm::Past)
                        && !words!("plans works plays runs drives left colours codes dates")
                            .contains(token.low.as_str())
                }));
        if is_verb || token.is_mark() || words.len() > 5 {
            break;
        }
        if token.low != "'s" {
            words.push(token.clone());
        }
        at += 1;
    }
    (!words.is_empty()).then_some((ClauseSubject::Thing { owner, words }, at))
}
