use std::sync::Arc;
use std::time::Duration;

use host::{Clock, ManualClock};
use protocol::{
    FactCategory, FactId, FactPatch, FactStatus, MemoryItem, MergeFactsRequest, NewFactRequest, Origin,
    UserId,
};
use store::{
    BeginTurnResult, FactUpdate, MessageTarget, NewFact, NewTurn, RecallableMessage, Store, StoredFact,
};

use super::*;
use crate::{Author, EmbeddingSource, MemoryParts, NoEmbeddings, RecallRequest, Recipient, UserFolders};

pub(super) struct MemoryFixture {
    pub memory: Memory,
    pub store: Arc<Store>,
    pub clock: Arc<ManualClock>,
    pub owner: UserId,
    _folder: tempfile::TempDir,
}

impl MemoryFixture {
    pub(super) async fn new() -> Self {
        Self::with(Arc::new(NoEmbeddings)).await
    }

    pub(super) async fn with(embeddings: Arc<dyn EmbeddingSource>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at("2026-11-15T12:00:00Z"));
        let time = Arc::clone(&clock) as Arc<dyn Clock>;
        let store = Arc::new(Store::open(&folder.path().join("perigee.db"), Arc::clone(&time)).unwrap());
        let owner = store.owner().await.unwrap().id;
        let memory = Memory::new(MemoryParts {
            store: Arc::clone(&store),
            clock: time,
            embeddings,
            folders: UserFolders { home: folder.path().into(), owner: folder.path().into() },
            names: Box::new(|_| crate::SpeakerNames { user: "Ada".into(), companion: "Luna".into() }),
        });
        Self { memory, store, clock, owner, _folder: folder }
    }

    /// Sends a message in a conversation of its own. No facts have been extracted from it yet.
    pub(super) async fn say(&self, content: &str) -> RecallableMessage {
        let new = NewTurn { target: MessageTarget::Fresh, content: content.into(), ..NewTurn::default() };
        let BeginTurnResult::New(turn) = self.store.begin_turn(self.owner, new).await.unwrap() else {
            panic!()
        };
        let id = turn.user_message.unwrap();
        self.store.said(self.owner, [id]).await.unwrap().remove(&id).unwrap()
    }

    /// Sends a message and extracts its facts.
    pub(super) async fn tell(&self, content: &str) -> RecallableMessage {
        let said = self.say(content).await;
        self.memory.learn_from(&said).await.unwrap();
        said
    }

    async fn learn(&self, new: NewFact) -> FactId {
        let id = self.store.fact_id();
        let step = FactUpdate::Learn { id, new, replaces: Vec::new() };
        self.store.apply_fact_updates(self.owner, vec![step], Vec::new()).await.unwrap();
        id
    }

    pub(super) async fn fact(&self, id: FactId) -> StoredFact {
        self.store.fact(self.owner, id).await.unwrap()
    }

    /// Returns the facts with this status, oldest first.
    pub(super) async fn facts(&self, status: FactStatus) -> Vec<StoredFact> {
        let facts = self.store.facts(self.owner).await.unwrap().into_iter();
        facts.filter(|fact| fact.said.status == status).collect()
    }

    pub(super) async fn current(&self) -> Vec<String> {
        self.facts(FactStatus::Current).await.into_iter().map(|fact| fact.said.content).collect()
    }

    pub(super) async fn recall(&self, text: &str, may_be_private: bool) -> Vec<MemoryItem> {
        let recall =
            RecallRequest::new(text, if may_be_private { Recipient::Person } else { Recipient::Other });
        self.memory.recall(self.owner, recall).await.unwrap().items
    }
}

fn fact(content: &str) -> NewFact {
    NewFact {
        category: FactCategory::Personal,
        status: FactStatus::Current,
        subject: String::new(),
        slot: None,
        value: String::new(),
        content: content.into(),
        quote: None,
        confidence: 0.85,
        importance: 0.5,
        valid_from: None,
        valid_to: None,
        expires_at: None,
        private: false,
        lasting: false,
        conversation: None,
        message: None,
        imported_from: None,
        origins: Vec::new(),
    }
}

