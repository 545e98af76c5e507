//! The end of a job.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::value::begins;
use super::value::organisation;
use super::wordings;
use super::work_drafts::{employer, job};
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::slot::{FactSlot, SlotKind};

pub(super) fn job_over(clause: &Clause<'_>, words: &[&str]) -> FactDraft {
    let from = words.iter().position(|word| matches!(*word, "from" | "by" | "at"));
    let company = from
        .and_then(|from| organisation(clause.text, clause.after(from + 1)))
        .filter(|company| company.chars().any(char::is_uppercase));
    let says = company.as_ref().map_or_else(
        || "no longer has that job".to_owned(),
        |company| format!("no longer works at {company}"),
    );
    FactDraft::new(
        FactCategory::Personal,
        FactSlot::new(SlotKind::Employer),
        company.unwrap_or_default(),
        says,
    )
    .ended()
}

pub(super) fn stops(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    if clause.negated || clause.is_ahead() || clause.is_over() {
        return Vec::new();
    }
    match (clause.verb, words) {
        // *Retired 737s* is about planes.
        ("retire", [what, ..])
            if clause.elided && !words!("from at in last since after early now").contains(*what) => {}
        ("retire", _) if clause.tense != Tense::Present || clause.form != crate::verbs::VerbForm::Base => {
            let over = job_over(clause, words);
            let mut retired =
                FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Job), "retired", "is retired")
                    .important(0.7)
                    .changed();
            retired.begins = true;
            return if clause.is_ahead() { Vec::new() } else { vec![retired, over] };
        }
        ("take", ["early", "retirement", ..] | ["retirement", ..])
            if matches!(clause.tense, Tense::Past | Tense::Perfect) =>
        {
            let retired =
                FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Job), "retired", "is retired");
            return vec![retired.important(0.7).changed().begins()];
        }
        ("let", ["go", ..])
        | ("lay", ["off", ..])
        | ("make", ["redundant", ..])
        | ("fire" | "sack", [])
        | ("fire" | "sack", ["from" | "by", ..]) => {
            if clause.verb == "fire" && clause.form == crate::verbs::VerbForm::Base {
                return Vec::new();
            }
            return vec![job_over(clause, words)];
        }
        ("stop" | "quit" | "finish", ["working", "at" | "for", ..]) => {
            return employer(clause, clause.after(2)).map(FactDraft::ended).into_iter().collect();
        }
        ("stop" | "quit" | "finish", ["working", "as", ..]) => {
            return job(clause, clause.after(2)).into_iter().map(FactDraft::ended).collect();
        }
        // *I gave notice on the flat*
        ("give" | "hand", ["notice", "on", ..]) => return Vec::new(),
        ("give" | "hand", ["notice", ..]) | ("quit", [])
            if matches!(clause.tense, Tense::Past | Tense::Perfect) || clause.verb == "quit" =>
        {
            return vec![job_over(clause, words).sure(0.65)];
        }
        (
            "give" | "hand",
            ["in", "my", "notice", ..]
            | ["my", "notice", ..]
            | ["up", "my", "job", ..]
            | ["in", "my", "resignation", ..],
        ) => return vec![job_over(clause, words)],
        _ => {}
    }
    let own_job = words.iter().take(5).any(|word| matches!(*word, "job" | "position" | "work"))
        && matches!(words.first(), Some(&("my" | "the" | "that")));
    let quitting = matches!(clause.verb, "quit" | "leave" | "resign" | "lose")
        && matches!(clause.tense, Tense::Past | Tense::Perfect)
        || clause.verb == "quit";
    if !quitting {
        return Vec::new();
    }
    let skip = usize::from(matches!(words.first(), Some(&"from")));
    // `left Renault for Siemens`, `quit Renault to join Siemens`
    let onward = words.iter().position(|word| matches!(*word, "for" | "to")).filter(|at| *at > 0);
    if own_job || clause.verb == "resign" && words.len() <= 1 {
        let at = words.iter().position(|word| matches!(*word, "at" | "with"));
        let company = at.and_then(|at| organisation(clause.text, clause.after(at + 1)));
        let next = onward.and_then(|at| next_employer(clause, words, at));
        let mut over = job_over(clause, &[]);
        if let Some(company) = &company {
            over.value.clone_from(company);
            over.says = format!("no longer works at {company}");
        }
        return next.map_or_else(|| vec![over], |next| vec![next.replacing(company).changed()]);
    }
    let target = clause.after(skip);
    let company = organisation(clause.text, target)
        .filter(|_| target[0].is_capital || skip == 1)
        .filter(|company| !lexicon::is_language(&company.to_lowercase()));
    let Some(company) = company.filter(|_| clause.verb != "lose") else { return Vec::new() };
    if let Some(next) = onward.and_then(|at| next_employer(clause, words, at)) {
        let before = wordings::worked_at(&company);
        return vec![next.replacing(Some(company)), before];
    }
    let good = words.ends_with(&["for", "good"]) || words.ends_with(&["behind"]);
    if good && clause.verb == "leave" {
        return Vec::new();
    }
    vec![wordings::left_work(&company).sure(0.75)]
}

fn next_employer(clause: &Clause<'_>, words: &[&str], at: usize) -> Option<FactDraft> {
    let rest = &words[at..];
    let skip = begins(
        rest,
        &[
            &["for", "a", "job", "at"],
            &["for", "a", "position", "at"],
            &["for", "a", "role", "at"],
            &["to", "join"],
            &["to", "work", "at"],
            &["to", "work", "for"],
            &["to", "start", "at"],
            &["to", "go", "to"],
            &["for", "a", "new", "job", "at"],
            &["for"],
        ],
    )?;
    let target = clause.after(at + skip);
    employer(clause, target).filter(|_| target.first().is_some_and(|token| token.is_capital))
}
