//! Recognises that the user replaced one drink with another.

use std::ops::Range;
use std::sync::LazyLock;

use super::name_mention::is_left;
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use super::thing_patterns::{ThingPatterns, matches_of, thing_patterns};
use crate::finding::Polarity;
use crate::lexicon;
use crate::names::KnownNames;
use crate::rules::{self, FactDraft};
use crate::slot::SlotKind;

/// Phrasings that state outright that one drink replaced another.
static INSTEAD: LazyLock<ThingPatterns> = LazyLock::new(|| {
    thing_patterns(
        "off % and on|onto|now_on ~
        turned_my_back_on|gave_up|given_up|dropped|quit|ditched|cut_out|stopped_drinking|sworn_off|swore_off|abandoned|abandon % and|, i|- have|- took_up|taken_up|took_to|taken_to|drink|started_drinking|started_on|now_drink|moved_on_to|become_a_drinker_of|turned_to|sit_there_with_my ~
        drink|drinking|have|pour_myself|sip|sipping ~ in_place_of|instead_of|rather_than|not %
        drink|drinking|have|pour_myself ~ where i would_have_had|used_to_have|used_to_drink|would_have_drunk|once_had|had %
        where i would have had|drunk % before i now have|drink ~
        substituted ~ for %
        team ~ now , dropped|no_more|goodbye|ditched|done_with %
        gone_over|changed|switched|moved_over|moved_on|converted|come_over to drinking|- ~ , having had_enough_of|given_up|tired_of|dropped %
        where there used_to_be|was|once_was % in my cup|mug|glass|fridge , there is ~
        lay_off|cut_out|give_up|avoid % ,|. so|and what i drink these_days|now|nowadays is ~
        lay_off|cut_out|give_up|avoid % ,|. so it is ~ for me
        it is ~ for me from_now_on|now|these_days|nowadays ;|,|.|and i|- have|- not touched|drunk|had a|any|- drop|sip|cup|- of|- %",
    )
});

/// Matches a drink with its qualifier: *green tea*.
fn any_drink(view: &SentenceView<'_>, at: usize) -> Option<Range<usize>> {
    let skip = usize::from(matches!(view.word(at), "the" | "my" | "all"));
    let length = length(view, at + skip);
    (length > 0).then_some(at + skip..at + skip + length)
}

/// Returns the number of words of the drink that begins here, or 0.
fn length(view: &SentenceView<'_>, at: usize) -> usize {
    let is_drink = |at: usize| lexicon::family(view.word(at)) == Some("drink");
    let which = words!("green black herbal iced white mint sparkling orange oat red").contains(view.word(at));
    match (view.word(at), view.word(at + 1)) {
        ("hot", "chocolate") => 2,
        _ if is_drink(at + 1) && which => 2,
        _ if is_drink(at) => 1,
        _ => 0,
    }
}

pub fn drink(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    if !view.is_mine() || view.is_of_family || view.has(&["favourite", "he", "she", "they"]) {
        return Vec::new();
    }
    if let Some(matched) = matches_of(&INSTEAD, view, any_drink).into_iter().next() {
        let text = |range: Range<usize>| view.words[range].join(" ");
        return exchanged(&text(matched.thing), Some(text(matched.other)));
    }
    let mut said: Vec<(String, bool)> = Vec::new();
    let mut at = 0;
    while at < view.words.len() {
        let length = length(view, at);
        // *I'm drinking a coffee right now*
        let one = matches!(view.before(at, 1), "a" | "an" | "another")
            && view.has(&["now", "can"])
            && !view.has(&["instead"]);
        if length > 0 && !one {
            let text = view.words[at..at + length].join(" ");
            said.push((text, is_left(&view.words, &(at..at + length))));
        }
        at += length.max(1);
    }
    let drinking = view.has_any(words!(
        "drink drinking drinks sip sipping cup cups mug morning mornings brew order ordering caffeine"
    ));
    let liked = |drink: &str| {
        names.current_value("", SlotKind::Taste, &rules::topic(drink)).as_deref() == Some("likes")
            || names.current_value("", SlotKind::Property, "preferred drink").as_deref() == Some(drink)
    };
    let old = said
        .iter()
        .find(|(drink, left)| *left || said.len() > 1 && liked(drink))
        .map(|(drink, _)| drink.clone());
    let new: Vec<&String> = said
        .iter()
        .filter(|(drink, left)| !left && Some(drink) != old.as_ref())
        .map(|(drink, _)| drink)
        .collect();
    let [new] = new.as_slice() else { return Vec::new() };
    let known = old.as_deref().is_some_and(liked);
    if view.is_change && (old.is_some() || drinking) || old.is_some() && (drinking || known) {
        return exchanged(new, old);
    }
    Vec::new()
}

fn exchanged(new: &str, old: Option<String>) -> Vec<SentenceDraft> {
    let told = |draft: FactDraft| match draft.polarity {
        Polarity::Holds => SentenceDraft::changed(draft.sure(0.7)),
        Polarity::Ended => SentenceDraft::new(draft),
    };
    rules::exchanged(new, old).into_iter().map(told).collect()
}
