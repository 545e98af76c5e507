//! Tests of forgetting: everything that was meant is removed completely, and nothing else.

mod files;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use ::memory::{Author, FactQuery, Recipient, StatusFilter};
use companion::{FeedReader, GRACE, Process as _};
use host::Clock as _;
use model::Delta;
use protocol::{ConfirmRequest, ForgetReport, ForgetRequest, NewFactRequest, Push, Remember};
use serde_json::json;
use store::NewConversation;

use crate::fixture::{CompanionFixture, TurnRecord, call, text};
use crate::memory::{facts, tell};

/// Returns the files that contain a word in any spelling: the database, its log, plain files, and packed git objects.
pub fn found(folder: &Path, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if folder.file_name().is_some_and(|name| name == ".git") {
            let objects = ::memory::files::unpacked(&folder);
            found.extend(objects.iter().filter(|object| holds(object, word)).map(|_| "git".to_owned()));
        }
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if holds(&std::fs::read(entry.path()).unwrap(), word) {
                found.push(entry.path().display().to_string());
            }
        }
    }
    found
}

fn holds(bytes: &[u8], word: &str) -> bool {
    String::from_utf8_lossy(bytes).to_lowercase().contains(word)
}

/// Waits until the work after an answer and its sweep are done.
async fn over(news: &mut FeedReader<'_>) {
    while !matches!(news.next().await.unwrap().push, Push::ChatChanged { .. }) {}
}

async fn forget_words(fixture: &CompanionFixture, words: &str) -> ForgetReport {
    let request = ForgetRequest { words: Some(words.into()), confirm: true, ..ForgetRequest::default() };
    fixture.companion.forget(fixture.owner, request).await.unwrap()
}

async fn forget_fact(fixture: &CompanionFixture, content: &str) -> ForgetReport {
    let all = FactQuery { limit: Some(500), ..FactQuery::default() };
    let known = fixture.companion.memory().facts(fixture.owner, Recipient::Person, all).await.unwrap().facts;
    let fact = known.iter().find(|fact| fact.content == content);
    let id = fact.unwrap_or_else(|| panic!("{content} is not in {known:?}")).id;
    let request = ForgetRequest { fact: Some(id), confirm: true, ..ForgetRequest::default() };
    fixture.companion.forget(fixture.owner, request).await.unwrap()
}

#[tokio::test]
async fn fifty_facts_are_forgotten_to_the_last_byte_and_their_neighbours_stay() {
    let fixture = CompanionFixture::new().await;
    let name = |number: usize| {
        let letters = ["ba", "de", "fi", "go", "ku", "la", "me"];
        format!("Z{}{}{}x", letters[number % 7], letters[number / 7 % 7], letters[number / 49 % 7])
    };
    let kinds = ["dog", "cat", "parrot", "rabbit", "hamster"];
    for number in 0..60 {
        fixture.says([text(&format!("{} is a lovely name.", name(number)))]);
        let chat =
            fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
        let kind = kinds[number % kinds.len()];
        fixture.tell(&format!("I have another {kind} called {}.", name(number)), Some(chat.id)).await;
    }
    // Some of the words are in a memory file as well.
    for number in [3, 55] {
        let content = format!("# Pets\n\n{} likes carrots.\n", name(number));
        let file = format!("pets-{number}.md");
        fixture.companion.memory().write_file(fixture.owner, &Author::Person, &file, content).await.unwrap();
    }
    let all = FactQuery { limit: Some(500), ..FactQuery::default() };
    let known =
        fixture.companion.memory().facts(fixture.owner, Recipient::Person, all.clone()).await.unwrap().facts;
    let of: BTreeMap<usize, _> = (0..60)
        .filter_map(|number| {
            let fact = known.iter().find(|fact| fact.content.contains(&name(number)))?;
            Some((number, fact.id))
        })
        .collect();
    assert_eq!(
        of.len(),
        60,
        "every one was learned: {:?}",
        known.iter().map(|fact| &fact.content).collect::<Vec<_>>()
    );
    for number in 0..50 {
        let request = ForgetRequest { fact: Some(of[&number]), confirm: true, ..ForgetRequest::default() };
        let report = fixture.companion.forget(fixture.owner, request).await.unwrap();
        // The history of memory files keeps the words for the grace period.
        let left: Vec<&String> = report.found.iter().filter(|file| !file.contains("memories")).collect();
        assert!(report.done && left.is_empty(), "{report:?}");
    }
    fixture.clock.advance(GRACE + Duration::from_secs(1));
    assert_eq!(fixture.companion.forgetting().purge_file_history().await.unwrap(), 1);
    for number in 0..50 {
        let word = name(number).to_lowercase();
        assert_eq!(found(fixture.folder.path(), &word), Vec::<String>::new(), "{word}");
    }
    let left = fixture.companion.memory().facts(fixture.owner, Recipient::Person, all).await.unwrap().facts;
    assert_eq!(left.len(), known.len() - 50);
    for number in 50..60 {
        assert!(
            !found(fixture.folder.path(), &name(number).to_lowercase()).is_empty(),
            "a neighbour is untouched"
        );
    }
    let memory = fixture.companion.memory();
    let kept = memory.file(fixture.owner, Recipient::Person, "pets-55.md").await.unwrap();
    assert!(kept.content.contains("likes carrots") && !kept.history.is_empty());
    let changed = memory.file(fixture.owner, Recipient::Person, "pets-3.md").await.unwrap();
    assert_eq!(changed.content, "# Pets\n\n[forgotten] likes carrots.\n");
    assert_eq!(fixture.store.check().await.unwrap().problems, Vec::<String>::new());
}

