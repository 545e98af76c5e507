//! `*** Begin Patch`: files by name, and hunks that are found by their lines alone.

use super::{FileChange, Hunk, PatchError, Sign, malformed};

pub const OPENING: &str = "*** Begin Patch";
const CLOSING: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const LAST: &str = "*** End of File";

pub fn parse(lines: &[&str]) -> Result<Vec<FileChange>, PatchError> {
    let begin = lines.iter().position(|line| line.trim() == OPENING).ok_or(PatchError::NotOne)?;
    let rest = &lines[begin + 1..];
    let end = rest.iter().position(|line| line.trim_end() == CLOSING);
    // With blanks before it, only the last one can be meant: a file may have such a line.
    let end = end.or_else(|| rest.iter().rposition(|line| line.trim() == CLOSING));
    let Some(end) = end.map(|end| begin + 1 + end) else {
        return Err(malformed(lines.len(), format!("`{CLOSING}` is missing: the patch was cut off")));
    };
    let first = rest.iter().find(|line| !line.trim().is_empty());
    let is_padded =
        [Some(&lines[begin]), first].into_iter().flatten().any(|line| line.starts_with([' ', '\t']));
    Reader { lines: &lines[..end], at: begin + 1, is_padded }.files()
}

struct Reader<'a> {
    lines: &'a [&'a str],
    at: usize,
    /// Headings have blanks before them.
    is_padded: bool,
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

    /// Whether a line begins something else than a hunk's line. With blanks before it, it could be one.
    fn is_heading(&self) -> bool {
        let Some(line) = self.line() else { return true };
        let body = line.trim();
        if ![ADD, DELETE, UPDATE].iter().any(|heading| body.starts_with(heading)) {
            return false;
        }
        let next = self.lines.get(self.at + 1).copied().unwrap_or_default();
        self.is_padded
            || body.len() == line.trim_end().len()
            || body.starts_with(UPDATE) && next.starts_with("@@")
    }

    fn added(&mut self) -> Result<String, PatchError> {
        let mut content = String::new();
        while !self.is_heading() {
            let line = self.line().unwrap_or_default();
            // What separates two files belongs to neither.
            if line.is_empty() && self.is_empty_to_heading() {
                self.at += 1;
                continue;
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

    fn is_empty_to_heading(&self) -> bool {
        let rest = &self.lines[self.at..];
        let empty = rest.iter().take_while(|line| line.is_empty()).count();
        Reader { at: self.at + empty, ..*self }.is_heading()
    }

    fn update(&mut self, path: &str) -> Result<FileChange, PatchError> {
        let to = self.line().and_then(|line| line.trim_start().strip_prefix(MOVE));
        let to = to.map(|path| path.trim().to_owned());
        self.at += usize::from(to.is_some());
        let mut hunks = Vec::new();
        let mut hunk = Hunk::default();
        let mut is_open = false;
        while !self.is_heading() {
            let line = self.line().unwrap_or_default();
            if let Some(below) = line.strip_prefix("@@") {
                if is_open && !hunk.is_empty() {
                    hunks.push(std::mem::take(&mut hunk).settled());
                }
                let below = below.trim().trim_end_matches("@@").trim();
                hunk.below = (!below.is_empty()).then(|| below.to_owned());
            } else if line.trim_end() == LAST || self.is_padded && line.trim() == LAST {
                hunk.is_last = true;
            } else if !(hunk.is_last && line.trim().is_empty()) {
                // Nothing of the file follows its end.
                hunk.line_of_hunk(line)
                    .ok_or_else(|| malformed(self.at, "a line of a hunk begins with a blank, `+` or `-`"))?;
            }
            is_open = true;
            self.at += 1;
        }
        if !hunk.is_empty() {
            hunks.push(hunk.settled());
        }
        if hunks.is_empty() && to.is_none() {
            return Err(malformed(self.at, format!("nothing is said of what to change in {path}")));
        }
        Ok(FileChange::Update { path: path.to_owned(), to, hunks })
    }
}

impl Hunk {
    fn is_empty(&self) -> bool {
        self.signs.is_empty()
    }

    /// Empty lines without a sign say nothing of the place where there is nothing else.
    fn settled(self) -> Self {
        if self.unsigned > 0 && self.old.len() == self.unsigned { self.without_unsigned() } else { self }
    }

    /// Takes a line with its sign. An empty one is a blank line that lost it.
    pub(super) fn line_of_hunk(&mut self, line: &str) -> Option<()> {
        let mut signs = line.chars();
        let sign = match signs.next() {
            Some('+') => Sign::Comes,
            Some('-') => Sign::Goes,
            Some(' ') | None => Sign::Stays,
            Some(_) => return None,
        };
        if sign != Sign::Comes {
            self.old.push(signs.as_str().to_owned());
        }
        if sign != Sign::Goes {
            self.new.push(signs.as_str().to_owned());
        }
        self.signs.push(sign);
        self.unsigned = if line.is_empty() { self.unsigned + 1 } else { 0 };
        Some(())
    }
}
