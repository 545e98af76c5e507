//! Occupations and studies.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::value::{self, organisation};
use super::work_drafts::{employer, job, state};
use crate::clause::{Clause, Tense};
use crate::lexicon::is_function_word;
use crate::slot::{FactSlot, SlotKind};

/// Reads `I make my living as a translator`, `I earn my money at Siemens`.
pub(super) fn earns(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let Some(at) = words.iter().position(|word| matches!(*word, "living" | "money" | "keep" | "bread"))
    else {
        return Vec::new();
    };
    let rest = words.get(at + 1..).unwrap_or_default();
    match rest.first() {
        Some(&("as" | "by")) if rest.get(1).is_some_and(|word| matches!(*word, "a" | "an" | "being")) => {
            job(clause, clause.after(at + 2))
        }
        Some(&("at" | "with" | "for")) => employer(clause, clause.after(at + 2)).into_iter().collect(),
        Some(_) => {
            let skip = usize::from(matches!(rest[0], "by" | "with" | "from"));
            let value = value::text_of(clause.text, value::upto(clause.after(at + 1 + skip), value::is_stop));
            let fits = value.contains("ing") && !clause.negated;
            fits.then(|| {
                FactDraft::new(
                    FactCategory::Personal,
                    FactSlot::new(SlotKind::Job),
                    value.clone(),
                    format!("makes a living by {value}"),
                )
                .past(clause.is_over())
            })
            .into_iter()
            .collect()
        }
        None => Vec::new(),
    }
}

pub(super) fn business(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let Some(at) = words.iter().take(6).position(|word| {
        words!(
            "company business bakery shop restaurant startup café cafe studio agency farm bar store \
            bookshop pub practice salon workshop nursery brewery gallery"
        )
        .contains(*word)
    }) else {
        return Vec::new();
    };
    let owned = matches!(words.first(), Some(&("a" | "an" | "my" | "our")));
    // *A bar of chocolate*, *a bar stool*
    let another = words.get(at + 1).is_some_and(|next| {
        *next == "of"
            || clause.rest[at + 1].low.starts_with(char::is_alphabetic)
                && !is_function_word(next)
                && !clause.rest[at + 1].is_capital
                && !matches!(*next, "called" | "named" | "together" | "selling" | "making" | "here")
    });
    if !owned || another || clause.negated || clause.is_ahead() || clause.wishes {
        return Vec::new();
    }
    let (past, _) = state(clause);
    let body = if matches!(words[0], "my" | "our") { &clause.rest[1..=at] } else { &clause.rest[..=at] };
    let value = value::text_of(clause.text, body).replacen("own ", "", 1);
    let value = if value.starts_with('a') { value } else { format!("a {value}") };
    let called = words
        .iter()
        .position(|word| matches!(*word, "called" | "named"))
        .and_then(|at| value::name(clause.text, clause.after(at + 1)));
    let value = called.map_or(value.clone(), |name| format!("{value} called {name}"));
    let says = if past { format!("ran {value}") } else { format!("runs {value}") };
    vec![
        FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Job), value, says)
            .past(past)
            .important(0.7),
    ]
}

