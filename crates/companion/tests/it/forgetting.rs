//! Tests of forgetting: everything that was meant is removed completely, and nothing else.

mod files;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use ::memory::{Author, FactQuery, Recipient, StatusFilter};
use companion::{FeedReader, GRACE, Process as _};
use host::Clock as _;
use model::Delta;
use protocol::{ConfirmRequest, ForgetReport, ForgetRequest, NewFactRequest, Push, Remember};
use serde_json::json;
use store::NewConversation;

use crate::bed::{Bed, Told, call, text};
use crate::memory::{facts, tell};

/// Returns the files that contain a word in any spelling: the database, its log, plain files, and packed git objects.
pub fn found(folder: &Path, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if folder.file_name().is_some_and(|name| name == ".git") {
            let objects = ::memory::files::unpacked(&folder);
            found.extend(objects.iter().filter(|object| holds(object, word)).map(|_| "git".to_owned()));
        }
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if holds(&std::fs::read(entry.path()).unwrap(), word) {
                found.push(entry.path().display().to_string());
            }
        }
    }
    found
}

fn holds(bytes: &[u8], word: &str) -> bool {
    String::from_utf8_lossy(bytes).to_lowercase().contains(word)
}

/// Waits until the work after an answer and its sweep are done.
async fn over(news: &mut FeedReader<'_>) {
    while !matches!(news.next().await.unwrap().push, Push::ChatChanged { .. }) {}
}

async fn forget_words(bed: &Bed, words: &str) -> ForgetReport {
    let request = ForgetRequest { words: Some(words.into()), confirm: true, ..ForgetRequest::default() };
    bed.companion.forget(bed.owner, request).await.unwrap()
}

async fn forget_fact(bed: &Bed, content: &str) -> ForgetReport {
    let all = FactQuery { limit: Some(500), ..FactQuery::default() };
    let known = bed.companion.memory().facts(bed.owner, Recipient::Person, all).await.unwrap().facts;
    let fact = known.iter().find(|fact| fact.content == content);
    let id = fact.unwrap_or_else(|| panic!("{content} is not in {known:?}")).id;
    let request = ForgetRequest { fact: Some(id), confirm: true, ..ForgetRequest::default() };
    bed.companion.forget(bed.owner, request).await.unwrap()
}

#[tokio::test]
async fn fifty_facts_are_forgotten_to_the_last_byte_and_their_neighbours_stay() {
    let bed = Bed::new().await;
    let name = |number: usize| {
        let letters = ["ba", "de", "fi", "go", "ku", "la", "me"];
        format!("Z{}{}{}x", letters[number % 7], letters[number / 7 % 7], letters[number / 49 % 7])
    };
    let kinds = ["dog", "cat", "parrot", "rabbit", "hamster"];
    for number in 0..60 {
        bed.says([text(&format!("{} is a lovely name.", name(number)))]);
        let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
        let kind = kinds[number % kinds.len()];
        bed.tell(&format!("I have another {kind} called {}.", name(number)), Some(chat.id)).await;
    }
    // Some of the words are in a memory file as well.
    for number in [3, 55] {
        let content = format!("# Pets\n\n{} likes carrots.\n", name(number));
        let file = format!("pets-{number}.md");
        bed.companion.memory().write_file(bed.owner, &Author::Person, &file, content).await.unwrap();
    }
    let all = FactQuery { limit: Some(500), ..FactQuery::default() };
    let known = bed.companion.memory().facts(bed.owner, Recipient::Person, all.clone()).await.unwrap().facts;
    let of: BTreeMap<usize, _> = (0..60)
        .filter_map(|number| {
            let fact = known.iter().find(|fact| fact.content.contains(&name(number)))?;
            Some((number, fact.id))
        })
        .collect();
    assert_eq!(
        of.len(),
        60,
        "every one was learned: {:?}",
        known.iter().map(|fact| &fact.content).collect::<Vec<_>>()
    );
    for number in 0..50 {
        let request = ForgetRequest { fact: Some(of[&number]), confirm: true, ..ForgetRequest::default() };
        let report = bed.companion.forget(bed.owner, request).await.unwrap();
        // The history of memory files keeps the words for the grace period.
        let left: Vec<&String> = report.found.iter().filter(|file| !file.contains("memories")).collect();
        assert!(report.done && left.is_empty(), "{report:?}");
    }
    bed.clock.advance(GRACE + Duration::from_secs(1));
    assert_eq!(bed.companion.forgetting().purge_file_history().await.unwrap(), 1);
    for number in 0..50 {
        let word = name(number).to_lowercase();
        assert_eq!(found(bed.folder.path(), &word), Vec::<String>::new(), "{word}");
    }
    let left = bed.companion.memory().facts(bed.owner, Recipient::Person, all).await.unwrap().facts;
    assert_eq!(left.len(), known.len() - 50);
    for number in 50..60 {
        assert!(
            !found(bed.folder.path(), &name(number).to_lowercase()).is_empty(),
            "a neighbour is untouched"
        );
    }
    let memory = bed.companion.memory();
    let kept = memory.file(bed.owner, Recipient::Person, "pets-55.md").await.unwrap();
    assert!(kept.content.contains("likes carrots") && !kept.history.is_empty());
    let changed = memory.file(bed.owner, Recipient::Person, "pets-3.md").await.unwrap();
    assert_eq!(changed.content, "# Pets\n\n[forgotten] likes carrots.\n");
    assert_eq!(bed.store.check().await.unwrap().problems, Vec::<String>::new());
}

