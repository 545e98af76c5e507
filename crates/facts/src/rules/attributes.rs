//! Statements about the user's belongings and attributes: a favourite, a birthday, a name.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::possessions::{owns, with_article};
use super::properties::{is_property, noted, property};
use super::sentence_text::sentence;
use super::taste_drafts::topic;
use super::value::{self, name, place};
use super::wordings;
use super::{pets, relationships};
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::mentions::Mentions;
use crate::names::{self, KnownNames};
use crate::slot::{FactSlot, SlotKind};
use crate::time::{TimeExpression, TimeKind};
use crate::token::WordToken;

/// Reads a statement about a thing: `my favourite colour is blue`, `my dog's name is Max`.
pub fn of_thing(
    clause: &Clause<'_>,
    owner: &str,
    words: &[WordToken],
    known: &KnownNames,
    mentions: &mut Mentions,
) -> Vec<FactDraft> {
    let names: Vec<&str> = words.iter().map(|token| token.low.as_str()).collect();
    let Some(&last) = names.last() else { return Vec::new() };
    let bare: Vec<&str> = names
        .iter()
        .copied()
        .filter(|word| !words!("new current own actual real full first old only").contains(*word))
        .collect();
    let mine = owner.is_empty();
    let rest = clause.words();
    let past = clause.is_over()
        || (clause.tense == Tense::Past && !matches!(clause.verb, "change" | "become"))
        || names.contains(&"old");
    let draft_of = |draft: FactDraft| if mine || owner == "the" { draft } else { draft.of(owner) };
    let is = matches!(clause.verb, "be" | "become" | "call" | "name" | "change" | "remain");
    if clause.tense == Tense::Future {
        return Vec::new();
    }
    // Animals: `the cat's new name`, `my sister's dog`.
    if last == "name" && names.len() >= 2 && lexicon::animal(names[0]).is_some() && (mine || owner == "the") {
        return super::pet_facts::named_so(clause, names[0], known, mentions);
    }
    if let Some(kind) = lexicon::animal(last).or_else(|| lexicon::animal(names[0]).filter(|_| last == "name"))
        && !mine
        && owner != "the"
    {
        let named = name(clause.text, &clause.rest)
            .filter(|_| matches!(clause.verb, "call" | "name") || last == "name" && clause.verb == "be");
        return named.map(|named| draft_of(pets::pet(kind, &named))).into_iter().collect();
    }
    if owner == "the" {
        return if clause.hints.asked && clause.verb == "be" { noted(clause, &names) } else { Vec::new() };
    }
    match last {
        // *My team name* is not the user's name.
        "name" | "surname"
            if is
                && names[..names.len() - 1].iter().all(|word| {
                    words!("first full real given last family middle birth own").contains(*word)
                }) =>
        {
            let skip = usize::from(matches!(rest.first(), Some(&("to" | "called" | "spelled" | "spelt"))));
            let (tokens, old) = value::replaced(clause.after(skip));
            let old = old.and_then(|old| name(clause.text, old));
            let Some(value) = name(clause.text, tokens) else { return Vec::new() };
            if owner == "?" {
                return renamed_somebody(known, old, &value);
            }
            if !mine {
                let (what, known_name) = names::split_subject(owner).unwrap_or(("", ""));
                if what.is_empty() || what.contains("'s") {
                    // *She called. His name is Wyatt*: pronouns refer to Wyatt from there on.
                    mentions.person = Some(value);
                    return Vec::new();
                }
                let old = old.or_else(|| {
                    (!known_name.is_empty() && known_name != value).then(|| known_name.to_owned())
                });
                let draft = relationships::relative(what, &value)
                    .of("")
                    .replacing(old)
                    .past(clause.is_over())
                    .ended_if(clause.negated);
                mentions.person = Some(format!("{what} {value}"));
                return vec![draft];
            }
            let kind = if names.iter().any(|word| matches!(*word, "last" | "middle" | "maiden" | "user"))
                || last == "surname"
            {
                FactSlot::of(
                    SlotKind::Property,
                    if last == "surname" || names.contains(&"last") {
                        "last name".to_owned()
                    } else {
                        names.join(" ")
                    },
                )
            } else if names.contains(&"nick") {
                FactSlot::new(SlotKind::Nickname)
            } else {
                FactSlot::new(SlotKind::Name)
            };
            let says = if kind.kind == SlotKind::Property {
                format!("{} is {value}", kind.of)
            } else {
                format!("is called {value}")
            };
            vec![
                FactDraft::new(FactCategory::Personal, kind, value, says)
                    .important(0.9)
                    .sure(0.95)
                    .past(past)
                    .ended_if(clause.negated)
                    .replacing(old),
            ]
        }
        "nickname" if is => name(clause.text, &clause.rest)
            .map(|value| {
                draft_of(
                    FactDraft::new(
                        FactCategory::Personal,
                        FactSlot::new(SlotKind::Nickname),
                        value.clone(),
                        format!("goes by {value}"),
                    )
                    .past(past),
                )
            })
            .into_iter()
            .collect(),
        "birthday" => birthday(clause, &draft_of),
        "age" if is => rest
            .first()
            .and_then(|word| crate::calendar::number(word))
            .map(|age| {
                draft_of(
                    FactDraft::new(
                        FactCategory::Personal,
                        FactSlot::new(SlotKind::Age),
                        age.to_string(),
                        format!("is {age} years old"),
                    )
                    .expiring(clause.today.checked_add(jiff::Span::new().days(365)).unwrap_or(clause.today)),
                )
            })
            .into_iter()
            .collect(),
        _ if names.contains(&"favourite") && is => favourite(clause, &names, owner, past),
        _ if names.iter().any(|word| matches!(*word, "go-to" | "usual" | "preferred" | "regular"))
            && is
            && !clause.negated =>
        {
            let value = value::object(clause.text, &clause.rest);
            value
                .map(|value| {
                    draft_of(
                        FactDraft::new(
                            FactCategory::Preference,
                            FactSlot::of(SlotKind::Property, format!("preferred {last}")),
                            value.clone(),
                            format!("prefers {value} as a {last}"),
                        )
                        .past(past)
                        .begins(),
                    )
                })
                .into_iter()
                .collect()
        }
        _ if last == "favourite" && is => Vec::new(),
        "home" | "hometown" | "house" | "flat" | "apartment" | "place" | "base" | "residence" | "city"
        | "town"
            if is && !(last == "house" && rest.first() != Some(&"in")) =>
        {
            let skip = usize::from(matches!(rest.first(), Some(&("in" | "at"))));
            let (tokens, old) = value::replaced(clause.after(skip));
            let Some(value) = place(clause.text, tokens)
                .filter(|_| tokens[0].is_capital || skip == 1 || last == "home" && tokens.len() == 1)
            else {
                return Vec::new();
            };
            // *My new hometown* is the current home.
            let is_new = clause.hints.is_now
                || names.iter().any(|word| matches!(*word, "new" | "current" | "adopted"));
            let origin = !is_new && (last == "hometown" || names.contains(&"home") && last == "town");
            let old = old.and_then(|old| place(clause.text, old));
            let (kind, says) = if origin {
                (SlotKind::Origin, format!("comes from {value}"))
            } else if past {
                (SlotKind::Home, format!("lived in {value}"))
            } else {
                (SlotKind::Home, format!("lives in {value}"))
            };
            vec![draft_of(
                FactDraft::new(FactCategory::Personal, FactSlot::new(kind), value, says)
                    .important(0.75)
                    .past(past && !origin)
                    .ended_if(clause.negated)
                    .replacing(old),
            )]
        }
        "address" if is && rest.first() == Some(&"in") => {
            let Some(value) = place(clause.text, clause.after(1)) else { return Vec::new() };
            let says = if past { format!("lived in {value}") } else { format!("lives in {value}") };
            vec![draft_of(
                FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Home), value, says)
                    .important(0.75)
                    .past(past)
                    .ended_if(clause.negated)
                    .begins(),
            )]
        }
        "employer" | "company" | "workplace" if is => {
            let value = value::organisation(clause.text, &clause.rest)
                .filter(|value| value.chars().any(char::is_uppercase));
            value.map(|value| draft_of(wordings::works_at(&value).past(past))).into_iter().collect()
        }
        // *My shop is called Haddad Hardware*
        "shop" | "business" | "bakery" | "restaurant" | "café" | "cafe" | "salon" | "pub" | "startup"
            if mine && clause.verb == "call" && !clause.negated =>
        {
            let value = value::organisation(clause.text, &clause.rest)
                .filter(|value| value.chars().any(char::is_uppercase));
            let runs = |name: String| {
                FactDraft::new(
                    FactCategory::Personal,
                    FactSlot::new(SlotKind::Job),
                    format!("{last} {name}"),
                    format!("runs a {last} called {name}"),
                )
                .important(0.75)
            };
            value.map(runs).into_iter().collect()
        }
        "title" if names.len() <= 3 && !names.contains(&"book") => {
            job(clause, &rest, past).into_iter().map(draft_of).collect()
        }
        "job" | "role" | "profession" | "occupation" | "position" | "work" | "career" | "gig" => {
            job(clause, &rest, past).into_iter().map(draft_of).collect()
        }
        "nationality" if is => rest
            .first()
            .filter(|word| lexicon::is_nationality(word))
            .map(|word| {
                draft_of(FactDraft::new(
                    FactCategory::Personal,
                    FactSlot::new(SlotKind::Nationality),
                    crate::name_text::capital(word),
                    format!("is {}", crate::name_text::capital(word)),
                ))
            })
            .into_iter()
            .collect(),
        "allergy" | "allergies" if is && words.len() == 1 => value::object(clause.text, &clause.rest)
            .map(|what| {
                draft_of(
                    FactDraft::new(
                        FactCategory::Health,
                        FactSlot::of(SlotKind::Allergy, topic(&what)),
                        what.clone(),
                        format!("is allergic to {what}"),
                    )
                    .important(0.95),
                )
            })
            .into_iter()
            .collect(),
        _ if lexicon::thing(last).is_some() && clause.verb == "be" && !clause.negated => {
            let kind = lexicon::thing(last).unwrap_or_default();
            let owned = matches!(rest.first(), Some(&("a" | "an")))
                || clause.rest.first().is_some_and(|token| token.is_capital);
            let value = value::text_of(clause.text, value::upto(&clause.rest, value::is_stop));
            let adjective = value.trim_start_matches("a ").trim_start_matches("an ");
            let bare_adjective = matches!(
                adjective,
                "mess" | "wreck" | "bit old" | "joke" | "disaster" | "nightmare" | "bit slow"
            );
            if !owned || bare_adjective || value.is_empty() {
                Vec::new()
            } else {
                vec![draft_of(owns(kind, &value).past(past))]
            }
        }
        _ if is_property(last) && clause.verb == "be" && !past => property(clause, &bare, owner),
        _ if clause.hints.asked && clause.verb == "be" => noted(clause, &bare),
        _ => Vec::new(),
    }
}

