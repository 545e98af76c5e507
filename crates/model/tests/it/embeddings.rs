//! Embeddings from both kinds of server, with successes and failures.

use std::time::Duration;

use host::Secret;
use model::{
    EmbeddingApi, EmbeddingModel, EmbeddingOptions, Http, ModelError, RemoteEmbeddings, Retry,
    connect_embeddings,
};
use serde_json::{Value, json};
use testkit::{Flavour, ScriptedModel, ScriptedReply, scripted_vector};

use crate::faults::{Kind, kind};

const BOTH: [EmbeddingApi; 2] = [EmbeddingApi::OpenAi, EmbeddingApi::Ollama];
const DIMENSIONS: usize = 48;

/// Options with the shortest possible delays, to keep the tests fast.
fn options(server: &ScriptedModel) -> EmbeddingOptions {
    EmbeddingOptions {
        base_url: server.url(),
        api_key: Secret::default(),
        model: "nomic-embed-text".to_owned(),
        timeout: Duration::from_secs(30),
        retry: Retry { attempts: 3, first_wait: Duration::from_millis(1), ..Retry::default() },
    }
}

async fn server() -> ScriptedModel {
    let server = ScriptedModel::start().await;
    server.models(["scripted", "nomic-embed-text"]).dimensions(DIMENSIONS);
    server
}

async fn connect(server: &ScriptedModel, api: EmbeddingApi) -> Result<RemoteEmbeddings, ModelError> {
    RemoteEmbeddings::connect(&Http::default(), api, &options(server)).await
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(ToOwned::to_owned).to_vec()
}

fn expected(texts: &[String]) -> Vec<Vec<f32>> {
    texts.iter().map(|text| scripted_vector(text, DIMENSIONS)).collect()
}

#[tokio::test]
async fn every_text_gets_its_own_vector() {
    for api in BOTH {
        let server = server().await;
        let model = connect(&server, api).await.unwrap();
        assert_eq!((model.name().as_str(), model.dimensions()), ("nomic-embed-text", DIMENSIONS));
        let asked = texts(["The moon is full", "Mond 🌙 und \"月\"\n", "a cup of tea"]);
        assert_eq!(model.embed(&asked).await.unwrap(), expected(&asked), "{api:?}");
        let sent = server.embeddings().pop().unwrap();
        let (path, body) = match api {
            EmbeddingApi::OpenAi => (
                "/v1/embeddings",
                json!({ "model": "nomic-embed-text", "input": asked, "encoding_format": "float" }),
            ),
            EmbeddingApi::Ollama => (
                "/api/embed",
                json!({ "model": "nomic-embed-text", "input": asked, "truncate": true, "keep_alive": "30m" }),
            ),
        };
        assert_eq!((sent.path.as_str(), sent.json()), (path, body));
        assert_eq!(sent.header("authorization"), None);
    }
}

#[tokio::test]
async fn many_texts_go_in_several_requests_and_none_in_none() {
    for api in BOTH {
        let server = server().await;
        let model = connect(&server, api).await.unwrap();
        assert!(model.embed(&[]).await.unwrap().is_empty());
        assert_eq!(server.embeddings().len(), 1, "only the one of connecting");
        let many: Vec<_> = (0..70).map(|number| format!("memory {number}")).collect();
        assert_eq!(model.embed(&many).await.unwrap(), expected(&many), "{api:?}");
        let sizes: Vec<_> = server
            .embeddings()
            .iter()
            .map(|request| request.json()["input"].as_array().map_or(0, Vec::len))
            .collect();
        assert_eq!(sizes, [1, 32, 32, 6]);
    }
}

#[tokio::test]
async fn a_blank_text_is_no_reason_to_refuse_the_others() {
    for api in BOTH {
        let server = server().await;
        let model = connect(&server, api).await.unwrap();
        let vectors = model.embed(&texts(["", "moon", " \n "])).await.unwrap();
        assert_eq!(vectors[1], scripted_vector("moon", DIMENSIONS));
        assert_eq!(vectors[0], vectors[2]);
    }
}

