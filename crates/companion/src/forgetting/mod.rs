//! Forgetting: what a request covers is removed from the database, from files and from the models' caches, and the data
//! folder is searched for remains.
//!
//! First the target is determined (`target`): the facts and messages that are removed entirely, and the words that are
//! searched for. The sentence of a fact is searched for as a statement, so that forgetting *Lives in Rome* leaves *Anna
//! lives in Rome* alone. The thing that it names is searched for only if it occurs in no other context; otherwise the
//! user is asked.
//!
//! Then the words are removed from every column that can hold them, the audit log and the files, the models drop what
//! they cached of the changed conversations, deleted pages of the database are overwritten, and the whole data folder
//! is searched for remains. The target is stored until this is done, so that a crash does not end it half way. Work
//! that was active meanwhile may have read the words before, so its output is swept again when it has ended
//! ([`ActiveWork`]).
//!
//! The history of memory files is rewritten after [`GRACE`]; until then the words to remove are known only by hashes.

mod find_target;
mod phrases;
mod search;
mod target;
mod tool;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use host::Clock;
use jiff::Timestamp;
use memory::files::HistoryChanges;
use memory::{Memory, Redaction, UserFolders};
use protocol::{
    AuditEntry, BackupCopy, ForgetReport, ForgetRequest, ForgottenPlace, OfferedWords, Push, User, UserId,
};
use store::{PendingHistoryChange, Redact as _, RemovedItems, Store, redact_value};
use tokio::sync::Mutex;
use tools::AuditLog;

pub(crate) use self::phrases::what_to_forget;
pub use self::search::SearchedPlaces;
use self::target::ForgetTarget;
pub(crate) use self::tool::NAME as TOOL;
pub use self::tool::tools;
use crate::active_work::{ActiveWork, WorkGuard};
use crate::error::CompanionError;
use crate::feed::Feed;
use crate::model_source::{ModelSource, cache_key};

/// The time for which the history of memory files can still be viewed and restored.
pub const GRACE: Duration = Duration::from_hours(7 * 24);

/// The time that a confirmed request waits for active work to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// The services of a [`ForgetService`].
pub struct ForgetParts {
    pub store: Arc<Store>,
    pub memory: Memory,
    pub models: Arc<dyn ModelSource>,
    pub clock: Arc<dyn Clock>,
    pub feed: Arc<Feed>,
    pub audit: Arc<AuditLog>,
    pub folders: UserFolders,
    pub places: SearchedPlaces,
}

/// Removes what the user asks to forget, everywhere.
pub struct ForgetService {
    parts: ForgetParts,
    active_work: Arc<ActiveWork>,
    /// Allows one removal at a time.
    removing: Mutex<()>,
}

impl ForgetService {
    pub fn new(parts: ForgetParts) -> Self {
        Self { parts, active_work: Arc::default(), removing: Mutex::default() }
    }

    /// Begins work that stores what it has read. End it with [`ForgetService::end_work`].
    pub(crate) fn begin_work(&self) -> WorkGuard {
        self.active_work.begin()
    }

    /// Forgets a fact, a message, or words everywhere. Without `confirm`, only reports what would be removed.
    pub async fn forget(&self, user: UserId, request: ForgetRequest) -> Result<ForgetReport, CompanionError> {
        if request.confirm {
            // The work after an answer takes a moment. Once it has ended, one sweep is enough, and the report can state
            // that nothing is left.
            self.active_work.wait_until_idle(PATIENCE).await;
        }
        self.forget_now(user, &request).await
    }

    /// Removes what is due from the history of memory files. Returns the number of completed chores.
    pub async fn purge_file_history(&self) -> Result<usize, CompanionError> {
        let mut done = 0;
        let chores = self.parts.store.file_chores().await?;
        for (number, PendingHistoryChange { id, user, changes, .. }) in
            chores.iter().enumerate().filter(|(_, chore)| chore.is_due)
        {
            let others = chores[number + 1..].iter().filter(|other| other.user == *user);
            let waiting: Vec<HistoryChanges> =
                others.filter_map(|other| serde_json::from_str(&other.changes).ok()).collect();
            if let Ok(changes) = serde_json::from_str::<HistoryChanges>(changes) {
                let purge = self.parts.memory.purge_file_history(*user, changes, waiting);
                if let Err(error) = purge.await {
                    // The next run tries this chore again; the others of this run continue.
                    tracing::warn!("the history of memory files still holds what was forgotten: {error}");
                    continue;
                }
            }
            self.parts.store.end_file_chore(*id).await?;
            done += 1;
        }
        Ok(done)
    }

