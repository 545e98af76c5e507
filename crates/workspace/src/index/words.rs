//! Splits text into search terms: whole identifiers and their parts, in any naming style.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};
use store::CodeWords;

use crate::path::WorkspacePath;

/// The maximum length of a word in bytes; longer ones are ignored.
const LONGEST: usize = 64;
/// The maximum number of occurrences stored per word; more would only make the index larger.
const MOST_TIMES: u32 = 6;
/// The maximum number of different words per file; only data files have more.
const MOST_WORDS: usize = 6_000;

/// Returns a name without its naming style: `parse_date`, `parseDate` and `ParseDate` have the same key.
pub fn key(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Splits a name into its lower-case words.
pub fn parts(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut parts = vec![String::new()];
    for (at, &letter) in letters.iter().enumerate() {
        let begins = at.checked_sub(1).is_some_and(|before| {
            let (before, after) = (letters[before], letters.get(at + 1));
            let is_hump = letter.is_uppercase() && !before.is_uppercase();
            // The last of several capitals begins a new word, as in `HTTPServer`.
            let is_last = letter.is_uppercase()
                && before.is_uppercase()
                && after.is_some_and(|after| after.is_lowercase());
            is_hump || is_last || letter.is_numeric() != before.is_numeric()
        });
        if begins || !letter.is_alphanumeric() {
            parts.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.extend(letter.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the names and words of a text, in order.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .map(|name| name.trim_matches('_'))
        .filter(|name| (1..=LONGEST).contains(&name.len()))
}

/// Returns the search terms of a name: the whole name, and its parts if there are several.
pub fn terms(name: &str) -> Vec<String> {
    let mut terms = parts(name);
    if terms.len() != 1 {
        terms.push(key(name));
    }
    terms.retain(|term| is_term(term));
    terms
}

/// Returns the English stem of a word.
pub fn stem(word: &str) -> String {
    Stemmer::create(Algorithm::English).stem(word).into_owned()
}

/// Returns false for single letters and long numbers, which carry no information.
fn is_term(term: &str) -> bool {
    let length = term.chars().count();
    length > 1 && (length <= 4 || !term.chars().all(char::is_numeric))
}

/// Returns the words of a file for the index. `defined` are the names that it defines; a text that is not code counts
/// as prose.
pub fn of_file<'a>(
    path: &WorkspacePath,
    defined: impl Iterator<Item = &'a str>,
    text: &str,
    is_code: bool,
) -> CodeWords {
    let (mut prose, mut body) = (Bag::default(), Bag::default());
    for line in text.lines() {
        let bag = if is_code && !is_comment(line) { &mut body } else { &mut prose };
        names(line).for_each(|name| bag.add(name));
    }
    let mut own = Bag::default();
    defined.for_each(|name| own.add(name));
    CodeWords { path: of_path(path), names: own.text(), prose: prose.text(), body: body.text() }
}

/// Returns the words of a file's name and its folders.
pub fn of_path(path: &WorkspacePath) -> String {
    let mut bag = Bag::default();
    names(path.as_str()).for_each(|name| bag.add(name));
    bag.text()
}

/// Returns true if a line starts like a comment in some language.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "*", "# ", "--", "<!--", "\"\"\"", ";;"].iter().any(|mark| line.starts_with(mark))
}

#[derive(Default)]
struct Bag<'a> {
    counts: HashMap<&'a str, u32>,
}

impl<'a> Bag<'a> {
    fn add(&mut self, name: &'a str) {
        if let Some(count) = self.counts.get_mut(name) {
            *count += 1;
        } else if self.counts.len() < MOST_WORDS {
            self.counts.insert(name, 1);
        }
    }

    fn text(self) -> String {
        let mut terms: HashMap<String, u32> = HashMap::with_capacity(self.counts.len());
        for (name, count) in self.counts {
            for term in terms_of(name) {
                *terms.entry(term).or_default() += count;
            }
        }
        let mut sorted: Vec<(String, u32)> = terms.into_iter().collect();
        sorted.sort_unstable();
        let mut text = String::new();
        for (term, count) in sorted {
            for _ in 0..count.min(MOST_TIMES) {
                text.push_str(&term);
                text.push(' ');
            }
        }
        text
    }
}

/// Like [`terms`], with a fast path for plain lower-case words.
fn terms_of(name: &str) -> Vec<String> {
    if name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        vec![name.to_owned()]
    } else {
        terms(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_at_their_seams() {
        for (name, whole, expected) in [
            ("parse_date", "parsedate", vec!["parse", "date"]),
            ("parseDate", "parsedate", vec!["parse", "date"]),
            ("HTTPServer", "httpserver", vec!["http", "server"]),
            ("SHA256Sum", "sha256sum", vec!["sha", "256", "sum"]),
            ("MAX_LEN", "maxlen", vec!["max", "len"]),
            ("kebab-case", "kebabcase", vec!["kebab", "case"]),
            ("größeÄndern", "größeändern", vec!["größe", "ändern"]),
            ("word", "word", vec!["word"]),
            ("__", "", vec![]),
            ("", "", vec![]),
        ] {
            assert_eq!(key(name), whole, "{name}");
            assert_eq!(parts(name), expected, "{name}");
        }
        assert_eq!(terms("parseDate"), ["parse", "date", "parsedate"]);
        assert_eq!(terms("x"), Vec::<String>::new());
        assert_eq!(terms("20240131"), Vec::<String>::new());
    }

    #[test]
    fn a_file_is_found_by_its_path_its_names_its_comments_and_the_rest() {
        let path = WorkspacePath::parse("src/login_form.rs").unwrap();
        let text = "// Ask for the password\nfn showForm() { ask(ask, ask) }\n";
        let words = of_file(&path, ["showForm"].into_iter(), text, true);
        assert_eq!(words.path, "form login loginform rs src ");
        assert_eq!(words.names, "form show showform ");
        assert_eq!(words.prose, "ask for password the ");
        assert_eq!(words.body, "ask ask ask fn form show showform ");
        let plain = of_file(&path, [].into_iter(), text, false);
        assert!(plain.body.is_empty() && plain.prose.contains("showform"), "{plain:?}");
    }

    #[test]
    fn what_is_written_by_machines_does_not_fill_the_index() {
        let path = WorkspacePath::parse("a.js").unwrap();
        let long = "x".repeat(1 << 20);
        let many = (0..100_000).map(|number| format!("w{number}q")).collect::<Vec<_>>().join(" ");
        let words =
            of_file(&path, [].into_iter(), &format!("{long}\n{many}\n{}", "again ".repeat(999)), true);
        assert!(words.body.len() < 400_000, "{}", words.body.len());
        assert!(!words.body.contains("xxxx"));
    }
}
