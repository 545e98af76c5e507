//! The names and markers that have a meaning in a reply.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::call_keys::FIRST_KEYS;
use crate::known_markers::{
    ANSWERS, CALLS, ENDS_OF_MESSAGES, HEADERS, SEPARATORS, TAGS, THOUGHTS, TURN_MARKERS,
};
use crate::markers_and_words::markers_and_words;
use crate::openings::{DropCondition, MarkerRole, MarkerTrust, Opening, OpeningTree, ThoughtPlace};
use crate::syntax::{ArgumentForm, CallForm, CallSyntax, KeyValueMarkers, ReplySyntax};

/// The maximum length of a tool name, in bytes.
pub(crate) const LONGEST_NAME: usize = 128;
/// The minimum length of a truncated marker. A reply may end with a bracket and a letter.
const SHORTEST_CUT: usize = 3;
/// The minimum length of a truncated element, since an element may have any name.
const SHORTEST_ELEMENT: usize = 6;

/// The names and markers that have a meaning. Everything else is text.
#[derive(Debug, Clone)]
pub struct ReplyVocabulary {
    /// The tools, with their parameters if known.
    tools: BTreeMap<String, BTreeSet<String>>,
    openings: OpeningTree,
    /// The markers within a call.
    call_markers: OpeningTree,
    /// The markers that end a turn.
    turn_ends: OpeningTree,
    /// The names of fences that contain calls.
    fences: Vec<String>,
    /// True if calls of unknown tools are to be reported as calls.
    reports_unknown_tools: bool,
    /// The call syntax of this model.
    call_syntax: Option<CallSyntax>,
    /// The other markers of this model: those of thoughts, at the end of calls and around turns.
    other_markers: Vec<String>,
}

impl Default for ReplyVocabulary {
    /// Creates a vocabulary without tools and tags, for text and reasoning only.
    fn default() -> Self {
        Self::new(Vec::<String>::new(), Vec::<String>::new())
    }
}

