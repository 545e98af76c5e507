use std::time::{Duration, Instant};

use edits::patch::{FileChange, apply_hunks, parse};

use super::*;
use crate::path::WorkspacePath;
use crate::random::Random;

fn path(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).unwrap()
}

/// Computes the diff and checks that its hunks add up to both sides.
fn checked(before: Option<&[u8]>, after: Option<&[u8]>) -> FileDiff {
    let diff = FileDiff::of(before, after);
    let ids: Vec<HunkId> = diff.ids().collect();
    assert_eq!(ids, (0..ids.len()).map(|id| HunkId(number(id))).collect::<Vec<_>>());
    assert!(!ids.is_empty());
    assert_eq!(accept_hunks(before, after, &ids).as_deref(), after, "all of it");
    assert_eq!(accept_hunks(before, after, &[]).as_deref(), before, "nothing of it");
    let (old, new) =
        (TextLines::read(before.unwrap_or_default()), TextLines::read(after.unwrap_or_default()));
    let (Some(old), Some(new)) = (old, new) else {
        assert!(diff.binary && diff.hunks.len() == 1 && diff.hunks[0].lines.is_empty());
        return diff;
    };
    assert_eq!((old.shown().len(), new.shown().len()), (old.lines.len(), new.lines.len()));
    for hunk in diff.hunks.iter().filter(|hunk| !hunk.lines.is_empty()) {
        for (kind, text, start, count) in [
            (HunkLineKind::Removed, &old, hunk.old_start, hunk.old_lines),
            (HunkLineKind::Added, &new, hunk.new_start, hunk.new_lines),
        ] {
            let of_side = |line: &&HunkLine| line.kind == kind || line.kind == HunkLineKind::Context;
            let told: Vec<String> = hunk
                .lines
                .iter()
                .filter(of_side)
                .map(|line| format!("{}{}", line.text, if line.no_newline { "" } else { "\n" }))
                .collect();
            let first = start as usize - usize::from(count > 0);
            // Context lines are shown as on the old side.
            if old.encoding == new.encoding {
                assert_eq!(told, text.shown()[first..first + count as usize]);
            }
            assert_eq!(told.len(), count as usize);
        }
    }
    diff
}

#[test]
fn a_change_is_shown_as_git_shows_it() {
    let long = |middle: &str| format!("1\n2\n3\n4\n5\n{middle}\n7\n8\n9\n10\n11\n12\n13\nend\n");
    for (before, after, kind, expected) in [
        (
            Some("a\nb\nc\n"),
            Some("a\nB\nc\n"),
            DiffKind::Changed,
            "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
        ),
        (
            None,
            Some("a\n"),
            DiffKind::Added,
            "new file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+a\n",
        ),
        (
            Some("a\n"),
            None,
            DiffKind::Deleted,
            "deleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n",
        ),
        (None, Some(""), DiffKind::Added, "new file mode 100644\n"),
        (Some(""), None, DiffKind::Deleted, "deleted file mode 100644\n"),
        (Some("same"), Some("same"), DiffKind::ModeOnly, ""),
        (
            Some(""),
            Some("a"),
            DiffKind::Changed,
            "--- a/x\n+++ b/x\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n",
        ),
        (
            Some("a\nb"),
            Some("a\nb\n"),
            DiffKind::Changed,
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
        ),
        (Some("a\r\n"), Some("a\n"), DiffKind::Changed, "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\r\n+a\n"),
        (
            Some("\u{feff}a\n"),
            Some("a\n"),
            DiffKind::Changed,
            "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-\u{feff}a\n+a\n",
        ),
        (Some("a\0b"), Some("a\0c"), DiffKind::Changed, "Binary files a/x and b/x differ\n"),
        (None, Some("\0"), DiffKind::Added, "new file mode 100644\nBinary files /dev/null and b/x differ\n"),
        (
            Some(&long("6")),
            Some(&long("six")),
            DiffKind::Changed,
            "--- a/x\n+++ b/x\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n",
        ),
    ] {
        let diff = checked(before.map(str::as_bytes), after.map(str::as_bytes));
        assert_eq!(diff.kind, kind, "{before:?} → {after:?}");
        assert_eq!(diff.to_unified(&path("x")), format!("diff --git a/x b/x\n{expected}"));
    }
    let named = FileDiff::of(None, Some(b"a")).to_unified(&path("a b\"c.txt"));
    assert!(named.starts_with("diff --git \"a/a b\\\"c.txt\" \"b/a b\\\"c.txt\"\n"), "{named}");
    let spaced = FileDiff::of(Some(b"x"), Some(b"a")).to_unified(&path("a b.txt"));
    assert!(spaced.contains("--- a/a b.txt\t\n"), "{spaced}");
}

