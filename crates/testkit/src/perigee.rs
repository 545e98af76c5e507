use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// A limit far above any start or stop, so that a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_mins(1);

/// A `perigee serve` in a process of its own.
#[derive(Debug)]
pub struct PerigeeProcess {
    bin: PathBuf,
    home: PathBuf,
    child: Child,
    address: String,
    token: String,
    log: Arc<Mutex<String>>,
}

impl PerigeeProcess {
    /// Starts the program on a free port and returns once it responds.
    pub async fn start(bin: impl AsRef<Path>, home: &Path) -> Self {
        Self::start_with(bin, home, &[], &[]).await
    }

    pub async fn start_with(bin: impl AsRef<Path>, home: &Path, args: &[&str], env: &[(&str, &str)]) -> Self {
        let bin = bin.as_ref();
        let mut command = perigee_command(bin, home, ["serve", "--json", "--port", "0"]);
        command.args(args).envs(env.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", bin.display()));

        let log = Arc::new(Mutex::new(String::new()));
        keep(child.stderr.take().expect("piped"), Arc::clone(&log));
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut first = String::new();
        let read = timeout(PATIENCE, stdout.read_line(&mut first)).await;
        let address = serde_json::from_str::<Value>(&first)
            .ok()
            .and_then(|line| line["address"].as_str().map(str::to_owned));
        let Some(address) = address else {
            panic!("perigee did not start: {read:?}, {first:?}, log:\n{}", log.lock().unwrap());
        };
        keep(stdout, Arc::clone(&log));

        let token = command_output(bin, home, ["token"]).await.trim().to_owned();
        Self { bin: bin.to_owned(), home: home.to_owned(), child, address, token, log }
    }

    /// Returns `http://127.0.0.1:PORT`.
    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// Returns the owner's API token.
    pub fn token(&self) -> &str {
        &self.token
    }

    pub fn pid(&self) -> u32 {
        self.child.id().expect("it has not been waited for")
    }

    /// Returns the output so far: stderr, and stdout after its first line.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Runs another command on the same data folder and returns its stdout; it must succeed.
    pub async fn run<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> String {
        command_output(&self.bin, &self.home, args).await
    }

    /// Kills the process, as in a power failure: no handler runs.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("the process can be killed");
    }

    /// Sends SIGTERM, as on a system shutdown, and waits for the exit.
    pub async fn stop(mut self) -> ExitStatus {
        signal(self.pid(), Signal::TERM);
        let ended = timeout(PATIENCE, self.child.wait()).await;
        ended.unwrap_or_else(|_| panic!("perigee does not stop; log:\n{}", self.log())).unwrap()
    }
}

/// Sends SIGINT, as Ctrl-C does, to the process with this id.
pub fn interrupt(pid: u32) {
    signal(pid, Signal::INT);
}

/// Kills the process with this id.
pub fn kill(pid: u32) {
    signal(pid, Signal::KILL);
}

fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, signal).expect("the process runs");
}

/// A command of the program for this data folder, not yet started. Its process is killed when the child is dropped.
pub fn perigee_command<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(
    bin: &Path,
    home: &Path,
    args: I,
) -> Command {
    let mut command = Command::new(bin);
    // Must come first, since arguments after `--` belong to another program.
    command.arg("--home").arg(home).args(args);
    isolate(&mut command).stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// Removes environment variables of this machine: settings of the developer's own Perigee, and proxies, many of which
/// would also intercept loopback addresses.
pub fn isolate(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_the_machine(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    command
}

fn is_of_the_machine(name: &str) -> bool {
    let proxy =
        || ["http_proxy", "https_proxy", "all_proxy"].iter().any(|proxy| name.eq_ignore_ascii_case(proxy));
    name.starts_with("PERIGEE_") || proxy()
}

async fn command_output<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(
    bin: &Path,
    home: &Path,
    args: I,
) -> String {
    let output = timeout(PATIENCE, perigee_command(bin, home, args).output())
        .await
        .expect("the command ends")
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {stderr}", output.status);
    String::from_utf8(output.stdout).expect("stdout is text")
}

fn keep(from: impl AsyncRead + Unpin + Send + 'static, log: Arc<Mutex<String>>) {
    tokio::spawn(async move {
        let mut lines = BufReader::new(from).split(b'\n');
        while let Ok(Some(line)) = lines.next_segment().await {
            let mut log = log.lock().unwrap();
            log.push_str(&String::from_utf8_lossy(&line));
            log.push('\n');
        }
    });
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::TempHome;

    /// A script that behaves like `perigee` as far as this file can tell.
    fn stand_in(home: &TempHome) -> PathBuf {
        let script = r#"#!/bin/sh
case $3 in
token) echo secret ;;
serve)
    echo "moved in with $*, mood $MOOD" >&2
    echo '{"address":"http://127.0.0.1:8899"}'
    trap 'echo goodbye >&2; exit 7' TERM
    while :; do sleep 1 & wait $!; done
    ;;
esac
"#;
        let path = home.write("perigee", script);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[tokio::test]
    async fn a_program_is_started_asked_and_stopped() {
        let home = TempHome::new();
        let bin = stand_in(&home);
        let perigee = PerigeeProcess::start_with(&bin, home.path(), &["--quiet"], &[("MOOD", "calm")]).await;
        assert_eq!(perigee.url("/api/health"), "http://127.0.0.1:8899/api/health");
        assert_eq!(perigee.token(), "secret");
        assert_eq!(perigee.run(["token"]).await, "secret\n");
        let log = Arc::clone(&perigee.log);
        assert_eq!(perigee.stop().await.code(), Some(7));
        let expected = format!("--home {} serve --json --port 0 --quiet, mood calm", home.path().display());
        while !log.lock().unwrap().contains(&expected) {
            tokio::task::yield_now().await;
        }
    }

    #[test]
    fn what_a_machine_happens_to_have_is_kept_from_a_program() {
        for name in ["PERIGEE_STARTER", "PERIGEE_LLM__MODEL", "http_proxy", "HTTPS_PROXY", "All_Proxy"] {
            assert!(is_of_the_machine(name), "{name}");
        }
        for name in ["PATH", "HOME", "MY_PERIGEE_HOME", "no_proxy"] {
            assert!(!is_of_the_machine(name), "{name}");
        }
    }

    #[tokio::test]
    async fn a_killed_program_says_nothing_more() {
        let home = TempHome::new();
        let perigee = PerigeeProcess::start(stand_in(&home), home.path()).await;
        let (pid, log) = (perigee.pid(), Arc::clone(&perigee.log));
        perigee.kill().await;
        assert!(!Path::new(&format!("/proc/{pid}")).exists());
        assert!(!log.lock().unwrap().contains("goodbye"));
    }
}
