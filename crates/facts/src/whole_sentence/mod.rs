//! Extracts findings from the topic and the names of a sentence, independent of its verbs.
//!
//! The clause rules cover the usual phrasings, but a fact can be stated in countless other ways: *handed my badge back
//! at Renault, Siemens from now on*. Here a sentence is examined as a whole: the slot that its words are about, its
//! names, the name known to fill that slot today, and the name that is left behind. This runs after the rules and only
//! for slots without a finding.

mod attitudes;
mod bearers;
mod clauses;
mod cues;
mod current_name;
mod diet;
mod doubts;
mod drinks;
mod employers;
mod favourites;
mod feeling;
mod friend_phrases;
mod home_phrases;
mod homes;
mod name_mention;
mod name_spans;
mod occupations;
mod opinions;
mod own_name;
mod people;
mod pets;
mod presuppositions;
mod sentence_draft;
mod sentence_patterns;
mod sentence_view;
mod thing_patterns;
mod vehicles;
mod work_phrases;

use super::clause::{ClauseHints, SentencePiece, take_times};
use super::clause_link::ClauseLink;
use super::extract::{MessageReader, bare, is_unreal};
use super::figures_of_speech::is_figure;
use super::finding::Polarity;
use super::name_text::capital;
use super::names::KnownNames;
use super::openings;
use super::question_forms::opens_a_telling;
use super::rules::FactDraft;
use super::sentence::{MessageSentence, is_elsewhere};
use super::slot::SlotKind;
use super::time::{self, TimeExpression, TimeKind};
use super::token::WordToken;
use jiff::ToSpan;
use sentence_draft::SentenceDraft;
use sentence_view::{SentenceView, SubjectViews, subject_views};

pub use cues::reports_change;
pub use doubts::facts_in_doubt;

/// The maximum number of words of sentences that are read as one.
const MOST_JOINED: usize = 70;

/// Findings with this confidence or more were stated, not guessed.
const GUESSED: f32 = 0.8;

