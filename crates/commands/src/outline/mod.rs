//! Finds every command that a line runs or may run, for deny rules and for display.
//!
//! Best effort: a shell can build names that cannot be known before it runs. A line with commands that are missed here
//! is still asked about, since only plain lines can be allowed.

mod braces;
mod carriers;
mod carrying;
mod expansion;
mod found;
mod reader;

use found::Found;
pub use found::{Command, Known, Word};

/// The maximum number of bytes that are read. A longer line is asked about.
const LONGEST: usize = 1 << 16;

/// The commands that a line may run, in the order in which they are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub commands: Vec<Command>,
    /// True if the whole line was read.
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

    /// Returns the outline of a command given as its arguments. The command itself comes first.
    pub fn of_arguments(arguments: &[String]) -> Self {
        let mut found = Found::default();
        found.add(arguments.iter().map(Word::known).collect());
        carrying::follow(&mut found);
        Self { commands: found.commands, whole: !found.cut }
    }

    /// Returns the names of the programs without duplicates.
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
