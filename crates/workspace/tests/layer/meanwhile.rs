//! Concurrent changes by the user, and commands that are interrupted.

use std::fs;
use std::time::Duration;

use sandbox::SandboxError;
use workspace::{CommandStopped, Layer, LayerCommand, Overlay};

use crate::fixture::{CaptureMethod, LayerFixture, bash, fixtures, names, path};

#[tokio::test]
async fn what_the_user_does_between_commands_shows() {
    for mut fixture in fixtures(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("d/c.txt", "c\n")]).await {
        // All of them are in the layer, but none is changed in the overlay.
        fixture.run("touch a.txt b.txt; chmod 600 d/c.txt; echo x >> b.txt").await;
        fixture.overlay.write(&path("b.txt"), b"b\n".to_vec()).unwrap();
        fs::write(fixture.root().join("a.txt"), "theirs\n").unwrap();
        fs::write(fixture.root().join("b.txt"), "theirs too\n").unwrap();
        fs::remove_file(fixture.root().join("d/c.txt")).unwrap();
        fs::write(fixture.root().join("d/n.txt"), "new\n").unwrap();
        let (printed, writes) = fixture.run("cat a.txt b.txt; ls d").await;
        assert_eq!(printed, "theirs\ntheirs too\nn.txt\n", "{:?}", fixture.method);
        assert_eq!(writes, workspace::LayerWrites::default());
        // The same in a deleted folder.
        fixture.run("rm -r d").await;
        fs::write(fixture.root().join("d/o.txt"), "newer\n").unwrap();
        assert_eq!(fixture.run("ls d").await.0, "o.txt\n", "{:?}", fixture.method);
    }
}

#[tokio::test]
async fn what_the_user_does_while_a_command_runs_is_not_undone() {
    for mut fixture in
        fixtures(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n"), ("d.txt", "d\n")]).await
    {
        fixture.overlay.write(&path("d.txt"), b"D\n".to_vec()).unwrap();
        let root = fixture.root();
        let line = "echo A > a.txt; rm b.txt; chmod 600 c.txt; echo DD > d.txt; echo done";
        let mut theirs = |_: &[u8]| {
            for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
                fs::write(root.join(name), "theirs\n").unwrap();
            }
        };
        let layer =
            fixture.layer.run(&fixture.sandbox, bash(line), &mut fixture.overlay, &mut theirs).await.unwrap();
        assert!(layer.exit.unwrap().success());
        assert_eq!(
            names(&layer.writes.refused),
            ["a.txt", "b.txt", "c.txt"],
            "{:?}: {:?}",
            fixture.method,
            layer.writes
        );
        assert_eq!(
            layer.writes.changed,
            [path("d.txt")],
            "what was changed before is held against the disk when it lands"
        );
        assert!(fixture.overlay.changes()[&path("d.txt")].before.as_deref() == Some(b"d\n"));
        assert_eq!(fixture.run("cat a.txt b.txt c.txt d.txt").await.0, "theirs\ntheirs\ntheirs\nDD\n");
    }
}

#[tokio::test]
async fn what_was_written_before_the_time_was_up_joins() {
    for mut fixture in fixtures(&[("a.txt", "a\n")]).await {
        let line = "echo A > a.txt; (while :; do echo late >> b.txt; done) & sleep 60";
        let result = fixture.try_to_run(bash(line).time_limit(Duration::from_millis(400)), &mut |_| ()).await;
        let Err(CommandStopped::Sandbox(SandboxError::Process(error))) = result.exit else {
            panic!("{:?}", fixture.method)
        };
        assert!(error.to_string().contains("did not finish within"), "{error}");
        assert_eq!(result.writes.changed, [path("a.txt"), path("b.txt")], "{:?}", fixture.method);
        // No process writes any more.
        let (lines, _) = fixture.run("wc -l < b.txt").await;
        let kept = fixture.changes()["b.txt"].as_ref().unwrap().lines().count();
        assert_eq!(lines.trim(), kept.to_string());
    }
}

