//! Drafts of homes, households and moves.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::sentence_text::dated;
use super::value::{self, place};
use crate::clause::{Clause, Tense};
use crate::slot::{FactSlot, SlotKind};
use crate::token::WordToken;

pub(super) fn home(clause: &Clause<'_>, place: String) -> FactDraft {
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
    let draft =
        FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Home), place, says).important(0.8);
    let draft = if past { draft.past(true) } else { draft.begins() };
    draft.ended_if(clause.negated && !past).sure(if clause.negated { 0.85 } else { 0.92 })
}

/// Returns true if the verb tells of a change that led to the present state.
fn moved(clause: &Clause<'_>) -> bool {
    !words!("live reside be stay dwell base have rent call spend").contains(clause.verb)
        && clause.tense != Tense::Used
}

pub(super) fn home_at(clause: &Clause<'_>, tokens: &[WordToken]) -> Option<FactDraft> {
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

pub(super) fn move_plan(clause: &Clause<'_>, place: &str) -> FactDraft {
    FactDraft::new(
        FactCategory::Event,
        FactSlot::of(SlotKind::Plan, "move"),
        place,
        dated(clause, &format!("plans to move to {place}")),
    )
    .important(0.7)
    .event()
}

pub(super) fn household(clause: &Clause<'_>, tokens: &[WordToken]) -> Option<FactDraft> {
    if clause.tense == Tense::Future {
        return None;
    }
    let whom =
        value::upto(tokens, |word| value::is_stop(word) || matches!(word, "in" | "at" | "near" | "now"));
    let whom: Vec<WordToken> =
        whom.iter().filter(|token| !matches!(token.low.as_str(), "my" | "our")).cloned().collect();
    let value = value::text_of(clause.text, &whom);
    let fits = !value.is_empty()
        && !value::has_blank(&whom)
        && whom.len() <= 5
        && !words!("it that this him her them adhd anxiety depression diabetes asthma pain regret")
            .contains(whom[0].low.as_str());
    fits.then(|| {
        FactDraft::new(
            FactCategory::Personal,
            FactSlot::new(SlotKind::Household),
            value.clone(),
            format!("lives with {value}"),
        )
        .past(clause.is_over())
        .ended_if(clause.negated)
        .begins()
    })
}