#[tokio::test]
async fn forget_that_asks_first_and_leaves_nothing_not_even_of_the_asking() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "My parrot is called Zorblax.").await;
    assert_eq!(facts(&fixture).await.len(), 1);
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    // By content: a denied request changes nothing, a confirmed one removes everything.
    for yes in [false, true] {
        let mut news = fixture.companion.feed().subscribe(fixture.owner, None);
        let log = fixture.say("Forget that my parrot is called Zorblax", Some(chat.id)).await;
        let question = fixture.asked(&log).await;
        assert_eq!(question.tool, "forget");
        assert!(question.description.contains("it stands in 1 fact"), "{}", question.description);
        let answer = ConfirmRequest { approved: yes, remember: None, filled: None };
        fixture.companion.confirm(fixture.owner, &question.id, &answer).unwrap();
        let told = TurnRecord::of(&log).await;
        if yes {
            assert!(told.words().starts_with("Forgotten. It is gone from 1 fact"), "{}", told.words());
        }
        over(&mut news).await;
        assert_eq!(found(fixture.folder.path(), "zorblax").is_empty(), yes);
        assert_eq!(facts(&fixture).await.len(), usize::from(!yes));
    }
    assert_eq!(fixture.requests(), 1, "it needs no model");

    // The previous message can be forgotten, too.
    fixture.says([text("I see.")]);
    fixture.tell("The code of the door is Quibbleton 77.", Some(chat.id)).await;
    let mut news = fixture.companion.feed().subscribe(fixture.owner, None);
    let log = fixture.say("forget that", Some(chat.id)).await;
    let question = fixture.asked(&log).await;
    fixture
        .companion
        .confirm(
            fixture.owner,
            &question.id,
            &ConfirmRequest { approved: true, remember: None, filled: None },
        )
        .unwrap();
    TurnRecord::of(&log).await;
    over(&mut news).await;
    assert_eq!(found(fixture.folder.path(), "quibbleton"), Vec::<String>::new());

    let told = fixture.tell("Forget that I own a submarine", Some(chat.id)).await;
    let (status, why) = told.outcome("forget").unwrap();
    assert!(status != protocol::ToolStatus::Done && why.contains("nothing of that"), "{status:?} {why}");
}

#[tokio::test]
async fn what_is_like_it_and_what_is_of_others_stays() {
    let fixture = CompanionFixture::new().await;
    let said = [
        "I like green tea.",
        "I like jazz.",
        "I hate olives.",
        "I live in Rome.",
        "My sister Anna lives in Rome.",
        "Yes, I go running every morning.",
        "Yes, that is right.",
    ];
    for message in said {
        tell(&fixture, message).await;
    }
    let known = facts(&fixture).await;
    assert!(known.len() >= 6, "{known:?}");
    forget_fact(&fixture, "Likes green tea.").await;
    forget_fact(&fixture, "Lives in Rome.").await;
    let left = facts(&fixture).await;
    assert_eq!(left.len(), known.len() - 2, "{left:?}");
    assert!(left.iter().any(|fact| fact == "Sister Anna lives in Rome."), "{left:?}");
    let said = fixture.store.said_after(fixture.owner, protocol::MessageId::new(0), 100).await.unwrap();
    let said: Vec<&str> = said.iter().map(|message| message.content.as_str()).collect();
    for message in ["My sister Anna lives in Rome.", "I like jazz.", "Yes, that is right."] {
        assert!(said.contains(&message), "{message}: {said:?}");
    }
    assert_eq!(found(fixture.folder.path(), "green tea"), Vec::<String>::new());
    assert_eq!(found(fixture.folder.path(), "i live in rome"), Vec::<String>::new());
}

