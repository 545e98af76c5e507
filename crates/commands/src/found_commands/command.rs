//! A command that a line runs or may run, as far as it is known before the shell runs.

use crate::plain::is_hidden;
use crate::quoting::quoted;

/// The number of characters that are displayed.
const LONGEST_SHOWN: usize = 120;

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandWord {
    /// The known text. Unknown parts are left out.
    pub text: String,
    pub certainty: Certainty,
}

/// The extent to which a word is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    Exact,
    /// A file name pattern, which stands for one or more names.
    Pattern,
    /// A part is missing, which may be anything, including nothing or several words.
    Partial,
}

impl CommandWord {
    pub fn exact(text: impl Into<String>) -> Self {
        Self { text: text.into(), certainty: Certainty::Exact }
    }
}

/// A command that a line runs or may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCommand {
    pub words: Vec<CommandWord>,
}

impl FoundCommand {
    /// Returns the name of the program without its folder, if it is known.
    pub fn program(&self) -> Option<&str> {
        let name = self.words.first()?.text.rsplit('/').next()?;
        (!name.is_empty()).then_some(name)
    }

    /// Returns the command for display, with an ellipsis for unknown parts.
    pub fn shown(&self) -> String {
        let words = self.words.iter().map(|word| match (&word.text, word.certainty) {
            (text, Certainty::Exact) => quoted(text),
            (text, Certainty::Pattern) => text.clone(),
            (text, Certainty::Partial) if text.is_empty() => "…".to_owned(),
            (text, Certainty::Partial) => format!("{text}…"),
        });
        let whole = words.collect::<Vec<_>>().join(" ");
        let visible = |next: char| if next.is_control() || is_hidden(next) { '\u{fffd}' } else { next };
        let mut shown: String = whole.chars().take(LONGEST_SHOWN).map(visible).collect();
        if whole.chars().nth(LONGEST_SHOWN).is_some() {
            shown.push('…');
        }
        shown
    }
}
