//! Family, friends and partners.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::sentence_text::sentence;
use super::value;
use super::wordings;
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::mentions::{ClauseSubject, Mentions};
use crate::names::{KnownName, KnownNames};
use crate::slot::{FactSlot, SlotKind};
use crate::subject::name_after;
use crate::well_known;

/// Returns a person or pet by name and relation: `my sister Anna`.
pub fn met(named: &KnownName, is_pet: bool) -> FactDraft {
    if is_pet {
        return super::pets::pet(&named.what, &named.name);
    }
    relative(&named.what, &named.name).sure(0.9)
}

pub fn relative(what: &str, name: &str) -> FactDraft {
    let slot = FactSlot::of(SlotKind::Relative, what);
    let says = match what {
        "boss" | "landlord" | "landlady" | "doctor" | "dentist" | "therapist" | "teacher" | "mother"
        | "father" => format!("{what} is called {name}"),
        _ => format!("has {} {what} called {name}", wordings::article(what)),
    };
    FactDraft::new(FactCategory::Relationship, slot, name, says).important(0.65)
}

/// Records the person that *who* refers to: `I met Tom, a friend who …`.
pub fn introduced(clause: &Clause<'_>, names: &KnownNames, mentions: &mut Mentions) {
    // After *I miss Max*, *he* refers to Max.
    for token in &clause.rest {
        if let Some(pet) = names.pet(&token.low).filter(|_| token.is_capital) {
            mentions.pet = Some(pet.clone());
        } else if let Some(label) = names.person(&token.low).filter(|_| token.is_capital) {
            mentions.person = Some(label);
            mentions.pet = None;
        }
    }
    let own = clause.rest.windows(2).any(|pair| {
        matches!(pair[0].low.as_str(), "my" | "our") && lexicon::relation(&pair[1].low).is_some()
    });
    if !own
        && !words!("meet see visit call know have catch run talk chat bump write text phone hear")
            .contains(clause.verb)
    {
        return;
    }
    let words = clause.words();
    let Some(at) = clause.rest.iter().position(|token| token.is_capital && token.low != "i") else {
        // `I have a friend who …`
        if let Some(what) = words.iter().take(5).find_map(|word| lexicon::relation(word)) {
            mentions.object = Some(ClauseSubject::Person(what.to_owned()));
        }
        return;
    };
    let length = crate::name_text::name_length(&clause.rest[at..]);
    let name = crate::name_text::text_of(&clause.rest[at..at + length]);
    // *A choir called Loud Larks, my cousin conducts*: the name belongs to the choir.
    if at > 1 && matches!(words[at - 1], "called" | "named") && one_relation(words[at - 2]).is_none() {
        return;
    }
    // `Tom, an old friend`: only connecting words stand between the two.
    let joins = |word: &str| {
        words!(", ( - – a an the my our who is was one of").contains(word) || lexicon::is_which(word)
    };
    let rest = &words[at + length..];
    let tail = rest.iter().position(|word| !joins(word)).and_then(|place| {
        let closes = rest.get(place + 1).is_none_or(|next| {
            words!(", . ! ? ( ) - – who that which from in at and but of so").contains(*next)
        });
        one_relation(rest[place]).filter(|_| closes)
    });
    let before = words[..at]
        .iter()
        .rev()
        .take(3)
        .take_while(|word| !matches!(**word, "in" | "at" | "from" | "to" | "near" | "on" | "'s"))
        .find_map(|word| one_relation(word));
    let Some(what) = tail.or(before) else { return };
    let low = name.to_lowercase();
    if !well_known::is_given_name(&low) && (well_known::is_city(&low) || well_known::is_company(&low)) {
        return;
    }
    let named = KnownName::new(what, &name);
    mentions.object = Some(ClauseSubject::Person(named.label()));
    mentions.person = Some(named.label());
    if !mentions.met.iter().any(|(known, _)| *known == named) {
        mentions.met.push((named, false));
    }
}

/// Returns a relation to a single person; *parents* and *friends* have no single name.
fn one_relation(word: &str) -> Option<&'static str> {
    lexicon::relation(word).filter(|what| !what.ends_with('s') || *what == "boss")
}

fn bond(value: &str, says: &str) -> FactDraft {
    FactDraft::new(FactCategory::Relationship, FactSlot::new(SlotKind::Bond), value, says)
        .important(0.75)
        .sure(0.9)
}

