//! Parses unified diffs as written by git, `diff -u` and models.

use super::file_change::{FileChange, PatchError, malformed};
use super::hunk::PatchHunk;

const NOWHERE: &str = "/dev/null";
const OPEN: &str = "\\ No newline";

/// The header lines before the hunks of a file.
#[derive(Default)]
struct Head {
    from: Option<String>,
    to: Option<String>,
    is_new: bool,
    is_deleted: bool,
    is_moved: bool,
}

/// Returns true if the lines contain the file header of a diff.
pub fn has_head(lines: &[&str]) -> bool {
    lines.windows(2).any(|pair| names_files(pair[0], pair[1]))
        || lines.iter().any(|line| line.starts_with("diff --git "))
}

fn names_files(line: &str, next: &str) -> bool {
    line.starts_with("--- ") && next.starts_with("+++ ")
}

pub fn parse(lines: &[&str]) -> Result<Vec<FileChange>, PatchError> {
    let mut changes = Vec::new();
    let (mut head, mut hunks) = (Head::default(), Vec::new());
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if let Some(names) = line.strip_prefix("diff --git ") {
            finish(&mut changes, std::mem::take(&mut head), std::mem::take(&mut hunks), at)?;
            (head.from, head.to) = git_names(names);
        } else if lines.get(at + 1).is_some_and(|next| names_files(line, next)) {
            if !hunks.is_empty() {
                finish(&mut changes, std::mem::take(&mut head), std::mem::take(&mut hunks), at)?;
            }
            let (from, to) = (name(&line[4..]), name(&lines[at + 1][4..]));
            head.is_new |= from == NOWHERE;
            head.is_deleted |= to == NOWHERE;
            let (from, to) = without_prefixes(&from, &to);
            (head.from, head.to) = (Some(from), Some(to));
            at += 1;
        } else if line.starts_with("new file mode") {
            head.is_new = true;
        } else if line.starts_with("deleted file mode") {
            head.is_deleted = true;
        } else if let Some(path) = line.strip_prefix("rename from ") {
            (head.from, head.is_moved) = (Some(name(path)), true);
        } else if let Some(path) = line.strip_prefix("rename to ") {
            (head.to, head.is_moved) = (Some(name(path)), true);
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return Err(malformed(at, "pictures and programs cannot be patched"));
        } else if line.starts_with("@@") {
            if head.from.is_none() && head.to.is_none() {
                return Err(malformed(at, "a hunk comes before the name of its file"));
            }
            let (hunk, next) = hunk(lines, at)?;
            hunks.push(hunk);
            at = next;
            continue;
        }
        at += 1;
    }
    finish(&mut changes, head, hunks, at)?;
    if changes.is_empty() { Err(PatchError::NotOne) } else { Ok(changes) }
}

fn finish(
    changes: &mut Vec<FileChange>,
    head: Head,
    hunks: Vec<PatchHunk>,
    at: usize,
) -> Result<(), PatchError> {
    let Head { from, to, is_new, is_deleted, is_moved } = head;
    let (Some(from), Some(to)) = (from, to) else { return Ok(()) };
    if is_new {
        let is_open = hunks.last().is_some_and(|hunk| hunk.new_is_open);
        if hunks.iter().any(|hunk| !hunk.old.is_empty()) {
            return Err(malformed(at, format!("{to} is new, and yet has old lines")));
        }
        let lines = hunks.iter().flat_map(|hunk| &hunk.new);
        let mut content: String = lines.flat_map(|line| [line, "\n"]).collect();
        if is_open {
            content.pop();
        }
        changes.push(FileChange::Add { path: to, content });
    } else if is_deleted {
        changes.push(FileChange::Delete { path: from, hunks });
    } else if !hunks.is_empty() || is_moved {
        let to = (is_moved || from != to).then_some(to).filter(|to| *to != from);
        changes.push(FileChange::Update { path: from, to, hunks });
    }
    Ok(())
}

