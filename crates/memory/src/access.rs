//! Recipients and authors of what is remembered, and what each recipient may see.

use protocol::{Fact, FactChange, Origin};
use store::{SavedEntry, StoredFact};

use crate::files::ProgramLines;
use crate::secrets::Secrets;

/// The recipient of what is read. There is no default: each caller of the memory has to name one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    /// The user, and whatever works for the user alone, such as a model on this machine.
    Person,
    /// A program with a restricted token, by name. It may not read private content, except what it wrote itself.
    Program(String),
    /// Any other recipient, such as another agent or a model elsewhere. Private content is not available to it.
    Other,
}

impl Recipient {
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
    pub fn recipient(&self) -> Recipient {
        match self {
            Self::Person => Recipient::Person,
            Self::Program(name) => Recipient::Program(name.clone()),
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

/// The content that one recipient may see: everything, or everything that reveals no secret plus what the recipient wrote.
/// Nothing indicates that or how much is left out.
pub(crate) struct PrivacyFilter {
    secrets: Option<Secrets>,
    program: Option<String>,
}

impl PrivacyFilter {
    pub fn unrestricted() -> Self {
        Self { secrets: None, program: None }
    }

    pub fn hiding(secrets: Secrets, recipient: &Recipient) -> Self {
        Self { secrets: Some(secrets), program: recipient.program().map(str::to_owned) }
    }

    pub fn program(&self) -> Option<&str> {
        self.program.as_deref()
    }

    /// Returns true if the reading program is among these origins.
    pub fn is_program_among(&self, origins: &[Origin]) -> bool {
        let is_own =
            |origin: &Origin| matches!(origin, Origin::Mcp(name) if Some(name) == self.program.as_ref());
        origins.iter().any(is_own)
    }

    /// Returns true if the reading program is the only author of a fact.
    pub fn is_sole_author(&self, fact: &StoredFact) -> bool {
        let said = &fact.said;
        said.message.is_none() && said.origins.len() == 1 && self.is_program_among(&said.origins)
    }

    /// Returns true if a fact may be seen. A fact that repeats a private one counts as private even if it is not
    /// marked.
    pub fn allows(&self, fact: &StoredFact) -> bool {
        self.secrets.as_ref().is_none_or(|secrets| {
            let names = format!("{} {}", fact.said.subject, fact.said.content);
            self.is_sole_author(fact) || !fact.said.private && !secrets.are_repeated_in(&names)
        })
    }

    /// Returns true if the text of a fact may be seen by itself.
    pub fn allows_text_of(&self, fact: &StoredFact) -> bool {
        self.is_sole_author(fact) || self.allows(fact) && self.allows_text(&fact.said.content)
    }

    pub fn allows_text(&self, text: &str) -> bool {
        self.secrets.as_ref().is_none_or(|secrets| !secrets.are_in(text))
    }

    pub fn allows_entry(&self, SavedEntry { entry, author, .. }: &SavedEntry) -> bool {
        let is_own = author.is_some() && author.as_deref() == self.program();
        let texts = [&entry.id, &entry.content, &serde_json::Value::from(entry.metadata.clone()).to_string()];
        self.secrets.is_none() || is_own || texts.into_iter().all(|text| self.allows_text(text))
    }

    /// Returns true if all lines of a text may be seen.
    pub fn allows_lines(&self, text: &str, own: &ProgramLines) -> bool {
        text.lines().all(|line| own.contains(line) || self.allows_text(line))
    }

    /// Returns a text without the lines that state something private, except those that the recipient wrote.
    pub fn allowed_lines(&self, text: String, own: &ProgramLines) -> String {
        if self.secrets.is_none() {
            return text;
        }
        text.split_inclusive('\n').filter(|line| own.contains(line) || self.allows_text(line)).collect()
    }

    /// Removes from a visible fact the quote, doubt and title that may not be seen.
    pub fn redacted_fact(&self, fact: Fact) -> Fact {
        if self.secrets.is_none() {
            return fact;
        }
        let source = match fact.source {
            protocol::FactSource::Conversation { conversation_id, message_id, title } => {
                let title = if self.allows_text(&title) { title } else { String::new() };
                protocol::FactSource::Conversation { conversation_id, message_id, title }
            }
            other => other,
        };
        Fact {
            quote: fact.quote.filter(|quote| self.allows_text(quote)),
            doubt: fact.doubt.filter(|doubt| self.allows_text(&doubt.words)),
            source,
            ..fact
        }
    }

    /// Removes from a visible fact's change what may not be seen: the earlier state if it was hidden, and the other
    /// fact if that is.
    pub fn redacted_change(&self, change: FactChange, was_open: bool, other_is_open: bool) -> FactChange {
        if self.secrets.is_none() {
            return change;
        }
        let told = |text: Option<String>| text.filter(|text| self.allows_text(text));
        FactChange {
            before: change.before.filter(|_| was_open),
            changed: if was_open { change.changed } else { Vec::new() },
            other: change.other.filter(|_| other_is_open),
            other_content: told(change.other_content).filter(|_| other_is_open),
            ..change
        }
    }
}