type SentenceRule = fn(&SentenceView<'_>, &KnownNames) -> Vec<SentenceDraft>;

impl MessageReader<'_> {
    /// Reads a sentence as a whole. Findings from `start` on belong to this sentence and stay.
    pub(super) fn read_whole_sentence(&mut self, sentence: &MessageSentence, start: usize) {
        self.read_tokens(&openings::opened(&sentence.tokens), start);
    }

    /// Reads the presuppositions of a sentence, even if it asks or supposes.
    pub(super) fn presume(&mut self, sentence: &MessageSentence, start: usize) {
        if is_elsewhere(&sentence.tokens) {
            return;
        }
        for views in subject_views(self.text, &sentence.tokens, self.names, self.today) {
            for found in presuppositions::presumed(&views.whole, self.names) {
                if views.whole.is_mine() && !self.is_already_found(&found.draft, start) {
                    let clause = bare(self.text, whole(&sentence.tokens, false), self.today);
                    self.keep(found.draft, &clause);
                }
            }
        }
    }

    /// Keeps a sentence for reading the message as a whole.
    pub(super) fn remember(&mut self, sentence: &MessageSentence) {
        let tells =
            !sentence.is_question || opens_a_telling(&sentence.tokens) || asks_for_me(&sentence.tokens);
        let words: Vec<&str> = sentence.tokens.iter().map(|token| token.low.as_str()).collect();
        if tells && !is_elsewhere(&sentence.tokens) && !is_unreal(&words) {
            self.statements.push(openings::opened(&sentence.tokens));
        }
    }

    /// Reads a message of several sentences as a whole, for facts that no single one states: *What do I drive? A Golf.*
    pub(super) fn message(&mut self) {
        let statements = std::mem::take(&mut self.statements);
        if statements.iter().any(|tokens| self.moves_later(tokens)) {
            self.found.retain(|finding| {
                let is_home = finding.slot.as_ref().is_some_and(|slot| slot.kind == SlotKind::Home);
                !is_home || !finding.subject.is_empty() || finding.confidence >= GUESSED
            });
            return;
        }
        let tokens = statements.concat();
        if statements.len() > 1 && tokens.len() <= MOST_JOINED {
            self.read_tokens(&tokens, 0);
        }
    }

    /// Returns true if the user is about to move: *Keys on the 14th of March*.
    fn moves_later(&self, tokens: &[WordToken]) -> bool {
        let soon = self.today.checked_add(6.days()).unwrap_or(self.today);
        let moves = tokens
            .iter()
            .any(|token| words!("keys moving completion completing completes").contains(token.low.as_str()));
        let (_, whens) = take_times(tokens, self.today);
        moves && whens.iter().any(|(_, when)| when.kind == TimeKind::At && when.from > soon)
    }

    fn read_tokens(&mut self, tokens: &[WordToken], start: usize) {
        if is_hearsay(tokens) || is_idiom(tokens) {
            return;
        }
        for views in subject_views(self.text, tokens, self.names, self.today) {
            self.read_view(&views, tokens, start);
        }
    }

    fn read_view(&mut self, views: &SubjectViews<'_>, tokens: &[WordToken], start: usize) {
        let view = &views.meant;
        // *Felix, my best friend, lives in Graz* is about Felix.
        for finding in &mut self.found[start..] {
            let person = view.names.iter().find(|name| !name.what.is_empty() && name.what == finding.subject);
            if let Some(person) = person {
                let nameless = capital(&finding.subject);
                finding.subject = format!("{} {}", person.what, person.text);
                if let Some(rest) = finding.content.strip_prefix(&nameless) {
                    finding.content = format!("{nameless} {}{rest}", person.text);
                }
            }
        }
        let meant: [SentenceRule; 6] =
            [people::language, occupations::job, homes::home, employers::employer, vehicles::car, diet::diet];
        let supposed: [SentenceRule; 5] =
            [people::allergy, people::birthday, favourites::favourite, drinks::drink, opinions::opinion];
        let anywhere: [SentenceRule; 7] = [
            people::partner,
            pets::pet,
            people::name,
            diet::own,
            attitudes::best,
            attitudes::harmful,
            attitudes::taste,
        ];
        let by_phrase: [SentenceRule; 4] =
            [home_phrases::living, work_phrases::posts, friend_phrases::friend, own_name::called];
        let found: Vec<SentenceDraft> = [
            (&by_phrase[..], &views.whole),
            (&anywhere[..], &views.whole),
            (&meant[..], &views.meant),
            (&supposed[..], &views.supposed),
        ]
        .into_iter()
        .flat_map(|(rules, view)| rules.iter().flat_map(|rule| rule(view, self.names)))
        .collect();
        for found in found {
            if !self.is_already_found(&found.draft, start) {
                let mut piece = whole(tokens, found.is_change);
                if found.is_change {
                    piece.whens = since(&views.whole, &found.draft.value).into_iter().collect();
                }
                let clause = bare(self.text, piece, self.today);
                self.keep(found.draft, &clause);
            }
        }
    }

    /// Returns true if the rules have already found something for the same slot, which a second reading could only
    /// spoil.
    fn is_already_found(&self, draft: &FactDraft, start: usize) -> bool {
        let Some(slot) = &draft.slot else { return true };
        let subject = draft.subject.as_deref().unwrap_or_default();
        self.found[start.min(self.found.len())..].iter().any(|finding| {
            let meets = finding.slot.as_ref().is_some_and(|other| {
                other.kind == slot.kind
                    && (other.of == slot.of
                        || slot.kind == SlotKind::Pet && finding.value == other.of
                        || matches!(slot.kind, SlotKind::Thing))
            });
            let ends_another = finding.polarity == Polarity::Ended && draft.polarity == Polarity::Holds;
            let unnamed = slot.kind == SlotKind::Pet
                && finding.slot.as_ref().is_some_and(|other| finding.value == other.of);
            // *The move from Lyon to Rome* also tells about Lyon.
            let before = draft.gave_way && finding.replaces.as_deref() == Some(draft.value.as_str());
            let once = slot.kind == SlotKind::Taste && finding.is_past();
            // *I swapped my desk at Renault for one at Bosch*: Renault as the employer until then is no news.
            let known = draft.replaces.is_some()
                && self
                    .names
                    .current_value(subject, slot.kind, &slot.of)
                    .is_some_and(|held| held == finding.value);
            // A friend's home or employer is not also the user's.
            let theirs = matches!(slot.kind, SlotKind::Home | SlotKind::Employer)
                && finding.slot.as_ref() == Some(slot)
                && subject.is_empty()
                && finding.value == draft.value;
            // *Tom is my best friend. He lives in Rome*: Tom is the same as friend Tom.
            let theirs = theirs
                || meets
                    && matches!(slot.kind, SlotKind::Home | SlotKind::Employer)
                    && finding.value == draft.value
                    && !finding.subject.is_empty()
                    && subject.ends_with(&format!(" {}", finding.subject));
            // Two readings of the same allergy or partner would count as two.
            let same = match slot.kind {
                SlotKind::Allergy => finding.slot.as_ref().is_some_and(|other| {
                    other.kind == SlotKind::Allergy
                        || finding.subject != subject && other.of.contains("allerg")
                }),
                SlotKind::Relative => {
                    finding.slot.as_ref().is_some_and(|other| other.kind == SlotKind::Relative)
                        && finding.value == draft.value
                }
                // *The love of my life goes by the name of Clara*
                SlotKind::Name => {
                    finding
                        .slot
                        .as_ref()
                        .is_some_and(|other| matches!(other.kind, SlotKind::Relative | SlotKind::Pet))
                        && finding.value == draft.value
                }
                SlotKind::Language => {
                    finding.slot.as_ref().is_some_and(|other| other.kind == SlotKind::Language)
                        && finding.value == draft.value
                }
                // A plan does not hold yet.
                SlotKind::Home | SlotKind::Employer => {
                    // A hometown is not the current home.
                    finding
                        .slot
                        .as_ref()
                        .is_some_and(|other| matches!(other.kind, SlotKind::Plan | SlotKind::Origin))
                        && finding.subject == subject
                        && finding.value == draft.value
                }
                // A diet or an allergy is not a matter of taste.
                SlotKind::Taste => finding.slot.as_ref().is_some_and(|other| {
                    // Hating hot dogs does not imply hating dogs.
                    matches!(other.kind, SlotKind::Diet | SlotKind::Allergy)
                        || other.kind == SlotKind::Taste && other.of.ends_with(&format!(" {}", slot.of))
                        || other.kind == SlotKind::Habit
                            && !finding.is_past()
                            && finding.content.contains(thing(draft))
                }),
                _ => false,
            };
            // *My favourite colour is red. Wait, now it's green.*
            let withdrawn =
                slot.kind == SlotKind::Favourite && draft.replaces.as_ref() == Some(&finding.value);
            theirs
                || same
                || meets
                    && finding.subject == subject
                    && !(ends_another || unnamed || once || known || withdrawn || before)
                || slot.kind == SlotKind::Taste
                    && finding.slot.as_ref().is_some_and(|other| matches!(other.kind, SlotKind::Favourite))
        })
    }
}

