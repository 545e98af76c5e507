//! Tests of turns with tools, through the companion's public API and with a scripted model.
#![allow(clippy::disallowed_methods, reason = "tests look at files of their own")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod acts;
mod fixture;
mod forgetting;
mod injection;
mod memory;
mod private;
mod rounds;
mod small;
mod young;
