//! Memory, through the API and the command line of the real program.

use std::io::Write as _;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::Flavour;

use crate::support::{Answer, Client, Setup, Stage};

async fn facts(owner: &Client, query: &str) -> Vec<Value> {
    let list = owner.get(&format!("/api/memory?limit=500&{query}")).await.json();
    list["facts"].as_array().unwrap().clone()
}

fn contents(facts: &[Value]) -> Vec<&str> {
    facts.iter().map(|fact| fact["content"].as_str().unwrap()).collect()
}

/// Waits until a fact contains these words.
async fn learned(owner: &Client, query: &str, words: &str) -> Value {
    for _ in 0..200 {
        let known = facts(owner, query).await;
        let found = known.iter().find(|fact| fact["content"].as_str().unwrap().contains(words));
        if let Some(fact) = found {
            return fact.clone();
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("nothing with “{words}” was learned: {:?}", contents(&facts(owner, query).await));
}

async fn import(owner: &Client, name: &str, bytes: Vec<u8>) -> Answer {
    let path = format!("/api/memory/import?name={name}");
    let request = owner.request(Method::POST, &path).header("content-type", "application/octet-stream");
    owner.send(request.body(bytes)).await
}

#[tokio::test]
async fn a_file_of_any_kind_is_imported_by_whoever_has_a_token() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    for kind in ["text/plain", "text/markdown; charset=utf-8", "application/x-www-form-urlencoded", ""] {
        let request = owner.request(Method::POST, "/api/memory/import?name=notes.md");
        let request = if kind.is_empty() { request } else { request.header("content-type", kind) };
        let answer = owner.send(request.body("# Notes\n\n- Likes the sea\n")).await;
        assert_eq!(answer.status, 200, "{kind}");
    }
}

#[tokio::test]
async fn a_fact_goes_through_every_door() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    stage.model.replies(["Nice.", "Oh!"]);
    let told = owner.ask("My dog is called Max.").await;
    let fact = learned(&owner, "", "Max").await;
    let id = fact["id"].as_str().unwrap();
    assert_eq!(fact["quote"], "My dog is called Max");
    assert_eq!(fact["source"]["conversationId"], told[0].data["conversationId"]);
    let blank = owner.get("/api/memory/recall?q=%20").await.json();
    assert_eq!(blank["items"], json!([]), "{blank}");
    let recalled = owner.get("/api/memory/recall?q=what%20is%20my%20dog%20called%3F").await.json();
    assert_eq!(recalled["items"][0]["id"], json!(id), "{recalled}");

    assert!(stage.run(&["memory", "list"]).await.ok().contains("Max"));
    assert!(stage.run(&["memory", "search", "my dog"]).await.ok().contains("Max"));
    let shown = stage.run(&["memory", "show", id]).await.ok();
    assert!(shown.contains("You said: “My dog is called Max”") && shown.contains("learned"), "{shown}");
    stage.run(&["memory", "edit", id, "Has a dog called Maximus"]).await.ok();
    assert_eq!(owner.get(&format!("/api/memory/{id}")).await.json()["content"], "Has a dog called Maximus");
    let undone = stage.run(&["memory", "undo", id]).await.ok();
    assert!(undone.starts_with("Undone:"), "{undone}");
    assert_eq!(owner.get(&format!("/api/memory/{id}")).await.json()["content"], fact["content"]);
    let refused = owner.post(&format!("/api/memory/{id}/undo"), json!({})).await;
    assert_eq!(refused.status, 409, "there is nothing more to take back");

    let other = owner.post("/api/memory", json!({"content": "There is a dog, Max"})).await.json();
    let merged = owner.post("/api/memory/merge", json!({"ids": [id, other["id"]]})).await.json();
    assert_eq!(merged["id"], json!(id));
    assert_eq!(facts(&owner, "").await.len(), 1);
    let timeline = owner.get("/api/memory/timeline").await.json();
    assert!(!timeline["days"][0]["entries"].as_array().unwrap().is_empty());

    // A fact written by hand also replaces those that it contradicts.
    owner.post("/api/memory", json!({"content": "I live in Berlin"})).await.json();
    owner.post("/api/memory", json!({"content": "I moved to Lyon"})).await.json();
    let known = facts(&owner, "").await;
    assert!(contents(&known).contains(&"I moved to Lyon") && !contents(&known).contains(&"I live in Berlin"));

    let would = stage.run(&["memory", "forget", id, "--dry-run"]).await.ok();
    assert!(would.contains("This would be forgotten:"), "{would}");
    let gone = stage.run(&["memory", "forget", id, "--yes"]).await.ok();
    assert!(gone.starts_with("Forgotten:"), "{gone}");
    assert_eq!(owner.get(&format!("/api/memory/{id}")).await.status, 404);
    let messages = owner.messages(told[0].field("conversationId")).await;
    assert!(!messages[0]["content"].as_str().unwrap().contains("Max"), "{messages:?}");
}

