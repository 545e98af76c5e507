//! The OpenAPI document, and the conformance of the server to it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use server::{Access, routes};
use tokio::time::timeout;

use crate::support::{Setup, Stage, python_tag};

#[tokio::test]
async fn the_description_has_every_door_and_every_reference_leads_somewhere() {
    let stage = Stage::start().await;
    let document = stage.owner().get("/api/openapi.json").await.json();
    let described: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone()))
        })
        .collect();
    let doors: BTreeSet<(String, String)> =
        routes().into_iter().map(|route| (route.method, route.path.to_owned())).collect();
    assert_eq!(described, doors);

    let mut names = BTreeSet::new();
    for route in routes() {
        let operation = &document["paths"][route.path][route.method.to_lowercase()];
        assert!(names.insert(operation["operationId"].as_str().unwrap().to_owned()), "{operation}");
        assert!(!operation["summary"].as_str().unwrap().is_empty());
        let is_open = operation["security"].as_array().unwrap().is_empty();
        assert_eq!(is_open, route.access == Access::Public, "{}", route.path);
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let in_path = parameters.iter().filter(|parameter| parameter["in"] == "path").count();
        assert_eq!(in_path, route.path.matches('{').count(), "{}", route.path);
        let answers = operation["responses"].as_object().unwrap();
        let says_yes = answers.keys().any(|status| status.starts_with(['1', '2']));
        assert!(says_yes && answers.contains_key("default"), "{operation}: a door says what it answers");
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        // These schemas are OpenAI's.
        if ["CompletionRequest", "StreamOptions", "EmbeddingRequest"].contains(&name.as_str()) {
            continue;
        }
        let mut keys = Vec::new();
        collect_keys(schema, &mut keys);
        let wrong: Vec<_> = keys.iter().filter(|key| key.contains('_')).collect();
        assert!(wrong.is_empty(), "{name}: on the wire {wrong:?} are written otherwise");
    }
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    assert!(references.len() > 50, "{}", references.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} leads out"));
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

/// Collects the names of all properties in a schema.
fn collect_keys(schema: &Value, into: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                if let ("properties", Value::Object(properties)) = (name.as_str(), value) {
                    into.extend(properties.keys().cloned());
                }
                collect_keys(value, into);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_keys(item, into)),
        _ => {}
    }
}

fn collect_references(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(reference) if name == "$ref" => into.push(reference.clone()),
                    _ => collect_references(value, into),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, into)),
        _ => {}
    }
}

/// Operations that are not fuzzed: they invalidate the test's own token or settings, reach beyond the data folder, or
/// start programs.
const LEFT_OUT: [&str; 14] = [
    "post_api_tokens_rotate",
    "post_api_backup",
    "post_api_models_pull",
    "post_api_models_use",
    "post_api_models_remove",
    "post_api_models_detect",
    "patch_api_config",
    "post_api_mcp_servers",
    "post_api_mcp_servers_name_sign-in",
    "post_api_code_root",
    "post_api_code_stream",
    "post_api_code_run",
    "post_api_code_verify",
    // WebSocket connections are not supported by the tool.
    "get_ws",
];
/// The properties checked for every response.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,\
    negative_data_rejection,ignored_auth";
const EXAMPLES: &str = "8";
const SEED: &str = "20261119";
/// The time limit; an idle machine needs a tenth of it.
const PATIENCE: Duration = Duration::from_mins(5);

/// Returns the path at which `cargo xtask test` installs it.
fn schemathesis() -> PathBuf {
    let folder = std::env::var_os("PERIGEE_SCHEMATHESIS")
        .map(PathBuf::from)
        .or_else(|| {
            host::cache_dir().map(|cache| cache.join(format!("schemathesis-4.32.5-{}", python_tag())))
        })
        .expect("a cache folder");
    let program = folder.join("bin/schemathesis");
    assert!(program.exists(), "{} is missing: run `cargo xtask test`, which fetches it", program.display());
    folder
}

#[tokio::test]
async fn the_program_answers_as_it_is_described_whatever_it_is_asked() {
    let folder = schemathesis();
    let setup = Setup::new().await.table("[mcp]\nenabled = true\n");
    // Every service that an endpoint may need is available.
    setup.model.models(["scripted", "nomic-embed-text"]).dimensions(256);
    let table = format!(
        "[builtin_tools.vector_search]\nsource = \"server\"\nollama_url = \"{}\"\nmodel = \"nomic-embed-text\"",
        setup.model.url()
    );
    let stage = setup.table(&table).start().await;
    stage.model.otherwise("Good evening.");
    let document = stage.owner().get("/api/openapi.json").await;
    stage.home.write("openapi.json", document.text());
    let mut python = tokio::process::Command::new("python3");
    testkit::isolate(&mut python)
        .arg(folder.join("bin/schemathesis"))
        .env("PYTHONPATH", &folder)
        .env("NO_COLOR", "1");
    python.arg("run").arg(stage.home.path().join("openapi.json")).args(["--url", stage.address()]);
    python.args(["--header", &format!("Authorization: Bearer {}", stage.server().token())]);
    python.args(["--checks", CHECKS, "--phases", "examples,fuzzing", "--max-examples", EXAMPLES]);
    python.args(["--seed", SEED, "--workers", "2", "--no-shrink", "--continue-on-failure"]);
    python.args(["--suppress-health-check", "all", "--request-timeout", "20", "--warnings", "off"]);
    for operation in LEFT_OUT {
        python.args(["--exclude-operation-id", operation]);
    }
    python.current_dir(stage.home.path()).stdin(Stdio::null()).kill_on_drop(true);
    let output = timeout(PATIENCE, python.output()).await.expect("it ends in time").expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(stage.is_alive().await);
    let log = stage.log();
    assert!(!log.contains("panicked"), "{log}");
}
