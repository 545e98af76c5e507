//! A sentence as it is looked at: its words, and its names with what each of them may be.

use std::ops::Range;

use super::cues;
use crate::facts::lexicon;
use crate::facts::names::{Names, parted};
use crate::facts::slot::Kind;
use crate::facts::subject::{capital, is_function};
use crate::facts::time;
use crate::facts::token::Token;
use crate::facts::verbs;
use crate::recall::terms;

/// What a name is of, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Place,
    Company,
    Person,
    Pet,
    Vehicle,
    Unknown,
}

#[derive(Debug, Clone)]
pub struct Name {
    pub text: String,
    /// Its tokens.
    pub range: Range<usize>,
    pub sort: Sort,
    /// The words say that it is over: *from Lyon*, *not Lyon*, *Lyon is history*.
    pub is_left: bool,
    /// What a person is to the user, where the sentence says so: *my mate Tom*.
    pub what: &'static str,
}

pub struct Sight<'a> {
    pub words: Vec<&'a str>,
    pub tokens: &'a [Token],
    pub text: &'a str,
    pub names: Vec<Name>,
    /// Whose life it is about: nobody's name for the user.
    pub subject: String,
    pub is_change: bool,
    pub is_long_ago: bool,
    pub is_idle: bool,
    /// Somebody of the household acts in it, and not the user: *my wife works at Lego*.
    pub is_of_family: bool,
}

impl<'a> Sight<'a> {
    /// None where a sentence is of nobody whose life is known.
    pub fn of(text: &'a str, tokens: &'a [Token], names: &Names) -> Option<Self> {
        let mut words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
        let is_small = !text.chars().any(char::is_uppercase);
        let mut found = spans(text, tokens, names, is_small);
        for name in &mut found {
            name.is_left = is_left(&words, &name.range);
        }
        for at in 0..found.len() {
            if let Some(what) = introduced(&words, &found[at].range) {
                found[at].sort = Sort::Person;
                found[at].what = what;
            }
        }
        let (subject, start) = whose(&words, &found, names)?;
        // *They closed the office and I moved to Rome*: what stands before *I* is not the user's.
        found.retain(|name| {
            name.range.start >= start
                || [Kind::Home, Kind::Employer]
                    .iter()
                    .any(|kind| names.held("", *kind, "").as_deref() == Some(&name.text))
        });
        words[..start].fill("");
        Some(Self {
            is_of_family: is_of_family(&words),
            is_change: cues::is_change(&words),
            is_long_ago: cues::is_long_ago(&words),
            is_idle: cues::is_idle(&words),
            words,
            tokens,
            text,
            names: found,
            subject,
        })
    }

    pub fn has(&self, list: &[&str]) -> bool {
        self.words.iter().any(|word| list.contains(word))
    }

    pub fn phrase(&self, phrase: &[&str]) -> bool {
        self.words.windows(phrase.len()).any(|window| window == phrase)
    }

    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).copied().unwrap_or("")
    }

    /// The word before a place in the sentence.
    pub fn before(&self, at: usize, back: usize) -> &str {
        at.checked_sub(back).map_or("", |at| self.words[at])
    }

    /// Whether the user speaks of themselves, or leaves themselves out as people do in chat.
    pub fn is_mine(&self) -> bool {
        self.subject.is_empty()
    }

    /// Whether one of these is called *mine* or *ours*, or is new.
    pub fn has_own(&self, list: &[&str]) -> bool {
        self.words.iter().enumerate().any(|(at, word)| {
            let which = (0..at).rev().take_while(|place| lexicon::is_which(self.words[*place])).count();
            list.contains(word) && matches!(self.before(at - which, 1), "my" | "our" | "the")
        })
    }

    pub fn says_me(&self) -> bool {
        self.has(&["i", "we", "my", "our", "me", "us", "mine", "myself"]) || self.phrase(&["guess", "who"])
    }
}

