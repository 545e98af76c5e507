//! Calls in function style: `name(query="moon", count=3, exact=false)`.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Verdict;
use crate::json::DEEPEST;
use crate::reading::Reading;
use crate::{Arguments, repair};

/// A line that begins with the name of a tool and an opening parenthesis.
#[derive(Debug)]
pub struct Function {
    name: Arc<str>,
    start: usize,
    scan: Scan,
}

impl Function {
    pub fn new(name: Arc<str>, start: usize) -> Self {
        Self { name, start, scan: Scan::default() }
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char) -> Verdict {
        if next == '\n' && !self.scan.is_in_string() {
            return Verdict::Text;
        }
        match self.scan.feed(next) {
            Reach::Inside => Verdict::Undecided,
            Reach::Broken => Verdict::Text,
            Reach::Closed => Verdict::Read(reading(&self.name, &text[self.start..text.len() - 1])),
        }
    }
}

/// Finds the closing parenthesis of a call, character by character.
#[derive(Debug, Default)]
pub struct Scan {
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
        mark: char,
        last: char,
    },
    /// An empty string, or the beginning of a triple quote.
    Empty {
        mark: char,
    },
    /// `quotes` is the number of consecutive quotes that could be closing it.
    Triple {
        mark: char,
        quotes: u8,
        escaped: bool,
    },
    Escaped {
        mark: char,
    },
}

/// The position of a character relative to the parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    Inside,
    Closed,
    /// Mismatched brackets or quotes: not a call.
    Broken,
}

impl Scan {
    /// Takes the next character after the opening parenthesis.
    pub fn feed(&mut self, next: char) -> Reach {
        self.state = match self.state {
            State::Between => return self.between(next),
            State::Escaped { mark } => State::String { mark, last: '\\' },
            State::String { mark, last } if next == mark => {
                if last == mark {
                    State::Empty { mark }
                } else {
                    self.after_string()
                }
            }
            State::String { mark, .. } if next == '\\' => State::Escaped { mark },
            State::String { mark, .. } => State::String { mark, last: next },
            State::Empty { mark } if next == mark => State::Triple { mark, quotes: 0, escaped: false },
            State::Empty { .. } => {
                self.state = self.after_string();
                return self.between(next);
            }
            State::Triple { mark, escaped: true, .. } => State::Triple { mark, quotes: 0, escaped: false },
            State::Triple { mark, quotes: 2, .. } if next == mark => self.after_string(),
            State::Triple { mark, quotes, .. } => {
                let quotes = if next == mark { quotes + 1 } else { 0 };
                State::Triple { mark, quotes, escaped: next == '\\' }
            }
        };
        Reach::Inside
    }

    pub fn is_in_string(&self) -> bool {
        !matches!(self.state, State::Between | State::Empty { .. })
    }

    fn after_string(&mut self) -> State {
        self.before = Some('"');
        State::Between
    }

    fn between(&mut self, next: char) -> Reach {
        match next {
            // `last` equals the quote until a character follows.
            '"' | '\'' if matches!(self.before, None | Some('(' | '[' | '{' | ',' | '=' | ':')) => {
                self.state = State::String { mark: next, last: next };
            }
            '"' | '\'' => return Reach::Broken,
            '(' | '[' | '{' if self.depth == DEEPEST => return Reach::Broken,
            '(' | '[' | '{' => self.depth += 1,
            ')' if self.depth == 0 => return Reach::Closed,
            ')' | ']' | '}' => match self.depth.checked_sub(1) {
                Some(depth) => self.depth = depth,
                None => return Reach::Broken,
            },
            _ => {}
        }
        if !next.is_whitespace() {
            self.before = Some(next);
        }
        Reach::Inside
    }
}

/// Reads a call from the text between the parentheses.
pub fn reading(name: &str, arguments: &str) -> Reading {
    match read(arguments) {
        Ok((in_order, named)) if in_order.is_empty() => Reading::call(name, Arguments::Named(named)),
        Ok((in_order, named)) => Reading::call(name, Arguments::InOrder(in_order, named)),
        Err(Fault::Signature) => Reading::Text,
        Err(Fault::Flaw(why)) => Reading::Flawed(format!("the arguments of {name}(…) cannot be read: {why}")),
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
    let mut scan = Scan::default();
    let end = text.char_indices().find(|(_, next)| {
        let ends = *next == ',' && scan.depth == 0 && !scan.is_in_string();
        ends || scan.feed(*next) != Reach::Inside
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
