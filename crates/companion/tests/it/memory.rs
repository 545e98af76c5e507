//! Tests of remembering, recalling, correcting and forgetting, through whole turns.

use std::sync::atomic::Ordering;
use std::time::Duration;

use ::memory::{Author, FactQuery, Recipient, StatusFilter};
use companion::Process as _;
use protocol::{Event, FactStatus, ForgetRequest, MemoryKind, NewFactRequest};
use serde_json::json;
use store::NewConversation;

use crate::fixture::{CompanionFixture, call, text};
use crate::forgetting::found;

/// Returns the current facts, oldest first.
pub async fn facts(fixture: &CompanionFixture) -> Vec<String> {
    let list = fixture
        .companion
        .memory()
        .facts(fixture.owner, Recipient::Person, FactQuery::default())
        .await
        .unwrap();
    list.facts.into_iter().rev().map(|fact| fact.content).collect()
}

/// Sends a message in a new conversation, and waits until all work after it is done.
pub async fn tell(fixture: &CompanionFixture, message: &str) -> Vec<Event> {
    fixture.says([text("All right.")]);
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    fixture.tell(message, Some(chat.id)).await.events
}

fn last_prompt(fixture: &CompanionFixture) -> String {
    fixture.read(fixture.requests() - 1)
}

#[tokio::test]
async fn what_was_told_is_known_in_the_next_conversation() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "My dog is called Max.").await;
    assert_eq!(facts(&fixture).await.len(), 1, "{:?}", facts(&fixture).await);
    let events = tell(&fixture, "What is my dog called?").await;
    let Some(Event::Memory { items }) = events.iter().find(|event| matches!(event, Event::Memory { .. }))
    else {
        panic!("nothing was remembered: {events:?}");
    };
    assert_eq!(items[0].kind, MemoryKind::Fact);
    assert!(items[0].text.contains("Max"), "{items:?}");
    assert!(last_prompt(&fixture).contains("Max"), "{}", last_prompt(&fixture));
}

#[tokio::test]
async fn a_contradiction_takes_the_place_of_the_old_and_is_told_once() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "I live in Berlin.").await;
    tell(&fixture, "I moved to Lyon.").await;
    let known = facts(&fixture).await;
    assert!(known.len() == 1 && known[0].contains("Lyon"), "{known:?}");
    tell(&fixture, "Good morning.").await;
    let prompt = last_prompt(&fixture);
    assert!(prompt.contains("takes the place of") && prompt.contains("Berlin"), "{prompt}");
    tell(&fixture, "Where do I live?").await;
    let prompt = last_prompt(&fixture);
    assert!(
        prompt.contains("Lyon") && !prompt.contains("Berlin"),
        "what is past does not come back: {prompt}"
    );
    let past = FactQuery { status: Some(StatusFilter::Past), ..FactQuery::default() };
    let past = fixture.companion.memory().facts(fixture.owner, Recipient::Person, past).await.unwrap().facts;
    assert_eq!(past[0].status, FactStatus::Superseded);
    // The superseded fact can be restored.
    let back = fixture.companion.memory().undo_fact(fixture.owner, past[0].id).await.unwrap();
    assert_eq!(back.status, FactStatus::Current);
    let known = facts(&fixture).await;
    assert!(known.len() == 1 && known[0].contains("Berlin"), "{known:?}");
}

#[tokio::test]
async fn what_was_replaced_is_told_until_an_answer_says_so() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "I live in Berlin.").await;
    tell(&fixture, "I moved to Lyon.").await;
    fixture.model.fails.store(true, Ordering::SeqCst);
    tell(&fixture, "Good morning.").await;
    fixture.model.fails.store(false, Ordering::SeqCst);
    fixture.model.forget();
    // It is told even if nothing is recalled for the message.
    tell(&fixture, "Thanks!").await;
    assert!(last_prompt(&fixture).contains("takes the place of"), "{}", last_prompt(&fixture));
    tell(&fixture, "Good evening.").await;
    assert!(!last_prompt(&fixture).contains("takes the place of"), "{}", last_prompt(&fixture));
}

