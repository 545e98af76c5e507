//! Exact quotes are replaced exactly as requested.

use crate::case::{Case, Found, done};

const E: Found = Found::Exactly;

pub const CASES: &[Case] = &[
    // A word, a line and several lines.
    done("a b c", "b", "x", E, "a x c"),
    done("a\nb\nc\n", "b", "x", E, "a\nx\nc\n"),
    done("a\nb\nc\n", "b", "x\ny", E, "a\nx\ny\nc\n"),
    done("a\nb\nc\n", "b\n", "", E, "a\nc\n"),
    done("a\nb\nc\n", "\nb", "", E, "a\nc\n"),
    done("a\nb\nc\n", "b", "", E, "a\n\nc\n"),
    done("a\nb\nc\n", "a\nb\nc", "c\nb\na", E, "c\nb\na\n"),
    done("one\ntwo\nthree\n", "one\ntwo", "one\n1.5\ntwo", E, "one\n1.5\ntwo\nthree\n"),
    done("one\ntwo\nthree\n", "two\nthree", "two", E, "one\ntwo\n"),
    done("one\ntwo\nthree\n", "two\nthree\n", "two\n", E, "one\ntwo\n"),
    done("one\ntwo\nthree\n", "e\ntw", "e, tw", E, "one, two\nthree\n"),
    // At the beginning and the end of the text.
    done("first\nsecond\n", "first", "1st", E, "1st\nsecond\n"),
    done("first\nsecond", "second", "2nd", E, "first\n2nd"),
    done("first\nsecond\n", "second\n", "2nd\n", E, "first\n2nd\n"),
    done("first\nsecond\n", "second\n", "2nd", E, "first\n2nd"),
    done("first\nsecond", "second", "second\n", E, "first\nsecond\n"),
    // One line, with and without a line ending.
    done("x", "x", "y", E, "y"),
    done("x", "x", "", E, ""),
    done("x\n", "x", "y", E, "y\n"),
    done("x\n", "x\n", "", E, ""),
    done("x", "x", "x\ny", E, "x\ny"),
    done("key=value", "value", "other", E, "key=other"),
    // The new text contains the old one.
    done("f(x)", "f(x)", "g(f(x))", E, "g(f(x))"),
    done("aXa", "X", "XX", E, "aXXa"),
    // Special characters of regular expressions and templates are literal.
    done("one $& two", "$&", "$1", E, "one $1 two"),
    done("price: 5", "5", "$$5 $` $' $0 ${x}", E, "price: $$5 $` $' $0 ${x}"),
    done("s/a/b/", "a", "\\1", E, "s/\\1/b/"),
    done("a.c abc", "a.c", "a*c", E, "a*c abc"),
    done("x [a-z]+ y", "[a-z]+", "(?:.*)", E, "x (?:.*) y"),
    done("%s and {}", "%s", "%d{0}", E, "%d{0} and {}"),
    // Escape sequences are not decoded.
    done("\\n is two signs", "\\n", "\\\\n", E, "\\\\n is two signs"),
    done("print(\"a\\nb\")\n", "\"a\\nb\"", "\"a\\tb\"", E, "print(\"a\\tb\")\n"),
    done("re = \"\\\\d+\"\n", "\\\\d+", "\\\\w+", E, "re = \"\\\\w+\"\n"),
    done("{\"a\": \"\\\"b\\\"\"}", "\\\"b\\\"", "\\\"c\\\"", E, "{\"a\": \"\\\"c\\\"\"}"),
    done("&amp;lt; b", "&amp;lt;", "&amp;gt;", E, "&amp;gt; b"),
    done("a &amp; b", "&amp;", "&", E, "a & b"),
    done("path = C:\\new\\table", "C:\\new", "D:\\new", E, "path = D:\\new\\table"),
    done("\"\\u0041\" A", "\\u0041", "\\u0042", E, "\"\\u0042\" A"),
    done("%20 and %2520", "%2520", "%25", E, "%20 and %25"),
    // Letters of various scripts.
    done("\u{130}stanbul", "\u{130}stanbul", "Ankara", E, "Ankara"),
    done("stra\u{df}e STRASSE", "stra\u{df}e", "weg", E, "weg STRASSE"),
    done("\u{65e5}\u{672c}\u{8a9e}", "\u{672c}", "\u{4e2d}", E, "\u{65e5}\u{4e2d}\u{8a9e}"),
    done("go \u{1f680} now", "\u{1f680}", "\u{1f319}", E, "go \u{1f319} now"),
    done("\u{5e9}\u{5dc}\u{5d5}\u{5dd}", "\u{5dc}\u{5d5}", "x", E, "\u{5e9}x\u{5dd}"),
    done("cafe\u{301} noir", "cafe\u{301}", "the\u{301}", E, "the\u{301} noir"),
    done("a\u{0}b", "\u{0}", "-", E, "a-b"),
    done("\u{1b}[31mred", "\u{1b}[31m", "\u{1b}[32m", E, "\u{1b}[32mred"),
    // Intended whitespace.
    done("a\n\n\nb\n", "\n\n\n", "\n\n", E, "a\n\nb\n"),
    done("a  b", "  ", " ", E, "a b"),
    done("a\tb", "\t", "    ", E, "a    b"),
    done("x = 1   \n", "1   ", "1", E, "x = 1\n"),
    done("\n", "\n", "a\n", E, "a\n"),
    done("    \n", "    ", "\t", E, "\t\n"),
    // A part of a word.
    done("unhappy", "un", "", E, "happy"),
    done("let value = 1;", "lue", "lid", E, "let valid = 1;"),
    // Text that begins or ends within a line.
    done("x = f(\n  1,\n  2)\n", "f(\n  1", "g(\n  0,\n  1", E, "x = g(\n  0,\n  1,\n  2)\n"),
    done("    return 1\n", "return 1", "return 2", E, "    return 2\n"),
    done(
        "    a = 1\n    b = 2\n",
        "a = 1\n    b = 2",
        "a = 1\n    c = 3\n    b = 2",
        E,
        "    a = 1\n    c = 3\n    b = 2\n",
    ),
    done("    return 1\n", "  return 1", "  return 2", E, "    return 2\n"),
    // Similar text elsewhere does not change.
    done("x=1\nx =1\n", "x=1", "x=2", E, "x=2\nx =1\n"),
    done("Foo foo", "foo", "bar", E, "Foo bar"),
    done("\u{201c}a\u{201d} \"a\"", "\"a\"", "\"b\"", E, "\u{201c}a\u{201d} \"b\""),
    // If the old text has a line ending and the new one does not, two lines are joined, as requested.
    done("a\nb\nc\n", "b\n", "x", E, "a\nxc\n"),
    done("a\nb\nc\n", "\nb", "x", E, "ax\nc\n"),
];
