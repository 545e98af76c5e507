use reqwest::Url;

use super::tag::Tag;
use super::tree::{Kind, NodeId, Tree};

/// The most bytes of text kept of a page.
const LONGEST: usize = 400_000;
/// The longest line prefix, in bytes; deeper nesting adds no more indentation.
const LONGEST_PREFIX: usize = 32;
const MOST_LINKS: usize = 30;
/// The longest cell of a data table; longer cells mean that the table is only layout.
const LARGEST_CELL: usize = 240;

/// A link on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageLink {
    pub text: String,
    pub url: String,
}

/// Renders the nodes as Markdown-like text and collects their links.
pub(super) fn render(tree: &Tree, nodes: &[NodeId], base: &Url) -> (String, Vec<PageLink>) {
    let mut writer = Writer { tree, base, out: String::new(), line: Line::default(), links: Vec::new() };
    for node in nodes {
        writer.node(*node);
        writer.gap(2);
    }
    writer.out.truncate(writer.out.floor_char_boundary(LONGEST));
    (writer.out, writer.links)
}

/// The pending output before the next word.
#[derive(Default)]
struct Line {
    gap: u8,
    space: bool,
    prefix: String,
    /// Replaces the prefix on the next line, as in `- `.
    marker: Option<String>,
    in_cell: bool,
}

struct Writer<'a> {
    tree: &'a Tree,
    base: &'a Url,
    out: String,
    line: Line,
    links: Vec<PageLink>,
}

