//! The settings API: permitted changes, persistence, and immediate effect.

use serde_json::{Value, json};
use testkit::{Flavour, PerigeeProcess, ScriptedModel};

use crate::support::{BIN, Client, Setup, Socket, Stage, text};

/// Returns a setting from the report.
fn field<'a>(report: &'a Value, key: &str) -> &'a Value {
    let sections = report["sections"].as_array().unwrap().iter();
    let mut fields = sections.flat_map(|section| section["fields"].as_array().unwrap());
    fields.find(|field| field["key"] == key).unwrap_or_else(|| panic!("no {key}"))
}

#[tokio::test]
async fn a_change_keeps_what_a_person_wrote() {
    let setup = Setup::new().await;
    let settings = format!(
        "# My settings.\n\n[llm] # the model\nbase_url = \"{}/v1\" # at home\n# not too long\nnum_predict = 64\n\n[chat]\ntitle = \"words\"\n\n[unknown]\nkey = 1\n",
        setup.model.url()
    );
    let stage = setup.start_with(&settings).await;
    let owner = stage.owner();
    let report = owner
        .patch("/api/config", json!({ "llm.num_predict": 128, "companion.user_name": "Ada “L” \"x\"" }))
        .await
        .json();
    assert_eq!(
        (&field(&report, "llm.num_predict")["value"], &field(&report, "llm.num_predict")["from"]),
        (&json!(128), &json!("file"))
    );
    let written = stage.home.read("config.toml");
    for kept in ["# My settings.", "[llm] # the model", "# at home", "# not too long", "[unknown]\nkey = 1"] {
        assert!(written.contains(kept), "{kept:?} is gone:\n{written}");
    }
    assert!(written.contains("num_predict = 128"), "{written}");
    owner.ask("Hello").await;
    assert_eq!(stage.model.last_chat()["max_tokens"], 128, "from the next turn on");

    // Resets to the default.
    let report = owner.patch("/api/config", json!({ "llm.num_predict": null })).await.json();
    assert_eq!(
        (&field(&report, "llm.num_predict")["value"], &field(&report, "llm.num_predict")["from"]),
        (&json!(1024), &json!("default"))
    );
    owner.ask("Hello").await;
    assert_eq!(stage.model.last_chat()["max_tokens"], 1024);
    assert!(
        report["problems"].to_string().contains("unknown"),
        "a key that is none is named: {}",
        report["problems"]
    );
}

#[tokio::test]
async fn what_is_not_a_setting_changes_nothing() {
    let stage = Setup::new().await.table("[auth]\napi_key = \"a-token-of-my-own\"").start().await;
    let owner = stage.with_token("a-token-of-my-own");
    let before = stage.home.read("config.toml");
    let cases: [(Value, &str); 12] = [
        (json!({ "llm.nothing": 1 }), "llm.nothing"),
        (json!({ "llm.num_predct": 1 }), "Did you mean `llm.num_predict`"),
        (json!({ "llm.num_predict": "many" }), "llm.num_predict"),
        (json!({ "llm.num_predict": 0 }), "llm.num_predict"),
        (json!({ "llm.temperature": 99 }), "llm.temperature"),
        (json!({ "llm.base_url": "not an address" }), "llm.base_url"),
        (json!({ "llm.base_url": "file:///etc/passwd" }), "llm.base_url"),
        (json!({ "chat.title": "loud" }), "chat.title"),
        (json!({ "companion.name": "  " }), "companion.name"),
        (json!({ "auth.enabled": false }), "auth.enabled"),
        (json!({ "chat.summarise_at": 0.3, "chat.summarise_to": 0.8 }), "summarise"),
        // With one valid and one invalid value, neither is applied.
        (json!({ "companion.name": "Nova", "server.port": "x" }), "server.port"),
    ];
    for (patch, says) in cases {
        let refused = owner.patch("/api/config", patch.clone()).await;
        assert_eq!(refused.refusal(), (400, "badRequest".into()), "{patch}");
        assert!(refused.text().contains(says), "{patch}: {}", refused.text());
        assert_eq!(stage.home.read("config.toml"), before, "{patch}");
    }
    for wrong in [json!([]), json!("x"), json!(5)] {
        assert_eq!(owner.patch("/api/config", wrong).await.refusal(), (400, "badRequest".into()));
    }
    let report = owner.get("/api/config").await.json();
    assert_eq!(field(&report, "auth.api_key")["value"], true, "a secret is only ever set or not");
    assert!(!report.to_string().contains("a-token-of-my-own"));
    let refused = owner.post("/api/tokens/rotate", json!({})).await;
    assert_eq!(refused.refusal(), (409, "conflict".into()));
    assert!(refused.text().contains("auth.api_key"), "{}", refused.text());
}

