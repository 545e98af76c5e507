//! Favourites that are not called favourites: *no film beats Alien*, *for colours I prefer red over blue now*.

use std::ops::Range;

use protocol::FactCategory;
use text::terms;

use super::name_mention::is_left;
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use crate::lexicon;
use crate::names::KnownNames;
use crate::rules::FactDraft;
use crate::slot::{FactSlot, SlotKind};

const KINDS: &[&str] = &[
    "colour", "food", "film", "movie", "season", "book", "sport", "band", "song", "artist", "author", "dish",
    "meal", "animal", "game", "series", "show", "fruit", "drink", "singer", "novel", "cuisine", "flower",
];

/// Returns true for kinds of things that people have a favourite of.
pub fn is_kind(word: &str) -> bool {
    KINDS.contains(&word.trim_end_matches('s'))
}

/// Returns true if the word belongs to another person.
pub fn is_anothers(view: &SentenceView<'_>, at: usize) -> bool {
    matches!(view.before(at, 1), "'s" | "'" | "his" | "her" | "their" | "your" | "its" | "people")
}

pub fn favourite(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    if !view.is_mine() || view.is_of_family {
        return Vec::new();
    }
    let best = view
        .has_any(words!("favourite best prefer beats tops dethroned overtook overtaken number-one"))
        || view.phrase(&["of", "choice"])
        || view.phrase(&["love", "most"])
        || view.phrase(&["like", "most"])
        || view.phrase(&["the", "most"])
        || view.phrase(&["number", "one"])
        || view.phrase(&["like", "better"])
        || view.phrase(&["love", "more"])
        || view.phrase(&["like", "more"])
        || view.phrase(&["above", "all"])
        || view.phrase(&["top", "spot"])
        || view.phrase(&["hard", "to", "beat"])
        || view.has_any(words!("pick choose fave fav favorite unbeatable top ultimate"))
            && view.has(&["i", "my", "me"]);
    if !best {
        return Vec::new();
    }
    let said = view.words.iter().position(|word| *word == "favourite").unwrap_or(0);
    // *Green, which is my boss's favourite colour*
    if is_anothers(view, said) && !view.has(&["mine"]) {
        return Vec::new();
    }
    let after = view.words[said..].iter().take(4).position(|word| is_kind(word)).map(|at| at + said);
    let Some(at) = after.or_else(|| view.words.iter().position(|word| is_kind(word))) else {
        return Vec::new();
    };
    let of = view.words[at].trim_end_matches('s');
    let of = if of == "serie" { "series" } else { of };
    let topic = terms(of).join(" ");
    let current = names.current_value("", SlotKind::Favourite, &topic);
    let values = values(view, of, at);
    let new: Vec<&Value> = values
        .iter()
        .filter(|value| !value.is_left)
        .filter(|value| !current.as_ref().is_some_and(|current| current.eq_ignore_ascii_case(&value.text)))
        .collect();
    let [value] = new.as_slice() else {
        // The old favourite was dropped and the new one is not named yet.
        let ended = values.iter().find(|value| value.is_left && current.as_deref() == Some(&value.text));
        return ended.filter(|_| new.is_empty() && view.is_change).map_or_else(Vec::new, |ended| {
            let says = format!("favourite {of} is {}", ended.text);
            let slot = FactSlot::of(SlotKind::Favourite, topic);
            vec![SentenceDraft::new(
                FactDraft::new(FactCategory::Preference, slot, ended.text.clone(), says).ended().sure(0.6),
            )]
        });
    };
    let draft = FactDraft::new(
        FactCategory::Preference,
        FactSlot::of(SlotKind::Favourite, topic),
        value.text.clone(),
        format!("favourite {of} is {}", value.text),
    )
    .important(0.6)
    .sure(0.7);
    let left =
        values.iter().find(|value| value.is_left).filter(|left| current.as_deref() != Some(&left.text));
    let mut found = vec![if current.is_some() || left.is_some() {
        SentenceDraft::changed(draft.clone())
    } else {
        SentenceDraft::new(draft.clone())
    }];
    if let (Some(left), Some(slot)) = (left, draft.slot) {
        let says = format!("favourite {of} was {}", left.text);
        let past = FactDraft::new(FactCategory::Preference, slot, left.text.clone(), says).gave_way();
        found.push(SentenceDraft::new(past.sure(0.6)));
    }
    found
}

struct Value {
    text: String,
    is_left: bool,
}

/// Returns true if a value was left behind. *More than Alien* and *nothing beats Alien* say that it was not.
fn is_behind(view: &SentenceView<'_>, range: Range<usize>) -> bool {
    let before = (view.before(range.start, 2), view.before(range.start, 1));
    let tops = before == ("more", "than") && view.has(&["no", "nothing"]);
    !tops && (is_left(&view.words, &range) || matches!(before.1, "over" | "sorry"))
}

/// Returns the possible favourites of a kind: words of its family, or else names.
fn values(view: &SentenceView<'_>, of: &str, kind_at: usize) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for (at, word) in view.words.iter().enumerate() {
        let fits = match of {
            "colour" | "food" | "sport" | "drink" => lexicon::family(word) == Some(of),
            "dish" | "meal" => lexicon::family(word) == Some("food"),
            "season" => matches!(*word, "spring" | "summer" | "autumn" | "winter" | "fall"),
            _ => false,
        };
        if fits && at != kind_at {
            found.push(Value { text: (*word).to_owned(), is_left: is_behind(view, at..at + 1) });
        }
    }
    if found.is_empty() {
        let within = |at: usize| matches!(view.before(at, 1), "in" | "at" | "by" | "with" | "on" | "of");
        for name in view.names.iter().filter(|name| !within(name.range.start)) {
            found.push(Value { text: name.text.clone(), is_left: is_behind(view, name.range.clone()) });
        }
    }
    found
}
