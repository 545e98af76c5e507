//! Reads the head between a marker and the arguments: the name, possibly with a type, an id or an index.

use super::{MarkedCalls, State};
use crate::candidate::function::ArgumentScan;
use crate::candidate::limits::LONGEST_TAG;
use crate::candidate::verdict::Verdict;
use crate::openings::{MarkerTrust, OpeningTree};
use crate::syntax::CallForm;
use crate::vocabulary::{LONGEST_NAME, ReplyVocabulary, is_identifier};

/// Prefixes of names in some syntaxes.
const PREFIXES: [&str; 3] = ["functions.", "call:", "tool:"];
/// Words that only announce a call, where a name is expected.
const NO_NAMES: [&str; 5] = ["function", "functions", "tool", "json", "call"];

impl MarkedCalls {
    /// Reads a part of the head, up to a marker or the arguments.
    pub(super) fn in_head(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let part = &text[self.start..before];
        let ends = matches!(next, '{' | '(' | '<') || next == '[' && !part.is_empty();
        let begins_marker =
            ends && vocabulary.call_markers().walk(OpeningTree::ROOT, &text[before..]).is_some();
        if ends && (begins_marker || next != '<') {
            let part = part.to_owned();
            self.is_fenced |= part.contains("```");
            self.head.push(part);
            self.begin(State::Between, before);
            return self.between(text, next, vocabulary);
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
            || vocabulary.call_syntax().is_some()
            || vocabulary.reports_unknown_tools()
            || vocabulary.begins_tool(word)
            || vocabulary.has_tool(name)
            || PREFIXES.iter().any(|prefix| prefix.starts_with(word) || word.starts_with(prefix))
            || NO_NAMES.iter().any(|other| other.starts_with(word) || *other == name);
        if !begins || !fits || is_prose || text.len() - self.start > LONGEST_TAG {
            return self.foreign(next);
        }
        Verdict::Undecided
    }

    /// Starts the arguments of a function call, `name(`.
    pub(super) fn function(&mut self, text: &str, vocabulary: &ReplyVocabulary) -> Verdict {
        let Some(name) = self.name(vocabulary) else { return self.foreign('(') };
        self.begin(State::Python { name, scan: ArgumentScan::default() }, text.len());
        Verdict::Undecided
    }

    /// Takes the name from the head and clears the head.
    pub(super) fn name(&mut self, vocabulary: &ReplyVocabulary) -> Option<String> {
        let name = self.named(vocabulary);
        self.head.clear();
        name
    }

    /// Returns the name in the head.
    pub(super) fn named(&self, vocabulary: &ReplyVocabulary) -> Option<String> {
        let learned = learned_prefix(vocabulary);
        let names: Vec<&str> = self.head.iter().map(|part| name_in(part, learned, vocabulary)).collect();
        let known = names.iter().find(|name| vocabulary.has_tool(name));
        let name = known.or_else(|| names.iter().find(|name| self.accepts(name, vocabulary)))?;
        Some((*name).to_owned())
    }

    /// Returns true if a text may be the beginning of a name or of its prefix.
    pub(super) fn may_be_name(&self, text: &str, vocabulary: &ReplyVocabulary) -> bool {
        let word = text.trim().trim_start_matches(['"', '\'']);
        let learned = Some(learned_prefix(vocabulary)).filter(|prefix| !prefix.is_empty());
        let prefixes = || learned.into_iter().chain(PREFIXES);
        let name = prefixes().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word);
        let name = name.split([':', '"', '\'', '`', '\n']).next().unwrap_or_default();
        prefixes().chain(NO_NAMES).any(|other| other.starts_with(word))
            || vocabulary.begins_tool(name)
            // After an element, an unknown word is more likely prose than the name of an unknown tool.
            || self.trust == MarkerTrust::Marker && self.accepts(name, vocabulary)
    }

    /// Returns true if a tool with this name may be called: a known tool, or an unknown one if those are to be
    /// reported.
    pub fn accepts(&self, name: &str, vocabulary: &ReplyVocabulary) -> bool {
        let is_unknown_tool = vocabulary.reports_unknown_tools()
            && self.has_marker
            && name.len() <= LONGEST_NAME
            && is_identifier(name)
            && !NO_NAMES.contains(&name);
        vocabulary.has_tool(name) || is_unknown_tool
    }
}

/// Returns true if a part of a head only announces a call.
pub(super) fn is_no_name(part: &str) -> bool {
    NO_NAMES.contains(&part.trim())
}

fn learned_prefix(vocabulary: &ReplyVocabulary) -> &str {
    match vocabulary.call_syntax().map(|calls| &calls.form) {
        Some(CallForm::Named { prefix, .. }) => prefix.trim(),
        _ => "",
    }
}

/// Returns the name in a part, without prefixes and suffixes.
fn name_in<'a>(part: &'a str, learned: &str, vocabulary: &ReplyVocabulary) -> &'a str {
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
