//! Integration tests of the edit strategies: tables of edits, random edits and fuzz tests.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod case;
mod fuzz;
mod generated;
mod languages;
mod random;
mod respaced;
mod sample;
mod several;
mod spacing;
mod tables;
