//! All write access of the backup module to the file system.

// A backup is too large to be written from one buffer, and a restore moves whole folders. `host` supports neither, and
// only this module needs them, so all such calls are in this file.
#![allow(clippy::disallowed_methods)]

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use host::{FileError, hex, private_dir, random_bytes};
use jiff::{SignedDuration, Timestamp};

const WORKROOM: &str = ".work-";
/// The age from which a workroom is taken for one of a killed process; no backup or restore takes so long.
const ABANDONED: SignedDuration = SignedDuration::from_hours(24);

/// A private temporary folder that is removed when dropped.
#[derive(Debug)]
pub(super) struct TempFolder {
    path: PathBuf,
}

impl TempFolder {
    pub(super) fn make(backups: &Path) -> Result<Self, FileError> {
        private_dir(backups)?;
        let path = backups.join(format!("{WORKROOM}{}", hex(&random_bytes::<8>())));
        private_dir(&path)?;
        Ok(Self { path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            tracing::warn!(path = %self.path.display(), %error, "a temporary folder could not be removed");
        }
    }
}

pub(super) fn is_workroom(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(WORKROOM))
}

/// Removes the workrooms of killed processes.
pub(super) fn sweep(backups: &Path, now: Timestamp) {
    let Ok(entries) = fs::read_dir(backups) else { return };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| is_workroom(path)) {
        let modified = fs::symlink_metadata(&path).and_then(|found| found.modified());
        let age = modified.ok().and_then(|time| Timestamp::try_from(time).ok());
        if age.is_some_and(|modified| now.duration_since(modified) > ABANDONED) {
            remove(&path);
        }
    }
}

/// Removes a file or folder that is no longer needed. A failure only wastes space, so it is not an error.
pub(super) fn remove(path: &Path) {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => return,
    };
    if let Err(error) = removed {
        tracing::warn!(path = %path.display(), %error, "this is not needed any more, and could not be removed");
    }
}

/// Removes a folder if it is empty.
pub(super) fn remove_if_empty(path: &Path) {
    fs::remove_dir(path).ok();
}

pub(super) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Creates a new file that only its owner can read. Fails if it exists.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a file executable for its owner.
pub(super) fn make_executable(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

pub(super) fn is_executable(found: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o100 != 0;
    #[cfg(not(unix))]
    return {
        let _ = found;
        false
    };
}

pub(super) fn make_link(at: &Path, to: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(to, at);
    #[cfg(not(unix))]
    return Err(io::Error::new(io::ErrorKind::Unsupported, format!("{} -> {}", at.display(), to.display())));
}

/// A file that is written under a temporary name beside its final one, and removed unless it is finished.
pub(super) struct UnfinishedFile {
    path: PathBuf,
    finished: bool,
}

impl UnfinishedFile {
    pub(super) fn create_beside(path: &Path) -> io::Result<(Self, File)> {
        let path = path.with_file_name(temporary_name());
        let file = create_private(&path)?;
        Ok((Self { path, finished: false }, file))
    }

    pub(super) fn finish(mut self, file: &File, to: &Path) -> io::Result<()> {
        file.sync_all()?;
        fs::rename(&self.path, to)?;
        self.finished = true;
        sync_folder_of(to)
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        if !self.finished {
            remove(&self.path);
        }
    }
}

fn temporary_name() -> String {
    format!(".perigee-{}.tmp", hex(&random_bytes::<8>()))
}

/// Renames a file or folder on the same disk. Tests replace the function to make it fail.
pub(super) type Rename<'a> = &'a dyn Fn(&Path, &Path) -> io::Result<()>;

pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// Moves a file or folder to a free name. If the move fails, the original stays in place.
pub(super) fn relocate(rename: Rename<'_>, from: &Path, to: &Path) -> Result<(), FileError> {
    let moved = || {
        if is_there(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        if let Some(folder) = to.parent().filter(|folder| !folder.exists()) {
            private_dir(folder).map_err(io::Error::other)?;
        }
        match rename(from, to) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => move_across(from, to)?,
            outcome => outcome?,
        }
        sync_folder_of(from)?;
        sync_folder_of(to)
    };
    moved().map_err(|error| FileError::new("move", from, error))
}

/// Moves to another disk. The copy appears under its name only when it is complete, and only then is the original
/// removed, in one step.
fn move_across(from: &Path, to: &Path) -> io::Result<()> {
    let (arriving, leaving) = (to.with_file_name(temporary_name()), from.with_file_name(temporary_name()));
    let copied = copy_tree(from, &arriving).and_then(|()| fs::rename(&arriving, to));
    if let Err(error) = copied {
        remove(&arriving);
        return Err(error);
    }
    fs::rename(from, &leaving)?;
    remove(&leaving);
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(from)?;
    if found.is_symlink() {
        return make_link(to, &fs::read_link(from)?);
    }
    if found.is_file() {
        fs::copy(from, to)?;
        let copy = File::open(to)?;
        copy.set_modified(found.modified()?)?;
        return copy.sync_all();
    }
    if !found.is_dir() {
        return Err(io::Error::other("a pipe or a device cannot go to another disk"));
    }
    private_dir(to).map_err(io::Error::other)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy_tree(&entry.path(), &to.join(entry.file_name()))?;
    }
    fs::set_permissions(to, found.permissions())?;
    sync_folder(to)
}

/// Syncs everything beneath a folder to the disk.
pub(super) fn sync_tree(folder: &Path) -> Result<(), FileError> {
    let sync = |path: &Path| -> io::Result<Vec<PathBuf>> {
        let mut folders = Vec::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                File::open(entry.path())?.sync_all()?;
            }
        }
        sync_folder(path)?;
        Ok(folders)
    };
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(path) = waiting.pop() {
        waiting.append(&mut sync(&path).map_err(|error| FileError::new("write", &path, error))?);
    }
    Ok(())
}

fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    sync_folder(folder.unwrap_or(Path::new(".")))
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot sync a folder. The changes in it are made nevertheless.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::PermissionDenied) =>
        {
            Ok(())
        }
        outcome => outcome,
    }
}
