use std::path::Path;
use std::time::{Duration, SystemTime};

use model::{CatalogueItem, CatalogueSource, Downloads, PullError, Purpose};
use protocol::{DownloadState, PullRequest, SourceKind};
use testkit::{Gate, Hub, HubFault, RecordedRequest};

use crate::download_setup::{DownloadSetup, PATH, download_to_end, gguf, hub_source, item, pull, sha256};

fn ranges(hub: &Hub) -> Vec<Option<String>> {
    hub.requests()
        .iter()
        .map(|request: &RecordedRequest| request.header("range").map(ToOwned::to_owned))
        .collect()
}

#[tokio::test]
async fn a_model_comes_from_the_hub_and_is_checked() {
    let setup = DownloadSetup::new().await;
    let bytes = gguf(300_000, 1);
    let downloads = setup.with_hub(&bytes, false);
    setup.hub.linked(PATH, &sha256(&bytes));
    let mut steps = downloads.subscribe();
    let done = download_to_end(&downloads, "moon").await;
    assert_eq!((done.state, done.received, done.total), (DownloadState::Done, 300_000, 300_000), "{done:?}");
    assert_eq!(done.source, Some(SourceKind::Hub));
    assert_eq!((setup.model(), setup.models(), setup.parts()), (bytes, vec!["moon.gguf".to_owned()], vec![]));
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
    let before = setup.hub.requests().len();
    assert_eq!(download_to_end(&downloads, "moon").await.state, DownloadState::Done);
    assert_eq!(setup.hub.requests().len(), before);
}

#[tokio::test]
async fn a_cut_download_goes_on_where_it_was() {
    for linked in [false, true] {
        let setup = DownloadSetup::new().await;
        let bytes = gguf(300_000, 2);
        let downloads = setup.with_hub(&bytes, true);
        if linked {
            setup.hub.linked(PATH, &sha256(&bytes));
        }
        setup.hub.fault(PATH, HubFault::Cut { after: 100_000 }).fault(PATH, HubFault::Cut { after: 50_000 });
        assert_eq!(download_to_end(&downloads, "moon").await.state, DownloadState::Done);
        assert_eq!(setup.model(), bytes);
        let resumed = ranges(&setup.hub).into_iter().flatten().collect::<Vec<_>>();
        assert!(!resumed.is_empty(), "it began anew each time");
        let last = setup.hub.requests().pop().unwrap();
        assert!(last.header("if-range").is_some());
        let from: usize = last.header("range").unwrap()[6..].trim_end_matches('-').parse().unwrap();
        assert!(from >= 100_000, "{from}");
    }
}

/// Leaves half of the model behind, as if the process had ended in the middle.
async fn half(setup: &mut DownloadSetup, bytes: &[u8], pinned: bool) -> Downloads {
    let patient = setup.options.retry;
    setup.options.retry.attempts = 1;
    let downloads = setup.with_hub(bytes, pinned);
    setup.hub.fault(PATH, HubFault::Cut { after: 100_000 });
    let failed = download_to_end(&downloads, "moon").await;
    assert_eq!(failed.state, DownloadState::Failed);
    assert!(failed.message.contains("try again"), "{failed:?}");
    assert_eq!((setup.models().len(), setup.parts().len()), (0, 2));
    setup.options.retry = patient;
    setup.downloads(vec![item(bytes, pinned, vec![hub_source()])])
}

#[tokio::test]
async fn half_a_download_survives_the_program() {
    let mut setup = DownloadSetup::new().await;
    let bytes = gguf(300_000, 3);
    let downloads = half(&mut setup, &bytes, false).await;
    assert_eq!(download_to_end(&downloads, "moon").await.state, DownloadState::Done);
    assert_eq!(setup.model(), bytes);
    assert!(ranges(&setup.hub)[1].as_deref().is_some_and(|range| range.starts_with("bytes=")));
}

