use protocol::{FactChangeKind, FactId, FactPatch, FactStatus, MemoryItem, MemoryKind};

use super::knowledge_tests::MemoryFixture;
use crate::{Author, Recipient};

const UNCLEAR: &str = "The van broke down halfway between Lyon and Porto, so I spent the first night of my new life in a motorway hotel.";
const WHERE: &str = "Where do I live?";

/// A user who lives in Lyon and a month later says something that suggests otherwise.
async fn moved() -> (MemoryFixture, FactId) {
    let fixture = MemoryFixture::new().await;
    fixture.tell("I live in Lyon.").await;
    let home = fixture.facts(FactStatus::Current).await[0].id;
    fixture.clock.set("2026-12-15T12:00:00Z");
    fixture.tell(UNCLEAR).await;
    (fixture, home)
}

fn first(items: &[MemoryItem]) -> (MemoryKind, &str) {
    items.first().map_or((MemoryKind::Entry, ""), |item| (item.kind, item.text.as_str()))
}

#[tokio::test]
async fn what_is_in_doubt_is_not_stated_and_the_words_are_brought() {
    let (fixture, home) = moved().await;

    let items = fixture.recall(WHERE, true).await;

    assert_eq!(first(&items), (MemoryKind::Message, UNCLEAR));
    assert!(items.iter().all(|item| item.kind != MemoryKind::Fact), "{items:?}");
    let shown = fixture.memory.fact(fixture.owner, Recipient::Person, home).await.unwrap();
    assert_eq!(shown.status, FactStatus::Current);
    assert_eq!(shown.doubt.unwrap().words, UNCLEAR);
    // The earlier period is not in doubt.
    let then = fixture.recall("Where did I live in November?", true).await;
    assert_eq!(first(&then), (MemoryKind::Fact, "Lives in Lyon."));
}

#[tokio::test]
async fn a_yes_a_repetition_or_a_correction_ends_the_doubt() {
    let (fixture, home) = moved().await;
    let yes = FactPatch { confirmed: Some(true), ..FactPatch::default() };
    assert_eq!(
        fixture.memory.patch_fact(fixture.owner, &Author::Person, home, yes).await.unwrap().doubt,
        None
    );
    assert_eq!(first(&fixture.recall(WHERE, true).await), (MemoryKind::Fact, "Lives in Lyon."));

    let (fixture, home) = moved().await;
    fixture.tell("I live in Lyon.").await;
    assert_eq!(fixture.fact(home).await.doubted_by, None);

    let (fixture, home) = moved().await;
    let words = FactPatch { content: Some("Lives in Porto.".into()), ..FactPatch::default() };
    assert_eq!(
        fixture.memory.patch_fact(fixture.owner, &Author::Person, home, words).await.unwrap().doubt,
        None
    );
    assert_eq!(first(&fixture.recall(WHERE, true).await), (MemoryKind::Fact, "Lives in Porto."));
}

#[tokio::test]
async fn a_no_ends_the_fact_on_the_day_of_the_words_and_can_be_taken_back() {
    let (fixture, home) = moved().await;
    fixture.clock.set("2026-12-24T12:00:00Z");

    let no = FactPatch { confirmed: Some(false), ..FactPatch::default() };
    let ended = fixture.memory.patch_fact(fixture.owner, &Author::Person, home, no).await.unwrap();

    assert_eq!((ended.status, ended.doubt), (FactStatus::Expired, None));
    assert!(ended.valid_to.unwrap().starts_with("2026-12-15"));
    let back = fixture.memory.undo_fact(fixture.owner, home).await.unwrap();
    assert_eq!(back.status, FactStatus::Current);
    assert_eq!(back.doubt.unwrap().words, UNCLEAR);
    let kinds: Vec<FactChangeKind> = fixture
        .memory
        .fact_history(fixture.owner, Recipient::Person, home)
        .await
        .unwrap()
        .changes
        .into_iter()
        .map(|change| change.kind)
        .collect();
    assert_eq!(kinds, [FactChangeKind::Learned, FactChangeKind::Doubted]);
}

#[tokio::test]
async fn clear_words_take_the_place_of_what_is_in_doubt() {
    let (fixture, home) = moved().await;
    fixture.tell("I live in Porto now.").await;
    assert_eq!(first(&fixture.recall(WHERE, true).await), (MemoryKind::Fact, "Lives in Porto."));
    let old = fixture.memory.fact(fixture.owner, Recipient::Person, home).await.unwrap();
    assert_eq!((old.status, old.doubt), (FactStatus::Superseded, None));
}

#[tokio::test]
async fn without_the_message_there_is_no_doubt() {
    let (fixture, home) = moved().await;
    let conversation = fixture
        .memory
        .fact(fixture.owner, Recipient::Person, home)
        .await
        .unwrap()
        .doubt
        .unwrap()
        .conversation_id;
    fixture.store.delete_conversation(fixture.owner, conversation).await.unwrap();
    assert_eq!(fixture.memory.fact(fixture.owner, Recipient::Person, home).await.unwrap().doubt, None);
    assert_eq!(first(&fixture.recall(WHERE, true).await), (MemoryKind::Fact, "Lives in Lyon."));
}

#[tokio::test]
async fn words_that_tell_a_secret_are_not_brought_in_its_place() {
    let (fixture, _) = moved().await;
    let secret = protocol::NewFactRequest {
        content: "Spent the first night in a motorway hotel.".into(),
        private: true,
        ..protocol::NewFactRequest::default()
    };
    fixture.memory.add_fact(fixture.owner, &Author::Person, secret).await.unwrap();
    let told = fixture.recall(WHERE, false).await;
    assert!(told.iter().all(|item| !item.text.contains("motorway")), "{told:?}");
    assert_eq!(first(&told), (MemoryKind::Message, "I live in Lyon. (this may have changed since)"));
}

#[tokio::test]
async fn what_says_something_else_puts_nothing_in_doubt() {
    for (known, said) in [
        ("I work at Siemens.", "I work with Python."),
        ("I live in Lisbon.", "I've lived in Florida."),
        ("I'm vegetarian.", "I went vegan for January."),
        ("I drive a Skoda.", "I have a car problem."),
    ] {
        let fixture = MemoryFixture::new().await;
        fixture.tell(known).await;
        let before = fixture.current().await;
        fixture.tell(said).await;
        assert_eq!(fixture.current().await, before, "{said}");
        let facts = fixture.facts(FactStatus::Current).await;
        assert!(facts.iter().all(|fact| fact.doubted_by.is_none()), "{said}: {facts:?}");
    }
}
