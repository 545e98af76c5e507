//! The avatar: its appearance, its animations and its background.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// A facial expression of the avatar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expression {
    Happy,
    Angry,
    Sad,
    Relaxed,
    Surprised,
    Neutral,
}

/// The state of the avatar between animations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyState {
    Idle,
    /// A request was sent, and no text of the reply has arrived yet.
    Thinking,
    /// The reply is being written.
    Answering,
}

/// A mouth shape. Times are in seconds from the beginning of the sound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Viseme {
    pub at: f32,
    pub seconds: f32,
    pub shape: MouthShape,
    /// The strength of the shape, from 0 to 1.
    pub weight: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MouthShape {
    Aa,
    Ih,
    Ou,
    Ee,
    Oh,
    Closed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnimationList {
    pub animations: Vec<AnimationInfo>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnimationInfo {
    pub name: String,
    /// The URL of the animation file. It changes with the file, so that the response can be cached indefinitely.
    pub url: String,
    pub format: AnimationFormat,
    /// True for a built-in animation, false for a file in `assets/anims`.
    pub own: bool,
    /// True if it repeats until another animation is played. Other animations are played once.
    pub looped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnimationFormat {
    Vrma,
    Fbx,
}

/// The available backgrounds, and the current one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackgroundList {
    pub backgrounds: Vec<BackgroundInfo>,
    /// The `filename` of the current background.
    pub current: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackgroundInfo {
    /// A file in `assets/backgrounds`, a colour such as `#101830`, or one of the computed skies `night` and `dusk`.
    pub filename: String,
    pub kind: BackgroundKind,
    /// The URL of a picture; `null` for other kinds.
    pub url: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackgroundKind {
    /// Stars and the moon in its phase of today, drawn by the client.
    Sky,
    Colour,
    Picture,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BackgroundChoice {
    pub filename: String,
}

/// The current avatar, and the available ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BodyReport {
    /// The chosen avatar file in `assets/models`; `null` for the built-in avatar.
    pub model: Option<String>,
    /// The URL of the current avatar. It changes with the avatar.
    pub url: String,
    /// The name of the palette that is chosen for the built-in avatar.
    pub palette: String,
    pub models: Vec<ModelFile>,
    pub palettes: Vec<PaletteInfo>,
    /// The reason why the chosen avatar is not shown; `null` if it is.
    pub trouble: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelFile {
    pub filename: String,
    pub url: String,
    #[ts(type = "number")]
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaletteInfo {
    pub name: String,
    pub title: String,
    /// The URL of the built-in avatar in these colours.
    pub url: String,
    /// A few of the colours, from face to scarf, as `#rrggbb`.
    pub colours: Vec<String>,
}

/// The avatar settings to change. Absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BodyChoice {
    /// A file in `assets/models`; an empty string chooses the built-in avatar.
    #[serde(default)]
    #[ts(optional)]
    pub model: Option<String>,
    #[serde(default)]
    #[ts(optional)]
    pub palette: Option<String>,
}

/// A folder of `assets`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssetKind {
    Models,
    Anims,
    Backgrounds,
}
