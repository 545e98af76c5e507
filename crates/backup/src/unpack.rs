//! Reads a backup as untrusted input: first the seal, then the manifest, then exactly the entries that the manifest
//! lists.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use flate2::bufread::GzDecoder;
use host::{FileError, disk_free, private_dir};
use tar::{Archive, Entries, EntryType};

use super::BackupError;
use super::archive::{GZIP_MAGIC, SEAL_LENGTH, seal};
use super::disk::{TempFolder, create_private, make_executable, make_link};
use super::manifest::{
    self, BackupEntry, BackupEntryKind, LARGEST_MANIFEST, LONGEST_PATH, Manifest, Unreadable,
};
use super::meter::{CopyError, Metered, ProgressMeter, copy};
use super::places::DATABASE;

/// An upper limit of gzip's compression ratio.
const GREATEST_RATIO: u64 = 1100;
/// The space in bytes that must stay free on the disk after unpacking.
const SPARE: u64 = 16 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Staging {
    Everything,
    /// Unpacks the database alone; all other files are read and compared, but not written.
    DatabaseOnly,
}

type Packed<'m> = GzDecoder<BufReader<Metered<'m, io::Take<File>>>>;

/// Unpacks into the workroom. Returns the manifest and the length of the file.
pub(super) fn unpack(
    path: &Path,
    room: &TempFolder,
    staging: Staging,
    meter: &ProgressMeter<'_>,
) -> Result<(Manifest, u64), BackupError> {
    let failed = |error| FileError::new("read", path, error);
    let mut file = File::open(path).map_err(failed)?;
    let found = file.metadata().map_err(failed)?;
    if !found.is_file() {
        return Err(BackupError::NotABackup(path.to_path_buf()));
    }
    let length = found.len();
    meter.expect(length.saturating_mul(2));
    check_seal(path, &mut file, length, meter)?;
    file.rewind().map_err(failed)?;
    let content = meter.reading(file.take(length - SEAL_LENGTH));
    let mut archive = Archive::new(GzDecoder::new(BufReader::new(content)));
    let entries = archive.entries().map_err(failed)?;
    let mut reader = Reader { file: path, entries: entries.raw(true) };
    let manifest = reader.manifest()?;
    check_room(path, &manifest, length, room)?;
    for entry in &manifest.files {
        reader.stage(entry, room, staging)?;
    }
    reader.end()?;
    // Reading to the end makes gzip verify its checksum, which also covers the manifest.
    let damaged = |error: io::Error| BackupError::Damaged { file: path.into(), why: error.to_string() };
    copy_rest(archive.into_inner()).map_err(damaged)?;
    if staging == Staging::Everything {
        make_links(&manifest, room)?;
    }
    Ok((manifest, length))
}

/// Reads the padding after the last file, at most 1 MiB.
fn copy_rest(packed: Packed<'_>) -> io::Result<()> {
    const MOST_PADDING: u64 = 1 << 20;
    io::copy(&mut packed.take(MOST_PADDING), &mut io::sink()).map(drop)
}

fn check_seal(
    path: &Path,
    file: &mut File,
    length: u64,
    meter: &ProgressMeter<'_>,
) -> Result<(), BackupError> {
    let failed = |error| BackupError::File(FileError::new("read", path, error));
    let mut magic = [0; GZIP_MAGIC.len()];
    let begins = match file.read_exact(&mut magic) {
        Ok(()) => magic == GZIP_MAGIC,
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => false,
        Err(error) => return Err(failed(error)),
    };
    if !begins {
        return Err(BackupError::NotABackup(path.to_path_buf()));
    }
    let damaged = || BackupError::Damaged { file: path.into(), why: "its checksum does not match".into() };
    let content = length.checked_sub(SEAL_LENGTH).ok_or_else(damaged)?;
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let mut sealed = meter.reading((&*file).take(content));
    let copied = copy(&mut sealed, &mut io::sink()).map_err(|error| match error {
        CopyError::Reading(error) | CopyError::Writing(error) => failed(error),
    })?;
    let mut end = Vec::new();
    file.take(SEAL_LENGTH).read_to_end(&mut end).map_err(failed)?;
    if end == seal(&copied.sha256) { Ok(()) } else { Err(damaged()) }
}

fn check_room(file: &Path, manifest: &Manifest, length: u64, room: &TempFolder) -> Result<(), BackupError> {
    let bytes = manifest.bytes();
    if bytes > length.saturating_mul(GREATEST_RATIO) {
        let why = "it claims to hold more than can be in it".into();
        return Err(BackupError::Refused { file: file.into(), why });
    }
    let needed = bytes.saturating_add(SPARE);
    match disk_free(room.path()) {
        Some(free) if free < needed => Err(BackupError::NoRoom { needed, free }),
        _ => Ok(()),
    }
}

/// Creates the links last, so that nothing is ever written through one.
fn make_links(manifest: &Manifest, room: &TempFolder) -> Result<(), BackupError> {
    for entry in &manifest.files {
        if let BackupEntryKind::Link { to } = &entry.kind {
            let at = room.path().join(&entry.path);
            make_link(&at, Path::new(to)).map_err(|error| FileError::new("make the link", at, error))?;
        }
    }
    Ok(())
}

struct Reader<'a, 'm> {
    file: &'a Path,
    entries: Entries<'a, Packed<'m>>,
}

/// The next entry of the archive.
struct Next<'a, 'm> {
    path: Vec<u8>,
    entry: tar::Entry<'a, Packed<'m>>,
}

