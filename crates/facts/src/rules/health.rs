//! Allergies and illness.

use jiff::ToSpan;
use protocol::FactCategory;

use super::draft::FactDraft;
use super::value::{self, object, parts};
use crate::clause::{Clause, Tense};
use crate::lexicon::is_function_word;
use crate::lexicon::{self, IllnessCourse};
use crate::slot::{FactSlot, SlotKind};
use crate::time::{TimeExpression, TimeKind};
use crate::wordlists::MEDICINES;

pub fn allergic(what: &str) -> FactDraft {
    FactDraft::new(
        FactCategory::Health,
        FactSlot::of(SlotKind::Allergy, super::topic(what)),
        what,
        format!("is allergic to {what}"),
    )
    .important(0.95)
    .sure(0.93)
}

/// Reads allergies, illnesses and medication.
pub fn health(clause: &Clause<'_>) -> Vec<FactDraft> {
    if clause.tense == Tense::Future || clause.wishes {
        return Vec::new();
    }
    let words = clause.words();
    let past = clause.is_over();
    let yes = !clause.negated;
    let allergy = |what: &str| allergic(what).past(past).ended_if(!yes && !past);
    match (clause.verb, words.as_slice()) {
        ("be", ["allergic", "to", "anything", ..]) if !yes => vec![no_allergies()],
        ("have", ["any", "allergies" | "allergy", ..]) if !yes => vec![no_allergies()],
        ("have", ["no", "allergies" | "known", ..]) if words.contains(&"allergies") => vec![no_allergies()],
        ("be", ["allergic", "to", ..]) | ("become", ["allergic", "to", ..]) => {
            let Some(whole) = object(clause.text, clause.after(2)) else { return Vec::new() };
            parts(&whole).iter().map(|part| allergy(part)).collect()
        }
        ("have" | "develop" | "get", _)
            if words.iter().take(5).any(|word| matches!(*word, "allergy" | "intolerance" | "allergies")) =>
        {
            let at = words
                .iter()
                .position(|word| matches!(*word, "allergy" | "intolerance" | "allergies"))
                .unwrap_or(0);
            let to = words.iter().position(|word| *word == "to").filter(|to| *to > at);
            let what = if let Some(to) = to {
                object(clause.text, clause.after(to + 1))
            } else {
                let from = words[..at]
                    .iter()
                    .rposition(|word| words!("a an severe bad mild my serious nasty this").contains(*word))
                    .map_or(0, |from| from + 1);
                (from < at).then(|| value::text_of(clause.text, &clause.rest[from..at]))
            };
            what.map(|what| parts(&what).iter().map(|part| allergy(part)).collect()).unwrap_or_default()
        }
        // *I can't have penicillin*
        ("have" | "take" | "tolerate", [what, ..])
            if !yes
                && clause.able
                && !past
                && (is_food(what) || MEDICINES.contains(what) || is_drug(what)) =>
        {
            let says = if is_drug(what) || MEDICINES.contains(what) { "take" } else { "eat" };
            let slot = FactSlot::of(SlotKind::Allergy, super::topic(what));
            vec![
                FactDraft::new(FactCategory::Health, slot, *what, format!("cannot {says} {what}"))
                    .important(0.9),
            ]
        }
        ("be", [what, "intolerant", ..]) => {
            vec![allergy(what)]
        }
        ("be", ["intolerant", "to", ..]) => {
            object(clause.text, clause.after(2)).map(|what| allergy(&what)).into_iter().collect()
        }
        ("be", ["lactose-intolerant" | "gluten-intolerant", ..]) => {
            vec![allergy(words[0].trim_end_matches("-intolerant"))]
        }
        ("be", ["coeliac" | "celiac", ..]) => {
            vec![condition(clause, "coeliac disease", IllnessCourse::Stays, "has")]
        }
        ("have", ["a" | "an", "miscarriage" | "stillbirth" | "abortion", ..])
        | ("lose" | "have", ["the" | "our" | "my" | "her", "baby", ..])
        | ("give", ["birth", ..])
            if yes && ended_lately(clause) =>
        {
            vec![condition(clause, "pregnant", IllnessCourse::Stays, "is no longer").ended()]
        }
        // *I've the hay fever something fierce*
        ("have" | "get", _)
            if yes
                && words.windows(2).take(4).any(|pair| pair == ["hay", "fever"])
                && clause.tense != Tense::Past =>
        {
            vec![condition(clause, "hay fever", IllnessCourse::Stays, "has")]
        }
        ("have" | "get" | "catch", _)
            if !matches!(
                words.first(),
                Some(&("diagnosed" | "over" | "rid" | "used" | "better" | "through"))
            ) =>
        {
            let with = value::upto(&clause.rest, |word| {
                value::is_stop(word)
                    || matches!(word, "and" | "to" | "from" | "since" | "which" | "that" | "after" | "(")
            });
            let body: Vec<&str> = with.iter().map(|token| token.low.as_str()).collect();
            let odd = body.iter().any(|word| {
                matches!(*word, "cold" | "bug")
                    && body.iter().any(|other| {
                        words!("shower drink beer feet water fix report weather hands pizza coffee")
                            .contains(*other)
                    })
            });
            // *A cold brew*, *Ms Brown*: the next word changes the meaning.
            let at = body.iter().position(|word| lexicon::illness(&[word]).is_some()).unwrap_or(0);
            let compound = body.get(at + 1).is_some_and(|next| {
                !is_function_word(next)
                    && *next != ","
                    && !matches!(*next, "again" | "right" | "now" | "really")
            });
            let of_code = body.contains(&"bug")
                && words.iter().any(|word| matches!(*word, "code" | "app" | "software" | "program" | "game"));
            let days = lexicon::illness(&body).filter(|_| !odd && !compound && !of_code && body.len() <= 6);
            match days {
                Some(days) if yes && (clause.tense != Tense::Past || clause.verb != "have") => {
                    let value = value::text_of(clause.text, with).replace(" my ", " their ");
                    vec![condition(clause, &value, days, "has")]
                }
                Some(_) if !yes && clause.tense == Tense::Present => {
                    let value = value::text_of(clause.text, with);
                    vec![condition(clause, &value, IllnessCourse::Stays, "has").ended()]
                }
                _ => Vec::new(),
            }
        }
        // *I'm on sertraline*
        ("be" | "take", ["on", medicine, ..]) | ("take", [medicine, ..])
            if MEDICINES.contains(medicine) && yes && clause.tense != Tense::Past =>
        {
            vec![
                FactDraft::new(
                    FactCategory::Health,
                    FactSlot::of(SlotKind::Habit, format!("take {medicine}")),
                    "yes",
                    format!(
                        "takes {}",
                        value::text_of(
                            clause.text,
                            value::upto(&clause.rest[usize::from(words[0] == "on")..], value::is_stop)
                        )
                    ),
                )
                .important(0.8)
                .past(past),
            ]
        }
        ("be", ["sick" | "ill" | "unwell", ..])
            if yes
                && clause.tense == Tense::Present
                && !matches!(words.get(1), Some(&("of" | "and" | "to"))) =>
        {
            vec![condition(clause, "ill", IllnessCourse::Days(7), "is")]
        }
        ("be", ["pregnant", ..]) if clause.tense == Tense::Present => {
            vec![condition(clause, "pregnant", IllnessCourse::Days(290), "is").important(0.9).ended_if(!yes)]
        }
        // *I'm blind to his faults*
        ("be", ["blind" | "deaf", "to" | "with", ..]) => Vec::new(),
        (
            "be",
            [
                what @ ("anaemic" | "anemic" | "diabetic" | "asthmatic" | "dyslexic" | "autistic"
                | "epileptic" | "colour-blind" | "colorblind" | "colourblind" | "deaf" | "blind"
                | "left-handed" | "short-sighted" | "nearsighted" | "bipolar"),
                ..,
            ],
        ) if clause.tense == Tense::Present => {
            vec![condition(clause, what, IllnessCourse::Stays, "is").ended_if(!yes)]
        }
        ("be", [hand @ ("left" | "right"), "handed", ..]) if clause.tense == Tense::Present && yes => {
            vec![condition(clause, &format!("{hand}-handed"), IllnessCourse::Stays, "is")]
        }
        // *Diagnosed type 1 diabetic*
        ("diagnose", [..]) | ("get", ["diagnosed", ..])
            if yes && words.iter().take(5).any(|word| is_diagnosis(word)) && !words.contains(&"with") =>
        {
            let skip = usize::from(clause.verb == "get") + usize::from(words.contains(&"as"));
            let end = words.iter().position(|word| is_diagnosis(word)).map_or(0, |at| at + 1);
            let tokens = clause.rest.get(skip..end).unwrap_or_default();
            let value = value::text_of(clause.text, tokens);
            if value.is_empty() {
                Vec::new()
            } else {
                vec![condition(clause, &value, IllnessCourse::Stays, "is")]
            }
        }
        ("diagnose", ["with", ..]) | ("get", ["diagnosed", "with", ..]) | ("suffer", ["from", ..]) => {
            let skip = if clause.verb == "get" { 2 } else { 1 };
            let with = value::upto(clause.after(skip), value::is_stop);
            let body: Vec<&str> = with.iter().map(|token| token.low.as_str()).collect();
            let value = value::text_of(clause.text, with);
            let days = lexicon::illness(&body).unwrap_or(IllnessCourse::Stays);
            if value.is_empty() || !yes {
                Vec::new()
            } else {
                vec![condition(clause, &value, days, "has").past(past && days != IllnessCourse::Stays)]
            }
        }
        (
            "break" | "sprain" | "fracture" | "injure" | "twist" | "hurt",
            ["my" | "his" | "her" | "their", part, ..],
        ) if matches!(clause.tense, Tense::Past | Tense::Perfect)
            && yes
            && words!(
                "leg arm ankle wrist foot toe finger knee back shoulder rib collarbone nose hand elbow left \
                right"
            )
            .contains(*part) =>
        {
            let value = if matches!(*part, "left" | "right") {
                format!("{part} {}", words.get(2).unwrap_or(&""))
            } else {
                (*part).to_owned()
            };
            let verb = match clause.verb {
                "break" => "broken",
                "sprain" => "sprained",
                "fracture" => "fractured",
                _ => "hurt",
            };
            vec![
                condition(clause, &format!("{verb} {}", value.trim()), IllnessCourse::Days(60), "has a")
                    .past(past),
            ]
        }
        ("recover", ["from", ..]) if clause.tense != Tense::Present => object(clause.text, clause.after(1))
            .map(|what| condition(clause, &what, IllnessCourse::Stays, "has").ended())
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns true for drugs that people may be allergic to.
fn is_drug(word: &str) -> bool {
    words!("penicillin amoxicillin ibuprofen aspirin codeine morphine paracetamol antibiotics nsaids")
        .contains(word)
}

/// Returns true for foods that people may be allergic to; *I can't have cats here* is about the flat.
fn is_food(word: &str) -> bool {
    lexicon::is_allergen(word)
        && lexicon::animal(word).is_none()
        && !words!("pollen dust mites latex bees wasps mould mold nickel penicillin").contains(word)
}

/// Returns true for adjectives that express a diagnosis.
fn is_diagnosis(word: &str) -> bool {
    words!("diabetic autistic asthmatic epileptic dyslexic bipolar coeliac celiac anaemic anemic")
        .contains(word)
}

fn no_allergies() -> FactDraft {
    FactDraft::new(FactCategory::Health, FactSlot::new(SlotKind::Allergy), "", "has no allergies").ended()
}

/// Returns true if the event is in the past but not dated more than 290 days ago, about the length of a pregnancy.
fn ended_lately(clause: &Clause<'_>) -> bool {
    let long_ago = |when: &TimeExpression| (clause.today - when.from).get_days() > 290;
    matches!(clause.tense, Tense::Past | Tense::Perfect)
        && !clause.is_over()
        && !clause.when(&[TimeKind::At]).is_some_and(long_ago)
}

fn condition(clause: &Clause<'_>, value: &str, course: IllnessCourse, verb: &str) -> FactDraft {
    let draft = FactDraft::new(
        FactCategory::Health,
        FactSlot::of(SlotKind::Condition, super::topic(value)),
        value,
        format!("{verb} {value}"),
    )
    .important(0.75)
    .begins();
    // *I've got a stammer* does not tell when it began.
    let had = clause.verb == "have" || clause.verb == "get" && clause.tense == Tense::Perfect;
    match course {
        IllnessCourse::Stays if had => FactDraft { begins: false, ..draft },
        IllnessCourse::Days(days) => {
            draft.expiring(clause.today.checked_add(days.days()).unwrap_or(clause.today))
        }
        IllnessCourse::Stays => draft,
    }
}
