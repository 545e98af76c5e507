//! Tests of remembering, recalling, correcting and forgetting, through whole turns.

use std::sync::atomic::Ordering;
use std::time::Duration;

use ::memory::{Author, FactQuery, Recipient, StatusFilter};
use companion::Process as _;
use protocol::{Event, FactStatus, ForgetRequest, MemoryKind, NewFactRequest};
use serde_json::json;
use store::NewConversation;

use crate::bed::{Bed, call, text};
use crate::forgetting::found;

/// Returns the current facts, oldest first.
pub async fn facts(bed: &Bed) -> Vec<String> {
    let list =
        bed.companion.memory().facts(bed.owner, Recipient::Person, FactQuery::default()).await.unwrap();
    list.facts.into_iter().rev().map(|fact| fact.content).collect()
}

/// Sends a message in a new conversation, and waits until all work after it is done.
pub async fn tell(bed: &Bed, message: &str) -> Vec<Event> {
    bed.says([text("All right.")]);
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    bed.tell(message, Some(chat.id)).await.events
}

fn last_prompt(bed: &Bed) -> String {
    bed.read(bed.requests() - 1)
}

#[tokio::test]
async fn what_was_told_is_known_in_the_next_conversation() {
    let bed = Bed::new().await;
    tell(&bed, "My dog is called Max.").await;
    assert_eq!(facts(&bed).await.len(), 1, "{:?}", facts(&bed).await);
    let events = tell(&bed, "What is my dog called?").await;
    let Some(Event::Memory { items }) = events.iter().find(|event| matches!(event, Event::Memory { .. }))
    else {
        panic!("nothing was remembered: {events:?}");
    };
    assert_eq!(items[0].kind, MemoryKind::Fact);
    assert!(items[0].text.contains("Max"), "{items:?}");
    assert!(last_prompt(&bed).contains("Max"), "{}", last_prompt(&bed));
}

#[tokio::test]
async fn a_contradiction_takes_the_place_of_the_old_and_is_told_once() {
    let bed = Bed::new().await;
    tell(&bed, "I live in Berlin.").await;
    tell(&bed, "I moved to Lyon.").await;
    let known = facts(&bed).await;
    assert!(known.len() == 1 && known[0].contains("Lyon"), "{known:?}");
    tell(&bed, "Good morning.").await;
    let prompt = last_prompt(&bed);
    assert!(prompt.contains("takes the place of") && prompt.contains("Berlin"), "{prompt}");
    tell(&bed, "Where do I live?").await;
    let prompt = last_prompt(&bed);
    assert!(
        prompt.contains("Lyon") && !prompt.contains("Berlin"),
        "what is past does not come back: {prompt}"
    );
    let past = FactQuery { status: Some(StatusFilter::Past), ..FactQuery::default() };
    let past = bed.companion.memory().facts(bed.owner, Recipient::Person, past).await.unwrap().facts;
    assert_eq!(past[0].status, FactStatus::Superseded);
    // The superseded fact can be restored.
    let back = bed.companion.memory().undo_fact(bed.owner, past[0].id).await.unwrap();
    assert_eq!(back.status, FactStatus::Current);
    let known = facts(&bed).await;
    assert!(known.len() == 1 && known[0].contains("Berlin"), "{known:?}");
}

#[tokio::test]
async fn what_was_replaced_is_told_until_an_answer_says_so() {
    let bed = Bed::new().await;
    tell(&bed, "I live in Berlin.").await;
    tell(&bed, "I moved to Lyon.").await;
    bed.model.fails.store(true, Ordering::SeqCst);
    tell(&bed, "Good morning.").await;
    bed.model.fails.store(false, Ordering::SeqCst);
    bed.model.forget();
    // It is told even if nothing is recalled for the message.
    tell(&bed, "Thanks!").await;
    assert!(last_prompt(&bed).contains("takes the place of"), "{}", last_prompt(&bed));
    tell(&bed, "Good evening.").await;
    assert!(!last_prompt(&bed).contains("takes the place of"), "{}", last_prompt(&bed));
}

#[tokio::test]
async fn a_fact_about_somebody_else_is_told_with_their_name() {
    let bed = Bed::new().await;
    let request = NewFactRequest {
        content: "Plays the cello".into(),
        subject: Some("Anna".into()),
        ..NewFactRequest::default()
    };
    bed.companion.memory().add_fact(bed.owner, &Author::Person, request).await.unwrap();
    tell(&bed, "Who plays the cello, Anna?").await;
    assert!(last_prompt(&bed).contains("- Anna: Plays the cello"), "{}", last_prompt(&bed));
}

