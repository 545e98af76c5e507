use std::io::{PipeReader, PipeWriter, stdin};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::termios::{LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How the terminal is, to be put back.
pub struct TerminalMode(Option<Termios>);

impl TerminalMode {
    pub fn now() -> Self {
        Self(tcgetattr(stdin()).ok())
    }

    pub fn restore(&self) {
        if let Some(before) = &self.0 {
            tcsetattr(stdin(), OptionalActions::Now, before).ok();
        }
    }
}

/// While this lives, keys that are pressed do not show: a `^C` in the middle of a reply belongs to nobody. They
/// are not lost; whoever reads next gets them.
pub struct QuietKeys {
    before: TerminalMode,
}

impl QuietKeys {
    pub fn new() -> Self {
        // Where the input is no terminal, there is nothing to keep quiet.
        let before = TerminalMode::now();
        if let Some(mut quiet) = before.0.clone() {
            quiet.local_modes.remove(LocalModes::ECHO);
            tcsetattr(stdin(), OptionalActions::Now, &quiet).ok();
        }
        Self { before }
    }
}

impl Drop for QuietKeys {
    fn drop(&mut self) {
        self.before.restore();
    }
}

/// Keys as they are pressed, without waiting for a line to end. What was typed before was meant for something else
/// and is dropped. When this is dropped, nobody reads any more and the terminal is as it was.
pub struct Keys {
    pressed: UnboundedReceiver<char>,
    terminal: Terminal,
    /// Its mode before. Only this has changed it, and changes it back.
    before: Option<Termios>,
    reader: Option<JoinHandle<()>>,
    /// Closed, it wakes the reader.
    wake: Option<PipeWriter>,
}

type Terminal = Arc<dyn AsFd + Send + Sync>;

impl Keys {
    pub fn read() -> Self {
        Self::of(Arc::new(stdin()))
    }

    fn of(terminal: Terminal) -> Self {
        let (sender, pressed) = unbounded_channel();
        let mut keys = Self { pressed, terminal, before: None, reader: None, wake: None };
        let (Ok(before), Ok((woken, wake))) = (tcgetattr(&keys.terminal), std::io::pipe()) else {
            return keys;
        };
        let mut raw = before.clone();
        raw.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
        tcsetattr(&keys.terminal, OptionalActions::Now, &raw).ok();
        keys.before = Some(before);
        tcflush(&keys.terminal, QueueSelector::IFlush).ok();
        let terminal = Arc::clone(&keys.terminal);
        let reader = std::thread::Builder::new().name("keys".into());
        keys.reader = reader.spawn(move || pass_on(&terminal, &woken, &sender)).ok();
        keys.wake = Some(wake);
        keys
    }

    /// The next key; `None` where there will be none.
    pub async fn next(&mut self) -> Option<char> {
        self.pressed.recv().await
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        drop(self.wake.take());
        if let Some(reader) = self.reader.take() {
            reader.join().ok();
        }
        if let Some(before) = &self.before {
            tcsetattr(&self.terminal, OptionalActions::Now, before).ok();
        }
    }
}

/// Reads keys until it is woken, or the terminal is gone.
fn pass_on(terminal: &Terminal, woken: &PipeReader, sender: &UnboundedSender<char>) {
    let mut bytes = [0; 16];
    loop {
        let mut watched = [PollFd::new(terminal, PollFlags::IN), PollFd::new(woken, PollFlags::IN)];
        match poll(&mut watched, None) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return,
        }
        if !watched[1].revents().is_empty() {
            return;
        }
        match rustix::io::read(terminal, &mut bytes) {
            Err(Errno::INTR | Errno::AGAIN) => {}
            Ok(0) | Err(_) => return,
            Ok(length) => {
                for key in keys_in(&bytes[..length]) {
                    sender.send(key).ok();
                }
            }
        }
    }
}

/// The keys that are letters. An arrow comes as a letter after an escape, and is none.
fn keys_in(mut bytes: &[u8]) -> Vec<char> {
    const ESCAPE: u8 = 0x1b;
    let mut keys = Vec::new();
    while let [first, rest @ ..] = bytes {
        bytes = match (*first, rest) {
            (ESCAPE, [b'[', sequence @ ..]) => {
                let end = sequence.iter().position(|byte| (0x40..=0x7e).contains(byte));
                end.map_or(&[], |end| &sequence[end + 1..])
            }
            (ESCAPE, [b'O', _, rest @ ..] | [_, rest @ ..]) => rest,
            (ESCAPE, []) => &[],
            (key, rest) => {
                keys.push(char::from(key));
                rest
            }
        };
    }
    keys
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
