//! Days, weeks, months and seasons as they are named.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use crate::months::MONTHS;

const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const SHORT_DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

pub fn number(word: &str) -> Option<i64> {
    const WORDS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    match word {
        "a" | "an" => Some(1),
        "couple" => Some(2),
        "few" => Some(3),
        "several" => Some(4),
        "thirty" => Some(30),
        "forty" => Some(40),
        "fifty" => Some(50),
        "sixty" => Some(60),
        "seventy" => Some(70),
        "eighty" => Some(80),
        "ninety" => Some(90),
        _ => match WORDS.iter().position(|known| *known == word) {
            Some(place) => i64::try_from(place).ok(),
            None if word.len() <= 4 => word.parse().ok(),
            None => {
                let (tens, ones) = word.split_once('-')?;
                Some(number(tens)?.saturating_add(number(ones)?)).filter(|_| tens.ends_with("ty"))
            }
        },
    }
}

pub fn month(word: &str) -> Option<i8> {
    let short = word.trim_end_matches('.');
    let place = MONTHS.iter().position(|name| {
        *name == short
            || (short.len() >= 3
                && short.len() <= 4
                && short != "mar"
                && name.starts_with(short)
                && short != "may")
            || (short == "may" && *name == "may")
            || (short == "sept" && *name == "september")
    })?;
    i8::try_from(place + 1).ok()
}

pub fn weekday(word: &str) -> Option<Weekday> {
    let place = DAYS
        .iter()
        .position(|day| *day == word)
        .or_else(|| SHORT_DAYS.iter().position(|day| *day == word))?;
    Weekday::from_monday_zero_offset(i8::try_from(place).ok()?).ok()
}

pub fn year(word: &str) -> Option<i16> {
    let year: i16 = (word.len() == 4).then(|| word.parse().ok())??;
    (1900..2100).contains(&year).then_some(year)
}

pub fn day_number(word: &str) -> Option<i8> {
    let digits =
        word.trim_end_matches("st").trim_end_matches("nd").trim_end_matches("rd").trim_end_matches("th");
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

/// Returns the day number before *of May*, where it may be a word.
fn day_of(word: &str) -> Option<i8> {
    if word == "first" { Some(1) } else { day_number(word) }
}

pub fn add_days(day: Date, days: i64) -> Date {
    let span = jiff::Span::new().try_days(days).unwrap_or_default();
    day.checked_add(span).unwrap_or(day)
}

pub fn add_months(day: Date, months: i64) -> Date {
    let span = jiff::Span::new().try_months(months).unwrap_or_default();
    day.checked_add(span).unwrap_or(day)
}

fn month_of(year: i16, month: i8) -> (Date, Date) {
    let first = Date::new(year, month, 1).unwrap_or(Date::ZERO);
    (first, first.last_of_month())
}

fn year_of(year: i16) -> (Date, Date) {
    (Date::new(year, 1, 1).unwrap_or(Date::ZERO), Date::new(year, 12, 31).unwrap_or(Date::ZERO))
}

/// Returns the first and last day of a season in the year in which it begins.
pub fn season(word: &str, year: i16) -> Option<(Date, Date)> {
    let month = match word {
        "spring" => 3,
        "summer" => 6,
        "autumn" | "fall" => 9,
        "winter" => 12,
        _ => return None,
    };
    let first = Date::new(year, month, 1).ok()?;
    Some((first, add_months(first, 2).last_of_month()))
}

fn holiday(words: &[&str], year: i16) -> Option<(usize, Date)> {
    let day = |month, day| Date::new(year, month, day).ok();
    match words {
        ["christmas", "eve", ..] => Some((2, day(12, 24)?)),
        ["christmas" | "xmas", ..] => Some((1, day(12, 25)?)),
        ["new", "year", "'s", "eve", ..] => Some((4, day(12, 31)?)),
        ["halloween", ..] => Some((1, day(10, 31)?)),
        ["valentine", "'s", "day", ..] => Some((3, day(2, 14)?)),
        _ => None,
    }
}

/// The side of today on which a weekday or a date without a year is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateDirection {
    Past,
    Nearest,
    Future,
}

