//! Joins calls that an API streams separately from the text of a reply.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::interpretation::named_arguments;
use crate::json::JsonExtent;

/// Joins the fragments of calls. Fragments of several calls may be interleaved; the index distinguishes them.
#[derive(Debug, Default)]
pub struct NativeCalls {
    by_index: BTreeMap<u32, Vec<PartialCall>>,
}

/// The fragments of one call so far.
#[derive(Debug, Default)]
struct PartialCall {
    id: String,
    name: String,
    arguments: String,
}

/// A tool call that a model made through its API.
#[derive(Debug, Clone, PartialEq)]
pub struct NativeCall {
    /// The id, or empty if the server gave none.
    pub id: String,
    pub name: String,
    /// The arguments by name, or the reason they cannot be read, as a message to the model.
    pub arguments: Result<Map<String, Value>, String>,
    /// The arguments as the model wrote them.
    pub raw: String,
}

impl NativeCalls {
    /// Adds the next fragment of a call.
    pub fn push(&mut self, index: u32, id: Option<&str>, name: Option<&str>, arguments: &str) {
        let (id, name) = (id.unwrap_or_default(), name.unwrap_or_default());
        let calls = self.by_index.entry(index).or_default();
        // Some servers use the same index for every call, and others a new id for every fragment. Therefore only a name
        // with a different id begins another call.
        let begins = calls
            .last()
            .is_none_or(|call| !name.is_empty() && !id.is_empty() && !call.id.is_empty() && call.id != id);
        if begins {
            calls.push(PartialCall::default());
        }
        let Some(call) = calls.last_mut() else { return };
        if call.id.is_empty() {
            call.id.push_str(id);
        }
        // A name may arrive whole, in parts, or whole with every fragment.
        if call.name != name {
            call.name.push_str(name);
        }
        call.arguments.push_str(arguments);
    }

    /// Returns the calls in the order of their indexes.
    pub fn finish(self) -> Vec<NativeCall> {
        let calls = self.by_index.into_values().flatten();
        calls
            .map(|PartialCall { id, name, arguments: raw }| NativeCall {
                arguments: read(&name, raw.trim()),
                id,
                name,
                raw,
            })
            .collect()
    }
}

