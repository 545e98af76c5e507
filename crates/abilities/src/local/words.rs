use jiff::{SignedDuration, Timestamp};

/// Describes the time since an event: `3 hours and 20 minutes ago`.
pub fn ago(then: Timestamp, now: Timestamp) -> String {
    let passed = now.duration_since(then);
    match passed.as_secs() {
        0..10 => "just now".to_owned(),
        -9..0 => "in a moment".to_owned(),
        10.. => format!("{} ago", length(passed)),
        _ => format!("in {}", length(passed)),
    }
}

/// Describes a duration by its two largest units: `2 days and 3 hours`.
pub fn length(duration: SignedDuration) -> String {
    const PARTS: [(u64, &str); 5] =
        [(365 * 86_400, "year"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let mut rest = duration.as_secs().unsigned_abs();
    let mut parts = Vec::new();
    for (size, name) in PARTS {
        let count = rest / size;
        rest %= size;
        // Leading zero parts are skipped. A zero part after the first one ends the text, so that days are not followed
        // by seconds.
        if count == 0 && parts.is_empty() {
            continue;
        }
        if count > 0 {
            parts.push(format!("{count} {name}{}", if count == 1 { "" } else { "s" }));
        }
        if parts.len() == 2 || count == 0 {
            break;
        }
    }
    if parts.is_empty() { "0 seconds".to_owned() } else { parts.join(" and ") }
}

/// Formats a number of bytes: `1.4 MB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(1 << 40, "TB"), (1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")];
    let unit = UNITS.iter().find(|(size, _)| bytes >= *size);
    let Some((size, name)) = unit else { return format!("{bytes} bytes") };
    let tenths = u128::from(bytes) * 10 / u128::from(*size);
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_ago() {
        let now: Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
        let cases = [
            ("2026-11-15T12:00:00Z", "just now"),
            ("2026-11-15T11:59:30Z", "30 seconds ago"),
            ("2026-11-15T11:59:00Z", "1 minute ago"),
            ("2026-11-15T08:40:00Z", "3 hours and 20 minutes ago"),
            ("2026-11-14T11:59:59Z", "1 day ago"),
            ("2026-11-12T08:00:00Z", "3 days and 4 hours ago"),
            ("2025-11-05T12:00:00Z", "1 year and 10 days ago"),
            ("2026-11-15T13:30:00Z", "in 1 hour and 30 minutes"),
            ("2026-11-15T12:00:05Z", "in a moment"),
        ];
        for (then, expected) in cases {
            assert_eq!(ago(then.parse().unwrap(), now), expected, "{then}");
        }
    }

    #[test]
    fn sizes() {
        for (bytes, expected) in [
            (0, "0 bytes"),
            (1_023, "1023 bytes"),
            (1_536, "1.5 KB"),
            (5 << 30, "5.0 GB"),
            (u64::MAX, "16777215.9 TB"),
        ] {
            assert_eq!(size(bytes), expected);
        }
    }
}
