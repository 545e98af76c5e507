//! Changes of home: moving, leaving, a new flat.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::home_drafts::{home, home_at, household, move_plan};
use super::value::{self, place};
use super::wordings;
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::slot::{FactSlot, SlotKind};

pub(super) fn moves(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    if words.starts_with(&["up", "to"]) && lexicon::is_occupation(&words[2..]) {
        return Vec::new();
    }
    let from = words.iter().position(|word| *word == "from" || *word == "of");
    let to = words.iter().position(|word| matches!(*word, "to" | "into"));
    if words.first().is_some_and(|word| {
        // *We moved our office to Paris*: the object moved, not the people.
        words!(
            "on forward past mountains heaven me my the it furniture money up closer our his her their your this that \
            these those some a an everything him them people"
        )
        .contains(*word)
    }) && !matches!(words, ["up", "to", ..])
    {
        return Vec::new();
    }
    if clause.verb == "return" && to.is_none() {
        return Vec::new();
    }
    let coming =
        clause.is_ahead() || clause.progressive && clause.tense == Tense::Present && !clause.hints.is_now;
    if matches!(words.first(), Some(&("in" | "together"))) && coming {
        return Vec::new();
    }
    if matches!(words.first(), Some(&("in" | "together"))) && !clause.negated {
        let with = words.starts_with(&["in", "with"]).then(|| household(clause, clause.after(2))).flatten();
        let inside = words.iter().skip(1).position(|word| *word == "in").map(|at| at + 2);
        let home = inside
            .filter(|at| clause.rest.get(*at).is_some_and(|token| token.is_capital))
            .and_then(|at| home_at(clause, clause.after(at)));
        return with.into_iter().chain(home).collect();
    }
    let ahead = coming;
    if let Some(to) = to {
        let target = clause.after(to + 1);
        // `to a new flat in Lyon`
        let inner = target
            .iter()
            .position(|token| matches!(token.low.as_str(), "in" | "near" | "outside"))
            .filter(|at| *at > 0 && *at <= 5);
        let into_a_place = target.first().is_some_and(|token| {
            words!("a an the our my his her another new their").contains(token.low.as_str())
        });
        let target = match inner {
            Some(at) if into_a_place => &target[at + 1..],
            _ => target,
        };
        let (target, old) = value::replaced(target);
        let Some(place) =
            place(clause.text, target).filter(|_| !matches!(clause.verb, "transfer") || target[0].is_capital)
        else {
            // *I moved to the front* is not a move of home.
            let dwelling = target.iter().any(|token| is_dwelling(&token.low) && token.low != "room");
            return if dwelling { ended_without_name(clause, ahead) } else { Vec::new() };
        };
        if clause.negated {
            return Vec::new();
        }
        if matches!(lexicon::family_of(&place), Some("drink" | "food")) && !ahead {
            let old = from.and_then(|from| value::object(clause.text, clause.rest.get(from + 1..to)?));
            return super::replacements::exchanged(&place.to_lowercase(), old);
        }
        if ahead {
            return vec![move_plan(clause, &place)];
        }
        let old = old.and_then(|old| value::place(clause.text, old));
        let old = old.or_else(|| value::place(clause.text, clause.rest.get(from? + 1..)?));
        let before = old.clone().filter(|_| !clause.is_over()).map(|old| wordings::lived(&old));
        return std::iter::once(home(clause, place).replacing(old).changed()).chain(before).collect();
    }
    if let Some(from) = from
        && !ahead
        && !clause.negated
        && let Some(place) = place(clause.text, clause.after(from + 1))
    {
        return vec![wordings::left_home(&place)];
    }
    if matches!(
        words.first(),
        None | Some(&("house" | "away" | "houses" | "out" | "flat" | "home" | "apartments" | "back"))
    ) {
        return ended_without_name(clause, ahead);
    }
    Vec::new()
}

