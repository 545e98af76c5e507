//! The kinds of widgets, each with its form and an example.

use serde_json::Value;

use super::super::form::{Fault, Field, Form, Record, unpacked};
use super::super::scene::shapes::MODEL;
use super::{chart, table};

pub struct Kind {
    pub name: &'static str,
    /// The name used in a sentence.
    pub called: &'static str,
    /// Other names that models use.
    also: &'static [&'static str],
    form: Form,
    pub example: &'static str,
    /// Converts other unambiguous notations before the form is applied.
    reads: fn(Value) -> Value,
}

impl Kind {
    pub fn mend(&self, data: Value) -> Result<Value, Fault> {
        self.form.mend((self.reads)(data))
    }
}

/// Finds a kind by its name in any spelling: `Flash cards`, `To-do`, `bar_chart`.
pub fn kind_named(name: &str) -> Option<&'static Kind> {
    let name: String =
        name.chars().filter(|c| c.is_alphanumeric()).take(40).collect::<String>().to_lowercase();
    KINDS.iter().find(|kind| kind.name == name || kind.also.contains(&name.as_str()))
}

const LABEL: usize = 500;
const PARAGRAPH: usize = 20_000;
const SOURCE: usize = 200_000;

static CELLS: Form = Form::List { of: &Form::Cell, least: 0, most: 50 };
const OPTIONAL_WORDS: Form = Form::List { of: &Form::Text(2_000), least: 0, most: 100 };

static STEP: Form = Form::Either(&[
    Form::Text(PARAGRAPH),
    Form::Record(&Record {
        fields: &[
            // A step with only a text uses it as the title.
            Field::required(
                "title",
                &["name", "step", "label", "text", "content", "description"],
                Form::Text(2_000),
            ),
            Field::optional("text", &["description", "detail", "details", "content"], Form::Text(PARAGRAPH)),
            Field::optional("done", &["checked", "completed"], Form::Flag),
        ],
        list: None,
    }),
]);

static TASK: Form = Form::Either(&[
    Form::Text(LABEL),
    Form::Record(&Record {
        fields: &[
            Field::required("text", &["title", "name", "item", "task", "label"], Form::Text(LABEL)),
            Field::optional("done", &["checked", "completed"], Form::Flag),
        ],
        list: None,
    }),
]);

static MOMENT: Form = Form::Record(&Record {
    fields: &[
        Field::required("when", &["date", "time", "year"], Form::Text(LABEL)),
        Field::required("title", &["event", "name", "label"], Form::Text(LABEL)),
        Field::optional("text", &["description", "detail", "details", "content"], Form::Text(PARAGRAPH)),
    ],
    list: None,
});

static TAB: Form = Form::Record(&Record {
    fields: &[
        Field::required("title", &["name", "label", "tab"], Form::Text(LABEL)),
        Field::required("text", &["content", "body", "markdown", "data"], Form::Text(PARAGRAPH)),
    ],
    list: None,
});

static CARD: Form = Form::Record(&Record {
    fields: &[
        Field::required("front", &["question", "q", "term", "word"], Form::Text(PARAGRAPH)),
        Field::required("back", &["answer", "a", "definition", "meaning"], Form::Text(PARAGRAPH)),
    ],
    list: None,
});

static EMAIL: Form = Form::Record(&Record {
    fields: &[
        Field::required("from", &["sender"], Form::Text(LABEL)),
        Field::optional("to", &["recipient"], Form::Text(2_000)),
        Field::required("subject", &["title"], Form::Text(LABEL)),
        Field::optional("date", &["when", "time"], Form::Text(LABEL)),
        Field::required("text", &["body", "content", "message"], Form::Text(PARAGRAPH)),
    ],
    list: None,
});

static CONTENDER: Form = Form::Record(&Record {
    fields: &[
        Field::required("name", &["title", "label", "item"], Form::Text(LABEL)),
        Field::optional("points", &["features", "facts"], OPTIONAL_WORDS),
        Field::optional("pros", &["advantages"], OPTIONAL_WORDS),
        Field::optional("cons", &["disadvantages"], OPTIONAL_WORDS),
    ],
    list: None,
});

