use futures_util::StreamExt;
use model::{CacheKey, ChatModel, Constraint, Delta, ModelRequest};
use protocol::ModelKind;
use serde_json::json;
use testkit::{Flavour, ScriptedModel, ScriptedReply};

use crate::talk::{ask, gather, openai, say};

fn keyed(key: &str) -> ModelRequest {
    ModelRequest { cache_key: Some(CacheKey::new(key)), ..say("Hello") }
}

#[tokio::test]
async fn a_conversation_stays_in_its_slot() {
    let server = ScriptedModel::start_as(Flavour::LlamaServer).await;
    server.slots(2);
    let model = openai(&server).await;
    assert_eq!(model.info().kind, ModelKind::LlamaServer);
    for key in ["a", "b", "a", "b"] {
        ask(&model, keyed(key)).await;
    }
    ask(&model, say("No conversation")).await;
    let sent: Vec<_> = server.chats().iter().map(testkit::RecordedRequest::json).collect();
    let slots: Vec<_> = sent.iter().map(|body| body["id_slot"].as_u64()).collect();
    assert_eq!((slots[0], slots[1], slots[4]), (slots[2], slots[3], None));
    assert_ne!(slots[0], slots[1]);
    assert!(slots[..4].iter().all(|slot| slot.is_some_and(|slot| slot < 2)));
    assert_eq!(sent[0]["cache_prompt"], true);
    assert_eq!(
        (&sent[0]["top_k"], &sent[0]["min_p"], &sent[0]["repeat_penalty"]),
        (&json!(40), &json!(0.05), &json!(1.1))
    );
}

#[tokio::test]
async fn constraints_are_passed_on() {
    let server = ScriptedModel::start_as(Flavour::LlamaServer).await;
    let model = openai(&server).await;
    for (constraint, name, value) in [
        (Constraint::JsonSchema(json!({ "type": "object" })), "json_schema", json!({ "type": "object" })),
        (Constraint::Grammar("root ::= \"a\"".into()), "grammar", json!("root ::= \"a\"")),
    ] {
        ask(&model, ModelRequest { constraint: Some(constraint), ..say("Hello") }).await;
        assert_eq!(server.last_chat()[name], value);
    }
}

#[tokio::test]
async fn a_prompt_is_evaluated_ahead_and_forgotten() {
    let server = ScriptedModel::start_as(Flavour::LlamaServer).await;
    let model = openai(&server).await;
    model.prewarm(keyed("a")).await.unwrap();
    let sent = server.last_chat();
    assert_eq!((&sent["n_predict"], &sent["stream"]), (&json!(0), &json!(false)));
    model.prewarm(say("No conversation")).await.unwrap();
    assert_eq!(server.chats().len(), 1);

    model.forget(&CacheKey::new("a")).await;
    model.forget(&CacheKey::new("unknown")).await;
    let last = server.requests().pop().unwrap();
    assert_eq!(
        (last.method.as_str(), last.path),
        ("POST", format!("/slots/{}?action=erase", sent["id_slot"]))
    );
}

#[tokio::test]
async fn reading_a_long_prompt_shows() {
    let server = ScriptedModel::start_as(Flavour::LlamaServer).await;
    let progress = |done: u32| {
        let message =
            json!({ "choices": [{ "delta": {} }], "prompt_progress": { "processed": done, "total": 2000 } });
        format!("data: {message}\n\n")
    };
    server.reply(ScriptedReply::empty().raw(progress(1000)).raw(progress(2000)).then("Done."));
    let mut stream = openai(&server).await.chat(say("A long text")).await.unwrap();
    for done in [1000, 2000] {
        assert_eq!(stream.next().await.unwrap().unwrap(), Delta::Progress { done, total: 2000 });
    }
    assert_eq!(gather(stream).await.text, "Done.");
    assert_eq!(server.last_chat()["return_progress"], true);
}