#[test]
fn pieces_are_apart_by_more_than_their_surroundings() {
    let before: String = (0..40).map(|line| format!("{line}\n")).collect::<Vec<_>>().concat();
    for (second, pieces) in [(10, 1), (16, 1), (17, 1), (18, 2), (39, 2)] {
        let after: String = (0..40)
            .map(
                |line| {
                    if line == 10 || line == second { format!("new {line}\n") } else { format!("{line}\n") }
                },
            )
            .collect();
        let diff = checked(Some(before.as_bytes()), Some(after.as_bytes()));
        assert_eq!(diff.hunks.len(), pieces, "lines 10 and {second}");
        let changed = if second == 10 { 1 } else { 2 };
        assert_eq!((diff.added, diff.removed), (changed, changed));
        if let [first, _] = diff.hunks.as_slice() {
            let taken = accept_hunks(Some(before.as_bytes()), Some(after.as_bytes()), &[first.id]).unwrap();
            assert_eq!(String::from_utf8(taken).unwrap(), before.replace("\n10\n", "\nnew 10\n"));
        }
    }
}

/// Returns the text in another encoding or with other line endings.
fn written(text: &str, form: usize) -> Vec<u8> {
    let unended = text.strip_suffix('\n').unwrap_or(text);
    match form {
        0 => text.as_bytes().to_vec(),
        1 => unended.as_bytes().to_vec(),
        2 => text.replace('\n', "\r\n").into_bytes(),
        3 => format!("\u{feff}{text}").into_bytes(),
        4 => [b"\xff\xfe".to_vec(), unended.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat(),
        5 => [b"\xfe\xff".to_vec(), text.encode_utf16().flat_map(u16::to_be_bytes).collect()].concat(),
        6 => text.replace("line", "l\u{e9}ne").chars().map(|letter| u8::try_from(letter).unwrap()).collect(),
        7 => text.replace('\n', "\n\r\n").into_bytes(),
        _ => text.replace('3', "\0").into_bytes(),
    }
}

#[test]
fn any_two_texts_are_taken_apart_and_put_together_to_the_byte() {
    for seed in 0..4_000 {
        let mut random = Random::new(seed);
        let before = random.lines(60, 12);
        let after = if random.one_in(5) { random.lines(60, 12) } else { random.edited(&before, 8) };
        let form = random.below(9);
        let other = if random.one_in(6) { random.below(9) } else { form };
        let (before, after) = (written(&before.concat(), form), written(&after.concat(), other));
        let diff = checked(Some(&before), Some(&after));
        checked(None, Some(&after));
        checked(Some(&before), None);
        if diff.binary || diff.hunks.len() < 2 {
            continue;
        }
        // Accepting some hunks and then the rest must equal accepting all at once.
        let some: Vec<HunkId> = diff.ids().filter(|_| random.one_in(2)).collect();
        let part = accept_hunks(Some(&before), Some(&after), &some);
        if !some.is_empty() && some.len() < diff.hunks.len() {
            assert_ne!(part.as_deref(), Some(&before[..]));
            assert_ne!(part.as_deref(), Some(&after[..]));
        }
        let rest = FileDiff::of(part.as_deref(), Some(&after));
        assert_eq!(
            accept_hunks(part.as_deref(), Some(&after), &rest.ids().collect::<Vec<_>>()).as_deref(),
            Some(&after[..])
        );
        let expected = diff.hunks.iter().filter(|hunk| some.contains(&hunk.id));
        let lines =
            |kind| expected.clone().flat_map(|hunk| &hunk.lines).filter(|line| line.kind == kind).count();
        let (old, new) =
            (TextLines::read(&before).unwrap(), TextLines::read(part.as_deref().unwrap()).unwrap());
        assert_eq!(
            new.lines.len() + lines(HunkLineKind::Removed),
            old.lines.len() + lines(HunkLineKind::Added),
            "seed {seed}"
        );
    }
}

#[test]
fn a_patch_of_it_leads_to_the_other_side() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let before = random.lines(50, 200);
        let after = random.edited(&before, 6);
        let (before, mut after) = (before.concat(), after.concat());
        if random.one_in(3) {
            after.truncate(after.trim_end().len());
        }
        if before == after || before.is_empty() || after.is_empty() {
            continue;
        }
        let unified =
            FileDiff::of(Some(before.as_bytes()), Some(after.as_bytes())).to_unified(&path("a/b.txt"));
        let changes = parse(&unified).unwrap();
        let [FileChange::Update { path, to: None, hunks }] = changes.as_slice() else { panic!("{unified}") };
        assert_eq!(path, "a/b.txt");
        assert_eq!(apply_hunks(&before, hunks).unwrap().0, after, "{unified}");
    }
}

