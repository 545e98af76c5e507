//! What there is to know of one file.

use std::fs::Metadata;
use std::io::Read as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use edits::TextFile;
use host::{RootDir, RootError};
use sha2::{Digest as _, Sha256};
use store::{CodeWords, ContentHash, IndexFile, IndexFileKind, NewIndexFile, NewIndexSymbol};
use symbols::Language;

use super::{kept, words};
use crate::listing::Found;
use crate::path::WorkspacePath;

/// A longer file is nothing that anybody writes, and is known by its name alone.
const MOST_BYTES: u64 = 1 << 20;
/// File systems count time in steps, so that two changes can carry the same stamp. What was changed a moment ago is not
/// told from what changes a moment later, and is read again the next time.
const MOMENT: Duration = Duration::from_secs(1);

pub enum Look {
    Gone,
    /// The bytes that were known already.
    Same(IndexFile),
    Fresh(Box<NewIndexFile>),
}

/// Reads a file. `known` is what is known of it so far.
pub fn look(root: &RootDir, found: &Found, known: Option<&IndexFile>) -> Look {
    let path = &found.path;
    let without = |file: IndexFile| {
        let is_known =
            |known: &IndexFile| (known.kind, known.bytes, known.hash) == (file.kind, file.bytes, file.hash);
        if known.is_some_and(is_known) {
            return Look::Same(file);
        }
        let words = CodeWords { path: words::of_path(path), ..CodeWords::default() };
        Look::Fresh(Box::new(NewIndexFile { file, outline: None, symbols: Vec::new(), words }))
    };
    let unread = |kind, bytes, stamp| IndexFile::unread(path.as_str(), kind, bytes, stamp);
    let listed = |kind| unread(kind, found.info.len(), settled(stamp(&found.info)));
    if found.info.len() > MOST_BYTES {
        return without(listed(IndexFileKind::Huge));
    }
    let file = match root.open_file(path) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return Look::Gone,
        // No longer what it was when it was listed.
        Err(RootError::NotAFile(_) | RootError::Outside(_)) => return Look::Gone,
        Err(_) => return without(listed(IndexFileKind::Unreadable)),
    };
    // Before it is read: what is written meanwhile shows in another stamp.
    let Ok(info) = file.metadata() else { return without(listed(IndexFileKind::Unreadable)) };
    let (bytes, stamp) = (info.len(), settled(stamp(&info)));
    let mut content = Vec::with_capacity(usize::try_from(bytes).unwrap_or_default() + 1);
    match file.take(MOST_BYTES + 1).read_to_end(&mut content) {
        Err(_) => return without(listed(IndexFileKind::Unreadable)),
        // It has grown meanwhile.
        Ok(read) if read as u64 > MOST_BYTES => return without(unread(IndexFileKind::Huge, bytes, None)),
        Ok(_) => {}
    }
    let hash = hash(&content);
    if let Some(known) = known.filter(|known| known.hash == hash) {
        return Look::Same(IndexFile { bytes, stamp, ..known.clone() });
    }
    match TextFile::read(&content) {
        Ok(text) => Look::Fresh(Box::new(read(path, bytes, stamp, hash, &text.text))),
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
        outline: (!is_empty).then(|| kept::write(&outline)),
        symbols: outline.definitions.iter().map(symbol).collect(),
        words,
    }
}

fn hash(bytes: &[u8]) -> ContentHash {
    let digest = Sha256::digest(bytes);
    std::array::from_fn(|at| digest[at])
}

/// When something about a file was last changed. Where there is one, the time that no program can set: a file that is
/// put in another's place can bring along any time that it likes, but not that one.
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

fn settled(stamp: i64) -> Option<i64> {
    let moment = i64::try_from(MOMENT.as_nanos()).unwrap_or(i64::MAX);
    (nanoseconds(SystemTime::now()).saturating_sub(stamp) > moment).then_some(stamp)
}
