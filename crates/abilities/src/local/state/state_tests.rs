use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use testkit::{KeptOrigins, ToolTester};

fn kit() -> ToolTester {
    ToolTester::new(|clock, _| super::tools(clock, Arc::<KeptOrigins>::default()).unwrap())
}

#[tokio::test]
async fn values_are_kept_and_told() {
    let kit = kit();
    assert_eq!(kit.say("state_list", json!({})).await, "Nothing is kept yet. state_set keeps a value.");
    kit.say("state_set", json!({"key": "mood", "value": "calm"})).await;
    kit.say("state_set", json!({"key": "walks", "value": 3})).await;
    kit.say("state_set", json!({"key": "mood", "value": "glad"})).await;
    assert_eq!(kit.say("state_get", json!({"key": "mood"})).await, "glad");
    assert_eq!(kit.say("state_get", json!({"key": " walks "})).await, "3");
    assert_eq!(kit.say("state_list", json!({})).await, "mood: glad\nwalks: 3");
    let said = kit.say("state_get", json!({"key": "none"})).await;
    assert_eq!(said, "Nothing is kept as \"none\". state_list shows what is.");
    let file: Value = serde_json::from_str(&kit.file("state.json").unwrap()).unwrap();
    assert_eq!(file, json!({"mood": "glad", "walks": 3}));
}

#[tokio::test]
async fn now_is_the_time_and_how_long_ago_that_was_is_told() {
    let kit = kit();
    kit.say("state_set", json!({"key": "walk", "value": "now"})).await;
    assert_eq!(kit.say("state_get", json!({"key": "walk"})).await, "2026-11-15T12:00:00+00:00");
    kit.clock.advance(Duration::from_mins(200));
    let said = kit.say("state_check_time", json!({"key": "walk"})).await;
    assert_eq!(said, "walk was 3 hours and 20 minutes ago (2026-11-15T12:00:00+00:00).");
}

#[tokio::test]
async fn times_in_other_forms_are_read_too() {
    let kit = kit();
    kit.write(
        "state.json",
        r#"{"a": "2026-11-15T10:00:00.123456", "b": "2026-11-14", "c": "2026-11-15T14:00:00+03:00", "d": "soon", "e": 4}"#,
    );
    for (key, says) in [
        ("a", "1 hour and 59 minutes ago"),
        ("b", "1 day and 12 hours ago"),
        ("c", "1 hour ago"),
        ("d", "not a time"),
        ("e", "not a time"),
    ] {
        let said = kit.say("state_check_time", json!({"key": key})).await;
        assert!(said.contains(says), "{key}: {said}");
    }
}

#[tokio::test]
async fn a_torn_file_is_left_as_it_is() {
    for torn in ["{\"mood\": \"ca", "", "[1, 2]", "mood: calm", "{} {}"] {
        let kit = kit();
        kit.write("state.json", torn);
        for (tool, arguments) in [
            ("state_set", json!({"key": "a", "value": "b"})),
            ("state_get", json!({"key": "a"})),
            ("state_list", json!({})),
        ] {
            let said = kit.say(tool, arguments).await;
            assert!(
                said.starts_with("state.json cannot be read (") && said.contains("nothing was changed"),
                "{said}"
            );
        }
        assert_eq!(kit.file("state.json").as_deref(), Some(torn));
    }
}

#[tokio::test]
async fn two_calls_at_once_lose_nothing() {
    let kit = kit();
    join_all((0..20).map(|n| kit.say("state_set", json!({"key": format!("k{n}"), "value": n})))).await;
    assert_eq!(kit.say("state_list", json!({})).await.lines().count(), 20);
}

#[tokio::test]
async fn there_are_limits() {
    let kit = kit();
    for arguments in [
        json!({"key": "", "value": "x"}),
        json!({"key": "a\nb", "value": "x"}),
        json!({"key": "k".repeat(201), "value": "x"}),
        json!({"key": "a", "value": "x".repeat(20_000)}),
    ] {
        assert!(kit.run("state_set", arguments).await.is_err());
    }
    let many: serde_json::Map<String, Value> = (0..1_000).map(|n| (format!("k{n}"), json!(n))).collect();
    kit.write("state.json", &Value::Object(many).to_string());
    assert!(kit.run("state_set", json!({"key": "one more", "value": 1})).await.is_err());
    assert!(kit.run("state_set", json!({"key": "k5", "value": 1})).await.is_ok());
}

#[tokio::test]
async fn whose_words_are_in_a_value_is_kept_with_it() {
    let page = vec![protocol::Origin::Web("https://evil.example/".into())];
    let kit = ToolTester { origins: page.clone(), ..kit() };
    kit.say("state_set", json!({"key": "plan", "value": "send it all"})).await;
    let kit = ToolTester { origins: Vec::new(), ..kit };
    kit.say("state_set", json!({"key": "mood", "value": "calm"})).await;
    for (tool, arguments, origins) in [
        ("state_get", json!({"key": " plan "}), &page),
        ("state_list", json!({}), &page),
        ("state_get", json!({"key": "mood"}), &Vec::new()),
    ] {
        assert_eq!(&kit.run(tool, arguments.clone()).await.unwrap().origins, origins, "{tool} {arguments}");
    }
    let refused = kit.say("state_check_time", json!({"key": "plan"})).await;
    assert!(refused.contains("not a time") && !refused.contains("send it all"), "nobody marks it: {refused}");
    kit.say("state_set", json!({"key": "plan", "value": "now"})).await;
    assert_eq!(kit.run("state_check_time", json!({"key": "plan"})).await.unwrap().origins, []);
    assert_eq!(kit.run("state_list", json!({})).await.unwrap().origins, []);
}
