//! Tests of the engine with the real starter model, real state and a real disk. They do not assert speed.
//!
//! The model is read from the folder in `PERIGEE_TEST_MODELS`; `cargo xtask test` downloads it.

// Test helpers panic on failure, and damaged files are written on purpose.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

use std::path::PathBuf;
use std::sync::Arc;

use engine::{Engine, EngineOptions};
use futures_util::StreamExt;
use model::{
    CacheKey, ChatModel, ChatStream, Constraint, Delta, ModelError, ModelMessage, ModelRequest, ModelRole,
    Priority, Sampling,
};
use protocol::StopReason;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const STARTER: &str = "smollm2-135m-instruct.gguf";

struct TestEngine {
    engine: Arc<Engine>,
    cache: tempfile::TempDir,
    options: EngineOptions,
}

fn starter() -> PathBuf {
    let folder = std::env::var_os("PERIGEE_TEST_MODELS")
        .map(PathBuf::from)
        .or_else(|| host::cache_dir().map(|cache| cache.join("models")));
    let path = folder.expect("a cache folder").join(STARTER);
    assert!(path.exists(), "{} is missing: run `cargo xtask test`, which fetches it", path.display());
    path
}

impl TestEngine {
    fn new() -> Self {
        Self::with(|_| ())
    }

    fn with(change: impl FnOnce(&mut EngineOptions)) -> Self {
        let cache = tempfile::tempdir().unwrap();
        let mut options = EngineOptions {
            context: 2048,
            threads: 0,
            parallel: 2,
            cache_bytes: 256 << 20,
            disk_cache: cache.path().join("states"),
            disk_cache_bytes: 1 << 30,
        };
        change(&mut options);
        let engine = Arc::new(Engine::load(&starter(), "starter", &options).unwrap());
        Self { engine, cache, options }
    }

    /// Simulates a restart of the program.
    fn restart(self) -> Self {
        let Self { engine, cache, options } = self;
        drop(engine);
        let engine = Arc::new(Engine::load(&starter(), "starter", &options).unwrap());
        Self { engine, cache, options }
    }
}

#[derive(Debug, Default)]
struct Answer {
    text: String,
    pieces: usize,
    prompt: u32,
    cached: u32,
    completion: u32,
    stop: Option<StopReason>,
}

async fn gather(mut stream: ChatStream) -> Result<Answer, ModelError> {
    let mut answer = Answer::default();
    while let Some(delta) = stream.next().await {
        match delta? {
            Delta::Text(text) => {
                answer.text.push_str(&text);
                answer.pieces += 1;
            }
            Delta::Usage { prompt, cached, completion } => {
                (answer.prompt, answer.cached, answer.completion) = (prompt, cached, completion);
            }
            Delta::Stop(reason) => answer.stop = Some(reason),
            Delta::Progress { .. } | Delta::Reasoning(_) | Delta::ToolCall(_) => {}
        }
    }
    Ok(answer)
}

fn request(key: &str, turns: &[(ModelRole, &str)], max_tokens: u32) -> ModelRequest {
    ModelRequest {
        messages: turns.iter().map(|&(role, text)| ModelMessage::text(role, text)).collect(),
        sampling: Sampling { max_tokens, temperature: 0.0, repeat_penalty: 1.0, ..Sampling::default() },
        cache_key: Some(CacheKey::new(key)),
        ..ModelRequest::default()
    }
}

const SYSTEM: (ModelRole, &str) =
    (ModelRole::System, "You are Luna, a kind companion. You answer in one short sentence.");

