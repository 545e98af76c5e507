use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use jiff::Timestamp;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::entry::{EntryInfo, EntryKind, split};
use crate::write::{FilePermissions, OpenFolder};

#[derive(Debug)]
pub(super) struct Root {
    folder: OwnedFd,
    pub(super) resolver: Resolver,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resolver {
    /// `openat2`, which keeps the whole path resolution beneath the root.
    #[cfg(target_os = "linux")]
    Kernel,
    /// One `openat` per component, none of which may be a link.
    Walk,
}

pub(super) enum ReadOutcome {
    Whole(Vec<u8>),
    NotAFile,
    TooLarge,
}

/// Returns true for the errors that both resolvers return if a path would leave the root.
pub(super) fn leads_outside(error: &io::Error) -> bool {
    [Errno::XDEV, Errno::LOOP].into_iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

impl Root {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let folder = rustix::fs::open(path, FOLDER | OFlags::CLOEXEC, Mode::empty())?;
        let resolver = Resolver::best(&folder);
        Ok(Self { folder, resolver })
    }

    pub(super) fn open_file(&self, path: &Path) -> io::Result<Option<File>> {
        // Without NONBLOCK, opening a named pipe waits for a writer.
        let file = File::from(self.open_at(path, OFlags::RDONLY | OFlags::NONBLOCK)?);
        Ok(file.metadata()?.is_file().then_some(file))
    }

    pub(super) fn read(&self, path: &Path, limit: u64) -> io::Result<ReadOutcome> {
        let Some(file) = self.open_file(path)? else { return Ok(ReadOutcome::NotAFile) };
        let mut bytes = Vec::new();
        // The file may grow while it is read, so its length alone is not sufficient.
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(if bytes.len() as u64 > limit { ReadOutcome::TooLarge } else { ReadOutcome::Whole(bytes) })
    }

    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (parent, name) = split(path)?;
        OpenFolder::from(self.open_at(parent, FOLDER)?).replace(name, bytes, FilePermissions::Usual)
    }

    pub(super) fn write_as(&self, path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
        let (parent, name) = split(path)?;
        OpenFolder::from(self.open_at(parent, FOLDER)?).replace(name, bytes, FilePermissions::Mode(mode))
    }

    pub(super) fn create_dirs(&self, path: &Path) -> io::Result<()> {
        let mut made = std::path::PathBuf::new();
        for name in names(path) {
            let parent = self.open_at(&made, FOLDER)?;
            match rustix::fs::mkdirat(&parent, name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => made.push(name),
                Err(error) => return Err(error.into()),
            }
        }
        self.open_at(&made, FOLDER).map(drop)
    }

    pub(super) fn list(&self, path: &Path) -> io::Result<Vec<(OsString, EntryInfo)>> {
        let folder = self.open_at(path, FOLDER)?;
        let mut entries = Vec::new();
        for name in entry_names(&folder)? {
            match info_at(&folder, &name) {
                Ok(info) => entries.push((name, info)),
                // It was removed in the meantime.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(entries)
    }

    pub(super) fn metadata(&self, path: &Path) -> io::Result<EntryInfo> {
        match split(path) {
            Ok((parent, name)) => info_at(&self.open_at(parent, FOLDER)?, name),
            Err(_) => Ok(info(&rustix::fs::fstat(&self.folder)?)),
        }
    }

    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        let (parent, name) = split(path)?;
        let parent = self.open_at(parent, FOLDER)?;
        remove_at(&parent, name)?;
        rustix::fs::fsync(&parent)?;
        Ok(())
    }

    pub(super) fn remove_folder(&self, path: &Path) -> io::Result<()> {
        let (parent, name) = split(path)?;
        let parent = self.open_at(parent, FOLDER)?;
        rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR)?;
        rustix::fs::fsync(&parent)?;
        Ok(())
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((old_parent, old), (new_parent, new)) = (split(from)?, split(to)?);
        let (old_parent, new_parent) = (self.open_at(old_parent, FOLDER)?, self.open_at(new_parent, FOLDER)?);
        if info_at(&new_parent, new).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        rustix::fs::renameat(&old_parent, old, &new_parent, new)?;
        rustix::fs::fsync(&new_parent)?;
        Ok(())
    }

