//! Tests of the engine with the real starter model, and with less room than a real machine would have.

use std::time::Duration;

use llama_cpp_2::token::LlamaToken;
use model::{Constraint, Delta, ModelMessage};

use super::*;

/// Long enough for these requests, and short enough to detect an engine that hangs.
const PATIENCE: Duration = Duration::from_mins(5);
const SYSTEM: &str = "You are Luna, a kind companion. You live by the sea and answer in one short sentence.";

fn starter() -> PathBuf {
    let folder = std::env::var_os("PERIGEE_TEST_MODELS")
        .map(PathBuf::from)
        .or_else(|| host::cache_dir().map(|cache| cache.join("models")));
    let path = folder.unwrap().join("smollm2-135m-instruct.gguf");
    assert!(path.exists(), "{} is missing: run `cargo xtask test`, which fetches it", path.display());
    path
}

fn engine(limits: ContextLimits) -> Engine {
    let options = EngineOptions {
        context: 0,
        threads: 0,
        parallel: 0,
        cache_bytes: 256 << 20,
        disk_cache: PathBuf::new(),
        disk_cache_bytes: 0,
    };
    Engine::start(open(&starter()).unwrap(), "starter", "test".to_owned(), limits, &options).unwrap()
}

fn limits(conversation: usize, cells: usize) -> ContextLimits {
    ContextLimits { conversation, cells, parallel: 2, can_truncate: true }
}

fn request(key: &str, question: &str, max_tokens: u32) -> ModelRequest {
    ModelRequest {
        messages: vec![
            ModelMessage::text(ModelRole::System, SYSTEM),
            ModelMessage::text(ModelRole::User, question),
        ],
        sampling: Sampling { max_tokens, temperature: 0.0, repeat_penalty: 1.0, ..Sampling::default() },
        cache_key: Some(CacheKey::new(key)),
        ..ModelRequest::default()
    }
}

/// Makes the response continue until its token limit.
fn endless(request: ModelRequest) -> ModelRequest {
    bound(request, "root ::= \"a\" root")
}

/// Makes the response a single letter, regardless of its token limit.
fn brief(request: ModelRequest) -> ModelRequest {
    bound(request, "root ::= \"a\"")
}

fn bound(request: ModelRequest, grammar: &str) -> ModelRequest {
    ModelRequest { constraint: Some(Constraint::Grammar(grammar.into())), ..request }
}

#[derive(Debug, Default, Clone, PartialEq)]
struct Answer {
    text: String,
    prompt: u32,
    cached: u32,
    completion: u32,
}

async fn gather(mut stream: ChatStream) -> Result<Answer, ModelError> {
    let mut answer = Answer::default();
    let gathering = async {
        while let Some(delta) = stream.next().await {
            match delta? {
                Delta::Text(text) => answer.text.push_str(&text),
                Delta::Usage { prompt, cached, completion } => {
                    (answer.prompt, answer.cached, answer.completion) = (prompt, cached, completion);
                }
                _ => {}
            }
        }
        Ok(())
    };
    tokio::time::timeout(PATIENCE, gathering).await.expect("the engine answers")?;
    Ok(answer)
}

async fn ask(engine: &Engine, request: ModelRequest) -> Result<Answer, ModelError> {
    gather(engine.chat(request).await?).await
}

