use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use config::{Config, Folders, SetError};
use protocol::{AnimationFormat, AssetKind, BackgroundKind, BodyChoice, ConfigPatch};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::screen::testbed::{payload, run};

/// A data folder with settings that are updated by writes.
struct Bed {
    home: TempDir,
    wardrobe: Arc<Wardrobe>,
}

impl Bed {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let config = Arc::new(Mutex::new(Config::default()));
        let read = Arc::clone(&config);
        let settings: crate::Settings = Arc::new(move || Arc::new(read.lock().unwrap().clone()));
        let keep = Box::new(move |patch: &ConfigPatch| {
            let mut config = config.lock().unwrap();
            for (key, value) in &patch.0 {
                let text = value.as_str().map(str::to_owned);
                match key.as_str() {
                    "background" => config.background = text,
                    "vrm_model" => config.vrm_model = text.map(Into::into),
                    "body.palette" if text.as_deref() == Some("dawn") => {
                        config.body.palette = config::Colours::Dawn;
                    }
                    other => return Err(SetError::Unknown { key: other.to_owned(), meant: None }),
                }
            }
            Ok(())
        });
        let wardrobe = Arc::new(Wardrobe::new(settings, Folders::within(home.path()), keep));
        Self { home, wardrobe }
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.home.path().join("assets").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn tool(&self, name: &str) -> Arc<dyn Tool> {
        tools(&self.wardrobe).unwrap().into_iter().find(|tool| tool.spec().name == name).unwrap()
    }

    fn names(&self) -> Vec<String> {
        self.wardrobe.animations().into_iter().map(|known| known.name).collect()
    }
}

const GLTF: &[u8] = b"glTF\x02\0\0\0";
const FBX: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";

#[test]
fn she_has_animations_of_her_own_and_takes_files_for_more() {
    let bed = Bed::new();
    assert_eq!(bed.names(), ["idle", "laugh", "listen", "nod", "sleepy", "surprised", "think", "wave"]);
    bed.write("anims/Dance.fbx", FBX);
    bed.write("anims/WAVE.vrma", GLTF);
    bed.write("anims/readme.txt", b"");
    bed.write("anims/.hidden.fbx", FBX);
    bed.write("anims/folder.fbx/inside.fbx", FBX);
    let all = bed.wardrobe.animations();
    assert_eq!(
        bed.names(),
        ["Dance", "idle", "laugh", "listen", "nod", "sleepy", "surprised", "think", "WAVE"]
    );
    let dance = all.iter().find(|known| known.name == "Dance").unwrap();
    assert_eq!((dance.format, dance.own, dance.looped), (AnimationFormat::Fbx, false, false));
    assert!(dance.url.starts_with("/api/assets/anims/Dance.fbx?v="), "{}", dance.url);
    let wave = all.iter().find(|known| known.name == "WAVE").unwrap();
    assert!(!wave.own, "the user's goes before hers");
    assert!(all.iter().find(|known| known.name == "idle").is_some_and(|idle| idle.looped && idle.own));
    assert!(bed.wardrobe.own_animation("idle").is_some_and(|own| own.bytes.starts_with(b"glTF")));
    assert!(bed.wardrobe.own_animation("dance").is_none());
}

#[test]
fn a_name_of_a_file_stands_in_its_address_whole() {
    let bed = Bed::new();
    bed.write("anims/a b&c#ü.vrma", GLTF);
    let found = bed.wardrobe.animation("A B&C#Ü").unwrap();
    assert!(found.url.starts_with("/api/assets/anims/a%20b%26c%23%C3%BC.vrma?v="), "{}", found.url);
}

