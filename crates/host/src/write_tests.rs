use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn content_is_replaced_and_nothing_else_stays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.txt");
    for content in [&b"first, and longer"[..], b"second", b""] {
        atomic_write(&file, content).unwrap();
        assert_eq!(fs::read(&file).unwrap(), content);
    }
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn lines_are_added_to_what_is_there_and_an_unfinished_one_stays_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("audit.log");
    append_line_private(&file, b"one").unwrap();
    append_line_private(&file, b"two").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"one\ntwo\n");
    assert_eq!(mode(&file), 0o600);
    fs::write(&file, "one\ncut of").unwrap();
    append_line_private(&file, b"three").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"one\ncut of\nthree\n");
    assert!(append_line_private(folder.path(), b"x").is_err());
}

#[test]
fn a_private_file_is_private_even_where_it_was_open() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    atomic_write_private(&file, b"{}").unwrap();
    assert_eq!(mode(&file), 0o600);

    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    atomic_write_private(&file, b"{}").unwrap();
    assert_eq!(mode(&file), 0o600);
}

#[test]
fn a_usual_write_keeps_the_mode() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tool.sh");
    for wanted in [0o755, 0o600, 0o640] {
        atomic_write(&file, b"x").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(wanted)).unwrap();
        atomic_write(&file, b"y").unwrap();
        assert_eq!(mode(&file), wanted);
    }
}

#[test]
fn a_link_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let dotfiles = folder.path().join("dotfiles");
    fs::create_dir(&dotfiles).unwrap();
    fs::write(dotfiles.join("config.toml"), "old").unwrap();
    let link = folder.path().join("config.toml");
    symlink("dotfiles/config.toml", &link).unwrap();

    atomic_write(&link, b"changed").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(dotfiles.join("config.toml")).unwrap(), "changed");
}

#[test]
fn a_failure_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("inside"), "x").unwrap();
    let error = atomic_write(&taken, b"data").unwrap_err();
    assert!(error.to_string().starts_with("could not write "), "{error}");
    assert_eq!(names(folder.path()), ["taken"]);

    for missing in [folder.path().join("no/such/file"), taken.join("inside/file"), "/".into(), "".into()] {
        assert!(atomic_write(&missing, b"data").is_err(), "{}", missing.display());
    }
    assert_eq!(names(folder.path()), ["taken"]);
}

#[test]
fn readers_see_old_or_whole_content_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state.json");
    let contents = [vec![b'a'; 200_000], vec![b'b'; 100_000]];
    atomic_write(&file, &contents[0]).unwrap();
    std::thread::scope(|scope| {
        let writers: Vec<_> = contents
            .iter()
            .map(|content| scope.spawn(|| (0..20).for_each(|_| atomic_write(&file, content).unwrap())))
            .collect();
        while writers.iter().any(|writer| !writer.is_finished()) {
            let seen = fs::read(&file).unwrap();
            assert!(contents.contains(&seen), "{} bytes", seen.len());
        }
    });
    assert_eq!(names(folder.path()), ["state.json"]);
}

#[test]
fn a_private_folder_is_made_and_mended() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("share/perigee");
    private_dir(&home).unwrap();
    assert_eq!(mode(&home), 0o700);

    fs::set_permissions(&home, fs::Permissions::from_mode(0o755)).unwrap();
    private_dir(&home).unwrap();
    assert_eq!(mode(&home), 0o700);

    let file = home.join("file");
    fs::write(&file, "x").unwrap();
    assert!(private_dir(&file).is_err());
}

#[test]
fn what_was_being_written_is_known_by_its_name() {
    assert!(is_temporary(OsStr::new(&temporary_name())));
    for name in [
        ".perigee-.tmp",
        ".perigee-0123456789abcdeg.tmp",
        ".perigee-0123456789abcdef.tmp.rs",
        "notes.tmp",
        "",
    ] {
        assert!(!is_temporary(OsStr::new(name)), "{name}");
    }
}
