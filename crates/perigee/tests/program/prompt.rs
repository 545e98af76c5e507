//! The prompt as sent to the model.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use testkit::{Flavour, ScriptedModel, ScriptedReply};

use crate::support::{Setup, Socket, Stage, kinds, text};

/// Returns the messages of the last request.
fn prompt(model: &ScriptedModel) -> Vec<Value> {
    model.last_chat()["messages"].as_array().unwrap().clone()
}

fn content(message: &Value) -> &str {
    message["content"].as_str().unwrap_or_else(|| panic!("not plain text: {message}"))
}

#[tokio::test]
async fn the_prompt_grows_only_at_its_end() {
    let mut stage = Stage::start().await;
    stage.model.replies(["<think>Hm.</think>\n\nOne.", "Two.", "Three.", "Four."]);
    let mut prompts: Vec<Vec<Value>> = Vec::new();
    for (number, message) in ["First", "Second", "Third", "Fourth"].into_iter().enumerate() {
        if number == 3 {
            stage.stop().await;
            stage.start_server().await;
        }
        stage.owner().ask(message).await;
        prompts.push(prompt(&stage.model));
    }
    for (earlier, later) in prompts.iter().zip(&prompts[1..]) {
        assert_eq!(earlier[..], later[..earlier.len()], "word for word");
        assert_eq!(later.len(), earlier.len() + 2);
    }
    let last = &prompts[3];
    let roles: Vec<_> = last.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user", "assistant", "user", "assistant", "user"]);
    assert_eq!((content(&last[2]), content(&last[4])), ("One.", "Two."));
    let question = content(&last[7]);
    assert!(
        question.starts_with("<context>\nIt is ") && question.ends_with("</context>\n\nFourth"),
        "{question}"
    );
    assert!(
        !content(&last[0]).contains(':') || !content(&last[0]).contains("It is "),
        "the time is not in the prefix"
    );
}

#[tokio::test]
async fn soul_files_open_the_prompt_in_order_and_heartbeat_is_not_among_them() {
    let setup = Setup::new().await.table("[companion]\nname = \"Nova\"\nuser_name = \"Ada\"");
    setup.home.write("soul/b-second.md", "I am {{name}}.");
    setup.home.write("soul/a-first.md", "I know {{user}}.");
    setup.home.write("soul/heartbeat.md", "never in a conversation");
    setup.home.write("soul/notes.txt", "not a soul file");
    let stage = setup.start().await;
    let owner = stage.owner();
    let first = owner.ask("Hello").await;
    let system = content(&prompt(&stage.model)[0]).to_owned();
    assert!(system.starts_with("I know Ada.\n\nI am Nova.\n\nIn an answer you may show"), "{system}");
    assert!(system.lines().last().unwrap().starts_with("Today is "), "{system}");
    assert!(!system.contains("never in a conversation") && !system.contains("not a soul file"));

    // An edited soul file takes effect in the next turn, and the conversation is kept.
    stage.home.write("soul/a-first.md", "I have known {{user}} for years.");
    owner.ask("And?").await;
    let after = prompt(&stage.model);
    assert!(
        content(&after[0]).starts_with("I have known Ada for years.\n\nI am Nova."),
        "{}",
        content(&after[0])
    );
    assert!(content(&after[1]).ends_with("Hello"));
    let why = owner.get(&format!("/api/chat/turns/{}/why", first[0].field("turnId"))).await.json();
    assert_eq!(why["fragments"][0]["source"], "soul/a-first.md");
    assert_eq!(why["fragments"][0]["text"], "I know Ada.", "what she saw then");
}

#[tokio::test]
async fn the_first_run_writes_who_she_is() {
    let stage = Stage::start().await;
    assert_eq!(
        stage.home.list("soul"),
        ["flow.md", "heartbeat.md", "identity.md", "personality.md", "tools.md"]
    );
    assert_eq!(stage.home.read("soul/heartbeat.md"), "");
    stage.owner().ask("Hello").await;
    assert!(content(&prompt(&stage.model)[0]).contains("Luna"));
}

