use std::path::Path;

use rustix::process::{Pid, test_kill_process};

use super::*;

fn shell(script: &str) -> Program {
    Program::new("sh").args(["-c", script])
}

fn number(bytes: &[u8]) -> i32 {
    String::from_utf8_lossy(bytes).trim().parse().unwrap()
}

/// Returns true if a process runs. A zombie does not count.
fn alive(pid: i32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .ok()
        .and_then(|stat| Some(stat.rsplit_once(") ")?.1.chars().next()? != 'Z'));
    test_kill_process(Pid::from_raw(pid).unwrap()).is_ok() && state.unwrap_or(true)
}

async fn until_dead(pid: i32) {
    for _ in 0..2_000 {
        if !alive(pid) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("process {pid} lives on");
}

#[tokio::test]
async fn a_program_runs_to_its_end() {
    let finished = shell("cat; echo problem >&2; exit 3").input("hello").run().await.unwrap();
    assert_eq!(finished.status.code(), Some(3));
    assert_eq!(finished.stdout, b"hello");
    assert_eq!(finished.stderr, "problem");
    assert!(!finished.truncated);
}

#[tokio::test]
async fn nothing_of_our_environment_leaks() {
    let finished = Program::new("env").env("GIVEN", "yes").inherit(&["PERIGEE_TOKEN"]).run().await.unwrap();
    let text = String::from_utf8(finished.stdout).unwrap();
    let names: Vec<_> = text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    assert!(names.contains(&"PATH") && names.contains(&"GIVEN"), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("CARGO")), "{names:?}");
}

#[test]
fn variables_of_ours_never_pass() {
    let variables =
        ["PATH", "HTTPS_PROXY", "PERIGEE_LLM__API_KEY", "perigee_token", "AWS_SECRET_ACCESS_KEY", "EXTRA"];
    let pairs = || variables.into_iter().map(|name| (name.into(), "value".into()));
    let names = |list: Vec<(OsString, OsString)>| -> Vec<String> {
        list.into_iter().map(|(name, _)| name.into_string().unwrap()).collect()
    };
    assert_eq!(names(environment::inherited(pairs())), ["PATH", "HTTPS_PROXY"]);
    let asked = ["EXTRA", "PERIGEE_LLM__API_KEY", "perigee_token", "MISSING"];
    assert_eq!(names(environment::chosen(pairs(), &asked)), ["EXTRA"]);
}

#[tokio::test]
async fn a_missing_program_and_a_missing_folder_are_told_apart() {
    let error = Program::new("no-such-program-here").run().await.unwrap_err();
    assert!(matches!(error, ProcessError::NotFound(_)), "{error}");
    let error = shell("true").dir("/no/such/folder").run().await.unwrap_err();
    assert!(matches!(error, ProcessError::Start { .. }), "{error}");
}

#[tokio::test]
async fn a_program_beyond_its_time_dies_with_its_children() {
    let mut child =
        shell("sleep 600 & echo $!; wait").time_limit(Duration::from_millis(300)).spawn().unwrap();
    let pid = i32::try_from(child.pid().unwrap()).unwrap();
    let Some(OutputChunk::Stdout(grandchild)) = child.next().await.unwrap() else { panic!("no output") };
    let error = child.next().await.unwrap_err();
    assert!(matches!(error, ProcessError::TimedOut { .. }), "{error}");
    until_dead(number(&grandchild)).await;
    drop(child);
    until_dead(pid).await;
}

#[tokio::test]
async fn dropping_kills_the_whole_group() {
    let mut child = shell("sleep 600 & echo $!; wait").spawn().unwrap();
    let pid = i32::try_from(child.pid().unwrap()).unwrap();
    let Some(OutputChunk::Stdout(grandchild)) = child.next().await.unwrap() else { panic!("no output") };
    assert!(alive(pid) && alive(number(&grandchild)));
    drop(child);
    until_dead(number(&grandchild)).await;
    until_dead(pid).await;
}

#[tokio::test]
async fn what_a_program_leaves_running_does_not_hold_us_up() {
    let started = Instant::now();
    let finished = shell("sleep 600 & echo $!").run().await.unwrap();
    assert!(finished.status.success());
    assert!(started.elapsed() < Duration::from_secs(30));
    until_dead(number(&finished.stdout)).await;
}

