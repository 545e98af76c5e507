//! `/v1` at the level of HTTP.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Flavour, Gate, RecordedRequest, ScriptedReply};

use crate::support::{Client, Setup, Stage};

fn question(model: &str, more: Value) -> Value {
    let mut request = json!({ "model": model, "messages": [{ "role": "user", "content": "Good evening" }] });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

fn weather() -> Value {
    let parameters =
        json!({ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] });
    json!([{ "type": "function", "function": { "name": "weather", "description": "The weather.", "parameters": parameters } }])
}

/// Returns the chunks of a streamed answer, which must end with the marker and nothing after it.
async fn chunks(client: &Client, request: Value) -> Vec<Value> {
    let mut stream = client.open(client.request(Method::POST, "/v1/chat/completions").json(&request)).await;
    let mut chunks = Vec::new();
    while let Some(text) = stream.next_text().await {
        if text == "[DONE]" {
            assert_eq!(stream.next_text().await, None);
            return chunks;
        }
        chunks.push(serde_json::from_str(&text).unwrap());
    }
    panic!("no [DONE] after {chunks:?}");
}

async fn whole(client: &Client, request: Value) -> Value {
    client.post("/v1/chat/completions", request).await.json()
}

fn said(chunks: &[Value]) -> String {
    chunks.iter().filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str()).collect()
}

#[tokio::test]
async fn an_answer_comes_streamed_or_whole_from_her_or_from_the_bare_model() {
    let stage = Stage::start().await;
    stage
        .model
        .otherwise(ScriptedReply::chunks(["<think>Hm.</think>", "Good ", "evening."]).usage(30, 10, 4));
    let owner = stage.owner();
    for (model, answers_as) in [("luna", "luna"), ("scripted", "scripted"), ("anything", "scripted")] {
        let chunks = chunks(
            &owner,
            question(model, json!({ "stream": true, "stream_options": { "include_usage": true } })),
        )
        .await;
        assert_eq!(chunks[0]["choices"][0]["delta"]["role"], "assistant");
        for chunk in &chunks {
            assert_eq!(
                (&chunk["object"], &chunk["model"]),
                (&json!("chat.completion.chunk"), &json!(answers_as))
            );
            assert_eq!(chunk["id"], chunks[0]["id"]);
            assert!(chunk["created"].is_i64());
        }
        let finish: Vec<_> =
            chunks.iter().filter_map(|chunk| chunk["choices"][0]["finish_reason"].as_str()).collect();
        assert_eq!(finish, ["stop"]);
        let usage = chunks.last().unwrap();
        assert_eq!(usage["choices"], json!([]), "the cost comes last, by itself");
        assert_eq!(
            (
                &usage["usage"]["prompt_tokens"],
                &usage["usage"]["completion_tokens"],
                &usage["usage"]["total_tokens"]
            ),
            (&json!(30), &json!(4), &json!(34))
        );

        let whole = whole(&owner, question(model, json!({}))).await;
        assert_eq!(whole["object"], "chat.completion");
        assert_eq!(whole["choices"][0]["finish_reason"], "stop");
        assert_eq!(whole["usage"]["prompt_tokens_details"]["cached_tokens"], 10);
        let message = &whole["choices"][0]["message"];
        assert_eq!(message["role"], "assistant");
        // Luna's answer separates thoughts from text; the bare model's output is passed through.
        if model == "luna" {
            assert_eq!(said(&chunks), "Good evening.");
            assert_eq!(
                (&message["content"], &message["reasoning_content"]),
                (&json!("Good evening."), &json!("Hm."))
            );
        } else {
            assert!(said(&chunks).ends_with("Good evening."));
        }
    }
    let without = chunks(&owner, question("luna", json!({ "stream": true }))).await;
    assert!(without.iter().all(|chunk| chunk.get("usage").is_none_or(Value::is_null)));
}

#[tokio::test]
async fn she_answers_with_her_soul_and_the_bare_model_without_and_nothing_is_kept() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let messages = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": "One" },
        { "role": "assistant", "content": "1" },
        { "role": "user", "content": [{ "type": "text", "text": "Two" }] },
    ]);
    let request = |model: &str| json!({ "model": model, "messages": messages, "max_tokens": 5, "temperature": 0, "seed": 3, "stop": "END" });
    whole(&owner, request("luna")).await;
    let hers = stage.model.last_chat();
    let system = hers["messages"][0]["content"].as_str().unwrap();
    assert!(system.contains("Luna") && system.ends_with("Be brief."), "{system}");
    assert_eq!(hers["messages"].as_array().unwrap().len(), 4);
    whole(&owner, request("bare")).await;
    let bare = stage.model.last_chat();
    assert_eq!(bare["messages"][0]["content"], "Be brief.");
    for sent in [&hers, &bare] {
        assert_eq!(
            (&sent["max_tokens"], &sent["temperature"], &sent["seed"]),
            (&json!(5), &json!(0.0), &json!(3))
        );
        assert_eq!(sent["stop"], json!(["END"]));
    }
    assert!(hers["tools"].to_string().contains("calculate"), "she has her hands");
    assert!(bare.get("tools").is_none());
    assert_eq!(owner.get("/api/chats").await.json()["chats"], json!([]), "nothing of it is kept");

    let requests = stage.model.chats().len();
    let time = whole(
        &owner,
        json!({ "model": "luna", "messages": [{ "role": "user", "content": "What time is it?" }] }),
    )
    .await;
    assert!(time["choices"][0]["message"]["content"].as_str().unwrap().starts_with("It is "));
    assert_eq!(stage.model.chats().len(), requests, "she needs no model for that");
}

