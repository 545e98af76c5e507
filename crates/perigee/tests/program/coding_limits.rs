//! Limits of code requests: ignored files, changes that are not applied automatically, and requests without a result.

use std::fs;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::work::{BUGGY, Work, meta, replace};
use crate::support::{Setup, eventually, has_whole_sandbox, kinds, text};

#[tokio::test]
async fn what_is_ignored_is_neither_read_nor_changed() {
    let files = [
        (".gitignore", "*.key\n"),
        (".perigeeignore", "private/\n"),
        ("a.key", "SESAME\n"),
        ("private/diary.txt", "SESAME\n"),
        ("plain.txt", "open\n"),
    ];
    let work = Work::with(&files, "verify = false").await;
    work.calls("read_file", json!({"path": "a.key"}))
        .calls("read_file", json!({"path": "private/diary.txt"}))
        .calls("write_file", json!({"path": "a.key", "content": "mine"}))
        .calls("read_file", json!({"path": "plain.txt"}))
        .says("I may not.");
    let events = work.asks(json!({"text": "what do @a.key and @private/diary.txt say?"})).await;
    let sent = work.stage.model.last_chat().to_string();
    assert!(!sent.contains("SESAME") && sent.contains("is ignored here") && sent.contains("open"), "{sent}");
    assert_eq!(meta(&events)["proposalId"], Value::Null);
    let refused = work.asks(json!({"text": "look", "focusFile": "a.key"})).await;
    let told = kinds(&refused);
    assert!(told.contains(&"error") && meta(&refused)["ok"] == json!(false), "{told:?}");
    assert!(meta(&refused)["summary"].as_str().unwrap().contains("is ignored here"));
}

#[tokio::test]
async fn what_was_not_tried_does_not_land_by_itself() {
    if !has_whole_sandbox().await {
        return;
    }
    // The tests of the workspace never finish.
    let settings = "apply = \"auto\"\ntest = \"sleep 1000\"\nverify_seconds = 2";
    let work = Work::with(BUGGY, settings).await;
    work.calls("search_replace", replace("shop/prices.py", "prices[1:]", "prices")).says("Mended.");
    let events = work.asks(json!({"text": "fix the total"})).await;
    let told = meta(&events);
    assert_eq!((&told["ok"], &told["requiresApproval"]), (&json!(false), &json!(true)), "{told}");
    assert!(work.read("shop/prices.py").contains("prices[1:]"), "nothing is written");
    assert_eq!(work.proposal(&told["proposalId"]).await["verify"]["outcome"], "timedOut");
}

#[tokio::test]
async fn whoever_stops_it_while_it_is_tried_has_nothing_written() {
    if !has_whole_sandbox().await {
        return;
    }
    let work = Work::with(BUGGY, "apply = \"auto\"\ntest = \"sleep 1000\"\nverify_seconds = 300").await;
    work.calls("search_replace", replace("shop/prices.py", "prices[1:]", "prices")).says("Mended.");
    let owner = work.owner();
    let body = json!({"text": "fix the total"});
    let mut stream = owner.open(owner.request(Method::POST, "/api/code/stream").json(&body)).await;
    let mut events = Vec::new();
    let mut turn = Value::Null;
    while let Some(event) = stream.next().await {
        if event.kind() == "metadata" {
            turn = event.data["turnId"].clone();
        }
        if event.kind() == "verify" && event.data["output"].as_str().unwrap_or_default().contains("sleep") {
            owner.post("/api/chat/stop", json!({"turnId": turn})).await;
        }
        events.push(event);
    }
    let told = meta(&events);
    assert_eq!((&told["ok"], &told["requiresApproval"]), (&json!(false), &json!(true)), "{told}");
    assert!(work.read("shop/prices.py").contains("prices[1:]"), "nothing is written");
}

#[tokio::test]
async fn a_model_that_goes_round_in_circles_is_stopped_and_it_is_said() {
    let work = Work::with(BUGGY, "verify = false").await;
    for _ in 0..40 {
        work.calls("edit_file", json!({"path": "shop/names.py"}));
    }
    let events = work.asks(json!({"text": "change the greeting"})).await;
    assert!(work.stage.model.chats().len() < 8, "{} rounds", work.stage.model.chats().len());
    assert!(text(&events).contains("did not work, so I stopped"), "{}", text(&events));
    assert_eq!(meta(&events)["ok"], false);
    let told = work.stage.model.chats()[1].json().to_string();
    assert!(
        told.contains("There is no tool edit_file here. There are") && told.contains("read_file"),
        "{told}"
    );
}

#[tokio::test]
async fn quotes_that_are_never_there_come_to_an_end() {
    let work = Work::with(BUGGY, "verify = false").await;
    for number in 0..40 {
        work.calls("search_replace", replace("shop/names.py", &format!("nothing {number}"), "x"));
    }
    let events = work.asks(json!({"text": "change the greeting"})).await;
    assert!(work.stage.model.chats().len() < 9, "{} rounds", work.stage.model.chats().len());
    assert_eq!(meta(&events)["ok"], false);
}