#[tokio::test]
async fn what_is_edited_expires_or_is_deleted_is_recalled_no_more() {
    let bed = Bed::new().await;
    let memory = bed.companion.memory();
    let request = NewFactRequest {
        content: "Stays at the Hotel Ritz".into(),
        expires_at: Some("2026-11-20".into()),
        ..NewFactRequest::default()
    };
    let fact = memory.add_fact(bed.owner, &Author::Person, request).await.unwrap();
    tell(&bed, "Which hotel do I stay at?").await;
    assert!(last_prompt(&bed).contains("Ritz"), "{}", last_prompt(&bed));
    let patch =
        protocol::FactPatch { content: Some("Stays at the Hotel Adlon".into()), ..Default::default() };
    memory.patch_fact(bed.owner, &Author::Person, fact.id, patch).await.unwrap();
    tell(&bed, "Which hotel do I stay at?").await;
    let prompt = last_prompt(&bed);
    assert!(prompt.contains("Adlon") && !prompt.contains("Stays at the Hotel Ritz"), "{prompt}");
    bed.clock.advance(Duration::from_hours(24 * 7));
    tell(&bed, "Which hotel do I stay at?").await;
    assert!(!last_prompt(&bed).contains("Adlon"), "{}", last_prompt(&bed));
}

#[tokio::test]
async fn what_was_written_by_hand_gives_way_to_what_is_said_later() {
    let bed = Bed::new().await;
    let memory = bed.companion.memory();
    tell(&bed, "I live in Berlin.").await;
    let fact =
        memory.facts(bed.owner, Recipient::Person, FactQuery::default()).await.unwrap().facts.remove(0);
    let patch = protocol::FactPatch { content: Some("Lives in Bern".into()), ..Default::default() };
    memory.patch_fact(bed.owner, &Author::Person, fact.id, patch).await.unwrap();
    tell(&bed, "I moved to Lyon.").await;
    let known = facts(&bed).await;
    assert!(known.len() == 1 && known[0].contains("Lyon"), "{known:?}");
    let write = async |content: &str| {
        let request = NewFactRequest { content: content.into(), ..NewFactRequest::default() };
        memory.add_fact(bed.owner, &Author::Person, request).await.unwrap();
    };
    write("Works at Siemens").await;
    write("I don't work at Siemens anymore").await;
    let known = facts(&bed).await;
    assert!(!known.iter().any(|fact| fact == "Works at Siemens"), "{known:?}");
}

#[tokio::test]
async fn nothing_of_an_incognito_conversation_is_kept() {
    let bed = Bed::new().await;
    let new = NewConversation { incognito: true, ..NewConversation::default() };
    let chat = bed.store.create_conversation(bed.owner, new).await.unwrap();
    assert!(chat.incognito);
    bed.says([text("Your quokka is safe with me.")]);
    bed.tell("My quokka is called Zebulon.", Some(chat.id)).await;
    assert_eq!(bed.store.open_conversation(bed.owner, chat.id, None, 10).await.unwrap().messages.len(), 2);
    let list = bed.store.list(bed.owner, store::ListQuery { limit: 10, ..Default::default() }).await.unwrap();
    assert!(list.chats.is_empty());
    assert_eq!(facts(&bed).await, Vec::<String>::new());
    assert_eq!(found(bed.folder.path(), "zebulon"), Vec::<String>::new(), "not even while it is open");
    bed.companion.delete(bed.owner, chat.id).await.unwrap();
    assert!(bed.store.open_conversation(bed.owner, chat.id, None, 10).await.is_err());
    assert_eq!(found(bed.folder.path(), "quokka"), Vec::<String>::new());
}

#[tokio::test]
async fn what_she_does_in_an_incognito_conversation_is_noted_without_its_words() {
    let bed = Bed::new().await;
    let new = NewConversation { incognito: true, ..NewConversation::default() };
    let chat = bed.store.create_conversation(bed.owner, new).await.unwrap();
    bed.says([
        vec![call(0, "echo", &json!({"text": "Zebulon is a quokka"}))],
        vec![call(1, "keep", &json!({"text": "Zebulon is a quokka"}))],
        text("Done."),
    ]);
    let told = bed.tell("Zebulon, quokka", Some(chat.id)).await;
    let (status, why) = told.outcome("keep").unwrap();
    assert_eq!(status, protocol::ToolStatus::Blocked);
    assert!(why.contains("incognito"), "{why}");
    let audit = std::fs::read_to_string(bed.file("audit.log")).unwrap();
    assert!(audit.lines().count() == 2 && audit.contains("\"keep\""), "{audit}");
    assert!(!audit.to_lowercase().contains("zebulon"), "{audit}");
}

