//! Proposing, applying, rejecting and undoing changes.

mod crash;
mod fixture;
mod parts;
mod stories;

use std::os::unix::fs::symlink;

use protocol::{FileDecision, ProposalStatus, UserId};
use store::{ObjectKind, ProposalQuery, StoreError};

use self::fixture::{ProposalFixture, at};
use super::*;
use crate::diff::{DiffKind, HunkId};
use crate::write_batch::WriteBatchError;

#[tokio::test]
async fn a_proposal_is_applied_undone_and_done_again_to_the_byte() {
    let fixture = ProposalFixture::new(&[
        ("a.txt", "a\r\nb\r\nno end"),
        ("run.sh", "#!/bin/sh\n"),
        ("old/name.rs", "fn main() {}\n"),
        ("empty", ""),
        ("image.bin", "\0\u{1}\u{2}"),
        ("secret", "key\n"),
    ])
    .await;
    fixture.chmod("run.sh", 0o750);
    fixture.chmod("secret", 0o600);
    let before = fixture.tree();
    let id = fixture
        .propose(|overlay| {
            overlay.write(&at("a.txt"), b"A\r\nb\r\nno end".to_vec()).unwrap();
            overlay.write(&at("run.sh"), b"#!/bin/sh\nexit 0\n".to_vec()).unwrap();
            overlay.rename(&at("old/name.rs"), &at("deep/er/name.rs")).unwrap();
            overlay.delete(&at("empty")).unwrap();
            overlay.delete(&at("secret")).unwrap();
            overlay.write(&at("image.bin"), b"\0\xff".to_vec()).unwrap();
            overlay.create(&at("deep/new.sh"), b"".to_vec()).unwrap();
            overlay.set_executable(&at("deep/new.sh"), true).unwrap();
        })
        .await;
    assert_eq!(fixture.tree(), before, "nothing is written by proposing");
    let view = fixture.proposals.get(fixture.owner, id).await.unwrap();
    let kinds: Vec<_> = view.diffs.iter().map(|file| (file.path.as_str(), file.diff.kind)).collect();
    assert_eq!(
        kinds,
        [
            ("a.txt", DiffKind::Changed),
            ("deep/er/name.rs", DiffKind::ModeOnly),
            ("deep/new.sh", DiffKind::Added),
            ("empty", DiffKind::Deleted),
            ("image.bin", DiffKind::Changed),
            ("old/name.rs", DiffKind::Deleted),
            ("run.sh", DiffKind::Changed),
            ("secret", DiffKind::Deleted),
        ]
    );
    let renamed: Vec<_> = view.diffs.iter().filter_map(|file| file.renamed_from.clone()).collect();
    assert_eq!(renamed, [at("old/name.rs")]);
    assert!(view.diffs[4].diff.binary);

    let applied = fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap();
    assert_eq!((applied.files.len(), applied.rest), (8, None));
    let after = fixture.tree();
    assert_eq!(fixture.read("a.txt"), Some(b"A\r\nb\r\nno end".to_vec()));
    let modes = ["run.sh", "deep/new.sh"].map(|name| after[name].0);
    assert_eq!(modes, [0o750, 0o755], "who may run a file stays, and is what was asked for");
    assert_eq!(fixture.status(id).await, ProposalStatus::Applied);
    let again = fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap_err();
    assert_eq!(again.to_string(), "“A change” is already applied");

    for _ in 0..2 {
        let undone = fixture.proposals.undo(fixture.owner, id).await.unwrap();
        assert_eq!((undone.files.len(), undone.merged.len()), (8, 0));
        assert_eq!(fixture.tree(), before, "with modes, and without the folders that were made");
        assert_eq!(fixture.status(id).await, ProposalStatus::Undone);
        fixture.proposals.redo(fixture.owner, id).await.unwrap();
        assert_eq!(fixture.tree(), after);
    }
    assert_eq!(fixture.journals(), 0);
}

#[tokio::test]
async fn it_survives_the_end_of_the_program() {
    let fixture = ProposalFixture::new(&[("a.txt", "1\n")]).await;
    let before = fixture.tree();
    let id = fixture.proposed("a.txt", "2\n").await;
    let fixture = fixture.reopened().await;
    fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap();
    let fixture = fixture.reopened().await;
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert_eq!(fixture.tree(), before);
    let fixture = fixture.reopened().await;
    fixture.proposals.redo(fixture.owner, id).await.unwrap();
    assert_eq!(fixture.text("a.txt"), "2\n");
}

