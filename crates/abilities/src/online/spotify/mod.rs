//! Controls music: Spotify if the user is signed in, otherwise any player on this machine.

pub mod auth;
mod bus;
mod cover;
mod local;
mod playable;
mod tool;
mod web;

use serde::{Deserialize, Serialize};

use super::service::{ServiceError, retry_time};
pub use auth::{SignInStatus, SpotifyAuth, SpotifyAuthError, SpotifySignIn};
pub(crate) use bus::Busctl;
pub(crate) use cover::CoverImages;
pub(crate) use local::LocalPlayer;
pub(crate) use tool::{MusicPlayers, SpotifyTool};
pub(crate) use web::WebPlayer;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum PlayerAction {
    Play,
    Pause,
    Next,
    Previous,
    Volume,
    Queue,
    Status,
}

/// A request to a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlayerRequest<'a> {
    pub action: PlayerAction,
    pub query: Option<&'a str>,
    pub volume: Option<u8>,
}

/// The state of a player, as shown on the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayerState {
    pub player: String,
    pub playing: bool,
    pub title: String,
    pub artist: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub album: Option<String>,
    /// The picture as a `data:` URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cover_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The address of the picture.
    #[serde(skip)]
    pub cover_at: Option<String>,
    /// The address of the track, whose publisher wrote the title.
    #[serde(skip)]
    pub address: Option<String>,
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlayerResponse {
    /// `None` if the request succeeded and the player does not report its state.
    pub state: Option<PlayerState>,
    /// A sentence with details that the state does not contain.
    pub note: Option<String>,
}

/// The reason why a player did not act.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlayerError {
    #[error(transparent)]
    Auth(#[from] SpotifyAuthError),
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error("Spotify lets only Premium members control the music from elsewhere.")]
    NotPremium,
    #[error("Spotify does not allow that at the moment.")]
    NotAllowed,
    #[error("Spotify is not active on any device. Open it somewhere and press play once, then try again.")]
    NoDevice,
    #[error("Spotify was asked too often. Try again {}.", retry_time(*.0))]
    TooOften(Option<u64>),
    #[error("Spotify answered with {0}. Try again later.")]
    Status(u16),
    #[error("Spotify has nothing for “{0}”.")]
    NothingFound(String),
    #[error("No music player runs on this machine. Start one, or connect Spotify in the settings.")]
    NoPlayer,
    #[error("{0} did not follow the request.")]
    Refused(String),
    #[error(
        "{0} cannot be searched from here. Choose the music in its window, or connect Spotify in the settings."
    )]
    CannotSearch(String),
    #[error("{0} has no queue that can be added to from here. Connect Spotify in the settings for that.")]
    CannotQueue(String),
    #[error("{0} cannot do that with what it plays.")]
    CannotSkip(String),
    #[error("Say how loud, from 0 to 100.")]
    HowLoud,
    #[error("Say what to put into the queue.")]
    WhatToQueue,
}

/// Shortens an untrusted title or name to one short line.
fn label(text: &str) -> String {
    super::readable::one_line(text).chars().take(120).collect()
}