#[tokio::test]
async fn forget_that_asks_first_and_leaves_nothing_not_even_of_the_asking() {
    let bed = Bed::new().await;
    tell(&bed, "My parrot is called Zorblax.").await;
    assert_eq!(facts(&bed).await.len(), 1);
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    // By content: a denied request changes nothing, a confirmed one removes everything.
    for yes in [false, true] {
        let mut news = bed.companion.feed().subscribe(bed.owner, None);
        let log = bed.say("Forget that my parrot is called Zorblax", Some(chat.id)).await;
        let question = bed.asked(&log).await;
        assert_eq!(question.tool, "forget");
        assert!(question.description.contains("it stands in 1 fact"), "{}", question.description);
        let answer = ConfirmRequest { approved: yes, remember: None, filled: None };
        bed.companion.confirm(bed.owner, &question.id, &answer).unwrap();
        let told = Told::of(&log).await;
        if yes {
            assert!(told.words().starts_with("Forgotten. It is gone from 1 fact"), "{}", told.words());
        }
        over(&mut news).await;
        assert_eq!(found(bed.folder.path(), "zorblax").is_empty(), yes);
        assert_eq!(facts(&bed).await.len(), usize::from(!yes));
    }
    assert_eq!(bed.requests(), 1, "it needs no model");

    // The previous message can be forgotten, too.
    bed.says([text("I see.")]);
    bed.tell("The code of the door is Quibbleton 77.", Some(chat.id)).await;
    let mut news = bed.companion.feed().subscribe(bed.owner, None);
    let log = bed.say("forget that", Some(chat.id)).await;
    let question = bed.asked(&log).await;
    bed.companion
        .confirm(bed.owner, &question.id, &ConfirmRequest { approved: true, remember: None, filled: None })
        .unwrap();
    Told::of(&log).await;
    over(&mut news).await;
    assert_eq!(found(bed.folder.path(), "quibbleton"), Vec::<String>::new());

    let told = bed.tell("Forget that I own a submarine", Some(chat.id)).await;
    let (status, why) = told.outcome("forget").unwrap();
    assert!(status != protocol::ToolStatus::Done && why.contains("nothing of that"), "{status:?} {why}");
}

#[tokio::test]
async fn what_is_like_it_and_what_is_of_others_stays() {
    let bed = Bed::new().await;
    let said = [
        "I like green tea.",
        "I like jazz.",
        "I hate olives.",
        "I live in Rome.",
        "My sister Anna lives in Rome.",
        "Yes, I go running every morning.",
        "Yes, that is right.",
    ];
    for message in said {
        tell(&bed, message).await;
    }
    let known = facts(&bed).await;
    assert!(known.len() >= 6, "{known:?}");
    forget_fact(&bed, "Likes green tea.").await;
    forget_fact(&bed, "Lives in Rome.").await;
    let left = facts(&bed).await;
    assert_eq!(left.len(), known.len() - 2, "{left:?}");
    assert!(left.iter().any(|fact| fact == "Sister Anna lives in Rome."), "{left:?}");
    let said = bed.store.said_after(bed.owner, protocol::MessageId::new(0), 100).await.unwrap();
    let said: Vec<&str> = said.iter().map(|message| message.content.as_str()).collect();
    for message in ["My sister Anna lives in Rome.", "I like jazz.", "Yes, that is right."] {
        assert!(said.contains(&message), "{message}: {said:?}");
    }
    assert_eq!(found(bed.folder.path(), "green tea"), Vec::<String>::new());
    assert_eq!(found(bed.folder.path(), "i live in rome"), Vec::<String>::new());
}

