use std::io::{BufRead as _, IsTerminal as _};

use tokio::io::{AsyncWriteExt as _, DuplexStream};
use tokio::runtime::Handle;

use crate::output::print;

/// The size of the buffer of [`input_stream`], in bytes.
const BUFFER: usize = 64 * 1024;

/// Returns true if standard input and output are a terminal, so that the user can be asked.
pub fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Reads the lines of standard input on a separate thread, which ends with the program.
pub fn input_lines() -> tokio::sync::mpsc::Receiver<String> {
    let (sender, lines) = tokio::sync::mpsc::channel(16);
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Reads the bytes of standard input on a separate thread, which ends with the program. It must be called in a runtime.
pub fn input_stream() -> DuplexStream {
    let (mut writer, stream) = tokio::io::duplex(BUFFER);
    let runtime = Handle::current();
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        while let Ok(bytes) = stdin.fill_buf() {
            let count = bytes.len();
            if count == 0 || runtime.block_on(writer.write_all(bytes)).is_err() {
                return;
            }
            stdin.consume(count);
        }
    });
    stream
}

/// Asks a yes-or-no question. An empty answer or the end of input is a no.
pub fn confirm(question: &str) -> bool {
    print(&format!("{question} [y/N] "));
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
