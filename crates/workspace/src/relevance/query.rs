//! Parses a request into its words, names and file paths.

use std::collections::HashSet;

use crate::index::words;

/// The number of words read of a request; the text after them is mostly pasted.
const MOST_WORDS: usize = 400;
/// The maximum number of different search terms.
const MOST_TERMS: usize = 48;
/// Stop words, which occur in every request.
const STOP_WORDS: &str = "a about above add after again against all also am an and any are as at be because been before being \
    below between both but by can could did do does doing done down during each either else ever every few fix for from \
    further get gets give had has have having he her here hers him his how however i if in instead into is it its itself \
    just keep let like long made make makes many may me might more most much must my need needs neither no nobody none \
    nor not nothing now of off on once one only or other others our out over own please rather same say says she should \
    show since so some somebody something still such take tell than that the their them then there these they this those \
    through to too two under until up upon us use used uses using very want was we well were what when where whether \
    which while who whoever whole whom whose why will with without would yet you your";

/// A word of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The word in lower case, without separators of its parts.
    pub word: String,
    /// The word as written.
    pub written: String,
    pub stem: String,
    /// The weight of the word.
    pub weight: f64,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParsedRequest {
    pub terms: Vec<Term>,
    /// Identifiers, and words that may be identifiers.
    pub names: Vec<String>,
    /// Words that look like a path or a file name.
    pub paths: Vec<String>,
    pub mentions_tests: bool,
}

impl ParsedRequest {
    pub fn new(text: &str) -> Self {
        let mut parsed = Self::default();
        let stop_words: HashSet<&str> = STOP_WORDS.split_ascii_whitespace().collect();
        let mut seen = HashSet::new();
        for name in words::names(text).take(MOST_WORDS) {
            let is_name = is_name(name);
            for word in words::terms(name) {
                if stop_words.contains(word.as_str()) || !seen.insert(word.clone()) || seen.len() > MOST_TERMS
                {
                    continue;
                }
                let stem = words::stem(&word);
                parsed.mentions_tests |=
                    matches!(stem.as_str(), "test" | "spec" | "fixtur" | "bench" | "benchmark");
                let weight = if is_name { 1.5 } else { 1.0 };
                let written = if word == words::key(name) { name.to_owned() } else { word.clone() };
                parsed.terms.push(Term { word, written, stem, weight });
            }
            let is_stop_word = stop_words.contains(name.to_lowercase().as_str());
            if (is_name || (!is_stop_word && name.len() > 2))
                && !parsed.names.iter().any(|known| known == name)
            {
                parsed.names.push(name.to_owned());
            }
        }
        parsed.names.truncate(MOST_TERMS);
        parsed.paths = paths(text);
        parsed
    }
}

/// Returns true if a word is written like an identifier: `parse_date`, `parseDate`, `ParseDate`.
pub fn is_name(word: &str) -> bool {
    word.contains('_') || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

/// Returns the words with a dot or slash, without surrounding quotes, brackets and line numbers of errors.
fn paths(text: &str) -> Vec<String> {
    let is_around = |letter: char| !(letter.is_alphanumeric() || "._-/@+".contains(letter));
    let mut paths: Vec<String> = text
        .split(|letter: char| letter.is_whitespace() || "\"'`()[]{}<>,;:|".contains(letter))
        .map(|word| word.trim_matches(is_around).trim_end_matches('.').trim_start_matches("./"))
        .filter(|word| word.len() > 2 && word.trim_matches(['.', '/']).contains(['.', '/']))
        .map(str::to_owned)
        .collect();
    paths.dedup();
    paths.truncate(MOST_TERMS);
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_its_words_names_and_paths() {
        let parsed = ParsedRequest::new(
            "Fix `parse_date` in src/when.rs:12, the dates of HTTPServer are wrong (see ./a.py).",
        );
        let words: Vec<&str> = parsed.terms.iter().map(|term| term.word.as_str()).collect();
        let expected = [
            "parse",
            "date",
            "parsedate",
            "src",
            "rs",
            "12",
            "dates",
            "http",
            "server",
            "httpserver",
            "wrong",
            "see",
            "py",
        ];
        assert_eq!(words, expected);
        assert_eq!(parsed.terms[2].written, "parse_date");
        assert_eq!(parsed.paths, ["src/when.rs", "a.py"]);
        assert!(parsed.names.iter().any(|name| name == "parse_date"), "{:?}", parsed.names);
        assert!(!parsed.mentions_tests && ParsedRequest::new("the tests of login fail").mentions_tests);
        assert_eq!(ParsedRequest::new(""), ParsedRequest::default());
        assert_eq!(ParsedRequest::new("what is it about?").terms, []);
    }
}
