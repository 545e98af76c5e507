//! Several edits of one text: all or none are applied, each to the result of the previous one. Also tests the receipts
//! and messages.

use edits::{Edit, RefusalReason, Strategy, apply, apply_all, digest};

fn edit(old: &str, new: &str) -> Edit {
    Edit { old: old.to_owned(), new: new.to_owned(), replace_all: false }
}

#[test]
fn edits_follow_each_other() {
    for (content, edits, expected) in [
        ("a b c", &[("a", "x"), ("c", "z")][..], Ok("x b z")),
        ("a b c", &[("a", "b"), ("b b", "d")], Ok("d c")),
        ("a b c", &[("a", "b"), ("b", "d")], Err(1)),
        ("a b c", &[("x", "y"), ("a", "b")], Err(0)),
        ("a b c", &[("a", "x"), ("x", "a")], Ok("a b c")),
        ("a\r\nb\r\n", &[("a", "a\n1"), ("b", "b\n2")], Ok("a\r\n1\r\nb\r\n2\r\n")),
        ("  f( a )\n  g()\n", &[("f(a)", "f(b)"), ("f(b)\ng()", "f(c)\ng()")], Err(0)),
        (
            "  call( a )\n  g()\n",
            &[("call(a)", "call(b)"), ("call(b)\ng()", "call(c)\ng()")],
            Ok("  call( c )\n  g()\n"),
        ),
        ("", &[("", "a\n"), ("a", "b")], Ok("b\n")),
        ("a", &[("a", ""), ("", "b")], Ok("b")),
        ("one\ntwo\nthree\n", &[("one\ntwo", "1\n2"), ("2\nthree", "2\n3")], Ok("1\n2\n3\n")),
        ("x", &[], Ok("x")),
    ] {
        let edits: Vec<Edit> = edits.iter().map(|(old, new)| edit(old, new)).collect();
        let done = apply_all(content, &edits);
        let outcome = done.as_ref().map(|(text, _)| text.as_str()).map_err(|(number, _)| *number);
        assert_eq!(outcome, expected, "{content:?}: {edits:?}");
        let Ok((text, receipts)) = done else { continue };
        assert_eq!(receipts.len(), edits.len());
        let mut last = digest(content);
        for receipt in receipts {
            assert_eq!(receipt.before, last);
            last = receipt.after;
        }
        assert_eq!(digest(&text), last);
    }
}

#[test]
fn a_receipt_says_where_and_how() {
    let content = "one\n  two \nthree\nfour\n  two \n";
    for (old, new, replace_all, strategy, lines) in [
        ("three", "3", false, Strategy::Exact, vec![(3, 3)]),
        ("three\nfour\n", "3\n4\n", false, Strategy::Exact, vec![(3, 4)]),
        ("one\n  two\nthree", "one\n  2\nthree", false, Strategy::TrailingSpace, vec![(1, 3)]),
        ("\ttwo", "\t2", true, Strategy::Indentation, vec![(2, 2), (5, 5)]),
        ("FOUR\n\ttwo", "FOUR\n\ttwice", false, Strategy::CaseInsensitive, vec![(4, 5)]),
    ] {
        let receipt = apply(content, &Edit { replace_all, ..edit(old, new) }).unwrap().receipt;
        assert_eq!((receipt.strategy, receipt.lines), (strategy, lines), "{old:?}");
        assert!((receipt.confidence - strategy.confidence()).abs() < f32::EPSILON);
    }
    let order = [
        Strategy::Exact,
        Strategy::TrailingSpace,
        Strategy::Indentation,
        Strategy::Unicode,
        Strategy::Whitespace,
        Strategy::Alignment,
        Strategy::CaseInsensitive,
    ];
    assert!(order.windows(2).all(|pair| pair[0].confidence() > pair[1].confidence()));
}

#[test]
fn whoever_quotes_wrongly_is_shown_what_stands_there() {
    let content = "fn one() {\n    first();\n}\n\nfn two() {\n    second(1);\n    third();\n}\n";
    let refusal = apply(content, &edit("fn two() {\n    second(2);\n    third();\n}", "x")).unwrap_err();
    assert_eq!(refusal.why, RefusalReason::NotFound);
    let closest = refusal.closest.unwrap();
    assert_eq!((closest.first_line, closest.last_line), (5, 8));
    assert_eq!(closest.text, "    5 | fn two() {\n    6 |     second(1);\n    7 |     third();\n    8 | }\n");
    assert_eq!(closest.difference, "-     second(2);\n+     second(1);");

    let refusal = apply(content, &edit("    secnd(1);", "x")).unwrap_err();
    let closest = refusal.closest.unwrap();
    assert_eq!((closest.first_line, closest.last_line), (6, 6));
    assert_eq!(closest.difference, "-     secnd(1);\n+     second(1);");

    let refusal = apply(content, &edit("zzz", "x")).unwrap_err();
    assert_eq!(refusal.closest, None);
    assert_eq!(apply("", &edit("zzz", "x")).unwrap_err().closest, None);
}

#[test]
fn whoever_quotes_too_little_is_told_where_it_stands() {
    let refusal = apply("a\nb\na\n", &edit("a", "x")).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the old text stands in 2 places (lines 1, 3). Quote more lines around the one that is meant, or set replace_all"
    );
    let many = apply(&"a\n".repeat(12), &edit("a", "x")).unwrap_err().to_string();
    assert!(many.contains("12 places (lines 1, 2, 3, 4, 5, 6, 7, 8 and others)"), "{many}");
    let more = apply(&"a\n".repeat(500), &edit("a", "x")).unwrap_err().to_string();
    assert!(more.contains("more than 100 places"), "{more}");
}
