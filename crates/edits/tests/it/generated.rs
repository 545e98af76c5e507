//! Random edits: each must make exactly the requested change or none.

use edits::{Edit, Strategy, apply};

use crate::random::Random;
use crate::sample::{Noise, SampleText, said};

const ROUNDS: u64 = 12_000;
const ELISION: &str = "    // ... existing code ...";

/// A line of an edit.
#[derive(Debug, Clone)]
enum Item {
    /// An unchanged line.
    Kept(String),
    /// A removed line.
    Gone(String),
    /// An added line.
    New(String),
}

/// A text with a quote of some of its lines and an edit.
struct Trial {
    text: SampleText,
    noises: Vec<Noise>,
    /// The index of the first changed line in the text; `gone` is the number of removed lines.
    at: usize,
    gone: usize,
    /// The new lines as requested.
    new: Vec<String>,
    edit: Edit,
    /// True if context lines are missing from the quote.
    is_cut: bool,
}

fn trial(random: &mut Random) -> Trial {
    let text = SampleText::new(random);
    let first = random.below(text.lines.len());
    let count = (1 + random.below(9)).min(text.lines.len() - first);
    let noises = Noise::some(random);
    let region = &text.lines[first..first + count];
    let quoted = Noise::quoted(&noises, region);
    let at = random.below(count);
    let gone = random.below(3).min(count - at);
    let beside = &quoted[at];
    let indent = &beside[..beside.len() - beside.trim_start_matches([' ', '\t']).len()];
    let new: Vec<String> = if gone == 1 && random.one_in(2) && !beside.trim().is_empty() {
        vec![changed_within(random, beside)]
    } else {
        let come = random.below(3).max(usize::from(gone == 0 || gone == count));
        (0..come).map(|number| format!("{indent}brand_new_{number}();")).collect()
    };
    let mut items: Vec<Item> = quoted[..at].iter().cloned().map(Item::Kept).collect();
    items.extend(quoted[at..at + gone].iter().cloned().map(Item::Gone));
    items.extend(new.iter().cloned().map(Item::New));
    items.extend(quoted[at + gone..].iter().cloned().map(Item::Kept));
    let mut is_cut = false;
    for noise in &noises {
        is_cut |= forget(random, *noise, &mut items);
    }
    let old = items.iter().filter_map(|item| match item {
        Item::Kept(line) | Item::Gone(line) => Some(line.as_str()),
        Item::New(_) => None,
    });
    let old = old.collect::<Vec<&str>>().join("\n");
    let lines = items.iter().filter_map(|item| match item {
        Item::Kept(line) | Item::New(line) => Some(line.as_str()),
        Item::Gone(_) => None,
    });
    let edit = Edit { old, new: lines.collect::<Vec<&str>>().join("\n"), replace_all: false };
    Trial { at: first + at, gone, new, edit, text, noises, is_cut }
}

/// Returns the line with one word replaced or added.
fn changed_within(random: &mut Random, line: &str) -> String {
    let words: Vec<usize> = line
        .char_indices()
        .filter(|&(at, letter)| {
            letter.is_alphanumeric()
                && !line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
        })
        .map(|(at, _)| at)
        .collect();
    if words.is_empty() {
        return format!("{line} changed");
    }
    let from = random.pick(&words);
    let length = line[from..].find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let to = length.map_or(line.len(), |length| from + length);
    match random.below(3) {
        0 => format!("{}changed{}", &line[..from], &line[to..]),
        1 => format!("{}changed, {}", &line[..from], &line[from..]),
        _ => format!("{}, changed{}", &line[..to], &line[to..]),
    }
}

/// Removes context lines from the quote. Returns false if none could be removed.
fn forget(random: &mut Random, noise: Noise, items: &mut Vec<Item>) -> bool {
    let kept: Vec<usize> = (0..items.len()).filter(|&at| matches!(items[at], Item::Kept(_))).collect();
    if kept.len() < 3 {
        return false;
    }
    let at = random.pick(&kept);
    match noise {
        // Next to a change, the forgotten line would be needed to locate it.
        Noise::Forgotten => {
            let around = &items[at.saturating_sub(1)..(at + 2).min(items.len())];
            let mut lines = Vec::new();
            for item in around {
                match item {
                    Item::Kept(line) if line != ELISION && !lines.contains(&said(line)) => {
                        lines.push(said(line));
                    }
                    _ => return false,
                }
            }
            items.remove(at);
        }
        Noise::Elided => {
            let run = items[at..].iter().take_while(|item| matches!(item, Item::Kept(_))).count();
            let count = 1 + random.below(run.min(3));
            items.splice(at..at + count, [Item::Kept(ELISION.to_owned())]);
        }
        _ => return false,
    }
    true
}