/// Renames a person who is identified by the wrong name: *No, her name is Anna, not Anne*.
fn renamed_somebody(known: &KnownNames, old: Option<String>, value: &str) -> Vec<FactDraft> {
    let Some(old) = old else { return Vec::new() };
    if let Some(pet) = known.pet(&old) {
        return vec![pets::pet(&pet.what, value).replacing(Some(old))];
    }
    match known.person(&old).as_deref().and_then(names::split_subject) {
        Some((what, _)) if !what.is_empty() => {
            vec![relationships::relative(what, value).replacing(Some(old))]
        }
        _ => vec![
            FactDraft::new(
                FactCategory::Relationship,
                FactSlot::new(SlotKind::Name),
                value,
                format!("is called {value}"),
            )
            .of(value)
            .replacing(Some(old)),
        ],
    }
}

fn birthday(clause: &Clause<'_>, draft_of: &dyn Fn(FactDraft) -> FactDraft) -> Vec<FactDraft> {
    let Some(when) = clause
        .when(&[TimeKind::At])
        .filter(|_| matches!(clause.verb, "be" | "fall" | "land") && !clause.negated)
    else {
        return Vec::new();
    };
    born_on(when).map(draft_of).into_iter().collect()
}

/// Returns a birthday from a date or a month.
pub fn born_on(when: &TimeExpression) -> Option<FactDraft> {
    let value = match (when.to - when.from).get_days() {
        0 => when.from.strftime("%-d %B").to_string(),
        1..=31 => when.from.strftime("%B").to_string(),
        _ => return None,
    };
    let joint = if when.from == when.to { "on" } else { "in" };
    Some(
        FactDraft::new(
            FactCategory::Personal,
            FactSlot::new(SlotKind::Birthday),
            value.clone(),
            format!("has their birthday {joint} {value}"),
        )
        .important(0.8)
        .sure(0.93),
    )
}