#[tokio::test]
async fn what_the_environment_or_a_flag_decides_is_not_changed_in_the_file() {
    let stage = Setup::new().await.variable("PERIGEE_LLM__NUM_PREDICT", "33").start().await;
    let owner = stage.owner();
    let report = owner.get("/api/config").await.json();
    assert_eq!(
        (&field(&report, "llm.num_predict")["value"], &field(&report, "llm.num_predict")["from"]),
        (&json!(33), &json!("environment"))
    );
    assert_eq!(field(&report, "server.port")["from"], "flag");
    for (key, says) in [("llm.num_predict", "PERIGEE_LLM__NUM_PREDICT"), ("server.port", "flag")] {
        let refused = owner.patch("/api/config", json!({ key: 44 })).await;
        assert_eq!(refused.refusal(), (400, "badRequest".into()), "{key}");
        assert!(refused.text().contains(says), "{key}: {}", refused.text());
    }
    owner.ask("Hello").await;
    assert_eq!(stage.model.last_chat()["max_tokens"], 33);
}

#[tokio::test]
async fn another_model_answers_from_the_next_turn_on() {
    let stage = Stage::start().await;
    stage.model.otherwise("I am the first.");
    let owner = stage.owner();
    assert_eq!(text(&owner.ask("Who are you?").await), "I am the first.");
    let mut feed = Socket::open(&owner, "").await;

    let other = ScriptedModel::start_as(Flavour::Ollama).await;
    other.models(["moon:8b"]).otherwise("I am the second.");
    owner.patch("/api/config", json!({ "llm.base_url": other.url() })).await.json();
    assert_eq!(text(&owner.ask("And now?").await), "I am the second.");
    assert!(other.last_chat().to_string().contains("I am the first."), "the conversation is the same");
    loop {
        let push = feed.until("model").await;
        if push["current"]["state"] == "ready" && push["current"]["name"] == "moon:8b" {
            break;
        }
    }
    let current = owner.get("/api/models").await.json()["current"].clone();
    assert_eq!((&current["name"], &current["kind"]), (&json!("moon:8b"), &json!("ollama")));

    // The file is edited by hand while the server runs.
    let file = stage.home.read("config.toml").replace(&other.url(), &format!("{}/v1", stage.model.url()));
    stage.home.write("config.toml", file);
    assert_eq!(text(&owner.ask("And again?").await), "I am the first.");
}

#[tokio::test]
async fn an_edited_file_counts_for_the_bare_model_too() {
    let stage = Stage::start().await;
    stage.model.otherwise("I am the first.");
    let other = ScriptedModel::start().await;
    other.otherwise("I am the second.");
    let file = stage.home.read("config.toml").replace(&stage.model.url(), &other.url());
    stage.home.write("config.toml", file.replace("[llm]", "[llm]\nnum_predict = 77"));
    let request = json!({ "model": "bare", "messages": [{ "role": "user", "content": "Who are you?" }] });
    let answer = stage.owner().post("/v1/chat/completions", request).await.json();
    assert_eq!(answer["choices"][0]["message"]["content"], "I am the second.");
    assert_eq!(other.last_chat()["max_tokens"], 77);
}

#[tokio::test]
async fn the_settings_of_the_original_are_read_as_they_stand() {
    let setup = Setup::new().await;
    setup.home.write(
        "config.json",
        format!("{{\n  // my model\n  \"llm\": {{ \"base_url\": \"{}/v1\", \"api_key\": \"sk-x\", \"model\": \"scripted\" }},\n  /* later */\n  \"heartbeat\": {{ \"enabled\": true, \"interval\": 600 }},\n  \"auth\": {{ \"enabled\": false, \"api_key\": \"lumina-key-1\" }},\n}}\n", setup.model.url()),
    );
    let home = setup.home;
    let server = PerigeeProcess::start(BIN, home.path()).await;
    assert_eq!(server.token(), "lumina-key-1");
    let owner = Client::of(&server);
    let report = owner.get("/api/config").await.json();
    assert!(report["path"].as_str().unwrap().ends_with("config.json"));
    assert_eq!(field(&report, "heartbeat.interval")["value"], 600);
    assert_eq!(field(&report, "heartbeat.enabled")["effective"], false);
    assert!(report["problems"].to_string().contains("auth.enabled"), "{}", report["problems"]);
    setup.model.reply("Hello.");
    assert_eq!(text(&owner.ask("Hi").await), "Hello.");
    owner.patch("/api/config", json!({ "llm.num_predict": 55 })).await.json();
    let written = home.read("config.json");
    assert!(
        written.contains("// my model") && written.contains("/* later */") && written.contains("55"),
        "{written}"
    );
    assert_eq!(owner.get("/api/chats").await.status, 200);

    // If both files exist, config.toml is used, with a notice.
    server.stop().await;
    home.write("config.toml", "[companion]\nname = \"Nova\"\n");
    let server = PerigeeProcess::start(BIN, home.path()).await;
    let report = Client::of(&server).get("/api/config").await.json();
    assert!(report["path"].as_str().unwrap().ends_with("config.toml"));
    assert!(report["problems"].to_string().contains("config.json is ignored"), "{}", report["problems"]);
    server.stop().await;
}
