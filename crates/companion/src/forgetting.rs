use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use memory::Redaction;
use protocol::{BackupCopy, FactId, ForgetReport, ForgetRequest, ForgottenPlace, Push, UserId};
use store::{Redact as _, Turn};

use crate::companion::{Companion, Inner, cache_key};
use crate::error::CompanionError;

/// The history of memory files can be looked into, and brought back, for this long.
pub const GRACE: Duration = Duration::from_hours(7 * 24);
/// A word that stands in more messages than this is not the fact's own.
const OWN_WORD: u32 = 6;
/// Larger files hold models and pictures, not words.
const LARGEST_FILE: u64 = 256 << 20;

/// Where words can stand outside of the database.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The data folder, all of which is looked through afterwards.
    pub home: PathBuf,
    /// Plain files of ours: named values, and what was typed in the terminal.
    pub files: Vec<PathBuf>,
    pub backups: PathBuf,
    /// Model files, which hold nobody's words.
    pub models: PathBuf,
}

impl Companion {
    /// Forgets a fact, a message, or words: everywhere. Without a yes, says only what would be removed.
    pub async fn forget(&self, user: UserId, request: ForgetRequest) -> Result<ForgetReport, CompanionError> {
        self.inner().forget(user, &request).await.map(|(report, _)| report)
    }

    /// Takes what is due out of the history of memory files. Returns how many such things were done.
    pub async fn purge_file_history(&self) -> Result<usize, CompanionError> {
        let inner = self.inner();
        let mut done = 0;
        for (id, user, changes) in inner.store.due_file_chores().await? {
            let user = inner.store.user(user).await?;
            let folder = inner.hands.folder_of(&user);
            if let Ok(changes) = serde_json::from_str::<memory::files::HistoryChanges>(&changes) {
                let purge =
                    inner.memory.shelf().open(&folder, move |memories| memories.purge_history(&changes));
                purge.await.map_err(|error| CompanionError::Failed(error.to_string()))?;
            }
            inner.store.end_file_chore(id).await?;
            done += 1;
        }
        Ok(done)
    }
}

impl Inner {
    /// Forgets, and tells which words that took.
    pub(crate) async fn forget(
        &self,
        user: UserId,
        request: &ForgetRequest,
    ) -> Result<(ForgetReport, Redaction), CompanionError> {
        let (redaction, facts) = self.needles(user, request).await?;
        let mut report = self.sweep(user, &redaction, facts, request.confirm).await?;
        report.backups = backups(&self.places.backups);
        if request.confirm {
            report.found = self.look_and_rewrite(&redaction).await?;
            self.feed.tell(user, Push::Forgotten);
        }
        Ok((report, redaction))
    }

    /// Forgets the same once more when the turn that asked for it has ended: its own log and the note of what was done
    /// have the words, too.
    pub(crate) async fn forget_the_asking(&self, turn: &Turn) -> Result<(), CompanionError> {
        let asked =
            self.asked_to_forget.lock().unwrap_or_else(PoisonError::into_inner).remove(&turn.conversation);
        let Some(redaction) = asked else { return Ok(()) };
        self.sweep(turn.user, &redaction, Vec::new(), true).await?;
        let left = self.look_and_rewrite(&redaction).await?;
        if !left.is_empty() {
            tracing::warn!("what was forgotten still stands in {}", left.join(", "));
        }
        self.feed.tell(turn.user, Push::Forgotten);
        Ok(())
    }

    /// The files that still hold the words, after a second try where it is the database.
    async fn look_and_rewrite(&self, redaction: &Redaction) -> Result<Vec<String>, CompanionError> {
        let found = self.look(redaction).await;
        let database = self.store.file();
        if !found.iter().any(|file| self.places.home.join(file) == database) {
            return Ok(found);
        }
        // SQLite overwrites what it deletes, but not what it moved from one page to another.
        self.store.rewrite().await?;
        Ok(self.look(redaction).await)
    }

