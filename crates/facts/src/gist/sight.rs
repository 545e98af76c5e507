//! A sentence as it is looked at: its words, and its names with what each of them may be.

use std::ops::Range;

use jiff::civil::Date;

use super::clauses::{Clause, Who, clauses};
use super::cues;
use super::spans::spans;
use crate::lexicon;
use crate::names::{Names, parted};
use crate::slot::Kind;
use crate::token::Token;
use crate::verbs;
use crate::wordlists::Words;

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
    /// Somebody with whom the user shares a life, so that what is told of both is the user's.
    pub is_close: bool,
}

/// How words look for one subject.
pub struct Look<'a> {
    /// What is meant as it is said.
    pub meant: Sight<'a>,
    /// With what is only supposed, by which people say what they like.
    pub supposed: Sight<'a>,
    /// With what others do, too: an animal or a name is known wherever it stands.
    pub whole: Sight<'a>,
}

pub struct Sight<'a> {
    /// What is of the subject, in place; the rest is empty.
    pub words: Vec<&'a str>,
    pub tokens: &'a [Token],
    pub names: Vec<Name>,
    /// Whose life it is about: nobody's name for the user.
    pub subject: String,
    pub today: Date,
    pub is_change: bool,
    pub is_long_ago: bool,
    /// Somebody else is named, of whom the words may be.
    pub names_another: bool,
    /// Where the clauses are.
    clauses: Vec<Range<usize>>,
    /// Those that are of somebody else.
    apart: Vec<Range<usize>>,
    /// Somebody of the household acts in it, and not the user: *my wife works at Lego*.
    pub is_of_family: bool,
}

/// Which clauses are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Meant,
    Supposed,
    Whole,
}

/// Words with their names and clauses, whomever they are about.
struct Scene<'a, 'n> {
    words: Vec<&'a str>,
    tokens: &'a [Token],
    found: Vec<Name>,
    clauses: Vec<Clause>,
    names: &'n Names,
    today: Date,
}

/// How words look for each of those whose life they may be about: whoever is named, and then the user.
pub fn looks<'a>(text: &str, tokens: &'a [Token], names: &Names, today: Date) -> Vec<Look<'a>> {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
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
    befriend(&words, &mut found);
    for name in &mut found {
        let label = names.person(&name.text);
        let what = label.as_deref().and_then(parted).map_or(name.what, |(what, _)| what);
        name.is_close =
            matches!(what, "partner" | "wife" | "husband" | "girlfriend" | "boyfriend" | "fiancé");
    }
    let clauses = clauses(&words, &found);
    let person = found.iter().find(|name| name.sort == Sort::Person).map(|person| {
        let unknown = || format!("{} {}", person.what, person.text).trim().to_owned();
        names.person(&person.text).unwrap_or_else(unknown)
    });
    let scene = Scene { words, tokens, found, clauses, names, today };
    let look = |subject: String| Look {
        meant: Sight::of(&scene, &subject, Scope::Meant),
        supposed: Sight::of(&scene, &subject, Scope::Supposed),
        whole: Sight::of(&scene, &subject, Scope::Whole),
    };
    person.into_iter().chain(std::iter::once(String::new())).map(look).collect()
}

impl<'a> Sight<'a> {
    /// What is of one subject: the other clauses are left out.
    fn of(scene: &Scene<'a, '_>, subject: &str, scope: Scope) -> Self {
        let mut words = scene.words.clone();
        let mut names = scene.found.clone();
        let mut others = Vec::new();
        for clause in &scene.clauses {
            let apart = match clause.who {
                Who::Me => false,
                Who::Person => subject.is_empty(),
                Who::Other => true,
            };
            if apart {
                others.push(clause.range.clone());
            }
            let kept = match scope {
                Scope::Meant => !apart && !clause.is_idle,
                Scope::Supposed => !apart,
                Scope::Whole => true,
            };
            if !kept {
                // *If my boss at Lego calls* supposes a call, and neither the boss nor Lego.
                let owned = if apart { Vec::new() } else { possessions(&words, &clause.range) };
                for at in clause.range.clone().filter(|at| !owned.contains(at)) {
                    words[at] = "";
                }
                names.retain(|name| {
                    !clause.range.contains(&name.range.start)
                        || owned.contains(&name.range.start)
                        || [Kind::Home, Kind::Employer]
                            .iter()
                            .any(|kind| scene.names.held(subject, *kind, "").as_deref() == Some(&name.text))
                });
            }
        }
        Self {
            is_of_family: is_of_family(&words),
            is_change: cues::is_change(&words),
            is_long_ago: cues::is_long_ago(&scene.words),
            names_another: scene.found.iter().any(|name| {
                let given =
                    name.sort == Sort::Unknown && lexicon::is_given_name(scene.words[name.range.start]);
                (name.sort == Sort::Person || given) && !name.is_close
            }),
            apart: others,
            clauses: scene.clauses.iter().map(|clause| clause.range.clone()).collect(),
            words,
            tokens: scene.tokens,
            names,
            subject: subject.to_owned(),
            today: scene.today,
        }
    }