#[tokio::test]
async fn a_fact_about_somebody_else_is_told_with_their_name() {
    let fixture = CompanionFixture::new().await;
    let request = NewFactRequest {
        content: "Plays the cello".into(),
        subject: Some("Anna".into()),
        ..NewFactRequest::default()
    };
    fixture.companion.memory().add_fact(fixture.owner, &Author::Person, request).await.unwrap();
    tell(&fixture, "Who plays the cello, Anna?").await;
    assert!(last_prompt(&fixture).contains("- Anna: Plays the cello"), "{}", last_prompt(&fixture));
}

#[tokio::test]
async fn what_is_edited_expires_or_is_deleted_is_recalled_no_more() {
    let fixture = CompanionFixture::new().await;
    let memory = fixture.companion.memory();
    let request = NewFactRequest {
        content: "Stays at the Hotel Ritz".into(),
        expires_at: Some("2026-11-20".into()),
        ..NewFactRequest::default()
    };
    let fact = memory.add_fact(fixture.owner, &Author::Person, request).await.unwrap();
    tell(&fixture, "Which hotel do I stay at?").await;
    assert!(last_prompt(&fixture).contains("Ritz"), "{}", last_prompt(&fixture));
    let patch =
        protocol::FactPatch { content: Some("Stays at the Hotel Adlon".into()), ..Default::default() };
    memory.patch_fact(fixture.owner, &Author::Person, fact.id, patch).await.unwrap();
    tell(&fixture, "Which hotel do I stay at?").await;
    let prompt = last_prompt(&fixture);
    assert!(prompt.contains("Adlon") && !prompt.contains("Stays at the Hotel Ritz"), "{prompt}");
    fixture.clock.advance(Duration::from_hours(24 * 7));
    tell(&fixture, "Which hotel do I stay at?").await;
    assert!(!last_prompt(&fixture).contains("Adlon"), "{}", last_prompt(&fixture));
}

#[tokio::test]
async fn what_was_written_by_hand_gives_way_to_what_is_said_later() {
    let fixture = CompanionFixture::new().await;
    let memory = fixture.companion.memory();
    tell(&fixture, "I live in Berlin.").await;
    let fact =
        memory.facts(fixture.owner, Recipient::Person, FactQuery::default()).await.unwrap().facts.remove(0);
    let patch = protocol::FactPatch { content: Some("Lives in Bern".into()), ..Default::default() };
    memory.patch_fact(fixture.owner, &Author::Person, fact.id, patch).await.unwrap();
    tell(&fixture, "I moved to Lyon.").await;
    let known = facts(&fixture).await;
    assert!(known.len() == 1 && known[0].contains("Lyon"), "{known:?}");
    let write = async |content: &str| {
        let request = NewFactRequest { content: content.into(), ..NewFactRequest::default() };
        memory.add_fact(fixture.owner, &Author::Person, request).await.unwrap();
    };
    write("Works at Siemens").await;
    write("I don't work at Siemens anymore").await;
    let known = facts(&fixture).await;
    assert!(!known.iter().any(|fact| fact == "Works at Siemens"), "{known:?}");
}

#[tokio::test]
async fn nothing_of_an_incognito_conversation_is_kept() {
    let fixture = CompanionFixture::new().await;
    let new = NewConversation { incognito: true, ..NewConversation::default() };
    let chat = fixture.store.create_conversation(fixture.owner, new).await.unwrap();
    assert!(chat.incognito);
    fixture.says([text("Your quokka is safe with me.")]);
    fixture.tell("My quokka is called Zebulon.", Some(chat.id)).await;
    assert_eq!(
        fixture.store.open_conversation(fixture.owner, chat.id, None, 10).await.unwrap().messages.len(),
        2
    );
    let list = fixture
        .store
        .list(fixture.owner, store::ListQuery { limit: 10, ..Default::default() })
        .await
        .unwrap();
    assert!(list.chats.is_empty());
    assert_eq!(facts(&fixture).await, Vec::<String>::new());
    assert_eq!(found(fixture.folder.path(), "zebulon"), Vec::<String>::new(), "not even while it is open");
    fixture.companion.delete(fixture.owner, chat.id).await.unwrap();
    assert!(fixture.store.open_conversation(fixture.owner, chat.id, None, 10).await.is_err());
    assert_eq!(found(fixture.folder.path(), "quokka"), Vec::<String>::new());
}

