//! Applying some files or hunks, the remaining proposal, and files that changed in the meantime.

use std::collections::BTreeMap;

use protocol::{FileDecision, ProposalStatus};

use super::bed::{Bed, at, some};
use crate::diff::HunkId;
use crate::proposals::{Choice, ProposalError, Rest, Taken};

fn numbered(changed: &[(usize, &str)]) -> String {
    let line = |number: usize| {
        let other = changed.iter().find(|(at, _)| *at == number);
        format!("{}\n", other.map_or_else(|| number.to_string(), |(_, text)| (*text).to_owned()))
    };
    (1..=40).map(line).collect()
}

/// Creates a proposal with a file of three hunks and two more files.
async fn bed() -> (Bed, protocol::ProposalId) {
    let bed = Bed::new(&[("a.txt", &numbered(&[])), ("gone.txt", "x\n")]).await;
    let id = bed
        .propose(|overlay| {
            let text = numbered(&[(2, "two"), (20, "twenty"), (39, "last but one")]);
            overlay.write(&at("a.txt"), text.into_bytes()).unwrap();
            overlay.delete(&at("gone.txt")).unwrap();
            overlay.create(&at("new/b.txt"), b"b\n".to_vec()).unwrap();
        })
        .await;
    (bed, id)
}

#[tokio::test]
async fn what_is_not_taken_stays_open() {
    let (bed, id) = bed().await;
    let before = bed.tree();
    let choice = some(&[("a.txt", Taken::hunks(vec![HunkId(1)])), ("gone.txt", Taken::None)]);
    let applied = bed.proposals.apply(bed.owner, id, choice).await.unwrap();
    assert_eq!(applied.files, [at("a.txt")]);
    assert_eq!(bed.text("a.txt"), numbered(&[(20, "twenty")]));
    assert!(bed.read("gone.txt").is_some() && bed.read("new/b.txt").is_none());
    let view = bed.proposals.get(bed.owner, id).await.unwrap();
    let decisions: Vec<_> = view.diffs.iter().map(|file| file.decision).collect();
    assert_eq!(decisions, [FileDecision::Some, FileDecision::None, FileDecision::None]);
    assert_eq!((view.diffs[0].diff.added, view.diffs[0].diff.hunks.len()), (1, 1), "what was written");

    let rest = applied.rest.unwrap();
    let view = bed.proposals.get(bed.owner, rest).await.unwrap();
    assert_eq!((view.proposal.rest_of, view.proposal.status), (Some(id), ProposalStatus::Open));
    assert_eq!(view.diffs.iter().map(|file| file.diff.hunks.len()).collect::<Vec<_>>(), [2, 1, 1]);
    let applied = bed.proposals.apply(bed.owner, rest, Choice::default()).await.unwrap();
    assert_eq!((applied.files.len(), applied.rest), (3, None));
    assert_eq!(bed.text("a.txt"), numbered(&[(2, "two"), (20, "twenty"), (39, "last but one")]));

    // Both can be undone in either order.
    let whole = bed.tree();
    for order in [[id, rest], [rest, id]] {
        for proposal in order {
            bed.proposals.undo(bed.owner, proposal).await.unwrap();
        }
        assert_eq!(bed.tree(), before);
        for proposal in order {
            bed.proposals.redo(bed.owner, proposal).await.unwrap();
        }
        assert_eq!(bed.tree(), whole);
    }
}

#[tokio::test]
async fn the_rest_of_what_was_undone_is_laid_onto_the_files_again() {
    let (bed, id) = bed().await;
    let choice = some(&[("a.txt", Taken::hunks(vec![HunkId(0)]))]);
    let rest = bed.proposals.apply(bed.owner, id, choice).await.unwrap().rest.unwrap();
    bed.proposals.undo(bed.owner, id).await.unwrap();
    let error = bed.proposals.apply(bed.owner, rest, Choice::default()).await.unwrap_err();
    assert!(matches!(&error, ProposalError::Stale(stale) if stale.0 == [at("a.txt")]), "{error}");
    let rebased = bed.proposals.rebase(bed.owner, rest).await.unwrap();
    assert_eq!((rebased.relaid.as_slice(), rebased.gone.len()), (&[at("a.txt")][..], 0));
    bed.proposals.apply(bed.owner, rest, Choice::default()).await.unwrap();
    assert_eq!(bed.text("a.txt"), numbered(&[(20, "twenty"), (39, "last but one")]));
}