/// Returns true for bonds with a thing: *I'm married to my job*, *I'm divorced from reality*
fn is_to_a_thing(clause: &Clause<'_>) -> bool {
    let mut rest = clause
        .rest
        .iter()
        .skip_while(|token| matches!(token.low.as_str(), "married" | "divorced" | "wedded"));
    let joins = rest.next().is_some_and(|token| matches!(token.low.as_str(), "to" | "from"));
    let mut rest = rest.skip_while(|token| words!("my the our this that a an").contains(token.low.as_str()));
    joins
        && rest.next().is_some_and(|token| {
            words!(
                "job work career phone computer laptop idea concept game games craft business company firm sea plan \
                music guitar bike reality truth facts world politics everyday common sense sport routine books art"
            )
            .contains(token.low.as_str())
        })
}

pub fn read(clause: &Clause<'_>) -> Vec<FactDraft> {
    let words = clause.words();
    let mine = clause.subject == ClauseSubject::Me;
    if matches!(clause.verb, "be" | "marry" | "divorce") && is_to_a_thing(clause) {
        return Vec::new();
    }
    match (clause.verb, words.as_slice()) {
        ("have", _) if clause.tense == Tense::Present && !clause.able => has(clause, &words),
        ("be", ["my" | "our", ..]) => is_mine(clause, &words),
        ("be", ["a" | "an", what, "of", "mine" | "ours", ..]) if lexicon::relation(what).is_some() => {
            is_mine(clause, &["my", what])
        }
        // *My wife left me*, but not *my wife left me a note*
        ("leave" | "dump" | "ditch" | "divorce", ["me"] | ["me", "for" | "because" | "after" | ",", ..])
        | ("break" | "split", ["up", "with", "me", ..])
        | ("walk", ["out", "on", "me", ..])
            if !mine
                && !clause.negated
                && matches!(clause.tense, Tense::Past | Tense::Perfect)
                && !clause.is_over() =>
        {
            left_by(clause)
        }
        ("be", ["single" | "divorced" | "widowed" | "engaged" | "married" | "separated", rest @ ..]) => {
            let mut found = vec![];
            // *I've been married twice*
            let often = matches!(rest.first(), Some(&("twice" | "before" | "three")));
            // *We were married forty years* says that it is over, and *I wasn't single* says nothing.
            let lasted = clause.tense == Tense::Past
                && (clause.negated || rest.iter().any(|word| matches!(*word, "years" | "months")));
            if !often
                && !lasted
                && !matches!(rest.first(), Some(&("parent" | "mother" | "mum" | "father" | "in" | "malt")))
                && !clause.is_ahead()
            {
                found.push(state(clause, words[0]));
                found.extend(partner_after(clause, &words));
            }
            found
        }
        // *I separated the eggs*, *we got separated at the airport*
        ("marry", ["twice" | "before" | "three" | "into", ..]) => Vec::new(),
        ("marry", _) if clause.able => Vec::new(),
        // *I'm engaged in a project*
        ("engage", ["in" | "with", ..]) if !clause.rest.get(1).is_some_and(|token| token.is_capital) => {
            Vec::new()
        }
        ("engage" | "separate", [_, ..]) | ("get", ["separated" | "engaged", _, ..])
            if !words
                .iter()
                .find(|word| !matches!(**word, "separated" | "engaged"))
                .is_some_and(|word| words!("from to after and because officially in on").contains(*word)) =>
        {
            Vec::new()
        }
        ("marry" | "engage" | "divorce" | "separate", _)
        | ("get", ["married" | "engaged" | "divorced" | "hitched" | "separated", ..]) => {
            let state_word = match clause.verb {
                "marry" => "married",
                "engage" => "engaged",
                "divorce" => "divorced",
                "separate" => "separated",
                _ if words[0] == "hitched" => "married",
                _ => words[0],
            };
            if clause.is_ahead() || (clause.progressive && clause.tense == Tense::Present) {
                let says = super::sentence_text::dated(
                    clause,
                    if state_word == "married" { "is getting married" } else { "is getting divorced" },
                );
                return if clause.negated || state_word == "engaged" {
                    Vec::new()
                } else {
                    vec![
                        FactDraft::new(
                            FactCategory::Event,
                            FactSlot::of(SlotKind::Plan, "wedding"),
                            state_word,
                            says,
                        )
                        .event()
                        .important(0.8),
                    ]
                };
            }
            let mut found = vec![state(clause, state_word)];
            found.extend(partner_after(clause, &words));
            if clause.verb == "marry" && clause.rest.first().is_some_and(|token| token.is_capital) {
                found.extend(value::name(clause.text, &clause.rest).map(|name| relative("partner", &name)));
            }
            found
        }
        ("break" | "split", ["up", ..]) | ("split", [])
            if mine
                && matches!(clause.tense, Tense::Past | Tense::Perfect)
                && !clause.negated
                && !words.contains(&"once")
                && !matches!(words.get(1), Some(&("the" | "a" | "an" | "my" | "our" | "some" | "into"))) =>
        {
            separation(clause, &words)
        }
        ("be", ["no", "longer", "together", ..]) if mine => separation(clause, &words),
        ("be", ["not", "together", ..]) | ("be", ["together", ..]) if mine && clause.negated => {
            separation(clause, &words)
        }
        ("date" | "see", _) if clause.progressive && clause.tense != Tense::Future && !clause.negated => {
            let name = clause
                .rest
                .first()
                .filter(|token| token.is_capital)
                .and_then(|_| value::name(clause.text, &clause.rest));
            let name = name.or_else(|| {
                (clause.verb == "date" && clause.rest.len() == 1)
                    .then(|| value::name(clause.text, &clause.rest))
                    .flatten()
            });
            let someone = matches!(
                words.as_slice(),
                ["someone" | "somebody", ..] | ["a", "guy" | "girl" | "man" | "woman" | "lady" | "bloke", ..]
            );
            if clause.verb == "see"
                && !someone
                && (name.is_none() || clause.is_ahead() || !clause.whens.is_empty())
            {
                return Vec::new();
            }
            match name {
                Some(name) if !someone => vec![
                    relative("partner", &name).begins(),
                    bond("in a relationship", "is in a relationship").changed(),
                ],
                _ if someone => vec![bond("in a relationship", "is in a relationship").changed()],
                _ => Vec::new(),
            }
        }
        ("be", ["in", "a", "relationship", ..]) => {
            let mut found = vec![
                bond("in a relationship", "is in a relationship")
                    .ended_if(clause.negated)
                    .past(clause.is_over()),
            ];
            found.extend(partner_after(clause, &words));
            found
        }
        _ => Vec::new(),
    }
}

