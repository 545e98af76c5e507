//! Home, origin and short stays.

use jiff::ToSpan;
use protocol::FactCategory;

use super::draft::FactDraft;
use super::home_drafts::{home, home_at, household};
use super::moving::{leaves, moves, new_place, swaps};
use super::sentence_text::dated;
use super::value::{self, place};
use super::wordings;
use crate::clause::{Clause, Tense};
use crate::slot::{FactSlot, SlotKind};
use crate::time::TimeKind;
use crate::token::WordToken;
use crate::verbs::VerbForm;

pub fn read(clause: &Clause<'_>) -> Vec<FactDraft> {
    let words = clause.words();
    match clause.verb {
        "live" | "reside" | "settle" | "dwell" => lives(clause, &words),
        "base" | "locate" => match words.as_slice() {
            ["in" | "at" | "near" | "around", ..] => home_at(clause, clause.after(1)).into_iter().collect(),
            ["out", "of", ..] => home_at(clause, clause.after(2)).into_iter().collect(),
            _ => Vec::new(),
        },
        "move" | "relocate" | "emigrate" | "immigrate" | "transfer" | "migrate" | "shift" | "resettle"
        | "return" => moves(clause, &words),
        "leave" => leaves(clause, &words),
        "swap" | "trade" | "exchange" | "ditch" => swaps(clause, &words),
        "buy" | "rent" | "find" | "get" | "lease" | "have" | "take" => new_place(clause, &words),
        "call" => match words.iter().position(|word| *word == "home") {
            // *I called Tom from home* is about a phone call.
            Some(at)
                if at > 0
                    && at <= 5
                    && !words.contains(&"me")
                    && !words[..at]
                        .iter()
                        .any(|word| words!("from on at way to my and when after").contains(*word)) =>
            {
                home_at(clause, &clause.rest[..at]).into_iter().collect()
            }
            _ => Vec::new(),
        },
        "make"
            if words.starts_with(&["the", "move", "to"])
                && !clause.negated
                && matches!(clause.tense, Tense::Past | Tense::Perfect) =>
        {
            home_at(clause, clause.after(3)).into_iter().map(FactDraft::changed).collect()
        }
        "make" => match words.iter().position(|word| *word == "home") {
            Some(at) if at > 0 && words[at - 1] == "my" || words.get(at.wrapping_sub(1)) == Some(&"our") => {
                home_at(clause, &clause.rest[..at - 1]).into_iter().collect()
            }
            _ => Vec::new(),
        },
        "grow" | "raise" | "hail" | "come" | "bear" => origin(clause, &words),
        "stay" | "visit" | "travel" | "fly" | "go" | "drive" | "head" => away(clause, &words),
        // *I spent a few years living in Berlin*
        "spend" if clause.tense == Tense::Past => match words.iter().position(|word| *word == "living") {
            Some(at) if words.get(at + 1) == Some(&"in") => {
                home_at(clause, clause.after(at + 2)).into_iter().collect()
            }
            _ => Vec::new(),
        },
        "be" => is(clause, &words),
        _ => Vec::new(),
    }
}

