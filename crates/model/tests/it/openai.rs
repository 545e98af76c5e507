use host::Secret;
use model::{
    ChatModel, Constraint, ContentPart, Delta, Http, MessageContent, ModelError, ModelMessage, ModelRole,
    OpenAi, Sampling, ToolCall, ToolChoice, ToolSpec,
};
use protocol::{ModelKind, StopReason};
use serde_json::json;
use testkit::{Flavour, Gate, SCRIPT_IS_EMPTY, ScriptedModel, ScriptedReply};

use crate::talk::{ask, gather, openai, options, say};

#[tokio::test]
async fn an_answer_streams_and_reports_its_usage() {
    let server = ScriptedModel::start().await;
    server.reply(
        ScriptedReply::empty()
            .reasoning("hm ")
            .reasoning("yes")
            .then("Good ")
            .then("evening.")
            .usage(12, 8, 4),
    );
    let model = openai(&server).await;
    let received = ask(&model, say("Hello")).await;
    assert_eq!(received.text, "Good evening.");
    assert_eq!(received.reasoning, "hm yes");
    assert_eq!(received.usage, Some((12, 8, 4)));
    assert_eq!(received.stop, Some(StopReason::End));
    assert_eq!(ask(&model, say("And?")).await.text, SCRIPT_IS_EMPTY);
}

#[tokio::test]
async fn pieces_arrive_as_they_are_sent() {
    let server = ScriptedModel::start().await;
    let gate = Gate::closed();
    server.reply(ScriptedReply::chunks(["first"]).wait(&gate).then("second"));
    let mut stream = openai(&server).await.chat(say("Hello")).await.unwrap();
    let first = futures_util::StreamExt::next(&mut stream).await;
    assert_eq!(first.unwrap().unwrap(), Delta::Text("first".into()));
    gate.open();
    assert_eq!(gather(stream).await.text, "second");
}

#[tokio::test]
async fn everything_that_was_asked_is_sent() {
    let server = ScriptedModel::start().await;
    let mut options = options(&format!("{}/v1/", server.url()));
    options.api_key = Secret::new("sk-test");
    options.model = Some("big".into());
    let model = OpenAi::connect(&Http::default(), &options).await.unwrap();
    let mut request = say("What is the weather?");
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
    request.messages.push(ModelMessage {
        content: MessageContent::Parts(vec![
            ContentPart::Text("And here?".into()),
            ContentPart::Image { mime: "image/png".into(), bytes: vec![1, 2, 3].into() },
        ]),
        ..ModelMessage::text(ModelRole::User, "")
    });
    request.tools = vec![ToolSpec {
        name: "weather".into(),
        description: "Looks outside".into(),
        parameters: json!({ "type": "object" }),
    }];
    request.tool_choice = ToolChoice::Named("weather".into());
    request.sampling = Sampling { seed: Some(7), stop: vec!["END".into()], ..Sampling::default() };
    request.constraint = Some(Constraint::JsonSchema(json!({ "type": "object" })));
    ask(&model, request).await;

    let sent = server.chats().pop().unwrap();
    assert_eq!(sent.path, "/v1/chat/completions");
    assert_eq!(sent.header("authorization"), Some("Bearer sk-test"));
    let function =
        json!({ "name": "weather", "description": "Looks outside", "parameters": { "type": "object" } });
    assert_eq!(
        sent.json(),
        json!({
            "model": "big",
            "messages": [
                { "role": "user", "content": "What is the weather?" },
                { "role": "assistant", "content": null, "tool_calls": [
                    { "id": "c1", "type": "function", "function": { "name": "weather", "arguments": "{\"city\":\"Bonn\"}" } },
                ] },
                { "role": "tool", "content": "rain", "tool_call_id": "c1" },
                { "role": "user", "content": [
                    { "type": "text", "text": "And here?" },
                    { "type": "image_url", "image_url": { "url": "data:image/png;base64,AQID" } },
                ] },
            ],
            "stream": true,
            "stream_options": { "include_usage": true },
            "max_tokens": 1024,
            "temperature": 0.7,
            "top_p": 0.95,
            "seed": 7,
            "stop": ["END"],
            "tools": [{ "type": "function", "function": function }],
            "tool_choice": { "type": "function", "function": { "name": "weather" } },
            "response_format": {
                "type": "json_schema",
                "json_schema": { "name": "answer", "strict": true, "schema": { "type": "object" } },
            },
        })
    );
}

