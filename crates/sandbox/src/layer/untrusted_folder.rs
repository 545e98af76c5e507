//! Access to a folder that untrusted programs have written to. Nothing in it is trusted: links are not followed, reads
//! never block, and neither depth nor number of entries exhausts resources.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, Stat, XattrFlags, fchmod, fgetxattr, fremovexattr,
    fsetxattr, mkdirat, mknodat, openat2, renameat, statat,
};
use rustix::io::Errno;

use super::deletion::{self, names};

const WITHOUT_LINKS: ResolveFlags = ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS);
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);
/// The attribute by which the kernel marks a folder that hides its counterpart below.
const OPAQUE: &str = "user.overlay.opaque";

/// A folder whose contents may be hostile.
#[derive(Debug)]
pub struct UntrustedFolder {
    root: OwnedFd,
    /// A folder for new files before they are moved into place, and for old ones that are being deleted.
    spare: OwnedFd,
    made: AtomicU64,
}

/// The kind of an entry of such a folder, which may be the upper folder of an overlay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UntrustedEntryKind {
    File,
    Folder,
    Link,
    /// Marks a file as deleted in the layer below.
    Whiteout,
    /// A pipe, socket or device.
    Other,
}

/// Inode number and times. A program cannot reset the change time, so two equal stamps mean that the file was not
/// touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    inode: u64,
    changed: (i64, i64),
    modified: (i64, i64),
}

/// An entry of such a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntrustedEntry {
    pub kind: UntrustedEntryKind,
    pub len: u64,
    /// The permission bits only.
    pub mode: u32,
    pub stamp: FileStamp,
}

impl UntrustedFolder {
    /// Opens the folder and its spare folder. Both must be on the same disk, and the spare folder must not be used for
    /// anything else; its contents are deleted.
    pub fn open(folder: &Path, spare: &Path) -> io::Result<Self> {
        let open = |path: &Path| -> io::Result<OwnedFd> {
            let rules = ResolveFlags::NO_SYMLINKS;
            Ok(openat2(CWD, path.canonicalize()?, FOLDER | OFlags::CLOEXEC, Mode::empty(), rules)?)
        };
        let folder = Self { root: open(folder)?, spare: open(spare)?, made: AtomicU64::new(0) };
        deletion::delete_contents(&folder.spare)?;
        Ok(folder)
    }

