//! The beginning of work: a new job, a position, a change of company.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::leaving::job_over;
use super::value::begins;
use super::value::organisation;
use super::work_drafts::{draft_field, employer, job, status};
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::slot::{FactSlot, SlotKind};

pub(super) fn is_post(word: &str) -> bool {
    words!("job position role gig internship post apprenticeship traineeship career contract offer placement")
        .contains(word)
}

pub(super) fn starts(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    if clause.negated || clause.is_over() {
        return Vec::new();
    }
    if clause.is_ahead() {
        return future_job(clause, words);
    }
    if let Some(skip) = begins(
        words,
        &[
            &["working", "at"],
            &["working", "for"],
            &["work", "at"],
            &["work", "for"],
            &["to", "work", "at"],
            &["to", "work", "for"],
            &["out", "at"],
            &["working", "with"],
            &["at"],
            &["over", "at"],
        ],
    ) {
        return employer(clause, clause.after(skip))
            .into_iter()
            .map(FactDraft::changed)
            .chain(role_after(clause, words, skip))
            .collect();
    }
    if let Some(skip) = begins(words, &[&["as"], &["working", "as"], &["out", "as"], &["work", "as"]]) {
        return job(clause, clause.after(skip)).into_iter().map(FactDraft::changed).collect();
    }
    let ahead = clause.progressive && clause.tense == Tense::Present;
    if ahead { Vec::new() } else { post(clause, words) }
}

pub(super) fn role_after(clause: &Clause<'_>, words: &[&str], from: usize) -> Vec<FactDraft> {
    match words.iter().skip(from).position(|word| *word == "as") {
        Some(at) => job(clause, clause.after(from + at + 1)),
        None => Vec::new(),
    }
}

/// Reads `a new job at Renault as a nurse`.
pub(super) fn post(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let Some(at) = words.iter().take(6).position(|word| is_post(word)) else { return Vec::new() };
    // *I got the post mixed up*, *removed your post*
    if words[at] == "post"
        && !words[..at].iter().any(|word| matches!(*word, "a" | "new" | "teaching" | "permanent"))
    {
        return Vec::new();
    }
    // An offer is not a job, and neither is a contract for a phone.
    let open = matches!(words[at], "offer" | "contract")
        && !matches!(clause.verb, "accept" | "sign" | "take" | "land" | "score" | "snag");
    if open
        || words.contains(&"rejected")
        || words[at..].iter().any(|word| matches!(*word, "play" | "film" | "musical" | "show" | "movie"))
        || words[..at].contains(&"no")
        || words[..at].contains(&"interview")
        || words.contains(&"interview")
    {
        return Vec::new();
    }
    let mut found = Vec::new();
    let rest = &words[at + 1..];
    for (number, word) in rest.iter().enumerate() {
        let tokens = clause.after(at + 2 + number);
        match *word {
            "at" | "with" | "from" | "for" if found.is_empty() || number > 0 => {
                found.extend(employer(clause, tokens).map(FactDraft::changed));
            }
            "as" => found.extend(job(clause, tokens).into_iter().map(FactDraft::changed)),
            "in" => found.extend(draft_field(clause, tokens, "works in")),
            _ => {}
        }
    }
    // `a job in marketing at Siemens`: the employer is kept once.
    let mut seen = Vec::new();
    found.retain(|draft| {
        let key = draft.slot.clone();
        let fresh = !seen.contains(&key);
        seen.push(key);
        fresh
    });
    if found.is_empty()
        && matches!(clause.tense, Tense::Past | Tense::Perfect)
        && words[..at].contains(&"new")
        && matches!(words[at], "job" | "position" | "role" | "career" | "post")
    {
        found.push(
            FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Employer), "", "changed jobs")
                .ended()
                .sure(0.5),
        );
    }
    found
}

pub(super) fn future_job(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let at = words.iter().position(|word| matches!(*word, "at" | "for" | "with"));
    let company = at.and_then(|at| organisation(clause.text, clause.after(at + 1)));
    let fits = company.filter(|company| company.chars().any(char::is_uppercase));
    fits.map(|company| will_start(clause, &company)).into_iter().collect()
}

fn will_start(clause: &Clause<'_>, company: &str) -> FactDraft {
    let says = super::sentence_text::dated(clause, &format!("starts at {company}"));
    FactDraft::new(FactCategory::Event, FactSlot::of(SlotKind::Plan, "job"), company, says).event()
}

pub(super) fn joins(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let company = clause.rest.first().is_some_and(|token| token.is_capital)
        || words.starts_with(&["the", "team", "at"]);
    if clause.negated || !company {
        return Vec::new();
    }
    let skip = if words[0] == "the" { 3 } else { 0 };
    if clause.is_ahead() || (clause.progressive && clause.tense == Tense::Present) {
        return organisation(clause.text, clause.after(skip))
            .map(|company| will_start(clause, &company))
            .into_iter()
            .collect();
    }
    employer(clause, clause.after(skip))
        .into_iter()
        .map(FactDraft::changed)
        .chain(role_after(clause, words, skip))
        .collect()
}

