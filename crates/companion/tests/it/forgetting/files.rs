//! Tests of forgetting in memory files and their history.

use std::time::Duration;

use ::memory::{Author, Recipient};
use companion::GRACE;
use protocol::{MemoryFile, Origin};

use super::{forget_words, found};
use crate::fixture::CompanionFixture;

#[tokio::test]
async fn what_is_forgotten_one_after_the_other_goes_from_the_history_of_files() {
    let fixture = CompanionFixture::new().await;
    let memory = fixture.companion.memory();
    let put = async |file: &str, content: &str| {
        memory.write_file(fixture.owner, &Author::Person, file, content.into()).await.unwrap();
    };
    put("house.md", "The house was built by Wortalfa and Wortbeta.").await;
    put("house.md", "The house is old.").await;
    put("boat.md", "The boat belongs to Wortbeta.").await;
    forget_words(&fixture, "Wortbeta").await;
    fixture.clock.advance(GRACE / 2);
    forget_words(&fixture, "Wortalfa").await;
    fixture.clock.advance(GRACE / 2 + Duration::from_secs(1));
    assert_eq!(fixture.companion.forgetting().purge_file_history().await.unwrap(), 1);
    assert_eq!(found(fixture.folder.path(), "wortbeta"), Vec::<String>::new());
    assert!(!found(fixture.folder.path(), "wortalfa").is_empty(), "its time has not come");
    fixture.clock.advance(GRACE);
    assert_eq!(fixture.companion.forgetting().purge_file_history().await.unwrap(), 1);
    assert_eq!(found(fixture.folder.path(), "wortalfa"), Vec::<String>::new());
    let house = memory.file(fixture.owner, Recipient::Person, "house.md").await.unwrap();
    assert_eq!(house.content, "The house is old.");
    let labels: Vec<&str> = house.history.iter().map(|change| change.what.as_str()).collect();
    assert_eq!(labels, ["Edit house.md", "Edit house.md"], "the history of what stays is as it was");
}

#[tokio::test]
async fn a_file_that_gets_another_name_keeps_whose_words_are_in_it() {
    let fixture = CompanionFixture::new().await;
    let memory = fixture.companion.memory();
    let page = Origin::Web("https://example.org/".into());
    for (file, origins) in [("wortalfa one.md", vec![page.clone()]), ("wortalfa two.md", Vec::new())] {
        let content = format!("Read in {file}.");
        memory.write_file(fixture.owner, &Author::Person, file, content).await.unwrap();
        fixture.store.set_file_origins(fixture.owner, file, origins).await.unwrap();
    }
    forget_words(&fixture, "Wortalfa").await;
    let list = memory.files(fixture.owner, Recipient::Person).await.unwrap().files;
    let found_in = |file: &MemoryFile| (file.name.clone(), file.origins.clone());
    let expected = [("forgotten 1.md".to_owned(), vec![page]), ("forgotten 2.md".to_owned(), Vec::new())];
    assert_eq!(list.iter().map(found_in).collect::<Vec<_>>(), expected);
    let known = fixture.store.file_origins(fixture.owner).await.unwrap();
    assert_eq!(known.len(), 1, "nothing is left of a name that is gone: {known:?}");
    let left = found(fixture.folder.path(), "wortalfa");
    // The history of the files keeps the word during the grace period.
    assert!(left.iter().all(|file| file == "git" || file.contains("/.git/")), "{left:?}");
}
