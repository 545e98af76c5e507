use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use body::{MOVES, PALETTES, Palette};
use config::{Config, Folders, Paths, SetError};
use host::{EntryInfo, EntryKind, RootDir};
use protocol::{
    AnimationFormat, AnimationInfo, AssetKind, BackgroundInfo, BackgroundKind, BackgroundList, BodyChoice,
    BodyReport, ConfigPatch, ModelFile, PaletteInfo,
};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use super::files::{AssetError, Served, Shelf, stem, version};
use crate::Settings;

/// Skies that the client renders. The first is the default background.
pub const SKIES: [&str; 2] = ["night", "dusk"];
/// Plain background colours that suit the avatar.
pub const OWN_COLOURS: [&str; 6] = ["#10142b", "#1d2440", "#2b2140", "#14302e", "#e9e7f5", "#f6ead9"];
/// The name of the animation that resumes after every other one.
const IDLE: &str = "idle";

/// Writes settings into the settings file.
pub type Keep = Box<dyn Fn(&ConfigPatch) -> Result<(), SetError> + Send + Sync>;

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
pub struct Wardrobe {
    settings: Settings,
    folders: Folders,
    keep: Keep,
    bodies: [OnceLock<Own>; PALETTES.len()],
    moves: [OnceLock<Own>; MOVES.len()],
    /// The fingerprint of the assets at the last check.
    seen: Mutex<String>,
}

/// A built-in asset as a file, generated on first use.
#[derive(Debug)]
pub struct Own {
    pub bytes: Vec<u8>,
    /// A hash of the content, which differs even between builds of the same program version.
    pub version: String,
}

impl Own {
    fn new(bytes: Vec<u8>) -> Self {
        let version = host::hex(&Sha256::digest(&bytes)[..6]);
        Self { bytes, version }
    }
}

impl Wardrobe {
    pub fn new(settings: Settings, folders: Folders, keep: Keep) -> Self {
        let wardrobe = Self {
            settings,
            folders,
            keep,
            bodies: [const { OnceLock::new() }; PALETTES.len()],
            moves: [const { OnceLock::new() }; MOVES.len()],
            seen: Mutex::default(),
        };
        wardrobe.has_changed();
        wardrobe
    }

    /// Returns true if anything has changed since the last call.
    pub fn has_changed(&self) -> bool {
        let now = self.fingerprint();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = *seen != now;
        *seen = now;
        changed
    }

    fn fingerprint(&self) -> String {
        let (config, paths) = self.current();
        let mut print = format!("{:?} {:?} {}", config.vrm_model, config.background, palette(&config).name);
        for kind in [AssetKind::Models, AssetKind::Anims, AssetKind::Backgrounds] {
            for (name, info) in Shelf::new(kind, &paths.assets).list() {
                let _ = write!(print, "\n{kind:?} {name} {}", version(&info));
            }
        }
        // An avatar file outside of the assets folder.
        if let Some((_, _, info)) = paths.avatar.as_deref().and_then(looked_at) {
            print.push_str(&version(&info));
        }
        print
    }

