//! Who reads what is remembered, and who has it written down.

use protocol::{Fact, FactChange, Origin, VectorEntry};
use store::StoredFact;

use crate::secrets::Secrets;

/// Who reads. There is no default: whoever asks the memory says for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The person themself, and what works for them alone, such as a model on this machine.
    Person,
    /// Anybody else: a program with a lesser token, another agent, a model elsewhere. What is private is not for them.
    Other,
}

impl Reader {
    pub fn is_person(self) -> bool {
        self == Self::Person
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
            Self::Program(_) => Reader::Other,
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

/// What one reader may see: all of it, or what tells none of the secrets.
pub(crate) struct Sight(Option<Secrets>);

impl Sight {
    pub fn of_all() -> Self {
        Self(None)
    }

    pub fn without(secrets: Secrets) -> Self {
        Self(Some(secrets))
    }

    /// Whether a fact may be seen. What tells a private one once more is as private, though nobody said so.
    pub fn has(&self, fact: &StoredFact) -> bool {
        self.0.as_ref().is_none_or(|secrets| {
            let names = format!("{} {}", fact.said.subject, fact.said.content);
            !fact.said.private && !secrets.are_retold_in(&names)
        })
    }

    pub fn shows(&self, text: &str) -> bool {
        self.0.as_ref().is_none_or(|secrets| !secrets.are_in(text))
    }

    pub fn shows_entry(&self, entry: &VectorEntry) -> bool {
        self.0.is_none()
            || [&entry.id, &entry.content, &serde_json::Value::from(entry.metadata.clone()).to_string()]
                .into_iter()
                .all(|text| self.shows(text))
    }

    /// A text without the lines that tell something private.
    pub fn lines(&self, text: String) -> String {
        match &self.0 {
            Some(secrets) => secrets.without(&text),
            None => text,
        }
    }

    /// A fact that may be seen, without what else would be told with it.
    pub fn cleaned(&self, fact: Fact) -> Fact {
        if self.0.is_none() {
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
        if self.0.is_none() {
            return change;
        }
        let told = |text: Option<String>| text.filter(|text| self.shows(text));
        FactChange {
            before: told(change.before).filter(|_| was_open),
            changed: if was_open { change.changed } else { Vec::new() },
            other: change.other.filter(|_| other_is_open),
            other_content: told(change.other_content).filter(|_| other_is_open),
            ..change
        }
    }
}
