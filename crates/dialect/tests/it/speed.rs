//! Time is linear in the length of a reply, whatever it says.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dialect::{Parser, Vocabulary};

const SMALL: usize = 16 << 10;
const TIMES: u32 = 16;
/// A quadratic parser takes as much more as the text is longer.
const SLACK: u32 = 4;

/// Fills a text with what has cost other parsers dear.
const RUNS: [&str; 56] = [
    "[",
    "]",
    "{",
    "}",
    "<",
    "(",
    ")",
    "\"",
    "'",
    "`",
    "~",
    "\\",
    " ",
    "\n",
    "\t",
    "{\n",
    "[\n",
    "\n{\"",
    "- ",
    "> ",
    "1",
    "1. ",
    "w\n",
    "\n```",
    "[WIDGET:{",
    "[WIDGET:",
    "[WEB_SEARCH:[",
    "[WEB_SEARCH:\"",
    "[WEB_SEARCH",
    "[WEB_SEARCH:x]",
    "\"[WEB_SEARCH:x]",
    "{\"tool\"",
    "{\"tool\"\n",
    "{\"tool\":\"web_search\",\n",
    "[{",
    "[ ",
    "<tool_call>{",
    "<tool_call>",
    "<tool_call> ",
    "x<tool_call>{\"name\":\"web_search\"}</tool_call>",
    "<tool_call><function=web_searc",
    "<function=web_search><parameter=a>",
    "<invoke name=\"",
    "<think></think>",
    "<think>x</thin",
    "web_search(",
    "web_search(\n",
    "web_search()\n",
    "web_search(1,",
    "[TOOL_CALLS] ",
    "[TOOL_CALLS][",
    "[TOOL_CALLS]web_search[ARGS]",
    "[TOOL_CALL: ",
    "<|python_tag|>{",
    "```tool_code\n",
    "🌙",
];
/// Opens something that a long run follows.
const OPENINGS: [&str; 12] = [
    "[WIDGET:{\"a\":",
    "[WEB_SEARCH:",
    "<tool_call>{",
    "{\"tool\":\"web_search\",\"args\":",
    "{\"tool\":\"web_search\",\"args\":\"",
    "web_search(",
    "web_search()",
    "[TOOL_CALLS]",
    "<|python_tag|>{",
    "```tool_code\n",
    "<function=web_search><parameter=x>",
    "<think>",
];
const FILLINGS: [&str; 16] =
    ["[", "{", "}", "\"", "' ", "\\\"", " ", "\n", "1,", "a=1,", "a", "{}", "<", "`", "]}", "{\"a\":"];
/// Closes whatever was open, so that all of it is read as a call.
const CLOSING: &str = "\"}]})</parameter></function></tool_call>\n```\n";

fn fill(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len())
}

fn time(reply: &str, vocabulary: &Arc<Vocabulary>) -> Duration {
    let started = Instant::now();
    let mut parser = Parser::new(Arc::clone(vocabulary));
    parser.push(reply);
    parser.finish();
    started.elapsed()
}

/// Whether a text that is so many times as long takes about so many times as long. Other work on the machine may
/// disturb a measurement, so it is repeated before it counts.
fn is_linear(small: &str, large: &str, vocabulary: &Arc<Vocabulary>) -> bool {
    (0..5).any(|_| {
        let unit = time(small, vocabulary).max(Duration::from_micros(200));
        time(large, vocabulary) < unit * TIMES * SLACK
    })
}

#[test]
fn hostile_replies_take_linear_time() {
    let vocabulary = Arc::new(Vocabulary::new(["web_search"], ["WEB_SEARCH", "WIDGET"]).with_fences());
    let mut slow = String::new();
    let large = SMALL * TIMES as usize;
    for run in RUNS {
        if !is_linear(&fill(run, SMALL), &fill(run, large), &vocabulary) {
            writeln!(slow, "{run:?}").unwrap();
        }
    }
    for opening in OPENINGS {
        for filling in FILLINGS {
            let reply = |size| format!("{opening}{}{CLOSING}", fill(filling, size));
            if !is_linear(&reply(SMALL), &reply(large), &vocabulary) {
                writeln!(slow, "{opening:?} and {filling:?}").unwrap();
            }
        }
    }
    assert!(slow.is_empty(), "not linear:\n{slow}");
}

#[test]
fn ten_megabytes_of_brackets_are_read_in_seconds() {
    let vocabulary = Arc::new(Vocabulary::new(["web_search"], ["WEB_SEARCH", "WIDGET"]));
    for run in ["[", "[WIDGET:{", "<tool_call>{", "{\"tool\"\n"] {
        let took = time(&fill(run, 10_000_000), &vocabulary);
        assert!(took < Duration::from_secs(10), "{run:?} took {took:?}");
    }
}

#[test]
fn a_long_call_that_comes_in_small_pieces_takes_linear_time() {
    let vocabulary = Arc::new(Vocabulary::new(["web_search"], ["WIDGET"]));
    let reply = format!("[WIDGET:{{\"a\":\"{}\"}}]", "moon ".repeat(100_000));
    let started = Instant::now();
    let mut parser = Parser::new(vocabulary);
    let pieces: usize =
        reply.as_bytes().chunks(5).map(|piece| parser.push(str::from_utf8(piece).unwrap()).len()).sum();
    assert_eq!((pieces, parser.finish().len()), (1, 0));
    assert!(started.elapsed() < Duration::from_secs(5));
}
