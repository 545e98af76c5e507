use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use body::{ANIMATIONS, PALETTES, Palette};
use config::{Config, LiveConfig, Paths, SetError};
use host::{EntryInfo, EntryKind, RootDir};
use protocol::{
    AnimationFormat, AnimationInfo, AssetKind, BackgroundInfo, BackgroundKind, BackgroundList, BodyChoice,
    BodyReport, ConfigPatch, ModelFile, PaletteInfo,
};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::asset_folder::{AssetError, AssetFile, AssetFolder, stem, version};

/// The skies that the client renders. The first is the default background.
const SKIES: [&str; 2] = ["night", "dusk"];
/// Plain background colours that suit the avatar.
const COLOURS: [&str; 6] = ["#10142b", "#1d2440", "#2b2140", "#14302e", "#e9e7f5", "#f6ead9"];
/// The name of the animation that resumes after every other one.
const IDLE: &str = "idle";

/// The reason why a choice was refused.
#[derive(Debug, Error)]
pub enum ChoiceError {
    /// The chosen item does not exist.
    #[error("{0}")]
    Unknown(String),
    #[error(transparent)]
    Setting(#[from] SetError),
}

/// All avatars, animations and backgrounds: built-in ones, which are generated, and the user's files in `assets`.
pub struct AvatarAssets {
    config: Arc<LiveConfig>,
    bodies: [OnceLock<BuiltinFile>; PALETTES.len()],
    animations: [OnceLock<BuiltinFile>; ANIMATIONS.len()],
    /// The fingerprint of the assets at the last check.
    last_fingerprint: Mutex<String>,
}

/// A built-in asset as a file, generated on first use.
#[derive(Debug)]
pub struct BuiltinFile {
    pub bytes: Vec<u8>,
    /// A hash of the content, which differs even between builds of the same program version.
    pub version: String,
}

impl BuiltinFile {
    fn new(bytes: Vec<u8>) -> Self {
        let version = host::hex(&Sha256::digest(&bytes)[..6]);
        Self { bytes, version }
    }
}

impl AvatarAssets {
    pub fn new(config: Arc<LiveConfig>) -> Self {
        let assets = Self {
            config,
            bodies: [const { OnceLock::new() }; PALETTES.len()],
            animations: [const { OnceLock::new() }; ANIMATIONS.len()],
            last_fingerprint: Mutex::default(),
        };
        assets.has_changed();
        assets
    }

    /// Returns true if anything has changed since the last call.
    pub fn has_changed(&self) -> bool {
        let fingerprint = self.fingerprint();
        let mut last = self.last_fingerprint.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = *last != fingerprint;
        *last = fingerprint;
        changed
    }

    fn fingerprint(&self) -> String {
        let (config, paths) = self.current();
        let mut print = format!("{:?} {:?} {}", config.vrm_model, config.background, palette(&config).name);
        for kind in [AssetKind::Models, AssetKind::Anims, AssetKind::Backgrounds] {
            for (name, info) in AssetFolder::new(kind, &paths.assets).list() {
                let _ = write!(print, "\n{kind:?} {name} {}", version(&info));
            }
        }
        // An avatar file outside of the assets folder.
        if let Some((_, _, info)) = paths.avatar.as_deref().and_then(file_at) {
            print.push_str(&version(&info));
        }
        print
    }

    /// Returns the animations. A user's file overrides the built-in one of the same name.
    pub fn animations(&self) -> Vec<AnimationInfo> {
        let (_, paths) = self.current();
        let mut all: Vec<AnimationInfo> = Vec::new();
        for (filename, info) in AssetFolder::new(AssetKind::Anims, &paths.assets).list() {
            let name = stem(&filename).to_owned();
            let is_vrma = filename.to_ascii_lowercase().ends_with(".vrma");
            let looped = name.eq_ignore_ascii_case(IDLE);
            let url = asset_url("anims", &filename, &info);
            let format = if is_vrma { AnimationFormat::Vrma } else { AnimationFormat::Fbx };
            // Files that differ only in the extension count as one animation.
            all.retain(|known| !known.name.eq_ignore_ascii_case(&name));
            all.push(AnimationInfo { name, url, format, own: false, looped });
        }
        for builtin in &ANIMATIONS {
            if all.iter().any(|known| known.name.eq_ignore_ascii_case(builtin.name)) {
                continue;
            }
            let version = self.builtin_animation(builtin.name).map_or("", |file| &file.version);
            all.push(AnimationInfo {
                name: builtin.name.to_owned(),
                url: format!("/api/animations/{}?v={version}", builtin.name),
                format: AnimationFormat::Vrma,
                own: true,
                looped: builtin.loops,
            });
        }
        all.sort_by_cached_key(|known| known.name.to_lowercase());
        all
    }

