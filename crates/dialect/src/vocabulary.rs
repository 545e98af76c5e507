use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::candidate::{self, FIRST_KEYS};
use crate::known::{ANSWERS, CALLS, ENDS_OF_MESSAGES, FRAME, HEADERS, SEPARATORS, TAGS, THOUGHTS};
use crate::openings::{Opening, Openings, Place, Role, Trust, When};
use crate::reading::Reading;
use crate::syntax::{ArgumentForm, CallForm, CallSyntax, Pairs, Syntax};

/// The minimum length of a truncated marker. A reply may end with a bracket and a letter.
const SHORTEST_CUT: usize = 3;
/// The minimum length of a truncated element, since an element may have any name.
const SHORTEST_ELEMENT: usize = 6;

/// The names and markers that have a meaning. Everything else is text.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// The tools, with their parameters if known.
    tools: BTreeMap<String, BTreeSet<String>>,
    openings: Openings,
    /// The markers within a call.
    marks: Openings,
    /// The markers that end a turn.
    ends: Openings,
    /// The names of fences that contain calls.
    fences: Vec<String>,
    /// True if calls of unknown tools are to be reported as calls.
    minds_strangers: bool,
    /// The call syntax of this model.
    calls: Option<CallSyntax>,
    /// The other markers of this model.
    others: Vec<String>,
}

impl Default for Vocabulary {
    /// Creates a vocabulary without tools and tags, for text and reasoning only.
    fn default() -> Self {
        Self::new(Vec::<String>::new(), Vec::<String>::new())
    }
}

impl Vocabulary {
    /// Creates a vocabulary with the names of tools and of tags.
    pub fn new<T: Into<String>, G: Into<String>>(
        tools: impl IntoIterator<Item = T>,
        tags: impl IntoIterator<Item = G>,
    ) -> Self {
        let tools = tools.into_iter().map(Into::into).filter(|name: &String| is_name(name));
        let tags = tags.into_iter().map(Into::into).filter(|name: &String| is_name(name));
        let mut openings = Openings::default();
        for (open, close) in THOUGHTS {
            openings.add(&[open], &thought(open, close));
        }
        for mark in HEADERS {
            openings.add(&[mark], &Opening::Header);
        }
        for (open, close) in ANSWERS {
            openings.add(&[open], &Opening::Leftover(When::AfterThought));
            openings.add(&[close], &Opening::Leftover(When::AfterMark));
        }
        for name in tags {
            openings.add(&[&format!("[{name}:")], &Opening::Tag(name.into()));
        }
        let tools: BTreeMap<_, _> = tools.map(|name| (name, BTreeSet::new())).collect();
        let mut vocabulary = Self {
            tools,
            openings,
            marks: Openings::default(),
            ends: Openings::default(),
            fences: Vec::new(),
            minds_strangers: false,
            calls: None,
            others: Vec::new(),
        };
        if !vocabulary.tools.is_empty() {
            vocabulary.add_calls();
        }
        vocabulary
    }

    /// Adds the names of fences in which the model writes its calls, such as `tool_code`.
    #[must_use]
    pub fn with_fences<T: AsRef<str>>(mut self, names: &[T]) -> Self {
        if self.can_call() && !names.is_empty() {
            self.openings.add(&["```"], &Opening::Fence);
            self.fences.extend(names.iter().map(|name| name.as_ref().to_owned()));
        }
        self
    }

    /// Reports calls of unknown tools, for callers that can answer that there is no such tool. This applies to calls
    /// within markers such as `<tool_call>` only, since a name alone does not make prose a call.
    #[must_use]
    pub fn with_strangers(mut self) -> Self {
        if !std::mem::replace(&mut self.minds_strangers, true) && self.tools.is_empty() {
            self.add_calls();
        }
        self
    }

    /// Adds the parameters of a tool. They help to detect a parameter that begins before the previous one was closed.
    #[must_use]
    pub fn with_parameters<T: Into<String>>(
        mut self,
        tool: &str,
        names: impl IntoIterator<Item = T>,
    ) -> Self {
        if let Some(known) = self.tools.get_mut(tool) {
            known.extend(names.into_iter().map(Into::into));
        }
        self
    }

