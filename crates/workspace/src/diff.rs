//! The diff of a file as hunks, each of which can be accepted or rejected, exact to the byte.
//!
//! The functions are pure and deterministic: a hunk is identified by its number, and a caller may use that number
//! later. For this reason no time limit is used; the algorithms are fast on any input.

mod lines;
mod merge;
mod unified;

use std::collections::BTreeMap;
use std::ops::Range;

use edits::Encoding;
use serde::{Deserialize, Serialize};

use self::lines::{DiffRegion, TextLines, regions, whole};
pub use self::merge::merge_change;

/// The number of unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// The number of a hunk, counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HunkId(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffKind {
    Added,
    Deleted,
    Changed,
    /// The bytes are the same; at most the file mode differs.
    ModeOnly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HunkLineKind {
    Context,
    Added,
    Removed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HunkLine {
    pub kind: HunkLineKind,
    /// The line without its line feed. A carriage return before it is part of the text, and so is a byte order mark.
    pub text: String,
    /// True if this is the last line of its file and no line feed follows.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_newline: bool,
}

/// A hunk. A change that cannot be shown in lines (a binary or empty file) is one hunk without lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    pub id: HunkId,
    /// The first line as in a patch: counted from one, or the line before the hunk if it has no lines on this side.
    pub old_start: u32,
    pub old_lines: u32,
    pub new_start: u32,
    pub new_lines: u32,
    pub lines: Vec<HunkLine>,
}

/// The diff of one file. It has at least one hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileDiff {
    pub kind: DiffKind,
    /// True if the file is not text, so there are no lines.
    pub binary: bool,
    pub hunks: Vec<Hunk>,
    /// The number of added lines; `removed` is that of removed lines.
    pub added: u32,
    pub removed: u32,
}

impl FileDiff {
    /// Computes the diff of a file. `None` means that the file does not exist.
    pub fn of(before: Option<&[u8]>, after: Option<&[u8]>) -> Self {
        let sides = Sides::of(before, after);
        let hunks = sides.hunks();
        let count =
            |kind| number(hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.kind == kind).count());
        let (added, removed) = (count(HunkLineKind::Added), count(HunkLineKind::Removed));
        let kind = match (before, after) {
            (None, Some(_)) => DiffKind::Added,
            (Some(_), None) => DiffKind::Deleted,
            (before, after) if before == after => DiffKind::ModeOnly,
            _ => DiffKind::Changed,
        };
        Self { kind, binary: sides.text.is_none(), hunks, added, removed }
    }

    pub fn ids(&self) -> impl Iterator<Item = HunkId> + '_ {
        self.hunks.iter().map(|hunk| hunk.id)
    }
}

/// Returns the file with only the accepted hunks applied. With all of them it equals `after`, with none `before`, byte
/// for byte.
pub fn accept_hunks(before: Option<&[u8]>, after: Option<&[u8]>, accepted: &[HunkId]) -> Option<Vec<u8>> {
    let whole = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
    let sides = Sides::of(before, after);
    let all = sides.groups.len().max(1);
    match (0..all).filter(|hunk| accepted.contains(&HunkId(number(*hunk)))).count() {
        0 => whole(before),
        some if some == all => whole(after),
        // With several hunks, both sides exist and are text.
        _ => sides.accepted(accepted, &BTreeMap::new()),
    }
}

/// Like [`accept_hunks`], but with some hunks rewritten: the text of each replaces all lines that the hunk shows. Returns
/// `None` if the file is not UTF-8, because the encoding of the new text would have to be guessed.
pub fn accept_edited_hunks(
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    accepted: &[HunkId],
    edited: &BTreeMap<HunkId, String>,
) -> Option<Vec<u8>> {
    let sides = Sides::of(before, after);
    let is_plain = |text: &TextLines<'_>| text.encoding == Encoding::Utf8;
    sides.text.as_ref().filter(|(old, new)| is_plain(old) && is_plain(new))?;
    sides.accepted(accepted, edited)
}

/// Both sides of a change and the regions in which they differ.
struct Sides<'a> {
    /// The lines of both sides, or `None` if one of them is not text.
    text: Option<(TextLines<'a>, TextLines<'a>)>,
    regions: Vec<DiffRegion>,
    /// Ranges of regions that are close enough to be shown as one hunk.
    groups: Vec<Range<usize>>,
}

