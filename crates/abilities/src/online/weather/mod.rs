//! The weather tool, which uses Open-Meteo or a compatible server.

mod codes;
mod location;
mod open_meteo;

use std::fmt::Write as _;

use async_trait::async_trait;
use protocol::Command;
use reqwest::{Method, Url};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tools::{Ability, Effect, Invocation, ToolError, ToolOutput};

use super::service::{ServiceClient, ServiceError, with_path};
use crate::CurrentConfig;
use location::Location;
use open_meteo::{NAME, asked};

const USUAL_DAYS: u8 = 3;
const CURRENT: &str = "temperature_2m,apparent_temperature,relative_humidity_2m,weather_code,wind_speed_10m";
const DAILY: &str = "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Units {
    #[default]
    Metric,
    Imperial,
}

impl Units {
    fn temperature(self) -> &'static str {
        match self {
            Units::Metric => "°C",
            Units::Imperial => "°F",
        }
    }

    fn wind(self) -> &'static str {
        match self {
            Units::Metric => "km/h",
            Units::Imperial => "mph",
        }
    }

    fn rain(self) -> &'static str {
        match self {
            Units::Metric => "mm",
            Units::Imperial => "in",
        }
    }

    /// Returns the unit as named in the payload.
    fn letter(self) -> &'static str {
        match self {
            Units::Metric => "c",
            Units::Imperial => "f",
        }
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// A town, with its region or country where there are several: `Paris, Texas`.
    #[schemars(length(min = 1, max = 200))]
    place: String,
    /// How many days ahead, up to 7.
    #[schemars(range(min = 1, max = 7))]
    days: Option<u8>,
    /// Celsius and kilometres, unless said otherwise.
    #[serde(default)]
    units: Units,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Current {
    temperature: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    feels_like: Option<f64>,
    code: u64,
    words: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wind: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    humidity: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Day {
    date: String,
    min: f64,
    max: f64,
    code: u64,
    words: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rain: Option<f64>,
}

pub(crate) struct WeatherTool {
    pub settings: CurrentConfig,
    pub service: ServiceClient,
}

#[async_trait]
impl Ability for WeatherTool {
    type Arguments = Arguments;
    const NAME: &'static str = "weather";
    const ABOUT: &'static str = "Tells the weather and the forecast of a place.";
    const ASKED_BY: &'static [&'static str] = &[
        "weather",
        "forecast",
        "temperature",
        "umbrella",
        "sunny",
        "will it rain",
        "going to rain",
        "will it snow",
        "how warm",
        "how cold",
        "how hot",
        "wetter",
        "wetterbericht",
        "vorhersage",
        "regnet",
        "regnen",
        "météo",
        "meteo",
        "quel temps",
        "prévisions",
        "pleuvoir",
        "qué tiempo",
        "que tiempo",
        "clima",
        "pronóstico",
        "llover",
        "che tempo",
        "previsioni",
        "piove",
        "piovere",
        "que tempo",
        "previsão",
        "chover",
        "het weer",
        "weerbericht",
        "regenen",
    ];
    const EFFECTS: &'static [Effect] = &[Effect::SendsOut];

    async fn run(&self, arguments: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let settings = (self.settings)();
        let weather = &settings.weather;
        if !weather.enabled {
            return Err(ToolError::Unavailable(
                "The weather is switched off. Set weather.enabled in the settings to look it up.".into(),
            ));
        }
        let unreadable = || {
            ToolError::Unavailable("The address of the weather service in the settings is not valid.".into())
        };
        let places = Url::parse(weather.places_url.as_str()).map_err(|_| unreadable())?;
        let forecasts = Url::parse(weather.url.as_str()).map_err(|_| unreadable())?;
        let place = location::find(&self.service, &places, &arguments.place).await?;
        let units = arguments.units;
        let days = arguments.days.unwrap_or(USUAL_DAYS);
        let forecast = self.forecast(&forecasts, &place, units, days).await?;
        let broken = || ToolError::from(ServiceError::NotJson(NAME.to_owned()));
        let current = current(&forecast["current"]).ok_or_else(broken)?;
        let days = daily(&forecast["daily"]);
        let text = forecast_text(&place.asked_for, &current, &days, units);
        let payload =
            json!({ "place": place.name, "unit": units.letter(), "current": current, "days": days });
        let command = Some(Command { action: Self::NAME.into(), payload });
        Ok(ToolOutput { command, ..ToolOutput::text(text) })
    }
}

impl WeatherTool {
    async fn forecast(
        &self,
        base: &Url,
        place: &Location,
        units: Units,
        days: u8,
    ) -> Result<Value, ToolError> {
        let mut request = self.service.request(Method::GET, with_path(base, "/v1/forecast")).query(&[
            ("latitude", place.latitude.to_string().as_str()),
            ("longitude", place.longitude.to_string().as_str()),
            ("current", CURRENT),
            ("daily", DAILY),
            ("timezone", "auto"),
            ("forecast_days", days.to_string().as_str()),
        ]);
        if units == Units::Imperial {
            request = request.query(&[
                ("temperature_unit", "fahrenheit"),
                ("wind_speed_unit", "mph"),
                ("precipitation_unit", "inch"),
            ]);
        }
        asked(&self.service, request).await
    }
}

fn current(value: &Value) -> Option<Current> {
    let code = value["weather_code"].as_u64()?;
    Some(Current {
        temperature: value["temperature_2m"].as_f64()?,
        feels_like: value["apparent_temperature"].as_f64(),
        code,
        words: codes::in_words(code),
        wind: value["wind_speed_10m"].as_f64(),
        humidity: value["relative_humidity_2m"].as_f64(),
    })
}

fn daily(value: &Value) -> Vec<Day> {
    let dates = value["time"].as_array().map(Vec::as_slice).unwrap_or_default();
    let day = |(place, date): (usize, &Value)| {
        let date: jiff::civil::Date = date.as_str()?.parse().ok()?;
        let code = value["weather_code"][place].as_u64()?;
        Some(Day {
            date: date.to_string(),
            min: value["temperature_2m_min"][place].as_f64()?,
            max: value["temperature_2m_max"][place].as_f64()?,
            code,
            words: codes::in_words(code),
            rain: value["precipitation_sum"][place].as_f64(),
        })
    };
    dates.iter().enumerate().take(7).filter_map(day).collect()
}

fn forecast_text(place: &str, current: &Current, days: &[Day], units: Units) -> String {
    let degrees = units.temperature();
    let mut text = format!("{place}: {:.0} {degrees}, {}", current.temperature, current.words);
    if let Some(feels_like) = current.feels_like {
        let _ = write!(text, ", feels like {feels_like:.0} {degrees}");
    }
    if let Some(wind) = current.wind {
        let _ = write!(text, ", wind {wind:.0} {}", units.wind());
    }
    if let Some(humidity) = current.humidity {
        let _ = write!(text, ", humidity {humidity:.0} %");
    }
    text.push('.');
    for day in days {
        let _ = write!(text, "\n{}: {:.0} to {:.0} {degrees}, {}", day.date, day.min, day.max, day.words);
        if let Some(rain) = day.rain.filter(|rain| *rain > 0.0) {
            let _ = write!(text, ", {rain:.1} {} of rain or snow", units.rain());
        }
    }
    text
}

#[cfg(test)]
#[path = "weather_tests.rs"]
mod tests;