#[tokio::test]
async fn output_beyond_the_limit_is_cut_or_refused() {
    let flood = "head -c 300000 /dev/zero; echo end >&2";
    let finished = shell(flood).output_limit(1000).run().await.unwrap();
    assert_eq!((finished.stdout.len(), finished.truncated), (1000, true));
    assert_eq!(finished.stderr, "end");

    let mut child = shell("cat /dev/zero").output_limit(100_000).spawn().unwrap();
    let error = loop {
        match child.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the flood ended"),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, ProcessError::TooMuchOutput { limit: 100_000, .. }), "{error}");
}

#[tokio::test]
async fn a_long_error_output_keeps_its_end() {
    let finished = shell("head -c 100000 /dev/zero | tr '\\0' x >&2; echo reason >&2").run().await.unwrap();
    assert!(finished.stderr.ends_with("reason") && finished.stderr.len() <= ERROR_TAIL);
}

#[tokio::test]
async fn input_that_nobody_reads_is_no_error() {
    let finished = shell("exec 0<&-; echo done").input(vec![b'x'; 1 << 20]).run().await.unwrap();
    assert_eq!(finished.stdout, b"done\n");
}

#[tokio::test]
async fn output_comes_as_it_is_printed() {
    let mut child = shell("echo one; read line < /dev/null; echo two >&2").spawn().unwrap();
    let mut seen = Vec::new();
    while let Some(chunk) = child.next().await.unwrap() {
        seen.push(chunk);
    }
    assert!(
        seen.contains(&OutputChunk::Stdout(b"one\n".to_vec()))
            && seen.contains(&OutputChunk::Stderr(b"two\n".to_vec()))
    );
    assert!(child.finish().await.unwrap().success());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_outlives_the_thread_that_asked_for_it() {
    let child = tokio::task::spawn_blocking(|| {
        let runtime = tokio::runtime::Handle::current();
        std::thread::spawn(move || {
            let _runtime = runtime.enter();
            shell("sleep 0.3; echo alive").spawn()
        })
        .join()
    });
    let mut child = child.await.unwrap().unwrap().unwrap();
    assert_eq!(child.next().await.unwrap(), Some(OutputChunk::Stdout(b"alive\n".to_vec())));
}

#[tokio::test]
async fn a_released_program_gets_its_input_and_what_it_starts_lives_on() {
    let folder = tempfile::tempdir().unwrap();
    let script = "cat > input; echo $$ > leader; sleep 600 & echo $! > pid";
    let status = shell(script).dir(folder.path()).input("moon").run_detached().await.unwrap();
    assert!(status.is_some_and(|status| status.success()));
    assert_eq!(std::fs::read(folder.path().join("input")).unwrap(), b"moon");
    let [leader, pid] =
        ["leader", "pid"].map(|name| number(&std::fs::read(folder.path().join(name)).unwrap()));
    assert!(alive(pid));
    let pid = Pid::from_raw(pid).unwrap();
    assert_eq!(rustix::process::getsid(Some(pid)).ok(), Pid::from_raw(leader), "in a session of its own");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

#[tokio::test]
async fn a_released_program_that_goes_on_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let script = "read line; echo $$ > pid; exec sleep 600";
    let released =
        shell(script).dir(folder.path()).input("go\n").time_limit(Duration::from_millis(50)).run_detached();
    assert_eq!(released.await.unwrap(), None);
    let pid = loop {
        match std::fs::read(folder.path().join("pid")) {
            Ok(pid) if pid.ends_with(b"\n") => break number(&pid),
            _ => tokio::task::yield_now().await,
        }
    };
    assert!(alive(pid));
    let pid = Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    let error = Program::new("no-such-program").run_detached().await.unwrap_err();
    assert!(matches!(error, ProcessError::NotFound(_)));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_open_file_is_inherited_by_the_one_it_is_for() {
    use std::os::fd::{AsRawFd as _, OwnedFd};

    let (mut ours, theirs) = io::pipe().unwrap();
    let number = theirs.as_raw_fd();
    let named = format!("echo moon > /proc/self/fd/{number}");
    assert!(!shell(&named).run().await.unwrap().status.success(), "nobody gets what is not his");
    let done = shell(&named).inheriting(OwnedFd::from(theirs)).run().await.unwrap();
    assert!(done.status.success(), "{}", done.stderr);
    let mut heard = String::new();
    io::Read::read_to_string(&mut ours, &mut heard).unwrap();
    assert_eq!(heard, "moon\n", "and we have kept nothing of it");
}

#[tokio::test]
async fn a_program_enters_its_group_before_it_runs_or_does_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let door = folder.path().join("cgroup.procs");
    std::fs::write(&door, "").unwrap();
    let open = || std::fs::OpenOptions::new().write(true).open(&door).unwrap();
    let done =
        shell(&format!("cat '{}'", door.display())).in_control_group(open().into()).run().await.unwrap();
    assert_eq!(done.stdout, b"0", "it is how one names oneself there");
    let closed = std::fs::File::open(&door).unwrap();
    assert!(matches!(shell("true").in_control_group(closed.into()).spawn(), Err(ProcessError::Start { .. })));
}

#[test]
fn programs_are_found_in_absolute_folders_only() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plain"), "").unwrap();
    assert_eq!(environment::find_in(folder.path().as_os_str(), OsStr::new("plain")), None);
    assert_eq!(environment::find_in(OsStr::new(".:"), OsStr::new("Cargo.toml")), None);
    assert!(find_program("sh").is_some_and(|path| path.starts_with(Path::new("/"))));
}

/// The process that the next test kills. It does nothing unless that test starts this binary again.
#[tokio::test]
async fn to_be_killed() {
    let Some(home) = std::env::var_os("HOST_TEST_HOME") else { return };
    let _lock = crate::HomeLock::acquire(Path::new(&home)).unwrap();
    let child = shell("sleep 600").spawn().unwrap();
    println!("child {}", child.pid().unwrap());
    std::future::pending::<()>().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn kill_9_takes_the_children_along_and_frees_the_lock() {
    use std::io::BufRead as _;

    let home = tempfile::tempdir().unwrap();
    let mut victim = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "process::tests::to_be_killed", "--nocapture"])
        .env("HOST_TEST_HOME", home.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let grandchild = io::BufReader::new(victim.stdout.take().unwrap())
        .lines()
        .find_map(|line| line.unwrap().split_once("child ").map(|(_, pid)| number(pid.as_bytes())))
        .unwrap();
    assert!(alive(grandchild) && crate::HomeLock::is_held(home.path()));

    victim.kill().unwrap();
    victim.wait().unwrap();
    until_dead(grandchild).await;
    crate::HomeLock::acquire(home.path()).unwrap();
}
