//! The kinds of widgets, each with its schema and an example.

use serde_json::Value;

use super::super::payload_schema::{FieldSchema, ObjectSchema, PayloadSchema, SchemaFault, unpacked};
use super::super::scene::shapes::MODEL;
use super::{chart, table};

pub struct WidgetKind {
    pub name: &'static str,
    /// The name used in a sentence.
    pub called: &'static str,
    /// Other names that models use.
    also: &'static [&'static str],
    schema: PayloadSchema,
    pub example: &'static str,
    /// Converts other unambiguous notations before the schema is applied.
    reads: fn(Value) -> Value,
}

impl WidgetKind {
    pub fn repair(&self, data: Value) -> Result<Value, SchemaFault> {
        self.schema.repair((self.reads)(data))
    }
}

/// Finds a kind by its name in any spelling: `Flash cards`, `To-do`, `bar_chart`.
pub fn kind_named(name: &str) -> Option<&'static WidgetKind> {
    let name: String =
        name.chars().filter(|c| c.is_alphanumeric()).take(40).collect::<String>().to_lowercase();
    KINDS.iter().find(|kind| kind.name == name || kind.also.contains(&name.as_str()))
}

const LABEL: usize = 500;
const PARAGRAPH: usize = 20_000;
const SOURCE: usize = 200_000;

static CELLS: PayloadSchema = PayloadSchema::List { of: &PayloadSchema::Cell, least: 0, most: 50 };
const OPTIONAL_WORDS: PayloadSchema =
    PayloadSchema::List { of: &PayloadSchema::Text(2_000), least: 0, most: 100 };

static STEP: PayloadSchema = PayloadSchema::Either(&[
    PayloadSchema::Text(PARAGRAPH),
    PayloadSchema::Record(&ObjectSchema {
        fields: &[
            // A step with only a text uses it as the title.
            FieldSchema::required(
                "title",
                &["name", "step", "label", "text", "content", "description"],
                PayloadSchema::Text(2_000),
            ),
            FieldSchema::optional(
                "text",
                &["description", "detail", "details", "content"],
                PayloadSchema::Text(PARAGRAPH),
            ),
            FieldSchema::optional("done", &["checked", "completed"], PayloadSchema::Flag),
        ],
        list: None,
    }),
]);

static TASK: PayloadSchema = PayloadSchema::Either(&[
    PayloadSchema::Text(LABEL),
    PayloadSchema::Record(&ObjectSchema {
        fields: &[
            FieldSchema::required(
                "text",
                &["title", "name", "item", "task", "label"],
                PayloadSchema::Text(LABEL),
            ),
            FieldSchema::optional("done", &["checked", "completed"], PayloadSchema::Flag),
        ],
        list: None,
    }),
]);

static MOMENT: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[
        FieldSchema::required("when", &["date", "time", "year"], PayloadSchema::Text(LABEL)),
        FieldSchema::required("title", &["event", "name", "label"], PayloadSchema::Text(LABEL)),
        FieldSchema::optional(
            "text",
            &["description", "detail", "details", "content"],
            PayloadSchema::Text(PARAGRAPH),
        ),
    ],
    list: None,
});

static TAB: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[
        FieldSchema::required("title", &["name", "label", "tab"], PayloadSchema::Text(LABEL)),
        FieldSchema::required(
            "text",
            &["content", "body", "markdown", "data"],
            PayloadSchema::Text(PARAGRAPH),
        ),
    ],
    list: None,
});

static CARD: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[
        FieldSchema::required("front", &["question", "q", "term", "word"], PayloadSchema::Text(PARAGRAPH)),
        FieldSchema::required(
            "back",
            &["answer", "a", "definition", "meaning"],
            PayloadSchema::Text(PARAGRAPH),
        ),
    ],
    list: None,
});

static EMAIL: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[
        FieldSchema::required("from", &["sender"], PayloadSchema::Text(LABEL)),
        FieldSchema::optional("to", &["recipient"], PayloadSchema::Text(2_000)),
        FieldSchema::required("subject", &["title"], PayloadSchema::Text(LABEL)),
        FieldSchema::optional("date", &["when", "time"], PayloadSchema::Text(LABEL)),
        FieldSchema::required("text", &["body", "content", "message"], PayloadSchema::Text(PARAGRAPH)),
    ],
    list: None,
});

static CONTENDER: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[
        FieldSchema::required("name", &["title", "label", "item"], PayloadSchema::Text(LABEL)),
        FieldSchema::optional("points", &["features", "facts"], OPTIONAL_WORDS),
        FieldSchema::optional("pros", &["advantages"], OPTIONAL_WORDS),
        FieldSchema::optional("cons", &["disadvantages"], OPTIONAL_WORDS),
    ],
    list: None,
});

