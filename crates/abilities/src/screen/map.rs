use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tools::{Effect, Invocation, Tool, ToolDefinition, ToolError, ToolOutput};

use crate::CurrentConfig;

use super::cities;
use super::payload::{repair_title, shown};
use super::payload_schema::unpacked;

/// The `map` tool, which shows a place, markers and a route.
pub struct MapTool {
    spec: ToolDefinition,
    settings: CurrentConfig,
}

const MOST_MARKERS: usize = 500;
const MOST_POINTS: usize = 5_000;
const LONGEST_LABEL: usize = 200;
const MOST_ZOOM: f64 = 20.0;
const EXAMPLE: &str =
    r#"{"lat": 48.86, "lon": 2.35, "zoom": 10, "markers": [{"lat": 48.86, "lon": 2.35, "label": "Paris"}]}"#;

const LATITUDES: [&str; 3] = ["lat", "latitude", "y"];
const LONGITUDES: [&str; 5] = ["lon", "lng", "long", "longitude", "x"];
const PLACES: [&str; 4] = ["place", "location", "city", "query"];

impl MapTool {
    pub fn new(settings: CurrentConfig) -> Result<Self, String> {
        let parameters = json!({
            "type": "object",
            "properties": {
                "lat": {"type": "number", "description": "Latitude of the middle, -90 to 90"},
                "lon": {"type": "number", "description": "Longitude, -180 to 180"},
                "place": {"type": "string", "description": "A large city instead of lat and lon"},
                "zoom": {"type": "number", "description": "0 world, 10 city, 18 street"},
                "title": {"type": "string", "description": "Heading"},
                "markers": {"type": "array", "description": "[{lat, lon, label}]"},
                "route": {"type": "array", "description": "[[lat, lon], …]"},
            },
        });
        let mut spec = ToolDefinition::new("map", "Shows a map, with markers and a route.", parameters)?;
        spec.effects = vec![Effect::Shows];
        spec.asked_by = ["map", "directions", "route"].map(str::to_owned).to_vec();
        spec.tags = vec!["MAP".to_owned()];
        Ok(Self { spec, settings })
    }
}

#[async_trait]
impl Tool for MapTool {
    fn spec(&self) -> &ToolDefinition {
        &self.spec
    }

    /// Tiles are requested by coordinates, so the choice of a place can leak information.
    fn effects(&self, _: &Map<String, Value>) -> Vec<Effect> {
        let sends = (self.settings)().map.online.then_some(Effect::SendsOut);
        self.spec.effects.iter().copied().chain(sends).collect()
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
        let payload = repair(invocation.arguments).map_err(|fault| {
            ToolError::Impossible(format!("The map cannot be shown: {fault}. It looks like this: {EXAMPLE}"))
        })?;
        shown("map", payload, "The map is on the screen.".to_owned())
    }
}

fn repair(mut payload: Map<String, Value>) -> Result<Map<String, Value>, String> {
    repair_title(&mut payload);
    let markers = repaired_list(&mut payload, "markers", MOST_MARKERS, |point| {
        let mut fields = match point {
            Value::Object(fields) => fields,
            other => Map::from_iter([("at".to_owned(), other)]),
        };
        let at = location_in(&mut fields)?.ok_or("lat and lon are missing")?;
        label(&mut fields);
        Ok((at, Value::Object(with_location(at, fields))))
    })?;
    let route = repaired_list(&mut payload, "route", MOST_POINTS, |point| match point {
        Value::Object(mut fields) => {
            let at = location_in(&mut fields)?.ok_or("lat and lon are missing")?;
            Ok((at, Value::Object(with_location(at, fields))))
        }
        other => {
            let at = pair(&other)?;
            Ok((at, json!([at.0, at.1])))
        }
    })?;
    let points: Vec<LatLon> = markers.into_iter().chain(route).collect();
    let middle = match location_in(&mut payload)? {
        Some(place) => place,
        None => middle_of(&points).ok_or("lat and lon are missing")?,
    };
    let mut payload = with_location(middle, payload);
    if let Some(zoom) = payload.get("zoom") {
        match number(zoom) {
            Some(zoom) if (0.0..=MOST_ZOOM).contains(&zoom) => {}
            Some(zoom) => drop(payload.insert("zoom".into(), json!(zoom.clamp(0.0, MOST_ZOOM)))),
            None => drop(payload.shift_remove("zoom")),
        }
    }
    Ok(payload)
}

/// Latitude and longitude in degrees.
type LatLon = (f64, f64);

