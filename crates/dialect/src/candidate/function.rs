//! Calls in function style: `name(query="moon", count=3, exact=false)`.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::verdict::Verdict;
use crate::arguments::CallArguments;
use crate::interpretation::Interpretation;
use crate::json::DEEPEST;
use crate::repair;

/// A line that begins with the name of a tool and an opening parenthesis.
#[derive(Debug)]
pub struct FunctionCall {
    name: Arc<str>,
    start: usize,
    scan: ArgumentScan,
}

impl FunctionCall {
    pub fn new(name: Arc<str>, start: usize) -> Self {
        Self { name, start, scan: ArgumentScan::default() }
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char) -> Verdict {
        if next == '\n' && !self.scan.is_in_string() {
            return Verdict::Text;
        }
        match self.scan.feed(next) {
            ScanProgress::Inside => Verdict::Undecided,
            ScanProgress::Broken => Verdict::Text,
            ScanProgress::Closed => Verdict::Read(interpret(&self.name, &text[self.start..text.len() - 1])),
        }
    }
}

/// Finds the closing parenthesis of a call, character by character.
#[derive(Debug, Default)]
pub struct ArgumentScan {
    depth: usize,
    state: State,
    /// The last character outside of strings that is not whitespace. A string can begin only where a value is expected.
    before: Option<char>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Between,
    /// The opening quote, and the previous character.
    String {
        quote: char,
        last: char,
    },
    /// An empty string, or the beginning of a triple quote.
    Empty {
        quote: char,
    },
    /// `quotes` is the number of consecutive quotes that could be closing it.
    Triple {
        quote: char,
        quotes: u8,
        escaped: bool,
    },
    Escaped {
        quote: char,
    },
}

/// The state of the arguments after the next character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanProgress {
    Inside,
    Closed,
    /// Mismatched brackets or quotes: not a call.
    Broken,
}

impl ArgumentScan {
    /// Takes the next character after the opening parenthesis.
    pub fn feed(&mut self, next: char) -> ScanProgress {
        self.state = match self.state {
            State::Between => return self.between(next),
            State::Escaped { quote } => State::String { quote, last: '\\' },
            State::String { quote, last } if next == quote => {
                if last == quote {
                    State::Empty { quote }
                } else {
                    self.after_string()
                }
            }
            State::String { quote, .. } if next == '\\' => State::Escaped { quote },
            State::String { quote, .. } => State::String { quote, last: next },
            State::Empty { quote } if next == quote => State::Triple { quote, quotes: 0, escaped: false },
            State::Empty { .. } => {
                self.state = self.after_string();
                return self.between(next);
            }
            State::Triple { quote, escaped: true, .. } => State::Triple { quote, quotes: 0, escaped: false },
            State::Triple { quote, quotes: 2, .. } if next == quote => self.after_string(),
            State::Triple { quote, quotes, .. } => {
                let quotes = if next == quote { quotes + 1 } else { 0 };
                State::Triple { quote, quotes, escaped: next == '\\' }
            }
        };
        ScanProgress::Inside
    }

    pub fn is_in_string(&self) -> bool {
        !matches!(self.state, State::Between | State::Empty { .. })
    }

    fn after_string(&mut self) -> State {
        self.before = Some('"');
        State::Between
    }

    fn between(&mut self, next: char) -> ScanProgress {
        match next {
            // `last` equals the quote until a character follows.
            '"' | '\'' if matches!(self.before, None | Some('(' | '[' | '{' | ',' | '=' | ':')) => {
                self.state = State::String { quote: next, last: next };
            }
            '"' | '\'' => return ScanProgress::Broken,
            '(' | '[' | '{' if self.depth == DEEPEST => return ScanProgress::Broken,
            '(' | '[' | '{' => self.depth += 1,
            ')' if self.depth == 0 => return ScanProgress::Closed,
            ')' | ']' | '}' => match self.depth.checked_sub(1) {
                Some(depth) => self.depth = depth,
                None => return ScanProgress::Broken,
            },
            _ => {}
        }
        if !next.is_whitespace() {
            self.before = Some(next);
        }
        ScanProgress::Inside
    }
}

/// Reads a call from the text between the parentheses.
pub fn interpret(name: &str, arguments: &str) -> Interpretation {
    match read(arguments) {
        Ok((in_order, named)) if in_order.is_empty() => {
            Interpretation::call(name, CallArguments::Named(named))
        }
        Ok((in_order, named)) => Interpretation::call(name, CallArguments::Positional(in_order, named)),
        Err(Fault::Signature) => Interpretation::Text,
        Err(Fault::Flaw(why)) => {
            Interpretation::Flawed(format!("the arguments of {name}(…) cannot be read: {why}"))
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Fault {
    /// `name(query)` or `name(query: str)`: a function that is only mentioned.
    Signature,
    Flaw(String),
}

fn read(text: &str) -> Result<(Vec<Value>, Map<String, Value>), Fault> {
    let (mut in_order, mut named) = (Vec::new(), Map::new());
    let mut rest = text.trim();
    while !rest.is_empty() {
        let name = name_before_equals(rest);
        let (literal, left) = first_literal(name.map_or(rest, |(_, after)| after));
        let value = value(literal);
        match (name, value) {
            (Some((name, _)), Some(value)) => drop(named.insert(name.to_owned(), value)),
            (None, Some(_)) if !named.is_empty() => {
                let why = "an argument without a name follows one that has a name";
                return Err(Fault::Flaw(why.to_owned()));
            }
            (None, Some(value)) => in_order.push(value),
            (Some((name, _)), None) => {
                let why =
                    format!("“{}” is not a valid value for {name}; put text in quotes", beginning(literal));
                return Err(Fault::Flaw(why));
            }
            (None, None) if literal.starts_with(['"', '\'', '{', '[']) => {
                return Err(Fault::Flaw(format!("“{}” is not a valid value", beginning(literal))));
            }
            (None, None) => return Err(Fault::Signature),
        }
        rest = left.strip_prefix(',').unwrap_or(left).trim_start();
    }
    Ok((in_order, named))
}

fn name_before_equals(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
    let (name, rest) = text.split_at(end);
    let after = rest.trim_start().strip_prefix('=')?;
    (!name.is_empty()).then(|| (name, after.trim_start()))
}

/// Splits the text at the comma that ends the first literal.
fn first_literal(text: &str) -> (&str, &str) {
    let mut scan = ArgumentScan::default();
    let end = text.char_indices().find(|(_, next)| {
        let ends = *next == ',' && scan.depth == 0 && !scan.is_in_string();
        ends || scan.feed(*next) != ScanProgress::Inside
    });
    let (literal, rest) = text.split_at(end.map_or(text.len(), |(place, _)| place));
    (literal.trim(), rest)
}

fn value(literal: &str) -> Option<Value> {
    match literal {
        "True" => return Some(Value::Bool(true)),
        "False" => return Some(Value::Bool(false)),
        "None" => return Some(Value::Null),
        _ => {}
    }
    for quotes in ["\"\"\"", "'''"] {
        // Text between triple quotes is literal: escape sequences are not decoded.
        let inner = literal.strip_prefix(quotes).and_then(|literal| literal.strip_suffix(quotes));
        if let Some(inner) = inner {
            return Some(Value::String(inner.to_owned()));
        }
    }
    repair::read(literal).ok()
}

fn beginning(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
#[path = "function_tests.rs"]
mod tests;
