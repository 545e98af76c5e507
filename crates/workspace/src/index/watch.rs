//! Being told which files change, as soon as they do.
//!
//! Folders are watched one by one where the kernel wants it so, and only those in which files can be in play: what is
//! ignored can hold more folders than there are watches.

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

use super::refreshing::IGNORE_FILES;
use crate::listing::Scope;
use crate::path::WorkspacePath;
use crate::root::Workspace;

/// Something is told after so long a silence.
const QUIET: Duration = Duration::from_millis(100);
/// Somebody who never is silent is heard nevertheless.
const LONGEST: Duration = Duration::from_secs(2);
/// So many folders at most. Watches are shared by all programs of a user.
const MOST_FOLDERS: usize = 50_000;
/// Beyond so many paths, the whole is to be looked through.
const MOST_PATHS: usize = 1_000;

/// What happened in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// Something about these files, or about what is in these folders.
    Some(Vec<WorkspacePath>),
    /// More than could be noted: all is to be looked through.
    All,
    /// This is the last that is told. Whoever wants to know looks through all, each time.
    NoMore(WatchError),
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

/// Watches for as long as it is held. To drop it waits for what is being told.
pub struct Watch {
    to_thread: Sender<Message>,
    thread: Option<JoinHandle<()>>,
    is_watching: Arc<AtomicBool>,
}

enum Message {
    Event(notify::Result<Event>),
    Stop,
}

impl Watch {
    /// From here on everything is told. `tell` is called from a thread of its own, one call after the other.
    pub fn start(workspace: &Workspace, tell: impl FnMut(Seen) + Send + 'static) -> Result<Self, WatchError> {
        Self::start_with(workspace, MOST_FOLDERS, tell)
    }

    fn start_with(
        workspace: &Workspace,
        most: usize,
        mut tell: impl FnMut(Seen) + Send + 'static,
    ) -> Result<Self, WatchError> {
        let (to_thread, events) = channel();
        let sender = to_thread.clone();
        let watcher = notify::recommended_watcher(move |event| {
            let is_of_interest = !matches!(&event, Ok(event) if is_only_a_look(event));
            if is_of_interest {
                let _ = sender.send(Message::Event(event));
            }
        })?;
        let mut covered = Watches { workspace: workspace.clone(), watcher, folders: BTreeSet::new(), most };
        covered.begin()?;
        let is_watching = Arc::new(AtomicBool::new(true));
        let watching = is_watching.clone();
        let thread = std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
            while let Some(noted) = Noted::gather(&events, &covered) {
                let seen = covered.follow(noted).unwrap_or_else(Seen::NoMore);
                let is_last = matches!(seen, Seen::NoMore(_));
                if is_last {
                    watching.store(false, Ordering::Release);
                }
                if seen != Seen::Some(Vec::new()) {
                    tell(seen);
                }
                if is_last {
                    break;
                }
            }
        });
        let thread = thread.map_err(|error| WatchError::Failed(error.to_string()))?;
        Ok(Self { to_thread, thread: Some(thread), is_watching })
    }

    /// Whether changes are told. Where they are not, whoever wants to know looks through all.
    pub fn is_watching(&self) -> bool {
        self.is_watching.load(Ordering::Acquire)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.to_thread.send(Message::Stop);
        let is_itself = |thread: &JoinHandle<()>| thread.thread().id() == std::thread::current().id();
        if let Some(thread) = self.thread.take().filter(|thread| !is_itself(thread)) {
            let _ = thread.join();
        }
    }
}

/// Somebody opened a file and changed nothing: we ourselves do, all the time.
fn is_only_a_look(event: &Event) -> bool {
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        EventKind::Access(_) => true,
        _ => false,
    }
}

/// What came until there was silence.
#[derive(Default)]
struct Noted {
    paths: BTreeSet<WorkspacePath>,
    is_all: bool,
    failed: Option<WatchError>,
}

