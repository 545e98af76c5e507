#![allow(clippy::disallowed_methods, reason = "tests lay out files and folders of their own")]

use std::cell::Cell;
use std::fs;
use std::io;

use super::*;
use crate::testbed::{Home, Look, look, now, silent};
use crate::{disk, mend_interrupted, places, restore_by, undo_by};

/// Returns a rename function that fails from a given call on.
fn failing(at: usize, then: Then) -> impl Fn(&Path, &Path) -> io::Result<()> {
    let count = Cell::new(0);
    move |from, to| {
        let turn = count.replace(count.get() + 1);
        let fails = match then {
            Then::GoesOn => turn == at,
            Then::StaysDead => turn >= at,
        };
        if fails { Err(io::ErrorKind::StorageFull.into()) } else { disk::rename(from, to) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    GoesOn,
    StaysDead,
}

/// Creates a data folder and a backup that differ in every place; each has something that the other lacks.
async fn changed_since_its_backup() -> (Home, PathBuf) {
    let home = Home::filled("old");
    let file = home.packed(&["hello"]).await;
    for folder in ["soul", "memories", "skills", "mcp_servers", "users"] {
        fs::remove_dir_all(home.paths.home.join(folder)).unwrap();
    }
    fs::remove_dir_all(&home.paths.assets).unwrap();
    home.fill("changed");
    fs::remove_dir_all(&home.paths.skills).unwrap();
    fs::write(home.paths.home.join("config.json"), "{}").unwrap();
    fs::write(home.paths.home.join("perigee.db-wal"), "a log").unwrap();
    (home, file)
}

#[tokio::test]
async fn a_restore_that_fails_half_way_puts_everything_back() {
    let (home, file) = changed_since_its_backup().await;
    let before = home.look();
    let mut failures = 0;
    loop {
        let rename = failing(failures, Then::GoesOn);
        let Err(error) = restore_by(&rename, &file, &home.paths, now(), &silent) else { break };
        assert!(matches!(error, BackupError::PutBack { .. }), "{error}");
        assert!(error.to_string().contains("Free some space"), "{error}");
        assert!(error.to_string().contains("put back"), "{error}");
        assert_eq!(home.look(), before, "after {failures} moves");
        assert_eq!(home.backups(), Vec::<String>::new());
        failures += 1;
    }
    assert!(failures > 20, "{failures}");
    assert_ne!(home.look(), before);

    let restored = home.look();
    for failing_at in 0..failures {
        let rename = failing(failing_at, Then::GoesOn);
        undo_by(&rename, &home.paths, now()).unwrap_err();
        assert_eq!(home.look(), restored, "after {failing_at} moves");
        assert_eq!(home.backups().len(), 1);
    }
    undo_by(&disk::rename, &home.paths, now()).unwrap();
    assert_eq!(home.look(), before);
}

#[tokio::test]
async fn a_disk_that_dies_half_way_is_mended_at_the_next_start() {
    let (home, file) = changed_since_its_backup().await;
    let before = home.look();
    let mut moves = 0;
    loop {
        let rename = failing(moves, Then::StaysDead);
        let Err(error) = restore_by(&rename, &file, &home.paths, now(), &silent) else { break };
        let stuck = match &error {
            BackupError::Stuck { folder, .. } => {
                assert!(error.to_string().contains("Nothing is lost"), "{error}");
                assert!(folder.exists());
                true
            }
            BackupError::PutBack { .. } => false,
            other => panic!("{other}"),
        };
        assert_eq!(stuck, moves > 0, "{error}");
        assert_eq!(mend_interrupted(&home.paths).unwrap(), stuck);
        assert_eq!(home.look(), before, "after {moves} moves");
        assert_eq!(home.backups(), Vec::<String>::new());
        moves += 1;
    }
    assert!(!mend_interrupted(&home.paths).unwrap());

    let restored = home.look();
    for moves in 1..moves {
        undo_by(&failing(moves, Then::StaysDead), &home.paths, now()).unwrap_err();
        assert!(mend_interrupted(&home.paths).unwrap());
        assert_eq!(home.look(), restored, "after {moves} moves");
    }
    // Another attempt first rolls back the interrupted one.
    undo_by(&failing(3, Then::StaysDead), &home.paths, now()).unwrap_err();
    undo_by(&disk::rename, &home.paths, now()).unwrap();
    assert_eq!(home.look(), before);
}

/// Simulates a killed process that could not clean up.
#[test]
fn after_a_kill_everything_is_put_back() {
    for moves in 1..40 {
        let home = Home::filled("old");
        let before = home.look();
        let staged = home.paths.backups.join(".work-1");
        fs::create_dir_all(&home.paths.backups).unwrap();
        let other = Home::filled("changed");
        fs::rename(&other.paths.home, &staged).unwrap();
        let places = places::places(&home.paths).unwrap();
        let rename = failing(moves, Then::StaysDead);
        if put_in_place(&rename, &places, &staged, &home.paths.backups, now()).is_ok() {
            assert!(moves > 10);
            return;
        }
        assert!(mend(&disk::rename, &home.paths.backups).unwrap());
        assert_eq!(home.look(), before, "after {moves} moves");
        assert_eq!(home.backups(), Vec::<String>::new());
    }
    panic!("it never succeeded");
}

#[tokio::test]
async fn places_on_another_disk_are_copied() {
    let across = |_: &Path, _: &Path| Err(io::ErrorKind::CrossesDevices.into());
    let (home, file) = changed_since_its_backup().await;
    let before = home.look();
    restore_by(&across, &file, &home.paths, now(), &silent).unwrap();
    let there = home.look();
    assert!(there.contains_key("skills/tidy/run.sh"));
    assert!(there["skills/tidy/run.sh"].starts_with("program"));
    assert_eq!(there["memories/latest.md"], "-> first.md");
    assert!(!there.contains_key("config.json"));
    assert!(there.keys().all(|path| !path.contains(".tmp")), "{there:?}");
    undo_by(&across, &home.paths, now()).unwrap();
    assert_eq!(home.look(), before);
}

#[tokio::test]
async fn what_cannot_go_to_another_disk_stays_and_so_does_the_rest() {
    let across = |_: &Path, _: &Path| Err(io::ErrorKind::CrossesDevices.into());
    let (home, file) = changed_since_its_backup().await;
    let _socket = std::os::unix::net::UnixListener::bind(home.paths.assets.join("socket")).unwrap();
    let names = |look: Look| look.into_keys().collect::<Vec<_>>();
    let listed = |home: &Home| {
        let mut listed = Vec::new();
        let mut waiting = vec![home.paths.home.clone()];
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    waiting.push(entry.path());
                }
                listed.push(entry.path());
            }
        }
        listed.retain(|path| !path.starts_with(&home.paths.backups));
        listed.sort();
        listed
    };
    let before = listed(&home);
    let error = restore_by(&across, &file, &home.paths, now(), &silent).unwrap_err();
    assert!(matches!(error, BackupError::PutBack { .. }), "{error}");
    assert_eq!(listed(&home), before);
    assert_eq!(names(look(&home.paths.backups)), Vec::<String>::new());
}

/// Simulates a power failure after a copy has reached another disk and before the original is removed.
#[test]
fn two_copies_of_one_thing_lose_neither() {
    let home = Home::filled("old");
    let before = home.look();
    let staged = home.paths.backups.join(".work-1");
    fs::create_dir_all(staged.join("soul")).unwrap();
    fs::write(staged.join("soul/identity.md"), "other").unwrap();
    let soul = Move { name: "soul".into(), path: home.paths.soul.clone(), had: true, gets: true };
    let set = Set::begin(&home.paths.backups, &staged, vec![soul], now()).unwrap();
    fs::rename(&home.paths.soul, set.holds("soul")).unwrap();
    fs::create_dir(&home.paths.soul).unwrap();
    fs::write(home.paths.soul.join("identity.md"), "other").unwrap();

    assert!(mend(&disk::rename, &home.paths.backups).unwrap());
    assert_eq!(home.look(), before);
    assert_eq!(fs::read_to_string(set.folder.join("spare/soul/identity.md")).unwrap(), "other");
    assert!(!mend(&disk::rename, &home.paths.backups).unwrap());
}
