//! Work and studies.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::hiring::{hired, is_bought, is_post, joins, post, role_after, starts, switches};
use super::leaving::stops;
use super::occupation::{business, earns, living, studies};
use super::value;
use super::value::begins;
use super::wordings;
use super::work_drafts::{draft_field, employer, job, status};
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::mentions::ClauseSubject;
use crate::slot::{FactSlot, SlotKind};
use crate::time;
use crate::token::WordToken;

pub fn read(clause: &Clause<'_>) -> Vec<FactDraft> {
    let words = clause.words();
    match clause.verb {
        "work" | "employ" | "intern" | "freelance" | "nurse" | "bartend" | "consult" => works(clause, &words),
        "have" | "get"
            if matches!(words.as_slice(), ["a", "new", "employer" | "company", ..])
                && !clause.negated
                && clause.rest.len() > 4 =>
        {
            employer(clause, clause.after(4)).into_iter().map(FactDraft::changed).collect()
        }
        "hold" if words.iter().any(|word| is_post(word)) => post(clause, &words),
        "appoint" | "name"
            if clause.form != crate::verbs::VerbForm::Base
                && lexicon::is_occupation(&words)
                && !clause.negated =>
        {
            job(clause, &clause.rest).into_iter().map(FactDraft::changed).collect()
        }
        "earn" => earns(clause, &words),
        "make" if words.contains(&"living") => earns(clause, &words),
        "make"
            if clause.form != crate::verbs::VerbForm::Base
                && lexicon::is_occupation(words.strip_prefix(&["the"]).unwrap_or(&words))
                && matches!(clause.tense, Tense::Past | Tense::Perfect) =>
        {
            job(clause, &clause.rest).into_iter().map(FactDraft::changed).collect()
        }
        "start" | "begin" => starts(clause, &words),
        "lead" | "head" if !clause.negated && !clause.is_ahead() => {
            let at = words
                .iter()
                .position(|word| *word == "at")
                .filter(|at| clause.rest.get(at + 1).is_some_and(|token| token.is_capital));
            at.and_then(|at| employer(clause, clause.after(at + 1))).into_iter().collect()
        }
        "join" => joins(clause, &words),
        "have" if words.starts_with(&["my", "own"]) || words.starts_with(&["our", "own"]) => {
            business(clause, &words)
        }
        "take" if words.iter().take(2).any(|word| *word == "retirement") => stops(clause, &words),
        "get" | "land" | "find" | "accept" | "take" | "have" | "score" | "snag" | "sign" | "pick"
        | "hire" => hired(clause, &words),
        "leave" | "quit" | "resign" | "lose" | "retire" | "fire" | "let" | "lay" | "make" | "sack"
        | "stop" | "finish" | "hand" | "give" => stops(clause, &words),
        "step" | "move" if words.first() == Some(&"up") && raised(&words).is_some() && !clause.negated => {
            let skip = raised(&words).unwrap_or_default();
            job(clause, clause.after(skip)).into_iter().map(FactDraft::changed).collect()
        }
        "switch" | "change" | "move" | "transfer" | "go" | "hop" => switches(clause, &words),
        "promote" => match begins(&words, &[&["to"]]) {
            Some(skip) => job(clause, clause.after(skip)).into_iter().map(FactDraft::changed).collect(),
            None => Vec::new(),
        },
        "become" => job(clause, &clause.rest)
            .into_iter()
            .filter(|_| lexicon::is_occupation(&words))
            .map(FactDraft::changed)
            .collect(),
        "be" => is(clause, &words),
        "run" | "own" | "found" | "manage" | "open" | "launch" => business(clause, &words),
        // *I did my shopping at Tesco* is not about work.
        "do" if words.iter().any(|word| matches!(*word, "for" | "at"))
            && !clause.negated
            && clause.tense != Tense::Past
            && !matches!(words.first(), Some(&("my" | "our" | "the" | "a" | "some"))) =>
        {
            let at = words
                .iter()
                .position(|word| matches!(*word, "for" | "at"))
                .filter(|at| *at > 0 && clause.rest.get(at + 1).is_some_and(|token| token.is_capital));
            let found: Vec<FactDraft> =
                at.and_then(|at| employer(clause, clause.after(at + 1))).into_iter().collect();
            if found.is_empty() { studies(clause, &words) } else { found }
        }
        "study" | "major" | "graduate" | "enrol" | "attend" | "drop" | "do" | "learn" => {
            studies(clause, &words)
        }
        "teach" | "code" | "drive" | "write" | "sell" | "build" | "cook" | "design" | "paint" | "program" => {
            living(clause, &words)
        }
        _ => Vec::new(),
    }
}

