use std::fs;

use super::*;
use crate::patching::apply_patch;

struct Fixture {
    folder: tempfile::TempDir,
    overlay: Overlay,
    journal: WriteJournal,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        for (path, text) in files {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), text).unwrap();
        }
        let overlay = Overlay::new(Arc::new(RootDir::open(root).unwrap()));
        let journal = WriteJournal::new(folder.path().join("journal"));
        Self { folder, overlay, journal }
    }

    fn read_from_disk(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.folder.path().join("root").join(path)).ok()
    }

    fn journals(&self) -> usize {
        let entries = fs::read_dir(self.folder.path().join("journal")).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().is_dir()).count()
    }
}

fn path(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).unwrap()
}

#[test]
fn nothing_reaches_the_disk_before_it_lands() {
    let mut fixture = Fixture::new(&[("a.txt", "a\n"), ("old/b.txt", "b\n"), ("c.txt", "c\n")]);
    fixture.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
    fixture.overlay.rename(&path("old/b.txt"), &path("new/b.txt")).unwrap();
    fixture.overlay.delete(&path("c.txt")).unwrap();
    fixture.overlay.create(&path("d.txt"), b"d\n".to_vec()).unwrap();
    assert_eq!(fixture.read_from_disk("a.txt").as_deref(), Some("a\n"));
    assert_eq!(fixture.overlay.read(&path("a.txt")).unwrap().as_deref(), Some(&b"A\n"[..]));
    assert!(fixture.overlay.read(&path("c.txt")).unwrap().is_none());
    assert!(matches!(fixture.overlay.create(&path("a.txt"), Vec::new()), Err(OverlayError::Taken(_))));
    assert!(matches!(fixture.overlay.delete(&path("c.txt")), Err(OverlayError::Missing(_))));
    fixture.overlay.write_to_disk(&fixture.journal).unwrap();
    let found =
        ["a.txt", "new/b.txt", "old/b.txt", "c.txt", "d.txt"].map(|path| fixture.read_from_disk(path));
    assert_eq!(found, [Some("A\n".into()), Some("b\n".into()), None, None, Some("d\n".into())]);
    assert_eq!(fixture.journals(), 0);
}

#[test]
fn what_is_again_as_it_was_is_no_change() {
    let mut fixture = Fixture::new(&[("a.txt", "a\n")]);
    fixture.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
    fixture.overlay.write(&path("a.txt"), b"a\n".to_vec()).unwrap();
    fixture.overlay.create(&path("b.txt"), b"b\n".to_vec()).unwrap();
    fixture.overlay.delete(&path("b.txt")).unwrap();
    assert!(fixture.overlay.changes().is_empty());
}

#[test]
fn what_somebody_else_changed_meanwhile_keeps_all_of_it_back() {
    let mut fixture = Fixture::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    for name in ["a.txt", "b.txt", "c.txt"] {
        fixture.overlay.write(&path(name), b"new\n".to_vec()).unwrap();
    }
    let root = fixture.folder.path().join("root");
    fs::write(root.join("b.txt"), "theirs\n").unwrap();
    fs::write(root.join("c.txt"), "theirs too\n").unwrap();
    let refused = fixture.overlay.write_to_disk(&fixture.journal).unwrap_err().to_string();
    assert!(refused.contains("b.txt, c.txt changed since"), "{refused}");
    assert_eq!(fixture.read_from_disk("a.txt").as_deref(), Some("a\n"));
}

#[test]
fn what_fails_in_the_midst_is_put_back() {
    let mut fixture = Fixture::new(&[("a.txt", "a\n"), ("z", "a file, where a folder is needed\n")]);
    fixture.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
    fixture.overlay.write(&path("b.txt"), b"B\n".to_vec()).unwrap();
    let change = PendingChange { after: Some(b"x".to_vec()), ..PendingChange::default() };
    fixture.overlay.changes.insert(path("z/inner.txt"), change);
    assert!(fixture.overlay.write_to_disk(&fixture.journal).is_err());
    assert_eq!(
        (fixture.read_from_disk("a.txt").as_deref(), fixture.read_from_disk("b.txt")),
        (Some("a\n"), None)
    );
    assert_eq!(fixture.journals(), 0);
}