fn lives(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let mut at = 0;
    while words.get(at).is_some_and(|word| {
        words!(
            "over up down out back right here close not alone happily together far downtown uptown \
            somewhere deep mainly just"
        )
        .contains(*word)
    }) {
        at += 1;
    }
    // `living my best life in Graz`
    if words.starts_with(&["my", "best", "life", "in"]) {
        at = 3;
    }
    match words.get(at).copied() {
        Some("on") if clause.verb == "settle" => Vec::new(),
        Some("in" | "at" | "near" | "outside" | "on" | "around" | "by") => {
            let mut found: Vec<FactDraft> = Vec::new();
            if let Some(mut draft) = home_at(clause, clause.after(at + 1)) {
                let near = words[at];
                if matches!(near, "near" | "outside" | "by" | "on" | "around" | "at") {
                    draft.says = draft.says.replacen(" in ", &format!(" {near} "), 1);
                }
                // *I live in a small flat* describes the home but tells neither the place nor a move.
                if value::is_described(&draft.value) {
                    draft.slot = Some(FactSlot::of(SlotKind::Property, "dwelling"));
                }
                found.push(draft);
            }
            // *A house with a garden*
            let has_parts = found.iter().any(|draft| value::is_described(&draft.value));
            if let Some(with) = words.iter().position(|word| *word == "with")
                && !(has_parts
                    && matches!(words.get(with + 1), Some(&("a" | "an" | "no" | "two" | "three" | "lots"))))
            {
                found.extend(household(clause, clause.after(with + 1)));
            }
            found
        }
        Some("with") => household(clause, clause.after(at + 1)).into_iter().collect(),
        _ if words.first() == Some(&"alone") || words.starts_with(&["on", "my", "own"]) => {
            let draft = FactDraft::new(
                FactCategory::Personal,
                FactSlot::new(SlotKind::Household),
                "alone",
                "lives alone",
            );
            vec![draft.past(clause.is_over()).ended_if(clause.negated)]
        }
        _ => Vec::new(),
    }
}

fn origin(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let (skip, says) = match (clause.verb, words) {
        ("grow", ["up", "in" | "on" | "near", ..]) => (2, "grew up in"),
        ("raise", ["in" | "on", ..]) if clause.form != VerbForm::Base => (1, "grew up in"),
        // *I just came from Berlin* is about a journey.
        ("hail" | "come", ["from", ..]) if clause.tense == Tense::Present && !clause.progressive => {
            (1, "comes from")
        }
        ("come", ["originally", "from", ..]) => (2, "comes from"),
        ("bear", ["in", ..]) if clause.form != VerbForm::Base => (1, "was born in"),
        ("bear", ["and", "raised", "in", ..]) => (3, "was born in"),
        _ => return Vec::new(),
    };
    let Some(place) = place(clause.text, clause.after(skip)) else { return Vec::new() };
    if clause.negated {
        return vec![
            FactDraft::new(
                FactCategory::Personal,
                FactSlot::new(SlotKind::Origin),
                place.clone(),
                format!("does not come from {place}"),
            )
            .ended(),
        ];
    }
    vec![
        FactDraft::new(
            FactCategory::Personal,
            FactSlot::new(SlotKind::Origin),
            place.clone(),
            format!("{says} {place}"),
        )
        .important(0.7),
    ]
}

/// Reads temporary stays: a visit, a trip.
fn away(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let skip = match (clause.verb, words) {
        ("stay", ["in" | "at", ..]) | ("travel" | "fly" | "go" | "drive" | "head", ["to", ..]) => 1,
        ("go" | "fly" | "travel" | "drive" | "head", ["on", "holiday" | "vacation", "to" | "in", ..]) => 3,
        (
            "go" | "fly" | "travel" | "drive" | "head",
            ["back" | "over" | "down" | "up" | "home", "to", ..],
        ) => 2,
        ("visit", _) => 0,
        _ => return Vec::new(),
    };
    let target = clause.after(skip);
    let place = place(clause.text, target).filter(|_| target.first().is_some_and(|token| token.is_capital));
    let Some(place) = place.filter(|_| !clause.negated) else { return Vec::new() };
    if clause.verb == "stay"
        && !clause.progressive
        && clause.tense == Tense::Present
        && clause.whens.iter().all(|when| when.kind == TimeKind::Since)
    {
        return vec![home(clause, place).sure(0.7)];
    }
    let future = clause.is_ahead() || (clause.progressive && clause.tense == Tense::Present);
    let day = clause.when(&[TimeKind::At, TimeKind::Until]);
    if clause.verb == "stay" && clause.progressive && clause.tense == Tense::Present && !clause.is_ahead() {
        return vec![whereabouts(clause, &place)];
    }
    if future && (day.is_some() || clause.tense == Tense::Future || clause.verb != "go") {
        return vec![
            FactDraft::new(
                FactCategory::Event,
                FactSlot::of(SlotKind::Plan, "trip"),
                place.clone(),
                dated(clause, &format!("travels to {place}")),
            )
            .event(),
        ];
    }
    if matches!(clause.tense, Tense::Past) && day.is_some() {
        let says =
            if clause.verb == "stay" { format!("stayed in {place}") } else { format!("went to {place}") };
        return vec![
            FactDraft::new(
                FactCategory::Event,
                FactSlot::of(SlotKind::Plan, "past trip"),
                place,
                dated(clause, &says),
            )
            .event(),
        ];
    }
    Vec::new()
}