#[tokio::test]
async fn words_that_mean_other_things_are_offered_and_can_be_taken_or_left() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "My dog is called Max.").await;
    tell(&fixture, "My friend Max lives in Oslo.").await;
    let known = fixture
        .companion
        .memory()
        .facts(fixture.owner, Recipient::Person, FactQuery::default())
        .await
        .unwrap()
        .facts;
    let dog = known.iter().find(|fact| fact.content.contains("dog")).unwrap().id;
    let request = ForgetRequest { fact: Some(dog), ..ForgetRequest::default() };
    let look = fixture.companion.forget(fixture.owner, request.clone()).await.unwrap();
    assert!(!look.words.contains(&"Max".to_owned()), "{look:?}");
    assert_eq!(look.offered.iter().map(|offered| offered.words.as_str()).collect::<Vec<_>>(), ["Max"]);
    let also = ForgetRequest { also: vec!["Max".into()], ..request.clone() };
    let look = fixture.companion.forget(fixture.owner, also).await.unwrap();
    assert!(look.words.contains(&"Max".to_owned()), "{look:?}");
    let leave = ForgetRequest { leave: vec!["My dog is called Max".into()], confirm: true, ..request };
    fixture.companion.forget(fixture.owner, leave).await.unwrap();
    assert!(!found(fixture.folder.path(), "my dog is called max").is_empty(), "it was to stay");
    assert!(facts(&fixture).await.iter().any(|fact| fact.contains("Oslo")));
}

#[tokio::test]
async fn a_number_that_goes_breaks_no_time_and_no_history() {
    let fixture = CompanionFixture::new().await;
    fixture.clock.set("2026-11-16T10:42:42Z");
    tell(&fixture, "I am 42 years old.").await;
    tell(&fixture, "I live in Bern.").await;
    tell(&fixture, "I moved to Lyon.").await;
    tell(&fixture, "My file of kinds and names has the status text.").await;
    for words in ["42", "file", "kind", "status", "text", "name", "current"] {
        forget_words(&fixture, words).await;
    }
    let memory = fixture.companion.memory();
    let timeline = memory.timeline(fixture.owner, Recipient::Person, None).await.unwrap();
    assert!(timeline.days.iter().all(|day| day.day == "2026-11-16"), "{timeline:?}");
    let past = FactQuery { status: Some(StatusFilter::Past), ..FactQuery::default() };
    let bern = memory.facts(fixture.owner, Recipient::Person, past).await.unwrap().facts.remove(0);
    assert!(memory.fact_history(fixture.owner, Recipient::Person, bern.id).await.unwrap().can_undo);
    memory.undo_fact(fixture.owner, bern.id).await.unwrap();
    assert_eq!(facts(&fixture).await, ["Lives in Bern."]);
    let list = fixture
        .store
        .list(fixture.owner, store::ListQuery { limit: 10, ..Default::default() })
        .await
        .unwrap();
    for chat in list.chats {
        fixture.store.open_conversation(fixture.owner, chat.id, None, 10).await.unwrap();
    }
}

#[tokio::test]
async fn words_within_what_a_tool_was_given_go_too() {
    let fixture = CompanionFixture::new().await;
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    fixture
        .says([vec![call(0, "echo", &json!({"text": "# Pets\nZorbo the \"great\"\tZorbo"}))], text("Done.")]);
    fixture.tell("Write it down.", Some(chat.id)).await;
    assert!(!found(fixture.folder.path(), "zorbo").is_empty());
    let report = forget_words(&fixture, "Zorbo").await;
    assert_eq!((report.found, report.running), (Vec::new(), 0));
    assert_eq!(found(fixture.folder.path(), "zorbo"), Vec::<String>::new());
}

