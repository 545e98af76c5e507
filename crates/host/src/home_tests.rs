use super::*;

fn info() -> RunInfo {
    RunInfo {
        address: "http://127.0.0.1:8899".into(),
        pid: std::process::id(),
        started: "2025-06-01T12:00:00Z".parse().unwrap(),
        token: Secret::new("only-for-the-owner"),
    }
}

#[test]
fn only_one_holds_the_folder_and_says_who() {
    let home = tempfile::tempdir().unwrap();
    assert!(!HomeLock::is_held(home.path()));
    let lock = HomeLock::acquire(home.path()).unwrap();
    assert!(HomeLock::is_held(home.path()));
    let Err(LockError::Held { pid, .. }) = HomeLock::acquire(home.path()) else { panic!("two holders") };
    assert_eq!(pid, Some(std::process::id()));

    drop(lock);
    assert!(!HomeLock::is_held(home.path()));
    HomeLock::acquire(home.path()).unwrap();
}

#[test]
fn a_torn_note_does_not_hide_the_lock() {
    let home = tempfile::tempdir().unwrap();
    let _lock = HomeLock::acquire(home.path()).unwrap();
    std::fs::write(home.path().join(LOCK), [0xff; 64]).unwrap();
    let error = HomeLock::acquire(home.path()).unwrap_err();
    assert!(matches!(error, LockError::Held { pid: None, .. }));
    assert!(error.to_string().contains("--home"), "{error}");
}

#[test]
fn asking_never_keeps_the_server_from_starting() {
    let home = tempfile::tempdir().unwrap();
    drop(HomeLock::acquire(home.path()).unwrap());
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                HomeLock::is_held(home.path());
            }
        });
        let outcomes: Vec<_> = (0..50).map(|_| HomeLock::acquire(home.path()).map(drop)).collect();
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    });
}

#[test]
fn a_missing_folder_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let error = HomeLock::acquire(&home.path().join("none")).unwrap_err();
    assert!(matches!(error, LockError::File(_)));
}

#[test]
fn run_json_lives_as_long_as_the_server() {
    let home = tempfile::tempdir().unwrap();
    let lock = HomeLock::acquire(home.path()).unwrap();
    assert_eq!(RunInfo::running(home.path()), None);
    let file = RunFile::write(&lock, home.path(), &info()).unwrap();
    assert_eq!(RunInfo::running(home.path()), Some(info()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let found = std::fs::metadata(home.path().join(RUN)).unwrap();
        assert_eq!(found.permissions().mode() & 0o777, 0o600);
    }
    drop(file);
    assert_eq!(RunInfo::running(home.path()), None);
    assert!(!home.path().join(RUN).exists());
}

#[test]
fn what_a_killed_server_left_does_not_count() {
    let home = tempfile::tempdir().unwrap();
    let lock = HomeLock::acquire(home.path()).unwrap();
    std::mem::forget(RunFile::write(&lock, home.path(), &info()).unwrap());
    drop(lock);
    assert!(home.path().join(RUN).exists());
    assert_eq!(RunInfo::running(home.path()), None);

    let _lock = HomeLock::acquire(home.path()).unwrap();
    std::fs::write(home.path().join(RUN), "{\"address\":").unwrap();
    assert_eq!(RunInfo::running(home.path()), None);
}
