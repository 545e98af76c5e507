//! Downloading and choosing models, and a program as the model.

use serde_json::{Value, json};
use testkit::{Flavour, Gate, Hub, HubFault};

use crate::support::{Setup, Socket, Stage, text};

/// A file with just the first bytes of a model file.
fn gguf(bytes: usize) -> Vec<u8> {
    let mut file = b"GGUF\x03\0\0\0".to_vec();
    file.resize(bytes, 7);
    file
}

/// Waits until a download is in one of these states.
async fn until_state(feed: &mut Socket, states: &[&str]) -> Value {
    loop {
        let download = feed.until("download").await["download"].clone();
        if states.iter().any(|state| download["state"] == *state) {
            return download;
        }
    }
}

#[tokio::test]
async fn a_model_is_brought_here_with_progress_and_nothing_half_is_ever_used() {
    let hub = Hub::start().await;
    let gate = Gate::closed();
    let (path, bytes) = ("/moon.gguf", 400_000);
    hub.file(path, gguf(bytes)).fault(path, HubFault::Stall { after: 200_000, gate: gate.clone() });
    let stage = Stage::start().await;
    let owner = stage.owner();
    let mut feed = Socket::open(&owner, "").await;
    let request = json!({ "name": format!("{}{path}", hub.url()) });
    let begun = owner.post("/api/models/pull", request.clone()).await.json();
    let name = begun["name"].as_str().unwrap().to_owned();
    gate.reached().await;
    let running = until_state(&mut feed, &["running"]).await;
    assert_eq!(running["name"], json!(name));
    let installed = |report: &Value| report["installed"].to_string().contains("moon");
    assert!(!installed(&owner.get("/api/models").await.json()), "half a model is none");

    // Cancelled, and resumed where it stopped.
    assert_eq!(owner.post("/api/models/cancel", json!({ "name": name })).await.status, 200);
    until_state(&mut feed, &["cancelled"]).await;
    gate.open();
    owner.post("/api/models/pull", request).await.json();
    let done = until_state(&mut feed, &["done", "failed"]).await;
    assert_eq!((&done["state"], &done["received"]), (&json!("done"), &json!(bytes)), "{done}");
    assert!(installed(&owner.get("/api/models").await.json()));
    assert!(stage.home.list("models").contains(&"moon.gguf".to_owned()));
    assert_eq!(
        owner.get("/api/models").await.json()["current"]["name"],
        "scripted",
        "nobody asked to change"
    );

    let remove = || owner.post("/api/models/remove", json!({ "name": name }));
    assert_eq!(remove().await.status, 200);
    assert!(!installed(&owner.get("/api/models").await.json()));
    assert_eq!(remove().await.status, 404);
}

#[tokio::test]
async fn what_is_no_model_is_refused_in_words() {
    let hub = Hub::start().await;
    hub.file("/page.gguf", b"<html>Please log in</html>".to_vec());
    let stage = Stage::start().await;
    let owner = stage.owner();
    let text_file = stage.home.write("notes.gguf", "not a model");
    for name in ["nobody", "", "../../etc/passwd", text_file.to_str().unwrap()] {
        let refused = owner.post("/api/models/pull", json!({ "name": name })).await;
        assert_eq!(refused.refusal(), (400, "badRequest".into()), "{name}");
    }
    let mut feed = Socket::open(&owner, "").await;
    owner.post("/api/models/pull", json!({ "name": format!("{}/page.gguf", hub.url()) })).await.json();
    let failed = until_state(&mut feed, &["failed", "done"]).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    assert!(!failed["message"].as_str().unwrap().is_empty());
    for name in ["nobody", "../secret", "smollm2-135m-instruct"] {
        assert_eq!(
            owner.post("/api/models/use", json!({ "name": name })).await.refusal(),
            (400, "badRequest".into()),
            "{name}"
        );
    }
    assert_eq!(
        owner.post("/api/models/cancel", json!({ "name": "nobody" })).await.refusal(),
        (404, "notFound".into())
    );
    assert_eq!(owner.get("/api/models").await.json()["current"]["state"], "ready", "the one in use stays");
}

#[tokio::test]
async fn another_model_of_the_same_server_can_be_chosen() {
    let setup = Setup::of(Flavour::Ollama).await;
    setup.model.models(["small:1b", "large:8b"]).otherwise("Yes.");
    let stage = setup.start().await;
    let owner = stage.owner();
    owner.ask("Hello").await;
    assert_eq!(stage.model.last_chat()["model"], "small:1b");
    owner.post("/api/models/use", json!({ "name": "server/large:8b" })).await.json();
    assert_eq!(text(&owner.ask("And you?").await), "Yes.");
    assert_eq!(stage.model.last_chat()["model"], "large:8b");
    assert!(stage.home.read("config.toml").contains("large:8b"), "it is written down");
}

#[tokio::test]
async fn a_program_can_be_the_model() {
    let script = "read -r line; cat > /dev/null; printf 'You said something. '; printf 'I heard it.'";
    let settings = format!("[llm]\ncommand = [\"sh\", \"-c\", {script:?}]\n[chat]\ntitle = \"off\"\n");
    let stage = Setup::new().await.start_with(&settings).await;
    let owner = stage.owner();
    assert_eq!(text(&owner.ask("Hello").await), "You said something. I heard it.");
    let models = owner.get("/api/models").await.json();
    assert_eq!(models["current"]["kind"], "command");

    // The program sees no secrets in its environment.
    let settings = "[llm]\ncommand = [\"sh\", \"-c\", \"cat > /dev/null; env\"]\n\
                    [chat]\ntitle = \"off\"\n[auth]\napi_key = \"a-token-of-my-own\"\n";
    let stage = Setup::new().await.variable("PERIGEE_LLM__API_KEY", "sk-secret-1").start_with(settings).await;
    let told = text(&stage.with_token("a-token-of-my-own").ask("Hello").await);
    assert!(told.contains("PATH=") && !told.contains("sk-secret-1") && !told.contains("a-token"), "{told}");
}
