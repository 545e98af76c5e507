use std::fs;

use super::*;
use crate::patching::patch;

struct Bed {
    folder: tempfile::TempDir,
    overlay: Overlay,
    journal: Journal,
}

impl Bed {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        for (path, text) in files {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), text).unwrap();
        }
        let overlay = Overlay::new(Arc::new(RootDir::open(root).unwrap()));
        let journal = Journal::new(folder.path().join("journal"));
        Self { folder, overlay, journal }
    }

    fn on_disk(&self, path: &str) -> Option<String> {
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
    let mut bed = Bed::new(&[("a.txt", "a\n"), ("old/b.txt", "b\n"), ("c.txt", "c\n")]);
    bed.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
    bed.overlay.rename(&path("old/b.txt"), &path("new/b.txt")).unwrap();
    bed.overlay.delete(&path("c.txt")).unwrap();
    bed.overlay.create(&path("d.txt"), b"d\n".to_vec()).unwrap();
    assert_eq!(bed.on_disk("a.txt").as_deref(), Some("a\n"));
    assert_eq!(bed.overlay.read(&path("a.txt")).unwrap().as_deref(), Some(&b"A\n"[..]));
    assert!(bed.overlay.read(&path("c.txt")).unwrap().is_none());
    assert!(matches!(bed.overlay.create(&path("a.txt"), Vec::new()), Err(OverlayError::Taken(_))));
    assert!(matches!(bed.overlay.delete(&path("c.txt")), Err(OverlayError::Missing(_))));
    bed.overlay.land(&bed.journal).unwrap();
    let found = ["a.txt", "new/b.txt", "old/b.txt", "c.txt", "d.txt"].map(|path| bed.on_disk(path));
    assert_eq!(found, [Some("A\n".into()), Some("b\n".into()), None, None, Some("d\n".into())]);
    assert_eq!(bed.journals(), 0);
}

#[test]
fn what_is_again_as_it_was_is_no_change() {
    let mut bed = Bed::new(&[("a.txt", "a\n")]);
    bed.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
    bed.overlay.write(&path("a.txt"), b"a\n".to_vec()).unwrap();
    bed.overlay.create(&path("b.txt"), b"b\n".to_vec()).unwrap();
    bed.overlay.delete(&path("b.txt")).unwrap();
    assert!(bed.overlay.changes().is_empty());
}

#[test]
fn what_somebody_else_changed_meanwhile_keeps_all_of_it_back() {
    let mut bed = Bed::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    for name in ["a.txt", "b.txt", "c.txt"] {
        bed.overlay.write(&path(name), b"new\n".to_vec()).unwrap();
    }
    let root = bed.folder.path().join("root");
    fs::write(root.join("b.txt"), "theirs\n").unwrap();
    fs::write(root.join("c.txt"), "theirs too\n").unwrap();
    let refused = bed.overlay.land(&bed.journal).unwrap_err().to_string();
    assert!(refused.contains("b.txt, c.txt changed since"), "{refused}");
    assert_eq!(bed.on_disk("a.txt").as_deref(), Some("a\n"));
}

#[test]
fn what_fails_in_the_midst_is_put_back() {
    let mut bed = Bed::new(&[("a.txt", "a\n"), ("z", "a file, where a folder is needed\n")]);
    bed.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
    bed.overlay.write(&path("b.txt"), b"B\n".to_vec()).unwrap();
    let change = Change { after: Some(b"x".to_vec()), ..Change::default() };
    bed.overlay.changes.insert(path("z/inner.txt"), change);
    assert!(bed.overlay.land(&bed.journal).is_err());
    assert_eq!((bed.on_disk("a.txt").as_deref(), bed.on_disk("b.txt")), (Some("a\n"), None));
    assert_eq!(bed.journals(), 0);
}

