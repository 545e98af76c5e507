//! Reads one file and extracts what the index stores of it.

use std::fs::Metadata;
use std::io::Read as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use edits::TextFile;
use host::{RootDir, RootError};
use sha2::{Digest as _, Sha256};
use store::{CodeWords, ContentHash, IndexFile, IndexFileKind, NewIndexFile, NewIndexSymbol};
use symbols::Language;

use super::{encoding, words};
use crate::listing::WalkedFile;
use crate::path::WorkspacePath;

/// The maximum size of a file that is read. Larger files are hardly written by hand and are indexed by name only.
const MOST_BYTES: u64 = 1 << 20;
/// The minimum age of a timestamp before it is trusted. Timestamps have a limited resolution, so two changes can carry
/// the same one; a file changed just before it was read is read again the next time.
const TRUSTED_AGE: Duration = Duration::from_secs(1);

/// The state of a file compared to its entry in the index.
pub enum IndexedState {
    Gone,
    /// The content is the same as in the index.
    Unchanged(IndexFile),
    Changed(Box<NewIndexFile>),
}

/// Reads a file. `known` is its current entry in the index.
pub fn read_file(root: &RootDir, found: &WalkedFile, known: Option<&IndexFile>) -> IndexedState {
    let path = &found.path;
    let without = |file: IndexFile| {
        let is_known =
            |known: &IndexFile| (known.kind, known.bytes, known.hash) == (file.kind, file.bytes, file.hash);
        if known.is_some_and(is_known) {
            return IndexedState::Unchanged(file);
        }
        let words = CodeWords { path: words::of_path(path), ..CodeWords::default() };
        IndexedState::Changed(Box::new(NewIndexFile { file, outline: None, symbols: Vec::new(), words }))
    };
    let unread = |kind, bytes, stamp| IndexFile::unread(path.as_str(), kind, bytes, stamp);
    let listed = |kind| unread(kind, found.info.len(), trusted(stamp(&found.info)));
    if found.info.len() > MOST_BYTES {
        return without(listed(IndexFileKind::Huge));
    }
    let file = match root.open_file(path) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return IndexedState::Gone,
        // The file was replaced since it was listed.
        Err(RootError::NotAFile(_) | RootError::Outside(_)) => return IndexedState::Gone,
        Err(_) => return without(listed(IndexFileKind::Unreadable)),
    };
    // Taken before reading, so a write during the read leads to another timestamp.
    let Ok(info) = file.metadata() else { return without(listed(IndexFileKind::Unreadable)) };
    let (bytes, stamp) = (info.len(), trusted(stamp(&info)));
    let mut content = Vec::with_capacity(usize::try_from(bytes).unwrap_or_default() + 1);
    match file.take(MOST_BYTES + 1).read_to_end(&mut content) {
        Err(_) => return without(listed(IndexFileKind::Unreadable)),
        // The file has grown since.
        Ok(read) if read as u64 > MOST_BYTES => return without(unread(IndexFileKind::Huge, bytes, None)),
        Ok(_) => {}
    }
    let hash = hash(&content);
    if let Some(known) = known.filter(|known| known.hash == hash) {
        return IndexedState::Unchanged(IndexFile { bytes, stamp, ..known.clone() });
    }
    match TextFile::read(&content) {
        Ok(text) => IndexedState::Changed(Box::new(read(path, bytes, stamp, hash, &text.text))),
        Err(_) => without(IndexFile { hash, ..unread(IndexFileKind::Binary, bytes, stamp) }),
    }
}

fn read(path: &WorkspacePath, bytes: u64, stamp: Option<i64>, hash: ContentHash, text: &str) -> NewIndexFile {
    let language = Language::of(path.as_str(), text);
    let outline = symbols::outline(language, text);
    let defined = outline.definitions.iter().map(|definition| &*definition.name);
    let words = words::of_file(path, defined, text, language != Language::Text);
    let symbol = |definition: &symbols::Definition| NewIndexSymbol {
        key: words::key(&definition.name),
        name: definition.name.to_string(),
        kind: definition.kind.name().to_owned(),
        line: definition.lines.0,
    };
    let file = IndexFile {
        path: path.as_str().to_owned(),
        kind: IndexFileKind::Text,
        bytes,
        stamp,
        hash,
        language: (language != Language::Text).then(|| language.name().to_owned()),
        lines: u32::try_from(text.lines().count()).unwrap_or(u32::MAX),
    };
    let is_empty = outline.definitions.is_empty() && outline.references.is_empty();
    NewIndexFile {
        file,
        outline: (!is_empty).then(|| encoding::encode(&outline)),
        symbols: outline.definitions.iter().map(symbol).collect(),
        words,
    }
}

fn hash(bytes: &[u8]) -> ContentHash {
    let digest = Sha256::digest(bytes);
    std::array::from_fn(|at| digest[at])
}

/// Returns the time of the last change of a file, in nanoseconds. On Unix this is ctime, which a program cannot set: a
/// file moved over another one can carry any mtime.
#[cfg(unix)]
pub fn stamp(info: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt as _;
    info.ctime().saturating_mul(1_000_000_000).saturating_add(info.ctime_nsec())
}

#[cfg(not(unix))]
pub fn stamp(info: &Metadata) -> i64 {
    info.modified().map_or(0, nanoseconds)
}

fn nanoseconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

fn trusted(stamp: i64) -> Option<i64> {
    let age = i64::try_from(TRUSTED_AGE.as_nanos()).unwrap_or(i64::MAX);
    (nanoseconds(SystemTime::now()).saturating_sub(stamp) > age).then_some(stamp)
}
