//! Blanks at the end of lines: forgotten, or added, in the quote.

use crate::case::{Case, Found, No, done, refused};

const T: Found = Found::Trailing;

pub const CASES: &[Case] = &[
    // The text has them.
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
    // Windows, too.
    done("foo\t\r\nbar\r\n", "foo\nbar", "foo\nqux\nbar", T, "foo\t\r\nqux\r\nbar\r\n"),
    done("foo \r\nbar\r\n", "foo\r\nbar", "foo\r\nbaz", T, "foo \r\nbaz\r\n"),
    // The quote has them.
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
    // Both have them, and others.
    done("foo \nbar\t\n", "foo\t\nbar ", "foo\t\nbaz", T, "foo \nbaz\n"),
    // Blank lines around what is quoted come from whoever quotes.
    done("one\ntwo\nthree", "\n\ntwo\nthree\n", "\n\n2\nthree\n", Found::Blanks, "one\n2\nthree"),
    done("one \ntwo\nthree\n", "\ntwo\n", "\n2\n", Found::Exactly, "one \n2\nthree\n"),
    refused("one\nsecond\nthree\n", "\n\nsecond\n\n", "\n\n2nd\n\n", No::NotFound),
    // In the midst of a line, but of no word.
    done(
        "call(x) + rest\nnext \nlast\n",
        "rest\nnext\nlast",
        "rest\nNEXT\nlast",
        T,
        "call(x) + rest\nNEXT \nlast\n",
    ),
    refused("interest \nnext\n", "rest\nnext", "pest\nnext", No::NotFound),
    // What goes or comes in the midst of a line would take half of it along.
    refused("x = one \ntwo;\n", "one\ntwo", "two", No::Torn),
    refused("one \ntwo three\n", "one\ntwo", "one\ntwo\nmore", No::Torn),
    // They are what shall go.
    done("foo\t\nbar\n", "foo \nbar", "foo\nbar", T, "foo\nbar\n"),
    refused("foo\nbar\n", "foo \nbar", "foo\nbar", No::NoChange),
];