/// The names of a sentence: words with capitals, words that are known, and cities and companies of the world.
fn spans(text: &str, tokens: &[Token], names: &Names, is_small: bool) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let length = span(tokens, at, names, is_small);
        if length == 0 {
            at += 1;
            continue;
        }
        let range = at..at + length;
        let written = text
            .get(tokens[at].range.start..tokens[at + length - 1].range.end)
            .unwrap_or_default()
            .trim_end_matches("'s")
            .to_owned();
        let written = if written.chars().next().is_some_and(char::is_lowercase) {
            written.split(' ').map(capital).collect::<Vec<_>>().join(" ")
        } else {
            written
        };
        let sort = sort_of(&written, &tokens[range.clone()], names);
        found.push(Name { text: written, range, sort, is_left: false, what: "" });
        at += length;
    }
    found
}

fn span(tokens: &[Token], at: usize, names: &Names, is_small: bool) -> usize {
    let joined = |length: usize| {
        tokens
            .get(at..at + length)
            .map(|span| span.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" "))
    };
    for length in [3, 2] {
        if joined(length)
            .is_some_and(|low| names.is_value(&low) || lexicon::is_city(&low) || lexicon::is_company(&low))
        {
            return length;
        }
    }
    let token = &tokens[at];
    let low = token.low.as_str();
    let everyday = is_function(low)
        || verbs::lemma(low).is_some()
        || low == "i"
        || time::month(low).is_some()
        || lexicon::is_weekday(low)
        || lexicon::is_nationality(low)
        || lexicon::relation(low).is_some()
        || token.is_mark()
        || token.is_number();
    let known = names.is_value(low) || lexicon::is_city(low) || lexicon::is_company(low);
    if (is_small || at == 0) && !everyday && !lexicon::is_interjection(low) && is_placed(tokens, at) {
        return 1;
    }
    let before = at.checked_sub(1).map_or("", |at| tokens[at].low.as_str());
    if token.is_capital {
        // The first word of a sentence has its capital from there.
        let opens = token.at == 0 || matches!(before, "." | "!" | "?" | "…");
        let apart = token.at == 0
            && at == 0
            && tokens.get(1).is_some_and(|next| next.low == ",")
            && !tokens.get(2).is_some_and(|next| matches!(next.low.as_str(), "my" | "our" | "a" | "an"));
        let plain = everyday || apart || terms(low).is_empty() || opens && lexicon::is_opening(low);
        if !known && plain {
            return 0;
        }
        let joins =
            |next: &&Token| next.is_capital && !is_function(&next.low) && next.low != "i" && !next.is_mark();
        let more = tokens[at + 1..].iter().take(2).take_while(joins).count();
        return 1 + if names.is_value(low) || lexicon::is_city(low) { 0 } else { more };
    }
    // Names in small letters are known by the name alone, or stand where only a name stands.
    let sure = known && !everyday && lexicon::family(low).is_none() && !lexicon::is_ambiguous(low);
    let placed =
        known && is_small && matches!(before, "in" | "to" | "from" | "at" | "for" | "joined" | "left");
    usize::from(sure && is_small || placed)
}

