//! The list of conversations: pages, search, order, deletion, export and import.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Client, Stage};

async fn made(client: &Client, title: &str) -> String {
    let chat = client.post("/api/chats/new", json!({ "title": title })).await.json();
    chat["id"].as_str().unwrap().to_owned()
}

fn titles(list: &Value) -> Vec<&str> {
    list["chats"].as_array().unwrap().iter().map(|chat| chat["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_list_comes_in_pages_that_join() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    assert_eq!(
        owner.get("/api/chats").await.json(),
        json!({ "chats": [], "next": null, "current": null, "folders": [], "tags": [] })
    );
    for number in 0..23 {
        made(&owner, &format!("Chat {number}")).await;
    }
    let (mut seen, mut cursor, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let list = owner.get(&format!("/api/chats?limit=5{cursor}")).await.json();
        let page = titles(&list);
        assert!(page.len() == 5 || list["next"].is_null(), "{page:?}");
        seen.extend(page.into_iter().map(str::to_owned));
        pages += 1;
        // A conversation added between two pages must not shift the rest.
        if pages == 2 {
            made(&owner, "In between").await;
        }
        match list["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let expected: Vec<String> = (0..23).rev().map(|number| format!("Chat {number}")).collect();
    assert_eq!(seen, expected, "newest first, each once");

    for wrong in ["limit=abc", "cursor=nonsense", "cursor=1.2", "limit=-1"] {
        assert_eq!(
            owner.get(&format!("/api/chats?{wrong}")).await.refusal(),
            (400, "badRequest".into()),
            "{wrong}"
        );
    }
    for (asked, given) in [(0, 1), (1_000_000, 24)] {
        let list = owner.get(&format!("/api/chats?limit={asked}")).await.json();
        assert_eq!(titles(&list).len(), given, "limit={asked}");
    }
}

#[tokio::test]
async fn a_long_conversation_comes_in_pages() {
    let stage = Stage::start().await;
    stage.model.otherwise("Yes.");
    let owner = stage.owner();
    let mut conversation = String::new();
    for number in 0..7 {
        conversation = owner.ask(&format!("Message {number}")).await[0].field("conversationId").to_owned();
    }
    let mut ids = Vec::new();
    let mut before = String::new();
    loop {
        let view = owner.get(&format!("/api/chats/{conversation}?limit=4{before}")).await.json();
        let page: Vec<String> = view["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["id"].as_str().unwrap().to_owned())
            .collect();
        ids.splice(0..0, page);
        match view["before"].as_str() {
            Some(id) => before = format!("&before={id}"),
            None => break,
        }
    }
    let whole: Vec<String> = owner
        .messages(&conversation)
        .await
        .iter()
        .map(|message| message["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids, whole);
    assert_eq!(ids.len(), 14);
}

#[tokio::test]
async fn conversations_are_named_pinned_filed_and_tagged() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let (sea, moon) = (made(&owner, "Sea").await, made(&owner, "Moon").await);
    let path = format!("/api/chats/{sea}");
    let patched = owner.patch(&path, json!({ "title": "  The Sea  ", "pinned": true, "folder": "Water", "tags": ["blue", "deep", "blue", " "] })).await.json();
    assert_eq!(
        (&patched["title"], &patched["pinned"], &patched["folder"]),
        (&json!("The Sea"), &json!(true), &json!("Water"))
    );
    assert_eq!(patched["tags"], json!(["blue", "deep"]));
    let list = owner.get("/api/chats").await.json();
    assert_eq!(titles(&list), ["The Sea", "Moon"], "pinned before all");
    assert_eq!(list["folders"], json!([{ "name": "Water", "chats": 1 }]));
    owner.patch(&format!("/api/chats/{moon}"), json!({ "tags": ["deep"] })).await.json();
    let list = owner.get("/api/chats?tag=blue").await.json();
    let counted = json!([{ "name": "deep", "chats": 2 }, { "name": "blue", "chats": 1 }]);
    assert_eq!(list["tags"], counted, "the most used first, whatever is filtered");
    owner.delete(&format!("/api/chats/{moon}")).await;
    assert_eq!(owner.get("/api/chats").await.json()["tags"][0]["chats"], 1, "the deleted do not count");
    owner.post(&format!("/api/chats/{moon}/restore"), json!({})).await;
    owner.patch(&format!("/api/chats/{moon}"), json!({ "tags": [] })).await.json();
    for (query, expected) in [
        ("folder=Water", vec!["The Sea"]),
        ("tag=deep", vec!["The Sea"]),
        ("tag=none", vec![]),
        ("folder=Air", vec![]),
    ] {
        assert_eq!(titles(&owner.get(&format!("/api/chats?{query}")).await.json()), expected, "{query}");
    }
    let cleared = owner.patch(&path, json!({ "folder": "", "tags": [], "pinned": false })).await.json();
    assert_eq!(
        (&cleared["folder"], &cleared["tags"], &cleared["title"]),
        (&Value::Null, &json!([]), &json!("The Sea")),
        "the rest stays"
    );
    assert_eq!(owner.patch(&path, json!({ "pinned": "yes" })).await.refusal(), (400, "badRequest".into()));
    assert_eq!(owner.patch(&path, json!({})).await.json(), cleared);
}

#[tokio::test]
async fn what_is_deleted_is_out_of_sight_and_can_come_back() {
    let stage = Stage::start().await;
    stage.model.reply("The tide is high.");
    let owner = stage.owner();
    let events = owner.ask("Tell me about the tide").await;
    let id = events[0].field("conversationId");
    let path = format!("/api/chats/{id}");
    let before = owner.get(&format!("{path}/export?format=json")).await.text();
    owner.delete(&path).await.json();
    for gone in [path.clone(), format!("{path}/export"), format!("/api/chats/{id}?limit=5")] {
        assert_eq!(owner.get(&gone).await.refusal(), (404, "notFound".into()), "{gone}");
    }
    assert_eq!(titles(&owner.get("/api/chats").await.json()), Vec::<&str>::new());
    assert_eq!(owner.get("/api/chats/search?q=tide").await.json()["hits"], json!([]));
    assert!(!owner.get("/api/export").await.text().contains("tide"));
    assert_eq!(owner.delete(&path).await.refusal(), (404, "notFound".into()));

    owner.post(&format!("{path}/restore"), json!({})).await.json();
    assert_eq!(owner.get(&format!("{path}/export?format=json")).await.text(), before);
    assert!(!owner.get("/api/chats/search?q=tide").await.json()["hits"].as_array().unwrap().is_empty());
    assert_eq!(owner.post(&format!("{path}/restore"), json!({})).await.refusal(), (404, "notFound".into()));
}

/// Returns the marked parts of a snippet; positions are UTF-16 units, as in JavaScript.
fn marked(hit: &Value) -> Vec<String> {
    let units: Vec<u16> = hit["snippet"].as_str().unwrap().encode_utf16().collect();
    let place = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let marks = hit["marks"].as_array().unwrap().iter();
    marks.map(|mark| String::from_utf16(&units[place(&mark[0])..place(&mark[1])]).unwrap()).collect()
}

#[tokio::test]
async fn search_finds_words_wherever_they_stand_and_marks_them() {
    let stage = Stage::start().await;
    stage.model.replies(["🌙 Ebb follows Über-flood 🌊 twice a day.", "月の満ち欠け", "Nothing here."]);
    let owner = stage.owner();
    for message in ["Erzähl mir von Ebbe und Flut", "月について", "Unrelated words"] {
        owner.post("/api/chats/new", json!({})).await.json();
        owner.ask(message).await;
    }
    let cases: [(&str, &str, &str); 6] = [
        ("flut", "user", "Flut"),
        ("FLOOD ebb", "assistant", "flood"),
        ("uber", "assistant", "Über"),
        ("月の", "assistant", "月の"),
        ("unrel", "user", "Unrel"),
        ("erzahl", "user", "Erzähl"),
    ];
    for (words, role, mark) in cases {
        let results = owner.get(&format!("/api/chats/search?q={}", words.replace(' ', "%20"))).await.json();
        let hits = results["hits"].as_array().unwrap();
        let hit = hits.iter().find(|hit| hit["role"] == role).unwrap_or_else(|| panic!("{words}: {results}"));
        assert!(marked(hit).iter().any(|text| text.contains(mark)), "{words}: {:?} in {hit}", marked(hit));
    }
    // Query syntax and malformed queries are treated as plain words.
    for odd in [
        "%22",
        "%22a%22%20OR%20%22b",
        "NEAR(",
        "*",
        "a%20AND",
        "-",
        "%00",
        "%27%3B--",
        "title%3Ax",
        "%F0%9F%8C%99",
        "+",
    ] {
        assert_eq!(owner.get(&format!("/api/chats/search?q={odd}")).await.status, 200, "{odd}");
    }
    assert_eq!(owner.get("/api/chats/search").await.refusal(), (400, "badRequest".into()));
    assert_eq!(owner.get("/api/chats/search?q=flut&cursor=zzz").await.refusal(), (400, "badRequest".into()));
    assert_eq!(owner.get(&format!("/api/chats/search?q={}", "moon%20".repeat(500))).await.status, 200);
}

#[tokio::test]
async fn search_results_come_in_pages_each_once() {
    let stage = Stage::start().await;
    stage.model.otherwise("Indeed.");
    let owner = stage.owner();
    for number in 0..12 {
        owner.ask(&format!("The moon, part {number}")).await;
    }
    let (mut messages, mut found, mut cursor) = (BTreeSet::new(), 0, String::new());
    loop {
        let results = owner.get(&format!("/api/chats/search?q=moon&limit=5{cursor}")).await.json();
        for hit in results["hits"].as_array().unwrap().iter().filter(|hit| !hit["message"].is_null()) {
            assert_eq!(marked(hit), ["moon"]);
            messages.insert(hit["message"].as_str().unwrap().to_owned());
            found += 1;
        }
        match results["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!((messages.len(), found), (12, 12));
}

#[tokio::test]
async fn a_conversation_can_be_taken_away_as_markdown_or_json() {
    let stage = Stage::start().await;
    stage.model.replies(["First *answer*.", "Second answer."]);
    let owner = stage.owner();
    let attachment = json!({ "name": "notes.txt", "mime": "text/plain", "data": "bW9vbg==" });
    let events = owner
        .say(json!({ "message": "Mond “und” 🌙\r\nX-Evil: 1", "attachments": [attachment] }))
        .await
        .rest()
        .await;
    let id = events[0].field("conversationId");
    owner.patch(&format!("/api/chats/{id}"), json!({ "title": "Mond “und” 🌙" })).await.json();
    let request = owner.request(reqwest::Method::POST, &format!("/api/chats/{id}/regenerate"));
    owner.open(request.json(&json!({ "messageId": events[0].field("messageId") }))).await.rest().await;

    for query in ["", "?format=md"] {
        let markdown = owner.get(&format!("/api/chats/{id}/export{query}")).await;
        assert_eq!(markdown.header("content-type"), Some("text/markdown; charset=utf-8"));
        let name = markdown.header("content-disposition").unwrap();
        assert!(name.starts_with("attachment; ") && name.contains(".md"), "{name}");
        let text = markdown.text();
        assert!(text.starts_with("# Mond “und” 🌙\n"), "{text}");
        assert!(
            text.contains("Second answer.") && !text.contains("First *answer*"),
            "the branch that is shown: {text}"
        );
        assert!(text.contains("Attached: notes.txt"), "{text}");
    }
    let json = owner.get(&format!("/api/chats/{id}/export?format=json")).await.json();
    assert_eq!(json["messages"].as_array().unwrap().len(), 3, "all branches");
    assert_eq!(json["messages"][0]["attachments"][0]["data"], "bW9vbg==");
    assert_eq!(
        owner.get(&format!("/api/chats/{id}/export?format=pdf")).await.refusal(),
        (400, "badRequest".into())
    );
}

#[tokio::test]
async fn everything_can_be_taken_away_and_brought_back() {
    let stage = Stage::start().await;
    stage.model.otherwise("An answer.");
    let owner = stage.owner();
    let attachment = json!({ "name": "moon.png", "mime": "image/png", "data": "iVBORw==" });
    owner.say(json!({ "message": "First", "attachments": [attachment] })).await.rest().await;
    let first = owner.ask("Second").await;
    owner
        .say(json!({ "message": "Second, edited", "editOf": first[0].field("userMessageId") }))
        .await
        .rest()
        .await;
    let path = format!("/api/chats/{}", first[0].field("conversationId"));
    owner
        .patch(&path, json!({ "title": "Kept", "pinned": true, "folder": "F", "tags": ["a", "b"] }))
        .await
        .json();
    let empty = made(&owner, "Empty").await;
    let exported = owner.get("/api/export").await;
    assert!(exported.header("content-disposition").unwrap().contains("perigee-export.json"));
    let document = exported.json();
    assert_eq!(document["conversations"].as_array().unwrap().len(), 2);

    // An import into another data folder gives an identical export.
    let other = Stage::start().await;
    let report = other.owner().post("/api/import", document.clone()).await.json();
    assert_eq!((report["conversations"].as_array().unwrap().len(), &report["messages"]), (2, &json!(6)));
    assert_eq!(other.owner().get("/api/export").await.json(), document);
    assert!(
        !other.owner().get("/api/chats/search?q=edited").await.json()["hits"].as_array().unwrap().is_empty()
    );
    other.model.reply("Goes on.");
    other.owner().ask_in(&json!(first[0].field("conversationId")), "Third").await;
    assert!(other.model.last_chat().to_string().contains("Second, edited"));

    // An import into the same data folder adds copies and leaves the existing data unchanged.
    owner.post("/api/import", document.clone()).await.json();
    let doubled = owner.get("/api/export").await.json();
    assert_eq!(doubled["conversations"].as_array().unwrap().len(), 4);
    for conversation in document["conversations"].as_array().unwrap() {
        assert!(doubled["conversations"].as_array().unwrap().contains(conversation));
    }
    drop(empty);
}

#[tokio::test]
async fn an_import_is_taken_whole_or_not_at_all() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    owner.ask("Hello").await;
    let document = owner.get("/api/export").await.json();
    let good = document["conversations"][0].clone();
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        json!({ "conversations": [good, bad] })
    };
    let cases: [(&str, Value); 9] = [
        ("no conversations", json!({})),
        ("not a list", json!({ "conversations": 5 })),
        ("a newer format", broken(&|bad| bad["format"] = json!(99))),
        ("a parent that is missing", broken(&|bad| bad["messages"][1]["parent"] = json!("0000000000009"))),
        ("a ring", broken(&|bad| bad["messages"][0]["parent"] = bad["messages"][1]["id"].clone())),
        (
            "the same message twice",
            broken(&|bad| bad["messages"][1]["id"] = bad["messages"][0]["id"].clone()),
        ),
        ("a leaf that is missing", broken(&|bad| bad["leaf"] = json!("0000000000009"))),
        ("no time", broken(&|bad| bad["createdAt"] = json!("yesterday"))),
        (
            "an attachment that is none",
            broken(&|bad| {
                bad["messages"][0]["attachments"] = json!([{ "name": "a", "mime": "b", "data": "%%" }]);
            }),
        ),
    ];
    for (name, body) in cases {
        assert_eq!(owner.post("/api/import", body).await.refusal(), (400, "badRequest".into()), "{name}");
        assert_eq!(owner.get("/api/export").await.json(), document, "{name}");
    }
}
