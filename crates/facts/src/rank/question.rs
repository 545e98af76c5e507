//! Analyses a question: the requested slots, the person and the time.

use jiff::civil::Date;
use text::terms;

use super::asked_time::{self, AskedTime};
use super::wanted_slot::WantedSlot;
use super::{slots, topics};
use crate::lexicon;
use crate::lexicon::is_function_word;
use crate::names::{same_person, split_subject};
use crate::reconcile::KnownFact;
use crate::slot::SlotKind;
use crate::token::tokens;
use crate::verbs;

/// A question about facts: what it asks for, of whom, and of which time.
#[derive(Debug, Clone, PartialEq)]
pub struct FactQuestion {
    /// Empty for the user.
    pub subject: String,
    pub wanted: Vec<WantedSlot>,
    pub moment: AskedTime,
    /// The stems that characterise the request.
    pub terms: Vec<String>,
    /// True if the question is about the companion or an unknown person.
    pub is_elsewhere: bool,
}

/// Analyses a question. The facts tell whose names occur in it.
///
/// In *The vet is on the phone, what's my dog called?* the last clause asks; the others give the reason, the person and
/// the time.
pub fn read(question: &str, facts: &[KnownFact], today: Date) -> FactQuestion {
    let whole = read_all(question, facts, today);
    let sure = |asked: &FactQuestion| asked.wanted.iter().any(|wanted| wanted.weight >= 0.9);
    let asks =
        question.split([',', ':', ';', '.', '?']).rev().map(str::trim).filter(|part| opens_question(part));
    let core = asks.map(|part| (part, read_all(part, facts, today))).find(|(_, asked)| sure(asked));
    let Some((part, core)) = core.filter(|(part, _)| part.len() + 4 < question.trim().len()) else {
        return whole;
    };
    let words: Vec<String> = part
        .split(|letter: char| !letter.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty())
        .collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    // *If I wanted to visit Tom, where would I have to go?* is about Tom.
    let visits =
        words.windows(2).any(|pair| pair[0] == "i" && matches!(pair[1].as_str(), "have" | "need" | "go"));
    let of_another = has(&["he", "she", "his", "her", "him"]);
    let own = has(&["i", "my", "me", "we", "our", "mine"]) && !visits && !of_another;
    let subject = if core.subject.is_empty() && !own { whole.subject } else { core.subject };
    // The time may precede the question: *in March, where did I live?*
    let was = has(&["did", "was", "were", "had", "been"]);
    let named = matches!(whole.moment, AskedTime::Before(_) | AskedTime::After(_));
    let moment = if named || core.moment == AskedTime::Now && was { whole.moment } else { core.moment };
    let stranger = subject.is_empty() && (of_another || !own && whole.is_elsewhere);
    FactQuestion {
        is_elsewhere: stranger || core.is_elsewhere && whole.is_elsewhere && subject.is_empty(),
        subject,
        moment,
        ..core
    }
}

/// Returns true if words begin like a question.
fn opens_question(part: &str) -> bool {
    let first = part.split([' ', '\'', '’']).next().unwrap_or("").to_lowercase();
    words!("what whats where wheres who whos whom whose which when how am do did is").contains(first.as_str())
}

