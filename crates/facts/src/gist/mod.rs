//! Extracts findings from the topic and the names of a sentence, independent of its verbs.
//!
//! The clause rules cover the usual phrasings, but a fact can be stated in countless other ways: *handed my badge back
//! at Renault, Siemens from now on*. Here a sentence is examined as a whole: the slot that its words are about, its
//! names, the name known to fill that slot today, and the name that is left behind. This runs after the rules and only
//! for slots without a finding.

mod attitudes;
mod called;
mod clauses;
mod cues;
mod diet;
mod doubts;
mod drinks;
mod favourites;
mod feeling;
mod friends;
mod living;
mod moulds;
mod opinions;
mod people;
mod pets;
mod posts;
mod presumed;
mod settled;
mod sight;
mod spans;
mod trades;
mod turns;
mod vehicles;
mod whose;

use super::asking::opens_a_telling;
use super::clause::{Hints, Link, Piece, take_times};
use super::extract::{Reader, bare, is_unreal};
use super::figures::is_figure;
use super::finding::Polarity;
use super::names::Names;
use super::openings;
use super::rules::Draft;
use super::sentence::{Sentence, is_elsewhere};
use super::slot::Kind;
use super::subject::capital;
use super::time::{self, Sort as TimeSort, When};
use super::token::Token;
use jiff::ToSpan;
use sight::{Look, Sight, looks};

pub use cues::tells_change;
pub use doubts::doubts;

/// The maximum number of words of sentences that are read as one.
const MOST_JOINED: usize = 70;

/// Findings with this confidence or more were stated, not guessed.
const GUESSED: f32 = 0.8;

/// A draft, and whether the sentence presents it as a present change.
struct Told {
    draft: Draft,
    is_change: bool,
}

impl Told {
    fn new(draft: Draft) -> Self {
        Self { draft, is_change: false }
    }

    fn changed(draft: Draft) -> Self {
        Self { draft: draft.changed().begins(), is_change: true }
    }
}

