use serde_json::json;

use super::*;

static CARD: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[
        FieldSchema::required("front", &["question"], PayloadSchema::Text(10)),
        FieldSchema::optional("done", &[], PayloadSchema::Flag),
    ],
    list: None,
});
static CARDS: PayloadSchema = PayloadSchema::List { of: &CARD, least: 1, most: 3 };
static WORDS: PayloadSchema = PayloadSchema::List { of: &PayloadSchema::Text(20), least: 0, most: 9 };
static BAG: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[FieldSchema::required(
        "items",
        &[],
        PayloadSchema::List { of: &PayloadSchema::Text(9), least: 1, most: 9 },
    )],
    list: Some("items"),
});
static EITHER: PayloadSchema = PayloadSchema::Either(&[
    PayloadSchema::Text(5),
    PayloadSchema::Record(&ObjectSchema {
        fields: &[FieldSchema::required("title", &[], PayloadSchema::Text(5))],
        list: None,
    }),
]);
static UNIT: PayloadSchema = PayloadSchema::Number { least: -1.0, most: 1.0 };
static PLACE: PayloadSchema = PayloadSchema::Triple { least: -9.0, most: 9.0 };
static KIND: PayloadSchema = PayloadSchema::Choice(&[("box", &["cube"]), ("sphere", &["ball"])]);

#[test]
fn what_is_nearly_right_is_mended_and_what_is_right_stays() {
    let cases = [
        (&CARDS, json!([{"front": "a", "more": [1]}]), json!([{"front": "a", "more": [1]}])),
        (&CARDS, json!([{"question": "a"}]), json!([{"front": "a"}])),
        (&CARDS, json!({"front": 3, "done": "yes"}), json!([{"front": "3", "done": true}])),
        (&CARDS, json!({"cards": [{"front": "a"}]}), json!([{"front": "a"}])),
        (&CARDS, json!("[{\"front\": \"a\", \"done\": null}]"), json!([{"front": "a"}])),
        (
            &WORDS,
            json!("1. wake\n\n2) rise\n- shine\n3.5 litres"),
            json!(["wake", "rise", "shine", "3.5 litres"]),
        ),
        (&WORDS, json!([]), json!([])),
        (&BAG, json!(["a"]), json!({"items": ["a"]})),
        (&EITHER, json!("a"), json!("a")),
        (&EITHER, json!({"title": true}), json!({"title": "true"})),
        (&UNIT, json!("0.50"), json!(0.5)),
        (&UNIT, json!(" 1 % "), json!(1)),
        (&PLACE, json!([1, "2", 3.5]), json!([1, 2, 3.5])),
        (&PLACE, json!({"x": 1, "z": 2}), json!([1, 0.0, 2])),
        (&KIND, json!("Cube"), json!("box")),
        (&PayloadSchema::Cell, json!(null), json!(null)),
    ];
    for (form, given, expected) in cases {
        assert_eq!(form.repair(given.clone()), Ok(expected), "{given}");
    }
}

#[test]
fn a_fault_says_where_it_lies() {
    let cases = [
        (&CARDS, json!([{"front": "a"}, {}]), "item 2, front is missing"),
        (&CARDS, json!([{"front": ["a"]}]), "item 1, front should be text"),
        (&CARDS, json!([{"front": "a", "done": "perhaps"}]), "item 1, done should be true or false"),
        (&CARDS, json!([{"front": "a much longer text"}]), "item 1, front is longer than 10 characters"),
        (&CARDS, json!([]), "is empty"),
        (&CARDS, json!(null), "should be a list"),
        (&CARDS, json!(["a"]), "item 1 should have front, done?"),
        (&CARDS, json!([1, 2, 3, 4]), "has 4 items, and 3 fit"),
        (&EITHER, json!({"text": "x"}), "title is missing"),
        (&UNIT, json!(2), "should be between -1 and 1"),
        (&UNIT, json!("NaN"), "should be a number"),
        (&PLACE, json!([1, 2]), "should be three numbers, [x, y, z]"),
        (&PLACE, json!([1, 2, 1e300]), "should be between -9 and 9"),
        (&KIND, json!("teapot"), "should be one of box, sphere"),
        (&PayloadSchema::Cell, json!([1]), "should be text"),
        (&PayloadSchema::Colour, json!("url(x)"), "is not a colour; write #rrggbb or a word such as red"),
    ];
    for (form, given, says) in cases {
        assert_eq!(form.repair(given.clone()).unwrap_err().to_string(), says, "{given}");
    }
}