    /// Adds the syntax of one model. Its markers apply in addition to those known for all models.
    #[must_use]
    pub fn with_syntax(mut self, syntax: &Syntax) -> Self {
        let thoughts = syntax.thoughts.iter().flat_map(|thought| [&thought.open, &thought.close]);
        let closes = syntax.calls.iter().flat_map(|calls| &calls.close);
        self.others.extend(thoughts.chain(&syntax.frame).chain(closes).cloned());
        for thought in &syntax.thoughts {
            if !thought.open.is_empty() {
                self.openings.add(&[&thought.open], &self::thought(&thought.open, &thought.close));
            }
        }
        if self.can_call()
            && let Some(calls) = &syntax.calls
        {
            self.add_syntax(calls);
        }
        // A model with thinking disabled sometimes writes a closing marker without an opening one.
        let closes = syntax.thoughts.iter().map(|thought| &thought.close);
        for mark in closes.chain(&syntax.frame) {
            self.openings.add_leftover(mark);
        }
        for mark in &syntax.frame {
            self.add_end(mark);
        }
        self.with_fences(&syntax.fences)
    }

    fn can_call(&self) -> bool {
        self.minds_strangers || !self.tools.is_empty()
    }

    pub(crate) fn minds_strangers(&self) -> bool {
        self.minds_strangers
    }

    pub(crate) fn fences(&self) -> &[String] {
        &self.fences
    }

    pub(crate) fn openings(&self) -> &Openings {
        &self.openings
    }

    pub(crate) fn marks(&self) -> &Openings {
        &self.marks
    }

    pub(crate) fn ends(&self) -> &Openings {
        &self.ends
    }

    /// Returns the call syntax of the model, if known.
    pub(crate) fn calls(&self) -> Option<&CallSyntax> {
        self.calls.as_ref()
    }

    /// Reads the end of a reply that may be the beginning of a marker.
    pub(crate) fn cut_mark(&self, text: &str, place: candidate::Place) -> Reading {
        let is_long = text.len() >= SHORTEST_CUT;
        let begins = |mark: &str| is_long && is_mark(mark) && mark.starts_with(text);
        let is_sure = text.len() >= SHORTEST_ELEMENT || trust(text) == Trust::Mark;
        let begins_known = |mark: &str| self.can_call() && is_sure && begins(mark);
        let (own, mut others) = (self.calls.iter().flat_map(|calls| &calls.open), self.others.iter());
        if !place.is_apart() {
            Reading::Text
        } else if own.map(String::as_str).any(begins) || CALLS.iter().any(|(open, _)| begins_known(open)) {
            Reading::cut_off("the tool")
        } else if others.any(|mark| begins(mark))
            || CALLS.iter().any(|(_, close)| begins_known(close))
            || FRAME.into_iter().any(begins_known)
        {
            Reading::Pieces(Vec::new())
        } else {
            Reading::Text
        }
    }

    /// Returns true if a text is the name of a tool or the beginning of one. In the openings, a name is followed by its
    /// bracket; texts that begin with a bracket are something else.
    pub(crate) fn begins_tool(&self, text: &str) -> bool {
        let walked = self.openings.walk(Openings::ROOT, text);
        walked.is_some_and(|(_, length)| length == text.len()) && !text.starts_with(['<', '[', '{', '`'])
    }

