//! Brings the index up to date with the files on disk.

use std::collections::HashMap;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use store::{CodeBatch, CodeIndexError, IndexFile};

use super::error::IndexError;
use super::reading::{IndexedState, read_file, stamp};
use super::workspace_index::WorkspaceIndex;
use crate::listing::{WalkScope, WalkedFile};
use crate::path::WorkspacePath;
use crate::workspace::IGNORE_FILES;

/// The number of files per write transaction. Small batches keep readers from waiting and lose little if the process
/// dies.
const BATCH: usize = 512;
const BATCH_TIME: Duration = Duration::from_secs(1);
/// Above this number of paths, a full refresh is faster than looking up each one.
const MOST_PATHS: usize = 1_000;

/// The progress of a refresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshProgress<'a> {
    pub done: usize,
    /// The number of files to read, without unchanged ones.
    pub total: usize,
    pub path: &'a WorkspacePath,
}

/// The result of a refresh. Each file counts once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RefreshCounts {
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
    pub unchanged: usize,
}

type Cancel<'a> = &'a (dyn Fn() -> bool + Sync);

impl WorkspaceIndex {
    /// Scans the whole workspace and reads new and changed files. Concurrent calls run one after the other.
    pub fn refresh(
        &self,
        progress: &dyn Fn(RefreshProgress<'_>),
        cancel: Cancel<'_>,
    ) -> Result<RefreshCounts, IndexError> {
        match self.run_refresh(&WalkScope::All, &[], progress, cancel) {
            // A damaged index has been emptied, so the second attempt reads everything.
            Err(IndexError::Code(CodeIndexError::Damaged(_))) => {
                self.run_refresh(&WalkScope::All, &[], progress, cancel)
            }
            result => result,
        }
    }

    /// Refreshes the given files and the contents of the given folders. The time does not depend on the size of the
    /// workspace.
    pub fn update(&self, paths: &[WorkspacePath]) -> Result<RefreshCounts, IndexError> {
        if paths.is_empty() {
            return Ok(RefreshCounts::default());
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
        match self.run_refresh(&WalkScope::of(&wanted), &wanted, &|_| (), &|| false) {
            Err(IndexError::Code(CodeIndexError::Damaged(_))) => self.refresh(&|_| (), &|| false),
            result => result,
        }
    }

    fn run_refresh(
        &self,
        scope: &WalkScope,
        paths: &[WorkspacePath],
        progress: &dyn Fn(RefreshProgress<'_>),
        cancel: Cancel<'_>,
    ) -> Result<RefreshCounts, IndexError> {
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
        let mut refreshed = RefreshCounts::default();
        let mut work: Vec<(WalkedFile, Option<IndexFile>)> = Vec::new();
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
        scope: &WalkScope,
        paths: &[WorkspacePath],
    ) -> Result<HashMap<String, IndexFile>, IndexError> {
        let mut files = Vec::new();
        match scope {
            WalkScope::All => files = self.code.files()?,
            WalkScope::Some(_) => {
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
        work: &[(WalkedFile, Option<IndexFile>)],
        refreshed: &mut RefreshCounts,
        progress: &dyn Fn(RefreshProgress<'_>),
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
                        if sender.send((&found.path, known, read_file(root, found, known.as_ref()))).is_err()
                        {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut batch, mut since) = (CodeBatch::default(), Instant::now());
            // Moved into the scope, so it is dropped on every exit path and the workers stop.
            let receiver = receiver;
            for (done, (path, known, state)) in (1..).zip(&receiver) {
                progress(RefreshProgress { done, total: work.len(), path });
                refreshed.count(&mut batch, path, known.is_some(), state);
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

impl RefreshCounts {
    fn count(&mut self, batch: &mut CodeBatch, path: &WorkspacePath, is_known: bool, state: IndexedState) {
        match state {
            IndexedState::Gone if is_known => {
                self.removed += 1;
                batch.removed.push(path.as_str().to_owned());
            }
            IndexedState::Gone => {}
            IndexedState::Unchanged(file) => {
                self.unchanged += 1;
                batch.touched.push(file);
            }
            IndexedState::Changed(file) => {
                *if is_known { &mut self.changed } else { &mut self.added } += 1;
                batch.files.push(*file);
            }
        }
    }
}
