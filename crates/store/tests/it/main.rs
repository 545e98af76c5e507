//! Tests the database through its public API.
#![allow(clippy::disallowed_methods, reason = "tests make, break and remove files of their own")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod acts;
mod branches;
mod code;
mod code_index;
mod concurrency;
mod conversations;
mod damage;
mod events;
mod export;
mod prompts;
mod search;
mod support;
mod turns;
