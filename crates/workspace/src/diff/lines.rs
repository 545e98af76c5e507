//! The lines of a file as raw bytes and as decoded text, and the regions in which two files differ.

use std::ops::Range;

use edits::{Encoding, TextFile};
use imara_diff::{Algorithm, Diff, InternedInput};

/// The maximum number of lines of both sides for the histogram algorithm, which gives more readable diffs but is
/// quadratic on inputs where every third line differs.
const FEW: usize = 10_000;
/// Above this number of lines, files with very repetitive lines, such as tables of numbers, are not compared line by
/// line.
const MANY: usize = 50_000;
const OFTEN: usize = 64;
/// Above this number of lines, no file is compared line by line.
const MOST: usize = 1_000_000;

/// A text split into lines, each with its line ending.
pub struct TextLines<'a> {
    pub lines: Vec<&'a [u8]>,
    pub encoding: Encoding,
    /// The decoded text, including the byte order mark.
    decoded: String,
}

/// Lines of one side that replace lines of the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffRegion {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

impl<'a> TextLines<'a> {
    /// Returns `None` if the bytes are not text.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let TextFile { text, encoding, has_bom } = TextFile::read(bytes).ok()?;
        let decoded = if has_bom { format!("\u{feff}{text}") } else { text };
        let lines = match encoding {
            Encoding::Utf16Le => wide_lines(bytes, *b"\n\0"),
            Encoding::Utf16Be => wide_lines(bytes, *b"\0\n"),
            Encoding::Utf8 | Encoding::Western => bytes.split_inclusive(|byte| *byte == b'\n').collect(),
        };
        Some(Self { lines, encoding, decoded })
    }

    /// Returns the decoded lines.
    pub fn shown(&self) -> Vec<&str> {
        self.decoded.split_inclusive('\n').collect()
    }
}

/// Splits UTF-16 text into lines.
fn wide_lines(bytes: &[u8], feed: [u8; 2]) -> Vec<&[u8]> {
    let (units, _) = bytes.as_chunks::<2>();
    units.split_inclusive(|unit| *unit == feed).map(<[[u8; 2]]>::as_flattened).collect()
}

pub fn regions(old: &TextLines<'_>, new: &TextLines<'_>) -> Vec<DiffRegion> {
    if old.encoding != new.encoding {
        // A file with hunks in two different encodings would be unreadable.
        return whole(old, new);
    }
    let mut input = InternedInput::default();
    input.update_before(old.lines.iter().copied());
    input.update_after(new.lines.iter().copied());
    let (count, kinds) = (old.lines.len() + new.lines.len(), input.interner.num_tokens() as usize);
    if count > MOST || (count > MANY && count / OFTEN > kinds) {
        return between(&old.lines, &new.lines);
    }
    let algorithm = if count > FEW { Algorithm::Myers } else { Algorithm::Histogram };
    let mut diff = Diff::compute(algorithm, &input);
    diff.postprocess_lines(&input);
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| DiffRegion { old: range(hunk.before), new: range(hunk.after) }).collect()
}

/// Returns one region that replaces all of one side with all of the other.
pub fn whole(old: &TextLines<'_>, new: &TextLines<'_>) -> Vec<DiffRegion> {
    let region = DiffRegion { old: 0..old.lines.len(), new: 0..new.lines.len() };
    if region.old.is_empty() && region.new.is_empty() { Vec::new() } else { vec![region] }
}

/// Returns one region from the first line that differs to the last.
fn between(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffRegion> {
    let above = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (&old[above..], &new[above..]);
    let below =
        old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let region = DiffRegion { old: above..old.len() - below, new: above..new.len() - below };
    if region.old.is_empty() && region.new.is_empty() { Vec::new() } else { vec![region] }
}