#[tokio::test]
async fn a_small_model_is_shown_the_tools_that_are_asked_for_and_none_for_a_greeting() {
    let stage = Setup::of(Flavour::Ollama).await.start().await;
    let owner = stage.owner();
    for (message, tool) in [
        ("Hello! Who are you?", None),
        ("My sister moved to Porto", None),
        ("What's the weather in Porto?", Some("\"name\":\"weather\"")),
        ("Which skills do you have?", Some("\"name\":\"skill\"")),
        ("Wie ist das Wetter in Kiel?", Some("\"name\":\"weather\"")),
        ("Quel temps fait-il à Lyon ?", Some("\"name\":\"weather\"")),
        ("¿Qué hora es en Madrid?", Some("\"name\":\"time\"")),
        ("Quanto è il 15 per cento di 80?", Some("\"name\":\"calculate\"")),
        ("Lê o ficheiro notas.txt", Some("\"name\":\"read_file\"")),
        ("Wer hat gestern das Spiel gewonnen?", Some("\"name\":\"calculate\"")),
        ("Guten Abend", None),
        ("Bonjour", None),
        ("Wie geht es dir?", None),
        ("Danke", None),
        ("Thank you", None),
    ] {
        owner.ask(message).await;
        let request = stage.model.chats().pop().unwrap().json();
        assert!(request["tools"].as_array().is_none_or(Vec::is_empty), "{message}: {request}");
        let messages = request["messages"].as_array().unwrap();
        assert!(!content(&messages[0]).contains("skill"), "{}", content(&messages[0]));
        let question = content(messages.last().unwrap());
        match tool {
            Some(tool) => assert!(question.contains(tool), "{question}"),
            None => assert!(!question.contains("tool_call"), "{question}"),
        }
    }
}

#[tokio::test]
async fn each_kind_of_server_gets_its_limits() {
    let cases = [
        (Flavour::Ollama, 131_072, "", 8192, 1024),
        (Flavour::Ollama, 4096, "", 4096, 1024),
        (Flavour::Ollama, 131_072, "num_ctx = 2048\nnum_predict = 77", 2048, 77),
    ];
    for (flavour, context, settings, num_ctx, num_predict) in cases {
        let setup = Setup::of(flavour).await.llm(settings);
        setup.model.context(context);
        let stage = setup.start().await;
        stage.owner().ask("Hello").await;
        let request = stage.model.chats().pop().unwrap();
        assert_eq!(request.path, "/api/chat", "Ollama by its own route");
        let options = &request.json()["options"];
        assert_eq!(
            (&options["num_ctx"], &options["num_predict"]),
            (&json!(num_ctx), &json!(num_predict)),
            "{settings}"
        );
    }
    for (settings, max_tokens) in [("", 1024), ("num_predict = 77", 77)] {
        let stage = Setup::new().await.llm(settings).start().await;
        stage.owner().ask("Hello").await;
        let request = stage.model.chats().pop().unwrap();
        assert_eq!(request.path, "/v1/chat/completions");
        assert_eq!(request.json()["max_tokens"], json!(max_tokens));
        assert_eq!(request.json()["stream"], true);
    }
}

#[tokio::test]
async fn attached_text_is_in_the_prompt_and_cannot_pose_as_more() {
    let stage = Stage::start().await;
    let owner = stage.owner();
    let file = |name: &str, data: &[u8]| json!({ "name": name, "mime": "text/plain", "data": STANDARD.encode(data) });
    let attachments = [
        file("notes.txt", b"The tide is high at nine."),
        file("fence.md", b"```\nstill inside\n```"),
        file("bytes.bin", b"\xff\xfe\x00"),
    ];
    owner.say(json!({ "message": "When?", "attachments": attachments })).await.rest().await;
    let question = content(&prompt(&stage.model)[1]).to_owned();
    assert!(question.contains("Attached file notes.txt:\n```\nThe tide is high at nine.\n```"), "{question}");
    assert!(question.contains("````\n```\nstill inside\n```\n````"), "a longer fence: {question}");
    assert!(question.contains("bytes.bin: it is not text"), "{question}");
    assert!(question.ends_with("</context>\n\nWhen?"));

    // The conversation keeps the whole file, and the prompt says how much of it the model received.
    let long = "word ".repeat(40_000);
    let attached = [file("long.txt", long.as_bytes())];
    let events = owner.say(json!({ "message": "And this?", "attachments": attached })).await.rest().await;
    assert_eq!(kinds(&events).last(), Some(&"done"));
    let question = content(prompt(&stage.model).last().unwrap()).to_owned();
    assert!(question.contains("[the rest of the file does not fit]") && question.len() < long.len() / 2);
}

