//! Facts about a pet: its age and breed, a new name, its loss.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::pets::{animal_at, gone, pet, renamed};
use super::value;
use crate::clause::{Clause, Tense};
use crate::finding::Polarity;
use crate::mentions::Mentions;
use crate::names::{KnownName, KnownNames};
use crate::slot::{FactSlot, SlotKind};

/// Reads statements about a pet: `Max is called Rex now`, `our dog died`.
pub fn of_pet(clause: &Clause<'_>, named: &KnownName, mentions: &mut Mentions) -> Vec<FactDraft> {
    let words = clause.words();
    let known = !named.name.is_empty();
    let kind = named.what.as_str();
    match (clause.verb, words.as_slice()) {
        ("call" | "name" | "rename", _) => {
            let skip = usize::from(matches!(words.first(), Some(&("to" | "as"))));
            let (new, old) = value::replaced(clause.after(skip));
            let Some(new) = value::name(clause.text, new).filter(|_| clause.tense != Tense::Future) else {
                return Vec::new();
            };
            if clause.negated {
                let old = pet(kind, &new).ended();
                return vec![old];
            }
            let old = old.and_then(|old| value::name(clause.text, old));
            let mut draft = pet(kind, &new);
            if clause.is_over() || (clause.tense == Tense::Past && clause.verb == "call") {
                draft.says = draft.says.replacen("has ", "had ", 1);
                draft = draft.past(true);
            } else {
                mentions.pet = Some(KnownName::new(kind, &new));
                if known && named.name != new {
                    draft = draft.replacing(Some(named.name.clone())).begins();
                } else {
                    draft = draft.changed();
                }
            }
            vec![draft.replacing(old)]
        }
        ("have" | "get", ["a" | "another", "new" | "different" | "better", "name", ..])
        | ("have" | "get", ["a", "name", ..]) => {
            let at = words.iter().position(|word| *word == "name").unwrap_or(0) + 1;
            let Some(new) = value::name(clause.text, clause.after(at)) else { return Vec::new() };
            mentions.pet = Some(KnownName::new(kind, &new));
            vec![if known { renamed(named, &new) } else { pet(kind, &new).changed() }]
        }
        ("have" | "get", ["the", "name", ..]) => {
            let Some(new) = value::name(clause.text, clause.after(2)) else { return Vec::new() };
            vec![if known && named.name != new { renamed(named, &new) } else { pet(kind, &new).changed() }]
        }
        ("go", ["by", ..]) | ("answer", ["to", ..]) | ("become", _) | ("respond", ["to", ..]) => {
            let skip = usize::from(clause.verb != "become");
            let skip = skip + begins_name(&words[skip.min(words.len())..]);
            let target = clause.after(skip);
            if clause.verb == "become" && !target.first().is_some_and(|token| token.is_capital) {
                return Vec::new();
            }
            let Some(new) = value::name(clause.text, target) else { return Vec::new() };
            if clause.negated {
                return vec![pet(kind, &new).ended()];
            }
            vec![renamed(named, &new)]
        }
        ("die" | "pass", _) | ("cross", _)
            if clause.verb != "pass"
                || matches!(words.first(), None | Some(&("away" | "on" | "peacefully"))) =>
        {
            vec![gone(kind, &named.name, "died")]
        }
        ("put", ["down" | "to", ..]) => vec![gone(kind, &named.name, "died")],
        ("have", ["to", "be", "put", ..]) => vec![gone(kind, &named.name, "died")],
        ("run", ["away", ..]) | ("go", ["missing", ..]) if clause.tense != Tense::Present => {
            vec![gone(kind, &named.name, "ran away")]
        }
        ("give", ["away", ..]) => vec![gone(kind, &named.name, "was given away")],
        ("be", ["dead" | "gone", ..]) | ("be", ["no", "longer", "with", "us", ..]) if !clause.negated => {
            vec![gone(kind, &named.name, "died")]
        }
        ("be", ["with", "us", ..]) | ("be", ["around" | "here" | "alive", ..]) if clause.negated => {
            vec![gone(kind, &named.name, "died")]
        }
        ("be", ["my" | "our", ..]) => match animal_at(&words) {
            Some((_, _, kind)) if known && !clause.negated => {
                vec![pet(kind, &named.name).past(clause.is_over())]
            }
            _ => Vec::new(),
        },
        ("be", [age, ..])
            if clause.tense == Tense::Present
                && crate::calendar::number(age).is_some_and(|age| age > 0)
                && !matches!(*age, "a" | "an") =>
        {
            let unit =
                words.get(1).filter(|unit| matches!(**unit, "months" | "weeks")).copied().unwrap_or("years");
            let label = named.label();
            vec![
                FactDraft::new(
                    FactCategory::Personal,
                    FactSlot::new(SlotKind::Age),
                    (*age).to_owned(),
                    format!("is {age} {unit} old"),
                )
                .of(&label)
                .expiring(clause.today.checked_add(jiff::Span::new().days(300)).unwrap_or(clause.today)),
            ]
        }
        ("be", ["a" | "an", ..]) if clause.tense == Tense::Present && !clause.negated => {
            let value = value::upto(&clause.rest, value::is_stop);
            let text = value::text_of(clause.text, value);
            let is_breed = animal_at(&words).is_some();
            // *He is a hamster*, said of a known hamster, adds nothing.
            if is_breed && words.last() != Some(&named.what.as_str()) {
                vec![
                    FactDraft::new(
                        FactCategory::Relationship,
                        FactSlot::of(SlotKind::Property, "breed"),
                        text.clone(),
                        format!("is {text}"),
                    )
                    .of(&named.label()),
                ]
            } else {
                Vec::new()
            }
        }
        ("be", _)
            if clause.tense == Tense::Present
                && !clause.negated
                && clause.rest.first().is_some_and(|token| token.is_capital || mentions.is_renamed)
                && clause.rest.len() == 1 =>
        {
            let new = value::name_of(clause.text, &clause.rest);
            vec![if known { renamed(named, &new) } else { pet(kind, &new) }]
        }
        ("love" | "hate" | "like" | "sleep" | "eat" | "live", _)
            if known && clause.tense == Tense::Present =>
        {
            let Some(value) = value::object(clause.text, &clause.rest) else { return Vec::new() };
            let verb = crate::verbs::of_another(clause.verb);
            let says = if clause.negated {
                format!("does not {} {value}", clause.verb)
            } else {
                format!("{verb} {value}")
            };
            vec![
                FactDraft::new(FactCategory::Relationship, None, value, says)
                    .of(&named.label())
                    .sure(0.7)
                    .important(0.35),
            ]
        }
        _ => Vec::new(),
    }
}