/// An unconfirmed fact about a cat, from role-play.
fn cat() -> NewFact {
    NewFact {
        status: FactStatus::Unconfirmed,
        slot: Some("pet:cat".into()),
        value: "Smolder".into(),
        origins: vec![Origin::File("play.json".into())],
        ..fact("Has a cat called Smolder.")
    }
}

pub(super) fn texts(items: &[MemoryItem]) -> Vec<&str> {
    items.iter().map(|item| item.text.as_str()).collect()
}

#[tokio::test]
async fn what_waits_for_a_yes_is_not_told() {
    let fixture = MemoryFixture::new().await;
    fixture.learn(cat()).await;
    fixture
        .learn(NewFact { status: FactStatus::Unconfirmed, ..fact("Rides dragons to the northern fortress.") })
        .await;
    for question in ["What is my cat called?", "dragons to the northern fortress"] {
        assert_eq!(texts(&fixture.recall(question, true).await), Vec::<&str>::new(), "{question}");
    }
    let waiting = FactQuery { status: Some(StatusFilter::Unconfirmed), ..FactQuery::default() };
    assert_eq!(
        fixture.memory.facts(fixture.owner, Recipient::Person, waiting).await.unwrap().facts.len(),
        2,
        "and it still waits"
    );
    fixture.memory.maintain_facts(fixture.owner).await.unwrap();
    assert_eq!(fixture.facts(FactStatus::Unconfirmed).await.len(), 2);
}

#[tokio::test]
async fn own_words_confirm_what_waits_for_a_yes() {
    let fixture = MemoryFixture::new().await;
    let id = fixture.learn(NewFact { private: true, ..cat() }).await;
    let said = fixture.tell("My cat is called Smolder.").await;
    let cat = fixture.fact(id).await.said;
    assert_eq!(cat.status, FactStatus::Current);
    assert_eq!(cat.message, Some(said.id));
    assert!(said.content.contains(cat.quote.as_deref().unwrap()), "{:?}", cat.quote);
    assert!(cat.private && cat.origins.is_empty(), "{cat:?}");
    assert_eq!(fixture.store.facts(fixture.owner).await.unwrap().len(), 1);
    fixture.memory.undo_fact(fixture.owner, id).await.unwrap();
    assert_eq!(fixture.fact(id).await.said.status, FactStatus::Unconfirmed);
}

#[tokio::test]
async fn what_waits_for_a_yes_changes_nothing_that_is_known() {
    let fixture = MemoryFixture::new().await;
    let home = |content: &str, value: &str| NewFact {
        slot: Some("home".into()),
        value: value.into(),
        ..fact(content)
    };
    fixture.learn(NewFact { status: FactStatus::Unconfirmed, ..home("Lives in Narnia.", "Narnia") }).await;
    fixture.tell("I live in Lyon.").await;
    assert_eq!(fixture.current().await.len(), 1);
    let waiting = fixture.facts(FactStatus::Unconfirmed).await;
    assert_eq!(waiting.len(), 1, "nobody has said no to it");
    // The same text, once certain and once unconfirmed.
    fixture.learn(fact("Plays the cello in an orchestra.")).await;
    fixture
        .learn(NewFact { status: FactStatus::Unconfirmed, ..fact("Plays the cello in an orchestra.") })
        .await;
    fixture.learn(NewFact { private: true, ..fact("Plays the cello in an orchestra.") }).await;
    assert_eq!(fixture.memory.maintain_facts(fixture.owner).await.unwrap().merged, 0);
}

#[tokio::test]
async fn a_merge_keeps_what_is_private_and_whose_words_it_has() {
    let fixture = MemoryFixture::new().await;
    let page = |name: &str| vec![Origin::Web(format!("https://{name}.example/"))];
    let one =
        fixture.learn(NewFact { origins: page("one"), ..fact("Plays the cello in an orchestra.") }).await;
    fixture.learn(NewFact { origins: page("two"), ..fact("Plays the cello in an orchestra.") }).await;
    assert_eq!(fixture.memory.maintain_facts(fixture.owner).await.unwrap().merged, 1);
    assert_eq!(fixture.fact(one).await.said.origins, [page("one"), page("two")].concat());
    let other =
        fixture.learn(NewFact { private: true, origins: page("three"), ..fact("Is a cellist.") }).await;
    let request = MergeFactsRequest { ids: vec![one, other], content: None };
    let merged = fixture.memory.merge_facts(fixture.owner, request).await.unwrap();
    assert!(merged.private && merged.origins.len() == 3, "{merged:?}");
}