fn favourite(clause: &Clause<'_>, names: &[&str], owner: &str, past: bool) -> Vec<FactDraft> {
    let at = names.iter().position(|word| *word == "favourite").unwrap_or(0);
    let of = names[at + 1..].join(" ");
    let of = of.trim_end_matches(" of all time").trim_end_matches(" ever").trim_end_matches(" in the world");
    let of = of
        .trim_start_matches("kind of ")
        .trim_start_matches("type of ")
        .trim_start_matches("sort of ")
        .to_owned();
    let of = if of.is_empty() { "thing".to_owned() } else { of };
    let skip = usize::from(matches!(clause.words().first(), Some(&"to")));
    let (tokens, old) = value::replaced(clause.after(skip));
    let end = tokens
        .iter()
        .position(|token| {
            matches!(token.low.as_str(), "because" | "but" | "so" | "which" | "since")
                || token.low == ","
                || token.low == "("
        })
        .unwrap_or(tokens.len());
    let tokens = value::trim(&tokens[..end.min(8)]);
    let value = value::text_of(clause.text, tokens);
    if value.is_empty()
        || value::has_blank(tokens)
        || matches!(tokens[0].low.as_str(), "when" | "that" | "how" | "probably" | "what" | "where")
        || clause.tense == Tense::Future
    {
        return Vec::new();
    }
    let value = value.trim_start_matches("definitely ").to_owned();
    let slot = FactSlot::of(SlotKind::Favourite, topic(&of));
    let says =
        if past { format!("favourite {of} was {value}") } else { format!("favourite {of} is {value}") };
    let whole = if owner.is_empty() { sentence("", &says) } else { sentence(&format!("{owner}'s"), &says) };
    let old = old.map(|old| value::text_of(clause.text, old));
    let draft = FactDraft::new(FactCategory::Preference, slot, value, says)
        .in_full(whole)
        .important(0.6)
        .past(past)
        .ended_if(clause.negated)
        .replacing(old)
        .begins();
    vec![if owner.is_empty() { draft } else { draft.of(owner) }]
}

