//! Determines the subject of a clause.

mod phrase;

pub use self::phrase::name_after;
use self::phrase::{phrase, thing};
use super::clause_link::ClauseLink;
use super::lexicon;
use super::mentions::{ClauseSubject, Mentions};
use super::name_text::{is_no_name, name_length, text_of};
use super::names::{KnownName, KnownNames};
use super::token::WordToken;
use super::verbs::{self, VerbForm};

/// Returns the subject at the beginning of a clause and the number of its tokens. `None` if the clause is about *you*
/// or has no subject.
pub fn read(
    tokens: &[WordToken],
    names: &KnownNames,
    mentions: &mut Mentions,
    link: ClauseLink,
) -> Option<(ClauseSubject, usize)> {
    let (subject, used) = find(tokens, names, mentions, link)?;
    mentions.note(&subject);
    Some((subject, used))
}

fn find(
    tokens: &[WordToken],
    names: &KnownNames,
    mentions: &mut Mentions,
    link: ClauseLink,
) -> Option<(ClauseSubject, usize)> {
    let first = tokens.first()?;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    if link == ClauseLink::Relative {
        let subject = mentions
            .object
            .clone()
            .or_else(|| mentions.last.clone())
            .filter(|last| !matches!(last, ClauseSubject::Me | ClauseSubject::Somebody));
        return Some((subject.unwrap_or_else(|| mentions.resolve("who")), 0));
    }
    // `there's a new cat in the house`
    if first.low == "there"
        && let Some(kind) = tokens.iter().skip(2).take(4).find_map(|token| lexicon::animal(&token.low))
    {
        mentions.pet = Some(KnownName::new(kind, ""));
    }
    match first.low.as_str() {
        "i" | "we" => Some((ClauseSubject::Me, 1)),
        "me" if word(1) == "and" => {
            let (_, used) = find(&tokens[2..], names, mentions, ClauseLink::Main)?;
            Some((ClauseSubject::Me, 2 + used))
        }
        "you" | "your" | "u" | "everyone" | "everybody" | "nobody" | "somebody" | "someone" | "people"
        | "some" | "those" | "these" => {
            mentions.last = Some(ClauseSubject::Somebody);
            None
        }
        "there" | "let" => None,
        "a" | "an" | "one"
            if lexicon::relation(word(1)).is_some()
                && word(2) == "of"
                && matches!(word(3), "mine" | "ours") =>
        {
            let what = lexicon::relation(word(1)).unwrap_or_default();
            let (name, length) = name_after(tokens, 4);
            let named = KnownName::new(what, &name.unwrap_or_default());
            if !named.name.is_empty() {
                mentions.met.push((named.clone(), false));
            }
            Some((ClauseSubject::Person(named.label()), 4 + length))
        }
        "he" | "she" | "they" | "it" => Some((mentions.resolve(word(0)), 1)),
        "name" if matches!(word(1), "is" | "'s") => {
            Some((ClauseSubject::Thing { owner: String::new(), words: vec![first.clone()] }, 1))
        }
        "home" if word(1) == "is" => {
            Some((ClauseSubject::Thing { owner: String::new(), words: vec![first.clone()] }, 1))
        }
        // *Wife wants me off the road*: chat messages omit *my*.
        "wife" | "husband" | "girlfriend" | "boyfriend" | "sister" | "brother" | "son" | "daughter"
        | "grandmother" | "grandfather" | "boss" | "roommate" | "flatmate" | "landlord"
            if first.at == 0
                && (matches!(word(1), "is" | "'s" | "has" | "was")
                    || verbs::lemma(word(1))
                        .is_some_and(|(_, form)| matches!(form, VerbForm::Third | VerbForm::Past))) =>
        {
            phrase(tokens, 0, String::new(), names, mentions)
        }
        "favourite" => phrase(tokens, 0, String::new(), names, mentions),
        "my" | "our" if word(1) == "family" && word(2) != "'s" && word(2) != "name" => {
            Some((ClauseSubject::Me, 2))
        }
        "my" | "our" => {
            let (subject, used) = phrase(tokens, 1, String::new(), names, mentions)?;
            if word(used) == "and" && matches!(word(used + 1), "i" | "me") {
                return Some((ClauseSubject::Me, used + 2));
            }
            Some((subject, used))
        }
        "his" | "her" | "their" | "its" => match mentions.resolve(word(0)) {
            ClauseSubject::Person(owner) => phrase(tokens, 1, owner, names, mentions),
            ClauseSubject::Pet(pet) => {
                let (subject, used) = phrase(tokens, 1, String::new(), names, mentions)?;
                match subject {
                    ClauseSubject::Thing { mut words, .. } => {
                        let mut kind = first.clone();
                        kind.low.clone_from(&pet.what);
                        words.insert(0, kind);
                        Some((ClauseSubject::Thing { owner: String::new(), words }, used))
                    }
                    other => Some((other, used)),
                }
            }
            _ => {
                let (subject, used) = phrase(tokens, 1, String::new(), names, mentions)?;
                match subject {
                    ClauseSubject::Thing { words, .. } => {
                        Some((ClauseSubject::Thing { owner: "?".to_owned(), words }, used))
                    }
                    _ => Some((ClauseSubject::Somebody, used)),
                }
            }
        },
        "the" if word(1) == "name" && word(2) == "is" => {
            Some((ClauseSubject::Thing { owner: String::new(), words: vec![tokens[1].clone()] }, 2))
        }
        "the" | "this" | "that" => {
            let which = tokens[1..].iter().take_while(|token| lexicon::is_which(&token.low)).count();
            let noun = word(1 + which);
            // `the name of my dog`
            if noun == "name" && word(2 + which) == "of" && matches!(word(3 + which), "my" | "our" | "the") {
                let (owner, used) = phrase(&tokens[3 + which..], 1, String::new(), names, mentions)?;
                let mut name = tokens[1 + which].clone();
                name.low = "name".into();
                let subject = match owner {
                    ClauseSubject::Pet(pet) => {
                        let mut kind = name.clone();
                        kind.low = pet.what;
                        ClauseSubject::Thing { owner: String::new(), words: vec![kind, name] }
                    }
                    ClauseSubject::Person(owner) => ClauseSubject::Thing { owner, words: vec![name] },
                    ClauseSubject::Thing { owner, mut words } => {
                        words.push(name);
                        ClauseSubject::Thing { owner, words }
                    }
                    other => other,
                };
                return Some((subject, 3 + which + used));
            }
            let known =
                lexicon::animal(noun).is_some() || lexicon::relation(noun).is_some() || word(1) == "best";
            if known && first.low != "that" {
                return phrase(tokens, 1, String::new(), names, mentions);
            }
            if first.low == "the" && !noun.is_empty() {
                let (subject, used) = phrase(tokens, 1, String::new(), names, mentions)?;
                return match subject {
                    ClauseSubject::Thing { words, .. } => {
                        Some((ClauseSubject::Thing { owner: "the".to_owned(), words }, used))
                    }
                    other => Some((other, used)),
                };
            }
            Some((ClauseSubject::Somebody, 1))
        }
        _ => named(tokens, names, mentions).or_else(|| elided(tokens, mentions)),
    }
}

