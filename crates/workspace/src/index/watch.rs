//! Reports changed files as soon as they change.
//!
//! On systems that require it, each folder is watched separately, and only folders that can contain included files: the
//! ignored ones can outnumber the available watches.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use thiserror::Error;

use crate::listing::WalkScope;
use crate::path::WorkspacePath;
use crate::workspace::{IGNORE_FILES, Workspace};

/// The time without events after which changes are reported.
const QUIET: Duration = Duration::from_millis(100);
/// The maximum delay of a report if the events do not stop.
const LONGEST: Duration = Duration::from_secs(2);
/// The maximum number of watched folders. All programs of a user share the system's watches.
const MOST_FOLDERS: usize = 50_000;
/// Above this number of paths, a full refresh is requested.
const MOST_PATHS: usize = 1_000;

/// A reported change of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileEvents {
    /// These files, or contents of these folders, have changed.
    Some(Vec<WorkspacePath>),
    /// More changes than can be listed; a full refresh is needed.
    All,
    /// The watch has failed and reports nothing more. Callers need a full refresh each time.
    Stopped(WatchError),
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WatchError {
    #[error(
        "changes to the files are not noticed at once, since the system has no watches left. They are looked for before \
         each use instead. To allow more, raise fs.inotify.max_user_watches"
    )]
    NoneLeft,
    #[error(
        "changes to the files are not noticed at once, since there are too many folders. They are looked for before each \
         use instead. List what does not matter in .perigeeignore"
    )]
    TooMany,
    #[error(
        "changes to the files are not noticed at once ({0}). They are looked for before each use instead"
    )]
    Failed(String),
}

impl From<notify::Error> for WatchError {
    fn from(error: notify::Error) -> Self {
        match error.kind {
            notify::ErrorKind::MaxFilesWatch => Self::NoneLeft,
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// A running watch. Dropping it stops it and waits for the callback to return.
pub struct FileWatch {
    to_thread: Sender<Message>,
    thread: Option<JoinHandle<()>>,
    is_watching: Arc<AtomicBool>,
}

enum Message {
    Event(notify::Result<Event>),
    Stop,
}

impl FileWatch {
    /// Starts watching. `notify` is called on a separate thread, one call at a time.
    pub fn start(
        workspace: &Workspace,
        notify: impl FnMut(FileEvents) + Send + 'static,
    ) -> Result<Self, WatchError> {
        Self::start_with(workspace, MOST_FOLDERS, notify)
    }

    fn start_with(
        workspace: &Workspace,
        most: usize,
        mut notify: impl FnMut(FileEvents) + Send + 'static,
    ) -> Result<Self, WatchError> {
        let (to_thread, events) = channel();
        let sender = to_thread.clone();
        let watcher = notify::recommended_watcher(move |event| {
            let is_of_interest = !matches!(&event, Ok(event) if is_read_only(event));
            if is_of_interest {
                let _ = sender.send(Message::Event(event));
            }
        })?;
        let mut folder_watches =
            Watches { workspace: workspace.clone(), watcher, folders: BTreeSet::new(), most };
        folder_watches.begin()?;
        let is_watching = Arc::new(AtomicBool::new(true));
        let watching = is_watching.clone();
        let thread = std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
            while let Some(batch) = EventBatch::collect(&events, &folder_watches) {
                let events = folder_watches.update(batch).unwrap_or_else(FileEvents::Stopped);
                let is_last = matches!(events, FileEvents::Stopped(_));
                if is_last {
                    watching.store(false, Ordering::Release);
                }
                if events != FileEvents::Some(Vec::new()) {
                    notify(events);
                }
                if is_last {
                    break;
                }
            }
        });
        let thread = thread.map_err(|error| WatchError::Failed(error.to_string()))?;
        Ok(Self { to_thread, thread: Some(thread), is_watching })
    }

    /// Returns true while changes are reported. If false, callers must refresh the whole index.
    pub fn is_watching(&self) -> bool {
        self.is_watching.load(Ordering::Acquire)
    }
}

impl Drop for FileWatch {
    fn drop(&mut self) {
        let _ = self.to_thread.send(Message::Stop);
        let is_itself = |thread: &JoinHandle<()>| thread.thread().id() == std::thread::current().id();
        if let Some(thread) = self.thread.take().filter(|thread| !is_itself(thread)) {
            let _ = thread.join();
        }
    }
}

/// Returns true for read-only access to a file, which Perigee itself causes all the time.
fn is_read_only(event: &Event) -> bool {
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        EventKind::Access(_) => true,
        _ => false,
    }
}

/// The events collected until they paused.
#[derive(Default)]
struct EventBatch {
    paths: BTreeSet<WorkspacePath>,
    is_all: bool,
    failed: Option<WatchError>,
}

