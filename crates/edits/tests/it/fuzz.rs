//! Fuzz tests with difficult texts and edits: `apply` must neither panic nor return a wrong receipt.

use edits::patch::{FileChange, apply_hunks, parse};
use edits::{Edit, Strategy, apply, digest};

use crate::random::Random;

const ROUNDS: u64 = 6_000;
const MARK: char = '\u{feff}';

/// Fragments that make texts hard to split.
const PIECES: [&str; 48] = [
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    " ",
    "  ",
    "\t",
    "    ",
    "\u{b}",
    "\u{c}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{3000}",
    "\u{feff}",
    "\u{200b}",
    "\u{200d}",
    "\u{ad}",
    "\u{0}",
    "\u{1b}[0m",
    "\u{fffd}",
    "…",
    "...",
    "İ",
    "i\u{307}",
    "ı",
    "ß",
    "ẞ",
    "ﬁ",
    "fi",
    "ﬂ",
    "é",
    "e\u{301}",
    "\u{301}",
    "’",
    "'",
    "“",
    "×",
    "x",
    "日本",
    "👩\u{200d}💻",
    "👩",
    "{",
    "}",
    "$&",
    "\\n",
    "word",
    "WORD",
];

fn soup(random: &mut Random, most: usize) -> String {
    let count = random.below(most);
    let mut text = String::new();
    for _ in 0..count {
        match random.below(8) {
            0 => text.extend(char::from_u32(u32::try_from(random.below(0x11_0000)).unwrap())),
            1 => {
                let bytes: Vec<u8> = (0..4).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
                text.push_str(&String::from_utf8_lossy(&bytes));
            }
            2 => text.push_str(&random.pick(&PIECES).repeat(1 + random.below(9))),
            _ => text.push_str(random.pick(&PIECES)),
        }
    }
    text
}

/// Returns a random slice of a text.
fn part<'a>(random: &mut Random, text: &'a str) -> &'a str {
    let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let (one, other) = (random.pick(&cuts), random.pick(&cuts));
    &text[one.min(other)..one.max(other)]
}

/// Returns the text with random additions, removals or changes.
fn shaken(random: &mut Random, text: &str) -> String {
    match random.below(6) {
        0 => text.to_owned(),
        1 => text.to_uppercase(),
        2 => text.split_whitespace().collect::<Vec<&str>>().join(random.pick(&[" ", "\n", "\t", "  "])),
        3 => text.lines().flat_map(|line| ["  ", line, " \n"]).collect(),
        4 => text.replace(part(random, text), random.pick(&PIECES)),
        _ => {
            let cut = part(random, text);
            format!("{cut}{}{}", random.pick(&PIECES), soup(random, 3))
        }
    }
}

fn check(content: &str, edit: &Edit) {
    let told = || format!("{content:?}\n{edit:?}");
    let done = apply(content, edit);
    assert_eq!(done, apply(content, edit), "not twice the same: {}", told());
    let Ok(done) = done else { return };
    assert_ne!(done.content, content, "nothing changed: {}", told());
    assert_eq!(done.receipt.before, digest(content), "{}", told());
    assert_eq!(done.receipt.after, digest(&done.content), "{}", told());
    let lines = content.split('\n').count();
    let are_there = |&(first, last): &(usize, usize)| 1 <= first && first <= last && last <= lines;
    assert!(done.receipt.lines.iter().all(are_there), "{:?}: {}", done.receipt.lines, told());
    assert!(edit.replace_all || done.receipt.lines.len() == 1, "{}", told());
    assert!(done.content.starts_with(MARK) || !content.starts_with(MARK), "the mark is gone: {}", told());
    // Only the lines in the receipt have changed.
    if let (Some((first, _)), Some((_, last))) = (done.receipt.lines.first(), done.receipt.lines.last()) {
        let lines: Vec<&str> = content.split_inclusive('\n').collect();
        let (above, below) = (lines[..first - 1].concat(), lines[(*last).min(lines.len())..].concat());
        let is_around = done.content.starts_with(&above) && done.content[above.len()..].ends_with(&below);
        assert!(is_around, "changed elsewhere, {}: {}", done.content, told());
    }
    let is_plain = !format!("{content}{}{}", edit.old, edit.new).contains(['\r', MARK]);
    if is_plain && done.receipt.strategy == Strategy::Exact && !edit.replace_all {
        assert_eq!(done.content, content.replacen(&edit.old, &edit.new, 1), "{}", told());
    }
    if !content.contains('\r') && !edit.new.contains('\r') && !edit.old.contains('\r') {
        assert!(!done.content.contains('\r'), "a return from nowhere: {}", told());
    }
}

