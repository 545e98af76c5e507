use serde_json::json;

use super::*;
use crate::document::{SettingNode, parse};

/// Applies changes, checks that all other settings read as before, and returns the text.
fn changed(format: Format, text: &str, changes: &[(&str, Value)]) -> String {
    let changes: Vec<Change> = changes
        .iter()
        .map(|(key, value)| Change {
            path: key.split('.').map(str::to_owned).collect(),
            value: Some(value.clone()).filter(|value| !value.is_null()),
        })
        .collect();
    let edited = edit(format, text, &changes).unwrap();
    let document = parse(format, edited.as_bytes()).unwrap_or_else(|error| panic!("{error:?} in\n{edited}"));
    let tree = SettingNode::Table(document.entries).to_value();
    for Change { path, value } in &changes {
        let found = path.iter().try_fold(&tree, |table, part| table.get(part));
        assert_eq!(found, value.as_ref(), "{path:?} in\n{edited}");
    }
    edited
}

const TOML: &str = r#"# My settings.

debug = true # while I look for a fault

# The model.
[llm]
# the fast one
model = "old"    # changed in May
base_url = 'http://localhost:1234/v1'
stop = [
    "</s>", # for the old model
    "User:",
]

# Nobody else may come in.
[server]
port   =   9000
"#;

#[test]
fn toml_values_change_in_place() {
    let edited = changed(
        Format::Toml,
        TOML,
        &[("llm.model", json!("new \"one\"")), ("server.port", json!(8899)), ("debug", json!(false))],
    );
    let expected = TOML
        .replace("\"old\"", "'new \"one\"'")
        .replace("9000", "8899")
        .replace("debug = true", "debug = false");
    assert_eq!(edited, expected);
}

#[test]
fn toml_keys_go_and_their_comments_stay() {
    let edited = changed(
        Format::Toml,
        TOML,
        &[("llm.model", json!(null)), ("server.port", json!(null)), ("debug", json!(null))],
    );
    let expected = TOML
        .replace("model = \"old\"    # changed in May", "# changed in May")
        .replace("port   =   9000\n", "")
        .replace("debug = true # while", "# while");
    assert_eq!(edited, expected);
}

#[test]
fn toml_keys_are_added_where_they_belong() {
    let edited = changed(
        Format::Toml,
        TOML,
        &[
            ("llm.temperature", json!(0.7)),
            ("builtin_tools.web_search.brave.enabled", json!(true)),
            ("state_dir", json!("/s")),
        ],
    );
    for line in TOML.lines() {
        assert!(edited.contains(line), "lost: {line}");
    }
    assert!(edited.contains("]\ntemperature = 0.7\n"), "{edited}");
    assert!(edited.contains("\n[builtin_tools.web_search.brave]\nenabled = true\n"), "{edited}");
}

#[test]
fn toml_lists_keep_the_comments_of_what_stays() {
    let edited = changed(Format::Toml, TOML, &[("llm.stop", json!(["</s>", "Bot:"]))]);
    assert_eq!(edited, TOML.replace("    \"User:\",", "    \"Bot:\","));
    let edited = changed(Format::Toml, TOML, &[("llm.stop", json!(["User:", "</s>"]))]);
    assert!(edited.contains("stop = [\"User:\", \"</s>\"]"), "{edited}");
    changed(Format::Toml, TOML, &[("llm.stop", json!([]))]);
    changed(Format::Toml, TOML, &[("llm.stop", json!(["x", "y"]))]);
    let edited = changed(Format::Toml, TOML, &[("llm.stop", json!(["</s>", "User:", "x", "y"]))]);
    assert_eq!(edited, TOML.replace("    \"User:\",\n", "    \"User:\",\n    \"x\",\n    \"y\",\n"));
}

