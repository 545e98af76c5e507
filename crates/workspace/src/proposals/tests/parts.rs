//! Applying some files or hunks, the remaining proposal, and files that changed in the meantime.

use std::collections::BTreeMap;

use protocol::{FileDecision, ProposalStatus};

use super::fixture::{ProposalFixture, at, some};
use crate::diff::HunkId;
use crate::proposals::{AcceptedPart, ProposalChoice, ProposalError, RestHandling};

fn numbered(changed: &[(usize, &str)]) -> String {
    let line = |number: usize| {
        let other = changed.iter().find(|(at, _)| *at == number);
        format!("{}\n", other.map_or_else(|| number.to_string(), |(_, text)| (*text).to_owned()))
    };
    (1..=40).map(line).collect()
}

/// Creates a proposal with a file of three hunks and two more files.
async fn fixture() -> (ProposalFixture, protocol::ProposalId) {
    let fixture = ProposalFixture::new(&[("a.txt", &numbered(&[])), ("gone.txt", "x\n")]).await;
    let id = fixture
        .propose(|overlay| {
            let text = numbered(&[(2, "two"), (20, "twenty"), (39, "last but one")]);
            overlay.write(&at("a.txt"), text.into_bytes()).unwrap();
            overlay.delete(&at("gone.txt")).unwrap();
            overlay.create(&at("new/b.txt"), b"b\n".to_vec()).unwrap();
        })
        .await;
    (fixture, id)
}

#[tokio::test]
async fn what_is_not_taken_stays_open() {
    let (fixture, id) = fixture().await;
    let before = fixture.tree();
    let choice = some(&[("a.txt", AcceptedPart::hunks(vec![HunkId(1)])), ("gone.txt", AcceptedPart::None)]);
    let applied = fixture.proposals.apply(fixture.owner, id, choice).await.unwrap();
    assert_eq!(applied.files, [at("a.txt")]);
    assert_eq!(fixture.text("a.txt"), numbered(&[(20, "twenty")]));
    assert!(fixture.read("gone.txt").is_some() && fixture.read("new/b.txt").is_none());
    let view = fixture.proposals.get(fixture.owner, id).await.unwrap();
    let decisions: Vec<_> = view.diffs.iter().map(|file| file.decision).collect();
    assert_eq!(decisions, [FileDecision::Some, FileDecision::None, FileDecision::None]);
    assert_eq!((view.diffs[0].diff.added, view.diffs[0].diff.hunks.len()), (1, 1), "what was written");

    let rest = applied.rest.unwrap();
    let view = fixture.proposals.get(fixture.owner, rest).await.unwrap();
    assert_eq!((view.proposal.rest_of, view.proposal.status), (Some(id), ProposalStatus::Open));
    assert_eq!(view.diffs.iter().map(|file| file.diff.hunks.len()).collect::<Vec<_>>(), [2, 1, 1]);
    let applied = fixture.proposals.apply(fixture.owner, rest, ProposalChoice::default()).await.unwrap();
    assert_eq!((applied.files.len(), applied.rest), (3, None));
    assert_eq!(fixture.text("a.txt"), numbered(&[(2, "two"), (20, "twenty"), (39, "last but one")]));

    // Both can be undone in either order.
    let whole = fixture.tree();
    for order in [[id, rest], [rest, id]] {
        for proposal in order {
            fixture.proposals.undo(fixture.owner, proposal).await.unwrap();
        }
        assert_eq!(fixture.tree(), before);
        for proposal in order {
            fixture.proposals.redo(fixture.owner, proposal).await.unwrap();
        }
        assert_eq!(fixture.tree(), whole);
    }
}

#[tokio::test]
async fn the_rest_of_what_was_undone_is_laid_onto_the_files_again() {
    let (fixture, id) = fixture().await;
    let choice = some(&[("a.txt", AcceptedPart::hunks(vec![HunkId(0)]))]);
    let rest = fixture.proposals.apply(fixture.owner, id, choice).await.unwrap().rest.unwrap();
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    let error = fixture.proposals.apply(fixture.owner, rest, ProposalChoice::default()).await.unwrap_err();
    assert!(matches!(&error, ProposalError::Stale(stale) if stale.0 == [at("a.txt")]), "{error}");
    let rebased = fixture.proposals.rebase(fixture.owner, rest).await.unwrap();
    assert_eq!((rebased.merged.as_slice(), rebased.already_there.len()), (&[at("a.txt")][..], 0));
    fixture.proposals.apply(fixture.owner, rest, ProposalChoice::default()).await.unwrap();
    assert_eq!(fixture.text("a.txt"), numbered(&[(20, "twenty"), (39, "last but one")]));
}