    /// Returns the animations. A user's file overrides the built-in one of the same name.
    pub fn animations(&self) -> Vec<AnimationInfo> {
        let (_, paths) = self.current();
        let mut all: Vec<AnimationInfo> = Vec::new();
        for (filename, info) in Shelf::new(AssetKind::Anims, &paths.assets).list() {
            let name = stem(&filename).to_owned();
            let is_vrma = filename.to_ascii_lowercase().ends_with(".vrma");
            let looped = name.eq_ignore_ascii_case(IDLE);
            let url = asset_url("anims", &filename, &info);
            let format = if is_vrma { AnimationFormat::Vrma } else { AnimationFormat::Fbx };
            // Files that differ only in the extension count as one animation.
            all.retain(|known| !known.name.eq_ignore_ascii_case(&name));
            all.push(AnimationInfo { name, url, format, own: false, looped });
        }
        for own in &MOVES {
            if all.iter().any(|known| known.name.eq_ignore_ascii_case(own.name)) {
                continue;
            }
            let version = self.own_animation(own.name).map_or("", |made| &made.version);
            all.push(AnimationInfo {
                name: own.name.to_owned(),
                url: format!("/api/animations/{}?v={version}", own.name),
                format: AnimationFormat::Vrma,
                own: true,
                looped: own.loops,
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
    pub fn own_animation(&self, name: &str) -> Option<&Own> {
        let place = MOVES.iter().position(|own| own.name == name)?;
        let made = || Own::new(body::animation(name).unwrap_or_default());
        Some(self.moves[place].get_or_init(made))
    }

    pub fn backgrounds(&self) -> BackgroundList {
        let (config, paths) = self.current();
        let plain =
            |filename: &&str, kind| BackgroundInfo { filename: (*filename).to_owned(), kind, url: None };
        let skies = SKIES.iter().map(|sky| plain(sky, BackgroundKind::Sky));
        let colours = OWN_COLOURS.iter().map(|colour| plain(colour, BackgroundKind::Colour));
        let pictures =
            Shelf::new(AssetKind::Backgrounds, &paths.assets).list().into_iter().map(|(filename, info)| {
                BackgroundInfo {
                    url: Some(asset_url("backgrounds", &filename, &info)),
                    filename,
                    kind: BackgroundKind::Picture,
                }
            });
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
        self.write([("background", Value::String(found.clone()))])?;
        Ok(found)
    }

    pub fn body(&self) -> BodyReport {
        let (config, paths) = self.current();
        let models =
            Shelf::new(AssetKind::Models, &paths.assets).list().into_iter().map(|(filename, info)| {
                ModelFile { url: asset_url("models", &filename, &info), bytes: info.len, filename }
            });
        let palettes = PALETTES.iter().map(|own| PaletteInfo {
            name: own.name.to_owned(),
            title: own.title.to_owned(),
            url: format!("/api/body/palettes/{}?v={}", own.name, self.own_body(own).version),
            colours: own.swatches().to_vec(),
        });
        let own = palette(&config);
        let own_url = format!("/avatar.vrm?v={}", self.own_body(&own).version);
        let worn = config.vrm_model.as_ref().zip(paths.avatar.as_deref());
        let model = worn.map(|(wanted, _)| wanted.display().to_string());
        let file = worn.and_then(|(_, path)| looked_at(path));
        let missing = |name: &String| format!("There is no body {name}, so she wears her own.");
        let trouble = model.as_ref().filter(|_| file.is_none()).map(missing);
        let url = file.map_or(own_url, |(_, _, info)| format!("/avatar.vrm?v={}", version(&info)));
        BodyReport {
            model,
            url,
            palette: own.name.to_owned(),
            models: models.collect(),
            palettes: palettes.collect(),
            trouble,
        }
    }

    /// Chooses another avatar. Fails with a message if it does not exist.
    pub fn wear(&self, choice: &BodyChoice) -> Result<(), ChoiceError> {
        let mut patch = Vec::new();
        if let Some(name) = &choice.palette {
            if Palette::named(name).is_none() {
                return Err(ChoiceError::Unknown(format!("there are no colours {name}")));
            }
            patch.push(("body.palette", Value::String(name.clone())));
        }
        match choice.model.as_deref() {
            None => {}
            Some("") => patch.push(("vrm_model", Value::Null)),
            Some(name) => {
                let (_, paths) = self.current();
                let files = Shelf::new(AssetKind::Models, &paths.assets).list();
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
        self.write(patch)
    }

    /// Returns the current avatar: the user's file, or the built-in one if there is none.
    pub fn avatar(&self) -> Result<Served, &Own> {
        let (config, paths) = self.current();
        let chosen = paths.avatar.as_deref().and_then(looked_at).and_then(|(root, name, info)| {
            let file = root.open_file(name).ok()?;
            let (len, version) = (info.len, version(&info));
            Some(Served { file, len, content_type: "model/gltf-binary", version })
        });
        chosen.ok_or_else(|| self.own_body(&palette(&config)))
    }

    /// Returns the built-in avatar in these colours.
    pub fn own_body_in(&self, name: &str) -> Option<&Own> {
        Palette::named(name).map(|own| self.own_body(own))
    }

    fn own_body(&self, palette: &Palette) -> &Own {
        let place = PALETTES.iter().position(|own| own.name == palette.name).unwrap_or(0);
        self.bodies[place].get_or_init(|| Own::new(body::avatar(palette)))
    }

    pub fn open(&self, kind: AssetKind, name: &str) -> Result<Served, AssetError> {
        self.shelf(kind).open(name)
    }

    /// Stores a user file, replacing one of the same name.
    pub fn put(&self, kind: AssetKind, name: &str, bytes: &[u8]) -> Result<(), AssetError> {
        self.shelf(kind).put(name, bytes)
    }

    /// Removes a file. It can be restored until another one of its name is removed or replaced.
    pub fn remove(&self, kind: AssetKind, name: &str) -> Result<(), AssetError> {
        self.shelf(kind).remove(name)
    }

    pub fn restore(&self, kind: AssetKind, name: &str) -> Result<(), AssetError> {
        self.shelf(kind).restore(name)
    }

    fn shelf(&self, kind: AssetKind) -> Shelf {
        Shelf::new(kind, &self.current().1.assets)
    }

    fn current(&self) -> (std::sync::Arc<Config>, Paths) {
        let config = (self.settings)();
        let paths = Paths::new(&self.folders, &config);
        (config, paths)
    }

    fn write<'a>(&self, values: impl IntoIterator<Item = (&'a str, Value)>) -> Result<(), ChoiceError> {
        let patch: Map<String, Value> =
            values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        if patch.is_empty() { Ok(()) } else { Ok((self.keep)(&ConfigPatch(patch))?) }
    }
}

fn palette(config: &Config) -> Palette {
    let wanted = config.body.palette.as_str();
    Palette::named(wanted).copied().unwrap_or(PALETTES[0])
}

/// Opens a file by its absolute path: returns its folder, its name and its metadata.
fn looked_at(path: &Path) -> Option<(RootDir, PathBuf, EntryInfo)> {
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
