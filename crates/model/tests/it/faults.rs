//! Behaviour of the clients with misbehaving servers.

use std::time::Duration;

use futures_util::StreamExt;
use host::Secret;
use model::{ChatModel, Delta, Http, ModelError, Ollama, OpenAi};
use protocol::{ErrorCode, StopReason};
use serde_json::json;
use testkit::{Flavour, Gate, ScriptedModel, ScriptedReply};

use crate::talk::{ask, gather, openai, options, say};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Unreachable,
    Nonsense,
    Refused,
    Cut,
    Failed,
    ContextFull,
}

pub fn kind(error: &ModelError) -> Kind {
    match error {
        ModelError::Unreachable(_) => Kind::Unreachable,
        ModelError::Nonsense(_) => Kind::Nonsense,
        ModelError::Refused(_) => Kind::Refused,
        ModelError::Cut(_) => Kind::Cut,
        ModelError::Failed(_) => Kind::Failed,
        ModelError::ContextFull { .. } => Kind::ContextFull,
        ModelError::None(_) => panic!("{error}"),
    }
}

#[tokio::test]
async fn every_fault_has_its_words_and_keeps_what_came() {
    let huge = format!("data: {}", "x".repeat(2 << 20));
    let cases = [
        (
            "cut in a word",
            ScriptedReply::chunks(["Good eve"]).cut(),
            "Good eve",
            Kind::Cut,
            "The answer so far is kept",
        ),
        ("cut at once", ScriptedReply::empty().cut(), "", Kind::Unreachable, "does not answer"),
        (
            "ends in the middle",
            ScriptedReply::chunks(["Good eve"]).truncated(),
            "Good eve",
            Kind::Cut,
            "The answer so far is kept",
        ),
        ("ends before it begins", ScriptedReply::empty().truncated(), "", Kind::Nonsense, "an empty answer"),
        ("a web page", ScriptedReply::html(), "", Kind::Nonsense, "a web page, not a model"),
        (
            "a web page that says it is a stream",
            ScriptedReply::html().content_type("text/event-stream"),
            "",
            Kind::Nonsense,
            "a web page, not a model",
        ),
        (
            "a broken line",
            ScriptedReply::empty().raw("data: {\"choices\":[{\n\n"),
            "",
            Kind::Nonsense,
            "llm.base_url",
        ),
        (
            "a broken line later",
            ScriptedReply::chunks(["Hi"]).raw("data: oops\n\n"),
            "Hi",
            Kind::Cut,
            "unreadable",
        ),
        ("a huge line", ScriptedReply::chunks(["Hi"]).raw(huge), "Hi", Kind::Cut, "unreadable"),
        (
            "another protocol",
            ScriptedReply::empty().raw("data: {\"hello\":\"world\"}\n\n"),
            "",
            Kind::Nonsense,
            "llm.provider",
        ),
        (
            "an error in the stream",
            ScriptedReply::chunks(["Hi"]).raw("data: {\"error\":{\"message\":\"CUDA out of memory\"}}\n\n"),
            "Hi",
            Kind::Failed,
            "CUDA out of memory",
        ),
        ("filtered", ScriptedReply::chunks(["Hi"]).finish("content_filter"), "Hi", Kind::Refused, "rules"),
        (
            "no such model",
            ScriptedReply::status(404, r#"{"error":"not found"}"#),
            "",
            Kind::Refused,
            "llm.model",
        ),
        (
            "no key",
            ScriptedReply::status(401, r#"{"error":{"message":"who?"}}"#),
            "",
            Kind::Refused,
            "llm.api_key",
        ),
        ("broken", ScriptedReply::status(500, "oops"), "", Kind::Failed, "status 500"),
        (
            "too long",
            ScriptedReply::status(
                400,
                json!({ "error": { "n_prompt_tokens": 9000, "n_ctx": 4096, "message": "too long" } })
                    .to_string(),
            ),
            "",
            Kind::ContextFull,
            "9000 tokens",
        ),
        ("moved", ScriptedReply::status(301, ""), "", Kind::Nonsense, "llm.base_url"),
    ];
    let server = ScriptedModel::start().await;
    let model = openai(&server).await;
    for (name, reply, text, expected, words) in cases {
        server.reply(reply);
        let received = ask(&model, say("Hello")).await;
        assert_eq!(received.text, text, "{name}");
        assert_eq!(kind(received.error()), expected, "{name}: {}", received.error());
        assert!(received.error().to_string().contains(words), "{name}: {}", received.error());
    }
    assert_eq!(ask(&model, say("Still there?")).await.stop, Some(StopReason::End));
}

#[tokio::test]
async fn nobody_there_is_said_with_its_remedy() {
    let mut server = ScriptedModel::start_as(Flavour::Ollama).await;
    let model = Ollama::connect(&Http::default(), &options(&server.url())).await.unwrap();
    server.stop().await;
    let received = ask(&model, say("Hello")).await;
    assert_eq!(
        received.error().to_string(),
        format!(
            "The model at {} does not answer. Start Ollama, or choose another model in Settings.",
            server.url()
        )
    );
    assert_eq!(received.error().code(), ErrorCode::ModelUnreachable);
    let error = Ollama::connect(&Http::default(), &options(&server.url())).await.unwrap_err();
    assert_eq!(kind(&error), Kind::Unreachable);
}

#[tokio::test]
async fn a_busy_server_is_asked_again_and_a_broken_one_is_not() {
    let server = ScriptedModel::start().await;
    let model = openai(&server).await;
    for (status, attempts, answered) in
        [(429, 3, true), (502, 3, true), (503, 3, true), (504, 1, false), (500, 1, false), (400, 1, false)]
    {
        let before = server.chats().len();
        if answered {
            server.replies([
                ScriptedReply::status(status, ""),
                ScriptedReply::status(status, "").retry_after("0"),
            ]);
        } else {
            server.reply(ScriptedReply::status(status, ""));
        }
        let received = ask(&model, say("Hello")).await;
        assert_eq!(received.error.is_none(), answered, "{status}: {received:?}");
        assert_eq!(server.chats().len() - before, attempts, "{status}");
    }
}

#[tokio::test]
async fn patience_has_an_end() {
    let server = ScriptedModel::start().await;
    let model = openai(&server).await;
    server.replies([
        ScriptedReply::status(503, ""),
        ScriptedReply::status(503, ""),
        ScriptedReply::status(503, r#"{"error":{"message":"Loading model"}}"#),
    ]);
    let received = ask(&model, say("Hello")).await;
    assert_eq!(kind(received.error()), Kind::Unreachable);
    assert!(received.error().to_string().contains("Loading model"));
    // A delay beyond the maximum is not waited for; the request fails at once.
    server.reply(ScriptedReply::status(429, "").retry_after("3600"));
    assert_eq!(kind(ask(&model, say("Hello")).await.error()), Kind::Refused);
    assert_eq!(server.chats().len(), 4);
}

#[tokio::test]
async fn an_answer_that_has_begun_is_never_asked_for_again() {
    let server = ScriptedModel::start().await;
    let model = openai(&server).await;
    server.replies([ScriptedReply::chunks(["once"]).cut(), ScriptedReply::text("twice")]);
    assert_eq!(ask(&model, say("Hello")).await.text, "once");
    assert_eq!(server.chats().len(), 1);
}

#[tokio::test]
async fn silence_ends_by_itself() {
    let server = ScriptedModel::start().await;
    let short = Duration::from_millis(50);
    for (reply, text, expected) in [
        (ScriptedReply::hangs(), "", Kind::Unreachable),
        (ScriptedReply::empty().then_silence(), "", Kind::Unreachable),
        (ScriptedReply::chunks(["Well"]).then_silence(), "Well", Kind::Cut),
    ] {
        let mut options = options(&server.url());
        let limit = if text.is_empty() {
            &mut options.timeouts.first_token
        } else {
            &mut options.timeouts.between_tokens
        };
        *limit = short;
        let model = OpenAi::connect(&Http::default(), &options).await.unwrap();
        server.reply(reply);
        let received = ask(&model, say("Hello")).await;
        assert_eq!((received.text.as_str(), kind(received.error())), (text, expected), "{received:?}");
    }
    server.hung_up(3).await;
}

#[tokio::test]
async fn an_endless_answer_is_ended_at_its_limit() {
    for flavour in [Flavour::OpenAi, Flavour::Ollama] {
        let server = ScriptedModel::start_as(flavour).await;
        server.reply(ScriptedReply::empty().endless("moon "));
        let mut request = say("Hello");
        request.sampling.max_tokens = 16;
        let received = match flavour {
            Flavour::Ollama => {
                ask(&Ollama::connect(&Http::default(), &options(&server.url())).await.unwrap(), request).await
            }
            _ => ask(&openai(&server).await, request).await,
        };
        assert_eq!(received.stop, Some(StopReason::Length));
        assert!(received.text.len() < 8192, "{}", received.text.len());
        server.hung_up(1).await;
    }
}

#[tokio::test]
async fn cancelling_closes_the_connection_at_once() {
    let server = ScriptedModel::start().await;
    let model = openai(&server).await;

    server.reply(ScriptedReply::chunks(["Once upon"]).then_silence());
    let request = say("A story");
    let cancel = request.cancel.clone();
    let mut stream = model.chat(request).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), Delta::Text("Once upon".into()));
    cancel.cancel();
    assert_eq!(gather(stream).await.stop, Some(StopReason::Stopped));
    server.hung_up(1).await;

    server.reply(ScriptedReply::hangs());
    let request = say("A story");
    let cancel = request.cancel.clone();
    let (stream, ()) = tokio::join!(model.chat(request), async {
        server.asked(2).await;
        cancel.cancel();
    });
    let last = stream.unwrap().next().await.unwrap().unwrap();
    assert_eq!(last, Delta::Stop(StopReason::Stopped));
    server.hung_up(2).await;

    let gate = Gate::closed();
    server.reply(ScriptedReply::chunks(["Once"]).wait(&gate));
    let mut stream = model.chat(say("A story")).await.unwrap();
    stream.next().await.unwrap().unwrap();
    gate.reached().await;
    drop(stream);
    server.hung_up(3).await;
}

#[tokio::test]
async fn no_key_is_ever_quoted() {
    let server = ScriptedModel::start().await;
    let mut options = options(&server.url().replace("http://", "http://me:hunter2@"));
    options.api_key = Secret::new("sk-secret");
    let model = OpenAi::connect(&Http::default(), &options).await.unwrap();
    let echo = r#"{"error":{"message":"the key sk-secret is not good"}}"#;
    server.replies([
        ScriptedReply::status(401, echo),
        ScriptedReply::status(400, echo),
        ScriptedReply::status(500, echo),
        ScriptedReply::chunks(["x"]).raw(format!("data: {echo}\n\n")),
        ScriptedReply::chunks(["x"]).cut(),
    ]);
    for _ in 0..5 {
        let received = ask(&model, say("Hello")).await;
        let shown = format!("{} {:?}", received.error(), received.error());
        assert!(!shown.contains("sk-secret") && !shown.contains("hunter2"), "{shown}");
    }
    let debug = format!("{model:?}");
    assert!(!debug.contains("sk-secret") && !debug.contains("hunter2"), "{debug}");
}

#[tokio::test]
async fn a_hundred_answers_at_once_lose_nothing() {
    let server = ScriptedModel::start().await;
    let story: String = "Once upon a time, ".repeat(12);
    server.otherwise(ScriptedReply::text(&story));
    let model = openai(&server).await;
    let answers = futures_util::future::join_all((0..100).map(|_| ask(&model, say("A story")))).await;
    assert!(answers.iter().all(|received| received.text == story && received.stop == Some(StopReason::End)));
}
