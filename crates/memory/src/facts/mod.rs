//! Facts: what a message tells about somebody's life, what becomes of it, and which fact answers a question.
//!
//! Pure, and without a language model. [`extract`] reads a message, [`settle`] compares a finding with what is known,
//! [`fade`] lets what nobody speaks of go, and [`rank`] finds the fact that answers a question about today or about then.

mod clause;
mod clean;
mod extract;
mod finding;
mod lexicon;
mod names;
mod rules;
mod sentence;
mod slot;
mod split;
mod subject;
mod time;
mod token;
mod verbs;

#[cfg(test)]
#[path = "extract_tests.rs"]
mod extract_tests;

pub use extract::extract;
pub use finding::{Finding, Polarity};
pub use names::{Named, Names, same_person};
pub use slot::{Kind, Slot, UnknownSlot};