/// Reads a named period at the beginning of the words: `3 May 2026`, `next week`, `March`, `2019`, `Friday`.
pub fn stretch(words: &[&str], today: Date, direction: DateDirection) -> Option<(usize, Date, Date)> {
    let one = |length: usize, day: Date| Some((length, day, day));
    let place = |year: Option<i16>, month: i8, day: i8| {
        let named = |year| Date::new(year, month, day).ok();
        match year {
            Some(year) => named(year),
            None => nearest(named(today.year()), today, direction),
        }
    };
    match *words {
        ["today" | "tonight", ..] => one(1, today),
        ["this", "morning" | "afternoon" | "evening", ..] => one(2, today),
        ["the", "day", "before", "yesterday", ..] => one(4, add_days(today, -2)),
        ["the", "day", "after", "tomorrow", ..] => one(4, add_days(today, 2)),
        ["the", "other", "day", ..] => one(3, add_days(today, -3)),
        ["yesterday", "morning" | "evening" | "afternoon" | "night", ..] => one(2, add_days(today, -1)),
        ["last", "night", ..] => one(2, add_days(today, -1)),
        ["yesterday", ..] => one(1, add_days(today, -1)),
        ["tomorrow", "morning" | "evening" | "afternoon" | "night", ..] => one(2, add_days(today, 1)),
        ["tomorrow", ..] => one(1, add_days(today, 1)),
        ["the", "end", "of", "the", unit @ ("week" | "month" | "year"), ..] => {
            one(5, relative("this", unit, today)?.1)
        }
        ["the", "end", "of", unit, ..] => {
            let (length, _, to) = stretch(&[unit], today, direction)?;
            one(3 + length, to)
        }
        ["this", "past" | "coming" | "very", unit, ..] => {
            let which = if words[1] == "past" { "last" } else { "this" };
            let (from, to) = relative(which, unit, today)?;
            Some((3, from, to))
        }
        [which @ ("last" | "this" | "next" | "coming" | "past"), unit, ..] => {
            let (from, to) = relative(which, unit, today)?;
            Some((2, from, to))
        }
        [day, "of", name, ref rest @ ..] if month(name).is_some() && day_of(day).is_some() => {
            let year = rest.first().and_then(|word| year(word));
            one(3 + usize::from(year.is_some()), place(year, month(name)?, day_of(day)?)?)
        }
        ["the", day, "of", name, ref rest @ ..] if month(name).is_some() && day_of(day).is_some() => {
            let year = rest.first().and_then(|word| year(word));
            one(4 + usize::from(year.is_some()), place(year, month(name)?, day_of(day)?)?)
        }
        [day, name, ref rest @ ..] if month(name).is_some() && day_number(day).is_some() => {
            let year = rest.first().and_then(|word| year(word));
            one(2 + usize::from(year.is_some()), place(year, month(name)?, day_number(day)?)?)
        }
        [name, "the", day, ..] if month(name).is_some() && day_number(day).is_some() => {
            one(3, place(None, month(name)?, day_number(day)?)?)
        }
        [name, day, ref rest @ ..] if month(name).is_some() && day_number(day).is_some() => {
            let after = usize::from(rest.first() == Some(&","));
            let year = rest.get(after).and_then(|word| year(word));
            let length = if year.is_some() { 3 + after } else { 2 };
            one(length, place(year, month(name)?, day_number(day)?)?)
        }
        [name, "of", word, ..] if month(name).is_some() && year(word).is_some() => {
            let (from, to) = month_of(year(word)?, month(name)?);
            Some((3, from, to))
        }
        [name, ref rest @ ..] if month(name).is_some() => {
            let number = month(name)?;
            if let Some(year) = rest.first().and_then(|word| year(word)) {
                let (from, to) = month_of(year, number);
                return Some((2, from, to));
            }
            let first = nearest(Date::new(today.year(), number, 1).ok(), today.first_of_month(), direction)?;
            Some((1, first, first.last_of_month()))
        }
        [word, ..] if year(word).is_some() => {
            let (from, to) = year_of(year(word)?);
            Some((1, from, to))
        }
        [word, ..] if word.len() == 10 && word.parse::<Date>().is_ok() => one(1, word.parse().ok()?),
        [name, ref rest @ ..] if season(name, 2000).is_some() => {
            let after = usize::from(rest.first() == Some(&"of"));
            let year = rest.get(after).and_then(|word| year(word));
            let (from, to) = if let Some(year) = year {
                season(name, year)?
            } else {
                let from = nearest(season(name, today.year()).map(|(from, _)| from), today, direction)?;
                season(name, from.year())?
            };
            Some((1 + if year.is_some() { 1 + after } else { 0 }, from, to))
        }
        [name, ..] if weekday(name).is_some() => {
            let wanted = weekday(name)?;
            let day = match direction {
                DateDirection::Past => today.nth_weekday(-1, wanted).ok()?,
                _ if today.weekday() == wanted => today,
                _ => today.nth_weekday(1, wanted).ok()?,
            };
            one(1, day)
        }
        ["the", "weekend", ..] => {
            let (from, to) = relative("this", "weekend", today)?;
            Some((2, from, to))
        }
        _ => {
            let (length, day) = holiday(words, today.year())?;
            let next = if day < today && direction != DateDirection::Past {
                holiday(words, today.year() + 1)?.1
            } else {
                day
            };
            one(length, next)
        }
    }
}