#[tokio::test]
async fn the_model_finds_what_the_patterns_do_not_and_what_it_makes_up_is_dropped() {
    let bed = Bed::new().await;
    tell(&bed, "Honestly, the choir on Thursdays keeps me sane.").await;
    assert_eq!(facts(&bed).await, Vec::<String>::new());
    let fact =
        |quote: &str, fact: &str| json!({"quote": quote, "about": "me", "kind": "behaviour", "fact": fact});
    let found = json!({"facts": [
        fact("the choir on Thursdays keeps me sane", "Sings in a choir on Thursdays."),
        fact("I own a castle", "Owns a castle"),
        fact("the choir on Thursdays", "Is the president of France"),
    ]});
    bed.says([text(&found.to_string())]);
    let maintenance = bed.companion.memory_maintenance();
    maintenance.run().await.unwrap();
    assert_eq!(facts(&bed).await, ["Sings in a choir on Thursdays"]);
    let known =
        bed.companion.memory().facts(bed.owner, Recipient::Person, FactQuery::default()).await.unwrap().facts;
    assert_eq!(known[0].quote.as_deref(), Some("the choir on Thursdays keeps me sane"));
    let asked = bed.requests();
    tell(&bed, "Good night.").await;
    maintenance.run().await.unwrap();
    assert_eq!(bed.requests(), asked + 1, "what was read is not read again, and little words not at all");
    bed.settings.lock().unwrap().learn_by_model = false;
    tell(&bed, "Truth be told, the rowing club is where all my friends are.").await;
    maintenance.run().await.unwrap();
    assert_eq!(bed.requests(), asked + 2, "and not at all where that is switched off");
}

#[tokio::test]
async fn the_model_reads_on_in_the_next_run_until_all_is_read() {
    let bed = Bed::new().await;
    for number in 0..20 {
        tell(&bed, &format!("Honestly, the choir number {number} keeps everybody sane.")).await;
    }
    let maintenance = bed.companion.memory_maintenance();
    let none = json!({"facts": []}).to_string();
    bed.model.forget();
    bed.says((0..20).map(|_| text(&none)));
    let asked = bed.requests();
    let mut runs = Vec::new();
    for _ in 0..4 {
        runs.push(maintenance.run().await.unwrap());
    }
    assert_eq!(bed.requests(), asked + 20, "{runs:?}");
    assert_eq!(runs[3], "nothing has changed");
}