    /// The files that hold the words.
    async fn look(&self, redaction: &Redaction) -> Vec<String> {
        let (places, redaction) = (self.places.clone(), redaction.clone());
        let looking = tokio::task::spawn_blocking(move || found_in(&places, &redaction));
        looking.await.unwrap_or_default()
    }

    /// The words to look for, and the facts that go with them.
    async fn needles(
        &self,
        user: UserId,
        request: &ForgetRequest,
    ) -> Result<(Redaction, Vec<FactId>), CompanionError> {
        let known = self.store.facts(user).await?;
        let mut words: Vec<String> = request.words.iter().cloned().collect();
        let mut facts: Vec<FactId> = request.fact.into_iter().collect();
        if let Some(id) = request.fact {
            self.store.fact(user, id).await?;
        }
        if let Some(id) = request.message {
            let conversation = self.store.conversation_of(user, id).await?;
            let message = self.store.message(user, conversation, id).await?;
            facts.extend(known.iter().filter(|fact| fact.said.message == Some(id)).map(|fact| fact.id));
            words.extend(sentences(&message.content));
            words.push(message.content);
        }
        for fact in known.iter().filter(|fact| facts.contains(&fact.id)) {
            words.push(fact.said.content.clone());
            words.extend(fact.said.quote.clone());
            if self.is_own(user, &fact.said.value).await? {
                words.push(fact.said.value.clone());
            }
        }
        let redaction = Redaction::new(words).ok_or_else(|| {
            CompanionError::Refused("There is too little to look for. Name the words to forget.".to_owned())
        })?;
        let also = known.iter().filter(|fact| {
            let said = &fact.said;
            let texts = [Some(&said.content), said.quote.as_ref(), Some(&said.value)];
            texts.into_iter().flatten().any(|text| redaction.stands_in(text))
        });
        facts.extend(also.map(|fact| fact.id));
        facts.sort_unstable_by_key(|id| id.get());
        facts.dedup();
        Ok((redaction, facts))
    }

    /// Whether a word says this fact and nothing else: a name, a number, or something hardly ever said.
    async fn is_own(&self, user: UserId, value: &str) -> Result<bool, CompanionError> {
        let Some(redaction) = Redaction::new([value.to_owned()]) else { return Ok(false) };
        if value.chars().any(|letter| letter.is_uppercase() || letter.is_numeric()) {
            return Ok(true);
        }
        let found = self.store.forget(user, Vec::new(), redaction, true).await?;
        Ok(found.places.get("messages").is_none_or(|(count, _)| *count <= OWN_WORD))
    }

    async fn sweep(
        &self,
        user: UserId,
        redaction: &Redaction,
        facts: Vec<FactId>,
        change: bool,
    ) -> Result<ForgetReport, CompanionError> {
        let redacted = self.store.forget(user, facts, redaction.clone(), !change).await?;
        let mut removed: Vec<ForgottenPlace> = redacted
            .places
            .iter()
            .map(|(place, (count, example))| ForgottenPlace {
                place: (*place).to_owned(),
                count: *count,
                example: (!change && !example.is_empty()).then(|| example.clone()),
            })
            .collect();
        let mut history_until = None;
        let owner = self.store.user(user).await?;
        let folder = self.hands.folder_of(&owner);
        let looked = redaction.clone();
        let files = self.memory.shelf().open(&folder, move |memories| memories.forget(&looked, change)).await;
        let files = files.map_err(|error| CompanionError::Failed(error.to_string()))?;
        if files.files > 0 {
            removed.push(place("files", files.files, files.example.filter(|_| !change)));
        }
        if files.files > 0 && change {
            self.memory.drop_stray_vectors().await?;
        }
        let due = self.clock.now().saturating_add(GRACE).unwrap_or(Timestamp::MAX);
        if files.files > 0 && !change {
            history_until = Some(due.to_string());
        }
        if !files.later.is_empty() {
            let changes = serde_json::to_string(&files.later).unwrap_or_default();
            self.store.add_file_chore(user, due, changes).await?;
            history_until = Some(due.to_string());
        }
        let lines = self.in_plain_files(redaction, change).await?;
        removed.extend(lines);
        if change && !redacted.conversations.is_empty() {
            for &conversation in &redacted.conversations {
                self.models.forget(&cache_key(conversation)).await;
            }
            let count = u32::try_from(redacted.conversations.len()).unwrap_or(u32::MAX);
            removed.push(place("state", count, None));
        }
        Ok(ForgetReport {
            done: change,
            words: redaction.words().to_vec(),
            removed,
            history_until,
            backups: Vec::new(),
            found: Vec::new(),
        })
    }

