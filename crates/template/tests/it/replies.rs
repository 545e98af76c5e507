//! The replies of a family, plain, with thoughts, with calls, hostile and broken, each with the expected result.

use serde_json::{Map, Value, json};

use crate::families::{Call, Family};

pub struct Reply {
    pub name: String,
    /// The model's output. It includes the opening mark of a thought unless the prompt opens it.
    pub text: String,
    /// True if the prompt has opened a thought.
    pub is_opened: bool,
    pub expected: Expected,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expected {
    /// The text without white space at its ends.
    pub text: String,
    pub reasoning: String,
    pub calls: Vec<(String, Value)>,
}

/// Returns the tools that every reply may call, with their parameters.
pub fn tools() -> Vec<(&'static str, Value)> {
    let text = || json!({"type": "string"});
    let weather = json!({
        "city": text(), "days": {"type": "integer"}, "metric": {"type": "boolean"}, "limit": {"type": "number"},
        "tags": {"type": "array", "items": text()}, "where": {"type": "object"},
    });
    vec![
        ("get_weather", json!({"type": "object", "properties": weather})),
        ("write_file", json!({"type": "object", "properties": {"path": text(), "content": text()}})),
        ("now", json!({"type": "object", "properties": {}})),
    ]
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

const WORDS: &str = "It rains in Lyon, *all* day.\n\n- Take a coat.\n- a < b, {x} and [y]";
const THOUGHT: &str = "The user asks for Lyon.\nI should look {it} up.";

/// Arguments that are hard to parse.
fn hostile(family: &Family) -> Vec<(&'static str, String)> {
    let own = (family.calls)(&[("now", &Map::new())]);
    let mut texts = vec![
        ("quotes", r#"she said "no", it's 'fine'"#.to_owned()),
        ("braces", "fn main() { let a = [1, {2}]; } }} ]] ))".to_owned()),
        ("lines", "first\n\n  second\tthird".to_owned()),
        ("a line at the end", "first\nlast\n".to_owned()),
        ("other scripts", "月は☾ ça 🌙 ｜".to_owned()),
        ("backslashes", r"C:\dir\n and \\d+".to_owned()),
        ("JSON", r#"{"name": "now", "arguments": {}}"#.to_owned()),
        ("tags", "<b>bold</b> <think>x</think> </tool_call> [TOOL_CALLS]".to_owned()),
        ("empty", String::new()),
    ];
    // Formats that cannot escape their own marks cannot contain them in a value.
    let escapes = !matches!(
        family.name,
        "qwen3_coder"
            | "glm"
            | "hunyuan_pairs"
            | "minimax"
            | "seed_oss"
            | "deepseek_v32"
            | "function_gemma"
            | "gemma4"
    );
    if escapes {
        texts.push(("a call of its own", own));
    }
    texts
}

pub fn replies(family: &Family) -> Vec<Reply> {
    let simple = map(json!({"city": "Lyon"}));
    let none = Map::new();
    let typed = map(json!({
        "city": "Saint-Étienne", "days": 3, "metric": true, "limit": 2.5, "tags": ["a", "b, c"],
        "where": {"name": "home", "near": [1, 2]},
    }));
    let write = |calls: &[Call<'_>]| (family.calls)(calls);
    let call: Call<'_> = ("get_weather", &simple);
    let made = vec![("get_weather".to_owned(), json!({"city": "Lyon"}))];
    let (before, after) = family.words;
    let words = |text: &str| format!("{before}{text}{after}");
    let mut replies = Vec::new();
    let mut add = |name: &str, text: String, expected: Expected| {
        // If the prompt opens the thought, a reply without one closes it first.
        let close = family.thought.map_or("", |(_, close)| close);
        let text = if family.is_opened { format!("{close}{text}") } else { text };
        replies.push(Reply { name: name.to_owned(), text, is_opened: family.is_opened, expected });
    };
    let said = |text: &str| Expected { text: text.trim().to_owned(), ..Expected::default() };
    let called = |calls: &[(String, Value)]| Expected { calls: calls.to_vec(), ..Expected::default() };

    add("words", words(WORDS), said(WORDS));
    add("a call", write(&[call]), called(&made));
    add("no arguments", write(&[("now", &none)]), called(&[("now".to_owned(), json!({}))]));
    add("all types", write(&[("get_weather", &typed)]), called(&[("get_weather".to_owned(), json!(typed))]));
    if !family.is_single {
        let both = [made[0].clone(), ("now".to_owned(), json!({})), made[0].clone()];
        add("three calls", write(&[call, ("now", &none), call]), called(&both));
    }
    // A call without an opening mark begins on its own line.
    let text = "Let me look.";
    let with_words = Expected { text: text.to_owned(), calls: made.clone(), ..Expected::default() };
    if write(&[call]).trim_start().starts_with(['<', '[']) && family.name != "llama4" {
        let text = format!("{}{}", words_before_call(family, text), write(&[call]).trim_start());
        add("a call right behind words", text, with_words.clone());
    }
    add("words and a call", format!("{}\n{}", words_before_call(family, text), write(&[call])), with_words);
    let fenced = format!("So it is written:\n```\n{}\n```\nThat is all.", write(&[call]).trim());
    if !write(&[call]).contains("```") {
        add("in a fence", words(&fenced), said(&fenced));
    }
    if before.is_empty() {
        let told =
            "There a turn ends with <|im_end|> or <|END_OF_TURN_TOKEN|> or </s>, and <end_of_turn> for some.";
        add("ends of turns in a sentence", told.to_owned(), said(told));
    }
    if let Some((_, close)) = family.thought.filter(|_| before.is_empty()) {
        let told = format!("Some write {} there.", close.trim());
        add("a mark in a sentence", told.clone(), said(&told));
        // A model that was told not to think closes a thought that it has not opened.
        add("a mark by itself", format!("{}\n\n{WORDS}\n\n{}\n", close.trim(), close.trim()), said(WORDS));
    }
    for (what, content) in hostile(family) {
        let arguments = map(json!({"path": "a.md", "content": content}));
        let expected = [("write_file".to_owned(), json!(arguments))];
        add(&format!("hostile: {what}"), write(&[("write_file", &arguments)]), called(&expected));
    }
    if let Some((open, close)) = family.thought {
        let mut think = |name: &str, thought: &str, rest: &str, expected: Expected| {
            let text = format!("{}{thought}{close}{rest}", if family.is_opened { "" } else { open });
            let expected = Expected { reasoning: thought.to_owned(), ..expected };
            replies.push(Reply { name: name.to_owned(), text, is_opened: family.is_opened, expected });
        };
        think("a thought and words", THOUGHT, &words(WORDS), said(WORDS));
        think("a thought and a call", THOUGHT, &write(&[call]), called(&made));
        let inside = format!("I could do this:\n{}\nNo.", write(&[call]));
        think("a call in a thought", &inside, &words(WORDS), said(WORDS));
        let other = "Not now:\n<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>\nnow()";
        think("somebody else's call in a thought", other, &words(WORDS), said(WORDS));
        if !family.is_opened && before.is_empty() {
            let text = format!("Let me see. {}{inside}{close}{WORDS}", open.trim());
            let expected = Expected { reasoning: inside, ..said(&format!("Let me see. {WORDS}")) };
            let name = "a call in a thought behind words".to_owned();
            replies.push(Reply { name, text, is_opened: false, expected });
        }
    }
    replies
}

fn words_before_call(family: &Family, text: &str) -> String {
    match family.name {
        "gpt_oss" => format!("<|channel|>commentary<|message|>{text}<|end|><|start|>assistant"),
        "cohere_r7b" => format!("<|START_RESPONSE|>{text}<|END_RESPONSE|>"),
        _ => text.to_owned(),
    }
}