#[tokio::test]
async fn another_program_meets_her_memory_but_for_what_is_private() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    for (content, private) in [("My dog is called Max", false), ("My dog has a bank account at Bosch", true)]
    {
        owner.post("/api/memory", json!({ "content": content, "private": private })).await.json();
    }
    let asked = |model: &str, more: Value| {
        let mut request = json!({
            "model": model,
            "messages": [{ "role": "user", "content": "What is my dog called, and where is its bank account?" }],
        });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let last =
        || stage.model.last_chat()["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    whole(&owner, asked("luna", json!({}))).await;
    let hers = last();
    assert!(hers.contains("Max") && hers.contains("<context>") && !hers.contains("Bosch"), "{hers}");
    assert!(hers.ends_with("bank account?\""), "{hers}");
    for (model, more) in [("bare", json!({})), ("luna", json!({ "tools": weather() }))] {
        whole(&owner, asked(model, more)).await;
        assert!(!last().contains("Max"), "{model}: {}", last());
    }
    assert_eq!(owner.get("/api/memory").await.json()["total"], 2, "nothing is learned from it");
}

#[tokio::test]
async fn the_form_of_the_answer_is_the_clients_choice() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let schema = json!({ "type": "object", "properties": { "hour": { "type": "integer" } } });
    let format = json!({ "type": "json_schema", "json_schema": { "name": "time", "schema": schema } });
    for model in ["luna", "scripted"] {
        stage.model.reply("{\"hour\": 8}");
        let question = json!([{ "role": "user", "content": "What time is it?" }]);
        let request = json!({ "model": model, "messages": question, "response_format": format });
        let answer = whole(&owner, request).await;
        assert_eq!(answer["choices"][0]["message"]["content"], "{\"hour\": 8}", "{model}");
        assert_eq!(stage.model.last_chat()["response_format"]["json_schema"]["schema"], schema, "{model}");
    }
    whole(&owner, question("luna", json!({ "response_format": { "type": "text" } }))).await;
    assert!(stage.model.last_chat().get("response_format").is_none());
}

#[tokio::test]
async fn the_cost_is_told_also_where_no_model_was_needed() {
    let stage = Stage::start().await;
    let request = json!({
        "model": "luna", "messages": [{ "role": "user", "content": "What time is it?" }],
        "stream": true, "stream_options": { "include_usage": true },
    });
    let chunks = chunks(&stage.owner(), request).await;
    assert!(said(&chunks).starts_with("It is "));
    let last = chunks.last().unwrap();
    assert_eq!((&last["choices"], &last["usage"]["total_tokens"]), (&json!([]), &json!(0)));
    assert!(stage.model.chats().is_empty());
}