#[tokio::test]
async fn a_file_that_changed_is_brought_anew() {
    let mut setup = DownloadSetup::new().await;
    let downloads = half(&mut setup, &gguf(300_000, 4), false).await;
    let other = gguf(310_000, 5);
    setup.hub.file(PATH, other.clone());
    assert_eq!(download_to_end(&downloads, "moon").await.state, DownloadState::Done);
    assert_eq!(setup.model(), other);
}

#[tokio::test]
async fn a_server_that_is_wrong_about_ranges_does_no_harm() {
    for fault in [HubFault::IgnoreRange, HubFault::WrongRange] {
        let mut setup = DownloadSetup::new().await;
        let bytes = gguf(300_000, 6);
        let downloads = half(&mut setup, &bytes, false).await;
        setup.hub.fault(PATH, fault.clone());
        assert_eq!(download_to_end(&downloads, "moon").await.state, DownloadState::Done, "{fault:?}");
        assert_eq!(setup.model(), bytes, "{fault:?}");
    }
}

#[tokio::test]
async fn without_an_etag_only_a_checksum_allows_to_go_on() {
    for (pinned, resumes) in [(true, true), (false, false)] {
        let mut setup = DownloadSetup::new().await;
        let bytes = gguf(300_000, 7);
        setup.hub.file(PATH, bytes.clone()).etag(PATH, None);
        setup.options.retry.attempts = 1;
        setup.hub.fault(PATH, HubFault::Cut { after: 100_000 });
        let downloads = setup.downloads(vec![item(&bytes, pinned, vec![hub_source()])]);
        assert_eq!(download_to_end(&downloads, "moon").await.state, DownloadState::Failed);
        assert_eq!(download_to_end(&downloads, "moon").await.state, DownloadState::Done);
        assert_eq!(setup.model(), bytes);
        assert_eq!(ranges(&setup.hub)[1].is_some(), resumes, "pinned: {pinned}");
    }
}

#[tokio::test]
async fn halves_that_do_not_fit_are_replaced_by_the_whole() {
    let mut setup = DownloadSetup::new().await;
    let bytes = gguf(300_000, 8);
    let downloads = half(&mut setup, &bytes, true).await;
    // The beginning is replaced by other bytes, which only the checksum can detect.
    let part = setup.home.join("models/.incoming/moon.part");
    let length = std::fs::metadata(&part).unwrap().len();
    std::fs::write(&part, &gguf(300_000, 99)[..usize::try_from(length).unwrap()]).unwrap();
    assert_eq!(download_to_end(&downloads, "moon").await.state, DownloadState::Done);
    assert_eq!(setup.model(), bytes);
    let ranges = ranges(&setup.hub);
    assert!(ranges[1].is_some() && ranges[2].is_none(), "{ranges:?}");
}

#[tokio::test]
async fn what_is_damaged_is_never_loadable() {
    for linked in [false, true] {
        let setup = DownloadSetup::new().await;
        let bytes = gguf(200_000, 9);
        let downloads = setup.with_hub(&bytes, !linked);
        if linked {
            setup.hub.linked(PATH, &sha256(&bytes));
        }
        setup.hub.fault(PATH, HubFault::Corrupt);
        let failed = download_to_end(&downloads, "moon").await;
        assert_eq!(failed.state, DownloadState::Failed);
        assert!(failed.message.contains("checksum"), "{}", failed.message);
        assert_eq!((setup.models(), setup.parts()), (vec![], vec![]));
        // The next attempt delivers the whole file.
        assert_eq!(download_to_end(&downloads, "moon").await.state, DownloadState::Done);
        assert_eq!(setup.model(), bytes);
    }
}

#[tokio::test]
async fn the_next_source_is_tried_and_that_is_said() {
    let setup = DownloadSetup::new().await;
    let bytes = gguf(100_000, 10);
    setup.hub.file("/elsewhere/moon.gguf", bytes.clone());
    let sources =
        vec![hub_source(), CatalogueSource::Url(format!("{}/elsewhere/moon.gguf", setup.hub.url()))];
    let downloads = setup.downloads(vec![item(&bytes, true, sources)]);
    let mut steps = downloads.subscribe();
    let done = download_to_end(&downloads, "moon").await;
    assert_eq!((done.state, done.source), (DownloadState::Done, Some(SourceKind::Url)));
    let mut received = String::new();
    while let Ok(step) = steps.try_recv() {
        received.push_str(&step.message);
    }
    assert!(received.contains("has no such file (status 404). Instead: Downloading from"), "{received}");
}

