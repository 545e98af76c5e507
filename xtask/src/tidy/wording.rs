//! Rules for comments: the first words of documentation, and the name of the companion.

use super::findings::Findings;
use super::tree::{File, SourceTree};
use crate::rust::tokens::{RustToken, TokenKind, tokens};

/// The words that must not begin a first line of documentation, which is a noun phrase or begins with a verb.
const CLAUSES: [&str; 14] = [
    "What",
    "Whatever",
    "Whether",
    "Who",
    "Whoever",
    "Whom",
    "Whose",
    "Where",
    "Wherever",
    "Which",
    "Whichever",
    "Why",
    "How",
    "However",
];

/// The words for a person. The companion is *Luna* or *the companion* in comments and in documents for developers.
const PRONOUNS: [&str; 4] = ["she", "her", "hers", "herself"];

/// The documents for developers. Those for users may speak of Luna as a person.
const FOR_DEVELOPERS: [&str; 4] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "crates/", "xtask/"];

/// Describes all comments that break a rule.
pub fn describe(tree: &SourceTree) -> String {
    let (clauses, pronouns) = (clauses(tree), pronouns(tree));
    let sum = format!(
        "{} first lines begin with a clause, {} lines say *she* or *her*",
        clauses.len(),
        pronouns.len()
    );
    [clauses, pronouns, vec![sum]].concat().join("\n")
}

/// Returns the documentation that begins with a clause.
pub fn clauses(tree: &SourceTree) -> Findings {
    let mut findings = Findings::new();
    for file in rust_files(tree) {
        let tokens = tokens(&file.text);
        let for_models = lines_for_models(&tokens);
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Doc) {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let is_first =
                before.is_none_or(|before| before.kind != TokenKind::Doc || before.line + 1 != token.line);
            let word = token.text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let is_for_models = for_models.iter().any(|(from, to)| (*from..=*to).contains(&token.line));
            if is_first && CLAUSES.contains(&word) && !is_for_models {
                findings.push(format!("{}:{}: documentation begins with `{word}`", file.path, token.line));
            }
        }
    }
    findings
}

/// Returns the lines of types whose documentation becomes part of a schema that a model reads. Their words were chosen
/// by measurement.
fn lines_for_models(tokens: &[RustToken<'_>]) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let attributes = tokens.iter().enumerate().filter(|(_, token)| token.is("derive"));
    for (at, _) in attributes {
        let rest = tokens.get(at..).unwrap_or_default();
        let derived = rest.iter().take_while(|token| !token.is("]"));
        if !derived.clone().any(|token| token.is("JsonSchema")) {
            continue;
        }
        // From the documentation above the attribute to the end of the type.
        let above = tokens.get(..at).unwrap_or_default().iter().rev();
        let first =
            above.take_while(|token| token.kind == TokenKind::Doc || token.is("[") || token.is("#")).last();
        let mut depth = 0_usize;
        let last = rest.iter().skip(derived.count()).find(|token| {
            match token.text {
                "{" if token.kind == TokenKind::Mark => depth += 1,
                "}" if token.kind == TokenKind::Mark => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (token.is("}") || token.is(";"))
        });
        if let (Some(first), Some(last)) = (first, last) {
            ranges.push((first.line, last.line));
        }
    }
    ranges
}

/// Returns the comments and documents that speak of the companion as *she*.
pub fn pronouns(tree: &SourceTree) -> Findings {
    let mut findings = Findings::new();
    for file in rust_files(tree) {
        for token in tokens(&file.text).iter().filter(|token| token.is_comment()) {
            for (offset, line) in token.text.lines().enumerate() {
                let found =
                    pronoun(line).map(|word| format!("{}:{}: `{word}`", file.path, token.line + offset));
                findings.extend(found);
            }
        }
    }
    let documents = tree.files.iter().filter(|file| {
        file.kind() == "md"
            && FOR_DEVELOPERS.iter().any(|start| file.path.starts_with(start))
            && !is_data(file)
    });
    for file in documents {
        let found = file.lines().filter_map(|(number, line)| Some((number, pronoun(line)?)));
        findings.extend(found.map(|(number, word)| format!("{}:{number}: `{word}`", file.path)));
    }
    findings
}

/// Returns true for texts that are part of the program or of tests, not documents.
fn is_data(file: &File) -> bool {
    file.path.contains("/src/") || file.path.contains("/tests/")
}

/// Finds a pronoun outside of quoted text and italics, which may be examples.
fn pronoun(line: &str) -> Option<&'static str> {
    let mut quote = None;
    let mut unquoted = String::new();
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let opens_italics = c == '*' && rest.peek().is_some_and(|next| next.is_alphabetic() || *next == '…');
        match (quote, c) {
            (None, '"' | '`') => quote = Some(c),
            (None, '“') => quote = Some('”'),
            (None, '*') if opens_italics => quote = Some(c),
            (Some(end), _) if end == c => quote = None,
            (None, _) => {
                unquoted.push(c);
                continue;
            }
            _ => {}
        }
        unquoted.push(' ');
    }
    let mut words = unquoted.split(|c: char| !c.is_alphanumeric());
    words.find_map(|word| PRONOUNS.into_iter().find(|pronoun| word.eq_ignore_ascii_case(pronoun)))
}

/// Returns the source files, without the rules themselves.
fn rust_files(tree: &SourceTree) -> impl Iterator<Item = &File> {
    tree.files.iter().filter(|file| file.kind() == "rs" && !file.path.starts_with("xtask/src/tidy/wording"))
}

#[cfg(test)]
#[path = "wording_tests.rs"]
mod tests;