#[tokio::test]
async fn tools_play_what_is_there_and_name_what_is_there_otherwise() {
    let bed = Bed::new();
    bed.write("anims/spin_kick.fbx", FBX);
    let tool = bed.tool("play_animation");
    for (said, played) in [("wave", "wave"), (" Wave ", "wave"), ("Spin kick", "spin_kick")] {
        let output = run(tool.as_ref(), json!({"name": said})).await.unwrap();
        assert_eq!(output.command.as_ref().unwrap().action, "play_animation");
        assert_eq!(payload(output), json!({"name": played}));
    }
    let error = run(tool.as_ref(), json!({"name": "moonwalk"})).await.unwrap_err().to_string();
    assert!(error.contains("moonwalk") && error.contains("spin_kick") && error.contains("wave"), "{error}");
    let listed = run(bed.tool("get_animations").as_ref(), json!({})).await.unwrap().text;
    assert!(listed.contains("spin_kick") && listed.contains("idle"), "{listed}");
}

#[tokio::test]
async fn what_is_behind_her_is_a_sky_a_colour_or_a_picture_and_is_kept() {
    let bed = Bed::new();
    bed.write("backgrounds/Beach.jpg", b"\xff\xd8\xff");
    bed.write("backgrounds/evil.svg", b"<svg/>");
    let list = bed.wardrobe.backgrounds();
    assert_eq!(list.current, "night");
    let kinds: Vec<_> = list.backgrounds.iter().map(|known| known.kind).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == BackgroundKind::Sky).count(), 2);
    assert_eq!(
        kinds.iter().filter(|kind| **kind == BackgroundKind::Picture).count(),
        1,
        "no drawing that runs"
    );
    let tool = bed.tool("set_background");
    for (said, set) in
        [("beach", "Beach.jpg"), ("DUSK", "dusk"), ("#AABBCC", "#aabbcc"), ("Beach.jpg", "Beach.jpg")]
    {
        let output = run(tool.as_ref(), json!({"filename": said})).await.unwrap();
        assert_eq!(payload(output), json!({"filename": set}));
        assert_eq!(bed.wardrobe.backgrounds().current, set);
        let list = bed.wardrobe.backgrounds();
        assert!(list.backgrounds.iter().any(|known| known.filename == set), "what is shown is among them");
    }
    for wrong in ["#12", "../../token", "", "mars"] {
        let error = run(tool.as_ref(), json!({"filename": wrong})).await.unwrap_err().to_string();
        assert!(error.contains("night"), "{error}");
    }
    fs::remove_file(bed.home.path().join("assets/backgrounds/Beach.jpg")).unwrap();
    assert_eq!(bed.wardrobe.backgrounds().current, "night", "where it is gone, the sky is there");
}

#[test]
fn she_wears_what_is_chosen_and_her_own_where_that_is_gone() {
    let bed = Bed::new();
    let own = bed.wardrobe.body();
    assert_eq!((own.model.as_deref(), own.palette.as_str(), own.trouble.as_deref()), (None, "moon", None));
    assert_eq!(own.palettes.len(), 3);
    assert!(own.palettes.iter().all(|palette| palette.colours.iter().all(|colour| colour.len() == 7)));
    bed.wardrobe.wear(&BodyChoice { palette: Some("dawn".into()), ..BodyChoice::default() }).unwrap();
    let dawn = bed.wardrobe.body();
    assert_ne!(dawn.url, own.url, "another address for other colours");
    let Err(worn) = bed.wardrobe.avatar() else { panic!("her own") };
    assert!(bed.wardrobe.own_body_in("dawn").is_some_and(|dawn| dawn.bytes == worn.bytes));

    bed.write("models/alice.vrm", GLTF);
    for wrong in ["bob.vrm", "../alice.vrm", "/etc/passwd"] {
        let choice = BodyChoice { model: Some(wrong.into()), ..BodyChoice::default() };
        assert!(bed.wardrobe.wear(&choice).unwrap_err().to_string().contains("no body"), "{wrong}");
    }
    bed.wardrobe.wear(&BodyChoice { model: Some("alice.vrm".into()), ..BodyChoice::default() }).unwrap();
    assert_eq!(bed.wardrobe.body().model.as_deref(), Some("alice.vrm"));
    assert_eq!(bed.wardrobe.avatar().unwrap().len, 8);
    fs::remove_file(bed.home.path().join("assets/models/alice.vrm")).unwrap();
    let gone = bed.wardrobe.body();
    assert!(gone.trouble.as_deref().is_some_and(|words| words.contains("alice.vrm")), "{gone:?}");
    assert!(bed.wardrobe.avatar().is_err(), "her own");
    bed.wardrobe.wear(&BodyChoice { model: Some(String::new()), ..BodyChoice::default() }).unwrap();
    assert_eq!(bed.wardrobe.body().trouble, None);
}