/// Returns the start date if the clause with the value states it: *since the first of May we have a flat in Vienna*.
fn since(view: &SentenceView<'_>, value: &str) -> Option<TimeExpression> {
    let name = view.names.iter().find(|name| name.text == value)?;
    let clause = view.clause_range(name.range.start);
    let long_ago = view.today.checked_sub(60.days()).ok()?;
    let mut whens = clause
        .filter_map(|at| time::read(&view.tokens[at..], view.today))
        .map(|(_, when)| when)
        .filter(|when| match when.kind {
            TimeKind::Since => when.from < view.today,
            TimeKind::At => when.from >= long_ago && when.to < view.today,
            _ => false,
        });
    whens.next()
}

/// Returns the thing that a taste is about, as worded.
fn thing(taste: &FactDraft) -> &str {
    taste.says.split_once(' ').map_or(taste.says.as_str(), |(_, thing)| thing)
}

fn is_idiom(tokens: &[WordToken]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    is_figure(&words)
}

/// Returns true for hearsay: *Read somewhere that Boeing is cutting jobs*.
pub(super) fn is_hearsay(tokens: &[WordToken]) -> bool {
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
fn asks_for_me(tokens: &[WordToken]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let asks = words.iter().take(3).any(|word| matches!(*word, "what" | "where" | "which" | "who" | "when"));
    asks && words.iter().any(|word| matches!(*word, "i" | "my" | "me"))
        && !words.iter().any(|word| matches!(*word, "you" | "should" | "could" | "would" | "can" | "if"))
}

/// Returns a piece that spans all tokens.
fn whole(tokens: &[WordToken], is_change: bool) -> SentencePiece {
    let first = tokens.iter().find(|token| !token.is_mark());
    let last = tokens.iter().rev().find(|token| !token.is_mark());
    let range = first.zip(last).map_or(0..0, |(first, last)| first.range.start..last.range.end);
    let hints = ClauseHints { is_now: is_change, ..ClauseHints::default() };
    SentencePiece { tokens: Vec::new(), whens: Vec::new(), hints, link: ClauseLink::Main, range }
}

#[cfg(test)]
#[path = "whole_sentence_tests.rs"]
mod tests;
