//! The lines of a file as bytes and as they are read, and where two files differ.

use std::ops::Range;

use edits::{Encoding, TextFile};
use imara_diff::{Algorithm, Diff, InternedInput};

/// A text by its lines, each with what ends it.
pub struct Text<'a> {
    pub lines: Vec<&'a [u8]>,
    pub encoding: Encoding,
    /// As it is read, with the mark at its beginning.
    decoded: String,
}

/// Lines of one side that stand in the place of lines of the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

impl<'a> Text<'a> {
    /// Nothing where the bytes are no text.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let TextFile { text, encoding, has_mark } = TextFile::read(bytes).ok()?;
        let decoded = if has_mark { format!("\u{feff}{text}") } else { text };
        let lines = match encoding {
            Encoding::Utf16Le => wide_lines(bytes, *b"\n\0"),
            Encoding::Utf16Be => wide_lines(bytes, *b"\0\n"),
            Encoding::Utf8 | Encoding::Western => bytes.split_inclusive(|byte| *byte == b'\n').collect(),
        };
        Some(Self { lines, encoding, decoded })
    }

    /// Each line as it is read.
    pub fn shown(&self) -> Vec<&str> {
        self.decoded.split_inclusive('\n').collect()
    }
}

/// The lines of a text with two bytes a letter.
fn wide_lines(bytes: &[u8], feed: [u8; 2]) -> Vec<&[u8]> {
    let (units, _) = bytes.as_chunks::<2>();
    units.split_inclusive(|unit| *unit == feed).map(<[[u8; 2]]>::as_flattened).collect()
}

pub fn regions(old: &Text<'_>, new: &Text<'_>) -> Vec<Region> {
    if old.encoding != new.encoding {
        // A file of which one half is written in another way than the other could not be read by anybody.
        return super::whole(old, new);
    }
    let mut input = InternedInput::default();
    input.update_before(old.lines.iter().copied());
    input.update_after(new.lines.iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| Region { old: range(hunk.before), new: range(hunk.after) }).collect()
}
