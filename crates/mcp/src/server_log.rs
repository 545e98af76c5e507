use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use protocol::McpLogLine;

const MOST_LINES: usize = 400;
const LONGEST_LINE: usize = 1_000;
/// The most characters of a line quoted in an error, since a server may print very long lines.
const LONGEST_QUOTED: usize = 300;
/// A log file of this size is started again from empty.
const LARGEST_FILE: u64 = 512 * 1024;

/// The most recent output of a server to its log, with notes of this program.
#[derive(Debug, Default)]
pub struct ServerLog {
    state: Mutex<State>,
    /// A file that the lines are also written to.
    file: Option<PathBuf>,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Line>,
    /// The number of lines since the last start.
    since_start: usize,
    /// The beginning of an unfinished line.
    unfinished: Vec<u8>,
}

#[derive(Debug)]
struct Line {
    line: McpLogLine,
    /// True if the line is a note of this program, not output of the server.
    note: bool,
}

impl ServerLog {
    pub fn with_file(file: PathBuf) -> Self {
        Self { file: Some(file), ..Self::default() }
    }

    /// Marks a start: earlier output does not explain later errors.
    pub fn begin(&self) {
        let mut state = self.lock();
        state.unfinished.clear();
        state.since_start = 0;
    }

    /// Adds output bytes as they arrive.
    pub fn add(&self, bytes: &[u8]) {
        let mut state = self.lock();
        for &byte in bytes {
            if byte == b'\n' {
                let line = std::mem::take(&mut state.unfinished);
                self.push(&mut state, &String::from_utf8_lossy(&line), false);
            } else if state.unfinished.len() < LONGEST_LINE {
                state.unfinished.push(byte);
            }
        }
    }

    /// Adds notes about the server. A line equal to the last note is not repeated.
    pub fn note(&self, text: &str) {
        let mut state = self.lock();
        let newest = state.lines.back().filter(|line| line.note).map(|line| line.line.text.clone());
        for line in text.lines().filter(|line| newest.as_deref() != Some(*line)) {
            self.push(&mut state, line, true);
        }
    }

    pub fn lines(&self) -> Vec<McpLogLine> {
        self.lock().lines.iter().map(|line| line.line.clone()).collect()
    }

    /// Returns the last lines that the server printed since its start, for an error message.
    pub fn last_output(&self, lines: usize) -> String {
        let state = self.lock();
        let lines_since_start = state.lines.iter().skip(state.lines.len().saturating_sub(state.since_start));
        let mut last: Vec<String> =
            lines_since_start.filter(|line| !line.note).map(|line| shortened(&line.line.text)).collect();
        last.drain(..last.len().saturating_sub(lines));
        last.extend(
            (!state.unfinished.is_empty()).then(|| shortened(&String::from_utf8_lossy(&state.unfinished))),
        );
        last.join("\n")
    }

    fn push(&self, state: &mut State, text: &str, note: bool) {
        let text: String =
            text.trim_end().chars().filter(|letter| !letter.is_control() || *letter == '\t').collect();
        if text.is_empty() {
            return;
        }
        let line = McpLogLine { at: Timestamp::now().to_string(), text };
        if let Some(file) = &self.file {
            write(file, &line);
        }
        if state.lines.len() == MOST_LINES {
            state.lines.pop_front();
        }
        state.lines.push_back(Line { line, note });
        state.since_start += 1;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST_QUOTED) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
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
        let log = ServerLog::default();
        log.add(b"one\ntw");
        log.add(b"o\r\n\n\x1b[31mred\n");
        log.add(b"open");
        let texts: Vec<String> = log.lines().into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["one", "two", "[31mred"]);
        log.note("ours");
        assert_eq!(log.last_output(1), "[31mred\nopen", "what it said itself");
        for number in 0..1_000 {
            log.note(&number.to_string());
        }
        assert_eq!(log.lines().len(), MOST_LINES);
        log.add(&vec![b'x'; 10_000_000]);
        assert!(log.lock().unfinished.len() <= LONGEST_LINE);
    }

    #[test]
    fn an_error_quotes_what_was_said_since_the_start_and_no_more() {
        let log = ServerLog::default();
        log.add(b"giving up\nhalf");
        log.note("[it ended with exit code 1]");
        log.note("[it ended with exit code 1]");
        assert_eq!(log.lines().len(), 2, "the same is noted once");
        log.begin();
        assert_eq!(log.last_output(4), "");
        log.add(b"giving up\n");
        assert_eq!(log.last_output(4), "giving up");
        log.note("one\ntwo");
        let texts: Vec<String> = log.lines().into_iter().map(|line| line.text).collect();
        assert_eq!(texts[texts.len() - 2..], ["one", "two"], "each line is one");
        log.begin();
        log.add(&vec![b'x'; 100_000]);
        assert!(log.last_output(12).chars().count() <= LONGEST_QUOTED + 1);
    }

    #[test]
    fn a_file_keeps_them_and_does_not_grow_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("stderr.log");
        let log = ServerLog::with_file(file.clone());
        log.note("first");
        assert!(std::fs::read_to_string(&file).unwrap().ends_with(" first\n"));
        std::fs::write(&file, vec![b'x'; 600 * 1024]).unwrap();
        log.note("second");
        assert!(std::fs::metadata(&file).unwrap().len() < 100);
    }
}
