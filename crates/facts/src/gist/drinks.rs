//! Recognises that the user replaced one drink with another.

use std::ops::Range;
use std::sync::LazyLock;

use super::Told;
use super::moulds::{Moulds, fits, moulds};
use super::sight::{Sight, is_left};
use crate::finding::Polarity;
use crate::lexicon;
use crate::names::Names;
use crate::rules::{self, Draft};
use crate::slot::Kind;

/// Phrasings that state outright that one drink replaced another.
static INSTEAD: LazyLock<Moulds> = LazyLock::new(|| {
    moulds(
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
fn any_drink(sight: &Sight<'_>, at: usize) -> Option<Range<usize>> {
    let skip = usize::from(matches!(sight.word(at), "the" | "my" | "all"));
    let length = length(sight, at + skip);
    (length > 0).then_some(at + skip..at + skip + length)
}

/// Returns the number of words of the drink that begins here, or 0.
fn length(sight: &Sight<'_>, at: usize) -> usize {
    let is_drink = |at: usize| lexicon::family(sight.word(at)) == Some("drink");
    let which =
        words!("green black herbal iced white mint sparkling orange oat red").contains(sight.word(at));
    match (sight.word(at), sight.word(at + 1)) {
        ("hot", "chocolate") => 2,
        _ if is_drink(at + 1) && which => 2,
        _ if is_drink(at) => 1,
        _ => 0,
    }
}

pub fn drink(sight: &Sight<'_>, names: &Names) -> Vec<Told> {
    if !sight.is_mine() || sight.is_of_family || sight.has(&["favourite", "he", "she", "they"]) {
        return Vec::new();
    }
    if let Some(fit) = fits(&INSTEAD, sight, any_drink).into_iter().next() {
        let text = |range: Range<usize>| sight.words[range].join(" ");
        return exchanged(&text(fit.thing), Some(text(fit.other)));
    }
    let mut said: Vec<(String, bool)> = Vec::new();
    let mut at = 0;
    while at < sight.words.len() {
        let length = length(sight, at);
        // *I'm drinking a coffee right now*
        let one = matches!(sight.before(at, 1), "a" | "an" | "another")
            && sight.has(&["now", "can"])
            && !sight.has(&["instead"]);
        if length > 0 && !one {
            let text = sight.words[at..at + length].join(" ");
            said.push((text, is_left(&sight.words, &(at..at + length))));
        }
        at += length.max(1);
    }
    let drinking = sight.has_any(words!(
        "drink drinking drinks sip sipping cup cups mug morning mornings brew order ordering caffeine"
    ));
    let liked = |drink: &str| {
        names.held("", Kind::Taste, &rules::topic(drink)).as_deref() == Some("likes")
            || names.held("", Kind::Property, "preferred drink").as_deref() == Some(drink)
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
    if sight.is_change && (old.is_some() || drinking) || old.is_some() && (drinking || known) {
        return exchanged(new, old);
    }
    Vec::new()
}

fn exchanged(new: &str, old: Option<String>) -> Vec<Told> {
    let told = |draft: Draft| match draft.polarity {
        Polarity::Holds => Told::changed(draft.sure(0.7)),
        Polarity::Ended => Told::new(draft),
    };
    rules::exchanged(new, old).into_iter().map(told).collect()
}
