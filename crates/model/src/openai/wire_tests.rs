use serde_json::json;

use super::*;
use crate::http::ResponsePart;

fn parse(messages: &[Value]) -> (Vec<ResponsePart>, ParsedResponse) {
    let mut wire = OpenAiWire::default();
    let mut parsed = ParsedResponse::default();
    for message in messages {
        assert_eq!(wire.parse(message, &mut parsed), StreamProgress::GoOn, "{message}");
    }
    (parsed.take(), parsed)
}

fn delta(delta: &Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn finish(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

fn text(text: &str) -> ResponsePart {
    ResponsePart::Text(text.to_owned())
}

fn reasoning(text: &str) -> ResponsePart {
    ResponsePart::Reasoning(text.to_owned())
}

#[test]
fn text_and_reasoning_are_told_apart_in_every_spelling() {
    let cases = [
        (delta(&json!({ "role": "assistant", "content": "" })), vec![]),
        (delta(&json!({ "content": "Hi" })), vec![text("Hi")]),
        (delta(&json!({ "content": null, "reasoning_content": "hm" })), vec![reasoning("hm")]),
        (delta(&json!({ "content": "", "reasoning": "hm" })), vec![reasoning("hm")]),
        (delta(&json!({ "reasoning": "hm", "reasoning_content": "hm" })), vec![reasoning("hm")]),
        (delta(&json!({ "content": [{ "type": "text", "text": "Hi" }] })), vec![text("Hi")]),
        (
            delta(
                &json!({ "content": [{ "type": "thinking", "thinking": [{ "type": "text", "text": "hm" }] }] }),
            ),
            vec![reasoning("hm")],
        ),
        (json!({ "choices": [{ "message": { "content": "whole" } }] }), vec![text("whole")]),
        (json!({ "choices": [] }), vec![]),
    ];
    for (message, expected) in cases {
        assert_eq!(parse(std::slice::from_ref(&message)).0, expected, "{message}");
    }
}

#[test]
fn finish_reasons_have_meaning() {
    let call = delta(
        &json!({ "tool_calls": [{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{}" } }] }),
    );
    let cases = [
        (vec![finish("stop")], StopReason::End),
        (vec![finish("length")], StopReason::Length),
        (vec![call.clone(), finish("tool_calls")], StopReason::ToolCalls),
        (vec![call, finish("stop")], StopReason::ToolCalls),
        (vec![finish("eos")], StopReason::End),
    ];
    for (messages, expected) in cases {
        assert_eq!(parse(&messages).1.stop, Some(expected), "{messages:?}");
    }
    let mut parsed = ParsedResponse::default();
    assert_eq!(OpenAiWire::default().parse(&finish("content_filter"), &mut parsed), StreamProgress::Filtered);
    assert_eq!(OpenAiWire::default().parse(&json!({ "hello": 1 }), &mut parsed), StreamProgress::Unknown);
    assert_eq!(OpenAiWire::default().parse(&json!("hello"), &mut parsed), StreamProgress::Unknown);
}

/// Joins fragments into calls of (ID, name, arguments).
fn calls(pieces: &[Value]) -> Vec<(String, String, String)> {
    let messages: Vec<_> = pieces.iter().map(|piece| delta(&json!({ "tool_calls": [piece] }))).collect();
    let mut calls: Vec<(String, String, String)> = Vec::new();
    for part in parse(&messages).0 {
        let ResponsePart::ToolCall(piece) = part else { panic!("{part:?}") };
        if piece.index as usize == calls.len() {
            calls.push((piece.id.clone().expect("the first piece has an id"), String::new(), String::new()));
        } else {
            assert_eq!(piece.id, None);
        }
        let call = &mut calls[piece.index as usize];
        call.1.push_str(piece.name.as_deref().unwrap_or_default());
        call.2.push_str(&piece.arguments);
    }
    calls
}

fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}

#[test]
fn tool_calls_are_put_together_however_they_are_cut() {
    let by_the_book = [
        json!({ "index": 0, "id": "a", "type": "function", "function": { "name": "f", "arguments": "" } }),
        json!({ "index": 0, "function": { "arguments": "{\"x\"" } }),
        json!({ "index": 1, "id": "b", "function": { "name": "g", "arguments": "{}" } }),
        json!({ "index": 0, "function": { "arguments": ":1}" } }),
    ];
    assert_eq!(calls(&by_the_book), [call("a", "f", "{\"x\":1}"), call("b", "g", "{}")]);

    let id_and_name_repeated = [
        json!({ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{" } }),
        json!({ "index": 0, "id": "a", "function": { "name": "f", "arguments": "}" } }),
    ];
    assert_eq!(calls(&id_and_name_repeated), [call("a", "f", "{}")]);

    let all_numbered_zero = [
        json!({ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{}" } }),
        json!({ "index": 0, "id": "b", "function": { "name": "f", "arguments": "{}" } }),
    ];
    assert_eq!(calls(&all_numbered_zero), [call("a", "f", "{}"), call("b", "f", "{}")]);

    let without_numbers = [
        json!({ "id": "a", "function": { "name": "f", "arguments": { "x": 1 } } }),
        json!({ "id": "b", "function": { "name": "g", "arguments": "{" } }),
        json!({ "function": { "arguments": "}" } }),
    ];
    assert_eq!(calls(&without_numbers), [call("a", "f", "{\"x\":1}"), call("b", "g", "{}")]);
}

#[test]
fn a_call_without_an_id_gets_one_of_its_own() {
    let nameless = [
        json!({ "index": 0, "function": { "name": "f", "arguments": "{" } }),
        json!({ "index": 0, "function": { "arguments": "}" } }),
        json!({ "index": 1, "id": "", "function": { "name": "f", "arguments": "{}" } }),
    ];
    let calls = calls(&nameless);
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0].2, "{}");
    assert!(!calls[0].0.is_empty() && calls[0].0 != calls[1].0);
}

#[test]
fn usage_is_read_in_both_forms() {
    let usage = json!({ "prompt_tokens": 10, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": 8 } });
    let cases = [
        (json!({ "choices": [], "usage": usage }), TokenUsage { prompt: 10, cached: 8, completion: 3 }),
        (json!({ "usage": usage }), TokenUsage { prompt: 10, cached: 8, completion: 3 }),
        (
            json!({ "choices": [], "timings": { "cache_n": 90, "prompt_n": 10, "predicted_n": 5 } }),
            TokenUsage { prompt: 100, cached: 90, completion: 5 },
        ),
    ];
    for (message, expected) in cases {
        assert_eq!(parse(std::slice::from_ref(&message)).1.usage, Some(expected), "{message}");
    }
    assert_eq!(parse(&[json!({ "choices": [], "usage": null })]).1.usage, None);
}