#[tokio::test]
async fn only_who_may_run_it_can_change_too() {
    let fixture = ProposalFixture::new(&[("run", "#!/bin/sh\n")]).await;
    let before = fixture.tree();
    let id = fixture.propose(|overlay| overlay.set_executable(&at("run"), true).unwrap()).await;
    let view = fixture.proposals.get(fixture.owner, id).await.unwrap();
    assert_eq!((view.diffs[0].diff.kind, view.diffs[0].after_mode), (DiffKind::ModeOnly, Some(0o755)));
    let hunks = AcceptedPart::hunks(vec![HunkId(0)]);
    fixture.proposals.apply(fixture.owner, id, fixture::some(&[("run", hunks)])).await.unwrap();
    assert_eq!(fixture.tree()["run"].0, 0o755);
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert_eq!(fixture.tree(), before);
}

#[tokio::test]
async fn a_mode_that_the_user_changed_meanwhile_stays() {
    let fixture = ProposalFixture::new(&[("run", "1\n")]).await;
    let id = fixture.proposed("run", "2\n").await;
    fixture.chmod("run", 0o700);
    fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap();
    assert_eq!(fixture.tree()["run"], (0o700, Some(b"2\n".to_vec())));
    fixture.chmod("run", 0o711);
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert_eq!(fixture.tree()["run"], (0o711, Some(b"1\n".to_vec())));
}

#[tokio::test]
async fn of_two_that_apply_at_once_one_wins() {
    let fixture = ProposalFixture::new(&[("a.txt", "1\n"), ("b.txt", "1\n")]).await;
    let id = fixture.proposed("a.txt", "2\n").await;
    // The second instance shares only the store and the journal directory with the first.
    let other = Proposals::new(fixture.store.clone(), fixture.journal());
    let tries = [&fixture.proposals, &other, &fixture.proposals, &other]
        .map(|proposals| proposals.apply(fixture.owner, id, ProposalChoice::default()));
    let [one, two, three, four] = tries;
    let done = tokio::join!(one, two, three, four);
    let done = [done.0, done.1, done.2, done.3];
    assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 1, "{done:?}");
    assert!(done.iter().flatten_err().all(|error| matches!(error, ProposalError::AlreadyDecided { .. })));
    assert_eq!((fixture.text("a.txt").as_str(), fixture.status(id).await), ("2\n", ProposalStatus::Applied));

    // Of two proposals for the same file, the second one finds it changed.
    let (first, second) =
        (fixture.proposed("b.txt", "first\n").await, fixture.proposed("b.txt", "second\n").await);
    let (one, two) = tokio::join!(
        fixture.proposals.apply(fixture.owner, first, ProposalChoice::default()),
        other.apply(fixture.owner, second, ProposalChoice::default()),
    );
    assert!(one.is_ok() != two.is_ok());
    let loser = one.err().or(two.err()).unwrap();
    assert!(matches!(&loser, ProposalError::Stale(stale) if stale.0 == [at("b.txt")]), "{loser}");
}

#[tokio::test]
async fn who_goes_away_in_the_midst_leaves_no_half() {
    let fixture = ProposalFixture::new(&[("a.txt", "1\n")]).await;
    let id = fixture.proposed("a.txt", "2\n").await;
    {
        let applying = std::pin::pin!(fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()));
        let polled = polled_once(applying);
        assert!(polled.is_pending());
    }
    while fixture.status(id).await != ProposalStatus::Applied {
        tokio::task::yield_now().await;
    }
    fixture.proposals.recover().await.unwrap();
    assert_eq!((fixture.text("a.txt").as_str(), fixture.journals()), ("2\n", 0));
}

fn polled_once<T>(future: std::pin::Pin<&mut impl Future<Output = T>>) -> std::task::Poll<T> {
    future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop()))
}

/// Filters the errors of results.
trait FlattenErr<'a, T: 'a, E: 'a>: Iterator<Item = &'a Result<T, E>> + Sized {
    fn flatten_err(self) -> impl Iterator<Item = &'a E> {
        self.filter_map(|result| result.as_ref().err())
    }
}

impl<'a, T: 'a, E: 'a, I: Iterator<Item = &'a Result<T, E>>> FlattenErr<'a, T, E> for I {}