/// Whether a word stands where only the name of an animal or a person stands, so that it needs no capital.
fn is_placed(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let back = |back: usize| at.checked_sub(back).map_or("", word);
    let low = word(at);
    let plain = low.len() > 2
        && low.chars().all(char::is_alphabetic)
        && !terms(low).is_empty()
        && lexicon::animal(low).is_none()
        && !lexicon::is_occupation(&[low])
        && !lexicon::is_diet(low)
        && !matches!(
            low,
            "name" | "what" | "who" | "now" | "still" | "home" | "today" | "too" | "again" | "everyone"
        );
    if !plain {
        return false;
    }
    let any = |list: &[&str]| tokens.iter().any(|token| list.contains(&token.low.as_str()));
    let animal = tokens.iter().any(|token| lexicon::animal(&token.low).is_some());
    let naming = any(&["name", "named", "call", "called", "renamed", "rename", "renaming", "christened"]);
    let next = word(at + 1);
    let ends = next.is_empty() || tokens.get(at + 1).is_some_and(Token::is_mark);
    let goes_on =
        ends || matches!(next, "now" | "these" | "instead" | "not" | "and" | "because" | "as" | "from");
    match (back(2), back(1)) {
        ("my" | "our", kind) | (_, kind)
            if lexicon::animal(kind).is_some() && !matches!(low, "food" | "person") =>
        {
            ends || verbs::lemma(next).is_some()
        }
        (_, "called" | "named" | "dating" | "seeing" | "christened" | "half" | "feed" | "dubbed") => true,
        ("the", "name") | ("call" | "calls", "me") | ("goes" | "go", "by") | ("love", "with") => true,
        ("is" | "'s", "now") => (animal || naming) && ends,
        (_, ":") => animal && naming && ends,
        (
            "listens" | "answers" | "responds" | "talking" | "speaking" | "renamed" | "name" | "reacts",
            "to",
        ) => true,
        ("out", "with") => any(&["going", "go"]) && ends || any(&["going"]),
        (_, "is" | "'s") => (animal || naming) && goes_on && !lexicon::describes_likeable(low),
        (_, "but" | "become" | "became") => animal && ends,
        (_, "to") => animal && naming && ends,
        (_, ",") => animal && ends && word(at + 1).is_empty() && at > 2,
        _ if next == ","
            && matches!(word(at + 2), "my" | "our" | "a" | "an")
            && (at + 3..at + 5)
                .any(|at| lexicon::relation(word(at)).is_some() || lexicon::animal(word(at)).is_some()) =>
        {
            true
        }
        _ => {
            let starts = at == 0 || matches!(back(1), ":" | "?" | "," | "." | "!");
            starts
                && (next == "is" && (word(at + 2) == "what" && animal || word(at + 3) == "name")
                    || next == "and"
                        && word(at + 2) == "i"
                        && any(&["couple", "dating", "together", "married", "engaged"]))
        }
    }
}

fn sort_of(text: &str, tokens: &[Token], names: &Names) -> Sort {
    let low = text.to_lowercase();
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    if names.person(text).is_some() {
        Sort::Person
    } else if names.pet(text).is_some() {
        Sort::Pet
    } else if names.is_company(&low) {
        Sort::Company
    } else if names.is_place(&low) {
        Sort::Place
    } else if lexicon::is_city(&low) {
        Sort::Place
    } else if lexicon::is_company(&low)
        && !(lexicon::is_vehicle(&words)
            && names.held("", Kind::Thing, "car").is_some_and(|car| car.eq_ignore_ascii_case(text)))
    {
        Sort::Company
    } else if lexicon::is_vehicle(&words) {
        Sort::Vehicle
    } else {
        Sort::Unknown
    }
}