/// Reads a move without a destination: *We moved last week* ends the old home.
pub(super) fn ended_without_name(clause: &Clause<'_>, ahead: bool) -> Vec<FactDraft> {
    let done = matches!(clause.tense, Tense::Past | Tense::Perfect)
        && !ahead
        && !clause.negated
        && clause.verb != "return"
        && clause.verb != "transfer"
        && clause.verb != "shift";
    let own = matches!(clause.subject, crate::mentions::ClauseSubject::Me);
    let plain = clause.rest.iter().all(|token| !token.is_capital) && clause.rest.len() <= 6;
    // *We lived there until I moved away* is about the distant past.
    let before = clause.text.get(..clause.range.start).unwrap_or_default().trim_end().to_lowercase();
    let after = clause.text.get(clause.range.start..).unwrap_or_default().to_lowercase();
    let past = ["until", "till", "before", "since"].iter().any(|word| before.ends_with(word))
        || ["years ago", "decades ago", "long ago"].iter().any(|time| after.contains(time));
    if done && own && plain && !clause.is_over() && !past {
        return vec![
            FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Home), "", "moved away")
                .ended()
                .sure(0.6),
        ];
    }
    Vec::new()
}

pub(super) fn leaves(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let done = matches!(clause.tense, Tense::Past | Tense::Perfect) && !clause.negated;
    let to = words.iter().position(|word| *word == "for");
    let capital = clause.rest.first().is_some_and(|token| token.is_capital);
    let good = words.ends_with(&["for", "good"]) || words.ends_with(&["behind"]);
    if !done || !capital || (to.is_none() && !good) {
        return Vec::new();
    }
    // One also leaves one company for another: unless the place is clear, it counts as work.
    if good {
        let end = to.unwrap_or(words.len() - 1);
        // *I left Acme behind*
        let known = |place: &String| !words.ends_with(&["behind"]) || lexicon::is_city(&place.to_lowercase());
        let place = place(clause.text, &clause.rest[..end]).filter(known);
        return place.map(|place| wordings::left_home(&place)).into_iter().collect();
    }
    Vec::new()
}

pub(super) fn swaps(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let Some(at) = words.iter().position(|word| *word == "for").filter(|at| *at > 0) else {
        return Vec::new();
    };
    let done = matches!(clause.tense, Tense::Past | Tense::Perfect) && !clause.negated;
    // *I swapped Emma for Coldplay on the poster*
    let is_place = |at: usize| {
        clause.rest.get(at).is_some_and(|token| {
            !lexicon::is_company(&token.low)
                && (!lexicon::is_given_name(&token.low) || lexicon::is_city(&token.low))
        })
    };
    let names = is_place(0)
        && is_place(at + 1)
        && clause.rest[0].is_capital
        && clause.rest.get(at + 1).is_some_and(|token| token.is_capital);
    if !done || !names {
        return Vec::new();
    }
    match (place(clause.text, &clause.rest[..at]), place(clause.text, clause.after(at + 1))) {
        (Some(old), Some(place)) => {
            vec![home(clause, place).replacing(Some(old.clone())).sure(0.75), wordings::lived(&old)]
        }
        _ => Vec::new(),
    }
}

pub(super) fn is_dwelling(word: &str) -> bool {
    words!(
        "flat apartment house place room studio condo home cottage bungalow townhouse loft maisonette \
        bedsit houseboat"
    )
    .contains(word)
}

pub(super) fn new_place(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let Some(at) = words.iter().take(6).position(|word| is_dwelling(word)) else { return Vec::new() };
    let owned = matches!(words.first(), Some(&("a" | "an" | "our" | "my" | "the" | "new")))
        && !words.contains(&"holiday")
        && !words.contains(&"vacation")
        && !words.contains(&"summer")
        && !words.contains(&"airbnb")
        && !words.iter().any(|word| matches!(*word, "weekend" | "night" | "nights" | "hotel"));
    let owned = owned && (words[at] != "room" || clause.verb == "rent");
    let inside = words[at + 1..].iter().position(|word| matches!(*word, "in" | "near" | "outside"));
    let (Some(inside), true) = (inside, owned && !clause.negated) else { return Vec::new() };
    if clause.is_ahead() {
        return Vec::new();
    }
    home_at(clause, clause.after(at + 2 + inside)).into_iter().map(|draft| draft.sure(0.75)).collect()
}