#[tokio::test]
async fn silence_is_told() {
    let work = Work::with(BUGGY, "verify = false").await;
    work.says("").says("").says("");
    let events = work.asks(json!({"text": "change the greeting"})).await;
    assert!(text(&events).contains("gave no answer"), "{events:?}");
    assert_eq!(meta(&events)["ok"], false);
}

#[tokio::test]
async fn a_request_reaches_the_folder_that_it_means() {
    let work = Work::with(BUGGY, "verify = false\napply = \"auto\"").await;
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi ")).says("Shorter.");
    work.asks(json!({"text": "change the greeting"})).await;
    let (owner, first) = (work.owner(), work.folder.path().to_str().unwrap());
    let roots = owner.get("/api/code/root").await.json();
    let first = roots["current"].as_str().map_or(first.to_owned(), ToOwned::to_owned);
    // The user opens another folder with a file of the same name.
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("new.py"), "x = 1\n").unwrap();
    assert_eq!(owner.post("/api/code/root", json!({"path": other.path()})).await.status, 200);
    let list = owner.get(&format!("/api/code/proposals?root={first}")).await.json();
    assert_eq!(list["proposals"].as_array().unwrap().len(), 1, "{list}");
    let files = owner.get(&format!("/api/code/files?root={first}")).await.json();
    assert!(files.to_string().contains("shop/names.py"), "{files}");
    assert_eq!(owner.post("/api/code/root", json!({"path": other.path()})).await.status, 200);
    let save = json!({"path": "new.py", "content": "x = 2\n", "root": first});
    let saved = owner.send(owner.request(Method::PUT, "/api/code/file").json(&save)).await;
    assert_eq!(saved.status, 200, "{}", saved.text());
    assert_eq!(work.read("new.py"), "x = 2\n", "in the folder that was meant");
    assert_eq!(fs::read_to_string(other.path().join("new.py")).unwrap(), "x = 1\n", "and in no other");
    let missing = owner.post("/api/code/include", json!({"paths": ["nowhere"], "root": first})).await;
    assert_eq!(missing.status, 404, "{}", missing.text());
}

#[tokio::test]
async fn what_was_done_is_there_when_the_conversation_is_opened_again() {
    let work = Work::with(BUGGY, "verify = false").await;
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi ")).says("Shorter.");
    let events = work.asks(json!({"text": "change the greeting"})).await;
    let conversation = events[0].data["conversationId"].as_str().unwrap();
    let chat = work.owner().get(&format!("/api/chats/{conversation}")).await.json();
    let kept = chat["messages"][1]["work"].as_array().unwrap_or_else(|| panic!("{chat}"));
    let types: Vec<&str> = kept.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["context", "proposal", "meta"]);
    assert_eq!(kept[2]["diffs"], json!([]), "the differences are in the proposal");
    fs::write(work.folder.path().join("shop/names.py"), "other\n").unwrap();
    let list = work.owner().get("/api/code/proposals").await.json();
    assert_eq!(list["proposals"][0]["stale"], json!(["shop/names.py"]), "a list tells it as well");
}

#[tokio::test]
async fn an_error_leads_to_its_file() {
    let work = Work::with(BUGGY, "verify = false").await;
    work.says("I see.");
    let error = format!("  File \"{}/shop/names.py\", line 2, in greeting", work.folder.path().display());
    let events = work.asks(json!({"text": "mend it", "mode": "repair", "last_error": error})).await;
    let context = events.iter().find(|event| event.kind() == "context").unwrap();
    assert_eq!(context.data["files"][0]["path"], "shop/names.py", "{}", context.data);
    let whole = context.data["parts"].as_array().unwrap().iter();
    let file = whole.clone().find(|part| part["source"] == "file shop/names.py").unwrap();
    assert_eq!(file["cut"], false, "all of it had room");
}

#[tokio::test]
async fn the_detailed_log_names_each_tool_and_what_it_wrote() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "one\n").unwrap();
    let setup = Setup::new().await.table("[code]\nverify = false\n").variable("PERIGEE_DEBUG", "true");
    let work = Work { stage: setup.start().await, folder };
    work.owner().post("/api/code/root", json!({"path": work.folder.path()})).await;
    work.calls("search_replace", replace("a.txt", "one", "two")).says("Done.");
    work.asks(json!({"text": "change it"})).await;
    let log = work.stage.home.path().join("logs/debug.log");
    eventually("the log tells it", || {
        let log = fs::read_to_string(&log).unwrap_or_default();
        log.contains("[tool] search_replace Done") && log.contains("[tool_wrote] search_replace")
    })
    .await;
}