fn read_all(question: &str, facts: &[KnownFact], today: Date) -> FactQuestion {
    let words: Vec<String> = tokens(question, 0)
        .into_iter()
        .map(|token| token.low)
        .filter(|word| word.chars().next().is_some_and(char::is_alphanumeric) || word == "'s")
        .collect();
    let words = opened(&words);
    let (mut moment, kept) = asked_time::read(&words, today);
    // *Before his move* and *before the change* name no known value.
    if let AskedTime::Before(named) = &moment
        && !named.iter().any(|word| is_known(word, facts))
    {
        moment = AskedTime::Previous;
    }
    let low: Vec<&str> = kept
        .iter()
        .map(String::as_str)
        .filter(|word| {
            !words!(
                "still currently now actually really usually also just even normally typically exactly \
                presently previous former current nowadays"
            )
            .contains(*word)
        })
        .collect();
    let subject = subject(&low, facts);
    let own = low.iter().any(|word| words!("i my me we our mine us am myself").contains(*word));
    let yours = low.iter().any(|word| matches!(*word, "you" | "your" | "yours" | "yourself"));
    let mut wanted = slots::wanted(&low, &subject);
    let is_pet = |fact: &&KnownFact| {
        fact.subject.is_empty()
            && fact.slot.as_ref().is_some_and(|slot| slot.kind == SlotKind::Pet)
            && low.iter().any(|word| fact.value.eq_ignore_ascii_case(word))
    };
    if let Some(kind) = facts
        .iter()
        .find(is_pet)
        .and_then(|fact| fact.slot.as_ref())
        .filter(|_| low.iter().any(|word| matches!(*word, "called" | "name" | "named" | "who")))
    {
        wanted.push(WantedSlot { kind: SlotKind::Pet, of: kind.of.clone(), weight: 1.0, value: "" });
    }
    // If no phrasing determined the slot with certainty, the topic does.
    if !wanted.iter().any(|wanted| wanted.weight >= 0.9) {
        let known = if subject.is_empty() { topics::by_known(&low, facts) } else { Vec::new() };
        wanted.extend(if known.is_empty() { topics::by_topic(&low, &subject) } else { known });
        if let AskedTime::Before(named) | AskedTime::After(named) = &moment
            && wanted.is_empty()
        {
            wanted = topics::by_value(named, facts);
        }
    }
    let content = kept.join(" ").replace(" 's", "");
    let third =
        low.iter().any(|word| matches!(*word, "he" | "she" | "they" | "his" | "her" | "their" | "him"))
            || names_another(question, facts, &low);
    FactQuestion {
        is_elsewhere: (yours || third) && !own && subject.is_empty(),
        subject,
        wanted,
        moment,
        terms: telling(&content),
    }
}

/// Returns true if a word is part of the value of a fact.
fn is_known(word: &str, facts: &[KnownFact]) -> bool {
    word.len() > 2 && facts.iter().any(|fact| fact.value.to_lowercase().split(' ').any(|part| part == word))
}

/// Returns true if the question names a person without known facts.
fn names_another(question: &str, facts: &[KnownFact], low: &[&str]) -> bool {
    let acts = low.iter().any(|word| matches!(*word, "does" | "is" | "has" | "did" | "was" | "'s"));
    acts && tokens(question, 0).iter().enumerate().any(|(at, token)| {
        token.is_capital
            && (at > 0 || lexicon::is_given_name(&token.low))
            && token.low != "i"
            && !is_known(&token.low, facts)
            && crate::calendar::month(&token.low).is_none()
    })
}

/// Returns the stems that remain without words common to all questions.
fn telling(content: &str) -> Vec<String> {
    const PLAIN: &[&str] = &[
        "know", "rememb", "tell", "recal", "remind", "current", "moment", "day", "still", "again", "nowaday",
        "anymor", "today", "right", "pleas", "say", "name", "call", "thing", "kind", "type", "sort",
        "actual", "present", "tell",
    ];
    terms(content).into_iter().filter(|term| !PLAIN.contains(&term.as_str())).collect()
}

/// Returns true if the first word addresses the companion: *Luna, where do I live?*
fn is_called(words: &[&str]) -> bool {
    matches!(words, [first, "where" | "what" | "who" | "when" | "which" | "how", ..]
        if first.len() > 2 && !is_function_word(first) && verbs::lemma(first).is_none())
}

