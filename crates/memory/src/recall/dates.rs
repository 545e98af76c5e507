//! The dates that a question names, and how close a day is to them.

use std::sync::LazyLock;

use facts::MONTHS;
use jiff::civil::Date;
use regex::Regex;

/// A date as people write it: with or without a year, or only a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedDate {
    pub year: Option<i16>,
    pub month: i8,
    pub day: Option<i8>,
}

/// The closeness of a day to the dates of a question.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DateCloseness {
    /// The closeness to dates with a day.
    pub day: f32,
    /// The closeness to dates with only a month.
    pub month: f32,
}

const MONTH: &str = "january|february|march|april|may|june|july|august|september|october|november|december|sept|jan|\
    feb|mar|apr|jun|jul|aug|sep|oct|nov|dec";

struct Patterns {
    day_first: Regex,
    month_first: Regex,
    month_alone: Regex,
    phrase: Regex,
}

#[allow(clippy::expect_used, reason = "the patterns are constants, and a test reads them")]
static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(&text.replace("MONTH", MONTH)).expect("a pattern that holds");
    Patterns {
        day_first: pattern(r"\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (MONTH)\b\.?(?:,? ?(\d{4}))?"),
        month_first: pattern(r"\b(MONTH)\b\.? (\d{1,2})(?:st|nd|rd|th)?\b(?:,? ?(\d{4}))?"),
        month_alone: pattern(
            r"(\b(?:in|of|on|during|by|early|late|mid|since|until|before|after)[ -])?\b(MONTH)\b\.?(?:,?(?: of)? (\d{4}))?",
        ),
        phrase: pattern(concat!(
            r"(?i)\b(?:(?:on|in|during|by|of|around|before|after|since|until)\s+)?(?:(?:early|late|mid)[\s-]+)?(?:the\s+)?",
            r"(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:MONTH)\b\.?,?(?:\s?\d{4})?",
            r"|(?:MONTH)\b\.? \d{1,2}(?:st|nd|rd|th)?\b,?(?:\s?\d{4})?",
            r"|(?:MONTH)\b,? \d{4})",
        )),
    }
});

/// Returns the dates in a question. Only the most complete form that occurs counts.
pub fn named_dates(question: &str) -> Vec<NamedDate> {
    let text = question.to_lowercase();
    let Patterns { day_first, month_first, month_alone, .. } = &*PATTERNS;
    let read = |year: Option<regex::Match<'_>>, name: &str, day: Option<&str>| {
        Some(NamedDate {
            year: year.and_then(|year| year.as_str().parse().ok()),
            month: month(name)?,
            day: day.and_then(|day| day.parse().ok()),
        })
    };
    let found: Vec<NamedDate> = day_first
        .captures_iter(&text)
        .filter_map(|found| read(found.get(3), &found[2], Some(&found[1])))
        .collect();
    if !found.is_empty() {
        return found;
    }
    let found: Vec<NamedDate> = month_first
        .captures_iter(&text)
        .filter_map(|found| read(found.get(3), &found[1], Some(&found[2])))
        .collect();
    if !found.is_empty() {
        return found;
    }
    let months = month_alone.captures_iter(&text).filter(|found| {
        // `may` and `march` are words too, and so are short forms: on their own they count only after a preceding word
        // that marks a date.
        let clear = found[2].len() > 5 || matches!(&found[2], "april" | "june" | "july");
        clear || found.get(3).is_some() || found.get(1).is_some()
    });
    months.filter_map(|found| read(found.get(3), &found[2], None)).collect()
}

/// Returns the question without its dates, which say when and not what.
pub fn without_dates(question: &str) -> String {
    let text = PATTERNS.phrase.replace_all(question, "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the number of days since 1 January 1970.
pub fn day_number(day: Date) -> i32 {
    (day - Date::constant(1970, 1, 1)).get_days()
}

/// Returns the closeness of a day to the dates. Events are usually mentioned on the day or in the days after it.
pub fn closeness(dates: &[NamedDate], day: Date) -> DateCloseness {
    let mut nearest = DateCloseness::default();
    for date in dates {
        if let Some(number) = date.day {
            let years = match date.year {
                Some(year) => year..=year,
                None => day.year() - 1..=day.year() + 1,
            };
            let days = years.filter_map(|year| Date::new(year, date.month, number).ok());
            let values = days.map(|named| match (day - named).get_days() {
                0 => 1.0,
                1..=10 => 0.6,
                -3..=-1 => 0.2,
                _ => 0.0,
            });
            nearest.day = values.fold(nearest.day, f32::max);
        } else {
            let months = match date.year {
                Some(year) => {
                    (i32::from(day.year()) - i32::from(year)) * 12 + i32::from(day.month() - date.month)
                }
                None => (i32::from(day.month() - date.month) + 6).rem_euclid(12) - 6,
            };
            let value = match months {
                0 => 1.0,
                1 if day.day() <= 15 => 0.5,
                _ => 0.0,
            };
            nearest.month = nearest.month.max(value);
        }
    }
    nearest
}

fn month(name: &str) -> Option<i8> {
    let position =
        MONTHS.iter().position(|month| name.get(..3).is_some_and(|short| month.starts_with(short)))?;
    i8::try_from(position + 1).ok()
}
