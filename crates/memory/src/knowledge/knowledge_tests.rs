use std::sync::Arc;
use std::time::Duration;

use host::{Clock, ManualClock};
use protocol::{
    FactCategory, FactId, FactPatch, FactStatus, MemoryItem, MergeFactsRequest, NewFactRequest, Origin,
    UserId,
};
use store::{Begun, FactStep, NewFact, NewTurn, SaidMessage, Store, StoredFact, Target};

use super::*;
use crate::{Author, EmbeddingSource, MemoryParts, NoEmbeddings, OwnFolders, Reader, Recall};

pub(super) struct Bed {
    pub memory: Memory,
    pub store: Arc<Store>,
    pub clock: Arc<ManualClock>,
    pub owner: UserId,
    _folder: tempfile::TempDir,
}

impl Bed {
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
            folders: OwnFolders { home: folder.path().into(), owner: folder.path().into() },
            names: Box::new(|_| crate::Names { user: "Ada".into(), companion: "Luna".into() }),
        });
        Self { memory, store, clock, owner, _folder: folder }
    }

    /// Sends a message in a conversation of its own. No facts have been extracted from it yet.
    pub(super) async fn say(&self, content: &str) -> SaidMessage {
        let new = NewTurn { target: Target::Fresh, content: content.into(), ..NewTurn::default() };
        let Begun::New(turn) = self.store.begin_turn(self.owner, new).await.unwrap() else { panic!() };
        let id = turn.user_message.unwrap();
        self.store.said(self.owner, [id]).await.unwrap().remove(&id).unwrap()
    }

    /// Sends a message and extracts its facts.
    pub(super) async fn tell(&self, content: &str) -> SaidMessage {
        let said = self.say(content).await;
        self.memory.reflect(&said).await.unwrap();
        said
    }

    async fn learn(&self, new: NewFact) -> FactId {
        let id = self.store.fact_id();
        let step = FactStep::Learn { id, new, replaces: Vec::new() };
        self.store.settle_facts(self.owner, vec![step], Vec::new()).await.unwrap();
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
        let recall = Recall::new(text, if may_be_private { Reader::Person } else { Reader::Other });
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
    let bed = Bed::new().await;
    bed.learn(cat()).await;
    bed.learn(NewFact { status: FactStatus::Unconfirmed, ..fact("Rides dragons to the northern fortress.") })
        .await;
    for question in ["What is my cat called?", "dragons to the northern fortress"] {
        assert_eq!(texts(&bed.recall(question, true).await), Vec::<&str>::new(), "{question}");
    }
    let waiting = FactQuery { status: Some(StatusFilter::Unconfirmed), ..FactQuery::default() };
    assert_eq!(
        bed.memory.facts(bed.owner, Reader::Person, waiting).await.unwrap().facts.len(),
        2,
        "and it still waits"
    );
    bed.memory.tidy(bed.owner).await.unwrap();
    assert_eq!(bed.facts(FactStatus::Unconfirmed).await.len(), 2);
}

#[tokio::test]
async fn own_words_confirm_what_waits_for_a_yes() {
    let bed = Bed::new().await;
    let id = bed.learn(NewFact { private: true, ..cat() }).await;
    let said = bed.tell("My cat is called Smolder.").await;
    let cat = bed.fact(id).await.said;
    assert_eq!(cat.status, FactStatus::Current);
    assert_eq!(cat.message, Some(said.id));
    assert!(said.content.contains(cat.quote.as_deref().unwrap()), "{:?}", cat.quote);
    assert!(cat.private && cat.origins.is_empty(), "{cat:?}");
    assert_eq!(bed.store.facts(bed.owner).await.unwrap().len(), 1);
    bed.memory.undo_fact(bed.owner, id).await.unwrap();
    assert_eq!(bed.fact(id).await.said.status, FactStatus::Unconfirmed);
}