/// Removes introductory phrases of a question.
fn opened(words: &[String]) -> Vec<String> {
    const OPENINGS: &[&[&str]] = &[
        &["do", "you", "know"],
        &["do", "you", "remember"],
        &["do", "you", "recall"],
        &["can", "you", "tell", "me"],
        &["could", "you", "tell", "me"],
        &["can", "you", "remind", "me"],
        &["could", "you", "remind", "me"],
        &["remind", "me"],
        &["tell", "me"],
        &["please"],
        &["hey"],
        &["so"],
        &["and"],
        &["ok"],
        &["okay"],
        &["hi"],
        &["i", "forgot"],
        &["i", "forget"],
        &["i", "wonder"],
        &["quick", "question"],
        &["can", "you", "remember"],
        &["would", "you", "know"],
        &["any", "idea"],
        &["do", "you", "have", "any", "idea"],
        &["just", "checking"],
        &["quick"],
        &["wait"],
        &["again"],
        &["um"],
        &["oh"],
        &["by", "the", "way"],
        &["btw"],
        &["out", "of", "curiosity"],
    ];
    let mut rest = words;
    loop {
        let low: Vec<&str> = rest.iter().take(6).map(String::as_str).collect();
        match OPENINGS.iter().find(|opening| low.starts_with(opening) && rest.len() > opening.len()) {
            Some(opening) => rest = &rest[opening.len()..],
            None if is_called(&low) => rest = &rest[1..],
            None => return rest.to_vec(),
        }
    }
}

/// Returns the person that the question is about, or an empty string for the user.
fn subject(low: &[&str], facts: &[KnownFact]) -> String {
    for (at, word) in low.iter().enumerate() {
        let best = *word == "best" && low.get(at + 1).is_some_and(|next| next.starts_with("friend"));
        let relation = if best {
            Some("best friend")
        } else {
            lexicon::relation(word).filter(|_| !(at > 0 && low[at - 1] == "best"))
        };
        let Some(relation) = relation else { continue };
        // `sister Anna`
        let next = low.get(at + 1 + usize::from(best)).copied().unwrap_or("");
        // *When is my dentist appointment?* is about the user.
        let with_whom = if next == "'s" { low.get(at + 2).copied().unwrap_or("") } else { next };
        if matches!(with_whom, "appointment" | "appointments" | "visit" | "session" | "checkup") {
            continue;
        }
        // *A friend is planning a party: what do I eat?*
        let anybody = at > 0 && matches!(low[at - 1], "a" | "some") && low.contains(&"my");
        if anybody && !lexicon::is_given_name(next) {
            continue;
        }
        let named = facts.iter().find(|fact| {
            split_subject(&fact.subject)
                .is_some_and(|(_, name)| !name.is_empty() && name.eq_ignore_ascii_case(next))
        });
        // A friend with an unknown name must not match other friends.
        let stranger =
            if lexicon::is_given_name(next) { format!("{relation} {next}") } else { relation.to_owned() };
        return named.map_or(stranger, |fact| fact.subject.clone());
    }
    for word in low {
        if word.len() < 2 {
            continue;
        }
        let by_subject = facts.iter().rev().find(|fact| {
            split_subject(&fact.subject)
                .is_some_and(|(_, name)| name.split(' ').any(|part| part.eq_ignore_ascii_case(word)))
        });
        if let Some(fact) = by_subject {
            return fact.subject.clone();
        }
        let by_name = facts.iter().rev().find(|fact| {
            let relative = fact.slot.as_ref().is_some_and(|slot| slot.kind == SlotKind::Relative);
            relative && fact.subject.is_empty() && fact.value.eq_ignore_ascii_case(word)
        });
        if let Some(fact) = by_name {
            let what = fact.slot.as_ref().map_or("", |slot| slot.of.as_str());
            return format!("{what} {}", fact.value);
        }
    }
    String::new()
}

/// Returns true if a fact is about the person in the question.
pub fn is_about(asked: &FactQuestion, fact: &KnownFact) -> bool {
    let name = |subject: &str| split_subject(subject).map_or(String::new(), |(_, name)| name.to_lowercase());
    if !name(&asked.subject).is_empty() && name(&asked.subject) != name(&fact.subject) {
        return false;
    }
    if asked.subject.is_empty() {
        fact.subject.is_empty()
    } else {
        !fact.subject.is_empty() && same_person(&asked.subject, &fact.subject)
    }
}
