//! Extracts the text that a user would read on a page. Scripts never run; hidden content is left out.

mod decode;
mod matter;
mod render;
mod tag;
mod tree;

use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use crate::web::WebPage;
use decode::decode;
pub(crate) use render::PageLink;
use tag::Pruning;
use tree::{ROOT, Tree};

/// The length below which too much of the page was probably pruned.
const SHORTEST: f32 = 250.0;
const LONGEST_TITLE: usize = 200;

/// The text of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageText {
    pub title: Option<String>,
    pub text: String,
    pub links: Vec<PageLink>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PageTextError {
    #[error("is a PDF, which cannot be read as text here")]
    Pdf,
    #[error("is not text, although its server says so")]
    Binary,
    #[error("has no text. It may need a browser to show anything")]
    Empty,
}

/// Extracts the readable text of a page.
pub(crate) fn readable(page: &WebPage) -> Result<PageText, PageTextError> {
    if page.body.starts_with(b"%PDF-") {
        return Err(PageTextError::Pdf);
    }
    let is_html = matches!(page.content_type.as_str(), "text/html" | "application/xhtml+xml")
        || (page.content_type == "text/plain" && looks_like_html(&page.body));
    let text = decode(&page.body, page.charset.as_deref(), is_html).ok_or(PageTextError::Binary)?;
    let readable = if is_html {
        from_html(&text, page)
    } else {
        PageText { title: None, text: without_controls(&text), links: Vec::new() }
    };
    if readable.text.trim().is_empty() { Err(PageTextError::Empty) } else { Ok(readable) }
}

fn from_html(html: &str, page: &WebPage) -> PageText {
    let mut tree = Tree::read(html, Pruning::Thorough);
    let mut parts = matter::find(&tree);
    if matter::length(&tree, &parts) < SHORTEST {
        let light = Tree::read(html, Pruning::Light);
        // The lightly pruned page is only better if it has much more text.
        if matter::length(&light, &[ROOT]) > 2.0 * matter::length(&tree, &parts) {
            parts = matter::find(&light);
            tree = light;
        }
    }
    let title: String = one_line(&tree.title).chars().take(LONGEST_TITLE).collect();
    let (mut text, links) = render::render(&tree, &parts, &page.url);
    if text.trim().is_empty() {
        text = one_line(&tree.description);
    }
    PageText { title: (!title.is_empty()).then_some(title), text, links }
}

/// Returns the text of an HTML fragment, such as a search result's, in one line.
pub(crate) fn plain(fragment: &str) -> String {
    let mut words = String::new();
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        if let CallbackEvent::String { value } = event {
            words.push_str(&String::from_utf8_lossy(value));
        }
        None
    });
    let Ok(()) = Tokenizer::new_with_emitter(fragment, emitter).finish();
    one_line(&words)
}

/// Removes line ends, control characters and bidirectional control characters.
pub(crate) fn one_line(text: &str) -> String {
    let clean: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| !turns(*c)).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn without_controls(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

fn looks_like_html(body: &[u8]) -> bool {
    let head: Vec<u8> = body.iter().take(256).map(u8::to_ascii_lowercase).collect();
    let head = head.trim_ascii_start();
    head.starts_with(b"<!doctype html") || head.starts_with(b"<html")
}

#[cfg(test)]
#[path = "readable_tests.rs"]
mod tests;
