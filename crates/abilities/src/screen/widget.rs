use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tools::{Effect, Invocation, Tool, ToolDefinition, ToolError, ToolOutput};

use super::payload::{repair_title, shown};
use super::scene::ShapeGenerator;
use crate::TextGenerator;

mod chart;
mod kinds;
mod table;

use kinds::{KINDS, WidgetKind, kind_named};

/// The `widget` tool, which shows steps, tables, charts, cards and the like.
pub struct WidgetTool {
    spec: ToolDefinition,
    shape_generator: ShapeGenerator,
}

/// Names that models use for the list that belongs into `data`.
const LISTS: [&str; 12] = [
    "items",
    "steps",
    "cards",
    "flashcards",
    "list",
    "tasks",
    "events",
    "entries",
    "content",
    "tabs",
    "emails",
    "value",
];

/// Words in requests that suggest a widget.
const ASKED_BY: [&str; 12] = [
    "chart",
    "graph",
    "table",
    "timeline",
    "flashcards",
    "checklist",
    "tabs",
    "formula",
    "quiz",
    "diagram",
    "widget",
    "side by side",
];

impl WidgetTool {
    pub fn new(generator: Arc<dyn TextGenerator>) -> Result<Self, String> {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        let parameters = json!({
            "type": "object",
            "properties": {
                "type": {"type": "string", "description": format!("One of {}", names.join(", "))},
                "title": {"type": "string", "description": "Heading"},
                "data": {
                    "type": ["array", "object", "string"],
                    "description": "steps, checklist: [text]. flashcards: [{front, back}]. \
                        timeline: [{when, title, text}]. tabs: [{title, text}]. table: {columns, rows: [[cell]]}. \
                        chart: {kind: line|bar|area|scatter|pie, x: [label], series: [{name, values}]}. \
                        compare: {items: [{name, pros, cons}]}. summary: {text, points}. formula: LaTeX. \
                        emails: [{from, subject, text}]. interactive: HTML. model3d: {shapes} as in scene",
                },
            },
            // Not required in the schema: calls that name the list differently are understood too.
            "x-pipe": ["data"],
        });
        let about = "Shows something well laid out on the screen: steps, a table, a chart, flashcards, a checklist \
            and more.";
        let mut spec = ToolDefinition::new("widget", about, parameters)?;
        spec.effects = vec![Effect::Shows];
        spec.asked_by = ASKED_BY.map(str::to_owned).to_vec();
        spec.tags = vec!["WIDGET".to_owned()];
        spec.time_limit = super::scene::TIME_LIMIT;
        Ok(Self { spec, shape_generator: ShapeGenerator::new(generator) })
    }
}

#[async_trait]
impl Tool for WidgetTool {
    fn spec(&self) -> &ToolDefinition {
        &self.spec
    }

    /// An interactive page in a frame is a program. No browser can fully stop one from sending data out, if only
    /// through DNS lookups.
    fn effects(&self, arguments: &Map<String, Value>) -> Vec<Effect> {
        let mut effects = self.spec.effects.clone();
        if is_program(arguments.clone()) {
            effects.push(Effect::SendsOut);
        }
        effects
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
        let mut payload = invocation.arguments;
        let given = payload.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        let data = take_data(&mut payload);
        let (kind, data) = if given.trim().is_empty() {
            let data = data.ok_or_else(|| refused(&KINDS[0], "data is missing"))?;
            guess(&data)?
        } else {
            let kind = kind_named(&given).ok_or_else(|| unknown(&given))?;
            let data = data.ok_or_else(|| refused(kind, "data is missing"))?;
            let data = match (kind.name, prompt_in(&data)) {
                ("model3d", Some(prompt)) => self.shape_generator.shapes(&prompt, &invocation.cancel).await?,
                _ => kind.repair(data).map_err(|fault| refused(kind, fault))?,
            };
            (kind, data)
        };
        let mut whole = Map::from_iter([("type".to_owned(), Value::from(kind.name))]);
        payload.shift_remove("type");
        whole.extend(payload);
        repair_title(&mut whole);
        whole.insert("data".into(), data);
        shown("widget", whole, format!("The {} is on the screen.", kind.called))
    }
}

fn is_program(mut payload: Map<String, Value>) -> bool {
    let given = payload.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let kind = if given.trim().is_empty() {
        take_data(&mut payload).and_then(|data| guess(&data).ok()).map(|(kind, _)| kind)
    } else {
        kind_named(&given)
    };
    kind.is_some_and(|kind| kind.name == "interactive")
}

/// Takes the data to show, whatever it is named.
fn take_data(payload: &mut Map<String, Value>) -> Option<Value> {
    if let Some(data) = payload.shift_remove("data").filter(|data| !data.is_null()) {
        return Some(data);
    }
    let rest: Vec<String> =
        payload.keys().filter(|name| !matches!(name.as_str(), "type" | "title")).cloned().collect();
    match rest.as_slice() {
        [] => None,
        [only] if LISTS.contains(&only.as_str()) => payload.shift_remove(only),
        several => {
            let fields = several.iter().filter_map(|name| Some((name.clone(), payload.shift_remove(name)?)));
            Some(Value::Object(fields.collect()))
        }
    }
}

/// Guesses the kind of data without a type: steps if they fit, otherwise the first kind that does.
fn guess(data: &Value) -> Result<(&'static WidgetKind, Value), ToolError> {
    let steps = match KINDS[0].repair(data.clone()) {
        Ok(repaired) => return Ok((&KINDS[0], repaired)),
        Err(fault) => refused(&KINDS[0], fault),
    };
    KINDS.iter().find_map(|kind| Some((kind, kind.repair(data.clone()).ok()?))).ok_or(steps)
}

/// Returns the description of a 3D model that was given in words.
fn prompt_in(data: &Value) -> Option<String> {
    let prompt = match data {
        Value::String(prompt) if !prompt.trim_start().starts_with(['{', '[']) => prompt,
        Value::Object(fields) if !fields.contains_key("shapes") => fields.get("prompt")?.as_str()?,
        _ => return None,
    };
    Some(prompt.to_owned())
}

fn unknown(name: &str) -> ToolError {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    let name: String = name.chars().take(40).collect();
    ToolError::Impossible(format!(
        "There is no widget of the type “{name}”. Take one of {}. For example: {}",
        names.join(", "),
        KINDS[0].example
    ))
}

fn refused(kind: &WidgetKind, fault: impl std::fmt::Display) -> ToolError {
    ToolError::Impossible(format!(
        "The {} cannot be shown: {fault}. It looks like this: {}",
        kind.called, kind.example
    ))
}

#[cfg(test)]
#[path = "widget_tests.rs"]
mod tests;