#[tokio::test]
async fn what_she_does_in_an_incognito_conversation_is_noted_without_its_words() {
    let fixture = CompanionFixture::new().await;
    let new = NewConversation { incognito: true, ..NewConversation::default() };
    let chat = fixture.store.create_conversation(fixture.owner, new).await.unwrap();
    fixture.says([
        vec![call(0, "echo", &json!({"text": "Zebulon is a quokka"}))],
        vec![call(1, "keep", &json!({"text": "Zebulon is a quokka"}))],
        text("Done."),
    ]);
    let told = fixture.tell("Zebulon, quokka", Some(chat.id)).await;
    let (status, why) = told.outcome("keep").unwrap();
    assert_eq!(status, protocol::ToolStatus::Blocked);
    assert!(why.contains("incognito"), "{why}");
    let audit = std::fs::read_to_string(fixture.file("audit.log")).unwrap();
    assert!(audit.lines().count() == 2 && audit.contains("\"keep\""), "{audit}");
    assert!(!audit.to_lowercase().contains("zebulon"), "{audit}");
}

#[tokio::test]
async fn the_model_finds_what_the_patterns_do_not_and_what_it_makes_up_is_dropped() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "Honestly, the choir on Thursdays keeps me sane.").await;
    assert_eq!(facts(&fixture).await, Vec::<String>::new());
    let fact =
        |quote: &str, fact: &str| json!({"quote": quote, "about": "me", "kind": "behaviour", "fact": fact});
    let found = json!({"facts": [
        fact("the choir on Thursdays keeps me sane", "Sings in a choir on Thursdays."),
        fact("I own a castle", "Owns a castle"),
        fact("the choir on Thursdays", "Is the president of France"),
    ]});
    fixture.says([text(&found.to_string())]);
    let maintenance = fixture.companion.memory_maintenance();
    maintenance.run().await.unwrap();
    assert_eq!(facts(&fixture).await, ["Sings in a choir on Thursdays"]);
    let known = fixture
        .companion
        .memory()
        .facts(fixture.owner, Recipient::Person, FactQuery::default())
        .await
        .unwrap()
        .facts;
    assert_eq!(known[0].quote.as_deref(), Some("the choir on Thursdays keeps me sane"));
    let asked = fixture.requests();
    tell(&fixture, "Good night.").await;
    maintenance.run().await.unwrap();
    assert_eq!(fixture.requests(), asked + 1, "what was read is not read again, and little words not at all");
    fixture.settings.lock().unwrap().learn_by_model = false;
    tell(&fixture, "Truth be told, the rowing club is where all my friends are.").await;
    maintenance.run().await.unwrap();
    assert_eq!(fixture.requests(), asked + 2, "and not at all where that is switched off");
}

#[tokio::test]
async fn the_model_reads_on_in_the_next_run_until_all_is_read() {
    let fixture = CompanionFixture::new().await;
    for number in 0..20 {
        tell(&fixture, &format!("Honestly, the choir number {number} keeps everybody sane.")).await;
    }
    let maintenance = fixture.companion.memory_maintenance();
    let none = json!({"facts": []}).to_string();
    fixture.model.forget();
    fixture.says((0..20).map(|_| text(&none)));
    let asked = fixture.requests();
    let mut runs = Vec::new();
    for _ in 0..4 {
        runs.push(maintenance.run().await.unwrap());
    }
    assert_eq!(fixture.requests(), asked + 20, "{runs:?}");
    assert_eq!(runs[3], "nothing has changed");
}