/// Returns the subject of a clause without one: that of the previous clause, or else the user, as in chat messages.
fn elided(tokens: &[WordToken], mentions: &Mentions) -> Option<(ClauseSubject, usize)> {
    let word = tokens.first()?.low.as_str();
    let next = tokens.get(1).map_or("", |token| token.low.as_str());
    let (_, form) = match word {
        "will" | "can" | "not" | "never" | "used" | "no" => ("", VerbForm::Past),
        _ => verbs::lemma(word)?,
    };
    if let Some(last) = &mentions.last {
        return (form != VerbForm::Gerund).then(|| (last.clone(), 0));
    }
    // *She was my hero. Born in Oslo, she …*: the text continues about the same person.
    let of_me = tokens.iter().any(|token| words!("i my me our us myself").contains(token.low.as_str()));
    let of_another = tokens
        .iter()
        .any(|token| words!("his her he she their himself herself").contains(token.low.as_str()));
    let goes_on = matches!(mentions.before, Some(ClauseSubject::Person(_) | ClauseSubject::Somebody));
    if !of_me && (of_another || goes_on) {
        return None;
    }
    // *We named him Otis, born this morning*: only at the start of a sentence does it refer to the user.
    if word == "born" && next != "in" && tokens.first().is_some_and(|token| token.at > 0) {
        return None;
    }
    let clear = matches!(form, VerbForm::Past | VerbForm::Participle)
        && !words!("read put set cut let beat run hurt come split is used").contains(word)
        || matches!(word, "love" | "hate" | "am" | "adore" | "loving")
        || (word == "quit" && matches!(next, "my" | "smoking" | "the" | "drinking"))
        || (form == VerbForm::Gerund
            && matches!(
                word,
                "living" | "working" | "moving" | "starting" | "feeling" | "going" | "switching"
            ));
    clear.then_some((ClauseSubject::Me, 0))
}