impl EventBatch {
    /// Waits for events and collects them. Returns `None` when the watch is stopped.
    fn collect(events: &Receiver<Message>, watches: &Watches) -> Option<Self> {
        let mut batch = Self::default();
        let Message::Event(event) = events.recv().ok()? else { return None };
        batch.note(event, watches);
        let until = Instant::now() + LONGEST;
        loop {
            let wait = QUIET.min(until.saturating_duration_since(Instant::now()));
            match events.recv_timeout(wait) {
                Ok(Message::Event(event)) => batch.note(event, watches),
                Err(RecvTimeoutError::Timeout) => return Some(batch),
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn note(&mut self, event: notify::Result<Event>, watches: &Watches) {
        match event {
            Ok(event) if event.need_rescan() => self.is_all = true,
            Ok(event) => {
                self.paths.extend(event.paths.iter().filter_map(|path| watches.workspace_path(path)));
            }
            Err(error) => match WatchError::from(error) {
                WatchError::NoneLeft => self.failed = Some(WatchError::NoneLeft),
                // The error concerns one path, but events of others may have been lost as well.
                _ => self.is_all = true,
            },
        }
        self.is_all |= self.paths.len() > MOST_PATHS;
    }
}

struct Watches {
    workspace: Workspace,
    watcher: RecommendedWatcher,
    /// The watched folders without the root.
    folders: BTreeSet<WorkspacePath>,
    most: usize,
}

impl Watches {
    /// True if a watch covers a single folder only, so each needs its own.
    const EACH: bool = cfg!(any(target_os = "linux", target_os = "android"));

    fn begin(&mut self) -> Result<(), WatchError> {
        let mode = if Self::EACH { RecursiveMode::NonRecursive } else { RecursiveMode::Recursive };
        self.watcher.watch(self.workspace.path(), mode)?;
        self.cover(&WalkScope::All, &[])
    }

    /// Returns the workspace path of an event if it can be an included file.
    fn workspace_path(&self, path: &Path) -> Option<WorkspacePath> {
        let path = path.strip_prefix(self.workspace.path()).ok()?;
        let path = WorkspacePath::parse(path.to_str()?).ok()?;
        let is_in_sight = match path.folder() {
            None => true,
            Some(folder) => WorkspacePath::parse(folder).is_ok_and(|folder| self.folders.contains(&folder)),
        };
        is_in_sight.then_some(path)
    }

    /// Updates the watches for added and removed folders and returns the change to report.
    fn update(&mut self, batch: EventBatch) -> Result<FileEvents, WatchError> {
        if let Some(error) = batch.failed {
            return Err(error);
        }
        let is_rule = |path: &WorkspacePath| IGNORE_FILES.contains(&path.name());
        if batch.is_all || batch.paths.iter().any(|path| is_rule(path) && path.folder().is_none()) {
            self.cover(&WalkScope::All, &[])?;
            return Ok(FileEvents::All);
        }
        let mut paths: Vec<WorkspacePath> = batch.paths.into_iter().collect();
        // An ignore file affects its whole folder.
        for path in &mut paths {
            if is_rule(path)
                && let Some(folder) = path.folder().and_then(|folder| WorkspacePath::parse(folder).ok())
            {
                *path = folder;
            }
        }
        let is_folder = |path: &&WorkspacePath| {
            self.folders.contains(*path) || self.workspace.path().join(path.as_str()).is_dir()
        };
        let folders: Vec<WorkspacePath> = paths.iter().filter(is_folder).cloned().collect();
        if !folders.is_empty() {
            self.cover(&WalkScope::of(&folders), &folders)?;
        }
        paths.sort_unstable();
        paths.dedup();
        Ok(FileEvents::Some(paths))
    }

    /// Watches exactly the included folders within a part of the workspace.
    fn cover(&mut self, scope: &WalkScope, parts: &[WorkspacePath]) -> Result<(), WatchError> {
        let is_of_it =
            |folder: &WorkspacePath| parts.is_empty() || parts.iter().any(|part| folder.is_in(part));
        let old: Vec<WorkspacePath> =
            self.folders.iter().filter(|folder| is_of_it(folder)).cloned().collect();
        let there: BTreeSet<WorkspacePath> = self.workspace.folders(scope).into_iter().collect();
        // Old watches are removed first: a moved folder keeps its watch, which reports the old name.
        for folder in old {
            let is_kept = parts.is_empty() && there.contains(&folder);
            if !is_kept {
                self.unwatch(&folder);
            }
        }
        // Folders created in the meantime are found by listing again.
        let mut missing = there;
        loop {
            missing.retain(|folder| !self.folders.contains(folder));
            if missing.is_empty() {
                return Ok(());
            }
            for folder in &missing {
                self.watch(folder)?;
            }
            missing = self.workspace.folders(scope).into_iter().collect();
        }
    }

    fn watch(&mut self, folder: &WorkspacePath) -> Result<(), WatchError> {
        if self.folders.len() >= self.most {
            return Err(WatchError::TooMany);
        }
        self.folders.insert(folder.clone());
        if Self::EACH {
            let path = self.workspace.path().join(folder.as_str());
            match self.watcher.watch(&path, RecursiveMode::NonRecursive) {
                Err(error) if matches!(error.kind, notify::ErrorKind::MaxFilesWatch) => {
                    return Err(WatchError::NoneLeft);
                }
                // The folder is gone or not readable, so there is nothing to watch.
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn unwatch(&mut self, folder: &WorkspacePath) {
        self.folders.remove(folder);
        if Self::EACH {
            // This fails if the folder is gone, and then the watch is gone as well.
            let _ = self.watcher.unwatch(&self.workspace.path().join(folder.as_str()));
        }
    }
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