impl<'a, 'm> Reader<'a, 'm> {
    fn manifest(&mut self) -> Result<Manifest, BackupError> {
        let Some(next) = self.next()? else { return Err(self.refused("it is empty")) };
        let entry = next.entry;
        if next.path != manifest::NAME.as_bytes() || entry.header().entry_type() != EntryType::Regular {
            return Err(BackupError::NotABackup(self.file.to_path_buf()));
        }
        if entry.size() > LARGEST_MANIFEST {
            return Err(self.refused("its list of files is too long"));
        }
        let mut bytes = Vec::new();
        entry.take(LARGEST_MANIFEST).read_to_end(&mut bytes).map_err(|error| self.damaged(&error))?;
        Manifest::parse(&bytes).map_err(|error| match error {
            Unreadable::Newer(found) => BackupError::NewerFormat { found, known: manifest::FORMAT },
            Unreadable::Unclear(why) => self.refused(&why),
        })
    }

    /// Reads the next file, folder or link, which must be the listed one.
    fn stage(
        &mut self,
        listed: &BackupEntry,
        room: &TempFolder,
        staging: Staging,
    ) -> Result<(), BackupError> {
        let shown = listed.path.escape_debug();
        let Some(next) = self.next()? else { return Err(self.refused(&format!("{shown} is missing"))) };
        if next.path != listed.path.as_bytes() {
            return Err(self.refused(&format!("{shown} is not where it should be")));
        }
        let kind = match listed.kind {
            BackupEntryKind::File { .. } => EntryType::Regular,
            BackupEntryKind::Folder => EntryType::Directory,
            BackupEntryKind::Link { .. } => EntryType::Symlink,
        };
        if next.entry.header().entry_type() != kind || next.entry.size() != listed.size() {
            return Err(self.refused(&format!("{shown} is not what it should be")));
        }
        let to = room.path().join(&listed.path);
        let wanted = staging == Staging::Everything || listed.path == DATABASE;
        match &listed.kind {
            BackupEntryKind::File { .. } if wanted => self.stage_file(next.entry, listed, &to),
            BackupEntryKind::File { .. } => self.copy(next.entry, listed, &mut io::sink(), &to),
            BackupEntryKind::Folder if wanted => Ok(private_dir(to)?),
            BackupEntryKind::Folder | BackupEntryKind::Link { .. } => Ok(()),
        }
    }

    fn stage_file(
        &self,
        entry: tar::Entry<'a, Packed<'m>>,
        listed: &BackupEntry,
        to: &Path,
    ) -> Result<(), BackupError> {
        let failed = |error| BackupError::File(FileError::new("write", to, error));
        let mut file = create_private(to).map_err(failed)?;
        self.copy(entry, listed, &mut file, to)?;
        if let BackupEntryKind::File { modified, executable, .. } = &listed.kind {
            if *executable {
                make_executable(&file).map_err(failed)?;
            }
            file.set_modified((*modified).into()).map_err(failed)?;
        }
        Ok(())
    }

    fn copy(
        &self,
        mut entry: tar::Entry<'a, Packed<'m>>,
        listed: &BackupEntry,
        into: &mut dyn io::Write,
        to: &Path,
    ) -> Result<(), BackupError> {
        let copied = copy(&mut entry, into).map_err(|error| match error {
            CopyError::Reading(error) => self.damaged(&error),
            CopyError::Writing(error) => BackupError::File(FileError::new("write", to, error)),
        })?;
        match &listed.kind {
            BackupEntryKind::File { size, sha256, .. }
                if copied.bytes == *size && copied.sha256 == *sha256 =>
            {
                Ok(())
            }
            _ => Err(self.refused(&format!("{} differs from its checksum", listed.path.escape_debug()))),
        }
    }

    fn end(&mut self) -> Result<(), BackupError> {
        match self.next()? {
            Some(next) => {
                let name = String::from_utf8_lossy(&next.path).escape_debug().to_string();
                Err(self.refused(&format!("it holds {name}, which it does not list")))
            }
            None => Ok(()),
        }
    }

    /// Returns the next entry. A long name comes in an entry of its own before the entry that it names. It is read here
    /// with a limit, because the library would read it whole, however long it is.
    fn next(&mut self) -> Result<Option<Next<'a, 'm>>, BackupError> {
        let (mut long_path, mut long_target) = (None, None);
        loop {
            let Some(entry) = self.entries.next() else { return Ok(None) };
            let entry = entry.map_err(|error| self.damaged(&error))?;
            let long = match entry.header().entry_type() {
                EntryType::GNULongName => &mut long_path,
                EntryType::GNULongLink => &mut long_target,
                _ => {
                    let path = long_path.unwrap_or_else(|| entry.path_bytes().into_owned());
                    return Ok(Some(Next { path, entry }));
                }
            };
            // One byte more than the longest path, because the name ends with a zero byte.
            if long.is_some() || entry.size() > LONGEST_PATH as u64 + 1 {
                return Err(self.refused("one of its names is too long"));
            }
            let mut name = Vec::new();
            entry
                .take(LONGEST_PATH as u64 + 1)
                .read_to_end(&mut name)
                .map_err(|error| self.damaged(&error))?;
            if name.last() == Some(&0) {
                name.pop();
            }
            *long = Some(name);
        }
    }

    fn refused(&self, why: &str) -> BackupError {
        BackupError::Refused { file: self.file.to_path_buf(), why: why.to_owned() }
    }

    /// The seal matched, so the archive was written wrongly or the disk is failing.
    fn damaged(&self, error: &io::Error) -> BackupError {
        BackupError::Damaged { file: self.file.to_path_buf(), why: error.to_string() }
    }
}

#[cfg(test)]
#[path = "unpack_tests.rs"]
mod tests;
