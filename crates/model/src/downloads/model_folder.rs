//! The models folder. Incomplete and unverified files are kept apart in `.incoming`, under names that are never loaded.

// Models are far too large for an atomic write of their bytes. This module is the only other place that creates complete
// files: it writes to a temporary file, syncs it and renames it.
#![allow(clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use host::FileError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use crate::catalogue::{Catalogue, Purpose};

/// The first bytes of a GGUF file.
pub(crate) const MAGIC: &[u8; 4] = b"GGUF";
const ENDING: &str = "gguf";
const BUFFER: usize = 1 << 20;

/// The folder in which models are stored.
#[derive(Debug, Clone)]
pub(crate) struct ModelFolder {
    folder: PathBuf,
    /// File names of the items that are not in the GGUF format, by item name.
    others: Arc<BTreeMap<String, String>>,
}

/// Metadata of a partial file, needed to resume its download.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PartMetadata {
    pub(super) url: String,
    pub(super) etag: Option<String>,
    pub(super) size: Option<u64>,
    /// The SHA-256 of the whole file, as reported by the server.
    pub(super) sha256: Option<String>,
}

impl ModelFolder {
    /// Opens a folder that uses the catalogue's file names.
    pub(super) fn new(folder: impl Into<PathBuf>, catalogue: &Catalogue) -> Self {
        let others = catalogue.items().iter().filter(|item| item.purpose != Purpose::Chat);
        let others = others.map(|item| (item.name.to_string(), item.file_name())).collect();
        Self { folder: folder.into(), others: Arc::new(others) }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a model's final file.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        match self.others.get(name) {
            Some(file) => self.folder.join(file),
            None => self.folder.join(format!("{name}.{ENDING}")),
        }
    }

    /// Returns the names and lengths of the installed models.
    pub(crate) fn list(&self) -> Vec<(String, u64)> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut models: Vec<_> = entries
            .flatten()
            .filter_map(|entry| {
                let path = entry.path();
                let found = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
                let name = path.file_stem()?.to_str()?;
                let is_model = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING));
                (is_model && !name.starts_with('.')).then(|| (name.to_owned(), found.len()))
            })
            .collect();
        models.sort();
        models
    }

    fn incoming(&self, name: &str, ending: &str) -> PathBuf {
        self.folder.join(".incoming").join(format!("{name}.{ending}"))
    }

    pub(super) fn part(&self, name: &str) -> PathBuf {
        self.incoming(name, "part")
    }

    /// Creates an empty folder for a downloaded package.
    pub(super) fn scratch(&self, name: &str) -> Result<PathBuf, FileError> {
        let path = self.incoming(name, "unpack");
        remove(&path);
        fs::create_dir_all(&path).map_err(|error| FileError::new("make the folder", &path, error))?;
        Ok(path)
    }

    pub(super) fn part_len(&self, name: &str) -> u64 {
        fs::metadata(self.part(name)).map_or(0, |found| found.len())
    }

    /// Opens the partial file for appending after its first `keep` bytes; the rest is cut off.
    pub(super) fn open_part(&self, name: &str, keep: u64) -> Result<File, FileError> {
        let path = self.part(name);
        let opened = || {
            fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
            let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
            file.set_len(keep)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        opened().map_err(|error: io::Error| FileError::new("write", &path, error))
    }

    pub(super) fn part_metadata(&self, name: &str) -> Option<PartMetadata> {
        serde_json::from_slice(&fs::read(self.incoming(name, "json")).ok()?).ok()
    }

    pub(super) fn write_part_metadata(&self, name: &str, metadata: &PartMetadata) -> Result<(), FileError> {
        let path = self.incoming(name, "json");
        let failed = |error: io::Error| FileError::new("write", &path, error);
        fs::create_dir_all(path.parent().unwrap_or(&self.folder)).map_err(failed)?;
        host::atomic_write(&path, &serde_json::to_vec(metadata).map_err(|error| failed(error.into()))?)
    }

    /// Deletes all files of an unfinished download.
    pub(super) fn discard(&self, name: &str) {
        for ending in ["part", "json", "unpack"] {
            remove(&self.incoming(name, ending));
        }
    }

    /// Keeps a partial file that can be resumed, and deletes everything else. Returns true if anything is kept.
    pub(super) fn keep_resumable(&self, name: &str) -> bool {
        remove(&self.incoming(name, "unpack"));
        let keeps = self.part_metadata(name).is_some() && self.part_len(name) > 0;
        if !keeps {
            self.discard(name);
        }
        keeps
    }

    /// Deletes partial files that were last modified more than `age` ago.
    pub(super) fn delete_old_parts(&self, age: Duration) {
        let Ok(entries) = fs::read_dir(self.folder.join(".incoming")) else { return };
        for path in entries.flatten().map(|entry| entry.path()) {
            let untouched = fs::metadata(&path)
                .and_then(|found| found.modified())
                .is_ok_and(|modified| modified.elapsed().is_ok_and(|since| since > age));
            let is_part = path.extension().is_some_and(|ending| ending == "part");
            if let Some(name) = path.file_stem().and_then(|name| name.to_str())
                && is_part
                && untouched
            {
                self.discard(name);
            }
        }
    }

    /// Deletes a model and its unfinished download. Returns false if neither exists.
    pub(super) fn delete(&self, name: &str) -> Result<bool, FileError> {
        let parts = self.part_len(name) > 0;
        self.discard(name);
        remove(&self.incoming(name, "checked"));
        let path = self.path(name);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(parts),
            Err(error) => Err(FileError::new("delete", &path, error)),
        }
    }

    /// Moves a verified partial file into place as the model of this name.
    pub(super) fn commit(&self, name: &str, sha256: Option<&str>) -> Result<PathBuf, FileError> {
        let (part, path) = (self.part(name), self.path(name));
        let moved = || {
            File::open(&part)?.sync_all()?;
            fs::rename(&part, &path)?;
            sync_folder(&self.folder)
        };
        moved().map_err(|error| FileError::new("put into place", &path, error))?;
        self.discard(name);
        if let Some(sha256) = sha256 {
            self.record_checksum(name, sha256);
        }
        Ok(path)
    }

    /// Imports a user's file as a hard link, or as a copy if linking fails.
    pub(super) fn import(
        &self,
        name: &str,
        from: &Path,
        copied: &AtomicU64,
        cancel: &CancellationToken,
    ) -> io::Result<()> {
        self.discard(name);
        let part = self.part(name);
        fs::create_dir_all(part.parent().unwrap_or(&self.folder))?;
        // A symbolic link's target may be replaced later, so the link is resolved first.
        if fs::hard_link(fs::canonicalize(from)?, &part).is_ok() {
            return Ok(());
        }
        let mut out = OpenOptions::new().create(true).truncate(true).write(true).open(&part)?;
        copy_counted(&mut File::open(from)?, &mut out, u64::MAX, copied, cancel)?;
        Ok(())
    }

    /// Records that a file's checksum was correct, so that it need not be computed at every start.
    pub(crate) fn record_checksum(&self, name: &str, sha256: &str) {
        let path = self.incoming(name, "checked");
        let written = fs::create_dir_all(path.parent().unwrap_or(&self.folder)).is_ok()
            && self
                .checksum_record(name, sha256)
                .is_some_and(|text| host::atomic_write(&path, text.as_bytes()).is_ok());
        if !written {
            tracing::debug!(name, "the checksum will be computed again at the next start");
        }
    }

    pub(crate) fn is_verified(&self, name: &str, sha256: &str) -> bool {
        let kept = fs::read_to_string(self.incoming(name, "checked")).ok();
        kept.is_some() && kept == self.checksum_record(name, sha256)
    }

    /// Returns a fingerprint that changes with the file's length and modification time.
    fn checksum_record(&self, name: &str, sha256: &str) -> Option<String> {
        let found = fs::metadata(self.path(name)).ok()?;
        let modified = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        Some(format!("{} {modified} {sha256}\n", found.len()))
    }
}

