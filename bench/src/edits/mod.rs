//! The results of edits and patches that do not quote the file exactly.

mod cases;
#[path = "../../../crates/edits/tests/it/languages/mod.rs"]
#[allow(dead_code, reason = "tests need more of it")]
mod languages;
mod outcome;
#[path = "../../../crates/edits/tests/it/random.rs"]
#[allow(dead_code, reason = "tests need more of it")]
mod random;
#[path = "../../../crates/edits/tests/it/spacing.rs"]
#[allow(dead_code, reason = "tests need more of it")]
mod spacing;

use std::path::Path;

use languages::sources;
use outcome::{EditCounts, edited};
use random::Random;
use spacing::{SPACINGS, Spacing, Spot, respaced, with_word, words};

use crate::report::BenchReport;

pub fn run() -> BenchReport {
    let mut report = BenchReport::new(
        "edits",
        "Lines of this repository and of pages in fourteen other languages, quoted with other blanks than they have, of which \
         one word changes: in the quote's own blanks, and in those of the file. Right is what differs from the file in that \
         word alone, refused is what was left as it was, and all else is wrong. Then several lines at once, blocks of \
         lines quoted on one, and single edits and patches with the result that was meant.",
    );
    let sources = sources(Path::new("."));
    for (spacing, key, what) in [
        (Spacing::Wider, "wider", "quoted wider"),
        (Spacing::Tighter, "tighter", "quoted tighter"),
        (Spacing::Moved, "moved", "blanks elsewhere"),
    ] {
        let mut tally = EditCounts::default();
        for (number, source) in sources.iter().enumerate() {
            let mut random = Random::new(number as u64 + 1);
            for spot in Spot::some(&mut random, source) {
                one_word(&mut random, &spot, spacing, &mut tally);
            }
        }
        tally.report(&mut report, key, what, 2.0);
    }
    let (mut several, mut joined) = (EditCounts::default(), EditCounts::default());
    for (number, source) in sources.iter().enumerate() {
        let mut random = Random::new(number as u64 + 1);
        for spot in Spot::some(&mut random, source) {
            let spacing = random.pick(&SPACINGS);
            several_lines(&mut random, &spot, spacing, &mut several);
            on_one_line(&mut random, &spot, &mut joined);
        }
    }
    several.report(&mut report, "several", "five lines", 5.0);
    joined.report(&mut report, "joined", "up to eight lines quoted on one", 10.0);
    cases::edits().report(&mut report, "edits", "single edits", 0.0);
    cases::patches().report(&mut report, "patches", "patches", 0.0);
    report
}

fn one_word(random: &mut Random, spot: &Spot<'_>, spacing: Spacing, tally: &mut EditCounts) {
    let line = spot.line();
    let quote = respaced(random, spacing, line);
    if quote == line {
        return;
    }
    let number = random.below(words(line).len());
    let own = with_word(line, number, "changed");
    let (content, meant) = (spot.text("\n"), spot.with(&own, "\n"));
    for new in [with_word(&quote, number, "changed"), own.clone()] {
        tally.take(edited(&content, &quote, &new).as_deref(), &meant);
    }
}

fn several_lines(random: &mut Random, spot: &Spot<'_>, spacing: Spacing, tally: &mut EditCounts) {
    let (from, to) = (spot.at.saturating_sub(2), (spot.at + 3).min(spot.lines.len()));
    let lines = &spot.lines[from..to];
    let mut quoted: Vec<String> = lines.iter().map(|line| respaced(random, spacing, line)).collect();
    let old = quoted.join("\n");
    if old == lines.join("\n") {
        return;
    }
    let number = random.below(words(spot.line()).len());
    quoted[spot.at - from] = with_word(&quoted[spot.at - from], number, "changed");
    let meant = spot.with(&with_word(spot.line(), number, "changed"), "\n");
    tally.take(edited(&spot.text("\n"), &old, &quoted.join("\n")).as_deref(), &meant);
}

fn on_one_line(random: &mut Random, spot: &Spot<'_>, tally: &mut EditCounts) {
    let to = (spot.at + 2 + random.below(8)).min(spot.lines.len());
    let lines = &spot.lines[spot.at..to];
    if lines.iter().any(|line| line.trim().is_empty()) {
        return;
    }
    let joined: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    let quote = respaced(random, Spacing::Tighter, &joined.join(" "));
    let number = random.below(words(&quote).len());
    let (content, block) = (spot.text("\n"), lines.join("\n"));
    let meant = content.replacen(&block, &with_word(&block, number, "changed"), 1);
    tally.take(edited(&content, &quote, &with_word(&quote, number, "changed")).as_deref(), &meant);
}
