use std::fs;

use super::*;

fn fixture(files: &[(&str, &str)]) -> (tempfile::TempDir, EditSession) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let workspace = Workspace::open(folder.path(), &[]).unwrap();
    (folder, EditSession::new(workspace, EditAccess::Change))
}

fn edit(old: &str, new: &str) -> Edit {
    Edit { old: old.into(), new: new.into(), replace_all: false }
}

fn text(session: &EditSession, path: &str) -> Option<String> {
    let bytes = session.overlay().read(&WorkspacePath::parse(path).unwrap()).unwrap()?;
    Some(String::from_utf8(bytes).unwrap())
}

#[test]
fn changes_lie_over_the_files_and_the_disk_stays() {
    let (folder, session) = fixture(&[("a.txt", "one\ntwo\n"), ("b.txt", "b\r\n"), ("c.txt", "c")]);
    session.edit("a.txt", &[edit("one", "1"), edit("two", "2")]).unwrap();
    assert!(!session.write("b.txt", "x\ny\n").unwrap().1);
    assert!(session.write("new/d.txt", "d\n").unwrap().1);
    session.rename("c.txt", "moved/c.txt").unwrap();
    session.delete("moved/c.txt").unwrap();
    assert_eq!(text(&session, "a.txt").unwrap(), "1\n2\n");
    assert_eq!(text(&session, "b.txt").unwrap(), "x\r\ny\r\n", "it keeps its line endings");
    assert_eq!(text(&session, "new/d.txt").unwrap(), "d\n");
    assert!(text(&session, "c.txt").is_none() && text(&session, "moved/c.txt").is_none());
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one\ntwo\n");
    assert!(folder.path().join("c.txt").exists() && !folder.path().join("new").exists());
    assert_eq!(session.overlay().changes().len(), 4);
}

#[test]
fn a_refusal_leaves_everything_and_the_second_says_what_else_to_do() {
    let (_folder, session) = fixture(&[("a.py", "def one():\n    return 1\n\ndef two():\n    return 2\n")]);
    let wrong = [edit("def one():", "def uno():"), edit("return three", "return 3")];
    let first = session.edit("a.py", &wrong).unwrap_err().to_string();
    assert!(first.contains("a.py (edit 2)") && first.contains("is not in the file"), "{first}");
    assert!(first.contains("unchanged") && !first.contains("failed twice"), "{first}");
    assert!(session.overlay().changes().is_empty());
    let second = session.edit("a.py", &[edit("return", "give")]).unwrap_err().to_string();
    assert!(second.contains("write_file") && second.contains("failed twice"), "{second}");
    session.edit("a.py", &[edit("return 1", "return 10")]).unwrap();
    let third = session.edit("a.py", &[edit("return 3", "x")]).unwrap_err().to_string();
    assert!(!third.contains("failed twice"), "one that went well begins anew: {third}");
    assert_eq!(session.format_tries()[&EditFormat::Quote], FormatTries { made: 4, refused: 3 });
}

#[test]
fn nothing_out_of_play_or_out_of_the_workspace_is_touched() {
    let (_folder, session) = fixture(&[("src/a.txt", "a"), ("b.txt", "b")]);
    let workspace = session.workspace().clone().including(&["src".into()]).unwrap();
    let session = EditSession::new(workspace, EditAccess::Change);
    for path in ["../x", "/etc/passwd", "b.txt", ".git/config", "src/../b.txt", ""] {
        assert!(session.write(path, "x").is_err(), "{path}");
        assert!(session.edit(path, &[edit("b", "x")]).is_err(), "{path}");
        assert!(session.delete(path).is_err(), "{path}");
    }
    assert!(session.rename("src/a.txt", "b2.txt").is_err());
    let patch = "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1 +1 @@\n-a\n+A\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+B\n";
    let refused = session.apply_patch(patch).unwrap_err().to_string();
    assert!(refused.contains("b.txt is not among"), "{refused}");
    assert!(session.overlay().changes().is_empty(), "a patch is laid as a whole");
}

#[test]
fn a_patch_tells_nothing_of_a_file_that_is_ignored() {
    let (_folder, session) = fixture(&[(".gitignore", ".env\n"), (".env", "KEY=tulip\nMODE=live\n")]);
    for patch in [
        "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-KEY=tulips\n+KEY=x\n",
        "*** Begin Patch\n*** Update File: .env\n@@\n-KEY=tulips\n+KEY=x\n*** End Patch",
        "*** Begin Patch\n*** Delete File: .env\n*** End Patch",
    ] {
        let refused = session.apply_patch(patch).unwrap_err().to_string();
        assert!(refused.contains("neither read nor changed") && !refused.contains("live"), "{refused}");
    }
    assert!(session.format_tries().is_empty());
}

#[test]
fn what_is_as_it_was_is_no_change() {
    let (_folder, session) = fixture(&[("a.txt", "a\n")]);
    assert!(matches!(session.write("a.txt", "a\n"), Err(EditSessionError::NoChange { .. })));
    session.edit("a.txt", &[edit("a", "b")]).unwrap();
    session.edit("a.txt", &[edit("b", "a")]).unwrap();
    assert!(session.overlay().changes().is_empty());
    assert!(session.create("a.txt", "x").is_err() && session.delete("none").is_err());
}