#[tokio::test]
async fn tool_calls_come_in_pieces() {
    let server = ScriptedModel::start().await;
    let reply = ScriptedReply::empty()
        .tool_call_piece(0, Some("c1"), Some("weather"), "")
        .tool_call_piece(0, None, None, "{\"city\":")
        .tool_call_piece(0, None, None, "\"Bonn\"}")
        .tool_call("c2", "time", "{}");
    server.reply(reply);
    let received = ask(&openai(&server).await, say("Weather and time?")).await;
    assert_eq!(received.stop, Some(StopReason::ToolCalls));
    let first: String = received
        .calls
        .iter()
        .filter(|piece| piece.index == 0)
        .map(|piece| piece.arguments.as_str())
        .collect();
    assert_eq!(first, "{\"city\":\"Bonn\"}");
    assert_eq!(received.calls[0].id.as_deref(), Some("c1"));
    assert_eq!(received.calls.last().unwrap().name.as_deref(), Some("time"));
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    let server = ScriptedModel::start().await;
    let whole = ScriptedReply::text("All at once.")
        .reasoning("hm")
        .tool_call("c1", "f", "{}")
        .usage(5, 0, 3)
        .as_document();
    server.replies([whole.clone(), whole.content_type("text/event-stream")]);
    let model = openai(&server).await;
    for _ in 0..2 {
        let received = ask(&model, say("Hello")).await;
        assert_eq!((received.text.as_str(), received.reasoning.as_str()), ("All at once.", "hm"));
        assert_eq!(received.calls.len(), 1);
        assert_eq!(received.usage, Some((5, 0, 3)));
        assert_eq!(received.stop, Some(StopReason::ToolCalls));
    }
}

#[tokio::test]
async fn sloppy_streams_are_understood() {
    let server = ScriptedModel::start().await;
    let chunk = |text: &str| format!("data: {}", json!({ "choices": [{ "delta": { "content": text } }] }));
    let crlf =
        format!(": hello\r\n\r\nevent: message\r\n{}\r\n\r\ndata:{}\r\n\r\n", chunk("a"), &chunk("b")[6..]);
    let cases = [
        (ScriptedReply::empty().raw(crlf), "ab", StopReason::End),
        (
            ScriptedReply::text("Mond 🌙, 月 und lune").in_pieces_of(1),
            "Mond 🌙, 月 und lune",
            StopReason::End,
        ),
        (ScriptedReply::text("no marker").without_end_marker(), "no marker", StopReason::End),
        (ScriptedReply::text("odd type").content_type("text/plain"), "odd type", StopReason::End),
        (ScriptedReply::text("no type").content_type("application/octet-stream"), "no type", StopReason::End),
        (ScriptedReply::text("over").after_the_end(chunk(" and out") + "\n\n"), "over", StopReason::End),
        (ScriptedReply::text("too long").finish("length"), "too long", StopReason::Length),
        (
            ScriptedReply::empty()
                .raw(b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xffb\"}}]}\n\n".to_vec()),
            "a\u{fffd}b",
            StopReason::End,
        ),
        (
            ScriptedReply::empty().raw(format!("{}\n\ndata: [DONE]\n\n", chunk("done"))),
            "done",
            StopReason::End,
        ),
    ];
    let model = openai(&server).await;
    for (reply, text, stop) in cases {
        server.reply(reply);
        let received = ask(&model, say("Hello")).await;
        assert_eq!((received.text.as_str(), received.stop), (text, Some(stop)), "{received:?}");
    }
}

#[tokio::test]
async fn usage_is_estimated_where_the_server_says_nothing() {
    let server = ScriptedModel::start().await;
    server.reply(
        ScriptedReply::empty()
            .raw(
                "data: {\"choices\":[{\"delta\":{\"content\":\"Good evening to you\"}}]}\n\ndata: [DONE]\n\n",
            )
            .truncated(),
    );
    let received = ask(&openai(&server).await, say("How are you today?")).await;
    let (prompt, cached, completion) = received.usage.unwrap();
    assert!(prompt > 3 && completion > 3 && cached == 0, "{received:?}");
}

