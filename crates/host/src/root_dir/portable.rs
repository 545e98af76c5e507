//! For systems without `openat`: every component of a path is checked, and no link is followed. A link that is swapped
//! in between check and use is not detected.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::entry::{EntryInfo, EntryKind, split};
use crate::write::{FilePermissions, OpenFolder};

#[derive(Debug)]
pub(super) struct Root {
    folder: PathBuf,
}

pub(super) enum ReadOutcome {
    Whole(Vec<u8>),
    NotAFile,
    TooLarge,
}

pub(super) fn leads_outside(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Link>())
}

#[derive(Debug)]
struct Link;

impl std::fmt::Display for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a link")
    }
}

impl std::error::Error for Link {}

impl Root {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let folder = fs::canonicalize(path)?;
        if folder.is_dir() { Ok(Self { folder }) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    pub(super) fn open_file(&self, path: &Path) -> io::Result<Option<File>> {
        let path = self.resolve(path)?;
        if fs::metadata(&path)?.is_file() { File::open(path).map(Some) } else { Ok(None) }
    }

    pub(super) fn read(&self, path: &Path, limit: u64) -> io::Result<ReadOutcome> {
        let Some(file) = self.open_file(path)? else { return Ok(ReadOutcome::NotAFile) };
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(if bytes.len() as u64 > limit { ReadOutcome::TooLarge } else { ReadOutcome::Whole(bytes) })
    }

    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (parent, name) = split(path)?;
        OpenFolder::open(&self.resolve(parent)?)?.replace(name, bytes, FilePermissions::Usual)
    }

    pub(super) fn write_as(&self, path: &Path, bytes: &[u8], _: u32) -> io::Result<()> {
        self.write(path, bytes)
    }

    pub(super) fn create_dirs(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(self.resolve(path)?)
    }

    pub(super) fn list(&self, path: &Path) -> io::Result<Vec<(OsString, EntryInfo)>> {
        fs::read_dir(self.resolve(path)?)?
            .map(|entry| {
                let entry = entry?;
                Ok((entry.file_name(), info(&fs::symlink_metadata(entry.path())?)))
            })
            .collect()
    }

    pub(super) fn metadata(&self, path: &Path) -> io::Result<EntryInfo> {
        match split(path) {
            Ok((parent, name)) => Ok(info(&fs::symlink_metadata(self.resolve(parent)?.join(name))?)),
            Err(_) => Ok(info(&fs::metadata(&self.folder)?)),
        }
    }

    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        let (parent, name) = split(path)?;
        let path = self.resolve(parent)?.join(name);
        if fs::symlink_metadata(&path)?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
    }

    pub(super) fn remove_folder(&self, path: &Path) -> io::Result<()> {
        let (parent, name) = split(path)?;
        fs::remove_dir(self.resolve(parent)?.join(name))
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((old_parent, old), (new_parent, new)) = (split(from)?, split(to)?);
        let target = self.resolve(new_parent)?.join(new);
        if fs::symlink_metadata(&target).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(self.resolve(old_parent)?.join(old), target)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let mut resolved = self.folder.clone();
        for name in path.components() {
            resolved.push(name);
            match fs::symlink_metadata(&resolved) {
                Ok(found) if found.is_symlink() => return Err(io::Error::other(Link)),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(resolved)
    }
}

fn info(found: &Metadata) -> EntryInfo {
    let kind = if found.is_symlink() {
        EntryKind::Link
    } else if found.is_dir() {
        EntryKind::Folder
    } else if found.is_file() {
        EntryKind::File
    } else {
        EntryKind::Other
    };
    let modified = found.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
    let modified = modified.unwrap_or(Timestamp::UNIX_EPOCH);
    EntryInfo { kind, len: found.len(), modified, mode: None }
}
