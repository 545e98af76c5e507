use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use protocol::McpLogLine;

const MOST_LINES: usize = 400;
const LONGEST_LINE: usize = 1_000;
/// A file that has grown to this is begun anew.
const LARGEST_FILE: u64 = 512 * 1024;

/// What a server said on the side, the last of it.
#[derive(Debug, Default)]
pub struct Journal {
    held: Mutex<Held>,
    /// Where it is kept as well.
    file: Option<PathBuf>,
}

#[derive(Debug, Default)]
struct Held {
    lines: VecDeque<Line>,
    /// The beginning of a line whose end has not come yet.
    open: Vec<u8>,
}

#[derive(Debug)]
struct Line {
    line: McpLogLine,
    /// Whether it is ours about the server, and not the server's.
    note: bool,
}

impl Journal {
    pub fn kept_in(file: PathBuf) -> Self {
        Self { file: Some(file), ..Self::default() }
    }

    /// Takes in bytes as they come.
    pub fn add(&self, bytes: &[u8]) {
        let mut held = self.lock();
        for &byte in bytes {
            if byte == b'\n' {
                let line = std::mem::take(&mut held.open);
                self.put(&mut held, &String::from_utf8_lossy(&line), false);
            } else if held.open.len() < LONGEST_LINE {
                held.open.push(byte);
            }
        }
    }

    /// A line of our own about the server.
    pub fn note(&self, text: &str) {
        let mut held = self.lock();
        self.put(&mut held, text, true);
    }

    pub fn lines(&self) -> Vec<McpLogLine> {
        self.lock().lines.iter().map(|line| line.line.clone()).collect()
    }

    /// What it said last, for an error.
    pub fn last(&self, lines: usize) -> String {
        let held = self.lock();
        let said = held.lines.iter().filter(|line| !line.note).map(|line| line.line.text.clone());
        let mut last: Vec<String> = said.collect();
        last.drain(..last.len().saturating_sub(lines));
        last.extend((!held.open.is_empty()).then(|| String::from_utf8_lossy(&held.open).into_owned()));
        last.join("\n")
    }

    fn put(&self, held: &mut Held, text: &str, note: bool) {
        let text: String =
            text.trim_end().chars().filter(|letter| !letter.is_control() || *letter == '\t').collect();
        if text.is_empty() {
            return;
        }
        let line = McpLogLine { at: Timestamp::now().to_string(), text };
        if let Some(file) = &self.file {
            write(file, &line);
        }
        if held.lines.len() == MOST_LINES {
            held.lines.pop_front();
        }
        held.lines.push_back(Line { line, note });
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write(file: &std::path::Path, line: &McpLogLine) {
    let text = format!("{} {}", line.at, line.text);
    let too_large = file.metadata().is_ok_and(|there| there.len() > LARGEST_FILE);
    let written = if too_large {
        host::atomic_write_private(file, format!("{text}\n").as_bytes())
    } else {
        host::append_line_private(file, text.as_bytes())
    };
    if let Err(error) = written {
        tracing::debug!("{} cannot be written: {error}", file.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_pieces_and_the_last_stay() {
        let journal = Journal::default();
        journal.add(b"one\ntw");
        journal.add(b"o\r\n\n\x1b[31mred\n");
        journal.add(b"open");
        let texts: Vec<String> = journal.lines().into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["one", "two", "[31mred"]);
        journal.note("ours");
        assert_eq!(journal.last(1), "[31mred\nopen", "what it said itself");
        for number in 0..1_000 {
            journal.note(&number.to_string());
        }
        assert_eq!(journal.lines().len(), MOST_LINES);
        journal.add(&vec![b'x'; 10_000_000]);
        assert!(journal.lock().open.len() <= LONGEST_LINE);
    }

    #[test]
    fn a_file_keeps_them_and_does_not_grow_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("stderr.log");
        let journal = Journal::kept_in(file.clone());
        journal.note("first");
        assert!(std::fs::read_to_string(&file).unwrap().ends_with(" first\n"));
        std::fs::write(&file, vec![b'x'; 600 * 1024]).unwrap();
        journal.note("second");
        assert!(std::fs::metadata(&file).unwrap().len() < 100);
    }
}
