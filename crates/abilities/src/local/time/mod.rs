//! Tells the time here and elsewhere.

mod clock_time;
mod fold;
mod names;
mod zones;

use std::sync::Arc;

use async_trait::async_trait;
use host::Clock;
use jiff::tz::AmbiguousOffset;
use jiff::{SignedDuration, Zoned};
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Invocation, ToolError, ToolOutput};

use super::words::length;
use clock_time::WrittenTime;
use zones::{NamedZone, ZoneError, described};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// A city, country or zone such as `Tokyo`, `Europe/Berlin` or `EST`. Without it, here.
    zone: Option<String>,
    /// A time to convert, such as `15:00`, `3 pm` or `2026-05-01 15:00`.
    time: Option<String>,
    /// The zone that `time` is in. Without it, here.
    from: Option<String>,
    /// The zone to convert `time` to. Without it, here.
    to: Option<String>,
}

/// The `time` tool.
pub struct TimeOfDay(pub Arc<dyn Clock>);

#[async_trait]
impl Ability for TimeOfDay {
    type Arguments = Arguments;
    const NAME: &'static str = "time";
    const ABOUT: &'static str =
        "Tells the time and date here or in a city or zone, or converts a time from one zone to another.";
    const ASKED_BY: &'static [&'static str] = &[
        "what time",
        "time in",
        "time zone",
        "timezone",
        "what day",
        "what date",
        "clock",
        "wie spät",
        "wieviel uhr",
        "wie viel uhr",
        "uhrzeit",
        "welcher tag",
        "quelle heure",
        "quel jour",
        "qué hora",
        "que hora",
        "qué día",
        "che ora",
        "che ore",
        "che giorno",
        "que horas",
        "que dia",
        "hoe laat",
        "welke dag",
    ];

    async fn run(&self, arguments: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let text = |written: Option<String>| written.filter(|written| !written.trim().is_empty());
        let Arguments { zone, time, from, to } = arguments;
        let (zone, time) = (text(zone), text(time).filter(|time| !time.trim().eq_ignore_ascii_case("now")));
        let (from, to) = (text(from), text(to));
        let said = match time {
            Some(time) => self.convert(&time, from.as_deref(), to.or(zone).as_deref())?,
            // Without a time the current time is wanted, whichever argument names the place.
            None => self.tell(zone.or(to).or(from).as_deref())?,
        };
        Ok(ToolOutput::text(said))
    }
}

impl TimeOfDay {
    fn here(&self) -> NamedZone {
        NamedZone { name: "here".into(), zone: self.0.time_zone() }
    }

    fn place(&self, written: Option<&str>) -> Result<NamedZone, ToolError> {
        let written = written.map(str::trim).unwrap_or_default();
        if written.is_empty()
            || ["here", "local", "local time"].iter().any(|here| written.eq_ignore_ascii_case(here))
        {
            return Ok(self.here());
        }
        zones::find(written).map_err(|error| match error {
            ZoneError::NoData => ToolError::Unavailable(
                "This machine has no time zone data, so I know the time here only. Install the package tzdata.".into(),
            ),
            ZoneError::Unknown(nearest) if nearest.is_empty() => ToolError::Impossible(format!(
                "I do not know the time zone of {written:?}. Name a large city near it, or a zone such as Europe/Berlin."
            )),
            ZoneError::Unknown(nearest) => ToolError::Impossible(format!(
                "I do not know the time zone of {written:?}. Did you mean {}?",
                nearest.join(", ")
            )),
        })
    }

    fn tell(&self, zone: Option<&str>) -> Result<String, ToolError> {
        let now = self.0.now();
        let place = self.place(zone)?;
        let there = now.to_zoned(place.zone.clone());
        let zone = described(&place.zone, now);
        if place.name == "here" {
            return Ok(format!("It is {} ({zone}).", moment(&there)));
        }
        let here = now.to_zoned(self.0.time_zone());
        Ok(format!(
            "It is {} in {} ({zone}). That is {}, where it is {}.",
            moment(&there),
            place.name,
            difference(&there, &here),
            here.strftime("%H:%M")
        ))
    }

    fn convert(&self, time: &str, from: Option<&str>, to: Option<&str>) -> Result<String, ToolError> {
        let (from, to) = (self.place(from)?, self.place(to)?);
        let unreadable = || {
            ToolError::Impossible(format!(
                "I cannot read the time {time:?}. Write it as 15:00, 3 pm, or 2026-05-01 15:00."
            ))
        };
        let written = WrittenTime::read(time).ok_or_else(unreadable)?;
        let now = self.0.now().to_zoned(from.zone.clone());
        let (given, note) = match written {
            WrittenTime::Moment(at) => (at.to_zoned(from.zone.clone()), ""),
            other => {
                let wall = other.datetime(&now).ok_or_else(unreadable)?;
                let found = from.zone.to_ambiguous_zoned(wall);
                let note = match found.offset() {
                    AmbiguousOffset::Unambiguous { .. } => "",
                    AmbiguousOffset::Gap { .. } => {
                        " The clocks go forward there at that hour, so I took the time after it."
                    }
                    AmbiguousOffset::Fold { .. } => {
                        " The clocks go back there, so that hour comes twice; I took the first."
                    }
                };
                (found.compatible().map_err(|_| unreadable())?, note)
            }
        };
        let result = given.with_time_zone(to.zone.clone());
        let place = |place: &NamedZone| match place.name.as_str() {
            "here" => "here".to_owned(),
            name => format!("in {name}"),
        };
        Ok(format!(
            "{} {} ({}) is {} {} ({}).{note}",
            moment(&given),
            place(&from),
            described(&from.zone, given.timestamp()),
            moment(&result),
            place(&to),
            described(&to.zone, given.timestamp())
        ))
    }
}

fn moment(time: &Zoned) -> String {
    time.strftime("%H:%M on %A, %-d %B %Y").to_string()
}

fn difference(there: &Zoned, here: &Zoned) -> String {
    let seconds = there.offset().seconds() - here.offset().seconds();
    match seconds {
        0 => "the same as here".to_owned(),
        1.. => format!("{} ahead of here", length(SignedDuration::from_secs(seconds.into()))),
        _ => format!("{} behind here", length(SignedDuration::from_secs(seconds.into()))),
    }
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;