#[tokio::test(flavor = "multi_thread")]
async fn it_answers_in_a_stream_and_says_what_it_cost() {
    let bench = TestEngine::new();
    let info = bench.engine.info();
    assert_eq!(info.context, 2048);
    assert!(info.parameters.is_some_and(|count| (100_000_000..200_000_000).contains(&count)));
    let question = [
        (ModelRole::System, "You are a helpful assistant."),
        (ModelRole::User, "What is the capital of France?"),
    ];
    let answer = gather(bench.engine.chat(request("a", &question, 24)).await.unwrap()).await.unwrap();
    assert!(answer.text.contains("Paris"), "{answer:?}");
    assert!(answer.pieces > 2, "streamed in pieces: {answer:?}");
    assert!(answer.prompt > 20 && answer.completion > 2, "{answer:?}");
    assert!(matches!(answer.stop, Some(StopReason::End | StopReason::Length)), "{answer:?}");

    let again = gather(bench.engine.chat(request("b", &question, 24)).await.unwrap()).await.unwrap();
    assert_eq!(again.text, answer.text, "at temperature zero the same prompt gives the same answer");
    assert!(again.cached > 10, "the system prefix was shared: {again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_turn_evaluates_only_what_is_new_even_after_a_restart() {
    let bench = TestEngine::new();
    let story = "The lighthouse keeper wrote one line in her book each night. ".repeat(40);
    let first = [SYSTEM, (ModelRole::User, story.as_str())];
    let answer = gather(bench.engine.chat(request("talk", &first, 16)).await.unwrap()).await.unwrap();
    assert!(answer.prompt > 400, "{answer:?}");

    let second =
        [SYSTEM, first[1], (ModelRole::Assistant, answer.text.as_str()), (ModelRole::User, "And then?")];
    let next = gather(bench.engine.chat(request("talk", &second, 8)).await.unwrap()).await.unwrap();
    let fresh = next.prompt - next.cached;
    assert!(fresh < 24, "only the new message is evaluated, not {fresh} of {} tokens", next.prompt);

    bench.engine.save().await;
    let bench = bench.restart();
    let restarted = gather(bench.engine.chat(request("talk", &second, 8)).await.unwrap()).await.unwrap();
    let fresh = restarted.prompt - restarted.cached;
    assert!(fresh < 24, "after a restart {fresh} of {} tokens were evaluated", restarted.prompt);
    assert_eq!(restarted.text, next.text, "restored state gives the same answer");

    bench.engine.forget(&CacheKey::new("talk")).await;
    let bench = bench.restart();
    let forgotten = gather(bench.engine.chat(request("talk", &second, 8)).await.unwrap()).await.unwrap();
    assert!(
        forgotten.prompt - forgotten.cached > 400,
        "nothing is left of a forgotten conversation: {forgotten:?}"
    );
    assert_eq!(forgotten.text, next.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn conversations_keep_their_own_state_within_the_budget() {
    // One slot: each conversation moves the previous one from the context to the memory cache.
    let bench = TestEngine::with(|options| options.parallel = 1);
    let talk =
        |name: &str| format!("My name is {name}. {}", "I like walking by the sea at night. ".repeat(20));
    for (key, name) in [("one", "Ada"), ("two", "Ben"), ("three", "Cleo")] {
        let text = talk(name);
        gather(bench.engine.chat(request(key, &[SYSTEM, (ModelRole::User, &text)], 4)).await.unwrap())
            .await
            .unwrap();
    }
    let text = talk("Ada");
    let back =
        gather(bench.engine.chat(request("one", &[SYSTEM, (ModelRole::User, &text)], 4)).await.unwrap())
            .await
            .unwrap();
    assert!(back.prompt - back.cached < 8, "the first conversation was kept: {back:?}");

    let tight = TestEngine::with(|options| {
        options.parallel = 1;
        options.cache_bytes = 8 << 20;
        options.disk_cache_bytes = 0;
    });
    for key in ["one", "two", "three"] {
        let text = talk(key);
        gather(tight.engine.chat(request(key, &[SYSTEM, (ModelRole::User, &text)], 4)).await.unwrap())
            .await
            .unwrap();
    }
    let text = talk("one");
    let gone =
        gather(tight.engine.chat(request("one", &[SYSTEM, (ModelRole::User, &text)], 4)).await.unwrap())
            .await
            .unwrap();
    assert!(gone.prompt - gone.cached > 50, "beyond the budget the oldest is dropped: {gone:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_at_the_same_time_are_fair_and_correct() {
    let bench = TestEngine::new();
    let alone: Vec<String> = {
        let mut texts = Vec::new();
        for number in 0..4 {
            let text = format!("Count from {number} upwards.");
            let stream = bench.engine.chat(request(
                &format!("alone{number}"),
                &[SYSTEM, (ModelRole::User, &text)],
                24,
            ));
            texts.push(gather(stream.await.unwrap()).await.unwrap().text);
        }
        texts
    };
    // Four responses on two slots: some wait, some are set aside, and each must be the same as if it were alone.
    let together = (0..4).map(|number| {
        let engine = Arc::clone(&bench.engine);
        tokio::spawn(async move {
            let text = format!("Count from {number} upwards.");
            let stream =
                engine.chat(request(&format!("together{number}"), &[SYSTEM, (ModelRole::User, &text)], 24));
            gather(stream.await.unwrap()).await.unwrap().text
        })
    });
    for (task, alone) in together.collect::<Vec<_>>().into_iter().zip(alone) {
        let text = task.await.unwrap();
        assert_eq!(text.split_whitespace().next(), alone.split_whitespace().next());
        assert!(!text.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn background_work_steps_back_for_a_person() {
    let bench = TestEngine::with(|options| options.parallel = 1);
    let long = [SYSTEM, (ModelRole::User, "Write a very long story about the moon and the sea.")];
    let background = ModelRequest { priority: Priority::Background, ..request("work", &long, 200) };
    let mut background = bench.engine.chat(background).await.unwrap();
    while !matches!(background.next().await, Some(Ok(Delta::Text(_)))) {}

    let question = [SYSTEM, (ModelRole::User, "Hello")];
    let person = gather(bench.engine.chat(request("person", &question, 4)).await.unwrap()).await.unwrap();
    assert!(person.completion > 0);
    let rest = gather(background).await.unwrap();
    assert!(rest.completion > 20, "the background answer goes on where it was: {rest:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_ends_an_answer_at_once_in_prompt_and_in_text() {
    let bench = TestEngine::new();
    let long = [SYSTEM, (ModelRole::User, "Write a very long story about the moon and the sea.")];
    let cancel = CancellationToken::new();
    let request_with =
        |cancel: &CancellationToken| ModelRequest { cancel: cancel.clone(), ..request("c", &long, 500) };
    let mut stream = bench.engine.chat(request_with(&cancel)).await.unwrap();
    while !matches!(stream.next().await, Some(Ok(Delta::Text(_)))) {}
    cancel.cancel();
    let rest = gather(stream).await.unwrap();
    assert_eq!(rest.stop, Some(StopReason::Stopped));
    assert!(rest.pieces <= 2, "at most the token that was under way: {rest:?}");

    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let none = gather(bench.engine.chat(request_with(&cancelled)).await.unwrap()).await.unwrap();
    assert_eq!((none.stop, none.pieces), (Some(StopReason::Stopped), 0));

    drop(bench.engine.chat(request("dropped", &long, 2000)).await.unwrap());
    let after = gather(bench.engine.chat(request("after", &long, 2)).await.unwrap()).await.unwrap();
    assert_eq!(after.completion, 2, "a dropped stream does not hold the engine up");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_or_grammar_binds_the_answer() {
    let bench = TestEngine::new();
    let question = [SYSTEM, (ModelRole::User, "Give me a colour and a number.")];
    let schema = json!({
        "type": "object",
        "properties": {"colour": {"enum": ["red", "green", "blue"]}, "number": {"type": "integer", "minimum": 0, "maximum": 9}},
        "required": ["colour", "number"],
        "additionalProperties": false,
    });
    let bound =
        ModelRequest { constraint: Some(Constraint::JsonSchema(schema)), ..request("s", &question, 60) };
    let answer = gather(bench.engine.chat(bound).await.unwrap()).await.unwrap();
    let value: Value =
        serde_json::from_str(&answer.text).unwrap_or_else(|error| panic!("{error}: {answer:?}"));
    assert!(["red", "green", "blue"].contains(&value["colour"].as_str().unwrap()), "{value}");
    assert!(value["number"].as_u64().is_some_and(|number| number <= 9), "{value}");

    let grammar = Constraint::Grammar("root ::= \"yes\" | \"no\"".into());
    let bound = ModelRequest { constraint: Some(grammar), ..request("g", &question, 10) };
    let answer = gather(bench.engine.chat(bound).await.unwrap()).await.unwrap();
    assert!(["yes", "no"].contains(&answer.text.as_str()), "{answer:?}");

    for broken in
        [Constraint::JsonSchema(json!({"type": "no such type"})), Constraint::Grammar("root ::= (".into())]
    {
        let bad = ModelRequest { constraint: Some(broken), ..request("x", &question, 10) };
        assert!(matches!(bench.engine.chat(bad).await, Err(ModelError::Refused(_))));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_strings_and_limits_end_the_answer() {
    let bench = TestEngine::new();
    let question = [SYSTEM, (ModelRole::User, "Count: one, two, three, four, five, six.")];
    let mut stopped = request("stop", &question, 60);
    stopped.sampling.stop = vec!["three".into(), "3".into()];
    let answer = gather(bench.engine.chat(stopped).await.unwrap()).await.unwrap();
    assert!(!answer.text.contains("three"), "{answer:?}");

    let short = gather(bench.engine.chat(request("short", &question, 3)).await.unwrap()).await.unwrap();
    assert_eq!((short.completion, short.stop), (3, Some(StopReason::Length)));

    let huge = "word ".repeat(5000);
    let error =
        gather(bench.engine.chat(request("huge", &[SYSTEM, (ModelRole::User, &huge)], 8)).await.unwrap())
            .await;
    assert!(matches!(error, Err(ModelError::ContextFull { limit: 2048, .. })), "{error:?}");
    let after = gather(bench.engine.chat(request("after", &question, 3)).await.unwrap()).await.unwrap();
    assert_eq!(after.completion, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_file_that_is_damaged_is_refused_in_words() {
    let bench = TestEngine::new();
    let whole = std::fs::read(starter()).unwrap();
    for (name, bytes) in [
        ("half.gguf", &whole[..whole.len() / 2]),
        ("header.gguf", &whole[..100]),
        ("empty.gguf", &whole[..0]),
        ("text.gguf", b"<html>not a model</html>".as_slice()),
    ] {
        let path = bench.cache.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let error =
            Engine::load(&path, name, &bench.options).err().unwrap_or_else(|| panic!("{name} was loaded"));
        assert!(error.to_string().contains("not a model that can be loaded"), "{name}: {error}");
    }
}

/// Creates the header of a GGUF file that contains only its architecture.
fn head(architecture: &str) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
    let (version, tensors, entries, kind) = (3_u32, 0_u64, 1_u64, 8_u32);
    [
        b"GGUF".to_vec(),
        version.to_le_bytes().to_vec(),
        tensors.to_le_bytes().to_vec(),
        entries.to_le_bytes().to_vec(),
        text("general.architecture"),
        kind.to_le_bytes().to_vec(),
        text(architecture),
    ]
    .concat()
}

#[test]
fn a_model_that_cannot_talk_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let options = EngineOptions {
        context: 512,
        threads: 0,
        parallel: 1,
        cache_bytes: 0,
        disk_cache: folder.path().join("states"),
        disk_cache_bytes: 0,
    };
    for (architecture, words) in
        [("bert", "is an embedding model and cannot chat"), ("llama", "is not a model that can be loaded")]
    {
        let path = folder.path().join(format!("{architecture}.gguf"));
        std::fs::write(&path, head(architecture)).unwrap();
        let error = Engine::load(&path, architecture, &options).err().unwrap();
        assert!(error.to_string().contains(words), "{architecture}: {error}");
    }
}