/// Returns the position of the new title: *up to team lead*, *up to the role of team lead*, *up from nurse to team
/// lead*.
fn raised(words: &[&str]) -> Option<usize> {
    let to = words.iter().position(|word| *word == "to")? + 1;
    let role = begins(&words[to..], &[&["the", "role", "of"], &["the", "position", "of"], &["being"]]);
    let skip = to + role.unwrap_or_default();
    lexicon::is_occupation(&words[skip..]).then_some(skip)
}

/// Reads `I spend my days working for Siemens`, `I'm on staff at Siemens`.
pub fn works_there(clause: &Clause<'_>) -> Vec<FactDraft> {
    let words = clause.words();
    let own = matches!(clause.subject, ClauseSubject::Me | ClauseSubject::Person(_))
        && !clause.negated
        && !clause.wishes
        && !clause.is_ahead();
    let far = words!(
        "stop quit imagine consider dream think avoid miss remember want hope see meet hate need look \
        search apply try wish plan"
    )
    .contains(clause.verb)
        || words.iter().any(|word| {
            matches!(
                *word,
                "applying" | "interviewing" | "looking" | "hoping" | "trying" | "searching" | "hunting"
            )
        })
        || clause.tense == Tense::Past
        || clause.is_over();
    if !own || far {
        return Vec::new();
    }
    let place = words.windows(2).position(|pair| {
        matches!(
            pair,
            [
                "working" | "work" | "job" | "staff" | "team" | "payroll" | "crew" | "shifts",
                "at" | "for" | "with" | "of"
            ]
        )
    });
    let named = place.filter(|at| clause.rest.get(at + 2).is_some_and(|token| token.is_capital));
    named
        .and_then(|at| employer(clause, clause.after(at + 2)))
        .map(|draft| draft.sure(0.75))
        .into_iter()
        .collect()
}

