//! Reads and writes shapes in payloads.

use serde_json::{Map, Value, json};

use super::super::payload_schema::{FieldSchema, ObjectSchema, PayloadSchema, unpacked};
use super::arrange::Solid;

const KINDS: &[(&str, &[&str])] = &[
    ("box", &["cube", "cuboid", "block", "brick", "rectangle", "square"]),
    ("sphere", &["ball", "globe", "orb", "ellipsoid", "circle"]),
    ("cylinder", &["tube", "disk", "disc", "pillar", "column", "rod", "capsule"]),
    ("cone", &["pyramid"]),
    ("torus", &["ring", "donut", "doughnut"]),
    ("plane", &["floor", "ground", "quad"]),
];
/// The most shapes that the web app draws.
pub const MOST_SHAPES: usize = 300;
/// The greatest coordinate or size; larger scenes cannot be viewed.
const FARTHEST: f64 = 10_000.0;
const SMALLEST: f64 = 0.001;

static SHAPE: PayloadSchema = PayloadSchema::Record(&ObjectSchema {
    fields: &[
        FieldSchema::required("kind", &["type", "shape", "geometry"], PayloadSchema::Choice(KINDS)),
        FieldSchema::optional(
            "position",
            &["pos", "at"],
            PayloadSchema::Triple { least: -FARTHEST, most: FARTHEST },
        ),
        FieldSchema::optional(
            "size",
            &["scale", "dimensions"],
            PayloadSchema::Either(&[
                PayloadSchema::Number { least: SMALLEST, most: FARTHEST },
                PayloadSchema::Triple { least: SMALLEST, most: FARTHEST },
            ]),
        ),
        FieldSchema::optional(
            "rotation",
            &["rotate"],
            PayloadSchema::Triple { least: -3_600.0, most: 3_600.0 },
        ),
        FieldSchema::optional("color", &["colour"], PayloadSchema::Colour),
        FieldSchema::optional("label", &["name", "text"], PayloadSchema::Text(120)),
    ],
    list: None,
});

/// The schema of a scene: `{shapes, turntable?}`.
pub static MODEL: ObjectSchema = ObjectSchema {
    fields: &[
        FieldSchema::required(
            "shapes",
            &["objects", "items"],
            PayloadSchema::List { of: &SHAPE, least: 1, most: MOST_SHAPES },
        ),
        FieldSchema::optional("turntable", &["rotating", "rotate", "spin"], PayloadSchema::Flag),
    ],
    list: Some("shapes"),
};

/// Converts sizes given as a radius, or as width, height and depth, to `size`.
pub fn read(model: Value) -> Value {
    let mut model = unpacked(unpacked(model, '{'), '[');
    let shapes = match &mut model {
        Value::Array(_) => Some(&mut model),
        Value::Object(fields) => ["shapes", "objects", "items"]
            .into_iter()
            .find(|name| fields.contains_key(*name))
            .and_then(|name| {
                let shapes = fields.get_mut(name)?;
                *shapes = unpacked(shapes.take(), '[');
                Some(shapes)
            }),
        _ => None,
    };
    match shapes {
        Some(Value::Array(shapes)) => shapes.iter_mut().for_each(read_size),
        Some(only) => read_size(only),
        None => {}
    }
    model
}

fn read_size(shape: &mut Value) {
    let Value::Object(fields) = shape else { return };
    if ["size", "scale", "dimensions"].iter().any(|name| fields.contains_key(*name)) {
        return;
    }
    let mut take = |name: &str| fields.shift_remove(name).and_then(|value| value.as_f64());
    let (radius, height) = (take("radius"), take("height"));
    let (width, depth) = (take("width"), take("depth").or_else(|| take("length")));
    let round = radius.map(|radius| radius * 2.0);
    let known = [width.or(round), height.or(round), depth.or(round)];
    let any = known.into_iter().flatten().next();
    if let Some(any) = any {
        let size = known.map(|side| side.unwrap_or(any));
        fields.insert("size".into(), json!(size));
    }
}

/// Converts solids to the shapes of a payload.
pub fn written(solids: &[Solid]) -> Value {
    solids.iter().map(write).collect()
}

fn write(solid: &Solid) -> Value {
    let mut shape = Map::from_iter([
        ("kind".to_owned(), Value::from(solid.kind)),
        ("position".to_owned(), json!(solid.at.map(rounded))),
        ("size".to_owned(), json!(solid.size.map(rounded))),
    ]);
    if solid.turn.iter().any(|degrees| degrees.abs() > 0.0) {
        shape.insert("rotation".into(), json!(solid.turn.map(rounded)));
    }
    shape.insert("color".into(), Value::from(solid.colour));
    if let Some(label) = solid.label {
        shape.insert("label".into(), Value::from(label));
    }
    Value::Object(shape)
}

fn rounded(number: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * 1_000.0).round() / 1_000.0 + 0.0
}

/// Returns the schema for the model's answer to a scene request.
pub fn schema() -> Value {
    let kinds: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
    let triple = json!({"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3});
    json!({
        "type": "object",
        "properties": {
            "shapes": {
                "type": "array",
                "minItems": 1,
                "maxItems": 40,
                "items": {
                    "type": "object",
                    "properties": {
                        "kind": {"enum": kinds},
                        "position": triple,
                        "size": triple,
                        "rotation": triple,
                        "color": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
                        "label": {"type": "string", "maxLength": 40},
                    },
                    "required": ["kind", "position", "size", "color"],
                    "additionalProperties": false,
                },
            },
            "turntable": {"type": "boolean"},
        },
        "required": ["shapes"],
        "additionalProperties": false,
    })
}