#[tokio::test]
async fn words_that_mean_other_things_are_offered_and_can_be_taken_or_left() {
    let bed = Bed::new().await;
    tell(&bed, "My dog is called Max.").await;
    tell(&bed, "My friend Max lives in Oslo.").await;
    let known =
        bed.companion.memory().facts(bed.owner, Recipient::Person, FactQuery::default()).await.unwrap().facts;
    let dog = known.iter().find(|fact| fact.content.contains("dog")).unwrap().id;
    let request = ForgetRequest { fact: Some(dog), ..ForgetRequest::default() };
    let look = bed.companion.forget(bed.owner, request.clone()).await.unwrap();
    assert!(!look.words.contains(&"Max".to_owned()), "{look:?}");
    assert_eq!(look.offered.iter().map(|offered| offered.words.as_str()).collect::<Vec<_>>(), ["Max"]);
    let also = ForgetRequest { also: vec!["Max".into()], ..request.clone() };
    let look = bed.companion.forget(bed.owner, also).await.unwrap();
    assert!(look.words.contains(&"Max".to_owned()), "{look:?}");
    let leave = ForgetRequest { leave: vec!["My dog is called Max".into()], confirm: true, ..request };
    bed.companion.forget(bed.owner, leave).await.unwrap();
    assert!(!found(bed.folder.path(), "my dog is called max").is_empty(), "it was to stay");
    assert!(facts(&bed).await.iter().any(|fact| fact.contains("Oslo")));
}

#[tokio::test]
async fn a_number_that_goes_breaks_no_time_and_no_history() {
    let bed = Bed::new().await;
    bed.clock.set("2026-11-16T10:42:42Z");
    tell(&bed, "I am 42 years old.").await;
    tell(&bed, "I live in Bern.").await;
    tell(&bed, "I moved to Lyon.").await;
    tell(&bed, "My file of kinds and names has the status text.").await;
    for words in ["42", "file", "kind", "status", "text", "name", "current"] {
        forget_words(&bed, words).await;
    }
    let memory = bed.companion.memory();
    let timeline = memory.timeline(bed.owner, Recipient::Person, None).await.unwrap();
    assert!(timeline.days.iter().all(|day| day.day == "2026-11-16"), "{timeline:?}");
    let past = FactQuery { status: Some(StatusFilter::Past), ..FactQuery::default() };
    let bern = memory.facts(bed.owner, Recipient::Person, past).await.unwrap().facts.remove(0);
    assert!(memory.fact_history(bed.owner, Recipient::Person, bern.id).await.unwrap().can_undo);
    memory.undo_fact(bed.owner, bern.id).await.unwrap();
    assert_eq!(facts(&bed).await, ["Lives in Bern."]);
    let list = bed.store.list(bed.owner, store::ListQuery { limit: 10, ..Default::default() }).await.unwrap();
    for chat in list.chats {
        bed.store.open_conversation(bed.owner, chat.id, None, 10).await.unwrap();
    }
}

#[tokio::test]
async fn words_within_what_a_tool_was_given_go_too() {
    let bed = Bed::new().await;
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    bed.says([vec![call(0, "echo", &json!({"text": "# Pets\nZorbo the \"great\"\tZorbo"}))], text("Done.")]);
    bed.tell("Write it down.", Some(chat.id)).await;
    assert!(!found(bed.folder.path(), "zorbo").is_empty());
    let report = forget_words(&bed, "Zorbo").await;
    assert_eq!((report.found, report.running), (Vec::new(), 0));
    assert_eq!(found(bed.folder.path(), "zorbo"), Vec::<String>::new());
}