#[tokio::test]
async fn a_memory_moves_to_another_home_and_back_without_a_loss() {
    let here = Stage::start().await;
    let owner = here.owner();
    for (content, private) in
        [("I live in Berlin", false), ("I moved to Lyon", false), ("Wears size 43", true)]
    {
        owner.post("/api/memory", json!({"content": content, "private": private})).await.json();
    }
    owner
        .post("/api/vector", json!({"id": "recipe", "content": "Soup of leeks", "metadata": {"for": 4}}))
        .await;
    let file =
        owner.request(Method::PUT, "/api/memory/files/garden.md").json(&json!({"content": "# Garden\n"}));
    assert_eq!(owner.send(file).await.status, 200);
    let exported = here.home.join("memory.json");
    here.run(&["memory", "export", exported.to_str().unwrap()]).await.ok();

    let there = Stage::start().await;
    let said = there.run(&["memory", "import", exported.to_str().unwrap()]).await.ok();
    assert!(said.starts_with("3 facts, 1 saved text, 1 file imported."), "{said}");
    let stranger = there.owner();
    for query in ["status=current", "status=past"] {
        let (before, after) = (facts(&owner, query).await, facts(&stranger, query).await);
        assert_eq!(contents(&before), contents(&after), "{query}");
        let private = |facts: &[Value]| facts.iter().map(|fact| fact["private"].clone()).collect::<Vec<_>>();
        assert_eq!(private(&before), private(&after));
    }
    let past = facts(&stranger, "status=past").await;
    let newer = facts(&stranger, "status=current")
        .await
        .into_iter()
        .find(|fact| fact["content"] == "I moved to Lyon");
    assert_eq!(
        past[0]["supersededBy"],
        newer.unwrap()["id"],
        "what took its place is the one that came along"
    );
    assert_eq!(stranger.get("/api/vector/recipe").await.json()["metadata"], json!({"for": 4}));
    assert_eq!(stranger.get("/api/memory/files/garden.md").await.json()["content"], "# Garden\n");
    let again = import(&stranger, "memory.json", std::fs::read(&exported).unwrap()).await.json();
    assert_eq!((&again["facts"], &again["known"]), (&json!(0), &json!(5)), "{again}");
    let own = json!({"content": "Soup of beans"});
    stranger.send(stranger.request(Method::PUT, "/api/vector/recipe").json(&own)).await.json();
    let again = import(&stranger, "memory.json", std::fs::read(&exported).unwrap()).await.json();
    assert!(again["problems"][0].as_str().unwrap().contains("entry recipe"), "{again}");
    assert_eq!(stranger.get("/api/vector/recipe").await.json()["content"], "Soup of beans", "hers stays");

    let notes = owner.get("/api/memory/export?format=markdown").await.text();
    assert!(notes.contains("- I moved to Lyon") && !notes.contains("Berlin"), "{notes}");
    let elsewhere = Stage::start().await;
    let third = elsewhere.owner();
    let taken = import(&third, "notes.md", notes.into_bytes()).await.json();
    assert_eq!((&taken["format"], &taken["facts"]), (&json!("markdown"), &json!(2)), "{taken}");
    assert_eq!(facts(&third, "").await[0]["source"], json!({"kind": "import", "name": "notes.md"}));
}