#[tokio::test]
async fn only_the_source_that_was_asked_for_is_used() {
    let setup = DownloadSetup::new().await;
    let bytes = gguf(1000, 11);
    let downloads = setup.with_hub(&bytes, true);
    let from = |source| PullRequest { source: Some(source), ..pull("moon") };
    assert_eq!(downloads.start(&from(SourceKind::Pip)), Err(PullError::NoSuchSource("moon".into())));
    downloads.start(&from(SourceKind::Hub)).unwrap();
    assert_eq!(downloads.finished("moon").await.unwrap().state, DownloadState::Done);
}

#[tokio::test]
async fn two_pulls_of_one_model_are_one_download() {
    let setup = DownloadSetup::new().await;
    let bytes = gguf(300_000, 12);
    let downloads = setup.with_hub(&bytes, true);
    let gate = Gate::closed();
    setup.hub.fault(PATH, HubFault::Stall { after: 100_000, gate: gate.clone() });
    let (first, second) = (downloads.start(&pull("moon")), downloads.clone().start(&pull("moon")));
    assert_eq!(first.unwrap().name, second.unwrap().name);
    gate.reached().await;
    downloads.start(&pull("moon")).unwrap();
    gate.open();
    assert_eq!(downloads.finished("moon").await.unwrap().state, DownloadState::Done);
    assert_eq!((setup.hub.requests().len(), downloads.list().len()), (1, 1));
    assert_eq!(setup.model(), bytes);
}

#[tokio::test]
async fn what_nobody_went_on_with_is_forgotten_after_a_month() {
    let setup = DownloadSetup::new().await;
    let long_ago = SystemTime::now() - Duration::from_hours(24 * 40);
    for (name, age) in [("old", long_ago), ("young", SystemTime::now())] {
        for ending in ["part", "json", "checked"] {
            let file = format!("models/.incoming/{name}.{ending}");
            setup.home.write(&file, "GGUF");
            std::fs::File::options()
                .write(true)
                .open(setup.home.join(&file))
                .unwrap()
                .set_modified(age)
                .unwrap();
        }
    }
    setup.downloads(vec![]);
    let mut left = setup.home.list("models/.incoming");
    left.sort();
    assert_eq!(left, ["old.checked", "young.checked", "young.json", "young.part"]);
}

#[tokio::test]
async fn cancelling_hangs_up_and_keeps_what_came_for_the_next_try() {
    let setup = DownloadSetup::new().await;
    let bytes = gguf(3_000_000, 13);
    let downloads = setup.with_hub(&bytes, true);
    let gate = Gate::closed();
    setup.hub.fault(PATH, HubFault::Stall { after: 2_500_000, gate: gate.clone() });
    assert!(!downloads.cancel("moon"));
    downloads.start(&pull("moon")).unwrap();
    gate.reached().await;
    let part = setup.home.join("models/.incoming/moon.part");
    let came = || std::fs::metadata(&part).map_or(0, |part| part.len());
    while came() < 1_000_000 {
        tokio::task::yield_now().await;
    }
    assert!(downloads.cancel("moon"));
    assert_eq!(downloads.finished("moon").await.unwrap().state, DownloadState::Cancelled);
    setup.hub.hung_up(1).await;
    assert!(setup.models().is_empty());
    assert!(!downloads.cancel("moon"));
    // The download is started again.
    let rest = format!("bytes={}-", came());
    assert_eq!(download_to_end(&downloads, "moon").await.state, DownloadState::Done);
    assert_eq!(setup.model(), bytes);
    assert_eq!(setup.hub.requests().last().unwrap().header("range"), Some(rest.as_str()));
}

