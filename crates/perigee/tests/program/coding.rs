//! Code requests: files found without being named, changes tested before approval, and an undo that is exact to the
//! byte.

use std::fs;
use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::work::{BUGGY, Work, meta, replace};
use crate::support::{has_whole_sandbox, kinds};

#[tokio::test]
async fn a_bug_is_found_mended_tested_applied_and_undone() {
    if !has_whole_sandbox().await {
        return;
    }
    let work = Work::new(BUGGY).await;
    let before = work.read("shop/prices.py");
    work.calls("search_replace", replace("shop/prices.py", "prices[1:]", "prices"))
        .says("The first price was left out.");
    let events = work.asks(json!({"text": "The total of prices is too low: fix it"})).await;
    let told = kinds(&events);
    assert!(told.contains(&"context") && told.contains(&"proposal") && told.contains(&"verify"), "{told:?}");
    let context = events.iter().find(|event| event.kind() == "context").unwrap();
    assert_eq!(context.data["files"][0]["path"], "shop/prices.py", "it is found: {}", context.data);
    assert!(!context.data["files"][0]["reasons"].as_array().unwrap().is_empty(), "and it is said why");
    let meta = meta(&events);
    assert_eq!((&meta["ok"], &meta["requiresApproval"]), (&json!(true), &json!(true)), "{meta}");
    assert_eq!(meta["files"], json!(["shop/prices.py"]));
    assert!(meta["diffs"][0]["diff"].as_str().unwrap().contains("+    for price in prices:"), "{meta}");
    assert_eq!(meta["actions"][0]["strategy"], "exact");
    assert_eq!(work.read("shop/prices.py"), before, "nothing is written before a yes");
    let id = &meta["proposalId"];
    let proposal = work.proposal(id).await;
    assert_eq!(
        proposal["verify"]["outcome"], "passed",
        "it is green before anybody decides: {}",
        proposal["verify"]
    );
    let sent = work.stage.model.chats()[0].json().to_string();
    assert!(sent.contains("Keep functions short") && sent.contains("prices[1:]"), "rules and file are told");
    let (status, applied) = work.does(id, "apply", json!({})).await;
    assert_eq!((status, &applied["status"]), (200, &json!("applied")), "{applied}");
    assert!(work.read("shop/prices.py").contains("in prices:"));
    let (status, undone) = work.does(id, "undo", json!({})).await;
    assert_eq!((status, &undone["status"]), (200, &json!("undone")), "{undone}");
    assert_eq!(work.read("shop/prices.py"), before, "to the byte");
    assert_eq!(work.does(id, "redo", json!({})).await.0, 200);
    assert!(work.read("shop/prices.py").contains("in prices:"));
}

#[tokio::test]
async fn a_wrong_fix_is_repaired_from_the_error() {
    if !has_whole_sandbox().await {
        return;
    }
    let work = Work::new(BUGGY).await;
    work.calls("search_replace", replace("shop/prices.py", "prices[1:]", "prices[:-1]"))
        .says("Done.")
        .calls("search_replace", replace("shop/prices.py", "prices[:-1]", "prices"))
        .says("Now all of them are counted.");
    let events = work.asks(json!({"text": "fix the total", "focusFile": "shop/prices.py"})).await;
    let verdicts: Vec<&Value> = events
        .iter()
        .filter(|event| event.kind() == "verify")
        .map(|event| &event.data["ok"])
        .filter(|ok| !ok.is_null())
        .collect();
    assert!(verdicts.contains(&&json!(false)) && verdicts.last() == Some(&&json!(true)), "{verdicts:?}");
    let chats = work.stage.model.chats();
    let told = chats[2].json().to_string();
    assert!(
        told.contains("fails") && told.contains("test_total"),
        "she is told the first real error: {told}"
    );
    assert_eq!(meta(&events)["ok"], true);
}