    /// Returns the entry at a path; `None` if there is none, or if a link or a file is in the way.
    pub fn look(&self, path: &Path) -> io::Result<Option<UntrustedEntry>> {
        let Some(name) = path.file_name() else { return Ok(Some(entry_of(&rustix::fs::fstat(&self.root)?))) };
        let folder = match self.parent(path) {
            Ok(folder) => folder,
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        match statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(about) => Ok(Some(entry_of(&about))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the entries of a folder, sorted by name; at most `most`.
    pub fn list(&self, path: &Path, most: usize) -> io::Result<Vec<(OsString, UntrustedEntry)>> {
        let folder = self.folder(path)?;
        let mut entries = Vec::new();
        for name in names(&folder, most)? {
            entries.push((name.clone(), entry_of(&statat(&folder, &name, AtFlags::SYMLINK_NOFOLLOW)?)));
        }
        entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Ok(entries)
    }

    /// Returns the contents of a regular file of at most `limit` bytes; `None` for anything else.
    pub fn read(&self, path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let file = File::from(self.open_at(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW)?);
        if !file.metadata()?.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok((bytes.len() as u64 <= limit).then_some(bytes))
    }

    /// Writes a file atomically and replaces anything there except a folder. It is a new file: other hard links to the
    /// old one keep the old contents.
    pub fn write(&self, path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.put(path, mode, |file| {
            file.write_all(bytes)?;
            set_modified_now(file)
        })
    }

    /// Copies another file there, like [`Self::write`], and keeps its modification time if asked to. Shares the data on
    /// file systems that support it.
    pub fn copy(&self, path: &Path, from: &mut File, mode: u32, keeps_time: bool) -> io::Result<()> {
        let about = rustix::fs::fstat(&*from)?;
        self.put(path, mode, |file| {
            if rustix::fs::ioctl_ficlone(&*file, &*from).is_err() {
                io::copy(from, file)?;
            }
            if !keeps_time {
                return set_modified_now(file);
            }
            let modified =
                rustix::fs::Timespec { tv_sec: about.st_mtime, tv_nsec: about.st_mtime_nsec.cast_signed() };
            let times = rustix::fs::Timestamps { last_access: modified, last_modification: modified };
            Ok(rustix::fs::futimens(&*file, &times)?)
        })
    }

    fn put(&self, path: &Path, mode: u32, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let (folder, name) = (self.parent(path)?, name_of(path)?);
        let draft = self.next_name();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat2(&self.spare, &draft, flags, Mode::from_raw_mode(0o600), WITHOUT_LINKS)?;
        let mut file = File::from(file);
        let written = write(&mut file)
            .and_then(|()| Ok(fchmod(&file, Mode::from_raw_mode(mode & 0o777))?))
            .and_then(|()| Ok(renameat(&self.spare, &draft, &folder, name)?));
        if written.is_err() {
            let _ = rustix::fs::unlinkat(&self.spare, &draft, AtFlags::empty());
        }
        written
    }

    pub fn make_folder(&self, path: &Path, mode: u32) -> io::Result<()> {
        let (folder, name) = (self.parent(path)?, name_of(path)?);
        mkdirat(&folder, name, Mode::from_raw_mode(0o700))?;
        Ok(fchmod(self.folder(path)?, Mode::from_raw_mode(mode & 0o777))?)
    }

    /// Marks a path as deleted in the layer below. There must be no entry at the path.
    pub fn white_out(&self, path: &Path) -> io::Result<()> {
        let (folder, name) = (self.parent(path)?, name_of(path)?);
        Ok(mknodat(&folder, name, FileType::CharacterDevice, Mode::empty(), 0)?)
    }

    /// Returns true if a folder hides its counterpart in the layer below.
    pub fn is_opaque(&self, path: &Path) -> io::Result<bool> {
        let mut value = [0; 1];
        match fgetxattr(self.folder(path)?, OPAQUE, &mut value[..]) {
            Ok(length) => Ok(length == 1 && value == *b"y"),
            // A longer value was not set by the kernel.
            Err(Errno::NODATA | Errno::OPNOTSUPP | Errno::RANGE) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    pub fn set_opaque(&self, path: &Path, is_opaque: bool) -> io::Result<()> {
        let folder = self.folder(path)?;
        let done = if is_opaque {
            fsetxattr(&folder, OPAQUE, b"y", XattrFlags::empty())
        } else {
            fremovexattr(&folder, OPAQUE)
        };
        match done {
            Ok(()) | Err(Errno::NODATA) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes the entry at a path with everything in it.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        let (folder, name) = (self.parent(path)?, name_of(path)?);
        deletion::move_to_spare(&folder, name, &self.spare, &self.next_name())?;
        deletion::delete_contents(&self.spare)
    }

    /// Removes everything in the folder.
    pub fn clear(&self) -> io::Result<()> {
        loop {
            let some = names(&self.root, deletion::BATCH)?;
            if some.is_empty() {
                return Ok(());
            }
            for name in some {
                self.remove(Path::new(&name))?;
            }
        }
    }

    fn next_name(&self) -> PathBuf {
        PathBuf::from(format!("made-{}", self.made.fetch_add(1, Ordering::Relaxed)))
    }

    fn parent(&self, path: &Path) -> io::Result<OwnedFd> {
        self.folder(path.parent().unwrap_or(Path::new("")))
    }

    /// Opens a folder. If its permissions deny access, they are changed first.
    fn folder(&self, path: &Path) -> io::Result<OwnedFd> {
        match self.open_at(path, FOLDER) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let mut way = PathBuf::new();
                for part in path.components() {
                    way.push(part);
                    deletion::unlock(&self.open_at(&way, OFlags::PATH | OFlags::DIRECTORY)?)?;
                }
                self.open_at(path, FOLDER)
            }
            opened => opened,
        }
    }

    fn open_at(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_plain {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        Ok(openat2(&self.root, path, flags | OFlags::CLOEXEC, Mode::empty(), WITHOUT_LINKS)?)
    }
}

fn name_of(path: &Path) -> io::Result<&OsStr> {
    path.file_name().ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// Returns true if nothing is there or a component of the path is not a folder.
fn is_missing(error: &io::Error) -> bool {
    [Errno::NOENT, Errno::NOTDIR, Errno::LOOP]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

fn entry_of(about: &Stat) -> UntrustedEntry {
    let kind = match FileType::from_raw_mode(about.st_mode) {
        FileType::RegularFile => UntrustedEntryKind::File,
        FileType::Directory => UntrustedEntryKind::Folder,
        FileType::Symlink => UntrustedEntryKind::Link,
        FileType::CharacterDevice if about.st_rdev == 0 => UntrustedEntryKind::Whiteout,
        _ => UntrustedEntryKind::Other,
    };
    let time = |seconds: i64, nanoseconds: u64| (seconds, nanoseconds.cast_signed());
    UntrustedEntry {
        kind,
        len: u64::try_from(about.st_size).unwrap_or_default(),
        mode: about.st_mode & 0o7777,
        stamp: FileStamp {
            inode: about.st_ino,
            changed: time(about.st_ctime, about.st_ctime_nsec),
            modified: time(about.st_mtime, about.st_mtime_nsec),
        },
    }
}

/// Sets a file's modification time to the exact current time. The kernel's own timestamp lags by some milliseconds and
/// may equal that of a file built a moment before, so a build tool would miss the change.
fn set_modified_now(file: &File) -> io::Result<()> {
    file.set_modified(SystemTime::now())
}

#[cfg(test)]
#[path = "untrusted_folder_tests.rs"]
mod tests;
