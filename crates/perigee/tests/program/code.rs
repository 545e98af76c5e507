//! `perigee code`: the filters that other programs use for editing.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::perigee_command;

use crate::support::BIN;

fn code(home: &Path, arguments: &[&str], input: &str) -> (Option<i32>, Value) {
    let mut child = perigee_command(Path::new(BIN), home, [&["code"][..], arguments].concat())
        .into_std()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    (done.status.code(), serde_json::from_slice(&done.stdout).unwrap_or(Value::Null))
}

#[test]
fn an_edit_lands_in_the_one_place_or_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let edit = |content: &str, old: &str, new: &str| {
        let asked = json!({"file": "a.py", "content": content, "edits": [{"old": old, "new": new}]});
        code(folder.path(), &["--apply-edit"], &asked.to_string())
    };
    let (status, answer) = edit("def f():\r\n    return 1\r\n", "return 1", "return 2");
    assert_eq!((status, &answer["ok"]), (Some(0), &json!(true)));
    assert_eq!(answer["content"], "def f():\r\n    return 2\r\n");
    assert_eq!(answer["receipts"][0]["strategy"], "exact");
    let (status, answer) = edit("\u{202e}x = 1\u{7}\nx = 1\n", "x = 1", "x = 2");
    assert_eq!((status, &answer["ok"]), (Some(1), &json!(false)));
    assert!(answer["error"].as_str().unwrap().contains("2 places (lines 1, 2)"), "{answer}");
    let (_, answer) = edit("\u{202e}x = 1\u{7}\n", "x = 1", "x = 2");
    assert_eq!(answer["content"], "\u{202e}x = 2\u{7}\n", "no sign is lost on the way");
    let (_, answer) = edit("alpha = 1\nbeta = 2\n", "beta = 3", "beta = 4");
    assert_eq!(answer["closest"]["first_line"], 2);
    assert_eq!(code(folder.path(), &["--apply-edit"], "nonsense").0, Some(1));
    assert_eq!(code(folder.path(), &[], "").0, Some(1), "nothing is asked for");
}

#[test]
fn a_patch_lands_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("work");
    fs::create_dir(&work).unwrap();
    fs::write(work.join("a.txt"), "one\ntwo\n").unwrap();
    fs::write(work.join("b.txt"), "x\n").unwrap();
    let at = work.to_str().unwrap();
    let patch = |text: &str| code(&folder.path().join("home"), &["--apply-patch", at], text);
    let (status, answer) = patch(
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-y\n+z\n",
    );
    assert_eq!((status, &answer["ok"]), (Some(1), &json!(false)));
    assert!(answer["error"].as_str().unwrap().starts_with("b.txt, hunk 1"), "{answer}");
    assert_eq!(fs::read_to_string(work.join("a.txt")).unwrap(), "one\ntwo\n");
    let (status, answer) = patch("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n");
    assert_eq!((status, &answer["ok"]), (Some(0), &json!(true)), "{answer}");
    assert_eq!(fs::read_to_string(work.join("a.txt")).unwrap(), "one\nTWO\n");
}
