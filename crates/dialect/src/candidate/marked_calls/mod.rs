//! A block of calls with markers: in elements, between control tokens or in lists.
//!
//! One state machine reads all syntaxes, because small models mix them. Markers begin, separate and end calls. A call
//! is a JSON object, a function, or a name followed by arguments: JSON, keys and values between markers, or an object
//! with unquoted keys. The type and its transitions between calls are in this file; the other files add the
//! transitions within the parts of a call.

mod broken;
mod close;
mod head;
mod json;
mod parameter;
mod unquoted_arguments;

use std::sync::Arc;

use serde_json::{Map, Value};

use self::parameter::Parameter;
use self::unquoted_arguments::UnquotedArguments;
use super::context::CandidateContext;
use super::function::{self, ArgumentScan, ScanProgress};
use super::limits::{LONGEST_TAG, MOST_SPACE};
use super::verdict::Verdict;
use crate::arguments::CallArguments;
use crate::ending::EndingSearch;
use crate::interpretation::Interpretation;
use crate::json::JsonExtent;
use crate::openings::{MarkerRole, MarkerTrust, Opening, OpeningTree, TreePosition};
use crate::syntax::{CallForm, KeyValueMarkers};
use crate::vocabulary::ReplyVocabulary;

/// A block of one or more calls.
#[derive(Debug)]
pub struct MarkedCalls {
    trust: MarkerTrust,
    context: CandidateContext,
    state: State,
    /// The start of the current state.
    start: usize,
    /// True if a call, but no text, may begin here.
    may_begin: bool,
    /// True if a marker around calls was read.
    has_marker: bool,
    /// The number of open markers around calls.
    open: usize,
    /// The text before the arguments, split at markers.
    head: Vec<String>,
    /// A call whose arguments arrive one by one.
    call: Option<(String, Map<String, Value>)>,
    /// The last parameter of that call, if others began within its value.
    nested: Option<Parameter>,
    /// The interpretation of the calls so far.
    interpretation: Option<Interpretation>,
    /// The position after the last character of the block.
    end: usize,
    /// True if a line break followed the last call.
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
    Between,
    /// A part of a head.
    Head,
    /// A possible marker.
    Marker(TreePosition),
    /// The backticks of a fence and its name, up to the end of the line.
    FenceLine,
    /// The name of a function, up to the end of its tag.
    Function,
    /// The key of a parameter, up to the end of its tag, with the closing text of its value.
    Parameter(Arc<str>),
    Value(Parameter),
    /// A key between two markers, with the search for the second one.
    Key(Arc<KeyValueMarkers>, EndingSearch),
    /// After a key, before the opening of its value.
    BeforeValue(Arc<KeyValueMarkers>, String),
    /// After a brace, which may follow the name of a tool.
    Brace(Option<String>),
    /// The arguments of the named tool, or a whole call. `marker` is a partly read marker within, with its start.
    Json {
        name: Option<String>,
        extent: JsonExtent,
        marker: Option<(TreePosition, usize)>,
        ended_in_string: bool,
    },
    /// Arguments with unquoted keys.
    UnquotedArguments {
        name: String,
        scan: UnquotedArguments,
    },
    /// The arguments of a function, up to the closing parenthesis.
    Python {
        name: String,
        scan: ArgumentScan,
    },
    /// Unreadable arguments of this call.
    Broken {
        name: String,
        marker: Option<(TreePosition, usize)>,
    },
}

impl MarkedCalls {
    pub fn new(trust: MarkerTrust, context: CandidateContext) -> Self {
        Self {
            trust,
            context,
            state: State::Between,
            start: 0,
            may_begin: true,
            has_marker: false,
            open: 0,
            head: Vec::new(),
            call: None,
            nested: None,
            interpretation: None,
            end: 0,
            broke_line: false,
            is_fenced: false,
            has_name_alone: false,
            read: 0,
        }
    }

    /// Creates a block at the arguments of this tool.
    pub fn of(name: String, context: CandidateContext, start: usize) -> Self {
        Self {
            head: vec![name],
            has_marker: true,
            start,
            end: start,
            ..Self::new(MarkerTrust::Marker, context)
        }
    }

