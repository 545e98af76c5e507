use std::collections::BTreeSet;
use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::*;

/// A timeout that is long enough for any machine.
const PATIENCE: Duration = Duration::from_secs(30);

struct Fixture {
    folder: tempfile::TempDir,
    watch: FileWatch,
    seen: Receiver<FileEvents>,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            put(folder.path(), path, text);
        }
        let (sender, seen) = channel();
        let workspace = Workspace::open(folder.path(), &[]).unwrap();
        let watch = FileWatch::start(&workspace, move |what| drop(sender.send(what))).unwrap();
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
                Ok(FileEvents::Some(paths)) => told.extend(paths.into_iter().map(String::from)),
                other => panic!("{other:?} while waiting for {wanted:?}; told so far: {told:?}"),
            }
        }
        told
    }

    fn await_all(&self) {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.seen.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(FileEvents::All) => return,
                Ok(FileEvents::Some(_)) => {}
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
    let fixture = Fixture::new(&[("src/a.rs", "a"), ("src/deep/b.rs", "b"), ("c.rs", "c")]);
    assert!(fixture.watch.is_watching());
    fixture.put("src/deep/b.rs", "other");
    assert_eq!(fixture.await_paths(&["src/deep/b.rs"]).len(), 1);
    fs::rename(fixture.folder.path().join("c.rs"), fixture.folder.path().join("src/d.rs")).unwrap();
    fixture.await_paths(&["c.rs", "src/d.rs"]);
    fs::remove_file(fixture.folder.path().join("src/a.rs")).unwrap();
    fixture.await_paths(&["src/a.rs"]);
}

#[test]
fn folders_that_come_and_move_are_followed() {
    let fixture = Fixture::new(&[("old/a.rs", "a"), ("old/in/b.rs", "b")]);
    fixture.put("fresh/deep/er/x.rs", "x");
    fixture.await_paths(&["fresh"]);
    fixture.put("fresh/deep/er/y.rs", "y");
    fixture.await_paths(&["fresh/deep/er/y.rs"]);
    fs::rename(fixture.folder.path().join("old"), fixture.folder.path().join("moved")).unwrap();
    fixture.await_paths(&["old", "moved"]);
    // The event carries the new name.
    fixture.put("moved/in/b.rs", "other");
    fixture.await_paths(&["moved/in/b.rs"]);
    fs::remove_dir_all(fixture.folder.path().join("moved")).unwrap();
    fixture.await_paths(&["moved"]);
    fixture.put("moved/in/b.rs", "again");
    fixture.await_paths(&["moved"]);
    fixture.put("moved/in/c.rs", "c");
    fixture.await_paths(&["moved/in/c.rs"]);
}

#[test]
fn what_is_ignored_is_not_told_and_costs_no_watch() {
    let fixture = Fixture::new(&[
        (".gitignore", "target/\n"),
        ("target/deep/a.rs", "a"),
        ("src/b.rs", "b"),
        (".git/HEAD", "x"),
    ]);
    fixture.put("target/deep/a.rs", "other");
    fixture.put("target/more/c.rs", "c");
    fixture.put(".git/HEAD", "y");
    fixture.put("src/b.rs", "other");
    assert_eq!(fixture.await_paths(&["src/b.rs"]), BTreeSet::from(["src/b.rs".to_owned()]));
    // With another rule, formerly ignored files are reported.
    fixture.put(".gitignore", "src/\n");
    fixture.await_all();
    fixture.put("target/deep/a.rs", "once more");
    fixture.await_paths(&["target/deep/a.rs"]);
}

#[test]
fn a_look_is_no_change() {
    let fixture = Fixture::new(&[("a.rs", "a"), ("b.rs", "b")]);
    fs::read(fixture.folder.path().join("a.rs")).unwrap();
    fs::read_dir(fixture.folder.path()).unwrap().for_each(drop);
    fixture.put("b.rs", "other");
    assert_eq!(fixture.await_paths(&["b.rs"]), BTreeSet::from(["b.rs".to_owned()]));
}

#[test]
fn it_ends_when_it_is_dropped() {
    let Fixture { folder, watch, seen } = Fixture::new(&[("a.rs", "a")]);
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
    assert_eq!(FileWatch::start_with(&workspace, 0, tell_nobody).err(), Some(WatchError::TooMany));
    let (sender, seen) = channel();
    let watch = FileWatch::start_with(&workspace, 1, move |what| drop(sender.send(what))).unwrap();
    put(folder.path(), "two/b.rs", "b");
    assert_eq!(seen.recv_timeout(PATIENCE), Ok(FileEvents::Stopped(WatchError::TooMany)));
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
    let mut folder_watches = Watches { workspace, watcher, folders: BTreeSet::new(), most: 9 };
    folder_watches.begin().unwrap();
    put(folder.path(), "late/b.rs", "b");
    let mut batch = EventBatch::default();
    let lost = Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan);
    batch.note(Ok(lost), &folder_watches);
    assert_eq!(folder_watches.update(batch), Ok(FileEvents::All));
    assert!(folder_watches.folders.contains(&WorkspacePath::parse("late").unwrap()));
    let mut batch = EventBatch::default();
    batch.note(Err(notify::Error::new(notify::ErrorKind::MaxFilesWatch)), &folder_watches);
    assert_eq!(folder_watches.update(batch), Err(WatchError::NoneLeft));
}
