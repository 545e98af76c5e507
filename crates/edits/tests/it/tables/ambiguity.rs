//! Several matches: nothing is changed, whichever strategy finds them.

use crate::case::{Case, Found, No, done, refused};

const M: No = No::Ambiguous;

pub const CASES: &[Case] = &[
    refused("a a", "a", "b", M),
    refused("aaa", "aa", "b", M),
    refused("abababa", "aba", "x", M),
    refused("x = 1\ny = 2\nx = 1\n", "x = 1", "x = 3", M),
    refused("max = 1\nx = 1\n", "x = 1", "x = 3", M),
    refused("\n\n\n", "\n", "a", M),
    refused("\n\n\n", "\n\n", "a", M),
    refused("}\n}\n", "}", "]", M),
    refused("foo\nfoo\nfoo\nfoo\n", "foo\nfoo", "bar", M),
    refused("\u{1f680}\u{1f680}", "\u{1f680}", "x", M),
    refused("a\r\na\r\n", "a", "b", M),
    refused("a\r\na\r\n", "a\n", "b\n", M),
    // Repeated blocks.
    refused(
        "it('a', () => {\n  run();\n});\nit('b', () => {\n  run();\n});\n",
        "  run();\n});",
        "  stop();\n});",
        M,
    ),
    refused(
        "try:\n    x()\nexcept:\n    pass\ntry:\n    x()\nexcept:\n    pass\n",
        "except:\n    pass",
        "except:\n    raise",
        M,
    ),
    done(
        "it('a', () => {\n  run();\n});\nit('b', () => {\n  run();\n});\n",
        "it('b', () => {\n  run();",
        "it('b', () => {\n  stop();",
        Found::Exactly,
        "it('a', () => {\n  run();\n});\nit('b', () => {\n  stop();\n});\n",
    ),
    // A single exact match is used despite similar text elsewhere.
    done("f(a)\nf( a )\nF(A)\n", "f(a)", "f(b)", Found::Exactly, "f(b)\nf( a )\nF(A)\n"),
    // Later strategies.
    refused("foo \nbar\nfoo\t\nbar\n", "foo\nbar", "foo\nbaz", M),
    refused("  x = 1\n    x = 1\n", "\tx = 1", "\tx = 2", M),
    refused("  if a:\n    b\n      if a:\n        b\n", "if a:\n  b", "if a:\n  c", M),
    refused("\u{201c}a b c\u{201d}\n\u{201e}a b c\u{201d}\n", "\"a b c\"", "\"d\"", M),
    refused("f(alpha )\nf( alpha)\n", "f(alpha)", "f(beta)", M),
    refused("  word one\n  word two\n  word one\n  word two\n", "word one\nword two", "word one\nword 2", M),
    refused("foo  bar\nfoo   bar\n", "foo bar", "foo baz", M),
    // A quote from the beginning of a line does not match within another line.
    done("  go();\n  if (x) go();\n", "\tgo();", "\tstay();", Found::Indented, "  stay();\n  if (x) go();\n"),
    // Overlapping matches of a later strategy.
    refused("a1 \na1 \na1 \n", "a1\na1", "b", M),
    // A whole line with different indentation, and a part of another line.
    refused("    it's\n                it's // 21\n", "          it's\t", "          changed", M),
    refused("one two // note\n    one two\n", "\tone two", "\tone three", M),
    refused("head()\nalpha beta // note\n\n\talpha beta  \n", "\nalpha beta\t", "\nalpha gamma", M),
    // With part of its indent, the quote matches exactly once but may mean any of the lines.
    refused("        return;\nreturn;\nreturn;\n", "      return;", "      a();\n      return;", M),
    // An indent that matches none of the lines.
    refused("    one two\none two // 21\n", "      \tone two", "      \tchanged", M),
];
