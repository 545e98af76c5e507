use std::sync::Arc;

use host::ManualClock;
use jiff::tz::TimeZone;
use tools::ToolError;

use super::*;

fn berlin(now: &str) -> TimeOfDay {
    TimeOfDay(Arc::new(ManualClock::at(now).in_zone(TimeZone::get("Europe/Berlin").unwrap())))
}

fn winter() -> TimeOfDay {
    berlin("2026-11-15T12:00:00Z")
}

fn said(told: Result<String, ToolError>) -> String {
    told.unwrap_or_else(|error| error.to_string())
}

#[test]
fn the_time_here_and_elsewhere() {
    let cases = [
        (None, "It is 13:00 on Sunday, 15 November 2026 (Europe/Berlin, CET, UTC+1)."),
        (
            Some("Tokyo"),
            "It is 21:00 on Sunday, 15 November 2026 in Tokyo (Asia/Tokyo, JST, UTC+9). That is 8 hours ahead of here, where it is 13:00.",
        ),
        (
            Some("new york"),
            "It is 07:00 on Sunday, 15 November 2026 in New York (America/New_York, EST, UTC-5). That is 6 hours behind here, where it is 13:00.",
        ),
        (
            Some("EST"),
            "It is 07:00 on Sunday, 15 November 2026 in EST (UTC-5). That is 6 hours behind here, where it is 13:00.",
        ),
        (
            Some("Mumbai"),
            "It is 17:30 on Sunday, 15 November 2026 in Mumbai (Asia/Kolkata, IST, UTC+5:30). That is 4 hours and 30 minutes ahead of here, where it is 13:00.",
        ),
        (
            Some("Paris"),
            "It is 13:00 on Sunday, 15 November 2026 in Paris (Europe/Paris, CET, UTC+1). That is the same as here, where it is 13:00.",
        ),
    ];
    for (zone, expected) in cases {
        assert_eq!(said(winter().tell(zone)), expected, "{zone:?}");
    }
}

#[test]
fn places_are_found_however_they_are_written() {
    let cases = [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("berlin", "Europe/Berlin"),
        ("São Paulo", "America/Sao_Paulo"),
        ("sao_paulo", "America/Sao_Paulo"),
        ("Zürich", "Europe/Zurich"),
        ("San Francisco, CA", "America/Los_Angeles"),
        ("Munich", "Europe/Berlin"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("Japan", "Asia/Tokyo"),
        ("Japan/Tokyo", "Asia/Tokyo"),
        ("Ho Chi Minh", "Asia/Ho_Chi_Minh"),
    ];
    for (written, zone) in cases {
        let found = zones::find(written).map(|place| place.zone.iana_name().map(ToOwned::to_owned));
        // The database may return an older name of the zone.
        let found = found.unwrap().unwrap();
        assert!(found == zone || found.ends_with(zone.rsplit('/').next().unwrap()), "{written}: {found}");
    }
    for (written, minutes) in [
        ("UTC+3", 180),
        ("GMT-5:30", -330),
        ("+02:00", 120),
        ("-02:00", -120),
        ("UTC 5", 300),
        ("UTC - 5", -300),
        ("gmt −5", -300),
        ("UTC + 5:45", 345),
        ("PST", -480),
        ("utc", 0),
        ("JST", 540),
    ] {
        let zone = zones::find(written).unwrap().zone;
        let offset = zone.to_offset("2026-07-01T00:00:00Z".parse().unwrap());
        assert_eq!(offset.seconds() / 60, minutes, "{written}");
    }
}

#[test]
fn summer_time_is_right() {
    let summer = berlin("2026-07-15T12:00:00Z");
    let told = said(summer.tell(Some("New York")));
    assert!(
        told.contains("08:00") && told.contains("EDT, UTC-4") && told.contains("where it is 14:00"),
        "{told}"
    );
    // Between the two clock changes in spring, New York is an hour closer.
    let between = berlin("2026-03-15T12:00:00Z");
    assert!(said(between.tell(Some("New York"))).contains("5 hours behind here"));
}

#[test]
fn unknown_places_bring_the_nearest() {
    for (written, nearest) in [
        ("Tokio", "Tokyo"),
        ("Sidney", "Sydney"),
        ("Europe/Berln", ""),
        ("Munic", "Munich"),
        ("qqqqqq", ""),
        ("5", ""),
    ] {
        let told = said(winter().tell(Some(written)));
        assert!(told.starts_with("I do not know the time zone of") && told.contains(nearest), "{told}");
    }
    assert!(said(winter().tell(Some(&"x".repeat(500)))).starts_with("I do not know"));
}

#[test]
fn times_are_converted() {
    let cases = [
        (
            "15:00",
            Some("New York"),
            None,
            "15:00 on Sunday, 15 November 2026 in New York",
            "is 21:00 on Sunday, 15 November 2026 here",
        ),
        ("3 pm", Some("EST"), Some("PST"), "15:00 on Sunday", "is 12:00 on Sunday"),
        (
            "3:30 p.m.",
            None,
            Some("Tokyo"),
            "15:30 on Sunday, 15 November 2026 here",
            "is 23:30 on Sunday, 15 November 2026 in Tokyo",
        ),
        (
            "2026-07-01 15:00",
            Some("Berlin"),
            Some("London"),
            "(Europe/Berlin, CEST, UTC+2)",
            "is 14:00 on Wednesday, 1 July 2026",
        ),
        (
            "noon",
            Some("Auckland"),
            Some("Berlin"),
            "12:00 on Monday, 16 November 2026",
            "is 00:00 on Monday, 16 November 2026",
        ),
        (
            "tomorrow at 9am",
            None,
            Some("Tokyo"),
            "09:00 on Monday, 16 November 2026 here",
            "is 17:00 on Monday",
        ),
        ("2026-11-15T12:00:00Z", None, Some("Tokyo"), "13:00 on Sunday", "is 21:00 on Sunday"),
        ("12 am", Some("UTC"), Some("UTC"), "00:00 on Sunday", "is 00:00"),
    ];
    for (time, from, to, given, result) in cases {
        let told = said(winter().convert(time, from, to));
        assert!(told.contains(given) && told.contains(result), "{time} {from:?} {to:?}: {told}");
    }
}

#[test]
fn hours_that_are_not_or_come_twice_are_pointed_out() {
    let gap = said(winter().convert("2026-03-29 02:30", Some("Berlin"), Some("UTC")));
    assert!(gap.contains("go forward") && gap.contains("03:30 on Sunday, 29 March 2026 in Berlin"), "{gap}");
    let fold = said(winter().convert("2026-10-25 02:30", Some("Berlin"), Some("UTC")));
    assert!(fold.contains("comes twice") && fold.contains("is 00:30"), "{fold}");
}

#[test]
fn what_is_no_time_says_how_to_write_one() {
    for time in ["25:00", "13 pm", "soon", "", "15:61", "3", "9999-12-31 99:99"] {
        assert!(said(winter().convert(time, None, None)).starts_with("I cannot read the time"), "{time}");
    }
    // At the limits of the range there is an answer or an error message, and no panic.
    said(winter().convert("9999-12-31 23:59", Some("Honolulu"), Some("Auckland")));
    said(winter().convert("-9999-01-01 00:00", Some("Auckland"), Some("Honolulu")));
}
