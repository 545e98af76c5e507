//! Lines of real programs, quoted with different whitespace: only the requested word changes, in the form that the text
//! uses, or the edit is refused.

use std::collections::BTreeMap;
use std::path::Path;

use edits::{Edit, RefusalReason, apply};

use crate::languages::{Source, sources};
use crate::random::Random;
use crate::spacing::{SPACINGS, Spacing, Spot, gaps, respaced, tokens, with_word, words};

#[derive(Debug, Default, Clone, Copy)]
struct Count {
    right: usize,
    refused: usize,
}

/// The results by language and spacing of the quote.
type Counts = BTreeMap<(&'static str, String), Count>;

fn tally(
    counts: &mut Counts,
    key: (&'static str, String),
    done: &Result<String, RefusalReason>,
    expected: &str,
    told: &str,
) {
    let count = counts.entry(key).or_default();
    match done {
        Ok(text) if text == expected => count.right += 1,
        Ok(text) => panic!("{told}\n--- became\n{text}\n--- instead of\n{expected}"),
        Err(_) => count.refused += 1,
    }
}

fn edited(content: &str, old: &str, new: &str) -> Result<String, RefusalReason> {
    let edit = Edit { old: old.to_owned(), new: new.to_owned(), replace_all: false };
    apply(content, &edit).map(|applied| applied.content).map_err(|refusal| refusal.why)
}

fn check_all(check: impl Fn(&mut Random, &Source, &Spot<'_>, Spacing, &mut Counts)) -> Counts {
    let mut counts = Counts::new();
    for (number, source) in
        sources(&Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..")).iter().enumerate()
    {
        let mut random = Random::new(number as u64 + 1);
        for spot in Spot::some(&mut random, source) {
            for spacing in SPACINGS {
                check(&mut random, source, &spot, spacing, &mut counts);
            }
        }
    }
    counts
}

/// Panics if too few edits succeeded, or if more than `most_refused` in a thousand were refused.
fn judged(counts: &Counts, at_least: usize, most_refused: usize) {
    let right: usize = counts.values().map(|count| count.right).sum();
    let refused: usize = counts.values().map(|count| count.refused).sum();
    assert!(right > at_least, "only {right}: {counts:#?}");
    assert!(
        1_000 * refused <= most_refused * (right + refused),
        "{refused} of {right} are refused: {counts:#?}"
    );
}

#[test]
fn a_word_changes_and_nothing_else() {
    let counts = check_all(|random, source, spot, spacing, counts| {
        let line = spot.line();
        let quote = respaced(random, spacing, line);
        if quote == line {
            return;
        }
        let number = random.below(words(line).len());
        let ending = random.pick(&["\n", "\r\n"]);
        let (content, expected) = (spot.text(ending), spot.with(&with_word(line, number, "changed"), ending));
        for (kind, new) in [
            ("as quoted", with_word(&quote, number, "changed")),
            ("as it stands", with_word(line, number, "changed")),
        ] {
            let told =
                format!("{} {spacing:?} {kind}\n{line}\n--- old\n{quote}\n--- new\n{new}", source.language);
            let done = edited(&content, &quote, &new);
            tally(counts, (source.language, format!("{spacing:?} {kind}")), &done, &expected, &told);
        }
    });
    judged(&counts, 9_000, 2);
}

#[test]
fn several_lines_are_quoted_with_other_blanks() {
    let counts = check_all(|random, source, spot, spacing, counts| {
        let (from, to) = (spot.at.saturating_sub(2), (spot.at + 3).min(spot.lines.len()));
        let quoted: Vec<String> =
            spot.lines[from..to].iter().map(|line| respaced(random, spacing, line)).collect();
        if quoted.iter().zip(&spot.lines[from..to]).all(|(quoted, line)| quoted == line) {
            return;
        }
        let own = spot.at - from;
        let number = random.below(words(spot.line()).len());
        let mut wanted = quoted.clone();
        wanted[own] = with_word(&quoted[own], number, "changed");
        let (old, new) = (quoted.join("\n"), wanted.join("\n"));
        let expected = spot.with(&with_word(spot.line(), number, "changed"), "\n");
        let told = format!("{} {spacing:?}\n--- old\n{old}\n--- new\n{new}", source.language);
        let done = edited(&spot.text("\n"), &old, &new);
        tally(counts, (source.language, format!("{spacing:?}")), &done, &expected, &told);
    });
    judged(&counts, 7_000, 5);
}

#[test]
fn lines_that_break_are_quoted_without_a_break() {
    let counts = check_all(|random, source, spot, spacing, counts| {
        let to = (spot.at + 2 + random.below(8)).min(spot.lines.len());
        let lines = &spot.lines[spot.at..to];
        if lines.iter().any(|line| line.trim().is_empty()) || spacing == Spacing::Wider {
            return;
        }
        let joined: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
        let quote = respaced(random, spacing, &joined.join(" "));
        let number = random.below(words(&quote).len());
        let new = with_word(&quote, number, "changed");
        let content = spot.text("\n");
        let block = lines.join("\n");
        let expected = content.replacen(&block, &with_word(&block, number, "changed"), 1);
        let told = format!("{} {spacing:?}\n--- old\n{quote}\n--- new\n{new}", source.language);
        let done = edited(&content, &quote, &new);
        tally(counts, (source.language, format!("{spacing:?}")), &done, &expected, &told);
    });
    judged(&counts, 3_000, 5);
}

/// Checks that every gap of a line occurs in the text or in the new line, and that no words were joined.
fn has_its_gaps(line: &str, before: &str, new: &str) -> Result<(), String> {
    let (wide, new_gaps) = (gaps(before), gaps(new));
    for gap in gaps(line) {
        if !wide.contains(&gap) && !new_gaps.contains(&gap) {
            return Err(format!("{gap:?} stands in neither"));
        }
    }
    let text =
        |line: &str| tokens(line).into_iter().map(|token| line[token].to_owned()).collect::<Vec<String>>();
    if text(line) == text(new) { Ok(()) } else { Err("other words".to_owned()) }
}

#[test]
fn what_comes_and_goes_leaves_no_blank_too_many_and_none_too_few() {
    let counts = check_all(|random, source, spot, spacing, counts| {
        let line = spot.line();
        let quote = respaced(random, spacing, line);
        let places = tokens(&quote);
        let at = random.below(places.len());
        let place = places[at].clone();
        let comes = ["extra", ", extra", "(extra)", "extra, ", " extra ", "-", "\"an  extra\""];
        let comes = random.pick(&comes);
        let edit = match random.below(3) {
            // Remove a token and one of the gaps next to it.
            0 if places.len() > 1 => {
                let to = places.get(at + 1).map_or(quote.len(), |next| next.start);
                format!("{}{}", &quote[..place.start], &quote[to..])
            }
            1 => format!("{}{comes}{}", &quote[..place.start], &quote[place.start..]),
            _ => format!("{}{comes}{}", &quote[..place.end], &quote[place.end..]),
        };
        if quote == line || edit.trim().is_empty() {
            return;
        }
        let told = format!("{} {spacing:?}\n{line}\n--- old\n{quote}\n--- new\n{edit}", source.language);
        let count = counts.entry((source.language, format!("{spacing:?}"))).or_default();
        let Ok(done) = edited(&spot.text("\n"), &quote, &edit) else {
            count.refused += 1;
            return;
        };
        count.right += 1;
        let became = done.lines().nth(spot.at).unwrap_or_default();
        assert_eq!(done, spot.with(became, "\n"), "{told}");
        if let Err(why) = has_its_gaps(became, line, &edit) {
            panic!("{why}: {told}\n--- became\n{became}");
        }
    });
    judged(&counts, 7_000, 50);
}

#[test]
fn lines_come_and_go_among_others_quoted_with_other_blanks() {
    let counts = check_all(|random, source, spot, spacing, counts| {
        let (from, to) = (spot.at.saturating_sub(2), (spot.at + 3).min(spot.lines.len()));
        let lines = &spot.lines[from..to];
        let quoted: Vec<String> = lines.iter().map(|line| respaced(random, spacing, line)).collect();
        if quoted.iter().zip(lines).all(|(quoted, line)| quoted == line) {
            return;
        }
        let own = spot.at - from;
        let indent = &quoted[own][..quoted[own].len() - quoted[own].trim_start().len()];
        let come = format!("{indent}brand_new( one,two );");
        let mut wanted = quoted.clone();
        let mut expected: Vec<&str> = spot.lines.clone();
        match random.below(3) {
            0 => {
                wanted.remove(own);
                expected.remove(spot.at);
            }
            1 => {
                wanted.insert(own, come.clone());
                expected.insert(spot.at, &come);
            }
            _ => {
                wanted.insert(own + 1, come.clone());
                expected.insert(spot.at + 1, &come);
            }
        }
        let (old, new) = (quoted.join("\n"), wanted.join("\n"));
        let expected: String = expected.iter().flat_map(|line| [*line, "\r\n"]).collect();
        let told = format!("{} {spacing:?}\n--- old\n{old}\n--- new\n{new}", source.language);
        let done = edited(&spot.text("\r\n"), &old, &new);
        tally(counts, (source.language, format!("{spacing:?}")), &done, &expected, &told);
    });
    judged(&counts, 7_000, 20);
}

/// Typographic characters of the text are kept, together with its whitespace.
#[test]
fn curly_quotes_stay_beside_other_blanks() {
    let curly = |line: &str| {
        let mut is_open = false;
        let quote = |letter: char| match letter {
            '"' => {
                is_open = !is_open;
                if is_open { '\u{201c}' } else { '\u{201d}' }
            }
            '\'' => '\u{2019}',
            '-' => '\u{2013}',
            other => other,
        };
        line.chars().map(quote).collect::<String>()
    };
    let counts = check_all(|random, source, spot, spacing, counts| {
        let line = spot.line();
        let quote = respaced(random, spacing, line);
        let there = curly(line);
        if quote == line || there == line {
            return;
        }
        let number = random.below(words(line).len());
        let (old, new) = (quote.clone(), with_word(&quote, number, "changed"));
        let expected = spot.with(&with_word(&there, number, "changed"), "\n");
        let told = format!("{} {spacing:?}\n--- old\n{old}\n--- new\n{new}", source.language);
        let done = edited(&spot.with(&there, "\n"), &old, &new);
        tally(counts, (source.language, format!("{spacing:?}")), &done, &expected, &told);
    });
    judged(&counts, 2_500, 10);
}