    pub(crate) fn has_tool(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// Returns true if a text contains the name of a tool.
    pub(crate) fn is_named_in(&self, text: &str) -> bool {
        self.tools.keys().any(|name| text.contains(name))
    }

    /// Returns true if a tool may have a parameter of this name. With unknown parameters, any identifier is accepted.
    pub(crate) fn has_parameter(&self, tool: &str, name: &str) -> bool {
        match self.tools.get(tool) {
            Some(known) if !known.is_empty() => known.contains(name),
            _ => is_identifier(name),
        }
    }

    /// Returns true if a tool is known to have a parameter of this name.
    pub(crate) fn knows_parameter(&self, tool: &str, name: &str) -> bool {
        self.tools.get(tool).is_some_and(|known| known.contains(name))
    }

    /// Adds the openings of calls that apply to all models.
    fn add_calls(&mut self) {
        self.openings.add(&["[TOOL_CALL:"], &Opening::ToolCall);
        self.openings.add(&["<|python_tag|>"], &Opening::PythonTag);
        self.openings.add(&["functools", "["], &Opening::Section(Trust::Line));
        self.marks.add(&["functools"], &Opening::Mark(Role::Open));
        self.openings.add(&["to=functions."], &Opening::Header);
        for (open, close) in CALLS {
            self.add_call_marks(open, close, trust(open));
        }
        for mark in SEPARATORS {
            self.marks.add(&[mark], &Opening::Mark(Role::Separator));
        }
        for mark in FRAME {
            self.openings.add(&[mark], &Opening::Leftover(When::AfterMark));
        }
        for (_, close) in THOUGHTS {
            if !self.openings.has(close) {
                self.openings.add(&[close], &Opening::Leftover(When::AfterMark));
            }
        }
        for mark in ENDS_OF_MESSAGES {
            self.marks.add(&[mark], &Opening::Mark(Role::Close));
        }
        for mark in FRAME {
            self.add_end(mark);
        }
        for (function, parameter, close) in TAGS {
            self.add_tags(function, parameter, close);
        }
        self.add_pairs(&Pairs {
            key_open: "<arg_key>".into(),
            key_close: "</arg_key>".into(),
            value_open: "<arg_value>".into(),
            value_close: "</arg_value>".into(),
        });
        for (key, kind) in FIRST_KEYS {
            for key in [format!("\"{key}\""), format!("'{key}'")] {
                self.openings.add(&["{", &key], &Opening::Object(kind));
                self.openings.add(&["[", "{", &key], &Opening::Object(kind));
                self.openings.add(&["{", "{", &key], &Opening::Doubled(kind));
                self.openings.add(&["[", "{", "{", &key], &Opening::Doubled(kind));
            }
        }
        for name in self.tools.keys() {
            self.openings.add(&[&format!("{name}(")], &Opening::Function(name.as_str().into()));
            self.openings.add(&["[", &format!("{name}(")], &Opening::Section(Trust::Line));
        }
    }

    fn add_call_marks(&mut self, open: &str, close: &str, trust: Trust) {
        add_mark(&mut self.openings, open, &Opening::Section(trust));
        add_mark(&mut self.marks, open, &Opening::Mark(Role::Open));
        add_mark(&mut self.openings, close, &Opening::Leftover(When::AfterMark));
        add_mark(&mut self.marks, close, &Opening::Mark(Role::Close));
    }

    fn add_end(&mut self, mark: &str) {
        let end = Opening::Mark(Role::End);
        if !mark.is_empty() {
            self.ends.add(&[mark], &end);
            if !self.marks.has(mark) {
                self.marks.add(&[mark], &end);
            }
        }
    }

    fn add_tags(&mut self, function: &str, parameter: &str, value_close: &str) {
        let (function_tag, parameter_tag) = (format!("<{function}"), format!("<{parameter}"));
        for rest in [&["="] as &[&str], &["name", "="]] {
            let opening = [&[function_tag.as_str()], rest].concat();
            self.openings.add(&opening, &Opening::Section(trust(function)));
            self.marks.add(&opening, &Opening::Mark(Role::Function));
            let opening = [&[parameter_tag.as_str()], rest].concat();
            self.marks.add(&opening, &Opening::Mark(Role::Parameter(value_close.into())));
        }
        let close = format!("</{function}>");
        add_mark(&mut self.marks, &close, &Opening::Mark(Role::Close));
        add_mark(&mut self.openings, &close, &Opening::Leftover(When::AfterMark));
        add_mark(&mut self.openings, value_close, &Opening::Leftover(When::AfterMark));
    }

    fn add_pairs(&mut self, pairs: &Pairs) {
        self.marks.add(&[&pairs.key_open], &Opening::Mark(Role::Key(Arc::new(pairs.clone()))));
    }

    fn add_syntax(&mut self, calls: &CallSyntax) {
        let whole: Vec<&str> = calls.open.iter().map(String::as_str).collect();
        // A call that begins with words, as in `Action:`, must begin with all its opening parts.
        if let [first, rest @ ..] = whole.as_slice()
            && !is_mark(first)
        {
            self.openings.add(&whole, &Opening::Section(Trust::Line));
            self.marks.add(&[first], &Opening::Mark(Role::Open));
            for mark in rest.iter().filter(|mark| is_mark(mark)) {
                self.add_call_marks(mark, "", own_trust(mark));
            }
        } else {
            for mark in whole.into_iter().filter(|mark| is_mark(mark)) {
                self.add_call_marks(mark, "", own_trust(mark));
            }
        }
        for mark in calls.close.iter().filter(|mark| is_mark(mark)) {
            add_mark(&mut self.openings, mark, &Opening::Leftover(When::AfterMark));
            add_mark(&mut self.marks, mark, &Opening::Mark(Role::Close));
        }
        if let CallForm::Named { prefix, infix, arguments } = &calls.form {
            for mark in marks_of(prefix).into_iter().chain(marks_of(infix)) {
                add_mark(&mut self.marks, &mark, &Opening::Mark(Role::Separator));
            }
            let begins = prefix.trim();
            if calls.open.is_empty() && !begins.is_empty() {
                self.marks.add(&[begins], &Opening::Mark(Role::Open));
                for name in self.tools.keys() {
                    self.openings.add(&[begins, name], &Opening::Section(Trust::Line));
                }
            }
            match arguments {
                ArgumentForm::Pairs(pairs) => self.add_pairs(pairs),
                ArgumentForm::Tags { function, parameter, close } => {
                    self.add_tags(function, parameter, close);
                }
                ArgumentForm::Json if calls.open.is_empty() && prefix.is_empty() => {
                    for name in self.tools.keys() {
                        self.openings.add(&[name, "{"], &Opening::Section(Trust::Line));
                    }
                }
                _ => {}
            }
        }
        self.calls = Some(calls.clone());
    }
}

fn thought(open: &str, close: &str) -> Opening {
    let place = if trust(open) == Trust::Mark { Place::Anywhere } else { Place::LineStart };
    Opening::Thought { close: close.into(), place }
}

/// Returns the trust in a marker. Control tokens do not occur in ordinary sentences.
fn trust(mark: &str) -> Trust {
    let is_sure =
        mark.contains(['|', '｜', '[', '◁']) || mark.contains("tool_call:") || mark.starts_with("<start_");
    if is_sure { Trust::Mark } else { Trust::Element }
}

/// Like [`trust`], for a marker that this model uses.
fn own_trust(mark: &str) -> Trust {
    if trust(mark) == Trust::Mark { Trust::Mark } else { Trust::Own }
}

/// Adds a marker. In tags, whitespace is allowed around the name, since small models add it.
fn add_mark(openings: &mut Openings, mark: &str, opening: &Opening) {
    if mark.is_empty() {
        return;
    }
    let inner = mark.trim_start_matches(['<', '/', '|']).trim_end_matches(['|', '>']);
    let start = mark.find(inner).unwrap_or(0);
    let is_tag = mark.starts_with('<') && mark.ends_with('>') && !inner.is_empty() && is_identifier(inner);
    if is_tag {
        openings.add(&[&mark[..start], inner, &mark[start + inner.len()..]], opening);
    } else {
        openings.add(&[mark], opening);
    }
}

/// Returns true for a text that is distinct from words. A code fence is no marker, since it may contain any text.
fn is_mark(text: &str) -> bool {
    text.starts_with(|first: char| !first.is_alphanumeric() && !first.is_whitespace() && first != '`')
}

/// Returns the markers in a text between two parts of a call.
fn marks_of(text: &str) -> Vec<String> {
    let parts = crate::learn::marks(text);
    parts.into_iter().filter(|part| part.starts_with(['<', '[']) && part.len() > 2).collect()
}

/// Returns true for a name without whitespace, so that the indent of a line cannot begin one.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(char::is_whitespace)
}

pub(crate) fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|next| next.is_alphanumeric() || matches!(next, '_' | '-' | '.' | ':' | '$'))
}
