//! Patterns for the arguments that a rule matches: `cargo test|check ...`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::found_commands::{Certainty, CommandWord, FoundCommand};
use crate::quoting::quoted;

/// A part of a pattern: matches one argument, or all that follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternPart {
    /// Exactly this word.
    Word(String),
    /// One of these words: `test|check`.
    OneOf(Vec<String>),
    /// `*`: one argument that is not an option.
    Any,
    /// `-*`: one argument that is an option.
    AnyOption,
    /// `...`: any further arguments. Must be the last part.
    Rest,
}

/// The parts for the arguments in order, beginning with the program. The text form is written as in a shell, with
/// quotes around words that would otherwise be special.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CommandPattern(Vec<PatternPart>);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    #[error("the pattern is empty: write a program and its arguments, such as `git status ...`")]
    Empty,
    #[error("`...` stands for all further arguments, so it has to come last, after the name of a program")]
    RestNotLast,
    #[error("an alternative in `{0}` is empty: write `''` for an empty argument")]
    EmptyAlternative(String),
    #[error("`{0}` mixes `*` or `...` with other characters: put it in quotes if it is meant literally")]
    Mixed(String),
    #[error("the text `{0}` does not have the same meaning as the parts it was made from")]
    Lossy(String),
    #[error("a quote in the pattern is never closed")]
    Unbalanced,
    #[error("the pattern has a control character or one that cannot be seen")]
    Unreadable,
}

impl CommandPattern {
    /// Creates a pattern. Fails if parsing its text would not give the same parts.
    pub fn new(parts: &[PatternPart]) -> Result<Self, PatternError> {
        let text = Self(parts.to_vec()).to_string();
        let read: Self = text.parse()?;
        if read.0 == parts { Ok(read) } else { Err(PatternError::Lossy(text)) }
    }

    /// Creates a pattern from parts that were parsed from a text.
    pub(crate) fn trusted(parts: Vec<PatternPart>) -> Self {
        Self(parts)
    }

    pub fn parts(&self) -> &[PatternPart] {
        &self.0
    }

    /// Returns the programs that the first part names.
    pub fn programs(&self) -> &[String] {
        self.words_at(0)
    }

    /// Returns the words that are accepted at a position. Empty if the position is a wildcard or does not exist.
    pub fn words_at(&self, position: usize) -> &[String] {
        match self.0.get(position) {
            Some(PatternPart::Word(word)) => std::slice::from_ref(word),
            Some(PatternPart::OneOf(words)) => words,
            _ => &[],
        }
    }

    /// Returns true if no part is a wildcard.
    pub fn is_exact(&self) -> bool {
        (0..self.0.len()).all(|position| !self.words_at(position).is_empty())
    }

    /// Matches the arguments. On success, returns a flag for each that is true if a wildcard matched it.
    pub fn fit(&self, arguments: &[String]) -> Option<Vec<bool>> {
        let (parts, rest) = self.split_rest();
        if arguments.len() < parts.len() || (arguments.len() > parts.len() && !rest) {
            return None;
        }
        let fits = parts.iter().zip(arguments).all(|(part, argument)| part.takes(argument));
        let by_wildcard = |position| {
            parts.get(position).is_none_or(|part| matches!(part, PatternPart::Any | PatternPart::AnyOption))
        };
        fits.then(|| (0..arguments.len()).map(by_wildcard).collect())
    }

