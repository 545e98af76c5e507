use protocol::{FactChangeKind, FactDifference, FactPatch, FactStatus, NewFactRequest};

use super::knowledge_tests::MemoryFixture;
use crate::{Author, RecallRequest, Recipient};

fn note(content: &str) -> NewFactRequest {
    NewFactRequest { content: content.into(), ..NewFactRequest::default() }
}

#[tokio::test]
async fn the_same_is_not_written_down_twice() {
    let fixture = MemoryFixture::new().await;
    for (first, again) in [
        ("Collects stamps of the moon", "collects stamps of the moon."),
        ("I live in Lyon.", "I live in Lyon"),
    ] {
        let fact = fixture.memory.add_fact(fixture.owner, &Author::Person, note(first)).await.unwrap();
        let private = NewFactRequest { private: true, ..note(again) };
        let same = fixture.memory.add_fact(fixture.owner, &Author::Person, private).await.unwrap();
        assert_eq!(same.id, fact.id, "{first}");
        assert!(same.private, "what is private once stays so");
        let history = fixture.memory.fact_history(fixture.owner, Recipient::Person, fact.id).await.unwrap();
        let kinds: Vec<FactChangeKind> = history.changes.iter().map(|change| change.kind).collect();
        assert_eq!(kinds, [FactChangeKind::Learned, FactChangeKind::Repeated], "{first}");
    }
    for (number, other) in
        ["Collects stamps of the sun", "I live in Lyon, by the river"].into_iter().enumerate()
    {
        fixture.memory.add_fact(fixture.owner, &Author::Person, note(other)).await.unwrap();
        assert_eq!(
            fixture.current().await.len(),
            3 + number,
            "what says more is kept: {:?}",
            fixture.current().await
        );
    }
}

#[tokio::test]
async fn the_same_of_somebody_else_is_another_fact() {
    let fixture = MemoryFixture::new().await;
    let of = |subject: &str| NewFactRequest { subject: Some(subject.into()), ..note("Collects stamps") };
    let anna = fixture.memory.add_fact(fixture.owner, &Author::Person, of("Anna")).await.unwrap();
    let tom = fixture.memory.add_fact(fixture.owner, &Author::Person, of("Tom")).await.unwrap();
    assert_ne!(anna.id, tom.id);
}

#[tokio::test]
async fn how_sure_something_is_can_be_said() {
    let fixture = MemoryFixture::new().await;
    let doubtful = NewFactRequest { confidence: Some(0.4), ..note("Collects stamps") };
    let fact = fixture.memory.add_fact(fixture.owner, &Author::Person, doubtful).await.unwrap();
    assert!((fact.confidence - 0.4).abs() < 0.01, "{}", fact.confidence);
    for (wanted, kept) in [(0.7, 0.7), (7.0, 1.0), (-1.0, 0.0)] {
        let patch = FactPatch { confidence: Some(wanted), ..FactPatch::default() };
        let fact = fixture.memory.patch_fact(fixture.owner, &Author::Person, fact.id, patch).await.unwrap();
        assert!((fact.confidence - kept).abs() < 0.01, "{wanted}: {}", fact.confidence);
    }
}

#[tokio::test]
async fn what_cannot_be_seen_is_not_kept() {
    let fixture = MemoryFixture::new().await;
    let fact = fixture
        .memory
        .add_fact(fixture.owner, &Author::Person, note("Collects\u{0}\u{7}stamps\r\n of \u{1b}[31mthe moon"))
        .await;
    assert_eq!(fact.unwrap().content, "Collects stamps of [31mthe moon");
    let nothing = fixture.memory.add_fact(fixture.owner, &Author::Person, note("\u{1}\u{2} ")).await;
    assert!(nothing.is_err(), "{nothing:?}");
}

#[tokio::test]
async fn whom_a_fact_is_about_can_be_put_right_and_its_history_tells_what_changed() {
    let fixture = MemoryFixture::new().await;
    let fact = fixture.memory.add_fact(fixture.owner, &Author::Person, note("Lives in Lyon")).await.unwrap();
    let patch = FactPatch {
        subject: Some("Anna".into()),
        private: Some(true),
        expires_at: Some("2026-12-01".into()),
        ..FactPatch::default()
    };
    let fact = fixture.memory.patch_fact(fixture.owner, &Author::Person, fact.id, patch).await.unwrap();
    assert_eq!((fact.subject.as_str(), fact.private), ("Anna", true));
    let history = fixture.memory.fact_history(fixture.owner, Recipient::Person, fact.id).await.unwrap();
    let expected = [
        FactDifference::Subject { from: String::new(), to: "Anna".into() },
        FactDifference::Private { to: true },
        FactDifference::Expiry { from: None, to: fact.expires_at },
    ];
    assert_eq!(history.changes[1].changed, expected);
    assert_eq!(history.changes[0].changed, []);
    let long = FactPatch { subject: Some("a".repeat(101)), ..FactPatch::default() };
    assert!(fixture.memory.patch_fact(fixture.owner, &Author::Person, fact.id, long).await.is_err());
}

