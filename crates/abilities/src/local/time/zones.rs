use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};

use super::fold::folded;
use super::names::{ABBREVIATIONS, PLACES};

/// A place with its time zone.
#[derive(Debug, Clone)]
pub struct NamedZone {
    /// The name used in a sentence: `Tokyo`, `EST`.
    pub name: String,
    pub zone: TimeZone,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ZoneError {
    /// The nearest names, best first.
    Unknown(Vec<String>),
    /// The machine has no time zone data at all.
    NoData,
}

const LONGEST: usize = 80;
const MOST_SUGGESTIONS: usize = 3;

/// Finds the zone of a city, a country, an abbreviation, an offset, or a name such as `Europe/Berlin`.
pub fn find(written: &str) -> Result<NamedZone, ZoneError> {
    let written = written.trim();
    if written.is_empty() || written.len() > LONGEST {
        return Err(ZoneError::Unknown(Vec::new()));
    }
    let name = folded(written);
    if let Some(zone) = offset(&written.to_lowercase()).or_else(|| abbreviation(&name)) {
        return Ok(NamedZone { name: written.to_uppercase(), zone });
    }
    if jiff::tz::db().is_definitively_empty() {
        return Err(ZoneError::NoData);
    }
    // Places come first: the database has countries only as legacy names.
    let zone = by_place(&name)
        .or_else(|| TimeZone::get(&written.replace(' ', "_")).ok())
        .or_else(|| by_place(&folded(written.split(',').next()?)))
        // Handles `Japan/Tokyo`: a city after a word that is no region of the database.
        .or_else(|| by_place(&folded(written.rsplit_once('/')?.1)));
    match zone {
        Some(zone) => Ok(NamedZone { name: spoken(written), zone }),
        None => Err(ZoneError::Unknown(nearest(&name))),
    }
}

/// Returns the name used in a sentence: `Europe/Berlin` becomes Berlin.
fn spoken(written: &str) -> String {
    let last = written.rsplit('/').next().unwrap_or(written).replace('_', " ");
    if last.chars().any(char::is_uppercase) {
        return last;
    }
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    last.split(' ').map(capital).collect::<Vec<_>>().join(" ")
}

fn by_place(name: &str) -> Option<TimeZone> {
    if let Some((_, zone)) = PLACES.iter().find(|(place, _)| *place == name) {
        return TimeZone::get(zone).ok();
    }
    let zone = cities().find(|(city, _)| city == name)?.1;
    TimeZone::get(&zone).ok()
}

/// Returns the cities named in the database, folded, with their zones.
fn cities() -> impl Iterator<Item = (String, String)> {
    jiff::tz::db().available().filter_map(|zone| {
        let zone = zone.as_str();
        let (area, city) = zone.rsplit_once('/')?;
        let of_the_world = [
            "Africa",
            "America",
            "Antarctica",
            "Arctic",
            "Asia",
            "Atlantic",
            "Australia",
            "Europe",
            "Indian",
            "Pacific",
        ];
        of_the_world.contains(&area.split('/').next()?).then(|| (folded(city), zone.to_owned()))
    })
}

fn abbreviation(name: &str) -> Option<TimeZone> {
    let (_, minutes) = ABBREVIATIONS.iter().find(|(short, _)| *short == name)?;
    Some(TimeZone::fixed(Offset::from_seconds(minutes * 60).ok()?))
}

/// Parses `utc+3`, `gmt-5:30`, `+02:00`, and `utc 5`, which means `utc+5`.
fn offset(name: &str) -> Option<TimeZone> {
    let named = name.strip_prefix("utc").or_else(|| name.strip_prefix("gmt"));
    let rest = named.unwrap_or(name).trim_start();
    let (sign, digits) = match (rest.strip_prefix('+'), rest.strip_prefix(['-', '−'])) {
        (Some(digits), _) => (1, digits),
        (_, Some(digits)) => (-1, digits),
        (None, None) => (1, named.map(|_| rest)?),
    };
    let (hours, minutes) = digits.trim().split_once(':').unwrap_or((digits.trim(), "0"));
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    if !(0..=18).contains(&hours) || !(0..60).contains(&minutes) {
        return None;
    }
    Some(TimeZone::fixed(Offset::from_seconds(sign * (hours * 60 + minutes) * 60).ok()?))
}

fn nearest(name: &str) -> Vec<String> {
    let places = PLACES.iter().map(|(place, _)| (*place).to_owned());
    let mut found: Vec<(usize, String)> = cities()
        .map(|(city, _)| city)
        .chain(places)
        .filter(|known| known.len() > 2)
        .map(|known| (strsim::osa_distance(name, &known), known))
        .filter(|(distance, known)| *distance <= 1 + known.chars().count() / 4)
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().take(MOST_SUGGESTIONS).map(|(_, known)| spoken(&known)).collect()
}

/// Formats an offset: `UTC+5:30`.
pub fn offset_in_words(offset: Offset) -> String {
    let minutes = offset.seconds() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    match (minutes.abs() / 60, minutes.abs() % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
    }
}

/// Describes the zone: `Asia/Tokyo, JST, UTC+9`.
pub fn described(zone: &TimeZone, at: Timestamp) -> String {
    let info = zone.to_offset_info(at);
    let mut parts: Vec<String> = zone.iana_name().map(ToOwned::to_owned).into_iter().collect();
    let abbreviation = info.abbreviation();
    let offset = offset_in_words(info.offset());
    let tells =
        abbreviation.chars().all(char::is_alphabetic) && !parts.iter().any(|part| part == abbreviation);
    if tells && abbreviation != offset {
        parts.push(abbreviation.to_owned());
    }
    if !parts.contains(&offset) {
        parts.push(offset);
    }
    parts.join(", ")
}
