//! Readers and authors of what is remembered.

use protocol::{Fact, FactChange, Origin};
use store::{SavedEntry, StoredFact};

use crate::files::OwnWords;
use crate::secrets::Secrets;

/// The reader of a request. There is no default: each caller of the memory has to name one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reader {
    /// The user, and whatever works for the user alone, such as a model on this machine.
    Person,
    /// A program with a restricted token, by name. It may not read private content, except what it wrote itself.
    Program(String),
    /// Any other reader, such as another agent or a model elsewhere. Private content is not available to it.
    Other,
}

impl Reader {
    pub fn is_person(&self) -> bool {
        *self == Self::Person
    }

    pub(crate) fn program(&self) -> Option<&str> {
        match self {
            Self::Program(name) => Some(name),
            Self::Person | Self::Other => None,
        }
    }
}

/// The author of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Author {
    Person,
    /// A program, by name. What it writes waits for the user's confirmation.
    Program(String),
}

impl Author {
    pub fn reader(&self) -> Reader {
        match self {
            Self::Person => Reader::Person,
            Self::Program(name) => Reader::Program(name.clone()),
        }
    }

    /// Returns the origin that its text is marked with.
    pub fn origin(&self) -> Option<Origin> {
        self.program().map(Origin::Mcp)
    }

    pub(crate) fn program(&self) -> Option<String> {
        match self {
            Self::Person => None,
            Self::Program(name) => Some(name.clone()),
        }
    }
}

/// The content that one reader may see: everything, or everything that reveals no secret plus what the reader wrote.
/// Nothing indicates that or how much is left out.
pub(crate) struct Sight {
    secrets: Option<Secrets>,
    program: Option<String>,
}

impl Sight {
    pub fn of_all() -> Self {
        Self { secrets: None, program: None }
    }

    pub fn without(secrets: Secrets, reader: &Reader) -> Self {
        Self { secrets: Some(secrets), program: reader.program().map(str::to_owned) }
    }

    pub fn program(&self) -> Option<&str> {
        self.program.as_deref()
    }

    /// Returns true if the reading program is among these origins.
    pub fn is_among(&self, origins: &[Origin]) -> bool {
        let is_own =
            |origin: &Origin| matches!(origin, Origin::Mcp(name) if Some(name) == self.program.as_ref());
        origins.iter().any(is_own)
    }

    /// Returns true if the reading program is the only author of a fact.
    pub fn wrote(&self, fact: &StoredFact) -> bool {
        let said = &fact.said;
        said.message.is_none() && said.origins.len() == 1 && self.is_among(&said.origins)
    }

    /// Returns true if a fact may be seen. A fact that repeats a private one counts as private even if it is not
    /// marked.
    pub fn has(&self, fact: &StoredFact) -> bool {
        self.secrets.as_ref().is_none_or(|secrets| {
            let names = format!("{} {}", fact.said.subject, fact.said.content);
            self.wrote(fact) || !fact.said.private && !secrets.are_retold_in(&names)
        })
    }

    /// Returns true if the text of a fact may be seen by itself.
    pub fn tells(&self, fact: &StoredFact) -> bool {
        self.wrote(fact) || self.has(fact) && self.shows(&fact.said.content)
    }

    pub fn shows(&self, text: &str) -> bool {
        self.secrets.as_ref().is_none_or(|secrets| !secrets.are_in(text))
    }

    pub fn shows_entry(&self, SavedEntry { entry, author, .. }: &SavedEntry) -> bool {
        let is_own = author.is_some() && author.as_deref() == self.program();
        let texts = [&entry.id, &entry.content, &serde_json::Value::from(entry.metadata.clone()).to_string()];
        self.secrets.is_none() || is_own || texts.into_iter().all(|text| self.shows(text))
    }

    /// Returns true if all lines of a text may be seen.
    pub fn shows_lines(&self, text: &str, own: &OwnWords) -> bool {
        text.lines().all(|line| own.have(line) || self.shows(line))
    }

    /// Returns a text without the lines that state something private, except those that the reader wrote.
    pub fn lines(&self, text: String, own: &OwnWords) -> String {
        if self.secrets.is_none() {
            return text;
        }
        text.split_inclusive('\n').filter(|line| own.have(line) || self.shows(line)).collect()
    }

    /// Removes from a visible fact the quote, doubt and title that may not be seen.
    pub fn cleaned(&self, fact: Fact) -> Fact {
        if self.secrets.is_none() {
            return fact;
        }
        let source = match fact.source {
            protocol::FactSource::Conversation { conversation_id, message_id, title } => {
                let title = if self.shows(&title) { title } else { String::new() };
                protocol::FactSource::Conversation { conversation_id, message_id, title }
            }
            other => other,
        };
        Fact {
            quote: fact.quote.filter(|quote| self.shows(quote)),
            doubt: fact.doubt.filter(|doubt| self.shows(&doubt.words)),
            source,
            ..fact
        }
    }

    /// Removes from a visible fact's change what may not be seen: the earlier state if it was hidden, and the other
    /// fact if that is.
    pub fn cleaned_change(&self, change: FactChange, was_open: bool, other_is_open: bool) -> FactChange {
        if self.secrets.is_none() {
            return change;
        }
        let told = |text: Option<String>| text.filter(|text| self.shows(text));
        FactChange {
            before: change.before.filter(|_| was_open),
            changed: if was_open { change.changed } else { Vec::new() },
            other: change.other.filter(|_| other_is_open),
            other_content: told(change.other_content).filter(|_| other_is_open),
            ..change
        }
    }
}
