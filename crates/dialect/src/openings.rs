//! A prefix tree of the texts that open a call or a thought, or have a role within a call.

use std::sync::Arc;

use crate::call_keys::FirstKey;
use crate::syntax::KeyValueMarkers;

/// A prefix tree. Each byte of a reply takes one step, however many texts there are.
#[derive(Debug, Clone)]
pub struct OpeningTree {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Default)]
struct Node {
    /// One bit for each ASCII character with a child, since most steps fail and should do so fast.
    ascii: u128,
    children: Vec<(u8, TreePosition)>,
    /// The child for whitespace, which may be the node itself.
    space: Option<TreePosition>,
    opens: Option<Opening>,
}

/// A position in the tree, reached by a prefix of at least one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreePosition(usize);

/// The meaning of a text in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    /// A thought, with its closing marker.
    Thought { close: Arc<str>, place: ThoughtPlace },
    /// A tag: `[NAME:`.
    Tag(Arc<str>),
    /// The tag `[TOOL_CALL:`.
    ToolCall,
    /// `{"tool"` or `[{"tool"`, with optional whitespace between the parts.
    Object(FirstKey),
    /// `{{"tool"`: the doubled braces in the example of a template, which always begin a call.
    DoubledObject(FirstKey),
    /// A marker before a call, such as `<tool_call>`.
    MarkedCalls(MarkerTrust),
    /// A function call: `name(`.
    Function(Arc<str>),
    /// A message with a header, such as `<|channel|>analysis<|message|>`.
    Header,
    /// A marker that is dropped if its condition holds.
    Dropped(DropCondition),
    /// A marker within a block of calls.
    CallMarker(MarkerRole),
    /// The marker `<|python_tag|>`.
    PythonTag,
    /// Three backticks, for models that write calls in fences.
    Fence,
}

/// The position in which a marker certainly opens a thought. Elsewhere it may be only mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThoughtPlace {
    LineStart,
    Anywhere,
}

/// The evidence that a marker is used, not only mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerTrust {
    /// The marker itself, which does not occur in ordinary sentences.
    Marker,
    /// The marker, if this model uses it for calls. Within a sentence, its line must also be evidence.
    Own,
    /// The line, which the calls must begin or end.
    Element,
    /// The lines, which may contain nothing else.
    Line,
}

/// The condition for dropping a marker instead of showing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropCondition {
    /// Always, unless text follows on its line, which means that it is only mentioned.
    Apart,
    /// Directly after a thought.
    AfterThought,
    /// In a reply with other meaningful markers.
    AfterMarker,
}

/// The effect of a marker within a block of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkerRole {
    /// Opens a call.
    Open,
    /// Closes a call or all calls.
    Close,
    /// Ends the turn and its last line.
    End,
    /// Separates the parts of the head of a call.
    Separator,
    /// Begins the name of a function, up to the end of this tag.
    Function,
    /// Begins the key of a parameter, up to the end of this tag. Its value follows, up to this text.
    Parameter(Arc<str>),
    /// Begins a key.
    Key(Arc<KeyValueMarkers>),
}

impl Opening {
    /// Returns true for an opening that is valid only after whitespace at the start of a line.
    pub fn starts_line(&self) -> bool {
        match self {
            Self::MarkedCalls(trust) => *trust == MarkerTrust::Line,
            Self::Object(_) | Self::Function(_) | Self::Fence => true,
            _ => false,
        }
    }
}

impl Default for OpeningTree {
    fn default() -> Self {
        Self { nodes: vec![Node::default()] }
    }
}

/// The bits of the characters that `u8::is_ascii_whitespace` accepts.
const WHITE_SPACE: u128 = 1 << b' ' | 1 << b'\t' | 1 << b'\n' | 1 << b'\x0C' | 1 << b'\r';

impl OpeningTree {
    pub const ROOT: TreePosition = TreePosition(0);

    /// Adds a text in parts. Whitespace is allowed between them.
    pub fn add(&mut self, parts: &[&str], opening: &Opening) {
        self.add_from(Self::ROOT, parts, opening);
    }

    /// Adds a marker to drop, unless the text already has another meaning.
    pub fn add_dropped(&mut self, text: &str) {
        let opened = self.walk(Self::ROOT, text).and_then(|(at, _)| self.opened(at));
        if !text.is_empty() && matches!(opened, None | Some(Opening::Dropped(_))) {
            self.add(&[text], &Opening::Dropped(DropCondition::Apart));
        }
    }