#[tokio::test]
async fn what_runs_meanwhile_is_swept_when_it_ends() {
    let fixture = CompanionFixture::new().await;
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    fixture.says([
        vec![Delta::Text("Zorbo it is. ".into()), call(0, "note", &json!({"text": "Zorbo"}))],
        text("Zorbo was not written down."),
    ]);
    let log = fixture.say("My iguana is called Zorbo, write that down.", Some(chat.id)).await;
    let question = fixture.asked(&log).await;
    let report = forget_words(&fixture, "Zorbo").await;
    assert_eq!(report.running, 1);
    let mut news = fixture.companion.feed().subscribe(fixture.owner, None);
    fixture
        .companion
        .confirm(
            fixture.owner,
            &question.id,
            &ConfirmRequest { approved: false, remember: None, filled: None },
        )
        .unwrap();
    TurnRecord::of(&log).await;
    over(&mut news).await;
    assert_eq!(found(fixture.folder.path(), "zorbo"), Vec::<String>::new());
    assert_eq!(facts(&fixture).await, Vec::<String>::new());
}

#[tokio::test]
async fn what_is_said_again_after_it_was_forgotten_is_known_again() {
    let fixture = CompanionFixture::new().await;
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    fixture.says([vec![call(0, "note", &json!({"text": "Zorbo"}))], text("Not written down.")]);
    let log = fixture.say("My iguana is called Zorbo, write that down.", Some(chat.id)).await;
    let question = fixture.asked(&log).await;
    assert_eq!(forget_words(&fixture, "Zorbo").await.running, 1);
    tell(&fixture, "My iguana is called Zorbo.").await;
    let mut news = fixture.companion.feed().subscribe(fixture.owner, None);
    fixture
        .companion
        .confirm(
            fixture.owner,
            &question.id,
            &ConfirmRequest { approved: false, remember: None, filled: None },
        )
        .unwrap();
    TurnRecord::of(&log).await;
    over(&mut news).await;
    assert_eq!(facts(&fixture).await, ["Has a lizard called Zorbo."]);
    let view = fixture.store.open_conversation(fixture.owner, chat.id, None, 10).await.unwrap();
    assert!(view.messages.iter().all(|message| !message.content.contains("Zorbo")), "{view:?}");
}

#[tokio::test]
async fn the_files_of_a_message_go_from_stored_prompts_too() {
    let fixture = CompanionFixture::new().await;
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    fixture.says([text("I have read it."), text("Good.")]);
    let say = companion::UserMessage {
        message: "Here is the plan for the harbour.".into(),
        attachments: vec![store::NewAttachment {
            name: "plan.txt".into(),
            mime: "text/plain".into(),
            data: b"Grimwald begins at dawn".to_vec(),
        }],
        conversation: Some(chat.id),
        ..companion::UserMessage::default()
    };
    TurnRecord::of(&fixture.companion.say(fixture.owner, say).await.unwrap()).await;
    fixture.tell("And what is next?", Some(chat.id)).await;
    assert!(!found(fixture.folder.path(), "grimwald").is_empty());
    let view = fixture.store.open_conversation(fixture.owner, chat.id, None, 10).await.unwrap();
    let request =
        ForgetRequest { message: Some(view.messages[0].id), confirm: true, ..ForgetRequest::default() };
    fixture.companion.forget(fixture.owner, request).await.unwrap();
    assert_eq!(found(fixture.folder.path(), "grimwald"), Vec::<String>::new());
}

#[tokio::test]
async fn what_was_begun_is_gone_on_with() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "My iguana is called Zorbo.").await;
    let what = json!({
        "whole": {"facts": [], "messages": []},
        "needles": {"words": ["Zorbo"], "statements": []},
    });
    fixture.store.begin_forgetting(fixture.owner, what.to_string()).await.unwrap();
    fixture.companion.memory_maintenance().run().await.unwrap();
    assert_eq!(facts(&fixture).await, Vec::<String>::new(), "a fact that was learned meanwhile goes");
    assert_eq!(found(fixture.folder.path(), "zorbo"), Vec::<String>::new());
    assert_eq!(fixture.store.unfinished_forgetting().await.unwrap(), Vec::new());
}