/// A conversation in ChatGPT's export format, with a hidden note and a tool message in between.
fn chatgpt() -> Value {
    let node = |id: &str, parent: Option<&str>, role: &str, text: &str, time: f64| {
        let message = json!({
            "id": id, "author": {"role": role}, "create_time": time,
            "content": {"content_type": "text", "parts": [text]}, "metadata": {},
        });
        (id.to_owned(), json!({"id": id, "parent": parent, "message": message, "children": []}))
    };
    let mapping: serde_json::Map<String, Value> = [
        ("root".to_owned(), json!({"id": "root", "parent": null, "message": null, "children": ["sys"]})),
        node("sys", Some("root"), "system", "Be helpful.", 1_684_000_000.0),
        node("a", Some("sys"), "user", "I moved to Berlin. My sister is called Greta.", 1_684_000_001.0),
        node("t", Some("a"), "tool", "web page", 1_684_000_002.0),
        node("b", Some("t"), "assistant", "Berlin is lively.", 1_684_000_003.0),
        node("c", Some("a"), "assistant", "Another answer.", 1_684_000_004.0),
    ]
    .into_iter()
    .collect();
    json!([{ "title": "Moving", "create_time": 1_684_000_000.0, "mapping": mapping, "current_node": "b" },
           { "title": "Broken", "mapping": 7 }])
}

#[tokio::test]
async fn chats_with_other_programs_come_in_and_are_learned_from() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    stage.model.replies(["Good."]);
    owner.ask("I moved to Lyon.").await;
    learned(&owner, "", "Lyon").await;

    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("export/conversations.json", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(chatgpt().to_string().as_bytes()).unwrap();
    let archive = archive.finish().unwrap().into_inner();
    let reply = import(&owner, "chatgpt.zip", archive).await.json();
    assert_eq!(
        (&reply["format"], &reply["conversations"], &reply["messages"]),
        (&json!("chatgpt"), &json!(1), &json!(3))
    );
    assert_eq!(reply["problems"].as_array().unwrap().len(), 1, "{reply}");
    let sister = learned(&owner, "", "Greta").await;
    let known = facts(&owner, "").await;
    assert!(contents(&known).iter().any(|fact| fact.contains("Lyon")), "{:?}", contents(&known));
    assert!(
        !contents(&known).iter().any(|fact| fact.contains("Berlin")),
        "older words do not replace newer: {known:?}"
    );
    let conversation = sister["source"]["conversationId"].as_str().unwrap();
    let messages = owner.messages(conversation).await;
    let said: Vec<&str> = messages.iter().map(|message| message["content"].as_str().unwrap()).collect();
    assert_eq!(
        said,
        ["I moved to Berlin. My sister is called Greta.", "Berlin is lively."],
        "the branch that was shown"
    );
    let again = import(&owner, "conversations.json", chatgpt().to_string().into_bytes()).await.json();
    assert_eq!((&again["conversations"], &again["known"]), (&json!(0), &json!(1)));

    let play = [
        json!({"user_name": "Sam", "character_name": "Aria", "create_date": "2024-05-12@10h00m00s"}),
        json!({"name": "Aria", "is_user": false, "is_system": false, "send_date": "2024-05-12@10h00m01s", "mes": "Who goes there?"}),
        json!({"name": "Sam", "is_user": true, "is_system": false, "send_date": "May 12, 2024 10:01am", "mes": "I have a cat called Smolder."}),
    ];
    let play: Vec<String> = play.iter().map(Value::to_string).collect();
    let reply = import(&owner, "aria.jsonl", play.join("\n").into_bytes()).await.json();
    assert_eq!((&reply["format"], &reply["messages"]), (&json!("sillytavern"), &json!(2)), "{reply}");
    let waiting = learned(&owner, "status=unconfirmed", "Smolder").await;
    assert_eq!(
        waiting["origins"],
        json!([{"kind": "file", "name": "aria.jsonl"}]),
        "a play is not sure to be so"
    );
}

#[tokio::test]
async fn what_is_no_memory_is_refused_and_changes_nothing() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let mut cut = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    cut.start_file("conversations.json", zip::write::SimpleFileOptions::default()).unwrap();
    cut.write_all(b"[]").unwrap();
    let mut cut = cut.finish().unwrap().into_inner();
    cut.truncate(cut.len() / 2);
    let whole = owner.get("/api/memory/export").await.text();
    for (name, bytes) in [
        ("nothing", Vec::new()),
        ("cut.zip", cut),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0".to_vec()),
        ("half.json", whole.as_bytes()[..whole.len() / 2].to_vec()),
        ("other.json", b"{\"facts\": []}".to_vec()),
        ("newer.json", b"{\"kind\":\"perigee.memory\",\"format\":2,\"facts\":[]}".to_vec()),
        ("deep.json", "[".repeat(100_000).into_bytes()),
    ] {
        let refused = import(&owner, name, bytes).await;
        assert_eq!(refused.status, 400, "{name}: {}", refused.text());
    }
    let reader = stage.lesser(&["memory.read"]).await;
    assert_eq!(import(&reader, "a.md", b"- I am tall".to_vec()).await.status, 403);
    assert_eq!(facts(&owner, "").await.len(), 0);
}

