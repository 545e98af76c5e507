use protocol::Machine;
use terminal::Painter;

use super::*;

fn entry(name: &str, installed: bool, fits: bool, tiny: bool) -> CatalogueEntry {
    CatalogueEntry {
        name: name.into(),
        title: name.into(),
        about: "About.".into(),
        bytes: 98_000_000,
        memory: 400_000_000,
        parameters: "0.1B".into(),
        licence: "Apache-2.0".into(),
        sources: vec![SourceKind::Hub],
        installed,
        fits,
        tiny,
    }
}

fn sample() -> ModelsReport {
    ModelsReport {
        current: ModelState::Ready {
            name: "tiny".into(),
            kind: ModelKind::Embedded,
            context: 8192,
            vision: false,
        },
        installed: vec![
            InstalledModel { name: "tiny".into(), kind: ModelKind::Embedded, bytes: Some(1), current: true },
            InstalledModel {
                name: "mine".into(),
                kind: ModelKind::Embedded,
                bytes: Some(5_000_000),
                current: false,
            },
        ],
        catalogue: vec![
            entry("tiny", true, true, true),
            entry("good", false, true, false),
            entry("huge", false, false, false),
        ],
        embedding: Vec::new(),
        servers: Vec::new(),
        downloads: Vec::new(),
        recommended: Some("good".into()),
        trial: true,
        machine: Machine { memory: 0, cores: 1, disk_free: 0 },
    }
}

const PAPER: Screen = Screen { painter: Painter::new(false), width: None };

#[test]
fn the_list_tells_what_is_here_what_fits_and_what_is_best() {
    let expected = "\
name    size  memory  licence     fits  here
tiny   98 MB  400 MB  Apache-2.0  yes   in use  tiny, to try things with
good   98 MB  400 MB  Apache-2.0  yes           ★ recommended for this machine
huge   98 MB  400 MB  Apache-2.0  no
mine  5.0 MB                            yes     your own file

tiny answers.
This is a tiny model to try things with. Better: good (98 MB), with perigee models pull good --use
";
    assert_eq!(overview(&sample(), PAPER), expected);
}

#[test]
fn without_a_model_it_says_what_to_do() {
    let mut report = ModelsReport { trial: false, ..sample() };
    report.current = ModelState::None { hint: "download one with `perigee models pull good`".into() };
    assert!(
        overview(&report, PAPER)
            .ends_with("No model is chosen yet. Download one with `perigee models pull good`.\n")
    );
}

#[test]
fn only_files_that_are_there_become_whole_paths() {
    assert_eq!(absolute("qwen3-4b"), "qwen3-4b");
    assert_eq!(absolute("missing.gguf"), "missing.gguf");
    let home = testkit::TempHome::new();
    let file = home.write("m.gguf", "GGUF");
    assert_eq!(absolute(&file.display().to_string()), file.display().to_string());
}