/// Corrects every element of a list and returns their places.
fn repaired_list(
    payload: &mut Map<String, Value>,
    name: &str,
    most: usize,
    repair: impl Fn(Value) -> Result<(LatLon, Value), String>,
) -> Result<Vec<LatLon>, String> {
    let Some(given) = payload.get_mut(name) else { return Ok(Vec::new()) };
    let values = match unpacked(given.take(), '[') {
        Value::Array(values) => values,
        Value::Null => {
            payload.shift_remove(name);
            return Ok(Vec::new());
        }
        single => vec![single],
    };
    if values.len() > most {
        return Err(format!("{name} has {} points, and {most} fit", values.len()));
    }
    let mut places = Vec::new();
    let mut repaired = Vec::new();
    for (number, value) in values.into_iter().enumerate() {
        let (place, value) =
            repair(value).map_err(|fault| format!("{name}, item {}, {fault}", number + 1))?;
        places.push(place);
        repaired.push(value);
    }
    payload.insert(name.to_owned(), Value::Array(repaired));
    Ok(places)
}

/// Returns the place in these fields, under any of the known names, and removes the fields it used.
fn location_in(fields: &mut Map<String, Value>) -> Result<Option<LatLon>, String> {
    let lat = take(fields, &LATITUDES);
    let lon = take(fields, &LONGITUDES);
    match (lat, lon) {
        (Some(lat), Some(lon)) => return checked(&lat, &lon).map(Some),
        (Some(_), None) => return Err("lon is missing".to_owned()),
        (None, Some(_)) => return Err("lat is missing".to_owned()),
        (None, None) => {}
    }
    for name in ["at", "center", "centre", "position", "coordinates"] {
        match fields.shift_remove(name) {
            Some(Value::Object(mut inner)) => return location_in(&mut inner),
            Some(Value::Null) | None => {}
            Some(value) => return pair(&value).map(Some),
        }
    }
    // The name stays in the payload, since it tells what is meant.
    let place = PLACES.iter().find_map(|name| fields.get(*name)).and_then(Value::as_str).map(str::trim);
    match place.filter(|place| !place.is_empty()) {
        Some(place) => cities::find(place).map(Some).ok_or_else(|| {
            let place: String = place.chars().take(60).collect();
            format!("I do not know where “{place}” is; give lat and lon")
        }),
        None => Ok(None),
    }
}

fn take(fields: &mut Map<String, Value>, names: &[&str]) -> Option<Value> {
    names.iter().find_map(|name| fields.shift_remove(*name)).filter(|value| !value.is_null())
}

/// Parses `[lat, lon]`, `lat, lon` as text, or the name of a city.
fn pair(value: &Value) -> Result<LatLon, String> {
    match value {
        Value::Array(values) => match values.as_slice() {
            [lat, lon, ..] => checked(lat, lon),
            _ => Err("should be [lat, lon]".to_owned()),
        },
        Value::String(text) => match text.split_once(',') {
            Some((lat, lon)) if number(&json!(lat)).is_some() => checked(&json!(lat), &json!(lon)),
            _ => cities::find(text).ok_or_else(|| "should be [lat, lon]".to_owned()),
        },
        _ => Err("should be [lat, lon]".to_owned()),
    }
}

fn checked(lat: &Value, lon: &Value) -> Result<LatLon, String> {
    let lat = number(lat).ok_or("lat should be a number")?;
    let lon = number(lon).ok_or("lon should be a number")?;
    if !(-90.0..=90.0).contains(&lat) {
        let hint = if (-90.0..=90.0).contains(&lon) { ", and the latitude comes first" } else { "" };
        return Err(format!("lat should be between -90 and 90{hint}"));
    }
    if !(-180.0..=180.0).contains(&lon) {
        return Err("lon should be between -180 and 180".to_owned());
    }
    Ok((lat, lon))
}

/// Parses a number, also in the form `48.9° N`.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => {
            let text = text.trim();
            let sign = if text.ends_with(['S', 's', 'W', 'w']) { -1.0 } else { 1.0 };
            let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ' || c == '°');
            sign * digits.parse::<f64>().ok()?
        }
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// Returns the centre of all places shown.
fn middle_of(places: &[LatLon]) -> Option<LatLon> {
    let middle = |of: fn(&LatLon) -> f64| {
        let least = places.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = places.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        f64::midpoint(least, most)
    };
    (!places.is_empty()).then(|| (middle(|place| place.0), middle(|place| place.1)))
}

/// Puts the coordinates before the other fields.
fn with_location((lat, lon): LatLon, fields: Map<String, Value>) -> Map<String, Value> {
    let mut whole = Map::from_iter([("lat".to_owned(), json!(lat)), ("lon".to_owned(), json!(lon))]);
    whole.extend(fields);
    whole
}

fn label(fields: &mut Map<String, Value>) {
    let given = ["label", "name", "title", "text"]
        .iter()
        .find_map(|name| fields.get(*name).and_then(Value::as_str).map(str::to_owned));
    let given = given.or_else(|| Some(fields.get("place")?.as_str()?.to_owned()));
    let given = given.map(|text| text.chars().take(LONGEST_LABEL).collect::<String>());
    match given {
        Some(text) => drop(fields.insert("label".into(), text.into())),
        None => drop(fields.shift_remove("label")),
    }
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
