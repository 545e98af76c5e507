use super::*;
use crate::refusal::RefusalReason;

fn applied(content: &str, patch: &str) -> Result<String, String> {
    let changes = parse(patch).map_err(|error| error.to_string())?;
    let [FileChange::Update { hunks, .. }] = changes.as_slice() else { return Err(format!("{changes:?}")) };
    apply_hunks(content, hunks).map(|(text, _)| text).map_err(|(_, refusal)| refusal.to_string())
}

#[test]
fn a_unified_diff_lands() {
    let file = "one\ntwo\nthree\nfour\nfive\n";
    for (patch, expected) in [
        ("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n", "one\nTWO\nthree\nfour\nfive\n"),
        // Wrong or missing line numbers.
        ("--- a/x\n+++ b/x\n@@ -9,1 +9,7 @@\n one\n-two\n+TWO\n three\n", "one\nTWO\nthree\nfour\nfive\n"),
        ("--- x\n+++ x\n@@ ... @@\n-two\n+TWO\n", "one\nTWO\nthree\nfour\nfive\n"),
        // Two hunks, the first of which moves the second.
        (
            "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n one\n+half\n@@ -5 +6 @@\n-five\n+FIVE\n",
            "one\nhalf\ntwo\nthree\nfour\nFIVE\n",
        ),
        // Only added lines, and only removed lines.
        ("--- a/x\n+++ b/x\n@@ -2,0 +3,1 @@\n+half\n", "one\ntwo\nhalf\nthree\nfour\nfive\n"),
        ("--- a/x\n+++ b/x\n@@ -4,2 +3,0 @@\n-four\n-five\n", "one\ntwo\nthree\n"),
        // A line that looks like a file header but is not one.
        ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+++ two\n", "one\n++ two\nthree\nfour\nfive\n"),
    ] {
        assert_eq!(applied(file, patch).as_deref(), Ok(expected), "{patch}");
    }
}

#[test]
fn a_hunk_that_lands_in_lines_written_otherwise_moves_the_next_as_well() {
    let file = "say(“a”)\nb\nc\nd\ne\n";
    for (patch, expected) in [
        (
            "@@ -1,2 +1,3 @@\n-say(\"a\")\n+say(\"z\")\n+x\n b\n@@ -4,0 +6,1 @@\n+new\n",
            "say(“z”)\nx\nb\nc\nd\nnew\ne\n",
        ),
        ("@@ -1,3 +1,1 @@\n-say(\"a\")\n-b\n c\n@@ -4,0 +3,1 @@\n+new\n", "c\nd\nnew\ne\n"),
        // The line numbers of both hunks are two too high.
        (
            "@@ -3,2 +3,2 @@\n-say(\"a\")\n+say(\"z\")\n b\n@@ -6,0 +7,1 @@\n+new\n",
            "say(“z”)\nb\nc\nd\nnew\ne\n",
        ),
    ] {
        let patch = format!("--- a/x\n+++ b/x\n{patch}");
        assert_eq!(applied(file, &patch).as_deref(), Ok(expected), "{patch}");
    }
}

#[test]
fn the_end_of_a_file_is_as_the_patch_says() {
    let open = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n";
    assert_eq!(applied("a\nb", open).as_deref(), Ok("a\nc\n"));
    let shut = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n";
    assert_eq!(applied("a\nb\n", shut).as_deref(), Ok("a\nc"));
    let only = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n";
    assert_eq!(applied("a\nb\n", only).as_deref(), Ok("a\nb"));
    let kept = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(applied("a", kept).as_deref(), Ok("b"));
    assert_eq!(applied("a\r\nx\r\n", kept).as_deref(), Ok("b\r\nx\r\n"));
}

#[test]
fn of_several_places_the_named_one_is_taken_or_none() {
    let file = "fn a() {\n    go();\n}\nfn b() {\n    go();\n}\n";
    let at = |line: usize| format!("--- a/x\n+++ b/x\n@@ -{line},1 +{line},1 @@\n-    go();\n+    stay();\n");
    assert_eq!(applied(file, &at(5)).as_deref(), Ok("fn a() {\n    go();\n}\nfn b() {\n    stay();\n}\n"));
    assert_eq!(applied(file, &at(2)).as_deref(), Ok("fn a() {\n    stay();\n}\nfn b() {\n    go();\n}\n"));
    assert!(applied(file, &at(3)).unwrap_err().contains("2 places (lines 2, 5)"));
    let below = "*** Begin Patch\n*** Update File: x\n@@ fn b() {\n-    go();\n+    stay();\n*** End Patch";
    assert_eq!(applied(file, below).as_deref(), Ok("fn a() {\n    go();\n}\nfn b() {\n    stay();\n}\n"));
    let bare = "*** Begin Patch\n*** Update File: x\n-    go();\n+    stay();\n*** End Patch";
    assert!(applied(file, bare).unwrap_err().contains("2 places"));
}