    /// The audit log and plain files of ours, line by line.
    async fn in_plain_files(
        &self,
        redaction: &Redaction,
        change: bool,
    ) -> Result<Vec<ForgottenPlace>, CompanionError> {
        let (hands, files, redaction) =
            (Arc::clone(&self.hands), self.places.files.clone(), redaction.clone());
        let work = tokio::task::spawn_blocking(move || -> std::io::Result<Vec<ForgottenPlace>> {
            let mut removed = Vec::new();
            let audit = hands.audit().redact(|text| redaction.redact(text), change)?;
            if audit > 0 {
                removed.push(place("audit", audit, None));
            }
            for file in files {
                let Ok(text) = std::fs::read_to_string(&file) else { continue };
                let Some(after) = redaction.redact(&text) else { continue };
                removed.push(place("files", 1, None));
                if change {
                    host::atomic_write_private(&file, after.as_bytes()).map_err(std::io::Error::other)?;
                }
            }
            Ok(removed)
        });
        let failed = |error: String| CompanionError::Failed(error);
        work.await.map_err(|error| failed(error.to_string()))?.map_err(|error| failed(error.to_string()))
    }
}

fn place(name: &str, count: u32, example: Option<String>) -> ForgottenPlace {
    ForgottenPlace { place: name.to_owned(), count, example }
}

/// The sentences of a message that say something by themselves.
fn sentences(text: &str) -> Vec<String> {
    let parts = text.split_inclusive(['.', '!', '?', '\n']).map(str::trim);
    parts.filter(|part| part.split_whitespace().count() >= 3).map(ToOwned::to_owned).collect()
}

/// Backups are as they were made: they are named, with the day they were made.
fn backups(folder: &Path) -> Vec<BackupCopy> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut copies: Vec<BackupCopy> = entries
        .flatten()
        .filter_map(|entry| {
            let made = entry.metadata().ok()?.modified().ok()?;
            Some(BackupCopy {
                file: entry.file_name().to_string_lossy().into_owned(),
                made_at: Timestamp::try_from(made).ok()?.to_string(),
            })
        })
        .collect();
    copies.sort_by(|one, other| other.made_at.cmp(&one.made_at));
    copies
}

/// Looks for the words in every file of the data folder, and in what is packed in histories. Backups and models are
/// left aside.
fn found_in(places: &Places, redaction: &Redaction) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![places.home.clone()];
    while let Some(folder) = folders.pop() {
        if folder == places.backups || folder == places.models {
            continue;
        }
        let is_git = folder.file_name().is_some_and(|name| name == ".git");
        if is_git && memory::files::unpacked(&folder).iter().any(|object| holds(object, redaction)) {
            found.push(shown(&folder, places));
        }
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file()
                && entry.metadata().is_ok_and(|data| data.len() <= LARGEST_FILE)
                && std::fs::read(&path).is_ok_and(|bytes| holds(&bytes, redaction))
            {
                found.push(shown(&path, places));
            }
        }
    }
    found.sort();
    found
}

/// Whether the words stand there, be they part of longer ones: what is next to them in a database may be anything.
fn holds(bytes: &[u8], redaction: &Redaction) -> bool {
    redaction.stands_anywhere_in(&String::from_utf8_lossy(bytes))
}

fn shown(path: &Path, places: &Places) -> String {
    path.strip_prefix(&places.home).unwrap_or(path).display().to_string()
}
