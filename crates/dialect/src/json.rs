//! Finds the end of a JSON value in a stream.

/// The maximum nesting depth.
pub const DEEPEST: usize = 100;

/// The open brackets. Stored without an allocation, since a stream of brackets creates very many of these.
#[derive(Debug, Default)]
struct Brackets {
    /// One bit per level, set for a brace.
    braces: u128,
    depth: usize,
}

impl Brackets {
    fn open(&mut self, bracket: char) {
        let level = 1 << self.depth;
        self.braces = if bracket == '{' { self.braces | level } else { self.braces & !level };
        self.depth += 1;
    }

    /// Closes the innermost bracket of its kind and all unclosed ones inside it. Returns false if there is none.
    fn close(&mut self, bracket: char) -> bool {
        let of_kind = if bracket == '}' { self.braces } else { !self.braces };
        let Some(level) = (of_kind & ((1 << self.depth) - 1)).checked_ilog2() else { return false };
        self.depth = level as usize;
        true
    }
}

/// Finds the end of an object or array, character by character, even if it is slightly broken.
#[derive(Debug, Default)]
pub struct JsonExtent {
    open: Brackets,
    state: State,
    /// The last character that is not whitespace, which decides if a value may begin.
    before: Option<char>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Between,
    InString(Quote),
    Escaped(Quote),
    /// After a single quote within a string, which may be an apostrophe. The next character decides.
    AfterSingle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quote {
    Single,
    Double,
}

/// The state of a value after the next character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonProgress {
    /// The value continues.
    Inside,
    /// This was the last character of the value.
    Closed,
    /// A bracket that closes something around the value, whose own closing brackets are missing.
    Beyond,
    TooDeep,
}

impl JsonExtent {
    /// Creates an extent after its opening bracket.
    pub fn opened_by(bracket: char) -> Self {
        let mut extent = Self::default();
        extent.feed(bracket);
        extent
    }

    pub fn feed(&mut self, next: char) -> JsonProgress {
        match self.state {
            State::Between => return self.between(next),
            State::InString(quote) => self.in_string(quote, next),
            State::Escaped(quote) => self.state = State::InString(quote),
            State::AfterSingle if next.is_whitespace() || next == '\'' => {}
            State::AfterSingle if matches!(next, ',' | ':' | '}' | ']') => {
                self.leave_string();
                return self.between(next);
            }
            State::AfterSingle => self.in_string(Quote::Single, next),
        }
        JsonProgress::Inside
    }

    /// Returns true if the next character is in a string.
    pub fn is_in_string(&self) -> bool {
        matches!(self.state, State::InString(_) | State::Escaped(_))
    }

    /// Returns true if only the outermost bracket is missing, after an inner one.
    pub fn lacks_last_bracket(&self) -> bool {
        self.open.depth == 1 && self.state == State::Between && matches!(self.before, Some('}' | ']'))
    }

    /// Returns true if the text ended before or within a value, so that more than brackets is missing.
    pub fn is_cut_off(&self) -> bool {
        let ended = match self.state {
            State::Between => matches!(self.before, Some('"' | '}' | ']')),
            State::AfterSingle => true,
            State::InString(_) | State::Escaped(_) => false,
        };
        self.open.depth > 0 && !ended
    }

    fn in_string(&mut self, quote: Quote, next: char) {
        match (quote, next) {
            (_, '\\') => self.state = State::Escaped(quote),
            (Quote::Double, '"') => self.leave_string(),
            (Quote::Single, '\'') => self.state = State::AfterSingle,
            _ => self.state = State::InString(quote),
        }
    }

    fn leave_string(&mut self) {
        self.state = State::Between;
        self.before = Some('"');
    }

    fn between(&mut self, next: char) -> JsonProgress {
        let begins_value = matches!(self.before, None | Some('{' | '[' | ',' | ':'));
        match next {
            '"' => self.state = State::InString(Quote::Double),
            '\'' if begins_value => self.state = State::InString(Quote::Single),
            '{' | '[' if self.open.depth == DEEPEST => return JsonProgress::TooDeep,
            '{' | '[' => self.open.open(next),
            '}' | ']' if !self.open.close(next) => return JsonProgress::Beyond,
            '}' | ']' if self.open.depth == 0 => return JsonProgress::Closed,
            _ => {}
        }
        if !next.is_whitespace() {
            self.before = Some(next);
        }
        JsonProgress::Inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_where_its_brackets_do() {
        let cases = [
            ("{}x", Some(2)),
            (r#"{"a":"}"} tail"#, Some(9)),
            (r#"{"a":"\"}"}"#, Some(11)),
            ("{'a': 'it's ] fine'}]", Some(20)),
            (r"{'a': 'b'\'}'}", Some(14)),
            ("[1,[2],{}]]", Some(10)),
            ("{\"a\":[1,2}", Some(10)),
            ("{\"a\": \"open", None),
            ("{'a': 'b' }", Some(11)),
        ];
        for (text, expected) in cases {
            let mut extent = JsonExtent::default();
            let end = text.char_indices().find(|(_, next)| extent.feed(*next) == JsonProgress::Closed);
            assert_eq!(end.map(|(place, _)| place + 1), expected, "{text}");
        }
    }

    #[test]
    fn a_bracket_of_the_outside_is_known() {
        let mut extent = JsonExtent::default();
        let reaches: Vec<_> = "{\"a\":1]".chars().map(|next| extent.feed(next)).collect();
        assert_eq!(reaches.last(), Some(&JsonProgress::Beyond));
        let mut deep = JsonExtent::default();
        assert!("[".repeat(200).chars().any(|next| deep.feed(next) == JsonProgress::TooDeep));
    }

    #[test]
    fn a_forgotten_last_bracket_is_known() {
        let cases = [
            (r#"{"a": {"b": 1}"#, true),
            ("{\"a\": {\"b\": 1}\n", true),
            (r#"[{"a": 1}"#, true),
            (r#"{"a": {"b": 1"#, false),
            (r#"{"a": 1"#, false),
            (r#"{"a": {"b": 1}, "#, false),
            (r#"{"a": {"b": 1}, "c}"#, false),
        ];
        for (text, expected) in cases {
            let mut extent = JsonExtent::default();
            for next in text.chars() {
                extent.feed(next);
            }
            assert_eq!(extent.lacks_last_bracket(), expected, "{text}");
        }
    }
}
