//! Edits that match nothing, change nothing or would remove unquoted text.

use crate::case::{Case, Found, No, done, everywhere, refused};

pub const CASES: &[Case] = &[
    // No change.
    refused("a", "a", "a", No::NoChange),
    refused("a\n", "a\n", "a\n", No::NoChange),
    refused("a\r\n", "a\r\n", "a\n", No::NoChange),
    refused("b", "a", "a", No::NoChange),
    everywhere(refused("a a", "a", "a", No::NoChange)),
    // The requested change differs only in ignored whitespace, so the text stays the same.
    refused("  foo()\n  bar()\n", "foo() \nbar()", "foo()\nbar()", No::NoChange),
    refused("total  = 1\n", "total = 1", "total  = 1", No::NoChange),
    // Nothing quoted.
    refused("a", "", "b", No::NothingQuoted),
    refused("\n", "", "b", No::NothingQuoted),
    refused(" ", "", "b", No::NothingQuoted),
    everywhere(refused("a", "", "b", No::NothingQuoted)),
    // Not in the text.
    refused("a\nb\nc\n", "d", "e", No::NotFound),
    refused("a\nb\nc\n", "a\nc", "a\nd", No::NotFound),
    refused("a\nb\nc\n", "b\na", "x", No::NotFound),
    refused("short", "something much longer than the whole file\nand more of it\n", "x", No::NotFound),
    refused("abc\n", "abcd", "x", No::NotFound),
    refused("one two three", "one three", "1 3", No::NotFound),
    refused("f(1)\n", "f(2)", "f(3)", No::NotFound),
    refused("x == y\n", "x != y", "x", No::NotFound),
    everywhere(refused("a\nb\n", "c", "d", No::NotFound)),
    // An additional or missing character makes a different text.
    refused("let value = compute();\n", "let value = compute()?;", "let value = 1;", No::NotFound),
    refused("items: [1, 2, 3]\n", "items: [1, 2]", "items: []", No::NotFound),
    refused("if (!done) {\n", "if (done) {", "if (true) {", No::NotFound),
    refused("-flag value\n", "--flag value", "--other value", No::NotFound),
    // Comments and strings must match.
    refused("x = 1  # one\n", "x = 1  # two", "x = 2", No::NotFound),
    refused("log('a');\n", "log(\"a\");", "log(\"b\");", No::NotFound),
    // Whitespace alone matches only exactly.
    refused("a\n\nb\n", "\n\n\n", "\n", No::NotFound),
    refused("a\tb\n", "    ", "  ", No::NotFound),
    // Files that would be emptied by mistake.
    refused("keep\nthis\n", "\n\n\n\n", "", No::NotFound),
    refused("keep\n", "KEEP!", "", No::NotFound),
    done("gone\n", "gone\n", "", Found::Exactly, ""),
    // Parts of lines.
    refused("pre = call( x )\npost\n", "call(x)\npost", "post", No::Torn),
    refused("call( x )\npost(1) + 2\n", "call(x)\npost(1)", "call(x)", No::Torn),
    refused("pre = call( x )\npost\n", "call(x)\npost", "first()\ncall(x)\npost", No::Torn),
    // The quote does not identify the blank lines to remove.
    refused("alpha()\n\n\n\nbeta()\n", "alpha()\n\nbeta()", "alpha()\nbeta()", No::Torn),
    refused("alpha()\n\n\nbeta()\ngamma()\n", "alpha()\nbeta()\ngamma()", "omega()\ngamma()", No::Torn),
    done(
        "alpha()\n\n\nbeta()\n",
        "alpha()\nbeta()",
        "alpha()\nmore()\nbeta()",
        Found::Blanks,
        "alpha()\n\n\nmore()\nbeta()\n",
    ),
    // Two lines would be joined.
    refused("alpha( )\nbeta()\ngamma()\n", "alpha()\nbeta()\n", "alpha()\nomega()", No::Torn),
    refused("gamma()\nalpha( )\nbeta()\n", "\nalpha()\nbeta()", "omega()\nbeta()", No::Torn),
    // The bracket below has the quoted indent.
    refused(
        "first();\nclose_all();\n\t\t}\n\t}\n",
        "first( );\nclose_all();\n\t}",
        "first( );\nclose_all();\n\t}\nmore();",
        No::NotFound,
    ),
    // The blank line is elsewhere, and a single line with letters is not enough.
    refused("return;\n\nother()\n}\nreturn;\n}\n", "return;\n\n}", "return;\nmore();\n\n}", No::NotFound),
];
