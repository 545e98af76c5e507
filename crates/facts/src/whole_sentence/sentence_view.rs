//! A view of a sentence: its words, and its names with the sort of each.

use std::ops::Range;

use jiff::civil::Date;

use super::clauses::{ClauseSpan, SpanSubject, clauses};
use super::cues;
use super::name_mention::{NameKind, NameMention, is_left};
use super::name_spans::spans;
use crate::lexicon;
use crate::names::{KnownNames, split_subject};
use crate::slot::SlotKind;
use crate::token::WordToken;
use crate::verbs;
use crate::wordlists::WordList;

/// The views of a sentence for one subject.
pub struct SubjectViews<'a> {
    /// Only the clauses that are meant as stated.
    pub meant: SentenceView<'a>,
    /// Also clauses that only suppose, in which people often state what they like.
    pub supposed: SentenceView<'a>,
    /// Also clauses about others: an animal or a name is recognised anywhere.
    pub whole: SentenceView<'a>,
}

pub struct SentenceView<'a> {
    /// The words of the subject's clauses, in place; all others are empty.
    pub words: Vec<&'a str>,
    pub tokens: &'a [WordToken],
    pub names: Vec<NameMention>,
    /// The person that the view is about; empty for the user.
    pub subject: String,
    pub today: Date,
    pub is_change: bool,
    pub is_long_ago: bool,
    /// True if another person is named whom the words may be about.
    pub names_another: bool,
    /// The ranges of the clauses.
    clauses: Vec<Range<usize>>,
    /// The ranges of the clauses about other people.
    apart: Vec<Range<usize>>,
    /// True if a member of the household is the agent and not the user: *my wife works at Lego*.
    pub is_of_family: bool,
}

/// The clauses that are included in a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ViewScope {
    Meant,
    Supposed,
    Whole,
}

/// A sentence with its names and clauses, before it is divided by subject.
struct ParsedSentence<'a, 'n> {
    words: Vec<&'a str>,
    tokens: &'a [WordToken],
    found: Vec<NameMention>,
    clauses: Vec<ClauseSpan>,
    names: &'n KnownNames,
    today: Date,
}

/// Returns the views for each subject that the words may be about: the person named, then the user.
pub fn subject_views<'a>(
    text: &str,
    tokens: &'a [WordToken],
    names: &KnownNames,
    today: Date,
) -> Vec<SubjectViews<'a>> {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let is_small = !text.chars().any(char::is_uppercase);
    let mut found = spans(text, tokens, names, is_small);
    for name in &mut found {
        name.is_left = is_left(&words, &name.range);
    }
    for name in &mut found {
        if let Some(what) = introduced(&words, &name.range) {
            name.kind = NameKind::Person;
            name.what = what;
        }
    }
    befriend(&words, &mut found);
    for name in &mut found {
        let label = names.person(&name.text);
        let what = label.as_deref().and_then(split_subject).map_or(name.what, |(what, _)| what);
        name.is_close =
            matches!(what, "partner" | "wife" | "husband" | "girlfriend" | "boyfriend" | "fiancé");
    }
    let clauses = clauses(&words, &found);
    let person = found.iter().find(|name| name.kind == NameKind::Person).map(|person| {
        let unknown = || format!("{} {}", person.what, person.text).trim().to_owned();
        names.person(&person.text).unwrap_or_else(unknown)
    });
    let parsed = ParsedSentence { words, tokens, found, clauses, names, today };
    let views = |subject: String| SubjectViews {
        meant: SentenceView::of(&parsed, &subject, ViewScope::Meant),
        supposed: SentenceView::of(&parsed, &subject, ViewScope::Supposed),
        whole: SentenceView::of(&parsed, &subject, ViewScope::Whole),
    };
    person.into_iter().chain(std::iter::once(String::new())).map(views).collect()
}

impl<'a> SentenceView<'a> {
    /// Creates a view of one subject; clauses outside the scope are blanked.
    fn of(parsed: &ParsedSentence<'a, '_>, subject: &str, scope: ViewScope) -> Self {
        let mut words = parsed.words.clone();
        let mut names = parsed.found.clone();
        let mut others = Vec::new();
        for clause in &parsed.clauses {
            let apart = match clause.who {
                SpanSubject::Me => false,
                SpanSubject::Person => subject.is_empty(),
                SpanSubject::Other => true,
            };
            if apart {
                others.push(clause.range.clone());
            }
            let kept = match scope {
                ViewScope::Meant => !apart && !clause.is_idle,
                ViewScope::Supposed => !apart,
                ViewScope::Whole => true,
            };
            if !kept {
                // *If my boss at Lego calls*: the call is supposed, but the boss and Lego are real.
                let owned = if apart { Vec::new() } else { possessions(&words, &clause.range) };
                for at in clause.range.clone().filter(|at| !owned.contains(at)) {
                    words[at] = "";
                }
                names.retain(|name| {
                    !clause.range.contains(&name.range.start)
                        || owned.contains(&name.range.start)
                        || [SlotKind::Home, SlotKind::Employer].iter().any(|kind| {
                            parsed.names.current_value(subject, *kind, "").as_deref() == Some(&name.text)
                        })
                });
            }
        }
        Self {
            is_of_family: is_of_family(&words),
            is_change: cues::is_change(&words),
            is_long_ago: cues::is_long_ago(&parsed.words),
            names_another: parsed.found.iter().any(|name| {
                let given =
                    name.kind == NameKind::Unknown && lexicon::is_given_name(parsed.words[name.range.start]);
                (name.kind == NameKind::Person || given) && !name.is_close
            }),
            apart: others,
            clauses: parsed.clauses.iter().map(|clause| clause.range.clone()).collect(),
            words,
            tokens: parsed.tokens,
            names,
            subject: subject.to_owned(),
            today: parsed.today,
        }
    }

