//! Drafts of likes and dislikes.

use protocol::FactCategory;
use text::terms;

use super::draft::FactDraft;
use super::value::{self, object, parts};
use crate::clause::{Clause, Tense};
use crate::slot::{FactSlot, SlotKind};
use crate::token::WordToken;

/// Returns the key of a taste, under which different wordings of the same thing coincide.
pub fn topic(value: &str) -> String {
    let stems = terms(value);
    if stems.is_empty() { value.to_lowercase() } else { stems.join(" ") }
}

pub fn taste(value: &str, likes: bool) -> FactDraft {
    let says = if likes { format!("likes {value}") } else { format!("dislikes {value}") };
    FactDraft::new(
        FactCategory::Preference,
        FactSlot::of(SlotKind::Taste, topic(value)),
        if likes { "likes" } else { "dislikes" },
        says,
    )
    .important(0.5)
}

/// Returns the tastes for each item in the tokens.
pub(super) fn tastes(clause: &Clause<'_>, tokens: &[WordToken], likes: bool) -> Vec<FactDraft> {
    let (tokens, old) = value::replaced(tokens);
    let Some(whole) = object(clause.text, tokens) else { return Vec::new() };
    let whole = whole.strip_prefix("the idea of ").unwrap_or(&whole);
    let whole = whole.strip_prefix("very ").unwrap_or(whole);
    let whole = whole.strip_prefix("much ").unwrap_or(whole);
    let whole = whole.strip_suffix(" ever").unwrap_or(whole);
    let whole = whole.strip_suffix(" in the end").unwrap_or(whole);
    let whole = whole.strip_suffix(" at first").unwrap_or(whole);
    let whole = whole.strip_suffix(" before").unwrap_or(whole).to_owned();
    // *Now I like very much* and *I dislike few things more* do not name the thing.
    if words!("much more very little been so").contains(whole.as_str()) || whole.starts_with("few things") {
        return Vec::new();
    }
    // *I'm rather fond of the place*: the words do not tell which place.
    let generic = words!(
        "place job people work office team view thing idea way company town city house subject business mention thought"
    );
    let named = |the: &str| whole.strip_prefix(the).is_some_and(|noun| generic.contains(noun));
    if ["the ", "the very ", "the whole ", "the mere "].iter().any(|the| named(the)) {
        return Vec::new();
    }
    let past = was_so(clause);
    let mut found: Vec<FactDraft> = Vec::new();
    for part in parts(&whole) {
        let part = value::in_third_person(&part);
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

/// Returns true if the taste is in the past and need not hold.
pub(super) fn was_so(clause: &Clause<'_>) -> bool {
    let at_first = clause.rest.last().is_some_and(|token| matches!(token.low.as_str(), "before" | "first"));
    clause.is_over()
        || clause.tense == Tense::Past
            && (!has_turned(clause) && !clause.hints.never || turns_after(clause) || at_first)
}

/// Returns true if the text after the clause reverses it: *I never liked olives, but lately I can't get enough*
fn turns_after(clause: &Clause<'_>) -> bool {
    let after = clause.text.get(clause.range.end..).unwrap_or("").to_lowercase();
    let after = after.trim_start_matches([',', ' ', ';', '.', '-', '–', '—']);
    let now = ["now", "lately", "these days", "recently", "today", "by now", "since"];
    let joined = ["but ", "and ", "yet ", ""].iter().filter_map(|join| after.strip_prefix(join));
    joined.into_iter().any(|rest| now.iter().any(|now| rest.starts_with(now)))
}

/// Returns true if the verb tells of a change of taste.
fn has_turned(clause: &Clause<'_>) -> bool {
    words!(
        "fall go start begin come grow get turn discover stop lose become switch do finish learn convert \
        change"
    )
    .contains(clause.verb)
}