#[tokio::test]
async fn what_only_reads_cannot_write_whatever_is_called() {
    let work = Work::new(BUGGY).await;
    for mode in ["ask", "chat", "plan"] {
        work.calls("write_file", json!({"path": "shop/names.py", "content": "x"}))
            .calls("run_terminal_cmd", json!({"command": "touch made"}))
            .says("- [ ] Change shop/names.py\n- [ ] Test it");
        let events = work.asks(json!({"mode": mode, "text": "What is wrong here?"})).await;
        let tools: Vec<&Value> =
            events.iter().filter(|event| event.kind() == "tool").map(|event| &event.data["status"]).collect();
        assert!(!tools.is_empty() && tools.iter().all(|status| *status == "blocked"), "{mode}: {tools:?}");
        assert!(meta(&events)["files"].as_array().unwrap().is_empty());
        let plan = events.iter().rev().find(|event| event.kind() == "plan");
        assert_eq!(plan.is_some(), mode == "plan", "{mode}");
    }
    assert!(!work.folder.path().join("made").exists());
}

#[tokio::test]
async fn a_file_that_changed_meanwhile_is_not_overwritten() {
    let work = Work::with(BUGGY, "verify = false").await;
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi ")).says("Shorter.");
    let events = work.asks(json!({"text": "change the greeting", "focusFile": "shop/names.py"})).await;
    let id = &meta(&events)["proposalId"];
    fs::write(
        work.folder.path().join("shop/names.py"),
        "# mine\ndef greeting(name):\n    return 'Hello ' + name\n",
    )
    .unwrap();
    let (status, refused) = work.does(id, "apply", json!({})).await;
    assert_eq!(status, 409, "{refused}");
    assert!(work.read("shop/names.py").starts_with("# mine") && work.read("shop/names.py").contains("Hello"));
    assert_eq!(work.proposal(id).await["stale"], json!(["shop/names.py"]));
    assert_eq!(work.does(id, "rebase", json!({})).await.0, 200);
    assert_eq!(work.does(id, "apply", json!({})).await.0, 200);
    assert_eq!(work.read("shop/names.py"), "# mine\ndef greeting(name):\n    return 'Hi ' + name\n");
}

#[tokio::test]
async fn commands_see_the_changes_and_what_they_write_is_proposed() {
    if !has_whole_sandbox().await {
        return;
    }
    let work = Work::with(BUGGY, "verify = false").await;
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi "))
        .calls("run_terminal_cmd", json!({"command": "grep Hi shop/names.py && echo made > made.txt"}))
        .says("Both are done.");
    let events = work.asks(json!({"text": "change the greeting and make a file"})).await;
    let told = events.iter().rev().find(|event| event.kind() == "tool").unwrap();
    assert!(told.field("result").contains("return 'Hi '"), "{told:?}");
    assert_eq!(meta(&events)["files"], json!(["made.txt", "shop/names.py"]));
    assert!(!work.folder.path().join("made.txt").exists());
}

#[tokio::test]
async fn some_pieces_are_taken_and_the_rest_is_left() {
    let work = Work::with(BUGGY, "verify = false").await;
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi "))
        .calls("write_file", json!({"path": "new.py", "content": "x = 1\n"}))
        .says("Both.");
    let events = work.asks(json!({"text": "change both"})).await;
    let id = &meta(&events)["proposalId"];
    let (status, _) =
        work.does(id, "apply", json!({"files": [{"path": "shop/names.py", "hunks": [0]}]})).await;
    assert_eq!(status, 200);
    assert!(work.read("shop/names.py").contains("Hi") && !work.folder.path().join("new.py").exists());
}

