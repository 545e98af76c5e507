//! Finds every command that a line runs or may run, for deny rules and for display.
//!
//! Best effort: a shell can build names that cannot be known before it runs. A line with commands that are missed here
//! is still asked about, since only plain lines can be allowed.

mod arguments;
mod braces;
mod collector;
mod command;
mod parser;
mod scanner;
mod wrappers;

use collector::Collector;
pub use command::{Certainty, CommandWord, FoundCommand};

/// The maximum number of bytes that are read. A longer line is asked about.
const LONGEST: usize = 1 << 16;

/// The commands that a line may run, in the order in which they are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCommands {
    pub commands: Vec<FoundCommand>,
    /// True if the whole line was read.
    pub complete: bool,
}

impl FoundCommands {
    pub fn in_line(line: &str) -> Self {
        let end = line.floor_char_boundary(LONGEST);
        let mut collector = Collector::default();
        parser::read(&line[..end], 0, &mut collector);
        arguments::follow(&mut collector);
        Self { commands: collector.commands, complete: !collector.cut && end == line.len() }
    }

    /// Returns the commands of one that is given as its arguments. The command itself comes first.
    pub fn in_arguments(arguments: &[String]) -> Self {
        let mut collector = Collector::default();
        collector.add(arguments.iter().map(CommandWord::exact).collect());
        arguments::follow(&mut collector);
        Self { commands: collector.commands, complete: !collector.cut }
    }

    /// Returns the names of the programs without duplicates.
    pub fn programs(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for name in self.commands.iter().filter_map(FoundCommand::program) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

#[cfg(test)]
#[path = "found_commands_tests.rs"]
mod tests;
