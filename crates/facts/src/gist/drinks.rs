//! One drink in place of another.

use super::Told;
use super::sight::{Sight, is_left};
use crate::lexicon;
use crate::names::Names;
use crate::rules;
use crate::slot::Kind;

pub fn drink(sight: &Sight<'_>, names: &Names) -> Vec<Told> {
    if !sight.is_mine() || sight.is_of_family || sight.has(&["favourite", "he", "she", "they"]) {
        return Vec::new();
    }
    let mut said: Vec<(String, bool)> = Vec::new();
    let mut at = 0;
    while at < sight.words.len() {
        let two = [sight.word(at), sight.word(at + 1)].join(" ");
        let length = match () {
            () if two == "hot chocolate" => 2,
            () if lexicon::family(sight.word(at + 1)) == Some("drink")
                && words!("green black herbal iced white mint sparkling orange oat red")
                    .contains(sight.word(at)) =>
            {
                2
            }
            () if lexicon::family(sight.word(at)) == Some("drink") => 1,
            () => 0,
        };
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
        return rules::exchanged(new, old)
            .into_iter()
            .map(|draft| {
                if draft.polarity == crate::finding::Polarity::Holds {
                    Told::changed(draft.sure(0.7))
                } else {
                    Told::new(draft)
                }
            })
            .collect();
    }
    Vec::new()
}
