use std::sync::Mutex;
use std::time::Duration;

use config::Config;
use host::{Clock, ManualClock};

use super::super::bus::{BusError, SessionBus};
use super::super::{SpotifyAuth, SpotifyAuthError};
use super::*;
use crate::CurrentConfig;
use crate::online::service::ServiceClient;
use crate::online::test_server::{TestServer, http, json as answer};
use crate::test_support::invocation;

/// A bus with one player, or none.
struct Desk(bool);

#[async_trait]
impl SessionBus for Desk {
    async fn call(&self, arguments: &[&str]) -> Result<Value, BusError> {
        let names: &[&str] = if self.0 { &["org.mpris.MediaPlayer2.vlc"] } else { &[] };
        Ok(match arguments {
            [.., "ListNames"] => json!({"data": [names]}),
            [.., "GetAll", "s", _] => {
                json!({"data": [{"PlaybackStatus": {"data": "Playing"}, "Metadata": {"data": {
                "mpris:artUrl": {"data": "http://i.example/cover"},
                "xesam:title": {"data": "Moon River"}, "xesam:url": {"data": "file:///home/me/moon.mp3"}}}}]})
            }
            [.., "Identity"] => json!({"data": "VLC"}),
            _ => Value::Null,
        })
    }
}

struct Scene {
    tool: SpotifyTool,
    client: Arc<Mutex<Option<String>>>,
    server: TestServer,
    folder: tempfile::TempDir,
}

async fn scene(has_player: bool) -> Scene {
    let server = TestServer::open(|asked| {
        if asked.path() == "/cover" {
            return http(200, "image/webp", "RIFF\u{1}\u{1}\u{1}\u{1}WEBP");
        }
        if asked.path() == "/v1/search" {
            return answer(&json!({"tracks": {"items": [{"name": "Moon", "uri": "spotify:track:1"}]}}));
        }
        if asked.method() != "GET" {
            return http(204, "text/plain", "");
        }
        if asked.path() == "/v1/me/player" && asked.header("authorization") == Some("Bearer resting") {
            return http(204, "text/plain", "");
        }
        answer(&json!({"is_playing": true, "item": {"name": "Far", "artists": [{"name": "Audrey"}],
        "external_urls": {"spotify": "https://open.example/track/1"}}}))
    })
    .await;
    let client = Arc::new(Mutex::new(None));
    let set = Arc::clone(&client);
    let settings: CurrentConfig = Arc::new(move || {
        let mut config = Config::default();
        config.spotify.client_id.clone_from(&set.lock().unwrap());
        Arc::new(config)
    });
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
    let auth = Arc::new(SpotifyAuth::new(settings, clock, server.url("/").as_str()).unwrap());
    let web = WebPlayer {
        service: ServiceClient::new().unwrap(),
        api: server.url("/"),
        auth,
        update_delay: Duration::ZERO,
    };
    let covers = CoverImages::new(server.web());
    let music = MusicPlayers { web, local: LocalPlayer { bus: Arc::new(Desk(has_player)) }, covers };
    Scene { tool: SpotifyTool::new(music).unwrap(), client, server, folder: tempfile::tempdir().unwrap() }
}

impl Scene {
    fn set_up(&self, signed_in: bool) {
        *self.client.lock().unwrap() = Some("id".into());
        if signed_in {
            self.sign_in("a");
        }
    }

    fn sign_in(&self, access: &str) {
        let tokens =
            json!({"clientId": "id", "access": access, "refresh": "r", "until": "2025-06-01T13:00:00Z"});
        host::atomic_write_private(self.folder.path().join("spotify.json"), tokens.to_string().as_bytes())
            .unwrap();
    }

    async fn run(&self, arguments: Value) -> ToolOutput {
        self.tool.run(invocation(arguments, self.folder.path())).await.unwrap()
    }
}

#[tokio::test]
async fn a_local_player_passes_searches_on_and_spotify_is_asked_about() {
    let scene = scene(true).await;
    let spec = scene.tool.spec();
    assert!(spec.has(Effect::SendsOut) && !spec.has(Effect::Changes));
    let said = scene.run(json!({"action": "pause"})).await;
    assert_eq!(said.text, "VLC is paused at Moon River.");
    assert_eq!(said.origins, [Origin::File("moon.mp3".into())]);
    let payload = said.command.unwrap().payload;
    assert_eq!(
        payload,
        json!({"action": "pause", "state": {"player": "VLC", "playing": false, "title": "Moon River", "artist": "",
            "coverUrl": "data:image/webp;base64,UklGRgEBAQFXRUJQ"}})
    );
    scene.set_up(true);
    let spec = scene.tool.spec();
    assert!(spec.has(Effect::SendsOut) && spec.has(Effect::Changes));
    let said = scene.run(json!({"action": "status"})).await;
    assert_eq!(said.text, "Spotify plays Far by Audrey.");
    assert_eq!(said.origins, [Origin::Web("https://open.example/track/1".into())]);
}

#[tokio::test]
async fn what_was_done_is_told_also_where_nobody_says_what_plays() {
    let scene = scene(false).await;
    scene.set_up(true);
    scene.sign_in("resting");
    let said = scene.run(json!({"action": "pause"})).await;
    assert_eq!(said.text, "Done. What is playing could not be read.");
    assert_eq!((said.command.unwrap().payload, said.origins), (json!({"action": "pause"}), vec![]));
    let said = scene.run(json!({"action": "play", "query": "moon"})).await;
    assert_eq!(said.text, "Playing Moon.");
    assert_eq!(said.origins, [Origin::Web("Spotify".into())], "whoever made the track named it");
    let said = scene.run(json!({"action": "status"})).await;
    assert_eq!(said.text, PlayerError::NoDevice.to_string());
}

#[tokio::test]
async fn whoever_is_not_signed_in_has_the_local_player_or_is_told() {
    let with_player = scene(true).await;
    with_player.set_up(false);
    assert_eq!(with_player.run(json!({"action": "status"})).await.text, "VLC plays Moon River.");
    let without = scene(false).await;
    let none = without.run(json!({"action": "play", "query": " moon ", "volume": 20})).await;
    let words = "No music player runs on this machine. Start one, or connect Spotify in the settings.";
    assert_eq!(none.text, words);
    let payload = none.command.unwrap().payload;
    assert_eq!(payload, json!({"action": "play", "query": "moon", "volume": 20, "trouble": words}));
    without.set_up(false);
    assert_eq!(without.run(json!({"action": "play"})).await.text, SpotifyAuthError::SignedOut.to_string());
    assert_eq!(without.server.count(), 0);
}

#[tokio::test]
async fn arguments_are_checked() {
    let scene = scene(true).await;
    for bad in [
        json!({}),
        json!({"action": "dance"}),
        json!({"action": "volume", "volume": 101}),
        json!({"action": "play", "x": 1}),
    ] {
        assert!(scene.tool.spec().check(bad.as_object().unwrap()).is_err(), "{bad}");
    }
    assert!(scene.tool.spec().check(json!({"action": "volume", "volume": 0}).as_object().unwrap()).is_ok());
    assert!(
        scene.tool.spec().outline().starts_with("action: play|pause|next"),
        "{}",
        scene.tool.spec().outline()
    );
}
