use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use imp::Resolver;

const LIMIT: u64 = 1 << 20;

/// Runs a check with each resolver, in a folder `root` beside a folder `outside` that contains a secret.
fn everywhere(check: impl Fn(&Path, &RootDir)) {
    for resolver in [imp::Root::open(Path::new("/")).unwrap().resolver, Resolver::Walk] {
        let folder = tempfile::tempdir().unwrap();
        for path in ["root/notes", "outside", "root-sibling"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        fs::write(folder.path().join("outside/secret"), "secret").unwrap();
        fs::write(folder.path().join("root-sibling/secret"), "secret").unwrap();
        fs::write(folder.path().join("root/notes/a.md"), "hello").unwrap();
        let mut root = RootDir::open(folder.path().join("root")).unwrap();
        root.imp.resolver = resolver;
        check(folder.path(), &root);
        assert_eq!(
            fs::read_to_string(folder.path().join("outside/secret")).unwrap(),
            "secret",
            "{resolver:?}"
        );
        assert_eq!(fs::read_dir(folder.path().join("outside")).unwrap().count(), 1, "{resolver:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn linux_lets_the_kernel_resolve() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(RootDir::open(folder.path()).unwrap().imp.resolver, Resolver::Kernel);
}

#[test]
fn files_inside_are_read_written_listed_and_removed() {
    everywhere(|_, root| {
        root.create_dirs("notes/2025/june").unwrap();
        root.create_dirs("notes/2025/june").unwrap();
        root.write("notes/2025/june/b.md", b"one").unwrap();
        root.write("notes/2025/june/b.md", b"two").unwrap();
        assert_eq!(root.read("./notes/2025/june/b.md", LIMIT).unwrap(), b"two");

        let names: Vec<_> =
            root.list("notes").unwrap().into_iter().map(|(name, info)| (name, info.kind)).collect();
        assert_eq!(names, [("2025".into(), EntryKind::Folder), ("a.md".into(), EntryKind::File)]);
        assert_eq!(root.list("").unwrap().len(), 1);
        assert_eq!(root.metadata("notes/a.md").unwrap().unwrap().len, 5);
        assert_eq!(root.metadata("").unwrap().unwrap().kind, EntryKind::Folder);
        assert_eq!(root.metadata("notes/none").unwrap(), None);

        root.remove("notes").unwrap();
        assert!(root.list("").unwrap().is_empty());
        assert!(root.remove("notes").unwrap_err().is_not_found());
        assert!(root.read("notes/a.md", LIMIT).unwrap_err().is_not_found());
    });
}

#[test]
fn no_path_leads_out() {
    everywhere(|folder, root| {
        let absolute = folder.join("outside/secret");
        let paths = [
            "../outside/secret",
            "notes/../../outside/secret",
            "notes/../notes/a.md",
            "..",
            "/",
            "/etc/passwd",
            "a\0b",
            absolute.to_str().unwrap(),
        ];
        for path in paths {
            let outcomes = [
                root.read(path, LIMIT).map(drop),
                root.open_file(path).map(drop),
                root.write(path, b"x"),
                root.create_dirs(path),
                root.list(path).map(drop),
                root.metadata(path).map(drop),
                root.remove(path),
            ];
            for outcome in outcomes {
                assert!(matches!(outcome, Err(RootError::Outside(_))), "{path}: {outcome:?}");
            }
        }
    });
}

#[test]
fn no_link_leads_out() {
    everywhere(|folder, root| {
        let inside = |name: &str| folder.join("root").join(name);
        symlink(folder.join("outside"), inside("absolute")).unwrap();
        symlink("../outside", inside("relative")).unwrap();
        symlink("../root-sibling", inside("sibling")).unwrap();
        symlink("relative", inside("chain")).unwrap();
        symlink("loop", inside("loop")).unwrap();
        symlink("/proc/self/root", inside("magic")).unwrap();
        for link in ["absolute", "relative", "sibling", "chain", "loop", "magic"] {
            let file = format!("{link}/secret");
            let outcomes = [
                root.read(&file, LIMIT).map(drop),
                root.open_file(&file).map(drop),
                root.read(link, LIMIT).map(drop),
                root.write(&file, b"x"),
                root.write(format!("{link}/fresh"), b"x"),
                root.create_dirs(format!("{link}/fresh")),
                root.list(link).map(drop),
                root.metadata(&file).map(drop),
                root.remove(&file),
            ];
            for (index, outcome) in outcomes.into_iter().enumerate() {
                assert!(matches!(outcome, Err(RootError::Outside(_))), "{link} {index}: {outcome:?}");
            }
            assert_eq!(root.metadata(link).unwrap().unwrap().kind, EntryKind::Link);
        }
    });
}

#[test]
fn writing_and_removing_touch_the_link_and_not_its_target() {
    everywhere(|folder, root| {
        for name in ["first", "second"] {
            symlink(folder.join("outside/secret"), folder.join("root").join(name)).unwrap();
        }
        root.write("first", b"mine").unwrap();
        assert_eq!(root.metadata("first").unwrap().unwrap().kind, EntryKind::File);
        root.remove("second").unwrap();

        symlink(folder.join("outside"), folder.join("root/notes/trap")).unwrap();
        root.remove("notes").unwrap();
    });
}

#[test]
fn a_file_too_large_and_a_pipe_are_refused_without_waiting() {
    everywhere(|folder, root| {
        root.write("big", &[0; 100]).unwrap();
        assert_eq!(root.read("big", 100).unwrap().len(), 100);
        assert!(matches!(root.read("big", 99), Err(RootError::TooLarge { limit: 99, .. })));
        assert!(matches!(root.read("notes", LIMIT), Err(RootError::NotAFile(_))));

        let pipe = folder.join("root/pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0)
            .unwrap();
        assert!(matches!(root.read("pipe", LIMIT), Err(RootError::NotAFile(_))));
    });
}

#[test]
fn a_file_gets_the_mode_that_is_asked_for() {
    everywhere(|folder, root| {
        let mode = |name: &str| root.metadata(name).unwrap().unwrap().mode.unwrap();
        for asked in [0o755, 0o600, 0o444, 0o7777] {
            root.write_as("run", b"#!", asked).unwrap();
            assert_eq!(mode("run"), asked & 0o777);
        }
        // A read-only file is replaced as well, and stays read-only.
        root.write_as("run", b"#!", 0o555).unwrap();
        root.write("run", b"other").unwrap();
        assert_eq!((mode("run"), root.read("run", LIMIT).unwrap()), (0o555, b"other".to_vec()));
        symlink(folder.join("outside"), folder.join("root/out")).unwrap();
        assert!(matches!(root.write_as("out/x", b"", 0o644), Err(RootError::Outside(_))));
    });
}

#[test]
fn only_a_folder_that_holds_nothing_is_removed_as_empty() {
    everywhere(|folder, root| {
        root.create_dirs("one/two").unwrap();
        symlink(folder.join("outside"), folder.join("root/out")).unwrap();
        symlink("one", folder.join("root/link")).unwrap();
        for (path, removed) in [
            ("one", false),
            ("one/two", true),
            ("one/two", false),
            ("link", false),
            ("one", true),
            ("notes", false),
            ("notes/a.md", false),
            ("out", false),
            ("no/such", false),
        ] {
            assert_eq!(root.remove_if_empty(path).unwrap(), removed, "{path}");
        }
        assert!(root.remove_if_empty("out/x").is_err());
        assert!(root.remove_if_empty("../outside").is_err());
        assert!(root.remove_if_empty("").is_err(), "the root itself stays");
    });
}

#[test]
fn a_write_keeps_the_mode_and_leaves_no_rest() {
    everywhere(|folder, root| {
        let file = folder.join("root/notes/a.md");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o751)).unwrap();
        root.write("notes/a.md", b"changed").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o751);

        assert!(root.write("notes", b"x").is_err());
        assert!(root.write("", b"x").is_err());
        assert!(root.remove("").is_err());
        assert_eq!(root.list("").unwrap().len(), 1);
    });
}

#[test]
fn a_link_swapped_in_meanwhile_never_leads_out() {
    everywhere(|folder, root| {
        let (real, spare) = (folder.join("root/notes"), folder.join("root/spare"));
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                symlink(folder.join("outside"), &spare).unwrap();
                let swap = rustix::fs::RenameFlags::EXCHANGE;
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    rustix::fs::renameat_with(rustix::fs::CWD, &real, rustix::fs::CWD, &spare, swap).unwrap();
                }
            });
            for _ in 0..300 {
                assert!(root.read("notes/secret", LIMIT).is_err());
                let _ = root.write("notes/fresh", b"x");
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
    });
}
