//! What a change does to a file, in pieces of which each can be taken or left, to the byte.
//!
//! Pure, and the same for the same bytes every time: a piece is named by its number, and whoever saw the numbers may use
//! them later. So nothing here looks at a clock; the algorithm is one that is quick on whatever it is given.

mod lines;
mod relay;
mod unified;

use std::collections::BTreeMap;
use std::ops::Range;

use edits::Encoding;
use serde::{Deserialize, Serialize};

use self::lines::{Region, Text, regions};
pub use self::relay::relay;

/// Lines that are shown around what is changed.
const CONTEXT: usize = 3;

/// The number of a piece, from zero on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HunkId(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffKind {
    Added,
    Deleted,
    Changed,
    /// The bytes stay. If anything changes, it is who may run it.
    ModeOnly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    Context,
    Added,
    Removed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    pub kind: LineKind,
    /// Without the line feed. A carriage return before it is part of the text, and so is the mark of a file's beginning.
    pub text: String,
    /// It is the last of its file, and no line feed follows.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_newline: bool,
}

/// A piece of a change. What cannot be shown in lines (a file that is no text, or an empty one) is one piece without any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    pub id: HunkId,
    /// As in a patch: counted from one, or the line before where there are none.
    pub old_start: u32,
    pub old_lines: u32,
    pub new_start: u32,
    pub new_lines: u32,
    pub lines: Vec<Line>,
}

/// A change of one file. It has at least one piece.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileDiff {
    pub kind: DiffKind,
    /// It is no text, so there are no lines.
    pub binary: bool,
    pub hunks: Vec<Hunk>,
    /// Lines.
    pub added: u32,
    pub removed: u32,
}

impl FileDiff {
    /// Nothing stands for a file that is not there.
    pub fn of(before: Option<&[u8]>, after: Option<&[u8]>) -> Self {
        let sides = Sides::of(before, after);
        let hunks = sides.hunks();
        let count =
            |kind| number(hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.kind == kind).count());
        let (added, removed) = (count(LineKind::Added), count(LineKind::Removed));
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

/// The file with these pieces of a change alone. With all of them it is `after`, with none `before`, byte for byte.
pub fn take(before: Option<&[u8]>, after: Option<&[u8]>, accepted: &[HunkId]) -> Option<Vec<u8>> {
    let whole = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
    let sides = Sides::of(before, after);
    let all = sides.groups.len().max(1);
    match (0..all).filter(|hunk| accepted.contains(&HunkId(number(*hunk)))).count() {
        0 => whole(before),
        taken if taken == all => whole(after),
        // Several pieces: both sides are there, and are text.
        _ => sides.taken(accepted, &BTreeMap::new()),
    }
}

/// As [`take`], but that some pieces were written anew: each stands for all lines that the piece shows. Nothing where the
/// file is not UTF-8, so that what was written would have to be guessed.
pub fn take_edited(
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    accepted: &[HunkId],
    edited: &BTreeMap<HunkId, String>,
) -> Option<Vec<u8>> {
    let sides = Sides::of(before, after);
    let is_plain = |text: &Text<'_>| text.encoding == Encoding::Utf8;
    sides.text.as_ref().filter(|(old, new)| is_plain(old) && is_plain(new))?;
    sides.taken(accepted, edited)
}

/// Both sides of a change, and where they differ.
struct Sides<'a> {
    /// Nothing where one of them is no text.
    text: Option<(Text<'a>, Text<'a>)>,
    regions: Vec<Region>,
    /// Regions that are so near to each other that they are shown as one piece.
    groups: Vec<Range<usize>>,
}

impl<'a> Sides<'a> {
    fn of(before: Option<&'a [u8]>, after: Option<&'a [u8]>) -> Self {
        let text = Text::read(before.unwrap_or_default()).zip(Text::read(after.unwrap_or_default()));
        let regions = match &text {
            Some((old, new)) if before.is_some() && after.is_some() => regions(old, new),
            Some((old, new)) => whole(old, new),
            None => Vec::new(),
        };
        Self { text, groups: grouped(&regions), regions }
    }

    /// Nothing where one side is no text.
    fn taken(&self, accepted: &[HunkId], edited: &BTreeMap<HunkId, String>) -> Option<Vec<u8>> {
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
            let is_taken = accepted.contains(&id);
            for region in regions {
                let lines =
                    if is_taken { &new.lines[region.new.clone()] } else { &old.lines[region.old.clone()] };
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

/// All of one side in the place of all of the other.
fn whole(old: &Text<'_>, new: &Text<'_>) -> Vec<Region> {
    let region = Region { old: 0..old.lines.len(), new: 0..new.lines.len() };
    if region.old.is_empty() && region.new.is_empty() { Vec::new() } else { vec![region] }
}

fn grouped(regions: &[Region]) -> Vec<Range<usize>> {
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

/// The lines that a piece shows of the side before it.
fn around(regions: &[Region], lines: usize) -> Range<usize> {
    let first = regions.first().map_or(0, |region| region.old.start);
    let last = regions.last().map_or(0, |region| region.old.end);
    first.saturating_sub(CONTEXT)..(last + CONTEXT).min(lines)
}

fn hunk(id: usize, regions: &[Region], old: &[&str], new: &[&str]) -> Hunk {
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
    // What is around is the same on both sides, so it is as long on both.
    let old_range = around(regions, old.len());
    let (above, below) = (first.old.start - old_range.start, old_range.end - last.old.end);
    let new_range = first.new.start - above..last.new.end + below;
    let mut lines = Vec::new();
    let mut push = |kind, texts: &[&str]| {
        for text in texts {
            let ended = text.strip_suffix('\n');
            lines.push(Line { kind, text: ended.unwrap_or(text).to_owned(), no_newline: ended.is_none() });
        }
    };
    let mut at = old_range.start;
    for region in regions {
        push(LineKind::Context, &old[at..region.old.start]);
        push(LineKind::Removed, &old[region.old.clone()]);
        push(LineKind::Added, &new[region.new.clone()]);
        at = region.old.end;
    }
    push(LineKind::Context, &old[at..old_range.end]);
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

/// A file has at most as many lines as bytes, and those are few.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