pub(super) fn studies(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    if clause.is_ahead() || clause.wishes {
        return Vec::new();
    }
    let (past, ended) = state(clause);
    let done = past || clause.verb == "graduate";
    let at = words.iter().position(|word| matches!(*word, "at" | "from"));
    let school = at.and_then(|at| {
        organisation(clause.text, clause.after(at + 1))
            .or_else(|| Some(value::text_of(clause.text, value::upto(clause.after(at + 1), value::is_stop))))
            .filter(|school| school.len() > 2)
    });
    let subject_at = match (clause.verb, words) {
        ("study", ["for" | "to", ..]) => return Vec::new(),
        // *I study the menu* means reading it.
        ("study", ["the", _]) if !clause.rest[1].is_capital => return Vec::new(),
        ("study", ["at" | "in", ..]) => None,
        ("study", [_, ..]) => Some(0),
        ("learn", _) => return Vec::new(),
        ("major", ["in", ..]) | ("graduate", ["in", ..]) => Some(1),
        ("enrol", ["in" | "at" | "on", ..]) => Some(1),
        ("do" | "be", _) => {
            let degree = words.iter().take(4).position(|word| {
                words!(
                    "phd master masters degree bachelor doctorate mba student master's bachelor's msc ma \
                    bsc"
                )
                .contains(*word)
            });
            let Some(degree) = degree else { return Vec::new() };
            if clause.verb == "be" && words.get(degree) == Some(&"student") && degree == 2 {
                Some(1)
            } else {
                words[degree..]
                    .iter()
                    .position(|word| matches!(*word, "in" | "of"))
                    .map(|at| degree + at + 1)
                    .or(Some(0))
            }
        }
        ("attend", _) if clause.rest.first().is_some_and(|token| token.is_capital) => Some(0),
        ("drop", ["out", "of", ..]) => {
            return vec![
                FactDraft::new(
                    FactCategory::Personal,
                    FactSlot::new(SlotKind::Study),
                    "",
                    "no longer studies",
                )
                .ended(),
            ];
        }
        ("graduate", ["from", ..]) => None,
        _ => return Vec::new(),
    };
    let end = at.unwrap_or(clause.rest.len());
    let field = subject_at
        .filter(|from| *from < end)
        .and_then(|from| value::object(clause.text, &clause.rest[from..end]));
    let field = field
        .map(|field| field.trim_end_matches(" student").to_owned())
        .filter(|field| !matches!(field.as_str(), "a student" | "a" | "an" | "student" | ""));
    let value = match (&field, &school) {
        (Some(field), Some(school)) => format!("{field} at {school}"),
        (Some(field), None) => field.clone(),
        (None, Some(school)) => format!("at {school}"),
        (None, None) => return Vec::new(),
    };
    let says = match (clause.verb, done) {
        ("graduate", _) => format!(
            "graduated {}",
            if field.is_some() { format!("in {value}") } else { value.replacen("at ", "from ", 1) }
        ),
        (_, true) => format!("studied {value}"),
        _ => format!("studies {value}"),
    };
    vec![
        FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Study), value, says)
            .past(done)
            .ended_if(ended)
            .important(0.65)
            .begins(),
    ]
}

/// Reads `I teach maths`, `I drive trucks for a living`.
pub(super) fn living(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let for_living = words.ends_with(&["for", "a", "living"]);
    let simple = clause.verb == "teach"
        && !words.is_empty()
        && !words!("me you him her them us myself my our his the how it").contains(words[0]);
    if !(for_living || simple)
        || clause.negated
        || clause.able
        || clause.is_ahead()
        || (!for_living && clause.tense != Tense::Present)
    {
        return Vec::new();
    }
    let end = if for_living { clause.rest.len() - 3 } else { clause.rest.len() };
    // *I teach maths and a child asked me today*
    let joined = words
        .windows(2)
        .position(|pair| pair[0] == "and" && is_function_word(pair[1]))
        .unwrap_or(words.len());
    let value = value::text_of(
        clause.text,
        value::upto(&clause.rest[..end.min(joined)], |word| matches!(word, "at" | "because")),
    );
    let verb = crate::verbs::of_another(clause.verb);
    let says = format!("{verb} {value}").trim().to_owned();
    let mut found = vec![
        FactDraft::new(
            FactCategory::Personal,
            FactSlot::new(SlotKind::Job),
            says.clone(),
            if words.contains(&"side") { says.clone() } else { format!("{says} for a living") },
        )
        .past(clause.is_over())
        .important(0.7),
    ];
    if let Some(at) = words.iter().position(|word| *word == "at") {
        found.extend(employer(clause, clause.after(at + 1)));
    }
    found
}