/// Whether the words around a name say that it is left behind.
pub fn is_left(words: &[&str], range: &Range<usize>) -> bool {
    let before = |back: usize| range.start.checked_sub(back).map_or("", |at| words[at]);
    let skip = usize::from(matches!(before(1), "the" | "my" | "our" | "a" | "an" | "old" | "being"));
    let close = match (before(2 + skip), before(1 + skip)) {
        // *My pay comes from Lego*, *greetings from Rome*
        (
            "comes" | "come" | "coming" | "arrives" | "working" | "writing" | "greetings" | "hello"
            | "salary" | "pay",
            "from",
        ) => false,
        (_, "from" | "unlike" | "without") => true,
        ("better" | "more" | "rather" | "over", "than") => true,
        ("out" | "instead" | "rid" | "tired" | "sick" | "not" | "part", "of") => true,
        ("goodbye" | "farewell" | "bye", "to") => true,
        ("done" | "over" | "finished" | "through" | "broke", "with") => true,
        ("not" | "no" | "longer", _) | (_, "not" | "no" | "longer") => true,
        (_, "more") => before(3 + skip) != "any" && before(2 + skip) == "no",
        _ => false,
    };
    if close {
        return true;
    }
    // *My first week at Lego is over* is not over for Lego.
    let inside = matches!(before(1), "at" | "in" | "to" | "with" | "for" | "of" | "as" | "by");
    let after = &words[range.end.min(words.len())..];
    if cues::is_gone(after) && (!inside || matches!(after.first(), Some(&("any" | "behind" | "no")))) {
        return true;
    }
    // The clause before it: *I handed in my notice at Renault*, *I'm not in Lyon*.
    let clause = words[..range.start]
        .iter()
        .rposition(|word| {
            matches!(
                *word,
                "," | "but"
                    | "and"
                    | "so"
                    | "now"
                    | ":"
                    | "-"
                    | "–"
                    | "—"
                    | "for"
                    | "to"
                    | "with"
                    | "by"
                    | "favour"
                    | "favor"
            )
        })
        .map_or(0, |at| at + 1);
    let clause = &words[clause..range.start];
    let used = words[..range.start]
        .windows(2)
        .rposition(|pair| pair == ["used", "to"])
        .is_some_and(|at| !words[at..range.start].iter().any(|word| matches!(*word, "," | "but" | "now")));
    let gives_up = clause.windows(2).any(|pair| matches!(pair, ["gave" | "giving" | "given" | "give", "up"]));
    used || gives_up
        || clause.iter().any(|word| cues::is_leaving(word.rsplit('-').next().unwrap_or(word)))
        || clause.len() <= 5 && clause.iter().any(|word| matches!(*word, "not" | "never" | "longer"))
        || words[..range.start]
            .windows(2)
            .any(|pair| pair[0] == "last" && matches!(pair[1], "day" | "week" | "shift"))
            && clause.iter().any(|word| *word == "last")
}

/// What a name is to the user, where it stands beside it: *my mate Tom*, *Tom, my best friend*.
fn introduced(words: &[&str], range: &Range<usize>) -> Option<&'static str> {
    let word = |at: usize| words.get(at).copied().unwrap_or("");
    let best = |at: usize| at > 0 && word(at - 1) == "best";
    if let Some(at) = range.start.checked_sub(1)
        && let Some(what) = lexicon::relation(word(at)).filter(|what| is_one(what))
    {
        let which = (0..at)
            .rev()
            .take_while(|place| lexicon::is_which(word(*place)) || word(*place) == "best")
            .count();
        let owner = (at - which).checked_sub(1).map_or("", word);
        return matches!(owner, "my" | "our" | "a" | "an" | "old")
            .then_some(if best(at) && what == "friend" { "best friend" } else { what });
    }
    // `a friend named Felix`
    if let Some(at) = range.start.checked_sub(2)
        && matches!(word(at + 1), "named" | "called")
        && let Some(what) = lexicon::relation(word(at)).filter(|what| is_one(what))
    {
        return Some(if best(at) && what == "friend" { "best friend" } else { what });
    }
    // `an old friend of mine, Felix`
    let comma = usize::from(range.start > 0 && word(range.start - 1) == ",");
    if let Some(at) = range.start.checked_sub(3 + comma)
        && word(at + 1) == "of"
        && matches!(word(at + 2), "mine" | "ours")
        && let Some(what) = lexicon::relation(word(at)).filter(|what| is_one(what))
    {
        return Some(what);
    }
    if word(range.end) == "," && matches!(word(range.end + 1), "my" | "our" | "a" | "an") {
        let start = range.end + 2;
        let which = words[start.min(words.len())..]
            .iter()
            .take_while(|word| lexicon::is_which(word) || **word == "best")
            .count();
        let what = lexicon::relation(word(start + which)).filter(|what| is_one(what))?;
        return Some(if best(start + which) && what == "friend" { "best friend" } else { what });
    }
    None
}

/// Whether a relation is one person.
fn is_one(what: &str) -> bool {
    !what.ends_with('s') || what == "boss"
}

