//! Import and export of memory as files: the app's own document, notes, and conversations from other programs.

mod chats;
mod document;

use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Read as _};

use facts::Wording;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use protocol::{ConversationId, FactId, FactStatus, MemoryImportReply, NewFactRequest, Origin, UserId};
use serde_json::Value;
use store::{ExportedConversation, FactStep, NewEntry};

use self::document::{Carried, Document};
use crate::memory::{Memory, MemoryError, Result};
use crate::reader::{Author, Reader};

/// The maximum unpacked size of an archive, in bytes.
const LARGEST: u64 = 1024 * 1024 * 1024;
/// Entries of the vector store that are read per page.
const PAGE: u32 = 500;

/// The maximum number of notes in a file; more than a person would write down.
const MOST_NOTES: usize = 5_000;

/// The context that is needed to read a file.
pub(crate) struct Reading<'a> {
    pub name: &'a str,
    pub now: Timestamp,
    pub zone: &'a TimeZone,
}

impl Reading<'_> {
    fn origin(&self) -> Origin {
        Origin::File(self.name.to_owned())
    }
}

/// The detected kind of a file, with its content.
enum Read {
    Document(Document),
    Notes(Vec<document::Noted>),
    Chats { format: &'static str, chats: Vec<ExportedConversation>, problems: Vec<String> },
}

impl Memory {
    /// Exports everything but the conversations, as JSON.
    pub async fn export_json(&self, user: UserId, reader: Reader) -> Result<String> {
        let document = self.document(user, reader).await?;
        serde_json::to_string_pretty(&document).map_err(|error| MemoryError::Invalid(error.to_string()))
    }

    /// Exports the facts that hold today as readable Markdown.
    pub async fn export_markdown(&self, user: UserId, reader: Reader) -> Result<String> {
        Ok(document::markdown(&self.companion_for(user).await?, &self.document(user, reader).await?))
    }

