//! The ladder from outside: hundreds of edits in tables, edits made at random, and texts made to trip it up.
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
