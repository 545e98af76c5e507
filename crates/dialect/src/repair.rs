//! Reads JSON written by a model, which may have small errors.

use serde_json::Value;

use crate::json::DEEPEST;

/// Reads JSON, and repairs it if needed: single quotes, surplus commas, missing, surplus or doubled brackets, line
/// breaks in strings, backslashes that escape nothing, unquoted keys, and Python's names for true, false and null. The
/// error describes the first fault of the original text.
pub fn read(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).or_else(|error| {
        let mended = Repair::new(text).finish().and_then(|mended| serde_json::from_str(&mended).ok());
        mended.ok_or_else(|| describe(&error, text))
    })
}

fn describe(error: &serde_json::Error, text: &str) -> String {
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    let end = line.floor_char_boundary(error.column());
    let start = line.floor_char_boundary(end.saturating_sub(24));
    match &line[start..end] {
        "" => error.to_string(),
        read => format!("{error}, after “{read}”"),
    }
}

/// The closing character of a doubled brace, which writes nothing.
const NOTHING: char = '\0';

struct Repair<'a> {
    text: &'a str,
    /// The number of bytes read.
    at: usize,
    out: String,
    /// The closing brackets of all open brackets.
    open: Vec<char>,
}

impl<'a> Repair<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, out: String::with_capacity(text.len() + 8), open: Vec::new() }
    }

    /// Returns the repaired text, or `None` if it is nested too deeply.
    fn finish(mut self) -> Option<String> {
        while let Some(next) = self.rest().chars().next() {
            match next {
                '"' | '\'' => self.string(next),
                '{' | '[' if self.open.len() == DEEPEST => return None,
                // A doubled brace, as in the text of a template: the outer one is dropped.
                '{' if self.rest()[1..].trim_start().starts_with('{') => {
                    self.open.push(NOTHING);
                    self.at += 1;
                }
                '{' | '[' => {
                    self.open.push(if next == '{' { '}' } else { ']' });
                    self.copy(next);
                }
                '}' | ']' => self.close(next),
                letter if letter.is_alphabetic() || letter == '_' => self.word(),
                other => self.copy(other),
            }
        }
        self.drop_comma();
        self.out.extend(self.open.into_iter().rev().filter(|close| *close != NOTHING));
        Some(self.out)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn copy(&mut self, next: char) {
        self.out.push(next);
        self.at += next.len_utf8();
    }

    fn close(&mut self, bracket: char) {
        // Missing brackets in between are added. A bracket that closes nothing is dropped.
        let closes = |close: &char| *close == bracket || bracket == '}' && *close == NOTHING;
        if let Some(place) = self.open.iter().rposition(closes) {
            self.drop_comma();
            self.out.extend(self.open.drain(place..).rev().filter(|close| *close != NOTHING));
        }
        self.at += bracket.len_utf8();
    }

    fn drop_comma(&mut self) {
        if let Some(kept) = self.out.trim_end().strip_suffix(',') {
            self.out.truncate(kept.len());
        }
    }

    fn word(&mut self) {
        let rest = self.rest();
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let is_key = after.trim_start().starts_with(':');
        match word {
            _ if is_key => self.out.extend(["\"", word, "\""]),
            "True" => self.out.push_str("true"),
            "False" => self.out.push_str("false"),
            "None" => self.out.push_str("null"),
            other => self.out.push_str(other),
        }
        self.at += end;
    }

    /// Writes a string in either kind of quotes, closed or not, as JSON. Valid escape sequences are kept.
    fn string(&mut self, quote: char) {
        self.at += quote.len_utf8();
        self.out.push('"');
        while let Some(next) = self.rest().chars().next() {
            self.at += next.len_utf8();
            match next {
                '\\' => self.escape(),
                _ if next == quote && (quote == '"' || self.ends_value()) => break,
                '"' => self.out.push_str("\\\""),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                other => self.out.push(other),
            }
        }
        self.out.push('"');
    }

    /// Returns true if a single quote here ends the string. Otherwise it is an apostrophe.
    fn ends_value(&self) -> bool {
        self.rest().trim_start().chars().next().is_none_or(|next| matches!(next, ',' | ':' | '}' | ']'))
    }

    fn escape(&mut self) {
        let Some(next) = self.rest().chars().next() else { return self.out.push_str("\\\\") };
        self.at += next.len_utf8();
        match next {
            '\'' => self.out.push('\''),
            'u' if self.rest().bytes().take(4).filter(u8::is_ascii_hexdigit).count() < 4 => {
                self.out.push_str("\\\\u");
            }
            '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u' => self.out.extend(['\\', next]),
            // Not an escape sequence, as in `C:\dir` or `\d+`: the backslash is literal.
            '\n' => self.out.push_str("\\\\\\n"),
            other => self.out.extend(['\\', '\\', other]),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn almost_json_is_read_once_it_is_mended() {
        let cases = [
            (r#"{"a": 1,}"#, json!({"a": 1})),
            (r"{'a': 'it''s'}", json!({"a": "it''s"})),
            ("{'a': 'don't'}", json!({"a": "don't"})),
            (r#"{'a': "say \"hi\""}"#, json!({"a": "say \"hi\""})),
            (r#"{"a": [1, 2"#, json!({"a": [1, 2]})),
            (r#"{"a": {"b": 1}"#, json!({"a": {"b": 1}})),
            (r#"{"a": {"b": 1}}}"#, json!({"a": {"b": 1}})),
            (r#"{"a": [1, 2}"#, json!({"a": [1, 2]})),
            ("{\"a\": \"two\nlines\"}", json!({"a": "two\nlines"})),
            (r#"{"a": True, "b": None}"#, json!({"a": true, "b": null})),
            (r#"{a: False, b_2: "x"}"#, json!({"a": false, "b_2": "x"})),
            (r#"{"path": "a\\nb"}"#, json!({"path": "a\\nb"})),
            (r"{'path': 'a\\nb',}", json!({"path": "a\\nb"})),
            (r#"{"path": "C:\dir\users"}"#, json!({"path": "C:\\dir\\users"})),
            (r#"{"moon": "\u263E", "d": "\d+"}"#, json!({"moon": "☾", "d": "\\d+"})),
            (r#"{"a": [1, 2, ], }"#, json!({"a": [1, 2]})),
            (r#"{"a": "cut"#, json!({"a": "cut"})),
            (r#"{{"a": {"b": 1}}}"#, json!({"a": {"b": 1}})),
            (r#"{{"a": {{"b": 1}}, "c": 2}}"#, json!({"a": {"b": 1}, "c": 2})),
            (r#"{{"a": {"b": 1}}}}"#, json!({"a": {"b": 1}})),
            (r#"{{"a": {"b": 1}"#, json!({"a": {"b": 1}})),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), Ok(expected), "{text}");
        }
        for hopeless in ["{a b c}", "{\"a\" 1}", "", "{\"a\": }", "nonsense", &"[".repeat(500)] {
            assert!(read(hopeless).is_err(), "{hopeless}");
        }
    }

    #[test]
    fn an_error_says_where_the_fault_is() {
        let error = read("{\"a\": 1,\n \"título\" 2}").unwrap_err();
        assert_eq!(error, "expected `:` at line 2 column 12, after “ \"título\" 2”");
        assert_eq!(read("").unwrap_err(), "EOF while parsing a value at line 1 column 0");
    }
}
