//! Reads and writes single files on disk.

use host::{EntryKind, RootDir, RootError};

use crate::change::{MOST_BYTES, OverlayError};
use crate::path::WorkspacePath;

/// A file on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileOnDisk {
    pub bytes: Vec<u8>,
    pub mode: Option<u32>,
}

/// Reads a file from disk. A link is not accepted, because writing would replace it.
pub(crate) fn read_from_disk(
    root: &RootDir,
    path: &WorkspacePath,
) -> Result<Option<FileOnDisk>, OverlayError> {
    let Some(info) = root.metadata(path)? else { return Ok(None) };
    match info.kind {
        EntryKind::File => Ok(Some(FileOnDisk { bytes: read_bytes(root, path)?, mode: info.mode })),
        EntryKind::Link => Err(OverlayError::Link(path.clone())),
        EntryKind::Folder | EntryKind::Other => Err(OverlayError::NotAFile(path.clone())),
    }
}

/// Returns the content of a file unless it is too large to be edited.
pub(crate) fn read_bytes(root: &RootDir, path: &WorkspacePath) -> Result<Vec<u8>, OverlayError> {
    root.read(path, MOST_BYTES).map_err(|error| match error {
        RootError::TooLarge { .. } => OverlayError::Huge(path.clone()),
        other => other.into(),
    })
}

/// Writes a file, or deletes it if there are no bytes. Without a mode the file keeps its own.
pub(crate) fn write_file(
    root: &RootDir,
    path: &WorkspacePath,
    bytes: Option<&[u8]>,
    mode: Option<u32>,
) -> Result<(), RootError> {
    let Some(bytes) = bytes else { return root.remove(path) };
    if let Some(folder) = path.folder() {
        root.create_dirs(folder)?;
    }
    match mode {
        Some(mode) => root.write_as(path, bytes, mode),
        None => root.write(path, bytes),
    }
}
