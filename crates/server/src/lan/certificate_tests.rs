#![allow(clippy::disallowed_methods, reason = "tests spoil files as no program of ours would")]

use std::os::unix::fs::PermissionsExt as _;

use rustls::pki_types::{ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConnection};
use testkit::TempHome;

use super::*;

const NOW: i64 = 1_790_000_000;

fn now() -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(NOW).unwrap()
}

/// A fixed time for verification, so that the tests do not expire.
#[derive(Debug)]
struct At(Duration);

impl rustls::time_provider::TimeProvider for At {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(self.0))
    }
}

/// Makes a TLS connection under this name, `days` from now, with a client that trusts only this authority.
fn believes(authority: &Authority, server: &Arc<ServerConfig>, name: &str, days: u32) -> Result<(), String> {
    let mut roots = RootCertStore::empty();
    roots.add(authority.certificate.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let at = At(Duration::from_secs(NOW.unsigned_abs()) + DAY * days);
    let config = ClientConfig::builder_with_details(provider, Arc::new(at))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let mut client = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut server = ServerConnection::new(Arc::clone(server)).unwrap();
    while client.is_handshaking() || server.is_handshaking() {
        let mut wire = Vec::new();
        client.write_tls(&mut wire).unwrap();
        server.read_tls(&mut wire.as_slice()).unwrap();
        server.process_new_packets().map_err(|error| error.to_string())?;
        let mut wire = Vec::new();
        server.write_tls(&mut wire).unwrap();
        let mut wire = wire.as_slice();
        while !wire.is_empty() {
            client.read_tls(&mut wire).unwrap();
            client.process_new_packets().map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

#[test]
fn who_believes_the_authority_believes_this_machine_in_its_network() {
    let home = TempHome::new();
    let authority = Authority::open(home.path(), now()).unwrap();
    let addresses = [Ipv4Addr::new(192, 168, 178, 20), Ipv4Addr::new(10, 1, 2, 3)];
    let server = authority.vouch(&addresses, &["moon.local".into(), "luna.home.arpa".into()], now()).unwrap();
    for name in ["192.168.178.20", "10.1.2.3", "127.0.0.1", "moon.local", "luna.home.arpa"] {
        assert_eq!(believes(&authority, &server, name, 0), Ok(()), "{name}");
        assert_eq!(believes(&authority, &server, name, CERTIFICATE_DAYS - 1), Ok(()), "{name}");
        assert!(
            believes(&authority, &server, name, CERTIFICATE_DAYS + 1).unwrap_err().contains("xpired"),
            "{name}"
        );
    }
    for name in ["192.168.178.21", "sun.local"] {
        assert!(believes(&authority, &server, name, 0).unwrap_err().contains("not valid for name"), "{name}");
    }
}

#[test]
fn a_stolen_key_cannot_pretend_to_be_a_site_on_the_internet() {
    let home = TempHome::new();
    let authority = Authority::open(home.path(), now()).unwrap();
    for (addresses, names, asked) in [
        (vec![], vec!["bank.example".to_owned()], "bank.example"),
        (vec![], vec!["local".into(), "evil-local".into()], "evil-local"),
        (vec![Ipv4Addr::new(9, 9, 9, 9)], vec![], "9.9.9.9"),
        // One such address invalidates the rest too.
        (vec![Ipv4Addr::new(9, 9, 9, 9)], vec![], "127.0.0.1"),
    ] {
        let server = authority.vouch(&addresses, &names, now()).unwrap();
        let refused = believes(&authority, &server, asked, 0).unwrap_err();
        assert!(refused.contains("NameConstraint"), "{asked}: {refused}");
    }
}

#[test]
fn the_authority_stays_the_same_and_its_key_is_private() {
    let home = TempHome::new();
    let folder = home.join("lan");
    let first = Authority::open(&folder, now()).unwrap();
    let later = Authority::open(&folder, now() + DAY * 500).unwrap();
    assert_eq!(first.fingerprint(), later.fingerprint());
    assert_eq!(first.fingerprint().len(), 32 * 3 - 1);
    // A client that installed the authority trusts certificates issued later.
    let server = later.vouch(&[], &[], now() + DAY * 500).unwrap();
    assert_eq!(believes(&first, &server, "127.0.0.1", 500), Ok(()));
    let mode = std::fs::metadata(folder.join(KEY)).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0);
    let other = Authority::open(&home.join("other"), now()).unwrap();
    assert_ne!(other.fingerprint(), first.fingerprint());
    assert!(believes(&other, &server, "127.0.0.1", 500).is_err());
}

#[test]
fn what_a_cut_start_left_is_made_anew_and_what_was_spoilt_is_named() {
    let home = TempHome::new();
    let first = Authority::open(&home.join("lan"), now()).unwrap().fingerprint();
    std::fs::remove_file(home.join("lan").join(AUTHORITY)).unwrap();
    let second = Authority::open(&home.join("lan"), now()).unwrap().fingerprint();
    assert_ne!(first, second);
    for spoil in [KEY, AUTHORITY] {
        let whole = home.read(format!("lan/{spoil}"));
        for text in ["", "-----BEGIN", &whole[..whole.len() / 2]] {
            home.write(format!("lan/{spoil}"), text);
            let error = Authority::open(&home.join("lan"), now()).err().map(|error| error.to_string());
            assert!(
                error.as_ref().is_some_and(|error| error.contains("remove that folder")),
                "{spoil}: {error:?}"
            );
        }
        home.write(format!("lan/{spoil}"), whole);
    }
    std::fs::remove_file(home.join("lan").join(KEY)).unwrap();
    assert!(matches!(Authority::open(&home.join("lan"), now()), Err(CertificateError::Unreadable(_))));
}

#[test]
fn only_what_lies_within_may_be_named() {
    let covered = [
        [10, 255, 0, 1],
        [172, 31, 9, 9],
        [192, 168, 0, 1],
        [169, 254, 1, 1],
        [100, 127, 0, 1],
        [127, 0, 0, 1],
    ];
    assert!(covered.into_iter().map(Ipv4Addr::from).all(covers));
    let outside = [
        [9, 9, 9, 9],
        [11, 0, 0, 1],
        [172, 32, 0, 1],
        [192, 169, 0, 1],
        [100, 128, 0, 1],
        [192, 0, 2, 2],
        [0, 0, 0, 0],
    ];
    assert!(!outside.into_iter().map(Ipv4Addr::from).any(covers));
    assert!(["moon.local", "a.b.lan", "x.home.arpa", "pc.internal"].into_iter().all(covers_name));
    let names = [
        "local",
        "moonlocal",
        "moon.example",
        ".local",
        "a..local",
        "*.local",
        "moon.local.",
        "",
        "mo on.local",
    ];
    assert!(!names.into_iter().any(covers_name));
}
