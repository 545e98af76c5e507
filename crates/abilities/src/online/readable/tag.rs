/// The amount of a page left out while it is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pruning {
    /// Leaves out what is not main content by tag, role, class or id.
    Thorough,
    /// Leaves out only what is never text.
    Light,
}

/// The role of an element in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// Never text, or outside of the main content.
    Dropped,
    Block,
    Article,
    Main,
    Paragraph,
    Heading(u8),
    List {
        ordered: bool,
    },
    Item,
    Term,
    Definition,
    Pre,
    Quote,
    Break,
    Rule,
    Table,
    Row,
    Cell,
    Link,
    Code,
    Inline,
}

impl Tag {
    pub fn of(name: &[u8], role: &str, pruning: Pruning) -> Self {
        match role {
            "main" => return Tag::Main,
            "article" => return Tag::Article,
            "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "dialog"
            | "alertdialog"
                if pruning == Pruning::Thorough =>
            {
                return Tag::Dropped;
            }
            _ => {}
        }
        match name {
            b"script" | b"style" | b"noscript" | b"template" | b"svg" | b"math" | b"iframe" | b"object"
            | b"canvas" | b"audio" | b"video" | b"select" | b"button" | b"textarea" | b"datalist"
            | b"title" | b"noframes" | b"applet" | b"map" => Tag::Dropped,
            b"nav" | b"footer" | b"aside" | b"dialog" | b"menu" if pruning == Pruning::Thorough => {
                Tag::Dropped
            }
            b"article" => Tag::Article,
            b"main" => Tag::Main,
            b"p" => Tag::Paragraph,
            b"h1" => Tag::Heading(1),
            b"h2" => Tag::Heading(2),
            b"h3" => Tag::Heading(3),
            b"h4" => Tag::Heading(4),
            b"h5" => Tag::Heading(5),
            b"h6" => Tag::Heading(6),
            b"ul" | b"menu" | b"dir" => Tag::List { ordered: false },
            b"ol" => Tag::List { ordered: true },
            b"li" => Tag::Item,
            b"dt" => Tag::Term,
            b"dd" => Tag::Definition,
            b"pre" | b"listing" => Tag::Pre,
            b"blockquote" => Tag::Quote,
            b"br" => Tag::Break,
            b"hr" => Tag::Rule,
            b"table" => Tag::Table,
            b"tr" => Tag::Row,
            b"td" | b"th" => Tag::Cell,
            b"a" => Tag::Link,
            b"code" | b"kbd" | b"samp" => Tag::Code,
            b"html" | b"head" | b"body" | b"div" | b"section" | b"header" | b"footer" | b"nav" | b"aside"
            | b"dialog" | b"form" | b"fieldset" | b"figure" | b"figcaption" | b"details" | b"summary"
            | b"address" | b"center" | b"dl" | b"hgroup" | b"caption" | b"thead" | b"tbody" | b"tfoot" => {
                Tag::Block
            }
            _ => Tag::Inline,
        }
    }

    pub fn is_inline(self) -> bool {
        matches!(self, Tag::Link | Tag::Code | Tag::Inline | Tag::Break)
    }

    /// Returns true if the element can occur inside any open element.
    pub fn ends_nothing(self) -> bool {
        matches!(self, Tag::Inline | Tag::Code | Tag::Break | Tag::Dropped)
    }

    /// Returns true if the element implicitly ends an open element of the other kind.
    pub fn ends(self, open: Tag) -> bool {
        match self {
            Tag::Item => open == Tag::Item,
            Tag::Term | Tag::Definition => matches!(open, Tag::Term | Tag::Definition),
            Tag::Row => open == Tag::Row,
            Tag::Cell => open == Tag::Cell,
            Tag::Link => open == Tag::Link,
            _ if self.ends_nothing() => false,
            _ => open == Tag::Paragraph,
        }
    }

    /// Returns true if the search for an element to end stops at an open element of the other kind.
    pub fn begins_within(self, open: Tag) -> bool {
        match self {
            Tag::Item => matches!(open, Tag::List { .. } | Tag::Table),
            Tag::Term | Tag::Definition => matches!(open, Tag::Block | Tag::Table),
            Tag::Row | Tag::Cell => open == Tag::Table || (self == Tag::Cell && open == Tag::Row),
            _ => !open.is_inline() && open != Tag::Paragraph,
        }
    }
}

pub(super) fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}

const UNLIKELY: [&str; 22] = [
    "advert",
    "banner",
    "breadcrumb",
    "comment",
    "consent",
    "cookie",
    "disqus",
    "footer",
    "masthead",
    "menu",
    "modal",
    "navbar",
    "newsletter",
    "pagination",
    "popup",
    "promo",
    "related",
    "share",
    "sidebar",
    "skip-",
    "social",
    "sponsor",
];
const LIKELY: [&str; 9] = ["article", "body", "content", "entry", "main", "page", "post", "story", "text"];

/// Returns true if a class or id suggests that the element is not main content.
pub(super) fn is_unlikely(names: &str) -> bool {
    UNLIKELY.iter().any(|word| names.contains(word)) && !LIKELY.iter().any(|word| names.contains(word))
}

/// Scores an element by its class or id: positive for main content, negative against.
pub(super) fn favour(names: &str) -> f32 {
    if names.is_empty() {
        return 0.0;
    }
    let has = |words: &[&str]| words.iter().any(|word| names.contains(word));
    match (has(&LIKELY), has(&UNLIKELY)) {
        (true, false) => 25.0,
        (false, true) => -25.0,
        _ => 0.0,
    }
}