/// Moves a date to the year that fits the side.
fn nearest(this_year: Option<Date>, today: Date, direction: DateDirection) -> Option<Date> {
    let day = this_year?;
    let moved = |years: i32| day.checked_add(years.years()).ok();
    match direction {
        DateDirection::Past if day > today => moved(-1),
        DateDirection::Future if day < today => moved(1),
        DateDirection::Nearest if (day - today).get_days() > 183 => moved(-1),
        DateDirection::Nearest if (today - day).get_days() > 183 => moved(1),
        _ => Some(day),
    }
}

/// Reads `last week`, `next Tuesday`, `this summer`.
fn relative(which: &str, unit: &str, today: Date) -> Option<(Date, Date)> {
    let step = match which {
        "last" | "past" => -1,
        "next" => 1,
        _ => 0,
    };
    let monday = add_days(today, -i64::from(today.weekday().to_monday_zero_offset()));
    match unit {
        "week" => Some((add_days(monday, 7 * step), add_days(monday, 7 * step + 6))),
        "weekend" => Some((add_days(monday, 7 * step + 5), add_days(monday, 7 * step + 6))),
        "month" => {
            let first = add_months(today.first_of_month(), step);
            Some((first, first.last_of_month()))
        }
        "year" => Some(year_of(today.year() + i16::try_from(step).ok()?)),
        _ => {
            if let Some(wanted) = weekday(unit) {
                let day = match step {
                    -1 => today.nth_weekday(-1, wanted).ok()?,
                    _ if today.weekday() == wanted && step == 0 => today,
                    _ => today.nth_weekday(1, wanted).ok()?,
                };
                return Some((day, day));
            }
            if let Some(number) = month(unit) {
                let direction = if step < 0 { DateDirection::Past } else { DateDirection::Future };
                let first =
                    nearest(Date::new(today.year(), number, 1).ok(), today.first_of_month(), direction)?;
                return Some((first, first.last_of_month()));
            }
            let (from, to) = season(unit, today.year())?;
            match step {
                -1 if to >= today => season(unit, today.year() - 1),
                1 if from <= today => season(unit, today.year() + 1),
                _ => Some((from, to)),
            }
        }
    }
}

/// Returns the number of days in a unit of time.
fn unit_days(word: &str) -> Option<i64> {
    Some(match word {
        "day" | "days" => 1,
        "week" | "weeks" | "wk" | "wks" => 7,
        "fortnight" => 14,
        "month" | "months" => 30,
        "year" | "years" | "yrs" | "yr" => 365,
        "decade" | "decades" => 3650,
        "hour" | "hours" | "minute" | "minutes" => 0,
        _ => return None,
    })
}

/// Reads `two weeks`, `a couple of months`, `about a year`; returns the number of words and of days.
pub fn duration(words: &[&str]) -> Option<(usize, i64)> {
    let mut at = 0;
    while words.get(at).is_some_and(|word| {
        words!("about around almost nearly over like roughly the last past just only").contains(*word)
    }) {
        at += 1;
    }
    let whole = words.get(at).copied()?;
    let (count, used) = match (whole, words.get(at + 1).copied(), words.get(at + 2).copied()) {
        ("a", Some("couple" | "few"), Some("of")) => (number(words[at + 1])?, 3),
        ("a", Some("couple" | "few"), _) => (number(words[at + 1])?, 2),
        ("couple", Some("of"), _) => (2, 2),
        ("half", Some("a" | "an"), _) => (0, 2),
        ("years" | "months" | "weeks" | "ages", _, _) => {
            return Some((at + 1, unit_days(whole).unwrap_or(365) * 4));
        }
        _ => match number(whole) {
            Some(count) => (count, 1),
            // `for the past year`
            None if at > 0 => (1, 0),
            None => return None,
        },
    };
    let days = unit_days(words.get(at + used)?)?;
    let total = if whole == "half" { days / 2 } else { count.clamp(0, 200) * days };
    Some((at + used + 1, total))
}