#[tokio::test]
async fn the_rest_can_be_rejected_at_once() {
    let (bed, id) = bed().await;
    let choice = Choice { rest: Rest::Reject, ..some(&[("new/b.txt", Taken::All)]) };
    let applied = bed.proposals.apply(bed.owner, id, choice).await.unwrap();
    assert_eq!((applied.rest, bed.text("new/b.txt").as_str()), (None, "b\n"));
    bed.proposals.undo(bed.owner, id).await.unwrap();
    assert!(!bed.root().join("new").exists());
    assert_eq!(bed.text("a.txt"), numbered(&[]));
}

#[tokio::test]
async fn a_choice_is_of_what_is_there() {
    let (bed, id) = bed().await;
    let before = bed.tree();
    for (choice, words) in [
        (some(&[("nowhere.txt", Taken::All)]), "has no file nowhere.txt"),
        (some(&[("a.txt", Taken::hunks(vec![HunkId(3)]))]), "the change of a.txt has no piece 3"),
        (some(&[]), "nothing of it was chosen"),
        (some(&[("a.txt", Taken::hunks(Vec::new())), ("gone.txt", Taken::None)]), "nothing of it was chosen"),
        (Choice { revision: Some(2), ..Choice::default() }, "become another since it was looked at"),
    ] {
        let error = bed.proposals.apply(bed.owner, id, choice).await.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert_eq!((bed.tree(), bed.status(id).await), (before, ProposalStatus::Open));
    let all = (0..3).map(HunkId).collect();
    let hunks = Taken::hunks(vec![HunkId(0)]);
    let choice = some(&[("a.txt", Taken::hunks(all)), ("gone.txt", hunks.clone()), ("new/b.txt", hunks)]);
    let applied = bed.proposals.apply(bed.owner, id, Choice { revision: Some(1), ..choice }).await.unwrap();
    assert_eq!((applied.files.len(), applied.rest), (3, None), "all pieces are all of it");
}

#[tokio::test]
async fn a_piece_that_was_written_anew_is_taken_as_it_is() {
    let (bed, id) = bed().await;
    let edited = |hunk: u32, text: &str| Taken::Hunks {
        taken: vec![HunkId(1)],
        edited: BTreeMap::from([(HunkId(hunk), text.to_owned())]),
    };
    let error = bed.proposals.apply(bed.owner, id, some(&[("a.txt", edited(3, "x"))])).await.unwrap_err();
    assert!(error.to_string().contains("no piece 3"), "{error}");
    bed.proposals.apply(bed.owner, id, some(&[("a.txt", edited(0, "1\nby hand\n3\n4\n5\n"))])).await.unwrap();
    assert_eq!(bed.text("a.txt"), numbered(&[(2, "by hand"), (20, "twenty")]));
    bed.proposals.undo(bed.owner, id).await.unwrap();
    assert_eq!(bed.text("a.txt"), numbered(&[]), "and it is undone to the byte");
}

#[tokio::test]
async fn a_file_of_which_no_piece_is_left_out_is_taken_whole() {
    let (bed, id) = bed().await;
    let taken = Taken::Hunks {
        taken: vec![HunkId(1), HunkId(2)],
        edited: BTreeMap::from([(HunkId(0), "1\nby hand\n3\n4\n5\n".to_owned())]),
    };
    let applied = bed.proposals.apply(bed.owner, id, some(&[("a.txt", taken)])).await.unwrap();
    let rest = bed.proposals.get(bed.owner, applied.rest.unwrap()).await.unwrap();
    assert!(rest.diffs.iter().all(|file| file.path != at("a.txt")), "nothing of it is left");
    let written = numbered(&[(2, "by hand"), (20, "twenty"), (39, "last but one")]);
    for _ in 0..2 {
        assert_eq!(bed.text("a.txt"), written);
        let view = bed.proposals.get(bed.owner, id).await.unwrap();
        assert_eq!(view.diffs[0].decision, FileDecision::All);
        bed.proposals.undo(bed.owner, id).await.unwrap();
        assert_eq!(bed.text("a.txt"), numbered(&[]));
        bed.proposals.redo(bed.owner, id).await.unwrap();
    }
}

#[tokio::test]
async fn a_file_that_was_moved_is_changed_from_what_it_was() {
    let bed = Bed::new(&[("old.txt", &numbered(&[]))]).await;
    let before = bed.tree();
    let id = bed
        .propose(|overlay| {
            overlay.rename(&at("old.txt"), &at("sub/new.txt")).unwrap();
            let text = numbered(&[(2, "two"), (20, "twenty")]);
            overlay.write(&at("sub/new.txt"), text.into_bytes()).unwrap();
        })
        .await;
    let view = bed.proposals.get(bed.owner, id).await.unwrap();
    let moved = view.diffs.iter().find(|file| file.path == at("sub/new.txt")).unwrap();
    assert_eq!(moved.renamed_from, Some(at("old.txt")));
    assert_eq!((moved.diff.hunks.len(), moved.diff.added, moved.diff.removed), (2, 2, 2));
    let choice = some(&[("old.txt", Taken::All), ("sub/new.txt", Taken::hunks(vec![HunkId(1)]))]);
    let applied = bed.proposals.apply(bed.owner, id, choice).await.unwrap();
    assert_eq!((bed.text("sub/new.txt"), bed.read("old.txt")), (numbered(&[(20, "twenty")]), None));
    // The rest is a change of the file under its new name.
    bed.proposals.apply(bed.owner, applied.rest.unwrap(), Choice::default()).await.unwrap();
    assert_eq!(bed.text("sub/new.txt"), numbered(&[(2, "two"), (20, "twenty")]));
    bed.proposals.undo(bed.owner, applied.rest.unwrap()).await.unwrap();
    bed.proposals.undo(bed.owner, id).await.unwrap();
    assert_eq!(bed.tree(), before);
}

#[tokio::test]
async fn a_file_that_changed_is_not_written_and_can_be_taken_as_it_is() {
    let (bed, id) = bed().await;
    bed.write("a.txt", &numbered(&[(10, "ten, by hand")]));
    let before = bed.tree();
    let error = bed.proposals.apply(bed.owner, id, Choice::default()).await.unwrap_err();
    assert!(matches!(&error, ProposalError::Stale(stale) if stale.0 == [at("a.txt")]), "{error}");
    assert_eq!(bed.tree(), before);
    // Changes elsewhere in the file can be merged.
    let rebased = bed.proposals.rebase(bed.owner, id).await.unwrap();
    assert_eq!(rebased.relaid, [at("a.txt")]);
    let view = bed.proposals.get(bed.owner, id).await.unwrap();
    assert_eq!((view.proposal.revision, view.proposal.status), (2, ProposalStatus::Open));
    let error = bed.proposals.apply(bed.owner, id, Choice { revision: Some(1), ..Choice::default() }).await;
    assert!(matches!(error, Err(ProposalError::Revised)));
    bed.proposals.apply(bed.owner, id, Choice::default()).await.unwrap();
    let expected = numbered(&[(2, "two"), (10, "ten, by hand"), (20, "twenty"), (39, "last but one")]);
    assert_eq!(bed.text("a.txt"), expected);
    bed.proposals.undo(bed.owner, id).await.unwrap();
    assert_eq!(bed.tree(), before, "back to what was there when it was applied");
}

#[tokio::test]
async fn what_is_unclear_is_not_laid_and_what_is_there_is_left_out() {
    let (bed, id) = bed().await;
    bed.proposals.note_verified(bed.owner, id, 1, &serde_json::json!({"ok": true})).await.unwrap();
    let untouched = bed.proposals.rebase(bed.owner, id).await.unwrap();
    assert!(untouched.relaid.is_empty() && untouched.gone.is_empty());
    bed.write("a.txt", &numbered(&[(20, "XX")]));
    bed.write("new/b.txt", "another\n");
    let error = bed.proposals.rebase(bed.owner, id).await.unwrap_err();
    assert!(
        matches!(&error, ProposalError::Unclear(paths) if *paths == [at("a.txt"), at("new/b.txt")]),
        "{error}"
    );
    let proposal = bed.proposals.get(bed.owner, id).await.unwrap().proposal;
    assert!(proposal.revision == 1 && proposal.verify.is_some());
    // The user has made two of the changes by hand.
    bed.write("a.txt", &numbered(&[(2, "two"), (20, "twenty"), (39, "last but one")]));
    bed.write("new/b.txt", "b\n");
    let rebased = bed.proposals.rebase(bed.owner, id).await.unwrap();
    assert_eq!(rebased.gone, [at("a.txt"), at("new/b.txt")]);
    let proposal = bed.proposals.get(bed.owner, id).await.unwrap().proposal;
    assert!(proposal.files.len() == 1 && proposal.verify.is_none());
    let late = bed.proposals.note_verified(bed.owner, id, 1, &serde_json::json!({})).await;
    assert!(late.is_err(), "it was of other files");
    std::fs::remove_file(bed.root().join("gone.txt")).unwrap();
    let error = bed.proposals.rebase(bed.owner, id).await.unwrap_err();
    assert!(matches!(error, ProposalError::AlreadyThere), "{error}");
}
