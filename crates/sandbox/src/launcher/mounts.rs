//! Verification that everything was mounted in the right place.
//!
//! Another command may work in the same folder and replace a folder by a link at the very moment when bubblewrap mounts
//! it. Mounts themselves cannot be changed later: so they are verified afterwards, and the program does not start if
//! one is wrong.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use super::error::LaunchError;

/// A line of `/proc/self/mountinfo`.
#[derive(Debug, PartialEq, Eq)]
struct MountLine {
    device: String,
    /// The path within the mounted file system.
    root: PathBuf,
    at: PathBuf,
}

/// Checks that each guarded path is mounted onto itself and that each covered path has a mount.
pub fn check(guarded: &[PathBuf], covered: &[PathBuf]) -> Result<(), LaunchError> {
    if guarded.is_empty() && covered.is_empty() {
        return Ok(());
    }
    let list = std::fs::read("/proc/self/mountinfo");
    let list = list.map_err(|source| LaunchError::System { what: "the list of mounts", source })?;
    let mounts: Vec<MountLine> = list.split(|byte| *byte == b'\n').filter_map(parse).collect();
    let is_covered = |path: &Path| mounts.iter().any(|mount| mount.at == path);
    let moved = guarded.iter().find(|path| !is_itself(&mounts, path));
    match moved.or_else(|| covered.iter().find(|path| !is_covered(path))) {
        Some(path) => Err(LaunchError::Moved(path.clone())),
        None => Ok(()),
    }
}

fn parse(line: &[u8]) -> Option<MountLine> {
    let mut fields = line.split(|byte| *byte == b' ').skip(2);
    let device = String::from_utf8_lossy(fields.next()?).into_owned();
    Some(MountLine { device, root: path(fields.next()?), at: path(fields.next()?) })
}

/// Decodes a path, in which blanks and similar characters are octal escapes of three digits.
fn path(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let [first, more @ ..] = rest {
        rest = more;
        match (first, more) {
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', more @ ..]) => {
                bytes.push((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'));
                rest = more;
            }
            _ => bytes.push(*first),
        }
    }
    OsString::from_vec(bytes).into()
}

/// Returns true if the last mount at a path shows what was there before: the contents of the mount below it, or the
/// same place of the surrounding mount.
fn is_itself(mounts: &[MountLine], path: &Path) -> bool {
    let Some(index) = mounts.iter().rposition(|mount| mount.at == path) else { return false };
    let mount = &mounts[index];
    let around = mounts[..index].iter().filter(|other| path.starts_with(&other.at));
    // The nearest one, and of several at the same place the last, which lies on top.
    let Some(around) = around.max_by_key(|other| other.at.components().count()) else { return false };
    let Ok(within) = path.strip_prefix(&around.at) else { return false };
    let expected = if within.as_os_str().is_empty() { around.root.clone() } else { around.root.join(within) };
    mount.device == around.device && mount.root == expected
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
1 0 0:30 / / ro - tmpfs tmpfs ro
2 1 8:1 /home/ada/work /home/ada/work rw - ext4 /dev/sda1 rw
3 2 8:1 /home/ada/work/a\\040b /home/ada/work/a\\040b rw - ext4 /dev/sda1 rw
4 3 8:1 /home/ada/work/a\\040b/.git/hooks /home/ada/work/a\\040b/.git/hooks ro - ext4 /dev/sda1 rw
5 2 8:1 /home/ada /home/ada/work/s/.git/hooks ro - ext4 /dev/sda1 rw
6 2 8:9 / /home/ada/work/disk rw - ext4 /dev/sdb1 rw
7 6 8:9 / /home/ada/work/disk rw - ext4 /dev/sdb1 rw
8 7 8:9 /.git/hooks /home/ada/work/disk/.git/hooks ro - ext4 /dev/sdb1 rw
9 2 8:9 /home/ada/work/t /home/ada/work/t ro - ext4 /dev/sdb1 rw
";

    #[test]
    fn what_shows_something_else_is_seen() {
        let mounts: Vec<MountLine> = LIST.as_bytes().split(|byte| *byte == b'\n').filter_map(parse).collect();
        for (path, is) in [
            ("a b", true),
            ("a b/.git/hooks", true),
            ("s/.git/hooks", false),
            ("nowhere", false),
            ("disk", true),
            ("disk/.git/hooks", true),
            ("t", false),
        ] {
            assert_eq!(is_itself(&mounts, &Path::new("/home/ada/work").join(path)), is, "{path}");
        }
    }
}
