//! Calls after a marker: in elements, between control tokens or in lists, one or several.
//!
//! One state machine reads all syntaxes, because small models mix them. Markers begin, separate and end calls. A call
//! is a JSON object, a function, or a name followed by arguments: JSON, keys and values between markers, or a bare
//! object.

mod braces;
mod broken;
mod close;
mod head;
mod json;
mod value;

use serde_json::{Map, Value};

use self::braces::Braces;
use self::value::Parameter;
use super::Place;
use super::function::{self, Scan};
use super::{MOST_SPACE, Verdict};
use crate::ending::Ending;
use crate::json::Extent;
use crate::openings::{At, Opening, Openings, Role, Trust};
use crate::reading::Reading;
use crate::syntax::{CallForm, Pairs};
use crate::{Arguments, Vocabulary};

/// The maximum length of a tool name, a parameter name or the head of a call, in bytes.
pub const LONGEST_TAG: usize = 160;

/// One or several calls after a marker.
#[derive(Debug)]
pub struct Section {
    trust: Trust,
    place: Place,
    state: State,
    /// The start of the current state.
    start: usize,
    /// True if a call, but no text, may begin here.
    expects: bool,
    /// True if a marker around calls was read.
    has_mark: bool,
    /// The number of open markers around calls.
    open: usize,
    /// The text before the arguments, split at markers.
    head: Vec<String>,
    /// A call whose arguments arrive one by one.
    call: Option<(String, Map<String, Value>)>,
    /// The last parameter of that call, if others began within its value.
    nested: Option<Parameter>,
    reading: Option<Reading>,
    /// The position after the last character of the section.
    end: usize,
    broke_line: bool,
    /// True if the calls are in a code fence.
    is_fenced: bool,
    /// True if a call is only a name, which may be just mentioned.
    has_name_alone: bool,
    /// The number of bytes read so far.
    read: usize,
}

#[derive(Debug)]
enum State {
    /// Between markers and calls.
    Loose,
    /// A part of a head.
    Head,
    Mark(At),
    /// The backticks of a fence and its name, up to the end of the line.
    FenceLine,
    /// The name of a function, up to the end of its tag.
    Function,
    /// The key of a parameter, up to the end of its tag, with the closing text of its value.
    Parameter(std::sync::Arc<str>),
    Value(Parameter),
    Key(std::sync::Arc<Pairs>, Ending),
    /// After a key, before the opening of its value.
    BeforeValue(std::sync::Arc<Pairs>, String),
    /// After a brace, which may follow the name of a tool.
    Brace(Option<String>),
    Json {
        name: Option<String>,
        extent: Extent,
        mark: Option<(At, usize)>,
        ended_in_string: bool,
    },
    Braces {
        name: String,
        braces: Braces,
    },
    Python {
        name: String,
        scan: Scan,
    },
    /// Unreadable arguments of this call.
    Broken {
        name: String,
        mark: Option<(At, usize)>,
    },
}

impl Section {
    pub fn new(trust: Trust, place: Place) -> Self {
        Self {
            trust,
            place,
            state: State::Loose,
            start: 0,
            expects: true,
            has_mark: false,
            open: 0,
            head: Vec::new(),
            call: None,
            nested: None,
            reading: None,
            end: 0,
            broke_line: false,
            is_fenced: false,
            has_name_alone: false,
            read: 0,
        }
    }

    /// Creates a section at the arguments of this tool.
    pub fn of(name: String, place: Place, start: usize) -> Self {
        Self { head: vec![name], has_mark: true, start, end: start, ..Self::new(Trust::Mark, place) }
    }

