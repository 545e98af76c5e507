use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use host::Secret;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::{Method, Url};
use serde_json::Value;

use super::super::service::{ServiceClient, ServiceResponse, with_path};
use super::auth::SERVICE;
use super::auth::{SpotifyAuth, SpotifyAuthError};
use super::playable::{self, Playable};
use super::{PlayerAction, PlayerError, PlayerRequest, PlayerResponse, PlayerState, label};

/// The smallest cover in pixels that fills its place on a high-resolution screen.
const SMALLEST_COVER: u64 = 200;

/// Spotify through its Web API, for a signed-in user.
pub(crate) struct WebPlayer {
    pub service: ServiceClient,
    pub api: Url,
    pub auth: Arc<SpotifyAuth>,
    /// The time until Spotify reports the next track rather than the last.
    pub update_delay: Duration,
}

impl WebPlayer {
    pub async fn act(
        &self,
        folder: &Path,
        request: &PlayerRequest<'_>,
    ) -> Result<PlayerResponse, PlayerError> {
        let player = Session { player: self, folder };
        let mut note = None;
        match (request.action, request.query) {
            (PlayerAction::Play, Some(query)) => {
                let choice = player.search(query, false).await?;
                player.play(Some(&choice.body())).await?;
                note = Some(format!("Playing {}.", named(&choice)));
                tokio::time::sleep(self.update_delay).await;
            }
            (PlayerAction::Play, None) => ignore_refusal(player.play(None).await)?,
            (PlayerAction::Pause, _) => {
                ignore_refusal(player.control(Method::PUT, "/pause", &[], None).await)?;
            }
            (PlayerAction::Next | PlayerAction::Previous, _) => {
                let path = if request.action == PlayerAction::Next { "/next" } else { "/previous" };
                player.control(Method::POST, path, &[], None).await?;
                tokio::time::sleep(self.update_delay).await;
            }
            (PlayerAction::Volume, _) => {
                let volume = request.volume.ok_or(PlayerError::HowLoud)?.to_string();
                player.control(Method::PUT, "/volume", &[("volume_percent", &volume)], None).await?;
            }
            (PlayerAction::Queue, query) => {
                let choice = player.search(query.ok_or(PlayerError::WhatToQueue)?, true).await?;
                player.control(Method::POST, "/queue", &[("uri", &choice.uri)], None).await?;
                note = Some(format!("{} is in the queue.", named(&choice)));
            }
            (PlayerAction::Status, _) => {}
        }
        let mut state = match player.state().await {
            Ok(state) => state,
            Err(trouble) if request.action == PlayerAction::Status => return Err(trouble),
            // The request succeeded even though the state is unknown.
            Err(_) => return Ok(PlayerResponse { state: None, note }),
        };
        match request.action {
            PlayerAction::Play | PlayerAction::Next | PlayerAction::Previous => state.playing = true,
            PlayerAction::Pause => state.playing = false,
            PlayerAction::Volume => state.volume = request.volume.or(state.volume),
            PlayerAction::Queue | PlayerAction::Status => {}
        }
        Ok(PlayerResponse { state: Some(state), note })
    }
}

/// Ignores a refusal: Spotify refuses to pause when paused, which is no error for the user.
fn ignore_refusal(told: Result<(), PlayerError>) -> Result<(), PlayerError> {
    match told {
        Err(PlayerError::NotAllowed) => Ok(()),
        told => told,
    }
}

fn named(choice: &Playable) -> String {
    match choice.artist.as_str() {
        "" => choice.name.clone(),
        artist => format!("{} by {artist}", choice.name),
    }
}

struct Session<'a> {
    player: &'a WebPlayer,
    folder: &'a Path,
}

