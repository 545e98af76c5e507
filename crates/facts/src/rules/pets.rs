//! Pets: their names, new names, and losses.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::value;
use super::wordings;
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::mentions::{ClauseSubject, Mentions};
use crate::names::{KnownName, KnownNames};
use crate::slot::{FactSlot, SlotKind};
use crate::subject::name_after;

fn slot(kind: &str) -> FactSlot {
    FactSlot::of(SlotKind::Pet, kind)
}

/// Returns the draft of a pet, which may not have a name yet.
pub fn pet(kind: &str, name: &str) -> FactDraft {
    let article = wordings::article(kind);
    let says = if name.is_empty() {
        format!("has {article} {kind}")
    } else {
        format!("has {article} {kind} called {name}")
    };
    let value = if name.is_empty() { kind } else { name };
    FactDraft::new(FactCategory::Relationship, slot(kind), value, says)
        .important(0.7)
        .sure(if name.is_empty() { 0.8 } else { 0.93 })
}

pub(super) fn gone(kind: &str, name: &str, why: &str) -> FactDraft {
    let says = match (kind.is_empty() || kind == "pet", name.is_empty()) {
        (_, true) => format!("no longer has a {kind}"),
        (true, false) => format!("{name} {why}"),
        (false, false) => format!("the {kind} {name} {why}"),
    };
    FactDraft::new(FactCategory::Relationship, slot(kind), name, says).ended().important(0.7)
}

/// Returns the position, length and kind of an animal among words: `a new puppy`, `our old cat`.
pub(super) fn animal_at(words: &[&str]) -> Option<(usize, usize, &'static str)> {
    let mut at = 0;
    while at < words.len().min(7) {
        if words[at] == "guinea" && words.get(at + 1).is_some_and(|word| word.starts_with("pig")) {
            return Some((at, 2, "guinea pig"));
        }
        if let Some(kind) = lexicon::animal(words[at]) {
            // `a golden retriever puppy` is a single animal.
            let more = words[at + 1..].iter().take_while(|word| lexicon::animal(word).is_some()).count();
            return Some((at, 1 + more, kind));
        }
        if !(lexicon::is_which(words[at])
            || words!(
                "a an my our the of one little lot called more pet super two three up home in ourselves \
                myself us month old week"
            )
            .contains(words[at])
            || lexicon::is_nationality(words[at])
            || words[at].contains('-')
            || words[at].parse::<u8>().is_ok())
        {
            return None;
        }
        at += 1;
    }
    None
}

fn is_another(words: &[&str]) -> bool {
    words.iter().any(|word| matches!(*word, "another" | "second" | "third" | "also" | "too"))
}