pub(super) fn hired(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    if clause.negated || clause.is_ahead() || clause.wishes || clause.is_over() {
        return Vec::new();
    }
    if clause.verb == "hire" || matches!(words.first(), Some(&"hired")) {
        let skip = usize::from(clause.verb != "hire");
        let rest = words.get(skip..).unwrap_or_default();
        return match rest.first() {
            Some(&("by" | "at")) => employer(clause, clause.after(skip + 1))
                .into_iter()
                .map(FactDraft::changed)
                .chain(role_after(clause, words, skip))
                .collect(),
            Some(&"as") => job(clause, clause.after(skip + 1)).into_iter().map(FactDraft::changed).collect(),
            _ => Vec::new(),
        };
    }
    // *I've been made team lead*
    if matches!(words, ["made", title @ ..] if lexicon::is_occupation(title)) {
        return job(clause, clause.after(1)).into_iter().map(FactDraft::changed).collect();
    }
    if matches!(words.first(), Some(&"promoted")) {
        return match words.get(1) {
            Some(&"to") => job(clause, clause.after(2)).into_iter().map(FactDraft::changed).collect(),
            _ => Vec::new(),
        };
    }
    if matches!(words.first(), Some(&("fired" | "sacked" | "laid" | "canned" | "axed")))
        || words.starts_with(&["let", "go"])
        || words.starts_with(&["made", "redundant"])
        || words.starts_with(&["the", "sack"])
    {
        return vec![job_over(clause, words)];
    }
    if matches!((clause.verb, words.first()), ("sign", Some(&("with" | "on")))) && words.get(1).is_some() {
        let skip = usize::from(words[0] == "on") + usize::from(words.contains(&"with"));
        return employer(clause, clause.rest.get(skip..).unwrap_or_default())
            .filter(|draft| draft.value.chars().any(char::is_uppercase))
            .into_iter()
            .collect();
    }
    post(clause, words)
}

pub(super) fn switches(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let of_work = words.iter().take(3).any(|word| {
        words!("job jobs company companies employer employers career careers work").contains(*word)
    });
    if clause.negated || clause.is_ahead() || clause.tense == Tense::Present && !clause.progressive {
        return Vec::new();
    }
    if clause.verb == "go" {
        return match begins(words, &[&["to", "work", "for"], &["to", "work", "at"], &["over", "to"]]) {
            Some(skip) if skip == 3 && clause.tense != Tense::Present => {
                employer(clause, clause.after(skip)).into_iter().collect()
            }
            _ if words.first() == Some(&"freelance") => vec![status(clause, "freelance").changed()],
            _ => Vec::new(),
        };
    }
    if !of_work
        && words.iter().any(|word| is_post(word))
        && matches!(clause.verb, "move" | "switch" | "change")
    {
        let at = words.iter().rposition(|word| *word == "at");
        return at
            .and_then(|at| employer(clause, clause.after(at + 1)))
            .map(FactDraft::changed)
            .into_iter()
            .collect();
    }
    if !of_work {
        return between_companies(clause, words);
    }
    let at =
        |wanted: &[&str]| words.iter().position(|word| wanted.contains(word)).map(|at| clause.after(at + 1));
    let old = at(&["from"]).and_then(|tokens| organisation(clause.text, tokens));
    let to_field = at(&["into"]).and_then(|tokens| draft_field(clause, tokens, "works in"));
    if let Some(draft) = to_field {
        return vec![draft.changed()];
    }
    if let Some(role) = at(&["to", "as"]).filter(|tokens| {
        matches!(tokens.first().map(|token| token.low.as_str()), Some("a" | "an" | "being" | "become"))
    }) {
        return job(clause, role).into_iter().map(FactDraft::changed).collect();
    }
    match at(&["to", "at", "with"]).and_then(|tokens| employer(clause, tokens)) {
        Some(draft) => vec![draft.replacing(old).changed()],
        None => vec![
            FactDraft::new(
                FactCategory::Personal,
                FactSlot::new(SlotKind::Employer),
                old.unwrap_or_default(),
                "changed jobs",
            )
            .ended()
            .sure(0.6),
        ],
    }
}

/// Reads changes between companies: *I switched from Renault to Siemens* changes the job; from Nike to Adidas it
/// changes the shoes.
fn between_companies(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let at = |wanted: &str| words.iter().position(|word| *word == wanted);
    let (Some(from), Some(to)) = (at("from"), at("to")) else { return Vec::new() };
    let plain = from <= 1 && from < to && matches!(words.first(), Some(&("from" | "over")));
    let named = |start: usize, end: usize| {
        let tokens = clause.rest.get(start..end).unwrap_or_default();
        tokens.first().filter(|token| token.is_capital).and_then(|_| organisation(clause.text, tokens))
    };
    let (old, new) = (named(from + 1, to), named(to + 1, words.len()));
    let low = [&old, &new].map(|name| name.as_deref().unwrap_or_default().to_lowercase());
    let makes = low.iter().all(|name| lexicon::is_make(name));
    let bought = makes || low.iter().any(|name| is_bought(name) || !lexicon::is_company(name));
    // *For my phone contract*
    let after = clause.text.get(clause.range.end..).unwrap_or_default().trim_start();
    let deal = words[to..].contains(&"for") || after.starts_with("for ");
    match (old, new) {
        (Some(old), Some(new)) if plain && !bought && !deal => {
            let draft = super::wordings::works_at(&new).important(0.75).begins();
            vec![draft.replacing(Some(old.clone())), super::wordings::worked_at(&old)]
        }
        _ => Vec::new(),
    }
}

/// Returns true for companies whose name stands for their products: switching between them is not a change of job.
pub fn is_bought(company: &str) -> bool {
    words!(
        "google microsoft amazon apple facebook netflix spotify samsung sony nokia huawei xiaomi lenovo dell hp lg \
        dropbox slack zoom paypal revolut n26 klarna monzo airbnb uber lyft bolt deliveroo doordash booking zalando \
        asos etsy ebay ikea h&m zara lidl aldi tesco sainsbury's asda waitrose carrefour rewe edeka walmart target \
        costco mcdonald's starbucks subway coca-cola pepsico heineken carlsberg vodafone orange bt o2 t-mobile telekom \
        at&t verizon adidas nike puma decathlon disney lufthansa ryanair easyjet klm emirates hsbc barclays lloyds \
        natwest santander bbva ing citibank visa mastercard allianz axa generali android windows"
    )
    .contains(company)
}
