//! Things that the user is fond of, sick of or afraid of: `I am into jazz`, `a coffee person`.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::taste_drafts::{taste, tastes, topic};
use super::value::{self, object};
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::slot::{FactSlot, SlotKind};
use crate::token::WordToken;

pub(super) fn fondness(clause: &Clause<'_>, words: &[&str], yes: bool) -> Vec<FactDraft> {
    let phrases: [(&[&str], bool); 35] = [
        (&["into"], true),
        (&["a", "fan", "of"], true),
        (&["a", "big", "fan", "of"], true),
        (&["a", "huge", "fan", "of"], true),
        (&["much", "of", "a", "fan", "of"], true),
        (&["the", "biggest", "fan", "of"], true),
        (&["a", "great", "fan", "of"], true),
        (&["a", "massive", "fan", "of"], true),
        (&["keen", "on"], true),
        (&["fond", "of"], true),
        (&["crazy", "about"], true),
        (&["mad", "about"], true),
        (&["nuts", "about"], true),
        (&["obsessed", "with"], true),
        (&["addicted", "to"], true),
        (&["hooked", "on"], true),
        (&["partial", "to"], true),
        (&["passionate", "about"], true),
        (&["in", "love", "with"], true),
        (&["a", "sucker", "for"], true),
        (&["a", "lover", "of"], true),
        (&["all", "about"], true),
        (&["sick", "of"], false),
        (&["tired", "of"], false),
        (&["sick", "and", "tired", "of"], false),
        (&["fed", "up", "with"], false),
        (&["bored", "of"], false),
        (&["bored", "with"], false),
        (&["over"], false),
        (&["off"], false),
        (&["done", "with"], false),
        (&["through", "with"], false),
        (&["scared", "of"], false),
        (&["afraid", "of"], false),
        (&["terrified", "of"], false),
    ];
    for (phrase, likes) in phrases {
        if !words.starts_with(phrase) {
            continue;
        }
        let tokens = clause.after(phrase.len());
        if phrase == ["in", "love", "with"] && tokens.first().is_some_and(|token| token.is_capital) {
            return Vec::new();
        }
        // Having been off coffee for a week does not mean disliking it.
        if phrase == ["off"] && clause.tense == Tense::Perfect {
            return Vec::new();
        }
        if (phrase == ["over"] || phrase == ["off"])
            && tokens.first().is_none_or(|token| {
                token.is_number()
                    || words!("the my here at in there a by to on work today for duty sick school")
                        .contains(token.low.as_str())
            })
        {
            return Vec::new();
        }
        if matches!(phrase[0], "scared" | "afraid" | "terrified") {
            let Some(value) = object(clause.text, tokens) else { return Vec::new() };
            let past = clause.is_over() || clause.tense == Tense::Past;
            let says = if past { format!("was afraid of {value}") } else { format!("is afraid of {value}") };
            return vec![
                FactDraft::new(
                    FactCategory::Preference,
                    FactSlot::of(SlotKind::Property, format!("fear {}", topic(&value))),
                    value,
                    says,
                )
                .past(past)
                .ended_if(!yes && !past),
            ];
        }
        // Not being sick of something says little.
        if !likes && !yes {
            return Vec::new();
        }
        return tastes(clause, tokens, likes == yes);
    }
    if words.starts_with(&["more", "of", "a"]) || words.starts_with(&["much", "of", "a"]) {
        let inner = Clause { rest: clause.after(2).to_vec(), ..clause.clone() };
        return fondness(&inner, &words[2..], yes);
    }
    // `a coffee person`, `a jazz lover`, `a cat person`
    if let [
        "a" | "an",
        what @ ..,
        "person" | "lover" | "drinker" | "eater" | "fan" | "addict" | "enthusiast" | "junkie" | "nerd"
        | "aficionado",
    ] = words
        && !what.is_empty()
        && what.len() <= 3
        && !words!("nice good bad people better different kind happy shy new changed").contains(what[0])
    {
        let tokens: Vec<WordToken> = clause.rest[1..=what.len()]
            .iter()
            .filter(|token| {
                !words!("big huge real total true massive great passionate keen die-hard proper")
                    .contains(token.low.as_str())
            })
            .cloned()
            .collect();
        let value = value::text_of(clause.text, &tokens);
        if matches!(what, ["morning"] | ["night"] | ["evening"]) {
            let says =
                if yes { format!("is a {} person", what[0]) } else { format!("is not a {} person", what[0]) };
            return vec![
                FactDraft::new(
                    FactCategory::Behaviour,
                    FactSlot::of(SlotKind::Property, "chronotype"),
                    what[0].to_owned(),
                    says,
                )
                .past(clause.is_over()),
            ];
        }
        let past = clause.is_over();
        let mut draft = taste(&value, yes);
        if past {
            draft.says = draft.says.replacen("likes", "liked", 1);
        }
        let mut found = vec![draft.past(past).begins()];
        if let Some(family) =
            lexicon::family_of(&value).filter(|_| words.contains(&"drinker") && yes && !past)
        {
            found.push(
                FactDraft::new(
                    FactCategory::Preference,
                    FactSlot::of(SlotKind::Property, format!("preferred {family}")),
                    value.clone(),
                    format!("drinks {value}"),
                )
                .begins(),
            );
        }
        return found;
    }
    if matches!(words, ["a", "night", "owl", ..] | ["an", "early", "bird" | "riser", ..]) && yes {
        let value = words[1..3].join(" ");
        return vec![FactDraft::new(
            FactCategory::Behaviour,
            FactSlot::of(SlotKind::Property, "chronotype"),
            value.clone(),
            format!("is {} {value}", words[0]),
        )];
    }
    if let [
        "a" | "an",
        kind @ ("smoker" | "introvert" | "extrovert" | "perfectionist" | "vegetarian" | "minimalist"
        | "feminist" | "homebody" | "runner" | "cyclist" | "swimmer" | "climber" | "gamer"
        | "bookworm" | "foodie" | "hiker" | "non-smoker"),
        ..,
    ] = words
    {
        let past = clause.is_over() || clause.tense == Tense::Past;
        let says = match (past, yes) {
            (true, _) => format!("was {} {kind}", words[0]),
            (false, true) => format!("is {} {kind}", words[0]),
            (false, false) => format!("is not {} {kind}", words[0]),
        };
        return vec![
            FactDraft::new(
                FactCategory::Behaviour,
                FactSlot::of(SlotKind::Property, (*kind).to_owned()),
                if yes { "yes" } else { "no" },
                says,
            )
            .past(past),
        ];
    }
    Vec::new()
}