#[tokio::test]
async fn vectors_of_a_large_model_are_not_too_long_to_read() {
    let wide = 4096;
    let server = server().await;
    server.dimensions(wide);
    let texts = vec!["moon".to_owned(); 32];
    for api in BOTH {
        let model = connect(&server, api).await.unwrap();
        // The longest realistic form, as from a server that indents every number.
        let vector = format!("[{}-1]", "\n                -0.125000000000000000,".repeat(wide - 1));
        let mut read = vec![-0.125_f32; wide - 1];
        read.push(-1.0);
        let answer = match api {
            EmbeddingApi::OpenAi => {
                let vectors = (0..32).map(|index| format!(r#"{{"index":{index},"embedding":{vector}}}"#));
                format!(r#"{{"data":[{}]}}"#, vectors.collect::<Vec<_>>().join(","))
            }
            EmbeddingApi::Ollama => format!(r#"{{"embeddings":[{}]}}"#, vec![vector; 32].join(",")),
        };
        assert!(answer.len() > 4 << 20);
        server.embedding_fault(ScriptedReply::status(200, answer));
        let vectors = model.embed(&texts).await.unwrap();
        assert!(vectors == vec![read; 32], "{api:?}");
    }
}

/// Returns faulty responses of both APIs, sent with a success status.
fn answered(openai: &Value, ollama: &Value) -> [ScriptedReply; 2] {
    [openai, ollama].map(|answer| ScriptedReply::status(200, answer.to_string()))
}

fn either(reply: &ScriptedReply) -> [ScriptedReply; 2] {
    [reply.clone(), reply.clone()]
}

#[tokio::test]
async fn every_fault_has_its_words() {
    let vector = |length: usize| vec![0.5; length];
    let item = |index: usize, length: usize| json!({ "index": index, "embedding": vector(length) });
    let cases = [
        (
            "too few",
            answered(
                &json!({ "data": [item(0, DIMENSIONS)] }),
                &json!({ "embeddings": [vector(DIMENSIONS)] }),
            ),
            Kind::Nonsense,
            "sent 2 texts and returned 1 vectors",
        ),
        (
            "another length",
            answered(
                &json!({ "data": [item(0, DIMENSIONS), item(1, 3)] }),
                &json!({ "embeddings": [vector(DIMENSIONS), vector(3)] }),
            ),
            Kind::Nonsense,
            "a vector of 3 numbers instead of 48",
        ),
        (
            "null among the numbers",
            answered(
                &json!({ "data": [item(0, DIMENSIONS), { "index": 1, "embedding": vec![Value::Null; DIMENSIONS] }] }),
                &json!({ "embeddings": [vector(DIMENSIONS), vec![Value::Null; DIMENSIONS]] }),
            ),
            Kind::Nonsense,
            "invalid numbers",
        ),
        (
            "no vectors at all",
            answered(&json!({ "hello": 1 }), &json!({ "hello": 1 })),
            Kind::Nonsense,
            "vector_search.ollama_url",
        ),
        ("a web page", either(&ScriptedReply::html()), Kind::Nonsense, "a web page, not a model"),
        (
            "a web page that says it is JSON",
            either(&ScriptedReply::html().content_type("application/json")),
            Kind::Nonsense,
            "a web page, not a model",
        ),
        (
            "an error with success",
            either(&ScriptedReply::status(200, r#"{"error":"out of memory"}"#)),
            Kind::Failed,
            "The embedding model at",
        ),
        ("nothing", either(&ScriptedReply::status(200, "")), Kind::Nonsense, "an empty answer"),
        (
            "cut",
            either(&ScriptedReply::chunks([r#"{"data":[{"index":0,"embedding":[0.5,"#]).cut()),
            Kind::Unreachable,
            "broke in the middle",
        ),
        (
            "endless",
            either(&ScriptedReply::empty().endless(" ".repeat(1 << 16))),
            Kind::Nonsense,
            "not an embedding model's answer",
        ),
        (
            "no route",
            either(&ScriptedReply::status(404, "404 page not found")),
            Kind::Refused,
            "no embeddings at this",
        ),
        ("no key", either(&ScriptedReply::status(401, "")), Kind::Refused, "llm.api_key"),
        (
            "no embedding model",
            either(&ScriptedReply::status(
                501,
                r#"{"error":{"message":"This server does not support embeddings"}}"#,
            )),
            Kind::Failed,
            "does not support embeddings",
        ),
        (
            "a text too long",
            either(&ScriptedReply::status(
                400,
                r#"{"error":{"n_prompt_tokens":9000,"n_ctx":512,"message":"too large"}}"#,
            )),
            Kind::ContextFull,
            "9000 tokens",
        ),
        ("moved", either(&ScriptedReply::status(301, "")), Kind::Nonsense, "vector_search.ollama_url"),
    ];
    let server = server().await;
    let asked = texts(["moon", "tea"]);
    for (at, api) in BOTH.into_iter().enumerate() {
        let model = connect(&server, api).await.unwrap();
        for (name, replies, expected, words) in &cases {
            let before = server.embeddings().len();
            server.embedding_fault(replies[at].clone());
            let error = model.embed(&asked).await.unwrap_err();
            assert_eq!(kind(&error), *expected, "{name}: {error}");
            assert!(error.to_string().contains(words), "{name}: {error}");
            assert_eq!(server.embeddings().len() - before, 1, "{name} is not asked again");
        }
        assert_eq!(model.embed(&asked).await.unwrap(), expected(&asked));
    }
}

#[tokio::test]
async fn a_model_that_is_not_there_is_said_with_its_remedy() {
    for (api, words) in [
        (EmbeddingApi::OpenAi, "Check builtin_tools.vector_search.model and"),
        (EmbeddingApi::Ollama, "Download it with `ollama pull nomic-embed-text`"),
    ] {
        let mut server = server().await;
        server.models(["scripted"]);
        let error = connect(&server, api).await.unwrap_err();
        assert_eq!(kind(&error), Kind::Refused);
        assert!(error.to_string().contains("no model named “nomic-embed-text”"), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        server.stop().await;
        let error = connect(&server, api).await.unwrap_err();
        assert_eq!(kind(&error), Kind::Unreachable);
        assert!(error.to_string().contains("does not answer. Start Ollama"), "{error}");
    }
}

#[tokio::test]
async fn a_model_that_was_exchanged_is_noticed() {
    for api in BOTH {
        let server = server().await;
        let model = connect(&server, api).await.unwrap();
        server.dimensions(DIMENSIONS * 2);
        let error = model.embed(&texts(["moon"])).await.unwrap_err();
        assert_eq!(kind(&error), Kind::Nonsense);
        assert!(error.to_string().contains("of 96 numbers instead of 48"), "{error}");
    }
}

#[tokio::test]
async fn only_a_server_that_did_no_work_is_asked_again() {
    for api in BOTH {
        let server = server().await;
        let model = connect(&server, api).await.unwrap();
        for (status, attempts) in [(429, 3), (503, 3), (500, 1), (400, 1)] {
            let before = server.embeddings().len();
            for _ in 1..attempts.max(2) {
                server.embedding_fault(ScriptedReply::status(status, ""));
            }
            let answer = model.embed(&texts(["moon"])).await;
            assert_eq!(answer.is_ok(), attempts > 1, "{status}: {answer:?}");
            assert_eq!(server.embeddings().len() - before, attempts, "{status}");
        }
    }
}

#[tokio::test]
async fn silence_ends_by_itself() {
    let server = server().await;
    for api in BOTH {
        for reply in [
            ScriptedReply::hangs(),
            ScriptedReply::empty().then_silence(),
            ScriptedReply::chunks([r#"{"embeddings":[["#]).then_silence(),
        ] {
            server.embedding_fault(reply);
            let options = EmbeddingOptions { timeout: Duration::from_millis(50), ..options(&server) };
            let error = RemoteEmbeddings::connect(&Http::default(), api, &options).await.unwrap_err();
            assert_eq!(kind(&error), Kind::Unreachable);
            assert!(error.to_string().contains("within 0 seconds"), "{error}");
        }
    }
    server.hung_up(6).await;
}

#[tokio::test]
async fn whoever_changes_their_mind_ends_the_request() {
    for api in BOTH {
        let server = server().await;
        let model = connect(&server, api).await.unwrap();
        server.embedding_fault(ScriptedReply::hangs());
        let asked = texts(["moon"]);
        tokio::select! {
            answer = model.embed(&asked) => panic!("{answer:?}"),
            () = server.asked_for_embeddings(2) => {}
        }
        server.hung_up(1).await;
        assert_eq!(model.embed(&asked).await.unwrap(), expected(&asked));
    }
}

#[tokio::test]
async fn no_key_is_ever_quoted() {
    let server = server().await;
    for api in BOTH {
        let options = EmbeddingOptions {
            base_url: server.url().replace("http://", "http://me:hunter2@"),
            api_key: Secret::new("sk-secret"),
            ..options(&server)
        };
        let model = RemoteEmbeddings::connect(&Http::default(), api, &options).await.unwrap();
        let echo = r#"{"error":{"message":"the key sk-secret is not good"}}"#;
        for status in [200, 400, 401, 404, 500] {
            server.embedding_fault(ScriptedReply::status(status, echo));
            let error = model.embed(&texts(["moon"])).await.unwrap_err();
            let shown = format!("{error} {error:?} {model:?}");
            assert!(!shown.contains("sk-secret") && !shown.contains("hunter2"), "{shown}");
        }
    }
}

#[tokio::test]
async fn the_settings_name_the_server_and_only_its_own_key_is_sent() {
    let chat = ScriptedModel::start().await;
    for (flavour, path) in [(Flavour::Ollama, "/api/embed"), (Flavour::LlamaServer, "/v1/embeddings")] {
        let server = ScriptedModel::start_as(flavour).await;
        server.models(["nomic-embed-text"]).dimensions(DIMENSIONS);
        let search = config::VectorSearch {
            ollama_url: config::Url::parse(&server.url()).unwrap(),
            ..config::VectorSearch::default()
        };
        for (base_url, key) in
            [(chat.url(), None), (format!("{}/v1", server.url()), Some("Bearer sk-secret"))]
        {
            let llm = config::Llm {
                base_url: config::Url::parse(&base_url),
                api_key: Secret::new("sk-secret"),
                ..config::Llm::default()
            };
            let model = connect_embeddings(&Http::default(), &search, &llm).await.unwrap();
            assert_eq!((model.name().as_str(), model.dimensions()), ("nomic-embed-text", DIMENSIONS));
            let sent = server.embeddings().pop().unwrap();
            assert_eq!((sent.path.as_str(), sent.header("authorization")), (path, key), "{base_url}");
        }
    }
    assert!(chat.requests().is_empty());
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_in_words() {
    let server = server().await;
    for api in BOTH {
        let options = EmbeddingOptions { base_url: "ftp://moon".to_owned(), ..options(&server) };
        let error = RemoteEmbeddings::connect(&Http::default(), api, &options).await.unwrap_err();
        assert!(error.to_string().contains("builtin_tools.vector_search.ollama_url"), "{error}");
    }
}