/// Reads a named person as the subject of a verb.
fn named(
    tokens: &[WordToken],
    names: &KnownNames,
    mentions: &mut Mentions,
) -> Option<(ClauseSubject, usize)> {
    let first = tokens.first()?;
    if names.is_companion(&first.low) && names.pet(&first.low).is_none() {
        return None;
    }
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let subject = if let Some(pet) = names.pet(&first.low) {
        Some(ClauseSubject::Pet(pet.clone()))
    } else {
        names.person(&first.low).map(ClauseSubject::Person)
    };
    let met = mentions.met.iter().rev().find(|(named, _)| named.name.eq_ignore_ascii_case(&first.low));
    let subject = subject.or_else(|| {
        met.map(|(named, is_pet)| {
            if *is_pet { ClauseSubject::Pet(named.clone()) } else { ClauseSubject::Person(named.label()) }
        })
    });
    let length = if subject.is_some() { 1 } else { name_length(tokens) };
    // `Max, my dog, …`, `Anna, my sister, …`
    if word(length) == ","
        && matches!(word(length + 1), "my" | "our")
        && first.is_capital
        && length > 0
        && verbs::lemma(&first.low).is_none()
    {
        let name = text_of(&tokens[..length]);
        let (subject, used) = phrase(&tokens[length + 1..], 1, String::new(), names, mentions)?;
        let closes = word(length + 1 + used) == ",";
        // *Vegan since college, my boyfriend is a butcher*: without a second comma, only a given name can be the
        // boyfriend's.
        if !closes && !lexicon::is_given_name(&first.low) {
            return None;
        }
        let after = length + 1 + used + usize::from(closes);
        let subject = match subject {
            ClauseSubject::Pet(mut pet) => {
                pet.name = name;
                mentions.met.push((pet.clone(), true));
                ClauseSubject::Pet(pet)
            }
            ClauseSubject::Person(label) => {
                let what = super::names::split_subject(&label).map_or("", |(what, _)| what).to_owned();
                let named = KnownName::new(&what, &name);
                mentions.met.push((named.clone(), false));
                ClauseSubject::Person(named.label())
            }
            other => other,
        };
        return Some((subject, after));
    }
    // `Emma and I`, `Tom and his wife`
    if length > 0 && word(length) == "and" && first.is_capital {
        if matches!(word(length + 1), "i" | "me") {
            return Some((ClauseSubject::Me, length + 2));
        }
        let both = tokens[length + 1..].iter().take(4).position(|token| {
            verbs::lemma(&token.low).is_some() || matches!(token.low.as_str(), "is" | "are" | "have" | "has")
        });
        if let Some(both) = both.filter(|_| matches!(word(length + 1), "his" | "her" | "their")) {
            let subject = subject.unwrap_or_else(|| ClauseSubject::Person(text_of(&tokens[..length])));
            return Some((subject, length + 1 + both));
        }
    }
    let possessive = word(length) == "'s";
    if let Some(subject) = subject {
        if possessive && let ClauseSubject::Pet(pet) = &subject {
            let (thing, used) = thing(tokens, 2, String::new())?;
            let ClauseSubject::Thing { owner, mut words } = thing else { return None };
            let mut kind = first.clone();
            kind.low.clone_from(&pet.what);
            words.insert(0, kind);
            return Some((ClauseSubject::Thing { owner, words }, used));
        }
        if possessive {
            let owner = match &subject {
                ClauseSubject::Person(label) => label.clone(),
                ClauseSubject::Pet(pet) => pet.label(),
                _ => String::new(),
            };
            return phrase(tokens, 2, owner, names, mentions);
        }
        return Some((subject, 1));
    }
    if length == 0 || is_no_name(&first.low) {
        return None;
    }
    let name = text_of(&tokens[..length]);
    if possessive {
        return phrase(tokens, length + 1, name, names, mentions);
    }
    let does = words!("is was has will does did had and").contains(word(length))
        || verbs::lemma(word(length))
            .is_some_and(|(_, form)| matches!(form, VerbForm::Third | VerbForm::Past));
    if !does || word(length) == "and" {
        return None;
    }
    // An unknown name that is not a given name may be a band, a country or a person in the news.
    let is_person =
        length == 1 && lexicon::is_given_name(&first.low) || lexicon::relation(&first.low).is_some();
    Some((if is_person { ClauseSubject::Person(name) } else { ClauseSubject::Somebody }, length))
}
