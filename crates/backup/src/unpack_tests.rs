#![allow(clippy::disallowed_methods, reason = "tests lay out and break files of their own")]

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use host::hex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tar::Header;

use super::*;
use crate::testbed::{Home, now, silent};
use crate::{inspect, restore};

/// Asserts that a file is refused with a message, and that the data folder is unchanged.
fn assert_refused(home: &Home, file: &Path, case: &str) -> BackupError {
    let (before, backups) = (home.look(), home.backups());
    let outcome = restore(file, &home.paths, now(), &silent);
    let Err(error) = outcome else { panic!("{case}: it was restored") };
    assert!(error.to_string().contains("Nothing was changed"), "{case}: {error}");
    assert!(inspect(file, &home.paths, &silent).is_err(), "{case}");
    assert_eq!(home.look(), before, "{case}: {error}");
    assert_eq!(home.backups(), backups, "{case}: nothing is left behind");
    error
}

/// Returns positions spread over a file, including both ends. Testing every position of even a small file would take
/// minutes.
fn spread(length: usize, count: usize) -> impl Iterator<Item = usize> {
    let near_the_ends = count / 4;
    let middle = count - 2 * near_the_ends;
    (0..near_the_ends)
        .chain((0..middle).map(move |index| index * length / middle))
        .chain((0..near_the_ends).map(move |index| length - 1 - index))
}

#[tokio::test]
async fn one_wrong_byte_anywhere_is_noticed() {
    let home = Home::filled("luna");
    let good = fs::read(home.packed(&["hello"]).await).unwrap();
    let file = home.beside("damaged.tar.gz");
    let mut tried = 0;
    for position in spread(good.len(), 200) {
        let mut bytes = good.clone();
        bytes[position] ^= 1 << (position % 8);
        fs::write(&file, &bytes).unwrap();
        let error = assert_refused(&home, &file, &format!("byte {position}"));
        assert!(matches!(error, BackupError::Damaged { .. } | BackupError::NotABackup(_)), "{error}");
        tried += 1;
    }
    assert_eq!(tried, 200);
}

#[tokio::test]
async fn a_file_cut_anywhere_is_noticed() {
    let home = Home::filled("luna");
    let good = fs::read(home.packed(&["hello"]).await).unwrap();
    let file = home.beside("cut.tar.gz");
    for length in spread(good.len(), 50) {
        fs::write(&file, &good[..length]).unwrap();
        assert_refused(&home, &file, &format!("{length} bytes"));
    }
    fs::write(&file, [good.as_slice(), b"more"].concat()).unwrap();
    assert_refused(&home, &file, "something after its end");
}

/// Checks the protection beneath the seal: a forged seal does not help an attacker.
#[tokio::test]
async fn a_wrong_byte_under_a_right_seal_changes_nothing_either() {
    let home = Home::filled("luna");
    let path = home.packed(&["hello"]).await;
    let good = fs::read(&path).unwrap();
    let info = inspect(&path, &home.paths, &silent).unwrap();
    let file = home.beside("forged.tar.gz");
    let content = good.len() - usize::try_from(SEAL_LENGTH).unwrap();
    for position in spread(content, 200) {
        let mut bytes = good[..content].to_vec();
        bytes[position] ^= 1 << (position % 8);
        fs::write(&file, sealed(bytes)).unwrap();
        // Some bits of a gzip file have no meaning.
        match inspect(&file, &home.paths, &silent) {
            Ok(found) => assert_eq!(found, info, "byte {position}"),
            Err(error) => assert!(error.to_string().contains("Nothing was changed"), "{error}"),
        }
    }
    for length in spread(content, 50) {
        fs::write(&file, sealed(good[..length].to_vec())).unwrap();
        match inspect(&file, &home.paths, &silent) {
            // Only the last bytes are missing, so every listed file is still there.
            Ok(found) => assert_eq!((found.files, found.bytes), (info.files, info.bytes), "{length} bytes"),
            Err(error) => assert!(error.to_string().contains("Nothing was changed"), "{error}"),
        }
    }
}

#[test]
fn what_is_no_backup_at_all_is_told_so() {
    let home = Home::filled("luna");
    let file = home.beside("other");
    let picture = [b"\x89PNG\r\n".as_slice(), &[7; 5000]].concat();
    for (bytes, case) in [(&[][..], "empty"), (b"hi", "two bytes"), (&picture, "a picture")] {
        fs::write(&file, bytes).unwrap();
        let error = assert_refused(&home, &file, case);
        assert!(matches!(error, BackupError::NotABackup(_)), "{case}: {error}");
    }
    let mut foreign = GzEncoder::new(Vec::new(), Compression::fast());
    foreign.write_all(&picture).unwrap();
    fs::write(&file, foreign.finish().unwrap()).unwrap();
    assert!(matches!(assert_refused(&home, &file, "a gzip file"), BackupError::Damaged { .. }));
    assert!(matches!(
        assert_refused(&home, &home.paths.home, "a folder"),
        BackupError::NotABackup(_) | BackupError::File(_)
    ));
    assert!(matches!(assert_refused(&home, &home.beside("none"), "no file"), BackupError::File(_)));
}

fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    let sum = hex(&Sha256::digest(&content));
    content.extend(seal(&sum));
    content
}

/// A builder of invalid archives.
struct Forged {
    home: Home,
    database: Vec<u8>,
}

/// One entry of a tar file.
#[derive(Clone)]
struct Raw {
    kind: EntryType,
    name: String,
    claimed: u64,
    content: Vec<u8>,
}

fn raw(kind: EntryType, name: &str, content: &[u8]) -> Raw {
    Raw { kind, name: name.into(), claimed: content.len() as u64, content: content.to_vec() }
}

fn regular(name: &str, content: &[u8]) -> Raw {
    raw(EntryType::Regular, name, content)
}

fn listed(name: &str, content: &[u8]) -> Value {
    json!({
        "path": name, "kind": "file", "size": content.len(), "sha256": hex(&Sha256::digest(content)),
        "modified": "2025-06-01T12:00:00Z", "executable": false,
    })
}

fn manifest(files: &[Value]) -> Value {
    json!({"format": 1, "version": "0.1.0", "created": "2025-06-01T12:00:00Z", "skipped": [], "files": files})
}

impl Forged {
    async fn new() -> Self {
        let home = Home::filled("luna");
        let store = home.store();
        let copy = home.beside("copy.db");
        store.backup_to(&copy).await.unwrap();
        store.close().await;
        Self { home, database: fs::read(copy).unwrap() }
    }

    /// Writes the given manifest, then the entries.
    fn write(&self, manifest: &Value, entries: &[Raw]) -> PathBuf {
        let manifest = regular("manifest.json", manifest.to_string().as_bytes());
        self.write_raw(&[std::slice::from_ref(&manifest), entries].concat())
    }

    fn write_raw(&self, entries: &[Raw]) -> PathBuf {
        let mut tar = GzEncoder::new(Vec::new(), Compression::fast());
        for entry in entries {
            let mut header = Header::new_gnu();
            header.set_entry_type(entry.kind);
            header.set_size(entry.claimed);
            header.set_mode(0o600);
            let name = entry.name.as_bytes();
            header.as_old_mut().name[..name.len()].copy_from_slice(name);
            header.set_cksum();
            tar.write_all(header.as_bytes()).unwrap();
            tar.write_all(&entry.content).unwrap();
            tar.write_all(&vec![0; entry.content.len().next_multiple_of(512) - entry.content.len()]).unwrap();
        }
        tar.write_all(&[0; 1024]).unwrap();
        let file = self.home.beside("forged.tar.gz");
        fs::write(&file, sealed(tar.finish().unwrap())).unwrap();
        file
    }

    fn database(&self) -> (Value, Raw) {
        (listed(DATABASE, &self.database), regular(DATABASE, &self.database))
    }

    /// Writes an archive with the database and the given files and entries.
    fn with(&self, files: &[Value], entries: &[Raw]) -> PathBuf {
        let (listed, raw) = self.database();
        self.write(&manifest(&[&[listed], files].concat()), &[&[raw], entries].concat())
    }
}

#[tokio::test]
async fn an_archive_as_it_should_be_is_accepted() {
    let forged = Forged::new().await;
    let file = forged.with(&[listed("token", b"secret")], &[regular("token", b"secret")]);
    restore(&file, &forged.home.paths, now(), &silent).unwrap();
    assert_eq!(fs::read(forged.home.paths.home.join("token")).unwrap(), b"secret");
}

/// The defect, the expected message, and a function that makes the file.
type Case<'a> = (&'a str, &'a str, &'a dyn Fn() -> PathBuf);

