use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use crate::FileError;

/// The permissions of a written file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePermissions {
    /// The permissions of the existing file, or for a new one those that the user's `umask` allows.
    Usual,
    /// The owner alone (0600), regardless of the existing file.
    Private,
    /// These mode bits, regardless of the existing file.
    Mode(u32),
}

/// Replaces the content of a file atomically. Readers see either the old or the complete new content, even after a
/// power failure, and a failed write leaves no other file behind. A link is followed, so it remains a link.
pub fn atomic_write(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), FileError> {
    replace(path.as_ref(), bytes, FilePermissions::Usual)
}

/// Writes like [`atomic_write`], but only the owner may read the file, from its first byte on.
pub fn atomic_write_private(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), FileError> {
    replace(path.as_ref(), bytes, FilePermissions::Private)
}

/// Appends a line to a file that only its owner may read. The existing content is never modified. A line left
/// incomplete by a power failure is terminated first.
pub fn append_line_private(path: impl AsRef<Path>, line: &[u8]) -> Result<(), FileError> {
    let path = path.as_ref();
    append_line(path, line).map_err(|error| FileError::new("write", path, error))
}

fn append_line(path: &Path, line: &[u8]) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.create(true).append(true).read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let mut whole = Vec::with_capacity(line.len() + 2);
    whole.extend((last != [b'\n']).then_some(b'\n'));
    whole.extend_from_slice(line);
    whole.push(b'\n');
    // A single write, so that lines of two processes are not mixed.
    file.write_all(&whole)?;
    file.sync_data()
}

/// Opens a file for locking ([`fs::File::lock`]). It is created if missing and never replaced, because a lock applies
/// to the file and not to its name.
pub fn lock_file(path: impl AsRef<Path>) -> Result<fs::File, FileError> {
    let path = path.as_ref();
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| FileError::new("open", path, error))
}

fn replace(path: &Path, bytes: &[u8], permissions: FilePermissions) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::new("write", path, error);
    let target = followed(path).map_err(failed)?;
    let Some(name) = target.file_name() else {
        return Err(failed(io::ErrorKind::InvalidInput.into()));
    };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = OpenFolder::open(folder).map_err(failed)?;
    folder.replace(name, bytes, permissions).map_err(failed)
}

fn followed(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path),
        _ => Ok(path.to_path_buf()),
    }
}

/// Creates a folder that only its owner may enter (0700), with its parents, and restricts an existing one that is more
/// open.
pub fn private_dir(path: impl AsRef<Path>) -> Result<(), FileError> {
    let path = path.as_ref();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|error| FileError::new("make the folder", path, error))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let found = fs::metadata(path).map_err(|error| FileError::new("look at", path, error))?;
        if found.permissions().mode() & 0o777 != 0o700 {
            fs::set_permissions(path, fs::Permissions::from_mode(0o700))
                .map_err(|error| FileError::new("make private", path, error))?;
        }
    }
    Ok(())
}

fn temporary_name() -> String {
    format!(".perigee-{}.tmp", crate::hex(&crate::random_bytes::<8>()))
}

/// Returns true for the name of a temporary file of an interrupted write.
pub fn is_temporary(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(".perigee-")?.strip_suffix(".tmp"));
    random.is_some_and(|random| random.len() == 16 && random.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// An open folder in which files are replaced. All file writes of the program go through it.
pub(crate) use open_folder::OpenFolder;

#[cfg(unix)]
mod open_folder {
    use std::fs::File;
    use std::io::Write as _;
    use std::os::fd::{AsFd, OwnedFd};

    use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawMode};

    use super::{FilePermissions, OsStr, Path, io, temporary_name};

    pub(crate) struct OpenFolder(OwnedFd);

    impl OpenFolder {
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok(Self(rustix::fs::open(path, flags, Mode::empty())?))
        }

        pub(crate) fn replace(
            &self,
            name: &OsStr,
            bytes: &[u8],
            permissions: FilePermissions,
        ) -> io::Result<()> {
            let mut temporary = Temporary::create(self, permissions)?;
            let mode = match permissions {
                FilePermissions::Usual => self.mode_of(name),
                FilePermissions::Private => None,
                FilePermissions::Mode(mode) => Some(Mode::from_bits_truncate((mode & 0o777) as RawMode)),
            };
            if let Some(mode) = mode {
                rustix::fs::fchmod(&temporary.file, mode)?;
            }
            temporary.file.write_all(bytes)?;
            temporary.file.sync_all()?;
            temporary.rename_to(name)?;
            match rustix::fs::fsync(&self.0) {
                // Some network file systems cannot sync a folder; the rename itself has succeeded.
                Err(rustix::io::Errno::INVAL) => Ok(()),
                synced => Ok(synced?),
            }
        }

        fn mode_of(&self, name: &OsStr) -> Option<Mode> {
            let found = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            FileType::from_raw_mode(found.st_mode)
                .is_file()
                .then(|| Mode::from_raw_mode(found.st_mode) & (Mode::RWXU | Mode::RWXG | Mode::RWXO))
        }
    }

    impl From<OwnedFd> for OpenFolder {
        fn from(folder: OwnedFd) -> Self {
            Self(folder)
        }
    }

    /// A temporary file, which is removed on drop unless it was renamed.
    struct Temporary<'a> {
        folder: &'a OpenFolder,
        name: String,
        file: File,
        kept: bool,
    }

    impl<'a> Temporary<'a> {
        fn create(folder: &'a OpenFolder, permissions: FilePermissions) -> io::Result<Self> {
            let name = temporary_name();
            let mode = Mode::from_raw_mode(if permissions == FilePermissions::Usual { 0o666 } else { 0o600 });
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let file = rustix::fs::openat(folder.0.as_fd(), &name, flags, mode)?.into();
            Ok(Self { folder, name, file, kept: false })
        }

        fn rename_to(mut self, name: &OsStr) -> io::Result<()> {
            rustix::fs::renameat(&self.folder.0, &self.name, &self.folder.0, name)?;
            self.kept = true;
            Ok(())
        }
    }

    impl Drop for Temporary<'_> {
        fn drop(&mut self) {
            if !self.kept {
                let _ = rustix::fs::unlinkat(&self.folder.0, &self.name, AtFlags::empty());
            }
        }
    }
}

#[cfg(not(unix))]
mod open_folder {
    use std::fs::{self, OpenOptions};
    use std::io::Write as _;
    use std::path::PathBuf;

    use super::{FilePermissions, OsStr, Path, io, temporary_name};

    pub(crate) struct OpenFolder(PathBuf);

    impl OpenFolder {
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            Ok(Self(path.to_path_buf()))
        }

        pub(crate) fn replace(&self, name: &OsStr, bytes: &[u8], _: FilePermissions) -> io::Result<()> {
            let temporary = self.0.join(temporary_name());
            let written = OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&temporary)
                .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
                .and_then(|()| fs::rename(&temporary, self.0.join(name)));
            if written.is_err() {
                let _ = fs::remove_file(&temporary);
            }
            written
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
#[path = "write_tests.rs"]
mod tests;
