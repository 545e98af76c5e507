//! Replies in every syntax, whole and in pieces; replies made at random; and replies made to be slow.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod case;
mod cut;
mod fuzz;
mod learned;
mod random;
mod replies;
mod speed;
