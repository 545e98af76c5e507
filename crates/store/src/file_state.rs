//! Examines a database file before SQLite opens it: SQLite takes an empty file for a new database, and does not notice
//! a file that was truncated within its last page.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use crate::error::{Result, StoreError};

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER: usize = 100;
/// The header sizes of the write-ahead log and of each frame in it, in bytes.
const LOG_HEADER: u64 = 32;
const FRAME_HEADER: u64 = 24;

/// The state of a database file, judged by its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    Missing,
    /// A file of zero bytes, as left by a full disk, a failed copy or an interrupted start.
    Empty,
    /// Shorter than the length that its first page states.
    CutShort {
        bytes: u64,
        of: u64,
    },
    /// The expected length. The content may still be damaged.
    Whole,
}

impl FileState {
    /// Examines the length of a file.
    pub(crate) fn of(path: &Path) -> Result<Self> {
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
        // With a rollback journal, SQLite undoes the interrupted write and restores the file.
        let is_undone = length_beside(path, "-journal") > 0;
        let cut = expected(&header).filter(|&(pages, page)| {
            let in_log = log.saturating_sub(LOG_HEADER) / (FRAME_HEADER + page);
            !is_undone && bytes.saturating_add(in_log.saturating_mul(page)) < pages.saturating_mul(page)
        });
        Ok(cut.map_or(FileState::Whole, |(pages, page)| FileState::CutShort { bytes, of: pages * page }))
    }
}

/// Returns the number of pages and the page size from the header, or `None` if they are not known.
fn expected(header: &[u8]) -> Option<(u64, u64)> {
    let number = |at: usize| header.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    let page = match header.get(16..18)?.try_into().ok().map(u16::from_be_bytes)? {
        1 => 65_536,
        length => u64::from(length),
    };
    // The page count is valid only if it was written by the last change.
    let holds = header.starts_with(MAGIC) && page >= 512 && number(24)? == number(92)?;
    number(28).filter(|&pages| holds && pages > 0).map(|pages| (u64::from(pages), page))
}

fn length_beside(path: &Path, ending: &str) -> u64 {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    std::fs::metadata(name).map_or(0, |found| found.len())
}
