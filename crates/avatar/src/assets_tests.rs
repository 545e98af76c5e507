use std::fs;
use std::path::Path;
use std::sync::Arc;

use config::{Environment, Flags, Folders, LiveConfig};
use protocol::{AnimationFormat, AssetKind, BodyChoice};
use tempfile::TempDir;

use super::*;

/// A data folder with its settings.
struct Fixture {
    home: TempDir,
    assets: AvatarAssets,
}

impl Fixture {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let config = LiveConfig::open(Folders::within(home.path()), Environment::default(), Flags::default());
        Self { home, assets: AvatarAssets::new(Arc::new(config)) }
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.home.path().join("assets").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn names(&self) -> Vec<String> {
        self.assets.animations().into_iter().map(|animation| animation.name).collect()
    }
}

const GLTF: &[u8] = b"glTF\x02\0\0\0";
const FBX: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";

#[test]
fn she_has_animations_of_her_own_and_takes_files_for_more() {
    let fixture = Fixture::new();
    assert_eq!(fixture.names(), ["idle", "laugh", "listen", "nod", "sleepy", "surprised", "think", "wave"]);
    fixture.write("anims/Dance.fbx", FBX);
    fixture.write("anims/WAVE.vrma", GLTF);
    fixture.write("anims/readme.txt", b"");
    fixture.write("anims/.hidden.fbx", FBX);
    fixture.write("anims/folder.fbx/inside.fbx", FBX);
    let all = fixture.assets.animations();
    assert_eq!(
        fixture.names(),
        ["Dance", "idle", "laugh", "listen", "nod", "sleepy", "surprised", "think", "WAVE"]
    );
    let dance = all.iter().find(|known| known.name == "Dance").unwrap();
    assert_eq!((dance.format, dance.own, dance.looped), (AnimationFormat::Fbx, false, false));
    assert!(dance.url.starts_with("/api/assets/anims/Dance.fbx?v="), "{}", dance.url);
    let wave = all.iter().find(|known| known.name == "WAVE").unwrap();
    assert!(!wave.own, "the user's goes before hers");
    assert!(all.iter().find(|known| known.name == "idle").is_some_and(|idle| idle.looped && idle.own));
    assert!(fixture.assets.builtin_animation("idle").is_some_and(|own| own.bytes.starts_with(b"glTF")));
    assert!(fixture.assets.builtin_animation("dance").is_none());
}

#[test]
fn a_name_of_a_file_stands_in_its_address_whole() {
    let fixture = Fixture::new();
    fixture.write("anims/a b&c#ü.vrma", GLTF);
    let found = fixture.assets.animation("A B&C#Ü").unwrap();
    assert!(found.url.starts_with("/api/assets/anims/a%20b%26c%23%C3%BC.vrma?v="), "{}", found.url);
}

#[test]
fn she_wears_what_is_chosen_and_her_own_where_that_is_gone() {
    let fixture = Fixture::new();
    let own = fixture.assets.body();
    assert_eq!((own.model.as_deref(), own.palette.as_str(), own.trouble.as_deref()), (None, "moon", None));
    assert_eq!(own.palettes.len(), 3);
    assert!(own.palettes.iter().all(|palette| palette.colours.iter().all(|colour| colour.len() == 7)));
    fixture
        .assets
        .choose_body(&BodyChoice { palette: Some("dawn".into()), ..BodyChoice::default() })
        .unwrap();
    let dawn = fixture.assets.body();
    assert_ne!(dawn.url, own.url, "another address for other colours");
    let Err(worn) = fixture.assets.avatar() else { panic!("her own") };
    assert!(fixture.assets.builtin_body("dawn").is_some_and(|dawn| dawn.bytes == worn.bytes));

    fixture.write("models/alice.vrm", GLTF);
    for wrong in ["bob.vrm", "../alice.vrm", "/etc/passwd"] {
        let choice = BodyChoice { model: Some(wrong.into()), ..BodyChoice::default() };
        assert!(fixture.assets.choose_body(&choice).unwrap_err().to_string().contains("no body"), "{wrong}");
    }
    fixture
        .assets
        .choose_body(&BodyChoice { model: Some("alice.vrm".into()), ..BodyChoice::default() })
        .unwrap();
    assert_eq!(fixture.assets.body().model.as_deref(), Some("alice.vrm"));
    assert_eq!(fixture.assets.avatar().unwrap().len, 8);
    fs::remove_file(fixture.home.path().join("assets/models/alice.vrm")).unwrap();
    let gone = fixture.assets.body();
    assert!(gone.trouble.as_deref().is_some_and(|words| words.contains("alice.vrm")), "{gone:?}");
    assert!(fixture.assets.avatar().is_err(), "her own");
    fixture.assets.choose_body(&BodyChoice { model: Some(String::new()), ..BodyChoice::default() }).unwrap();
    assert_eq!(fixture.assets.body().trouble, None);
}

