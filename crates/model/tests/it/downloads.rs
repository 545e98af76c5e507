use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use model::{Catalogue, CatalogueItem, DownloadOptions, Downloads, Http, PullError, Purpose, Retry, Source};
use protocol::{Download, DownloadState, PullRequest, SourceKind};
use sha2::{Digest, Sha256};
use testkit::{Gate, Hub, HubFault, RecordedRequest, TempHome};

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

pub fn item(bytes: &[u8], pinned: bool, sources: Vec<Source>) -> CatalogueItem {
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

pub fn hub_source() -> Source {
    Source::Hub { repo: "maker/moon".into(), file: "moon.gguf".into() }
}

pub struct Place {
    pub home: TempHome,
    pub hub: Hub,
    pub options: DownloadOptions,
}

impl Place {
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
    fn with_hub(&self, bytes: &[u8], pinned: bool) -> Downloads {
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

pub async fn bring(downloads: &Downloads, name: &str) -> Download {
    let started = downloads.start(&pull(name)).unwrap();
    downloads.finished(&started.name).await.unwrap()
}

fn ranges(hub: &Hub) -> Vec<Option<String>> {
    hub.requests()
        .iter()
        .map(|request: &RecordedRequest| request.header("range").map(ToOwned::to_owned))
        .collect()
}

#[tokio::test]
async fn a_model_comes_from_the_hub_and_is_checked() {
    let place = Place::new().await;
    let bytes = gguf(300_000, 1);
    let downloads = place.with_hub(&bytes, false);
    place.hub.linked(PATH, &sha256(&bytes));
    let mut steps = downloads.subscribe();
    let done = bring(&downloads, "moon").await;
    assert_eq!((done.state, done.received, done.total), (DownloadState::Done, 300_000, 300_000), "{done:?}");
    assert_eq!(done.source, Some(SourceKind::Hub));
    assert_eq!((place.model(), place.models(), place.parts()), (bytes, vec!["moon.gguf".to_owned()], vec![]));
    let mut states = Vec::new();
    while let Ok(step) = steps.try_recv() {
        if states.last() != Some(&step.state) {
            states.push(step.state);
        }
    }
    let expected =
        [DownloadState::Waiting, DownloadState::Running, DownloadState::Checking, DownloadState::Done];
    assert_eq!(states, expected);
    // A second download has nothing to do.
    let before = place.hub.requests().len();
    assert_eq!(bring(&downloads, "moon").await.state, DownloadState::Done);
    assert_eq!(place.hub.requests().len(), before);
}

#[tokio::test]
async fn a_cut_download_goes_on_where_it_was() {
    for linked in [false, true] {
        let place = Place::new().await;
        let bytes = gguf(300_000, 2);
        let downloads = place.with_hub(&bytes, true);
        if linked {
            place.hub.linked(PATH, &sha256(&bytes));
        }
        place.hub.fault(PATH, HubFault::Cut { after: 100_000 }).fault(PATH, HubFault::Cut { after: 50_000 });
        assert_eq!(bring(&downloads, "moon").await.state, DownloadState::Done);
        assert_eq!(place.model(), bytes);
        let resumed = ranges(&place.hub).into_iter().flatten().collect::<Vec<_>>();
        assert!(!resumed.is_empty(), "it began anew each time");
        let last = place.hub.requests().pop().unwrap();
        assert!(last.header("if-range").is_some());
        let from: usize = last.header("range").unwrap()[6..].trim_end_matches('-').parse().unwrap();
        assert!(from >= 100_000, "{from}");
    }
}

/// Leaves half of the model behind, as if the process had ended in the middle.
async fn half(place: &mut Place, bytes: &[u8], pinned: bool) -> Downloads {
    let patient = place.options.retry;
    place.options.retry.attempts = 1;
    let downloads = place.with_hub(bytes, pinned);
    place.hub.fault(PATH, HubFault::Cut { after: 100_000 });
    let failed = bring(&downloads, "moon").await;
    assert_eq!(failed.state, DownloadState::Failed);
    assert!(failed.message.contains("try again"), "{failed:?}");
    assert_eq!((place.models().len(), place.parts().len()), (0, 2));
    place.options.retry = patient;
    place.downloads(vec![item(bytes, pinned, vec![hub_source()])])
}

#[tokio::test]
async fn half_a_download_survives_the_program() {
    let mut place = Place::new().await;
    let bytes = gguf(300_000, 3);
    let downloads = half(&mut place, &bytes, false).await;
    assert_eq!(bring(&downloads, "moon").await.state, DownloadState::Done);
    assert_eq!(place.model(), bytes);
    assert!(ranges(&place.hub)[1].as_deref().is_some_and(|range| range.starts_with("bytes=")));
}

#[tokio::test]
async fn a_file_that_changed_is_brought_anew() {
    let mut place = Place::new().await;
    let downloads = half(&mut place, &gguf(300_000, 4), false).await;
    let other = gguf(310_000, 5);
    place.hub.file(PATH, other.clone());
    assert_eq!(bring(&downloads, "moon").await.state, DownloadState::Done);
    assert_eq!(place.model(), other);
}

#[tokio::test]
async fn a_server_that_is_wrong_about_ranges_does_no_harm() {
    for fault in [HubFault::IgnoreRange, HubFault::WrongRange] {
        let mut place = Place::new().await;
        let bytes = gguf(300_000, 6);
        let downloads = half(&mut place, &bytes, false).await;
        place.hub.fault(PATH, fault.clone());
        assert_eq!(bring(&downloads, "moon").await.state, DownloadState::Done, "{fault:?}");
        assert_eq!(place.model(), bytes, "{fault:?}");
    }
}

#[tokio::test]
async fn without_an_etag_only_a_checksum_allows_to_go_on() {
    for (pinned, resumes) in [(true, true), (false, false)] {
        let mut place = Place::new().await;
        let bytes = gguf(300_000, 7);
        place.hub.file(PATH, bytes.clone()).etag(PATH, None);
        place.options.retry.attempts = 1;
        place.hub.fault(PATH, HubFault::Cut { after: 100_000 });
        let downloads = place.downloads(vec![item(&bytes, pinned, vec![hub_source()])]);
        assert_eq!(bring(&downloads, "moon").await.state, DownloadState::Failed);
        assert_eq!(bring(&downloads, "moon").await.state, DownloadState::Done);
        assert_eq!(place.model(), bytes);
        assert_eq!(ranges(&place.hub)[1].is_some(), resumes, "pinned: {pinned}");
    }
}

#[tokio::test]
async fn halves_that_do_not_fit_are_replaced_by_the_whole() {
    let mut place = Place::new().await;
    let bytes = gguf(300_000, 8);
    let downloads = half(&mut place, &bytes, true).await;
    // The beginning is replaced by other bytes, which only the checksum can detect.
    let part = place.home.join("models/.incoming/moon.part");
    let length = std::fs::metadata(&part).unwrap().len();
    std::fs::write(&part, &gguf(300_000, 99)[..usize::try_from(length).unwrap()]).unwrap();
    assert_eq!(bring(&downloads, "moon").await.state, DownloadState::Done);
    assert_eq!(place.model(), bytes);
    let ranges = ranges(&place.hub);
    assert!(ranges[1].is_some() && ranges[2].is_none(), "{ranges:?}");
}

#[tokio::test]
async fn what_is_damaged_is_never_loadable() {
    for linked in [false, true] {
        let place = Place::new().await;
        let bytes = gguf(200_000, 9);
        let downloads = place.with_hub(&bytes, !linked);
        if linked {
            place.hub.linked(PATH, &sha256(&bytes));
        }
        place.hub.fault(PATH, HubFault::Corrupt);
        let failed = bring(&downloads, "moon").await;
        assert_eq!(failed.state, DownloadState::Failed);
        assert!(failed.message.contains("checksum"), "{}", failed.message);
        assert_eq!((place.models(), place.parts()), (vec![], vec![]));
        // The next attempt delivers the whole file.
        assert_eq!(bring(&downloads, "moon").await.state, DownloadState::Done);
        assert_eq!(place.model(), bytes);
    }
}

#[tokio::test]
async fn the_next_source_is_tried_and_that_is_said() {
    let place = Place::new().await;
    let bytes = gguf(100_000, 10);
    place.hub.file("/elsewhere/moon.gguf", bytes.clone());
    let sources = vec![hub_source(), Source::Url(format!("{}/elsewhere/moon.gguf", place.hub.url()))];
    let downloads = place.downloads(vec![item(&bytes, true, sources)]);
    let mut steps = downloads.subscribe();
    let done = bring(&downloads, "moon").await;
    assert_eq!((done.state, done.source), (DownloadState::Done, Some(SourceKind::Url)));
    let mut said = String::new();
    while let Ok(step) = steps.try_recv() {
        said.push_str(&step.message);
    }
    assert!(said.contains("has no such file (status 404). Instead: Downloading from"), "{said}");
}

#[tokio::test]
async fn only_the_source_that_was_asked_for_is_used() {
    let place = Place::new().await;
    let bytes = gguf(1000, 11);
    let downloads = place.with_hub(&bytes, true);
    let from = |source| PullRequest { source: Some(source), ..pull("moon") };
    assert_eq!(downloads.start(&from(SourceKind::Pip)), Err(PullError::NoSuchSource("moon".into())));
    downloads.start(&from(SourceKind::Hub)).unwrap();
    assert_eq!(downloads.finished("moon").await.unwrap().state, DownloadState::Done);
}

#[tokio::test]
async fn two_pulls_of_one_model_are_one_download() {
    let place = Place::new().await;
    let bytes = gguf(300_000, 12);
    let downloads = place.with_hub(&bytes, true);
    let gate = Gate::closed();
    place.hub.fault(PATH, HubFault::Stall { after: 100_000, gate: gate.clone() });
    let (first, second) = (downloads.start(&pull("moon")), downloads.clone().start(&pull("moon")));
    assert_eq!(first.unwrap().name, second.unwrap().name);
    gate.reached().await;
    downloads.start(&pull("moon")).unwrap();
    gate.open();
    assert_eq!(downloads.finished("moon").await.unwrap().state, DownloadState::Done);
    assert_eq!((place.hub.requests().len(), downloads.list().len()), (1, 1));
    assert_eq!(place.model(), bytes);
}

#[tokio::test]
async fn what_nobody_went_on_with_is_forgotten_after_a_month() {
    let place = Place::new().await;
    let long_ago = SystemTime::now() - Duration::from_hours(24 * 40);
    for (name, age) in [("old", long_ago), ("young", SystemTime::now())] {
        for ending in ["part", "json", "checked"] {
            let file = format!("models/.incoming/{name}.{ending}");
            place.home.write(&file, "GGUF");
            std::fs::File::options()
                .write(true)
                .open(place.home.join(&file))
                .unwrap()
                .set_modified(age)
                .unwrap();
        }
    }
    place.downloads(vec![]);
    let mut left = place.home.list("models/.incoming");
    left.sort();
    assert_eq!(left, ["old.checked", "young.checked", "young.json", "young.part"]);
}

#[tokio::test]
async fn cancelling_hangs_up_and_keeps_what_came_for_the_next_try() {
    let place = Place::new().await;
    let bytes = gguf(3_000_000, 13);
    let downloads = place.with_hub(&bytes, true);
    let gate = Gate::closed();
    place.hub.fault(PATH, HubFault::Stall { after: 2_500_000, gate: gate.clone() });
    assert!(!downloads.cancel("moon"));
    downloads.start(&pull("moon")).unwrap();
    gate.reached().await;
    let part = place.home.join("models/.incoming/moon.part");
    let came = || std::fs::metadata(&part).map_or(0, |part| part.len());
    while came() < 1_000_000 {
        tokio::task::yield_now().await;
    }
    assert!(downloads.cancel("moon"));
    assert_eq!(downloads.finished("moon").await.unwrap().state, DownloadState::Cancelled);
    place.hub.hung_up(1).await;
    assert!(place.models().is_empty());
    assert!(!downloads.cancel("moon"));
    // The download is started again.
    let rest = format!("bytes={}-", came());
    assert_eq!(bring(&downloads, "moon").await.state, DownloadState::Done);
    assert_eq!(place.model(), bytes);
    assert_eq!(place.hub.requests().last().unwrap().header("range"), Some(rest.as_str()));
}

#[tokio::test]
async fn a_third_download_waits_for_its_turn() {
    let place = Place::new().await;
    let bytes = gguf(1000, 14);
    let gate = Gate::closed();
    let named = |name: &'static str| {
        let path = format!("/{name}.gguf");
        place.hub.file(&path, bytes.clone()).fault(&path, HubFault::Stall { after: 10, gate: gate.clone() });
        CatalogueItem {
            name: name.into(),
            ..item(&bytes, true, vec![Source::Url(format!("{}{path}", place.hub.url()))])
        }
    };
    let downloads = place.downloads(vec![named("a"), named("b"), named("c")]);
    let mut steps = downloads.subscribe();
    for name in ["a", "b", "c"] {
        downloads.start(&pull(name)).unwrap();
    }
    let mut running = 0;
    while running < 2 {
        running += usize::from(steps.recv().await.unwrap().message.starts_with("Downloading"));
    }
    let waiting = downloads.list().iter().filter(|download| download.state == DownloadState::Waiting).count();
    assert_eq!(waiting, 1);
    // A waiting download can be cancelled too.
    assert!(downloads.cancel("c"));
    assert_eq!(downloads.finished("c").await.unwrap().state, DownloadState::Cancelled);
    gate.open();
    for name in ["a", "b"] {
        assert_eq!(downloads.finished(name).await.unwrap().state, DownloadState::Done);
    }
}

#[tokio::test]
async fn a_bad_answer_has_its_words() {
    let bytes = gguf(100_000, 15);
    let status = |code| HubFault::Status { code, retry_after: None };
    let cases: Vec<(Vec<HubFault>, &str)> = vec![
        (vec![HubFault::Page], "a web page, not a model"),
        (vec![status(404)], "no such file"),
        (vec![status(403)], "login"),
        (vec![HubFault::Endless], "more than the file has"),
        (vec![status(503), status(503), status(503), status(503)], "not ready (status 503)"),
        (vec![HubFault::Status { code: 429, retry_after: Some("7200".into()) }], "not ready (status 429)"),
    ];
    for (faults, words) in cases {
        let place = Place::new().await;
        let downloads = place.with_hub(&bytes, false);
        for fault in &faults {
            place.hub.fault(PATH, fault.clone());
        }
        place.hub.linked(PATH, &sha256(&bytes));
        let failed = bring(&downloads, "moon").await;
        assert_eq!(failed.state, DownloadState::Failed, "{words}");
        assert!(failed.message.contains(words), "{words}: {}", failed.message);
        assert!(place.models().is_empty());
    }
}

#[tokio::test]
async fn what_is_no_model_is_noticed_at_its_first_bytes() {
    let place = Place::new().await;
    let downloads = place.downloads(vec![item(&[0; 4], false, vec![hub_source()])]);
    // The rest would come only after the gate, which is never opened.
    let fault = HubFault::Stall { after: 100, gate: Gate::closed() };
    place.hub.file(PATH, vec![7; 300_000]).fault(PATH, fault);
    let failed = bring(&downloads, "moon").await;
    assert!(failed.message.contains("GGUF"), "{}", failed.message);
    assert_eq!((place.hub.requests().len(), place.models().len()), (1, 0));
    // A file whose length differs from the pinned one is not downloaded at all.
    let downloads = place.with_hub(&gguf(1000, 16), true);
    place.hub.file(PATH, gguf(2000, 16));
    assert!(bring(&downloads, "moon").await.message.contains("another file"));
}

#[tokio::test]
async fn a_full_disk_is_noticed_before_it_is_full() {
    let mut place = Place::new().await;
    place.options.disk_free = |_: &Path| Some(1000);
    let bytes = gguf(100_000, 17);
    place.hub.file(PATH, bytes.clone());
    let downloads = place.downloads(vec![item(&bytes, true, vec![hub_source(), hub_source()])]);
    let failed = bring(&downloads, "moon").await;
    assert!(
        failed.message.contains("not enough room") && failed.message.contains("smaller model"),
        "{}",
        failed.message
    );
    assert_eq!((place.hub.requests().len(), place.models().len()), (1, 0));
}

#[tokio::test]
async fn an_address_is_a_name_too() {
    let place = Place::new().await;
    let bytes = gguf(5000, 18);
    place.hub.file("/files/My%20Moon.gguf", bytes.clone());
    let downloads = place.downloads(vec![]);
    let done = bring(&downloads, &format!("{}/files/My%20Moon.gguf?download=true", place.hub.url())).await;
    assert_eq!(
        (done.name.as_str(), done.state, done.total),
        ("My-20Moon", DownloadState::Done, 5000),
        "{done:?}"
    );
    assert_eq!(place.models(), ["My-20Moon.gguf"]);
    for (wrong, expected) in [
        ("nothing-here", PullError::Unknown("nothing-here".into())),
        ("../models/x.gguf", PullError::Unknown("../models/x.gguf".into())),
        ("http://me:secret@localhost/page.html", PullError::NotAModel("http://localhost/page.html".into())),
    ] {
        assert_eq!(downloads.start(&pull(wrong)), Err(expected));
    }
}

#[tokio::test]
async fn a_file_of_ones_own_is_taken_in() {
    let place = Place::new().await;
    let bytes = gguf(5000, 19);
    let file = place.home.write("desk/Own Model.gguf", &bytes);
    let downloads = place.downloads(vec![item(&bytes, false, vec![hub_source()])]);
    let done = bring(&downloads, file.to_str().unwrap()).await;
    assert_eq!(
        (done.name.as_str(), done.state, done.source),
        ("Own-Model", DownloadState::Done, Some(SourceKind::File))
    );
    std::fs::remove_file(&file).unwrap();
    assert_eq!(std::fs::read(place.home.join("models/Own-Model.gguf")).unwrap(), bytes);

    let text = place.home.write("desk/letter.gguf", "Dear Moon");
    assert!(matches!(downloads.start(&pull(text.to_str().unwrap())), Err(PullError::NotAModel(_))));
    // A user's file cannot replace another model.
    for name in ["moon.gguf", "Own-Model.gguf"] {
        let file = place.home.write(format!("desk/{name}"), &bytes);
        assert!(matches!(downloads.start(&pull(file.to_str().unwrap())), Err(PullError::Taken(_))), "{name}");
    }
}

#[tokio::test]
async fn what_an_embedding_model_needs_comes_with_it_or_it_does_not_come() {
    for part_is_whole in [true, false] {
        let place = Place::new().await;
        let named = |name: &'static str, content: &[u8], purpose| {
            let path = format!("/{name}");
            place.hub.file(&path, content.to_vec());
            let source = Source::Url(format!("{}{path}", place.hub.url()));
            CatalogueItem { name: name.into(), purpose, ..item(content, true, vec![source]) }
        };
        let model = Purpose::Embedding { file: "sun.onnx".into(), needs: &["words"] };
        let mut words = named("words", b"{}", Purpose::Part { file: "sun.json".into() });
        if !part_is_whole {
            words.sha256 = Some("0".repeat(64).into());
        }
        let downloads = place.downloads(vec![named("sun", b"no magic here", model), words]);
        downloads.start(&pull("sun")).unwrap();
        let last = downloads.finished("sun").await.unwrap();
        let mut here = place.home.list("models");
        here.retain(|name| !name.starts_with('.'));
        if part_is_whole {
            assert_eq!(
                (last.state, here.as_slice()),
                (DownloadState::Done, &["sun.json".into(), "sun.onnx".into()][..])
            );
        } else {
            assert_eq!((last.state, here.len()), (DownloadState::Failed, 0), "{here:?}");
            assert!(last.message.contains("sun needs words, which did not come"), "{}", last.message);
        }
    }
}

#[tokio::test]
async fn an_embedding_model_of_ones_own_comes_with_what_lies_beside_it() {
    let place = Place::new().await;
    let known = |name: &'static str, content: &[u8], purpose| CatalogueItem {
        name: name.into(),
        purpose,
        ..item(content, true, vec![Source::Url("http://127.0.0.1:1/nobody".to_owned())])
    };
    let items = vec![
        known("sun", b"no magic here", Purpose::Embedding { file: "sun.onnx".into(), needs: &["words"] }),
        known("words", b"{}", Purpose::Part { file: "sun.json".into() }),
    ];
    let file = place.home.write("desk/sun.onnx", "no magic here");
    place.home.write("desk/sun.json", "{}");
    let downloads = place.downloads(items.clone());
    let done = bring(&downloads, file.to_str().unwrap()).await;
    assert_eq!(
        (done.name.as_str(), done.state, done.source),
        ("sun", DownloadState::Done, Some(SourceKind::File)),
        "{done:?}"
    );
    assert_eq!(place.models(), ["sun.json", "sun.onnx"]);
    // A different file under that name is rejected.
    let other = Place::new().await;
    let file = other.home.write("desk/sun.onnx", "something else");
    other.home.write("desk/sun.json", "{}");
    let downloads = other.downloads(items);
    downloads.start(&pull(file.to_str().unwrap())).unwrap();
    let last = downloads.finished("sun").await.unwrap();
    assert_eq!(last.state, DownloadState::Failed, "{last:?}");
    assert_eq!(other.models(), ["sun.json"]);
}
