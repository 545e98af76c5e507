//! Splits words into clauses and determines the subject of each and whether it is meant as fact.
//!
//! Statements are often combined with thoughts, questions and suppositions. Only the clause that supposes is set aside,
//! not the whole message.

use std::ops::Range;

use super::cues;
use super::name_mention::{NameKind, NameMention};
use crate::lexicon;
use crate::verbs::{self, VerbForm};

/// The subject of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanSubject {
    /// The user, also if no one is mentioned: chat messages often omit *I*.
    Me,
    /// A person known by name.
    Person,
    /// Another person.
    Other,
}

#[derive(Debug, Clone)]
pub struct ClauseSpan {
    pub range: Range<usize>,
    pub who: SpanSubject,
    /// True if the clause supposes, plans or asks.
    pub is_idle: bool,
}

/// Splits words into clauses, in order and without gaps.
pub fn clauses(words: &[&str], names: &[NameMention]) -> Vec<ClauseSpan> {
    let is_person = |name: &NameMention| name.kind == NameKind::Person && !name.is_close;
    let named = names.iter().any(is_person);
    let animal =
        words.iter().any(|word| !matches!(*word, "fish" | "chicken") && lexicon::animal(word).is_some())
            || names.iter().any(|name| name.kind == NameKind::Pet);
    let third = if named {
        SpanSubject::Person
    } else if animal {
        SpanSubject::Me
    } else {
        SpanSubject::Other
    };
    let rumour = words.windows(2).any(|pair| matches!(pair, ["they" | "people" | "some", "say"]));
    let mut found: Vec<ClauseSpan> = Vec::new();
    let mut start = 0;
    for at in 1..=words.len() {
        if at < words.len() && !begins(words, at) {
            continue;
        }
        let range = start..at;
        let part = &words[range.clone()];
        let joined = matches!(part.first(), Some(&("and" | "or")));
        let supposed = joined && found.last().is_some_and(|before| before.is_idle) && !says_i(part);
        let person = names.iter().any(|name| is_person(name) && range.contains(&name.range.start));
        let stranger = !named && is_of_stranger(part) || is_of_kin(part);
        let mine = part.iter().any(|word| matches!(*word, "i" | "we" | "me" | "us" | "my" | "our" | "mine"));
        let goes_on = matches!(part.first(), Some(&("," | "and" | ":"))) && !mine;
        let before = found.last().map_or(SpanSubject::Me, |before| before.who);
        let who = match part.first() {
            // *Tom has a new job, is at Lego*
            _ if goes_on && before == SpanSubject::Person => SpanSubject::Person,
            // *I know a guy who works for Lego*
            Some(&"who") => third,
            _ if stranger => SpanSubject::Other,
            _ => who(part, person, third),
        };
        // *Going to run my own firm, Biscuit Freight*: a part that only adds a name is part of the plan.
        let adds = part.first() == Some(&",")
            && part.len() <= 5
            && found.last().is_some_and(|before| before.is_idle)
            && !part.iter().any(|word| {
                verbs::lemma(word).is_some()
                    || matches!(*word, "is" | "am" | "are" | "'s" | "i" | "we" | "my")
            });
        found.push(ClauseSpan { is_idle: rumour || supposed || adds || cues::is_idle(part), who, range });
        start = at;
    }
    found
}

/// Returns true if a person who is only named is the subject: *Ivy has a nut allergy*.
fn is_of_stranger(part: &[&str]) -> bool {
    let from = part
        .iter()
        .take_while(|word| is_mark(word) || matches!(**word, "and" | "but" | "so" | "because"))
        .count();
    let [name, verb, ..] = &part[from..] else { return false };
    lexicon::is_given_name(name)
        && (matches!(*verb, "is" | "'s" | "has" | "was" | "had")
            || verbs::lemma(verb).is_some_and(|(_, form)| matches!(form, VerbForm::Past | VerbForm::Third)))
        && !part.iter().any(|word| words!("i we me us my our name animal").contains(*word))
        && !part.iter().any(|word| lexicon::animal(word).is_some() || lexicon::relation(word).is_some())
}

/// Returns true if a relative without *my* is the subject: *Mum moved to Rome*.
fn is_of_kin(part: &[&str]) -> bool {
    let from = part
        .iter()
        .take_while(|word| is_mark(word) || matches!(**word, "and" | "but" | "so" | "because"))
        .count();
    let [kin, verb, ..] = &part[from..] else { return false };
    words!("mother father grandmother grandfather").contains(*kin)
        && (matches!(*verb, "is" | "'s" | "has" | "was" | "had")
            || verbs::lemma(verb).is_some_and(|(_, form)| matches!(form, VerbForm::Past | VerbForm::Third)))
        && !part.iter().any(|word| words!("i we me us").contains(*word))
}

/// Returns true if a clause begins at the given word.
fn begins(words: &[&str], at: usize) -> bool {
    let next = |ahead: usize| words.get(at + ahead).copied().unwrap_or("");
    match words[at] {
        "," | "." | "!" | "?" | ";" | ":" | "(" | ")" | "–" | "—" | "…" | "-" | "\u{1}" => true,
        "who" => at > 1,
        "but" | "because" | "although" | "though" | "whereas" | "while" | "until" => true,
        "if" => true,
        "and" | "so" | "then" | "when" | "which" | "as" => {
            is_pronoun(next(1)) || matches!(next(1), "my" | "our" | "now" | "that" | "this")
        }
        // *If Tom complains once more I'm going to shout*: the supposition ends at the next subject.
        word => {
            let supposed = words[..at].iter().rposition(|word| *word == "if" || is_mark(word));
            is_pronoun(word) && supposed.is_some_and(|from| words[from] == "if" && at > from + 4)
        }
    }
}

fn is_mark(word: &str) -> bool {
    words!(", . ! ? ; : – — …").contains(word)
}

fn is_pronoun(word: &str) -> bool {
    matches!(word, "i" | "we" | "he" | "she" | "they" | "it" | "you")
}

fn says_i(part: &[&str]) -> bool {
    part.iter().any(|word| matches!(*word, "i" | "we"))
}

fn who(part: &[&str], person: bool, third: SpanSubject) -> SpanSubject {
    if says_i(part) {
        return SpanSubject::Me;
    }
    if person {
        return SpanSubject::Person;
    }
    let to_me = part.iter().enumerate().any(|(at, word)| {
        matches!(*word, "me" | "us") && !(at > 0 && matches!(part[at - 1], "around" | "like" | "than"))
    });
    let pronoun = part.iter().any(|word| words!("he she his her hers him they their them").contains(*word));
    if pronoun && !(to_me && part.contains(&"they")) {
        return third;
    }
    let anybody = part
        .iter()
        .any(|word| words!("guy somebody someone everyone everybody people nobody anyone").contains(*word));
    let related = part.iter().enumerate().take(7).any(|(at, word)| {
        let which = part[..at]
            .iter()
            .rev()
            .take_while(|word| lexicon::is_which(word) || lexicon::is_by_birth(word))
            .count();
        let owner = (at - which).checked_sub(1).map_or("", |at| part[at]);
        lexicon::relation(word).is_some()
            && matches!(owner, "my" | "our" | "a" | "the" | "best")
            && !matches!(part.get(at + 1), Some(&("at" | "in" | "here" | "over" | "tongue")))
            && !part[..at - which].iter().any(|word| verbs::lemma(word).is_some())
    });
    if (anybody || related) && !to_me { SpanSubject::Other } else { SpanSubject::Me }
}
