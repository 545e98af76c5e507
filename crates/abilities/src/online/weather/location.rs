use reqwest::{Method, Url};
use serde_json::Value;
use tools::ToolError;

use super::open_meteo::asked;
use crate::online::readable::one_line;
use crate::online::service::{ServiceClient, with_path};

/// The longest place name, in characters. Names come from a public register that anyone can edit, so none reaches the
/// model.
const LONGEST_NAME: usize = 80;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Location {
    /// The name for the screen.
    pub name: String,
    /// The name as requested, with the two-letter country code.
    pub asked_for: String,
    pub latitude: f64,
    pub longitude: f64,
}

/// Finds a place by its name. Details after a comma choose among places of the same name.
pub(super) async fn find(service: &ServiceClient, base: &Url, wanted: &str) -> Result<Location, ToolError> {
    let (name, details) = wanted.split_once(',').unwrap_or((wanted, ""));
    let unknown = || {
        ToolError::Impossible(format!(
            "No place named {} is known. Try the name of a town nearby.",
            short(wanted)
        ))
    };
    if name.trim().is_empty() {
        return Err(unknown());
    }
    let request = service.request(Method::GET, with_path(base, "/v1/search")).query(&[
        ("name", name.trim()),
        ("count", "10"),
        ("language", "en"),
        ("format", "json"),
    ]);
    let answer = asked(service, request).await?;
    let found = answer["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    chosen(found, details).and_then(|place| read(place, wanted)).ok_or_else(unknown)
}

/// Returns the first place that matches all details, else the first one, which is the largest.
fn chosen<'a>(found: &'a [Value], details: &str) -> Option<&'a Value> {
    let details: Vec<String> = details
        .split(',')
        .map(|detail| detail.trim().to_lowercase())
        .filter(|detail| !detail.is_empty())
        .collect();
    let fits = |place: &&Value| {
        let parts = ["country", "country_code", "admin1", "admin2"]
            .map(|key| place[key].as_str().unwrap_or_default());
        details.iter().all(|detail| {
            parts.iter().any(|part| part.to_lowercase() == *detail) || is_short_for(detail, parts[1])
        })
    };
    found.iter().find(fits).or_else(|| found.first())
}

fn is_short_for(detail: &str, code: &str) -> bool {
    matches!((detail, code), ("uk" | "england", "GB") | ("usa" | "america", "US"))
}

fn short(name: &str) -> String {
    one_line(name).chars().take(LONGEST_NAME).collect()
}

fn read(place: &Value, wanted: &str) -> Option<Location> {
    let (latitude, longitude) = (place["latitude"].as_f64()?, place["longitude"].as_f64()?);
    if !(-90.0..=90.0).contains(&latitude) || !(-180.0..=180.0).contains(&longitude) {
        return None;
    }
    let parts = ["name", "admin1", "country"].map(|key| one_line(place[key].as_str().unwrap_or_default()));
    let mut names: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    names.dedup();
    let asked_for = match place["country_code"].as_str() {
        Some(code) if code.len() == 2 && code.chars().all(|c| c.is_ascii_uppercase()) => {
            format!("{} ({code})", short(wanted))
        }
        _ => short(wanted),
    };
    Some(Location { name: short(&names.join(", ")), asked_for, latitude, longitude })
}