#[test]
fn toml_shapes_that_people_write() {
    let key = |value: Value| [("llm.model", value)];
    let cases = [
        ("llm.model = \"a\" # c\n", "llm.model = \"b\" # c\n", "# c\n"),
        (
            "llm = { model = \"a\", seed = 1 }\n",
            "llm = { model = \"b\", seed = 1 }\n",
            "llm = { seed = 1 }\n",
        ),
        (
            "[llm]\r\nmodel = \"a\" # c\r\nseed = 1\r\n",
            "[llm]\r\nmodel = \"b\" # c\r\nseed = 1\r\n",
            "[llm]\r\n# c\r\nseed = 1\r\n",
        ),
        ("\u{feff}[llm]\nmodel = \"a\"", "\u{feff}[llm]\nmodel = \"b\"", "\u{feff}[llm]\n"),
        (
            "[llm]\n  model = \"\"\"a\nb\"\"\"\nseed = 1\n",
            "[llm]\n  model = \"b\"\nseed = 1\n",
            "[llm]\nseed = 1\n",
        ),
        ("", "[llm]\nmodel = \"b\"\n", ""),
        ("# only words\n", "[llm]\nmodel = \"b\"\n# only words\n", "# only words\n"),
    ];
    for (text, set, removed) in cases {
        assert_eq!(changed(Format::Toml, text, &key(json!("b"))), set, "set in {text}");
        assert_eq!(changed(Format::Toml, text, &key(json!(null))), removed, "removed from {text}");
    }
    let inner = changed(
        Format::Toml,
        "builtin_tools = { bash = true }\n",
        &[("builtin_tools.web_search.enabled", json!(true))],
    );
    assert_eq!(inner, "builtin_tools = { bash = true , web_search = { enabled = true } }\n");
}

const JSON: &str = r#"// Lumina's settings
{
  "llm": {
    "base_url": "http://localhost:1234/v1", // the server
    /* the fast one */
    "model": "old"  // changed in May
  },
  "server": { "port": 9000, "host": "127.0.0.1" },
  "bash": { "enabled": false },   // never
}
"#;

