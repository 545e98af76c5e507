use protocol::{FactChangeKind, FactPatch, NewFactRequest};

use super::knowledge_tests::Bed;

fn note(content: &str) -> NewFactRequest {
    NewFactRequest { content: content.into(), ..NewFactRequest::default() }
}

#[tokio::test]
async fn the_same_is_not_written_down_twice() {
    let bed = Bed::new().await;
    for (first, again) in [
        ("Collects stamps of the moon", "collects stamps of the moon."),
        ("I live in Lyon.", "I live in Lyon"),
    ] {
        let fact = bed.memory.add_fact(bed.owner, note(first)).await.unwrap();
        let private = NewFactRequest { private: true, ..note(again) };
        let same = bed.memory.add_fact(bed.owner, private).await.unwrap();
        assert_eq!(same.id, fact.id, "{first}");
        assert!(same.private, "what is private once stays so");
        let history = bed.memory.fact_history(bed.owner, fact.id).await.unwrap();
        let kinds: Vec<FactChangeKind> = history.changes.iter().map(|change| change.kind).collect();
        assert_eq!(kinds, [FactChangeKind::Learned, FactChangeKind::Repeated], "{first}");
    }
    for (number, other) in
        ["Collects stamps of the sun", "I live in Lyon, by the river"].into_iter().enumerate()
    {
        bed.memory.add_fact(bed.owner, note(other)).await.unwrap();
        assert_eq!(
            bed.current().await.len(),
            3 + number,
            "what says more is kept: {:?}",
            bed.current().await
        );
    }
}

#[tokio::test]
async fn the_same_of_somebody_else_is_another_fact() {
    let bed = Bed::new().await;
    let of = |subject: &str| NewFactRequest { subject: Some(subject.into()), ..note("Collects stamps") };
    let anna = bed.memory.add_fact(bed.owner, of("Anna")).await.unwrap();
    let tom = bed.memory.add_fact(bed.owner, of("Tom")).await.unwrap();
    assert_ne!(anna.id, tom.id);
}

#[tokio::test]
async fn how_sure_something_is_can_be_said() {
    let bed = Bed::new().await;
    let doubtful = NewFactRequest { confidence: Some(0.4), ..note("Collects stamps") };
    let fact = bed.memory.add_fact(bed.owner, doubtful).await.unwrap();
    assert!((fact.confidence - 0.4).abs() < 0.01, "{}", fact.confidence);
    for (wanted, kept) in [(0.7, 0.7), (7.0, 1.0), (-1.0, 0.0)] {
        let patch = FactPatch { confidence: Some(wanted), ..FactPatch::default() };
        let fact = bed.memory.patch_fact(bed.owner, fact.id, patch).await.unwrap();
        assert!((fact.confidence - kept).abs() < 0.01, "{wanted}: {}", fact.confidence);
    }
}

#[tokio::test]
async fn what_cannot_be_seen_is_not_kept() {
    let bed = Bed::new().await;
    let fact =
        bed.memory.add_fact(bed.owner, note("Collects\u{0}\u{7}stamps\r\n of \u{1b}[31mthe moon")).await;
    assert_eq!(fact.unwrap().content, "Collects stamps of [31mthe moon");
    let nothing = bed.memory.add_fact(bed.owner, note("\u{1}\u{2} ")).await;
    assert!(nothing.is_err(), "{nothing:?}");
}