#[tokio::test]
async fn what_runs_meanwhile_is_swept_when_it_ends() {
    let bed = Bed::new().await;
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    bed.says([
        vec![Delta::Text("Zorbo it is. ".into()), call(0, "note", &json!({"text": "Zorbo"}))],
        text("Zorbo was not written down."),
    ]);
    let log = bed.say("My iguana is called Zorbo, write that down.", Some(chat.id)).await;
    let question = bed.asked(&log).await;
    let report = forget_words(&bed, "Zorbo").await;
    assert_eq!(report.running, 1);
    let mut news = bed.companion.feed().subscribe(bed.owner, None);
    bed.companion
        .confirm(bed.owner, &question.id, &ConfirmRequest { approved: false, remember: None, filled: None })
        .unwrap();
    Told::of(&log).await;
    over(&mut news).await;
    assert_eq!(found(bed.folder.path(), "zorbo"), Vec::<String>::new());
    assert_eq!(facts(&bed).await, Vec::<String>::new());
}

#[tokio::test]
async fn what_is_said_again_after_it_was_forgotten_is_known_again() {
    let bed = Bed::new().await;
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    bed.says([vec![call(0, "note", &json!({"text": "Zorbo"}))], text("Not written down.")]);
    let log = bed.say("My iguana is called Zorbo, write that down.", Some(chat.id)).await;
    let question = bed.asked(&log).await;
    assert_eq!(forget_words(&bed, "Zorbo").await.running, 1);
    tell(&bed, "My iguana is called Zorbo.").await;
    let mut news = bed.companion.feed().subscribe(bed.owner, None);
    bed.companion
        .confirm(bed.owner, &question.id, &ConfirmRequest { approved: false, remember: None, filled: None })
        .unwrap();
    Told::of(&log).await;
    over(&mut news).await;
    assert_eq!(facts(&bed).await, ["Has a lizard called Zorbo."]);
    let view = bed.store.open_conversation(bed.owner, chat.id, None, 10).await.unwrap();
    assert!(view.messages.iter().all(|message| !message.content.contains("Zorbo")), "{view:?}");
}

#[tokio::test]
async fn the_files_of_a_message_go_from_stored_prompts_too() {
    let bed = Bed::new().await;
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    bed.says([text("I have read it."), text("Good.")]);
    let say = companion::UserMessage {
        message: "Here is the plan for the harbour.".into(),
        attachments: vec![store::NewAttachment {
            name: "plan.txt".into(),
            mime: "text/plain".into(),
            data: b"Grimwald begins at dawn".to_vec(),
        }],
        conversation: Some(chat.id),
        ..companion::UserMessage::default()
    };
    Told::of(&bed.companion.say(bed.owner, say).await.unwrap()).await;
    bed.tell("And what is next?", Some(chat.id)).await;
    assert!(!found(bed.folder.path(), "grimwald").is_empty());
    let view = bed.store.open_conversation(bed.owner, chat.id, None, 10).await.unwrap();
    let request =
        ForgetRequest { message: Some(view.messages[0].id), confirm: true, ..ForgetRequest::default() };
    bed.companion.forget(bed.owner, request).await.unwrap();
    assert_eq!(found(bed.folder.path(), "grimwald"), Vec::<String>::new());
}

#[tokio::test]
async fn what_was_begun_is_gone_on_with() {
    let bed = Bed::new().await;
    tell(&bed, "My iguana is called Zorbo.").await;
    let what = json!({
        "whole": {"facts": [], "messages": []},
        "needles": {"words": ["Zorbo"], "statements": []},
    });
    bed.store.begin_forgetting(bed.owner, what.to_string()).await.unwrap();
    bed.companion.memory_maintenance().run().await.unwrap();
    assert_eq!(facts(&bed).await, Vec::<String>::new(), "a fact that was learned meanwhile goes");
    assert_eq!(found(bed.folder.path(), "zorbo"), Vec::<String>::new());
    assert_eq!(bed.store.unfinished_forgetting().await.unwrap(), Vec::new());
}