    /// Finds an animation by name, ignoring case and separators, since models and users spell names freely.
    pub fn animation(&self, wanted: &str) -> Option<AnimationInfo> {
        let plain = |name: &str| name.to_lowercase().replace(['_', '-'], " ");
        let wanted = plain(wanted.trim());
        self.animations().into_iter().find(|known| plain(&known.name) == wanted)
    }

    /// Returns a built-in animation as a VRMA file.
    pub fn builtin_animation(&self, name: &str) -> Option<&BuiltinFile> {
        let index = ANIMATIONS.iter().position(|builtin| builtin.name == name)?;
        let generate = || BuiltinFile::new(body::animation_file(name).unwrap_or_default());
        Some(self.animations[index].get_or_init(generate))
    }

    pub fn backgrounds(&self) -> BackgroundList {
        let (config, paths) = self.current();
        let plain =
            |filename: &&str, kind| BackgroundInfo { filename: (*filename).to_owned(), kind, url: None };
        let skies = SKIES.iter().map(|sky| plain(sky, BackgroundKind::Sky));
        let colours = COLOURS.iter().map(|colour| plain(colour, BackgroundKind::Colour));
        let pictures = AssetFolder::new(AssetKind::Backgrounds, &paths.assets).list().into_iter().map(
            |(filename, info)| BackgroundInfo {
                url: Some(asset_url("backgrounds", &filename, &info)),
                filename,
                kind: BackgroundKind::Picture,
            },
        );
        let mut backgrounds: Vec<BackgroundInfo> = skies.chain(pictures).chain(colours).collect();
        let chosen = config.background.clone().unwrap_or_default();
        let known = backgrounds.iter().any(|known| known.filename == chosen);
        if !known && is_colour(&chosen) {
            backgrounds.push(plain(&chosen.as_str(), BackgroundKind::Colour));
        }
        let current = if known || is_colour(&chosen) { chosen } else { SKIES[0].to_owned() };
        BackgroundList { backgrounds, current }
    }

    /// Sets the background. The error for an unknown one lists those that exist.
    pub fn set_background(&self, wanted: &str) -> Result<String, ChoiceError> {
        let wanted = wanted.trim();
        let list = self.backgrounds();
        let names = || list.backgrounds.iter().map(|known| known.filename.as_str());
        let found = names()
            .find(|name| name.eq_ignore_ascii_case(wanted) || stem(name).eq_ignore_ascii_case(wanted))
            .map(ToOwned::to_owned)
            .or_else(|| is_colour(wanted).then(|| wanted.to_ascii_lowercase()));
        let Some(found) = found else {
            let names: Vec<_> = names().collect();
            let there = names.join(", ");
            return Err(ChoiceError::Unknown(format!(
                "There is no background “{wanted}”. There are: {there}."
            )));
        };
        self.save([("background", Value::String(found.clone()))])?;
        Ok(found)
    }

    /// Returns the current avatar and the ones to choose from.
    pub fn body(&self) -> BodyReport {
        let (config, paths) = self.current();
        let models =
            AssetFolder::new(AssetKind::Models, &paths.assets).list().into_iter().map(|(filename, info)| {
                ModelFile { url: asset_url("models", &filename, &info), bytes: info.len, filename }
            });
        let palettes = PALETTES.iter().map(|palette| PaletteInfo {
            name: palette.name.to_owned(),
            title: palette.title.to_owned(),
            url: format!("/api/body/palettes/{}?v={}", palette.name, self.builtin_body_of(palette).version),
            colours: palette.swatches().to_vec(),
        });
        let palette = palette(&config);
        let builtin_url = format!("/avatar.vrm?v={}", self.builtin_body_of(&palette).version);
        let chosen = config.vrm_model.as_ref().zip(paths.avatar.as_deref());
        let model = chosen.map(|(name, _)| name.display().to_string());
        let file = chosen.and_then(|(_, path)| file_at(path));
        let missing = |name: &String| format!("There is no body {name}, so the built-in one is shown.");
        let trouble = model.as_ref().filter(|_| file.is_none()).map(missing);
        let url = file.map_or(builtin_url, |(_, _, info)| format!("/avatar.vrm?v={}", version(&info)));
        BodyReport {
            model,
            url,
            palette: palette.name.to_owned(),
            models: models.collect(),
            palettes: palettes.collect(),
            trouble,
        }
    }

