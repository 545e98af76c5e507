//! Which shell commands run without a question, and which never.
//!
//! A line is allowed only if it is exactly one command of plain words ([`plain`]) that a rule fits, and nothing in
//! its arguments can make the program run another one. It is denied as soon as any command that it may run
//! ([`Outline`]) is one that a rule forbids. Everything else is asked.
//!
//! Pure: no file system, no clock, no environment. It runs nothing, and it is no sandbox: what an allowed program
//! does by itself, and by the settings that it finds in the project, is held by the sandbox that it runs in.
//!
//! Start with [`decide`]; a [`Rule`] says what it is about by a [`Pattern`] and shows it by examples. [`suggest`]
//! makes the rule for "always allow this".

// One test holds the reading of lines against a real bash.
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
