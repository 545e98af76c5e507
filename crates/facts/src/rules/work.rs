//! Work and studies.

use protocol::FactCategory;

use super::hiring::{hired, is_bought, is_post, joins, post, role_after, starts, switches};
use super::leaving::stops;
use super::says;
use super::trade::{business, earns, living, studies};
use super::value::{self, organisation};
use super::{Draft, begins};
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::slot::{Kind, Slot};
use crate::subject::Subject;
use crate::time;
use crate::token::Token;

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
            if clause.form != crate::verbs::Form::Base
                && lexicon::is_occupation(&words)
                && !clause.negated =>
        {
            job(clause, &clause.rest).into_iter().map(Draft::changed).collect()
        }
        "earn" => earns(clause, &words),
        "make" if words.contains(&"living") => earns(clause, &words),
        "make"
            if clause.form != crate::verbs::Form::Base
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
        "take" if words.iter().take(2).any(|word| *word == "retirement") => stops(clause, &words),
        "get" | "land" | "find" | "accept" | "take" | "have" | "score" | "snag" | "sign" | "pick"
        | "hire" => hired(clause, &words),
        "leave" | "quit" | "resign" | "lose" | "retire" | "fire" | "let" | "lay" | "make" | "sack"
        | "stop" | "finish" | "hand" | "give" => stops(clause, &words),
        "step" | "move" if words.first() == Some(&"up") && raised(&words).is_some() && !clause.negated => {
            let skip = raised(&words).unwrap_or_default();
            job(clause, clause.after(skip)).into_iter().map(Draft::changed).collect()
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

/// Returns the position of the new title: *up to team lead*, *up to the role of team lead*, *up from nurse to team
/// lead*.
fn raised(words: &[&str]) -> Option<usize> {
    let to = words.iter().position(|word| *word == "to")? + 1;
    let role = begins(&words[to..], &[&["the", "role", "of"], &["the", "position", "of"], &["being"]]);
    let skip = to + role.unwrap_or_default();
    lexicon::is_occupation(&words[skip..]).then_some(skip)
}

/// Reads `I spend my days working for Siemens`, `I'm on staff at Siemens`.
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
    // *Employed at Lego since the first* continues.
    let said = clause.text.get(clause.range.clone()).unwrap_or_default();
    let goes_on = clause.tense != Tense::Used && said.split(' ').any(|word| word == "since");
    let was = clause.tense == Tense::Past
        && matches!(clause.verb, "work" | "be" | "employ" | "intern" | "study" | "attend");
    let past = !goes_on && (clause.is_over() || was);
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

/// Reads `a nurse at the hospital`: the occupation and the employer.
pub(super) fn job(clause: &Clause<'_>, tokens: &[Token]) -> Vec<Draft> {
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
            Some("a" | "an") => format!("{} ", says::article(&value)),
            Some("the") => "the ".to_owned(),
            _ => String::new(),
        };
        let says =
            if past { format!("worked as {article}{value}") } else { format!("works as {article}{value}") };
        let draft = Draft::new(FactCategory::Personal, Slot::new(Kind::Job), value, says).important(0.75);
        let old = old.map(|old| value::text_of(clause.text, old));
        found.push(if past { draft.past(true) } else { draft.begins() }.ended_if(ended).replacing(old));
    }
    // *With immediate effect* is not an employer.
    let named = |at: &&[Token]| tokens[end].low != "with" || at.first().is_some_and(|token| token.is_capital);
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
            let is_named = |token: &Token| token.is_capital || lexicon::is_company(&token.low);
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

/// Puts *my* and *our* in a value into the third person: `my novel` becomes `their novel`.
pub fn own(value: &str) -> String {
    value
        .strip_prefix("my ")
        .or_else(|| value.strip_prefix("our "))
        .map_or_else(|| value.to_owned(), |rest| format!("their {rest}"))
}

pub(super) fn draft_field(clause: &Clause<'_>, tokens: &[Token], says: &str) -> Option<Draft> {
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
        let slot = Slot::of(Kind::Job, if place { "place" } else { "" });
        let draft = Draft::new(FactCategory::Personal, slot, value.clone(), format!("{says} {value}"))
            .important(0.6)
            .sure(0.75);
        if past { draft.past(true) } else { draft.begins() }.ended_if(ended)
    })
}

pub(super) fn status(clause: &Clause<'_>, value: &str) -> Draft {
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
        ["bumped", "up", "to", ..] if lexicon::is_occupation(&words[3..]) => {
            return job(clause, clause.after(3)).into_iter().map(Draft::changed).collect();
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
                || clause.whens.iter().any(|when| matches!(when.sort, time::Sort::Since));
            // *I'm at Siemens* may be a visit; said about a friend, it means work.
            let theirs = matches!(clause.subject, Subject::Person(_))
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
            let named = format!("works as {} ", says::article(words[0]));
            for draft in &mut found {
                draft.says = draft.says.replacen("works as ", &named, 1);
            }
        }
        return found;
    }
    Vec::new()
}