/// Counts the exact occurrences of a quote, including overlapping ones.
fn count_of(content: &str, quote: &str) -> usize {
    (0..content.len()).filter(|&at| content.is_char_boundary(at) && content[at..].starts_with(quote)).count()
}

/// Returns true if the edit was applied. Panics if the result is not the requested change.
fn check(seed: u64) -> bool {
    let mut random = Random::new(seed);
    let Trial { text, noises, at, gone, new, edit, is_cut } = trial(&mut random);
    let content = text.joined();
    let done = apply(&content, &edit);
    let told = || {
        let Edit { old, new, .. } = &edit;
        format!(
            "seed {seed}, {noises:?}, line {at}-{gone}\n{content}\n--- old\n{old}\n--- new\n{new}\n---\n{done:?}"
        )
    };
    let unix = content.replace("\r\n", "\n");
    let exactly = count_of(&unix, &edit.old);
    if exactly > 1 && !edit.old.is_empty() {
        assert!(done.is_err(), "twice: {}", told());
        return false;
    }
    // An inexact quote may equal another part of the text, which cannot be detected.
    let words = |text: &str| said(text).into_iter().filter(|line| !line.is_empty()).collect::<Vec<String>>();
    let (all, quote) = (words(&unix), words(&edit.old));
    let places = all.windows(quote.len().max(1)).filter(|lines| **lines == quote).count();
    if exactly == 0 && places > usize::from(!is_cut) {
        return false;
    }
    let Ok(done) = &done else {
        // A single line quoted with part of its indent may also match a line with another indent.
        let is_part = !edit.old.contains('\n') && edit.old.starts_with([' ', '\t']);
        assert!(
            exactly == 0 || is_part || edit.old == edit.new || edit.old.is_empty(),
            "refused: {}",
            told()
        );
        return false;
    };
    // A quote with part of its indent does not count as exact.
    if exactly == 1 && done.receipt.strategy != Strategy::Indentation {
        assert_eq!(done.receipt.strategy, Strategy::Exact, "{}", told());
        let expected = unix.replacen(&edit.old, &edit.new, 1).replace('\n', text.ending);
        assert_eq!(done.content, expected, "{}", told());
        return true;
    }
    let lines: Vec<&str> = done.content.split('\n').collect();
    let before: Vec<&str> = content.split('\n').collect();
    assert_eq!(lines.len() + gone, before.len() + new.len(), "another count of lines: {}", told());
    // If adjacent lines are equal, any of them may be removed.
    let (quoted, wanted) = (said(&edit.old), said(&edit.new));
    let leaves = |at: usize| [&quoted[..at], &quoted[(at + gone).min(quoted.len())..]].concat() == wanted;
    let is_either = (0..quoted.len()).filter(|&at| leaves(at)).count() > 1;
    let kept = |line: &&'_ str| (line.to_string(), true);
    let mut expected: Vec<(String, bool)> = before[..at].iter().map(kept).collect();
    expected.extend(new.iter().map(|line| (line.clone(), false)));
    expected.extend(before[at + gone..].iter().map(kept));
    // A line inserted next to a forgotten blank line may be on either side of it.
    let counts = |line: &str| !is_cut || !line.trim().is_empty();
    let lines = lines.into_iter().filter(|line| counts(line));
    for (line, (expected, is_kept)) in lines.zip(expected.iter().filter(|(line, _)| counts(line))) {
        let is_open = !text.is_closed && line.trim_end_matches('\r') == expected.trim_end_matches('\r');
        let is_same = line == expected || is_open || is_either && line.trim() == expected.trim();
        let ends_alike = line.ends_with('\r') == (text.ending == "\r\n") || !text.is_closed;
        let is_right = if *is_kept { is_same } else { said(line) == said(expected) && ends_alike };
        assert!(is_right, "{line:?} instead of {expected:?}: {}", told());
    }
    true
}

#[test]
fn exactly_the_asked_change_or_none() {
    let done = (0..ROUNDS).filter(|&seed| check(seed)).count();
    // Refusing everything would also be safe, so most edits must succeed.
    assert!(done > usize::try_from(ROUNDS).unwrap() * 3 / 4, "only {done} were done");
}