    pub fn has(&self, list: &[&str]) -> bool {
        self.words.iter().any(|word| list.contains(word))
    }

    pub fn has_any(&self, list: &Words) -> bool {
        self.words.iter().any(|word| list.contains(word))
    }

    /// Whether one of these words is there that is not said to be somebody else's.
    pub fn speaks_of(&self, list: &Words) -> bool {
        self.words.iter().enumerate().any(|(at, word)| list.contains(word) && !self.is_anothers(at))
    }

    /// Whether what stands at a place belongs to somebody other than the subject.
    fn is_anothers(&self, at: usize) -> bool {
        let which = (0..at).rev().take_while(|place| lexicon::is_which(self.words[*place])).count();
        match self.before(at - which, 1) {
            "his" | "her" | "their" | "'s" => self.is_mine(),
            "my" | "our" => !self.is_mine(),
            _ => false,
        }
    }

    /// The words of the clause that a place is in.
    pub fn clause(&self, at: usize) -> &[&'a str] {
        &self.words[self.clause_range(at)]
    }

    pub fn clause_range(&self, at: usize) -> Range<usize> {
        let range = self.clauses.iter().find(|range| range.contains(&at)).cloned();
        range.unwrap_or(0..self.words.len())
    }

    /// Whether a place is in a clause of somebody else.
    pub fn is_apart(&self, at: usize) -> bool {
        self.apart.iter().any(|range| range.contains(&at))
    }

    /// Whether a clause calls one of these *mine* or *ours*.
    pub fn has_own_beside(&self, at: usize, list: &Words) -> bool {
        let clause = self.clause(at);
        clause.iter().enumerate().any(|(at, word)| {
            let which = clause[..at].iter().rev().take_while(|word| lexicon::is_which(word)).count();
            list.contains(word)
                && (at - which).checked_sub(1).is_some_and(|at| matches!(clause[at], "my" | "our"))
        })
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
            && !self.has_any(words!("he she they you your his her their its was were the hiring"))
    }

    pub fn says_me(&self) -> bool {
        self.has_any(words!("i we my our me us mine myself"))
            || self.phrase(&["guess", "who"])
            || self.is_form()
    }

    /// Whether something of somebody is said to be no more: *quit his job*, *used to have a flat*.
    pub fn says_over(&self) -> bool {
        self.has(&["fired", "sacked", "redundant"])
            || self.words.windows(3).any(|window| match window {
                ["no", "longer", _] | ["laid", _, "off"] => true,
                ["used", "to", verb] => matches!(*verb, "have" | "live" | "work" | "own" | "be"),
                [verb, whose, _] => {
                    matches!(*verb, "quit" | "lost" | "sold" | "left" | "resigned")
                        && matches!(*whose, "his" | "her" | "their" | "it" | "from")
                }
                _ => false,
            })
    }