fn works(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    if clause.tense == Tense::Future || clause.able || clause.is_ahead() && !clause.progressive {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while words.get(at).is_some_and(|word| {
        words!(
        "over out full-time part-time remotely full part time freelance mainly hard night nights weekends \
        days evenings mornings shifts"
    ).contains(*word)
    }) {
        at += 1;
    }
    match words.get(at..).unwrap_or_default() {
        ["at" | "for" | "with" | "by", ..] => {
            let is_named = |token: &WordToken| token.is_capital || lexicon::is_company(&token.low);
            let company = employer(clause, clause.after(at + 1)).filter(|_| {
                words.get(at) != Some(&"with") || clause.after(at + 1).first().is_some_and(is_named)
            });
            if company.is_none() && words.get(at) == Some(&"with") {
                return vec![draft_field(clause, clause.after(at + 1), "works with")]
                    .into_iter()
                    .flatten()
                    .collect();
            }
            found.extend(company);
            if let Some(role) = words.iter().position(|word| *word == "as") {
                found.extend(job(clause, clause.after(role + 1)));
            }
        }
        ["as", ..] => found.extend(job(clause, clause.after(at + 1))),
        ["in", ..] => {
            let role = role_after(clause, words, at);
            if role.is_empty() {
                found.extend(draft_field(clause, clause.after(at + 1), "works in"));
            }
            found.extend(role);
        }
        ["from", "home", ..] => found.push(
            FactDraft::new(
                FactCategory::Behaviour,
                FactSlot::of(SlotKind::Habit, "work from home"),
                "works from home",
                "works from home",
            )
            .past(clause.is_over())
            .ended_if(clause.negated),
        ),
        ["on", ..] if clause.progressive && clause.tense == Tense::Present => {
            if let Some(value) =
                value::object(clause.text, clause.after(at + 1)).filter(|value| value.contains(' '))
            {
                let value = value::in_third_person(&value);
                let expires = clause.today.checked_add(jiff::Span::new().days(120)).unwrap_or(clause.today);
                found.push(
                    FactDraft::new(
                        FactCategory::Context,
                        FactSlot::of(SlotKind::Goal, value.clone()),
                        value.clone(),
                        format!("is working on {value}"),
                    )
                    .sure(0.7)
                    .expiring(expires),
                );
            }
        }
        _ => {}
    }
    found
}

fn is(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    if clause.tense == Tense::Future {
        return Vec::new();
    }
    match words {
        ["retired" | "unemployed" | "self-employed" | "freelance" | "freelancing" | "jobless", ..] => {
            return vec![status(clause, words[0]).changed()];
        }
        ["bumped", "up", "to", ..] if lexicon::is_occupation(&words[3..]) => {
            return job(clause, clause.after(3)).into_iter().map(FactDraft::changed).collect();
        }
        ["between", "jobs", ..] => return vec![status(clause, "between jobs").changed()],
        ["out", "of", "work", ..] => return vec![status(clause, "out of work").changed()],
        ["on", "parental" | "maternity" | "paternity", "leave", ..] => {
            return vec![status(clause, &format!("on {} leave", words[1]))];
        }
        ["an", "employee", "of" | "at", ..] => {
            return employer(clause, clause.after(3)).into_iter().collect();
        }
        ["a", "student", ..] | ["a", _, "student", ..] => return studies(clause, words),
        ["at" | "with", ..] => {
            let named = clause
                .rest
                .get(1)
                .is_some_and(|token| token.is_capital || (clause.rest.len() <= 3 && clause.hints.is_now));
            let settled = clause.hints.is_now
                || words.contains(&"as")
                || words.contains(&"working")
                || clause.whens.iter().any(|when| matches!(when.kind, time::TimeKind::Since));
            // *I'm at Siemens* may be a visit; said about a friend, it means work.
            let theirs = matches!(clause.subject, ClauseSubject::Person(_))
                && clause.rest.get(1).is_some_and(|token| !is_bought(&token.low));
            let doubt = if settled {
                0.8
            } else if theirs {
                0.7
            } else {
                0.5
            };
            let found = employer(clause, clause.after(1)).filter(|_| {
                let company = clause.rest.get(1).is_some_and(|token| lexicon::is_company(&token.low));
                named
                    && (settled
                        || words[0] == "at" && clause.rest.len() == 2 && company && !clause.is_ahead())
            });
            return found
                .into_iter()
                .map(|draft| draft.sure(doubt))
                .chain(role_after(clause, words, 0))
                .collect();
        }
        _ => {}
    }
    let article = matches!(words.first(), Some(&("a" | "an" | "the")));
    // *I am engineer, not actor*: non-native speakers may omit the article.
    let plain = words.first().is_some_and(|word| {
        lexicon::is_occupation(&[word])
            && !words!(
                "head lead partner owner social sales principal tram cook guide judge admin rep officer intern guard \
                captain director social"
            )
            .contains(*word)
    }) && words.get(1).is_none_or(|next| words!(", and at in for by but from").contains(*next))
        && !clause.rest[0].is_capital;
    let bare = if article { &words[1..] } else { words };
    let fits = lexicon::is_occupation(bare)
        && (article
            || plain
            || clause.hints.is_now
            || matches!(bare.first(), Some(&("head" | "director" | "ceo" | "cto" | "cfo" | "chief")))
            || bare.len() >= 2
                && matches!(bare[bare.len() - 1], "manager" | "engineer" | "nurse" | "lead" | "director"));
    let joking = bare.first().is_some_and(|word| {
        words!(
            "good great bad terrible big fast slow lousy decent better careful huge natural happy worst \
            best biggest"
        )
        .contains(*word)
    });
    if fits && !joking && clause.tense != Tense::Future && !clause.is_ahead() {
        let mut found = job(clause, &clause.rest);
        if plain && !article {
            let named = format!("works as {} ", wordings::article(words[0]));
            for draft in &mut found {
                draft.says = draft.says.replacen("works as ", &named, 1);
            }
        }
        return found;
    }
    Vec::new()
}