#[tokio::test]
async fn hostile_archives_get_nowhere() {
    let forged = Forged::new().await;
    let home = &forged.home;
    let token = listed("token", b"x");
    let only_token = [token.clone()];
    let folder = |name: &str| json!({"path": name, "kind": "folder"});
    let link = |name: &str, to: &str| json!({"path": name, "kind": "link", "to": to});
    let in_soul = |listed: Value, entry: Raw| {
        forged.with(&[folder("soul"), listed], &[raw(EntryType::Directory, "soul", b""), entry])
    };
    let sized = |size: u64| {
        let mut entry = token.clone();
        entry["size"] = size.into();
        entry
    };
    let claiming = |claimed: u64| Raw { claimed, ..regular("token", b"x") };
    let (database, database_raw) = forged.database();
    let mut control = manifest(std::slice::from_ref(&database));
    control["version"] = "\u{1b}[2J".into();
    let mut wrong_sum = token.clone();
    wrong_sum["sha256"] = "0".repeat(64).into();

    let cases: &[Case<'_>] = &[
        ("a name that leads out", "leads out", &|| {
            forged.with(&[listed("../evil", b"x")], &[regular("../evil", b"x")])
        }),
        ("an absolute name", "leads out", &|| {
            forged.with(&[listed("/tmp/evil", b"x")], &[regular("/tmp/evil", b"x")])
        }),
        ("another name in the archive", "not where", &|| {
            forged.with(&only_token, &[regular("../evil", b"x")])
        }),
        ("a name that climbs", "leads out", &|| {
            in_soul(listed("soul/../../e", b"x"), regular("soul/../../e", b"x"))
        }),
        ("a link out", "leads out", &|| {
            in_soul(link("soul/a", "/etc"), raw(EntryType::Symlink, "soul/a", b""))
        }),
        ("a link up", "leads out", &|| {
            in_soul(link("soul/a", "../.."), raw(EntryType::Symlink, "soul/a", b""))
        }),
        ("a file behind a link", "no folder", &|| {
            let files = [folder("soul"), link("soul/a", "b"), listed("soul/a/x", b"x")];
            let entries = [
                raw(EntryType::Directory, "soul", b""),
                raw(EntryType::Symlink, "soul/a", b""),
                regular("soul/a/x", b"x"),
            ];
            forged.with(&files, &entries)
        }),
        ("a link instead of a file", "not what", &|| {
            forged.with(&[listed("token", b"")], &[raw(EntryType::Symlink, "token", b"")])
        }),
        ("a hard link", "not what", &|| {
            forged.with(&[listed("token", b"")], &[raw(EntryType::Link, "token", b"")])
        }),
        ("a device", "not what", &|| {
            forged.with(&[listed("token", b"")], &[raw(EntryType::Char, "token", b"")])
        }),
        ("a pipe", "not what", &|| {
            forged.with(&[listed("token", b"")], &[raw(EntryType::Fifo, "token", b"")])
        }),
        ("a sparse file", "not what", &|| {
            forged.with(&only_token, &[raw(EntryType::GNUSparse, "token", b"x")])
        }),
        ("an extension", "not what", &|| {
            let extension = raw(EntryType::XHeader, "token", b"17 path=../evil\n");
            forged.with(&only_token, &[extension, regular("token", b"x")])
        }),
        ("a name twice in the list", "twice", &|| {
            forged.with(&[token.clone(), token.clone()], &[regular("token", b"x"), regular("token", b"x")])
        }),
        ("a name twice in the archive", "does not list", &|| {
            forged.with(&only_token, &[regular("token", b"x"), regular("token", b"y")])
        }),
        ("an unlisted file", "does not list", &|| forged.with(&[], &[regular("token", b"x")])),
        ("a missing file", "missing", &|| forged.with(&only_token, &[])),
        ("files in another order", "not where", &|| {
            forged.write(
                &manifest(&[database.clone(), token.clone()]),
                &[regular("token", b"x"), database_raw.clone()],
            )
        }),
        ("a wrong checksum", "checksum", &|| forged.with(&[wrong_sum.clone()], &[regular("token", b"x")])),
        ("a huge claim in the list", "tebibyte", &|| {
            forged.with(&[sized(u64::MAX)], &[regular("token", b"x")])
        }),
        ("a large claim in the list", "more than can be", &|| {
            forged.with(&[sized(1 << 36)], &[claiming(1 << 36)])
        }),
        ("a huge claim in the archive", "overflow", &|| forged.with(&only_token, &[claiming(u64::MAX)])),
        ("a large claim in the archive", "not what", &|| forged.with(&only_token, &[claiming(1 << 36)])),
        ("a negative claim", "-1", &|| {
            let mut negative = token.clone();
            negative["size"] = (-1).into();
            forged.with(&[negative], &[regular("token", b"x")])
        }),
        ("a name without end", "too long", &|| {
            let endless = Raw { claimed: 1 << 36, ..raw(EntryType::GNULongName, "x", b"x") };
            forged.with(&only_token, &[endless])
        }),
        ("two long names", "too long", &|| {
            let long = raw(EntryType::GNULongName, "x", b"token\0");
            forged.with(&only_token, &[long.clone(), long, regular("x", b"x")])
        }),
        ("a long name that leads out", "not where", &|| {
            let long = raw(EntryType::GNULongName, "x", b"../evil\0");
            forged.with(&only_token, &[long, regular("token", b"x")])
        }),
        ("an unknown name", "unknown", &|| forged.with(&[listed("evil", b"x")], &[regular("evil", b"x")])),
        ("a write-ahead log", "unknown", &|| {
            forged.with(&[listed("perigee.db-wal", b"x")], &[regular("perigee.db-wal", b"x")])
        }),
        ("no database", "no database", &|| forged.write(&manifest(&only_token), &[regular("token", b"x")])),
        ("an empty database", "no database", &|| {
            forged.write(&manifest(&[listed(DATABASE, b"")]), &[regular(DATABASE, b"")])
        }),
        ("control characters", "control", &|| forged.write(&control, std::slice::from_ref(&database_raw))),
        ("no list", "not a backup", &|| forged.write_raw(&[regular("token", b"x")])),
        ("nothing", "empty", &|| forged.write_raw(&[])),
        ("a list that is a link", "not a backup", &|| {
            forged.write_raw(&[raw(EntryType::Symlink, "manifest.json", b"")])
        }),
        ("a list that is no list", "manifest.json", &|| {
            forged.write_raw(&[regular("manifest.json", b"[1, 2")])
        }),
        ("a list of another kind", "missing field", &|| {
            forged.write_raw(&[regular("manifest.json", b"{\"format\": 1}")])
        }),
        ("a list nested without end", "EOF", &|| {
            let nested = format!("{{\"x\": {}", "[".repeat(100_000));
            forged.write_raw(&[regular("manifest.json", nested.as_bytes())])
        }),
        ("a list without end", "too long", &|| {
            forged.write_raw(&[Raw { claimed: u64::MAX / 2, ..regular("manifest.json", b"{}") }])
        }),
    ];
    for (case, why, make) in cases {
        let error = assert_refused(home, &make(), case);
        assert!(error.to_string().contains(why), "{case}: {error}");
        for evil in ["evil", "home/evil", "e"] {
            assert!(!home.beside(evil).exists(), "{case}");
        }
    }
}