type Reading = fn(&Sight<'_>, &Names) -> Vec<Told>;

impl Reader<'_> {
    /// Reads a sentence as a whole. Findings from `start` on belong to this sentence and are settled.
    pub(super) fn gist(&mut self, sentence: &Sentence, start: usize) {
        self.look(&openings::opened(&sentence.tokens), start);
    }

    /// Reads the presuppositions of a sentence, even if it asks or supposes.
    pub(super) fn presume(&mut self, sentence: &Sentence, start: usize) {
        if is_elsewhere(&sentence.tokens) {
            return;
        }
        for look in looks(self.text, &sentence.tokens, self.names, self.today) {
            for told in presumed::presumed(&look.whole, self.names) {
                if look.whole.is_mine() && !self.is_settled(&told.draft, start) {
                    let clause = bare(self.text, whole(&sentence.tokens, false), self.today);
                    self.keep(told.draft, &clause);
                }
            }
        }
    }

    /// Keeps a sentence for reading the message as a whole.
    pub(super) fn remember(&mut self, sentence: &Sentence) {
        let tells =
            !sentence.is_question || opens_a_telling(&sentence.tokens) || asks_for_me(&sentence.tokens);
        let words: Vec<&str> = sentence.tokens.iter().map(|token| token.low.as_str()).collect();
        if tells && !is_elsewhere(&sentence.tokens) && !is_unreal(&words) {
            self.told.push(openings::opened(&sentence.tokens));
        }
    }

    /// Reads a message of several sentences as a whole, for facts that no single one states: *What do I drive? A Golf.*
    pub(super) fn message(&mut self) {
        let told = std::mem::take(&mut self.told);
        if told.iter().any(|tokens| self.moves_later(tokens)) {
            self.found.retain(|finding| {
                let is_home = finding.slot.as_ref().is_some_and(|slot| slot.kind == Kind::Home);
                !is_home || !finding.subject.is_empty() || finding.confidence >= GUESSED
            });
            return;
        }
        let tokens = told.concat();
        if told.len() > 1 && tokens.len() <= MOST_JOINED {
            self.look(&tokens, 0);
        }
    }

    /// Returns true if the user is about to move: *Keys on the 14th of March*.
    fn moves_later(&self, tokens: &[Token]) -> bool {
        let soon = self.today.checked_add(6.days()).unwrap_or(self.today);
        let moves = tokens
            .iter()
            .any(|token| words!("keys moving completion completing completes").contains(token.low.as_str()));
        let (_, whens) = take_times(tokens, self.today);
        moves && whens.iter().any(|(_, when)| when.sort == TimeSort::At && when.from > soon)
    }

    fn look(&mut self, tokens: &[Token], start: usize) {
        if is_hearsay(tokens) || is_idiom(tokens) {
            return;
        }
        for look in looks(self.text, tokens, self.names, self.today) {
            self.see(&look, tokens, start);
        }
    }

    fn see(&mut self, look: &Look<'_>, tokens: &[Token], start: usize) {
        let sight = &look.meant;
        // *Felix, my best friend, lives in Graz* is about Felix.
        for finding in &mut self.found[start..] {
            let person =
                sight.names.iter().find(|name| !name.what.is_empty() && name.what == finding.subject);
            if let Some(person) = person {
                let nameless = capital(&finding.subject);
                finding.subject = format!("{} {}", person.what, person.text);
                if let Some(rest) = finding.content.strip_prefix(&nameless) {
                    finding.content = format!("{nameless} {}{rest}", person.text);
                }
            }
        }
        let meant: [Reading; 6] =
            [people::language, trades::job, settled::home, settled::employer, vehicles::car, diet::diet];
        let supposed: [Reading; 5] =
            [people::allergy, people::birthday, favourites::favourite, drinks::drink, opinions::opinion];
        let anywhere: [Reading; 7] = [
            people::partner,
            pets::pet,
            people::name,
            diet::own,
            attitudes::best,
            attitudes::harmful,
            attitudes::taste,
        ];
        let turns: [Reading; 4] = [living::living, posts::posts, friends::friend, called::called];
        let found: Vec<Told> = [
            (&turns[..], &look.whole),
            (&anywhere[..], &look.whole),
            (&meant[..], &look.meant),
            (&supposed[..], &look.supposed),
        ]
        .into_iter()
        .flat_map(|(readings, sight)| readings.iter().flat_map(|reading| reading(sight, self.names)))
        .collect();
        for told in found {
            if !self.is_settled(&told.draft, start) {
                let mut piece = whole(tokens, told.is_change);
                if told.is_change {
                    piece.whens = since(&look.whole, &told.draft.value).into_iter().collect();
                }
                let clause = bare(self.text, piece, self.today);
                self.keep(told.draft, &clause);
            }
        }
    }

    /// Returns true if the rules have already found something for the same slot, which a second reading could only
    /// spoil.
    fn is_settled(&self, draft: &Draft, start: usize) -> bool {
        let Some(slot) = &draft.slot else { return true };
        let subject = draft.subject.as_deref().unwrap_or_default();
        self.found[start.min(self.found.len())..].iter().any(|finding| {
            let meets = finding.slot.as_ref().is_some_and(|other| {
                other.kind == slot.kind
                    && (other.of == slot.of
                        || slot.kind == Kind::Pet && finding.value == other.of
                        || matches!(slot.kind, Kind::Thing))
            });
            let ends_another = finding.polarity == Polarity::Ended && draft.polarity == Polarity::Holds;
            let unnamed = slot.kind == Kind::Pet
                && finding.slot.as_ref().is_some_and(|other| finding.value == other.of);
            // *The move from Lyon to Rome* also tells about Lyon.
            let before = draft.gave_way && finding.replaces.as_deref() == Some(draft.value.as_str());
            let once = slot.kind == Kind::Taste && finding.is_past();
            // *I swapped my desk at Renault for one at Bosch*: Renault as the employer until then is no news.
            let known = draft.replaces.is_some()
                && self.names.held(subject, slot.kind, &slot.of).is_some_and(|held| held == finding.value);
            // A friend's home or employer is not also the user's.
            let theirs = matches!(slot.kind, Kind::Home | Kind::Employer)
                && finding.slot.as_ref() == Some(slot)
                && subject.is_empty()
                && finding.value == draft.value;
            // *Tom is my best friend. He lives in Rome*: Tom is the same as friend Tom.
            let theirs = theirs
                || meets
                    && matches!(slot.kind, Kind::Home | Kind::Employer)
                    && finding.value == draft.value
                    && !finding.subject.is_empty()
                    && subject.ends_with(&format!(" {}", finding.subject));
            // Two readings of the same allergy or partner would count as two.
            let same = match slot.kind {
                Kind::Allergy => finding.slot.as_ref().is_some_and(|other| {
                    other.kind == Kind::Allergy || finding.subject != subject && other.of.contains("allerg")
                }),
                Kind::Relative => {
                    finding.slot.as_ref().is_some_and(|other| other.kind == Kind::Relative)
                        && finding.value == draft.value
                }
                // *The love of my life goes by the name of Clara*
                Kind::Name => {
                    finding
                        .slot
                        .as_ref()
                        .is_some_and(|other| matches!(other.kind, Kind::Relative | Kind::Pet))
                        && finding.value == draft.value
                }
                Kind::Language => {
                    finding.slot.as_ref().is_some_and(|other| other.kind == Kind::Language)
                        && finding.value == draft.value
                }
                // A plan does not hold yet.
                Kind::Home | Kind::Employer => {
                    // A hometown is not the current home.
                    finding.slot.as_ref().is_some_and(|other| matches!(other.kind, Kind::Plan | Kind::Origin))
                        && finding.subject == subject
                        && finding.value == draft.value
                }
                // A diet or an allergy is not a matter of taste.
                Kind::Taste => finding.slot.as_ref().is_some_and(|other| {
                    // Hating hot dogs does not imply hating dogs.
                    matches!(other.kind, Kind::Diet | Kind::Allergy)
                        || other.kind == Kind::Taste && other.of.ends_with(&format!(" {}", slot.of))
                        || other.kind == Kind::Habit
                            && !finding.is_past()
                            && finding.content.contains(thing(draft))
                }),
                _ => false,
            };
            // *My favourite colour is red. Wait, now it's green.*
            let withdrawn = slot.kind == Kind::Favourite && draft.replaces.as_ref() == Some(&finding.value);
            theirs
                || same
                || meets
                    && finding.subject == subject
                    && !(ends_another || unnamed || once || known || withdrawn || before)
                || slot.kind == Kind::Taste
                    && finding.slot.as_ref().is_some_and(|other| matches!(other.kind, Kind::Favourite))
        })
    }
}

