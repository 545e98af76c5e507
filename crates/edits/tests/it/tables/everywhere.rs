//! Replacing all matches of a single strategy.

use crate::case::{Case, Found, No, done, everywhere, refused};

const E: Found = Found::Exactly;

pub const CASES: &[Case] = &[
    everywhere(done("a a a", "a", "b", E, "b b b")),
    everywhere(done("a", "a", "b", E, "b")),
    everywhere(done("a a a", "a", "", E, "  ")),
    everywhere(done("aaa", "aa", "b", E, "ba")),
    everywhere(done("aaaa", "aa", "a", E, "aa")),
    everywhere(done("abababa", "aba", "x", E, "xbx")),
    everywhere(done("a.b.c", ".", "..", E, "a..b..c")),
    everywhere(done("x\nx\nx\n", "x\n", "", E, "")),
    everywhere(done("x\ny\nx\n", "x", "x\nz", E, "x\nz\ny\nx\nz\n")),
    everywhere(done("\n\n\n", "\n", "\n\n", E, "\n\n\n\n\n\n")),
    everywhere(done("$1 $1", "$1", "$&$&", E, "$&$& $&$&")),
    everywhere(done("\u{e9}t\u{e9} \u{e9}t\u{e9}", "\u{e9}t\u{e9}", "hiver", E, "hiver hiver")),
    everywhere(done("a\r\nb\r\na\r\n", "a", "a\nc", E, "a\r\nc\r\nb\r\na\r\nc\r\n")),
    everywhere(done("a\r\nb\na\n", "a", "a\nc", E, "a\r\nc\r\nb\na\nc\n")),
    everywhere(done("foo(1)\n  foo(1)\n", "foo(1)", "foo(2)", E, "foo(2)\n  foo(2)\n")),
    everywhere(done("old_name = old_name + 1\n", "old_name", "new_name", E, "new_name = new_name + 1\n")),
    // After exact matches, no other strategy adds more.
    everywhere(done("a b\na  b\n", "a b", "a c", E, "a c\na  b\n")),
    everywhere(done("Foo foo FOO\n", "foo", "bar", E, "Foo bar FOO\n")),
    // Later strategies.
    everywhere(done("x \ny\nx\t\ny\n", "x\ny", "x\nz", Found::Trailing, "x \nz\nx\t\nz\n")),
    everywhere(done(
        "  if (a)\n    go\nx\n    if (a)\n      go\n",
        "if (a)\n  go",
        "if (a)\n  stay",
        Found::Indented,
        "  if (a)\n    stay\nx\n    if (a)\n      stay\n",
    )),
    everywhere(done(
        "  if (a)\n    go\n\tif (a)\n\t\tgo\n",
        "if (a)\n  go",
        "if (a)\n  go\n  on",
        Found::Indented,
        "  if (a)\n    go\n    on\n\tif (a)\n\t\tgo\n\t\ton\n",
    )),
    everywhere(done(
        "  one()\n    one()\n",
        "\tone()",
        "\tone()\n\ttwo()",
        Found::Indented,
        "  one()\n  two()\n    one()\n    two()\n",
    )),
    everywhere(done(
        "\u{201c}yes\u{201d} or \u{201e}yes\u{201d}\n",
        "\"yes\"",
        "\"yes!\"",
        Found::Folded,
        "\u{201c}yes!\u{201d} or \u{201e}yes!\u{201d}\n",
    )),
    everywhere(done("f( one )\ng(f(one ))\n", "f(one)", "f(two)", Found::Blanks, "f( two )\ng(f(two ))\n")),
    // Part of an indent, in all matches.
    everywhere(done(
        "    go()\n  go()\n",
        "  go()",
        "  go()\n  on()",
        Found::Indented,
        "    go()\n    on()\n  go()\n  on()\n",
    )),
    // Alignment is not used to replace all matches.
    everywhere(refused(
        "alpha()\nx()\nbeta()\ngamma()\ndelta()\n",
        "alpha()\nbeta()\ngamma()\ndelta()",
        "alpha()\nbeta()\ngamma()\nomega()",
        No::NotFound,
    )),
    everywhere(refused("b", "a", "c", No::NotFound)),
];
