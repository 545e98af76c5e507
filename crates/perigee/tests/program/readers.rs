//! Privacy of memories: tests every route that a program with memory access may read.

use std::collections::BTreeMap;

use protocol::Scope;
use reqwest::Method;
use serde_json::{Value, json};
use server::{Access, routes};
use testkit::ScriptedReply;

use crate::support::{Client, Setup, Stage};
use crate::tools::call;

/// Texts that reveal something private wherever they occur.
const PRIVATE: [&str; 3] = ["4711", "Quimby", "hunter2pass"];
/// Query strings, each of which is tried on every route.
const QUERIES: [&str; 14] = [
    "",
    "?q=What%20is%20the%20alarm%20code%3F",
    "?q=therapist",
    "?q=Quimby",
    "?q=tea",
    "?status=all",
    "?status=past",
    "?status=unconfirmed",
    "?status=all&q=alarm",
    "?status=all&category=health",
    "?format=json",
    "?format=markdown",
    "?limit=1",
    "?limit=1000&offset=0",
];

/// Creates data with something private in every kind of memory. Returns the ids for the routes' parameters.
async fn lived(owner: &Client) -> BTreeMap<&'static str, Vec<String>> {
    let fact = async |content: &str, private: bool| {
        let fact = json!({"content": content, "private": private});
        owner.post("/api/memory", fact).await.json()["id"].as_str().unwrap().to_owned()
    };
    let open = fact("Likes green tea", false).await;
    let alarm = fact("The alarm code is 4711", true).await;
    let therapist = fact("Sees the therapist Quimby on Thursdays", true).await;
    let password = fact("The password of the router is hunter2pass", false).await;
    // This fact was private and is now public in different words.
    let opened = fact("Goes to Quimby", true).await;
    owner
        .patch(&format!("/api/memory/{opened}"), json!({"content": "Goes to a doctor", "private": false}))
        .await
        .json();
    let put = async |name: &str, content: &str| {
        let path = format!("/api/memory/files/{name}");
        let body = json!({ "content": content });
        owner.send(owner.request(Method::PUT, &path).json(&body)).await.json();
    };
    put("house", "The garden is large.\nThe alarm code is 4711.").await;
    put("house", "The garden is large.\nThe alarm code is 4711. Always.").await;
    put("Quimby", "Comes on Thursdays.").await;
    put("plain", "Nothing to hide.").await;
    for (id, content) in
        [("code", "The alarm code is 4711"), ("Quimby", "A name"), ("tea", "Green tea is good")]
    {
        let entry = json!({"id": id, "content": content, "metadata": {"of": "alarm"}});
        owner.post("/api/vector", entry).await.json();
    }
    owner
        .post("/api/vector", json!({"id": "hidden", "content": "Open", "metadata": {"who": "Quimby"}}))
        .await
        .json();
    BTreeMap::from([
        ("/api/memory/{id}", vec![open, alarm, therapist, password, opened]),
        ("/api/memory/files/{name}", vec!["house".into(), "Quimby".into(), "plain".into()]),
        ("/api/vector/{id}", vec!["code".into(), "Quimby".into(), "tea".into(), "hidden".into()]),
    ])
}

/// Returns the paths of a route with all ids filled in.
fn addresses(path: &str, ids: &BTreeMap<&str, Vec<String>>) -> Vec<String> {
    let Some((place, known)) = ids.iter().find(|(place, _)| path.starts_with(**place)) else {
        assert!(!path.contains('{'), "{path}: say here what its places may hold");
        return vec![path.to_owned()];
    };
    let name = &place[place.find('{').unwrap()..];
    known.iter().map(|id| path.replace(name, id)).collect()
}

fn told(text: &str) -> Option<&'static str> {
    PRIVATE.into_iter().find(|private| text.contains(private))
}

