//! Work and studies.

use protocol::FactCategory;

use super::leaving::{job_over, stops};
use super::trade::{business, earns, living, studies};
use super::value::{self, organisation};
use super::{Draft, begins};
use crate::facts::clause::{Clause, Tense};
use crate::facts::lexicon;
use crate::facts::slot::{Kind, Slot};
use crate::facts::subject::Subject;
use crate::facts::time;
use crate::facts::token::Token;

pub fn read(clause: &Clause<'_>) -> Vec<Draft> {
    let words = clause.words();
    match clause.verb {
        "work" | "employ" | "intern" | "freelance" | "nurse" | "bartend" | "consult" => works(clause, &words),
        "have" | "get"
            if matches!(words.as_slice(), ["a", "new", "employer" | "company", ..])
                && !clause.negated
                && clause.rest.len() > 4 =>
        {
            employer(clause, clause.after(4)).into_iter().map(Draft::changed).collect()
        }
        "hold" if words.iter().any(|word| is_post(word)) => post(clause, &words),
        "appoint" | "name"
            if clause.form != crate::facts::verbs::Form::Base
                && lexicon::is_occupation(&words)
                && !clause.negated =>
        {
            job(clause, &clause.rest).into_iter().map(Draft::changed).collect()
        }
        "earn" => earns(clause, &words),
        "make" if words.contains(&"living") => earns(clause, &words),
        "make"
            if clause.form != crate::facts::verbs::Form::Base
                && lexicon::is_occupation(words.strip_prefix(&["the"]).unwrap_or(&words))
                && matches!(clause.tense, Tense::Past | Tense::Perfect) =>
        {
            job(clause, &clause.rest).into_iter().map(Draft::changed).collect()
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
        "get" | "land" | "find" | "accept" | "take" | "have" | "score" | "snag" | "sign" | "pick"
        | "hire" => hired(clause, &words),
        "leave" | "quit" | "resign" | "lose" | "retire" | "fire" | "let" | "lay" | "make" | "sack"
        | "stop" | "finish" | "hand" | "give" => stops(clause, &words),
        "step" | "move"
            if words.starts_with(&["up", "to"]) && lexicon::is_occupation(&words[2..]) && !clause.negated =>
        {
            job(clause, clause.after(2)).into_iter().map(Draft::changed).collect()
        }
        "switch" | "change" | "move" | "transfer" | "go" | "hop" => switches(clause, &words),
        "promote" => match begins(&words, &[&["to"]]) {
            Some(skip) => job(clause, clause.after(skip)).into_iter().map(Draft::changed).collect(),
            None => Vec::new(),
        },
        "become" => job(clause, &clause.rest)
            .into_iter()
            .filter(|_| lexicon::is_occupation(&words))
            .map(Draft::changed)
            .collect(),
        "be" => is(clause, &words),
        "run" | "own" | "found" | "manage" | "open" | "launch" => business(clause, &words),
        // *I did my shopping at Tesco* is no work.
        "do" if words.iter().any(|word| matches!(*word, "for" | "at"))
            && !clause.negated
            && clause.tense != Tense::Past
            && !matches!(words.first(), Some(&("my" | "our" | "the" | "a" | "some"))) =>
        {
            let at = words
                .iter()
                .position(|word| matches!(*word, "for" | "at"))
                .filter(|at| *at > 0 && clause.rest.get(at + 1).is_some_and(|token| token.is_capital));
            let found: Vec<Draft> =
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

/// `I spend my days working for Siemens`, `I'm on staff at Siemens`.
pub fn works_there(clause: &Clause<'_>) -> Vec<Draft> {
    let words = clause.words();
    let own = matches!(clause.subject, Subject::Me | Subject::Person(_))
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

pub(super) fn state(clause: &Clause<'_>) -> (bool, bool) {
    let past = clause.is_over()
        || (clause.tense == Tense::Past
            && matches!(clause.verb, "work" | "be" | "employ" | "intern" | "study" | "attend"));
    (past, clause.negated && !past)
}

pub(super) fn employer(clause: &Clause<'_>, tokens: &[Token]) -> Option<Draft> {
    let (tokens, old) = value::replaced(tokens);
    let company = organisation(clause.text, tokens)?;
    let (past, ended) = state(clause);
    let says = if past { format!("worked at {company}") } else { format!("works at {company}") };
    let draft = Draft::new(FactCategory::Personal, Slot::new(Kind::Employer), company, says)
        .important(0.75)
        .sure(0.9);
    let old = old.and_then(|old| organisation(clause.text, old));
    Some(if past { draft.past(true) } else { draft.begins() }.ended_if(ended).replacing(old))
}

/// `a nurse at the hospital`: the work, and whose.
pub(super) fn job(clause: &Clause<'_>, tokens: &[Token]) -> Vec<Draft> {
    let (tokens, old) = value::replaced(tokens);
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
    // *I'm basically a taxi driver for my kids*
    let said = clause.text.get(clause.range.clone()).unwrap_or("").to_lowercase();
    let likened = ["basically", "practically", "pretty much", "kind of", "sort of", "like a "];
    if since_childhood(clause) || likened.iter().any(|words| said.contains(words)) {
        return Vec::new();
    }
    let vague = matches!(bare, [word] if matches!(word.low.as_str(), "it" | "that" | "part" | "team" | "me"));
    let fits = (1..=6).contains(&bare.len()) && !value::has_blank(bare) && !vague;
    if fits {
        let value = value::text_of(clause.text, bare);
        let vowel = value.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
        let article = match title.first().map(|token| token.low.as_str()) {
            Some("a" | "an") => {
                if vowel {
                    "an "
                } else {
                    "a "
                }
            }
            Some("the") => "the ",
            _ => "",
        };
        let says =
            if past { format!("worked as {article}{value}") } else { format!("works as {article}{value}") };
        let draft = Draft::new(FactCategory::Personal, Slot::new(Kind::Job), value, says).important(0.75);
        let old = old.map(|old| value::text_of(clause.text, old));
        found.push(if past { draft.past(true) } else { draft.begins() }.ended_if(ended).replacing(old));
    }
    if let Some(at) = (end < tokens.len()).then(|| &tokens[end + 1..]) {
        found.extend(employer(clause, at));
    }
    found
}

/// *I've been a charge nurse since I was seven*: nobody works as a child.
fn since_childhood(clause: &Clause<'_>) -> bool {
    let after = clause.text.get(clause.range.end..).unwrap_or("").to_lowercase();
    let words: Vec<&str> =
        after.split_whitespace().take(4).map(|word| word.trim_matches(',').trim_end_matches('.')).collect();
    matches!(words.as_slice(), ["since", "i", "was", age] if time::number(age).is_some_and(|age| age < 16))
}

fn works(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
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
            let company = employer(clause, clause.after(at + 1));
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
            Draft::new(
                FactCategory::Behaviour,
                Slot::of(Kind::Habit, "work from home"),
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
                let value = own(&value);
                let expires = clause.today.checked_add(jiff::Span::new().days(120)).unwrap_or(clause.today);
                found.push(
                    Draft::new(
                        FactCategory::Context,
                        Slot::of(Kind::Goal, value.clone()),
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

/// `my novel`, of somebody else's, is `a novel of their own`; told plainly it is `their novel`.
pub fn own(value: &str) -> String {
    value
        .strip_prefix("my ")
        .or_else(|| value.strip_prefix("our "))
        .map_or_else(|| value.to_owned(), |rest| format!("their {rest}"))
}

fn draft_field(clause: &Clause<'_>, tokens: &[Token], says: &str) -> Option<Draft> {
    let (past, ended) = state(clause);
    let tokens = value::upto(tokens, |word| {
        value::is_stop(word) || matches!(word, "and" | "at" | "for" | "from" | "to")
    });
    let first = tokens.first()?;
    let fits = tokens.len() <= 4
        && !value::has_blank(tokens)
        && !matches!(first.low.as_str(), "it" | "that" | "the" if tokens.len() == 1)
        && !words!("my progress him her them what you shifts").contains(first.low.as_str());
    let value = value::text_of(clause.text, tokens);
    let says = if past { says.replacen("works", "worked", 1) } else { says.to_owned() };
    fits.then(|| {
        let place = first.is_capital;
        let slot = Slot::of(Kind::Job, if place { "place" } else { "" });
        let draft = Draft::new(FactCategory::Personal, slot, value.clone(), format!("{says} {value}"))
            .important(0.6)
            .sure(0.75);
        if past { draft.past(true) } else { draft.begins() }.ended_if(ended)
    })
}

fn is_post(word: &str) -> bool {
    words!("job position role gig internship post apprenticeship traineeship career contract offer placement")
        .contains(word)
}

fn starts(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
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
            .map(Draft::changed)
            .chain(role_after(clause, words, skip))
            .collect();
    }
    if let Some(skip) = begins(words, &[&["as"], &["working", "as"], &["out", "as"], &["work", "as"]]) {
        return job(clause, clause.after(skip)).into_iter().map(Draft::changed).collect();
    }
    let ahead = clause.progressive && clause.tense == Tense::Present;
    if ahead { Vec::new() } else { post(clause, words) }
}

fn role_after(clause: &Clause<'_>, words: &[&str], from: usize) -> Vec<Draft> {
    match words.iter().skip(from).position(|word| *word == "as") {
        Some(at) => job(clause, clause.after(from + at + 1)),
        None => Vec::new(),
    }
}

/// `a new job at Renault as a nurse`.
fn post(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    let Some(at) = words.iter().take(6).position(|word| is_post(word)) else { return Vec::new() };
    // An offer is no job, nor is a contract for a phone.
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
                found.extend(employer(clause, tokens).map(Draft::changed));
            }
            "as" => found.extend(job(clause, tokens).into_iter().map(Draft::changed)),
            "in" => found.extend(draft_field(clause, tokens, "works in")),
            _ => {}
        }
    }
    // `a job in marketing at Siemens` names the employer once.
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
            Draft::new(FactCategory::Personal, Slot::new(Kind::Employer), "", "changed jobs")
                .ended()
                .sure(0.5),
        );
    }
    found
}

fn future_job(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    let at = words.iter().position(|word| matches!(*word, "at" | "for" | "with"));
    let company = at.and_then(|at| organisation(clause.text, clause.after(at + 1)));
    let fits = company.filter(|company| company.chars().any(char::is_uppercase));
    fits.map(|company| {
        Draft::new(
            FactCategory::Event,
            Slot::of(Kind::Plan, "job"),
            company.clone(),
            super::home::dated(clause, &format!("starts at {company}")),
        )
        .event()
    })
    .into_iter()
    .collect()
}

fn joins(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    let company = clause.rest.first().is_some_and(|token| token.is_capital)
        || words.starts_with(&["the", "team", "at"]);
    if clause.negated || !company {
        return Vec::new();
    }
    let skip = if words[0] == "the" { 3 } else { 0 };
    if clause.is_ahead() || (clause.progressive && clause.tense == Tense::Present) {
        return organisation(clause.text, clause.after(skip))
            .map(|company| {
                Draft::new(
                    FactCategory::Event,
                    Slot::of(Kind::Plan, "job"),
                    company.clone(),
                    super::home::dated(clause, &format!("starts at {company}")),
                )
                .event()
            })
            .into_iter()
            .collect();
    }
    employer(clause, clause.after(skip))
        .into_iter()
        .map(Draft::changed)
        .chain(role_after(clause, words, skip))
        .collect()
}

fn hired(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    if clause.negated || clause.is_ahead() || clause.wishes || clause.is_over() {
        return Vec::new();
    }
    if clause.verb == "hire" || matches!(words.first(), Some(&"hired")) {
        let skip = usize::from(clause.verb != "hire");
        let rest = words.get(skip..).unwrap_or_default();
        return match rest.first() {
            Some(&("by" | "at")) => employer(clause, clause.after(skip + 1))
                .into_iter()
                .map(Draft::changed)
                .chain(role_after(clause, words, skip))
                .collect(),
            Some(&"as") => job(clause, clause.after(skip + 1)).into_iter().map(Draft::changed).collect(),
            _ => Vec::new(),
        };
    }
    if matches!(words.first(), Some(&"promoted")) {
        return match words.get(1) {
            Some(&"to") => job(clause, clause.after(2)).into_iter().map(Draft::changed).collect(),
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

fn switches(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
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
            .map(Draft::changed)
            .into_iter()
            .collect();
    }
    if !of_work {
        return Vec::new();
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
        return job(clause, role).into_iter().map(Draft::changed).collect();
    }
    match at(&["to", "at", "with"]).and_then(|tokens| employer(clause, tokens)) {
        Some(draft) => vec![draft.replacing(old).changed()],
        None => vec![
            Draft::new(
                FactCategory::Personal,
                Slot::new(Kind::Employer),
                old.unwrap_or_default(),
                "changed jobs",
            )
            .ended()
            .sure(0.6),
        ],
    }
}

fn status(clause: &Clause<'_>, value: &str) -> Draft {
    let (past, ended) = state(clause);
    let says = if past { format!("was {value}") } else { format!("is {value}") };
    Draft::new(FactCategory::Personal, Slot::new(Kind::Job), value, says).past(past).ended_if(ended).begins()
}

fn is(clause: &Clause<'_>, words: &[&str]) -> Vec<Draft> {
    if clause.tense == Tense::Future {
        return Vec::new();
    }
    match words {
        ["retired" | "unemployed" | "self-employed" | "freelance" | "freelancing" | "jobless", ..] => {
            return vec![status(clause, words[0]).changed()];
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
                || clause.whens.iter().any(|when| matches!(when.sort, crate::facts::time::Sort::Since));
            let doubt = if settled { 0.8 } else { 0.5 };
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
    let bare = if article { &words[1..] } else { words };
    let fits = lexicon::is_occupation(bare)
        && (article
            || clause.hints.is_now
            || matches!(bare.first(), Some(&("head" | "director" | "ceo" | "cto" | "cfo" | "chief")))
            || bare.len() >= 2
                && matches!(bare[bare.len() - 1], "manager" | "engineer" | "nurse" | "lead" | "director"));
    let joking = bare.first().is_some_and(|word| {
        words!("good great bad terrible big fast slow lousy decent better careful huge natural happy")
            .contains(*word)
    });
    if fits && !joking && clause.tense != Tense::Future && !clause.is_ahead() {
        return job(clause, &clause.rest);
    }
    Vec::new()
}