#[tokio::test]
async fn messages_that_answer_each_other_in_a_ring_come_in_all_the_same() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let mut ring = chatgpt();
    ring[0]["mapping"]["sys"]["parent"] = json!("b");
    let reply = import(&owner, "ring.json", ring.to_string().into_bytes()).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let straight = Stage::start().await;
    let other = import(&straight.owner(), "straight.json", chatgpt().to_string().into_bytes()).await;
    assert_eq!(reply.json()["messages"], other.json()["messages"]);
}

#[tokio::test]
async fn kill_nine_while_she_learns_loses_nothing_and_learns_nothing_twice() {
    let mut stage = Stage::start().await;
    let name = |number: usize| {
        let parts = ["ba", "de", "fi", "go", "ku", "la", "me"];
        format!("Q{}{}{}x", parts[number % 7], parts[number / 7 % 7], parts[number / 49])
    };
    let chats: Vec<Value> = (0..150)
        .map(|number| {
            let text = format!("I have another cat called {}.", name(number));
            let message = json!({
                "author": {"role": "user"}, "create_time": 1_684_000_000 + number,
                "content": {"content_type": "text", "parts": [text]},
            });
            json!({"title": format!("Cat {number}"), "create_time": 1_684_000_000 + number,
                   "mapping": {"a": {"parent": null, "message": message}}, "current_node": "a"})
        })
        .collect();
    let reply = import(&stage.owner(), "cats.json", Value::from(chats).to_string().into_bytes()).await.json();
    assert_eq!(reply["conversations"], 150);
    let mut seen = 0;
    for pause in [5, 40, 90] {
        tokio::time::sleep(std::time::Duration::from_millis(pause)).await;
        stage.kill().await;
        stage.start_server().await;
        let known = facts(&stage.owner(), "").await.len();
        assert!(known >= seen, "what was learned stays learned");
        seen = known;
        stage.owner().post("/api/processes/memory_maintenance/run", json!({})).await;
    }
    let owner = stage.owner();
    learned(&owner, "", &name(149)).await;
    let known = facts(&owner, "").await;
    for number in 0..150 {
        let those = known.iter().filter(|fact| {
            let content = fact["content"].as_str().unwrap();
            content.trim_end_matches('.').ends_with(&format!(" {}", name(number)))
        });
        assert_eq!(those.count(), 1, "{}", name(number));
    }
    stage.stop().await;
    // Only this check is compared: another Perigee on this machine would also appear in the report.
    let examined: Value = serde_json::from_str(&stage.run(&["doctor", "--json"]).await.stdout).unwrap();
    let checks = examined["checks"].as_array().unwrap();
    let database = checks.iter().find(|check| check["id"] == "database").expect("a look at the database");
    assert_eq!(database["level"], "ok", "{database}");
}

/// Returns the number of texts that a model was asked to embed so far.
fn embedded(stage: &Stage, model: &str) -> usize {
    let requests = stage.model.requests();
    let asked =
        requests.iter().filter(|request| request.path == "/api/embed" || request.path == "/v1/embeddings");
    let bodies = asked.map(testkit::RecordedRequest::json).filter(|body| body["model"] == model);
    bodies.map(|body| body["input"].as_array().map_or(0, Vec::len)).sum()
}