#[tokio::test]
async fn a_message_goes_with_its_answer_and_common_sentences_stay() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "How are you?").await;
    fixture.says([text("Your safe opens with the birthday of the queen.")]);
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    fixture.tell("How are you? The word for the safe is Quibbleton.", Some(chat.id)).await;
    let view = fixture.store.open_conversation(fixture.owner, chat.id, None, 10).await.unwrap();
    let request =
        ForgetRequest { message: Some(view.messages[0].id), confirm: true, ..ForgetRequest::default() };
    fixture.companion.forget(fixture.owner, request).await.unwrap();
    let view = fixture.store.open_conversation(fixture.owner, chat.id, None, 10).await.unwrap();
    let said: Vec<&str> = view.messages.iter().map(|message| message.content.as_str()).collect();
    assert_eq!(said, ["[forgotten]", "[forgotten]"]);
    assert_eq!(found(fixture.folder.path(), "quibbleton"), Vec::<String>::new());
    assert_eq!(found(fixture.folder.path(), "the queen"), Vec::<String>::new());
    assert!(!found(fixture.folder.path(), "how are you").is_empty(), "others have said that, too");
}

#[tokio::test]
async fn everything_about_somebody_goes_and_what_they_share_with_others_stays() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "My sister Annika lives in Rome.").await;
    tell(&fixture, "Annika works at Siemens.").await;
    tell(&fixture, "My friend Tom lives in Rome.").await;
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    let mut news = fixture.companion.feed().subscribe(fixture.owner, None);
    let log = fixture.say("Forget everything about Annika", Some(chat.id)).await;
    let question = fixture.asked(&log).await;
    fixture
        .companion
        .confirm(
            fixture.owner,
            &question.id,
            &ConfirmRequest { approved: true, remember: None, filled: None },
        )
        .unwrap();
    TurnRecord::of(&log).await;
    over(&mut news).await;
    assert_eq!(found(fixture.folder.path(), "annika"), Vec::<String>::new());
    let left = facts(&fixture).await;
    assert!(left.iter().any(|fact| fact.contains("Tom") && fact.contains("Rome")), "{left:?}");
    assert!(!left.iter().any(|fact| fact.contains("Siemens")), "{left:?}");
}

#[tokio::test]
async fn the_fact_that_is_meant_is_the_one_with_the_words_and_little_else() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "I live in Zaragoza.").await;
    tell(&fixture, "My sister Brunhilde lives in Zaragoza.").await;
    tell(&fixture, "My cousin Pablo lives in Zaragoza too.").await;
    let before = facts(&fixture).await;
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    // The denied request itself must not become a fact.
    for yes in [false, true] {
        let mut news = fixture.companion.feed().subscribe(fixture.owner, None);
        let log = fixture.say("Forget that I live in Zaragoza", Some(chat.id)).await;
        let question = fixture.asked(&log).await;
        fixture
            .companion
            .confirm(
                fixture.owner,
                &question.id,
                &ConfirmRequest { approved: yes, remember: None, filled: None },
            )
            .unwrap();
        TurnRecord::of(&log).await;
        over(&mut news).await;
        let left = facts(&fixture).await;
        let gone: Vec<&String> = before.iter().filter(|fact| !left.contains(fact)).collect();
        let expected: &[&str] = if yes { &["Lives in Zaragoza."] } else { &[] };
        assert_eq!(gone, expected, "{left:?}");
    }
}

#[tokio::test]
async fn backups_are_named_wherever_they_were_written() {
    let fixture = CompanionFixture::new().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let (kept, gone) = (elsewhere.path().join("kept.tar.gz"), elsewhere.path().join("gone.tar.gz"));
    std::fs::write(&kept, "packed").unwrap();
    for file in [&kept, &gone, Path::new("/nowhere/unplugged.tar.gz")] {
        fixture.store.note_backup(file.display().to_string(), fixture.clock.now()).await.unwrap();
    }
    let report = forget_words(&fixture, "Wortgamma").await;
    let mut named: Vec<String> = report.backups.into_iter().map(|copy| copy.file).collect();
    named.sort();
    assert_eq!(named, ["/nowhere/unplugged.tar.gz".to_owned(), kept.display().to_string()]);
}

