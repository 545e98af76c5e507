use serde_json::json;

use super::*;

#[test]
fn arguments_are_read_as_they_are_written() {
    let cases = [
        ("", json!([[], {}])),
        (r#"query="moon, sun", n=3, flag=false"#, json!([[], {"query": "moon, sun", "n": 3, "flag": false}])),
        (r#""moon""#, json!([["moon"], {}])),
        (r"'it\'s', x = True", json!([["it's"], {"x": true}])),
        ("a=[1, 2], b={\"c\": \"d)\"}", json!([[], {"a": [1, 2], "b": {"c": "d)"}}])),
        ("text=\"\"\"two\n\"lines\" \"\"\", n=None", json!([[], {"text": "two\n\"lines\" ", "n": null}])),
        (r#"path="a\\nb""#, json!([[], {"path": "a\\nb"}])),
        ("n=-1.5,", json!([[], {"n": -1.5}])),
        ("s=\"\", t=''", json!([[], {"s": "", "t": ""}])),
        ("1, 2, x=3", json!([[1, 2], {"x": 3}])),
    ];
    for (text, expected) in cases {
        let (in_order, named) = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(json!([in_order, named]), expected, "{text}");
    }
}

#[test]
fn a_fault_is_explained_and_a_signature_is_none() {
    let flaws = [
        ("a=", "“” is not a valid value for a"),
        ("a=b c", "“b c” is not a valid value for a"),
        ("a=\"x\" b=2", "“\"x\" b=2” is not a valid value for a"),
        ("a=1, 2", "without a name"),
        ("query=moon", "put text in quotes"),
        ("{\"a\" 1}", "is not a valid value"),
    ];
    for (text, part) in flaws {
        match read(text) {
            Err(Fault::Flaw(why)) => assert!(why.contains(part), "{text}: {why}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    for signature in ["query", "query: str", "query: str, count: int = 5", "self", "…", "..."] {
        assert_eq!(read(signature), Err(Fault::Signature), "{signature}");
    }
}

#[test]
fn the_closing_bracket_is_found() {
    let cases = [
        (")", Some(0)),
        ("a=\")\")", Some(5)),
        ("a=(1))x", Some(5)),
        ("a=\"\"\"x\n)\"\"\")", Some(11)),
        ("a=\"\"\"say \"hi\" \\\"\"\" )\"\"\")", Some(23)),
        ("a='\\')')", Some(7)),
        ("a=\"\", b=1)", Some(9)),
        ("a=''', b=1)", None),
        ("a=]", None),
        ("what's next)", None),
    ];
    for (text, expected) in cases {
        let mut scan = ArgumentScan::default();
        let end = text.char_indices().find(|(_, next)| scan.feed(*next) != ScanProgress::Inside);
        let closed = end.filter(|(_, next)| *next == ')').map(|(place, _)| place);
        assert_eq!(closed, expected, "{text}");
    }
}
