use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

fn setup() -> (tempfile::TempDir, PathBuf, UntrustedFolder) {
    let folder = tempfile::tempdir().unwrap();
    let (root, spare) = (folder.path().join("root"), folder.path().join("spare"));
    fs::create_dir(&root).unwrap();
    fs::create_dir(&spare).unwrap();
    let untrusted = UntrustedFolder::open(&root, &spare).unwrap();
    (folder, root, untrusted)
}

fn at(path: &str) -> &Path {
    Path::new(path)
}

#[test]
fn no_link_is_followed() {
    let (folder, root, untrusted) = setup();
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "it").unwrap();
    fs::create_dir(root.join("in")).unwrap();
    symlink(&outside, root.join("out")).unwrap();
    symlink("in", root.join("within")).unwrap();
    symlink(outside.join("secret"), root.join("file")).unwrap();
    assert_eq!(untrusted.look(at("out")).unwrap().unwrap().kind, UntrustedEntryKind::Link);
    assert_eq!(untrusted.look(at("out/secret")).unwrap(), None);
    for link in ["out", "within"] {
        let inner = Path::new(link).join("secret");
        assert!(
            untrusted.read(&inner, 9).is_err() && untrusted.write(&inner, b"x", 0o644).is_err(),
            "{link}"
        );
        assert!(untrusted.list(at(link), 9).is_err() && untrusted.make_folder(&inner, 0o755).is_err());
        assert!(untrusted.white_out(&inner).is_err() && untrusted.remove(&inner).is_err());
        assert!(untrusted.is_opaque(at(link)).is_err() && untrusted.set_opaque(at(link), true).is_err());
    }
    assert!(untrusted.read(at("file"), 9).is_err());
    for path in ["../outside/secret", "/etc/passwd", "in/../../outside/secret"] {
        assert!(
            untrusted.read(at(path), 9).is_err() && untrusted.write(at(path), b"x", 0o644).is_err(),
            "{path}"
        );
    }
    // The link itself is replaced and removed, not its target.
    untrusted.write(at("file"), b"mine", 0o600).unwrap();
    untrusted.remove(at("out")).unwrap();
    assert_eq!(fs::read(outside.join("secret")).unwrap(), b"it");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    untrusted.clear().unwrap();
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
}

#[test]
fn a_file_is_put_there_in_one_piece_and_is_another() {
    let (folder, root, untrusted) = setup();
    fs::write(root.join("a"), "one").unwrap();
    fs::hard_link(root.join("a"), root.join("b")).unwrap();
    let before = untrusted.look(at("a")).unwrap().unwrap();
    untrusted.write(at("a"), b"two", 0o4755).unwrap();
    let after = untrusted.look(at("a")).unwrap().unwrap();
    assert_ne!(before.stamp, after.stamp);
    assert_eq!(
        (after.len, after.mode, after.kind),
        (3, 0o755, UntrustedEntryKind::File),
        "without the rights of others"
    );
    assert_eq!(fs::read(root.join("b")).unwrap(), b"one");
    let mut from = File::open(root.join("b")).unwrap();
    untrusted.copy(at("c"), &mut from, 0o640, true).unwrap();
    assert_eq!(fs::read(root.join("c")).unwrap(), b"one");
    let time = |name: &str| fs::metadata(root.join(name)).unwrap().modified().unwrap();
    assert_eq!(time("c"), time("b"));
    fs::create_dir(root.join("folder")).unwrap();
    assert!(untrusted.write(at("folder"), b"x", 0o644).is_err());
    assert_eq!(
        fs::read_dir(folder.path().join("spare")).unwrap().count(),
        0,
        "nothing is left of what failed"
    );
}

#[test]
fn what_never_ends_or_is_too_long_is_not_read() {
    let (_folder, root, untrusted) = setup();
    rustix::fs::mkfifoat(CWD, root.join("fifo"), Mode::from_raw_mode(0o600)).unwrap();
    File::create(root.join("sparse")).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(untrusted.read(at("fifo"), 9).unwrap(), None);
    assert_eq!(untrusted.read(at("sparse"), 1 << 10).unwrap(), None);
    assert_eq!(untrusted.look(at("fifo")).unwrap().unwrap().kind, UntrustedEntryKind::Other);
}

#[test]
fn what_is_deleted_below_is_said_as_the_kernel_says_it() {
    let (_folder, root, untrusted) = setup();
    untrusted.make_folder(at("d"), 0o750).unwrap();
    untrusted.white_out(at("d/gone")).unwrap();
    assert_eq!(untrusted.look(at("d/gone")).unwrap().unwrap().kind, UntrustedEntryKind::Whiteout);
    assert!(untrusted.white_out(at("d/gone")).is_err(), "it is there");
    assert!(!untrusted.is_opaque(at("d")).unwrap());
    untrusted.set_opaque(at("d"), true).unwrap();
    assert!(untrusted.is_opaque(at("d")).unwrap());
    untrusted.set_opaque(at("d"), false).unwrap();
    untrusted.set_opaque(at("d"), false).unwrap();
    assert!(!untrusted.is_opaque(at("d")).unwrap());
    let names: Vec<OsString> =
        untrusted.list(at("d"), 9).unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["gone"]);
    untrusted.remove(at("d/gone")).unwrap();
    assert_eq!(fs::read_dir(root.join("d")).unwrap().count(), 0);
}

#[test]
fn what_is_shut_or_deep_or_many_is_removed() {
    let (folder, root, untrusted) = setup();
    fs::create_dir_all(root.join("shut/inner")).unwrap();
    fs::write(root.join("shut/inner/file"), "").unwrap();
    for path in ["shut/inner/file", "shut/inner", "shut"] {
        fs::set_permissions(root.join(path), fs::Permissions::from_mode(0o000)).unwrap();
    }
    // Deeper than any path can express.
    let mut way = rustix::fs::open(&root, FOLDER, Mode::empty()).unwrap();
    for _ in 0..1_000 {
        mkdirat(&way, "deep", Mode::from_raw_mode(0o500 | 0o200)).unwrap();
        way = rustix::fs::openat(&way, "deep", FOLDER, Mode::empty()).unwrap();
    }
    fs::create_dir(root.join("many")).unwrap();
    for number in 0..deletion::BATCH + 5 {
        fs::write(root.join("many").join(number.to_string()), "").unwrap();
    }
    assert_eq!(untrusted.list(at("many"), 7).unwrap().len(), 7);
    assert_eq!(untrusted.look(at("shut/inner/file")).unwrap().unwrap().len, 0, "it is ours to open");
    for name in ["shut", "deep", "many"] {
        untrusted.remove(at(name)).unwrap();
    }
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
    // Leftovers of an interrupted removal are deleted on opening.
    fs::create_dir_all(folder.path().join("spare/left/over")).unwrap();
    drop(UntrustedFolder::open(&root, &folder.path().join("spare")).unwrap());
    assert_eq!(fs::read_dir(folder.path().join("spare")).unwrap().count(), 0);
}
