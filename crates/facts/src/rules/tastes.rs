//! Likes and dislikes.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::fondness::fondness;
use super::replacements::{swaps, switches};
use super::taste_drafts::{taste, tastes, topic, was_so};
use super::value::{object, parts};
use super::wordings;
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::slot::{FactSlot, SlotKind};
use crate::token::WordToken;
use crate::verbs::{self, VerbForm};

pub fn read(clause: &Clause<'_>) -> Vec<FactDraft> {
    if clause.tense == Tense::Future || clause.wishes {
        return Vec::new();
    }
    let words = clause.words();
    let rest = &clause.rest;
    let yes = !clause.negated;
    match (clause.verb, words.as_slice()) {
        ("like" | "love" | "adore" | "enjoy" | "fancy" | "dig" | "appreciate" | "treasure" | "crave", _) => {
            if clause.progressive && matches!(clause.verb, "crave" | "fancy") {
                return Vec::new();
            }
            let skip = usize::from(words.first() == Some(&"to"));
            let action = skip == 1
                || rest.first().is_some_and(|token| {
                    verbs::lemma(&token.low).is_some_and(|(_, form)| form == VerbForm::Gerund)
                });
            let tokens = &rest[skip.min(rest.len())..];
            // *I enjoyed the film*, *I loved the party*: single experiences, not tastes.
            if clause.tense == Tense::Past && !clause.is_over() && !clause.hints.often && yes {
                return Vec::new();
            }
            if matches!(words.first(), Some(&("the" | "this")))
                && rest.len() <= 3
                && clause.verb == "like"
                && clause.tense == Tense::Past
            {
                return Vec::new();
            }
            if action { activity(clause, tokens, yes) } else { compared(clause, tokens, yes) }
        }
        ("prefer", _) => prefers(clause, &words, yes),
        ("hate" | "dislike" | "detest" | "loathe" | "despise", _) => {
            let skip = usize::from(words.first() == Some(&"to"));
            if words.contains(&"that") || clause.negated {
                return if clause.negated && clause.hints.is_over {
                    tastes(clause, rest, true)
                } else {
                    Vec::new()
                };
            }
            if skip == 1 { Vec::new() } else { tastes(clause, rest, false) }
        }
        ("stand" | "bear" | "stomach" | "tolerate", _) if clause.able && !yes => {
            if words.contains(&"up") || words.contains(&"to") {
                Vec::new()
            } else {
                tastes(clause, rest, false)
            }
        }
        ("care", ["for", ..]) if !yes => tastes(clause, &rest[1..], false),
        ("get", ["enough", "of", ..]) if clause.able && !yes => tastes(clause, &rest[2..], true),
        ("live", ["without", ..]) if clause.able && !yes => tastes(clause, &rest[1..], true),
        ("get", ["into", ..])
            if clause.tense != Tense::Present
                && rest.len() <= 4
                && yes
                // *I got into Stanford*
                && !rest.get(1).is_some_and(|token| token.is_capital && !lexicon::is_likeable(&token.low))
                && !words.iter().any(|word| words!(
                    "trouble bed a an the my it university state college school med law programme program"
                ).contains(*word)) =>
        {
            tastes(clause, &rest[1..], true)
        }
        ("get", ["into", ..]) => Vec::new(),
        ("get", ["bored" | "tired" | "sick", "of", ..]) => tastes(clause, &rest[2..], false),
        ("get", ["hooked", "on", ..]) => tastes(clause, &rest[2..], true),
        ("fall", ["in", "love", "with", ..]) if !rest.get(3).is_some_and(|token| token.is_capital) => {
            tastes(clause, &rest[3..], yes)
        }
        ("fall", ["out", "of", "love", "with", ..]) => tastes(clause, &rest[4..], !yes),
        ("go", ["off", ..])
            if clause.tense != Tense::Present
                && !matches!(words.get(1), Some(&("on" | "to" | "the" | "and"))) =>
        {
            tastes(clause, &rest[1..], !yes)
        }
        ("develop" | "acquire", ["a", "taste" | "liking" | "love" | "passion", "for", ..]) => {
            tastes(clause, clause.after(3), yes)
        }
        ("come" | "warm", ["around" | "round" | "up", "to", ..])
            if clause.tense != Tense::Present
                && (clause.verb, words[0]) != ("come", "up")
                && !clause.rest.get(2).is_some_and(|token| token.is_capital) =>
        {
            tastes(clause, clause.after(2), yes)
        }
        ("warm", ["to", ..]) if clause.tense != Tense::Present => tastes(clause, clause.after(1), yes),
        ("have" | "get", ["enough", "of", ..]) if yes && clause.tense != Tense::Present => {
            tastes(clause, clause.after(2), false)
        }
        ("stop", ["listening", "to", ..])
        | ("stop", ["eating" | "drinking" | "playing" | "watching" | "reading", ..])
            if clause.able && !yes =>
        {
            let skip = if words[0] == "listening" { 2 } else { 1 };
            tastes(clause, clause.after(skip), true)
        }
        ("have", ["it", "with", ..]) if clause.tense != Tense::Present => {
            tastes(clause, clause.after(2), false)
        }
        ("move", ["on", "from", ..]) if clause.tense != Tense::Present && yes => {
            let Some(old) = object(clause.text, clause.after(2)) else { return Vec::new() };
            let known = lexicon::family_of(&old).is_some();
            let over = wordings::gave_up(&old);
            if known { vec![over] } else { Vec::new() }
        }
        ("resist", _) if clause.able && !yes => tastes(clause, rest, true),
        ("grow", ["fond", "of", ..]) => tastes(clause, clause.after(2), yes),
        ("grow", ["tired" | "sick" | "weary", "of", ..]) => tastes(clause, clause.after(2), !yes),
        ("lose", ["interest", "in", ..]) => tastes(clause, &rest[2..], !yes),
        ("lose", ["my", "taste" | "love" | "appetite", "for" | "of", ..]) => {
            tastes(clause, &rest[3..], false)
        }
        (
            "come" | "grow" | "learn" | "begin" | "start",
            ["to", "like" | "love" | "enjoy" | "appreciate" | "prefer", ..],
        ) => tastes(clause, &rest[2..], true),
        ("come" | "grow" | "begin" | "start", ["to", "hate" | "dislike" | "detest" | "loathe", ..]) => {
            tastes(clause, &rest[2..], false)
        }
        ("start" | "begin", ["liking" | "loving" | "enjoying", ..]) => tastes(clause, &rest[1..], true),
        ("start" | "begin", ["hating" | "disliking", ..]) => tastes(clause, &rest[1..], false),
        ("stop", ["liking" | "loving" | "enjoying", ..]) => tastes(clause, &rest[1..], false),
        ("stop", ["hating" | "disliking", ..]) => tastes(clause, &rest[1..], true),
        ("have", ["a", "soft", "spot" | "weakness", "for", ..]) => tastes(clause, &rest[4..], yes),
        ("have", ["a", "thing" | "weakness" | "passion", "for", ..]) => tastes(clause, &rest[3..], yes),
        ("change" | "switch", _) if words.contains(&"favourite") => Vec::new(),
        ("change", _)
            if words.contains(&"from")
                && words.contains(&"to")
                && !matches!(words.first(), Some(&("my" | "the" | "our")))
                && !words.contains(&"name")
                && !words.contains(&"job") =>
        {
            switches(clause, &words)
        }
        // *The doctor changed my tablets* is not about a taste.
        ("convert" | "switch", ["my" | "the" | "our", ..])
            if clause.subject != crate::mentions::ClauseSubject::Me =>
        {
            Vec::new()
        }
        ("convert" | "switch", _) => switches(clause, &words),
        ("swap" | "trade" | "exchange" | "ditch" | "replace" | "drop" | "abandon" | "substitute", _) => {
            swaps(clause, &words)
        }
        ("obsess", ["with" | "over" | "about", ..]) => tastes(clause, &rest[1..], yes),
        // *I'm done with the dishes*
        ("do", ["with", "the" | "my" | "our" | "this" | "that" | "work" | "school", ..]) => Vec::new(),
        ("do", ["with", ..]) if yes => tastes(clause, &rest[1..], false),
        ("avoid", _) if clause.tense == Tense::Present && yes && !clause.is_over() && !rest.is_empty() => {
            tastes(clause, rest, false)
        }
        ("outgrow", _) => tastes(clause, rest, false),
        ("be" | "become" | "get" | "turn", _) => fondness(clause, &words, yes),
        _ => Vec::new(),
    }
}

