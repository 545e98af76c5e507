use serde_json::json;

use super::*;
use crate::test_support::{ScriptedGenerator, payload, run};

fn widget() -> WidgetTool {
    WidgetTool::new(Arc::new(ScriptedGenerator::default())).unwrap()
}

#[tokio::test]
async fn every_form_is_shown_as_it_was_given() {
    let cases = [
        json!({"type": "steps", "data": ["a", {"title": "b", "text": "c", "done": true}]}),
        json!({"type": "summary", "title": "T", "data": "in short"}),
        json!({"type": "summary", "data": {"text": "a", "points": ["b"]}}),
        json!({"type": "compare", "data": {"items": [{"name": "a", "points": ["p"], "pros": ["q"], "cons": []}]}}),
        json!({"type": "compare", "data": {"columns": ["a", "b"], "rows": [{"label": "km", "values": [1, "2"]}]}}),
        json!({"type": "timeline", "data": [{"when": "1969", "title": "a", "text": "b"}]}),
        json!({"type": "formula", "data": "E = mc^2"}),
        json!({"type": "formula", "data": {"latex": "a", "text": "b", "variables": [{"name": "m", "meaning": "mass"}]}}),
        json!({"type": "tabs", "data": [{"title": "a", "text": "**b**"}]}),
        json!({"type": "flashcards", "data": [{"front": "a", "back": "b"}]}),
        json!({"type": "checklist", "data": ["a", {"text": "b", "done": false}]}),
        json!({"type": "table", "data": {"columns": ["a", "b"], "rows": [["x", 1], [true, null]]}}),
        json!({"type": "table", "data": [{"a": 1}, {"a": 2}]}),
        json!({"type": "chart", "data": {"series": [{"values": [1, null, 2.5]}]}}),
        json!({"type": "chart", "data": {"kind": "pie", "x": ["a", 2], "series": [{"name": "n", "values": [1, 2]}],
            "unit": "km", "xLabel": "x", "yLabel": "y"}}),
        json!({"type": "emails", "data": [{"from": "a", "to": "b", "subject": "c", "date": "d", "text": "e"}]}),
        json!({"type": "interactive", "data": "<b>hi</b>"}),
        json!({"type": "interactive", "data": {"html": "<b>hi</b>", "css": "b{}", "js": "1"}}),
        json!({"type": "model3d", "data": {"shapes": [{"kind": "box", "size": [1, 2, 3], "color": "#aabbcc"}]}}),
    ];
    let widget = widget();
    for given in cases {
        let output = run(&widget, given.clone()).await.unwrap_or_else(|error| panic!("{given}: {error}"));
        assert!(output.text.len() < 60 && output.text.ends_with("is on the screen."), "{}", output.text);
        assert_eq!(output.command.as_ref().unwrap().action, "widget");
        assert_eq!(payload(output), given);
    }
}

#[tokio::test]
async fn what_can_only_mean_one_thing_is_understood() {
    let cases = [
        (json!({"data": ["a"]}), "steps", json!(["a"])),
        (
            json!({"type": "table", "data": "| Moon | km |\n|---|---:|\n| Io | 3643 |\n\nEuropa | 3122"}),
            "table",
            json!({"columns": ["Moon", "km"], "rows": [["Io", "3643"], ["Europa", "3122"]]}),
        ),
        (json!({"data": "1. a\n2. b"}), "steps", json!(["a", "b"])),
        (json!({"steps": ["a"]}), "steps", json!(["a"])),
        (
            json!({"type": "STEPS", "items": [{"name": "a", "description": "b"}]}),
            "steps",
            json!([{"title": "a", "text": "b"}]),
        ),
        (json!({"type": "steps", "data": [{"text": "only this"}]}), "steps", json!([{"title": "only this"}])),
        (
            json!({"type": "todo", "tasks": [{"task": "a", "done": "yes"}]}),
            "checklist",
            json!([{"done": true, "text": "a"}]),
        ),
        (json!({"type": "list", "data": ["a", 3]}), "steps", json!(["a", "3"])),
        (
            json!({"type": "Flash cards", "data": [{"question": "q", "answer": "a"}]}),
            "flashcards",
            json!([{"front": "q", "back": "a"}]),
        ),
        (json!({"data": [{"front": "q", "back": "a"}]}), "flashcards", json!([{"front": "q", "back": "a"}])),
        (json!({"type": "graph", "data": ["1", 2]}), "chart", json!({"series": [{"values": [1, 2]}]})),
        (
            json!({"type": "bar chart", "data": {"a": 1}}),
            "chart",
            json!({"x": ["a"], "series": [{"values": [1]}]}),
        ),
        (
            json!({"type": "chart", "kind": "Column", "labels": ["a"], "series": [3]}),
            "chart",
            json!({"kind": "bar", "x": ["a"], "series": [{"values": [3]}]}),
        ),
        (
            json!({"type": "chart", "data": [{"label": "a", "value": 1}, {"label": "b", "value": "2"}]}),
            "chart",
            json!({"x": ["a", "b"], "series": [{"values": [1, 2]}]}),
        ),
        (
            json!({"type": "table", "data": [["a", "b"], [1, 2]]}),
            "table",
            json!({"columns": ["a", "b"], "rows": [[1, 2]]}),
        ),
        (
            json!({"type": "table", "columns": ["a", "b"], "rows": [{"b": 2}]}),
            "table",
            json!({"columns": ["a", "b"], "rows": [[null, 2]]}),
        ),
        (
            json!({"type": "compare", "data": {"columns": ["a"], "rows": [["km", 1]]}}),
            "compare",
            json!({"columns": ["a"], "rows": [{"label": "km", "values": [1]}]}),
        ),
        (json!({"type": "vs", "data": [{"name": "a"}]}), "compare", json!({"items": [{"name": "a"}]})),
        (json!({"type": "equation", "latex": "x^2"}), "formula", json!({"latex": "x^2"})),
        (json!({"type": "summary", "data": ["a", "b"]}), "summary", json!({"points": ["a", "b"]})),
        (json!({"type": "interactive", "data": "{\"html\": \"x\"}"}), "interactive", json!({"html": "x"})),
        (
            json!({"type": "emails", "data": {"from": "a", "subject": "b", "body": "c"}}),
            "emails",
            json!([{"from": "a", "subject": "b", "text": "c"}]),
        ),
    ];
    let widget = widget();
    for (given, kind, data) in cases {
        let output = run(&widget, given.clone()).await.unwrap_or_else(|error| panic!("{given}: {error}"));
        assert_eq!(payload(output), json!({"type": kind, "data": data}), "{given}");
    }
}

