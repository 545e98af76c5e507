//! Removing what a program left, however deep it is and however shut: each folder is first moved up to where we can
//! take it apart, so that nothing is ever more than one step away.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, chmodat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use super::ground::{names, number};

/// So many names are held at a time.
pub const BATCH: usize = 10_000;
const PLACE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Lets us in, and lets us take out what is in it.
pub fn unlock(folder: &OwnedFd) -> io::Result<()> {
    // An open place cannot be changed by its number, but by the name that the kernel has for it.
    Ok(chmodat(CWD, number(folder), Mode::from_raw_mode(0o700), AtFlags::empty())?)
}

/// Moves something to where it is taken apart.
pub fn put_away(from: &OwnedFd, name: &OsStr, spare: &OwnedFd, to: &Path) -> io::Result<()> {
    let is_folder = FileType::from_raw_mode(statat(from, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode)
        == FileType::Directory;
    if !is_folder {
        return Ok(unlinkat(from, name, AtFlags::empty())?);
    }
    match renameat(from, name, spare, to) {
        // A folder that cannot be written cannot be moved either.
        Err(Errno::ACCESS | Errno::PERM) => {
            unlock(&openat(from, name, PLACE, Mode::empty())?)?;
            Ok(renameat(from, name, spare, to)?)
        }
        moved => Ok(moved?),
    }
}

/// Empties the place where things are taken apart.
pub fn sweep(spare: &OwnedFd) -> io::Result<()> {
    // What an interrupted one left may have such a name already.
    let own = host::hex(&host::random_bytes::<8>());
    let mut moved = 0_u64;
    loop {
        let left = names(spare, BATCH)?;
        if left.is_empty() {
            return Ok(());
        }
        for name in left {
            let Ok(folder) = openat(spare, &name, PLACE, Mode::empty()) else {
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
                    put_away(&folder, &inner, spare, Path::new(&format!("{own}-{moved}")))?;
                }
            }
            unlinkat(spare, &name, AtFlags::REMOVEDIR)?;
        }
    }
}