impl Session<'_> {
    async fn search(&self, query: &str, tracks_only: bool) -> Result<Playable, PlayerError> {
        let kinds = if tracks_only { "track" } else { "track,artist,album,playlist" };
        let pairs = [("q", query), ("type", kinds), ("limit", "5")];
        let found = self.call(Method::GET, "/v1/search", &pairs, None).await?.unwrap_or_default();
        playable::best(&found, query, tracks_only).ok_or_else(|| PlayerError::NothingFound(label(query)))
    }

    /// Plays on the active device, else on an available one.
    async fn play(&self, body: Option<&Value>) -> Result<(), PlayerError> {
        match self.control(Method::PUT, "/play", &[], body).await {
            Err(PlayerError::NoDevice) => {
                let device = self.device().await?.ok_or(PlayerError::NoDevice)?;
                self.control(Method::PUT, "/play", &[("device_id", &device)], body).await
            }
            told => told,
        }
    }

    async fn device(&self) -> Result<Option<String>, PlayerError> {
        let answer = self.call(Method::GET, "/v1/me/player/devices", &[], None).await?.unwrap_or_default();
        let devices = answer["devices"].as_array().map(Vec::as_slice).unwrap_or_default();
        let free = devices.iter().find(|device| device["is_restricted"] != true && device["id"].is_string());
        Ok(free.and_then(|device| device["id"].as_str()).map(ToOwned::to_owned))
    }

    async fn control(
        &self,
        method: Method,
        path: &str,
        query: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Result<(), PlayerError> {
        self.call(method, &format!("/v1/me/player{path}"), query, body).await.map(|_| ())
    }

    async fn state(&self) -> Result<PlayerState, PlayerError> {
        let answer = self.call(Method::GET, "/v1/me/player", &[], None).await?;
        answer.filter(Value::is_object).map(|answer| read(&answer)).ok_or(PlayerError::NoDevice)
    }

    /// Calls the API and returns the response, if any. A refused token is renewed once.
    async fn call(
        &self,
        method: Method,
        path: &str,
        query: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Result<Option<Value>, PlayerError> {
        let auth = &self.player.auth;
        let token = auth.access(self.folder).await?;
        let mut reply = self.send(&method, path, query, body, &token).await?;
        if reply.status.as_u16() == 401 {
            let token = auth.renewed(self.folder, &token).await?;
            reply = self.send(&method, path, query, body, &token).await?;
        }
        match reply.status.as_u16() {
            // Successful control requests do not always return JSON.
            200..=299 => Ok(serde_json::from_slice(&reply.body).ok()),
            401 => Err(SpotifyAuthError::SignedOut.into()),
            403 => Err(forbidden(&reply)),
            404 if path.starts_with("/v1/me/player") => Err(PlayerError::NoDevice),
            429 => Err(PlayerError::TooOften(reply.retry_after)),
            status => Err(PlayerError::Status(status)),
        }
    }

    async fn send(
        &self,
        method: &Method,
        path: &str,
        query: &[(&str, &str)],
        body: Option<&Value>,
        token: &Secret,
    ) -> Result<ServiceResponse, PlayerError> {
        let WebPlayer { service, api, .. } = self.player;
        let mut request = service.request(method.clone(), with_path(api, path)).bearer_auth(token.expose());
        if !query.is_empty() {
            request = request.query(query);
        }
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        } else if method != Method::GET {
            // Spotify requires the header even without a body.
            request = request.header(CONTENT_LENGTH, 0);
        }
        Ok(service.send(request, SERVICE).await?)
    }
}

fn forbidden(reply: &ServiceResponse) -> PlayerError {
    let error = reply.json(SERVICE).unwrap_or_default();
    let error = &error["error"];
    let says = |key: &str| error[key].as_str().unwrap_or_default().to_lowercase();
    if says("reason").contains("premium") || says("message").contains("premium") {
        PlayerError::NotPremium
    } else {
        PlayerError::NotAllowed
    }
}

fn read(answer: &Value) -> PlayerState {
    let item = &answer["item"];
    let text = |value: &Value| value.as_str().map(label).filter(|text| !text.is_empty());
    let artists = item["artists"].as_array().map(Vec::as_slice).unwrap_or_default();
    let artists: Vec<String> = artists.iter().take(4).filter_map(|artist| text(&artist["name"])).collect();
    // An episode has a show instead of an artist, and pictures of its own.
    let artist =
        if artists.is_empty() { text(&item["show"]["name"]).unwrap_or_default() } else { artists.join(", ") };
    let percent = answer["device"]["volume_percent"].as_u64().map(|volume| volume.min(100));
    PlayerState {
        player: SERVICE.to_owned(),
        playing: answer["is_playing"].as_bool().unwrap_or(false),
        title: text(&item["name"]).unwrap_or_default(),
        artist,
        album: text(&item["album"]["name"]),
        cover_url: None,
        cover_at: cover(&item["album"]["images"]).or_else(|| cover(&item["images"])),
        position_ms: answer["progress_ms"].as_u64(),
        duration_ms: item["duration_ms"].as_u64(),
        volume: percent.and_then(|percent| u8::try_from(percent).ok()),
        device: text(&answer["device"]["name"]),
        address: item["external_urls"]["spotify"].as_str().map(ToOwned::to_owned),
    }
}

/// Returns the smallest picture that is large enough; the first if no width is given.
fn cover(images: &Value) -> Option<String> {
    let images = images.as_array().map(Vec::as_slice).unwrap_or_default();
    let width = |image: &&Value| image["width"].as_u64().filter(|width| *width >= SMALLEST_COVER);
    let fitting = images.iter().filter(|image| width(image).is_some()).min_by_key(width);
    fitting.or(images.first())?["url"].as_str().map(ToOwned::to_owned)
}

#[cfg(test)]
#[path = "web_tests.rs"]
mod tests;
