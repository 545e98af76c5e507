//! The foods that the user eats and does not eat.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::taste_drafts::topic;
use super::value::{object, parts};
use super::wordings;
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::slot::{FactSlot, SlotKind};
use crate::time::TimeKind;
use crate::token::WordToken;

pub fn diet_draft(value: &str, past: bool) -> FactDraft {
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
    FactDraft::new(FactCategory::Preference, FactSlot::new(SlotKind::Diet), value, says)
        .important(0.8)
        .sure(0.92)
        .past(past)
        .begins()
}

/// Reads diets and foods that are avoided.
pub fn diet(clause: &Clause<'_>) -> Vec<FactDraft> {
    if clause.tense == Tense::Future || clause.wishes {
        return Vec::new();
    }
    let words = clause.words();
    let past = clause.is_over() || (clause.tense == Tense::Past && clause.verb == "be");
    let says_diet = |at: usize| {
        let article = usize::from(matches!(words.get(at), Some(&("a" | "an"))));
        let strict = usize::from(words.get(at + article).is_some_and(|word| {
            words!("strict full committed lifelong proud fully strictly mostly").contains(*word)
        }));
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
                    FactDraft::new(
                        FactCategory::Preference,
                        FactSlot::new(SlotKind::Diet),
                        word,
                        format!("is no longer {word}"),
                    )
                    .ended(),
                ];
            }
            vec![diet_draft(word, past)]
        }
        // *I didn't eat meat yesterday*, *I haven't eaten lunch yet* are about a single day.
        "eat" | "consume" | "touch"
            if clause.negated
                && !past
                && !clause.hints.is_over
                && (clause.tense == Tense::Past
                    || clause.tense == Tense::Perfect && clause.when(&[TimeKind::Since]).is_none()) =>
        {
            Vec::new()
        }
        "eat" | "consume" | "touch" if clause.negated && !past => not_eaten(clause, &words),
        "have" | "tolerate"
            if clause.able
                && clause.negated
                && words.first().is_some_and(|word| {
                    lexicon::family(word) == Some("food")
                        || words!("dairy gluten lactose milk sugar alcohol caffeine wheat").contains(*word)
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
                && words!("meat dairy sugar gluten alcohol fish carbs eating").contains(food)
            {
                let skip = if food == "eating" { 2 } else { 1 };
                return not_eaten(clause, &words[skip..]);
            }
            Vec::new()
        }
        _ => Vec::new(),
    }
}

fn not_eaten(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let Some(first) = words.first() else { return Vec::new() };
    if clause.able && matches!(*first, "it" | "that" | "anything") {
        return Vec::new();
    }
    if matches!(*first, "meat" | "animal" | "animals") {
        return vec![
            FactDraft::new(
                FactCategory::Preference,
                FactSlot::new(SlotKind::Diet),
                "no meat",
                "does not eat meat",
            )
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
                FactDraft::new(
                    FactCategory::Health,
                    FactSlot::of(SlotKind::Allergy, topic(&part)),
                    part.clone(),
                    format!("cannot eat {part}"),
                )
                .important(0.8),
            );
            continue;
        }
        found.push(
            FactDraft::new(
                FactCategory::Preference,
                FactSlot::of(SlotKind::Habit, format!("eat {}", topic(&part))),
                "no",
                format!("does not eat {part}"),
            )
            .important(0.6)
            .begins(),
        );
        found.push(wordings::gave_up(&part));
    }
    found
}

fn eats_again(clause: &Clause<'_>, tokens: &[WordToken]) -> Vec<FactDraft> {
    let Some(value) = object(clause.text, tokens) else { return Vec::new() };
    if value
        .split(' ')
        .any(|word| matches!(word, "meat" | "fish" | "everything" | "dairy" | "chicken" | "steak"))
    {
        return vec![
            FactDraft::new(
                FactCategory::Preference,
                FactSlot::new(SlotKind::Diet),
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