pub(super) fn begins_name(words: &[&str]) -> usize {
    usize::from(words.starts_with(&["the"]))
        + usize::from(words.starts_with(&["the", "name"]))
        + usize::from(words.starts_with(&["the", "name", "of"]))
}

/// Reads `the cat's name is Luna now`.
pub fn named_so(
    clause: &Clause<'_>,
    kind: &str,
    names: &KnownNames,
    mentions: &mut Mentions,
) -> Vec<FactDraft> {
    let (new, old) = value::replaced(&clause.rest);
    let changed_to = clause.verb == "change";
    let new = match new {
        [first, rest @ ..] if matches!(first.low.as_str(), "to" | "called" | "now") => rest,
        other => other,
    };
    let Some(name) = value::name(clause.text, new) else { return Vec::new() };
    if !matches!(clause.verb, "be" | "change" | "become") || clause.tense == Tense::Future {
        return Vec::new();
    }
    let old = old.and_then(|old| value::name(clause.text, old));
    let past = clause.is_over() || (clause.tense == Tense::Past && !changed_to);
    let mut draft = pet(kind, &name).ended_if(clause.negated);
    if past {
        draft.says = draft.says.replacen("has ", "had ", 1);
        draft = draft.past(true);
    } else if draft.polarity == Polarity::Holds {
        let known = mentions
            .pet
            .as_ref()
            .filter(|pet| pet.what == kind && !pet.name.is_empty())
            .or_else(|| names.pet_of_kind(kind));
        let known = known.map(|pet| pet.name.clone()).filter(|known| *known != name);
        mentions.pet = Some(KnownName::new(kind, &name));
        draft = draft.replacing(old.or(known)).changed().begins();
    }
    vec![draft]
}