#[tokio::test]
async fn pictures_go_to_a_model_that_sees_and_to_no_other() {
    let picture = b"\x89PNG\r\n\x1a\nmoon";
    let attachment = json!({ "name": "moon.png", "mime": "image/png", "data": STANDARD.encode(picture) });
    let request = json!({ "message": "What is this?", "attachments": [attachment] });
    let encoded = STANDARD.encode(picture);

    let sees = Setup::of(Flavour::Ollama).await;
    sees.model.capabilities(["completion", "vision"]);
    let sees = sees.start().await;
    sees.owner().say(request.clone()).await.rest().await;
    assert_eq!(prompt(&sees.model)[1]["images"], json!([encoded]));
    sees.owner().ask("And now?").await;
    assert_eq!(prompt(&sees.model)[1]["images"], json!([encoded]), "it stays in view");

    let sees = Setup::new().await.llm("model = \"qwen2.5-vl-7b\"").start().await;
    sees.owner().say(request.clone()).await.rest().await;
    let parts = prompt(&sees.model)[1]["content"].clone();
    assert_eq!(parts[1]["image_url"]["url"], json!(format!("data:image/png;base64,{encoded}")));

    let blind = Stage::start().await;
    blind.owner().say(request).await.rest().await;
    let question = prompt(&blind.model)[1].clone();
    assert!(content(&question).contains("moon.png: this model cannot see pictures"), "{question}");
    assert!(!blind.model.last_chat().to_string().contains(&encoded));
}

/// A message of about sixty tokens that begins with a fact to remember.
fn fact(number: usize) -> String {
    format!(
        "Remember that fact{number} is true. {}",
        "It is a long story about the sea and the moon. ".repeat(6)
    )
}