#[tokio::test]
async fn a_message_goes_with_its_answer_and_common_sentences_stay() {
    let bed = Bed::new().await;
    tell(&bed, "How are you?").await;
    bed.says([text("Your safe opens with the birthday of the queen.")]);
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    bed.tell("How are you? The word for the safe is Quibbleton.", Some(chat.id)).await;
    let view = bed.store.open_conversation(bed.owner, chat.id, None, 10).await.unwrap();
    let request =
        ForgetRequest { message: Some(view.messages[0].id), confirm: true, ..ForgetRequest::default() };
    bed.companion.forget(bed.owner, request).await.unwrap();
    let view = bed.store.open_conversation(bed.owner, chat.id, None, 10).await.unwrap();
    let said: Vec<&str> = view.messages.iter().map(|message| message.content.as_str()).collect();
    assert_eq!(said, ["[forgotten]", "[forgotten]"]);
    assert_eq!(found(bed.folder.path(), "quibbleton"), Vec::<String>::new());
    assert_eq!(found(bed.folder.path(), "the queen"), Vec::<String>::new());
    assert!(!found(bed.folder.path(), "how are you").is_empty(), "others have said that, too");
}

#[tokio::test]
async fn everything_about_somebody_goes_and_what_they_share_with_others_stays() {
    let bed = Bed::new().await;
    tell(&bed, "My sister Annika lives in Rome.").await;
    tell(&bed, "Annika works at Siemens.").await;
    tell(&bed, "My friend Tom lives in Rome.").await;
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    let mut news = bed.companion.feed().subscribe(bed.owner, None);
    let log = bed.say("Forget everything about Annika", Some(chat.id)).await;
    let question = bed.asked(&log).await;
    bed.companion
        .confirm(bed.owner, &question.id, &ConfirmRequest { approved: true, remember: None, filled: None })
        .unwrap();
    Told::of(&log).await;
    over(&mut news).await;
    assert_eq!(found(bed.folder.path(), "annika"), Vec::<String>::new());
    let left = facts(&bed).await;
    assert!(left.iter().any(|fact| fact.contains("Tom") && fact.contains("Rome")), "{left:?}");
    assert!(!left.iter().any(|fact| fact.contains("Siemens")), "{left:?}");
}

#[tokio::test]
async fn the_fact_that_is_meant_is_the_one_with_the_words_and_little_else() {
    let bed = Bed::new().await;
    tell(&bed, "I live in Zaragoza.").await;
    tell(&bed, "My sister Brunhilde lives in Zaragoza.").await;
    tell(&bed, "My cousin Pablo lives in Zaragoza too.").await;
    let before = facts(&bed).await;
    let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
    // The denied request itself must not become a fact.
    for yes in [false, true] {
        let mut news = bed.companion.feed().subscribe(bed.owner, None);
        let log = bed.say("Forget that I live in Zaragoza", Some(chat.id)).await;
        let question = bed.asked(&log).await;
        bed.companion
            .confirm(bed.owner, &question.id, &ConfirmRequest { approved: yes, remember: None, filled: None })
            .unwrap();
        Told::of(&log).await;
        over(&mut news).await;
        let left = facts(&bed).await;
        let gone: Vec<&String> = before.iter().filter(|fact| !left.contains(fact)).collect();
        let expected: &[&str] = if yes { &["Lives in Zaragoza."] } else { &[] };
        assert_eq!(gone, expected, "{left:?}");
    }
}

#[tokio::test]
async fn backups_are_named_wherever_they_were_written() {
    let bed = Bed::new().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let (kept, gone) = (elsewhere.path().join("kept.tar.gz"), elsewhere.path().join("gone.tar.gz"));
    std::fs::write(&kept, "packed").unwrap();
    for file in [&kept, &gone, Path::new("/nowhere/unplugged.tar.gz")] {
        bed.store.note_backup(file.display().to_string(), bed.clock.now()).await.unwrap();
    }
    let report = forget_words(&bed, "Wortgamma").await;
    let mut named: Vec<String> = report.backups.into_iter().map(|copy| copy.file).collect();
    named.sort();
    assert_eq!(named, ["/nowhere/unplugged.tar.gz".to_owned(), kept.display().to_string()]);
}

