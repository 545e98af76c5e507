//! What she looks like, how she moves, and what is behind her.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// What her face can show.
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

/// What her body does between her animations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyState {
    Idle,
    /// She was asked, and no word has come yet.
    Thinking,
    /// Her answer is being written.
    Answering,
}

/// A shape of the mouth, in seconds from the beginning of the sound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Viseme {
    pub at: f32,
    pub seconds: f32,
    pub shape: MouthShape,
    /// From 0 to 1.
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
    /// Changes with the file, so that it may be kept for ever.
    pub url: String,
    pub format: AnimationFormat,
    /// Made by this program; another is a file in `assets/anims`.
    pub own: bool,
    /// It goes on until another one is played; the others are played once.
    pub looped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnimationFormat {
    Vrma,
    Fbx,
}

/// What stands behind her, and all that could.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackgroundList {
    pub backgrounds: Vec<BackgroundInfo>,
    /// The `filename` of the one that is shown.
    pub current: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackgroundInfo {
    /// A file in `assets/backgrounds`, a colour such as `#101830`, or `night` and `dusk`, which are computed.
    pub filename: String,
    pub kind: BackgroundKind,
    /// Of a picture.
    pub url: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackgroundKind {
    /// Stars and the moon as it stands today, drawn by whoever shows it.
    Sky,
    Colour,
    Picture,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BackgroundChoice {
    pub filename: String,
}

/// Her body, and all that she could wear.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BodyReport {
    /// The file of her body in `assets/models`; none is her own.
    pub model: Option<String>,
    /// Where that body is: it changes with the body.
    pub url: String,
    /// The colours of her own body.
    pub palette: String,
    pub models: Vec<ModelFile>,
    pub palettes: Vec<PaletteInfo>,
    /// Why a body that was chosen is not worn.
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
    /// Her own body in these colours.
    pub url: String,
    /// From her face to her scarf, as `#rrggbb`.
    pub colours: Vec<String>,
}

/// What of her body is to change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BodyChoice {
    /// A file in `assets/models`; the empty word is her own.
    #[serde(default)]
    #[ts(optional)]
    pub model: Option<String>,
    #[serde(default)]
    #[ts(optional)]
    pub palette: Option<String>,
}

/// The folders of `assets`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssetKind {
    Models,
    Anims,
    Backgrounds,
}
