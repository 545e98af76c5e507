//! Parsing takes linear time in the length of a reply, for any content.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dialect::{ReplyParser, ReplyPart, ReplyVocabulary};

use crate::random::Random;

const SMALL: usize = 8 << 10;
const TIMES: u32 = 16;
/// The tolerance for measurement noise. The time of a quadratic parser grows by the length factor once more.
const SLACK: u32 = 4;
/// The number of measurements. The best one counts, since other work on the machine may disturb some.
const ROUNDS: usize = 20;
const WHOLE: usize = usize::MAX;

/// Fragments that repeat, chosen for their cost in other parsers.
const RUNS: [&str; 75] = [
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
    "<tool_call>\n<function=web_search>\n<parameter=a>\nx\n</function>",
    "<arg_key>a</arg_key><arg_value>",
    "<tool_call>web_search\n<arg_key>",
    "<|tool_call_begin|>web_search",
    "<|tool_call_start|>[",
    "<start_function_call>call:web_search{a:<escape>",
    "<|channel|>",
    "<|channel|>analysis<|message|>x",
    "{{\"name\": \"",
    "{\"name\": \"web_search\", \"arguments\": {}}; ",
    "functools[",
    "a <think> ",
    ". <think>",
    "a. <think>x</think> ",
    "a {{\"name\": \"web_search\"",
    "a {{",
    "<function=web_search><parameter=a>x<parameter=b>",
    "<tool_call>web_search\n<arg_key>a</arg_key><arg_value>\n<arg_key>b</arg_key><arg_value>",
    "< tool_call",
];
/// Openings before a long run of a fragment.
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
/// Closes all possible openings, so that the whole text is read as a call.
const CLOSING: &str = "\"}]})</parameter></function></tool_call>\n```\n";

fn fill(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len())
}

/// Returns a random sequence of all fragments.
fn mixture(seed: u64, size: usize) -> String {
    let mut random = Random::new(seed);
    let mut text = String::with_capacity(size + 64);
    while text.len() < size {
        text += *random.pick(&RUNS);
    }
    text
}

/// Returns the time to parse a reply in pieces of about `piece` bytes.
fn time(reply: &str, piece: usize, vocabulary: &Arc<ReplyVocabulary>) -> Duration {
    let started = Instant::now();
    let mut parser = ReplyParser::new(Arc::clone(vocabulary));
    let mut rest = reply;
    while !rest.is_empty() {
        let (next, after) = rest.split_at(rest.ceil_char_boundary(piece.min(rest.len())));
        parser.push(next);
        rest = after;
    }
    parser.finish();
    started.elapsed()
}

/// Returns true if the time grows in proportion to the length.
fn is_linear(small: &str, large: &str, piece: usize, vocabulary: &Arc<ReplyVocabulary>) -> bool {
    let (mut unit, mut total) = (Duration::MAX, Duration::MAX);
    (0..ROUNDS).any(|_| {
        unit = unit.min(time(small, piece, vocabulary));
        total = total.min(time(large, piece, vocabulary));
        total < unit.max(Duration::from_millis(1)) * TIMES * SLACK
    })
}

#[test]
fn hostile_replies_take_linear_time() {
    let vocabulary = Arc::new(
        ReplyVocabulary::new(["web_search"], ["WEB_SEARCH", "WIDGET"])
            .with_fences(&["tool_code", "tool_call"]),
    );
    let mut slow = String::new();
    let large = SMALL * TIMES as usize;
    let mut check = |what: String, reply: &dyn Fn(usize) -> String| {
        for piece in [WHOLE, 4] {
            if !is_linear(&reply(SMALL), &reply(large), piece, &vocabulary) {
                writeln!(slow, "{what} in pieces of {piece}").unwrap();
            }
        }
    };
    for run in RUNS {
        check(format!("{run:?}"), &|size| fill(run, size));
    }
    for opening in OPENINGS {
        for filling in FILLINGS {
            let reply = |size| format!("{opening}{}{CLOSING}", fill(filling, size));
            check(format!("{opening:?} and {filling:?}"), &reply);
        }
    }
    for seed in 0..8 {
        check(format!("a mixture, {seed}"), &|size| mixture(seed, size));
    }
    assert!(slow.is_empty(), "not linear:\n{slow}");
}

/// The limit allows for unoptimized builds on a busy machine; `cargo xtask bench dialect` is stricter.
#[test]
fn ten_megabytes_of_brackets_are_read_in_seconds() {
    let vocabulary = Arc::new(ReplyVocabulary::new(["web_search"], ["WEB_SEARCH", "WIDGET"]));
    for run in ["[", "[WIDGET:{", "<tool_call>{", "{\"tool\"\n", "web_search("] {
        let reply = fill(run, 10_000_000);
        let took = (0..3).map(|_| time(&reply, WHOLE, &vocabulary)).min().unwrap();
        assert!(took < Duration::from_secs(10), "{run:?} took {took:?}");
    }
}

#[test]
fn a_long_call_is_held_back_whole_and_an_endless_one_is_text() {
    let vocabulary = Arc::new(ReplyVocabulary::new(["web_search"], ["WIDGET"]));
    for (words, expected) in [(40_000, "call"), (400_000, "text")] {
        let reply = format!("[WIDGET:{{\"a\":\"{}\"}}]", "moon ".repeat(words));
        let mut parser = ReplyParser::new(Arc::clone(&vocabulary));
        let mut pieces: Vec<ReplyPart> =
            reply.split_inclusive(' ').flat_map(|word| parser.push(word)).collect();
        pieces.extend(parser.finish());
        let text: usize =
            pieces.iter().map(|piece| if let ReplyPart::Text(text) = piece { text.len() } else { 0 }).sum();
        match expected {
            "call" => assert!(matches!(pieces.as_slice(), [ReplyPart::Call(_)]), "{words}"),
            _ => assert_eq!(text, reply.len(), "{words}"),
        }
    }
}
