use std::fs;
use std::sync::Arc;

use config::{Environment, Flags, Folders, LiveConfig};
use protocol::BackgroundKind;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::test_support::{payload, run};

/// A data folder with its settings.
struct Fixture {
    home: TempDir,
    assets: Arc<AvatarAssets>,
}

impl Fixture {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let config = LiveConfig::open(Folders::within(home.path()), Environment::default(), Flags::default());
        Self { home, assets: Arc::new(AvatarAssets::new(Arc::new(config))) }
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.home.path().join("assets").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn tool(&self, name: &str) -> Arc<dyn Tool> {
        tools(&self.assets).unwrap().into_iter().find(|tool| tool.spec().name == name).unwrap()
    }
}

const FBX: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";

#[tokio::test]
async fn tools_play_what_is_there_and_name_what_is_there_otherwise() {
    let fixture = Fixture::new();
    fixture.write("anims/spin_kick.fbx", FBX);
    let tool = fixture.tool("play_animation");
    for (said, played) in [("wave", "wave"), (" Wave ", "wave"), ("Spin kick", "spin_kick")] {
        let output = run(tool.as_ref(), json!({"name": said})).await.unwrap();
        assert_eq!(output.command.as_ref().unwrap().action, "play_animation");
        assert_eq!(payload(output), json!({"name": played}));
    }
    let error = run(tool.as_ref(), json!({"name": "moonwalk"})).await.unwrap_err().to_string();
    assert!(error.contains("moonwalk") && error.contains("spin_kick") && error.contains("wave"), "{error}");
    let listed = run(fixture.tool("get_animations").as_ref(), json!({})).await.unwrap().text;
    assert!(listed.contains("spin_kick") && listed.contains("idle"), "{listed}");
}

#[tokio::test]
async fn what_is_behind_her_is_a_sky_a_colour_or_a_picture_and_is_kept() {
    let fixture = Fixture::new();
    fixture.write("backgrounds/Beach.jpg", b"\xff\xd8\xff");
    fixture.write("backgrounds/evil.svg", b"<svg/>");
    let list = fixture.assets.backgrounds();
    assert_eq!(list.current, "night");
    let kinds: Vec<_> = list.backgrounds.iter().map(|known| known.kind).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == BackgroundKind::Sky).count(), 2);
    assert_eq!(
        kinds.iter().filter(|kind| **kind == BackgroundKind::Picture).count(),
        1,
        "no drawing that runs"
    );
    let tool = fixture.tool("set_background");
    for (said, set) in
        [("beach", "Beach.jpg"), ("DUSK", "dusk"), ("#AABBCC", "#aabbcc"), ("Beach.jpg", "Beach.jpg")]
    {
        let output = run(tool.as_ref(), json!({"filename": said})).await.unwrap();
        assert_eq!(payload(output), json!({"filename": set}));
        assert_eq!(fixture.assets.backgrounds().current, set);
        let list = fixture.assets.backgrounds();
        assert!(list.backgrounds.iter().any(|known| known.filename == set), "what is shown is among them");
    }
    for wrong in ["#12", "../../token", "", "mars"] {
        let error = run(tool.as_ref(), json!({"filename": wrong})).await.unwrap_err().to_string();
        assert!(error.contains("night"), "{error}");
    }
    fs::remove_file(fixture.home.path().join("assets/backgrounds/Beach.jpg")).unwrap();
    assert_eq!(fixture.assets.backgrounds().current, "night", "where it is gone, the sky is there");
}

#[tokio::test]
async fn a_face_is_asked_for_in_many_words() {
    let fixture = Fixture::new();
    let tool = fixture.tool("express");
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
    let fixture = Fixture::new();
    let tool = fixture.tool("panel");
    let shown = payload(run(tool.as_ref(), json!({"panel": "Map"})).await.unwrap());
    assert_eq!(shown, json!({"panel": "map", "open": true}));
    let shown = payload(run(tool.as_ref(), json!({"panel": "orb", "open": false})).await.unwrap());
    assert_eq!(shown, json!({"panel": "orb", "open": false}));
    assert!(run(tool.as_ref(), json!({"panel": "camera"})).await.is_err());
}
