use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::*;

/// A pseudoterminal: the controlling side and the terminal.
fn terminal() -> (File, Terminal) {
    let controller: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let path = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
    let mut options = OpenOptions::new();
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, OFlags::NOCTTY.bits().cast_signed());
    let screen = options.read(true).write(true).open(path).unwrap();
    (controller.into(), Arc::new(screen))
}

fn modes(terminal: &Terminal) -> LocalModes {
    tcgetattr(terminal).unwrap().local_modes
}

/// Waits until the typed input has arrived.
fn arrived(terminal: &Terminal) {
    let mut watched = [PollFd::new(terminal, PollFlags::IN)];
    poll(&mut watched, None).unwrap();
}

async fn next(keys: &mut KeyReader) -> Option<char> {
    tokio::time::timeout(Duration::from_secs(10), keys.next()).await.expect("a key")
}

#[tokio::test]
async fn keys_count_from_when_they_are_asked_for() {
    let (mut controller, terminal) = terminal();
    controller.write_all(b"aaaa\n").unwrap();
    arrived(&terminal);
    let mut keys = KeyReader::of(Arc::clone(&terminal));
    controller.write_all(b"y").unwrap();
    assert_eq!(next(&mut keys).await, Some('y'), "what was typed ahead is dropped");
    controller.write_all(b"\x1b[An").unwrap();
    assert_eq!(next(&mut keys).await, Some('n'), "an arrow is no letter");
}

#[tokio::test]
async fn the_terminal_is_as_it_was_as_soon_as_nobody_asks() {
    let (mut controller, terminal) = terminal();
    let before = modes(&terminal);
    assert!(before.contains(LocalModes::ECHO | LocalModes::ICANON));
    for pressed in [false, true] {
        let mut keys = KeyReader::of(Arc::clone(&terminal));
        assert!(!modes(&terminal).intersects(LocalModes::ECHO | LocalModes::ICANON));
        if pressed {
            controller.write_all(b"y").unwrap();
            assert_eq!(next(&mut keys).await, Some('y'));
        }
        drop(keys);
        assert_eq!(modes(&terminal), before, "pressed: {pressed}");
    }
    // The next reader gets the next input, since the key reader has stopped.
    controller.write_all(b"hello\n").unwrap();
    let mut line = [0; 16];
    assert_eq!(rustix::io::read(&terminal, &mut line).unwrap(), 6);
}

#[tokio::test]
async fn without_a_terminal_there_are_no_keys() {
    let (reader, _writer) = std::io::pipe().unwrap();
    assert_eq!(KeyReader::of(Arc::new(reader)).next().await, None);
    let (controller, terminal) = terminal();
    let mut keys = KeyReader::of(terminal);
    drop(controller);
    assert_eq!(next(&mut keys).await, None, "it was closed");
}

#[test]
fn only_letters_are_keys() {
    for (bytes, expected) in [
        (&b"y"[..], "y"),
        (b"an\n", "an\n"),
        (b"\x1b[A", ""),
        (b"a\x1b[1;5Ay", "ay"),
        (b"\x1bOAn", "n"),
        (b"\x1ba", ""),
        (b"\x1b", ""),
        (b"\x1b[", ""),
        (b"", ""),
    ] {
        assert_eq!(keys_in(bytes).into_iter().collect::<String>(), expected, "{bytes:?}");
    }
}
