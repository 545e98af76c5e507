use std::sync::Arc;

use protocol::{FactStatus, MemoryKind};

use super::knowledge_tests::{MemoryFixture, texts};
use crate::{Author, EmbeddingProgress, RecallRequest, RecallResult, Recipient};

const ROOM: usize = 1_000;

async fn recalled(fixture: &MemoryFixture, text: &str, room: usize) -> RecallResult {
    let recall = RecallRequest { room_for_everything: room, ..RecallRequest::new(text, Recipient::Person) };
    fixture.memory.recall(fixture.owner, recall).await.unwrap()
}

#[tokio::test]
async fn what_is_little_enough_is_read_whole_and_claims_to_answer_nothing() {
    let fixture = MemoryFixture::new().await;
    for said in
        ["First week at uni, the labs are fun.", "My flatmate eats cereal at 3am.", "Transfer form signed."]
    {
        fixture.say(said).await;
    }
    // The question shares no word with the messages.
    let found = recalled(&fixture, "Am I still enrolled as before?", ROOM).await;
    assert_eq!(found.items.len(), 3, "{found:?}");
    assert!(found.whole && found.refused, "it comes, and does not claim to answer: {found:?}");
    assert!(found.items.iter().all(|item| item.at.is_some()), "with their days");
    let none = recalled(&fixture, "Am I still enrolled as before?", 0).await;
    assert!(none.items.is_empty() && none.refused && !none.whole, "without room the gate stands: {none:?}");
    // A text that does not fit is not cut: recall falls back to the best matches.
    fixture.say(&"A long story about the bus. ".repeat(40)).await;
    let found = recalled(&fixture, "Am I still enrolled as before?", ROOM).await;
    assert!(!found.whole && found.items.is_empty(), "{found:?}");
    let near = recalled(&fixture, "What does my flatmate eat?", ROOM).await;
    assert_eq!(near.items[0].text, "My flatmate eats cereal at 3am.");
}

/// The characters that a line takes in addition to its text.
const LINE: usize = 40;

#[tokio::test]
async fn all_of_it_comes_or_it_is_not_whole() {
    let long = "The bus was late, and then it was later. ".repeat(20);
    for (count, words) in [(3, "is in the cellar."), (25, "is in the cellar."), (200, "broke."), (2, &long)] {
        let fixture = MemoryFixture::new().await;
        let mut said = Vec::new();
        for number in 0..count {
            said.push(format!("Kettle {number} {words}"));
            fixture.say(&said[number]).await;
        }
        let room = said.iter().map(|said| said.chars().count() + LINE).sum();
        let found = recalled(&fixture, "Am I still enrolled as before?", room).await;
        let mut told = texts(&found.items);
        told.sort_unstable();
        said.sort_unstable();
        assert!(found.whole && told == said, "{count}: {found:?}");
        let found = recalled(&fixture, "Am I still enrolled as before?", room - 1).await;
        assert!(!found.whole && found.items.is_empty(), "{count}: {found:?}");
        // The prompt decides in the end, and a caller that asks for fewer items gets the best of them.
        let recall = RecallRequest {
            room_for_everything: room,
            ..RecallRequest::new("Which kettle is number 1?", Recipient::Person)
        };
        let found = fixture
            .memory
            .recall_for_prompt(fixture.owner, recall.clone(), &|items| items.len() < count)
            .await;
        assert!(!found.unwrap().whole, "{count}");
        let few = RecallRequest { limit: Some(1), ..recall };
        let found = fixture.memory.recall(fixture.owner, few).await.unwrap();
        assert!(!found.whole && found.items.len() <= 1, "{count}: {found:?}");
    }
}

#[tokio::test]
async fn what_is_nearly_the_same_is_told_with_the_rest() {
    let fixture = MemoryFixture::new().await;
    let said = [
        "The meeting with Doctor Fox about my knee is on floor 3.",
        "The meeting with Doctor Fox about my knee is on floor 4.",
    ];
    for said in said {
        fixture.say(said).await;
    }
    fixture.say("When is my meeting?").await;
    let found = recalled(&fixture, "Where do I have to go on Monday?", ROOM).await;
    let mut told = texts(&found.items);
    told.sort_unstable();
    assert!(found.whole && told == said, "all that tells something: {found:?}");
}

