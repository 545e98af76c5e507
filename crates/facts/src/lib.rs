//! Facts: the statements of a message about a person's life, their course over time, and the fact that answers a
//! question.
//!
//! Pure, and without a language model: rules about English, and tables of words. [`extract`] reads a message,
//! [`settle`] compares a finding with the known facts, [`fade`] lowers the confidence of facts that are not mentioned,
//! and [`rank`] finds the fact that answers a question about the present or the past.

// The rules are tables: separate arms per wording are easier to read than merged patterns.
#![allow(clippy::match_same_arms, clippy::similar_names, clippy::unnested_or_patterns)]

#[macro_use]
mod wordlists;

mod asking;
mod capitals;
mod claims;
mod clause;
mod clean;
mod context;
mod countries;
mod extract;
mod fade;
mod figures;
mod finding;
mod gist;
pub mod judge;
mod keeping;
mod lexicon;
mod likeable;
mod meant;
mod months;
mod names;
mod note;
mod openings;
mod pasted;
mod plain;
mod plausible;
mod rank;
mod rules;
mod same;
mod secret;
mod sentence;
mod settle;
mod slot;
mod split;
mod subject;
mod time;
mod together;
mod token;
mod turned;
mod verbs;
mod world;

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
#[path = "settle_tests.rs"]
mod settle_tests;
#[cfg(test)]
#[path = "wordlists_tests.rs"]
mod wordlists_tests;

pub use claims::claims;
pub use extract::extract;
pub use fade::{PRUNE_BELOW, expiry, fade, half_life_days, is_promoted};
pub use finding::{Finding, Polarity};
pub use gist::{doubts, tells_change};
pub use meant::is_meant;
pub use months::MONTHS;
pub use names::{Named, Names, same_person};
pub use note::read_note;
#[cfg(test)]
pub(crate) use rank::rank;
pub use rank::{Compared, FLOOR};
pub use same::{Wording, same, same_value};
pub use secret::{has_secret, is_secret, secret_words};
pub use settle::{Known, Outcome, repeated, settle};
pub use slot::{Kind, Slot, UnknownSlot};