#[tokio::test]
async fn what_a_command_leaves_running_ends_before_its_work_is_taken() {
    for mut fixture in fixtures(&[]).await {
        for _ in 0..5 {
            let line = "for i in 1 2 3 4; do (while :; do echo x >> b.txt; done) & done; until test -s b.txt; do :; done";
            fixture.run(line).await;
            let taken = fixture.changes()["b.txt"].as_ref().unwrap().len();
            let (printed, writes) = fixture.run("wc -c < b.txt").await;
            assert_eq!(printed.trim(), taken.to_string(), "{:?}", fixture.method);
            assert!(writes.changed.is_empty());
            fixture.overlay = Overlay::new(fixture.workspace.root().clone());
        }
    }
}

#[tokio::test]
async fn a_command_that_is_dropped_leaves_nothing() {
    for mut fixture in fixtures(&[("a.txt", "a\n"), (".gitignore", "*.o\n")]).await {
        let (told, mut wait) = tokio::sync::mpsc::unbounded_channel();
        let mut out = |_: &[u8]| told.send(()).unwrap_or_default();
        let line =
            "echo A > a.txt; echo n > n.txt; echo o > x.o; echo ready; while :; do echo x >> n.txt; done";
        tokio::select! {
            _ = fixture.layer.run(&fixture.sandbox, bash(line), &mut fixture.overlay, &mut out) => panic!("it does not end"),
            Some(()) = wait.recv() => {}
        }
        assert!(fixture.overlay.changes().is_empty());
        let (printed, writes) = fixture.run("cat a.txt x.o; test ! -e n.txt").await;
        assert_eq!(
            (printed.as_str(), writes),
            ("a\no\n", workspace::LayerWrites::default()),
            "{:?}",
            fixture.method
        );
    }
}

#[tokio::test]
async fn two_at_once_go_one_after_the_other() {
    let Some(mut fixture) = LayerFixture::new(CaptureMethod::Mount, &[], &[]).await else { return };
    let folder = fixture.folder.path().join("layer");
    let mut other = Layer::open(&fixture.workspace, &folder, &fixture.sandbox).await.unwrap();
    let mut second = Overlay::new(fixture.workspace.root().clone());
    let line = |name: &str| {
        bash(&format!("test ! -e mark && touch mark && echo {name} > {name}.txt && sleep 0.2 && rm mark"))
    };
    let (mut nothing, mut nothing_else) = (|_: &[u8]| (), |_: &[u8]| ());
    let (one, two) = tokio::join!(
        fixture.layer.run(&fixture.sandbox, line("one"), &mut fixture.overlay, &mut nothing),
        other.run(&fixture.sandbox, line("two"), &mut second, &mut nothing_else),
    );
    for result in [one, two] {
        assert!(result.unwrap().exit.unwrap().success(), "they met");
    }
    assert_eq!(fixture.changes().keys().collect::<Vec<_>>(), ["one.txt"]);
    assert_eq!(second.changes().keys().collect::<Vec<_>>(), [&path("two.txt")]);
}

#[tokio::test]
async fn a_layer_does_not_grow_without_end() {
    let Some(mut fixture) = LayerFixture::new(CaptureMethod::Mount, &[(".gitignore", "big\n")], &[]).await
    else {
        return;
    };
    fixture.layer = fixture.layer.limit(4 << 20);
    let line = "head -c 64M /dev/zero > big; sleep 60";
    let result = fixture.try_to_run(bash(line).time_limit(Duration::from_mins(1)), &mut |_| ()).await;
    let error = result.exit.unwrap_err();
    assert!(matches!(error, CommandStopped::Full { .. }), "{error}");
    assert!(error.to_string().contains("Clear the layer"), "{error}");
    fixture.layer.clear().await.unwrap();
    fixture.run("test ! -e big").await;
}

#[tokio::test]
async fn a_work_that_is_too_large_to_be_copied_is_refused() {
    let Some(mut fixture) = LayerFixture::new(CaptureMethod::Copy, &[("a.txt", "a\n")], &[]).await else {
        return;
    };
    fs::File::create(fixture.root().join("huge.bin")).unwrap().set_len(2 << 30).unwrap();
    let run = fixture
        .layer
        .run(&fixture.sandbox, LayerCommand::new(["true"]), &mut fixture.overlay, &mut |_| ())
        .await;
    let error = run.unwrap_err().to_string();
    assert!(error.contains("2 files with 2048 MiB, too much to be copied"), "{error}");
    assert!(error.contains(".perigeeignore"), "{error}");
}
