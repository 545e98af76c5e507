use std::cell::{Cell, RefCell};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use store::{CodeIndex, IndexFileKind};

use super::*;
use crate::path::WorkspacePath;
use crate::workspace::Workspace;

struct Fixture {
    folder: tempfile::TempDir,
    index: WorkspaceIndex,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        let index = open(&folder);
        let fixture = Self { folder, index };
        for (path, text) in files {
            fixture.put(path, text);
        }
        fixture
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    fn put(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn refresh(&self) -> [usize; 4] {
        counts(self.index.refresh(&|_| (), &|| false).unwrap())
    }

    fn update(&self, paths: &[&str]) -> [usize; 4] {
        let paths: Vec<WorkspacePath> =
            paths.iter().map(|path| WorkspacePath::parse(path).unwrap()).collect();
        counts(self.index.update(&paths).unwrap())
    }

    fn names(&self) -> Vec<String> {
        self.index.files().unwrap().into_iter().map(|file| file.path.to_string()).collect()
    }

    fn kind(&self, path: &str) -> Option<IndexFileKind> {
        let files = self.index.files().unwrap();
        files.into_iter().find(|file| file.path.as_str() == path).map(|file| file.kind)
    }

    fn defined(&self, name: &str) -> Vec<String> {
        let found = self.index.find_symbol(name, 10).unwrap();
        found.into_iter().map(|symbol| format!("{}:{} {}", symbol.path, symbol.line, symbol.kind)).collect()
    }
}

fn open(folder: &tempfile::TempDir) -> WorkspaceIndex {
    let code = CodeIndex::open(&folder.path().join("index.db")).unwrap();
    WorkspaceIndex::open(Workspace::open(&folder.path().join("root"), &[]).unwrap(), code).unwrap()
}

fn counts(refreshed: RefreshCounts) -> [usize; 4] {
    [refreshed.added, refreshed.changed, refreshed.removed, refreshed.unchanged]
}

#[test]
fn a_refresh_follows_what_is_added_changed_moved_and_deleted() {
    let fixture = Fixture::new(&[
        ("src/a.rs", "pub fn first() {}\n"),
        ("src/b.py", "\n\nclass Second:\n    pass\n"),
        ("notes.md", "# Words\n"),
    ]);
    assert_eq!(fixture.refresh(), [3, 0, 0, 0]);
    assert_eq!(fixture.refresh(), [0, 0, 0, 3]);
    assert_eq!(fixture.names(), ["notes.md", "src/a.rs", "src/b.py"]);
    assert_eq!(fixture.defined("first"), ["src/a.rs:1 function"]);
    assert_eq!(fixture.defined("FIRST"), ["src/a.rs:1 function"]);
    assert_eq!(fixture.defined("Second"), ["src/b.py:3 class"]);

    fixture.put("src/a.rs", "pub fn other() {}\n");
    fs::rename(fixture.root().join("src/b.py"), fixture.root().join("src/c.py")).unwrap();
    fs::remove_file(fixture.root().join("notes.md")).unwrap();
    assert_eq!(fixture.refresh(), [1, 1, 2, 0]);
    assert_eq!(fixture.names(), ["src/a.rs", "src/c.py"]);
    assert!(fixture.defined("first").is_empty());
    assert_eq!(fixture.defined("other"), ["src/a.rs:1 function"]);
    assert_eq!(fixture.defined("Second"), ["src/c.py:3 class"]);
    let outline = fixture.index.symbols(&WorkspacePath::parse("src/a.rs").unwrap()).unwrap().unwrap();
    assert_eq!(&*outline.definitions[0].name, "other");

    fs::remove_dir_all(fixture.root().join("src")).unwrap();
    assert_eq!(fixture.refresh(), [0, 0, 2, 0]);
    assert!(fixture.names().is_empty());
}

#[test]
fn the_same_length_within_a_moment_is_a_change_nevertheless() {
    let fixture = Fixture::new(&[("a.rs", "fn one() {}")]);
    fixture.refresh();
    for name in ["two", "six", "ten", "one"] {
        fixture.put("a.rs", format!("fn {name}() {{}}"));
        assert_eq!(fixture.refresh(), [0, 1, 0, 0], "{name}");
        assert_eq!(fixture.defined(name).len(), 1);
    }
    // A file with the same age and size replaces another one.
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let aged = |path: &str| {
        fs::File::options().write(true).open(fixture.root().join(path)).unwrap().set_modified(old).unwrap();
    };
    aged("a.rs");
    fixture.refresh();
    fixture.put("b.rs", "fn new() {}");
    aged("b.rs");
    fs::rename(fixture.root().join("b.rs"), fixture.root().join("a.rs")).unwrap();
    assert_eq!(fixture.refresh(), [0, 1, 0, 0]);
}

#[test]
fn what_is_ignored_is_not_known_and_rules_can_change() {
    let fixture = Fixture::new(&[
        (".gitignore", "target/\n*.log\n"),
        ("a.rs", "fn a() {}"),
        ("target/b.rs", "fn b() {}"),
        ("sub/c.log", "c"),
        ("sub/d.rs", "fn d() {}"),
        (".git/config", "x"),
    ]);
    fixture.refresh();
    assert_eq!(fixture.names(), [".gitignore", "a.rs", "sub/d.rs"]);
    // Updates of ignored and missing paths.
    assert_eq!(fixture.update(&["target/b.rs", "target", "sub/c.log", "no/such.rs"]), [0, 0, 0, 0]);
    fixture.put(".gitignore", "*.log\na.rs\n");
    assert_eq!(fixture.update(&[".gitignore"]), [1, 1, 1, 1]);
    assert_eq!(fixture.names(), [".gitignore", "sub/d.rs", "target/b.rs"]);
    fixture.put("sub/.gitignore", "d.rs\n");
    assert_eq!(fixture.update(&["sub/.gitignore"]), [1, 0, 1, 0]);
    assert_eq!(fixture.names(), [".gitignore", "sub/.gitignore", "target/b.rs"]);
}

#[test]
fn an_update_looks_at_what_is_named_and_at_nothing_else() {
    let fixture = Fixture::new(&[("a/x.rs", "fn x() {}"), ("a/y.rs", "fn y() {}"), ("b/z.rs", "fn z() {}")]);
    fixture.refresh();
    fixture.put("a/x.rs", "fn xx() {}");
    fixture.put("a/y.rs", "fn yy() {}");
    fixture.put("a/deep/er.rs", "fn er() {}");
    assert_eq!(fixture.update(&["a/x.rs"]), [0, 1, 0, 0]);
    assert!(!fixture.defined("xx").is_empty() && fixture.defined("yy").is_empty());
    assert_eq!(fixture.update(&["a"]), [1, 1, 0, 1]);
    assert_eq!(fixture.update(&["a/x.rs", "a"]), [0, 0, 0, 3]);
    fs::rename(fixture.root().join("a"), fixture.root().join("c")).unwrap();
    assert_eq!(fixture.update(&["a", "c"]), [3, 0, 3, 0]);
    assert_eq!(fixture.names(), ["b/z.rs", "c/deep/er.rs", "c/x.rs", "c/y.rs"]);
    // A file replaces a folder.
    fs::remove_dir_all(fixture.root().join("c")).unwrap();
    fixture.put("c", "plain");
    assert_eq!(fixture.update(&["c"]), [1, 0, 3, 0]);
    assert_eq!(fixture.update(&[]), [0, 0, 0, 0]);
}

#[test]
fn what_is_no_text_is_known_as_such() {
    let fixture = Fixture::new(&[("empty.rs", ""), ("plain.rs", "fn plain() {}")]);
    fixture.put("binary.rs", b"fn hidden() {}\0\x01\x02");
    fixture.put("western.py", b"def gr\xfc\xdfe():\n    pass\n".as_slice());
    fixture.put("huge.rs", "fn huge() {}\n".repeat(100_000));
    fixture.put(
        "wide.rs",
        [
            b"\xff\xfe".as_slice(),
            &"fn wide() {}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
        ]
        .concat(),
    );
    fs::write(fixture.root().join(std::ffi::OsStr::from_bytes(b"na\xffme.rs")), "fn unnamed() {}").unwrap();
    assert_eq!(fixture.refresh(), [6, 0, 0, 0]);
    for (path, kind) in [
        ("empty.rs", IndexFileKind::Text),
        ("plain.rs", IndexFileKind::Text),
        ("western.py", IndexFileKind::Text),
        ("wide.rs", IndexFileKind::Text),
        ("binary.rs", IndexFileKind::Binary),
        ("huge.rs", IndexFileKind::Huge),
    ] {
        assert_eq!(fixture.kind(path), Some(kind), "{path}");
    }
    assert_eq!(fixture.defined("grüße"), ["western.py:1 function"]);
    assert_eq!(fixture.defined("wide").len(), 1);
    for name in ["hidden", "huge", "unnamed"] {
        assert!(fixture.defined(name).is_empty(), "{name}");
    }
    assert_eq!(fixture.refresh(), [0, 0, 0, 6]);
    fixture.put("huge.rs", "fn small() {}");
    fixture.put("binary.rs", "fn shown() {}");
    assert_eq!(fixture.refresh(), [0, 2, 0, 4]);
    assert_eq!((fixture.defined("small").len(), fixture.defined("shown").len()), (1, 1));
}

#[test]
fn what_cannot_be_read_is_known_and_read_when_it_can_be() {
    let fixture = Fixture::new(&[("shut.rs", "fn shut() {}"), ("open.rs", "fn open() {}")]);
    let path = fixture.root().join("shut.rs");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // File modes do not restrict root.
    let is_readable = fs::read(&path).is_ok();
    fixture.refresh();
    let expected = if is_readable { IndexFileKind::Text } else { IndexFileKind::Unreadable };
    assert_eq!(fixture.kind("shut.rs"), Some(expected));
    assert_eq!(fixture.refresh(), [0, 0, 0, 2]);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    fixture.refresh();
    assert_eq!(fixture.kind("shut.rs"), Some(IndexFileKind::Text));
    assert_eq!(fixture.defined("shut").len(), 1);
}

#[test]
fn no_link_is_followed_out_of_the_root() {
    let fixture = Fixture::new(&[("a.rs", "fn a() {}"), ("sub/b.rs", "fn b() {}")]);
    let outside = fixture.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret.rs"), "fn secret() {}").unwrap();
    symlink(outside.join("secret.rs"), fixture.root().join("link.rs")).unwrap();
    symlink(&outside, fixture.root().join("linked")).unwrap();
    fixture.refresh();
    assert_eq!(fixture.update(&["link.rs", "linked/secret.rs", "linked"]), [0, 0, 0, 0]);
    assert_eq!(fixture.names(), ["a.rs", "sub/b.rs"]);
    // A file and a folder are replaced by links.
    fs::remove_file(fixture.root().join("a.rs")).unwrap();
    symlink(outside.join("secret.rs"), fixture.root().join("a.rs")).unwrap();
    fs::remove_dir_all(fixture.root().join("sub")).unwrap();
    symlink(&outside, fixture.root().join("sub")).unwrap();
    assert_eq!(fixture.update(&["a.rs", "sub/b.rs"]), [0, 0, 2, 0]);
    assert!(fixture.defined("secret").is_empty() && fixture.names().is_empty());
}

/// Creates enough files for a refresh to be stopped halfway.
fn many() -> Vec<(String, String)> {
    (0..700)
        .map(|number| (format!("part{}/f{number}.rs", number % 7), format!("fn f{number}() {{}}\n")))
        .collect()
}

#[test]
fn one_who_is_stopped_keeps_what_was_read_and_goes_on_later() {
    let files = many();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let fixture = Fixture::new(&files);
    let (stop, seen) = (AtomicBool::new(false), Cell::new(0));
    let stopped = fixture.index.refresh(
        &|progress| {
            seen.set(progress.done);
            assert_eq!(progress.total, 700);
            stop.store(progress.done >= 300, Ordering::Relaxed);
        },
        &|| stop.load(Ordering::Relaxed),
    );
    assert!(matches!(stopped, Err(IndexError::Stopped)), "{stopped:?}");
    assert_eq!(seen.get(), 300);
    assert_eq!(fixture.names().len(), 300);
    let Fixture { folder, index } = fixture;
    drop(index);
    let index = open(&folder);
    let fixture = Fixture { folder, index };
    let [added, changed, removed, unchanged] = fixture.refresh();
    assert_eq!((added, changed, removed, unchanged), (400, 0, 0, 300));
    assert_eq!(fixture.defined("f699").len(), 1);
    // An already cancelled refresh changes nothing.
    assert!(matches!(fixture.index.refresh(&|_| (), &|| true), Err(IndexError::Stopped)));
    assert_eq!(fixture.names().len(), 700);
}

#[test]
fn progress_names_each_file_once() {
    let fixture = Fixture::new(&[("a.rs", ""), ("b.rs", ""), ("c.rs", "")]);
    let seen = RefCell::new(Vec::new());
    let note = |progress: RefreshProgress<'_>| {
        seen.borrow_mut().push((progress.done, progress.total, progress.path.to_string()));
    };
    fixture.index.refresh(&note, &|| false).unwrap();
    let mut seen = seen.into_inner();
    assert_eq!(
        seen.iter().map(|(done, total, _)| (*done, *total)).collect::<Vec<_>>(),
        [(1, 3), (2, 3), (3, 3)]
    );
    seen.sort_by(|one, other| one.2.cmp(&other.2));
    assert_eq!(seen.into_iter().map(|(_, _, path)| path).collect::<Vec<_>>(), ["a.rs", "b.rs", "c.rs"]);
}

