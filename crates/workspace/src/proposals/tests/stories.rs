//! Several proposals for the same files, undone in any order.

use protocol::{ProposalId, ProposalStatus};

use super::fixture::{FileTree, ProposalFixture, at};
use crate::overlay::Overlay;
use crate::proposals::{ProposalChoice, ProposalError};
use crate::random::Random;

const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

#[tokio::test]
async fn an_older_one_is_undone_around_what_came_later() {
    let fixture = ProposalFixture::new(&[("a.txt", LINES)]).await;
    let before = fixture.tree();
    let first = fixture.applied("first", "a.txt", &LINES.replace('2', "two")).await;
    let second = fixture.applied("second", "a.txt", &LINES.replace('2', "two").replace('8', "eight")).await;
    let undone = fixture.proposals.undo(fixture.owner, first).await.unwrap();
    assert_eq!(undone.merged, [at("a.txt")]);
    assert_eq!(fixture.text("a.txt"), LINES.replace('8', "eight"));
    fixture.proposals.redo(fixture.owner, first).await.unwrap();
    assert_eq!(fixture.text("a.txt"), LINES.replace('2', "two").replace('8', "eight"));
    fixture.proposals.undo(fixture.owner, second).await.unwrap();
    fixture.proposals.undo(fixture.owner, first).await.unwrap();
    assert_eq!(fixture.tree(), before);
    // Manual edits are preserved as well.
    fixture.proposals.redo(fixture.owner, first).await.unwrap();
    fixture.write("a.txt", &LINES.replace('2', "two").replace("9\n", "9\nmine"));
    fixture.proposals.undo(fixture.owner, first).await.unwrap();
    assert_eq!(fixture.text("a.txt"), LINES.replace("9\n", "9\nmine"));
}

#[tokio::test]
async fn what_is_in_the_way_is_named() {
    let fixture = ProposalFixture::new(&[("a.txt", LINES)]).await;
    let first = fixture.applied("first", "a.txt", &LINES.replace('2', "two")).await;
    let second = fixture.applied("second", "a.txt", &LINES.replace('2', "zwei")).await;
    let third = fixture.applied("third", "b.txt", "elsewhere\n").await;
    let all = fixture.tree();
    let error = fixture.proposals.undo(fixture.owner, first).await.unwrap_err();
    assert_eq!(error.to_string(), "a.txt changed in the same place since, by “second”. Nothing was changed");
    let ProposalError::InTheWay { by, .. } = error else { panic!() };
    assert_eq!(by.iter().map(|later| later.id).collect::<Vec<_>>(), [second]);
    assert_eq!((fixture.tree(), fixture.status(first).await), (all, ProposalStatus::Applied));
    fixture.proposals.undo(fixture.owner, second).await.unwrap();
    fixture.proposals.undo(fixture.owner, first).await.unwrap();
    assert_eq!(fixture.text("a.txt"), LINES);
    // The second was based on the first.
    let error = fixture.proposals.redo(fixture.owner, second).await.unwrap_err();
    assert!(error.to_string().contains("when “first” was undone. Redo that first"), "{error}");
    // A manual edit, so no proposal can be listed.
    fixture.write("b.txt", "by hand\n");
    let error = fixture.proposals.undo(fixture.owner, third).await.unwrap_err();
    assert_eq!(error.to_string(), "b.txt changed in the same place since. Nothing was changed");
    fixture.proposals.redo(fixture.owner, first).await.unwrap();
    fixture.proposals.redo(fixture.owner, second).await.unwrap();
    assert_eq!(fixture.text("a.txt"), LINES.replace('2', "zwei"));
}

#[tokio::test]
async fn who_changed_other_lines_is_not_named() {
    let fixture = ProposalFixture::new(&[("a.txt", LINES)]).await;
    let first = fixture.applied("first", "a.txt", &LINES.replace('2', "two")).await;
    fixture.applied("second", "a.txt", &LINES.replace('2', "two").replace('8', "eight")).await;
    let third = fixture.applied("third", "a.txt", &LINES.replace('2', "zwei").replace('8', "eight")).await;
    fixture
        .applied("fourth", "a.txt", &LINES.replace('2', "zwei").replace('8', "eight").replace('5', "five"))
        .await;
    let error = fixture.proposals.undo(fixture.owner, first).await.unwrap_err();
    let ProposalError::InTheWay { by, .. } = error else { panic!("{error}") };
    assert_eq!(by.iter().map(|later| later.id).collect::<Vec<_>>(), [third]);
}

#[tokio::test]
async fn what_another_proposal_put_back_or_took_away_is_in_the_way_too() {
    let fixture = ProposalFixture::new(&[("a.txt", LINES)]).await;
    let first = fixture.applied("there", "a.txt", &LINES.replace('2', "two")).await;
    let second = fixture.applied("and back", "a.txt", LINES).await;
    let made = fixture.applied("made", "b.txt", "b\n").await;
    let taken = fixture.propose_as("taken away", |overlay| overlay.delete(&at("b.txt")).unwrap()).await;
    fixture.proposals.apply(fixture.owner, taken, ProposalChoice::default()).await.unwrap();
    for (id, by) in [(first, second), (made, taken)] {
        let error = fixture.proposals.undo(fixture.owner, id).await.unwrap_err();
        let ProposalError::InTheWay { by: found, .. } = error else { panic!("{error}") };
        assert_eq!(found.iter().map(|later| later.id).collect::<Vec<_>>(), [by]);
        fixture.proposals.undo(fixture.owner, by).await.unwrap();
        fixture.proposals.undo(fixture.owner, id).await.unwrap();
    }
    assert_eq!((fixture.text("a.txt").as_str(), fixture.read("b.txt")), (LINES, None));
    // The user has already made the change by hand.
    fixture.proposals.redo(fixture.owner, made).await.unwrap();
    std::fs::remove_file(fixture.root().join("b.txt")).unwrap();
    let undone = fixture.proposals.undo(fixture.owner, made).await.unwrap();
    assert!(undone.files.is_empty() && fixture.status(made).await == ProposalStatus::Undone);
}

