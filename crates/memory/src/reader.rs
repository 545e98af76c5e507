//! Who reads what is remembered, and who has it written down.

use protocol::{Fact, FactChange, Origin};
use store::{SavedEntry, StoredFact};

use crate::files::OwnWords;
use crate::secrets::Secrets;

/// Who reads. There is no default: whoever asks the memory says for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reader {
    /// The person themself, and what works for them alone, such as a model on this machine.
    Person,
    /// A program with a lesser token, by its name. What is private is not for it, but for what it wrote itself.
    Program(String),
    /// Anybody else: another agent, a model elsewhere. What is private is not for them.
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

/// Whose words are written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Author {
    Person,
    /// A program, by its name. What it says waits until the person says that it is so.
    Program(String),
}

impl Author {
    pub fn reader(&self) -> Reader {
        match self {
            Self::Person => Reader::Person,
            Self::Program(name) => Reader::Program(name.clone()),
        }
    }

    /// Whom its words are marked with.
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

/// What one reader may see: all of it, or what tells none of the secrets, with what the reader wrote. Nothing says that
/// something is left out, nor how much.
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

    /// Whether these are words of the program that reads, among whoever's they are.
    pub fn is_among(&self, origins: &[Origin]) -> bool {
        let is_own =
            |origin: &Origin| matches!(origin, Origin::Mcp(name) if Some(name) == self.program.as_ref());
        origins.iter().any(is_own)
    }

    /// Whether a fact stands there in the words of the program that reads.
    pub fn wrote(&self, fact: &StoredFact) -> bool {
        let said = &fact.said;
        said.message.is_none() && said.origins.len() == 1 && self.is_among(&said.origins)
    }

    /// Whether a fact may be seen. What tells a private one once more is as private, though nobody said so.
    pub fn has(&self, fact: &StoredFact) -> bool {
        self.secrets.as_ref().is_none_or(|secrets| {
            let names = format!("{} {}", fact.said.subject, fact.said.content);
            self.wrote(fact) || !fact.said.private && !secrets.are_retold_in(&names)
        })
    }

    /// Whether the words of a fact may be seen by themselves.
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

    /// Whether all lines of a text may be seen.
    pub fn shows_lines(&self, text: &str, own: &OwnWords) -> bool {
        text.lines().all(|line| own.have(line) || self.shows(line))
    }

    /// A text without the lines that tell something private, but for those that the reader wrote.
    pub fn lines(&self, text: String, own: &OwnWords) -> String {
        if self.secrets.is_none() {
            return text;
        }
        text.split_inclusive('\n').filter(|line| own.have(line) || self.shows(line)).collect()
    }

    /// A fact that may be seen, without what else would be told with it.
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

    /// A change of a fact that may be seen, which may not have been so before, or came about by one that may not.
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
