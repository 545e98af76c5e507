//! Decides which shell commands run without confirmation, and which are never run.
//!
//! The crate is pure: no file system, no clock, no environment. It runs nothing and is not a sandbox. What an allowed
//! program itself does, also because of settings that it finds in the project, is confined by the sandbox that it runs
//! in.
//!
//! Read [`decide`] first. A [`ShellRule`] describes its commands by a [`CommandPattern`] and by examples, and
//! [`suggest`] creates the rule for "always allow this".
//!
//! # Two ways to read a line
//!
//! A line is *allowed* only if it is exactly one command of plain words ([`plain`]) that a rule matches, and nothing in
//! its arguments can make the program run another one. It is *denied* as soon as a rule forbids any command that it may
//! run, however that is wrapped ([`FoundCommands`]). For everything else the rules have no verdict, and the permission of
//! the tool decides, which asks unless the user allowed the tool as a whole. So each reading errs on the safe
//! side: what `plain` does not surely understand is never allowed, and the search for commands finds too many rather
//! than too few.
//!
//! The decision is one input of the permission gate among others, like permissions and the origin of the words in the
//! prompt. A rule can refuse a line, have it asked about, or spare a question. It cannot override a tool that is
//! blocked, and it spares no question while the conversation contains text of strangers.

// One test compares the parsing with a real bash.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod decide;
mod found_commands;
mod not_plain;
mod pattern;
mod pattern_text;
mod plain;
mod programs;
mod quoting;
mod rule;
mod rules;
mod suggest;

pub use decide::{CommandDecision, decide};
pub use found_commands::{Certainty, CommandWord, FoundCommand, FoundCommands};
pub use not_plain::NotPlain;
pub use pattern::{CommandPattern, PatternError, PatternPart};
pub use plain::plain;
pub use programs::Objection;
pub use programs::barred::Barred;
pub use rule::{RuleError, RuleVerdict, ShellRule};
pub use rules::{PROJECT_NOTE, ShellRules, UnusableRule};
pub use suggest::suggest;

#[cfg(test)]
mod bash_tests;
#[cfg(test)]
mod found_commands_bash_tests;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod generated_tests;