static ASPECT: Form = Form::Record(&Record {
    fields: &[
        Field::required("label", &["name", "title", "aspect"], Form::Text(LABEL)),
        Field::required("values", &["cells", "data"], Form::List { of: &Form::Cell, least: 0, most: 50 }),
    ],
    list: None,
});

static VARIABLE: Form = Form::Record(&Record {
    fields: &[
        Field::required("name", &["symbol", "variable"], Form::Text(LABEL)),
        Field::required("meaning", &["description", "text", "definition"], Form::Text(LABEL)),
    ],
    list: None,
});

static SERIES: Form = Form::Record(&Record {
    fields: &[
        Field::optional("name", &["label", "title"], Form::Text(LABEL)),
        Field::required(
            "values",
            &["data", "y", "points"],
            Form::List { of: &Form::NumberOrGap, least: 1, most: 5_000 },
        ),
    ],
    list: Some("values"),
});

static ROW: Form = Form::Named { of: &Form::Cell, most: 50 };

pub static KINDS: [Kind; 13] = [
    Kind {
        name: "steps",
        called: "list of steps",
        also: &["step", "list", "instructions", "guide", "howto", "recipe", "plan"],
        form: Form::List { of: &STEP, least: 1, most: 200 },
        example: r#"{"type": "steps", "data": ["Boil water", "Add the tea"]}"#,
        reads: as_given,
    },
    Kind {
        name: "summary",
        called: "summary",
        also: &["overview", "keypoints", "note", "text"],
        form: Form::Either(&[
            Form::Text(PARAGRAPH),
            Form::Record(&Record {
                fields: &[
                    Field::optional("text", &["summary", "content"], Form::Text(PARAGRAPH)),
                    Field::optional(
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
    Kind {
        name: "compare",
        called: "comparison",
        also: &["comparison", "versus", "vs", "proscons", "prosandcons"],
        form: Form::Either(&[
            Form::Record(&Record {
                fields: &[Field::required(
                    "items",
                    &["options"],
                    Form::List { of: &CONTENDER, least: 1, most: 50 },
                )],
                list: Some("items"),
            }),
            Form::Record(&Record {
                fields: &[
                    Field::required(
                        "columns",
                        &["headers"],
                        Form::List { of: &Form::Text(LABEL), least: 1, most: 50 },
                    ),
                    Field::required("rows", &[], Form::List { of: &ASPECT, least: 1, most: 200 }),
                ],
                list: None,
            }),
        ]),
        example: r#"{"type": "compare", "data": {"items": [{"name": "Tea", "pros": ["calm"], "cons": ["slow"]}]}}"#,
        reads: table::aspects,
    },
    Kind {
        name: "timeline",
        called: "timeline",
        also: &["history", "chronology"],
        form: Form::List { of: &MOMENT, least: 1, most: 200 },
        example: r#"{"type": "timeline", "data": [{"when": "1969", "title": "First steps on the moon"}]}"#,
        reads: as_given,
    },
    Kind {
        name: "formula",
        called: "formula",
        also: &["equation", "latex", "math", "maths"],
        form: Form::Either(&[
            Form::Text(PARAGRAPH),
            Form::Record(&Record {
                fields: &[
                    Field::required("latex", &["formula", "equation", "tex"], Form::Text(PARAGRAPH)),
                    Field::optional("text", &["description", "explanation"], Form::Text(PARAGRAPH)),
                    Field::optional(
                        "variables",
                        &["symbols", "where"],
                        Form::List { of: &VARIABLE, least: 0, most: 50 },
                    ),
                ],
                list: None,
            }),
        ]),
        example: r#"{"type": "formula", "data": "E = mc^2"}"#,
        reads: as_object,
    },
    Kind {
        name: "tabs",
        called: "set of tabs",
        also: &["tab", "sections"],
        form: Form::List { of: &TAB, least: 1, most: 30 },
        example: r#"{"type": "tabs", "data": [{"title": "Plan", "text": "We **begin** early."}]}"#,
        reads: as_given,
    },
    Kind {
        name: "flashcards",
        called: "set of flashcards",
        also: &["flashcard", "cards", "quiz", "vocabulary"],
        form: Form::List { of: &CARD, least: 1, most: 500 },
        example: r#"{"type": "flashcards", "data": [{"front": "la lune", "back": "the moon"}]}"#,
        reads: as_given,
    },
    Kind {
        name: "checklist",
        called: "checklist",
        also: &["todo", "todos", "todolist", "tasks", "tasklist", "check", "shoppinglist"],
        form: Form::List { of: &TASK, least: 1, most: 500 },
        example: r#"{"type": "checklist", "data": ["Passport", {"text": "Tickets", "done": true}]}"#,
        reads: as_given,
    },
    Kind {
        name: "table",
        called: "table",
        also: &["grid", "spreadsheet", "datatable", "dataframe"],
        form: Form::Either(&[
            Form::Record(&Record {
                fields: &[
                    Field::required(
                        "columns",
                        &["headers", "header"],
                        Form::List { of: &Form::Text(LABEL), least: 1, most: 50 },
                    ),
                    Field::required("rows", &["data"], Form::List { of: &CELLS, least: 0, most: 1_000 }),
                ],
                list: None,
            }),
            Form::List { of: &ROW, least: 1, most: 1_000 },
        ]),
        example: r#"{"type": "table", "data": {"columns": ["Moon", "km"], "rows": [["Io", 3643]]}}"#,
        reads: table::rows,
    },
    Kind {
        name: "chart",
        called: "chart",
        also: &["graph", "plot", "linechart", "barchart", "piechart", "areachart", "scatterplot", "diagram"],
        form: Form::Record(&Record {
            fields: &[
                Field::optional(
                    "kind",
                    &["type", "chart", "chartType", "chart_type"],
                    Form::Choice(chart::KINDS),
                ),
                Field::optional(
                    "x",
                    &["labels", "categories"],
                    Form::List { of: &Form::Cell, least: 0, most: 5_000 },
                ),
                Field::required(
                    "series",
                    &["datasets", "lines"],
                    Form::List { of: &SERIES, least: 1, most: 20 },
                ),
                Field::optional("unit", &["units"], Form::Text(LABEL)),
                Field::optional("xLabel", &["x_label", "xlabel"], Form::Text(LABEL)),
                Field::optional("yLabel", &["y_label", "ylabel"], Form::Text(LABEL)),
            ],
            list: None,
        }),
        example: r#"{"type": "chart", "data": {"kind": "bar", "x": ["Mon", "Tue"], "series": [{"name": "km", "values": [3, 5]}]}}"#,
        reads: chart::read,
    },
    Kind {
        name: "emails",
        called: "list of emails",
        also: &["email", "mail", "mails", "inbox"],
        form: Form::List { of: &EMAIL, least: 1, most: 100 },
        example: r#"{"type": "emails", "data": [{"from": "Ada", "subject": "Tea", "text": "At four?"}]}"#,
        reads: as_given,
    },
    Kind {
        name: "interactive",
        called: "little app",
        also: &["html", "app", "artifact", "webpage", "game"],
        form: Form::Either(&[
            Form::Text(SOURCE),
            Form::Record(&Record {
                fields: &[
                    Field::required("html", &["content", "body", "code"], Form::Text(SOURCE)),
                    Field::optional("css", &["style"], Form::Text(SOURCE)),
                    Field::optional("js", &["script", "javascript"], Form::Text(SOURCE)),
                ],
                list: None,
            }),
        ]),
        example: r#"{"type": "interactive", "data": {"html": "<button>Hello</button>", "js": "…"}}"#,
        reads: as_object,
    },
    Kind {
        name: "model3d",
        called: "3D model",
        also: &["3d", "model", "scene", "3dmodel", "scene3d"],
        form: Form::Record(&MODEL),
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
