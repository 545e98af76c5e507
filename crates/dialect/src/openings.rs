//! A prefix tree of the texts that open a call.

use std::sync::Arc;

use crate::candidate::Key;
use crate::syntax::Pairs;

/// A prefix tree. Each byte of a reply takes one step, however many texts there are.
#[derive(Debug, Clone)]
pub struct Openings {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Default)]
struct Node {
    /// One bit for each ASCII character with a child, since most steps fail and should do so fast.
    ascii: u128,
    children: Vec<(u8, At)>,
    /// The child for whitespace, which may be the node itself.
    space: Option<At>,
    opens: Option<Opening>,
}

/// A position in the tree, reached by a prefix of at least one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At(usize);

/// The meaning of an opening text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    /// A thought, with its closing marker.
    Thought { close: Arc<str>, place: Place },
    /// A tag: `[NAME:`.
    Tag(Arc<str>),
    /// The tag `[TOOL_CALL:`.
    ToolCall,
    /// `{"tool"` or `[{"tool"`, with optional whitespace between the parts.
    Object(Key),
    /// `{{"tool"`: the doubled braces in the example of a template, which always begin a call.
    Doubled(Key),
    /// A marker before a call, such as `<tool_call>`.
    Section(Trust),
    /// A function call: `name(`.
    Function(Arc<str>),
    /// A message with a header, such as `<|channel|>analysis<|message|>`.
    Header,
    /// A marker that is dropped if its condition holds.
    Leftover(When),
    /// A marker within a section.
    Mark(Role),
    /// The marker `<|python_tag|>`.
    PythonTag,
    /// Three backticks, for models that write calls in fences.
    Fence,
}

/// The position at which an opening is certainly meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    LineStart,
    Anywhere,
}

/// The evidence that an opening is meant rather than mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The marker itself, which does not occur in ordinary sentences.
    Mark,
    /// The marker, if this model uses it for calls. Within a sentence, its line must also be evidence.
    Own,
    /// The line, which the section must begin or end.
    Element,
    /// The lines, on which nothing else may stand.
    Line,
}

/// The condition for dropping a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Always, unless text follows on its line, which means that it is only mentioned.
    Apart,
    /// Directly after a thought.
    AfterThought,
    /// In a reply with other meaningful markers.
    AfterMark,
}

/// The effect of a marker within a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
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
    Key(Arc<Pairs>),
}

impl Opening {
    /// Returns true for an opening that is valid only after whitespace at the start of a line.
    pub fn starts_line(&self) -> bool {
        match self {
            Self::Section(trust) => *trust == Trust::Line,
            Self::Object(_) | Self::Function(_) | Self::Fence => true,
            _ => false,
        }
    }
}

impl Default for Openings {
    fn default() -> Self {
        Self { nodes: vec![Node::default()] }
    }
}

/// The bits of the characters that `u8::is_ascii_whitespace` accepts.
const WHITE_SPACE: u128 = 1 << b' ' | 1 << b'\t' | 1 << b'\n' | 1 << b'\x0C' | 1 << b'\r';

impl Openings {
    pub const ROOT: At = At(0);

    /// Adds a text in parts. Whitespace is allowed between them.
    pub fn add(&mut self, parts: &[&str], opening: &Opening) {
        self.add_from(Self::ROOT, parts, opening);
    }

    /// Adds a marker to drop, unless the text already has another meaning.
    pub fn add_leftover(&mut self, text: &str) {
        let opened = self.walk(Self::ROOT, text).and_then(|(at, _)| self.opened(at));
        if !text.is_empty() && matches!(opened, None | Some(Opening::Leftover(_))) {
            self.add(&[text], &Opening::Leftover(When::Apart));
        }
    }

    fn add_from(&mut self, from: At, parts: &[&str], opening: &Opening) {
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
    pub fn walk(&self, from: At, text: &str) -> Option<(At, usize)> {
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
    pub fn opened(&self, at: At) -> Option<&Opening> {
        self.nodes[at.0].opens.as_ref()
    }

    fn child(&self, of: At, byte: u8) -> Option<At> {
        let node = &self.nodes[of.0];
        if byte.is_ascii() && node.ascii >> byte & 1 == 0 {
            return None;
        }
        if byte.is_ascii_whitespace() && node.space.is_some() {
            return node.space;
        }
        node.children.iter().find(|(other, _)| *other == byte).map(|&(_, child)| child)
    }

    fn grow(&mut self, parent: At, byte: u8) -> At {
        let child = self.push();
        let parent = self.node(parent);
        parent.children.push((byte, child));
        if byte.is_ascii() {
            parent.ascii |= 1 << byte;
        }
        child
    }

    fn grow_space(&mut self, parent: At) -> At {
        let space = self.push();
        for node in [parent, space] {
            let node = self.node(node);
            node.space = Some(space);
            node.ascii |= WHITE_SPACE;
        }
        space
    }

    fn push(&mut self) -> At {
        self.nodes.push(Node::default());
        At(self.nodes.len() - 1)
    }

    fn node(&mut self, at: At) -> &mut Node {
        &mut self.nodes[at.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find<'a>(openings: &'a Openings, text: &str) -> Option<&'a Opening> {
        let (at, length) = openings.walk(Openings::ROOT, text)?;
        openings.opened(at).filter(|_| length == text.len())
    }

    #[test]
    fn a_text_opens_what_was_added_under_it_and_its_beginning_opens_nothing() {
        let mut openings = Openings::default();
        for name in ["web", "website", "wählen"] {
            openings.add(&[&format!("{name}(")], &Opening::Function(name.into()));
        }
        let thought = Opening::Thought { close: "</think>".into(), place: Place::LineStart };
        openings.add(&["<think>"], &thought);
        openings.add(&["[TAG:"], &Opening::ToolCall);
        openings.add(&["[", "{", "\"tool\""], &Opening::Object(Key::Name));
        for space in ["", " ", "\n\t", "\r\n    "] {
            let object = format!("[{space}{{{space}\"tool\"");
            assert_eq!(find(&openings, &object), Some(&Opening::Object(Key::Name)), "{object:?}");
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