#[tokio::test]
async fn what_is_private_does_not_come_back_by_another_way() {
    let fixture = MemoryFixture::new().await;
    fixture.tell("I'm allergic to peanuts.").await;
    let allergy = fixture.facts(FactStatus::Current).await.remove(0);
    let patch = FactPatch { private: Some(true), ..FactPatch::default() };
    fixture.memory.patch_fact(fixture.owner, &Author::Person, allergy.id, patch).await.unwrap();
    let note = "At the party nobody served what Ada is allergic to: peanuts.".to_owned();
    fixture.memory.write_file(fixture.owner, &Author::Person, "party.md", note).await.unwrap();
    fixture.say("The peanuts in this bar are for those who are not allergic.").await;
    fixture.say("Peanuts grow in the earth.").await;
    let question = "What about peanuts, am I allergic to them?";
    assert!(fixture.recall(question, true).await.len() >= 3, "she herself knows");
    let told = fixture.recall(question, false).await;
    assert_eq!(texts(&told), ["Peanuts grow in the earth."]);
}

#[tokio::test]
async fn a_secret_leaves_once_somebody_has_opened_it() {
    let fixture = MemoryFixture::new().await;
    let said = fixture.say("My wifi password is moonlight77.").await;
    let question = "What is the wifi password?";
    assert!(texts(&fixture.recall(question, true).await)[0].contains("moonlight77"));
    assert!(fixture.recall(question, false).await.is_empty());
    let opened = NewFact { message: Some(said.id), ..fact("The wifi password is moonlight77.") };
    fixture.learn(opened).await;
    assert!(texts(&fixture.recall(question, false).await)[0].contains("moonlight77"));
}

#[tokio::test]
async fn what_a_model_found_gives_way_to_what_is_said() {
    let fixture = MemoryFixture::new().await;
    let said = fixture.say("Porto has been home for me these years.").await;
    let proposed = |content: &str| ProposedFact {
        category: FactCategory::Personal,
        subject: String::new(),
        content: content.into(),
        quote: "Porto has been home".into(),
        confidence: 0.6,
        is_doubtful: false,
    };
    fixture.memory.propose(&said, vec![proposed("Lives in Porto")]).await.unwrap();
    assert_eq!(fixture.current().await, ["Lives in Porto"]);
    fixture.clock.advance(Duration::from_hours(48));
    fixture.tell("I moved to Lyon.").await;
    let known = fixture.current().await;
    assert!(known.len() == 1 && known[0].contains("Lyon"), "{known:?}");
    // A model's proposal replaces nothing and does not stand beside a certain fact.
    fixture.tell("I live in Lyon.").await;
    fixture.memory.propose(&said, vec![proposed("Lives in Porto")]).await.unwrap();
    assert_eq!(fixture.current().await, known);
}

