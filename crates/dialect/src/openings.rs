//! The texts that open a call.

use std::sync::Arc;

use crate::candidate::Key;
use crate::syntax::Pairs;

/// A tree of texts. Each character of a reply takes one step in it, however many texts there are.
#[derive(Debug, Clone)]
pub struct Openings {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Default)]
struct Node {
    /// A bit for each ASCII character that leads on: most steps lead nowhere, and should do so fast.
    ascii: u128,
    children: Vec<(u8, At)>,
    /// Where white space leads. It may lead back here.
    space: Option<At>,
    opens: Option<Opening>,
}

/// A place in the tree: what has been read so far is the beginning of at least one of its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At(usize);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    /// A thought, with what closes it.
    Thought { close: Arc<str>, place: Place },
    /// `[NAME:`
    Tag(Arc<str>),
    /// `[TOOL_CALL:`
    ToolCall,
    /// `{"tool"`, or `[{"tool"`, perhaps with white space between.
    Object(Key),
    /// `{{"tool"`: the doubled braces of a template's example, which are nothing but a call.
    Doubled(Key),
    /// A mark that a call follows, such as `<tool_call>`.
    Section(Trust),
    /// `name(`
    Function(Arc<str>),
    /// A message with a header, as in `<|channel|>analysis<|message|>`.
    Header,
    /// A mark that nobody reads: wherever it ends its line, or in a reply that has others.
    Leftover(When),
    /// A mark within a section.
    Mark(Role),
    /// `<|python_tag|>`
    PythonTag,
    /// Three backticks, for models that write calls in fences.
    Fence,
}

/// Where an opening certainly counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    LineStart,
    Anywhere,
}

/// What makes sure that an opening is meant, and not spoken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Its mark: nobody writes such a one in a sentence.
    Mark,
    /// Its mark, which the one model writes for calls, and its line where a sentence may go on with it.
    Own,
    /// Its line, which it begins or ends.
    Element,
    /// Its lines, on which nothing else stands.
    Line,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Unless words follow it on its line: then it is spoken of.
    Apart,
    /// Directly behind a thought.
    AfterThought,
    /// In a reply in which others of them meant something.
    AfterMark,
}

/// What a mark does within a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// A call follows.
    Open,
    /// A call is over, or all of them.
    Close,
    /// A turn is over, and its last line with it.
    End,
    /// Between the parts of a call's head.
    Separator,
    /// The name of a function follows, up to the end of this tag.
    Function,
    /// The key of a parameter follows, up to the end of this tag; then its value, up to this text.
    Parameter(Arc<str>),
    /// A key follows.
    Key(Arc<Pairs>),
}

impl Opening {
    /// Whether it opens something only where nothing but white space stands before it.
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

/// The bits of what `u8::is_ascii_whitespace` accepts.
const WHITE_SPACE: u128 = 1 << b' ' | 1 << b'\t' | 1 << b'\n' | 1 << b'\x0C' | 1 << b'\r';

impl Openings {
    pub const ROOT: At = At(0);

    /// Adds a text. There may be white space between its parts.
    pub fn add(&mut self, parts: &[&str], opening: &Opening) {
        self.add_from(Self::ROOT, parts, opening);
    }

    /// Adds a mark that nobody reads, unless the text means something else.
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

    /// How far a text leads from a place: to the end of an opening or to its own, with its length there; or nowhere.
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

    /// Whether all of a text, and not only its beginning, is in the tree.
    pub fn has(&self, text: &str) -> bool {
        self.walk(Self::ROOT, text).is_some_and(|(at, _)| self.opened(at).is_some())
    }

    /// Whether a text is the beginning of one in the tree.
    pub fn leads(&self, text: &str) -> bool {
        self.walk(Self::ROOT, text).is_some_and(|(at, _)| self.opened(at).is_none())
    }

    /// What is open when a text has been read to its end.
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