#[tokio::test]
async fn a_run_for_many_users_with_little_to_do_takes_little() {
    let bed = Bed::new().await;
    let mut users = Vec::new();
    for number in 0..400 {
        users.push(bed.store.create_user(&format!("user {number}")).await.unwrap().id);
    }
    let maintenance = bed.companion.memory_maintenance();
    bed.settings.lock().unwrap().learn_by_model = false;
    maintenance.run().await.unwrap();
    for (number, &user) in users.iter().enumerate() {
        let content = format!("I live in Town{number}.");
        let new = store::NewTurn { target: store::Target::Fresh, content, ..store::NewTurn::default() };
        bed.store.begin_turn(user, new).await.unwrap();
    }
    bed.store.recover().await.unwrap();
    let begun = std::time::Instant::now();
    let done = maintenance.run().await.unwrap();
    let took = begun.elapsed();
    assert!(done.starts_with("400 messages read"), "{done}");
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[tokio::test]
async fn what_the_patterns_read_the_model_does_not_learn_again_in_other_words() {
    let bed = Bed::new().await;
    tell(&bed, "My dog is called Max. The choir on Thursdays keeps me sane.").await;
    let before = facts(&bed).await;
    assert!(before.iter().any(|fact| fact.contains("Max")), "{before:?}");
    let fact =
        |quote: &str, fact: &str| json!({"quote": quote, "about": "me", "kind": "personal", "fact": fact});
    let found = json!({"facts": [
        fact("dog is called Max", "Has had a dog called Max"),
        fact("The choir on Thursdays", "Goes to a choir on Thursdays"),
    ]});
    bed.says([text(&found.to_string())]);
    bed.companion.memory_maintenance().run().await.unwrap();
    let after = facts(&bed).await;
    let new: Vec<&String> = after.iter().filter(|fact| !before.contains(fact)).collect();
    assert_eq!(new, ["Goes to a choir on Thursdays"]);
}

#[tokio::test]
async fn maintenance_reads_what_nobody_looked_at_and_doing_it_again_changes_nothing() {
    let bed = Bed::new().await;
    let lines = ["I'm allergic to peanuts.", "My sister Anna lives in Rome.", "Is it raining?"];
    for line in lines {
        tell(&bed, line).await;
    }
    let before = facts(&bed).await;
    assert!(
        before.iter().any(|fact| fact.contains("Anna")) && before.iter().any(|fact| fact.contains("peanuts")),
        "{before:?}"
    );
    let maintenance = bed.companion.memory_maintenance();
    maintenance.run().await.unwrap();
    assert_eq!(maintenance.run().await.unwrap(), "nothing has changed");
    assert_eq!(facts(&bed).await, before);
}

/// Queries that show whether two memories know the same.
const ASKED: [&str; 5] = [
    "What is my cat called?",
    "Where do I live?",
    "the boat in the harbour",
    "tea in the morning",
    "note about Brest",
];

async fn known_by(memory: &::memory::Memory, bed: &Bed) -> Vec<Vec<(String, String)>> {
    let mut known = Vec::new();
    for text in ASKED {
        let recall = ::memory::RecallRequest::new(text, Recipient::Person);
        let items = memory.recall(bed.owner, recall).await.unwrap().items;
        let mut items: Vec<_> = items.into_iter().map(|item| (item.id, item.text)).collect();
        items.sort();
        known.push(items);
    }
    known
}

#[tokio::test]
async fn what_is_in_memory_is_what_a_new_start_would_read_after_every_change() {
    let bed = Bed::new().await;
    let memory = bed.companion.memory().clone();
    let mut chats = Vec::new();
    let entry = |name: &str, content: &str| store::NewEntry {
        name: Some(name.into()),
        content: content.into(),
        ..store::NewEntry::default()
    };
    for step in 0..14 {
        match step {
            0 => drop(tell(&bed, "My cat is called Mimi and I live in Berlin.").await),
            1 => drop(
                memory
                    .save_entry(bed.owner, &Author::Person, entry("boat", "The boat lies in the harbour"))
                    .await
                    .unwrap(),
            ),
            2 => {
                let note = "A note about Brest".to_owned();
                memory.write_file(bed.owner, &Author::Person, "note.md", note).await.unwrap();
            }
            3 => drop(tell(&bed, "I drink tea in the morning, and the boat is red.").await),
            4 => drop(
                memory
                    .save_entry(bed.owner, &Author::Person, entry("boat", "The boat was sold"))
                    .await
                    .unwrap(),
            ),
            5 => drop(tell(&bed, "I moved to Lyon.").await),
            6 => {
                let note = "A note about Lyon".to_owned();
                memory.write_file(bed.owner, &Author::Person, "note.md", note).await.unwrap();
            }
            7 => {
                let fact = memory
                    .facts(bed.owner, Recipient::Person, FactQuery::default())
                    .await
                    .unwrap()
                    .facts
                    .remove(0);
                memory.undo_fact(bed.owner, fact.id).await.ok();
            }
            8 => drop(memory.delete_entry(bed.owner, &Author::Person, "boat").await.unwrap()),
            9 => {
                let query = store::ListQuery { limit: 1, ..Default::default() };
                let chat = bed.store.list(bed.owner, query).await.unwrap().chats.remove(0);
                chats.push(chat.id);
                bed.companion.delete(bed.owner, chat.id).await.unwrap();
            }
            10 => bed.store.restore_conversation(bed.owner, chats[0]).await.map(drop).unwrap(),
            11 => {
                let request =
                    ForgetRequest { words: Some("Mimi".into()), confirm: true, ..Default::default() };
                bed.companion.forget(bed.owner, request).await.unwrap();
            }
            12 => drop(bed.companion.memory_maintenance().run().await.unwrap()),
            _ => bed.clock.advance(Duration::from_hours(24 * 400)),
        }
        let fresh = bed.fresh_memory();
        assert_eq!(known_by(&memory, &bed).await, known_by(&fresh, &bed).await, "after step {step}");
        assert_eq!(bed.store.check().await.unwrap().problems, Vec::<String>::new(), "after step {step}");
    }
}

#[tokio::test]
async fn what_is_told_of_others_and_of_long_ago_takes_nothing_away() {
    let bed = Bed::new().await;
    for message in [
        "My friend Tom lives in Oslo.",
        "My friend Ben lives in Rome.",
        "My wife is called Zoë.",
        "I broke up with my girlfriend Laura.",
        "I live in Cologne.",
        "I moved from Lyon to Nice in 2019.",
    ] {
        tell(&bed, message).await;
    }
    let known = facts(&bed).await;
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
    let bed = Bed::new().await;
    tell(&bed, "I live in Lyon. My dog is called Max. Those crumbs under the kitchen table again!").await;
    tell(&bed, "My dog is not called Max, his name is Bruno.").await;
    let question = "Which crumbs were under the kitchen table again?";
    let recall = ::memory::RecallRequest::new(question, Recipient::Other);
    let recalled = bed.companion.memory().recall(bed.owner, recall).await.unwrap();
    let said = recalled.items.iter().find(|item| item.text.contains("kitchen table"));
    let said = said.unwrap_or_else(|| panic!("{recalled:?}"));
    assert!(said.text.ends_with("(not so any more: Has a dog called Bruno)"), "{}", said.text);
}

#[tokio::test]
async fn whatever_said_again_what_is_no_longer_so_does_not_bring_it_back() {
    let bed = Bed::new().await;
    for line in ["I work at Siemens.", "I work at Siemens, you know.", "As I said, I work at Siemens."] {
        tell(&bed, line).await;
    }
    bed.says([text("So you work at Siemens, how nice.")]);
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    bed.tell("Do you know my job?", Some(chat.id)).await;
    let long = "Well, I work at Siemens, and the printer on the third floor was jammed for the whole morning, as ever.";
    tell(&bed, long).await;
    tell(&bed, "My brother works at Siemens too.").await;
    tell(&bed, "I work at Bosch now.").await;
    tell(&bed, "Good morning.").await;
    let past = FactQuery { status: Some(StatusFilter::Past), ..FactQuery::default() };
    let past = bed.companion.memory().facts(bed.owner, Recipient::Person, past).await.unwrap().facts;
    assert!(past.iter().any(|fact| fact.content.contains("Siemens")), "{past:?}");
    for question in
        ["Where do I work?", "What do you know about me and Siemens?", "Which printer was jammed?"]
    {
        let recall = ::memory::RecallRequest::new(question, Recipient::Other);
        let recalled = bed.companion.memory().recall(bed.owner, recall).await.unwrap();
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
    tell(&bed, "I am back: I work at Siemens again.").await;
    let recall = ::memory::RecallRequest::new("Which printer was jammed?", Recipient::Other);
    let recalled = bed.companion.memory().recall(bed.owner, recall).await.unwrap();
    let printer = recalled.items.iter().find(|item| item.text.contains("printer")).map(|item| &item.text);
    assert_eq!(printer.map(String::as_str), Some(long), "what holds again is as good as ever");
}

#[tokio::test]
async fn a_question_of_long_ago_is_no_memory_and_the_dated_fact_is() {
    let bed = Bed::new().await;
    tell(&bed, "I have a dentist appointment next Tuesday.").await;
    tell(&bed, "When is my dentist appointment?").await;
    tell(&bed, "I work at Bosch.").await;
    tell(&bed, "Where do I work?").await;
    for (question, answer) in [
        ("When is my dentist appointment?", "dentist appointment on 2026-11-"),
        ("Where do I work?", "Bosch"),
    ] {
        let recall = ::memory::RecallRequest::new(question, Recipient::Other);
        let items = bed.companion.memory().recall(bed.owner, recall).await.unwrap().items;
        assert!(!items.iter().any(|item| item.text.ends_with('?')), "{items:?}");
        assert!(items[0].kind == MemoryKind::Fact && items[0].text.contains(answer), "{items:?}");
    }
}

#[tokio::test]
async fn a_side_of_her_lies_between_nought_and_one() {
    let bed = Bed::new().await;
    let patch = |value: f32| protocol::PersonalityPatch {
        traits: vec![protocol::TraitPatch {
            dimension: protocol::Dimension::Humor,
            value: Some(value),
            locked: None,
        }],
    };
    for value in [5.0, -0.1, f32::NAN] {
        let refused = bed.companion.set_personality(bed.owner, patch(value)).await.unwrap_err();
        assert_eq!(refused.code(), protocol::ErrorCode::BadRequest, "{value}");
    }
    bed.companion.set_personality(bed.owner, patch(1.0)).await.unwrap();
}