    pub fn has(&self, list: &[&str]) -> bool {
        self.words.iter().any(|word| list.contains(word))
    }

    pub fn has_any(&self, list: &WordList) -> bool {
        self.words.iter().any(|word| list.contains(word))
    }

    /// Returns true if one of these words occurs and does not belong to another person.
    pub fn speaks_of(&self, list: &WordList) -> bool {
        self.words.iter().enumerate().any(|(at, word)| list.contains(word) && !self.is_anothers(at))
    }

    /// Returns true if the word belongs to someone other than the subject.
    fn is_anothers(&self, at: usize) -> bool {
        let which = (0..at).rev().take_while(|place| lexicon::is_which(self.words[*place])).count();
        match self.before(at - which, 1) {
            "his" | "her" | "their" | "'s" => self.is_mine(),
            "my" | "our" => !self.is_mine(),
            _ => false,
        }
    }

    /// Returns the words of the clause that contains a position.
    pub fn clause(&self, at: usize) -> &[&'a str] {
        &self.words[self.clause_range(at)]
    }

    pub fn clause_range(&self, at: usize) -> Range<usize> {
        let range = self.clauses.iter().find(|range| range.contains(&at)).cloned();
        range.unwrap_or(0..self.words.len())
    }

    /// Returns true if a position is in a clause about another person.
    pub fn is_apart(&self, at: usize) -> bool {
        self.apart.iter().any(|range| range.contains(&at))
    }

    /// Returns true if one of these words follows *my* or *our* in the clause.
    pub fn has_own_beside(&self, at: usize, list: &WordList) -> bool {
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

    /// Returns the word `back` places before a position, or an empty string.
    pub fn before(&self, at: usize, back: usize) -> &str {
        at.checked_sub(back).map_or("", |at| self.words[at])
    }

    /// Returns true if the view is about the user.
    pub fn is_mine(&self) -> bool {
        self.subject.is_empty()
    }

    /// Returns true if one of these words follows *my*, *our* or *the*.
    pub fn has_own(&self, list: &WordList) -> bool {
        self.words.iter().enumerate().any(|(at, word)| {
            let which = (0..at).rev().take_while(|place| lexicon::is_which(self.words[*place])).count();
            list.contains(word) && matches!(self.before(at - which, 1), "my" | "our" | "the")
        })
    }

    /// Returns true for a short note without a subject, which is about the user: *new job! Lego*.
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

    /// Returns true if something is said to have ended: *quit his job*, *used to have a flat*.
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

    /// Returns true for a line as on a form: *Place of residence: Rome*.
    pub fn is_form(&self) -> bool {
        let colon = self.words.iter().take(7).position(|word| *word == ":");
        colon.is_some_and(|at| at > 0)
            && self.is_mine()
            && self.words.len() <= 14
            && !self.has(&["he", "she", "they", "you", "his", "her", "their"])
    }
}

/// Returns a person's relation to the user if it is stated next to the name: *my mate Tom*, *Tom, my best friend*.
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

/// Returns the positions of possessions and the words after them: *my new flat in Rome*.
fn possessions(words: &[&str], range: &Range<usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for at in range.clone().filter(|at| matches!(words[*at], "my" | "our" | "his" | "her")) {
        let joint = (at + 1..range.end.min(at + 5)).find(|at| matches!(words[*at], "in" | "at" | "with"));
        let end = joint.map_or(at + 3, |joint| joint + 3);
        found.extend(at..end.min(range.end));
    }
    found
}

/// Marks the person that is meant by a separate mention: *Felix's flat is lovely, trust one of my friends to find it*,
/// *Henrik can help, he works there*.
fn befriend(words: &[&str], names: &mut [NameMention]) {
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
    let known = names.iter().any(|name| matches!(name.kind, NameKind::Person | NameKind::Pet));
    let mut strangers = names.iter_mut().filter(|name| {
        name.kind == NameKind::Unknown
            && name.range.len() == 1
            && lexicon::is_given_name(words[name.range.start])
    });
    if (mine || third)
        && !known
        && !another
        && let (Some(name), None) = (strangers.next(), strangers.next())
    {
        name.kind = NameKind::Person;
        name.what = if mine { "friend" } else { "" };
    }
}

/// Returns true if a relation denotes a single person.
fn is_one(what: &str) -> bool {
    !what.ends_with('s') || what == "boss"
}

/// Returns true if a member of the household leads the sentence and the user is not mentioned.
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

/// Returns true for members of the household, whose circumstances are the user's too, and for doctors.
fn is_my_company(what: &str) -> bool {
    words!("doctor dentist wife husband partner girlfriend boyfriend fiancé children kids child")
        .contains(what)
}