#[tokio::test]
async fn the_doors_tell_the_files_and_save_them() {
    let work = Work::new(BUGGY).await;
    let owner = work.owner();
    let files = owner.get("/api/code/files").await.json();
    assert_eq!(files["files"].as_array().unwrap().len(), 4, "{files}");
    let file = owner.get("/api/code/file?path=shop/names.py").await.json();
    assert_eq!(
        (&file["language"], &file["symbols"][0]["name"]),
        (&json!("Python"), &json!("greeting")),
        "{file}"
    );
    let save = |hash: Value| {
        let body = json!({"path": "shop/names.py", "content": "x = 1\n", "hash": hash});
        owner.request(Method::PUT, "/api/code/file").json(&body)
    };
    assert_eq!(owner.send(save(json!("old"))).await.status, 409, "somebody else changed it");
    assert_eq!(owner.send(save(file["hash"].clone())).await.status, 200);
    assert_eq!(work.read("shop/names.py"), "x = 1\n");
    for path in ["../x", "/etc/passwd", ".git/config"] {
        let body = json!({"path": path, "content": "x"});
        let refused = owner.send(owner.request(Method::PUT, "/api/code/file").json(&body)).await;
        assert_eq!(refused.status, 400, "{path}");
    }
    for folder in ["/", "/etc", "/nowhere"] {
        assert_eq!(owner.post("/api/code/root", json!({"path": folder})).await.status, 400, "{folder}");
    }
    let home = work.stage.home.path().to_owned();
    assert_eq!(
        owner.post("/api/code/root", json!({"path": home})).await.status,
        400,
        "the data folder is no workspace"
    );
    let root = owner.get("/api/code/root").await.json()["current"].as_str().unwrap().to_owned();
    let listed = owner.get(&format!("/api/code/folders?path={root}")).await.json();
    assert_eq!(listed["path"], root);
    let named = |list: &Value, name: &str| {
        list["folders"].as_array().unwrap().iter().find(|folder| folder["name"] == name).cloned()
    };
    assert!(named(&listed, "shop").is_some() && named(&listed, "names.py").is_none(), "{listed}");
    let inside = owner.get(&format!("/api/code/folders?path={root}/shop")).await.json();
    assert_eq!(inside["parent"], root);
    for nowhere in ["shop", "/nowhere/at/all", "/etc/passwd"] {
        let refused = owner.get(&format!("/api/code/folders?path={nowhere}")).await;
        assert_eq!(refused.refusal(), (400, "badRequest".into()), "{nowhere}");
    }
    let lesser = work.stage.lesser(&["chat"]).await;
    for files in ["/api/code/files", "/api/code/folders"] {
        assert_eq!(lesser.get(files).await.status, 403, "{files}");
    }
    assert!(Path::new(owner.get("/api/code/root").await.json()["current"].as_str().unwrap()).is_dir());
}

#[tokio::test]
async fn proposals_and_roots_outlive_the_program() {
    let mut work = Work::with(BUGGY, "verify = false").await;
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi ")).says("Shorter.");
    let events = work.asks(json!({"text": "change the greeting"})).await;
    let id = meta(&events)["proposalId"].clone();
    work.stage.kill().await;
    work.stage.start_server().await;
    assert_eq!(work.proposal(&id).await["status"], "open");
    assert_eq!(work.does(&id, "apply", json!({})).await.0, 200);
    assert!(work.read("shop/names.py").contains("Hi"));
    let history = work.owner().get("/api/code/history").await.json();
    assert_eq!(history["proposals"][0]["id"], id);
    assert!(history["notes"][0]["text"].as_str().unwrap().contains("shop/names.py"), "{history}");
}

