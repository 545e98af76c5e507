//! Whitespace at the end of lines that the quote lacks or adds.

use crate::case::{Case, Found, No, done, refused};

const T: Found = Found::Trailing;

pub const CASES: &[Case] = &[
    // Whitespace in the text.
    done("foo  \nbar\n", "foo\nbar", "foo\nbaz", T, "foo  \nbaz\n"),
    done("foo\t\nbar\n", "foo\nbar", "foo\nbar\nbaz", T, "foo\t\nbar\nbaz\n"),
    done("foo  \nbar  \nbaz\n", "foo\nbar\nbaz", "foo\nbaz", T, "foo  \nbaz\n"),
    done("foo  \nbar  \nbaz  \n", "foo\nbar", "foo", T, "foo  \nbaz  \n"),
    done("foo  \nbar  \nbaz  \n", "foo\nbar", "bar", T, "bar  \nbaz  \n"),
    done("foo  \nbar\n", "foo\nbar", "qux\nbar", T, "qux  \nbar\n"),
    done("a = 1  \nb = 2\n", "a = 1\nb = 2", "a = 10\nb = 2", T, "a = 10  \nb = 2\n"),
    done("one \n\ntwo\n", "one\n\ntwo", "one\n\nthree", T, "one \n\nthree\n"),
    done("one\n  \ntwo\n", "one\n\ntwo", "one\n\nthree", T, "one\n  \nthree\n"),
    done("one\n  \ntwo\n", "one\n\ntwo", "one\ntwo", T, "one\ntwo\n"),
    done("x\u{a0}\ny\n", "x\ny", "x\nz", T, "x\u{a0}\nz\n"),
    // With Windows line endings.
    done("foo\t\r\nbar\r\n", "foo\nbar", "foo\nqux\nbar", T, "foo\t\r\nqux\r\nbar\r\n"),
    done("foo \r\nbar\r\n", "foo\r\nbar", "foo\r\nbaz", T, "foo \r\nbaz\r\n"),
    // Whitespace in the quote.
    done("foo\nbar\n", "foo \nbar ", "foo \nbaz", T, "foo\nbaz\n"),
    done("foo\nbar\n", "foo  \nbar", "foo  \nbar\nbaz", T, "foo\nbar\nbaz\n"),
    done("foo\nbar\n", "bar   ", "baz", T, "foo\nbaz\n"),
    done("f(a)\n", "f(a) ", "f(b) ", T, "f(b)\n"),
    done(
        "    if x:\n        y()\n",
        "    if x: \n        y()",
        "    if x: \n        z()",
        T,
        "    if x:\n        z()\n",
    ),
    done("if x:\n\ty()\n", "if x:\t\n\ty()\t", "if x:\t\n\ty()\t\n\tz()", T, "if x:\n\ty()\n\tz()\n"),
    // Different whitespace in both.
    done("foo \nbar\t\n", "foo\t\nbar ", "foo\t\nbaz", T, "foo \nbaz\n"),
    // Additional blank lines around the quote.
    done("one\ntwo\nthree", "\n\ntwo\nthree\n", "\n\n2\nthree\n", Found::Blanks, "one\n2\nthree"),
    done("one \ntwo\nthree\n", "\ntwo\n", "\n2\n", Found::Exactly, "one \n2\nthree\n"),
    refused("one\nsecond\nthree\n", "\n\nsecond\n\n", "\n\n2nd\n\n", No::NotFound),
    // Within a line, but not within a word.
    done(
        "call(x) + rest\nnext \nlast\n",
        "rest\nnext\nlast",
        "rest\nNEXT\nlast",
        T,
        "call(x) + rest\nNEXT \nlast\n",
    ),
    refused("interest \nnext\n", "rest\nnext", "pest\nnext", No::NotFound),
    // Removing or adding lines at a match within a line would affect the rest of that line.
    refused("x = one \ntwo;\n", "one\ntwo", "two", No::Torn),
    refused("one \ntwo three\n", "one\ntwo", "one\ntwo\nmore", No::Torn),
    // The whitespace itself is to be removed.
    done("foo\t\nbar\n", "foo \nbar", "foo\nbar", T, "foo\nbar\n"),
    refused("foo\nbar\n", "foo \nbar", "foo\nbar", No::NoChange),
];
