use serde_json::json;

use super::*;

fn search() -> Value {
    json!({
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "count": {"type": "integer"},
            "exact": {"type": "boolean"},
            "weight": {"type": "number"},
            "sites": {"type": "array", "items": {"type": "string"}},
            "filter": {"type": "object", "properties": {"days": {"type": ["integer", "null"]}}},
            "order": {"anyOf": [{"$ref": "#/$defs/Order"}, {"type": "null"}]},
            "size": {"enum": [1, 2, 3]},
            "points": {"type": "array", "items": {"$ref": "#/$defs/Point"}},
            "anything": {}
        },
        "required": ["query"],
        "$defs": {
            "Order": {"type": "string", "enum": ["newest", "best"]},
            "Point": {"type": "object", "properties": {"lat": {"type": "number"}, "name": {"type": "string"}}}
        }
    })
}

fn named(value: Value) -> CallArguments {
    match value {
        Value::Object(named) => CallArguments::Named(named),
        other => panic!("{other} has no names"),
    }
}

fn in_order(value: Value, with: Value) -> CallArguments {
    match (value, with) {
        (Value::Array(values), Value::Object(named)) => CallArguments::Positional(values, named),
        (values, named) => panic!("{values} and {named}"),
    }
}

fn words(text: &str) -> CallArguments {
    CallArguments::Text(text.to_owned())
}

#[test]
fn values_take_the_types_of_the_schema() {
    let cases = [
        (json!({"count": "3"}), json!({"count": 3})),
        (json!({"count": " 3 "}), json!({"count": 3})),
        (json!({"count": "-3"}), json!({"count": -3})),
        (json!({"count": 3.0}), json!({"count": 3})),
        (json!({"count": "3.0"}), json!({"count": 3})),
        (json!({"count": "3.5"}), json!({"count": "3.5"})),
        (json!({"count": 3.5}), json!({"count": 3.5})),
        (json!({"count": "three"}), json!({"count": "three"})),
        (json!({"count": "3px"}), json!({"count": "3px"})),
        (json!({"count": ""}), json!({"count": ""})),
        (json!({"count": "1e400"}), json!({"count": "1e400"})),
        (json!({"count": "18446744073709551615"}), json!({"count": u64::MAX})),
        (json!({"count": true}), json!({"count": true})),
        (json!({"count": null}), json!({"count": null})),
        (json!({"exact": "false"}), json!({"exact": false})),
        (json!({"exact": "False"}), json!({"exact": false})),
        (json!({"exact": "TRUE"}), json!({"exact": true})),
        (json!({"exact": false}), json!({"exact": false})),
        (json!({"exact": "no"}), json!({"exact": "no"})),
        (json!({"exact": 0}), json!({"exact": 0})),
        (json!({"weight": "0.5"}), json!({"weight": 0.5})),
        (json!({"weight": "2"}), json!({"weight": 2})),
        (json!({"weight": 2}), json!({"weight": 2})),
        (json!({"weight": "NaN"}), json!({"weight": "NaN"})),
        (json!({"query": 3}), json!({"query": "3"})),
        (json!({"query": 3.5}), json!({"query": "3.5"})),
        (json!({"query": false}), json!({"query": "false"})),
        (json!({"query": "3"}), json!({"query": "3"})),
        (json!({"query": "false"}), json!({"query": "false"})),
        (json!({"query": "[1]"}), json!({"query": "[1]"})),
        (json!({"query": "a\\nb"}), json!({"query": "a\\nb"})),
        (json!({"query": {"a": 1}}), json!({"query": {"a": 1}})),
        (json!({"sites": "[\"a\", \"b\"]"}), json!({"sites": ["a", "b"]})),
        (json!({"sites": "['a', 'b',]"}), json!({"sites": ["a", "b"]})),
        (json!({"sites": "[1, 2]"}), json!({"sites": ["1", "2"]})),
        (json!({"sites": [1, "b"]}), json!({"sites": ["1", "b"]})),
        (json!({"sites": "a, b"}), json!({"sites": "a, b"})),
        (json!({"sites": "{\"a\": 1}"}), json!({"sites": "{\"a\": 1}"})),
        (json!({"filter": "{\"days\": \"7\"}"}), json!({"filter": {"days": 7}})),
        (json!({"filter": {"days": "null"}}), json!({"filter": {"days": null}})),
        (json!({"filter": {"other": "7"}}), json!({"filter": {"other": "7"}})),
        (json!({"order": "newest"}), json!({"order": "newest"})),
        (json!({"order": null}), json!({"order": null})),
        (json!({"order": 1}), json!({"order": "1"})),
        (json!({"size": "2"}), json!({"size": 2})),
        (json!({"points": [{"lat": "40.7", "name": 7}]}), json!({"points": [{"lat": 40.7, "name": "7"}]})),
        (json!({"points": "[{\"lat\": \"1\"}]"}), json!({"points": [{"lat": 1}]})),
        (json!({"anything": "3"}), json!({"anything": "3"})),
        (json!({"unknown": "3"}), json!({"unknown": "3"})),
        (json!({}), json!({})),
    ];
    for (given, expected) in cases {
        assert_eq!(Value::Object(named(given.clone()).fit(&search())), expected, "{given}");
    }
}

