//! Health, metrics, background processes, and the ways to start the program.

use serde_json::json;

use crate::support::{Stage, raw_request, text};

#[tokio::test]
async fn health_says_that_it_is_up_and_nothing_private() {
    let stage = Stage::start().await;
    let health = stage.stranger().get("/api/health").await.json();
    let keys: Vec<_> = health.as_object().unwrap().keys().cloned().collect();
    assert_eq!(
        (keys, &health["status"]),
        (vec!["status".into(), "name".into(), "version".into()], &json!("ok"))
    );
    // A request without a host name is refused.
    assert_eq!(raw_request(stage.host(), b"GET /api/health HTTP/1.0\r\n\r\n").await.status, 403);
    let garbage = raw_request(stage.host(), b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n").await;
    assert_eq!(garbage.status, 400);
    assert!(stage.is_alive().await);
}

#[tokio::test]
async fn metrics_count_what_happened() {
    let stage = Stage::start().await;
    stage
        .model
        .reply(testkit::ScriptedReply::text("One two").usage(30, 10, 4))
        .reply(testkit::ScriptedReply::status(500, "{}"));
    let owner = stage.owner();
    owner.ask("Hello").await;
    owner.ask("Hello").await;
    stage.stranger().get("/api/chats").await;
    let answer = owner.get("/metrics").await;
    assert!(answer.header("content-type").unwrap().starts_with("text/plain"));
    let metrics = answer.text();
    for line in metrics.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("{line}"));
        assert!(name.starts_with("perigee_") && value.parse::<f64>().is_ok(), "{line}");
    }
    for expected in [
        "perigee_turns_total{outcome=\"complete\"} 1",
        "perigee_turns_total{outcome=\"failed\"} 1",
        "perigee_turns_running 0",
        "perigee_prompt_tokens_total 30",
        "perigee_cached_tokens_total 10",
        "perigee_completion_tokens_total 4",
    ] {
        assert!(metrics.contains(expected), "{expected}:\n{metrics}");
    }
    assert!(metrics.contains("perigee_responses_total{status=\"4xx\"} "), "{metrics}");
}

#[tokio::test]
async fn metrics_count_what_api_clients_ask() {
    let stage = Stage::start().await;
    stage.model.otherwise(testkit::ScriptedReply::text("One two").usage(30, 10, 4));
    let owner = stage.owner();
    let asked = async |model: &str, question: &str, stream: bool| {
        let messages = json!([{ "role": "user", "content": question }]);
        let request = json!({ "model": model, "messages": messages, "stream": stream });
        owner.post("/v1/chat/completions", request).await.status
    };
    for (model, stream) in [("luna", false), ("luna", true), ("bare", false), ("bare", true)] {
        assert_eq!(asked(model, "Hello", stream).await, 200);
    }
    assert_eq!(asked("luna", "What time is it?", false).await, 200);
    for model in ["luna", "bare"] {
        stage.model.reply(testkit::ScriptedReply::status(400, "{}"));
        assert_eq!(asked(model, "Hello", false).await, 502);
    }
    // The answer is complete slightly before its turn is removed.
    let mut metrics = owner.get("/metrics").await.text();
    while !metrics.contains("perigee_turns_running 0") {
        tokio::task::yield_now().await;
        metrics = owner.get("/metrics").await.text();
    }
    for expected in [
        "perigee_turns_total{outcome=\"complete\"} 5",
        "perigee_turns_total{outcome=\"failed\"} 2",
        "perigee_turns_running 0",
        "perigee_prompt_tokens_total 120",
        "perigee_cached_tokens_total 40",
        "perigee_completion_tokens_total 16",
    ] {
        assert!(metrics.contains(expected), "{expected}:\n{metrics}");
    }
}

#[tokio::test]
async fn background_work_can_be_seen_paused_and_run() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    assert_eq!(owner.post("/api/processes/housekeeping/pause", json!({})).await.json()["state"], "paused");
    assert_eq!(owner.get("/api/processes").await.json()[0]["nextRun"], json!(null));
    assert_eq!(owner.post("/api/processes/housekeeping/resume", json!({})).await.json()["state"], "waiting");
    for path in ["/api/processes/nothing/run", "/api/processes/housekeeping/explode"] {
        assert_eq!(owner.post(path, json!({})).await.refusal(), (404, "notFound".into()), "{path}");
    }
}

#[tokio::test]
async fn it_answers_at_the_address_that_it_was_given() {
    let home = testkit::TempHome::new();
    let server =
        testkit::PerigeeProcess::start_with(crate::support::BIN, home.path(), &["--host", "127.0.0.2"], &[])
            .await;
    assert!(server.address().starts_with("http://127.0.0.2:"), "{}", server.address());
    let owner = crate::support::Client::of(&server);
    assert_eq!(owner.get("/api/chats").await.status, 200);
    let port = server.address().rsplit(':').next().unwrap();
    for (host, status) in [
        (format!("localhost:{port}"), 200),
        (format!("127.0.0.3:{port}"), 403),
        ("127.0.0.2".into(), 403),
        ("127.0.0.2.evil.example".into(), 403),
    ] {
        let answer =
            owner.send(owner.request(reqwest::Method::GET, "/api/health").header("host", &host)).await;
        assert_eq!(answer.status, status, "{host}");
    }
    server.run(["processes", "--json"]).await;
}

#[tokio::test]
async fn it_listens_on_this_machine_alone_and_says_when_it_cannot() {
    let stage = Stage::start().await;
    let home = testkit::TempHome::new();
    let port = stage.host().rsplit(':').next().unwrap();
    let cases: [(&[&str], &str); 3] = [
        (&["serve", "--host", "0.0.0.0", "--port", "0"], "open to the network"),
        (&["serve", "--host", "192.168.1.5", "--port", "0"], "open to the network"),
        (&["serve", "--port", port], "--port"),
    ];
    for (args, says) in cases {
        let mut command =
            testkit::perigee_command(std::path::Path::new(crate::support::BIN), home.path(), args);
        let output = crate::support::soon("it gives up", command.output()).await.unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.contains(says), "{args:?}: {said}");
    }
    assert_eq!(text(&stage.owner().ask("Hello").await), testkit::SCRIPT_IS_EMPTY);
}