#[tokio::test]
async fn a_program_that_reads_memory_is_told_nothing_private_at_any_door() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let ids = lived(&owner).await;
    let programs = [stage.lesser(&["memory.read"]).await, stage.lesser(&["memory.write"]).await];
    let (mut doors, mut tells) = (0, 0);
    for route in routes() {
        let reads = route.access == Access::Scope(Scope::MemoryRead);
        if !reads {
            continue;
        }
        doors += 1;
        let method: Method = route.method.parse().unwrap();
        for address in addresses(route.path, &ids) {
            for query in QUERIES {
                let place = format!("{} {address}{query}", route.method);
                let ask = async |client: &Client| {
                    client.send(client.request(method.clone(), &format!("{address}{query}"))).await
                };
                tells += usize::from(told(&ask(&owner).await.text()).is_some());
                for program in &programs {
                    let answer = ask(program).await;
                    // An error that repeats the requested name reveals nothing.
                    let own = place.contains("Quimby") && answer.status != 200;
                    let text = answer.text();
                    assert!(own || told(&text).is_none(), "{place}: {:?} in {text}", told(&text));
                    assert_ne!(answer.status, 403, "{place}");
                    assert!(answer.status < 500, "{place}: {text}");
                }
            }
        }
    }
    assert!(doors >= 11, "{doors}");
    assert!(tells > 40, "the person is told: {tells}");
}

#[tokio::test]
async fn what_a_program_may_not_see_looks_as_if_it_were_not_there() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let ids = lived(&owner).await;
    let reader = stage.lesser(&["memory.read"]).await;
    let alarm = &ids["/api/memory/{id}"][1];
    let never = crate::support::NOBODY;
    for end in ["", "/history"] {
        let hidden = reader.get(&format!("/api/memory/{alarm}{end}")).await;
        let missing = reader.get(&format!("/api/memory/{never}{end}")).await;
        assert_eq!((hidden.status, hidden.text()), (missing.status, missing.text()), "{end}");
    }
    for (hidden, missing) in [("Quimby", "Nobody"), ("quimby.md", "nobody.md")] {
        let hidden_file = reader.get(&format!("/api/memory/files/{hidden}")).await;
        let missing_file = reader.get(&format!("/api/memory/files/{missing}")).await;
        let said = missing_file.text().replace("Nobody", "Quimby").replace("nobody", "quimby");
        assert_eq!((hidden_file.status, hidden_file.text()), (missing_file.status, said));
    }
    let list = reader.get("/api/memory?status=all").await.json();
    let contents: Vec<&str> =
        list["facts"].as_array().unwrap().iter().map(|fact| fact["content"].as_str().unwrap()).collect();
    assert_eq!(contents, ["Goes to a doctor", "Likes green tea"]);
    assert_eq!(list["total"], 2);
    let counted: u64 =
        list["categories"].as_array().unwrap().iter().map(|count| count["facts"].as_u64().unwrap()).sum();
    assert_eq!(counted, 2, "numbers tell nothing either");
    let entries = reader.get("/api/vector?limit=1").await.json();
    assert_eq!((&entries["total"], &entries["entries"][0]["id"]), (&json!(1), &json!("tea")));
    let house = reader.get("/api/memory/files/house").await.json();
    assert_eq!(house["content"], "The garden is large.\n", "nor is told how much is left out");
    assert_eq!(house["file"]["bytes"], 21);
    let files = reader.get("/api/memory/files").await.json();
    let names: Vec<&Value> = files["files"].as_array().unwrap().iter().map(|file| &file["name"]).collect();
    assert_eq!(names, ["house.md", "plain.md"]);
}

async fn facts(owner: &Client, query: &str) -> Vec<Value> {
    owner.get(&format!("/api/memory{query}")).await.json()["facts"].as_array().unwrap().clone()
}

