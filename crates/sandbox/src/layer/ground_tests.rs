use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

fn bed() -> (tempfile::TempDir, PathBuf, Ground) {
    let folder = tempfile::tempdir().unwrap();
    let (root, spare) = (folder.path().join("root"), folder.path().join("spare"));
    fs::create_dir(&root).unwrap();
    fs::create_dir(&spare).unwrap();
    let ground = Ground::open(&root, &spare).unwrap();
    (folder, root, ground)
}

fn at(path: &str) -> &Path {
    Path::new(path)
}

#[test]
fn no_link_is_followed() {
    let (folder, root, ground) = bed();
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "it").unwrap();
    fs::create_dir(root.join("in")).unwrap();
    symlink(&outside, root.join("out")).unwrap();
    symlink("in", root.join("within")).unwrap();
    symlink(outside.join("secret"), root.join("file")).unwrap();
    assert_eq!(ground.look(at("out")).unwrap().unwrap().kind, Kind::Link);
    assert_eq!(ground.look(at("out/secret")).unwrap(), None);
    for link in ["out", "within"] {
        let inner = Path::new(link).join("secret");
        assert!(ground.read(&inner, 9).is_err() && ground.write(&inner, b"x", 0o644).is_err(), "{link}");
        assert!(ground.list(at(link), 9).is_err() && ground.make_folder(&inner, 0o755).is_err());
        assert!(ground.white_out(&inner).is_err() && ground.remove(&inner).is_err());
        assert!(ground.is_opaque(at(link)).is_err() && ground.set_opaque(at(link), true).is_err());
    }
    assert!(ground.read(at("file"), 9).is_err());
    for path in ["../outside/secret", "/etc/passwd", "in/../../outside/secret"] {
        assert!(ground.read(at(path), 9).is_err() && ground.write(at(path), b"x", 0o644).is_err(), "{path}");
    }
    // The link itself is replaced and removed, not its target.
    ground.write(at("file"), b"mine", 0o600).unwrap();
    ground.remove(at("out")).unwrap();
    assert_eq!(fs::read(outside.join("secret")).unwrap(), b"it");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    ground.clear().unwrap();
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
}

#[test]
fn a_file_is_put_there_in_one_piece_and_is_another() {
    let (folder, root, ground) = bed();
    fs::write(root.join("a"), "one").unwrap();
    fs::hard_link(root.join("a"), root.join("b")).unwrap();
    let before = ground.look(at("a")).unwrap().unwrap();
    ground.write(at("a"), b"two", 0o4755).unwrap();
    let after = ground.look(at("a")).unwrap().unwrap();
    assert_ne!(before.stamp, after.stamp);
    assert_eq!((after.len, after.mode, after.kind), (3, 0o755, Kind::File), "without the rights of others");
    assert_eq!(fs::read(root.join("b")).unwrap(), b"one");
    let mut from = File::open(root.join("b")).unwrap();
    ground.copy(at("c"), &mut from, 0o640, true).unwrap();
    assert_eq!(fs::read(root.join("c")).unwrap(), b"one");
    let time = |name: &str| fs::metadata(root.join(name)).unwrap().modified().unwrap();
    assert_eq!(time("c"), time("b"));
    fs::create_dir(root.join("folder")).unwrap();
    assert!(ground.write(at("folder"), b"x", 0o644).is_err());
    assert_eq!(
        fs::read_dir(folder.path().join("spare")).unwrap().count(),
        0,
        "nothing is left of what failed"
    );
}

#[test]
fn what_never_ends_or_is_too_long_is_not_read() {
    let (_folder, root, ground) = bed();
    rustix::fs::mkfifoat(CWD, root.join("fifo"), Mode::from_raw_mode(0o600)).unwrap();
    File::create(root.join("sparse")).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(ground.read(at("fifo"), 9).unwrap(), None);
    assert_eq!(ground.read(at("sparse"), 1 << 10).unwrap(), None);
    assert_eq!(ground.look(at("fifo")).unwrap().unwrap().kind, Kind::Other);
}

#[test]
fn what_is_deleted_below_is_said_as_the_kernel_says_it() {
    let (_folder, root, ground) = bed();
    ground.make_folder(at("d"), 0o750).unwrap();
    ground.white_out(at("d/gone")).unwrap();
    assert_eq!(ground.look(at("d/gone")).unwrap().unwrap().kind, Kind::Whiteout);
    assert!(ground.white_out(at("d/gone")).is_err(), "it is there");
    assert!(!ground.is_opaque(at("d")).unwrap());
    ground.set_opaque(at("d"), true).unwrap();
    assert!(ground.is_opaque(at("d")).unwrap());
    ground.set_opaque(at("d"), false).unwrap();
    ground.set_opaque(at("d"), false).unwrap();
    assert!(!ground.is_opaque(at("d")).unwrap());
    let names: Vec<OsString> = ground.list(at("d"), 9).unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["gone"]);
    ground.remove(at("d/gone")).unwrap();
    assert_eq!(fs::read_dir(root.join("d")).unwrap().count(), 0);
}

#[test]
fn what_is_shut_or_deep_or_many_is_removed() {
    let (folder, root, ground) = bed();
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
    for number in 0..sweep::BATCH + 5 {
        fs::write(root.join("many").join(number.to_string()), "").unwrap();
    }
    assert_eq!(ground.list(at("many"), 7).unwrap().len(), 7);
    assert_eq!(ground.look(at("shut/inner/file")).unwrap().unwrap().len, 0, "it is ours to open");
    for name in ["shut", "deep", "many"] {
        ground.remove(at(name)).unwrap();
    }
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
    // Leftovers of an interrupted removal are deleted on opening.
    fs::create_dir_all(folder.path().join("spare/left/over")).unwrap();
    drop(Ground::open(&root, &folder.path().join("spare")).unwrap());
    assert_eq!(fs::read_dir(folder.path().join("spare")).unwrap().count(), 0);
}