#[test]
fn fifty_thousand_lines_take_no_time_whatever_they_are() {
    let numbered = |from: usize, step: usize| -> Vec<String> {
        (0..50_000).map(|line| format!("let value_{} = {};\n", from + line * step, line % 7)).collect()
    };
    let plain = numbered(0, 1);
    let mut random = Random::new(3);
    let few: Vec<String> = (0..50_000).map(|_| format!("{}\n", random.below(4))).collect();
    let fewer: Vec<String> = (0..50_000).map(|_| format!("{}\n", random.below(4))).collect();
    let backwards: Vec<String> = plain.iter().rev().cloned().collect();
    let third: Vec<String> = plain
        .iter()
        .enumerate()
        .map(|(at, line)| if at % 3 == 0 { format!("x{line}") } else { line.clone() })
        .collect();
    let begun = Instant::now();
    for (name, before, after) in [
        ("a change here and there", &plain, &random.edited(&plain, 50)),
        ("everything else", &plain, &numbered(60_000, 1)),
        ("every other line", &plain, &numbered(0, 2)),
        ("every third line", &plain, &third),
        ("backwards", &plain, &backwards),
        ("four kinds of lines", &few, &fewer),
        ("all the same, and fewer", &vec!["}\n".to_owned(); 50_000], &vec!["}\n".to_owned(); 30_000]),
    ] {
        let (before, after) = (before.concat(), after.concat());
        let one = Instant::now();
        let diff = FileDiff::of(Some(before.as_bytes()), Some(after.as_bytes()));
        println!("{name}: {:?}, {} pieces", one.elapsed(), diff.hunks.len());
        let all: Vec<HunkId> = diff.ids().collect();
        let taken = accept_hunks(Some(before.as_bytes()), Some(after.as_bytes()), &all[..all.len() - 1]);
        assert!(taken.is_some(), "{name}");
    }
    // A quadratic algorithm would need minutes for each.
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
}

#[test]
fn of_very_many_lines_only_the_ends_are_told_apart() {
    let before = "0\n1\n".repeat(40_000);
    let after = format!("new\n{}", before.replacen("0\n1\n", "0\n", 3));
    let diff = checked(Some(before.as_bytes()), Some(after.as_bytes()));
    assert_eq!((diff.hunks.len(), diff.removed, diff.added), (1, 6, 4));
    let long = "x\n".repeat(600_000);
    let diff = checked(Some(long.as_bytes()), Some(format!("{long}y").as_bytes()));
    assert_eq!((diff.hunks.len(), diff.added, diff.removed), (1, 1, 0));
}

