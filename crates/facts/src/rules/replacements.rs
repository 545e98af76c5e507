//! Replacements of one thing by another: a drink, a diet, a phone.

use protocol::FactCategory;

use super::diet::diet_draft;
use super::draft::FactDraft;
use super::habits::habit_draft;
use super::taste_drafts::{taste, topic};
use super::value::{self, object};
use super::wordings;
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::slot::{FactSlot, SlotKind};

/// Reads `I switched from coffee to tea`, `I've switched to decaf`.
pub(super) fn switches(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
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

/// Returns the drafts for a replacement of a diet, a thing, a drink or a food.
pub fn exchanged(new: &str, old: Option<String>) -> Vec<FactDraft> {
    let new = new.strip_prefix("being ").unwrap_or(new);
    let lower = new.to_lowercase();
    if lexicon::is_diet(lower.trim_start_matches("a ").split(' ').next().unwrap_or("")) {
        return vec![diet_draft(lower.trim_start_matches("a "), false).changed()];
    }
    let family = lexicon::family_of(&lower).or_else(|| old.as_deref().and_then(lexicon::family_of));
    let kind = lower.split(' ').rev().find_map(lexicon::thing);
    if let Some(kind) = kind.filter(|_| family.is_none()) {
        return vec![super::possessions::owns(kind, new).replacing(old).changed()];
    }
    let Some(family) = family else {
        let says = format!("switched to {new}");
        let draft =
            FactDraft::new(FactCategory::Behaviour, FactSlot::of(SlotKind::Taste, topic(new)), "likes", says)
                .begins()
                .replacing(None);
        let mut found = vec![draft];
        found.extend(old.map(|old| wordings::gave_up(&old)));
        return found;
    };
    let mut found = vec![
        FactDraft::new(
            FactCategory::Preference,
            FactSlot::of(SlotKind::Property, format!("preferred {family}")),
            new,
            format!("switched to {new}"),
        )
        .begins()
        .replacing(old.clone())
        .changed(),
        taste(new, true).begins().sure(0.7),
    ];
    if let Some(old) = old {
        found.push(wordings::gave_up(&old));
        found.push(habit_draft("drink", &old, false).ended());
    }
    if family == "drink" {
        found.push(habit_draft("drink", new, false).sure(0.7));
    }
    found
}

/// Reads `I swapped coffee for tea`, `I replaced coffee with tea`.
pub(super) fn swaps(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
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