/// Reads pets of the user or another person: having, getting, naming and losing them.
pub fn read(clause: &Clause<'_>) -> Vec<FactDraft> {
    let words = clause.words();
    // `I share my flat with a cat named Mia`
    if matches!(clause.verb, "share" | "live")
        && let Some(with) = words.iter().position(|word| *word == "with")
        && let Some((at, length, kind)) = animal_at(&words[with + 1..])
        && let Some(name) = name_in(clause, with + 1 + at + length)
    {
        return vec![pet(kind, &name).ended_if(clause.negated).past(clause.is_over())];
    }
    let owner = words
        .iter()
        .take(5)
        .position(|word| matches!(*word, "owner" | "owners"))
        .filter(|_| clause.verb == "be" || clause.verb == "become");
    if let Some(of) = owner.filter(|at| words.get(at + 1) == Some(&"of"))
        && let Some((at, length, kind)) = animal_at(&words[of + 2..])
    {
        let name = name_in(clause, of + 2 + at + length).unwrap_or_default();
        return vec![pet(kind, &name).ended_if(clause.negated).past(clause.is_over())];
    }
    let Some((at, length, kind)) = animal_at(&words) else { return Vec::new() };
    let gets = words!("have get adopt rescue buy own bring welcome foster keep find take pick")
        .contains(clause.verb);
    let rest = at + length;
    let followed = words.get(rest).copied().unwrap_or("");
    // `cat food`, `dog walks` are not animals.
    let compound = !followed.is_empty()
        && clause.rest[rest..].first().is_some_and(|token| !token.is_capital)
        && !words!(
            ", called named who and from in at with for home that by now whose to - : is again of too ( as"
        )
        .contains(followed);
    if !gets || clause.wishes || clause.able || compound || clause.is_ahead() {
        return Vec::new();
    }
    let whose = words.first().is_some_and(|word| words!("a an another my our this the one").contains(*word))
        || lexicon::is_which(words[0])
        || at == 0 && !matches!(kind, "fish" | "chicken" | "rabbit" | "goat");
    // *A new mouse for my computer*
    let device = matches!(words[at], "mouse")
        && words
            .iter()
            .any(|word| words!("computer laptop pc keyboard wireless usb desk vertical").contains(*word));
    if device {
        return Vec::new();
    }
    let plural = words[at].ends_with('s') && !matches!(words[at], "siamese");
    if plural && !clause.negated && !clause.is_over() {
        // `two cats, Nala and Leo`
        return value::names_beside(&clause.rest[rest..])
            .into_iter()
            .map(|token| pet(kind, &value::name_of(clause.text, std::slice::from_ref(token))))
            .collect();
    }
    if !whose || plural {
        return Vec::new();
    }
    let name = name_in(clause, rest);
    let mine = clause.subject == ClauseSubject::Me;
    if clause.negated || clause.verb == "find" && name.is_none() {
        let over = clause.hints.is_over || clause.verb == "have";
        return if over && clause.negated && mine { vec![gone(kind, "", "")] } else { Vec::new() };
    }
    if matches!(clause.verb, "take" | "pick" | "keep" | "bring")
        && name.is_none()
        && !matches!(words[0], "a" | "an")
    {
        return Vec::new();
    }
    if clause.verb == "take" && !words.contains(&"in") {
        return Vec::new();
    }
    let past = clause.is_over() || (clause.verb == "have" && clause.tense == Tense::Past);
    let mut draft = pet(kind, name.as_deref().unwrap_or(""));
    // A pet that is kept was there before.
    draft.begins = clause.verb != "keep";
    if past {
        draft = draft.past(true);
        draft.says = draft.says.replacen("has ", "had ", 1);
    }
    if !is_another(&words) && matches!(words[0], "my" | "our" | "the") && !past {
        draft = draft.changed();
    }
    vec![draft]
}

/// Returns the name among the words after an animal.
fn name_in(clause: &Clause<'_>, from: usize) -> Option<String> {
    let tokens = clause.after(from);
    let called = tokens.iter().position(|token| matches!(token.low.as_str(), "called" | "named" | "name"));
    if let Some(at) = called {
        let after = &tokens[at + 1..];
        let after = match after {
            [first, rest @ ..] if matches!(first.low.as_str(), "is" | "'s" | "her" | "him" | "it" | "of") => {
                rest
            }
            other => other,
        };
        return value::name(clause.text, after);
    }
    name_after(&clause.rest, from).0.or_else(|| {
        let rest = match tokens {
            [comma, rest @ ..] if comma.low == "," || comma.low == ":" || comma.low == "-" => rest,
            _ => return None,
        };
        rest.first().filter(|token| token.is_capital).and_then(|_| value::name(clause.text, rest))
    })
}

