//! A small, strict JSON parser for `cargo metadata` and `package-lock.json`, which avoids compiling a dependency.

use std::collections::BTreeMap;

use crate::failure::{Failure, TaskResult};

/// The maximum nesting depth. It exceeds that of any file read here and prevents a stack overflow by malicious input.
const MAX_DEPTH: usize = 64;

#[derive(Debug, Clone, PartialEq)]
pub enum JsonValue {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<JsonValue>),
    Object(BTreeMap<String, JsonValue>),
}

impl JsonValue {
    pub fn parse(text: &str) -> TaskResult<Self> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.skip_space();
        if reader.at < text.len() {
            return Err(reader.wrong("text after the value"));
        }
        Ok(value)
    }

    /// Returns the member of that name, or `Null` if there is none, so look-ups can be chained.
    pub fn get(&self, key: &str) -> &Self {
        match self {
            Self::Object(members) => members.get(key).unwrap_or(&Self::Null),
            _ => &Self::Null,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    pub fn members(&self) -> impl Iterator<Item = (&str, &Self)> {
        let members = match self {
            Self::Object(members) => Some(members),
            _ => None,
        };
        members.into_iter().flatten().map(|(key, value)| (key.as_str(), value))
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, what: &str) -> Failure {
        let line = self.text.as_bytes().iter().take(self.at).filter(|byte| **byte == b'\n').count() + 1;
        Failure::new(format!("JSON, line {line}: {what}"))
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let found = self.peek()?;
        self.at += found.len_utf8();
        Some(found)
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn take(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    fn word(&mut self, word: &str, value: JsonValue) -> TaskResult<JsonValue> {
        if !self.rest().starts_with(word) {
            return Err(self.wrong("unknown word"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn value(&mut self, depth: usize) -> TaskResult<JsonValue> {
        if depth > MAX_DEPTH {
            return Err(self.wrong("too deeply nested"));
        }
        self.skip_space();
        match self.peek() {
            Some('{') => self.object(depth),
            Some('[') => self.array(depth),
            Some('"') => self.string().map(JsonValue::Text),
            Some('t') => self.word("true", JsonValue::Bool(true)),
            Some('f') => self.word("false", JsonValue::Bool(false)),
            Some('n') => self.word("null", JsonValue::Null),
            Some('-' | '0'..='9') => self.number(),
            Some(_) => Err(self.wrong("unexpected character")),
            None => Err(self.wrong("unexpected end")),
        }
    }

    fn object(&mut self, depth: usize) -> TaskResult<JsonValue> {
        let mut members = BTreeMap::new();
        self.take('{');
        self.skip_space();
        if self.take('}') {
            return Ok(JsonValue::Object(members));
        }
        loop {
            self.skip_space();
            let key = self.string()?;
            self.skip_space();
            if !self.take(':') {
                return Err(self.wrong("a colon is missing"));
            }
            members.insert(key, self.value(depth + 1)?);
            self.skip_space();
            if self.take('}') {
                return Ok(JsonValue::Object(members));
            }
            if !self.take(',') {
                return Err(self.wrong("a comma is missing"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> TaskResult<JsonValue> {
        let mut items = Vec::new();
        self.take('[');
        self.skip_space();
        if self.take(']') {
            return Ok(JsonValue::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.take(']') {
                return Ok(JsonValue::List(items));
            }
            if !self.take(',') {
                return Err(self.wrong("a comma is missing"));
            }
        }
    }

    fn number(&mut self) -> TaskResult<JsonValue> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let number = rest.get(..end).unwrap_or_default().parse().map_err(|_| self.wrong("not a number"))?;
        self.at += end;
        Ok(JsonValue::Number(number))
    }

    fn string(&mut self) -> TaskResult<String> {
        if !self.take('"') {
            return Err(self.wrong("a string is missing"));
        }
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some(plain) => text.push(plain),
                None => return Err(self.wrong("the string does not end")),
            }
        }
    }

    fn escape(&mut self) -> TaskResult<char> {
        Ok(match self.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some(plain @ ('"' | '\\' | '/')) => plain,
            Some('u') => {
                let high = self.hex()?;
                let code = if (0xD800..0xDC00).contains(&high) && self.rest().starts_with("\\u") {
                    self.at += 2;
                    0x10000 + ((high - 0xD800) << 10) + (self.hex()?.wrapping_sub(0xDC00) & 0x3FF)
                } else {
                    high
                };
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(self.wrong("unknown escape")),
        })
    }

    fn hex(&mut self) -> TaskResult<u32> {
        let digits = self.rest().get(..4).unwrap_or_default();
        let code = u32::from_str_radix(digits, 16).map_err(|_| self.wrong("not four hex digits"))?;
        self.at += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_cargo_and_npm_write() {
        let value = JsonValue::parse(
            r#" {"a": [1, -2.5e3, true, null], "b": {"c": "x\n\"y\" \u00e9 \ud83c\udf19 /"}, "e": {}, "l": []} "#,
        )
        .unwrap();
        assert_eq!(
            value.get("a").list(),
            [JsonValue::Number(1.0), JsonValue::Number(-2500.0), JsonValue::Bool(true), JsonValue::Null]
        );
        assert_eq!(value.get("b").get("c").text(), Some("x\n\"y\" é 🌙 /"));
        assert_eq!(value.get("b").get("missing").get("deeper"), &JsonValue::Null);
        assert_eq!(value.members().map(|(key, _)| key).collect::<Vec<_>>(), ["a", "b", "e", "l"]);
    }

    #[test]
    fn refuses_what_is_cut_or_wrong() {
        let deep = "[".repeat(10_000);
        for text in [
            "",
            "{",
            "[1",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":1,}",
            "\"x",
            "\"\\q\"",
            "1 2",
            "tru",
            "\"\\u12\"",
            &deep,
        ] {
            assert!(JsonValue::parse(text).is_err(), "{text:.20}");
        }
    }

    #[test]
    fn says_in_which_line() {
        let error = JsonValue::parse("{\n\"a\": 1\n\"b\": 2}").unwrap_err().to_string();
        assert_eq!(error, "JSON, line 3: a comma is missing");
    }
}
