//! Collects the results of reading a line.

use std::collections::BTreeMap;

use crate::plain::is_hidden;

/// The maximum number of commands to collect. A line with more is asked about.
const MOST: usize = 256;

/// The maximum number of characters to read. Nested scripts count each time they are read.
const MOST_READ: usize = 1 << 20;
/// The longest variable value, in bytes, that is stored: `x=$x$x` doubles each time.
const LONGEST_VALUE: usize = 256;

const LONGEST_SHOWN: usize = 120;

/// A word of a command, as far as it is known before the shell runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The known text. Unknown parts are left out.
    pub text: String,
    pub known: Known,
}

/// The extent to which a word is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    Whole,
    /// A file name pattern, which stands for one or more names.
    Pattern,
    /// A part is missing, which may be anything, including nothing or several words.
    Partly,
}

impl Word {
    pub fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), known: Known::Whole }
    }
}

/// A command that a line runs or may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub words: Vec<Word>,
}

impl Command {
    /// Returns the name of the program without its folder, if it is known.
    pub fn program(&self) -> Option<&str> {
        let name = self.words.first()?.text.rsplit('/').next()?;
        (!name.is_empty()).then_some(name)
    }

    /// Returns the command for display, with an ellipsis for unknown parts.
    pub fn shown(&self) -> String {
        let words = self.words.iter().map(|word| match (&word.text, word.known) {
            (text, Known::Whole) => crate::pattern::quoted(text),
            (text, Known::Pattern) => text.clone(),
            (text, Known::Partly) if text.is_empty() => "…".to_owned(),
            (text, Known::Partly) => format!("{text}…"),
        });
        let whole = words.collect::<Vec<_>>().join(" ");
        let seen = |next: char| if next.is_control() || is_hidden(next) { '\u{fffd}' } else { next };
        let mut shown: String = whole.chars().take(LONGEST_SHOWN).map(seen).collect();
        if whole.chars().nth(LONGEST_SHOWN).is_some() {
            shown.push('…');
        }
        shown
    }
}

#[derive(Debug, Default)]
pub struct Found {
    pub commands: Vec<Command>,
    /// The texts of here-documents and here-strings.
    pub inputs: Vec<String>,
    /// Variables that the line itself sets: `x=rm; $x file`.
    variables: BTreeMap<String, String>,
    read: usize,
    /// True if the line has quotes that can be read in two ways.
    pub doubtful: bool,
    /// True if a nesting or size limit was reached.
    pub cut: bool,
}

impl Found {
    /// Counts `length` more characters and returns true if they are within the limit.
    pub fn spend(&mut self, length: usize) -> bool {
        self.read = self.read.saturating_add(length);
        self.cut |= self.read > MOST_READ;
        self.read <= MOST_READ
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

    pub fn add(&mut self, words: Vec<Word>) {
        // An unknown first word may be empty: `$nothing rm x` runs `rm x`.
        let is_nothing = |word: &&Word| word.known == Known::Partly && word.text.is_empty();
        let nothing = words.iter().take_while(is_nothing).count();
        if nothing > 0 {
            self.add(words[nothing..].to_vec());
        }
        let command = Command { words };
        if command.words.is_empty() || self.commands.contains(&command) {
            return;
        }
        // A word costs more than its letters: each command stores its own copy.
        let size = command.words.iter().map(|word| word.text.len() + 16).sum();
        if self.commands.len() < MOST && self.spend(size) {
            self.commands.push(command);
        } else {
            self.cut = true;
        }
    }
}