#[test]
fn values_without_names_take_the_properties_in_order() {
    let cases = [
        (in_order(json!(["moon"]), json!({})), json!({"query": "moon"})),
        (in_order(json!(["moon", "3"]), json!({})), json!({"query": "moon", "count": 3})),
        (
            in_order(json!(["moon", false]), json!({"count": "3"})),
            json!({"query": "moon", "exact": false, "count": 3}),
        ),
        (in_order(json!([{"query": "moon", "count": "3"}]), json!({})), json!({"query": "moon", "count": 3})),
        (in_order(json!([]), json!({"query": 1})), json!({"query": "1"})),
    ];
    for (given, expected) in cases {
        let shown = format!("{given:?}");
        assert_eq!(Value::Object(given.fit(&search())), expected, "{shown}");
    }
    let small = json!({"properties": {"a": {"type": "integer"}}});
    assert_eq!(Value::Object(in_order(json!(["1", "2"]), json!({})).fit(&small)), json!({"a": 1, "#2": "2"}));
    let nested = json!({"properties": {"filter": {"type": "object"}}});
    assert_eq!(
        Value::Object(in_order(json!([{"a": 1}]), json!({})).fit(&nested)),
        json!({"filter": {"a": 1}})
    );
}

#[test]
fn a_plain_body_finds_its_property() {
    let task = json!({
        "properties": {"title": {"type": "string"}, "due": {"type": "string"}, "priority": {"type": "integer"}},
        "required": ["title"],
        "x-pipe": ["title", "due", "priority"]
    });
    let write = json!({
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"],
        "x-pipe": ["path", "content"]
    });
    let volume = json!({"properties": {"level": {"type": "integer"}}, "required": ["level"]});
    let two = json!({
        "properties": {"n": {"type": "integer"}, "a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["b"]
    });
    let cases = [
        (search(), "moon landing", json!({"query": "moon landing"})),
        (search(), "a|b", json!({"query": "a|b"})),
        (search(), "", json!({})),
        (task.clone(), "Buy milk|tomorrow|2", json!({"title": "Buy milk", "due": "tomorrow", "priority": 2})),
        (
            task.clone(),
            "Buy milk | tomorrow | 2",
            json!({"title": "Buy milk", "due": "tomorrow", "priority": 2}),
        ),
        (task.clone(), "\"Buy milk\"||high", json!({"title": "Buy milk", "priority": "high"})),
        (task.clone(), "Buy milk", json!({"title": "Buy milk"})),
        (task, "a|b|c|d", json!({"title": "a", "due": "b", "priority": "c|d"})),
        (write.clone(), "a.md|# A\n\n| x | y |\n", json!({"path": "a.md", "content": "# A\n\n| x | y |\n"})),
        (write.clone(), "a.md|  two\n  lines", json!({"path": "a.md", "content": "  two\n  lines"})),
        (write, "C:\\\\new|x", json!({"path": "C:\\\\new", "content": "x"})),
        (volume, "40", json!({"level": 40})),
        (two, "x", json!({"b": "x"})),
        (json!({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}), "x", json!({"a": "x"})),
        (json!({}), "x", json!({"text": "x"})),
        (json!(true), "x", json!({"text": "x"})),
    ];
    for (schema, text, expected) in cases {
        assert_eq!(Value::Object(words(text).fit(&schema)), expected, "{text:?} {schema}");
    }
}

#[test]
fn a_circle_of_references_ends() {
    let schema = json!({
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/nowhere"}, "tree": {"$ref": "#/$defs/Tree"}},
        "$defs": {
            "A": {"$ref": "#/$defs/A"},
            "Tree": {"type": "object", "properties": {
                "size": {"type": "integer"},
                "leaves": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}
            }}
        }
    });
    let given = json!({"a": "1", "b": "2", "tree": "{\"size\": \"1\", \"leaves\": [{\"size\": \"2\"}]}"});
    let expected = json!({"a": "1", "b": "2", "tree": {"size": 1, "leaves": [{"size": 2}]}});
    assert_eq!(Value::Object(named(given).fit(&schema)), expected);
}

#[test]
fn a_property_may_go_by_other_names() {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "x-alias": ["file", "file_path"]},
            "edits": {"type": "array", "items": {"$ref": "#/$defs/One"}},
        },
        "$defs": {"One": {"type": "object", "properties": {"all": {"type": "boolean", "x-alias": ["replace_all"]}}}},
    });
    for (given, fitted) in [
        (json!({"file": "a"}), json!({"path": "a"})),
        (json!({"file_path": 3}), json!({"path": "3"})),
        (json!({"file": "a", "path": "b"}), json!({"path": "b", "file": "a"})),
        (json!({"other": "a"}), json!({"other": "a"})),
        (json!({"edits": [{"replace_all": "false"}]}), json!({"edits": [{"all": false}]})),
    ] {
        let Value::Object(map) = given.clone() else { unreachable!() };
        assert_eq!(Value::Object(CallArguments::Named(map).fit(&schema)), fitted, "{given}");
    }
}
