use super::*;

/// The expected result of an edit: the strategy and the new text, or the refusal.
#[derive(Debug, PartialEq)]
enum Outcome<'a> {
    Done(Strategy, &'a str),
    NotFound,
    Ambiguous,
    NoChange,
    NothingQuoted,
}

use Outcome::{Ambiguous, Done, NoChange, NotFound, NothingQuoted};
use Strategy::{Alignment, CaseInsensitive, Exact, Indentation, TrailingSpace, Unicode, Whitespace};

fn check(content: &str, old: &str, new: &str, replace_all: bool, expected: &Outcome<'_>) {
    let edit = Edit { old: old.to_owned(), new: new.to_owned(), replace_all };
    let done = apply(content, &edit);
    let outcome = match &done {
        Ok(applied) => Done(applied.receipt.strategy, &applied.content),
        Err(refusal) => match refusal.why {
            RefusalReason::NotFound
            | RefusalReason::Elided(_)
            | RefusalReason::Torn
            | RefusalReason::Unclear
            | RefusalReason::TooLarge
            | RefusalReason::Remains => NotFound,
            RefusalReason::Ambiguous { .. } => Ambiguous,
            RefusalReason::NoChange => NoChange,
            RefusalReason::NothingQuoted => NothingQuoted,
        },
    };
    assert_eq!(&outcome, expected, "{content:?}: {old:?} -> {new:?}, all: {replace_all}");
}

