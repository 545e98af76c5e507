//! The time at which a statement holds: `last week`, `since 2019`, `on 3 May`, `until Friday`.

use jiff::civil::Date;

use super::calendar::{
    DateDirection, add_days, add_months, day_number, duration, month, number, season, stretch, weekday, year,
};
use super::token::WordToken;
use super::verbs::{self, VerbForm};

/// The meaning of a time expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeKind {
    /// Within these days.
    At,
    Since,
    Until,
    /// Throughout the period: `from 2010 to 2015`.
    Throughout,
    /// At some past time: `as a child`, `years ago`.
    Past,
    /// At present: `these days`.
    Now,
    /// Repeatedly: `every morning`.
    Often,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeExpression {
    pub kind: TimeKind,
    pub from: Date,
    pub to: Date,
}

/// Reads a time at the beginning of the words and returns the number of words that express it.
pub fn read(tokens: &[WordToken], today: Date) -> Option<(usize, TimeExpression)> {
    let words: Vec<&str> = tokens.iter().take(9).map(|token| token.low.as_str()).collect();
    read_words(&words, today)
}

pub fn read_words(words: &[&str], today: Date) -> Option<(usize, TimeExpression)> {
    let when = |length: usize, kind: TimeKind, from: Date, to: Date| {
        Some((length, TimeExpression { kind, from, to }))
    };
    match *words {
        ["right", "now", ..] => when(2, TimeKind::Now, today, today),
        ["at", "the", "moment", ..] => when(3, TimeKind::Now, today, today),
        ["for", "now", ..] | ["these", "days", ..] | ["at", "present", ..] | ["as", "of"] => {
            when(2, TimeKind::Now, today, today)
        }
        ["as", "of", "today" | "now", ..] | ["from", "now", "on", ..] => when(3, TimeKind::Now, today, today),
        ["as", "of", "late", ..] => when(3, TimeKind::Now, today, today),
        ["as", "of", ref rest @ ..] => {
            let (length, from, _) = stretch(rest, today, DateDirection::Nearest)?;
            when(2 + length, TimeKind::Since, from.min(today), today)
        }
        ["now" | "nowadays" | "currently" | "presently", ..] => when(1, TimeKind::Now, today, today),
        ["as", "a", "child" | "kid" | "teenager" | "boy" | "girl" | "student" | "baby" | "teen", ..] => {
            when(3, TimeKind::Past, today, today)
        }
        ["back", "in", "the", "day", ..] => when(4, TimeKind::Past, today, today),
        ["in", "the", "past", ..]
        | ["in", "my", "youth" | "twenties" | "teens" | "thirties" | "childhood", ..] => {
            when(3, TimeKind::Past, today, today)
        }
        ["back", "then", ..] | ["growing", "up", ..] | ["ages" | "years", "ago", ..] => {
            when(2, TimeKind::Past, today, today)
        }
        ["once", "a" | "an" | "every" | "per" | "in" | "more" | "again", ..] => None,
        ["previously" | "formerly" | "once", "known" | "called" | "named", ..] => None,
        // *Once I have a dog* is about the future.
        ["once", "i" | "we" | "he" | "she" | "they", verb, ..] if is_of_today(verb) => None,
        ["previously" | "formerly" | "once", ..] => when(1, TimeKind::Past, today, today),
        ["a", "long", "time", "ago", ..] => when(4, TimeKind::Past, today, today),
        ["on", day, ..] if day.ends_with('s') && weekday(day.trim_end_matches('s')).is_some() => {
            when(2, TimeKind::Often, today, today)
        }
        ["from" | "between", ref rest @ ..] => {
            let (first, from, _) = stretch(rest, today, DateDirection::Nearest)?;
            let joins = matches!(rest.get(first), Some(&("to" | "until" | "and" | "through" | "-")));
            match joins.then(|| stretch(&rest[first + 1..], today, DateDirection::Nearest)).flatten() {
                Some((second, _, to)) => when(2 + first + second, TimeKind::Throughout, from, to),
                None if words[0] == "from" => when(1 + first, TimeKind::Since, from, today),
                None => None,
            }
        }
        ["since", "then", ..] => when(2, TimeKind::Now, today, today),
        // *Since six years I live here*: a typical phrase of German speakers.
        ["since", count, ref rest @ ..]
            if number(count).is_some()
                && matches!(rest.first(), Some(&("years" | "months" | "weeks" | "year" | "month")))
                && rest.get(1) != Some(&"ago") =>
        {
            let rest = &words[1..];
            let (length, days) = duration(rest)?;
            when(1 + length, TimeKind::Since, add_days(today, -days), today)
        }
        ["since" | "starting", ref rest @ ..] => {
            let skip = usize::from(matches!(
                rest.first(),
                Some(&("early" | "late" | "mid" | "about" | "around" | "on" | "in"))
            ));
            let (length, from, _) = stretch(&rest[skip..], today, DateDirection::Past)?;
            when(1 + skip + length, TimeKind::Since, from, today)
        }
        ["until" | "through" | "by", ref rest @ ..] => {
            // *Until the 30th*
            if let ["the", day, ..] = rest
                && stretch(rest, today, DateDirection::Future).is_none()
                && day.starts_with(|letter: char| letter.is_ascii_digit())
                && day.ends_with(|letter: char| letter.is_ascii_alphabetic())
            {
                let day = Date::new(today.year(), today.month(), day_number(day)?).ok()?;
                let day = if day < today { add_months(day, 1) } else { day };
                return when(3, TimeKind::Until, today, day);
            }
            let (length, _, to) = stretch(rest, today, DateDirection::Future)?;
            when(1 + length, TimeKind::Until, today, to)
        }
        ["for" | "over", ref rest @ ..] if duration(rest).is_some() => {
            let (length, days) = duration(rest)?;
            when(1 + length, TimeKind::Since, add_days(today, -days), today)
        }
        ["back", "in" | "on", ..] => {
            let (length, from, to) = stretch(words.get(2..)?, today, DateDirection::Past)?;
            when(2 + length, TimeKind::At, from, to)
        }
        ["in", "last" | "next" | "this", ..] => None,
        ["in", ..] if duration(&words[1..]).is_some() => {
            let (length, days) = duration(&words[1..])?;
            let day = add_days(today, days);
            // `in two weeks' time`
            let tail = match words.get(1 + length..) {
                Some(["'s", "time", ..]) => 2,
                Some(["time", ..]) => 1,
                _ => 0,
            };
            when(1 + length + tail, TimeKind::At, day, day)
        }
        [
            "in" | "on" | "during" | "around" | "over" | "at" | "this" | "sometime" | "early" | "late"
            | "mid",
            ..,
        ] => {
            let mut skip = usize::from(words[0] != "this");
            while matches!(words.get(skip), Some(&("in" | "early" | "late" | "mid" | "around" | "about"))) {
                skip += 1;
            }
            let named = stretch(&words[skip..], today, DateDirection::Nearest);
            let (length, from, to) = match named {
                Some(found) => found,
                None if words.get(skip) == Some(&"the") => {
                    let rest = &words[skip + 1..];
                    if let Some((length, from, to)) = stretch(rest, today, DateDirection::Nearest) {
                        (length + 1, from, to)
                    } else {
                        let day =
                            rest.first().filter(|word| word.ends_with(|c: char| c.is_ascii_alphabetic()))?;
                        let day = Date::new(today.year(), today.month(), day_number(day)?).ok()?;
                        let day = if day < today { add_months(day, 1) } else { day };
                        match rest.get(1..4) {
                            Some(["of", "next", "month"]) => {
                                let first = Date::new(today.year(), today.month(), day.day()).ok()?;
                                (5, add_months(first, 1), add_months(first, 1))
                            }
                            Some(["of", "this", "month"]) => (5, day, day),
                            _ => (2, day, day),
                        }
                    }
                }
                None => return None,
            };
            when(skip + length, TimeKind::At, from, to)
        }
        [first, ..] => {
            if let Some((length, days)) = duration(words) {
                match words.get(length) {
                    Some(&"ago" | &"back") => {
                        let day = add_days(today, -days);
                        return when(length + 1, TimeKind::At, day, day);
                    }
                    Some(&"from") if words.get(length + 1) == Some(&"now") => {
                        let day = add_days(today, days);
                        return when(length + 2, TimeKind::At, day, day);
                    }
                    _ => {}
                }
            }
            // A month or a year alone is often a name or a number.
            if month(first).is_some() && words.get(1).and_then(|word| day_number(word)).is_none()
                || year(first).is_some()
                || (weekday(first).is_some() && first.len() == 3)
                || season(first, 2000).is_some()
            {
                return None;
            }
            let (length, from, to) = stretch(words, today, DateDirection::Nearest)?;
            when(length, TimeKind::At, from, to)
        }
        [] => None,
    }
}