    async fn document(&self, user: UserId, reader: Reader) -> Result<Document> {
        let sight = self.sight(user, &reader).await?;
        let mut facts = self.store().facts(user).await?;
        facts.retain(|fact| sight.has(fact));
        let there: HashSet<FactId> = facts.iter().map(|fact| fact.id).collect();
        let facts = facts.into_iter().map(Carried::from).map(|fact| Carried {
            quote: fact.quote.filter(|quote| sight.shows(quote)),
            superseded_by: fact.superseded_by.filter(|newer| there.contains(newer)),
            ..fact
        });
        let mut entries = Vec::new();
        loop {
            let offset = u32::try_from(entries.len()).unwrap_or(u32::MAX);
            let page = self.entry_list(user, reader.clone(), PAGE, offset).await?.entries;
            if page.is_empty() {
                break;
            }
            entries.extend(page.into_iter().map(|entry| document::CarriedEntry {
                id: entry.id,
                content: entry.content,
                metadata: entry.metadata,
                origins: entry.origins,
            }));
        }
        let files = self.texts_for(user, &sight).await?;
        let files = files.into_iter().map(|file| document::CarriedFile {
            name: file.name,
            content: file.text,
            origins: file.origins,
        });
        Ok(Document {
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
        let reading = move || read(bytes, &Reading { name: &own, now, zone: &zone });
        let read = tokio::task::spawn_blocking(reading).await;
        match read.map_err(|error| MemoryError::Invalid(error.to_string()))?? {
            Read::Document(document) => Ok((self.import_document(user, name, document).await?, Vec::new())),
            Read::Notes(notes) => Ok((self.import_notes(user, name, notes).await?, Vec::new())),
            Read::Chats { format, chats, problems } => self.import_chats(user, format, chats, problems).await,
        }
    }

    async fn import_document(
        &self,
        user: UserId,
        name: &str,
        document: Document,
    ) -> Result<MemoryImportReply> {
        let mut reply = MemoryImportReply { format: "perigee".into(), ..MemoryImportReply::default() };
        let known = self.store().facts(user).await?;
        let (mut steps, mut ids) = (Vec::new(), HashMap::new());
        let mut came: Vec<(&Carried, FactId)> = Vec::new();
        for fact in &document.facts {
            let same = known.iter().find(|known| {
                known.said.subject == fact.subject
                    && known.said.content == fact.content
                    && known.said.valid_from == fact.valid_from
            });
            if let Some(same) = same {
                reply.known += 1;
                ids.insert(fact.id, same.id);
            } else if let Err(error) = crate::knowledge::checked(&fact.content) {
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
            steps.push(FactStep::Learn { id: *id, new, replaces: Vec::new() });
        }
        self.store().settle_facts(user, steps, Vec::new()).await?;
        let pasts = came.iter().filter_map(|(fact, id)| Some((*id, fact.past.clone()?)));
        self.store().carry_facts(user, pasts.collect()).await?;
        // Links between replaced facts are restored once all facts exist.
        let links = came.iter().filter_map(|(fact, id)| Some((*id, *ids.get(&fact.superseded_by?)?)));
        self.store().link_facts(user, links.collect()).await?;
        for document::CarriedEntry { id, content, metadata, origins } in document.entries {
            let there = self.store().entry(user, &id).await.map(|there| there.entry.content);
            if there.as_ref().is_ok_and(|there| *there == content) {
                reply.known += 1;
                continue;
            }
            if there.is_ok() {
                reply.problems.push(format!("There is another entry {id} already. It stays."));
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
            let there = self.shelf().view(user, &folder, &file.name).await;
            let there = there.map(|view| view.content.unwrap_or_default());
            if there.as_ref().is_ok_and(|there| *there == file.content) {
                reply.known += 1;
            } else if there.is_ok() {
                reply.problems.push(format!("There is another memory file {} already. It stays.", file.name));
            } else if let Err(error) =
                self.shelf().put(user, &folder, (&file.name, file.content), None, file.origins).await
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
        notes: Vec<document::Noted>,
    ) -> Result<MemoryImportReply> {
        let mut reply = MemoryImportReply { format: "markdown".into(), ..MemoryImportReply::default() };
        if notes.len() > MOST_NOTES {
            reply.problems.push(format!("Only the first {MOST_NOTES} of {} lines were read.", notes.len()));
        }
        let known = self.store().facts(user).await?.into_iter();
        let known = known.filter(|fact| fact.said.status == FactStatus::Current);
        let mut known: Vec<(String, Wording)> =
            known.map(|fact| (fact.said.subject, Wording::of(&fact.said.content))).collect();
        for noted in notes.into_iter().take(MOST_NOTES) {
            let wording = Wording::of(&noted.content);
            if known.iter().any(|(subject, known)| *subject == noted.subject && known.says_the_same(&wording))
            {
                reply.known += 1;
                continue;
            }
            known.push((noted.subject.clone(), wording));
            let request = NewFactRequest {
                content: noted.content,
                category: noted.category,
                subject: Some(noted.subject),
                private: noted.private,
                expires_at: noted.expires_at,
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
        "This is not a file that she can read: a memory of Perigee, a list in Markdown, or an export of ChatGPT or \
         SillyTavern."
            .into(),
    )
}

fn read(bytes: Vec<u8>, reading: &Reading<'_>) -> Result<Read> {
    let bytes = if bytes.starts_with(b"PK\x03\x04") { unpacked(bytes)? } else { bytes };
    let text = String::from_utf8(bytes).map_err(|_| unknown())?;
    let text = text.trim_start_matches('\u{feff}').trim();
    let mut problems = Vec::new();
    if text.lines().next().is_some_and(chats::begins_sillytavern) {
        let chats = chats::sillytavern(text, reading, &mut problems);
        return Ok(Read::Chats { format: "sillytavern", chats, problems });
    }
    if text.starts_with(['{', '[']) {
        return read_json(text, reading);
    }
    let notes = document::read_markdown(text);
    if notes.is_empty() { Err(unknown()) } else { Ok(Read::Notes(notes)) }
}

fn read_json(text: &str, reading: &Reading<'_>) -> Result<Read> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let how = if error.is_eof() { "It ends in the middle" } else { "It is damaged" };
        MemoryError::Invalid(format!("{how}, at line {}. Nothing was taken in.", error.line()))
    })?;
    match value {
        Value::Array(chats) if chats.iter().any(|chat| chat.get("mapping").is_some()) => {
            let mut problems = Vec::new();
            let chats = chats::chatgpt(chats, reading, &mut problems);
            Ok(Read::Chats { format: "chatgpt", chats, problems })
        }
        Value::Object(map) if map.get("kind").and_then(Value::as_str) == Some(document::KIND) => {
            let format = map.get("format").and_then(Value::as_u64).unwrap_or_default();
            if format > u64::from(document::FORMAT) {
                let newer = "It was exported by a newer Perigee. Update this one first.";
                return Err(MemoryError::Invalid(newer.into()));
            }
            let document = serde_json::from_value(Value::Object(map));
            document
                .map(Read::Document)
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
        return Err(MemoryError::Invalid("What is in the archive is too large.".into()));
    }
    Ok(text)
}
