use std::ops::Range;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use super::tag::{Pruning, Tag, is_void};

/// The deepest nesting; deeper elements are flattened. Real pages stay far below, and it bounds every search through
/// the open elements.
const DEEPEST: usize = 128;
/// The most nodes read of a page; the rest is ignored.
const MOST_NODES: usize = 150_000;
const MOST_TAGS: usize = 1_000_000;
const LONGEST_ATTRIBUTE: usize = 2_000;

pub(super) type NodeId = usize;

pub(super) const ROOT: NodeId = 0;

#[derive(Debug)]
pub(super) enum Kind {
    Element(Tag),
    /// The range in the tree's text.
    Text(Range<usize>),
}

#[derive(Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub parent: NodeId,
    first: Option<NodeId>,
    last: Option<NodeId>,
    next: Option<NodeId>,
    pub href: Option<Box<str>>,
    /// A score for or against main content, from class and id.
    pub favour: f32,
}

/// The elements and text of a page. Children come after their parents.
#[derive(Debug)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub words: String,
    pub title: String,
    pub description: String,
}

impl Tree {
    /// Parses a page, well formed or not, in one pass.
    pub fn read(html: &str, pruning: Pruning) -> Self {
        let mut reader = Reader::new(pruning);
        let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| reader.take(&event));
        emitter.naively_switch_states(true);
        // The only token that the emitter returns means that a limit was reached.
        let _ = Tokenizer::new_with_emitter(html, emitter).next();
        reader.tree
    }

    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.nodes[node].first, |child| self.nodes[*child].next)
    }

    pub fn tag(&self, node: NodeId) -> Option<Tag> {
        match self.nodes[node].kind {
            Kind::Element(tag) => Some(tag),
            Kind::Text(_) => None,
        }
    }

    fn add(&mut self, parent: NodeId, kind: Kind) -> NodeId {
        let node = self.nodes.len();
        self.nodes.push(Node { kind, parent, first: None, last: None, next: None, href: None, favour: 0.0 });
        match self.nodes[parent].last.replace(node) {
            Some(before) => self.nodes[before].next = Some(node),
            None => self.nodes[parent].first = Some(node),
        }
        node
    }
}

/// The first bytes of a tag name, enough to tell tags apart.
type Name = [u8; 12];

fn short(name: &[u8]) -> Name {
    let mut short = [0; 12];
    let length = name.len().min(short.len());
    short[..length].copy_from_slice(&name[..length]);
    short
}

struct Open {
    name: Name,
    tag: Tag,
    node: NodeId,
}

/// The start tag being read.
#[derive(Default)]
struct Start {
    name: Vec<u8>,
    attribute: Vec<u8>,
    href: String,
    names: String,
    role: String,
    style: String,
    meta: String,
    content: String,
    hidden: bool,
}

struct Reader {
    tree: Tree,
    pruning: Pruning,
    open: Vec<Open>,
    /// The number of open elements beyond the deepest level.
    beyond: usize,
    tags: usize,
    /// The number of open elements at the start of an element that is left out.
    dropped: Option<usize>,
    start: Start,
    in_title: bool,
}

/// The signal that a limit was reached.
struct Enough;

impl Reader {
    fn new(pruning: Pruning) -> Self {
        let root = Node {
            kind: Kind::Element(Tag::Block),
            parent: ROOT,
            first: None,
            last: None,
            next: None,
            href: None,
            favour: 0.0,
        };
        Self {
            tree: Tree {
                nodes: vec![root],
                words: String::new(),
                title: String::new(),
                description: String::new(),
            },
            pruning,
            open: Vec::new(),
            beyond: 0,
            tags: 0,
            dropped: None,
            start: Start::default(),
            in_title: false,
        }
    }

