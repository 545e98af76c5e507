//! A git repository under a layer.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::fixture::{CaptureMethod, LayerFixture, names, path, state};

fn git(root: &Path, words: &[&str]) -> String {
    let name = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "init.defaultBranch=main"];
    let mut git = Command::new("git");
    // The machine's own git settings might require signatures or hooks.
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let done = git.current_dir(root).args(name).args(words).output().unwrap();
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

async fn repository(method: CaptureMethod) -> Option<LayerFixture> {
    let fixture =
        LayerFixture::new(method, &[("a.txt", "a\n"), ("b.txt", "b\n"), (".gitignore", "*.o\n")], &[])
            .await?;
    git(&fixture.root(), &["init", "-q"]);
    git(&fixture.root(), &["add", "-A"]);
    git(&fixture.root(), &["commit", "-qm", "first"]);
    Some(fixture)
}

#[tokio::test]
async fn git_sees_the_overlay_and_the_real_one_is_untouched() {
    for method in [CaptureMethod::Mount, CaptureMethod::Copy] {
        let Some(mut fixture) = repository(method).await else { continue };
        fixture.overlay.write(&path("a.txt"), b"A\n".to_vec()).unwrap();
        fixture.overlay.delete(&path("b.txt")).unwrap();
        let (printed, writes) =
            fixture.run("git status --short; git diff a.txt | tail -2; git log --oneline | wc -l").await;
        assert_eq!(printed, " M a.txt\n D b.txt\n-a\n+A\n1\n", "{method:?}");
        assert_eq!(writes, workspace::LayerWrites::default());
        assert!(git(&fixture.root(), &["status", "--short"]).is_empty());
    }
}

#[tokio::test]
async fn what_git_does_in_a_layer_goes_with_the_command() {
    let Some(mut fixture) = repository(CaptureMethod::Mount).await else { return };
    let commit = "git -c user.name=b -c user.email=b@localhost commit -qam second";
    let (printed, writes) =
        fixture.run(&format!("echo A > a.txt; {commit}; git log --oneline | wc -l")).await;
    assert_eq!(printed, "2\n");
    assert_eq!(writes.changed, [path("a.txt")]);
    assert_eq!(names(&writes.refused), [".git"], "it is said");
    assert_eq!(fixture.run("git log --oneline | wc -l; git status --short").await.0, "1\n M a.txt\n");
    // The user's commits in between are visible, regardless of the layer's contents.
    fs::write(fixture.root().join("b.txt"), "B\n").unwrap();
    git(&fixture.root(), &["commit", "-qam", "theirs"]);
    assert_eq!(fixture.run("git log --format=%s; git status --short").await.0, "theirs\nfirst\n M a.txt\n");
}

#[tokio::test]
async fn what_git_would_run_is_guarded_in_a_layer_too() {
    let Some(mut fixture) = repository(CaptureMethod::Mount).await else { return };
    fs::create_dir_all(fixture.root().join("part/.git")).unwrap();
    let tries = [
        "echo x > .git/hooks/pre-commit",
        "git config core.fsmonitor /bin/false",
        "mv .git/hooks .git/old",
        "mv .git elsewhere",
        "rm -r .git",
        "ln -s /tmp .git/hooks/x",
        "echo ../other > .git/commondir",
        "echo x > part/.git/hooks/pre-commit",
        "mv part other",
    ];
    for line in tries {
        let (printed, _) = fixture.run(&format!("if {line}; then echo done; fi 2>/dev/null")).await;
        assert!(!printed.contains("done"), "{line}");
    }
    // A repository created by a command stays in the layer.
    let (_, writes) = fixture.run("git init -q sub && echo 'touch /tmp/x' > sub/.git/hooks/pre-commit").await;
    assert_eq!(names(&writes.refused), ["sub/.git"]);
    fixture.run("test ! -e sub/.git && mkdir -p x.o && ln -s ../.git x.o/.git").await;
    let (printed, _) = fixture.run("readlink x.o/.git").await;
    assert_eq!(printed, "../.git\n", "a link in what is ignored keeps nobody from going on");
    assert!(!fixture.root().join(".git/commondir").exists());
}

#[tokio::test]
async fn nothing_is_left_of_a_mount() {
    let Some(mut fixture) = repository(CaptureMethod::Mount).await else { return };
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let before = state(&fixture.root().join(".git"));
    for _ in 0..3 {
        fixture.run("git status --short; echo x >> a.txt").await;
    }
    assert_eq!(fs::read_to_string("/proc/self/mountinfo").unwrap(), mounts);
    assert_eq!(state(&fixture.root().join(".git")), before);
    fixture.layer.clear().await.unwrap();
    assert_eq!(
        fs::read_dir(fixture.folder.path().join("layer/work")).unwrap().count(),
        0,
        "not even the kernel's own"
    );
}