#[tokio::test]
async fn a_clients_own_tools_are_passed_through() {
    for flavour in [Flavour::OpenAi, Flavour::Ollama] {
        let setup = Setup::of(flavour).await;
        setup.model.when(
            |request: &RecordedRequest| {
                request.json()["messages"].as_array().is_some_and(|all| all.last().unwrap()["role"] == "tool")
            },
            ScriptedReply::text("Take an umbrella."),
        );
        setup.model.otherwise(
            ScriptedReply::chunks(["Let me see."])
                .tool_call_piece(0, Some("call_a"), Some("weather"), "{\"city\":")
                .tool_call_piece(0, None, None, " \"Kiel\"}")
                .tool_call("call_b", "weather", "{\"city\": \"Köln\"}"),
        );
        let stage = setup.start().await;
        let owner = stage.owner();
        for model in ["luna", "scripted"] {
            let request = question(model, json!({ "tools": weather() }));
            let answer = whole(&owner, request.clone()).await;
            let sent = stage.model.last_chat();
            assert_eq!(sent["tools"], weather(), "{flavour:?} {model}");
            let choice = &answer["choices"][0];
            assert_eq!(choice["finish_reason"], "tool_calls", "{flavour:?} {model}");
            let calls = choice["message"]["tool_calls"].as_array().unwrap().clone();
            let cities: Vec<Value> = calls
                .iter()
                .map(|call| serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap())
                .collect();
            assert_eq!(cities, [json!({ "city": "Kiel" }), json!({ "city": "Köln" })], "{flavour:?} {model}");
            assert!(
                calls.iter().all(|call| call["type"] == "function" && call["function"]["name"] == "weather")
            );
            assert_ne!(calls[0]["id"], calls[1]["id"]);

            let streamed =
                chunks(&owner, question(model, json!({ "tools": weather(), "stream": true }))).await;
            let mut joined = [String::new(), String::new()];
            for call in streamed
                .iter()
                .filter_map(|chunk| chunk["choices"][0]["delta"]["tool_calls"].as_array())
                .flatten()
            {
                let index = usize::try_from(call["index"].as_u64().unwrap()).unwrap();
                joined[index].push_str(call["function"]["arguments"].as_str().unwrap());
            }
            let joined: Vec<Value> = joined.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
            assert_eq!(joined, cities, "{flavour:?} {model}");
            assert_eq!(
                streamed.iter().rev().find_map(|chunk| chunk["choices"][0]["finish_reason"].as_str()),
                Some("tool_calls")
            );

            // The client has run the tools, and the conversation continues.
            let mut messages = vec![request["messages"][0].clone(), choice["message"].clone()];
            messages.extend(
                calls
                    .iter()
                    .map(|call| json!({ "role": "tool", "tool_call_id": call["id"], "content": "Rain" })),
            );
            let last =
                whole(&owner, json!({ "model": model, "messages": messages, "tools": weather() })).await;
            assert_eq!(last["choices"][0]["message"]["content"], "Take an umbrella.");
            let sent = stage.model.last_chat()["messages"].as_array().unwrap().clone();
            let made = sent.iter().find(|message| message["role"] == "assistant").unwrap();
            assert_eq!(made["tool_calls"].as_array().unwrap().len(), 2, "{flavour:?} {model}");
            assert_eq!(sent.iter().filter(|message| message["role"] == "tool").count(), 2);
        }
    }
}

#[tokio::test]
async fn how_tools_are_chosen_is_the_clients_choice() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let named = json!({ "type": "function", "function": { "name": "weather" } });
    for model in ["luna", "scripted"] {
        for choice in [json!("none"), json!("required"), named.clone()] {
            whole(&owner, question(model, json!({ "tools": weather(), "tool_choice": choice }))).await;
            assert_eq!(stage.model.last_chat()["tool_choice"], choice, "{model}");
        }
        let refused = owner
            .post(
                "/v1/chat/completions",
                question(model, json!({ "tools": weather(), "tool_choice": "perhaps" })),
            )
            .await;
        assert_eq!(refused.status, 400, "{model}");
    }
}

/// Returns the status and message of an error in OpenAI's format.
fn error(status: u16, body: &str) -> (u16, String) {
    let body: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error} in {body:?}"));
    assert!(body["error"]["type"].is_string(), "{body}");
    (status, body["error"]["message"].as_str().unwrap_or_else(|| panic!("no words: {body}")).to_owned())
}

#[tokio::test]
async fn token_ids_mean_something_else_to_every_model_and_are_refused_in_words() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    for (input, says) in [
        (
            json!([9906, 1917]),
            "input holds 2 token IDs, which mean something else to every model: send the texts",
        ),
        (json!([[9906], [1917, 0]]), "input holds 3 token IDs"),
        (json!([]), "input has 0 texts"),
        (json!(["Hello", 9906]), "`input` should be a text, or a list of texts"),
        (json!([-1]), "`input` should be a text, or a list of texts"),
        (json!({ "text": "Hello" }), "`input` should be a text, or a list of texts"),
    ] {
        let request = json!({ "model": "text-embedding-3-small", "input": input });
        let answer = owner.post("/v1/embeddings", request).await;
        let (status, words) = error(answer.status, &answer.text());
        assert!(status == 400 && words.contains(says), "{input}: {status} {words}");
    }
}

#[tokio::test]
async fn more_than_one_answer_at_a_time_is_refused_in_words() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    for model in ["luna", "scripted"] {
        for n in [0, 2] {
            for stream in [false, true] {
                let request = question(model, json!({ "n": n, "stream": stream }));
                let answer = owner.post("/v1/chat/completions", request).await;
                let (status, words) = error(answer.status, &answer.text());
                let says = format!("n is {n}, but there is one answer at a time: leave out n");
                assert!(status == 400 && words.starts_with(&says), "{model}: {status} {words}");
            }
        }
    }
    assert!(stage.model.chats().is_empty(), "the model is asked for nothing that is refused");
    stage.model.reply("Good evening.");
    assert_eq!(whole(&owner, question("luna", json!({ "n": 1 }))).await["choices"][0]["index"], 0);
}

