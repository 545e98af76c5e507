#![allow(clippy::disallowed_methods, reason = "tests lay out files and folders of their own")]

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use config::Config;

use super::testbed::{Home, VERSION, look, now, said, say, silent};
use super::*;

/// Removes the database from the comparison: its bytes differ between copies, and its content is compared separately.
fn without_database(mut look: testbed::Look) -> testbed::Look {
    look.retain(|path, _| !path.starts_with(DATABASE));
    look
}

fn later(seconds: i64) -> Timestamp {
    now() + jiff::SignedDuration::from_secs(seconds)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_comes_back_though_others_wrote_meanwhile() {
    let home = Home::filled("luna");
    let expected = home.look();
    home.fill_what_is_never_packed();
    let store = home.store();
    for number in 0..20 {
        say(&store, &format!("before {number:02} {}", "pad ".repeat(500))).await;
    }
    let file = home.beside("backup.tar.gz");
    let reached = Mutex::new(Vec::new());
    let note = |progress| reached.lock().unwrap().push(progress);
    let writing = async {
        for number in 0..20 {
            say(&store, &format!("meanwhile {number}")).await;
        }
    };
    let (made, ()) = tokio::join!(create(&store, &home.paths, VERSION, now(), &file, &note), writing);
    let made = made.unwrap();

    assert_eq!((made.version.as_str(), made.created), (VERSION, now()));
    assert_eq!(made.files, 16);
    assert_eq!(made.archive_bytes, fs::metadata(&file).unwrap().len());
    assert_eq!(made.skipped, []);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(home.backups(), ["old.tar.gz"], "nothing is left behind");
    let reached = reached.into_inner().unwrap();
    assert!(reached.is_sorted_by_key(|progress| progress.done), "{reached:?}");
    let last = reached.last().unwrap();
    assert_eq!((last.done, last.total), (made.bytes * 2, made.bytes * 2));

    let other = Home::empty();
    assert_eq!(inspect(&file, &other.paths, &silent).unwrap(), made);
    assert_eq!(other.look(), testbed::Look::new(), "a look changes nothing");
    let restored = restore(&file, &other.paths, now(), &silent).unwrap();
    assert_eq!(restored.info, made);
    assert_eq!(restored.notes, Vec::<String>::new());
    assert_eq!(without_database(other.look()), expected);
    let token = fs::metadata(other.paths.home.join("token")).unwrap();
    assert_eq!(token.permissions().mode() & 0o777, 0o600);

    let copy = other.store();
    assert!(copy.check().await.unwrap().is_sound());
    let messages = said(&copy).await;
    assert_eq!(messages.iter().filter(|message| message.starts_with("before")).count(), 20);
    assert!(messages.len() <= 40);
}

#[tokio::test]
async fn dates_of_files_survive() {
    let home = Home::filled("luna");
    let long_ago = "2001-02-03T04:05:06Z".parse::<Timestamp>().unwrap().into();
    File::open(home.paths.soul.join("identity.md")).unwrap().set_modified(long_ago).unwrap();
    let file = home.packed(&[]).await;
    restore(&file, &home.paths, now(), &silent).unwrap();
    let found = fs::metadata(home.paths.soul.join("identity.md")).unwrap();
    assert_eq!(found.modified().unwrap(), long_ago);
}

#[tokio::test]
async fn other_programs_open_a_backup() {
    let home = Home::filled("luna");
    let file = home.packed(&["hello"]).await;
    let mut archive = tar::Archive::new(flate2::read::MultiGzDecoder::new(File::open(file).unwrap()));
    let to = home.beside("unpacked");
    archive.unpack(&to).unwrap();
    assert!(to.join("manifest.json").exists());
    let mut unpacked = look(&to);
    unpacked.remove("manifest.json");
    assert_eq!(without_database(unpacked), without_database(home.look()));
}

#[tokio::test]
async fn names_of_any_length_come_back() {
    let home = Home::filled("luna");
    let memories = &home.paths.memories;
    // A tar header has 100 bytes for a name, so longer names need an entry of their own.
    for length in (80..=110).chain([200, 255]) {
        let name = format!("{}\u{1f319}", "n".repeat(length - 4));
        fs::write(memories.join(&name), &name).unwrap();
        symlink(&name, memories.join(format!("link{length}"))).unwrap();
    }
    let file = home.packed(&[]).await;
    let other = Home::empty();
    restore(&file, &other.paths, now(), &silent).unwrap();
    assert_eq!(look(&other.paths.memories), look(memories));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_changes_while_it_is_read_is_in_as_it_was_read() {
    let home = Home::filled("luna");
    let store = home.store();
    let (diary, stop) = (home.paths.memories.join("diary.md"), Arc::new(AtomicBool::new(false)));
    let stopped = Arc::clone(&stop);
    let writer = std::thread::spawn(move || {
        let mut length = 0;
        while !stopped.load(Ordering::Relaxed) {
            length = (length + 79_190) % 300_000;
            fs::write(&diary, "x".repeat(length)).unwrap();
        }
    });
    for number in 0..10 {
        let file = home.beside(&format!("{number}.tar.gz"));
        let made = create(&store, &home.paths, VERSION, now(), &file, &silent).await.unwrap();
        assert_eq!(inspect(&file, &home.paths, &silent).unwrap(), made);
    }
    stop.store(true, Ordering::Relaxed);
    writer.join().unwrap();
}

#[tokio::test]
async fn what_does_not_belong_into_a_backup_is_named() {
    let home = Home::filled("luna");
    let secret = home.beside("secret");
    fs::write(&secret, "outside").unwrap();
    let memories = &home.paths.memories;
    symlink(&secret, memories.join("absolute")).unwrap();
    symlink("../../secret", memories.join("above")).unwrap();
    symlink("../memories/first.md", memories.join("around")).unwrap();
    fs::create_dir(memories.join("deep")).unwrap();
    symlink("../first.md", memories.join("deep/inside")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(memories.join("socket")).unwrap();
    fs::write(memories.join(".git/index.lock"), "").unwrap();
    let strange: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"bad\xff\x1b[31m");
    fs::write(memories.join(strange), "").unwrap();

    let file = home.packed(&[]).await;
    let other = Home::empty();
    let info = restore(&file, &other.paths, now(), &silent).unwrap().info;
    let skipped: Vec<_> = info.skipped.iter().map(|note| note.path.as_str()).collect();
    assert_eq!(
        skipped,
        [
            "memories/above",
            "memories/absolute",
            "memories/around",
            "memories/bad\u{fffd}\u{fffd}[31m",
            "memories/socket"
        ]
    );
    let found = look(&other.paths.memories);
    assert_eq!(found["deep/inside"], "-> ../first.md");
    assert_eq!(found["latest.md"], "-> first.md");
    assert!(!found.contains_key(".git/index.lock"), "nobody would ever release it");
    assert!(!found.contains_key("absolute"));
}

#[tokio::test]
async fn a_place_that_is_a_link_is_packed_as_what_it_leads_to() {
    let home = Home::filled("luna");
    let (dotfiles, config) = (home.beside("dotfiles"), home.paths.home.join("config.toml"));
    fs::create_dir(&dotfiles).unwrap();
    fs::rename(&config, dotfiles.join("config.toml")).unwrap();
    symlink(dotfiles.join("config.toml"), &config).unwrap();
    fs::rename(&home.paths.soul, dotfiles.join("soul")).unwrap();
    symlink(dotfiles.join("soul"), &home.paths.soul).unwrap();
    let file = home.packed(&[]).await;
    let before = home.look();

    restore(&file, &home.paths, now(), &silent).unwrap();
    assert!(fs::symlink_metadata(&config).unwrap().is_file());
    assert_eq!(fs::read_to_string(home.paths.soul.join("identity.md")).unwrap(), "I am luna.");
    assert!(dotfiles.join("soul/identity.md").exists(), "what a link led to is left alone");
    undo_restore(&home.paths, later(1)).unwrap();
    assert_eq!(home.look(), before);
}

#[tokio::test]
async fn places_go_where_the_settings_put_them() {
    let around = tempfile::tempdir().unwrap();
    let state = around.path().join("state");
    let config = Config {
        state_dir: Some(state.clone()),
        assets_dir: Some(around.path().join("assets")),
        ..Config::default()
    };
    let moved = Home::with(&config);
    moved.fill("luna");
    fs::write(moved.paths.home.join("config.toml"), format!("state_dir = \"{}\"\n", state.display()))
        .unwrap();
    let file = moved.packed(&[]).await;

    let usual = Home::empty();
    let restored = restore(&file, &usual.paths, now(), &silent).unwrap();
    assert_eq!(fs::read_to_string(usual.paths.home.join("soul/identity.md")).unwrap(), "I am luna.");
    assert!(usual.paths.home.join("assets/models/luna.vrm").exists());
    assert_eq!(restored.notes.len(), 4, "{:?}", restored.notes);
    assert!(restored.notes[0].starts_with("The soul files are in "), "{:?}", restored.notes);
    assert!(restored.notes[0].contains(state.join("soul").to_str().unwrap()), "{:?}", restored.notes);

    fs::write(moved.paths.soul.join("identity.md"), "changed").unwrap();
    fs::remove_dir_all(&moved.paths.assets).unwrap();
    restore(&file, &moved.paths, now(), &silent).unwrap();
    assert_eq!(fs::read_to_string(state.join("soul/identity.md")).unwrap(), "I am luna.");
    assert!(around.path().join("assets/models/luna.vrm").exists());
    assert!(!moved.paths.home.join("soul").exists());
    undo_restore(&moved.paths, later(1)).unwrap();
    assert_eq!(fs::read_to_string(state.join("soul/identity.md")).unwrap(), "changed");
    assert!(!around.path().join("assets").exists());
}

#[tokio::test]
async fn settings_that_put_one_folder_around_another_are_refused() {
    let parent = Config { assets_dir: Some("..".into()), ..Config::default() };
    let same = Config { assets_dir: Some(".".into()), ..Config::default() };
    let around_soul = Config { assets_dir: Some("soul/..".into()), ..Config::default() };
    let mut weights = Config::default();
    weights.models.dir = Some("assets/weights".into());
    for config in [parent, same, around_soul, weights] {
        let home = Home::with(&config);
        fs::create_dir_all(home.paths.home.join("soul")).unwrap();
        let store = home.store();
        let (file, before) = (home.beside("backup.tar.gz"), without_database(home.look()));
        let error = create(&store, &home.paths, VERSION, now(), &file, &silent).await.unwrap_err();
        assert!(matches!(error, BackupError::Overlap { .. }), "{error}");
        let error = restore(&file, &home.paths, now(), &silent).unwrap_err();
        assert!(error.to_string().contains("Nothing was changed"), "{error}");
        assert_eq!((without_database(home.look()), file.exists()), (before, false));
    }
}

#[tokio::test]
async fn nothing_is_overwritten_and_nothing_is_left_of_a_failure() {
    let home = Home::filled("luna");
    let store = home.store();
    let taken = home.beside("thesis.txt");
    fs::write(&taken, "a year of work").unwrap();
    let targets = [
        (taken.clone(), "already something"),
        (home.beside(""), "already something"),
        (home.beside("no/such/folder/b.tar.gz"), "No such file"),
        (taken.join("b.tar.gz"), "ot a directory"),
    ];
    for (target, complaint) in targets {
        let error = create(&store, &home.paths, VERSION, now(), &target, &silent).await.unwrap_err();
        assert!(error.to_string().contains(complaint), "{error}");
    }
    assert_eq!(fs::read_to_string(&taken).unwrap(), "a year of work");
    assert_eq!(home.backups(), Vec::<String>::new());
    let around = look(taken.parent().unwrap());
    let beside = around.keys().filter(|path| !path.starts_with("home"));
    assert_eq!(beside.collect::<Vec<_>>(), ["thesis.txt"]);
}

#[tokio::test]
async fn whoever_changes_their_mind_finds_no_file() {
    let home = Home::filled("luna");
    fs::write(home.paths.assets.join("large"), vec![7; 2 << 20]).unwrap();
    let store = home.store();
    let file = home.beside("backup.tar.gz");
    let stops = [0, 9];
    for after in stops {
        let room = TempFolder::make(&home.paths.backups).unwrap();
        store.backup_to(&room.path().join(DATABASE)).await.unwrap();
        let told = std::cell::Cell::new(0);
        let tell = |_| {
            told.set(told.get() + 1);
            told.get() <= after
        };
        pack(&home.paths, &room, VERSION.into(), now(), &file, &ProgressMeter::new(&tell)).unwrap_err();
        assert_eq!(told.get(), after + 1, "the work ends at once");
    }
    assert_eq!(home.backups(), Vec::<String>::new());
    let around = look(file.parent().unwrap());
    assert_eq!(around.keys().filter(|path| !path.starts_with("home")).count(), 0);
}

#[tokio::test]
async fn a_restore_can_be_undone_and_that_too() {
    let home = Home::filled("old");
    let file = home.packed(&["the old message"]).await;

    let store = home.store();
    say(&store, "the later message").await;
    store.close().await;
    fs::write(home.paths.soul.join("identity.md"), "I am another.").unwrap();
    fs::write(home.paths.soul.join("extra.md"), "Also me.").unwrap();
    fs::remove_file(home.paths.home.join("config.toml")).unwrap();
    fs::write(home.paths.home.join("config.json"), "{}").unwrap();
    fs::remove_dir_all(&home.paths.skills).unwrap();
    home.fill_what_is_never_packed();
    let later_on = home.look();

    let restored = restore(&file, &home.paths, now(), &silent).unwrap();
    assert_eq!(restored.kept, home.paths.backups.join("before-restore-2025-06-01T12-00-00Z"));
    let put_back = home.look();
    assert_eq!(fs::read_to_string(home.paths.soul.join("identity.md")).unwrap(), "I am old.");
    for gone in ["soul/extra.md", "config.json"] {
        assert!(!home.paths.home.join(gone).exists(), "{gone}");
    }
    assert!(home.paths.skills.join("tidy/run.sh").exists());
    assert!(home.paths.home.join("models/big.gguf").exists());
    let store = home.store();
    assert_eq!(said(&store).await, ["the old message"]);
    store.close().await;

    // The undo works even if the clock was set back.
    let kept = undo_restore(&home.paths, later(-3600)).unwrap();
    assert_eq!(home.look(), later_on);
    let sets = |home: &Home| home.backups().into_iter().filter(|name| name.starts_with("before")).count();
    assert_eq!((kept.exists(), sets(&home)), (true, 1));
    let store = home.store();
    assert_eq!(said(&store).await, ["the later message", "the old message"]);
    store.close().await;

    undo_restore(&home.paths, now()).unwrap();
    assert_eq!(without_database(home.look()), without_database(put_back));
    undo_restore(&home.paths, now()).unwrap();
    assert_eq!(without_database(home.look()), without_database(later_on));
    assert_eq!(sets(&home), 1);
}

#[tokio::test]
async fn two_restores_are_undone_one_after_the_other() {
    let home = Home::filled("first");
    let file = home.packed(&[]).await;
    fs::write(home.paths.soul.join("identity.md"), "second").unwrap();
    let identity = || fs::read_to_string(home.paths.soul.join("identity.md")).unwrap();
    restore(&file, &home.paths, now(), &silent).unwrap();
    fs::write(home.paths.soul.join("identity.md"), "third").unwrap();
    restore(&file, &home.paths, now(), &silent).unwrap();
    assert_eq!(identity(), "I am first.");
    assert_eq!(home.backups().len(), 2, "in the same second, too");
    undo_restore(&home.paths, now()).unwrap();
    assert_eq!(identity(), "third");
}

#[tokio::test]
async fn an_empty_folder_is_filled_and_emptied_again() {
    let file_home = Home::filled("luna");
    let file = file_home.packed(&["hello"]).await;
    let home = Home::empty();
    assert!(matches!(undo_restore(&home.paths, now()), Err(BackupError::NothingToUndo)));
    restore(&file, &home.paths, now(), &silent).unwrap();
    assert!(home.paths.database.exists());
    undo_restore(&home.paths, later(1)).unwrap();
    assert_eq!(home.look(), testbed::Look::new());
    undo_restore(&home.paths, later(2)).unwrap();
    let store = home.store();
    assert_eq!(said(&store).await, ["hello"]);
}

#[tokio::test]
async fn a_set_that_lost_something_is_not_put_back() {
    let home = Home::filled("luna");
    let file = home.packed(&[]).await;
    let kept = restore(&file, &home.paths, now(), &silent).unwrap().kept;
    let before = home.look();
    fs::remove_dir_all(kept.join("assets")).unwrap();
    let error = undo_restore(&home.paths, later(1)).unwrap_err();
    assert!(matches!(error, BackupError::BadSet { .. }), "{error}");
    assert!(error.to_string().contains("assets"), "{error}");
    fs::write(kept.join("restore.json"), "{").unwrap();
    let error = undo_restore(&home.paths, later(1)).unwrap_err();
    assert!(error.to_string().contains("Nothing was changed"), "{error}");
    assert_eq!(home.look(), before);

    // The damaged set blocks no other operation.
    assert!(!mend_interrupted(&home.paths).unwrap());
    restore(&file, &home.paths, later(2), &silent).unwrap();
}

#[test]
fn the_workrooms_of_the_killed_go_after_a_day() {
    let home = Home::empty();
    let room = TempFolder::make(&home.paths.backups).unwrap();
    let today = Timestamp::now();
    disk::sweep(&home.paths.backups, today);
    assert_eq!(home.backups().len(), 1);
    disk::sweep(&home.paths.backups, today + jiff::SignedDuration::from_hours(25));
    assert_eq!(home.backups().len(), 0);
    std::mem::forget(room);
}

#[tokio::test]
async fn nobody_is_let_in_by_a_backup() {
    let home = Home::empty();
    let store = home.store();
    let approval = store::McpApproval { launch: "sum".to_owned(), ..Default::default() };
    store.approve_mcp("notes", approval.clone()).await.unwrap();
    store.close().await;
    let file = home.packed(&["a message"]).await;
    restore(&file, &home.paths, now(), &silent).unwrap();
    let store = home.store();
    assert_eq!(store.mcp_approval("notes").await.unwrap(), None, "a server is asked about again");
    assert_eq!(said(&store).await, ["a message"]);
    store.close().await;
    // The previous database comes back with its approvals.
    undo_restore(&home.paths, now()).unwrap();
    let store = home.store();
    assert_eq!(store.mcp_approval("notes").await.unwrap(), Some(approval));
    store.close().await;
}