impl ReplyVocabulary {
    pub fn new<T: Into<String>, G: Into<String>>(
        tools: impl IntoIterator<Item = T>,
        tags: impl IntoIterator<Item = G>,
    ) -> Self {
        let tools = tools.into_iter().map(Into::into).filter(|name: &String| is_name(name));
        let tags = tags.into_iter().map(Into::into).filter(|name: &String| is_name(name));
        let mut openings = OpeningTree::default();
        for (open, close) in THOUGHTS {
            openings.add(&[open], &thought(open, close));
        }
        for marker in HEADERS {
            openings.add(&[marker], &Opening::Header);
        }
        for (open, close) in ANSWERS {
            openings.add(&[open], &Opening::Dropped(DropCondition::AfterThought));
            openings.add(&[close], &Opening::Dropped(DropCondition::AfterMarker));
        }
        for name in tags {
            openings.add(&[&format!("[{name}:")], &Opening::Tag(name.into()));
        }
        let tools: BTreeMap<_, _> = tools.map(|name| (name, BTreeSet::new())).collect();
        let mut vocabulary = Self {
            tools,
            openings,
            call_markers: OpeningTree::default(),
            turn_ends: OpeningTree::default(),
            fences: Vec::new(),
            reports_unknown_tools: false,
            call_syntax: None,
            other_markers: Vec::new(),
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
    pub fn with_unknown_tools(mut self) -> Self {
        if !std::mem::replace(&mut self.reports_unknown_tools, true) && self.tools.is_empty() {
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
    pub fn with_syntax(mut self, syntax: &ReplySyntax) -> Self {
        let thoughts = syntax.thoughts.iter().flat_map(|thought| [&thought.open, &thought.close]);
        let closes = syntax.calls.iter().flat_map(|calls| &calls.close);
        self.other_markers.extend(thoughts.chain(&syntax.turn_markers).chain(closes).cloned());
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
        for marker in closes.chain(&syntax.turn_markers) {
            self.openings.add_dropped(marker);
        }
        for marker in &syntax.turn_markers {
            self.add_end(marker);
        }
        self.with_fences(&syntax.fences)
    }

    fn can_call(&self) -> bool {
        self.reports_unknown_tools || !self.tools.is_empty()
    }

    pub(crate) fn reports_unknown_tools(&self) -> bool {
        self.reports_unknown_tools
    }

    pub(crate) fn fences(&self) -> &[String] {
        &self.fences
    }

    pub(crate) fn openings(&self) -> &OpeningTree {
        &self.openings
    }

    pub(crate) fn call_markers(&self) -> &OpeningTree {
        &self.call_markers
    }

    pub(crate) fn turn_ends(&self) -> &OpeningTree {
        &self.turn_ends
    }

    /// Returns the call syntax of the model, if known.
    pub(crate) fn call_syntax(&self) -> Option<&CallSyntax> {
        self.call_syntax.as_ref()
    }

    /// Returns true if a text at the end of a reply may be the beginning of a marker that opens a call.
    pub(crate) fn begins_call_marker(&self, text: &str) -> bool {
        let mut own = self.call_syntax.iter().flat_map(|calls| &calls.open);
        own.any(|marker| begins(marker, text)) || CALLS.iter().any(|(open, _)| self.begins_known(open, text))
    }

    /// Returns true if a text at the end of a reply may be the beginning of another marker.
    pub(crate) fn begins_other_marker(&self, text: &str) -> bool {
        self.other_markers.iter().any(|marker| begins(marker, text))
            || CALLS.iter().any(|(_, close)| self.begins_known(close, text))
            || TURN_MARKERS.into_iter().any(|marker| self.begins_known(marker, text))
    }

    /// Returns true if a text may be the beginning of a marker that is known without a template.
    fn begins_known(&self, marker: &str, text: &str) -> bool {
        let is_sure = text.len() >= SHORTEST_ELEMENT || trust(text) == MarkerTrust::Marker;
        self.can_call() && is_sure && begins(marker, text)
    }

    /// Returns true if a text is the name of a tool or the beginning of one. In the openings, a name is followed by its
    /// bracket; texts that begin with a bracket are something else.
    pub(crate) fn begins_tool(&self, text: &str) -> bool {
        let walked = self.openings.walk(OpeningTree::ROOT, text);
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
        self.openings.add(&["functools", "["], &Opening::MarkedCalls(MarkerTrust::Line));
        self.call_markers.add(&["functools"], &Opening::CallMarker(MarkerRole::Open));
        self.openings.add(&["to=functions."], &Opening::Header);
        for (open, close) in CALLS {
            self.add_call_markers(open, close, trust(open));
        }
        for marker in SEPARATORS {
            self.call_markers.add(&[marker], &Opening::CallMarker(MarkerRole::Separator));
        }
        for marker in TURN_MARKERS {
            self.openings.add(&[marker], &Opening::Dropped(DropCondition::AfterMarker));
        }
        for (_, close) in THOUGHTS {
            if !self.openings.has(close) {
                self.openings.add(&[close], &Opening::Dropped(DropCondition::AfterMarker));
            }
        }
        for marker in ENDS_OF_MESSAGES {
            self.call_markers.add(&[marker], &Opening::CallMarker(MarkerRole::Close));
        }
        for marker in TURN_MARKERS {
            self.add_end(marker);
        }
        for (function, parameter, close) in TAGS {
            self.add_tags(function, parameter, close);
        }
        self.add_pairs(&KeyValueMarkers {
            key_open: "<arg_key>".into(),
            key_close: "</arg_key>".into(),
            value_open: "<arg_value>".into(),
            value_close: "</arg_value>".into(),
        });
        for (key, kind) in FIRST_KEYS {
            for key in [format!("\"{key}\""), format!("'{key}'")] {
                self.openings.add(&["{", &key], &Opening::Object(kind));
                self.openings.add(&["[", "{", &key], &Opening::Object(kind));
                self.openings.add(&["{", "{", &key], &Opening::DoubledObject(kind));
                self.openings.add(&["[", "{", "{", &key], &Opening::DoubledObject(kind));
            }
        }
        for name in self.tools.keys() {
            self.openings.add(&[&format!("{name}(")], &Opening::Function(name.as_str().into()));
            self.openings.add(&["[", &format!("{name}(")], &Opening::MarkedCalls(MarkerTrust::Line));
        }
    }

    fn add_call_markers(&mut self, open: &str, close: &str, trust: MarkerTrust) {
        add_marker(&mut self.openings, open, &Opening::MarkedCalls(trust));
        add_marker(&mut self.call_markers, open, &Opening::CallMarker(MarkerRole::Open));
        add_marker(&mut self.openings, close, &Opening::Dropped(DropCondition::AfterMarker));
        add_marker(&mut self.call_markers, close, &Opening::CallMarker(MarkerRole::Close));
    }

    fn add_end(&mut self, marker: &str) {
        let end = Opening::CallMarker(MarkerRole::End);
        if !marker.is_empty() {
            self.turn_ends.add(&[marker], &end);
            if !self.call_markers.has(marker) {
                self.call_markers.add(&[marker], &end);
            }
        }
    }

    fn add_tags(&mut self, function: &str, parameter: &str, value_close: &str) {
        let (function_tag, parameter_tag) = (format!("<{function}"), format!("<{parameter}"));
        for rest in [&["="] as &[&str], &["name", "="]] {
            let opening = [&[function_tag.as_str()], rest].concat();
            self.openings.add(&opening, &Opening::MarkedCalls(trust(function)));
            self.call_markers.add(&opening, &Opening::CallMarker(MarkerRole::Function));
            let opening = [&[parameter_tag.as_str()], rest].concat();
            self.call_markers.add(&opening, &Opening::CallMarker(MarkerRole::Parameter(value_close.into())));
        }
        let close = format!("</{function}>");
        add_marker(&mut self.call_markers, &close, &Opening::CallMarker(MarkerRole::Close));
        add_marker(&mut self.openings, &close, &Opening::Dropped(DropCondition::AfterMarker));
        add_marker(&mut self.openings, value_close, &Opening::Dropped(DropCondition::AfterMarker));
    }

    fn add_pairs(&mut self, pairs: &KeyValueMarkers) {
        self.call_markers
            .add(&[&pairs.key_open], &Opening::CallMarker(MarkerRole::Key(Arc::new(pairs.clone()))));
    }

    fn add_syntax(&mut self, calls: &CallSyntax) {
        let whole: Vec<&str> = calls.open.iter().map(String::as_str).collect();
        // A call that begins with words, as in `Action:`, must begin with all its opening parts.
        if let [first, rest @ ..] = whole.as_slice()
            && !is_marker(first)
        {
            self.openings.add(&whole, &Opening::MarkedCalls(MarkerTrust::Line));
            self.call_markers.add(&[first], &Opening::CallMarker(MarkerRole::Open));
            for marker in rest.iter().filter(|marker| is_marker(marker)) {
                self.add_call_markers(marker, "", own_trust(marker));
            }
        } else {
            for marker in whole.into_iter().filter(|marker| is_marker(marker)) {
                self.add_call_markers(marker, "", own_trust(marker));
            }
        }
        for marker in calls.close.iter().filter(|marker| is_marker(marker)) {
            add_marker(&mut self.openings, marker, &Opening::Dropped(DropCondition::AfterMarker));
            add_marker(&mut self.call_markers, marker, &Opening::CallMarker(MarkerRole::Close));
        }
        if let CallForm::Named { prefix, infix, arguments } = &calls.form {
            for marker in markers_in(prefix).into_iter().chain(markers_in(infix)) {
                add_marker(&mut self.call_markers, &marker, &Opening::CallMarker(MarkerRole::Separator));
            }
            let begins = prefix.trim();
            if calls.open.is_empty() && !begins.is_empty() {
                self.call_markers.add(&[begins], &Opening::CallMarker(MarkerRole::Open));
                for name in self.tools.keys() {
                    self.openings.add(&[begins, name], &Opening::MarkedCalls(MarkerTrust::Line));
                }
            }
            match arguments {
                ArgumentForm::Pairs(pairs) => self.add_pairs(pairs),
                ArgumentForm::Tags { function, parameter, close } => {
                    self.add_tags(function, parameter, close);
                }
                ArgumentForm::Json if calls.open.is_empty() && prefix.is_empty() => {
                    for name in self.tools.keys() {
                        self.openings.add(&[name, "{"], &Opening::MarkedCalls(MarkerTrust::Line));
                    }
                }
                _ => {}
            }
        }
        self.call_syntax = Some(calls.clone());
    }
}

/// Returns true if a truncated text may be the beginning of a marker.
fn begins(marker: &str, text: &str) -> bool {
    text.len() >= SHORTEST_CUT && is_marker(marker) && marker.starts_with(text)
}

fn thought(open: &str, close: &str) -> Opening {
    let place =
        if trust(open) == MarkerTrust::Marker { ThoughtPlace::Anywhere } else { ThoughtPlace::LineStart };
    Opening::Thought { close: close.into(), place }
}

/// Returns the trust in a marker. Control tokens do not occur in ordinary sentences.
fn trust(marker: &str) -> MarkerTrust {
    let is_sure = marker.contains(['|', '｜', '[', '◁'])
        || marker.contains("tool_call:")
        || marker.starts_with("<start_");
    if is_sure { MarkerTrust::Marker } else { MarkerTrust::Element }
}

/// Like [`trust`], for a marker that this model uses.
fn own_trust(marker: &str) -> MarkerTrust {
    if trust(marker) == MarkerTrust::Marker { MarkerTrust::Marker } else { MarkerTrust::Own }
}

/// Adds a marker. In tags, whitespace is allowed around the name, since small models add it.
fn add_marker(openings: &mut OpeningTree, marker: &str, opening: &Opening) {
    if marker.is_empty() {
        return;
    }
    let inner = marker.trim_start_matches(['<', '/', '|']).trim_end_matches(['|', '>']);
    let start = marker.find(inner).unwrap_or(0);
    let is_tag =
        marker.starts_with('<') && marker.ends_with('>') && !inner.is_empty() && is_identifier(inner);
    if is_tag {
        openings.add(&[&marker[..start], inner, &marker[start + inner.len()..]], opening);
    } else {
        openings.add(&[marker], opening);
    }
}

/// Returns true for a text that is distinct from words. A code fence is no marker, since it may contain any text.
fn is_marker(text: &str) -> bool {
    text.starts_with(|first: char| !first.is_alphanumeric() && !first.is_whitespace() && first != '`')
}

/// Returns the markers in a text between two parts of a call.
fn markers_in(text: &str) -> Vec<String> {
    let parts = markers_and_words(text);
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