#[test]
fn files_come_go_and_come_back() {
    let bed = Bed::new();
    let (kind, wardrobe) = (AssetKind::Models, &bed.wardrobe);
    wardrobe.put(kind, "a.vrm", GLTF).unwrap();
    assert_eq!(wardrobe.open(kind, "a.vrm").unwrap().len, 8);
    assert!(matches!(wardrobe.restore(kind, "a.vrm"), Err(AssetError::Missing(_))));
    wardrobe.remove(kind, "a.vrm").unwrap();
    assert!(matches!(wardrobe.open(kind, "a.vrm"), Err(AssetError::Missing(_))));
    assert!(matches!(wardrobe.remove(kind, "a.vrm"), Err(AssetError::Missing(_))));
    assert!(wardrobe.body().models.is_empty());
    wardrobe.restore(kind, "a.vrm").unwrap();
    assert_eq!(wardrobe.body().models.len(), 1);
    // Each restore swaps the current file with the one set aside.
    wardrobe.put(kind, "a.vrm", b"glTF2").unwrap();
    for bytes in [8, 5, 8] {
        wardrobe.restore(kind, "a.vrm").unwrap();
        assert_eq!(wardrobe.open(kind, "a.vrm").unwrap().len, bytes);
        assert_eq!(wardrobe.body().models.len(), 1);
    }
    // Only the file last removed or replaced is kept.
    wardrobe.remove(kind, "a.vrm").unwrap();
    wardrobe.put(kind, "a.vrm", b"glTF23").unwrap();
    wardrobe.put(kind, "a.vrm", b"glTF234").unwrap();
    wardrobe.restore(kind, "a.vrm").unwrap();
    assert_eq!(wardrobe.open(kind, "a.vrm").unwrap().len, 6);
}

#[test]
fn many_who_bring_and_take_away_the_same_file_leave_a_whole_one() {
    let bed = Bed::new();
    let (kind, wardrobe) = (AssetKind::Models, &bed.wardrobe);
    wardrobe.put(kind, "a.vrm", GLTF).unwrap();
    std::thread::scope(|scope| {
        for size in 4..12 {
            scope.spawn(move || {
                let bytes: Vec<u8> = GLTF.iter().copied().cycle().take(size).collect();
                for _ in 0..20 {
                    wardrobe.put(kind, "a.vrm", &bytes).unwrap();
                    wardrobe.restore(kind, "a.vrm").unwrap();
                }
            });
        }
    });
    let left = wardrobe.open(kind, "a.vrm").unwrap();
    assert!((4..12).contains(&left.len));
    assert_eq!(wardrobe.body().models.len(), 1);
    let aside = fs::read_dir(bed.home.path().join("assets/.removed/models")).unwrap();
    let names: Vec<_> = aside.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["a.vrm"], "nothing is left between");
}

