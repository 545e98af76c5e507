//! Everyday shell commands.

use crate::fixture::{CaptureMethod, LayerFixture, bash, fixtures, names, path};

#[tokio::test]
async fn a_command_sees_what_is_not_on_the_disk() {
    for mut fixture in fixtures(&[("main.c", "int main() { return 1; }\n"), ("part.h", "")]).await {
        fixture
            .overlay
            .write(&path("main.c"), b"#include \"part.h\"\nint main() { return N; }\n".to_vec())
            .unwrap();
        fixture.overlay.write(&path("part.h"), b"#define N 3\n".to_vec()).unwrap();
        let (printed, writes) = fixture.run("cc main.c -o prog && { ./prog; echo $?; }").await;
        assert_eq!(printed, "3\n");
        assert_eq!((writes.changed.len(), writes.deleted.len(), names(&writes.refused)), (0, 0, vec![]));
        assert_eq!(names(&writes.kept), ["prog"], "{:?}", fixture.method);
        let (printed, writes) = fixture.run("./prog; echo $?").await;
        assert_eq!(
            (printed.as_str(), names(&writes.kept)),
            ("3\n", vec![]),
            "it is there for later commands"
        );
        assert_eq!(fixture.changes().len(), 2);
    }
}

/// A file of the overlay with its text; `None` stands for a deleted file.
type Expected<'a> = (&'a str, Option<&'a str>);