/// Reads liked activities: `I love to cook`, `I love cooking`.
fn activity(clause: &Clause<'_>, tokens: &[WordToken], likes: bool) -> Vec<FactDraft> {
    let Some(first) = tokens.first() else { return Vec::new() };
    // *I don't like to complain* introduces a complaint.
    if words!("complain brag boast bother rush impose interrupt lie admit").contains(first.low.as_str()) {
        return Vec::new();
    }
    let Some((base, _)) = verbs::lemma(&first.low) else { return tastes(clause, tokens, likes) };
    if words!("be see think know have hear say talk chat").contains(base) {
        return Vec::new();
    }
    let Some(whole) = object(clause.text, tokens) else { return Vec::new() };
    let (head, tail) = whole.split_once(' ').unwrap_or((&whole, ""));
    let doing = if head.ends_with("ing") { head.to_owned() } else { verbs::gerund(base) };
    let whole = format!("{doing} {tail}").trim().to_owned();
    let whole = whole.strip_suffix(" before").unwrap_or(&whole);
    let past = was_so(clause);
    let mut found = Vec::new();
    for part in parts(whole) {
        let mut draft = taste(&part, likes);
        if past {
            draft.says = draft.says.replacen("likes ", "liked ", 1);
            draft = draft.past(true);
        }
        found.push(draft);
    }
    found
}

