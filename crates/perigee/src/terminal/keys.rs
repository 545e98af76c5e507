use std::io::stdin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// While this lives, keys that are pressed do not show: a `^C` in the middle of a reply belongs to nobody. They
/// are not lost; whoever reads next gets them.
pub struct QuietKeys {
    before: Option<Termios>,
}

impl QuietKeys {
    pub fn new() -> Self {
        // Where the input is no terminal, there is nothing to keep quiet.
        let before = tcgetattr(stdin()).ok();
        if let Some(mut quiet) = before.clone() {
            quiet.local_modes.remove(LocalModes::ECHO);
            tcsetattr(stdin(), OptionalActions::Now, &quiet).ok();
        }
        Self { before }
    }
}

impl Drop for QuietKeys {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            tcsetattr(stdin(), OptionalActions::Now, before).ok();
        }
    }
}

/// One key, read without waiting for a line to end. Dropping it stops the reading.
pub struct KeyPress {
    pressed: tokio::sync::mpsc::Receiver<char>,
    dropped: Arc<AtomicBool>,
}

/// How long the reader sleeps before it looks whether anybody still waits for a key.
const LOOK: Duration = Duration::from_millis(100);

impl KeyPress {
    pub fn read() -> Self {
        let (sender, pressed) = tokio::sync::mpsc::channel(1);
        let dropped = Arc::new(AtomicBool::new(false));
        let gone = Arc::clone(&dropped);
        std::thread::spawn(move || {
            let Ok(before) = tcgetattr(stdin()) else { return };
            let mut raw = before.clone();
            raw.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
            tcsetattr(stdin(), OptionalActions::Now, &raw).ok();
            while !gone.load(Ordering::Relaxed) {
                if let Some(key) = key_within(LOOK) {
                    sender.blocking_send(key).ok();
                    break;
                }
            }
            tcsetattr(stdin(), OptionalActions::Now, &before).ok();
        });
        Self { pressed, dropped }
    }

    /// The key; `None` where there will be none.
    pub async fn next(&mut self) -> Option<char> {
        self.pressed.recv().await
    }
}

impl Drop for KeyPress {
    fn drop(&mut self) {
        self.dropped.store(true, Ordering::Relaxed);
    }
}

fn key_within(wait: Duration) -> Option<char> {
    let stdin = stdin();
    let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(wait.subsec_nanos()) };
    let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
    if rustix::event::poll(&mut watched, Some(&timeout)).ok()? == 0 {
        return None;
    }
    let mut byte = [0];
    (rustix::io::read(&stdin, &mut byte).ok()? == 1).then(|| char::from(byte[0]))
}
