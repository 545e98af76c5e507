//! Tests of the storage for coding.

use std::time::Duration;

use host::Clock as _;
use protocol::{
    CheckpointId, CodeNoteKind, FileDecision, MessageId, NoteId, ProposalId, ProposalStatus, UserId,
};
use serde_json::json;
use store::{
    MessageTarget, NewCheckpoint, NewCodeNote, NewConversation, NewProposal, ObjectKind, ProposalQuery,
    ProposalTransition, Redact, RemovedItems, Store, StoreError, StoredCodeFile, WrittenFile, is_incognito,
};

use crate::support::{TestStore, meddle, missing};

const ROOT: &str = "/a/project";
const STRANGER: UserId = UserId::new(7);

fn file(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> StoredCodeFile {
    StoredCodeFile {
        path: path.into(),
        before: before.map(<[u8]>::to_vec),
        after: after.map(<[u8]>::to_vec),
        written: None,
        merged: None,
        before_mode: before.map(|_| 0o644),
        after_mode: None,
        added: 1,
        removed: 2,
        binary: false,
        decision: FileDecision::Open,
    }
}

fn new(title: &str, files: Vec<StoredCodeFile>) -> NewProposal {
    NewProposal { root: ROOT.into(), title: title.into(), files, ..NewProposal::default() }
}

fn all(limit: u32) -> ProposalQuery {
    ProposalQuery { limit, ..ProposalQuery::default() }
}

fn transition(from: ProposalStatus, to: ProposalStatus, mark: &str) -> ProposalTransition {
    let (mark, folders) = (mark.into(), vec!["new".into()]);
    ProposalTransition { from, revision: 1, to, mark, folders, files: Vec::new(), rest: None }
}

/// Stores a proposal that was applied.
async fn applied(store: &Store, user: UserId, title: &str, files: Vec<StoredCodeFile>) -> ProposalId {
    let written = |file: &StoredCodeFile| WrittenFile {
        path: file.path.clone(),
        decision: FileDecision::All,
        written: None,
        merged: None,
    };
    let written = files.iter().map(written).collect();
    let id = store.add_proposal(user, new(title, files)).await.unwrap();
    let transition = ProposalTransition {
        files: written,
        ..transition(ProposalStatus::Open, ProposalStatus::Applied, "mark")
    };
    store.record_transition(user, id, transition).await.unwrap();
    id
}

#[tokio::test]
async fn a_proposal_is_kept_to_the_byte() {
    let test = TestStore::new().await;
    let turn = test.say(MessageTarget::Fresh, "change it", "done").await;
    let files = vec![
        file("added", None, Some(b"")),
        file("bytes", Some(&[0, 255, 13, 10]), Some(b"\xff\xfe")),
        file("gone", Some(b"old"), None),
    ];
    let proposal = NewProposal {
        conversation: Some(turn.conversation),
        message: Some(turn.message),
        turn: Some(turn.id),
        summary: "why".into(),
        ..new("A change", files.clone())
    };
    let id = test.store.add_proposal(test.owner, proposal).await.unwrap();
    let test = test.reopen().await;
    let (kept, found) = test.store.whole_proposal(test.owner, id).await.unwrap();
    assert_eq!(found, files);
    assert_eq!((kept.title.as_str(), kept.summary.as_str(), kept.root.as_str()), ("A change", "why", ROOT));
    assert_eq!((kept.conversation, kept.message), (Some(turn.conversation), Some(turn.message)));
    assert_eq!((kept.status, kept.revision, kept.kept), (ProposalStatus::Open, 1, true));
    let there: Vec<_> = kept.files.iter().map(|file| (file.was_there, file.is_there)).collect();
    assert_eq!(there, [(false, true), (true, true), (true, false)]);
    assert_eq!(test.store.proposal(STRANGER, id).await, missing(ObjectKind::Proposal));
    let of = ProposalQuery { conversation: Some(turn.conversation), ..all(9) };
    assert_eq!(test.store.proposals(test.owner, of).await.unwrap(), [kept]);
    let twice = new("Twice", vec![file("a", None, None), file("a", None, None)]);
    assert!(test.store.add_proposal(test.owner, twice).await.is_err());
    assert_eq!(test.store.proposals(test.owner, all(9)).await.unwrap().len(), 1, "all of it or nothing");
    test.assert_sound().await;
}

#[tokio::test]
async fn proposals_are_listed_newest_first() {
    let test = TestStore::new().await;
    let mut ids = Vec::new();
    for number in 0..5 {
        test.tick();
        let root = if number == 2 { "/other".to_owned() } else { ROOT.to_owned() };
        let proposal = NewProposal { root, ..new(&number.to_string(), vec![file("a", None, Some(b"a"))]) };
        ids.push(test.store.add_proposal(test.owner, proposal).await.unwrap());
    }
    test.store.reject_proposal(test.owner, ids[1]).await.unwrap();
    assert!(matches!(test.store.reject_proposal(test.owner, ids[1]).await, Err(StoreError::Conflict(_))));
    let root = Some(ROOT.to_owned());
    for (query, expected) in [
        (all(9), &[4, 3, 2, 1, 0][..]),
        (all(2), &[4, 3]),
        (ProposalQuery { before: Some(ids[3]), ..all(2) }, &[2, 1]),
        (ProposalQuery { root: root.clone(), ..all(9) }, &[4, 3, 1, 0]),
        (ProposalQuery { root, status: Some(ProposalStatus::Open), ..all(9) }, &[4, 3, 0]),
        (ProposalQuery { root: Some("/nowhere".into()), ..all(9) }, &[]),
    ] {
        let found = test.store.proposals(test.owner, query.clone()).await.unwrap();
        let titles: Vec<String> = found.into_iter().map(|proposal| proposal.title).collect();
        assert_eq!(titles, expected.iter().map(ToString::to_string).collect::<Vec<_>>(), "{query:?}");
    }
    assert!(test.store.proposals(STRANGER, all(9)).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_landing_counts_from_one_moment_on_and_only_once() {
    let test = TestStore::new().await;
    let id =
        test.store.add_proposal(test.owner, new("A", vec![file("a", Some(b"1"), Some(b"2"))])).await.unwrap();
    let (open, done) = (ProposalStatus::Open, ProposalStatus::Applied);
    let rest = new("A", vec![file("a", Some(b"part"), Some(b"2"))]);
    let taken = WrittenFile {
        path: "a".into(),
        decision: FileDecision::Some,
        written: Some(b"part".to_vec()),
        merged: Some((b"x".to_vec(), b"y".to_vec())),
    };
    let first = ProposalTransition { files: vec![taken], rest: Some(rest), ..transition(open, done, "one") };
    let rest = test.store.record_transition(test.owner, id, first).await.unwrap().unwrap();
    assert_eq!(test.store.proposal(test.owner, rest).await.unwrap().status, open);
    let (proposal, files) = test.store.whole_proposal(test.owner, id).await.unwrap();
    assert_eq!((proposal.status, proposal.folders), (done, vec!["new".to_owned()]));
    assert_eq!(files[0].written.as_deref(), Some(&b"part"[..]));
    assert_eq!(files[0].merged, Some((b"x".to_vec(), b"y".to_vec())));
    for (mark, counts) in [("one", true), ("two", false)] {
        assert_eq!(test.store.is_recorded(id, mark).await.unwrap(), counts);
    }
    let undone = ProposalStatus::Undone;
    for (transition, user) in [
        (transition(open, done, "two"), test.owner),
        (ProposalTransition { revision: 2, ..transition(done, undone, "two") }, test.owner),
        (transition(done, undone, "two"), STRANGER),
    ] {
        assert!(test.store.record_transition(user, id, transition).await.is_err());
        assert!(!test.store.is_recorded(id, "two").await.unwrap());
    }
    test.store.record_transition(test.owner, id, transition(done, undone, "two")).await.unwrap();
    assert!(!test.store.is_recorded(id, "one").await.unwrap());
    let files = vec![file("b", None, Some(b"b"))];
    test.store.record_verification(test.owner, rest, 1, &json!({"ok": true})).await.unwrap();
    test.store.replace_proposal_files(test.owner, rest, 1, files.clone()).await.unwrap();
    assert!(test.store.replace_proposal_files(test.owner, rest, 1, files.clone()).await.is_err());
    let (proposal, found) = test.store.whole_proposal(test.owner, rest).await.unwrap();
    assert_eq!((proposal.revision, proposal.verify, found), (2, None, files));
    test.assert_sound().await;
}

#[tokio::test]
async fn what_landed_later_in_the_same_files_is_known() {
    let test = TestStore::new().await;
    let change = |path: &str| vec![file(path, Some(b"1"), Some(b"2"))];
    let first = applied(&test.store, test.owner, "first", change("a")).await;
    let second = applied(&test.store, test.owner, "second", change("a")).await;
    applied(&test.store, test.owner, "elsewhere", change("b")).await;
    test.store.add_proposal(test.owner, new("open", change("a"))).await.unwrap();
    let paths = ["a".to_owned()];
    let found = test.store.applied_since(test.owner, first, &paths).await.unwrap();
    assert_eq!(found, [(second, "second".to_owned(), ProposalStatus::Applied)]);
    assert!(test.store.applied_since(test.owner, second, &paths).await.unwrap().is_empty());
    assert!(test.store.applied_since(STRANGER, first, &paths).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_old_or_too_much_is_let_go_of() {
    let test = TestStore::new().await;
    // Pseudo-random bytes cannot be compressed.
    let mut number = 1_u32;
    let mut next = || {
        number ^= number << 13;
        number ^= number >> 17;
        number ^= number << 5;
        number.to_le_bytes()
    };
    let bytes: Vec<u8> = (0..40_000).flat_map(|_| next()).collect();
    let mut ids = Vec::new();
    for number in 0..4 {
        let title = number.to_string();
        ids.push(applied(&test.store, test.owner, &title, vec![file("a", None, Some(&bytes))]).await);
        test.tick();
    }
    let open =
        test.store.add_proposal(test.owner, new("open", vec![file("a", None, Some(&bytes))])).await.unwrap();
    let now = test.clock.now();
    let begun = test.clock.now() - Duration::from_mins(1);
    let none = store::PruneResult::default();
    assert_eq!(test.store.prune_proposals(begun, u64::MAX).await.unwrap(), none);
    let two = test.store.prune_proposals(begun, bytes.len() as u64 * 5 / 2).await.unwrap();
    assert_eq!(two.proposals, 2);
    assert!(two.bytes > 100_000);
    for (id, expected) in [(ids[0], false), (ids[1], false), (ids[2], true), (ids[3], true), (open, true)] {
        assert_eq!(test.store.proposal(test.owner, id).await.unwrap().kept, expected);
    }
    assert_eq!(test.store.prune_proposals(begun, 0).await.unwrap().proposals, 1, "the last stays");
    assert_eq!(test.store.prune_proposals(now, 0).await.unwrap().proposals, 1, "until its time has come");
    let (proposal, files) = test.store.whole_proposal(test.owner, ids[3]).await.unwrap();
    assert_eq!((proposal.status, files[0].after.as_ref()), (ProposalStatus::Applied, None));
    assert!(proposal.files[0].is_there, "what it was stays to be read");
    assert!(test.store.proposal(test.owner, open).await.unwrap().kept);
    let back = transition(ProposalStatus::Applied, ProposalStatus::Undone, "back");
    assert!(test.store.record_transition(test.owner, ids[3], back).await.is_err());
    test.assert_sound().await;
}

#[tokio::test]
async fn workspaces_are_remembered_with_what_is_set_for_them() {
    let test = TestStore::new().await;
    let store = &test.store;
    let include = vec!["src".to_owned(), "README.md".to_owned()];
    store.set_code_include(test.owner, "/one", &include).await.unwrap();
    test.tick();
    store.set_code_verify(test.owner, "/two", Some(&json!({"run": ["cargo test"]}))).await.unwrap();
    test.tick();
    let used = store.use_code_root(test.owner, "/one").await.unwrap();
    assert_eq!(used.include, include);
    let paths =
        |roots: Vec<store::StoredCodeRoot>| roots.into_iter().map(|root| root.path).collect::<Vec<_>>();
    assert_eq!(paths(store.code_roots(test.owner).await.unwrap()), ["/one", "/two"], "the last used first");
    assert_eq!(
        store.code_root(test.owner, "/two").await.unwrap().verify,
        Some(json!({"run": ["cargo test"]}))
    );
    store.set_code_verify(test.owner, "/two", None).await.unwrap();
    assert_eq!(store.code_root(test.owner, "/two").await.unwrap().verify, None);
    assert_eq!(store.code_root(STRANGER, "/two").await, missing(ObjectKind::CodeRoot));
    assert_eq!(store.use_code_root(STRANGER, "/two").await, missing(ObjectKind::User));
    // Everything that belongs to a workspace is deleted with it.
    let proposal = NewProposal { root: "/two".into(), ..new("A", vec![file("a", None, Some(b"a"))]) };
    let proposal = store.add_proposal(test.owner, proposal).await.unwrap();
    let note = note("/two", CodeNoteKind::Change, None, "changed", None);
    store.add_code_note(test.owner, note).await.unwrap();
    let point = NewCheckpoint { root: "/two".into(), commit: "c0ffee".into(), ..NewCheckpoint::default() };
    let point = store.add_checkpoint(test.owner, point).await.unwrap();
    assert_eq!(store.drop_code_root(STRANGER, "/two").await, missing(ObjectKind::CodeRoot));
    store.drop_code_root(test.owner, "/two").await.unwrap();
    assert_eq!(store.proposal(test.owner, proposal).await, missing(ObjectKind::Proposal));
    assert_eq!(store.checkpoint_of(test.owner, point).await, missing(ObjectKind::Checkpoint));
    assert!(store.code_notes(test.owner, "/two", None, None, 9).await.unwrap().is_empty());
    test.assert_sound().await;
}

fn note(root: &str, kind: CodeNoteKind, path: Option<&str>, text: &str, same: Option<&str>) -> NewCodeNote {
    let (path, fingerprint) = (path.map(str::to_owned), same.map(str::to_owned));
    NewCodeNote { root: root.into(), kind, path, text: text.into(), fingerprint }
}

#[tokio::test]
async fn notes_come_newest_first_and_are_not_too_many() {
    let test = TestStore::new().await;
    let (store, change, failure) = (&test.store, CodeNoteKind::Change, CodeNoteKind::Failure);
    for number in 0..510 {
        let content = number.to_string();
        store.add_code_note(test.owner, note(ROOT, change, Some("a.rs"), &content, None)).await.unwrap();
    }
    for (path, text, same) in [
        (Some("a.rs"), "it fails", Some("E1")),
        (None, "another", Some("E2")),
        (Some("b.rs"), "it fails again", Some("E1")),
        (None, "no name", None),
        (None, "no name either", None),
    ] {
        store.add_code_note(test.owner, note(ROOT, failure, path, text, same)).await.unwrap();
    }
    let texts = async |kind, path, limit| {
        let notes = store.code_notes(test.owner, ROOT, kind, path, limit).await.unwrap();
        notes.into_iter().map(|note| note.text).collect::<Vec<_>>()
    };
    assert_eq!(
        texts(Some(failure), None, 9).await,
        ["no name either", "no name", "it fails again", "another"]
    );
    assert_eq!(texts(None, Some("b.rs"), 9).await, ["it fails again"]);
    assert_eq!(texts(Some(change), Some("a.rs"), 2).await, ["509", "508"]);
    let kept = texts(Some(change), None, 1000).await;
    assert_eq!((kept.len(), kept.last().unwrap().as_str()), (500, "10"));
    let long = note(ROOT, failure, None, &"ü".repeat(10_000), None);
    let id = store.add_code_note(test.owner, long).await.unwrap();
    assert_eq!(texts(Some(failure), None, 1).await[0].chars().count(), 4_000);
    assert_eq!(store.delete_code_note(STRANGER, id).await, missing(ObjectKind::CodeNote));
    store.delete_code_note(test.owner, id).await.unwrap();
    assert_eq!(store.delete_code_note(test.owner, NoteId::new(1)).await, missing(ObjectKind::CodeNote));
    assert!(store.code_notes(STRANGER, ROOT, None, None, 9).await.unwrap().is_empty());
}

#[tokio::test]
async fn the_form_of_edits_that_suits_a_model_is_known() {
    let test = TestStore::new().await;
    for (format, tries, failures) in [("patch", 20, 15), ("edits", 20, 2), ("whole", 1, 1)] {
        for number in 0..tries {
            test.store.note_code_format("tiny", format, number < failures).await.unwrap();
        }
    }
    let records = test.store.code_formats("tiny").await.unwrap();
    let order: Vec<_> = records.iter().map(|record| record.format.as_str()).collect();
    assert_eq!(order, ["edits", "whole", "patch"]);
    assert_eq!((records[0].tries, records[0].failures), (20, 2));
    assert!(test.store.code_formats("other").await.unwrap().is_empty());
    // A model that has improved is not judged by old attempts.
    for _ in 0..600 {
        test.store.note_code_format("tiny", "patch", false).await.unwrap();
    }
    let records = test.store.code_formats("tiny").await.unwrap();
    let patch = records.iter().find(|record| record.format == "patch").unwrap();
    assert!(patch.tries <= 200 && patch.risk() < 0.05, "{patch:?}");
}

#[tokio::test]
async fn what_was_written_outlives_the_talk_about_it() {
    let test = TestStore::new().await;
    let turn = test.say(MessageTarget::Fresh, "change it", "done").await;
    let (conversation, message) = (Some(turn.conversation), Some(turn.message));
    let proposal = NewProposal {
        conversation,
        message,
        turn: Some(turn.id),
        ..new("A", vec![file("a", None, Some(b"a"))])
    };
    let id = test.store.add_proposal(test.owner, proposal.clone()).await.unwrap();
    let point = NewCheckpoint {
        root: ROOT.into(),
        conversation,
        message,
        label: "before".into(),
        commit: "c0ffee".into(),
    };
    let point = test.store.add_checkpoint(test.owner, point).await.unwrap();
    assert_eq!(test.store.checkpoints(test.owner, ROOT, 9).await.unwrap()[0].message, message);
    test.store.delete_conversation(test.owner, turn.conversation).await.unwrap();
    assert_eq!(test.store.add_proposal(test.owner, proposal).await, missing(ObjectKind::Conversation));
    test.tick();
    test.store.purge_deleted_before(test.clock.now()).await.unwrap();
    let kept = test.store.proposal(test.owner, id).await.unwrap();
    assert_eq!((kept.conversation, kept.message, kept.turn), (None, None, None));
    let kept = test.store.checkpoint_of(test.owner, point).await.unwrap();
    assert_eq!((kept.conversation, kept.message, kept.commit.as_str()), (None, None, "c0ffee"));
    assert_eq!(test.store.delete_checkpoint(STRANGER, point).await, missing(ObjectKind::Checkpoint));
    test.store.delete_checkpoint(test.owner, point).await.unwrap();
    assert_eq!(
        test.store.delete_checkpoint(test.owner, CheckpointId::new(1)).await,
        missing(ObjectKind::Checkpoint)
    );
    test.assert_sound().await;
    // Deleting a user deletes all of it.
    let guest = test.store.create_user("guest").await.unwrap().id;
    applied(&test.store, guest, "guest's", vec![file("a", None, Some(b"a"))]).await;
    meddle(&test.path(), &format!("PRAGMA foreign_keys = ON; DELETE FROM users WHERE id = {}", guest.get()));
    assert!(test.store.code_roots(guest).await.unwrap().is_empty());
    test.assert_sound().await;
}

#[tokio::test]
async fn what_is_proposed_incognito_is_written_nowhere() {
    let test = TestStore::new().await;
    let incognito = NewConversation { incognito: true, ..NewConversation::default() };
    let chat = test.store.create_conversation(test.owner, incognito).await.unwrap();
    assert!(is_incognito(chat.id));
    let proposal = NewProposal {
        conversation: Some(chat.id),
        ..new("Zorblax", vec![file("zorblax.txt", None, Some(b"a"))])
    };
    let id = test.store.add_proposal(test.owner, proposal).await.unwrap();
    let open = transition(ProposalStatus::Open, ProposalStatus::Applied, "mark");
    test.store.record_transition(test.owner, id, open).await.unwrap();
    assert!(test.store.is_recorded(id, "mark").await.unwrap());
    assert_eq!(test.store.proposals(test.owner, all(9)).await.unwrap()[0].id, id);
    let point = NewCheckpoint { root: ROOT.into(), conversation: Some(chat.id), ..NewCheckpoint::default() };
    test.store.add_checkpoint(test.owner, point).await.unwrap();
    let test = test.reopen().await;
    assert!(!test.store.is_recorded(id, "mark").await.unwrap());
    assert!(test.store.proposals(test.owner, all(9)).await.unwrap().is_empty());
    assert!(test.store.code_roots(test.owner).await.unwrap().is_empty());
}

/// Redacts one word.
pub struct Word(pub &'static str);

impl Redact for Word {
    fn redact(&self, text: &str) -> Option<String> {
        text.contains(self.0).then(|| text.replace(self.0, self.mark()))
    }

    fn mark(&self) -> &'static str {
        "[gone]"
    }
}

#[tokio::test]
async fn a_word_is_forgotten_wherever_it_stands_about_code() {
    let test = TestStore::new().await;
    let (store, word) = (&test.store, "Zorblax");
    let wide: Vec<u8> =
        [255, 254].into_iter().chain("is Zorblax".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let plain = || vec![file("a", None, Some(b"a"))];
    let in_text = applied(store, test.owner, "text", vec![file("a", Some(b"// Zorblax"), Some(b"a"))]).await;
    let in_wide =
        store.add_proposal(test.owner, new("wide", vec![file("a", None, Some(&wide))])).await.unwrap();
    let in_name = applied(store, test.owner, "name", vec![file("src/Zorblax.rs", None, Some(b"a"))]).await;
    let in_title = applied(store, test.owner, "about Zorblax", plain()).await;
    let clean = applied(store, test.owner, "clean", plain()).await;
    store.record_verification(test.owner, clean, 1, &json!({"output": "Zorblax failed"})).await.unwrap();
    let failure = note(ROOT, CodeNoteKind::Failure, Some("Zorblax.rs"), "Zorblax fails", Some("Zorblax:1"));
    store.add_code_note(test.owner, failure).await.unwrap();
    let label =
        NewCheckpoint { root: ROOT.into(), label: "before Zorblax".into(), ..NewCheckpoint::default() };
    store.add_checkpoint(test.owner, label).await.unwrap();
    store.set_code_include(test.owner, "/of/Zorblax", &["Zorblax".to_owned()]).await.unwrap();
    store.set_code_verify(test.owner, "/of/Zorblax", Some(&json!({"Zorblax": "Zorblax"}))).await.unwrap();

    let seen = store.look_for(test.owner, RemovedItems::default(), Word(word)).await.unwrap();
    assert_eq!(store.look_for(STRANGER, RemovedItems::default(), Word(word)).await.unwrap().places.len(), 0);
    let begun = store.begin_forgetting(test.owner, String::new()).await.unwrap();
    let found = store.forget(test.owner, RemovedItems::default(), Word(word), begun).await.unwrap();
    store.end_forgetting(begun).await.unwrap();
    assert_eq!(found.places["code"].0, seen.places["code"].0);
    assert!(found.places["code"].0 >= 8, "{found:?}");
    assert!(store.look_for(test.owner, RemovedItems::default(), Word(word)).await.unwrap().places.is_empty());
    for (id, kept, status) in [
        (in_text, false, ProposalStatus::Applied),
        (in_wide, false, ProposalStatus::Rejected),
        (in_name, false, ProposalStatus::Applied),
        (in_title, true, ProposalStatus::Applied),
        (clean, true, ProposalStatus::Applied),
    ] {
        let proposal = store.proposal(test.owner, id).await.unwrap();
        assert_eq!((proposal.kept, proposal.status), (kept, status), "{}", proposal.title);
    }
    store.overwrite_deleted().await.unwrap();
    // Unused space within a page may contain remains of moved data.
    store.rewrite().await.unwrap();
    let bytes = std::fs::read(test.path()).unwrap();
    assert!(!bytes.windows(word.len()).any(|window| window == word.as_bytes()));
    test.assert_sound().await;
}

#[tokio::test]
async fn a_message_that_goes_takes_the_name_of_its_proposal_along() {
    let test = TestStore::new().await;
    let turn = test.say(MessageTarget::Fresh, "rename Zorblax", "done").await;
    let proposal = NewProposal {
        conversation: Some(turn.conversation),
        message: Some(turn.message),
        summary: "as you said".into(),
        ..new("Rename it", vec![file("a", None, Some(b"a"))])
    };
    let id = test.store.add_proposal(test.owner, proposal).await.unwrap();
    let whole = RemovedItems { messages: vec![turn.message], ..RemovedItems::default() };
    test.store.forget(test.owner, whole, Word("nothing that is said"), i64::MAX).await.unwrap();
    let kept = test.store.proposal(test.owner, id).await.unwrap();
    assert_eq!((kept.title.as_str(), kept.summary.as_str(), kept.kept), ("[gone]", "", true));
    assert_eq!(kept.message, Some(MessageId::new(turn.message.get())));
}
