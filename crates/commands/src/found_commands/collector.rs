//! Collects the commands and inputs that are found while a line is read, within limits.

use std::collections::BTreeMap;

use super::command::{Certainty, CommandWord, FoundCommand};

/// The maximum number of commands to collect. A line with more is asked about.
const MOST_COMMANDS: usize = 256;
/// The maximum number of characters to read. Nested scripts count each time they are read.
const MOST_CHARACTERS: usize = 1 << 20;
/// The longest variable value, in bytes, that is stored: `x=$x$x` doubles each time.
const LONGEST_VALUE: usize = 256;

#[derive(Debug, Default)]
pub struct Collector {
    pub commands: Vec<FoundCommand>,
    /// The texts of here-documents and here-strings.
    pub inputs: Vec<String>,
    /// Variables that the line itself sets: `x=rm; $x file`.
    variables: BTreeMap<String, String>,
    characters: usize,
    /// True if the line has quotes that can be read in two ways.
    pub ambiguous: bool,
    /// True if a nesting or size limit was reached.
    pub cut: bool,
}

impl Collector {
    /// Counts `length` more characters and returns true if they are within the limit.
    pub fn count(&mut self, length: usize) -> bool {
        self.characters = self.characters.saturating_add(length);
        self.cut |= self.characters > MOST_CHARACTERS;
        self.characters <= MOST_CHARACTERS
    }

    /// Stores the variable of `name=value`, `name+=value` or `name[2]=value`. Returns true if the text is an
    /// assignment.
    pub fn assign(&mut self, text: &str) -> bool {
        let Some((name, value)) = text.split_once('=') else { return false };
        let (name, appends) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
        let name = name.split_once('[').map_or(name, |(name, _)| name);
        if is_variable_name(name) {
            self.set(name, value, appends);
        }
        is_variable_name(name)
    }

    pub fn set(&mut self, name: &str, value: &str, appends: bool) {
        let before = if appends { self.variable(name).unwrap_or_default() } else { String::new() };
        if before.len() + value.len() <= LONGEST_VALUE {
            self.variables.insert(name.to_owned(), before + value);
        }
    }

    pub fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    pub fn add(&mut self, words: Vec<CommandWord>) {
        // A first word with an unknown part may be empty, also if its text is from a variable that may not be set:
        // `$nothing rm x` runs `rm x`.
        let partial = words.iter().take_while(|word| word.certainty == Certainty::Partial).count();
        for skipped in (1..=partial).rev() {
            self.insert(FoundCommand { words: words[skipped..].to_vec() });
            if self.cut {
                break;
            }
        }
        self.insert(FoundCommand { words });
    }

    fn insert(&mut self, command: FoundCommand) {
        if command.words.is_empty() || self.commands.contains(&command) {
            return;
        }
        // A word costs more than its letters: each command stores its own copy.
        let size = command.words.iter().map(|word| word.text.len() + 16).sum();
        if self.commands.len() < MOST_COMMANDS && self.count(size) {
            self.commands.push(command);
        } else {
            self.cut = true;
        }
    }
}

/// Returns true if a shell variable may have this name.
pub fn is_variable_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
