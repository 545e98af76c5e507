//! For any arguments from a model, these tools return something to show or an error message.

use std::sync::Arc;

use serde_json::{Value, json};

use super::payload::LARGEST_PAYLOAD;
use super::tools;
use crate::TextGenerator;
use crate::test_support::{ScriptedGenerator, run, settings};

/// Reproducible pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[usize::try_from(self.below(words.len() as u64)).unwrap()]
    }

    fn value(&mut self, depth: u32) -> Value {
        match self.below(if depth == 0 { 7 } else { 10 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(1_000)),
            3 => json!(
                [1e300, -0.5, 91.0, -180.0, f64::from(i32::MIN)][usize::try_from(self.below(5)).unwrap()]
            ),
            4 => json!(self.pick(&TEXTS)),
            5 => json!("月\u{0}<script>".repeat(usize::try_from(self.below(50)).unwrap())),
            6 => json!(self.pick(&NAMES)),
            7 | 8 => (0..self.below(5)).map(|_| self.value(depth - 1)).collect(),
            _ => self.object(depth - 1),
        }
    }

    fn object(&mut self, depth: u32) -> Value {
        let count = self.below(6);
        let fields = (0..count).map(|_| (self.pick(&NAMES).to_owned(), self.value(depth)));
        Value::Object(fields.collect())
    }
}

const NAMES: [&str; 40] = [
    "type",
    "title",
    "data",
    "items",
    "steps",
    "text",
    "done",
    "name",
    "points",
    "columns",
    "rows",
    "label",
    "values",
    "when",
    "latex",
    "variables",
    "front",
    "back",
    "kind",
    "x",
    "series",
    "from",
    "subject",
    "html",
    "shapes",
    "lat",
    "lon",
    "zoom",
    "markers",
    "route",
    "place",
    "position",
    "size",
    "rotation",
    "color",
    "turntable",
    "prompt",
    "radius",
    "chart",
    "table",
];
const TEXTS: [&str; 16] = [
    "",
    " ",
    "3",
    "-1e9",
    "NaN",
    "[1, 2",
    "{\"data\": [1]}",
    "[[1, 2], [3]]",
    "1. a\n2. b",
    "chart",
    "To-Do",
    "Paris",
    "rotating cube",
    "48.1, 11.6",
    "#ff0000",
    "box",
];

#[tokio::test]
async fn whatever_comes_is_shown_or_refused_in_words() {
    let generator: Arc<dyn TextGenerator> = Arc::new(ScriptedGenerator::always("[{\"kind\": 3}]"));
    let tools = tools(&generator, &settings(|_| ())).unwrap();
    let mut dice = Dice(7);
    let mut shown = 0;
    for _ in 0..20_000 {
        let tool = &tools[usize::try_from(dice.below(3)).unwrap()];
        let arguments = dice.object(4);
        match run(tool.as_ref(), arguments.clone()).await {
            Ok(output) => {
                shown += 1;
                let payload = output.command.expect("something to show").payload;
                assert!(payload.to_string().len() <= LARGEST_PAYLOAD);
                // A corrected payload needs no further correction.
                let again = run(tool.as_ref(), payload.clone()).await.unwrap();
                assert_eq!(again.command.unwrap().payload, payload, "{arguments}");
            }
            Err(error) => assert!(error.to_string().len() < 4_000, "{error}"),
        }
    }
    assert!(shown > 500, "{shown} were shown");
}