#[tokio::test]
async fn a_third_download_waits_for_its_turn() {
    let setup = DownloadSetup::new().await;
    let bytes = gguf(1000, 14);
    let gate = Gate::closed();
    let named = |name: &'static str| {
        let path = format!("/{name}.gguf");
        setup.hub.file(&path, bytes.clone()).fault(&path, HubFault::Stall { after: 10, gate: gate.clone() });
        CatalogueItem {
            name: name.into(),
            ..item(&bytes, true, vec![CatalogueSource::Url(format!("{}{path}", setup.hub.url()))])
        }
    };
    let downloads = setup.downloads(vec![named("a"), named("b"), named("c")]);
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
        (vec![HubFault::Endless], "more data than the file has"),
        (vec![status(503), status(503), status(503), status(503)], "not ready (status 503)"),
        (vec![HubFault::Status { code: 429, retry_after: Some("7200".into()) }], "not ready (status 429)"),
    ];
    for (faults, words) in cases {
        let setup = DownloadSetup::new().await;
        let downloads = setup.with_hub(&bytes, false);
        for fault in &faults {
            setup.hub.fault(PATH, fault.clone());
        }
        setup.hub.linked(PATH, &sha256(&bytes));
        let failed = download_to_end(&downloads, "moon").await;
        assert_eq!(failed.state, DownloadState::Failed, "{words}");
        assert!(failed.message.contains(words), "{words}: {}", failed.message);
        assert!(setup.models().is_empty());
    }
}

#[tokio::test]
async fn what_is_no_model_is_noticed_at_its_first_bytes() {
    let setup = DownloadSetup::new().await;
    let downloads = setup.downloads(vec![item(&[0; 4], false, vec![hub_source()])]);
    // The rest would come only after the gate, which is never opened.
    let fault = HubFault::Stall { after: 100, gate: Gate::closed() };
    setup.hub.file(PATH, vec![7; 300_000]).fault(PATH, fault);
    let failed = download_to_end(&downloads, "moon").await;
    assert!(failed.message.contains("GGUF"), "{}", failed.message);
    assert_eq!((setup.hub.requests().len(), setup.models().len()), (1, 0));
    // A file whose length differs from the pinned one is not downloaded at all.
    let downloads = setup.with_hub(&gguf(1000, 16), true);
    setup.hub.file(PATH, gguf(2000, 16));
    assert!(download_to_end(&downloads, "moon").await.message.contains("not the expected one"));
}

#[tokio::test]
async fn a_full_disk_is_noticed_before_it_is_full() {
    let mut setup = DownloadSetup::new().await;
    setup.options.disk_free = |_: &Path| Some(1000);
    let bytes = gguf(100_000, 17);
    setup.hub.file(PATH, bytes.clone());
    let downloads = setup.downloads(vec![item(&bytes, true, vec![hub_source(), hub_source()])]);
    let failed = download_to_end(&downloads, "moon").await;
    assert!(
        failed.message.contains("not enough space") && failed.message.contains("smaller model"),
        "{}",
        failed.message
    );
    assert_eq!((setup.hub.requests().len(), setup.models().len()), (1, 0));
}

#[tokio::test]
async fn an_address_is_a_name_too() {
    let setup = DownloadSetup::new().await;
    let bytes = gguf(5000, 18);
    setup.hub.file("/files/My%20Moon.gguf", bytes.clone());
    let downloads = setup.downloads(vec![]);
    let done =
        download_to_end(&downloads, &format!("{}/files/My%20Moon.gguf?download=true", setup.hub.url())).await;
    assert_eq!(
        (done.name.as_str(), done.state, done.total),
        ("My-20Moon", DownloadState::Done, 5000),
        "{done:?}"
    );
    assert_eq!(setup.models(), ["My-20Moon.gguf"]);
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
    let setup = DownloadSetup::new().await;
    let bytes = gguf(5000, 19);
    let file = setup.home.write("desk/Own Model.gguf", &bytes);
    let downloads = setup.downloads(vec![item(&bytes, false, vec![hub_source()])]);
    let done = download_to_end(&downloads, file.to_str().unwrap()).await;
    assert_eq!(
        (done.name.as_str(), done.state, done.source),
        ("Own-Model", DownloadState::Done, Some(SourceKind::File))
    );
    std::fs::remove_file(&file).unwrap();
    assert_eq!(std::fs::read(setup.home.join("models/Own-Model.gguf")).unwrap(), bytes);

    let text = setup.home.write("desk/letter.gguf", "Dear Moon");
    assert!(matches!(downloads.start(&pull(text.to_str().unwrap())), Err(PullError::NotAModel(_))));
    // A user's file cannot replace another model.
    for name in ["moon.gguf", "Own-Model.gguf"] {
        let file = setup.home.write(format!("desk/{name}"), &bytes);
        assert!(matches!(downloads.start(&pull(file.to_str().unwrap())), Err(PullError::Taken(_))), "{name}");
    }
}

