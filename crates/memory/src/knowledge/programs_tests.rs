//! Tests of what programs may read and change, compared to the user.

use std::collections::BTreeSet;

use protocol::{Fact, FactPatch, FactStatus, MemoryKind, NewFactRequest, Origin};
use store::NewEntry;

use super::knowledge_tests::{MemoryFixture, texts};
use super::{FactQuery, StatusFilter};
use crate::{Author, RecallRequest, Recipient};

fn program(name: &str) -> Author {
    Author::Program(name.into())
}

async fn note(fixture: &MemoryFixture, author: &Author, content: &str, private: bool) -> Fact {
    let request = NewFactRequest { content: content.into(), private, ..NewFactRequest::default() };
    fixture.memory.add_fact(fixture.owner, author, request).await.unwrap()
}

#[tokio::test]
async fn words_of_programs_open_nothing_that_is_private() {
    let fixture = MemoryFixture::new().await;
    note(&fixture, &Author::Person, "The therapist is called Quimby.", true).await;
    let is_secret = async || fixture.memory.secrets(fixture.owner).await.unwrap().are_in("Quimby came by.");
    assert!(is_secret().await);
    let guess = note(&fixture, &program("one"), "Likes the Quimby Street.", false).await;
    assert!(is_secret().await, "it waits for a yes");
    let yes = FactPatch { confirmed: Some(true), ..FactPatch::default() };
    fixture.memory.patch_fact(fixture.owner, &Author::Person, guess.id, yes).await.unwrap();
    assert!(is_secret().await, "a yes to words of others lets nobody know more than these");
    // A public statement by the user makes it public for as long as that statement holds.
    let own = note(&fixture, &Author::Person, "Works with Quimby.", false).await;
    assert!(!is_secret().await);
    let no = FactPatch { confirmed: Some(false), ..FactPatch::default() };
    fixture.memory.patch_fact(fixture.owner, &Author::Person, own.id, no).await.unwrap();
    assert!(is_secret().await, "it is not so any more");
}

#[tokio::test]
async fn a_note_that_waits_is_changed_by_the_program_that_wrote_it_alone() {
    let fixture = MemoryFixture::new().await;
    let waits = note(&fixture, &program("one"), "Likes rowing.", false).await;
    let patch = |content: &str| FactPatch { content: Some(content.into()), ..FactPatch::default() };
    let change = async |author: &Author, content: &str| {
        fixture
            .memory
            .patch_fact(fixture.owner, author, waits.id, patch(content))
            .await
            .map(|fact| fact.content)
    };
    change(&program("other"), "Likes to be robbed.").await.unwrap_err();
    assert_eq!(fixture.fact(waits.id).await.said.content, "Likes rowing.");
    assert_eq!(change(&program("one"), "Likes to row.").await.unwrap(), "Likes to row.");
    assert_eq!(change(&Author::Person, "Likes to row alone.").await.unwrap(), "Likes to row alone.");
}

#[tokio::test]
async fn a_file_keeps_whose_words_it_has_however_its_name_is_written() {
    let page = Origin::Web("https://evil.example/".into());
    for (name, others) in [
        ("notes.md", ["Notes.MD", "NOTES", "nOtes.md"]),
        ("caf\u{e9}.md", ["cafe\u{301}", "CAF\u{c9}", "Caf\u{e9}"]),
    ] {
        for other in others {
            let fixture = MemoryFixture::new().await;
            let write = async |author: &Author, name: &str| {
                fixture.memory.write_file(fixture.owner, author, name, format!("As {name}.")).await.unwrap();
            };
            let origins = async || {
                let files = fixture.memory.files(fixture.owner, Recipient::Person).await.unwrap().files;
                let [file] = files.as_slice() else { panic!("{files:?}") };
                let view = fixture.memory.file(fixture.owner, Recipient::Person, other).await.unwrap();
                assert_eq!((&view.file.name, &view.file.origins), (&file.name, &file.origins), "{other}");
                assert!(!view.history.is_empty());
                file.origins.clone()
            };
            write(&Author::Person, name).await;
            fixture.store.set_file_origins(fixture.owner, name, vec![page.clone()]).await.unwrap();
            write(&program("one"), other).await;
            assert_eq!(origins().await, [page.clone(), Origin::Mcp("one".into())], "{other}");
            write(&Author::Person, other).await;
            assert_eq!(origins().await, [], "the person answers for all of it: {other}");
        }
    }
}