/// Whom a sentence is about, the user or one person who is known by name, and from which word on.
fn whose(words: &[&str], found: &[Name], names: &Names) -> Option<(String, usize)> {
    let acts = |word: &&str| matches!(*word, "i" | "we");
    let first_me = words.iter().position(|word| acts(word));
    let person = found.iter().find(|name| name.sort == Sort::Person);
    if let Some(person) = person {
        let label = names
            .person(&person.text)
            .unwrap_or_else(|| format!("{} {}", person.what, person.text).trim().to_owned());
        let couple = parted(&label).is_some_and(|(what, _)| {
            matches!(what, "partner" | "wife" | "husband" | "girlfriend" | "boyfriend" | "fiancé")
        });
        if couple && first_me.is_some() {
            return Some((String::new(), 0));
        }
        // *I helped Tom move*: what follows is his.
        let his =
            words.iter().any(|word| matches!(*word, "he" | "she" | "his" | "her" | "their" | "they" | "who"));
        let leads = first_me.is_none_or(|me| me > person.range.start) || his;
        let helped = words.windows(2).any(|pair| {
            matches!(pair[0], "helped" | "helping" | "visited" | "met" | "saw")
                && pair[1] == person.text.to_lowercase()
        });
        return (leads || helped).then_some((label, 0));
    }
    let other = words.iter().enumerate().position(|(at, word)| {
        let to_me = *word == "they" && words[at..].iter().any(|word| matches!(*word, "me" | "us"));
        let asks = matches!(words.get(at + 1), Some(&("ask" | "asks" | "asked")));
        let stands = !to_me
            && !asks
            && matches!(
                *word,
                "he" | "she" | "they" | "guy" | "somebody" | "someone" | "everyone" | "people"
            )
            && !words.iter().any(|word| lexicon::animal(word).is_some());
        let related = lexicon::relation(word).is_some_and(|what| !is_my_company(what))
            && !matches!(words.get(at + 1), Some(&("at" | "in" | "here" | "over" | "tongue")))
            && !words[..at].iter().any(|word| verbs::lemma(word).is_some())
            && at.checked_sub(1).is_some_and(|before| {
                matches!(words[before], "my" | "our" | "a" | "the" | "his" | "her" | "best")
                    || lexicon::is_which(words[before])
            });
        (stands || related) && first_me.is_none_or(|me| me > at)
    });
    // *I know a guy who lives in Rome*
    let of_another = words.windows(2).any(|pair| {
        pair[1] == "who"
            && (lexicon::relation(pair[0]).is_some()
                || matches!(pair[0], "guy" | "someone" | "somebody" | "people" | "woman" | "man"))
    });
    if of_another {
        return None;
    }
    let Some(other) = other else { return Some((String::new(), 0)) };
    let joint =
        first_me.filter(|me| *me > other && matches!(words[me - 1], "and" | "so" | "but" | "," | "then"))?;
    Some((String::new(), joint))
}

/// Whether somebody of the household leads the sentence, and the user does not come in.
fn is_of_family(words: &[&str]) -> bool {
    let at = words.iter().position(|word| {
        lexicon::relation(word)
            .is_some_and(|what| is_my_company(what) && !matches!(what, "doctor" | "dentist"))
    });
    at.is_some_and(|at| {
        (1..=3).contains(&at)
            && matches!(words[at - 1], "my" | "our" | "the")
            && !words.iter().any(|word| matches!(*word, "i" | "we"))
            && words.get(at + 1).is_some_and(|next| {
                verbs::lemma(next).is_some() || matches!(*next, "is" | "has" | "was" | "just")
            })
    })
}

/// Those with whom one shares a home, so that what happens to them happens to oneself.
fn is_my_company(what: &str) -> bool {
    matches!(
        what,
        "doctor"
            | "dentist"
            | "wife"
            | "husband"
            | "partner"
            | "girlfriend"
            | "boyfriend"
            | "fiancé"
            | "children"
            | "kids"
            | "child"
    )
}