    /// Forgets at once, even if work is active that may have read the words.
    async fn forget_now(
        &self,
        user: UserId,
        request: &ForgetRequest,
    ) -> Result<ForgetReport, CompanionError> {
        let target = self.target(user, request).await?;
        let redaction = target.redaction()?;
        if !request.confirm {
            let (report, since) = self.sweep(user, &redaction, target.whole.clone(), None).await?;
            let backups = self.backups(since).await?;
            return Ok(ForgetReport { offered: target.offered, backups, ..report });
        }
        let _one_at_a_time = self.removing.lock().await;
        let what =
            serde_json::to_string(&target).map_err(|error| CompanionError::Failed(error.to_string()))?;
        let id = self.parts.store.begin_forgetting(user, what).await?;
        let running = self.active_work.begin_waiting(id);
        // Prevents facts from being learned from the words meanwhile.
        let held = self.parts.memory.lock_facts(user).await?;
        let (mut report, since) = self.sweep(user, &redaction, target.whole, Some(id)).await?;
        drop(held);
        report.offered = self.still_there(user, target.offered).await?;
        if running == 0 {
            report.found = self.end_forgetting(id, &redaction).await?;
        } else {
            report.running = u32::try_from(running).unwrap_or(u32::MAX);
            self.parts.store.overwrite_deleted().await?;
        }
        report.backups = self.backups(since).await?;
        self.parts.feed.tell(user, Push::Forgotten);
        Ok(report)
    }

    /// Returns the offered words that still occur in conversations.
    async fn still_there(
        &self,
        user: UserId,
        offered: Vec<OfferedWords>,
    ) -> Result<Vec<OfferedWords>, CompanionError> {
        let mut left = Vec::with_capacity(offered.len());
        for OfferedWords { words, .. } in offered {
            let Some(redaction) = Redaction::of_words([words.clone()]) else { continue };
            let conversations = self.parts.store.conversations_with(user, redaction).await?.len();
            if conversations > 0 {
                let conversations = u32::try_from(conversations).unwrap_or(u32::MAX);
                left.push(OfferedWords { words, conversations });
            }
        }
        Ok(left)
    }

    /// Ends a piece of work, and runs the sweeps that waited for it.
    pub(crate) async fn end_work(&self, work: WorkGuard) {
        drop(work);
        if self.active_work.has_no_waiting() {
            return;
        }
        if let Err(error) = self.resume().await {
            tracing::warn!("what was forgotten may stand in what was written meanwhile: {error}");
        }
    }

    /// Continues requests that were not finished, because other work was active or the process ended.
    pub async fn resume(&self) -> Result<(), CompanionError> {
        let _one_at_a_time = self.removing.lock().await;
        for (id, user, what) in self.parts.store.unfinished_forgetting().await? {
            if self.active_work.is_waiting(id) {
                continue;
            }
            let target: ForgetTarget = serde_json::from_str(&what).unwrap_or_default();
            let Ok(redaction) = target.redaction() else {
                self.parts.store.end_forgetting(id).await?;
                continue;
            };
            let held = self.parts.memory.lock_facts(user).await?;
            self.sweep(user, &redaction, target.whole, Some(id)).await?;
            drop(held);
            let left = self.end_forgetting(id, &redaction).await?;
            if !left.is_empty() {
                tracing::warn!("what was forgotten still stands in {}", left.join(", "));
            }
            self.parts.feed.tell(user, Push::Forgotten);
        }
        Ok(())
    }

    /// Completes a request after its sweep: removes the stored words of the request itself. Returns the files that
    /// still contain the words.
    async fn end_forgetting(&self, id: i64, redaction: &Redaction) -> Result<Vec<String>, CompanionError> {
        // The first overwrite comes before the request is removed, so that a crash in between can still be resumed.
        self.parts.store.overwrite_deleted().await?;
        self.parts.store.end_forgetting(id).await?;
        self.active_work.end_waiting(id);
        self.parts.store.overwrite_deleted().await?;
        let found = self.search(redaction).await;
        let database = self.parts.store.file();
        if !found.iter().any(|file| self.parts.places.home.join(file) == database) {
            return Ok(found);
        }
        // SQLite overwrites what it deletes, but not what it has moved from one page to another.
        self.parts.store.rewrite().await?;
        Ok(self.search(redaction).await)
    }