    /// Returns true if a command matches or may match: an unknown part may be anything, including nothing or several
    /// arguments. A program name without a folder matches the program in any folder.
    pub fn may_fit(&self, command: &FoundCommand) -> bool {
        let (parts, rest) = self.split_rest();
        let Some((first, words)) = command.words.split_first() else { return false };
        let Some((name, parts)) = parts.split_first() else { return false };
        if !name.may_name(first) {
            return false;
        }
        // Marks the parts that may come next: all the parts before them have taken their words.
        let mut next = vec![false; parts.len() + 1];
        next[0] = true;
        for word in words {
            let before = std::mem::replace(&mut next, vec![false; parts.len() + 1]);
            for position in (0..before.len()).filter(|position| before[*position]) {
                next[parts.len()] |= position == parts.len() && rest;
                next[position] |= word.certainty == Certainty::Partial;
                for (taken, part) in parts[position..].iter().enumerate() {
                    if !part.may_take(word) || (word.certainty == Certainty::Exact && taken > 0) {
                        break;
                    }
                    next[position + taken + 1] = true;
                }
            }
        }
        next[parts.len()]
    }

    fn split_rest(&self) -> (&[PatternPart], bool) {
        match self.0.split_last() {
            Some((PatternPart::Rest, parts)) => (parts, true),
            _ => (&self.0, false),
        }
    }
}

impl PatternPart {
    fn takes(&self, argument: &str) -> bool {
        match self {
            Self::Word(word) => word == argument,
            Self::OneOf(words) => words.iter().any(|word| word == argument),
            Self::Any => !argument.starts_with('-'),
            Self::AnyOption => argument.starts_with('-'),
            Self::Rest => true,
        }
    }

    fn may_take(&self, word: &CommandWord) -> bool {
        match (word.certainty, self) {
            (Certainty::Partial, _) => true,
            (Certainty::Exact, _) => self.takes(&word.text),
            (Certainty::Pattern, Self::Word(name)) => globs(word.text.as_bytes(), name.as_bytes()),
            (Certainty::Pattern, Self::OneOf(names)) => {
                names.iter().any(|name| globs(word.text.as_bytes(), name.as_bytes()))
            }
            (Certainty::Pattern, Self::Any) => !word.text.starts_with('-'),
            (Certainty::Pattern, Self::AnyOption | Self::Rest) => word.text.starts_with(['-', '*', '?', '[']),
        }
    }

    /// Returns true if a word may name the program of this part, by its path, by its name or by a shell pattern for
    /// either.
    fn may_name(&self, word: &CommandWord) -> bool {
        let names = match self {
            Self::Word(name) => std::slice::from_ref(name),
            Self::OneOf(names) => names,
            Self::Any | Self::AnyOption | Self::Rest => return true,
        };
        let base = word.text.rsplit('/').next().unwrap_or(&word.text);
        names.iter().any(|name| {
            let of = if name.contains('/') { word.text.as_str() } else { base };
            let same = of.eq_ignore_ascii_case(name);
            same || (word.certainty != Certainty::Exact
                && !of.is_empty()
                && globs(of.as_bytes(), name.as_bytes()))
        })
    }
}

/// Returns true if a shell pattern may match a name. A bracket expression counts as any character.
fn globs(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut position) = (0, 0);
    // The position to resume from if the last star has to take one more character.
    let mut star = None;
    while position < name.len() || at < pattern.len() {
        let (fits, length) = match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, position));
                at += 1;
                continue;
            }
            Some(b'?') => (true, 1),
            Some(b'[') => match pattern[at..].iter().skip(2).position(|byte| *byte == b']') {
                Some(end) => (true, end + 3),
                None => (name.get(position) == Some(&b'['), 1),
            },
            other => (other == name.get(position), 1),
        };
        if fits && position < name.len() {
            at += length;
            position += 1;
            continue;
        }
        match star {
            Some((begin, taken)) if taken < name.len() => {
                star = Some((begin, taken + 1));
                (at, position) = (begin + 1, taken + 1);
            }
            _ => return false,
        }
    }
    true
}

impl fmt::Display for CommandPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            match part {
                PatternPart::Word(word) => f.write_str(&quoted(word))?,
                PatternPart::OneOf(words) => {
                    f.write_str(&words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join("|"))?;
                }
                PatternPart::Any => f.write_str("*")?,
                PatternPart::AnyOption => f.write_str("-*")?,
                PatternPart::Rest => f.write_str("...")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