#[test]
fn json_values_change_in_place() {
    let edited = changed(
        Format::Json,
        JSON,
        &[("llm.model", json!("a \"b\" \\")), ("server.port", json!(8899)), ("bash.enabled", json!(true))],
    );
    let expected =
        JSON.replace("\"old\"", r#""a \"b\" \\""#).replace("9000", "8899").replace("false", "true");
    assert_eq!(edited, expected);
}

#[test]
fn json_keys_go_and_their_comments_stay() {
    let cases = [
        (
            "llm.model",
            vec![("    \"model\": \"old\"  // changed", "    // changed"), ("/v1\", //", "/v1\" //")],
        ),
        ("llm.base_url", vec![("    \"base_url\": \"http://localhost:1234/v1\", // the", "    // the")]),
        ("server.port", vec![("{ \"port\": 9000, \"host\"", "{ \"host\"")]),
        ("server.host", vec![("9000, \"host\": \"127.0.0.1\" }", "9000 }")]),
        ("bash", vec![("  \"bash\": { \"enabled\": false },   // never", "  // never")]),
        ("nothing.there", vec![]),
    ];
    for (key, replacements) in cases {
        let expected = replacements.iter().fold(JSON.to_owned(), |text, (from, to)| text.replace(from, to));
        assert_eq!(changed(Format::Json, JSON, &[(key, json!(null))]), expected, "{key}");
    }
}

#[test]
fn json_keys_are_added_where_they_belong() {
    let edited = changed(
        Format::Json,
        JSON,
        &[
            ("llm.temperature", json!(0.7)),
            ("builtin_tools.web_search.enabled", json!(true)),
            ("debug", json!(true)),
        ],
    );
    for comment in
        ["// Lumina's settings", "// the server", "/* the fast one */", "// changed in May", "// never"]
    {
        assert!(edited.contains(comment), "lost: {comment} in\n{edited}");
    }
    changed(Format::Json, "", &[("llm.model", json!("x"))]);
    changed(Format::Json, "{}", &[("llm.model", json!("x")), ("llm.stop", json!(["a", "b"]))]);
}

#[test]
fn json_commas_are_right_whatever_stands_between() {
    let cases = [
        ("{\"a\":1/* , */,\"b\":2}", "{/* , */\"b\":2}", "{\"a\":1/* , */}"),
        (
            "{\n\"a\":1, // x, y\n\"b\":2 // z\n}",
            "{\n// x, y\n\"b\":2 // z\n}",
            "{\n\"a\":1 // x, y\n// z\n}",
        ),
        ("{\"a\":1,\"b\":2,}", "{\"b\":2,}", "{\"a\":1,}"),
    ];
    for (text, without_a, without_b) in cases {
        assert_eq!(changed(Format::Json, text, &[("a", json!(null))]), without_a);
        assert_eq!(changed(Format::Json, text, &[("b", json!(null))]), without_b);
        let nothing = changed(Format::Json, text, &[("a", json!(null)), ("b", json!(null))]);
        assert!(!nothing.contains("\"a\"") && !nothing.contains("\"b\""));
    }
}

#[test]
fn json_lists_keep_the_comments_of_what_stays() {
    let text = "{\n  \"l\": [\n    \"a\", // first\n    \"b\" // second\n  ]\n}";
    let edited = changed(Format::Json, text, &[("l", json!(["a", "b", "c"]))]);
    assert_eq!(edited, text.replace("\"b\" // second", "\"b\", // second\n    \"c\""));
    let edited = changed(Format::Json, text, &[("l", json!(["b"]))]);
    assert_eq!(edited, text.replace("\"a\", // first", "// first"));
    let edited = changed(Format::Json, text, &[("l", json!(["a"]))]);
    assert_eq!(edited, text.replace("\"a\",", "\"a\"").replace("\"b\" // second", "// second"));
    let edited = changed(Format::Json, text, &[("l", json!(["a", "c"]))]);
    assert_eq!(edited, text.replace("\"b\" // second", "// second\n    \"c\""));
    changed(Format::Json, text, &[("l", json!(["c", "a"]))]);
    let far = "{\"l\": [\"a\",      \n\n     \"b\", \"c\"],\"m\": [\"x\", \"y\"]}";
    let edited = changed(Format::Json, far, &[("l", json!([])), ("m", json!(["x", "y"]))]);
    assert!(edited.ends_with("],\"m\": [\"x\", \"y\"]}"), "{edited}");
    for short in ["{\"l\": []}", "{\"l\": [\"a\"]}", "{\"l\": [\"a\",]}", "{\"l\": [1, null, \"a\"]}"] {
        for wanted in [json!([]), json!(["a"]), json!(["b"]), json!(["a", "b"]), json!(["b", "a"])] {
            changed(Format::Json, short, &[("l", wanted)]);
        }
    }
}

#[test]
fn what_cannot_hold_a_key_is_an_error() {
    let change =
        |key: &str| [Change { path: key.split('.').map(str::to_owned).collect(), value: Some(json!(1)) }];
    for (format, text) in [(Format::Toml, "llm = 5\n"), (Format::Json, "{\"llm\": 5}"), (Format::Json, "[]")]
    {
        assert!(matches!(edit(format, text, &change("llm.model")), Err(EditError::NotATable(_))), "{text}");
    }
    for (format, text) in [(Format::Toml, "llm = \n"), (Format::Json, "{\"llm\": }")] {
        assert!(matches!(edit(format, text, &change("llm.model")), Err(EditError::Broken(_))), "{text}");
    }
}

#[test]
fn lists_change_with_the_fewest_steps() {
    type Case<'a> = (&'a [Option<&'a str>], &'a [&'a str], Option<(&'a [usize], &'a [&'a str])>);
    let cases: [Case<'_>; 6] = [
        (&[Some("a"), Some("b")], &["a", "b", "c"], Some((&[], &["c"]))),
        (&[Some("a"), Some("b")], &["b"], Some((&[0], &[]))),
        (&[Some("a"), Some("b")], &["b", "a"], None),
        (&[Some("a"), None], &["a"], Some((&[1], &[]))),
        (&[], &["a"], Some((&[], &["a"]))),
        (&[Some("a")], &[], Some((&[0], &[]))),
    ];
    for (old, new, wanted) in cases {
        let wanted =
            wanted.map(|(out, more)| (out.to_vec(), more.iter().map(|item| (*item).to_owned()).collect()));
        assert_eq!(list::steps(old, new), wanted, "{old:?} to {new:?}");
    }
}
