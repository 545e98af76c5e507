//! The names of pets, recognised by the kind of animal or a known name next to another name.

use super::name_mention::{NameKind, NameMention};
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use crate::lexicon;
use crate::names::KnownNames;
use crate::rules;

/// Returns true for words that may stand between an animal and its name.
fn is_apposed(word: &str) -> bool {
    lexicon::is_which(word)
        || words!(", . ? ! : ( = - is 's that my our the a best this he she it at home").contains(word)
}

/// Returns true for verbs about animals that are not the user's.
fn is_meeting(word: &str) -> bool {
    words!("met meet saw see read know knew watched heard passed petted remember about wish want wanted")
        .contains(word)
}

fn is_naming(word: &str) -> bool {
    words!("name named call called names 's").contains(word)
}

pub fn pet(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    if view.has(&["neighbour's", "neighbours'", "film", "movie"]) {
        return Vec::new();
    }
    let named: Vec<&NameMention> = view.names.iter().filter(|name| name.kind == NameKind::Pet).collect();
    let animal = view.words.iter().enumerate().find_map(|(at, word)| {
        let kind = lexicon::animal(word).filter(|kind| *kind != "pet")?;
        let which = (0..at).rev().take_while(|place| lexicon::is_which(view.words[*place])).count();
        let owner = view.before(at - which, 1);
        let owns = view
            .has_any(words!("got have own adopted bought rescued welcomed owner has having share live"))
            && view.has(&["i", "we", "myself", "ourselves", "me", "us"]);
        let mine = matches!(owner, "my" | "our" | "ours")
            || owner == "the" && (names.pet_of_kind(kind).is_some() || view.says_me())
            || matches!(owner, "a" | "an" | "this") && owns && !view.is_apart(at);
        let presents = matches!(owner, "a" | "an")
            && !view.is_apart(at)
            && (view.has(&["my", "our"]) || view.clause(at).iter().any(|word| matches!(*word, "i" | "we")))
            && !view.clause(at).iter().any(|word| is_meeting(word))
            && matches!(view.word(at + 1), "named" | "called");
        // *Ziggy is the best rabbit I could have asked for*
        let best = matches!(view.before(at, 1), "best" | "loveliest" | "sweetest" | "cutest")
            && view.clause(at).iter().any(|word| matches!(*word, "i" | "we" | "my" | "our"));
        let of_it = view.word(at + 1) == "'s" && view.word(at + 2) != "name" && view.word(at + 3) != "name";
        let listed = view.is_form() && view.has(&["name", "pet", "pets"]);
        ((mine || presents || best || listed) && !of_it).then_some(kind)
    });
    // *They got the dog, I kept the cat, Lady Bracknell*: with two animals, the name belongs to the nearer one.
    let kinds: std::collections::BTreeSet<&str> =
        view.words.iter().filter_map(|word| lexicon::animal(word)).filter(|kind| *kind != "pet").collect();
    let is_one_of_two = kinds.len() > 1;
    let kind = match (animal, named.first()) {
        (Some(kind), _) => kind.to_owned(),
        (None, Some(name)) => match names.pet(&name.text) {
            Some(pet) => pet.what.clone(),
            None => return Vec::new(),
        },
        (None, None) => return Vec::new(),
    };
    // *Max met a dog called Bruno*
    let stranger = animal.is_none()
        && view.words.windows(2).any(|pair| {
            matches!(pair[0], "a" | "another" | "'s" | "that" | "his" | "her")
                && lexicon::animal(pair[1]).is_some()
        });
    if !view.is_mine() || stranger {
        return Vec::new();
    }
    let old = named
        .iter()
        .find(|name| names.pet(&name.text).is_some_and(|pet| pet.what == kind))
        .map(|name| name.text.clone())
        .or_else(|| names.current_value("", crate::slot::SlotKind::Pet, &kind));
    let new: Vec<&NameMention> = view
        .names
        .iter()
        .filter(|name| !name.is_left && Some(&name.text) != old.as_ref())
        .filter(|name| match name.kind {
            NameKind::Unknown | NameKind::Vehicle | NameKind::Company => {
                !matches!(view.before(name.range.start, 1), "in" | "at" | "from" | "with")
            }
            _ => false,
        })
        .collect();
    let [name] = new.as_slice() else {
        // The animal was renamed but the new name is unclear: having no value is better than keeping the old one.
        let renames = view.has(&["renamed", "rename", "renaming"])
            || view.phrase(&["another", "name"])
            || view.phrase(&["new", "name"])
            || view.phrase(&["different", "name"])
            || view.has(&["changed"]) && view.has(&["name"]);
        return match old {
            Some(old) if renames && new.is_empty() && old != kind => {
                vec![SentenceDraft::new(rules::pet(&kind, &old).ended().sure(0.55))]
            }
            _ => Vec::new(),
        };
    };
    // *My cousin's dog? I have a dragon called Nigel*
    if view.called(name).is_some_and(|noun| lexicon::animal(noun).is_none()) {
        return Vec::new();
    }
    let presents = view.words.windows(3).any(|window| {
        matches!(window[0], "is" | "'s")
            && matches!(window[1], "my" | "our")
            && lexicon::animal(window[2]).is_some()
    });
    let naming = presents
        || view.has_any(words!(
            "name named call called calling names renamed rename renaming christened answers listens goes \
            known responds rechristened dubbed"
        ));
    match old {
        Some(old) if !old.eq_ignore_ascii_case(&kind) => {
            let named_old = named.iter().any(|name| name.text == old);
            let gone = animal.is_some() && named.iter().any(|name| name.text == old && name.is_left);
            if !(view.is_change && (naming || named_old || animal.is_some()) || naming && named_old || gone) {
                return Vec::new();
            }
            vec![SentenceDraft::changed(rules::pet(&kind, &name.text).replacing(Some(old)).sure(0.7))]
        }
        _ => {
            // A new animal needs its name next to it, or a statement that it is the name.
            let near = view.words.iter().enumerate().any(|(at, word)| {
                let (from, to) =
                    if name.range.start > at { (at + 1, name.range.start) } else { (name.range.end, at) };
                lexicon::animal(word).is_some()
                    && from <= to
                    && to - from <= 5
                    && view.words[from..to].iter().all(|word| is_apposed(word))
            });
            // *Nobody could look after Ziggy, and I can't leave my rabbit alone*
            let before = view.before(name.range.start, 1);
            let cared = words!("after took take feed fed walk walked brush groom").contains(before)
                || view.clause(name.range.start).contains(&"vet");
            let beside = view.words.iter().enumerate().any(|(at, word)| {
                let (from, to) =
                    if name.range.start > at { (at + 1, name.range.start) } else { (name.range.end, at) };
                lexicon::animal(word) == Some(kind.as_str())
                    && from <= to
                    && view.words[from..to].iter().all(|word| is_apposed(word) || is_naming(word))
            });
            // *Giulia takes the rest. He calls us by the dog's name*
            let of_name = view.words.windows(2).any(|pair| pair == ["'s", "name"])
                && !view.clause(name.range.start).iter().any(|word| is_naming(word) && *word != "'s");
            if animal.is_none() || of_name || !(naming || near || cared) || is_one_of_two && !beside {
                return Vec::new();
            }
            vec![SentenceDraft::new(rules::pet(&kind, &name.text).sure(0.7))]
        }
    }
}
