//! Shows parts of a file with line numbers, for the model that edits it.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use edits::{TextError, TextFile};
use thiserror::Error;

use crate::change::OverlayError;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;

/// The maximum number of lines shown at once.
pub const MOST_LINES: usize = 800;
/// The maximum number of characters shown of a line.
const LONGEST_LINE: usize = 2_000;

#[derive(Debug, Error)]
pub enum ReadLinesError {
    #[error(transparent)]
    Overlay(#[from] OverlayError),
    #[error("{path}: {error}")]
    Text { path: WorkspacePath, error: TextError },
    #[error("{path} has {lines} lines; line {asked} is not among them")]
    Beyond { path: WorkspacePath, lines: usize, asked: usize },
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedLines {
    /// The lines, each prefixed with its number and a bar.
    pub text: String,
    pub lines: RangeInclusive<usize>,
    /// The number of lines of the whole file.
    pub total: usize,
}

impl Overlay {
    /// Returns lines of a file, counted from one, with all changes of the overlay.
    pub fn numbered_lines(
        &self,
        path: &WorkspacePath,
        from: Option<usize>,
        to: Option<usize>,
    ) -> Result<NumberedLines, ReadLinesError> {
        let bytes = self.read(path)?.ok_or_else(|| OverlayError::Missing(path.clone()))?;
        let file =
            TextFile::read(&bytes).map_err(|error| ReadLinesError::Text { path: path.clone(), error })?;
        let lines: Vec<&str> = file.text.lines().collect();
        let from = from.unwrap_or(1).max(1);
        if from > lines.len().max(1) {
            return Err(ReadLinesError::Beyond { path: path.clone(), lines: lines.len(), asked: from });
        }
        let last = to.unwrap_or(lines.len()).min(lines.len()).min(from + MOST_LINES - 1);
        let mut text = String::new();
        for (number, line) in lines.iter().enumerate().take(last).skip(from - 1) {
            let end = line.char_indices().nth(LONGEST_LINE).map_or(line.len(), |(at, _)| at);
            let cut = if end < line.len() { "…" } else { "" };
            let _ = writeln!(text, "{:>5} | {}{cut}", number + 1, &line[..end]);
        }
        Ok(NumberedLines { text, lines: from..=last, total: lines.len() })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use host::RootDir;

    use super::*;

    #[test]
    fn lines_are_shown_with_their_numbers_and_changes() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.txt"), "one\r\ntwo\r\nthree").unwrap();
        std::fs::write(folder.path().join("empty"), "").unwrap();
        std::fs::write(folder.path().join("x.bin"), [0, 1, 2]).unwrap();
        let mut overlay = Overlay::new(Arc::new(RootDir::open(folder.path()).unwrap()));
        let path = |text| WorkspacePath::parse(text).unwrap();
        let shown = overlay.numbered_lines(&path("a.txt"), Some(2), Some(9)).unwrap();
        assert_eq!(
            shown,
            NumberedLines { text: "    2 | two\n    3 | three\n".into(), lines: 2..=3, total: 3 }
        );
        overlay.write(&path("a.txt"), b"new\n".to_vec()).unwrap();
        assert_eq!(overlay.numbered_lines(&path("a.txt"), None, None).unwrap().text, "    1 | new\n");
        assert_eq!(overlay.numbered_lines(&path("empty"), None, None).unwrap().total, 0);
        for (name, from, word) in [
            ("a.txt", Some(2), "has 1 lines"),
            ("x.bin", None, "it is not a text file"),
            ("nowhere", None, "there is no file"),
        ] {
            let error = overlay.numbered_lines(&path(name), from, None).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