#[tokio::test]
async fn what_the_database_refuses_is_put_back() {
    let fixture = ProposalFixture::new(&[("a.txt", "1\n")]).await;
    let before = fixture.tree();
    let id = fixture.proposed("a.txt", "2\n").await;
    let root = std::sync::Arc::new(host::RootDir::open(fixture.root()).unwrap());
    let change = PendingChange {
        before: Some(b"1\n".to_vec()),
        after: Some(b"2\n".to_vec()),
        ..PendingChange::default()
    };
    let made = PendingChange { after: Some(b"x".to_vec()), ..PendingChange::default() };
    let changes = writing::ProposalWrite {
        root,
        changes: [(at("a.txt"), change), (at("new/b.txt"), made)].into(),
        emptied: Vec::new(),
        record: store::ProposalTransition {
            from: ProposalStatus::Open,
            // This revision does not exist.
            revision: 7,
            to: ProposalStatus::Applied,
            mark: String::new(),
            folders: Vec::new(),
            files: Vec::new(),
            rest: None,
        },
    };
    let error = fixture.proposals.write(fixture.owner, id, changes).await.unwrap_err();
    assert!(matches!(error, ProposalError::Store(StoreError::Conflict(_))), "{error}");
    assert_eq!((fixture.tree(), fixture.journals()), (before, 0));
    assert_eq!(fixture.status(id).await, ProposalStatus::Open);
}

#[tokio::test]
async fn what_cannot_be_written_changes_nothing() {
    let fixture = ProposalFixture::new(&[("a.txt", "1\n"), ("z/b.txt", "1\n")]).await;
    let id = fixture
        .propose(|overlay| {
            overlay.write(&at("a.txt"), b"2\n".to_vec()).unwrap();
            overlay.create(&at("new/c.txt"), b"2\n".to_vec()).unwrap();
            overlay.create(&at("z/c.txt"), b"2\n".to_vec()).unwrap();
        })
        .await;
    // A file takes the name of a required folder.
    std::fs::remove_dir_all(fixture.root().join("z")).unwrap();
    fixture.write("z", "in the way\n");
    let before = fixture.tree();
    let error = fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap_err();
    assert!(
        matches!(error, ProposalError::Write(WriteBatchError::Failed(_)) | ProposalError::Stale(_)),
        "{error}"
    );
    assert_eq!((fixture.tree(), fixture.journals()), (before, 0));
    assert_eq!(fixture.status(id).await, ProposalStatus::Open);
}

#[tokio::test]
async fn nothing_is_written_through_links_or_into_another_folder() {
    let fixture = ProposalFixture::new(&[("a.txt", "1\n"), ("target.txt", "1\n")]).await;
    symlink("target.txt", fixture.root().join("link.txt")).unwrap();
    let mut overlay = fixture.overlay();
    let refused = overlay.write(&at("link.txt"), b"2\n".to_vec()).unwrap_err();
    assert!(refused.to_string().contains("is a link"), "{refused}");
    let id = fixture.proposed("a.txt", "2\n").await;
    std::fs::remove_file(fixture.root().join("a.txt")).unwrap();
    symlink("target.txt", fixture.root().join("a.txt")).unwrap();
    let error = fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap_err();
    assert!(matches!(error, ProposalError::Stale(_)), "{error}");
    assert_eq!(fixture.text("target.txt"), "1\n");
    assert!(fixture.root().join("a.txt").is_symlink());
    // The root folder is replaced by another one.
    std::fs::rename(fixture.root(), fixture.folder.path().join("moved")).unwrap();
    let error = fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap_err();
    assert!(matches!(error, ProposalError::Root { .. }), "{error}");
    symlink(fixture.folder.path().join("moved"), fixture.root()).unwrap();
    let error = fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap_err();
    assert!(error.to_string().contains("another folder is in its place"), "{error}");
}

