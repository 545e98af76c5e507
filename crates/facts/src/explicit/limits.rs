//! Recognises words that limit a statement to certain times: *for Lent*, *on weekdays*.

use crate::MONTHS;

pub struct Limit<'a> {
    /// The word for the time.
    pub word: &'a str,
    /// True if the time is a single past or passing occasion.
    pub is_once: bool,
}

/// Returns the first limit in words in lower case.
pub fn limit<'a>(words: &[&'a str]) -> Option<Limit<'a>> {
    // *I've been vegan for a month* continues.
    let goes_on = words.iter().any(|word| words!("i've we've have has been haven't hasn't").contains(*word));
    // *I started baking during lockdown* may continue.
    let begins = words.iter().any(|word| words!("started began begun became took turned").contains(*word));
    (0..words.len()).find_map(|at| {
        let (word, is_once) = match &words[at..] {
            ["for", "dry", month, ..] if is_month(month) => (*month, true),
            ["for", time, ..] if is_fast(time) || is_month(time) => (*time, true),
            ["for", "a" | "one" | "the" | "two" | "three" | "four" | "six", span, ..]
                if !goes_on && is_span(span) =>
            {
                (*span, false)
            }
            ["during", "the", time, ..] | ["during" | "until" | "till" | "til", time, ..] if !begins => {
                (*time, false)
            }
            ["this", time, ..]
                if !begins && (is_month(time) || words!("week month weekend lent").contains(*time)) =>
            {
                (*time, false)
            }
            ["on", day, ..] if is_weekday(day) => (*day, false),
            ["at", "home", ..] => ("home", false),
            _ => return None,
        };
        Some(Limit { word, is_once })
    })
}

fn is_fast(word: &str) -> bool {
    words!("lent ramadan advent veganuary movember passover navratri").contains(word)
}

fn is_month(word: &str) -> bool {
    MONTHS.contains(&word)
}

fn is_span(word: &str) -> bool {
    words!("day days week weeks month months while bit weekend").contains(word)
}

fn is_weekday(word: &str) -> bool {
    words!("weekdays weekends mondays tuesdays wednesdays thursdays fridays saturdays sundays").contains(word)
}
