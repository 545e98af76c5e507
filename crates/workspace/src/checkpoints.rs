//! Checkpoints: restorable snapshots of a workspace. They are kept in a separate git repository in Perigee's data
//! directory, so the user's own repository is never touched and git's conversions (filters, line endings) are not
//! applied to the files.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use git2::{
    Commit, Index, IndexEntry, IndexTime, ObjectType, Oid, Repository, Signature, TreeWalkMode,
    TreeWalkResult,
};
use host::{FileError, RootDir, RootError};
use thiserror::Error;

use crate::change::{MOST_BYTES, OverlayError};
use crate::disk::read_from_disk;
use crate::listing::{WalkScope, WalkedFile};
use crate::overlay::Overlay;
use crate::path::WorkspacePath;
use crate::workspace::Workspace;

/// The number of checkpoints that pruning keeps. Pruning runs once there are more than twice as many.
const MOST_KEPT: usize = 50;
/// The minimum age of a modification before a file's timestamps are trusted. A file modified shortly before it was read
/// may have been modified again with the same timestamp.
const CERTAIN: Duration = Duration::from_secs(2);
const REFS: &str = "refs/checkpoints/";
const PLAIN: u32 = 0o100_644;
const EXECUTABLE: u32 = 0o100_755;

#[derive(Debug, Error)]
pub enum CheckpointError {
    #[error("the checkpoints of the workspace cannot be used: {}", .0.message())]
    Git(#[from] git2::Error),
    #[error("this checkpoint no longer exists")]
    Gone,
    #[error(transparent)]
    Overlay(#[from] OverlayError),
    #[error(transparent)]
    Root(#[from] RootError),
    #[error(transparent)]
    File(#[from] FileError),
}

/// The checkpoints of one workspace.
#[derive(Debug, Clone)]
pub struct Checkpoints {
    repository: PathBuf,
}

impl Checkpoints {
    pub fn new(repository: PathBuf) -> Self {
        Self { repository }
    }

    /// Stores the current files and returns the name of the checkpoint. Files unchanged since the last checkpoint are
    /// not read again.
    pub fn store(&self, workspace: &Workspace) -> Result<String, CheckpointError> {
        self.restore_old_repository()?;
        let repository = Repository::init_bare(&self.repository)?;
        let file = self.repository.join("index");
        self.remove_stale_lock()?;
        let read_until = file.metadata().and_then(|info| info.modified()).ok();
        let mut index = Index::open(&file)?;
        let known: HashMap<Vec<u8>, IndexEntry> =
            index.iter().map(|entry| (entry.path.clone(), entry)).collect();
        index.clear()?;
        let mut left_out = Vec::new();
        for found in workspace.walk(&WalkScope::All, &|| false) {
            let mut entry = entry(&found);
            if let Some(known) = known.get(&entry.path).filter(|known| is_same(known, &entry, read_until)) {
                entry.id = known.id;
            } else if let Ok(bytes) = workspace.root().read(&found.path, MOST_BYTES) {
                entry.id = repository.blob(&bytes)?;
            } else {
                // The file is gone, too large or unreadable, so Luna could not change it either.
                left_out.push(found.path.to_string());
                continue;
            }
            index.add(&entry)?;
        }
        index.write()?;
        let tree = repository.find_tree(index.write_tree_to(&repository)?)?;
        let us = Signature::now("Perigee", "perigee@localhost")?;
        let commit = repository.commit(None, &us, &us, &left_out.join("\n"), &tree, &[])?;
        let number = stored(&repository)?.last().map_or(0, |(number, _)| number + 1);
        repository.reference(&named(number, commit), commit, true, "")?;
        self.drop_oldest(&repository)?;
        Ok(commit.to_string())
    }

    fn repository(&self) -> Result<Repository, CheckpointError> {
        self.restore_old_repository()?;
        Repository::open_bare(&self.repository).map_err(|_| CheckpointError::Gone)
    }

    /// Returns the folder of the repository, its name, and the names of its replacement and of the old one while it is
    /// being replaced.
    fn names(&self) -> Option<(&Path, String, String, String)> {
        let name = self.repository.file_name()?.to_string_lossy().into_owned();
        let (fresh, old) = (format!("{name}.new"), format!("{name}.old"));
        Some((self.repository.parent()?, name, fresh, old))
    }

    /// Restores the old repository if the program ended between the two renames of a replacement.
    fn restore_old_repository(&self) -> Result<(), CheckpointError> {
        if let Some((folder, name, _, old)) = self.names()
            && !self.repository.exists()
            && folder.join(&old).exists()
        {
            RootDir::open(folder)?.rename(old, name)?;
        }
        Ok(())
    }

    /// Removes a lock file left by a process that died while writing. This is safe because only Perigee uses this
    /// directory, and it stores one checkpoint at a time.
    fn remove_stale_lock(&self) -> Result<(), CheckpointError> {
        match RootDir::open(&self.repository)?.remove("index.lock") {
            Err(error) if !error.is_not_found() => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Returns the changes that lead from the current files back to those of a checkpoint.
    pub fn changes_back_to(&self, workspace: &Workspace, commit: &str) -> Result<Overlay, CheckpointError> {
        let repository = self.repository()?;
        let commit = Oid::from_str(commit).and_then(|id| repository.find_commit(id));
        let commit = commit.map_err(|_| CheckpointError::Gone)?;
        let files = files(&commit)?;
        let mut overlay = Overlay::new(workspace.root().clone());
        for (path, (id, mode)) in &files {
            let blob = repository.find_blob(*id)?;
            let now = read_from_disk(workspace.root(), path).ok().flatten();
            if now.as_ref().is_none_or(|now| now.bytes != blob.content()) {
                overlay.write(path, blob.content().to_vec())?;
            }
            let runs = now.and_then(|now| now.mode).is_some_and(|mode| mode & 0o111 != 0);
            if runs != (*mode == EXECUTABLE) {
                overlay.set_executable(path, *mode == EXECUTABLE)?;
            }
        }
        let left_out: Vec<&str> = commit.message().unwrap_or_default().lines().collect();
        let kept_at = SystemTime::UNIX_EPOCH
            + Duration::from_secs(u64::try_from(commit.time().seconds()).unwrap_or_default());
        for found in workspace.walk(&WalkScope::All, &|| false) {
            let is_old = files.contains_key(&found.path) || left_out.contains(&found.path.as_str());
            if !is_old && began(&found) >= kept_at && found.info.len() <= MOST_BYTES {
                overlay.delete(&found.path)?;
            }
        }
        Ok(overlay)
    }

    /// Returns the names of the stored checkpoints, oldest first.
    pub fn stored(&self) -> Result<Vec<String>, CheckpointError> {
        let repository = self.repository()?;
        Ok(stored(&repository)?.into_iter().map(|(_, id)| id.to_string()).collect())
    }

    /// Drops the oldest checkpoints when there are too many: the remaining ones are packed into a new repository, which
    /// replaces the old one.
    fn drop_oldest(&self, repository: &Repository) -> Result<(), CheckpointError> {
        let all = stored(repository)?;
        if all.len() <= 2 * MOST_KEPT {
            return Ok(());
        }
        let Some((folder, name, fresh_name, old_name)) = self.names() else { return Ok(()) };
        let fresh_path = folder.join(&fresh_name);
        let folder = RootDir::open(folder)?;
        for left in [&fresh_name, &old_name] {
            match folder.remove(left) {
                Err(error) if !error.is_not_found() => return Err(error.into()),
                _ => {}
            }
        }
        let fresh = Repository::init_bare(&fresh_path)?;
        let mut pack = repository.packbuilder()?;
        let stay = &all[all.len() - MOST_KEPT..];
        for (_, id) in stay {
            pack.insert_commit(*id)?;
        }
        pack.write(&fresh_path.join("objects/pack"), 0o600)?;
        for (number, id) in stay {
            fresh.reference(&named(*number, *id), *id, true, "")?;
        }
        folder.rename(&name, &old_name)?;
        folder.rename(&fresh_name, &name)?;
        Ok(folder.remove(&old_name)?)
    }
}

/// Returns the reference name of a checkpoint. It is numbered because several checkpoints may be stored within one
/// second.
fn named(number: u64, commit: Oid) -> String {
    format!("{REFS}{number:010}-{commit}")
}

/// Returns the numbers and commits of all checkpoints, oldest first.
fn stored(repository: &Repository) -> Result<Vec<(u64, Oid)>, git2::Error> {
    let mut all = Vec::new();
    for reference in repository.references_glob(&format!("{REFS}*"))? {
        let reference = reference?;
        let name = reference.name()?.strip_prefix(REFS).and_then(|name| name.split_once('-'));
        let number = name.and_then(|(number, _)| number.parse().ok());
        all.extend(number.zip(reference.target()));
    }
    all.sort_unstable();
    Ok(all)
}

/// Returns the files of a checkpoint with their blobs and file modes.
fn files(commit: &Commit<'_>) -> Result<HashMap<WorkspacePath, (Oid, u32)>, git2::Error> {
    let mut files = HashMap::new();
    commit.tree()?.walk(TreeWalkMode::PreOrder, |folder, entry| {
        let path = entry.name().ok().and_then(|name| WorkspacePath::parse(&format!("{folder}{name}")).ok());
        if let (Some(ObjectType::Blob), Some(path)) = (entry.kind(), path) {
            files.insert(path, (entry.id(), u32::try_from(entry.filemode()).unwrap_or(PLAIN)));
        }
        TreeWalkResult::Ok
    })?;
    Ok(files)
}

/// Returns the creation time of a file. A file that existed before the checkpoint but was ignored then must not be
/// deleted.
fn began(found: &WalkedFile) -> SystemTime {
    found.info.created().or_else(|_| found.info.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index keeps the lower half of each, and they are only compared with each other"
)]
fn entry(found: &WalkedFile) -> IndexEntry {
    let info = &found.info;
    let time = |seconds: i64, nanoseconds: i64| IndexTime::new(seconds as i32, nanoseconds as u32);
    IndexEntry {
        ctime: time(info.ctime(), info.ctime_nsec()),
        mtime: time(info.mtime(), info.mtime_nsec()),
        dev: info.dev() as u32,
        ino: info.ino() as u32,
        mode: if info.mode() & 0o111 == 0 { PLAIN } else { EXECUTABLE },
        uid: 0,
        gid: 0,
        file_size: info.len() as u32,
        id: Oid::ZERO_SHA1,
        flags: 0,
        flags_extended: 0,
        path: found.path.as_str().as_bytes().to_vec(),
    }
}

/// Returns true if a file is unchanged since it was last read.
fn is_same(known: &IndexEntry, now: &IndexEntry, read_until: Option<SystemTime>) -> bool {
    let seconds = Duration::from_secs(u64::try_from(now.mtime.seconds()).unwrap_or(u64::MAX));
    let is_certain = read_until.zip(SystemTime::UNIX_EPOCH.checked_add(seconds + CERTAIN));
    (known.mtime, known.ctime, known.ino, known.file_size, known.mode)
        == (now.mtime, now.ctime, now.ino, now.file_size, now.mode)
        && is_certain.is_some_and(|(read_until, changed)| changed < read_until)
}

#[cfg(test)]
#[path = "checkpoints_tests.rs"]
mod tests;
