//! Requests that need no model: the time, the date, calculations, opening a program, and forgetting something. Pure
//! functions of a text and the time.
//!
//! A message takes this path only if the whole of it is such a request. Anything else is answered by the model.

mod arithmetic;
mod opening;

use jiff::Zoned;
use serde_json::{Map, Value};

use crate::forgetting;
use crate::requested_call::RequestedCall;

/// A result that needs no model.
#[derive(Debug)]
pub enum FastAnswer {
    Words(String),
    /// A tool call, which passes the permission check like any other.
    Call(RequestedCall),
}

/// Returns the answer or tool call for a message that needs no model.
pub fn fast_answer(message: &str, now: &Zoned) -> Option<FastAnswer> {
    answer(message, now)
        .map(FastAnswer::Words)
        .or_else(|| Some(call("open", "target", opening::target(message)?)))
        .or_else(|| Some(call("forget", "what", forgetting::what_to_forget(message)?)))
}

fn call(tool: &str, argument: &str, value: String) -> FastAnswer {
    let arguments = Map::from_iter([(argument.to_owned(), Value::String(value))]);
    FastAnswer::Call(RequestedCall::new(tool, arguments))
}

/// Returns the answer, if the message can be answered directly.
pub fn answer(message: &str, now: &Zoned) -> Option<String> {
    let request = normalise(message)?;
    about_now(&request, now).or_else(|| arithmetic::answer(&request))
}

/// The greatest length of a message for the fast path, in bytes.
const LONGEST: usize = 120;

fn normalise(message: &str) -> Option<String> {
    let trimmed = message.trim();
    if trimmed.is_empty() || trimmed.len() > LONGEST || trimmed.contains('\n') {
        return None;
    }
    let lower = trimmed.to_lowercase().replace('\u{2019}', "'");
    let without_end = lower.trim_end_matches(['?', '!', '.', ' ', '=']);
    let words =
        without_end.trim_start_matches("hey ").trim_start_matches("luna, ").trim_start_matches("luna ");
    let words = words.trim_start_matches("please ").trim_end_matches(" please").trim_end_matches(',');
    Some(words.trim().to_owned())
}

fn about_now(request: &str, now: &Zoned) -> Option<String> {
    const TIME: [&str; 9] = [
        "what time is it",
        "what time is it now",
        "what's the time",
        "what is the time",
        "tell me the time",
        "do you know what time it is",
        "can you tell me the time",
        "time",
        "the time",
    ];
    const DATE: [&str; 12] = [
        "what's the date",
        "what is the date",
        "what's the date today",
        "what is the date today",
        "what's today's date",
        "what is today's date",
        "what date is it",
        "what date is it today",
        "what day is it",
        "what day is it today",
        "what day is today",
        "tell me the date",
    ];
    if TIME.contains(&request) {
        return Some(format!("It is {}.", now.strftime("%H:%M")));
    }
    if DATE.contains(&request) {
        return Some(format!("It is {}.", now.strftime("%A, %-d %B %Y")));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_night() -> Zoned {
        "2026-11-15T22:04:00+01:00[Europe/Berlin]".parse().unwrap()
    }

    #[test]
    fn the_time_and_the_date_are_local() {
        let cases = [
            ("What time is it?", "It is 22:04."),
            ("what\u{2019}s the time", "It is 22:04."),
            ("  Time?  ", "It is 22:04."),
            ("Hey Luna, what time is it please?", "It is 22:04."),
            ("What's the date today?", "It is Sunday, 15 November 2026."),
            ("what day is it", "It is Sunday, 15 November 2026."),
        ];
        for (message, expected) in cases {
            assert_eq!(answer(message, &at_night()).as_deref(), Some(expected), "{message}");
        }
    }

    #[test]
    fn what_needs_a_mind_goes_to_the_model() {
        let others = [
            "",
            "   ",
            "What time is it in Tokyo?",
            "What time is it?\nAnd how are you?",
            "Is it time?",
            "What is the date of Easter?",
            "Tell me about time",
            "Hello",
        ];
        for message in others {
            assert_eq!(answer(message, &at_night()), None, "{message}");
        }
    }
}