#[test]
fn the_ladder_finds_what_was_meant() {
    let cases: &[(&str, &str, &str, Outcome<'_>)] = &[
        // Exact matches.
        ("a b c", "b", "x", Done(Exact, "a x c")),
        ("a\nb\nc\n", "b", "x\ny", Done(Exact, "a\nx\ny\nc\n")),
        ("a\nb\nc\n", "b\n", "", Done(Exact, "a\nc\n")),
        ("a\nb", "b", "c", Done(Exact, "a\nc")),
        ("x", "x", "", Done(Exact, "")),
        ("one $& two", "$&", "$1", Done(Exact, "one $1 two")),
        ("\\n is two signs", "\\n", "\\\\n", Done(Exact, "\\\\n is two signs")),
        ("İstanbul", "İstanbul", "Ankara", Done(Exact, "Ankara")),
        ("\u{feff}a\n", "a", "b", Done(Exact, "\u{feff}b\n")),
        // Line endings are kept.
        ("a\r\nb\r\nc\r\n", "a\nb", "a\nx\ny", Done(Exact, "a\r\nx\r\ny\r\nc\r\n")),
        ("a\r\nb\r\n", "a\r\nb", "b\r\na", Done(Exact, "b\r\na\r\n")),
        ("a\nb\r\nc\n", "a\nb\nc", "a\nx\nc", Done(Exact, "a\nx\r\nc\n")),
        ("a\nb\n", "a\r\nb", "a\r\nc", Done(Exact, "a\nc\n")),
        ("a\r\n", "a", "a\nb", Done(Exact, "a\r\nb\r\n")),
        // Two matches are ambiguous.
        ("a a", "a", "b", Ambiguous),
        ("aaa", "aa", "b", Ambiguous),
        ("x = 1\ny = 2\nx = 1\n", "x = 1", "x = 3", Ambiguous),
        ("  x = 1\n    x = 1\n", "\tx = 1", "\tx = 2", Ambiguous),
        // No change.
        ("a", "a", "a", NoChange),
        ("a\r\n", "a\r\n", "a\n", NoChange),
        ("a", "", "b", NothingQuoted),
        ("", "", "b", Done(Strategy::Whole, "b")),
        ("", "a", "b", NotFound),
        // Whitespace at the end of lines.
        ("foo  \nbar\n", "foo\nbar", "foo\nbaz", Done(TrailingSpace, "foo  \nbaz\n")),
        ("foo\nbar\n", "foo \nbar ", "foo \nbaz", Done(TrailingSpace, "foo\nbaz\n")),
        ("one two\nend", "end\n", "fin\n", Done(TrailingSpace, "one two\nfin")),
        ("one\ntwo\nend", "two\nend\n", "two\n", Done(TrailingSpace, "one\ntwo")),
        ("foo\t\r\nbar\r\n", "foo\nbar", "foo\nqux\nbar", Done(TrailingSpace, "foo\t\r\nqux\r\nbar\r\n")),
        // Deeper and shallower indentation.
        (
            "class A:\n    def f(self):\n        return 1\n",
            "def f(self):\n    return 1",
            "def f(self):\n    x = 2\n    return x",
            Done(Indentation, "class A:\n    def f(self):\n        x = 2\n        return x\n"),
        ),
        (
            "def f():\n    return 1\n",
            "    def f():\n        return 1",
            "    def f():\n        if True:\n            return 2",
            Done(Indentation, "def f():\n    if True:\n        return 2\n"),
        ),
        (
            "fn a() {\n\tif b {\n\t\tc();\n\t}\n}\n",
            "    if b {\n        c();\n    }",
            "    if b {\n        d();\n        c();\n    }",
            Done(Indentation, "fn a() {\n\tif b {\n\t\td();\n\t\tc();\n\t}\n}\n"),
        ),
        ("    foo();\n", "\tfoo();", "\tbar();", Done(Indentation, "    bar();\n")),
        // Lines with different indentation shifts do not match.
        (
            "if a:\n    b = 1\n    c = 2\n",
            "if a:\n    b = 1\nc = 2",
            "if a:\n    b = 1\nc = 3",
            Done(Whitespace, "if a:\n    b = 1\n    c = 3\n"),
        ),
        // Characters that look alike.
        ("say(“hi”, a)\n", "say(\"hi\", a)", "say(\"hi\", b)", Done(Unicode, "say(“hi”, b)\n")),
        ("a – b\n", "a - b = c\n", "x\n", NotFound),
        ("wait… then go\n", "wait... then go", "wait... then stop", Done(Unicode, "wait… then stop\n")),
        ("x\u{a0}= total\n", "x = total", "x = sum", Done(Unicode, "x\u{a0}= sum\n")),
        // Whitespace anywhere.
        ("foo( a,b )\n", "foo(a, b)", "foo(a, c)", Done(Whitespace, "foo( a,c )\n")),
        (
            "call(\n    first,\n    second,\n)\n",
            "call(first, second,)",
            "call(first, third,)",
            Done(Whitespace, "call(\n    first,\n    third,\n)\n"),
        ),
        // Letter case, as the last strategy.
        ("Hello World\n", "hello world", "goodbye world", Done(CaseInsensitive, "goodbye World\n")),
        (
            "const MAX_SIZE = 10;\n",
            "const max_size = 10;",
            "const max_size = 20;",
            Done(CaseInsensitive, "const MAX_SIZE = 20;\n"),
        ),
        // Lenient matches do not split words.
        ("support  = 1\n", "port = 1", "port = 2", NotFound),
        // Most lines match, but not all.
        (
            "fn main() {\n    let a = 1;\n    let b = 2;\n    // why\n    let c = 3;\n    run(a, b, c);\n}\n",
            "fn main() {\n    let a = 1;\n    let b = 2;\n    let c = 3;\n    run(a, b, c);\n}",
            "fn main() {\n    let a = 1;\n    let b = 2;\n    let c = 4;\n    run(a, b, c);\n}",
            Done(
                Alignment,
                "fn main() {\n    let a = 1;\n    let b = 2;\n    // why\n    let c = 4;\n    run(a, b, c);\n}\n",
            ),
        ),
        (
            "def f():\n    one()\n    two()\n    three()\n    four()\n    return 5\n",
            "def f():\n    one()\n    # ... existing code ...\n    return 5",
            "def f():\n    one()\n    # ... existing code ...\n    return 6",
            Done(Alignment, "def f():\n    one()\n    two()\n    three()\n    four()\n    return 6\n"),
        ),
        // The lines to change must be quoted exactly.
        (
            "alpha()\nbeta(1)\ngamma()\ndelta()\n",
            "alpha()\nbeta(2)\ngamma()\ndelta()",
            "alpha()\nbeta(3)\ngamma()\ndelta()",
            NotFound,
        ),
    ];
    for (content, old, new, expected) in cases {
        check(content, old, new, false, expected);
    }
}

#[test]
fn all_places_are_changed_where_that_is_asked() {
    for (content, old, new, expected) in [
        ("a a a", "a", "b", Done(Exact, "b b b")),
        ("aaa", "aa", "b", Done(Exact, "ba")),
        ("x \ny\nx\t\ny\n", "x\ny", "x\nz", Done(TrailingSpace, "x \nz\nx\t\nz\n")),
        ("foo(1)\n  foo(1)\n", "foo(1)", "foo(2)", Done(Exact, "foo(2)\n  foo(2)\n")),
        (
            "  if (a)\n    go\nx\n    if (a)\n      go\n",
            "if (a)\n  go",
            "if (a)\n  stay",
            Done(Indentation, "  if (a)\n    stay\nx\n    if (a)\n      stay\n"),
        ),
        ("b", "a", "c", NotFound),
    ] {
        check(content, old, new, true, &expected);
    }
}

#[test]
fn empty_lines_that_only_the_quote_has_are_passed_over() {
    for (content, old, new, expected) in [
        ("foo();\nbar();\n", "\nfoo();\nbar();", "foo();\nbaz();", Done(Exact, "foo();\nbaz();\n")),
        (
            "  foo();\n  bar();\n",
            "\nfoo();\nbar();",
            "foo();\nbaz();",
            Done(Indentation, "  foo();\n  baz();\n"),
        ),
        (
            "one();  \nfoo();\nbar();\n",
            "\nfoo();\nbar();",
            "foo();\nbaz();",
            Done(Exact, "one();  \nfoo();\nbaz();\n"),
        ),
        (
            "foo();\nbar();\nlast();\n",
            "foo();\nbar();\n\n",
            "foo();\nbaz();\n",
            Done(Exact, "foo();\nbaz();\nlast();\n"),
        ),
        ("foo();\nbar();\n", "\n\nfoo();\n\n", "fu();", Done(Exact, "fu();\nbar();\n")),
        (
            "foo();\nbar();\n\nlast();\n",
            "\nfoo();\nbar();",
            "foo();\nbaz();",
            Done(Exact, "foo();\nbaz();\n\nlast();\n"),
        ),
        // If the text has the blank line, it is removed.
        ("one();\n\n  foo();\n", "\nfoo();", "fu();", Done(Indentation, "one();\n  fu();\n")),
        ("x = foo();\n", "\n\nfoo();", "fu();", NotFound),
        ("foo();\nfoo();\n", "\n\nfoo();", "fu();", NotFound),
    ] {
        check(content, old, new, false, &expected);
    }
}

/// The quote has no space before the emoji, and the new text removes its first half: whose joiner is meant is unclear.
#[test]
fn a_joiner_within_an_emoji_is_never_written_twice() {
    let (content, old, new) = (
        "night \u{1f319} and \u{1f469}\u{200d}\u{1f4bb}\n",
        "night \u{1f319}and\u{1f469}\u{200d}\u{1f4bb}",
        "night \u{1f319}and\u{200d}\u{1f4bb}",
    );
    let edit = Edit { old: old.to_owned(), new: new.to_owned(), replace_all: false };
    let done = apply(content, &edit).map(|applied| applied.content).unwrap_or_default();
    assert!(done.matches('\u{200d}').count() <= 1, "{done:?}");
}