#[tokio::test]
async fn what_is_over_comes_with_what_became_of_it_and_what_was_put_right_does_not() {
    let fixture = MemoryFixture::new().await;
    let more = "I live in Lyon, and the lift is broken again, so I carried the piano up to the sixth floor.";
    for said in [more, "I moved to Nice.", "My dog is called Max."] {
        fixture.tell(said).await;
    }
    let found = recalled(&fixture, "What was heavy?", ROOM).await;
    let piano = found.items.iter().find(|item| item.text.starts_with(more)).unwrap();
    assert!(found.whole && piano.text.ends_with("(not so any more: Lives in Nice)"), "{found:?}");
    let dog =
        fixture.facts(FactStatus::Current).await.into_iter().find(|fact| fact.said.value == "Max").unwrap();
    let patch = protocol::FactPatch { content: Some("Has a dog called Bruno.".into()), ..Default::default() };
    fixture.memory.patch_fact(fixture.owner, &Author::Person, dog.id, patch).await.unwrap();
    let found = recalled(&fixture, "What was heavy?", ROOM).await;
    let told = texts(&found.items);
    assert!(found.whole && told.contains(&"Has a dog called Bruno."), "{told:?}");
    assert!(!told.iter().any(|text| text.contains("Max")), "{told:?}");
}

#[tokio::test]
async fn a_message_stays_when_its_fact_is_in_other_words() {
    for (said, fact, more) in [
        ("we got a puppy!! she's called Biscuit", "Has a dog.", "What is the puppy called?"),
        (
            "We adopted a kitten last week and she hides under the stove",
            "Has a cat.",
            "Where does the kitten hide?",
        ),
    ] {
        let fixture = MemoryFixture::new().await;
        fixture.say("The bus was late.").await;
        fixture.tell(said).await;
        assert!(
            fixture.current().await.iter().any(|content| content == fact),
            "{:?}",
            fixture.current().await
        );
        for (asked, room) in [("What did I tell you?", ROOM), (said, ROOM), (said, 0), (more, 0)] {
            let found = recalled(&fixture, asked, room).await;
            let told = found.items.iter().filter(|item| item.kind == MemoryKind::Message);
            assert!(told.into_iter().any(|item| item.text.starts_with(said)), "{asked} {room}: {found:?}");
        }
        let found = recalled(&fixture, more, ROOM).await;
        let place = |words: &str| found.items.iter().position(|item| item.text.starts_with(words));
        assert!(found.whole && place(said) < place("The bus"), "it says more than its fact: {found:?}");
    }
}

#[tokio::test]
async fn a_message_goes_when_its_fact_was_put_right_and_not_when_it_became_more_exact() {
    for (said, content, is_gone) in [
        ("My dog is called Max.", "Has a dog called Bruno.", true),
        ("My dog is called Max.", "Has a dog called Max Power.", false),
        ("My dog is called Max.", "Has a dog called Max.", false),
    ] {
        let fixture = MemoryFixture::new().await;
        fixture.tell(said).await;
        let fact = fixture.facts(FactStatus::Current).await.remove(0);
        let patch = protocol::FactPatch {
            content: Some(content.into()),
            importance: Some(0.9),
            ..protocol::FactPatch::default()
        };
        fixture.memory.patch_fact(fixture.owner, &Author::Person, fact.id, patch).await.unwrap();
        let found = recalled(&fixture, "Anything new?", ROOM).await;
        let is_there = texts(&found.items).iter().any(|text| text.starts_with(said));
        assert_eq!(!is_there, is_gone, "{content}: {found:?}");
        fixture.memory.undo_fact(fixture.owner, fact.id).await.unwrap();
        let found = recalled(&fixture, "Anything new?", ROOM).await;
        assert!(texts(&found.items).iter().any(|text| text.starts_with(said)), "{content}: {found:?}");
    }
}

#[tokio::test]
async fn an_old_answer_stands_before_much_that_came_later_and_is_about_something_else() {
    let filler =
        ["The bus was late again.", "Soup for dinner, with too much salt.", "My knee hurts on the stairs."];
    for (said, asked) in [
        ("The spare key is under the blue pot.", "Where is the spare key?"),
        ("The boiler is from 1998.", "How old is the boiler?"),
        ("The allotment is plot nine.", "Which plot do I have?"),
    ] {
        let fixture = MemoryFixture::new().await;
        fixture.say(said).await;
        for number in 0..12 {
            fixture.clock.advance(std::time::Duration::from_hours(5 * 24));
            fixture.say(&format!("{} That was day {number}.", filler[number % 3])).await;
        }
        let found = recalled(&fixture, asked, 2 * ROOM).await;
        let place = texts(&found.items).iter().position(|text| *text == said);
        assert!(found.whole && place.is_some_and(|place| place < 3), "{asked}: {:?}", texts(&found.items));
    }
}

