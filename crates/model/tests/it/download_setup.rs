//! Downloads from a hub of the test, into a folder of the test.

use std::sync::Arc;
use std::time::Duration;

use model::{Catalogue, CatalogueItem, CatalogueSource, DownloadOptions, Downloads, Http, Purpose, Retry};
use protocol::{Download, PullRequest};
use sha2::{Digest, Sha256};
use testkit::{Hub, TempHome};

pub const PATH: &str = "/maker/moon/resolve/main/moon.gguf";

/// Creates a file with GGUF magic bytes and varied content.
pub fn gguf(length: u32, seed: u32) -> Vec<u8> {
    let mut bytes = b"GGUF".to_vec();
    bytes.extend(
        (0..length - 4).map(|at| (at.wrapping_mul(31).wrapping_add(at >> 8) ^ seed).to_le_bytes()[0]),
    );
    bytes
}

pub fn sha256(bytes: &[u8]) -> String {
    host::hex(&Sha256::digest(bytes))
}

pub fn item(bytes: &[u8], pinned: bool, sources: Vec<CatalogueSource>) -> CatalogueItem {
    CatalogueItem {
        name: "moon".into(),
        title: "Moon".into(),
        about: "A moon.".into(),
        parameters: "1B".into(),
        licence: "MIT".into(),
        bytes: bytes.len() as u64,
        memory: 1 << 30,
        sha256: pinned.then(|| sha256(bytes).into()),
        sources,
        tiny: false,
        purpose: Purpose::Chat,
    }
}

pub fn hub_source() -> CatalogueSource {
    CatalogueSource::Hub { repo: "maker/moon".into(), file: "moon.gguf".into() }
}

pub struct DownloadSetup {
    pub home: TempHome,
    pub hub: Hub,
    pub options: DownloadOptions,
}

impl DownloadSetup {
    pub async fn new() -> Self {
        let (home, hub) = (TempHome::new(), Hub::start().await);
        let mut options =
            DownloadOptions::new(home.join("models"), &config::Models::default(), Http::default());
        options.hub_url = hub.url();
        options.retry =
            Retry { attempts: 4, first_wait: Duration::from_millis(1), longest_wait: Duration::from_secs(1) };
        Self { home, hub, options }
    }

    pub fn downloads(&self, items: Vec<CatalogueItem>) -> Downloads {
        Downloads::new(self.options.clone(), Arc::new(Catalogue::new(items)))
    }

    /// Creates downloads with a catalogue of one model that the hub serves.
    pub fn with_hub(&self, bytes: &[u8], pinned: bool) -> Downloads {
        self.hub.file(PATH, bytes);
        self.downloads(vec![item(bytes, pinned, vec![hub_source()])])
    }

    /// Returns the files that could be loaded.
    pub fn models(&self) -> Vec<String> {
        let mut names = self.home.list("models");
        names.retain(|name| name != ".incoming");
        names
    }

    /// Returns the files of unfinished downloads.
    pub fn parts(&self) -> Vec<String> {
        let mut names = self.home.list("models/.incoming");
        names.retain(|name| !name.ends_with(".checked"));
        names
    }

    pub fn model(&self) -> Vec<u8> {
        std::fs::read(self.home.join("models/moon.gguf")).unwrap()
    }
}

pub fn pull(name: &str) -> PullRequest {
    PullRequest { name: name.into(), source: None, then_use: false }
}

pub async fn download_to_end(downloads: &Downloads, name: &str) -> Download {
    let started = downloads.start(&pull(name)).unwrap();
    downloads.finished(&started.name).await.unwrap()
}
