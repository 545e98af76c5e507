//! Home, origin and short stays.

use jiff::ToSpan;
use protocol::FactCategory;

use super::Draft;
use super::moving::{leaves, move_plan, moves, new_place, swaps};
use super::says;
use super::value::{self, place};
use crate::clause::{Clause, Tense};
use crate::slot::{Kind, Slot};
use crate::time::Sort;
use crate::token::Token;
use crate::verbs::Form;

pub fn read(clause: &Clause<'_>) -> Vec<Draft> {
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
            home_at(clause, clause.after(3)).into_iter().map(Draft::changed).collect()
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

pub(super) fn home(clause: &Clause<'_>, place: String) -> Draft {
    // Learners of English may say *before many years* for *many years ago*.
    let said = clause.text.to_lowercase();
    let ago = clause.tense == Tense::Perfect && said.contains("before ") && said.contains(" years i ");
    let young = clause.tense == Tense::Perfect
        && ["when i was young", "when i was little", "when i was a "].iter().any(|time| said.contains(time));
    // *We settled there ages ago and never left*
    let stayed = ["never left", "still am", "still are", "still here", "thought of leaving"]
        .iter()
        .any(|words| said.contains(words))
        && moved(clause);
    let past = !stayed && clause.is_over() || ago || young || (clause.tense == Tense::Past && !moved(clause));
    let says = if past { format!("lived in {place}") } else { format!("lives in {place}") };
    let draft = Draft::new(FactCategory::Personal, Slot::new(Kind::Home), place, says).important(0.8);
    let draft = if past { draft.past(true) } else { draft.begins() };
    draft.ended_if(clause.negated && !past).sure(if clause.negated { 0.85 } else { 0.92 })
}

/// Returns true if the verb tells of a change that led to the present state.
fn moved(clause: &Clause<'_>) -> bool {
    !words!("live reside be stay dwell base have rent call spend").contains(clause.verb)
        && clause.tense != Tense::Used
}

pub(super) fn home_at(clause: &Clause<'_>, tokens: &[Token]) -> Option<Draft> {
    let (tokens, old) = value::replaced(tokens);
    let place = place(clause.text, tokens)?;
    if clause.is_ahead() && clause.verb != "live" {
        return Some(move_plan(clause, &place));
    }
    if clause.tense == Tense::Future {
        return None;
    }
    let old = old.and_then(|old| value::place(clause.text, old));
    Some(home(clause, place).replacing(old))
}

fn lives(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
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
            let mut found: Vec<Draft> = Vec::new();
            if let Some(mut draft) = home_at(clause, clause.after(at + 1)) {
                let near = words[at];
                if matches!(near, "near" | "outside" | "by" | "on" | "around" | "at") {
                    draft.says = draft.says.replacen(" in ", &format!(" {near} "), 1);
                }
                // *I live in a small flat* describes the home but tells neither the place nor a move.
                if value::is_described(&draft.value) {
                    draft.slot = Some(Slot::of(Kind::Property, "dwelling"));
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
            let draft =
                Draft::new(FactCategory::Personal, Slot::new(Kind::Household), "alone", "lives alone");
            vec![draft.past(clause.is_over()).ended_if(clause.negated)]
        }
        _ => Vec::new(),
    }
}

pub(super) fn household(clause: &Clause<'_>, tokens: &[Token]) -> Option<Draft> {
    if clause.tense == Tense::Future {
        return None;
    }
    let whom =
        value::upto(tokens, |word| value::is_stop(word) || matches!(word, "in" | "at" | "near" | "now"));
    let whom: Vec<Token> =
        whom.iter().filter(|token| !matches!(token.low.as_str(), "my" | "our")).cloned().collect();
    let value = value::text_of(clause.text, &whom);
    let fits = !value.is_empty()
        && !value::has_blank(&whom)
        && whom.len() <= 5
        && !words!("it that this him her them adhd anxiety depression diabetes asthma pain regret")
            .contains(whom[0].low.as_str());
    fits.then(|| {
        Draft::new(
            FactCategory::Personal,
            Slot::new(Kind::Household),
            value.clone(),
            format!("lives with {value}"),
        )
        .past(clause.is_over())
        .ended_if(clause.negated)
        .begins()
    })
}

fn origin(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    let (skip, says) = match (clause.verb, words) {
        ("grow", ["up", "in" | "on" | "near", ..]) => (2, "grew up in"),
        ("raise", ["in" | "on", ..]) if clause.form != Form::Base => (1, "grew up in"),
        // *I just came from Berlin* is about a journey.
        ("hail" | "come", ["from", ..]) if clause.tense == Tense::Present && !clause.progressive => {
            (1, "comes from")
        }
        ("come", ["originally", "from", ..]) => (2, "comes from"),
        ("bear", ["in", ..]) if clause.form != Form::Base => (1, "was born in"),
        ("bear", ["and", "raised", "in", ..]) => (3, "was born in"),
        _ => return Vec::new(),
    };
    let Some(place) = place(clause.text, clause.after(skip)) else { return Vec::new() };
    if clause.negated {
        return vec![
            Draft::new(
                FactCategory::Personal,
                Slot::new(Kind::Origin),
                place.clone(),
                format!("does not come from {place}"),
            )
            .ended(),
        ];
    }
    vec![
        Draft::new(FactCategory::Personal, Slot::new(Kind::Origin), place.clone(), format!("{says} {place}"))
            .important(0.7),
    ]
}

/// Reads temporary stays: a visit, a trip.
fn away(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
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
        && clause.whens.iter().all(|when| when.sort == Sort::Since)
    {
        return vec![home(clause, place).sure(0.7)];
    }
    let future = clause.is_ahead() || (clause.progressive && clause.tense == Tense::Present);
    let day = clause.when(&[Sort::At, Sort::Until]);
    if clause.verb == "stay" && clause.progressive && clause.tense == Tense::Present && !clause.is_ahead() {
        return vec![whereabouts(clause, &place)];
    }
    if future && (day.is_some() || clause.tense == Tense::Future || clause.verb != "go") {
        return vec![
            Draft::new(
                FactCategory::Event,
                Slot::of(Kind::Plan, "trip"),
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
            Draft::new(FactCategory::Event, Slot::of(Kind::Plan, "past trip"), place, dated(clause, &says))
                .event(),
        ];
    }
    Vec::new()
}

fn whereabouts(clause: &Clause<'_>, place: &str) -> Draft {
    let week = clause.today.checked_add(7.days()).unwrap_or(clause.today);
    let until = clause
        .when(&[Sort::At])
        .filter(|when| when.to >= clause.today)
        .map(|when| when.to.checked_add(1.day()).unwrap_or(when.to));
    // *For two weeks* is the duration of the stay, which is still to come.
    let stay = clause.when(&[Sort::Since]).map(|when| clause.today - when.from);
    let until = until.or_else(|| stay.and_then(|days| clause.today.checked_add(days).ok()));
    Draft::new(FactCategory::Context, Slot::new(Kind::Whereabouts), place, format!("is in {place}"))
        .sure(0.7)
        .expiring(until.unwrap_or(week))
}

/// Appends the date that the clause names, so that the sentence is self-contained.
pub fn dated(clause: &Clause<'_>, says: &str) -> String {
    match clause.when(&[Sort::At, Sort::Until]) {
        // *By next summer* names the last day.
        Some(when) if when.sort == Sort::Until => {
            let said = clause.text.get(clause.range.clone()).unwrap_or_default().to_lowercase();
            let until = if said.split(' ').any(|word| word == "by") { "by" } else { "until" };
            let far = (when.to - clause.today).get_days() > 31;
            let day = if far { when.to.strftime("%B %Y").to_string() } else { when.to.to_string() };
            format!("{says} {until} {day}")
        }
        Some(when) if when.from == when.to => format!("{says} on {}", when.from),
        Some(when) if (when.to - when.from).get_days() <= 7 => format!("{says} in the week of {}", when.from),
        Some(when) if (when.to - when.from).get_days() > 300 => format!("{says} in {}", when.from.year()),
        Some(when) => format!("{says} around {}", when.from.strftime("%B %Y")),
        None => says.to_owned(),
    }
}

fn is(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
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
            let for_long =
                clause.when(&[Sort::Since]).is_some_and(|when| (clause.today - when.from).get_days() > 60);
            if for_long && clause.tense == Tense::Perfect {
                return vec![home(clause, place).sure(0.75)];
            }
            if clause.tense != Tense::Present || clause.is_ahead() {
                let trip =
                    clause.is_ahead() || (clause.tense == Tense::Past && clause.when(&[Sort::At]).is_some());
                let says =
                    if clause.is_ahead() { format!("will be in {place}") } else { format!("was in {place}") };
                return if trip {
                    vec![
                        Draft::new(
                            FactCategory::Event,
                            Slot::of(Kind::Plan, "trip"),
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

fn origin_from(clause: &Clause<'_>, tokens: &[Token]) -> Vec<Draft> {
    let (tokens, old) = value::replaced(tokens);
    let Some(place) = place(clause.text, tokens).filter(|_| !clause.is_ahead()) else { return Vec::new() };
    let draft = says::comes_from(&place).important(0.7);
    let old = old.and_then(|old| value::place(clause.text, old));
    vec![draft.ended_if(clause.negated).replacing(old)]
}