/// Parses a hunk and returns it with the index of the line after it. The counts in its header are used only if a
/// different construct begins after that many lines.
fn hunk(lines: &[&str], at: usize) -> Result<(PatchHunk, usize), PatchError> {
    let range = Range::read(lines[at]);
    let counted = range.as_ref().and_then(|range| range.end(lines, at + 1));
    let end = counted.unwrap_or_else(|| {
        let ends = |at: &usize| {
            let line = lines[*at];
            let heads = lines.get(at + 1).is_some_and(|next| names_files(line, next));
            heads || line.starts_with("@@") || line.starts_with("diff --git ")
        };
        (at + 1..lines.len()).find(ends).unwrap_or(lines.len())
    });
    let mut hunk = PatchHunk { line: range.as_ref().map(|range| range.line), ..PatchHunk::default() };
    hunk.below = range.and_then(|range| range.below);
    let mut last_sign = ' ';
    for (place, line) in lines.iter().enumerate().take(end).skip(at + 1) {
        if line.starts_with(OPEN) {
            hunk.old_is_open |= last_sign != '+';
            hunk.new_is_open |= last_sign != '-';
            continue;
        }
        last_sign = line.chars().next().unwrap_or(' ');
        // Blank lines between two files belong to neither.
        let is_between =
            line.is_empty() && counted.is_none() && lines[place..end].iter().all(|line| line.is_empty());
        if is_between {
            break;
        }
        hunk.line_of_hunk(line)
            .ok_or_else(|| malformed(place, "a line of a hunk begins with a blank, `+` or `-`"))?;
    }
    // Lines within the counts belong to the file.
    hunk.unsigned = if counted.is_some() { 0 } else { hunk.unsigned };
    if hunk.old == hunk.new && hunk.old_is_open == hunk.new_is_open {
        return Err(malformed(at, "this hunk changes nothing"));
    }
    Ok((hunk, end))
}

/// The hunk header `@@ -line,old +line,new @@ below`.
struct Range {
    line: usize,
    old: usize,
    new: usize,
    below: Option<String>,
}

impl Range {
    fn read(head: &str) -> Option<Self> {
        let (numbers, below) = head.strip_prefix("@@")?.split_once("@@")?;
        let (old, new) = numbers.trim().strip_prefix('-')?.split_once(" +")?;
        let pair = |text: &str| match text.split_once(',') {
            Some((line, count)) => Some((line.parse().ok()?, count.trim().parse().ok()?)),
            None => Some((text.trim().parse().ok()?, 1)),
        };
        let ((line, old), (_, new)) = (pair(old)?, pair(new)?);
        let below = below.trim();
        Some(Self { line, old, new, below: (!below.is_empty()).then(|| below.to_owned()) })
    }

    /// Returns the end of the hunk according to its counts, if no hunk line follows there.
    fn end(&self, lines: &[&str], from: usize) -> Option<usize> {
        let (mut old, mut new) = (self.old, self.new);
        let mut at = from;
        while old > 0 || new > 0 {
            let line = lines.get(at)?;
            match line.chars().next() {
                Some('-') => old = old.checked_sub(1)?,
                Some('+') => new = new.checked_sub(1)?,
                Some(' ') | None => {
                    old = old.checked_sub(1)?;
                    new = new.checked_sub(1)?;
                }
                Some('\\') => {}
                Some(_) => return None,
            }
            at += 1;
        }
        while lines.get(at).is_some_and(|line| line.starts_with(OPEN)) {
            at += 1;
        }
        let next = lines.get(at).copied().unwrap_or_default();
        (!next.starts_with(['+', ' ']) && (!next.starts_with('-') || next.starts_with("--- "))).then_some(at)
    }
}

/// Parses the names in `diff --git a/one b/one`.
fn git_names(names: &str) -> (Option<String>, Option<String>) {
    if names.starts_with('"') {
        return (None, None);
    }
    // Both names are the same unless the file is renamed, which later header lines repeat.
    let middle = names.len() / 2;
    let halves = names.is_char_boundary(middle).then(|| names.split_at(middle));
    let same = halves.filter(|(one, other)| {
        one.strip_prefix("a/").is_some_and(|one| other.strip_prefix(" b/") == Some(one))
    });
    match same.or_else(|| names.split_once(' ')) {
        Some((from, to)) => {
            let (from, to) = without_prefixes(from.trim(), to.trim());
            (Some(from), Some(to))
        }
        None => (None, None),
    }
}

/// Parses a name after `---` or `+++`, which may be quoted or followed by a date.
fn name(text: &str) -> String {
    let text = text.split('\t').next().unwrap_or_default().trim_end();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map_or_else(|| text.to_owned(), unquoted)
}

/// Decodes a name quoted by git, with bytes as three octal digits.
fn unquoted(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(digit @ b'0'..=b'3') => {
                let more =
                    [rest.next(), rest.next()].into_iter().flatten().map(|digit| digit.wrapping_sub(b'0'));
                bytes.push(more.fold(digit - b'0', |sum, digit| sum.wrapping_mul(8).wrapping_add(digit)));
            }
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Removes the prefixes `a/` and `b/` of git if both are present.
fn without_prefixes(from: &str, to: &str) -> (String, String) {
    let strip = |path: &str, prefix: &str| path.strip_prefix(prefix).map(ToOwned::to_owned);
    let is_git = |path: &str, prefix: &str| path == NOWHERE || path.starts_with(prefix);
    if is_git(from, "a/") && is_git(to, "b/") {
        let from = strip(from, "a/").unwrap_or_else(|| from.to_owned());
        return (from, strip(to, "b/").unwrap_or_else(|| to.to_owned()));
    }
    (from.to_owned(), to.to_owned())
}
