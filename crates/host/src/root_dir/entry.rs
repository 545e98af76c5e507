use std::ffi::OsStr;
use std::io;
use std::path::Path;

use jiff::Timestamp;

/// The kind of an entry of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Folder,
    Link,
    /// A pipe, a socket or a device.
    Other,
}

/// The metadata of an entry, read without opening it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryInfo {
    pub kind: EntryKind,
    pub len: u64,
    pub modified: Timestamp,
    /// The permissions as the nine Unix mode bits, or `None` on systems without them.
    pub mode: Option<u32>,
}

/// Splits a path into its folder and its last name.
pub(super) fn split(path: &Path) -> io::Result<(&Path, &OsStr)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok((path.parent().unwrap_or(Path::new("")), name))
}
