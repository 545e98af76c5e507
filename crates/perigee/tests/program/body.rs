//! The avatar: its model, animations and expressions, and the page that plays the voice.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::ScriptedReply;

use crate::support::{Client, Setup, Socket, Stage};

const VRM: &[u8] = b"glTF\x02\0\0\0 a body";
const FBX: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";

async fn put(client: &Client, path: &str, bytes: &[u8]) -> u16 {
    client.send(client.request(Method::PUT, path).body(bytes.to_vec())).await.status
}

async fn put_json(client: &Client, path: &str, body: Value) -> crate::support::Answer {
    client.send(client.request(Method::PUT, path).json(&body)).await
}

/// Collects the pushes up to the message with the complete answer.
async fn until_said(window: &mut Socket) -> Vec<Value> {
    let mut told = Vec::new();
    loop {
        let push = window.next().await;
        let last = push["action"] == "chat";
        told.push(push);
        if last {
            return told;
        }
    }
}

fn calls(name: &str, arguments: &Value) -> ScriptedReply {
    ScriptedReply::empty().tool_call("c1", name, &arguments.to_string())
}

fn of<'a>(told: &'a [Value], action: &str) -> Vec<&'a Value> {
    told.iter().filter(|push| push["action"] == action).collect()
}

#[tokio::test]
async fn she_laughs_at_a_joke_and_is_sad_at_bad_news() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let (mut one, mut two) = (Socket::open(&owner, "").await, Socket::open(&owner, "").await);
    for (answer, expression, animation) in [
        ("Hahaha, that is hilarious! I love it.", "happy", Some("laugh")),
        ("Oh no. I am so sorry to hear that your grandmother died. That is heartbreaking.", "sad", None),
        ("The file has three columns.", "neutral", None),
    ] {
        stage.model.reply(answer);
        owner.ask("Listen").await;
        for window in [&mut one, &mut two] {
            let told = until_said(window).await;
            let shown = of(&told, "expression");
            assert!(shown.iter().any(|push| push["expression"] == expression), "{answer}: {told:?}");
            assert!(shown.iter().all(|push| (0.0..=1.0).contains(&push["intensity"].as_f64().unwrap())));
            if expression == "neutral" {
                assert_eq!(shown.len(), 1, "{told:?}");
            }
            let played: Vec<_> = of(&told, "play").iter().map(|push| push["animation"].clone()).collect();
            assert_eq!(played, animation.map(Value::from).into_iter().collect::<Vec<_>>(), "{answer}");
            let states: Vec<_> = of(&told, "state").iter().map(|push| push["state"].clone()).collect();
            assert!(states.ends_with(&[json!("thinking"), json!("answering")]), "{states:?}");
            assert_eq!(told.last().unwrap()["content"], answer);
            assert_eq!(window.until("state").await["state"], "idle");
        }
    }
}

#[tokio::test]
async fn what_the_model_writes_of_its_face_goes_before_what_is_read_from_its_words() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let mut window = Socket::open(&owner, "").await;
    stage.model.reply("[EMOTION:surprised] Hahaha, I love it, how wonderful!");
    let events = owner.ask("Listen").await;
    assert_eq!(crate::support::text(&events), "Hahaha, I love it, how wonderful!", "no tag shows");
    let told = until_said(&mut window).await;
    assert_eq!(of(&told, "tool_call").iter().map(|push| &push["name"]).collect::<Vec<_>>(), ["express"]);
    let last = of(&told, "expression").last().map(|push| push["expression"].clone());
    assert_eq!(last, Some(json!("surprised")), "{told:?}");

    // With emotions disabled, there is no expression.
    owner.patch("/api/config", json!({ "emotion.enabled": false })).await.json();
    stage.model.reply("Hahaha, that is hilarious!");
    owner.ask("Listen").await;
    let told = until_said(&mut window).await;
    assert!(of(&told, "expression").is_empty() && of(&told, "play").is_empty(), "{told:?}");
}

