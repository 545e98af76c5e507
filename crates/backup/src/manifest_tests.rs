use super::*;

fn file(path: &str) -> BackupEntry {
    let kind = BackupEntryKind::File {
        size: 1,
        sha256: "0".repeat(64),
        modified: Timestamp::UNIX_EPOCH,
        executable: false,
    };
    BackupEntry { path: path.into(), kind }
}

fn folder(path: &str) -> BackupEntry {
    BackupEntry { path: path.into(), kind: BackupEntryKind::Folder }
}

fn link(path: &str, to: &str) -> BackupEntry {
    BackupEntry { path: path.into(), kind: BackupEntryKind::Link { to: to.into() } }
}

fn check(entries: Vec<BackupEntry>) -> Result<(), String> {
    let files = [vec![file(DATABASE)], entries].concat();
    Manifest::new("1".into(), Timestamp::UNIX_EPOCH, files, Vec::new()).check()
}

#[test]
fn what_a_backup_holds_is_accepted() {
    for entries in [
        vec![],
        vec![file("config.toml"), file("config.json"), file("token"), file("permissions.json")],
        vec![folder("soul"), file("soul/a b\\c \u{1f319}.md"), folder("soul/x"), file("soul/x/..md")],
        vec![folder("memories"), link("memories/a", "b"), link("memories/c", "./d/e")],
        vec![folder("memories"), folder("memories/d"), link("memories/d/a", "../b")],
    ] {
        assert_eq!(check(entries.clone()), Ok(()), "{entries:?}");
    }
}

#[test]
fn what_leads_out_or_is_unknown_is_refused() {
    let long = format!("soul/{}", "x".repeat(LONGEST_PATH));
    let cases = [
        ("leads out", vec![file("../evil")]),
        ("leads out", vec![file("/etc/evil")]),
        ("leads out", vec![folder("soul"), file("soul/../../evil")]),
        ("leads out", vec![folder("soul"), file("soul/./a")]),
        ("leads out", vec![folder("soul"), file("soul//a")]),
        ("leads out", vec![folder("soul/")]),
        ("leads out", vec![folder("soul"), file("soul/a\0b")]),
        ("leads out", vec![file("")]),
        ("leads out", vec![file(".")]),
        ("too long", vec![folder("soul"), file(&long)]),
        ("unknown", vec![file("evil")]),
        ("unknown", vec![folder("models"), file("models/x.gguf")]),
        ("unknown", vec![file("home.lock")]),
        ("unknown", vec![file("run.json")]),
        ("unknown", vec![folder("backups")]),
        ("unknown", vec![file("perigee.db-wal")]),
        ("unknown", vec![file("manifest.json")]),
        ("not what its name says", vec![file("soul")]),
        ("not what its name says", vec![link("soul", "users")]),
        ("not what its name says", vec![link("token", "users")]),
        ("not what its name says", vec![folder("token"), file("token/x")]),
        ("no folder", vec![file("soul/a")]),
        ("no folder", vec![folder("soul"), file("soul/a/b")]),
        ("no folder", vec![folder("soul"), link("soul/a", "b"), file("soul/a/b")]),
        ("no folder", vec![folder("soul"), file("soul/a"), file("soul/a/b")]),
        ("twice", vec![file("token"), file("token")]),
        ("twice", vec![file(DATABASE)]),
        ("twice", vec![folder("soul"), link("soul/a", "b"), file("soul/a")]),
    ];
    for (why, entries) in cases {
        let outcome = check(entries.clone());
        assert!(outcome.as_ref().is_err_and(|error| error.contains(why)), "{entries:?}: {outcome:?}");
    }
}

#[test]
fn links_stay_inside() {
    for to in ["/etc", "..", "../x", "../../x", "x/..", "b/../../../x", "../soul/x", "", "a\0b"] {
        let outcome = check(vec![folder("soul"), link("soul/a", to)]);
        assert!(outcome.is_err(), "{to:?}");
    }
    let deep = vec![folder("soul"), folder("soul/d"), link("soul/d/up", ".."), link("soul/d/out", "../..")];
    assert!(check(deep).is_err_and(|error| error.starts_with("soul/d/out")));
}

#[test]
fn endless_claims_are_refused() {
    let sized = |size| {
        let mut entry = file("token");
        if let BackupEntryKind::File { size: claimed, .. } = &mut entry.kind {
            *claimed = size;
        }
        entry
    };
    for size in [MOST_BYTES, u64::MAX] {
        assert!(check(vec![sized(size)]).is_err_and(|error| error.contains("tebibyte")));
    }
    let many = vec![folder("soul"); MOST_ENTRIES];
    assert!(check(many).is_err_and(|error| error.contains("more than")));
}

#[test]
fn a_database_must_be_there_and_words_must_be_words() {
    let manifest = |files, version: &str| {
        Manifest::new(version.into(), Timestamp::UNIX_EPOCH, files, Vec::new()).check()
    };
    assert!(manifest(vec![file("token")], "1").is_err_and(|error| error.contains("no database")));
    assert!(manifest(vec![folder(DATABASE)], "1").is_err());
    let mut empty = file(DATABASE);
    if let BackupEntryKind::File { size, .. } = &mut empty.kind {
        *size = 0;
    }
    assert!(manifest(vec![empty], "1").is_err_and(|error| error.contains("no database")));
    assert!(manifest(vec![file(DATABASE)], "1\u{1b}[2J").is_err_and(|error| error.contains("control")));
}
