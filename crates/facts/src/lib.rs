//! Facts: what a message states about a person's life, how facts change over time, and which fact answers a question.
//!
//! Pure, and without a language model: rules about English, and tables of words. It keeps nothing, knows no clock, and
//! does not know where a text came from. The crate `memory` stores what it finds.
//!
//! Start with [`extract`], which returns a [`Finding`] for each statement of a message.
//!
//! # From a message to a fact
//!
//! 1. Code, quotations and pasted text are blanked (`own_words`), and the rest is split into sentences (`sentence`).
//!    Questions, jokes and role play state nothing.
//! 2. A sentence is split into pieces (`split`), and each piece is read as a clause with subject, verb and time
//!    (`clause`). The rules for clauses (`rules`) cover the usual wordings.
//! 3. A fact can be stated in countless other wordings. So each sentence is also read as a whole, by its topic and its
//!    names (`whole_sentence`), for slots about which the rules found nothing.
//! 4. A finding whose value cannot fill its slot is dropped (`plausible`).
//! 5. [`claims`] says a finding again in plain words, and [`judge`] estimates from the vectors of both how likely it is
//!    that the message says so: *quizzing a waiter* is no occupation.
//! 6. What is stated explicitly is a fact: in the first person, with the words that say such a thing, and with a value
//!    that is complete and in its place (`explicit`). Everything else is a guess, which is never stated, and which only
//!    puts in doubt what it contradicts.
//! 7. [`reconcile`] compares a finding with the known facts: it is new, a repetition, a replacement, or an end. A change
//!    out of which no new value could be read leaves a doubt ([`facts_in_doubt`]).
//!
//! [`fade`] lowers the confidence of facts that are not mentioned, and [`FactComparison`] finds the fact that answers a
//! question about the present or the past.

// The rules are tables: separate arms per wording are easier to read than merged patterns.
#![allow(clippy::match_same_arms, clippy::similar_names, clippy::unnested_or_patterns)]

#[macro_use]
mod wordlists;

mod calendar;
mod capitals;
mod claims;
mod clause;
mod clause_link;
mod collecting;
mod combining;
mod context;
mod countries;
mod explicit;
mod extract;
mod fade;
mod figures_of_speech;
mod finding;
pub mod judge;
mod lexicon;
mod likeable;
mod mentions;
mod months;
mod name_text;
mod names;
mod note;
mod openings;
mod own_statements;
mod own_words;
mod pasted;
mod plausible;
mod question_forms;
mod rank;
mod reconcile;
mod rules;
mod same;
mod secret;
mod sentence;
mod slot;
mod split;
mod subject;
mod time;
mod token;
mod value_first;
mod verbs;
mod well_known;
mod whole_sentence;

#[cfg(test)]
#[path = "extract_tests.rs"]
mod extract_tests;
#[cfg(test)]
#[path = "life_tests.rs"]
mod life_tests;
#[cfg(test)]
#[path = "note_tests.rs"]
mod note_tests;
#[cfg(test)]
#[path = "reconcile_tests.rs"]
mod reconcile_tests;
#[cfg(test)]
#[path = "wordlists_tests.rs"]
mod wordlists_tests;

pub use claims::claims;
pub use extract::extract;
pub use fade::{MIN_CONFIDENCE, expiry, fade, half_life_days, is_promoted};
pub use finding::{Finding, Polarity};
pub use months::MONTHS;
pub use names::{KnownName, KnownNames, same_person};
pub use note::read_note;
pub use own_statements::is_meant;
#[cfg(test)]
pub(crate) use rank::rank;
pub use rank::{FactComparison, MIN_ANSWER_SCORE};
pub use reconcile::{KnownFact, ReconcileOutcome, confidence_after_repetition, reconcile};
pub use same::{Wording, same, same_value};
pub use secret::{has_secret, is_secret, secret_words};
pub use slot::{FactSlot, SlotKind, UnknownSlot};
pub use whole_sentence::{facts_in_doubt, reports_change};
