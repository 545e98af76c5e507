use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::json;

use super::*;

/// A bus with the players and properties that a test describes.
struct Recorded {
    players: Vec<(&'static str, Value)>,
    told: Mutex<Vec<String>>,
}

#[async_trait]
impl SessionBus for Recorded {
    async fn call(&self, arguments: &[&str]) -> Result<Value, BusError> {
        match arguments {
            ["call", "org.freedesktop.DBus", .., "ListNames"] => {
                let names: Vec<&str> = self.players.iter().map(|(name, _)| *name).collect();
                Ok(json!({"type": "as", "data": [names]}))
            }
            ["call", name, .., "GetAll", "s", _] => {
                let found = self.players.iter().find(|(known, _)| known == name).ok_or(BusError::Refused)?;
                if found.1.is_null() {
                    Err(BusError::Refused)
                } else {
                    Ok(json!({"type": "a{sv}", "data": [found.1]}))
                }
            }
            ["get-property", name, .., "Identity"] if name.ends_with("spotify") => {
                Ok(json!({"type": "s", "data": "Spotify"}))
            }
            ["get-property", ..] | [.., "OpenUri", "s", "spotify:search:broken"] => Err(BusError::Refused),
            _ => {
                self.told.lock().unwrap().push(arguments.join(" "));
                Ok(Value::Null)
            }
        }
    }
}

fn at(status: &str) -> Value {
    json!({
        "PlaybackStatus": {"type": "s", "data": status},
        "Volume": {"type": "d", "data": 0.455},
        "Position": {"type": "x", "data": 61_000_000},
        "CanGoNext": {"type": "b", "data": status != "Stopped"},
        "Metadata": {"type": "a{sv}", "data": {
            "xesam:title": {"type": "s", "data": "Moon\nRiver"},
            "xesam:artist": {"type": "as", "data": ["Audrey", "Henry"]},
            "xesam:album": {"type": "s", "data": ""},
            "xesam:url": {"type": "s", "data": "file:///music/moon%20river.mp3"},
            "mpris:length": {"type": "t", "data": "160000000"},
            "mpris:artUrl": {"type": "s", "data": "file:///tmp/cover.png"},
        }},
    })
}

async fn act(
    players: &[(&'static str, Value)],
    request: PlayerRequest<'_>,
) -> (Result<PlayerResponse, PlayerError>, Vec<String>) {
    let bus = Arc::new(Recorded { players: players.to_vec(), told: Mutex::default() });
    let done = LocalPlayer { bus: Arc::clone(&bus) as Arc<dyn SessionBus> }.act(&request).await;
    let told = bus.told.lock().unwrap().clone();
    (done, told)
}

fn request(action: PlayerAction) -> PlayerRequest<'static> {
    PlayerRequest { action, query: None, volume: None }
}

const VLC: &str = "org.mpris.MediaPlayer2.vlc";
const FIREFOX: &str = "org.mpris.MediaPlayer2.firefox.instance_1_23";
const SPOTIFY: &str = "org.mpris.MediaPlayer2.spotify";

#[tokio::test]
async fn the_player_that_plays_is_chosen() {
    let cases: [(&[(&'static str, Value)], &str); 6] = [
        (&[(VLC, at("Paused")), (FIREFOX, at("Playing")), (SPOTIFY, at("Paused"))], "firefox"),
        (&[(VLC, at("Playing")), (SPOTIFY, at("Playing"))], "Spotify"),
        (&[(SPOTIFY, at("Playing")), (VLC, at("Playing"))], "Spotify"),
        (&[(VLC, at("Paused")), (SPOTIFY, at("Stopped"))], "vlc"),
        (&[(VLC, Value::Null), (FIREFOX, at("Stopped"))], "firefox"),
        (
            &[
                ("org.mpris.MediaPlayer2.playerctld", at("Playing")),
                ("org.mpris.MediaPlayer2.; rm", at("Playing")),
                (VLC, at("Stopped")),
            ],
            "vlc",
        ),
    ];
    for (players, expected) in cases {
        let (done, _) = act(players, request(PlayerAction::Status)).await;
        assert_eq!(done.unwrap().state.unwrap().player, expected);
    }
    for none in [&[][..], &[("org.mpris.MediaPlayer2.", at("Playing")), ("org.gnome.Shell", at("Playing"))]] {
        assert_eq!(act(none, request(PlayerAction::Play)).await.0, Err(PlayerError::NoPlayer));
    }
}

#[tokio::test]
async fn a_state_is_read_whatever_a_player_leaves_out() {
    let (done, _) = act(&[(VLC, at("Playing"))], request(PlayerAction::Status)).await;
    let state = done.unwrap().state.unwrap();
    assert_eq!(
        serde_json::to_value(&state).unwrap(),
        json!({"player": "vlc", "playing": true, "title": "Moon River", "artist": "Audrey, Henry", "positionMs": 61_000,
            "durationMs": 160_000, "volume": 46})
    );
    let (bare, _) =
        act(&[(VLC, json!({"Volume": {"data": 9.5}, "Metadata": 7}))], request(PlayerAction::Status)).await;
    let bare = bare.unwrap().state.unwrap();
    assert_eq!((bare.title.as_str(), bare.playing, bare.volume), ("", false, Some(100)));
}

#[tokio::test]
async fn each_wish_is_told_to_the_player() {
    use PlayerAction::{Next, Pause, Play, Previous, Volume};
    let to =
        |what: &str| format!("call {SPOTIFY} /org/mpris/MediaPlayer2 org.mpris.MediaPlayer2.Player {what}");
    let cases = [
        (request(Play), to("Play"), true),
        (request(Pause), to("Pause"), false),
        (request(Next), to("Next"), true),
        (request(Previous), to("Previous"), true),
        (
            PlayerRequest { query: Some("moon & river"), ..request(Play) },
            to("OpenUri s spotify:search:moon%20%26%20river"),
            true,
        ),
        (
            PlayerRequest { volume: Some(30), ..request(Volume) },
            format!(
                "set-property {SPOTIFY} /org/mpris/MediaPlayer2 org.mpris.MediaPlayer2.Player Volume d 0.30"
            ),
            true,
        ),
    ];
    for (request, expected, playing) in cases {
        let (done, told) = act(&[(SPOTIFY, at("Playing"))], request).await;
        assert_eq!((told, done.unwrap().state.unwrap().playing), (vec![expected], playing));
    }
}

#[tokio::test]
async fn what_a_player_cannot_do_is_said() {
    let search = PlayerRequest { query: Some("moon"), ..request(PlayerAction::Play) };
    let broken = PlayerRequest { query: Some("broken"), ..request(PlayerAction::Play) };
    let cases = [
        (VLC, "Playing", search, PlayerError::CannotSearch("vlc".into())),
        (
            VLC,
            "Playing",
            PlayerRequest { action: PlayerAction::Queue, ..search },
            PlayerError::CannotQueue("vlc".into()),
        ),
        (VLC, "Stopped", request(PlayerAction::Next), PlayerError::CannotSkip("vlc".into())),
        (VLC, "Playing", request(PlayerAction::Volume), PlayerError::HowLoud),
        (SPOTIFY, "Playing", broken, PlayerError::Refused("Spotify".into())),
    ];
    for (player, status, request, trouble) in cases {
        let (done, told) = act(&[(player, at(status))], request).await;
        assert_eq!((done, told), (Err(trouble), vec![]));
    }
}

#[cfg(target_os = "linux")]
#[path = "real_bus_tests.rs"]
mod real_bus;
