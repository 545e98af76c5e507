//! What programs may learn and change, beside the person.

use protocol::{Fact, FactPatch, NewFactRequest, Origin};

use super::knowledge_tests::Bed;
use crate::{Author, Reader};

fn program(name: &str) -> Author {
    Author::Program(name.into())
}

async fn note(bed: &Bed, author: &Author, content: &str, private: bool) -> Fact {
    let request = NewFactRequest { content: content.into(), private, ..NewFactRequest::default() };
    bed.memory.add_fact(bed.owner, author, request).await.unwrap()
}

#[tokio::test]
async fn words_of_programs_open_nothing_that_is_private() {
    let bed = Bed::new().await;
    note(&bed, &Author::Person, "The therapist is called Quimby.", true).await;
    let is_secret = async || bed.memory.secrets(bed.owner).await.unwrap().are_in("Quimby came by.");
    assert!(is_secret().await);
    let guess = note(&bed, &program("one"), "Likes the Quimby Street.", false).await;
    assert!(is_secret().await, "it waits for a yes");
    let yes = FactPatch { confirmed: Some(true), ..FactPatch::default() };
    bed.memory.patch_fact(bed.owner, &Author::Person, guess.id, yes).await.unwrap();
    assert!(is_secret().await, "a yes to words of others lets nobody know more than these");
    // What the person tells openly opens it, for as long as it holds.
    let own = note(&bed, &Author::Person, "Works with Quimby.", false).await;
    assert!(!is_secret().await);
    let no = FactPatch { confirmed: Some(false), ..FactPatch::default() };
    bed.memory.patch_fact(bed.owner, &Author::Person, own.id, no).await.unwrap();
    assert!(is_secret().await, "it is not so any more");
}

#[tokio::test]
async fn a_note_that_waits_is_changed_by_the_program_that_wrote_it_alone() {
    let bed = Bed::new().await;
    let waits = note(&bed, &program("one"), "Likes rowing.", false).await;
    let patch = |content: &str| FactPatch { content: Some(content.into()), ..FactPatch::default() };
    let change = async |author: &Author, content: &str| {
        bed.memory.patch_fact(bed.owner, author, waits.id, patch(content)).await.map(|fact| fact.content)
    };
    change(&program("other"), "Likes to be robbed.").await.unwrap_err();
    assert_eq!(bed.fact(waits.id).await.said.content, "Likes rowing.");
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
            let bed = Bed::new().await;
            let write = async |author: &Author, name: &str| {
                bed.memory.write_file(bed.owner, author, name, format!("As {name}.")).await.unwrap();
            };
            let origins = async || {
                let files = bed.memory.files(bed.owner, Reader::Person).await.unwrap().files;
                let [file] = files.as_slice() else { panic!("{files:?}") };
                let view = bed.memory.file(bed.owner, Reader::Person, other).await.unwrap();
                assert_eq!((&view.file.name, &view.file.origins), (&file.name, &file.origins), "{other}");
                assert!(!view.history.is_empty());
                file.origins.clone()
            };
            write(&Author::Person, name).await;
            bed.store.set_file_origins(bed.owner, name, vec![page.clone()]).await.unwrap();
            write(&program("one"), other).await;
            assert_eq!(origins().await, [page.clone(), Origin::Mcp("one".into())], "{other}");
            write(&Author::Person, other).await;
            assert_eq!(origins().await, [], "the person answers for all of it: {other}");
        }
    }
}
