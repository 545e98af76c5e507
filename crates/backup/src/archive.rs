//! The backup file: gzip around tar, with a seal at its end.
//!
//! The seal is an empty gzip member whose comment is the checksum of everything before it. It reveals any flipped bit,
//! even one that gzip itself would ignore. Other programs skip it.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use flate2::{Compression, GzBuilder};
use host::{FileError, hex};
use sha2::{Digest as _, Sha256};
use tar::{Builder, EntryType, Header};

use super::BackupError;
use super::disk::{TempFolder, UnfinishedFile, is_there};
use super::manifest::{self, BackupEntryKind, Manifest};
use super::meter::ProgressMeter;
use super::places::DATABASE;

pub(super) const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];
const SEAL_HEAD: &[u8] = b"\x1f\x8b\x08\x10\0\0\0\0\0\xffsha256 ";
/// The end of the comment, an empty deflate stream, and its checksum and length.
const SEAL_TAIL: &[u8] = b"\0\x03\0\0\0\0\0\0\0\0\0";
pub(super) const SEAL_LENGTH: u64 = (SEAL_HEAD.len() + 64 + SEAL_TAIL.len()) as u64;

pub(super) fn seal(sha256: &str) -> Vec<u8> {
    [SEAL_HEAD, sha256.as_bytes(), SEAL_TAIL].concat()
}

/// Checks the target path before any work is done.
pub(super) fn check_target(to: &Path) -> Result<(), BackupError> {
    if is_there(to) {
        return Err(BackupError::Exists(to.to_path_buf()));
    }
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() && to.file_name().is_some() => Ok(()),
        Ok(_) => Err(FileError::new("write", to, io::Error::from(io::ErrorKind::NotADirectory)).into()),
        Err(error) => Err(FileError::new("write", to, error).into()),
    }
}

/// Writes the complete file or none. Returns its length.
pub(super) fn write(
    manifest: &Manifest,
    room: &TempFolder,
    spool: File,
    to: &Path,
    meter: &ProgressMeter<'_>,
) -> Result<u64, BackupError> {
    let failed = |error: io::Error| BackupError::from(FileError::new("write", to, error));
    let (unfinished, file) = UnfinishedFile::create_beside(to).map_err(failed)?;
    let database = File::open(room.path().join(DATABASE)).map_err(failed)?;
    let file = write_sealed(file, manifest, database, spool, meter).map_err(failed)?;
    check_target(to)?;
    unfinished.finish(&file, to).map_err(failed)?;
    Ok(file.metadata().map_err(failed)?.len())
}

fn write_sealed(
    file: File,
    manifest: &Manifest,
    database: File,
    spool: File,
    meter: &ProgressMeter<'_>,
) -> io::Result<File> {
    let sealing = Sealing { file: BufWriter::new(file), sha256: Sha256::new() };
    // Assets are compressed already, and text shrinks well at any level, so slower levels gain little.
    let mut tar = Builder::new(GzBuilder::new().write(sealing, Compression::fast()));
    let listed = serde_json::to_vec_pretty(manifest)?;
    let mut header = header(EntryType::Regular, listed.len() as u64, 0o600);
    header.set_mtime(u64::try_from(manifest.created.as_second()).unwrap_or(0));
    tar.append_data(&mut header, manifest::NAME, listed.as_slice())?;
    let (mut database, mut spool) = (meter.reading(database), meter.reading(spool));
    for entry in &manifest.files {
        match &entry.kind {
            BackupEntryKind::File { size, modified, executable, .. } => {
                let mut header =
                    self::header(EntryType::Regular, *size, if *executable { 0o700 } else { 0o600 });
                header.set_mtime(u64::try_from(modified.as_second()).unwrap_or(0));
                let from: &mut dyn Read = if entry.path == DATABASE { &mut database } else { &mut spool };
                tar.append_data(&mut header, &entry.path, from.take(*size))?;
            }
            BackupEntryKind::Folder => {
                tar.append_data(&mut header_of(EntryType::Directory, 0o700), &entry.path, io::empty())?;
            }
            BackupEntryKind::Link { to } => {
                tar.append_link(&mut header_of(EntryType::Symlink, 0o777), &entry.path, to)?;
            }
        }
    }
    let Sealing { mut file, sha256 } = tar.into_inner()?.finish()?;
    file.write_all(&seal(&hex(&sha256.finalize())))?;
    file.into_inner().map_err(io::IntoInnerError::into_error)
}

fn header_of(kind: EntryType, mode: u32) -> Header {
    header(kind, 0, mode)
}

fn header(kind: EntryType, size: u64, mode: u32) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(mode);
    header
}

/// A writer that forwards the data and computes its checksum.
struct Sealing {
    file: BufWriter<File>,
    sha256: Sha256,
}

impl Write for Sealing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.sha256.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