#[tokio::test]
async fn what_ends_later_today_holds_until_then() {
    let fixture = MemoryFixture::new().await;
    let until =
        |at: &str| NewFactRequest { expires_at: Some(at.into()), ..note(&format!("Stays until {at}")) };
    for (at, status) in [
        ("2026-11-15T18:00:00Z", FactStatus::Current),
        ("2026-11-15T11:00:00Z", FactStatus::Expired),
        ("2026-11-15", FactStatus::Expired),
        ("2026-11-16", FactStatus::Current),
    ] {
        assert_eq!(
            fixture.memory.add_fact(fixture.owner, &Author::Person, until(at)).await.unwrap().status,
            status,
            "{at}"
        );
    }
}

#[tokio::test]
async fn importance_is_a_share_whatever_is_written() {
    let fixture = MemoryFixture::new().await;
    let request = NewFactRequest { importance: Some(99.0), ..note("Collects stamps") };
    assert!(
        (fixture.memory.add_fact(fixture.owner, &Author::Person, request).await.unwrap().importance - 1.0)
            .abs()
            < 0.01
    );
}

#[tokio::test]
async fn what_is_said_to_be_over_is_news_once() {
    let fixture = MemoryFixture::new().await;
    fixture.tell("I am vegetarian.").await;
    fixture.tell("I'm not vegetarian any more.").await;
    let untold = fixture.memory.untold_replacements(fixture.owner, Recipient::Person).await.unwrap();
    let [over] = untold.as_slice() else { panic!("{untold:?}") };
    assert_eq!((over.now.as_deref(), over.before.as_str()), (None, "Is vegetarian."));
    fixture.memory.mark_told(fixture.owner, vec![over.id]).await.unwrap();
    assert_eq!(
        fixture.memory.untold_replacements(fixture.owner, Recipient::Person).await.unwrap(),
        Vec::new()
    );
}

#[tokio::test]
async fn the_words_of_a_name_that_was_put_right_are_not_recalled() {
    let fixture = MemoryFixture::new().await;
    fixture.tell("My dog is called Max.").await;
    let recalled = async || {
        let recall = RecallRequest::new("What is my dog called?", Recipient::Other);
        let items = fixture.memory.recall(fixture.owner, recall).await.unwrap().items;
        items.into_iter().map(|item| item.text).collect::<Vec<_>>()
    };
    assert_eq!(recalled().await, ["Has a dog called Max."]);
    let id = fixture.facts(FactStatus::Current).await[0].id;
    let patch = FactPatch { content: Some("Has a dog called Wotan.".into()), ..FactPatch::default() };
    fixture.memory.patch_fact(fixture.owner, &Author::Person, id, patch).await.unwrap();
    assert_eq!(recalled().await, ["Has a dog called Wotan."]);
}

#[tokio::test]
async fn of_notes_that_are_alike_the_one_that_is_named_comes_first() {
    let fixture = MemoryFixture::new().await;
    for number in 0..12 {
        fixture
            .memory
            .add_fact(
                fixture.owner,
                &Author::Person,
                note(&format!("Note {number} is about the boat Qx{number}0")),
            )
            .await
            .unwrap();
    }
    let recall = RecallRequest::new("the boat Qx110", Recipient::Other);
    let items = fixture.memory.recall(fixture.owner, recall).await.unwrap().items;
    assert_eq!(items[0].text, "Note 11 is about the boat Qx110", "{items:?}");
}

#[tokio::test]
async fn what_is_a_secret_by_its_kind_is_private_from_the_first_and_can_be_opened() {
    let fixture = MemoryFixture::new().await;
    fixture.tell("My wifi password is moonlight7.").await;
    let told = fixture.facts(FactStatus::Current).await;
    assert!(!told.is_empty() && told.iter().all(|fact| fact.said.private), "{told:?}");
    let card =
        NewFactRequest { content: "Pays with 4111 1111 1111 1111.".into(), ..NewFactRequest::default() };
    let card = fixture.memory.add_fact(fixture.owner, &Author::Person, card).await.unwrap();
    assert!(card.private);
    let open = FactPatch { private: Some(false), ..FactPatch::default() };
    assert!(!fixture.memory.patch_fact(fixture.owner, &Author::Person, card.id, open).await.unwrap().private);
}