impl Writer<'_> {
    fn node(&mut self, node: NodeId) {
        if self.out.len() >= LONGEST {
            return;
        }
        match &self.tree.nodes[node].kind {
            Kind::Text(range) => self.words(&self.tree.words[range.clone()]),
            Kind::Element(tag) => self.element(node, *tag),
        }
    }

    fn children(&mut self, node: NodeId) {
        let tree = self.tree;
        for child in tree.children(node) {
            self.node(child);
        }
    }

    fn element(&mut self, node: NodeId, tag: Tag) {
        match tag {
            Tag::Dropped => {}
            Tag::Inline => self.children(node),
            Tag::Break => self.gap(1),
            Tag::Rule => self.gap(2),
            Tag::Link => self.link(node),
            Tag::Code => {
                let code = self.raw(node);
                let code = code.trim();
                if !code.is_empty() && !code.contains(['`', '\n']) {
                    self.words(&format!("`{code}`"));
                } else {
                    self.children(node);
                }
            }
            Tag::Heading(level) => {
                let marker = format!("{}{} ", self.line.prefix, "#".repeat(level.into()));
                self.block(node, Some(marker));
            }
            Tag::List { ordered } => self.list(node, ordered),
            Tag::Item => self.item(node, "- "),
            Tag::Term => {
                self.gap(1);
                self.children(node);
                self.gap(1);
            }
            Tag::Definition => self.item(node, "  "),
            Tag::Quote => {
                let before = self.line.prefix.clone();
                self.gap(2);
                self.indent("> ");
                self.children(node);
                self.line.prefix = before;
                self.gap(2);
            }
            Tag::Pre => self.pre(node),
            Tag::Row => {
                self.gap(1);
                self.row(node);
                self.gap(1);
            }
            Tag::Block | Tag::Article | Tag::Main | Tag::Paragraph | Tag::Table | Tag::Cell => {
                self.block(node, None);
            }
        }
    }

    fn block(&mut self, node: NodeId, marker: Option<String>) {
        self.gap(if self.tree.tag(node) == Some(Tag::Block) { 1 } else { 2 });
        let waits = self.line.marker.is_some();
        if !waits {
            self.line.marker = marker;
        }
        self.children(node);
        if !waits {
            self.line.marker = None;
        }
        self.gap(if self.tree.tag(node) == Some(Tag::Block) { 1 } else { 2 });
    }

    fn list(&mut self, node: NodeId, ordered: bool) {
        let is_inner = !self.line.prefix.is_empty();
        self.gap(if is_inner { 1 } else { 2 });
        let tree = self.tree;
        let mut number = 0;
        for child in tree.children(node) {
            match (tree.tag(child), ordered) {
                (Some(Tag::Item), true) => {
                    number += 1;
                    self.item(child, &format!("{number}. "));
                }
                _ => self.node(child),
            }
        }
        self.gap(if is_inner { 1 } else { 2 });
    }

    fn item(&mut self, node: NodeId, marker: &str) {
        self.gap(1);
        let before = self.line.prefix.clone();
        self.line.marker = Some(format!("{before}{marker}"));
        self.indent("  ");
        self.children(node);
        self.line.prefix = before;
        self.line.marker = None;
        self.gap(1);
    }

    fn row(&mut self, node: NodeId) {
        let tree = self.tree;
        let mut is_first = true;
        for cell in tree.children(node).filter(|child| tree.tag(*child) == Some(Tag::Cell)) {
            let length = self.raw(cell).trim().chars().take(LARGEST_CELL + 1).count();
            if length > LARGEST_CELL {
                self.block(cell, None);
                continue;
            }
            if !is_first && length > 0 {
                self.words(" | ");
                self.line.space = true;
            }
            is_first &= length == 0;
            let outer = std::mem::replace(&mut self.line.in_cell, true);
            self.children(cell);
            self.line.in_cell = outer;
        }
    }

    fn pre(&mut self, node: NodeId) {
        let raw = self.raw(node);
        let raw = raw.trim_matches('\n').trim_end();
        if raw.is_empty() {
            return;
        }
        self.gap(2);
        self.words("```");
        for line in raw.lines() {
            if self.out.len() >= LONGEST {
                return;
            }
            self.out.push('\n');
            self.out.push_str(&self.line.prefix);
            self.out.push_str(line);
        }
        self.out.push('\n');
        self.out.push_str(&self.line.prefix);
        self.out.push_str("```");
        self.gap(2);
    }

    fn link(&mut self, node: NodeId) {
        self.children(node);
        let href = self.tree.nodes[node].href.as_deref().filter(|href| !href.starts_with('#'));
        let Some(url) = href.and_then(|href| self.base.join(href).ok()) else { return };
        let text: String = self.raw(node).split_whitespace().collect::<Vec<_>>().join(" ");
        let fits = matches!(url.scheme(), "http" | "https")
            && (3..=80).contains(&text.chars().count())
            && url.as_str().len() <= 300
            && self.links.len() < MOST_LINKS;
        let url = url.to_string();
        if fits && !self.links.iter().any(|known| known.url == url) {
            self.links.push(PageLink { text, url });
        }
    }

    /// Returns all text below the node unchanged.
    fn raw(&self, node: NodeId) -> String {
        let mut raw = String::new();
        let mut rest = vec![node];
        while let Some(node) = rest.pop() {
            match &self.tree.nodes[node].kind {
                Kind::Text(range) => {
                    let text = &self.tree.words[range.clone()];
                    let room = LONGEST.saturating_sub(raw.len());
                    raw.push_str(&text[..text.floor_char_boundary(room)]);
                }
                Kind::Element(Tag::Break) => raw.push('\n'),
                Kind::Element(_) => {
                    let from = rest.len();
                    rest.extend(self.tree.children(node));
                    rest[from..].reverse();
                }
            }
            if raw.len() >= LONGEST {
                break;
            }
        }
        raw
    }

    fn indent(&mut self, by: &str) {
        if self.line.prefix.len() < LONGEST_PREFIX {
            self.line.prefix.push_str(by);
        }
    }

    /// Requests a number of line ends before the next word.
    fn gap(&mut self, lines: u8) {
        // No line end goes between a marker and its text, and none into a table cell.
        if self.line.in_cell {
            self.line.space = true;
        } else if self.line.marker.is_none() || self.line.gap == 0 {
            self.line.gap = self.line.gap.max(lines);
        }
    }

    /// Writes words with normalised spaces.
    fn words(&mut self, text: &str) {
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
            self.line.space |= start > 0;
            let word = &rest[start..];
            let end = word.find(char::is_whitespace).unwrap_or(word.len());
            self.word(&word[..end]);
            if self.out.len() >= LONGEST {
                return;
            }
            rest = &word[end..];
        }
        self.line.space |= !rest.is_empty();
    }

    fn word(&mut self, word: &str) {
        let begins = self.out.is_empty() || self.line.gap > 0;
        if begins {
            if !self.out.is_empty() {
                for _ in 0..self.line.gap {
                    self.out.push('\n');
                }
            }
            match self.line.marker.take() {
                Some(marker) => self.out.push_str(&marker),
                None => self.out.push_str(&self.line.prefix),
            }
            self.line.gap = 0;
        } else if self.line.space {
            self.out.push(' ');
        }
        self.line.space = false;
        // Control characters are useless to readers.
        self.out.extend(word.chars().filter(|c| !c.is_control()));
    }
}
