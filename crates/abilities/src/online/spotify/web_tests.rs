use std::sync::Mutex;

use host::{Clock, ManualClock};
use serde_json::json;

use super::*;
use crate::online::test_server::{ReceivedRequest, TestServer, http, json as answer};
use crate::test_support::settings;

struct Fixture {
    server: TestServer,
    player: WebPlayer,
    folder: tempfile::TempDir,
}

fn playing() -> Value {
    json!({
        "is_playing": false, "progress_ms": 12_000, "device": {"name": "Kitchen", "volume_percent": 40},
        "item": {"name": "Moon River", "artists": [{"name": "Audrey"}, {"name": "Henry"}], "duration_ms": 160_000,
            "album": {"name": "Breakfast", "images": [{"url": "https://i.example/640.jpg", "width": 640},
                {"url": "https://i.example/300.jpg", "width": 300}, {"url": "https://i.example/64.jpg", "width": 64}]},
            "external_urls": {"spotify": "https://open.example/track/1"}},
    })
}

async fn fixture(reply: impl Fn(&ReceivedRequest) -> Option<String> + Send + Sync + 'static) -> Fixture {
    let server = TestServer::open(move |asked| {
        if asked.path() == "/api/token" {
            return answer(&json!({"access_token": "fresh", "expires_in": 3600}));
        }
        reply(asked).unwrap_or_else(|| match (asked.method(), asked.path()) {
            ("GET", "/v1/me/player") => answer(&playing()),
            ("GET", "/v1/search") => answer(&json!({
                "tracks": {"items": [{"name": "Moon River", "uri": "spotify:track:1", "artists": [{"name": "Audrey"}]}]},
                "artists": {"items": [{"name": "Luna", "uri": "spotify:artist:3"}]},
            })),
            _ => http(204, "text/plain", ""),
        })
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let tokens = json!({"clientId": "id", "access": "old", "refresh": "r", "until": "2025-06-01T13:00:00Z"});
    host::atomic_write_private(folder.path().join("spotify.json"), tokens.to_string().as_bytes()).unwrap();
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
    let settings = settings(|config| config.spotify.client_id = Some("id".into()));
    let auth = Arc::new(SpotifyAuth::new(settings, clock, server.url("/").as_str()).unwrap());
    let api = server.url("/");
    let service = ServiceClient::within(Duration::from_secs(2));
    Fixture { player: WebPlayer { service, api, auth, update_delay: Duration::ZERO }, server, folder }
}

impl Fixture {
    async fn act(
        &self,
        action: PlayerAction,
        query: Option<&str>,
        volume: Option<u8>,
    ) -> Result<PlayerResponse, PlayerError> {
        self.player.act(self.folder.path(), &PlayerRequest { action, query, volume }).await
    }

    fn sent(&self) -> Vec<String> {
        let line = |asked: &ReceivedRequest| {
            format!("{} {} {}", asked.method(), asked.target(), asked.body).trim().to_owned()
        };
        self.server.requests().iter().filter(|asked| asked.method() != "GET").map(line).collect()
    }
}

#[tokio::test]
async fn each_wish_is_told_to_spotify() {
    use PlayerAction::{Next, Pause, Play, Previous, Queue, Volume};
    let cases: [(PlayerAction, Option<&str>, Option<u8>, &str); 8] = [
        (Play, None, None, "PUT /v1/me/player/play"),
        (Play, Some("moon river"), None, "PUT /v1/me/player/play {\"uris\":[\"spotify:track:1\"]}"),
        (Play, Some("Luna"), None, "PUT /v1/me/player/play {\"context_uri\":\"spotify:artist:3\"}"),
        (Pause, None, None, "PUT /v1/me/player/pause"),
        (Next, None, None, "POST /v1/me/player/next"),
        (Previous, None, None, "POST /v1/me/player/previous"),
        (Volume, None, Some(30), "PUT /v1/me/player/volume?volume_percent=30"),
        (Queue, Some("moon river"), None, "POST /v1/me/player/queue?uri=spotify%3Atrack%3A1"),
    ];
    for (action, query, volume, expected) in cases {
        let fixture = fixture(|_| None).await;
        let done = fixture.act(action, query, volume).await.unwrap();
        assert_eq!(fixture.sent(), [expected]);
        let state = done.state.unwrap();
        assert_eq!(state.playing, matches!(action, Play | Next | Previous), "{action:?}");
        assert_eq!(state.volume, volume.or(Some(40)));
        let asked = fixture.server.requests();
        let told = asked.iter().find(|asked| asked.method() != "GET").unwrap();
        assert_eq!(told.header("authorization"), Some("Bearer old"));
        assert!(told.header("content-length").is_some(), "{action:?}");
    }
}

#[tokio::test]
async fn the_state_is_read_whatever_plays() {
    let told = fixture(|_| None).await.act(PlayerAction::Status, None, None).await.unwrap();
    let state = told.state.unwrap();
    assert_eq!((told.note, state.address.as_deref()), (None, Some("https://open.example/track/1")));
    assert_eq!(state.cover_at.as_deref(), Some("https://i.example/300.jpg"), "large enough, and no larger");
    assert_eq!(
        serde_json::to_value(&state).unwrap(),
        json!({"player": "Spotify", "playing": false, "title": "Moon River", "artist": "Audrey, Henry", "album": "Breakfast",
            "positionMs": 12_000, "durationMs": 160_000, "volume": 40, "device": "Kitchen"})
    );
    let episode = |_: &ReceivedRequest| {
        Some(answer(&json!({"is_playing": true, "item": {"name": "Ep\n1", "show": {"name": "Talk"}}})))
    };
    let told = fixture(episode).await.act(PlayerAction::Status, None, None).await.unwrap().state.unwrap();
    assert_eq!((told.title.as_str(), told.artist.as_str(), told.playing), ("Ep 1", "Talk", true));
    let nothing = |_: &ReceivedRequest| Some(http(204, "text/plain", ""));
    assert_eq!(
        fixture(nothing).await.act(PlayerAction::Status, None, None).await,
        Err(PlayerError::NoDevice)
    );
}

#[tokio::test]
async fn a_device_that_rests_is_woken() {
    let resting = |asked: &ReceivedRequest| match (asked.path(), asked.query("device_id")) {
        ("/v1/me/player/play", None) => {
            Some(http(404, "application/json", "{\"error\":{\"reason\":\"NO_ACTIVE_DEVICE\"}}"))
        }
        ("/v1/me/player/devices", _) => Some(answer(&json!({"devices": [
            {"id": "car", "is_restricted": true}, {"id": null}, {"id": "desk", "is_restricted": false}]}))),
        _ => None,
    };
    let scene_with = fixture(resting).await;
    assert!(scene_with.act(PlayerAction::Play, None, None).await.unwrap().state.unwrap().playing);
    assert_eq!(scene_with.sent()[1], "PUT /v1/me/player/play?device_id=desk");
    let nowhere = |asked: &ReceivedRequest| match asked.path() {
        "/v1/me/player/play" => Some(http(404, "application/json", "")),
        "/v1/me/player/devices" => Some(answer(&json!({"devices": []}))),
        _ => None,
    };
    assert_eq!(fixture(nowhere).await.act(PlayerAction::Play, None, None).await, Err(PlayerError::NoDevice));
}

#[tokio::test]
async fn a_token_that_is_refused_is_renewed_once() {
    let picky = |asked: &ReceivedRequest| match asked.header("authorization") {
        Some("Bearer fresh") => None,
        _ => Some(http(401, "application/json", "{}")),
    };
    let scene_with = fixture(picky).await;
    assert!(scene_with.act(PlayerAction::Pause, None, None).await.is_ok());
    let count = Arc::new(Mutex::new(0));
    let seen = Arc::clone(&count);
    let never = move |_: &ReceivedRequest| {
        *seen.lock().unwrap() += 1;
        Some(http(401, "application/json", "{}"))
    };
    let refused = fixture(never).await.act(PlayerAction::Pause, None, None).await;
    assert_eq!(refused, Err(PlayerError::Auth(SpotifyAuthError::SignedOut)));
    assert_eq!(*count.lock().unwrap(), 2);
}

#[tokio::test]
async fn what_was_done_is_done_whatever_comes_of_asking_what_plays() {
    let failing: [fn() -> String; 3] =
        [|| http(204, "text/plain", ""), || http(429, "text/plain", ""), || http(500, "text/plain", "")];
    for failing in failing {
        let silent = move |asked: &ReceivedRequest| {
            ((asked.method(), asked.path()) == ("GET", "/v1/me/player")).then(failing)
        };
        for (action, query, volume, note) in [
            (PlayerAction::Play, Some("moon river"), None, Some("Playing Moon River by Audrey.")),
            (PlayerAction::Pause, None, None, None),
            (PlayerAction::Next, None, None, None),
            (PlayerAction::Volume, None, Some(20), None),
            (PlayerAction::Queue, Some("moon river"), None, Some("Moon River by Audrey is in the queue.")),
        ] {
            let done = fixture(silent).await.act(action, query, volume).await;
            assert_eq!(
                done,
                Ok(PlayerResponse { state: None, note: note.map(ToOwned::to_owned) }),
                "{action:?}"
            );
        }
        assert!(fixture(silent).await.act(PlayerAction::Status, None, None).await.is_err());
    }
}

#[tokio::test]
async fn each_trouble_is_one_sentence() {
    let premium = "{\"error\":{\"status\":403,\"reason\":\"PREMIUM_REQUIRED\"}}";
    let cases: [(u16, &'static str, &str); 4] = [
        (403, premium, "Spotify lets only Premium members control the music from elsewhere."),
        (403, "{}", "Spotify does not allow that at the moment."),
        (429, "", "Spotify was asked too often. Try again later."),
        (500, "", "Spotify answered with 500. Try again later."),
    ];
    for (status, body, words) in cases {
        let failing = move |asked: &ReceivedRequest| {
            (asked.method() != "GET").then(|| http(status, "application/json", body))
        };
        let error = fixture(failing).await.act(PlayerAction::Next, None, None).await.unwrap_err();
        assert_eq!(error.to_string(), words);
    }
    let already =
        |asked: &ReceivedRequest| (asked.method() != "GET").then(|| http(403, "application/json", "{}"));
    assert!(
        fixture(already).await.act(PlayerAction::Pause, None, None).await.is_ok(),
        "what is paused stays so"
    );
    let limited = |_: &ReceivedRequest| {
        Some("HTTP/1.1 429 No\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n".to_owned())
    };
    let error = fixture(limited).await.act(PlayerAction::Status, None, None).await.unwrap_err().to_string();
    assert_eq!(error, "Spotify was asked too often. Try again in 30 seconds.");
    assert_eq!(PlayerError::TooOften(Some(0)).to_string(), "Spotify was asked too often. Try again later.");
    let empty = |asked: &ReceivedRequest| (asked.path() == "/v1/search").then(|| answer(&json!({})));
    let error =
        fixture(empty).await.act(PlayerAction::Play, Some("xyzzy"), None).await.unwrap_err().to_string();
    assert_eq!(error, "Spotify has nothing for “xyzzy”.");
    let scene_with = fixture(|_| None).await;
    assert_eq!(scene_with.act(PlayerAction::Volume, None, None).await, Err(PlayerError::HowLoud));
    assert_eq!(scene_with.act(PlayerAction::Queue, None, None).await, Err(PlayerError::WhatToQueue));
}