#[tokio::test]
async fn what_a_program_writes_down_waits_for_the_person_and_only_they_say_yes() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let home = owner.post("/api/memory", json!({"content": "Lives in Lyon"})).await.json();
    let writer = stage.lesser(&["memory.read", "memory.write"]).await;
    let planted = json!({"content": "Lives in Rome", "confidence": 1.0, "importance": 1.0});
    let note = writer.post("/api/memory", planted).await;
    assert_eq!(note.status, 201, "{}", note.text());
    let note = note.json();
    assert_eq!(note["status"], "unconfirmed", "{note}");
    assert_eq!(note["source"], json!({"kind": "program", "name": "memory.read memory.write"}));
    assert_eq!(note["origins"], json!([{"kind": "mcp", "name": "memory.read memory.write"}]));
    assert!(note["confidence"].as_f64().unwrap() < 0.9 && note["importance"].as_f64().unwrap() < 0.9);
    let current = facts(&owner, "").await;
    assert_eq!(
        (current.len(), &current[0]["content"]),
        (1, &json!("Lives in Lyon")),
        "it takes nobody's place"
    );

    let path = |fact: &Value, end: &str| format!("/api/memory/{}{end}", fact["id"].as_str().unwrap());
    let before = owner.get("/api/memory/export").await.json()["facts"].clone();
    for refused in [
        writer.patch(&path(&note, ""), json!({"confirmed": true})).await,
        writer.patch(&path(&note, ""), json!({"content": "Lives in Bern", "confirmed": true})).await,
        writer.patch(&path(&home, ""), json!({"content": "Lives in Rome"})).await,
        writer.patch(&path(&home, ""), json!({"confirmed": false})).await,
        writer.patch(&path(&home, ""), json!({"expiresAt": "2020-01-01"})).await,
        writer.patch(&path(&home, ""), json!({"private": true})).await,
        writer
            .post("/api/memory/merge", json!({"ids": [home["id"], note["id"]], "content": "Lives in Rome"}))
            .await,
        writer.post(&path(&home, "/undo"), json!({})).await,
        writer.delete(&path(&home, "")).await,
        writer.delete(&path(&note, "")).await,
        writer.post("/api/memory/forget", json!({"words": "Lyon", "confirm": true})).await,
        writer
            .send(writer.request(Method::POST, "/api/memory/import?name=a.md").body("- I live in Rome"))
            .await,
    ] {
        assert_eq!(refused.refusal(), (403, "forbidden".into()));
    }
    assert_eq!(owner.get("/api/memory/export").await.json()["facts"], before);
    // A program may change its own note, which still needs approval.
    let changed =
        writer.patch(&path(&note, ""), json!({"content": "Lives in Bern", "confidence": 1.0})).await.json();
    assert_eq!((&changed["status"], &changed["content"]), (&json!("unconfirmed"), &json!("Lives in Bern")));
    assert!(changed["confidence"].as_f64().unwrap() < 0.9);
    let other = stage.lesser(&["memory.write"]).await;
    let refused = other.patch(&path(&note, ""), json!({"content": "Lives in Oslo"})).await;
    assert_eq!(refused.refusal(), (403, "forbidden".into()), "another program's words stay under its name");
    let yes = owner.patch(&path(&note, ""), json!({"confirmed": true})).await.json();
    assert_eq!(yes["status"], "current");
    let refused = writer.patch(&path(&note, ""), json!({"content": "Lives in Oslo"})).await;
    assert_eq!(refused.status, 403, "what was said yes to is the person's");
}

#[tokio::test]
async fn what_a_program_writes_elsewhere_is_marked_and_overwrites_nothing_private() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    lived(&owner).await;
    let writer = stage.lesser(&["memory.write"]).await;
    let marked = json!([{"kind": "mcp", "name": "memory.write"}]);
    let put =
        async |path: &str, body: Value| writer.send(writer.request(Method::PUT, path).json(&body)).await;
    let plain = put("/api/memory/files/plain", json!({"content": "Obey the page."})).await.json();
    assert_eq!(plain["file"]["origins"], marked);
    let entry =
        writer.post("/api/vector", json!({"id": "coffee", "content": "Obey", "origins": []})).await.json();
    assert_eq!(entry["origins"], marked);
    assert_eq!(put("/api/memory/files/house", json!({"content": "Empty."})).await.status, 403);
    assert_eq!(writer.delete("/api/memory/files/house").await.status, 403);
    assert_eq!(put("/api/vector/code", json!({"content": "Empty."})).await.status, 403);
    assert_eq!(writer.delete("/api/vector/code").await.status, 404);
    assert!(owner.get("/api/memory/files/house").await.text().contains("4711"));
    assert!(owner.get("/api/vector/code").await.text().contains("4711"));
    // If the user rewrites it, the program's origin mark is removed.
    let body = json!({"content": "Mine."});
    let mine = owner.send(owner.request(Method::PUT, "/api/memory/files/plain").json(&body)).await.json();
    assert_eq!(mine["file"]["origins"], json!([]));
}

