use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Formats a number of bytes: `98 MB`, `1.3 GB`.
#[allow(clippy::cast_precision_loss, reason = "two digits are shown")]
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 || value >= 9.95 {
        format!("{value:.0} {}", UNITS[unit])
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

pub fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// Formats a count: `1 message`, `2 messages`.
pub fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// Formats a number with separators: `12,345`.
pub fn amount(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats an API timestamp relative to `now`. Text that is no timestamp is returned unchanged.
pub fn ago(now: Timestamp, time: &str) -> String {
    let Ok(then) = time.parse::<Timestamp>() else { return time.to_owned() };
    let seconds = now.as_second() - then.as_second();
    let length = match seconds.unsigned_abs() {
        0..60 => return if seconds >= 0 { "just now".into() } else { "in a moment".into() },
        seconds @ 60..3600 => count(usize::try_from(seconds / 60).unwrap_or(0), "minute"),
        seconds @ 3600..86_400 => count(usize::try_from(seconds / 3600).unwrap_or(0), "hour"),
        seconds @ 86_400..2_592_000 => count(usize::try_from(seconds / 86_400).unwrap_or(0), "day"),
        _ => return short_time(time),
    };
    if seconds >= 0 { format!("{length} ago") } else { format!("in {length}") }
}

/// Formats an API timestamp in local time.
pub fn short_time(time: &str) -> String {
    match time.parse::<Timestamp>() {
        Ok(time) => time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        for (given, expected) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (98_362_432, "98 MB"),
            (999_600_000, "1.0 GB"),
            (1_280_000_000, "1.3 GB"),
            (24_000_000_000, "24 GB"),
            (u64::MAX, "18446744 TB"),
        ] {
            assert_eq!(bytes(given), expected);
        }
    }

    #[test]
    fn times_are_said_in_words() {
        let now: Timestamp = "2026-05-01T12:00:00Z".parse().unwrap();
        for (time, expected) in [
            ("2026-05-01T12:00:00Z", "just now"),
            ("2026-05-01T11:59:00Z", "1 minute ago"),
            ("2026-05-01T09:30:00Z", "2 hours ago"),
            ("2026-04-28T12:00:00Z", "3 days ago"),
            ("2026-05-01T12:05:00Z", "in 5 minutes"),
            ("2026-05-01T12:00:30Z", "in a moment"),
            ("never", "never"),
        ] {
            assert_eq!(ago(now, time), expected);
        }
    }

    #[test]
    fn numbers_agree_with_their_nouns() {
        assert_eq!(count(1, "message"), "1 message");
        assert_eq!(count(0, "message"), "0 messages");
        assert_eq!(amount(1_234_567), "1,234,567");
        assert_eq!(amount(12), "12");
        assert_eq!(duration(59), "59 s");
        assert_eq!(duration(3661), "1 h 1 min");
    }
}