/// Runs the memory maintenance and waits for its end.
async fn tended(owner: &Client) {
    let process = || async {
        let list = owner.get("/api/processes").await.json();
        list.as_array().unwrap().iter().find(|one| one["id"] == "memory_maintenance").unwrap().clone()
    };
    let before = process().await["runs"].as_u64().unwrap();
    assert_eq!(owner.post("/api/processes/memory_maintenance/run", json!({})).await.status, 200);
    for _ in 0..200 {
        let process = process().await;
        if process["state"] != "running" && process["runs"].as_u64().unwrap() > before {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("the maintenance does not end: {}", process().await);
}

#[tokio::test]
async fn vectors_come_from_ollama_or_a_v1_server_and_are_made_anew_for_another_model() {
    for flavour in [Flavour::Ollama, Flavour::OpenAi] {
        let setup = Setup::of(flavour).await;
        setup.model.models(["scripted", "nomic-embed-text", "other-embed"]).dimensions(256);
        let table = format!(
            "[builtin_tools.vector_search]\nsource = \"server\"\nollama_url = \"{}\"\nmodel = \"nomic-embed-text\"",
            setup.model.url()
        );
        let stage = setup.table(&table).start().await;
        let owner = stage.owner();
        for content in ["Keeps bees on the roof", "The boat lies in the harbour", "Plays chess on Sundays"] {
            owner.post("/api/memory", json!({ "content": content })).await.json();
        }
        let meaning = || async {
            let recalled =
                owner.get("/api/memory/recall?q=who%20keeps%20bees%20up%20on%20the%20roof%3F").await.json();
            assert_eq!(recalled["items"][0]["text"], "Keeps bees on the roof", "{flavour:?} {recalled}");
        };
        tended(&owner).await;
        meaning().await;
        assert!(embedded(&stage, "nomic-embed-text") >= 3, "{flavour:?}: three facts and the question");
        let before = embedded(&stage, "nomic-embed-text");
        stage.model.dimensions(128);
        let patch = json!({ "builtin_tools.vector_search.model": "other-embed" });
        assert_eq!(owner.patch("/api/config", patch).await.status, 200);
        meaning().await;
        tended(&owner).await;
        meaning().await;
        assert!(embedded(&stage, "other-embed") >= 3, "{flavour:?}: everything again, of another length");
        assert_eq!(embedded(&stage, "nomic-embed-text"), before, "the old one is not asked any more");
        let server = owner.post("/v1/embeddings", json!({ "input": ["bees"], "model": "any" })).await.json();
        assert_eq!(server["data"][0]["embedding"].as_array().unwrap().len(), 128, "ours gives what it uses");
        let named = server["model"].as_str().unwrap();
        assert!(named.contains("other-embed"), "and says what that is: {named}");
    }
}

#[tokio::test]
async fn a_new_person_has_an_empty_memory_and_sees_no_path_of_the_owners() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let user = owner.post("/api/users", json!({ "name": "Ada" })).await.json();
    let request = json!({ "name": "phone", "scopes": ["all"], "user": user["id"] });
    let made = owner.post("/api/tokens", request).await.json();
    let ada = stage.with_token(made["secret"].as_str().unwrap());
    let home = stage.home.path().to_str().unwrap();
    for (path, status) in [
        ("/api/memory/files", 200),
        ("/api/memory/files/people.md", 400),
        ("/api/memory/export", 200),
        ("/api/memory/export?format=markdown", 200),
        ("/api/memory", 200),
        ("/api/memory/timeline", 200),
        ("/api/memory/recall?q=Where%20do%20I%20live%3F", 200),
        ("/api/vector", 200),
        ("/api/personality", 200),
        ("/api/chats", 200),
    ] {
        let reply = ada.get(path).await;
        let text = reply.text();
        assert_eq!(reply.status, status, "{path}: {text}");
        assert!(!text.contains(home), "{path}: {text}");
    }
    assert!(!stage.home.join("users").exists(), "reading has made nothing");
    let put = |client: &Client, content: &str| {
        client.request(Method::PUT, "/api/memory/files/people.md").json(&json!({ "content": content }))
    };
    let written = ada.send(put(&ada, "Anna is my sister.")).await;
    assert_eq!(written.status, 200, "{}", written.text());
    assert_eq!(ada.get("/api/memory/files").await.json()["files"][0]["name"], "people.md");
    // An error about an unusable folder must not reveal its path.
    let other = owner.post("/api/users", json!({ "name": "Ben" })).await.json();
    let request = json!({ "name": "phone", "scopes": ["all"], "user": other["id"] });
    let made = owner.post("/api/tokens", request).await.json();
    let ben = stage.with_token(made["secret"].as_str().unwrap());
    stage.home.write("users/Ben", "a file is in the way");
    let refused = ben.send(put(&ben, "x")).await;
    assert!(refused.status >= 400 && !refused.text().contains(home), "{}", refused.text());
}