    /// Returns the position after the last character of the block, once it has been read.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        self.read = text.len();
        match &mut self.state {
            State::Between => return self.between(text, next, vocabulary),
            State::Head => return self.in_head(text, next, vocabulary),
            State::Marker(at) => {
                if let Some((at, _)) = vocabulary.call_markers().walk(*at, &text[before..]) {
                    self.state = State::Marker(at);
                    return self.marker(text, vocabulary);
                }
                return self.not_a_marker(text, vocabulary);
            }
            State::FenceLine => {
                if next == '\n' {
                    self.begin(State::Between, text.len());
                } else if matches!(next, '{' | '[') {
                    self.begin(State::Between, before);
                    return self.between(text, next, vocabulary);
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
                    self.begin(State::Between, text.len());
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
                if let Some(after) = parameter.feed(text, next, is_other) {
                    parameter.keep(text, arguments);
                    if let State::Value(parameter) = std::mem::replace(&mut self.state, State::Between) {
                        self.nested = Some(parameter).filter(Parameter::has_others).or(self.nested.take());
                    }
                    self.begin(State::Between, after);
                    return self.feed_again(text, after, vocabulary);
                }
            }
            State::Key(pairs, ending) => {
                if let Some(place) = ending.feed(next) {
                    let key = text[self.start..text.len() - ending.length(place)].trim().to_owned();
                    let pairs = Arc::clone(pairs);
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
            State::UnquotedArguments { name, scan } => match scan.feed(text, next) {
                ScanProgress::Inside => {}
                ScanProgress::Broken => {
                    let name = std::mem::take(name);
                    return self.break_off(&name);
                }
                ScanProgress::Closed => {
                    let name = std::mem::take(name);
                    let interpretation =
                        unquoted_arguments::interpret(&name, &text[self.start..], scan.quote());
                    return self.add(interpretation, text.len());
                }
            },
            State::Python { name, scan } => match scan.feed(next) {
                ScanProgress::Inside => {}
                ScanProgress::Broken => {
                    let name = std::mem::take(name);
                    return self.break_off(&name);
                }
                ScanProgress::Closed => {
                    let interpretation = match function::interpret(name, &text[self.start..before]) {
                        Interpretation::Text if self.trust == MarkerTrust::Marker => {
                            Interpretation::unreadable_arguments(name)
                        }
                        interpretation => interpretation,
                    };
                    return self.add(interpretation, text.len());
                }
            },
        }
        Verdict::Undecided
    }

    /// Handles a character between markers and calls.
    fn between(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let markers = vocabulary.call_markers();
        match next {
            _ if next.is_whitespace() => {
                if next == '\n' && !self.broke_line {
                    self.broke_line = true;
                    // Whitespace at the end of its line belongs to the block.
                    if self.interpretation.is_some() && self.call.is_none() && !self.may_begin {
                        self.end = before;
                    }
                }
                let is_long = text.len() - self.end > MOST_SPACE;
                if is_long && self.interpretation.is_some() && self.call.is_none() {
                    return self.conclude(next);
                }
                if text.len() - self.start > 4 * MOST_SPACE {
                    return self.give_up();
                }
            }
            _ if let Some((at, _)) = markers.walk(OpeningTree::ROOT, &text[before..]) => {
                self.begin(State::Marker(at), before);
                return self.marker(text, vocabulary);
            }
            _ => return self.unmarked(text, next, vocabulary),
        }
        Verdict::Undecided
    }

    /// Handles a character between markers and calls that begins no marker.
    fn unmarked(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let is_between = self.head.is_empty() && self.call.is_none();
        match next {
            '{' => {
                let name = match self.call.take() {
                    // The arguments follow the tag: `<function=name>{…}`.
                    Some((name, arguments)) if arguments.is_empty() => Some(name),
                    Some(_) => return self.give_up(),
                    None if self.head.is_empty() && (self.may_begin || self.open > 0) => None,
                    None if self.head.is_empty() => return self.foreign(next),
                    None => match self.name(vocabulary) {
                        Some(name) => Some(name),
                        None => return self.give_up(),
                    },
                };
                self.begin(State::Brace(name), before);
            }
            '[' if is_between => self.may_begin = true,
            '(' if !self.head.is_empty() => return self.function(text, vocabulary),
            ',' | ';' if is_between && self.interpretation.is_some() => self.may_begin = true,
            ']' | '}' | ')' if is_between && self.interpretation.is_some() => {
                (self.end, self.may_begin) = (text.len(), false);
            }
            '`' if is_between => {
                // The fence around the calls closes, or opens with a name.
                if self.may_begin {
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
                && (self.may_begin
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
    fn not_a_marker(&mut self, text: &str, vocabulary: &ReplyVocabulary) -> Verdict {
        let from = self.start;
        self.state = State::Between;
        let Some(first) = text[from..].chars().next() else { return Verdict::Undecided };
        let after = from + first.len_utf8();
        match self.unmarked(&text[..after], first, vocabulary) {
            Verdict::Undecided => self.feed_again(text, after, vocabulary),
            verdict => verdict,
        }
    }

    /// Reads the text from a position again.
    fn feed_again(&mut self, text: &str, from: usize, vocabulary: &ReplyVocabulary) -> Verdict {
        let mut verdict = Verdict::Undecided;
        for (place, next) in text[from..].char_indices() {
            verdict = self.feed(&text[..from + place + next.len_utf8()], next, vocabulary);
            if !matches!(verdict, Verdict::Undecided) {
                break;
            }
        }
        verdict
    }

    /// Handles the position that a possible marker has reached in the tree.
    fn marker(&mut self, text: &str, vocabulary: &ReplyVocabulary) -> Verdict {
        let State::Marker(at) = self.state else { return Verdict::Undecided };
        let Some(Opening::CallMarker(role)) = vocabulary.call_markers().opened(at) else {
            let is_long = text.len() - self.start > LONGEST_TAG;
            return if is_long { self.give_up() } else { Verdict::Undecided };
        };
        match role {
            MarkerRole::Separator => {
                self.begin(State::Between, text.len());
                return Verdict::Undecided;
            }
            MarkerRole::Parameter(close) if self.call.is_some() => {
                self.begin(State::Parameter(close.clone()), text.len());
                return Verdict::Undecided;
            }
            MarkerRole::Key(pairs) => {
                if self.call.is_none() {
                    let Some(name) = self.name(vocabulary) else { return self.give_up() };
                    self.call = Some((name, Map::new()));
                }
                let ending = EndingSearch::new(pairs.key_close.clone());
                self.begin(State::Key(Arc::clone(pairs), ending), text.len());
                return Verdict::Undecided;
            }
            MarkerRole::Parameter(_) => return self.give_up(),
            MarkerRole::End => return self.end_turn(text, vocabulary),
            MarkerRole::Open | MarkerRole::Close | MarkerRole::Function => {}
        }
        let is_new = matches!(role, MarkerRole::Open | MarkerRole::Function);
        if is_new && self.broke_line && self.open == 0 && self.call.is_none() && self.interpretation.is_some()
        {
            // Another block begins on its own line.
            return self.conclude('<');
        }
        if !self.flush(vocabulary) {
            return self.give_up();
        }
        match role {
            MarkerRole::Open => {
                (self.has_marker, self.may_begin) = (true, true);
                // A marker that begins with a square bracket has no closing marker.
                self.open += usize::from(text[self.start..].starts_with('<'));
            }
            MarkerRole::Function => {
                self.begin(State::Function, text.len());
                return Verdict::Undecided;
            }
            // Markers without content are only mentioned.
            _ if self.interpretation.is_none() => return self.give_up(),
            _ => {
                (self.end, self.may_begin, self.broke_line) = (text.len(), false, false);
                self.open = self.open.saturating_sub(1);
            }
        }
        self.begin(State::Between, text.len());
        Verdict::Undecided
    }

    /// Handles a new parameter. If one with the same key began within the previous value, that was part of the value.
    fn unnest(&mut self, key: &str, text: &str) {
        if let Some(nested) = self.nested.take_if(|nested| nested.has_within(key))
            && let Some((_, arguments)) = &mut self.call
        {
            nested.keep_whole(text, arguments);
        }
    }

    fn begin(&mut self, state: State, start: usize) {
        (self.state, self.start) = (state, start);
    }

    /// Adds the interpretation of a call. Anything that is not a call makes the whole block text.
    fn add(&mut self, interpretation: Interpretation, end: usize) -> Verdict {
        let verdict = if interpretation == Interpretation::Text { Verdict::Text } else { Verdict::Undecided };
        self.interpretation = Some(match self.interpretation.take() {
            Some(earlier) => earlier.and(interpretation),
            None => interpretation,
        });
        self.head.clear();
        self.nested = None;
        (self.end, self.may_begin, self.broke_line) = (end, false, false);
        self.begin(State::Between, end);
        verdict
    }

    /// Completes a pending call. Returns false if the text is not a call.
    fn flush(&mut self, vocabulary: &ReplyVocabulary) -> bool {
        if let Some((name, arguments)) = self.call.take() {
            let end = self.end.max(self.start);
            self.add(Interpretation::call(&name, CallArguments::Named(arguments)), end);
        } else if !self.head.is_empty() {
            // A name alone may be only mentioned, unless the model is known to write calls this way.
            let is_named =
                vocabulary.call_syntax().is_some_and(|calls| matches!(calls.form, CallForm::Named { .. }));
            let Some(name) = self.name(vocabulary) else { return false };
            if !is_named && self.trust != MarkerTrust::Marker {
                if !vocabulary.has_tool(&name) || !self.context.is_apart() {
                    return false;
                }
                self.has_name_alone = true;
            }
            let end = self.end.max(self.start);
            self.add(Interpretation::call(&name, CallArguments::Named(Map::new())), end);
        }
        true
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}
