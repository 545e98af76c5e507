//! Writes a diff as a patch.

use std::fmt::Write as _;

use super::{DiffKind, FileDiff, Hunk, HunkLineKind};
use crate::path::WorkspacePath;

impl FileDiff {
    /// Returns the diff in the format of `git diff`. For UTF-8 files, applying it gives the new file byte for byte;
    /// other encodings are shown decoded.
    pub fn to_unified(&self, path: &WorkspacePath) -> String {
        let (old, new) = (quoted("a", path), quoted("b", path));
        let mut out = format!("diff --git {old} {new}\n");
        match self.kind {
            DiffKind::Added => out.push_str("new file mode 100644\n"),
            DiffKind::Deleted => out.push_str("deleted file mode 100644\n"),
            DiffKind::Changed | DiffKind::ModeOnly => {}
        }
        let old = if self.kind == DiffKind::Added { "/dev/null".to_owned() } else { old };
        let new = if self.kind == DiffKind::Deleted { "/dev/null".to_owned() } else { new };
        if self.binary {
            let _ = writeln!(out, "Binary files {old} and {new} differ");
        }
        let hunks = self.unified_hunks();
        if !hunks.is_empty() {
            let _ = write!(out, "--- {}\n+++ {}\n{hunks}", ended(&old), ended(&new));
        }
        out
    }

    /// Returns the hunks of the diff without the names of the file.
    pub fn unified_hunks(&self) -> String {
        let mut out = String::new();
        self.hunks.iter().filter(|hunk| !hunk.lines.is_empty()).for_each(|hunk| write(&mut out, hunk));
        out
    }
}

fn write(out: &mut String, hunk: &Hunk) {
    let Hunk { old_start, old_lines, new_start, new_lines, .. } = hunk;
    let _ = writeln!(out, "@@ -{old_start},{old_lines} +{new_start},{new_lines} @@");
    for line in &hunk.lines {
        out.push(match line.kind {
            HunkLineKind::Context => ' ',
            HunkLineKind::Added => '+',
            HunkLineKind::Removed => '-',
        });
        out.push_str(&line.text);
        out.push_str(if line.no_newline { "\n\\ No newline at end of file\n" } else { "\n" });
    }
}

/// Quotes a path as in C if it contains quotes or backslashes.
fn quoted(side: &str, path: &WorkspacePath) -> String {
    let path = path.as_str();
    if path.contains(['"', '\\']) {
        format!("\"{side}/{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        format!("{side}/{path}")
    }
}

/// Appends a tab to a name with a space, which would otherwise end at the space.
fn ended(name: &str) -> String {
    if name.contains(' ') && !name.starts_with('"') { format!("{name}\t") } else { name.to_owned() }
}