#[tokio::test]
async fn what_waits_is_gone_on_with_and_a_question_leaves_it_alone() {
    let work = Work::with(BUGGY, "verify = false").await;
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi ")).says("Shorter.");
    let events = work.asks(json!({"text": "change the greeting"})).await;
    let first = meta(&events)["proposalId"].clone();
    let conversation = events[0].data["conversationId"].clone();
    work.says("It greets.");
    let question = json!({"text": "What does it do?", "mode": "ask", "conversationId": conversation});
    let events = work.asks(question).await;
    assert_eq!(meta(&events)["proposalId"], first, "it waits as before");
    assert_eq!(work.proposal(&first).await["status"], "open");
    work.calls("search_replace", replace("shop/names.py", "Hi ", "Hey ")).says("Better.");
    let events = work.asks(json!({"text": "say Hey", "conversationId": conversation})).await;
    let second = meta(&events)["proposalId"].clone();
    assert_ne!(first, second);
    assert_eq!(work.proposal(&first).await["status"], "rejected");
    assert_eq!(work.does(&second, "apply", json!({})).await.0, 200);
    assert!(work.read("shop/names.py").contains("Hey "));
}

#[tokio::test]
async fn a_plan_is_made_and_then_carried_out_step_by_step() {
    let work = Work::with(BUGGY, "verify = false").await;
    work.says("Two things:\n\n- [ ] Change shop/names.py\n- [ ] Add new.py");
    let events = work.asks(json!({"text": "Greet shorter, and add a file", "mode": "plan"})).await;
    let plan = events.iter().rev().find(|event| event.kind() == "plan").unwrap();
    assert_eq!(plan.data["steps"][1]["title"], "Add new.py");
    let conversation = &events[0].data["conversationId"];
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi "))
        .says("The first is done.")
        .calls("write_file", json!({"path": "new.py", "content": "x = 1\n"}))
        .says("Both are done.");
    let go = json!({
        "text": "Carry out this plan.",
        "planContext": "1. Change shop/names.py\n2. Add new.py",
        "conversationId": conversation,
    });
    let events = work.asks(go).await;
    let plans: Vec<&Value> =
        events.iter().filter(|event| event.kind() == "plan").map(|event| &event.data["steps"]).collect();
    assert_eq!(plans[0][0]["status"], "running", "{plans:?}");
    let last = plans.last().unwrap();
    assert_eq!((&last[0]["status"], &last[1]["status"]), (&json!("done"), &json!("done")));
    assert_eq!(meta(&events)["files"], json!(["new.py", "shop/names.py"]));
}