#[tokio::test]
async fn a_run_for_many_users_with_little_to_do_takes_little() {
    let fixture = CompanionFixture::new().await;
    let mut users = Vec::new();
    for number in 0..400 {
        users.push(fixture.store.create_user(&format!("user {number}")).await.unwrap().id);
    }
    let maintenance = fixture.companion.memory_maintenance();
    fixture.settings.lock().unwrap().learn_by_model = false;
    maintenance.run().await.unwrap();
    for (number, &user) in users.iter().enumerate() {
        let content = format!("I live in Town{number}.");
        let new =
            store::NewTurn { target: store::MessageTarget::Fresh, content, ..store::NewTurn::default() };
        fixture.store.begin_turn(user, new).await.unwrap();
    }
    fixture.store.recover().await.unwrap();
    let begun = std::time::Instant::now();
    let done = maintenance.run().await.unwrap();
    let took = begun.elapsed();
    assert!(done.starts_with("400 messages read"), "{done}");
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[tokio::test]
async fn what_the_patterns_read_the_model_does_not_learn_again_in_other_words() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "My dog is called Max. The choir on Thursdays keeps me sane.").await;
    let before = facts(&fixture).await;
    assert!(before.iter().any(|fact| fact.contains("Max")), "{before:?}");
    let fact =
        |quote: &str, fact: &str| json!({"quote": quote, "about": "me", "kind": "personal", "fact": fact});
    let found = json!({"facts": [
        fact("dog is called Max", "Has had a dog called Max"),
        fact("The choir on Thursdays", "Goes to a choir on Thursdays"),
    ]});
    fixture.says([text(&found.to_string())]);
    fixture.companion.memory_maintenance().run().await.unwrap();
    let after = facts(&fixture).await;
    let new: Vec<&String> = after.iter().filter(|fact| !before.contains(fact)).collect();
    assert_eq!(new, ["Goes to a choir on Thursdays"]);
}

#[tokio::test]
async fn maintenance_reads_what_nobody_looked_at_and_doing_it_again_changes_nothing() {
    let fixture = CompanionFixture::new().await;
    let lines = ["I'm allergic to peanuts.", "My sister Anna lives in Rome.", "Is it raining?"];
    for line in lines {
        tell(&fixture, line).await;
    }
    let before = facts(&fixture).await;
    assert!(
        before.iter().any(|fact| fact.contains("Anna")) && before.iter().any(|fact| fact.contains("peanuts")),
        "{before:?}"
    );
    let maintenance = fixture.companion.memory_maintenance();
    maintenance.run().await.unwrap();
    assert_eq!(maintenance.run().await.unwrap(), "nothing has changed");
    assert_eq!(facts(&fixture).await, before);
}

/// Queries that show whether two memories know the same.
const ASKED: [&str; 5] = [
    "What is my cat called?",
    "Where do I live?",
    "the boat in the harbour",
    "tea in the morning",
    "note about Brest",
];

async fn known_by(memory: &::memory::Memory, fixture: &CompanionFixture) -> Vec<Vec<(String, String)>> {
    let mut known = Vec::new();
    for text in ASKED {
        let recall = ::memory::RecallRequest::new(text, Recipient::Person);
        let items = memory.recall(fixture.owner, recall).await.unwrap().items;
        let mut items: Vec<_> = items.into_iter().map(|item| (item.id, item.text)).collect();
        items.sort();
        known.push(items);
    }
    known
}

