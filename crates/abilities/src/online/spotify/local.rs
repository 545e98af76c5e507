use std::sync::Arc;

use futures_util::future::join_all;
use reqwest::Url;
use serde_json::Value;

use super::bus::{BusError, SessionBus};
use super::{PlayerAction, PlayerError, PlayerRequest, PlayerResponse, PlayerState, label};

const PREFIX: &str = "org.mpris.MediaPlayer2.";
/// A proxy for other players, which is not a player itself.
const PROXY_PLAYER: &str = "playerctld";
const OBJECT: &str = "/org/mpris/MediaPlayer2";
const PLAYER: &str = "org.mpris.MediaPlayer2.Player";
const MOST_PLAYERS: usize = 16;

/// Players on this machine, controlled by MPRIS.
#[derive(Clone)]
pub(crate) struct LocalPlayer {
    pub bus: Arc<dyn SessionBus>,
}

/// A player with its reported properties.
struct Player {
    /// The name on the bus.
    name: String,
    properties: Value,
}

impl LocalPlayer {
    pub async fn act(&self, request: &PlayerRequest<'_>) -> Result<PlayerResponse, PlayerError> {
        let player = self.chosen().await?;
        let shown = self.shown_name(&player).await;
        let mut note = None;
        match (request.action, request.query) {
            (PlayerAction::Status, _) => {}
            (PlayerAction::Play, Some(query)) if player.is_spotify() => {
                let address = format!("spotify:search:{}", encoded(query));
                self.control(&player, &shown, &["OpenUri", "s", &address]).await?;
                note = Some(format!(
                    "{shown} shows what it has for “{}”. Choose there what to play.",
                    label(query)
                ));
            }
            (PlayerAction::Play, Some(_)) => return Err(PlayerError::CannotSearch(shown)),
            (PlayerAction::Play, None) => self.control(&player, &shown, &["Play"]).await?,
            (PlayerAction::Pause, _) => self.control(&player, &shown, &["Pause"]).await?,
            (PlayerAction::Next, _) if player.is("CanGoNext") => {
                self.control(&player, &shown, &["Next"]).await?;
            }
            (PlayerAction::Previous, _) if player.is("CanGoPrevious") => {
                self.control(&player, &shown, &["Previous"]).await?;
            }
            (PlayerAction::Next | PlayerAction::Previous, _) => return Err(PlayerError::CannotSkip(shown)),
            (PlayerAction::Volume, _) => {
                self.set_volume(&player, &shown, request.volume.ok_or(PlayerError::HowLoud)?).await?;
            }
            (PlayerAction::Queue, _) => return Err(PlayerError::CannotQueue(shown)),
        }
        let properties = self.properties(&player.name).await.unwrap_or(player.properties);
        let mut state = read(&properties, shown);
        match request.action {
            PlayerAction::Play if request.query.is_none() => state.playing = true,
            PlayerAction::Pause => state.playing = false,
            PlayerAction::Volume => state.volume = request.volume.or(state.volume),
            _ => {}
        }
        Ok(PlayerResponse { state: Some(state), note })
    }

    /// Returns the player that is playing, else one that is paused, preferring Spotify.
    async fn chosen(&self) -> Result<Player, PlayerError> {
        let names = self
            .bus
            .call(&[
                "call",
                "org.freedesktop.DBus",
                "/org/freedesktop/DBus",
                "org.freedesktop.DBus",
                "ListNames",
            ])
            .await
            .map_err(|_| PlayerError::NoPlayer)?;
        let names = names["data"][0].as_array().map(Vec::as_slice).unwrap_or_default();
        let names = names.iter().filter_map(Value::as_str).filter(|name| is_player(name)).take(MOST_PLAYERS);
        let players = names.map(async |name| {
            let properties = self.properties(name).await.ok()?;
            Some(Player { name: name.to_owned(), properties })
        });
        let players = join_all(players).await.into_iter().flatten();
        // Of equal players the last one is taken; which one does not matter.
        players.max_by_key(Player::rank).ok_or(PlayerError::NoPlayer)
    }

