//! Reads the data folder once, file by file, into one spool file. The manifest describes exactly the bytes that were
//! read, even if other tasks change the files meanwhile.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use host::{FileError, RootDir, RootError};
use jiff::Timestamp;

use super::BackupError;
use super::disk::{TempFolder, create_private, is_executable};
use super::manifest::{
    BackupEntry, BackupEntryKind, LONGEST_PATH, MOST_ENTRIES, Skipped, is_plain_name, stays_inside,
};
use super::meter::{CopyError, ProgressMeter, copy};
use super::places::{BackupPart, BackupPartKind, DATABASE};
use super::walk::{WalkEntry, walk};

pub(super) struct CollectedFiles {
    /// The entries, with the database first and each folder before its content.
    pub(super) entries: Vec<BackupEntry>,
    pub(super) skipped: Vec<Skipped>,
    /// The concatenated content of all files except the database, positioned at its start.
    pub(super) spool: File,
}

/// Reads all places. The database's snapshot must already be in the workroom.
pub(super) fn gather(
    places: &[BackupPart],
    room: &TempFolder,
    meter: &ProgressMeter<'_>,
) -> Result<CollectedFiles, BackupError> {
    // Every byte is copied into the spool and then into the archive.
    meter.expect(size_of_all(places, room).saturating_mul(2));
    let mut gathering = Gathering::new(room, meter)?;
    for place in places {
        match place.kind {
            BackupPartKind::Database => gathering.database(room)?,
            BackupPartKind::File => gathering.single(place)?,
            BackupPartKind::Folder => gathering.folder(place)?,
            BackupPartKind::BesideDatabase => {}
        }
    }
    meter.expect(meter.done().saturating_mul(2));
    gathering.finish()
}

/// Returns the total size for the progress report. A file that cannot be examined counts as 0 and fails later, when it
/// is read.
fn size_of_all(places: &[BackupPart], room: &TempFolder) -> u64 {
    let size = |path: &Path| fs::metadata(path).map_or(0, |found| found.len());
    let total = places.iter().map(|place| match place.kind {
        BackupPartKind::Database => size(&room.path().join(DATABASE)),
        BackupPartKind::File => size(&place.path),
        BackupPartKind::Folder => {
            let mut total = 0;
            let add = &mut |seen: WalkEntry<'_>| {
                total += if seen.info.kind == host::EntryKind::File { seen.info.len } else { 0 };
                Ok(())
            };
            RootDir::open(&place.path).ok().and_then(|root| walk(&root, add).ok());
            total
        }
        BackupPartKind::BesideDatabase => 0,
    });
    total.sum()
}

struct Gathering<'m> {
    meter: &'m ProgressMeter<'m>,
    spool_path: PathBuf,
    spool: BufWriter<File>,
    entries: Vec<BackupEntry>,
    skipped: Vec<Skipped>,
}

impl<'m> Gathering<'m> {
    fn new(room: &TempFolder, meter: &'m ProgressMeter<'m>) -> Result<Self, BackupError> {
        let spool_path = room.path().join("spool");
        let spool =
            create_private(&spool_path).map_err(|error| FileError::new("write", &spool_path, error))?;
        let spool = BufWriter::new(spool);
        Ok(Self { meter, spool_path, spool, entries: Vec::new(), skipped: Vec::new() })
    }

    fn database(&mut self, room: &TempFolder) -> Result<(), BackupError> {
        let path = room.path().join(DATABASE);
        let file = File::open(&path).map_err(|error| FileError::new("open", &path, error))?;
        let kind = read(self.meter, DATABASE, &file, &mut io::sink())?;
        self.add(DATABASE.into(), kind)
    }

