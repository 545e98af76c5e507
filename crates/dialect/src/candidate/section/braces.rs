//! Arguments with unquoted keys: `{city:<escape>Lyon<escape>,days:3}`.

use serde_json::{Map, Value};

use crate::ending::Ending;
use crate::json::DEEPEST;
use crate::reading::Reading;
use crate::syntax::{ArgumentForm, CallForm, CallSyntax};
use crate::{Arguments, repair};

/// Known quotes around strings.
const QUOTES: [&str; 2] = ["<escape>", "<|\"|>"];

#[derive(Debug)]
pub struct Braces {
    quotes: Vec<String>,
    depth: usize,
    string: Option<Ending>,
    /// The first quote that was found.
    quote: Option<String>,
    /// The start of a possible quote.
    begun: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    Inside,
    Closed,
    Broken,
}

impl Braces {
    /// Creates the scanner after the opening brace.
    pub fn new(calls: Option<&CallSyntax>) -> Self {
        let mut quotes: Vec<String> = QUOTES.map(str::to_owned).to_vec();
        if let Some(CallForm::Named { arguments: ArgumentForm::Braces { quote }, .. }) =
            calls.map(|calls| &calls.form)
            && !quote.is_empty()
        {
            quotes.insert(0, quote.clone());
        }
        quotes.push("\"".to_owned());
        Self { quotes, depth: 1, string: None, quote: None, begun: None }
    }

    pub fn quote(&self) -> &str {
        self.quote.as_deref().unwrap_or("\"")
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char) -> Reach {
        if let Some(ending) = &mut self.string {
            if ending.feed(next).is_some() {
                self.string = None;
            }
            return Reach::Inside;
        }
        let before = text.len() - next.len_utf8();
        let from = *self.begun.get_or_insert(before);
        let read = &text[from..];
        if let Some(quote) = self.quotes.iter().find(|quote| *quote == read) {
            self.quote.get_or_insert_with(|| quote.clone());
            self.string = Some(Ending::new(quote.clone()));
            self.begun = None;
            return Reach::Inside;
        }
        if self.quotes.iter().any(|quote| quote.starts_with(read)) {
            return Reach::Inside;
        }
        self.begun = None;
        match next {
            '{' | '[' if self.depth == DEEPEST => return Reach::Broken,
            '{' | '[' => self.depth += 1,
            '}' | ']' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 { Reach::Closed } else { Reach::Inside }
    }
}

/// Reads the text after the opening brace, including the closing one.
pub fn reading(name: &str, text: &str, quote: &str) -> Reading {
    let mut reader = Reader { rest: text, quote };
    match reader.object() {
        Some(named) => Reading::call(name, Arguments::Named(named)),
        None => Reading::Flawed(format!("the arguments of {name} cannot be read")),
    }
}

struct Reader<'a> {
    rest: &'a str,
    quote: &'a str,
}

impl Reader<'_> {
    fn take(&mut self, wanted: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Creates the scanner after the opening brace.
    fn object(&mut self) -> Option<Map<String, Value>> {
        let mut named = Map::new();
        while !self.take("}") {
            let key = if let Some(key) = self.string() {
                key
            } else {
                let (key, _) = self.rest.split_once(':')?;
                self.rest = &self.rest[key.len()..];
                key.trim().to_owned()
            };
            if !self.take(":") {
                return None;
            }
            let value = self.value()?;
            named.insert(key, value);
            if !self.take(",") && !self.rest.trim_start().starts_with('}') {
                return None;
            }
        }
        Some(named)
    }

    fn value(&mut self) -> Option<Value> {
        if let Some(text) = self.string() {
            return Some(Value::String(text));
        }
        if self.take("{") {
            return self.object().map(Value::Object);
        }
        if self.take("[") {
            let mut values = Vec::new();
            while !self.take("]") {
                values.push(self.value()?);
                if !self.take(",") && !self.rest.trim_start().starts_with(']') {
                    return None;
                }
            }
            return Some(Value::Array(values));
        }
        let end = self.rest.find([',', '}', ']'])?;
        let (bare, rest) = self.rest.split_at(end);
        self.rest = rest;
        let bare = bare.trim();
        Some(match bare {
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            "None" => Value::Null,
            _ => serde_json::from_str(bare).unwrap_or_else(|_| Value::String(bare.to_owned())),
        })
    }

    fn string(&mut self) -> Option<String> {
        if self.take(self.quote) {
            let (text, rest) = self.rest.split_once(self.quote)?;
            self.rest = rest;
            return Some(text.to_owned());
        }
        if !self.rest.starts_with('"') {
            return None;
        }
        let end = self.rest[1..].find('"')? + 2;
        let (literal, rest) = self.rest.split_at(end);
        self.rest = rest;
        repair::read(literal).ok().and_then(|value| value.as_str().map(str::to_owned))
    }
}
