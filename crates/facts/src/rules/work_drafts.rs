//! Drafts of employers, occupations and fields of work.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::value::{self, organisation};
use super::wordings;
use crate::clause::{Clause, Tense};
use crate::slot::{FactSlot, SlotKind};
use crate::token::WordToken;

/// Returns whether the clause is about the past, and whether it says that the work has ended.
pub(super) fn state(clause: &Clause<'_>) -> (bool, bool) {
    // *Employed at Lego since the first* continues.
    let said = clause.text.get(clause.range.clone()).unwrap_or_default();
    let goes_on = clause.tense != Tense::Used && said.split(' ').any(|word| word == "since");
    let was = clause.tense == Tense::Past
        && matches!(clause.verb, "work" | "be" | "employ" | "intern" | "study" | "attend");
    let past = !goes_on && (clause.is_over() || was);
    (past, clause.negated && !past)
}

pub(super) fn employer(clause: &Clause<'_>, tokens: &[WordToken]) -> Option<FactDraft> {
    let (tokens, old) = value::replaced(tokens);
    let company = organisation(clause.text, tokens)?;
    let (past, ended) = state(clause);
    let says = if past { format!("worked at {company}") } else { format!("works at {company}") };
    let draft = FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Employer), company, says)
        .important(0.75)
        .sure(0.9);
    let old = old.and_then(|old| organisation(clause.text, old));
    Some(if past { draft.past(true) } else { draft.begins() }.ended_if(ended).replacing(old))
}

/// Reads `a nurse at the hospital`: the occupation and the employer.
pub(super) fn job(clause: &Clause<'_>, tokens: &[WordToken]) -> Vec<FactDraft> {
    let (tokens, old) = value::replaced(tokens);
    // *I work as a nurse, so people at parties always come to me*
    let stop = tokens.iter().position(|token| matches!(token.low.as_str(), "so" | "but" | ";"));
    let tokens = &tokens[..stop.unwrap_or(tokens.len())];
    let mut found = Vec::new();
    let end = tokens
        .iter()
        .position(|token| {
            matches!(token.low.as_str(), "at" | "with")
                || (token.low == "for"
                    && !matches!(tokens.first().map(|token| token.low.as_str()), Some("head")))
        })
        .unwrap_or(tokens.len());
    let title = value::upto(&tokens[..end], |word| {
        value::is_stop(word) || matches!(word, "and" | "from" | "on" | "instead" | "that" | "by" | "for")
    });
    let bare = match title {
        [first, trained, rest @ ..]
            if matches!(first.low.as_str(), "a" | "an")
                && matches!(
                    trained.low.as_str(),
                    "trained" | "qualified" | "certified" | "professional" | "registered"
                )
                && !rest.is_empty() =>
        {
            rest
        }
        [first, new, rest @ ..]
            if matches!(first.low.as_str(), "a" | "an" | "the" | "their") && new.low == "new" =>
        {
            rest
        }
        [first, rest @ ..] if matches!(first.low.as_str(), "a" | "an" | "the" | "my" | "our" | "their") => {
            rest
        }
        other => other,
    };
    let (past, ended) = state(clause);
    if since_childhood(clause) || clause.likens() {
        return Vec::new();
    }
    let vague = matches!(bare, [word] if matches!(word.low.as_str(), "it" | "that" | "part" | "team" | "me"));
    let fits = (1..=6).contains(&bare.len()) && !value::has_blank(bare) && !vague;
    if fits {
        let value = value::text_of(clause.text, bare);
        let article = match title.first().map(|token| token.low.as_str()) {
            Some("a" | "an") => format!("{} ", wordings::article(&value)),
            Some("the") => "the ".to_owned(),
            _ => String::new(),
        };
        let says =
            if past { format!("worked as {article}{value}") } else { format!("works as {article}{value}") };
        let draft =
            FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Job), value, says).important(0.75);
        let old = old.map(|old| value::text_of(clause.text, old));
        found.push(if past { draft.past(true) } else { draft.begins() }.ended_if(ended).replacing(old));
    }
    // *With immediate effect* is not an employer.
    let named =
        |at: &&[WordToken]| tokens[end].low != "with" || at.first().is_some_and(|token| token.is_capital);
    if let Some(at) = (end < tokens.len()).then(|| &tokens[end + 1..]).filter(named) {
        found.extend(employer(clause, at));
    }
    found
}

/// Returns true for figurative statements about childhood: *I've been a charge nurse since I was seven*.
fn since_childhood(clause: &Clause<'_>) -> bool {
    let after = clause.text.get(clause.range.end..).unwrap_or("").to_lowercase();
    let words: Vec<&str> =
        after.split_whitespace().take(4).map(|word| word.trim_matches(',').trim_end_matches('.')).collect();
    matches!(words.as_slice(), ["since", "i", "was", age] if crate::calendar::number(age).is_some_and(|age| age < 16))
}

pub(super) fn draft_field(clause: &Clause<'_>, tokens: &[WordToken], says: &str) -> Option<FactDraft> {
    let (past, ended) = state(clause);
    let tokens = value::upto(tokens, |word| {
        value::is_stop(word) || matches!(word, "and" | "at" | "for" | "from" | "to")
    });
    let first = tokens.first()?;
    let fits = tokens.len() <= 4
        && !value::has_blank(tokens)
        && !matches!(first.low.as_str(), "it" | "that" | "the" if tokens.len() == 1)
        && !words!("my progress him her them what you shifts idiots morons fools clowns jerks people")
            .contains(first.low.as_str());
    let value = value::text_of(clause.text, tokens);
    let says = if past { says.replacen("works", "worked", 1) } else { says.to_owned() };
    fits.then(|| {
        let place = first.is_capital;
        let slot = FactSlot::of(SlotKind::Job, if place { "place" } else { "" });
        let draft = FactDraft::new(FactCategory::Personal, slot, value.clone(), format!("{says} {value}"))
            .important(0.6)
            .sure(0.75);
        if past { draft.past(true) } else { draft.begins() }.ended_if(ended)
    })
}

pub(super) fn status(clause: &Clause<'_>, value: &str) -> FactDraft {
    let (past, ended) = state(clause);
    let says = if past { format!("was {value}") } else { format!("is {value}") };
    FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Job), value, says)
        .past(past)
        .ended_if(ended)
        .begins()
}