fn whereabouts(clause: &Clause<'_>, place: &str) -> FactDraft {
    let week = clause.today.checked_add(7.days()).unwrap_or(clause.today);
    let until = clause
        .when(&[TimeKind::At])
        .filter(|when| when.to >= clause.today)
        .map(|when| when.to.checked_add(1.day()).unwrap_or(when.to));
    // *For two weeks* is the duration of the stay, which is still to come.
    let stay = clause.when(&[TimeKind::Since]).map(|when| clause.today - when.from);
    let until = until.or_else(|| stay.and_then(|days| clause.today.checked_add(days).ok()));
    FactDraft::new(
        FactCategory::Context,
        FactSlot::new(SlotKind::Whereabouts),
        place,
        format!("is in {place}"),
    )
    .sure(0.7)
    .expiring(until.unwrap_or(week))
}

fn is(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    match words {
        ["originally", "from", ..] => origin_from(clause, clause.after(2)),
        ["from", ..] => origin_from(clause, clause.after(1)),
        ["a", .., "resident" | "local" | "citizen"]
            if clause.rest.get(1).is_some_and(|token| token.is_capital) =>
        {
            let place = value::name_of(clause.text, &clause.rest[1..clause.rest.len() - 1]);
            vec![home(clause, place)]
        }
        ["a", "resident", "of", ..] => home_at(clause, clause.after(3)).into_iter().collect(),
        ["at", "home", "in", ..] => home_at(clause, clause.after(3)).into_iter().collect(),
        ["residents" | "citizens", "of", ..] => home_at(clause, clause.after(2)).into_iter().collect(),
        ["back" | "over" | "up" | "down" | "out", "in", ..] | ["in", ..] => {
            let skip = if words[0] == "in" { 1 } else { 2 };
            let target = clause.after(skip);
            let Some(place) = place(clause.text, target).filter(|_| target[0].is_capital && !clause.negated)
            else {
                return Vec::new();
            };
            if words.ends_with(&["for", "good"]) {
                return vec![home(clause, place)];
            }
            let for_long = clause
                .when(&[TimeKind::Since])
                .is_some_and(|when| (clause.today - when.from).get_days() > 60);
            if for_long && clause.tense == Tense::Perfect {
                return vec![home(clause, place).sure(0.75)];
            }
            if clause.tense != Tense::Present || clause.is_ahead() {
                let trip = clause.is_ahead()
                    || (clause.tense == Tense::Past && clause.when(&[TimeKind::At]).is_some());
                let says =
                    if clause.is_ahead() { format!("will be in {place}") } else { format!("was in {place}") };
                return if trip {
                    vec![
                        FactDraft::new(
                            FactCategory::Event,
                            FactSlot::of(SlotKind::Plan, "trip"),
                            place,
                            dated(clause, &says),
                        )
                        .event(),
                    ]
                } else {
                    Vec::new()
                };
            }
            vec![whereabouts(clause, &place)]
        }
        [first, ..] if first.ends_with("-based") => {
            let place = value::name_of(clause.text, &clause.rest[..1]);
            let place = place.trim_end_matches("-based").to_owned();
            vec![home(clause, place)]
        }
        _ => Vec::new(),
    }
}

fn origin_from(clause: &Clause<'_>, tokens: &[WordToken]) -> Vec<FactDraft> {
    let (tokens, old) = value::replaced(tokens);
    let Some(place) = place(clause.text, tokens).filter(|_| !clause.is_ahead()) else { return Vec::new() };
    let draft = wordings::comes_from(&place).important(0.7);
    let old = old.and_then(|old| value::place(clause.text, old));
    vec![draft.ended_if(clause.negated).replacing(old)]
}