    /// Returns the files that contain the words.
    async fn search(&self, redaction: &Redaction) -> Vec<String> {
        let (places, redaction) = (self.parts.places.clone(), redaction.clone());
        let searching = tokio::task::spawn_blocking(move || search::found_in(&places, &redaction));
        searching.await.unwrap_or_default()
    }

    /// Removes the words, or counts them if `forgetting` is `None`. Returns the report and the time when the first of
    /// them was stored, if that is known.
    async fn sweep(
        &self,
        user: UserId,
        redaction: &Redaction,
        whole: RemovedItems,
        forgetting: Option<i64>,
    ) -> Result<(ForgetReport, Option<Timestamp>), CompanionError> {
        let change = forgetting.is_some();
        let person = self.parts.store.user(user).await?;
        // Memory files come before the database, because the database finds the origins of a file by its name.
        let (files, history_until) = self.in_memory_files(&person, redaction, change).await?;
        let redacted = match forgetting {
            Some(id) => self.parts.store.forget(user, whole, redaction.clone(), id).await?,
            None => self.parts.store.look_for(user, whole, redaction.clone()).await?,
        };
        let mut removed: Vec<ForgottenPlace> = redacted
            .places
            .iter()
            .map(|(name, (count, example))| {
                place(name, *count, (!change && !example.is_empty()).then(|| example.clone()))
            })
            .collect();
        removed.extend(files);
        removed.extend(self.in_plain_files(&person, redaction, change).await?);
        // For a file it is unknown since when it contains the words.
        let is_in_file = removed.iter().any(|place| matches!(place.place.as_str(), "files" | "other"));
        let since = redacted.since.filter(|_| !is_in_file);
        let since = since.and_then(|since| Timestamp::from_millisecond(since).ok());
        if change && !redacted.conversations.is_empty() {
            for &conversation in &redacted.conversations {
                self.parts.models.forget(&cache_key(conversation)).await;
            }
            let count = u32::try_from(redacted.conversations.len()).unwrap_or(u32::MAX);
            removed.push(place("state", count, None));
        }
        let report = ForgetReport {
            done: change,
            words: redaction.words().to_vec(),
            offered: Vec::new(),
            removed,
            history_until,
            backups: Vec::new(),
            found: Vec::new(),
            running: 0,
        };
        Ok((report, since))
    }

    /// Lists the backups that may contain the words, with their dates; backups are never changed. A backup on a disk
    /// that is not connected is listed too. A backup from before the words were stored is not.
    async fn backups(&self, since: Option<Timestamp>) -> Result<Vec<BackupCopy>, CompanionError> {
        let noted = self.parts.store.noted_backups().await?;
        let here = &self.parts.places.backups;
        let mut copies = kept_in(here);
        for (name, made_at) in &mut copies {
            let noted = noted.iter().find(|(file, _)| *file == here.join(&*name).to_string_lossy());
            *made_at = noted.map_or(*made_at, |(_, at)| *at);
        }
        for (file, made_at) in noted {
            let path = Path::new(&file);
            let is_away = !path.parent().is_some_and(Path::exists);
            if path.parent() != Some(here) && (path.exists() || is_away) {
                copies.push((file, made_at));
            }
        }
        copies.retain(|(_, made_at)| since.is_none_or(|since| since <= *made_at));
        copies.sort_by_key(|(_, made_at)| std::cmp::Reverse(*made_at));
        let told = |(file, made_at): (String, Timestamp)| BackupCopy { file, made_at: made_at.to_string() };
        Ok(copies.into_iter().map(told).collect())
    }

