//! Tests that private facts stay on this machine in every way.

use std::sync::atomic::Ordering;

use ::memory::{Author, Recipient};
use protocol::NewFactRequest;
use serde_json::json;
use store::NewConversation;

use crate::fixture::{CompanionFixture, call, text};

fn last_prompt(fixture: &CompanionFixture) -> String {
    fixture.read(fixture.requests() - 1)
}

#[tokio::test]
async fn what_is_private_is_not_told_to_a_model_that_comes_later() {
    let fixture = CompanionFixture::new().await;
    let memory = fixture.companion.memory();
    for (content, private) in [("Is allergic to peanuts", true), ("Is allergic to cats", false)] {
        let request = NewFactRequest { content: content.into(), private, ..NewFactRequest::default() };
        memory.add_fact(fixture.owner, &Author::Person, request).await.unwrap();
    }
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    fixture.model.embedded.store(true, Ordering::SeqCst);
    fixture.tell("What am I allergic to?", Some(chat.id)).await;
    let here = last_prompt(&fixture);
    assert!(here.contains("peanuts") && here.contains("cats"), "{here}");
    fixture.model.embedded.store(false, Ordering::SeqCst);
    fixture.tell("Are you sure of that?", Some(chat.id)).await;
    let elsewhere = last_prompt(&fixture);
    assert!(!elsewhere.contains("peanuts") && elsewhere.contains("cats"), "{elsewhere}");
}

#[tokio::test]
async fn what_she_said_of_something_private_is_as_private() {
    let fixture = CompanionFixture::new().await;
    for (content, private) in [("The therapist is called Quimby.", true), ("Likes the sea.", false)] {
        let request = NewFactRequest { content: content.into(), private, ..NewFactRequest::default() };
        fixture.companion.memory().add_fact(fixture.owner, &Author::Person, request).await.unwrap();
    }
    fixture.model.embedded.store(true, Ordering::SeqCst);
    let chat = fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
    fixture.says([text("The therapist is the gentleman with the beard.")]);
    fixture.tell("Who is my therapist again?", Some(chat.id)).await;
    assert!(last_prompt(&fixture).contains("Quimby"), "she herself knows");
    fixture.says([text("The therapy is on Thursdays at four.")]);
    fixture.tell("And when?", Some(chat.id)).await;
    // In conversations without the private fact, only an answer that contains its name is private.
    fixture.model.embedded.store(false, Ordering::SeqCst);
    for (question, answer) in [
        ("Is there a therapy dog?", "The therapist for therapy with dogs is in Quimby Street."),
        ("What is a therapist?", "A therapist is a doctor for the soul."),
    ] {
        let chat =
            fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
        fixture.says([text(answer)]);
        assert_eq!(fixture.tell(question, Some(chat.id)).await.words(), answer);
    }
    let (here, elsewhere) = (recalled(&fixture, true).await, recalled(&fixture, false).await);
    for word in ["beard", "Thursdays", "Street"] {
        assert!(here.contains(word), "{here}");
        assert!(!elsewhere.contains(word), "{elsewhere}");
    }
    assert!(elsewhere.contains("for the soul") && !elsewhere.contains("Quimby"), "{elsewhere}");
    // The same conversation continues with a remote model.
    fixture.says([text("Gladly.")]);
    fixture.tell("Thanks for that!", Some(chat.id)).await;
    let prompt = last_prompt(&fixture);
    assert!(!prompt.contains("Quimby") && !prompt.contains("beard"), "{prompt}");
    assert!(prompt.contains("Who is my therapist again?"), "{prompt}");
}

async fn recalled(fixture: &CompanionFixture, may_be_private: bool) -> String {
    asked(fixture, "What do you know about the therapist and the therapy?", may_be_private).await
}

async fn asked(fixture: &CompanionFixture, question: &str, may_be_private: bool) -> String {
    let recall = ::memory::RecallRequest::new(
        question,
        if may_be_private { Recipient::Person } else { Recipient::Other },
    );
    let items = fixture.companion.memory().recall(fixture.owner, recall).await.unwrap().items;
    items.into_iter().map(|item| item.text).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_password_is_private_though_no_fact_was_learned_of_it() {
    let fixture = CompanionFixture::new().await;
    fixture.model.embedded.store(true, Ordering::SeqCst);
    for (said, question, secret) in [
        ("The PIN of my bank card is 9921.", "What is the PIN of the bank card?", "9921"),
        ("Use the password tulip-rain-9 for my mail account", "mail account password", "tulip"),
        ("The safe opens with 1188.", "With what does the safe open?", "1188"),
        ("We were in Rome. the alarm code of the house is 7733, remember that", "alarm code", "7733"),
    ] {
        let chat =
            fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
        fixture.tell("The weather in Ghent is lovely.", Some(chat.id)).await;
        fixture.says([text("I have written it down word for word.")]);
        fixture.tell(said, Some(chat.id)).await;
        let (here, elsewhere) =
            (asked(&fixture, question, true).await, asked(&fixture, question, false).await);
        assert!(here.contains(secret), "{here}");
        assert!(!elsewhere.contains(secret) && !elsewhere.contains("word for word"), "{elsewhere}");
        // A reader that tries numbers must not be able to tell the right one from the surrounding results.
        let (right, wrong) = (asked(&fixture, secret, false).await, asked(&fixture, "4242", false).await);
        assert_eq!(right, wrong);
    }
    let weather = asked(&fixture, "How is the weather in Ghent?", false).await;
    assert!(weather.contains("lovely"), "{weather}");
}

#[tokio::test]
async fn a_private_number_is_private_wherever_it_is_told_again() {
    let fixture = CompanionFixture::new().await;
    for (content, private) in [
        ("Earns 93000 euros a year at Siemens.", true),
        ("The salary is 93000 euros.", false),
        ("Works at Siemens.", false),
    ] {
        let request = NewFactRequest { content: content.into(), private, ..NewFactRequest::default() };
        fixture.companion.memory().add_fact(fixture.owner, &Author::Person, request).await.unwrap();
    }
    let question = "What is the salary, and where at Siemens does the user work?";
    let (here, elsewhere) = (asked(&fixture, question, true).await, asked(&fixture, question, false).await);
    assert!(here.contains("93000"), "{here}");
    assert!(!elsewhere.contains("93000") && elsewhere.contains("Works at Siemens"), "{elsewhere}");
}

#[tokio::test]
async fn what_is_private_does_not_leave_by_a_tool_either() {
    let fixture = CompanionFixture::new().await;
    let private = NewFactRequest {
        content: "Is allergic to peanuts".into(),
        private: true,
        ..NewFactRequest::default()
    };
    fixture.companion.memory().add_fact(fixture.owner, &Author::Person, private).await.unwrap();
    let note = "Allergic to peanuts, badly.\nLikes the sea.";
    fixture
        .says([vec![call(0, "memory_create", &json!({"filename": "me", "content": note}))], text("Noted.")]);
    fixture.tell("Write that down.", None).await;
    for (is_here, words) in [(true, "peanuts"), (false, "[private lines left out: 1]")] {
        fixture.model.embedded.store(is_here, Ordering::SeqCst);
        let chat =
            fixture.store.create_conversation(fixture.owner, NewConversation::default()).await.unwrap();
        fixture.says([vec![call(0, "memory_read", &json!({"filename": "me"}))], text("I see.")]);
        fixture.tell("Have a look at it.", Some(chat.id)).await;
        let read = last_prompt(&fixture);
        assert!(read.contains("the sea") && read.contains(words), "{read}");
        assert_eq!(read.contains("peanuts"), is_here, "{read}");
    }
}
