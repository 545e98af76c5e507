//! Brings the index up to date with the files on disk.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use store::{CodeBatch, CodeIndexError, IndexFile};
use thiserror::Error;

use super::Index;
use super::looking::{Look, look, stamp};
use crate::listing::{Found, Scope};
use crate::path::WorkspacePath;
use crate::root::IGNORE_FILE;

/// The number of files per write transaction. Small batches keep readers from waiting and lose little if the process
/// dies.
const BATCH: usize = 512;
const BATCH_TIME: Duration = Duration::from_secs(1);
/// Above this number of paths, a full refresh is faster than looking up each one.
const MOST_PATHS: usize = 1_000;
/// The files whose change can change the set of included files.
pub(super) const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", IGNORE_FILE];

/// The progress of a refresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    pub done: usize,
    /// The number of files to read, without unchanged ones.
    pub total: usize,
    pub path: &'a WorkspacePath,
}

/// The result of a refresh. Each file counts once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Refreshed {
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
    pub unchanged: usize,
}

#[derive(Debug, Error)]
pub enum IndexError {
    #[error("the files were not all read, since somebody stopped it. What was read is kept")]
    Stopped,
    #[error("the folder {} is not there any more. What is known of it is kept", .0.display())]
    Gone(PathBuf),
    #[error(transparent)]
    Code(#[from] CodeIndexError),
}

type Cancel<'a> = &'a (dyn Fn() -> bool + Sync);

impl Index {
    /// Scans the whole workspace and reads new and changed files. Concurrent calls run one after the other.
    pub fn refresh(
        &self,
        progress: &dyn Fn(Progress<'_>),
        cancel: Cancel<'_>,
    ) -> Result<Refreshed, IndexError> {
        match self.bring_up(&Scope::All, &[], progress, cancel) {
            // A damaged index has been emptied, so the second attempt reads everything.
            Err(IndexError::Code(CodeIndexError::Damaged(_))) => {
                self.bring_up(&Scope::All, &[], progress, cancel)
            }
            result => result,
        }
    }

    /// Refreshes the given files and the contents of the given folders. The time does not depend on the size of the
    /// workspace.
    pub fn update(&self, paths: &[WorkspacePath]) -> Result<Refreshed, IndexError> {
        if paths.is_empty() {
            return Ok(Refreshed::default());
        }
        let mut wanted = Vec::with_capacity(paths.len());
        for path in paths {
            match path.folder() {
                _ if !IGNORE_FILES.contains(&path.name()) => wanted.push(path.clone()),
                Some(folder) => wanted.extend(WorkspacePath::parse(folder)),
                None => return self.refresh(&|_| (), &|| false),
            }
        }
        if wanted.len() > MOST_PATHS {
            return self.refresh(&|_| (), &|| false);
        }
        match self.bring_up(&Scope::of(&wanted), &wanted, &|_| (), &|| false) {
            Err(IndexError::Code(CodeIndexError::Damaged(_))) => self.refresh(&|_| (), &|| false),
            result => result,
        }
    }

    fn bring_up(
        &self,
        scope: &Scope,
        paths: &[WorkspacePath],
        progress: &dyn Fn(Progress<'_>),
        cancel: Cancel<'_>,
    ) -> Result<Refreshed, IndexError> {
        let _one = self.refreshing.lock().unwrap_or_else(PoisonError::into_inner);
        let found = self.workspace.walk(scope, cancel);
        if cancel() {
            return Err(IndexError::Stopped);
        }
        // An empty folder empties the index; a missing one must not.
        if found.is_empty() && !self.workspace.path().is_dir() {
            return Err(IndexError::Gone(self.workspace.path().to_owned()));
        }
        let mut known = self.known(scope, paths)?;
        let mut refreshed = Refreshed::default();
        let mut work: Vec<(Found, Option<IndexFile>)> = Vec::new();
        for found in found {
            let known = known.remove(found.path.as_str());
            let is_same = known.as_ref().is_some_and(|known| {
                known.bytes == found.info.len() && known.stamp == Some(stamp(&found.info))
            });
            if is_same {
                refreshed.unchanged += 1;
            } else {
                work.push((found, known));
            }
        }
        // Removals come first: an incomplete index is more useful than one with files that do not exist.
        let removed: Vec<String> = known.into_keys().collect();
        refreshed.removed = removed.len();
        self.code.apply(&CodeBatch { removed, ..CodeBatch::default() })?;
        self.read_all(&work, &mut refreshed, progress, cancel)?;
        Ok(refreshed)
    }

    fn known(
        &self,
        scope: &Scope,
        paths: &[WorkspacePath],
    ) -> Result<HashMap<String, IndexFile>, IndexError> {
        let mut files = Vec::new();
        match scope {
            Scope::All => files = self.code.files()?,
            Scope::Some(_) => {
                for path in paths {
                    files.extend(self.code.files_at(path.as_str())?);
                }
            }
        }
        Ok(files.into_iter().map(|file| (file.path.clone(), file)).collect())
    }

    /// Reads files on all cores and stores the results as they arrive.
    fn read_all(
        &self,
        work: &[(Found, Option<IndexFile>)],
        refreshed: &mut Refreshed,
        progress: &dyn Fn(Progress<'_>),
        cancel: Cancel<'_>,
    ) -> Result<(), IndexError> {
        let root = self.workspace.root();
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(work.len());
        let (sender, receiver) = sync_channel(BATCH);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some((found, known)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // The receiver is gone after a write error or a cancellation.
                        if sender.send((&found.path, known, look(root, found, known.as_ref()))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut batch, mut since) = (CodeBatch::default(), Instant::now());
            // Moved into the scope, so it is dropped on every exit path and the workers stop.
            let receiver = receiver;
            for (done, (path, known, look)) in (1..).zip(&receiver) {
                progress(Progress { done, total: work.len(), path });
                refreshed.take(&mut batch, path, known.is_some(), look);
                if batch.files.len() >= BATCH || since.elapsed() > BATCH_TIME {
                    self.code.apply(&std::mem::take(&mut batch))?;
                    since = Instant::now();
                }
                if cancel() {
                    self.code.apply(&batch)?;
                    return Err(IndexError::Stopped);
                }
            }
            Ok(self.code.apply(&batch)?)
        })
    }
}

impl Refreshed {
    fn take(&mut self, batch: &mut CodeBatch, path: &WorkspacePath, is_known: bool, look: Look) {
        match look {
            Look::Gone if is_known => {
                self.removed += 1;
                batch.removed.push(path.as_str().to_owned());
            }
            Look::Gone => {}
            Look::Same(file) => {
                self.unchanged += 1;
                batch.touched.push(file);
            }
            Look::Fresh(file) => {
                *if is_known { &mut self.changed } else { &mut self.added } += 1;
                batch.files.push(*file);
            }
        }
    }
}