    fn add_from(&mut self, from: TreePosition, parts: &[&str], opening: &Opening) {
        let [part, rest @ ..] = parts else { return };
        let mut at = from;
        for &byte in part.as_bytes() {
            at = match self.child(at, byte) {
                Some(child) => child,
                None => self.grow(at, byte),
            };
        }
        if rest.is_empty() {
            self.node(at).opens = Some(opening.clone());
            return;
        }
        self.add_from(at, rest, opening);
        let space = match self.node(at).space {
            Some(space) => space,
            None => self.grow_space(at),
        };
        self.add_from(space, rest, opening);
    }

    /// Follows a text from a position, to the end of an opening or of the text. Returns the position reached and the
    /// number of bytes matched, or `None` if the text does not match.
    pub fn walk(&self, from: TreePosition, text: &str) -> Option<(TreePosition, usize)> {
        let mut at = from;
        for (place, &byte) in text.as_bytes().iter().enumerate() {
            at = self.child(at, byte)?;
            if self.opened(at).is_some() {
                return Some((at, place + 1));
            }
        }
        Some((at, text.len()))
    }

    /// Returns true if a text begins with a complete text of the tree.
    pub fn has(&self, text: &str) -> bool {
        self.walk(Self::ROOT, text).is_some_and(|(at, _)| self.opened(at).is_some())
    }

    /// Returns true if a text is an incomplete prefix of a text in the tree.
    pub fn leads(&self, text: &str) -> bool {
        self.walk(Self::ROOT, text).is_some_and(|(at, _)| self.opened(at).is_none())
    }

    /// Returns the opening at a position.
    pub fn opened(&self, at: TreePosition) -> Option<&Opening> {
        self.nodes[at.0].opens.as_ref()
    }

    fn child(&self, of: TreePosition, byte: u8) -> Option<TreePosition> {
        let node = &self.nodes[of.0];
        if byte.is_ascii() && node.ascii >> byte & 1 == 0 {
            return None;
        }
        if byte.is_ascii_whitespace() && node.space.is_some() {
            return node.space;
        }
        node.children.iter().find(|(other, _)| *other == byte).map(|&(_, child)| child)
    }

    fn grow(&mut self, parent: TreePosition, byte: u8) -> TreePosition {
        let child = self.push();
        let parent = self.node(parent);
        parent.children.push((byte, child));
        if byte.is_ascii() {
            parent.ascii |= 1 << byte;
        }
        child
    }

    fn grow_space(&mut self, parent: TreePosition) -> TreePosition {
        let space = self.push();
        for node in [parent, space] {
            let node = self.node(node);
            node.space = Some(space);
            node.ascii |= WHITE_SPACE;
        }
        space
    }

    fn push(&mut self) -> TreePosition {
        self.nodes.push(Node::default());
        TreePosition(self.nodes.len() - 1)
    }

    fn node(&mut self, at: TreePosition) -> &mut Node {
        &mut self.nodes[at.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find<'a>(openings: &'a OpeningTree, text: &str) -> Option<&'a Opening> {
        let (at, length) = openings.walk(OpeningTree::ROOT, text)?;
        openings.opened(at).filter(|_| length == text.len())
    }

    #[test]
    fn a_text_opens_what_was_added_under_it_and_its_beginning_opens_nothing() {
        let mut openings = OpeningTree::default();
        for name in ["web", "website", "wählen"] {
            openings.add(&[&format!("{name}(")], &Opening::Function(name.into()));
        }
        let thought = Opening::Thought { close: "</think>".into(), place: ThoughtPlace::LineStart };
        openings.add(&["<think>"], &thought);
        openings.add(&["[TAG:"], &Opening::ToolCall);
        openings.add(&["[", "{", "\"tool\""], &Opening::Object(FirstKey::Name));
        for space in ["", " ", "\n\t", "\r\n    "] {
            let object = format!("[{space}{{{space}\"tool\"");
            assert_eq!(find(&openings, &object), Some(&Opening::Object(FirstKey::Name)), "{object:?}");
        }
        assert_eq!(find(&openings, "[TAG:"), Some(&Opening::ToolCall));
        assert_eq!(find(&openings, "web("), Some(&Opening::Function("web".into())));
        assert_eq!(find(&openings, "website("), Some(&Opening::Function("website".into())));
        assert_eq!(find(&openings, "wählen("), Some(&Opening::Function("wählen".into())));
        assert_eq!(find(&openings, "<think>"), Some(&thought));
        for nothing in ["", "[ TAG:", "[ ", "[ {", "[[\"", "web", "webs", "<think", "x", "web((", "wä"] {
            assert_eq!(find(&openings, nothing), None, "{nothing}");
        }
    }
}