#[tokio::test]
async fn a_tool_of_hers_moves_every_body_and_the_sky_behind_it() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    stage.home.write("assets/anims/Dance.fbx", FBX);
    let mut window = Socket::open(&owner, "").await;
    for (call, action, field, value) in [
        (calls("play_animation", &json!({"name": "dance"})), "play", "animation", "Dance"),
        (calls("set_background", &json!({"filename": "dusk"})), "set_background", "filename", "dusk"),
        (calls("express", &json!({"emotion": "joy"})), "expression", "expression", "happy"),
    ] {
        stage.model.reply(call);
        stage.model.reply("Done.");
        let events = owner.ask("Do it").await;
        let command = events.iter().find(|event| event.kind() == "command").expect("a command");
        assert!(command.data["payload"].is_object());
        assert_eq!(window.until(action).await[field], value);
        window.until("chat").await;
    }
    assert_eq!(owner.get("/api/backgrounds").await.json()["current"], "dusk");
    assert!(stage.home.read("config.toml").contains("background = \"dusk\""));
    stage.model.reply(calls("play_animation", &json!({"name": "moonwalk"})));
    stage.model.reply("I cannot.");
    let events = owner.ask("Moonwalk").await;
    let failed = events.iter().rfind(|event| event.kind() == "tool").unwrap();
    assert_eq!(failed.data["status"], "failed");
    assert!(failed.data["result"].as_str().unwrap().contains("Dance"), "{}", failed.data);
}

#[tokio::test]
async fn bodies_animations_and_pictures_come_by_the_door_and_by_the_folder() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let mut window = Socket::open(&owner, "").await;
    let own = owner.get("/avatar.vrm").await;
    assert_eq!((own.status, own.header("content-type")), (200, Some("model/gltf-binary")));
    assert!(own.body.starts_with(b"glTF") && own.body.len() < 1_000_000);
    let tag = own.header("etag").unwrap().to_owned();
    let again = owner.send(owner.request(Method::GET, "/avatar.vrm").header("if-none-match", tag)).await;
    assert_eq!((again.status, again.body.len()), (304, 0));

    assert_eq!(put(&owner, "/api/assets/models/alice.vrm", VRM).await, 204);
    window.until("body_changed").await;
    assert_eq!(put(&owner, "/api/assets/models/fake.vrm", b"MZ").await, 400);
    assert_eq!(put(&owner, "/api/assets/models/%2e%2e%2fx.vrm", VRM).await, 400);
    assert_eq!(put(&owner, "/api/assets/backgrounds/x.svg", b"<svg/>").await, 400);
    let report = put_json(&owner, "/api/body", json!({ "model": "alice.vrm" })).await.json();
    window.until("body_changed").await;
    assert_eq!(report["model"], "alice.vrm");
    let worn = owner.get(report["url"].as_str().unwrap()).await;
    assert_eq!(worn.body, VRM);
    assert!(worn.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(put_json(&owner, "/api/body", json!({ "model": "bob.vrm" })).await.status, 400);
    assert_eq!(put_json(&owner, "/api/body", json!({ "palette": "plaid" })).await.status, 400);

    assert_eq!(owner.delete("/api/assets/models/alice.vrm").await.status, 204);
    assert!(owner.get("/api/body").await.json()["trouble"].as_str().unwrap().contains("alice.vrm"));
    assert!(owner.get("/avatar.vrm").await.body.len() > 100_000, "her own is there instead");
    assert_eq!(owner.post("/api/assets/models/alice.vrm/restore", json!({})).await.status, 204);
    assert_eq!(owner.post("/api/assets/models/alice.vrm/restore", json!({})).await.status, 404);
    assert_eq!(owner.get("/avatar.vrm").await.body, VRM);
    let dawn = put_json(&owner, "/api/body", json!({ "model": "", "palette": "dawn" })).await.json();
    assert_eq!((&dawn["model"], &dawn["palette"]), (&Value::Null, &json!("dawn")));
    assert_ne!(owner.get("/avatar.vrm").await.body, own.body);

    // Needs neither a restart nor a request.
    stage.home.write("assets/anims/Dance.fbx", FBX);
    window.until("body_changed").await;
    let listed = owner.get("/api/animations").await.json();
    let dance =
        listed["animations"].as_array().unwrap().iter().find(|known| known["name"] == "Dance").unwrap();
    assert_eq!(dance["format"], "fbx");
    assert_eq!(owner.get(dance["url"].as_str().unwrap()).await.body, FBX);
    let wave = listed["animations"].as_array().unwrap().iter().find(|known| known["name"] == "wave").unwrap();
    assert!(owner.get(wave["url"].as_str().unwrap()).await.body.starts_with(b"glTF"));
    assert_eq!(owner.post("/api/play/dance", json!({})).await.status, 204);
    assert_eq!(window.until("play").await["animation"], "Dance");
    assert_eq!(owner.post("/api/play/nothing", json!({})).await.status, 404);
    for nothing in ["/api/assets/models/none.vrm", "/api/animations/none", "/api/body/palettes/none"] {
        assert_eq!(owner.get(nothing).await.status, 404, "{nothing}");
    }
}

