//! A hunk of a patch.

/// Some lines and their replacement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PatchHunk {
    /// The number of the first old line, counted from one, if the patch gives it.
    pub line: Option<usize>,
    /// A line above the hunk that distinguishes it from other matches.
    pub below: Option<String>,
    pub old: Vec<String>,
    pub new: Vec<String>,
    /// The kind of each line of the hunk, in order.
    pub signs: Vec<HunkLineRole>,
    /// The number of empty lines without a sign at the end. They may belong to the patch format rather than to the
    /// file.
    pub unsigned: usize,
    /// True if the hunk ends at the end of the file.
    pub is_last: bool,
    /// True if the patch says that the last line of the old file has no line ending; `new_is_open` is the same for the
    /// new file.
    pub old_is_open: bool,
    pub new_is_open: bool,
}

/// The kind of a hunk line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HunkLineRole {
    Kept,
    Removed,
    Added,
}

impl PatchHunk {
    pub fn is_empty(&self) -> bool {
        self.signs.is_empty()
    }

    /// Removes unsigned empty lines if the hunk has no other old lines, since they do not identify a position.
    #[must_use]
    pub fn without_lone_blanks(self) -> Self {
        if self.unsigned > 0 && self.old.len() == self.unsigned { self.without_unsigned() } else { self }
    }

    /// Adds a line with its sign. An empty line counts as an unchanged blank line that lost its sign.
    pub fn line_of_hunk(&mut self, line: &str) -> Option<()> {
        let mut signs = line.chars();
        let sign = match signs.next() {
            Some('+') => HunkLineRole::Added,
            Some('-') => HunkLineRole::Removed,
            Some(' ') | None => HunkLineRole::Kept,
            Some(_) => return None,
        };
        if sign != HunkLineRole::Added {
            self.old.push(signs.as_str().to_owned());
        }
        if sign != HunkLineRole::Removed {
            self.new.push(signs.as_str().to_owned());
        }
        self.signs.push(sign);
        self.unsigned = if line.is_empty() { self.unsigned + 1 } else { 0 };
        Some(())
    }

    /// Returns the hunk without the unsigned empty lines at its end.
    #[must_use]
    pub fn without_unsigned(&self) -> Self {
        let mut hunk = self.clone();
        for _ in 0..hunk.unsigned {
            hunk.old.pop();
            hunk.new.pop();
            hunk.signs.pop();
        }
        hunk.unsigned = 0;
        hunk
    }
}
