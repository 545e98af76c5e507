//! A sentence as it is looked at: its words, and its names with what each of them may be.

use std::ops::Range;

use super::cues;
use super::spans::spans;
use crate::facts::lexicon;
use crate::facts::names::{Names, parted};
use crate::facts::slot::Kind;
use crate::facts::token::Token;
use crate::facts::verbs;
use crate::facts::wordlists::Words;

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
        for name in &mut found {
            if let Some(what) = introduced(&words, &name.range) {
                name.sort = Sort::Person;
                name.what = what;
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
            names: found,
            subject,
        })
    }

    pub fn has(&self, list: &[&str]) -> bool {
        self.words.iter().any(|word| list.contains(word))
    }

    pub fn has_any(&self, list: &Words) -> bool {
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
    pub fn has_own(&self, list: &Words) -> bool {
        self.words.iter().enumerate().any(|(at, word)| {
            let which = (0..at).rev().take_while(|place| lexicon::is_which(self.words[*place])).count();
            list.contains(word) && matches!(self.before(at - which, 1), "my" | "our" | "the")
        })
    }

    /// A note of a few words that leaves out who it is about, which is who writes it: *new job! Lego*.
    pub fn is_terse(&self) -> bool {
        let words = self.words.iter().filter(|word| word.chars().any(char::is_alphanumeric)).count();
        words <= 8
            && self.is_mine()
            && !self.has(&[
                "he", "she", "they", "you", "your", "his", "her", "their", "its", "was", "were", "the",
                "hiring",
            ])
    }

    pub fn says_me(&self) -> bool {
        self.has(&["i", "we", "my", "our", "me", "us", "mine", "myself"]) || self.phrase(&["guess", "who"])
    }
}

/// Whether the words around a name say that it is left behind.
pub fn is_left(words: &[&str], range: &Range<usize>) -> bool {
    let before = |back: usize| range.start.checked_sub(back).map_or("", |at| words[at]);
    let skip = usize::from(matches!(before(1), "the" | "my" | "our" | "a" | "an" | "old" | "being"));
    let close = match (before(2 + skip), before(1 + skip)) {
        // *My pay comes from Lego*, *greetings from Rome*
        (
            "hiya" | "hi" | "cheers" | "regards" | "love" | "comes" | "come" | "coming" | "arrives"
            | "working" | "writing" | "greetings" | "hello" | "salary" | "pay",
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
            && clause.contains(&"last")
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
    // `a friend in Graz, Felix`
    if let Some(at) = range.start.checked_sub(4)
        && word(at + 1) == "in"
        && word(at + 3) == ","
        && let Some(what) = lexicon::relation(word(at)).filter(|what| is_one(what))
    {
        return Some(what);
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
    let first_me = words.iter().position(|word| matches!(*word, "i" | "we"));
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
        // *I've got a friend in Graz, Felix*
        let has =
            !person.what.is_empty() && words.iter().any(|word| matches!(*word, "got" | "have" | "know"));
        return (leads || helped || has).then_some((label, 0));
    }
    // *My grandson got me into chess*
    let done_to_me = words.windows(2).any(|pair| {
        matches!(
            pair[0],
            "got" | "made" | "turned" | "introduced" | "converted" | "talked" | "put" | "promoted" | "hired"
        ) && matches!(pair[1], "me" | "us")
    });
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
            && !done_to_me
            && !matches!(words.get(at + 1), Some(&("at" | "in" | "here" | "over" | "tongue")))
            && !words[..at].iter().any(|word| verbs::lemma(word).is_some() || *word == "fur")
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
