//! Favourites that are not called favourites: *no film beats Alien*, *for colours I prefer red over blue now*.

use std::ops::Range;

use protocol::FactCategory;
use text::terms;

use super::Told;
use super::sight::{Sight, is_left};
use crate::lexicon;
use crate::names::Names;
use crate::rules::Draft;
use crate::slot::{Kind, Slot};

const KINDS: &[&str] = &[
    "colour", "food", "film", "movie", "season", "book", "sport", "band", "song", "artist", "author", "dish",
    "meal", "animal", "game", "series", "show", "fruit", "drink", "singer", "novel", "cuisine", "flower",
];

/// Returns true for kinds of things that people have a favourite of.
pub fn is_kind(word: &str) -> bool {
    KINDS.contains(&word.trim_end_matches('s'))
}

/// Returns true if the word belongs to another person.
pub fn is_anothers(sight: &Sight<'_>, at: usize) -> bool {
    matches!(sight.before(at, 1), "'s" | "'" | "his" | "her" | "their" | "your" | "its" | "people")
}

pub fn favourite(sight: &Sight<'_>, names: &Names) -> Vec<Told> {
    if !sight.is_mine() || sight.is_of_family {
        return Vec::new();
    }
    let best = sight
        .has_any(words!("favourite best prefer beats tops dethroned overtook overtaken number-one"))
        || sight.phrase(&["of", "choice"])
        || sight.phrase(&["love", "most"])
        || sight.phrase(&["like", "most"])
        || sight.phrase(&["the", "most"])
        || sight.phrase(&["number", "one"])
        || sight.phrase(&["like", "better"])
        || sight.phrase(&["love", "more"])
        || sight.phrase(&["like", "more"])
        || sight.phrase(&["above", "all"])
        || sight.phrase(&["top", "spot"])
        || sight.phrase(&["hard", "to", "beat"])
        || sight.has_any(words!("pick choose fave fav favorite unbeatable top ultimate"))
            && sight.has(&["i", "my", "me"]);
    if !best {
        return Vec::new();
    }
    let said = sight.words.iter().position(|word| *word == "favourite").unwrap_or(0);
    // *Green, which is my boss's favourite colour*
    if is_anothers(sight, said) && !sight.has(&["mine"]) {
        return Vec::new();
    }
    let after = sight.words[said..].iter().take(4).position(|word| is_kind(word)).map(|at| at + said);
    let Some(at) = after.or_else(|| sight.words.iter().position(|word| is_kind(word))) else {
        return Vec::new();
    };
    let of = sight.words[at].trim_end_matches('s');
    let of = if of == "serie" { "series" } else { of };
    let topic = terms(of).join(" ");
    let current = names.held("", Kind::Favourite, &topic);
    let values = values(sight, of, at);
    let new: Vec<&Value> = values
        .iter()
        .filter(|value| !value.is_left)
        .filter(|value| !current.as_ref().is_some_and(|current| current.eq_ignore_ascii_case(&value.text)))
        .collect();
    let [value] = new.as_slice() else {
        // The old favourite was dropped and the new one is not named yet.
        let ended = values.iter().find(|value| value.is_left && current.as_deref() == Some(&value.text));
        return ended.filter(|_| new.is_empty() && sight.is_change).map_or_else(Vec::new, |ended| {
            let says = format!("favourite {of} is {}", ended.text);
            let slot = Slot::of(Kind::Favourite, topic);
            vec![Told::new(
                Draft::new(FactCategory::Preference, slot, ended.text.clone(), says).ended().sure(0.6),
            )]
        });
    };
    let draft = Draft::new(
        FactCategory::Preference,
        Slot::of(Kind::Favourite, topic),
        value.text.clone(),
        format!("favourite {of} is {}", value.text),
    )
    .important(0.6)
    .sure(0.7);
    let left =
        values.iter().find(|value| value.is_left).filter(|left| current.as_deref() != Some(&left.text));
    let mut found = vec![if current.is_some() || left.is_some() {
        Told::changed(draft.clone())
    } else {
        Told::new(draft.clone())
    }];
    if let (Some(left), Some(slot)) = (left, draft.slot) {
        let says = format!("favourite {of} was {}", left.text);
        let past = Draft::new(FactCategory::Preference, slot, left.text.clone(), says).gave_way();
        found.push(Told::new(past.sure(0.6)));
    }
    found
}

struct Value {
    text: String,
    is_left: bool,
}

/// Returns true if a value was left behind. *More than Alien* and *nothing beats Alien* say that it was not.
fn is_behind(sight: &Sight<'_>, range: Range<usize>) -> bool {
    let before = (sight.before(range.start, 2), sight.before(range.start, 1));
    let tops = before == ("more", "than") && sight.has(&["no", "nothing"]);
    !tops && (is_left(&sight.words, &range) || matches!(before.1, "over" | "sorry"))
}

/// Returns the possible favourites of a kind: words of its family, or else names.
fn values(sight: &Sight<'_>, of: &str, kind_at: usize) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for (at, word) in sight.words.iter().enumerate() {
        let fits = match of {
            "colour" | "food" | "sport" | "drink" => lexicon::family(word) == Some(of),
            "dish" | "meal" => lexicon::family(word) == Some("food"),
            "season" => matches!(*word, "spring" | "summer" | "autumn" | "winter" | "fall"),
            _ => false,
        };
        if fits && at != kind_at {
            found.push(Value { text: (*word).to_owned(), is_left: is_behind(sight, at..at + 1) });
        }
    }
    if found.is_empty() {
        let within = |at: usize| matches!(sight.before(at, 1), "in" | "at" | "by" | "with" | "on" | "of");
        for name in sight.names.iter().filter(|name| !within(name.range.start)) {
            found.push(Value { text: name.text.clone(), is_left: is_behind(sight, name.range.clone()) });
        }
    }
    found
}