/// Reads the arguments. Truncated ones are not completed, since half of a text is not the intended one.
fn read(name: &str, text: &str) -> Result<Map<String, Value>, String> {
    if text.is_empty() {
        return Ok(Map::new());
    }
    let mut extent = JsonExtent::default();
    for next in text.chars() {
        extent.feed(next);
    }
    if extent.is_cut_off() {
        return Err(format!("the arguments of {name} were cut off; make the whole call again"));
    }
    named_arguments(name, text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    type Fragment<'a> = (u32, Option<&'a str>, Option<&'a str>, &'a str);

    fn join(pieces: &[Fragment<'_>]) -> Vec<NativeCall> {
        let mut calls = NativeCalls::default();
        for &(index, id, name, arguments) in pieces {
            calls.push(index, id, name, arguments);
        }
        calls.finish()
    }

    /// Returns the id, name and arguments of each call.
    fn read_calls(pieces: &[Fragment<'_>]) -> Value {
        let calls = join(pieces).into_iter();
        calls
            .map(|call| json!([call.id, call.name, call.arguments.map_or_else(Value::String, Value::Object)]))
            .collect()
    }

    #[test]
    fn pieces_become_calls() {
        let cases: [(&str, &[Fragment<'_>], Value); 10] = [
            ("no pieces", &[], json!([])),
            ("one piece", &[(0, Some("a"), Some("get_time"), "{}")], json!([["a", "get_time", {}]])),
            (
                "arguments in pieces, cut anywhere",
                &[
                    (0, Some("a"), Some("web_search"), ""),
                    (0, None, None, "{\"que"),
                    (0, None, None, "ry\": \"the \\"),
                    (0, None, None, "\"moon\\\"\"}"),
                ],
                json!([["a", "web_search", {"query": "the \"moon\""}]]),
            ),
            (
                "two calls in turns, the later index first",
                &[
                    (1, Some("b"), Some("web_search"), "{\"query\":"),
                    (0, Some("a"), Some("get_time"), "{"),
                    (1, None, None, "\"moon\"}"),
                    (0, None, None, "}"),
                ],
                json!([["a", "get_time", {}], ["b", "web_search", {"query": "moon"}]]),
            ),
            (
                "a name in pieces",
                &[(0, Some("a"), Some("web_"), ""), (0, None, Some("search"), ""), (0, None, None, "{}")],
                json!([["a", "web_search", {}]]),
            ),
            (
                "id and name with every piece",
                &[
                    (0, Some("a"), Some("web_search"), "{\"query\":"),
                    (0, Some("a"), Some("web_search"), "\"moon\"}"),
                ],
                json!([["a", "web_search", {"query": "moon"}]]),
            ),
            (
                "another id with every piece",
                &[(0, Some("a"), Some("web_search"), "{\"query\":"), (0, Some("b"), None, "\"moon\"}")],
                json!([["a", "web_search", {"query": "moon"}]]),
            ),
            (
                "one index for all calls",
                &[(0, Some("a"), Some("get_time"), "{}"), (0, Some("b"), Some("get_time"), "{}")],
                json!([["a", "get_time", {}], ["b", "get_time", {}]]),
            ),
            ("no id", &[(3, None, Some("get_time"), "{}")], json!([["", "get_time", {}]])),
            ("no name", &[(0, Some("a"), None, "{}")], json!([["a", "", {}]])),
        ];
        for (what, pieces, expected) in cases {
            assert_eq!(read_calls(pieces), expected, "{what}");
        }
    }

    #[test]
    fn arguments_are_mended_or_explained() {
        let cases = [
            ("", Ok(json!({}))),
            (" \n", Ok(json!({}))),
            ("null", Ok(json!({}))),
            (r#"{"query": "a\\nb", "exact": false}"#, Ok(json!({"query": "a\\nb", "exact": false}))),
            (r#"{"query": "moon",}"#, Ok(json!({"query": "moon"}))),
            ("{'query': 'it's'}", Ok(json!({"query": "it's"}))),
            (r#"{"query": "moon""#, Ok(json!({"query": "moon"}))),
            ("{'query': 'moon'", Ok(json!({"query": "moon"}))),
            (r#"{"filter": {"days": 7}"#, Ok(json!({"filter": {"days": 7}}))),
            (r#"{"query": "moon"}}"#, Ok(json!({"query": "moon"}))),
            (r#""{\"query\": \"moon\"}""#, Ok(json!({"query": "moon"}))),
            (r#"{"query" "moon"}"#, Err("the arguments of web_search are not valid JSON: expected `:`")),
            ("moon", Err("the arguments of web_search are not valid JSON")),
            ("[1, 2]", Err("the arguments of web_search are not a JSON object")),
            ("3", Err("the arguments of web_search are not a JSON object")),
            (r#"{"query": "mo"#, Err("were cut off")),
            (r#"{"query": "moon\"#, Err("were cut off")),
            (r#"{"count": 1"#, Err("were cut off")),
            (r#"{"query": "moon", "#, Err("were cut off")),
            ("{", Err("were cut off")),
        ];
        for (raw, expected) in cases {
            let calls = join(&[(0, None, Some("web_search"), raw)]);
            let [call] = calls.as_slice() else { panic!("{raw}: {calls:?}") };
            assert_eq!(call.raw, raw);
            match (&call.arguments, expected) {
                (Ok(arguments), Ok(expected)) => assert_eq!(json!(arguments), expected, "{raw}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{raw}: {why}"),
                (read, expected) => panic!("{raw}: {read:?} is not {expected:?}"),
            }
        }
    }

    #[test]
    fn a_cut_between_any_two_bytes_changes_nothing() {
        let arguments = r#"{"query": "the \"moon\" ]}", "sites": ["a", "b"], "days": {"from": 1}}"#;
        let whole = join(&[(0, Some("a"), Some("web_search"), arguments)]);
        for cut in 0..=arguments.len() {
            let (start, end) = arguments.split_at(cut);
            let cut = join(&[(0, Some("a"), Some("web_search"), start), (0, None, None, end)]);
            assert_eq!(cut, whole, "{start}|{end}");
        }
    }
}
