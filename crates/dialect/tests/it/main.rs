//! Integration tests: replies in every syntax, whole and in pieces, random replies, and replies designed to be slow.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod case;
mod cut;
mod fuzz;
mod learned;
mod random;
mod replies;
mod speed;
