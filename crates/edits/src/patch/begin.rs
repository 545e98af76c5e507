//! `*** Begin Patch`: files by name, and hunks that are found by their lines alone.

use super::{FileChange, Hunk, PatchError, malformed};

pub const OPENING: &str = "*** Begin Patch";
const CLOSING: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const LAST: &str = "*** End of File";

pub fn parse(lines: &[&str]) -> Result<Vec<FileChange>, PatchError> {
    let mut at = lines.iter().position(|line| line.trim_end() == OPENING).ok_or(PatchError::NotOne)? + 1;
    let mut changes = Vec::new();
    loop {
        let Some(line) = lines.get(at) else {
            return Err(malformed(at, format!("`{CLOSING}` is missing: the patch was cut off")));
        };
        let line = line.trim_end();
        if line == CLOSING {
            break;
        }
        if let Some(path) = line.strip_prefix(ADD) {
            let (content, next) = added(lines, at + 1)?;
            changes.push(FileChange::Add { path: path.trim().to_owned(), content });
            at = next;
        } else if let Some(path) = line.strip_prefix(DELETE) {
            changes.push(FileChange::Delete { path: path.trim().to_owned() });
            at += 1;
        } else if let Some(path) = line.strip_prefix(UPDATE) {
            let (change, next) = update(path.trim(), lines, at + 1)?;
            changes.push(change);
            at = next;
        } else if line.is_empty() {
            at += 1;
        } else {
            return Err(malformed(at, format!("`{line}` begins no file")));
        }
    }
    if changes.is_empty() { Err(malformed(at, "it changes nothing")) } else { Ok(changes) }
}

/// Whether a line begins something else than a hunk's line.
fn is_heading(line: &str) -> bool {
    let line = line.trim_end();
    line == CLOSING || [ADD, DELETE, UPDATE].iter().any(|heading| line.starts_with(heading))
}

fn added(lines: &[&str], mut at: usize) -> Result<(String, usize), PatchError> {
    let mut content = String::new();
    while let Some(line) = lines.get(at).filter(|line| !is_heading(line)) {
        let Some(text) = line.strip_prefix('+') else {
            return Err(malformed(at, "a line of a file that is added begins with `+`"));
        };
        content.push_str(text);
        content.push('\n');
        at += 1;
    }
    Ok((content, at))
}

fn update(path: &str, lines: &[&str], mut at: usize) -> Result<(FileChange, usize), PatchError> {
    let to = lines.get(at).and_then(|line| line.strip_prefix(MOVE)).map(|path| path.trim().to_owned());
    at += usize::from(to.is_some());
    let mut hunks = Vec::new();
    let mut hunk = Hunk::default();
    let mut is_open = false;
    while let Some(line) = lines.get(at).filter(|line| !is_heading(line)) {
        if let Some(below) = line.strip_prefix("@@") {
            if is_open && !(hunk.old.is_empty() && hunk.new.is_empty()) {
                hunks.push(std::mem::take(&mut hunk));
            }
            let below = below.trim().trim_end_matches("@@").trim();
            hunk.below = (!below.is_empty()).then(|| below.to_owned());
        } else if line.trim_end() == LAST {
            hunk.is_last = true;
        } else {
            hunk.line_of_hunk(line)
                .ok_or_else(|| malformed(at, "a line of a hunk begins with a blank, `+` or `-`"))?;
        }
        is_open = true;
        at += 1;
    }
    if !(hunk.old.is_empty() && hunk.new.is_empty()) {
        hunks.push(hunk);
    }
    if hunks.is_empty() && to.is_none() {
        return Err(malformed(at, format!("nothing is said of what to change in {path}")));
    }
    Ok((FileChange::Update { path: path.to_owned(), to, hunks }, at))
}

impl Hunk {
    /// Takes a line with its sign. An empty one is a blank line that lost it.
    pub(super) fn line_of_hunk(&mut self, line: &str) -> Option<()> {
        let mut signs = line.chars();
        match signs.next() {
            Some('+') => self.new.push(signs.as_str().to_owned()),
            Some('-') => self.old.push(signs.as_str().to_owned()),
            Some(' ') | None => {
                self.old.push(signs.as_str().to_owned());
                self.new.push(signs.as_str().to_owned());
            }
            Some(_) => return None,
        }
        Some(())
    }
}
