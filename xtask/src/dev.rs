//! `cargo xtask dev`: the page reloads by itself, and the server is rebuilt and restarted when its sources change.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::failure::{ErrorContext, TaskResult};
use crate::process;
use crate::repo::Repo;
use crate::setup::{self, Requirements, web};
use crate::tasks;
use crate::terminal::Terminal;

/// The interval between checks of the sources.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// The number of intervals that a server gets to stop before it is killed.
const STOP_INTERVALS: u32 = 20;

pub fn dev(serve: &[String], repo: &Repo, terminal: &Terminal) -> TaskResult {
    setup::system_packages(Requirements { browser: false, model: true, checker: false }, repo, terminal)?;
    web::install(repo, terminal)?;
    tasks::codegen(repo, terminal)?;
    let fetched = setup::beside_download(repo, terminal, || {
        setup::web_app(repo, terminal)?;
        setup::program(repo, terminal)
    })?;
    tasks::tell_missing_model(fetched, terminal);
    let mut vite = web::npm(repo);
    vite.args(["run", "--silent", "dev"]).stdin(Stdio::inherit());
    if let Some(port) = port(serve) {
        vite.env("PERIGEE_ADDRESS", format!("http://127.0.0.1:{port}"));
    }
    let mut page = vite.spawn().named("npm run dev")?;
    let watched = keep_serving(serve, &mut page, repo, terminal);
    stop(&mut page);
    watched
}

/// Returns the port chosen by the arguments of `serve`, if any.
fn port(serve: &[String]) -> Option<&str> {
    let inline = serve.iter().find_map(|argument| argument.strip_prefix("--port="));
    let after = || serve.iter().skip_while(|argument| *argument != "--port").nth(1).map(String::as_str);
    inline.or_else(after)
}

/// Rebuilds and restarts the server whenever its sources change, until the page server exits.
fn keep_serving(serve: &[String], page: &mut Child, repo: &Repo, terminal: &Terminal) -> TaskResult {
    let mut server: Option<Child> = None;
    let mut seen = None;
    while page.try_wait()?.is_none() {
        let latest = latest_change(&[&repo.root.join("crates"), &repo.root.join("Cargo.toml")]);
        if latest != seen {
            seen = latest;
            match setup::program(repo, terminal) {
                Ok(()) => {
                    if let Some(mut running) = server.take() {
                        stop(&mut running);
                    }
                    let perigee = tasks::serve_command(serve, repo).spawn().named("perigee")?;
                    server = Some(perigee);
                }
                Err(failure) => terminal.say(format!("{failure}; the running server is kept")),
            }
        }
        thread::sleep(CHECK_INTERVAL);
    }
    if let Some(mut running) = server {
        stop(&mut running);
    }
    Ok(())
}

/// Asks the process to stop, so it can save its state, and kills it if it does not.
fn stop(child: &mut Child) {
    let asked = process::output(Command::new("kill").args(["-TERM", &child.id().to_string()]));
    for _ in 0..STOP_INTERVALS {
        if asked.is_err() || !matches!(child.try_wait(), Ok(None)) {
            break;
        }
        thread::sleep(CHECK_INTERVAL);
    }
    // Both fail only if the process has already exited.
    let _ = child.kill();
    let _ = child.wait();
}

/// Returns the time of the latest change and the number of files, which shows removals as well.
fn latest_change(paths: &[&Path]) -> Option<(SystemTime, usize)> {
    let (times, counts): (Vec<_>, Vec<_>) = paths.iter().filter_map(|path| latest_under(path)).unzip();
    Some((times.into_iter().max()?, counts.iter().sum()))
}

fn latest_under(path: &Path) -> Option<(SystemTime, usize)> {
    if !path.is_dir() {
        return Some((fs::metadata(path).ok()?.modified().ok()?, 1));
    }
    let children = fs::read_dir(path).ok()?.flatten().map(|entry| entry.path());
    let (times, counts): (Vec<_>, Vec<_>) = children.filter_map(|child| latest_under(&child)).unzip();
    Some((times.into_iter().max()?, counts.iter().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_change_an_addition_and_a_removal_are_seen() {
        let folder = Scratch::new("dev");
        let look = || latest_change(&[folder.root()]);
        assert_eq!(look(), None);
        folder.write("a/one.rs", "1");
        let first = look();
        assert!(first.is_some());
        let later = SystemTime::now() + Duration::from_secs(5);
        fs::File::options().write(true).open(folder.path("a/one.rs")).unwrap().set_modified(later).unwrap();
        let changed = look();
        assert_ne!(changed, first);
        folder.write("b/two.rs", "2");
        let added = look();
        assert_ne!(added, changed);
        fs::remove_file(folder.path("b/two.rs")).unwrap();
        assert_eq!(look(), changed);
    }

    #[test]
    fn the_page_is_told_where_the_server_is() {
        for (arguments, expected) in [
            (&["--port", "9000"][..], Some("9000")),
            (&["--port=9001"], Some("9001")),
            (&["--host", "::1"], None),
        ] {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            assert_eq!(port(&arguments), expected);
        }
    }

    #[test]
    fn a_program_is_stopped_politely() {
        let folder = Scratch::new("dev-stop");
        let script = "trap 'echo saved > saved; exit 0' TERM; echo > ready; while :; do sleep 0.05; done";
        let mut child = Command::new("sh").args(["-c", script]).current_dir(folder.root()).spawn().unwrap();
        while !folder.path("ready").exists() {
            thread::yield_now();
        }
        stop(&mut child);
        assert_eq!(fs::read_to_string(folder.path("saved")).unwrap(), "saved\n");
    }
}