    /// Sweeps the current memory files. Also returns the time until which their history keeps the words.
    async fn in_memory_files(
        &self,
        user: &User,
        redaction: &Redaction,
        change: bool,
    ) -> Result<(Option<ForgottenPlace>, Option<String>), CompanionError> {
        let files = self.parts.memory.forget_in_files(user.id, redaction.clone(), change).await;
        let files = files.map_err(|error| CompanionError::Failed(error.to_string()))?;
        let due = self.parts.clock.now().saturating_add(GRACE).unwrap_or(Timestamp::MAX);
        if !files.later.is_empty() {
            let changes = serde_json::to_string(&files.later).unwrap_or_default();
            self.parts.store.add_file_chore(user.id, due, changes).await?;
        }
        if files.files > 0 && change {
            self.parts.memory.drop_stray_vectors().await?;
        }
        let lasts = if change { !files.later.is_empty() } else { files.files > 0 };
        let found = (files.files > 0).then(|| place("files", files.files, files.example.filter(|_| !change)));
        Ok((found, lasts.then(|| due.to_string())))
    }

    /// Sweeps the audit log, the named values, and the terminal input history.
    async fn in_plain_files(
        &self,
        user: &User,
        redaction: &Redaction,
        change: bool,
    ) -> Result<Vec<ForgottenPlace>, CompanionError> {
        let (audit, redaction, id) = (Arc::clone(&self.parts.audit), redaction.clone(), user.id);
        let values = self.parts.folders.of(user).join("state.json");
        let typed = user.owner.then(|| self.parts.places.typed.clone());
        let work = tokio::task::spawn_blocking(move || -> std::io::Result<Vec<ForgottenPlace>> {
            let mut removed = Vec::new();
            let entries = audit.redact(id, |entry| redact_entry(entry, &redaction), change)?;
            if entries > 0 {
                removed.push(place("audit", entries, None));
            }
            let of_values = |text: &str| redacted_json(text, &redaction);
            let of_typed = |text: &str| redacted_lines(text, &redaction);
            let mut changed = u32::from(rewritten(&values, of_values, change)?);
            if let Some(typed) = typed {
                changed += u32::from(rewritten(&typed, of_typed, change)?);
            }
            if changed > 0 {
                removed.push(place("other", changed, None));
            }
            Ok(removed)
        });
        let failed = |error: String| CompanionError::Failed(error);
        work.await.map_err(|error| failed(error.to_string()))?.map_err(|error| failed(error.to_string()))
    }
}

/// Returns true if a file contains the words. They are removed if `change` is set.
fn rewritten(file: &Path, redact: impl Fn(&str) -> Option<String>, change: bool) -> std::io::Result<bool> {
    let Ok(text) = std::fs::read_to_string(file) else { return Ok(false) };
    let Some(after) = redact(&text) else { return Ok(false) };
    if change {
        host::atomic_write_private(file, after.as_bytes()).map_err(std::io::Error::other)?;
    }
    Ok(true)
}

fn redact_entry(entry: &mut AuditEntry, redaction: &Redaction) -> bool {
    let mut changed = redact_value(&mut entry.args, redaction, false);
    for text in std::iter::once(&mut entry.result).chain(&mut entry.why) {
        if let Some(after) = redaction.redact(text) {
            *text = after;
            changed = true;
        }
    }
    changed
}

fn redacted_json(text: &str, redaction: &Redaction) -> Option<String> {
    let Ok(mut value) = serde_json::from_str(text) else { return redaction.redact(text) };
    let pretty = |value| serde_json::to_string_pretty(value).unwrap_or_default();
    redact_value(&mut value, redaction, false).then(|| pretty(&value))
}

/// Redacts a text line by line. Within a line, a typed line break is written as `\n`.
fn redacted_lines(text: &str, redaction: &Redaction) -> Option<String> {
    let mut changed = false;
    let lines = text.lines().map(|line| {
        // Otherwise the `n` of `\n` would join the next word and hide it.
        let spaced = line.replace("\\n", " \\n ");
        match redaction.redact(&spaced) {
            Some(after) => {
                changed = true;
                after.replace(" \\n ", "\\n") + "\n"
            }
            None => format!("{line}\n"),
        }
    });
    let after: String = lines.collect();
    changed.then_some(after)
}

fn place(name: &str, count: u32, example: Option<String>) -> ForgottenPlace {
    ForgottenPlace { place: name.to_owned(), count, example }
}

fn kept_in(folder: &Path) -> Vec<(String, Timestamp)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let made = entry.metadata().ok()?.modified().ok()?;
            Some((entry.file_name().to_string_lossy().into_owned(), Timestamp::try_from(made).ok()?))
        })
        .collect()
}
