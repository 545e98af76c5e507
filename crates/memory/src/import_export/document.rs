//! The memory as a document: complete as JSON, readable as Markdown.

use std::fmt::Write as _;

use jiff::Timestamp;
use protocol::{FactCategory, FactId, FactStatus, Origin};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::{FactUsage, NewFact, StoredFact};

/// The format version of the document. A higher number comes from a newer version of the program.
pub(super) const FORMAT: u32 = 1;
pub(super) const KIND: &str = "perigee.memory";

/// Everything remembered about a user, without the conversations.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MemoryDocument {
    pub kind: String,
    pub format: u32,
    pub facts: Vec<DocumentFact>,
    #[serde(default)]
    pub entries: Vec<DocumentEntry>,
    #[serde(default)]
    pub files: Vec<DocumentFile>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentFact {
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
    /// Absent in documents written before this field existed.
    #[serde(default)]
    pub past: Option<FactUsage>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DocumentEntry {
    pub id: String,
    pub content: String,
    #[serde(default)]
    pub metadata: Map<String, Value>,
    #[serde(default)]
    pub origins: Vec<Origin>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DocumentFile {
    pub name: String,
    pub content: String,
    #[serde(default)]
    pub origins: Vec<Origin>,
}

impl From<StoredFact> for DocumentFact {
    fn from(fact: StoredFact) -> Self {
        let StoredFact {
            id,
            said,
            superseded_by,
            created_at,
            updated_at,
            last_used_at,
            use_count,
            said_count,
            ..
        } = fact;
        Self {
            past: Some(FactUsage { created_at, updated_at, last_used_at, use_count, said_count }),
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

impl DocumentFact {
    /// Converts to a new fact that is learned from the file `name`.
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

/// Renders the facts that hold today, grouped by category, followed by the files under their names.
pub(super) fn markdown(companion: &str, document: &MemoryDocument) -> String {
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

fn line(fact: &DocumentFact) -> String {
    let about = Some(fact.subject.as_str()).filter(|subject| !subject.is_empty());
    let whom = about.map(|subject| format!("**{subject}:** ")).unwrap_or_default();
    let until = fact.expires_at.map(|at| format!("until {at}"));
    let marks: Vec<String> = fact.private.then(|| PRIVATE.to_owned()).into_iter().chain(until).collect();
    let marks = if marks.is_empty() { String::new() } else { format!(" *({})*", marks.join(", ")) };
    format!("- {whom}{}{marks}", fact.content.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The mark after a private fact.
const PRIVATE: &str = "private";

/// One line of the user's notes.
#[derive(Debug, Default, PartialEq)]
pub(super) struct NoteLine {
    pub category: Option<FactCategory>,
    pub subject: String,
    pub content: String,
    pub private: bool,
    pub expires_at: Option<String>,
}

impl NoteLine {
    /// Parses a line, with the prefix and the marks that [`line`] adds.
    fn of(line: &str, category: Option<FactCategory>) -> Self {
        let mut note = Self { category, ..Self::default() };
        let marks = line.strip_suffix(")*").and_then(|line| line.rsplit_once(" *("));
        let is_mark = |mark: &str| mark == PRIVATE || mark.starts_with("until ");
        let marks = marks.filter(|(_, marks)| marks.split(", ").all(is_mark));
        for mark in marks.iter().flat_map(|(_, marks)| marks.split(", ")) {
            match mark.strip_prefix("until ") {
                Some(until) => note.expires_at = Some(until.to_owned()),
                None => note.private = true,
            }
        }
        let content = marks.map_or(line, |(content, _)| content);
        let named = content.strip_prefix("**").and_then(|rest| rest.split_once(":** "));
        let (subject, content) = named.unwrap_or(("", content));
        // Bold markers would be read aloud as asterisks.
        Self { subject: subject.to_owned(), content: content.replace("**", ""), ..note }
    }
}

/// Reads the facts of a Markdown document: its list items, or its lines if it has no list. To-do items and code are
/// skipped, and so are entries and files that [`markdown`] wrote into it.
pub(super) fn read_markdown(text: &str) -> Vec<NoteLine> {
    let item = |line: &str| {
        let line = line.trim_start();
        let numbered =
            || line.trim_start_matches(|letter: char| letter.is_ascii_digit()).strip_prefix(['.', ')']);
        let is_numbered = line.starts_with(|letter: char| letter.is_ascii_digit());
        let rest = line.strip_prefix(['-', '*', '+', '•']).or_else(|| numbered().filter(|_| is_numbered))?;
        rest.starts_with(' ').then(|| rest.trim().to_owned())
    };
    let has_list = text.lines().any(|line| item(line).is_some());
    let (mut category, mut is_fact, mut is_code) = (None, true, false);
    let mut note = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if is_code {
            continue;
        }
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
        if !["[ ]", "[x]", "[X]"].iter().any(|task| content.starts_with(task)) {
            note.push(NoteLine::of(&content, category));
        }
    }
    note
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_as_markdown_is_read_again() {
        let text = "# What Luna remembers\n\n## Tastes\n\n- Likes tea\n- **Anna:** Likes coffee\n\n## File: a.md\n\n- no fact\n";
        let likes = |subject: &str, content: &str| NoteLine {
            category: Some(FactCategory::Preference),
            subject: subject.into(),
            content: content.into(),
            ..NoteLine::default()
        };
        assert_eq!(read_markdown(text), [likes("", "Likes tea"), likes("Anna", "Likes coffee")]);
    }

    #[test]
    fn what_is_private_or_ends_is_so_again() {
        let note =
            NoteLine::of("**Anna:** Stays here (for now) *(private, until 2026-11-20T00:00:00Z)*", None);
        assert_eq!(note.content, "Stays here (for now)");
        assert_eq!((note.subject.as_str(), note.private), ("Anna", true));
        assert_eq!(note.expires_at.as_deref(), Some("2026-11-20T00:00:00Z"));
        assert_eq!(NoteLine::of("Likes tea *(green)*", None).content, "Likes tea *(green)*");
        assert_eq!(NoteLine::of("Plays **chess** on Fridays.", None).content, "Plays chess on Fridays.");
    }

    #[test]
    fn code_and_tasks_are_no_facts_and_numbered_points_are() {
        let text =
            "1. I am allergic to nuts.\n- [ ] buy some milk\n```\n- not a fact\n```\n2) I live in Rome.\n";
        let said: Vec<String> = read_markdown(text).into_iter().map(|note| note.content).collect();
        assert_eq!(said, ["I am allergic to nuts.", "I live in Rome."]);
    }

    #[test]
    fn plain_lines_are_facts_where_there_is_no_list() {
        let read = read_markdown("I am allergic to nuts.\n\nYes\nMy sister lives in Lyon.\n");
        let said: Vec<&str> = read.iter().map(|note| note.content.as_str()).collect();
        assert_eq!(said, ["I am allergic to nuts.", "My sister lives in Lyon."]);
    }
}