    fn open_at(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        match self.resolver {
            #[cfg(target_os = "linux")]
            Resolver::Kernel => open_beneath(&self.folder, path, flags),
            Resolver::Walk => open_by_walking(&self.folder, path, flags),
        }
    }
}

impl Resolver {
    #[cfg(target_os = "linux")]
    fn best(folder: &OwnedFd) -> Self {
        // Kernels before 5.6 do not have `openat2`, and some containers forbid it.
        match open_beneath(folder, Path::new(""), FOLDER | OFlags::CLOEXEC) {
            Ok(_) => Self::Kernel,
            Err(_) => Self::Walk,
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn best(_: &OwnedFd) -> Self {
        Self::Walk
    }
}

#[cfg(target_os = "linux")]
fn open_beneath(folder: &OwnedFd, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;

    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let rules = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    loop {
        match rustix::fs::openat2(folder, path, flags, Mode::empty(), rules) {
            // A folder was renamed during the resolution, so the kernel cannot guarantee this attempt. The next one may
            // succeed.
            Err(Errno::AGAIN | Errno::INTR) => {}
            opened => return Ok(opened?),
        }
    }
}

fn open_by_walking(folder: &OwnedFd, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let step = |from: &OwnedFd, name: &OsStr, flags: OFlags| -> io::Result<OwnedFd> {
        rustix::fs::openat(from, name, flags | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()).map_err(
            |error| {
                // With DIRECTORY, systems return different errors for a link.
                match info_at(from, name) {
                    Ok(EntryInfo { kind: EntryKind::Link, .. }) => Errno::LOOP.into(),
                    _ => error.into(),
                }
            },
        )
    };
    let names: Vec<&OsStr> = names(path).collect();
    let Some((last, parents)) = names.split_last() else {
        return step(folder, OsStr::new("."), flags);
    };
    let mut at = step(folder, OsStr::new("."), FOLDER)?;
    for name in parents {
        at = step(&at, name, FOLDER)?;
    }
    step(&at, last, flags)
}

fn names(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    })
}

fn entry_names(folder: &OwnedFd) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(OsStr::from_bytes(name).to_os_string());
        }
    }
    Ok(names)
}

fn remove_at(parent: &OwnedFd, name: &OsStr) -> io::Result<()> {
    if info_at(parent, name)?.kind != EntryKind::Folder {
        return Ok(rustix::fs::unlinkat(parent, name, AtFlags::empty())?);
    }
    let flags = FOLDER | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = rustix::fs::openat(parent, name, flags, Mode::empty())?;
    for inner in entry_names(&folder)? {
        remove_at(&folder, &inner)?;
    }
    Ok(rustix::fs::unlinkat(parent, name, AtFlags::REMOVEDIR)?)
}

fn info_at(folder: &OwnedFd, name: &OsStr) -> io::Result<EntryInfo> {
    Ok(info(&rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?))
}

fn info(found: &Stat) -> EntryInfo {
    let kind = match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Folder,
        FileType::Symlink => EntryKind::Link,
        _ => EntryKind::Other,
    };
    let nanoseconds = i32::try_from(found.st_mtime_nsec).unwrap_or(0);
    let modified = Timestamp::new(found.st_mtime, nanoseconds).unwrap_or(Timestamp::UNIX_EPOCH);
    #[allow(clippy::useless_conversion, reason = "it has sixteen bits on some systems")]
    let mode = Some(u32::from(found.st_mode) & 0o777);
    EntryInfo { kind, len: u64::try_from(found.st_size).unwrap_or(0), modified, mode }
}
