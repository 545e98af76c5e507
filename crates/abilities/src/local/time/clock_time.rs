use jiff::civil::{Date, DateTime, Time};
use jiff::{Timestamp, ToSpan as _, Zoned};

/// A written time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WrittenTime {
    /// A time with an offset, the same everywhere.
    Moment(Timestamp),
    On(DateTime),
    /// A time on the current day at that place.
    Today(Time),
    Tomorrow(Time),
}

impl WrittenTime {
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > 60 {
            return None;
        }
        if let Ok(zoned) = text.parse::<Zoned>() {
            return Some(Self::Moment(zoned.timestamp()));
        }
        if let Ok(moment) = text.parse::<Timestamp>() {
            return Some(Self::Moment(moment));
        }
        if let Ok(time) = text.parse::<DateTime>() {
            return Some(Self::On(time));
        }
        let lower = text.to_lowercase().replace(" at ", " ");
        for (day, made) in [("today", Self::Today as fn(Time) -> Self), ("tomorrow", Self::Tomorrow)] {
            if let Some(rest) = lower.strip_prefix(day).or_else(|| lower.strip_suffix(day)) {
                return time_of_day(rest).map(made);
            }
        }
        if let Some((date, time)) = lower.split_once(' ')
            && let Ok(date) = date.parse::<Date>()
        {
            return Some(Self::On(date.to_datetime(time_of_day(time)?)));
        }
        time_of_day(&lower).map(Self::Today)
    }

    /// Returns the local time, given the current time there; `None` if it is out of range.
    pub fn datetime(self, now: &Zoned) -> Option<DateTime> {
        match self {
            Self::Moment(moment) => Some(moment.to_zoned(now.time_zone().clone()).datetime()),
            Self::On(time) => Some(time),
            Self::Today(time) => Some(now.date().to_datetime(time)),
            Self::Tomorrow(time) => Some(now.date().checked_add(1.day()).ok()?.to_datetime(time)),
        }
    }
}

/// Parses `15:00`, `3pm`, `3:30 p.m.`, `noon`.
fn time_of_day(text: &str) -> Option<Time> {
    let text = text.trim().trim_end_matches(" o'clock").replace("a.m.", "am").replace("p.m.", "pm");
    match text.as_str() {
        "noon" | "midday" => return Some(Time::constant(12, 0, 0, 0)),
        "midnight" => return Some(Time::midnight()),
        _ => {}
    }
    let (digits, half) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(digits), _) => (digits, Some(0)),
        (_, Some(digits)) => (digits, Some(12)),
        _ => (text.as_str(), None),
    };
    let parts: Option<Vec<i8>> = digits.trim().split([':', '.']).map(|part| part.parse().ok()).collect();
    let (hour, minute, second) = match *parts?.as_slice() {
        [hour] if half.is_some() => (hour, 0, 0),
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(half) => hour % 12 + half,
        None => hour,
    };
    Time::new(hour, minute, second, 0).ok()
}