/// A user with a private number and a private name, which programs try to guess.
async fn guarded() -> MemoryFixture {
    let fixture = MemoryFixture::new().await;
    note(&fixture, &Author::Person, "The alarm code is 4711.", true).await;
    note(&fixture, &Author::Person, "The therapist is called Quimby.", true).await;
    fixture
}

/// A right guess and a wrong one.
const GUESSES: [&str; 2] =
    ["The garden gate opens with 4711 and Quimby.", "The garden gate opens with 4712 and Nobody."];

#[tokio::test]
async fn a_program_sees_its_own_notes_whether_they_guess_right_or_not() {
    let fixture = guarded().await;
    let (one, other) = (program("one"), program("other"));
    let mut notes = Vec::new();
    for guess in GUESSES {
        notes.push(note(&fixture, &one, guess, false).await);
    }
    notes.push(note(&fixture, &one, "My PIN is 9921.", true).await);
    let seen = async |author: &Author| {
        let query = FactQuery { status: Some(StatusFilter::All), ..FactQuery::default() };
        let list = fixture.memory.facts(fixture.owner, author.recipient(), query).await.unwrap();
        assert_eq!((list.total as usize, list.unconfirmed as usize), (list.facts.len(), list.facts.len()));
        let timeline = fixture.memory.timeline(fixture.owner, author.recipient(), None).await.unwrap();
        let told: BTreeSet<_> =
            timeline.days.iter().flat_map(|day| &day.entries).map(|entry| entry.fact.id).collect();
        assert_eq!(told, list.facts.iter().map(|fact| fact.id).collect());
        list.facts.into_iter().map(|fact| fact.content).collect::<Vec<_>>()
    };
    assert_eq!(seen(&one).await, ["My PIN is 9921.", GUESSES[1], GUESSES[0]]);
    assert_eq!(seen(&other).await, [GUESSES[1]]);
    for own in &notes {
        assert_eq!(
            fixture.memory.fact(fixture.owner, one.recipient(), own.id).await.unwrap().content,
            own.content
        );
        let patch = FactPatch { content: Some(format!("{} Surely.", own.content)), ..FactPatch::default() };
        fixture.memory.patch_fact(fixture.owner, &one, own.id, patch).await.unwrap();
        let history =
            fixture.memory.fact_history(fixture.owner, one.recipient(), own.id).await.unwrap().changes;
        assert_eq!(history[1].before.as_ref(), Some(&own.content));
    }
    let open = FactPatch { private: Some(false), ..FactPatch::default() };
    assert!(fixture.memory.patch_fact(fixture.owner, &one, notes[2].id, open).await.unwrap().private);
    // Text that the user writes into it belongs to the user.
    let words = FactPatch { content: Some("Sees Quimby on Mondays.".into()), ..FactPatch::default() };
    let mine = fixture.memory.patch_fact(fixture.owner, &Author::Person, notes[1].id, words).await.unwrap();
    assert_eq!((mine.status, mine.origins), (FactStatus::Unconfirmed, Vec::new()));
    fixture.memory.fact(fixture.owner, one.recipient(), notes[1].id).await.unwrap_err();
    assert_eq!(seen(&one).await.len(), 2);
}