#[test]
fn files_come_go_and_come_back() {
    let fixture = Fixture::new();
    let (kind, assets) = (AssetKind::Models, &fixture.assets);
    assets.put(kind, "a.vrm", GLTF).unwrap();
    assert_eq!(assets.open(kind, "a.vrm").unwrap().len, 8);
    assert!(matches!(assets.restore(kind, "a.vrm"), Err(AssetError::Missing(_))));
    assets.remove(kind, "a.vrm").unwrap();
    assert!(matches!(assets.open(kind, "a.vrm"), Err(AssetError::Missing(_))));
    assert!(matches!(assets.remove(kind, "a.vrm"), Err(AssetError::Missing(_))));
    assert!(assets.body().models.is_empty());
    assets.restore(kind, "a.vrm").unwrap();
    assert_eq!(assets.body().models.len(), 1);
    // Each restore swaps the current file with the one set aside.
    assets.put(kind, "a.vrm", b"glTF2").unwrap();
    for bytes in [8, 5, 8] {
        assets.restore(kind, "a.vrm").unwrap();
        assert_eq!(assets.open(kind, "a.vrm").unwrap().len, bytes);
        assert_eq!(assets.body().models.len(), 1);
    }
    // Only the file last removed or replaced is kept.
    assets.remove(kind, "a.vrm").unwrap();
    assets.put(kind, "a.vrm", b"glTF23").unwrap();
    assets.put(kind, "a.vrm", b"glTF234").unwrap();
    assets.restore(kind, "a.vrm").unwrap();
    assert_eq!(assets.open(kind, "a.vrm").unwrap().len, 6);
}

#[test]
fn many_who_bring_and_take_away_the_same_file_leave_a_whole_one() {
    let fixture = Fixture::new();
    let (kind, assets) = (AssetKind::Models, &fixture.assets);
    assets.put(kind, "a.vrm", GLTF).unwrap();
    std::thread::scope(|scope| {
        for size in 4..12 {
            scope.spawn(move || {
                let bytes: Vec<u8> = GLTF.iter().copied().cycle().take(size).collect();
                for _ in 0..20 {
                    assets.put(kind, "a.vrm", &bytes).unwrap();
                    assets.restore(kind, "a.vrm").unwrap();
                }
            });
        }
    });
    let left = assets.open(kind, "a.vrm").unwrap();
    assert!((4..12).contains(&left.len));
    assert_eq!(assets.body().models.len(), 1);
    let aside = fs::read_dir(fixture.home.path().join("assets/.removed/models")).unwrap();
    let names: Vec<_> = aside.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["a.vrm"], "nothing is left between");
}

#[test]
fn what_does_not_belong_there_does_not_come_in() {
    let fixture = Fixture::new();
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
        assert!(fixture.assets.put(kind, name, bytes).is_err(), "{name:?} of {kind:?}");
    }
    assert!(!fixture.home.path().join("a.vrm").exists());
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_not_followed() {
    let fixture = Fixture::new();
    fs::write(fixture.home.path().join("token"), "secret").unwrap();
    fixture.write("models/real.vrm", GLTF);
    std::os::unix::fs::symlink(
        fixture.home.path().join("token"),
        fixture.home.path().join("assets/models/x.vrm"),
    )
    .unwrap();
    assert_eq!(fixture.assets.body().models.len(), 1);
    assert!(fixture.assets.open(AssetKind::Models, "x.vrm").is_err());
}

#[test]
fn a_change_is_seen_once() {
    let fixture = Fixture::new();
    assert!(!fixture.assets.has_changed());
    fixture.write("anims/a.vrma", GLTF);
    assert!(fixture.assets.has_changed());
    assert!(!fixture.assets.has_changed());
    fixture.write("anims/a.vrma", b"glTFlonger");
    assert!(fixture.assets.has_changed());
    fixture.assets.set_background("dusk").unwrap();
    assert!(fixture.assets.has_changed());
    assert!(Path::new(fixture.home.path()).exists());
}