#[tokio::test]
async fn words_that_changed_meanwhile_are_not_learned() {
    let fixture = MemoryFixture::new().await;
    let now = fixture.say("Something was forgotten here.").await;
    let before = RecallableMessage { content: "My parrot is called Zorblax.".into(), ..now };
    fixture.memory.learn_from(&before).await.unwrap();
    let proposed = ProposedFact {
        category: FactCategory::Personal,
        subject: String::new(),
        content: "Has a parrot called Zorblax".into(),
        quote: "parrot is called Zorblax".into(),
        confidence: 0.6,
        is_doubtful: false,
    };
    fixture.memory.propose(&before, vec![proposed]).await.unwrap();
    assert_eq!(fixture.current().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_message_is_learned_from_once() {
    let fixture = MemoryFixture::new().await;
    fixture.tell("I live in Lyon.").await;
    let again = fixture.tell("I live in Lyon.").await;
    let known = fixture.facts(FactStatus::Current).await.remove(0);
    fixture.memory.learn_from(&again).await.unwrap();
    assert_eq!(fixture.fact(known.id).await.said_count, known.said_count);
}

#[tokio::test]
async fn the_same_said_often_is_recalled_once() {
    let fixture = MemoryFixture::new().await;
    for line in [
        "The boat needs paint.",
        "the boat needs paint!",
        "The boat needs the paint",
        "The boat needs paint.",
    ] {
        fixture.say(line).await;
    }
    fixture.say("The boat lies in the harbour of Brest.").await;
    let found = fixture.recall("What about the boat?", true).await;
    assert_eq!(found.len(), 2, "{:?}", texts(&found));
}

#[tokio::test]
async fn what_was_edited_away_is_not_recalled() {
    let fixture = MemoryFixture::new().await;
    let first = fixture.say("The boat lies in the harbour of Brest.").await;
    let edit = NewTurn {
        target: MessageTarget::Conversation(first.conversation),
        content: "The boat lies in the harbour of Nantes.".into(),
        edit_of: Some(first.id),
        ..NewTurn::default()
    };
    fixture.store.begin_turn(fixture.owner, edit).await.unwrap();
    let question = "Where does the boat lie?";
    assert_eq!(texts(&fixture.recall(question, true).await), ["The boat lies in the harbour of Nantes."]);
    fixture.store.switch_branch(fixture.owner, first.conversation, first.id).await.unwrap();
    assert_eq!(texts(&fixture.recall(question, true).await), ["The boat lies in the harbour of Brest."]);
}

#[tokio::test]
async fn a_message_goes_with_the_day_of_its_fact_but_not_with_a_merge() {
    let fixture = MemoryFixture::new().await;
    let hotel = fixture.say("We sleep in the Hotel Ritz").await;
    let other = fixture.say("The Hotel Ritz has a garden").await;
    let until = fixture.clock.now() + Duration::from_hours(48);
    let stay = NewFact {
        message: Some(hotel.id),
        expires_at: Some(until),
        ..fact("Stays at the Ritz while in Paris.")
    };
    fixture.learn(stay).await;
    fixture
        .learn(NewFact { message: Some(other.id), status: FactStatus::Merged, ..fact("Knows a garden.") })
        .await;
    let ids = async || {
        let found = fixture.recall("Which Hotel Ritz?", true).await;
        found.into_iter().filter_map(|item| item.message_id).collect::<Vec<_>>()
    };
    let found = ids().await;
    assert!(found.contains(&hotel.id) && found.contains(&other.id), "{found:?}");
    fixture.clock.advance(Duration::from_hours(24 * 4));
    assert_eq!(ids().await, [other.id]);
}

#[tokio::test]
async fn what_was_said_long_ago_is_no_news() {
    let fixture = MemoryFixture::new().await;
    fixture.tell("I live in Berlin.").await;
    fixture.clock.advance(Duration::from_hours(24 * 90));
    let late = fixture.say("I moved to Lyon.").await;
    fixture.clock.advance(Duration::from_hours(24 * 9));
    fixture.memory.learn_from(&late).await.unwrap();
    let known = fixture.current().await;
    assert!(known.len() == 1 && known[0].contains("Lyon"), "{known:?}");
    assert_eq!(
        fixture.memory.untold_replacements(fixture.owner, Recipient::Person).await.unwrap(),
        Vec::new()
    );
    // The same holds for text from a file.
    let note = NewFactRequest { content: "Lives in Rome".into(), ..NewFactRequest::default() };
    fixture.memory.add_fact_from(fixture.owner, note.clone(), Some("notes.md".into())).await.unwrap();
    assert_eq!(fixture.current().await, ["Lives in Rome"]);
    assert_eq!(
        fixture.memory.untold_replacements(fixture.owner, Recipient::Person).await.unwrap(),
        Vec::new()
    );
    let note = NewFactRequest { content: "Lives in Oslo".into(), ..note };
    fixture.memory.add_fact(fixture.owner, &Author::Person, note).await.unwrap();
    assert_eq!(fixture.memory.untold_replacements(fixture.owner, Recipient::Person).await.unwrap().len(), 1);
}

#[tokio::test]
async fn one_change_does_not_undo_another_that_is_made_at_the_same_time() {
    let fixture = MemoryFixture::new().await;
    let id = fixture.learn(fact("Plays the cello in an orchestra.")).await;
    let memory = &fixture.memory;
    let patch = async |patch: FactPatch| {
        drop(memory.patch_fact(fixture.owner, &Author::Person, id, patch).await.unwrap());
    };
    tokio::join!(
        patch(FactPatch { private: Some(true), ..FactPatch::default() }),
        patch(FactPatch { importance: Some(0.9), ..FactPatch::default() }),
        patch(FactPatch { category: Some(FactCategory::Behaviour), ..FactPatch::default() }),
    );
    let after = fixture.fact(id).await.said;
    assert!(
        after.private && after.importance > 0.8 && after.category == FactCategory::Behaviour,
        "{after:?}"
    );
    // A use recorded in the meantime is kept as well.
    let before = fixture.fact(id).await;
    memory.record_use(fixture.owner, vec![id]).await.unwrap();
    let step = FactUpdate::Change { fact: before, kind: protocol::FactChangeKind::Edited };
    fixture.store.apply_fact_updates(fixture.owner, vec![step], Vec::new()).await.unwrap();
    assert_eq!(fixture.fact(id).await.use_count, 1);
}

#[tokio::test]
async fn whoever_holds_what_is_known_is_alone_with_it() {
    let fixture = MemoryFixture::new().await;
    let id = fixture.learn(fact("Plays the cello in an orchestra.")).await;
    let said = fixture.say("My cat is called Mimi.").await;
    let hold = fixture.memory.lock_facts(fixture.owner).await.unwrap();
    let soon = Duration::from_millis(30);
    let patch = FactPatch { private: Some(true), ..FactPatch::default() };
    assert!(tokio::time::timeout(soon, fixture.memory.learn_from(&said)).await.is_err());
    assert!(tokio::time::timeout(soon, fixture.memory.maintain_facts(fixture.owner)).await.is_err());
    assert!(
        tokio::time::timeout(soon, fixture.memory.patch_fact(fixture.owner, &Author::Person, id, patch))
            .await
            .is_err()
    );
    assert_eq!(fixture.current().await.len(), 1);
    drop(hold);
    fixture.memory.learn_from(&said).await.unwrap();
    assert_eq!(fixture.current().await.len(), 2);
}

#[tokio::test]
async fn what_is_past_says_until_when() {
    let fixture = MemoryFixture::new().await;
    fixture.tell("I live in Berlin.").await;
    fixture.clock.advance(Duration::from_hours(24 * 90));
    fixture.tell("I moved to Lyon.").await;
    let found = fixture.recall("Where did I live before Lyon?", true).await;
    let facts: Vec<&str> = texts(&found).into_iter().filter(|text| text.contains("Berlin")).collect();
    assert_eq!(facts, ["Lives in Berlin. (until 13 February 2027)"]);
    let found = fixture.recall("Where do I live?", true).await;
    assert!(!found[0].text.contains("until") && found[0].text.contains("Lyon"), "{:?}", texts(&found));
}

#[tokio::test]
async fn what_is_private_and_replaced_is_not_news_for_others() {
    let fixture = MemoryFixture::new().await;
    fixture.tell("I live in Berlin.").await;
    fixture.tell("I moved to Lyon.").await;
    assert_eq!(fixture.memory.untold_replacements(fixture.owner, Recipient::Other).await.unwrap().len(), 1);
    let home = fixture.facts(FactStatus::Superseded).await.remove(0);
    let patch = FactPatch { private: Some(true), ..FactPatch::default() };
    fixture.memory.patch_fact(fixture.owner, &Author::Person, home.id, patch).await.unwrap();
    assert_eq!(
        fixture.memory.untold_replacements(fixture.owner, Recipient::Other).await.unwrap(),
        Vec::new()
    );
    assert_eq!(fixture.memory.untold_replacements(fixture.owner, Recipient::Person).await.unwrap().len(), 1);
}