#[tokio::test]
async fn a_folder_goes_with_its_proposal_unless_somebody_uses_it() {
    let fixture = ProposalFixture::new(&[("a.txt", "a\n")]).await;
    let before = fixture.tree();
    let id = fixture.applied("new", "one/two/three.txt", "3\n").await;
    fixture.write("one/mine.txt", "mine\n");
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert!(!fixture.root().join("one/two").exists() && fixture.text("one/mine.txt") == "mine\n");
    fixture.proposals.redo(fixture.owner, id).await.unwrap();
    std::fs::remove_file(fixture.root().join("one/mine.txt")).unwrap();
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert!(fixture.root().join("one").is_dir(), "it was there when it was done again");
    std::fs::remove_dir(fixture.root().join("one")).unwrap();
    assert_eq!(fixture.tree(), before);
}

#[tokio::test]
async fn a_deleted_file_comes_back_unless_there_is_another() {
    let fixture = ProposalFixture::new(&[("sub/run.sh", "#!\n")]).await;
    fixture.chmod("sub/run.sh", 0o711);
    let before = fixture.tree();
    let id = fixture.propose(|overlay| overlay.delete(&at("sub/run.sh")).unwrap()).await;
    fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap();
    std::fs::remove_dir(fixture.root().join("sub")).unwrap();
    fixture.proposals.undo(fixture.owner, id).await.unwrap();
    assert_eq!(fixture.tree(), before, "with its folder and its mode");
    fixture.proposals.redo(fixture.owner, id).await.unwrap();
    assert!(fixture.tree().is_empty(), "and goes with its folder again");
    fixture.write("sub/run.sh", "another\n");
    assert!(matches!(fixture.proposals.undo(fixture.owner, id).await, Err(ProposalError::InTheWay { .. })));
    std::fs::remove_file(fixture.root().join("sub/run.sh")).unwrap();
    std::fs::create_dir(fixture.root().join("sub/run.sh")).unwrap();
    assert!(matches!(fixture.proposals.undo(fixture.owner, id).await, Err(ProposalError::InTheWay { .. })));
}

/// Changes some files at random.
fn shake(overlay: &mut Overlay, random: &mut Random, step: usize) {
    for number in 0..4 {
        if random.one_in(2) {
            continue;
        }
        let name = at(["a.txt", "b.txt", "sub/c.txt", "sub/deep/d.txt"][number]);
        let now = overlay.read(&name).unwrap();
        match (now, random.below(5)) {
            (Some(_), 0) => overlay.delete(&name).unwrap(),
            (Some(bytes), _) => {
                let text = String::from_utf8(bytes).unwrap();
                let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
                let text = random.edited(&lines, 9).concat();
                overlay.write(&name, text.into_bytes()).unwrap();
            }
            (None, _) => {
                let text: String =
                    (0..30).map(|line| format!("{step} {line}\n")).collect::<Vec<_>>().concat();
                overlay.write(&name, text.into_bytes()).unwrap();
            }
        }
    }
}

/// Undoing everything from the newest on restores the original bytes, regardless of the undos, redos and refusals in
/// between; a refusal changes nothing.
#[tokio::test]
async fn any_story_leads_back_to_its_beginning() {
    let text: String = (0..40).map(|line| format!("line {line}\n")).collect::<Vec<_>>().concat();
    let (mut refused, mut out_of_order) = (0, 0);
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let fixture = ProposalFixture::new(&[("a.txt", &text), ("sub/c.txt", &text)]).await;
        let mut states: Vec<FileTree> = vec![fixture.tree()];
        let mut done: Vec<ProposalId> = Vec::new();
        for step in 0..6 {
            let mut overlay = fixture.overlay();
            shake(&mut overlay, &mut random, step);
            if overlay.changes().is_empty() {
                continue;
            }
            let id = fixture.propose(|given| *given = overlay).await;
            fixture.proposals.apply(fixture.owner, id, ProposalChoice::default()).await.unwrap();
            done.push(id);
            states.push(fixture.tree());
        }
        // Undoes and redoes a random one.
        for _ in 0..4 {
            let id = done[random.below(done.len())];
            let before = fixture.tree();
            if fixture.proposals.undo(fixture.owner, id).await.is_ok() {
                out_of_order += 1;
                fixture.proposals.redo(fixture.owner, id).await.unwrap();
                let bytes = |tree: &FileTree| {
                    tree.iter().map(|(name, found)| (name.clone(), found.1.clone())).collect::<Vec<_>>()
                };
                assert_eq!(bytes(&fixture.tree()), bytes(&before), "seed {seed}");
            } else {
                refused += 1;
                assert_eq!(fixture.tree(), before, "seed {seed}");
            }
        }
        while let Some(id) = done.pop() {
            assert_eq!(fixture.tree(), states.pop().unwrap(), "seed {seed}");
            fixture.proposals.undo(fixture.owner, id).await.unwrap();
        }
        assert_eq!(fixture.tree(), states.pop().unwrap(), "seed {seed}");
    }
    assert!(refused > 3 && out_of_order > 10, "{refused} {out_of_order}");
}