impl<'a> Sides<'a> {
    fn of(before: Option<&'a [u8]>, after: Option<&'a [u8]>) -> Self {
        let text =
            TextLines::read(before.unwrap_or_default()).zip(TextLines::read(after.unwrap_or_default()));
        let regions = match &text {
            Some((old, new)) if before.is_some() && after.is_some() => regions(old, new),
            Some((old, new)) => whole(old, new),
            None => Vec::new(),
        };
        Self { text, groups: grouped(&regions), regions }
    }

    /// Returns `None` if one side is not text.
    fn accepted(&self, accepted: &[HunkId], edited: &BTreeMap<HunkId, String>) -> Option<Vec<u8>> {
        let (old, new) = self.text.as_ref()?;
        let (mut out, mut at) = (Vec::new(), 0);
        for (hunk, group) in self.groups.iter().enumerate() {
            let (id, regions) = (HunkId(number(hunk)), &self.regions[group.clone()]);
            if let Some(text) = edited.get(&id) {
                let shown = around(regions, old.lines.len());
                out.extend(old.lines[at..shown.start].concat());
                out.extend_from_slice(text.as_bytes());
                at = shown.end;
                continue;
            }
            let is_accepted = accepted.contains(&id);
            for region in regions {
                let lines =
                    if is_accepted { &new.lines[region.new.clone()] } else { &old.lines[region.old.clone()] };
                out.extend(old.lines[at..region.old.start].concat());
                out.extend(lines.concat());
                at = region.old.end;
            }
        }
        out.extend(old.lines[at..].concat());
        Some(out)
    }

    fn hunks(&self) -> Vec<Hunk> {
        let Some((old, new)) = self.text.as_ref().filter(|_| !self.groups.is_empty()) else {
            let hunk = Hunk {
                id: HunkId(0),
                old_start: 0,
                old_lines: 0,
                new_start: 0,
                new_lines: 0,
                lines: Vec::new(),
            };
            return vec![hunk];
        };
        let (old_shown, new_shown) = (old.shown(), new.shown());
        let hunk = |(number, group): (usize, &Range<usize>)| {
            hunk(number, &self.regions[group.clone()], &old_shown, &new_shown)
        };
        self.groups.iter().enumerate().map(hunk).collect()
    }
}

fn grouped(regions: &[DiffRegion]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (at, region) in regions.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if region.old.start - regions[group.end - 1].old.end <= 2 * CONTEXT => {
                group.end = at + 1;
            }
            _ => groups.push(at..at + 1),
        }
    }
    groups
}

/// Returns the old lines that a hunk shows, including context.
fn around(regions: &[DiffRegion], lines: usize) -> Range<usize> {
    let first = regions.first().map_or(0, |region| region.old.start);
    let last = regions.last().map_or(0, |region| region.old.end);
    first.saturating_sub(CONTEXT)..(last + CONTEXT).min(lines)
}

fn hunk(id: usize, regions: &[DiffRegion], old: &[&str], new: &[&str]) -> Hunk {
    let (Some(first), Some(last)) = (regions.first(), regions.last()) else {
        return Hunk {
            id: HunkId(number(id)),
            old_start: 0,
            old_lines: 0,
            new_start: 0,
            new_lines: 0,
            lines: Vec::new(),
        };
    };
    // The context is the same on both sides, so it has the same length.
    let old_range = around(regions, old.len());
    let (above, below) = (first.old.start - old_range.start, old_range.end - last.old.end);
    let new_range = first.new.start - above..last.new.end + below;
    let mut lines = Vec::new();
    let mut push = |kind, texts: &[&str]| {
        for text in texts {
            let ended = text.strip_suffix('\n');
            lines.push(HunkLine {
                kind,
                text: ended.unwrap_or(text).to_owned(),
                no_newline: ended.is_none(),
            });
        }
    };
    let mut at = old_range.start;
    for region in regions {
        push(HunkLineKind::Context, &old[at..region.old.start]);
        push(HunkLineKind::Removed, &old[region.old.clone()]);
        push(HunkLineKind::Added, &new[region.new.clone()]);
        at = region.old.end;
    }
    push(HunkLineKind::Context, &old[at..old_range.end]);
    let start = |range: &Range<usize>| number(range.start + usize::from(!range.is_empty()));
    Hunk {
        id: HunkId(number(id)),
        old_start: start(&old_range),
        old_lines: number(old_range.len()),
        new_start: start(&new_range),
        new_lines: number(new_range.len()),
        lines,
    }
}

/// Converts a line count, which is at most the number of bytes and therefore fits.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