#[tokio::test]
async fn what_an_embedding_model_needs_comes_with_it_or_it_does_not_come() {
    for part_is_whole in [true, false] {
        let setup = DownloadSetup::new().await;
        let named = |name: &'static str, content: &[u8], purpose| {
            let path = format!("/{name}");
            setup.hub.file(&path, content.to_vec());
            let source = CatalogueSource::Url(format!("{}{path}", setup.hub.url()));
            CatalogueItem { name: name.into(), purpose, ..item(content, true, vec![source]) }
        };
        let model = Purpose::Embedding { file: "sun.onnx".into(), needs: &["words"] };
        let mut words = named("words", b"{}", Purpose::Part { file: "sun.json".into() });
        if !part_is_whole {
            words.sha256 = Some("0".repeat(64).into());
        }
        let downloads = setup.downloads(vec![named("sun", b"no magic here", model), words]);
        downloads.start(&pull("sun")).unwrap();
        let last = downloads.finished("sun").await.unwrap();
        let mut here = setup.home.list("models");
        here.retain(|name| !name.starts_with('.'));
        if part_is_whole {
            assert_eq!(
                (last.state, here.as_slice()),
                (DownloadState::Done, &["sun.json".into(), "sun.onnx".into()][..])
            );
        } else {
            assert_eq!((last.state, here.len()), (DownloadState::Failed, 0), "{here:?}");
            assert!(
                last.message.contains("sun needs words, which could not be downloaded"),
                "{}",
                last.message
            );
        }
    }
}

#[tokio::test]
async fn an_embedding_model_of_ones_own_comes_with_what_lies_beside_it() {
    let setup = DownloadSetup::new().await;
    let known = |name: &'static str, content: &[u8], purpose| CatalogueItem {
        name: name.into(),
        purpose,
        ..item(content, true, vec![CatalogueSource::Url("http://127.0.0.1:1/nobody".to_owned())])
    };
    let items = vec![
        known("sun", b"no magic here", Purpose::Embedding { file: "sun.onnx".into(), needs: &["words"] }),
        known("words", b"{}", Purpose::Part { file: "sun.json".into() }),
    ];
    let file = setup.home.write("desk/sun.onnx", "no magic here");
    setup.home.write("desk/sun.json", "{}");
    let downloads = setup.downloads(items.clone());
    let done = download_to_end(&downloads, file.to_str().unwrap()).await;
    assert_eq!(
        (done.name.as_str(), done.state, done.source),
        ("sun", DownloadState::Done, Some(SourceKind::File)),
        "{done:?}"
    );
    assert_eq!(setup.models(), ["sun.json", "sun.onnx"]);
    // A different file under that name is rejected.
    let other = DownloadSetup::new().await;
    let file = other.home.write("desk/sun.onnx", "something else");
    other.home.write("desk/sun.json", "{}");
    let downloads = other.downloads(items);
    downloads.start(&pull(file.to_str().unwrap())).unwrap();
    let last = downloads.finished("sun").await.unwrap();
    assert_eq!(last.state, DownloadState::Failed, "{last:?}");
    assert_eq!(other.models(), ["sun.json"]);
}