#[tokio::test]
async fn what_is_in_memory_is_what_a_new_start_would_read_after_every_change() {
    let fixture = CompanionFixture::new().await;
    let memory = fixture.companion.memory().clone();
    let mut chats = Vec::new();
    let entry = |name: &str, content: &str| store::NewEntry {
        name: Some(name.into()),
        content: content.into(),
        ..store::NewEntry::default()
    };
    for step in 0..14 {
        match step {
            0 => drop(tell(&fixture, "My cat is called Mimi and I live in Berlin.").await),
            1 => drop(
                memory
                    .save_entry(fixture.owner, &Author::Person, entry("boat", "The boat lies in the harbour"))
                    .await
                    .unwrap(),
            ),
            2 => {
                let note = "A note about Brest".to_owned();
                memory.write_file(fixture.owner, &Author::Person, "note.md", note).await.unwrap();
            }
            3 => drop(tell(&fixture, "I drink tea in the morning, and the boat is red.").await),
            4 => drop(
                memory
                    .save_entry(fixture.owner, &Author::Person, entry("boat", "The boat was sold"))
                    .await
                    .unwrap(),
            ),
            5 => drop(tell(&fixture, "I moved to Lyon.").await),
            6 => {
                let note = "A note about Lyon".to_owned();
                memory.write_file(fixture.owner, &Author::Person, "note.md", note).await.unwrap();
            }
            7 => {
                let fact = memory
                    .facts(fixture.owner, Recipient::Person, FactQuery::default())
                    .await
                    .unwrap()
                    .facts
                    .remove(0);
                memory.undo_fact(fixture.owner, fact.id).await.ok();
            }
            8 => drop(memory.delete_entry(fixture.owner, &Author::Person, "boat").await.unwrap()),
            9 => {
                let query = store::ListQuery { limit: 1, ..Default::default() };
                let chat = fixture.store.list(fixture.owner, query).await.unwrap().chats.remove(0);
                chats.push(chat.id);
                fixture.companion.delete(fixture.owner, chat.id).await.unwrap();
            }
            10 => fixture.store.restore_conversation(fixture.owner, chats[0]).await.map(drop).unwrap(),
            11 => {
                let request =
                    ForgetRequest { words: Some("Mimi".into()), confirm: true, ..Default::default() };
                fixture.companion.forget(fixture.owner, request).await.unwrap();
            }
            12 => drop(fixture.companion.memory_maintenance().run().await.unwrap()),
            _ => fixture.clock.advance(Duration::from_hours(24 * 400)),
        }
        let fresh = fixture.fresh_memory();
        assert_eq!(known_by(&memory, &fixture).await, known_by(&fresh, &fixture).await, "after step {step}");
        assert_eq!(fixture.store.check().await.unwrap().problems, Vec::<String>::new(), "after step {step}");
    }
}

#[tokio::test]
async fn what_is_told_of_others_and_of_long_ago_takes_nothing_away() {
    let fixture = CompanionFixture::new().await;
    for message in [
        "My friend Tom lives in Oslo.",
        "My friend Ben lives in Rome.",
        "My wife is called Zoë.",
        "I broke up with my girlfriend Laura.",
        "I live in Cologne.",
        "I moved from Lyon to Nice in 2019.",
    ] {
        tell(&fixture, message).await;
    }
    let known = facts(&fixture).await;
    for stays in [
        "Has a friend called Tom.",
        "Has a friend called Ben.",
        "Has a wife called Zoë.",
        "Lives in Cologne.",
    ] {
        assert!(known.iter().any(|fact| fact == stays), "{stays} {known:?}");
    }
    assert!(!known.iter().any(|fact| fact.contains("Laura")), "{known:?}");
}

#[tokio::test]
async fn a_message_that_is_recalled_says_what_is_no_longer_so() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "I live in Lyon. My dog is called Max. Those crumbs under the kitchen table again!").await;
    tell(&fixture, "My dog is not called Max, his name is Bruno.").await;
    let question = "Which crumbs were under the kitchen table again?";
    let recall = ::memory::RecallRequest::new(question, Recipient::Other);
    let recalled = fixture.companion.memory().recall(fixture.owner, recall).await.unwrap();
    let said = recalled.items.iter().find(|item| item.text.contains("kitchen table"));
    let said = said.unwrap_or_else(|| panic!("{recalled:?}"));
    assert!(said.text.ends_with("(not so any more: Has a dog called Bruno)"), "{}", said.text);
}