    /// Reads a place that is a single file. If the user replaced it with a link, the link is followed.
    fn single(&mut self, place: &BackupPart) -> Result<(), BackupError> {
        let failed = |error| FileError::new("open", &place.path, error);
        match fs::metadata(&place.path) {
            Ok(found) if found.is_file() => {
                let file = File::open(&place.path).map_err(failed)?;
                self.file(place.name.into(), &file)
            }
            Ok(_) => {
                self.skip(place.name.into(), "it is not a file");
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(failed(error).into()),
        }
    }

    fn folder(&mut self, place: &BackupPart) -> Result<(), BackupError> {
        let root = match RootDir::open(&place.path) {
            Ok(root) => root,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                self.skip(place.name.into(), "it is not a folder");
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        self.add(place.name.into(), BackupEntryKind::Folder)?;
        walk(&root, &mut |seen| {
            let path = format!("{}/{}", place.name, seen.path.to_string_lossy());
            let fits = seen.path.iter().all(|name| name.to_str().is_some_and(is_plain_name));
            if !fits || path.len() > LONGEST_PATH {
                self.skip(path, "its name does not fit into a backup");
                return Ok(());
            }
            match seen.info.kind {
                host::EntryKind::File => self.file_in(&root, seen.path, path),
                host::EntryKind::Folder => self.add(path, BackupEntryKind::Folder),
                host::EntryKind::Link => self.link(&root.path().join(seen.path), path),
                host::EntryKind::Other => {
                    self.skip(path, "it is neither a file nor a folder");
                    Ok(())
                }
            }
        })
    }

    fn file_in(&mut self, root: &RootDir, at: &Path, path: String) -> Result<(), BackupError> {
        match root.open_file(at) {
            Ok(file) => self.file(path, &file),
            // The file was deleted after it had been listed.
            Err(error) if error.is_not_found() => Ok(()),
            Err(RootError::File(error)) => Err(error.into()),
            Err(_) => {
                self.skip(path, "it was replaced while the backup was made");
                Ok(())
            }
        }
    }

    fn link(&mut self, at: &Path, path: String) -> Result<(), BackupError> {
        let to = fs::read_link(at).unwrap_or_default();
        if let Some(to) = to.to_str().filter(|to| stays_inside(&path, to)) {
            return self.add(path, BackupEntryKind::Link { to: to.into() });
        }
        self.skip(path, "it is a link that leads out of its folder");
        Ok(())
    }

    fn file(&mut self, path: String, file: &File) -> Result<(), BackupError> {
        let kind = read(self.meter, &path, file, &mut self.spool)?;
        self.add(path, kind)
    }

    fn add(&mut self, path: String, kind: BackupEntryKind) -> Result<(), BackupError> {
        if self.entries.len() == MOST_ENTRIES {
            return Err(BackupError::TooManyFiles { limit: MOST_ENTRIES });
        }
        self.entries.push(BackupEntry { path, kind });
        Ok(())
    }

    fn skip(&mut self, path: String, why: &str) {
        self.skipped.push(Skipped { path, why: why.into() });
    }

    fn finish(self) -> Result<CollectedFiles, BackupError> {
        let Self { spool_path, spool, entries, skipped, .. } = self;
        let spool = spool.into_inner().map_err(io::IntoInnerError::into_error);
        let rewound = spool.and_then(|mut spool| spool.rewind().map(|()| spool));
        let spool = rewound.map_err(|error| FileError::new("write", spool_path, error))?;
        Ok(CollectedFiles { entries, skipped, spool })
    }
}

fn read(
    meter: &ProgressMeter<'_>,
    path: &str,
    file: &File,
    into: &mut dyn io::Write,
) -> Result<BackupEntryKind, BackupError> {
    let found = file.metadata().map_err(|error| FileError::new("look at", path, error))?;
    // The limit prevents an endless copy of a file that grows as fast as it is read.
    let mut content = meter.reading(file.take(found.len()));
    let copied = copy(&mut content, into).map_err(|error| match error {
        CopyError::Reading(error) => FileError::new("read", path, error),
        CopyError::Writing(error) => FileError::new("copy", path, error),
    })?;
    let modified = found.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
    Ok(BackupEntryKind::File {
        size: copied.bytes,
        sha256: copied.sha256,
        modified: modified.unwrap_or(Timestamp::UNIX_EPOCH),
        executable: is_executable(&found),
    })
}