#[test]
fn a_program_that_ended_in_the_midst_puts_all_back() {
    let mut bed = Bed::new(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n")]);
    bed.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
    bed.overlay.delete(&path("b.txt")).unwrap();
    bed.overlay.write(&path("c.txt"), b"C\n".to_vec()).unwrap();
    bed.overlay.create(&path("d.txt"), b"D\n".to_vec()).unwrap();
    let root = bed.folder.path().join("root");
    // State at the crash: two files are written, and the third was changed by the user.
    let entry = bed.journal.begin(&bed.overlay.root, &bed.overlay.changes, None).unwrap();
    fs::write(root.join("a.txt"), "A\n").unwrap();
    fs::remove_file(root.join("b.txt")).unwrap();
    fs::write(root.join("c.txt"), "mine\n").unwrap();
    assert!(bed.journal.recover().is_empty(), "as long as somebody is at it");
    drop(entry);
    // And an entry without a list.
    fs::create_dir(bed.folder.path().join("journal/half")).unwrap();
    let recovered = bed.journal.recover();
    assert_eq!(recovered.len(), 1);
    assert_eq!(recovered[0].left, [path("c.txt")]);
    let found = ["a.txt", "b.txt", "c.txt", "d.txt"].map(|path| bed.on_disk(path));
    assert_eq!(found, [Some("a\n".into()), Some("b\n".into()), Some("mine\n".into()), None]);
    assert_eq!(bed.journals(), 0);
    assert!(bed.journal.recover().is_empty());
}

#[test]
fn a_patch_is_taken_as_a_whole_or_not_at_all() {
    let mut bed = Bed::new(&[("a.txt", "one\r\ntwo\r\n"), ("b.txt", "x\n")]);
    let good = "*** Begin Patch\n*** Update File: a.txt\n one\n-two\n+TWO\n*** Delete File: b.txt\n*** Add File: c/d.txt\n+new\n*** End Patch\n";
    let done = patch(&mut bed.overlay, good, |_| Ok(())).unwrap();
    assert_eq!(done.len(), 3);
    bed.overlay.land(&bed.journal).unwrap();
    let found = ["a.txt", "b.txt", "c/d.txt"].map(|path| bed.on_disk(path));
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
        let error =
            patch(&mut Overlay::new(Arc::clone(&bed.overlay.root)), bad, |_| Ok(())).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn what_cannot_be_put_back_stays_noted() {
    let mut bed = Bed::new(&[("a.txt", "a\n")]);
    bed.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
    let entry = bed.journal.begin(&bed.overlay.root, &bed.overlay.changes, None).unwrap();
    let file = bed.folder.path().join("root/a.txt");
    fs::write(&file, "A\n").unwrap();
    // The disk of the journal is temporarily unavailable.
    let kept = fs::read_dir(bed.folder.path().join("journal")).unwrap().next().unwrap().unwrap().path();
    fs::rename(kept.join("bytes"), kept.join("away")).unwrap();
    assert_eq!(entry.put_back(&bed.overlay.root), [path("a.txt")]);
    assert_eq!((bed.journals(), bed.on_disk("a.txt").as_deref()), (1, Some("A\n")));
    fs::rename(kept.join("away"), kept.join("bytes")).unwrap();
    assert!(bed.journal.recover()[0].left.is_empty());
    assert_eq!((bed.journals(), bed.on_disk("a.txt").as_deref()), (0, Some("a\n")));
}

#[test]
fn modes_and_folders_are_put_back_too() {
    use std::os::unix::fs::PermissionsExt as _;

    let mut bed = Bed::new(&[("run", "#!\n"), ("gone", "x\n")]);
    let root = bed.folder.path().join("root");
    let mode = |name: &str| fs::metadata(root.join(name)).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(root.join("run"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(root.join("gone"), fs::Permissions::from_mode(0o600)).unwrap();
    bed.overlay.set_executable(&path("run"), true).unwrap();
    bed.overlay.delete(&path("gone")).unwrap();
    bed.overlay.create(&path("new/er/b.txt"), b"b".to_vec()).unwrap();
    let landing = Landing { root: &bed.overlay.root, changes: &bed.overlay.changes, leave: &[], mark: None };
    let landed = landing.land(&bed.journal).unwrap();
    assert_eq!(landed.folders(), ["new", "new/er"]);
    assert_eq!((mode("run"), root.join("gone").exists()), (0o750, false));
    assert!(landed.put_back(&bed.overlay.root).is_empty());
    assert_eq!((mode("run"), mode("gone"), root.join("new").exists()), (0o640, 0o600, false));
    // A change back to the original state is dropped.
    bed.overlay.set_executable(&path("run"), false).unwrap();
    assert!(!bed.overlay.changes().contains_key(&path("run")));
}