#[tokio::test]
async fn a_model_told_in_words_becomes_shapes() {
    let given = json!({"type": "model3d", "title": "Spin", "data": "rotating cube"});
    let shown = payload(run(&widget(), given).await.unwrap());
    assert_eq!(
        (&shown["data"]["shapes"][0]["kind"], &shown["data"]["turntable"]),
        (&json!("box"), &json!(true))
    );
}

#[tokio::test]
async fn what_cannot_be_shown_is_refused_with_an_example() {
    let many: Vec<usize> = (0..300).collect();
    let cases: [(Value, &[&str]); 12] = [
        (json!({}), &["data is missing", r#"{"type": "steps""#]),
        (json!({"type": "chart"}), &["data is missing", r#""series""#]),
        (json!({"type": "hologram", "data": []}), &["“hologram”", "flashcards", "For example"]),
        (json!({"type": "steps", "data": []}), &["is empty"]),
        (json!({"type": "steps", "data": many}), &["has 300 items, and 200 fit"]),
        (
            json!({"type": "flashcards", "data": [{"front": "a"}]}),
            &["item 1, back is missing", r#""back": "the moon""#],
        ),
        (json!({"type": "timeline", "data": [{"when": "1"}, 2]}), &["item 1, title is missing"]),
        (
            json!({"type": "chart", "data": {"series": [{"values": ["many"]}]}}),
            &["series, item 1, values, item 1 should be a number"],
        ),
        (
            json!({"type": "table", "data": {"columns": ["a"], "rows": [[[1]]]}}),
            &["rows, item 1, item 1 should be text"],
        ),
        (
            json!({"type": "model3d", "data": {"shapes": [{"kind": "teapot"}]}}),
            &["kind should be one of box, sphere"],
        ),
        (json!({"type": "summary", "data": "x".repeat(20_001)}), &["longer than 20000"]),
        (
            json!({"type": "interactive", "data": {"html": "x".repeat(200_000), "js": "y".repeat(100_000)}}),
            &["too large for the screen", "256 KB"],
        ),
    ];
    let widget = widget();
    for (given, says) in cases {
        let error = run(&widget, given.clone()).await.expect_err("refused").to_string();
        assert!(says.iter().all(|word| error.contains(word)) && error.len() < 600, "{error}");
    }
}

#[tokio::test]
async fn a_title_is_one_line_that_fits() {
    let cases = [
        (json!(" Moon\n phases "), json!("Moon phases")),
        (json!("  "), Value::Null),
        (json!("月".repeat(300)), json!(format!("{}…", "月".repeat(200)))),
    ];
    for (title, expected) in cases {
        let shown = payload(run(&widget(), json!({"title": title, "data": ["a"]})).await.unwrap());
        assert_eq!(shown["title"], expected);
    }
}

#[test]
fn the_examples_are_right_and_the_schema_is_short() {
    for kind in &KINDS {
        let example: Value = serde_json::from_str(kind.example).unwrap();
        assert_eq!(example["type"], kind.name);
        let data = example["data"].clone();
        assert_eq!(kind.repair(data.clone()), Ok(data), "{}", kind.name);
    }
    let length = widget().spec().parameters.to_string().len();
    assert!(length < 1_200, "{length}");
}

#[tokio::test]
async fn only_a_program_in_a_frame_may_tell_somebody_something() {
    let widget = widget();
    for given in [
        json!({"type": "interactive", "data": "<b>hi</b>"}),
        json!({"type": " Interactive ", "data": {"html": "x"}}),
        json!({"type": "html", "data": "<b>hi</b>"}),
        json!({"data": {"html": "<b>hi</b>"}}),
        json!({"data": {"html": "<b>hi</b>", "js": "1"}}),
        json!({"type": "steps", "data": ["<script>"]}),
        json!({"data": ["a"]}),
    ] {
        let effects = widget.effects(given.as_object().unwrap());
        assert!(effects.contains(&Effect::Shows));
        let shown = run(&widget, given.clone()).await.map(payload);
        let is_program = shown.is_ok_and(|payload| payload["type"] == "interactive");
        assert_eq!(effects.contains(&Effect::SendsOut), is_program, "{given}");
    }
    let program = json!({"type": "interactive", "data": "<b>hi</b>"});
    assert!(widget.effects(program.as_object().unwrap()).contains(&Effect::SendsOut));
}
