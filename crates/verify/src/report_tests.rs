use super::*;
use crate::{PathResolver, Toolchain, diagnostics};

fn report(output: &str) -> FailureReport {
    find_cause(&diagnostics(Toolchain::Other, output, &PathResolver::new("/home/ada/project")), output)
}

#[test]
fn errors_come_before_warnings_and_causes_before_consequences() {
    for (output, headline) in [
        ("a.c:1:1: warning: w\na.c:2:1: error: e\n", "a.c:2:1: e"),
        ("make: *** [Makefile:1: a] Error 1\na.c:2:1: error: e\n", "a.c:2:1: e"),
        ("cat: x: No such file or directory\na.c:2:1: error: e\n", "a.c:2:1: e"),
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nValueError: caught\n\n\
             --- FAIL: TestX (0.00s)\n    x_test.go:3: real\nFAIL\n",
            "TestX failed at x_test.go:3: real",
        ),
        ("all well\nFatal error: disk full\nbye\n", "Fatal error: disk full"),
        ("a.c:1:1: warning: w\n", "a.c:1:1: w"),
        ("one\ntwo\n\n", "two"),
        ("checked, 0 errors\nlast words", "last words"),
        ("", "it failed and printed nothing"),
        ("\n \n", "it failed and printed nothing"),
    ] {
        assert_eq!(report(output).headline, headline, "{output}");
    }
}

#[test]
fn the_same_error_is_known_again() {
    for (one, other) in [
        ("a.c:2:1: error: e\n", "noise\na.c:20:7: error: e\n"),
        (
            "thread 'a' (12) panicked at src/a.rs:1:2:\nno\n",
            "thread 'a' (99) panicked at src/a.rs:7:2:\nno\n",
        ),
        ("odd: could not start in 0.3s at 0x77\n", "odd: could not start in 1.9s at 0x12\n"),
        ("a.py:3: AssertionError: /tmp/abc/x is gone\n", "a.py:4: AssertionError: /tmp/def/x is gone\n"),
    ] {
        assert_eq!(report(one).fingerprint, report(other).fingerprint, "{one}{other}");
    }
    for (one, other) in [
        ("a.c:2:1: error: e\n", "b.c:2:1: error: e\n"),
        ("a.c:2:1: error: e\n", "a.c:2:1: error: f\n"),
        ("a.py:3: AssertionError: 1 != 2\n", "a.py:3: AssertionError: 1 != 3\n"),
        ("error[E0308]: no\n --> a.rs:1:1\n", "error[E0309]: no\n --> a.rs:1:1\n"),
    ] {
        assert_ne!(report(one).fingerprint, report(other).fingerprint, "{one}{other}");
    }
}

#[test]
fn what_is_shown_is_short() {
    let long = format!("a.c:1:1: error: {}\n", "x".repeat(5_000));
    let found = report(&long);
    assert!(found.headline.len() <= HEADLINE + 3 && found.excerpt.len() < 300, "{found:?}");
    let many = "words\n".repeat(500) + "it cannot go on\n" + &"more\n".repeat(500);
    let found = report(&many);
    assert_eq!((found.headline.as_str(), found.excerpt.lines().count()), ("it cannot go on", EXCERPT_LINES));
    assert!(found.excerpt.contains("it cannot go on"));
    let last = report(&("words\n".repeat(40) + "the end"));
    assert!(last.excerpt.ends_with("the end") && last.excerpt.lines().count() <= EXCERPT_LINES);
}