#[test]
fn two_refreshes_at_once_end_in_one_state() {
    let files = many();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let fixture = Fixture::new(&files);
    let beside = open(&fixture.folder);
    let added = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for index in [&fixture.index, &fixture.index, &beside] {
            let added = &added;
            scope.spawn(move || {
                let refreshed = index.refresh(&|_| (), &|| false).unwrap();
                added.fetch_add(refreshed.added, Ordering::Relaxed);
                assert_eq!(index.files().unwrap().len(), 700);
            });
        }
    });
    // Refreshes of one index run one after the other; a second index may read the files again.
    assert!((700..=1400).contains(&added.into_inner()));
    assert_eq!(fixture.refresh(), [0, 0, 0, 700]);
    assert_eq!(fixture.defined("f7").len(), 1);
}

#[test]
fn a_damaged_database_is_filled_again() {
    let fixture = Fixture::new(&[("a.rs", "fn a() {}"), ("b.rs", "fn b() {}")]);
    fixture.refresh();
    let Fixture { folder, index } = fixture;
    drop(index);
    let path = folder.path().join("index.db");
    let mut bytes = fs::read(&path).unwrap();
    bytes[4096..].fill(0x5a);
    fs::write(&path, bytes).unwrap();
    let code = CodeIndex::open(&path).unwrap();
    let workspace = Workspace::open(&folder.path().join("root"), &[]).unwrap();
    let index = match WorkspaceIndex::open(workspace.clone(), code) {
        Ok(index) => index,
        Err(error) => {
            assert!(error.to_string().contains("being rebuilt"), "{error}");
            WorkspaceIndex::open(workspace, CodeIndex::open(&path).unwrap()).unwrap()
        }
    };
    let fixture = Fixture { folder, index };
    assert_eq!(fixture.refresh(), [2, 0, 0, 0]);
    assert_eq!(fixture.defined("b").len(), 1);
}

#[test]
fn a_folder_that_is_gone_is_not_an_empty_one() {
    let fixture = Fixture::new(&[("a.rs", "fn a() {}")]);
    fixture.refresh();
    fs::rename(fixture.root(), fixture.folder.path().join("elsewhere")).unwrap();
    let error = fixture.index.refresh(&|_| (), &|| false).unwrap_err();
    assert!(matches!(error, IndexError::Gone(_)), "{error:?}");
    assert_eq!(fixture.names(), ["a.rs"]);
}

#[test]
fn the_graph_is_made_once_until_something_changes() {
    let fixture =
        Fixture::new(&[("a.rs", "pub fn parse_date() {}\n"), ("b.rs", "fn main() { parse_date(); }\n")]);
    fixture.refresh();
    let graph = fixture.index.graph().unwrap();
    assert_eq!(graph.len(), 2);
    fixture.refresh();
    assert!(Arc::ptr_eq(&graph, &fixture.index.graph().unwrap()));
    fixture.put("c.rs", "fn third() { parse_date(); }\n");
    fixture.update(&["c.rs"]);
    assert_eq!(fixture.index.graph().unwrap().len(), 3);
}