#[tokio::test]
async fn counting_gets_better_with_every_report() {
    let server = ScriptedModel::start().await;
    let model = openai(&server).await;
    let text = "moon ".repeat(200);
    let before = model.count_tokens(&text);
    assert!(!before.exact);
    server.reply(ScriptedReply::text("ok").usage(before.tokens * 2, 0, 1));
    ask(&model, say(&text)).await;
    let after = model.count_tokens(&text).tokens;
    assert!(after > before.tokens * 3 / 2, "{after} after {}", before.tokens);
}

#[tokio::test]
async fn stop_strings_hold_whatever_the_server_does() {
    let server = ScriptedModel::start().await;
    server.reply(ScriptedReply::chunks(["one <st", "op> two"]).then_silence());
    let mut request = say("Count");
    request.sampling.stop = ["a", "b", "c", "d", "<stop>"].map(ToOwned::to_owned).to_vec();
    let received = ask(&openai(&server).await, request).await;
    assert_eq!((received.text.as_str(), received.stop), ("one ", Some(StopReason::End)));
    assert_eq!(server.last_chat()["stop"], json!(["a", "b", "c", "d"]));
    server.hung_up(1).await;
}

#[tokio::test]
async fn a_parameter_that_the_server_refuses_is_left_out() {
    let server = ScriptedModel::start().await;
    let refusal = |name: &str| {
        ScriptedReply::status(
            400,
            json!({ "error": { "message": "Unsupported parameter", "param": name } }).to_string(),
        )
    };
    server.replies([refusal("max_tokens"), refusal("temperature"), ScriptedReply::text("fine")]);
    let model = openai(&server).await;
    assert_eq!(ask(&model, say("Hello")).await.text, "fine");
    let sent = server.last_chat();
    assert_eq!(sent["max_completion_tokens"], 1024);
    assert!(sent.get("max_tokens").is_none() && sent.get("temperature").is_none());
    // The parameters stay omitted in later requests.
    ask(&model, say("Again")).await;
    assert_eq!(server.chats().len(), 4);
    // A refusal because of a parameter that is already omitted is a final error.
    server.reply(refusal("temperature"));
    let received = ask(&model, say("Hello")).await;
    assert!(matches!(received.error(), ModelError::Refused(_)), "{received:?}");
}

#[tokio::test]
async fn the_context_is_what_the_server_says_and_no_more() {
    for (flavour, context, expected) in [
        (Flavour::OpenAi, 4096, 8192),
        (Flavour::Vllm, 4096, 4096),
        (Flavour::Vllm, 32_768, 8192),
        (Flavour::LmStudio, 2048, 2048),
        (Flavour::LlamaServer, 6000, 6000),
    ] {
        let server = ScriptedModel::start_as(flavour).await;
        server.context(context);
        assert_eq!(openai(&server).await.info().context, expected, "{flavour:?}");
    }
}

#[tokio::test]
async fn the_model_is_the_one_wanted_or_the_first() {
    let server = ScriptedModel::start().await;
    server.models(["nomic-embed-text", "qwen3-0.6b", "gemma-3-4b-it"]);
    let info = openai(&server).await.info();
    assert_eq!(
        (info.name.as_str(), info.kind, info.parameters),
        ("qwen3-0.6b", ModelKind::OpenAi, Some(600_000_000))
    );
    let names = OpenAi::models(&Http::default(), &options(&server.url())).await.unwrap();
    assert_eq!(names, ["nomic-embed-text", "qwen3-0.6b", "gemma-3-4b-it"]);
    server.models(Vec::<String>::new());
    let error = OpenAi::connect(&Http::default(), &options(&server.url())).await.unwrap_err();
    assert!(matches!(error, ModelError::None(_)), "{error}");
}

#[tokio::test]
async fn a_grammar_is_refused_rather_than_ignored() {
    let server = ScriptedModel::start().await;
    let mut request = say("Hello");
    request.constraint = Some(Constraint::Grammar("root ::= \"a\"".into()));
    let received = ask(&openai(&server).await, request).await;
    assert!(matches!(received.error(), ModelError::Refused(_)));
    assert!(server.chats().is_empty());
}
