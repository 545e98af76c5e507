use std::time::{Duration, Instant};

use model::{Http, ServerDetection, detect};
use protocol::ServerKind;
use testkit::{Flavour, ScriptedModel};
use tokio::net::TcpListener;

/// Returns a port on which nothing listens.
async fn nobody() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

#[tokio::test]
async fn servers_are_found_with_their_models() {
    let ollama = ScriptedModel::start_as(Flavour::Ollama).await;
    let studio = ScriptedModel::start_as(Flavour::LmStudio).await;
    let llama = ScriptedModel::start_as(Flavour::LlamaServer).await;
    ollama.models(["qwen3:4b", "gemma3:1b"]);
    let lookout = ServerDetection {
        patience: Duration::from_mins(1),
        ollama: ollama.port(),
        lm_studio: studio.port(),
        llama_server: llama.port(),
    };
    let found = detect(&Http::default(), lookout).await;
    let kinds: Vec<_> = found.iter().map(|server| server.kind).collect();
    assert_eq!(kinds, [ServerKind::Ollama, ServerKind::LmStudio, ServerKind::LlamaServer]);
    assert_eq!(
        (found[0].base_url.clone(), &found[0].models[..]),
        (ollama.url(), &["qwen3:4b".to_owned(), "gemma3:1b".to_owned()][..])
    );
    assert_eq!(found[1].base_url, format!("{}/v1", studio.url()));
    assert_eq!(found[2].models, ["scripted"]);
}

#[tokio::test]
async fn nobody_and_strangers_are_not_found() {
    let stranger = ScriptedModel::start().await;
    // This port accepts connections, but never responds.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = silent.local_addr().unwrap().port();
    let begun = Instant::now();
    let http = Http::default();
    for lookout in [
        ServerDetection {
            ollama: nobody().await,
            lm_studio: nobody().await,
            llama_server: nobody().await,
            ..ServerDetection::default()
        },
        ServerDetection {
            ollama: stranger.port(),
            lm_studio: stranger.port(),
            llama_server: stranger.port(),
            ..ServerDetection::default()
        },
        ServerDetection {
            ollama: silent,
            lm_studio: silent,
            llama_server: silent,
            ..ServerDetection::default()
        },
    ] {
        assert_eq!(detect(&http, lookout).await, []);
    }
    assert!(begun.elapsed().as_secs() < 5, "looking around must not take long");
}