#[tokio::test]
async fn a_file_that_is_moved_is_one_thing() {
    let work = Work::with(BUGGY, "verify = false").await;
    work.calls("rename_file", json!({"from": "shop/names.py", "to": "shop/greetings.py"}))
        .calls("write_file", json!({"path": "new.py", "content": "x = 1\n"}))
        .says("Moved.");
    let events = work.asks(json!({"text": "rename names.py to greetings.py, and add a file"})).await;
    let id = &meta(&events)["proposalId"];
    let proposal = work.proposal(id).await;
    let files: Vec<(&str, &str)> = proposal["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (file["path"].as_str().unwrap(), file["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(files, [("new.py", "added"), ("shop/greetings.py", "renamed")]);
    let choice = json!({"files": [{"path": "shop/greetings.py", "hunks": [0]}]});
    assert_eq!(work.does(id, "apply", choice).await.0, 200);
    assert!(
        work.read("shop/greetings.py").contains("Hello")
            && !work.folder.path().join("shop/names.py").exists()
    );
    let decided = work.proposal(id).await;
    assert_eq!(
        (&decided["files"][0]["decision"], &decided["files"][1]["decision"]),
        (&json!("none"), &json!("all")),
        "{decided}"
    );
    let list = work.owner().get("/api/code/proposals").await.json();
    assert_eq!(list["proposals"][0]["files"][0]["path"], "new.py", "a list names the files: {list}");
    assert_eq!(work.does(id, "undo", json!({})).await.0, 200);
    assert!(
        work.read("shop/names.py").contains("Hello")
            && !work.folder.path().join("shop/greetings.py").exists()
    );
    assert_eq!(work.owner().get("/api/code/file?path=nowhere.py").await.status, 404);
}

#[tokio::test]
async fn a_piece_can_be_written_anew_before_it_is_taken() {
    let work = Work::with(BUGGY, "verify = false").await;
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi ")).says("Shorter.");
    let events = work.asks(json!({"text": "change the greeting"})).await;
    let id = &meta(&events)["proposalId"];
    let edited = json!([{"id": 0, "text": "def greeting(name):\n    return 'Good day ' + name\n"}]);
    let taken = json!({"files": [{"path": "shop/names.py", "hunks": [], "edited": edited}]});
    let (status, applied) = work.does(id, "apply", taken).await;
    assert_eq!(status, 200, "{applied}");
    assert_eq!(work.read("shop/names.py"), "def greeting(name):\n    return 'Good day ' + name\n");
}

#[tokio::test]
async fn a_checkpoint_brings_back_files_and_words() {
    let work = Work::with(BUGGY, "verify = false\napply = \"auto\"").await;
    let before = work.read("shop/names.py");
    work.says("It greets.");
    let events = work.asks(json!({"text": "What is in here?", "mode": "ask"})).await;
    let conversation = events[0].data["conversationId"].clone();
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi "))
        .calls("write_file", json!({"path": "new.py", "content": "x = 1\n"}))
        .says("Both.");
    let ask = json!({"text": "change the greeting and add a file", "conversationId": conversation});
    let events = work.asks(ask).await;
    assert_eq!(meta(&events)["requiresApproval"], false, "it was written at once");
    assert!(work.read("shop/names.py").contains("Hi ") && work.folder.path().join("new.py").exists());
    let owner = work.owner();
    let history = owner.get("/api/code/history").await.json();
    let checkpoint = &history["checkpoints"][0];
    assert_eq!(checkpoint["label"], "change the greeting and add a file", "{history}");
    let door = format!("/api/code/checkpoints/{}/restore", checkpoint["id"].as_str().unwrap());
    let back = owner.post(&door, json!({})).await;
    assert_eq!(back.status, 200, "{}", back.text());
    assert_eq!(work.read("shop/names.py"), before);
    assert!(!work.folder.path().join("new.py").exists());
    let chat = owner.get(&format!("/api/chats/{}", conversation.as_str().unwrap())).await.json();
    assert_eq!(chat["messages"].as_array().unwrap().len(), 2, "the words of then: {chat}");
    assert_eq!(owner.post(&door, json!({})).await.status, 409, "it is as it was then already");
    let undo = work.does(&back.json()["id"], "undo", json!({})).await;
    assert_eq!(undo.0, 200, "going back is undone as well: {}", undo.1);
    assert!(work.read("shop/names.py").contains("Hi ") && work.folder.path().join("new.py").exists());
    let chat = owner.get(&format!("/api/chats/{}", conversation.as_str().unwrap())).await.json();
    assert_eq!(chat["messages"].as_array().unwrap().len(), 4, "and the words are there again: {chat}");
}

#[tokio::test]
async fn a_checkpoint_brings_back_the_words_also_where_no_file_has_changed() {
    let work = Work::with(BUGGY, "verify = false").await;
    work.calls("search_replace", replace("shop/names.py", "Hello ", "Hi ")).says("Shorter.");
    let events = work.asks(json!({"text": "change the greeting"})).await;
    let conversation = events[0].data["conversationId"].as_str().unwrap().to_owned();
    let owner = work.owner();
    let checkpoint = owner.get("/api/code/history").await.json()["checkpoints"][0]["id"].clone();
    let door = format!("/api/code/checkpoints/{}/restore", checkpoint.as_str().unwrap());
    let back = owner.post(&door, json!({})).await;
    assert_eq!((back.status, back.text().as_str()), (200, "null"), "no file was written");
    let chat = owner.get(&format!("/api/chats/{conversation}")).await.json();
    assert_eq!(chat["messages"].as_array().unwrap().len(), 0, "{chat}");
    assert_eq!(owner.post(&door, json!({})).await.status, 409);
}