fn story(sentences: usize) -> String {
    "The lighthouse keeper wrote one line in her book each night. ".repeat(sentences)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_may_fill_every_cell() {
    let engine = engine(limits(512, 512));
    ask(&engine, request("first", "Hello", 1)).await.unwrap();
    // Counted separately, the prompt, the response and the shared prefix exceed the number of cells.
    for key in ["long", "long", "longer"] {
        let answer = ask(&engine, brief(request(key, &story(32), 500))).await.unwrap();
        assert!(answer.prompt > 400 && answer.completion > 0, "{answer:?}");
        assert!(answer.cached > 10, "the prefix is shared: {answer:?}");
    }
    let tail = ask(&engine, endless(request("long", &story(32), 500))).await.unwrap();
    assert_eq!(tail.prompt + tail.completion, 512, "the answer goes to the last cell");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_set_aside_gets_every_cell_back() {
    let engine = engine(ContextLimits { parallel: 1, ..limits(512, 512) });
    let background =
        ModelRequest { priority: model::Priority::Background, ..endless(request("work", &story(32), 500)) };
    let mut background = engine.chat(background).await.unwrap();
    while !matches!(background.next().await, Some(Ok(Delta::Text(_)))) {}
    ask(&engine, request("person", "Hello", 2)).await.unwrap();
    let rest = gather(background).await.unwrap();
    assert_eq!(rest.prompt + rest.completion, 512, "{rest:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_takes_over_what_is_read_of_its_beginning_so_far() {
    for parallel in [1, 2] {
        let engine = engine(ContextLimits { parallel, ..limits(2048, 4096) });
        let beginning = ModelMessage::text(ModelRole::System, story(100));
        let ahead = ModelRequest {
            messages: vec![beginning.clone()],
            sampling: Sampling { max_tokens: 0, ..Sampling::default() },
            priority: model::Priority::Background,
            ..ModelRequest::default()
        };
        let mut ahead = engine.run(ahead, PromptEnding::AsItIs).await.unwrap();
        let mut read = 1;
        while let Some(delta) = ahead.next().await {
            if let Ok(Delta::Progress { done, .. }) = delta
                && done > 0
            {
                read = done;
                break;
            }
        }
        let mut first = request("talk", "Hello", 2);
        first.messages[0] = beginning;
        let answer = ask(&engine, first).await.unwrap();
        assert!(answer.cached + 1 >= read, "{read} tokens were read already: {answer:?}");
        gather(ahead).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn examples_before_every_conversation_are_read_once() {
    let engine = engine(limits(512, 1024));
    let with_examples = |key: &str| {
        let mut request = request(key, "Hello", 2);
        request.messages.insert(1, ModelMessage::text(ModelRole::User, "Why is the sky blue?"));
        request
            .messages
            .insert(2, ModelMessage::text(ModelRole::Assistant, "The air scatters blue light the most."));
        ModelRequest { opening: 3, ..request }
    };
    let first = ask(&engine, with_examples("one")).await.unwrap();
    let second = ask(&engine, with_examples("two")).await.unwrap();
    assert_eq!(first.cached, 0);
    assert!(second.prompt - second.cached < 16, "only the question is new: {second:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_never_fit_is_told_and_holds_nobody_up() {
    let engine = engine(limits(1024, 512));
    let error = ask(&engine, request("long", &story(20), 1000)).await.unwrap_err();
    assert!(error.to_string().contains("outgrown"), "{error}");
    let after = ask(&engine, request("short", "Hello", 2)).await.unwrap();
    assert_eq!(after.completion, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_that_waits_for_room_loses_nothing_kept_of_it() {
    let engine = engine(limits(512, 512));
    let kept = ask(&engine, request("kept", &story(20), 2)).await.unwrap();
    let mut busy = engine.chat(endless(request("busy", &story(17), 100))).await.unwrap();
    while !matches!(busy.next().await, Some(Ok(Delta::Text(_)))) {}
    let again = ask(&engine, request("kept", &story(20), 2)).await.unwrap();
    assert!(again.prompt - again.cached <= 4, "nothing is evaluated again: {kept:?}, then {again:?}");
    gather(busy).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_cannot_go_back_shares_no_beginning() {
    let engine = engine(ContextLimits { can_truncate: false, ..limits(512, 1024) });
    ask(&engine, request("one", "My secret is a blue door.", 8)).await.unwrap();
    let other = ask(&engine, request("two", "Hello", 8)).await.unwrap();
    assert_eq!(other.cached, 0, "its state would be that of the other conversation");
    let again = ask(&engine, request("two", "Hello", 8)).await.unwrap();
    assert_eq!((again.text, again.prompt, again.cached), (other.text, other.prompt, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn to_answer_again_evaluates_no_earlier_answer() {
    let mut engine = engine(limits(512, 1024));
    // Phi and GLM open a response with a single control token.
    let source =
        "{% for message in messages %}<|im_start|>{{ message.content }}<|im_end|>{% endfor %}<|im_start|>";
    engine.template = ChatTemplate::new(Some(source), "", "", Vec::new(), Arc::new(now)).unwrap();
    let first = ask(&engine, endless(request("talk", "Tell me of the sea.", 12))).await.unwrap();
    assert_eq!(first.completion, 12);
    let again = ask(&engine, endless(request("talk", "Tell me of the sea.", 12))).await.unwrap();
    assert_eq!((again.text, again.prompt), (first.text, first.prompt));
    assert_eq!(again.cached, again.prompt - 1, "all but the last token is known");
}

#[test]
fn a_token_that_a_vocabulary_does_not_have_is_spelled_with_nothing() {
    let params = LlamaModelParams::default().with_vocab_only(true);
    let model = LlamaModel::load_from_file(backend().unwrap(), starter(), &params).unwrap();
    let vocabulary = Vocabulary::new(&model);
    assert_eq!(vocabulary.spelled(LlamaToken(-1)), b"");
    assert_eq!(vocabulary.spelled(model.vocab().eos()), b"<|im_end|>");
}

#[tokio::test]
async fn a_thought_that_the_template_has_opened_is_told_as_one() {
    let mut engine = engine(limits(512, 512));
    let source =
        "{% for message in messages %}<|im_start|>{{ message.content }}<|im_end|>\n{% endfor %}<think>\n";
    engine.template = ChatTemplate::new(Some(source), "", "", Vec::new(), Arc::new(now)).unwrap();
    let answer = ask(&engine, endless(request("talk", "Tell me of the sea.", 4))).await.unwrap();
    assert!(answer.text.starts_with("<think>"), "{}", answer.text);
    assert_eq!(answer.text.matches("<think>").count(), 1);
}

/// Runs the starter model with the template of a model that supports tools. The examples contain malformed calls, which
/// it imitates.
async fn called(tools: Vec<ToolSpec>) -> String {
    let mut engine = engine(limits(2048, 4096));
    let vocabulary = Vocabulary::new(&engine.model);
    let source = include_str!("../../template/tests/families/hermes.jinja");
    let template =
        ChatTemplate::new(Some(source), "", "", vocabulary.control_texts(), Arc::new(now)).unwrap();
    engine.marks = ControlTokens::of(template.syntax(), vocabulary);
    engine.template = template;
    let mut messages = vec![ModelMessage::text(ModelRole::System, SYSTEM)];
    for city in ["Oslo", "Rome", "Lima"] {
        let badly =
            format!("<tool_call>\n{{{{\"name\": \"wether\", \"arguments\": [\"{city}\"}}\n</tool_call>");
        messages.push(ModelMessage::text(ModelRole::User, format!("How is the weather in {city}?")));
        messages.push(ModelMessage::text(ModelRole::Assistant, badly));
    }
    messages.push(ModelMessage::text(ModelRole::User, "How is the weather in Kiel?"));
    let request = ModelRequest { messages, tools, ..request("calls", "", 60) };
    ask(&engine, request).await.unwrap().text
}

fn spec(name: &str) -> ToolSpec {
    let parameters = serde_json::json!({
        "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"],
        "additionalProperties": false,
    });
    ToolSpec { name: name.into(), description: "Tells the weather.".into(), parameters }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_has_to_be_a_call_is_one_and_nothing_else() {
    let engine = engine(limits(512, 512));
    let tools = vec![spec("weather"), spec("clock")];
    for (tool_choice, names) in
        [(ToolChoice::Required, &["weather", "clock"][..]), (ToolChoice::Named("clock".into()), &["clock"])]
    {
        let asked = request("must", "How warm is it in Oslo?", 160);
        let told =
            ask(&engine, ModelRequest { shown: tools.clone(), tool_choice, ..asked }).await.unwrap().text;
        let call = told.strip_prefix("<tool_call>").and_then(|call| call.strip_suffix("</tool_call>"));
        let call: serde_json::Value =
            serde_json::from_str(call.unwrap_or(&told)).unwrap_or_else(|error| panic!("{error}: {told:?}"));
        assert!(names.contains(&call["name"].as_str().unwrap()), "{told}");
        assert!(call["arguments"]["city"].is_string(), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_begun_is_written_as_the_tool_takes_it() {
    let free = called(Vec::new()).await;
    assert!(free.contains("wether"), "it imitates its examples: {free}");
    let bound = called(vec![spec("weather"), spec("weather_of_tomorrow")]).await;
    let written =
        bound.split("<tool_call>").nth(1).and_then(|call| call.split("</tool_call>").next()).unwrap();
    let call: serde_json::Value =
        serde_json::from_str(written.trim()).unwrap_or_else(|error| panic!("{error}: {bound}"));
    assert!(call["name"].as_str().unwrap().starts_with("weather"), "{bound}");
    assert!(call["arguments"]["city"].is_string(), "{bound}");
}