    async fn properties(&self, name: &str) -> Result<Value, BusError> {
        let interface = "org.freedesktop.DBus.Properties";
        let answer = self.bus.call(&["call", name, OBJECT, interface, "GetAll", "s", PLAYER]).await?;
        Ok(answer["data"][0].clone())
    }

    async fn shown_name(&self, player: &Player) -> String {
        let asked = ["get-property", &player.name, OBJECT, "org.mpris.MediaPlayer2", "Identity"];
        let identity = self.bus.call(&asked).await.ok().and_then(|answer| answer["data"].as_str().map(label));
        identity.filter(|identity| !identity.is_empty()).unwrap_or_else(|| label(player.short_name()))
    }

    async fn control(&self, player: &Player, shown: &str, what: &[&str]) -> Result<(), PlayerError> {
        let arguments = [&["call", player.name.as_str(), OBJECT, PLAYER], what].concat();
        self.call_bus(&arguments, shown).await
    }

    async fn set_volume(&self, player: &Player, shown: &str, percent: u8) -> Result<(), PlayerError> {
        let volume = format!("{:.2}", f64::from(percent.min(100)) / 100.0);
        self.call_bus(&["set-property", &player.name, OBJECT, PLAYER, "Volume", "d", &volume], shown).await
    }

    async fn call_bus(&self, arguments: &[&str], shown: &str) -> Result<(), PlayerError> {
        self.bus.call(arguments).await.map(|_| ()).map_err(|error| match error {
            BusError::NoBus => PlayerError::NoPlayer,
            BusError::Refused => PlayerError::Refused(shown.to_owned()),
        })
    }
}

/// Returns true for the name of a player that is safe in a command line.
fn is_player(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|rest| {
        !rest.is_empty()
            && rest != PROXY_PLAYER
            && name.len() <= 255
            && rest.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
    })
}

impl Player {
    fn short_name(&self) -> &str {
        let rest = self.name.strip_prefix(PREFIX).unwrap_or(&self.name);
        rest.split('.').next().unwrap_or(rest)
    }

    fn is_spotify(&self) -> bool {
        self.short_name().eq_ignore_ascii_case("spotify")
    }

    fn is(&self, property: &str) -> bool {
        // A capability that the player does not report is assumed to exist.
        self.properties[property]["data"].as_bool().unwrap_or(true)
    }

    fn rank(&self) -> (u8, bool) {
        let at = match self.properties["PlaybackStatus"]["data"].as_str() {
            Some("Playing") => 2,
            Some("Paused") => 1,
            _ => 0,
        };
        (at, self.is_spotify())
    }
}

fn read(properties: &Value, player: String) -> PlayerState {
    let track = &properties["Metadata"]["data"];
    let text = |key: &str| track[key]["data"].as_str().map(label).filter(|text| !text.is_empty());
    let artists = track["xesam:artist"]["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let artists: Vec<String> = artists.iter().take(4).filter_map(Value::as_str).map(label).collect();
    PlayerState {
        player,
        playing: properties["PlaybackStatus"]["data"] == "Playing",
        title: text("xesam:title").unwrap_or_default(),
        artist: artists.join(", "),
        album: text("xesam:album"),
        cover_url: None,
        cover_at: track["mpris:artUrl"]["data"].as_str().map(ToOwned::to_owned),
        position_ms: milliseconds(&properties["Position"]["data"]),
        duration_ms: milliseconds(&track["mpris:length"]["data"]),
        volume: percent(&properties["Volume"]["data"]),
        device: None,
        address: track["xesam:url"]["data"].as_str().map(ToOwned::to_owned),
    }
}

/// Converts microseconds, which some players send as text.
fn milliseconds(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).map(|micros| micros / 1_000)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is between 0 and 100")]
fn percent(value: &Value) -> Option<u8> {
    value.as_f64().map(|volume| (volume.clamp(0.0, 1.0) * 100.0).round() as u8)
}

/// Encodes a query as part of a URL.
fn encoded(query: &str) -> String {
    let url = Url::parse("spotify:x").ok().and_then(|mut url| {
        url.query_pairs_mut().append_key_only(query);
        url.query().map(|query| query.replace('+', "%20"))
    });
    url.unwrap_or_default()
}

#[cfg(test)]
#[path = "local_tests.rs"]
mod tests;
