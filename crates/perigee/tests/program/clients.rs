//! The official OpenAI clients, unmodified, against `/v1`.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::{RecordedRequest, ScriptedReply};
use tokio::process::Command;

use crate::support::{Setup, Stage, python_tag, soon};

/// Pinned, so that a failure is caused by this project. This Node client is the last for Node 20.
const PYTHON_CLIENT: &str = "openai==3.49.0";
const NODE_CLIENT: &str = "openai@6.49.0";

/// Returns a folder with the client, installed once and cached for later runs.
async fn installed(name: &str, install: impl FnOnce(&Path) -> Command) -> PathBuf {
    let shelf = host::cache_dir().expect("a cache folder").join("test-clients");
    let folder = shelf.join(name.replace(['=', '@'], "-"));
    if folder.exists() {
        return folder;
    }
    let unfinished =
        shelf.join(format!("unfinished-{}-{}", name.replace(['=', '@'], "-"), std::process::id()));
    std::fs::create_dir_all(&unfinished).unwrap();
    let mut command = install(&unfinished);
    let output = command.stdin(Stdio::null()).output().await;
    let output = output.unwrap_or_else(|error| {
        panic!("{name} cannot be installed: {}: {error}", command.as_std().get_program().display())
    });
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} cannot be installed: {said}");
    // If another run was quicker, its installation is used.
    if std::fs::rename(&unfinished, &folder).is_err() {
        std::fs::remove_dir_all(&unfinished).unwrap();
    }
    folder
}

/// Runs a script, with the address and the key in the environment variables that the clients read.
async fn run(stage: &Stage, mut command: Command) -> Value {
    testkit::isolate(&mut command)
        .env("OPENAI_BASE_URL", format!("{}/v1", stage.address()))
        .env("OPENAI_API_KEY", stage.server().token());
    let output = soon("the script", command.stdin(Stdio::null()).kill_on_drop(true).output())
        .await
        .expect("it starts");
    let (said, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}\n{stderr}");
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error} in {said}"))
}

async fn stage() -> Stage {
    let setup = Setup::new().await;
    let last_role = |request: &RecordedRequest| -> String {
        let messages = request.json()["messages"].clone();
        messages
            .as_array()
            .and_then(|all| all.last()?["role"].as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    // Luna's own tools are offered too; only those of the client have a city.
    let has_tools = |request: &RecordedRequest| request.json()["tools"].to_string().contains("\"city\"");
    setup.model.when(move |request| has_tools(request) && last_role(request) == "tool", "It rains in Kiel.");
    let call = ScriptedReply::empty()
        .tool_call_piece(0, Some("call_1"), Some("weather"), "{\"city\":")
        .tool_call_piece(0, None, None, "\"Kiel\"}");
    setup.model.when(has_tools, call.usage(20, 0, 6));
    setup.model.otherwise(ScriptedReply::text("Good evening, Ada. 🌙").usage(12, 3, 5));
    setup.start().await
}

/// The report expected from both scripts about their conversation.
fn expected() -> Value {
    let one = |model: &str| {
        json!({
            "model": model,
            "streamed": "Good evening, Ada. 🌙",
            "finish": "stop",
            "promptTokens": 12,
            "whole": "Good evening, Ada. 🌙",
            "streamedTool": ["weather", { "city": "Kiel" }],
            "streamedToolFinish": "tool_calls",
            "wholeTool": ["weather", { "city": "Kiel" }],
            "afterTool": "It rains in Kiel.",
        })
    };
    json!({
        "models": ["luna", "scripted"],
        "conversations": [one("luna"), one("scripted")],
        "badRequest": 400,
        "badKey": 401,
        "missingModel": 404,
    })
}

#[tokio::test]
async fn the_official_python_client_works_unchanged() {
    let folder = installed(&format!("{PYTHON_CLIENT}-{}", python_tag()), |folder| {
        let mut pip = Command::new("python3");
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-warn-conflicts",
            "--target",
        ]);
        pip.arg(folder).arg(PYTHON_CLIENT);
        pip
    })
    .await;
    let stage = stage().await;
    stage.owner().ask("Hello").await;
    let mut python = Command::new("python3");
    python.arg("tests/program/clients/talk.py").env("PYTHONPATH", folder);
    assert_eq!(run(&stage, python).await, expected());
}

#[tokio::test]
async fn the_official_node_client_works_unchanged() {
    let folder = installed(NODE_CLIENT, |folder| {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
            .arg(folder)
            .arg(NODE_CLIENT);
        npm
    })
    .await;
    let stage = stage().await;
    stage.owner().ask("Hello").await;
    let mut node = Command::new("node");
    node.arg("tests/program/clients/talk.mjs").env("CLIENT_FOLDER", folder);
    assert_eq!(run(&stage, node).await, expected());
}