#[tokio::test]
async fn a_backup_that_is_older_than_what_is_forgotten_is_not_named() {
    let bed = Bed::new().await;
    tell(&bed, "The weather is fine.").await;
    let note = |name: &'static str| bed.store.note_backup(format!("/nowhere/{name}"), bed.clock.now());
    note("before.tar.gz").await.unwrap();
    bed.clock.advance(Duration::from_hours(24));
    tell(&bed, "My dog is called Wortdelta.").await;
    bed.clock.advance(Duration::from_hours(24));
    note("after.tar.gz").await.unwrap();
    let known =
        bed.companion.memory().facts(bed.owner, Recipient::Person, FactQuery::default()).await.unwrap().facts;
    let request = ForgetRequest { fact: Some(known[0].id), ..ForgetRequest::default() };
    let look = bed.companion.forget(bed.owner, request.clone()).await.unwrap();
    let done = bed.companion.forget(bed.owner, ForgetRequest { confirm: true, ..request }).await.unwrap();
    for report in [look, done] {
        let named: Vec<String> = report.backups.into_iter().map(|copy| copy.file).collect();
        assert_eq!(named, ["/nowhere/after.tar.gz"]);
    }
}

#[tokio::test]
async fn a_name_in_a_fact_by_hand_is_offered_and_told_of() {
    let bed = Bed::new().await;
    for line in ["Today Vornaxzuil ate my hat.", "Good night, Vornaxzuil.", "Is vornaxzuil asleep?"] {
        tell(&bed, line).await;
    }
    let content = "Keeps a llama called Vornaxzuil".to_owned();
    let fact = NewFactRequest { content, ..NewFactRequest::default() };
    let fact = bed.companion.memory().add_fact(bed.owner, &Author::Person, fact).await.unwrap();
    let request = ForgetRequest { fact: Some(fact.id), ..ForgetRequest::default() };
    let look = bed.companion.forget(bed.owner, request.clone()).await.unwrap();
    let offered = |report: &ForgetReport| {
        report.offered.iter().map(|one| (one.words.clone(), one.conversations)).collect::<Vec<_>>()
    };
    assert_eq!(offered(&look), [("Vornaxzuil".to_owned(), 3)]);
    let done = bed.companion.forget(bed.owner, ForgetRequest { confirm: true, ..request }).await.unwrap();
    assert_eq!(offered(&done), [("Vornaxzuil".to_owned(), 3)], "what is left is told of");
    let rest = forget_words(&bed, "Vornaxzuil").await;
    assert!(rest.found.is_empty() && rest.offered.is_empty(), "{rest:?}");
    assert_eq!(found(bed.folder.path(), "vornaxzuil"), Vec::<String>::new());
}

#[tokio::test]
async fn a_fact_and_a_message_are_each_counted_once() {
    let bed = Bed::new().await;
    for _ in 0..3 {
        tell(&bed, "My dog is called Wortepsilon.").await;
    }
    let known =
        bed.companion.memory().facts(bed.owner, Recipient::Person, FactQuery::default()).await.unwrap().facts;
    assert_eq!(known.len(), 1, "{known:?}");
    let request = ForgetRequest { fact: Some(known[0].id), ..ForgetRequest::default() };
    let look = bed.companion.forget(bed.owner, request.clone()).await.unwrap();
    let count = |report: &ForgetReport, name: &str| {
        report.removed.iter().find(|place| place.place == name).map(|place| place.count)
    };
    assert_eq!(count(&look, "facts"), Some(1), "{look:?}");
    let done = bed.companion.forget(bed.owner, ForgetRequest { confirm: true, ..request }).await.unwrap();
    assert_eq!(count(&done, "facts"), Some(1), "{done:?}");
    assert_eq!(count(&done, "messages"), count(&look, "messages"), "{done:?}");
}

#[tokio::test]
async fn forgetting_is_asked_about_every_time() {
    let bed = Bed::new().await;
    for name in ["Wortzeta", "Worteta"] {
        tell(&bed, &format!("My dog is called {name}.")).await;
        let chat = bed.store.create_conversation(bed.owner, NewConversation::default()).await.unwrap();
        let log = bed.say(&format!("Forget that my dog is called {name}"), Some(chat.id)).await;
        let question = bed.asked(&log).await;
        assert!(question.every_time && !question.tainted, "{question:?}");
        assert!(question.description.contains("cannot be undone"), "{question:?}");
        let always = ConfirmRequest { approved: true, remember: Some(Remember::Tool), filled: None };
        let mut news = bed.companion.feed().subscribe(bed.owner, None);
        bed.companion.confirm(bed.owner, &question.id, &always).unwrap();
        Told::of(&log).await;
        over(&mut news).await;
    }
}
