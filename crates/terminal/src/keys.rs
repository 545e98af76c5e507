use std::io::{PipeReader, PipeWriter, stdin};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::termios::{LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A saved terminal mode, to be restored.
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

/// Turns off the echo of keys while it exists, so that a `^C` does not appear in a reply. The keys remain available to
/// the next reader.
pub struct EchoOff {
    before: TerminalMode,
}

impl EchoOff {
    pub fn begin() -> Self {
        // The mode is only known if the input is a terminal.
        let before = TerminalMode::now();
        if let Some(mut quiet) = before.0.clone() {
            quiet.local_modes.remove(LocalModes::ECHO);
            tcsetattr(stdin(), OptionalActions::Now, &quiet).ok();
        }
        Self { before }
    }
}

impl Drop for EchoOff {
    fn drop(&mut self) {
        self.before.restore();
    }
}

/// Reads single keys without waiting for Enter. Input typed before is discarded, as it was meant for something else. On
/// drop, the reader stops and the terminal mode is restored.
pub struct KeyReader {
    pressed: UnboundedReceiver<char>,
    terminal: Terminal,
    /// The previous mode, which only this type changes and restores.
    before: Option<Termios>,
    reader: Option<JoinHandle<()>>,
    /// Wakes the reader when closed.
    wake: Option<PipeWriter>,
}

type Terminal = Arc<dyn AsFd + Send + Sync>;

impl KeyReader {
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

    /// Returns the next key, or `None` at the end of the input.
    pub async fn next(&mut self) -> Option<char> {
        self.pressed.recv().await
    }
}

impl Drop for KeyReader {
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

/// Reads keys until it is woken or the terminal closes.
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

/// Returns the keys that are characters. An arrow key arrives as a letter after an escape and is skipped.
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
