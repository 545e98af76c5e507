//! A process that is killed at each step, and the recovery afterwards.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output};

use protocol::{ProposalId, ProposalStatus};

use super::fixture::{FileTree, ProposalFixture, at, journals, open, tree};
use crate::diff::HunkId;
use crate::proposals::{AcceptedFiles, AcceptedPart, ProposalChoice};

const THIS: &str = "proposals::tests::crash::a_program_that_is_killed_at_any_step_leaves_all_or_nothing";
const FOLDER: &str = "PERIGEE_TEST_FOLDER";
const WORK: &str = "PERIGEE_TEST_WORK";
const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";

/// Creates a proposal in the state before the tested operation.
async fn prepared(work: &str) -> (ProposalFixture, ProposalId) {
    let fixture =
        ProposalFixture::new(&[("a.txt", LINES), ("b.txt", "b\n"), ("gone/c.txt", "c\n"), ("run", "#!\n")])
            .await;
    fixture.chmod("gone/c.txt", 0o640);
    let id = fixture
        .propose(|overlay| {
            let text = LINES.replace("2\n", "two\n").replace("11\n", "eleven\n");
            overlay.write(&at("a.txt"), text.into_bytes()).unwrap();
            overlay.write(&at("b.txt"), b"B\n".to_vec()).unwrap();
            overlay.delete(&at("gone/c.txt")).unwrap();
            overlay.create(&at("new/deep/d.txt"), b"d\n".to_vec()).unwrap();
            overlay.set_executable(&at("run"), true).unwrap();
        })
        .await;
    if work != "apply" {
        fixture.proposals.apply(fixture.owner, id, choice()).await.unwrap();
    }
    if work == "redo" {
        fixture.proposals.undo(fixture.owner, id).await.unwrap();
    }
    (fixture, id)
}

/// All but one hunk.
fn choice() -> ProposalChoice {
    let names = ["a.txt", "b.txt", "gone/c.txt", "new/deep/d.txt", "run"];
    let mut files: std::collections::BTreeMap<_, _> = names.map(|name| (at(name), AcceptedPart::All)).into();
    files.insert(at("a.txt"), AcceptedPart::hunks(vec![HunkId(1)]));
    ProposalChoice { files: AcceptedFiles::Some(files), ..ProposalChoice::default() }
}

/// The work of the process that is killed.
async fn work(folder: &Path, work: &str) {
    let (store, _, proposals) = open(folder);
    let owner = store.owner().await.unwrap().id;
    match work.split_once(' ') {
        None => drop(proposals.recover().await.unwrap()),
        Some((work, id)) => {
            let id = id.parse().unwrap();
            match work {
                "apply" => drop(proposals.apply(owner, id, choice()).await.unwrap()),
                "undo" => drop(proposals.undo(owner, id).await.unwrap()),
                _ => drop(proposals.redo(owner, id).await.unwrap()),
            }
        }
    }
}

/// Runs this test binary again until it is killed at the given step or finishes.
fn run(folder: &Path, work: &str, step: usize) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", THIS, "--nocapture", "--test-threads=1"]);
    command.env(FOLDER, folder).env(WORK, work).env("PERIGEE_END_AT", step.to_string());
    let output = command.output().unwrap();
    let was_killed = output.status.signal() == Some(9);
    assert!(was_killed || output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    output
}

#[tokio::test]
async fn a_program_that_is_killed_at_any_step_leaves_all_or_nothing() {
    if let Ok(folder) = std::env::var(FOLDER) {
        return work(Path::new(&folder), &std::env::var(WORK).unwrap()).await;
    }
    for (name, from, to) in [
        ("apply", ProposalStatus::Open, ProposalStatus::Applied),
        ("undo", ProposalStatus::Applied, ProposalStatus::Undone),
        ("redo", ProposalStatus::Undone, ProposalStatus::Applied),
    ] {
        let (fixture, id) = prepared(name).await;
        let before = fixture.tree();
        let asked = format!("{name} {id}");
        assert!(run(fixture.folder.path(), &asked, usize::MAX).status.success());
        let after = tree(&fixture.root());
        assert_ne!(before, after);
        let mut counted = [0, 0];
        for step in 0.. {
            let (fixture, id) = prepared(name).await;
            let ended = run(fixture.folder.path(), &format!("{name} {id}"), step);
            if ended.status.success() {
                break;
            }
            let fixture = fixture.reopened().await;
            let told = String::from_utf8_lossy(&ended.stdout).into_owned();
            check(&fixture, id, [(from, &before), (to, &after)], &mut counted, &told).await;
            // After the recovery, operations work as usual.
            match (name, fixture.status(id).await) {
                ("apply", ProposalStatus::Open) => {
                    drop(fixture.proposals.apply(fixture.owner, id, choice()).await.unwrap());
                }
                (_, ProposalStatus::Applied) => {
                    drop(fixture.proposals.undo(fixture.owner, id).await.unwrap());
                }
                _ => drop(fixture.proposals.redo(fixture.owner, id).await.unwrap()),
            }
        }
        let [nothing, all] = counted;
        assert!(nothing >= 6 && all >= 2, "{name}: {nothing} times nothing, {all} times all");
    }
    recovery_is_killed_too().await;
}

/// Checks that disk and database agree after a restart.
async fn check(
    fixture: &ProposalFixture,
    id: ProposalId,
    ends: [(ProposalStatus, &FileTree); 2],
    counted: &mut [usize; 2],
    told: &str,
) {
    let mut entries = std::fs::read_dir(fixture.folder.path().join("journal")).unwrap().flatten();
    if entries.any(|entry| entry.path().join("list.json").exists()) {
        // The process may have died while writing a file.
        std::fs::write(fixture.root().join(".perigee-0123456789abcdef.tmp"), "half of it").unwrap();
    }
    fixture.proposals.recover().await.unwrap();
    let status = fixture.status(id).await;
    let place = ends.iter().position(|(expected, _)| *expected == status).unwrap();
    assert_eq!(&fixture.tree(), ends[place].1, "{status:?}, {told}");
    assert_eq!(fixture.journals(), 0, "{told}");
    assert!(fixture.proposals.recover().await.unwrap().is_empty());
    counted[place] += 1;
}

async fn recovery_is_killed_too() {
    let (fixture, _) = prepared("apply").await;
    let before = fixture.tree();
    let mut killed = 0;
    for step in 0.. {
        let (fixture, id) = prepared("apply").await;
        // Killed after the fourth step.
        assert!(!run(fixture.folder.path(), &format!("apply {id}"), 4).status.success());
        assert_ne!(fixture.tree(), before);
        let ended = run(fixture.folder.path(), "recover", step);
        killed += usize::from(!ended.status.success());
        let fixture = fixture.reopened().await;
        fixture.proposals.recover().await.unwrap();
        assert_eq!(
            (fixture.tree(), fixture.status(id).await),
            (before.clone(), ProposalStatus::Open),
            "step {step}"
        );
        assert_eq!(journals(fixture.folder.path()), 0);
        if ended.status.success() {
            break;
        }
    }
    assert!(killed >= 5, "{killed}");
}
