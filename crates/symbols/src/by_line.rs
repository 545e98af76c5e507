//! Reads a text by line if no grammar parses it or it is too large for one.
//!
//! A line that begins as definitions do in most languages is a definition, which lasts until the next one that is not
//! indented deeper. Only compound words, which prose does not contain, count as references.

use std::ops::Range;

use crate::outline::MOST_DEFINITIONS;
use crate::references::{NameUse, merge_uses};
use crate::{Definition, SourceOutline, SymbolKind, names, signature};

/// The maximum length in bytes of a line that may be a definition.
const MOST_LINE: usize = 1_000;
/// The number of bytes of a text that are read.
const MOST_BYTES: usize = 16 << 20;
const MOST_SIGNATURE: usize = 200;

/// Modifiers that may precede the defining keyword.
const BEFORE: [&str; 27] = [
    "abstract",
    "actor",
    "async",
    "const",
    "data",
    "def",
    "default",
    "export",
    "extern",
    "final",
    "fun",
    "inline",
    "internal",
    "local",
    "mut",
    "mutating",
    "open",
    "override",
    "partial",
    "private",
    "protected",
    "pub",
    "public",
    "sealed",
    "static",
    "unsafe",
    "virtual",
];

const DEFINING: [(&str, SymbolKind); 22] = [
    ("class", SymbolKind::Class),
    ("contract", SymbolKind::Class),
    ("object", SymbolKind::Class),
    ("record", SymbolKind::Class),
    ("def", SymbolKind::Function),
    ("defp", SymbolKind::Function),
    ("fn", SymbolKind::Function),
    ("fun", SymbolKind::Function),
    ("func", SymbolKind::Function),
    ("function", SymbolKind::Function),
    ("proc", SymbolKind::Function),
    ("sub", SymbolKind::Function),
    ("enum", SymbolKind::Enum),
    ("interface", SymbolKind::Interface),
    ("protocol", SymbolKind::Interface),
    ("impl", SymbolKind::Implementation),
    ("defmodule", SymbolKind::Module),
    ("module", SymbolKind::Module),
    ("namespace", SymbolKind::Module),
    ("struct", SymbolKind::Struct),
    ("trait", SymbolKind::Trait),
    ("type", SymbolKind::Type),
];

pub fn read(text: &str) -> SourceOutline {
    let text = &text[..text.floor_char_boundary(MOST_BYTES)];
    let used = words(text).filter(|range| {
        let word = &text[range.clone()];
        names::is_compound(word) && names::is_worth_keeping(word)
    });
    SourceOutline {
        definitions: definitions(text),
        references: merge_uses(text, used.map(|range| NameUse { range, member: false })),
    }
}

fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let outside = |c: char| !c.is_alphanumeric() && c != '_';
    let mut at = 0;
    text.split_inclusive(outside).map(move |word| {
        let start = at;
        at += word.len();
        start..start + word.trim_end_matches(outside).len()
    })
}

fn definitions(text: &str) -> Vec<Definition> {
    let mut definitions: Vec<Definition> = Vec::new();
    // The definitions open around the line, as pairs of index and indent.
    let mut around: Vec<(usize, usize)> = Vec::new();
    let mut last_full = 0;
    for (number, line) in (1_u32..).zip(text.lines()) {
        let begun = line.trim_start();
        if begun.is_empty() {
            continue;
        }
        let depth = line.len() - begun.len();
        let found = (line.len() <= MOST_LINE).then(|| defined_by(begun)).flatten();
        if let Some((kind, name)) = found {
            while let Some((index, _)) = around.pop_if(|(_, outer)| *outer >= depth) {
                definitions[index].lines.1 = last_full;
            }
            let outside = around.last().map(|(index, _)| &definitions[*index]);
            let is_method =
                kind == SymbolKind::Function && outside.is_some_and(|outside| outside.kind.has_methods());
            let container = outside.map(|outside| outside.name.clone());
            let kind = if is_method { SymbolKind::Method } else { kind };
            let shown = begun.trim_end_matches(|c: char| c == '{' || c.is_whitespace());
            let signature = signature::in_one_line(shown, MOST_SIGNATURE);
            if definitions.len() == MOST_DEFINITIONS {
                break;
            }
            around.push((definitions.len(), depth));
            definitions.push(Definition {
                name: name.into(),
                kind,
                lines: (number, number),
                signature,
                container,
            });
        }
        last_full = number;
    }
    for (index, _) in around {
        definitions[index].lines.1 = last_full;
    }
    definitions
}

/// Returns the definition on a line: a keyword, a name, and nothing after it that reads like prose.
fn defined_by(line: &str) -> Option<(SymbolKind, &str)> {
    let mut words = line.split_ascii_whitespace().take(8).peekable();
    while let Some(word) = words.next() {
        let word = word.split('(').next().unwrap_or(word);
        let kind = DEFINING.iter().find(|(defining, _)| *defining == word).map(|(_, kind)| *kind);
        let Some(kind) = kind else {
            if BEFORE.contains(&word) {
                continue;
            }
            return None;
        };
        // `fun interface` and `enum class` have two keywords.
        if words.peek().is_some_and(|next| DEFINING.iter().any(|(defining, _)| defining == next)) {
            if kind == SymbolKind::Function {
                continue;
            }
            words.next();
        }
        let next = words.next()?;
        let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == ':';
        let end = next.find(|c: char| !inside(c)).unwrap_or(next.len());
        let name = next[..end].trim_end_matches([':', '.']);
        let name = name.rsplit(['.', ':']).next().unwrap_or(name);
        let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_name = starts && name.len() <= names::MOST_BYTES;
        let ends_here = !next[end..].is_empty() || next.ends_with(':');
        return (is_name && (ends_here || goes_on(words.next()))).then_some((kind, name));
    }
    None
}

fn goes_on(next: Option<&str>) -> bool {
    let words = ["extends", "implements", "where", "do", "for", "with", "is"];
    next.is_none_or(|word| word.starts_with(['{', '(', '<', ':', '=', '-', '[']) || words.contains(&word))
}

#[cfg(test)]
#[path = "by_line_tests.rs"]
mod tests;