static ASPECT: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[
        FieldSchema::required("label", &["name", "title", "aspect"], PayloadSchema::Text(LABEL)),
        FieldSchema::required(
            "values",
            &["cells", "data"],
            PayloadSchema::List { of: &PayloadSchema::Cell, least: 0, most: 50 },
        ),
    ],
    list: None,
});

static VARIABLE: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[
        FieldSchema::required("name", &["symbol", "variable"], PayloadSchema::Text(LABEL)),
        FieldSchema::required("meaning", &["description", "text", "definition"], PayloadSchema::Text(LABEL)),
    ],
    list: None,
});

static SERIES: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[
        FieldSchema::optional("name", &["label", "title"], PayloadSchema::Text(LABEL)),
        FieldSchema::required(
            "values",
            &["data", "y", "points"],
            PayloadSchema::List { of: &PayloadSchema::NumberOrGap, least: 1, most: 5_000 },
        ),
    ],
    list: Some("values"),
});

static ROW: PayloadSchema = PayloadSchema::Named { of: &PayloadSchema::Cell, most: 50 };

pub static KINDS: [WidgetKind; 13] = [
    WidgetKind {
        name: "steps",
        called: "list of steps",
        also: &["step", "list", "instructions", "guide", "howto", "recipe", "plan"],
        schema: PayloadSchema::List { of: &STEP, least: 1, most: 200 },
        example: r#"{"type": "steps", "data": ["Boil water", "Add the tea"]}"#,
        reads: as_given,
    },
    WidgetKind {
        name: "summary",
        called: "summary",
        also: &["overview", "keypoints", "note", "text"],
        schema: PayloadSchema::Either(&[
            PayloadSchema::Text(PARAGRAPH),
            PayloadSchema::Record(&ObjectSchema {
                fields: &[
                    FieldSchema::optional("text", &["summary", "content"], PayloadSchema::Text(PARAGRAPH)),
                    FieldSchema::optional(
                        "points",
                        &["bullets", "items", "keypoints", "key_points"],
                        OPTIONAL_WORDS,
                    ),
                ],
                list: Some("points"),
            }),
        ]),
        example: r#"{"type": "summary", "data": {"text": "In short", "points": ["first", "second"]}}"#,
        reads: as_object,
    },
    WidgetKind {
        name: "compare",
        called: "comparison",
        also: &["comparison", "versus", "vs", "proscons", "prosandcons"],
        schema: PayloadSchema::Either(&[
            PayloadSchema::Record(&ObjectSchema {
                fields: &[FieldSchema::required(
                    "items",
                    &["options"],
                    PayloadSchema::List { of: &CONTENDER, least: 1, most: 50 },
                )],
                list: Some("items"),
            }),
            PayloadSchema::Record(&ObjectSchema {
                fields: &[
                    FieldSchema::required(
                        "columns",
                        &["headers"],
                        PayloadSchema::List { of: &PayloadSchema::Text(LABEL), least: 1, most: 50 },
                    ),
                    FieldSchema::required(
                        "rows",
                        &[],
                        PayloadSchema::List { of: &ASPECT, least: 1, most: 200 },
                    ),
                ],
                list: None,
            }),
        ]),
        example: r#"{"type": "compare", "data": {"items": [{"name": "Tea", "pros": ["calm"], "cons": ["slow"]}]}}"#,
        reads: table::aspects,
    },
    WidgetKind {
        name: "timeline",
        called: "timeline",
        also: &["history", "chronology"],
        schema: PayloadSchema::List { of: &MOMENT, least: 1, most: 200 },
        example: r#"{"type": "timeline", "data": [{"when": "1969", "title": "First steps on the moon"}]}"#,
        reads: as_given,
    },
    WidgetKind {
        name: "formula",
        called: "formula",
        also: &["equation", "latex", "math", "maths"],
        schema: PayloadSchema::Either(&[
            PayloadSchema::Text(PARAGRAPH),
            PayloadSchema::Record(&ObjectSchema {
                fields: &[
                    FieldSchema::required(
                        "latex",
                        &["formula", "equation", "tex"],
                        PayloadSchema::Text(PARAGRAPH),
                    ),
                    FieldSchema::optional(
                        "text",
                        &["description", "explanation"],
                        PayloadSchema::Text(PARAGRAPH),
                    ),
                    FieldSchema::optional(
                        "variables",
                        &["symbols", "where"],
                        PayloadSchema::List { of: &VARIABLE, least: 0, most: 50 },
                    ),
                ],
                list: None,
            }),
        ]),
        example: r#"{"type": "formula", "data": "E = mc^2"}"#,
        reads: as_object,
    },
    WidgetKind {
        name: "tabs",
        called: "set of tabs",
        also: &["tab", "sections"],
        schema: PayloadSchema::List { of: &TAB, least: 1, most: 30 },
        example: r#"{"type": "tabs", "data": [{"title": "Plan", "text": "We **begin** early."}]}"#,
        reads: as_given,
    },
    WidgetKind {
        name: "flashcards",
        called: "set of flashcards",
        also: &["flashcard", "cards", "quiz", "vocabulary"],
        schema: PayloadSchema::List { of: &CARD, least: 1, most: 500 },
        example: r#"{"type": "flashcards", "data": [{"front": "la lune", "back": "the moon"}]}"#,
        reads: as_given,
    },
    WidgetKind {
        name: "checklist",
        called: "checklist",
        also: &["todo", "todos", "todolist", "tasks", "tasklist", "check", "shoppinglist"],
        schema: PayloadSchema::List { of: &TASK, least: 1, most: 500 },
        example: r#"{"type": "checklist", "data": ["Passport", {"text": "Tickets", "done": true}]}"#,
        reads: as_given,
    },
    WidgetKind {
        name: "table",
        called: "table",
        also: &["grid", "spreadsheet", "datatable", "dataframe"],
        schema: PayloadSchema::Either(&[
            PayloadSchema::Record(&ObjectSchema {
                fields: &[
                    FieldSchema::required(
                        "columns",
                        &["headers", "header"],
                        PayloadSchema::List { of: &PayloadSchema::Text(LABEL), least: 1, most: 50 },
                    ),
                    FieldSchema::required(
                        "rows",
                        &["data"],
                        PayloadSchema::List { of: &CELLS, least: 0, most: 1_000 },
                    ),
                ],
                list: None,
            }),
            PayloadSchema::List { of: &ROW, least: 1, most: 1_000 },
        ]),
        example: r#"{"type": "table", "data": {"columns": ["Moon", "km"], "rows": [["Io", 3643]]}}"#,
        reads: table::rows,
    },
    WidgetKind {
        name: "chart",
        called: "chart",
        also: &["graph", "plot", "linechart", "barchart", "piechart", "areachart", "scatterplot", "diagram"],
        schema: PayloadSchema::Record(&ObjectSchema {
            fields: &[
                FieldSchema::optional(
                    "kind",
                    &["type", "chart", "chartType", "chart_type"],
                    PayloadSchema::Choice(chart::KINDS),
                ),
                FieldSchema::optional(
                    "x",
                    &["labels", "categories"],
                    PayloadSchema::List { of: &PayloadSchema::Cell, least: 0, most: 5_000 },
                ),
                FieldSchema::required(
                    "series",
                    &["datasets", "lines"],
                    PayloadSchema::List { of: &SERIES, least: 1, most: 20 },
                ),
                FieldSchema::optional("unit", &["units"], PayloadSchema::Text(LABEL)),
                FieldSchema::optional("xLabel", &["x_label", "xlabel"], PayloadSchema::Text(LABEL)),
                FieldSchema::optional("yLabel", &["y_label", "ylabel"], PayloadSchema::Text(LABEL)),
            ],
            list: None,
        }),
        example: r#"{"type": "chart", "data": {"kind": "bar", "x": ["Mon", "Tue"], "series": [{"name": "km", "values": [3, 5]}]}}"#,
        reads: chart::read,
    },
    WidgetKind {
        name: "emails",
        called: "list of emails",
        also: &["email", "mail", "mails", "inbox"],
        schema: PayloadSchema::List { of: &EMAIL, least: 1, most: 100 },
        example: r#"{"type": "emails", "data": [{"from": "Ada", "subject": "Tea", "text": "At four?"}]}"#,
        reads: as_given,
    },
    WidgetKind {
        name: "interactive",
        called: "little app",
        also: &["html", "app", "artifact", "webpage", "game"],
        schema: PayloadSchema::Either(&[
            PayloadSchema::Text(SOURCE),
            PayloadSchema::Record(&ObjectSchema {
                fields: &[
                    FieldSchema::required("html", &["content", "body", "code"], PayloadSchema::Text(SOURCE)),
                    FieldSchema::optional("css", &["style"], PayloadSchema::Text(SOURCE)),
                    FieldSchema::optional("js", &["script", "javascript"], PayloadSchema::Text(SOURCE)),
                ],
                list: None,
            }),
        ]),
        example: r#"{"type": "interactive", "data": {"html": "<button>Hello</button>", "js": "…"}}"#,
        reads: as_object,
    },
    WidgetKind {
        name: "model3d",
        called: "3D model",
        also: &["3d", "model", "scene", "3dmodel", "scene3d"],
        schema: PayloadSchema::Record(&MODEL),
        example: r#"{"type": "model3d", "data": {"shapes": [{"kind": "box", "color": "red"}]}}"#,
        reads: super::super::scene::shapes::read,
    },
];

fn as_given(data: Value) -> Value {
    data
}

/// Parses an object that was given as text.
fn as_object(data: Value) -> Value {
    unpacked(data, '{')
}