#[tokio::test]
async fn a_long_conversation_is_summarised_and_nothing_is_dropped_in_silence() {
    // A model this small does not write summaries; they are extracted from the messages.
    let setup = Setup::new().await.llm("model = \"small-0.6b\"\nnum_ctx = 1024\nnum_predict = 128");
    setup.model.otherwise("I will remember that. It is noted.");
    setup.home.write("soul/identity.md", "I am Luna.");
    let stage = setup.start().await;
    let owner = stage.owner();
    let mut feed = Socket::open(&owner, "").await;
    let mut conversation = Value::Null;
    for number in 0..16 {
        let events =
            owner.say(json!({ "message": fact(number), "conversationId": conversation })).await.rest().await;
        assert_eq!(kinds(&events).last(), Some(&"done"), "{number}: {events:?}");
        conversation = events[0].data["conversationId"].clone();
        feed.until("turn_ended").await;

        let prompt = prompt(&stage.model);
        let whole = Value::Array(prompt.clone()).to_string();
        assert!(whole.len() / 4 < 1024, "{number}: it fits, by any count");
        // Each fact must be present in full or in the summary, or the summary must state how much it leaves out.
        let missing = (0..=number).filter(|fact| !whole.contains(&format!("fact{fact} "))).count();
        assert!(
            missing == 0 || whole.contains("earlier lines are left out]"),
            "{number}: {missing} are gone"
        );
    }
    let prompt = prompt(&stage.model);
    let carried = content(&prompt[1]);
    assert!(carried.starts_with("<summary>\n") && carried.contains("</summary>\n\n<context>"), "{carried}");
    // The user still sees every message, and the end of the summarised part.
    let view = owner.view(conversation.as_str().unwrap()).await;
    let messages = view["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 32);
    assert_eq!(messages[0]["content"], json!(fact(0)));
    let covered = messages.iter().position(|message| message["id"] == view["summary"]["upTo"]).unwrap() + 1;
    // Every summarised message has a line or is counted as left out.
    let summary = view["summary"]["text"].as_str().unwrap();
    let lines = summary.lines().filter(|line| line.starts_with("- ")).count();
    let left_out =
        summary.lines().find_map(|line| line.strip_prefix('[')?.split(' ').next()?.parse::<usize>().ok());
    assert_eq!(lines + left_out.unwrap_or(0), covered, "{summary}");
}

#[tokio::test]
async fn an_able_model_writes_the_summary_itself_and_only_after_the_answer() {
    let setup = Setup::new().await.llm("num_ctx = 1024\nnum_predict = 128");
    setup.model.when(
        |request| {
            request.json()["messages"][0]["content"]
                .as_str()
                .unwrap_or_default()
                .contains("summary of a conversation")
        },
        ScriptedReply::text("They spoke of facts and of the sea."),
    );
    setup.model.otherwise("It is noted.");
    setup.home.write("soul/identity.md", "I am Luna.");
    let stage = setup.start().await;
    let owner = stage.owner();
    let mut feed = Socket::open(&owner, "").await;
    for number in 0..8 {
        owner.ask(&fact(number)).await;
        // The last event after an answer is the change of the conversation list.
        feed.until("turn_ended").await;
        feed.until("chat_changed").await;
    }
    let is_summary = |request: &Value| content(&request["messages"][0]).contains("summary of a conversation");
    let requests: Vec<Value> = stage.model.chats().iter().map(testkit::RecordedRequest::json).collect();
    let asked = requests.iter().find(|request| is_summary(request)).expect("a summary was asked for");
    assert!(content(&asked["messages"][1]).contains("fact0 is true"));
    let last = requests.iter().rev().find(|request| !is_summary(request)).unwrap();
    assert!(
        content(&last["messages"][1])
            .starts_with("<summary>\nThey spoke of facts and of the sea.\n</summary>")
    );
}

#[tokio::test]
async fn a_message_that_cannot_fit_is_refused_and_kept() {
    let stage = Setup::new().await.llm("num_ctx = 512\nnum_predict = 64").start().await;
    let owner = stage.owner();
    let events = owner.ask(&"moon ".repeat(4000)).await;
    assert_eq!(events.last().unwrap().data["code"], "contextFull");
    assert!(events.last().unwrap().field("message").contains("shorten the message"));
    let conversation = events[0].field("conversationId").to_owned();
    assert_eq!(owner.messages(&conversation).await[0]["content"].as_str().unwrap().len(), 20_000);

    owner.post("/api/chats/new", json!({})).await.json();
    stage.model.reply("Short and good.");
    assert_eq!(text(&owner.ask("Hello").await), "Short and good.");
}

#[tokio::test]
async fn titles_come_from_the_model_where_it_is_able() {
    let setup = Setup::new().await;
    let settings = format!("[llm]\nbase_url = \"{}/v1\"\n", setup.model.url());
    setup.model.when(
        |request| {
            request.json()["messages"][0]["content"].as_str().unwrap_or_default().contains("Write a title")
        },
        ScriptedReply::text("\"Tides and the Moon\""),
    );
    setup.model.otherwise("They follow the moon.");
    let stage = setup.start_with(&settings).await;
    let owner = stage.owner();
    let mut feed = Socket::open(&owner, "").await;
    owner.ask("How do tides work?").await;
    feed.until("turn_ended").await;
    assert_eq!(feed.until("chat_changed").await["chat"]["title"], "How do tides work?", "at once");
    assert_eq!(feed.until("chat_changed").await["chat"]["title"], "Tides and the Moon", "a little later");

    // A title given by the user is kept.
    let named = owner.post("/api/chats/new", json!({ "title": "Mine" })).await.json();
    owner.ask("How do clouds work?").await;
    feed.until("turn_ended").await;
    feed.until("chat_changed").await;
    let view = owner.view(named["id"].as_str().unwrap()).await;
    assert_eq!(view["chat"]["title"], "Mine");
}

/// The fixed start of the prompt, for both ways of offering tools. A change invalidates the cache of every
/// conversation, so it must show in review: `PERIGEE_CODEGEN=write` rewrites the file.
#[tokio::test]
async fn the_fixed_beginning_is_as_written_down() {
    let mut parts = Vec::new();
    for style in ["text", "native"] {
        let stage = Setup::new().await.llm(&format!("tools = \"{style}\"")).start().await;
        stage.owner().ask("Hello").await;
        let sent = stage.model.last_chat();
        let system = sent["messages"][0]["content"].as_str().unwrap();
        let (fixed, date) = system.rsplit_once('\n').unwrap();
        assert!(date.starts_with("Today is "), "{date}");
        parts.push(format!("==== {style}\n{fixed}\n"));
        let tools = sent["tools"].as_array().into_iter().flatten();
        parts.extend(tools.map(|tool| format!("---- {}\n", tool["function"])));
    }
    let written = parts.concat();
    let path = format!("{}/tests/program/prompt.txt", std::env::var("CARGO_MANIFEST_DIR").unwrap());
    if std::env::var_os("PERIGEE_CODEGEN").is_some_and(|mode| mode == "write") {
        std::fs::write(&path, &written).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == written,
        "the prompt has changed. If that is meant, write tests/program/prompt.txt anew:\n{written}"
    );
}