#[tokio::test]
async fn a_backup_that_is_older_than_what_is_forgotten_is_not_named() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "The weather is fine.").await;
    let note =
        |name: &'static str| fixture.store.note_backup(format!("/nowhere/{name}"), fixture.clock.now());
    note("before.tar.gz").await.unwrap();
    fixture.clock.advance(Duration::from_hours(24));
    tell(&fixture, "My dog is called Wortdelta.").await;
    fixture.clock.advance(Duration::from_hours(24));
    note("after.tar.gz").await.unwrap();
    let known = fixture
        .companion
        .memory()
        .facts(fixture.owner, Recipient::Person, FactQuery::default())
        .await
        .unwrap()
        .facts;
    let request = ForgetRequest { fact: Some(known[0].id), ..ForgetRequest::default() };
    let look = fixture.companion.forget(fixture.owner, request.clone()).await.unwrap();
    let done =
        fixture.companion.forget(fixture.owner, ForgetRequest { confirm: true, ..request }).await.unwrap();
    for report in [look, done] {
        let named: Vec<String> = report.backups.into_iter().map(|copy| copy.file).collect();
        assert_eq!(named, ["/nowhere/after.tar.gz"]);
    }
}

#[tokio::test]
async fn a_name_in_a_fact_by_hand_is_offered_and_told_of() {
    let fixture = CompanionFixture::new().await;
    for line in ["Today Vornaxzuil ate my hat.", "Good night, Vornaxzuil.", "Is vornaxzuil asleep?"] {
        tell(&fixture, line).await;
    }
    let content = "Keeps a llama called Vornaxzuil".to_owned();
    let fact = NewFactRequest { content, ..NewFactRequest::default() };
    let fact = fixture.companion.memory().add_fact(fixture.owner, &Author::Person, fact).await.unwrap();
    let request = ForgetRequest { fact: Some(fact.id), ..ForgetRequest::default() };
    let look = fixture.companion.forget(fixture.owner, request.clone()).await.unwrap();
    let offered = |report: &ForgetReport| {
        report.offered.iter().map(|one| (one.words.clone(), one.conversations)).collect::<Vec<_>>()
    };
    assert_eq!(offered(&look), [("Vornaxzuil".to_owned(), 3)]);
    let done =
        fixture.companion.forget(fixture.owner, ForgetRequest { confirm: true, ..request }).await.unwrap();
    assert_eq!(offered(&done), [("Vornaxzuil".to_owned(), 3)], "what is left is told of");
    let rest = forget_words(&fixture, "Vornaxzuil").await;
    assert!(rest.found.is_empty() && rest.offered.is_empty(), "{rest:?}");
    assert_eq!(found(fixture.folder.path(), "vornaxzuil"), Vec::<String>::new());
}

#[tokio::test]
async fn a_fact_and_a_message_are_each_counted_once() {
    let fixture = CompanionFixture::new().await;
    for _ in 0..3 {
        tell(&fixture, "My dog is called Wortepsilon.").await;
    }
    let known = fixture
        .companion
        .memory()
        .facts(fixture.owner, Recipient::Person, FactQuery::default())
        .await
        .unwrap()
        .facts;
    assert_eq!(known.len(), 1, "{known:?}");
    let request = ForgetRequest { fact: Some(known[0].id), ..ForgetRequest::default() };
    let look = fixture.companion.forget(fixture.owner, request.clone()).await.unwrap();
    let count = |report: &ForgetReport, name: &str| {
        report.removed.iter().find(|place| place.place == name).map(|place| place.count)
    };
    assert_eq!(count(&look, "facts"), Some(1), "{look:?}");
    let done =
        fixture.companion.forget(fixture.owner, ForgetRequest { confirm: true, ..request }).await.unwrap();
    assert_eq!(count(&done, "facts"), Some(1), "{done:?}");
    assert_eq!(count(&done, "messages"), count(&look, "messages"), "{done:?}");
}

#[tokio::test]
async fn forgetting_is_asked_about_every_time() {
    let fixture = CompanionFixture::new().await;
    for name in ["Wortzeta", "Worteta"] {
        tell(&fixture, &format!("My dog is called {name}.")).await;
        let chat =
            fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
        let log = fixture.say(&format!("Forget that my dog is called {name}"), Some(chat.id)).await;
        let question = fixture.asked(&log).await;
        assert!(question.every_time && !question.tainted, "{question:?}");
        assert!(question.description.contains("cannot be undone"), "{question:?}");
        let always = ConfirmRequest { approved: true, remember: Some(Remember::Tool), filled: None };
        let mut news = fixture.companion.feed().subscribe(fixture.owner, None);
        fixture.companion.confirm(fixture.owner, &question.id, &always).unwrap();
        TurnRecord::of(&log).await;
        over(&mut news).await;
    }
}
