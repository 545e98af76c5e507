//! The memory as a document: whole as JSON, and for people as Markdown.

use std::fmt::Write as _;

use jiff::Timestamp;
use protocol::{FactCategory, FactId, FactStatus, Origin};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::{NewFact, StoredFact};

/// The form of the document. A greater one comes from a newer program.
pub(super) const FORMAT: u32 = 1;
pub(super) const KIND: &str = "perigee.memory";

/// Everything that she knows of somebody, without the conversations.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub kind: String,
    pub format: u32,
    pub facts: Vec<Carried>,
    #[serde(default)]
    pub entries: Vec<CarriedEntry>,
    #[serde(default)]
    pub files: Vec<CarriedFile>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Carried {
    pub id: FactId,
    pub category: FactCategory,
    pub status: FactStatus,
    #[serde(default)]
    pub subject: String,
    #[serde(default)]
    pub slot: Option<String>,
    #[serde(default)]
    pub value: String,
    pub content: String,
    #[serde(default)]
    pub quote: Option<String>,
    pub confidence: f32,
    pub importance: f32,
    #[serde(default)]
    pub valid_from: Option<Timestamp>,
    #[serde(default)]
    pub valid_to: Option<Timestamp>,
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
    #[serde(default)]
    pub private: bool,
    #[serde(default)]
    pub lasting: bool,
    #[serde(default)]
    pub superseded_by: Option<FactId>,
    #[serde(default)]
    pub origins: Vec<Origin>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CarriedEntry {
    pub id: String,
    pub content: String,
    #[serde(default)]
    pub metadata: Map<String, Value>,
    #[serde(default)]
    pub origins: Vec<Origin>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CarriedFile {
    pub name: String,
    pub content: String,
    #[serde(default)]
    pub origins: Vec<Origin>,
}

impl From<StoredFact> for Carried {
    fn from(fact: StoredFact) -> Self {
        let StoredFact { id, said, superseded_by, .. } = fact;
        Self {
            id,
            category: said.category,
            status: said.status,
            subject: said.subject,
            slot: said.slot,
            value: said.value,
            content: said.content,
            quote: said.quote,
            confidence: said.confidence,
            importance: said.importance,
            valid_from: said.valid_from,
            valid_to: said.valid_to,
            expires_at: said.expires_at,
            private: said.private,
            lasting: said.lasting,
            superseded_by,
            origins: said.origins,
        }
    }
}

impl Carried {
    /// As it is learned here, out of the file `name`.
    pub fn learned(self, name: &str) -> NewFact {
        NewFact {
            category: self.category,
            status: self.status,
            subject: self.subject,
            slot: self.slot,
            value: self.value,
            content: self.content,
            quote: self.quote,
            confidence: self.confidence.clamp(0.0, 1.0),
            importance: self.importance.clamp(0.0, 1.0),
            valid_from: self.valid_from,
            valid_to: self.valid_to,
            expires_at: self.expires_at,
            private: self.private,
            lasting: self.lasting,
            conversation: None,
            message: None,
            imported_from: Some(name.to_owned()),
            origins: self.origins,
        }
    }
}

const HEADINGS: [(FactCategory, &str); 8] = [
    (FactCategory::Personal, "Personal"),
    (FactCategory::Preference, "Tastes"),
    (FactCategory::Relationship, "People"),
    (FactCategory::Event, "Events"),
    (FactCategory::Goal, "Goals"),
    (FactCategory::Health, "Health"),
    (FactCategory::Context, "For a while"),
    (FactCategory::Behaviour, "Habits"),
];

/// What counts today, by its kind. Files follow, each under its name.
pub(super) fn markdown(companion: &str, document: &Document) -> String {
    let mut text = format!("# What {companion} remembers\n");
    for (category, heading) in HEADINGS {
        let facts = document.facts.iter();
        let facts = facts.filter(|fact| fact.category == category && fact.status == FactStatus::Current);
        let lines: Vec<String> = facts.map(line).collect();
        if !lines.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n## {heading}\n\n{}\n", lines.join("\n"));
        }
    }
    for entry in &document.entries {
        let _ = write!(text, "\n## Entry: {}\n\n{}\n", entry.id, entry.content.trim());
    }
    for file in &document.files {
        let _ = write!(text, "\n## File: {}\n\n{}\n", file.name, file.content.trim());
    }
    text
}

fn line(fact: &Carried) -> String {
    let about = Some(fact.subject.as_str()).filter(|subject| !subject.is_empty());
    let whom = about.map(|subject| format!("**{subject}:** ")).unwrap_or_default();
    format!("- {whom}{}", fact.content.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// One line of somebody's notes.
#[derive(Debug, PartialEq)]
pub(super) struct Noted {
    pub category: Option<FactCategory>,
    pub subject: String,
    pub content: String,
}

/// The facts of a document for people: its list items, or its lines where it has no list. Entries and files that
/// [`markdown`] wrote into it stay aside.
pub(super) fn read_markdown(text: &str) -> Vec<Noted> {
    let item = |line: &str| {
        let rest = line.trim_start().strip_prefix(['-', '*', '+', '•'])?;
        rest.starts_with(' ').then(|| rest.trim().to_owned())
    };
    let has_list = text.lines().any(|line| item(line).is_some());
    let (mut category, mut is_fact) = (None, true);
    let mut noted = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.trim_start().strip_prefix('#') {
            let heading = heading.trim_start_matches('#').trim();
            let known = HEADINGS.iter().find(|(_, name)| name.eq_ignore_ascii_case(heading));
            category = known.map(|(category, _)| *category);
            is_fact = !heading.starts_with("Entry: ") && !heading.starts_with("File: ");
            continue;
        }
        let content = if has_list { item(line) } else { Some(line.trim().to_owned()) };
        let Some(content) = content.filter(|content| is_fact && content.split_whitespace().count() > 1)
        else {
            continue;
        };
        let content = content.trim_start_matches("[ ] ").trim_start_matches("[x] ").to_owned();
        let named = content.strip_prefix("**").and_then(|rest| rest.split_once(":** "));
        noted.push(match named {
            Some((subject, said)) => {
                Noted { category, subject: subject.to_owned(), content: said.to_owned() }
            }
            None => Noted { category, subject: String::new(), content },
        });
    }
    noted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_as_markdown_is_read_again() {
        let text = "# What Luna remembers\n\n## Tastes\n\n- Likes tea\n- **Anna:** Likes coffee\n\n## File: a.md\n\n- no fact\n";
        let likes = |subject: &str, content: &str| Noted {
            category: Some(FactCategory::Preference),
            subject: subject.into(),
            content: content.into(),
        };
        assert_eq!(read_markdown(text), [likes("", "Likes tea"), likes("Anna", "Likes coffee")]);
    }

    #[test]
    fn plain_lines_are_facts_where_there_is_no_list() {
        let read = read_markdown("I am allergic to nuts.\n\nYes\nMy sister lives in Lyon.\n");
        let said: Vec<&str> = read.iter().map(|noted| noted.content.as_str()).collect();
        assert_eq!(said, ["I am allergic to nuts.", "My sister lives in Lyon."]);
    }
}
