//! Import and export of memory as files: the app's own document, notes, and conversations from other programs.
//!
//! Conversations are imported as conversations, so that a fact leads back to its message. They are dated as they were
//! held, so that an old statement does not replace what has been learned since.

mod chats;
mod document;

use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Read as _};

use facts::Wording;
use protocol::{ConversationId, FactId, FactStatus, MemoryImportReply, NewFactRequest, UserId};
use serde_json::Value;
use store::{ExportedConversation, FactUpdate, NewEntry};

use self::chats::ImportContext;
use self::document::{DocumentFact, MemoryDocument};
use crate::access::{Author, Recipient};
use crate::memory::{Memory, MemoryError, Result};

/// The maximum unpacked size of an archive, in bytes.
const LARGEST: u64 = 1024 * 1024 * 1024;
/// Entries of the vector store that are read per page.
const PAGE: u32 = 500;

/// The maximum number of notes in a file; more than a person would write down.
const MOST_NOTES: usize = 5_000;

/// The detected kind of a file, with its content.
enum ImportedFile {
    Document(MemoryDocument),
    Notes(Vec<document::NoteLine>),
    Chats { format: &'static str, chats: Vec<ExportedConversation>, problems: Vec<String> },
}

impl Memory {
    /// Exports everything but the conversations, as JSON.
    pub async fn export_json(&self, user: UserId, recipient: Recipient) -> Result<String> {
        let document = self.document(user, recipient).await?;
        serde_json::to_string_pretty(&document).map_err(|error| MemoryError::Invalid(error.to_string()))
    }

    /// Exports the facts that hold today as readable Markdown.
    pub async fn export_markdown(&self, user: UserId, recipient: Recipient) -> Result<String> {
        Ok(document::markdown(&self.companion_for(user).await?, &self.document(user, recipient).await?))
    }

    async fn document(&self, user: UserId, recipient: Recipient) -> Result<MemoryDocument> {
        let privacy = self.privacy_filter(user, &recipient).await?;
        let mut facts = self.store().facts(user).await?;
        facts.retain(|fact| privacy.allows(fact));
        let there: HashSet<FactId> = facts.iter().map(|fact| fact.id).collect();
        let facts = facts.into_iter().map(DocumentFact::from).map(|fact| DocumentFact {
            quote: fact.quote.filter(|quote| privacy.allows_text(quote)),
            superseded_by: fact.superseded_by.filter(|newer| there.contains(newer)),
            ..fact
        });
        let mut entries = Vec::new();
        loop {
            let offset = u32::try_from(entries.len()).unwrap_or(u32::MAX);
            let page = self.entry_list(user, recipient.clone(), PAGE, offset).await?.entries;
            if page.is_empty() {
                break;
            }
            entries.extend(page.into_iter().map(|entry| document::DocumentEntry {
                id: entry.id,
                content: entry.content,
                metadata: entry.metadata,
                origins: entry.origins,
            }));
        }
        let files = self.texts_for(user, &privacy).await?;
        let files = files.into_iter().map(|file| document::DocumentFile {
            name: file.name,
            content: file.text,
            origins: file.origins,
        });
        Ok(MemoryDocument {
            kind: document::KIND.into(),
            format: document::FORMAT,
            facts: facts.collect(),
            entries,
            files: files.collect(),
        })
    }