#[test]
fn whatever_comes_in_nothing_false_comes_out() {
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let content = soup(&mut random, 60);
        let quoted = part(&mut random, &content).to_owned();
        let old = if random.one_in(8) { soup(&mut random, 12) } else { shaken(&mut random, &quoted) };
        let new = if random.one_in(3) { soup(&mut random, 12) } else { shaken(&mut random, &old) };
        check(&content, &Edit { old, new, replace_all: random.one_in(4) });
    }
}

#[test]
fn much_of_the_same_is_no_trouble() {
    let mut random = Random::new(1);
    for piece in PIECES {
        for line in [piece.to_owned(), format!("{piece}\n"), format!(" {piece}a\r\n"), format!("a{piece}b\n")]
        {
            let content = line.repeat(300);
            let quoted = line.repeat(1 + random.below(40));
            let old = shaken(&mut random, &quoted);
            for replace_all in [false, true] {
                check(&content, &Edit { old: old.clone(), new: format!("{old}x"), replace_all });
                check(&content, &Edit { old: format!("{old}!"), new: old.clone(), replace_all });
                check(&content, &Edit { old: old.to_lowercase(), new: piece.to_owned(), replace_all });
            }
        }
    }
}

#[test]
fn lines_without_an_end_are_no_trouble() {
    let many = |piece: &str| piece.repeat(20_000);
    for (content, old) in [
        (many("f(a, b); "), many("f(a,b);")),
        (many("( "), many("(")),
        (many("\" "), many("\"")),
        (many("a\n"), many("a ")),
        (many("a "), many("a\n")),
        (many("a,\n\n"), many("a,")),
        (many("\u{2026} "), many("...")),
        (many("e\u{301} "), many("e\u{301}\t")),
        (many("x\u{200b}= \u{201c}y\u{201d} "), many("x= \"y\" ")),
        (many("// a \n"), many("//a ")),
    ] {
        for new in
            [format!("{old}end"), format!("begin {old}"), old.replace(['a', '('], "b"), "x ".repeat(20_000)]
        {
            check(&content, &Edit { old: old.clone(), new, replace_all: false });
        }
        let nearly = content.replacen('a', "z", 1);
        check(&nearly, &Edit { old: old.clone(), new: "x".to_owned(), replace_all: false });
    }
}

#[test]
fn whatever_is_sent_as_a_patch_nothing_breaks() {
    const LINES: [&str; 30] = [
        "*** Begin Patch",
        "  *** Begin Patch",
        "*** End Patch",
        " *** End Patch",
        "*** Update File: x",
        " *** Update File: x",
        "*** Add File: y",
        "*** Delete File: z",
        "*** Move to: w",
        "*** End of File",
        "@@",
        "@@ f()",
        "@@ -1,2 +1,3 @@",
        "@@ -0,0 +1 @@",
        "--- a/x",
        "+++ b/x",
        "diff --git a/x b/x",
        "",
        " ",
        " a",
        "-a",
        "+a",
        "-",
        "+",
        "\\ No newline at end of file",
        " same",
        "-same",
        "+same",
        "\t",
        "?",
    ];
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let content: String = (0..random.below(12))
            .flat_map(|_| [random.pick(&["a", "same", "", " ", "f()", "a "]), random.pick(&["\n", "\r\n"])])
            .collect();
        let lines: Vec<&str> = (0..random.below(16)).map(|_| random.pick(&LINES)).collect();
        let frame = random.pick(&[
            "*** Begin Patch\n*** Update File: x\n",
            "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n",
            "",
        ]);
        let patch = format!("{frame}{}\n*** End Patch\n", lines.join("\n"));
        for change in parse(&patch).unwrap_or_default() {
            if let FileChange::Update { hunks, .. } = change {
                let done = apply_hunks(&content, &hunks);
                assert_eq!(done, apply_hunks(&content, &hunks), "not twice the same: {content:?}\n{patch}");
                let Ok((text, _)) = done else { continue };
                // The number of added and removed lines cannot exceed those of the hunks.
                let count = |text: &str| text.lines().count();
                let (gone, come) = hunks
                    .iter()
                    .fold((0, 0), |(gone, come), hunk| (gone + hunk.old.len(), come + hunk.new.len()));
                assert!(
                    count(&text) <= count(&content) + come && count(&text) + gone >= count(&content),
                    "{content:?}\n{patch}"
                );
            }
        }
    }
}