#[test]
fn files_come_go_and_move() {
    let git = "diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n\
               diff --git a/old.txt b/old.txt\ndeleted file mode 100644\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
               diff --git a/from.txt b/to.txt\nsimilarity index 100%\nrename from from.txt\nrename to to.txt\n";
    let expected = |hunks| {
        [
            FileChange::Add { path: "new.txt".into(), content: "a\nb\n".into() },
            FileChange::Delete { path: "old.txt".into(), hunks },
            FileChange::Update { path: "from.txt".into(), to: Some("to.txt".into()), hunks: vec![] },
        ]
    };
    let x = PatchHunk {
        line: Some(1),
        old: vec!["x".into()],
        signs: vec![HunkLineRole::Removed],
        ..PatchHunk::default()
    };
    assert_eq!(parse(git).unwrap(), expected(vec![x]));
    let begin = "*** Begin Patch\n*** Add File: new.txt\n+a\n+b\n*** Delete File: old.txt\n*** Update File: from.txt\n\
                 *** Move to: to.txt\n*** End Patch\n";
    assert_eq!(parse(begin).unwrap(), expected(vec![]));
    let quoted = "--- \"a/gr\\303\\274n.txt\"\n+++ \"b/gr\\303\\274n.txt\"\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(parse(quoted).unwrap()[0].path(), "grün.txt");
}

