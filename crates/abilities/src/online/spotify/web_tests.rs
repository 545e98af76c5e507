use std::sync::Mutex;

use host::{Clock, ManualClock};
use serde_json::json;

use super::*;
use crate::online::testing::{Asked, Stage, http, json as answer, settings};

struct Scene {
    stage: Stage,
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

async fn scene(reply: impl Fn(&Asked) -> Option<String> + Send + Sync + 'static) -> Scene {
    let stage = Stage::open(move |asked| {
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
    let auth = Arc::new(Auth::new(settings, clock, stage.url("/").as_str()).unwrap());
    let api = stage.url("/");
    let service = Service::within(Duration::from_secs(2));
    Scene { player: WebPlayer { service, api, auth, settling: Duration::ZERO }, stage, folder }
}

impl Scene {
    async fn act(&self, action: Action, query: Option<&str>, volume: Option<u8>) -> Result<Done, Trouble> {
        self.player.act(self.folder.path(), &Wish { action, query, volume }).await
    }

    fn sent(&self) -> Vec<String> {
        let line =
            |asked: &Asked| format!("{} {} {}", asked.method(), asked.target(), asked.body).trim().to_owned();
        self.stage.asked().iter().filter(|asked| asked.method() != "GET").map(line).collect()
    }
}

#[tokio::test]
async fn each_wish_is_told_to_spotify() {
    use Action::{Next, Pause, Play, Previous, Queue, Volume};
    let cases: [(Action, Option<&str>, Option<u8>, &str); 8] = [
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
        let scene = scene(|_| None).await;
        let done = scene.act(action, query, volume).await.unwrap();
        assert_eq!(scene.sent(), [expected]);
        let state = done.state.unwrap();
        assert_eq!(state.playing, matches!(action, Play | Next | Previous), "{action:?}");
        assert_eq!(state.volume, volume.or(Some(40)));
        let asked = scene.stage.asked();
        let told = asked.iter().find(|asked| asked.method() != "GET").unwrap();
        assert_eq!(told.header("authorization"), Some("Bearer old"));
        assert!(told.header("content-length").is_some(), "{action:?}");
    }
}

#[tokio::test]
async fn the_state_is_read_whatever_plays() {
    let told = scene(|_| None).await.act(Action::Status, None, None).await.unwrap();
    let state = told.state.unwrap();
    assert_eq!((told.note, state.address.as_deref()), (None, Some("https://open.example/track/1")));
    assert_eq!(state.cover_at.as_deref(), Some("https://i.example/300.jpg"), "large enough, and no larger");
    assert_eq!(
        serde_json::to_value(&state).unwrap(),
        json!({"player": "Spotify", "playing": false, "title": "Moon River", "artist": "Audrey, Henry", "album": "Breakfast",
            "positionMs": 12_000, "durationMs": 160_000, "volume": 40, "device": "Kitchen"})
    );
    let episode = |_: &Asked| {
        Some(answer(&json!({"is_playing": true, "item": {"name": "Ep\n1", "show": {"name": "Talk"}}})))
    };
    let told = scene(episode).await.act(Action::Status, None, None).await.unwrap().state.unwrap();
    assert_eq!((told.title.as_str(), told.artist.as_str(), told.playing), ("Ep 1", "Talk", true));
    let nothing = |_: &Asked| Some(http(204, "text/plain", ""));
    assert_eq!(scene(nothing).await.act(Action::Status, None, None).await, Err(Trouble::NoDevice));
}

#[tokio::test]
async fn a_device_that_rests_is_woken() {
    let resting = |asked: &Asked| match (asked.path(), asked.query("device_id")) {
        ("/v1/me/player/play", None) => {
            Some(http(404, "application/json", "{\"error\":{\"reason\":\"NO_ACTIVE_DEVICE\"}}"))
        }
        ("/v1/me/player/devices", _) => Some(answer(&json!({"devices": [
            {"id": "car", "is_restricted": true}, {"id": null}, {"id": "desk", "is_restricted": false}]}))),
        _ => None,
    };
    let scene_with = scene(resting).await;
    assert!(scene_with.act(Action::Play, None, None).await.unwrap().state.unwrap().playing);
    assert_eq!(scene_with.sent()[1], "PUT /v1/me/player/play?device_id=desk");
    let nowhere = |asked: &Asked| match asked.path() {
        "/v1/me/player/play" => Some(http(404, "application/json", "")),
        "/v1/me/player/devices" => Some(answer(&json!({"devices": []}))),
        _ => None,
    };
    assert_eq!(scene(nowhere).await.act(Action::Play, None, None).await, Err(Trouble::NoDevice));
}

#[tokio::test]
async fn a_token_that_is_refused_is_renewed_once() {
    let picky = |asked: &Asked| match asked.header("authorization") {
        Some("Bearer fresh") => None,
        _ => Some(http(401, "application/json", "{}")),
    };
    let scene_with = scene(picky).await;
    assert!(scene_with.act(Action::Pause, None, None).await.is_ok());
    let count = Arc::new(Mutex::new(0));
    let seen = Arc::clone(&count);
    let never = move |_: &Asked| {
        *seen.lock().unwrap() += 1;
        Some(http(401, "application/json", "{}"))
    };
    let refused = scene(never).await.act(Action::Pause, None, None).await;
    assert_eq!(refused, Err(Trouble::Auth(AuthError::SignedOut)));
    assert_eq!(*count.lock().unwrap(), 2);
}

#[tokio::test]
async fn what_was_done_is_done_whatever_comes_of_asking_what_plays() {
    let failing: [fn() -> String; 3] =
        [|| http(204, "text/plain", ""), || http(429, "text/plain", ""), || http(500, "text/plain", "")];
    for failing in failing {
        let silent =
            move |asked: &Asked| ((asked.method(), asked.path()) == ("GET", "/v1/me/player")).then(failing);
        for (action, query, volume, note) in [
            (Action::Play, Some("moon river"), None, Some("Playing Moon River by Audrey.")),
            (Action::Pause, None, None, None),
            (Action::Next, None, None, None),
            (Action::Volume, None, Some(20), None),
            (Action::Queue, Some("moon river"), None, Some("Moon River by Audrey is in the queue.")),
        ] {
            let done = scene(silent).await.act(action, query, volume).await;
            assert_eq!(done, Ok(Done { state: None, note: note.map(ToOwned::to_owned) }), "{action:?}");
        }
        assert!(scene(silent).await.act(Action::Status, None, None).await.is_err());
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
        let failing =
            move |asked: &Asked| (asked.method() != "GET").then(|| http(status, "application/json", body));
        let error = scene(failing).await.act(Action::Next, None, None).await.unwrap_err();
        assert_eq!(error.to_string(), words);
    }
    let already = |asked: &Asked| (asked.method() != "GET").then(|| http(403, "application/json", "{}"));
    assert!(scene(already).await.act(Action::Pause, None, None).await.is_ok(), "what is paused stays so");
    let limited =
        |_: &Asked| Some("HTTP/1.1 429 No\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n".to_owned());
    let error = scene(limited).await.act(Action::Status, None, None).await.unwrap_err().to_string();
    assert_eq!(error, "Spotify was asked too often. Try again in 30 seconds.");
    assert_eq!(Trouble::TooOften(Some(0)).to_string(), "Spotify was asked too often. Try again later.");
    let empty = |asked: &Asked| (asked.path() == "/v1/search").then(|| answer(&json!({})));
    let error = scene(empty).await.act(Action::Play, Some("xyzzy"), None).await.unwrap_err().to_string();
    assert_eq!(error, "Spotify has nothing for “xyzzy”.");
    let scene_with = scene(|_| None).await;
    assert_eq!(scene_with.act(Action::Volume, None, None).await, Err(Trouble::HowLoud));
    assert_eq!(scene_with.act(Action::Queue, None, None).await, Err(Trouble::WhatToQueue));
}
