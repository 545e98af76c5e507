//! Reads the head between a marker and the arguments: the name, possibly with a type, an id or an index.

use super::{LONGEST_TAG, Section, State};
use crate::Vocabulary;
use crate::candidate::Verdict;
use crate::candidate::function::Scan;
use crate::openings::{Openings, Trust};
use crate::syntax::CallForm;
use crate::vocabulary::is_identifier;

/// The maximum length of a tool name, in bytes.
const LONGEST_NAME: usize = 128;
/// Prefixes of names in some syntaxes.
const PREFIXES: [&str; 3] = ["functions.", "call:", "tool:"];
/// Words that may occur in place of a name.
const NOT_NAMES: [&str; 5] = ["function", "functions", "tool", "json", "call"];

impl Section {
    /// Reads a part of the head, up to a marker or the arguments.
    pub(super) fn in_head(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let part = &text[self.start..before];
        let ends = matches!(next, '{' | '(' | '<') || next == '[' && !part.is_empty();
        let begins_mark = ends && vocabulary.marks().walk(Openings::ROOT, &text[before..]).is_some();
        if ends && (begins_mark || next != '<') {
            let part = part.to_owned();
            self.is_fenced |= part.contains("```");
            self.head.push(part);
            self.begin(State::Loose, before);
            return self.loose(text, next, vocabulary);
        }
        let fits = next.is_alphanumeric()
            || next.is_whitespace()
            || matches!(next, '_' | '-' | '.' | ':' | '`' | '/' | '=' | '#' | '$');
        let words = part.trim_end();
        // A name is one word. A second word may follow only in backticks.
        let is_prose = part.len() > words.len() && next.is_alphanumeric() && !words.contains('`');
        // A marker that is only mentioned may be followed by any word.
        let word = text[self.start..].trim_end();
        let name = word.split([':', '.', '\n', '`']).next().unwrap_or_default();
        let begins = !self.head.is_empty()
            || vocabulary.calls().is_some()
            || vocabulary.minds_strangers()
            || vocabulary.begins_tool(word)
            || vocabulary.has_tool(name)
            || PREFIXES.iter().any(|prefix| prefix.starts_with(word) || word.starts_with(prefix))
            || NOT_NAMES.iter().any(|other| other.starts_with(word) || *other == name);
        if !begins || !fits || is_prose || text.len() - self.start > LONGEST_TAG {
            return self.foreign(next);
        }
        Verdict::Undecided
    }

    /// Starts the arguments of a function call, `name(`.
    pub(super) fn function(&mut self, text: &str, vocabulary: &Vocabulary) -> Verdict {
        let Some(name) = self.name(vocabulary) else { return self.foreign('(') };
        self.begin(State::Python { name, scan: Scan::default() }, text.len());
        Verdict::Undecided
    }

    /// Takes the name from the head and clears the head.
    pub(super) fn name(&mut self, vocabulary: &Vocabulary) -> Option<String> {
        let name = self.named(vocabulary);
        self.head.clear();
        name
    }

    /// Returns the name in the head.
    pub(super) fn named(&self, vocabulary: &Vocabulary) -> Option<String> {
        let learned = learned_prefix(vocabulary);
        let names: Vec<&str> = self.head.iter().map(|part| name_in(part, learned, vocabulary)).collect();
        let known = names.iter().find(|name| vocabulary.has_tool(name));
        let name = known.or_else(|| names.iter().find(|name| self.accepts(name, vocabulary)))?;
        Some((*name).to_owned())
    }

    /// Returns true if a text may be the beginning of a name or of its prefix.
    pub(super) fn may_be_name(&self, text: &str, vocabulary: &Vocabulary) -> bool {
        let word = text.trim().trim_start_matches(['"', '\'']);
        let learned = Some(learned_prefix(vocabulary)).filter(|prefix| !prefix.is_empty());
        let prefixes = || learned.into_iter().chain(PREFIXES);
        let name = prefixes().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word);
        let name = name.split([':', '"', '\'', '`', '\n']).next().unwrap_or_default();
        prefixes().chain(NOT_NAMES).any(|other| other.starts_with(word))
            || vocabulary.begins_tool(name)
            // After an element, an unknown word is more likely prose than the name of an unknown tool.
            || self.trust == Trust::Mark && self.accepts(name, vocabulary)
    }

    /// Returns true if a tool with this name may be called: a known tool, or an unknown one if those are to be
    /// reported.
    pub fn accepts(&self, name: &str, vocabulary: &Vocabulary) -> bool {
        let is_unknown_tool = vocabulary.minds_strangers()
            && self.has_mark
            && name.len() <= LONGEST_NAME
            && is_identifier(name)
            && !NOT_NAMES.contains(&name);
        vocabulary.has_tool(name) || is_unknown_tool
    }
}

/// Returns true if a part of a head only announces a call.
pub(super) fn is_no_name(part: &str) -> bool {
    NOT_NAMES.contains(&part.trim())
}

fn learned_prefix(vocabulary: &Vocabulary) -> &str {
    match vocabulary.calls().map(|calls| &calls.form) {
        Some(CallForm::Named { prefix, .. }) => prefix.trim(),
        _ => "",
    }
}

/// Returns the name in a part, without prefixes and suffixes.
fn name_in<'a>(part: &'a str, learned: &str, vocabulary: &Vocabulary) -> &'a str {
    let word = part.trim().split(|next: char| next.is_whitespace() || next == '`').next().unwrap_or_default();
    let mut name = word.trim_end_matches(':');
    for prefix in [learned].into_iter().chain(PREFIXES) {
        if !vocabulary.has_tool(name)
            && let Some(rest) = name.strip_prefix(prefix)
        {
            name = rest;
        }
    }
    if vocabulary.has_tool(name) {
        return name;
    }
    // Remove an index, as in `name:0`.
    match name.rsplit_once(':') {
        Some((name, index)) if index.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => name.strip_suffix(".call").unwrap_or(name),
    }
}
