use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use crate::FileError;

mod entry;
#[cfg(not(unix))]
#[path = "root_dir/portable.rs"]
mod imp;
#[cfg(unix)]
#[path = "root_dir/unix.rs"]
mod imp;

pub use entry::{EntryInfo, EntryKind};

/// File access beneath one folder that cannot leave it: not by `..`, an absolute path or a link, and not by a link
/// swapped in between check and use.
///
/// Paths are relative to the root; the empty path is the root itself. A link that stays inside is followed if the
/// kernel can guarantee that; otherwise every link is refused.
#[derive(Debug)]
pub struct RootDir {
    path: PathBuf,
    imp: imp::Root,
}

#[derive(Debug, Error)]
pub enum RootError {
    /// The path is absolute, contains `..` or a zero byte, or passes through a link that leads outside.
    #[error("{} leads out of its folder, so it was not touched", .0.display())]
    Outside(PathBuf),
    #[error("{} is not a regular file", .0.display())]
    NotAFile(PathBuf),
    #[error("{} is larger than {limit} bytes", path.display())]
    TooLarge { path: PathBuf, limit: u64 },
    #[error(transparent)]
    File(#[from] FileError),
}

impl RootError {
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::File(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl RootDir {
    /// Opens an existing folder.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, FileError> {
        let path = path.into();
        let imp = imp::Root::open(&path).map_err(|error| FileError::new("open the folder", &path, error))?;
        Ok(Self { path, imp })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a whole regular file of at most `limit` bytes.
    pub fn read(&self, path: impl AsRef<Path>, limit: u64) -> Result<Vec<u8>, RootError> {
        let path = path.as_ref();
        match self.imp.read(inside(path)?, limit) {
            Ok(imp::ReadOutcome::Whole(bytes)) => Ok(bytes),
            Ok(imp::ReadOutcome::NotAFile) => Err(RootError::NotAFile(self.path.join(path))),
            Ok(imp::ReadOutcome::TooLarge) => Err(RootError::TooLarge { path: self.path.join(path), limit }),
            Err(error) => Err(self.failed("read", path, error)),
        }
    }

    /// Opens a regular file for reading.
    pub fn open_file(&self, path: impl AsRef<Path>) -> Result<File, RootError> {
        let path = path.as_ref();
        match self.imp.open_file(inside(path)?) {
            Ok(Some(file)) => Ok(file),
            Ok(None) => Err(RootError::NotAFile(self.path.join(path))),
            Err(error) => Err(self.failed("open", path, error)),
        }
    }

    /// Replaces a file atomically and keeps its mode. The folder must exist. A link with this name is replaced, not
    /// followed.
    pub fn write(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), RootError> {
        let path = path.as_ref();
        self.imp.write(inside(path)?, bytes).map_err(|error| self.failed("write", path, error))
    }

    /// Writes like [`RootDir::write`], but sets these permissions (the nine Unix mode bits).
    pub fn write_as(&self, path: impl AsRef<Path>, bytes: &[u8], mode: u32) -> Result<(), RootError> {
        let path = path.as_ref();
        self.imp.write_as(inside(path)?, bytes, mode).map_err(|error| self.failed("write", path, error))
    }

    /// Creates a folder and its parents. An existing folder is not an error.
    pub fn create_dirs(&self, path: impl AsRef<Path>) -> Result<(), RootError> {
        let path = path.as_ref();
        self.imp.create_dirs(inside(path)?).map_err(|error| self.failed("make the folder", path, error))
    }

    /// Returns the entries of a folder, sorted by name.
    pub fn list(&self, path: impl AsRef<Path>) -> Result<Vec<(OsString, EntryInfo)>, RootError> {
        let path = path.as_ref();
        let mut entries = self.imp.list(inside(path)?).map_err(|error| self.failed("list", path, error))?;
        entries.sort_by(|(left, _), (right, _)| left.cmp(right));
        Ok(entries)
    }

    /// Returns information about a file, folder or link without following it, or `None` if it does not exist.
    pub fn metadata(&self, path: impl AsRef<Path>) -> Result<Option<EntryInfo>, RootError> {
        let path = path.as_ref();
        match self.imp.metadata(inside(path)?) {
            Ok(info) => Ok(Some(info)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed("look at", path, error)),
        }
    }

    /// Removes a file, a link (not its target), or a folder with its contents.
    pub fn remove(&self, path: impl AsRef<Path>) -> Result<(), RootError> {
        let path = path.as_ref();
        self.imp.remove(inside(path)?).map_err(|error| self.failed("remove", path, error))
    }

    /// Removes an empty folder and returns true. If it does not exist or is not empty, nothing changes and the result
    /// is false.
    pub fn remove_if_empty(&self, path: impl AsRef<Path>) -> Result<bool, RootError> {
        let path = path.as_ref();
        match self.imp.remove_folder(inside(path)?) {
            Ok(()) => Ok(true),
            Err(error) if is_no_empty_folder(&error) => Ok(false),
            Err(error) => Err(self.failed("remove", path, error)),
        }
    }

    /// Moves an entry to another path beneath the root, which must not exist yet.
    pub fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<(), RootError> {
        let (from, to) = (from.as_ref(), to.as_ref());
        self.imp.rename(inside(from)?, inside(to)?).map_err(|error| self.failed("move", from, error))
    }

    fn failed(&self, action: &'static str, path: &Path, error: io::Error) -> RootError {
        let path = self.path.join(path);
        if imp::leads_outside(&error) {
            RootError::Outside(path)
        } else {
            RootError::File(FileError::new(action, path, error))
        }
    }
}

/// Checks that a path consists of plain names.
fn inside(path: &Path) -> Result<&Path, RootError> {
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if plain && !path.as_os_str().as_encoded_bytes().contains(&0) {
        Ok(path)
    } else {
        Err(RootError::Outside(path.to_path_buf()))
    }
}

fn is_no_empty_folder(error: &io::Error) -> bool {
    use io::ErrorKind::{DirectoryNotEmpty, NotADirectory, NotFound};
    matches!(error.kind(), DirectoryNotEmpty | NotADirectory | NotFound)
}

#[cfg(test)]
#[cfg(unix)]
#[path = "root_dir_tests.rs"]
mod tests;