#[tokio::test]
async fn others_may_watch_her_and_only_the_owner_dresses_her() {
    let stage = Stage::start().await;
    let friend = stage.person("friend").await;
    assert_eq!(friend.get("/api/body").await.status, 200);
    assert_eq!(put_json(&friend, "/api/body", json!({ "palette": "dawn" })).await.status, 403);
    assert_eq!(put_json(&friend, "/api/backgrounds", json!({ "filename": "dusk" })).await.status, 403);
    assert_eq!(put(&friend, "/api/assets/models/a.vrm", VRM).await, 403);
    let (mut mine, mut theirs) = (Socket::open(&stage.owner(), "").await, Socket::open(&friend, "").await);
    assert_eq!(friend.post("/api/play/wave", json!({})).await.status, 204);
    assert_eq!(theirs.until("play").await["animation"], "wave");
    assert_eq!(stage.owner().post("/api/play/nod", json!({})).await.status, 204);
    assert_eq!(mine.until("play").await["animation"], "nod", "what plays for another is not told here");
}

#[tokio::test]
async fn she_is_heard_where_her_person_looked_last() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let mut first = Socket::open(&owner, "").await;
    assert!(first.speaker().await);
    let mut second = Socket::open(&owner, "").await;
    assert_eq!((second.speaker().await, first.speaker().await), (true, false));
    first.send(r#"{"action":"presence","visible":true}"#).await;
    assert_eq!((first.speaker().await, second.speaker().await), (true, false));
    // Invalid messages are ignored and the connection stays open.
    for nonsense in
        ["", "{}", "[]", r#"{"action":"wakeword_pause"}"#, r#"{"action":"presence","visible":"x"}"#]
    {
        first.send(nonsense).await;
    }
    first.send(r#"{"action":"presence","visible":false}"#).await;
    assert_eq!((first.speaker().await, second.speaker().await), (false, true));
    drop(second);
    first.send(r#"{"action":"presence","visible":true}"#).await;
    assert!(first.speaker().await);
}

#[tokio::test]
async fn who_is_not_known_is_told_so_by_a_close_code() {
    let stage = Stage::start().await;
    assert_eq!(Socket::closed_with(&stage.stranger(), "").await, 4001);
    assert_eq!(Socket::closed_with(&stage.with_token("wrong"), "").await, 4001);
    let elsewhere = [("origin", "http://evil.example")];
    assert_eq!(Socket::refused(&stage.owner(), "", &elsewhere).await, 403, "another page is not even told");
}

#[tokio::test]
async fn what_is_said_in_passing_is_told_to_no_other_window() {
    let stage = Setup::new().await.start().await;
    let owner = stage.owner();
    let mut window = Socket::open(&owner, "").await;
    let made = owner.post("/api/chats/new", json!({ "incognito": true })).await.json();
    stage.model.reply("Hahaha, that is hilarious!");
    owner.ask_in(&made["id"], "A secret").await;
    let mut told = Vec::new();
    loop {
        let push = window.next().await;
        if push["action"] == "state" && push["state"] == "idle" {
            break;
        }
        told.push(push);
    }
    assert!(of(&told, "chat").is_empty() && of(&told, "tool_call").is_empty(), "{told:?}");
    assert!(!of(&told, "expression").is_empty(), "her face is for whoever looks: {told:?}");
}

#[tokio::test]
async fn what_is_felt_in_each_line_is_told_on_the_command_line() {
    let stage = Stage::start().await;
    let lines = "I am so sorry to hear that.\n\nHahaha, that is hilarious!\nThe file has three columns.";
    let printed = stage.run_with_input(&["persona", "emotion"], lines).await.ok();
    let told: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let strongest = |feelings: &Value| {
        let shares =
            feelings.as_object().unwrap().iter().map(|(name, share)| (name.clone(), share.as_f64().unwrap()));
        let shares: Vec<_> = shares.collect();
        let sum: f64 = shares.iter().map(|(_, share)| share).sum();
        assert!(shares.len() == 7 && (sum - 1.0).abs() < 1e-4, "{feelings}");
        shares.into_iter().max_by(|left, right| left.1.total_cmp(&right.1)).unwrap().0
    };
    assert_eq!(told.iter().map(strongest).collect::<Vec<_>>(), ["sadness", "neutral", "joy", "neutral"]);
    assert_eq!(stage.run_with_input(&["persona", "emotion"], "").await.ok(), "");
}
