//! Decides which shell commands run without confirmation, and which are never run.
//!
//! A line is allowed only if it is exactly one command of plain words ([`plain`]) that a rule matches, and nothing in
//! its arguments can make the program run another one. It is denied as soon as a rule forbids any command that it may
//! run ([`Outline`]). Everything else is asked about.
//!
//! The crate is pure: no file system, no clock, no environment. It runs nothing and is not a sandbox: the actions of an
//! allowed program itself, including those caused by settings that it finds in the project, are confined by the sandbox
//! that it runs in.
//!
//! Start with [`decide`]. A [`Rule`] describes its commands by a [`Pattern`] and by examples. [`suggest`] creates the
//! rule for "always allow this".

// One test compares the parsing with a real bash.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod decide;
mod not_plain;
mod outline;
mod pattern;
mod pattern_text;
mod plain;
mod programs;
mod rule;
mod rules;
mod suggest;

pub use decide::{Decision, decide};
pub use not_plain::NotPlain;
pub use outline::{Command, Known, Outline, Word};
pub use pattern::{Part, Pattern, PatternError};
pub use plain::plain;
pub use programs::Objection;
pub use programs::barred::Barred;
pub use rule::{Rule, RuleError, Verdict};
pub use rules::{PROJECT_NOTE, Refused, Rules};
pub use suggest::suggest;

#[cfg(test)]
mod bash_tests;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod generated_tests;
#[cfg(test)]
mod outline_bash_tests;