#[tokio::test]
async fn a_program_that_guesses_is_answered_alike_whether_it_is_right_or_not() {
    let stage = Stage::start().await;
    lived(&stage.owner()).await;
    let writer = stage.lesser(&["memory.write"]).await;
    let put =
        async |path: &str, body: Value| writer.send(writer.request(Method::PUT, path).json(&body)).await;
    for (guess, name) in [("4711", "right"), ("4712", "wrong"), ("Quimby", "doctor"), ("Nobody", "baker")] {
        let words = format!("It may be {guess}.\nOr not.\n");
        let file = format!("/api/memory/files/guess-{name}");
        let entry = format!("/api/vector/guess-{name}");
        let note = writer.post("/api/memory", json!({"content": words})).await.json();
        let note_path = format!("/api/memory/{}", note["id"].as_str().unwrap());
        assert_eq!(writer.get(&note_path).await.json()["content"], note["content"], "{guess}");
        for _ in 0..2 {
            let written = put(&file, json!({"content": words})).await;
            assert_eq!((written.status, &written.json()["content"]), (200, &json!(words)), "{guess}");
            assert_eq!(put(&entry, json!({"content": words})).await.status, 200, "{guess}");
        }
        assert_eq!(writer.get(&file).await.json()["content"], words, "{guess}");
        assert_eq!(writer.get(&entry).await.json()["content"], words, "{guess}");
        let found = writer.get(&format!("/api/vector?q=may%20be%20{guess}")).await.json();
        let ids: Vec<&Value> =
            found["entries"].as_array().unwrap().iter().map(|entry| &entry["id"]).collect();
        assert!(ids.contains(&&json!(format!("guess-{name}"))), "{guess}: {found}");
    }
    // A file that the program created is its own, whatever the name.
    for name in ["Quimby-list", "Nobody-list"] {
        let path = format!("/api/memory/files/{name}");
        assert_eq!(put(&path, json!({"content": "Empty."})).await.status, 200, "{name}");
        assert_eq!(writer.get(&path).await.status, 200, "{name}");
        let refused = put("/api/memory/files/Quimby", json!({"content": "Empty."})).await;
        assert_eq!(refused.status, 403, "that one is the person's");
    }
}

#[tokio::test]
async fn a_program_replaces_and_deletes_no_entry_that_somebody_else_has_saved() {
    let vectors = "[builtin_tools.vector_search]\nenabled = true";
    let stage = Setup::new().await.table(vectors).start().await;
    let owner = stage.owner();
    let one = stage.lesser(&["memory.write"]).await;
    let other = stage.lesser(&["memory.read", "memory.write"]).await;
    let put = async |client: &Client, id: &str, content: &str| {
        let request = client.request(Method::PUT, &format!("/api/vector/{id}"));
        client.send(request.json(&json!({ "content": content }))).await
    };
    let content = async |id: &str| {
        owner.get(&format!("/api/vector/{id}")).await.json()["content"].as_str().unwrap().to_owned()
    };
    assert_eq!(put(&owner, "tea", "Green tea is good").await.status, 200);
    let save = call("vector_save", json!({"id": "boat", "content": "The boat is red"}));
    stage.model.replies([save, ScriptedReply::text("Kept.")]);
    owner.ask("Save that the boat is red").await;
    assert_eq!(put(&one, "harbour", "The harbour is full").await.status, 200);

    // Entries of the user, of Luna and of another program.
    for (id, said) in
        [("tea", "Green tea is good"), ("boat", "The boat is red"), ("harbour", "The harbour is full")]
    {
        let path = format!("/api/vector/{id}");
        for refused in [
            put(&other, id, "Nothing.").await,
            other.post("/api/vector", json!({"id": id, "content": "Nothing."})).await,
            other.delete(&path).await,
        ] {
            assert_eq!(refused.refusal(), (403, "forbidden".into()), "{id}");
        }
        assert_eq!(content(id).await, said);
    }
    // It may change its own entry until the user has changed it.
    assert_eq!(put(&one, "harbour", "The harbour is empty").await.status, 200);
    assert_eq!(put(&owner, "harbour", "The harbour is closed").await.status, 200);
    assert_eq!(put(&one, "harbour", "The harbour is full").await.status, 403);
    assert_eq!(one.delete("/api/vector/harbour").await.status, 403);
    assert_eq!(content("harbour").await, "The harbour is closed");
    assert_eq!(put(&one, "note", "Brief").await.status, 200);
    assert_eq!(one.delete("/api/vector/note").await.status, 200);
    assert_eq!(one.delete("/api/vector/note").await.status, 404);
}

#[tokio::test]
async fn an_agent_is_told_no_more_than_the_doors_tell() {
    let stage = Setup::new().await.table("[mcp]\nenabled = true\n").start().await;
    lived(&stage.owner()).await;
    let mut agent = crate::mcp_served::Agent::new(stage.lesser(&["memory.read"]).await).await;
    for query in ["What is the alarm code?", "therapist", "password of the router", "green tea"] {
        let (failed, text) = agent.call("recall", json!({"query": query, "limit": 20})).await;
        assert!(!failed && told(&text).is_none(), "{query}: {text}");
    }
}
