//! Looks at a database file before SQLite does: it takes an empty file for a new database, and does not miss the end of
//! one that was cut within its last page.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use crate::error::{Result, StoreError};
use crate::store::Store;

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER: usize = 100;
/// Of the write-ahead log, and of each page in it.
const LOG_HEADER: u64 = 32;
const FRAME_HEADER: u64 = 24;

/// What can be told of a database from its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    Missing,
    /// A file without a byte, as a full disk or a broken copy leaves it, and a start that was cut off.
    Empty,
    /// So many bytes are there of those that its first page speaks of.
    CutShort {
        bytes: u64,
        of: u64,
    },
    /// As long as it should be. What is in it may be damaged nevertheless.
    Whole,
}

impl Store {
    /// Looks at the length of a file, and changes nothing. Blocks.
    pub fn file_state(path: &Path) -> Result<FileState> {
        let unreachable = |error: std::io::Error| StoreError::Unreachable(error.to_string());
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(FileState::Missing),
            Err(error) => return Err(unreachable(error)),
        };
        let before = length_beside(path, "-wal");
        let mut header = Vec::with_capacity(HEADER);
        file.by_ref().take(HEADER as u64).read_to_end(&mut header).map_err(unreachable)?;
        let bytes = file.metadata().map_err(unreachable)?.len();
        // Another process may be moving pages from the log into the file at this moment.
        let log = before.max(length_beside(path, "-wal"));
        if header.is_empty() {
            return Ok(FileState::Empty);
        }
        if header.len() < HEADER && MAGIC.starts_with(&header[..header.len().min(MAGIC.len())]) {
            return Ok(FileState::CutShort { bytes, of: HEADER as u64 });
        }
        // What undoes a write that was cut off belongs to the file, and SQLite puts it back.
        let is_undone = length_beside(path, "-journal") > 0;
        let cut = expected(&header).filter(|&(pages, page)| {
            let in_log = log.saturating_sub(LOG_HEADER) / (FRAME_HEADER + page);
            !is_undone && bytes.saturating_add(in_log.saturating_mul(page)) < pages.saturating_mul(page)
        });
        Ok(cut.map_or(FileState::Whole, |(pages, page)| FileState::CutShort { bytes, of: pages * page }))
    }
}

/// How many pages a database has by its own word, and how long each is. Nothing where that is not known.
fn expected(header: &[u8]) -> Option<(u64, u64)> {
    let number = |at: usize| header.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    let page = match header.get(16..18)?.try_into().ok().map(u16::from_be_bytes)? {
        1 => 65_536,
        length => u64::from(length),
    };
    // The count of pages holds where it was written with the last change.
    let holds = header.starts_with(MAGIC) && page >= 512 && number(24)? == number(92)?;
    number(28).filter(|&pages| holds && pages > 0).map(|pages| (u64::from(pages), page))
}

fn length_beside(path: &Path, ending: &str) -> u64 {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    std::fs::metadata(name).map_or(0, |found| found.len())
}
