use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use host::FileError;
use protocol::{AuditDecision, AuditEntry, AuditPage, UserId};
use serde_json::Value;

/// The most bytes of arguments and of a result that are logged: the log records the event, not the full data.
const LONGEST: usize = 4_000;
/// The size of the pieces in which the log is read from its end.
const BLOCK: u64 = 64 * 1024;
const MOST_ENTRIES: usize = 200;

/// The audit log, `audit.log`: one line of JSON per tool call, including refused ones. Entries are only appended;
/// [`AuditLog::redact`] rewrites lines but removes none.
#[derive(Debug)]
pub struct AuditLog {
    path: PathBuf,
    writing: Mutex<()>,
}

/// A filter for audit entries.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// The user whose entries are wanted; `None` means all users, for the owner.
    pub user: Option<UserId>,
    pub tool: Option<String>,
    pub decision: Option<AuditDecision>,
    /// Text to find anywhere in the entry.
    pub words: Option<String>,
    pub limit: usize,
    pub cursor: Option<String>,
}

impl AuditLog {
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), writing: Mutex::default() }
    }

    /// Appends an entry, with long arguments and results shortened.
    pub fn note(&self, mut entry: AuditEntry) -> Result<(), FileError> {
        entry.result = shortened(&entry.result);
        let args = entry.args.to_string();
        if args.len() > LONGEST {
            entry.args = Value::String(shortened(&args));
        }
        let line = serde_json::to_vec(&entry).unwrap_or_default();
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        host::append_line_private(&self.path, &line)
    }

    /// Redacts a user's entries: `redact` edits an entry and returns true if it changed it. No line is removed, and
    /// nothing is written unless `change` is set. Returns the number of entries that were or would be changed.
    pub fn redact(
        &self,
        user: UserId,
        redact: impl Fn(&mut AuditEntry) -> bool,
        change: bool,
    ) -> io::Result<u32> {
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let text = match std::fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(error),
        };
        let mut changed = 0;
        let mut lines = String::with_capacity(text.len());
        for line in text.lines() {
            let entry = serde_json::from_str::<AuditEntry>(line).ok().filter(|entry| entry.user == user);
            let after = entry.and_then(|mut entry| {
                redact(&mut entry).then(|| serde_json::to_string(&entry).unwrap_or_default())
            });
            changed += u32::from(after.is_some());
            lines.push_str(after.as_deref().unwrap_or(line));
            lines.push('\n');
        }
        if change && changed > 0 {
            host::atomic_write_private(&self.path, lines.as_bytes()).map_err(io::Error::other)?;
        }
        Ok(changed)
    }

    /// Returns entries, newest first. Unreadable lines are left out.
    pub fn page(&self, query: &AuditQuery) -> io::Result<AuditPage> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(AuditPage { entries: Vec::new(), next: None });
            }
            Err(error) => return Err(error),
        };
        let length = file.metadata()?.len();
        let cursor = query.cursor.as_deref().and_then(|cursor| cursor.parse::<u64>().ok());
        let mut lines =
            LinesFromEnd { file: &mut file, end: cursor.unwrap_or(length).min(length), buffer: Vec::new() };
        let limit = query.limit.clamp(1, MOST_ENTRIES);
        let mut entries = Vec::new();
        let mut next = None;
        while let Some((start, line)) = lines.next()? {
            if let Some(entry) = query.matching(&line) {
                entries.push(entry);
                if entries.len() == limit {
                    next = (start > 0).then(|| start.to_string());
                    break;
                }
            }
        }
        Ok(AuditPage { entries, next })
    }
}

impl AuditQuery {
    fn matching(&self, line: &[u8]) -> Option<AuditEntry> {
        let entry: AuditEntry = serde_json::from_slice(line).ok()?;
        let words = self.words.as_deref().map(str::to_lowercase);
        let fits = self.user.is_none_or(|user| user == entry.user)
            && self.tool.as_ref().is_none_or(|tool| *tool == entry.tool)
            && self.decision.is_none_or(|decision| decision == entry.decision)
            && words.is_none_or(|words| contains_words(&entry, &words));
        fits.then_some(entry)
    }
}

/// Returns true if the words occur in the tool name, arguments, result, reason or time of the entry.
fn contains_words(entry: &AuditEntry, words: &str) -> bool {
    fn in_value(value: &Value, words: &str) -> bool {
        match value {
            Value::String(text) => text.to_lowercase().contains(words),
            Value::Array(values) => values.iter().any(|value| in_value(value, words)),
            Value::Object(fields) => fields
                .iter()
                .any(|(name, value)| name.to_lowercase().contains(words) || in_value(value, words)),
            other => other.to_string().contains(words),
        }
    }
    let texts = [Some(&entry.tool), Some(&entry.result), entry.why.as_ref(), Some(&entry.at)];
    texts.into_iter().flatten().any(|text| text.to_lowercase().contains(words))
        || in_value(&entry.args, words)
}

fn shortened(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(LONGEST)])
}

/// Reads the lines of a file from its end to its beginning.
struct LinesFromEnd<'a> {
    file: &'a mut File,
    /// The end of the unread part.
    end: u64,
    /// The bytes that are read but not returned yet. They end with a whole line.
    buffer: Vec<u8>,
}

impl LinesFromEnd<'_> {
    /// Returns the next line and its offset.
    fn next(&mut self) -> io::Result<Option<(u64, Vec<u8>)>> {
        loop {
            while self.buffer.last() == Some(&b'\n') {
                self.buffer.pop();
            }
            if let Some(place) = self.buffer.iter().rposition(|byte| *byte == b'\n') {
                let line = self.buffer.split_off(place + 1);
                return Ok(Some((self.end + place as u64 + 1, line)));
            }
            if self.end == 0 {
                let line = std::mem::take(&mut self.buffer);
                return Ok((!line.is_empty()).then_some((0, line)));
            }
            let start = self.end.saturating_sub(BLOCK);
            let mut block = vec![0; usize::try_from(self.end - start).unwrap_or(0)];
            self.file.seek(SeekFrom::Start(start))?;
            self.file.read_exact(&mut block)?;
            block.append(&mut self.buffer);
            (self.buffer, self.end) = (block, start);
        }
    }
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
