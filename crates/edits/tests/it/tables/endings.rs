//! Line endings, the byte order mark and the end of the file are preserved.

use crate::case::{Case, Found, No, done, refused};

const E: Found = Found::Exactly;

pub const CASES: &[Case] = &[
    // Windows line endings.
    done("a\r\nb\r\nc\r\n", "b", "x", E, "a\r\nx\r\nc\r\n"),
    done("a\r\nb\r\nc\r\n", "a\nb", "a\nx\ny", E, "a\r\nx\r\ny\r\nc\r\n"),
    done("a\r\nb\r\nc\r\n", "a\r\nb", "b\r\na", E, "b\r\na\r\nc\r\n"),
    done("a\r\nb\r\n", "b", "b\nc", E, "a\r\nb\r\nc\r\n"),
    done("a\r\nb\r\n", "b\n", "b\nc\n", E, "a\r\nb\r\nc\r\n"),
    done("a\r\nb\r\nc\r\n", "b\n", "", E, "a\r\nc\r\n"),
    done("a\r\nb\r\nc\r\n", "a\nb\nc\n", "x\n", E, "x\r\n"),
    done("a\r\n", "a", "a\nb", E, "a\r\nb\r\n"),
    done("a\r\nb", "b", "b\nc", E, "a\r\nb\r\nc"),
    done("a\r\n\r\n\r\nb\r\n", "\n\n\n", "\n\n", E, "a\r\n\r\nb\r\n"),
    done("a\r\n  b\r\n", "  b", "  b\n  c", E, "a\r\n  b\r\n  c\r\n"),
    // Unix line endings, whichever the quote has.
    done("a\nb\n", "a\r\nb", "a\r\nc", E, "a\nc\n"),
    done("a\nb\n", "b", "b\r\nc", E, "a\nb\nc\n"),
    done("a\nb\n", "a\r\n", "x\r\n", E, "x\nb\n"),
    // Mixed line endings: each line keeps its own.
    done("a\nb\r\nc\n", "a\nb\nc", "a\nx\nc", E, "a\nx\r\nc\n"),
    done("a\r\nb\nc\r\n", "a\nb\nc", "x\ny\nz", E, "x\r\ny\nz\r\n"),
    done("a\r\nb\nc\r\nd\n", "a\nb\nc\n", "a\nc\n", E, "a\r\nc\r\nd\n"),
    done("a\nb\r\nc\nd\n", "a\nb\nc", "a\nb\nx\nc", E, "a\nb\r\nx\r\nc\nd\n"),
    done("a\r\nb\nc\n", "c", "c\nd", E, "a\r\nb\nc\nd\n"),
    done("a\nb\nc\r\n", "c", "c\nd", E, "a\nb\nc\r\nd\r\n"),
    done("a\nb\nc\r\n", "a", "a\nz", E, "a\nz\nb\nc\r\n"),
    done("one\r\ntwo\nthree\n", "two", "2", E, "one\r\n2\nthree\n"),
    // A lone carriage return is an ordinary character.
    done("a\rb\rc", "b", "x", E, "a\rx\rc"),
    done("a\rb\n", "a\rb", "a\rc", E, "a\rc\n"),
    done("a\r\r\nb\r\n", "b", "c", E, "a\r\r\nc\r\n"),
    done("100%\rdone\r\n", "done", "gone", E, "100%\rgone\r\n"),
    done("a\r\nb\r\n", "a\r", "c", Found::Trailing, "c\r\nb\r\n"),
    // The byte order mark.
    done("\u{feff}a\n", "a", "b", E, "\u{feff}b\n"),
    done("\u{feff}a\nb\n", "\u{feff}a\n", "x\n", E, "\u{feff}x\nb\n"),
    done("\u{feff}a\nb\n", "\u{feff}a", "\u{feff}x", E, "\u{feff}x\nb\n"),
    done("\u{feff}a\r\nb\r\n", "a\nb", "a\nc", E, "\u{feff}a\r\nc\r\n"),
    done("\u{feff}a\nb\n", "a\n", "", E, "\u{feff}b\n"),
    done("\u{feff}a", "a", "", E, "\u{feff}"),
    done("\u{feff}", "", "a\n", Found::Whole, "\u{feff}a\n"),
    done("\u{feff}  if a:\n    b\n", "if a:\n  b", "if a:\n  c", Found::Indented, "\u{feff}  if a:\n    c\n"),
    refused("\u{feff}a", "\u{feff}", "", No::NoChange),
    // The end of the file, with and without a line ending in the quote.
    done("one\ntwo", "two\n", "2\n", Found::Trailing, "one\n2"),
    done("one\ntwo", "two\n", "2", Found::Trailing, "one\n2"),
    done("one\ntwo\nend", "two\nend\n", "two\n", Found::Trailing, "one\ntwo"),
    done("one\ntwo\nend", "two\nend\n", "two\nand\nend\n", Found::Trailing, "one\ntwo\nand\nend"),
    done("one\r\ntwo", "one\ntwo\n", "one\ntwo\nthree\n", Found::Trailing, "one\r\ntwo\r\nthree"),
    done("one\ntwo", "two\n", "", Found::Trailing, "one\n"),
    done("only", "only\n", "other\n", Found::Trailing, "other"),
    done("a\nb\n\n", "b", "c", E, "a\nc\n\n"),
    done(
        "a\nbeta()\ndelta()\n",
        "beta()\ndelta()\n\n",
        "beta()\ngamma()\n\n",
        Found::Blanks,
        "a\nbeta()\ngamma()\n",
    ),
    // Only the line endings differ.
    refused("a\r\nb\r\n", "a\r\nb\r\n", "a\nb\n", No::NoChange),
    refused("a\nb\n", "a\nb", "a\r\nb", No::NoChange),
    // An empty file.
    done("", "", "a\n", Found::Whole, "a\n"),
    done("", "", "a\r\nb", Found::Whole, "a\r\nb"),
    refused("", "a", "b", No::NotFound),
    refused("", "\n", "a", No::NotFound),
    refused("", "", "", No::NoChange),
];