#[tokio::test]
async fn errors_are_in_the_form_that_openais_clients_read() {
    let stage = Setup::new().await.llm("retries = 0").start().await;
    let owner = stage.owner();
    let path = "/v1/chat/completions";
    let user = json!([{ "role": "user", "content": "Hi" }]);
    let cases: [(Value, u16); 9] = [
        (json!({}), 400),
        (json!({ "model": "luna" }), 400),
        (json!({ "model": "luna", "messages": [] }), 400),
        (json!({ "model": "luna", "messages": "Hi" }), 400),
        (json!({ "model": "luna", "messages": [{ "role": "wizard", "content": "Hi" }] }), 400),
        (json!({ "model": "luna", "messages": user, "n": 3 }), 400),
        (
            json!({ "model": "luna", "messages": [{ "role": "user", "content": [{ "type": "image_url", "image_url": { "url": "https://example.org/a.png" } }] }] }),
            400,
        ),
        (
            json!({ "model": "luna", "messages": [{ "role": "user", "content": [{ "type": "image_url", "image_url": { "url": "file:///etc/passwd" } }] }] }),
            400,
        ),
        (json!({ "model": 5, "messages": user }), 400),
    ];
    for (request, status) in cases {
        let answer = owner.post(path, request.clone()).await;
        assert_eq!(error(answer.status, &answer.text()).0, status, "{request}: {}", answer.text());
    }
    for (client, status) in [(stage.stranger(), 401), (stage.lesser(&["voice"]).await, 403)] {
        let answer = client.post(path, question("luna", json!({}))).await;
        assert_eq!(error(answer.status, &answer.text()).0, status);
    }
    let typed =
        owner.send(owner.request(Method::POST, path).header("content-type", "text/plain").body("{}")).await;
    assert_eq!(error(typed.status, &typed.text()).0, 415);
    let broken = owner
        .send(owner.request(Method::POST, path).header("content-type", "application/json").body("{"))
        .await;
    assert_eq!(error(broken.status, &broken.text()).0, 400);
    let missing = owner.get("/v1/models/nobody").await;
    assert_eq!(error(missing.status, &missing.text()).0, 404);

    for model in ["luna", "scripted"] {
        stage.model.reply(ScriptedReply::status(500, r#"{"error":{"message":"out of memory"}}"#));
        let failed = owner.post(path, question(model, json!({}))).await;
        let (status, words) = error(failed.status, &failed.text());
        assert!(status == 502 && words.contains("out of memory"), "{model}: {words}");
        stage.model.reply(ScriptedReply::chunks(["Hello wor"]).cut());
        let streamed = chunks(&owner, question(model, json!({ "stream": true }))).await;
        assert_eq!(said(&streamed), "Hello wor");
        assert!(
            streamed.last().unwrap()["error"]["message"].as_str().unwrap().contains("broke in the middle"),
            "{model}"
        );
    }
    assert!(stage.is_alive().await);
}

#[tokio::test]
async fn a_client_that_goes_away_ends_the_request() {
    let stage = Stage::start().await;
    let gate = Gate::closed();
    stage.model.otherwise(ScriptedReply::chunks(["One "]).wait(&gate));
    let owner = stage.owner();
    let mut gone = 0;
    for model in ["luna", "scripted"] {
        let request = owner
            .request(Method::POST, "/v1/chat/completions")
            .json(&question(model, json!({ "stream": true })));
        let mut stream = owner.open(request).await;
        while !stream.next_text().await.unwrap().contains("One ") {}
        drop(stream);
        gone += 1;
        stage.model.hung_up(gone).await;

        // A client that waits for the complete answer can hang up too.
        let (client, body) = (owner.clone(), question(model, json!({})));
        let waiting = tokio::spawn(async move { client.post("/v1/chat/completions", body).await });
        stage.model.asked(gone + 1).await;
        waiting.abort();
        gone += 1;
        stage.model.hung_up(gone).await;
    }
    let metrics = owner.get("/metrics").await.text();
    let value =
        |name: &str| metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    assert_eq!(value("perigee_requests_in_flight "), Some(1), "this one alone: {metrics}");
}

#[tokio::test]
async fn the_models_that_can_be_named_are_listed() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    owner.ask("Hello").await;
    let list = owner.get("/v1/models").await.json();
    let ids: Vec<_> =
        list["data"].as_array().unwrap().iter().map(|model| model["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["luna", "scripted"]);
    for id in ids {
        assert_eq!(owner.get(&format!("/v1/models/{id}")).await.json()["id"], json!(id));
    }
}
