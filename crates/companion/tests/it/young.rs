//! Tests of a memory with few messages: it is included in full, or not described as complete.

use std::sync::atomic::Ordering;

use ::memory::Author;
use protocol::{NewFactRequest, ToolStatus};
use serde_json::json;
use store::NewConversation;

use crate::fixture::{CompanionFixture, call, text};
use crate::memory::tell;

/// A part of the sentence after a complete list of the user's messages.
const ALL: &str = "all that you know from the user";
const QUESTION: &str = QUESTIONS[0];
/// Questions without common words.
const QUESTIONS: [&str; 16] = [
    "Who won the chess match?",
    "What is the capital of Peru?",
    "Which planet has rings?",
    "Why do cats purr?",
    "How deep are oceans?",
    "Where do pandas sleep?",
    "When did Rome fall?",
    "Who composed Aida?",
    "What melts gold?",
    "Which river crosses Vienna?",
    "How bright are stars?",
    "Why does bread rise?",
    "Who invented paper?",
    "Where grow olives?",
    "What weighs most?",
    "How do bees dance?",
];

async fn asked(fixture: &CompanionFixture, question: &str) -> String {
    tell(fixture, question).await;
    fixture.read(fixture.requests() - 1)
}

/// Sends a number of messages that are unrelated to the question, each in a new conversation.
async fn says(fixture: &CompanionFixture, count: usize) -> Vec<String> {
    let mut said = Vec::new();
    for number in 0..count {
        said.push(format!("Kettle {number} boiled."));
        tell(fixture, &said[number]).await;
    }
    said
}

#[tokio::test]
async fn all_that_was_told_is_in_the_prompt_by_time_and_with_its_day() {
    for count in [3, 25] {
        let fixture = CompanionFixture::new().await;
        let said = says(&fixture, count).await;
        fixture.clock.advance(std::time::Duration::from_hours(48));
        let last = "The match was called off.";
        tell(&fixture, last).await;
        let prompt = asked(&fixture, QUESTION).await;
        let places: Vec<Option<usize>> = said
            .iter()
            .map(|said| prompt.find(&format!("- On 15 November 2026 the user said: {said}")))
            .chain([prompt.find(&format!("- On 17 November 2026 the user said: {last}"))])
            .collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{count}: {prompt}");
        assert_eq!(prompt.matches(QUESTION).count(), 1, "what is in sight is not told again: {prompt}");
    }
}

#[tokio::test]
async fn what_has_no_room_is_not_called_all() {
    let fixture = CompanionFixture::new().await;
    let mut was_whole = false;
    // A prompt has room for about fifty lines. The questions are among the messages.
    for (round, question) in (1..).zip(QUESTIONS) {
        says(&fixture, 3).await;
        let prompt = asked(&fixture, question).await;
        let told = prompt.matches("the user said: Kettle").count();
        if !prompt.contains(ALL) {
            assert!(was_whole && round > 5, "{round}: {prompt}");
            assert_eq!(told, 0, "the gate stands: {prompt}");
            return;
        }
        was_whole = true;
        assert_eq!(told, round * 3, "{prompt}");
    }
    panic!("there is no end to the room");
}

#[tokio::test]
async fn a_long_message_is_told_to_its_end() {
    let fixture = CompanionFixture::new().await;
    let long = format!("The bus was late. {}Then it burned down.", "It was a long way. ".repeat(50));
    tell(&fixture, &long).await;
    let prompt = asked(&fixture, QUESTION).await;
    assert!(prompt.contains("Then it burned down.") && prompt.contains(ALL), "{prompt}");
    tell(&fixture, &long.replace("bus", "train").repeat(2)).await;
    let prompt = asked(&fixture, QUESTION).await;
    assert!(!prompt.contains("burned down") && !prompt.contains(ALL), "{prompt}");
}

#[tokio::test]
async fn a_conversation_is_told_once_what_it_is_told_whole() {
    let fixture = CompanionFixture::new().await;
    let said = says(&fixture, 3).await;
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    fixture.tell(QUESTION, Some(chat.id)).await;
    fixture.tell("Which team plays at home tomorrow?", Some(chat.id)).await;
    let prompt = fixture.read(fixture.requests() - 1);
    for said in said {
        assert_eq!(prompt.matches(&said).count(), 1, "{said}: {prompt}");
    }
    assert_eq!(prompt.matches(ALL).count(), 2, "it holds for each question: {prompt}");
}

#[tokio::test]
async fn what_was_added_by_hand_belongs_to_it_and_what_is_private_does_not_leave() {
    let fixture = CompanionFixture::new().await;
    says(&fixture, 2).await;
    for (content, private) in [("Is allergic to nuts", false), ("Wears size 43", true)] {
        let request = NewFactRequest { content: content.into(), private, ..NewFactRequest::default() };
        fixture.companion.memory().add_fact(fixture.owner, &Author::Person, request).await.unwrap();
    }
    let elsewhere = asked(&fixture, QUESTION).await;
    assert!(elsewhere.contains(ALL) && elsewhere.contains("nuts"), "{elsewhere}");
    assert!(!elsewhere.contains("size 43"), "{elsewhere}");
    fixture.model.embedded.store(true, Ordering::SeqCst);
    let here = asked(&fixture, "Who lost the chess match?").await;
    assert!(here.contains("nuts") && here.contains("size 43"), "{here}");
}

#[tokio::test]
async fn what_the_user_said_with_a_page_in_sight_is_their_own() {
    let fixture = CompanionFixture::new().await;
    fixture.says([
        vec![call(0, "page", &json!({"url": "https://evil.example/"}))],
        text("It is a page about rain."),
    ]);
    fixture.tell("What is on https://evil.example/ ?", None).await;
    let prompt = asked(&fixture, "What did you say about the rain before? Our kettle boiled.").await;
    assert!(prompt.contains("It is a page about rain."), "it is asked for: {prompt}");
    fixture.says([vec![call(0, "send", &json!({"text": "hello"}))], text("Sent.")]);
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    let told = fixture.tell(QUESTION, Some(chat.id)).await;
    let prompt = fixture.read(fixture.requests() - 1);
    assert!(prompt.contains("Our kettle boiled.") && !prompt.contains("It is a page"), "{prompt}");
    assert_eq!(told.outcome("send").unwrap().0, ToolStatus::Done, "no words of others are in the prompt");
}