/// Reads statements that need known names: naming, renaming, loss.
pub fn read_with(clause: &Clause<'_>, names: &KnownNames, mentions: &mut Mentions) -> Vec<FactDraft> {
    let words = clause.words();
    let others = matches!(clause.subject, ClauseSubject::Person(_))
        && matches!(clause.verb, "rename" | "name" | "christen" | "rechristen")
        && matches!(words.first(), Some(&("the" | "our" | "my" | "him" | "her" | "it")));
    if (clause.subject != ClauseSubject::Me && !others) || clause.wishes || clause.tense == Tense::Future {
        return Vec::new();
    }
    // A pet without a name yet: `I got a puppy. His name is Max.`
    if let Some((at, length, kind)) = animal_at(&words)
        && words!("have get adopt rescue buy own bring welcome").contains(clause.verb)
    {
        let name = name_in(clause, at + length).unwrap_or_default();
        mentions.pet = Some(KnownName::new(kind, &name));
        mentions.person = None;
        mentions.object = Some(ClauseSubject::Pet(KnownName::new(kind, &name)));
        return Vec::new();
    }
    let target = || target(clause, &words, names, mentions);
    match clause.verb {
        // `we settled on Rex as the cat's new name`
        "settle" | "decide" | "choose" | "pick" | "go"
            if words.contains(&"name") && !clause.negated && clause.tense != Tense::Present =>
        {
            let skip = usize::from(matches!(words.first(), Some(&("on" | "with" | "for"))));
            let at = words.iter().position(|word| lexicon::animal(word).is_some());
            let Some(kind) = at.and_then(|at| lexicon::animal(words[at])) else { return Vec::new() };
            let named = names.pet_of_kind(kind).cloned().unwrap_or_else(|| KnownName::new(kind, ""));
            value::name(clause.text, clause.after(skip))
                .map(|new| renamed(&named, &new))
                .into_iter()
                .collect()
        }
        "give" if words.contains(&"name") && !clause.negated && clause.tense != Tense::Present => {
            let at = words.iter().position(|word| *word == "name").unwrap_or(0) + 1;
            let Some((named, _)) = target() else { return Vec::new() };
            mentions.pet = Some(named.clone());
            value::name(clause.text, clause.after(at)).map(|new| renamed(&named, &new)).into_iter().collect()
        }
        "rename" | "rechristen" => {
            let Some((named, used)) = target() else { return Vec::new() };
            mentions.pet = Some(named.clone());
            mentions.is_renamed = true;
            let skip = usize::from(matches!(words.get(used), Some(&("to" | "as" | "into"))));
            let (new, _) = value::replaced(clause.after(used + skip));
            value::name(clause.text, new).map(|new| renamed(&named, &new)).into_iter().collect()
        }
        "change" => {
            let Some(at) = words.iter().position(|word| *word == "name") else { return Vec::new() };
            let to = words.iter().rposition(|word| *word == "to");
            let Some(new) = to.and_then(|to| value::name(clause.text, clause.after(to + 1))) else {
                return Vec::new();
            };
            let from = words
                .iter()
                .position(|word| *word == "from")
                .and_then(|from| value::name(clause.text, clause.after(from + 1)));
            if words.first() == Some(&"my") && at == 1 {
                return Vec::new();
            }
            let Some((mut named, _)) = target() else { return Vec::new() };
            if let Some(old) = from {
                named.name = old;
            }
            vec![renamed(&named, &new)]
        }
        "call" | "name" | "christen" | "dub" => {
            if matches!(words.first(), Some(&("me" | "you" | "them"))) {
                return Vec::new();
            }
            let Some((named, used)) = target() else { return Vec::new() };
            if clause.negated {
                let old = value::name(clause.text, clause.after(used))
                    .or_else(|| Some(named.name.clone()).filter(|name| !name.is_empty()));
                return old.map(|old| pet(&named.what, &old).ended()).into_iter().collect();
            }
            let (new, old) = value::replaced(clause.after(used));
            let Some(new) = value::name(clause.text, new)
                .or_else(|| Some(named.name.clone()).filter(|name| !name.is_empty() && used > 2))
            else {
                return Vec::new();
            };
            let mut draft = if named.name.is_empty() || named.name == new {
                pet(&named.what, &new)
            } else {
                renamed(&named, &new)
            };
            if let Some(old) = old.and_then(|old| value::name(clause.text, old)) {
                draft = draft.replacing(Some(old));
            }
            mentions.pet = Some(KnownName::new(&named.what, &new));
            vec![if clause.is_over() { draft.past(true) } else { draft }]
        }
        "find"
            if words.contains(&"home")
                && words.contains(&"for")
                && !clause.negated
                && clause.tense != Tense::Present =>
        {
            let at = words.iter().position(|word| *word == "for").unwrap_or(0) + 1;
            target_from(clause, &words, at, names, mentions)
                .map(|(named, _)| gone(&named.what, &named.name, "was given away"))
                .into_iter()
                .collect()
        }
        "lose" | "bury" | "rehome" | "put" | "give" | "say" | "surrender" | "sell" | "have" => {
            if !matches!(clause.tense, Tense::Past | Tense::Perfect) || clause.negated {
                return Vec::new();
            }
            let skip = match (clause.verb, words.as_slice()) {
                ("say", ["goodbye" | "farewell", "to", ..]) => 2,
                ("have", ["to", "put" | "rehome" | "give" | "say", ..]) => {
                    if words.get(3) == Some(&"goodbye") || words.get(2) == Some(&"goodbye") {
                        4
                    } else {
                        2 + usize::from(words.get(2) == Some(&"to"))
                    }
                }
                ("have", _) | ("say", _) => return Vec::new(),
                ("put" | "give", ["down" | "away" | "up", ..]) => 1,
                _ => 0,
            };
            let rest = words.get(skip..).unwrap_or_default();
            let end = match clause.verb {
                "put" => rest.contains(&"down") || rest.contains(&"sleep") || skip == 1,
                "give" => rest.contains(&"away") || rest.contains(&"up") || skip == 1,
                _ => true,
            };
            let own = matches!(rest.first(), Some(&("my" | "our" | "the")))
                || clause.rest.get(skip).is_some_and(|token| token.is_capital);
            let Some((named, used)) = target_from(clause, &words, skip, names, mentions) else {
                return Vec::new();
            };
            let tail = rest.get(used..).unwrap_or_default();
            let other = tail
                .first()
                .is_some_and(|word| matches!(*word, "toy" | "food" | "collar" | "lead" | "leash" | "bowl"));
            let why = if matches!(clause.verb, "rehome" | "give" | "surrender" | "sell") {
                "was given away"
            } else {
                "died"
            };
            if end && own && !other { vec![gone(&named.what, &named.name, why)] } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

pub(super) fn renamed(named: &KnownName, new: &str) -> FactDraft {
    pet(&named.what, new).replacing(Some(named.name.clone())).begins().sure(0.95)
}

fn target(
    clause: &Clause<'_>,
    words: &[&str],
    names: &KnownNames,
    mentions: &Mentions,
) -> Option<(KnownName, usize)> {
    target_from(clause, words, 0, names, mentions)
}

/// Returns the pet that is meant, `the cat`, `him`, `Max`, and the number of words that refer to it.
fn target_from(
    clause: &Clause<'_>,
    words: &[&str],
    from: usize,
    names: &KnownNames,
    mentions: &Mentions,
) -> Option<(KnownName, usize)> {
    let rest = words.get(from..)?;
    let first = *rest.first()?;
    if matches!(first, "him" | "her" | "it" | "them") {
        return mentions.pet.clone().or_else(|| names.last_pet().cloned()).map(|pet| (pet, 1));
    }
    if let Some(pet) = names.pet(first) {
        let named = rest.get(1) == Some(&"'s") && rest.get(2) == Some(&"name");
        return Some((pet.clone(), if named { 3 } else { 1 }));
    }
    if let Some((pet, _)) =
        mentions.met.iter().find(|(pet, is_pet)| *is_pet && pet.name.eq_ignore_ascii_case(first))
    {
        return Some((pet.clone(), 1));
    }
    let (at, length, kind) = animal_at(rest)?;
    let mut used = at + length;
    let mut name = String::new();
    if let Some(token) =
        clause.rest.get(from + used).filter(|token| token.is_capital && names.pet(&token.low).is_some())
    {
        name = value::name_of(clause.text, std::slice::from_ref(token));
        used += 1;
    }
    if rest.get(used) == Some(&"'s") && rest.get(used + 1) == Some(&"name") {
        used += 2;
    }
    let known = names.pet_of_kind(kind).map(|pet| pet.name.clone());
    if name.is_empty() {
        name = mentions
            .pet
            .as_ref()
            .filter(|pet| pet.what == kind)
            .map(|pet| pet.name.clone())
            .or(known)
            .unwrap_or_default();
    }
    Some((KnownName::new(kind, &name), used))
}
