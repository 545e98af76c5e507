//! Parses the `*** Begin Patch` format: files by name, and hunks that are located by their lines alone.

use std::collections::BTreeSet;

use super::file_change::{FileChange, FileLookup, PatchError, malformed};
use super::hunk::PatchHunk;

pub const OPENING: &str = "*** Begin Patch";
const CLOSING: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const LAST: &str = "*** End of File";

pub fn parse(lines: &[&str], files: FileLookup<'_>) -> Result<Vec<FileChange>, PatchError> {
    let begin = lines.iter().position(|line| line.trim() == OPENING).ok_or(PatchError::NotOne)?;
    let rest = &lines[begin + 1..];
    let end = rest.iter().position(|line| line.trim_end() == CLOSING);
    let has_padded_end = end.is_none();
    // If the closing line is indented, take the last one: a file may contain such a line.
    let end = end.or_else(|| rest.iter().rposition(|line| line.trim() == CLOSING));
    let Some(end) = end.map(|end| begin + 1 + end) else {
        return Err(malformed(lines.len(), format!("`{CLOSING}` is missing: the patch was cut off")));
    };
    let first = rest.iter().find(|line| !line.trim().is_empty());
    let is_padded = [Some(&lines[begin]), first].into_iter().flatten().any(|line| is_padded(line));
    Reader { lines: &lines[..end], at: begin + 1, is_padded, has_padded_end, files }.files()
}

struct Reader<'a> {
    lines: &'a [&'a str],
    at: usize,
    /// True if the first headings are indented.
    is_padded: bool,
    /// True if the closing line is indented and could therefore be a line of the last file.
    has_padded_end: bool,
    files: FileLookup<'a>,
}

impl<'a> Reader<'a> {
    fn files(mut self) -> Result<Vec<FileChange>, PatchError> {
        let mut changes = Vec::new();
        while let Some(line) = self.line() {
            let line = line.trim();
            self.at += 1;
            if let Some(path) = line.strip_prefix(ADD) {
                changes.push(FileChange::Add { path: path.trim().to_owned(), content: self.added()? });
            } else if let Some(path) = line.strip_prefix(DELETE) {
                changes.push(FileChange::Delete { path: path.trim().to_owned(), hunks: Vec::new() });
            } else if let Some(path) = line.strip_prefix(UPDATE) {
                changes.push(self.update(path.trim())?);
            } else if !line.is_empty() {
                return Err(malformed(self.at - 1, format!("`{line}` begins no file")));
            }
        }
        if changes.is_empty() { Err(malformed(self.at, "it changes nothing")) } else { Ok(changes) }
    }

    fn line(&self) -> Option<&'a str> {
        self.lines.get(self.at).copied()
    }

    fn added(&mut self) -> Result<String, PatchError> {
        let mut content = String::new();
        while let Some(line) = self.line() {
            // Blank lines between two files belong to neither.
            let empty = self.lines[self.at..].iter().take_while(|line| line.trim().is_empty()).count();
            if self.lines.get(self.at + empty).is_none_or(|line| is_heading(line)) {
                self.at += empty;
                break;
            }
            let Some(text) = line.strip_prefix('+') else {
                return Err(malformed(self.at, "a line of a file that is added begins with `+`"));
            };
            content.push_str(text);
            content.push('\n');
            self.at += 1;
        }
        Ok(content)
    }

    /// Returns the line if it is part of the patch format rather than a line of the file. Hunk lines always have a
    /// sign, so an unindented match is format. An indented match counts as a file line if the file contains it, and
    /// must then match at the position of the hunk.
    fn framing(&self, line: &'a str, file: Option<&FileLines>) -> Option<&'a str> {
        let words = line.trim();
        if !(is_heading(words) || words == LAST || words.starts_with(MOVE) || words.starts_with("@@")) {
            return None;
        }
        let is_files =
            line.starts_with(' ') && file.map_or_else(|| !self.frames(words), |file| file.has(words));
        (!is_files).then_some(words)
    }

    /// Guesses from the style of the patch if an indented line is part of the format. Used if the file is not known.
    fn frames(&self, words: &str) -> bool {
        let next = self.lines.get(self.at + 1).copied().unwrap_or_default();
        let begins_hunk = words.starts_with(UPDATE) && next.starts_with("@@");
        begins_hunk || self.is_padded && !words.starts_with("@@")
    }

    fn update(&mut self, path: &str) -> Result<FileChange, PatchError> {
        let file = (self.files)(path).map(|text| FileLines::of(&text));
        let file = file.as_ref();
        let first = self.line().and_then(|line| self.framing(line, file));
        let to = first.and_then(|line| line.strip_prefix(MOVE)).map(|path| path.trim().to_owned());
        self.at += usize::from(to.is_some());
        let mut hunks = Vec::new();
        let mut hunk = PatchHunk::default();
        let mut is_open = false;
        while let Some(line) = self.line() {
            match self.framing(line, file) {
                Some(heading) if is_heading(heading) => break,
                Some(LAST) => hunk.is_last = true,
                Some(head) if head.starts_with("@@") => {
                    if is_open && !hunk.is_empty() {
                        hunks.push(std::mem::take(&mut hunk).without_lone_blanks());
                    }
                    let below = head[2..].trim().trim_end_matches("@@").trim();
                    hunk.below = (!below.is_empty()).then(|| below.to_owned());
                }
                // Blank lines after the end of the file are ignored.
                _ if hunk.is_last && line.trim().is_empty() => {}
                _ => hunk
                    .line_of_hunk(line)
                    .ok_or_else(|| malformed(self.at, "a line of a hunk begins with a blank, `+` or `-`"))?,
            }
            is_open = true;
            self.at += 1;
        }
        if self.has_padded_end && self.line().is_none() && file.is_some_and(|file| file.has(CLOSING)) {
            let why = format!("`{CLOSING}` could be a line of {path}: write it without blanks before it");
            return Err(malformed(self.at, why));
        }
        if !hunk.is_empty() {
            hunks.push(hunk.without_lone_blanks());
        }
        if hunks.is_empty() && to.is_none() {
            return Err(malformed(self.at, format!("nothing is said of what to change in {path}")));
        }
        Ok(FileChange::Update { path: path.to_owned(), to, hunks })
    }
}

fn is_padded(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// Returns true if a line is a file heading, with any indentation.
fn is_heading(line: &str) -> bool {
    [ADD, DELETE, UPDATE].iter().any(|heading| line.trim().starts_with(heading))
}

/// The lines of a file that could be read as patch format, compared without whitespace.
struct FileLines(BTreeSet<String>);

impl FileLines {
    fn of(text: &str) -> Self {
        let like = text.lines().filter(|line| line.trim_start().starts_with(['*', '@']));
        Self(like.map(Self::kind).collect())
    }

    fn has(&self, words: &str) -> bool {
        self.0.contains(&Self::kind(words))
    }

    /// Reduces a heading to its keyword, so that a slightly misquoted name cannot select another file.
    fn kind(line: &str) -> String {
        let line = line.trim();
        let kind = if line.starts_with('*') { line.split(':').next().unwrap_or_default() } else { line };
        kind.split_whitespace().collect()
    }
}