fn job(clause: &Clause<'_>, rest: &[&str], past: bool) -> Vec<FactDraft> {
    let mut found = Vec::new();
    if !matches!(clause.verb, "be" | "start" | "begin" | "change" | "become") || clause.negated {
        return found;
    }
    let skip = usize::from(matches!(rest.first(), Some(&("a" | "an" | "the" | "as" | "being" | "to"))));
    let skip = skip + usize::from(skip == 1 && matches!(rest.get(1), Some(&("a" | "an"))));
    if lexicon::is_occupation(&rest[skip.min(rest.len())..]) {
        let tokens = value::upto(clause.after(skip), |word| {
            value::is_stop(word) || matches!(word, "at" | "for" | "in" | "and")
        });
        let value = value::text_of(clause.text, tokens);
        let says = if past {
            format!("worked as {}", with_article(&value))
        } else {
            format!("works as {}", with_article(&value))
        };
        found.push(
            FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Job), value, says)
                .important(0.75)
                .past(past),
        );
    }
    if let Some(at) = rest.iter().position(|word| matches!(*word, "at" | "with" | "for"))
        && (at == 0
            || clause
                .rest
                .get(at + 1)
                .is_some_and(|token| token.is_capital || token.low == "the" || token.low == "a"))
        && let Some(value) = value::organisation(clause.text, clause.after(at + 1))
        && !clause.is_ahead()
    {
        let says = if past { format!("worked at {value}") } else { format!("works at {value}") };
        found.push(
            FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Employer), value, says)
                .important(0.75)
                .past(past)
                .begins(),
        );
    }
    found
}