    /// Imports a file: the app's own document, a list of notes, or conversations of ChatGPT or SillyTavern. Existing
    /// data stays as it is. Returns the imported conversations, oldest first.
    pub async fn import(
        &self,
        user: UserId,
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<(MemoryImportReply, Vec<ConversationId>)> {
        let (own, now, zone) = (name.to_owned(), self.now(), self.zone());
        let context = move || read(bytes, &ImportContext { name: &own, now, zone: &zone });
        let read = tokio::task::spawn_blocking(context).await;
        match read.map_err(|error| MemoryError::Invalid(error.to_string()))?? {
            ImportedFile::Document(document) => {
                Ok((self.import_document(user, name, document).await?, Vec::new()))
            }
            ImportedFile::Notes(notes) => Ok((self.import_notes(user, name, notes).await?, Vec::new())),
            ImportedFile::Chats { format, chats, problems } => {
                self.import_chats(user, format, chats, problems).await
            }
        }
    }

    async fn import_document(
        &self,
        user: UserId,
        name: &str,
        document: MemoryDocument,
    ) -> Result<MemoryImportReply> {
        let mut reply = MemoryImportReply { format: "perigee".into(), ..MemoryImportReply::default() };
        let known = self.store().facts(user).await?;
        let (mut steps, mut ids) = (Vec::new(), HashMap::new());
        let mut came: Vec<(&DocumentFact, FactId)> = Vec::new();
        for fact in &document.facts {
            let same = known.iter().find(|known| {
                known.said.subject == fact.subject
                    && known.said.content == fact.content
                    && known.said.valid_from == fact.valid_from
            });
            if let Some(same) = same {
                reply.known += 1;
                ids.insert(fact.id, same.id);
            } else if let Err(error) = crate::knowledge::checked_content(&fact.content) {
                reply.problems.push(error.to_string());
            } else {
                let id = self.store().fact_id();
                ids.insert(fact.id, id);
                came.push((fact, id));
            }
        }
        for (fact, id) in &came {
            let new = (*fact).clone().learned(name);
            reply.facts += 1;
            steps.push(FactUpdate::Learn { id: *id, new, replaces: Vec::new() });
        }
        self.store().apply_fact_updates(user, steps, Vec::new()).await?;
        let pasts = came.iter().filter_map(|(fact, id)| Some((*id, fact.past.clone()?)));
        self.store().restore_fact_usage(user, pasts.collect()).await?;
        // Links between replaced facts are restored once all facts exist.
        let links = came.iter().filter_map(|(fact, id)| Some((*id, *ids.get(&fact.superseded_by?)?)));
        self.store().link_facts(user, links.collect()).await?;
        for document::DocumentEntry { id, content, metadata, origins } in document.entries {
            let there = self.store().entry(user, &id).await.map(|there| there.entry.content);
            if there.as_ref().is_ok_and(|there| *there == content) {
                reply.known += 1;
                continue;
            }
            if there.is_ok() {
                reply.problems.push(format!("There already is a different entry {id}, which was kept."));
                continue;
            }
            let (name, metadata) = (Some(id), Some(metadata));
            let saved = NewEntry { name, content, metadata, origins, ..NewEntry::default() };
            match self.save_entry(user, &Author::Person, saved).await {
                Ok(_) => reply.entries += 1,
                Err(error) => reply.problems.push(error.to_string()),
            }
        }
        let folder = self.folder_of(user).await?;
        for file in document.files {
            let there = self.memory_files().view(user, &folder, &file.name).await;
            let there = there.map(|view| view.content.unwrap_or_default());
            if there.as_ref().is_ok_and(|there| *there == file.content) {
                reply.known += 1;
            } else if there.is_ok() {
                reply
                    .problems
                    .push(format!("There already is a different memory file {}, which was kept.", file.name));
            } else if let Err(error) =
                self.memory_files().put(user, &folder, (&file.name, file.content), None, file.origins).await
            {
                reply.problems.push(format!("{}: {error}", file.name));
            } else {
                reply.files += 1;
            }
        }
        Ok(reply)
    }

    async fn import_notes(
        &self,
        user: UserId,
        name: &str,
        notes: Vec<document::NoteLine>,
    ) -> Result<MemoryImportReply> {
        let mut reply = MemoryImportReply { format: "markdown".into(), ..MemoryImportReply::default() };
        if notes.len() > MOST_NOTES {
            reply.problems.push(format!("Only the first {MOST_NOTES} of {} lines were read.", notes.len()));
        }
        let known = self.store().facts(user).await?.into_iter();
        let known = known.filter(|fact| fact.said.status == FactStatus::Current);
        let mut known: Vec<(String, Wording)> =
            known.map(|fact| (fact.said.subject, Wording::of(&fact.said.content))).collect();
        for note in notes.into_iter().take(MOST_NOTES) {
            let wording = Wording::of(&note.content);
            if known.iter().any(|(subject, known)| *subject == note.subject && known.says_the_same(&wording))
            {
                reply.known += 1;
                continue;
            }
            known.push((note.subject.clone(), wording));
            let request = NewFactRequest {
                content: note.content,
                category: note.category,
                subject: Some(note.subject),
                private: note.private,
                expires_at: note.expires_at,
                ..NewFactRequest::default()
            };
            match self.add_fact_from(user, request, Some(name.to_owned())).await {
                Ok(_) => reply.facts += 1,
                Err(error) => reply.problems.push(error.to_string()),
            }
        }
        Ok(reply)
    }

    async fn import_chats(
        &self,
        user: UserId,
        format: &str,
        chats: Vec<ExportedConversation>,
        problems: Vec<String>,
    ) -> Result<(MemoryImportReply, Vec<ConversationId>)> {
        let mut reply = MemoryImportReply { format: format.into(), problems, ..MemoryImportReply::default() };
        let mut new = Vec::new();
        for chat in chats {
            if self.store().has_conversation(user, &chat).await? {
                reply.known += 1;
            } else {
                new.push(chat);
            }
        }
        // Facts are learned in the order in which the messages were sent.
        new.sort_by(|one, other| one.created_at.cmp(&other.created_at));
        let imported = self.store().import(user, new).await?;
        reply.conversations = u32::try_from(imported.conversations.len()).unwrap_or(u32::MAX);
        reply.messages = u32::try_from(imported.messages).unwrap_or(u32::MAX);
        Ok((reply, imported.conversations))
    }
}

fn unknown() -> MemoryError {
    MemoryError::Invalid(
        "Perigee cannot read this file. It reads a memory that Perigee exported, a list in Markdown, and exports of \
         ChatGPT and SillyTavern."
            .into(),
    )
}

fn read(bytes: Vec<u8>, context: &ImportContext<'_>) -> Result<ImportedFile> {
    let bytes = if bytes.starts_with(b"PK\x03\x04") { unpacked(bytes)? } else { bytes };
    let text = String::from_utf8(bytes).map_err(|_| unknown())?;
    let text = text.trim_start_matches('\u{feff}').trim();
    let mut problems = Vec::new();
    if text.lines().next().is_some_and(chats::begins_sillytavern) {
        let chats = chats::sillytavern(text, context, &mut problems);
        return Ok(ImportedFile::Chats { format: "sillytavern", chats, problems });
    }
    if text.starts_with(['{', '[']) {
        return read_json(text, context);
    }
    let notes = document::read_markdown(text);
    if notes.is_empty() { Err(unknown()) } else { Ok(ImportedFile::Notes(notes)) }
}

fn read_json(text: &str, context: &ImportContext<'_>) -> Result<ImportedFile> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let how = if error.is_eof() { "The file ends in the middle" } else { "The file is damaged" };
        MemoryError::Invalid(format!("{how}, at line {}. Nothing was imported.", error.line()))
    })?;
    match value {
        Value::Array(chats) if chats.iter().any(|chat| chat.get("mapping").is_some()) => {
            let mut problems = Vec::new();
            let chats = chats::chatgpt(chats, context, &mut problems);
            Ok(ImportedFile::Chats { format: "chatgpt", chats, problems })
        }
        Value::Object(map) if map.get("kind").and_then(Value::as_str) == Some(document::KIND) => {
            let format = map.get("format").and_then(Value::as_u64).unwrap_or_default();
            if format > u64::from(document::FORMAT) {
                let newer = "This file was exported by a newer Perigee. Update this one first.";
                return Err(MemoryError::Invalid(newer.into()));
            }
            let document = serde_json::from_value(Value::Object(map));
            document
                .map(ImportedFile::Document)
                .map_err(|error| MemoryError::Invalid(format!("The file is damaged: {error}.")))
        }
        _ => Err(unknown()),
    }
}

/// Extracts the conversations from an archive in ChatGPT's export format.
fn unpacked(bytes: Vec<u8>) -> Result<Vec<u8>> {
    let broken = |error: String| MemoryError::Invalid(format!("The archive cannot be read: {error}."));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(error.to_string()))?;
    let names = archive.file_names().filter_map(std::result::Result::ok).map(std::borrow::Cow::into_owned);
    let mut names = names.filter(|name| name.rsplit('/').next() == Some("conversations.json"));
    let Some(name) = names.next() else { return Err(unknown()) };
    drop(names);
    let file = archive.by_name(&name).map_err(|error| broken(error.to_string()))?;
    let mut text = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut text).map_err(|error| broken(error.to_string()))?;
    if text.len() as u64 > LARGEST {
        return Err(MemoryError::Invalid("The archive is too large when it is unpacked.".into()));
    }
    Ok(text)
}
