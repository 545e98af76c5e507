use std::collections::BTreeSet;
use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::*;

/// A timeout that is long enough for any machine.
const PATIENCE: Duration = Duration::from_secs(30);

struct Bed {
    folder: tempfile::TempDir,
    watch: Watch,
    seen: Receiver<Seen>,
}

impl Bed {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            put(folder.path(), path, text);
        }
        let (sender, seen) = channel();
        let workspace = Workspace::open(folder.path(), &[]).unwrap();
        let watch = Watch::start(&workspace, move |what| drop(sender.send(what))).unwrap();
        Self { folder, watch, seen }
    }

    fn put(&self, path: &str, text: &str) {
        put(self.folder.path(), path, text);
    }

    /// Waits until all of these paths were reported, and returns all that were reported by then.
    fn await_paths(&self, wanted: &[&str]) -> BTreeSet<String> {
        let until = Instant::now() + PATIENCE;
        let mut told = BTreeSet::new();
        while !wanted.iter().all(|path| told.contains(*path)) {
            match self.seen.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Seen::Some(paths)) => told.extend(paths.into_iter().map(String::from)),
                other => panic!("{other:?} while waiting for {wanted:?}; told so far: {told:?}"),
            }
        }
        told
    }

    fn await_all(&self) {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.seen.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Seen::All) => return,
                Ok(Seen::Some(_)) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn what_is_written_moved_and_deleted_is_told() {
    let bed = Bed::new(&[("src/a.rs", "a"), ("src/deep/b.rs", "b"), ("c.rs", "c")]);
    assert!(bed.watch.is_watching());
    bed.put("src/deep/b.rs", "other");
    assert_eq!(bed.await_paths(&["src/deep/b.rs"]).len(), 1);
    fs::rename(bed.folder.path().join("c.rs"), bed.folder.path().join("src/d.rs")).unwrap();
    bed.await_paths(&["c.rs", "src/d.rs"]);
    fs::remove_file(bed.folder.path().join("src/a.rs")).unwrap();
    bed.await_paths(&["src/a.rs"]);
}

#[test]
fn folders_that_come_and_move_are_followed() {
    let bed = Bed::new(&[("old/a.rs", "a"), ("old/in/b.rs", "b")]);
    bed.put("fresh/deep/er/x.rs", "x");
    bed.await_paths(&["fresh"]);
    bed.put("fresh/deep/er/y.rs", "y");
    bed.await_paths(&["fresh/deep/er/y.rs"]);
    fs::rename(bed.folder.path().join("old"), bed.folder.path().join("moved")).unwrap();
    bed.await_paths(&["old", "moved"]);
    // The event carries the new name.
    bed.put("moved/in/b.rs", "other");
    bed.await_paths(&["moved/in/b.rs"]);
    fs::remove_dir_all(bed.folder.path().join("moved")).unwrap();
    bed.await_paths(&["moved"]);
    bed.put("moved/in/b.rs", "again");
    bed.await_paths(&["moved"]);
    bed.put("moved/in/c.rs", "c");
    bed.await_paths(&["moved/in/c.rs"]);
}

#[test]
fn what_is_ignored_is_not_told_and_costs_no_watch() {
    let bed = Bed::new(&[
        (".gitignore", "target/\n"),
        ("target/deep/a.rs", "a"),
        ("src/b.rs", "b"),
        (".git/HEAD", "x"),
    ]);
    bed.put("target/deep/a.rs", "other");
    bed.put("target/more/c.rs", "c");
    bed.put(".git/HEAD", "y");
    bed.put("src/b.rs", "other");
    assert_eq!(bed.await_paths(&["src/b.rs"]), BTreeSet::from(["src/b.rs".to_owned()]));
    // With another rule, formerly ignored files are reported.
    bed.put(".gitignore", "src/\n");
    bed.await_all();
    bed.put("target/deep/a.rs", "once more");
    bed.await_paths(&["target/deep/a.rs"]);
}

#[test]
fn a_look_is_no_change() {
    let bed = Bed::new(&[("a.rs", "a"), ("b.rs", "b")]);
    fs::read(bed.folder.path().join("a.rs")).unwrap();
    fs::read_dir(bed.folder.path()).unwrap().for_each(drop);
    bed.put("b.rs", "other");
    assert_eq!(bed.await_paths(&["b.rs"]), BTreeSet::from(["b.rs".to_owned()]));
}

#[test]
fn it_ends_when_it_is_dropped() {
    let Bed { folder, watch, seen } = Bed::new(&[("a.rs", "a")]);
    drop(watch);
    put(folder.path(), "a.rs", "other");
    // The sender was dropped, so nothing is left to wait for.
    assert!(seen.recv_timeout(PATIENCE).is_err_and(|error| error == RecvTimeoutError::Disconnected));
}

#[test]
fn too_many_folders_are_said_once_and_no_watch_is_left() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "one/a.rs", "a");
    let workspace = Workspace::open(folder.path(), &[]).unwrap();
    let tell_nobody = |_| panic!("nothing is told");
    assert_eq!(Watch::start_with(&workspace, 0, tell_nobody).err(), Some(WatchError::TooMany));
    let (sender, seen) = channel();
    let watch = Watch::start_with(&workspace, 1, move |what| drop(sender.send(what))).unwrap();
    put(folder.path(), "two/b.rs", "b");
    assert_eq!(seen.recv_timeout(PATIENCE), Ok(Seen::NoMore(WatchError::TooMany)));
    assert!(!watch.is_watching());
    assert_eq!(seen.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));
    assert!(WatchError::NoneLeft.to_string().contains("max_user_watches"));
}

#[test]
fn what_was_lost_is_looked_for_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.rs", "a");
    let workspace = Workspace::open(folder.path(), &[]).unwrap();
    let watcher = notify::recommended_watcher(|_| ()).unwrap();
    let mut covered = Watches { workspace, watcher, folders: BTreeSet::new(), most: 9 };
    covered.begin().unwrap();
    put(folder.path(), "late/b.rs", "b");
    let mut noted = Noted::default();
    let lost = Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan);
    noted.note(Ok(lost), &covered);
    assert_eq!(covered.follow(noted), Ok(Seen::All));
    assert!(covered.folders.contains(&WorkspacePath::parse("late").unwrap()));
    let mut noted = Noted::default();
    noted.note(Err(notify::Error::new(notify::ErrorKind::MaxFilesWatch)), &covered);
    assert_eq!(covered.follow(noted), Err(WatchError::NoneLeft));
}