/// Returns the start date if the clause with the value states it: *since the first of May we have a flat in Vienna*.
fn since(sight: &Sight<'_>, value: &str) -> Option<When> {
    let name = sight.names.iter().find(|name| name.text == value)?;
    let clause = sight.clause_range(name.range.start);
    let long_ago = sight.today.checked_sub(60.days()).ok()?;
    let mut whens = clause
        .filter_map(|at| time::read(&sight.tokens[at..], sight.today))
        .map(|(_, when)| when)
        .filter(|when| match when.sort {
            TimeSort::Since => when.from < sight.today,
            TimeSort::At => when.from >= long_ago && when.to < sight.today,
            _ => false,
        });
    whens.next()
}

/// Returns the thing that a taste is about, as worded.
fn thing(taste: &Draft) -> &str {
    taste.says.split_once(' ').map_or(taste.says.as_str(), |(_, thing)| thing)
}

fn is_idiom(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    is_figure(&words)
}

/// Returns true for hearsay: *Read somewhere that Boeing is cutting jobs*.
pub(super) fn is_hearsay(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
    // *Someone claimed I live in Moscow*
    let is_said = words.windows(3).enumerate().any(|(at, window)| {
        window[0] != "i"
            // *He told me all about his job*
            && !matches!(words.get(at + 3), Some(&("about" | "all")))
            && matches!(
                window[1],
                "said" | "says" | "claimed" | "claims" | "thinks" | "thought" | "reckons" | "told"
            )
            && matches!(window[2], "i" | "that" | "me" | "my" | "we")
    });
    is_said
        || matches!(
            words.as_slice(),
            ["read" | "heard" | "saw" | "apparently", ..] | ["i", "read" | "heard" | "saw", ..]
        )
        || has(&["read", "somewhere"])
        || has(&["on", "the", "news"])
        || has(&["in", "the", "news"])
        // *I thought I wouldn't enjoy it*
        || has(&["thought", "i", "would", "not"])
        || has(&["used", "to", "say"])
        || has(&["according", "to"])
}

/// Returns true for a question that the user goes on to answer: *What do I do all day?*
fn asks_for_me(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let asks = words.iter().take(3).any(|word| matches!(*word, "what" | "where" | "which" | "who" | "when"));
    asks && words.iter().any(|word| matches!(*word, "i" | "my" | "me"))
        && !words.iter().any(|word| matches!(*word, "you" | "should" | "could" | "would" | "can" | "if"))
}

/// Returns a piece that spans all tokens.
fn whole(tokens: &[Token], is_change: bool) -> Piece {
    let first = tokens.iter().find(|token| !token.is_mark());
    let last = tokens.iter().rev().find(|token| !token.is_mark());
    let range = first.zip(last).map_or(0..0, |(first, last)| first.range.start..last.range.end);
    let hints = Hints { is_now: is_change, ..Hints::default() };
    Piece { tokens: Vec::new(), whens: Vec::new(), hints, link: Link::Main, range }
}

#[cfg(test)]
#[path = "gist_tests.rs"]
mod tests;
