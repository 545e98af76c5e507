//! What somebody likes, eats, and does again and again.

use jiff::ToSpan;
use protocol::FactCategory;

use super::Draft;
use super::value::{self, object, parts};
use crate::facts::clause::{Clause, Tense};
use crate::facts::lexicon;
use crate::facts::slot::{Kind, Slot};
use crate::facts::subject::Subject;
use crate::facts::token::Token;
use crate::facts::verbs::{self, Form};
use crate::recall::terms;

/// What a taste is of, so that two of the same thing meet.
pub fn topic(value: &str) -> String {
    let stems = terms(value);
    if stems.is_empty() { value.to_lowercase() } else { stems.join(" ") }
}

fn taste(value: &str, likes: bool) -> Draft {
    let says = if likes { format!("likes {value}") } else { format!("dislikes {value}") };
    Draft::new(
        FactCategory::Preference,
        Slot::of(Kind::Taste, topic(value)),
        if likes { "likes" } else { "dislikes" },
        says,
    )
    .important(0.5)
}

/// Tastes of what the tokens list.
fn tastes(clause: &Clause<'_>, tokens: &[Token], likes: bool) -> Vec<Draft> {
    let (tokens, old) = value::replaced(tokens);
    let Some(whole) = object(clause.text, tokens) else { return Vec::new() };
    let whole = whole.strip_prefix("the idea of ").unwrap_or(&whole).to_owned();
    let past =
        clause.is_over() || (clause.tense == Tense::Past && !has_turned(clause) && !clause.hints.never);
    let mut found: Vec<Draft> = Vec::new();
    for part in parts(&whole) {
        let part = super::work::own(&part);
        let mut draft = taste(&part, likes);
        if past {
            draft.says = draft.says.replacen("likes ", "liked ", 1);
            draft = draft.past(true);
        }
        found.push(draft.begins());
    }
    if let Some(old) = old.and_then(|old| object(clause.text, old)) {
        found.push(taste(&old, !likes).sure(0.6));
    }
    found
}

/// Whether the verb tells how somebody came to feel so.
fn has_turned(clause: &Clause<'_>) -> bool {
    matches!(
        clause.verb,
        "fall"
            | "go"
            | "start"
            | "begin"
            | "come"
            | "grow"
            | "get"
            | "turn"
            | "discover"
            | "stop"
            | "lose"
            | "become"
            | "switch"
            | "learn"
            | "convert"
            | "change"
    )
}

pub fn read(clause: &Clause<'_>) -> Vec<Draft> {
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
                    verbs::lemma(&token.low).is_some_and(|(_, form)| form == Form::Gerund)
                });
            let tokens = &rest[skip.min(rest.len())..];
            // *I enjoyed the film*, *I loved the party*: once, and no taste.
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
            if skip == 1 {
                activity(clause, tokens, yes)
            } else if action {
                activity(clause, tokens, yes)
            } else {
                compared(clause, tokens, yes)
            }
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
                && !matches!(
                    words.get(1),
                    Some(&("trouble" | "bed" | "a" | "an" | "the" | "my" | "it" | "university" | "uni"))
                ) =>
        {
            tastes(clause, &rest[1..], true)
        }
        ("get", ["bored" | "tired" | "sick", "of", ..]) => tastes(clause, &rest[2..], false),
        ("get", ["hooked", "on", ..]) => tastes(clause, &rest[2..], true),
        ("fall", ["in", "love", "with", ..]) if !rest.get(3).is_some_and(|token| token.is_capital) => {
            tastes(clause, &rest[3..], true)
        }
        ("fall", ["out", "of", "love", "with", ..]) => tastes(clause, &rest[4..], false),
        ("go", ["off", ..])
            if clause.tense != Tense::Present
                && !matches!(words.get(1), Some(&("on" | "to" | "the" | "and"))) =>
        {
            tastes(clause, &rest[1..], false)
        }
        ("develop" | "acquire", ["a", "taste" | "liking" | "love" | "passion", "for", ..]) => {
            tastes(clause, clause.after(3), true)
        }
        ("come" | "warm", ["around" | "round" | "up", "to", ..]) if clause.tense != Tense::Present => {
            tastes(clause, clause.after(2), true)
        }
        ("warm", ["to", ..]) if clause.tense != Tense::Present => tastes(clause, clause.after(1), true),
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
        ("have", ["it", "with", ..]) if clause.tense != Tense::Present => tastes(clause, clause.after(2), false),
        ("move", ["on", "from", ..]) if clause.tense != Tense::Present && yes => {
            let Some(old) = object(clause.text, clause.after(2)) else { return Vec::new() };
            let known = lexicon::family_of(&old).is_some();
            let over = Draft::new(FactCategory::Preference, Slot::of(Kind::Taste, topic(&old)), "likes", format!("gave up {old}")).ended();
            if known { vec![over] } else { Vec::new() }
        }
        ("resist", _) if clause.able && !yes => tastes(clause, rest, true),
        ("grow", ["fond", "of", ..]) => tastes(clause, clause.after(2), true),
        ("grow", ["tired" | "sick" | "weary", "of", ..]) => tastes(clause, clause.after(2), false),
        ("lose", ["interest", "in", ..]) => tastes(clause, &rest[2..], false),
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
        ("change", _) if words.contains(&"from") && words.contains(&"to") && !words.contains(&"name") && !words.contains(&"job") => switches(clause, &words),
        ("convert" | "switch", _) => switches(clause, &words),
        ("swap" | "trade" | "exchange" | "ditch" | "replace" | "drop" | "abandon" | "substitute", _) => {
            swaps(clause, &words)
        }
        ("obsess", ["with" | "over" | "about", ..]) => tastes(clause, &rest[1..], yes),
        ("do", ["with", ..]) if yes => tastes(clause, &rest[1..], false),
        ("avoid", _) if clause.tense == Tense::Present && !rest.is_empty() => tastes(clause, rest, false),
        ("outgrow", _) => tastes(clause, rest, false),
        ("be" | "become" | "get" | "turn", _) => is(clause, &words, yes),
        _ => Vec::new(),
    }
}

