use jiff::civil::{Date, date};

use super::*;

/// A Thursday.
const TODAY: Date = date(2026, 5, 14);

fn names() -> Names {
    let mut names = Names::new("Luna");
    names.learn("", Some(&Slot::of(Kind::Pet, "dog")), "Max");
    names.learn("", Some(&Slot::of(Kind::Pet, "cat")), "Mia");
    names.learn("", Some(&Slot::of(Kind::Relative, "sister")), "Anne");
    names.learn("", Some(&Slot::of(Kind::Relative, "friend")), "Tom");
    names
}

/// What was found: `-` before what has ended, `<` before what is past.
fn told(text: &str) -> Vec<String> {
    let mark = |finding: &Finding| match finding.polarity {
        Polarity::Ended => "-",
        Polarity::Holds if finding.is_past() => "<",
        Polarity::Holds => "",
    };
    let found = extract(text, TODAY, &names());
    for finding in &found {
        assert!(text.contains(&finding.quote), "{text}: the quote is not of the message: {}", finding.quote);
        assert!(!finding.quote.is_empty(), "{text}: no quote");
    }
    found
        .iter()
        .filter(|finding| finding.confidence >= 0.5)
        .map(|finding| format!("{}{}", mark(finding), finding.content))
        .collect()
}

fn check(table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, wanted) in table {
        let told = told(text);
        let missing: Vec<&str> =
            wanted.split(" | ").filter(|one| !told.iter().any(|told| told == one)).collect();
        if !missing.is_empty() {
            wrong.push(format!("{text}\n    wanted {missing:?}\n    told   {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

#[test]
fn what_is_told_is_found() {
    check(include!("extract_positive.in"));
}

#[test]
fn what_is_no_fact_is_not_found() {
    let table: &[&str] = include!("extract_negative.in");
    let mut wrong = Vec::new();
    for text in table {
        let told = told(text);
        if !told.is_empty() {
            wrong.push(format!("{text}\n    told {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

#[test]
#[ignore = "prints what it finds in the lines of a file"]
fn probe() {
    let text = std::fs::read_to_string("/tmp/probe.txt").unwrap();
    let mut names = Names::new("Luna");
    for line in text.lines().filter(|line| !line.is_empty()) {
        println!("{line}");
        for finding in extract(line, TODAY, &names) {
            names.hear(&finding);
            println!(
                "    {:?} [{}] {} {:?} from {:?} to {:?} exp {:?} {:?} c{:.2} «{}»",
                finding.polarity,
                finding.slot.as_ref().map_or(String::new(), ToString::to_string),
                finding.content,
                finding.value,
                finding.valid_from,
                finding.valid_to,
                finding.expires,
                finding.replaces,
                finding.confidence,
                finding.quote
            );
        }
    }
}