fn state(clause: &Clause<'_>, word: &str) -> FactDraft {
    // *I was married to one* is parsed with the verb *marry*.
    let said = clause.text.get(clause.range.clone()).unwrap_or("").to_lowercase();
    let was =
        clause.tense == Tense::Past && said.split(|c: char| !c.is_alphabetic()).any(|word| word == "was");
    let past =
        clause.is_over() || was && word != "engaged" || (clause.tense == Tense::Past && clause.verb == "be");
    let says = if past { format!("was {word}") } else { format!("is {word}") };
    bond(word, &says).past(past).ended_if(clause.negated && !past).begins()
}

fn partner_after(clause: &Clause<'_>, words: &[&str]) -> Option<FactDraft> {
    let at = words.iter().position(|word| matches!(*word, "to" | "with"))?;
    let name = clause
        .rest
        .get(at + 1)
        .filter(|token| token.is_capital)
        .and_then(|_| value::name(clause.text, clause.after(at + 1)))?;
    (!clause.negated).then(|| relative("partner", &name).begins())
}

fn separation(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let at = words.iter().position(|word| *word == "with");
    let name = at.and_then(|at| {
        // `with Laura`, `with my girlfriend Laura`
        let whom =
            clause.after(at + 1).iter().position(|token| token.is_capital).filter(|skip| *skip <= 2)?;
        value::name(clause.text, clause.after(at + 1 + whom))
    });
    let value = name.unwrap_or_default();
    let mut over = Vec::new();
    for what in ["partner", "girlfriend", "boyfriend", "fiancé"] {
        let whom = if value.is_empty() { format!("a {what}") } else { value.clone() };
        over.push(
            FactDraft::new(
                FactCategory::Relationship,
                FactSlot::of(SlotKind::Relative, what),
                value.clone(),
                format!("is no longer with {whom}"),
            )
            .ended(),
        );
    }
    let mut single = bond("single", "is single").changed().sure(0.75);
    single.begins = true;
    over.push(single);
    over
}

/// Reads a separation by the partner: *my wife left me*.
fn left_by(clause: &Clause<'_>) -> Vec<FactDraft> {
    let ClauseSubject::Person(label) = &clause.subject else { return Vec::new() };
    let Some((what, name)) = crate::names::split_subject(label) else { return Vec::new() };
    let state = match what {
        "wife" | "husband" if clause.verb == "divorce" => "divorced",
        "wife" | "husband" => "separated",
        "partner" | "girlfriend" | "boyfriend" | "fiancé" => "single",
        _ => return Vec::new(),
    };
    let over = FactDraft::new(
        FactCategory::Relationship,
        FactSlot::of(SlotKind::Relative, what),
        name,
        format!("is no longer with {label}"),
    );
    vec![over.ended().of(""), bond(state, &format!("is {state}")).changed().begins().sure(0.75).of("")]
}

