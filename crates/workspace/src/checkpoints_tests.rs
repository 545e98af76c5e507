use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::*;
use crate::journal::WriteJournal;

struct Fixture {
    folder: tempfile::TempDir,
    checkpoints: Checkpoints,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path().join("kept.git"));
        let fixture = Self { folder, checkpoints };
        for (name, text) in files {
            fixture.write(name, text);
        }
        fixture
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join("root").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.at(name)).ok()
    }

    fn workspace(&self) -> Workspace {
        Workspace::open(&self.folder.path().join("root"), &[]).unwrap()
    }

    fn keep(&self) -> String {
        self.checkpoints.store(&self.workspace()).unwrap()
    }

    fn go_back(&self, commit: &str) {
        let overlay = self.checkpoints.changes_back_to(&self.workspace(), commit).unwrap();
        overlay.write_to_disk(&WriteJournal::new(self.folder.path().join("journal"))).unwrap();
    }
}

#[test]
fn what_a_program_left_that_was_killed_is_in_nobodys_way() {
    let fixture = Fixture::new(&[("a.txt", "one")]);
    fixture.keep();
    fs::write(fixture.folder.path().join("kept.git/index.lock"), "").unwrap();
    fixture.write("a.txt", "two");
    let state = fixture.keep();
    fixture.write("a.txt", "three");
    fixture.go_back(&state);
    assert_eq!(fixture.text("a.txt").as_deref(), Some("two"));
}

#[test]
fn everything_is_as_it_was() {
    let fixture =
        Fixture::new(&[("a.txt", "one\r\n"), ("b/c.txt", "two"), (".gitattributes", "* text=auto eol=lf\n")]);
    fs::set_permissions(fixture.at("b/c.txt"), fs::Permissions::from_mode(0o755)).unwrap();
    let state = fixture.keep();
    fixture.write("a.txt", "other\n");
    fs::remove_file(fixture.at("b/c.txt")).unwrap();
    // The new file must be younger than the checkpoint by more than the resolution of the timestamps.
    std::thread::sleep(Duration::from_millis(1100));
    fixture.write("new/d.txt", "three");
    fixture.go_back(&state);
    assert_eq!(fixture.text("a.txt").as_deref(), Some("one\r\n"), "no filter of git's has touched it");
    assert_eq!(fixture.text("b/c.txt").as_deref(), Some("two"));
    assert!(fs::metadata(fixture.at("b/c.txt")).unwrap().permissions().mode() & 0o111 != 0);
    assert_eq!(fixture.text("new/d.txt"), None);
}

#[test]
fn the_users_own_repository_is_not_touched() {
    let fixture = Fixture::new(&[("a.txt", "one")]);
    let own = Repository::init(fixture.folder.path().join("root")).unwrap();
    let before = listing(own.path());
    let state = fixture.keep();
    fixture.write("a.txt", "two");
    fixture.go_back(&state);
    assert_eq!(listing(own.path()), before);
    assert_eq!(fixture.text("a.txt").as_deref(), Some("one"));
}

fn listing(path: &Path) -> Vec<(PathBuf, u64)> {
    let mut all: Vec<_> = walk(path);
    all.sort();
    all
}

fn walk(path: &Path) -> Vec<(PathBuf, u64)> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                walk(&path)
            } else {
                let length = fs::metadata(&path).unwrap().len();
                vec![(path, length)]
            }
        })
        .collect()
}

#[test]
fn what_was_ignored_then_is_not_taken_away_now() {
    let fixture = Fixture::new(&[("a.txt", "one"), ("data/mine.txt", "mine"), (".ignore", "data/\n")]);
    std::thread::sleep(Duration::from_millis(1100));
    let state = fixture.keep();
    fs::remove_file(fixture.at(".ignore")).unwrap();
    fixture.go_back(&state);
    assert_eq!(fixture.text("data/mine.txt").as_deref(), Some("mine"));
}

#[test]
fn a_change_in_the_same_moment_is_seen() {
    let fixture = Fixture::new(&[("a.txt", "one")]);
    let mut states = Vec::new();
    for text in ["one", "two", "six", "ten"] {
        fixture.write("a.txt", text);
        states.push((fixture.keep(), text));
    }
    for (state, text) in states.iter().rev() {
        fixture.go_back(state);
        assert_eq!(fixture.text("a.txt").as_deref(), Some(*text));
    }
}

#[test]
fn only_so_many_are_kept_and_those_are_whole() {
    let fixture = Fixture::new(&[("a.txt", "0")]);
    let mut states = Vec::new();
    for number in 0..=2 * MOST_KEPT {
        fixture.write("a.txt", &number.to_string());
        states.push(fixture.keep());
    }
    assert_eq!(fixture.checkpoints.stored().unwrap().len(), MOST_KEPT);
    let workspace = fixture.workspace();
    let last = states.last().unwrap();
    assert!(fixture.checkpoints.changes_back_to(&workspace, last).unwrap().changes().is_empty());
    assert!(matches!(
        fixture.checkpoints.changes_back_to(&workspace, "nonsense"),
        Err(CheckpointError::Gone)
    ));
    // The state after a crash between the two renames.
    let (name, old) = (fixture.folder.path().join("kept.git"), fixture.folder.path().join("kept.git.old"));
    fs::rename(&name, &old).unwrap();
    assert_eq!(fixture.checkpoints.stored().unwrap().len(), MOST_KEPT);
    fs::rename(&name, &old).unwrap();
    fixture.write("a.txt", "more");
    let next = fixture.keep();
    assert_eq!(fixture.checkpoints.stored().unwrap().len(), MOST_KEPT + 1);
    fixture.write("a.txt", "less");
    fixture.go_back(&next);
    assert_eq!(fixture.text("a.txt").as_deref(), Some("more"));
}