#[tokio::test]
async fn what_a_newer_program_made_is_told_so() {
    let forged = Forged::new().await;
    // Of a future format, only the number can be read.
    let manifest = json!({"format": 2, "entries": {"soul": "elsewhere"}});
    let error = assert_refused(&forged.home, &forged.write(&manifest, &[]), "a newer format");
    assert!(matches!(error, BackupError::NewerFormat { found: 2, known: 1 }), "{error}");
    assert!(error.to_string().contains("Update Perigee"), "{error}");
}

#[tokio::test]
async fn the_database_is_looked_over() {
    let mut forged = Forged::new().await;
    let good = forged.database.clone();
    // The offsets of SQLite's `user_version` and `application_id`.
    let (format, mark) = (60..64, 68..72);

    forged.database[format].copy_from_slice(&99_u32.to_be_bytes());
    let error = assert_refused(&forged.home, &forged.with(&[], &[]), "a newer database");
    assert!(matches!(error, BackupError::NewerDatabase { found: 99, .. }), "{error}");

    forged.database.clone_from(&good);
    forged.database[mark].fill(0);
    let error = assert_refused(&forged.home, &forged.with(&[], &[]), "another program's database");
    assert!(matches!(error, BackupError::BadDatabase(_)), "{error}");

    forged.database = good[..good.len() / 2].to_vec();
    let error = assert_refused(&forged.home, &forged.with(&[], &[]), "half a database");
    assert!(matches!(error, BackupError::BadDatabase(_)), "{error}");

    forged.database = b"no database".repeat(1000);
    let error = assert_refused(&forged.home, &forged.with(&[], &[]), "no database");
    assert!(matches!(error, BackupError::BadDatabase(_)), "{error}");
}

#[test]
fn a_backup_that_does_not_fit_is_refused_before_it_is_unpacked() {
    let home = Home::empty();
    let room = TempFolder::make(&home.paths.backups).unwrap();
    let size = u64::MAX / 4;
    let kind = BackupEntryKind::File { size, sha256: String::new(), modified: now(), executable: false };
    let entry = BackupEntry { path: DATABASE.into(), kind };
    let manifest = Manifest::new("1".into(), now(), vec![entry], Vec::new());
    let error = check_room(Path::new("b"), &manifest, u64::MAX, &room).unwrap_err();
    assert!(matches!(error, BackupError::NoRoom { .. }), "{error}");
    assert!(error.to_string().contains("Free some space"), "{error}");
    let error = check_room(Path::new("b"), &manifest, 1 << 20, &room).unwrap_err();
    assert!(matches!(error, BackupError::Refused { .. }), "{error}");
}
