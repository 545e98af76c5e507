//! Arguments with unquoted keys: `{city:<escape>Lyon<escape>,days:3}`.

use serde_json::{Map, Value};

use crate::arguments::CallArguments;
use crate::candidate::function::ScanProgress;
use crate::ending::EndingSearch;
use crate::interpretation::Interpretation;
use crate::json::DEEPEST;
use crate::repair;
use crate::syntax::{ArgumentForm, CallForm, CallSyntax};

/// Known quotes around strings.
const QUOTES: [&str; 2] = ["<escape>", "<|\"|>"];

/// Finds the closing brace of the arguments, character by character.
#[derive(Debug)]
pub struct UnquotedArguments {
    quotes: Vec<String>,
    depth: usize,
    string: Option<EndingSearch>,
    /// The first quote that was found.
    quote: Option<String>,
    /// The start of a possible quote.
    begun: Option<usize>,
}

impl UnquotedArguments {
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
    pub fn feed(&mut self, text: &str, next: char) -> ScanProgress {
        if let Some(ending) = &mut self.string {
            if ending.feed(next).is_some() {
                self.string = None;
            }
            return ScanProgress::Inside;
        }
        let before = text.len() - next.len_utf8();
        let from = *self.begun.get_or_insert(before);
        let read = &text[from..];
        if let Some(quote) = self.quotes.iter().find(|quote| *quote == read) {
            self.quote.get_or_insert_with(|| quote.clone());
            self.string = Some(EndingSearch::new(quote.clone()));
            self.begun = None;
            return ScanProgress::Inside;
        }
        if self.quotes.iter().any(|quote| quote.starts_with(read)) {
            return ScanProgress::Inside;
        }
        self.begun = None;
        match next {
            '{' | '[' if self.depth == DEEPEST => return ScanProgress::Broken,
            '{' | '[' => self.depth += 1,
            '}' | ']' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 { ScanProgress::Closed } else { ScanProgress::Inside }
    }
}

/// Reads the text after the opening brace, including the closing one.
pub fn interpret(name: &str, text: &str, quote: &str) -> Interpretation {
    let mut reader = Reader { rest: text, quote };
    match reader.object() {
        Some(named) => Interpretation::call(name, CallArguments::Named(named)),
        None => Interpretation::Flawed(format!("the arguments of {name} cannot be read")),
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

    /// Reads an object after its opening brace.
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