#[tokio::test]
async fn a_program_finds_its_own_entries_whether_they_guess_right_or_not() {
    let fixture = guarded().await;
    let (one, other) = (program("one"), program("other"));
    let save = async |author: &Author, name: &str, content: &str| {
        let new = NewEntry { name: Some(name.into()), content: content.into(), ..NewEntry::default() };
        fixture.memory.save_entry(fixture.owner, author, new).await.unwrap();
    };
    for (name, guess) in ["right", "wrong"].into_iter().zip(GUESSES) {
        save(&one, name, guess).await;
    }
    save(&Author::Person, "mine", "The garden gate has the code 4711.").await;
    let seen = async |author: &Author| {
        let mut seen: Vec<String> = Vec::new();
        for name in ["right", "wrong", "mine"] {
            if fixture.memory.entry(fixture.owner, author.recipient(), name).await.is_ok() {
                seen.push(name.into());
            }
        }
        let list = fixture.memory.entry_list(fixture.owner, author.recipient(), 9, 0).await.unwrap();
        assert_eq!((list.total as usize, list.entries.len()), (seen.len(), seen.len()));
        let found =
            fixture.memory.search_entries(fixture.owner, author.recipient(), "garden gate", 9).await.unwrap();
        let recall = RecallRequest::new("What opens the garden gate?", author.recipient());
        let recalled = fixture.memory.recall(fixture.owner, recall).await.unwrap().items;
        for items in [found, recalled] {
            let mut ids: Vec<_> = items.into_iter().map(|item| item.id).collect();
            ids.sort_unstable();
            assert_eq!(ids, seen.iter().filter(|name| *name != "mine").cloned().collect::<Vec<_>>());
        }
        seen
    };
    assert_eq!(seen(&one).await, ["right", "wrong"]);
    assert_eq!(seen(&other).await, ["wrong"]);
    // After another author has saved it, it belongs to that author.
    save(&Author::Person, "right", "The garden gate opens with 4711.").await;
    assert_eq!(seen(&one).await, ["wrong"]);
}

#[tokio::test]
async fn a_program_reads_its_own_lines_and_is_told_of_no_others() {
    let fixture = guarded().await;
    let (one, other) = (program("one"), program("other"));
    let guesses = format!("{}\n{}\n", GUESSES[0], GUESSES[1]);
    let write = async |author: &Author, name: &str, content: &str| {
        fixture.memory.write_file(fixture.owner, author, name, content.into()).await
    };
    let read = async |author: &Author, name: &str| {
        let view = fixture.memory.file(fixture.owner, author.recipient(), name).await.ok()?;
        let list = fixture.memory.files(fixture.owner, author.recipient()).await.unwrap().files;
        let listed = list.iter().find(|file| file.name == view.file.name);
        assert_eq!(listed.map(|file| file.bytes as usize), Some(view.content.len()), "{name}");
        assert_eq!(view.history.first().unwrap().content.as_ref(), Some(&view.content));
        Some(view.content)
    };
    for name in ["gate", "Quimby"] {
        write(&one, name, "First.").await.unwrap();
        write(&one, name, &guesses).await.unwrap();
        assert_eq!(read(&one, name).await.as_ref(), Some(&guesses), "{name}");
    }
    assert_eq!(
        read(&other, "gate").await,
        Some(format!("{}\n", GUESSES[1])),
        "nothing says how much is left out"
    );
    assert_eq!(read(&other, "Quimby").await, None);
    let export = fixture.memory.export_json(fixture.owner, one.recipient()).await.unwrap();
    assert!(export.contains(GUESSES[0]) && export.contains("Quimby.md"), "{export}");
    // Recall does not reveal either which of its pieces can be found.
    let recall = RecallRequest::new("What opens the garden gate?", one.recipient());
    let found = fixture.memory.recall(fixture.owner, recall).await.unwrap().items;
    assert!(!found.iter().any(|item| item.kind == MemoryKind::File), "{:?}", texts(&found));
    // Another author writes into it: the program's own lines stay, and the others are filtered.
    write(&Author::Person, "gate", &format!("{guesses}The code of the house is 4711.\nIt squeaks.\n"))
        .await
        .unwrap();
    assert_eq!(read(&one, "gate").await, Some(format!("{guesses}It squeaks.\n")));
    write(&one, "gate", "Gone.").await.unwrap_err();
    write(&Author::Person, "gate", &guesses.replace(' ', "  ")).await.unwrap();
    assert_eq!(read(&one, "gate").await, Some(format!("{}\n", GUESSES[1].replace(' ', "  "))));
    // A name that the program chose stays visible to it until the file belongs to another author.
    fixture.memory.delete_file(fixture.owner, one.recipient(), "Quimby").await.unwrap();
    assert!(fixture.memory.file(fixture.owner, one.recipient(), "Quimby").await.is_ok());
    write(&Author::Person, "Quimby", "On Mondays.").await.unwrap();
    assert_eq!(read(&one, "Quimby").await, None);
    write(&one, "Quimby", "Gone.").await.unwrap_err();
}