    /// Chooses another avatar. Fails with a message if it does not exist.
    pub fn choose_body(&self, choice: &BodyChoice) -> Result<(), ChoiceError> {
        let mut patch = Vec::new();
        if let Some(name) = &choice.palette {
            if Palette::named(name).is_none() {
                return Err(ChoiceError::Unknown(format!("there is no palette {name}")));
            }
            patch.push(("body.palette", Value::String(name.clone())));
        }
        match choice.model.as_deref() {
            None => {}
            Some("") => patch.push(("vrm_model", Value::Null)),
            Some(name) => {
                let (_, paths) = self.current();
                let files = AssetFolder::new(AssetKind::Models, &paths.assets).list();
                if !files.iter().any(|(known, _)| known == name) {
                    let folder = paths.assets.join("models");
                    return Err(ChoiceError::Unknown(format!(
                        "there is no body {name} in {}",
                        folder.display()
                    )));
                }
                patch.push(("vrm_model", Value::String(name.to_owned())));
            }
        }
        self.save(patch)
    }

    /// Returns the current avatar: the user's file, or the built-in one if there is none.
    pub fn avatar(&self) -> Result<AssetFile, &BuiltinFile> {
        let (config, paths) = self.current();
        let chosen = paths.avatar.as_deref().and_then(file_at).and_then(|(root, name, info)| {
            let file = root.open_file(name).ok()?;
            let (len, version) = (info.len, version(&info));
            Some(AssetFile { file, len, content_type: "model/gltf-binary", version })
        });
        chosen.ok_or_else(|| self.builtin_body_of(&palette(&config)))
    }

    /// Returns the built-in avatar in these colours.
    pub fn builtin_body(&self, palette: &str) -> Option<&BuiltinFile> {
        Palette::named(palette).map(|palette| self.builtin_body_of(palette))
    }

    fn builtin_body_of(&self, palette: &Palette) -> &BuiltinFile {
        let index = PALETTES.iter().position(|known| known.name == palette.name).unwrap_or(0);
        self.bodies[index].get_or_init(|| BuiltinFile::new(body::avatar_file(palette)))
    }

    pub fn open(&self, kind: AssetKind, name: &str) -> Result<AssetFile, AssetError> {
        self.folder(kind).open(name)
    }

    /// Stores a user file, replacing one of the same name.
    pub fn put(&self, kind: AssetKind, name: &str, bytes: &[u8]) -> Result<(), AssetError> {
        self.folder(kind).put(name, bytes)
    }

    /// Removes a file. It can be restored until another one of its name is removed or replaced.
    pub fn remove(&self, kind: AssetKind, name: &str) -> Result<(), AssetError> {
        self.folder(kind).remove(name)
    }

    pub fn restore(&self, kind: AssetKind, name: &str) -> Result<(), AssetError> {
        self.folder(kind).restore(name)
    }

    fn folder(&self, kind: AssetKind) -> AssetFolder {
        AssetFolder::new(kind, &self.current().1.assets)
    }

    fn current(&self) -> (Arc<Config>, Paths) {
        let config = self.config.current();
        let paths = Paths::new(self.config.folders(), &config);
        (config, paths)
    }

    fn save<'a>(&self, values: impl IntoIterator<Item = (&'a str, Value)>) -> Result<(), ChoiceError> {
        let patch: Map<String, Value> =
            values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        if patch.is_empty() { Ok(()) } else { Ok(self.config.set(&ConfigPatch(patch))?) }
    }
}

fn palette(config: &Config) -> Palette {
    let wanted = config.body.palette.as_str();
    Palette::named(wanted).copied().unwrap_or(PALETTES[0])
}

/// Returns the folder, the name and the metadata of the file at an absolute path.
fn file_at(path: &Path) -> Option<(RootDir, PathBuf, EntryInfo)> {
    let name = PathBuf::from(path.file_name()?);
    let root = RootDir::open(path.parent()?).ok()?;
    let info = root.metadata(&name).ok()??;
    (info.kind == EntryKind::File).then_some((root, name, info))
}

fn is_colour(name: &str) -> bool {
    let digits = name.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn asset_url(folder: &str, filename: &str, info: &EntryInfo) -> String {
    format!("/api/assets/{folder}/{}?v={}", encoded(filename), version(info))
}

/// Percent-encodes a name for a URL.
fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