#[tokio::test]
async fn what_waits_for_a_yes_changes_nothing_that_is_known() {
    let bed = Bed::new().await;
    let home = |content: &str, value: &str| NewFact {
        slot: Some("home".into()),
        value: value.into(),
        ..fact(content)
    };
    bed.learn(NewFact { status: FactStatus::Unconfirmed, ..home("Lives in Narnia.", "Narnia") }).await;
    bed.tell("I live in Lyon.").await;
    assert_eq!(bed.current().await.len(), 1);
    let waiting = bed.facts(FactStatus::Unconfirmed).await;
    assert_eq!(waiting.len(), 1, "nobody has said no to it");
    // The same text, once certain and once unconfirmed.
    bed.learn(fact("Plays the cello in an orchestra.")).await;
    bed.learn(NewFact { status: FactStatus::Unconfirmed, ..fact("Plays the cello in an orchestra.") }).await;
    bed.learn(NewFact { private: true, ..fact("Plays the cello in an orchestra.") }).await;
    assert_eq!(bed.memory.tidy(bed.owner).await.unwrap().merged, 0);
}

#[tokio::test]
async fn a_merge_keeps_what_is_private_and_whose_words_it_has() {
    let bed = Bed::new().await;
    let page = |name: &str| vec![Origin::Web(format!("https://{name}.example/"))];
    let one = bed.learn(NewFact { origins: page("one"), ..fact("Plays the cello in an orchestra.") }).await;
    bed.learn(NewFact { origins: page("two"), ..fact("Plays the cello in an orchestra.") }).await;
    assert_eq!(bed.memory.tidy(bed.owner).await.unwrap().merged, 1);
    assert_eq!(bed.fact(one).await.said.origins, [page("one"), page("two")].concat());
    let other = bed.learn(NewFact { private: true, origins: page("three"), ..fact("Is a cellist.") }).await;
    let request = MergeFactsRequest { ids: vec![one, other], content: None };
    let merged = bed.memory.merge_facts(bed.owner, request).await.unwrap();
    assert!(merged.private && merged.origins.len() == 3, "{merged:?}");
}

#[tokio::test]
async fn what_is_private_does_not_come_back_by_another_way() {
    let bed = Bed::new().await;
    bed.tell("I'm allergic to peanuts.").await;
    let allergy = bed.facts(FactStatus::Current).await.remove(0);
    let patch = FactPatch { private: Some(true), ..FactPatch::default() };
    bed.memory.patch_fact(bed.owner, &Author::Person, allergy.id, patch).await.unwrap();
    let note = "At the party nobody served what Ada is allergic to: peanuts.".to_owned();
    bed.memory.write_file(bed.owner, &Author::Person, "party.md", note).await.unwrap();
    bed.say("The peanuts in this bar are for those who are not allergic.").await;
    bed.say("Peanuts grow in the earth.").await;
    let question = "What about peanuts, am I allergic to them?";
    assert!(bed.recall(question, true).await.len() >= 3, "she herself knows");
    let told = bed.recall(question, false).await;
    assert_eq!(texts(&told), ["Peanuts grow in the earth."]);
}

#[tokio::test]
async fn a_secret_leaves_once_somebody_has_opened_it() {
    let bed = Bed::new().await;
    let said = bed.say("My wifi password is moonlight77.").await;
    let question = "What is the wifi password?";
    assert!(texts(&bed.recall(question, true).await)[0].contains("moonlight77"));
    assert!(bed.recall(question, false).await.is_empty());
    let opened = NewFact { message: Some(said.id), ..fact("The wifi password is moonlight77.") };
    bed.learn(opened).await;
    assert!(texts(&bed.recall(question, false).await)[0].contains("moonlight77"));
}

#[tokio::test]
async fn what_a_model_found_gives_way_to_what_is_said() {
    let bed = Bed::new().await;
    let said = bed.say("Porto has been home for me these years.").await;
    let proposed = |content: &str| Proposed {
        category: FactCategory::Personal,
        subject: String::new(),
        content: content.into(),
        quote: "Porto has been home".into(),
        confidence: 0.6,
        is_doubtful: false,
    };
    bed.memory.propose(&said, vec![proposed("Lives in Porto")]).await.unwrap();
    assert_eq!(bed.current().await, ["Lives in Porto"]);
    bed.clock.advance(Duration::from_hours(48));
    bed.tell("I moved to Lyon.").await;
    let known = bed.current().await;
    assert!(known.len() == 1 && known[0].contains("Lyon"), "{known:?}");
    // A model's proposal replaces nothing and does not stand beside a certain fact.
    bed.tell("I live in Lyon.").await;
    bed.memory.propose(&said, vec![proposed("Lives in Porto")]).await.unwrap();
    assert_eq!(bed.current().await, known);
}

