//! Deletion of what a program left behind, however deeply nested or inaccessible: each folder is first moved up into
//! the spare folder, so that every entry is at most one step away.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, chmodat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

/// The number of names that are held in memory at a time.
pub const BATCH: usize = 10_000;
const OPEN_PATH: OFlags =
    OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Grants the owner full access to a folder.
pub fn unlock(folder: &OwnedFd) -> io::Result<()> {
    // A path descriptor does not support `fchmod`, but its `/proc` path can be used.
    Ok(chmodat(CWD, proc_path(folder), Mode::from_raw_mode(0o700), AtFlags::empty())?)
}

/// Moves a folder into the spare folder for deletion; deletes anything else at once.
pub fn move_to_spare(from: &OwnedFd, name: &OsStr, spare: &OwnedFd, to: &Path) -> io::Result<()> {
    let is_folder = FileType::from_raw_mode(statat(from, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode)
        == FileType::Directory;
    if !is_folder {
        return Ok(unlinkat(from, name, AtFlags::empty())?);
    }
    match renameat(from, name, spare, to) {
        // A folder without write permission cannot be moved either.
        Err(Errno::ACCESS | Errno::PERM) => {
            unlock(&openat(from, name, OPEN_PATH, Mode::empty())?)?;
            Ok(renameat(from, name, spare, to)?)
        }
        moved => Ok(moved?),
    }
}

/// Empties the spare folder.
pub fn delete_contents(spare: &OwnedFd) -> io::Result<()> {
    // Random, because an interrupted deletion may have left the same names.
    let own = host::hex(&host::random_bytes::<8>());
    let mut moved = 0_u64;
    loop {
        let left = names(spare, BATCH)?;
        if left.is_empty() {
            return Ok(());
        }
        for name in left {
            let Ok(folder) = openat(spare, &name, OPEN_PATH, Mode::empty()) else {
                unlinkat(spare, &name, AtFlags::empty())?;
                continue;
            };
            unlock(&folder)?;
            let folder = openat(
                folder.as_fd(),
                ".",
                OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
                Mode::empty(),
            )?;
            loop {
                let inner = names(&folder, BATCH)?;
                if inner.is_empty() {
                    break;
                }
                for inner in inner {
                    moved += 1;
                    move_to_spare(&folder, &inner, spare, Path::new(&format!("{own}-{moved}")))?;
                }
            }
            unlinkat(spare, &name, AtFlags::REMOVEDIR)?;
        }
    }
}

/// Returns at most `most` names in a folder.
pub fn names(folder: impl AsFd, most: usize) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        if names.len() >= most {
            break;
        }
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(OsStr::from_bytes(name).to_os_string());
        }
    }
    Ok(names)
}

/// Returns the `/proc` path of an open folder.
pub fn proc_path(folder: &OwnedFd) -> String {
    format!("/proc/self/fd/{}", folder.as_raw_fd())
}