impl Noted {
    /// Nothing where it is over.
    fn gather(events: &Receiver<Message>, watches: &Watches) -> Option<Self> {
        let mut noted = Self::default();
        let Message::Event(event) = events.recv().ok()? else { return None };
        noted.note(event, watches);
        let until = Instant::now() + LONGEST;
        loop {
            let wait = QUIET.min(until.saturating_duration_since(Instant::now()));
            match events.recv_timeout(wait) {
                Ok(Message::Event(event)) => noted.note(event, watches),
                Err(RecvTimeoutError::Timeout) => return Some(noted),
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn note(&mut self, event: notify::Result<Event>, watches: &Watches) {
        match event {
            Ok(event) if event.need_rescan() => self.is_all = true,
            Ok(event) => self.paths.extend(event.paths.iter().filter_map(|path| watches.place(path))),
            Err(error) => match WatchError::from(error) {
                WatchError::NoneLeft => self.failed = Some(WatchError::NoneLeft),
                // Of one path, and others may have been lost with it.
                _ => self.is_all = true,
            },
        }
        self.is_all |= self.paths.len() > MOST_PATHS;
    }
}

struct Watches {
    workspace: Workspace,
    watcher: RecommendedWatcher,
    /// Those that are watched, but for the root.
    folders: BTreeSet<WorkspacePath>,
    most: usize,
}

impl Watches {
    /// One watch sees only one folder.
    const EACH: bool = cfg!(any(target_os = "linux", target_os = "android"));

    fn begin(&mut self) -> Result<(), WatchError> {
        let mode = if Self::EACH { RecursiveMode::NonRecursive } else { RecursiveMode::Recursive };
        self.watcher.watch(self.workspace.path(), mode)?;
        self.cover(&Scope::All, &[])
    }

    /// The name of what an event is about, where that can be in play.
    fn place(&self, path: &Path) -> Option<WorkspacePath> {
        let path = path.strip_prefix(self.workspace.path()).ok()?;
        let path = WorkspacePath::parse(path.to_str()?).ok()?;
        let is_in_sight = match path.folder() {
            None => true,
            Some(folder) => WorkspacePath::parse(folder).is_ok_and(|folder| self.folders.contains(&folder)),
        };
        is_in_sight.then_some(path)
    }

    /// Follows the folders that came and went, and says what is to be told.
    fn follow(&mut self, noted: Noted) -> Result<Seen, WatchError> {
        if let Some(error) = noted.failed {
            return Err(error);
        }
        let is_rule = |path: &WorkspacePath| IGNORE_FILES.contains(&path.name());
        if noted.is_all || noted.paths.iter().any(|path| is_rule(path) && path.folder().is_none()) {
            self.cover(&Scope::All, &[])?;
            return Ok(Seen::All);
        }
        let mut paths: Vec<WorkspacePath> = noted.paths.into_iter().collect();
        // What a rule says holds for its folder.
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
            self.cover(&Scope::of(&folders), &folders)?;
        }
        paths.sort_unstable();
        paths.dedup();
        Ok(Seen::Some(paths))
    }

    /// Watches the folders of a part of the workspace, and no others there.
    fn cover(&mut self, scope: &Scope, parts: &[WorkspacePath]) -> Result<(), WatchError> {
        let is_of_it =
            |folder: &WorkspacePath| parts.is_empty() || parts.iter().any(|part| folder.is_in(part));
        let old: Vec<WorkspacePath> =
            self.folders.iter().filter(|folder| is_of_it(folder)).cloned().collect();
        let there: BTreeSet<WorkspacePath> = self.workspace.folders(scope).into_iter().collect();
        // First away, then there: a folder that was moved has one watch, which goes by its old name.
        for folder in old {
            let is_kept = parts.is_empty() && there.contains(&folder);
            if !is_kept {
                self.leave(&folder);
            }
        }
        // What is made while this goes on is found by looking once more.
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
                // It is gone again, or shut: there is nothing to be seen.
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn leave(&mut self, folder: &WorkspacePath) {
        self.folders.remove(folder);
        if Self::EACH {
            // Where it is gone, so is its watch.
            let _ = self.watcher.unwatch(&self.workspace.path().join(folder.as_str()));
        }
    }
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