/// `I love to cook`, `I love cooking`.
fn activity(clause: &Clause<'_>, tokens: &[Token], likes: bool) -> Vec<Draft> {
    let Some(first) = tokens.first() else { return Vec::new() };
    let Some((base, _)) = verbs::lemma(&first.low) else { return tastes(clause, tokens, likes) };
    if matches!(base, "be" | "see" | "think" | "know" | "have" | "hear" | "say" | "talk" | "chat") {
        return Vec::new();
    }
    let Some(whole) = object(clause.text, tokens) else { return Vec::new() };
    let (head, tail) = whole.split_once(' ').unwrap_or((&whole, ""));
    let doing = if head.ends_with("ing") { head.to_owned() } else { gerund(base) };
    let whole = format!("{doing} {tail}").trim().to_owned();
    let past = clause.is_over();
    let mut found = Vec::new();
    for part in parts(&whole) {
        let mut draft = taste(&part, likes);
        if past {
            draft.says = draft.says.replacen("likes ", "liked ", 1);
            draft = draft.past(true);
        }
        found.push(draft);
    }
    found
}

fn gerund(base: &str) -> String {
    match base {
        "run" | "swim" | "jog" | "knit" | "chat" | "nap" | "shop" => {
            format!("{base}{}ing", &base[base.len() - 1..])
        }
        _ => format!("{}ing", base.strip_suffix('e').filter(|_| base != "see").unwrap_or(base)),
    }
}

