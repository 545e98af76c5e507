//! The sandbox, tested from outside: the abilities and limits of a program in it.

use std::fs;
use std::path::Path;
use std::process::Output;

use testkit::{TempHome, perigee_command};
use tokio::net::TcpListener;

use crate::support::{BIN, levels, soon};

struct Walls {
    home: TempHome,
    work: tempfile::TempDir,
    levels: &'static [&'static str],
}

impl Walls {
    async fn new() -> Self {
        Self { home: TempHome::new(), work: tempfile::tempdir().unwrap(), levels: levels().await }
    }

    async fn run(&self, level: &str, profile: &str, script: &str) -> Output {
        let work = self.work.path().to_str().unwrap();
        let mut arguments = vec!["sandbox", "run", "--profile", profile, "--work", work];
        if level != "full" {
            arguments.extend(["--level", level]);
        }
        arguments.extend(["--", "bash", "-c", script]);
        perigee(&self.home, &arguments).await
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.work.path().join(name)
    }
}

async fn perigee(home: &TempHome, arguments: &[&str]) -> Output {
    let mut command = perigee_command(Path::new(BIN), home.path(), arguments);
    command.env("A_SECRET_OF_OURS", "sesame");
    soon("the sandbox", command.output()).await.unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

#[tokio::test]
async fn a_program_behind_the_walls_works_and_its_exit_code_is_passed_on() {
    let walls = Walls::new().await;
    for level in walls.levels {
        for profile in ["tool", "shell"] {
            let done = walls.run(level, profile, "echo hello > made; cat made; exit 7").await;
            assert_eq!(done.status.code(), Some(7), "{level} {profile}: {}", text(&done.stderr));
            assert_eq!(text(&done.stdout), "hello", "{level} {profile}");
            assert_eq!(fs::read_to_string(walls.path("made")).unwrap(), "hello\n", "{level} {profile}");
        }
    }
}

#[tokio::test]
async fn nothing_outside_can_be_changed_or_read() {
    let walls = Walls::new().await;
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "sesame").unwrap();
    fs::write(walls.home.path().join("config.toml"), "# sesame").unwrap();
    let (secret, data) = (secret.display(), walls.home.path().display());
    let script =
        format!("cat {secret} {data}/config.toml; env; echo x > {secret}; cp /bin/true /usr/bin/untrue");
    for level in walls.levels {
        for profile in ["tool", "shell"] {
            let done = walls.run(level, profile, &script).await;
            let said = text(&done.stdout) + &text(&done.stderr);
            assert!(!said.contains("sesame"), "{level} {profile}: {said}");
            assert!(!done.status.success(), "{level} {profile}");
        }
    }
    assert_eq!(fs::read_to_string(outside.path().join("secret")).unwrap(), "sesame");
    assert!(!Path::new("/usr/bin/untrue").exists());
}

#[tokio::test]
async fn a_tool_reaches_nobody_and_neither_does_a_command() {
    let walls = Walls::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo through >&3");
    for level in walls.levels {
        for profile in ["tool", "shell"] {
            assert!(!walls.run(level, profile, &script).await.status.success(), "{level} {profile}");
        }
    }
    let heard = tokio::time::timeout(std::time::Duration::from_millis(50), listener.accept()).await;
    assert!(heard.is_err(), "somebody called");
}

#[tokio::test]
async fn a_command_leaves_alone_what_git_would_run() {
    let walls = Walls::new().await;
    fs::create_dir_all(walls.path(".git/hooks")).unwrap();
    fs::write(walls.path(".git/config"), "[core]\n").unwrap();
    let script = "
        mv .git elsewhere; rm -rf .git/hooks; echo x > .git/hooks/post-checkout; echo x >> .git/config
        mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; rm -f .git/config; ln -s /tmp .git/hooks/link
        echo fine > .git/index";
    if walls.levels.contains(&"full") {
        let done = walls.run("full", "shell", script).await;
        assert!(done.status.success(), "the rest of it can be written: {}", text(&done.stderr));
        assert_eq!(fs::read_dir(walls.path(".git/hooks")).unwrap().count(), 0);
        assert_eq!(fs::read_to_string(walls.path(".git/config")).unwrap(), "[core]\n");
        assert!(!walls.path("elsewhere").exists());
    }
}

#[tokio::test]
async fn what_takes_too_much_is_ended_with_all_that_it_started() {
    for (script, words) in [
        ("while :; do sleep 77.7 & done", "processes"),
        ("for i in 1 2 3; do head -c 100M /dev/zero > part$i; done; sleep 77.7", "disk"),
        (
            "for i in 1 2 3 4; do (a=$(head -c 180M /dev/zero | tr '\\0' x); sleep 77.7) & done; wait",
            "memory",
        ),
    ] {
        let walls = Walls::new().await;
        for level in walls.levels {
            let done = walls.run(level, "tool", script).await;
            assert_eq!(done.status.code(), Some(137), "{level} {script}: {}", text(&done.stderr));
            assert!(text(&done.stderr).contains(words), "{level} {script}: {}", text(&done.stderr));
        }
    }
    assert_eq!(running("sleep\u{0}77.7"), 0, "something is left");
}

/// Returns the number of processes with this text in their command line.
fn running(words: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| fs::read_to_string(process.path().join("cmdline")).ok());
    lines.filter(|line| line.contains(words)).count()
}

#[tokio::test]
async fn without_walls_nothing_runs() {
    let walls = Walls::new().await;
    let done = walls.run("none", "tool", "touch made").await;
    assert!(!done.status.success());
    assert!(text(&done.stderr).contains("there is no sandbox"), "{}", text(&done.stderr));
    assert!(!walls.path("made").exists());
}