/// Makes a rename survive a power failure, on Unix.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn remove(path: &Path) {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%error, path = %path.display(), "could not remove a file");
        }
        _ => {}
    }
}

/// Copies at most `limit` bytes and counts them; more is an error.
pub(super) fn copy_counted(
    from: &mut impl Read,
    to: &mut impl Write,
    limit: u64,
    counted: &AtomicU64,
    cancel: &CancellationToken,
) -> io::Result<u64> {
    let mut buffer = vec![0; BUFFER];
    let mut total = 0;
    loop {
        if cancel.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let read = match from.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        if read == 0 {
            return Ok(total);
        }
        total += read as u64;
        if total > limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        to.write_all(&buffer[..read])?;
        counted.store(total, Ordering::Relaxed);
    }
}

/// Returns true if a file begins with the GGUF magic bytes.
pub(crate) fn has_magic(path: &Path) -> io::Result<bool> {
    let mut first = [0; MAGIC.len()];
    match File::open(path)?.read_exact(&mut first) {
        Ok(()) => Ok(first == *MAGIC),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Computes the SHA-256 of a file, in lower-case hexadecimal.
pub(crate) fn sha256(path: &Path, counted: &AtomicU64, cancel: &CancellationToken) -> io::Result<String> {
    let mut hasher = Hashing(Sha256::new());
    copy_counted(&mut File::open(path)?, &mut hasher, u64::MAX, counted, cancel)?;
    Ok(host::hex(&hasher.0.finalize()))
}

struct Hashing(Sha256);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the total size in bytes of all files in a folder and its subfolders.
pub(super) fn folder_size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => folder_size(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}

/// Returns a file in the folder whose path ends with `ending`.
pub(super) fn only_file(folder: &Path, ending: &str) -> Option<PathBuf> {
    let mut found = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    found.find(|path| path.is_file() && path.to_string_lossy().ends_with(ending))
}