/// Reads comparisons: `I like tea more than coffee`.
fn compared(clause: &Clause<'_>, tokens: &[WordToken], likes: bool) -> Vec<FactDraft> {
    let than = tokens.iter().position(|token| token.low == "than");
    let most = tokens
        .last()
        .filter(|last| matches!(last.low.as_str(), "best" | "most") && likes && tokens.len() > 1);
    if most.is_some()
        && let Some(value) = object(clause.text, &tokens[..tokens.len() - 1])
        && let Some(family) = lexicon::family_of(&value)
    {
        return vec![
            FactDraft::new(
                FactCategory::Preference,
                FactSlot::of(SlotKind::Favourite, family),
                value.clone(),
                format!("favourite {family} is {value}"),
            )
            .important(0.6)
            .past(clause.is_over())
            .begins(),
        ];
    }
    let end = than.map_or(tokens.len() - usize::from(most.is_some()), |than| {
        tokens[..than]
            .iter()
            .rposition(|token| matches!(token.low.as_str(), "more" | "better"))
            .unwrap_or(than)
    });
    tastes(clause, &tokens[..end], likes)
}

fn prefers(clause: &Clause<'_>, words: &[&str], yes: bool) -> Vec<FactDraft> {
    if !yes {
        return Vec::new();
    }
    let over = words.iter().position(|word| matches!(*word, "to" | "over" | "than")).filter(|at| *at > 0);
    let end = over.unwrap_or(clause.rest.len());
    let skip = usize::from(words.first() == Some(&"to"));
    if skip == 1 {
        return activity(clause, clause.after(1), true);
    }
    let Some(whole) = object(clause.text, &clause.rest[..end]) else { return Vec::new() };
    let past = clause.is_over() || clause.tense == Tense::Past;
    let other = over.and_then(|at| object(clause.text, clause.after(at + 1)));
    let says = match &other {
        Some(other) => format!("prefers {whole} to {other}"),
        None => format!("prefers {whole}"),
    };
    let says = if past { says.replacen("prefers", "preferred", 1) } else { says };
    let mut found = vec![
        FactDraft::new(FactCategory::Preference, FactSlot::of(SlotKind::Taste, topic(&whole)), "likes", says)
            .past(past)
            .begins(),
    ];
    // A slot per family lets a new preference replace the previous one of that family.
    let family = lexicon::family_of(&whole);
    if let (Some(family), false) = (family, past) {
        found.push(
            FactDraft::new(
                FactCategory::Preference,
                FactSlot::of(SlotKind::Property, format!("preferred {family}")),
                whole.clone(),
                format!("prefers {whole} as a {family}"),
            )
            .sure(0.7)
            .begins(),
        );
    }
    found
}