#[test]
fn a_change_is_laid_beside_another_and_never_over_it() {
    let base = "1\n2\n3\n4\n5\n6\n7\n8\n";
    for (theirs, ours, expected) in [
        ("one\n2\n3\n4\n5\n6\n7\n8\n", base, Some("one\n2\n3\n4\n5\n6\n7\n8\n")),
        (
            "one\n2\n3\n4\n5\n6\n7\n8\n",
            "1\n2\n3\n4\n5\n6\n7\neight\n",
            Some("one\n2\n3\n4\n5\n6\n7\neight\n"),
        ),
        ("2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", Some("2\n3\n4\n5\n6\n7\n8\n9\n")),
        ("1\n2\n3\n4\n4b\n5\n6\n7\n8\n", "0\n1\n2\n3\n4\n5\n6\n7\n8", Some("0\n1\n2\n3\n4\n4b\n5\n6\n7\n8")),
        // The same line, the same change, and adjacent lines.
        ("1\n2\nthree\n4\n5\n6\n7\n8\n", "1\n2\nIII\n4\n5\n6\n7\n8\n", None),
        ("1\n2\nthree\n4\n5\n6\n7\n8\n", "1\n2\nthree\n4\n5\n6\n7\n8\n", None),
        ("1\n2\nthree\n4\n5\n6\n7\n8\n", "1\n2\n3\nfour\n5\n6\n7\n8\n", None),
        ("1\n2\n3\n3b\n4\n5\n6\n7\n8\n", "1\n2\n3\n3c\n4\n5\n6\n7\n8\n", None),
        ("", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", None),
        ("1\n2\n3\n4\n5\n6\n7\n\0", "one\n2\n3\n4\n5\n6\n7\n8\n", None),
    ] {
        let laid = merge_change(base.as_bytes(), theirs.as_bytes(), ours.as_bytes());
        assert_eq!(
            laid.map(|bytes| String::from_utf8(bytes).unwrap()).as_deref(),
            expected,
            "{theirs:?} {ours:?}"
        );
    }
    let wide = |text: &str| written(text, 4);
    let laid = merge_change(&wide("1\n2\n3\n4\n"), &wide("1\n2\n3\nIV\n"), &wide("I\n2\n3\n4\n"));
    assert_eq!(laid, Some(wide("I\n2\n3\nIV\n")));
    assert_eq!(merge_change(&wide("1\n2\n"), &wide("1\nb\n"), b"1\n2\n3\n"), None);
}

#[test]
fn laying_a_change_and_laying_it_back_leads_to_where_it_began() {
    let mut clear = 0;
    for seed in 0..3_000 {
        let mut random = Random::new(seed);
        // All lines are distinct, as most lines of a program are.
        let base: Vec<String> = (0..random.below(60)).map(|line| format!("line {line}\n")).collect();
        let (theirs, ours) = (random.edited(&base, 12).concat(), random.edited(&base, 12).concat());
        let base = base.concat();
        let [base, theirs, ours] = [&base, &theirs, &ours].map(String::as_bytes);
        let Some(both) = merge_change(base, theirs, ours) else { continue };
        assert_eq!(
            merge_change(base, ours, theirs),
            Some(both.clone()).filter(|_| theirs != base || both == ours)
        );
        if theirs != base && ours != base {
            clear += 1;
            assert_eq!(merge_change(theirs, base, &both).as_deref(), Some(ours), "seed {seed}");
            assert_eq!(merge_change(ours, base, &both).as_deref(), Some(theirs), "seed {seed}");
        }
    }
    assert!(clear > 200, "{clear}");
}