    /// A line as on a form: *Place of residence: Rome*.
    pub fn is_form(&self) -> bool {
        let colon = self.words.iter().take(7).position(|word| *word == ":");
        colon.is_some_and(|at| at > 0)
            && self.is_mine()
            && self.words.len() <= 14
            && !self.has(&["he", "she", "they", "you", "his", "her", "their"])
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
        ("walk" | "walked" | "walking", "past") => true,
        ("not" | "no" | "longer", _) | (_, "not" | "no" | "longer") => true,
        (_, "more") => before(3 + skip) != "any" && before(2 + skip) == "no",
        _ => false,
    };
    if close {
        return true;
    }
    // *My first week at Lego is over* is not over for Lego.
    let inside = words!("at in to with for of as by").contains(before(1));
    let after = &words[range.end.min(words.len())..];
    if cues::is_gone(after) && (!inside || matches!(after.first(), Some(&("any" | "behind" | "no")))) {
        return true;
    }
    // The clause before it: *I handed in my notice at Renault*, *I'm not in Lyon*.
    let clause = words[..range.start]
        .iter()
        .rposition(|word| {
            words!(", but and so now : - – — for to with by favour favor . ! ? ;").contains(*word)
        })
        .map_or(0, |at| at + 1);
    let clause = &words[clause..range.start];
    let used = words[..range.start]
        .windows(2)
        .rposition(|pair| pair == ["used", "to"])
        .is_some_and(|at| !words[at..range.start].iter().any(|word| matches!(*word, "," | "but" | "now")));
    let gives_up =
        clause.windows(2).any(|pair| matches!(pair, ["gave" | "giving" | "given" | "give", "up" | "away"]));
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
    // `my ex, Serwaa, got promoted`
    if range.start > 2
        && word(range.start - 1) == ","
        && word(range.end) == ","
        && matches!(word(range.start - 3), "my" | "our")
        && let Some(what) = lexicon::relation(word(range.start - 2)).filter(|what| is_one(what))
    {
        return Some(what);
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
        // *I know somebody at Lego, my friend Tom*
        if lexicon::is_given_name(word(start + which + 1)) {
            return None;
        }
        // *Vegan since college, my boyfriend is a butcher*
        let acts = matches!(word(start + which + 1), "is" | "'s" | "has" | "was");
        if acts && !lexicon::is_given_name(word(range.start)) {
            return None;
        }
        return Some(if best(start + which) && what == "friend" { "best friend" } else { what });
    }
    None
}

/// The places of what somebody is said to have, with what follows it: *my new flat in Rome*.
fn possessions(words: &[&str], range: &Range<usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for at in range.clone().filter(|at| matches!(words[*at], "my" | "our" | "his" | "her")) {
        let joint = (at + 1..range.end.min(at + 5)).find(|at| matches!(words[*at], "in" | "at" | "with"));
        let end = joint.map_or(at + 3, |joint| joint + 3);
        found.extend(at..end.min(range.end));
    }
    found
}

/// Who is named without being introduced: *Felix's flat is lovely, trust one of my friends to find it*, *Henrik can help,
/// he works there*.
fn befriend(words: &[&str], names: &mut [Name]) {
    let mine = words.iter().enumerate().any(|(at, word)| {
        let mut near = words[at.saturating_sub(4)..].iter().take(8);
        matches!(lexicon::relation(word), Some("friend" | "friends"))
            && near.any(|word| matches!(*word, "my" | "our" | "mine" | "ours" | "another" | "good" | "old"))
    });
    let third = words.iter().any(|word| matches!(*word, "he" | "she" | "his" | "her" | "him"));
    let another = words.iter().any(|word| {
        lexicon::animal(word).is_some()
            || !matches!(lexicon::relation(word), None | Some("friend" | "friends" | "boss" | "colleague"))
    });
    let known = names.iter().any(|name| matches!(name.sort, Sort::Person | Sort::Pet));
    let mut strangers = names.iter_mut().filter(|name| {
        name.sort == Sort::Unknown && name.range.len() == 1 && lexicon::is_given_name(words[name.range.start])
    });
    if (mine || third)
        && !known
        && !another
        && let (Some(name), None) = (strangers.next(), strangers.next())
    {
        name.sort = Sort::Person;
        name.what = if mine { "friend" } else { "" };
    }
}

/// Whether a relation is one person.
fn is_one(what: &str) -> bool {
    !what.ends_with('s') || what == "boss"
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
    words!("doctor dentist wife husband partner girlfriend boyfriend fiancé children kids child")
        .contains(what)
}