#[tokio::test]
async fn the_rest_can_be_rejected_at_once() {
    let (fixture, id) = fixture().await;
    let choice = ProposalChoice { rest: RestHandling::Reject, ..some(&[("new/b.txt", AcceptedPart::All)]) };
    let applied = fixture.proposals.apply(fixture.owner, id, choice).await.unwrap();
    assert_eq!((applied.rest, fixture.text("new/b.txt").as_str()), (None, "b\n"));
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert!(!fixture.root().join("new").exists());
    assert_eq!(fixture.text("a.txt"), numbered(&[]));
}

#[tokio::test]
async fn a_choice_is_of_what_is_there() {
    let (fixture, id) = fixture().await;
    let before = fixture.tree();
    for (choice, words) in [
        (some(&[("nowhere.txt", AcceptedPart::All)]), "has no file nowhere.txt"),
        (some(&[("a.txt", AcceptedPart::hunks(vec![HunkId(3)]))]), "the change to a.txt has no piece 3"),
        (some(&[]), "nothing was chosen"),
        (
            some(&[("a.txt", AcceptedPart::hunks(Vec::new())), ("gone.txt", AcceptedPart::None)]),
            "nothing was chosen",
        ),
        (
            ProposalChoice { revision: Some(2), ..ProposalChoice::default() },
            "has changed since you looked at it",
        ),
    ] {
        let error = fixture.proposals.apply(fixture.owner, id, choice).await.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert_eq!((fixture.tree(), fixture.status(id).await), (before, ProposalStatus::Open));
    let all = (0..3).map(HunkId).collect();
    let hunks = AcceptedPart::hunks(vec![HunkId(0)]);
    let choice =
        some(&[("a.txt", AcceptedPart::hunks(all)), ("gone.txt", hunks.clone()), ("new/b.txt", hunks)]);
    let applied = fixture
        .proposals
        .apply(fixture.owner, id, ProposalChoice { revision: Some(1), ..choice })
        .await
        .unwrap();
    assert_eq!((applied.files.len(), applied.rest), (3, None), "all pieces are all of it");
}

#[tokio::test]
async fn a_piece_that_was_written_anew_is_taken_as_it_is() {
    let (fixture, id) = fixture().await;
    let edited = |hunk: u32, text: &str| AcceptedPart::Hunks {
        accepted: vec![HunkId(1)],
        edited: BTreeMap::from([(HunkId(hunk), text.to_owned())]),
    };
    let error =
        fixture.proposals.apply(fixture.owner, id, some(&[("a.txt", edited(3, "x"))])).await.unwrap_err();
    assert!(error.to_string().contains("no piece 3"), "{error}");
    fixture
        .proposals
        .apply(fixture.owner, id, some(&[("a.txt", edited(0, "1\nby hand\n3\n4\n5\n"))]))
        .await
        .unwrap();
    assert_eq!(fixture.text("a.txt"), numbered(&[(2, "by hand"), (20, "twenty")]));
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert_eq!(fixture.text("a.txt"), numbered(&[]), "and it is undone to the byte");
}

#[tokio::test]
async fn a_file_of_which_no_piece_is_left_out_is_taken_whole() {
    let (fixture, id) = fixture().await;
    let taken = AcceptedPart::Hunks {
        accepted: vec![HunkId(1), HunkId(2)],
        edited: BTreeMap::from([(HunkId(0), "1\nby hand\n3\n4\n5\n".to_owned())]),
    };
    let applied = fixture.proposals.apply(fixture.owner, id, some(&[("a.txt", taken)])).await.unwrap();
    let rest = fixture.proposals.get(fixture.owner, applied.rest.unwrap()).await.unwrap();
    assert!(rest.diffs.iter().all(|file| file.path != at("a.txt")), "nothing of it is left");
    let written = numbered(&[(2, "by hand"), (20, "twenty"), (39, "last but one")]);
    for _ in 0..2 {
        assert_eq!(fixture.text("a.txt"), written);
        let view = fixture.proposals.get(fixture.owner, id).await.unwrap();
        assert_eq!(view.diffs[0].decision, FileDecision::All);
        fixture.proposals.undo(fixture.owner, id).await.unwrap();
        assert_eq!(fixture.text("a.txt"), numbered(&[]));
        fixture.proposals.redo(fixture.owner, id).await.unwrap();
    }
}

#[tokio::test]
async fn a_file_that_was_moved_is_changed_from_what_it_was() {
    let fixture = ProposalFixture::new(&[("old.txt", &numbered(&[]))]).await;
    let before = fixture.tree();
    let id = fixture
        .propose(|overlay| {
            overlay.rename(&at("old.txt"), &at("sub/new.txt")).unwrap();
            let text = numbered(&[(2, "two"), (20, "twenty")]);
            overlay.write(&at("sub/new.txt"), text.into_bytes()).unwrap();
        })
        .await;
    let view = fixture.proposals.get(fixture.owner, id).await.unwrap();
    let moved = view.diffs.iter().find(|file| file.path == at("sub/new.txt")).unwrap();
    assert_eq!(moved.renamed_from, Some(at("old.txt")));
    assert_eq!((moved.diff.hunks.len(), moved.diff.added, moved.diff.removed), (2, 2, 2));
    let choice =
        some(&[("old.txt", AcceptedPart::All), ("sub/new.txt", AcceptedPart::hunks(vec![HunkId(1)]))]);
    let applied = fixture.proposals.apply(fixture.owner, id, choice).await.unwrap();
    assert_eq!((fixture.text("sub/new.txt"), fixture.read("old.txt")), (numbered(&[(20, "twenty")]), None));
    // The rest is a change of the file under its new name.
    fixture.proposals.apply(fixture.owner, applied.rest.unwrap(), ProposalChoice::default()).await.unwrap();
    assert_eq!(fixture.text("sub/new.txt"), numbered(&[(2, "two"), (20, "twenty")]));
    fixture.proposals.undo(fixture.owner, applied.rest.unwrap()).await.unwrap();
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert_eq!(fixture.tree(), before);
}

#[tokio::test]
async fn a_file_that_changed_is_not_written_and_can_be_taken_as_it_is() {
    let (fixture, id) = fixture().await;
    fixture.write("a.txt", &numbered(&[(10, "ten, by hand")]));
    let before = fixture.tree();
    let error = fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap_err();
    assert!(matches!(&error, ProposalError::Stale(stale) if stale.0 == [at("a.txt")]), "{error}");
    assert_eq!(fixture.tree(), before);
    // Changes elsewhere in the file can be merged.
    let rebased = fixture.proposals.rebase(fixture.owner, id).await.unwrap();
    assert_eq!(rebased.merged, [at("a.txt")]);
    let view = fixture.proposals.get(fixture.owner, id).await.unwrap();
    assert_eq!((view.proposal.revision, view.proposal.status), (2, ProposalStatus::Open));
    let error = fixture
        .proposals
        .apply(fixture.owner, id, ProposalChoice { revision: Some(1), ..ProposalChoice::default() })
        .await;
    assert!(matches!(error, Err(ProposalError::Revised)));
    fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap();
    let expected = numbered(&[(2, "two"), (10, "ten, by hand"), (20, "twenty"), (39, "last but one")]);
    assert_eq!(fixture.text("a.txt"), expected);
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert_eq!(fixture.tree(), before, "back to what was there when it was applied");
}

#[tokio::test]
async fn what_is_unclear_is_not_laid_and_what_is_there_is_left_out() {
    let (fixture, id) = fixture().await;
    fixture
        .proposals
        .record_verification(fixture.owner, id, 1, &serde_json::json!({"ok": true}))
        .await
        .unwrap();
    let untouched = fixture.proposals.rebase(fixture.owner, id).await.unwrap();
    assert!(untouched.merged.is_empty() && untouched.already_there.is_empty());
    fixture.write("a.txt", &numbered(&[(20, "XX")]));
    fixture.write("new/b.txt", "another\n");
    let error = fixture.proposals.rebase(fixture.owner, id).await.unwrap_err();
    assert!(
        matches!(&error, ProposalError::Unclear(paths) if *paths == [at("a.txt"), at("new/b.txt")]),
        "{error}"
    );
    let proposal = fixture.proposals.get(fixture.owner, id).await.unwrap().proposal;
    assert!(proposal.revision == 1 && proposal.verify.is_some());
    // The user has made two of the changes by hand.
    fixture.write("a.txt", &numbered(&[(2, "two"), (20, "twenty"), (39, "last but one")]));
    fixture.write("new/b.txt", "b\n");
    let rebased = fixture.proposals.rebase(fixture.owner, id).await.unwrap();
    assert_eq!(rebased.already_there, [at("a.txt"), at("new/b.txt")]);
    let proposal = fixture.proposals.get(fixture.owner, id).await.unwrap().proposal;
    assert!(proposal.files.len() == 1 && proposal.verify.is_none());
    let late = fixture.proposals.record_verification(fixture.owner, id, 1, &serde_json::json!({})).await;
    assert!(late.is_err(), "it was of other files");
    std::fs::remove_file(fixture.root().join("gone.txt")).unwrap();
    let error = fixture.proposals.rebase(fixture.owner, id).await.unwrap_err();
    assert!(matches!(error, ProposalError::AlreadyThere), "{error}");
}