    fn take(&mut self, event: &CallbackEvent<'_>) -> Option<Enough> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.start = Start { name: name.to_vec(), ..Start::default() };
            }
            CallbackEvent::AttributeName { name } => {
                self.start.attribute.clear();
                self.start.attribute.extend_from_slice(&name[..name.len().min(16)]);
                self.start.hidden |= *name == b"hidden";
            }
            CallbackEvent::AttributeValue { value } => self.attribute(value),
            CallbackEvent::CloseStartTag { self_closing } => self.begin(*self_closing),
            CallbackEvent::EndTag { name } => self.end(short(name)),
            CallbackEvent::String { value } => self.text(&String::from_utf8_lossy(value)),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        (self.tree.nodes.len() >= MOST_NODES || self.tags >= MOST_TAGS).then_some(Enough)
    }

    fn attribute(&mut self, value: &[u8]) {
        let value = String::from_utf8_lossy(&value[..value.len().min(LONGEST_ATTRIBUTE)]);
        let start = &mut self.start;
        match start.attribute.as_slice() {
            b"href" => start.href.push_str(&value),
            b"class" | b"id" => {
                start.names.push(' ');
                start.names.push_str(&value.to_ascii_lowercase());
            }
            b"role" => start.role = value.to_ascii_lowercase(),
            b"style" => start.style = value.to_ascii_lowercase().replace(' ', ""),
            b"aria-hidden" => start.hidden |= value == "true",
            b"name" => start.meta = value.to_ascii_lowercase(),
            b"content" => start.content = value.into_owned(),
            // `hidden="until-found"` can be found by searching the page, so it counts as visible.
            b"hidden" => start.hidden = value != "until-found",
            _ => {}
        }
    }

    fn begin(&mut self, self_closing: bool) {
        self.tags += 1;
        let start = std::mem::take(&mut self.start);
        let is_dropped = self.dropped.is_some();
        if start.name == b"title" && !is_dropped {
            self.in_title = self.tree.title.is_empty();
        }
        if start.name == b"meta" && start.meta == "description" {
            self.tree.description = start.content;
            return;
        }
        let tag = Tag::of(&start.name, &start.role, self.pruning);
        if is_void(&start.name) || (is_dropped && self_closing) {
            if !is_dropped && matches!(tag, Tag::Break | Tag::Rule) {
                let parent = self.parent();
                self.tree.add(parent, Kind::Element(tag));
            }
            return;
        }
        self.close_implied(tag);
        if self.open.len() >= DEEPEST {
            self.beyond += 1;
            return;
        }
        let parent = self.parent();
        let mut node = parent;
        if !is_dropped {
            if tag == Tag::Dropped || start.is_hidden() || self.is_aside(tag, &start.names) {
                self.dropped = Some(self.open.len());
            } else {
                node = self.tree.add(parent, Kind::Element(tag));
                self.tree.nodes[node].favour = super::tag::favour(&start.names);
                if tag == Tag::Link && !start.href.is_empty() {
                    self.tree.nodes[node].href = Some(start.href.into());
                }
            }
        }
        self.open.push(Open { name: short(&start.name), tag, node });
    }

    fn is_aside(&self, tag: Tag, names: &str) -> bool {
        self.pruning == Pruning::Thorough && tag == Tag::Block && super::tag::is_unlikely(names)
    }

    fn parent(&self) -> NodeId {
        self.open.last().map_or(ROOT, |open| open.node)
    }

    /// Closes elements that a start tag ends implicitly: a paragraph before a list, an item before the next.
    fn close_implied(&mut self, tag: Tag) {
        if tag.ends_nothing() {
            return;
        }
        let found = self
            .open
            .iter()
            .enumerate()
            .rev()
            .take_while(|(_, open)| !tag.begins_within(open.tag))
            .find(|(_, open)| tag.ends(open.tag))
            .map(|(place, _)| place);
        if let Some(place) = found {
            self.cut_to(place);
        }
    }

    fn end(&mut self, name: Name) {
        self.tags += 1;
        if name == short(b"title") {
            self.in_title = false;
        }
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        if let Some(place) = self.open.iter().rposition(|open| open.name == name) {
            self.cut_to(place);
        }
    }

    fn cut_to(&mut self, place: usize) {
        self.open.truncate(place);
        self.beyond = 0;
        if self.dropped.is_some_and(|depth| depth >= place) {
            self.dropped = None;
        }
    }

    fn text(&mut self, value: &str) {
        if self.in_title {
            self.tree.title.push_str(value);
            return;
        }
        if self.dropped.is_some() {
            return;
        }
        let from = self.tree.words.len();
        self.tree.words.push_str(value);
        let parent = self.parent();
        self.tree.add(parent, Kind::Text(from..from + value.len()));
    }
}

impl Start {
    fn is_hidden(&self) -> bool {
        self.hidden || self.style.contains("display:none") || self.style.contains("visibility:hidden")
    }
}