#[tokio::test]
async fn what_only_a_fact_tells_belongs_to_the_whole() {
    let fixture = MemoryFixture::new().await;
    fixture.say("The bus was late.").await;
    let new = |content: &str, private| protocol::NewFactRequest {
        content: content.into(),
        private,
        ..protocol::NewFactRequest::default()
    };
    for (content, private) in [("Is allergic to nuts", false), ("Wears size 43", true)] {
        fixture.memory.add_fact(fixture.owner, &Author::Person, new(content, private)).await.unwrap();
    }
    let found = recalled(&fixture, "Who won the chess match?", ROOM).await;
    let mut told = texts(&found.items);
    told.sort_unstable();
    assert!(found.whole && found.refused, "{found:?}");
    assert_eq!(told, ["Is allergic to nuts", "The bus was late.", "Wears size 43"]);
    let recall = RecallRequest {
        room_for_everything: ROOM,
        ..RecallRequest::new("Who won the chess match?", Recipient::Other)
    };
    let found = fixture.memory.recall(fixture.owner, recall).await.unwrap();
    assert!(found.whole && !texts(&found.items).contains(&"Wears size 43"), "{found:?}");
    // Without enough room for them, the result is not complete.
    let found = recalled(&fixture, "Who won the chess match?", "The bus was late.".len() + LINE).await;
    assert!(!found.whole && found.items.is_empty(), "{found:?}");
}

#[tokio::test]
async fn read_whole_is_what_may_be_read() {
    let fixture = MemoryFixture::new().await;
    let secret = fixture.tell("I'm allergic to peanuts.").await;
    fixture.say("The bus was late.").await;
    let asked = fixture.say("What should I do?").await;
    let fact = fixture.facts(FactStatus::Current).await.remove(0);
    let patch = protocol::FactPatch { private: Some(true), ..protocol::FactPatch::default() };
    fixture.memory.patch_fact(fixture.owner, &Author::Person, fact.id, patch).await.unwrap();
    let recall = RecallRequest {
        room_for_everything: ROOM,
        in_context: [asked.id].into(),
        ..RecallRequest::new("Anything new?", Recipient::Other)
    };
    let found = fixture.memory.recall(fixture.owner, recall).await.unwrap();
    assert_eq!(texts(&found.items), ["The bus was late."], "neither what is private nor what is in sight");
    assert!(found.items.iter().all(|item| item.message_id != Some(secret.id)));
}

#[tokio::test]
async fn what_corrects_comes_no_later_than_what_it_corrects() {
    let fixture = MemoryFixture::new().await;
    let filler =
        ["The tram was late again.", "Soup for dinner, with too much salt.", "My knee hurts on the stairs."];
    fixture
        .say("We're getting solar panels on the roof in June, the roof man has confirmed the panels.")
        .await;
    for number in 0..30 {
        fixture.say(&format!("{} That was day {number}.", filler[number % 3])).await;
    }
    fixture.clock.advance(std::time::Duration::from_hours(20 * 24));
    fixture.say("No solar. Deposit's back.").await;
    let found = recalled(&fixture, "Are we getting solar panels on the roof?", 0).await;
    let place = |words: &str| found.items.iter().position(|item| item.text.contains(words));
    let (new, old) = (place("Deposit"), place("confirmed"));
    assert!(new.is_some() && old.is_some() && new < old, "{:?}", texts(&found.items));
}

#[tokio::test]
async fn what_is_not_read_in_yet_is_found_by_its_words_and_not_refused() {
    let model = super::embedder_tests::ScriptedEmbedder::new(true);
    let fixture =
        MemoryFixture::with(Arc::new(super::embedder_tests::ScriptedSource(Arc::clone(&model)))).await;
    for number in 0..40 {
        fixture.say(&format!("The ferry number {number} was full of sheep.")).await;
    }
    fixture.say("Olga keeps the spare key under the blue pot.").await;
    let found = recalled(&fixture, "Where does Olga keep the spare key?", 0).await;
    assert_eq!(found.embedding_progress, Some(EmbeddingProgress { done: 0, of: 41 }));
    assert!(!found.refused && found.items[0].text.contains("blue pot"), "{found:?}");
    let nothing = recalled(&fixture, "Who won the chess match?", 0).await;
    assert!(!nothing.refused, "nobody can tell yet: {nothing:?}");
    while fixture.memory.embed_batch(fixture.owner).await.unwrap() > 0 {}
    let found = recalled(&fixture, "Where does Olga keep the spare key?", 0).await;
    assert_eq!(found.embedding_progress, None);
    assert!(
        found.items.iter().any(|item| item.kind == MemoryKind::Message && item.text.contains("blue pot"))
    );
}