    /// Returns the position after the last character of the section, once it has been read.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        self.read = text.len();
        match &mut self.state {
            State::Loose => return self.loose(text, next, vocabulary),
            State::Head => return self.in_head(text, next, vocabulary),
            State::Mark(at) => {
                if let Some((at, _)) = vocabulary.marks().walk(*at, &text[before..]) {
                    self.state = State::Mark(at);
                    return self.mark(text, vocabulary);
                }
                return self.no_mark(text, vocabulary);
            }
            State::FenceLine => {
                if next == '\n' {
                    self.begin(State::Loose, text.len());
                } else if matches!(next, '{' | '[') {
                    self.begin(State::Loose, before);
                    return self.loose(text, next, vocabulary);
                } else if text.len() - self.start > LONGEST_TAG {
                    return self.give_up();
                }
            }
            State::Function => {
                if next == '>' {
                    let name = unquoted(&text[self.start..before]).to_owned();
                    if !self.accepts(&name, vocabulary) {
                        return self.give_up();
                    }
                    self.call = Some((name, Map::new()));
                    self.begin(State::Loose, text.len());
                } else if next == '<' || next == '\n' || text.len() - self.start > LONGEST_TAG {
                    return self.give_up();
                }
            }
            State::Parameter(close) => {
                if next == '>' && !text[self.start..before].trim().is_empty() {
                    let parameter = Parameter::new(&text[self.start..before], close, text.len());
                    self.unnest(parameter.key(), text);
                    self.begin(State::Value(parameter), text.len());
                } else if matches!(next, '<' | '>') || text.len() - self.start > LONGEST_TAG {
                    return self.give_up();
                }
            }
            State::Value(parameter) => {
                let Some((name, arguments)) = &mut self.call else { return self.give_up() };
                let is_other = |key: &str, begins_line: bool| {
                    let may_be = begins_line && vocabulary.has_parameter(name, key);
                    !arguments.contains_key(key) && (may_be || vocabulary.knows_parameter(name, key))
                };
                if let Some(behind) = parameter.feed(text, next, is_other) {
                    parameter.keep(text, arguments);
                    if let State::Value(parameter) = std::mem::replace(&mut self.state, State::Loose) {
                        self.nested = Some(parameter).filter(Parameter::has_others).or(self.nested.take());
                    }
                    self.begin(State::Loose, behind);
                    return self.feed_again(text, behind, vocabulary);
                }
            }
            State::Key(pairs, ending) => {
                if let Some(place) = ending.feed(next) {
                    let key = text[self.start..text.len() - ending.length(place)].trim().to_owned();
                    let pairs = std::sync::Arc::clone(pairs);
                    self.unnest(&key, text);
                    self.begin(State::BeforeValue(pairs, key), text.len());
                } else if text.len() - self.start > LONGEST_TAG {
                    return self.give_up();
                }
            }
            State::BeforeValue(pairs, key) => {
                let read = text[self.start..].trim_start();
                if read == pairs.value_open {
                    let value = Parameter::between(std::mem::take(key), pairs, text.len());
                    self.begin(State::Value(value), text.len());
                } else if !pairs.value_open.starts_with(read) || text.len() - self.start > LONGEST_TAG {
                    return self.give_up();
                }
            }
            State::Brace(_) => return self.brace(text, next, vocabulary),
            State::Json { .. } => return self.json(text, next, vocabulary),
            State::Broken { .. } => return self.broken(text, next, vocabulary),
            State::Braces { name, braces } => match braces.feed(text, next) {
                braces::Reach::Inside => {}
                braces::Reach::Broken => {
                    let name = std::mem::take(name);
                    return self.break_off(&name);
                }
                braces::Reach::Closed => {
                    let name = std::mem::take(name);
                    let reading = braces::reading(&name, &text[self.start..], braces.quote());
                    return self.add(reading, text.len());
                }
            },
            State::Python { name, scan } => match scan.feed(next) {
                function::Reach::Inside => {}
                function::Reach::Broken => {
                    let name = std::mem::take(name);
                    return self.break_off(&name);
                }
                function::Reach::Closed => {
                    let reading = match function::reading(name, &text[self.start..before]) {
                        Reading::Text if self.trust == Trust::Mark => broken::reading(name),
                        reading => reading,
                    };
                    return self.add(reading, text.len());
                }
            },
        }
        Verdict::Undecided
    }

    fn loose(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let marks = vocabulary.marks();
        match next {
            _ if next.is_whitespace() => {
                if next == '\n' && !self.broke_line {
                    self.broke_line = true;
                    // Whitespace at the end of its line belongs to the section.
                    if self.reading.is_some() && self.call.is_none() && !self.expects {
                        self.end = before;
                    }
                }
                let is_long = text.len() - self.end > MOST_SPACE;
                if is_long && self.reading.is_some() && self.call.is_none() {
                    return self.conclude(next);
                }
                if text.len() - self.start > 4 * MOST_SPACE {
                    return self.give_up();
                }
            }
            _ if let Some((at, _)) = marks.walk(Openings::ROOT, &text[before..]) => {
                self.begin(State::Mark(at), before);
                return self.mark(text, vocabulary);
            }
            _ => return self.unmarked(text, next, vocabulary),
        }
        Verdict::Undecided
    }

    /// Handles a character between markers and calls that begins no marker.
    fn unmarked(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let is_between = self.head.is_empty() && self.call.is_none();
        match next {
            '{' => {
                let name = match self.call.take() {
                    // The arguments follow the tag: `<function=name>{…}`.
                    Some((name, arguments)) if arguments.is_empty() => Some(name),
                    Some(_) => return self.give_up(),
                    None if self.head.is_empty() && (self.expects || self.open > 0) => None,
                    None if self.head.is_empty() => return self.foreign(next),
                    None => match self.name(vocabulary) {
                        Some(name) => Some(name),
                        None => return self.give_up(),
                    },
                };
                self.begin(State::Brace(name), before);
            }
            '[' if is_between => self.expects = true,
            '(' if !self.head.is_empty() => return self.function(text, vocabulary),
            ',' | ';' if is_between && self.reading.is_some() => self.expects = true,
            ']' | '}' | ')' if is_between && self.reading.is_some() => {
                (self.end, self.expects) = (text.len(), false);
            }
            '`' if is_between => {
                // The fence around the calls closes, or opens with a name.
                if self.expects {
                    self.is_fenced = true;
                    self.begin(State::FenceLine, before);
                } else if self.is_fenced {
                    self.end = text.len();
                } else {
                    return self.foreign(next);
                }
            }
            '<' => return self.foreign(next),
            // Between markers, calls may follow each other on separate lines.
            _ if self.call.is_none()
                && (self.expects
                    || self.open > 0 && self.broke_line && vocabulary.begins_tool(&text[before..])) =>
            {
                self.begin(State::Head, before);
                return self.in_head(text, next, vocabulary);
            }
            _ => return self.foreign(next),
        }
        Verdict::Undecided
    }

    /// Reads text again that began like a marker but is not one.
    fn no_mark(&mut self, text: &str, vocabulary: &Vocabulary) -> Verdict {
        let from = self.start;
        self.state = State::Loose;
        let Some(first) = text[from..].chars().next() else { return Verdict::Undecided };
        let behind = from + first.len_utf8();
        match self.unmarked(&text[..behind], first, vocabulary) {
            Verdict::Undecided => self.feed_again(text, behind, vocabulary),
            verdict => verdict,
        }
    }

    /// Reads the text from a position again.
    fn feed_again(&mut self, text: &str, from: usize, vocabulary: &Vocabulary) -> Verdict {
        let mut verdict = Verdict::Undecided;
        for (place, next) in text[from..].char_indices() {
            verdict = self.feed(&text[..from + place + next.len_utf8()], next, vocabulary);
            if !matches!(verdict, Verdict::Undecided) {
                break;
            }
        }
        verdict
    }

    fn mark(&mut self, text: &str, vocabulary: &Vocabulary) -> Verdict {
        let State::Mark(at) = self.state else { return Verdict::Undecided };
        let Some(Opening::Mark(role)) = vocabulary.marks().opened(at) else {
            let is_long = text.len() - self.start > LONGEST_TAG;
            return if is_long { self.give_up() } else { Verdict::Undecided };
        };
        match role {
            Role::Separator => {
                self.begin(State::Loose, text.len());
                return Verdict::Undecided;
            }
            Role::Parameter(close) if self.call.is_some() => {
                self.begin(State::Parameter(close.clone()), text.len());
                return Verdict::Undecided;
            }
            Role::Key(pairs) => {
                if self.call.is_none() {
                    let Some(name) = self.name(vocabulary) else { return self.give_up() };
                    self.call = Some((name, Map::new()));
                }
                let ending = Ending::new(pairs.key_close.clone());
                self.begin(State::Key(std::sync::Arc::clone(pairs), ending), text.len());
                return Verdict::Undecided;
            }
            Role::Parameter(_) => return self.give_up(),
            Role::End => return self.end_turn(text, vocabulary),
            Role::Open | Role::Close | Role::Function => {}
        }
        let is_new = matches!(role, Role::Open | Role::Function);
        if is_new && self.broke_line && self.open == 0 && self.call.is_none() && self.reading.is_some() {
            // A new section begins on its own line.
            return self.conclude('<');
        }
        if !self.flush(vocabulary) {
            return self.give_up();
        }
        match role {
            Role::Open => {
                (self.has_mark, self.expects) = (true, true);
                // A marker that begins with a square bracket has no closing marker.
                self.open += usize::from(text[self.start..].starts_with('<'));
            }
            Role::Function => {
                self.begin(State::Function, text.len());
                return Verdict::Undecided;
            }
            // Markers without content are only mentioned.
            _ if self.reading.is_none() => return self.give_up(),
            _ => {
                (self.end, self.expects, self.broke_line) = (text.len(), false, false);
                self.open = self.open.saturating_sub(1);
            }
        }
        self.begin(State::Loose, text.len());
        Verdict::Undecided
    }

    fn begin(&mut self, state: State, start: usize) {
        (self.state, self.start) = (state, start);
    }

    /// Adds a reading. Anything that is not a call makes the whole section text.
    fn add(&mut self, reading: Reading, end: usize) -> Verdict {
        let verdict = if reading == Reading::Text { Verdict::Text } else { Verdict::Undecided };
        self.reading = Some(match self.reading.take() {
            Some(earlier) => earlier.and(reading),
            None => reading,
        });
        self.head.clear();
        self.nested = None;
        (self.end, self.expects, self.broke_line) = (end, false, false);
        self.begin(State::Loose, end);
        verdict
    }

    /// Completes a pending call. Returns false if the text is not a call.
    fn flush(&mut self, vocabulary: &Vocabulary) -> bool {
        if let Some((name, arguments)) = self.call.take() {
            let end = self.end.max(self.start);
            self.add(Reading::call(&name, Arguments::Named(arguments)), end);
        } else if !self.head.is_empty() {
            // A name alone may be only mentioned, unless the model is known to write calls this way.
            let is_named =
                vocabulary.calls().is_some_and(|calls| matches!(calls.form, CallForm::Named { .. }));
            let Some(name) = self.name(vocabulary) else { return false };
            if !is_named && self.trust != Trust::Mark {
                if !vocabulary.has_tool(&name) || !self.place.is_apart() {
                    return false;
                }
                self.has_name_alone = true;
            }
            let end = self.end.max(self.start);
            self.add(Reading::call(&name, Arguments::Named(Map::new())), end);
        }
        true
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}
