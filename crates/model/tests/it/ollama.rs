use model::{
    ChatModel, Constraint, ContentPart, Http, MessageContent, ModelError, ModelMessage, ModelRole, Ollama,
    Sampling, ToolCall, ToolChoice, ToolSpec,
};
use protocol::{ModelKind, StopReason};
use serde_json::json;
use testkit::{Flavour, ScriptedModel, ScriptedReply};

use crate::talk::{ask, options, say};

async fn server() -> ScriptedModel {
    ScriptedModel::start_as(Flavour::Ollama).await
}

async fn connect(server: &ScriptedModel) -> Ollama {
    Ollama::connect(&Http::default(), &options(&format!("{}/v1", server.url()))).await.unwrap()
}

#[tokio::test]
async fn an_answer_streams_line_by_line() {
    let server = server().await;
    server.reply(
        ScriptedReply::empty().reasoning("hm").then("Mond ").then("🌙").usage(9, 0, 2).in_pieces_of(7),
    );
    let received = ask(&connect(&server).await, say("Hello")).await;
    assert_eq!((received.text.as_str(), received.reasoning.as_str()), ("Mond 🌙", "hm"));
    assert_eq!((received.usage, received.stop), (Some((9, 0, 2)), Some(StopReason::End)));
}

#[tokio::test]
async fn the_context_is_set_with_every_request() {
    for (context, expected) in [(131_072, 8192), (2048, 2048)] {
        let server = server().await;
        server.context(context);
        let model = connect(&server).await;
        let info = model.info();
        assert_eq!(
            (info.context, info.kind, info.parameters),
            (expected, ModelKind::Ollama, Some(1_200_000_000))
        );
        ask(&model, say("Hello")).await;
        assert_eq!(server.last_chat()["options"]["num_ctx"], expected);
    }
}

#[tokio::test]
async fn everything_that_was_asked_is_sent() {
    let server = server().await;
    server.capabilities(["completion", "tools", "vision", "thinking"]);
    let model = connect(&server).await;
    assert!(model.info().vision && model.info().native_tools);
    let mut request = say("Weather?");
    request.messages[0].content = MessageContent::Parts(vec![
        ContentPart::Text("Weather?".into()),
        ContentPart::Image { mime: "image/png".into(), bytes: vec![1, 2, 3].into() },
    ]);
    request.messages.push(ModelMessage {
        tool_calls: vec![ToolCall {
            id: "c1".into(),
            name: "weather".into(),
            arguments: "{\"city\":\"Bonn\"}".into(),
        }],
        ..ModelMessage::text(ModelRole::Assistant, "")
    });
    request.messages.push(ModelMessage {
        tool_call_id: Some("c1".into()),
        ..ModelMessage::text(ModelRole::Tool, "rain")
    });
    request.tools = vec![ToolSpec {
        name: "weather".into(),
        description: "Looks".into(),
        parameters: json!({ "type": "object" }),
    }];
    request.sampling =
        Sampling { max_tokens: 64, seed: Some(7), stop: vec!["END".into()], ..Sampling::default() };
    request.constraint = Some(Constraint::JsonSchema(json!({ "type": "array" })));
    ask(&model, request.clone()).await;
    assert_eq!(
        server.last_chat(),
        json!({
            "model": "scripted",
            "messages": [
                { "role": "user", "content": "Weather?", "images": ["AQID"] },
                { "role": "assistant", "content": "", "tool_calls": [
                    { "function": { "name": "weather", "arguments": { "city": "Bonn" } } },
                ] },
                { "role": "tool", "content": "rain", "tool_name": "weather" },
            ],
            "stream": true,
            "keep_alive": "30m",
            "options": {
                "num_ctx": 8192, "num_predict": 64, "temperature": 0.7, "top_p": 0.95, "top_k": 40, "min_p": 0.05,
                "repeat_penalty": 1.1, "seed": 7, "stop": ["END"],
            },
            "think": true,
            "tools": [{ "type": "function", "function": { "name": "weather", "description": "Looks", "parameters": { "type": "object" } } }],
            "format": { "type": "array" },
        })
    );
    request.tool_choice = ToolChoice::None;
    ask(&model, request).await;
    assert!(server.last_chat().get("tools").is_none());
}

#[tokio::test]
async fn tool_calls_come_whole() {
    let server = server().await;
    server.reply(
        ScriptedReply::empty().tool_call("", "weather", "{\"city\":\"Bonn\"}").tool_call("", "time", "{}"),
    );
    let received = ask(&connect(&server).await, say("Weather?")).await;
    assert_eq!(received.stop, Some(StopReason::ToolCalls));
    assert_eq!(received.calls.len(), 2);
    assert_eq!(received.calls[0].arguments, "{\"city\":\"Bonn\"}");
    assert_eq!((received.calls[1].index, received.calls[1].name.as_deref()), (1, Some("time")));
    assert_ne!(received.calls[0].id, received.calls[1].id);
}

#[tokio::test]
async fn an_answer_without_its_end_is_cut() {
    let server = server().await;
    server.reply(ScriptedReply::text("half of").without_end_marker());
    let received = ask(&connect(&server).await, say("Hello")).await;
    assert_eq!(received.text, "half of");
    assert!(matches!(received.error(), ModelError::Cut(_)), "{received:?}");
}

#[tokio::test]
async fn an_error_in_the_stream_is_passed_on() {
    let server = server().await;
    server.reply(ScriptedReply::text("part ").raw("{\"error\":\"llama runner process has terminated\"}\n"));
    let received = ask(&connect(&server).await, say("Hello")).await;
    assert_eq!(received.text, "part ");
    assert!(received.error().to_string().contains("llama runner"), "{received:?}");
}

#[tokio::test]
async fn a_missing_model_is_named_with_its_remedy() {
    let server = server().await;
    server.models(["qwen3:4b", "gemma3:1b"]);
    assert_eq!(
        Ollama::models(&Http::default(), &options(&server.url())).await.unwrap(),
        ["qwen3:4b", "gemma3:1b"]
    );
    let mut options = options(&server.url());
    options.model = Some("llama3.2".into());
    let error = Ollama::connect(&Http::default(), &options).await.unwrap_err().to_string();
    assert!(error.contains("ollama pull llama3.2"), "{error}");
}
