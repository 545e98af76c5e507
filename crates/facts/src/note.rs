//! Reads facts that were written as notes: `Lives in Lyon.`, `Sister Anna lives in Rome.`

use jiff::civil::Date;

use super::extract::extract;
use super::finding::Finding;
use super::names::KnownNames;
use super::verbs::{self, VerbForm};

/// Returns the finding of a note that states exactly one thing. The note is read as written, or else rephrased as the
/// user would say it.
pub fn read_note(content: &str, subject: &str, on: Date, names: &KnownNames) -> Option<Finding> {
    let one = |text: &str| match extract(text, on, names).as_slice() {
        [finding] if subject.is_empty() || finding.subject.eq_ignore_ascii_case(subject) => {
            Some(finding.clone())
        }
        _ => None,
    };
    one(content).or_else(|| one(&as_spoken(content, subject)))
}

pub fn as_spoken(content: &str, subject: &str) -> String {
    let (first, rest) = content.split_once(' ').unwrap_or((content, ""));
    let first = first.to_lowercase();
    let of_mine = format!("My {first} {rest}");
    if !subject.is_empty() {
        return of_mine;
    }
    match (first.as_str(), verbs::lemma(&first)) {
        ("is", _) => format!("I am {rest}"),
        ("was" | "can" | "cannot" | "used", _) => format!("I {first} {rest}"),
        (_, Some((base, VerbForm::Third))) => format!("I {base} {rest}"),
        (_, Some((_, VerbForm::Past))) => format!("I {first} {rest}"),
        _ => of_mine,
    }
}
