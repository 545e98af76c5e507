//! Every command that a line runs or might run, for deny rules and for showing.
//!
//! Best effort: a shell can make names that nobody can know before it runs. What is missed here is still asked
//! about, since only plain lines can be allowed.

mod braces;
mod carriers;
mod carrying;
mod expansion;
mod found;
mod reader;

use found::Found;
pub use found::{Command, Known, Word};

/// What comes later is not looked at, and the line is asked about.
const LONGEST: usize = 1 << 16;

/// What a line would run, in the order in which it is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub commands: Vec<Command>,
    /// Whether all of the line was looked at.
    pub whole: bool,
}

impl Outline {
    pub fn of(line: &str) -> Self {
        let end = line.floor_char_boundary(LONGEST);
        let mut found = Found::default();
        reader::read(&line[..end], 0, &mut found);
        carrying::follow(&mut found);
        Self { commands: found.commands, whole: !found.cut && end == line.len() }
    }

    /// What a command runs that is given as its arguments, itself first.
    pub fn of_arguments(arguments: &[String]) -> Self {
        let mut found = Found::default();
        found.add(arguments.iter().map(Word::known).collect());
        carrying::follow(&mut found);
        Self { commands: found.commands, whole: !found.cut }
    }

    /// The names of the programs, each once.
    pub fn programs(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for name in self.commands.iter().filter_map(Command::program) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
