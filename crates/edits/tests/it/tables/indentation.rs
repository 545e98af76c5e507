//! Quotes with too much, too little or different indentation: new lines are indented like the text.

use crate::case::{Case, Found, No, done, refused};

const I: Found = Found::Indented;

pub const CASES: &[Case] = &[
    // Too little indentation.
    done(
        "class A:\n    def f(self):\n        return 1\n",
        "def f(self):\n    return 1",
        "def f(self):\n    x = 2\n    return x",
        I,
        "class A:\n    def f(self):\n        x = 2\n        return x\n",
    ),
    done("  a:\n    b: 1\n", "a:\n  b: 1", "a:\n  b: 1\n  c: 2", I, "  a:\n    b: 1\n    c: 2\n"),
    done("  a:\n    b: 1\n", "a:\n  b: 1", "z: 0\na:\n  b: 1", I, "  z: 0\n  a:\n    b: 1\n"),
    done(
        "\tif x {\n\t\ty()\n\t}\n",
        "if x {\n\ty()\n}",
        "if x {\n\ty()\n\tz()\n}",
        I,
        "\tif x {\n\t\ty()\n\t\tz()\n\t}\n",
    ),
    done("    one\n    two\n    three\n", "one\ntwo\nthree", "one\nthree", I, "    one\n    three\n"),
    done("    one\n    two\n    three\n", "one\ntwo\nthree", "two\nthree", I, "    two\n    three\n"),
    done("    one\n    two\n    three\n", "one\ntwo\nthree", "one\ntwo", I, "    one\n    two\n"),
    done("    one\n    two\n", "one\ntwo", "  one\n  two", I, "      one\n      two\n"),
    done("    one\n\n    two\n", "one\n\ntwo", "one\n\n2", I, "    one\n\n    2\n"),
    done("    one\n    two\n", "one\ntwo", "one\n\ntwo", I, "    one\n\n    two\n"),
    // Part of the indentation.
    done("    return 1\n", "  return 1", "  x = 1\n  return x", I, "    x = 1\n    return x\n"),
    done(
        "\t\treturn 1\n",
        "\treturn 1",
        "\tif x {\n\t\treturn 1\n\t}",
        I,
        "\t\tif x {\n\t\t\treturn 1\n\t\t}\n",
    ),
    // Too much indentation.
    done(
        "def f():\n    return 1\n",
        "    def f():\n        return 1",
        "    def f():\n        if True:\n            return 2",
        I,
        "def f():\n    if True:\n        return 2\n",
    ),
    done("a = 1\nb = 2\n", "    a = 1\n    b = 2", "    a = 1\n    b = 3", I, "a = 1\nb = 3\n"),
    done("a = 1\n", "        a = 1", "        a = 2", I, "a = 2\n"),
    done(
        "  x()\n  y()\n",
        "      x()\n      y()",
        "      x()\n      z()\n      y()",
        I,
        "  x()\n  z()\n  y()\n",
    ),
    refused("a = 1\nb = 2\n", "  a = 1\n  b = 2", "  a = 1\nb = 2", No::NoChange),
    // Different whitespace characters.
    done("    foo();\n", "\tfoo();", "\tbar();", I, "    bar();\n"),
    done("\tfoo();\n", "    foo();", "    bar();", I, "\tbar();\n"),
    done("\tfoo();\n", "  foo();", "  foo();\n  bar();", I, "\tfoo();\n\tbar();\n"),
    done(
        "\tfoo();\n",
        "        foo();",
        "        if (x)\n                foo();",
        I,
        "\tif (x)\n\t\tfoo();\n",
    ),
    done(
        "fn a() {\n\tif b {\n\t\tc();\n\t}\n}\n",
        "    if b {\n        c();\n    }",
        "    if b {\n        d();\n        c();\n    }",
        I,
        "fn a() {\n\tif b {\n\t\td();\n\t\tc();\n\t}\n}\n",
    ),
    done(
        "fn a() {\n    if b {\n        c();\n    }\n}\n",
        "fn a() {\n\tif b {\n\t\tc();\n\t}\n}",
        "fn a() {\n\tif b {\n\t\tc();\n\t\tif e {\n\t\t\td();\n\t\t}\n\t}\n}",
        I,
        "fn a() {\n    if b {\n        c();\n        if e {\n            d();\n        }\n    }\n}\n",
    ),
    done(
        "if (a) {\n  b();\n}\n",
        "if (a) {\n    b();\n}",
        "if (a) {\n    if (c) {\n        b();\n    }\n}",
        I,
        "if (a) {\n  if (c) {\n    b();\n  }\n}\n",
    ),
    done(
        "if (a) {\n    b();\n}\n",
        "if (a) {\n  b();\n}",
        "if (a) {\n  if (c) {\n    b();\n  }\n}",
        I,
        "if (a) {\n    if (c) {\n        b();\n    }\n}\n",
    ),
    done(
        "\tx = f(1,\n\t      2)\n",
        "    x = f(1,\n          2)",
        "    x = g(1,\n          2)",
        Found::Blanks,
        "\tx = g(1,\n\t      2)\n",
    ),
    // Deeper indentation with different characters.
    done(
        "\tfor x {\n\t\ty()\n\t}\n",
        "for x {\n    y()\n}",
        "for x {\n    y()\n    z()\n}",
        I,
        "\tfor x {\n\t\ty()\n\t\tz()\n\t}\n",
    ),
    done(
        "    for x:\n        y()\n",
        "for x:\n  y()",
        "for x:\n  y()\n  if z:\n    w()",
        I,
        "    for x:\n        y()\n        if z:\n            w()\n",
    ),
    // Whitespace beyond whole indent units is kept.
    done(
        "\tcall(a,\n\t\tb);\n\tnext();\n",
        "    call(a,\n        b);\n    next();",
        "    call(a,\n        b);\n    call(c,\n      d);\n    next();",
        I,
        "\tcall(a,\n\t\tb);\n\tcall(c,\n\t  d);\n\tnext();\n",
    ),
    // Only the first line lost its indent.
    done(
        "    if \u{201c}x\u{201d}:\n        one()\n        two()\n",
        "if \"x\":\n        one()\n        two()",
        "if \"x\":\n        one()\n        three()",
        Found::Folded,
        "    if \u{201c}x\u{201d}:\n        one()\n        three()\n",
    ),
    done(
        "  if x: \n    one()\n    two()\n",
        "if x:\n    one()\n    two()",
        "if x:\n    one()\n  else:\n    two()",
        Found::Trailing,
        "  if x: \n    one()\n  else:\n    two()\n",
    ),
    // Lines with different shifts do not match by indentation, but by a later strategy that ignores whitespace.
    done(
        "if a:\n    b = 1\n    c = 2\n",
        "if a:\n    b = 1\nc = 2",
        "if a:\n    b = 1\nc = 3",
        Found::Blanks,
        "if a:\n    b = 1\n    c = 3\n",
    ),
    // Unchanged lines keep their own whitespace characters.
    done(" \tmixed()\n \tmore()\n", "mixed()\nmore()", "mixed()\nless()", I, " \tmixed()\n \tless()\n"),
    done(
        "\t  odd();\n\t  even();\n",
        "odd();\neven();",
        "odd();\nboth();\neven();",
        I,
        "\t  odd();\n\t  both();\n\t  even();\n",
    ),
    done(
        "    a();\r\n    b();\r\n",
        "a();\nb();",
        "a();\nc();\nb();",
        I,
        "    a();\r\n    c();\r\n    b();\r\n",
    ),
    done("  a = 1;   \n  b = 2;\n", "a = 1;\nb = 2;", "a = 1;\nb = 3;", I, "  a = 1;   \n  b = 3;\n"),
    // New lines with less indentation than the text allows begin at the left margin.
    done("a()\nb()\n", "    a()\n    b()", "    a()\n  x()\n    b()", I, "a()\nx()\nb()\n"),
    done("  foo()\n  bar()\n", "foo()\nbar()", "foo()\nbar()  ", I, "  foo()\n  bar()  \n"),
    // An indented quote begins a line and does not match within one.
    refused("x = 1; y = 2\n", "    y = 2", "    y = 3", No::NotFound),
    // Punctuation alone is not enough for a match with different indentation.
    refused("    }\n    )\n", "  }\n  )", "  }\n  ]", No::NotFound),
];