#[tokio::test]
async fn whatever_said_again_what_is_no_longer_so_does_not_bring_it_back() {
    let fixture = CompanionFixture::new().await;
    for line in ["I work at Siemens.", "I work at Siemens, you know.", "As I said, I work at Siemens."] {
        tell(&fixture, line).await;
    }
    fixture.says([text("So you work at Siemens, how nice.")]);
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    fixture.tell("Do you know my job?", Some(chat.id)).await;
    let long = "Well, I work at Siemens, and the printer on the third floor was jammed for the whole morning, as ever.";
    tell(&fixture, long).await;
    tell(&fixture, "My brother works at Siemens too.").await;
    tell(&fixture, "I work at Bosch now.").await;
    tell(&fixture, "Good morning.").await;
    let past = FactQuery { status: Some(StatusFilter::Past), ..FactQuery::default() };
    let past = fixture.companion.memory().facts(fixture.owner, Recipient::Person, past).await.unwrap().facts;
    assert!(past.iter().any(|fact| fact.content.contains("Siemens")), "{past:?}");
    for question in
        ["Where do I work?", "What do you know about me and Siemens?", "Which printer was jammed?"]
    {
        let recall = ::memory::RecallRequest::new(question, Recipient::Other);
        let recalled = fixture.companion.memory().recall(fixture.owner, recall).await.unwrap();
        let said: Vec<_> = recalled.items.iter().filter(|item| item.kind == MemoryKind::Message).collect();
        for item in said.iter().filter(|item| item.text.contains("Siemens")) {
            let of_brother = item.text.contains("brother");
            let is_marked = item.text.ends_with("(not so any more: Works at Bosch)");
            assert!(is_marked != of_brother, "{question}: {}", item.text);
        }
        if question.contains("printer") {
            assert!(said.iter().any(|item| item.text.contains("printer")), "what says more stays: {said:?}");
        }
    }
    tell(&fixture, "I am back: I work at Siemens again.").await;
    let recall = ::memory::RecallRequest::new("Which printer was jammed?", Recipient::Other);
    let recalled = fixture.companion.memory().recall(fixture.owner, recall).await.unwrap();
    let printer = recalled.items.iter().find(|item| item.text.contains("printer")).map(|item| &item.text);
    assert_eq!(printer.map(String::as_str), Some(long), "what holds again is as good as ever");
}

#[tokio::test]
async fn a_question_of_long_ago_is_no_memory_and_the_dated_fact_is() {
    let fixture = CompanionFixture::new().await;
    tell(&fixture, "I have a dentist appointment next Tuesday.").await;
    tell(&fixture, "When is my dentist appointment?").await;
    tell(&fixture, "I work at Bosch.").await;
    tell(&fixture, "Where do I work?").await;
    for (question, answer) in [
        ("When is my dentist appointment?", "dentist appointment on 2026-11-"),
        ("Where do I work?", "Bosch"),
    ] {
        let recall = ::memory::RecallRequest::new(question, Recipient::Other);
        let items = fixture.companion.memory().recall(fixture.owner, recall).await.unwrap().items;
        assert!(!items.iter().any(|item| item.text.ends_with('?')), "{items:?}");
        assert!(items[0].kind == MemoryKind::Fact && items[0].text.contains(answer), "{items:?}");
    }
}

#[tokio::test]
async fn a_side_of_her_lies_between_nought_and_one() {
    let fixture = CompanionFixture::new().await;
    let patch = |value: f32| protocol::PersonalityPatch {
        traits: vec![protocol::TraitPatch {
            dimension: protocol::Dimension::Humor,
            value: Some(value),
            locked: None,
        }],
    };
    for value in [5.0, -0.1, f32::NAN] {
        let refused = fixture.companion.set_personality(fixture.owner, patch(value)).await.unwrap_err();
        assert_eq!(refused.code(), protocol::ErrorCode::BadRequest, "{value}");
    }
    fixture.companion.set_personality(fixture.owner, patch(1.0)).await.unwrap();
}