#[tokio::test]
async fn words_that_changed_meanwhile_are_not_learned() {
    let bed = Bed::new().await;
    let now = bed.say("Something was forgotten here.").await;
    let before = SaidMessage { content: "My parrot is called Zorblax.".into(), ..now };
    bed.memory.reflect(&before).await.unwrap();
    let proposed = Proposed {
        category: FactCategory::Personal,
        subject: String::new(),
        content: "Has a parrot called Zorblax".into(),
        quote: "parrot is called Zorblax".into(),
        confidence: 0.6,
        is_doubtful: false,
    };
    bed.memory.propose(&before, vec![proposed]).await.unwrap();
    assert_eq!(bed.current().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_message_is_learned_from_once() {
    let bed = Bed::new().await;
    bed.tell("I live in Lyon.").await;
    let again = bed.tell("I live in Lyon.").await;
    let known = bed.facts(FactStatus::Current).await.remove(0);
    bed.memory.reflect(&again).await.unwrap();
    assert_eq!(bed.fact(known.id).await.said_count, known.said_count);
}

#[tokio::test]
async fn the_same_said_often_is_recalled_once() {
    let bed = Bed::new().await;
    for line in [
        "The boat needs paint.",
        "the boat needs paint!",
        "The boat needs the paint",
        "The boat needs paint.",
    ] {
        bed.say(line).await;
    }
    bed.say("The boat lies in the harbour of Brest.").await;
    let found = bed.recall("What about the boat?", true).await;
    assert_eq!(found.len(), 2, "{:?}", texts(&found));
}

#[tokio::test]
async fn what_was_edited_away_is_not_recalled() {
    let bed = Bed::new().await;
    let first = bed.say("The boat lies in the harbour of Brest.").await;
    let edit = NewTurn {
        target: Target::Conversation(first.conversation),
        content: "The boat lies in the harbour of Nantes.".into(),
        edit_of: Some(first.id),
        ..NewTurn::default()
    };
    bed.store.begin_turn(bed.owner, edit).await.unwrap();
    let question = "Where does the boat lie?";
    assert_eq!(texts(&bed.recall(question, true).await), ["The boat lies in the harbour of Nantes."]);
    bed.store.switch_branch(bed.owner, first.conversation, first.id).await.unwrap();
    assert_eq!(texts(&bed.recall(question, true).await), ["The boat lies in the harbour of Brest."]);
}

#[tokio::test]
async fn a_message_goes_with_the_day_of_its_fact_but_not_with_a_merge() {
    let bed = Bed::new().await;
    let hotel = bed.say("We sleep in the Hotel Ritz").await;
    let other = bed.say("The Hotel Ritz has a garden").await;
    let until = bed.clock.now() + Duration::from_hours(48);
    let stay = NewFact {
        message: Some(hotel.id),
        expires_at: Some(until),
        ..fact("Stays at the Ritz while in Paris.")
    };
    bed.learn(stay).await;
    bed.learn(NewFact { message: Some(other.id), status: FactStatus::Merged, ..fact("Knows a garden.") })
        .await;
    let ids = async || {
        let found = bed.recall("Which Hotel Ritz?", true).await;
        found.into_iter().filter_map(|item| item.message_id).collect::<Vec<_>>()
    };
    let found = ids().await;
    assert!(found.contains(&hotel.id) && found.contains(&other.id), "{found:?}");
    bed.clock.advance(Duration::from_hours(24 * 4));
    assert_eq!(ids().await, [other.id]);
}

#[tokio::test]
async fn what_was_said_long_ago_is_no_news() {
    let bed = Bed::new().await;
    bed.tell("I live in Berlin.").await;
    bed.clock.advance(Duration::from_hours(24 * 90));
    let late = bed.say("I moved to Lyon.").await;
    bed.clock.advance(Duration::from_hours(24 * 9));
    bed.memory.reflect(&late).await.unwrap();
    let known = bed.current().await;
    assert!(known.len() == 1 && known[0].contains("Lyon"), "{known:?}");
    assert_eq!(bed.memory.untold(bed.owner, Reader::Person).await.unwrap(), Vec::new());
    // The same holds for text from a file.
    let note = NewFactRequest { content: "Lives in Rome".into(), ..NewFactRequest::default() };
    bed.memory.add_fact_from(bed.owner, note.clone(), Some("notes.md".into())).await.unwrap();
    assert_eq!(bed.current().await, ["Lives in Rome"]);
    assert_eq!(bed.memory.untold(bed.owner, Reader::Person).await.unwrap(), Vec::new());
    let note = NewFactRequest { content: "Lives in Oslo".into(), ..note };
    bed.memory.add_fact(bed.owner, &Author::Person, note).await.unwrap();
    assert_eq!(bed.memory.untold(bed.owner, Reader::Person).await.unwrap().len(), 1);
}

#[tokio::test]
async fn one_change_does_not_undo_another_that_is_made_at_the_same_time() {
    let bed = Bed::new().await;
    let id = bed.learn(fact("Plays the cello in an orchestra.")).await;
    let memory = &bed.memory;
    let patch = async |patch: FactPatch| {
        drop(memory.patch_fact(bed.owner, &Author::Person, id, patch).await.unwrap());
    };
    tokio::join!(
        patch(FactPatch { private: Some(true), ..FactPatch::default() }),
        patch(FactPatch { importance: Some(0.9), ..FactPatch::default() }),
        patch(FactPatch { category: Some(FactCategory::Behaviour), ..FactPatch::default() }),
    );
    let after = bed.fact(id).await.said;
    assert!(
        after.private && after.importance > 0.8 && after.category == FactCategory::Behaviour,
        "{after:?}"
    );
    // A use recorded in the meantime is kept as well.
    let before = bed.fact(id).await;
    memory.used(bed.owner, vec![id]).await.unwrap();
    let step = FactStep::Change { fact: before, kind: protocol::FactChangeKind::Edited };
    bed.store.settle_facts(bed.owner, vec![step], Vec::new()).await.unwrap();
    assert_eq!(bed.fact(id).await.use_count, 1);
}

#[tokio::test]
async fn whoever_holds_what_is_known_is_alone_with_it() {
    let bed = Bed::new().await;
    let id = bed.learn(fact("Plays the cello in an orchestra.")).await;
    let said = bed.say("My cat is called Mimi.").await;
    let hold = bed.memory.hold(bed.owner).await.unwrap();
    let soon = Duration::from_millis(30);
    let patch = FactPatch { private: Some(true), ..FactPatch::default() };
    assert!(tokio::time::timeout(soon, bed.memory.reflect(&said)).await.is_err());
    assert!(tokio::time::timeout(soon, bed.memory.tidy(bed.owner)).await.is_err());
    assert!(
        tokio::time::timeout(soon, bed.memory.patch_fact(bed.owner, &Author::Person, id, patch))
            .await
            .is_err()
    );
    assert_eq!(bed.current().await.len(), 1);
    drop(hold);
    bed.memory.reflect(&said).await.unwrap();
    assert_eq!(bed.current().await.len(), 2);
}

#[tokio::test]
async fn what_is_past_says_until_when() {
    let bed = Bed::new().await;
    bed.tell("I live in Berlin.").await;
    bed.clock.advance(Duration::from_hours(24 * 90));
    bed.tell("I moved to Lyon.").await;
    let found = bed.recall("Where did I live before Lyon?", true).await;
    let facts: Vec<&str> = texts(&found).into_iter().filter(|text| text.contains("Berlin")).collect();
    assert_eq!(facts, ["Lives in Berlin. (until 13 February 2027)"]);
    let found = bed.recall("Where do I live?", true).await;
    assert!(!found[0].text.contains("until") && found[0].text.contains("Lyon"), "{:?}", texts(&found));
}

#[tokio::test]
async fn what_is_private_and_replaced_is_not_news_for_others() {
    let bed = Bed::new().await;
    bed.tell("I live in Berlin.").await;
    bed.tell("I moved to Lyon.").await;
    assert_eq!(bed.memory.untold(bed.owner, Reader::Other).await.unwrap().len(), 1);
    let home = bed.facts(FactStatus::Superseded).await.remove(0);
    let patch = FactPatch { private: Some(true), ..FactPatch::default() };
    bed.memory.patch_fact(bed.owner, &Author::Person, home.id, patch).await.unwrap();
    assert_eq!(bed.memory.untold(bed.owner, Reader::Other).await.unwrap(), Vec::new());
    assert_eq!(bed.memory.untold(bed.owner, Reader::Person).await.unwrap().len(), 1);
}
