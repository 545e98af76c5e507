//! What a reading of a line gathers.

use std::collections::BTreeMap;

use crate::plain::is_hidden;

/// So many commands are enough to be asked about.
const MOST: usize = 256;

/// So many characters are read, those of nested scripts once for each time that they are looked at.
const MOST_READ: usize = 1 << 20;
/// Longer values are not remembered: `x=$x$x` doubles each time.
const LONGEST_VALUE: usize = 256;

const LONGEST_SHOWN: usize = 120;

/// A word of a command, as far as it can be known before the shell runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// What is not known is left out.
    pub text: String,
    pub known: Known,
}

/// How much of a word is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    Whole,
    /// It is a pattern for the names of files, and stands for one or more of them.
    Pattern,
    /// Something is left out. It may be anything, also nothing or several words.
    Partly,
}

impl Word {
    pub fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), known: Known::Whole }
    }
}

/// A command that a line runs, or might.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub words: Vec<Word>,
}

impl Command {
    /// The name of its program without the folder, if there is one.
    pub fn program(&self) -> Option<&str> {
        let name = self.words.first()?.text.rsplit('/').next()?;
        (!name.is_empty()).then_some(name)
    }

    /// For a person to read; what is not known is an ellipsis.
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
    /// What the line itself sets: `x=rm; $x file`.
    variables: BTreeMap<String, String>,
    read: usize,
    /// Quotes were met that can be read in two ways.
    pub doubtful: bool,
    /// Something was too deep or too much.
    pub cut: bool,
}

impl Found {
    /// Whether there is room to read so much more.
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
        // `$nothing rm x` runs `rm x`.
        let is_nothing = |word: &&Word| word.known == Known::Partly && word.text.is_empty();
        let nothing = words.iter().take_while(is_nothing).count();
        if nothing > 0 {
            self.add(words[nothing..].to_vec());
        }
        let command = Command { words };
        if command.words.is_empty() || self.commands.contains(&command) {
            return;
        }
        // Words cost more than their letters: each is held anew for every command that it belongs to.
        let size = command.words.iter().map(|word| word.text.len() + 16).sum();
        if self.commands.len() < MOST && self.spend(size) {
            self.commands.push(command);
        } else {
            self.cut = true;
        }
    }
}
