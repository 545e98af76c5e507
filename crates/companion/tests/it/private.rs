//! Tests that private facts stay on this machine in every way.

use std::sync::atomic::Ordering;

use ::memory::{Author, Recipient};
use protocol::NewFactRequest;
use serde_json::json;
use store::NewConversation;

use crate::bed::{Bed, call, text};

fn last_prompt(bed: &Bed) -> String {
    bed.read(bed.requests() - 1)
}

#[tokio::test]
async fn what_is_private_is_not_told_to_a_model_that_comes_later() {
    let bed = Bed::new().await;
    let memory = bed.companion.memory();
    for (content, private) in [("Is allergic to peanuts", true), ("Is allergic to cats", false)] {
        let request = NewFactRequest { content: content.into(), private, ..NewFactRequest::default() };
        memory.add_fact(bed.owner, &Author::Person, request).await.unwrap();
    }
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    bed.model.embedded.store(true, Ordering::SeqCst);
    bed.tell("What am I allergic to?", Some(chat.id)).await;
    let here = last_prompt(&bed);
    assert!(here.contains("peanuts") && here.contains("cats"), "{here}");
    bed.model.embedded.store(false, Ordering::SeqCst);
    bed.tell("Are you sure of that?", Some(chat.id)).await;
    let elsewhere = last_prompt(&bed);
    assert!(!elsewhere.contains("peanuts") && elsewhere.contains("cats"), "{elsewhere}");
}

#[tokio::test]
async fn what_she_said_of_something_private_is_as_private() {
    let bed = Bed::new().await;
    for (content, private) in [("The therapist is called Quimby.", true), ("Likes the sea.", false)] {
        let request = NewFactRequest { content: content.into(), private, ..NewFactRequest::default() };
        bed.companion.memory().add_fact(bed.owner, &Author::Person, request).await.unwrap();
    }
    bed.model.embedded.store(true, Ordering::SeqCst);
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    bed.says([text("The therapist is the gentleman with the beard.")]);
    bed.tell("Who is my therapist again?", Some(chat.id)).await;
    assert!(last_prompt(&bed).contains("Quimby"), "she herself knows");
    bed.says([text("The therapy is on Thursdays at four.")]);
    bed.tell("And when?", Some(chat.id)).await;
    // In conversations without the private fact, only an answer that contains its name is private.
    bed.model.embedded.store(false, Ordering::SeqCst);
    for (question, answer) in [
        ("Is there a therapy dog?", "The therapist for therapy with dogs is in Quimby Street."),
        ("What is a therapist?", "A therapist is a doctor for the soul."),
    ] {
        let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
        bed.says([text(answer)]);
        assert_eq!(bed.tell(question, Some(chat.id)).await.words(), answer);
    }
    let (here, elsewhere) = (recalled(&bed, true).await, recalled(&bed, false).await);
    for word in ["beard", "Thursdays", "Street"] {
        assert!(here.contains(word), "{here}");
        assert!(!elsewhere.contains(word), "{elsewhere}");
    }
    assert!(elsewhere.contains("for the soul") && !elsewhere.contains("Quimby"), "{elsewhere}");
    // The same conversation continues with a remote model.
    bed.says([text("Gladly.")]);
    bed.tell("Thanks for that!", Some(chat.id)).await;
    let prompt = last_prompt(&bed);
    assert!(!prompt.contains("Quimby") && !prompt.contains("beard"), "{prompt}");
    assert!(prompt.contains("Who is my therapist again?"), "{prompt}");
}

async fn recalled(bed: &Bed, may_be_private: bool) -> String {
    asked(bed, "What do you know about the therapist and the therapy?", may_be_private).await
}

async fn asked(bed: &Bed, question: &str, may_be_private: bool) -> String {
    let recall = ::memory::RecallRequest::new(
        question,
        if may_be_private { Recipient::Person } else { Recipient::Other },
    );
    let items = bed.companion.memory().recall(bed.owner, recall).await.unwrap().items;
    items.into_iter().map(|item| item.text).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_password_is_private_though_no_fact_was_learned_of_it() {
    let bed = Bed::new().await;
    bed.model.embedded.store(true, Ordering::SeqCst);
    for (said, question, secret) in [
        ("The PIN of my bank card is 9921.", "What is the PIN of the bank card?", "9921"),
        ("Use the password tulip-rain-9 for my mail account", "mail account password", "tulip"),
        ("The safe opens with 1188.", "With what does the safe open?", "1188"),
        ("We were in Rome. the alarm code of the house is 7733, remember that", "alarm code", "7733"),
    ] {
        let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
        bed.tell("The weather in Ghent is lovely.", Some(chat.id)).await;
        bed.says([text("I have written it down word for word.")]);
        bed.tell(said, Some(chat.id)).await;
        let (here, elsewhere) = (asked(&bed, question, true).await, asked(&bed, question, false).await);
        assert!(here.contains(secret), "{here}");
        assert!(!elsewhere.contains(secret) && !elsewhere.contains("word for word"), "{elsewhere}");
        // A reader that tries numbers must not be able to tell the right one from the surrounding results.
        let (right, wrong) = (asked(&bed, secret, false).await, asked(&bed, "4242", false).await);
        assert_eq!(right, wrong);
    }
    let weather = asked(&bed, "How is the weather in Ghent?", false).await;
    assert!(weather.contains("lovely"), "{weather}");
}

#[tokio::test]
async fn a_private_number_is_private_wherever_it_is_told_again() {
    let bed = Bed::new().await;
    for (content, private) in [
        ("Earns 93000 euros a year at Siemens.", true),
        ("The salary is 93000 euros.", false),
        ("Works at Siemens.", false),
    ] {
        let request = NewFactRequest { content: content.into(), private, ..NewFactRequest::default() };
        bed.companion.memory().add_fact(bed.owner, &Author::Person, request).await.unwrap();
    }
    let question = "What is the salary, and where at Siemens does the user work?";
    let (here, elsewhere) = (asked(&bed, question, true).await, asked(&bed, question, false).await);
    assert!(here.contains("93000"), "{here}");
    assert!(!elsewhere.contains("93000") && elsewhere.contains("Works at Siemens"), "{elsewhere}");
}

#[tokio::test]
async fn what_is_private_does_not_leave_by_a_tool_either() {
    let bed = Bed::new().await;
    let private = NewFactRequest {
        content: "Is allergic to peanuts".into(),
        private: true,
        ..NewFactRequest::default()
    };
    bed.companion.memory().add_fact(bed.owner, &Author::Person, private).await.unwrap();
    let note = "Allergic to peanuts, badly.\nLikes the sea.";
    bed.says([vec![call(0, "memory_create", &json!({"filename": "me", "content": note}))], text("Noted.")]);
    bed.tell("Write that down.", None).await;
    for (is_here, words) in [(true, "peanuts"), (false, "[private lines left out: 1]")] {
        bed.model.embedded.store(is_here, Ordering::SeqCst);
        let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
        bed.says([vec![call(0, "memory_read", &json!({"filename": "me"}))], text("I see.")]);
        bed.tell("Have a look at it.", Some(chat.id)).await;
        let read = last_prompt(&bed);
        assert!(read.contains("the sea") && read.contains(words), "{read}");
        assert_eq!(read.contains("peanuts"), is_here, "{read}");
    }
}