#[tokio::test]
async fn a_proposal_is_its_owners_alone() {
    let fixture = ProposalFixture::new(&[("a.txt", "1\n")]).await;
    let id = fixture.proposed("a.txt", "2\n").await;
    let other = UserId::new(7);
    let missing = |error: ProposalError| {
        assert!(matches!(error, ProposalError::Store(StoreError::NotFound(ObjectKind::Proposal))), "{error}");
    };
    missing(fixture.proposals.get(other, id).await.unwrap_err());
    missing(fixture.proposals.apply(other, id, ProposalChoice::default()).await.unwrap_err());
    missing(fixture.proposals.reject(other, id).await.unwrap_err());
    missing(fixture.proposals.undo(other, id).await.unwrap_err());
    missing(fixture.proposals.rebase(other, id).await.unwrap_err());
    let query = ProposalQuery { limit: 10, ..ProposalQuery::default() };
    assert!(fixture.proposals.list(other, query.clone()).await.unwrap().is_empty());
    assert_eq!(fixture.proposals.list(fixture.owner, query).await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_rejected_or_let_go_of_says_so() {
    let fixture = ProposalFixture::new(&[("a.txt", "1\n"), ("b.txt", "1\n")]).await;
    let (first, second) = (fixture.proposed("a.txt", "2\n").await, fixture.proposed("b.txt", "2\n").await);
    fixture.proposals.reject(fixture.owner, first).await.unwrap();
    for error in [
        fixture.proposals.reject(fixture.owner, first).await.unwrap_err(),
        fixture.proposals.apply(fixture.owner, first, ProposalChoice::default()).await.unwrap_err(),
        fixture.proposals.undo(fixture.owner, first).await.unwrap_err(),
        fixture.proposals.redo(fixture.owner, first).await.unwrap_err(),
    ] {
        assert_eq!(error.to_string(), "“A change” is already rejected");
    }
    fixture.proposals.apply(fixture.owner, second, ProposalChoice::default()).await.unwrap();
    let now = fixture.now();
    assert_eq!(fixture.proposals.prune(now).await.unwrap().proposals, 0);
    assert_eq!(fixture.proposals.prune(now + 2 * KEPT_FOR).await.unwrap().proposals, 2);
    let error = fixture.proposals.undo(fixture.owner, second).await.unwrap_err();
    assert!(error.to_string().contains("no longer stored"), "{error}");
    let view = fixture.proposals.get(fixture.owner, second).await.unwrap();
    assert!(view.diffs.is_empty() && view.proposal.files[0].path == "b.txt");
    assert_eq!(view.proposal.files[0].decision, FileDecision::All);
    assert_eq!(fixture.text("b.txt"), "2\n");
}

#[tokio::test]
async fn two_hundred_files_are_one_proposal() {
    let names: Vec<String> = (0..200).map(|number| format!("src/{}/file{number}.rs", number % 7)).collect();
    let files: Vec<(&str, &str)> =
        names.iter().step_by(2).map(|name| (name.as_str(), "fn old() {}\n")).collect();
    let fixture = ProposalFixture::new(&files).await;
    let before = fixture.tree();
    let id = fixture
        .propose(|overlay| {
            for (number, name) in names.iter().enumerate() {
                match number % 4 {
                    0 => overlay.delete(&at(name)).unwrap(),
                    _ => overlay.write(&at(name), format!("fn new{number}() {{}}\n").into_bytes()).unwrap(),
                }
            }
        })
        .await;
    assert_eq!(fixture.proposals.get(fixture.owner, id).await.unwrap().diffs.len(), 200);
    // One stale file prevents writing all others.
    fixture.write("src/6/file62.rs", "mine\n");
    let error = fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap_err();
    assert!(matches!(&error, ProposalError::Stale(stale) if stale.0 == [at("src/6/file62.rs")]), "{error}");
    fixture.write("src/6/file62.rs", "fn old() {}\n");
    assert_eq!(fixture.tree(), before);
    fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap();
    assert_eq!(fixture.tree().values().filter(|(_, bytes)| bytes.is_some()).count(), 150);
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert_eq!(fixture.tree(), before);
}

#[tokio::test]
async fn nothing_and_too_much_are_not_proposed() {
    let fixture = ProposalFixture::new(&[("a.txt", "1\n")]).await;
    let nothing = fixture.proposals.propose(fixture.owner, &fixture.overlay(), ProposalMeta::default()).await;
    assert!(matches!(nothing, Err(ProposalError::Nothing)));
    let mut overlay = fixture.overlay();
    assert!(overlay.write(&at("b"), vec![0; (16 << 20) + 1]).is_err());
    for number in 0..17 {
        overlay.write(&at(&format!("{number}")), vec![0; 16 << 20]).unwrap();
    }
    let much = fixture.proposals.propose(fixture.owner, &overlay, ProposalMeta::default()).await;
    assert!(matches!(much, Err(ProposalError::TooLarge(272))), "{much:?}");
}
