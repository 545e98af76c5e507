//! Quotes of which most lines match, but not all: some are forgotten, changed by others or left out on purpose.

use crate::case::{Case, Found, No, done, refused};

const A: Found = Found::Aligned;

const MAIN: &str =
    "fn main() {\n    let a = 1;\n    let b = 2;\n    // why\n    let c = 3;\n    run(a, b, c);\n}\n";
const STEPS: &str = "def f():\n    one()\n    two()\n    three()\n    four()\n    return 5\n";
const TWINS: &str =
    "def f():\n    one()\n    two()\n    return 5\n\ndef g():\n    one()\n    three()\n    return 5\n";

pub const CASES: &[Case] = &[
    // A line missing from the quote is kept.
    done(
        MAIN,
        "fn main() {\n    let a = 1;\n    let b = 2;\n    let c = 3;\n    run(a, b, c);\n}",
        "fn main() {\n    let a = 1;\n    let b = 2;\n    let c = 4;\n    run(a, b, c);\n}",
        A,
        "fn main() {\n    let a = 1;\n    let b = 2;\n    // why\n    let c = 4;\n    run(a, b, c);\n}\n",
    ),
    done(
        MAIN,
        "    let a = 1;\n    let b = 2;\n    let c = 3;\n    run(a, b, c);",
        "    let a = 0;\n    let b = 2;\n    let c = 3;\n    run(a, b, c);",
        A,
        "fn main() {\n    let a = 0;\n    let b = 2;\n    // why\n    let c = 3;\n    run(a, b, c);\n}\n",
    ),
    done(
        MAIN,
        "    let a = 1;\n    let b = 2;\n    let c = 3;\n    run(a, b, c);",
        "    let a = 1;\n    let b = 2;\n    let c = 3;",
        A,
        "fn main() {\n    let a = 1;\n    let b = 2;\n    // why\n    let c = 3;\n}\n",
    ),
    done(
        MAIN,
        "    let a = 1;\n    let b = 2;\n    let c = 3;\n    run(a, b, c);",
        "    let b = 2;\n    let c = 3;\n    run(a, b, c);",
        A,
        "fn main() {\n    let b = 2;\n    // why\n    let c = 3;\n    run(a, b, c);\n}\n",
    ),
    done(
        MAIN,
        "    let a = 1;\n    let b = 2;\n    let c = 3;\n    run(a, b, c);",
        "    let a = 1;\n    let z = 0;\n    let b = 2;\n    let c = 3;\n    run(a, b, c);",
        A,
        "fn main() {\n    let a = 1;\n    let z = 0;\n    let b = 2;\n    // why\n    let c = 3;\n    run(a, b, c);\n}\n",
    ),
    // A misquoted line that is not to be changed.
    done(
        "alpha()\nbeta(1)\ngamma()\ndelta()\n",
        "alpha()\nbeta(2)\ngamma()\ndelta()",
        "alpha()\nbeta(2)\ngamma()\nomega()",
        A,
        "alpha()\nbeta(1)\ngamma()\nomega()\n",
    ),
    done(
        "alpha()\nbeta(1)\ngamma()\ndelta()\n",
        "alpha()\nbeta(2)\ngamma()\ndelta()",
        "first()\nbeta(2)\ngamma()\ndelta()",
        A,
        "first()\nbeta(1)\ngamma()\ndelta()\n",
    ),
    // An insertion next to it goes to the side with a matching line.
    done(
        "alpha()\nbeta(1)\ngamma()\ndelta()\n",
        "alpha()\nbeta(2)\ngamma()\ndelta()",
        "alpha()\nnew()\nbeta(2)\ngamma()\ndelta()",
        A,
        "alpha()\nnew()\nbeta(1)\ngamma()\ndelta()\n",
    ),
    done(
        "alpha()\nbeta(1)\ngamma()\ndelta()\n",
        "alpha()\nbeta(2)\ngamma()\ndelta()",
        "alpha()\nbeta(2)\nnew()\ngamma()\ndelta()",
        A,
        "alpha()\nbeta(1)\nnew()\ngamma()\ndelta()\n",
    ),
    done(
        "alpha()\nbeta()\ngamma()\ndelta(1)\n",
        "alpha()\nbeta()\ngamma()\ndelta(2)",
        "alpha()\nbeta()\ngamma()\nnew()\ndelta(2)",
        A,
        "alpha()\nbeta()\ngamma()\nnew()\ndelta(1)\n",
    ),
    // The lines to change must be quoted exactly.
    refused(
        "alpha()\nbeta(1)\ngamma()\ndelta()\n",
        "alpha()\nbeta(2)\ngamma()\ndelta()",
        "alpha()\nbeta(3)\ngamma()\ndelta()",
        No::NotFound,
    ),
    refused(
        "alpha()\nbeta(1)\ngamma()\ndelta()\n",
        "alpha()\nbeta(2)\ngamma()\ndelta()",
        "alpha()\ngamma()\ndelta()",
        No::NotFound,
    ),
    // The insertion may belong before or after the forgotten line.
    refused(
        "alpha()\nforgotten()\nbeta()\ngamma()\ndelta()\n",
        "alpha()\nbeta()\ngamma()\ndelta()",
        "alpha()\nnew()\nbeta()\ngamma()\ndelta()",
        No::NotFound,
    ),
    // The forgotten line is between lines to remove.
    refused(
        "alpha()\nbeta()\nforgotten()\ngamma()\ndelta()\nomega()\n",
        "alpha()\nbeta()\ngamma()\ndelta()\nomega()",
        "alpha()\nomega()",
        No::NotFound,
    ),
    refused(
        "alpha()\nforgotten()\nbeta()\ngamma()\ndelta()\n",
        "alpha()\nbeta()\ngamma()\ndelta()",
        "alpha()\ngamma()\ndelta()",
        No::NotFound,
    ),
    // Left out on purpose.
    done(
        STEPS,
        "def f():\n    one()\n    # ... existing code ...\n    return 5",
        "def f():\n    one()\n    # ... existing code ...\n    return 6",
        A,
        "def f():\n    one()\n    two()\n    three()\n    four()\n    return 6\n",
    ),
    done(
        STEPS,
        "def f():\n    one()\n    ...\n    return 5",
        "def f():\n    zero()\n    one()\n    ...\n    return 5",
        A,
        "def f():\n    zero()\n    one()\n    two()\n    three()\n    four()\n    return 5\n",
    ),
    done(
        STEPS,
        "def f():\n    one()\n    # \u{2026}\n    return 5",
        "def f():\n    one()\n    # \u{2026}\n    five()\n    return 5",
        A,
        "def f():\n    one()\n    two()\n    three()\n    four()\n    five()\n    return 5\n",
    ),
    done(
        STEPS,
        "def f():\n    one()\n    # ... rest of the function ...\n    return 5",
        "def f():\n    one()\n    more()\n    # ... rest of the function ...\n    return 5",
        A,
        "def f():\n    one()\n    more()\n    two()\n    three()\n    four()\n    return 5\n",
    ),
    done(
        "<ul>\n  <li>a</li>\n  <li>b</li>\n  <li>c</li>\n</ul>\n",
        "<ul>\n  <li>a</li>\n  <!-- ... existing items ... -->\n  <li>c</li>\n</ul>",
        "<ul>\n  <li>a</li>\n  <!-- ... existing items ... -->\n  <li>c</li>\n  <li>d</li>\n</ul>",
        A,
        "<ul>\n  <li>a</li>\n  <li>b</li>\n  <li>c</li>\n  <li>d</li>\n</ul>\n",
    ),
    done(
        "a {\r\n  b: 1;\r\n  c: 2;\r\n  d: 3;\r\n  e: 4;\r\n}\r\n",
        "a {\n  b: 1;\n  /* ... */\n  e: 4;\n}",
        "a {\n  b: 1;\n  /* ... */\n  e: 5;\n}",
        A,
        "a {\r\n  b: 1;\r\n  c: 2;\r\n  d: 3;\r\n  e: 5;\r\n}\r\n",
    ),
    // Elision lines can be neither removed nor added.
    refused(
        STEPS,
        "def f():\n    one()\n    # ...\n    return 5",
        "def f():\n    one()\n    return 5",
        No::NotFound,
    ),
    refused(
        "def f():\n    one()\n    two()\n    three()\n    return 5\n",
        "def f():\n    one()\n    2()\n    three()\n    return 5",
        "def f():\n    one()\n    2()\n    # ... existing code ...\n    return 5",
        No::NotFound,
    ),
    // Several lines may follow the elided part.
    refused(
        TWINS,
        "def f():\n    one()\n    # ...\n    return 5",
        "def f():\n    one()\n    # ...\n    return 6",
        No::Ambiguous,
    ),
    done(
        TWINS,
        "def f():\n    one()\n    # ...\n    return 5",
        "def f(x):\n    one()\n    # ...\n    return 5",
        A,
        "def f(x):\n    one()\n    two()\n    return 5\n\ndef g():\n    one()\n    three()\n    return 5\n",
    ),
    refused(
        "fn a() {\n    first();\n    if x {\n        second();\n    }\n    third();\n}\n\nfn b() {\n    fourth();\n}\n",
        "fn a() {\n    first();\n    // ...\n}",
        "fn a() {\n    first();\n    // ...\n}\n\nfn c() {}",
        No::Ambiguous,
    ),
    // Two positions with the same line forgotten.
    refused(
        "start()\nmid(1)\nfinish()\nclose()\n\nstart()\nmid(2)\nfinish()\nclose()\n",
        "start()\nfinish()\nclose()",
        "start()\nfinish()\nclose(now)",
        No::Ambiguous,
    ),
    // One position is much better than the other.
    done(
        "start()\nmid(1)\nfinish()\nclose()\nmore()\n\nstart()\nother()\n",
        "start()\nfinish()\nclose()\nmore()",
        "start()\nfinish()\nclose(now)\nmore()",
        A,
        "start()\nmid(1)\nfinish()\nclose(now)\nmore()\n\nstart()\nother()\n",
    ),
    // The line to change occurs twice between the others.
    refused(
        "alpha()\nsame()\nbeta()\nsame()\ngamma()\ndelta()\n",
        "alpha()\nsame()\ngamma()\ndelta()",
        "alpha()\nother()\ngamma()\ndelta()",
        No::Ambiguous,
    ),
    // Too many lines are elsewhere or missing.
    refused(
        "alpha()\nbeta()\ngamma()\ndelta()\n",
        "alpha()\nx1()\nx2()\ndelta()",
        "alpha()\nx1()\nx2()\nomega()",
        No::NotFound,
    ),
    refused(
        "alpha()\n1\n2\n3\n4\n5\n6\n7\n8\n9\nbeta()\ngamma()\n",
        "alpha()\nbeta()\ngamma()",
        "alpha()\nbeta()\nomega()",
        No::NotFound,
    ),
    refused("}\n)\n]\n;\n", "}\n)\n;\n", "}\n)\n,\n", No::NotFound),
    // Two lines are too few for an alignment.
    refused("alpha()\nmid()\nbeta()\n", "alpha()\nbeta()", "alpha()\ngamma()", No::NotFound),
    // Different indentation and a forgotten line.
    done(
        "    start();\n    // note\n    middle();\n    finish();\n",
        "start();\nmiddle();\nfinish();",
        "start();\nmiddle();\nlast();\nfinish();",
        A,
        "    start();\n    // note\n    middle();\n    last();\n    finish();\n",
    ),
    done(
        "\tstart();\n\t// note\n\tif (a) {\n\t\tmiddle();\n\t}\n\tfinish();\n",
        "    start();\n    if (a) {\n        middle();\n    }\n    finish();",
        "    start();\n    if (a) {\n        middle();\n        more();\n    }\n    finish();",
        A,
        "\tstart();\n\t// note\n\tif (a) {\n\t\tmiddle();\n\t\tmore();\n\t}\n\tfinish();\n",
    ),
    // A change within a line keeps the typographic characters around it.
    done(
        "say(\u{201c}one\u{201d}, 1)\n// note\nsay(\u{201c}two\u{201d}, 2)\nfinish()\n",
        "say(\"one\", 1)\nsay(\"two\", 2)\nfinish()",
        "say(\"one\", 1)\nsay(\"two\", 3)\nfinish()",
        A,
        "say(\u{201c}one\u{201d}, 1)\n// note\nsay(\u{201c}two\u{201d}, 3)\nfinish()\n",
    ),
    done(
        "first( a )\n// note\nsecond( b )  \nthird()\n",
        "first(a)\nsecond(b)\nthird()",
        "first(a)\nsecond(c)\nthird()",
        A,
        "first( a )\n// note\nsecond( c )  \nthird()\n",
    ),
    // Program code is not an elision line.
    refused(
        "const a = {\n  ...rest,\n  x: 1,\n  y: 2,\n};\n",
        "const a = {\n  ...rest,\n  x: 3,\n  y: 2,\n};",
        "const a = {\n  ...rest,\n  x: 4,\n  y: 2,\n};",
        No::NotFound,
    ),
    done(
        "const a = {\n  ...rest,\n  x: 1,\n  z: 0,\n  y: 2,\n};\n",
        "const a = {\n  ...rest,\n  x: 1,\n  y: 2,\n};",
        "const a = {\n  ...rest,\n  ...other,\n  x: 1,\n  y: 2,\n};",
        A,
        "const a = {\n  ...rest,\n  ...other,\n  x: 1,\n  z: 0,\n  y: 2,\n};\n",
    ),
    // No later line of the quote decides which ending is removed.
    refused("aa()\nbb()\ncc()\ndd()\n", "# ...\nbb()\ncc()", "# ...", No::NotFound),
    // A missing blank line is replaced next to a line that occurs several times.
    refused(
        "alpha()\nreturn\n\nreturn\nbeta()\n\nreturn\nbeta()\n",
        "alpha()\n# ...\n\nreturn",
        "alpha()\n# ...\nnew()\nreturn",
        No::Ambiguous,
    ),
];
