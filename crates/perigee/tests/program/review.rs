//! `perigee code` at a terminal: each hunk is shown and decided on.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::json;
use testkit::{ScriptedReply, perigee_command};

use crate::support::{BIN, Setup, Stage};

/// A program in a pseudoterminal, and its controlling side.
struct Terminal {
    hands: File,
    child: Child,
    shown: String,
    seen: usize,
}

impl Terminal {
    fn run(home: &Path, folder: &Path, arguments: &[&str], editor: &str) -> Self {
        let hands: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&hands).unwrap();
        unlockpt(&hands).unwrap();
        let path = ptsname(&hands, Vec::new()).unwrap().into_string().unwrap();
        let screen = || Stdio::from(OpenOptions::new().read(true).write(true).open(&path).unwrap());
        let child = perigee_command(Path::new(BIN), home, [&["code"][..], arguments].concat())
            .into_std()
            .current_dir(folder)
            .env("EDITOR", editor)
            .env_remove("VISUAL")
            .env("NO_COLOR", "1")
            .stdin(screen())
            .stdout(screen())
            .stderr(screen())
            .spawn()
            .unwrap();
        Self { hands: hands.into(), child, shown: String::new(), seen: 0 }
    }

    /// Reads until this text appears after the last one that was awaited.
    fn shows(&mut self, text: &str) -> &mut Self {
        let mut bytes = [0; 4096];
        loop {
            if let Some(place) = self.shown[self.seen..].find(text) {
                self.seen += place + text.len();
                return self;
            }
            match self.hands.read(&mut bytes) {
                Ok(length) if length > 0 => self.shown.push_str(&String::from_utf8_lossy(&bytes[..length])),
                ended => panic!("{ended:?}, before {text:?} was shown:\n{}", self.shown),
            }
        }
    }

    fn types(&mut self, keys: &str) -> &mut Self {
        self.hands.write_all(keys.as_bytes()).unwrap();
        self
    }

    fn ends(&mut self) -> Option<i32> {
        // The remaining output has to be read for the program to end.
        let mut bytes = [0; 4096];
        while matches!(self.hands.read(&mut bytes), Ok(length) if length > 0) {}
        self.child.wait().unwrap().code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

const LINES: &str = "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\nlast\n";

async fn stage() -> (Stage, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), LINES).unwrap();
    let stage = Setup::new().await.table("[code]\nverify = false\n").start().await;
    let edits =
        json!([{"old_string": "one", "new_string": "ONE"}, {"old_string": "last", "new_string": "LAST"}]);
    let edit = json!({"path": "a.txt", "edits": edits});
    stage.model.reply(ScriptedReply::empty().tool_call("c1", "multi_edit", &edit.to_string()));
    stage.model.reply("Both are loud now.");
    (stage, folder)
}

#[tokio::test]
async fn pieces_are_taken_left_and_edited() {
    let (stage, folder) = stage().await;
    let (home, root) = (stage.home.path().to_owned(), folder.path().to_owned());
    tokio::task::spawn_blocking(move || {
        let editor = "sed -i s/ONE/Uno/";
        let mut terminal = Terminal::run(&home, &root, &["Make both loud"], editor);
        terminal.shows("+ONE").shows("Accept this?").types("?").shows("q decide later").shows("Accept this?");
        assert_eq!(fs::read_to_string(root.join("a.txt")).unwrap(), LINES, "nothing is written before a yes");
        terminal.types("e").shows("+LAST").shows("Accept this?").types("n").shows("Written: a.txt");
        assert_eq!(terminal.ends(), Some(0));
        assert_eq!(fs::read_to_string(root.join("a.txt")).unwrap(), LINES.replace("one", "Uno"));
        let mut terminal = Terminal::run(&home, &root, &["--undo"], editor);
        terminal.shows("Undone: Make both loud (a.txt)");
        assert_eq!(terminal.ends(), Some(0));
        assert_eq!(fs::read_to_string(root.join("a.txt")).unwrap(), LINES);
    })
    .await
    .unwrap();
    drop(folder);
}

#[tokio::test]
async fn whoever_decides_later_finds_it_again_in_a_session() {
    let (stage, folder) = stage().await;
    let (home, root) = (stage.home.path().to_owned(), folder.path().to_owned());
    tokio::task::spawn_blocking(move || {
        let mut terminal = Terminal::run(&home, &root, &[], "true");
        terminal.shows("Say what you want").types("Make both loud\r").shows("Accept this?").types("e");
        terminal
            .shows("The text was not changed")
            .shows("Accept this?")
            .types("q")
            .shows("Nothing is written yet");
        assert_eq!(fs::read_to_string(root.join("a.txt")).unwrap(), LINES);
        terminal.types("/mode fast\r").shows("Modes are").types("/review\r").shows("Accept this?").types("a");
        terminal.shows("Written: a.txt").types("/undo\r").shows("Undone").types("/exit\r");
        assert_eq!(terminal.ends(), Some(0));
        assert_eq!(fs::read_to_string(root.join("a.txt")).unwrap(), LINES);
    })
    .await
    .unwrap();
    drop(folder);
}

#[tokio::test]
async fn whoever_breaks_off_has_decided_nothing() {
    let (stage, folder) = stage().await;
    let (home, root) = (stage.home.path().to_owned(), folder.path().to_owned());
    tokio::task::spawn_blocking(move || {
        let mut terminal = Terminal::run(&home, &root, &["Make both loud"], "true");
        terminal.shows("Accept this?");
        let child = rustix::process::Pid::from_child(&terminal.child);
        rustix::process::kill_process(child, rustix::process::Signal::INT).unwrap();
        terminal.shows("Nothing is written yet");
        assert_eq!(terminal.ends(), Some(130));
        assert_eq!(fs::read_to_string(root.join("a.txt")).unwrap(), LINES);
    })
    .await
    .unwrap();
    drop(folder);
}

#[tokio::test]
async fn whoever_ends_the_program_at_its_prompt_ends_it() {
    let (stage, folder) = stage().await;
    let (home, root) = (stage.home.path().to_owned(), folder.path().to_owned());
    tokio::task::spawn_blocking(move || {
        let mut terminal = Terminal::run(&home, &root, &[], "true");
        terminal.shows("Say what you want");
        terminal.shows("›");
        let child = rustix::process::Pid::from_child(&terminal.child);
        rustix::process::kill_process(child, rustix::process::Signal::TERM).unwrap();
        assert_eq!(terminal.ends(), Some(143));
    })
    .await
    .unwrap();
    drop(folder);
}