#[test]
fn what_is_no_patch_is_named() {
    for (patch, word) in [
        ("hello", "not a valid patch"),
        ("", "not a valid patch"),
        ("*** Begin Patch\n*** Update File: x\n-a\n+b\n", "cut off"),
        ("*** Begin Patch\n*** Update File: x\n*** End Patch", "nothing"),
        ("*** Begin Patch\nfoo\n*** End Patch", "begins no file"),
        ("*** Begin Patch\n*** Add File: x\na\n*** End Patch", "begins with `+`"),
        ("@@ -1 +1 @@\n-a\n+b\n", "before the name"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n a\n", "changes nothing"),
        ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n?b\n", "begins with a blank"),
        ("diff --git a/x b/x\nGIT binary patch\n", "pictures"),
    ] {
        let error = parse(patch).unwrap_err().to_string();
        assert!(error.contains(word), "{patch:?}: {error}");
    }
}

#[test]
fn lines_that_are_not_there_land_nowhere() {
    let patch = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n alpha\n-beta\n+gamma\n";
    assert!(applied("one\ntwo\n", patch).unwrap_err().contains("not in the file"));
    assert!(applied("", patch).is_err());
    // Different whitespace and deeper indentation.
    assert_eq!(applied("    alpha \n    beta\n", patch).as_deref(), Ok("    alpha \n    gamma\n"));
}

#[test]
fn the_line_that_is_marked_goes_and_no_other() {
    let hunk = |lines: &str| format!("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n{lines}");
    for (file, lines, expected) in [
        ("same\r\nsame\n", "-same\n same\n", "same\n"),
        ("same\r\nsame\n", " same\n-same\n", "same\r\n"),
        ("same\nsame\r\nsame\n", " same\n-same\n same\n", "same\nsame\n"),
        ("same  \nsame\n", "-same\n same\n", "same\n"),
        ("same  \nsame\n", " same\n-same\n", "same  \n"),
        ("  same\n    same\n", "-same\n same\n", "    same\n"),
        ("same\r\nsame\n", "-same\n+other\n same\n", "other\r\nsame\n"),
        ("same\r\nsame\n", " same\n-same\n+other\n", "same\r\nother\n"),
        ("same\r\nsame\n", " same\n+same\n same\n", "same\r\nsame\r\nsame\n"),
        ("a\nb\nc\n", " a\n+x\n-b\n c\n", "a\nx\nc\n"),
        ("a\nb\nc\n", "-a\n+x\n-b\n+y\n c\n", "x\ny\nc\n"),
        ("say( one );\nsay( two );\n", " say(one);\n-say(two);\n+say(six);\n", "say( one );\nsay( six );\n"),
    ] {
        assert_eq!(applied(file, &hunk(lines)).as_deref(), Ok(expected), "{file:?}: {lines:?}");
        let begin = format!("*** Begin Patch\n*** Update File: x\n@@\n{lines}*** End Patch\n");
        assert_eq!(applied(file, &begin).as_deref(), Ok(expected), "{file:?}: {begin:?}");
    }
}

#[test]
fn an_empty_line_of_a_hunk_is_an_empty_line_of_the_file() {
    let hunk = |lines: &str| format!("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n{lines}");
    for (file, lines) in [
        ("alpha();\nstrange();\nbeta();\ngamma();\n", " alpha();\n \n-beta();\n gamma();\n"),
        ("alpha();\nstrange();\nbeta();\ngamma();\n", " alpha();\n\n-beta();\n+delta();\n gamma();\n"),
        ("alpha();\nbeta();\ngamma();\n", " alpha();\n \n-beta();\n gamma();\n"),
        ("alpha( );\nbeta();\ngamma();\n", " alpha();\n \n-beta();\n+delta();\n gamma();\n"),
        ("alpha();\nbeta();\ngamma();\ndelta();\n", " alpha();\n beta();\n other();\n-delta();\n+x\n"),
    ] {
        let refused = applied(file, &hunk(lines)).unwrap_err();
        assert!(refused.contains("not in the file"), "{file:?}: {lines:?}: {refused}");
    }
    for (file, lines, expected) in [
        ("alpha();\n\nbeta();\n", " alpha();\n \n-beta();\n+delta();\n", "alpha();\n\ndelta();\n"),
        ("alpha();\n  \nbeta();\n", " alpha();\n\n-beta();\n+delta();\n", "alpha();\n  \ndelta();\n"),
        ("alpha( );\n\nbeta();\n", " alpha();\n\n-beta();\n+delta();\n", "alpha( );\n\ndelta();\n"),
    ] {
        assert_eq!(applied(file, &hunk(lines)).as_deref(), Ok(expected), "{file:?}: {lines:?}");
    }
}

#[test]
fn blanks_around_what_frames_a_patch_say_nothing() {
    let file = "one\ntwo\n";
    for patch in [
        "*** Begin Patch\n*** Update File: x\n@@\n one\n-two\n+TWO\n*** End Patch\n",
        "  *** Begin Patch\n*** Update File: x\n@@\n one\n-two\n+TWO\n*** End Patch\n",
        "*** Begin Patch  \n  *** Update File: x  \n@@\n one\n-two\n+TWO\n*** End Patch  \n",
        "*** Begin Patch\n*** Update File: x\n@@\n one\n-two\n+TWO\n \t*** End Patch\n",
        "\n ```\n *** Begin Patch\n *** Update File: x\n@@\n one\n-two\n+TWO\n *** End Patch\n```\n",
        "  *** Begin Patch\n  *** Update File: x\n  @@\n   one\n  -two\n  +TWO\n  *** End Patch\n",
        "*** Begin Patch\n\n*** Update File: x\n one\n-two\n+TWO\n*** End of File\n\n*** End Patch\n",
        "*** Begin Patch\n*** Update File: x\n one\n-two\n+TWO\n*** End of File\n \n\n*** End Patch\n",
        "*** Begin Patch\n*** Update File: x\n one\n-two\n+TWO\n\n*** End Patch\n",
        "  --- a/x\n  +++ b/x\n  @@ -1,2 +1,2 @@\n   one\n  -two\n  +TWO\n",
    ] {
        assert_eq!(applied(file, patch).as_deref(), Ok("one\nTWO\n"), "{patch}");
    }
    let two = "*** Begin Patch\n*** Update File: x\n@@\n-two\n+TWO\n\n *** Update File: y\n@@\n-a\n+b\n*** End Patch\n";
    let paths: Vec<String> = parse(two).unwrap().iter().map(|change| change.path().to_owned()).collect();
    assert_eq!(paths, ["x", "y"]);
    // The file contains a line that looks like a heading.
    let told = "how\n*** Update File: y\n@@\n-a\n";
    let patch =
        "*** Begin Patch\n*** Update File: x\n@@\n how\n *** Update File: y\n @@\n--a\n+-b\n*** End Patch\n";
    assert_eq!(applied(told, patch).as_deref(), Ok("how\n*** Update File: y\n@@\n-b\n"));
    let added = "*** Begin Patch\n *** Add File: new.txt\n+a\n\n *** Delete File: old.txt\n *** End Patch\n";
    assert_eq!(
        parse(added).unwrap(),
        [
            FileChange::Add { path: "new.txt".into(), content: "a\n".into() },
            FileChange::Delete { path: "old.txt".into(), hunks: vec![] }
        ]
    );
}

/// Applies a patch to the given files and returns the resulting files.
fn landed(files: &[(&str, &str)], patch: &str) -> Result<Vec<(String, String)>, String> {
    let read =
        |wanted: &str| files.iter().find(|(name, _)| *name == wanted).map(|(_, text)| (*text).to_owned());
    let mut left = Vec::new();
    for change in parse_for(patch, &read).map_err(|error| error.to_string())? {
        let name = change.path().to_owned();
        let text = match change {
            FileChange::Add { content, .. } => content,
            FileChange::Delete { .. } => "gone".to_owned(),
            FileChange::Update { hunks, to, .. } => {
                let (text, _) = apply_hunks(&read(&name).unwrap_or_default(), &hunks)
                    .map_err(|(_, refusal)| refusal.to_string())?;
                to.map_or(text.clone(), |to| format!("{to}: {text}"))
            }
        };
        left.push((name, text));
    }
    Ok(left)
}

#[test]
fn a_heading_with_blanks_before_it_is_one_unless_the_file_has_such_a_line() {
    let x = ("x", "one\ntwo\n");
    let y = ("y", "a\nb\n");
    let head = "*** Begin Patch\n*** Update File: x\n@@\n one\n-two\n+TWO\n";
    for (rest, path, expected) in [
        (" *** Add File: z\n+new\n", "z", "new\n"),
        ("\n   *** Add File: z\n+new\n \n", "z", "new\n"),
        ("\t*** Delete File: y\n", "y", "gone"),
        (" *** Delete File: y\n", "y", "gone"),
        (" *** Update File: y\n-a\n+A\n", "y", "A\nb\n"),
        (" *** Update File: y\n a\n-b\n+B\n", "y", "a\nB\n"),
        (" *** Update File: y\n *** Move to: z\n @@ a\n-b\n+B\n *** End of File\n", "y", "z: a\nB\n"),
    ] {
        let expected =
            vec![("x".to_owned(), "one\nTWO\n".to_owned()), (path.to_owned(), expected.to_owned())];
        for patch in [head.to_owned(), head.replace("***", " ***")] {
            let patch = format!("{patch}{rest}*** End Patch\n");
            assert_eq!(landed(&[x, y], &patch), Ok(expected.clone()), "{patch}");
        }
    }
    let added = "*** Begin Patch\n*** Add File: n\n+n\n *** Delete File: y\n*** End Patch\n";
    assert_eq!(landed(&[y], added), Ok(vec![("n".into(), "n\n".into()), ("y".into(), "gone".into())]));
}

#[test]
fn a_line_of_the_file_is_no_heading_however_the_patch_is_padded() {
    let y = ("y", "old\n");
    for line in [
        "*** Update File: y",
        "*** Add File: y",
        "*** Delete File: y",
        "*** Move to: y",
        "*** End of File",
        "@@ here @@",
    ] {
        let file = format!("how\n{line}\nold\n");
        for head in ["*** Begin Patch\n*** Update File: x\n", " *** Begin Patch\n *** Update File: x\n"] {
            let patch = format!("{head}@@\n {line}\n-old\n+new\n*** End Patch\n");
            let expected = vec![("x".to_owned(), format!("how\n{line}\nnew\n"))];
            assert_eq!(landed(&[("x", &file), y], &patch), Ok(expected), "{patch}");
            // As the first line, and after changed lines.
            let patch = format!("{head} {line}\n-old\n+new\n*** End Patch\n");
            assert!(landed(&[("x", &file), y], &patch).is_ok_and(|left| left.len() == 1), "{patch}");
            let patch = format!("{head}@@\n-how\n+HOW\n {line}\n-old\n+new\n*** End Patch\n");
            let expected = vec![("x".to_owned(), format!("HOW\n{line}\nnew\n"))];
            assert_eq!(landed(&[("x", &file), y], &patch), Ok(expected), "{patch}");
        }
        // The line is not at the position that the hunk gives: the patch is ambiguous and refused.
        let apart = format!("how\nold\nmore\n{line}\n");
        let patch = format!(
            "*** Begin Patch\n*** Update File: x\n@@\n-how\n+HOW\n {line}\n-old\n+new\n*** End Patch\n"
        );
        assert!(landed(&[("x", &apart), y], &patch).is_err(), "{patch}");
    }
    // A slightly misquoted heading does not select another file either.
    let told = "how\n*** Update File: yy\nold\n";
    let patch = "*** Begin Patch\n*** Update File: x\n@@\n-how\n+HOW\n *** Update File: y\n-old\n+new\n*** End Patch\n";
    assert!(landed(&[("x", told), y], patch).is_err_and(|why| why.contains("not in the file")));
    let file = ("x", "one\n*** End Patch\ntwo\n");
    let cut = "*** Begin Patch\n*** Update File: x\n@@\n-one\n+ONE\n *** End Patch\n";
    assert!(landed(&[file], cut).unwrap_err().contains("could be a line of x"));
    let whole = format!("{cut}*** End Patch\n");
    assert_eq!(landed(&[file], &whole), Ok(vec![("x".into(), "ONE\n*** End Patch\ntwo\n".into())]));
}

#[test]
fn a_diff_of_a_text_about_patches_is_a_diff() {
    let told = "So:\n*** Begin Patch\n*** Update File: y\n*** End Patch\nold\n";
    for head in ["--- a/x\n+++ b/x\n", "diff --git a/x b/x\n--- a/x\n+++ b/x\n"] {
        let lines = " So:\n *** Begin Patch\n *** Update File: y\n *** End Patch\n-old\n+new\n";
        let expected = told.replace("old", "new");
        assert_eq!(applied(told, &format!("{head}@@ -1,5 +1,5 @@\n{lines}")), Ok(expected));
    }
}

#[test]
fn an_empty_line_without_its_sign_is_the_files_where_it_can_be() {
    let patch = |lines: &str| format!("*** Begin Patch\n*** Update File: x\n@@\n{lines}*** End Patch\n");
    for (file, lines, expected) in [
        ("one\n\ntwo\none\nthree\n", "-one\n+1\n\n", "1\n\ntwo\none\nthree\n"),
        ("one\ntwo\n", "-one\n+1\n\n\n", "1\ntwo\n"),
        ("one\n\ntwo\n", "+three\n\n", "one\n\ntwo\nthree\n"),
    ] {
        assert_eq!(applied(file, &patch(lines)).as_deref(), Ok(expected), "{file:?}: {lines:?}");
    }
    // Lines that the hunk counts belong to the file.
    let counted = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n\n";
    assert!(applied("one\ntwo\nthree\n", counted).is_err());
    assert_eq!(applied("one\ntwo\n\nthree\n", counted).as_deref(), Ok("one\nTWO\n\nthree\n"));
}

#[test]
fn a_file_is_deleted_where_it_is_the_one_that_the_patch_takes_away() {
    let deletes = |file: &str, body: &str| {
        let patch = format!("--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n{body}");
        let changes = parse(&patch).unwrap();
        let [FileChange::Delete { hunks, .. }] = changes.as_slice() else { panic!("no deletion") };
        apply_deletion(file, hunks).map_err(|(_, refusal)| refusal.why)
    };
    for file in ["one\ntwo\n", "one\r\ntwo\r\n", "one\ntwo", "one  \ntwo\n", "one\ntwo\n\n"] {
        assert_eq!(deletes(file, "-one\n-two\n"), Ok(()), "{file:?}");
    }
    for (file, body, why) in [
        ("one\nother\n", "-one\n-two\n", RefusalReason::NotFound),
        ("", "-one\n-two\n", RefusalReason::NotFound),
        ("one\ntwo\nthree\n", "-one\n-two\n", RefusalReason::Remains),
        ("zero\none\ntwo\n", "-one\n-two\n", RefusalReason::Remains),
        ("one\ntwo\n", "-one\n two\n", RefusalReason::Remains),
    ] {
        assert_eq!(deletes(file, body), Err(why), "{file:?} {body:?}");
    }
}