/// Reads relatives that the user has: `I have a sister called Anna`, `I have two kids`.
fn has(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let mut at = 0;
    while matches!(words.get(at), Some(&("a" | "an" | "one" | "got" | "this" | "no")) | Some(&"lovely"))
        || clause.negated && words.get(at) == Some(&"any")
        || words.get(at).is_some_and(|word| lexicon::is_which(word))
    {
        at += 1;
    }
    let counted = words.get(at).and_then(|word| crate::calendar::number(word));
    let noun_at = at + usize::from(counted.is_some());
    let noun = words.get(noun_at).copied().unwrap_or("");
    if let Some(count) = counted.filter(|count| (2..=9).contains(count))
        && matches!(noun, "boys" | "girls")
        && !clause.negated
        && words.get(noun_at + 1).is_none_or(|next| words!(", and . now").contains(*next))
    {
        return vec![FactDraft::new(
            FactCategory::Relationship,
            FactSlot::of(SlotKind::Property, noun),
            count.to_string(),
            format!("has {} {noun}", words[at]),
        )];
    }
    let is_best = noun == "best" && words.get(noun_at + 1) == Some(&"friend");
    let relation = if is_best { Some("best friend") } else { lexicon::relation(noun) };
    let Some(relation) = relation else { return Vec::new() };
    let rest = noun_at + 1 + usize::from(is_best);
    if words.first() == Some(&"no") || clause.negated {
        // *I don't have a brother any more* implies a brother, now or earlier.
        let plain = rest >= words.len() && !clause.hints.is_over;
        return if plain {
            vec![FactDraft::new(
                FactCategory::Relationship,
                FactSlot::of(SlotKind::Property, noun),
                "none",
                format!("has no {noun}"),
            )]
        } else {
            Vec::new()
        };
    }
    if let Some(count) = counted.filter(|count| *count > 1) {
        let mut found = vec![FactDraft::new(
            FactCategory::Relationship,
            FactSlot::of(SlotKind::Property, noun),
            count.to_string(),
            format!("has {} {noun}", words[at]),
        )];
        let names = value::names_beside(&clause.rest[rest..]);
        let one = relation.trim_end_matches('s').to_owned();
        let one = if relation == "children" { "child".to_owned() } else { one };
        found.extend(
            names
                .into_iter()
                .map(|token| relative(&one, &value::name_of(clause.text, std::slice::from_ref(token)))),
        );
        return found;
    }
    let called =
        clause.rest[rest..].iter().position(|token| matches!(token.low.as_str(), "called" | "named"));
    let name = match called {
        Some(called) => value::name(clause.text, clause.after(rest + called + 1)),
        None => name_after(&clause.rest, rest).0,
    };
    let mut found = Vec::new();
    if let Some(name) = &name {
        found.push(relative(relation, name));
    } else if !matches!(words.get(rest), Some(&("'s" | "of" | "appointment" | "visit"))) {
        let article = wordings::article(relation);
        found.push(
            FactDraft::new(
                FactCategory::Relationship,
                FactSlot::of(SlotKind::Property, relation),
                relation,
                format!("has {article} {relation}"),
            )
            .sure(0.75),
        );
    }
    // `a sister in Rome`
    if let Some(inside) = words.iter().position(|word| *word == "in").filter(|at| *at >= rest)
        && let Some(place) = value::place(clause.text, clause.after(inside + 1))
        && clause.rest[inside + 1].is_capital
    {
        let label = name.map_or_else(|| relation.to_owned(), |name| format!("{relation} {name}"));
        found.push(wordings::lives(&place).of(&label));
    }
    found
}

/// Reads `Anna is my sister`.
fn is_mine(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let ClauseSubject::Person(label) = &clause.subject else { return Vec::new() };
    let name = crate::names::split_subject(label).map_or("", |(_, name)| name);
    let at = 1 + words[1..].iter().take_while(|word| lexicon::is_which(word)).count();
    // *Tom is my sister's husband*
    if words.get(at + 1) == Some(&"'s") {
        return Vec::new();
    }
    let is_best = words.get(at) == Some(&"best") && words.get(at + 1) == Some(&"friend");
    let relation =
        if is_best { Some("best friend") } else { words.get(at).and_then(|word| lexicon::relation(word)) };
    if let Some(kind) = words.get(at).and_then(|word| lexicon::animal(word)) {
        let draft = super::pets::pet(kind, name).ended_if(clause.negated).past(clause.is_over());
        return if name.is_empty() { Vec::new() } else { vec![draft.of("")] };
    }
    match relation {
        Some(relation) if !name.is_empty() => {
            let past = clause.is_over() || clause.tense == Tense::Past;
            let draft = relative(relation, name).ended_if(clause.negated).past(past).of("");
            let content = sentence("", &draft.says);
            vec![draft.in_full(content)]
        }
        _ => Vec::new(),
    }
}
