//! What is not there, or changes nothing, or would take along what nobody quoted.

use crate::case::{Case, Found, No, done, everywhere, refused};

pub const CASES: &[Case] = &[
    // Nothing to do.
    refused("a", "a", "a", No::NoChange),
    refused("a\n", "a\n", "a\n", No::NoChange),
    refused("a\r\n", "a\r\n", "a\n", No::NoChange),
    refused("b", "a", "a", No::NoChange),
    everywhere(refused("a a", "a", "a", No::NoChange)),
    // It is so already, by what was forgiven.
    refused("  foo()\n  bar()\n", "foo() \nbar()", "foo()\nbar()", No::NoChange),
    refused("total  = 1\n", "total = 1", "total  = 1", No::NoChange),
    // Nothing quoted.
    refused("a", "", "b", No::NothingQuoted),
    refused("\n", "", "b", No::NothingQuoted),
    refused(" ", "", "b", No::NothingQuoted),
    everywhere(refused("a", "", "b", No::NothingQuoted)),
    // Not there.
    refused("a\nb\nc\n", "d", "e", No::NotFound),
    refused("a\nb\nc\n", "a\nc", "a\nd", No::NotFound),
    refused("a\nb\nc\n", "b\na", "x", No::NotFound),
    refused("short", "something much longer than the whole file\nand more of it\n", "x", No::NotFound),
    refused("abc\n", "abcd", "x", No::NotFound),
    refused("one two three", "one three", "1 3", No::NotFound),
    refused("f(1)\n", "f(2)", "f(3)", No::NotFound),
    refused("x == y\n", "x != y", "x", No::NotFound),
    everywhere(refused("a\nb\n", "c", "d", No::NotFound)),
    // A sign more or less is another text.
    refused("let value = compute();\n", "let value = compute()?;", "let value = 1;", No::NotFound),
    refused("items: [1, 2, 3]\n", "items: [1, 2]", "items: []", No::NotFound),
    refused("if (!done) {\n", "if (done) {", "if (true) {", No::NotFound),
    refused("-flag value\n", "--flag value", "--other value", No::NotFound),
    // Comments and strings count.
    refused("x = 1  # one\n", "x = 1  # two", "x = 2", No::NotFound),
    refused("log('a');\n", "log(\"a\");", "log(\"b\");", No::NotFound),
    // Blanks alone are not looked for.
    refused("a\n\nb\n", "\n\n\n", "\n", No::NotFound),
    refused("a\tb\n", "    ", "  ", No::NotFound),
    // Files that would be emptied by mistake.
    refused("keep\nthis\n", "\n\n\n\n", "", No::NotFound),
    refused("keep\n", "KEEP!", "", No::NotFound),
    done("gone\n", "gone\n", "", Found::Exactly, ""),
    // Half a line more or less.
    refused("pre = call( x )\npost\n", "call(x)\npost", "post", No::Torn),
    refused("call( x )\npost(1) + 2\n", "call(x)\npost(1)", "call(x)", No::Torn),
    refused("pre = call( x )\npost\n", "call(x)\npost", "first()\ncall(x)\npost", No::Torn),
    // Which of several blank lines is to go, nobody said.
    refused("alpha()\n\n\n\nbeta()\n", "alpha()\n\nbeta()", "alpha()\nbeta()", No::Torn),
    refused("alpha()\n\n\nbeta()\ngamma()\n", "alpha()\nbeta()\ngamma()", "omega()\ngamma()", No::Torn),
    done(
        "alpha()\n\n\nbeta()\n",
        "alpha()\nbeta()",
        "alpha()\nmore()\nbeta()",
        Found::Blanks,
        "alpha()\n\n\nmore()\nbeta()\n",
    ),
    // Two lines would become one.
    refused("alpha( )\nbeta()\ngamma()\n", "alpha()\nbeta()\n", "alpha()\nomega()", No::Torn),
    refused("gamma()\nalpha( )\nbeta()\n", "\nalpha()\nbeta()", "omega()\nbeta()", No::Torn),
    // The bracket below is the one that is moved in as quoted.
    refused(
        "first();\nclose_all();\n\t\t}\n\t}\n",
        "first( );\nclose_all();\n\t}",
        "first( );\nclose_all();\n\t}\nmore();",
        No::NotFound,
    ),
    // The blank line is elsewhere, and one line says too little.
    refused("return;\n\nother()\n}\nreturn;\n}\n", "return;\n\n}", "return;\nmore();\n\n}", No::NotFound),
];