#[tokio::test]
async fn what_a_command_does_joins_the_overlay() {
    let files = [
        ("a.txt", "one\n"),
        ("b.txt", "b\n"),
        ("src/c.txt", "c\n"),
        ("src/d/e.txt", "e\n"),
        ("run.sh", "echo hi\n"),
    ];
    // Commands, each with the contents of the overlay after it.
    let table: &[(&str, &[Expected<'_>])] = &[
        ("sed -i s/one/two/ a.txt", &[("a.txt", Some("two\n"))]),
        ("sed -i s/two/one/ a.txt", &[]),
        ("rm b.txt", &[("b.txt", None)]),
        ("test ! -e b.txt && echo again > b.txt", &[("b.txt", Some("again\n"))]),
        ("echo b > b.txt", &[]),
        ("mv a.txt z.txt", &[("a.txt", None), ("z.txt", Some("one\n"))]),
        ("test ! -e a.txt && mv z.txt a.txt", &[]),
        ("mkdir -p new/deep && echo n > new/deep/n.txt", &[("new/deep/n.txt", Some("n\n"))]),
        ("rm -r new", &[]),
        ("test ! -e new && mkdir -p empty/er", &[]),
        ("test -d empty/er && rmdir empty/er empty", &[]),
        (
            "mv src lib",
            &[
                ("lib/c.txt", Some("c\n")),
                ("lib/d/e.txt", Some("e\n")),
                ("src/c.txt", None),
                ("src/d/e.txt", None),
            ],
        ),
        ("test ! -e src && cat lib/d/e.txt && mv lib src", &[]),
        (
            "rm -r src && mkdir src && echo x > src/x.txt",
            &[("src/c.txt", None), ("src/d/e.txt", None), ("src/x.txt", Some("x\n"))],
        ),
        (
            "test \"$(ls src)\" = x.txt && mkdir src/d && echo e > src/d/e.txt",
            &[("src/c.txt", None), ("src/x.txt", Some("x\n"))],
        ),
        ("rm src/x.txt && echo c > src/c.txt", &[]),
        ("rm -r src", &[("src/c.txt", None), ("src/d/e.txt", None)]),
        ("test ! -e src", &[("src/c.txt", None), ("src/d/e.txt", None)]),
        ("mkdir -p src/d && echo c > src/c.txt && echo e > src/d/e.txt", &[]),
        (
            "ln a.txt a2.txt && echo both >> a2.txt",
            &[("a.txt", Some("one\nboth\n")), ("a2.txt", Some("one\nboth\n"))],
        ),
        ("echo one > a.txt && rm a2.txt", &[]),
        ("printf 'no end' > a.txt; : > b.txt", &[("a.txt", Some("no end")), ("b.txt", Some(""))]),
    ];
    for mut fixture in fixtures(&files).await {
        for (line, expected) in table {
            let (_, writes) = fixture.run(line).await;
            let changes = fixture.changes();
            let found: Vec<Expected<'_>> =
                changes.iter().map(|(name, text)| (name.as_str(), text.as_deref())).collect();
            assert_eq!(found, *expected, "{:?}: {line}", fixture.method);
            assert_eq!((names(&writes.refused), names(&writes.kept)), (vec![], vec![]), "{line}");
        }
    }
}

#[tokio::test]
async fn what_it_did_is_told() {
    for mut fixture in fixtures(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("run.sh", "echo ran\n")]).await {
        let (_, writes) = fixture.run("echo A > a.txt; rm b.txt; echo c > c.txt; touch run.sh").await;
        assert_eq!(writes.changed, [path("a.txt"), path("c.txt")]);
        assert_eq!(writes.deleted, [path("b.txt")]);
        let (_, writes) = fixture.run("true").await;
        assert_eq!(writes, workspace::LayerWrites::default(), "of this command, and not of others");
        let (printed, writes) = fixture.run("chmod +x run.sh && ./run.sh").await;
        assert_eq!(
            (printed.as_str(), names(&writes.kept)),
            ("ran\n", vec!["run.sh"]),
            "{:?}",
            fixture.method
        );
        let (_, writes) = fixture.run("printf 'echo new\\n' > new.sh; chmod +x new.sh").await;
        assert_eq!((writes.changed, names(&writes.kept)), (vec![path("new.sh")], vec!["new.sh"]));
        assert_eq!(fixture.run("./new.sh").await.0, "new\n");
    }
}

#[tokio::test]
async fn what_is_ignored_stays_in_the_layer_and_is_not_proposed() {
    let files =
        [(".gitignore", "__pycache__/\n/target/\n*.o\n"), ("m.py", "X = 7\n"), ("target/old", "old\n")];
    for mut fixture in fixtures(&files).await {
        let line = "/usr/bin/python3 -c 'import m; print(m.X)'; mkdir -p target; echo built > target/out; echo o > x.o; \
                    test ! -e target/old || rm target/old";
        let (printed, writes) = fixture.run(line).await;
        assert_eq!(
            (printed.as_str(), &writes),
            ("7\n", &workspace::LayerWrites::default()),
            "{:?}",
            fixture.method
        );
        let (printed, _) = fixture.run("ls __pycache__ | wc -l; cat target/out x.o; ls target").await;
        assert_eq!(printed, "1\nbuilt\no\nout\n");
        // The files are still there after the layer is reopened.
        fixture.layer = workspace::Layer::open(
            &fixture.workspace,
            &fixture.folder.path().join("layer"),
            &fixture.sandbox,
        )
        .await
        .unwrap();
        if fixture.method != CaptureMethod::Mount {
            fixture.layer = fixture.layer.by_copy();
        }
        assert_eq!(fixture.run("cat target/out; ls target").await.0, "built\nout\n");
        // The user's own build output is visible, and a deleted folder leaves no traces.
        if fixture.method == CaptureMethod::Mount {
            std::fs::write(fixture.root().join("target/theirs"), "theirs\n").unwrap();
            assert_eq!(fixture.run("ls target").await.0, "out\ntheirs\n");
            std::fs::remove_dir_all(fixture.root().join("target")).unwrap();
            assert_eq!(fixture.run("ls target && rm -r target && mkdir target").await.0, "out\n");
        }
        fixture.layer.clear().await.unwrap();
        assert_eq!(std::fs::read_dir(fixture.writes_folder()).unwrap().count(), 0);
        assert_eq!(fixture.run("test ! -e x.o && cat m.py").await.0, "X = 7\n");
    }
}

#[tokio::test]
async fn rules_that_a_command_writes_hide_nothing_of_the_work() {
    for mut fixture in fixtures(&[("a.txt", "a\n"), ("sub/b.txt", "b\n")]).await {
        fixture.overlay.write(&path("c.txt"), b"c\n".to_vec()).unwrap();
        let (_, writes) = fixture
            .run("echo '*' > .gitignore; echo A > a.txt; rm sub/b.txt; echo C > c.txt; echo x > x.txt")
            .await;
        assert_eq!(
            writes.changed,
            [path(".gitignore"), path("a.txt"), path("c.txt")],
            "{:?}",
            fixture.method
        );
        assert_eq!(writes.deleted, [path("sub/b.txt")]);
        assert_eq!(fixture.run("cat x.txt").await.0, "x\n");
        fixture.overlay.delete(&path(".gitignore")).unwrap();
        fixture.run("test ! -e x.txt").await;
        // A cache that ignores itself is not reported.
        let (_, writes) = fixture.run("mkdir .cache; echo '*' > .cache/.gitignore; echo x > .cache/x").await;
        assert_eq!(writes, workspace::LayerWrites::default());
        assert_eq!(fixture.run("cat .cache/x").await.0, "x\n");
    }
}

#[tokio::test]
async fn what_is_not_in_play_is_put_back() {
    for method in [CaptureMethod::Mount, CaptureMethod::Copy, CaptureMethod::Partial] {
        let files = [("src/a.txt", "a\n"), ("docs/b.txt", "b\n"), ("docs/c.txt", "c\n")];
        let Some(mut fixture) = LayerFixture::new(method, &files, &["src".to_owned()]).await else {
            continue;
        };
        let (_, writes) =
            fixture.run("echo A > src/a.txt; echo B > docs/b.txt; rm docs/c.txt; echo n > docs/n.txt").await;
        assert_eq!(writes.changed, [path("src/a.txt")]);
        assert_eq!(names(&writes.refused), ["docs/b.txt", "docs/c.txt", "docs/n.txt"], "{method:?}");
        assert!(writes.refused[0].1.contains("is not among the files that may be changed here"));
        assert_eq!(fixture.run("cat docs/* src/a.txt; ls docs").await.0, "b\nc\nA\nb.txt\nc.txt\n");
    }
}

#[tokio::test]
async fn what_is_no_text_is_not_taken_and_not_lost() {
    for mut fixture in fixtures(&[("a.txt", "a\n")]).await {
        std::fs::write(fixture.root().join("logo.png"), [0, 1, 2, 3]).unwrap();
        let (_, writes) = fixture.run("mv logo.png moved.png; cp moved.png a.txt").await;
        assert_eq!(names(&writes.refused), ["a.txt", "logo.png"], "{:?}", fixture.method);
        assert_eq!(names(&writes.kept), ["moved.png"]);
        assert!(fixture.overlay.changes().is_empty());
        assert_eq!(fixture.run("wc -c < logo.png; wc -c < moved.png; cat a.txt").await.0, "4\n4\na\n");
    }
}

#[tokio::test]
async fn make_sees_what_was_taken_back() {
    let files =
        [("Makefile", "out.o: in.txt\n\tcp in.txt out.o\n"), ("in.txt", "old\n"), (".gitignore", "*.o\n")];
    for mut fixture in fixtures(&files).await {
        fixture.overlay.write(&path("in.txt"), b"new\n".to_vec()).unwrap();
        assert!(fixture.run("make -s && cat out.o").await.0.ends_with("new\n"));
        fixture.overlay.write(&path("in.txt"), b"old\n".to_vec()).unwrap();
        assert!(fixture.overlay.changes().is_empty());
        let (printed, writes) = fixture.run("make -s && cat out.o").await;
        assert!(printed.ends_with("old\n"), "{:?}: {printed}", fixture.method);
        assert!(writes.changed.is_empty());
        let (printed, _) = fixture.run("make").await;
        assert!(printed.contains("up to date"), "nothing is built anew that need not be: {printed}");
    }
}

#[tokio::test]
async fn a_folder_that_is_a_link_on_the_disk_stays_one() {
    let Some(mut fixture) =
        LayerFixture::new(CaptureMethod::Mount, &[("lib/a.txt", "a\n"), ("lib/b.txt", "b\n")], &[]).await
    else {
        return;
    };
    std::os::unix::fs::symlink("lib", fixture.root().join("src")).unwrap();
    fixture.overlay.write(&path("src/a.txt"), b"A\n".to_vec()).unwrap();
    let (printed, writes) = fixture.run("readlink src; cat src/* lib/a.txt; echo more >> lib/a.txt").await;
    assert_eq!(printed, "lib\nA\nb\nA\n");
    assert_eq!(writes.changed, [path("src/a.txt")], "it has one name");
    assert_eq!(fixture.changes()["src/a.txt"].as_deref(), Some("A\nmore\n"));
}

#[tokio::test]
async fn a_program_that_is_not_there_is_said() {
    for mut fixture in fixtures(&[]).await {
        let command = workspace::LayerCommand::new(["no-such-program-anywhere"]);
        let result = fixture.try_to_run(command, &mut |_| ()).await;
        assert_eq!(result.exit.unwrap().code(), Some(127), "{:?}", fixture.method);
        let result = fixture.try_to_run(bash("exit 7"), &mut |_| ()).await;
        assert_eq!(result.exit.unwrap().code(), Some(7));
    }
}