/// `I like tea more than coffee`.
fn compared(clause: &Clause<'_>, tokens: &[Token], likes: bool) -> Vec<Draft> {
    let than = tokens.iter().position(|token| token.low == "than");
    let most = tokens
        .last()
        .filter(|last| matches!(last.low.as_str(), "best" | "most") && likes && tokens.len() > 1);
    if most.is_some()
        && let Some(value) = object(clause.text, &tokens[..tokens.len() - 1])
        && let Some(family) = lexicon::family_of(&value)
    {
        return vec![
            Draft::new(
                FactCategory::Preference,
                Slot::of(Kind::Favourite, family),
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

fn prefers(clause: &Clause<'_>, words: &[&str], yes: bool) -> Vec<Draft> {
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
        Draft::new(FactCategory::Preference, Slot::of(Kind::Taste, topic(&whole)), "likes", says)
            .past(past)
            .begins(),
    ];
    // What was said to be liked best gives way, as far as both are of one family.
    let family = lexicon::family_of(&whole);
    if let (Some(family), false) = (family, past) {
        found.push(
            Draft::new(
                FactCategory::Preference,
                Slot::of(Kind::Property, format!("preferred {family}")),
                whole.clone(),
                format!("prefers {whole} as a {family}"),
            )
            .sure(0.7)
            .begins(),
        );
    }
    found
}

/// `I switched from coffee to tea`, `I've switched to decaf`.
fn switches(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    if clause.negated || clause.is_ahead() || clause.tense == Tense::Present && !clause.progressive {
        return Vec::new();
    }
    let at = |wanted: &str| words.iter().position(|word| *word == wanted);
    let (Some(to), from) = (at("to"), at("from")) else { return Vec::new() };
    let new_end = from.filter(|from| *from > to).unwrap_or(clause.rest.len());
    let (new_tokens, instead) = value::replaced(&clause.rest[to + 1..new_end]);
    let Some(new) = object(clause.text, new_tokens) else { return Vec::new() };
    let old = from.and_then(|from| {
        let end = if to > from { to } else { clause.rest.len() };
        object(clause.text, &clause.rest[from + 1..end])
    });
    let old = old
        .or_else(|| instead.and_then(|old| object(clause.text, old)))
        .or_else(|| (to > 0 && from.is_none()).then(|| object(clause.text, &clause.rest[..to])).flatten());
    exchanged(&new, old)
}

/// One thing instead of another: a diet, a thing, or what is drunk and eaten.
pub fn exchanged(new: &str, old: Option<String>) -> Vec<Draft> {
    let new = new.strip_prefix("being ").unwrap_or(new);
    let lower = new.to_lowercase();
    if lexicon::is_diet(lower.trim_start_matches("a ").split(' ').next().unwrap_or("")) {
        return vec![diet_draft(lower.trim_start_matches("a "), false).changed()];
    }
    let family = lexicon::family_of(&lower).or_else(|| old.as_deref().and_then(lexicon::family_of));
    let kind = lower.split(' ').rev().find_map(lexicon::thing);
    if let Some(kind) = kind.filter(|_| family.is_none()) {
        return vec![super::belongings::owns(kind, new).replacing(old).changed()];
    }
    let Some(family) = family else {
        let says = format!("switched to {new}");
        let draft = Draft::new(FactCategory::Behaviour, Slot::of(Kind::Taste, topic(new)), "likes", says)
            .begins()
            .replacing(None);
        let mut found = vec![draft];
        found.extend(old.map(|old| {
            Draft::new(
                FactCategory::Preference,
                Slot::of(Kind::Taste, topic(&old)),
                "likes",
                format!("gave up {old}"),
            )
            .ended()
        }));
        return found;
    };
    let mut found = vec![
        Draft::new(
            FactCategory::Preference,
            Slot::of(Kind::Property, format!("preferred {family}")),
            new,
            format!("switched to {new}"),
        )
        .begins()
        .replacing(old.clone())
        .changed(),
        taste(new, true).begins().sure(0.7),
    ];
    if let Some(old) = old {
        found.push(
            Draft::new(
                FactCategory::Preference,
                Slot::of(Kind::Taste, topic(&old)),
                "likes",
                format!("gave up {old}"),
            )
            .ended(),
        );
        found.push(habit_draft("drink", &old, false).ended());
    }
    if family == "drink" {
        found.push(habit_draft("drink", new, false).sure(0.7));
    }
    found
}

/// `I swapped coffee for tea`, `I replaced coffee with tea`.
fn swaps(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    let done = matches!(clause.tense, Tense::Past | Tense::Perfect) && !clause.negated;
    let at = words.iter().position(|word| matches!(*word, "for" | "with")).filter(|at| *at > 0 && done);
    let Some(at) = at else { return Vec::new() };
    if matches!(words[0], "in" | "my" | "our" | "the") || lexicon::is_vehicle(words) {
        return Vec::new();
    }
    match (object(clause.text, &clause.rest[..at]), object(clause.text, clause.after(at + 1))) {
        (Some(old), Some(new)) if !old.starts_with("my ") && !old.starts_with("the ") => {
            exchanged(&new, Some(old))
        }
        _ => Vec::new(),
    }
}

fn is(clause: &Clause<'_>, words: &[&str], yes: bool) -> Vec<Draft> {
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
        if (phrase == ["over"] || phrase == ["off"])
            && tokens.first().is_none_or(|token| {
                token.is_number()
                    || matches!(
                        token.low.as_str(),
                        "the"
                            | "my"
                            | "here"
                            | "at"
                            | "in"
                            | "there"
                            | "a"
                            | "by"
                            | "to"
                            | "on"
                            | "work"
                            | "today"
                            | "for"
                            | "duty"
                            | "sick"
                            | "school"
                    )
            })
        {
            return Vec::new();
        }
        if matches!(phrase[0], "scared" | "afraid" | "terrified") {
            let Some(value) = object(clause.text, tokens) else { return Vec::new() };
            let past = clause.is_over() || clause.tense == Tense::Past;
            let says = if past { format!("was afraid of {value}") } else { format!("is afraid of {value}") };
            return vec![
                Draft::new(
                    FactCategory::Preference,
                    Slot::of(Kind::Property, format!("fear {}", topic(&value))),
                    value,
                    says,
                )
                .past(past)
                .ended_if(!yes && !past),
            ];
        }
        // Not to be sick of something says little.
        if !likes && !yes {
            return Vec::new();
        }
        return tastes(clause, tokens, likes == yes);
    }
    if words.starts_with(&["more", "of", "a"]) || words.starts_with(&["much", "of", "a"]) {
        let inner = Clause { rest: clause.after(2).to_vec(), ..clause.clone() };
        return is(&inner, &words[2..], yes);
    }
    // `a coffee person`, `a jazz lover`, `a cat person`
    if let [
        "a" | "an",
        what @ ..,
        "person" | "lover" | "drinker" | "eater" | "fan" | "addict" | "enthusiast" | "junkie" | "nerd"
        | "aficionado",
    ] = words
    {
        if !what.is_empty()
            && what.len() <= 3
            && !matches!(
                what[0],
                "nice"
                    | "good"
                    | "bad"
                    | "people"
                    | "better"
                    | "different"
                    | "kind"
                    | "happy"
                    | "shy"
                    | "new"
                    | "changed"
            )
        {
            let tokens: Vec<Token> = clause.rest[1..=what.len()]
                .iter()
                .filter(|token| {
                    !matches!(
                        token.low.as_str(),
                        "big"
                            | "huge"
                            | "real"
                            | "total"
                            | "true"
                            | "massive"
                            | "great"
                            | "passionate"
                            | "keen"
                            | "die-hard"
                            | "proper"
                    )
                })
                .cloned()
                .collect();
            let value = value::text_of(clause.text, &tokens);
            if matches!(what, ["morning"] | ["night"] | ["evening"]) {
                let says = if yes {
                    format!("is a {} person", what[0])
                } else {
                    format!("is not a {} person", what[0])
                };
                return vec![
                    Draft::new(
                        FactCategory::Behaviour,
                        Slot::of(Kind::Property, "chronotype"),
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
                    Draft::new(
                        FactCategory::Preference,
                        Slot::of(Kind::Property, format!("preferred {family}")),
                        value.clone(),
                        format!("drinks {value}"),
                    )
                    .begins(),
                );
            }
            return found;
        }
    }
    if matches!(words, ["a", "night", "owl", ..] | ["an", "early", "bird" | "riser", ..]) && yes {
        let value = words[1..3].join(" ");
        return vec![Draft::new(
            FactCategory::Behaviour,
            Slot::of(Kind::Property, "chronotype"),
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
            Draft::new(
                FactCategory::Behaviour,
                Slot::of(Kind::Property, (*kind).to_owned()),
                if yes { "yes" } else { "no" },
                says,
            )
            .past(past),
        ];
    }
    Vec::new()
}

fn diet_draft(value: &str, past: bool) -> Draft {
    let value = match value {
        "veggie" => "vegetarian",
        other => other,
    };
    let says = match (value, past) {
        (
            "sober" | "teetotal" | "vegan" | "vegetarian" | "pescatarian" | "pescetarian" | "flexitarian",
            false,
        ) => format!("is {value}"),
        (_, true) => format!("was {value}"),
        _ => format!("eats {value}"),
    };
    Draft::new(FactCategory::Preference, Slot::new(Kind::Diet), value, says)
        .important(0.8)
        .sure(0.92)
        .past(past)
        .begins()
}

/// Diets, and what is not eaten.
pub fn diet(clause: &Clause<'_>) -> Vec<Draft> {
    if clause.tense == Tense::Future || clause.wishes {
        return Vec::new();
    }
    let words = clause.words();
    let past = clause.is_over() || (clause.tense == Tense::Past && clause.verb == "be");
    let says_diet = |at: usize| {
        let article = usize::from(matches!(words.get(at), Some(&("a" | "an"))));
        let strict = usize::from(matches!(
            words.get(at + article),
            Some(&("strict" | "full" | "committed" | "lifelong" | "proud" | "fully" | "strictly" | "mostly"))
        ));
        words.get(at + article + strict).copied().filter(|word| lexicon::is_diet(word))
    };
    match clause.verb {
        "be" | "become" | "go" | "turn" | "convert" | "stay" | "live" => {
            let skip = usize::from(matches!(words.first(), Some(&("to" | "full" | "fully" | "on" | "into"))));
            let skip = skip
                + usize::from(
                    matches!(words.get(skip), Some(&"a")) && matches!(words.get(skip + 2), Some(&"diet")),
                );
            if clause.verb == "go" && clause.tense == Tense::Present && !clause.progressive {
                return Vec::new();
            }
            if clause.verb == "go"
                && words.starts_with(&["back", "to", "eating"])
                && clause.tense != Tense::Present
            {
                return eats_again(clause, clause.after(3));
            }
            if clause.verb == "be" && words.starts_with(&["back", "to", "eating"]) {
                return eats_again(clause, clause.after(3));
            }
            let Some(word) = says_diet(skip) else { return Vec::new() };
            if clause.is_ahead() {
                return Vec::new();
            }
            if clause.negated && !past {
                return vec![
                    Draft::new(
                        FactCategory::Preference,
                        Slot::new(Kind::Diet),
                        word,
                        format!("is no longer {word}"),
                    )
                    .ended(),
                ];
            }
            vec![diet_draft(word, past)]
        }
        "eat" | "consume" | "touch" if clause.negated && !past => not_eaten(clause, &words),
        "have" | "tolerate"
            if clause.able
                && clause.negated
                && words.first().is_some_and(|word| {
                    lexicon::family(word) == Some("food")
                        || matches!(
                            *word,
                            "dairy"
                                | "gluten"
                                | "lactose"
                                | "milk"
                                | "sugar"
                                | "alcohol"
                                | "caffeine"
                                | "wheat"
                        )
                }) =>
        {
            not_eaten(clause, &words)
        }
        "eat" if clause.hints.again && clause.tense != Tense::Past => eats_again(clause, &clause.rest),
        "start" | "begin" if words.first() == Some(&"eating") && clause.hints.again => {
            eats_again(clause, clause.after(1))
        }
        "eat" | "follow" if says_diet(0).is_some() => {
            vec![diet_draft(says_diet(0).unwrap_or_default(), past)]
        }
        "consider" if words.first() == Some(&"myself") && says_diet(1).is_some() => {
            vec![diet_draft(says_diet(1).unwrap_or_default(), past)]
        }
        "keep" | "stick" if words.starts_with(&["to", "a"]) && says_diet(2).is_some() => {
            vec![diet_draft(says_diet(2).unwrap_or_default(), past)]
        }
        "keep" if matches!(words.first(), Some(&("kosher" | "halal"))) => {
            vec![diet_draft(words[0], past).ended_if(clause.negated)]
        }
        "stop" | "quit" if matches!(words.first(), Some(&"eating")) && clause.tense != Tense::Present => {
            not_eaten(clause, &words[1..])
        }
        "give" | "cut" if matches!(words.first(), Some(&("up" | "out"))) => {
            let food = words.get(1).copied().unwrap_or("");
            if clause.tense != Tense::Present
                && matches!(
                    food,
                    "meat" | "dairy" | "sugar" | "gluten" | "alcohol" | "fish" | "carbs" | "eating"
                )
            {
                let skip = if food == "eating" { 2 } else { 1 };
                return not_eaten(clause, &words[skip..]);
            }
            Vec::new()
        }
        _ => Vec::new(),
    }
}

fn not_eaten(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    let Some(first) = words.first() else { return Vec::new() };
    if clause.able && matches!(*first, "it" | "that" | "anything") {
        return Vec::new();
    }
    if matches!(*first, "meat" | "animal" | "animals") {
        return vec![
            Draft::new(FactCategory::Preference, Slot::new(Kind::Diet), "no meat", "does not eat meat")
                .important(0.8)
                .changed()
                .begins(),
        ];
    }
    let skip = clause.rest.len() - words.len().min(clause.rest.len());
    let Some(whole) = object(clause.text, clause.after(skip)) else { return Vec::new() };
    let mut found = Vec::new();
    for part in parts(&whole) {
        if clause.able {
            found.push(
                Draft::new(
                    FactCategory::Health,
                    Slot::of(Kind::Allergy, topic(&part)),
                    part.clone(),
                    format!("cannot eat {part}"),
                )
                .important(0.8),
            );
            continue;
        }
        found.push(
            Draft::new(
                FactCategory::Preference,
                Slot::of(Kind::Habit, format!("eat {}", topic(&part))),
                "no",
                format!("does not eat {part}"),
            )
            .important(0.6)
            .begins(),
        );
        found.push(
            Draft::new(
                FactCategory::Preference,
                Slot::of(Kind::Taste, topic(&part)),
                "likes",
                format!("gave up {part}"),
            )
            .ended(),
        );
    }
    found
}

fn eats_again(clause: &Clause<'_>, tokens: &[Token]) -> Vec<Draft> {
    let Some(value) = object(clause.text, tokens) else { return Vec::new() };
    if value
        .split(' ')
        .any(|word| matches!(word, "meat" | "fish" | "everything" | "dairy" | "chicken" | "steak"))
    {
        return vec![
            Draft::new(
                FactCategory::Preference,
                Slot::new(Kind::Diet),
                format!("eats {value}"),
                format!("eats {value} again"),
            )
            .important(0.8)
            .changed()
            .begins(),
        ];
    }
    Vec::new()
}

fn habit_draft(verb: &str, what: &str, past: bool) -> Draft {
    let says =
        if past { format!("used to {verb} {what}") } else { format!("{} {what}", verbs::of_another(verb)) };
    let of = format!("{verb} {}", topic(what));
    Draft::new(FactCategory::Behaviour, Slot::of(Kind::Habit, of.trim()), "yes", says.trim().to_owned())
        .important(0.4)
        .past(past)
}

/// What somebody does, drinks, plays, and what they have stopped.
pub fn habit(clause: &Clause<'_>) -> Vec<Draft> {
    if clause.tense == Tense::Future || clause.wishes || clause.is_ahead() {
        return Vec::new();
    }
    let words = clause.words();
    let past = clause.is_over();
    match (clause.verb, words.as_slice()) {
        (
            "stop" | "quit" | "finish" | "give" | "drop" | "kick" | "abandon" | "cut" | "swear" | "ditch",
            _,
        ) if matches!(clause.tense, Tense::Past | Tense::Perfect) || clause.verb == "quit" => {
            stopped(clause, &words)
        }
        ("start" | "begin" | "take", _)
            if matches!(clause.tense, Tense::Past | Tense::Perfect) && !clause.negated =>
        {
            started(clause, &words)
        }
        ("get" | "wake", ["up", "at", time, ..]) if clause.tense == Tense::Present || past => {
            let value = (*time).to_owned();
            let says = if past { format!("got up at {value}") } else { format!("gets up at {value}") };
            vec![
                Draft::new(FactCategory::Behaviour, Slot::of(Kind::Habit, "at get up"), value, says)
                    .past(past),
            ]
        }
        ("go", ["to", "bed" | "sleep", "at", time, ..]) if clause.tense == Tense::Present => {
            vec![Draft::new(
                FactCategory::Behaviour,
                Slot::of(Kind::Habit, "at bed"),
                (*time).to_owned(),
                format!("goes to bed at {time}"),
            )]
        }
        ("go", [what, ..])
            if clause.tense == Tense::Present && !clause.progressive && what.ends_with("ing") =>
        {
            plain(clause, past)
        }
        ("go", ["to", "the", "gym" | "church" | "mosque" | "pool" | "synagogue" | "temple", ..])
            if clause.tense == Tense::Present && !clause.progressive =>
        {
            plain(clause, past)
        }
        (
            "drink" | "eat" | "smoke" | "vape" | "play" | "watch" | "read" | "listen" | "wear" | "use"
            | "ride" | "meditate" | "exercise" | "jog" | "run" | "cycle" | "swim" | "collect" | "practise"
            | "practice" | "bake" | "cook" | "paint" | "knit" | "garden" | "volunteer" | "commute" | "walk"
            | "climb" | "dance" | "sing" | "hike" | "train" | "take" | "do" | "write" | "sail" | "ski"
            | "surf" | "fish" | "gamble" | "pray" | "sleep" | "support" | "follow" | "speak",
            _,
        ) => plain(clause, past),
        _ => Vec::new(),
    }
}

fn plain(clause: &Clause<'_>, past: bool) -> Vec<Draft> {
    let present = clause.tense == Tense::Present && !clause.progressive
        || clause.progressive && clause.tense == Tense::Perfect
        || clause.hints.is_now && clause.progressive;
    if !(present || past) || clause.able && clause.negated {
        return Vec::new();
    }
    let words = clause.words();
    // Something that the user does needs an object or a rhythm.
    let alone = matches!(
        clause.verb,
        "smoke"
            | "vape"
            | "meditate"
            | "jog"
            | "swim"
            | "knit"
            | "dance"
            | "sing"
            | "gamble"
            | "pray"
            | "climb"
            | "ski"
            | "surf"
            | "paint"
            | "garden"
            | "cycle"
    );
    if words.is_empty() && !alone {
        return Vec::new();
    }
    if matches!(
        clause.verb,
        "do" | "take"
            | "use"
            | "run"
            | "walk"
            | "write"
            | "read"
            | "watch"
            | "follow"
            | "support"
            | "wear"
            | "sleep"
    ) {
        let rhythm = clause.hints.often
            || words.iter().any(|word| {
                matches!(
                    *word,
                    "every"
                        | "daily"
                        | "weekly"
                        | "day"
                        | "times"
                        | "mornings"
                        | "evenings"
                        | "glasses"
                        | "contacts"
                        | "yoga"
                        | "pilates"
                        | "judo"
                        | "karate"
                        | "crossfit"
                        | "medication"
                        | "insulin"
                        | "metformin"
                        | "pills"
                        | "arsenal"
                        | "lot"
                )
            })
            || clause.whens.iter().any(|when| when.sort == crate::facts::time::Sort::Often);
        if !rhythm && !past {
            return Vec::new();
        }
    }
    if let Some(sport) = skill(clause, &words) {
        return vec![sport.past(past)];
    }
    let Some(value) = (if words.is_empty() { Some(String::new()) } else { object_with_rhythm(clause) })
    else {
        return Vec::new();
    };
    let value = super::work::own(&value);
    if clause.negated {
        if clause.hints.is_over {
            let mut found = vec![habit_draft(clause.verb, &value, false).ended()];
            found[0].says = format!("no longer {}s {value}", clause.verb).trim().to_owned();
            if !value.is_empty() && matches!(clause.verb, "drink" | "eat" | "play" | "watch") {
                found.push(
                    Draft::new(
                        FactCategory::Preference,
                        Slot::of(Kind::Taste, topic(&value)),
                        "likes",
                        format!("gave up {value}"),
                    )
                    .ended(),
                );
            }
            return found;
        }
        let says = format!("does not {} {value}", clause.verb);
        let of = format!("{} {}", clause.verb, topic(&value));
        return vec![
            Draft::new(
                FactCategory::Behaviour,
                Slot::of(Kind::Habit, of.trim()),
                "no",
                says.trim().to_owned(),
            )
            .sure(0.8),
        ];
    }
    let mut found = vec![habit_draft(clause.verb, &value, past).sure(0.75)];
    if clause.verb == "drink" && !past && clause.hints.is_now {
        found[0].begins = true;
        found.push(
            Draft::new(
                FactCategory::Preference,
                Slot::of(Kind::Property, "preferred drink"),
                value.clone(),
                format!("drinks {value}"),
            )
            .begins(),
        );
    }
    found
}

fn object_with_rhythm(clause: &Clause<'_>) -> Option<String> {
    let end = clause
        .rest
        .iter()
        .position(|token| {
            matches!(
                token.low.as_str(),
                "because" | "so" | "but" | "when" | "while" | "which" | "if" | "since" | "instead"
            ) || token.low == ","
        })
        .unwrap_or(clause.rest.len());
    let tokens = value::trim(&clause.rest[..end.min(9)]);
    let first = tokens.first()?;
    let vague = matches!(
        first.low.as_str(),
        "it" | "that"
            | "this"
            | "them"
            | "you"
            | "your"
            | "me"
            | "what"
            | "how"
            | "something"
            | "him"
            | "her"
            | "these"
    );
    (!vague && !value::has_blank(tokens)).then(|| value::text_of(clause.text, tokens))
}

/// `I play the guitar`, `I can speak Dutch`.
fn skill(clause: &Clause<'_>, words: &[&str]) -> Option<Draft> {
    match (clause.verb, words) {
        ("play", ["the", tool, ..])
        | (
            "play",
            [
                tool @ ("piano" | "guitar" | "violin" | "drums" | "cello" | "flute" | "bass" | "trumpet"
                | "saxophone" | "chess" | "tennis" | "football" | "basketball"),
            ],
        ) => {
            let value = (*tool).to_owned();
            let ended = clause.negated;
            let says =
                if clause.is_over() { format!("played the {value}") } else { format!("plays the {value}") };
            let says = if lexicon::family(tool).is_some() || *tool == "chess" {
                says.replacen("the ", "", 1)
            } else {
                says
            };
            Some(
                Draft::new(FactCategory::Behaviour, Slot::of(Kind::Skill, topic(&value)), value, says)
                    .ended_if(ended && clause.hints.is_over),
            )
        }
        _ => None,
    }
    .filter(|_| !clause.negated || clause.hints.is_over)
}

fn stopped(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    if clause.negated || clause.subject == Subject::Somebody {
        return Vec::new();
    }
    let skip = match (clause.verb, words) {
        ("give", ["up", "on", ..]) => 2,
        ("give", ["up", ..]) | ("cut", ["out", ..]) | ("swear", ["off", ..]) => 1,
        ("give" | "cut" | "swear" | "kick", _) => return Vec::new(),
        ("drop", ["out", ..]) => return Vec::new(),
        _ => 0,
    };
    let tokens = clause.after(skip);
    let Some(first) = tokens.first() else { return Vec::new() };
    if let Some((base, Form::Gerund)) = verbs::lemma(&first.low) {
        let what = object(clause.text, &tokens[1..]).unwrap_or_default();
        let mut found = vec![habit_draft(base, &what, false).ended()];
        found[0].says = format!("stopped {} {what}", first.low).trim().to_owned();
        if !what.is_empty() {
            found.push(
                Draft::new(
                    FactCategory::Preference,
                    Slot::of(Kind::Taste, topic(&what)),
                    "likes",
                    format!("gave up {what}"),
                )
                .ended(),
            );
            found.push(
                Draft::new(
                    FactCategory::Behaviour,
                    Slot::of(Kind::Skill, topic(what.trim_start_matches("the "))),
                    what.clone(),
                    format!("gave up {what}"),
                )
                .ended(),
            );
        }
        return found;
    }
    if !matches!(clause.verb, "quit" | "give" | "cut" | "swear" | "stop" | "drop" | "ditch" | "abandon")
        || matches!(first.low.as_str(), "my" | "the" | "by" | "at" | "in" | "it" | "him" | "her")
    {
        return Vec::new();
    }
    let Some(what) = object(clause.text, tokens) else { return Vec::new() };
    let mut found = Vec::new();
    for part in parts(&what) {
        found.push(
            Draft::new(
                FactCategory::Preference,
                Slot::of(Kind::Taste, topic(&part)),
                "likes",
                format!("gave up {part}"),
            )
            .ended(),
        );
        found.push(habit_draft("drink", &part, false).ended());
        found.push(habit_draft("eat", &part, false).ended());
        found.push(
            Draft::new(
                FactCategory::Behaviour,
                Slot::of(Kind::Skill, topic(&part)),
                part.clone(),
                format!("gave up {part}"),
            )
            .ended(),
        );
    }
    found
}

fn started(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    let skip = match (clause.verb, words) {
        ("take", ["up", ..]) => 1,
        ("take", _) => return Vec::new(),
        _ => usize::from(words.first() == Some(&"to")),
    };
    let tokens = clause.after(skip);
    let Some(first) = tokens.first() else { return Vec::new() };
    if clause.verb == "take" {
        let Some(what) = object(clause.text, tokens) else { return Vec::new() };
        return vec![
            Draft::new(
                FactCategory::Behaviour,
                Slot::of(Kind::Taste, topic(&what)),
                "likes",
                format!("took up {what}"),
            )
            .begins(),
        ];
    }
    let Some((base, form)) = verbs::lemma(&first.low) else { return Vec::new() };
    if !matches!(form, Form::Gerund) && skip == 0
        || matches!(
            base,
            "work"
                | "look"
                | "think"
                | "feel"
                | "be"
                | "have"
                | "get"
                | "come"
                | "make"
                | "study"
                | "talk"
                | "see"
                | "cry"
                | "rain"
                | "wonder"
        )
    {
        return Vec::new();
    }
    let what = object(clause.text, &tokens[1..]).unwrap_or_default();
    if base == "learn" {
        return vec![learns(clause, &what)];
    }
    if base == "date" {
        return Vec::new();
    }
    let mut draft = habit_draft(base, &what, false).begins();
    draft.says = format!(
        "started {} {what}",
        if first.low.ends_with("ing") { first.low.clone() } else { gerund(base) }
    )
    .trim()
    .to_owned();
    vec![draft]
}

pub fn learns(clause: &Clause<'_>, what: &str) -> Draft {
    let expires = clause.today.checked_add(540.days()).unwrap_or(clause.today);
    let language = what.to_lowercase().split(' ').next().is_some_and(lexicon::is_language);
    let slot =
        Slot::of(if language { Kind::Language } else { Kind::Skill }, format!("learn {}", topic(what)));
    Draft::new(FactCategory::Goal, slot, what, format!("is learning {what}")).begins().expiring(expires)
}
