//! Bringing the index up to what the disk says.

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

/// So many files are written at once, so that one who looks meanwhile waits little, and nearly nothing is lost where
/// the program ends.
const BATCH: usize = 512;
const BATCH_TIME: Duration = Duration::from_secs(1);
/// Beyond so many, the whole is looked through: that is quicker than to look for each.
const MOST_PATHS: usize = 1_000;
/// What can change which files are in play.
pub(super) const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", IGNORE_FILE];

/// How far a refresh is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    pub done: usize,
    /// How many files are to be read; those that did not change are not.
    pub total: usize,
    pub path: &'a WorkspacePath,
}

/// What a refresh found. Each file counts once.
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
    /// Looks through the whole workspace and reads what is new or has changed. Two at once do it one after the other.
    pub fn refresh(
        &self,
        progress: &dyn Fn(Progress<'_>),
        cancel: Cancel<'_>,
    ) -> Result<Refreshed, IndexError> {
        match self.bring_up(&Scope::All, &[], progress, cancel) {
            // It is empty meanwhile, so that this time everything is read.
            Err(IndexError::Code(CodeIndexError::Damaged(_))) => {
                self.bring_up(&Scope::All, &[], progress, cancel)
            }
            result => result,
        }
    }

    /// Looks at some files, or at all that is in some folders: at once, however large the workspace is.
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
        // An empty folder is one thing, and none at all is another.
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
        // First what is gone: an index that names less is of more use than one that names what is not there.
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

    /// Reads files on all cores, and writes down what was found as it comes.
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
                        // Nobody listens any more where writing failed or somebody stopped it.
                        if sender.send((&found.path, known, look(root, found, known.as_ref()))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut batch, mut since) = (CodeBatch::default(), Instant::now());
            // Taken into the scope, so that it is gone when this ends, whichever way.
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