#[test]
fn what_does_not_belong_there_does_not_come_in() {
    let bed = Bed::new();
    let long = format!("{}.vrm", "a".repeat(200));
    for (kind, name, bytes) in [
        (AssetKind::Models, "../a.vrm", GLTF),
        (AssetKind::Models, "b/a.vrm", GLTF),
        (AssetKind::Models, "b\\a.vrm", GLTF),
        (AssetKind::Models, ".a.vrm", GLTF),
        (AssetKind::Models, "", GLTF),
        (AssetKind::Models, " a.vrm", GLTF),
        (AssetKind::Models, "a\n.vrm", GLTF),
        (AssetKind::Models, long.as_str(), GLTF),
        (AssetKind::Models, "a.exe", GLTF),
        (AssetKind::Models, "vrm", GLTF),
        (AssetKind::Models, "a.vrm", b""),
        (AssetKind::Models, "a.vrm", b"GIF89a"),
        (AssetKind::Anims, "a.vrm", GLTF),
        (AssetKind::Anims, "a.fbx", b"; FBX 7.4.0 project file"),
        (AssetKind::Backgrounds, "a.svg", b"<svg/>"),
        (AssetKind::Backgrounds, "a.png", b"<html>"),
    ] {
        assert!(bed.wardrobe.put(kind, name, bytes).is_err(), "{name:?} of {kind:?}");
    }
    assert!(!bed.home.path().join("a.vrm").exists());
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_not_followed() {
    let bed = Bed::new();
    fs::write(bed.home.path().join("token"), "secret").unwrap();
    bed.write("models/real.vrm", GLTF);
    std::os::unix::fs::symlink(bed.home.path().join("token"), bed.home.path().join("assets/models/x.vrm"))
        .unwrap();
    assert_eq!(bed.wardrobe.body().models.len(), 1);
    assert!(bed.wardrobe.open(AssetKind::Models, "x.vrm").is_err());
}

#[test]
fn a_change_is_seen_once() {
    let bed = Bed::new();
    assert!(!bed.wardrobe.has_changed());
    bed.write("anims/a.vrma", GLTF);
    assert!(bed.wardrobe.has_changed());
    assert!(!bed.wardrobe.has_changed());
    bed.write("anims/a.vrma", b"glTFlonger");
    assert!(bed.wardrobe.has_changed());
    bed.wardrobe.set_background("dusk").unwrap();
    assert!(bed.wardrobe.has_changed());
    assert!(Path::new(bed.home.path()).exists());
}

#[tokio::test]
async fn a_face_is_asked_for_in_many_words() {
    let bed = Bed::new();
    let tool = bed.tool("express");
    for (said, expression, intensity) in [
        (json!({"emotion": "joy"}), "happy", 0.8),
        (json!({"emotion": "Happy", "intensity": 7}), "happy", 1.0),
        (json!({"emotion": "disgust", "intensity": 0.5}), "angry", 0.5),
        (json!({"emotion": "fear"}), "surprised", 0.8),
        (json!({"emotion": "calm", "intensity": -1}), "relaxed", 0.0),
    ] {
        let shown = payload(run(tool.as_ref(), said).await.unwrap());
        assert_eq!(shown["expression"], expression);
        assert!((shown["intensity"].as_f64().unwrap() - intensity).abs() < 1e-9);
        assert!(read_expression(&shown).is_some());
    }
    assert!(
        run(tool.as_ref(), json!({"emotion": "hungry"})).await.unwrap_err().to_string().contains("hungry")
    );
    assert_eq!(read_expression(&Value::Null), None);
    assert_eq!(read_expression(&json!({"expression": "hungry"})), None);
}

#[tokio::test]
async fn panels_open_and_close_by_name() {
    let bed = Bed::new();
    let tool = bed.tool("panel");
    let shown = payload(run(tool.as_ref(), json!({"panel": "Map"})).await.unwrap());
    assert_eq!(shown, json!({"panel": "map", "open": true}));
    let shown = payload(run(tool.as_ref(), json!({"panel": "orb", "open": false})).await.unwrap());
    assert_eq!(shown, json!({"panel": "orb", "open": false}));
    assert!(run(tool.as_ref(), json!({"panel": "camera"})).await.is_err());
}