/// Reads a past time in a question: `in March`, `last year`, `two months ago`.
pub fn past(words: &[&str], today: Date) -> Option<(usize, Date, Date)> {
    let skip = words
        .iter()
        .take_while(|word| {
            words!("in on during back around early late mid at of as the start beginning end by over")
                .contains(**word)
        })
        .count();
    if let Some((length, from, to)) = stretch(&words[skip..], today, DateDirection::Past) {
        // `at the beginning of last year` means its first months.
        let days = i64::from((to - from).get_days());
        let edge = |word: &str| words[..skip].contains(&word);
        let (from, to) = if days > 20 && (edge("start") || edge("beginning") || edge("early")) {
            (from, add_days(from, days / 5))
        } else if days > 20 && (edge("end") || edge("late")) {
            (add_days(to, -days / 5), to)
        } else {
            (from, to)
        };
        return Some((skip + length, from, to));
    }
    match read_words(words, today)? {
        (length, TimeExpression { kind: TimeKind::At, from, to }) if from <= today => {
            Some((length, from, to))
        }
        _ => None,
    }
}

fn is_of_today(verb: &str) -> bool {
    matches!(verb, "am" | "is" | "are" | "has")
        || verbs::lemma(verb).is_some_and(|(_, form)| matches!(form, VerbForm::Base | VerbForm::Third))
}

pub fn is_season(word: &str) -> bool {
    season(word, 2000).is_some()
}

pub fn is_year(word: &str) -> bool {
    year(word).is_some()
}