#[test]
fn a_program_that_ended_in_the_midst_puts_all_back() {
    let mut fixture = Fixture::new(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n")]);
    fixture.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
    fixture.overlay.delete(&path("b.txt")).unwrap();
    fixture.overlay.write(&path("c.txt"), b"C\n".to_vec()).unwrap();
    fixture.overlay.create(&path("d.txt"), b"D\n".to_vec()).unwrap();
    let root = fixture.folder.path().join("root");
    // State at the crash: two files are written, and the third was changed by the user.
    let entry = fixture.journal.begin(&fixture.overlay.root, &fixture.overlay.changes, None).unwrap();
    fs::write(root.join("a.txt"), "A\n").unwrap();
    fs::remove_file(root.join("b.txt")).unwrap();
    fs::write(root.join("c.txt"), "mine\n").unwrap();
    assert!(fixture.journal.recover().is_empty(), "as long as somebody is at it");
    drop(entry);
    // And an entry without a list.
    fs::create_dir(fixture.folder.path().join("journal/half")).unwrap();
    let recovered = fixture.journal.recover();
    assert_eq!(recovered.len(), 1);
    assert_eq!(recovered[0].left, [path("c.txt")]);
    let found = ["a.txt", "b.txt", "c.txt", "d.txt"].map(|path| fixture.read_from_disk(path));
    assert_eq!(found, [Some("a\n".into()), Some("b\n".into()), Some("mine\n".into()), None]);
    assert_eq!(fixture.journals(), 0);
    assert!(fixture.journal.recover().is_empty());
}

#[test]
fn a_patch_is_taken_as_a_whole_or_not_at_all() {
    let mut fixture = Fixture::new(&[("a.txt", "one\r\ntwo\r\n"), ("b.txt", "x\n")]);
    let good = "*** Begin Patch\n*** Update File: a.txt\n one\n-two\n+TWO\n*** Delete File: b.txt\n*** Add File: c/d.txt\n+new\n*** End Patch\n";
    let done = apply_patch(&mut fixture.overlay, good, |_| Ok(())).unwrap();
    assert_eq!(done.len(), 3);
    fixture.overlay.write_to_disk(&fixture.journal).unwrap();
    let found = ["a.txt", "b.txt", "c/d.txt"].map(|path| fixture.read_from_disk(path));
    assert_eq!(found, [Some("one\r\nTWO\r\n".into()), None, Some("new\n".into())]);
    for (bad, word) in [
        ("*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch", "is there already"),
        ("--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-nine\n", "a.txt, hunk 1: the old text is not"),
        ("--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n", "is not deleted"),
        ("*** Begin Patch\n*** Update File: nowhere.txt\n-x\n+y\n*** End Patch", "there is no file"),
        ("*** Begin Patch\n*** Update File: ../out.txt\n-x\n+y\n*** End Patch", "leads out"),
        ("*** Begin Patch\n*** Add File: .git/hooks/pre-commit\n+x\n*** End Patch", "belongs to git"),
        (
            "*** Begin Patch\n*** Update File: a.txt\n-nine\n+ten\n*** End Patch",
            "a.txt, hunk 1: the old text is not",
        ),
    ] {
        let error = apply_patch(&mut Overlay::new(Arc::clone(&fixture.overlay.root)), bad, |_| Ok(()))
            .unwrap_err()
            .to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn what_cannot_be_put_back_stays_noted() {
    let mut fixture = Fixture::new(&[("a.txt", "a\n")]);
    fixture.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
    let entry = fixture.journal.begin(&fixture.overlay.root, &fixture.overlay.changes, None).unwrap();
    let file = fixture.folder.path().join("root/a.txt");
    fs::write(&file, "A\n").unwrap();
    // The disk of the journal is temporarily unavailable.
    let kept = fs::read_dir(fixture.folder.path().join("journal")).unwrap().next().unwrap().unwrap().path();
    fs::rename(kept.join("bytes"), kept.join("away")).unwrap();
    assert_eq!(entry.roll_back(&fixture.overlay.root), [path("a.txt")]);
    assert_eq!((fixture.journals(), fixture.read_from_disk("a.txt").as_deref()), (1, Some("A\n")));
    fs::rename(kept.join("away"), kept.join("bytes")).unwrap();
    assert!(fixture.journal.recover()[0].left.is_empty());
    assert_eq!((fixture.journals(), fixture.read_from_disk("a.txt").as_deref()), (0, Some("a\n")));
}

#[test]
fn modes_and_folders_are_put_back_too() {
    use std::os::unix::fs::PermissionsExt as _;

    let mut fixture = Fixture::new(&[("run", "#!\n"), ("gone", "x\n")]);
    let root = fixture.folder.path().join("root");
    let mode = |name: &str| fs::metadata(root.join(name)).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(root.join("run"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(root.join("gone"), fs::Permissions::from_mode(0o600)).unwrap();
    fixture.overlay.set_executable(&path("run"), true).unwrap();
    fixture.overlay.delete(&path("gone")).unwrap();
    fixture.overlay.create(&path("new/er/b.txt"), b"b".to_vec()).unwrap();
    let batch = WriteBatch {
        root: &fixture.overlay.root,
        changes: &fixture.overlay.changes,
        emptied: &[],
        mark: None,
    };
    let written = batch.write(&fixture.journal).unwrap();
    assert_eq!(written.folders(), ["new", "new/er"]);
    assert_eq!((mode("run"), root.join("gone").exists()), (0o750, false));
    assert!(written.roll_back(&fixture.overlay.root).is_empty());
    assert_eq!((mode("run"), mode("gone"), root.join("new").exists()), (0o640, 0o600, false));
    // A change back to the original state is dropped.
    fixture.overlay.set_executable(&path("run"), false).unwrap();
    assert!(!fixture.overlay.changes().contains_key(&path("run")));
}
